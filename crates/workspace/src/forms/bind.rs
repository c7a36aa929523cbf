//! Which parts of a text a form's fields stand for.
//!
//! Names are compared by their letters alone, in any heading level and in any style of name and value, so that files
//! written by hand bind too. What is claimed once is not claimed again; what nothing claims is kept.

mod own;

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

use super::front::{self, FrontField};
use super::schema::{Binds, Control, FieldSpec, GroupSpec, Schema};
use super::values::is_placeholder;
use crate::document::{Document, Item, KeyLine, Kind};

/// What a field stands for.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// Nothing yet.
    Absent,
    /// A name and a value: the block it stands in, and which entry of it.
    Key { key: KeyLine, block: usize, item: Option<usize> },
    /// Everything between a heading and the next one; also nothing.
    Body { heading: usize, blocks: Range<usize> },
    /// A list, and the heading of its name.
    List { heading: Option<usize>, block: usize },
    /// A heading without a list below it yet: at most a placeholder stands there.
    NoList { heading: usize, blocks: Range<usize> },
    /// The file's heading.
    Title { block: usize },
    /// A field of the front matter.
    Front(FrontField),
    /// Everything from this byte on.
    Rest(usize),
}

/// A field and its place.
#[derive(Clone, Debug)]
pub(super) struct BoundField<'s> {
    pub(super) id: String,
    /// What the form knows of it; `None` for a name that only the file knows.
    pub(super) spec: Option<&'s FieldSpec>,
    /// Its label in the file.
    pub(super) own_label: Option<String>,
    pub(super) control: Control,
    pub(super) place: Place,
}

/// A group and its fields.
#[derive(Clone, Debug)]
pub(super) struct BoundGroup<'s> {
    pub(super) id: String,
    pub(super) spec: Option<&'s GroupSpec>,
    pub(super) own_title: Option<String>,
    /// The heading over its fields.
    pub(super) heading: Option<usize>,
    pub(super) fields: Vec<BoundField<'s>>,
}

/// A text with the places of a form's fields.
pub(super) struct Bound<'a, 's> {
    pub(super) document: Document<'a>,
    pub(super) schema: &'s Schema,
    pub(super) groups: Vec<BoundGroup<'s>>,
    /// The file's own heading.
    pub(super) title: Option<usize>,
    /// For each line, whether a field or a group shows it.
    pub(super) used: Vec<bool>,
}

/// The letters of a name: no blanks, signs, accents, letter case, nor a number before it, unless it is all.
pub(super) fn fold(name: &str) -> String {
    let letters: String = name.nfd().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let name = letters.trim_start_matches(char::is_numeric);
    if name.is_empty() { letters } else { name.to_owned() }
}

pub(super) fn bind<'a, 's>(schema: &'s Schema, text: &'a str) -> Bound<'a, 's> {
    let document = Document::read(text);
    let groups = schema.group.iter().map(|group| BoundGroup {
        id: group.id.clone(),
        spec: Some(group),
        own_title: None,
        heading: None,
        fields: group.field.iter().map(absent).collect(),
    });
    let used = vec![false; document.lines.len()];
    let bound = Bound { groups: groups.collect(), title: None, used, schema, document };
    let mut binder =
        Binder { taken: vec![false; bound.document.blocks.len()], headings: Vec::new(), keys: Vec::new(), bound };
    binder.find_names();
    binder.front_matter();
    binder.sections();
    binder.title_and_group_headings();
    binder.other_sections();
    binder.keys();
    binder.second_choice();
    binder.open_groups();
    binder.other_checks();
    binder.bound
}

fn absent(spec: &FieldSpec) -> BoundField<'_> {
    BoundField { id: spec.id.clone(), spec: Some(spec), own_label: None, control: spec.control, place: Place::Absent }
}

struct Heading {
    block: usize,
    name: String,
}

struct Key {
    block: usize,
    item: Option<usize>,
    name: String,
    line: KeyLine,
    taken: bool,
}

struct Binder<'a, 's> {
    bound: Bound<'a, 's>,
    /// Blocks that a field has as a whole.
    taken: Vec<bool>,
    headings: Vec<Heading>,
    keys: Vec<Key>,
}

impl<'s> Binder<'_, 's> {
    fn find_names(&mut self) {
        let document = &self.bound.document;
        for (block, part) in document.blocks.iter().enumerate() {
            let mut key = |item, line: &KeyLine| {
                let name = fold(document.slice(&line.key));
                self.keys.push(Key { block, item, name, line: line.clone(), taken: false });
            };
            match &part.kind {
                Kind::Heading { title, .. } => {
                    let name = fold(document.slice(title).trim_end_matches([':', '：']));
                    self.headings.push(Heading { block, name });
                }
                Kind::Key(line) => key(None, line),
                Kind::List(items) => {
                    for (at, line) in items.iter().enumerate().filter_map(|(at, item)| Some((at, item.key.as_ref()?))) {
                        key(Some(at), line);
                    }
                }
                _ => {}
            }
        }
    }

    /// The fields that have no place yet and fit: group, field, what the form knows.
    fn open(&self, fits: impl Fn(&FieldSpec) -> bool) -> Vec<(usize, usize, &'s FieldSpec)> {
        let mut open = Vec::new();
        for (g, group) in self.bound.groups.iter().enumerate() {
            for (f, field) in group.fields.iter().enumerate() {
                if let (Place::Absent, Some(spec)) = (&field.place, field.spec)
                    && fits(spec)
                {
                    open.push((g, f, spec));
                }
            }
        }
        open
    }

    fn set(&mut self, (g, f): (usize, usize), control: Control, place: Place) {
        let field = &mut self.bound.groups[g].fields[f];
        (field.control, field.place) = (control, place);
    }

    fn use_block(&mut self, block: usize) {
        self.taken[block] = true;
        self.bound.used[self.bound.document.blocks[block].lines.clone()].fill(true);
    }

    fn front_matter(&mut self) {
        for (g, f, spec) in self.open(|spec| matches!(spec.binds, Binds::FrontMatter | Binds::Rest)) {
            let place = match (spec.binds, front::end(&self.bound.document)) {
                (Binds::Rest, (_, after)) => Place::Rest(after),
                (_, (Some(inner), _)) => {
                    front::find(&self.bound.document, &inner, &spec.names[0]).map_or(Place::Absent, Place::Front)
                }
                _ => Place::Absent,
            };
            match &place {
                Place::Rest(_) => {
                    for block in 0..self.taken.len() {
                        let front = matches!(self.bound.document.blocks[block].kind, Kind::FrontMatter { .. });
                        let lines = self.bound.document.blocks[block].lines.clone();
                        self.taken[block] = true;
                        // Between the fences, only the fields that the form knows are its.
                        let fences = [lines.start, lines.end - 1];
                        lines
                            .filter(|line| !front || fences.contains(line))
                            .for_each(|line| self.bound.used[line] = true);
                    }
                }
                Place::Front(found) => {
                    let last = self.bound.document.line_at(found.range.end.max(found.range.start + 1) - 1);
                    self.bound.used[found.line..=last.max(found.line)].fill(true);
                }
                _ => {}
            }
            self.set((g, f), spec.control, place);
        }
    }

    fn named(&self, spec: &FieldSpec, but: Option<usize>) -> Option<usize> {
        let names: Vec<_> = spec.names.iter().map(|name| fold(name)).collect();
        let fits = |heading: &&Heading| {
            !self.taken[heading.block] && Some(heading.block) != but && names.contains(&heading.name)
        };
        let mut found = self.headings.iter().filter(fits).map(|heading| heading.block);
        let first = found.next()?;
        // A file that is called as its list may have the list in a section.
        let titled = Some(first) == self.headings.first().map(|heading| heading.block) && self.level(first) == Some(1);
        let has_list = |&block: &usize| self.bound.document.section(block).any(|block| self.is_free_list(block));
        if spec.binds == Binds::List && titled && !has_list(&first) {
            return found.find(has_list).or(Some(first));
        }
        Some(first)
    }

    /// Lists and bodies take the first heading of their name.
    fn sections(&mut self) {
        for (g, f, spec) in self.open(|spec| matches!(spec.binds, Binds::Body | Binds::List)) {
            if let Some(heading) = self.named(spec, None) {
                let (control, place) = self.section(spec.control, heading);
                self.set((g, f), control, place);
            }
        }
        for (g, f, spec) in self.open(|spec| spec.top) {
            let top = self.headings.first().map(|heading| heading.block);
            // A section that is shown as such has its entries to itself.
            let own = |block: usize| !self.bound.schema.other_sections || self.level(block) == Some(1);
            let end = self.headings.get(1).map_or(self.taken.len(), |heading| heading.block);
            let blocks = top.filter(|&top| !self.taken[top] && own(top)).map_or(0..top.unwrap_or(end), |_| 0..end);
            let list = blocks.clone().find(|&block| self.is_free_list(block));
            if let Some(block) = list {
                let control = self.list_control(block, spec.control);
                self.use_block(block);
                self.set((g, f), control, Place::List { heading: None, block });
            }
        }
    }

    fn level(&self, block: usize) -> Option<u8> {
        match self.bound.document.blocks[block].kind {
            Kind::Heading { level, .. } => Some(level),
            _ => None,
        }
    }

    fn is_free_list(&self, block: usize) -> bool {
        !self.taken[block] && matches!(self.bound.document.blocks[block].kind, Kind::List(_))
    }

    /// Boxes are shown as boxes, and a list without them as entries, whatever the form thought of.
    fn list_control(&self, block: usize, wanted: Control) -> Control {
        match &self.bound.document.blocks[block].kind {
            Kind::List(items) if items.iter().all(|item| item.check.is_some()) => Control::Checks,
            _ if wanted == Control::Dated => wanted,
            _ => Control::List,
        }
    }

    /// Takes what stands below a heading: how it is edited that was thought of as `wanted`, and where it stands.
    fn section(&mut self, wanted: Control, heading: usize) -> (Control, Place) {
        let blocks = self.bound.document.section(heading);
        let listed = wanted.has_items();
        let list = blocks.clone().find(|&block| self.is_free_list(block)).filter(|_| listed);
        let empty = self.is_unfilled(&blocks);
        self.use_block(heading);
        if let Some(block) = list {
            let control = self.list_control(block, wanted);
            self.use_block(block);
            return (control, Place::List { heading: Some(heading), block });
        }
        for block in blocks.clone() {
            self.use_block(block);
        }
        if listed && empty {
            return (wanted, Place::NoList { heading, blocks });
        }
        let text = self.bound.document.bytes(&self.body_lines(&blocks));
        let one_line = !self.bound.document.slice(&text).contains(['\n', '\r']);
        (if listed || !one_line { Control::LongText } else { wanted }, Place::Body { heading, blocks })
    }

    /// True when nothing, or a template's blank, stands there.
    fn is_unfilled(&self, blocks: &Range<usize>) -> bool {
        let lines = self.body_lines(blocks);
        lines.is_empty() || is_placeholder(self.bound.document.slice(&self.bound.document.bytes(&lines)))
    }

    fn body_lines(&self, blocks: &Range<usize>) -> Range<usize> {
        let all = &self.bound.document.blocks[blocks.clone()];
        match (all.first(), all.last()) {
            (Some(first), Some(last)) => first.lines.start..last.lines.end,
            _ => 0..0,
        }
    }

    fn title_and_group_headings(&mut self) {
        let document = &self.bound.document;
        let first = self.headings.first().map(|heading| heading.block);
        let title = first.filter(|&block| matches!(document.blocks[block].kind, Kind::Heading { level: 1, .. }));
        // A heading that is a field's own is not the file's, unless the field is what the file is about.
        let about = |field: &BoundField<'_>, block: usize| {
            field.spec.is_some_and(|spec| spec.top)
                && matches!(field.place, Place::List { heading: Some(heading), .. } | Place::NoList { heading, .. }
                    | Place::Body { heading, .. } if heading == block)
        };
        let fields = || self.bound.groups.iter().flat_map(|group| &group.fields);
        let title = title.filter(|&block| !self.taken[block] || fields().any(|field| about(field, block)));
        self.bound.title = title;
        for g in 0..self.bound.groups.len() {
            let Some(spec) = self.bound.groups[g].spec else { continue };
            let names: Vec<_> = spec.headings.iter().map(|name| fold(name)).collect();
            let found = self.headings.iter().find(|heading| {
                !self.taken[heading.block] && Some(heading.block) != title && names.contains(&heading.name)
            });
            if let Some(block) = found.map(|heading| heading.block) {
                self.use_block(block);
                self.bound.groups[g].heading = Some(block);
            }
        }
        if let Some(block) = title.filter(|&block| !self.taken[block]) {
            self.use_block(block);
        }
    }

    fn keys(&mut self) {
        for (g, f, spec) in self.open(|spec| matches!(spec.binds, Binds::Key | Binds::Title)) {
            if !self.key((g, f), spec)
                && spec.binds == Binds::Title
                && let Some(block) = self.bound.title
            {
                self.set((g, f), spec.control, Place::Title { block });
            }
        }
    }

    /// Gives a field the first free name and value that is called as it.
    fn key(&mut self, at: (usize, usize), spec: &FieldSpec) -> bool {
        let names: Vec<_> = spec.names.iter().map(|name| fold(name)).collect();
        let fits = |key: &Key| !key.taken && !self.taken[key.block] && names.contains(&key.name);
        let Some(found) = self.keys.iter().position(fits) else { return false };
        let control = if spec.control.has_items() { Control::Text } else { spec.control };
        self.take_key(found);
        let Key { block, item, line, .. } = &self.keys[found];
        let place = Place::Key { key: line.clone(), block: *block, item: *item };
        self.set(at, control, place);
        true
    }

    fn take_key(&mut self, at: usize) {
        self.keys[at].taken = true;
        let (block, item) = (self.keys[at].block, self.keys[at].item);
        let lines = match (&self.bound.document.blocks[block], item) {
            (part, Some(item)) => item_of(&part.kind, item).map_or(0..0, |item| item.lines.clone()),
            (part, None) => part.lines.clone(),
        };
        self.bound.used[lines].fill(true);
    }

    /// Names and values that stand as sections, and sections that stand as names and values.
    fn second_choice(&mut self) {
        for (g, f, spec) in self.open(|spec| spec.binds == Binds::Key) {
            if let Some(heading) = self.named(spec, self.bound.title) {
                // Names and values that other fields have must stay theirs.
                let lines = self.bound.document.section(heading);
                if lines
                    .clone()
                    .all(|block| !self.bound.used[self.bound.document.blocks[block].lines.clone()].contains(&true))
                {
                    let (control, place) = self.section(spec.control, heading);
                    self.set((g, f), control, place);
                }
            }
        }
        for (g, f, spec) in self.open(|spec| matches!(spec.binds, Binds::Body | Binds::List)) {
            self.key((g, f), spec);
        }
    }
}

/// Entry `at` of a list.
pub(super) fn item_of(kind: &Kind, at: usize) -> Option<&Item> {
    match kind {
        Kind::List(items) => items.get(at),
        _ => None,
    }
}
