//! Retention on a real file: what goes, what stays whole, and that the file gets shorter.

use std::collections::BTreeMap;
use std::fs;
use std::thread;

use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;

use super::{NOW, assembly, integrity, new_history};
use crate::{AssemblyId, DraftKey, History, Limits, ListFilter, NewDraft, Reason, StoredText, VersionKind};

fn day(number: i64) -> Timestamp {
    NOW + SignedDuration::from_hours(24 * number)
}

fn key(path: &str) -> DraftKey {
    DraftKey { folder: "/home/ann/.catbuddy/workspace".to_owned(), path: path.to_owned() }
}

fn keep(history: &History, path: &str, bytes: &[u8], time: Timestamp) -> crate::VersionId {
    history.keep_version(&key(path), bytes, VersionKind::Saved, time).unwrap()
}

/// Letters that do not compress below three quarters.
fn noise(seed: u64, length: usize) -> String {
    let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    (0..length)
        .map(|_| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            char::from(b'0' + (random >> 58) as u8)
        })
        .collect()
}

fn texts(history: &History, id: AssemblyId) -> Vec<String> {
    let sections = history.get(id).unwrap().sections.into_iter();
    sections
        .map(|section| match section.text {
            StoredText::Text(text) => text,
            StoredText::Missing { .. } => panic!("every text is kept"),
        })
        .collect()
}

fn number(history: &History, sql: &str) -> u64 {
    Connection::open(history.path()).unwrap().query_row(sql, [], |row| row.get(0)).unwrap()
}

/// Old and new rows in turns, so that differences build on rows that go, over more than one full list.
#[test]
fn what_stays_is_whole_whatever_goes_between() {
    for old in [|row: u64| row.is_multiple_of(2), |row: u64| row % 5 != 4, |row: u64| row < 30, |row: u64| row == 7] {
        let (_folder, history) = new_history();
        let mut expected = BTreeMap::new();
        for row in 0..60 {
            let all = ["first ".to_owned(), format!("second {row}"), format!("third {}", row / 10)];
            let mut new = assembly(&all.iter().map(String::as_str).collect::<Vec<_>>());
            new.time = if old(row) { day(0) } else { day(50) };
            let id = history.record(&new).unwrap().id();
            if !old(row) {
                expected.insert(id, all);
            }
        }
        let pruned = history.prune(&Limits { before: Some(day(1)), ..Limits::default() }).unwrap();
        assert_eq!(pruned.assemblies, 60 - expected.len() as u64);
        let listed = history.list(&ListFilter { limit: 100, ..ListFilter::default() }).unwrap();
        assert_eq!(listed.len(), expected.len());
        for (id, all) in &expected {
            assert_eq!(texts(&history, *id), all);
        }
        let mut stay: Vec<&String> = expected.values().flatten().collect();
        stay.sort();
        stay.dedup();
        assert_eq!(number(&history, "SELECT count(*) FROM texts"), stay.len() as u64, "no text is left over");
        assert_eq!(number(&history, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
        assert_eq!(integrity(history.path()), "ok");
        history.record(&assembly(&["first ", "and it goes on"])).unwrap();
    }
}

#[test]
fn the_last_of_each_channel_and_what_was_pinned_stay() {
    let (_folder, history) = new_history();
    for channel in ["chat", "mail"] {
        for text in ["one", "two"] {
            history.record(&crate::NewAssembly { channel: Some(channel), ..assembly(&[text]) }).unwrap();
        }
    }
    let pinned = crate::NewAssembly { reason: Reason::Pin, ..assembly(&["pinned"]) };
    let pinned = history.record(&pinned).unwrap().id();
    let last = history.record(&assembly(&["three"])).unwrap().id();
    history.prune(&Limits { before: Some(day(9)), count: Some(0), bytes: Some(0) }).unwrap();
    let left: Vec<_> = history.list(&ListFilter::default()).unwrap().iter().map(|row| row.id).collect();
    assert_eq!(left, [last, pinned, AssemblyId(4)]);
    let chat = history.previous("/home/ann/.catbuddy/workspace", Some("chat")).unwrap().unwrap();
    assert_eq!(chat.id, last, "the cache estimate has what it compares with");
}

#[test]
fn an_assembly_is_as_old_as_its_last_sight() {
    let (_folder, history) = new_history();
    let seen = history.record(&assembly(&["a"])).unwrap().id();
    history.record(&crate::NewAssembly { time: day(20), ..assembly(&["a"]) }).unwrap();
    history.record(&crate::NewAssembly { time: day(21), ..assembly(&["b"]) }).unwrap();
    assert_eq!(history.prune(&Limits { before: Some(day(20)), ..Limits::default() }).unwrap().assemblies, 0);
    assert_eq!(texts(&history, seen), ["a"]);
    assert_eq!(history.prune(&Limits { before: Some(day(21)), ..Limits::default() }).unwrap().assemblies, 1);
}

#[test]
fn a_version_is_as_old_as_its_replacement() {
    let (_folder, history) = new_history();
    let first = keep(&history, "USER.md", b"written in spring", day(0));
    let second = keep(&history, "USER.md", b"written in autumn", day(200));
    let newest = keep(&history, "USER.md", b"written a day later", day(201));
    let only = keep(&history, "SOUL.md", b"never changed", day(0));
    let limits = |before| Limits { before: Some(day(before)), ..Limits::default() };
    assert_eq!(history.prune(&limits(110)).unwrap().versions, 0, "what stood until day 200 is not 110 days old");
    assert_eq!(history.version(&key("USER.md"), first).unwrap().1, b"written in spring");
    assert_eq!(history.prune(&limits(201)).unwrap().versions, 1);
    assert!(history.version(&key("USER.md"), first).is_err());
    assert_eq!(history.version(&key("USER.md"), second).unwrap().1, b"written in autumn");
    assert_eq!(history.prune(&limits(9_000)).unwrap().versions, 1);
    assert_eq!(history.version(&key("USER.md"), newest).unwrap().1, b"written a day later");
    assert_eq!(history.version(&key("SOUL.md"), only).unwrap().1, b"never changed");
}

#[test]
fn no_draft_goes_and_neither_does_what_it_is_an_edit_of() {
    let (_folder, history) = new_history();
    let base = noise(1, 5_000);
    let draft =
        |text: &str, base: &str| NewDraft { text: text.into(), base: Some(base.as_bytes().into()), time: day(0) };
    let changes = [(key("USER.md"), Some(draft("typed", &base))), (key("SOUL.md"), Some(draft("more", "let go of")))];
    history.keep_drafts("window", &changes.into()).unwrap();
    keep(&history, "USER.md", base.as_bytes(), day(0));
    keep(&history, "USER.md", b"next", day(1));
    history.keep_drafts("window", &[(key("SOUL.md"), None)].into()).unwrap();
    assert_eq!(number(&history, "SELECT count(*) FROM contents"), 3);
    history.prune(&Limits { before: Some(day(99)), count: Some(0), bytes: Some(0) }).unwrap();
    assert_eq!(number(&history, "SELECT count(*) FROM contents"), 2, "what nothing names any more is gone");
    let kept = history.drafts_of(&key("").folder, "window").unwrap();
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].text.as_deref(), Ok("typed"));
    assert_eq!(kept[0].base.as_ref().unwrap().as_deref(), Some(base.as_bytes()));
}

#[test]
fn the_count_is_of_all_assemblies_and_of_the_versions_of_each_file() {
    let (_folder, history) = new_history();
    for number in 0..9 {
        history.record(&crate::NewAssembly { time: day(number), ..assembly(&[&number.to_string()]) }).unwrap();
        keep(&history, "USER.md", number.to_string().as_bytes(), day(number));
    }
    keep(&history, "SOUL.md", b"one", day(0));
    keep(&history, "SOUL.md", b"two", day(1));
    let pruned = history.prune(&Limits { count: Some(3), ..Limits::default() }).unwrap();
    assert_eq!((pruned.assemblies, pruned.versions), (6, 6));
    let left: Vec<_> = history.list(&ListFilter::default()).unwrap().iter().map(|row| row.time).collect();
    assert_eq!(left, [day(8), day(7), day(6)]);
    assert_eq!(history.versions(&key("SOUL.md"), None, 9).unwrap().len(), 2);
}

/// A history of some megabytes: assemblies and versions in turns.
fn grown(history: &History) -> u64 {
    let rows = 300;
    for row in 0..rows {
        let text = noise(row, 4_000);
        history.record(&crate::NewAssembly { time: day(row as i64), ..assembly(&["same", &text]) }).unwrap();
        keep(history, "USER.md", noise(row + 1_000, 4_000).as_bytes(), day(row as i64));
    }
    rows
}

#[test]
fn the_file_gets_shorter_and_the_oldest_go_first() {
    let (_folder, history) = new_history();
    let rows = grown(&history);
    let length = || fs::metadata(history.path()).unwrap().len();
    // Everything that was written stands in the file itself, and not in its log.
    history.prune(&Limits::default()).unwrap();
    let before = history.size_bytes().unwrap();
    assert!(before > 2_000_000, "300 × 2 × 4,000 letters of 6 bits are more than {before}");
    let most = 1_000_000;
    let limits = Limits { bytes: Some(most), ..Limits::default() };
    let preview = history.prune_preview(&limits).unwrap();
    assert_eq!(history.count(&ListFilter::default()).unwrap(), rows, "looked at, not touched");
    let pruned = history.prune(&limits).unwrap();
    assert_eq!(pruned, preview);
    assert!(pruned.bytes_after <= most && pruned.bytes_after > most * 3 / 4, "{pruned:?}");
    assert_eq!(length(), history.size_bytes().unwrap());
    assert!(length() <= most + most / 10, "{} bytes on disk", length());
    let left = history.list(&ListFilter { limit: 1_000, ..ListFilter::default() }).unwrap();
    assert_eq!(left.len() as u64, rows - pruned.assemblies);
    assert!(left.iter().all(|row| row.time >= day(pruned.assemblies as i64)), "the oldest went");
    assert_eq!(texts(&history, left[left.len() - 1].id)[1], noise(pruned.assemblies, 4_000));
    let difference = pruned.assemblies.abs_diff(pruned.versions);
    assert!(difference <= 2, "both kinds go by age: {pruned:?}");
    assert_eq!(integrity(history.path()), "ok");
    assert_eq!(history.prune(&limits).unwrap().assemblies, 0, "what fits is left alone");
}

#[test]
fn the_parts_add_up_to_the_file() {
    let (_folder, history) = new_history();
    grown(&history);
    let draft = NewDraft { text: noise(9, 100_000).into(), base: None, time: NOW };
    history.keep_drafts("window", &[(key("SOUL.md"), Some(draft))].into()).unwrap();
    let usage = history.usage().unwrap();
    assert_eq!((usage.assemblies.count, usage.versions.count, usage.drafts.count), (300, 300, 1));
    let sum = usage.assemblies.bytes + usage.versions.bytes + usage.drafts.bytes + usage.other;
    assert_eq!(sum, history.size_bytes().unwrap());
    // 300 × 4,000 letters of 6 bits, and 100,000 of them; a page more or less for each.
    assert!((900_000..2_600_000).contains(&usage.assemblies.bytes), "{usage:?}");
    assert!((900_000..2_600_000).contains(&usage.versions.bytes), "{usage:?}");
    assert!((75_000..150_000).contains(&usage.drafts.bytes), "{usage:?}");
}

#[test]
fn what_is_written_meanwhile_by_another_connection_stays() {
    let (_folder, history) = new_history();
    grown(&history);
    let path = history.path().to_owned();
    let writer = thread::spawn(move || {
        let other = History::open(&path, NOW).unwrap();
        let record = |number: u64| {
            let text = noise(number + 5_000, 3_000);
            let new = crate::NewAssembly { time: day(900), ..assembly(&["same", &text]) };
            (other.record(&new).unwrap().id(), text)
        };
        (0..60).map(record).collect::<Vec<_>>()
    });
    while !writer.is_finished() {
        history.prune(&Limits { before: Some(day(800)), bytes: Some(2_000_000), count: None }).unwrap();
    }
    for (id, text) in writer.join().unwrap() {
        assert_eq!(texts(&history, id), ["same", &text]);
    }
    assert_eq!(integrity(history.path()), "ok");
}
