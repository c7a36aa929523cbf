//! Places where a text can be cut so that the tokens of the two parts add up to those of the whole.
//!
//! [`is_cut`] looks at the two characters around the place and at nothing else. So a cut stays a
//! cut whatever stands further away, and an edit moves only the cuts it touches.

use std::iter::FusedIterator;

/// True when the place between two neighbouring characters is a cut in every supported encoding.
///
/// The proof reads the expressions of `cl100k_base` and `o200k_base`, whose pieces are: a letter
/// run with one optional character before it that is no CR or LF, and an English contraction after
/// it; one to three digits; a symbol run with one optional space before it and CR, LF (and "/" in
/// o200k) after it; and white space. A cut must never lie inside a piece, and cutting must not
/// change the piece on its left; only white space is read together with what follows it.
///
/// 1. CR or LF, then neither white space nor "/": after a CR or LF a piece goes on with white space
///    or "/" alone. A piece that ends there ends so with any text behind it, because `\s*[\r\n]+`
///    goes before `\s+`.
/// 2. No white space, then white space other than CR and LF: no piece goes on so.
/// 3. An ASCII digit beside another ASCII character, in either order but not behind white space:
///    digits stand alone.
pub(crate) fn is_cut(before: char, after: char) -> bool {
    if before.is_whitespace() {
        return is_line_end(before) && !after.is_whitespace() && after != '/';
    }
    (after.is_whitespace() && !is_line_end(after))
        || (before.is_ascii() && after.is_ascii() && before.is_ascii_digit() != after.is_ascii_digit())
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

/// The first cut inside `text`, as a byte offset.
pub(crate) fn first_cut(text: &str) -> Option<usize> {
    let mut chars = text.char_indices();
    let (_, mut before) = chars.next()?;
    for (at, after) in chars {
        if is_cut(before, after) {
            return Some(at);
        }
        before = after;
    }
    None
}

/// The last cut inside `text`, as a byte offset.
pub(crate) fn last_cut(text: &str) -> Option<usize> {
    let mut chars = text.char_indices().rev();
    let (mut at, mut after) = chars.next()?;
    for (start, before) in chars {
        if is_cut(before, after) {
            return Some(at);
        }
        (at, after) = (start, before);
    }
    None
}

/// No slice but the last is shorter.
const SLICE_MIN: usize = 512;
/// From this length on the next cut is taken, chosen or not.
const SLICE_MAX: usize = 8 * 1024;
/// One cut in 128 is chosen, which makes slices of about 1 KiB in prose.
const CHOSEN_SHIFT: u32 = 57;

/// Splits `text` at cuts that its content chooses, so that after an edit the slices further on are
/// the same texts as before and are found in a memo. Slices concatenate to `text`; where no cut
/// exists a slice is as long as it must be.
pub(crate) fn slices(text: &str) -> Slices<'_> {
    Slices { rest: text }
}

pub(crate) struct Slices<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Slices<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        let (slice, rest) = self.rest.split_at(slice_end(self.rest));
        self.rest = rest;
        Some(slice)
    }
}

impl FusedIterator for Slices<'_> {}

fn slice_end(text: &str) -> usize {
    let start = text.ceil_char_boundary(SLICE_MIN);
    let Some(mut before) = text[..start].chars().next_back() else {
        return text.len();
    };
    for (offset, after) in text[start..].char_indices() {
        let at = start + offset;
        if is_cut(before, after) && (at >= SLICE_MAX || is_chosen(&text.as_bytes()[..at])) {
            return at;
        }
        before = after;
    }
    text.len()
}

/// Chooses by the eight bytes before a cut (multiplicative hashing, Knuth, TAOCP 3, 6.4).
fn is_chosen(before: &[u8]) -> bool {
    let Some(last) = before.last_chunk::<8>() else {
        return false;
    };
    u64::from_le_bytes(*last).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> CHOSEN_SHIFT == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_follow_the_three_rules() {
        for (before, after, expected) in [
            ('\n', 'a', true),
            ('\r', '中', true),
            ('\n', '/', false),
            ('\n', ' ', false),
            ('\r', '\n', false),
            ('a', ' ', true),
            ('.', '\t', true),
            ('中', '\u{3000}', true),
            ('a', '\n', false),
            ('a', 'b', false),
            (' ', 'a', false),
            ('7', 'a', true),
            ('-', '7', true),
            ('7', '\n', true),
            (' ', '7', false),
            ('7', '8', false),
            ('é', '7', false),
        ] {
            assert_eq!(is_cut(before, after), expected, "{before:?} {after:?}");
        }
    }

    #[test]
    fn cutting_leaves_the_pieces_as_they_were() {
        // One of each kind that the expressions tell apart. All texts of three characters before
        // the border and two behind it, so every context that a piece with a look-ahead can see.
        const KINDS: [char; 12] = ['a', 'B', '中', '\u{301}', '7', '-', '\'', '/', ' ', '\u{2028}', '\r', '\n'];
        let texts = |length: u32| {
            (0..KINDS.len().pow(length)).map(move |mut n| {
                let mut text = String::new();
                for _ in 0..length {
                    text.push(KINDS[n % KINDS.len()]);
                    n /= KINDS.len();
                }
                text
            })
        };
        let rights = texts(2).collect::<Vec<_>>();
        for tokenizer in [bpe_openai::cl100k_base(), bpe_openai::o200k_base()] {
            for left in texts(3) {
                for right in &rights {
                    let before = left.chars().next_back();
                    let after = right.chars().next();
                    if before.zip(after).is_some_and(|(before, after)| is_cut(before, after)) {
                        let whole = left.clone() + right;
                        let apart = tokenizer.split(&left).chain(tokenizer.split(right));
                        assert!(tokenizer.split(&whole).eq(apart), "{left:?} and {right:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn first_and_last_cut_are_found_from_both_ends() {
        let text = "ab cd ef";
        assert_eq!((first_cut(text), last_cut(text)), (Some(2), Some(5)));
        assert_eq!((first_cut("abcd"), last_cut("abcd")), (None, None));
        assert_eq!((first_cut(""), last_cut("")), (None, None));
    }

    #[test]
    fn an_edit_changes_few_slices() {
        let text =
            (0..40_000).map(|n| "line ".to_owned() + &(n * 7919 % 10_007).to_string() + " of it\n").collect::<String>();
        let mut edited = text.clone();
        edited.insert(text.len() / 2, 'x');
        let known = slices(&text).collect::<std::collections::HashSet<_>>();
        let new_bytes = slices(&edited).filter(|slice| !known.contains(slice)).map(str::len).sum::<usize>();
        assert!(text.len() > 600_000 && new_bytes <= 4 * SLICE_MAX, "{new_bytes} bytes in new slices");
        assert_eq!(slices(&edited).collect::<String>(), edited);
    }
}
