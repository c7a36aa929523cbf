//! What only the file knows and is shown all the same: names and values beside those of the form, check boxes, and
//! sections of their own.

use super::{Binder, BoundField, BoundGroup, Heading, Place};
use crate::document::Kind;
use crate::forms::schema::Control;
use crate::forms::values::one_line;

impl Binder<'_, '_> {
    fn heading_over(&self, block: usize) -> Option<usize> {
        self.headings.iter().rev().find(|heading| heading.block < block).map(|heading| heading.block)
    }

    /// Names and values beside those that the form knows.
    pub(super) fn open_groups(&mut self) {
        for g in 0..self.bound.groups.len() {
            let group = &self.bound.groups[g];
            if !group.spec.is_some_and(|spec| spec.open) {
                continue;
            }
            let mut over: Vec<_> = group.heading.map(Some).into_iter().collect();
            over.extend(group.fields.iter().filter_map(|field| match field.place {
                Place::Key { block, .. } => Some(self.heading_over(block)),
                _ => None,
            }));
            for at in 0..self.keys.len() {
                let key = &self.keys[at];
                if key.taken || self.taken[key.block] || !over.contains(&self.heading_over(key.block)) {
                    continue;
                }
                let group = &self.bound.groups[g];
                let mut id = format!("{}.{}", group.id, key.name);
                while group.fields.iter().any(|field| field.id == id) {
                    id.push('+');
                }
                let label = self.bound.document.slice(&key.line.key).to_owned();
                let place = Place::Key { key: key.line.clone(), block: key.block, item: key.item };
                let field = BoundField { id, spec: None, own_label: Some(label), control: Control::Text, place };
                self.take_key(at);
                self.bound.groups[g].fields.push(field);
            }
        }
    }

    /// Check boxes below a heading that the form does not know.
    pub(super) fn other_checks(&mut self) {
        if !self.bound.schema.other_checks {
            return;
        }
        for at in 0..self.headings.len() {
            let heading = self.headings[at].block;
            let section = self.bound.document.section(heading);
            if self.taken[heading] || section.len() != 1 || !self.is_free_list(section.start) {
                continue;
            }
            let block = section.start;
            if self.list_control(block, Control::List) != Control::Checks {
                continue;
            }
            self.use_block(heading);
            self.use_block(block);
            self.own_group("checks", at, Control::Checks, Place::List { heading: Some(heading), block });
        }
    }

    /// Sections that the form does not know, each as its entries when it has some, else as a text.
    pub(super) fn other_sections(&mut self) {
        if !self.bound.schema.other_sections {
            return;
        }
        for at in 0..self.headings.len() {
            if self.taken[self.headings[at].block] || self.headings[at].name.is_empty() {
                continue;
            }
            let heading = self.headings[at].block;
            let blocks = self.bound.document.section(heading);
            let entries = blocks.len() == 1 && self.is_free_list(blocks.start);
            let wanted = if entries || self.is_unfilled(&blocks) { Control::Dated } else { Control::LongText };
            let (control, place) = self.section(wanted, heading);
            self.own_group("section", at, control, place);
        }
    }

    /// A group of one field, both called as heading `at` says.
    fn own_group(&mut self, kind: &str, at: usize, control: Control, place: Place) {
        let Heading { block, name } = &self.headings[at];
        let Kind::Heading { title, .. } = &self.bound.document.blocks[*block].kind else { return };
        let label = Some(one_line(self.bound.document.slice(title)));
        let mut id = format!("{kind}.{name}");
        while self.bound.groups.iter().any(|group| group.id == id) {
            id.push('+');
        }
        let field = BoundField { id: id.clone(), spec: None, own_label: label.clone(), control, place };
        let group = BoundGroup { id, spec: None, own_title: label, heading: Some(*block), fields: vec![field] };
        self.bound.groups.push(group);
    }
}
