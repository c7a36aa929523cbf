//! Where and how what is not there yet is written.

use super::bind::{Bound, BoundField, Place, fold};
use super::items::dated_text;
use super::schema::{Binds, Control, FieldSpec};
use super::values::{item_written, written};
use super::view::lines_of;
use crate::document::{Document, Edit, KeyLine, KeyStyle, Kind, is_blank};

/// The line before which group `at` would be written: behind the nearest group before it that is there.
pub(super) fn anchor(bound: &Bound<'_, '_>, at: usize) -> usize {
    let line = free_anchor(bound, at);
    // Above the file's own heading, another one would become it.
    let above = bound.title.is_some_and(|title| line <= bound.document.blocks[title].lines.start);
    let line = if above { below_title(bound).unwrap_or(line) } else { line };
    behind_nothing_open(bound, line)
}

/// Line `line`, or before it, where what nothing closes does not swallow what is written.
fn behind_nothing_open(bound: &Bound<'_, '_>, line: usize) -> usize {
    let open = bound
        .document
        .blocks
        .last()
        .filter(|block| matches!(block.kind, Kind::Code { closed: false } | Kind::Comment { closed: false }));
    open.map_or(line, |open| line.min(open.lines.start))
}

fn free_anchor(bound: &Bound<'_, '_>, at: usize) -> usize {
    let document = &bound.document;
    let spec = bound.groups[at].spec;
    let top = spec.is_some_and(|spec| spec.under_title || spec.field.iter().any(|field| field.top));
    if top && let Some(line) = below_title(bound) {
        return line;
    }
    let end_of = |group: usize| lines_of(bound, group).map(|lines| section_end(bound, lines.end - 1));
    if let Some(line) = (0..at).rev().find_map(end_of) {
        return line;
    }
    if top {
        return match document.blocks.first() {
            Some(block) if matches!(block.kind, Kind::FrontMatter { .. }) => block.lines.end,
            _ => 0,
        };
    }
    document.lines.len()
}

/// Behind the file's own heading and the sentences below it.
fn below_title(bound: &Bound<'_, '_>) -> Option<usize> {
    let document = &bound.document;
    let title = bound.title?;
    let text = document.blocks[title + 1..].iter().take_while(|block| matches!(block.kind, Kind::Text));
    Some(text.last().unwrap_or(&document.blocks[title]).lines.end)
}

/// Where the section that line `line` lies in ends: before the next heading of the sections' level or above.
fn section_end(bound: &Bound<'_, '_>, line: usize) -> usize {
    let level = section_level(bound);
    let ends = |block: &&crate::document::Block| {
        block.lines.start > line && matches!(block.kind, Kind::Heading { level: other, .. } if other <= level)
    };
    bound.document.blocks.iter().find(ends).map_or(bound.document.lines.len(), |block| block.lines.start)
}

/// The level of the headings over fields: of the first there is, else 2.
fn section_level(bound: &Bound<'_, '_>) -> u8 {
    let level = |block: usize| match bound.document.blocks[block].kind {
        Kind::Heading { level, .. } if Some(block) != bound.title => Some(level),
        _ => None,
    };
    let mut places = bound.groups.iter().flat_map(|group| {
        let fields = group.fields.iter().filter_map(|field| match &field.place {
            Place::Body { heading, .. } | Place::NoList { heading, .. } => Some(*heading),
            Place::List { heading, .. } => *heading,
            _ => None,
        });
        group.heading.into_iter().chain(fields)
    });
    places.find_map(level).unwrap_or(2)
}

/// Writes `chunk` (line ends are `\n`) as lines of their own before line `line`, with a blank line on either side.
pub(super) fn block(document: &Document<'_>, line: usize, chunk: &str) -> Edit {
    let at = document.start_of(line);
    let end = document.line_end_at(at.saturating_sub(1));
    let chunk = chunk.replace('\n', end);
    let above = line.checked_sub(1).is_some_and(|above| !document.is_blank(above));
    if line < document.lines.len() {
        let below = !document.is_blank(line);
        let (before, after) = (if above { end } else { "" }, if below { end } else { "" });
        return Edit::insert(at, format!("{before}{chunk}{end}{after}"));
    }
    let unended = document.lines.last().is_some_and(|last| last.end == last.next);
    Edit::insert(
        at,
        match (unended, above) {
            (true, true) => format!("{end}{end}{chunk}"),
            (true, false) => format!("{end}{chunk}"),
            (false, true) => format!("{end}{chunk}{end}"),
            (false, false) => format!("{chunk}{end}"),
        },
    )
}

/// Writes `value` below a heading that has nothing below it.
pub(super) fn below_heading(document: &Document<'_>, heading: usize, value: &str) -> Edit {
    let first = document.blocks[heading].lines.end;
    let blank = (first..document.lines.len()).take_while(|&line| document.is_blank(line)).count();
    if blank < 2 {
        return block(document, first + blank, value);
    }
    let line = document.lines[first + 1];
    let end = document.line_end_at(line.start);
    let close = blank == 2 && first + blank < document.lines.len();
    let after = if close { end } else { "" };
    Edit::new(line.start..line.end, format!("{}{after}", value.replace('\n', end)))
}

/// Where something new is tried to be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Spot {
    /// Beside what it belongs to, in the order of the form.
    Best,
    /// At the end of its section.
    SectionEnd,
    /// At the end of the file.
    FileEnd,
}

/// The text of a field that is not there, as it will be: a name and a value, or a heading and what is below it.
/// `entry` is the first entry of a list.
pub(super) fn absent(
    bound: &Bound<'_, '_>,
    group: usize,
    field: &BoundField<'_>,
    value: &str,
    spot: Spot,
) -> Option<Vec<Edit>> {
    let spec = field.spec?;
    let document = &bound.document;
    let group_spec = bound.groups[group].spec?;
    if spec.binds == Binds::Key
        && spot == Spot::Best
        && let Some(edit) = beside(bound, group, spec, value)
    {
        return Some(vec![edit]);
    }
    let mut chunk = match spec.binds {
        Binds::Key => format!("- {}{value}", KeyStyle::OWN.write(&spec.names[0])),
        Binds::Title => format!("# {value}"),
        _ if spec.top && (bound.title.is_some() || document.blocks.is_empty()) => value.to_owned(),
        _ => format!("{} {}\n\n{value}", "#".repeat(usize::from(section_level(bound))), spec.names[0]),
    };
    if spec.binds == Binds::Title {
        let line = document.blocks.first().filter(|block| matches!(block.kind, Kind::FrontMatter { .. }));
        return Some(vec![block(document, line.map_or(0, |block| block.lines.end), &chunk)]);
    }
    if spec.binds == Binds::Key {
        if let Some(heading) = bound.groups[group].heading.filter(|_| spot != Spot::FileEnd) {
            let end = document.section(heading).end;
            let line = match spot {
                Spot::Best => document.blocks[heading].lines.end,
                _ => document.blocks.get(end).map_or(document.lines.len(), |next| next.lines.start),
            };
            return Some(vec![block(document, line, &chunk)]);
        }
        if (!group_spec.under_title || spot == Spot::FileEnd)
            && let Some(heading) = group_spec.headings.first()
        {
            chunk = format!("{} {heading}\n\n{chunk}", "#".repeat(usize::from(section_level(bound))));
        }
    }
    if document.blocks.is_empty()
        && let Some(heading) = &bound.schema.heading
    {
        chunk = format!("# {heading}\n\n{chunk}");
    }
    let line = match spot {
        Spot::Best => anchor(bound, group),
        _ => behind_nothing_open(bound, document.lines.len()),
    };
    Some(vec![block(document, line, &chunk)])
}

/// A name and a value beside those of its group, in their style.
fn beside(bound: &Bound<'_, '_>, group: usize, spec: &FieldSpec, value: &str) -> Option<Edit> {
    let fields = &bound.groups[group].fields;
    let at = fields.iter().position(|field| field.id == spec.id)?;
    let key = |field: &BoundField<'_>| match &field.place {
        Place::Key { key, block, item } if field.spec.is_some() => Some((key.clone(), *block, *item)),
        _ => None,
    };
    let (model, after) = match fields[..at].iter().rev().find_map(key) {
        Some(model) => (model, true),
        None => (fields[at..].iter().find_map(key)?, false),
    };
    let document = &bound.document;
    let (key, block, item) = model;
    let lines = match item {
        Some(item) => super::items::items_of(document, block).get(item)?.lines.clone(),
        None => document.blocks[block].lines.clone(),
    };
    let first = document.lines[lines.start];
    let lead = &document.text[first.start..key.key.start - sign_length(document, &key)];
    let line = format!("{lead}{}{value}", key.style.write(name_like(bound, group, spec)));
    let end = document.line_end_at(first.start);
    let numbered = item.is_some_and(|item| {
        super::items::items_of(document, block).get(item).is_some_and(|item| item.number.is_some())
    });
    let blank =
        if item.is_none() && !key.style.emphasis.is_empty() && stands_alone(document, &lines) { end } else { "" };
    if numbered {
        return None;
    }
    Some(if after {
        let torn = item.is_some() && !super::items::guard(document, block, lines.end - 1).is_empty();
        let guard = if torn { end } else { "" };
        Edit::insert(document.lines[lines.end - 1].end, format!("{end}{blank}{line}{guard}"))
    } else {
        Edit::insert(first.start, format!("{line}{end}{blank}"))
    })
}

/// How many bytes of signs stand before the name.
fn sign_length(document: &Document<'_>, key: &KeyLine) -> usize {
    let signs = key.style.emphasis;
    let before = &document.text[..key.key.start];
    let blanks = before.len() - before.trim_end_matches([' ', '\t']).len();
    if before.trim_end_matches([' ', '\t']).ends_with(signs) && !signs.is_empty() { blanks + signs.len() } else { 0 }
}

/// True when blank lines, or the text's ends, stand on both sides.
fn stands_alone(document: &Document<'_>, lines: &std::ops::Range<usize>) -> bool {
    let above = lines.start.checked_sub(1).is_none_or(|line| document.is_blank(line));
    above && document.is_blank(lines.end)
}

/// The name that is written for a field: in the script of the names around it.
fn name_like<'s>(bound: &Bound<'_, '_>, group: usize, spec: &'s FieldSpec) -> &'s str {
    let around = bound.groups[group].fields.iter().find_map(|field| match &field.place {
        Place::Key { key, .. } => Some((field.spec?, bound.document.slice(&key.key))),
        _ => None,
    });
    let chinese = |name: &str| name.chars().any(|c| ('\u{4E00}'..='\u{9FFF}').contains(&c));
    match around {
        Some((_, name)) if chinese(name) => spec.names.iter().find(|name| chinese(name)).unwrap_or(&spec.names[0]),
        Some((other, name)) if other.label.fr != other.label.en && fold(name) == fold(&other.label.fr) => {
            let french = fold(&spec.label.fr);
            spec.names.iter().find(|name| fold(name) == french).unwrap_or(&spec.names[0])
        }
        _ => &spec.names[0],
    }
}

/// The first entry of a list as a line.
pub(super) fn first_item(control: Control, text: &str, today: &str) -> String {
    let text = item_written(text);
    match control {
        Control::Checks => format!("- [ ] {text}"),
        Control::Dated => format!("- {}", dated_text(None, &text, today)),
        _ => format!("- {text}"),
    }
}

/// A text of several lines as it is written.
pub(super) fn body(value: &str) -> String {
    if is_blank(value) { String::new() } else { written(value) }
}
