//! The commands besides `assemble`, and what scripts rely on.

use std::fs;

use product_tests::cbw::{self, Ran};
use product_tests::fixture::Machine;
use serde_json::{Value, json};

/// A home with a filled global profile.
fn filled() -> Machine {
    let machine = Machine::default();
    let workspace = machine.home().join(".catbuddy/workspace");
    machine.write(&workspace.join("SOUL.md"), b"Calm and brief.\nNever in a hurry.\n");
    machine.write(&workspace.join("USER.md"), b"- Called: Ines\n");
    machine.write(&workspace.join("RULES.md"), b"Harbour rules nobody reads.\n");
    machine.write(&workspace.join("memory/MEMORY.md"), b"- likes plums\n");
    machine.write(&workspace.join("skills/ferry/SKILL.md"), b"---\ndescription: Ferry times\n---\nAsk at pier two.\n");
    machine
}

fn cbw(machine: &Machine, arguments: &[&str]) -> Ran {
    cbw::run(&machine.home(), arguments)
}

#[test]
fn the_prompt_is_printed_byte_for_byte_and_nothing_else() {
    let machine = filled();
    let ran = cbw(&machine, &["assemble", "--channel", "telegram"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(
        ran.text().contains("\n\n---\n\n## SOUL.md\n\nCalm and brief.\nNever in a hurry.\n\n\n---\n\n"),
        "{}",
        ran.text()
    );
    let whole = cbw(&machine, &["assemble", "--channel", "telegram", "--json"]).json();
    assert_eq!(whole["text"], ran.text());
    assert_eq!(whole["schema_version"], 1);
    assert_eq!(whole["channel"], "telegram");
}

#[test]
fn global_options_stand_before_or_after_the_command() {
    let machine = filled();
    let before = cbw(&machine, &["--json", "check"]);
    let after = cbw(&machine, &["check", "--json"]);
    assert_eq!(before.stdout, after.stdout);
}

#[test]
fn the_user_message_carries_the_runtime_suffix_and_the_system_prompt_no_time() {
    let machine = filled();
    let context = machine.root().join("context.json");
    machine.write(&context, br#"{"time":"2025-03-04T05:06:07.089Z","channel":"cli","message":"Hello"}"#);
    let context = context.to_str().unwrap();
    let message = cbw(&machine, &["assemble", "--context", context, "--as", "user-message"]);
    assert_eq!(message.text(), "Hello\n\n[runtime: Time: 2025-03-04T05:06:07.089Z (UTC) | Channel: cli]");
    let messages = cbw(&machine, &["assemble", "--context", context, "--as", "messages"]).json();
    assert_eq!(messages, json!([{ "role": "user", "content": message.text() }]));
    assert!(!cbw(&machine, &["assemble", "--context", context]).text().contains("2025-03-04"));
}

#[test]
fn an_unknown_context_key_is_named_with_the_nearest_one() {
    let machine = filled();
    let context = machine.root().join("context.json");
    machine.write(&context, br#"{"chanel":"cli"}"#);
    let ran = cbw(&machine, &["assemble", "--context", context.to_str().unwrap(), "--json"]);
    assert_eq!(ran.code, 2);
    let error = &ran.json()["error"];
    assert_eq!(error["code"], "invalid");
    assert_eq!(error["context"]["key"], "chanel");
    assert_eq!(error["context"]["nearest"], "channel");
}

#[test]
fn context_show_says_where_each_value_comes_from() {
    let machine = filled();
    let context = machine.root().join("context.json");
    machine.write(&context, br#"{"channel":"cli","chat_id":"9"}"#);
    let shown =
        cbw(&machine, &["context", "show", "--context", context.to_str().unwrap(), "--channel", "email", "--json"])
            .json();
    assert_eq!(shown["context"]["channel"], "email");
    assert_eq!(shown["origins"]["channel"], "flag");
    assert_eq!(shown["origins"]["chat_id"], "file");
    assert_eq!(shown["origins"]["platform"], "machine");
}

#[test]
fn history_counts_what_it_has_seen_and_gives_the_text_back() {
    let machine = filled();
    for channel in ["telegram", "telegram", "desktop"] {
        assert_eq!(cbw(&machine, &["assemble", "--channel", channel]).code, 0);
    }
    let prompt = cbw(&machine, &["assemble", "--channel", "telegram", "--no-record"]);
    let listed = cbw(&machine, &["history", "list", "--json"]).json();
    let rows: Vec<(Value, Value)> = listed["assemblies"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["channel"].clone(), row["seen"].clone()))
        .collect();
    assert_eq!(rows, [(json!("desktop"), json!(1)), (json!("telegram"), json!(2))], "newest first; seen starts at 1");
    let id = listed["assemblies"][1]["id"].to_string();
    assert_eq!(cbw(&machine, &["history", "show", &id]).stdout, prompt.stdout);
    assert_eq!(
        cbw(&machine, &["history", "list", "--json", "--limit", "1"]).json()["assemblies"].as_array().unwrap().len(),
        1
    );
}

#[test]
fn an_edit_keeps_the_prefix_before_it() {
    let machine = filled();
    cbw(&machine, &["assemble"]);
    let before = cbw(&machine, &["assemble", "--no-record"]).text().to_owned();
    machine.write(&machine.home().join(".catbuddy/workspace/memory/MEMORY.md"), b"- likes pears\n");
    let after = cbw(&machine, &["assemble", "--json"]).json();
    let same = before.bytes().zip(after["text"].as_str().unwrap().bytes()).take_while(|(a, b)| a == b).count();
    assert_eq!(after["cache"]["prefix_bytes"], same);
    assert_eq!(after["cache"]["breaks_at"], "global-memory");
    assert!(after["cache"]["prefix_tokens"].as_u64().unwrap() < after["tokens"]["total"].as_u64().unwrap());
}

#[test]
fn compare_names_the_first_byte_that_differs() {
    let machine = filled();
    let text = |channel| cbw(&machine, &["assemble", "--no-record", "--channel", channel]).text().to_owned();
    let (a, b) = (text("telegram"), text("desktop"));
    let offset = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let compared = cbw(&machine, &["compare", "channel=telegram", "channel=desktop", "--json"]).json();
    assert_eq!(compared["first_difference"]["offset"], offset);
    assert_eq!(compared["first_difference"]["section_b"], "identity");
    assert_eq!(compared["identical"], false);
    let same = cbw(&machine, &["compare", "channel=telegram", "channel=TELEGRAM", "--json"]);
    assert_eq!(same.code, 0);
    let log = machine.root().join("sent.txt");
    fs::write(&log, &a).unwrap();
    let logged = cbw(&machine, &["compare", &format!("log={}", log.display()), "channel=telegram", "--json"]).json();
    assert_eq!(logged["identical"], true, "a logged prompt is compared byte for byte");
}

#[test]
fn why_tells_read_files_from_ignored_ones() {
    let machine = filled();
    let found = cbw(&machine, &["why", "Never in a hurry", "--json"]);
    assert_eq!(found.code, 0);
    let place = &found.json()["places"][0];
    assert_eq!((&place["line"], &place["in_prompt"]), (&json!(2), &json!(true)));
    let prompt = cbw(&machine, &["assemble", "--no-record"]).text().to_owned();
    assert_eq!(place["prompt_offset"], prompt.find("Never in a hurry").unwrap());
    let ignored = cbw(&machine, &["why", "Harbour rules", "--json"]);
    assert_eq!(ignored.code, 0, "an answer is no finding");
    assert_eq!(ignored.json()["places"][0]["in_prompt"], false);
    let body = cbw(&machine, &["why", "pier two", "--json"]).json();
    assert_eq!(body["places"][0]["in_prompt"], false, "the body of an on-demand skill stays in its file");
}

#[test]
fn tokens_are_exact_or_an_interval_with_its_method() {
    let machine = filled();
    let file = machine.root().join("text.txt");
    // tokens_openai.json, row tok000: 17 tokens in all three encodings.
    machine.write(&file, b"You are a careful assistant. Answer briefly, and say when you do not know.");
    let file = file.to_str().unwrap();
    for encoding in ["cl100k_base", "o200k_base", "o200k_harmony"] {
        let count = cbw(&machine, &["tokens", file, "--encoding", encoding, "--json"]).json();
        assert_eq!((&count["total"], &count["low"], &count["high"]), (&json!(17), &json!(17), &json!(17)));
        assert!(count["method"].as_str().unwrap().starts_with("exact"));
    }
    let estimate = cbw(&machine, &["tokens", file, "--model", "claude-haiku-4-5", "--json"]).json();
    assert!(estimate["low"].as_u64().unwrap() < estimate["high"].as_u64().unwrap());
    assert!(estimate["method"].as_str().unwrap().starts_with("estimate"));
    let unknown = cbw(&machine, &["tokens", file, "--model", "nobody-knows-this", "--json"]).json();
    assert_eq!(unknown["total"], Value::Null, "unknown is never 0");
    let wrong = cbw(&machine, &["tokens", file, "--encoding", "r2d2", "--json"]);
    assert_eq!(wrong.code, 2);
}

#[test]
fn init_makes_what_is_missing_and_overwrites_nothing() {
    let machine = filled();
    let soul = machine.home().join(".catbuddy/workspace/SOUL.md");
    let done = cbw(&machine, &["init", "--json"]).json();
    assert!(done["kept"].as_array().unwrap().iter().any(|path| path.as_str().unwrap().ends_with("SOUL.md")));
    assert_eq!(fs::read(&soul).unwrap(), b"Calm and brief.\nNever in a hurry.\n");
    assert!(machine.home().join(".catbuddy/workspace/AGENTS.md").exists());
    let again = cbw(&machine, &["init", "--json"]).json();
    assert_eq!((&again["created"], &again["without_template"]), (&json!([]), &json!([])));
}

#[test]
fn init_says_what_the_app_has_no_template_for() {
    let machine = filled();
    machine.write(&machine.app().join("templates/AGENTS.md"), b"# Rules\n");
    let app = machine.app();
    let done = cbw(&machine, &["init", "--app", app.to_str().unwrap(), "--json"]);
    let workspace = machine.home().join(".catbuddy/workspace");
    assert_eq!(done.json()["created"], json!([workspace.join("AGENTS.md")]));
    let missing = [workspace.join("TOOLS.md"), workspace.join("HEARTBEAT.md")];
    assert_eq!(done.json()["without_template"], json!(missing), "SOUL, USER and MEMORY are there");
    assert!(done.stderr.contains("no template"), "{}", done.stderr);
}

#[test]
fn a_budget_gives_up_the_least_important_first_and_says_so() {
    let machine = filled();
    let whole = cbw(&machine, &["assemble", "--json", "--no-record"]).json();
    let total = whole["tokens"]["total"].as_u64().unwrap();
    let cut = cbw(&machine, &["assemble", "--json", "--no-record", "--max-tokens", &(total - 1).to_string()]).json();
    assert!(cut["tokens"]["high"].as_u64().unwrap() < total);
    let given_up: Vec<&Value> =
        cut["skipped"].as_array().unwrap().iter().filter(|skipped| skipped["reason"] == "budget").collect();
    assert!(!given_up.is_empty());
    assert!(given_up.iter().all(|skipped| skipped["tokens"].as_u64().unwrap() > 0), "each step says what it saved");
    let impossible = cbw(&machine, &["assemble", "--max-tokens", "1", "--no-record"]);
    assert_eq!(impossible.code, 1);
    assert!(impossible.text().starts_with("# "), "what cannot be cut is printed: {}", impossible.text());
}

#[test]
fn the_article_variant_joins_by_layer() {
    let machine = filled();
    let ran = cbw(&machine, &["assemble", "--variant", "catbuddy-article", "--no-record"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    for heading in ["## Long-Term Memory", "## Always-On Skills", "## Available Skills", "- ferry: Ferry times"] {
        assert!(ran.text().contains(heading), "{heading}");
    }
    let unknown = cbw(&machine, &["assemble", "--variant", "nobody", "--json"]);
    assert_eq!((unknown.code, &unknown.json()["error"]["code"]), (2, &json!("not_found")));
}

#[test]
fn every_output_is_described_by_a_schema() {
    let machine = filled();
    let schemas = cbw(&machine, &["schema"]).json();
    let required = |output: &str| -> Vec<String> {
        let required = schemas["outputs"][output]["required"].as_array().unwrap();
        required.iter().map(|key| key.as_str().unwrap().to_owned()).collect()
    };
    let outputs = [
        ("assemble", cbw(&machine, &["assemble", "--json", "--no-record"])),
        ("check", cbw(&machine, &["check", "--json"])),
        ("why", cbw(&machine, &["why", "Calm", "--json"])),
        ("history list", cbw(&machine, &["history", "list", "--json"])),
        ("context show", cbw(&machine, &["context", "show", "--json"])),
    ];
    for (name, ran) in outputs {
        let output = ran.json();
        for key in required(name) {
            assert!(output.get(&key).is_some(), "{name} lacks {key}");
        }
        assert_eq!(output["schema_version"], 1, "{name}");
    }
}

#[test]
fn an_assembly_lists_the_findings_of_check() {
    let machine = filled();
    machine.write(&machine.home().join(".catbuddy/workspace/TOOLS.md"), b" ");
    let checked = cbw(&machine, &["check", "--json"]).json();
    let assembled = cbw(&machine, &["assemble", "--json", "--no-record"]).json();
    assert_eq!(assembled["findings"], checked["findings"]);
    let ids: Vec<_> = checked["findings"].as_array().unwrap().iter().map(|finding| &finding["id"]).collect();
    assert_eq!(ids, ["empty-section", "not-read"], "one space in TOOLS.md, and RULES.md");
}

#[test]
fn pruning_says_what_goes_and_leaves_the_last() {
    let machine = Machine::default();
    let asked = cbw(&machine, &["history", "prune"]);
    assert_eq!(asked.code, 2, "the settings have no limit");
    assert!(asked.stderr.contains("--days"), "{}", asked.stderr);
    let none = cbw(&machine, &["history", "prune", "--count", "1", "--json"]).json();
    assert_eq!((none["assemblies"].as_u64(), none["bytes_before"].as_u64()), (Some(0), Some(0)));
    for text in ["one", "two", "three"] {
        machine.write(&machine.home().join(".catbuddy/workspace/SOUL.md"), text.as_bytes());
        assert_eq!(cbw(&machine, &["assemble"]).code, 0);
    }
    let count = || cbw(&machine, &["history", "list", "--json"]).json()["assemblies"].as_array().unwrap().len();
    let dry = cbw(&machine, &["history", "prune", "--count", "1", "--dry-run", "--json"]).json();
    assert_eq!((dry["dry_run"].as_bool(), dry["assemblies"].as_u64(), count()), (Some(true), Some(2), 3));
    let pruned = cbw(&machine, &["history", "prune", "--count", "1"]);
    assert!(pruned.text().starts_with("removed: 2 assemblies, 0 versions"), "{}", pruned.text());
    let listed = cbw(&machine, &["history", "list", "--json"]).json();
    let left = listed["assemblies"].as_array().unwrap();
    assert_eq!(left.len(), 1);
    let shown = cbw(&machine, &["history", "show", &left[0]["id"].to_string()]);
    assert!(shown.text().contains("three"));
}

#[test]
fn what_is_not_in_the_history_is_not_found_and_makes_none() {
    let machine = filled();
    let history = machine.home().join(".catbuddy/workbench");
    let ask = || {
        for arguments in [&["history", "show", "7", "--json"][..], &["compare", "at=7", "channel=cli", "--json"]] {
            let ran = cbw(&machine, arguments);
            assert_eq!((ran.code, &ran.json()["error"]["code"]), (2, &json!("not_found")), "{arguments:?}");
        }
    };
    ask();
    assert!(!history.exists(), "asking makes nothing");
    assert_eq!(cbw(&machine, &["assemble"]).code, 0);
    ask();
    let log = cbw(&machine, &["compare", "log=/nowhere/sent.txt", "channel=cli", "--json"]);
    assert_eq!((log.code, &log.json()["error"]["code"]), (2, &json!("not_found")));
}

#[test]
fn an_image_is_known_by_its_name_or_its_first_bytes() {
    let machine = filled();
    // The eight bytes of the PNG signature; base64 by hand of 89 50 4E 47 0D 0A 1A 0A.
    machine.write(&machine.root().join("picture"), b"\x89PNG\r\n\x1a\n");
    machine.write(&machine.root().join("letter.txt"), b"Dear");
    let context = machine.root().join("context.json");
    let media = ["picture", "letter.txt"].map(|name| machine.root().join(name));
    machine.write(&context, json!({ "message": "", "media": media }).to_string().as_bytes());
    let messages = cbw(&machine, &["assemble", "--context", context.to_str().unwrap(), "--as", "messages"]).json();
    let expected = json!([
        { "type": "image_url", "image_url": { "url": "data:image/png;base64,iVBORw0KGgo=" } },
        { "type": "text", "text": "[image: letter.txt]" },
    ]);
    assert_eq!(messages[0]["content"], expected);
}

#[test]
fn two_layouts_in_one_project_are_never_merged_silently() {
    let machine = filled();
    machine.write(&machine.project().join(".catbuddy/SOUL.md"), b"outer");
    machine.write(&machine.project().join(".catbuddy/workspace/SOUL.md"), b"inner");
    let project = machine.project();
    let ran = cbw(&machine, &["assemble", "--project", project.to_str().unwrap(), "--json"]);
    assert_eq!((ran.code, &ran.json()["error"]["code"]), (2, &json!("ambiguous")));
    let inner = project.join(".catbuddy/workspace");
    let chosen = cbw(
        &machine,
        &["assemble", "--project", project.to_str().unwrap(), "--workspace", inner.to_str().unwrap(), "--json"],
    )
    .json();
    assert!(chosen["text"].as_str().unwrap().contains("## SOUL.md\n\ninner"));
    assert_eq!(chosen["work_root"], project.to_str().unwrap());
}

#[test]
fn wrong_use_is_exit_2_and_json_under_json() {
    let machine = filled();
    let ran = cbw(&machine, &["assemble", "--nonsense", "--json"]);
    assert_eq!(ran.code, 2);
    assert_eq!(ran.json()["error"]["code"], "invalid");
    for form in [&["--as", "json"][..], &["--as=json"]] {
        let ran = cbw(&machine, &[&["assemble", "--nonsense"], form].concat());
        assert_eq!((ran.code, &ran.json()["error"]["code"]), (2, &json!("invalid")), "--as json is --json");
    }
    assert_eq!(cbw(&machine, &["--help"]).code, 0);
    assert_eq!(cbw(&machine, &["--version"]).text().trim(), format!("cbw {}", env!("CARGO_PKG_VERSION")));
}
