//! Open files: reading, editing, saving, conflicts.

use std::path::Path;
use std::sync::Arc;

use history::Reason;
use jiff::Timestamp;
use model::{ContentHash, LineEnds, Snapshot, Target};
use workspace::lint;
use workspace::save::{Expected, RelativePath, Root, SaveError, SaveOptions, save as write_file};

use crate::Session;
use crate::api::{
    ApiError, ConflictView, DocumentView, EditRequest, EditResult, ErrorCode, FileRef, FileState, Framed, LineEndsView,
    RootId, SaveResult,
};
use crate::session::{Document, Mapping, finding_view, lock};
use crate::window::preview;

/// Opens a file; its text is the body.
///
/// # Errors
/// [`ErrorCode::NotFound`] when the target looks for no file of this name.
pub fn document(session: &Session, file: FileRef) -> Result<Framed<DocumentView>, ApiError> {
    let shown = session.with_open(|open| {
        let disk = open.disk.clone();
        let document = open.documents.open(&file, &disk)?.clone();
        Ok(Shown { document, overlay: open.overlay(), disk })
    })?;
    Ok(view(&file, &shown, &session.target))
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
        Ok(EditResult { version, state, revision: open.revision })
    })
}

/// Throws a draft away: the file is as on disk.
///
/// # Errors
/// As [`document`].
pub fn take_disk(session: &Session, file: FileRef) -> Result<Framed<DocumentView>, ApiError> {
    let shown = session.with_open(|open| {
        let disk = open.disk.clone();
        let document = open.documents.take_disk(&file, &disk)?.clone();
        open.revision += 1;
        Ok(Shown { document, overlay: open.overlay(), disk })
    })?;
    Ok(view(&file, &shown, &session.target))
}

/// Keeps a draft in a conflict: the next save replaces what is on disk now.
///
/// # Errors
/// As [`document`].
pub fn keep_mine(session: &Session, file: FileRef) -> Result<Framed<DocumentView>, ApiError> {
    let shown = session.with_open(|open| {
        let disk = open.disk.clone();
        let document = open.documents.keep_mine(&file, &disk)?.clone();
        Ok(Shown { document, overlay: open.overlay(), disk })
    })?;
    Ok(view(&file, &shown, &session.target))
}

/// Writes a draft to disk, unless the file changed there meanwhile.
///
/// # Errors
/// [`ErrorCode::Invalid`] for the sample and for files that cannot be edited here. A save that fails is no error
/// of the command: its reply says what happened and what was kept.
pub fn save(session: &Session, file: FileRef) -> Result<SaveResult, ApiError> {
    let (root, relative, text, expected, reader) = session.with_open(|open| {
        if open.sample {
            return Err(ApiError::new(
                ErrorCode::Invalid,
                "The sample lives in memory and is not saved. Open a folder to keep your work.",
            ));
        }
        let disk = open.disk.clone();
        let mapping = Mapping::of(&disk);
        let folder = mapping.root(file.root).filter(|_| file.root != RootId::App);
        let folder = folder
            .ok_or_else(|| ApiError::new(ErrorCode::Invalid, "This file belongs to the app and is not changed here."))?
            .to_owned();
        let document = open.documents.open(&file, &disk)?;
        let relative =
            RelativePath::parse(&file.path).map_err(|error| ApiError::new(ErrorCode::Invalid, error.to_string()))?;
        let expected = document.base.map_or(Expected::Absent, Expected::Hash);
        Ok((
            Root::new(format!("{:?}", file.root), folder),
            relative,
            document.text.clone(),
            expected,
            open.reader.clone(),
        ))
    })?;
    // The disk is touched without the lock: typing goes on meanwhile.
    let registered = session.with_open(|open| {
        Ok([&open.disk.workspace.path, &open.disk.global.path].map(|path| Path::new(path).to_owned()).to_vec())
    })?;
    let options = SaveOptions { registered, ..SaveOptions::default() };
    let path = root.path.join(relative.as_str()).to_string_lossy().into_owned();
    let write = || write_file(&root, &relative, text.as_bytes(), expected, &options);
    let (outcome, reading) = match &reader {
        None => (write(), None),
        // Announced, written and read under one lock, so that the watcher has nothing to add.
        Some(reader) => {
            let mut reader = lock(reader);
            reader.note_saved(path, ContentHash(*blake3::hash(text.as_bytes()).as_bytes()));
            let outcome = write();
            (outcome, Some(reader.read()))
        }
    };
    let failed = outcome.as_ref().err().map(ToString::to_string);
    let result = session.with_open(|open| {
        if let Some(reading) = &reading {
            open.disk = reading.snapshot.clone();
            open.documents.disk_changed(&open.disk.clone(), &reading.changed_files);
        }
        match &outcome {
            Ok(saved) => open.documents.saved(&file, saved.hash),
            Err(SaveError::Conflict { .. }) => {}
            Err(error) => open.documents.save_failed(&file, error.to_string()),
        }
        open.revision += 1;
        let document = open.documents.get(&file);
        Ok(SaveResult {
            version: document.map_or(0, |document| document.version),
            state: document.map_or(FileState::Error, Document::state),
            reason: failed.clone().or_else(|| document.and_then(Document::reason)),
            revision: open.revision,
        })
    })?;
    if outcome.is_ok() {
        preview::record_now(session, Reason::Save);
    }
    Ok(result)
}

/// What a document's view is made from, taken under the lock and looked at outside it.
struct Shown {
    document: Document,
    disk: Arc<Snapshot>,
    overlay: Arc<Snapshot>,
}

fn view(file: &FileRef, shown: &Shown, target: &Target) -> Framed<DocumentView> {
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
        version: document.version,
        size: source.map_or(0, |source| source.bytes.len() as u64),
        bom: document.text.starts_with('\u{FEFF}'),
        line_ends: LineEndsView { lf: ends.lf, crlf: ends.crlf, cr: ends.cr },
        encoding: match source.and_then(|source| source.decoded().first_bad_offset()) {
            None => "utf-8".to_owned(),
            Some(_) => "not utf-8".to_owned(),
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
