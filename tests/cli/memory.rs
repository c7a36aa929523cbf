//! `cbw memory`: what the agent would append for a summary.

use std::fs;

use product_tests::cbw::{self, Ran};
use product_tests::fixture::{Machine, bytes};
use product_tests::vectors::{Failures, load};
use serde_json::{Value, json};

const MEMORY: &str = ".catbuddy/workspace/memory/MEMORY.md";

fn split(machine: &Machine, summary: &str, options: &[&str]) -> Ran {
    let file = machine.root().join("summary.md");
    machine.write(&file, summary.as_bytes());
    let fixed = ["memory", "split", file.to_str().unwrap(), "--time", "2025-03-04T05:06:07.089Z"];
    cbw::run(&machine.home(), [&fixed, options].concat())
}

#[test]
fn every_vector_is_appended_byte_for_byte() {
    let vectors = load("catbuddy/memory.json");
    let label = vectors["label"].as_str().unwrap();
    let machine = Machine::default();
    machine.write(&machine.home().join(MEMORY), b"old\n");
    fs::create_dir_all(machine.project().join(".catbuddy/workspace")).unwrap();
    let project = machine.project();
    let mut failures = Failures::default();
    for case in vectors["cases"].as_array().unwrap() {
        let id = case["id"].as_str().unwrap();
        let summary = String::from_utf8(bytes(&case["text"])).unwrap();
        for (name, options) in
            [("global", &[][..]), ("layered", &["--layered"]), ("layered", &["--project", project.to_str().unwrap()])]
        {
            let got = split(&machine, &summary, &[&["--json", "--label", label], options].concat()).json();
            failures.value(id, "split", &got["split"], &case["split"]);
            failures.value(id, &format!("{name} {options:?}"), &got["appended"], &case["appended"][name]);
        }
    }
    failures.finish();
    assert_eq!(fs::read(machine.home().join(MEMORY)).unwrap(), b"old\n", "nothing is written");
    assert!(!project.join(".catbuddy/workspace/memory").exists());
}

#[test]
fn the_text_form_says_what_comes_where() {
    let machine = Machine::default();
    let ran = split(&machine, "plums", &[]);
    let path = machine.home().join(MEMORY);
    assert_eq!(
        (ran.code, ran.text()),
        (0, &*format!("At the end of {}:\n\n## Dream — 2025-03-04\nplums\n", path.display()))
    );
    let nothing = split(&machine, " \n", &["--layered"]);
    assert_eq!((nothing.code, nothing.text()), (0, ""));
    assert!(nothing.stderr.contains("no file is touched"), "{}", nothing.stderr);
}

#[test]
fn what_the_agent_would_spoil_is_told() {
    let machine = Machine::default();
    machine.write(&machine.home().join(MEMORY), b"caf\xE9\n");
    let got = split(&machine, "plums", &["--json"]).json();
    assert_eq!(got["appended"]["global"], "caf\u{FFFD}\n\n\n## Dream — 2025-03-04\nplums\n");
    assert!(got["notes"][0].as_str().unwrap().contains("offset 3"), "{got}");
}

#[test]
fn a_time_that_is_none_and_a_summary_that_is_no_text_are_refused() {
    let machine = Machine::default();
    let file = machine.root().join("summary.md");
    machine.write(&file, b"plums");
    let run = |arguments: &[&str]| cbw::run(&machine.home(), [&["memory", "split", "--json"], arguments].concat());
    let file = file.to_str().unwrap();
    let time = run(&[file, "--time", "yesterday"]);
    assert_eq!((time.code, &time.json()["error"]["code"]), (2, &json!("invalid")));
    let gone = run(&["/nowhere/summary.md"]);
    assert_eq!((gone.code, &gone.json()["error"]["code"]), (2, &json!("not_found")));
    machine.write(file.as_ref(), b"\xFF");
    let bad = run(&[file]);
    assert_eq!((bad.code, &bad.json()["error"]["context"]["offset"]), (2, &json!("0")));
    let schema = cbw::run(&machine.home(), ["schema"]).json();
    assert_ne!(schema["outputs"]["memory split"], Value::Null);
}
