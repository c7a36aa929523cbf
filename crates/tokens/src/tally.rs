//! What is added up while counting: plain integers, so that the parts of a text sum to the whole
//! exactly.

use std::ops::{Add, AddAssign, Sub};

use crate::classes::Class;
use crate::encoding::visit_pieces;
use crate::{Cancel, CountError, Encoding, Tokenizer};

/// What has to be counted for a tokenizer. Also the part of a memo key that is not the text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Measure {
    /// Tokens of `cl100k_base`.
    Cl100k,
    /// Tokens of `o200k_base`, which are those of `o200k_harmony` too.
    O200k,
    /// Units by class, for Claude.
    Classes,
    /// Tokens of both encodings, for families without data.
    Both,
}

impl Measure {
    /// `None` when nothing is known about the tokenizer, so that there is nothing to count.
    pub(crate) fn of(tokenizer: Tokenizer) -> Option<Self> {
        match tokenizer {
            Tokenizer::Exact(encoding) | Tokenizer::Assumed(encoding) => Some(match encoding {
                Encoding::Cl100kBase => Self::Cl100k,
                Encoding::O200kBase | Encoding::O200kHarmony => Self::O200k,
            }),
            Tokenizer::ClaudeOlder | Tokenizer::ClaudeNewer => Some(Self::Classes),
            Tokenizer::Family(_) => Some(Self::Both),
            Tokenizer::Unknown => None,
        }
    }
}

/// Counts of a text. Fields that its [`Measure`] does not need stay zero. Differences may be
/// negative.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tally {
    /// Tokens of `cl100k_base`.
    pub(crate) cl100k: i64,
    /// Tokens of `o200k_base`.
    pub(crate) o200k: i64,
    /// Units by class.
    pub(crate) units: [i64; Class::COUNT],
    /// The part of [`Tally::weighted`] that lies in pieces with a long run of one letter.
    pub(crate) in_runs: i64,
}

impl Tally {
    /// Counts `text`.
    ///
    /// # Errors
    /// [`CountError::Cancelled`], see [`crate::count`].
    pub(crate) fn of(text: &str, measure: Measure, cancel: &dyn Cancel) -> Result<Self, CountError> {
        let mut tally = Self::default();
        if matches!(measure, Measure::Cl100k | Measure::Both) {
            tally.cl100k = i64::from(crate::count(text, Encoding::Cl100kBase, cancel)?);
        }
        if matches!(measure, Measure::O200k | Measure::Both) {
            tally.o200k = i64::from(crate::count(text, Encoding::O200kBase, cancel)?);
        }
        if measure == Measure::Classes {
            visit_pieces(text, Encoding::Cl100kBase, cancel, |piece, tokens| tally.add_piece(piece, tokens))?;
        }
        Ok(tally)
    }

    fn add_piece(&mut self, piece: &str, tokens: u32) {
        let class = Class::of_piece(piece);
        let mut units = [0_i64; Class::COUNT];
        if matches!(class, Class::Han | Class::Kana) {
            // Characters predict these scripts better than the tokens of a vocabulary that lacks
            // them.
            for c in piece.chars().filter(|c| !c.is_whitespace()) {
                let script = if Class::of(c) == Class::Kana { Class::Kana } else { Class::Han };
                units[script as usize] += 1;
            }
        } else {
            units[class as usize] = i64::from(tokens);
        }
        let piece_tally = Self { units, ..Self::default() };
        *self += piece_tally;
        if has_long_run(piece) {
            self.in_runs += piece_tally.weighted();
        }
    }

    /// The estimate for Claude's older tokenizer in thousandths of a token, before it is raised to
    /// one token.
    pub(crate) fn weighted(&self) -> i64 {
        Class::ALL.iter().map(|&class| class.weight() * self.units_of(class)).sum()
    }

    /// Units of one class.
    pub(crate) fn units_of(&self, class: Class) -> i64 {
        self.units[class as usize]
    }

    /// Units of all classes that `of_interest` picks.
    pub(crate) fn units_where(&self, of_interest: impl Fn(Class) -> bool) -> i64 {
        Class::ALL.iter().filter(|&&class| of_interest(class)).map(|&class| self.units_of(class)).sum()
    }
}

/// A run of sixteen or more equal letters: both Claude tokenizers need far more tokens for these
/// than the fit says.
fn has_long_run(piece: &str) -> bool {
    const LONG: usize = 16;
    if piece.len() < LONG {
        return false;
    }
    let mut run = 0;
    let mut previous = None;
    for c in piece.chars() {
        run = if previous == Some(c) { run + 1 } else { 1 };
        if run >= LONG && c.is_alphabetic() {
            return true;
        }
        previous = Some(c);
    }
    false
}

impl Add for Tally {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.cl100k += other.cl100k;
        self.o200k += other.o200k;
        self.in_runs += other.in_runs;
        for (mine, theirs) in self.units.iter_mut().zip(other.units) {
            *mine += theirs;
        }
    }
}

impl Sub for Tally {
    type Output = Self;

    fn sub(mut self, other: Self) -> Self {
        self.cl100k -= other.cl100k;
        self.o200k -= other.o200k;
        self.in_runs -= other.in_runs;
        for (mine, theirs) in self.units.iter_mut().zip(other.units) {
            *mine -= theirs;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failure here is the test's failure")]

    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::*;
    use crate::NeverCancel;

    #[derive(Deserialize)]
    struct Corpus {
        count: usize,
        rows: Vec<Row>,
    }

    #[derive(Deserialize)]
    struct Row {
        id: String,
        text: String,
        cl100k: u32,
        o200k: u32,
        units: BTreeMap<String, i64>,
        estimate: f64,
    }

    fn corpus() -> Corpus {
        serde_json::from_str(include_str!("../tests/data/claude_old_counts.json")).unwrap()
    }

    /// Units under the names of the fit, which counts the classes without data as `lat`.
    fn named(tally: &Tally) -> BTreeMap<String, i64> {
        let mut units = BTreeMap::new();
        for class in Class::ALL {
            let name = match class {
                Class::Latin | Class::LatinExtended | Class::Alphabetic | Class::Indic => "lat",
                Class::Digits => "dig",
                Class::Punctuation => "pun",
                Class::Space => "ws",
                Class::Han => "han",
                Class::Kana => "kana",
                Class::Hangul => "hang",
                Class::Arabic => "arab",
                Class::Emoji => "emo",
                Class::Symbols => "sym",
            };
            *units.entry(name.to_owned()).or_default() += tally.units_of(class);
        }
        units.retain(|_, count| *count != 0);
        units
    }

    #[test]
    fn the_fit_is_reproduced_row_by_row() {
        let corpus = corpus();
        assert_eq!(corpus.rows.len(), corpus.count);
        let mut failures = Vec::new();
        for row in corpus.rows {
            let tally = Tally::of(&row.text, Measure::Classes, &NeverCancel).unwrap();
            // The file prints three decimals, so thousandths compare as integers.
            let estimate = (row.estimate * 1000.0).round() as i64;
            if named(&tally) != row.units || tally.weighted().max(1000) != estimate {
                failures.push(format!(
                    "{}: {:?} {} for {:?} {estimate}",
                    row.id,
                    named(&tally),
                    tally.weighted(),
                    row.units
                ));
            }
            let both = Tally::of(&row.text, Measure::Both, &NeverCancel).unwrap();
            if (both.cl100k, both.o200k) != (i64::from(row.cl100k), i64::from(row.o200k)) {
                failures.push(format!("{}: {} and {}", row.id, both.cl100k, both.o200k));
            }
        }
        assert!(failures.is_empty(), "{}", failures.join("\n"));
    }

    #[test]
    fn sixteen_equal_letters_are_a_long_run() {
        assert!(has_long_run(&"a".repeat(16)) && has_long_run(&format!("b{}", "я".repeat(16))));
        assert!(!has_long_run(&"a".repeat(15)) && !has_long_run(&"-".repeat(99)) && !has_long_run(&"ab".repeat(99)));
    }
}
