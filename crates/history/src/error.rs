//! What can go wrong: what, where, and what to do.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use crate::assembly::AssemblyId;
use crate::version::VersionId;

/// Why the history could not be opened, written or read. Each message names the file and the next step.
#[derive(thiserror::Error, Debug)]
#[non_exhaustive]
pub enum HistoryError {
    /// The folder of the database cannot be made.
    #[error("cannot create the folder {}: {cause}. Free that path or choose another home", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// The file cannot be opened at all: no permission, a folder in its place, a folder that is gone.
    #[error("cannot open the history {}: {cause}. Check that it is a file, and that it and its folder can be written", path.display())]
    CannotOpen {
        /// The database.
        path: PathBuf,
        /// What SQLite said.
        cause: rusqlite::Error,
    },
    /// The file or its disk is read-only.
    #[error("the history {} cannot be written: the file or its disk is read-only. Nothing was recorded; make it writable or choose another home", path.display())]
    ReadOnly {
        /// The database.
        path: PathBuf,
    },
    /// No room for what was to be written.
    #[error("the history {} cannot grow: the disk is full. What was recorded before is intact; free some space, then try again", path.display())]
    Full {
        /// The database.
        path: PathBuf,
    },
    /// Another process held the write lock for longer than we wait.
    #[error("the history {} is locked by another program. Nothing was recorded; close the other program, then try again", path.display())]
    Busy {
        /// The database.
        path: PathBuf,
    },
    /// A newer version of the product wrote the file. It was left as it is.
    #[error("the history {} was written by a newer version (schema {found}; this version knows up to {known}). It was left untouched; update the program to use it", path.display())]
    Newer {
        /// The database.
        path: PathBuf,
        /// The schema version found.
        found: u32,
        /// The newest schema version this build knows.
        known: u32,
    },
    /// The file is no SQLite database, or the database of another program. It was left as it is.
    #[error("{} is not a history database. It was left untouched; move it away to start a new history", path.display())]
    NotAHistory {
        /// The file.
        path: PathBuf,
    },
    /// SQLite found the file malformed.
    #[error("the history {} is damaged: {cause}. Move it away and put back a backup, or start a new one", path.display())]
    Damaged {
        /// The database.
        path: PathBuf,
        /// What SQLite said.
        cause: rusqlite::Error,
    },
    /// The copy made before a schema change failed; the schema was not changed.
    #[error("cannot back up the history to {}: {cause}. The history was not changed; free some space or make the folder writable", path.display())]
    Backup {
        /// The copy.
        path: PathBuf,
        /// What went wrong.
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
    /// One assembly cannot be put together again; the others are not touched by this.
    #[error("assembly {id} in {} is damaged: {what}. The other assemblies are not affected", path.display())]
    DamagedEntry {
        /// The database.
        path: PathBuf,
        /// The assembly.
        id: AssemblyId,
        /// Which part, and how.
        what: String,
    },
    /// There is no assembly of that id: never recorded, or pruned since.
    #[error("no assembly {id} in the history {}: it was never recorded or has been pruned", path.display())]
    Unknown {
        /// The database.
        path: PathBuf,
        /// The id asked for.
        id: AssemblyId,
    },
    /// One version cannot be read; the others are not touched by this.
    #[error("version {id} in {} is damaged: {what}. The other versions are not affected", path.display())]
    DamagedVersion {
        /// The database.
        path: PathBuf,
        /// The version.
        id: VersionId,
        /// How.
        what: String,
    },
    /// There is no version of that id of that file: never kept, or forgotten since.
    #[error("no version {id} of this file in the history {}: it was never kept or has been forgotten", path.display())]
    UnknownVersion {
        /// The database.
        path: PathBuf,
        /// The id asked for.
        id: VersionId,
    },
    /// Anything else SQLite reports.
    #[error("the history {} cannot be used: {cause}", path.display())]
    Database {
        /// The database.
        path: PathBuf,
        /// What SQLite said.
        cause: rusqlite::Error,
    },
}

/// An error inside the crate, before the path of the database is known to it.
#[derive(Debug)]
pub(crate) enum Fault {
    Sqlite(rusqlite::Error),
    Newer { found: u32, known: u32 },
    NotAHistory,
    Backup { path: PathBuf, cause: Box<dyn std::error::Error + Send + Sync> },
    DamagedEntry { id: AssemblyId, what: String },
    Unknown(AssemblyId),
    DamagedVersion { id: VersionId, what: String },
    UnknownVersion(VersionId),
}

impl From<rusqlite::Error> for Fault {
    fn from(cause: rusqlite::Error) -> Self {
        Self::Sqlite(cause)
    }
}

impl Fault {
    /// Whether waiting for another process can help.
    pub(crate) fn is_busy(&self) -> bool {
        matches!(self, Self::Sqlite(cause)
            if matches!(cause.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)))
    }

    /// The public error about the database at `path`.
    pub(crate) fn at(self, path: &Path) -> HistoryError {
        let path = path.to_owned();
        match self {
            Self::Sqlite(cause) => match cause.sqlite_error_code() {
                Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => HistoryError::Busy { path },
                Some(ErrorCode::DiskFull) => HistoryError::Full { path },
                Some(ErrorCode::ReadOnly) => HistoryError::ReadOnly { path },
                Some(ErrorCode::NotADatabase) => HistoryError::NotAHistory { path },
                Some(ErrorCode::DatabaseCorrupt) => HistoryError::Damaged { path, cause },
                Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => HistoryError::CannotOpen { path, cause },
                _ => HistoryError::Database { path, cause },
            },
            Self::Newer { found, known } => HistoryError::Newer { path, found, known },
            Self::NotAHistory => HistoryError::NotAHistory { path },
            Self::Backup { path, cause } => HistoryError::Backup { path, cause },
            Self::DamagedEntry { id, what } => HistoryError::DamagedEntry { path, id, what },
            Self::Unknown(id) => HistoryError::Unknown { path, id },
            Self::DamagedVersion { id, what } => HistoryError::DamagedVersion { path, id, what },
            Self::UnknownVersion(id) => HistoryError::UnknownVersion { path, id },
        }
    }
}
