//! Blocks that stand more than once: in one file, or in two files that are both in the prompt.
//!
//! A block is what blank lines, headings and code fences set apart. Blocks are compared without their line ends and
//! heading signs; runs of equal blocks are told as one. The work is linear: a run is walked once for each place where
//! it is found, and short runs that are walked in vain are at most [`LEAST`] bytes long.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::ops::Range;

use model::{Finding, Severity, text};

use super::lines::lines;
use super::{Role, Subject};
use crate::rules;

/// Least length of a run that is told, in bytes of its text.
const LEAST: usize = 200;
/// Least length of a block by which a run is found.
const ANCHOR: usize = 40;

/// One block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Block {
    start: usize,
    /// One past its last line's end.
    end: usize,
    hash: u64,
    /// Bytes of its text, line ends left out.
    size: usize,
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, usize, DefaultHasher, usize)> = None;
    let mut close = |open: &mut Option<(usize, usize, DefaultHasher, usize)>| {
        if let Some((start, end, hasher, size)) = open.take() {
            blocks.push(Block { start, end, hash: hasher.finish(), size });
        }
    };
    let mut before_code = false;
    for line in lines(text) {
        let line_end = line.end() + text[line.end()..].find('\n').map_or(text.len() - line.end(), |at| at + 1);
        if (line.blank() && !line.code) || line.heading() || line.code != before_code {
            close(&mut open);
        }
        before_code = line.code;
        if line.blank() && !line.code {
            continue;
        }
        let (_, end, hasher, size) = open.get_or_insert_with(|| (line.at, line.at, DefaultHasher::new(), 0));
        let shown = line.text.trim_end().trim_start_matches('#');
        // A rule is a rule, whatever its sign.
        let shown = if matches!(shown, "---" | "***" | "___") { "---" } else { shown };
        shown.hash(hasher);
        *size += shown.len();
        *end = line_end;
        if line.heading() {
            close(&mut open);
        }
    }
    close(&mut open);
    blocks
}

/// Runs of blocks that stand earlier too: the blocks, and the first block of the earlier run.
fn runs(blocks: &[Block]) -> Vec<(Range<usize>, usize)> {
    let mut first: HashMap<u64, usize> = HashMap::new();
    let mut found = Vec::new();
    let mut done = 0;
    let mut at = 0;
    while at < blocks.len() {
        let block = blocks[at];
        let earlier = if block.size >= ANCHOR { first.get(&block.hash).copied() } else { None };
        let Some(earlier) = earlier else {
            first.entry(block.hash).or_insert(at);
            at += 1;
            continue;
        };
        let same = |left: usize, right: usize| blocks[left].hash == blocks[right].hash;
        let mut size = block.size;
        let mut before = 0;
        while before < LEAST && at - before > done && earlier > before && same(at - before - 1, earlier - before - 1) {
            before += 1;
            size += blocks[at - before].size;
        }
        let mut length = 1;
        while at + length < blocks.len() && earlier + length < at - before && same(at + length, earlier + length) {
            size += blocks[at + length].size;
            length += 1;
            if size < LEAST && length > LEAST {
                break;
            }
        }
        if size >= LEAST {
            found.push((at - before..at + length, earlier - before));
            at += length;
            done = at;
        } else {
            at += 1;
        }
    }
    found
}

/// Bytes to take out so that no run stands twice, in order.
pub(super) fn without_repeats(text: &str) -> Vec<Range<usize>> {
    let blocks = blocks(text);
    let cut = |(run, _): (Range<usize>, usize)| {
        let (start, end) = (blocks[run.start].start, blocks[run.end - 1].end);
        let previous = run.start.checked_sub(1).map_or(0, |previous| blocks[previous].end);
        match blocks.get(run.end) {
            // The blank lines on one side go along.
            Some(next) if previous < start => start..next.start,
            Some(_) => start..end,
            None => previous..text.len(),
        }
    };
    runs(&blocks).into_iter().map(cut).collect()
}

pub(super) fn repeated(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    if !subject.role.injected() {
        return;
    }
    let text = subject.text();
    let blocks = blocks(text);
    let runs = runs(&blocks);
    let Some((run, earlier)) = runs.first() else { return };
    let size: usize = runs.iter().map(|(run, _)| blocks[run.end - 1].end - blocks[run.start].start).sum();
    let line = text[..blocks[*earlier].start].bytes().filter(|&byte| byte == b'\n').count() + 1;
    let count = runs.len();
    let message = text!("repeated-block", count, line, size);
    let finding = subject.finding(rules::REPEATED_BLOCK, blocks[run.start].start, blocks[run.end - 1].end, message);
    findings.push(finding.fix("remove-duplicate-block", text!("fix-remove-copies", count)));
}

/// Blocks that stand in two of the files that are in the prompt; told at the later file, once for each pair.
pub(super) fn across<'a>(subjects: impl IntoIterator<Item = &'a Subject<'a>>) -> Vec<Finding> {
    let mut seen: HashMap<u64, (usize, usize)> = HashMap::new();
    let mut names: Vec<&str> = Vec::new();
    let mut findings = Vec::new();
    for subject in subjects {
        if !matches!(subject.role, Role::Bootstrap | Role::Memory) {
            continue;
        }
        let text = subject.text();
        let index = names.len();
        let mut told = Vec::new();
        for block in blocks(text).into_iter().filter(|block| block.size >= LEAST) {
            let &mut (other, start) = seen.entry(block.hash).or_insert((index, block.start));
            if other == index || told.contains(&other) {
                continue;
            }
            told.push(other);
            let message = text!("repeated-block-in-two", name = names[other], at = start);
            let finding = subject.finding(rules::REPEATED_BLOCK, block.start, block.end, message);
            findings.push(Finding { severity: Severity::Info, ..finding });
        }
        names.push(subject.name);
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: &str = "- a note that is long enough to be told from a chance likeness, \
                        and which takes two hundred and some letters of a text that nobody would write twice \
                        by accident, as every reader of it will readily admit without being asked\n";

    fn cut(text: &str) -> String {
        let mut text = text.to_owned();
        for range in without_repeats(&text.clone()).into_iter().rev() {
            text.replace_range(range, "");
        }
        text
    }

    #[test]
    fn copies_go_and_what_is_around_them_stays() {
        assert!(LONG.len() > LEAST);
        for (before, after) in [
            (format!("{LONG}\nend\n"), format!("{LONG}\nend\n")),
            (format!("{LONG}\n{LONG}"), LONG.to_owned()),
            (format!("{LONG}\n\n{LONG}\nend\n"), format!("{LONG}\n\nend\n")),
            (format!("## A\n{LONG}\n## B\n{LONG}\n## C\nx\n"), format!("## A\n{LONG}\n## B\n\n## C\nx\n")),
            (
                format!("## A\n{LONG}text\n\nshort\n\n## A\n{LONG}text\nend\n"),
                format!("## A\n{LONG}text\n\nshort\n\n## A\n{LONG}text\nend\n"),
            ),
            (format!("## A\r\n{LONG}\n## A\n{LONG}"), format!("## A\r\n{LONG}")),
            ("a\n\na\n\na\n".to_owned(), "a\n\na\n\na\n".to_owned()),
        ] {
            assert_eq!(cut(&before), after);
            assert_eq!(cut(&after), after, "once is enough");
        }
    }

    #[test]
    fn two_mebibytes_of_the_same_are_one_section() {
        let section = |day: usize| format!("\n## Notes — day {day}\n{LONG}");
        let text: String = (0..2 * 1024 * 1024 / LONG.len()).map(section).collect();
        let blocks = blocks(&text);
        assert_eq!(runs(&blocks).len(), blocks.len() / 2 - 1, "each body but the first");
    }
}
