//! `cbw project`: the list of projects, and nothing of their files.

use std::fs;
use std::thread;

use product_tests::cbw::{self, Ran};
use product_tests::fixture::Machine;
use serde_json::{Value, json};

fn cbw(machine: &Machine, arguments: &[&str]) -> Ran {
    cbw::run(&machine.home(), arguments)
}

fn names(ran: &Ran) -> Vec<String> {
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let listed = ran.json();
    assert_eq!(listed["schema_version"], 1);
    listed["projects"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn projects_are_added_renamed_moved_and_removed_and_their_files_stay() {
    let machine = Machine::default();
    let garden = machine.root().join("garden");
    let (harbour, empty) = (machine.root().join("harbour"), machine.root().join("empty"));
    machine.write(&garden.join(".catbuddy/SOUL.md"), b"soul\n");
    machine.write(&garden.join(".catbuddy/skills/ferry/SKILL.md"), b"---\ndescription: x\n---\n");
    machine.write(&harbour.join(".catbuddy/SOUL.md"), b"soul\n");
    machine.write(&harbour.join(".catbuddy/workspace/USER.md"), b"user\n");
    fs::create_dir_all(&empty).unwrap();
    let (garden, harbour, empty) = (garden.to_str().unwrap(), harbour.to_str().unwrap(), empty.to_str().unwrap());

    assert_eq!(cbw(&machine, &["project", "list"]).text(), "");
    cbw(&machine, &["project", "add", garden, "--name", "Garden  beds"]);
    cbw(&machine, &["project", "add", harbour]);
    let added = cbw(&machine, &["project", "add", empty, "--json"]);
    assert_eq!(names(&added), ["Garden beds", "harbour", "empty"]);
    let listed = added.json();
    assert_eq!(
        listed["projects"][0],
        json!({
            "path": garden,
            "name": "Garden beds",
            "workspace": format!("{garden}/.catbuddy"),
            "folders": [{ "path": format!("{garden}/.catbuddy"), "files": ["SOUL.md"], "skills": 1 }],
            "problem": null,
        })
    );
    assert_eq!(listed["projects"][1]["problem"], "two_layouts");
    assert_eq!(listed["projects"][1]["workspace"], Value::Null, "nobody has chosen");
    assert_eq!(listed["projects"][2]["problem"], "no_workspace");

    assert_eq!(names(&cbw(&machine, &["project", "move", empty, "1", "--json"])), ["empty", "Garden beds", "harbour"]);
    let again = cbw(&machine, &["--json", "project", "add", garden, "--name", "Beds"]);
    assert_eq!(names(&again), ["empty", "Beds", "harbour"], "a listed one takes the name and keeps its place");
    assert_eq!(names(&cbw(&machine, &["project", "remove", garden, "--json"])), ["empty", "harbour"]);
    assert_eq!(fs::read(machine.root().join("garden/.catbuddy/SOUL.md")).unwrap(), b"soul\n");

    fs::remove_dir(machine.root().join("empty")).unwrap();
    let text = cbw(&machine, &["project", "list"]);
    assert_eq!(text.text(), format!("1  empty  {empty}  (gone)\n2  harbour  {harbour}  (two layouts)\n"));
}

#[test]
fn what_cannot_be_done_is_said_and_changes_nothing() {
    let machine = Machine::default();
    let file = machine.root().join("note.txt");
    machine.write(&file, b"x");
    let home = machine.home();
    let own = home.join(".catbuddy/workbench/projects.json");
    for (arguments, code) in [
        (vec!["project", "add", "/nowhere/at/all", "--json"], "not_found"),
        (vec!["project", "add", file.to_str().unwrap(), "--json"], "not_found"),
        (vec!["project", "remove", "/nowhere/at/all", "--json"], "not_found"),
        (vec!["project", "move", "/nowhere/at/all", "1", "--json"], "not_found"),
    ] {
        let ran = cbw(&machine, &arguments);
        assert_eq!((ran.code, ran.json()["error"]["code"].as_str().unwrap()), (2, code), "{arguments:?}");
        assert!(!own.exists());
    }
    assert_eq!(cbw(&machine, &["project", "move", "/x", "0"]).code, 2, "places are counted from 1");

    for damaged in [&b"{oops"[..], b"", b"\xff\xfe", br#"{"schema_version":7,"projects":[]}"#] {
        machine.write(&own, damaged);
        let listed = cbw(&machine, &["project", "list", "--json"]);
        assert_eq!((listed.code, &listed.json()["findings"][0]["id"]), (1, &json!("projects-unreadable")));
        let refused = cbw(&machine, &["project", "add", home.to_str().unwrap()]);
        assert_eq!(refused.code, 2);
        assert!(refused.stderr.contains("projects.json"), "{}", refused.stderr);
        assert_eq!(fs::read(&own).unwrap(), damaged, "the person's file is never written over");
    }
}

#[test]
fn two_processes_lose_no_project() {
    let machine = Machine::default();
    let each = 20;
    let folder = |side: &str, index: usize| machine.root().join(format!("{side}{index:02}"));
    thread::scope(|scope| {
        for side in ["a", "b"] {
            let machine = &machine;
            scope.spawn(move || {
                for index in 0..each {
                    let path = folder(side, index);
                    fs::create_dir_all(&path).unwrap();
                    let ran = cbw(machine, &["project", "add", path.to_str().unwrap()]);
                    assert_eq!(ran.code, 0, "{}", ran.stderr);
                }
            });
        }
    });
    let mut listed = names(&cbw(&machine, &["project", "list", "--json"]));
    listed.sort();
    let expected: Vec<String> =
        ["a", "b"].iter().flat_map(|side| (0..each).map(move |index| format!("{side}{index:02}"))).collect();
    assert_eq!(listed, expected);
}

#[test]
fn the_schema_names_the_list() {
    let schemas = cbw(&Machine::default(), &["schema"]).json();
    assert!(schemas.to_string().contains("two_layouts"));
}
