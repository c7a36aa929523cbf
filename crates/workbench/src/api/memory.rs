//! The agent's memory on the wire, and in `cbw memory`: the files in their layers, what stands in them, and what the
//! agent would append for a summary.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

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
