//! A home on a disk that is full: what is typed stays, says that it is not kept, and is kept once there is room.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr, reason = "a failed test panics, a reader is told")]

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use workbench::api::{
    EditRequest, FileProblem, FileRef, FileState, Nothing, OpenRequest, RootId, SaveAgreed, TextChange,
};
use workbench::place::Place;
use workbench::window::{documents, workspace};
use workbench::{Session, SessionOptions};

const SOUL: &str = "Calm.\nBrief.\n";

/// A disk of four megabytes, gone when dropped.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    /// `None` where a disk cannot be mounted.
    fn new() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let made = Command::new("mount").args(["-t", "tmpfs", "-o", "size=4m", "none"]).arg(folder.path()).status();
        made.is_ok_and(|status| status.success()).then(|| Self(folder))
    }

    fn soul(&self) -> PathBuf {
        self.0.path().join(".catbuddy/workspace/SOUL.md")
    }

    /// Leaves no room at all.
    fn fill(&self) {
        let mut filler = File::create(self.0.path().join("filler")).unwrap();
        for size in [64 * 1024, 4096, 1] {
            while filler.write_all(&vec![b'x'; size]).is_ok() {}
        }
    }

    fn make_room(&self) {
        fs::remove_file(self.0.path().join("filler")).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(self.0.path()).status();
    }
}

fn window(home: &Path, workspace: &Path) -> Arc<Session> {
    let place = Place { home: home.to_owned(), ..Place::default() };
    let session = Session::start(SessionOptions { place }, Box::new(|_| {}));
    let path = workspace.to_string_lossy().into_owned();
    workspace::open(&session, OpenRequest::Workspace { path }).unwrap();
    session
}

fn file() -> FileRef {
    FileRef { root: RootId::Global, path: "SOUL.md".to_owned() }
}

fn type_in(session: &Session, text: &str) {
    let version = documents::document(session, file()).unwrap().head.version;
    let changes = vec![TextChange { from: 0, to: 0, insert: text.to_owned() }];
    documents::edit(session, EditRequest { file: file(), version, changes }).unwrap();
}

fn in_memory_only(session: &Session) -> bool {
    let view = workspace::workspace(session, Nothing {}).unwrap();
    view.findings.iter().any(|finding| finding.id == "drafts-in-memory" && finding.message.contains("disk is full"))
}

fn wait_until(what: &str, condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_mins(1), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Hexadecimal digits of hashes: they do not compress below a half.
fn noise(length: usize) -> String {
    let mut text = String::new();
    let mut seed = 1_u64;
    while text.len() < length {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        text.push(char::from(b'0' + (seed >> 58) as u8));
    }
    text
}

#[test]
fn nothing_is_lost_and_everything_is_said() {
    let Some(disk) = SmallDisk::new() else { return eprintln!("left out, a disk cannot be mounted here") };
    let home = disk.0.path().canonicalize().unwrap();
    fs::create_dir_all(disk.soul().parent().unwrap()).unwrap();
    fs::write(disk.soul(), SOUL).unwrap();
    let session = window(&home, &home.join(".catbuddy/workspace"));
    type_in(&session, "Kept. ");
    session.flush();
    assert!(!in_memory_only(&session));

    disk.fill();
    let long = noise(300_000);
    type_in(&session, &long);
    let typed = format!("{long}Kept. {SOUL}");
    wait_until("the window says that the draft is not kept", || in_memory_only(&session));
    let shown = documents::document(&session, file()).unwrap();
    assert!(String::from_utf8(shown.body).unwrap() == typed, "the text is in the window");

    for without_version in [false, true] {
        let agreed = SaveAgreed { file: file(), without_version, in_place: false, outside: false };
        let saved = documents::save_agreed(&session, agreed).unwrap();
        assert_eq!(saved.state, FileState::Error);
        // Whether the small state before still fits depends on what the database had spare; the long new one never does.
        let told = saved.problem.unwrap().kind;
        assert!(told == FileProblem::DiskFull || (told == FileProblem::VersionNotKept && !without_version), "{told:?}");
        assert_eq!(fs::read_to_string(disk.soul()).unwrap(), SOUL, "the file is as it was");
        let shown = documents::document(&session, file()).unwrap();
        assert!(String::from_utf8(shown.body).unwrap() == typed, "the draft is as it was");
    }

    disk.make_room();
    wait_until("once there is room the draft is kept", || !in_memory_only(&session));
    drop(session);
    let session = window(&home, &home.join(".catbuddy/workspace"));
    assert!(String::from_utf8(documents::document(&session, file()).unwrap().body).unwrap() == typed, "it came back");
    assert_eq!(documents::save(&session, file()).unwrap().state, FileState::Saved);
    assert!(fs::read_to_string(disk.soul()).unwrap() == typed);
}

#[test]
fn a_state_that_cannot_be_kept_is_a_choice_and_no_silent_loss() {
    let Some(disk) = SmallDisk::new() else { return eprintln!("left out, a disk cannot be mounted here") };
    // The history is on the full disk, the workspace on one with room.
    let home = disk.0.path().canonicalize().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let soul = elsewhere.path().join("SOUL.md");
    let before = noise(400_000);
    fs::write(&soul, &before).unwrap();
    let session = window(&home, elsewhere.path());
    let file = [RootId::Workspace, RootId::Global]
        .map(|root| FileRef { root, path: "SOUL.md".to_owned() })
        .into_iter()
        .find(|file| {
            let document = documents::document(&session, file.clone());
            document.is_ok_and(|document| document.head.absolute.ends_with(&*soul.to_string_lossy()))
        })
        .unwrap();
    let version = documents::document(&session, file.clone()).unwrap().head.version;
    disk.fill();
    let changes = vec![TextChange { from: 0, to: 400_000, insert: "Short.\n".to_owned() }];
    documents::edit(&session, EditRequest { file: file.clone(), version, changes }).unwrap();
    let saved = documents::save(&session, file.clone()).unwrap();
    assert_eq!(
        (saved.state, saved.problem.map(|problem| problem.kind)),
        (FileState::Error, Some(FileProblem::VersionNotKept))
    );
    assert!(saved.reason.unwrap().contains("save without keeping that state"));
    assert!(fs::read_to_string(&soul).unwrap() == before, "nothing was written");
    let shown = documents::document(&session, file.clone()).unwrap();
    assert_eq!(String::from_utf8(shown.body).unwrap(), "Short.\n", "the draft is as it was");
    let agreed = SaveAgreed { file, without_version: true, in_place: false, outside: false };
    assert_eq!(documents::save_agreed(&session, agreed).unwrap().state, FileState::Saved);
    assert_eq!(fs::read_to_string(&soul).unwrap(), "Short.\n");
}
