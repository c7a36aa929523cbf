//! Retention through a session: at the start, after a save, and when the limits change. Over temporary homes.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed test panics")]

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use history::{DraftKey, History, NewDraft, VersionKind};
use jiff::{SignedDuration, Timestamp};
use tempfile::TempDir;
use workbench::api::{EditRequest, FileRef, Nothing, OpenRequest, RetentionRequest, RootId, Settings, TextChange};
use workbench::place::Place;
use workbench::window::{documents, settings, workspace};
use workbench::{Session, SessionOptions};

struct Home(TempDir);

impl Home {
    /// With a file that was replaced 200, 100 and 10 days ago, in a history that is closed again.
    fn new() -> Self {
        let home = Self(TempDir::with_prefix("cbw-retention-").unwrap());
        let file = home.workspace().join("SOUL.md");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "now").unwrap();
        let history = home.history();
        for (days, text) in [(300, "first"), (200, "second"), (100, "third"), (10, "now")] {
            history.keep_version(&home.key(), text.as_bytes(), VersionKind::Saved, ago(days)).unwrap();
        }
        let draft = NewDraft { text: "typed a year ago".into(), base: None, time: ago(365) };
        let other = DraftKey { path: "USER.md".into(), ..home.key() };
        history.keep_drafts("a window that died", &[(other, Some(draft))].into()).unwrap();
        home
    }

    fn root(&self) -> std::path::PathBuf {
        self.0.path().canonicalize().unwrap()
    }

    fn workspace(&self) -> std::path::PathBuf {
        self.root().join(".catbuddy/workspace")
    }

    fn history(&self) -> History {
        History::open(&self.root().join(".catbuddy/workbench/history.db"), Timestamp::now()).unwrap()
    }

    fn key(&self) -> DraftKey {
        DraftKey { folder: self.workspace().to_string_lossy().into_owned(), path: "SOUL.md".to_owned() }
    }

    fn set(&self, text: &str) {
        fs::write(self.root().join(".catbuddy/workbench/settings.toml"), text).unwrap();
    }

    fn versions(&self) -> usize {
        self.history().versions(&self.key(), None, 100).unwrap().len()
    }

    fn settles_at(&self, versions: usize) {
        let start = Instant::now();
        while self.versions() != versions {
            assert!(start.elapsed() < Duration::from_mins(1), "{} versions, not {versions}", self.versions());
            sleep(Duration::from_millis(50));
        }
    }
}

fn ago(days: i64) -> Timestamp {
    Timestamp::now() - SignedDuration::from_hours(24 * days)
}

fn start(home: &Path) -> Arc<Session> {
    let place = Place { home: home.to_owned(), ..Place::default() };
    Session::start(SessionOptions { place }, Box::new(|_| {}))
}

#[test]
fn without_limits_nothing_goes_and_new_limits_hold_at_once() {
    let home = Home::new();
    let session = start(&home.root());
    let now = settings::settings(&session, Nothing {}).unwrap();
    let asked = RetentionRequest { history_days: Some(150), history_mib: None };
    let goes = settings::retention_preview(&session, asked).unwrap();
    assert_eq!((goes.versions, goes.assemblies), (1, 0), "what was replaced 200 days ago");
    assert_eq!(home.versions(), 4, "asking removes nothing");
    settings::save_settings(&session, Settings { history_days: Some(150), ..now }).unwrap();
    home.settles_at(3);
    assert_eq!(home.history().drafts().unwrap().len(), 1, "a draft never goes");
}

#[test]
fn limits_hold_at_the_start_and_after_a_save() {
    let home = Home::new();
    home.set("history_days = 50\n");
    let session = start(&home.root());
    // Replaced 200 and 100 days ago: gone. Replaced 10 days ago, and the newest: kept.
    home.settles_at(2);
    let path = home.workspace().to_string_lossy().into_owned();
    workspace::open(&session, OpenRequest::Workspace { path }).unwrap();
    // Old versions come in another way, as from a restored backup; the next save notices.
    let other = DraftKey { path: "AGENTS.md".to_owned(), ..home.key() };
    for (days, text) in [(300, "a"), (200, "b"), (1, "c")] {
        home.history().keep_version(&other, text.as_bytes(), VersionKind::Saved, ago(days)).unwrap();
    }
    let file = FileRef { root: RootId::Global, path: "SOUL.md".to_owned() };
    let file = if documents::document(&session, file.clone()).is_ok() {
        file
    } else {
        FileRef { root: RootId::Workspace, ..file }
    };
    let version = documents::document(&session, file.clone()).unwrap().head.version;
    let changes = vec![TextChange { from: 0, to: 0, insert: "later than ".to_owned() }];
    documents::edit(&session, EditRequest { file: file.clone(), version, changes }).unwrap();
    documents::save(&session, file).unwrap();
    let start = Instant::now();
    while home.history().versions(&other, None, 9).unwrap().len() != 2 {
        assert!(start.elapsed() < Duration::from_mins(1));
        sleep(Duration::from_millis(50));
    }
    // What this save replaced had stood for ten days, and can be brought back.
    let kept = home.history().versions(&home.key(), None, 9).unwrap();
    let texts: Vec<_> = kept.iter().map(|row| home.history().version(&home.key(), row.id).unwrap().1).collect();
    assert_eq!(texts[..2], [b"later than now".to_vec(), b"now".to_vec()]);
}

#[test]
fn sizes_by_kind_are_told() {
    let home = Home::new();
    let session = start(&home.root());
    let about = settings::about(&session, Nothing {}).unwrap();
    let usage = about.history.unwrap();
    assert_eq!((usage.versions.count, usage.drafts.count, usage.assemblies.count), (4, 1, 0));
    assert!(usage.drafts.bytes > 0 && usage.versions.bytes > 0);
}
