//! `cbw emulate`: a sequence of builds, writes and clock steps through the target's own cache. Nothing on disk changes.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::api::outputs::{EmulateOutput, OUTPUT_VERSION};
use crate::api::{ApiError, ErrorCode};
use crate::assembling::{self, Request};
use crate::use_cases::assemble::value;

/// Runs the steps of a file.
///
/// # Errors
/// When the file cannot be read or a step is unknown; the message names the step.
pub fn emulate(request: &Request, steps: &Path) -> Result<EmulateOutput, ApiError> {
    let located = |message: String| ApiError::english(ErrorCode::Invalid, message).with("path", steps.display());
    let text = fs::read_to_string(steps).map_err(|error| {
        ApiError::english(ErrorCode::NotFound, format!("The steps in {} cannot be read: {error}.", steps.display()))
            .with("path", steps.display())
    })?;
    let parsed: Value =
        serde_json::from_str(&text).map_err(|error| located(format!("{} is not JSON: {error}.", steps.display())))?;
    let inputs = assembling::read(request)?;
    let failed =
        |error: prompt::EmulateError| located(format!("{}: {error}.", steps.display())).with("step", error.step);
    let steps_read = prompt::read_steps(&parsed).map_err(failed)?;
    let assembling::Inputs { snapshot, variant, target, context, attachments, .. } = &inputs;
    let parts = prompt::Inputs { snapshot, variant, target, context, attachments };
    let builds = prompt::emulate(&parts, &steps_read).map_err(failed)?;
    Ok(EmulateOutput { schema_version: OUTPUT_VERSION, builds: value(&builds) })
}
