//! `cbw why`: each place of a phrase, with its line, and the reason.

use product_tests::cbw;
use product_tests::fixture::Machine;
use serde_json::{Value, json};

fn why(machine: &Machine, phrase: &str, options: &[&str]) -> Vec<Value> {
    let ran = cbw::run(&machine.home(), [&["why", phrase, "--json"], options].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.json()["places"].as_array().unwrap().clone()
}

/// Asserts that the phrase has one place, and gives it.
fn only(machine: &Machine, phrase: &str, options: &[&str]) -> Value {
    let mut places = why(machine, phrase, options);
    assert_eq!(places.len(), 1, "{phrase}: {places:#?}");
    places.remove(0)
}

fn prompt(machine: &Machine, options: &[&str]) -> String {
    cbw::run(&machine.home(), [&["assemble", "--no-record"], options].concat()).text().to_owned()
}

#[test]
fn a_template_is_searched_like_a_file() {
    let machine = Machine::default();
    let identity = machine.app().join("templates/agent/identity.md");
    machine.write(&identity, b"one\n{{#if isEmail}}\nby mail\n{{/if}}\ntwo plums\n{% include 'agent/more.md' %}{% include 'agent/more.md' %}\n");
    machine.write(&machine.app().join("templates/agent/more.md"), b"three pears\n");
    machine.write(&machine.app().join("templates/TOOLS.md"), b"four figs\n");
    let app = machine.app();
    let options = ["--app", app.to_str().unwrap()];
    let text = prompt(&machine, &options);

    let found = only(&machine, "two plums", &options);
    assert_eq!(
        (&found["path"], &found["line"]),
        (&json!(identity), &json!(5)),
        "the template's line, not the prompt's"
    );
    assert_eq!(found["prompt_offset"], text.find("two plums").unwrap());
    assert_eq!(found["range"]["start"], 36, "four lines of 4, 16, 8 and 8 bytes, each with its line end, go before");
    let left_out = only(&machine, "by mail", &options);
    assert_eq!(left_out["in_prompt"], false);
    assert!(left_out["reason"].as_str().unwrap().contains("no branch"), "{left_out}");
    let made_from = only(&machine, "four figs", &options);
    assert!(made_from["reason"].as_str().unwrap().contains("a new TOOLS.md"), "{made_from}");

    let twice = why(&machine, "three pears", &options);
    let offsets: Vec<_> = twice.iter().map(|place| place["prompt_offset"].as_u64().unwrap() as usize).collect();
    let expected: Vec<_> = text.match_indices("three pears").map(|(at, _)| at).collect();
    assert_eq!((offsets.len(), offsets), (2, expected), "a snippet that is included twice stands there twice");
}

#[test]
fn places_after_bad_bytes_are_still_in_the_prompt() {
    let machine = Machine::default();
    machine.write(&machine.home().join(".catbuddy/workspace/SOUL.md"), b"\xFF\xFE calm\nharbour\n");
    let found = only(&machine, "harbour", &[]);
    assert_eq!((&found["line"], &found["range"]["start"], &found["in_prompt"]), (&json!(2), &json!(8), &json!(true)));
    assert_eq!(found["prompt_offset"], prompt(&machine, &[]).find("harbour").unwrap());
}

#[test]
fn a_phrase_across_a_border_is_told_as_one() {
    let machine = Machine::default();
    machine.write(&machine.home().join(".catbuddy/workspace/SOUL.md"), b"calm sea");
    let found = only(&machine, "sea\n\n---", &[]);
    assert_eq!(found["prompt_offset"], prompt(&machine, &[]).find("sea\n\n---").unwrap());
    assert!(found["reason"].as_str().unwrap().contains("runs on"), "{found}");
}

#[test]
fn the_reason_is_that_of_the_file() {
    let machine = Machine::default();
    machine.write(&machine.home().join(".catbuddy/workspace/SOUL.md"), b"the global manner");
    machine.write(&machine.project().join(".catbuddy/AGENTS.md"), b"dates first");
    machine.write(&machine.project().join(".catbuddy/skills/my/SKILL.md"), b"---\nname: mine\n---\nbody of it\n");
    let project = machine.project();
    let options = ["--project", project.to_str().unwrap()];
    for (phrase, reason) in [("the global manner", "global profile"), ("name: mine", "below the front matter")] {
        let found = only(&machine, phrase, &options);
        assert_eq!(found["in_prompt"], false);
        assert!(found["reason"].as_str().unwrap().contains(reason), "{found}");
    }
    assert_eq!(only(&machine, "body of it", &options)["in_prompt"], true);
    assert_eq!(only(&machine, "dates first", &options)["in_prompt"], true);
}

#[test]
fn letter_case_counts_unless_asked_otherwise() {
    let machine = Machine::default();
    machine.write(&machine.home().join(".catbuddy/workspace/SOUL.md"), "Große Straße\n".as_bytes());
    assert!(why(&machine, "GROSSE STRASSE", &[]).is_empty());
    let found = only(&machine, "GROSSE STRASSE", &["--ignore-case"]);
    assert_eq!((&found["in_prompt"], &found["range"]), (&json!(true), &json!({"start": 0, "end": 14})));
}

#[test]
fn the_other_layout_and_the_old_profile_are_looked_through() {
    let machine = Machine::default();
    let workspace = machine.project().join(".catbuddy/workspace");
    machine.write(&workspace.join("SOUL.md"), b"calm\n");
    machine.write(&machine.project().join(".catbuddy/SOUL.md"), b"two plums\n");
    machine.write(&machine.home().join(".catbuddy-desktop/workspace/skills/tide/SKILL.md"), b"three pears\n");
    let options = ["--workspace", workspace.to_str().unwrap()];
    let other = only(&machine, "two plums", &options);
    assert!(other["reason"].as_str().unwrap().contains("other layout"), "{other}");
    let old = only(&machine, "three pears", &options);
    assert!(old["reason"].as_str().unwrap().contains("old profile"), "{old}");
}

#[test]
fn a_log_is_read_out_of_its_json() {
    let machine = Machine::default();
    machine.write(&machine.home().join(".catbuddy/workspace/SOUL.md"), "“calm”\nplumfish\n".as_bytes());
    let sent = prompt(&machine, &[]);
    let log = machine.root().join("sent.json");
    let compare = |bytes: &[u8]| {
        machine.write(&log, bytes);
        let ran =
            cbw::run(&machine.home(), ["compare", &format!("log={}", log.display()), "channel=desktop", "--json"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran.json()
    };
    assert_eq!(
        (&compare(sent.as_bytes())["identical"], &compare(sent.as_bytes())["notes"]),
        (&json!(true), &json!([]))
    );
    for body in [json!(sent), json!({"system": sent}), json!({"messages": [{"role": "system", "content": sent}]})] {
        let found = compare(body.to_string().as_bytes());
        assert_eq!((&found["identical"], found["notes"].as_array().unwrap().len()), (&json!(true), 1), "{found}");
    }
    let changed = compare(json!(sent.replace("plumfish", "pearfish")).to_string().as_bytes());
    let soul = changed["sections"].as_array().unwrap().iter().find(|section| section["id"] == "soul").unwrap();
    assert_eq!(soul["change"], "changed");
    assert_eq!(changed["sections"].as_array().unwrap().iter().filter(|section| section["change"] != "same").count(), 1);
    assert_eq!(changed["first_difference"]["source_line_b"], 2);
    let longer = compare(format!("{sent}\n").as_bytes());
    assert!(longer["notes"][0].as_str().unwrap().contains("white space at the end"), "{longer}");
}
