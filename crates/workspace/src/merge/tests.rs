#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

/// What each hunk is, with its three pieces.
fn cut<'a>(base: &'a str, mine: &'a str, theirs: &'a str) -> Vec<(HunkKind, &'a str, &'a str, &'a str)> {
    merge(base, mine, theirs)
        .into_iter()
        .map(|hunk| (hunk.kind, &base[hunk.base], &mine[hunk.mine], &theirs[hunk.theirs]))
        .collect()
}

fn without_conflict(base: &str, mine: &str, theirs: &str) -> String {
    merged(&merge(base, mine, theirs), mine, theirs, |hunk| panic!("a conflict: {hunk:?}"))
}

#[test]
fn changes_apart_are_both_in_the_result() {
    let base = "# Me\nname: Ana\nlikes: tea\nlives: Porto\n";
    let mine = "# Me\nname: Ana Luz\nlikes: tea\nlives: Porto\n";
    let theirs = "# Me\nname: Ana\nlikes: tea\nlives: Lisbon\nspeaks: Spanish\n";
    assert_eq!(
        without_conflict(base, mine, theirs),
        "# Me\nname: Ana Luz\nlikes: tea\nlives: Lisbon\nspeaks: Spanish\n"
    );
}

#[test]
fn changes_of_one_line_are_a_conflict_with_both_sides() {
    use HunkKind::{Conflict, Same};
    assert_eq!(
        cut("a\nb\nc\n", "a\nB mine\nc\n", "a\nB theirs\nc\n"),
        [(Same, "a\n", "a\n", "a\n"), (Conflict, "b\n", "B mine\n", "B theirs\n"), (Same, "c\n", "c\n", "c\n")]
    );
}

#[test]
fn changes_that_touch_are_a_conflict() {
    let kinds: Vec<_> = cut("a\nb\n", "A\nb\n", "a\nB\n").iter().map(|hunk| hunk.0).collect();
    assert_eq!(kinds, [HunkKind::Conflict]);
    let kinds: Vec<_> = cut("a\nc\n", "a\nmine\nc\n", "a\ntheirs\nc\n").iter().map(|hunk| hunk.0).collect();
    assert_eq!(kinds, [HunkKind::Same, HunkKind::Conflict, HunkKind::Same]);
}

#[test]
fn the_same_change_counts_once() {
    assert_eq!(without_conflict("a\nb\n", "a\nx\ny\n", "a\nx\ny\n"), "a\nx\ny\n");
    assert_eq!(without_conflict("a\n", "", ""), "");
    assert_eq!(without_conflict("", "new\n", "new\n"), "new\n");
}

#[test]
fn what_one_side_removed_is_gone_unless_the_other_changed_it() {
    assert_eq!(without_conflict("a\nb\nc\nd\n", "a\nc\nd\n", "a\nb\nc\nD\n"), "a\nc\nD\n");
    assert_eq!(cut("a\nb\nc\n", "a\nc\n", "a\nB\nc\n")[1], (HunkKind::Conflict, "b\n", "", "B\n"));
}

#[test]
fn line_ends_are_part_of_their_lines() {
    // Theirs turned one line end into CR LF; mine changed another line.
    assert_eq!(without_conflict("a\nb\nc\nd\n", "a\nb\nc\nD\n", "a\r\nb\nc\nd\n"), "a\r\nb\nc\nD\n");
    assert_eq!(without_conflict("a\nb\nc", "A\nb\nc", "a\nb\nc\nd"), "A\nb\nc\nd", "a last line without an end");
    assert_eq!(without_conflict("\u{FEFF}a\rb\n", "\u{FEFF}a\rb\nc\n", "\u{FEFF}a\rb\n"), "\u{FEFF}a\rb\nc\n");
}

#[test]
fn without_a_base_everything_that_differs_is_a_conflict() {
    assert_eq!(cut("", "mine\n", "theirs\n"), [(HunkKind::Conflict, "", "mine\n", "theirs\n")]);
    assert_eq!(cut("", "", ""), []);
    assert_eq!(cut("", "mine\n", ""), [(HunkKind::Mine, "", "mine\n", "")]);
}

#[test]
fn words_that_differ_are_marked() {
    let (before, after) = word_marks("speak Spanish to me", "speak French to me, please");
    assert_eq!((before.len(), before.first()), (1, Some(&(6..13))));
    assert_eq!(after, [6..12, 18..26]);
    let (before, after) = word_marks("她喜欢茶", "她喜欢咖啡");
    assert_eq!((before.first(), after.first()), (Some(&(9..12)), Some(&(9..15))), "each character is a word");
    assert_eq!((before.len(), after.len()), (1, 1));
    assert_eq!(word_marks("same", "same"), (vec![], vec![]));
}

/// Lines that repeat often, with every kind of end.
fn text() -> impl Strategy<Value = String> {
    let line = prop_oneof!["[abc]{0,2}\n", "[ab]\r\n", Just("\n".to_owned()), "é\r[a]\n"];
    (proptest::collection::vec(line, 0..12), prop_oneof![Just(String::new()), "[ab]{1,3}"])
        .prop_map(|(lines, last)| lines.concat() + &last)
}

/// A text and another made from it by some edits of lines.
fn edited(lines: &[String], edits: &[(usize, u8, String)]) -> String {
    let mut lines = lines.to_vec();
    for (at, what, new) in edits {
        let at = at % (lines.len() + 1);
        match what % 3 {
            0 => lines.insert(at, format!("{new}\n")),
            1 if at < lines.len() => lines[at] = format!("{new}\n"),
            _ if at < lines.len() => drop(lines.remove(at)),
            _ => {}
        }
    }
    lines.concat()
}

fn cases() -> u32 {
    if std::env::var_os("CBW_LONG").is_some_and(|value| value == "1") { 100_000 } else { 512 }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn the_pieces_are_the_texts(base in text(), mine in text(), theirs in text()) {
        let hunks = merge(&base, &mine, &theirs);
        let put = |text: &str, of: fn(&Hunk) -> Range<usize>| -> String {
            hunks.iter().map(|hunk| text[of(hunk)].to_owned()).collect()
        };
        prop_assert_eq!(put(&base, |hunk| hunk.base.clone()), base.clone());
        prop_assert_eq!(put(&mine, |hunk| hunk.mine.clone()), mine.clone());
        prop_assert_eq!(put(&theirs, |hunk| hunk.theirs.clone()), theirs.clone());
        for hunk in &hunks {
            let [b, m, t] = [&base[hunk.base.clone()], &mine[hunk.mine.clone()], &theirs[hunk.theirs.clone()]];
            let expected = match (b == m, b == t) {
                (true, true) => HunkKind::Same,
                (false, true) => HunkKind::Mine,
                (true, false) => HunkKind::Theirs,
                (false, false) if m == t => HunkKind::Both,
                (false, false) => HunkKind::Conflict,
            };
            prop_assert_eq!(hunk.kind, expected, "{:?}", hunk);
        }
        let neighbours = hunks.windows(2).filter(|two| two[0].kind == HunkKind::Same && two[1].kind == HunkKind::Same);
        prop_assert_eq!(neighbours.count(), 0);
    }

    #[test]
    fn a_side_without_changes_gives_way(base in text(), other in text()) {
        prop_assert_eq!(without_conflict(&base, &base, &other), other.clone());
        prop_assert_eq!(without_conflict(&base, &other, &base), other.clone());
        prop_assert_eq!(without_conflict(&base, &other, &other), other);
    }

    #[test]
    fn the_sides_are_equal_in_rights(base in text(), mine in text(), theirs in text()) {
        let conflicts = |a: &str, b: &str| {
            merge(&base, a, b).iter().filter(|hunk| hunk.kind == HunkKind::Conflict).map(|hunk| hunk.base.clone()).collect::<Vec<_>>()
        };
        prop_assert_eq!(conflicts(&mine, &theirs), conflicts(&theirs, &mine));
    }

    #[test]
    fn edits_on_both_sides_of_an_untouched_line_merge_by_themselves(
        upper in proptest::collection::vec("[a-c]{1,2}\n", 0..6),
        lower in proptest::collection::vec("[d-f]{1,2}\n", 0..6),
        mine in proptest::collection::vec((any::<usize>(), any::<u8>(), "[g-i]{1,2}"), 0..4),
        theirs in proptest::collection::vec((any::<usize>(), any::<u8>(), "[j-l]{1,2}"), 0..4),
    ) {
        // Lines that only stand here keep the two apart, wherever a difference is cut.
        let middle = "== one ==\n== two ==\n";
        let base = upper.concat() + middle + &lower.concat();
        let above = edited(&upper, &mine);
        let below = edited(&lower, &theirs);
        let left = above.clone() + middle + &lower.concat();
        let right = upper.concat() + middle + &below;
        prop_assert_eq!(without_conflict(&base, &left, &right), above + middle + &below);
    }

    #[test]
    fn no_line_that_a_side_added_is_lost(base in text(), mine in text(), theirs in text()) {
        // Every conflict decided for both sides: each line that somebody added is there.
        let hunks = merge(&base, &mine, &theirs);
        let both: Vec<String> = hunks
            .iter()
            .map(|hunk| match hunk.kind {
                HunkKind::Theirs => theirs[hunk.theirs.clone()].to_owned(),
                HunkKind::Conflict => mine[hunk.mine.clone()].to_owned() + &theirs[hunk.theirs.clone()],
                _ => mine[hunk.mine.clone()].to_owned(),
            })
            .collect();
        let result = both.concat();
        let known: BTreeSet<&str> = base.lines().collect();
        for line in mine.lines().chain(theirs.lines()).filter(|line| !known.contains(line)) {
            prop_assert!(result.contains(line), "{line:?} is not in {result:?}");
        }
    }

    #[test]
    fn marks_cover_what_differs(before in "[ab é茶\n]{0,30}", after in "[ab é茶\n]{0,30}") {
        let (old, new) = word_marks(&before, &after);
        let rest = |text: &str, marks: &[Range<usize>]| {
            let mut kept = String::new();
            let mut at = 0;
            for mark in marks {
                kept.push_str(&text[at..mark.start]);
                at = mark.end;
            }
            kept + &text[at..]
        };
        prop_assert_eq!(rest(&before, &old), rest(&after, &new));
    }
}
