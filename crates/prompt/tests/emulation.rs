//! Sequences of builds that the vectors do not hold.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failed unwrap is a failed test")]

mod fixture;

use model::Context;
use prompt::{Attachments, EmulateError, EmulatedBuild, Inputs, emulate, read_steps, shipped, targets};
use serde_json::{Value, json};

use fixture::{APP, Disk};

const GLOBAL: &str = "/tree/home/.catbuddy/workspace";

fn play(files: &[(&str, &str)], workspace: &str, steps: &Value) -> Result<Vec<EmulatedBuild>, EmulateError> {
    let mut disk = Disk::default();
    for (path, text) in files {
        disk.put_text(path, text);
    }
    let (target, attachments) = (targets::catbuddy(), Attachments::new());
    let snapshot = disk.snapshot(workspace, GLOBAL, Some(APP), &target);
    let context = Context { time: Some("2025-03-04T05:06:07.089Z".into()), ..Context::default() };
    let variant = &shipped()["catbuddy"];
    let inputs = Inputs { snapshot: &snapshot, variant, target: &target, context: &context, attachments: &attachments };
    emulate(&inputs, &read_steps(&json!({"steps": steps}))?)
}

#[test]
fn new_files_work_as_on_disk() {
    let steps = json!([
        {"do": "write", "file": "home:.catbuddy/workspace/AGENTS.md", "text": "rules", "mtime_ns": 1_700_000_000_123_456_789_i64},
        {"do": "write", "file": "home:.catbuddy/workspace/skills/knots/SKILL.md", "text": "---\ndescription: Tie\n---\n", "mtime": 5},
        {"do": "write", "file": "app:templates/agent/identity.md", "text": "I am {{channel}}."},
        {"do": "build"},
    ]);
    let builds = play(&[], GLOBAL, &steps).unwrap();
    assert_eq!(builds[0].text, "I am desktop.\n\n---\n\n## AGENTS.md\n\nrules\n\n---\n\n# Skills\n\n- **knots**: Tie");
    // 1700000000123.456789 lies next to the double …123.4568 (spacing 2⁻¹² ms).
    assert!(builds[0].fingerprint.contains("\0AGENTS.md:1700000000123.4568\0"), "{:?}", builds[0].fingerprint);
    assert!(builds[0].fingerprint.ends_with("\0skills:knots:5||"));
}

#[test]
fn the_ninth_prompt_pushes_the_first_one_out() {
    let mut steps: Vec<Value> = (0..9).map(|at| json!({"do": "build", "channel": format!("c{at}")})).collect();
    steps.push(
        json!({"do": "write", "file": format!("{GLOBAL}/SOUL.md"), "text": "new", "mtime": 1_700_000_000_000_i64}),
    );
    steps.extend([json!({"do": "build", "channel": "c1"}), json!({"do": "build", "channel": "c0"})]);
    let builds = play(&[(&format!("{GLOBAL}/SOUL.md"), "old")], GLOBAL, &Value::Array(steps)).unwrap();
    assert_eq!((builds[9].stale, builds[10].stale), (true, false), "c1 is still kept, c0 is not");
}

#[test]
fn a_prompt_that_is_kept_is_served_although_a_new_agent_would_stop() {
    let identity = format!("{APP}/templates/agent/identity.md");
    let steps = json!([
        {"do": "build"},
        {"do": "write", "file": "app:templates/agent/identity.md", "text": "{{#if x}}", "mtime": 1},
        {"do": "build"},
        {"do": "invalidate"},
        {"do": "build"},
    ]);
    let builds = play(&[(&identity, "fine")], GLOBAL, &steps).unwrap();
    let found: Vec<(&str, bool, bool)> =
        builds.iter().map(|build| (build.text.as_str(), build.stale, build.target_error.is_some())).collect();
    assert_eq!(found, [("fine", false, false), ("fine", true, false), ("", false, true)]);
}

#[test]
fn project_is_the_folder_that_holds_the_workspaces_folder() {
    let steps = json!([{"do": "write", "file": "project:.catbuddy/workspace/SOUL.md", "text": "s"}, {"do": "build"}]);
    let builds = play(&[], "/tree/project/.catbuddy/workspace", &steps).unwrap();
    assert_eq!(builds[0].text, "## SOUL.md\n\ns");
}

#[test]
fn a_step_that_cannot_be_played_is_named() {
    for (step, message) in [
        (json!({"do": "remove", "file": "home:.catbuddy/workspace/SOUL.md"}), "there is no file"),
        (json!({"do": "write", "file": "SOUL.md", "text": ""}), "is no place"),
        (json!({"do": "mtime", "file": "home:x"}), "is needed"),
        (json!({"do": "clock", "add_ms": i64::MAX}), "cannot go there"),
    ] {
        let error = play(&[], GLOBAL, &json!([{"do": "build"}, step])).unwrap_err();
        assert_eq!(error.step, 2, "{error}");
        assert!(error.message.contains(message), "{error}");
    }
}
