//! What is recorded, and when nothing new is.

use jiff::ToSpan;
use serde_json::json;

use super::{NOW, assembly, new_history};
use crate::{
    AssemblyId, CacheEstimate, CommonPrefix, HistoryError, LARGEST_TEXT, ListFilter, NewAssembly, Recorded, StoredText,
};

/// A change to an assembly, and what it is called.
type Change = (&'static str, fn(&mut NewAssembly<'_>));

#[test]
fn everything_comes_back() {
    let (_folder, history) = new_history();
    let mut new = assembly(&["", "short", "é\r\n\0"]);
    new.project = Some("/home/ann/project");
    new.sections[1].layer = None;
    new.sections[1].tokens = None;
    new.tokens.low = None;
    new.cache = Some(CacheEstimate { prefix_bytes: 5, prefix_tokens: Some(2), breaks_at: Some(1) });
    assert_eq!(history.record(&new).unwrap(), Recorded::New { id: AssemblyId(1) });
    let stored = serde_json::to_value(history.get(AssemblyId(1)).unwrap()).unwrap();
    let expected = json!({
        "id": 1, "time": "2025-12-01T00:00:00Z", "last_seen": "2025-12-01T00:00:00Z", "seen": 1,
        "workspace": "/home/ann/.catbuddy/workspace", "project": "/home/ann/project", "channel": "chat",
        "variant": "catbuddy", "variant_version": 3, "model": "some-model",
        "fingerprint": blake3::hash(b"fingerprint").to_hex().as_str(),
        "content_hash": blake3::hash("shorté\r\n\0".as_bytes()).to_hex().as_str(),
        "tokens": { "total": 70, "low": null, "high": 80, "method": "a method" },
        "cache": { "prefix_bytes": 5, "prefix_tokens": 2, "breaks_at": 1 },
        "catalogue": "2026-01", "reason": "cli", "parent": null,
        "sections": [
            { "id": "section-0", "layer": 1, "title": "A title", "tokens": 7, "text": "" },
            { "id": "section-1", "layer": null, "title": "A title", "tokens": null, "text": "short" },
            { "id": "section-2", "layer": 1, "title": "A title", "tokens": 7, "text": "é\r\n\0" },
        ],
    });
    assert_eq!(stored, expected);
}

#[test]
fn the_same_again_is_counted_and_not_stored() {
    let (_folder, history) = new_history();
    let mut new = assembly(&["a"]);
    history.record(&new).unwrap();
    new.time = NOW + 1.hour();
    new.fingerprint = "another: the file was touched";
    assert_eq!(history.record(&new).unwrap(), Recorded::SeenAgain { id: AssemblyId(1), seen: 2 });
    // A clock set back: counted, and the latest time stays.
    new.time = NOW - 1.hour();
    assert_eq!(history.record(&new).unwrap(), Recorded::SeenAgain { id: AssemblyId(1), seen: 3 });
    let rows = history.list(&ListFilter::default()).unwrap();
    assert_eq!(rows.len(), 1);
    assert_eq!((rows[0].seen, rows[0].time, rows[0].last_seen), (3, NOW, NOW + 1.hour()));
}

#[test]
fn only_the_last_of_a_series_is_seen_again() {
    let (_folder, history) = new_history();
    let ids: Vec<_> =
        ["a", "b", "a", "a"].iter().map(|text| history.record(&assembly(&[text])).unwrap().id().0).collect();
    assert_eq!(ids, [1, 2, 3, 3]);
}

#[test]
fn another_series_has_a_row_of_its_own_and_each_keeps_its_last() {
    let (_folder, history) = new_history();
    let others: [Change; 6] = [
        ("none", |_| ()),
        ("workspace", |new| new.workspace = "/w"),
        ("project", |new| new.project = Some("/p")),
        ("channel", |new| new.channel = None),
        ("variant", |new| new.variant = "other"),
        ("model", |new| new.model = None),
    ];
    for round in 1..=2 {
        for (index, (name, change)) in others.iter().enumerate() {
            let mut new = assembly(&["a"]);
            change(&mut new);
            let id = AssemblyId(index as i64 + 1);
            let expected = if round == 1 { Recorded::New { id } } else { Recorded::SeenAgain { id, seen: 2 } };
            assert_eq!(history.record(&new).unwrap(), expected, "{name}, round {round}");
        }
    }
}

#[test]
fn what_differs_in_text_or_figures_is_new() {
    let (_folder, history) = new_history();
    history.record(&assembly(&["a", "b"])).unwrap();
    let changes: [Change; 9] = [
        ("variant version", |new| new.variant_version = 4),
        ("content hash", |new| new.content_hash.0[0] ^= 1),
        ("text", |new| new.sections[0].text = "A".into()),
        ("order", |new| new.sections.swap(0, 1)),
        ("section id", |new| new.sections[0].id = "other".into()),
        ("layer", |new| new.sections[0].layer = None),
        ("section tokens", |new| new.sections[0].tokens = None),
        ("total", |new| new.tokens.total = None),
        ("catalogue", |new| new.catalogue = None),
    ];
    for (index, (name, change)) in changes.iter().enumerate() {
        let mut new = assembly(&["a", "b"]);
        change(&mut new);
        assert_eq!(history.record(&new).unwrap(), Recorded::New { id: AssemblyId(index as i64 + 2) }, "{name}");
    }
}

#[test]
fn a_long_run_of_differences_comes_back_whole() {
    let (_folder, history) = new_history();
    let texts = |round: usize| -> Vec<String> {
        (0..12).map(|place| if place == round % 12 { format!("changed {round}") } else { format!("{place}") }).collect()
    };
    for round in 0..50 {
        let texts = texts(round);
        history.record(&assembly(&texts.iter().map(String::as_str).collect::<Vec<_>>())).unwrap();
    }
    for round in 0..50 {
        let detail = history.get(AssemblyId(round as i64 + 1)).unwrap();
        let stored: Vec<_> = detail.sections.into_iter().map(|section| section.text).collect();
        let expected: Vec<_> = texts(round).into_iter().map(StoredText::Text).collect();
        assert_eq!(stored, expected, "round {round}");
        assert_eq!(detail.row.parent, (round > 0).then_some(AssemblyId(round as i64)));
    }
    let full: i64 = history
        .writer
        .lock()
        .unwrap()
        .query_row("SELECT count(*) FROM assemblies WHERE depth = 0", [], |row| row.get(0))
        .unwrap();
    assert_eq!(full, 3, "rows 1, 18 and 35: a full list, then sixteen differences");
}

#[test]
fn each_text_is_stored_once_and_compressed_where_that_is_shorter() {
    let (_folder, history) = new_history();
    let (at_limit, above) = ("x".repeat(1024), "x".repeat(1025));
    history.record(&assembly(&[&at_limit, &above, &at_limit])).unwrap();
    history.record(&assembly(&[&above, "more"])).unwrap();
    let connection = history.writer.lock().unwrap();
    let mut statement = connection.prepare("SELECT length, encoding, length(body) FROM texts ORDER BY id").unwrap();
    let rows: Vec<(i64, i64, i64)> = statement
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    assert_eq!(rows.len(), 3);
    assert_eq!((rows[0], rows[2]), ((1024, 0, 1024), (4, 0, 4)), "raw");
    assert!(rows[1].0 == 1025 && rows[1].1 == 1 && rows[1].2 < 100, "{:?}", rows[1]);
}

#[test]
fn of_a_text_above_the_limit_hash_and_length_are_kept() {
    let (_folder, history) = new_history();
    let (kept, left_out) = ("k".repeat(LARGEST_TEXT), "m".repeat(LARGEST_TEXT + 1));
    let new = assembly(&[&kept, &left_out, "end"]);
    let id = history.record(&new).unwrap().id();
    let hash = new.sections[1].text.as_bytes();
    let missing =
        StoredText::Missing { hash: model::ContentHash(blake3::hash(hash).into()), len: LARGEST_TEXT as u64 + 1 };
    let texts: Vec<_> = history.get(id).unwrap().sections.into_iter().map(|section| section.text).collect();
    assert_eq!(texts, [StoredText::Text(kept.clone()), missing, StoredText::Text("end".to_owned())]);
    assert_eq!(history.record(&new).unwrap(), Recorded::SeenAgain { id, seen: 2 });
    // What cannot be read ends the prefix, unless it is the very same text.
    let previous = history.previous(new.workspace, new.channel).unwrap().unwrap();
    let changed = format!("{}n", &left_out[1..]);
    let other = assembly(&[&kept, &changed, "end"]);
    let expected = CommonPrefix { bytes: LARGEST_TEXT as u64, breaks_at: Some(1) };
    assert_eq!(history.common_prefix(&previous, &other.sections).unwrap(), expected);
    let expected = CommonPrefix { bytes: 2 * LARGEST_TEXT as u64 + 4, breaks_at: None };
    assert_eq!(history.common_prefix(&previous, &new.sections).unwrap(), expected);
}

#[test]
fn the_previous_is_the_last_of_workspace_and_channel() {
    let (_folder, history) = new_history();
    let mut first = assembly(&["one ", "two"]);
    assert_eq!(history.previous(first.workspace, first.channel).unwrap(), None);
    history.record(&first).unwrap();
    let mut second = assembly(&["one ", "three"]);
    second.variant = "other";
    let previous = history.previous(second.workspace, second.channel).unwrap().unwrap();
    assert_eq!(previous.id, AssemblyId(1), "another variant, the same cache");
    let prefix = history.common_prefix(&previous, &second.sections).unwrap();
    assert_eq!(prefix, CommonPrefix { bytes: 5, breaks_at: Some(1) }, "\"one t\"");
    second.parent = Some(previous.id);
    history.record(&second).unwrap();
    let mut elsewhere = assembly(&["one ", "four"]);
    elsewhere.channel = None;
    history.record(&elsewhere).unwrap();
    let last = || history.previous(first.workspace, first.channel).unwrap().unwrap().id;
    assert_eq!(last(), AssemblyId(2));
    assert_eq!(history.get(AssemblyId(3)).unwrap().row.parent, None, "another channel");
    first.time = NOW - 1.hour();
    history.record(&first).unwrap();
    assert_eq!(last(), AssemblyId(1), "seen again last, whatever the clock says");
    assert_eq!(history.previous(first.workspace, None).unwrap().unwrap().id, AssemblyId(3));
}

#[test]
fn a_parent_that_was_pruned_is_left_out() {
    let (_folder, history) = new_history();
    history.record(&assembly(&["a"])).unwrap();
    let mut new = assembly(&["b"]);
    new.parent = Some(AssemblyId(99));
    let id = history.record(&new).unwrap().id();
    assert_eq!(history.get(id).unwrap().row.parent, None);
    assert!(matches!(history.get(AssemblyId(99)), Err(HistoryError::Unknown { id: AssemblyId(99), .. })));
}
