//! What the workbench remembers, in one SQLite file: assemblies, unsaved edits, and the states that files had.
//!
//! Each text is stored once, by its hash; an assembly is the difference between its list of sections
//! and its parent's. What is recorded is never changed, except that the last assembly of a series counts
//! how often it was seen again. Several processes may use one file at once and lose nothing.
//!
//! Time comes in as an argument. Why things are stored as they are: `docs/decisions/0003-history-storage.md`, and
//! for drafts and versions `docs/decisions/0008-drafts-and-versions.md`.

mod assembly;
mod connection;
mod draft;
mod error;
mod migrations;
mod prefix;
mod presence;
mod record;
mod retention;
mod section_list;
mod table;
#[cfg(test)]
mod tests;
mod version;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use rusqlite::Connection;

pub use assembly::{
    AssemblyDetail, AssemblyId, AssemblyRow, CacheEstimate, ListFilter, NewAssembly, NewSection, PreviousAssembly,
    PreviousSection, Reason, Recorded, SectionSize, StoredSection, StoredText, TokenTotals,
};
pub use draft::{DraftKey, DraftPlace, NewDraft, StoredDraft};
pub use error::HistoryError;
pub use prefix::CommonPrefix;
pub use presence::Presence;
pub use retention::{Limits, Pruned, Share, Usage};
pub use version::{VersionId, VersionKind, VersionRow};

use error::Fault;
use table::{assemblies, sections, series, texts};

/// Of texts larger than this many bytes only hash and length are kept.
pub const LARGEST_TEXT: usize = 8 * 1024 * 1024;

/// How long a write waits for other processes.
const WAIT: Duration = Duration::from_secs(5);

/// An open history. Threads may share it: writes take turns, reads wait for no write.
#[derive(Debug)]
pub struct History {
    path: PathBuf,
    wait: Duration,
    writer: Mutex<Connection>,
    reader: Mutex<Connection>,
}

impl History {
    /// Opens the history at `path`; makes the file and its folder where they are missing.
    ///
    /// An older schema is brought up to date after a copy of the file was put beside it; `now` is part of
    /// the name of that copy, nothing else.
    ///
    /// # Errors
    /// Every [`HistoryError`] except those about one assembly. A file that is refused
    /// ([`HistoryError::Newer`], [`HistoryError::NotAHistory`]) is left as it is.
    pub fn open(path: &Path, now: Timestamp) -> Result<Self, HistoryError> {
        Self::open_waiting(path, now, WAIT)
    }

    fn open_waiting(path: &Path, now: Timestamp, wait: Duration) -> Result<Self, HistoryError> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|cause| HistoryError::Folder { path: folder.to_owned(), cause })?;
        }
        let open = || Ok((connection::open_writer(path, now, wait)?, connection::open_reader(path, wait)?));
        let (writer, reader) = open().map_err(|fault: Fault| fault.at(path))?;
        Ok(Self { path: path.to_owned(), wait, writer: Mutex::new(writer), reader: Mutex::new(reader) })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Records `assembly`, or counts the last one of its workspace, project, channel, variant and model as
    /// seen again: when variant version, content hash, sections, token figures and catalogue are the same.
    ///
    /// Once this returns, the record survives the end of the process.
    ///
    /// # Errors
    /// [`HistoryError::Busy`], [`HistoryError::Full`], [`HistoryError::ReadOnly`], or another fault of the
    /// database. Nothing is recorded then, and what was recorded before is intact.
    pub fn record(&self, assembly: &NewAssembly<'_>) -> Result<Recorded, HistoryError> {
        record::record(&mut lock(&self.writer), self.wait, assembly).map_err(|fault| fault.at(&self.path))
    }

    /// The last assembly of a workspace and channel, whatever its variant and model: what a prompt cache
    /// may still hold.
    ///
    /// # Errors
    /// [`HistoryError::DamagedEntry`] when its list of sections cannot be read, or a fault of the database.
    pub fn previous(&self, workspace: &str, channel: Option<&str>) -> Result<Option<PreviousAssembly>, HistoryError> {
        self.read(|connection| {
            let Some(id) = series::last_of(connection, workspace, channel)? else { return Ok(None) };
            let list = assemblies::sections(connection, id)?.ids;
            let sections = list.iter().map(|id| sections::key(connection, *id)).collect::<Result<_, _>>()?;
            Ok(Some(PreviousAssembly { id, last_seen: assemblies::last_seen(connection, id)?, sections }))
        })
    }

    /// The bytes that the text of `previous` and that of `sections` have in common at their beginning.
    ///
    /// Texts are read only from the first section on that may differ. A text that was too large to keep,
    /// or is damaged, ends the prefix.
    ///
    /// # Errors
    /// [`HistoryError::Unknown`] when `previous` was pruned meanwhile, or a fault of the database.
    pub fn common_prefix(
        &self,
        previous: &PreviousAssembly,
        sections: &[NewSection<'_>],
    ) -> Result<CommonPrefix, HistoryError> {
        self.read(|connection| {
            let list = assemblies::sections(connection, previous.id)?.ids;
            Ok(prefix::common_prefix(&previous.sections, sections, |index| {
                match sections::text(connection, *list.get(index)?).ok()?.open().ok()? {
                    StoredText::Text(text) => Some(text),
                    StoredText::Missing { .. } => None,
                }
            }))
        })
    }

    /// The assemblies that `filter` asks for, newest first.
    ///
    /// # Errors
    /// [`HistoryError::Unknown`] when the row of the cursor was pruned, or a fault of the database.
    pub fn list(&self, filter: &ListFilter) -> Result<Vec<AssemblyRow>, HistoryError> {
        self.read(|connection| assemblies::page(connection, filter))
    }

    /// How many assemblies `filter` asks for, on all pages.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn count(&self, filter: &ListFilter) -> Result<u64, HistoryError> {
        self.read(|connection| assemblies::count(connection, filter))
    }

    /// An assembly with its text, each section's checked against its hash.
    ///
    /// # Errors
    /// [`HistoryError::Unknown`]; [`HistoryError::DamagedEntry`], which names the section; a fault of the
    /// database.
    pub fn get(&self, id: AssemblyId) -> Result<AssemblyDetail, HistoryError> {
        self.read(|connection| {
            let row = assemblies::load(connection, id)?;
            let list = assemblies::sections(connection, id)?.ids;
            let sections = list.iter().map(|section| stored_section(connection, id, *section));
            Ok(AssemblyDetail { row, sections: sections.collect::<Result<_, _>>()? })
        })
    }

    /// The sections of an assembly without their texts, which are not read.
    ///
    /// # Errors
    /// [`HistoryError::Unknown`] when there is none of this id, or a fault of the database.
    pub fn section_sizes(&self, id: AssemblyId) -> Result<Vec<SectionSize>, HistoryError> {
        self.read(|connection| {
            let list = assemblies::sections(connection, id)?.ids;
            let sizes = list.iter().map(|section| {
                let row = sections::load(connection, *section)?;
                let bytes = sections::key(connection, *section)?.len;
                Ok(SectionSize { id: row.name, layer: row.layer, tokens: row.tokens, bytes })
            });
            sizes.collect()
        })
    }

    /// Size of the database in bytes, without its write-ahead log.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn size_bytes(&self) -> Result<u64, HistoryError> {
        self.read(|connection| {
            let pages: u64 = connection.pragma_query_value(None, "page_count", |row| row.get(0))?;
            let page_size: u64 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
            Ok(pages * page_size)
        })
    }

    /// Runs `query` on one state of the database, whatever is written meanwhile.
    fn read<T>(&self, query: impl FnOnce(&Connection) -> Result<T, Fault>) -> Result<T, HistoryError> {
        let read = || {
            let connection = lock(&self.reader);
            let transaction = connection.unchecked_transaction()?;
            query(&transaction)
        };
        read().map_err(|fault| fault.at(&self.path))
    }
}

fn stored_section(connection: &Connection, assembly: AssemblyId, id: u64) -> Result<StoredSection, Fault> {
    let section = sections::load(connection, id)?;
    let text = texts::load(connection, section.text)?.open().map_err(|how| Fault::DamagedEntry {
        id: assembly,
        what: format!("the text of section {}: {how}", section.name),
    })?;
    Ok(StoredSection { id: section.name, layer: section.layer, title: section.title, tokens: section.tokens, text })
}

/// A thread that panicked has rolled its transaction back: the connection is as good as before.
fn lock(connection: &Mutex<Connection>) -> MutexGuard<'_, Connection> {
    connection.lock().unwrap_or_else(PoisonError::into_inner)
}
