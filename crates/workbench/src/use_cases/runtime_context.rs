//! `cbw context`: the context in force, and one made from environment variables.

use serde_json::{Map, Value};

use crate::api::ApiError;
use crate::api::outputs::{ContextOutput, OUTPUT_VERSION};
use crate::assembling::{Request, layers};
use crate::contexts::{Layered, Origin};
use crate::machine::Machine;
use crate::settings;
use crate::use_cases::assemble::value;

/// The context in force for a request, and where each value comes from.
///
/// # Errors
/// When the context file cannot be read or is no context.
pub fn show(request: &Request) -> Result<ContextOutput, ApiError> {
    let settings = settings::load(&request.place.home).value.settings;
    Ok(output(&layers(request, &settings, &Machine::here())?))
}

/// A context from the environment variables that the originals read. `variable` gives a variable's value.
///
/// Flags are on when the variable is `1`, `true`, `yes` or `on`, whatever its case.
pub fn from_env(variable: impl Fn(&str) -> Option<String>) -> ContextOutput {
    let mut object = Map::new();
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    let is_on =
        |name: &str| set(name).map(|value| matches!(value.to_lowercase().as_str(), "1" | "true" | "yes" | "on"));
    for key in model::context::KEYS {
        let Some(name) = key.variable else { continue };
        let found = match key.kind {
            model::context::KeyKind::Flag => is_on(name).map(Value::Bool),
            _ => set(name).map(Value::String),
        };
        if let Some(found) = found {
            object.insert(key.name.to_owned(), found);
        }
    }
    let providers = [
        ("CLAUDE_CODE_USE_BEDROCK", "bedrock"),
        ("CLAUDE_CODE_USE_VERTEX", "vertex"),
        ("CLAUDE_CODE_USE_OPENAI", "openai"),
        ("CLAUDE_CODE_USE_GEMINI", "gemini"),
        ("CLAUDE_CODE_USE_GROK", "grok"),
    ];
    if let Some((_, provider)) = providers.iter().find(|(name, _)| is_on(name) == Some(true)) {
        object.insert("provider".to_owned(), Value::from(*provider));
    }
    if let Some(off) = is_on("CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS") {
        object.insert("experimental_betas".to_owned(), Value::Bool(!off));
    }
    if let Some(off) = is_on("CLAUDE_CODE_DISABLE_CLAUDE_MDS") {
        object.insert("disable_claude_md".to_owned(), Value::Bool(off));
    }
    if let Some(on) = is_on("ENABLE_PROMPT_CACHING_1H_BEDROCK") {
        object.insert("ttl_eligible".to_owned(), Value::Bool(on));
    }
    // Only known keys with values of their kind were put in, so this always reads.
    let context = model::Context::from_value(Value::Object(object)).unwrap_or_default();
    output(&Layered::default().with(Origin::Environment, context))
}

fn output(layers: &Layered) -> ContextOutput {
    let origins: Map<String, Value> =
        layers.values().into_iter().map(|(key, _, origin)| (key.to_owned(), Value::from(origin.as_str()))).collect();
    ContextOutput { schema_version: OUTPUT_VERSION, context: value(&layers.merged()), origins: Value::Object(origins) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_set_their_keys() {
        let shown = from_env(|name| {
            match name {
                "CLAUDE_CODE_USE_BEDROCK" | "CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS" => Some("1"),
                "CLAUDE_CODE_SIMPLE" => Some("TRUE"),
                "SHELL" => Some("/bin/zsh"),
                _ => None,
            }
            .map(str::to_owned)
        });
        let expected = serde_json::json!({
            "shell": "/bin/zsh", "provider": "bedrock", "simple": true, "experimental_betas": false,
        });
        assert_eq!(shown.context, expected);
        assert_eq!(shown.origins["provider"], "environment");
    }
}
