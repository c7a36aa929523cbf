//! Faults that come from outside: a kill at any moment, another process, no room, a disk that takes no changes.
//! Children are this very test program, started again with a task in its environment.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may panic, a child talks to its parent"
)]

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use model::ContentHash;

use super::*;

const TASK: &str = "CBW_TEST_TASK";
const FOLDER: &str = "CBW_TEST_FOLDER";
const LONG: usize = 64 * 1024;

fn hash(bytes: &[u8]) -> ContentHash {
    ContentHash(*blake3::hash(bytes).as_bytes())
}

fn save_at(folder: &Path, bytes: &[u8], expected: Expected) -> Result<Saved, SaveError> {
    let path = RelativePath::parse("SOUL.md").unwrap();
    save(&Root::new("test", folder), &path, bytes, expected, &SaveOptions::default())
}

/// This program again, running [`child`] only.
fn child_command(task: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["save::faults::child", "--exact", "--nocapture", "--test-threads=1"]);
    command.env(TASK, task).env(FOLDER, folder).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

/// Waits until the child has printed `mark`.
fn wait_for(child: &mut Child, mark: u8) {
    let stdout = child.stdout.as_mut().unwrap();
    let mut byte = [0];
    while byte[0] != mark {
        assert_eq!(stdout.read(&mut byte).unwrap(), 1, "the child ended early");
    }
}

fn output(mut child: Child) -> String {
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    child.wait().unwrap();
    text
}

/// Not a test of its own: what a child process does. Without a task it has nothing to do.
#[test]
fn child() {
    let (Ok(task), Ok(folder)) = (std::env::var(TASK), std::env::var(FOLDER)) else { return };
    let folder = PathBuf::from(folder);
    match task.as_str() {
        "forever" => {
            let texts = [vec![b'a'; LONG], vec![b'b'; LONG + 1]];
            let mut turn = usize::from(fs::read(folder.join("SOUL.md")).unwrap() == texts[0]);
            loop {
                let old = hash(&texts[1 - turn]);
                save_at(&folder, &texts[turn], Expected::Hash(old)).unwrap();
                print!("!");
                std::io::stdout().flush().unwrap();
                turn = 1 - turn;
            }
        }
        "race" => {
            print!("!");
            std::io::stdout().flush().unwrap();
            while !folder.join("go").exists() {
                std::thread::yield_now();
            }
            let mine = std::process::id().to_string();
            match save_at(&folder, mine.as_bytes(), Expected::Hash(hash(b"old"))) {
                Ok(_) => print!("<saved {mine}>"),
                Err(error) => print!("<{}>", error.code()),
            }
        }
        "large" => match save_at(&folder, &vec![b'x'; 1 << 20], Expected::Hash(hash(b"old"))) {
            Ok(_) => print!("<saved>"),
            Err(error) => print!("<{}>", error.code()),
        },
        other => panic!("no such task: {other}"),
    }
}

#[test]
fn a_killed_save_leaves_the_old_bytes_or_the_new_ones() {
    let rounds = if std::env::var_os("CBW_LONG").is_some() { 1_000 } else { 50 };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("SOUL.md");
    let (a, b) = (vec![b'a'; LONG], vec![b'b'; LONG + 1]);
    fs::write(&file, &a).unwrap();
    for round in 0..rounds {
        let mut child = child_command("forever", folder.path()).spawn().unwrap();
        wait_for(&mut child, b'!');
        std::thread::sleep(Duration::from_micros(round * 373 % 7_000));
        child.kill().unwrap();
        child.wait().unwrap();
        let found = fs::read(&file).unwrap();
        assert!(found == a || found == b, "round {round}: {} bytes, neither text", found.len());
        let next = if found == a { &b } else { &a };
        save_at(folder.path(), next, Expected::Hash(hash(&found))).unwrap();
    }
}

#[test]
fn of_two_processes_one_saves_and_the_other_is_told() {
    for _ in 0..10 {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("SOUL.md"), "old").unwrap();
        let mut children: Vec<_> = (0..2).map(|_| child_command("race", folder.path()).spawn().unwrap()).collect();
        for child in &mut children {
            wait_for(child, b'!');
        }
        fs::write(folder.path().join("go"), "").unwrap();
        let outputs: Vec<_> = children.into_iter().map(output).collect();
        let winner = fs::read_to_string(folder.path().join("SOUL.md")).unwrap();
        let won = |text: &String| text.contains(&format!("<saved {winner}>"));
        let lost = |text: &String| text.contains("<conflict>");
        assert!(
            (won(&outputs[0]) && lost(&outputs[1])) || (won(&outputs[1]) && lost(&outputs[0])),
            "{winner} stands there; {outputs:?}"
        );
    }
}

#[test]
fn a_limit_on_file_size_is_no_room() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("SOUL.md"), "old").unwrap();
    let inner = child_command("large", folder.path());
    let mut limited = Command::new("sh");
    limited
        .args(["-c", "trap '' XFSZ; ulimit -f 100; exec \"$@\"", "sh"])
        .arg(inner.get_program())
        .args(inner.get_args());
    limited.env(TASK, "large").env(FOLDER, folder.path()).stdout(Stdio::piped()).stderr(Stdio::null());
    let text = output(limited.spawn().unwrap());
    assert!(text.contains("<disk_full>"), "{text}");
    assert_eq!(fs::read(folder.path().join("SOUL.md")).unwrap(), b"old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
}

/// A small file system in memory, when the system lets us mount one.
struct Mounted(tempfile::TempDir);

impl Mounted {
    fn new() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        run(&["mount", "-t", "tmpfs", "-o", "size=64k", "none", folder.path().to_str().unwrap()]).then(|| Self(folder))
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        run(&["umount", self.0.path().to_str().unwrap()]);
    }
}

fn run(line: &[&str]) -> bool {
    let outcome = Command::new(line[0]).args(&line[1..]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    outcome.is_ok_and(|status| status.success())
}

#[test]
fn a_full_disk_keeps_the_file() {
    let Some(disk) = Mounted::new() else { return }; // mounting needs root; the size limit above needs nobody
    let folder = disk.0.path();
    fs::write(folder.join("SOUL.md"), "old").unwrap();
    let outcome = save_at(folder, &vec![b'x'; 100_000], Expected::Hash(hash(b"old")));
    assert!(matches!(outcome, Err(SaveError::Full { left: Left::Old, .. })), "{outcome:?}");
    assert_eq!(fs::read(folder.join("SOUL.md")).unwrap(), b"old");
    assert_eq!(fs::read_dir(folder).unwrap().count(), 1);
}

#[test]
fn a_folder_that_takes_no_changes_is_read_only() {
    use std::os::unix::fs::PermissionsExt;

    let plain = tempfile::tempdir().unwrap();
    let mounted = Mounted::new();
    let folder = mounted.as_ref().map_or(plain.path(), |disk| disk.0.path());
    fs::write(folder.join("SOUL.md"), "old").unwrap();
    if mounted.is_some() {
        assert!(run(&["mount", "-o", "remount,ro", folder.to_str().unwrap()]));
    } else {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o555)).unwrap();
    }
    let outcome = save_at(folder, b"new", Expected::Hash(hash(b"old")));
    assert!(matches!(outcome, Err(SaveError::ReadOnly { .. })), "{outcome:?}");
    assert_eq!(fs::read(folder.join("SOUL.md")).unwrap(), b"old");
    fs::set_permissions(plain.path(), fs::Permissions::from_mode(0o755)).unwrap();
}
