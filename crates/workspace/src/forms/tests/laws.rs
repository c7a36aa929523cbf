//! What holds for every text, however hostile, and every field.

use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::super::values::{several_lines, shown, written};
use super::*;
use crate::document::{Document, Edit, Kind};

const FILES: [&str; 7] = ["USER.md", "SOUL.md", "AGENTS.md", "TOOLS.md", "MEMORY.md", "CLAUDE.md", "SKILL.md"];

/// Lines that documents are put together from; none ends itself.
const LINES: [&str; 95] = [
    "",
    "",
    "",
    "",
    "   ",
    "\t",
    "# Ada",
    "# Soul",
    "## Notes",
    "### notes ##",
    "## Preferences",
    "## Preferences",
    "#### Interests",
    "## Basic information",
    "## Values",
    "# Rules",
    "## Reminders",
    "## Overview",
    "## Work",
    "## 1. 偏好",
    "## Garden log",
    "#",
    "====",
    "---",
    "***",
    "- - -",
    "- **Name:** Ada",
    "- **Name**: (your name)",
    "* Language: fr",
    "**Nature:** a cat",
    "**Voice:** brief",
    "姓名：小满",
    "时区: Asia/Shanghai",
    "Time zone:",
    "- **Pronouns:**",
    "  - Name: nested",
    "1. Role: smith",
    "- Level: third",
    "Nom : Zoé",
    "שם: עדה",
    "- one",
    "- two",
    "* three",
    "-",
    "- ",
    "  continued",
    "    deep",
    "   - nested",
    "\t- tab",
    "1. first",
    "2. second",
    "3) third",
    "9. ninth",
    "01. padded",
    "- [ ] box",
    "- [x] ticked",
    "- [ ]",
    "-  [X]  far",
    "- 2026-02-03: dated",
    "- [2026-02-04] in brackets",
    "(nothing yet)",
    "Text of a paragraph",
    "e\u{301}\u{327} combined",
    "مرحبا \u{202E}rtl",
    "🚢👩‍👩‍👧",
    "| a | b |",
    "|---|:-:|",
    "```",
    "```rust",
    "~~~~",
    "<!--",
    "-->",
    "<!-- whole -->",
    "\\# escaped",
    "name: tide # why",
    "description: >",
    "*Edit this.*",
    "_closing_",
    "[2026-02-05 09:30] no mark",
    "- [2026-02-05 09:30] a time",
    "- **2026-02-06** — a dash",
    "- 2026-02-07",
    "## Night run — User Profile — 2025-03-04",
    "Nom\u{a0}: Zoé",
    "名前：ゆり",
    "Intro: *not* a name, but a sentence that goes on, with **Name:** in it",
    "\u{2029}",
    "> quoted",
    "- **Langue** : français",
    "***Surnom:*** Z",
    "## 2026-02-03",
    "- 2026年2月3日：雨",
    "- 2026/02/03 slashes",
    "# Agent instructions",
    "# SOUL.md - Who you are",
];

const VALUES: [&str; 45] = [
    "",
    " ",
    "Ada",
    "Ada Lindqvist",
    "(she/her)",
    "# heading",
    "#",
    "a\n===",
    "a\n---",
    "---",
    "```",
    "```\nx",
    "```\n# a\n```",
    "<!--",
    "<!-- x -->\n# y",
    "- item\n- item",
    "Name: Eve",
    "## Preferences\n- x",
    "\\# x",
    "\\\\```",
    "\u{202E}rtl",
    "e\u{301}",
    "a\r\nb\rc",
    "\n\n x\n\n",
    "[ ] box",
    "[x]",
    "--",
    "- -",
    "\\--",
    "1. x",
    "yes",
    "a: b",
    "\"q\" # c",
    "|\n|-|",
    "x\u{2028}y",
    "~~~~\n~~~",
    "2026-02-03 dated",
    "2026-02-03",
    "- x",
    "14:05 x",
    ": x",
    "] x",
    "x\n\n---\n\n*closing*",
    "**bold** | `code`",
    "a # #",
];

fn document() -> impl Strategy<Value = String> {
    let end = select(vec!["\n", "\n", "\n", "\r\n", "\r"]);
    let mixed = vec((select(LINES.to_vec()), end.clone()), 0..24)
        .prop_map(|lines| lines.into_iter().flat_map(|(line, end)| [line, end]).collect::<String>());
    let even = (vec(select(LINES.to_vec()), 0..24), end).prop_map(|(lines, end)| lines.join(end));
    let front = select(vec![
        "",
        "",
        "\u{FEFF}",
        "---\nname: tide\n---\n",
        "---\r\ndescription: 'a: b' # c\r\nname:\r\n---\r\n",
    ]);
    (front, prop_oneof![mixed, even]).prop_map(|(front, text)| format!("{front}{text}"))
}

fn typed() -> impl Strategy<Value = String> {
    prop_oneof![3 => select(VALUES.to_vec()).prop_map(str::to_owned), 1 => "[a#\\-`:\\\\ \n]{0,8}", 1 => "\\PC{0,10}"]
}

/// Runs `test` over a few documents, the same each time, or over 25,000 new ones when asked for: 100,000 in the four
/// laws over documents.
fn run<S: Strategy>(strategy: S, test: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let long = std::env::var_os("CBW_LONG").is_some();
    let config = Config { cases: if long { 25_000 } else { 192 }, failure_persistence: None, ..Config::default() };
    let mut runner = if long {
        TestRunner::new(config)
    } else {
        TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
    };
    if let Err(error) = runner.run(&strategy, test) {
        panic!("{error}");
    }
}

fn fields<'f>(form: &'f Form<'_>) -> Vec<&'f Field<'f>> {
    let groups = form.blocks.iter().filter_map(|block| match block {
        Block::Group(group) => Some(&group.fields),
        Block::Kept(_) => None,
    });
    groups.flatten().collect()
}

fn field<'f>(form: &'f Form<'_>, id: &str) -> Option<&'f Field<'f>> {
    fields(form).into_iter().find(|field| field.id == id)
}

fn are_slices(text: &str, ranges: &[Range<usize>]) -> bool {
    ranges.iter().all(|range| text.get(range.clone()).is_some())
}

#[test]
fn structure_is_byte_ranges_of_the_whole_text() {
    run((document(), select(FILES.to_vec())), |(text, path)| {
        let read = Document::read(&text);
        let mark = if text.starts_with('\u{FEFF}') { 3 } else { 0 };
        let again: String = read.lines.iter().map(|line| &text[line.start..line.next]).collect();
        prop_assert_eq!(&again, &text[mark..]);
        prop_assert_eq!(apply(&text, &[]), text.as_str());
        let mut end = 0;
        for block in &read.blocks {
            prop_assert!(block.lines.start >= end && block.lines.end > block.lines.start);
            for line in end..block.lines.start {
                prop_assert!(read.is_blank(line), "no line with text is outside of every block");
            }
            end = block.lines.end;
            if let Kind::List(items) = &block.kind {
                prop_assert_eq!(items[0].lines.start, block.lines.start);
                prop_assert_eq!(items[items.len() - 1].lines.end, block.lines.end);
                prop_assert!(items.windows(2).all(|pair| pair[0].lines.end <= pair[1].lines.start));
            }
        }
        prop_assert!(read.work <= 8 * read.lines.len() + 2, "{} of {}", read.work, read.lines.len());
        let form = read_form(path, &text);
        let mut ranges: Vec<_> = fields(&form).iter().filter_map(|field| field.range.clone()).collect();
        ranges.extend(form.blocks.iter().filter_map(|block| match block {
            Block::Kept(kept) => Some(kept.range.clone()),
            Block::Group(_) => None,
        }));
        prop_assert!(are_slices(&text, &ranges));
        let ids: BTreeSet<_> = fields(&form).iter().map(|field| field.id.clone()).collect();
        prop_assert_eq!(ids.len(), fields(&form).len(), "ids are unique");
        Ok(())
    });
}

fn read_form(path: &str, text: &str) -> Form<'static> {
    read(schema_for(path).unwrap(), text)
}

fn is_open(text: &str) -> bool {
    let last = Document::read(text).blocks.pop();
    last.is_some_and(|block| matches!(block.kind, Kind::Code { closed: false } | Kind::Comment { closed: false }))
}

/// True when a line begins something else than a text.
fn is_sign(line: &str) -> bool {
    Document::read(line).blocks.first().is_none_or(|block| block.kind != Kind::Text)
}

/// True when the first heading is one by the line below it.
fn is_underlined(text: &str) -> bool {
    let read = Document::read(text);
    let first = read.blocks.iter().find(|block| matches!(block.kind, Kind::Heading { .. }));
    first.is_some_and(|block| block.lines.len() > 1)
}

/// True with an underlined heading that is written further in than its list would be.
fn has_inner_heading(text: &str) -> bool {
    let read = Document::read(text);
    let underlined =
        read.blocks.iter().filter(|block| matches!(block.kind, Kind::Heading { .. }) && block.lines.len() > 1);
    underlined.into_iter().any(|block| read.line(block.lines.start).starts_with("  "))
}

#[test]
fn a_value_that_is_set_reads_back_and_nothing_else_changes() {
    let given = (document(), select(FILES.to_vec()), any::<Index>(), typed());
    run(given, |(text, path, which, typed)| {
        let schema = schema_for(path).unwrap();
        let form = read(schema, &text);
        let all = fields(&form);
        let before = all[which.index(all.len())];
        if before.control.has_items() {
            return Ok(());
        }
        let same = edit(schema, &text, &before.id, &Change::Text(before.value.clone()), "");
        prop_assert_eq!(same, Ok(vec![]), "its own value");
        let edits = match edit(schema, &text, &before.id, &Change::Text(typed.clone()), "") {
            Ok(edits) => edits,
            // Behind code or a comment that nothing closes there is no place for anything.
            Err(EditError::Structure) if is_open(&text) => return Ok(()),
            // A list right above a heading that is written further in takes that heading in, so no list may stand there.
            Err(EditError::Structure)
                if typed.trim_start().starts_with(['-', '*', '+']) && has_inner_heading(&text) =>
            {
                return Ok(());
            }
            // Over a line that makes it a heading, words alone may stand.
            Err(EditError::Structure) if before.id == "name" && is_sign(&typed) && is_underlined(&text) => {
                return Ok(());
            }
            Err(error) => return Err(TestCaseError::fail(format!("{path} {} {typed:?}: {error:?}", before.id))),
        };
        if let Some(range) = before.range.clone().filter(|range| !range.is_empty()) {
            for edit in &edits {
                prop_assert!(edit.range.start >= range.start && edit.range.end <= range.end);
            }
        }
        let after_text = apply(&text, &edits);
        let again = read(schema, &after_text);
        let after = field(&again, &before.id);
        let after = after.ok_or_else(|| TestCaseError::fail("the field is gone"))?;
        let becomes_list = after.control.has_items();
        let wanted = if before.one_line { super::values::one_line(&typed) } else { several_lines(&typed) };
        let blank = after.value.is_empty() && (wanted.is_empty() || after.placeholder.is_some() || path == "SOUL.md");
        prop_assert!(
            becomes_list || after.value == wanted || blank || before.id == "name",
            "{:?} for {wanted:?}",
            after.value
        );
        if !becomes_list {
            prop_assert_eq!(
                edit(schema, &after_text, &before.id, &Change::Text(typed), ""),
                Ok(vec![]),
                "once is enough"
            );
        }
        for other in all.iter().filter(|other| other.id != before.id && other.spec.is_some()) {
            let now = field(&again, &other.id).map(|field| (field.value.clone(), field.items.len()));
            prop_assert_eq!(now, Some((other.value.clone(), other.items.len())), "{}", other.id);
        }
        Ok(())
    });
}

#[test]
fn changes_of_two_fields_commute() {
    let given = (document(), select(FILES.to_vec()), any::<(Index, Index)>(), typed(), typed());
    run(given, |(text, path, (first, second), one, two)| {
        let schema = schema_for(path).unwrap();
        let form = read(schema, &text);
        let there: Vec<_> = fields(&form)
            .into_iter()
            .filter(|field| !field.control.has_items() && field.range.as_ref().is_some_and(|range| !range.is_empty()))
            .map(|field| field.id.clone())
            .collect();
        if there.len() < 2 {
            return Ok(());
        }
        let (a, b) = (&there[first.index(there.len())], &there[second.index(there.len())]);
        if a == b {
            return Ok(());
        }
        let set = |text: &str, id: &str, value: &str| {
            edit(schema, text, id, &Change::Text(value.to_owned()), "").map(|edits| apply(text, &edits))
        };
        let there = set(&text, a, &one).and_then(|text| set(&text, b, &two));
        let back = set(&text, b, &two).and_then(|text| set(&text, a, &one));
        prop_assert_eq!(there, back);
        Ok(())
    });
}

#[test]
fn what_is_done_to_a_list_can_be_undone() {
    let given = (document(), select(FILES.to_vec()), any::<(Index, Index, Index)>(), typed());
    run(given, |(text, path, (which, from, to), typed)| {
        let schema = schema_for(path).unwrap();
        let form = read(schema, &text);
        let lists: Vec<_> = fields(&form).into_iter().filter(|field| !field.items.is_empty()).collect();
        if lists.is_empty() {
            return Ok(());
        }
        let list = lists[which.index(lists.len())];
        let (from, to) = (from.index(list.items.len()), to.index(list.items.len()));
        let make = |text: &str, change: Change| {
            edit(schema, text, &list.id, &change, "2026-03-01").map(|edits| apply(text, &edits))
        };
        // A list that is not indented evenly may refuse; what is made can be undone.
        if let Ok(moved) = make(&text, Change::Move(from, to)) {
            prop_assert_eq!(make(&moved, Change::Move(to, from)), Ok(text.clone()), "moved {} to {}", from, to);
        }
        if let Ok(more) = make(&text, Change::Add(from, typed.clone())) {
            prop_assert_eq!(make(&more, Change::Remove(from)), Ok(text.clone()), "added at {}", from);
        }
        for (at, item) in list.items.iter().enumerate() {
            prop_assert_eq!(
                edit(schema, &text, &list.id, &Change::Set(at, item.text.clone()), ""),
                Ok(Vec::<Edit>::new())
            );
        }
        if !list.items[from].kept {
            let set = make(&text, Change::Set(from, typed.clone()));
            let set = set.map_err(|error| TestCaseError::fail(format!("{typed:?} at {from}: {}", error.text())))?;
            prop_assert_eq!(make(&set, Change::Set(from, typed.clone())), Ok(set.clone()), "once is enough");
            // Every other entry stays, and the list's own text outside of the entry.
            let again = read(schema, &set);
            let now = field(&again, &list.id).ok_or_else(|| TestCaseError::fail("the list is gone"))?;
            prop_assert_eq!(now.items.len(), list.items.len());
            for (at, (now, old)) in now.items.iter().zip(&list.items).enumerate().filter(|(at, _)| *at != from) {
                prop_assert_eq!(
                    (&now.text, now.checked, &now.date),
                    (&old.text, old.checked, &old.date),
                    "entry {}",
                    at
                );
            }
            let entry = &list.items[from];
            let said = super::super::values::one_line(&typed);
            let after = &now.items[from];
            prop_assert!(after.text == said || said.ends_with(&*after.text) && after.date.is_some(), "{:?}", after);
            prop_assert!(entry.date.is_none() || entry.date == after.date, "{:?} for {:?}", after.date, entry.date);
        }
        Ok(())
    });
}

#[test]
fn a_text_comes_back_from_how_it_is_written() {
    let line = select(vec![
        "# a", "#", "===", "---", "```", "```a", "~~~", "<!--", "-->", "\\#", "\\\\```", "x", "", "- i", "    # c",
        "\\---", "| a", "|-|",
    ]);
    run(vec(line, 0..14), |lines| {
        let value = several_lines(&lines.join("\n"));
        let stands = written(&value);
        prop_assert_eq!(shown(&stands), value);
        let headings = |text: &str| {
            Document::fragment(text).blocks.iter().any(|block| {
                matches!(
                    block.kind,
                    Kind::Heading { .. } | Kind::Code { closed: false } | Kind::Comment { closed: false }
                )
            })
        };
        prop_assert!(!headings(&stands), "{stands:?}");
        Ok(())
    });
}
