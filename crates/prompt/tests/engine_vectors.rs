//! The engine against Handlebars.js 4.7.8: templates with the output or the error that it gave.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failed unwrap is a failed test")]

use prompt::engine::{Options, Partials, Template, TemplateError, render};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Vectors {
    context: Value,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    id: String,
    template: String,
    #[serde(default)]
    partials: serde_json::Map<String, Value>,
    #[serde(default)]
    helper_raw: bool,
    /// Where a case has its own; null is a context, too.
    #[serde(default, deserialize_with = "present")]
    context: Option<Value>,
    output: Option<String>,
    error: Option<String>,
    at: Option<String>,
}

fn present<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

fn run(case: &Case, context: &Value) -> Result<String, TemplateError> {
    let mut partials = Partials::new();
    for (name, source) in &case.partials {
        partials.insert_source(name, source.as_str().unwrap());
    }
    let template = Template::parse(&case.template)?;
    let options = Options { raw_helper: case.helper_raw };
    Ok(render(&template, case.context.as_ref().unwrap_or(context), &partials, options)?.text)
}

/// What differs, for a person: the first differing byte with what stands around it.
fn difference(case: &Case, result: &Result<String, TemplateError>) -> Option<String> {
    match (result, &case.output) {
        (Ok(text), Some(output)) if text == output => None,
        (Ok(text), Some(output)) => {
            let at = text.bytes().zip(output.bytes()).take_while(|(a, b)| a == b).count();
            let around = |text: &str| {
                let range = text.floor_char_boundary(at.saturating_sub(20))..text.ceil_char_boundary(at + 20);
                format!("{:?}", &text[range])
            };
            Some(format!("byte {at}: {} instead of {}", around(text), around(output)))
        }
        (Ok(text), None) => Some(format!("{text:?} instead of the error {:?}", case.error)),
        (Err(error), _) => {
            let class = serde_json::to_value(error.class).unwrap();
            let at = serde_json::to_value(error.at).unwrap();
            let same = class.as_str() == case.error.as_deref() && at.as_str() == case.at.as_deref();
            (!same).then(|| {
                format!("{class} at {at} ({error}) instead of {:?} at {:?} {:?}", case.error, case.at, case.output)
            })
        }
    }
}

fn check(vectors: &str, count: usize) {
    let vectors: Vectors = serde_json::from_str(vectors).unwrap();
    assert_eq!(vectors.cases.len(), count, "the file is complete");
    let failures: Vec<String> = vectors
        .cases
        .iter()
        .filter_map(|case| {
            let difference = difference(case, &run(case, &vectors.context))?;
            Some(format!("{}: {:?}\n    {difference}", case.id, case.template))
        })
        .collect();
    assert!(failures.is_empty(), "{} of {count} cases differ:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn given_cases() {
    check(include_str!("../../../tests/vectors/catbuddy/engine.json"), 83);
}

#[test]
fn cases_found_by_comparing_random_templates() {
    check(include_str!("../../../tests/vectors/catbuddy/engine_more.json"), 409);
}
