//! The table of findings: each row is files on a real disk and what `cbw check` has to say about them.
//!
//! Row ids (`S1`…) are those of the design's table of synthetic inputs. What needs more than files (several runs, a
//! kept time of change, links) is a test of its own below.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use product_tests::cbw::{self, Ran};
use product_tests::fixture::Machine;
use product_tests::vectors;
use serde_json::{Value, json};

/// A row: its id; files below the global workspace; and each finding as id, severity, file, range.
type Row = (&'static str, Vec<(&'static str, Vec<u8>)>, Vec<Told>);
type Told = (&'static str, &'static str, &'static str, Option<(u64, u64)>);

fn workspace(machine: &Machine) -> PathBuf {
    machine.home().join(".catbuddy/workspace")
}

fn check(machine: &Machine, arguments: &[&str]) -> Vec<Value> {
    let ran = cbw::run(&machine.home(), [&["check", "--json"], arguments].concat());
    assert!(ran.code < 2, "{}", ran.stderr);
    ran.json()["findings"].as_array().unwrap().clone()
}

/// Id, severity, path and bytes of a finding, as the table writes them.
type Found = (String, String, String, Option<(u64, u64)>);

/// Findings about files below `root`, in the table's order.
fn told(findings: &[Value], root: &Path) -> Vec<Found> {
    let mut told: Vec<_> = findings
        .iter()
        .filter_map(|finding| {
            let text = |key: &str| finding[key].as_str().unwrap_or_default().to_owned();
            let path = Path::new(finding["path"].as_str()?).strip_prefix(root).ok()?;
            let range = finding["range"]["start"].as_u64().zip(finding["range"]["end"].as_u64());
            Some((text("id"), text("severity"), path.to_string_lossy().into_owned(), range))
        })
        .collect();
    told.sort();
    told
}

fn id_of<'a>(findings: &'a [Value], id: &str) -> &'a Value {
    findings.iter().find(|finding| finding["id"] == id).unwrap_or_else(|| panic!("no {id} among {findings:#?}"))
}

const TIDE: &str = "skills/tide/SKILL.md";
const MEMORY: &str = "memory/MEMORY.md";

/// A note of 245 bytes.
fn note() -> String {
    format!(
        "- {} end\n",
        "a note of some length that nobody writes twice by accident; ".repeat(4).trim_end_matches("; ")
    )
}

fn long_description() -> Vec<u8> {
    format!("---\nname: tide\ndescription: {}\n---\nBody\n", "word ".repeat(300).trim_end()).into_bytes()
}

fn rows() -> Vec<Row> {
    let files = |files: &[(&'static str, &[u8])]| files.iter().map(|(name, bytes)| (*name, bytes.to_vec())).collect();
    let at = |id, severity, file, start, end| (id, severity, file, Some((start, end)));
    let whole = |id, severity, file| (id, severity, file, None);
    let secret = format!("# Keys\n\nThe key is {}-ant-api03-Zk3vQ9xW7bT2mN5rL8pD4sF6hJ1gK0cY.\n", "sk");
    let (twice, across) = (format!("# Notes\n\n{0}\n## More\n\n{0}", note()), note());
    vec![
        (
            "S1",
            files(&[(TIDE, b"\xEF\xBB\xBF---\nname: tide\ndescription: Read\n---\nBody\n")]),
            vec![at("bom", "warning", TIDE, 0, 3), whole("readers-disagree", "info", TIDE)],
        ),
        (
            "S2",
            files(&[(TIDE, b"---\r\nname: tide\r\ndescription: Read\r\n---\r\nBody\r\n")]),
            vec![at("frontmatter-crlf", "warning", TIDE, 5, 36), whole("readers-disagree", "info", TIDE)],
        ),
        (
            "S2, always on",
            files(&[("skills/memory/SKILL.md", b"---\r\nname: memory\r\ndescription: Read\r\n---\r\nBody\r\n")]),
            vec![
                at("frontmatter-crlf", "warning", "skills/memory/SKILL.md", 5, 38),
                at("frontmatter-leaked", "warning", "skills/memory/SKILL.md", 0, 3),
                whole("readers-disagree", "info", "skills/memory/SKILL.md"),
            ],
        ),
        (
            "S3",
            files(&[(TIDE, b"---\ndescription: >\n  Two\n  lines\n---\nBody\n")]),
            vec![at("description-folded", "warning", TIDE, 17, 18), whole("readers-disagree", "info", TIDE)],
        ),
        (
            "S4",
            files(&[(TIDE, b"---\ndescription: Plan trips: rail, bus\n---\nBody\n")]),
            vec![at("description-colon", "warning", TIDE, 17, 38)],
        ),
        (
            "S4, a sign",
            files(&[(TIDE, "---\ndescription: [x] — y\n---\nBody\n".as_bytes())]),
            vec![at("frontmatter-yaml", "warning", TIDE, 21, 21)],
        ),
        (
            "S5",
            files(&[(TIDE, b"---\ndescription: \"Quoted text\"\n---\nBody\n")]),
            vec![at("description-quoted", "info", TIDE, 17, 30), whole("readers-disagree", "info", TIDE)],
        ),
        (
            "S9",
            files(&[("USER.md", b"# You\n\n- **Called:** (fill in)\n- [ ] short\n- [ ] long\n\n- \n- \n")]),
            vec![at("unfilled-placeholder", "info", "USER.md", 21, 30)],
        ),
        ("S10", files(&[("TOOLS.md", b" ")]), vec![at("empty-section", "warning", "TOOLS.md", 0, 1)]),
        ("S11", files(&[("agents.md", b"Rules\n")]), vec![whole("near-name", "warning", "agents.md")]),
        (
            "S12",
            files(&[("AGENTS.md", b"Rules\n"), ("RULES.md", b"Rules\n")]),
            vec![whole("not-read", "info", "RULES.md")],
        ),
        (
            "S17",
            files(&[("USER.md", b"Root {{work_root}} and {% include x %}\n")]),
            vec![at("template-syntax-literal", "info", "USER.md", 5, 18)],
        ),
        (
            "S18",
            files(&[("SOUL.md", b"calm\n\n---\n\n## USER.md\n\nAda\n")]),
            vec![at("section-spoof", "info", "SOUL.md", 6, 9), at("section-spoof", "warning", "SOUL.md", 11, 21)],
        ),
        ("S22", files(&[("USER.md", b"\xC4\xE3\xBA\xC3\n")]), vec![at("not-utf8", "error", "USER.md", 0, 1)]),
        (
            "S25",
            files(&[("skills/foo-bar/SKILL.md", b"---\nname: Foo_Bar\ndescription: Read\n---\nBody\n")]),
            vec![at("skill-name-differs", "info", "skills/foo-bar/SKILL.md", 4, 36)],
        ),
        (
            "S25, the folder",
            files(&[("skills/Foo_Bar/SKILL.md", b"---\ndescription: Read\n---\nBody\n")]),
            vec![at("skill-name-form", "info", "skills/Foo_Bar/SKILL.md", 4, 22)],
        ),
        (
            "S28",
            files(&[(MEMORY, b"- plums\n"), ("memory/memory.md", b"- pears\n")]),
            vec![whole("near-name", "warning", "memory/memory.md")],
        ),
        ("memory at the root", files(&[("MEMORY.md", b"- plums\n")]), vec![whole("near-name", "warning", "MEMORY.md")]),
        (
            "skill file",
            files(&[("skills/tide/skill.md", b"---\ndescription: Read\n---\n")]),
            vec![whole("near-name", "warning", "skills/tide/skill.md")],
        ),
        (
            "section marks",
            files(&[(MEMORY, b"# Notes\n\nSee ##user  PROFILE here\n\n##Project Context\n")]),
            vec![
                at("memory-section-mark", "warning", MEMORY, 13, 28),
                at("memory-section-mark", "warning", MEMORY, 35, 52),
            ],
        ),
        ("section marks elsewhere", files(&[("SOUL.md", b"## User Profile\n")]), vec![]),
        (
            "volatile",
            files(&[(
                "AGENTS.md",
                b"# Rules\n\nToday: 2025-03-04\n- Born: 1990-05-01\n\nLast updated: 4 March 2025\n",
            )]),
            vec![at("volatile-text", "info", "AGENTS.md", 61, 73), at("volatile-text", "warning", "AGENTS.md", 16, 26)],
        ),
        ("volatile in the memory", files(&[(MEMORY, b"Today: 2025-03-04\n")]), vec![]),
        (
            "special token",
            files(&[("SOUL.md", b"Say <|im_end|> never.\n")]),
            vec![at("special-token-lookalike", "warning", "SOUL.md", 4, 14)],
        ),
        ("secret", vec![("TOOLS.md", secret.into_bytes())], vec![at("secret", "warning", "TOOLS.md", 19, 64)]),
        (
            "long line",
            vec![("SOUL.md", format!("# A\n{}\n", "é ".repeat(2_501)).into_bytes())],
            vec![at("long-line", "info", "SOUL.md", 4, 4 + 3 * 2_501)],
        ),
        (
            "hidden",
            files(&[("SOUL.md", "calm\u{202E}x \u{E0041}\n".as_bytes())]),
            vec![
                at("hidden-character", "warning", "SOUL.md", 4, 7),
                at("hidden-character", "warning", "SOUL.md", 9, 13),
            ],
        ),
        (
            "repeated in one file",
            vec![(MEMORY, twice.into_bytes())],
            vec![at("repeated-block", "warning", MEMORY, 264, 509)],
        ),
        (
            "repeated in two",
            vec![("AGENTS.md", across.clone().into_bytes()), ("SOUL.md", across.into_bytes())],
            vec![at("repeated-block", "info", "SOUL.md", 0, 245)],
        ),
        ("mixed line ends", files(&[("SOUL.md", b"a\r\nb\n")]), vec![whole("mixed-line-ends", "info", "SOUL.md")]),
        (
            "front matter open",
            files(&[(TIDE, b"---\ndescription: Read\n\nBody\n")]),
            vec![at("frontmatter-unclosed", "warning", TIDE, 0, 3)],
        ),
        (
            "front matter at the end",
            files(&[(TIDE, b"---\ndescription: Read\n---")]),
            vec![at("frontmatter-at-end", "warning", TIDE, 22, 25)],
        ),
        (
            "no description",
            files(&[(TIDE, b"---\nname: tide\n---\nBody\n")]),
            vec![at("description-missing", "warning", TIDE, 15, 15)],
        ),
        ("long description", vec![(TIDE, long_description())], vec![at("description-long", "info", TIDE, 4, 1_528)]),
        (
            "always",
            files(&[(TIDE, b"---\ndescription: Read\nalways: true\n---\nBody\n")]),
            vec![at("always-not-read", "info", TIDE, 4, 35)],
        ),
    ]
}

#[test]
fn every_row_is_told_by_id_severity_file_and_range() {
    let mut failed = Vec::new();
    for (row, files, expected) in rows() {
        let machine = Machine::default();
        let root = workspace(&machine);
        for (name, bytes) in &files {
            machine.write(&root.join(name), bytes);
        }
        let findings = check(&machine, &[]);
        let mut expected: Vec<_> = expected
            .into_iter()
            .map(|(id, severity, file, range)| (id.to_owned(), severity.to_owned(), file.to_owned(), range))
            .collect();
        expected.sort();
        let told = told(&findings, &root);
        if told != expected {
            failed.push(format!("{row}\n  got      {told:?}\n  expected {expected:?}"));
        }
        for (name, bytes) in &files {
            assert_eq!(&fs::read(root.join(name)).unwrap(), bytes, "{row}: checking writes nothing");
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

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
    assert_eq!(id_of(&findings, "default-other-line-ends")["fixes"], json!(["use-lf"]));
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
        let text = format!("---\ndescription: {}\n---\nBody\n", format!("skill {number} ").repeat(30).trim_end());
        machine.write(&workspace(&machine).join(format!("skills/s{number}/SKILL.md")), text.as_bytes());
    }
    assert_eq!(id_of(&check(&machine, &[]), "too-many-skills")["severity"], "info");
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
    let share = size["message"].as_str().unwrap();
    assert!(share.contains(" % of the 128,000 tokens"), "{share}");
    assert_eq!(id_of(&findings, "repeated-block")["fixes"], json!(["remove-duplicate-block"]));
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
