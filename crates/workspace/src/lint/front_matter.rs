//! Findings about the front matter of a skill: where the target's line-by-line reading and YAML part ways.

use model::Finding;

use super::{Role, Subject};
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
        findings.extend(parsed.findings.into_iter().map(|finding| relocate(subject, finding)));
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
        let message = if opening {
            "The opening --- ends with CR LF. The target looks for LF, sees no front matter, and lists the skill \
             without a description; when the body is injected, the front matter comes with it. Use LF."
        } else {
            "The closing --- ends with CR LF. The target looks for LF there, and injects the front matter together \
             with the body. Use LF."
        };
        let finding = subject.finding(rules::FRONTMATTER_CRLF, start, end, message);
        findings.push(finding.fix("frontmatter-lf", "Use LF in the front matter"));
    } else if front.body as usize == text.len() && !text.ends_with('\n') {
        let message = "The file ends with the closing ---. The target wants a line end after it, and otherwise takes \
                       the front matter itself for the body. Add a line end.";
        let finding = subject.finding(rules::FRONTMATTER_NO_NEWLINE, end, text.len(), message);
        findings.push(finding.fix("add-final-newline", "Add a line end"));
    }
    let mut colon = false;
    match description(inner) {
        Some((at, value)) => {
            colon = description_value(subject, start + at, value, findings);
        }
        None if !opening && !subject.file.decoded().bom => findings.push(missing_description(subject, end)),
        None => {}
    }
    if !colon {
        findings.extend(parsed.findings.into_iter().map(|finding| relocate(subject, finding)));
    }
    if let Some(name) = parsed.value.name()
        && name != subject.name
    {
        let message = format!(
            "The front matter names the skill {name}; the target goes by its folder, {}. Other hosts may list it and \
             then not find it. Make them equal.",
            subject.name
        );
        findings.push(subject.finding(rules::SKILL_NAME_DIFFERS, start, end, message));
    }
}

/// The first line that begins with `description:` in any letter case and goes on: where its value starts, and the
/// value.
fn description(inner: &str) -> Option<(usize, &str)> {
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
        let message = format!(
            "The description is written as a block. The target reads one line only and shows {value} as the whole \
             description. Put it on one line."
        );
        findings.push(subject.finding(rules::DESCRIPTION_FOLDED, at, end, message));
    } else if value.starts_with(['"', '\'']) {
        let message = "The description is quoted, and the target shows the quotes. Readers of YAML take them off; keep \
                       them when the text holds a colon or begins with a sign.";
        findings.push(subject.finding(rules::DESCRIPTION_QUOTED, at, end, message));
    } else if value.contains(": ") || value.ends_with(':') {
        let quoted = value.replace('\\', "\\\\").replace('"', "\\\"");
        let message = format!(
            "The description holds a colon followed by a space. It is fine here, and an error for readers of YAML, \
             which then drop the skill. For them, write: \"{quoted}\""
        );
        let finding = subject.finding(rules::DESCRIPTION_COLON, at, end, message);
        findings.push(finding.fix("quote-description", "Quote the description"));
        return true;
    }
    false
}

fn missing_description(subject: &Subject<'_>, at: usize) -> Finding {
    let message = format!(
        "The skill {} has no description. The target lists it all the same, with an empty line, and the model cannot \
         tell when to use it. Add `description:` to the front matter.",
        subject.name
    );
    subject.finding(rules::DESCRIPTION_MISSING, at, at, message)
}

/// Puts a finding about the text where it is in the file.
fn relocate(subject: &Subject<'_>, finding: Finding) -> Finding {
    let decoded = subject.file.decoded();
    let range = finding.range;
    let finding = finding.at(&*subject.file.path);
    match range {
        Some(range) => {
            finding.range(decoded.to_file_offset(range.start as usize), decoded.to_file_offset(range.end as usize))
        }
        None => finding,
    }
}
