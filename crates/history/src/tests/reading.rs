//! Lists: order, filters, pages, and the work for a page.

use jiff::{Timestamp, ToSpan};
use rusqlite::StatementStatus;

use super::{NOW, assembly, new_history};
use crate::table::assemblies::{page_of_all, page_of_series};
use crate::table::names;
use crate::{AssemblyId, History, HistoryError, ListFilter};

/// Row `n` of 24: workspace /0 or /1, three channels (the first none), two variants; two rows each second.
fn filled() -> (tempfile::TempDir, History) {
    let (folder, history) = new_history();
    for n in 0..24_i64 {
        let text = n.to_string();
        let mut new = assembly(&[&text]);
        new.time = second(n / 2);
        new.workspace = ["/0", "/1"][n as usize % 2];
        new.channel = [None, Some("chat"), Some("mail")][n as usize % 3];
        new.variant = ["x", "y"][n as usize / 4 % 2];
        new.project = (n >= 20).then_some("/p");
        assert_eq!(history.record(&new).unwrap().id(), AssemblyId(n + 1));
    }
    (folder, history)
}

fn second(n: i64) -> Timestamp {
    NOW + n.seconds()
}

fn ids(history: &History, filter: &ListFilter) -> Vec<i64> {
    history.list(filter).unwrap().iter().map(|row| row.id.0).collect()
}

#[test]
fn filters_alone_and_together() {
    let (_folder, history) = filled();
    let all = ListFilter::default();
    let name = |name: &str| Some(name.to_owned());
    let cases: [(ListFilter, &[i64]); 8] = [
        (ListFilter { limit: 3, ..all.clone() }, &[24, 23, 22]),
        (ListFilter { workspace: name("/1"), limit: 2, ..all.clone() }, &[24, 22]),
        (ListFilter { channel: name("chat"), ..all.clone() }, &[23, 20, 17, 14, 11, 8, 5, 2]),
        (ListFilter { workspace: name("/0"), channel: name("chat"), variant: name("x"), ..all.clone() }, &[17, 11]),
        (ListFilter { project: name("/p"), ..all.clone() }, &[24, 23, 22, 21]),
        (ListFilter { since: Some(second(2)), until: Some(second(4)), ..all.clone() }, &[8, 7, 6, 5]),
        (ListFilter { workspace: name("/1"), since: Some(second(10)), ..all.clone() }, &[24, 22]),
        (ListFilter { workspace: name("/unheard-of"), ..all.clone() }, &[]),
    ];
    for (filter, expected) in cases {
        assert_eq!(ids(&history, &filter), expected, "{filter:?}");
        if expected.len() < filter.limit as usize {
            assert_eq!(history.count(&filter).unwrap(), expected.len() as u64, "{filter:?}");
        }
    }
    assert_eq!(history.count(&all).unwrap(), 24);
}

#[test]
fn pages_cover_every_row_once() {
    let (_folder, history) = filled();
    for (channel, expected) in [(None, (1..=24).rev().collect()), (Some("mail"), vec![24, 21, 18, 15, 12, 9, 6, 3])] {
        let mut filter = ListFilter { channel: channel.map(str::to_owned), limit: 5, ..ListFilter::default() };
        let mut pages: Vec<i64> = Vec::new();
        loop {
            let page = ids(&history, &filter);
            let Some(last) = page.last() else { break };
            filter.before_id = Some(AssemblyId(*last));
            pages.extend(page);
        }
        assert_eq!(pages, expected);
    }
}

#[test]
fn a_row_recorded_late_stands_at_its_time() {
    let (_folder, history) = filled();
    let mut late = assembly(&["late"]);
    late.time = second(11) - 1.millisecond();
    history.record(&late).unwrap();
    assert_eq!(ids(&history, &ListFilter { limit: 4, ..ListFilter::default() }), [24, 23, 25, 22]);
    let next = ListFilter { limit: 2, before_id: Some(AssemblyId(25)), ..ListFilter::default() };
    assert_eq!(ids(&history, &next), [22, 21]);
}

#[test]
fn a_cursor_that_was_pruned_is_named() {
    let (_folder, history) = filled();
    let filter = ListFilter { before_id: Some(AssemblyId(77)), ..ListFilter::default() };
    let error = history.list(&filter).unwrap_err();
    assert!(matches!(error, HistoryError::Unknown { id: AssemblyId(77), .. }), "{error}");
}

#[test]
fn the_work_for_a_page_does_not_grow_with_the_table() {
    // Times that all differ, and times that are all the same.
    for spread in [1, 0] {
        let (_folder, history) = new_history();
        let mut recorded: i64 = 0;
        let mut steps = |rows: i64| {
            while recorded < rows {
                recorded += 1;
                let text = recorded.to_string();
                let mut new = assembly(&[&text]);
                new.time = second(recorded * spread);
                history.record(&new).unwrap();
            }
            let time = second(rows / 2 * spread).as_millisecond();
            let range = [Some(i64::MIN), Some(time), Some(rows / 2), Some(20)];
            let channel = number_of(&history, "chat");
            let all = vm_steps(&history, &page_of_all(), [None; 4].into_iter().chain(range));
            let names = [None, None, Some(channel), None];
            (all, vm_steps(&history, &page_of_series(), names.into_iter().chain(range)))
        };
        let (few, many) = (steps(100), steps(1_000));
        assert!(
            many.0 <= few.0 + 10 && many.1 <= few.1 + 10,
            "spread {spread}, 100 rows: {few:?} steps, 1,000 rows: {many:?}"
        );
    }
}

fn number_of(history: &History, name: &str) -> i64 {
    names::find(&history.reader.lock().unwrap(), name).unwrap().unwrap()
}

/// Steps of SQLite's machine to run `sql` to its end; it gives 20 rows.
fn vm_steps(history: &History, sql: &str, values: impl Iterator<Item = Option<i64>>) -> i32 {
    let connection = history.reader.lock().unwrap();
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map(rusqlite::params_from_iter(values), |_| Ok(())).unwrap().count();
    assert_eq!(rows, 20);
    statement.get_status(StatementStatus::VmStep)
}
