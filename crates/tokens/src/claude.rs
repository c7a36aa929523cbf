//! Estimates for Claude, whose tokenizers are not public.
//!
//! **Older tokenizer.** Units by class of the `cl100k_base` pieces times fitted weights
//! ([`Class::weight`]). The interval is made to hold 90% of the 84 public texts of the fit and held
//! 31 of 33 texts kept out of it. All of them are short, and on so few the 90% is not firm. Source:
//! the `estimator` of `tests/data/claude_old_counts.json`.
//!
//! **Newer tokenizer.** No public counts exist, only ratios to the older one that others measured
//! (`new_over_old` of the same file). They disagree by up to a fifth on the same kind of text, so a
//! range is used, chosen by what the text is made of; see [`Ratios::chosen_by`]. The estimate is
//! its middle, the interval multiplies both uncertainties.
//!
//! All arithmetic is in integers, weights and factors in thousandths. Units add up, so estimates of
//! parts add up too; the *factors* are chosen once, by the whole text, and hold for every part of
//! it.

use crate::classes::Class;
use crate::tally::Tally;

/// Whole tokens, `low <= point <= high`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Interval {
    pub(crate) low: i64,
    pub(crate) point: i64,
    pub(crate) high: i64,
}

/// The estimate for the older tokenizer of `part`, a part of `whole` or all of it.
pub(crate) fn older(part: &Tally, whole: &Tally) -> Interval {
    let factors = Factors::chosen_by(whole);
    let estimate = part.weighted();
    Interval {
        low: (estimate * factors.low).div_euclid(MILLION),
        point: half_up(estimate, THOUSAND),
        // A long run of one letter may take 2.5 times the high bound: 1 of these is in `estimate`,
        // 1.5 are added.
        high: ceiling(factors.high * (2 * estimate + 3 * part.in_runs), 2 * MILLION),
    }
}

/// The estimate for the newer tokenizer of `part`, a part of `whole` or all of it.
pub(crate) fn newer(part: &Tally, whole: &Tally) -> Interval {
    /// 2.5 for the older tokenizer × 2.99, measured on 512 × "a", less the 1 that the sum below
    /// holds at least.
    const RUN_EXTRA: i64 = 7475 - THOUSAND;
    let factors = Factors::chosen_by(whole);
    let ratios = Ratios::chosen_by(whole);
    let (mut low, mut high) = (0, 0);
    for class in Class::ALL {
        let estimate = class.weight() * part.units_of(class);
        let range = ratios.of(class);
        low += estimate * range.low;
        high += estimate * range.high;
    }
    Interval {
        low: (low * factors.low).div_euclid(THOUSAND * MILLION),
        point: half_up(low + high, 2 * MILLION),
        high: ceiling(factors.high * (high + part.in_runs * RUN_EXTRA), THOUSAND * MILLION),
    }
}

/// A range of multipliers in thousandths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Range {
    low: i64,
    high: i64,
}

/// The interval round an estimate for the older tokenizer.
struct Factors;

impl Factors {
    /// Narrow for ASCII, wide for other text, and an assumption (0.6 to 1.4) where more than a
    /// tenth lies in classes without data. Above 60 tokens the level-95 factors hold, since
    /// rounding no longer widens the interval.
    fn chosen_by(whole: &Tally) -> Range {
        let all = whole.units_where(|_| true);
        if 10 * whole.units_where(Class::is_without_data) > all {
            return Range { low: 600, high: 1400 };
        }
        let is_long = whole.weighted() > 60 * THOUSAND;
        match (is_ascii_group(whole), is_long) {
            (true, false) => Range { low: 859, high: 1164 },
            (true, true) => Range { low: 837, high: 1195 },
            (false, false) => Range { low: 663, high: 1508 },
            (false, true) => Range { low: 608, high: 1645 },
        }
    }
}

/// The fit's group `ascii`: at least nine tenths of the units are letters, digits, punctuation and
/// white space. The classes without data count as letters here, as in the fit.
fn is_ascii_group(whole: &Tally) -> bool {
    let ascii = whole.units_where(|class| class.is_without_data() || is_western(class));
    10 * ascii >= 9 * whole.units_where(|_| true)
}

fn is_western(class: Class) -> bool {
    matches!(class, Class::Latin | Class::LatinExtended | Class::Digits | Class::Punctuation | Class::Space)
}

/// New tokens for one old token.
struct Ratios {
    western: Range,
}

impl Ratios {
    /// Western text is told apart by its share of punctuation and digits; the corpus of the fit has
    /// 0.07 to 0.20 of punctuation in prose and from 0.23 on in code and structured text.
    ///
    /// | composition | range | categories of the source it covers |
    /// |---|---|---|
    /// | digits ≥ 0.3 | 1.06–1.31 | uuid-hex, json-log |
    /// | punctuation ≤ 0.2 | 1.20–1.47 | English, German, French, Spanish prose; Markdown |
    /// | punctuation ≥ 0.3 | 1.13–1.36 | Python, TypeScript, other code; json-log |
    /// | between | 1.13–1.47 | all of these two rows |
    fn chosen_by(whole: &Tally) -> Self {
        let western = whole.units_where(is_western);
        let digits = whole.units_of(Class::Digits);
        let punctuation = whole.units_of(Class::Punctuation);
        let not_digits = western - digits;
        let range = |low, high| Self { western: Range { low, high } };
        if 10 * digits >= 3 * western {
            range(1060, 1310)
        } else if 10 * punctuation <= 2 * not_digits {
            range(1200, 1470)
        } else if 10 * punctuation >= 3 * not_digits {
            range(1130, 1360)
        } else {
            range(1130, 1470)
        }
    }

    fn of(&self, class: Class) -> Range {
        match class {
            Class::Han | Class::Kana | Class::Hangul => Range { low: 1000, high: 1010 },
            Class::Arabic | Class::Alphabetic | Class::Indic => Range { low: 1000, high: 1000 },
            Class::Emoji | Class::Symbols => Range { low: 1005, high: 1070 },
            Class::Latin | Class::LatinExtended | Class::Digits | Class::Punctuation | Class::Space => self.western,
        }
    }
}

const THOUSAND: i64 = 1000;
const MILLION: i64 = 1_000_000;

fn half_up(value: i64, unit: i64) -> i64 {
    (2 * value + unit).div_euclid(2 * unit)
}

fn ceiling(value: i64, unit: i64) -> i64 {
    -(-value).div_euclid(unit)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failure here is the test's failure")]

    use super::*;

    fn tally(units: &[(Class, i64)]) -> Tally {
        let mut tally = Tally::default();
        for (class, count) in units {
            tally.units[*class as usize] = *count;
        }
        tally
    }

    #[test]
    fn groups_of_the_public_corpus_are_reproduced() {
        #[derive(serde::Deserialize)]
        struct Corpus {
            rows: Vec<Row>,
        }
        #[derive(serde::Deserialize)]
        struct Row {
            id: String,
            text: String,
            group: String,
        }
        let corpus: Corpus = serde_json::from_str(include_str!("../tests/data/claude_old_counts.json")).unwrap();
        for row in corpus.rows {
            let tally = Tally::of(&row.text, crate::tally::Measure::Classes, &crate::NeverCancel).unwrap();
            assert_eq!(is_ascii_group(&tally), row.group == "ascii", "{}", row.id);
        }
    }

    #[test]
    fn the_interval_of_a_short_text_takes_the_narrow_factors() {
        // 20 letters and 2 marks: 20 × 1.181 + 2 × 1.225 = 26.07; × 0.859 = 22.39…; × 1.164 =
        // 30.34…
        let whole = tally(&[(Class::Latin, 20), (Class::Punctuation, 2)]);
        assert_eq!(older(&whole, &whole), Interval { low: 22, point: 26, high: 31 });
        // Prose, so × 1.20–1.47: 22.39… × 1.20 = 26.87; 26.07 × 1.335 = 34.80; 30.34… × 1.47 =
        // 44.60…
        assert_eq!(newer(&whole, &whole), Interval { low: 26, point: 35, high: 45 });
    }

    #[test]
    fn above_sixty_tokens_the_wider_factors_hold() {
        // 100 × 1.181 = 118.1; × 0.837 = 98.84…; × 1.195 = 141.12…
        let ascii = tally(&[(Class::Latin, 100)]);
        assert_eq!(older(&ascii, &ascii), Interval { low: 98, point: 118, high: 142 });
        // 100 × 1.071 = 107.1; × 0.608 = 65.11…; × 1.645 = 176.17…
        let han = tally(&[(Class::Han, 100)]);
        assert_eq!(older(&han, &han), Interval { low: 65, point: 107, high: 177 });
    }

    #[test]
    fn scripts_without_data_get_the_assumed_interval() {
        // 9 × 1.181 + 2 × 1.181 = 12.991 with 2 of 11 units in a class without data; × 0.6 = 7.79…;
        // × 1.4 = 18.18…
        let whole = tally(&[(Class::Latin, 9), (Class::Alphabetic, 2)]);
        assert_eq!(older(&whole, &whole), Interval { low: 7, point: 13, high: 19 });
    }

    #[test]
    fn a_long_run_of_one_letter_raises_the_high_bound_of_its_piece() {
        // 4 × 1.181 = 4.724, all of it in the run: high 4.724 × 1.164 × 2.5 = 13.74…
        let mut whole = tally(&[(Class::Latin, 4)]);
        whole.in_runs = whole.weighted();
        assert_eq!(older(&whole, &whole), Interval { low: 4, point: 5, high: 14 });
        // newer: 4.724 × 1.164 × (1.47 + 6.475) = 43.68…
        assert_eq!(newer(&whole, &whole).high, 44);
    }

    #[test]
    fn ranges_of_the_newer_tokenizer_follow_the_composition() {
        for (units, low, high) in [
            (&[(Class::Latin, 90), (Class::Punctuation, 10)][..], 1200, 1470),
            (&[(Class::Latin, 75), (Class::Punctuation, 25)], 1130, 1470),
            (&[(Class::Latin, 60), (Class::Punctuation, 40)], 1130, 1360),
            (&[(Class::Latin, 50), (Class::Digits, 50)], 1060, 1310),
        ] {
            assert_eq!(Ratios::chosen_by(&tally(units)).western, Range { low, high }, "{units:?}");
        }
    }
}
