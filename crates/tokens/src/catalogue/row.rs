//! One model of the catalogue.
//!
//! Prices are integers in pico-USD per token, so that sums are exact: 1 USD per million tokens is
//! 1,000,000. A price that is missing was not listed; it is never zero.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

/// A model at a provider.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub struct ModelRow {
    /// The id as the provider takes it.
    pub id: String,
    /// Who serves it, such as `openai` or `bedrock`.
    pub provider: String,
    /// The key in the base table, if the row comes from there.
    pub key: Option<String>,
    /// Input limit in tokens.
    pub context: Option<u32>,
    /// Output limit in tokens.
    pub max_output: Option<u32>,
    /// Prices in force when the snapshot was made. Read [`ModelRow::price_at`] for a given day.
    pub price: Price,
    /// Prompt caching.
    pub cache: CacheFacts,
    /// Prices of long requests, which hold for the whole request. Of the period of `price`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tiers: Vec<Tier>,
    /// Prices of batch requests. Of the period of `price`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch: Option<BatchPrice>,
    /// Prices in quiet hours; `price` is that of busy hours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub off_peak: Option<OffPeak>,
    /// The first day of `price`, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<Date>,
    /// The first day of `next_price`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_to: Option<Date>,
    /// Announced prices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_price: Option<NextPrice>,
    /// The day the provider withdraws the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deprecated_on: Option<Date>,
    /// Its tokenizer.
    pub tokenizer: RowTokenizer,
    /// Index into the header's `sources`.
    pub source: usize,
    /// How the two price tables compare: `agree`, `differs`, `absent`, `single_source`,
    /// `not_compared`.
    pub check: String,
    /// The other table's figures where they differ.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub check_diff: Vec<CheckDifference>,
    /// Facts that no source gives.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub incomplete: Vec<String>,
}

/// Prices in pico-USD per token.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub struct Price {
    /// Fresh input.
    #[serde(rename = "in")]
    pub input: Option<u64>,
    /// Output.
    #[serde(rename = "out")]
    pub output: Option<u64>,
    /// Input read from the cache.
    pub read: Option<u64>,
    /// Input written to the cache for the short time.
    pub write_short: Option<u64>,
    /// Input written to the cache for the long time.
    pub write_long: Option<u64>,
    /// Where `write_short` comes from: `listed`, or one of three reasons why the input price stands
    /// there.
    pub write_basis: Option<String>,
    /// The short time in seconds.
    pub write_short_ttl_s: Option<u32>,
    /// The long time in seconds.
    pub write_long_ttl_s: Option<u32>,
}

/// Announced prices in pico-USD per token.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub struct NextPrice {
    /// Fresh input.
    #[serde(rename = "in")]
    pub input: Option<u64>,
    /// Output.
    #[serde(rename = "out")]
    pub output: Option<u64>,
    /// Input read from the cache.
    pub read: Option<u64>,
}

/// Prices in pico-USD per token of a request above a size. What is not named keeps the base price.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub struct Tier {
    /// More input tokens than this.
    pub above: u32,
    /// Fresh input.
    #[serde(rename = "in")]
    pub input: Option<u64>,
    /// Output.
    #[serde(rename = "out")]
    pub output: Option<u64>,
    /// Input read from the cache.
    pub read: Option<u64>,
    /// Input written to the cache for the short time.
    pub write_short: Option<u64>,
    /// Input written to the cache for the long time.
    pub write_long: Option<u64>,
}

/// Prices in pico-USD per token of batch requests.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub struct BatchPrice {
    /// Fresh input.
    #[serde(rename = "in")]
    pub input: Option<u64>,
    /// Output.
    #[serde(rename = "out")]
    pub output: Option<u64>,
    /// Input read from the cache.
    pub read: Option<u64>,
    /// Input written to the cache for the short time.
    pub write_short: Option<u64>,
}

/// Prices in pico-USD per token of quiet hours.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub struct OffPeak {
    /// Fresh input.
    #[serde(rename = "in")]
    pub input: Option<u64>,
    /// Output.
    #[serde(rename = "out")]
    pub output: Option<u64>,
    /// Input read from the cache.
    pub read: Option<u64>,
    /// When.
    pub windows: Vec<Window>,
}

/// Hours of the week.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub struct Window {
    /// `from-to` in UTC, as `10:00-00:00`; equal ends are the whole day.
    pub hours_utc: Vec<String>,
    /// 1 is Monday.
    pub weekdays: Vec<u8>,
}

/// Prompt caching of a model.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub struct CacheFacts {
    /// What starts caching: `explicit`, `automatic_blocks`, `none` and others.
    pub kind: String,
    /// The provider's rule by name.
    pub rule: String,
    /// Tokens below which nothing is cached; `None` is not known.
    pub min: Option<u32>,
    /// Cached prefixes are multiples of so many tokens; 1 is exact, `None` not known.
    pub granularity: Option<u32>,
    /// The rule was not confirmed for this model.
    #[serde(default)]
    pub assumed: bool,
    /// Caching is listed without a price.
    #[serde(default)]
    pub read_price_unknown: bool,
    /// Other minimums that sources give.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disputed: Vec<DisputedMinimum>,
}

/// A minimum that another source gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub struct DisputedMinimum {
    /// Tokens.
    pub min: u32,
    /// Index into the header's `sources`.
    pub source: usize,
}

/// The tokenizer of a model.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub struct RowTokenizer {
    /// Its name, which need not be a vocabulary that this program has.
    pub name: String,
    /// `exact` when the vendor names it, `assumed`, or `estimate` when it is not public.
    pub status: String,
    /// A reservation of the snapshot's makers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A figure that the other price table gives.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub struct CheckDifference {
    /// Field of the price.
    pub field: String,
    /// The other figure, in the field's unit.
    pub other: Option<u64>,
}

impl ModelRow {
    /// The price on a day, or `None` before the first day the listed price is known for.
    ///
    /// From `valid_to` on the announced prices hold. A write price that only stood for the input
    /// price follows it; what the announcement leaves out stays.
    pub fn price_at(&self, day: Date) -> Option<Price> {
        if self.valid_from.is_some_and(|first| day < first) {
            return None;
        }
        let next = match (self.valid_to, self.next_price) {
            (Some(first), Some(next)) if day >= first => next,
            _ => return Some(self.price.clone()),
        };
        let stands_for_input = self.price.write_short.is_some() && self.price.write_basis.as_deref() != Some("listed");
        Some(Price {
            input: next.input.or(self.price.input),
            output: next.output.or(self.price.output),
            read: next.read.or(self.price.read),
            write_short: next.input.filter(|_| stands_for_input).or(self.price.write_short),
            ..self.price.clone()
        })
    }
}
