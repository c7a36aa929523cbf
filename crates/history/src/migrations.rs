//! Brings a database to the schema of this build.
//!
//! `user_version` counts the steps that were applied. All missing steps run in one IMMEDIATE transaction:
//! of several processes that open an old file at once, one migrates and the others find it done. Before an
//! existing schema changes, the file is copied beside itself, while the write lock is held.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use rusqlite::backup::Backup;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use crate::error::Fault;

/// The steps, oldest first. Add at the end; what is released stays as it is.
pub(crate) const STEPS: &[&str] =
    &[include_str!("../schema/0001_assemblies.sql"), include_str!("../schema/0002_drafts_and_versions.sql")];

/// `PRAGMA application_id` of our files, set by the first step: "CBWH".
const APPLICATION_ID: u32 = 0x4342_5748;

/// Applies to the database at `path` those of `steps` that it lacks.
pub(crate) fn migrate(connection: &mut Connection, path: &Path, steps: &[&str], now: Timestamp) -> Result<(), Fault> {
    if missing(connection, steps)?.is_empty() {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have migrated while this one waited for the lock.
    let missing = missing(&transaction, steps)?;
    let found = steps.len() - missing.len();
    if found > 0 && !missing.is_empty() {
        back_up(path, found, now)?;
    }
    for step in missing {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", steps.len() as u32)?;
    Ok(transaction.commit()?)
}

/// Refuses, without a write, a database that is not ours or is newer than `steps`.
pub(crate) fn check_fit(connection: &Connection, steps: &[&str]) -> Result<(), Fault> {
    // In this order: another process may make the schema, and the id with it, between the two.
    let objects: u32 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let application: u32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    if objects > 0 && application != APPLICATION_ID {
        return Err(Fault::NotAHistory);
    }
    missing(connection, steps).map(|_| ())
}

/// The steps that `connection` lacks; an error when it has more than there are.
fn missing<'a>(connection: &Connection, steps: &'a [&'a str]) -> Result<&'a [&'a str], Fault> {
    let found: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    steps.get(found as usize..).ok_or(Fault::Newer { found, known: steps.len() as u32 })
}

/// Copies the database of schema `version` to `<file>.v<version>-<time>.backup`.
///
/// Through a connection of its own: SQLite does not copy from one that is writing.
fn back_up(path: &Path, version: usize, now: Timestamp) -> Result<(), Fault> {
    let target = beside(path, &format!(".v{version}-{}.backup", now.strftime("%Y%m%dT%H%M%SZ")));
    let partial = beside(&target, ".partial");
    let copy = || -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        if partial.exists() {
            fs::remove_file(&partial)?;
        }
        let source = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let mut copy = Connection::open(&partial)?;
        Backup::new(&source, &mut copy)?.run_to_completion(1024, Duration::ZERO, None)?;
        copy.close().map_err(|(_, cause)| cause)?;
        Ok(fs::rename(&partial, &target)?)
    };
    copy().map_err(|cause| Fault::Backup { path: target.clone(), cause })
}

/// `path` with `suffix` after its file name.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}
