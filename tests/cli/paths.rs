//! Places given relative to the working folder, or with more slashes and dots than they need.

use product_tests::cbw;
use product_tests::fixture::Machine;
use serde_json::Value;

/// `cbw assemble` run in the machine's own folder.
fn assemble(machine: &Machine, arguments: &[&str]) -> Value {
    let output = cbw::command()
        .current_dir(machine.root())
        .args(["assemble", "--json", "--no-record"])
        .args(arguments)
        .output()
        .unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

fn machine() -> Machine {
    let machine = Machine::default();
    machine.write(&machine.home().join(".catbuddy/workspace/USER.md"), b"Ines");
    machine.write(&machine.project().join(".catbuddy/SOUL.md"), b"calm");
    machine.write(&machine.app().join("templates/agent/identity.md"), b"at {{work_root}}, {{workspace_path}}");
    for name in ["platform_policy.md", "skills_section.md"] {
        machine.write(&machine.app().join("templates/agent").join(name), b"");
    }
    machine
}

#[test]
fn home_project_and_app_are_known_by_their_full_paths() {
    let machine = machine();
    let context = machine.root().join("context.json");
    // Where the emulated program was started says nothing about where this one was.
    machine.write(&context, br#"{"process_cwd": "/elsewhere"}"#);
    let full = [machine.home(), machine.project(), machine.app()];
    let expected = assemble(
        &machine,
        &[
            "--home",
            full[0].to_str().unwrap(),
            "--project",
            full[1].to_str().unwrap(),
            "--app",
            full[2].to_str().unwrap(),
        ],
    );
    let project = machine.project();
    let project = project.to_str().unwrap();
    assert_eq!(expected["work_root"], project);
    assert!(
        expected["text"].as_str().unwrap().starts_with(&format!("at {project}, {project}/.catbuddy\n\n---\n\n")),
        "{expected:#}"
    );
    for places in [["home", "project", "app"], ["./home/", "home/../project/", "app/."]] {
        let arguments =
            ["--home", places[0], "--project", places[1], "--app", places[2], "--context", context.to_str().unwrap()];
        let given = assemble(&machine, &arguments);
        for key in ["text", "fingerprint", "work_root", "file_access", "layered"] {
            assert_eq!(given[key], expected[key], "{key} with {places:?}");
        }
    }
}

#[test]
fn a_workspace_is_printed_as_it_is_given() {
    let machine = machine();
    let home = machine.home();
    let given = assemble(&machine, &["--home", home.to_str().unwrap(), "--workspace", "project/./.catbuddy/"]);
    let fingerprint = given["fingerprint"].as_str().unwrap();
    assert!(fingerprint.starts_with("project/./.catbuddy/\0"), "{fingerprint}");
    assert_eq!(given["work_root"], machine.root().to_str().unwrap(), "two folders up from the resolved workspace");
    assert!(given["text"].as_str().unwrap().contains("## SOUL.md\n\ncalm"));
}
