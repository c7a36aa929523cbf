//! `cbw history`: the recorded assemblies, and retention.

use std::path::Path;

use history::{AssemblyDetail, AssemblyId, History, HistoryError, Limits, ListFilter, Pruned, StoredText};
use jiff::Timestamp;

use crate::api::outputs::{HistoryOutput, HistoryPruneOutput, HistoryShowOutput, OUTPUT_VERSION};
use crate::api::{ApiError, ErrorCode};
use crate::session;
use crate::settings;
use crate::use_cases::assemble::value;

fn failed(error: &HistoryError) -> ApiError {
    let code = if matches!(error, HistoryError::Unknown { .. }) { ErrorCode::NotFound } else { ErrorCode::Failed };
    ApiError::english(code, error.to_string())
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
    let unknown = || ApiError::english(ErrorCode::NotFound, format!("There is no assembly {id} in the history."));
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

/// Limits that were given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Prune {
    /// Days that assemblies and versions are kept.
    pub days: Option<u32>,
    /// Assemblies that are kept, and versions of each file.
    pub count: Option<u32>,
    /// MiB that the history may take.
    pub mib: Option<u32>,
}

/// Removes from the history what `given` does not let stay; when nothing is given, what the settings do not. Without a
/// history nothing goes, and none is made. `dry`: only says what would go.
///
/// # Errors
/// [`ErrorCode::Invalid`] when there is no limit at all; a history that cannot be opened, read or written.
pub fn prune(home: &Path, given: Prune, dry: bool) -> Result<HistoryPruneOutput, ApiError> {
    let now = Timestamp::now();
    let limits = if given == Prune::default() {
        session::limits(&settings::load(home).value.settings, now)
    } else {
        Limits { count: given.count, ..session::limits_of(given.days, given.mib, now) }
    };
    if limits == Limits::default() {
        let message = "There is no limit: the settings keep everything. Give --days, --count or --mib.";
        return Err(ApiError::english(ErrorCode::Invalid, message));
    }
    let pruned = match open(home)? {
        None => Pruned::default(),
        Some(history) if dry => history.prune_preview(&limits).map_err(|error| failed(&error))?,
        Some(history) => history.prune(&limits).map_err(|error| failed(&error))?,
    };
    Ok(HistoryPruneOutput {
        schema_version: OUTPUT_VERSION,
        dry_run: dry,
        assemblies: pruned.assemblies,
        versions: pruned.versions,
        bytes_before: pruned.bytes_before,
        bytes_after: pruned.bytes_after,
    })
}
