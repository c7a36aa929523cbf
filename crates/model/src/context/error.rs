//! What is wrong with a context file.

use std::fmt;

/// Why a context cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ContextError {
    /// Not JSON.
    Syntax {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What the reader says.
        message: String,
    },
    /// JSON, but no object.
    NotAnObject,
    /// A key that no context has.
    UnknownKey {
        /// The key.
        key: String,
        /// The known key that is spelled most like it.
        nearest: Option<&'static str>,
    },
    /// A value that its key cannot have.
    Value {
        /// The key.
        key: String,
        /// What is wrong with the value.
        message: String,
    },
}

impl fmt::Display for ContextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax { message, .. } => write!(f, "the context is not JSON: {message}"),
            Self::NotAnObject => write!(f, "the context must be a JSON object, such as {{\"channel\": \"telegram\"}}"),
            Self::UnknownKey { key, nearest: Some(nearest) } => {
                write!(f, "the context has no key \"{key}\". Did you mean \"{nearest}\"?")
            }
            Self::UnknownKey { key, nearest: None } => {
                write!(f, "the context has no key \"{key}\". Keys of your own go below \"x\".")
            }
            Self::Value { key, message } => write!(f, "the context key \"{key}\" cannot have this value: {message}"),
        }
    }
}

impl std::error::Error for ContextError {}
