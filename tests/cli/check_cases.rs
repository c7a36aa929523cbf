//! Cases of `cbw check` that need more than a table of files: an installed app, several runs, sizes, two layouts.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::time::SystemTime;

use product_tests::cbw::{self, Ran};
use product_tests::fixture::Machine;
use product_tests::vectors;
use serde_json::{Value, json};

use crate::checking::{MEMORY, TIDE, check, id_of, note, told, workspace};

#[test]
fn a_secret_is_in_no_output() {
    let machine = Machine::default();
    let key = format!("{}-ant-api03-Zk3vQ9xW7bT2mN5rL8pD4sF6hJ1gK0cY", "sk");
    machine.write(&workspace(&machine).join("SOUL.md"), format!("{{{{{key}}}}}\n").as_bytes());
    machine.write(&workspace(&machine).join(TIDE), format!("---\ndescription: \"Call: {key}\"\n---\nx\n").as_bytes());
    machine.write(
        &workspace(&machine).join("skills/b/SKILL.md"),
        format!("---\ndescription: Call: {key}\n---\nx\n").as_bytes(),
    );
    for arguments in [&["check", "--json"][..], &["check"]] {
        let Ran { stdout, stderr, .. } = cbw::run(&machine.home(), arguments);
        let output = String::from_utf8(stdout).unwrap() + &stderr;
        assert!(output.contains("[an Anthropic key]"), "{output}");
        assert!(!output.contains("Zk3vQ9xW7b"), "{output}");
    }
}

#[test]
fn s7_a_memory_that_is_the_template_but_for_its_line_ends() {
    let machine = Machine::default();
    let sets = vectors::load("catbuddy/app_sets.json");
    machine.lay_out(&json!({ "app": "std" }), &sets);
    let template = sets["sets"]["std"]["templates"][MEMORY].as_str().unwrap();
    let memory = workspace(&machine).join(MEMORY);
    let app = machine.app();
    let arguments = ["--app", app.to_str().unwrap()];
    machine.write(&memory, template.as_bytes());
    let about =
        |findings: &[Value]| told(findings, &workspace(&machine)).into_iter().map(|told| told.0).collect::<Vec<_>>();
    assert_eq!(about(&check(&machine, &arguments)), [""; 0], "untouched, it is left out");
    machine.write(&memory, template.replace('\n', "\r\n").as_bytes());
    let findings = check(&machine, &arguments);
    assert!(about(&findings).contains(&"default-other-line-ends".to_owned()), "{findings:?}");
    let told = id_of(&findings, "default-other-line-ends");
    assert_eq!(told["fixes"], json!(["use-lf"]));
    let message = told["message"].as_str().unwrap();
    // 47 by js-tiktoken 1.0.21, cl100k_base, of the text below its heading in the prompt.
    assert!(message.contains("but for its line ends") && message.contains("costs 47 tokens"), "{message}");
}

/// The memory of an app of another name: the default but for that name.
#[test]
fn s8_a_memory_that_is_the_template_of_another_product() {
    let machine = Machine::default();
    let sets = vectors::load("catbuddy/app_sets.json");
    machine.lay_out(&json!({ "app": "std" }), &sets);
    let template = sets["sets"]["std"]["templates"][MEMORY].as_str().unwrap();
    assert!(template.contains("*Tern fills this file in by itself.*"));
    let memory = workspace(&machine).join(MEMORY);
    let app = machine.app();
    let arguments = ["--app", app.to_str().unwrap()];
    for other in ["Gull", "Night Heron", "海鸥"] {
        for text in [template.replace("Tern", other), template.replace("Tern", other).replace('\n', "\r\n")] {
            machine.write(&memory, text.as_bytes());
            let findings = check(&machine, &arguments);
            let told = id_of(&findings, "default-other-product");
            assert_eq!((&told["severity"], &told["path"]), (&json!("warning"), &json!(memory)));
            let message = told["message"].as_str().unwrap();
            assert!(message.contains("default of another product"), "{message}");
            assert!(message.contains(&format!("{other} where the app has Tern")), "{message}");
        }
    }
    // 46 by js-tiktoken 1.0.21, cl100k_base, of the text below its heading in the prompt.
    machine.write(&memory, template.replace("Tern", "Gull").as_bytes());
    let findings = check(&machine, &arguments);
    let message = id_of(&findings, "default-other-product")["message"].as_str().unwrap();
    assert!(message.contains("costs 46 tokens"), "{message}");
    let denied = cbw::run(&machine.home(), [&["check", "--deny", "warning"][..], &arguments].concat());
    assert_eq!(denied.code, 1);
    for own in [template.replace("nothing noted", "plums"), template.replace("Tern", "Gull") + "\n\n- plums\n"] {
        machine.write(&memory, own.as_bytes());
        let findings = check(&machine, &arguments);
        assert!(findings.iter().all(|finding| finding["id"] != "default-other-product"), "{findings:?}");
    }
}

#[test]
fn s13_a_skill_that_shadows_a_built_in_one() {
    let machine = Machine::default();
    machine.lay_out(&json!({ "app": "std" }), &vectors::load("catbuddy/app_sets.json"));
    let skill = workspace(&machine).join("skills/tide-table/SKILL.md");
    machine.write(&skill, b"---\nname: tide-table\ndescription: My own tides\n---\nBody\n");
    let app = machine.app();
    let findings = check(&machine, &["--app", app.to_str().unwrap()]);
    assert_eq!(id_of(&findings, "skill-shadowed")["severity"], "info");
}

#[test]
fn s15_an_edit_that_keeps_the_time_of_change() {
    let machine = Machine::default();
    let soul = workspace(&machine).join("SOUL.md");
    machine.write(&soul, b"Calm and brief.\n");
    assert_eq!(cbw::run(&machine.home(), ["assemble"]).code, 0);
    let ids = |machine: &Machine| told(&check(machine, &[]), &workspace(machine));
    assert_eq!(ids(&machine), []);
    // `write` gives every file the same time.
    machine.write(&soul, b"Loud and long!!\n");
    let expected = ("stale-prompt".to_owned(), "warning".to_owned(), "SOUL.md".to_owned(), None);
    assert_eq!(ids(&machine), [expected]);
    fs::File::open(&soul).unwrap().set_modified(SystemTime::now()).unwrap();
    assert_eq!(ids(&machine), [], "saved once more, it is read");
}

#[test]
fn s20_two_runs_and_all_channels_of_a_plain_workspace_have_no_findings() {
    let machine = Machine::default();
    machine.write(&workspace(&machine).join("SOUL.md"), b"# Manner\n\nCalm, brief.\n\n- [x] one\n");
    machine.write(&workspace(&machine).join("USER.md"), b"# Ada\n\n- Born: 1990-05-01\n");
    machine.write(&workspace(&machine).join(MEMORY), b"# Notes\n\n- 2025-03-04: plums\n");
    machine.write(&workspace(&machine).join(TIDE), b"---\nname: tide\ndescription: Read a tide table\n---\n\nBody\n");
    for channel in ["desktop", "telegram", "whatsapp", "email", "cli", "TELEGRAM", "wecom"] {
        let findings = check(&machine, &["--channel", channel]);
        let grave: Vec<_> = findings.iter().filter(|finding| finding["severity"] != "info").collect();
        assert!(grave.is_empty(), "{channel}: {grave:?}");
        assert_eq!(told(&findings, &workspace(&machine)), [], "{channel}");
    }
}

#[test]
fn s21_and_s32_templates_of_the_app() {
    let sets = vectors::load("catbuddy/app_sets.json");
    for (patch, id) in [
        (json!({ "templates/agent/identity.md": "Now: {{ now }}\n" }), "volatile-template-variable"),
        (json!({ "templates/agent/platform_policy.md": null }), "missing-template"),
    ] {
        let machine = Machine::default();
        machine.lay_out(&json!({ "app": "std", "app_patch": patch }), &sets);
        let app = machine.app();
        let findings = check(&machine, &["--app", app.to_str().unwrap()]);
        assert_eq!(id_of(&findings, id)["severity"], "warning");
    }
}

#[test]
fn s23_many_skills() {
    let machine = Machine::default();
    for number in 0..400 {
        // 300 characters.
        let description = format!("skill {number:03} ").repeat(29) + &format!("skill {number:03}.");
        let text = format!("---\ndescription: {description}\n---\nBody\n");
        machine.write(&workspace(&machine).join(format!("skills/s{number:03}/SKILL.md")), text.as_bytes());
    }
    let findings = check(&machine, &[]);
    let told = id_of(&findings, "too-many-skills");
    assert_eq!(told["severity"], "info");
    let message = told["message"].as_str().unwrap();
    for words in [
        "400 skills",
        // `- **s000**: ` and 300 characters, 400 times, with a line end between each two: 400 × 312 + 399.
        "125,199 bytes",
        // js-tiktoken 1.0.21, cl100k_base.
        "38,400 tokens",
        "catbuddy cuts nothing",
        // 57 × 312 + 56 = 17,840; one more is beyond 18,000.
        "OpenClaw would show 57 of them",
        // 25 × 312 + 24 = 7,824; one more is beyond 8,000.
        "Claude Code would show 25 of them",
    ] {
        assert!(message.contains(words), "{words}: {message}");
    }
}

#[test]
fn s27_two_mebibytes_of_dated_sections() {
    let machine = Machine::default();
    let section = |day: usize| {
        format!("\n\n## Dream — {}-{:02}-{:02}\n{}", 2000 + day / 336, 1 + day / 28 % 12, 1 + day % 28, note())
    };
    let text: String = (0..2 * 1024 * 1024 / 270).map(section).collect();
    machine.write(&workspace(&machine).join(MEMORY), text.as_bytes());
    let findings = check(&machine, &[]);
    let size = id_of(&findings, "fills-window");
    assert_eq!((&size["severity"], &size["path"]), (&json!("warning"), &json!(workspace(&machine).join(MEMORY))));
    let message = size["message"].as_str().unwrap();
    // 7,767 sections of 26 + 245 bytes.
    assert_eq!(text.len(), 2_104_857);
    assert!(message.contains("is 2,104,857 bytes long"), "{message}");
    // 473,793 by js-tiktoken 1.0.21, cl100k_base, of the text below its heading in the prompt.
    assert!(message.contains("about 473,793 tokens: 370 % of the 128,000 tokens"), "{message}");
    let copies = id_of(&findings, "repeated-block");
    assert_eq!(copies["fixes"], json!(["remove-duplicate-block"]));
    let message = copies["message"].as_str().unwrap();
    // Every body but the first.
    assert!(message.contains("7766 blocks stand here that stood before"), "{message}");
}

#[test]
fn s31_two_layouts() {
    let machine = Machine::default();
    machine.write(&machine.project().join(".catbuddy/SOUL.md"), b"outer\n");
    let inner = machine.project().join(".catbuddy/workspace");
    machine.write(&inner.join("SOUL.md"), b"inner\n");
    let project = machine.project();
    let ran = cbw::run(&machine.home(), ["check", "--json", "--project", project.to_str().unwrap()]);
    assert_eq!((ran.code, &ran.json()["error"]["code"]), (2, &json!("ambiguous")), "never merged silently");
    let findings = check(&machine, &["--workspace", inner.to_str().unwrap()]);
    let told = id_of(&findings, "two-layouts");
    assert_eq!(told["severity"], "warning");
    let message = told["message"].as_str().unwrap();
    for folder in [machine.project().join(".catbuddy"), inner] {
        assert!(message.contains(folder.to_str().unwrap()), "{message}");
    }
}

#[test]
fn one_memory_or_one_folder_under_two_names_is_told_by_what_it_is() {
    let machine = Machine::default();
    let own = machine.project().join(".catbuddy");
    machine.write(&workspace(&machine).join(MEMORY), b"- plums\n");
    machine.write(&own.join("SOUL.md"), b"calm\n");
    fs::create_dir_all(own.join("memory")).unwrap();
    fs::hard_link(workspace(&machine).join(MEMORY), own.join(MEMORY)).unwrap();
    let project = machine.project();
    let findings = check(&machine, &["--project", project.to_str().unwrap()]);
    assert_eq!(id_of(&findings, "same-memory-twice")["severity"], "warning", "{findings:?}");

    let other = machine.project().join("linked");
    symlink(workspace(&machine), &other).unwrap();
    let findings = check(&machine, &["--workspace", other.to_str().unwrap()]);
    let told = id_of(&findings, "same-workspace-twice");
    assert_eq!((&told["severity"], &told["path"]), (&json!("warning"), &json!(other)));
}

#[test]
fn many_findings_of_a_kind_are_counted_and_not_listed() {
    let machine = Machine::default();
    machine.write(&workspace(&machine).join("SOUL.md"), "## USER.md\n".repeat(1_000).as_bytes());
    let findings = check(&machine, &[]);
    let spoofs: Vec<_> = findings.iter().filter(|finding| finding["id"] == "section-spoof").collect();
    assert_eq!(spoofs.len(), 50);
    assert!(spoofs.last().unwrap()["message"].as_str().unwrap().ends_with("There are 950 more like it in this file."));
}

#[test]
fn what_init_makes_is_clean() {
    let machine = Machine::default();
    assert_eq!(cbw::run(&machine.home(), ["init"]).code, 0);
    let findings = check(&machine, &[]);
    let grave: BTreeMap<_, _> = findings
        .iter()
        .filter(|finding| finding["severity"] != "info")
        .map(|finding| (finding["id"].to_string(), finding["message"].to_string()))
        .collect();
    assert!(grave.is_empty(), "{grave:?}");
}
