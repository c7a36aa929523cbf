//! Files as forms: fields over byte ranges, described by data, and edits of one field as edits of the text.
//!
//! A form holds nothing of its own. [`read`] looks at a text, and [`edit`] says which bytes of it a change of one field
//! replaces; whatever the form does not know is kept in its place. Nothing here touches a file.

mod bind;
mod check;
mod edit;
mod entry_dates;
mod front;
mod insert;
mod items;
mod schema;
#[cfg(test)]
mod tests;
mod values;
mod view;

use std::ops::Range;

pub use check::Problem;
pub use edit::{Change, EditError, edit};
pub use schema::{
    Binds, Check, Choice, Control, FieldSpec, GroupSpec, Schema, Width, Words, parse, schema_for, schemas,
};
pub use view::read;

/// A text as a form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Form<'s> {
    /// What is shown, in the order of the text; groups that are not there yet stand where they would be written.
    pub blocks: Vec<Block<'s>>,
}

/// A part of a form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Block<'s> {
    /// Fields that belong together.
    Group(Group<'s>),
    /// What the form does not know.
    Kept(Kept),
}

/// Fields that belong together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group<'s> {
    /// Its id.
    pub id: String,
    /// What the form knows of it; `None` for boxes that only the file knows.
    pub spec: Option<&'s GroupSpec>,
    /// The file's own title of it, without a spec.
    pub title: Option<String>,
    /// Its lines, from 0; `None`: it is not there yet.
    pub lines: Option<Range<usize>>,
    /// Its fields.
    pub fields: Vec<Field<'s>>,
}

/// One field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field<'s> {
    /// Its id.
    pub id: String,
    /// What the form knows of it; `None` for a name that only the file knows.
    pub spec: Option<&'s FieldSpec>,
    /// The file's own label, without a spec.
    pub label: Option<String>,
    /// How it is edited: by what stands in the file.
    pub control: Control,
    /// True when its value stands on one line of the file, however it is edited.
    pub one_line: bool,
    /// Its value, empty for lists and placeholders.
    pub value: String,
    /// The placeholder that stands in the file.
    pub placeholder: Option<String>,
    /// True when a template's blank stands in the file.
    pub unfilled: bool,
    /// The entries of a list.
    pub items: Vec<FormItem>,
    /// What is odd about the value.
    pub problem: Option<Problem>,
    /// Its bytes; `None`: nowhere yet.
    pub range: Option<Range<usize>>,
    /// The line its value begins on, from 0.
    pub line: Option<usize>,
}

/// One entry of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormItem {
    /// Its text.
    pub text: String,
    /// For a box, whether it is ticked.
    pub checked: Option<bool>,
    /// For an entry with a date, the date as written.
    pub date: Option<String>,
    /// Its bytes.
    pub range: Range<usize>,
    /// Its first line, from 0.
    pub line: usize,
    /// True when it is more than one line.
    pub kept: bool,
}

/// A part of the text that the form does not know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kept {
    /// Its heading, else the beginning of its text.
    pub title: String,
    /// `section`, `text`, `table`, `code`, `comment`, `front_matter`, `list`.
    pub what: &'static str,
    /// Its lines, from 0.
    pub lines: Range<usize>,
    /// Its bytes.
    pub range: Range<usize>,
}
