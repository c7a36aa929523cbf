//! Why a save did not happen. Each message says what happened, what was kept, and what to do.

use std::io;
use std::path::PathBuf;

use model::ContentHash;
use rustix::io::Errno;

use super::RelativePath;

/// What stands in the file after a save that failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Left {
    /// The old content, untouched.
    Old,
    /// The new content, whole; a power cut may still undo it.
    New,
    /// Perhaps neither: the old content is in this copy beside it.
    Undo(PathBuf),
}

impl std::fmt::Display for Left {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Old => f.write_str("The file is as it was, and the draft is kept"),
            Self::New => f.write_str("The new text is in place, but a power cut could still undo it"),
            Self::Undo(copy) => {
                write!(f, "The old text is kept in {}, and the draft is kept", copy.display())
            }
        }
    }
}

/// Why a save did not happen.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// The file is not what was read. Nothing was written.
    #[error("{path} changed on disk after it was read. Nothing was written, and the draft is kept. Compare the two.")]
    Conflict {
        /// The file.
        path: RelativePath,
        /// What stands there now; `None`: nothing.
        on_disk: Option<ContentHash>,
    },
    /// A link leads to a file that is in no opened folder, and nobody agreed to that.
    #[error(
        "{path} leads out of the opened folders, to {}. Nothing was written, and the draft is kept. Agree to write \
         there, or replace the link.", resolved.display()
    )]
    Outside {
        /// The file as it was named.
        path: RelativePath,
        /// Where it is.
        resolved: PathBuf,
    },
    /// A link that leads to nothing, or round in a circle.
    #[error("{path} is a link that leads nowhere. Nothing was written, and the draft is kept. Replace the link.")]
    BrokenLink {
        /// The link.
        path: RelativePath,
    },
    /// The file has other names, which replacing it would cut off, and nobody agreed to write it in place.
    #[error(
        "{path} has {links} names (hard links). Nothing was written, and the draft is kept. Agree to write it in \
         place, which is not safe against a power cut."
    )]
    HardLinked {
        /// The file.
        path: RelativePath,
        /// Its number of names.
        links: u64,
    },
    /// Something else than a file stands there.
    #[error("{path} is a {what}, not a file. Nothing was written, and the draft is kept. Rename it.")]
    NotAFile {
        /// The path.
        path: RelativePath,
        /// What it is.
        what: &'static str,
    },
    /// The file, its folder or the disk does not take changes.
    #[error(
        "{path} cannot be changed ({cause}). The file is as it was, and the draft is kept. Change the permissions of \
         the file and its folder, or save elsewhere."
    )]
    ReadOnly {
        /// The file.
        path: RelativePath,
        /// The system's reason.
        cause: io::Error,
    },
    /// No room.
    #[error("there is no room for {path} ({cause}). {left}. Free some space and save again.")]
    Full {
        /// The file.
        path: RelativePath,
        /// The system's reason.
        cause: io::Error,
        /// What stands there.
        left: Left,
    },
    /// The root is not there any more.
    #[error("the folder {} is gone. Nothing was written, and the draft is kept. Bring it back or save elsewhere.", folder.display())]
    FolderGone {
        /// The folder.
        folder: PathBuf,
    },
    /// Another program holds the lock of the folder.
    #[error("another program is saving beside {path}. Nothing was written, and the draft is kept. Try again.")]
    Busy {
        /// The file.
        path: RelativePath,
    },
    /// Anything else.
    #[error("cannot save {path} ({cause}). {left}.")]
    Io {
        /// The file.
        path: RelativePath,
        /// The system's reason.
        cause: io::Error,
        /// What stands there.
        left: Left,
    },
}

impl SaveError {
    /// The code by which a caller tells the cases apart that it treats differently.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Conflict { .. } => "conflict",
            Self::Outside { .. } => "outside_root",
            Self::HardLinked { .. } => "hard_linked",
            Self::ReadOnly { .. } => "read_only",
            Self::Full { .. } => "disk_full",
            Self::FolderGone { .. } => "folder_gone",
            Self::BrokenLink { .. } | Self::NotAFile { .. } | Self::Busy { .. } | Self::Io { .. } => "save_failed",
        }
    }

    /// Puts a system error where it belongs.
    pub(super) fn from_io(path: &RelativePath, cause: io::Error, left: Left) -> Self {
        let path = path.clone();
        match cause.raw_os_error().map(Errno::from_raw_os_error) {
            Some(Errno::NOSPC | Errno::DQUOT | Errno::FBIG) => Self::Full { path, cause, left },
            Some(Errno::ACCESS | Errno::PERM | Errno::ROFS | Errno::TXTBSY) if left == Left::Old => {
                Self::ReadOnly { path, cause }
            }
            _ => Self::Io { path, cause, left },
        }
    }
}
