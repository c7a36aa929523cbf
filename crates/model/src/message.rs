//! Messages of a conversation.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One message of the conversation that is sent after the system prompt.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Message {
    /// `user`, `assistant`, `tool`…
    pub role: String,
    /// Text, or a list of parts.
    pub content: Value,
    /// Anything else the entry holds (tool calls, names), passed through.
    #[serde(flatten)]
    pub rest: serde_json::Map<String, Value>,
}
