//! `cbw init`: makes the default files that are missing. Previewing never does.

use workspace::first_run;

use crate::api::outputs::{InitOutput, OUTPUT_VERSION};
use crate::api::{ApiError, ErrorCode};
use crate::assembling::{self, Request};

/// Makes what is missing; overwrites nothing.
///
/// # Errors
/// When a folder or file cannot be made; what was made before stays.
pub fn init(request: &Request) -> Result<InitOutput, ApiError> {
    let inputs = assembling::read(request)?;
    let plan = first_run::plan(&inputs.places, &inputs.target, &inputs.snapshot.app);
    let done = first_run::carry_out(&plan).map_err(|error| {
        let path = error.path.display().to_string();
        ApiError::english(ErrorCode::Failed, error.to_string()).with("path", path)
    })?;
    Ok(InitOutput {
        schema_version: OUTPUT_VERSION,
        created: done.created,
        kept: done.present,
        without_template: plan.without_template,
    })
}
