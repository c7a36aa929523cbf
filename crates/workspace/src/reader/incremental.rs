//! The rule behind every short cut of the reader: whatever happened on disk, reading again gives what a first
//! reading gives.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::{Duration, SystemTime};

use proptest::prelude::*;

use super::{Reader, read_once};
use crate::testing::request;

const PATHS: [&str; 12] = [
    "AGENTS.md",
    "SOUL.md",
    "agents.md",
    "RULES.md",
    "memory",
    "memory/MEMORY.md",
    "memory/memory.md",
    "skills",
    "skills/a",
    "skills/a/SKILL.md",
    "skills/a/skill.md",
    "skills/b/SKILL.md",
];
const TEXTS: [&str; 4] = ["", "one", "two", "three"];
const TARGETS: [&str; 5] = ["SOUL.md", "AGENTS.md", "b", "../skills", "nowhere"];

#[derive(Clone, Copy, Debug)]
enum Act {
    Write(usize, usize),
    /// As editors do: a new file takes the name.
    Replace(usize, usize),
    /// Same size or not, the mtime is put back.
    WriteWithOldTime(usize, usize),
    Remove(usize),
    MakeFolder(usize),
    Link(usize, usize),
    /// Lets the stamps grow old enough to be believed, and reads.
    Wait,
}

fn act() -> impl Strategy<Value = Act> {
    let (path, text, target) = (0..PATHS.len(), 0..TEXTS.len(), 0..TARGETS.len());
    prop_oneof![
        4 => (path.clone(), text.clone()).prop_map(|(path, text)| Act::Write(path, text)),
        2 => (path.clone(), text.clone()).prop_map(|(path, text)| Act::Replace(path, text)),
        2 => (path.clone(), text).prop_map(|(path, text)| Act::WriteWithOldTime(path, text)),
        2 => path.clone().prop_map(Act::Remove),
        1 => path.clone().prop_map(Act::MakeFolder),
        2 => (path, target).prop_map(|(path, target)| Act::Link(path, target)),
        1 => Just(Act::Wait),
    ]
}

/// Does it as far as it can be done; what fails changes nothing that matters here.
fn perform(root: &Path, act: Act) -> std::io::Result<()> {
    let clear = |path: &Path| {
        if path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir()) {
            fs::remove_dir_all(path)
        } else {
            fs::remove_file(path)
        }
    };
    match act {
        Act::Write(path, text) => {
            let path = root.join(PATHS[path]);
            fs::create_dir_all(path.parent().unwrap())?;
            fs::write(path, TEXTS[text])
        }
        Act::Replace(path, text) => {
            let beside = root.join("beside");
            fs::write(&beside, TEXTS[text])?;
            fs::rename(beside, root.join(PATHS[path]))
        }
        Act::WriteWithOldTime(path, text) => {
            let path = root.join(PATHS[path]);
            let mtime = fs::metadata(&path)?.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            fs::write(&path, TEXTS[text])?;
            fs::File::options().write(true).open(&path)?.set_modified(mtime)
        }
        Act::Remove(path) => clear(&root.join(PATHS[path])),
        Act::MakeFolder(path) => fs::create_dir_all(root.join(PATHS[path])),
        Act::Link(path, target) => {
            let path = root.join(PATHS[path]);
            let _nothing_there = clear(&path);
            symlink(TARGETS[target], path)
        }
        Act::Wait => {
            std::thread::sleep(Duration::from_millis(110));
            Ok(())
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn reading_again_gives_what_a_first_reading_gives(acts in proptest::collection::vec(act(), 1..24)) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("project/.catbuddy");
        fs::create_dir_all(&root).unwrap();
        let request = request(&folder.path().join("home"), &root);
        let mut reader = Reader::new(request.clone());
        reader.read();
        for act in acts {
            let _done_or_not = perform(&root, act);
            let again = reader.read().snapshot;
            let first = read_once(request.clone());
            prop_assert_eq!(&*again, &first, "after {:?}", act);
        }
    }
}
