//! Every catbuddy vector through the real binary on a real disk.

use std::path::Path;

use product_tests::cbw::{self, Ran};
use product_tests::fixture::Machine;
use product_tests::vectors::{Failures, load, sha256};
use serde_json::{Map, Value, json};

/// The clock of the vectors when a case names none.
const CLOCK: &str = "2025-03-04T05:06:07.089Z";

/// A case's context file: everything that the vectors force.
fn context(machine: &Machine, case: &Value, precedence: Option<&str>) -> Value {
    let mut keys = Map::new();
    let mut put = |key: &str, value: &Value| {
        if !value.is_null() {
            keys.insert(key.to_owned(), real(machine, value));
        }
    };
    let or = |key: &str, default: &str| case.get(key).cloned().unwrap_or_else(|| json!(default));
    put("platform", &or("platform", "linux"));
    put("node", &or("node", "v20.11.1"));
    put("time", &or("clock", CLOCK));
    put("message", &or("message", "Good morning"));
    put("locale", &json!("en-US"));
    for key in ["channel", "chat_id", "sender_id", "session_summary", "history", "media"] {
        put(key, &case[key]);
    }
    let opts = &case["opts"];
    put("work_root", &opts["workRoot"]);
    put("file_access", &opts["fileAccessMode"]);
    put("time_zone", &opts["timezone"]);
    put("global_workspace", &opts["globalWorkspace"]);
    put("disabled_skills", opts.get("disabledSkills").unwrap_or(&json!([])));
    put("skill_precedence", &json!(precedence));
    Value::Object(keys)
}

fn real(machine: &Machine, value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(machine.real(text)),
        Value::Array(list) => list.iter().map(|item| real(machine, item)).collect(),
        other => other.clone(),
    }
}

/// Runs `cbw <arguments>` for a case, with its workspace, app and context.
fn run(machine: &Machine, case: &Value, context: &Value, arguments: &[&str]) -> Ran {
    let file = machine.root().join("context.json");
    machine.write(&file, context.to_string().as_bytes());
    let workspace = machine.real(case["workspace"].as_str().expect("a workspace"));
    let (app, file) = (machine.app(), file);
    let fixed: [&Path; 6] =
        ["--workspace".as_ref(), workspace.as_ref(), "--app".as_ref(), &app, "--context".as_ref(), &file];
    let mut all: Vec<&Path> = vec![arguments[0].as_ref()];
    all.extend(fixed);
    all.extend(arguments[1..].iter().map(|argument| -> &Path { argument.as_ref() }));
    cbw::run(&machine.home(), all)
}

fn check_prompt(failures: &mut Failures, id: &str, what: &str, text: &str, expected: &Value) {
    if let Some(whole) = expected["system_prompt"].as_str() {
        failures.text(id, what, text, whole);
    }
    if let Some(head) = expected["head"].as_str() {
        let units: Vec<u16> = text.encode_utf16().collect();
        let tail = expected["tail"].as_str().unwrap();
        failures.text(id, &format!("{what} (head)"), &String::from_utf16_lossy(&units[..300]), head);
        failures.text(id, &format!("{what} (tail)"), &String::from_utf16_lossy(&units[units.len() - 200..]), tail);
    }
    failures.value(id, &format!("{what} (bytes)"), &json!(text.len()), &expected["utf8_bytes"]);
    failures.value(id, &format!("{what} (hash)"), &json!(sha256(text)), &expected["sha256"]);
}

fn check_spans(failures: &mut Failures, id: &str, output: &Value) {
    let text = output["text"].as_str().unwrap();
    let mut at = 0;
    for section in output["sections"].as_array().unwrap() {
        if section["start"] != json!(at) {
            failures.failed(id, &format!("section {} starts at {}, not at {at}", section["id"], section["start"]));
        }
        for span in section["spans"].as_array().unwrap() {
            if span["start"] != json!(at) || span["end"].as_u64() <= span["start"].as_u64() {
                failures.failed(id, &format!("span {span} does not go on at {at}"));
            }
            at = span["end"].as_u64().unwrap();
        }
        if section["end"] != json!(at) {
            failures.failed(id, &format!("section {} ends at {}, its spans at {at}", section["id"], section["end"]));
        }
    }
    failures.value(id, "end of the last span", &json!(at), &json!(text.len()));
}

fn check_sums(failures: &mut Failures, id: &str, output: &Value) {
    let parts: i64 =
        output["sections"].as_array().unwrap().iter().map(|section| section["tokens"].as_i64().unwrap()).sum();
    let joins = output["tokens"]["joins"].as_i64().unwrap();
    failures.value(id, "parts and joins", &json!(parts + joins), &output["tokens"]["total"]);
}

fn check_case(failures: &mut Failures, case: &Value, app_sets: &Value) {
    let id = case["id"].as_str().unwrap();
    let expected = &case["expected"];
    let machine = Machine::default();
    machine.lay_out(case, app_sets);
    if case["bootstrap"] == json!(true) {
        let workspace = machine.real(case["workspace"].as_str().unwrap());
        let app = machine.app();
        let ran = cbw::run(
            &machine.home(),
            ["--workspace".as_ref(), Path::new(&workspace), "--app".as_ref(), &app, "init".as_ref()],
        );
        failures.value(id, "exit of init", &json!(ran.code), &json!(0));
        check_files(failures, id, &machine, &expected["files_after_bootstrap"]);
    }
    let ran = run(&machine, case, &context(&machine, case, None), &["assemble", "--as", "json"]);
    let output = ran.json();
    if expected.get("error").is_some() {
        failures.value(id, "exit", &json!(ran.code), &json!(1));
        failures.value(id, "target_error", &output["target_error"]["kind"], &expected["error_kind"]);
        return;
    }
    failures.value(id, "exit", &json!(ran.code), &json!(0));
    check_spans(failures, id, &output);
    check_sums(failures, id, &output);
    let text = machine.marked(output["text"].as_str().unwrap());
    if expected["system_prompt"] == json!("@@FALLBACK@@") {
        failures.value(id, "fallback", &output["sections"][0]["spans"][0]["source"]["kind"], &json!("fallback"));
    } else {
        check_prompt(failures, id, "prompt", &text, expected);
        let plain = run(&machine, case, &context(&machine, case, None), &["assemble", "--no-record"]);
        failures.text(id, "text form", plain.text(), output["text"].as_str().unwrap());
    }
    for key in ["layered", "file_access"] {
        failures.value(id, key, &output[key], &expected[key]);
    }
    failures.text(
        id,
        "work_root",
        &machine.marked(output["work_root"].as_str().unwrap()),
        expected["work_root"].as_str().unwrap(),
    );
    failures.text(
        id,
        "runtime_suffix",
        output["runtime_suffix"].as_str().unwrap(),
        expected["runtime_suffix"].as_str().unwrap(),
    );
    failures.value(id, "messages", &output["messages"], &expected["messages"]);
    let fingerprint = machine.marked(output["fingerprint"].as_str().unwrap());
    if let Some(whole) = expected["fingerprint"].as_str() {
        failures.text(id, "fingerprint", &fingerprint, whole);
    }
    if let Some(hash) = expected["fingerprint_sha256"].as_str() {
        failures.text(id, "fingerprint hash", &sha256(&fingerprint), hash);
    }
    check_skills(failures, id, &output, expected);
    if expected["system_prompt"] != json!("@@FALLBACK@@") {
        check_tokens(failures, id, &machine, &text, expected);
    }
    if let Some(older) = expected.get("older_builtin_first").or_else(|| case.get("older_builtin_first")) {
        let ran = run(&machine, case, &context(&machine, case, Some("builtin_first")), &["assemble", "--json"]);
        check_prompt(failures, id, "older order", &machine.marked(ran.json()["text"].as_str().unwrap()), older);
    }
}

fn check_files(failures: &mut Failures, id: &str, machine: &Machine, expected: &Value) {
    for line in expected.as_array().unwrap() {
        let (place, hash) = line.as_str().unwrap().split_once(" sha256=").unwrap();
        let text = std::fs::read_to_string(machine.place(place)).unwrap_or_default();
        failures.text(id, place, &sha256(&text), hash);
    }
}

fn check_skills(failures: &mut Failures, id: &str, output: &Value, expected: &Value) {
    let skills = output["skills"].as_array().unwrap();
    // A shadowed copy is no skill of the target's list; it is named after it.
    let listed: Vec<Value> = skills
        .iter()
        .filter(|skill| skill["state"] != json!("shadowed") && skill["state"] != json!("broken"))
        .map(|skill| json!([skill["name"], skill["description"], skill["enabled"], skill["origin"]]))
        .collect();
    if let Some(count) = expected.get("skills_count") {
        failures.value(id, "number of skills", &json!(listed.len()), count);
    }
    if expected["skills"].is_array() {
        failures.value(id, "skills", &json!(listed), &expected["skills"]);
    }
}

fn check_tokens(failures: &mut Failures, id: &str, machine: &Machine, text: &str, expected: &Value) {
    for (encoding, count) in expected["tokens"].as_object().into_iter().flatten() {
        let file = machine.root().join("prompt.txt");
        machine.write(&file, text.as_bytes());
        let ran = cbw::run(
            &machine.home(),
            ["tokens".as_ref(), file.as_path(), "--encoding".as_ref(), encoding.as_ref(), "--json".as_ref()],
        );
        // The vectors were counted with js-tiktoken, in whose pattern `\s` matches U+FEFF (ECMAScript white space).
        // In the encodings' own pattern it does not (Unicode White_Space), so a BOM inside a text counts one less there.
        let count = if id == "bom-files" { json!(count.as_u64().unwrap() - 1) } else { count.clone() };
        failures.value(id, encoding, &ran.json()["total"], &count);
    }
}

fn check_file(name: &str) {
    let (file, app_sets) = (load(&format!("catbuddy/{name}")), load("catbuddy/app_sets.json"));
    let mut failures = Failures::default();
    for case in file["cases"].as_array().unwrap() {
        check_case(&mut failures, case, &app_sets);
    }
    failures.finish();
}

#[test]
fn workspaces_1() {
    check_file("workspaces_1.json");
}

#[test]
fn workspaces_2() {
    check_file("workspaces_2.json");
}

#[test]
fn channels() {
    check_file("channels.json");
}

#[test]
fn a_flag_beats_the_context_for_every_channel() {
    let (file, app_sets) = (load("catbuddy/channels.json"), load("catbuddy/app_sets.json"));
    let mut failures = Failures::default();
    for case in file["cases"].as_array().unwrap().iter().filter(|case| case["channel"].is_string()) {
        let machine = Machine::default();
        machine.lay_out(case, &app_sets);
        let mut context = context(&machine, case, None);
        context["channel"] = json!("email");
        let ran = run(&machine, case, &context, &["assemble", "--channel", case["channel"].as_str().unwrap()]);
        failures.text(
            case["id"].as_str().unwrap(),
            "prompt",
            &machine.marked(ran.text()),
            case["expected"]["system_prompt"].as_str().unwrap(),
        );
    }
    failures.finish();
}

#[test]
fn cache_sequences() {
    let (file, app_sets) = (load("catbuddy/cache.json"), load("catbuddy/app_sets.json"));
    let mut failures = Failures::default();
    for case in file["cases"].as_array().unwrap() {
        let id = case["id"].as_str().unwrap();
        let machine = Machine::default();
        machine.lay_out(case, &app_sets);
        let steps = machine.root().join("steps.json");
        machine.write(&steps, json!({ "steps": case["steps"] }).to_string().as_bytes());
        let mut context = context(&machine, case, None);
        context["message"] = json!("m");
        let ran = run(&machine, case, &context, &["emulate", steps.to_str().unwrap(), "--json"]);
        failures.value(id, "exit", &json!(ran.code), &json!(0));
        let output = ran.json();
        let builds = output["builds"].as_array().unwrap();
        let expected = case["expected_builds"].as_array().unwrap();
        failures.value(id, "number of builds", &json!(builds.len()), &json!(expected.len()));
        for (index, (build, expected)) in builds.iter().zip(expected).enumerate() {
            let id = format!("{id} build {index}");
            for key in ["fingerprint_changed", "prompt_changed", "stale"] {
                failures.value(&id, key, &build[key], &expected[key]);
            }
            failures.text(
                &id,
                "user_message",
                build["user_message"].as_str().unwrap(),
                expected["user_message"].as_str().unwrap(),
            );
            if let Some(fingerprint) = expected["fingerprint"].as_str() {
                failures.text(&id, "fingerprint", &machine.marked(build["fingerprint"].as_str().unwrap()), fingerprint);
            }
            let text = machine.marked(build["text"].as_str().unwrap());
            if let Some(whole) = expected["system_prompt"].as_str() {
                failures.text(&id, "text", &text, whole);
            }
            failures.text(&id, "hash of the text", &sha256(&text), expected["sha256"].as_str().unwrap());
        }
    }
    failures.finish();
}

#[test]
fn engine_cases() {
    let file = load("catbuddy/engine.json");
    let machine = Machine::default();
    let write = |name: &str, text: &str| {
        let path = machine.root().join(name);
        machine.write(&path, text.as_bytes());
        path
    };
    let values = write("values.json", &file["context"].to_string());
    let mut failures = Failures::default();
    for case in file["cases"].as_array().unwrap() {
        let id = case["id"].as_str().unwrap();
        let template = write("template.hbs", case["template"].as_str().unwrap());
        let mut arguments: Vec<String> = [
            "render",
            template.to_str().unwrap(),
            "--values",
            values.to_str().unwrap(),
            "--engine",
            "handlebars",
            "--json",
        ]
        .map(str::to_owned)
        .to_vec();
        for (name, text) in case["partials"].as_object().into_iter().flatten() {
            let path = write(&format!("partial-{name}.hbs"), text.as_str().unwrap());
            arguments.extend(["--partial".to_owned(), format!("{name}={}", path.display())]);
        }
        let ran = cbw::run(&machine.home(), &arguments);
        let output = ran.json();
        match (case["output"].as_str(), case["error"].as_str()) {
            (Some(expected), _) => {
                failures.text(id, "output", output["text"].as_str().unwrap_or_default(), expected);
                failures.value(id, "exit", &json!(ran.code), &json!(0));
            }
            (None, Some(class)) => {
                failures.value(id, "error class", &output["error"]["class"], &json!(class));
                failures.value(id, "error stage", &output["error"]["at"], &case["at"]);
            }
            (None, None) => failures.failed(id, "the vector expects nothing"),
        }
    }
    failures.finish();
}
