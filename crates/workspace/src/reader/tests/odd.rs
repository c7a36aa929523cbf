//! Links, special files, names and places that are not as expected.

use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::symlink;
use std::path::Path;

use model::Severity;
use rustix::fs::{CWD, FileType, Mode};

use super::*;

#[test]
fn links_are_followed_and_named() {
    let disk = Disk::new(&[("notes/soul.md", "calm")]);
    symlink("notes/soul.md", disk.path("SOUL.md")).unwrap();
    symlink("gone.md", disk.path("USER.md")).unwrap();
    symlink("TOOLS.md", disk.path("TOOLS.md")).unwrap();
    let elsewhere = disk.folder.path().join("elsewhere");
    fs::create_dir_all(&elsewhere).unwrap();
    fs::write(elsewhere.join("SKILL.md"), "far").unwrap();
    fs::create_dir_all(disk.path("skills")).unwrap();
    symlink(&elsewhere, disk.path("skills/far")).unwrap();
    symlink("nowhere", disk.path("skills/lost")).unwrap();
    let snapshot = disk.snapshot();

    let soul = snapshot.workspace.entry("SOUL.md").unwrap();
    assert_eq!(soul.text(), "calm");
    assert_eq!(soul.link.as_ref().unwrap().text, "notes/soul.md");
    let real = disk.path("notes/soul.md").canonicalize().unwrap();
    assert_eq!(soul.link.as_ref().unwrap().resolved.as_deref(), real.to_str());
    for name in ["USER.md", "TOOLS.md"] {
        let entry = snapshot.workspace.entry(name).unwrap();
        assert_eq!((&entry.content, entry.identity), (&Content::Missing, None), "{name}");
        assert_eq!(entry.link.as_ref().unwrap().resolved, None);
    }
    assert_eq!(only(&snapshot, "link-loop").path.as_deref(), disk.path("TOOLS.md").to_str());
    assert_eq!(only(&snapshot, "link-outside").path.as_deref(), disk.path("skills/far").to_str());
    let broken: Vec<_> =
        snapshot.findings.iter().filter(|finding| finding.id == "broken-link").map(|finding| &finding.path).collect();
    assert_eq!(broken.len(), 2, "USER.md and skills/lost");
    let skills: Vec<_> = snapshot
        .workspace
        .skills
        .iter()
        .map(|skill| (&*skill.name, skill.problem.is_some(), skill.file.text()))
        .collect();
    assert_eq!(skills, [("far", false, "far"), ("lost", true, "")]);
}

#[test]
fn a_skills_folder_that_is_a_link_is_followed_and_named() {
    let disk = Disk::new(&[]);
    let shared = disk.folder.path().join("shared");
    fs::create_dir_all(shared.join("tide")).unwrap();
    fs::write(shared.join("tide/SKILL.md"), "text").unwrap();
    symlink(&shared, disk.path("skills")).unwrap();
    symlink("nowhere", disk.path("memory")).unwrap();
    let snapshot = disk.snapshot();
    assert_eq!(snapshot.workspace.skills.len(), 1);
    assert_eq!(only(&snapshot, "link-outside").path.as_deref(), disk.path("skills").to_str());
    assert_eq!(only(&snapshot, "broken-link").path.as_deref(), disk.path("memory").to_str());
}

#[test]
fn a_link_that_is_turned_elsewhere_is_seen() {
    let disk = Disk::new(&[("one.txt", "one"), ("two.txt", "two")]);
    symlink("one.txt", disk.path("SOUL.md")).unwrap();
    let mut reader = disk.reader();
    reader.read();
    settled(&mut reader);
    fs::remove_file(disk.path("SOUL.md")).unwrap();
    symlink("two.txt", disk.path("SOUL.md")).unwrap();
    assert_eq!(reader.read().snapshot.workspace.entry("SOUL.md").unwrap().text(), "two");
}

#[test]
fn what_is_not_a_file_is_never_opened() {
    let disk = Disk::new(&[]);
    rustix::fs::mknodat(CWD, disk.path("SOUL.md"), FileType::Fifo, Mode::RWXU, 0).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(disk.path("USER.md")).unwrap();
    symlink("/dev/zero", disk.path("TOOLS.md")).unwrap();
    fs::create_dir(disk.path("AGENTS.md")).unwrap();
    let mut reader = disk.reader();
    let reading = reader.read();
    assert_eq!(reading.stats.read, 0);
    let content = |name: &str| reading.snapshot.workspace.entry(name).unwrap().content.clone();
    assert_eq!(content("SOUL.md"), Content::Special("FIFO"));
    assert_eq!(content("USER.md"), Content::Special("socket"));
    assert_eq!(content("TOOLS.md"), Content::Special("device"));
    assert_eq!(content("AGENTS.md"), Content::Folder);
    assert!(reading.snapshot.workspace.entry("AGENTS.md").unwrap().identity.is_some(), "the fingerprint has its mtime");
    only(&reading.snapshot, "folder-instead-of-file");
}

#[test]
fn a_file_that_cannot_be_read_says_why() {
    let disk = Disk::new(&[]);
    // A regular file whose first byte nobody may read, root neither.
    symlink("/proc/self/mem", disk.path("SOUL.md")).unwrap();
    let snapshot = disk.snapshot();
    assert!(matches!(snapshot.workspace.entry("SOUL.md").unwrap().content, Content::Unreadable(_)));
    only(&snapshot, "unreadable-file");
}

#[test]
fn a_file_longer_than_any_text_is_not_read_and_a_large_one_is() {
    let disk = Disk::new(&[("memory/MEMORY.md", ""), ("SOUL.md", "")]);
    // Both are sparse: they take no room.
    let grow = |name: &str, size| fs::File::options().write(true).open(disk.path(name)).unwrap().set_len(size).unwrap();
    grow("SOUL.md", 0x1fff_ffe9);
    grow("memory/MEMORY.md", 50_000_000);
    let snapshot = disk.snapshot();
    only(&snapshot, "file-too-large");
    assert_eq!(snapshot.workspace.entry("memory/MEMORY.md").unwrap().source().unwrap().bytes.len(), 50_000_000);
}

#[test]
fn a_missing_workspace_is_a_finding() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("nobody");
    let snapshot = read_once(request(&home, &home.join("p/.catbuddy")));
    assert_eq!(ids(&snapshot), ["workspace-missing", "workspace-missing"], "the project and the global profile");
    let severities: Vec<_> = snapshot.findings.iter().map(|finding| finding.severity).collect();
    assert_eq!(severities, [Severity::Warning, Severity::Info], "a project serves without a global profile");
    assert_eq!(snapshot.workspace.files.len(), 5);
    assert!(snapshot.entries().all(|entry| entry.content == Content::Missing));
}

#[test]
fn one_folder_under_two_paths_is_told_and_not_merged() {
    let disk = Disk::new(&[("memory/MEMORY.md", "notes")]);
    let project = disk.folder.path().join("project");
    fs::create_dir_all(&project).unwrap();
    symlink(disk.workspace(), project.join(".catbuddy")).unwrap();
    let snapshot = read_once(request(&disk.folder.path().join("home"), &project.join(".catbuddy")));
    only(&snapshot, "same-workspace-twice");
    assert_eq!(snapshot.workspace.entry("memory/MEMORY.md").unwrap().text(), "notes");
    assert_eq!(snapshot.global.entry("memory/MEMORY.md").unwrap().text(), "notes");
}

#[test]
fn names_that_are_close_and_names_that_are_not_read_are_listed() {
    let disk = Disk::new(&[
        ("agents.md", "rules"),
        ("RULES.md", "rules"),
        ("MEMORY.md", "notes"),
        ("memory/memory.md", "notes"),
        ("memory/history.jsonl", "{}"),
        ("skills/loose.md", "text"),
        ("skills/tide/skill.md", "text"),
        ("photo.png", ""),
    ]);
    let snapshot = disk.snapshot();
    let ignored: Vec<_> =
        snapshot.workspace.ignored.iter().map(|file| (&*file.relative, file.near.as_deref())).collect();
    assert_eq!(
        ignored,
        [
            ("MEMORY.md", Some("memory/MEMORY.md")),
            ("RULES.md", Some("AGENTS.md")),
            ("agents.md", Some("AGENTS.md")),
            ("memory/history.jsonl", None),
            ("memory/memory.md", Some("memory/MEMORY.md")),
            ("skills/loose.md", Some("skills/loose/SKILL.md")),
        ]
    );
    let near: Vec<_> = snapshot
        .findings
        .iter()
        .filter(|finding| finding.id == "near-name")
        .map(|finding| {
            Path::new(finding.path.as_ref().unwrap()).strip_prefix(disk.workspace()).unwrap().to_str().unwrap()
        })
        .collect();
    assert_eq!(
        near.len(),
        5,
        "{near:?}: agents.md, MEMORY.md, memory/memory.md, skills/loose.md, skills/tide/skill.md"
    );
}

#[test]
fn a_name_that_is_not_utf8_is_reported_and_left_out() {
    let disk = Disk::new(&[("skills/tide/SKILL.md", "text")]);
    let name = std::ffi::OsString::from_vec(b"caf\xE9".to_vec());
    fs::create_dir_all(disk.path("skills").join(name)).unwrap();
    let snapshot = disk.snapshot();
    assert_eq!(snapshot.workspace.skills.len(), 1);
    only(&snapshot, "name-not-utf8");
}
