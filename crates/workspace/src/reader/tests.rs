#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

mod odd;

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use model::{Content, Finding, Snapshot};
use tempfile::TempDir;

use super::{Reader, Reading, read_once};
use crate::testing::request;

/// A home with a global workspace, and a project.
struct Disk {
    folder: TempDir,
}

impl Disk {
    fn new(files: &[(&str, &str)]) -> Self {
        Self::filled(tempfile::tempdir().unwrap(), files)
    }

    /// In memory, where there is such a disk: for tests that make very many files.
    fn in_memory() -> Self {
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        Self::filled(folder.unwrap(), &[])
    }

    fn filled(folder: TempDir, files: &[(&str, &str)]) -> Self {
        let disk = Self { folder };
        fs::create_dir_all(disk.workspace()).unwrap();
        for (name, text) in files {
            disk.write(name, text);
        }
        disk
    }

    fn workspace(&self) -> PathBuf {
        self.folder.path().join("home/.catbuddy/workspace")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.workspace().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn reader(&self) -> Reader {
        Reader::new(request(&self.folder.path().join("home"), &self.workspace()))
    }

    fn snapshot(&self) -> Snapshot {
        read_once(request(&self.folder.path().join("home"), &self.workspace()))
    }
}

/// Reads once every stamp is old enough to be believed.
fn settled(reader: &mut Reader) -> Reading {
    std::thread::sleep(Duration::from_millis(150));
    reader.read()
}

fn ids(snapshot: &Snapshot) -> Vec<&str> {
    snapshot.findings.iter().map(|finding| &*finding.id).collect()
}

fn only<'a>(snapshot: &'a Snapshot, id: &str) -> &'a Finding {
    let mut found = snapshot.findings.iter().filter(|finding| finding.id == id);
    match (found.next(), found.next()) {
        (Some(finding), None) => finding,
        _ => panic!("expected one {id} in {:?}", snapshot.findings),
    }
}

#[test]
fn files_are_read_with_their_bytes_and_hash() {
    let disk = Disk::new(&[
        ("SOUL.md", "calm"),
        ("TOOLS.md", ""),
        ("memory/MEMORY.md", "notes"),
        ("skills/tide/SKILL.md", "# Tide"),
    ]);
    let snapshot = disk.snapshot();
    let soul = snapshot.workspace.entry("SOUL.md").unwrap().source().unwrap();
    assert_eq!(&*soul.bytes, b"calm");
    assert_eq!(soul.identity.size, 4);
    // The hash of no bytes, from the test vectors of the BLAKE3 specification.
    let empty = "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262";
    assert_eq!(snapshot.workspace.entry("TOOLS.md").unwrap().source().unwrap().hash.to_string(), empty);
    assert_eq!(snapshot.workspace.entry("memory/MEMORY.md").unwrap().text(), "notes");
    assert_eq!(snapshot.workspace.entry("USER.md").unwrap().content, Content::Missing);
    let skills: Vec<_> = snapshot.workspace.skills.iter().map(|skill| (&*skill.name, skill.file.text())).collect();
    assert_eq!(skills, [("tide", "# Tide")]);
    assert!(Arc::ptr_eq(&snapshot.workspace, &snapshot.global), "the global workspace is read once");
    assert_eq!(ids(&snapshot), [""; 0]);
}

#[test]
fn an_unchanged_workspace_costs_one_look_at_each_path_and_gives_the_same_snapshot() {
    let disk = Disk::new(&[("SOUL.md", "calm"), ("skills/a/SKILL.md", "a"), ("skills/b/SKILL.md", "b")]);
    let mut reader = disk.reader();
    settled(&mut reader);
    let before = settled(&mut reader);
    let again = reader.read();
    assert!(Arc::ptr_eq(&before.snapshot, &again.snapshot) && !again.changed);
    // The folder, 4 bootstrap files, the memory file, its folder, the skills folder, 2 skill files.
    assert_eq!((again.stats.stat, again.stats.read, again.stats.list, again.stats.link), (10, 0, 0, 0));
}

#[test]
fn one_edit_reads_one_file_whatever_the_number_of_skills() {
    let disk = Disk::new(&[("SOUL.md", "calm")]);
    for number in 0..50 {
        disk.write(&format!("skills/s{number}/SKILL.md"), "text");
    }
    let mut reader = disk.reader();
    reader.read();
    settled(&mut reader);
    disk.write("skills/s7/SKILL.md", "other");
    let reading = reader.read();
    assert_eq!((reading.changed, reading.stats.read), (true, 1));
    let path = disk.path("skills/s7/SKILL.md");
    assert_eq!(reading.changed_files.iter().map(|path| &**path).collect::<Vec<_>>(), [path.to_str().unwrap()]);
    assert!(!reading.own_echo);
}

#[test]
fn an_edit_that_keeps_size_and_mtime_is_seen() {
    let disk = Disk::new(&[("SOUL.md", "calm")]);
    let mut reader = disk.reader();
    reader.read();
    settled(&mut reader);
    let mtime = fs::metadata(disk.path("SOUL.md")).unwrap().modified().unwrap();
    disk.write("SOUL.md", "wild");
    fs::File::options().write(true).open(disk.path("SOUL.md")).unwrap().set_modified(mtime).unwrap();
    assert_eq!(reader.read().snapshot.workspace.entry("SOUL.md").unwrap().text(), "wild");
}

#[test]
fn an_edit_within_one_tick_of_the_clock_is_seen() {
    let disk = Disk::new(&[]);
    let mut reader = disk.reader();
    for number in 0..300 {
        let text = format!("{number:03}");
        disk.write("SOUL.md", &text);
        assert_eq!(reader.read().snapshot.workspace.entry("SOUL.md").unwrap().text(), text);
    }
}

#[test]
fn a_touched_file_keeps_its_bytes_and_changes_the_snapshot() {
    let disk = Disk::new(&[("SOUL.md", "calm")]);
    let mut reader = disk.reader();
    let before = reader.read();
    let file = fs::File::options().write(true).open(disk.path("SOUL.md")).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000)).unwrap();
    let after = reader.read();
    assert!(after.changed, "the target's fingerprint holds the mtime");
    let source = |reading: &Reading| Arc::clone(reading.snapshot.workspace.entry("SOUL.md").unwrap().source().unwrap());
    assert_eq!(source(&after).identity.mtime_ns, 1_700_000_000_000_000_000);
    assert!(Arc::ptr_eq(&source(&before).bytes, &source(&after).bytes));
}

#[test]
fn files_and_skills_that_come_and_go_are_seen() {
    let disk = Disk::new(&[]);
    let mut reader = disk.reader();
    settled(&mut reader);
    settled(&mut reader);
    disk.write("skills/tide/SKILL.md", "one");
    assert_eq!(reader.read().snapshot.workspace.skills.len(), 1);
    settled(&mut reader);
    fs::remove_file(disk.path("skills/tide/SKILL.md")).unwrap();
    let reading = reader.read();
    assert_eq!(reading.snapshot.workspace.skills[0].file.content, Content::Missing);
    settled(&mut reader);
    fs::remove_dir(disk.path("skills/tide")).unwrap();
    assert!(reader.read().snapshot.workspace.skills.is_empty());
}

#[test]
fn our_own_save_is_an_echo_only_when_the_bytes_are_ours() {
    let disk = Disk::new(&[("SOUL.md", "calm")]);
    let mut reader = disk.reader();
    reader.read();
    let path = disk.path("SOUL.md").to_str().unwrap().to_owned();
    let ours = model::ContentHash(*blake3::hash(b"ours").as_bytes());
    disk.write("SOUL.md", "ours");
    reader.note_saved(path.clone(), ours);
    let reading = reader.read();
    assert!(reading.changed && reading.own_echo);
    reader.note_saved(path, ours);
    disk.write("SOUL.md", "theirs");
    assert!(!reader.read().own_echo);
}

#[test]
fn verifying_reads_every_byte_and_keeps_the_snapshot() {
    let disk = Disk::new(&[("SOUL.md", "calm"), ("USER.md", "Ada")]);
    let mut reader = disk.reader();
    reader.read();
    let before = settled(&mut reader);
    let verified = reader.verify();
    assert_eq!(verified.stats.read, 2);
    assert!(Arc::ptr_eq(&before.snapshot, &verified.snapshot));
}

#[test]
fn a_workspace_that_is_made_later_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    let workspace = home.join(".catbuddy/workspace");
    let mut reader = Reader::new(request(&home, &workspace));
    reader.read();
    fs::create_dir_all(&workspace).unwrap();
    fs::write(workspace.join("SOUL.md"), "calm").unwrap();
    assert_eq!(reader.read().snapshot.workspace.entry("SOUL.md").unwrap().text(), "calm");
}

#[test]
fn ten_thousand_skills_are_read_in_the_order_of_utf16() {
    let disk = Disk::in_memory();
    for number in 0..10_000 {
        disk.write(&format!("skills/s{number:05}/SKILL.md"), "text");
    }
    // U+FF5E comes after U+1F600 (D83D DE00) in UTF-16, and before it in UTF-8.
    disk.write("skills/\u{FF5E}/SKILL.md", "text");
    disk.write("skills/\u{1F600}/SKILL.md", "text");
    let snapshot = disk.snapshot();
    let names: Vec<_> = snapshot.workspace.skills.iter().map(|skill| skill.name.as_str()).collect();
    assert_eq!(names.len(), 10_002);
    assert_eq!(names[9_998..], ["s09998", "s09999", "\u{1F600}", "\u{FF5E}"]);
    only(&snapshot, "too-many-skills");
}

#[test]
fn an_installed_apps_templates_and_skills_are_read() {
    let disk = Disk::new(&[]);
    let app = disk.folder.path().join("app");
    fs::create_dir_all(app.join("templates/agent/deep")).unwrap();
    fs::create_dir_all(app.join("skills/memory")).unwrap();
    fs::write(app.join("templates/agent/identity.md"), "I").unwrap();
    fs::write(app.join("templates/agent/deep/x.md"), "x").unwrap();
    fs::write(app.join("skills/memory/SKILL.md"), "m").unwrap();
    let mut request = request(&disk.folder.path().join("home"), &disk.workspace());
    request.places.app = Some(app.to_str().unwrap().to_owned());
    let mut reader = Reader::new(request);
    let app_files = Arc::clone(&reader.read().snapshot.app);
    assert_eq!(app_files.templates.keys().collect::<Vec<_>>(), ["agent/deep/x.md", "agent/identity.md"]);
    assert_eq!(app_files.skills[0].file.text(), "m");
    disk.write("SOUL.md", "calm");
    assert!(Arc::ptr_eq(&app_files, &reader.read().snapshot.app), "what did not change stays shared");
    fs::write(app.join("templates/agent/new.md"), "n").unwrap();
    assert_eq!(reader.read().snapshot.app.templates.len(), 3);
}
