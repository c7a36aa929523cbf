//! The states that a file had.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::document::FileRef;

/// A page of a file's versions.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct VersionsRequest {
    /// The file.
    pub file: FileRef,
    /// Only versions older than this one.
    pub before: Option<u32>,
}

/// What a version was.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum VersionKindView {
    /// What stood on disk before a save or a decision replaced it.
    Found,
    /// What a save wrote.
    Saved,
    /// Unsaved edits that were thrown away.
    Draft,
}

/// One version in the list.
#[derive(Clone, Debug, Serialize, TS)]
pub struct VersionView {
    /// Its number.
    pub id: u32,
    /// When it was kept, RFC 3339.
    pub time: String,
    /// What it was.
    pub kind: VersionKindView,
    /// Its size in bytes.
    #[ts(type = "number")]
    pub bytes: u64,
    /// Bytes more, or fewer, than the version before it; `None`: there is none.
    pub change: Option<i32>,
    /// True when the file on disk has these bytes now.
    pub current: bool,
}

/// A page of versions, newest first.
#[derive(Clone, Debug, Serialize, TS)]
pub struct VersionList {
    /// False when the history is off: no versions are kept then.
    pub kept: bool,
    /// The versions.
    pub versions: Vec<VersionView>,
    /// True when there are older ones.
    pub more: bool,
}

/// One version of a file.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct VersionRequest {
    /// The file.
    pub file: FileRef,
    /// Its number.
    pub id: u32,
}

/// A version. Its text is the body of the frame; empty when it is no text.
#[derive(Clone, Debug, Serialize, TS)]
pub struct VersionHead {
    /// Its number.
    pub id: u32,
    /// When it was kept, RFC 3339.
    pub time: String,
    /// Its size in bytes.
    #[ts(type = "number")]
    pub bytes: u64,
    /// True when it is UTF-8 and small enough to be edited: it is then restored as an edit. Else its bytes are.
    pub text: bool,
}

/// Names a draft that no workspace brings back.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct LostDraftName {
    /// The folder that was open.
    pub folder: String,
    /// The file, relative to it.
    pub path: String,
    /// The window that typed it.
    pub writer: String,
}

/// A draft that no workspace brings back.
#[derive(Clone, Debug, Serialize, TS)]
pub struct LostDraft {
    /// Its name.
    pub name: LostDraftName,
    /// Moment of the last key, RFC 3339.
    pub time: String,
    /// Bytes of its text.
    #[ts(type = "number")]
    pub bytes: u64,
    /// True when the folder is there, though no list leads to it.
    pub exists: bool,
}

/// All of them, the newest first.
#[derive(Clone, Debug, Serialize, TS)]
pub struct LostDrafts {
    /// The drafts.
    pub drafts: Vec<LostDraft>,
}

/// One of them. Its text is the body of the frame.
#[derive(Clone, Debug, Serialize, TS)]
pub struct LostDraftHead {
    /// What is known of it.
    pub draft: LostDraft,
    /// Why there is no text; `None` when there is.
    pub damage: Option<String>,
}
