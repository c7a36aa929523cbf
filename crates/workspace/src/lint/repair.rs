//! Repairs as changes of a text: only the bytes that a finding names are touched.
//!
//! A repair is pure and is made when it is asked for. It takes its finding away and brings no other; where only a look
//! at the outcome tells (front matter), the look is taken before the repair is offered. Nothing is written here.

use std::collections::BTreeMap;
use std::ops::Range;

use model::{ContentHash, Finding, SourceFile};

use super::front_matter::{description, is_plain, quoted, unquoted};
use super::lines::lines;
use super::{Subject, markers, repeats, run_all};
use crate::skills::yaml;

/// One replacement; offsets are bytes of the text before any of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// What stands there afterwards.
    pub insert: String,
}

impl Edit {
    fn new(start: usize, end: usize, insert: impl Into<String>) -> Self {
        Self { start, end, insert: insert.into() }
    }

    fn cut(range: Range<usize>) -> Self {
        Self::new(range.start, range.end, "")
    }
}

/// The changes that `action` makes to `text` for `finding`, in order and without overlaps. `None`: there is nothing to
/// do, or the text is no longer the one that the finding is about. The text is UTF-8, so that bytes of the file are
/// bytes of the text.
pub fn repair(text: &str, finding: &Finding, action: &str) -> Option<Vec<Edit>> {
    let at = finding.range.map(|range| range.start as usize..range.end as usize);
    let edits = match action {
        "strip-bom" => vec![Edit::cut(0..text.len() - text.trim_start_matches('\u{FEFF}').len())],
        "use-lf" => line_ends(text, 0..text.len(), false),
        "use-crlf" => line_ends(text, 0..text.len(), true),
        "empty-file" => vec![Edit::cut(0..text.len())],
        "front-matter-lf" => {
            let front = yaml::read(text).value;
            front.span?;
            line_ends(text, 0..front.body as usize, false)
        }
        "add-final-newline" if !text.ends_with('\n') => vec![Edit::new(text.len(), text.len(), "\n")],
        "close-front-matter" => close(text)?,
        "quote-description" => {
            let (start, value) = description_of(text).filter(|(_, value)| unquoted(value).is_none())?;
            vec![Edit::new(start, start + value.len(), quoted(value))]
        }
        "unquote-description" => {
            let (start, value) = description_of(text)?;
            vec![Edit::new(start, start + value.len(), unquoted(value)?)]
        }
        "unfold-description" => unfold(text)?,
        "escape-spoof" => spoof(text, at?)?,
        "remove-duplicate-block" => vec![distinct(text)?],
        _ => return None,
    };
    (!edits.is_empty() && edits.iter().any(|edit| text.get(edit.start..edit.end) != Some(&edit.insert)))
        .then_some(edits)
}

/// The text after the changes; `None` when they do not fit it.
pub(super) fn applied(text: &str, edits: &[Edit]) -> Option<String> {
    let mut result = String::with_capacity(text.len() + 64);
    let mut at = 0;
    for edit in edits {
        result.push_str(text.get(at..edit.start)?);
        result.push_str(&edit.insert);
        at = edit.end;
    }
    result.push_str(text.get(at..)?);
    Some(result)
}

/// Keeps of the repairs of a skill those whose outcome was looked at: the finding is gone, and no other came.
pub(super) fn offer(subject: &Subject<'_>, findings: &mut [Finding]) {
    let before = counts(findings);
    for finding in findings.iter_mut() {
        let looked = finding.clone();
        finding.fixes.retain(|fix| {
            let after = repair(subject.text(), &looked, &fix.id)
                .and_then(|edits| applied(subject.text(), &edits))
                .map(|text| counts(&run_all(&Subject { file: &file_of(subject, &text), ..*subject })));
            after.is_some_and(|after| {
                let count = |counts: &BTreeMap<String, usize>, id: &str| counts.get(id).copied().unwrap_or_default();
                count(&after, &looked.id) < count(&before, &looked.id)
                    && after.keys().all(|id| count(&after, id) <= count(&before, id))
            })
        });
    }
}

fn counts(findings: &[Finding]) -> BTreeMap<String, usize> {
    findings.iter().fold(BTreeMap::new(), |mut counts, finding| {
        *counts.entry(finding.id.to_string()).or_default() += 1;
        counts
    })
}

fn file_of(subject: &Subject<'_>, text: &str) -> SourceFile {
    let file = subject.file;
    SourceFile::new(file.path.clone(), file.identity, file.origin, text.as_bytes(), ContentHash([0; 32]))
}

/// Makes the line ends of `range` all LF or all CR LF. A CR alone stays.
fn line_ends(text: &str, range: Range<usize>, crlf: bool) -> Vec<Edit> {
    let bytes = text.as_bytes();
    let within = range.clone().filter(|&at| bytes.get(at) == Some(&b'\n'));
    let edits = within.filter_map(|at| match (at > 0 && bytes[at - 1] == b'\r', crlf) {
        (true, false) => Some(Edit::cut(at - 1..at)),
        (false, true) => Some(Edit::new(at, at, "\r")),
        _ => None,
    });
    edits.collect()
}

/// Puts the closing fence behind the lines that look like fields.
fn close(text: &str) -> Option<Vec<Edit>> {
    if yaml::read(text).value.span.is_some() {
        return None;
    }
    let mut all = lines(text);
    all.next().filter(|line| line.text.trim_end() == "---")?;
    let field = |line: &str| {
        let key = line.split_once(':').map_or("", |(key, _)| key);
        let named = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
        named || line.starts_with([' ', '\t', '#']) || line.starts_with("- ")
    };
    let last = all.take_while(|line| !line.blank() && field(line.text)).last()?;
    let end = last.end() + text[last.end()..].find('\n').map_or(0, |at| at + 1);
    let lead = if text[..end].ends_with('\n') { "" } else { "\n" };
    Some(vec![Edit::new(end, end, format!("{lead}---\n"))])
}

/// The description's value as the target finds it, and where it begins.
fn description_of(text: &str) -> Option<(usize, &str)> {
    let span = yaml::read(text).value.span?;
    let (at, value) = description(&text[span.start as usize..span.end as usize])?;
    Some((span.start as usize + at, value))
}

/// Writes a folded or literal description on the line of its key.
fn unfold(text: &str) -> Option<Vec<Edit>> {
    let front = yaml::read(text).value;
    let (start, _) = description_of(text)?;
    let words: Vec<&str> = front.description()?.split_whitespace().collect();
    let value = words.join(" ");
    let close = front.span?.end as usize;
    let inner = &text[start..close];
    let mut end = start;
    for (index, line) in inner.split_inclusive('\n').enumerate() {
        if index > 0 && !line.trim().is_empty() && !line.starts_with([' ', '\t']) {
            break;
        }
        end += line.len();
    }
    let old = &text[start..end];
    let ending = if old.ends_with("\r\n") { "\r\n" } else { "\n" };
    let value = if is_plain(&value) { value } else { quoted(&value) };
    Some(vec![Edit::new(start, end, format!("{value}{ending}"))])
}

/// One level down for a heading; `***` for every border.
fn spoof(text: &str, at: Range<usize>) -> Option<Vec<Edit>> {
    let line = text.get(at.clone())?;
    if line.starts_with("## ") {
        return Some(vec![Edit::new(at.start, at.start, "#")]);
    }
    if line != "---" {
        return None;
    }
    // Before the first border there may be a front matter, whose end only the finding's place tells from a border.
    let found = markers::borders(text).into_iter().filter(|&border| border >= at.start);
    Some(found.map(|border| Edit::new(border, border + 3, "***")).collect())
}

/// The text without its repeated blocks, as one replacement of the part that changes.
fn distinct(text: &str) -> Option<Edit> {
    // What stands around a copy may become one with what stood before it.
    const PASSES: usize = 8;
    let mut now = text.to_owned();
    for _ in 0..PASSES {
        let cuts = repeats::without_repeats(&now);
        if cuts.is_empty() {
            let start = text.bytes().zip(now.bytes()).take_while(|(old, new)| old == new).count();
            let start = text.floor_char_boundary(start);
            let most = now.len() - start;
            let tail = text.bytes().rev().zip(now.bytes().rev()).take(most).take_while(|(old, new)| old == new).count();
            let end = text.ceil_char_boundary(text.len() - tail);
            let kept = now.len() - (text.len() - end);
            return Some(Edit::new(start, end, now.get(start..kept)?));
        }
        now = applied(&now, &cuts.into_iter().map(Edit::cut).collect::<Vec<_>>())?;
    }
    None
}
