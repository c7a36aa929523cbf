//! Which part of a logged prompt stands for which section of an assembly.
//!
//! A log has no sections of its own. Sections that stand in it word for word are found in their order; what lies
//! between two of them is what became of the sections between. Nothing of the log is left out or told twice.

use model::Section;

/// A section shorter than this is looked for where it is expected alone: further on it may be part of another text.
const ANCHOR: usize = 16;
/// Id of a part that stands for no section.
const BETWEEN: &str = "between";

/// A part of a log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LogPart<'a> {
    /// Id of the section that it stands for.
    pub(crate) id: String,
    /// That section's title.
    pub(crate) title: String,
    /// Its text.
    pub(crate) text: &'a str,
}

/// The parts of `log`, which cover it exactly once and in order.
pub(crate) fn align<'a>(log: &'a str, sections: &[Section]) -> Vec<LogPart<'a>> {
    let mut parts = Vec::new();
    let mut at = 0;
    let mut missed: Vec<&Section> = Vec::new();
    for section in sections {
        let text = &*section.text;
        let here = log[at..].starts_with(text);
        let found = if here {
            Some(at)
        } else if section.layer.is_some() && text.len() >= ANCHOR {
            log[at..].find(text).map(|found| at + found)
        } else {
            None
        };
        match found {
            Some(start) => {
                between(&log[at..start], &missed, &mut parts);
                missed.clear();
                push(&mut parts, section, text.len(), &log[start..]);
                at = start + text.len();
            }
            None => missed.push(section),
        }
    }
    between(&log[at..], &missed, &mut parts);
    parts
}

fn push<'a>(parts: &mut Vec<LogPart<'a>>, section: &Section, length: usize, log: &'a str) {
    if length > 0 {
        parts.push(LogPart { id: section.id.to_string(), title: section.title.to_string(), text: &log[..length] });
    }
}

/// Shares a stretch of the log out among the sections that were not found: separators by their text at its ends, the
/// others by their first line where it still stands, else the first of them gets what is left.
fn between<'a>(stretch: &'a str, missed: &[&Section], parts: &mut Vec<LogPart<'a>>) {
    let mut text = stretch;
    let separator = |section: &&&Section| section.layer.is_none() && !section.text.is_empty();
    let first = missed.first().filter(|section| separator(section) && text.starts_with(&*section.text));
    if let Some(section) = first {
        push(parts, section, section.text.len(), text);
        text = &text[section.text.len()..];
    }
    let last = missed
        .last()
        .filter(|section| separator(section) && text.ends_with(&*section.text))
        .filter(|last| first.is_none_or(|first| first.id != last.id));
    let (body, tail) = text.split_at(text.len() - last.map_or(0, |section| section.text.len()));
    // Where each missed section begins, by its first line.
    let mut starts: Vec<(usize, &Section)> = Vec::new();
    let mut from = 0;
    for section in missed.iter().filter(|section| section.layer.is_some()) {
        let line = section.text.lines().next().filter(|line| line.starts_with('#')).unwrap_or_default();
        if let Some(found) = line_at(&body[from..], line).map(|found| from + found) {
            starts.push((found, section));
            from = found + line.len();
        }
    }
    let head = starts.first().map_or(body.len(), |(start, _)| *start);
    if head > 0 {
        let named = |section: &&&Section| starts.iter().any(|(_, named)| named.id == section.id);
        match missed.iter().find(|section| section.layer.is_some() && !named(section)) {
            Some(section) => with_separator(parts, section, missed, &body[..head]),
            None => parts.push(LogPart {
                id: format!("{BETWEEN}-{}", parts.len()),
                title: String::new(),
                text: &body[..head],
            }),
        }
    }
    for (index, (start, section)) in starts.iter().enumerate() {
        let end = starts.get(index + 1).map_or(body.len(), |(next, _)| *next);
        with_separator(parts, section, missed, &body[*start..end]);
    }
    if let Some(section) = last {
        push(parts, section, tail.len(), tail);
    }
}

/// A section's part; the separator that follows the section apart from it.
fn with_separator<'a>(parts: &mut Vec<LogPart<'a>>, section: &Section, missed: &[&Section], text: &'a str) {
    let next = missed.iter().skip_while(|one| one.id != section.id).nth(1);
    let separator = next.filter(|next| next.layer.is_none() && text.ends_with(&*next.text));
    let length = text.len() - separator.map_or(0, |separator| separator.text.len());
    push(parts, section, length, text);
    if let Some(separator) = separator {
        push(parts, separator, separator.text.len(), &text[length..]);
    }
}

/// Where `line` stands as a whole line of `text`.
fn line_at(text: &str, line: &str) -> Option<usize> {
    if line.is_empty() {
        return None;
    }
    text.match_indices(line).map(|(at, _)| at).find(|&at| {
        let after = text[at + line.len()..].chars().next();
        (at == 0 || text[..at].ends_with('\n')) && matches!(after, None | Some('\n' | '\r'))
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use model::{ContentHash, Stability};

    use super::*;

    fn section(id: &str, layer: Option<u8>, text: &str) -> Section {
        Section {
            id: id.into(),
            layer,
            title: id.into(),
            stability: Stability::User,
            start: 0,
            text: text.into(),
            hash: ContentHash([0; 32]),
            spans: Arc::new([]),
        }
    }

    fn sections() -> Vec<Section> {
        vec![
            section("identity", Some(1), "You are Miso, a companion."),
            section("separator-1", None, "\n\n---\n\n"),
            section("soul", Some(2), "## SOUL.md\n\nWarm and dry."),
            section("separator-2", None, "\n\n---\n\n"),
            section("user", Some(2), "## USER.md\n\nJuniper Vale."),
        ]
    }

    fn aligned(log: &str) -> Vec<(String, &str)> {
        let parts = align(log, &sections());
        assert_eq!(parts.iter().map(|part| part.text).collect::<String>(), log, "everything once");
        parts.into_iter().map(|part| (part.id, part.text)).collect()
    }

    fn own(id: &str, text: &'static str) -> (String, &'static str) {
        (id.to_owned(), text)
    }

    const RULE: &str = "\n\n---\n\n";

    #[test]
    fn a_changed_section_is_what_stands_between_its_neighbours() {
        let log = "You are Miso, a companion.\n\n---\n\n## SOUL.md\n\nCold.\n\n---\n\n## USER.md\n\nJuniper Vale.";
        assert_eq!(
            aligned(log),
            [
                own("identity", "You are Miso, a companion."),
                own("separator-1", RULE),
                own("soul", "## SOUL.md\n\nCold."),
                own("separator-2", RULE),
                own("user", "## USER.md\n\nJuniper Vale."),
            ]
        );
    }

    #[test]
    fn a_section_that_was_not_there_and_one_that_is_gone() {
        let without = "You are Miso, a companion.\n\n---\n\n## USER.md\n\nJuniper Vale.";
        let ids: Vec<_> = aligned(without).into_iter().map(|(id, _)| id).collect();
        assert_eq!(ids, ["identity", "separator-1", "user"]);
        let more = "You are Miso, a companion.\n\n---\n\n## SOUL.md\n\nWarm and dry.\n\n---\n\n## AGENTS.md\n\nNew.\n\n---\n\n## USER.md\n\nJuniper Vale.";
        let ids: Vec<_> = aligned(more).into_iter().map(|(id, _)| id).collect();
        assert_eq!(ids, ["identity", "separator-1", "soul", "separator-2", "between-4", "user"]);
    }

    #[test]
    fn two_changed_neighbours_are_told_apart_by_their_headings() {
        let log = "You are Miso, a companion.\n\n---\n\n## SOUL.md\n\nCold.\n\n---\n\n## USER.md\n\nAda.";
        assert_eq!(
            aligned(log)[2..],
            [own("soul", "## SOUL.md\n\nCold."), own("separator-2", RULE), own("user", "## USER.md\n\nAda.")]
        );
    }

    #[test]
    fn nothing_in_common_is_the_first_section() {
        assert_eq!(aligned("Hello"), [own("identity", "Hello")]);
        assert!(aligned("").is_empty());
    }
}
