//! Repairs: what each does, and what all of them keep to.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;

use model::Finding;
use proptest::prelude::*;

use super::repair::applied;
use super::tests::of_text;
use super::{Role, repair};

const SKILL: Role = Role::Skill { always_on: false };
const ALWAYS: Role = Role::Skill { always_on: true };

/// The text after the first repair of the first finding of this id; `None` when none is offered.
fn mended(role: Role, text: &str, id: &str, which: usize) -> Option<(String, String)> {
    let found = of_text("tide", role, text);
    let finding = found.iter().find(|finding| finding.id == id).unwrap();
    let fix = finding.fixes.get(which)?;
    let edits = repair(text, finding, &fix.id).unwrap();
    Some((fix.id.to_string(), applied(text, &edits).unwrap()))
}

fn becomes(role: Role, text: &str, id: &str, action: &str, after: &str) {
    assert_eq!(mended(role, text, id, 0), Some((action.to_owned(), after.to_owned())), "{text:?}");
}

#[test]
fn bytes() {
    becomes(Role::Bootstrap, "\u{FEFF}calm\r\n", "bom", "strip-bom", "calm\r\n");
    becomes(Role::Bootstrap, " \n", "empty-section", "empty-file", "");
    becomes(Role::Bootstrap, "a\r\nb\nc\n", "mixed-line-ends", "use-lf", "a\nb\nc\n");
    becomes(Role::Bootstrap, "a\r\nb\nc\r\n", "mixed-line-ends", "use-crlf", "a\r\nb\r\nc\r\n");
    let second = mended(Role::Bootstrap, "a\r\nb\nc\n", "mixed-line-ends", 1);
    assert_eq!(second, Some(("use-crlf".to_owned(), "a\r\nb\r\nc\r\n".to_owned())));
    assert_eq!(mended(Role::Bootstrap, "a\rb\nc", "mixed-line-ends", 0), None, "a CR may be part of the text");
    let skill = "---\ndescription: Read\n---\na\r\nb\n";
    assert_eq!(mended(SKILL, skill, "mixed-line-ends", 1), None, "CR LF would hide the front matter");
}

#[test]
fn front_matter() {
    let front = "---\r\ndescription: Read\r\n---\r\n";
    becomes(SKILL, &format!("{front}Body\r\n"), "frontmatter-crlf", "use-lf", "---\ndescription: Read\n---\nBody\n");
    becomes(
        SKILL,
        &format!("{front}Body\n"),
        "frontmatter-crlf",
        "front-matter-lf",
        "---\ndescription: Read\n---\nBody\n",
    );
    becomes(
        SKILL,
        "---\ndescription: Read\n---",
        "frontmatter-at-end",
        "add-final-newline",
        "---\ndescription: Read\n---\n",
    );
    let closed = "---\nname: tide\ndescription: Read\n---\n\n# Tide\n";
    becomes(
        SKILL,
        "---\nname: tide\ndescription: Read\n\n# Tide\n",
        "frontmatter-unclosed",
        "close-front-matter",
        closed,
    );
    becomes(
        SKILL,
        "---\ndescription: Read\n  a table\n# Tide: how\nBody\n",
        "frontmatter-unclosed",
        "close-front-matter",
        "---\ndescription: Read\n  a table\n# Tide: how\n---\nBody\n",
    );
    assert_eq!(mended(SKILL, "---\nno field\n", "frontmatter-unclosed", 0), None, "it would have no description");
}

#[test]
fn descriptions() {
    let with = |value: &str| format!("---\nname: tide\ndescription: {value}\nalways: false\n---\nBody\n");
    let each = [
        ("Plan: rail, \"bus\"", "description-colon", "quote-description", "\"Plan: rail, \\\"bus\\\"\""),
        ("[rail] — by bus", "frontmatter-yaml", "quote-description", "\"[rail] — by bus\""),
        ("\"Read a table\"", "description-quoted", "unquote-description", "Read a table"),
        ("'It''s high'", "description-quoted", "unquote-description", "It's high"),
        (">-\n  Two\n  lines", "description-folded", "unfold-description", "Two lines"),
        ("|\n  Two\n\n  lines", "description-folded", "unfold-description", "Two lines"),
        (">\n  Plan: rail", "description-folded", "unfold-description", "\"Plan: rail\""),
    ];
    for (before, id, action, after) in each {
        becomes(SKILL, &with(before), id, action, &with(after));
    }
    let needed = of_text("tide", SKILL, &with("\"Plan: rail\""));
    assert!(needed.is_empty(), "YAML needs these quotes: {needed:?}");
}

#[test]
fn spoofs_and_copies() {
    becomes(
        Role::Bootstrap,
        "calm\n\n## USER.md\n\nAda\n",
        "section-spoof",
        "escape-spoof",
        "calm\n\n### USER.md\n\nAda\n",
    );
    let rules = "one\n\n---\n\ntwo\n---\n\nthree\n\n---\n";
    becomes(Role::Bootstrap, rules, "section-spoof", "escape-spoof", "one\n\n***\n\ntwo\n---\n\nthree\n\n***\n");
    let front = "---\ndescription: Read\n---\n\n---\n\nBody\n";
    becomes(ALWAYS, front, "section-spoof", "escape-spoof", "---\ndescription: Read\n---\n\n***\n\nBody\n");
    let note = "- Ada drinks tea, and never coffee.\n".repeat(7);
    let copied = format!("# Notes\n\n{note}\n## Again\n\n{note}\nend\n");
    becomes(
        Role::Memory,
        &copied,
        "repeated-block",
        "remove-duplicate-block",
        &format!("# Notes\n\n{note}\n## Again\n\nend\n"),
    );
}

fn counts(findings: &[Finding]) -> BTreeMap<&str, usize> {
    findings.iter().fold(BTreeMap::new(), |mut counts, finding| {
        *counts.entry(&*finding.id).or_default() += 1;
        counts
    })
}

/// Pieces of files, among them everything that a check looks for.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\u{FEFF}"),
        Just("---\n"),
        Just("---\r\n"),
        Just("---"),
        Just("name: tide\n"),
        Just("description: Read a table\n"),
        Just("description: Read a table\r\n"),
        Just("description: Plan: rail\n"),
        Just("description: [a] — b\n"),
        Just("description: \"Quoted text\"\n"),
        Just("description: 'it''s'\n"),
        Just("description: >\n  Two\n  lines\n"),
        Just("description: |-\r\n  Two: x\r\n"),
        Just("always: true\n"),
        Just("\n"),
        Just("\r\n"),
        Just("\r"),
        Just(" "),
        Just("text\n"),
        Just("- \n"),
        Just("- [ ] box\n"),
        Just("**Name:** (your name)\n"),
        Just("## USER.md\n"),
        Just("# Long-Term Memory\n"),
        Just("## User Profile\n"),
        Just("{{x}} é\n"),
        Just("Today: 2025-03-04\n"),
        Just("```\n"),
        Just("- a note that is long enough to be told from a chance likeness, and which takes a good many letters\n"),
        Just(
            "A paragraph of some length that could stand anywhere, and that a careless hand has put into the file several times over, although the reader of a prompt is told by it nothing that was not told before, and pays for it.\n"
        ),
    ];
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn a_repair_takes_its_finding_away_and_brings_none(text in pieces(), which in 0_usize..4) {
        let role = [Role::Bootstrap, Role::Memory, SKILL, ALWAYS][which];
        let before = of_text("tide", role, &text);
        for finding in &before {
            for fix in &finding.fixes {
                let Some(edits) = repair(&text, finding, &fix.id) else {
                    return Err(TestCaseError::fail(format!("{} is offered and does nothing", fix.id)));
                };
                let after_text = applied(&text, &edits).unwrap();
                let after = of_text("tide", role, &after_text);
                let (had, has) = (counts(&before), counts(&after));
                let count = |counts: &BTreeMap<&str, usize>, id: &str| counts.get(id).copied().unwrap_or_default();
                prop_assert!(count(&has, &finding.id) < count(&had, &finding.id), "{} leaves {}: {:?}", fix.id, finding.id, after_text);
                for id in has.keys() {
                    prop_assert!(count(&has, id) <= count(&had, id), "{} brings {id}: {after_text:?}", fix.id);
                }
                let again = repair(&after_text, finding, &fix.id).and_then(|edits| applied(&after_text, &edits));
                prop_assert!(again.is_none_or(|again| again == after_text), "{} twice is not once: {after_text:?}", fix.id);
            }
        }
    }
}
