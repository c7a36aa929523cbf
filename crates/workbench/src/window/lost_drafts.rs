//! Drafts that no workspace brings back: their folder is gone, or is in no list any more.

use std::collections::BTreeSet;
use std::path::Path;

use history::{DraftPlace, History, HistoryError};
use jiff::Timestamp;
use model::text;
use workspace::places::probe;

use crate::Session;
use crate::api::{ApiError, ErrorCode, Framed, LostDraft, LostDraftHead, LostDraftName, LostDrafts, Nothing};
use crate::session::Mapping;

/// Every such draft, the newest first. Those of other windows that are alive are theirs to show.
///
/// # Errors
/// When the history cannot be read. Without one there are none.
pub fn lost_drafts(session: &Session, _: Nothing) -> Result<LostDrafts, ApiError> {
    let Some(history) = &session.history else { return Ok(LostDrafts { drafts: Vec::new() }) };
    let all = history.drafts().map_err(|error| failed(&error))?;
    if all.is_empty() {
        return Ok(LostDrafts { drafts: Vec::new() });
    }
    let mut listed: BTreeSet<String> =
        probe(session.home(), &session.target).workspaces.into_iter().map(|found| found.path).collect();
    listed.retain(|path| Path::new(path).is_dir());
    let open: Vec<String> = session
        .with_open(|open| {
            let mapping = Mapping::of(&open.disk);
            let roots = [crate::api::RootId::Workspace, crate::api::RootId::Global];
            Ok(roots.iter().filter_map(|root| mapping.root(*root)).map(str::to_owned).collect())
        })
        .unwrap_or_default();
    let drafts = all.into_iter().filter(|place| {
        let folder = &place.key.folder;
        !open.contains(folder) && !is_listed(&listed, folder) && !session.is_another_window(&place.writer)
    });
    Ok(LostDrafts { drafts: drafts.map(view).collect() })
}

/// The text of one; empty when it is damaged, and the head says how.
///
/// # Errors
/// [`ErrorCode::NotFound`] when it is not there any more.
pub fn lost_draft(session: &Session, name: LostDraftName) -> Result<Framed<LostDraftHead>, ApiError> {
    let history = history(session)?;
    let place = find(history, &name)?;
    let of_folder = history.drafts_of(&name.folder, &name.writer).map_err(|error| failed(&error))?;
    let draft = of_folder.into_iter().find(|draft| draft.place.key == place.key).ok_or_else(|| gone(&name))?;
    let (body, damage) = match draft.text {
        Ok(text) => (text.into_bytes(), None),
        Err(what) => (Vec::new(), Some(what)),
    };
    Ok(Framed { head: LostDraftHead { draft: view(draft.place), damage }, body })
}

/// Throws one away. Its text becomes a version first, so that it is there when the folder comes back.
///
/// # Errors
/// As [`lost_draft`]; [`ErrorCode::Invalid`] while another window types it; [`ErrorCode::Failed`] when it cannot be
/// kept as a version: it is then left as it is.
pub fn discard_lost_draft(session: &Session, name: LostDraftName) -> Result<LostDrafts, ApiError> {
    let history = history(session)?;
    let place = find(history, &name)?;
    if session.is_another_window(&place.writer) {
        return Err(ApiError::new(ErrorCode::Invalid, text!("error-draft-typed")));
    }
    history.discard_draft(&place.key, &place.writer, Timestamp::now()).map_err(|error| failed(&error))?;
    lost_drafts(session, Nothing {})
}

fn history(session: &Session) -> Result<&History, ApiError> {
    session.history.as_deref().ok_or_else(|| ApiError::new(ErrorCode::NotFound, text!("error-history-off")))
}

fn find(history: &History, name: &LostDraftName) -> Result<DraftPlace, ApiError> {
    let all = history.drafts().map_err(|error| failed(&error))?;
    all.into_iter()
        .find(|place| place.key.folder == name.folder && place.key.path == name.path && place.writer == name.writer)
        .ok_or_else(|| gone(name))
}

fn gone(name: &LostDraftName) -> ApiError {
    let message = text!("error-draft-gone", path = &name.path);
    ApiError::new(ErrorCode::NotFound, message).with("path", &name.path)
}

/// Whether some list leads to `folder`, by this name or by another one of it.
fn is_listed(listed: &BTreeSet<String>, folder: &str) -> bool {
    let real = |path: &str| Path::new(path).canonicalize().ok();
    listed.contains(folder)
        || real(folder).is_some_and(|folder| listed.iter().any(|path| real(path).as_ref() == Some(&folder)))
}

fn view(place: DraftPlace) -> LostDraft {
    LostDraft {
        exists: Path::new(&place.key.folder).is_dir(),
        name: LostDraftName { folder: place.key.folder, path: place.key.path, writer: place.writer },
        time: place.time.to_string(),
        bytes: place.length,
    }
}

fn failed(error: &HistoryError) -> ApiError {
    ApiError::english(ErrorCode::Failed, format!("{error}."))
}
