//! The error that crosses a boundary.

use std::collections::BTreeMap;
use std::fmt;

use model::Text;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Codes that a caller branches on. Everything else is `Failed`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// The file changed on disk after it was read; nothing was written.
    Conflict,
    /// The file, folder, variant or context is not there.
    NotFound,
    /// The request itself is wrong.
    Invalid,
    /// Two layouts hold files; the person must choose.
    Ambiguous,
    /// The document changed meanwhile; read it again.
    Stale,
    /// Anything else: reading, writing, the database.
    Failed,
}

/// An error as `{code, message, context}`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
pub struct ApiError {
    /// What to branch on.
    pub code: ErrorCode,
    /// What happened, where, what was kept, and what to do; for people.
    #[ts(type = "string")]
    pub message: Text,
    /// Named details: `path`, `line`, `column`…
    pub context: BTreeMap<String, String>,
}

impl ApiError {
    /// An error without details.
    pub fn new(code: ErrorCode, message: Text) -> Self {
        Self { code, message, context: BTreeMap::new() }
    }

    /// An error in English alone: of the command line, or the words of a library.
    pub fn english(code: ErrorCode, message: impl Into<String>) -> Self {
        Self::new(code, Text::verbatim(message))
    }

    /// Adds a detail.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl fmt::Display) -> Self {
        self.context.insert(key.to_owned(), value.to_string());
        self
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ApiError {}
