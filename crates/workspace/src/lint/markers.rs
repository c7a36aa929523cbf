//! Findings about marks in a text: blanks of a form, template syntax, and look-alikes of section borders.

use model::{Finding, Severity};

use super::{Role, Subject};
use crate::rules;
use crate::skills::yaml;

/// The lines of a text with their offsets, without their line ends.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line.trim_end_matches(['\n', '\r']))
    })
}

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
    for (at, line) in lines(subject.text()) {
        let range = (at, at + line.len());
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
        let message = format!(
            "{} is not filled in: {} bracketed placeholders, {} empty boxes, {} empty bullets. The target injects \
             them as they stand. Fill them in or take them out.",
            subject.name,
            placeholders.len(),
            boxes.len(),
            bullets.len()
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

/// Where the value of a line is nothing but a text in round brackets: `- **Name:** (your name)`, or the whole line.
fn placeholder(line: &str) -> Option<usize> {
    let trimmed = line.trim_end();
    if !trimmed.ends_with(')') {
        return None;
    }
    let open = trimmed.rfind('(')?;
    if open + 2 >= trimmed.len() {
        return None; // () holds no hint
    }
    let before = trimmed[..open].trim_end();
    let alone = before.trim_start_matches(['-', '*', '+', ' ', '\t']).is_empty();
    let value = before.trim_end_matches('*').ends_with(':') || before.ends_with(":**") || before.ends_with("**:");
    (alone || value).then_some(open)
}

pub(super) fn template_syntax(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let text = subject.text();
    let found: Vec<_> = [("{{", "}}"), ("{%", "%}")].into_iter().flat_map(|pair| between(text, pair)).collect();
    if let Some(&(start, end)) = found.iter().min() {
        let message = format!(
            "Template syntax stands {} times in this file, first {}. Only the app's templates are rendered; here it \
             reaches the model as it is written.",
            found.len(),
            &text[start..end]
        );
        findings.push(subject.finding(rules::TEMPLATE_SYNTAX_LITERAL, start, end, message));
    }
}

/// Every `open … close` within one line.
fn between<'a>(text: &'a str, (open, close): (&'a str, &'a str)) -> impl Iterator<Item = (usize, usize)> + 'a {
    lines(text).flat_map(move |(at, line)| {
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
    let mut borders = Vec::new();
    for (at, line) in lines(&text[from..]).map(|(at, line)| (at + from, line)) {
        if line == "---" {
            borders.push(at);
        } else if is_section_heading(subject, line) {
            let message = format!(
                "The line {line} is the heading of a section of the prompt. The model cannot tell it from the real \
                 one. Word it differently."
            );
            findings.push(subject.finding(rules::SECTION_SPOOF, at, at + line.len(), message));
        }
    }
    if let Some(&at) = borders.first() {
        let message = format!(
            "{} lines of --- look like the border between two sections of the prompt. Use *** for a rule.",
            borders.len()
        );
        let finding = subject.finding(rules::SECTION_SPOOF, at, at + 3, message);
        // A rule is common in Markdown; only a heading after it makes another section of it.
        findings.push(Finding { severity: Severity::Info, ..finding });
    }
}

fn is_section_heading(subject: &Subject<'_>, line: &str) -> bool {
    const MEMORY: [&str; 3] = ["Long-Term Memory", "Long-Term Memory (You)", "Project Memory"];
    let Some(title) = line.strip_prefix("## ").map(str::trim_end) else { return false };
    MEMORY.contains(&title) || subject.target.bootstrap.iter().any(|file| file.name == title)
}
