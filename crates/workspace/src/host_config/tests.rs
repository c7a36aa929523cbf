#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use proptest::prelude::*;

use super::*;

fn off(name: &str) -> Switch<'_> {
    Switch { name, disabled: true }
}

fn on(name: &str) -> Switch<'_> {
    Switch { name, disabled: false }
}

fn changed(text: &str, change: Switch<'_>) -> Option<String> {
    edit::switched(text, change).unwrap()
}

#[test]
fn only_the_list_changes() {
    for (before, disabled) in [
        (r#"{"agents":{"defaults":{"disabledSkills":[]}}}"#, r#"{"agents":{"defaults":{"disabledSkills":["tide"]}}}"#),
        (
            r#"{"agents":{"defaults":{"disabledSkills":["a"]}}}"#,
            r#"{"agents":{"defaults":{"disabledSkills":["a", "tide"]}}}"#,
        ),
        (
            r#"{"agents":{"defaults":{"disabledSkills":["a","b"]}}}"#,
            r#"{"agents":{"defaults":{"disabledSkills":["a","b","tide"]}}}"#,
        ),
        (
            "\u{FEFF}{\r\n\t\"x\": 1.50, // kept\r\n\t\"agents\": {\"defaults\": {\r\n\t\t\"disabledSkills\": [\r\n\t\t\t\"a\"\r\n\t\t],\r\n\t\t\"z\": null}}\r\n}\r\n",
            "\u{FEFF}{\r\n\t\"x\": 1.50, // kept\r\n\t\"agents\": {\"defaults\": {\r\n\t\t\"disabledSkills\": [\r\n\t\t\t\"a\",\r\n\t\t\t\"tide\"\r\n\t\t],\r\n\t\t\"z\": null}}\r\n}\r\n",
        ),
    ] {
        assert_eq!(changed(before, off("tide")).as_deref(), Some(disabled));
        assert_eq!(changed(disabled, off("tide")), None, "it says so already");
        assert_eq!(changed(disabled, on("tide")).as_deref(), Some(before), "and back");
    }
}

#[test]
fn what_leads_to_the_list_is_made_where_it_is_missing() {
    assert_eq!(
        changed("{}", off("tide")).unwrap(),
        "{\n  \"agents\": {\n    \"defaults\": {\n      \"disabledSkills\": [\"tide\"]\n    }\n  }\n}"
    );
    assert_eq!(
        changed(
            "{\n    \"agents\": {\n        \"defaults\": {\n            \"model\": \"m\"\n        }\n    }\n}\n",
            off("tide")
        )
        .unwrap(),
        "{\n    \"agents\": {\n        \"defaults\": {\n            \"model\": \"m\",\n            \"disabledSkills\": [\"tide\"]\n        }\n    }\n}\n"
    );
    assert_eq!(
        changed(r#"{"theme": "dark"}"#, off("tide")).unwrap(),
        r#"{"theme": "dark", "agents": { "defaults": { "disabledSkills": ["tide"] } }}"#
    );
    assert_eq!(
        changed("{\r\n  \"agents\": {}\r\n}\r\n", off("t\"x")).unwrap(),
        "{\r\n  \"agents\": {\r\n    \"defaults\": {\r\n      \"disabledSkills\": [\"t\\\"x\"]\r\n    }\r\n  }\r\n}\r\n"
    );
    assert_eq!(
        changed(r#"{"agents":{"defaults":{"disabledSkills":null}}}"#, off("tide")).unwrap(),
        r#"{"agents":{"defaults":{"disabledSkills":["tide"]}}}"#
    );
    assert_eq!(changed("{}", on("tide")), None);
}

#[test]
fn each_entry_of_the_name_goes_and_the_others_stay() {
    let list = |inner: &str| format!(r#"{{"agents":{{"defaults":{{"disabledSkills":[{inner}]}}}}}}"#);
    for (before, after) in [
        (r#""tide""#, ""),
        (r#" "tide" "#, ""),
        (r#""tide", "b""#, r#""b""#),
        (r#""a", "tide""#, r#""a""#),
        (r#""a", "tide", "b", "ti\u0064e""#, r#""a", "b""#),
        (r#""a", 7, "tide""#, r#""a", 7"#),
        (r#""a" /* , */, "tide""#, r#""a" /* , */"#),
    ] {
        assert_eq!(changed(&list(before), on("tide")).unwrap(), list(after), "{before}");
    }
    let twice = r#"{"agents":{"defaults":{"disabledSkills":["tide"]}},"agents":{"defaults":{"disabledSkills":["b"]}}}"#;
    assert_eq!(changed(twice, on("tide")), None, "the last of two equal keys counts");
}

#[test]
fn what_is_no_configuration_is_refused_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(CONFIG);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let deep = "[".repeat(5_000);
    for (bytes, line, column) in [
        (&b""[..], 1, 1),
        (b"{\n  \"a\": 1,\n}", 3, 1),
        (b"{\n  \"a\" 1\n}", 2, 7),
        (b"{\"agents\": 7}", 1, 12),
        (b"{\"agents\": {\"defaults\": {\"disabledSkills\": \"x\"}}}", 1, 44),
        (b"{} x", 1, 4),
        (b"{\"a\": \"no end\n}", 1, 7),
        (b"{\n\"\xff\": 1}", 2, 2),
        (deep.as_bytes(), 1, 130),
    ] {
        fs::write(&path, bytes).unwrap();
        match switch(folder.path(), off("tide")).unwrap_err() {
            ConfigError::Invalid { line: l, column: c, message, .. } => {
                assert_eq!((l, c), (line, column), "{message} in {}", String::from_utf8_lossy(bytes));
            }
            other => panic!("{other}"),
        }
        assert_eq!(fs::read(&path).unwrap(), bytes, "nothing was written");
    }
}

#[test]
fn a_missing_file_is_made_and_a_link_stays_a_link() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    fs::create_dir_all(&home).unwrap();
    assert!(!switch(&home, on("tide")).unwrap().written, "nothing to switch on, nothing is made");
    assert!(!home.join(CONFIG).exists());
    let made = switch(&home, off("tide")).unwrap();
    assert!(made.written && made.read_by_host);
    let text = fs::read_to_string(home.join(CONFIG)).unwrap();
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value, serde_json::json!({"agents": {"defaults": {"disabledSkills": ["tide"]}}}));

    // A configuration that is kept elsewhere.
    let dotfiles = folder.path().join("dotfiles.json");
    fs::rename(home.join(CONFIG), &dotfiles).unwrap();
    symlink(&dotfiles, home.join(CONFIG)).unwrap();
    assert!(switch(&home, on("tide")).unwrap().written);
    assert!(fs::symlink_metadata(home.join(CONFIG)).unwrap().is_symlink());
    assert!(fs::read_to_string(&dotfiles).unwrap().contains("\"disabledSkills\": []"));

    fs::remove_file(&dotfiles).unwrap();
    let dangling = switch(&home, off("tide")).unwrap_err();
    assert!(dangling.to_string().contains("leads nowhere"), "{dangling}");
    assert!(!dotfiles.exists());
}

#[test]
fn a_text_that_the_host_cannot_read_is_told_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(CONFIG);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, "// mine\n{}\n").unwrap();
    let changed = switch(folder.path(), off("tide")).unwrap();
    assert!(changed.written && !changed.read_by_host);
    assert!(fs::read_to_string(&path).unwrap().starts_with("// mine\n{"));
}

#[test]
fn no_permission_and_two_at_once_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(CONFIG);
    let names: Vec<String> = (0..12).map(|number| format!("skill-{number}")).collect();
    std::thread::scope(|scope| {
        for name in &names {
            scope.spawn(|| {
                // A conflict is an answer, after which one tries again.
                while let Err(error) = switch(folder.path(), off(name)) {
                    assert!(matches!(error, ConfigError::Save(SaveError::Conflict { .. })), "{error}");
                }
            });
        }
    });
    let value: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let mut listed: Vec<&str> = value
        .pointer("/agents/defaults/disabledSkills")
        .unwrap()
        .as_array()
        .unwrap()
        .iter()
        .map(|name| name.as_str().unwrap())
        .collect();
    listed.sort_unstable();
    let mut expected: Vec<&str> = names.iter().map(String::as_str).collect();
    expected.sort_unstable();
    assert_eq!(listed, expected);

    if rustix::process::geteuid().is_root() {
        return; // everything is allowed
    }
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    let error = switch(folder.path(), off("x")).unwrap_err();
    assert!(matches!(error, ConfigError::Unreadable { .. }), "{error}");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
}

proptest! {
    #[test]
    fn no_text_makes_it_fail_and_off_and_on_says_the_same(
        text in "(\u{FEFF})?[\\[\\]{}\":, \r\n/*a7é\\\\]{0,60}"
    ) {
        if let Ok(Some(next)) = edit::switched(&text, off("tide")) {
            prop_assert!(next.contains("tide"));
            prop_assert_eq!(edit::switched(&next, off("tide")), Ok(None));
        }
    }

    #[test]
    fn values_beside_the_list_stay(
        keys in proptest::collection::btree_map("[a-z\"\\\\é]{1,6}", -9i32..9, 0..5),
        listed in proptest::collection::vec("[a-z]{1,5}", 0..5),
        pretty: bool,
    ) {
        let mut value = serde_json::json!({ "agents": { "defaults": { "disabledSkills": listed } } });
        for (key, number) in &keys {
            value["agents"]["defaults"][key] = serde_json::json!(number);
        }
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
        let next = edit::switched(&text, off("TIDE")).unwrap().unwrap();
        let read: serde_json::Value = serde_json::from_str(&next).unwrap();
        let mut expected = value.clone();
        expected["agents"]["defaults"]["disabledSkills"].as_array_mut().unwrap().push("TIDE".into());
        prop_assert_eq!(read, expected);
        let back = edit::switched(&next, on("TIDE")).unwrap().unwrap();
        prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&back).unwrap(), value);
    }
}
