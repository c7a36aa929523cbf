//! Exact counts against tiktoken's own (Python, 0.14.0), text by text, and against tiktoken-rs on
//! random text.

#![allow(clippy::unwrap_used, reason = "a failure here is the test's failure")]

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::Deserialize;
use tokens::{Count, Encoding, Method, NeverCancel, Tokenizer, count, count_for};

#[derive(Deserialize)]
struct Corpus {
    count: usize,
    rows: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    id: String,
    text: Option<String>,
    repeat: Option<Repeat>,
    utf8_bytes: usize,
    ordinary: BTreeMap<String, u32>,
}

#[derive(Deserialize)]
struct Repeat {
    unit: String,
    times: usize,
}

impl Row {
    fn text(&self) -> String {
        match (&self.text, &self.repeat) {
            (Some(text), None) => text.clone(),
            (None, Some(repeat)) => repeat.unit.repeat(repeat.times),
            _ => unreachable!("{} has either a text or a repetition", self.id),
        }
    }
}

#[test]
fn every_text_counts_as_in_tiktoken() {
    let corpus: Corpus = serde_json::from_str(include_str!("data/tokens_openai.json")).unwrap();
    assert_eq!(corpus.rows.len(), corpus.count);
    let mut failures = Vec::new();
    for row in &corpus.rows {
        let text = row.text();
        assert_eq!(text.len(), row.utf8_bytes, "{}", row.id);
        for encoding in Encoding::ALL {
            let expected = row.ordinary[encoding.name()];
            let counted = count(&text, encoding, &NeverCancel).unwrap();
            if counted != expected {
                failures.push(format!("{} {}: {counted}, expected {expected}", row.id, encoding.name()));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn harmony_counts_ordinary_text_as_o200k_does() {
    let reference = tiktoken_rs::o200k_harmony_singleton();
    for text in ["<|start|>system<|message|>Be brief.<|end|>", "plain", "中文 и русский\r\n\r\n  x"] {
        let expected = u32::try_from(reference.encode_ordinary(text).len()).unwrap();
        assert_eq!(count(text, Encoding::O200kHarmony, &NeverCancel), Ok(expected), "{text:?}");
    }
}

#[test]
fn an_exact_count_is_its_own_interval() {
    let counted = count_for("Hello", Tokenizer::Assumed(Encoding::O200kBase), &NeverCancel).unwrap();
    let method = Method::Assumed(Encoding::O200kBase);
    assert_eq!(counted, Count { total: Some(1), method, low: Some(1), high: Some(1) });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_text_counts_as_in_tiktoken(text in r"(?s)([\p{any}]{0,12}|[ \t\r\n/]{0,6}|[a-zA-Z']{0,12}|[0-9\-=中é🦀]{0,9}){0,8}") {
        for (encoding, reference) in [
            (Encoding::Cl100kBase, tiktoken_rs::cl100k_base_singleton()),
            (Encoding::O200kBase, tiktoken_rs::o200k_base_singleton()),
        ] {
            let expected = u32::try_from(reference.encode_ordinary(&text).len()).unwrap();
            prop_assert_eq!(count(&text, encoding, &NeverCancel), Ok(expected), "{:?}", encoding);
        }
    }
}
