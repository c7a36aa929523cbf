//! The target's real outputs, byte for byte. Each file is one test that names every failing case.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failed unwrap is a failed test")]

mod fixture;

use std::fmt::Write as _;

use model::{Assembly, Context, SkillOrigin, SkillPrecedence, SkillState, TargetErrorKind, Variant};
use prompt::{Attachments, Inputs, assemble, emulate, read_steps, shipped, targets};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use fixture::{Case, difference, masked};

fn catbuddy() -> Variant {
    (*shipped()["catbuddy"]).clone()
}

fn sha256(text: &str) -> String {
    model::ContentHash(Sha256::digest(text.as_bytes()).into()).to_string()
}

/// The system prompt as the vectors hold it.
fn system_prompt(assembly: &Assembly) -> String {
    let fallback = &shipped()["catbuddy"].fallback;
    let text = masked(&assembly.text());
    if text == *fallback { fixture::FALLBACK.to_owned() } else { text }
}

/// Compares the prompt with `system_prompt`, or with `head`, `tail` and `sha256` of a long one.
fn compare_prompt(expected: &Value, text: &str, failures: &mut Vec<String>) {
    if let Some(whole) = expected["system_prompt"].as_str() {
        failures.extend(difference("system prompt", whole, text));
    } else {
        let units: Vec<u16> = text.encode_utf16().collect();
        let head = String::from_utf16_lossy(&units[..units.len().min(300)]);
        let tail = String::from_utf16_lossy(&units[units.len().saturating_sub(200)..]);
        failures.extend(difference("head", expected["head"].as_str().unwrap(), &head));
        failures.extend(difference("tail", expected["tail"].as_str().unwrap(), &tail));
    }
    failures.extend(difference("sha256", expected["sha256"].as_str().unwrap(), &sha256(text)));
    failures.extend(difference("bytes", &expected["utf8_bytes"].to_string(), &text.len().to_string()));
    failures.extend(difference(
        "utf-16 units",
        &expected["utf16_units"].to_string(),
        &text.encode_utf16().count().to_string(),
    ));
}

fn compare(case: &Case, assembly: &Assembly) -> Vec<String> {
    let expected = &case.expected;
    let mut failures = Vec::new();
    if let Some(kind) = expected["error_kind"].as_str() {
        let found = assembly.target_error.as_ref().map(|error| match error.kind {
            TargetErrorKind::Io => "io",
            TargetErrorKind::TemplateSyntax => "template_syntax",
        });
        if found != Some(kind) {
            failures.push(format!("error: expected {kind}, found {found:?}"));
        }
        return failures;
    }
    if let Some(error) = &assembly.target_error {
        failures.push(format!("unexpected error {error:?}"));
    }
    compare_prompt(expected, &system_prompt(assembly), &mut failures);
    if expected["layered"] != json!(assembly.layered) {
        failures.push(format!("layered is {}", assembly.layered));
    }
    failures.extend(difference(
        "file access",
        expected["file_access"].as_str().unwrap(),
        assembly.file_access.as_str(),
    ));
    failures.extend(difference("work root", expected["work_root"].as_str().unwrap(), &masked(&assembly.work_root)));
    let suffix = expected["runtime_suffix"].as_str().unwrap();
    failures.extend(difference("suffix", suffix, &assembly.user_message.suffix));
    let messages = masked(&serde_json::to_string(&assembly.messages).unwrap());
    failures.extend(difference("messages", &expected["messages"].to_string(), &messages));
    let fingerprint = masked(&assembly.fingerprint.text());
    if let Some(text) = expected["fingerprint"].as_str() {
        failures.extend(difference("fingerprint", text, &fingerprint));
    }
    if let Some(hash) = expected["fingerprint_sha256"].as_str() {
        failures.extend(difference("fingerprint hash", hash, &sha256(&fingerprint)));
    }
    let listed: Vec<Value> = assembly
        .skills
        .iter()
        .filter(|skill| !matches!(skill.state, SkillState::Shadowed | SkillState::Broken))
        .map(|skill| {
            let origin = if skill.origin == SkillOrigin::Workspace { "workspace" } else { "builtin" };
            json!([skill.name, skill.description, skill.enabled, origin])
        })
        .collect();
    if let Some(count) = expected["skills_count"].as_u64() {
        assert_eq!(listed.len() as u64, count, "{}", case.id);
    } else {
        failures.extend(difference("skills", &expected["skills"].to_string(), &Value::Array(listed).to_string()));
    }
    failures
}

fn run(file: &str) {
    let (sets, target, variant) = (fixture::read("app_sets.json"), targets::catbuddy(), catbuddy());
    let vectors = fixture::read(file);
    let mut report = String::new();
    for case in vectors["cases"].as_array().unwrap() {
        let case = fixture::case(case, &sets, &target);
        let assembly = assemble(&case.snapshot, &variant, &target, &case.context);
        let mut failures = compare(&case, &assembly);
        let older = &case.expected["older_builtin_first"];
        let context = Context { skill_precedence: Some(SkillPrecedence::BuiltinFirst), ..case.context.clone() };
        let text = system_prompt(&assemble(&case.snapshot, &variant, &target, &context));
        if older.is_object() {
            compare_prompt(older, &text, &mut failures);
        } else if case.expected["error_kind"].is_null() {
            failures.extend(difference("older order, which changes nothing here", &system_prompt(&assembly), &text));
        }
        for failure in failures {
            writeln!(report, "{}: {failure}", case.id).unwrap();
        }
    }
    assert!(report.is_empty(), "{file}\n{report}");
}

#[test]
fn workspaces_1() {
    run("workspaces_1.json");
}

#[test]
fn workspaces_2() {
    run("workspaces_2.json");
}

#[test]
fn channels() {
    run("channels.json");
}

#[test]
fn cache() {
    let (sets, target, variant) = (fixture::read("app_sets.json"), targets::catbuddy(), catbuddy());
    let mut report = String::new();
    for vector in fixture::read("cache.json")["cases"].as_array().unwrap() {
        let case = fixture::case(vector, &sets, &target);
        let steps = read_steps(&json!({"steps": case.steps})).unwrap();
        let attachments = Attachments::new();
        let inputs = Inputs {
            snapshot: &case.snapshot,
            variant: &variant,
            target: &target,
            context: &case.context,
            attachments: &attachments,
        };
        let builds = emulate(&inputs, &steps).unwrap_or_else(|error| panic!("{}: {error}", case.id));
        let expected = vector["expected_builds"].as_array().unwrap();
        assert_eq!(builds.len(), expected.len(), "{}", case.id);
        for (at, (expected, build)) in expected.iter().zip(&builds).enumerate() {
            let mut failures = Vec::new();
            failures.extend(difference(
                "fingerprint",
                expected["fingerprint"].as_str().unwrap(),
                &masked(&build.fingerprint),
            ));
            failures.extend(difference(
                "user message",
                expected["user_message"].as_str().unwrap(),
                &build.user_message,
            ));
            if let Some(text) = expected["system_prompt"].as_str() {
                failures.extend(difference("system prompt", text, &masked(&build.text)));
            }
            failures.extend(difference("sha256", expected["sha256"].as_str().unwrap(), &sha256(&masked(&build.text))));
            let flags = json!([build.fingerprint_changed, build.prompt_changed, build.stale]);
            let expected = json!([expected["fingerprint_changed"], expected["prompt_changed"], expected["stale"]]);
            failures.extend(difference("changed, changed, stale", &expected.to_string(), &flags.to_string()));
            for failure in failures {
                writeln!(report, "{} build {}: {failure}", case.id, at + 1).unwrap();
            }
        }
    }
    assert!(report.is_empty(), "{report}");
}
