//! Exact counts for the public encodings.
//!
//! A text is split into pieces by the encoding's own expression, and the tokens of the pieces add
//! up: that is the definition of the encoding, so walking the pieces is exact for every text and
//! can stop between any two. A single piece can be as long as the text ("-" a million times);
//! `long_piece` counts those.

use crate::Cancel;
use crate::long_piece::{LONG_PIECE_BYTES, count_long_piece};

/// The flag is looked at when this many bytes were counted since the last look.
pub(crate) const SLICE_BYTES: usize = 64 * 1024;

/// A public encoding of OpenAI.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Encoding {
    /// GPT-4 and GPT-3.5.
    Cl100kBase,
    /// GPT-4o and later.
    O200kBase,
    /// gpt-oss. It differs from `o200k_base` in its special tokens alone, so ordinary counts are
    /// equal.
    O200kHarmony,
}

impl Encoding {
    /// Every encoding.
    pub const ALL: [Self; 3] = [Self::Cl100kBase, Self::O200kBase, Self::O200kHarmony];

    /// The name tiktoken gives it, such as `o200k_base`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cl100kBase => "cl100k_base",
            Self::O200kBase => "o200k_base",
            Self::O200kHarmony => "o200k_harmony",
        }
    }

    /// The encoding with that tiktoken name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|encoding| encoding.name() == name)
    }

    fn tokenizer(self) -> &'static bpe_openai::Tokenizer {
        match self {
            Self::Cl100kBase => bpe_openai::cl100k_base(),
            Self::O200kBase | Self::O200kHarmony => bpe_openai::o200k_base(),
        }
    }
}

/// Why there is no count.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
pub enum CountError {
    /// The caller raised its [`Cancel`] flag.
    #[error("counting was cancelled")]
    Cancelled,
}

/// Tokens of `text`, exact.
///
/// Text that looks like a special token is counted as the text it is, as providers treat it
/// (tiktoken's `encode_ordinary`). The first use of an encoding loads its vocabulary, some 30 to 50
/// ms.
///
/// # Errors
/// [`CountError::Cancelled`] when `cancel` was raised; it is looked at every 64 KiB.
pub fn count(text: &str, encoding: Encoding, cancel: &dyn Cancel) -> Result<u32, CountError> {
    let mut total = 0_u32;
    visit_pieces(text, encoding, cancel, |_, tokens| total = total.saturating_add(tokens))?;
    Ok(total)
}

/// Calls `visit` with each pre-token piece of `text`, in order, and its tokens.
pub(crate) fn visit_pieces(
    text: &str,
    encoding: Encoding,
    cancel: &dyn Cancel,
    mut visit: impl FnMut(&str, u32),
) -> Result<(), CountError> {
    let tokenizer = encoding.tokenizer();
    let mut unchecked = SLICE_BYTES; // so that a raised flag stops even the shortest count
    for piece in tokenizer.split(text) {
        if unchecked >= SLICE_BYTES {
            stop_if(cancel)?;
            unchecked = 0;
        }
        unchecked += piece.len();
        let tokens = if piece.len() <= LONG_PIECE_BYTES {
            tokenizer.bpe.count(piece.as_bytes())
        } else {
            count_long_piece(piece.as_bytes(), &tokenizer.bpe, cancel)?
        };
        visit(piece, u32::try_from(tokens).unwrap_or(u32::MAX));
    }
    Ok(())
}

pub(crate) fn stop_if(cancel: &dyn Cancel) -> Result<(), CountError> {
    if cancel.is_cancelled() { Err(CountError::Cancelled) } else { Ok(()) }
}
