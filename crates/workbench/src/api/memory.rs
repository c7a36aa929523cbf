//! The agent's memory on the wire, and in `cbw memory`: the files in their layers, what stands in them, and what the
//! agent would append for a summary.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::document::FileRef;
use super::preview::{CountView, FindingView, RangeView};

/// A model's summary of a conversation, to see what the agent would do with it.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
pub struct MemorySplitRequest {
    /// The answer as the model gave it. The agent hands it on trimmed, and so does this command.
    pub summary: String,
    /// The name in the headings; `Dream` when absent.
    pub label: Option<String>,
}

/// What the agent would append for a summary. Nothing is written.
#[derive(Clone, Debug, Serialize, JsonSchema, TS)]
pub struct MemorySplit {
    /// Version of this shape.
    pub schema_version: u32,
    /// The name in the headings.
    pub label: String,
    /// The moment of appending, RFC 3339. Its date, in UTC, stands in the headings.
    pub time: String,
    /// True when the summary is split between the global profile and a project.
    pub layered: bool,
    /// The two sections of the summary.
    pub split: MemorySections,
    /// Each memory file after appending; null: there is none.
    pub appended: MemoryTexts,
    /// What is new at the end of each; null: the file is not touched.
    pub added: MemoryTexts,
    /// The files, absolute; null: there is no such layer.
    pub paths: MemoryTexts,
    /// What to know about it, in sentences.
    pub notes: Vec<String>,
}

/// The two sections of a summary; null: there is none, or it says nothing.
#[derive(Clone, Debug, Serialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct MemorySections {
    /// About the person.
    pub user_profile: Option<String>,
    /// About the project.
    pub project_context: Option<String>,
}

/// A text for each of the two memories.
#[derive(Clone, Debug, Serialize, JsonSchema, TS)]
pub struct MemoryTexts {
    /// The global profile's.
    pub global: Option<String>,
    /// The project's.
    pub project: Option<String>,
}

/// What the agent remembers.
#[derive(Clone, Debug, Serialize, JsonSchema, TS)]
pub struct MemoryView {
    /// Version of this shape.
    pub schema_version: u32,
    /// True when there are two layers: the person's and the project's.
    pub layered: bool,
    /// The model that tokens are counted for.
    pub model: Option<String>,
    /// That model's input window in tokens; null is unknown.
    pub window: Option<u32>,
    /// The layers in the order of the prompt.
    pub layers: Vec<MemoryLayer>,
    /// What is said more than once, within a layer or across them.
    pub duplicates: Vec<MemoryDuplicate>,
    /// How many duplicates there are beyond those listed.
    pub duplicates_left_off: u32,
    /// Sizes in the recorded assemblies of this workspace, oldest first; changes only.
    pub growth: Vec<MemoryPoint>,
}

/// Whose memory a layer is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum MemoryOwner {
    /// About the person: the global profile's.
    You,
    /// About the project: the workspace's.
    Project,
}

/// One layer: its file, and what stands in it.
#[derive(Clone, Debug, Serialize, JsonSchema, TS)]
pub struct MemoryLayer {
    /// Whose.
    pub owner: MemoryOwner,
    /// The file, absolute.
    pub path: String,
    /// The file for the window.
    pub file: Option<FileRef>,
    /// True when the file is there and can be read.
    pub present: bool,
    /// True when its text is in the prompt.
    pub injected: bool,
    /// True when the text has unsaved edits.
    pub draft: bool,
    /// `injected`, or why it is not: `missing`, `empty`, `still-default`, `unreadable`, `budget`, `not-in-variant`.
    pub state: String,
    /// The same in a sentence.
    pub reason: String,
    /// What was noticed about the file.
    pub findings: Vec<FindingView>,
    /// Its size.
    pub bytes: u32,
    /// Tokens of its text alone; with the heading the prompt has a few more.
    pub tokens: CountView,
    /// How many entries there are.
    pub entries_total: u32,
    /// How many of them have a date.
    pub dated: u32,
    /// The earliest date.
    pub oldest: Option<String>,
    /// The latest date.
    pub newest: Option<String>,
    /// The last entries of the file, in its order.
    pub entries: Vec<MemoryEntryView>,
    /// Texts that the agent takes for the beginning of a section when a summary repeats them.
    pub marks: Vec<MemoryMark>,
}

/// One entry.
#[derive(Clone, Debug, Serialize, JsonSchema, TS)]
pub struct MemoryEntryView {
    /// Bytes of the file.
    pub range: RangeView,
    /// Line, from 1.
    pub line: u32,
    /// `heading`, `item` or `text`.
    pub kind: String,
    /// As `YYYY-MM-DD`.
    pub date: Option<String>,
    /// What its heading says besides the date.
    pub title: Option<String>,
    /// The second part of the heading.
    pub section: Option<String>,
    /// The beginning of what it says.
    pub excerpt: String,
    /// Its tokens; null is unknown. Counted as the layer is.
    pub tokens: Option<u32>,
}

/// Something that is said more than once.
#[derive(Clone, Debug, Serialize, JsonSchema, TS)]
pub struct MemoryDuplicate {
    /// True when the copies are the same to the byte, white space around them aside; else nearly the same words.
    pub exact: bool,
    /// True when it is said in both layers.
    pub across: bool,
    /// The places.
    pub copies: Vec<MemoryCopy>,
    /// How many there are beyond those listed.
    pub copies_left_off: u32,
    /// Tokens of all copies but the first; null is unknown.
    pub tokens_twice: Option<u32>,
}

/// One place where something is said.
#[derive(Clone, Debug, Serialize, JsonSchema, TS)]
pub struct MemoryCopy {
    /// Whose memory it stands in.
    pub owner: MemoryOwner,
    /// The file, absolute.
    pub path: String,
    /// The file for the window.
    pub file: Option<FileRef>,
    /// Bytes of the file: whole lines.
    pub range: RangeView,
    /// Line, from 1.
    pub line: u32,
    /// True when it is a whole entry, heading and date included.
    pub whole: bool,
    /// The date of its entry.
    pub date: Option<String>,
    /// The bytes of the range as text, or its beginning.
    pub text: String,
    /// True when `text` is all of it.
    pub complete: bool,
}

/// A text that looks like the beginning of a section to the agent.
#[derive(Clone, Debug, Serialize, JsonSchema, TS)]
pub struct MemoryMark {
    /// `user_profile` or `project_context`.
    pub section: String,
    /// Bytes of the file.
    pub range: RangeView,
    /// Line, from 1.
    pub line: u32,
    /// True when other text stands before it on its line, which a summary would lose with it.
    pub within_line: bool,
    /// The line.
    pub excerpt: String,
}

/// The memories in a recorded assembly; null: not in its prompt.
#[derive(Clone, Debug, Serialize, JsonSchema, TS)]
pub struct MemoryPoint {
    /// When it was first seen, RFC 3339.
    pub time: String,
    /// The person's.
    pub you: Option<MemorySize>,
    /// The project's.
    pub project: Option<MemorySize>,
}

/// A section of a recorded assembly.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, TS)]
pub struct MemorySize {
    /// Bytes, with the heading.
    pub bytes: u32,
    /// Tokens; null is unknown.
    pub tokens: Option<u32>,
}
