//! Rules of the assembly that the vectors do not hold: what is reported, traced, given up.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failed unwrap is a failed test")]

mod fixture;

use std::sync::Arc;

use model::{
    Assembly, Context, McpList, SkillOrigin, SkillPrecedence, SkillState, SkipReason, Skipped, Snapshot, Source,
    TargetErrorKind, Variant,
};
use prompt::{Assembler, Attachments, Inputs, assemble, degrade, shipped, targets};
use serde_json::json;

use fixture::{APP, Disk, HOME, PROJECT};

const GLOBAL: &str = "/tree/home/.catbuddy/workspace";

fn snapshot(files: &[(&str, &str)], app: Option<&str>) -> Snapshot {
    let mut disk = Disk::default();
    for (path, text) in files {
        let root = if path.starts_with('/') { "" } else { "/tree/home/.catbuddy/workspace/" };
        disk.put_text(&format!("{root}{path}"), text);
    }
    disk.snapshot(GLOBAL, GLOBAL, app, &targets::catbuddy())
}

fn with(snapshot: &Snapshot, variant: &str, context: &Context) -> Assembly {
    assemble(snapshot, &shipped()[variant], &targets::catbuddy(), context)
}

fn catbuddy(files: &[(&str, &str)]) -> Assembly {
    with(&snapshot(files, None), "catbuddy", &Context::default())
}

fn skipped<'a>(assembly: &'a Assembly, id: &str) -> &'a Skipped {
    assembly.skipped.iter().find(|skipped| skipped.id == id).unwrap_or_else(|| panic!("{id} in {:?}", assembly.skipped))
}

fn findings(assembly: &Assembly) -> Vec<&str> {
    assembly.findings.iter().map(|finding| finding.id.as_ref()).collect()
}

fn ids(assembly: &Assembly) -> Vec<&str> {
    assembly.sections.iter().map(|section| &*section.id).collect()
}

#[test]
fn sections_cover_the_prompt_and_carry_their_layer() {
    let assembly = catbuddy(&[
        ("SOUL.md", "Warm.\n"),
        ("memory/MEMORY.md", "plums\n"),
        ("skills/tide/SKILL.md", "---\ndescription: T\n---\n"),
    ]);
    let found: Vec<(&str, Option<u8>)> =
        assembly.sections.iter().map(|section| (&*section.id, section.layer)).collect();
    assert_eq!(
        found,
        [
            ("identity", Some(1)),
            ("separator-1", None),
            ("soul", Some(2)),
            ("separator-2", None),
            ("global-memory", Some(3)),
            ("separator-3", None),
            ("always-skills", Some(4)),
            ("separator-4", None),
            ("skills-list", Some(4)),
        ]
    );
    let mut end = 0;
    for section in &assembly.sections {
        assert_eq!(section.start, end, "{}", section.id);
        end = section.end();
    }
    assert_eq!(assembly.text().len(), end as usize);
    assert_eq!(skipped(&assembly, "agents").reason, SkipReason::Missing);
    assert_eq!(findings(&assembly), Vec::<&str>::new(), "a clean workspace has no finding");
}

#[test]
fn the_shipped_memory_is_default_and_its_text_is_kept_for_counting() {
    let default = prompt::shipped_app().templates["memory/MEMORY.md"].text().to_owned();
    let assembly = catbuddy(&[("memory/MEMORY.md", &format!("\u{FEFF}{default}\n\u{2028}"))]);
    let memory = skipped(&assembly, "global-memory");
    assert_eq!(memory.reason, SkipReason::StillDefault, "JavaScript trims BOM and line separators");
    assert!(memory.text.as_ref().unwrap().starts_with("## Long-Term Memory\n\n\u{FEFF}# Memory"));

    let crlf = catbuddy(&[("memory/MEMORY.md", &default.replace('\n', "\r\n"))]);
    assert!(ids(&crlf).contains(&"global-memory"), "the target does not forgive line ends");
    assert_eq!(findings(&crlf), ["default-other-line-ends"]);
}

#[test]
fn with_an_app_only_its_own_template_is_the_default() {
    let default = prompt::shipped_app().templates["memory/MEMORY.md"].text().to_owned();
    let app = format!("{APP}/templates/memory/MEMORY.md");
    let files = [("memory/MEMORY.md", default.as_str()), (app.as_str(), "# Other\n")];
    let assembly = with(&snapshot(&files, Some(APP)), "catbuddy", &Context::default());
    assert!(ids(&assembly).contains(&"global-memory"));
    let same = [("memory/MEMORY.md", " # Other"), (app.as_str(), "# Other\n")];
    let assembly = with(&snapshot(&same, Some(APP)), "catbuddy", &Context::default());
    assert_eq!(skipped(&assembly, "global-memory").reason, SkipReason::StillDefault);
}

#[test]
fn a_skill_that_cannot_be_read_stops_the_target_and_the_rest_is_shown() {
    let mut disk = Disk::default();
    disk.put(&format!("{GLOBAL}/skills/tide/SKILL.md"), &json!({"dir": true}));
    disk.put_text(&format!("{GLOBAL}/SOUL.md"), "Warm.\n");
    disk.put(&format!("{GLOBAL}/AGENTS.md"), &json!({"dir": true}));
    let snapshot = disk.snapshot(GLOBAL, GLOBAL, None, &targets::catbuddy());
    let assembly = with(&snapshot, "catbuddy", &Context::default());
    let error = assembly.target_error.as_ref().unwrap();
    assert_eq!(
        (error.kind, error.path.as_deref()),
        (TargetErrorKind::Io, Some("/tree/home/.catbuddy/workspace/skills/tide/SKILL.md"))
    );
    assert!(ids(&assembly).contains(&"soul"));
    assert_eq!(
        skipped(&assembly, "agents").reason,
        SkipReason::Unreadable,
        "a bootstrap file that is a folder stops nobody"
    );
    assert!(assembly.fingerprint.text().contains("\0AGENTS.md:1700000000000\0"), "its time counts all the same");
    let broken = assembly.skills.iter().find(|skill| skill.name == "tide").unwrap();
    assert_eq!((broken.state, broken.reason.as_deref()), (SkillState::Broken, Some("SKILL.md is a folder.")));
}

#[test]
fn a_broken_template_is_named_with_its_place_in_the_file() {
    let identity = format!("{APP}/templates/agent/identity.md");
    let policy = format!("{APP}/templates/agent/platform_policy.md");
    let snippet = format!("{APP}/templates/agent/_snippets/x.md");
    let files = [
        (identity.as_str(), "A {{ runtime }}\r\n{% include 'agent/_snippets/x.md' %}\n"),
        (policy.as_str(), ""),
        (snippet.as_str(), "é\n é {{#if channel}}\n"),
    ];
    let assembly = with(&snapshot(&files, Some(APP)), "catbuddy", &Context::default());
    let error = assembly.target_error.unwrap();
    assert_eq!(error.kind, TargetErrorKind::TemplateSyntax);
    // An unclosed block shows at the end of the whole, which is in the including file; the place must be in a file.
    assert!([Some(identity.as_str()), Some(snippet.as_str())].contains(&error.path.as_deref()), "{error:?}");
    let files = [(identity.as_str(), "A\n{{ runtime }} {{#if}}x{{/if}}"), (policy.as_str(), "")];
    let assembly = with(&snapshot(&files, Some(APP)), "catbuddy", &Context::default());
    let error = assembly.target_error.unwrap();
    assert_eq!((error.path.as_deref(), error.line, error.column), (Some(identity.as_str()), Some(2), Some(15)));
}

#[test]
fn templates_load_all_or_nothing_and_the_first_missing_one_is_named() {
    let identity = format!("{APP}/templates/agent/identity.md");
    let section = format!("{APP}/templates/agent/skills_section.md");
    let files = [
        (identity.as_str(), "{{ now }}{{x}}|{{platform_policy}}|"),
        (section.as_str(), "never"),
        ("skills/a/SKILL.md", ""),
    ];
    let assembly = with(&snapshot(&files, Some(APP)), "catbuddy", &Context::default());
    assert_eq!(assembly.text(), "||\n\n---\n\n# Skills\n\n- **a**: ");
    assert_eq!(
        findings(&assembly),
        ["missing-template", "volatile-template-variable", "unknown-template-variable", "unknown-template-variable"]
    );
    assert!(assembly.findings[0].message.contains("agent/platform_policy.md"));
    let missing = format!("{APP}/templates/agent/platform_policy.md");
    assert_eq!(assembly.findings[0].path, Some(missing), "where it would stand");
}

#[test]
fn the_article_has_rules_between_layers_only() {
    let files = [
        ("AGENTS.md", "a"),
        ("SOUL.md", "s"),
        ("memory/MEMORY.md", "m"),
        ("skills/memory/SKILL.md", "one"),
        ("skills/my/SKILL.md", "two"),
        ("skills/tide/SKILL.md", "---\ndescription: Tides\n---\n"),
    ];
    let context = Context { node: Some("v22.1.0".into()), channel: Some("qq".into()), ..Context::default() };
    let text = with(&snapshot(&files, None), "catbuddy-article", &context).text();
    let (identity, rest) = text.split_once("\n\n---\n\n").unwrap();
    assert!(identity.contains("\nOS: linux / Node.js v22.1.0\nWork root: /tree/home\n"), "{identity}");
    assert_eq!(
        rest,
        "## AGENTS.md\n\na\n\n## SOUL.md\n\ns\n\n---\n\n## Long-Term Memory\n\nm\n\n---\n\n\
         ## Always-On Skills\n\none\n\ntwo\n\n## Available Skills\n\n- tide: Tides"
    );
}

#[test]
fn every_byte_of_a_skill_line_has_its_source() {
    let text = "---\nname: x\ndescription: Tides by hour\n---\nBody\n";
    let assembly = catbuddy(&[("skills/tide/SKILL.md", text)]);
    let section = assembly.sections.iter().find(|section| &*section.id == "skills-list").unwrap();
    let at = section.text.find("- **tide**").unwrap();
    let sources: Vec<(&str, String)> = section
        .spans
        .iter()
        .filter(|span| span.start as usize >= at)
        .map(|span| {
            let source = match &span.source {
                Source::File { path, start, end } => format!("{path}:{}", &text[*start as usize..*end as usize]),
                Source::Template { path, .. } => path.to_string(),
                Source::Literal { name } | Source::Value { name } => name.to_string(),
                Source::Fallback => "fallback".into(),
            };
            (&section.text[span.start as usize..span.end as usize], source)
        })
        .collect();
    assert_eq!(
        sources,
        [
            ("- **", "list item".to_owned()),
            ("tide", "skill name".to_owned()),
            ("**: ", "list item".to_owned()),
            ("Tides by hour", "/tree/home/.catbuddy/workspace/skills/tide/SKILL.md:Tides by hour".to_owned()),
            ("\n", "variants/catbuddy/app/templates/agent/skills_section.md".to_owned()),
        ]
    );
}

#[test]
fn equal_texts_from_other_places_keep_their_own_sources() {
    let variant = &shipped()["catbuddy"];
    let (target, context, attachments) = (targets::catbuddy(), Context::default(), Attachments::new());
    let mut assembler = Assembler::default();
    for text in ["---\ndescription: T\n---\n", "---\nname: x\ndescription: T\n---\n"] {
        let snapshot = snapshot(&[("skills/tide/SKILL.md", text)], None);
        let inputs =
            Inputs { snapshot: &snapshot, variant, target: &target, context: &context, attachments: &attachments };
        let kept = assembler.assemble(&inputs);
        assert_eq!(kept, assemble(&snapshot, variant, &target, &context), "what is kept changes nothing");
    }
}

#[test]
fn layered_workspaces_say_which_profile_is_read() {
    let mut disk = Disk::default();
    disk.put_text(&format!("{GLOBAL}/USER.md"), "Ines");
    disk.put_text(&format!("{PROJECT}/.catbuddy/USER.md"), "not read");
    let snapshot = disk.snapshot("/tree/project/.catbuddy", GLOBAL, None, &targets::catbuddy());
    let assembly = with(&snapshot, "catbuddy", &Context::default());
    assert!(assembly.layered);
    let user = skipped(&assembly, "user");
    assert_eq!((user.reason, user.text.as_deref()), (SkipReason::GlobalReadInstead, Some("## USER.md\n\nnot read")));
    assert!(assembly.text().contains("## USER.md\n\nInes"));
    // An empty one is a file that exists and is not read, too.
    disk.put_text(&format!("{PROJECT}/.catbuddy/USER.md"), "");
    let snapshot = disk.snapshot("/tree/project/.catbuddy", GLOBAL, None, &targets::catbuddy());
    let assembly = with(&snapshot, "catbuddy", &Context::default());
    assert_eq!(skipped(&assembly, "user").path.as_deref(), Some("/tree/project/.catbuddy/USER.md"));
}

#[test]
fn shadowed_and_disabled_skills_are_listed_with_their_reason() {
    let builtin = format!("{APP}/skills/tide/SKILL.md");
    let files =
        [("skills/tide/SKILL.md", ""), (builtin.as_str(), "---\ndescription: old\n---\n"), ("skills/off/SKILL.md", "")];
    let context = Context { disabled_skills: Some(vec!["off".into()]), ..Context::default() };
    let assembly = with(&snapshot(&files, Some(APP)), "catbuddy", &context);
    let states: Vec<(&str, SkillOrigin, SkillState, bool)> = assembly
        .skills
        .iter()
        .map(|skill| (skill.name.as_str(), skill.origin, skill.state, skill.reason.is_some()))
        .collect();
    assert_eq!(
        states,
        [
            ("off", SkillOrigin::Workspace, SkillState::Disabled, true),
            ("tide", SkillOrigin::Workspace, SkillState::OnDemand, false),
            ("tide", SkillOrigin::Builtin, SkillState::Shadowed, true),
        ]
    );
    assert_eq!(skipped(&assembly, "skill:tide").text.as_deref(), Some("- **tide**: old\n"));
    assert!(findings(&assembly).contains(&"skill-shadowed"));
}

#[test]
fn an_always_on_skill_of_the_workspace_is_read_even_where_the_apps_is_listed() {
    let builtin = format!("{APP}/skills/my/SKILL.md");
    let files = [("skills/my/SKILL.md", "own body"), (builtin.as_str(), "the app's body")];
    let context = Context { skill_precedence: Some(SkillPrecedence::BuiltinFirst), ..Context::default() };
    let assembly = with(&snapshot(&files, Some(APP)), "catbuddy", &context);
    assert_eq!(assembly.text(), "own body");
    let left_out: Vec<_> = assembly.skipped.iter().filter(|skipped| skipped.id == "skill:my").collect();
    assert_eq!(left_out.len(), 1, "what is in the prompt is not among what is left out: {left_out:?}");
    assert_eq!((left_out[0].path.as_deref(), left_out[0].reason), (Some(builtin.as_str()), SkipReason::Shadowed));
}

#[test]
fn front_matter_that_leaks_is_reported_where_it_reaches_the_prompt() {
    let crlf = "---\r\ndescription: d\r\n---\r\nBody\r\n";
    let assembly = catbuddy(&[("skills/my/SKILL.md", crlf), ("skills/tide/SKILL.md", crlf)]);
    assert!(assembly.text().contains("---\r\ndescription: d\r\n---\r\nBody\n\n---"), "the raw lines are in the prompt");
    let leaked: Vec<_> = assembly.findings.iter().filter(|finding| finding.id == "frontmatter-leaked").collect();
    assert_eq!(leaked.len(), 1, "the other skill's body is not in the prompt");
    assert_eq!(leaked[0].path.as_deref(), Some("/tree/home/.catbuddy/workspace/skills/my/SKILL.md"));
}

#[test]
fn a_broken_template_of_a_variant_leaves_out_its_section_only() {
    let mut variant: Variant = (*shipped()["catbuddy-article"]).clone();
    variant.texts.insert("components/identity.hbs".into(), Arc::from("line\n{{#if channel}}"));
    let assembly = assemble(&snapshot(&[("SOUL.md", "s")], None), &variant, &targets::catbuddy(), &Context::default());
    assert!(assembly.text().starts_with("## SOUL.md\n\ns"));
    assert_eq!((assembly.target_error.clone(), findings(&assembly)), (None, vec!["variant-template-broken"]));
    let path = assembly.findings[0].path.as_deref();
    assert_eq!(path, Some("variants/catbuddy-article/components/identity.hbs"));
    assert_eq!(skipped(&assembly, "identity").reason, SkipReason::TemplateBroken);
}

#[test]
fn nothing_at_all_gives_one_line_without_a_line_end() {
    let assembly = with(&snapshot(&[], Some(APP)), "catbuddy", &Context::default());
    assert_eq!(assembly.text(), shipped()["catbuddy"].fallback);
    assert_eq!(assembly.sections[0].spans[0].source, Source::Fallback);
    assert!(!assembly.text().is_empty() && !assembly.text().contains('\n'));
}

#[test]
fn mcp_tools_stand_where_they_are_asked_for() {
    let context = |list: &str| {
        let servers = json!([{"name": "b", "tools": [{"name": "z"}]}, {"name": "a", "tools": [{"name": "q", "description": "ask"}]}]);
        Context::from_value(json!({"mcp_servers": servers, "mcp_list": list, "message": "hi"})).unwrap()
    };
    let files = snapshot(&[], None);
    let schemas = with(&files, "catbuddy", &context("schemas"));
    assert_eq!(
        schemas.tool_schemas.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(),
        ["mcp__a__q", "mcp__b__z"]
    );
    let user = with(&files, "catbuddy", &context("user_message"));
    assert_eq!(user.user_message.text, "hi\n\nConnected tools:\n- `mcp__a__q`: ask\n- `mcp__b__z`");
    assert_eq!((user.text(), user.tool_schemas.len()), (schemas.text(), 0), "the system prompt is the same");
    let system = with(&files, "catbuddy", &context("system"));
    assert!(system.text().ends_with("\n\n---\n\n# Connected tools\n\n- `mcp__a__q`: ask\n- `mcp__b__z`"));
    assert_eq!(findings(&system), ["mcp-list-in-system", "mcp-unsorted"], "b came before a");
    assert_ne!(system.content_hash, schemas.content_hash);
    assert_eq!(context("system").mcp_list, Some(McpList::System));
}

#[test]
fn content_hash_sees_what_the_fingerprint_misses() {
    let before = catbuddy(&[("SOUL.md", "a")]);
    let after = catbuddy(&[("SOUL.md", "b")]);
    assert_eq!(before.fingerprint, after.fingerprint, "same times");
    assert_ne!(before.content_hash, after.content_hash);
    let later = Context { time: Some("2025-03-04T05:06:07Z".into()), message: Some("hi".into()), ..Context::default() };
    let again = with(&snapshot(&[("SOUL.md", "a")], None), "catbuddy", &later);
    assert_eq!(before.content_hash, again.content_hash, "the clock and the message are not part of the prompt");
}

#[test]
fn a_base_template_decides_the_order_of_output() {
    let mut variant: Variant = (*shipped()["catbuddy"]).clone();
    variant.template = Some("template.hbs".into());
    variant
        .texts
        .insert("template.hbs".into(), Arc::from("<{{soul}}>{{#if user}}!{{/if}}{{agents}}{{ agents }}\n{{channel}}"));
    let files = snapshot(&[("SOUL.md", "s"), ("AGENTS.md", "a")], None);
    let assembly = assemble(&files, &variant, &targets::catbuddy(), &Context::default());
    assert_eq!(assembly.text(), "<## SOUL.md\n\ns>## AGENTS.md\n\na## AGENTS.md\n\na\ndesktop");
    assert_eq!(ids(&assembly), ["literal-1", "soul", "literal-2", "agents", "agents#2", "literal-3"]);
    assert_eq!(findings(&assembly), Vec::<&str>::new());
}

/// Counts characters, which a person can check.
fn characters(texts: &[&str]) -> u32 {
    texts.iter().map(|text| text.chars().count() as u32).sum()
}

fn within(files: &[(&str, &str)], variant: &str, max_tokens: u32) -> Assembly {
    let (snapshot, target, context, attachments) =
        (snapshot(files, Some(APP)), targets::catbuddy(), Context::default(), Attachments::new());
    let inputs = Inputs {
        snapshot: &snapshot,
        variant: &shipped()[variant],
        target: &target,
        context: &context,
        attachments: &attachments,
    };
    degrade(&mut Assembler::default(), &inputs, max_tokens, &mut characters)
}

const BUDGET: &[(&str, &str)] = &[
    ("AGENTS.md", "aaaa"),
    ("SOUL.md", "ssss"),
    ("memory/MEMORY.md", "mmmm"),
    ("skills/my/SKILL.md", "---\ndescription: d\n---\nbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"),
    ("skills/one/SKILL.md", "---\ndescription: 1\n---\n"),
    ("skills/two/SKILL.md", "---\ndescription: 2\n---\n"),
];

#[test]
fn one_item_at_a_time_is_given_up_from_the_back() {
    let rule = "\n\n---\n\n";
    let whole = format!(
        "## AGENTS.md\n\naaaa{rule}## SOUL.md\n\nssss{rule}## Long-Term Memory\n\nmmmm{rule}bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb{rule}# Skills\n\n- **one**: 1\n- **two**: 2"
    );
    let size = characters(&[&whole]);
    assert_eq!(within(BUDGET, "catbuddy", size).text(), whole, "equal is within");

    let assembly = within(BUDGET, "catbuddy", size - 1);
    assert_eq!(assembly.text(), whole.replace("\n- **two**: 2", ""));
    let two = skipped(&assembly, "skill:two");
    assert_eq!((two.reason, two.tokens), (SkipReason::Budget, Some(13)), "its line with the line end");

    let no_list = size - characters(&[rule, "# Skills\n\n- **one**: 1\n- **two**: 2"]);
    assert_eq!(within(BUDGET, "catbuddy", no_list).text(), whole[..no_list as usize]);

    let replaced = within(BUDGET, "catbuddy", no_list - 1);
    assert!(
        replaced.text().ends_with("mmmm\n\n---\n\n# Skills\n\n- **my**: d"),
        "a body is replaced by its line: {}",
        replaced.text()
    );
    assert_eq!(skipped(&replaced, "skill:my").tokens, Some(60));
    assert_eq!(replaced.skills.iter().find(|skill| skill.name == "my").unwrap().state, SkillState::OnDemand);
}

#[test]
fn what_the_list_does_not_name_never_goes() {
    let assembly = within(BUDGET, "catbuddy", 3);
    assert_eq!(assembly.text(), "## SOUL.md\n\nssss\n\n---\n\n# Skills\n\n- **my**: d");
    assert_eq!(findings(&assembly).last(), Some(&"budget-unreachable"));
    assert!(
        assembly
            .skipped
            .iter()
            .filter(|skipped| skipped.reason == SkipReason::Budget)
            .all(|skipped| skipped.tokens.is_some())
    );
    let memory = skipped(&assembly, "global-memory").path.as_deref().unwrap_or_default();
    assert!(memory.ends_with("/memory/MEMORY.md"), "what was given up names its file: {memory}");
}

#[test]
fn a_link_to_the_global_workspace_is_found_by_identity() {
    let vectors = fixture::read("workspaces_1.json");
    let linked = vectors["cases"].as_array().unwrap().iter().find(|case| case["id"] == "S14-symlink-home");
    let case =
        fixture::case(linked.expect("the case is in this file"), &fixture::read("app_sets.json"), &targets::catbuddy());
    assert!(findings(&with(&case.snapshot, "catbuddy", &case.context)).contains(&"same-workspace-twice"));
    assert!(HOME.starts_with(fixture::PARENT));
}
