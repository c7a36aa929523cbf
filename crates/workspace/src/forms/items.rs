//! Entries of a list: how they are read, and how they are added, changed, taken out and moved.
//!
//! The numbers of a numbered list belong to the places, not to the entries: what moves takes the number of its new
//! place, as it was written there. Where a list does not count up by one, no other number changes for an entry that
//! comes or goes.

use std::ops::Range;

use super::FormItem;
use super::entry_dates::{self, Dated};
use super::schema::Control;
use super::values::{has_box, item_shown, item_written, one_line};
use crate::document::{Document, Edit, Item, Kind, is_blank};

/// The entry as a form shows it.
pub(super) fn shown(document: &Document<'_>, item: &Item, control: Control) -> FormItem {
    let check = item.check.as_ref().filter(|_| control == Control::Checks);
    let range = text_range(document, item, control);
    let first = if control == Control::Checks || !has_box(document.slice(&range)) {
        item_shown(document.slice(&range))
    } else {
        document.slice(&range).trim().to_owned()
    };
    let mut text = first;
    for line in item.lines.start + 1..item.lines.end {
        text.push('\n');
        text.push_str(document.line(line));
    }
    let date = dated(document, item, control).map(|(date, _)| document.slice(&date).to_owned());
    let checked = check.map(|check| check.on);
    let bytes = document.bytes(&item.lines);
    FormItem { text, checked, date, range: bytes, line: item.lines.start, kept: !item.single }
}

/// Where the text of an entry stands: after its mark, its box and its date, without blanks around it.
fn text_range(document: &Document<'_>, item: &Item, control: Control) -> Range<usize> {
    let range = match (control, &item.check) {
        (Control::Checks, Some(check)) => check.text.clone(),
        _ => dated(document, item, control).map_or_else(|| item.text.clone(), |(_, text)| text),
    };
    let text = document.slice(&range);
    if is_blank(text) {
        return range.start..range.start;
    }
    let start = range.start + text.len() - text.trim_start().len();
    start..start + text.trim().len()
}

/// For an entry that begins with its date: the date, and the rest.
fn dated(document: &Document<'_>, item: &Item, control: Control) -> Option<(Range<usize>, Range<usize>)> {
    if control != Control::Dated {
        return None;
    }
    let start = item.text.start;
    let Dated { date, rest } = entry_dates::split(document.slice(&item.text))?;
    Some((start + date.start..start + date.end, start + rest..item.text.end))
}

pub(super) fn items_of<'d>(document: &'d Document<'_>, block: usize) -> &'d [Item] {
    match &document.blocks[block].kind {
        Kind::List(items) => items,
        _ => &[],
    }
}

/// A line end when the line after `line` would otherwise be read as going on with it.
pub(super) fn guard(document: &Document<'_>, block: usize, line: usize) -> &'static str {
    let next = document.blocks.get(block + 1);
    let adjacent = next.is_some_and(|next| next.lines.start == line + 1);
    let flows = next.is_some_and(|next| match next.kind {
        Kind::Heading { .. } => next.lines.len() > 1,
        Kind::Text | Kind::Key(_) | Kind::Table => true,
        _ => false,
    });
    if adjacent && flows { "\n" } else { "" }
}

/// Another text for entry `at`.
pub(super) fn set(document: &Document<'_>, block: usize, at: usize, text: &str, control: Control) -> Option<Vec<Edit>> {
    let item = items_of(document, block).get(at)?;
    let old = shown(document, item, control);
    let new = one_line(text);
    if !item.single {
        return (old.text == text).then(Vec::new);
    }
    let new = if control == Control::Dated { entry_dates::meant(old.date.as_deref(), &new).to_owned() } else { new };
    if old.text == new {
        return Some(Vec::new());
    }
    let range = text_range(document, item, control);
    let boxed = control != Control::Checks && has_box(document.slice(&range)) && has_box(&new);
    let new = if boxed { new } else { item_written(&new) };
    let before = document.text[..range.start].chars().next_back();
    let blank = if range.is_empty() && !new.is_empty() && !matches!(before, Some(' ' | '\t')) { " " } else { "" };
    let last = at + 1 == items_of(document, block).len();
    let after = if last && range.is_empty() && !guard(document, block, item.lines.end - 1).is_empty() {
        document.line_end_at(range.start)
    } else {
        ""
    };
    if control == Control::Dated {
        let head = format!("{}{blank}", &document.text[item.text.start..range.start]);
        return Some(vec![Edit::new(item.text.start..range.end, format!("{}{after}", entry_dates::join(&head, &new)))]);
    }
    Some(vec![Edit::new(range, format!("{blank}{new}{after}"))])
}

/// A tick.
pub(super) fn tick(document: &Document<'_>, block: usize, at: usize, on: bool) -> Option<Vec<Edit>> {
    let check = items_of(document, block).get(at)?.check.as_ref()?;
    let mark = if on { "x" } else { " " };
    Some(if check.on == on { Vec::new() } else { vec![Edit::new(check.mark.clone(), mark)] })
}

/// What stands between two entries around place `at`: a line end, or a blank line.
fn separator(document: &Document<'_>, items: &[Item], at: usize) -> String {
    let end = document.line_end_at(document.start_of(items[at.min(items.len() - 1)].lines.start));
    let before = at.clamp(1, items.len().max(2) - 1) - 1;
    let loose = items.get(before + 1).is_some_and(|next| items[before].lines.end < next.lines.start);
    if loose { format!("{end}{end}") } else { end.to_owned() }
}

/// A new entry before entry `at`.
pub(super) fn add(
    document: &Document<'_>,
    block: usize,
    at: usize,
    text: &str,
    control: Control,
    today: &str,
) -> Option<Vec<Edit>> {
    let items = items_of(document, block);
    let at = at.min(items.len());
    let model = items.get(at.saturating_sub(1)).or(items.first())?;
    let separator = separator(document, items, at);
    let lead = &document.text[document.start_of(model.lines.start)..model.mark.end];
    let counted = counted(items);
    let lead = match (model.number, at) {
        (Some(_), 0) => document.text[document.start_of(items[0].lines.start)..items[0].mark.end].to_owned(),
        (Some(number), _) if counted == Counted::Up => {
            let number = number.saturating_add(1).to_string();
            let digits = model.mark.start - document.start_of(model.lines.start);
            format!("{}{number}{}", &lead[..digits], &lead[lead.len() - 1..])
        }
        _ => lead.to_owned(),
    };
    let text = item_written(text);
    let line = match control {
        Control::Checks => format!("{lead} [ ] {text}"),
        Control::Dated => {
            let mut near = items[..at].iter().rev().chain(&items[at..]).map(|item| document.slice(&item.text));
            format!("{lead} {}", dated_text(near.find(|text| entry_dates::split(text).is_some()), &text, today))
        }
        _ => format!("{lead} {text}"),
    };
    if at == items.len() {
        let last = items.last()?;
        let end = document.lines[last.lines.end - 1].end;
        let guard = if guard(document, block, last.lines.end - 1).is_empty() { "" } else { document.line_end_at(end) };
        return Some(vec![Edit::insert(end, format!("{separator}{line}{guard}"))]);
    }
    let mut edits = vec![Edit::insert(document.start_of(items[at].lines.start), format!("{line}{separator}"))];
    if counted == Counted::Up {
        edits.extend(renumbered(document, items, at..items.len(), |place| place + 1));
    }
    Some(edits)
}

/// A new entry's text with today's date before it, written as `near`, another entry, has its own. A text that begins
/// with a date has one.
pub(super) fn dated_text(near: Option<&str>, text: &str, today: &str) -> String {
    if today.is_empty() || entry_dates::split(text).is_some() {
        return text.to_owned();
    }
    entry_dates::join(&entry_dates::head_like(near, today), text)
}

/// How a numbered list counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Counted {
    /// By one, from any number.
    Up,
    /// Every number is the same.
    Same,
    /// Some other way, or the list has no numbers.
    Not,
}

fn counted(items: &[Item]) -> Counted {
    let Some(first) = items[0].number else { return Counted::Not };
    let all = |number: &dyn Fn(u64) -> u64| items.iter().zip(0..).all(|(item, at)| item.number == Some(number(at)));
    if items.len() > 1 && all(&|_| first) {
        Counted::Same
    } else if all(&|at| first.saturating_add(at)) {
        Counted::Up
    } else {
        Counted::Not
    }
}

/// The digits of entries `range`, each replaced by those of the place `to` names.
fn renumbered<'d>(
    document: &'d Document<'_>,
    items: &'d [Item],
    range: Range<usize>,
    to: impl Fn(usize) -> usize + 'd,
) -> impl Iterator<Item = Edit> + 'd {
    range.map(move |at| {
        let mark = items[at].mark.start..items[at].mark.end - 1;
        let digits = digits(document, items, to(at));
        Edit::new(mark, digits)
    })
}

/// The digits of a place; one more than the last one's behind the end.
fn digits(document: &Document<'_>, items: &[Item], place: usize) -> String {
    match items.get(place) {
        Some(item) => document.text[item.mark.start..item.mark.end - 1].to_owned(),
        None => items.last().and_then(|item| item.number).map_or(0, |number| number.saturating_add(1)).to_string(),
    }
}

/// Takes entry `at` out.
pub(super) fn remove(document: &Document<'_>, block: usize, at: usize) -> Option<Vec<Edit>> {
    let items = items_of(document, block);
    let item = items.get(at)?;
    let (start, end) = (document.start_of(item.lines.start), document.lines[item.lines.end - 1].end);
    let next_line = document.lines[item.lines.end - 1].next;
    let mut edits = Vec::new();
    if let Some(next) = items.get(at + 1) {
        edits.push(Edit::new(start..document.start_of(next.lines.start), ""));
        if counted(items) == Counted::Up {
            edits.extend(renumbered(document, items, at + 1..items.len(), |place| place - 1));
        }
    } else if let Some(before) = at.checked_sub(1).map(|at| &items[at]) {
        // What follows must not go on with the entry before.
        let guard = if guard(document, block, item.lines.end - 1).is_empty() { "" } else { document.line_end_at(end) };
        edits.push(Edit::new(document.lines[before.lines.end - 1].end..end, guard));
    } else {
        let above = item.lines.start.checked_sub(1).is_some_and(|line| !document.is_blank(line));
        let below = !document.is_blank(item.lines.end);
        if above && below {
            edits.push(Edit::new(start..end, ""));
        } else if next_line > end || item.lines.start == 0 {
            edits.push(Edit::new(start..next_line, ""));
        } else {
            edits.push(Edit::new(document.lines[item.lines.start - 1].end..end, ""));
        }
    }
    Some(edits)
}

/// Moves entry `from`, so that it is entry `to`.
pub(super) fn relocate(document: &Document<'_>, block: usize, from: usize, to: usize) -> Option<Vec<Edit>> {
    let items = items_of(document, block);
    let to = to.min(items.len() - 1);
    let moved = items.get(from)?;
    if from == to {
        return Some(Vec::new());
    }
    let start = |at: usize| document.start_of(items[at].lines.start);
    let end = |at: usize| document.lines[items[at].lines.end - 1].end;
    let counted = moved.number.is_some();
    let mut text = document.text[start(from)..end(from)].to_owned();
    if counted {
        let mark = moved.mark.start - start(from)..moved.mark.end - 1 - start(from);
        text.replace_range(mark, &digits(document, items, to));
    }
    let mut edits = Vec::new();
    // Downwards an entry takes along what stands between it and the next one; upwards, what stands before it.
    if from < to {
        edits.push(Edit::new(start(from)..start(from + 1), ""));
        if counted {
            edits.extend(renumbered(document, items, from + 1..to + 1, |place| place - 1));
        }
        edits.push(Edit::insert(end(to), format!("{}{text}", &document.text[end(from)..start(from + 1)])));
    } else {
        edits.push(Edit::insert(start(to), format!("{text}{}", &document.text[end(from - 1)..start(from)])));
        if counted {
            edits.extend(renumbered(document, items, to..from, |place| place + 1));
        }
        edits.push(Edit::new(end(from - 1)..end(from), ""));
    }
    Some(edits)
}
