//! Which tokenizer a model uses, from the name alone. The catalogue's own rows go first
//! ([`Catalogue::tokenizer_for`](crate::Catalogue::tokenizer_for)).

use crate::Encoding;

/// How the tokens of a model are counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tokenizer {
    /// A public encoding that the vendor names for the model.
    Exact(Encoding),
    /// A public encoding that is taken for the model without the vendor's word, as for GPT-6.
    Assumed(Encoding),
    /// Claude up to Opus 4.6, Sonnet 4.6 and Haiku 4.5.
    ClaudeOlder,
    /// Claude from Opus 4.7 and Sonnet 5 on, Fable and Mythos.
    ClaudeNewer,
    /// A known family whose vocabulary is not built in.
    Family(Family),
    /// Nothing is known.
    Unknown,
}

/// A model family without a built-in vocabulary and without public counts to fit an estimate on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Family {
    /// Google Gemini and Gemma.
    Gemini,
    /// Meta Llama.
    Llama,
    /// Alibaba Qwen.
    Qwen,
    /// DeepSeek.
    DeepSeek,
    /// Mistral.
    Mistral,
    /// xAI Grok.
    Grok,
    /// Moonshot Kimi.
    Kimi,
    /// Z.ai GLM.
    Glm,
    /// MiniMax.
    MiniMax,
    /// Amazon Nova.
    Nova,
}

impl Family {
    /// Lower-case name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gemini => "gemini",
            Self::Llama => "llama",
            Self::Qwen => "qwen",
            Self::DeepSeek => "deepseek",
            Self::Mistral => "mistral",
            Self::Grok => "grok",
            Self::Kimi => "kimi",
            Self::Glm => "glm",
            Self::MiniMax => "minimax",
            Self::Nova => "nova",
        }
    }
}

/// Where a choice of tokenizer comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Basis {
    /// A row of the catalogue says so.
    Catalogue,
    /// The model's name follows a known pattern.
    Name,
    /// Neither knows the model.
    Nothing,
}

/// A tokenizer with the reason it was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TokenizerChoice {
    /// The tokenizer.
    pub tokenizer: Tokenizer,
    /// Why this one.
    pub basis: Basis,
}

/// The encoding that the target's own counter would use, which is not the model's tokenizer.
///
/// Catbuddy counts with js-tiktoken: `o200k_base` when the model's name contains "gpt-4o",
/// `cl100k_base` for every other name and for none (`token-counter.ts`). It serves to show what the
/// target itself displays and where its own limits strike; for the tokens a vendor will bill use
/// [`Catalogue::tokenizer_for`](crate::Catalogue::tokenizer_for).
pub fn catbuddy_encoding(model: Option<&str>) -> Encoding {
    match model {
        Some(name) if name.contains("gpt-4o") => Encoding::O200kBase,
        _ => Encoding::Cl100kBase,
    }
}

/// The tokenizer that a catalogue row names, with the row's status.
pub(crate) fn by_catalogue_name(name: &str, is_exact: bool) -> Tokenizer {
    if let Some(encoding) = Encoding::from_name(name) {
        return if is_exact { Tokenizer::Exact(encoding) } else { Tokenizer::Assumed(encoding) };
    }
    match name {
        "claude-old" => Tokenizer::ClaudeOlder,
        "claude-new" => Tokenizer::ClaudeNewer,
        "gemma3" | "gemma4" | "gemini-unknown" => Tokenizer::Family(Family::Gemini),
        "llama3" => Tokenizer::Family(Family::Llama),
        "qwen" => Tokenizer::Family(Family::Qwen),
        "deepseek" => Tokenizer::Family(Family::DeepSeek),
        "mistral" => Tokenizer::Family(Family::Mistral),
        "grok" => Tokenizer::Family(Family::Grok),
        "kimi" => Tokenizer::Family(Family::Kimi),
        "glm" => Tokenizer::Family(Family::Glm),
        "minimax" => Tokenizer::Family(Family::MiniMax),
        "nova" => Tokenizer::Family(Family::Nova),
        _ => Tokenizer::Unknown,
    }
}

/// The tokenizer for a model id that no catalogue row has, or [`Tokenizer::Unknown`].
pub(crate) fn by_model_name(model: &str) -> Tokenizer {
    let model = model.to_ascii_lowercase();
    // Gateways put the vendor before a slash, and regions before dots ("us.anthropic.claude-…").
    let id = model.rsplit('/').next().unwrap_or_default();
    if let Some(tokenizer) = by_openai_name(id) {
        return tokenizer;
    }
    if let Some((_, version)) = id.split_once("claude") {
        return by_claude_version(version);
    }
    FAMILY_WORDS
        .iter()
        .find(|(word, _)| id.contains(word))
        .map_or(Tokenizer::Unknown, |(_, family)| Tokenizer::Family(*family))
}

const FAMILY_WORDS: &[(&str, Family)] = &[
    ("gemini", Family::Gemini),
    ("gemma", Family::Gemini),
    ("deepseek", Family::DeepSeek),
    ("qwen", Family::Qwen),
    ("llama", Family::Llama),
    ("mistral", Family::Mistral),
    ("codestral", Family::Mistral),
    ("devstral", Family::Mistral),
    ("magistral", Family::Mistral),
    ("pixtral", Family::Mistral),
    ("grok", Family::Grok),
    ("kimi", Family::Kimi),
    ("glm-", Family::Glm),
    ("minimax", Family::MiniMax),
    ("amazon.nova-", Family::Nova),
];

/// OpenAI ids, by the model map of tiktoken 0.14.0 (`tiktoken/model.py`): whole names, then
/// prefixes, which take in dated versions; a fine-tuned model counts as its base. GPT-6 is not in
/// that map: assumed.
fn by_openai_name(id: &str) -> Option<Tokenizer> {
    const NAMES: &[(&str, Encoding)] = &[
        ("o1", Encoding::O200kBase),
        ("o3", Encoding::O200kBase),
        ("o4-mini", Encoding::O200kBase),
        ("gpt-4.1", Encoding::O200kBase),
        ("gpt-4o", Encoding::O200kBase),
        ("gpt-4", Encoding::Cl100kBase),
        ("gpt-3.5", Encoding::Cl100kBase),
        ("gpt-3.5-turbo", Encoding::Cl100kBase),
        ("gpt-35-turbo", Encoding::Cl100kBase),
        ("davinci-002", Encoding::Cl100kBase),
        ("babbage-002", Encoding::Cl100kBase),
        ("text-embedding-ada-002", Encoding::Cl100kBase),
        ("text-embedding-3-small", Encoding::Cl100kBase),
        ("text-embedding-3-large", Encoding::Cl100kBase),
    ];
    const PREFIXES: &[(&str, Encoding)] = &[
        ("o1-", Encoding::O200kBase),
        ("o3-", Encoding::O200kBase),
        ("o4-mini-", Encoding::O200kBase),
        ("gpt-5", Encoding::O200kBase),
        ("gpt-4.5-", Encoding::O200kBase),
        ("gpt-4.1-", Encoding::O200kBase),
        ("chatgpt-4o-", Encoding::O200kBase),
        ("gpt-4o-", Encoding::O200kBase),
        ("gpt-4-", Encoding::Cl100kBase),
        ("gpt-3.5-turbo-", Encoding::Cl100kBase),
        ("gpt-35-turbo-", Encoding::Cl100kBase),
        ("gpt-oss-", Encoding::O200kHarmony),
    ];
    let base = match id.strip_prefix("ft:") {
        Some(fine_tuned) => fine_tuned.split(':').next().unwrap_or_default(),
        None => id,
    };
    let whole = NAMES.iter().find(|(name, _)| base == *name);
    let known = whole.or_else(|| PREFIXES.iter().find(|(prefix, _)| base.starts_with(prefix)));
    match known {
        Some((_, encoding)) => Some(Tokenizer::Exact(*encoding)),
        None if base.starts_with("gpt-6") => Some(Tokenizer::Assumed(Encoding::O200kBase)),
        None => None,
    }
}

/// `version` is what follows "claude" in the id: "-opus-4-7-20260416", "-3-5-sonnet@20240620",
/// "-fable-5-v1:0". The newer tokenizer came with Opus 4.7 and Sonnet 5; Fable and Mythos never had
/// another. Ids without a version, and versions before 3, say nothing about the two.
fn by_claude_version(version: &str) -> Tokenizer {
    if version.contains("fable") || version.contains("mythos") {
        return Tokenizer::ClaudeNewer;
    }
    // Dates have eight digits; a part with more than two is no version number.
    let mut numbers =
        version.split(['-', '.', '@', ':']).filter(|part| part.len() <= 2).filter_map(|part| part.parse::<u8>().ok());
    let Some(major) = numbers.next() else {
        return Tokenizer::Unknown;
    };
    let minor = numbers.next().unwrap_or(0);
    let is_newer = if version.contains("opus") { (major, minor) >= (4, 7) } else { major >= 5 };
    match major {
        0..=2 => Tokenizer::Unknown,
        _ if is_newer => Tokenizer::ClaudeNewer,
        _ => Tokenizer::ClaudeOlder,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_outside_the_catalogue_follow_the_vendors_patterns() {
        for (id, expected) in [
            ("gpt-4o-2099-01-01", Tokenizer::Exact(Encoding::O200kBase)),
            ("openai/gpt-4-0314", Tokenizer::Exact(Encoding::Cl100kBase)),
            ("GPT-4.1-mini", Tokenizer::Exact(Encoding::O200kBase)),
            ("ft:gpt-3.5-turbo-0125:org:name:id", Tokenizer::Exact(Encoding::Cl100kBase)),
            ("ft:gpt-4o:org", Tokenizer::Exact(Encoding::O200kBase)),
            ("gpt-oss-20b", Tokenizer::Exact(Encoding::O200kHarmony)),
            ("gpt-6.9-nova", Tokenizer::Assumed(Encoding::O200kBase)),
            ("claude-3-5-sonnet-20241022", Tokenizer::ClaudeOlder),
            ("claude-sonnet-4-20250514", Tokenizer::ClaudeOlder),
            ("claude-haiku-4-9", Tokenizer::ClaudeOlder),
            ("claude-opus-4-6", Tokenizer::ClaudeOlder),
            ("eu.anthropic.claude-opus-4-7-v1:0", Tokenizer::ClaudeNewer),
            ("claude-opus-6", Tokenizer::ClaudeNewer),
            ("claude-sonnet-5@20260801", Tokenizer::ClaudeNewer),
            ("claude-mythos-9", Tokenizer::ClaudeNewer),
            ("claude-2.1", Tokenizer::Unknown),
            ("claude-latest", Tokenizer::Unknown),
            ("gemini-9-pro", Tokenizer::Family(Family::Gemini)),
            ("meta-llama/Llama-3.1-8B", Tokenizer::Family(Family::Llama)),
            ("my-own-model", Tokenizer::Unknown),
            ("gpt-40", Tokenizer::Unknown),
            ("", Tokenizer::Unknown),
        ] {
            assert_eq!(by_model_name(id), expected, "{id}");
        }
    }

    #[test]
    fn the_targets_own_counter_knows_one_name_only() {
        assert_eq!(catbuddy_encoding(Some("openai/gpt-4o-mini")), Encoding::O200kBase);
        for model in [None, Some("gpt-5"), Some("claude-opus-5"), Some("GPT-4O")] {
            assert_eq!(catbuddy_encoding(model), Encoding::Cl100kBase, "{model:?}");
        }
    }
}
