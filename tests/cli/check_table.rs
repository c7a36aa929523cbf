//! The table of findings: each row is files on a real disk, what `cbw check` has to say about them, and with what
//! values.
//!
//! Row ids (`S1`…) are those of the design's table of synthetic inputs. What needs more than files of its own is in
//! `check_cases` (an installed app, several runs, sizes) and `check_again` (channels, times, tools, counts).

use std::fs;

use product_tests::cbw;
use product_tests::fixture::Machine;
use serde_json::json;

use crate::checking::{MEMORY, TIDE, check, note, told, workspace};

/// A row: its id; files below the global workspace; and each finding as id, severity, file, range.
type Row = (&'static str, Vec<(&'static str, Vec<u8>)>, Vec<Told>);
type Told = (&'static str, &'static str, &'static str, Option<(u64, u64)>);

/// The form of a profile, of which nothing is filled in: 7 texts in brackets, 9 boxes, 3 bullets.
const FORM: &str = "# About you\n\n- **Called:** (your name)\n- **Address as:** (first name, or a title)\n- **Pronouns:** (which)\n- **Language:** (to answer in)\n- **Zone:** (city)\n- **Work:** (what you do)\n\n(anything else)\n\n## Length\n\n- [ ] short\n- [ ] middling\n- [ ] long\n\n## Tone\n\n- [ ] plain\n- [ ] warm\n- [ ] dry\n\n## Level\n\n- [ ] beginner\n- [ ] trained\n- [ ] expert\n\n## Likes\n\n- \n- \n- \n";

/// What a row's finding has to say, or to offer: row, id, words of its message and ids of its repairs.
const SAYS: &[(&str, &str, &[&str], &[&str])] = &[
    ("S1", "bom", &["byte order mark (EF BB BF)"], &["strip-bom"]),
    ("S1", "readers-disagree", &["lists \"\" for this skill", "show \"Read\""], &[]),
    ("S2", "frontmatter-crlf", &["CR LF"], &["use-lf"]),
    ("S2, always on", "frontmatter-leaked", &["raw lines go into the prompt"], &[]),
    ("S3", "readers-disagree", &["lists \">\" for this skill", "show \"Two lines\""], &[]),
    ("S4", "description-colon", &["\"Plan trips: rail, bus\"", "drop the skill"], &["quote-description"]),
    ("S5", "description-quoted", &["the target shows the quotes"], &["unquote-description"]),
    // 131 by js-tiktoken 1.0.21, cl100k_base, of the text below its heading in the prompt.
    (
        "S9",
        "unfilled-placeholder",
        &["7 bracketed placeholders, 9 empty boxes, 3 empty bullets", "costs 131 tokens"],
        &[],
    ),
    ("S10", "empty-section", &["white space only"], &["empty-file"]),
    ("S11", "near-name", &["letter case counts on this disk", "On macOS and Windows", "AGENTS.md"], &["rename"]),
    ("S12", "not-read", &["RULES.md is not injected"], &[]),
    ("S17", "template-syntax-literal", &["2 times", "{{work_root}}", "as it is written"], &[]),
    ("S18", "section-spoof", &["border between two sections", "Use ***"], &["escape-spoof"]),
    ("S18", "section-spoof", &["## USER.md is the heading of a section"], &["escape-spoof"]),
    ("S22", "not-utf8", &["byte 0 is the first at fault", "3 places become U+FFFD"], &["convert-to-utf8"]),
    ("S25", "skill-name-differs", &["names the skill Foo_Bar", "foo-bar", "then not find it"], &[]),
    ("S25, the folder", "skill-name-form", &["lower-case letters, digits and hyphens"], &[]),
    ("S28", "near-name", &["memory/memory.md is not injected", "memory/MEMORY.md"], &[]),
];

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
        ("S9", files(&[("USER.md", FORM.as_bytes())]), vec![at("unfilled-placeholder", "info", "USER.md", 27, 38)]),
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
            // Each of its letters is a token: 2,501, and not a quarter of 5,002 characters.
            vec![whole("length-misjudges", "info", "SOUL.md"), at("long-line", "info", "SOUL.md", 4, 4 + 3 * 2_501)],
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
fn every_row_is_told_by_id_severity_file_range_and_values() {
    let mut failed = Vec::new();
    let rows = rows();
    for (of, ..) in SAYS {
        assert!(rows.iter().any(|(row, ..)| row == of), "no row {of}");
    }
    for (row, files, expected) in rows {
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
        let denied = expected.iter().any(|(_, severity, ..)| severity != "info");
        let code = cbw::run(&machine.home(), ["check", "--deny", "warning"]).code;
        assert_eq!(code, i32::from(denied), "{row}: --deny warning");
        let told = told(&findings, &root);
        if told != expected {
            failed.push(format!("{row}\n  got      {told:?}\n  expected {expected:?}"));
        }
        for (_, id, words, fixes) in SAYS.iter().filter(|(of, ..)| *of == row) {
            let same = |finding: &&serde_json::Value| {
                let message = finding["message"].as_str().unwrap();
                finding["id"] == *id
                    && words.iter().all(|word| message.contains(word))
                    && finding["fixes"] == json!(fixes)
            };
            if !findings.iter().any(|finding| same(&finding)) {
                failed.push(format!("{row}: no {id} says {words:?} and offers {fixes:?}\n  among {findings:#?}"));
            }
        }
        for (name, bytes) in &files {
            assert_eq!(&fs::read(root.join(name)).unwrap(), bytes, "{row}: checking writes nothing");
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
