//! Values as a person reads them, and as they stand in a file.
//!
//! A text below a heading must not make a heading, nor open code or a comment that swallows what follows. A line
//! that would is written with a `\` before it, which Markdown takes as "this sign is only a sign", and shown without.
//! Such a `\` that stands in a file by itself is shown as none; one that a person types gets a second one.

use crate::document::{Document, Kind, atx, check_box, fence, is_blank, is_underline, leading};
use crate::lint::markers;

/// True when a value is nothing but a text in round brackets, as templates have it.
pub(super) fn is_placeholder(value: &str) -> bool {
    markers::placeholder(value.trim()) == Some(0)
}

/// A value on one line: line breaks become a blank.
pub(super) fn one_line(value: &str) -> String {
    value.split(['\n', '\r']).map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A value of several lines: line ends are `\n`, and no blank line stands at its ends.
pub(super) fn several_lines(value: &str) -> String {
    let value = value.replace("\r\n", "\n").replace('\r', "\n");
    let mut lines: Vec<_> = value.split('\n').collect();
    while lines.last().is_some_and(|line| is_blank(line)) {
        lines.pop();
    }
    let first = lines.iter().position(|line| !is_blank(line)).unwrap_or(lines.len());
    lines[first..].join("\n")
}

/// Which lines of a text lie in code or comments that end: nothing in them is a sign.
fn raw_lines(document: &Document<'_>) -> Vec<bool> {
    let mut raw = vec![false; document.lines.len()];
    for block in &document.blocks {
        if matches!(block.kind, Kind::Code { closed: true } | Kind::Comment { closed: true }) {
            raw[block.lines.clone()].fill(true);
        }
    }
    raw
}

/// True for a line that would be more than a line, were it not for the `\` before it.
fn is_escaped(line: &str) -> bool {
    let (columns, lead) = leading(line);
    let bare = line[lead..].trim_start_matches('\\');
    columns < 4 && bare.len() < line.len() - lead && is_sign(bare)
}

fn is_sign(line: &str) -> bool {
    atx(line).is_some() || fence(line).is_some() || is_underline(line).is_some() || line.starts_with("<!--")
}

/// A text as it is shown: without the `\` that only keeps a sign from being one.
pub(super) fn shown(text: &str) -> String {
    let document = Document::fragment(text);
    let raw = raw_lines(&document);
    let lines = document.lines.iter().enumerate().map(|(at, line)| {
        let line = &text[line.start..line.end];
        if raw[at] || !is_escaped(line) { line.to_owned() } else { without_escape(line) }
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn without_escape(line: &str) -> String {
    let (_, lead) = leading(line);
    format!("{}{}", &line[..lead], &line[lead + 1..])
}

fn with_escape(line: &str) -> String {
    let (_, lead) = leading(line);
    format!("{}\\{}", &line[..lead], &line[lead..])
}

/// A text as it is written below a heading. Line ends are `\n`. [`shown`] leads back.
pub(super) fn written(value: &str) -> String {
    let lines: Vec<&str> = value.split('\n').collect();
    let mut signs = vec![false; lines.len()];
    let mut rounds = 0;
    loop {
        let text = join(&lines, |at| signs[at]);
        let document = Document::fragment(&text);
        let mut more = false;
        for block in &document.blocks {
            let line = match block.kind {
                Kind::Heading { .. } => block.lines.end - 1,
                Kind::Code { closed: false } | Kind::Comment { closed: false } => block.lines.start,
                _ => continue,
            };
            more |= !std::mem::replace(&mut signs[line], true);
        }
        // At the end of a file they would not belong to the text.
        if let Some(closing) = document.closing_words() {
            more |= !std::mem::replace(&mut signs[document.blocks[closing].lines.start], true);
        }
        rounds += 1;
        if rounds > 16 && more {
            // A text made of beginnings without an end: none of them begins anything.
            for (sign, line) in signs.iter_mut().zip(&lines) {
                *sign |= leading(line).0 < 4 && is_sign(line.trim_start());
            }
        }
        if !more || rounds > 24 {
            let raw = raw_lines(&document);
            return join(&lines, |at| signs[at] || (!raw.get(at).is_some_and(|raw| *raw) && is_escaped(lines[at])));
        }
    }
}

fn join(lines: &[&str], escaped: impl Fn(usize) -> bool) -> String {
    let lines =
        lines.iter().enumerate().map(|(at, line)| if escaped(at) { with_escape(line) } else { (*line).to_owned() });
    lines.collect::<Vec<_>>().join("\n")
}

/// The text of a list entry as it is shown.
pub(super) fn item_shown(text: &str) -> String {
    let text = text.trim();
    let bare = text.trim_start_matches('\\');
    if bare.len() < text.len() && is_item_sign(bare) { text[1..].to_owned() } else { text.to_owned() }
}

/// The text of a list entry as it is written: one line. A row of marks would make a rule of the entry, and a pair of
/// brackets a box; `\` keeps them what they are.
pub(super) fn item_written(text: &str) -> String {
    let text = one_line(text);
    if is_item_sign(text.trim_start_matches('\\')) { format!("\\{text}") } else { text }
}

fn is_item_sign(text: &str) -> bool {
    let marks = !text.is_empty() && text.bytes().all(|byte| matches!(byte, b'-' | b'*' | b'_' | b' ' | b'\t'));
    marks || has_box(text)
}

/// True when a text begins with a box.
pub(super) fn has_box(text: &str) -> bool {
    check_box(text, 0).is_some()
}
