//! An assumed interval for families whose vocabularies are not built in.
//!
//! There is no data behind these figures. Vocabularies of 100,000 to 260,000 tokens trained on the
//! same kinds of text agree roughly with one of `cl100k_base` and `o200k_base`, which differ from
//! each other by up to a factor of two outside English; so the interval reaches from 0.7 times the
//! smaller count to 1.5 times the larger, and the estimate is their mean. It is meant to be wide,
//! and its method says "assumed, no data".

use crate::claude::Interval;
use crate::tally::Tally;

/// The interval of a part of a text. It depends on the part alone.
pub(crate) fn assumed(part: &Tally) -> Interval {
    let (smaller, larger) = (part.cl100k.min(part.o200k), part.cl100k.max(part.o200k));
    Interval {
        low: (7 * smaller).div_euclid(10),
        point: (smaller + larger + 1).div_euclid(2),
        high: (15 * larger + 9).div_euclid(10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_spans_both_counts() {
        let part = Tally { cl100k: 20, o200k: 13, ..Tally::default() };
        // 0.7 × 13 = 9.1; (13 + 20) / 2 = 16.5; 1.5 × 20 = 30.
        assert_eq!(assumed(&part), Interval { low: 9, point: 17, high: 30 });
    }
}
