//! Locks, full and read-only disks, damage.

use std::fs;
use std::thread;
use std::time::Duration;

use rusqlite::Connection;

use super::{NOW, assembly, integrity, new_history};
use crate::{AssemblyId, CommonPrefix, History, HistoryError, ListFilter};

/// Runs SQL on the file behind the back of `history`.
fn meddle(history: &History, sql: &str) {
    Connection::open(history.path()).unwrap().execute_batch(sql).unwrap();
}

#[test]
fn a_lock_held_too_long_is_an_error_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let history = History::open_waiting(&folder.path().join("history.db"), NOW, Duration::from_millis(50)).unwrap();
    history.record(&assembly(&["before"])).unwrap();
    let other = Connection::open(history.path()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let error = history.record(&assembly(&["during"])).unwrap_err();
    assert!(matches!(error, HistoryError::Busy { .. }), "{error}");
    assert!(error.to_string().contains("is locked by another program"), "{error}");
    assert_eq!(history.list(&ListFilter::default()).unwrap().len(), 1, "reading goes on");
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(history.record(&assembly(&["after"])).unwrap().id(), AssemblyId(2));
}

#[test]
fn a_lock_given_up_in_time_is_waited_for() {
    let (_folder, history) = new_history();
    let other = Connection::open(history.path()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let release = thread::spawn(move || {
        thread::sleep(Duration::from_millis(100));
        other.execute_batch("ROLLBACK").unwrap();
    });
    assert_eq!(history.record(&assembly(&["a"])).unwrap().id(), AssemblyId(1));
    release.join().unwrap();
}

#[test]
fn a_full_disk_costs_only_what_did_not_fit() {
    let (_folder, history) = new_history();
    let limit = |pages: u32| history.writer.lock().unwrap().pragma_update(None, "max_page_count", pages).unwrap();
    limit(40);
    let mut recorded = 0;
    let error = loop {
        // Not compressible: hexadecimal digits of hashes, and half of 2 KiB at least is left of them.
        let text: String = (0..32).map(|n| blake3::hash(&[recorded as u8, n]).to_hex().to_string()).collect();
        match history.record(&assembly(&[&text])) {
            Ok(_) => recorded += 1,
            Err(error) => break error,
        }
        assert!(recorded < 320, "40 pages of 8 KiB hold 327,680 bytes, less than 320 texts of a kilobyte");
    };
    assert!(matches!(error, HistoryError::Full { .. }), "{error}");
    assert!(error.to_string().contains("disk is full"), "{error}");
    assert_eq!(history.count(&ListFilter::default()).unwrap(), recorded);
    assert_eq!(integrity(history.path()), "ok");
    limit(1_000);
    assert_eq!(history.record(&assembly(&["room again"])).unwrap().id().0, recorded as i64 + 1);
}

#[test]
fn a_read_only_file_is_named_as_such() {
    let (_folder, history) = new_history();
    history.writer.lock().unwrap().pragma_update(None, "query_only", true).unwrap();
    let error = history.record(&assembly(&["a"])).unwrap_err();
    assert!(matches!(error, HistoryError::ReadOnly { .. }), "{error}");
}

#[test]
fn a_place_that_cannot_be_opened_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let error = History::open(&file.join("history.db"), NOW).unwrap_err();
    assert!(matches!(&error, HistoryError::Folder { path, .. } if *path == file), "{error}");
    let directory = folder.path().join("history.db");
    fs::create_dir(&directory).unwrap();
    let error = History::open(&directory, NOW).unwrap_err();
    assert!(matches!(&error, HistoryError::CannotOpen { path, .. } if *path == directory), "{error}");
}

#[test]
fn a_damaged_text_is_reported_and_the_rest_goes_on() {
    let long = "some words that are compressed ".repeat(100);
    for (damage, how) in [
        ("UPDATE texts SET body = 'xone' WHERE body = CAST('one ' AS BLOB)", "does not match its hash"),
        ("UPDATE texts SET body = substr(body, 1, 20) WHERE encoding = 1", "does not decompress"),
        ("UPDATE texts SET length = 1 << 40 WHERE encoding = 1", "does not decompress"),
    ] {
        let (_folder, history) = new_history();
        history.record(&assembly(&["other"])).unwrap();
        history.record(&assembly(&["one ", &long])).unwrap();
        meddle(&history, &damage.replace("'xone'", "CAST('xone' AS BLOB)"));
        let error = history.get(AssemblyId(2)).unwrap_err();
        assert!(
            matches!(&error, HistoryError::DamagedEntry { id: AssemblyId(2), what, .. } if what.contains(how)),
            "{error}"
        );
        assert!(error.to_string().contains("the text of section section-"), "{error}");
        assert_eq!(history.list(&ListFilter::default()).unwrap().len(), 2, "still listed");
        history.get(AssemblyId(1)).unwrap();
        let next = assembly(&["one more", &long]);
        let previous = history.previous(next.workspace, next.channel).unwrap().unwrap();
        let prefix = history.common_prefix(&previous, &next.sections).unwrap();
        assert!(prefix.breaks_at == Some(0) && prefix.bytes <= 4, "{prefix:?}");
        assert_eq!(history.record(&next).unwrap().id(), AssemblyId(3));
    }
}

#[test]
fn a_damaged_list_is_reported_and_what_follows_is_recorded_in_full() {
    for damage in ["sections = x'80'", "depth = 5", "parent = NULL"] {
        let (_folder, history) = new_history();
        history.record(&assembly(&["a", "b"])).unwrap();
        history.record(&assembly(&["a", "c"])).unwrap();
        meddle(&history, &format!("UPDATE assemblies SET {damage} WHERE id = 2"));
        let error = history.get(AssemblyId(2)).unwrap_err();
        assert!(matches!(&error, HistoryError::DamagedEntry { id: AssemblyId(2), .. }), "{damage}: {error}");
        history.record(&assembly(&["a", "d"])).unwrap();
        let texts = history.get(AssemblyId(3)).unwrap().sections.len();
        assert_eq!(texts, 2, "{damage}");
    }
}

#[test]
fn a_damaged_page_is_named() {
    let (_folder, history) = new_history();
    history.record(&assembly(&["a"])).unwrap();
    let path = history.path().to_owned();
    drop(history);
    let mut bytes = fs::read(&path).unwrap();
    bytes[8192..].fill(0xff);
    fs::write(&path, bytes).unwrap();
    let history = History::open(&path, NOW).unwrap();
    let error = history.list(&ListFilter::default()).unwrap_err();
    assert!(matches!(error, HistoryError::Damaged { .. }), "{error}");
}

#[test]
fn a_prefix_across_a_prune_is_an_error_not_a_guess() {
    let (_folder, history) = new_history();
    let new = assembly(&["a"]);
    history.record(&new).unwrap();
    let previous = history.previous(new.workspace, new.channel).unwrap().unwrap();
    assert_eq!(history.common_prefix(&previous, &new.sections).unwrap(), CommonPrefix { bytes: 1, breaks_at: None });
    meddle(&history, "DELETE FROM assemblies");
    let error = history.common_prefix(&previous, &new.sections).unwrap_err();
    assert!(matches!(error, HistoryError::Unknown { .. }), "{error}");
    assert_eq!(history.record(&new).unwrap().id(), AssemblyId(2), "an id never comes back");
}

/// A disk of its own, gone when dropped.
#[cfg(target_os = "linux")]
struct SmallDisk(tempfile::TempDir);

#[cfg(target_os = "linux")]
impl SmallDisk {
    /// A megabyte; what `mount` says where it is not allowed.
    fn new() -> Result<Self, String> {
        let folder = tempfile::tempdir().unwrap();
        mount(&["-t", "tmpfs", "-o", "size=1m", "none"], folder.path()).map(|()| Self(folder))
    }
}

#[cfg(target_os = "linux")]
impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg("--lazy").arg(self.0.path()).status();
    }
}

#[cfg(target_os = "linux")]
fn mount(arguments: &[&str], folder: &std::path::Path) -> Result<(), String> {
    let output =
        std::process::Command::new("mount").args(arguments).arg(folder).output().map_err(|cause| cause.to_string())?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

#[cfg(target_os = "linux")]
#[test]
#[expect(clippy::print_stderr, reason = "a person who reads the log should know what was not tried")]
fn a_disk_that_is_full_then_read_only() {
    let disk = match SmallDisk::new() {
        Ok(disk) => disk,
        Err(reason) => return eprintln!("left out, a disk cannot be mounted here: {reason}"),
    };
    let path = disk.0.path().join("history.db");
    let history = History::open(&path, NOW).unwrap();
    let mut recorded: u64 = 0;
    let error = loop {
        let text: String = (0..32).map(|n| blake3::hash(&[recorded as u8, n]).to_hex().to_string()).collect();
        match history.record(&assembly(&[&text])) {
            Ok(_) => recorded += 1,
            Err(error) => break error,
        }
        assert!(recorded < 1_024, "a megabyte holds less than 1,024 texts of a kilobyte");
    };
    assert!(matches!(error, HistoryError::Full { .. }), "{error}");
    assert_eq!(history.count(&ListFilter::default()).unwrap(), recorded);
    drop(history);
    // The index of the log takes 32 KiB: whether there is room to open the file again depends on where it stopped.
    if let Err(error) = History::open(&path, NOW) {
        assert!(matches!(error, HistoryError::Full { .. }), "{error}");
    }
    mount(&["-o", "remount,size=8m"], disk.0.path()).unwrap();
    assert_eq!(integrity(&path), "ok");
    let history = History::open(&path, NOW).unwrap();
    assert_eq!(history.count(&ListFilter::default()).unwrap(), recorded);
    drop(history);
    mount(&["-o", "remount,ro"], disk.0.path()).unwrap();
    let error = History::open(&path, NOW).and_then(|history| history.record(&assembly(&["a"]))).unwrap_err();
    assert!(matches!(error, HistoryError::ReadOnly { .. } | HistoryError::CannotOpen { .. }), "{error}");
}
