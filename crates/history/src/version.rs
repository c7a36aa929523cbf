//! Versions: the states that a user's file had, byte for byte.
//!
//! What a save replaces is kept before it is replaced. A state that repeats the newest one makes no row, and equal
//! bytes are stored once.

use std::fmt;

use jiff::Timestamp;
use model::ContentHash;

use crate::connection::write;
use crate::draft::DraftKey;
use crate::error::{Fault, HistoryError};
use crate::table::contents::NewContent;
use crate::table::versions;
use crate::{History, lock};

/// Number of a version. Never given to another one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct VersionId(pub i64);

impl fmt::Display for VersionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What a version was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VersionKind {
    /// What stood on disk before a save or a decision replaced it.
    Found,
    /// What a save wrote.
    Saved,
    /// Unsaved edits that were thrown away.
    Draft,
}

impl VersionKind {
    /// The word that is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::Saved => "saved",
            Self::Draft => "draft",
        }
    }

    pub(crate) fn from_word(word: &str) -> Option<Self> {
        [Self::Found, Self::Saved, Self::Draft].into_iter().find(|kind| kind.as_str() == word)
    }
}

/// One version in a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VersionRow {
    /// Its number.
    pub id: VersionId,
    /// When it was kept.
    pub time: Timestamp,
    /// What it was.
    pub kind: VersionKind,
    /// Hash of its bytes.
    pub hash: ContentHash,
    /// How many there are.
    pub length: u64,
}

impl History {
    /// Keeps a state of a file. The newest version stands for it when it has the same bytes.
    ///
    /// Once this returns, it survives the end of the process.
    ///
    /// # Errors
    /// [`HistoryError::Busy`], [`HistoryError::Full`], [`HistoryError::ReadOnly`], or another fault of the
    /// database; nothing is kept then.
    pub fn keep_version(
        &self,
        key: &DraftKey,
        bytes: &[u8],
        kind: VersionKind,
        time: Timestamp,
    ) -> Result<VersionId, HistoryError> {
        let content = NewContent::new(bytes);
        write(&mut lock(&self.writer), self.wait, |transaction| versions::put(transaction, key, &content, kind, time))
            .map_err(|fault| fault.at(&self.path))
    }

    /// The versions of a file that are older than `before`, newest first, at most `limit`.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn versions(
        &self,
        key: &DraftKey,
        before: Option<VersionId>,
        limit: u32,
    ) -> Result<Vec<VersionRow>, HistoryError> {
        self.read(|connection| versions::page(connection, key, before, limit))
    }

    /// One version of a file and its bytes, checked against their hash.
    ///
    /// # Errors
    /// [`HistoryError::UnknownVersion`]; [`HistoryError::DamagedVersion`]; a fault of the database.
    pub fn version(&self, key: &DraftKey, id: VersionId) -> Result<(VersionRow, Vec<u8>), HistoryError> {
        self.read(|connection| {
            let (row, bytes) = versions::load(connection, key, id)?.ok_or(Fault::UnknownVersion(id))?;
            Ok((row, bytes.map_err(|what| Fault::DamagedVersion { id, what })?))
        })
    }
}
