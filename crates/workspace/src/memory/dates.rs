//! Dates as they stand in headings and at the beginning of list items: `2025-03-01`, `2025/03/01`, `2025.03.01`.

use std::ops::Range;

/// A date in its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Dated {
    /// As `YYYY-MM-DD`.
    pub(super) date: String,
    /// Its bytes.
    pub(super) range: Range<usize>,
}

const LENGTH: usize = "2025-03-01".len();

/// The first date of `text`. A longer row of digits holds none, and neither does the 40th of a month.
pub(super) fn first(text: &str) -> Option<Dated> {
    let bytes = text.as_bytes();
    (0..bytes.len().saturating_sub(LENGTH - 1)).find_map(|at| {
        let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        if !digit(at) || (at > 0 && digit(at - 1)) || digit(at + LENGTH) {
            return None;
        }
        let date = of(bytes.get(at..at + LENGTH)?)?;
        Some(Dated { date, range: at..at + LENGTH })
    })
}

fn of(bytes: &[u8]) -> Option<String> {
    let separator = bytes[4];
    if !matches!(separator, b'-' | b'/' | b'.') || bytes[7] != separator {
        return None;
    }
    let number = |range: Range<usize>| std::str::from_utf8(&bytes[range]).ok()?.parse::<u16>().ok();
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let digits = [0..4, 5..7, 8..10].into_iter().flatten().all(|at: usize| bytes[at].is_ascii_digit());
    (digits && (1..=12).contains(&month) && (1..=31).contains(&day)).then(|| format!("{year:04}-{month:02}-{day:02}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_stand_alone_and_exist() {
        let date = |text| first(text).map(|dated| dated.date);
        assert_eq!(date("Dream — 2025-03-04").as_deref(), Some("2025-03-04"));
        assert_eq!(date("on 2025/3/4, then 2025.12.31").as_deref(), Some("2025-12-31"));
        for none in ["2025-13-01", "2025-01-40", "12025-01-01", "2025-01-011", "2025-01/01", "+025-01-01", "é2025-1-01"]
        {
            assert_eq!(date(none), None, "{none}");
        }
    }
}
