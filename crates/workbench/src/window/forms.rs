//! Files as forms: a document's text as fields, and a change of one field as changes of that text.
//!
//! Nothing is changed here. The window makes the changes in its editor and sends them as any other keystrokes.

use model::{Text, text};
use std::sync::Arc;

use workspace::document::Edit;
use workspace::forms::{self, Block, Change, Control, Field, FormItem, Kept, Schema, Width};
use workspace::lint;

use crate::Session;
use crate::api::{
    ApiError, ChoiceView, ErrorCode, FormBlockView, FormChange, FormControl, FormEditRequest, FormEditView,
    FormFieldView, FormGroupView, FormItemView, FormRequest, FormView, FormWidth, KeptView, LinesView, RangeView,
    TextChange,
};
use crate::session::{Document, Mapping};
use crate::text_edit;

/// Longest beginning of a kept part that is shown, in characters.
const EXCERPT: usize = 200;

/// A file as a form.
///
/// # Errors
/// As [`super::documents::document`].
pub fn form(session: &Session, request: FormRequest) -> Result<FormView, ApiError> {
    let FormRequest { file, language } = request;
    let (document, source) = session.with_open(|open| {
        let disk = open.disk.clone();
        let document = open.documents.open(&file, &disk)?.clone();
        let source = Mapping::of(&disk).entry(&disk, &file).and_then(|entry| entry.source().cloned());
        Ok((document, source))
    })?;
    let schema = forms::schema_for(&file.path);
    // A text that was decoded with losses is the disk's; its bytes are counted there.
    let source = source.as_ref().filter(|_| !document.is_draft());
    let decoded = source.map(|source| source.decoded()).filter(|decoded| decoded.first_bad_offset().is_some());
    let offset = |at: usize| decoded.map_or(at, |decoded| decoded.to_file_offset(at));
    let shown = Shown { text: &document.text, language: &language, offset: &offset };
    let blocks = schema.map_or_else(Vec::new, |schema| shown.blocks(schema));
    Ok(FormView { file, version: document.version, schema: schema.map(|schema| schema.id.clone()), blocks })
}

/// What a change of one field does to the text.
///
/// # Errors
/// [`ErrorCode::Stale`] when the form was read from another text; [`ErrorCode::NotFound`] when there is no such field;
/// [`ErrorCode::Invalid`] when the file has no form or cannot be edited here, and when the change would alter other
/// parts of the file.
pub fn form_edit(session: &Session, request: FormEditRequest) -> Result<FormEditView, ApiError> {
    let FormEditRequest { file, version, change, today } = request;
    let document = session.with_open(|open| {
        let disk = open.disk.clone();
        Ok(open.documents.open(&file, &disk)?.clone())
    })?;
    let Some(schema) = forms::schema_for(&file.path) else {
        return Err(ApiError::new(ErrorCode::Invalid, text!("error-no-form", path = &file.path)));
    };
    if let Some(reason) = why_not(&document) {
        return Err(ApiError::new(ErrorCode::Invalid, reason).with("path", &document.path));
    }
    if document.version != version {
        return Err(ApiError::new(ErrorCode::Stale, text!("error-form-changed")));
    }
    let (field, change) = parts(change);
    match forms::edit(schema, &document.text, &field, &change, &today) {
        Ok(edits) => Ok(FormEditView { version, changes: changes(&document.text, edits) }),
        Err(error) => {
            let code = if error == forms::EditError::Gone { ErrorCode::NotFound } else { ErrorCode::Invalid };
            Err(ApiError::new(code, error.text()).with("field", &field))
        }
    }
}

/// Why a document takes no edits; a draft always does.
fn why_not(document: &Document) -> Option<Text> {
    let problem = document.read_only.as_ref().or(document.error.as_ref()).filter(|_| !document.is_draft());
    problem.map(|problem| problem.reason.clone())
}

fn parts(change: FormChange) -> (String, Change) {
    match change {
        FormChange::SetText { field, value } => (field, Change::Text(value)),
        FormChange::SetChecked { field, at, checked } => (field, Change::Checked(at as usize, checked)),
        FormChange::AddItem { field, at, text } => (field, Change::Add(at as usize, text)),
        FormChange::SetItem { field, at, text } => (field, Change::Set(at as usize, text)),
        FormChange::RemoveItem { field, at } => (field, Change::Remove(at as usize)),
        FormChange::MoveItem { field, from, to } => (field, Change::Move(from as usize, to as usize)),
    }
}

fn changes(text: &str, edits: Vec<Edit>) -> Vec<TextChange> {
    let edits: Vec<_> = edits
        .into_iter()
        .map(|edit| lint::Edit { start: edit.range.start, end: edit.range.end, insert: edit.text })
        .collect();
    text_edit::changes(text, &edits)
}

/// A text and how its form is shown.
struct Shown<'a> {
    text: &'a Arc<str>,
    language: &'a str,
    /// From a byte of the text to the byte of the file.
    offset: &'a dyn Fn(usize) -> usize,
}

impl Shown<'_> {
    fn blocks(&self, schema: &Schema) -> Vec<FormBlockView> {
        let form = forms::read(schema, self.text);
        let blocks = form.blocks.iter().zip(1..);
        blocks
            .map(|(block, at)| match block {
                Block::Group(group) => FormBlockView::Group(self.group(group)),
                Block::Kept(kept) => FormBlockView::Kept(self.kept(kept, at)),
            })
            .collect()
    }

    fn group(&self, group: &forms::Group<'_>) -> FormGroupView {
        let own = || group.title.clone().unwrap_or_default();
        FormGroupView {
            id: group.id.clone(),
            title: group.spec.map_or_else(own, |spec| spec.title.of(self.language).to_owned()),
            hint: group.spec.and_then(|spec| spec.hint.as_ref()).map(|hint| hint.of(self.language).to_owned()),
            lines: group.lines.as_ref().map(lines),
            fields: group.fields.iter().map(|field| self.field(field)).collect(),
        }
    }

    fn field(&self, field: &Field<'_>) -> FormFieldView {
        let spec = field.spec;
        let words = |words: &forms::Words| words.of(self.language).to_owned();
        let example = || spec.and_then(|spec| spec.placeholder.as_ref()).map(|text| for_example(self.language, text));
        FormFieldView {
            id: field.id.clone(),
            label: spec.map_or_else(|| field.label.clone().unwrap_or_default(), |spec| words(&spec.label)),
            help: spec.and_then(|spec| spec.help.as_ref()).map(words),
            control: control(field.control),
            width: match spec.map(|spec| spec.width).unwrap_or_default() {
                _ if field.control == Control::LongText => FormWidth::Full,
                Width::Full => FormWidth::Full,
                Width::Half => FormWidth::Half,
                Width::Third => FormWidth::Third,
            },
            value: field.value.clone(),
            placeholder: field.placeholder.clone().or_else(example),
            unfilled: field.unfilled,
            items: field.items.iter().map(|item| self.item(item)).collect(),
            choices: spec.map_or_else(Vec::new, |spec| {
                let choices = spec.choices.iter();
                choices.map(|choice| ChoiceView { value: choice.value.clone(), label: words(&choice.label) }).collect()
            }),
            problem: field.problem.map(|problem| problem.message(self.language)),
            range: field.range.as_ref().map(|range| self.range(range)),
            line: field.line.map(|line| line as u32 + 1),
        }
    }

    fn item(&self, item: &FormItem) -> FormItemView {
        FormItemView {
            text: item.text.clone(),
            checked: item.checked,
            date: item.date.clone(),
            range: Some(self.range(&item.range)),
            line: Some(item.line as u32 + 1),
            kept: item.kept,
        }
    }

    fn kept(&self, kept: &Kept, at: usize) -> KeptView {
        let beginning: String = self.text[kept.range.clone()].chars().take(EXCERPT * 2).collect();
        let beginning = beginning.replace("\r\n", "\n").replace('\r', "\n");
        KeptView {
            id: format!("kept-{at}"),
            title: kept.title.clone(),
            what: kept.what.to_owned(),
            lines: lines(&kept.lines),
            excerpt: beginning.chars().take(EXCERPT).collect(),
            range: self.range(&kept.range),
        }
    }

    fn range(&self, range: &std::ops::Range<usize>) -> RangeView {
        RangeView { start: (self.offset)(range.start) as u32, end: (self.offset)(range.end) as u32 }
    }
}

/// An example, so that nobody takes it for what the file says.
fn for_example(language: &str, text: &forms::Words) -> String {
    let forms::Words { en, zh, fr } = text;
    let example = forms::Words { en: format!("e.g. {en}"), zh: format!("例如：{zh}"), fr: format!("p. ex. {fr}") };
    example.of(language).to_owned()
}

fn lines(lines: &std::ops::Range<usize>) -> LinesView {
    LinesView { first: lines.start as u32 + 1, last: lines.end as u32 }
}

fn control(control: Control) -> FormControl {
    match control {
        Control::Text => FormControl::Text,
        Control::LongText => FormControl::LongText,
        Control::Choice => FormControl::Choice,
        Control::TimeZone => FormControl::TimeZone,
        Control::Language => FormControl::Language,
        Control::Emoji => FormControl::Emoji,
        Control::List => FormControl::List,
        Control::Checks => FormControl::Checks,
        Control::Dated => FormControl::Dated,
    }
}
