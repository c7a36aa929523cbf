//! Drafts of a session: kept as they are typed, brought back when a workspace is opened.

use std::path::Path;
use std::sync::{Arc, Weak};

use history::{DraftKey, History, Presence};
use jiff::Timestamp;
use model::{Finding, Severity, Snapshot, Text, text};

use super::keeping::DraftKeeper;
use super::{Documents, Mapping, Open, Session};
use crate::api::{FileRef, RootId, WorkspaceChanged};
use crate::settings;

/// Drafts that came back.
pub(super) struct Restored {
    pub(super) documents: Documents,
    pub(super) files: Vec<FileRef>,
    pub(super) findings: Vec<Finding>,
}

/// The name of a file in the database; `None` for files that are never edited.
pub(crate) fn key_of(disk: &Snapshot, file: &FileRef) -> Option<DraftKey> {
    let folder = Mapping::of(disk).root(file.root).filter(|_| file.root != RootId::App)?.to_owned();
    Some(DraftKey { folder, path: file.path.clone() })
}

/// Tells other windows of the same home that this one is alive.
pub(super) fn announce(home: &Path) -> Option<Presence> {
    let presence = Presence::announce(&settings::own_folder(home).join("windows"), Timestamp::now());
    let presence =
        presence.inspect_err(|error| tracing::warn!(%error, "this window cannot be told from others")).ok()?;
    presence.tidy();
    Some(presence)
}

/// The keeper of a window's drafts; `None` when they cannot be kept.
pub(super) fn keeper(
    history: Option<&Arc<History>>,
    presence: Option<&Presence>,
    session: Weak<Session>,
) -> Option<DraftKeeper> {
    let (history, presence) = (history?, presence?);
    let told = move || {
        if let Some(session) = session.upgrade() {
            session.tell_again();
        }
    };
    DraftKeeper::start(Arc::clone(history), presence.name().to_owned(), told)
        .inspect_err(|error| tracing::warn!(%error, "drafts cannot be kept"))
        .ok()
}

impl Session {
    /// Keeps the draft of a file as it is now, or forgets it when there is none. Costs a key press nothing.
    pub(crate) fn keep_draft(&self, open: &Open, file: &FileRef) {
        let Some(keeper) = self.keeper.as_ref().filter(|_| !open.sample) else { return };
        let Some(document) = open.documents.get(file) else { return };
        if let Some(key) = key_of(&open.disk, file) {
            keeper.note(key, document.to_keep());
        }
    }

    /// [`Session::keep_draft`] of every file.
    pub(super) fn keep_drafts(&self, open: &Open) {
        for (file, _) in open.documents.all() {
            self.keep_draft(open, file);
        }
    }

    /// Brings back what is kept of the files below the roots of `disk`.
    pub(super) fn restore_drafts(&self, disk: &Snapshot) -> Restored {
        let mut back = Restored { documents: Documents::default(), files: Vec::new(), findings: Vec::new() };
        let (Some(keeper), Some(presence)) = (&self.keeper, &self.presence) else { return back };
        let mapping = Mapping::of(disk);
        for root in [RootId::Workspace, RootId::Global] {
            let Some(folder) = mapping.root(root) else { continue };
            let stored = match keeper.take_over(folder, &|writer| presence.is_alive(writer)) {
                Ok(stored) => stored,
                Err(error) => {
                    let message = text!("drafts-unreadable", cause = error.to_string());
                    back.findings.push(Finding::new("draft-damaged", Severity::Warning, message).at(folder));
                    continue;
                }
            };
            for draft in stored {
                let file = FileRef { root, path: draft.place.key.path.clone() };
                if let Err(what) = &draft.text {
                    let message = text!("draft-damaged", file = &file.path, cause = what);
                    let path = format!("{}/{}", folder.trim_end_matches('/'), file.path);
                    back.findings.push(Finding::new("draft-damaged", Severity::Warning, message).at(path));
                } else if back.documents.restore(&file, disk, &draft) {
                    back.files.push(file);
                } else {
                    // It was saved, and the window died before it could be forgotten.
                    keeper.note(draft.place.key, None);
                }
            }
        }
        back
    }

    /// True when `writer` is a window that is alive and not this one.
    pub(crate) fn is_another_window(&self, writer: &str) -> bool {
        self.presence.as_ref().is_none_or(|presence| writer != presence.name() && presence.is_alive(writer))
    }

    /// True when another window that is alive has unsaved edits of a file. Never asked on the way of a key press.
    pub(crate) fn edited_elsewhere(&self, key: &DraftKey) -> bool {
        let (Some(history), Some(_)) = (&self.history, &self.presence) else { return false };
        let drafts =
            history.drafts().inspect_err(|error| tracing::warn!(%error, "other windows' drafts are not known"));
        drafts.unwrap_or_default().iter().any(|place| place.key == *key && self.is_another_window(&place.writer))
    }

    /// Why drafts would not survive the end of this window; `None` when they do.
    pub(crate) fn drafts_finding(&self) -> Option<Finding> {
        let why = match &self.keeper {
            None => Some(text!("history-is-off")),
            Some(keeper) => keeper.failing().map(Text::verbatim),
        };
        why.map(|cause| {
            let message = text!("drafts-in-memory", cause);
            Finding::new("drafts-in-memory", Severity::Warning, message)
        })
    }

    /// Has the window ask again, though no file changed.
    fn tell_again(&self) {
        let revision = match self.opened().as_mut() {
            Some(open) => {
                open.revision += 1;
                open.revision
            }
            None => return,
        };
        (self.on_change)(WorkspaceChanged { revision, files: Vec::new() });
    }
}
