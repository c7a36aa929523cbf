//! From a change of one field to edits of the text.
//!
//! Every answer is tried out: the text that it makes is read again, and when another field, or something that is
//! kept, would come out differently, the change is refused instead.

use std::ops::Range;

use model::{Text, text};

use super::bind::{Bound, BoundField, Place, bind, fold};
use super::front;
use super::insert::Spot;
use super::schema::{Control, Schema};
use super::values::{one_line, several_lines};
use super::view::{body_bytes, field_of, of};
use super::{Block, Field, Form, entry_dates, insert, items};
use crate::document::{Document, Edit, Kind, apply, is_blank, shrink};

/// A change of one field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// Another value.
    Text(String),
    /// Entry `at` ticked or not.
    Checked(usize, bool),
    /// A new entry before entry `at`.
    Add(usize, String),
    /// Another text for entry `at`.
    Set(usize, String),
    /// Entry `at` out.
    Remove(usize),
    /// Entry `from` to place `to`.
    Move(usize, usize),
}

/// Why a change was not made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EditError {
    /// No such field, or no such entry.
    Gone,
    /// An entry of several lines.
    Kept,
    /// The text would be read as something else.
    Structure,
}

impl EditError {
    /// What is the matter, and what to do.
    pub fn text(self) -> Text {
        match self {
            Self::Gone => text!("error-field-gone"),
            Self::Kept => text!("error-entry-of-lines"),
            Self::Structure => text!("error-structure"),
        }
    }
}

/// What `change` of field `field` does to `text`: edits in order, none when everything is as it was. `today` is
/// `YYYY-MM-DD`.
///
/// # Errors
/// See [`EditError`]; nothing is changed then.
pub fn edit(schema: &Schema, text: &str, field: &str, change: &Change, today: &str) -> Result<Vec<Edit>, EditError> {
    let bound = bind(schema, text);
    let found = bound
        .groups
        .iter()
        .enumerate()
        .find_map(|(group, bound)| bound.fields.iter().find(|bound| bound.id == field).map(|field| (group, field)));
    let (group, target) = found.ok_or(EditError::Gone)?;
    let before = field_of(&bound, target);
    let spots: &[Spot] = match target.place {
        Place::Absent => &[Spot::Best, Spot::SectionEnd, Spot::FileEnd],
        _ => &[Spot::Best],
    };
    let form = of(&bound);
    for &spot in spots {
        let mut edits = match change {
            Change::Text(value) => set_text(&bound, group, target, &before, value, spot),
            _ => set_items(&bound, group, target, change, today, spot),
        }?;
        for edit in &mut edits {
            // In a text of mixed line ends, CR before LF would be one line end instead of two.
            if edit.text.ends_with('\r') && text[edit.range.end..].starts_with('\n') {
                edit.text.pop();
                edit.text.push('\n');
            }
        }
        let edits = shrink(text, edits);
        if edits.is_empty() {
            return Ok(edits);
        }
        let after = apply(text, &edits);
        let again = bind(schema, &after);
        if keeps(&form, text, &of(&again), &after, field) && holds(&again, &before, change) {
            return Ok(edits);
        }
    }
    Err(EditError::Structure)
}

fn set_text(
    bound: &Bound<'_, '_>,
    group: usize,
    field: &BoundField<'_>,
    before: &Field<'_>,
    value: &str,
    spot: Spot,
) -> Result<Vec<Edit>, EditError> {
    let document = &bound.document;
    let value = wanted(before, value);
    if value == before.value || (before.unfilled && before.placeholder.as_deref() == Some(&*value)) {
        return Ok(Vec::new());
    }
    let edits = match &field.place {
        Place::Absent => match field.spec.map(|spec| spec.binds) {
            Some(super::Binds::FrontMatter) => front_line(bound, group, field, &value),
            Some(super::Binds::Body) => insert::absent(bound, group, field, &insert::body(&value), spot),
            Some(super::Binds::List) | None => None,
            Some(_) => insert::absent(bound, group, field, &value, spot),
        },
        Place::Key { key, .. } => {
            let blank =
                key.value.start == key.gap && !value.is_empty() && !(key.style.wide && key.style.emphasis.is_empty());
            let blank = if blank { " " } else { "" };
            Some(vec![Edit::new(key.value.clone(), format!("{blank}{value}"))])
        }
        Place::Body { heading, .. } => Some(vec![set_body(document, &field.place, *heading, &insert::body(&value))]),
        Place::Title { block } => title(document, *block, &value, field),
        Place::Front(found) => {
            let text = if value.is_empty() { String::new() } else { front::encode(&value) };
            let lead = document.text[..found.range.start].ends_with(':') && !text.is_empty();
            Some(vec![Edit::new(found.range.clone(), format!("{}{text}", if lead { " " } else { "" }))])
        }
        Place::Rest(start) => Some(vec![match body_bytes(document, &field.place) {
            Some(range) => replace_lines(document, range, &value),
            None => insert::block(document, document.lines.partition_point(|line| line.start < *start), &value),
        }]),
        Place::List { .. } | Place::NoList { .. } => None,
    };
    edits.ok_or(EditError::Gone)
}

/// A value as it will be read back.
fn wanted(field: &Field<'_>, value: &str) -> String {
    let mut value = if field.one_line { one_line(value) } else { several_lines(value) };
    if field.spec.is_some_and(|spec| spec.binds == super::Binds::Title) {
        // A heading's closing signs are not its text, however many groups of them there are.
        loop {
            let open = value.trim_end_matches('#');
            if open.len() == value.len() || !(open.is_empty() || open.ends_with([' ', '\t'])) {
                break;
            }
            value.truncate(open.trim_end().len());
        }
    }
    value
}

fn set_body(document: &Document<'_>, place: &Place, heading: usize, value: &str) -> Edit {
    let Some(range) = body_bytes(document, place) else {
        return insert::below_heading(document, heading, value);
    };
    let mut edit = replace_lines(document, range.clone(), value);
    // An underlined heading right below would become a part of the text, and a rule would make a heading of it.
    let next = document.line_at(range.end.max(range.start + 1) - 1) + 1;
    let tied = |block: &crate::document::Block| match block.kind {
        Kind::Heading { .. } => block.lines.len() > 1,
        _ => block.kind == Kind::Rule,
    };
    if document.blocks.iter().any(|block| block.lines.start == next && tied(block)) {
        edit.text.push_str(document.line_end_at(range.start));
    }
    edit
}

/// Puts `value` (line ends are `\n`) in the place of whole lines. Lines that stay keep their own line ends.
fn replace_lines(document: &Document<'_>, range: Range<usize>, value: &str) -> Edit {
    let first = document.line_at(range.start);
    let last = document.line_at(range.end.max(range.start + 1) - 1);
    let old: Vec<_> = (first..=last).map(|line| document.line(line)).collect();
    let new: Vec<_> = value.split('\n').collect();
    let same = |(a, b): &(&&str, &&str)| a == b;
    let front = old.iter().zip(&new).take_while(same).count();
    let back = old[front..].iter().rev().zip(new[front..].iter().rev()).take_while(same).count();
    let end = document.line_end_at(range.start);
    let own = |line: usize| {
        let line = document.lines[first + line];
        Some(&document.text[line.end..line.next]).filter(|end| !end.is_empty())
    };
    let mut text = String::with_capacity(value.len());
    for (at, line) in new.iter().enumerate() {
        text.push_str(line);
        if at + 1 < new.len() {
            let kept = if at + back >= new.len() {
                own(at + old.len() - new.len())
            } else {
                (at + back < old.len()).then(|| own(at)).flatten()
            };
            let end = kept.unwrap_or(end);
            // An empty line between CR and LF would be no line.
            text.push_str(if end == "\n" && text.ends_with('\r') { "\r\n" } else { end });
        }
    }
    Edit::new(range, text)
}

fn title(document: &Document<'_>, block: usize, value: &str, field: &BoundField<'_>) -> Option<Vec<Edit>> {
    let Kind::Heading { title, .. } = &document.blocks[block].kind else { return None };
    // A heading without a text would be no heading: the form's own word for it stands there then.
    let value = if value.is_empty() { field.spec?.names.first()? } else { value };
    let blank = title.is_empty() && document.text[..title.start].ends_with('#');
    Some(vec![Edit::new(title.clone(), format!("{}{value}", if blank { " " } else { "" }))])
}

fn front_line(bound: &Bound<'_, '_>, group: usize, field: &BoundField<'_>, value: &str) -> Option<Vec<Edit>> {
    let document = &bound.document;
    let name = field.spec?.names.first()?;
    let line = format!("{name}: {}", front::encode(value));
    let start = document.start_of(0);
    let (Some(inner), _) = front::end(document) else {
        let end = document.line_end_at(start);
        let after = if document.lines.is_empty() || document.is_blank(0) { "" } else { end };
        return Some(vec![Edit::insert(start, format!("---{end}{line}{end}---{end}{after}"))]);
    };
    let fields = &bound.groups[group].fields;
    let at = fields.iter().position(|other| other.id == field.id)?;
    let before = fields[..at].iter().rev().find_map(|other| match &other.place {
        Place::Front(found) => Some(document.start_of(document.line_at(found.range.end) + 1)),
        _ => None,
    });
    let at = before.unwrap_or(inner.start);
    // A line that is written further in would go on with the new value.
    let at = if document.text[at..inner.end].starts_with([' ', '\t']) { inner.end } else { at };
    Some(vec![Edit::insert(at, format!("{line}{}", document.line_end_at(inner.start.saturating_sub(1))))])
}

fn set_items(
    bound: &Bound<'_, '_>,
    group: usize,
    field: &BoundField<'_>,
    change: &Change,
    today: &str,
    spot: Spot,
) -> Result<Vec<Edit>, EditError> {
    let document = &bound.document;
    let control = field.control;
    let block = match &field.place {
        Place::List { block, .. } => *block,
        place => {
            let Change::Add(_, text) = change else { return Err(EditError::Gone) };
            let line = insert::first_item(control, text, today);
            let edits = match place {
                Place::NoList { heading, .. } => Some(vec![set_body(document, place, *heading, &line)]),
                Place::Absent if control.has_items() => insert::absent(bound, group, field, &line, spot),
                _ => None,
            };
            return edits.ok_or(EditError::Gone);
        }
    };
    let length = items::items_of(document, block).len();
    let edits = match change {
        Change::Checked(at, on) => items::tick(document, block, *at, *on),
        Change::Add(at, text) => items::add(document, block, *at, text, control, today),
        Change::Set(at, text) if *at < length => {
            return items::set(document, block, *at, text, control).ok_or(EditError::Kept);
        }
        Change::Remove(at) => items::remove(document, block, *at),
        Change::Move(from, to) => items::relocate(document, block, *from, *to),
        Change::Set(..) | Change::Text(_) => None,
    };
    edits.ok_or(EditError::Gone)
}

/// True when everything but field `but` reads the same in both. A name and a value that was kept may become a field
/// of its own, beside a new one.
fn keeps(old: &Form<'_>, old_text: &str, new: &Form<'_>, new_text: &str, but: &str) -> bool {
    // Of a text that is typed into a list, what is no entry is kept from then on.
    let is_list = |form: &Form<'_>| fields(form).any(|field| field.id == but && field.control.has_items());
    let becomes_list = !is_list(old) && is_list(new);
    let now: Vec<_> = others(new, but).collect();
    let mut kept = kept_lines(old, old_text);
    others(old, but).all(|reading| now.contains(&reading))
        && (becomes_list || kept_lines(new, new_text).all(|line| kept.any(|kept| kept == line)))
}

type Reading<'f> = (&'f str, &'f str, Vec<(&'f str, Option<bool>, Option<&'f str>)>);

fn others<'f>(form: &'f Form<'_>, but: &'f str) -> impl Iterator<Item = Reading<'f>> {
    fields(form).filter(move |field| field.id != but).map(|field| {
        let items = field.items.iter().map(|item| (&*item.text, item.checked, item.date.as_deref()));
        // A name that only the file knows may come to stand in another group.
        let name = field.label.as_deref().filter(|_| field.spec.is_none()).unwrap_or(&field.id);
        (name, &*field.value, items.collect())
    })
}

fn fields<'f, 's>(form: &'f Form<'s>) -> impl Iterator<Item = &'f Field<'s>> {
    form.blocks.iter().flat_map(|block| match block {
        Block::Group(group) => group.fields.as_slice(),
        Block::Kept(_) => &[],
    })
}

fn kept_lines<'f>(form: &'f Form<'_>, text: &'f str) -> impl Iterator<Item = &'f str> {
    let kept = form.blocks.iter().filter_map(|block| match block {
        Block::Kept(kept) => Some(&text[kept.range.clone()]),
        Block::Group(_) => None,
    });
    kept.flat_map(|text| text.split(['\n', '\r'])).filter(|line| !is_blank(line))
}

/// The text of an entry of `field` that is written as `typed`, as it will be read. `date` is the one it has.
fn entry(field: &Field<'_>, date: Option<&str>, typed: &str) -> String {
    let typed = one_line(typed);
    if field.control == Control::Dated { entry_dates::read_back(date, &typed).to_owned() } else { typed }
}

/// True when the field reads as `change` wants it.
fn holds(bound: &Bound<'_, '_>, before: &Field<'_>, change: &Change) -> bool {
    let field = bound.groups.iter().flat_map(|group| &group.fields).find(|field| field.id == before.id);
    let Some(after) = field.map(|field| field_of(bound, field)) else {
        // Boxes and names that only the file knows may go with their last entry.
        return before.spec.is_none() && matches!(change, Change::Remove(_));
    };
    let texts = |field: &Field<'_>| field.items.iter().map(|item| item.text.clone()).collect::<Vec<_>>();
    let mut expected = texts(before);
    match change {
        Change::Text(value) => {
            // A list that was written as a text is a list once it is typed as one.
            if after.control.has_items() && !before.control.has_items() {
                return true;
            }
            let value = wanted(before, value);
            let blank =
                value.is_empty() || after.placeholder.as_deref().is_some_and(|shown| fold(shown) == fold(&value));
            return after.value == value || (after.value.is_empty() && blank);
        }
        Change::Checked(at, on) => return after.items.get(*at).is_some_and(|item| item.checked == Some(*on)),
        Change::Add(at, text) => expected.insert((*at).min(expected.len()), entry(before, None, text)),
        Change::Set(at, text) => expected[*at] = entry(before, before.items[*at].date.as_deref(), text),
        Change::Remove(at) => drop(expected.remove(*at)),
        Change::Move(from, to) => {
            let item = expected.remove(*from);
            expected.insert((*to).min(expected.len()), item);
        }
    }
    texts(&after) == expected
}
