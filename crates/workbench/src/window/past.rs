//! The history.

use history::{AssemblyId, AssemblyRow, ListFilter};
use model::text;

use crate::Session;
use crate::api::{ApiError, ErrorCode, HistoryPage, HistoryRequest, HistoryRowView};

/// A page of assemblies, newest first.
///
/// # Errors
/// When the history is off or cannot be read.
pub fn history(session: &Session, request: HistoryRequest) -> Result<HistoryPage, ApiError> {
    let Some(history) = &session.history else {
        return Err(ApiError::new(ErrorCode::Failed, text!("error-history-off")));
    };
    let workspace =
        if request.here { session.with_open(|open| Ok(open.disk.places.workspace.clone())).ok() } else { None };
    let filter = ListFilter {
        workspace,
        channel: request.channel,
        before_id: request.before.map(|id| AssemblyId(i64::from(id))),
        limit: request.limit.unwrap_or(50).min(500),
        ..ListFilter::default()
    };
    let failed = |error: history::HistoryError| ApiError::english(ErrorCode::Failed, error.to_string());
    let count = history.count(&filter).map_err(failed)?;
    let rows = history.list(&filter).map_err(failed)?;
    Ok(HistoryPage { rows: rows.into_iter().map(row).collect(), count: u32::try_from(count).unwrap_or(u32::MAX) })
}

fn row(row: AssemblyRow) -> HistoryRowView {
    HistoryRowView {
        id: u32::try_from(row.id.0).unwrap_or_default(),
        time: row.time.to_string(),
        last_seen: row.last_seen.to_string(),
        seen: row.seen,
        workspace: row.workspace,
        channel: row.channel,
        variant: row.variant,
        model: row.model,
        reason: row.reason.as_str().to_owned(),
        tokens: row.tokens.total,
        prefix_tokens: row.cache.and_then(|cache| cache.prefix_tokens),
    }
}
