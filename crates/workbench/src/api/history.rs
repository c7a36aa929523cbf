//! The history on the wire.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Which rows to show.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
pub struct HistoryRequest {
    /// Only the open workspace's.
    pub here: bool,
    /// Only this channel's.
    pub channel: Option<String>,
    /// Rows before this id.
    pub before: Option<u32>,
    /// At most this many; 50 when absent.
    pub limit: Option<u32>,
}

/// A page of assemblies, newest first.
#[derive(Clone, Debug, Serialize, TS)]
pub struct HistoryPage {
    /// The rows.
    pub rows: Vec<HistoryRowView>,
    /// How many there are in all.
    pub count: u32,
}

/// One assembly.
#[derive(Clone, Debug, Serialize, TS)]
pub struct HistoryRowView {
    /// Its id.
    pub id: u32,
    /// When it was first seen, RFC 3339.
    pub time: String,
    /// When it was last seen, RFC 3339.
    pub last_seen: String,
    /// How often it was seen.
    pub seen: u32,
    /// The workspace.
    pub workspace: String,
    /// The channel.
    pub channel: Option<String>,
    /// The variant.
    pub variant: String,
    /// The model.
    pub model: Option<String>,
    /// Why it was recorded.
    pub reason: String,
    /// Its tokens.
    pub tokens: Option<u32>,
    /// Tokens unchanged since the one before.
    pub prefix_tokens: Option<u32>,
}

/// Rows of one kind in the history.
#[derive(Clone, Copy, Debug, Serialize, TS)]
pub struct HistoryShare {
    /// How many there are.
    pub count: u32,
    /// Bytes that they take.
    #[ts(type = "number")]
    pub bytes: u64,
}

/// The room that the history takes, by kind; the bytes add up to its size.
#[derive(Clone, Copy, Debug, Serialize, TS)]
pub struct HistoryUsage {
    /// Assemblies.
    pub assemblies: HistoryShare,
    /// Versions of files.
    pub versions: HistoryShare,
    /// Unsaved edits.
    pub drafts: HistoryShare,
    /// Free pages, and what the database needs itself.
    #[ts(type = "number")]
    pub other: u64,
}

/// Limits that are not set yet.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, TS)]
pub struct RetentionRequest {
    /// Days that versions and assemblies would be kept.
    pub history_days: Option<u32>,
    /// MiB that the history might take.
    pub history_mib: Option<u32>,
}

/// What they would remove.
#[derive(Clone, Copy, Debug, Serialize, TS)]
pub struct RetentionView {
    /// Assemblies.
    pub assemblies: u32,
    /// Versions.
    pub versions: u32,
}
