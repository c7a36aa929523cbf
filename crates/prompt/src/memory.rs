//! What the target does to its memory files between two prompts: it splits the summary of a finished conversation,
//! appends the parts to `memory/MEMORY.md`, and keeps a line for each conversation in `memory/history.jsonl`.
//!
//! Emulated, never done: nothing here reads or writes a file. Texts are JavaScript's: white space and `trim` are those
//! of `crate::js`, and lengths count UTF-16 units, so that a cut may go through the middle of a character.

use std::ops::Range;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use crate::js;

/// The name under which the target's nightly run appends.
pub const LABEL: &str = "Dream";
/// What stands for "nothing new" below a heading of a summary.
const NOTHING: &str = "(nothing)";
/// Longest content of a history line, in UTF-16 units.
const LONGEST_ENTRY: usize = 64_000;

/// Which section a mark begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Section {
    /// `## User Profile`.
    UserProfile,
    /// `## Project Context`.
    ProjectContext,
}

impl Section {
    fn words(self) -> [&'static str; 2] {
        match self {
            Self::UserProfile => ["User", "Profile"],
            Self::ProjectContext => ["Project", "Context"],
        }
    }
}

/// A place that the target takes for the beginning of a section.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    /// Which section.
    pub section: Section,
    /// Bytes of the text, from the first `#`.
    pub range: Range<usize>,
}

/// The two sections of a summary, trimmed. `None`: there is none, it is blank, or it says `(nothing)`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Split<'a> {
    /// About the person.
    pub user_profile: Option<&'a str>,
    /// About the project.
    pub project_context: Option<&'a str>,
}

/// What is written at the end of each memory file. `None`: the file is not touched.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Added {
    /// To the global profile's memory.
    pub global: Option<String>,
    /// To the project's memory.
    pub project: Option<String>,
}

/// Every mark of `text`: `##`, white space or none, and the two words with white space or none between them, letter
/// case aside; also in the middle of a line, across lines, and within `###`.
pub fn marks(text: &str) -> Vec<Mark> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find("##").map(|at| from + at) {
        let here = [Section::UserProfile, Section::ProjectContext]
            .into_iter()
            .find_map(|section| Some(Mark { section, range: at..mark_end(text, at, section)? }));
        from = here.as_ref().map_or(at + 1, |mark| mark.range.end);
        found.extend(here);
    }
    found
}

/// One past the mark of `section` whose `##` stands at `at`; `None` when it is no such mark.
fn mark_end(text: &str, at: usize, section: Section) -> Option<usize> {
    let [first, second] = section.words();
    let rest = text[at + 2..].trim_start_matches(js::is_space);
    let rest = after_word(rest, first)?.trim_start_matches(js::is_space);
    Some(text.len() - after_word(rest, second)?.len())
}

/// What follows `word` at the beginning of `text`. A regular expression with the flag `i` and without `u` makes no
/// character beyond ASCII equal to one of ASCII.
fn after_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    text.get(..word.len()).filter(|head| head.eq_ignore_ascii_case(word)).map(|_| &text[word.len()..])
}

/// Splits a summary at its first mark of either section.
///
/// A section begins after the line of its mark, or at the mark when nothing follows that line; that of the project
/// goes to the end, that of the person to the project's when it comes later. Without a mark all of it is about the
/// person.
pub fn split(summary: &str) -> Split<'_> {
    let marks = marks(summary);
    let first = |section| marks.iter().find(|mark| mark.section == section).map(|mark| mark.range.start);
    let (user, project) = (first(Section::UserProfile), first(Section::ProjectContext));
    if user.is_none() && project.is_none() {
        return Split { user_profile: told(summary), project_context: None };
    }
    let body = |at: usize| summary[at..].find('\n').map_or(at, |line_end| at + line_end + 1);
    let user_end = project.filter(|project| Some(*project) > user).unwrap_or(summary.len());
    Split {
        // JavaScript's `slice` with an end before its start gives nothing.
        user_profile: user.and_then(|at| told(summary.get(body(at)..user_end).unwrap_or_default())),
        project_context: project.and_then(|at| told(&summary[body(at)..])),
    }
}

/// The text of a section, when it tells anything.
fn told(text: &str) -> Option<&str> {
    Some(js::trim(text)).filter(|text| !text.is_empty() && *text != NOTHING)
}

/// What the target appends for `summary` at `time`, whose date is UTC's.
///
/// In the global profile's own workspace the summary goes there as it is. In a project each section goes to its file;
/// a summary without sections, though not a blank one, goes to the person's.
pub fn added(summary: &str, layered: bool, label: &str, time: Timestamp) -> Added {
    // The first ten units of the time; all of them are ASCII.
    let date = js::iso_string(time)[..10].to_owned();
    let entry = |title: &str, body: &str| format!("\n\n## {label}{title} — {date}\n{body}\n");
    let profile = |body: &str| entry(" — User Profile", body);
    if !layered {
        return Added { global: Some(entry("", summary)), project: None };
    }
    match split(summary) {
        Split { user_profile: None, project_context: None } => {
            let whole = js::trim(summary);
            Added { global: (!whole.is_empty()).then(|| profile(whole)), project: None }
        }
        Split { user_profile, project_context } => Added {
            global: user_profile.map(profile),
            project: project_context.map(|body| entry(" — Project", body)),
        },
    }
}

/// What the agent hands on of a model's answer: trimmed; `None` when it is blank or `(nothing)`, which it drops.
pub fn handed_on(answer: &str) -> Option<&str> {
    told(answer)
}

/// The line that `memory/history.jsonl` gets for a conversation, with its line end.
///
/// The content is trimmed at its end and cut at 64,000 UTF-16 units. Half a character that a cut leaves is written as
/// its escape.
pub fn history_line(entry: &str, cursor: u64, at: Timestamp) -> String {
    let content = entry.trim_end_matches(js::is_space);
    let (content, half) = first_units(content, LONGEST_ENTRY);
    // As JSON.stringify: serde_json escapes the same characters in the same way.
    let mut content = Value::from(content).to_string();
    if let Some(half) = half {
        content.insert_str(content.len() - 1, &format!("\\u{half:04x}"));
    }
    format!("{{\"cursor\":{cursor},\"content\":{content},\"at\":\"{}\"}}\n", js::iso_string(at))
}

/// The first `units` UTF-16 units of `text`: its whole characters, and the half of one that the cut goes through.
fn first_units(text: &str, units: usize) -> (&str, Option<u16>) {
    let mut left = units;
    for (at, c) in text.char_indices() {
        if c.len_utf16() > left {
            let half = (left == 1).then(|| c.encode_utf16(&mut [0; 2])[0]);
            return (&text[..at], half);
        }
        left -= c.len_utf16();
    }
    (text, None)
}

/// One line of `memory/history.jsonl`.
#[derive(Clone, PartialEq, Debug)]
pub struct HistoryEntry {
    /// Its number.
    pub cursor: f64,
    /// What was said. Half a character reads as U+FFFD.
    pub content: String,
}

/// The entries of a history after `cursor`. Lines that are no JSON, have no number or say nothing are passed over, as
/// the target does.
pub fn entries_since(history: &str, cursor: f64) -> Vec<HistoryEntry> {
    let entry = |line: &str| {
        let row: Value = serde_json::from_str(&whole_characters(line)).ok()?;
        let number = row.get("cursor")?.as_f64().filter(|number| *number > cursor)?;
        let content = row.get("content")?.as_str().filter(|content| !content.is_empty())?;
        Some(HistoryEntry { cursor: number, content: content.to_owned() })
    };
    history.split('\n').filter_map(entry).collect()
}

/// A line of JSON in which the escape of half a character is that of U+FFFD: JavaScript reads it, our reader refuses.
fn whole_characters(line: &str) -> String {
    const ESCAPE: usize = "\\u0000".len();
    let unit = |at: usize| {
        let escape = line.get(at..at + ESCAPE)?.strip_prefix("\\u")?;
        u16::from_str_radix(escape, 16).ok()
    };
    let mut whole = String::with_capacity(line.len());
    let mut at = 0;
    while let Some(backslash) = line[at..].find('\\').map(|found| at + found) {
        whole.push_str(&line[at..backslash]);
        let length = match (unit(backslash), unit(backslash + ESCAPE)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 2 * ESCAPE,
            (Some(0xD800..=0xDFFF), _) => {
                whole.push_str("\\ufffd");
                at = backslash + ESCAPE;
                continue;
            }
            // A backslash and what it escapes, which may be another backslash.
            _ => 1 + line[backslash + 1..].chars().next().map_or(0, char::len_utf8),
        };
        whole.push_str(&line[backslash..backslash + length]);
        at = backslash + length;
    }
    whole.push_str(&line[at..]);
    whole
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

    use super::*;

    fn user(summary: &str) -> Option<&str> {
        split(summary).user_profile
    }

    #[test]
    fn a_mark_takes_javascripts_white_space_and_ascii_letter_case() {
        assert_eq!(user("##\u{FEFF}USER\u{2028}profile\nplums"), Some("plums"), "BOM and U+2028 are white space");
        assert_eq!(user("##\u{85}User Profile\nplums"), Some("##\u{85}User Profile\nplums"), "NEL is none");
        assert_eq!(user("## U\u{17F}er Profile\nplums"), Some("## U\u{17F}er Profile\nplums"), "long s is no s");
        assert_eq!(user("##UserProfile\nplums"), Some("plums"));
        assert_eq!(user("## User Profile\r\nplums\r\n"), Some("plums"));
    }

    #[test]
    fn the_line_of_a_mark_ends_at_a_line_feed_alone() {
        assert_eq!(user("## User Profile\rplums"), Some("## User Profile\rplums"));
    }

    #[test]
    fn two_marks_on_one_line_leave_nothing_before_the_second() {
        let both = split("## User Profile ## Project Context\nrest");
        assert_eq!(both, Split { user_profile: None, project_context: Some("rest") });
    }

    #[test]
    fn marks_are_found_within_lines_and_longer_rows_of_hashes() {
        let found: Vec<_> =
            marks("a ##user profile b\n#### Project Context").into_iter().map(|mark| mark.range).collect();
        assert_eq!(found, [2..16, 21..39], "of four hashes the last two count");
    }

    #[test]
    fn a_cut_goes_through_a_character() {
        let time = "2025-03-04T05:06:07.089Z".parse().unwrap();
        let line = history_line(&format!("{}🚢", "x".repeat(63_999)), 7, time);
        assert!(line.ends_with("x\\ud83d\",\"at\":\"2025-03-04T05:06:07.089Z\"}\n"), "U+1F6A2 is D83D DEA2");
        let read = entries_since(&line, 6.0);
        assert_eq!((read[0].cursor, read[0].content.encode_utf16().count()), (7.0, 64_000));
        let kept = history_line(&format!("{}🚢", "x".repeat(63_998)), 7, time);
        assert!(kept.contains("x🚢\""), "64,000 units are not cut");
    }

    #[test]
    fn lines_that_are_nothing_are_passed_over() {
        let history = "\n{\"cursor\":2,\"content\":\"a\\\\ud83d \\ud83d\\udea2\"}\r\nnull\n{\"cursor\":3,\"content\":\"\"}\n{\"cursor\":\"4\",\"content\":\"b\"}\n{broken";
        let read = entries_since(history, 1.0);
        assert_eq!(read, [HistoryEntry { cursor: 2.0, content: "a\\ud83d 🚢".to_owned() }]);
        assert!(entries_since(history, 2.0).is_empty());
    }

    #[test]
    fn what_the_agent_hands_on_is_trimmed() {
        assert_eq!(handed_on(" \n(nothing)\n"), None);
        assert_eq!(handed_on("\u{FEFF} plums\n"), Some("plums"));
    }
}
