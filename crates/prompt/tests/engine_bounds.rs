//! Templates that someone else wrote: whatever they hold, the answer is text or a clear error.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failed unwrap is a failed test")]

use prompt::engine::{ErrorClass, Options, Partials, Stage, Template, TemplateError, render};
use serde_json::{Value, json};

fn run(template: &str, partials: &[(&str, &str)], values: &Value) -> Result<String, TemplateError> {
    let mut known = Partials::new();
    for (name, source) in partials {
        known.insert_source(name, source);
    }
    Ok(render(&Template::parse(template)?, values, &known, Options::default())?.text)
}

fn nested(count: usize) -> String {
    format!("{}x{}", "{{#if a}}".repeat(count), "{{/if}}".repeat(count))
}

#[test]
fn blocks_may_be_nested_a_thousand_deep_and_no_deeper() {
    let values = json!({"a": 1});
    assert_eq!(run(&nested(1000), &[], &values).unwrap(), "x");
    for count in [1001, 100_000] {
        let error = run(&nested(count), &[], &values).unwrap_err();
        assert_eq!((error.class, error.at, error.offset), (ErrorClass::Depth, Stage::Parse, 9 * 1000));
    }
    let sections = format!("{}x{}", "{{#a}}".repeat(100_000), "{{/a}}".repeat(100_000));
    assert_eq!(run(&sections, &[], &values).unwrap_err().class, ErrorClass::Depth);
    let inlines = format!("{}x{}", "{{#*inline \"a\"}}".repeat(900), "{{/inline}}".repeat(900));
    assert_eq!(run(&inlines, &[], &values).unwrap_err().class, ErrorClass::Depth);
}

#[test]
fn a_chain_of_else_ifs_counts_as_nesting() {
    let chain = |count| format!("{{{{#if b}}}}{}{{{{else}}}}last{{{{/if}}}}", "{{else if b}}n".repeat(count));
    assert_eq!(run(&chain(400), &[], &json!({})).unwrap(), "last");
    assert_eq!(run(&chain(100_000), &[], &json!({})).unwrap_err().class, ErrorClass::Depth);
}

#[test]
fn sub_expressions_have_a_bound() {
    let nested = |count| format!("{{{{lookup {}a{}}}}}", "(lookup ".repeat(count), " \"b\")".repeat(count));
    assert_eq!(run(&nested(64), &[], &json!({"a": 0})).unwrap(), "0", "nothing is looked up in what is false");
    for count in [65, 100_000] {
        let error = run(&nested(count), &[], &json!({})).unwrap_err();
        assert_eq!((error.class, error.at), (ErrorClass::Depth, Stage::Parse));
    }
}

#[test]
fn a_partial_that_calls_itself_without_end_is_an_error() {
    let error = run("a {{> p}}", &[("p", "b\n  {{> p}}\n")], &json!({})).unwrap_err();
    assert_eq!((error.class, error.at), (ErrorClass::Depth, Stage::Render));
    assert_eq!((error.template.as_deref(), error.line, error.column), (Some("p"), 2, 3));
    let error = run("{{#*inline \"p\"}}{{> p}}{{/inline}}{{> p}}", &[], &json!({})).unwrap_err();
    assert_eq!(error.class, ErrorClass::Depth);
    let asks = "{{#if @partial-block}}a{{/if}}";
    let error = run(
        &format!("{{{{#> p}}}}{asks}{{{{/p}}}}"),
        &[("p", "{{#> p}}{{#if @partial-block}}{{/if}}{{/p}}")],
        &json!({}),
    );
    assert_eq!(error.unwrap_err().class, ErrorClass::Depth);
}

#[test]
fn a_partial_that_follows_its_data_ends_with_it() {
    let mut tree = json!({"id": 0});
    for id in 1..120 {
        tree = json!({"id": id, "kid": tree});
    }
    let text = run("{{> p}}", &[("p", "{{id}}{{#with kid}},{{> p}}{{/with}}")], &tree).unwrap();
    assert_eq!(text, (0..120).rev().map(|id: i32| id.to_string()).collect::<Vec<_>>().join(","));
}

#[test]
fn partials_that_multiply_each_other_are_stopped() {
    let names: Vec<String> = (0..30).map(|at| format!("p{at}")).collect();
    let sources: Vec<String> = (1..=30).map(|at| format!("{{{{> p{at}}}}}{{{{> p{at}}}}}")).collect();
    let mut partials: Vec<(&str, &str)> =
        names.iter().zip(&sources).map(|(name, source)| (&**name, &**source)).collect();
    let long = "x".repeat(1 << 20);
    partials.push(("p30", &long));
    let error = run("{{> p0}}", &partials, &json!({})).unwrap_err();
    assert_eq!((error.class, error.at), (ErrorClass::Depth, Stage::Render));
    assert!(error.message.contains("larger than 64 MiB"), "{error}");
}

#[test]
fn braces_without_end_are_read_once() {
    for unit in
        ["{", "}", "{{", "{{{{a}}}}", "{{!", "{{!--", "{{#a}}", "\\{{", "{{> p", "{{a (", "{{\"", "{{[", "{{else}}"]
    {
        let template = unit.repeat(200_000 / unit.len());
        // Text or an error, but an answer: the lexer's own test counts its steps.
        if let Err(error) = Template::parse(&template) {
            assert_eq!(error.at, Stage::Parse);
            assert!(error.offset <= template.len());
        }
    }
}

#[test]
fn errors_say_where() {
    let place = |template: &str| {
        let error =
            run(template, &[("bad", "ok\n  {{#if}"), ("calls", "\r\né {{shout x}}")], &json!({"x": 1})).unwrap_err();
        (error.class, error.template, error.line, error.column)
    };
    assert_eq!(place("a\n é{{#if x}}b"), (ErrorClass::Parse, None, 2, 3), "the block that is never closed");
    assert_eq!(place("a\n{{#if x}}\n{{/each}}"), (ErrorClass::BlockMismatch, None, 3, 1));
    assert_eq!(place("a {{x | y}}"), (ErrorClass::Parse, None, 1, 7));
    assert_eq!(place("a {{x"), (ErrorClass::Parse, None, 1, 3), "the tag that is never closed");
    assert_eq!(place("a {{a/../b}}"), (ErrorClass::InvalidPath, None, 1, 5));
    assert_eq!(place("a\n{{> bad}}"), (ErrorClass::Parse, Some("bad".into()), 2, 3));
    assert_eq!(place("{{> calls}}"), (ErrorClass::MissingHelper, Some("calls".into()), 2, 3));
    assert_eq!(place("\n{{> nowhere}}"), (ErrorClass::MissingPartial, None, 2, 1));
    assert_eq!(place("{{x y}}"), (ErrorClass::NotAFunction, None, 1, 1));
}

#[test]
fn own_keys_only() {
    let own = json!({"constructor": "mine", "a": {}});
    assert_eq!(run("{{constructor}}|{{a.constructor}}|{{toString}}|{{a.__proto__.x}}", &[], &own).unwrap(), "mine|||");
}
