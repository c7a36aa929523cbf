//! The files that are open, and their unsaved edits over the disk.

use std::collections::BTreeMap;
use std::sync::Arc;

use history::StoredDraft;
use jiff::Timestamp;
use model::{Entry, Snapshot, text};

use super::document::{Document, Problem};
use crate::api::{ApiError, ErrorCode, FileRef, TextChange};
use crate::session::Mapping;
use crate::text_edit;

/// Every document that was opened.
#[derive(Clone, Debug, Default)]
pub(crate) struct Documents {
    open: BTreeMap<FileRef, Document>,
}

impl Documents {
    /// The document of a file, opened when it is not yet.
    pub(crate) fn open(&mut self, file: &FileRef, disk: &Snapshot) -> Result<&mut Document, ApiError> {
        if !self.open.contains_key(file) {
            let document = Document::of(file, entry(disk, file)?, 1);
            self.open.insert(file.clone(), document);
        }
        self.open.get_mut(file).ok_or_else(|| not_here(file))
    }

    /// The document of a file, when it was opened.
    pub(crate) fn get(&self, file: &FileRef) -> Option<&Document> {
        self.open.get(file)
    }

    /// Adds keystrokes.
    pub(crate) fn edit(
        &mut self,
        file: &FileRef,
        version: u32,
        changes: &[TextChange],
        disk: &Snapshot,
        now: Timestamp,
    ) -> Result<&Document, ApiError> {
        // A draft may outlive its file.
        let identity = entry(disk, file).ok().and_then(|entry| entry.identity).unwrap_or_default();
        let document = self.open(file, disk)?;
        let problem = document.read_only.as_ref().or(document.error.as_ref());
        if let Some(Problem { reason, .. }) = problem.filter(|_| !document.is_draft()) {
            return Err(ApiError::new(ErrorCode::Invalid, reason.clone()).with("path", &document.path));
        }
        let stale = || ApiError::new(ErrorCode::Stale, text!("error-file-changed-keys"));
        if document.version != version {
            return Err(stale());
        }
        let text = text_edit::apply(&document.text, changes).ok_or_else(stale)?;
        document.set_text(&text, identity, now);
        Ok(document)
    }

    /// Makes `text` the draft of a file that is not UTF-8: what its bytes say, read in another encoding.
    pub(crate) fn convert(
        &mut self,
        file: &FileRef,
        text: &str,
        disk: &Snapshot,
        now: Timestamp,
    ) -> Result<&Document, ApiError> {
        let identity = entry(disk, file)?.identity.unwrap_or_default();
        let document = self.open(file, disk)?;
        document.read_only = None;
        document.error = None;
        document.set_text(text, identity, now);
        Ok(document)
    }

    /// Throws a draft away: the text is the disk's again.
    pub(crate) fn take_disk(&mut self, file: &FileRef, disk: &Snapshot) -> Result<&mut Document, ApiError> {
        let open = self.open(file, disk)?;
        let next = open.version + 1;
        let document = match entry(disk, file) {
            Ok(entry) => Document::of(file, entry, next),
            Err(_) => Document::absent(&open.path, next),
        };
        self.open.insert(file.clone(), document);
        self.open(file, disk)
    }

    /// Keeps a draft against what is on disk: it counts as an edit of that from now on.
    pub(crate) fn keep_mine(&mut self, file: &FileRef, disk: &Snapshot) -> Result<&mut Document, ApiError> {
        let document = self.open(file, disk)?;
        document.stand_on(entry(disk, file).ok());
        Ok(document)
    }

    /// Notes that these bytes of a file were written.
    pub(crate) fn saved(&mut self, file: &FileRef, bytes: &Arc<[u8]>) {
        if let Some(document) = self.open.get_mut(file) {
            document.saved(bytes);
        }
    }

    /// Notes that a save failed.
    pub(crate) fn save_failed(&mut self, file: &FileRef, problem: Problem) {
        if let Some(document) = self.open.get_mut(file) {
            document.error = Some(problem);
        }
    }

    /// Takes over what changed on disk: clean documents follow, drafts stay and may now be in conflict.
    pub(crate) fn disk_changed(&mut self, disk: &Snapshot, paths: &[Arc<str>]) {
        for (file, document) in &mut self.open {
            if !paths.contains(&document.path) {
                continue;
            }
            // A file that the target does not look for any more, as one of a skill that is gone, is not there.
            let entry = entry(disk, file).ok();
            let now = entry.and_then(Entry::source).map(|source| source.hash);
            let again = |version| match entry {
                Some(entry) => Document::of(file, entry, version),
                None => Document::absent(&document.path, version),
            };
            if let Some(draft) = document.draft() {
                if now == Some(draft.hash) {
                    // Somebody else wrote the very same bytes.
                    *document = again(document.version);
                } else {
                    document.on_disk = now;
                }
            } else if document.on_disk != now || document.error.is_some() {
                *document = again(document.version + 1);
            }
        }
    }

    /// Brings a draft of an earlier window back. False when it says what the disk says, or cannot be read.
    pub(crate) fn restore(&mut self, file: &FileRef, disk: &Snapshot, stored: &StoredDraft) -> bool {
        let mut document = if let Ok(entry) = entry(disk, file) {
            Document::of(file, entry, 1)
        } else {
            let folder = stored.place.key.folder.trim_end_matches('/');
            Document::absent(&Arc::from(format!("{folder}/{}", file.path)), 1)
        };
        document.restore(stored);
        let is_draft = document.is_draft();
        if is_draft {
            self.open.insert(file.clone(), document);
        }
        is_draft
    }

    /// Every document, by its file.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&FileRef, &Document)> {
        self.open.iter()
    }

    /// The snapshot with every draft over it. The same `Arc` when there is none.
    pub(crate) fn over(&self, disk: &Arc<Snapshot>) -> Arc<Snapshot> {
        let drafts = self.open.values().filter_map(Document::draft);
        drafts.fold(Arc::clone(disk), |snapshot, draft| Arc::new(snapshot.with_file(draft)))
    }

    /// True when some document has unsaved edits.
    pub(crate) fn any_draft(&self) -> bool {
        self.open.values().any(Document::is_draft)
    }

    /// Paths of the documents with unsaved edits.
    pub(crate) fn drafts(&self) -> impl Iterator<Item = &Arc<str>> {
        self.open.values().filter(|document| document.is_draft()).map(|document| &document.path)
    }
}

fn not_here(file: &FileRef) -> ApiError {
    ApiError::new(ErrorCode::NotFound, text!("error-not-a-file-here", path = &file.path)).with("path", &file.path)
}

/// The entry of a file in the snapshot.
pub(crate) fn entry<'a>(snapshot: &'a Snapshot, file: &FileRef) -> Result<&'a Entry, ApiError> {
    Mapping::of(snapshot).entry(snapshot, file).ok_or_else(|| not_here(file))
}
