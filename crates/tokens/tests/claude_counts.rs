//! Estimates for Claude's older tokenizer against real counts of `claude-haiku-4-5-20251001`.

#![allow(clippy::unwrap_used, reason = "a failure here is the test's failure")]

use serde::Deserialize;
use tokens::{NeverCancel, Tokenizer, count_for};

#[derive(Deserialize)]
struct Corpus {
    rows: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    id: String,
    text: String,
    /// The real count.
    expected: u32,
    estimate: f64,
}

fn corpus() -> Vec<Row> {
    serde_json::from_str::<Corpus>(include_str!("data/claude_old_counts.json")).unwrap().rows
}

#[test]
fn the_total_is_the_fits_estimate_rounded_half_up() {
    for row in corpus() {
        let counted = count_for(&row.text, Tokenizer::ClaudeOlder, &NeverCancel).unwrap();
        assert_eq!(counted.total.map(f64::from), Some((row.estimate + 0.5).floor()), "{}", row.id);
    }
}

#[test]
fn intervals_hold_nine_tenths_of_the_real_counts() {
    let rows = corpus();
    let is_inside = |row: &&Row| {
        let counted = count_for(&row.text, Tokenizer::ClaudeOlder, &NeverCancel).unwrap();
        (counted.low.unwrap()..=counted.high.unwrap()).contains(&row.expected)
    };
    let inside = rows.iter().filter(is_inside).count();
    assert!(10 * inside >= 9 * rows.len(), "{inside} of {}", rows.len());
}

#[test]
fn the_mean_error_is_what_the_fit_documents() {
    // Texts of eight tokens and more: 7.94% by leave-one-out, so no more on the fit itself.
    let rows = corpus().into_iter().filter(|row| row.expected >= 8).collect::<Vec<_>>();
    let error = |row: &Row| {
        let estimate = count_for(&row.text, Tokenizer::ClaudeOlder, &NeverCancel).unwrap().total.unwrap();
        f64::from(estimate.abs_diff(row.expected)) / f64::from(row.expected)
    };
    let mean = rows.iter().map(error).sum::<f64>() / rows.len() as f64;
    assert_eq!(rows.len(), 78);
    assert!(mean <= 0.0794, "{mean}");
}

#[test]
fn the_newer_tokenizer_is_never_estimated_below_the_older() {
    // Every published ratio is 1.00 or more.
    for row in corpus() {
        let older = count_for(&row.text, Tokenizer::ClaudeOlder, &NeverCancel).unwrap();
        let newer = count_for(&row.text, Tokenizer::ClaudeNewer, &NeverCancel).unwrap();
        assert!(newer.total >= older.total && newer.low >= older.low && newer.high >= older.high, "{}", row.id);
    }
}
