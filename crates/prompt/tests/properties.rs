//! What holds for every workspace.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failed unwrap is a failed test")]

mod fixture;

use std::collections::BTreeMap;

use base64::Engine as _;
use model::{Assembly, Context, SkillPrecedence, Snapshot, Source, SourceFile, Variant};
use prompt::{Assembler, Attachments, Inputs, assemble, degrade, shipped, targets};
use proptest::prelude::*;
use serde_json::{Value, json};

use fixture::{APP, Disk};

const GLOBAL: &str = "/tree/home/.catbuddy/workspace";
const LAYERED: &str = "/tree/project/.catbuddy";

/// Texts that touch the rules: fences, line ends, BOM, template syntax, bytes that are no UTF-8.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        "[a-zA-Z é图🚢]{0,12}".prop_map(String::into_bytes),
        prop::sample::select(vec![
            "---\n",
            "---",
            "description: d\n",
            "description:",
            "\r\n",
            "\r",
            "\n",
            "\u{FEFF}",
            "\u{2028}",
            " ",
            "\t",
            "{{channel}}",
            "{{ runtime }}",
            "{{#if isEmail}}",
            "{{/if}}",
            "{% else %}",
            "{% include 'agent/x.md' %}",
            "{{~",
            "\\{{",
            "## USER.md\n",
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
        prop::sample::select(vec![b"\xC4\xE3".to_vec(), b"\xE2\x82".to_vec(), b"\xFF".to_vec(), b"\0".to_vec()]),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

/// Templates that always render, so that every case shows something.
fn template() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop::sample::select(vec![
        "text ",
        "\r\n",
        "\n",
        "é",
        "{{ channel }}",
        "{{platform_policy}}",
        "{{{skills_summary}}}",
        "{{#if isEmail}}\nmail\n{{else}}\nother\n{{/if}}\n",
        "{{~channel~}}",
        "{% include 'agent/x.md' %}",
        "{{! note }}",
        "\\{{channel}}",
        "{{!-- {{x}} --}}",
    ]);
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat().into_bytes())
}

#[derive(Clone, Debug)]
struct World {
    files: BTreeMap<String, Vec<u8>>,
    layered: bool,
    context: Context,
    variant: &'static str,
}

impl World {
    fn snapshot(&self) -> Snapshot {
        let mut disk = Disk::default();
        for (path, bytes) in &self.files {
            disk.put(path, &json!({"b64": base64::engine::general_purpose::STANDARD.encode(bytes)}));
        }
        disk.snapshot(if self.layered { LAYERED } else { GLOBAL }, GLOBAL, Some(APP), &targets::catbuddy())
    }

    fn variant(&self) -> &'static Variant {
        &shipped()[self.variant]
    }

    fn assemble(&self) -> Assembly {
        assemble(&self.snapshot(), self.variant(), &targets::catbuddy(), &self.context)
    }
}

fn world() -> impl Strategy<Value = World> {
    let names = [
        "AGENTS.md",
        "SOUL.md",
        "USER.md",
        "TOOLS.md",
        "memory/MEMORY.md",
        "skills/my/SKILL.md",
        "skills/memory/SKILL.md",
    ];
    let mut paths: Vec<String> =
        [GLOBAL, LAYERED].iter().flat_map(|root| names.iter().map(move |name| format!("{root}/{name}"))).collect();
    paths.extend(
        ["a", "B", "ä", "图", "tide-table"]
            .iter()
            .flat_map(|name| [GLOBAL, LAYERED, APP].map(|root| format!("{root}/skills/{name}/SKILL.md"))),
    );
    let templates =
        ["identity", "platform_policy", "skills_section", "x"].map(|name| format!("{APP}/templates/agent/{name}.md"));
    let files = prop::collection::btree_map(prop::sample::select(paths), bytes(), 0..12);
    let app = prop::collection::btree_map(prop::sample::select(templates.to_vec()), template(), 0..5);
    let channel = prop::option::of(prop::sample::select(vec!["telegram", "EMAIL", "cli", ""]));
    let disabled = prop::collection::vec(prop::sample::select(vec!["a".to_owned(), "my".to_owned()]), 0..2);
    let variant = prop::sample::select(vec!["catbuddy", "catbuddy-article"]);
    (files, app, any::<bool>(), channel, disabled, any::<bool>(), variant).prop_map(
        |(mut files, app, layered, channel, disabled, older, variant)| {
            files.extend(app);
            let context = Context {
                channel: channel.map(str::to_owned),
                disabled_skills: Some(disabled),
                skill_precedence: older.then_some(SkillPrecedence::BuiltinFirst),
                ..Context::default()
            };
            World { files, layered, context, variant }
        },
    )
}

fn file<'a>(snapshot: &'a Snapshot, path: &str) -> &'a SourceFile {
    snapshot
        .entries()
        .filter(|entry| *entry.path == *path)
        .find_map(|entry| entry.source())
        .expect("a span names a file of the snapshot")
}

/// Every byte has one source, and the bytes of a source are the text, unless they were replaced or rewritten.
fn check_map(snapshot: &Snapshot, variant: &Variant, assembly: &Assembly) -> Result<(), TestCaseError> {
    let mut end = 0;
    for section in &assembly.sections {
        prop_assert_eq!(section.start, end);
        end = section.end();
        prop_assert_eq!(section.hash, fixture::hash(section.text.as_bytes()));
        let mut at = 0;
        for span in section.spans.iter() {
            prop_assert_eq!(span.start, at, "no gap, no overlap in {}", section.id);
            prop_assert!(span.end > span.start);
            at = span.end;
            let text = &section.text[span.start as usize..span.end as usize];
            match &span.source {
                Source::File { path, start, end } => {
                    let bytes = &file(snapshot, path).bytes[*start as usize..*end as usize];
                    prop_assert_eq!(String::from_utf8_lossy(bytes), text, "{}", path);
                }
                Source::Template { path, start, end } if !path.starts_with('/') => {
                    let text_of =
                        path.strip_prefix(&format!("{}/", variant.folder)).and_then(|name| variant.texts.get(name));
                    if let Some(template) = text_of {
                        prop_assert_eq!(&template[*start as usize..*end as usize], text);
                    }
                }
                Source::Template { path, start, end } => {
                    let bytes = &file(snapshot, path).bytes[*start as usize..*end as usize];
                    prop_assert!(
                        String::from_utf8_lossy(bytes) == text || text.starts_with("{{"),
                        "{bytes:?} is not {text:?}"
                    );
                }
                Source::Fallback => prop_assert_eq!(text, &*variant.fallback),
                Source::Literal { .. } | Source::Value { .. } => {}
            }
        }
        prop_assert_eq!(at as usize, section.text.len(), "{} is covered to its end", section.id);
    }
    prop_assert_eq!(assembly.text().len(), end as usize);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn the_source_map_covers_every_byte_once(world in world()) {
        check_map(&world.snapshot(), world.variant(), &world.assemble())?;
    }

    #[test]
    fn same_input_same_assembly(world in world()) {
        prop_assert_eq!(world.assemble(), world.assemble());
    }

    #[test]
    fn what_is_kept_changes_nothing(worlds in prop::collection::vec(world(), 1..4)) {
        let mut assembler = Assembler::default();
        let (target, attachments) = (targets::catbuddy(), Attachments::new());
        for world in worlds.iter().chain(&worlds) {
            let snapshot = world.snapshot();
            let inputs = Inputs { snapshot: &snapshot, variant: world.variant(), target: &target, context: &world.context, attachments: &attachments };
            prop_assert_eq!(assembler.assemble(&inputs), world.assemble());
        }
    }

    #[test]
    fn ids_are_unique(world in world()) {
        let assembly = world.assemble();
        let mut ids: Vec<_> = assembly.sections.iter().map(|section| section.id.clone()).collect();
        ids.sort();
        ids.dedup();
        prop_assert_eq!(ids.len(), assembly.sections.len());
    }

    #[test]
    fn every_skill_is_accounted_for(world in world()) {
        let snapshot = world.snapshot();
        let found = snapshot.workspace.skills.iter().chain(&snapshot.app.skills).filter(|skill| skill.file.source().is_some()).count();
        prop_assert_eq!(world.assemble().skills.len(), found);
    }

    #[test]
    fn the_clock_never_reaches_the_system_prompt(world in world(), seconds in 0_i64..4_000_000_000) {
        let before = world.assemble();
        let mut later = world.clone();
        later.context.time = Some(jiff::Timestamp::from_second(seconds).unwrap().to_string());
        later.context.message = Some("x".into());
        let after = later.assemble();
        prop_assert_eq!(&before.sections, &after.sections);
        prop_assert_eq!(before.content_hash, after.content_hash);
    }

    #[test]
    fn a_budget_is_kept_or_said_to_be_out_of_reach(world in world(), budget in 0_u32..400) {
        let (snapshot, target, attachments) = (world.snapshot(), targets::catbuddy(), Attachments::new());
        let inputs = Inputs { snapshot: &snapshot, variant: world.variant(), target: &target, context: &world.context, attachments: &attachments };
        let mut count = |texts: &[&str]| texts.iter().map(|text| text.len() as u32).sum();
        let assembly = degrade(&mut Assembler::default(), &inputs, budget, &mut count);
        let over = assembly.text().len() as u32 > budget;
        prop_assert_eq!(over, assembly.findings.iter().any(|finding| finding.id == "budget-unreachable"));
        check_map(&snapshot, world.variant(), &assembly)?;
    }

    #[test]
    fn a_context_never_stops_an_assembly(text in "\\PC{0,20}") {
        let context = Context::from_value(json!({"time": text, "locale": text, "time_zone": text, "channel": text, "work_root": text})).unwrap();
        let world = World { files: BTreeMap::new(), layered: true, context, variant: "catbuddy" };
        let assembly = world.assemble();
        prop_assert_eq!(assembly.messages.last().map(|message| message.role.as_str()), Some("user"));
        prop_assert!(matches!(assembly.messages[0].content, Value::String(_)));
    }
}
