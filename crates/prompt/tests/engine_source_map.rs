//! The source map of the engine: every byte of the output has one origin, and the right one.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failed unwrap is a failed test")]

use std::collections::BTreeMap;

use prompt::engine::{Options, Origin, Partials, Rendered, Template, render};
use proptest::prelude::*;
use serde_json::{Value, json};

fn context() -> Value {
    json!({
        "name": "Ada", "yes": true, "no": false, "num": 3, "text": "l1\nl2\n\nl3", "wide": "日本 🚢",
        "items": ["oar", "", "net\nbuoy"], "boat": {"name": "Skua", "crew": {"first": "Per"}}, "odd": {"a b": "odd"},
    })
}

fn partials() -> BTreeMap<&'static str, &'static str> {
    BTreeMap::from([
        ("lines", "one {{name}}\n\n{{text}}\ntwo\n"),
        ("outer", "<\n  {{> lines}}\n\t{{> inner}}\n>"),
        ("inner", "{{#each items}}\n  {{> lines}}\n{{/each}}{{> @partial-block}}"),
        ("around", "[{{> @partial-block}}]\n"),
    ])
}

fn rendered(source: &str) -> Rendered {
    let mut known = Partials::new();
    for (name, source) in partials() {
        known.insert_source(name, source);
    }
    render(&Template::parse(source).unwrap(), &context(), &known, Options::default()).unwrap()
}

/// The value at a path in the notation of source maps.
fn at<'v>(values: &'v Value, path: &str) -> Option<&'v Value> {
    let pointer = path.replace('.', "/").replace("[\"", "/").replace("\"]", "").replace('[', "/").replace(']', "");
    values.pointer(&format!("/{pointer}"))
}

/// Asserts what holds for every rendering: see the three assertions.
fn check(template: &str, rendered: &Rendered) {
    let (values, partials) = (context(), partials());
    let source = |partial: &Option<std::sync::Arc<str>>| partial.as_ref().map_or(template, |name| partials[&**name]);
    let mut end = 0;
    for piece in &rendered.pieces {
        assert!(piece.start == end && piece.end > piece.start, "pieces cover the text once, in order: {piece:?}");
        end = piece.end;
        let text = &rendered.text[piece.start..piece.end];
        match &piece.origin {
            Origin::Template { partial, start, end } => {
                assert_eq!(&source(partial)[*start..*end], text, "literal text stands in its source");
            }
            Origin::Value { path, start, end, tag_start, tag_end, partial } => {
                let tag = &source(partial)[*tag_start..*tag_end];
                assert!(tag.starts_with("{{") && tag.ends_with("}}"), "{tag:?} is a tag");
                if let Some(Value::String(value)) = at(&values, path) {
                    assert_eq!(&value[*start..*end], text, "{path} prints these bytes");
                } else {
                    assert_eq!(end - start, text.len(), "{path} is computed");
                }
            }
        }
    }
    assert_eq!(end, rendered.text.len(), "pieces end with the text");
}

/// One kind of template part after another.
fn part() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "a",
        "\n",
        "\n\n",
        "  ",
        "\t",
        " é🚢 ",
        "{{name}}",
        "{{text}}",
        "{{wide}}",
        "{{num}}",
        "{{no}}",
        "{{missing}}",
        "{{! c }}",
        "{{items}}",
        "{{boat.crew.first}}",
        "{{odd.[a b]}}",
        "\\{{name}}",
        "\\\\{{name}}",
        "{{lookup items 2}}",
        "{{~name~}}",
        "\n  {{> lines}}\n",
        "\n {{> around x=1}}\n",
        "{{@root.name}}",
    ]);
    leaf.prop_map(str::to_owned).prop_recursive(4, 24, 4, |inner| {
        let body = prop::collection::vec(inner, 0..4).prop_map(|parts| parts.concat());
        let blocks = prop::sample::select(vec![
            ("{{#if yes}}", "{{else}}z{{/if}}"),
            ("{{#each items}}", "{{/each}}"),
            ("{{#with boat}}", "{{/with}}"),
            ("{{#boat}}", "{{/boat}}"),
            ("{{#items}}", "{{/items}}"),
            ("\n{{#if no}}\nq\n{{else}}\n", "\n{{/if}}\n"),
            ("{{#> around}}", "{{/around}}"),
            ("\n  {{#> outer}}\n", "\n{{/outer}}\n"),
            ("{{#*inline \"i\"}}", "{{/inline}}\n   {{> i}}\n"),
        ]);
        (blocks, body).prop_map(|((open, close), body)| format!("{open}{body}{close}"))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn every_byte_has_one_origin(parts in prop::collection::vec(part(), 0..8)) {
        let template = parts.concat();
        let mut known = Partials::new();
        for (name, source) in partials() {
            known.insert_source(name, source);
        }
        // `@partial-block` is missing in some of these; then there is nothing to map.
        let template_read = Template::parse(&template).unwrap();
        if let Ok(rendered) = render(&template_read, &context(), &known, Options::default()) {
            check(&template, &rendered);
        }
    }
}

fn value(path: &str, bytes: (usize, usize), tag: (usize, usize), partial: Option<&str>) -> Origin {
    Origin::Value {
        path: path.into(),
        start: bytes.0,
        end: bytes.1,
        tag_start: tag.0,
        tag_end: tag.1,
        partial: partial.map(Into::into),
    }
}

fn literal(start: usize, end: usize, partial: Option<&str>) -> Origin {
    Origin::Template { partial: partial.map(Into::into), start, end }
}

fn origins(template: &str) -> Vec<(String, Origin)> {
    let rendered = rendered(template);
    check(template, &rendered);
    let text = |start, end| rendered.text[start..end].to_owned();
    rendered.pieces.iter().map(|piece| (text(piece.start, piece.end), piece.origin.clone())).collect()
}

#[test]
fn values_are_named_from_the_root() {
    let names = |template: &str| {
        let named = origins(template).into_iter().filter_map(|(_, origin)| match origin {
            Origin::Value { path, .. } => Some(path.to_string()),
            Origin::Template { .. } => None,
        });
        named.collect::<Vec<_>>()
    };
    assert_eq!(names("{{name}} {{boat.crew.first}} {{odd.[a b]}}"), ["name", "boat.crew.first", "odd[\"a b\"]"]);
    assert_eq!(names("{{#each items}}{{this}}{{/each}}"), ["items[0]", "items[2]"], "an empty text has no piece");
    assert_eq!(
        names("{{#with boat}}{{#with crew}}{{first}}{{../name}}{{/with}}{{/with}}"),
        ["boat.crew.first", "boat.name"]
    );
    assert_eq!(
        names("{{#each items as |item at|}}{{at}}{{item}};{{/each}}"),
        ["at", "items[0]", "at", "at", "items[2]"]
    );
    assert_eq!(names("{{lookup items 2}} {{lookup boat \"name\"}}"), ["items[2]", "boat.name"]);
    assert_eq!(names("{{#each boat}}{{@key}}{{this}} {{/each}}"), ["@key", "boat.name", "@key", "boat.crew"]);
    assert_eq!(names("{{num}}{{num}}"), ["num + num"], "neighbouring numbers are added, as in the original");
}

#[test]
fn white_space_that_was_taken_is_in_no_piece() {
    let expected = [
        ("a\n".to_owned(), literal(0, 2, None)),
        ("  b ".to_owned(), literal(16, 20, None)),
        ("Ada".to_owned(), value("name", (0, 3), (20, 28), None)),
        ("\n".to_owned(), literal(28, 29, None)),
        ("c".to_owned(), literal(39, 40, None)),
    ];
    assert_eq!(origins("a\n  {{#if yes}}\n  b {{name}}\n  {{/if}}\nc").as_slice(), expected.as_slice());
}

#[test]
fn an_indent_comes_from_the_white_space_before_the_partial() {
    let found = origins("a\n  {{> lines}}\nb");
    let text = |line: (usize, usize)| value("text", line, (14, 22), Some("lines"));
    let expected = [
        ("a\n", literal(0, 2, None)),
        ("  ", literal(2, 4, None)),
        ("one ", literal(0, 4, Some("lines"))),
        ("Ada", value("name", (0, 3), (4, 12), Some("lines"))),
        ("\n", literal(12, 13, Some("lines"))),
        ("  ", literal(2, 4, None)),
        ("\n", literal(13, 14, Some("lines"))),
        ("  ", literal(2, 4, None)),
        ("l1\n", text((0, 3))),
        ("  ", literal(2, 4, None)),
        ("l2\n", text((3, 6))),
        ("  ", literal(2, 4, None)),
        ("\n", text((6, 7))),
        ("  ", literal(2, 4, None)),
        ("l3", text((7, 9))),
        ("\n", literal(22, 23, Some("lines"))),
        ("  ", literal(2, 4, None)),
        ("two\n", literal(23, 27, Some("lines"))),
        ("b", literal(16, 17, None)),
    ];
    assert_eq!(found, expected.map(|(text, origin)| (text.to_owned(), origin)).as_slice());
}

#[test]
fn an_escape_is_mapped_to_the_braces_behind_its_backslash() {
    let expected = [("a ".to_owned(), literal(0, 2, None)), ("{{name}} b".to_owned(), literal(3, 13, None))];
    assert_eq!(origins("a \\{{name}} b").as_slice(), expected.as_slice());
}
