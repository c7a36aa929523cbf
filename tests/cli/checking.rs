//! What the tests of `cbw check` share.

use std::path::{Path, PathBuf};

use product_tests::cbw;
use product_tests::fixture::Machine;
use serde_json::Value;

pub(crate) const TIDE: &str = "skills/tide/SKILL.md";
pub(crate) const MEMORY: &str = "memory/MEMORY.md";

/// A note of 245 bytes.
pub(crate) fn note() -> String {
    format!(
        "- {} end\n",
        "a note of some length that nobody writes twice by accident; ".repeat(4).trim_end_matches("; ")
    )
}

pub(crate) fn workspace(machine: &Machine) -> PathBuf {
    machine.home().join(".catbuddy/workspace")
}

pub(crate) fn check(machine: &Machine, arguments: &[&str]) -> Vec<Value> {
    let ran = cbw::run(&machine.home(), [&["check", "--json"], arguments].concat());
    assert!(ran.code < 2, "{}", ran.stderr);
    ran.json()["findings"].as_array().unwrap().clone()
}

/// Id, severity, path and bytes of a finding, as the table writes them.
pub(crate) type Found = (String, String, String, Option<(u64, u64)>);

/// Findings about files below `root`, in the table's order.
pub(crate) fn told(findings: &[Value], root: &Path) -> Vec<Found> {
    let mut told: Vec<_> = findings
        .iter()
        .filter_map(|finding| {
            let text = |key: &str| finding[key].as_str().unwrap_or_default().to_owned();
            let path = Path::new(finding["path"].as_str()?).strip_prefix(root).ok()?;
            let range = finding["range"]["start"].as_u64().zip(finding["range"]["end"].as_u64());
            Some((text("id"), text("severity"), path.to_string_lossy().into_owned(), range))
        })
        .collect();
    told.sort();
    told
}

pub(crate) fn id_of<'a>(findings: &'a [Value], id: &str) -> &'a Value {
    findings.iter().find(|finding| finding["id"] == id).unwrap_or_else(|| panic!("no {id} among {findings:#?}"))
}
