//! `tests/vectors/catbuddy/memory.json`: splitting a summary, what is appended to the memory files, history lines.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a failed unwrap is a failed test, and vectors are files"
)]

use std::fmt::Write as _;
use std::fs;

use jiff::Timestamp;
use prompt::memory::{added, entries_since, history_line, split};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

fn vectors() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/catbuddy/memory.json");
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn clock(vectors: &Value) -> Timestamp {
    vectors["clock"].as_str().unwrap().parse().unwrap()
}

/// The file after appending; null: there is none.
fn file(before: Option<&str>, added: Option<String>) -> Value {
    match (before, added) {
        (None, None) => Value::Null,
        (before, added) => json!(format!("{}{}", before.unwrap_or_default(), added.unwrap_or_default())),
    }
}

#[test]
fn summaries_are_split_and_appended() {
    let vectors = vectors();
    let label = vectors["label"].as_str().unwrap();
    let mut report = String::new();
    let cases = vectors["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 13);
    for case in cases {
        let text = case["text"].as_str().unwrap();
        let parts = split(text);
        let got = json!({"userProfile": parts.user_profile, "projectContext": parts.project_context});
        let mut check = |what: &str, got: Value, expected: &Value| {
            if got != *expected {
                writeln!(report, "{}: {what}\n  got      {got}\n  expected {expected}", case["id"]).unwrap();
            }
        };
        check("split", got, &case["split"]);
        for (layered, name) in [(false, "global"), (true, "layered")] {
            let added = added(text, layered, label, clock(&vectors));
            let got = json!({"global": file(Some("old\n"), added.global), "project": file(None, added.project)});
            check(name, got, &case["appended"][name]);
        }
    }
    assert!(report.is_empty(), "{report}");
}

#[test]
fn history_lines_are_written_and_read() {
    let vectors = vectors();
    let mut history = String::new();
    for case in vectors["history"].as_array().unwrap() {
        let entry = if let Some(text) = case["entry"].as_str() {
            text.to_owned()
        } else {
            let repeat = &case["entry"]["repeat"];
            repeat[0].as_str().unwrap().repeat(usize::try_from(repeat[1].as_u64().unwrap()).unwrap())
        };
        let line = history_line(&entry, case["cursor"].as_u64().unwrap(), clock(&vectors));
        let hash = Sha256::digest(line.as_bytes()).iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"));
        if let Some(whole) = case["line"].as_str() {
            assert_eq!(line, whole, "{}", case["id"]);
        }
        assert!(line.ends_with(case["tail"].as_str().unwrap_or_default()), "{}", case["id"]);
        assert_eq!((json!(line.len()), json!(hash)), (case["line_bytes"].clone(), case["line_sha256"].clone()));
        history.push_str(&line);
    }
    let read: Vec<_> = entries_since(&history, 1.0)
        .iter()
        .map(|entry| json!([format!("{}", entry.cursor).parse::<u64>().unwrap(), entry.content.encode_utf16().count()]))
        .collect();
    assert_eq!(json!(read), vectors["entries_since_1"]);
}
