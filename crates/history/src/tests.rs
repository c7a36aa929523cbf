//! Tests of the whole crate, with its inside in reach: faults have to be caused somewhere.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::cast_possible_wrap, clippy::cast_sign_loss, reason = "small counts become ids")]

mod drafts;
mod faults;
mod migrations;
mod processes;
mod reading;
mod recording;
mod retention;
mod size;
mod versions;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use jiff::Timestamp;
use model::ContentHash;
use tempfile::TempDir;

use crate::{History, NewAssembly, NewSection, Reason, TokenTotals};

/// 2025-12-01T00:00:00Z.
const NOW: Timestamp = Timestamp::constant(1_764_547_200, 0);

/// A new history in a folder of its own.
fn new_history() -> (TempDir, History) {
    let folder = tempfile::tempdir().unwrap();
    let history = History::open(&folder.path().join("history.db"), NOW).unwrap();
    (folder, history)
}

/// An assembly of these section texts; everything else is the same each time.
fn assembly<'a>(texts: &[&'a str]) -> NewAssembly<'a> {
    let sections: Vec<_> = texts
        .iter()
        .enumerate()
        .map(|(index, text)| NewSection {
            id: format!("section-{index}").into(),
            layer: Some(1),
            title: "A title".into(),
            text: (*text).into(),
            tokens: Some(7),
        })
        .collect();
    NewAssembly {
        time: NOW,
        workspace: "/home/ann/.catbuddy/workspace",
        project: None,
        channel: Some("chat"),
        variant: "catbuddy",
        variant_version: 3,
        model: Some("some-model"),
        fingerprint: "fingerprint",
        content_hash: ContentHash(blake3::hash(texts.concat().as_bytes()).into()),
        sections,
        tokens: TokenTotals { total: Some(70), low: Some(60), high: Some(80), method: "a method".to_owned() },
        parent: None,
        cache: None,
        catalogue: Some("2026-01"),
        reason: Reason::Cli,
    }
}

/// The full size of a test when `CBW_LONG=1`, a small one otherwise.
fn sized<T>(small: T, full: T) -> T {
    if env::var_os("CBW_LONG").is_some_and(|value| value == "1") { full } else { small }
}

const CHILD_PATH: &str = "CBW_HISTORY_CHILD_PATH";
const CHILD_NUMBER: &str = "CBW_HISTORY_CHILD_NUMBER";

/// Runs the test of this name again in a process of its own, as child `number` on the database at `path`.
fn spawn(test: &str, path: &Path, number: usize) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(CHILD_PATH, path)
        .env(CHILD_NUMBER, number.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// What [`spawn`] passed, when this process is such a child.
fn child() -> Option<(PathBuf, usize)> {
    let path = env::var_os(CHILD_PATH)?;
    Some((path.into(), env::var(CHILD_NUMBER).unwrap().parse().unwrap()))
}

/// Waits for all, and fails if one of them did.
fn all_succeed(children: Vec<Child>) {
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "a child failed: {}", String::from_utf8_lossy(&output.stdout));
    }
}

/// What SQLite itself says of the file.
fn integrity(path: &Path) -> String {
    let connection = rusqlite::Connection::open(path).unwrap();
    connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap()
}
