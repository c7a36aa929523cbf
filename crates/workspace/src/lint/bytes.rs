//! Findings about the bytes of a file: its encoding and its line ends.

use model::{Finding, text};

use super::lines::lines;
use super::{Role, Subject, trim};
use crate::encoding;
use crate::rules;

pub(super) fn byte_order_mark(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    if !subject.file.decoded().bom {
        return;
    }
    let message = if matches!(subject.role, Role::Skill { .. }) { text!("bom-skill") } else { text!("bom-text") };
    let finding = rules::BOM.finding(message).at(&*subject.file.path).range(0, 3);
    findings.push(finding.fix("strip-bom", text!("fix-strip-bom")));
}

pub(super) fn not_utf8(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let decoded = subject.file.decoded();
    let Some(&(_, at, length)) = decoded.replaced.first() else { return };
    let count = decoded.replaced.len();
    let encoding = encoding::guess(&subject.file.bytes).name();
    let message = text!("not-utf8", at, count, encoding);
    let (start, end) = (at as usize, (at + length) as usize);
    let finding = rules::NOT_UTF8.finding(message).at(&*subject.file.path).range(start, end);
    findings.push(finding.fix("convert-to-utf8", text!("fix-convert-to-utf8", encoding)));
}

pub(super) fn mixed_line_ends(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let ends = subject.file.decoded().line_ends;
    if ends.mixed() {
        let message = text!("mixed-line-ends", lf = ends.lf, crlf = ends.crlf, cr = ends.cr);
        let finding = rules::MIXED_LINE_ENDS.finding(message).at(&*subject.file.path);
        // A lone CR may be part of a text or half of a line end; nobody but the writer knows.
        let (lf, crlf) = (("use-lf", text!("fix-use-lf")), ("use-crlf", text!("fix-use-crlf")));
        let offered = match (ends.cr, subject.role) {
            (1.., _) => vec![],
            (_, Role::Skill { .. }) => vec![lf],
            _ if ends.crlf > ends.lf => vec![crlf, lf],
            _ => vec![lf, crlf],
        };
        findings.push(offered.into_iter().fold(finding, |finding, (id, label)| finding.fix(id, label)));
    }
}

pub(super) fn empty_section(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let text = subject.text();
    let injected = !matches!(subject.role, Role::Skill { .. });
    if injected && !text.is_empty() && trim(text).is_empty() {
        let message = text!("empty-section", name = subject.name);
        let finding = subject.finding(rules::EMPTY_SECTION, 0, text.len(), message);
        findings.push(finding.fix("empty-file", text!("fix-empty-file")));
    }
}

/// Longest line that is not told, in characters.
const LONGEST_LINE: usize = 5_000;

pub(super) fn long_line(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for line in lines(subject.text()).filter(|line| line.text.len() > LONGEST_LINE) {
        let characters = line.text.chars().count();
        if characters > LONGEST_LINE {
            let message = text!("long-line", count = characters);
            findings.push(subject.finding(rules::LONG_LINE, line.at, line.end(), message));
        }
    }
}
