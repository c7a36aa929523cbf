//! Paths as they come from a user interface: a registered root, and a path below it.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// A folder that the person opened; files below it may be written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Root {
    /// Stable id, by which drafts and the history know the folder.
    pub id: String,
    /// Absolute path.
    pub path: PathBuf,
}

impl Root {
    /// A root.
    pub fn new(id: impl Into<String>, path: impl Into<PathBuf>) -> Self {
        Self { id: id.into(), path: path.into() }
    }
}

/// A path below a root, with `/` between names. A value of this type cannot lead upwards or elsewhere by its text;
/// where links lead is looked at when it is used.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RelativePath(String);

/// Why a text is not a [`RelativePath`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PathError {
    /// Nothing at all, or nothing between two slashes.
    #[error("a name is missing in the path")]
    Empty,
    /// It begins with a slash or a drive.
    #[error("the path is absolute; only paths below an opened folder are taken")]
    Absolute,
    /// `.` or `..`.
    #[error("the path holds `.` or `..`; only paths below an opened folder are taken")]
    Dots,
    /// A character that no file name should hold.
    #[error("the path holds a NUL or a backslash")]
    Character,
    /// A name of more than 255 bytes, or a path of more than 4,096.
    #[error("the path is too long")]
    TooLong,
}

impl RelativePath {
    /// Checks `text`.
    ///
    /// # Errors
    /// [`PathError`] says which rule the text breaks.
    pub fn parse(text: &str) -> Result<Self, PathError> {
        if text.contains(['\0', '\\']) {
            return Err(PathError::Character);
        }
        let bytes = text.as_bytes();
        let drive = bytes.len() >= 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':';
        if text.starts_with('/') || drive {
            return Err(PathError::Absolute);
        }
        if text.len() > 4_096 {
            return Err(PathError::TooLong);
        }
        for name in text.split('/') {
            match name {
                "" => return Err(PathError::Empty),
                "." | ".." => return Err(PathError::Dots),
                name if name.len() > 255 => return Err(PathError::TooLong),
                _ => {}
            }
        }
        Ok(Self(text.to_owned()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The path below `folder`.
    pub fn below(&self, folder: &Path) -> PathBuf {
        folder.join(&self.0)
    }
}

impl fmt::Display for RelativePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<RelativePath> for String {
    fn from(path: RelativePath) -> Self {
        path.0
    }
}

impl TryFrom<String> for RelativePath {
    type Error = PathError;

    fn try_from(text: String) -> Result<Self, PathError> {
        Self::parse(&text)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_plain_names_are_taken() {
        for (text, expected) in [
            ("", PathError::Empty),
            ("a//b", PathError::Empty),
            ("a/", PathError::Empty),
            ("/etc/passwd", PathError::Absolute),
            ("C:/x", PathError::Absolute),
            ("c:", PathError::Absolute),
            ("../x", PathError::Dots),
            ("a/../../x", PathError::Dots),
            ("./a", PathError::Dots),
            ("..\\x", PathError::Character),
            ("a\0b", PathError::Character),
        ] {
            assert_eq!(RelativePath::parse(text), Err(expected), "{text:?}");
        }
        assert_eq!(RelativePath::parse(&"n".repeat(256)), Err(PathError::TooLong));
        for text in ["AGENTS.md", "memory/MEMORY.md", "skills/…/SKILL.md", "a..b/...c", "with space"] {
            assert_eq!(RelativePath::parse(text).unwrap().as_str(), text);
        }
    }

    proptest! {
        #[test]
        fn what_is_taken_stays_below_its_folder(text in "[a./\\\\:\\x00]{0,12}") {
            if let Ok(path) = RelativePath::parse(&text) {
                let resolved = model::paths::resolve("/folder/inside", path.as_str());
                prop_assert!(resolved.starts_with("/folder/inside/"), "{resolved}");
            }
        }
    }
}
