//! The text of a new skill, and a skill's name within its text. Pure.

use super::yaml;
use crate::lint::plain_or_quoted;

/// What a new skill says below its front matter when the person wrote nothing.
pub const BODY: &str = "\
## When to use this

Say in one or two sentences which request this skill is for.

## Steps

1. Say what to look at first.
2. Say what to do with it.
3. Say what the answer should look like.

## Example

Show one request and a good answer to it.
";

/// A whole SKILL.md. The description goes on one line, because the target reads one; it gets quotes only where readers
/// of YAML need them.
pub fn new(name: &str, description: &str, body: &str) -> String {
    let description = description.split_whitespace().collect::<Vec<_>>().join(" ");
    let description =
        if description.is_empty() { String::new() } else { format!(" {}", plain_or_quoted(&description)) };
    let body = if body.trim().is_empty() { BODY } else { body };
    let end = if body.ends_with('\n') { "" } else { "\n" };
    format!("---\nname: {}\ndescription:{description}\n---\n\n{body}{end}", plain_or_quoted(name))
}

/// The text with `name` in its front matter; only the bytes of that value change. `None`: there is no such field, or it
/// is not written on one line, or it says so already.
pub fn renamed(text: &str, name: &str) -> Option<String> {
    let front = yaml::read(text).value;
    let span = front.span?;
    let (from, to) = (span.start as usize, span.end as usize);
    let mut at = from;
    for line in text[from..to].split_inclusive('\n') {
        if let Some(rest) = line.strip_prefix("name:") {
            let value = rest.trim();
            let start = at + line.len() - rest.trim_start().len();
            let start = if value.is_empty() { at + "name:".len() } else { start };
            let space = if value.is_empty() { " " } else { "" };
            let next = format!("{}{space}{}{}", &text[..start], plain_or_quoted(name), &text[start + value.len()..]);
            let read = yaml::read(&next).value;
            // Where the whole is no YAML, nobody can say what the name is; the line is still the person's own.
            let right = if front.error.is_some() {
                !value.starts_with(['>', '|', '&', '*', '!'])
            } else {
                read.name() == Some(name)
            };
            return (right && next != text).then_some(next);
        }
        at += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_new_skill_reads_the_same_everywhere() {
        let text = new("tide", "Read the\ntable", "Do it.");
        assert_eq!(text, "---\nname: tide\ndescription: Read the table\n---\n\nDo it.\n");
        let quoted = new("tide", "Plan trips: rail", "");
        assert!(quoted.contains("\ndescription: \"Plan trips: rail\"\n"), "{quoted}");
        assert_eq!(yaml::read(&quoted).value.description(), Some("Plan trips: rail"));
        assert!(quoted.ends_with(BODY));
        assert_eq!(yaml::read(&new("7", "", "x")).value.name(), Some("7"), "a number is a text here");
    }

    #[test]
    fn only_the_name_changes() {
        for (before, after) in [
            (
                "---\nname: tide\ndescription: d\n---\nname: tide\n",
                "---\nname: tide-2\ndescription: d\n---\nname: tide\n",
            ),
            ("\u{FEFF}---\r\nname:  \"tide\"\r\nx: 1\r\n---\r\n", "\u{FEFF}---\r\nname:  tide-2\r\nx: 1\r\n---\r\n"),
            ("---\ndescription: a: b\nname: tide\n---\n", "---\ndescription: a: b\nname: tide-2\n---\n"),
            ("---\nname:\n---\n", "---\nname: tide-2\n---\n"),
        ] {
            assert_eq!(renamed(before, "tide-2").as_deref(), Some(after));
        }
        for text in [
            "# No front matter\nname: x\n",
            "---\ndescription: d\n---\n",
            "---\nname: >\n  tide\n---\n",
            "---\nname: a\n",
        ] {
            assert_eq!(renamed(text, "tide-2"), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_fail(text in "(---\r?\n)?[a-z:>|\"' \r\n\u{FEFF}é]{0,40}(name: ?[a-z\"]*\r?\n)?(---\r?\n)?") {
            if let Some(next) = renamed(&text, "tide") {
                prop_assert!(next.contains("tide"));
                prop_assert_eq!(renamed(&next, "tide"), None);
            }
        }

        #[test]
        fn every_description_comes_back(description in "[a-z:#'\"\\\\{}\\[\\]&*é -]{0,40}") {
            let text = new("tide", &description, "Do it.");
            let expected = description.split_whitespace().collect::<Vec<_>>().join(" ");
            let front = yaml::read(&text).value;
            prop_assert_eq!(front.description().unwrap_or_default(), expected);
            prop_assert_eq!(front.name(), Some("tide"));
        }
    }
}
