//! The entries of a memory file.

use std::ops::Range;

use crate::dates::{self, Dated};

/// How an entry begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// With a heading; it goes on to the next entry.
    Heading,
    /// A list item that begins with a date.
    Item,
    /// Anything else: what stands before the first heading, or after a dated list.
    Text,
}

/// One entry. Ranges are bytes of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// How it begins.
    pub kind: Kind,
    /// All of it, with its line ends and the blank lines after it.
    pub range: Range<usize>,
    /// What it says: without its heading's line, or without sign and date of its list item.
    pub body: Range<usize>,
    /// As `YYYY-MM-DD`.
    pub date: Option<String>,
    /// What its heading says besides the date: the first part (`Dream`), and the second (`User Profile`).
    pub title: [Option<String>; 2],
}

impl Entry {
    /// True for a heading without a date and without a text: the title of the file, or of what follows. `text` is the
    /// one that the entry is of.
    pub fn is_only_a_heading(&self, text: &str) -> bool {
        self.kind == Kind::Heading && self.date.is_none() && text[self.body.clone()].trim().is_empty()
    }
}

/// The entries of `text`, which cover it exactly once and in order.
///
/// An entry begins at a heading outside of fenced code and at a list item that begins with a date. Two headings do not
/// begin one below a dated heading: `User Profile` and `Project Context`, which are parts of what the target appends.
pub fn entries(text: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut fence: Option<(u8, usize)> = None;
    for line in lines(text) {
        let content = text[line.clone()].trim_end_matches(['\r', '\n']);
        let in_code = fence.is_some();
        fence = after_line(fence, content);
        let last = entries.last();
        let begun = if in_code || fence.is_some() { None } else { begin(content, last) };
        match begun {
            Some(mut entry) => {
                if entry.kind == Kind::Heading {
                    entry.body = line.end..line.end;
                } else {
                    entry.body = line.start + entry.body.start..line.end;
                }
                entry.range = line;
                entries.push(entry);
            }
            None if goes_on(last, content) => {
                if let Some(last) = entries.last_mut() {
                    last.range.end = line.end;
                    last.body.end = line.end;
                }
            }
            None => entries.push(Entry {
                kind: Kind::Text,
                range: line.clone(),
                body: line,
                date: None,
                title: [None, None],
            }),
        }
    }
    entries
}

/// The lines of `text` with their ends: LF, CR LF or CR.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at;
        let end = bytes[start..].iter().position(|byte| matches!(byte, b'\n' | b'\r')).map(|found| start + found);
        at = match end {
            None => bytes.len(),
            Some(end) if bytes[end..].starts_with(b"\r\n") => end + 2,
            Some(end) => end + 1,
        };
        (at > start).then_some(start..at)
    })
}

/// The fence of code that is open after a line: its sign and how many of them.
fn after_line(open: Option<(u8, usize)>, line: &str) -> Option<(u8, usize)> {
    let start = line.trim_start_matches(' ');
    let Some(sign) = start.bytes().next().filter(|sign| matches!(sign, b'`' | b'~')) else { return open };
    let length = start.bytes().take_while(|byte| *byte == sign).count();
    let fence = length >= 3 && line.len() - start.len() < 4;
    match open {
        None => fence.then_some((sign, length)),
        Some((opened, least)) => {
            let closes = fence && sign == opened && length >= least && start[length..].trim().is_empty();
            (!closes).then_some((opened, least))
        }
    }
}

/// The entry that a line begins, with ranges still within the line.
fn begin(line: &str, last: Option<&Entry>) -> Option<Entry> {
    let entry = |kind, body, date, title| Entry { kind, range: 0..0, body, date, title };
    if let Some(heading) = heading(line) {
        let part = ["User Profile", "Project Context"].iter().any(|part| heading.eq_ignore_ascii_case(part));
        if part && last.is_some_and(|last| last.kind == Kind::Heading && last.date.is_some()) {
            return None;
        }
        let dated = dates::first(heading);
        let title = title(heading, dated.as_ref());
        return Some(entry(Kind::Heading, 0..0, dated.map(|dated| dated.date), title));
    }
    let item = item(line)?;
    let dated = dates::first(item).filter(|dated| item[..dated.range.start].chars().all(|c| "*_`[( ".contains(c)))?;
    let said = item[dated.range.end..].trim_start_matches(|c: char| "*_`]):,.–—-".contains(c) || c.is_whitespace());
    let body = line.len() - said.len();
    Some(entry(Kind::Item, body..body, Some(dated.date), [None, None]))
}

/// The text of an ATX heading.
fn heading(line: &str) -> Option<&str> {
    let line = line.strip_prefix('\u{FEFF}').unwrap_or(line);
    let start = line.trim_start_matches(' ');
    let hashes = start.bytes().take_while(|byte| *byte == b'#').count();
    let text = &start[hashes..];
    let is_heading = (1..=6).contains(&hashes) && (text.is_empty() || text.starts_with([' ', '\t']));
    (is_heading && line.len() - start.len() < 4).then(|| text.trim().trim_end_matches('#').trim())
}

/// The text of a list item of the first level.
pub(super) fn item(line: &str) -> Option<&str> {
    let rest = line.strip_prefix(['-', '*', '+']).or_else(|| {
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        (1..=9).contains(&digits).then(|| line[digits..].strip_prefix(['.', ')']))?
    })?;
    rest.starts_with([' ', '\t']).then(|| rest.trim_start())
}

/// The parts of a heading besides its date.
fn title(heading: &str, dated: Option<&Dated>) -> [Option<String>; 2] {
    let without = match dated {
        None => heading.to_owned(),
        Some(dated) => format!("{}\0{}", &heading[..dated.range.start], &heading[dated.range.end..]),
    };
    let mut parts = without
        .split_whitespace()
        .collect::<Vec<_>>()
        .split(|word| matches!(*word, "—" | "–" | "-" | "|"))
        .map(|words| words.join(" ").replace('\0', "").trim_matches(|c: char| " ()[]:,".contains(c)).to_owned())
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .into_iter();
    [parts.next(), parts.next()]
}

/// True when a line that begins nothing belongs to the entry before it.
fn goes_on(last: Option<&Entry>, line: &str) -> bool {
    match last {
        None => false,
        Some(last) if last.kind == Kind::Item => {
            // Another item without a date, or a paragraph, is no part of a dated item.
            line.trim().is_empty() || line.starts_with([' ', '\t'])
        }
        Some(_) => true,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

    use proptest::prelude::*;

    use super::*;

    type Seen<'a> = (Kind, Option<&'a str>, [Option<&'a str>; 2], &'a str);

    fn seen<'a>(text: &'a str, entries: &'a [Entry]) -> Vec<Seen<'a>> {
        let view = |entry: &'a Entry| {
            let title = [entry.title[0].as_deref(), entry.title[1].as_deref()];
            (entry.kind, entry.date.as_deref(), title, text[entry.body.clone()].trim())
        };
        entries.iter().map(view).collect()
    }

    #[test]
    fn a_heading_alone_says_nothing() {
        let text = "# Memory\n\n## 2025-03-04\n\n# Notes\nplums\n## Later\n- 2025-03-05: pears\n";
        let alone: Vec<bool> = entries(text).iter().map(|entry| entry.is_only_a_heading(text)).collect();
        assert_eq!(alone, [true, false, false, true, false], "a date says when, and a text says what");
    }

    #[test]
    fn what_the_target_appends_is_one_entry_each() {
        let text = "# Memory\nold\n\n\n## Dream — 2025-03-04\n## User Profile\nplums\n\n## Project Context\ndam\n\n\n\n\
                    ## Dream — User Profile — 2025-03-05\npears\n";
        let entries = entries(text);
        assert_eq!(
            seen(text, &entries),
            [
                (Kind::Heading, None, [Some("Memory"), None], "old"),
                (
                    Kind::Heading,
                    Some("2025-03-04"),
                    [Some("Dream"), None],
                    "## User Profile\nplums\n\n## Project Context\ndam"
                ),
                (Kind::Heading, Some("2025-03-05"), [Some("Dream"), Some("User Profile")], "pears"),
            ]
        );
    }

    #[test]
    fn dates_of_people() {
        let text = "- 2025-03-01: moved\r\n  to the harbour\r\n- **2025-03-02** painted\r\n- no date\r\n## 2025-03-01\r\nrain\r\n### Notes (2025/04/01)\r\n";
        let entries = entries(text);
        assert_eq!(
            seen(text, &entries),
            [
                (Kind::Item, Some("2025-03-01"), [None, None], "moved\r\n  to the harbour"),
                (Kind::Item, Some("2025-03-02"), [None, None], "painted"),
                (Kind::Text, None, [None, None], "- no date"),
                (Kind::Heading, Some("2025-03-01"), [None, None], "rain"),
                (Kind::Heading, Some("2025-04-01"), [Some("Notes"), None], ""),
            ]
        );
    }

    #[test]
    fn code_and_hashes_of_other_kinds_begin_nothing() {
        let text = "# A\n```\n## 2025-03-01\n- 2025-03-01: x\n````\n#hash\n    # indented\n####### seven\n";
        let found = entries(text);
        assert_eq!(found.len(), 1, "{found:?}");
        let unclosed = "~~~\n# A\n";
        assert_eq!(entries(unclosed).len(), 1);
        assert_eq!(entries("\u{FEFF}# A\n")[0].title[0].as_deref(), Some("A"));
    }

    #[test]
    fn an_empty_text_has_no_entry() {
        assert!(entries("").is_empty());
    }

    proptest! {
        #[test]
        fn entries_cover_a_text_exactly_once(parts in prop::collection::vec(prop_oneof![
            Just("## Dream — 2025-03-04"), Just("## User Profile"), Just("- 2025-03-01: a"), Just("- b"), Just("\n"),
            Just("\r\n"), Just("\r"), Just("```"), Just("  "), Just("é🚢"), Just("2025-03-01"), Just("#"), Just("\u{FEFF}"),
        ], 0..40)) {
            let text = parts.concat();
            let mut at = 0;
            for entry in entries(&text) {
                prop_assert_eq!(entry.range.start, at);
                prop_assert!(entry.range.end > at && text.is_char_boundary(entry.range.end));
                prop_assert!(entry.body.start >= entry.range.start && entry.body.end == entry.range.end);
                prop_assert!(text.is_char_boundary(entry.body.start) && entry.body.start <= entry.body.end);
                at = entry.range.end;
            }
            prop_assert_eq!(at, text.len());
        }
    }
}
