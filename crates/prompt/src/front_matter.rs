//! The front matter of a SKILL.md as the target reads it: with three regular expressions, not as YAML.
//!
//! Never fails. What the expressions do not match is no front matter, and then goes where it goes: an empty
//! description, or raw `---` lines in the prompt.

use std::ops::Range;

use crate::js;

/// What the target sees in a SKILL.md. Byte ranges of its text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct FrontMatter {
    /// The description's text, trimmed; `None` when no line matches.
    pub(crate) description: Option<Range<usize>>,
    /// What an always-on skill contributes, trimmed; may be empty.
    pub(crate) body: Range<usize>,
    /// True when the text begins with a fence that the target does not recognise, so that the raw lines
    /// would go into the prompt.
    pub(crate) leaks: bool,
}

/// Reads `text`.
pub(crate) fn read(text: &str) -> FrontMatter {
    let description = head(text).and_then(|head| lines(text, head).find_map(|line| description_in(text, line)));
    let body = body(text);
    let leaks = body.is_none() && text.trim_start_matches('\u{FEFF}').starts_with("---");
    FrontMatter { description, body: js::trim_range(text, body.unwrap_or(0..text.len())), leaks }
}

/// Group 1 of `/^---\n([\s\S]*?)\n---/`.
fn head(text: &str) -> Option<Range<usize>> {
    let rest = text.strip_prefix("---\n")?;
    rest.find("\n---").map(|at| 4..4 + at)
}

/// Group 2 of `/^---\n([\s\S]*?)\n---\n([\s\S]*)$/`.
fn body(text: &str) -> Option<Range<usize>> {
    let rest = text.strip_prefix("---\n")?;
    rest.find("\n---\n").map(|at| 4 + at + 5..text.len())
}

/// The lines of `range`, split at LF alone as `split('\n')` does.
fn lines(text: &str, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let start = range.start;
    text[range].split('\n').scan(start, |at, line| {
        let begin = *at;
        *at += line.len() + 1;
        Some(begin..begin + line.len())
    })
}

/// Group 1 of `/^description:\s*(.+)$/i` on one line, trimmed.
///
/// Without the flag `m`, `$` is the end of the line's text, and `.` matches no line end, so a carriage return
/// or U+2028 that is followed by anything makes the line fail unless `\s*` can take it.
fn description_in(text: &str, line: Range<usize>) -> Option<Range<usize>> {
    const KEY: &str = "description:";
    let content = &text[line.clone()];
    if !content.get(..KEY.len()).is_some_and(|key| key.eq_ignore_ascii_case(KEY)) {
        return None;
    }
    let value = &content[KEY.len()..];
    // `.+` needs one character that is no line end, and everything after the last line end must be `.`; what
    // stands before must be white space, which `\s*` takes.
    let tail = value.rfind(js::is_line_end).map_or(0, |at| at + value[at..].chars().next().map_or(0, char::len_utf8));
    if tail == value.len() || !value[..tail].chars().all(js::is_space) {
        return None;
    }
    let start = line.start + KEY.len();
    Some(js::trim_range(text, start..line.end))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

    use super::*;

    fn description(text: &str) -> Option<&str> {
        read(text).description.map(|range| &text[range])
    }

    fn body_of(text: &str) -> &str {
        &text[read(text).body]
    }

    #[test]
    fn the_first_description_line_wins_and_keeps_its_quotes() {
        assert_eq!(
            description("---\nname: x\nDESCRIPTION:  \"a: b\" # c \ndescription: d\n---\n"),
            Some("\"a: b\" # c")
        );
        assert_eq!(description("---\n description: indented\n---\n"), None);
        assert_eq!(description("---\ndescription: >\n  folded\n---\n"), Some(">"));
        assert_eq!(description("---\ndescription:\n---\n"), None, "`.+` needs a character");
        assert_eq!(description("---\ndescription:   \n---\n"), Some(""), "blanks backtrack into `.+` and are trimmed");
    }

    #[test]
    fn line_ends_other_than_lf_break_the_expressions() {
        assert_eq!(description("---\r\ndescription: d\r\n---\r\n"), None);
        assert_eq!(description("---\nname: x\ndescription: d\r\nlast: y\n---\n"), None, "`.` does not match CR");
        assert_eq!(description("---\ndescription:\r d\n---\n"), Some("d"), "`\\s*` does");
        assert_eq!(description("---\ndescription: a\u{2028}b\n---\n"), None);
        assert_eq!(description("\u{FEFF}---\ndescription: d\n---\n"), None);
    }

    #[test]
    fn the_head_may_end_anywhere_after_a_line_end_the_body_needs_a_fence_line() {
        let text = "---\ndescription: d\n---- more\nx";
        assert_eq!((description(text), body_of(text)), (Some("d"), text), "the fence is recognised once only");
        assert_eq!(body_of("---\nname: x\n---\n\n body \n\n"), "body");
        let unclosed = "---\nname: x\n---";
        assert_eq!(body_of(unclosed), unclosed);
        assert!(read(unclosed).leaks);
        assert!(!read("# No front matter\n").leaks);
        assert_eq!(body_of("---\n---\nx"), "---\n---\nx", "an empty head does not match: its line end is missing");
    }
}
