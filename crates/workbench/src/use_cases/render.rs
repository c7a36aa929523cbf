//! `cbw render`: one template with its values.

use std::fs;
use std::path::Path;

use prompt::engine::{Options, Partials, Template, TemplateError, render};
use serde_json::Value;

use crate::api::outputs::{OUTPUT_VERSION, RenderErrorOutput, RenderOutput};
use crate::api::{ApiError, ErrorCode};
use crate::use_cases::assemble::word;

/// Renders a template file. `partials` are `NAME=FILE`.
///
/// # Errors
/// When a file cannot be read or the values are no JSON. What is wrong with the template is part of the result.
pub fn render_file(template: &Path, values: Option<&Path>, partials: &[String]) -> Result<RenderOutput, ApiError> {
    let source = read(template)?;
    let values = match values {
        None => Value::Object(serde_json::Map::new()),
        Some(path) => serde_json::from_str(&read(path)?).map_err(|error| {
            ApiError::english(ErrorCode::Invalid, format!("The values in {} are not JSON: {error}.", path.display()))
                .with("path", path.display())
        })?,
    };
    let mut named = Vec::new();
    for partial in partials {
        let (name, path) = partial.split_once('=').ok_or_else(|| {
            ApiError::english(ErrorCode::Invalid, format!("\"{partial}\" is no partial. Use --partial NAME=FILE."))
        })?;
        named.push((name.to_owned(), read(Path::new(path))?));
    }
    Ok(render_text(&source, &values, named))
}

fn read(path: &Path) -> Result<String, ApiError> {
    fs::read_to_string(path).map_err(|error| {
        ApiError::english(ErrorCode::NotFound, format!("{} cannot be read: {error}.", path.display()))
            .with("path", path.display())
    })
}

fn render_text(source: &str, values: &Value, named: Vec<(String, String)>) -> RenderOutput {
    let mut output = RenderOutput { schema_version: OUTPUT_VERSION, text: None, placeholders: Vec::new(), error: None };
    let attempt = || {
        let template = Template::parse(source)?;
        let mut partials = Partials::new();
        for (name, text) in named {
            let parsed =
                Template::parse(&text).map_err(|error| TemplateError { template: Some(name.clone()), ..error })?;
            partials.insert(&name, parsed);
        }
        let placeholders = template.variables();
        let rendered = render(&template, values, &partials, Options { raw_helper: true })?;
        Ok((placeholders, rendered.text))
    };
    match attempt() {
        Ok((placeholders, text)) => {
            let mut paths: Vec<String> = placeholders.into_iter().map(|variable| variable.path).collect();
            paths.sort_unstable();
            paths.dedup();
            output.placeholders = paths;
            output.text = Some(text);
        }
        Err(error) => output.error = Some(error_output(&error)),
    }
    output
}

fn error_output(error: &TemplateError) -> RenderErrorOutput {
    RenderErrorOutput {
        class: word(&error.class),
        at: word(&error.at),
        partial: error.template.clone(),
        line: error.line,
        column: error.column,
        message: error.message.clone(),
    }
}
