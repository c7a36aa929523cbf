//! Counting one long pre-token piece, exact, in chunks.
//!
//! A sequence of tokens is the byte-pair encoding of its bytes exactly when each two neighbours are
//! the encoding of theirs (corollary III of the `bpe` crate's README). So encodings of two chunks
//! can be put together where the last token of one and the first of the other pass that test. Where
//! they do not, the seam moves left by a token. Chunks bring two things: the count can stop between
//! them, and a run of one character, for which the encoder needs a microsecond a byte, is encoded
//! once, because its chunks are equal.

use bpe_openai::byte_pair_encoding::BytePairEncoding;

use crate::encoding::{SLICE_BYTES, stop_if};
use crate::{Cancel, CountError};

/// Pieces above this length are counted in chunks of this length.
pub(crate) const LONG_PIECE_BYTES: usize = 512;

/// Seams tried before a chunk is made twice as long. One or two are enough for all but contrived
/// text.
const SEAMS: usize = 8;

/// Tokens of one pre-token piece.
///
/// # Errors
/// [`CountError::Cancelled`], see [`crate::count`].
pub(crate) fn count_long_piece(piece: &[u8], bpe: &BytePairEncoding, cancel: &dyn Cancel) -> Result<usize, CountError> {
    let mut settled = 0; // tokens of piece[..begin], which nothing can change any more
    let mut begin = 0;
    let mut chunk = Chunk::encode(&piece[..LONG_PIECE_BYTES.min(piece.len())], bpe);
    let mut unchecked = 0;
    while begin + chunk.bytes.len() < piece.len() {
        if unchecked >= SLICE_BYTES {
            stop_if(cancel)?;
            unchecked = 0;
        }
        if let Some((kept, end, next)) = join(&chunk, &piece[begin..], bpe) {
            unchecked += end;
            settled += kept;
            begin += end;
            chunk = next;
        } else {
            let doubled = piece.len().min(begin + 2 * chunk.bytes.len());
            unchecked += doubled - begin;
            chunk = Chunk::encode(&piece[begin..doubled], bpe);
        }
    }
    Ok(settled + chunk.tokens.len())
}

/// A stretch of the piece and its encoding.
#[derive(Clone)]
struct Chunk<'a> {
    bytes: &'a [u8],
    tokens: Vec<u32>,
}

impl<'a> Chunk<'a> {
    fn encode(bytes: &'a [u8], bpe: &BytePairEncoding) -> Self {
        Self { bytes, tokens: bpe.encode_via_backtracking(bytes) }
    }
}

/// Looks for a seam near the end of `chunk`, which `rest` begins with. Gives the tokens of `chunk`
/// before the seam, the seam's offset in `rest`, and the chunk behind it.
fn join<'a>(chunk: &Chunk<'a>, rest: &'a [u8], bpe: &BytePairEncoding) -> Option<(usize, usize, Chunk<'a>)> {
    let mut seam = chunk.bytes.len();
    for (dropped, last) in chunk.tokens.iter().rev().take(SEAMS).enumerate() {
        let bytes = &rest[seam..rest.len().min(seam + LONG_PIECE_BYTES)];
        let next = if bytes == chunk.bytes { Chunk { bytes, ..chunk.clone() } } else { Chunk::encode(bytes, bpe) };
        if next.tokens.first().is_some_and(|first| are_neighbours(*last, *first, bpe)) {
            return Some((chunk.tokens.len() - dropped, seam, next));
        }
        seam -= bpe.token_len(*last);
    }
    None
}

/// True when the encoding of the two tokens' bytes is these two tokens.
fn are_neighbours(left: u32, right: u32, bpe: &BytePairEncoding) -> bool {
    let bytes = [bpe.token_bytes(left), bpe.token_bytes(right)].concat();
    bpe.encode_via_backtracking(&bytes) == [left, right]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::NeverCancel;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn chunks_count_as_the_whole(
            unit in prop_oneof![r"[a-zA-Z]{1,7}", r"[\-=*/^_#]{1,5}", r"[ \n]{1,3}", r"(?s)\p{any}{1,4}"],
            other in r"[a-c\-= é中]{0,40}",
            times in 100_usize..2500,
            seed in prop::collection::vec(0_u8..4, 1..64),
        ) {
            // A long run with a few changes strewn in, and the pure run.
            let mut text = String::new();
            for n in 0..times {
                text.push_str(&unit);
                if n % 97 < usize::from(seed[n % seed.len()]) {
                    text.push_str(&other);
                }
            }
            for bpe in [&bpe_openai::cl100k_base().bpe, &bpe_openai::o200k_base().bpe] {
                for text in [text.as_bytes(), unit.repeat(times).as_bytes()] {
                    prop_assert_eq!(count_long_piece(text, bpe, &NeverCancel), Ok(bpe.count(text)));
                }
            }
        }
    }
}
