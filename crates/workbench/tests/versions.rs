//! Versions and merging through the window's commands, over temporary homes.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed test panics")]

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use tempfile::TempDir;
use workbench::api::{
    EditRequest, ErrorCode, FileProblem, FileRef, FileState, HunkKindView, MergeProblem, MergedRequest, OpenRequest,
    RootId, SaveAgreed, TextChange, VersionKindView, VersionRequest, VersionsRequest,
};
use workbench::place::Place;
use workbench::window::{documents, merge, versions, workspace};
use workbench::{Session, SessionOptions};

struct Desk {
    home: TempDir,
    session: Arc<Session>,
}

impl Desk {
    fn new(text: &[u8]) -> Self {
        let home = TempDir::with_prefix("cbw-versions-").unwrap();
        let folder = home.path().canonicalize().unwrap();
        fs::create_dir_all(folder.join(".catbuddy/workspace")).unwrap();
        fs::write(folder.join(".catbuddy/workspace/USER.md"), text).unwrap();
        let place = Place { home: folder.clone(), ..Place::default() };
        let session = Session::start(SessionOptions { place }, Box::new(|_| {}));
        let path = folder.join(".catbuddy/workspace").to_string_lossy().into_owned();
        workspace::open(&session, OpenRequest::Workspace { path }).unwrap();
        Self { home, session }
    }

    fn path(&self) -> PathBuf {
        self.home.path().join(".catbuddy/workspace/USER.md")
    }

    /// Replaces the whole text.
    fn type_all(&self, text: &str) -> FileState {
        let document = documents::document(&self.session, user()).unwrap();
        let to = String::from_utf8(document.body).unwrap().encode_utf16().count() as u32;
        let changes = vec![TextChange { from: 0, to, insert: text.to_owned() }];
        let request = EditRequest { file: user(), version: document.head.version, changes };
        documents::edit(&self.session, request).unwrap().state
    }

    fn save(&self, text: &str) {
        self.type_all(text);
        assert_eq!(documents::save(&self.session, user()).unwrap().state, FileState::Saved);
    }

    /// Somebody else writes, and the window has seen it.
    fn write_outside(&self, bytes: &[u8]) {
        fs::write(self.path(), bytes).unwrap();
        self.wait_for_disk(bytes);
    }

    fn wait_for_disk(&self, bytes: &[u8]) {
        let hash = blake3_hex(bytes);
        for _ in 0..4_000 {
            if merge::merge(&self.session, user()).unwrap().disk.as_deref() == Some(&hash) {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        panic!("the change was never seen");
    }

    fn listed(&self) -> Vec<(VersionKindView, String, bool)> {
        let list = versions::versions(&self.session, VersionsRequest { file: user(), before: None }).unwrap();
        assert!(list.kept && !list.more);
        list.versions
            .iter()
            .map(|version| {
                let text = versions::version(&self.session, VersionRequest { file: user(), id: version.id }).unwrap();
                (version.kind, String::from_utf8(text.body).unwrap(), version.current)
            })
            .collect()
    }
}

fn blake3_hex(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

fn user() -> FileRef {
    FileRef { root: RootId::Global, path: "USER.md".to_owned() }
}

use VersionKindView::{Draft, Found, Saved};

#[test]
fn each_save_keeps_what_was_there_before_and_what_it_wrote() {
    let desk = Desk::new(b"first\r\n");
    desk.save("second\n");
    desk.save("third\n");
    let expected = [(Saved, "third\n", true), (Saved, "second\n", false), (Found, "first\r\n", false)]
        .map(|(kind, text, now)| (kind, text.to_owned(), now));
    assert_eq!(desk.listed(), expected);
    let list = versions::versions(&desk.session, VersionsRequest { file: user(), before: None }).unwrap().versions;
    assert_eq!(list.iter().map(|version| version.change).collect::<Vec<_>>(), [Some(-1), Some(0), None]);
    let older = VersionsRequest { file: user(), before: Some(list[1].id) };
    assert_eq!(versions::versions(&desk.session, older).unwrap().versions.len(), 1);
}

#[test]
fn what_somebody_else_wrote_between_two_saves_is_a_version() {
    let desk = Desk::new(b"first\n");
    desk.save("second\n");
    desk.write_outside(b"theirs\n");
    desk.save("third\n");
    let texts: Vec<_> = desk.listed().into_iter().map(|(_, text, _)| text).collect();
    assert_eq!(texts, ["third\n", "theirs\n", "second\n", "first\n"]);
}

#[test]
fn what_is_thrown_away_is_kept_first() {
    let desk = Desk::new(b"first\n");
    desk.type_all("mine\n");
    documents::take_disk(&desk.session, user()).unwrap();
    assert_eq!(desk.listed(), [(Draft, "mine\n".to_owned(), false)]);

    desk.type_all("mine again\n");
    desk.write_outside(b"theirs\n");
    documents::keep_mine(&desk.session, user()).unwrap();
    assert_eq!(desk.listed()[0], (Found, "theirs\n".to_owned(), true));
}

#[test]
fn bytes_that_are_no_text_are_kept_and_come_back_exactly() {
    let odd = b"name: \xC4\xE3\r\n\0";
    let desk = Desk::new(b"first\n");
    desk.type_all("mine\n");
    desk.write_outside(odd);
    documents::keep_mine(&desk.session, user()).unwrap();
    assert_eq!(documents::save(&desk.session, user()).unwrap().state, FileState::Saved);
    let list = versions::versions(&desk.session, VersionsRequest { file: user(), before: None }).unwrap().versions;
    let request = VersionRequest { file: user(), id: list[1].id };
    let head = versions::version(&desk.session, request.clone()).unwrap().head;
    assert_eq!((head.text, head.bytes), (false, odd.len() as u64));
    desk.type_all("draft\n");
    assert_eq!(versions::restore_version(&desk.session, request.clone()).unwrap_err().code, ErrorCode::Invalid);
    documents::take_disk(&desk.session, user()).unwrap();
    assert_eq!(versions::restore_version(&desk.session, request).unwrap().state, FileState::ReadOnly);
    assert_eq!(fs::read(desk.path()).unwrap(), odd);
}

#[test]
fn a_save_that_cannot_keep_the_state_before_writes_nothing_until_the_person_agrees() {
    let desk = Desk::new(b"first\n");
    desk.session.flush();
    // Another program holds the database: it can be read, and not be written.
    let database = desk.home.path().join(".catbuddy/workbench/history.db");
    let holder = rusqlite::Connection::open(&database).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    desk.type_all("second\n");
    let refused = documents::save(&desk.session, user()).unwrap();
    assert_eq!(refused.problem.unwrap().kind, FileProblem::VersionNotKept);
    assert_eq!(fs::read(desk.path()).unwrap(), b"first\n");
    let agreed = SaveAgreed { file: user(), without_version: true, in_place: false, outside: false };
    assert_eq!(documents::save_agreed(&desk.session, agreed).unwrap().state, FileState::Saved);
    assert_eq!(fs::read(desk.path()).unwrap(), b"second\n");
}

#[test]
fn both_changes_are_in_the_file_after_a_merge() {
    let desk = Desk::new(b"name: Ana\nlikes: tea\nlives: Porto\n");
    desk.type_all("name: Ana Luz\nlikes: tea\nlives: Porto\n");
    desk.write_outside(b"name: Ana\nlikes: tea\nlives: Lisbon\n");
    let view = merge::merge(&desk.session, user()).unwrap();
    assert!(view.problem.is_none() && view.base_known);
    let kinds: Vec<_> = view.hunks.iter().map(|hunk| hunk.kind).collect();
    assert_eq!(kinds, [HunkKindView::Mine, HunkKindView::Same, HunkKindView::Theirs]);
    let text: String = view
        .hunks
        .iter()
        .map(|hunk| if hunk.kind == HunkKindView::Theirs { hunk.theirs.as_str() } else { hunk.mine.as_str() })
        .collect();
    assert_eq!(desk.type_all(&text), FileState::Conflict, "an edit alone decides nothing");
    let request = MergedRequest { file: user(), disk: view.disk };
    assert_eq!(merge::merged(&desk.session, request).unwrap().head.state, FileState::Draft);
    assert_eq!(documents::save(&desk.session, user()).unwrap().state, FileState::Saved);
    assert_eq!(fs::read(desk.path()).unwrap(), b"name: Ana Luz\nlikes: tea\nlives: Lisbon\n");
}

#[test]
fn a_merge_with_a_text_that_changed_again_is_refused() {
    let desk = Desk::new(b"a\n");
    desk.type_all("mine\n");
    desk.write_outside(b"theirs\n");
    let seen = merge::merge(&desk.session, user()).unwrap().disk;
    desk.write_outside(b"theirs again\n");
    let error = merge::merged(&desk.session, MergedRequest { file: user(), disk: seen }).unwrap_err();
    assert_eq!(error.code, ErrorCode::Conflict);
    assert_eq!(documents::document(&desk.session, user()).unwrap().head.state, FileState::Conflict);
}

#[test]
fn a_conflict_marks_its_words_in_the_window_s_units() {
    let desk = Desk::new("🦀 speaks Spanish\n".as_bytes());
    desk.type_all("🦀 speaks French\n");
    desk.write_outside("🦀 speaks Italian\n".as_bytes());
    let hunks = merge::merge(&desk.session, user()).unwrap().hunks;
    let marks = |ranges: &[workbench::api::RangeView]| ranges.iter().map(|r| (r.start, r.end)).collect::<Vec<_>>();
    // The crab is two units.
    assert_eq!(marks(&hunks[0].mine_marks), [(10, 16)]);
    assert_eq!(marks(&hunks[0].theirs_marks), [(10, 17)]);
}

#[test]
fn what_cannot_be_merged_says_why() {
    let desk = Desk::new(b"a\n");
    desk.type_all("mine\n");
    desk.write_outside(b"\xFF\n");
    let view = merge::merge(&desk.session, user()).unwrap();
    assert_eq!((view.problem, view.hunks.len()), (Some(MergeProblem::NotUtf8), 0));
    let huge = vec![b'x'; 8 * 1024 * 1024 + 1];
    desk.write_outside(&huge);
    assert_eq!(merge::merge(&desk.session, user()).unwrap().problem, Some(MergeProblem::TooLarge));
    fs::remove_file(desk.path()).unwrap();
    for _ in 0..4_000 {
        if merge::merge(&desk.session, user()).unwrap().problem == Some(MergeProblem::Gone) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    panic!("the file is gone, and nobody said so");
}

#[test]
fn a_restored_draft_can_still_be_merged() {
    let desk = Desk::new(b"a\nb\nc\n");
    desk.type_all("A\nb\nc\n");
    let Desk { home, session } = desk;
    drop(session);
    fs::write(home.path().join(".catbuddy/workspace/USER.md"), "a\nb\nC\n").unwrap();
    let place = Place { home: home.path().canonicalize().unwrap(), ..Place::default() };
    let session = Session::start(SessionOptions { place }, Box::new(|_| {}));
    let path = home.path().canonicalize().unwrap().join(".catbuddy/workspace").to_string_lossy().into_owned();
    workspace::open(&session, OpenRequest::Workspace { path }).unwrap();
    let view = merge::merge(&session, user()).unwrap();
    let kinds: Vec<_> = view.hunks.iter().map(|hunk| hunk.kind).collect();
    assert_eq!(kinds, [HunkKindView::Mine, HunkKindView::Same, HunkKindView::Theirs], "the base came back, too");
}
