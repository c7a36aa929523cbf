//! From the places of a form's fields to what is shown.

use std::ops::Range;

use super::bind::{Bound, BoundField, BoundGroup, Place, bind, fold};
use super::check::check;
use super::schema::{Binds, Control, Schema};
use super::values::{is_placeholder, one_line, shown};
use super::{Block, Field, Form, Group, Kept, insert, items};
use crate::document::{Document, Kind, is_blank};

/// Reads a text as a form. Never fails: what does not fit is kept.
pub fn read<'s>(schema: &'s Schema, text: &str) -> Form<'s> {
    of(&bind(schema, text))
}

pub(super) fn of<'s>(bound: &Bound<'_, 's>) -> Form<'s> {
    let mut placed = Vec::new();
    for (at, group) in bound.groups.iter().enumerate() {
        let fields: Vec<_> = group.fields.iter().map(|field| field_of(bound, field)).collect();
        let lines = lines_of(bound, at);
        let order = lines.as_ref().map_or_else(|| (insert::anchor(bound, at), 0, at), |lines| (lines.start, 1, at));
        let BoundGroup { id, spec, own_title, .. } = group.clone();
        placed.push((order, Block::Group(Group { id, spec, title: own_title, lines, fields })));
    }
    placed.extend(kept(bound).into_iter().map(|kept| ((kept.lines.start, 2, 0), Block::Kept(kept))));
    placed.sort_by_key(|(order, _)| *order);
    Form { blocks: placed.into_iter().map(|(_, block)| block).collect() }
}

/// The lines that a group shows; `None` when it is not there.
pub(super) fn lines_of(bound: &Bound<'_, '_>, at: usize) -> Option<Range<usize>> {
    let group = &bound.groups[at];
    let document = &bound.document;
    let mut all = Vec::new();
    let block = |block: usize| document.blocks[block].lines.clone();
    let below = |spec: &super::GroupSpec| spec.under_title || spec.field.iter().any(|field| field.top);
    let title = bound.title.filter(|_| at == 0 && group.spec.is_some_and(below));
    all.extend(group.heading.into_iter().chain(title).map(block));
    for field in &group.fields {
        match &field.place {
            Place::Absent => {}
            Place::List { heading, block: at } => all.extend(heading.iter().chain([at]).map(|at| block(*at))),
            Place::Body { heading, blocks } | Place::NoList { heading, blocks } => {
                all.extend(std::iter::once(*heading).chain(blocks.clone()).map(block));
            }
            Place::Title { block: at } | Place::Key { block: at, item: None, .. } => all.push(block(*at)),
            Place::Key { block: at, item: Some(item), .. } => {
                if let Some(item) = items::items_of(document, *at).get(*item) {
                    all.push(item.lines.clone());
                }
            }
            Place::Front(found) => {
                let last = document.line_at(found.range.end);
                all.push(found.line..last.max(found.line) + 1);
            }
            Place::Rest(_) => {
                if let Some(body) = body_bytes(document, &field.place) {
                    all.push(document.line_at(body.start)..document.line_at(body.end) + 1);
                }
            }
        }
    }
    let first = all.iter().map(|lines| lines.start).min()?;
    all.iter().map(|lines| lines.end).max().map(|end| first..end)
}

/// The bytes of a text of several lines, without blank lines at its ends; `None` when there is none.
pub(super) fn body_bytes(document: &Document<'_>, place: &Place) -> Option<Range<usize>> {
    match place {
        Place::Body { blocks, .. } | Place::NoList { blocks, .. } => {
            let blocks = &document.blocks[blocks.clone()];
            let (first, last) = (blocks.first()?, blocks.last()?);
            let mut end = last.lines.end;
            // Code that nothing closes goes on over the blank lines at the end.
            while end > last.lines.start + 1 && document.is_blank(end - 1) {
                end -= 1;
            }
            Some(document.bytes(&(first.lines.start..end)))
        }
        Place::Rest(start) => {
            let first = document.lines.partition_point(|line| line.start < *start);
            let first = (first..document.lines.len()).find(|&line| !document.is_blank(line))?;
            let last = (first..document.lines.len()).rev().find(|&line| !document.is_blank(line))?;
            Some(document.bytes(&(first..last + 1)))
        }
        _ => None,
    }
}

/// A field as it is shown.
pub(super) fn field_of<'s>(bound: &Bound<'_, 's>, field: &BoundField<'s>) -> Field<'s> {
    let document = &bound.document;
    let mut view = Field {
        id: field.id.clone(),
        spec: field.spec,
        label: field.own_label.clone(),
        control: field.control,
        one_line: is_one_line(field),
        value: String::new(),
        placeholder: None,
        unfilled: false,
        items: Vec::new(),
        problem: None,
        range: None,
        line: None,
    };
    match &field.place {
        Place::Absent => {}
        Place::Key { key, .. } => {
            view.value = one_line(document.slice(&key.value));
            view.range = Some(key.value.clone());
        }
        Place::Body { heading, .. } => {
            let bytes = body_bytes(document, &field.place);
            view.value = bytes.as_ref().map_or(String::new(), |bytes| shown(document.slice(bytes)));
            if field.control != Control::LongText {
                view.value = one_line(&view.value);
            }
            view.range = bytes.or_else(|| Some(after(document, *heading)));
        }
        Place::NoList { heading, .. } => {
            let bytes = body_bytes(document, &field.place);
            bytes.as_ref().map_or("", |bytes| document.slice(bytes)).clone_into(&mut view.value);
            view.range = bytes.or_else(|| Some(after(document, *heading)));
        }
        Place::List { block, .. } => {
            let entries = items::items_of(document, *block);
            view.items = entries.iter().map(|item| items::shown(document, item, field.control)).collect();
            view.unfilled = if field.control == Control::Checks {
                view.items.iter().all(|item| item.checked != Some(true))
            } else {
                view.items.iter().all(|item| item.text.is_empty() || is_placeholder(&item.text))
            };
            view.range = Some(document.bytes(&document.blocks[*block].lines));
        }
        Place::Title { block } => {
            if let Kind::Heading { title, .. } = &document.blocks[*block].kind {
                view.value = one_line(document.slice(title));
                view.range = Some(title.clone());
                let letters = fold(&view.value);
                // `# SOUL.md - Who you are` names the file.
                let file = bound.schema.files.iter().any(|file| letters.starts_with(&fold(file)));
                if file || field.spec.is_some_and(|spec| spec.names.iter().any(|name| fold(name) == letters)) {
                    view.placeholder = Some(std::mem::take(&mut view.value));
                }
            }
        }
        Place::Front(found) => {
            view.value.clone_from(&found.value);
            view.range = Some(found.range.clone());
        }
        Place::Rest(start) => {
            let bytes = body_bytes(document, &field.place);
            view.value = bytes
                .as_ref()
                .map_or(String::new(), |bytes| document.slice(bytes).replace("\r\n", "\n").replace('\r', "\n"));
            view.range = bytes.or(Some(*start..*start));
        }
    }
    if !matches!(field.place, Place::Rest(_)) && is_placeholder(&view.value) {
        view.placeholder = Some(std::mem::take(&mut view.value).trim().to_owned());
        view.unfilled = true;
    }
    view.line = view.range.as_ref().map(|range| document.line_at(range.start));
    view.problem = field.spec.and_then(|spec| spec.check).and_then(|what| check(what, &view.value));
    view
}

fn is_one_line(field: &BoundField<'_>) -> bool {
    match &field.place {
        Place::Key { .. } | Place::Title { .. } | Place::Front(_) | Place::List { .. } | Place::NoList { .. } => true,
        Place::Body { .. } | Place::Rest(_) => field.control != Control::LongText,
        Place::Absent => {
            field.spec.is_some_and(|spec| matches!(spec.binds, Binds::Key | Binds::Title | Binds::FrontMatter))
        }
    }
}

/// The place right after a heading.
fn after(document: &Document<'_>, heading: usize) -> Range<usize> {
    let end = document.bytes(&document.blocks[heading].lines).end;
    end..end
}

/// The parts that nothing shows. A heading takes along what stands below it, as far as nothing else shows it.
fn kept(bound: &Bound<'_, '_>) -> Vec<Kept> {
    let document = &bound.document;
    let mut runs: Vec<(Range<usize>, Option<u8>, Vec<usize>)> = Vec::new();
    let mut open = false;
    for (at, block) in document.blocks.iter().enumerate() {
        for line in block.lines.clone() {
            if bound.used[line] {
                open = false;
                continue;
            }
            if document.is_blank(line) && line != block.lines.start {
                continue;
            }
            let level = match block.kind {
                Kind::Heading { level, .. } if line == block.lines.start => Some(level),
                _ => None,
            };
            let joins = open
                && runs
                    .last()
                    .is_some_and(|(_, over, _)| level.is_none_or(|level| over.is_some_and(|over| over < level)));
            match runs.last_mut() {
                Some((lines, _, blocks)) if joins => {
                    lines.end = line + 1;
                    if blocks.last() != Some(&at) {
                        blocks.push(at);
                    }
                }
                _ => runs.push((line..line + 1, level, vec![at])),
            }
            open = true;
        }
    }
    let what = |blocks: &[usize]| {
        let mut kinds = blocks.iter().map(|&block| what(&document.blocks[block].kind));
        let first = kinds.next().unwrap_or("text");
        if first == "section" || kinds.all(|kind| kind == first) { first } else { "text" }
    };
    runs.into_iter()
        .map(|(lines, _, blocks)| {
            let title = match &document.blocks[blocks[0]].kind {
                Kind::Heading { title, .. } => one_line(document.slice(title)),
                _ => lines
                    .clone()
                    .map(|line| document.line(line).trim())
                    .find(|line| !is_blank(line))
                    .unwrap_or("")
                    .to_owned(),
            };
            let title = title.chars().take(80).collect();
            Kept { title, what: what(&blocks), range: document.bytes(&lines), lines }
        })
        .collect()
}

fn what(kind: &Kind) -> &'static str {
    match kind {
        Kind::Heading { .. } => "section",
        Kind::List(_) => "list",
        Kind::Code { .. } => "code",
        Kind::Comment { .. } => "comment",
        Kind::Table => "table",
        Kind::FrontMatter { .. } => "front_matter",
        Kind::Text | Kind::Key(_) | Kind::Rule => "text",
    }
}
