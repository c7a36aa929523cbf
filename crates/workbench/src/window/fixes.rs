//! Repairs of findings, and conversion to UTF-8. A text is never changed here: the window makes the changes in its
//! editor, so that they can be undone. Only `rename` touches the disk, and it can be undone too.

use std::path::Path;
use std::sync::Arc;

use history::Reason;
use jiff::Timestamp;
use model::{Finding, Severity, Snapshot, Text, text};
use workspace::save::{RelativePath, Root, SaveOptions, rename as rename_file};
use workspace::{encoding, lint};

use crate::Session;
use crate::api::{
    ApiError, ConvertRequest, DecodingView, DecodingsView, DocumentView, ErrorCode, FileRef, FixRequest, FixView,
    Framed, RenamedView, RootId,
};
use crate::session::{LARGEST, Mapping, lock};
use crate::text_edit;
use crate::window::{documents, preview};

/// The repair of a finding: changes for the window to make, or a file that was renamed.
///
/// # Errors
/// [`ErrorCode::Stale`] when the finding is about another text, [`ErrorCode::Invalid`] when there is nothing to repair
/// or the file cannot be changed here.
pub fn fix(session: &Session, request: FixRequest) -> Result<FixView, ApiError> {
    if request.action == "rename" {
        return rename(session, &request);
    }
    let (overlay, text, path) = session.with_open(|open| {
        let disk = open.disk.clone();
        let document = open.documents.open(&request.file, &disk)?;
        if document.version != request.version {
            return Err(stale());
        }
        if let Some(problem) = document.read_only.as_ref().filter(|_| !document.is_draft()) {
            return Err(ApiError::new(ErrorCode::Invalid, problem.reason.clone()).with("path", &document.path));
        }
        let (text, path) = (document.text.clone(), document.path.clone());
        Ok((open.overlay(), text, path))
    })?;
    let found = lint::lint(&overlay, session.target_for(&overlay.places))
        .into_iter()
        .find(|finding| is_meant(finding, &request, &path));
    // The memory's likeness to its template is found by the assembly, which is not made again for a button.
    let of_assembly =
        || (request.finding == OTHER_LINE_ENDS && request.action == "use-lf").then(|| of_line_ends(&path));
    let finding = found.or_else(of_assembly).ok_or_else(stale)?;
    let edits = lint::repair(&text, &finding, &request.action).ok_or_else(nothing_to_do)?;
    Ok(FixView { version: request.version, changes: text_edit::changes(&text, &edits), renamed: None })
}

const OTHER_LINE_ENDS: &str = "default-other-line-ends";

fn of_line_ends(path: &str) -> Finding {
    Finding::new(OTHER_LINE_ENDS, Severity::Warning, text!("default-other-line-ends")).at(path)
}

fn is_meant(finding: &Finding, request: &FixRequest, path: &str) -> bool {
    finding.id == request.finding
        && finding.path.as_deref() == Some(path)
        && finding.range.map(|range| range.start) == request.start
        && finding.fixes.iter().any(|fix| fix.id == request.action)
}

fn stale() -> ApiError {
    ApiError::new(ErrorCode::Stale, text!("error-finding-changed"))
}

fn nothing_to_do() -> ApiError {
    ApiError::new(ErrorCode::Invalid, text!("error-nothing-to-repair"))
}

fn rename(session: &Session, request: &FixRequest) -> Result<FixView, ApiError> {
    let disk = session.with_open(|open| Ok(open.disk.clone()))?;
    let mapping = Mapping::of(&disk);
    let offered = disk.findings.iter().any(|finding| {
        finding.id == request.finding
            && finding.path.as_deref().and_then(|path| mapping.file(path)).as_ref() == Some(&request.file)
            && finding.fixes.iter().any(|fix| fix.id == request.action)
    });
    let to = offered.then(|| read_name(session, &disk, &request.file)).flatten().ok_or_else(stale)?;
    let renamed = RenamedView { from: request.file.clone(), to: FileRef { root: request.file.root, path: to } };
    carry_out(session, &renamed)?;
    session.with_open(|open| {
        open.renamed.push(renamed.clone());
        Ok(())
    })?;
    Ok(FixView { version: 0, changes: Vec::new(), renamed: Some(renamed) })
}

/// The name that is read instead of a near one, relative to the root.
fn read_name(session: &Session, disk: &Snapshot, file: &FileRef) -> Option<String> {
    let folder = match file.root {
        RootId::Workspace => &disk.workspace,
        RootId::Global => &disk.global,
        RootId::App => return None,
    };
    let ignored = folder.ignored.iter().find(|ignored| ignored.relative == file.path);
    let beside = || {
        let (parent, _) = file.path.rsplit_once('/')?;
        let skill = parent.strip_prefix(&session.target.skills)?.starts_with('/');
        skill.then(|| format!("{parent}/{}", session.target.skill_file))
    };
    ignored.map_or_else(beside, |ignored| ignored.near.clone())
}

/// Gives a file back the name that a repair took from it.
///
/// # Errors
/// [`ErrorCode::Invalid`] when this window did not rename it, or when the old name is taken.
pub fn undo_rename(session: &Session, request: RenamedView) -> Result<FixView, ApiError> {
    let known = session.with_open(|open| Ok(open.renamed.contains(&request)))?;
    if !known {
        return Err(ApiError::new(ErrorCode::Invalid, text!("error-not-renamed")));
    }
    let back = RenamedView { from: request.to.clone(), to: request.from.clone() };
    carry_out(session, &back)?;
    session.with_open(|open| {
        open.renamed.retain(|renamed| *renamed != request);
        Ok(())
    })?;
    Ok(FixView { version: 0, changes: Vec::new(), renamed: Some(back) })
}

fn carry_out(session: &Session, renamed: &RenamedView) -> Result<(), ApiError> {
    let path = |text: &str| {
        RelativePath::parse(text).map_err(|error| ApiError::english(ErrorCode::Invalid, error.to_string()))
    };
    let (from, to) = (path(&renamed.from.path)?, path(&renamed.to.path)?);
    let (folder, registered, reader) = session.with_open(|open| {
        let mapping = Mapping::of(&open.disk);
        let folder = mapping.root(renamed.from.root).filter(|_| !open.sample && renamed.from.root != RootId::App);
        let folder = folder.ok_or_else(|| ApiError::new(ErrorCode::Invalid, text!("error-no-renaming")))?;
        let registered = [&open.disk.workspace.path, &open.disk.global.path].map(|path| Path::new(path).to_owned());
        Ok((folder.to_owned(), registered.to_vec(), open.reader.clone()))
    })?;
    let root = Root::new(format!("{:?}", renamed.from.root), folder);
    let options = SaveOptions { registered, ..SaveOptions::default() };
    let outcome = rename_file(&root, &from, &to, &options);
    // Also after a failure: the disk is not as it was believed to be.
    let reading = reader.map(|reader| lock(&reader).read());
    if let Some(reading) = reading {
        session.with_open(|open| {
            open.take_reading(&reading);
            open.revision += 1;
            Ok(())
        })?;
    }
    outcome.map_err(|error| ApiError::new(ErrorCode::Failed, error.text()).with("path", &renamed.from.path))?;
    preview::record_now(session, Reason::Save);
    Ok(())
}

/// A file that is not UTF-8 in the encodings it may be in, to choose from.
///
/// # Errors
/// [`ErrorCode::Invalid`] when the file is UTF-8, too large or the app's.
pub fn decodings(session: &Session, file: FileRef) -> Result<DecodingsView, ApiError> {
    let bytes = bytes_to_convert(session, &file)?;
    let first_bad = model::Decoded::new(&bytes).first_bad_offset().unwrap_or_default();
    let decodings = encoding::readings(&bytes)
        .into_iter()
        .map(|reading| DecodingView {
            encoding: reading.encoding.to_owned(),
            excerpt: excerpt(&reading.text),
            bad: u32::try_from(reading.bad).unwrap_or(u32::MAX),
        })
        .collect();
    Ok(DecodingsView { file, first_bad: u32::try_from(first_bad).unwrap_or(u32::MAX), decodings })
}

/// The lines by which a person can tell whether a reading is right: from the first that is more than ASCII.
fn excerpt(text: &str) -> String {
    const LINES: usize = 4;
    const LONGEST: usize = 400;
    let told = text.lines().position(|line| !line.is_ascii()).unwrap_or_default();
    let lines: Vec<&str> = text.lines().skip(told).take(LINES).collect();
    lines.join("\n").chars().take(LONGEST).collect()
}

/// Makes the text of a file, read in an encoding, its draft: saving writes it as UTF-8, and only when the disk still
/// holds the bytes that were read.
///
/// # Errors
/// As [`decodings`]; when the encoding is none, or has no character for some of the bytes.
pub fn convert(session: &Session, request: ConvertRequest) -> Result<Framed<DocumentView>, ApiError> {
    let bytes = bytes_to_convert(session, &request.file)?;
    let reading = encoding::read(&bytes, &request.encoding)
        .ok_or_else(|| ApiError::new(ErrorCode::Invalid, text!("error-no-encoding", name = &request.encoding)))?;
    if reading.bad > 0 {
        let message = text!("error-lossy-encoding", encoding = reading.encoding, count = reading.bad);
        return Err(ApiError::new(ErrorCode::Invalid, message).with("encoding", reading.encoding));
    }
    session.with_open(|open| {
        let disk = open.disk.clone();
        open.documents.convert(&request.file, &reading.text, &disk, Timestamp::now())?;
        open.revision += 1;
        session.keep_draft(open, &request.file);
        Ok(())
    })?;
    documents::document(session, request.file)
}

fn bytes_to_convert(session: &Session, file: &FileRef) -> Result<Arc<[u8]>, ApiError> {
    let refused = |message: Text| ApiError::new(ErrorCode::Invalid, message).with("path", &file.path);
    session.with_open(|open| {
        let disk = open.disk.clone();
        if file.root == RootId::App {
            return Err(refused(text!("error-app-file")));
        }
        if open.documents.open(file, &disk)?.is_draft() {
            return Err(refused(text!("error-unsaved")));
        }
        let entry = Mapping::of(&disk).entry(&disk, file).and_then(|entry| entry.source().cloned());
        let source = entry.ok_or_else(|| refused(text!("error-nothing-to-convert")))?;
        if source.decoded().replaced.is_empty() {
            return Err(refused(text!("error-utf8-already")));
        }
        if source.bytes.len() > LARGEST {
            return Err(refused(text!("error-too-large-to-convert")));
        }
        Ok(Arc::clone(&source.bytes))
    })
}
