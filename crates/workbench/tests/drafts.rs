//! Drafts that outlive their window, and windows that share a workspace: over temporary homes, without a window.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed test panics")]

use std::fs;
use std::io::{BufRead, BufReader, Write, stdout};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use workbench::api::{
    DocumentView, EditRequest, FileProblem, FileRef, FileState, Framed, LostDrafts, Nothing, OpenRequest, RootId,
    SaveAgreed, TextChange, WorkspaceView,
};
use workbench::place::Place;
use workbench::window::{boot, documents, lost_drafts, workspace};
use workbench::{Session, SessionOptions};

const SOUL: &str = "Calm.\r\nBrief.\n";

struct Home(TempDir);

impl Home {
    fn new() -> Self {
        let home = Self(TempDir::with_prefix("cbw-drafts-").unwrap());
        home.write("SOUL.md", SOUL);
        home
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(".catbuddy/workspace").join(name)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn database(&self) -> PathBuf {
        self.0.path().join(".catbuddy/workbench/history.db")
    }

    fn window(&self) -> Window {
        Window::over(&self.0.path().canonicalize().unwrap())
    }
}

/// One window on the global workspace of a home.
struct Window {
    session: Arc<Session>,
    view: WorkspaceView,
}

impl Window {
    fn over(home: &Path) -> Self {
        let place = Place { home: home.to_owned(), ..Place::default() };
        let session = Session::start(SessionOptions { place }, Box::new(|_| {}));
        let path = home.join(".catbuddy/workspace").to_string_lossy().into_owned();
        let view = workspace::open(&session, OpenRequest::Workspace { path }).unwrap();
        Self { session, view }
    }

    fn document(&self, file: &FileRef) -> Framed<DocumentView> {
        documents::document(&self.session, file.clone()).unwrap()
    }

    fn text(&self, file: &FileRef) -> String {
        String::from_utf8(self.document(file).body).unwrap()
    }

    fn type_at(&self, file: &FileRef, from: u32, to: u32, insert: &str) -> FileState {
        let version = self.document(file).head.version;
        let changes = vec![TextChange { from, to, insert: insert.to_owned() }];
        documents::edit(&self.session, EditRequest { file: file.clone(), version, changes }).unwrap().state
    }

    fn now(&self) -> WorkspaceView {
        workspace::workspace(&self.session, Nothing {}).unwrap()
    }
}

fn file(path: &str) -> FileRef {
    FileRef { root: RootId::Global, path: path.to_owned() }
}

fn wait_until(what: &str, condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(20), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_draft_comes_back_in_the_next_window_and_is_told() {
    let home = Home::new();
    let first = home.window();
    assert_eq!(first.view.restored, []);
    first.type_at(&file("SOUL.md"), 0, 4, "Wild");
    drop(first);
    assert_eq!(fs::read_to_string(home.path("SOUL.md")).unwrap(), SOUL);

    let second = home.window();
    assert_eq!(second.view.restored, [file("SOUL.md")]);
    assert_eq!(second.document(&file("SOUL.md")).head.state, FileState::Draft);
    assert_eq!(second.text(&file("SOUL.md")), "Wild.\r\nBrief.\n");
    let disk = documents::disk(&second.session, file("SOUL.md")).unwrap();
    assert_eq!((disk.head.exists, disk.head.text, disk.body), (true, true, SOUL.as_bytes().to_vec()));
    assert_eq!(second.type_at(&file("SOUL.md"), 0, 4, "Calm"), FileState::Saved, "typed back, it is no draft");
    drop(second);
    assert_eq!(home.window().view.restored, []);
}

#[test]
fn a_draft_whose_file_changed_meanwhile_comes_back_as_a_conflict_and_can_be_saved() {
    let home = Home::new();
    home.window().type_at(&file("SOUL.md"), 0, 4, "Wild");
    home.write("SOUL.md", "Theirs.\n");
    let window = home.window();
    assert_eq!(window.document(&file("SOUL.md")).head.state, FileState::Conflict);
    assert_eq!(documents::save(&window.session, file("SOUL.md")).unwrap().state, FileState::Conflict);
    documents::keep_mine(&window.session, file("SOUL.md")).unwrap();
    assert_eq!(documents::save(&window.session, file("SOUL.md")).unwrap().state, FileState::Saved);
    assert_eq!(fs::read_to_string(home.path("SOUL.md")).unwrap(), "Wild.\r\nBrief.\n");
    drop(window);
    assert_eq!(home.window().view.restored, [], "saved is no draft any more");
}

#[test]
fn closing_the_workspace_keeps_its_drafts() {
    let home = Home::new();
    let window = home.window();
    window.type_at(&file("SOUL.md"), 0, 0, "x");
    boot::close(&window.session, Nothing {}).unwrap();
    let path = window.view.path.clone();
    let again = workspace::open(&window.session, OpenRequest::Workspace { path }).unwrap();
    assert_eq!(again.restored, [file("SOUL.md")]);
}

#[test]
fn a_draft_outlives_its_file_its_skill_folder_and_what_cannot_be_decoded() {
    let home = Home::new();
    home.write("USER.md", "Ines\n");
    home.write("skills/tide/SKILL.md", "---\ndescription: Tides\n---\nBody\n");
    let window = home.window();
    let (user, skill, soul) = (file("USER.md"), file("skills/tide/SKILL.md"), file("SOUL.md"));
    for file in [&user, &skill, &soul] {
        window.type_at(file, 0, 0, "Mine ");
    }
    drop(window);
    fs::remove_file(home.path("USER.md")).unwrap();
    fs::remove_dir_all(home.path("skills/tide")).unwrap();
    fs::write(home.path("SOUL.md"), b"\xC4\xE3").unwrap();

    let window = home.window();
    assert_eq!(window.view.restored, [soul.clone(), user.clone(), skill.clone()]);
    for file in [&user, &skill, &soul] {
        assert_eq!(window.document(file).head.state, FileState::Conflict, "{}", file.path);
        assert!(window.text(file).starts_with("Mine "));
        let listed = window.view.roots[0].files.iter().find(|item| item.path == file.path).unwrap();
        assert_eq!(listed.state, FileState::Conflict);
    }
    documents::keep_mine(&window.session, skill.clone()).unwrap();
    assert_eq!(documents::save(&window.session, skill).unwrap().state, FileState::Saved, "the folder is made again");
    assert!(fs::read_to_string(home.path("skills/tide/SKILL.md")).unwrap().starts_with("Mine ---\n"));
    let disk = documents::disk(&window.session, soul).unwrap().head;
    assert_eq!((disk.exists, disk.text), (true, false));
}

#[test]
fn two_windows_keep_their_own_drafts_and_tell_of_each_other() {
    let home = Home::new();
    let (one, two) = (home.window(), home.window());
    let soul = file("SOUL.md");
    one.type_at(&soul, 0, 4, "One");
    one.session.flush();
    assert!(two.document(&soul).head.elsewhere, "the second window says so");
    assert!(!one.document(&soul).head.elsewhere);
    two.type_at(&soul, 0, 4, "Two");
    two.session.flush();
    assert_eq!(home.window().view.restored, [], "drafts of windows that are alive are left alone");
    assert_eq!(documents::save(&one.session, soul.clone()).unwrap().state, FileState::Saved);
    wait_until("the second window sees the change", || two.document(&soul).head.state == FileState::Conflict);
    assert_eq!(two.text(&soul), "Two.\r\nBrief.\n");
    assert_eq!(fs::read_to_string(home.path("SOUL.md")).unwrap(), "One.\r\nBrief.\n");
    assert!(!two.document(&soul).head.elsewhere, "the first has no unsaved edits now");
    drop(two);
    assert_eq!(home.window().text(&soul), "Two.\r\nBrief.\n");
}

#[test]
fn without_a_history_drafts_live_in_memory_and_that_is_told() {
    let home = Home::new();
    home.window();
    let database = rusqlite_version(&home.database(), 99);
    assert!(database, "the file stands there");
    let window = home.window();
    let told: Vec<_> = window.view.findings.iter().map(|finding| finding.id.as_str()).collect();
    assert!(told.contains(&"drafts-in-memory"), "{told:?}");
    assert_eq!(window.type_at(&file("SOUL.md"), 0, 4, "Wild"), FileState::Draft);
    assert_eq!(documents::save(&window.session, file("SOUL.md")).unwrap().state, FileState::Saved, "saving works");
}

/// Writes a schema version into the header of the database: that of a newer program.
fn rusqlite_version(path: &Path, version: u32) -> bool {
    // `user_version` is the big-endian number at byte 60 of the header (SQLite file format, 1.3).
    let _ = fs::remove_file(path.with_extension("db-wal"));
    let Ok(mut bytes) = fs::read(path) else { return false };
    bytes[60..64].copy_from_slice(&version.to_be_bytes());
    fs::write(path, bytes).is_ok()
}

#[test]
fn each_failed_save_says_what_it_is_and_keeps_the_draft() {
    let home = Home::new();
    home.write("USER.md", "Ines\n");
    let window = home.window();
    let (soul, user) = (file("SOUL.md"), file("USER.md"));
    window.type_at(&soul, 0, 4, "Wild");
    fs::hard_link(home.path("SOUL.md"), home.path("other-name.md")).unwrap();
    let refused = documents::save(&window.session, soul.clone()).unwrap();
    let problem = refused.problem.unwrap();
    assert_eq!((refused.state, problem.kind, problem.saving), (FileState::Error, FileProblem::HardLinked, true));
    assert_eq!(window.text(&soul), "Wild.\r\nBrief.\n");
    let agreed = SaveAgreed { file: soul, without_version: false, in_place: true, outside: false };
    assert_eq!(documents::save_agreed(&window.session, agreed).unwrap().state, FileState::Saved);
    assert_eq!(fs::read_to_string(home.path("other-name.md")).unwrap(), "Wild.\r\nBrief.\n");

    window.type_at(&user, 0, 0, "Dona ");
    fs::rename(home.path(""), home.0.path().join(".catbuddy/elsewhere")).unwrap();
    let gone = documents::save(&window.session, user.clone()).unwrap();
    // A file that vanished is a conflict before it is anything else; kept, it is the folder that is missing.
    assert_eq!(gone.state, FileState::Conflict);
    documents::keep_mine(&window.session, user.clone()).unwrap();
    let gone = documents::save(&window.session, user.clone()).unwrap();
    assert_eq!(gone.problem.unwrap().kind, FileProblem::FolderGone);
    assert_eq!(window.text(&user), "Dona Ines\n");
}

const CHILD: &str = "CBW_DRAFTS_CHILD";

/// A process types through the window's commands and is killed. What it typed 500 ms before is there, at the latest.
#[test]
fn a_window_that_is_killed_loses_no_word() {
    if let Some(home) = std::env::var_os(CHILD) {
        let window = Window::over(Path::new(&home));
        for word in 0.. {
            window.type_at(&file("USER.md"), 0, 0, "word ");
            window.session.flush();
            writeln!(stdout(), "typed {word}").unwrap();
        }
    }
    let rounds = if std::env::var_os("CBW_LONG").is_some() { 200 } else { 5 };
    for round in 0..rounds {
        let home = Home::new();
        let mut process = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "a_window_that_is_killed_loses_no_word", "--nocapture"])
            .env(CHILD, home.0.path().canonicalize().unwrap())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let enough = 1 + 4 * (round % 7);
        let mut typed = 0;
        for line in BufReader::new(process.stdout.take().unwrap()).lines() {
            let Some(word) = line.unwrap().strip_prefix("typed ").and_then(|rest| rest.parse::<usize>().ok()) else {
                continue;
            };
            typed = word + 1;
            if typed == enough {
                process.kill().unwrap();
            }
        }
        process.wait().unwrap();
        assert!(typed >= enough, "it died before the kill");
        let window = home.window();
        assert_eq!(window.view.restored, [file("USER.md")]);
        let text = window.text(&file("USER.md"));
        assert!(text.len() >= 5 * typed, "round {round}: {text:?} after {typed} words");
        assert_eq!(window.now().roots[0].files.iter().filter(|item| item.state == FileState::Draft).count(), 1);
    }
}

#[test]
fn a_key_press_is_kept_within_moments_and_never_waits() {
    let home = Home::new();
    let window = home.window();
    let long = "A line of sixty-four characters, as they are typed by people.\n".repeat(4096);
    window.type_at(&file("USER.md"), 0, 0, &long);
    window.session.flush();
    let (mut slowest_edit, mut slowest_keep) = (Duration::ZERO, Duration::ZERO);
    for _ in 0..20 {
        let version = window.document(&file("USER.md")).head.version;
        let changes = vec![TextChange { from: 9, to: 9, insert: "x".into() }];
        let start = Instant::now();
        documents::edit(&window.session, EditRequest { file: file("USER.md"), version, changes }).unwrap();
        slowest_edit = slowest_edit.max(start.elapsed());
        window.session.flush();
        slowest_keep = slowest_keep.max(start.elapsed());
    }
    // Measured, not asserted: a test holds no time. The table of benchmarks does.
    #[allow(clippy::print_stdout, reason = "the figures are for whoever reads the test's output")]
    {
        println!("256 KiB: edit {slowest_edit:?}, kept {slowest_keep:?} at the most");
    }
}

/// What the lists of drafts say: folder gone or not, and path.
fn lost(session: &Session) -> LostDrafts {
    lost_drafts::lost_drafts(session, Nothing {}).unwrap()
}

fn started(home: &Home) -> Arc<Session> {
    let place = Place { home: home.0.path().canonicalize().unwrap(), ..Place::default() };
    Session::start(SessionOptions { place }, Box::new(|_| {}))
}

#[test]
fn drafts_of_a_folder_that_is_gone_are_told_read_and_thrown_away() {
    let home = Home::new();
    let window = home.window();
    let soul = file("SOUL.md");
    window.type_at(&soul, 0, 0, "Mine. ");
    window.session.flush();
    assert!(lost(&window.session).drafts.is_empty(), "what is open is not lost");
    let other = started(&home);
    assert!(lost(&other).drafts.is_empty(), "the window that types it shows it");
    drop(window);
    assert!(lost(&other).drafts.is_empty(), "its workspace is in the list and brings it back");

    fs::rename(home.path(""), home.0.path().join(".catbuddy/moved")).unwrap();
    let drafts = lost(&other).drafts;
    assert_eq!(drafts.len(), 1);
    assert!(!drafts[0].exists && drafts[0].name.path == "SOUL.md");
    assert_eq!(
        drafts[0].name.folder,
        home.0.path().canonicalize().unwrap().join(".catbuddy/workspace").to_string_lossy()
    );
    let read = lost_drafts::lost_draft(&other, drafts[0].name.clone()).unwrap();
    assert_eq!(String::from_utf8(read.body).unwrap(), format!("Mine. {SOUL}"));
    assert_eq!(read.head.damage, None);

    let left = lost_drafts::discard_lost_draft(&other, drafts[0].name.clone()).unwrap();
    assert!(left.drafts.is_empty());
    let again = lost_drafts::discard_lost_draft(&other, drafts[0].name.clone()).unwrap_err();
    assert!(again.message.contains("not there any more"), "{}", again.message);
    let database = rusqlite::Connection::open(home.database()).unwrap();
    let (kind, length): (String, usize) = database
        .query_row(
            "SELECT kind, length FROM versions JOIN contents ON contents.id = content ORDER BY versions.id DESC",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .unwrap();
    assert_eq!((kind.as_str(), length), ("draft", "Mine. ".len() + SOUL.len()), "it became a version");
}

#[test]
fn a_lost_draft_comes_back_with_its_folder() {
    let home = Home::new();
    let window = home.window();
    let soul = file("SOUL.md");
    window.type_at(&soul, 0, 0, "Mine. ");
    window.session.flush();
    drop(window);
    let aside = home.0.path().join(".catbuddy/moved");
    fs::rename(home.path(""), &aside).unwrap();
    assert_eq!(lost(&started(&home)).drafts.len(), 1);
    fs::rename(&aside, home.path("")).unwrap();
    let window = home.window();
    assert_eq!(window.text(&file("SOUL.md")), format!("Mine. {SOUL}"));
    assert!(lost(&window.session).drafts.is_empty());
}
