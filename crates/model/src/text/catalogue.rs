//! The catalogue of texts, read once from the embedded files, and how arguments are put in.
//!
//! `{name}` is an argument. `{count:a line|# lines}` asks for its plural: what stands before the bar for one (in
//! French for none and one), what stands behind it for more, with `#` for the number. `{{` and `}}` are braces.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use super::{Arg, Language, Words};

const FILES: &[&str] = &[
    include_str!("../../texts/assembly.toml"),
    include_str!("../../texts/causes.toml"),
    include_str!("../../texts/documents.toml"),
    include_str!("../../texts/errors.toml"),
    include_str!("../../texts/files.toml"),
    include_str!("../../texts/fixes.toml"),
    include_str!("../../texts/reading.toml"),
    include_str!("../../texts/reasons.toml"),
    include_str!("../../texts/secrets.toml"),
    include_str!("../../texts/skills.toml"),
    include_str!("../../texts/workbench.toml"),
];

/// A file that is no TOML has no texts; a test reads them all.
static TEXTS: LazyLock<HashMap<String, Words>> =
    LazyLock::new(|| FILES.iter().flat_map(|file| toml::from_str::<HashMap<String, Words>>(file)).flatten().collect());

/// The text of `key` in `language`. A key that is missing reads as itself.
pub(super) fn said(key: &str, args: &[(&str, Arg)], language: Language) -> String {
    let Some(words) = TEXTS.get(key) else { return key.to_owned() };
    let pattern = match language {
        Language::English => &words.en,
        Language::Chinese => &words.zh,
        Language::French => &words.fr,
    };
    filled(pattern, args, language)
}

fn filled(pattern: &str, args: &[(&str, Arg)], language: Language) -> String {
    let mut text = String::with_capacity(pattern.len() + 32);
    let mut rest = pattern;
    while let Some(at) = rest.find(['{', '}']) {
        text.push_str(&rest[..at]);
        let brace = &rest[at..=at];
        let behind = &rest[at + 1..];
        if let Some(next) = behind.strip_prefix(brace) {
            text.push_str(brace);
            rest = next;
        } else if let Some((inner, next)) = behind.split_once('}') {
            put(&mut text, inner, args, language);
            rest = next;
        } else {
            text.push_str(brace);
            rest = behind;
        }
    }
    text.push_str(rest);
    text
}

fn put(text: &mut String, inner: &str, args: &[(&str, Arg)], language: Language) {
    let (name, plural) = inner.split_once(':').map_or((inner, None), |(name, plural)| (name, Some(plural)));
    match (args.iter().find(|(known, _)| *known == name).map(|(_, arg)| arg), plural) {
        (Some(Arg::Number(number)), Some(plural)) => {
            let (one, more) = plural.split_once('|').unwrap_or((plural, plural));
            let form = if is_one(*number, language) { one } else { more };
            text.push_str(&form.replace('#', &grouped(*number, language)));
        }
        (Some(Arg::Number(number)), None) => text.push_str(&grouped(*number, language)),
        (Some(Arg::Shown(shown)), _) => text.push_str(shown),
        (Some(Arg::Text(inner)), _) => text.push_str(&inner.in_language(language)),
        (None, _) => {
            let _ = write!(text, "{{{inner}}}");
        }
    }
}

/// The plural category "one" of CLDR, of which these languages know no other than "other" for whole numbers.
fn is_one(number: u64, language: Language) -> bool {
    match language {
        Language::English => number == 1,
        Language::Chinese => false,
        Language::French => number < 2,
    }
}

/// `number` with its thousands apart, from five digits on.
fn grouped(number: u64, language: Language) -> String {
    let digits = number.to_string();
    if digits.len() < 5 {
        return digits;
    }
    let separator = if language == Language::French { '\u{202f}' } else { ',' };
    let mut text = String::with_capacity(digits.len() * 2);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(separator);
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    #[test]
    fn the_files_are_toml_and_no_key_stands_twice() {
        let keys: usize = FILES.iter().map(|file| toml::from_str::<HashMap<String, Words>>(file).unwrap().len()).sum();
        assert_eq!(keys, TEXTS.len());
        assert!(keys > 100, "{keys}");
    }

    #[test]
    fn braces_and_arguments_that_are_missing_stay() {
        let args = [("a", Arg::from("b"))];
        assert_eq!(filled("{{{a}}} {c} {", &args, Language::English), "{b} {c} {");
    }
}
