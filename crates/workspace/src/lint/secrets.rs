//! Keys and passwords that stand in a file: they would go to a model's vendor with every request.
//!
//! Only shapes that services give their keys are known; a text is never tried anywhere. A finding names kind and
//! place. The secret itself is in no message: [`redact`] takes it out of every text that quotes a file.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use model::{Finding, Text, text};
use regex::Regex;

use super::Subject;
use crate::rules;

/// What a shape is, as a key of the catalogue, and the shape. From the vendors' pages on their keys, and the public rules of secret scanners.
const SHAPES: &[(&str, &str)] = &[
    ("secret-private-key", r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----"),
    ("secret-anthropic", r"\bsk-ant-[A-Za-z0-9_-]{20,}"),
    ("secret-openrouter", r"\bsk-or-v1-[0-9a-f]{32,}"),
    ("secret-api-key", r"\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{32,}"),
    ("secret-github", r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{40,})"),
    ("secret-gitlab", r"\bglpat-[A-Za-z0-9_-]{20,}"),
    ("secret-aws", r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"),
    ("secret-google", r"\bAIza[A-Za-z0-9_-]{35}\b"),
    ("secret-slack", r"\bxox[abeoprs]-[A-Za-z0-9-]{20,}"),
    ("secret-slack-webhook", r"https://hooks\.slack\.com/services/[A-Za-z0-9/]{20,}"),
    ("secret-stripe", r"\b[rs]k_live_[A-Za-z0-9]{20,}"),
    ("secret-hugging-face", r"\bhf_[A-Za-z0-9]{30,}"),
    ("secret-npm", r"\bnpm_[A-Za-z0-9]{36}\b"),
    ("secret-telegram", r"\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33}\b"),
    ("secret-signed", r"\beyJ[A-Za-z0-9_-]{15,}\.eyJ[A-Za-z0-9_-]{15,}\.[A-Za-z0-9_-]{20,}"),
    ("secret-address", r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{1,100}:[^\s/:@]{6,100}@[A-Za-z0-9.-]{1,200}"),
];

static ANY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let shapes: Vec<String> = SHAPES.iter().map(|(_, shape)| format!("({shape})")).collect();
    Regex::new(&shapes.join("|")).ok()
});

/// What looks like a secret: where, and what kind.
fn secrets(text: &str) -> impl Iterator<Item = (Range<usize>, &'static str)> + '_ {
    ANY.iter().flat_map(move |any| any.captures_iter(text)).filter_map(|found| {
        let (index, secret) = found.iter().enumerate().skip(1).find_map(|(index, part)| Some((index, part?)))?;
        (!is_made_up(secret.as_str())).then_some((secret.range(), SHAPES.get(index - 1)?.0))
    })
}

/// A key of an instruction: `sk-xxxxxxxx…`, `AKIAIOSFODNN7EXAMPLE`, `user:password@host`.
fn is_made_up(secret: &str) -> bool {
    if secret.starts_with("-----") {
        return false;
    }
    let lower = secret.to_ascii_lowercase();
    let letters: BTreeSet<char> = lower.chars().collect();
    letters.len() < 10
        || ["example", "xxxx", "your", ":password@", ":secret@", "1234567890", "<", "{", "$"]
            .iter()
            .any(|mark| lower.contains(mark))
}

pub(super) fn secret(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for (range, kind) in secrets(subject.text()) {
        let message = text!("secret", kind = Text::of_key(kind, Vec::new()), name = subject.name);
        findings.push(subject.finding(rules::SECRET, range.start, range.end, message));
    }
}

/// `text` with `[…]` in the place of everything that looks like a secret.
pub fn redact(text: &str) -> Cow<'_, str> {
    let mut shown = String::new();
    let mut at = 0;
    for (range, kind) in secrets(text) {
        shown.push_str(&text[at..range.start]);
        shown.extend(["[", &Text::of_key(kind, Vec::new()), "]"]);
        at = range.end;
    }
    if at == 0 {
        return Cow::Borrowed(text);
    }
    shown.push_str(&text[at..]);
    Cow::Owned(shown)
}

/// `message` with its arguments redacted, as [`redact`] does it.
pub fn redacted(message: Text) -> Text {
    message.with_arguments(&|argument| match redact(argument) {
        Cow::Owned(changed) => Some(changed),
        Cow::Borrowed(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_known_by_their_shape_and_examples_are_not_keys() {
        // Built from parts, so that no scanner takes this file for a leak.
        let random = "Zk3vQ9xW7bT2mN5rL8pD4sF6hJ1gK0cY";
        let keys = [
            (format!("{}-ant-api03-{random}", "sk"), "secret-anthropic"),
            (format!("{}-proj-{random}{random}", "sk"), "secret-api-key"),
            (format!("{}_{random}{random}", "ghp"), "secret-github"),
            (format!("{}IOQZ7RTWB2MNPLXK", "AKIA"), "secret-aws"),
            (format!("{}{random}abc", "AIza"), "secret-google"),
            (format!("1234598760:AA{random}x"), "secret-telegram"),
            ("-----BEGIN OPENSSH PRIVATE KEY-----".to_owned(), "secret-private-key"),
            (format!("postgres://ada:{random}@db.local"), "secret-address"),
        ];
        for (key, kind) in keys {
            let text = format!("key: {key} end");
            let found: Vec<_> = secrets(&text).collect();
            assert_eq!(found, [(5..5 + key.len(), kind)], "{key}");
            let name = Text::of_key(kind, Vec::new());
            assert_eq!(redact(&text), format!("key: [{name}] end"));
        }
        for text in [
            "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "AKIAIOSFODNN7EXAMPLE",
            "sk-your-key-goes-here-abcdefghijklmnopqr",
            "https://user:password@host",
            "skip-this-and-that-and-another-thing-here",
            "see https://docs.example.org:8080/a@b",
        ] {
            assert_eq!(secrets(text).count(), 0, "{text}");
            assert!(matches!(redact(text), Cow::Borrowed(_)));
        }
    }
}
