//! The runtime context on the wire.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Named contexts and the keys they may have.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ContextList {
    /// Names, in alphabetical order.
    pub names: Vec<String>,
    /// The one in use; `None`: the defaults.
    pub current: Option<String>,
    /// Every key.
    pub keys: Vec<ContextKeyView>,
}

/// How a key's value is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum KeyKindView {
    /// One line.
    Text,
    /// Several lines.
    LongText,
    /// RFC 3339.
    Time,
    /// true or false.
    Flag,
    /// A whole number.
    Number,
    /// A list of texts.
    List,
    /// One of `words`.
    Word,
    /// JSON.
    Json,
}

/// One key.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ContextKeyView {
    /// The key.
    pub name: String,
    /// Its group.
    pub group: String,
    /// How its value is written.
    pub kind: KeyKindView,
    /// The words it may be.
    pub words: Vec<String>,
    /// What holds when it is absent.
    pub default: String,
    /// The environment variable it can be imported from.
    pub variable: Option<String>,
    /// What it means.
    pub help: String,
}

/// One context.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ContextView {
    /// Its name.
    pub name: String,
    /// The file's text.
    pub json: String,
    /// What is in force, and where each value comes from.
    pub values: Vec<ContextValueView>,
}

/// A value in force.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ContextValueView {
    /// The key.
    pub key: String,
    /// The value as JSON text.
    pub value: String,
    /// `default`, `machine`, `settings`, `file`, `flag`.
    pub origin: String,
}

/// A context to keep.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct ContextSave {
    /// Its name.
    pub name: String,
    /// The text of its file.
    pub json: String,
}

/// What a context text means.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ContextCheck {
    /// What is wrong with it; `None`: nothing.
    pub error: Option<String>,
    /// The key at fault.
    pub key: Option<String>,
    /// What would be in force.
    pub values: Vec<ContextValueView>,
}
