//! The schema: made, brought up to date, refused.

use std::fs;
use std::path::Path;

use rusqlite::Connection;

use super::{NOW, all_succeed, assembly, child, new_history, spawn};
use crate::error::Fault;
use crate::migrations::{STEPS, migrate};
use crate::{History, HistoryError, ListFilter};

/// A step that fails when it runs twice.
const NEXT_STEP: &str = "CREATE TABLE notes (assembly INTEGER NOT NULL REFERENCES assemblies (id)) STRICT;";
const BACKUP: &str = "history.db.v2-20251201T000000Z.backup";

/// The database at `path`, migrated with one step more than there is.
fn update(path: &Path, step: &str) -> Result<(), Fault> {
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    migrate(&mut connection, path, &[STEPS, &[step]].concat(), NOW)
}

fn version(path: &Path) -> u32 {
    Connection::open(path).unwrap().pragma_query_value(None, "user_version", |row| row.get(0)).unwrap()
}

fn backups(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.contains(".backup") && !name.ends_with("-wal") && !name.ends_with("-shm")).collect()
}

#[test]
fn a_new_file_has_what_only_a_new_file_can_have() {
    let (folder, history) = new_history();
    let connection = history.writer.lock().unwrap();
    let pragma = |name: &str| -> String {
        connection.query_row(&format!("SELECT CAST({name} AS TEXT) FROM pragma_{name}"), [], |row| row.get(0)).unwrap()
    };
    let names = ["user_version", "page_size", "auto_vacuum", "journal_mode", "synchronous", "foreign_keys"];
    assert_eq!(names.map(pragma), ["2", "8192", "2", "wal", "1", "1"]);
    assert_eq!(pragma("application_id"), u32::from_be_bytes(*b"CBWH").to_string());
    assert_eq!(backups(folder.path()), [""; 0], "there was nothing to copy");
}

#[test]
fn an_older_file_is_copied_and_brought_up_to_date() {
    let (folder, history) = new_history();
    history.record(&assembly(&["a"])).unwrap();
    let path = history.path().to_owned();
    // The history stays open: what it wrote may still be in the log alone.
    update(&path, NEXT_STEP).unwrap();
    assert_eq!(version(&path), 3);
    assert_eq!(backups(folder.path()), [BACKUP]);
    let backup = History::open(&folder.path().join(BACKUP), NOW).unwrap();
    assert_eq!(backup.list(&ListFilter::default()).unwrap(), history.list(&ListFilter::default()).unwrap());
    update(&path, NEXT_STEP).unwrap();
    assert_eq!(backups(folder.path()).len(), 1, "nothing to do, nothing to copy");
}

#[test]
fn a_step_that_fails_changes_nothing() {
    let (_folder, history) = new_history();
    history.record(&assembly(&["a"])).unwrap();
    let path = history.path().to_owned();
    let fault = update(&path, &format!("{NEXT_STEP} no SQL")).unwrap_err();
    assert!(matches!(fault, Fault::Sqlite(_)), "{fault:?}");
    assert_eq!(version(&path), 2);
    assert_eq!(history.count(&ListFilter::default()).unwrap(), 1);
    update(&path, NEXT_STEP).unwrap();
}

#[test]
fn without_a_backup_there_is_no_change() {
    let (folder, history) = new_history();
    let target = folder.path().join(BACKUP);
    fs::create_dir(&target).unwrap();
    let error = update(history.path(), NEXT_STEP).unwrap_err().at(history.path());
    assert!(matches!(&error, HistoryError::Backup { path, .. } if *path == target), "{error}");
    assert_eq!(version(history.path()), 2);
}

#[test]
fn processes_that_migrate_at_once_do_it_once() {
    let test = "tests::migrations::processes_that_migrate_at_once_do_it_once";
    if let Some((path, _)) = child() {
        return update(&path, NEXT_STEP).unwrap();
    }
    let (folder, history) = new_history();
    history.record(&assembly(&["a"])).unwrap();
    all_succeed((0..4).map(|number| spawn(test, history.path(), number)).collect());
    assert_eq!(version(history.path()), 3);
    assert_eq!(backups(folder.path()), [BACKUP]);
}

#[test]
fn processes_that_make_the_file_at_once_make_one() {
    let test = "tests::migrations::processes_that_make_the_file_at_once_make_one";
    if let Some((path, number)) = child() {
        let history = History::open(&path, NOW).unwrap();
        history.record(&assembly(&[&number.to_string()])).unwrap();
        return;
    }
    for _ in 0..3 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/history.db");
        all_succeed((0..4).map(|number| spawn(test, &path, number)).collect());
        assert_eq!(History::open(&path, NOW).unwrap().count(&ListFilter::default()).unwrap(), 4);
    }
}

#[test]
fn a_newer_file_is_refused_and_untouched() {
    let (_folder, history) = new_history();
    history.record(&assembly(&["a"])).unwrap();
    let path = history.path().to_owned();
    drop(history);
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 7).unwrap();
    refused_untouched(&path, |error| matches!(error, HistoryError::Newer { found: 7, known: 2, .. }));
    let message = History::open(&path, NOW).unwrap_err().to_string();
    for part in [path.to_str().unwrap(), "newer version", "schema 7", "left untouched", "update the program"] {
        assert!(message.contains(part), "{message:?} lacks {part:?}");
    }
}

#[test]
fn what_is_no_history_is_refused_and_untouched() {
    let folder = tempfile::tempdir().unwrap();
    let is_none = |error: &HistoryError| matches!(error, HistoryError::NotAHistory { .. });
    let text = folder.path().join("notes.txt");
    fs::write(&text, "my notes, longer than the hundred bytes of a header ".repeat(9)).unwrap();
    refused_untouched(&text, is_none);
    let other = folder.path().join("other.db");
    Connection::open(&other).unwrap().execute_batch("CREATE TABLE mine (a); INSERT INTO mine VALUES (1)").unwrap();
    refused_untouched(&other, is_none);
}

#[test]
fn a_damaged_schema_is_named_and_untouched() {
    let (_folder, history) = new_history();
    let path = history.path().to_owned();
    drop(history);
    let mut bytes = fs::read(&path).unwrap();
    bytes[100..8192].fill(0xff); // the first page after the header: the table of tables
    fs::write(&path, bytes).unwrap();
    refused_untouched(&path, |error| matches!(error, HistoryError::Damaged { .. }));
}

fn refused_untouched(path: &Path, expected: fn(&HistoryError) -> bool) {
    let before = fs::read(path).unwrap();
    let error = History::open(path, NOW).unwrap_err();
    assert!(expected(&error), "{error}");
    assert!(error.to_string().contains(path.to_str().unwrap()), "{error} does not name the file");
    assert!(fs::read(path).unwrap() == before, "{} was changed", path.display());
}
