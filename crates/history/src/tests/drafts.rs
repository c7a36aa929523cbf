//! Drafts: kept for each window apart, taken over from dead ones by one, and there after a kill.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write, stdout};
use std::path::Path;
use std::sync::Arc;

use super::{NOW, all_succeed, child, integrity, new_history, sized, spawn};
use crate::{DraftKey, History, NewDraft, Presence, StoredDraft};

const FOLDER: &str = "/home/ann/.catbuddy/workspace";

fn key(path: &str) -> DraftKey {
    DraftKey { folder: FOLDER.to_owned(), path: path.to_owned() }
}

fn draft(text: &str, base: Option<&[u8]>) -> NewDraft {
    NewDraft { text: Arc::from(text), base: base.map(Arc::from), time: NOW }
}

fn keep(history: &History, writer: &str, path: &str, text: &str) {
    history.keep_drafts(writer, &BTreeMap::from([(key(path), Some(draft(text, Some(b"base"))))])).unwrap();
}

fn texts(drafts: &[StoredDraft]) -> Vec<(&str, &str)> {
    drafts.iter().map(|draft| (draft.place.key.path.as_str(), draft.text.as_deref().unwrap())).collect()
}

#[test]
fn the_newest_text_of_a_window_counts_and_its_base_stays_byte_for_byte() {
    let (_folder, history) = new_history();
    let long = "a line that repeats\r\n".repeat(500);
    let bytes = b"\xEF\xBB\xBFnot utf-8: \xFF\r\n".repeat(100);
    history.keep_drafts("one", &BTreeMap::from([(key("USER.md"), Some(draft("first", Some(&bytes))))])).unwrap();
    let both =
        BTreeMap::from([(key("USER.md"), Some(draft(&long, Some(&bytes)))), (key("SOUL.md"), Some(draft("", None)))]);
    history.keep_drafts("one", &both).unwrap();
    let stored = history.drafts_of(FOLDER, "one").unwrap();
    assert_eq!(texts(&stored), [("SOUL.md", ""), ("USER.md", long.as_str())]);
    assert_eq!(stored[0].base, Ok(None), "there was no file");
    assert_eq!(stored[1].base.as_ref().unwrap().as_deref(), Some(&*bytes));
    history.keep_drafts("one", &BTreeMap::from([(key("USER.md"), None)])).unwrap();
    assert_eq!(texts(&history.drafts_of(FOLDER, "one").unwrap()), [("SOUL.md", "")]);
}

#[test]
fn windows_do_not_write_over_each_other() {
    let (_folder, history) = new_history();
    keep(&history, "one", "USER.md", "mine");
    keep(&history, "two", "USER.md", "yours");
    assert_eq!(texts(&history.drafts_of(FOLDER, "one").unwrap()), [("USER.md", "mine")]);
    let taken = history.take_over_drafts(FOLDER, "two", &|_| true).unwrap();
    assert_eq!(texts(&taken), [("USER.md", "yours")], "the other window is alive");
    assert_eq!(history.drafts().unwrap().len(), 2);
    assert!(history.take_over_drafts("/elsewhere", "two", &|_| false).unwrap().is_empty());
}

#[test]
fn what_two_dead_windows_had_of_one_file_is_one_draft_and_one_version() {
    let (_folder, history) = new_history();
    let at = |second| NOW + jiff::SignedDuration::from_secs(second);
    for (writer, text, time) in [("dead-1", "older", at(1)), ("dead-2", "newer", at(2))] {
        let draft = NewDraft { text: Arc::from(text), base: None, time };
        history.keep_drafts(writer, &BTreeMap::from([(key("USER.md"), Some(draft))])).unwrap();
    }
    let taken = history.take_over_drafts(FOLDER, "me", &|_| false).unwrap();
    assert_eq!(texts(&taken), [("USER.md", "newer")]);
    let versions = history.versions(&key("USER.md"), None, 10).unwrap();
    assert_eq!(versions.len(), 1);
    assert_eq!(history.version(&key("USER.md"), versions[0].id).unwrap().1, b"older");
    assert_eq!(history.drafts().unwrap().len(), 1, "nothing is left of the dead");
}

#[test]
fn of_two_that_ask_at_once_one_gets_the_draft() {
    let test = "tests::drafts::of_two_that_ask_at_once_one_gets_the_draft";
    if let Some((path, number)) = child() {
        let history = History::open(&path, NOW).unwrap();
        let me = format!("me-{number}");
        let taken = history.take_over_drafts(FOLDER, &me, &|writer| writer != "dead").unwrap();
        assert!(taken.iter().all(|draft| draft.place.writer == me));
        return;
    }
    for _ in 0..sized(3, 30) {
        let (folder, history) = new_history();
        for number in 0..20 {
            keep(&history, "dead", &format!("skills/s{number}/SKILL.md"), "text");
        }
        let path = folder.path().join("history.db");
        all_succeed((0..3).map(|number| spawn(test, &path, number)).collect());
        let left = history.drafts().unwrap();
        assert_eq!(left.len(), 20, "none is lost and none is doubled");
        assert!(left.iter().all(|place| place.writer.starts_with("me-")));
    }
}

#[test]
fn a_window_is_alive_as_long_as_it_runs() {
    if let Some((path, _)) = child() {
        let presence = Presence::announce(path.parent().unwrap(), NOW).unwrap();
        writeln!(stdout(), "name {}", presence.name()).unwrap();
        stdout().flush().unwrap();
        loop {
            std::thread::park();
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let me = Presence::announce(folder.path(), NOW).unwrap();
    let other = Presence::announce(folder.path(), NOW).unwrap();
    assert_ne!(me.name(), other.name());
    assert!(me.is_alive(other.name()) && other.is_alive(me.name()) && me.is_alive(me.name()));
    let gone = other.name().to_owned();
    drop(other);
    assert!(!me.is_alive(&gone) && !me.is_alive("never") && !me.is_alive("../escape"));

    let test = "tests::drafts::a_window_is_alive_as_long_as_it_runs";
    let mut process = spawn(test, &folder.path().join("history.db"), 1);
    let name = BufReader::new(process.stdout.take().unwrap())
        .lines()
        .find_map(|line| line.unwrap().strip_prefix("name ").map(str::to_owned))
        .unwrap();
    assert!(me.is_alive(&name), "it runs");
    me.tidy();
    assert!(me.is_alive(&name), "tidying up leaves it alone");
    process.kill().unwrap();
    process.wait().unwrap();
    assert!(!me.is_alive(&name), "it was killed");
    me.tidy();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "only mine is left");
}

/// The child types, and says what it has typed once it is kept. Killed at any moment, the last text that it spoke of
/// is there, or a later one.
#[test]
fn a_draft_survives_a_kill() {
    if let Some((path, round)) = child() {
        let history = History::open(&path, NOW).unwrap();
        let mut text = String::new();
        for key in 0.. {
            text.push_str("typed word ");
            keep(&history, &format!("writer-{round}"), "USER.md", &text);
            writeln!(stdout(), "kept {key}").unwrap();
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history.db");
    for round in 0..sized(6, 200) {
        let mut process = spawn("tests::drafts::a_draft_survives_a_kill", &path, round);
        let enough = 1 + 5 * (round % 9);
        let mut kept = 0;
        for line in BufReader::new(process.stdout.take().unwrap()).lines() {
            let Some(number) = line.unwrap().strip_prefix("kept ").and_then(|rest| rest.parse::<usize>().ok()) else {
                continue;
            };
            kept = number + 1;
            if kept == enough {
                process.kill().unwrap();
            }
        }
        process.wait().unwrap();
        assert!(kept >= enough, "it died before the kill");
        let history = open(&path);
        let taken = history.take_over_drafts(FOLDER, "me", &|_| false).unwrap();
        let text = taken[0].text.as_deref().unwrap();
        assert!(text.len() >= "typed word ".len() * kept, "round {round}: {} bytes of {kept} words", text.len());
        assert_eq!(text, "typed word ".repeat(text.len() / "typed word ".len()));
        assert_eq!(integrity(&path), "ok");
        history.keep_drafts("me", &BTreeMap::from([(key("USER.md"), None)])).unwrap();
    }
}

fn open(path: &Path) -> History {
    History::open(path, NOW).unwrap()
}

#[test]
fn a_damaged_draft_is_listed_and_says_so() {
    let (_folder, history) = new_history();
    keep(&history, "one", "USER.md", &"long enough to be compressed ".repeat(100));
    let connection = rusqlite::Connection::open(history.path()).unwrap();
    connection.execute("UPDATE drafts SET body = x'00112233'", []).unwrap();
    connection.execute("UPDATE contents SET body = x'00'", []).unwrap();
    let stored = history.drafts_of(FOLDER, "one").unwrap();
    assert!(stored[0].text.as_ref().unwrap_err().contains("decompress"));
    assert!(stored[0].base.is_err());
}
