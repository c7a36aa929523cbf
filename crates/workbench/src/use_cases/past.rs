//! `cbw history`: the recorded assemblies.

use std::path::Path;

use history::{AssemblyDetail, AssemblyId, History, HistoryError, ListFilter, StoredText};
use jiff::Timestamp;

use crate::api::outputs::{HistoryOutput, HistoryShowOutput, OUTPUT_VERSION};
use crate::api::{ApiError, ErrorCode};
use crate::settings;
use crate::use_cases::assemble::value;

fn failed(error: &HistoryError) -> ApiError {
    let code = if matches!(error, HistoryError::Unknown { .. }) { ErrorCode::NotFound } else { ErrorCode::Failed };
    ApiError::new(code, error.to_string())
}

fn open(home: &Path) -> Result<Option<History>, ApiError> {
    let path = settings::history_path(home);
    if !path.exists() {
        return Ok(None);
    }
    History::open(&path, Timestamp::now()).map(Some).map_err(|error| failed(&error))
}

/// A page of assemblies, newest first. Without a history it is empty; none is made.
///
/// # Errors
/// When the history cannot be opened or read.
pub fn list(home: &Path, filter: &ListFilter) -> Result<HistoryOutput, ApiError> {
    let rows = match open(home)? {
        Some(history) => history.list(filter).map_err(|error| failed(&error))?,
        None => Vec::new(),
    };
    let assemblies = rows.iter().map(|row| {
        let mut shown = value(row);
        // One number beside the names, and how sure it is next to it.
        shown["tokens"] = value(&row.tokens.total);
        shown["tokens_low"] = value(&row.tokens.low);
        shown["tokens_high"] = value(&row.tokens.high);
        shown["method"] = value(&row.tokens.method);
        shown
    });
    Ok(HistoryOutput { schema_version: OUTPUT_VERSION, assemblies: assemblies.collect() })
}

/// One assembly as it was recorded. Without a history there is none, and none is made.
///
/// # Errors
/// [`ErrorCode::NotFound`] when there is none of this id; when the history or the assembly is damaged.
pub(crate) fn get(home: &Path, id: i64) -> Result<AssemblyDetail, ApiError> {
    let unknown = || ApiError::new(ErrorCode::NotFound, format!("There is no assembly {id} in the history."));
    let found = open(home)?.ok_or_else(unknown)?.get(AssemblyId(id)).map_err(|error| failed(&error));
    found.map_err(|error| error.with("id", id))
}

/// One assembly with its text.
///
/// # Errors
/// When there is none of this id, or it is damaged.
pub fn show(home: &Path, id: i64) -> Result<HistoryShowOutput, ApiError> {
    let detail = get(home, id)?;
    let text: Option<String> = detail
        .sections
        .iter()
        .map(|section| match &section.text {
            StoredText::Text(text) => Some(text.as_str()),
            StoredText::Missing { .. } => None,
        })
        .collect();
    Ok(HistoryShowOutput { schema_version: OUTPUT_VERSION, assembly: value(&detail), text })
}
