//! Files as forms, through the window's commands.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed test panics")]

use std::fs;
use std::sync::Arc;

use tempfile::TempDir;
use workbench::api::{
    EditRequest, ErrorCode, FileRef, FormBlockView, FormChange, FormEditRequest, FormFieldView, FormRequest, FormView,
    OpenRequest, RootId,
};
use workbench::place::Place;
use workbench::window::{documents, forms, workspace};
use workbench::{Session, SessionOptions};

fn desk(files: &[(&str, &[u8])]) -> (TempDir, Arc<Session>) {
    let home = TempDir::with_prefix("cbw-forms-").unwrap();
    let folder = home.path().canonicalize().unwrap().join(".catbuddy/workspace");
    fs::create_dir_all(&folder).unwrap();
    for (name, bytes) in files {
        fs::write(folder.join(name), bytes).unwrap();
    }
    let place = Place { home: home.path().canonicalize().unwrap(), ..Place::default() };
    let session = Session::start(SessionOptions { place }, Box::new(|_| ()));
    workspace::open(&session, OpenRequest::Workspace { path: folder.to_string_lossy().into_owned() }).unwrap();
    (home, session)
}

fn file(path: &str) -> FileRef {
    FileRef { root: RootId::Global, path: path.to_owned() }
}

fn form(session: &Session, path: &str, language: &str) -> FormView {
    forms::form(session, FormRequest { file: file(path), language: language.to_owned() }).unwrap()
}

fn field(form: &FormView, id: &str) -> FormFieldView {
    let fields = form.blocks.iter().filter_map(|block| match block {
        FormBlockView::Group(group) => Some(&group.fields),
        FormBlockView::Kept(_) => None,
    });
    fields.flatten().find(|field| field.id == id).unwrap().clone()
}

fn set(version: u32, path: &str, id: &str, value: &str) -> FormEditRequest {
    let change = FormChange::SetText { field: id.to_owned(), value: value.to_owned() };
    FormEditRequest { file: file(path), version, change, today: "2026-03-01".to_owned() }
}

#[test]
fn a_change_of_a_field_becomes_changes_in_utf16_of_the_draft() {
    let text = "# 🚢\r\n\r\n- **Name:** Zoé 🚢\r\n- **Time zone:** Nowhere\r\n";
    let (_home, session) = desk(&[("USER.md", text.as_bytes())]);
    let view = form(&session, "USER.md", "fr");
    let name = field(&view, "name");
    assert_eq!((&*name.label, &*name.value, name.line), ("Nom", "Zoé 🚢", Some(3)));
    let range = name.range.unwrap();
    assert_eq!(&text[range.start as usize..range.end as usize], "Zoé 🚢");
    assert!(field(&view, "time_zone").problem.unwrap().contains("fuseau"));
    let answer = forms::form_edit(&session, set(view.version, "USER.md", "name", "Zoé 🚢!")).unwrap();
    let change = &answer.changes[0];
    assert_eq!((answer.changes.len(), change.from, change.to, &*change.insert), (1, 26, 26, "!"));
    let request = EditRequest { file: file("USER.md"), version: answer.version, changes: answer.changes };
    documents::edit(&session, request).unwrap();
    let again = form(&session, "USER.md", "en");
    assert_eq!(field(&again, "name").value, "Zoé 🚢!");
    let stale = forms::form_edit(&session, set(view.version, "USER.md", "name", "x")).unwrap_err();
    assert_eq!(stale.code, ErrorCode::Stale);
    let gone = forms::form_edit(&session, set(again.version, "USER.md", "nothing", "x")).unwrap_err();
    assert_eq!(gone.code, ErrorCode::NotFound);
}

#[test]
fn a_file_that_cannot_be_edited_is_a_form_without_edits() {
    // "Name: 你好" and more, in GBK.
    let (_home, session) = desk(&[("USER.md", b"Name: \xC4\xE3\xBA\xC3\nLanguage: fr\n")]);
    let view = form(&session, "USER.md", "en");
    let language = field(&view, "language");
    assert_eq!(language.value, "fr");
    assert_eq!(language.range.map(|range| (range.start, range.end)), Some((21, 23)), "bytes of the file");
    let error = forms::form_edit(&session, set(view.version, "USER.md", "language", "en")).unwrap_err();
    assert_eq!(error.code, ErrorCode::Invalid);
    assert!(error.message.contains("not UTF-8"), "{}", error.message);
}

#[test]
fn a_file_that_is_not_there_is_a_form_to_begin_it_with() {
    let (_home, session) = desk(&[("SOUL.md", b"# Mica\n")]);
    let view = form(&session, "USER.md", "zh-CN");
    assert_eq!((view.schema.as_deref(), &*field(&view, "name").label), (Some("user"), "姓名"));
    let answer = forms::form_edit(&session, set(view.version, "USER.md", "name", "小满")).unwrap();
    assert_eq!(answer.changes[0].insert, "# About you\n\n- **Name:** 小满\n");
}
