//! Versions of a file: the states that it had.

use history::{DraftKey, VersionKind};
use jiff::Timestamp;

use crate::Session;
use crate::api::{ApiError, ErrorCode};

/// Keeps a state of a file. Without a history there are no versions, and nothing is kept: the person was told at the
/// start.
///
/// # Errors
/// [`ErrorCode::Failed`] when there is a history and it cannot be written.
pub(crate) fn keep(session: &Session, key: &DraftKey, bytes: &[u8], kind: VersionKind) -> Result<(), ApiError> {
    let Some(history) = &session.history else { return Ok(()) };
    history
        .keep_version(key, bytes, kind, Timestamp::now())
        .map(drop)
        .map_err(|error| ApiError::new(ErrorCode::Failed, format!("{error}.")))
}
