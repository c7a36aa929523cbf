//! Recording one assembly and reading one page, beside the least that SQLite does for the same bytes.
//!
//! Sizes are rows in the history: 1,000 and 10,000, with `CBW_LONG=1` 100,000 too. The ratio to the floor is printed,
//! and appended as a line of JSON to the file that `CBW_BENCH_OUT` names.

#![allow(missing_docs, reason = "`criterion_group!` makes a public function without one")]
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a bench reports on the terminal and may die")]

use std::env;
use std::fs::OpenOptions;
use std::hint::black_box;
use std::io::Write as _;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use history::{AssemblyId, History, ListFilter, NewAssembly, NewSection, Reason, TokenTotals};
use jiff::{Timestamp, ToSpan as _};
use model::ContentHash;
use rusqlite::{Connection, TransactionBehavior, params};

const START: Timestamp = Timestamp::constant(1_764_547_200, 0);

/// 14 sections of 4,142 bytes that never change, and in their midst one of 2,048 bytes that always does.
struct Workload {
    fixed: Vec<String>,
    round: i64,
}

impl Workload {
    fn new() -> Self {
        Self { fixed: (0..14).map(|place| words(place, 4_142)).collect(), round: 0 }
    }

    /// Records the next assembly in two workspaces, three channels and two variants by turns.
    fn record(&mut self, history: &History) {
        self.round += 1;
        let changed = words(1_000 + self.round.unsigned_abs(), 2_048);
        let mut texts: Vec<&str> = self.fixed.iter().map(String::as_str).collect();
        texts.insert(7, &changed);
        let sections = texts.iter().enumerate().map(|(place, text)| NewSection {
            id: format!("section-{place}").into(),
            layer: Some(1),
            title: "A section".into(),
            text: (*text).into(),
            tokens: Some(500),
        });
        let turn = self.round.unsigned_abs() as usize;
        let new = NewAssembly {
            time: START + self.round.seconds(),
            workspace: ["/home/ann/one", "/home/ann/two"][turn / 7 % 2],
            project: None,
            channel: Some(["chat", "mail", "feishu"][turn / 5 % 3]),
            variant: ["catbuddy", "other"][turn / 3 % 2],
            variant_version: 1,
            model: Some("a-model"),
            fingerprint: &changed[..40],
            content_hash: ContentHash(blake3::hash(changed.as_bytes()).into()),
            sections: sections.collect(),
            tokens: TokenTotals { total: Some(15_000), low: None, high: None, method: "a method".to_owned() },
            parent: None,
            cache: None,
            catalogue: None,
            reason: Reason::Watch,
        };
        history.record(&new).unwrap();
    }
}

/// `length` bytes of words that seem chosen at random.
fn words(seed: u64, length: usize) -> String {
    let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut text = String::new();
    while text.len() < length {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let syllables = (random >> 33) % 3 + 1;
        for syllable in 0..syllables {
            let at = (random >> (40 + 6 * syllable)) as usize % 16;
            text.push_str(&"an th to re in of ic mo su ta pe lo no vi ca ed "[at * 3..at * 3 + 2]);
        }
        text.push(' ');
    }
    text.truncate(length);
    text
}

/// Has criterion measure `run`; gives the median time of one run.
fn measure(criterion: &mut Criterion, name: &str, mut run: impl FnMut()) -> Duration {
    let mut samples = Vec::new();
    criterion.bench_function(name, |bencher| {
        bencher.iter_custom(|iterations| {
            let start = Instant::now();
            for _ in 0..iterations {
                run();
            }
            let time = start.elapsed();
            samples.push(time.as_nanos() / u128::from(iterations));
            time
        });
    });
    samples.sort_unstable();
    Duration::from_nanos(u64::try_from(samples[samples.len() / 2]).unwrap())
}

fn report(bench: &str, size: u64, value: Duration, floor: Duration) {
    let ratio = value.as_secs_f64() / floor.as_secs_f64();
    println!("{bench} at {size} rows: {value:?}, floor {floor:?}, ratio {ratio:.2}");
    if let Some(path) = env::var_os("CBW_BENCH_OUT") {
        let line = serde_json::json!({
            "bench": bench, "size": size, "value_ns": value.as_nanos() as u64, "floor_ns": floor.as_nanos() as u64,
            "ratio": ratio,
        });
        let mut file = OpenOptions::new().create(true).append(true).open(path).unwrap();
        writeln!(file, "{line}").unwrap();
    }
}

/// A file with the same settings and one bare table.
fn floor_of(folder: &std::path::Path) -> Connection {
    let connection = Connection::open(folder.join("floor.db")).unwrap();
    connection
        .execute_batch(
            "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
             CREATE TABLE bare (id INTEGER PRIMARY KEY, time INTEGER, body BLOB);",
        )
        .unwrap();
    connection
}

fn history(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let history = History::open(&folder.path().join("history.db"), START).unwrap();
    let mut floor = floor_of(folder.path());
    let mut workload = Workload::new();
    let long = env::var_os("CBW_LONG").is_some_and(|value| value == "1");
    let sizes: &[u64] = if long { &[1_000, 10_000, 100_000] } else { &[1_000, 10_000] };
    for &size in sizes {
        while history.count(&ListFilter::default()).unwrap() < size {
            for _ in 0..100 {
                workload.record(&history);
            }
        }
        let bytes = history.size_bytes().unwrap();
        println!("{size} rows: {bytes} bytes");

        // The floor of a page: as many numbered rows of a bare table, newest first.
        let page = ListFilter { before_id: Some(AssemblyId(size.cast_signed() / 2)), ..ListFilter::default() };
        let filtered =
            ListFilter { workspace: Some("/home/ann/one".into()), variant: Some("other".into()), ..page.clone() };
        let body = vec![b'x'; 200];
        let transaction = floor.transaction().unwrap();
        transaction.execute("DELETE FROM bare", []).unwrap();
        for id in 0..size {
            transaction.execute("INSERT INTO bare VALUES (?1, ?1, ?2)", params![id.cast_signed(), body]).unwrap();
        }
        transaction.commit().unwrap();
        let bare_page = measure(criterion, &format!("floor: page of {size}"), || {
            let mut statement =
                floor.prepare_cached("SELECT * FROM bare WHERE id < ?1 ORDER BY id DESC LIMIT 50").unwrap();
            let rows = statement.query_map([size.cast_signed() / 2], |row| {
                Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, Vec<u8>>(2)?))
            });
            black_box(rows.unwrap().map(Result::unwrap).collect::<Vec<_>>());
        });
        for (name, filter) in [("history/page", page), ("history/page_filtered", filtered)] {
            let time = measure(criterion, &format!("{name}/{size}"), || {
                black_box(history.list(&filter).unwrap());
            });
            report(name, size, time, bare_page);
        }

        // The floor of a record: the new text's compressed bytes, in a transaction of their own.
        let packed = vec![b'x'; 900];
        let bare_record = measure(criterion, &format!("floor: insert at {size}"), || {
            let transaction = floor.transaction_with_behavior(TransactionBehavior::Immediate).unwrap();
            let mut statement = transaction.prepare_cached("INSERT INTO bare (time, body) VALUES (1, ?1)").unwrap();
            statement.execute([&packed]).unwrap();
            drop(statement);
            transaction.commit().unwrap();
        });
        let time = measure(criterion, &format!("history/record/{size}"), || workload.record(&history));
        report("history/record", size, time, bare_record);
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    targets = history
}
criterion_main!(benches);
