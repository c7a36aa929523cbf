#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::time::{Duration, SystemTime};

use model::ContentHash;
use proptest::prelude::*;

use super::*;

fn hash(bytes: &[u8]) -> ContentHash {
    ContentHash(*blake3::hash(bytes).as_bytes())
}

fn relative(text: &str) -> RelativePath {
    RelativePath::parse(text).unwrap()
}

fn root(folder: &Path) -> Root {
    Root::new("test", folder)
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn save_plainly(folder: &Path, name: &str, bytes: &[u8], expected: Expected) -> Result<Saved, SaveError> {
    save(&root(folder), &relative(name), bytes, expected, &SaveOptions::default())
}

#[test]
fn a_save_replaces_what_was_read_and_tells_what_stood_there() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("SOUL.md"), "old").unwrap();
    let saved = save_plainly(folder.path(), "SOUL.md", b"new", Expected::Hash(hash(b"old"))).unwrap();
    assert_eq!(fs::read(folder.path().join("SOUL.md")).unwrap(), b"new");
    assert_eq!((saved.hash, saved.before.as_deref()), (hash(b"new"), Some(&b"old"[..])));
    assert_eq!(saved.identity.inode, fs::metadata(folder.path().join("SOUL.md")).unwrap().ino());
    assert_eq!(names(folder.path()), ["SOUL.md"], "nothing is left beside it");
}

#[test]
fn a_new_file_gets_its_folders() {
    let folder = tempfile::tempdir().unwrap();
    let saved = save_plainly(folder.path(), "skills/tide/SKILL.md", b"text", Expected::Absent).unwrap();
    assert_eq!(fs::read(folder.path().join("skills/tide/SKILL.md")).unwrap(), b"text");
    assert_eq!(saved.before, None);
}

#[test]
fn what_changed_outside_is_a_conflict_and_stays() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("SOUL.md");
    for (on_disk, expected) in [
        (Some("theirs"), Expected::Hash(hash(b"old"))),
        (Some("theirs"), Expected::Absent),
        (None, Expected::Hash(hash(b"old"))),
    ] {
        let _absent = fs::remove_file(&file);
        if let Some(text) = on_disk {
            fs::write(&file, text).unwrap();
        }
        match save_plainly(folder.path(), "SOUL.md", b"mine", expected) {
            Err(SaveError::Conflict { on_disk: found, .. }) => {
                assert_eq!(found, on_disk.map(|text| hash(text.as_bytes())));
            }
            outcome => panic!("{outcome:?}"),
        }
        assert_eq!(fs::read_to_string(&file).ok().as_deref(), on_disk);
    }
}

#[test]
fn a_change_while_the_new_content_is_written_is_a_conflict_too() {
    for expected in [Expected::Hash(hash(b"old")), Expected::Absent] {
        for step in [Step::Created, Step::Synced] {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("SOUL.md");
            if expected != Expected::Absent {
                fs::write(&file, "old").unwrap();
            }
            let outside = |at| if at == step { fs::write(&file, "theirs") } else { Ok(()) };
            let outcome = save_with_failpoints(
                &root(folder.path()),
                &relative("SOUL.md"),
                b"mine",
                expected,
                &SaveOptions::default(),
                &outside,
            );
            assert!(matches!(outcome, Err(SaveError::Conflict { on_disk, .. }) if on_disk == Some(hash(b"theirs"))));
            assert_eq!(fs::read(&file).unwrap(), b"theirs");
            assert_eq!(names(folder.path()), ["SOUL.md"]);
        }
    }
}

#[test]
fn a_new_file_never_replaces_one_that_appears_at_the_last_moment() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("SOUL.md");
    let outside = |at| if at == Step::ComparedAgain { fs::write(&file, "theirs") } else { Ok(()) };
    let outcome = save_with_failpoints(
        &root(folder.path()),
        &relative("SOUL.md"),
        b"mine",
        Expected::Absent,
        &SaveOptions::default(),
        &outside,
    );
    assert!(matches!(outcome, Err(SaveError::Conflict { .. })));
    assert_eq!(fs::read(&file).unwrap(), b"theirs");
}

#[test]
fn mode_and_extended_attributes_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("SOUL.md");
    fs::write(&file, "old").unwrap();
    fs::set_permissions(&file, Permissions::from_mode(0o640)).unwrap();
    let attributes = xattr::set(&file, "user.tag", b"blue").is_ok();
    save_plainly(folder.path(), "SOUL.md", b"new", Expected::Hash(hash(b"old"))).unwrap();
    assert_eq!(fs::metadata(&file).unwrap().mode() & 0o7777, 0o640);
    if attributes {
        assert_eq!(xattr::get(&file, "user.tag").unwrap().as_deref(), Some(&b"blue"[..]));
    }
}

#[test]
fn the_owner_is_kept_where_the_system_allows_it() {
    if !rustix::process::geteuid().is_root() {
        return; // only root may give a file away, so only root can set this up
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("SOUL.md");
    fs::write(&file, "old").unwrap();
    std::os::unix::fs::chown(&file, Some(12_345), Some(54_321)).unwrap();
    save_plainly(folder.path(), "SOUL.md", b"new", Expected::Hash(hash(b"old"))).unwrap();
    let metadata = fs::metadata(&file).unwrap();
    assert_eq!((metadata.uid(), metadata.gid()), (12_345, 54_321));
}

#[test]
fn a_link_stays_a_link_and_its_target_is_written() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("notes")).unwrap();
    fs::write(folder.path().join("notes/soul.md"), "old").unwrap();
    symlink("notes/soul.md", folder.path().join("SOUL.md")).unwrap();
    let saved = save_plainly(folder.path(), "SOUL.md", b"new", Expected::Hash(hash(b"old"))).unwrap();
    assert_eq!(fs::read(folder.path().join("notes/soul.md")).unwrap(), b"new");
    assert_eq!(fs::read_link(folder.path().join("SOUL.md")).unwrap(), Path::new("notes/soul.md"));
    assert_eq!(saved.path, folder.path().canonicalize().unwrap().join("notes/soul.md"));
}

#[test]
fn a_link_out_of_the_root_needs_consent_or_another_open_folder() {
    let folder = tempfile::tempdir().unwrap();
    let (inside, elsewhere) = (folder.path().join("inside"), folder.path().join("elsewhere"));
    fs::create_dir(&inside).unwrap();
    fs::create_dir(&elsewhere).unwrap();
    fs::write(elsewhere.join("soul.md"), "old").unwrap();
    symlink("../elsewhere/soul.md", inside.join("SOUL.md")).unwrap();
    symlink("../elsewhere", inside.join("memory")).unwrap();
    let attempt = |name: &str, expected, options: &SaveOptions| {
        save(&root(&inside), &relative(name), b"new", expected, options).map(|_| ())
    };
    let strict = SaveOptions::default();
    let old = Expected::Hash(hash(b"old"));
    assert!(matches!(attempt("SOUL.md", old, &strict), Err(SaveError::Outside { .. })));
    assert!(matches!(attempt("memory/MEMORY.md", Expected::Absent, &strict), Err(SaveError::Outside { .. })));
    assert!(matches!(attempt("memory/deep/x.md", Expected::Absent, &strict), Err(SaveError::Outside { .. })));
    assert_eq!(names(&elsewhere), ["soul.md"]);
    assert_eq!(fs::read(elsewhere.join("soul.md")).unwrap(), b"old");
    let registered = SaveOptions { registered: vec![elsewhere.clone()], ..SaveOptions::default() };
    attempt("SOUL.md", old, &registered).unwrap();
    let consent = SaveOptions { outside: Outside::Follow, ..SaveOptions::default() };
    attempt("memory/MEMORY.md", Expected::Absent, &consent).unwrap();
    assert_eq!(names(&elsewhere), ["MEMORY.md", "soul.md"]);
}

#[test]
fn a_link_that_leads_nowhere_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    symlink("gone", folder.path().join("SOUL.md")).unwrap();
    symlink("loop", folder.path().join("loop")).unwrap();
    symlink("gone", folder.path().join("memory")).unwrap();
    for name in ["SOUL.md", "loop", "memory/MEMORY.md"] {
        let outcome = save_plainly(folder.path(), name, b"new", Expected::Absent);
        assert!(matches!(outcome, Err(SaveError::BrokenLink { .. })), "{name}: {outcome:?}");
    }
}

#[test]
fn a_file_with_two_names_is_written_in_place_after_consent() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (folder.path().join("SOUL.md"), folder.path().join("other.md"));
    fs::write(&one, "the old text").unwrap();
    fs::hard_link(&one, &two).unwrap();
    let old = Expected::Hash(hash(b"the old text"));
    assert!(matches!(save_plainly(folder.path(), "SOUL.md", b"new", old), Err(SaveError::HardLinked { links: 2, .. })));
    let consent = SaveOptions { hard_links: HardLinks::WriteInPlace, ..SaveOptions::default() };
    save(&root(folder.path()), &relative("SOUL.md"), b"new", old, &consent).unwrap();
    assert_eq!(fs::read(&two).unwrap(), b"new", "both names still mean one file");
    assert_eq!(names(folder.path()), ["SOUL.md", "other.md"]);

    let fails = |at| if at == Step::HalfWritten { Err(io::Error::other("pulled")) } else { Ok(()) };
    let new = Expected::Hash(hash(b"new"));
    let outcome =
        save_with_failpoints(&root(folder.path()), &relative("SOUL.md"), b"longer than before", new, &consent, &fails);
    assert!(matches!(outcome, Err(SaveError::Io { left: Left::Old, .. })), "{outcome:?}");
    assert_eq!(fs::read(&two).unwrap(), b"new", "the old content was put back");
    assert_eq!(names(folder.path()), ["SOUL.md", "other.md"]);
}

#[test]
fn what_is_not_a_file_and_a_folder_that_is_gone_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("SOUL.md")).unwrap();
    let outcome = save_plainly(folder.path(), "SOUL.md", b"new", Expected::Absent);
    assert!(matches!(outcome, Err(SaveError::NotAFile { what: "folder", .. })));
    rustix::fs::mknodat(
        rustix::fs::CWD,
        folder.path().join("pipe"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RWXU,
        0,
    )
    .unwrap();
    let outcome = save_plainly(folder.path(), "pipe", b"new", Expected::Absent);
    assert!(matches!(outcome, Err(SaveError::NotAFile { what: "special file", .. })));
    let outcome = save_plainly(&folder.path().join("gone"), "SOUL.md", b"new", Expected::Absent);
    assert!(matches!(outcome, Err(SaveError::FolderGone { .. })));
}

#[test]
fn a_failure_at_any_step_leaves_the_old_file_or_the_new_one_and_nothing_beside_it() {
    use Step::{Compared, ComparedAgain, Created, FolderSynced, HalfWritten, Renamed, Synced, Written};
    for step in [Compared, Created, HalfWritten, Written, Synced, ComparedAgain, Renamed, FolderSynced] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("SOUL.md");
        fs::write(&file, "old").unwrap();
        let fails = |at| if at == step { Err(io::Error::from_raw_os_error(28)) } else { Ok(()) };
        let outcome = save_with_failpoints(
            &root(folder.path()),
            &relative("SOUL.md"),
            b"new",
            Expected::Hash(hash(b"old")),
            &SaveOptions::default(),
            &fails,
        );
        let Err(SaveError::Full { left, .. }) = outcome else { panic!("{step:?}: {outcome:?}") };
        let expected = if step >= Renamed { (Left::New, "new") } else { (Left::Old, "old") };
        assert_eq!((left, fs::read_to_string(&file).unwrap().as_str()), expected, "{step:?}");
        assert_eq!(names(folder.path()), ["SOUL.md"], "{step:?}");
    }
}

#[test]
fn leftovers_of_killed_processes_go_when_they_are_old_and_ours() {
    let folder = tempfile::tempdir().unwrap();
    let old = SystemTime::now() - Duration::from_hours(2);
    for (name, stale) in [
        (".SOUL.md.cbw-0000000100000001.tmp", true),
        (".SOUL.md.cbw-0000000100000002.tmp", false),
        (".SOUL.md.cbw-0000000100000003.undo", true),
        (".SOUL.md.tmp", true),
    ] {
        let file = fs::File::create(folder.path().join(name)).unwrap();
        if stale {
            file.set_modified(old).unwrap();
        }
    }
    save_plainly(folder.path(), "SOUL.md", b"new", Expected::Absent).unwrap();
    assert_eq!(
        names(folder.path()),
        [".SOUL.md.cbw-0000000100000002.tmp", ".SOUL.md.cbw-0000000100000003.undo", ".SOUL.md.tmp", "SOUL.md"]
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_bytes_are_written_as_they_are(bytes in proptest::collection::vec(any::<u8>(), 0..2_000), name in "[a-z ]{1,220}") {
        let folder = tempfile::tempdir().unwrap();
        save_plainly(folder.path(), &name, &bytes, Expected::Absent).unwrap();
        prop_assert_eq!(fs::read(folder.path().join(&name)).unwrap(), bytes);
    }
}
