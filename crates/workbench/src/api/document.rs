//! One open file: its text, its unsaved edits, its state.

use model::Text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::error::ApiError;
use super::preview::{FindingView, PreviewHead, PreviewRequest};
use super::workspace::RootId;

/// A file by root and relative path. No other way of naming a file crosses the wire.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize, JsonSchema, TS)]
pub struct FileRef {
    /// The root.
    pub root: RootId,
    /// Path relative to it, with `/`.
    pub path: String,
}

/// The one state of a file that is always visible.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FileState {
    /// As on disk.
    Saved,
    /// Has unsaved edits.
    Draft,
    /// Has unsaved edits, and changed on disk meanwhile.
    Conflict,
    /// Cannot be edited here.
    ReadOnly,
    /// Cannot be read or written; the reason stands beside it.
    Error,
    /// Not there yet; typing begins it.
    Missing,
}

/// What is wrong with a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FileProblem {
    /// The system does not let it be read.
    Unreadable,
    /// A folder, a pipe or a device stands there.
    NotAFile,
    /// A link that leads nowhere.
    BrokenLink,
    /// It belongs to the app.
    AppFile,
    /// Its bytes are not UTF-8.
    NotUtf8,
    /// It is larger than what is edited here.
    TooLarge,
    /// No room on the disk.
    DiskFull,
    /// The file, its folder or the disk takes no changes.
    NoPermission,
    /// The folder that was opened is gone.
    FolderGone,
    /// A link leads out of the opened folders, and nobody agreed to that.
    Outside,
    /// The file has several names, and nobody agreed to write it in place.
    HardLinked,
    /// Another program is saving beside it.
    Busy,
    /// The state before the save could not be kept, so that nothing was written.
    VersionNotKept,
    /// Anything else; the reason says it.
    SaveFailed,
}

/// What is wrong with a file, and whether that is a save that failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, TS)]
pub struct ProblemView {
    /// What it is.
    pub kind: FileProblem,
    /// True when a save failed: the text is kept. False when the file cannot be edited here.
    pub saving: bool,
}

/// How many line ends of each kind a text has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, TS)]
pub struct LineEndsView {
    /// LF.
    pub lf: u32,
    /// CR LF.
    pub crlf: u32,
    /// CR alone.
    pub cr: u32,
}

/// An open file. Its text is the body of the frame.
#[derive(Clone, Debug, Serialize, TS)]
pub struct DocumentView {
    /// The file.
    pub file: FileRef,
    /// Absolute path, to show.
    pub absolute: String,
    /// Its state.
    pub state: FileState,
    /// Why, and what to do, for `conflict`, `read_only` and `error`.
    #[ts(type = "string | null")]
    pub reason: Option<Text>,
    /// What is wrong, in the states `read_only` and `error`.
    pub problem: Option<ProblemView>,
    /// True when another window that is open has unsaved edits of this file, too.
    pub elsewhere: bool,
    /// Version of the text; edits name the version they start from.
    pub version: u32,
    /// Size in bytes on disk.
    #[ts(type = "number")]
    pub size: u64,
    /// True when the bytes begin with a BOM.
    pub bom: bool,
    /// Its line ends.
    pub line_ends: LineEndsView,
    /// `utf-8`, or the encoding that was detected.
    pub encoding: String,
    /// Findings about the file.
    pub findings: Vec<FindingView>,
    /// What a conflict is between.
    pub conflict: Option<ConflictView>,
}

/// The other side of a conflict.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ConflictView {
    /// The text on disk now; `None` when the file is gone.
    pub theirs: Option<String>,
    /// When it changed, RFC 3339.
    pub changed_at: Option<String>,
}

/// One replacement. Offsets are UTF-16 units of the text before any change of the same request; changes are in
/// order and do not overlap (a CodeMirror change set).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
pub struct TextChange {
    /// First unit.
    pub from: u32,
    /// One past the last unit.
    pub to: u32,
    /// What stands there afterwards.
    pub insert: String,
}

/// A batch of keystrokes.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct EditRequest {
    /// The file.
    pub file: FileRef,
    /// Version of the text the changes start from.
    pub version: u32,
    /// The changes.
    pub changes: Vec<TextChange>,
}

/// Keystrokes, and the preview that they are made for: one trip to the shell and back, because a trip takes longer
/// than the work.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct TypedRequest {
    /// The keystrokes.
    #[serde(flatten)]
    pub edit: EditRequest,
    /// What to assemble afterwards; `None`: nothing.
    pub preview: Option<PreviewRequest>,
}

/// What became of keystrokes. The texts of the preview's fresh sections are the body.
#[derive(Clone, Debug, Serialize, TS)]
pub struct TypedView {
    /// The edit.
    #[serde(flatten)]
    pub edit: EditResult,
    /// The preview; `None`: none was asked for, or it could not be made.
    pub preview: Option<PreviewHead>,
    /// Why there is no preview. The edit is kept all the same.
    pub preview_error: Option<ApiError>,
}

/// What became of an edit.
#[derive(Clone, Debug, Serialize, TS)]
pub struct EditResult {
    /// Version of the text now.
    pub version: u32,
    /// State of the file now.
    pub state: FileState,
    /// Revision of the workspace now.
    pub revision: u32,
}

/// What became of a save.
#[derive(Clone, Debug, Serialize, TS)]
pub struct SaveResult {
    /// Version of the text.
    pub version: u32,
    /// State of the file now: `saved`, or `conflict` when it changed outside.
    pub state: FileState,
    /// Why, and what to do, when it is not `saved`.
    #[ts(type = "string | null")]
    pub reason: Option<Text>,
    /// What went wrong, in the state `error`.
    pub problem: Option<ProblemView>,
    /// Revision of the workspace now.
    pub revision: u32,
}

/// A save with what the person agreed to.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct SaveAgreed {
    /// The file.
    pub file: FileRef,
    /// To save though the state before cannot be kept.
    pub without_version: bool,
    /// To write a file with several names in place, which is not safe against a power cut.
    pub in_place: bool,
    /// To write where a link leads out of the opened folders.
    pub outside: bool,
}

/// What stands on disk, whatever is being edited. Its text is the body of the frame; empty when it is no text.
#[derive(Clone, Debug, Serialize, TS)]
pub struct DiskView {
    /// True when a file stands there.
    pub exists: bool,
    /// True when it is UTF-8 and small enough to be shown.
    pub text: bool,
}
