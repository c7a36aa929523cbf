#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};

use tempfile::TempDir;

use super::*;
use crate::save::{Expected, RelativePath, Root, SaveOptions, save};
use crate::testing::request;

/// Long enough for any machine; a test that passes never waits for it.
const LONG: Duration = Duration::from_secs(20);

struct Watched {
    folder: TempDir,
    reader: Arc<Mutex<Reader>>,
    readings: Receiver<Reading>,
    watching: Watching,
}

impl Watched {
    fn new(files: &[(&str, &str)], limits: Limits) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let workspace = folder.path().join("home/.catbuddy/workspace");
        for (name, text) in files {
            let path = workspace.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let mut reader = Reader::new(request(&folder.path().join("home"), &workspace));
        reader.read();
        let reader = Arc::new(Mutex::new(reader));
        let (sender, readings) = channel();
        let watching = watch_with(Arc::clone(&reader), move |reading| drop(sender.send(reading)), limits).unwrap();
        Self { folder, reader, readings, watching }
    }

    fn workspace(&self) -> PathBuf {
        self.folder.path().join("home/.catbuddy/workspace")
    }

    /// Waits until a reading holds `text` in `name`.
    fn wait_for(&self, name: &str, text: &str) {
        let deadline = Instant::now() + LONG;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let reading = self.readings.recv_timeout(left).unwrap();
            let folder = &reading.snapshot.workspace;
            let skill = folder.skills.iter().find(|skill| skill.name == name).map(|skill| &skill.file);
            if skill.or_else(|| folder.entry(name)).unwrap().text() == text {
                return;
            }
        }
    }
}

fn replace(path: &Path, text: &str) {
    let beside = path.with_extension("swp");
    fs::write(&beside, text).unwrap();
    fs::rename(beside, path).unwrap();
}

#[test]
fn writes_renames_new_skills_and_new_folders_are_told() {
    let watched = Watched::new(&[("SOUL.md", "calm")], Limits::System);
    let workspace = watched.workspace();
    fs::write(workspace.join("SOUL.md"), "wild").unwrap();
    watched.wait_for("SOUL.md", "wild");
    for text in ["one", "two"] {
        replace(&workspace.join("SOUL.md"), text);
        watched.wait_for("SOUL.md", text);
    }
    fs::create_dir_all(workspace.join("skills/tide")).unwrap();
    fs::write(workspace.join("skills/tide/SKILL.md"), "tide").unwrap();
    watched.wait_for("tide", "tide");
    fs::write(workspace.join("skills/tide/SKILL.md"), "ebb").unwrap();
    watched.wait_for("tide", "ebb");
    fs::create_dir_all(workspace.join("memory")).unwrap();
    fs::write(workspace.join("memory/MEMORY.md"), "notes").unwrap();
    watched.wait_for("memory/MEMORY.md", "notes");
    assert_eq!(watched.watching.finding(), None);
}

#[test]
fn a_workspace_that_is_made_deleted_and_made_again_is_told() {
    let watched = Watched::new(&[], Limits::System);
    let workspace = watched.workspace();
    for text in ["first", "second"] {
        fs::create_dir_all(&workspace).unwrap();
        fs::write(workspace.join("SOUL.md"), text).unwrap();
        watched.wait_for("SOUL.md", text);
        fs::remove_dir_all(watched.folder.path().join("home/.catbuddy")).unwrap();
        watched.wait_for("SOUL.md", "");
    }
}

#[test]
fn our_own_save_is_not_told_and_what_follows_is() {
    let watched = Watched::new(&[("SOUL.md", "calm")], Limits::System);
    {
        let mut reader = watched.reader.lock().unwrap();
        let expected = Expected::Hash(model::ContentHash(*blake3::hash(b"calm").as_bytes()));
        let path = RelativePath::parse("SOUL.md").unwrap();
        let root = Root::new("test", watched.workspace());
        let saved = save(&root, &path, b"ours", expected, &SaveOptions::default()).unwrap();
        reader.note_saved(watched.workspace().join("SOUL.md").to_str().unwrap(), saved.hash);
        assert!(reader.read().own_echo);
    }
    fs::write(watched.workspace().join("USER.md"), "Ada").unwrap();
    let told = watched.readings.recv_timeout(LONG).unwrap();
    assert_eq!(told.snapshot.workspace.entry("USER.md").unwrap().text(), "Ada", "the first that is told");
}

#[test]
fn without_watches_changes_are_still_told() {
    let watched = Watched::new(&[("SOUL.md", "calm")], Limits::NoWatches);
    assert_eq!(watched.watching.finding().unwrap().id, "watch-polling");
    fs::write(watched.workspace().join("SOUL.md"), "wild").unwrap();
    watched.wait_for("SOUL.md", "wild");
}

#[test]
fn nothing_is_told_after_the_end() {
    let watched = Watched::new(&[("SOUL.md", "calm")], Limits::System);
    let Watched { folder, readings, watching, .. } = watched;
    drop(watching);
    fs::write(folder.path().join("home/.catbuddy/workspace/SOUL.md"), "wild").unwrap();
    assert!(matches!(readings.recv_timeout(LONG), Err(RecvTimeoutError::Disconnected)), "the worker is gone");
}
