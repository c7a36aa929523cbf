//! `docs/findings.md` has one row for each finding and each fact that the crates can make, and none beside.

use std::collections::BTreeSet;
use std::fs;

use crate::{files_below, root};

/// Ids in the source: `rule("id"`, `Finding::new("id"`, `report("id"`, `fact("id"`, with the id on the same line or the next one.
fn ids_in(source: &str) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    for opening in ["rule(", "Finding::new(", "report(", "fact("] {
        for (at, _) in source.match_indices(opening) {
            let rest = source[at + opening.len()..].trim_start();
            let Some((id, _)) = rest.strip_prefix('"').and_then(|rest| rest.split_once('"')) else { continue };
            ids.insert(id.to_owned());
        }
    }
    ids
}

#[test]
fn every_finding_is_documented_once() {
    let mut made = BTreeSet::new();
    for file in files_below(&root().join("crates")) {
        let name = file.to_string_lossy();
        if name.contains("/src/") && name.ends_with(".rs") && !name.ends_with("tests.rs") {
            let source = fs::read_to_string(&file).unwrap();
            made.extend(ids_in(source.split("\n#[cfg(test)]\nmod tests").next().unwrap()));
        }
    }
    assert!(made.len() > 40, "the search finds the ids: {made:?}");
    let page = fs::read_to_string(root().join("docs/findings.md")).unwrap();
    let rows: Vec<String> =
        page.lines().filter_map(|line| Some(line.strip_prefix("| `")?.split_once('`')?.0.to_owned())).collect();
    let documented: BTreeSet<String> = rows.iter().cloned().collect();
    assert_eq!(rows.len(), documented.len(), "an id has two rows");
    let missing: Vec<_> = made.difference(&documented).collect();
    let gone: Vec<_> = documented.difference(&made).collect();
    assert!(missing.is_empty() && gone.is_empty(), "not documented: {missing:?}; documented and not made: {gone:?}");
}
