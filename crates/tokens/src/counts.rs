//! A count with its interval and its method.

use std::fmt;

use serde::Serialize;

use crate::claude::Interval;
use crate::tally::{Measure, Tally};
use crate::{Cancel, CountError, Encoding, Family, Tokenizer, claude, families};

/// Tokens of a text. As JSON: `{"total":12,"method":"exact (o200k_base)","low":12,"high":12}`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Count {
    /// The count, or the estimate rounded half up. `None` is unknown, never zero.
    pub total: Option<u32>,
    /// How it was found.
    pub method: Method,
    /// At least so many tokens by the method. Equal to `total` where that is exact.
    pub low: Option<u32>,
    /// At most so many tokens by the method. Equal to `total` where that is exact.
    pub high: Option<u32>,
}

/// How a count was found. Prints, and serialises, as words for people.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Method {
    /// The model's own, public encoding.
    Exact(Encoding),
    /// The exact count of an encoding that the vendor does not name for the model.
    Assumed(Encoding),
    /// Fitted on public counts.
    ClaudeOlder,
    /// The estimate for the older tokenizer times ratios that others published.
    ClaudeNewer,
    /// A wide interval without data.
    Family(Family),
    /// No count.
    Unknown,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(encoding) => write!(f, "exact ({})", encoding.name()),
            Self::Assumed(encoding) => write!(f, "assumed ({}, not confirmed for this model)", encoding.name()),
            Self::ClaudeOlder => {
                f.write_str("estimate (claude older tokenizer: cl100k × class factors, 90% of a public set inside)")
            }
            Self::ClaudeNewer => f.write_str(
                "estimate (claude newer tokenizer: older estimate × published ratios by composition, no public counts)",
            ),
            Self::Family(family) => {
                write!(f, "estimate ({}: 0.7 to 1.5 × cl100k and o200k, assumed, no data)", family.name())
            }
            Self::Unknown => f.write_str("unknown"),
        }
    }
}

impl Serialize for Method {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Tokens of `text` by `tokenizer`.
///
/// A text that is not empty has at least one token, so neither `low` nor an estimate is below one.
/// An empty text has none.
///
/// # Errors
/// [`CountError::Cancelled`], see [`crate::count`].
pub fn count_for(text: &str, tokenizer: Tokenizer, cancel: &dyn Cancel) -> Result<Count, CountError> {
    Ok(match Measure::of(tokenizer) {
        Some(measure) => Count::of_whole(tokenizer, &Tally::of(text, measure, cancel)?),
        None => Count::UNKNOWN,
    })
}

impl Count {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self { total: None, method: Method::Unknown, low: None, high: None };

    /// The count of a whole text.
    pub(crate) fn of_whole(tokenizer: Tokenizer, whole: &Tally) -> Self {
        let count = Self::of_part(tokenizer, whole, whole);
        let is_empty = *whole == Tally::default();
        let at_least_one = |tokens: Option<u32>| {
            if is_empty { tokens } else { tokens.map(|n| n.max(1)) }
        };
        Self { total: at_least_one(count.total), low: at_least_one(count.low), high: at_least_one(count.high), ..count }
    }

    /// The count of a part, with factors chosen by the whole. So the parts' estimates sum to the
    /// whole's but for rounding, and the whole's interval lies within the sum of the parts'
    /// intervals, whose bounds are rounded outwards.
    pub(crate) fn of_part(tokenizer: Tokenizer, part: &Tally, whole: &Tally) -> Self {
        let exact = |encoding| {
            let tokens = if encoding == Encoding::Cl100kBase { part.cl100k } else { part.o200k };
            Interval { low: tokens, point: tokens, high: tokens }
        };
        let (method, interval) = match tokenizer {
            Tokenizer::Exact(encoding) => (Method::Exact(encoding), exact(encoding)),
            Tokenizer::Assumed(encoding) => (Method::Assumed(encoding), exact(encoding)),
            Tokenizer::ClaudeOlder => (Method::ClaudeOlder, claude::older(part, whole)),
            Tokenizer::ClaudeNewer => (Method::ClaudeNewer, claude::newer(part, whole)),
            Tokenizer::Family(family) => (Method::Family(family), families::assumed(part)),
            Tokenizer::Unknown => return Self::UNKNOWN,
        };
        let tokens = |count: i64| Some(u32::try_from(count.max(0)).unwrap_or(u32::MAX));
        Self { total: tokens(interval.point), method, low: tokens(interval.low), high: tokens(interval.high) }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failure here is the test's failure")]

    use super::*;
    use crate::NeverCancel;

    fn json(text: &str, tokenizer: Tokenizer) -> String {
        serde_json::to_string(&count_for(text, tokenizer, &NeverCancel).unwrap()).unwrap()
    }

    #[test]
    fn counts_read_the_same_in_json_and_in_print() {
        // "The quick brown fox jumps over the lazy dog." has 9 words and a full stop, 10 tokens in
        // both encodings.
        let fox = "The quick brown fox jumps over the lazy dog.";
        assert_eq!(
            json(fox, Tokenizer::Exact(Encoding::O200kBase)),
            r#"{"total":10,"method":"exact (o200k_base)","low":10,"high":10}"#
        );
        // 9 × 1.181 + 1.225 = 11.854; × 0.859 = 10.18…; × 1.164 = 13.79…
        assert_eq!(
            json(fox, Tokenizer::ClaudeOlder),
            "{\"total\":12,\"method\":\"estimate (claude older tokenizer: cl100k × class factors, 90% of a public set \
             inside)\",\"low\":10,\"high\":14}"
        );
        assert_eq!(json(fox, Tokenizer::Unknown), r#"{"total":null,"method":"unknown","low":null,"high":null}"#);
    }

    #[test]
    fn an_empty_text_has_no_tokens_and_any_other_at_least_one() {
        for tokenizer in [Tokenizer::ClaudeOlder, Tokenizer::ClaudeNewer, Tokenizer::Family(Family::Qwen)] {
            let empty = count_for("", tokenizer, &NeverCancel).unwrap();
            assert_eq!((empty.total, empty.low, empty.high), (Some(0), Some(0), Some(0)), "{tokenizer:?}");
            let digit = count_for("7", tokenizer, &NeverCancel).unwrap();
            assert_eq!((digit.total, digit.low), (Some(1), Some(1)), "{tokenizer:?}");
        }
    }
}
