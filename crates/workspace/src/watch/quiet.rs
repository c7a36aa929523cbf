//! Between two events nothing is asked of the disk: looked at from outside, with `strace`, where there is one.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::reader::Reader;
use crate::testing::request;
use crate::watch::watch;

const FOLDER: &str = "CBW_TEST_QUIET_FOLDER";
/// Paths that do not exist; asking for them marks the trace.
const BEGIN: &str = "/quiet-begins-here";
const END: &str = "/quiet-ends-here";

/// Not a test of its own: the process that is traced. Without a folder it has nothing to do.
#[test]
fn child() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else { return };
    let reader = Reader::new(request(&folder, &folder.join(".catbuddy/workspace")));
    let reader = Arc::new(Mutex::new(reader));
    let _watching = watch(Arc::clone(&reader), |_| ()).unwrap();
    // What the start itself stirred up has settled by then.
    std::thread::sleep(Duration::from_millis(500));
    let _marked = fs::metadata(BEGIN);
    std::thread::sleep(Duration::from_secs(2));
    let _marked = fs::metadata(END);
}

#[test]
fn no_file_system_call_is_made_between_two_events() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = folder.path().join(".catbuddy/workspace");
    for number in 0..20 {
        let skill = workspace.join(format!("skills/s{number}"));
        fs::create_dir_all(&skill).unwrap();
        fs::write(skill.join("SKILL.md"), "text").unwrap();
    }
    let trace = folder.path().join("trace");
    let outcome = Command::new("strace")
        .args(["-f", "-qq", "-e", "trace=%file,getdents64,fstat", "-o"])
        .arg(&trace)
        .arg(std::env::current_exe().unwrap())
        .args(["watch::quiet::child", "--exact", "--test-threads=1"])
        .env(FOLDER, folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let Ok(trace) = fs::read_to_string(&trace) else {
        assert!(!outcome.is_ok_and(|status| status.success()), "strace ran and left no trace");
        return; // no strace, or no leave to trace
    };
    let lines: Vec<_> = trace.lines().collect();
    let begin = lines.iter().position(|line| line.contains(BEGIN)).unwrap();
    let end = lines.iter().position(|line| line.contains(END)).unwrap();
    assert!(lines[..begin].iter().any(|line| line.contains("SKILL.md")), "the trace sees the reading");
    assert_eq!(lines[begin + 1..end], [""; 0]);
}
