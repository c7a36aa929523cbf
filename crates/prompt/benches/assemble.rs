//! How long an assembly takes, beside the floor: one copy of the text that comes out.
//!
//! With `CBW_BENCH_OUT` set, a line of JSON for each row is appended to that file. No figure is asserted.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    missing_docs,
    reason = "a bench may read a clock and write its table"
)]

use std::collections::BTreeMap;
use std::hint::black_box;
use std::io::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use model::{
    ContentHash, Context, Entry, FileIdentity, Folder, Places, SkillFolder, Snapshot, SourceFile, SourceOrigin,
};
use prompt::{Assembler, Attachments, Inputs, shipped, targets};

const ROOT: &str = "/home/ines/.catbuddy/workspace";

fn file(path: &str, text: &str) -> Arc<SourceFile> {
    let hash = ContentHash(*blake3::hash(text.as_bytes()).as_bytes());
    let identity = FileIdentity { size: text.len() as u64, ..FileIdentity::default() };
    Arc::new(SourceFile::new(path, identity, SourceOrigin::Disk, text.as_bytes(), hash))
}

/// Text of about `bytes` bytes: lines as people write them.
fn prose(bytes: usize, salt: usize) -> String {
    let line = format!("- {salt}: a line of notes with a date, 2025-03-04, and a name or two\n");
    line.repeat(bytes / line.len() + 1)
}

/// A workspace of `skills` skills with lines of `description` bytes and bodies of 600, and files of `bytes` in sum.
fn snapshot(skills: usize, description: usize, bytes: usize) -> Snapshot {
    let names = ["AGENTS.md", "SOUL.md", "USER.md", "TOOLS.md", "memory/MEMORY.md"];
    let files = names.iter().enumerate().map(|(at, name)| {
        (String::from(*name), Entry::file(file(&format!("{ROOT}/{name}"), &prose(bytes / names.len(), at))))
    });
    let skill = |at: usize| {
        let name = format!("skill-{at:03}");
        let text = format!("---\nname: {name}\ndescription: {}\n---\n{}", "d".repeat(description), prose(600, at));
        SkillFolder {
            file: Entry::file(file(&format!("{ROOT}/skills/{name}/SKILL.md"), &text)),
            name,
            link: None,
            problem: None,
        }
    };
    let folder = Folder {
        path: ROOT.into(),
        files: files.collect::<BTreeMap<_, _>>(),
        skills: (0..skills).map(skill).collect(),
        ignored: Vec::new(),
    };
    let folder = Arc::new(folder);
    let places = Places { home: "/home/ines".into(), workspace: ROOT.into(), global: ROOT.into(), ..Places::default() };
    Snapshot {
        places,
        workspace: Arc::clone(&folder),
        global: folder,
        app: prompt::shipped_app(),
        findings: Vec::new(),
    }
}

/// The median of many runs, each measured alone; `prepare` is not.
fn median<T>(mut prepare: impl FnMut() -> T, mut run: impl FnMut(T)) -> Duration {
    let mut times: Vec<Duration> = (0..200)
        .map(|_| {
            let input = prepare();
            let start = Instant::now();
            run(input);
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[times.len() / 2]
}

fn row(bench: &str, size: usize, value: Duration, floor: Duration) {
    let ratio = value.as_secs_f64() / floor.as_secs_f64().max(1e-9);
    let line = serde_json::json!({
        "bench": bench, "size": size, "value_ns": value.as_nanos() as u64, "floor_ns": floor.as_nanos() as u64, "ratio": ratio,
    });
    if let Some(path) = std::env::var_os("CBW_BENCH_OUT") {
        let mut out = std::fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
        writeln!(out, "{line}").unwrap();
    }
}

fn copying(text: &str) -> Duration {
    median(|| (), |()| drop(black_box(black_box(text).to_owned())))
}

fn benches(criterion: &mut Criterion) {
    let (target, context, attachments) = (targets::catbuddy(), Context::default(), Attachments::new());
    let variant = &shipped()["catbuddy"];
    let base = Snapshot::default();
    let base = Inputs { snapshot: &base, variant, target: &target, context: &context, attachments: &attachments };

    let small = snapshot(100, 80, 200 * 1024);
    let text = Assembler::default().assemble(&Inputs { snapshot: &small, ..base }).text();
    criterion.bench_function("cold, 100 skills and 200 KB", |bench| {
        bench.iter(|| black_box(Assembler::default().assemble(&Inputs { snapshot: &small, ..base })));
    });
    // Fresh files each time, so that decoding them is part of it.
    let cold = median(
        || snapshot(100, 80, 200 * 1024),
        |fresh| drop(black_box(Assembler::default().assemble(&Inputs { snapshot: &fresh, ..base }))),
    );
    row("assemble/cold", text.len(), cold, copying(&text));

    let mut kept = Assembler::default();
    kept.assemble(&Inputs { snapshot: &small, ..base });
    criterion.bench_function("unchanged, 100 skills and 200 KB", |bench| {
        bench.iter(|| black_box(kept.assemble(&Inputs { snapshot: &small, ..base })));
    });
    let again = median(|| (), |()| drop(black_box(kept.assemble(&Inputs { snapshot: &small, ..base }))));
    row("assemble/unchanged", text.len(), again, copying(&text));

    let large = snapshot(400, 300, 900 * 1024);
    let text = Assembler::default().assemble(&Inputs { snapshot: &large, ..base }).text();
    let floor = copying(&text);
    for (name, path, bytes) in [
        ("8 KB file", format!("{ROOT}/TOOLS.md"), 8 * 1024),
        ("256 KB file", format!("{ROOT}/AGENTS.md"), 256 * 1024),
        ("a skill", format!("{ROOT}/skills/skill-200/SKILL.md"), 1024),
    ] {
        let mut kept = Assembler::default();
        kept.assemble(&Inputs { snapshot: &large, ..base });
        let mut turn = 0;
        let mut edited = || {
            turn += 1;
            let front = if path.contains("/skills/") {
                format!("---\ndescription: {turn}\n---\n")
            } else {
                format!("{turn}\n")
            };
            large.with_file(&file(&path, &format!("{front}{}", prose(bytes, turn))))
        };
        let time =
            median(&mut edited, |snapshot| drop(black_box(kept.assemble(&Inputs { snapshot: &snapshot, ..base }))));
        row(&format!("assemble/one edit, {name}"), text.len(), time, floor);
        criterion.bench_function(&format!("one edit, {name}, 1 MiB and 400 skills"), |bench| {
            bench.iter_batched(
                &mut edited,
                |snapshot| black_box(kept.assemble(&Inputs { snapshot: &snapshot, ..base })),
                criterion::BatchSize::LargeInput,
            );
        });
    }
}

criterion_group! {
    name = group;
    config = Criterion::default().sample_size(20).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    targets = benches
}
criterion_main!(group);
