//! Sections, joins and what an edit costs.

#![allow(clippy::unwrap_used, reason = "a failure here is the test's failure")]

use proptest::prelude::*;
use tokens::{Counter, Encoding, Family, NeverCancel, SectionCounts, Tokenizer, count_for};

const EXACT: [Tokenizer; 2] = [Tokenizer::Exact(Encoding::Cl100kBase), Tokenizer::Exact(Encoding::O200kBase)];
const ESTIMATED: [Tokenizer; 3] = [Tokenizer::ClaudeOlder, Tokenizer::ClaudeNewer, Tokenizer::Family(Family::Gemini)];

fn sections_of(sections: &[&str], tokenizer: Tokenizer) -> SectionCounts {
    Counter::default().count_sections(sections, tokenizer, &NeverCancel).unwrap()
}

fn sum_of_parts(counts: &SectionCounts) -> i64 {
    counts.parts.iter().map(|part| i64::from(part.total.unwrap())).sum()
}

/// Sections whose borders meet every case of the join rule.
fn any_sections() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(
        prop_oneof![
            r"(?s)[\p{any}]{0,10}",
            r"[ \t\r\n/]{0,4}",
            r"[a-zA-Z']{1,6}[ \r\n/]{0,3}",
            r"[\r\n/ ]{0,3}[a-z0-9中é🦀\-]{1,6}",
            r"[0-9]{1,4}",
            r"(# [A-Z][a-z]{1,8}\n\n([a-z]{1,9} ){1,30}\r?\n){1,3}",
        ],
        0..9,
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn parts_and_joins_sum_to_the_count_of_the_whole(sections in any_sections()) {
        let sections = sections.iter().map(String::as_str).collect::<Vec<_>>();
        let whole = sections.concat();
        for tokenizer in EXACT {
            let counts = sections_of(&sections, tokenizer);
            prop_assert_eq!(counts.total, count_for(&whole, tokenizer, &NeverCancel).unwrap());
            prop_assert_eq!(sum_of_parts(&counts) + counts.joins, i64::from(counts.total.total.unwrap()));
            for (part, section) in counts.parts.iter().zip(&sections) {
                prop_assert_eq!(*part, count_for(section, tokenizer, &NeverCancel).unwrap());
            }
        }
        for tokenizer in ESTIMATED {
            let counts = sections_of(&sections, tokenizer);
            prop_assert_eq!(counts.total, count_for(&whole, tokenizer, &NeverCancel).unwrap());
            prop_assert_eq!(sum_of_parts(&counts) + counts.joins, i64::from(counts.total.total.unwrap()));
        }
    }

    #[test]
    fn memory_never_changes_a_count(texts in prop::collection::vec(any_sections(), 1..4)) {
        // So small that it forgets all the time.
        let mut forgetful = Counter::with_capacity_bytes(0);
        for sections in texts {
            let sections = sections.iter().map(String::as_str).collect::<Vec<_>>();
            let counts = forgetful.count_sections(&sections, EXACT[1], &NeverCancel).unwrap();
            prop_assert_eq!(counts, sections_of(&sections, EXACT[1]));
        }
    }

    #[test]
    fn the_interval_of_the_whole_lies_within_the_sum_of_its_parts(paragraphs in prop::collection::vec(r"[A-Z][a-zé中0-9,()]{1,30}( [a-z]{1,9}){0,40}\.\n", 1..9)) {
        let sections = paragraphs.iter().map(String::as_str).collect::<Vec<_>>();
        for tokenizer in ESTIMATED {
            let counts = sections_of(&sections, tokenizer);
            let low = counts.parts.iter().map(|part| part.low.unwrap()).sum::<u32>();
            let high = counts.parts.iter().map(|part| part.high.unwrap()).sum::<u32>();
            prop_assert!(low <= counts.total.low.unwrap() && counts.total.high.unwrap() <= high, "{counts:?}");
            prop_assert!(counts.joins.unsigned_abs() <= sections.len() as u64 / 2 + 1, "rounding alone: {counts:?}");
        }
    }
}

#[test]
fn a_word_across_a_border_is_counted_as_the_word_it_makes() {
    // "hel" and "lo" are one token each, "hello" is one; the full stops are cut off by nothing.
    let counts = sections_of(&["hel", "lo"], EXACT[1]);
    let totals = counts.parts.iter().map(|part| part.total.unwrap()).collect::<Vec<_>>();
    assert_eq!((totals, counts.joins, counts.total.total), (vec![1, 1], -1, Some(1)));
}

#[test]
fn nothing_known_is_unknown_in_every_row() {
    let counts = sections_of(&["a", "b"], Tokenizer::Unknown);
    assert_eq!(
        serde_json::to_string(&counts).unwrap(),
        r#"{"parts":[{"total":null,"method":"unknown","low":null,"high":null},{"total":null,"method":"unknown","low":null,"high":null}],"joins":0,"total":{"total":null,"method":"unknown","low":null,"high":null}}"#
    );
}

#[test]
fn one_key_press_recounts_its_neighbourhood_only() {
    let word = |n: usize| ["skill", "reads", "the", "file", "and", "answers", "in", "brief"][n % 8];
    let section = |n: usize, lines: usize| {
        let body = (0..lines).map(|line| {
            let words = (0..9).map(|w| word(n * 31 + line * 17 + w * (line % 5 + 1))).collect::<Vec<_>>();
            format!("- {} {line}\n", words.join(" "))
        });
        format!("## Skill {n}\n\n{}\n", body.collect::<String>())
    };
    // 400 sections of 2 to 3 KB and one of 256 KB.
    let mut sections = (0..400).map(|n| section(n, 50)).collect::<Vec<_>>();
    sections[200] = section(200, 5800);
    assert!(sections[200].len() > 256 * 1024);

    let mut counter = Counter::default();
    let mut recount = |sections: &[String]| {
        let before = counter.counted_bytes();
        let sections = sections.iter().map(String::as_str).collect::<Vec<_>>();
        counter.count_sections(&sections, EXACT[1], &NeverCancel).unwrap();
        counter.counted_bytes() - before
    };
    recount(&sections);
    assert_eq!(recount(&sections), 0, "nothing changed");
    for (edited, what) in [(7, "a small section"), (200, "the large section")] {
        let middle = sections[edited].len() / 2;
        sections[edited].insert(middle, 'x');
        let bytes = recount(&sections);
        assert!((1..=24 * 1024).contains(&bytes), "{what}: {bytes} bytes counted again");
    }
}
