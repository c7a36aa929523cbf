//! Text that is likely to be another one tomorrow, in a file that stands at the head of the prompt.
//!
//! Every change there throws away the cached prompt behind it. Only values that are labelled as the present (`Today:`,
//! `Session id:`), and time stamps to the second, are told; a birthday or a dated note is nobody's business.

use std::sync::LazyLock;

use model::{Finding, Severity, Text, text};
use regex::Regex;

use super::lines::lines;
use super::{Role, Subject};
use crate::rules;

/// A day, a time of day, a moment in seconds, or an id.
const VALUE: &str = r"(?:(?:\p{L}+,?\s+)?(?:\d{4}[-/.年]\s?\d{1,2}[-/.月]\s?\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{1,2}:\d{2}|\d{1,2}(?:st|nd|rd|th|er)?\s+\p{L}+\s+\d{4}|\p{L}+\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4})|\d{10}(?:\d{3})?\b|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})";
/// Labels of the present moment or of one run.
const PRESENT: &str = r"now|today(?:['’]s date)?|(?:the )?(?:current|present|local|today['’]s) (?:date(?: and time| ?/ ?time)?|time|day|timestamp)|time ?stamp|(?:session|request|run|trace|conversation|chat|thread)(?:[ _-]?id)|今天|今日|现在|当前(?:时间|日期)|会话 ?id|aujourd['’]hui|(?:date|heure) (?:actuelle|du jour)";
/// Labels of the last change.
const CHANGE: &str = r"(?:last[ -])?(?:updated|modified|edited|generated|synced|refreshed)(?: at| on)?|last (?:update|change|edit|sync)|as of|最后更新|更新(?:时间|于)?|(?:dernière )?mise à jour|mis à jour(?: le)?";

static LABELLED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(&format!(
        r"(?i)^[\s>*_#\-+|(\[]*(?:(?<present>{PRESENT})|(?:{CHANGE}))[*_\s]*(?:[:：=]|\bis\b|是|\s)[*_\s`(]*(?<value>{VALUE})"
    ))
    .ok()
});
static STAMP: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:[.,]\d+)?(?:Z|[+-]\d{2}:?\d{2})?").ok());

pub(super) fn volatile(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    // A memory is a list of dated notes, and a skill on demand is read when it is needed.
    if !matches!(subject.role, Role::Bootstrap | Role::Skill { always_on: true }) {
        return;
    }
    let name = subject.name;
    for line in lines(subject.text()).filter(|line| !line.code && line.text.bytes().any(|byte| byte.is_ascii_digit())) {
        let labelled = LABELLED.as_ref().and_then(|labelled| labelled.captures(line.text));
        if let Some((found, value)) =
            labelled.and_then(|found| Some((found.name("present").is_some(), found.name("value")?)))
        {
            let (message, severity) = if found {
                (text!("volatile-text-present", name), Severity::Warning)
            } else {
                (text!("volatile-text-change", name), Severity::Info)
            };
            push(subject, line.at, value.range(), message, severity, findings);
        } else if let Some(stamp) = STAMP.as_ref().and_then(|stamp| stamp.find(line.text)) {
            push(subject, line.at, stamp.range(), text!("volatile-text-stamp", name), Severity::Info, findings);
        }
    }
}

fn push(
    subject: &Subject<'_>,
    at: usize,
    range: std::ops::Range<usize>,
    message: Text,
    severity: Severity,
    findings: &mut Vec<Finding>,
) {
    let finding = subject.finding(rules::VOLATILE_TEXT, at + range.start, at + range.end, message);
    findings.push(Finding { severity, ..finding });
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    fn labelled(line: &str) -> Option<(bool, &str)> {
        let found = LABELLED.as_ref().unwrap().captures(line)?;
        Some((found.name("present").is_some(), found.name("value").unwrap().as_str()))
    }

    #[test]
    fn only_what_is_labelled_as_present_or_changed_is_told() {
        for (line, present, value) in [
            ("Today: 2025-03-04", true, "2025-03-04"),
            ("- **Current time:** 09:15", true, "09:15"),
            ("Today is Tuesday, 4 March 2025.", true, "Tuesday, 4 March 2025"),
            ("Session id: 9f1c2b3a-1111-4222-8333-123456789abc", true, "9f1c2b3a-1111-4222-8333-123456789abc"),
            ("当前时间：2025年3月4日", true, "2025年3月4"),
            ("_Last updated: March 4, 2025_", false, "March 4, 2025"),
            ("Mis à jour le 04/03/2025", false, "04/03/2025"),
        ] {
            assert_eq!(labelled(line), Some((present, value)), "{line}");
        }
        for line in [
            "- Born: 1990-05-01",
            "Quiet from 22:00 to 07:00.",
            "Since 2019-01-01 I live in Oslo",
            "- Order id: 9f1c2b3a-1111-4222-8333-123456789abc",
            "Say what day it is today",
            "Updated notes go into MEMORY.md",
            "Current projects: 3",
        ] {
            assert_eq!(labelled(line), None, "{line}");
        }
        assert!(STAMP.as_ref().unwrap().is_match("built 2025-03-04T05:06:07Z"));
        assert!(!STAMP.as_ref().unwrap().is_match("on 2025-03-04 at 05:06"));
    }
}
