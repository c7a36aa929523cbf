//! The window's commands over temporary homes, without a window.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed test panics")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tempfile::TempDir;
use workbench::api::{
    ContextSave, ContextText, DocumentView, EditRequest, ErrorCode, FileRef, FileState, Framed, HistoryRequest,
    Nothing, OpenRequest, PreviewHead, PreviewRequest, RootId, Settings, TextChange, WorkspaceChanged, WorkspaceView,
};
use workbench::place::Place;
use workbench::window::{boot, contexts, documents, past, preview, settings, workspace};
use workbench::{Session, SessionOptions};

struct Desk {
    home: TempDir,
    session: Arc<Session>,
    changes: Receiver<WorkspaceChanged>,
}

impl Desk {
    fn new(files: &[(&str, &str)]) -> Self {
        let home = TempDir::with_prefix("cbw-session-").unwrap();
        for (name, text) in files {
            write(&home.path().join(name), text);
        }
        let place = Place { home: home.path().canonicalize().unwrap(), ..Place::default() };
        let (sender, changes) = channel();
        let sender = Mutex::new(sender);
        let on_change = Box::new(move |change| sender.lock().unwrap().send(change).unwrap_or_default());
        Self { session: Session::start(SessionOptions { place }, on_change), home, changes }
    }

    fn global(files: &[(&str, &str)]) -> (Self, WorkspaceView) {
        let desk = Self::new(files);
        let path = desk.workspace();
        let view = workspace::open(&desk.session, OpenRequest::Workspace { path }).unwrap();
        (desk, view)
    }

    fn home(&self) -> PathBuf {
        self.home.path().canonicalize().unwrap()
    }

    fn workspace(&self) -> String {
        self.home().join(".catbuddy/workspace").to_string_lossy().into_owned()
    }

    fn path(&self, relative: &str) -> PathBuf {
        Path::new(&self.workspace()).join(relative)
    }

    fn preview(&self, request: PreviewRequest) -> Framed<PreviewHead> {
        preview::preview(&self.session, request).unwrap()
    }

    fn prompt(&self) -> String {
        String::from_utf8(self.preview(PreviewRequest::default()).body).unwrap()
    }

    fn document(&self, file: &FileRef) -> Framed<DocumentView> {
        documents::document(&self.session, file.clone()).unwrap()
    }

    fn type_over(&self, file: &FileRef, from: u32, to: u32, insert: &str) -> FileState {
        let version = self.document(file).head.version;
        let changes = vec![TextChange { from, to, insert: insert.to_owned() }];
        documents::edit(&self.session, EditRequest { file: file.clone(), version, changes }).unwrap().state
    }

    fn wait_for_change(&self) -> WorkspaceChanged {
        self.changes.recv_timeout(Duration::from_secs(20)).unwrap()
    }
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn global(path: &str) -> FileRef {
    FileRef { root: RootId::Global, path: path.to_owned() }
}

const SOUL: (&str, &str) = (".catbuddy/workspace/SOUL.md", "Calm.\r\nBrief.\n");

#[test]
fn a_draft_shows_in_the_preview_and_on_disk_only_after_a_save() {
    let (desk, _) = Desk::global(&[SOUL]);
    let file = global("SOUL.md");
    assert_eq!(desk.document(&file).head.state, FileState::Saved);
    assert_eq!(desk.type_over(&file, 0, 4, "Wild"), FileState::Draft);
    assert!(desk.prompt().contains("## SOUL.md\n\nWild.\r\nBrief.\n"));
    assert_eq!(fs::read_to_string(desk.path("SOUL.md")).unwrap(), SOUL.1, "nothing is written before a save");
    let saved = documents::save(&desk.session, file).unwrap();
    assert_eq!((saved.state, saved.reason), (FileState::Saved, None));
    assert_eq!(fs::read_to_string(desk.path("SOUL.md")).unwrap(), "Wild.\r\nBrief.\n", "other bytes stay as they were");
}

#[test]
fn the_cached_prefix_is_told_since_the_moment_of_the_assembly_before() {
    let (desk, _) = Desk::global(&[SOUL]);
    let file = global("SOUL.md");
    desk.preview(PreviewRequest::default());
    desk.type_over(&file, 0, 4, "Wild");
    documents::save(&desk.session, file).unwrap();
    let recorded = past::history(&desk.session, HistoryRequest::default()).unwrap().rows[0].last_seen.clone();
    assert_eq!(desk.preview(PreviewRequest::default()).head.cache.since, Some(recorded));
}

#[test]
fn typing_everything_back_is_no_draft() {
    let (desk, _) = Desk::global(&[SOUL]);
    let file = global("SOUL.md");
    assert_eq!(desk.type_over(&file, 0, 1, "K"), FileState::Draft);
    assert_eq!(desk.type_over(&file, 0, 1, "C"), FileState::Saved);
}

#[test]
fn an_edit_of_another_text_is_refused() {
    let (desk, _) = Desk::global(&[SOUL]);
    let changes = vec![TextChange { from: 0, to: 0, insert: "x".into() }];
    let request = EditRequest { file: global("SOUL.md"), version: 7, changes };
    assert_eq!(documents::edit(&desk.session, request).unwrap_err().code, ErrorCode::Stale);
}

#[test]
fn an_outside_change_of_a_clean_file_shows_by_itself() {
    let (desk, _) = Desk::global(&[SOUL]);
    let file = global("SOUL.md");
    let before = desk.document(&file).head.version;
    write(&desk.path("SOUL.md"), "Changed outside.\n");
    let change = desk.wait_for_change();
    assert_eq!(change.files, std::slice::from_ref(&file));
    let now = desk.document(&file);
    assert_eq!(now.body, b"Changed outside.\n");
    assert!(now.head.version > before, "edits made on the old text are refused");
    assert!(desk.prompt().contains("Changed outside."));
}

#[test]
fn an_outside_change_during_a_draft_is_a_conflict_and_nothing_is_lost() {
    let (desk, _) = Desk::global(&[SOUL]);
    let file = global("SOUL.md");
    desk.type_over(&file, 0, 4, "Mine");
    write(&desk.path("SOUL.md"), "Theirs.\n");
    desk.wait_for_change();
    let document = desk.document(&file);
    assert_eq!(document.head.state, FileState::Conflict);
    assert_eq!(document.head.conflict.unwrap().theirs.as_deref(), Some("Theirs.\n"));
    assert_eq!(document.body, b"Mine.\r\nBrief.\n");
    let refused = documents::save(&desk.session, file.clone()).unwrap();
    assert_eq!(refused.state, FileState::Conflict);
    assert_eq!(fs::read_to_string(desk.path("SOUL.md")).unwrap(), "Theirs.\n", "nothing was written");
    let kept = documents::keep_mine(&desk.session, file.clone()).unwrap();
    assert_eq!(kept.head.state, FileState::Draft);
    assert_eq!(documents::save(&desk.session, file).unwrap().state, FileState::Saved);
    assert_eq!(fs::read_to_string(desk.path("SOUL.md")).unwrap(), "Mine.\r\nBrief.\n");
}

#[test]
fn a_conflict_that_no_watcher_saw_is_found_by_the_save() {
    let (desk, _) = Desk::global(&[SOUL]);
    let file = global("SOUL.md");
    desk.type_over(&file, 0, 4, "Mine");
    write(&desk.path("SOUL.md"), "Theirs.\n");
    // At once, whether or not the watcher has told yet.
    assert_eq!(documents::save(&desk.session, file.clone()).unwrap().state, FileState::Conflict);
    let theirs = documents::take_disk(&desk.session, file).unwrap();
    assert_eq!((theirs.head.state, theirs.body), (FileState::Saved, b"Theirs.\n".to_vec()));
}

#[test]
fn a_file_that_is_missing_begins_with_the_first_key() {
    let (desk, view) = Desk::global(&[SOUL]);
    let user = view.roots[0].files.iter().find(|file| file.label == "USER.md").unwrap();
    assert_eq!(user.state, FileState::Missing);
    let file = global("USER.md");
    assert_eq!(desk.type_over(&file, 0, 0, "Ines\n"), FileState::Draft);
    assert_eq!(documents::save(&desk.session, file).unwrap().state, FileState::Saved);
    assert_eq!(fs::read_to_string(desk.path("USER.md")).unwrap(), "Ines\n");
}

#[test]
fn a_file_that_is_not_utf8_opens_for_reading_only() {
    let (desk, _) = Desk::global(&[SOUL]);
    fs::write(desk.path("USER.md"), b"name: \xC4\xE3\n").unwrap();
    desk.wait_for_change();
    let document = desk.document(&global("USER.md"));
    assert_eq!(document.head.state, FileState::ReadOnly);
    assert!(document.head.reason.unwrap().contains("offset 6"));
    let changes = vec![TextChange { from: 0, to: 0, insert: "x".into() }];
    let request = EditRequest { file: global("USER.md"), version: document.head.version, changes };
    assert_eq!(documents::edit(&desk.session, request).unwrap_err().code, ErrorCode::Invalid);
}

#[test]
fn sections_that_the_window_holds_come_without_their_text() {
    let (desk, _) = Desk::global(&[SOUL, (".catbuddy/workspace/USER.md", "Ines\n")]);
    let first = desk.preview(PreviewRequest::default());
    assert!(first.head.sections.iter().all(|section| section.fresh && section.spans.is_some()));
    let bytes: u32 = first.head.sections.iter().map(|section| section.bytes).sum();
    assert_eq!((bytes as usize, bytes), (first.body.len(), first.head.bytes));
    desk.type_over(&global("USER.md"), 4, 4, "!");
    let second = desk.preview(PreviewRequest { held: Some(first.head.serial), ..PreviewRequest::default() });
    let fresh: Vec<&str> =
        second.head.sections.iter().filter(|section| section.fresh).map(|section| section.id.as_str()).collect();
    assert_eq!(fresh, ["user"]);
    assert_eq!(second.body, b"## USER.md\n\nInes!\n");
    assert!(second.head.sections.iter().find(|section| section.id == "user").unwrap().draft);
    let again = desk.preview(PreviewRequest { held: Some(first.head.serial), ..PreviewRequest::default() });
    assert!(again.head.sections.iter().all(|section| section.fresh), "a window that is behind gets everything");
}

#[test]
fn parts_and_joins_sum_to_the_total_for_every_model() {
    let (desk, _) = Desk::global(&[SOUL]);
    for model in [None, Some("gpt-4o"), Some("claude-haiku-4-5")] {
        let head = desk.preview(PreviewRequest { model: model.map(str::to_owned), ..PreviewRequest::default() }).head;
        let parts: i64 = head.sections.iter().map(|section| i64::from(section.tokens.total.unwrap())).sum();
        assert_eq!(parts + i64::from(head.joins), i64::from(head.tokens.total.unwrap()), "{model:?}");
        assert_eq!(head.tokens.exact, model != Some("claude-haiku-4-5"));
    }
}

#[test]
fn the_fingerprint_view_shows_what_changed_and_what_the_target_would_serve() {
    let (desk, _) = Desk::global(&[SOUL]);
    let first = desk.preview(PreviewRequest::default()).head.fingerprint;
    assert_eq!((first.changed, first.hit, first.stale), (false, false, false));
    assert!(
        desk.preview(PreviewRequest::default()).head.fingerprint.hit,
        "nothing changed: the target serves its copy"
    );
    desk.type_over(&global("SOUL.md"), 0, 4, "Wild");
    let draft = desk.preview(PreviewRequest::default()).head.fingerprint;
    assert_eq!((draft.changed, draft.hit), (true, false), "saved now, it would be assembled anew");
    let changed: Vec<&str> = draft.parts.iter().filter(|part| part.changed).map(|part| part.name.as_str()).collect();
    assert_eq!(changed, ["SOUL.md"]);
}

#[test]
fn saves_and_outside_changes_are_recorded_and_drafts_are_not() {
    let (desk, _) = Desk::global(&[SOUL]);
    let telegram = || PreviewRequest { channel: Some("telegram".into()), ..PreviewRequest::default() };
    desk.preview(telegram());
    let rows = || past::history(&desk.session, HistoryRequest::default()).unwrap().rows;
    assert!(rows().is_empty());
    desk.type_over(&global("SOUL.md"), 0, 4, "Wild");
    desk.preview(telegram());
    assert!(rows().is_empty(), "a draft is no state of the files");
    documents::save(&desk.session, global("SOUL.md")).unwrap();
    write(&desk.path("TOOLS.md"), "The printer is on floor two.\n");
    desk.wait_for_change();
    let rows = rows();
    let reasons: Vec<&str> = rows.iter().map(|row| row.reason.as_str()).collect();
    assert_eq!(reasons, ["watch", "save"], "newest first");
    assert!(rows[0].prefix_tokens.unwrap() > 0, "what stands before TOOLS.md is unchanged");
}

#[test]
fn the_sample_lives_in_memory() {
    let desk = Desk::new(&[]);
    let view = workspace::open(&desk.session, OpenRequest::Sample).unwrap();
    assert!(view.sample);
    let head = desk.preview(PreviewRequest::default()).head;
    assert!(
        head.skipped.iter().any(|skipped| skipped.reason == "still-default"),
        "the sample shows a section left out"
    );
    let file = global("SOUL.md");
    assert_eq!(desk.type_over(&file, 0, 0, "x"), FileState::Draft);
    assert_eq!(documents::save(&desk.session, file).unwrap_err().code, ErrorCode::Invalid);
    assert!(!desk.path("").exists());
}

#[test]
fn a_starter_makes_files_and_overwrites_none() {
    let desk = Desk::new(&[SOUL]);
    let start = boot::boot(&desk.session, Nothing {}).unwrap();
    assert_eq!(start.found.len(), 1);
    let starter = &start.starters[0];
    assert!(starter.files > 3 && starter.tokens.total.unwrap() > 50);
    workspace::open(&desk.session, OpenRequest::Starter { id: starter.id.clone() }).unwrap();
    assert_eq!(fs::read_to_string(desk.path("SOUL.md")).unwrap(), SOUL.1);
    assert!(desk.path("AGENTS.md").exists());
}

#[test]
fn a_starter_begins_a_home_where_nothing_is() {
    let desk = Desk::new(&[]);
    let start = boot::boot(&desk.session, Nothing {}).unwrap();
    assert!(start.found.is_empty(), "a profile that nobody made is no workspace with a problem");
    workspace::open(&desk.session, OpenRequest::Starter { id: "quiet-helper".into() }).unwrap();
    assert!(desk.path("SOUL.md").exists());
}

#[test]
fn what_was_open_last_is_opened_again() {
    let (desk, _) = Desk::global(&[SOUL]);
    let place = Place { home: desk.home(), ..Place::default() };
    let again = Session::start(SessionOptions { place }, Box::new(|_| {}));
    let start = boot::boot(&again, Nothing {}).unwrap();
    assert_eq!(start.opened.unwrap().path, desk.workspace());
    assert_eq!(start.found[0].missing, ["AGENTS.md", "USER.md", "TOOLS.md"]);
    let closed = boot::close(&again, Nothing {}).unwrap();
    assert!(closed.opened.is_none());
}

#[test]
fn a_project_reads_the_profile_from_the_global_workspace() {
    let desk = Desk::new(&[(".catbuddy/workspace/USER.md", "Ines\n"), ("harbour/.catbuddy/SOUL.md", "project soul\n")]);
    let path = desk.home().join("harbour").to_string_lossy().into_owned();
    let view = workspace::open(&desk.session, OpenRequest::Project { path }).unwrap();
    assert_eq!((view.name.as_str(), view.layered), ("harbour", true));
    assert_eq!(view.projects.iter().map(|project| project.open).collect::<Vec<_>>(), [true]);
    let prompt = desk.prompt();
    assert!(prompt.contains("## SOUL.md\n\nproject soul\n") && prompt.contains("## USER.md\n\nInes\n"));
    let head = desk.preview(PreviewRequest::default()).head;
    let user = head.sections.iter().find(|section| section.id == "user").unwrap();
    let files: Vec<_> = user.spans.iter().flatten().filter_map(|span| span.source.file.clone()).collect();
    assert_eq!(files, [global("USER.md")], "a click on the span opens the profile's file");
}

#[test]
fn a_model_is_offered_once_for_each_provider() {
    let (_desk, view) = Desk::global(&[SOUL]);
    let names: std::collections::BTreeSet<(&str, &str)> =
        view.models.iter().map(|model| (model.provider.as_str(), model.id.as_str())).collect();
    assert_eq!(names.len(), view.models.len());
    assert_eq!(view.models[0].provider, "anthropic", "the well-known providers come first");
}

#[test]
fn named_contexts_change_the_preview_and_bad_ones_say_where() {
    let (desk, _) = Desk::global(&[SOUL]);
    let save = ContextSave { name: "evening".into(), json: r#"{"channel":"email","message":"Hi"}"#.into() };
    assert_eq!(contexts::save_context(&desk.session, save).unwrap().names, ["evening"]);
    let current = settings::settings(&desk.session, Nothing {}).unwrap();
    settings::save_settings(&desk.session, Settings { context: Some("evening".into()), ..current }).unwrap();
    let head = desk.preview(PreviewRequest::default()).head;
    assert_eq!(head.channel.as_deref(), Some("email"));
    assert!(head.user_message.starts_with("Hi\n\n[runtime: Time: "));
    let flag = desk.preview(PreviewRequest { channel: Some("cli".into()), ..PreviewRequest::default() }).head;
    assert_eq!(flag.channel.as_deref(), Some("cli"), "a tab beats the context");
    let check = contexts::check_context(&desk.session, ContextText { json: r#"{"chanel":"x"}"#.into() }).unwrap();
    assert_eq!(check.key.as_deref(), Some("chanel"));
    assert!(check.error.unwrap().contains("\"channel\""));
}

#[test]
fn a_budget_says_what_was_given_up() {
    let tools = (".catbuddy/workspace/TOOLS.md", "The printer is on floor two, by the window.\n");
    let (desk, _) = Desk::global(&[SOUL, tools]);
    let total = desk.preview(PreviewRequest::default()).head.tokens.total.unwrap();
    let cut = desk.preview(PreviewRequest { max_tokens: Some(total - 1), ..PreviewRequest::default() }).head;
    assert!(cut.tokens.high.unwrap() < total);
    assert!(cut.skipped.iter().any(|skipped| skipped.reason == "budget" && skipped.tokens.unwrap() > 0));
}

#[test]
fn no_path_leads_out_of_the_roots() {
    let (desk, _) = Desk::global(&[SOUL, ("secret.txt", "s")]);
    for path in ["../../secret.txt", "/etc/passwd", "memory/../../../secret.txt", "", "SOUL.md\0"] {
        let error = documents::document(&desk.session, global(path)).unwrap_err();
        assert_eq!(error.code, ErrorCode::NotFound, "{path:?}");
    }
}
