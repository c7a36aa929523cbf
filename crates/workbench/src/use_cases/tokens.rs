//! `cbw tokens`: counts a text.

use tokens::Counter;

use crate::api::ApiError;
use crate::api::outputs::{CountOutput, OUTPUT_VERSION};
use crate::counting;

/// How to count.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct How {
    /// As this model does.
    pub model: Option<String>,
    /// The model's provider.
    pub provider: Option<String>,
    /// By this encoding; beats the model.
    pub encoding: Option<String>,
}

/// Tokens of `text`.
///
/// # Errors
/// When the encoding does not exist.
pub fn count(text: &str, how: &How) -> Result<CountOutput, ApiError> {
    let tokenizer = match &how.encoding {
        Some(name) => counting::encoding(name)?,
        None => counting::tokenizer(how.provider.as_deref(), how.model.as_deref()),
    };
    let count = counting::count(&mut Counter::default(), text, tokenizer);
    Ok(CountOutput {
        schema_version: OUTPUT_VERSION,
        total: count.total,
        method: count.method.to_string(),
        low: count.low,
        high: count.high,
    })
}
