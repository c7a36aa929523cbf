//! Tokens of an assembly: which tokenizer, each section alone, the whole, and what leaving things out saves.

use model::Assembly;
use tokens::{Catalogue, Count, Counter, Encoding, NeverCancel, SectionCounts, Tokenizer, catbuddy_encoding};

use crate::api::{ApiError, ErrorCode};

/// The tokenizer for a model of a provider. Without a model it is the one the target itself counts with
/// (`cl100k_base`), exact for that encoding.
pub(crate) fn tokenizer(provider: Option<&str>, model: Option<&str>) -> Tokenizer {
    model.map_or_else(
        || Tokenizer::Exact(catbuddy_encoding(None)),
        |model| Catalogue::embedded().tokenizer_for(provider, model).tokenizer,
    )
}

/// The tokenizer of an encoding's name.
///
/// # Errors
/// [`ErrorCode::Invalid`] names the encodings there are.
pub(crate) fn encoding(name: &str) -> Result<Tokenizer, ApiError> {
    Encoding::from_name(name).map(Tokenizer::Exact).ok_or_else(|| {
        ApiError::english(
            ErrorCode::Invalid,
            format!("There is no encoding \"{name}\". Use cl100k_base, o200k_base or o200k_harmony."),
        )
        .with("encoding", name)
    })
}

/// Tokens of one text. Without anybody to cancel, counting does not fail.
pub(crate) fn count(counter: &mut Counter, text: &str, tokenizer: Tokenizer) -> Count {
    counter.count(text, tokenizer, &NeverCancel).unwrap_or(Count::UNKNOWN)
}

/// Tokens of every section and of the whole; fills in what each skipped thing saves.
pub(crate) fn count_assembly(counter: &mut Counter, assembly: &mut Assembly, tokenizer: Tokenizer) -> SectionCounts {
    let texts: Vec<&str> = assembly.sections.iter().map(|section| &*section.text).collect();
    let counts = counter.count_sections(&texts, tokenizer, &NeverCancel).unwrap_or_else(|_| SectionCounts {
        parts: vec![Count::UNKNOWN; texts.len()],
        joins: 0,
        total: Count::UNKNOWN,
    });
    for skipped in &mut assembly.skipped {
        if let (None, Some(text)) = (skipped.tokens, &skipped.text) {
            skipped.tokens = count(counter, text, tokenizer).total;
        }
    }
    counts
}

/// At most so many tokens the joined sections have; a count that is unknown fits nowhere.
pub(crate) fn high_bound(counter: &mut Counter, sections: &[&str], tokenizer: Tokenizer) -> u32 {
    let counts = counter.count_sections(sections, tokenizer, &NeverCancel).ok();
    counts.and_then(|counts| counts.total.high).unwrap_or(u32::MAX)
}

/// Tokens of the first `bytes` bytes of the assembly, by the same tokenizer.
pub(crate) fn count_prefix(
    counter: &mut Counter,
    assembly: &Assembly,
    bytes: u64,
    tokenizer: Tokenizer,
) -> Option<u32> {
    let mut left = usize::try_from(bytes).unwrap_or(usize::MAX);
    let mut texts = Vec::new();
    for section in &assembly.sections {
        let taken = section.text.floor_char_boundary(left.min(section.text.len()));
        texts.push(&section.text[..taken]);
        left -= taken;
        if taken < section.text.len() {
            break;
        }
    }
    counter.count_sections(&texts, tokenizer, &NeverCancel).ok()?.total.total
}
