//! Versions of a file: the states that it had, and how they come back.

use std::sync::Arc;

use history::{DraftKey, History, HistoryError, VersionId, VersionKind, VersionRow};
use jiff::Timestamp;
use model::{Entry, text};

use crate::Session;
use crate::api::{
    ApiError, ErrorCode, FileRef, Framed, SaveResult, VersionHead, VersionKindView, VersionList, VersionRequest,
    VersionView, VersionsRequest,
};
use crate::session::{LARGEST, entry, key_of};
use crate::window::documents;

/// Versions of a page.
const PAGE: usize = 100;

/// Keeps a state of a file. Without a history there are no versions, and nothing is kept: the person was told at the
/// start.
///
/// # Errors
/// [`ErrorCode::Failed`] when there is a history and it cannot be written.
pub(crate) fn keep(session: &Session, key: &DraftKey, bytes: &[u8], kind: VersionKind) -> Result<(), ApiError> {
    let Some(history) = &session.history else { return Ok(()) };
    history.keep_version(key, bytes, kind, Timestamp::now()).map_err(|error| failed(&error))?;
    session.recorded();
    Ok(())
}

/// The versions of a file, newest first.
///
/// # Errors
/// When no workspace is open, or the history cannot be read.
pub fn versions(session: &Session, request: VersionsRequest) -> Result<VersionList, ApiError> {
    let (key, on_disk) = session.with_open(|open| {
        let on_disk = entry(&open.disk, &request.file).ok().and_then(Entry::source).map(|source| source.hash);
        Ok((key_of(&open.disk, &request.file).filter(|_| !open.sample), on_disk))
    })?;
    let (Some(history), Some(key)) = (&session.history, key) else {
        return Ok(VersionList { kept: false, versions: Vec::new(), more: false });
    };
    let before = request.before.map(|id| VersionId(i64::from(id)));
    // One more tells whether there are older ones, and is what the last of the page is compared with.
    let rows = history.versions(&key, before, PAGE as u32 + 1).map_err(|error| failed(&error))?;
    let current = rows.iter().find(|row| request.before.is_none() && Some(row.hash) == on_disk).map(|row| row.id);
    let versions = rows.iter().enumerate().take(PAGE).map(|(at, row)| {
        let older = rows.get(at + 1);
        let change = older.map(|older| row.length.cast_signed().saturating_sub(older.length.cast_signed()));
        VersionView {
            id: number(row.id),
            time: row.time.to_string(),
            kind: kind_view(row.kind),
            bytes: row.length,
            change: change.map(|change| i32::try_from(change).unwrap_or(if change < 0 { i32::MIN } else { i32::MAX })),
            current: current == Some(row.id),
        }
    });
    Ok(VersionList { kept: true, versions: versions.collect(), more: rows.len() > PAGE })
}

/// One version; its text is the body, when it is text.
///
/// # Errors
/// [`ErrorCode::NotFound`] when there is no such version of the file; [`ErrorCode::Failed`] when it is damaged.
pub fn version(session: &Session, request: VersionRequest) -> Result<Framed<VersionHead>, ApiError> {
    let (row, bytes) = load(session, &request.file, request.id)?;
    let text = bytes.len() <= LARGEST && std::str::from_utf8(&bytes).is_ok();
    let head = VersionHead { id: request.id, time: row.time.to_string(), bytes: row.length, text };
    Ok(Framed { head, body: if text { bytes } else { Vec::new() } })
}

/// Writes the bytes of a version that is no text back to disk, which makes a new version. One that is text is
/// restored by the window: an edit that can be undone, and a save.
///
/// # Errors
/// As [`version`]; [`ErrorCode::Invalid`] while the file has unsaved edits. A save that fails is no error of the
/// command.
pub fn restore_version(session: &Session, request: VersionRequest) -> Result<SaveResult, ApiError> {
    let (_, bytes) = load(session, &request.file, request.id)?;
    documents::write_bytes(session, &request.file, Arc::from(bytes))
}

fn load(session: &Session, file: &FileRef, id: u32) -> Result<(VersionRow, Vec<u8>), ApiError> {
    let key = session.with_open(|open| Ok(key_of(&open.disk, file).filter(|_| !open.sample)))?;
    let history: Option<&Arc<History>> = session.history.as_ref();
    let (Some(history), Some(key)) = (history, key) else {
        return Err(ApiError::new(ErrorCode::NotFound, text!("error-no-versions")));
    };
    history.version(&key, VersionId(i64::from(id))).map_err(|error| failed(&error))
}

fn failed(error: &HistoryError) -> ApiError {
    let code = match error {
        HistoryError::UnknownVersion { .. } => ErrorCode::NotFound,
        _ => ErrorCode::Failed,
    };
    ApiError::english(code, format!("{error}."))
}

fn number(id: VersionId) -> u32 {
    u32::try_from(id.0).unwrap_or_default()
}

fn kind_view(kind: VersionKind) -> VersionKindView {
    match kind {
        VersionKind::Found => VersionKindView::Found,
        VersionKind::Saved => VersionKindView::Saved,
        VersionKind::Draft => VersionKindView::Draft,
    }
}
