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
