//! Versions: exact bytes, each once, damaged ones by name, the oldest forgotten first.

use rusqlite::Connection;

use super::{NOW, assembly, new_history};
use crate::migrations::STEPS;
use crate::{DraftKey, History, HistoryError, VersionId, VersionKind};

fn key(path: &str) -> DraftKey {
    DraftKey { folder: "/home/ann/.catbuddy/workspace".to_owned(), path: path.to_owned() }
}

fn keep(history: &History, path: &str, bytes: &[u8]) -> VersionId {
    history.keep_version(&key(path), bytes, VersionKind::Saved, NOW).unwrap()
}

#[test]
fn a_version_has_the_very_bytes() {
    let (_folder, history) = new_history();
    let odd = [&b"\xEF\xBB\xBFname:\r\n\xC4\xE3\0\r"[..], &vec![b'x'; 100_000]].concat();
    let texts = [&b""[..], b"one\n", &odd];
    let ids: Vec<_> = texts.iter().map(|text| keep(&history, "USER.md", text)).collect();
    for (id, text) in ids.iter().zip(texts) {
        let (row, bytes) = history.version(&key("USER.md"), *id).unwrap();
        assert_eq!(bytes, text);
        assert_eq!((row.length, row.kind, row.time), (text.len() as u64, VersionKind::Saved, NOW));
    }
    let listed: Vec<_> = history.versions(&key("USER.md"), None, 10).unwrap().iter().map(|row| row.id).collect();
    assert_eq!(listed, [ids[2], ids[1], ids[0]], "newest first");
    let older: Vec<_> = history.versions(&key("USER.md"), Some(ids[2]), 1).unwrap().iter().map(|row| row.id).collect();
    assert_eq!(older, [ids[1]]);
}

#[test]
fn the_newest_is_not_repeated_and_equal_bytes_are_stored_once() {
    let (_folder, history) = new_history();
    let a = keep(&history, "USER.md", b"a");
    assert_eq!(keep(&history, "USER.md", b"a"), a);
    let b = keep(&history, "USER.md", b"b");
    let again = keep(&history, "USER.md", b"a");
    assert!(a < b && b < again, "a state that comes back is a state of its own");
    keep(&history, "SOUL.md", b"a");
    let connection = Connection::open(history.path()).unwrap();
    let stored: u32 = connection.query_row("SELECT count(*) FROM contents", [], |row| row.get(0)).unwrap();
    assert_eq!(stored, 2);
}

#[test]
fn a_version_belongs_to_its_file() {
    let (_folder, history) = new_history();
    let id = keep(&history, "USER.md", b"a");
    let other = history.version(&key("SOUL.md"), id);
    assert!(matches!(other, Err(HistoryError::UnknownVersion { .. })), "{other:?}");
    assert!(history.versions(&key("SOUL.md"), None, 10).unwrap().is_empty());
}

#[test]
fn a_damaged_version_stays_listed_and_harms_no_other() {
    let (_folder, history) = new_history();
    let (a, b) = (keep(&history, "USER.md", b"a"), keep(&history, "USER.md", b"b"));
    let connection = Connection::open(history.path()).unwrap();
    connection.execute("UPDATE contents SET body = x'7A' WHERE hash = ?1", [blake3::hash(b"a").as_bytes()]).unwrap();
    assert_eq!(history.versions(&key("USER.md"), None, 10).unwrap().len(), 2);
    let damaged = history.version(&key("USER.md"), a).unwrap_err();
    assert!(damaged.to_string().contains("does not match its hash"), "{damaged}");
    assert_eq!(history.version(&key("USER.md"), b).unwrap().1, b"b");
}

#[test]
fn a_database_of_the_first_schema_gets_the_new_tables_and_keeps_its_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history.db");
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch(STEPS[0]).unwrap();
    connection.execute("INSERT INTO names (text) VALUES ('/old')", []).unwrap();
    connection.pragma_update(None, "user_version", 1).unwrap();
    drop(connection);
    let history = History::open(&path, NOW).unwrap();
    history.record(&assembly(&["a"])).unwrap();
    keep(&history, "USER.md", b"a");
    let connection = Connection::open(&path).unwrap();
    let kept: u32 =
        connection.query_row("SELECT count(*) FROM names WHERE text = '/old'", [], |row| row.get(0)).unwrap();
    assert_eq!(kept, 1);
    assert!(folder.path().join("history.db.v1-20251201T000000Z.backup").exists());
}
