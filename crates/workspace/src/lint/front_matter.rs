//! Findings about the front matter of a skill: where the target's line-by-line reading and YAML part ways.

use model::{Finding, Text, text};

use super::{Role, Subject, redacted};
use crate::rules;
use crate::skills::yaml;

pub(super) fn front_matter(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    if !matches!(subject.role, Role::Skill { .. }) {
        return;
    }
    let text = subject.text();
    let parsed = yaml::read(text);
    let front = &parsed.value;
    let Some(span) = front.span else {
        let unclosed = !parsed.findings.is_empty();
        let label = text!("fix-close-front-matter");
        findings.extend(
            parsed
                .findings
                .into_iter()
                .map(|finding| relocate(subject, finding).fix("close-front-matter", label.clone())),
        );
        if !unclosed {
            findings.push(missing_description(subject, 0));
        }
        return;
    };
    let (start, end) = (span.start as usize, span.end as usize);
    let inner = &text[start..end];
    let opening = text[..start].ends_with("\r\n");
    let closing = text[..front.body as usize].ends_with("\r\n");
    if opening || closing {
        let message = if opening { text!("frontmatter-crlf-opening") } else { text!("frontmatter-crlf-closing") };
        let finding = subject.finding(rules::FRONTMATTER_CRLF, start, end, message);
        let whole = text[front.body as usize..].contains("\r\n");
        findings.push(if whole {
            finding.fix("use-lf", text!("fix-use-lf"))
        } else {
            finding.fix("front-matter-lf", text!("fix-front-matter-lf"))
        });
    } else if front.body as usize == text.len() && !text.ends_with('\n') {
        let message = text!("frontmatter-at-end");
        let finding = subject.finding(rules::FRONTMATTER_NO_NEWLINE, end, text.len(), message);
        findings.push(finding.fix("add-final-newline", text!("fix-add-final-newline")));
    }
    let mut colon = false;
    match description(inner) {
        Some((at, value)) => {
            colon = description_value(subject, start + at, value, findings);
        }
        None => findings.push(missing_description(subject, end)),
    }
    if !colon {
        let label = text!("fix-quote-description");
        findings.extend(
            parsed
                .findings
                .into_iter()
                .map(|finding| relocate(subject, finding).fix("quote-description", label.clone())),
        );
    }
    if let Some(value) = parsed.value.description().map(str::trim)
        && value.chars().count() > LONGEST_DESCRIPTION
    {
        let message = text!("description-long", count = value.chars().count());
        findings.push(subject.finding(rules::DESCRIPTION_LONG, start, end, message));
    }
    if parsed.value.always() == Some(true) && !matches!(subject.role, Role::Skill { always_on: true }) {
        let message = text!("always-not-read", names = Text::all(&subject.target.always_on));
        findings.push(subject.finding(rules::ALWAYS_NOT_READ, start, end, message));
    }
    let name = subject.name;
    if !name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-') || name.len() > 64 {
        let message = text!("skill-name-form", name);
        findings.push(subject.finding(rules::SKILL_NAME_FORM, start, end, message));
    }
    if let Some(name) = parsed.value.name()
        && name != subject.name
    {
        let message = text!("skill-name-differs", name, folder = subject.name);
        findings.push(subject.finding(rules::SKILL_NAME_DIFFERS, start, end, message));
    }
}

/// The standard's limit for a description, in characters.
const LONGEST_DESCRIPTION: usize = 1_024;

/// The first line that begins with `description:` in any letter case and goes on: where its value starts, and the
/// value.
pub(super) fn description(inner: &str) -> Option<(usize, &str)> {
    const KEY: &str = "description:";
    let mut at = 0;
    for line in inner.split_inclusive('\n') {
        if line.get(..KEY.len()).is_some_and(|key| key.eq_ignore_ascii_case(KEY)) {
            let rest = &line[KEY.len()..];
            let value = rest.trim();
            let lead = rest.len() - rest.trim_start().len();
            if !value.is_empty() {
                return Some((at + KEY.len() + lead, value));
            }
        }
        at += line.len();
    }
    None
}

/// Reports a value that YAML reads otherwise. True when it holds the colon that YAML stumbles over.
fn description_value(subject: &Subject<'_>, at: usize, value: &str, findings: &mut Vec<Finding>) -> bool {
    let end = at + value.len();
    if value.starts_with(['>', '|']) {
        let message = text!("description-folded", value);
        let finding = subject.finding(rules::DESCRIPTION_FOLDED, at, end, message);
        findings.push(finding.fix("unfold-description", text!("fix-unfold-description")));
    } else if let Some(bare) = unquoted(value) {
        if !is_plain(&bare) {
            return false; // they are needed there
        }
        let message = text!("description-quoted");
        let finding = subject.finding(rules::DESCRIPTION_QUOTED, at, end, message);
        findings.push(finding.fix("unquote-description", text!("fix-unquote-description")));
    } else if value.contains(": ") || value.ends_with(':') {
        let message = text!("description-colon", quoted = quoted(value));
        let finding = subject.finding(rules::DESCRIPTION_COLON, at, end, message);
        findings.push(finding.fix("quote-description", text!("fix-quote-it")));
        return true;
    }
    false
}

/// `value` in the quotes of YAML.
pub(super) fn quoted(value: &str) -> String {
    format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))
}

/// `value` as readers of YAML take it: in quotes only where it needs them.
pub(crate) fn plain_or_quoted(value: &str) -> String {
    if is_plain(value) { value.to_owned() } else { quoted(value) }
}

/// What a YAML reader sees of a quoted value on one line; `None` when it is not quoted.
pub(super) fn unquoted(value: &str) -> Option<String> {
    value.starts_with(['"', '\'']).then(|| serde_saphyr::from_str(value).ok()).flatten()
}

/// True when YAML reads `value` as this very text without quotes.
pub(super) fn is_plain(value: &str) -> bool {
    let one_line = !value.is_empty() && !value.contains(['\n', '\r']) && value.trim() == value;
    let read = |yaml: String| yaml::read(&yaml).value.description().map(str::to_owned);
    one_line && read(format!("---\ndescription: {value}\n---\n")).as_deref() == Some(value)
}

fn missing_description(subject: &Subject<'_>, at: usize) -> Finding {
    let message = text!("description-missing", name = subject.name);
    subject.finding(rules::DESCRIPTION_MISSING, at, at, message)
}

/// Puts a finding about the text where it is in the file.
fn relocate(subject: &Subject<'_>, finding: Finding) -> Finding {
    let decoded = subject.file.decoded();
    let range = finding.range;
    let mut finding = finding.at(&*subject.file.path);
    finding.message = redacted(finding.message);
    match range {
        Some(range) => {
            finding.range(decoded.to_file_offset(range.start as usize), decoded.to_file_offset(range.end as usize))
        }
        None => finding,
    }
}
