//! Bad input: a clear finding or error each, the rest still works, nothing is lost.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use product_tests::cbw::{self, Ran};
use product_tests::fixture::Machine;
use serde_json::{Value, json};

fn workspace(machine: &Machine) -> PathBuf {
    machine.home().join(".catbuddy/workspace")
}

fn cbw(machine: &Machine, arguments: &[&str]) -> Ran {
    cbw::run(&machine.home(), arguments)
}

fn assemble(machine: &Machine) -> Value {
    let ran = cbw(machine, &["assemble", "--json", "--no-record"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.json()
}

/// Ids of the findings of `cbw check` about this file.
fn findings(machine: &Machine, path: &Path) -> Vec<String> {
    let output = cbw(machine, &["check", "--json"]).json();
    let about =
        output["findings"].as_array().unwrap().iter().filter(|finding| finding["path"] == path.to_str().unwrap());
    about.map(|finding| finding["id"].as_str().unwrap().to_owned()).collect()
}

fn has(machine: &Machine, path: &Path, id: &str) {
    let found = findings(machine, path);
    assert!(found.iter().any(|finding| finding == id), "{}: no {id} among {found:?}", path.display());
}

#[test]
fn a_home_that_is_not_there_gives_a_prompt_and_is_not_made() {
    let machine = Machine::default();
    let nowhere = machine.root().join("nowhere");
    let ran = cbw::run(&nowhere, ["assemble", "--json", "--no-record"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.json()["text"].as_str().unwrap().len() > 100, "the identity is there all the same");
    assert!(!nowhere.exists(), "looking makes nothing");
}

#[test]
fn a_folder_where_a_file_should_be() {
    let machine = Machine::default();
    let soul = workspace(&machine).join("SOUL.md");
    fs::create_dir_all(&soul).unwrap();
    machine.write(&workspace(&machine).join("USER.md"), b"Ines\n");
    has(&machine, &soul, "folder-instead-of-file");
    assert!(assemble(&machine)["text"].as_str().unwrap().contains("## USER.md\n\nInes"), "the rest still works");
}

#[test]
fn a_skill_file_that_is_a_folder_stops_the_agent_and_is_named() {
    let machine = Machine::default();
    let skill = workspace(&machine).join("skills/tide/SKILL.md");
    fs::create_dir_all(&skill).unwrap();
    let ran = cbw(&machine, &["assemble", "--json", "--no-record"]);
    assert_eq!(ran.code, 1);
    let output = ran.json();
    assert_eq!(output["target_error"]["kind"], "io");
    assert_eq!(output["target_error"]["path"], skill.to_str().unwrap());
    assert!(!output["text"].as_str().unwrap().is_empty(), "JSON shows the rest");
    let text = cbw(&machine, &["assemble", "--no-record"]);
    assert_eq!((text.code, text.text()), (1, ""), "text mode prints nothing");
    assert!(text.stderr.contains("SKILL.md"));
}

#[test]
fn a_fifo_is_never_opened() {
    let machine = Machine::default();
    fs::create_dir_all(workspace(&machine)).unwrap();
    let fifo = workspace(&machine).join("AGENTS.md");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    has(&machine, &fifo, "special-file");
    assemble(&machine);
}

#[test]
fn a_loop_of_links() {
    let machine = Machine::default();
    fs::create_dir_all(workspace(&machine).join("skills")).unwrap();
    let (a, b) = (workspace(&machine).join("SOUL.md"), workspace(&machine).join("other.md"));
    symlink(&b, &a).unwrap();
    symlink(&a, &b).unwrap();
    symlink(workspace(&machine).join("skills/round"), workspace(&machine).join("skills/round")).unwrap();
    has(&machine, &a, "link-loop");
    assemble(&machine);
}

#[test]
fn bytes_of_another_encoding_are_named_by_offset() {
    let machine = Machine::default();
    let user = workspace(&machine).join("USER.md");
    machine.write(&user, b"name: \xC4\xE3\xBA\xC3\n");
    has(&machine, &user, "not-utf8");
    let output = cbw(&machine, &["check", "--json"]).json();
    let finding =
        output["findings"].as_array().unwrap().iter().find(|finding| finding["id"] == "not-utf8").unwrap().clone();
    assert_eq!(finding["range"]["start"], 6, "{finding}");
}

#[test]
fn a_memory_of_fifty_megabytes() {
    let machine = Machine::default();
    let memory = workspace(&machine).join("memory/MEMORY.md");
    machine.write(&memory, "- the dam was opened at six in the morning\n".repeat(1_200_000).as_bytes());
    let output = assemble(&machine);
    assert!(output["text"].as_str().unwrap().len() > 50_000_000);
    assert!(output["tokens"]["total"].as_u64().unwrap() > 5_000_000);
}

#[test]
fn a_million_blanks() {
    let machine = Machine::default();
    machine.write(&workspace(&machine).join("USER.md"), " ".repeat(1_000_000).as_bytes());
    let output = assemble(&machine);
    assert!(output["tokens"]["total"].as_u64().unwrap() > 1);
}

#[test]
fn ten_thousand_skills() {
    let machine = Machine::default();
    for number in 0..10_000 {
        machine.write(
            &workspace(&machine).join(format!("skills/s{number:05}/SKILL.md")),
            format!("---\ndescription: Skill {number}\n---\nBody.\n").as_bytes(),
        );
    }
    let output = assemble(&machine);
    let text = output["text"].as_str().unwrap();
    assert!(text.contains("- **s00000**: Skill 0\n") && text.contains("- **s09999**: Skill 9999"));
}

#[test]
fn a_variant_file_that_is_no_toml_is_located() {
    let machine = Machine::default();
    let variant = machine.home().join(".catbuddy/workbench/variants/mine/variant.toml");
    machine.write(&variant, b"schema_version = 1\nid = \"mine\n");
    let ran = cbw(&machine, &["assemble", "--variant", "mine", "--json"]);
    assert_eq!(ran.code, 2);
    let error = &ran.json()["error"];
    assert_eq!((&error["context"]["line"], &error["code"]), (&json!("2"), &json!("invalid")), "{error}");
    has(&machine, &variant, "variant-unreadable");
    assemble(&machine);
}

#[test]
fn a_database_of_a_newer_version_is_left_alone() {
    let machine = Machine::default();
    let path = machine.home().join(".catbuddy/workbench/history.db");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let database = rusqlite::Connection::open(&path).unwrap();
    database.pragma_update(None, "user_version", 9999).unwrap();
    database.close().unwrap();
    let before = fs::read(&path).unwrap();
    let ran = cbw(&machine, &["assemble"]);
    assert_eq!(ran.code, 0, "a record that fails is never a failed assembly");
    assert!(ran.stderr.contains("history"), "and is a warning: {}", ran.stderr);
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(cbw(&machine, &["history", "list"]).code, 2);
}

#[test]
fn a_template_with_an_open_block_stops_the_agent_with_line_and_column() {
    let machine = Machine::default();
    machine.write(&machine.app().join("templates/agent/identity.md"), b"one\n{{#if channel}}\ntwo\n");
    let app = machine.app();
    let ran = cbw(&machine, &["assemble", "--app", app.to_str().unwrap(), "--json", "--no-record"]);
    assert_eq!(ran.code, 1);
    let error = &ran.json()["target_error"];
    assert_eq!(error["kind"], "template_syntax");
    assert!(error["path"].as_str().unwrap().ends_with("templates/agent/identity.md"));
    assert!(error["line"].as_u64().is_some() && error["column"].as_u64().is_some(), "{error}");
}

#[test]
fn a_configuration_that_is_no_json_is_told_and_counts_for_nothing() {
    let machine = Machine::default();
    machine.write(&workspace(&machine).join("skills/ferry/SKILL.md"), b"---\ndescription: Ferry times\n---\nBody\n");
    let config = machine.home().join(".catbuddy/config/config.json");
    machine.write(&config, br#"{"agents":{"defaults":{"disabledSkills":["ferry"]}}}"#);
    assert!(!assemble(&machine)["text"].as_str().unwrap().contains("Ferry times"));
    assert_eq!(findings(&machine, &config), [""; 0]);
    // A comma too many.
    machine.write(&config, br#"{"agents":{"defaults":{"disabledSkills":["ferry",]}}}"#);
    assert!(assemble(&machine)["text"].as_str().unwrap().contains("Ferry times"));
    has(&machine, &config, "config-unreadable");
}
