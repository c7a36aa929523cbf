//! Dates as they stand in headings and at the beginning of list items: `2025-03-01`, `2025/03/01`, `2025.03.01`,
//! `2025年3月1日`.

use std::ops::Range;

/// A date in its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Dated {
    /// As `YYYY-MM-DD`.
    pub(crate) date: String,
    /// Its bytes.
    pub(crate) range: Range<usize>,
}

const LENGTH: usize = "2025-03-01".len();

/// The first date of `text`. A longer row of digits holds none, and neither does the 40th of a month.
pub(crate) fn first(text: &str) -> Option<Dated> {
    (0..text.len()).find_map(|start| at(text, start))
}

/// The date that begins at byte `at` of `text`.
pub(crate) fn at(text: &str, at: usize) -> Option<Dated> {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    if !digit(at) || (at > 0 && digit(at - 1)) {
        return None;
    }
    let plain = bytes.get(at..at + LENGTH).filter(|_| !digit(at + LENGTH)).and_then(of);
    let (date, length) = plain.map(|date| (date, LENGTH)).or_else(|| chinese(&text[at..]))?;
    Some(Dated { date, range: at..at + length })
}

/// The date in words that `text` begins with, and how many bytes it has.
fn chinese(text: &str) -> Option<(String, usize)> {
    let mut rest = text;
    let mut numbers = [0; 3];
    for ((number, sign), (least, most)) in numbers.iter_mut().zip(['年', '月', '日']).zip([(4, 4), (1, 2), (1, 2)]) {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        *number = rest[..digits].parse().ok().filter(|_| (least..=most).contains(&digits))?;
        rest = rest[digits..].strip_prefix(sign)?;
    }
    Some((exists(numbers)?, text.len() - rest.len()))
}

/// Year, month and day as `YYYY-MM-DD`.
fn exists([year, month, day]: [u16; 3]) -> Option<String> {
    ((1..=12).contains(&month) && (1..=31).contains(&day)).then(|| format!("{year:04}-{month:02}-{day:02}"))
}

fn of(bytes: &[u8]) -> Option<String> {
    let separator = bytes[4];
    if !matches!(separator, b'-' | b'/' | b'.') || bytes[7] != separator {
        return None;
    }
    let number = |range: Range<usize>| std::str::from_utf8(&bytes[range]).ok()?.parse::<u16>().ok();
    let digits = [0..4, 5..7, 8..10].into_iter().flatten().all(|at: usize| bytes[at].is_ascii_digit());
    if digits { exists([number(0..4)?, number(5..7)?, number(8..10)?]) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_stand_alone_and_exist() {
        let date = |text| first(text).map(|dated| dated.date);
        assert_eq!(date("Dream — 2025-03-04").as_deref(), Some("2025-03-04"));
        assert_eq!(date("on 2025/3/4, then 2025.12.31").as_deref(), Some("2025-12-31"));
        assert_eq!(date("夜间 — 2025年3月4日").as_deref(), Some("2025-03-04"));
        for none in [
            "2025-13-01",
            "2025-01-40",
            "12025-01-01",
            "2025-01-011",
            "2025-01/01",
            "+025-01-01",
            "é2025-1-01",
            "2025年13月1日",
            "2025年3月",
            "25年3月1日",
        ] {
            assert_eq!(date(none), None, "{none}");
        }
    }
}
