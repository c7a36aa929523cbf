//! Numbers and keys as JavaScript has them.

use super::characters::is_space;

/// A number as JavaScript prints it.
pub(super) fn number_text(number: f64) -> String {
    // Minus zero prints without its sign.
    ryu_js::Buffer::new().format(if number == 0.0 { 0.0 } else { number }).to_owned()
}

/// JavaScript's `Number(text)`.
pub(super) fn text_number(text: &str) -> f64 {
    let text = text.trim_matches(is_space);
    if let Some(radix) = text.get(..2).and_then(|prefix| match prefix {
        "0x" | "0X" => Some(16),
        "0o" | "0O" => Some(8),
        "0b" | "0B" => Some(2),
        _ => None,
    }) {
        let digits = &text[2..];
        let value = digits
            .chars()
            .try_fold(0.0, |sum, digit| digit.to_digit(radix).map(|digit| sum * f64::from(radix) + f64::from(digit)));
        return value.filter(|_| !digits.is_empty()).unwrap_or(f64::NAN);
    }
    match text {
        "" => 0.0,
        "Infinity" | "+Infinity" => f64::INFINITY,
        "-Infinity" => f64::NEG_INFINITY,
        // Rust also reads `inf` and `nan`; JavaScript does not.
        _ if text.contains(|c: char| !matches!(c, '0'..='9' | '.' | '+' | '-' | 'e' | 'E')) => f64::NAN,
        _ => text.parse().unwrap_or(f64::NAN),
    }
}

/// The index that a name stands for, when it is written as JavaScript writes that index.
pub(super) fn array_index(name: &str) -> Option<usize> {
    let canonical = !name.is_empty()
        && name.len() <= 10
        && name.bytes().all(|byte| byte.is_ascii_digit())
        && (name == "0" || !name.starts_with('0'));
    // The largest array index is 2^32 - 2.
    canonical.then(|| name.parse().ok()).flatten().filter(|index| *index < u32::MAX as usize)
}

/// Puts keys that are array indices first, ascending; the others keep their order.
pub(super) fn sort_keys<T>(entries: &mut [T], key: impl Fn(&T) -> &str) {
    if entries.iter().any(|entry| array_index(key(entry)).is_some()) {
        entries.sort_by_key(|entry| array_index(key(entry)).unwrap_or(usize::MAX));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_print_as_in_javascript() {
        let texts = [0.0, -0.0, 1.0, 3.5, 1e21, 1e20, 1e-7, 0.1 + 0.2, f64::NAN, f64::INFINITY].map(number_text);
        let expected =
            ["0", "0", "1", "3.5", "1e+21", "100000000000000000000", "1e-7", "0.30000000000000004", "NaN", "Infinity"];
        assert_eq!(texts, expected);
    }

    #[test]
    fn texts_become_numbers_as_in_javascript() {
        let numbers = ["", " 12 ", "0x1F", "0b11", ".5", "5.", "+1e3", "-Infinity"].map(text_number);
        assert_eq!(numbers.map(number_text), ["0", "12", "31", "3", "0.5", "5", "1000", "-Infinity"]);
        for text in ["inf", "nan", "1 2", "0x", "--1", "1e", "é"] {
            assert!(text_number(text).is_nan(), "{text:?} is no number");
        }
    }

    #[test]
    fn keys_that_are_array_indices_come_first() {
        let mut keys = ["b", "10", "01", "2", "-1", "4294967294", "4294967295", "0", ""];
        sort_keys(&mut keys, |key| key);
        assert_eq!(keys, ["0", "2", "10", "4294967294", "b", "01", "-1", "4294967295", ""]);
    }
}
