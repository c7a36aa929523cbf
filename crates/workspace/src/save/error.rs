//! Why a save did not happen. Each message says what happened, what was kept, and what to do.

use std::io;
use std::path::PathBuf;

use model::{Content, ContentHash, Text, text};
use rustix::io::Errno;

use super::RelativePath;
use crate::causes;

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

impl Left {
    fn text(&self) -> Text {
        match self {
            Self::Old => text!("left-old"),
            Self::New => text!("left-new"),
            Self::Undo(copy) => text!("left-undo", copy = copy.display().to_string()),
        }
    }
}

/// Why a save did not happen.
#[derive(Debug)]
pub enum SaveError {
    /// The file is not what was read. Nothing was written.
    Conflict {
        /// The file.
        path: RelativePath,
        /// What stands there now; `None`: nothing.
        on_disk: Option<ContentHash>,
    },
    /// A link leads to a file that is in no opened folder, and nobody agreed to that.
    Outside {
        /// The file as it was named.
        path: RelativePath,
        /// Where it is.
        resolved: PathBuf,
    },
    /// A link that leads to nothing, or round in a circle.
    BrokenLink {
        /// The link.
        path: RelativePath,
    },
    /// The file has other names, which replacing it would cut off, and nobody agreed to write it in place.
    HardLinked {
        /// The file.
        path: RelativePath,
        /// Its number of names.
        links: u64,
    },
    /// Something else than a file stands there.
    NotAFile {
        /// The path.
        path: RelativePath,
        /// What it is.
        what: &'static str,
    },
    /// The file, its folder or the disk does not take changes.
    ReadOnly {
        /// The file.
        path: RelativePath,
        /// The system's reason.
        cause: io::Error,
    },
    /// No room.
    Full {
        /// The file.
        path: RelativePath,
        /// The system's reason.
        cause: io::Error,
        /// What stands there.
        left: Left,
    },
    /// The root is not there any more.
    FolderGone {
        /// The folder.
        folder: PathBuf,
    },
    /// Another program holds the lock of the folder.
    Busy {
        /// The file.
        path: RelativePath,
    },
    /// Anything else.
    Io {
        /// The file.
        path: RelativePath,
        /// The system's reason.
        cause: io::Error,
        /// What stands there.
        left: Left,
    },
}

impl std::fmt::Display for SaveError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.text().fmt(f)
    }
}

impl std::error::Error for SaveError {}

impl SaveError {
    /// What happened, what was kept, and what to do.
    pub fn text(&self) -> Text {
        match self {
            Self::Conflict { path, .. } => text!("save-conflict", path = path.as_str()),
            Self::Outside { path, resolved } => {
                text!("save-outside", path = path.as_str(), to = resolved.display().to_string())
            }
            Self::BrokenLink { path } => text!("save-broken-link", path = path.as_str()),
            Self::HardLinked { path, links } => text!("save-hard-linked", path = path.as_str(), links = *links),
            Self::NotAFile { path, what } => {
                text!("save-not-a-file", path = path.as_str(), what = Content::special(what))
            }
            Self::ReadOnly { path, cause } => {
                text!("save-read-only", path = path.as_str(), cause = causes::cause(cause))
            }
            Self::Full { path, cause, left } => {
                text!("save-full", path = path.as_str(), cause = causes::cause(cause), left = left.text())
            }
            Self::FolderGone { folder } => text!("save-folder-gone", folder = folder.display().to_string()),
            Self::Busy { path } => text!("save-busy", path = path.as_str()),
            Self::Io { path, cause, left } => {
                text!("save-failed", path = path.as_str(), cause = causes::cause(cause), left = left.text())
            }
        }
    }

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
