//! Repairs of findings, and files that are to become UTF-8.

use model::Text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::document::{FileRef, TextChange};

/// A safe repair of a finding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema, TS)]
pub struct FixActionView {
    /// Stable name, for example `strip-bom`. `rename` renames a file and is asked about first; `convert-to-utf8` begins
    /// with a choice of encodings; every other one is a change of the text.
    pub id: String,
    /// What it does.
    #[schemars(with = "String")]
    #[ts(type = "string")]
    pub label: Text,
}

/// Which repair of which finding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
pub struct FixRequest {
    /// The file the finding is about.
    pub file: FileRef,
    /// Version of the text that the window shows; it does not matter for `rename`.
    pub version: u32,
    /// Id of the finding.
    pub finding: String,
    /// First byte of the finding's range, when it has one.
    pub start: Option<u32>,
    /// Id of the repair.
    pub action: String,
}

/// What a repair does. A change of the text was not made yet: the window makes it in its editor, as one step that can
/// be undone. A file was renamed already.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct FixView {
    /// Version of the text that the changes apply to.
    pub version: u32,
    /// The changes, in order.
    pub changes: Vec<TextChange>,
    /// What was renamed.
    pub renamed: Option<RenamedView>,
}

/// A file that got another name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
pub struct RenamedView {
    /// Its name before.
    pub from: FileRef,
    /// Its name now.
    pub to: FileRef,
}

/// A file that is not UTF-8, read in the encodings it may be in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct DecodingsView {
    /// The file.
    pub file: FileRef,
    /// Offset of the first byte that is not UTF-8.
    pub first_bad: u32,
    /// The readings, the likeliest first.
    pub decodings: Vec<DecodingView>,
}

/// A reading in one encoding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct DecodingView {
    /// Its name in the WHATWG standard.
    pub encoding: String,
    /// The first lines that are more than ASCII, with what is around them.
    pub excerpt: String,
    /// How many places the encoding has no character for.
    pub bad: u32,
}

/// A file and the encoding in which a person could read it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
pub struct ConvertRequest {
    /// The file.
    pub file: FileRef,
    /// Name of the encoding.
    pub encoding: String,
}
