//! Searching a phrase, and comparing with a prompt that was really sent, on the wire.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::document::FileRef;
use super::preview::{RangeView, SourceView};

/// What to look for.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
pub struct WhyRequest {
    /// The phrase.
    pub phrase: String,
    /// Letter case does not count.
    pub ignore_case: bool,
    /// Any run of white space, line ends too, stands for any other.
    pub loose_space: bool,
}

/// Where a phrase stands, and where it was looked for.
#[derive(Clone, Debug, Serialize, TS)]
pub struct WhyView {
    /// The phrase as it was given.
    pub phrase: String,
    /// Its places.
    pub places: Vec<WhyPlaceView>,
    /// How many there are beyond those listed.
    pub left_off: u32,
    /// Every text that was looked through, or could not be.
    pub looked_at: Vec<WhyLookedAt>,
}

/// One place of a phrase.
#[derive(Clone, Debug, Serialize, TS)]
pub struct WhyPlaceView {
    /// The file or template; or what else the prompt has it from.
    pub path: String,
    /// The file for the window; `None`: it cannot be opened here.
    pub file: Option<FileRef>,
    /// Line, from 1.
    pub line: u32,
    /// Bytes of the file.
    pub range: RangeView,
    /// True when these bytes are in the prompt.
    pub in_prompt: bool,
    /// Byte of the prompt at which it stands there.
    pub prompt_offset: Option<u32>,
    /// Why it is or is not in the prompt.
    pub reason: String,
    /// The line.
    pub excerpt: String,
}

/// What kind of text was looked through.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum WhyKind {
    /// A file that the agent looks for.
    File,
    /// A template or built-in skill.
    Template,
    /// A file that is present and never read.
    Ignored,
    /// A file of the other layout or the old profile.
    Elsewhere,
}

/// One text that was looked through.
#[derive(Clone, Debug, Serialize, TS)]
pub struct WhyLookedAt {
    /// Its path.
    pub path: String,
    /// The file for the window; `None`: it cannot be opened here.
    pub file: Option<FileRef>,
    /// What kind.
    pub kind: WhyKind,
    /// Places of the phrase in it.
    pub places: u32,
    /// True when its text has unsaved edits.
    pub draft: bool,
    /// Why it was not looked through after all.
    pub problem: Option<String>,
}

/// A prompt that was really sent.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
pub struct CompareLogRequest {
    /// The prompt, or a log that has it in JSON.
    pub log: String,
}

/// A prompt that was sent beside the prompt as it is now.
#[derive(Clone, Debug, Serialize, TS)]
pub struct CompareLogView {
    /// True when both are byte for byte the same.
    pub identical: bool,
    /// What was taken from the log, and what a log alone may have changed.
    pub notes: Vec<String>,
    /// Bytes of what was sent.
    pub sent_bytes: u32,
    /// Bytes of the prompt now.
    pub now_bytes: u32,
    /// The first difference.
    pub first: Option<CompareFirst>,
    /// Tokens before the first difference; `None` is unknown.
    pub tokens_kept: Option<u32>,
    /// Tokens of the prompt now after it.
    pub tokens_lost: Option<u32>,
    /// What became of each section, in the order of the prompt now, then those that only the log has.
    pub sections: Vec<CompareSection>,
}

/// Where two prompts part.
#[derive(Clone, Debug, Serialize, TS)]
pub struct CompareFirst {
    /// Byte offset in both.
    pub offset: u32,
    /// Line of the prompt, from 1.
    pub line: u32,
    /// Title of the section of the prompt now.
    pub section: Option<String>,
    /// Source of that byte of the prompt now.
    pub source: Option<SourceView>,
    /// Line of the source, from 1, when it is a file.
    pub source_line: Option<u32>,
    /// What both have before it.
    pub before: String,
    /// What was sent from there on.
    pub sent: String,
    /// What stands there now.
    pub now: String,
}

/// How a section changed.
#[derive(Clone, Debug, Serialize, TS)]
pub struct CompareSection {
    /// Its id.
    pub id: String,
    /// Its title; empty for a stretch of the log that stands for no section.
    pub title: String,
    /// 1–5; `None` for separators and what only the log has.
    pub layer: Option<u8>,
    /// `same`, `changed`, `added` (since it was sent), `removed`.
    pub change: String,
    /// Tokens in what was sent.
    pub tokens_sent: Option<u32>,
    /// Tokens now.
    pub tokens_now: Option<u32>,
    /// Its text in what was sent, unless it is the same or too long to show.
    pub sent: Option<String>,
    /// Its text now, likewise.
    pub now: Option<String>,
}
