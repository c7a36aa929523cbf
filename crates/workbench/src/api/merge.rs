//! Three texts in pieces: what both began from, mine, and what somebody else wrote to disk.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::document::FileRef;
use super::preview::RangeView;

/// Why two texts cannot be merged; one of them can still be kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum MergeProblem {
    /// The file is not on disk any more.
    Gone,
    /// What stands on disk is not UTF-8.
    NotUtf8,
    /// What stands on disk is larger than what is edited here.
    TooLarge,
}

/// Who changed a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum HunkKindView {
    /// Nobody: only `mine` is filled.
    Same,
    /// Only this side.
    Mine,
    /// Only what stands on disk.
    Theirs,
    /// Both, in the same way.
    Both,
    /// Both, differently.
    Conflict,
}

/// One piece of the three texts. Put together in order, the pieces of a side are its text, byte for byte.
#[derive(Clone, Debug, Serialize, TS)]
pub struct HunkView {
    /// Who changed it.
    pub kind: HunkKindView,
    /// The text that both began from.
    pub base: String,
    /// This side.
    pub mine: String,
    /// The disk.
    pub theirs: String,
    /// In a conflict: words of `mine` that are not in `theirs`, in UTF-16 units.
    pub mine_marks: Vec<RangeView>,
    /// In a conflict: words of `theirs` that are not in `mine`, in UTF-16 units.
    pub theirs_marks: Vec<RangeView>,
}

/// A draft and the disk, to be merged.
#[derive(Clone, Debug, Serialize, TS)]
pub struct MergeView {
    /// The file.
    pub file: FileRef,
    /// Version of the text that was merged.
    pub version: u32,
    /// Hash of what stands on disk; `None`: nothing.
    pub disk: Option<String>,
    /// Why the two cannot be merged; there are no hunks then.
    pub problem: Option<MergeProblem>,
    /// False when what both began from is not known: everything that differs is then a conflict.
    pub base_known: bool,
    /// The pieces.
    pub hunks: Vec<HunkView>,
}

/// The text was merged, by an edit, with what stood on disk.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct MergedRequest {
    /// The file.
    pub file: FileRef,
    /// Hash of what stood on disk.
    pub disk: Option<String>,
}
