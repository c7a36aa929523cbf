//! `cbw skills` over a temporary home.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use product_tests::cbw::run;
use serde_json::{Value, json};

fn workspace(home: &Path) -> std::path::PathBuf {
    home.join(".catbuddy/workspace")
}

fn write(home: &Path, name: &str, text: &str) {
    let folder = workspace(home).join("skills").join(name);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("SKILL.md"), text).unwrap();
}

fn list(home: &Path) -> Value {
    run(home, ["skills", "list", "--json"]).json()
}

fn row<'a>(list: &'a Value, name: &str) -> &'a Value {
    list["skills"].as_array().unwrap().iter().find(|row| row["name"] == name).unwrap()
}

#[test]
fn every_skill_is_told_with_what_becomes_of_it() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    write(home, "tide", "---\nname: tide\ndescription: Read a table\nlicense: MIT\n---\nBody\n");
    write(home, "trip", "---\nname: trip\ndescription: Plan: rail, bus\nallowed-tools: x\n---\nBody\n");
    write(home, "Odd--name", "---\nname: other\ndescription: >\n  Two\n  lines\n---\n");
    fs::create_dir_all(workspace(home).join("skills/empty")).unwrap();
    symlink("nowhere", workspace(home).join("skills/gone")).unwrap();
    symlink("round", workspace(home).join("skills/round")).unwrap();
    let listed = list(home);
    let (counts, tide, trip) = (&listed["counts"], row(&listed, "tide"), row(&listed, "trip"));
    assert_eq!(counts["broken"], 2);
    assert_eq!(
        counts["found"].as_u64().unwrap(),
        listed["skills"].as_array().unwrap().len() as u64,
        "what is found is listed, whatever becomes of it"
    );
    assert_eq!((&tide["state"], &tide["line"]), (&json!("on_demand"), &json!("- **tide**: Read a table")));
    assert_eq!(tide["yaml"]["fields"][2], json!({ "name": "license", "value": "MIT", "read": false }));
    assert_eq!((&tide["yaml"]["disagree"], &tide["problems"]), (&Value::Null, &json!([])));
    assert_eq!((&trip["description"], &trip["yaml"]["error"]["line"]), (&json!("Plan: rail, bus"), &json!(3)));
    assert_eq!(trip["yaml"]["lost"], json!(["name", "description", "allowed-tools"]));
    let odd = row(&listed, "Odd--name");
    assert_eq!((&odd["description"], &odd["yaml"]["description"]), (&json!(">"), &json!("Two lines")));
    assert_eq!(odd["problems"].as_array().unwrap().len(), 3, "{}", odd["problems"]);
    assert_eq!(
        row(&listed, "gone")["link"],
        json!({ "text": "nowhere", "resolved": null, "outside": false, "folder": true })
    );
    assert_eq!(listed["not_skills"][0]["name"], "empty");
    assert_eq!(listed["budgets"][0]["limit"], Value::Null);
    assert!(row(&listed, "memory")["locked"].is_string());
}

#[test]
fn a_skill_is_made_copied_deleted_and_brought_back() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    fs::create_dir_all(workspace(home)).unwrap();
    let made = run(home, ["skills", "new", "tide", "--description", "Read a table", "--json"]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    let file = workspace(home).join("skills/tide/SKILL.md");
    assert!(fs::read_to_string(&file).unwrap().starts_with("---\nname: tide\ndescription: Read a table\n---\n\n"));
    for bad in ["tide", "Tide", "a--b", "-a", "../x", ""] {
        let refused = run(home, ["skills", "new", bad, "--json"]);
        assert_eq!((refused.code, &refused.json()["error"]["code"]), (2, &json!("invalid")), "{bad}");
    }
    let copied = run(home, ["skills", "duplicate", "tide", "--json"]).json();
    assert_eq!(copied["name"], "tide-2");
    let copy = fs::read_to_string(workspace(home).join("skills/tide-2/SKILL.md")).unwrap();
    assert_eq!(copy, fs::read_to_string(&file).unwrap().replace("name: tide", "name: tide-2"));

    let deleted = run(home, ["skills", "delete", "tide", "--json"]).json();
    assert!(!file.exists());
    let stored = deleted["trashed"]["stored"].as_str().unwrap();
    assert!(stored.starts_with(home.join(".local/share/Trash/files").to_str().unwrap()), "{stored}");
    let back = run(home, ["skills", "restore", stored]);
    assert_eq!((back.code, file.exists()), (0, true), "{}", back.stderr);
    assert_eq!(run(home, ["skills", "restore", stored]).code, 2, "it is not there any more");
    assert_eq!(run(home, ["skills", "delete", "memory"]).code, 2, "the app's own");
    assert_eq!(run(home, ["skills", "delete", "none"]).code, 2);

    let shadow = run(home, ["skills", "duplicate", "memory", "--json"]).json();
    assert_eq!(shadow["name"], "memory");
    let listed = list(home);
    let twins: Vec<_> = listed["skills"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["name"] == "memory")
        .map(|row| (row["origin"].as_str().unwrap(), row["state"].as_str().unwrap(), row["twin"].as_str().unwrap()))
        .collect();
    assert_eq!(twins, [("workspace", "always", "builtin"), ("builtin", "shadowed", "workspace")]);
}

#[test]
fn a_skill_is_switched_off_in_the_configuration_and_on_again() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    write(home, "tide", "---\nname: tide\ndescription: Read a table\n---\nBody\n");
    let config = home.join(".catbuddy/config/config.json");
    fs::create_dir_all(config.parent().unwrap()).unwrap();
    let before = "{\r\n\t\"theme\": \"dark\",\r\n\t\"agents\": {\"defaults\": {\"disabledSkills\": [\"a\"]}}\r\n}";
    fs::write(&config, before).unwrap();
    assert_eq!(run(home, ["skills", "disable", "tide"]).code, 0);
    assert_eq!(fs::read_to_string(&config).unwrap(), before.replace("[\"a\"]", "[\"a\", \"tide\"]"));
    assert_eq!(row(&list(home), "tide")["state"], "disabled");
    assert!(!run(home, ["assemble"]).text().contains("**tide**"), "the prompt follows");
    assert_eq!(run(home, ["skills", "enable", "tide"]).code, 0);
    assert_eq!(fs::read_to_string(&config).unwrap(), before);
    assert!(run(home, ["skills", "enable", "tide"]).text().contains("nothing to do"));
    assert_eq!(run(home, ["skills", "disable", "my"]).code, 2, "it is always on");

    fs::write(&config, "{\n  \"agents\": {,}\n}").unwrap();
    let refused = run(home, ["skills", "disable", "tide", "--json"]);
    let error = &refused.json()["error"];
    assert_eq!((refused.code, &error["context"]["line"], &error["context"]["column"]), (2, &json!("2"), &json!("14")));
    assert_eq!(fs::read_to_string(&config).unwrap(), "{\n  \"agents\": {,}\n}");
}
