//! Text that looks like a special token.
//!
//! Vendors count such text as text, and so does this crate. Software that runs open models may read
//! it as the token itself, which ends a message or changes the speaker; a lint warns about it.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// Spellings by the vocabularies that reserve them. Only those that end or divide messages,
/// documents or code are listed; tags that people write on purpose, such as `<think>`, are not.
/// `<s>` is struck-out text in HTML as well.
const SPELLINGS: &[(&str, &[&str])] = &[
    ("OpenAI", &["<|endoftext|>", "<|endofprompt|>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>"]),
    ("ChatML", &["<|im_start|>", "<|im_sep|>", "<|im_end|>"]),
    (
        "harmony",
        &[
            "<|start|>",
            "<|end|>",
            "<|message|>",
            "<|channel|>",
            "<|constrain|>",
            "<|return|>",
            "<|call|>",
            "<|startoftext|>",
        ],
    ),
    (
        "Llama 3",
        &[
            "<|begin_of_text|>",
            "<|end_of_text|>",
            "<|start_header_id|>",
            "<|end_header_id|>",
            "<|eot_id|>",
            "<|eom_id|>",
            "<|python_tag|>",
        ],
    ),
    ("Llama 2 and Mistral", &["[INST]", "[/INST]", "<<SYS>>", "<</SYS>>", "<s>", "</s>"]),
    ("Mistral", &["[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[AVAILABLE_TOOLS]", "[TOOL_CALLS]", "[TOOL_RESULTS]"]),
    ("Gemma", &["<start_of_turn>", "<end_of_turn>", "<bos>", "<eos>"]),
    ("DeepSeek", &["<｜begin▁of▁sentence｜>", "<｜end▁of▁sentence｜>", "<｜User｜>", "<｜Assistant｜>"]),
    ("Phi and GLM", &["<|system|>", "<|user|>", "<|assistant|>", "<|observation|>"]),
];

/// Each stretch of `text` that is spelled like a special token: byte range and the vocabulary that
/// reserves it. In order, without overlaps. Case counts, as it does for the vocabularies.
pub fn special_lookalikes(text: &str) -> Vec<(Range<usize>, &'static str)> {
    static PATTERN: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let spellings = SPELLINGS.iter().flat_map(|(_, spellings)| *spellings);
        Regex::new(&spellings.map(|spelling| regex::escape(spelling)).collect::<Vec<_>>().join("|")).ok()
    });
    let matches = PATTERN.iter().flat_map(|pattern| pattern.find_iter(text));
    matches.filter_map(|found| Some((found.range(), vocabulary_of(found.as_str())?))).collect()
}

fn vocabulary_of(spelling: &str) -> Option<&'static str> {
    SPELLINGS.iter().find(|(_, spellings)| spellings.contains(&spelling)).map(|(vocabulary, _)| *vocabulary)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_are_found_where_they_stand() {
        let text = "a <|endoftext|> b [INST] é<｜User｜> <|START|> <|nothing|> [inst]";
        let found = special_lookalikes(text).into_iter().map(|(range, kind)| (&text[range], kind)).collect::<Vec<_>>();
        assert_eq!(found, [("<|endoftext|>", "OpenAI"), ("[INST]", "Llama 2 and Mistral"), ("<｜User｜>", "DeepSeek")]);
    }

    #[test]
    fn every_listed_spelling_is_found_whole() {
        for (vocabulary, spellings) in SPELLINGS {
            for spelling in *spellings {
                assert_eq!(special_lookalikes(spelling), [(0..spelling.len(), *vocabulary)], "{spelling}");
            }
        }
        assert_eq!(special_lookalikes("plain <text> with [brackets] and <|pipes|>"), []);
    }
}
