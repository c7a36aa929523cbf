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

fn view(machine: &Machine, options: &[&str]) -> Value {
    let ran = cbw::run(&machine.home(), [&["memory", "--json"], options].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.json()
}

/// The states of the layers, in order.
fn states(view: &Value) -> Vec<(String, bool)> {
    let layers = view["layers"].as_array().unwrap();
    let state = |layer: &Value| (layer["state"].as_str().unwrap().to_owned(), layer["injected"].as_bool().unwrap());
    layers.iter().map(state).collect()
}

#[test]
fn each_layer_says_whether_and_why_it_is_in_the_prompt() {
    let machine = Machine::default();
    let (you, project) = (machine.home().join(MEMORY), machine.project().join(".catbuddy/workspace/memory/MEMORY.md"));
    machine.write(&machine.app().join("templates/memory/MEMORY.md"), b"# Memory\n\nNothing yet.\n");
    let (app, folder) = (machine.app(), machine.project());
    let options = ["--app", app.to_str().unwrap(), "--project", folder.to_str().unwrap()];
    machine.write(&project, b"");
    let seen = view(&machine, &options);
    assert_eq!(states(&seen), [("missing".to_owned(), false), ("empty".to_owned(), false)]);
    assert_eq!(seen["layers"][0]["path"], json!(you));

    machine.write(&you, b"\n# Memory\n\nNothing yet.\n\n");
    machine.write(&project, b"# Memory\r\n\r\nNothing yet.\r\n");
    let seen = view(&machine, &options);
    assert_eq!(states(&seen), [("still-default".to_owned(), false), ("injected".to_owned(), true)]);
    assert_eq!(seen["layers"][1]["findings"][0]["id"], "default-other-line-ends");

    let alone = view(&machine, &options[..2]);
    assert_eq!((states(&alone), &alone["layered"]), (vec![("still-default".to_owned(), false)], &json!(false)));
}

#[test]
fn entries_duplicates_and_marks_are_places_in_the_files() {
    let machine = Machine::default();
    let you = machine.home().join(MEMORY);
    let text = "\u{FEFF}# You\r\n- Likes plums.\r\n\r\n## Dream — 2025-03-04\r\nShe wrote ##User Profile there.\r\n";
    machine.write(&you, text.as_bytes());
    machine.write(&machine.project().join(".catbuddy/memory/MEMORY.md"), b"caf\xE9\n\n- Likes plums.\n");
    let project = machine.project();
    let seen = view(&machine, &["--project", project.to_str().unwrap(), "--model", "gpt-4o"]);
    let layer = &seen["layers"][0];
    let entries = layer["entries"].as_array().unwrap();
    let dream = text.find("## Dream").unwrap();
    assert_eq!(entries.len(), 2);
    assert_eq!(entries[1]["range"], json!({"start": dream, "end": text.len()}));
    assert_eq!(
        (&entries[1]["date"], &entries[1]["title"], &entries[1]["line"]),
        (&json!("2025-03-04"), &json!("Dream"), &json!(4))
    );
    let mark = text.find("##User").unwrap();
    assert_eq!(layer["marks"][0]["range"], json!({"start": mark, "end": mark + "##User Profile".len()}));
    assert_eq!(layer["marks"][0]["within_line"], true);
    assert_eq!(seen["window"], 128_000);

    let duplicates = seen["duplicates"].as_array().unwrap();
    assert_eq!((duplicates.len(), &duplicates[0]["across"], &duplicates[0]["exact"]), (1, &json!(true), &json!(true)));
    let copy = &duplicates[0]["copies"][1];
    // c a f E9 LF LF: six bytes of the file, though the text has eight.
    assert_eq!(
        (&copy["owner"], &copy["range"], &copy["line"]),
        (&json!("project"), &json!({"start": 6, "end": 21}), &json!(3))
    );
}

#[test]
fn growth_is_what_the_history_holds() {
    let machine = Machine::default();
    let you = machine.home().join(MEMORY);
    for text in ["one\n", "one\n", "one\ntwo\n"] {
        machine.write(&you, text.as_bytes());
        assert_eq!(cbw::run(&machine.home(), ["assemble"]).code, 0);
    }
    let growth = view(&machine, &[])["growth"].clone();
    let bytes: Vec<_> =
        growth.as_array().unwrap().iter().map(|point| point["you"]["bytes"].as_u64().unwrap()).collect();
    let heading = "## Long-Term Memory\n\n".len() as u64;
    assert_eq!(bytes, [heading + 4, heading + 8], "changes only, with the heading");
    assert_eq!(growth[0]["project"], Value::Null);
}

#[test]
fn a_memory_of_two_mebibytes_is_read_whole() {
    let machine = Machine::default();
    let section = "## Dream — 2025-03-04\n- Likes plums.\n- Repairs clocks.\n\n\n";
    let count = 2 * 1024 * 1024 / section.len();
    machine.write(&machine.home().join(MEMORY), section.repeat(count).as_bytes());
    let seen = view(&machine, &[]);
    assert_eq!(seen["layers"][0]["entries_total"], count);
    assert_eq!(seen["duplicates"].as_array().unwrap().len(), 1);
    assert_eq!(seen["duplicates"][0]["copies"].as_array().unwrap().len(), count);
}

#[test]
fn a_memory_that_cannot_be_read_is_no_error() {
    let machine = Machine::default();
    fs::create_dir_all(machine.home().join(MEMORY)).unwrap();
    let seen = view(&machine, &[]);
    assert_eq!(states(&seen), [("unreadable".to_owned(), false)]);
    let ran = cbw::run(&machine.home(), ["memory"]);
    assert!(ran.text().contains("A folder stands where the file is expected."), "{}", ran.text());
}
