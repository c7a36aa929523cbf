//! Open files and their unsaved edits.
//!
//! A document's text is the file's exactly, BOM and line ends included; versions count its changes, so that an edit
//! that was made on another text is refused instead of applied to the wrong place.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use model::{Content, ContentHash, Entry, FileIdentity, Snapshot, SourceFile, SourceOrigin};

use crate::api::{ApiError, ErrorCode, FileRef, FileState, RootId, TextChange};
use crate::session::Mapping;
use crate::text_edit;

/// Largest file that is edited here, in bytes.
pub(crate) const LARGEST: usize = 8 * 1024 * 1024;

/// One open file.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    /// Absolute path, as in the snapshot.
    pub(crate) path: Arc<str>,
    /// The text now.
    pub(crate) text: Arc<str>,
    /// Counts the changes of the text.
    pub(crate) version: u32,
    /// Hash of the content that the text is an edit of; `None`: there was no file.
    pub(crate) base: Option<ContentHash>,
    /// Hash of what stands on disk; `None`: nothing.
    pub(crate) on_disk: Option<ContentHash>,
    /// Why it cannot be edited here.
    pub(crate) read_only: Option<String>,
    /// Why it cannot be read, or why the last save failed.
    pub(crate) error: Option<String>,
    /// The draft as a file of a snapshot; `None`: no unsaved edits.
    draft: Option<Arc<SourceFile>>,
}

impl Document {
    fn of(file: &FileRef, entry: &Entry, version: u32) -> Self {
        let mut document = Self {
            path: Arc::clone(&entry.path),
            text: Arc::from(""),
            version,
            base: None,
            on_disk: None,
            read_only: None,
            error: None,
            draft: None,
        };
        match &entry.content {
            Content::Missing if entry.link.is_some() => {
                document.error =
                    Some("This is a link that leads nowhere. Replace it, or make the file it points to.".into());
            }
            Content::Missing => {}
            Content::File(source) => {
                document.base = Some(source.hash);
                document.on_disk = Some(source.hash);
                document.text = Arc::clone(source.text());
                document.read_only = why_read_only(file, source);
            }
            Content::Folder => document.error = Some("This is a folder, not a file.".into()),
            Content::Special(kind) => document.error = Some(format!("This is a {kind}. It is never opened.")),
            Content::Unreadable(reason) => document.error = Some(format!("This file cannot be read: {reason}.")),
        }
        document
    }

    /// True when it has unsaved edits.
    pub(crate) fn is_draft(&self) -> bool {
        self.draft.is_some()
    }

    /// The one state that is shown.
    pub(crate) fn state(&self) -> FileState {
        match self {
            Self { draft: Some(_), .. } if self.base != self.on_disk => FileState::Conflict,
            Self { error: Some(_), .. } => FileState::Error,
            Self { draft: Some(_), .. } => FileState::Draft,
            Self { read_only: Some(_), .. } => FileState::ReadOnly,
            Self { on_disk: None, .. } => FileState::Missing,
            _ => FileState::Saved,
        }
    }

    /// Why the state is what it is, and what to do.
    pub(crate) fn reason(&self) -> Option<String> {
        match self.state() {
            FileState::Conflict if self.on_disk.is_none() => {
                Some("The file was removed on disk after your edit began. Your draft is kept.".to_owned())
            }
            FileState::Conflict => {
                Some("The file changed on disk after your edit began. Your draft is kept.".to_owned())
            }
            FileState::Error => self.error.clone(),
            FileState::ReadOnly => self.read_only.clone(),
            FileState::Saved | FileState::Draft | FileState::Missing => None,
        }
    }

    fn set_text(&mut self, text: &str, identity: FileIdentity, now: Timestamp) {
        self.version += 1;
        self.text = Arc::from(text);
        let hash = ContentHash(*blake3::hash(text.as_bytes()).as_bytes());
        // Typing everything back is no draft any more.
        self.draft = (self.base != Some(hash) || self.base != self.on_disk).then(|| {
            let mtime_ns = now.as_millisecond() * 1_000_000;
            let identity = FileIdentity { size: text.len() as u64, mtime_ns, ..identity };
            Arc::new(SourceFile::new(Arc::clone(&self.path), identity, SourceOrigin::Draft, text.as_bytes(), hash))
        });
    }
}

fn why_read_only(file: &FileRef, source: &SourceFile) -> Option<String> {
    if file.root == RootId::App {
        return Some(
            "Templates and built-in skills belong to the app. Copy a skill into the workspace to change it.".into(),
        );
    }
    if let Some(offset) = source.decoded().first_bad_offset() {
        return Some(format!(
            "The file is not UTF-8: the first bad byte is at offset {offset}. It opens for reading only, so that no byte is lost."
        ));
    }
    (source.bytes.len() > LARGEST).then(|| "The file is larger than 8 MiB. It opens for reading only.".to_owned())
}

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
        let identity = entry(disk, file)?.identity.unwrap_or_default();
        let document = self.open(file, disk)?;
        if let Some(reason) = document.read_only.as_ref().or(document.error.as_ref()).filter(|_| !document.is_draft()) {
            return Err(ApiError::new(ErrorCode::Invalid, reason.clone()).with("path", &document.path));
        }
        let stale = || {
            ApiError::new(
                ErrorCode::Stale,
                "The file changed meanwhile. It is read again, and your last keys are not lost.",
            )
        };
        if document.version != version {
            return Err(stale());
        }
        let text = text_edit::apply(&document.text, changes).ok_or_else(stale)?;
        document.error = None;
        document.set_text(&text, identity, now);
        Ok(document)
    }

    /// Throws a draft away: the text is the disk's again.
    pub(crate) fn take_disk(&mut self, file: &FileRef, disk: &Snapshot) -> Result<&mut Document, ApiError> {
        let version = self.open(file, disk)?.version + 1;
        self.open.insert(file.clone(), Document::of(file, entry(disk, file)?, version));
        self.open(file, disk)
    }

    /// Keeps a draft against what is on disk: it counts as an edit of that from now on.
    pub(crate) fn keep_mine(&mut self, file: &FileRef, disk: &Snapshot) -> Result<&mut Document, ApiError> {
        let document = self.open(file, disk)?;
        document.base = document.on_disk;
        Ok(document)
    }

    /// Notes that the draft of a file was written.
    pub(crate) fn saved(&mut self, file: &FileRef, hash: ContentHash) {
        if let Some(document) = self.open.get_mut(file) {
            document.base = Some(hash);
            document.on_disk = Some(hash);
            document.error = None;
            // Keys may have come in while the file was being written: they stay a draft.
            if document.draft.as_ref().is_some_and(|draft| draft.hash == hash) {
                document.draft = None;
            }
        }
    }

    /// Notes that a save failed.
    pub(crate) fn save_failed(&mut self, file: &FileRef, reason: String) {
        if let Some(document) = self.open.get_mut(file) {
            document.error = Some(reason);
        }
    }

    /// Takes over what changed on disk: clean documents follow, drafts stay and may now be in conflict.
    pub(crate) fn disk_changed(&mut self, disk: &Snapshot, paths: &[Arc<str>]) {
        for (file, document) in &mut self.open {
            if !paths.contains(&document.path) {
                continue;
            }
            let Ok(entry) = entry(disk, file) else { continue };
            let now = entry.source().map(|source| source.hash);
            if document.is_draft() {
                document.on_disk = now;
                if document.draft.as_ref().map(|draft| draft.hash) == now {
                    // Somebody else wrote the very same bytes.
                    *document = Document::of(file, entry, document.version);
                }
            } else if document.on_disk != now || document.error.is_some() {
                *document = Document::of(file, entry, document.version + 1);
            }
        }
    }

    /// The snapshot with every draft over it. The same `Arc` when there is none.
    pub(crate) fn over(&self, disk: &Arc<Snapshot>) -> Arc<Snapshot> {
        let drafts = self.open.values().filter_map(|document| document.draft.as_ref());
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
    ApiError::new(
        ErrorCode::NotFound,
        format!("{} is not a file of this workspace that can be opened here.", file.path),
    )
    .with("path", &file.path)
}

/// The entry of a file in the snapshot.
pub(crate) fn entry<'a>(snapshot: &'a Snapshot, file: &FileRef) -> Result<&'a Entry, ApiError> {
    Mapping::of(snapshot).entry(snapshot, file).ok_or_else(|| not_here(file))
}
