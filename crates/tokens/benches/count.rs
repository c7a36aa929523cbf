//! Counting a prompt of sections: whole, and again after one edit. The floor of each is one pass of
//! the bare tokenizer over the whole text.
//!
//! Appends a JSON line per measure to the file that `CBW_BENCH_OUT` names.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a bench reads a clock and reports to its reader")]

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::Write as _;
use std::time::Instant;

use criterion::{BenchmarkId, Criterion, Throughput};
use tokens::{Counter, Encoding, NeverCancel, Tokenizer, count};

const KIB: usize = 1024;
const TOKENIZER: Tokenizer = Tokenizer::Exact(Encoding::O200kBase);

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    for size in [256 * KIB, 1024 * KIB, 4096 * KIB] {
        bench_criterion(&mut criterion, size);
    }
    criterion.final_summary();
    if std::env::args().any(|argument| argument == "--bench") {
        println!("{:<24}{:>10}{:>14}{:>14}{:>8}", "bench", "size", "value ns", "floor ns", "ratio");
        for size in [256 * KIB, 1024 * KIB, 4096 * KIB] {
            report(size);
        }
        report_one_piece();
    }
}

fn bench_criterion(criterion: &mut Criterion, size: usize) {
    let mut prompt = Prompt::of(size, 8 * KIB);
    let text = prompt.sections.concat();
    let mut group = criterion.benchmark_group("count");
    group.throughput(Throughput::Bytes(text.len() as u64)).sample_size(10);
    group.bench_with_input(BenchmarkId::new("whole", size), &text, |bencher, text| {
        bencher.iter(|| count(black_box(text), Encoding::O200kBase, &NeverCancel));
    });
    group.bench_function(BenchmarkId::new("one_edit_8k", size), |bencher| {
        bencher.iter(|| prompt.edit_and_count());
    });
    group.finish();
}

/// One row for the whole and one for each size of the edited section that fits in.
fn report(size: usize) {
    let text = Prompt::of(size, 8 * KIB).sections.concat();
    let floor = median_ns(|| bpe_openai::o200k_base().count(black_box(text.as_str())));
    row("count_whole", size, median_ns(|| count(black_box(&text), Encoding::O200kBase, &NeverCancel)), floor);
    for (name, edited) in [("count_one_edit_8k", 8 * KIB), ("count_one_edit_256k", 256 * KIB)] {
        if edited < size {
            let mut prompt = Prompt::of(size, edited);
            row(name, size, median_ns(|| prompt.edit_and_count()), floor);
        }
    }
}

/// A ruler that is one pre-token piece, the slowest text for the bare tokenizer.
fn report_one_piece() {
    let ruler = "-".repeat(1_000_000);
    let floor = median_ns(|| bpe_openai::o200k_base().count(black_box(ruler.as_str())));
    let value = median_ns(|| count(black_box(&ruler), Encoding::O200kBase, &NeverCancel));
    row("count_one_piece", ruler.len(), value, floor);
}

fn row(bench: &str, size: usize, value_ns: u64, floor_ns: u64) {
    let ratio = value_ns as f64 / floor_ns as f64;
    println!("{bench:<24}{size:>10}{value_ns:>14}{floor_ns:>14}{ratio:>8.3}");
    let Some(path) = std::env::var_os("CBW_BENCH_OUT") else { return };
    let line = serde_json::json!({
        "bench": bench, "size": size, "value_ns": value_ns, "floor_ns": floor_ns, "ratio": ratio
    });
    let written = std::fs::OpenOptions::new().create(true).append(true).open(&path);
    if let Err(error) = written.and_then(|mut file| writeln!(file, "{line}")) {
        println!("not written to {}: {error}", path.display());
    }
}

fn median_ns<T>(mut run: impl FnMut() -> T) -> u64 {
    black_box(run());
    let mut times = (0..15)
        .map(|_| {
            let start = Instant::now();
            black_box(run());
            u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX)
        })
        .collect::<Vec<_>>();
    times.sort_unstable();
    times[times.len() / 2]
}

/// Sections of 2.6 KiB, 400 to the mebibyte, and one that is edited.
struct Prompt {
    sections: Vec<String>,
    counter: Counter,
    edits: usize,
}

impl Prompt {
    fn of(size: usize, edited: usize) -> Self {
        let mut sections = vec![section(0, edited)];
        let mut length = edited;
        while length < size {
            sections.push(section(sections.len(), 2684));
            length += sections[sections.len() - 1].len();
        }
        let middle = sections.len() / 2;
        sections.swap(0, middle);
        Self { sections, counter: Counter::default(), edits: 0 }
    }

    /// Puts a number that was not there before into the middle of the edited section.
    fn edit_and_count(&mut self) -> i64 {
        let middle = self.sections.len() / 2;
        let edited = &mut self.sections[middle];
        let at = edited.floor_char_boundary(edited.len() / 2);
        self.edits += 1;
        edited.replace_range(at..at + 8, &format!("{:08}", self.edits));
        let sections = self.sections.iter().map(String::as_str).collect::<Vec<_>>();
        let counts = self.counter.count_sections(black_box(&sections), TOKENIZER, &NeverCancel);
        counts.map_or(0, |counts| counts.joins)
    }
}

/// ASCII instructions of about `bytes`, with headings, lists, code and numbers; no two alike.
fn section(number: usize, bytes: usize) -> String {
    const WORDS: [&str; 16] = [
        "read",
        "the",
        "workspace",
        "before",
        "answering",
        "and",
        "keep",
        "every",
        "reply",
        "short",
        "unless",
        "asked",
        "for",
        "details",
        "`list_files`",
        "tool",
    ];
    let mut text = format!("## Skill {number}\n\n");
    let mut state = number as u64 + 1;
    let mut line = 0;
    while text.len() < bytes {
        line += 1;
        text.push_str(if line % 3 == 0 { "- " } else { "" });
        for _ in 0..12 {
            // A linear congruential generator (Knuth's MMIX constants).
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(WORDS[(state >> 60) as usize]);
            text.push(' ');
        }
        let _ = write!(text, "({}).\n{}", state >> 52, if line % 5 == 0 { "\n" } else { "" });
    }
    text.push('\n');
    text
}
