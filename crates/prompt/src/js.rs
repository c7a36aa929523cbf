//! What JavaScript does where the target's bytes depend on it: white space, paths, times, order of texts.
//!
//! Sources: ECMA-262 (`String.prototype.trim`, `Date.prototype.toISOString`), Node 20 (`path.posix.resolve`,
//! `fs.Stats.mtimeMs`) and libuv's conversion of times.

use std::cmp::Ordering;

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// ECMA-262 `WhiteSpace` and `LineTerminator`: what `trim` takes away and `\s` matches.
///
/// Not the set of [`char::is_whitespace`]: the BOM belongs to it, NEL (U+0085) does not.
pub(crate) fn is_space(c: char) -> bool {
    matches!(
        c,
        '\t' | '\n' | '\u{B}' | '\u{C}' | '\r' | ' ' | '\u{A0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200A}' | '\u{2028}' | '\u{2029}' | '\u{202F}' | '\u{205F}' | '\u{3000}' | '\u{FEFF}'
    )
}

/// ECMA-262 `LineTerminator`: what a regular expression's `.` does not match, and where `^` and `$` stand
/// with the flag `m`.
pub(crate) fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

/// `String.prototype.trim`.
pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// Byte range of `trim(&text[range])` in `text`.
pub(crate) fn trim_range(text: &str, range: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + (part.len() - part.trim_start_matches(is_space).len());
    start..start + trim(part).len()
}

/// The order of `Array.prototype.sort` without a comparison: by UTF-16 units.
///
/// That is the order of the UTF-8 bytes, except that U+E000–U+FFFF (first byte EE or EF) come after the
/// characters beyond them (first byte F0–F4), whose units are surrogates.
pub(crate) fn utf16_order(a: &str, b: &str) -> Ordering {
    let rank = |byte: u8| if matches!(byte, 0xEE | 0xEF) { byte + 0x10 } else { byte };
    let differing = a.bytes().zip(b.bytes()).find(|(a, b)| a != b);
    differing.map_or_else(|| a.len().cmp(&b.len()), |(a, b)| rank(a).cmp(&rank(b)))
}

/// `fs.Stats.mtimeMs` as JavaScript prints it, from nanoseconds since 1970: Node adds seconds × 1000 and
/// nanoseconds ÷ 10⁶ as doubles.
pub(crate) fn mtime_ms(mtime_ns: i64) -> String {
    const SECOND: i64 = 1_000_000_000;
    let ms = mtime_ns.div_euclid(SECOND) as f64 * 1e3 + mtime_ns.rem_euclid(SECOND) as f64 / 1e6;
    ryu_js::Buffer::new().format(ms).to_owned()
}

/// The nanoseconds that a file has after `fs.utimesSync(path, new Date(ms))`: Node hands libuv seconds as a
/// double, and libuv keeps whole microseconds of its fraction.
pub(crate) fn utimes_ns(ms: f64) -> i64 {
    let seconds = ms / 1e3;
    let whole = seconds.trunc();
    let nanoseconds = ((seconds - whole) * 1e9).trunc() as i64;
    whole as i64 * 1_000_000_000 + (nanoseconds - nanoseconds % 1000)
}

/// `Date.prototype.toISOString`: UTC, three decimals, `Z`; years outside 0–9999 with sign and six digits.
pub(crate) fn iso_string(time: Timestamp) -> String {
    let time = TimeZone::UTC.to_datetime(time);
    let year = i32::from(time.year());
    let year = match year {
        0..=9999 => format!("{year:04}"),
        year => format!("{}{:06}", if year < 0 { '-' } else { '+' }, year.abs()),
    };
    format!(
        "{year}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
        time.month(),
        time.day(),
        time.hour(),
        time.minute(),
        time.second(),
        time.millisecond()
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

    use super::*;

    #[test]
    fn trim_takes_javascripts_set() {
        assert_eq!(trim("\u{FEFF}\u{A0}\u{2028}\u{3000}\u{B}a\u{85}\r\n\t "), "a\u{85}", "NEL is no white space");
        assert_eq!(trim("\u{180E}\u{200B}"), "\u{180E}\u{200B}", "neither is the zero-width space");
        assert_eq!(trim_range("-- x --", 2..5), 3..4);
        assert_eq!(trim_range("--   --", 2..5), 5..5, "nothing is left");
    }

    #[test]
    fn times_print_as_doubles() {
        assert_eq!(mtime_ms(1_700_000_000_000_000_000), "1700000000000");
        assert_eq!(mtime_ms(1_700_000_000_003_999_000), "1700000000003.999");
        // The double next to 1700000000000.123456 is …000.1235 (its spacing there is 2⁻¹² ms).
        assert_eq!(mtime_ms(1_700_000_000_000_123_456), "1700000000000.1235");
        assert_eq!(mtime_ms(-1_500_000), "-1.5");
        assert_eq!(mtime_ms(0), "0");
    }

    #[test]
    fn setting_a_time_loses_what_libuv_loses() {
        assert_eq!(utimes_ns(1_700_000_000_000.0), 1_700_000_000_000_000_000);
        assert_eq!(utimes_ns(1_700_000_000_004.0), 1_700_000_000_003_999_000, "4 ms are 3.999… in a double");
        assert_eq!(utimes_ns(1_700_000_000_005.0), 1_700_000_000_005_000_000);
    }

    #[test]
    fn dates_print_in_utc() {
        let time: Timestamp = "2025-03-04T05:06:07.0899+02:00".parse().unwrap();
        assert_eq!(iso_string(time), "2025-03-04T03:06:07.089Z");
    }

    #[test]
    fn order_is_by_utf16_units() {
        // U+FF5E sorts after U+1F6A2 by units (the latter begins with D83D), before it by characters.
        assert_eq!(utf16_order("\u{FF5E}", "\u{1F6A2}"), Ordering::Greater);
        let texts = [
            "",
            "a",
            "a-b",
            "a:",
            "\u{E9}",
            "\u{D7FF}",
            "\u{E000}",
            "\u{FFFD}",
            "\u{10000}",
            "\u{10FFFF}",
            "\u{E001}x",
            "\u{E001}y",
        ];
        for (a, b) in texts.iter().flat_map(|a| texts.iter().map(move |b| (*a, *b))) {
            assert_eq!(utf16_order(a, b), a.encode_utf16().cmp(b.encode_utf16()), "{a:?} {b:?}");
        }
    }
}
