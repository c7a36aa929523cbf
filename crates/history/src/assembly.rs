//! What is recorded, and what comes back.

use std::borrow::Cow;
use std::fmt;

use jiff::Timestamp;
use model::ContentHash;
use serde::{Deserialize, Serialize};

/// Names one recorded assembly. Ids grow in the order of recording and never come back.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AssemblyId(pub i64);

impl fmt::Display for AssemblyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// An assembly to record.
#[derive(Clone, Debug)]
pub struct NewAssembly<'a> {
    /// When it was made; kept to the millisecond.
    pub time: Timestamp,
    /// The workspace, as a path.
    pub workspace: &'a str,
    /// The project, as a path. An empty name is none; so for all names below.
    pub project: Option<&'a str>,
    /// The channel it was made for.
    pub channel: Option<&'a str>,
    /// Id of the prompt variant.
    pub variant: &'a str,
    /// Version of the prompt variant.
    pub variant_version: u32,
    /// The model that tokens were counted for.
    pub model: Option<&'a str>,
    /// The fingerprint the target computes. Its blake3 hash is kept: the text can be long, and all
    /// that is asked of two of them is whether they are the same.
    pub fingerprint: &'a str,
    /// Hash of the content.
    pub content_hash: ContentHash,
    /// The sections in order, separators too: their texts in a row are the text of the assembly.
    pub sections: Vec<NewSection<'a>>,
    /// Tokens of the whole.
    pub tokens: TokenTotals,
    /// The assembly that `cache` compares with, from [`crate::History::previous`]. `None`: the last one
    /// of the same workspace and channel.
    pub parent: Option<AssemblyId>,
    /// What a prompt cache would have kept of the parent; `None` when nothing came before.
    pub cache: Option<CacheEstimate>,
    /// Id of the model catalogue the figures are from.
    pub catalogue: Option<&'a str>,
    /// Why it is recorded.
    pub reason: Reason,
}

/// One section of an assembly to record.
#[derive(Clone, Debug)]
pub struct NewSection<'a> {
    /// Id of the section.
    pub id: Cow<'a, str>,
    /// Layer 1–5; `None` for literals and separators.
    pub layer: Option<u8>,
    /// Title for people.
    pub title: Cow<'a, str>,
    /// The text.
    pub text: Cow<'a, str>,
    /// Tokens of the text; `None` when not counted.
    pub tokens: Option<u32>,
}

/// Tokens of an assembly. Unknown is `None`, never 0.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TokenTotals {
    /// The figure to show.
    pub total: Option<u32>,
    /// Low end of the interval.
    pub low: Option<u32>,
    /// High end of the interval.
    pub high: Option<u32>,
    /// How it was counted.
    pub method: String,
}

/// What a prompt cache would have kept of the assembly before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CacheEstimate {
    /// Bytes that both texts begin with.
    pub prefix_bytes: u64,
    /// Tokens of those bytes; `None` when not counted.
    pub prefix_tokens: Option<u32>,
    /// Index of the section with the first byte that differs; `None` when the text is all prefix.
    pub breaks_at: Option<u32>,
}

/// Why an assembly was recorded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// An edit in the workbench.
    Edit,
    /// A file changed outside the workbench.
    Watch,
    /// A run of the command line.
    Cli,
    /// A save.
    Save,
    /// An export.
    Export,
    /// A run of an experiment.
    Experiment,
    /// A person pinned a preview.
    Pin,
}

impl Reason {
    const ALL: [Self; 7] = [Self::Edit, Self::Watch, Self::Cli, Self::Save, Self::Export, Self::Experiment, Self::Pin];

    /// The word that is stored and shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Edit => "edit",
            Self::Watch => "watch",
            Self::Cli => "cli",
            Self::Save => "save",
            Self::Export => "export",
            Self::Experiment => "experiment",
            Self::Pin => "pin",
        }
    }

    /// The reason of that word.
    pub(crate) fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == word)
    }
}

/// What became of an assembly that was to be recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Recorded {
    /// It has a row of its own.
    New {
        /// The row.
        id: AssemblyId,
    },
    /// It is the same as the last of its workspace, project, channel, variant and model.
    SeenAgain {
        /// The row of that last one.
        id: AssemblyId,
        /// How often it has been seen, this time included.
        seen: u32,
    },
}

impl Recorded {
    /// The row that stands for the assembly.
    pub fn id(self) -> AssemblyId {
        match self {
            Self::New { id } | Self::SeenAgain { id, .. } => id,
        }
    }
}

/// A recorded assembly without its text.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AssemblyRow {
    /// The id.
    pub id: AssemblyId,
    /// When it was first seen.
    pub time: Timestamp,
    /// When it was last seen.
    pub last_seen: Timestamp,
    /// How often it was seen in a row; 1 at first.
    pub seen: u32,
    /// The workspace.
    pub workspace: String,
    /// The project.
    pub project: Option<String>,
    /// The channel.
    pub channel: Option<String>,
    /// Id of the variant.
    pub variant: String,
    /// Version of the variant.
    pub variant_version: u32,
    /// The model.
    pub model: Option<String>,
    /// Hash of the target's fingerprint.
    pub fingerprint: ContentHash,
    /// Hash of the content.
    pub content_hash: ContentHash,
    /// Tokens of the whole.
    pub tokens: TokenTotals,
    /// What a prompt cache would have kept of the parent.
    pub cache: Option<CacheEstimate>,
    /// The model catalogue the figures are from.
    pub catalogue: Option<String>,
    /// Why it was recorded.
    pub reason: Reason,
    /// The assembly it follows; `None` for a first one.
    pub parent: Option<AssemblyId>,
}

/// A recorded assembly with its text.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AssemblyDetail {
    /// All but the text.
    #[serde(flatten)]
    pub row: AssemblyRow,
    /// The sections in order.
    pub sections: Vec<StoredSection>,
}

/// A section of a recorded assembly.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StoredSection {
    /// Id of the section.
    pub id: String,
    /// Layer 1–5; `None` for literals and separators.
    pub layer: Option<u8>,
    /// Title for people.
    pub title: String,
    /// Tokens of the text.
    pub tokens: Option<u32>,
    /// The text, or what is known of it.
    #[serde(flatten)]
    pub text: StoredText,
}

/// What is known of a section of a recorded assembly without reading its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SectionSize {
    /// Id of the section.
    pub id: String,
    /// Layer 1–5; `None` for literals and separators.
    pub layer: Option<u8>,
    /// Tokens of the text.
    pub tokens: Option<u32>,
    /// Bytes of the text.
    pub bytes: u64,
}

/// A text in the history: in JSON `"text": "…"` or `"missing": {"hash", "len"}`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StoredText {
    /// The text, its hash verified.
    Text(String),
    /// The text was larger than [`crate::LARGEST_TEXT`] and only this was kept of it.
    Missing {
        /// Its hash.
        hash: ContentHash,
        /// Its length in bytes.
        len: u64,
    },
}

/// The last assembly of a workspace and channel, to compare a new one with.
#[derive(Clone, PartialEq, Debug)]
pub struct PreviousAssembly {
    /// Its id.
    pub id: AssemblyId,
    /// When it was last seen.
    pub last_seen: Timestamp,
    /// Hash and length in bytes of each section's text, in order.
    pub sections: Vec<PreviousSection>,
}

/// What a comparison needs of a section before its text is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PreviousSection {
    /// Hash of the text.
    pub hash: ContentHash,
    /// Length of the text in bytes.
    pub len: u64,
}

/// Which assemblies to list. The default is the newest 50 of all.
#[derive(Clone, PartialEq, Debug)]
pub struct ListFilter {
    /// Only of this workspace.
    pub workspace: Option<String>,
    /// Only of this project.
    pub project: Option<String>,
    /// Only of this channel.
    pub channel: Option<String>,
    /// Only of this variant.
    pub variant: Option<String>,
    /// First seen at this time or later.
    pub since: Option<Timestamp>,
    /// First seen before this time.
    pub until: Option<Timestamp>,
    /// The last row of the page before: only what follows it.
    pub before_id: Option<AssemblyId>,
    /// At most so many rows.
    pub limit: u32,
}

impl Default for ListFilter {
    fn default() -> Self {
        Self {
            workspace: None,
            project: None,
            channel: None,
            variant: None,
            since: None,
            until: None,
            before_id: None,
            limit: 50,
        }
    }
}
