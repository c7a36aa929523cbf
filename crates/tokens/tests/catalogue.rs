//! The embedded catalogue against its own documentation.

#![allow(clippy::unwrap_used, reason = "a failure here is the test's failure")]

use jiff::civil::date;
use tokens::catalogue::CatalogueError;
use tokens::{Basis, Catalogue, Encoding, Family, Tokenizer};

#[test]
fn the_header_identifies_the_file() {
    let catalogue = Catalogue::embedded();
    assert_eq!(catalogue.models().len(), 575);
    let header = catalogue.header();
    assert_eq!((header.schema.as_str(), header.seen_at), ("prompt-models/1", date(2026, 11, 30)));
    assert_eq!((header.base.name.as_str(), header.base.version.as_str()), ("litellm", "1.110.2"));
    assert_eq!(header.sha256, "426d1091451e576bfa8fa2e1d77e446bf7945360931aa715e5a9b13b5f00f34e");
}

#[test]
fn rows_say_what_the_documentation_says() {
    let catalogue = Catalogue::embedded();
    let opus = catalogue.find(Some("anthropic"), "claude-opus-4-7").unwrap();
    assert_eq!((opus.cache.min, opus.cache.disputed[0].min), (Some(2048), 4096));
    let sol = catalogue.find(None, "openai/gpt-6.2-sol").unwrap();
    assert_eq!(
        (sol.price.input, sol.price.read, sol.price.write_short, sol.price.write_long, sol.price.output),
        (Some(2_000_000), Some(100_000), Some(2_500_000), Some(5_000_000), None)
    );
    assert_eq!((sol.price.write_short_ttl_s, sol.price.write_long_ttl_s), (Some(1800), Some(43_200)));
    let tier = catalogue.find(Some("openai"), "gpt-6.1-sol").unwrap().tiers[0];
    assert_eq!((tier.above, tier.input), (272_000, Some(4_000_000)));
    let deepseek = catalogue.find(None, "deepseek-v4-pro").unwrap();
    assert_eq!(
        (deepseek.provider.as_str(), deepseek.price.write_basis.as_deref()),
        ("deepseek", Some("zero_means_input"))
    );
    assert_eq!(deepseek.off_peak.as_ref().unwrap().read, Some(22_000));
    assert_eq!(catalogue.find(Some("anthropic"), "gpt-4o"), None);
    assert_eq!(catalogue.find(None, "no-such-model"), None);
}

#[test]
fn a_bare_id_is_the_vendors_and_a_double_row_the_fuller() {
    let catalogue = Catalogue::embedded();
    assert_eq!(catalogue.find(None, "gpt-4o").unwrap().provider, "openai");
    assert!(catalogue.find(Some("azure"), "gpt-5.4").unwrap().batch.is_some());
    assert_eq!(catalogue.find(None, "openai/gpt-oss-20b").unwrap().provider, "groq", "an id with a slash of its own");
}

#[test]
fn an_announced_price_holds_from_its_first_day() {
    let argon = Catalogue::embedded().find(Some("gemini"), "gemini-4-argon").unwrap();
    let last = argon.price_at(date(2026, 11, 30)).unwrap();
    assert_eq!((last.input, last.output, last.read), (Some(2_000_000), Some(10_000_000), Some(100_000)));
    let first = argon.price_at(date(2026, 12, 1)).unwrap();
    assert_eq!((first.input, first.output, first.read), (Some(4_000_000), Some(20_000_000), Some(200_000)));
    assert_eq!(first.write_short, Some(4_000_000), "no surcharge was listed, so a write costs the new input price");
    let sonnet = Catalogue::embedded().find(Some("anthropic"), "claude-sonnet-4-6").unwrap();
    assert_eq!(sonnet.price_at(date(2026, 3, 12)), None, "the listed price began on the 13th");
    assert_eq!(sonnet.price_at(date(2026, 3, 13)).as_ref(), Some(&sonnet.price));
}

#[test]
fn context_windows_are_looked_up_and_may_be_unknown() {
    let catalogue = Catalogue::embedded();
    assert_eq!(catalogue.context_window(Some("openai"), "gpt-3.5-turbo-0125"), Some(16_385));
    assert_eq!(catalogue.context_window(None, "claude-fable-5"), Some(1_000_000));
    assert_eq!(catalogue.context_window(None, "gpt-6.2-sol"), None, "listed as never seen");
    assert_eq!(catalogue.context_window(None, "no-such-model"), None);
}

#[test]
fn tokenizers_come_from_the_row_then_from_the_name() {
    let choice = |provider, model| {
        let choice = Catalogue::embedded().tokenizer_for(provider, model);
        (choice.tokenizer, choice.basis)
    };
    assert_eq!(choice(None, "gpt-4.1"), (Tokenizer::Exact(Encoding::O200kBase), Basis::Catalogue));
    assert_eq!(choice(None, "gpt-6.1-sol"), (Tokenizer::Assumed(Encoding::O200kBase), Basis::Catalogue));
    assert_eq!(choice(Some("groq"), "openai/gpt-oss-20b").0, Tokenizer::Exact(Encoding::O200kHarmony));
    assert_eq!(choice(Some("anthropic"), "claude-haiku-4-5"), (Tokenizer::ClaudeOlder, Basis::Catalogue));
    assert_eq!(choice(None, "gemini-4-argon"), (Tokenizer::Family(Family::Gemini), Basis::Catalogue));
    assert_eq!(choice(Some("openai"), "gpt-4o-2027-01-01"), (Tokenizer::Exact(Encoding::O200kBase), Basis::Name));
    assert_eq!(choice(Some("azure"), "model-router"), (Tokenizer::Unknown, Basis::Nothing));
    assert_eq!(choice(Some("local"), "my-model"), (Tokenizer::Unknown, Basis::Nothing));
}

#[test]
fn rules_by_name_agree_with_the_rows_on_claude_and_public_encodings() {
    let catalogue = Catalogue::embedded();
    let mut differing = Vec::new();
    for row in catalogue.models() {
        let by_row = catalogue.tokenizer_for(Some(&row.provider), &row.id).tokenizer;
        let by_name = catalogue.tokenizer_for(Some("a provider without rows"), &row.id).tokenizer;
        if by_name != by_row && by_name != Tokenizer::Unknown {
            differing.push(format!("{}/{}: {by_name:?} by name, {by_row:?} by row", row.provider, row.id));
        }
    }
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

#[test]
fn every_row_keeps_every_field() {
    let original: serde_json::Value = serde_json::from_str(include_str!("../data/models.json")).unwrap();
    let without_empty = |value: &serde_json::Value| {
        let mut value = value.clone();
        prune(&mut value);
        value
    };
    for (row, expected) in Catalogue::embedded().models().iter().zip(original["models"].as_array().unwrap()) {
        let written = serde_json::to_value(row).unwrap();
        assert_eq!(without_empty(&written), without_empty(expected), "{}", row.id);
    }
}

/// Takes out what reads the same when absent: null and false.
fn prune(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Object(fields) => {
            fields.retain(|_, field| !matches!(field, serde_json::Value::Null | serde_json::Value::Bool(false)));
            fields.values_mut().for_each(prune);
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(prune),
        _ => {}
    }
}

#[test]
fn what_is_no_catalogue_is_refused_with_the_reason() {
    let refused = |bytes: &str| Catalogue::parse(bytes.as_bytes()).unwrap_err();
    assert!(matches!(refused("[]"), CatalogueError::Json(_)));
    assert!(
        matches!(refused(r#"{"schema":"prompt-models/2"}"#), CatalogueError::Schema { found } if found == "prompt-models/2")
    );
    let table = r#"{"name":"a","version":"1","license":"MIT"}"#;
    let cut = format!(
        r#"{{"schema":"prompt-models/1","seen_at":"2026-11-30","base":{table},"check":{table},"count":2,"sources":[],"models":[]}}"#
    );
    assert!(matches!(refused(&cut), CatalogueError::Count { announced: 2, found: 0 }));
}
