//! Which words two texts have in common, for finding texts that say nearly the same without comparing all with all.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// Texts of fewer words are the same or they are not: one word more or less is much of them.
const FEWEST: usize = 5;
/// How many least hashes stand for a text, and how many bands of two they make: two texts that share four fifths of
/// their words have a band in common in all but 3 of 10,000 cases.
const HASHES: usize = 16;
/// Share of words that two texts have in common, of all words of both, from which on they say nearly the same.
const NEARLY: f64 = 0.8;

/// The words of a text, without their order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Words {
    /// Hash of the words in their order.
    pub(super) in_order: u64,
    /// Hashes of the words, ascending, each once.
    set: Vec<u64>,
}

impl Words {
    /// The words of `text`: letter case, white space and punctuation aside. A character of a script without spaces is
    /// a word.
    pub(super) fn of(text: &str) -> Self {
        let mut set = Vec::new();
        let mut word = String::new();
        let mut in_order = DefaultHasher::new();
        let mut take = |word: &mut String| {
            if !word.is_empty() {
                let hash = hash(word.as_str());
                hash.hash(&mut in_order);
                set.push(hash);
                word.clear();
            }
        };
        for c in text.chars() {
            if is_ideograph(c) {
                take(&mut word);
                word.push(c);
                take(&mut word);
            } else if c.is_alphanumeric() {
                word.extend(c.to_lowercase());
            } else {
                take(&mut word);
            }
        }
        take(&mut word);
        let in_order = in_order.finish();
        set.sort_unstable();
        set.dedup();
        Self { in_order, set }
    }

    /// How many different words there are.
    pub(super) fn len(&self) -> usize {
        self.set.len()
    }

    /// Keys of which two texts that say nearly the same share at least one.
    pub(super) fn bands(&self) -> Vec<u64> {
        if self.set.len() < FEWEST {
            return Vec::new();
        }
        let least =
            |seed: usize| self.set.iter().map(|word| mix(word ^ mix(seed as u64 + 1))).min().unwrap_or_default();
        (0..HASHES / 2).map(|band| hash(&(band, least(2 * band), least(2 * band + 1)))).collect()
    }

    /// True when the two say nearly the same.
    pub(super) fn nearly(&self, other: &Self) -> bool {
        let (mut a, mut b, mut common) = (0, 0, 0usize);
        while let (Some(one), Some(two)) = (self.set.get(a), other.set.get(b)) {
            common += usize::from(one == two);
            a += usize::from(one <= two);
            b += usize::from(two <= one);
        }
        common as f64 >= NEARLY * (self.set.len() + other.set.len() - common) as f64
    }
}

fn is_ideograph(c: char) -> bool {
    matches!(u32::from(c), 0x2E80..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

fn hash<T: std::hash::Hash + ?Sized>(value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The finaliser of splitmix64 (Steele, Lea, Flood 2014): every bit of the number moves every bit of the result.
fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_fifths_of_the_words_are_nearly_the_same() {
        let words = |text| Words::of(text);
        assert_eq!(words("Likes PLUMS, very much!").in_order, words("likes plums very  much").in_order);
        assert!(words("a b c d e f g h i").nearly(&words("a b c d e f g h")), "8 of 9");
        assert!(words("a b c d e f g h").nearly(&words("a b c d e f g h i j")), "8 of 10");
        assert!(!words("a b c d e f g").nearly(&words("a b c d e f g h i")), "7 of 9");
        assert_eq!(words("喜欢李子").len(), 4);
    }
}
