//! Merging a draft with what somebody else wrote to disk.
//!
//! Nothing is decided here: the window shows the pieces, makes one edit of the person's choices, and says so.

use std::ops::Range;

use model::{ContentHash, Entry};
use workspace::merge::{Hunk, HunkKind, merge as cut, word_marks};

use crate::Session;
use crate::api::{
    ApiError, DocumentView, ErrorCode, FileRef, Framed, HunkKindView, HunkView, MergeProblem, MergeView, MergedRequest,
    RangeView,
};
use crate::session::{LARGEST, entry};
use crate::window::documents;

/// The draft of a file and what stands on disk, in pieces.
///
/// # Errors
/// [`ErrorCode::NotFound`] when the file is not open here.
pub fn merge(session: &Session, file: FileRef) -> Result<MergeView, ApiError> {
    let (document, disk) = session.with_open(|open| {
        let disk = open.disk.clone();
        Ok((open.documents.open(&file, &disk)?.clone(), disk))
    })?;
    let source = entry(&disk, &file).ok().and_then(Entry::source);
    let problem = match source {
        None => Some(MergeProblem::Gone),
        Some(source) if source.bytes.len() > LARGEST => Some(MergeProblem::TooLarge),
        Some(source) if source.decoded().first_bad_offset().is_some() => Some(MergeProblem::NotUtf8),
        Some(_) => None,
    };
    // A draft begins from a text; other bytes in its base are those of a damaged row, and worth nothing.
    let base = document.base.as_ref().and_then(|base| std::str::from_utf8(&base.bytes).ok());
    let hunks = match (problem, source) {
        (None, Some(source)) => {
            let (base, mine, theirs) = (base.unwrap_or_default(), &*document.text, &**source.text());
            cut(base, mine, theirs).iter().map(|hunk| hunk_view(hunk, base, mine, theirs)).collect()
        }
        _ => Vec::new(),
    };
    Ok(MergeView {
        version: document.version,
        disk: source.map(|source| source.hash.to_string()),
        problem,
        base_known: base.is_some(),
        hunks,
        file,
    })
}

/// The draft is an edit of what stands on disk from now on, provided that this is what it was merged with.
///
/// # Errors
/// [`ErrorCode::Conflict`] when the file changed again: the draft stays as it is, and is to be merged anew.
/// [`ErrorCode::Failed`] when what stands on disk cannot be kept as a version.
pub fn merged(session: &Session, request: MergedRequest) -> Result<Framed<DocumentView>, ApiError> {
    let seen = match &request.disk {
        None => None,
        Some(text) => Some(
            ContentHash::from_hex(text)
                .ok_or_else(|| ApiError::english(ErrorCode::Invalid, "The hash of the text on disk is none."))?,
        ),
    };
    documents::stand_on_disk(session, &request.file, Some(seen))
}

fn hunk_view(hunk: &Hunk, base: &str, mine: &str, theirs: &str) -> HunkView {
    let [base, mine, theirs] =
        [(base, &hunk.base), (mine, &hunk.mine), (theirs, &hunk.theirs)].map(|(text, range)| &text[range.clone()]);
    let (kind, marked) = match hunk.kind {
        HunkKind::Same => (HunkKindView::Same, false),
        HunkKind::Mine => (HunkKindView::Mine, false),
        HunkKind::Theirs => (HunkKindView::Theirs, false),
        HunkKind::Both => (HunkKindView::Both, false),
        HunkKind::Conflict => (HunkKindView::Conflict, true),
    };
    let (mine_marks, theirs_marks) = if marked { word_marks(mine, theirs) } else { Default::default() };
    let same = kind == HunkKindView::Same;
    let text = |text: &str| if same { String::new() } else { text.to_owned() };
    HunkView {
        kind,
        base: text(base),
        mine: mine.to_owned(),
        theirs: text(theirs),
        mine_marks: units(mine, &mine_marks),
        theirs_marks: units(theirs, &theirs_marks),
    }
}

/// Ranges of bytes, in order, as ranges of UTF-16 units.
fn units(text: &str, ranges: &[Range<usize>]) -> Vec<RangeView> {
    let (mut byte, mut unit) = (0, 0);
    let mut to = |target: usize| {
        unit += text[byte..target].encode_utf16().count() as u32;
        byte = target;
        unit
    };
    ranges.iter().map(|range| RangeView { start: to(range.start), end: to(range.end) }).collect()
}
