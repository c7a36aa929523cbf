//! `cbw check` about what no single file shows: channels, times, tools, and counts by other methods.

use std::fs;

use product_tests::cbw;
use product_tests::fixture::Machine;
use serde_json::{Value, json};

use crate::checking::{check, id_of, workspace};

/// Channels that the agent is known to have.
const CHANNELS: [&str; 12] = [
    "desktop",
    "telegram",
    "discord",
    "qq",
    "whatsapp",
    "sms",
    "email",
    "cli",
    "mochat",
    "wecom",
    "wechat",
    "websocket",
];

fn plain() -> Machine {
    let machine = Machine::default();
    machine.write(&workspace(&machine).join("SOUL.md"), b"# Manner\n\nCalm, brief.\n");
    machine
}

fn assemble(machine: &Machine, arguments: &[&str]) -> Value {
    let ran = cbw::run(&machine.home(), [&["assemble", "--as", "json", "--no-record"], arguments].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.json()
}

/// The fact `id` of a check.
fn fact(machine: &Machine, arguments: &[&str], id: &str) -> Value {
    let ran = cbw::run(&machine.home(), [&["check", "--json"], arguments].concat());
    let facts = ran.json()["facts"].as_array().unwrap().clone();
    facts.into_iter().find(|fact| fact["id"] == id).unwrap_or_else(|| panic!("no {id}"))
}

fn context(machine: &Machine, name: &str, value: &Value) -> String {
    let path = machine.home().join(name);
    fs::write(&path, value.to_string()).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn s19_channels_differ_in_their_hint_alone() {
    let machine = plain();
    let texts: Vec<String> = CHANNELS
        .iter()
        .map(|channel| assemble(&machine, &["--channel", channel])["text"].as_str().unwrap().to_owned())
        .collect();
    let shared = |other: &String| texts[0].bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let parted = texts[1..].iter().map(shared).min().unwrap();
    assert!(parted > 0 && texts[1..].iter().any(|text| *text != texts[0]));
    let told = fact(&machine, &[], "channels-part-at");
    assert_eq!(told["value"], json!(parted));
    assert!(told["message"].as_str().unwrap().contains(&format!("part at byte {parted}, in Identity")), "{told}");
    let id = "channel-without-hint";
    for (channel, hint) in [
        ("desktop", true),
        ("telegram", true),
        ("TELEGRAM", true),
        ("whatsapp", true),
        ("email", true),
        ("cli", true),
        ("wecom", false),
        ("pager", false),
    ] {
        let findings = check(&machine, &["--channel", channel]);
        let told = findings.iter().find(|finding| finding["id"] == id);
        assert_eq!(told.is_none(), hint, "{channel}: {told:?}");
        if let Some(told) = told {
            assert_eq!(told["severity"], "info");
            assert!(told["message"].as_str().unwrap().contains(channel), "{told}");
        }
    }
    let upper =
        assemble(&machine, &["--channel", "TELEGRAM"])["text"].as_str().unwrap().replace("TELEGRAM", "telegram");
    assert_eq!(upper, texts[1]);
}

#[test]
fn s20_two_assemblies_61_seconds_apart_are_the_same_bytes() {
    let machine = plain();
    let at = |name: &str, time: &str| {
        let value = json!({ "time": time, "channel": "telegram", "message": "Hello" });
        assemble(&machine, &["--context", &context(&machine, name, &value)])
    };
    let (before, after) = (at("a.json", "2025-03-04T05:06:07Z"), at("b.json", "2025-03-04T05:07:08Z"));
    assert_eq!(before["text"], after["text"]);
    assert!(before["user_message"].as_str().unwrap().contains("2025-03-04T05:06:07"));
    assert!(after["user_message"].as_str().unwrap().contains("2025-03-04T05:07:08"));
    let told = fact(&machine, &["--channel", "telegram"], "prefix-stable");
    assert_eq!(told["value"], json!(true));
    let bytes = before["text"].as_str().unwrap().len();
    let message = told["message"].as_str().unwrap();
    assert!(
        message.contains("Prefix stable: yes") && message.contains(&format!("the same {bytes} bytes")),
        "{message}"
    );
    let ran = cbw::run(&machine.home(), ["check", "--deny", "info"]);
    let text = String::from_utf8(ran.stdout).unwrap();
    assert!(text.contains("fact[prefix-stable] Prefix stable: yes"), "{text}");
    assert_eq!(ran.code, 0, "facts are never denied: {text}");
}

#[test]
fn s26_the_order_of_mcp_servers_and_tools_changes_nothing() {
    let machine = plain();
    let tools = |names: [&str; 2]| json!([{ "name": names[0] }, { "name": names[1] }]);
    let servers = |servers: [&str; 2], names: [&str; 2]| {
        json!({ "mcp_servers": [
            { "name": servers[0], "tools": tools(names) }, { "name": servers[1], "tools": tools(names) },
        ] })
    };
    let swapped = context(&machine, "swapped.json", &servers(["b", "a"], ["z", "m"]));
    let half = context(&machine, "half.json", &servers(["a", "b"], ["z", "m"]));
    let sorted = context(&machine, "sorted.json", &servers(["a", "b"], ["m", "z"]));
    let hash = fact(&machine, &["--context", &sorted], "tool-block")["value"].as_str().unwrap().to_owned();
    assert_eq!(hash.len(), 64);
    let findings = check(&machine, &["--context", &sorted]);
    assert!(findings.iter().all(|finding| finding["id"] != "mcp-unsorted"), "{findings:?}");
    for file in [&swapped, &half] {
        let findings = check(&machine, &["--context", file]);
        let told = id_of(&findings, "mcp-unsorted");
        assert_eq!(told["severity"], "info");
        let message = told["message"].as_str().unwrap();
        assert!(message.contains("not in the system prompt") && message.contains(&hash), "{message}");
        assert_eq!(fact(&machine, &["--context", file], "tool-block")["value"], json!(hash));
        let made = assemble(&machine, &["--context", file]);
        assert!(!made["text"].as_str().unwrap().contains("mcp__"));
        let names: Vec<&str> =
            made["tool_schemas"].as_array().unwrap().iter().map(|schema| schema["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["mcp__a__m", "mcp__a__z", "mcp__b__m", "mcp__b__z"]);
    }
    let fewer =
        context(&machine, "fewer.json", &json!({ "mcp_servers": [{ "name": "a", "tools": tools(["m", "y"]) }] }));
    assert_ne!(fact(&machine, &["--context", &fewer], "tool-block")["value"], json!(hash), "another block");
}

#[test]
fn s33_a_thousand_chinese_characters() {
    let machine = Machine::default();
    let text: String = "山高水长风清月白江流有声".chars().cycle().take(1_000).collect();
    let user = workspace(&machine).join("USER.md");
    machine.write(&user, text.as_bytes());
    let findings = check(&machine, &[]);
    let told = id_of(&findings, "length-misjudges");
    assert_eq!((&told["severity"], &told["path"]), (&json!("info"), &json!(user)));
    let message = told["message"].as_str().unwrap();
    // 1,166 by js-tiktoken 1.0.21; 1,000 / 4, and 1,000 / 3 rounded up.
    for words in ["has 1166 tokens, exact (cl100k_base)", "is 250;", "is 334."] {
        assert!(message.contains(words), "{words}: {message}");
    }
    machine.write(&user, "plain English words, one after the other, ".repeat(100).as_bytes());
    let findings = check(&machine, &[]);
    assert!(findings.iter().all(|finding| finding["id"] != "length-misjudges"), "{findings:?}");
}
