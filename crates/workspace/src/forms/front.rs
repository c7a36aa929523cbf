//! Fields of a front matter. One value's bytes are replaced; comments, order and everything else stay.
//!
//! Values are written on one line, because the target reads a skill's description from one line, and in quotes only
//! where YAML would read something else without them.

use std::ops::Range;

use serde_json::Value;

use super::values::one_line;
use crate::document::{Document, Kind, is_blank};

/// One field of a front matter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FrontField {
    /// Where the value stands. Empty, right after the colon, when there is none.
    pub(super) range: Range<usize>,
    /// The value as YAML reads it, on one line.
    pub(super) value: String,
    /// The line of the field.
    pub(super) line: usize,
}

/// What stands between the fences, and the first byte after the front matter.
pub(super) fn end(document: &Document<'_>) -> (Option<Range<usize>>, usize) {
    let start = document.start_of(0);
    match document.blocks.first() {
        Some(block) => match &block.kind {
            Kind::FrontMatter { inner } => (Some(inner.clone()), document.start_of(block.lines.end)),
            _ => (None, start),
        },
        None => (None, start),
    }
}

/// The field `name` between the fences.
pub(super) fn find(document: &Document<'_>, inner: &Range<usize>, name: &str) -> Option<FrontField> {
    let first = document.line_at(inner.start);
    let end = document.lines.partition_point(|line| line.start < inner.end);
    let at = (first..end).find(|&at| after_colon(document.line(at), name).is_some())?;
    let line = document.lines[at];
    let gap = line.start + after_colon(document.line(at), name)?;
    let mut last = at;
    for next in at + 1..end {
        let text = document.line(next);
        if is_blank(text) {
            continue;
        }
        if !text.starts_with([' ', '\t']) {
            break;
        }
        last = next;
    }
    let rest = &document.text[gap..line.end];
    let start = gap + rest.len() - rest.trim_start().len();
    if last > at {
        let range = if is_blank(rest) { gap..document.lines[last].end } else { start..document.lines[last].end };
        let value = decode(&document.text[range.clone()]);
        return Some(FrontField { range, value, line: at });
    }
    let length = length(rest.trim_start());
    if length == 0 {
        let end = if is_blank(rest) { line.end } else { gap };
        return Some(FrontField { range: gap..end, value: String::new(), line: at });
    }
    Some(FrontField { range: start..start + length, value: decode(&document.text[start..start + length]), line: at })
}

/// Where the value of `name` may begin in `line`.
fn after_colon(line: &str, name: &str) -> Option<usize> {
    let key = line.get(..name.len()).filter(|key| key.eq_ignore_ascii_case(name))?;
    let rest = line[key.len()..].strip_prefix(':')?;
    (rest.is_empty() || rest.starts_with([' ', '\t'])).then_some(key.len() + 1)
}

/// How many bytes of the rest of a line are the value, and not a comment behind it.
fn length(rest: &str) -> usize {
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''));
    if rest.starts_with('#') {
        return 0;
    }
    if let Some(quote) = quote {
        let mut chars = rest.char_indices().skip(1).peekable();
        while let Some((at, c)) = chars.next() {
            if c == '\\' && quote == '"' {
                chars.next();
            } else if c == quote {
                if quote == '\'' && chars.peek().is_some_and(|(_, next)| *next == '\'') {
                    chars.next();
                    continue;
                }
                let behind = rest[at + 1..].trim_start();
                return if behind.is_empty() || behind.starts_with('#') { at + 1 } else { rest.trim_end().len() };
            }
        }
        return rest.trim_end().len();
    }
    let comment = [" #", "\t#"].into_iter().filter_map(|sign| rest.find(sign)).min();
    rest[..comment.unwrap_or(rest.len())].trim_end().len()
}

fn decode(raw: &str) -> String {
    match parse(raw) {
        Some(Value::String(text)) => one_line(&text),
        Some(Value::Null) => String::new(),
        _ => one_line(raw),
    }
}

fn parse(raw: &str) -> Option<Value> {
    match serde_saphyr::from_str::<Value>(&format!("k: {raw}\n")) {
        Ok(Value::Object(map)) if map.len() == 1 => map.into_iter().next().map(|(_, value)| value),
        _ => None,
    }
}

/// A value as it is written: plain when YAML reads the same from it, else in double quotes.
pub(super) fn encode(value: &str) -> String {
    let plain = length(value) == value.len() && matches!(parse(value), Some(Value::String(read)) if read == value);
    if plain {
        return value.to_owned();
    }
    let mut quoted = String::from("\"");
    for c in value.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}') => {
                quoted.extend(format!("\\u{:04x}", c as u32).chars());
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
