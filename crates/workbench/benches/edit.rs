//! A key press in a workspace that assembles to 1 MiB with 400 skills: edit, assembly, counts, cached prefix, frame.
//! And a cold assembly of 100 skills and 200 KB from the disk.
//!
//! The floor of an edit is one tokenizer pass over the edited file; that of the cold assembly the bare `readdir`,
//! `stat` and `read` of its files. No figure is asserted.

#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout, reason = "a bench reports to its reader")]

use std::fs;
use std::hint::black_box;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use model::Context;
use tempfile::TempDir;
use tokens::{Encoding, NeverCancel, count};
use workbench::api::{EditRequest, FileRef, OpenRequest, PreviewRequest, RootId, TextChange};
use workbench::assembling::{self, Request};
use workbench::place::Place;
use workbench::window::{documents, preview, workspace};
use workbench::{Session, SessionOptions};

const RUNS: usize = 200;

fn prose(bytes: usize, salt: usize) -> String {
    let line = format!("- {salt}: a line of notes with a date, 2025-03-04, and a name or two\n");
    line.repeat(bytes / line.len() + 1)
}

/// A home whose global workspace holds files of these sizes and so many skills.
fn home(files: &[(&str, usize)], skills: usize, description: usize) -> TempDir {
    let home = TempDir::with_prefix("cbw-bench-").unwrap();
    let write = |relative: &str, text: &str| {
        let path = home.path().join(".catbuddy/workspace").join(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    for (at, (name, bytes)) in files.iter().enumerate() {
        write(name, &prose(*bytes, at));
    }
    for skill in 0..skills {
        let text = format!("---\ndescription: {}\n---\n{}", "d".repeat(description), prose(600, skill));
        write(&format!("skills/skill-{skill:03}/SKILL.md"), &text);
    }
    home
}

fn place(home: &TempDir) -> Place {
    Place { home: home.path().to_owned(), ..Place::default() }
}

fn median(mut run: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[RUNS / 2]
}

fn row(bench: &str, size: usize, value: Duration, floor: Duration) {
    let ratio = value.as_secs_f64() / floor.as_secs_f64();
    let (value_ns, floor_ns) = (value.as_nanos() as u64, floor.as_nanos() as u64);
    println!("{bench:<32}{size:>10}{value_ns:>14}{floor_ns:>14}{ratio:>9.3}");
    let Some(path) = std::env::var_os("CBW_BENCH_OUT") else { return };
    let line =
        serde_json::json!({ "bench": bench, "size": size, "value_ns": value_ns, "floor_ns": floor_ns, "ratio": ratio });
    let mut out = fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
    writeln!(out, "{line}").unwrap();
}

fn key_press(name: &str, file: &str) {
    let sizes =
        [("AGENTS.md", 256 * 1024), ("SOUL.md", 8 * 1024), ("USER.md", 300 * 1024), ("memory/MEMORY.md", 340 * 1024)];
    let home = home(&sizes, 400, 300);
    let session = Session::start(SessionOptions { place: place(&home) }, Box::new(|_| {}));
    let path = home.path().join(".catbuddy/workspace").to_string_lossy().into_owned();
    workspace::open(&session, OpenRequest::Workspace { path }).unwrap();
    let file = FileRef { root: RootId::Global, path: file.to_owned() };
    let opened = documents::document(&session, file.clone()).unwrap();
    let middle = opened.body.len() as u32 / 2;
    let first = preview::preview(&session, PreviewRequest::default()).unwrap();
    let (mut version, mut held) = (opened.head.version, first.head.serial);
    let value = median(|| {
        let changes = vec![TextChange { from: middle, to: middle, insert: "x".to_owned() }];
        version = documents::edit(&session, EditRequest { file: file.clone(), version, changes }).unwrap().version;
        let request = PreviewRequest { held: Some(held), ..PreviewRequest::default() };
        let shown = preview::preview(&session, request).unwrap();
        held = shown.head.serial;
        black_box(shown.to_bytes().unwrap());
    });
    let text = String::from_utf8(opened.body).unwrap();
    let floor = median(|| {
        black_box(count(black_box(&text), Encoding::Cl100kBase, &NeverCancel).unwrap());
    });
    row(name, first.head.bytes as usize, value, floor);
}

fn files_below(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files_below(&path, files) } else { files.push(path) }
    }
}

fn cold() {
    let sizes =
        [("AGENTS.md", 50 * 1024), ("SOUL.md", 50 * 1024), ("USER.md", 50 * 1024), ("memory/MEMORY.md", 50 * 1024)];
    let home = home(&sizes, 100, 80);
    let request = Request { place: place(&home), flags: Context::default(), ..Request::default() };
    let mut size = 0;
    let value = median(|| {
        let inputs = assembling::read(&request).unwrap();
        size = black_box(assembling::text_alone(&inputs)).len();
    });
    let floor = median(|| {
        let mut files = Vec::new();
        files_below(&home.path().join(".catbuddy/workspace"), &mut files);
        for path in &files {
            black_box(fs::metadata(path).unwrap().len());
            black_box(fs::read(path).unwrap());
        }
    });
    row("cold assembly", size, value, floor);
}

fn main() {
    // `cargo test --benches` runs this without `--bench`: then nothing is measured.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    println!("{:<32}{:>10}{:>14}{:>14}{:>9}", "bench", "size", "value ns", "floor ns", "ratio");
    key_press("key press, 8 KB file", "SOUL.md");
    key_press("key press, 256 KB file", "AGENTS.md");
    cold();
}
