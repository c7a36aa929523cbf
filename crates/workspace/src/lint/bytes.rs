//! Findings about the bytes of a file: its encoding and its line ends.

use model::Finding;

use super::lines::lines;
use super::{Role, Subject, trim};
use crate::encoding;
use crate::rules;

pub(super) fn byte_order_mark(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    if !subject.file.decoded().bom {
        return;
    }
    let meaning = if matches!(subject.role, Role::Skill { .. }) {
        "The target then sees no front matter, and lists the skill without a description."
    } else {
        "The target keeps the mark, as an invisible character before the text."
    };
    let message = format!("The file begins with a byte order mark (EF BB BF). {meaning} Remove it.");
    let finding = rules::BOM.finding(message).at(&*subject.file.path).range(0, 3);
    findings.push(finding.fix("strip-bom", "Remove the byte order mark"));
}

pub(super) fn not_utf8(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let decoded = subject.file.decoded();
    let Some(&(_, at, length)) = decoded.replaced.first() else { return };
    let count = decoded.replaced.len();
    let encoding = encoding::guess(&subject.file.bytes).name();
    let message = format!(
        "The file is not UTF-8: byte {at} is the first at fault, and {count} places become U+FFFD in the prompt. It \
         looks like {encoding}. Convert it; it is never converted by merely saving."
    );
    let (start, end) = (at as usize, (at + length) as usize);
    let finding = rules::NOT_UTF8.finding(message).at(&*subject.file.path).range(start, end);
    findings.push(finding.fix("convert-to-utf8", format!("Convert from {encoding} to UTF-8")));
}

pub(super) fn mixed_line_ends(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let ends = subject.file.decoded().line_ends;
    if ends.mixed() {
        let message = format!(
            "The file mixes line ends: {} LF, {} CR LF, {} CR. The target injects them as they are.",
            ends.lf, ends.crlf, ends.cr
        );
        let finding = rules::MIXED_LINE_ENDS.finding(message).at(&*subject.file.path);
        // A lone CR may be part of a text or half of a line end; nobody but the writer knows.
        let (lf, crlf) = (("use-lf", "Use LF throughout"), ("use-crlf", "Use CR LF throughout"));
        let offered: &[_] = match (ends.cr, subject.role) {
            (1.., _) => &[],
            (_, Role::Skill { .. }) => &[lf],
            _ if ends.crlf > ends.lf => &[crlf, lf],
            _ => &[lf, crlf],
        };
        findings.push(offered.iter().fold(finding, |finding, &(id, label)| finding.fix(id, label)));
    }
}

pub(super) fn empty_section(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let text = subject.text();
    let injected = !matches!(subject.role, Role::Skill { .. });
    if injected && !text.is_empty() && trim(text).is_empty() {
        let message = format!(
            "{} holds white space only. The target tells that from an empty file and injects its heading with \
             nothing below. Empty the file or remove it.",
            subject.name
        );
        let finding = subject.finding(rules::EMPTY_SECTION, 0, text.len(), message);
        findings.push(finding.fix("empty-file", "Empty the file"));
    }
}

/// Longest line that is not told, in characters.
const LONGEST_LINE: usize = 5_000;

pub(super) fn long_line(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for line in lines(subject.text()).filter(|line| line.text.len() > LONGEST_LINE) {
        let characters = line.text.chars().count();
        if characters > LONGEST_LINE {
            let message = format!(
                "One line has {characters} characters. Editors and comparisons show it as a whole or not at all, and \
                 pasted data is often in every request for nothing. Break it up, or take it out."
            );
            findings.push(subject.finding(rules::LONG_LINE, line.at, line.end(), message));
        }
    }
}
