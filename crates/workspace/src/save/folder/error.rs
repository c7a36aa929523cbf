//! Why a folder was not made, copied or moved.

use std::io;
use std::path::{Path, PathBuf};

use model::{Text, text};

use super::super::SaveError;
use crate::causes;

/// Why a folder was not made, copied or moved. Nothing was replaced or lost.
#[derive(Debug)]
pub enum FolderError {
    /// Something has that name already.
    Exists {
        /// What is there.
        path: PathBuf,
    },
    /// There is nothing to copy or to move.
    Gone {
        /// What was looked for.
        path: PathBuf,
    },
    /// Something in the folder is neither a file, a folder nor a link.
    Special {
        /// What it is about.
        path: PathBuf,
    },
    /// More than is copied here.
    TooLarge {
        /// What it is about.
        path: PathBuf,
    },
    /// The place cannot be used.
    Place(SaveError),
    /// The system refuses.
    Io {
        /// What it is about.
        path: PathBuf,
        /// The system's reason.
        cause: io::Error,
    },
}

impl FolderError {
    /// What happened, what was kept, and what to do.
    pub fn text(&self) -> Text {
        let shown = |path: &Path| path.display().to_string();
        match self {
            Self::Exists { path } => text!("folder-exists", path = shown(path)),
            Self::Gone { path } => text!("folder-gone", path = shown(path)),
            Self::Special { path } => text!("folder-special", path = shown(path)),
            Self::TooLarge { path } => text!("folder-too-large", path = shown(path)),
            Self::Place(error) => error.text(),
            Self::Io { path, cause } => text!("folder-failed", path = shown(path), cause = causes::cause(cause)),
        }
    }
}

impl std::fmt::Display for FolderError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.text().fmt(f)
    }
}

impl std::error::Error for FolderError {}

impl From<SaveError> for FolderError {
    fn from(error: SaveError) -> Self {
        Self::Place(error)
    }
}

/// What the system said of `path`, as an error of a folder.
pub(super) fn failed(path: &Path) -> impl Fn(io::Error) -> FolderError {
    let path = path.to_owned();
    move |cause| match cause.kind() {
        io::ErrorKind::AlreadyExists | io::ErrorKind::DirectoryNotEmpty => FolderError::Exists { path: path.clone() },
        io::ErrorKind::NotFound => FolderError::Gone { path: path.clone() },
        _ => FolderError::Io { path: path.clone(), cause },
    }
}
