//! The `handlebars` crate as a second opinion: on the part of the language in which it follows the
//! original, it must print what the engine prints. `docs/decisions/0001-handlebars.md` lists what is
//! outside of that part.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failed unwrap is a failed test")]

use handlebars::Handlebars;
use prompt::engine::{Options, Partials, Template, render};
use proptest::prelude::*;
use serde_json::{Value, json};

fn context() -> Value {
    json!({
        "name": "Ada", "html": "<i>&\"'`=</i>", "wide": "日本 🚢", "empty": "", "yes": true, "no": false, "none": null,
        "items": ["oar", "net", "buoy"], "nil": [], "rows": [{"id": "r1"}, {"id": "r2"}],
        "boat": {"name": "Skua", "crew": {"first": "Per"}}, "map": {"x": "ten", "y": "twenty"},
    })
}

/// Parts of a line: texts, values and blocks that both engines know.
fn inline() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "a",
        "b c",
        " - ",
        "é🚢",
        "{ ",
        " }",
        "{{name}}",
        "{{{html}}}",
        "{{wide}}",
        "{{missing}}",
        "{{boat.crew.first}}",
        "{{boat.nothing.there}}",
        "{{@root.name}}",
        "{{lookup map \"x\"}}",
        "x{{! note }}y",
        "{{name~}} x",
        "x {{~name}}",
    ]);
    leaf.prop_map(str::to_owned).prop_recursive(3, 24, 4, |inner| {
        let body = prop::collection::vec(inner, 1..4).prop_map(|parts| parts.concat());
        let blocks = prop::sample::select(vec![
            ("{{#if yes}}", "{{else}}no{{/if}}"),
            ("{{#if nil}}", "{{else}}no{{/if}}"),
            ("{{#if no}}1{{else if empty}}2{{else if yes}}", "{{/if}}"),
            ("{{#unless none}}", "{{/unless}}"),
            ("{{#each items}}{{@index}}:{{this}} ", "{{#unless @last}},{{/unless}}{{/each}}"),
            ("{{#each rows}}{{id}} {{../name}} ", "{{/each}}"),
            ("{{#each map}}{{@key}}={{this}};", "{{/each}}"),
            ("{{#each nil}}", "{{else}}none{{/each}}"),
            ("{{#with boat}}{{name}} {{@root.name}} ", "{{/with}}"),
            ("{{#with missing}}", "{{else}}without{{/with}}"),
        ]);
        (blocks, body).prop_map(|((open, close), body)| format!("{open}{body}{close}"))
    })
}

/// Whole lines: text, and tags that stand alone.
fn lines() -> impl Strategy<Value = String> {
    let text = prop::collection::vec(inline(), 0..4).prop_map(|parts| format!("t{}\n", parts.concat()));
    let alone = prop::sample::select(vec!["\n", "{{! alone }}\n", "  {{!-- a }} b --}}\n", "  {{> lines}}\n"]);
    prop_oneof![3 => text, 1 => alone.prop_map(str::to_owned)].prop_recursive(3, 24, 4, |inner| {
        let body = prop::collection::vec(inner, 1..4).prop_map(|parts| parts.concat());
        let blocks = prop::sample::select(vec![
            ("{{#if yes}}\n", "{{/if}}\n"),
            ("  {{#if no}}\nq\n  {{else}}\n", "  {{/if}}\n"),
            ("{{#each items}}\n- {{this}}\n", "{{/each}}\n"),
            ("{{#with boat}}\n", "{{/with}}\n"),
        ]);
        (blocks, body).prop_map(|((open, close), body)| format!("{open}{body}{close}"))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn both_engines_print_the_same(parts in prop::collection::vec(lines(), 1..6)) {
        let source = parts.concat();
        let lines = "one {{name}}\ntwo\n";
        let mut partials = Partials::new();
        partials.insert_source("lines", lines);
        let template = Template::parse(&source).unwrap();
        let ours = render(&template, &context(), &partials, Options::default()).unwrap().text;

        let mut other = Handlebars::new();
        other.register_escape_fn(handlebars::no_escape);
        other.register_partial("lines", lines).unwrap();
        let theirs = other.render_template(&source, &context()).unwrap();
        prop_assert_eq!(ours, theirs, "{:?}", source);
    }
}
