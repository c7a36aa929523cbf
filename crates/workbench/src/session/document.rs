//! One open file and its unsaved edits.
//!
//! A document's text is the file's exactly, BOM and line ends included; versions count its changes, so that an edit
//! that was made on another text is refused instead of applied to the wrong place.

use std::sync::Arc;

use history::{NewDraft, StoredDraft};
use jiff::Timestamp;
use model::{Content, ContentHash, Entry, FileIdentity, SourceFile, SourceOrigin, Text, text};

use crate::api::{FileProblem, FileRef, FileState, ProblemView, RootId};

/// Largest file that is edited here, in bytes.
pub(crate) const LARGEST: usize = 8 * 1024 * 1024;

/// Why a file cannot be edited, or was not saved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Problem {
    /// What the window branches on.
    pub(crate) view: ProblemView,
    /// What happened, what was kept, and what to do.
    pub(crate) reason: Text,
}

impl Problem {
    fn unusable(kind: FileProblem, reason: Text) -> Self {
        Self { view: ProblemView { kind, saving: false }, reason }
    }

    /// A save that failed.
    pub(crate) fn not_saved(kind: FileProblem, reason: Text) -> Self {
        Self { view: ProblemView { kind, saving: true }, reason }
    }
}

/// The bytes that a text is an edit of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Base {
    /// Their hash.
    pub(crate) hash: ContentHash,
    /// The bytes themselves, for a merge and for the version that a save keeps.
    pub(crate) bytes: Arc<[u8]>,
}

impl Base {
    fn of(entry: Option<&Entry>) -> Option<Self> {
        let source = entry.and_then(Entry::source)?;
        Some(Self { hash: source.hash, bytes: Arc::clone(&source.bytes) })
    }

    /// Some bytes, hashed.
    pub(crate) fn new(bytes: impl Into<Arc<[u8]>>) -> Self {
        let bytes = bytes.into();
        Self { hash: hash(&bytes), bytes }
    }
}

/// One open file.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    /// Absolute path, as in the snapshot.
    pub(crate) path: Arc<str>,
    /// The text now.
    pub(crate) text: Arc<str>,
    /// Counts the changes of the text.
    pub(crate) version: u32,
    /// What the text is an edit of; `None`: there was no file.
    pub(crate) base: Option<Base>,
    /// Hash of what stands on disk; `None`: nothing.
    pub(crate) on_disk: Option<ContentHash>,
    /// Why it cannot be edited here.
    pub(crate) read_only: Option<Problem>,
    /// Why it cannot be read, or why the last save failed.
    pub(crate) error: Option<Problem>,
    /// The draft as a file of a snapshot; `None`: no unsaved edits.
    draft: Option<Arc<SourceFile>>,
    /// Moment of the last key.
    edited: Timestamp,
}

impl Document {
    /// The document of what stands on disk.
    pub(crate) fn of(file: &FileRef, entry: &Entry, version: u32) -> Self {
        let mut document = Self::absent(&entry.path, version);
        match &entry.content {
            Content::Missing if entry.link.is_some() => {
                document.error = Some(Problem::unusable(FileProblem::BrokenLink, text!("document-broken-link")));
            }
            Content::Missing => {}
            Content::File(source) => {
                document.base = Base::of(Some(entry));
                document.on_disk = Some(source.hash);
                document.text = Arc::clone(source.text());
                document.read_only = why_read_only(file, source);
            }
            Content::Folder => {
                document.error = Some(Problem::unusable(FileProblem::NotAFile, text!("document-folder")));
            }
            Content::Special(kind) => {
                document.error = Some(Problem::unusable(
                    FileProblem::NotAFile,
                    text!("document-special", kind = Content::special(kind)),
                ));
            }
            Content::Unreadable(cause) => {
                let reason = text!("document-unreadable", cause);
                document.error = Some(Problem::unusable(FileProblem::Unreadable, reason));
            }
        }
        document
    }

    /// The document of a file that is not there.
    pub(crate) fn absent(path: &Arc<str>, version: u32) -> Self {
        Self {
            path: Arc::clone(path),
            text: Arc::from(""),
            version,
            base: None,
            on_disk: None,
            read_only: None,
            error: None,
            draft: None,
            edited: Timestamp::UNIX_EPOCH,
        }
    }

    /// Lays a draft of an earlier window over what stands on disk. A draft that says what the disk says is none.
    ///
    /// A damaged base is worth less than the text: the draft then counts as an edit of nothing, which is a conflict
    /// with what stands there.
    pub(crate) fn restore(&mut self, stored: &StoredDraft) {
        let Ok(text) = &stored.text else { return };
        self.base = stored.base.clone().ok().flatten().map(Base::new);
        self.edited = stored.place.time;
        self.lay(text, FileIdentity::default());
        if self.draft.as_ref().map(|draft| draft.hash) == self.on_disk {
            self.base = self.draft.take().map(|draft| Base { hash: draft.hash, bytes: Arc::clone(&draft.bytes) });
        } else if self.draft.is_some() {
            // What is wrong with the file on disk does not make the text unreadable.
            self.error = None;
        }
    }

    /// True when it has unsaved edits.
    pub(crate) fn is_draft(&self) -> bool {
        self.draft.is_some()
    }

    /// The draft as a file of a snapshot.
    pub(crate) fn draft(&self) -> Option<&Arc<SourceFile>> {
        self.draft.as_ref()
    }

    /// The unsaved edits as they are to be kept.
    pub(crate) fn to_keep(&self) -> Option<NewDraft> {
        self.draft.as_ref().map(|_| NewDraft {
            text: Arc::clone(&self.text),
            base: self.base.as_ref().map(|base| Arc::clone(&base.bytes)),
            time: self.edited,
        })
    }

    fn base_hash(&self) -> Option<ContentHash> {
        self.base.as_ref().map(|base| base.hash)
    }

    /// The one state that is shown.
    pub(crate) fn state(&self) -> FileState {
        match self {
            Self { draft: Some(_), .. } if self.base_hash() != self.on_disk => FileState::Conflict,
            Self { error: Some(_), .. } => FileState::Error,
            Self { draft: Some(_), .. } => FileState::Draft,
            Self { read_only: Some(_), .. } => FileState::ReadOnly,
            Self { on_disk: None, .. } => FileState::Missing,
            _ => FileState::Saved,
        }
    }

    /// What is wrong, in the states `read_only` and `error`.
    pub(crate) fn problem(&self) -> Option<&Problem> {
        match self.state() {
            FileState::Error => self.error.as_ref(),
            FileState::ReadOnly => self.read_only.as_ref(),
            _ => None,
        }
    }

    /// Why the state is what it is, and what to do.
    pub(crate) fn reason(&self) -> Option<Text> {
        match self.state() {
            FileState::Conflict if self.on_disk.is_none() => Some(text!("document-removed")),
            FileState::Conflict => Some(text!("document-changed")),
            _ => self.problem().map(|problem| problem.reason.clone()),
        }
    }

    /// Another text, by keys.
    pub(crate) fn set_text(&mut self, text: &str, identity: FileIdentity, now: Timestamp) {
        self.version += 1;
        self.edited = now;
        self.error = None;
        self.lay(text, identity);
    }

    fn lay(&mut self, text: &str, identity: FileIdentity) {
        self.text = Arc::from(text);
        let hash = hash(text.as_bytes());
        // Typing everything back is no draft any more.
        self.draft = (self.base_hash() != Some(hash) || self.base_hash() != self.on_disk).then(|| {
            let mtime_ns = self.edited.as_millisecond() * 1_000_000;
            let identity = FileIdentity { size: text.len() as u64, mtime_ns, ..identity };
            let bytes: Arc<[u8]> = Arc::from(Arc::clone(&self.text));
            Arc::new(SourceFile::new(Arc::clone(&self.path), identity, SourceOrigin::Draft, bytes, hash))
        });
    }

    /// Counts the draft as an edit of what stands on disk now.
    pub(crate) fn stand_on(&mut self, entry: Option<&Entry>) {
        self.base = Base::of(entry);
        self.on_disk = self.base_hash();
        self.error = None;
    }

    /// Notes that these bytes were written.
    pub(crate) fn saved(&mut self, bytes: &Arc<[u8]>) {
        let base = Base::new(Arc::clone(bytes));
        self.on_disk = Some(base.hash);
        self.error = None;
        // A converted text is UTF-8 now; the bytes of a version that came back need not be.
        if std::str::from_utf8(bytes).is_ok() {
            self.read_only = None;
        }
        // Keys may have come in while the file was being written: they stay a draft.
        if self.draft.as_ref().is_some_and(|draft| draft.hash == base.hash) {
            self.draft = None;
        }
        self.base = Some(base);
    }
}

fn hash(bytes: &[u8]) -> ContentHash {
    ContentHash(*blake3::hash(bytes).as_bytes())
}

fn why_read_only(file: &FileRef, source: &SourceFile) -> Option<Problem> {
    if file.root == RootId::App {
        return Some(Problem::unusable(FileProblem::AppFile, text!("document-app-file")));
    }
    if let Some(offset) = source.decoded().first_bad_offset() {
        return Some(Problem::unusable(FileProblem::NotUtf8, text!("document-not-utf8", offset)));
    }
    (source.bytes.len() > LARGEST).then(|| Problem::unusable(FileProblem::TooLarge, text!("document-too-large")))
}
