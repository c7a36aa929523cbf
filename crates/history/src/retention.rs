//! Retention: what of the history is removed, and how much room each part of it takes.
//!
//! Never removed: drafts and what they are edits of, the newest version of each file, the last assembly of each
//! workspace and channel, and what a person pinned. Removing goes in short steps, so that other writers get their turn.

use std::collections::HashSet;
use std::thread::sleep;
use std::time::Duration;

use jiff::Timestamp;
use rusqlite::{Connection, TransactionBehavior};

use crate::connection::{vacuum, write};
use crate::error::{Fault, HistoryError};
use crate::table::expiry::{self, Doomed, Due};
use crate::table::{contents, sections};
use crate::{History, lock};

/// How many assemblies and versions go in one step.
const AT_ONCE: u64 = 2_000;

/// How many go at least when the size asks for it.
const AT_LEAST: u64 = 16;

/// How long other writers have between two steps.
const PAUSE: Duration = Duration::from_millis(5);

/// What may stay. Without any limit only leftovers go.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Assemblies last seen before this moment go, and versions that were replaced before it.
    pub before: Option<Timestamp>,
    /// So many assemblies stay, and so many versions of each file; the newest.
    pub count: Option<u32>,
    /// Bytes that the history may take. While it takes more, the oldest go, of both kinds.
    pub bytes: Option<u64>,
}

/// What went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pruned {
    /// So many assemblies.
    pub assemblies: u64,
    /// So many versions.
    pub versions: u64,
    /// Bytes in use before.
    pub bytes_before: u64,
    /// Bytes in use after.
    pub bytes_after: u64,
}

/// Rows of one kind and the room they take.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Share {
    /// How many there are.
    pub count: u64,
    /// Bytes of the pages they fill, with their indexes.
    pub bytes: u64,
}

/// The room that the history takes, by kind. The bytes add up to the size of the database.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Usage {
    /// Assemblies, with their texts.
    pub assemblies: Share,
    /// Versions of files, and what drafts are edits of.
    pub versions: Share,
    /// Unsaved edits.
    pub drafts: Share,
    /// What belongs to none of them: free pages and SQLite's own.
    pub other: u64,
}

impl History {
    /// Removes what `limits` do not let stay, and gives the room back to the disk.
    ///
    /// # Errors
    /// A fault of the database; what was removed before it stays removed, and nothing is half there.
    pub fn prune(&self, limits: &Limits) -> Result<Pruned, HistoryError> {
        self.prune_while(limits, &|| true)
    }

    /// [`History::prune`], which ends early, between two steps, once `go_on` says no.
    ///
    /// # Errors
    /// As [`History::prune`].
    pub fn prune_while(&self, limits: &Limits, go_on: &dyn Fn() -> bool) -> Result<Pruned, HistoryError> {
        let mut pruned = Pruned { bytes_before: self.used_bytes()?, ..Pruned::default() };
        loop {
            let step = write(&mut lock(&self.writer), self.wait, |transaction| step(transaction, limits))
                .map_err(|fault| fault.at(&self.path))?;
            pruned.assemblies += step.assemblies;
            pruned.versions += step.versions;
            if step.is_last() || !go_on() {
                break;
            }
            sleep(PAUSE);
        }
        let removed = pruned.assemblies + pruned.versions > 0;
        vacuum(&self.writer, self.wait, removed, go_on).map_err(|fault| fault.at(&self.path))?;
        pruned.bytes_after = self.used_bytes()?;
        Ok(pruned)
    }

    /// Whether `limits` let something go. Nothing is written, and no writer waits.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn is_due(&self, limits: &Limits) -> Result<bool, HistoryError> {
        self.read(|connection| {
            if let Some(most) = limits.bytes
                && expiry::used_bytes(connection)? > most
            {
                return Ok(!expiry::oldest(connection, due(limits, true), 1)?.is_empty());
            }
            Ok(!expiry::oldest(connection, due(limits, false), 1)?.is_empty())
        })
    }

    /// What [`History::prune`] would remove now; nothing is.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn prune_preview(&self, limits: &Limits) -> Result<Pruned, HistoryError> {
        let preview = || {
            let mut connection = lock(&self.writer);
            // Tried out and rolled back: two ways to find out what goes would come to differ.
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let mut pruned = Pruned { bytes_before: expiry::used_bytes(&transaction)?, ..Pruned::default() };
            loop {
                let step = step(&transaction, limits)?;
                pruned.assemblies += step.assemblies;
                pruned.versions += step.versions;
                if step.is_last() {
                    break;
                }
            }
            pruned.bytes_after = expiry::used_bytes(&transaction)?;
            transaction.rollback()?;
            Ok(pruned)
        };
        preview().map_err(|fault: Fault| fault.at(&self.path))
    }

    /// Bytes in use: the size of the database without its free pages.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn used_bytes(&self) -> Result<u64, HistoryError> {
        self.read(|connection| Ok(expiry::used_bytes(connection)?))
    }

    /// How many rows of each kind there are, and the room they take. Looks at each page.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn usage(&self) -> Result<Usage, HistoryError> {
        self.read(|connection| Ok(expiry::usage(connection)?))
    }
}

struct Step {
    assemblies: u64,
    versions: u64,
}

impl Step {
    fn is_last(&self) -> bool {
        self.assemblies + self.versions == 0
    }
}

fn due(limits: &Limits, any: bool) -> Due {
    Due { before: limits.before, count: limits.count, any }
}

/// Removes some of what is due, and what nothing refers to any more.
fn step(connection: &Connection, limits: &Limits) -> Result<Step, Fault> {
    let mut doomed = expiry::oldest(connection, due(limits, false), AT_ONCE)?;
    if doomed.is_empty()
        && let Some(most) = limits.bytes
    {
        let used = expiry::used_bytes(connection)?;
        if used > most {
            // Half of what its share of the rows would be: what is removed too much does not come back.
            let share = u128::from(expiry::rows(connection)?) * u128::from(used - most) / u128::from(used) / 2;
            let some = u64::try_from(share).unwrap_or(AT_ONCE).clamp(AT_LEAST, AT_ONCE);
            doomed = expiry::oldest(connection, due(limits, true), some)?;
        }
    }
    let Doomed { assemblies, versions } = &doomed;
    if !assemblies.is_empty() {
        expiry::remove_assemblies(connection, assemblies)?;
        let mut unused: HashSet<u64> = sections::all(connection)?;
        expiry::each_introduced(connection, |section| {
            unused.remove(&section);
        })?;
        sections::remove(connection, &unused)?;
    }
    expiry::remove_versions(connection, versions)?;
    contents::sweep(connection)?;
    Ok(Step { assemblies: assemblies.len() as u64, versions: versions.len() as u64 })
}
