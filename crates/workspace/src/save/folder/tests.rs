//! Folders that are made, copied and cleaned up on a real disk.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::time::SystemTime;

use rustix::fs::Mode;

use super::super::SaveError;
use super::building::{STALE, remove_stale};
use super::*;

fn path(text: &str) -> RelativePath {
    RelativePath::parse(text).unwrap()
}

/// Names below a folder, each with what it is.
fn seen(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_folder_is_made_whole_and_replaces_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let root = Root::new("w", folder.path());
    let options = SaveOptions::default();
    let made = make(&root, &path("skills/tide"), &[("SKILL.md", b"text")], &options).unwrap();
    assert_eq!(fs::read(made.join("SKILL.md")).unwrap(), b"text");
    let error = make(&root, &path("skills/tide"), &[("SKILL.md", b"other")], &options).unwrap_err();
    assert!(matches!(error, FolderError::Exists { .. }), "{error}");
    symlink("nowhere", folder.path().join("skills/moon")).unwrap();
    let error = make(&root, &path("skills/moon"), &[("SKILL.md", b"other")], &options).unwrap_err();
    assert!(matches!(error, FolderError::Exists { .. }), "{error}");
    // A name that no file can have: what was begun is taken back.
    assert!(make(&root, &path("skills/sun"), &[("a/b", b"x")], &options).is_err());
    assert_eq!(seen(folder.path()), ["skills"]);
    assert_eq!(seen(&folder.path().join("skills")), ["moon", "tide"]);
    assert_eq!(fs::read(made.join("SKILL.md")).unwrap(), b"text");
}

#[test]
fn a_copy_is_the_same_byte_for_byte_and_link_for_link() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("skills/tide");
    fs::create_dir_all(source.join("scripts/deep")).unwrap();
    fs::write(source.join("SKILL.md"), b"\xef\xbb\xbfname\r\n\xff").unwrap();
    fs::write(source.join("scripts/deep/run.sh"), "#!/bin/sh").unwrap();
    fs::set_permissions(source.join("scripts/deep/run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    symlink("../other", source.join("beside")).unwrap();
    symlink(".", source.join("loop")).unwrap();
    let root = Root::new("w", folder.path());
    let options = SaveOptions::default();
    let rewrite = |name: &str, _: &[u8]| (name == "SKILL.md").then(|| b"renamed".to_vec());
    let copied = copy(&root, &source, &path("skills/tide-2"), &options, &rewrite).unwrap();
    assert_eq!(fs::read(copied.join("SKILL.md")).unwrap(), b"renamed");
    assert_eq!(fs::read_link(copied.join("beside")).unwrap().to_str(), Some("../other"));
    assert_eq!(fs::read_link(copied.join("loop")).unwrap().to_str(), Some("."));
    let script = copied.join("scripts/deep/run.sh");
    assert_eq!(fs::read(&script).unwrap(), b"#!/bin/sh");
    assert_eq!(script.metadata().unwrap().permissions().mode() & 0o777, 0o755);
    let same = copy(&root, &source, &path("skills/tide-3"), &options, &|_, _| None).unwrap();
    assert_eq!(fs::read(same.join("SKILL.md")).unwrap(), fs::read(source.join("SKILL.md")).unwrap());

    // A folder that is a link: what it leads to is copied, and the copy is a folder of its own.
    symlink("tide", folder.path().join("skills/linked")).unwrap();
    let own = copy(&root, &folder.path().join("skills/linked"), &path("skills/own"), &options, &|_, _| None).unwrap();
    assert!(!own.symlink_metadata().unwrap().is_symlink() && own.join("SKILL.md").exists());
    let gone = copy(&root, &folder.path().join("skills/none"), &path("skills/x"), &options, &|_, _| None);
    assert!(matches!(gone.unwrap_err(), FolderError::Gone { .. }));
    rustix::fs::mknodat(
        rustix::fs::CWD,
        source.join("pipe"),
        rustix::fs::FileType::Fifo,
        Mode::from_raw_mode(0o600),
        0,
    )
    .unwrap();
    let special = copy(&root, &source, &path("skills/x"), &options, &|_, _| None).unwrap_err();
    assert!(matches!(special, FolderError::Special { .. }), "{special}");
    assert_eq!(seen(&folder.path().join("skills")), ["linked", "own", "tide", "tide-2", "tide-3"]);
    assert_eq!(seen(folder.path()), ["skills"], "no temporary folder is left");
}

#[test]
fn of_two_at_once_one_makes_it() {
    let folder = tempfile::tempdir().unwrap();
    let root = Root::new("w", folder.path());
    let outcomes: Vec<bool> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|number: u8| {
                let root = &root;
                scope.spawn(move || {
                    make(root, &path("skills/tide"), &[("SKILL.md", &[number])], &SaveOptions::default()).is_ok()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(outcomes.iter().filter(|&&made| made).count(), 1);
    assert_eq!(seen(&folder.path().join("skills/tide")), ["SKILL.md"]);
}

#[test]
fn no_folder_outside_is_reached_and_stale_ones_go() {
    let folder = tempfile::tempdir().unwrap();
    let (inside, outside) = (folder.path().join("in"), folder.path().join("out"));
    fs::create_dir_all(&inside).unwrap();
    fs::create_dir_all(&outside).unwrap();
    symlink(&outside, inside.join("skills")).unwrap();
    let root = Root::new("w", &inside);
    let error = make(&root, &path("skills/tide"), &[("SKILL.md", b"x")], &SaveOptions::default()).unwrap_err();
    assert!(matches!(error, FolderError::Place(SaveError::Outside { .. })), "{error}");
    assert_eq!(seen(&outside), Vec::<String>::new());

    let stale = inside.join(".tide.cbw-0000abcd00000001.tmp");
    let other = inside.join(".tide.tmp");
    for path in [&stale, &other] {
        fs::create_dir_all(path.join("half")).unwrap();
    }
    remove_stale(&inside, SystemTime::now());
    assert!(stale.exists(), "it may be in use");
    remove_stale(&inside, SystemTime::now() + STALE * 2);
    assert!(!stale.exists() && other.exists());
}
