//! Reading against its floor: the same system calls made bare.
//!
//! `unchanged`: one more reading of a workspace in which nothing changed, against `stat` of its files and folders.
//! `cold`: a first reading, against listing the folders, `stat` and reading the files.
//! With `CBW_BENCH_OUT=file`, a JSON line for each size is appended to that file.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark talks and may panic")]

use std::fs;
use std::hint::black_box;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use model::{AppFiles, Places};
use workspace::reader::{ReadRequest, Reader, read_once};

/// A workspace of `skills` skills and about 200 KB of text: half in the skills, half in the five files.
fn workspace(folder: &Path, skills: usize) -> ReadRequest {
    let home = folder.join("home");
    let root = home.join(".catbuddy/workspace");
    let write = |name: &str, size: usize| {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "A line of sixteen. ".repeat(size / 19)).unwrap();
    };
    for name in ["AGENTS.md", "SOUL.md", "USER.md", "TOOLS.md", "memory/MEMORY.md"] {
        write(name, 20_000);
    }
    for number in 0..skills {
        write(&format!("skills/skill-{number:04}/SKILL.md"), 100_000 / skills);
    }
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    ReadRequest {
        places: Places {
            home: text(&home),
            workspace: text(&root),
            global: text(&root),
            project: None,
            app: None,
            process_cwd: text(&home),
        },
        target: Arc::new(toml::from_str(include_str!("../../../targets/catbuddy.toml")).unwrap()),
        shipped: Arc::new(AppFiles::default()),
    }
}

/// Every file and folder of the workspace.
fn paths(root: &Path) -> Vec<PathBuf> {
    let mut paths = vec![root.to_owned()];
    let mut at = 0;
    while let Some(path) = paths.get(at).cloned() {
        if path.is_dir() {
            paths.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        }
        at += 1;
    }
    paths
}

fn bare_stat(paths: &[PathBuf]) {
    for path in paths {
        black_box(fs::metadata(path).unwrap());
    }
}

/// What the bare calls of a first reading are: the folders that hold files are listed, the files looked at and read.
fn bare_read(root: &Path) {
    for name in fs::read_dir(root).unwrap() {
        black_box(name.unwrap());
    }
    for name in ["AGENTS.md", "SOUL.md", "USER.md", "TOOLS.md", "memory/MEMORY.md"] {
        let path = root.join(name);
        black_box(fs::metadata(&path).unwrap());
        black_box(fs::read(&path).unwrap());
    }
    for folder in fs::read_dir(root.join("skills")).unwrap() {
        let path = folder.unwrap().path().join("SKILL.md");
        black_box(fs::metadata(&path).unwrap());
        black_box(fs::read(&path).unwrap());
    }
}

/// Medians of `ours` and `floor`, taken in turns so that both see the same machine.
fn medians(mut ours: impl FnMut(), mut floor: impl FnMut()) -> (u128, u128) {
    const ROUNDS: usize = 301;
    let mut times = (Vec::with_capacity(ROUNDS), Vec::with_capacity(ROUNDS));
    for _ in 0..ROUNDS {
        let start = Instant::now();
        ours();
        times.0.push(start.elapsed());
        let start = Instant::now();
        floor();
        times.1.push(start.elapsed());
    }
    let median = |times: &mut Vec<Duration>| {
        times.sort_unstable();
        times[ROUNDS / 2].as_nanos()
    };
    (median(&mut times.0), median(&mut times.1))
}

fn report(bench: &str, size: usize, (value, floor): (u128, u128)) {
    let ratio = value as f64 / floor as f64;
    let line = format!(
        "{{\"bench\":\"{bench}\",\"size\":{size},\"value_ns\":{value},\"floor_ns\":{floor},\"ratio\":{ratio:.3}}}"
    );
    println!("{line}");
    if let Some(file) = std::env::var_os("CBW_BENCH_OUT") {
        writeln!(fs::File::options().create(true).append(true).open(file).unwrap(), "{line}").unwrap();
    }
}

fn unchanged(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("read/unchanged");
    for skills in [100, 400] {
        let folder = tempfile::tempdir().unwrap();
        let request = workspace(folder.path(), skills);
        let paths = paths(Path::new(&request.places.workspace));
        let mut reader = Reader::new(request);
        reader.read();
        // Past the time in which stamps are too fresh to be believed.
        std::thread::sleep(Duration::from_millis(200));
        reader.read();
        let times = medians(|| drop(black_box(reader.read())), || bare_stat(&paths));
        report("read/unchanged", skills, times);
        group.bench_with_input(BenchmarkId::new("reader", skills), &skills, |bench, _| bench.iter(|| reader.read()));
        group.bench_with_input(BenchmarkId::new("bare", skills), &skills, |bench, _| bench.iter(|| bare_stat(&paths)));
    }
}

fn cold(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("read/cold");
    for skills in [100, 400] {
        let folder = tempfile::tempdir().unwrap();
        let request = workspace(folder.path(), skills);
        let root = PathBuf::from(&request.places.workspace);
        let times = medians(|| drop(black_box(read_once(request.clone()))), || bare_read(&root));
        report("read/cold", skills, times);
        group.bench_with_input(BenchmarkId::new("reader", skills), &skills, |bench, _| {
            bench.iter(|| read_once(request.clone()));
        });
        group.bench_with_input(BenchmarkId::new("bare", skills), &skills, |bench, _| bench.iter(|| bare_read(&root)));
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(30).measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(500));
    targets = unchanged, cold
}
criterion_main!(benches);
