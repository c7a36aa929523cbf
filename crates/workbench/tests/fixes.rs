//! Repairs and conversions over a temporary home, without a window.

#![allow(clippy::unwrap_used, reason = "a failed test panics")]

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use tempfile::TempDir;
use workbench::api::{ConvertRequest, ErrorCode, FileRef, FileState, FixRequest, OpenRequest, RootId};
use workbench::place::Place;
use workbench::window::{documents, fixes, workspace};
use workbench::{Session, SessionOptions};

struct Desk {
    home: TempDir,
    session: Arc<Session>,
}

fn desk(files: &[(&str, &[u8])]) -> Desk {
    let home = TempDir::with_prefix("cbw-fixes-").unwrap();
    let desk = Desk { session: session(&home), home };
    for (name, bytes) in files {
        let path = desk.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    let path = desk.path("").to_string_lossy().trim_end_matches('/').to_owned();
    workspace::open(&desk.session, OpenRequest::Workspace { path }).unwrap();
    desk
}

fn session(home: &TempDir) -> Arc<Session> {
    let place = Place { home: home.path().canonicalize().unwrap(), ..Place::default() };
    Session::start(SessionOptions { place }, Box::new(|_| {}))
}

impl Desk {
    fn path(&self, name: &str) -> PathBuf {
        self.home.path().canonicalize().unwrap().join(".catbuddy/workspace").join(name)
    }
}

fn file(path: &str) -> FileRef {
    FileRef { root: RootId::Global, path: path.to_owned() }
}

fn request(path: &str, finding: &str, start: Option<u32>, action: &str) -> FixRequest {
    FixRequest { file: file(path), version: 1, finding: finding.into(), start, action: action.into() }
}

#[test]
fn a_repair_is_changes_of_the_text_and_touches_no_file() {
    let desk = desk(&[("SOUL.md", "é🚢\r\nb\n".as_bytes())]);
    let fix = fixes::fix(&desk.session, request("SOUL.md", "mixed-line-ends", None, "use-lf")).unwrap();
    let changes: Vec<_> = fix.changes.iter().map(|change| (change.from, change.to, &*change.insert)).collect();
    assert_eq!(changes, [(3, 4, "")], "UTF-16 units");
    assert_eq!(fs::read(desk.path("SOUL.md")).unwrap(), "é🚢\r\nb\n".as_bytes());
    let stale = FixRequest { version: 2, ..request("SOUL.md", "mixed-line-ends", None, "use-lf") };
    assert_eq!(fixes::fix(&desk.session, stale).unwrap_err().code, ErrorCode::Stale);
    let unknown = request("SOUL.md", "bom", Some(0), "strip-bom");
    assert_eq!(fixes::fix(&desk.session, unknown).unwrap_err().code, ErrorCode::Stale);
}

#[test]
fn a_near_name_is_renamed_and_taken_back() {
    let desk = desk(&[("agent.md", b"Rules\n"), ("MEMORY.md", b"- plums\n")]);
    let done = fixes::fix(&desk.session, request("agent.md", "near-name", None, "rename")).unwrap().renamed.unwrap();
    assert_eq!(done.to, file("AGENTS.md"));
    assert_eq!(fs::read(desk.path("AGENTS.md")).unwrap(), b"Rules\n");
    assert_eq!(documents::document(&desk.session, file("AGENTS.md")).unwrap().body, b"Rules\n");
    let again = fixes::fix(&desk.session, request("agent.md", "near-name", None, "rename"));
    assert_eq!(again.unwrap_err().code, ErrorCode::Stale);
    fixes::undo_rename(&desk.session, done.clone()).unwrap();
    assert!(desk.path("agent.md").exists() && !desk.path("AGENTS.md").exists());
    assert_eq!(fixes::undo_rename(&desk.session, done).unwrap_err().code, ErrorCode::Invalid, "once");
    let memory = fixes::fix(&desk.session, request("MEMORY.md", "near-name", None, "rename")).unwrap();
    assert_eq!(memory.renamed.unwrap().to, file("memory/MEMORY.md"));
    assert_eq!(fs::read(desk.path("memory/MEMORY.md")).unwrap(), b"- plums\n");
}

#[test]
fn another_encoding_becomes_a_draft_and_is_written_by_saving_alone() {
    let bytes: &[u8] = b"# \xC4\xE3\xBA\xC3\xA3\xAC\xCA\xC0\xBD\xE7\n"; // 你好，世界 in GBK
    let desk = desk(&[("USER.md", bytes)]);
    let head = documents::document(&desk.session, file("USER.md")).unwrap().head;
    assert_eq!((head.state, &*head.encoding), (FileState::ReadOnly, "GBK"));
    let read = fixes::decodings(&desk.session, file("USER.md")).unwrap();
    assert_eq!((read.first_bad, &*read.decodings[0].encoding, &*read.decodings[0].excerpt), (2, "GBK", "# 你好，世界"));
    let convert = |encoding: &str| {
        fixes::convert(&desk.session, ConvertRequest { file: file("USER.md"), encoding: encoding.into() })
    };
    assert_eq!(convert("no such").unwrap_err().code, ErrorCode::Invalid);
    let frame = convert("GBK").unwrap();
    assert_eq!((frame.head.state, &*frame.body), (FileState::Draft, "# 你好，世界\n".as_bytes()));
    assert_eq!(fs::read(desk.path("USER.md")).unwrap(), bytes, "nothing is written yet");
    assert_eq!(documents::save(&desk.session, file("USER.md")).unwrap().state, FileState::Saved);
    assert_eq!(fs::read(desk.path("USER.md")).unwrap(), "# 你好，世界\n".as_bytes());
    assert_eq!(convert("GBK").unwrap_err().code, ErrorCode::Invalid, "it is UTF-8 now");
}
