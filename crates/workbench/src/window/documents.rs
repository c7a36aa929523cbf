//! Open files: reading, editing, saving, conflicts.
//!
//! What is replaced or thrown away is kept as a version first, so that no decision is the last one.

use std::path::Path;
use std::sync::Arc;

use history::{Reason, VersionKind};
use jiff::Timestamp;
use model::{ContentHash, Entry, LineEnds, Snapshot, Target, text};
use workspace::save::{
    Expected, HardLinks, Outside, RelativePath, Root, SaveError, SaveOptions, Saved, save as write_file,
};
use workspace::{encoding, lint};

use crate::Session;
use crate::api::{
    ApiError, ConflictView, DiskView, DocumentView, EditRequest, EditResult, ErrorCode, FileProblem, FileRef,
    FileState, Framed, LineEndsView, SaveAgreed, SaveResult,
};
use crate::session::{Document, LARGEST, Mapping, Open, Problem, entry, finding_view, key_of, lock};
use crate::window::{preview, versions};

/// Opens a file; its text is the body.
///
/// # Errors
/// [`ErrorCode::NotFound`] when the target looks for no file of this name.
pub fn document(session: &Session, file: FileRef) -> Result<Framed<DocumentView>, ApiError> {
    let shown = session.with_open(|open| {
        let disk = open.disk.clone();
        open.documents.open(&file, &disk)?;
        Shown::of(open, &file)
    })?;
    Ok(shown.view(session, &file))
}

/// What stands on disk, whatever is being edited: the body, when it is text.
///
/// # Errors
/// [`ErrorCode::NotFound`] when no workspace is open.
pub fn disk(session: &Session, file: FileRef) -> Result<Framed<DiskView>, ApiError> {
    let disk = session.with_open(|open| Ok(open.disk.clone()))?;
    let source = entry(&disk, &file).ok().and_then(Entry::source);
    let text = source.filter(|source| source.decoded().first_bad_offset().is_none() && source.bytes.len() <= LARGEST);
    let head = DiskView { exists: source.is_some(), text: text.is_some() };
    Ok(Framed { head, body: text.map(|source| source.bytes.to_vec()).unwrap_or_default() })
}

/// Adds keystrokes to a file's draft.
///
/// # Errors
/// [`ErrorCode::Stale`] when the edit was made on another text; [`ErrorCode::Invalid`] when it cannot be edited here.
pub fn edit(session: &Session, request: EditRequest) -> Result<EditResult, ApiError> {
    session.with_open(|open| {
        let disk = open.disk.clone();
        let document =
            open.documents.edit(&request.file, request.version, &request.changes, &disk, Timestamp::now())?;
        let (version, state) = (document.version, document.state());
        open.revision += 1;
        session.keep_draft(open, &request.file);
        Ok(EditResult { version, state, revision: open.revision })
    })
}

/// Throws a draft away: the file is as on disk. The draft becomes a version first.
///
/// # Errors
/// As [`document`]; [`ErrorCode::Failed`] when the draft cannot be kept as a version: it is then left as it is.
pub fn take_disk(session: &Session, file: FileRef) -> Result<Framed<DocumentView>, ApiError> {
    let kept = session.with_open(|open| {
        let text =
            open.documents.get(&file).filter(|document| document.is_draft()).map(|document| document.text.clone());
        Ok(text.filter(|_| !open.sample).zip(key_of(&open.disk, &file)))
    })?;
    if let Some((text, key)) = &kept {
        versions::keep(session, key, text.as_bytes(), VersionKind::Draft).map_err(|error| {
            let message = format!("Your draft is still here: it could not be kept as a version first. {error}");
            ApiError::english(ErrorCode::Failed, message).with("path", &file.path)
        })?;
    }
    let shown = session.with_open(|open| {
        let disk = open.disk.clone();
        let draft = open.documents.get(&file).filter(|document| document.is_draft()).map(|document| &document.text);
        if draft.is_some() && draft != kept.as_ref().map(|(text, _)| text) && !open.sample {
            return Err(stale());
        }
        open.documents.take_disk(&file, &disk)?;
        open.revision += 1;
        session.keep_draft(open, &file);
        Shown::of(open, &file)
    })?;
    Ok(shown.view(session, &file))
}

fn stale() -> ApiError {
    ApiError::new(ErrorCode::Stale, text!("error-file-changed"))
}

/// Keeps a draft in a conflict: the next save replaces what is on disk now. That becomes a version first.
///
/// # Errors
/// As [`document`]; [`ErrorCode::Failed`] when what stands on disk cannot be kept as a version.
pub fn keep_mine(session: &Session, file: FileRef) -> Result<Framed<DocumentView>, ApiError> {
    stand_on_disk(session, &file, None)
}

/// Counts the draft as an edit of what stands on disk, which becomes a version. With `seen`, only when that is still
/// there.
///
/// # Errors
/// [`ErrorCode::Conflict`] when something else than `seen` stands there; and as [`keep_mine`].
#[allow(clippy::option_option, reason = "whether it was seen, and whether a file stood there, are two questions")]
pub(crate) fn stand_on_disk(
    session: &Session,
    file: &FileRef,
    seen: Option<Option<ContentHash>>,
) -> Result<Framed<DocumentView>, ApiError> {
    let theirs = session.with_open(|open| {
        let source = entry(&open.disk, file).ok().and_then(Entry::source);
        let bytes = source.map(|source| Arc::clone(&source.bytes)).filter(|_| !open.sample);
        Ok(bytes.zip(key_of(&open.disk, file)))
    })?;
    if let Some((bytes, key)) = theirs {
        versions::keep(session, &key, &bytes, VersionKind::Found).map_err(|error| {
            ApiError::new(ErrorCode::Failed, text!("error-version-not-kept", cause = error.message))
                .with("path", &file.path)
        })?;
    }
    let shown = session.with_open(|open| {
        let disk = open.disk.clone();
        let now = entry(&disk, file).ok().and_then(Entry::source).map(|source| source.hash);
        if seen.is_some_and(|seen| seen != now) {
            let message = text!("error-changed-again", path = &file.path);
            return Err(ApiError::new(ErrorCode::Conflict, message).with("path", &file.path));
        }
        open.documents.keep_mine(file, &disk)?;
        open.revision += 1;
        session.keep_draft(open, file);
        Shown::of(open, file)
    })?;
    Ok(shown.view(session, file))
}

/// Writes a draft to disk, unless the file changed there meanwhile. What stood there before becomes a version first.
///
/// # Errors
/// [`ErrorCode::Invalid`] for the sample and for files that cannot be edited here. A save that fails is no error
/// of the command: its reply says what happened and what was kept.
pub fn save(session: &Session, file: FileRef) -> Result<SaveResult, ApiError> {
    save_agreed(session, SaveAgreed { file, without_version: false, in_place: false, outside: false })
}

/// [`save`], though something speaks against it that the person agreed to.
///
/// # Errors
/// As [`save`].
pub fn save_agreed(session: &Session, agreed: SaveAgreed) -> Result<SaveResult, ApiError> {
    let file = &agreed.file;
    let job = session.with_open(|open| Job::of(open, file))?;
    run(session, file, &job, &agreed)
}

/// Writes some bytes in the place of a file that has no unsaved edits.
///
/// # Errors
/// As [`save`]; and [`ErrorCode::Invalid`] when it has some.
pub(crate) fn write_bytes(session: &Session, file: &FileRef, bytes: Arc<[u8]>) -> Result<SaveResult, ApiError> {
    let job = session.with_open(|open| {
        if open.documents.get(file).is_some_and(Document::is_draft) {
            let message = text!("error-unsaved-restore");
            return Err(ApiError::new(ErrorCode::Invalid, message).with("path", &file.path));
        }
        Ok(Job { bytes, ..Job::of(open, file)? })
    })?;
    let agreed = SaveAgreed { file: file.clone(), without_version: false, in_place: false, outside: false };
    run(session, file, &job, &agreed)
}

fn run(session: &Session, file: &FileRef, job: &Job, agreed: &SaveAgreed) -> Result<SaveResult, ApiError> {
    let kept = match &job.before {
        Some(before) if !agreed.without_version => {
            versions::keep(session, &job.key, before, VersionKind::Found).map_err(not_kept)
        }
        _ => Ok(()),
    };
    // The disk is touched without the lock: typing goes on meanwhile.
    let (outcome, reading) = match kept {
        Err(problem) => (Err(Some(problem)), None),
        Ok(()) => job.write(agreed),
    };
    if outcome.is_ok()
        && !agreed.without_version
        && let Err(error) = versions::keep(session, &job.key, &job.bytes, VersionKind::Saved)
    {
        // It stands on disk, and becomes a version before the next save replaces it.
        tracing::warn!(%error, "what was saved is no version yet");
    }
    let result = session.with_open(|open| {
        if let Some(reading) = &reading {
            open.take_reading(reading);
        }
        match &outcome {
            Ok(_) => open.documents.saved(file, &job.bytes),
            // A conflict is seen in the hashes.
            Err(None) => {}
            Err(Some(problem)) => open.documents.save_failed(file, problem.clone()),
        }
        open.revision += 1;
        session.keep_draft(open, file);
        let document = open.documents.get(file);
        Ok(SaveResult {
            version: document.map_or(0, |document| document.version),
            state: document.map_or(FileState::Error, Document::state),
            reason: document.and_then(Document::reason),
            problem: document.and_then(Document::problem).map(|problem| problem.view),
            revision: open.revision,
        })
    })?;
    if outcome.is_ok() {
        preview::record_now(session, Reason::Save);
    }
    Ok(result)
}

fn not_kept(error: ApiError) -> Problem {
    let reason = text!("error-save-version-not-kept", cause = error.message);
    Problem::not_saved(FileProblem::VersionNotKept, reason)
}

/// What a save needs to know, taken under the lock.
struct Job {
    root: Root,
    relative: RelativePath,
    key: history::DraftKey,
    bytes: Arc<[u8]>,
    /// What is replaced; `None`: there was no file.
    before: Option<Arc<[u8]>>,
    expected: Expected,
    reader: Option<Arc<std::sync::Mutex<workspace::reader::Reader>>>,
    registered: Vec<std::path::PathBuf>,
}

impl Job {
    fn of(open: &mut Open, file: &FileRef) -> Result<Self, ApiError> {
        if open.sample {
            return Err(ApiError::new(ErrorCode::Invalid, text!("error-sample-save")));
        }
        let disk = open.disk.clone();
        let key = key_of(&disk, file).ok_or_else(|| ApiError::new(ErrorCode::Invalid, text!("error-app-file")))?;
        let document = open.documents.open(file, &disk)?;
        let relative = RelativePath::parse(&file.path)
            .map_err(|error| ApiError::english(ErrorCode::Invalid, error.to_string()))?;
        Ok(Self {
            root: Root::new(format!("{:?}", file.root), &key.folder),
            relative,
            key,
            bytes: Arc::from(document.text.clone()),
            before: document.base.as_ref().map(|base| Arc::clone(&base.bytes)),
            expected: document.base.as_ref().map_or(Expected::Absent, |base| Expected::Hash(base.hash)),
            reader: open.reader.clone(),
            registered: [&disk.workspace.path, &disk.global.path].map(|path| Path::new(path).to_owned()).to_vec(),
        })
    }

    /// Writes. `Err(None)` is a conflict.
    fn write(&self, agreed: &SaveAgreed) -> (Result<Saved, Option<Problem>>, Option<workspace::reader::Reading>) {
        let options = SaveOptions {
            registered: self.registered.clone(),
            hard_links: if agreed.in_place { HardLinks::WriteInPlace } else { HardLinks::Refuse },
            outside: if agreed.outside { Outside::Follow } else { Outside::Refuse },
        };
        let write = || write_file(&self.root, &self.relative, &self.bytes, self.expected, &options).map_err(problem_of);
        let Some(reader) = &self.reader else { return (write(), None) };
        // Announced, written and read under one lock, so that the watcher has nothing to add.
        let mut reader = lock(reader);
        let path = self.root.path.join(self.relative.as_str()).to_string_lossy().into_owned();
        reader.note_saved(path, ContentHash(*blake3::hash(&self.bytes).as_bytes()));
        let outcome = write();
        (outcome, Some(reader.read()))
    }
}

/// `None` for a conflict, which is a state and no problem.
fn problem_of(error: SaveError) -> Option<Problem> {
    let kind = match &error {
        SaveError::Conflict { .. } => return None,
        SaveError::Outside { .. } => FileProblem::Outside,
        SaveError::BrokenLink { .. } => FileProblem::BrokenLink,
        SaveError::HardLinked { .. } => FileProblem::HardLinked,
        SaveError::NotAFile { .. } => FileProblem::NotAFile,
        SaveError::ReadOnly { .. } => FileProblem::NoPermission,
        SaveError::Full { .. } => FileProblem::DiskFull,
        SaveError::FolderGone { .. } => FileProblem::FolderGone,
        SaveError::Busy { .. } => FileProblem::Busy,
        SaveError::Io { .. } => FileProblem::SaveFailed,
    };
    Some(Problem::not_saved(kind, error.text()))
}

/// What a document's view is made from, taken under the lock and looked at outside it.
struct Shown {
    document: Document,
    disk: Arc<Snapshot>,
    overlay: Arc<Snapshot>,
}

impl Shown {
    fn of(open: &Open, file: &FileRef) -> Result<Self, ApiError> {
        let document = open.documents.get(file).cloned().ok_or_else(stale)?;
        Ok(Self { document, disk: open.disk.clone(), overlay: open.overlay() })
    }

    fn view(&self, session: &Session, file: &FileRef) -> Framed<DocumentView> {
        let elsewhere = key_of(&self.disk, file).is_some_and(|key| session.edited_elsewhere(&key));
        view(file, self, elsewhere, session.target_for(&self.overlay.places))
    }
}

fn view(file: &FileRef, shown: &Shown, elsewhere: bool, target: &Target) -> Framed<DocumentView> {
    let Shown { document, disk, overlay } = shown;
    let mapping = Mapping::of(disk);
    let entry = mapping.entry(disk, file);
    let source = entry.and_then(|entry| entry.source());
    let ends = LineEnds::of(document.text.as_bytes());
    let findings = lint::lint(overlay, target);
    let head = DocumentView {
        file: file.clone(),
        absolute: document.path.to_string(),
        state: document.state(),
        reason: document.reason(),
        problem: document.problem().map(|problem| problem.view),
        elsewhere,
        version: document.version,
        size: source.map_or(0, |source| source.bytes.len() as u64),
        bom: document.text.starts_with('\u{FEFF}'),
        line_ends: LineEndsView { lf: ends.lf, crlf: ends.crlf, cr: ends.cr },
        encoding: match source.filter(|source| source.decoded().first_bad_offset().is_some()) {
            None => "utf-8".to_owned(),
            Some(source) => encoding::guess(&source.bytes).name().to_owned(),
        },
        findings: findings
            .iter()
            .filter(|finding| finding.path.as_deref() == Some(&*document.path))
            .map(|finding| finding_view(finding, Some(&mapping)))
            .collect(),
        conflict: (document.state() == FileState::Conflict).then(|| ConflictView {
            theirs: source.map(|source| source.text().to_string()),
            changed_at: entry.and_then(|entry| entry.identity).and_then(|identity| {
                Timestamp::from_nanosecond(i128::from(identity.mtime_ns)).ok().map(|time| time.to_string())
            }),
        }),
    };
    Framed { head, body: document.text.as_bytes().to_vec() }
}
