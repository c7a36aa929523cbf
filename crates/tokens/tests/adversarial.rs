//! Texts that make tokenizers panic or hang: none may do so here, and each count can be stopped.

#![allow(clippy::unwrap_used, reason = "a failure here is the test's failure")]

use std::cell::Cell;

use tokens::{Cancel, CountError, Counter, Encoding, Family, NeverCancel, Tokenizer, count, count_for};

const MILLION: usize = 1_000_000;

fn runs() -> Vec<(&'static str, String)> {
    let mut runs = [" ", "a", "A", "-", "^", "=", "\n", "\r\n", "/", "0", "中", "\0", "🦀", "'s", "\u{301}", "\u{a0}"]
        .map(|unit| (unit, unit.repeat(MILLION / unit.chars().count())))
        .to_vec();
    runs.push(("spaces, x", " ".repeat(MILLION) + "x"));
    runs.push(("letter pairs", "aA".repeat(MILLION / 2)));
    runs.push(("mixed", "-中a0 \n🦀\0^'".repeat(MILLION / 10)));
    runs
}

#[test]
fn a_million_of_anything_is_counted() {
    for (name, text) in runs() {
        for encoding in [Encoding::Cl100kBase, Encoding::O200kBase] {
            let tokens = count(&text, encoding, &NeverCancel).unwrap() as usize;
            // No token of these vocabularies is longer than 128 bytes; none is shorter than one.
            assert!((text.len() / 128..=text.len()).contains(&tokens), "{name} {}: {tokens}", encoding.name());
        }
    }
}

#[test]
fn long_runs_count_as_tiktoken_counts_them() {
    // Of these the reference neither panics nor hangs.
    for unit in ["a", "-", "^", "\n", "0", "中", "\0", "🦀"] {
        let text = unit.repeat(60_000);
        for (encoding, reference) in [
            (Encoding::Cl100kBase, tiktoken_rs::cl100k_base_singleton()),
            (Encoding::O200kBase, tiktoken_rs::o200k_base_singleton()),
        ] {
            let expected = u32::try_from(reference.encode_ordinary(&text).len()).unwrap();
            assert_eq!(count(&text, encoding, &NeverCancel), Ok(expected), "{unit:?} {}", encoding.name());
        }
    }
}

#[test]
fn estimates_and_memo_take_the_same_texts() {
    let mut counter = Counter::default();
    for (name, text) in runs().into_iter().step_by(3) {
        for tokenizer in [Tokenizer::ClaudeNewer, Tokenizer::Family(Family::Qwen)] {
            let remembered = counter.count(&text, tokenizer, &NeverCancel).unwrap();
            assert_eq!(count_for(&text, tokenizer, &NeverCancel), Ok(remembered), "{name}");
        }
    }
}

/// Raised after so many looks, and counting them.
struct After {
    looks: Cell<usize>,
    limit: usize,
}

impl Cancel for After {
    fn is_cancelled(&self) -> bool {
        self.looks.set(self.looks.get() + 1);
        self.looks.get() > self.limit
    }
}

#[test]
fn a_count_looks_at_the_flag_every_64_kib() {
    // Words, one single piece, and pieces of three digits.
    for text in ["word ".repeat(200_000), "-".repeat(MILLION), "0".repeat(MILLION)] {
        let flag = After { looks: Cell::new(0), limit: usize::MAX };
        count(&text, Encoding::O200kBase, &flag).unwrap();
        let least = text.len() / (64 * 1024);
        assert!((least..=least + 2).contains(&flag.looks.get()), "{} looks", flag.looks.get());

        let stopping = After { looks: Cell::new(0), limit: 3 };
        assert_eq!(count(&text, Encoding::O200kBase, &stopping), Err(CountError::Cancelled));
        assert_eq!(stopping.looks.get(), 4, "it stopped at the first look that said so");
    }
}

#[test]
fn a_stopped_counter_goes_on_where_it_was() {
    let text = (0..60_000).map(|n| n.to_string() + " words and a mark.\n").collect::<String>();
    let tokenizer = Tokenizer::Exact(Encoding::O200kBase);
    let mut counter = Counter::default();
    let stopping = After { looks: Cell::new(0), limit: 100 };
    assert_eq!(counter.count(&text, tokenizer, &stopping), Err(CountError::Cancelled));
    let before = counter.counted_bytes();
    counter.count(&text, tokenizer, &NeverCancel).unwrap();
    assert!(
        before > 0 && counter.counted_bytes() < text.len() as u64 + 9 * 1024,
        "slices counted before are not counted again"
    );
}
