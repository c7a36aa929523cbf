//! A file as a form: fields over byte ranges of its text, in the order in which they stand in the file.
//!
//! A form never holds text of its own. [`FormView`] is read from the draft, and a [`FormChange`] becomes changes of
//! that text, which the window makes in its editor; so Form, Source and Diff share one undo history.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::document::{FileRef, TextChange};
use super::preview::RangeView;

/// Which file, and in which language its labels are to be.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
pub struct FormRequest {
    /// The file.
    pub file: FileRef,
    /// `en`, `zh` or `fr`; another one gets `en`.
    pub language: String,
}

/// A file as a form.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct FormView {
    /// The file.
    pub file: FileRef,
    /// Version of the text that the form was read from.
    pub version: u32,
    /// Id of the form (`user`, `soul`, `agents`, `tools`, `memory`, `claude`, `skill`); `None`: there is no form for this file.
    pub schema: Option<String>,
    /// What the form shows, in the file's order; groups that the file does not have yet stand where they would be written.
    pub blocks: Vec<FormBlockView>,
}

/// A part of a form.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FormBlockView {
    /// Fields that belong together.
    Group(FormGroupView),
    /// A part of the file that the form does not know: shown, never changed.
    Kept(KeptView),
}

/// Lines of a file, from 1, both included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, TS)]
pub struct LinesView {
    /// The first.
    pub first: u32,
    /// The last.
    pub last: u32,
}

/// Fields that belong together.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct FormGroupView {
    /// Its id, unique in the form.
    pub id: String,
    /// Its title.
    pub title: String,
    /// One line below the title.
    pub hint: Option<String>,
    /// Where it stands in the file; `None`: nowhere yet.
    pub lines: Option<LinesView>,
    /// Its fields.
    pub fields: Vec<FormFieldView>,
}

/// How a field is edited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FormControl {
    /// One line.
    Text,
    /// Several lines.
    LongText,
    /// One of `choices`, or a text of one's own.
    Choice,
    /// An IANA time zone, searched for.
    TimeZone,
    /// A language, searched for.
    Language,
    /// One line with a picker of emoji.
    Emoji,
    /// Entries in an order.
    List,
    /// Boxes, each on or off: `items` with `checked`.
    Checks,
    /// Entries with a date: `items` with `date`.
    Dated,
}

/// How much of the form's width a field takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FormWidth {
    /// All of it.
    #[default]
    Full,
    /// A half.
    Half,
    /// A third.
    Third,
}

/// One field.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct FormFieldView {
    /// Its id, unique in the form.
    pub id: String,
    /// Its label.
    pub label: String,
    /// What it is for.
    pub help: Option<String>,
    /// How it is edited.
    pub control: FormControl,
    /// How wide it is.
    pub width: FormWidth,
    /// The value of a field of one text; empty when the file has none or only the placeholder of a template.
    pub value: String,
    /// What an empty field shows: the placeholder that stands in the file, else an example.
    pub placeholder: Option<String>,
    /// True when the file still holds the template's placeholder there: it is in the prompt.
    pub unfilled: bool,
    /// Entries of a list.
    pub items: Vec<FormItemView>,
    /// What can be chosen.
    pub choices: Vec<ChoiceView>,
    /// What is odd about the value; never in the way of saving.
    pub problem: Option<String>,
    /// Bytes of the file that the value stands at; `None`: nowhere yet.
    pub range: Option<RangeView>,
    /// The line the value begins on, from 1.
    pub line: Option<u32>,
}

/// One entry of a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct FormItemView {
    /// Its text, without its mark; lines of its own below it included.
    pub text: String,
    /// For a check box: whether it is ticked.
    pub checked: Option<bool>,
    /// For a dated entry: its date as written.
    pub date: Option<String>,
    /// Bytes of the file.
    pub range: Option<RangeView>,
    /// The line it begins on, from 1.
    pub line: Option<u32>,
    /// True when it is more than one line of plain text (nested lists, code): it is edited in the source.
    pub kept: bool,
}

/// One value to choose.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct ChoiceView {
    /// What is written.
    pub value: String,
    /// What is shown.
    pub label: String,
}

/// A part of the file that the form does not know.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct KeptView {
    /// Unique in the form.
    pub id: String,
    /// Its heading, else the beginning of its text.
    pub title: String,
    /// What it is: `section`, `text`, `table`, `code`, `comment`, `front_matter`, `list`.
    pub what: String,
    /// Where it stands.
    pub lines: LinesView,
    /// Its beginning, at most 200 characters; line ends are `\n`.
    pub excerpt: String,
    /// Bytes of the file.
    pub range: RangeView,
}

/// A change of one field.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FormChange {
    /// The value of a field of one text; an empty one takes the value out and keeps the label.
    SetText {
        /// The field.
        field: String,
        /// The value; line ends are `\n`, and are written as the file's.
        value: String,
    },
    /// A tick.
    SetChecked {
        /// The field.
        field: String,
        /// The entry.
        at: u32,
        /// Ticked or not.
        checked: bool,
    },
    /// A new entry before entry `at`; past the end is the end.
    AddItem {
        /// The field.
        field: String,
        /// Where.
        at: u32,
        /// Its text.
        text: String,
    },
    /// Another text for an entry.
    SetItem {
        /// The field.
        field: String,
        /// Which.
        at: u32,
        /// Its text.
        text: String,
    },
    /// Takes an entry out.
    RemoveItem {
        /// The field.
        field: String,
        /// Which.
        at: u32,
    },
    /// Moves an entry.
    MoveItem {
        /// The field.
        field: String,
        /// Which.
        from: u32,
        /// Its place afterwards.
        to: u32,
    },
}

/// A change of one field, to be turned into changes of the text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
pub struct FormEditRequest {
    /// The file.
    pub file: FileRef,
    /// Version of the text the form was read from.
    pub version: u32,
    /// The change.
    pub change: FormChange,
    /// Today, `YYYY-MM-DD`, for entries with a date.
    pub today: String,
}

/// What a change of a field does to the text. Nothing was changed yet: the window makes the edit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct FormEditView {
    /// Version of the text that the changes apply to.
    pub version: u32,
    /// The changes, in order; empty when the value is as it was.
    pub changes: Vec<TextChange>,
}
