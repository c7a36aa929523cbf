//! Why a folder was not made, copied or moved.

use std::io;
use std::path::{Path, PathBuf};

use super::super::SaveError;

/// Why a folder was not made, copied or moved. Nothing was replaced or lost.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// Something has that name already.
    #[error("{} is there already, and nothing is ever replaced. Choose another name.", path.display())]
    Exists {
        /// What is there.
        path: PathBuf,
    },
    /// There is nothing to copy or to move.
    #[error("{} is not there any more. Nothing was done; look at the list again.", path.display())]
    Gone {
        /// What was looked for.
        path: PathBuf,
    },
    /// Something in the folder is neither a file, a folder nor a link.
    #[error("{} is a pipe, a socket or a device, which cannot be copied. Nothing was made.", path.display())]
    Special {
        /// What it is about.
        path: PathBuf,
    },
    /// More than is copied here.
    #[error(
        "{} holds more than is copied here (20,000 files, 1 GiB, 32 levels). Nothing was made. Copy it by other means.",
        path.display()
    )]
    TooLarge {
        /// What it is about.
        path: PathBuf,
    },
    /// The place cannot be used.
    #[error(transparent)]
    Place(#[from] SaveError),
    /// The system refuses.
    #[error("{} ({cause}). Nothing was replaced, and nothing is lost.", path.display())]
    Io {
        /// What it is about.
        path: PathBuf,
        /// The system's reason.
        cause: io::Error,
    },
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
