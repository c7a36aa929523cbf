//! Findings about marks in a text: blanks of a form, template syntax, and look-alikes of section borders.

use std::sync::LazyLock;

use model::{Finding, Severity, text};
use regex::Regex;

use super::lines::lines;
use super::{Role, Subject};
use crate::rules;
use crate::skills::yaml;

pub(super) fn unfilled(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    if matches!(subject.role, Role::Skill { .. }) {
        return;
    }
    let mut placeholders = Vec::new();
    let mut boxes = Vec::new();
    let mut bullets = Vec::new();
    // Boxes in a row are one question; one tick answers it.
    let mut question: Vec<(usize, usize)> = Vec::new();
    let mut answered = false;
    for line in lines(subject.text()) {
        let (at, range) = (line.at, (line.at, line.end()));
        let line = line.text;
        if let Some(ticked) = check_box(line) {
            question.push(range);
            answered |= ticked;
            continue;
        }
        let row = std::mem::take(&mut question);
        if !std::mem::take(&mut answered) {
            boxes.extend(row);
        }
        if matches!(line.trim(), "-" | "*" | "+") {
            bullets.push(range);
        } else if let Some(offset) = placeholder(line) {
            placeholders.push((at + offset, at + line.trim_end().len()));
        }
    }
    if !answered {
        boxes.extend(question);
    }
    let first = [&placeholders, &boxes, &bullets].into_iter().filter_map(|found| found.first()).min();
    if let Some(&(start, end)) = first {
        let message = text!(
            "unfilled-placeholder",
            name = subject.name,
            placeholders = placeholders.len(),
            boxes = boxes.len(),
            bullets = bullets.len()
        );
        findings.push(subject.finding(rules::UNFILLED_PLACEHOLDER, start, end, message));
    }
}

/// For a check box: whether it is ticked.
fn check_box(line: &str) -> Option<bool> {
    let rest = line.trim_start().strip_prefix(['-', '*', '+'])?.trim_start();
    let mark = rest.strip_prefix('[')?.chars().next()?;
    rest.get(1 + mark.len_utf8()..)?.starts_with(']').then_some(mark != ' ')
}

/// Where the value of a line is nothing but a text in round brackets, also in italics or wide:
/// `- **Name:** (your name)`, `姓名：（你的名字）`, `Pronouns: _(optional)_`, or the whole line.
pub(crate) fn placeholder(line: &str) -> Option<usize> {
    let trimmed = line.trim_end();
    let bare = trimmed.trim_end_matches(['*', '_']);
    let signs = &trimmed[bare.len()..];
    let inner = bare.strip_suffix([')', '）'])?;
    let open = inner.rfind(['(', '（'])?;
    if inner[open..].chars().count() < 2 {
        return None; // () holds no hint
    }
    let before = inner[..open].strip_suffix(signs)?;
    let start = before.len();
    let before = before.trim_end();
    let alone = before.trim_start_matches(['-', '*', '+', ' ', '\t']).is_empty();
    let value = before.trim_end_matches(['*', '_']).ends_with([':', '：']);
    (alone || value).then_some(start)
}

pub(super) fn template_syntax(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let text = subject.text();
    let found: Vec<_> = [("{{", "}}"), ("{%", "%}")].into_iter().flat_map(|pair| between(text, pair)).collect();
    if let Some(&(start, end)) = found.iter().min() {
        let message = text!("template-syntax-literal", count = found.len(), first = &text[start..end]);
        findings.push(subject.finding(rules::TEMPLATE_SYNTAX_LITERAL, start, end, message));
    }
}

/// Every `open … close` within one line.
fn between<'a>(text: &'a str, (open, close): (&'a str, &'a str)) -> impl Iterator<Item = (usize, usize)> + 'a {
    lines(text).flat_map(move |line| {
        let (at, line) = (line.at, line.text);
        let mut from = 0;
        std::iter::from_fn(move || {
            let start = from + line[from..].find(open)?;
            let end = start + line[start..].find(close)? + close.len();
            from = end;
            Some((at + start, at + end))
        })
    })
}

pub(super) fn section_spoof(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let text = subject.text();
    let from = match subject.role {
        Role::Skill { always_on: false } => return,
        Role::Skill { always_on: true } => yaml::read(text).value.body as usize,
        Role::Bootstrap | Role::Memory => 0,
    };
    for line in lines(&text[from..]).filter(|line| !line.code && is_section_heading(subject, line.text)) {
        let message = text!("section-spoof-heading", line = line.text.trim_end());
        let finding = subject.finding(rules::SECTION_SPOOF, from + line.at, from + line.end(), message);
        findings.push(finding.fix("escape-spoof", text!("fix-smaller-heading")));
    }
    let borders = borders(&text[from..]);
    if let Some(&at) = borders.first() {
        let message = text!("section-spoof-border", count = borders.len());
        let finding = subject.finding(rules::SECTION_SPOOF, from + at, from + at + 3, message);
        // A rule is common in Markdown; only a heading after it makes another section of it.
        findings.push(Finding { severity: Severity::Info, ..finding }.fix("escape-spoof", text!("fix-other-rules")));
    }
}

/// Where a line of nothing but `---` stands between blank lines, as the borders of the prompt do. Below a line of
/// text it would be a heading, and beside fields it ends a front matter.
pub(super) fn borders(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut candidate = None;
    let mut blank = true;
    for line in lines(text) {
        if line.blank() {
            found.extend(candidate);
        }
        candidate = (blank && !line.code && line.text == "---").then_some(line.at);
        blank = line.blank();
    }
    found.extend(candidate);
    found
}

fn is_section_heading(subject: &Subject<'_>, line: &str) -> bool {
    const MEMORY: [&str; 3] = ["Long-Term Memory", "Long-Term Memory (You)", "Project Memory"];
    let Some(title) = line.strip_prefix("## ").map(str::trim_end) else { return false };
    MEMORY.contains(&title) || subject.target.bootstrap.iter().any(|file| file.name == title)
}

/// What the target's consolidator takes for the begin of a part of its summary, wherever it stands: JavaScript's
/// `/##\s*User\s*Profile/i` and its sister. It adds what follows to the memory of the person, or of the project.
static SECTION_MARK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    // ECMAScript's white space is Unicode's without U+0085 and with U+FEFF; its `i` folds ASCII letters alone here.
    const SPACE: &str = r"[\s\x{FEFF}--\x{85}]*";
    Regex::new(&format!(r"##{SPACE}(?:(?i-u:user){SPACE}(?i-u:profile)|(?i-u:project){SPACE}(?i-u:context))")).ok()
});

pub(super) fn section_mark(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    if subject.role != Role::Memory {
        return;
    }
    for mark in SECTION_MARK.iter().flat_map(|mark| mark.find_iter(subject.text())) {
        let message = text!("memory-section-mark");
        findings.push(subject.finding(rules::MEMORY_SECTION_MARK, mark.start(), mark.end(), message));
    }
}

pub(super) fn hidden_character(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let text = subject.text();
    let mut flag = false;
    for (at, character) in text.char_indices() {
        let code = || format!("{:04X}", u32::from(character));
        let message = match character {
            '\u{202D}' | '\u{202E}' => text!("hidden-character-direction", code = code()),
            // The flags of Scotland and Wales are spelled with tags.
            '\u{E0000}'..='\u{E007F}' if !flag => text!("hidden-character-tag", code = code()),
            '\0'..='\u{8}' | '\u{B}' | '\u{E}'..='\u{1F}' | '\u{7F}' => {
                text!("hidden-character-control", code = code())
            }
            _ => {
                flag = character == '\u{1F3F4}' || (flag && ('\u{E0000}'..='\u{E007F}').contains(&character));
                continue;
            }
        };
        findings.push(subject.finding(rules::HIDDEN_CHARACTER, at, at + character.len_utf8(), message));
    }
}
