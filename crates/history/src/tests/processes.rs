//! Several processes on one file, and one that is killed.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write, stdout};

use super::{NOW, all_succeed, assembly, child, integrity, sized, spawn};
use crate::{AssemblyId, History, ListFilter, StoredText};

#[test]
fn two_processes_lose_nothing() {
    let each = sized(100, 500);
    if let Some((path, number)) = child() {
        let history = History::open(&path, NOW).unwrap();
        for record in 0..each {
            history.record(&assembly(&["common", &format!("{number}/{record}")])).unwrap();
        }
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/folder/history.db");
    all_succeed((0..2).map(|number| spawn("tests::processes::two_processes_lose_nothing", &path, number)).collect());
    assert_eq!(integrity(&path), "ok");
    let history = History::open(&path, NOW).unwrap();
    let rows = history.list(&ListFilter { limit: 2_000, ..ListFilter::default() }).unwrap();
    let stored: HashSet<String> = rows.iter().map(|row| last_text(&history, row.id)).collect();
    let expected: HashSet<String> =
        (0..2).flat_map(|number| (0..each).map(move |record| format!("{number}/{record}"))).collect();
    assert_eq!(stored, expected);
    assert_eq!(rows.len(), 2 * each, "every one is a row: no two in a row are the same");
}

#[test]
fn the_same_from_two_processes_is_seen_that_often() {
    if let Some((path, _)) = child() {
        let history = History::open(&path, NOW).unwrap();
        for _ in 0..50 {
            history.record(&assembly(&["same"])).unwrap();
        }
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history.db");
    let test = "tests::processes::the_same_from_two_processes_is_seen_that_often";
    all_succeed((0..2).map(|number| spawn(test, &path, number)).collect());
    let rows = History::open(&path, NOW).unwrap().list(&ListFilter::default()).unwrap();
    assert_eq!(rows.iter().map(|row| row.seen).collect::<Vec<_>>(), [100]);
}

#[test]
fn what_was_acknowledged_survives_a_kill() {
    if let Some((path, round)) = child() {
        let history = History::open(&path, NOW).unwrap();
        for record in 0.. {
            let text = format!("{round}/{record} {}", "long enough to be compressed ".repeat(50));
            let id = history.record(&assembly(&["common", &text])).unwrap().id();
            writeln!(stdout(), "ack {id} {text}").unwrap();
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history.db");
    let mut acknowledged: Vec<(AssemblyId, String)> = Vec::new();
    for round in 0..sized(4, 40) {
        let mut process = spawn("tests::processes::what_was_acknowledged_survives_a_kill", &path, round);
        let enough = 3 + 7 * (round % 8);
        let mut got = 0;
        for line in BufReader::new(process.stdout.take().unwrap()).lines() {
            let line = line.unwrap();
            let Some((id, text)) = line.strip_prefix("ack ").and_then(|rest| rest.split_once(' ')) else { continue };
            // What was still in the pipe when the process died counts too; a line cut short does not.
            if text.ends_with("compressed ") && text.len() > 1_400 {
                acknowledged.push((AssemblyId(id.parse().unwrap()), text.to_owned()));
            }
            got += 1;
            if got == enough {
                process.kill().unwrap();
            }
        }
        assert!(!process.wait().unwrap().success(), "the process ends by the kill alone");
        assert!(got >= enough, "it died before the kill, after {got} records");
        assert_eq!(integrity(&path), "ok", "round {round}");
    }
    let history = History::open(&path, NOW).unwrap();
    for (id, text) in acknowledged {
        assert_eq!(last_text(&history, id), text, "assembly {id}");
    }
}

fn last_text(history: &History, id: AssemblyId) -> String {
    match history.get(id).unwrap().sections.pop().unwrap().text {
        StoredText::Text(text) => text,
        StoredText::Missing { .. } => panic!("the text of {id} is missing"),
    }
}
