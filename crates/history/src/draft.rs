//! Drafts: unsaved edits, kept so that they survive the death of their window.
//!
//! A draft belongs to the window that types it. One window's draft is never written over by another; what a dead
//! window left is taken over by one of those that ask, whole.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;

use crate::connection::write;
use crate::error::HistoryError;
use crate::table::contents::NewContent;
use crate::table::{drafts, versions};
use crate::version::VersionKind;
use crate::{History, lock};

/// A file, by the folder it was opened in and its path below it. Links are not followed: a name is a name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct DraftKey {
    /// Absolute path of the root.
    pub folder: String,
    /// Path relative to it, with `/`.
    pub path: String,
}

/// Unsaved edits of one file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewDraft {
    /// The text with the edits.
    pub text: Arc<str>,
    /// The bytes that it is an edit of; `None`: there was no file.
    pub base: Option<Arc<[u8]>>,
    /// Moment of the last key.
    pub time: Timestamp,
}

/// Where a draft is, without its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DraftPlace {
    /// The file.
    pub key: DraftKey,
    /// The window.
    pub writer: String,
    /// Moment of the last key.
    pub time: Timestamp,
    /// Bytes of its text.
    pub length: u64,
}

/// A draft as it was kept. Text and base each are a value, or how they are damaged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredDraft {
    /// Where it is.
    pub place: DraftPlace,
    /// The text with the edits.
    pub text: Result<String, String>,
    /// The bytes that it is an edit of; `None`: there was no file.
    pub base: Result<Option<Vec<u8>>, String>,
}

impl History {
    /// Keeps what `writer` has of each file now; `None`: nothing any more. All of it, or nothing.
    ///
    /// Once this returns, it survives the end of the process. A power cut may take the last moments.
    ///
    /// # Errors
    /// [`HistoryError::Busy`], [`HistoryError::Full`], [`HistoryError::ReadOnly`], or another fault of the database.
    pub fn keep_drafts(
        &self,
        writer: &str,
        changes: &BTreeMap<DraftKey, Option<NewDraft>>,
    ) -> Result<(), HistoryError> {
        // Hashed and compressed first, so that the write lock is held for the rows alone.
        let prepared: Vec<_> =
            changes.iter().map(|(key, draft)| (key, draft.as_ref().map(drafts::Prepared::new))).collect();
        write(&mut lock(&self.writer), self.wait, |transaction| {
            for (key, draft) in &prepared {
                match draft {
                    Some(draft) => drafts::put(transaction, writer, key, draft)?,
                    None => drafts::remove(transaction, writer, key)?,
                }
            }
            Ok(())
        })
        .map_err(|fault| fault.at(&self.path))
    }

    /// Every draft that is kept, without texts, newest first.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn drafts(&self) -> Result<Vec<DraftPlace>, HistoryError> {
        self.read(drafts::places)
    }

    /// What `writer` has below `folder`, by path.
    ///
    /// # Errors
    /// A fault of the database. A draft that is damaged is no error: it is listed and says so.
    pub fn drafts_of(&self, folder: &str, writer: &str) -> Result<Vec<StoredDraft>, HistoryError> {
        self.read(|connection| drafts::of(connection, folder, writer))
    }

    /// Throws away what `writer` has of a file; its text becomes a version first, unless it is damaged. What is not
    /// there is no error.
    ///
    /// # Errors
    /// A fault of the database. The draft is then as it was.
    pub fn discard_draft(&self, key: &DraftKey, writer: &str, now: Timestamp) -> Result<(), HistoryError> {
        write(&mut lock(&self.writer), self.wait, |transaction| {
            let all = drafts::of(transaction, &key.folder, writer)?;
            let draft = all.into_iter().find(|draft| draft.place.key == *key);
            if let Some(Ok(text)) = draft.map(|draft| draft.text) {
                versions::put(transaction, key, &NewContent::new(text.as_bytes()), VersionKind::Draft, now)?;
            }
            drafts::remove(transaction, writer, key)?;
            Ok(())
        })
        .map_err(|fault| fault.at(&self.path))
    }

    /// Takes the drafts below `folder` over that windows left which are not `alive`; gives what `writer` then has
    /// there. Of several that ask at once, each draft goes to one.
    ///
    /// Where two dead windows had a draft of one file, or `writer` has one itself, one draft can only be typed on:
    /// the newest, and `writer`'s own before any other. The rest become versions of the file.
    ///
    /// # Errors
    /// A fault of the database. Nothing has changed hands then.
    pub fn take_over_drafts(
        &self,
        folder: &str,
        writer: &str,
        alive: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<StoredDraft>, HistoryError> {
        let left: Vec<DraftPlace> = self
            .drafts()?
            .into_iter()
            .filter(|place| place.key.folder == folder && place.writer != writer && !alive(&place.writer))
            .collect();
        if !left.is_empty() {
            write(&mut lock(&self.writer), self.wait, |transaction| {
                // The newest come first.
                for place in &left {
                    if drafts::give(transaction, &place.key, &place.writer, writer)? {
                        continue;
                    }
                    let rest = drafts::of(transaction, folder, &place.writer)?;
                    let Some(draft) = rest.into_iter().find(|draft| draft.place.key == place.key) else { continue };
                    // A damaged text cannot become a version; its row stays, and is listed.
                    let Ok(text) = draft.text else { continue };
                    let content = NewContent::new(text.as_bytes());
                    versions::put(transaction, &place.key, &content, VersionKind::Draft, place.time)?;
                    drafts::remove(transaction, &place.writer, &place.key)?;
                }
                Ok(())
            })
            .map_err(|fault| fault.at(&self.path))?;
        }
        self.drafts_of(folder, writer)
    }
}
