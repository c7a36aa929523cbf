//! Edits as they come from the editor: replacements at UTF-16 offsets.

use workspace::lint::Edit;

use crate::api::TextChange;

/// Applies `changes` to `text`. Offsets are UTF-16 units of `text` before any of them; they are in order and do
/// not overlap. Returns `None`, and changes nothing, when an offset is out of range, out of order or inside a
/// surrogate pair: the sender then does not hold this text.
pub(crate) fn apply(text: &str, changes: &[TextChange]) -> Option<String> {
    let mut cursor = Cursor { text, ascii: text.is_ascii(), byte: 0, unit: 0 };
    let mut result =
        String::with_capacity(text.len() + changes.iter().map(|change| change.insert.len()).sum::<usize>());
    for change in changes {
        let kept_from = cursor.byte;
        let from = cursor.advance_to(change.from)?;
        result.push_str(&text[kept_from..from]);
        result.push_str(&change.insert);
        cursor.advance_to(change.to)?;
    }
    result.push_str(&text[cursor.byte..]);
    Some(result)
}

/// Changes of `text` in bytes, as the editor takes them. They are in order, without overlaps, and between characters.
pub(crate) fn changes(text: &str, edits: &[Edit]) -> Vec<TextChange> {
    let mut from = (0, 0);
    let mut unit = |byte: usize| {
        from.1 += text[from.0..byte].chars().map(char::len_utf16).sum::<usize>();
        from.0 = byte;
        from.1 as u32
    };
    let changes =
        edits.iter().map(|edit| TextChange { from: unit(edit.start), to: unit(edit.end), insert: edit.insert.clone() });
    changes.collect()
}

/// A place in a text by both measures. Only moves forward, so that any number of changes costs one pass.
struct Cursor<'a> {
    text: &'a str,
    ascii: bool,
    byte: usize,
    unit: usize,
}

impl Cursor<'_> {
    fn advance_to(&mut self, unit: u32) -> Option<usize> {
        let unit = unit as usize;
        if unit < self.unit {
            return None;
        }
        if self.ascii {
            if unit > self.text.len() {
                return None;
            }
            (self.byte, self.unit) = (unit, unit);
            return Some(unit);
        }
        let mut rest = self.text[self.byte..].chars();
        while self.unit < unit {
            let next = rest.next()?;
            self.unit += next.len_utf16();
            self.byte += next.len_utf8();
        }
        (self.unit == unit).then_some(self.byte)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

    use proptest::prelude::*;

    use super::*;

    fn change(from: u32, to: u32, insert: &str) -> TextChange {
        TextChange { from, to, insert: insert.to_owned() }
    }

    #[test]
    fn offsets_count_utf16_units() {
        // The ship is two units.
        assert_eq!(apply("a🚢b", &[change(1, 3, "é"), change(4, 4, "!")]).as_deref(), Some("aéb!"));
        assert_eq!(apply("a🚢b", &[change(2, 2, "x")]), None, "inside a surrogate pair");
        assert_eq!(apply("ab", &[change(3, 3, "x")]), None, "past the end");
        assert_eq!(apply("ab", &[change(1, 1, "x"), change(0, 0, "y")]), None, "out of order");
        assert_eq!(apply("\r\n", &[change(1, 2, "")]).as_deref(), Some("\r"), "a CR is a character of its own");
    }

    #[test]
    fn bytes_become_units() {
        let edits = [(1, 5, "é"), (6, 6, "!")].map(|(start, end, insert)| Edit { start, end, insert: insert.into() });
        assert_eq!(changes("a🚢b", &edits), [change(1, 3, "é"), change(4, 4, "!")]);
    }

    proptest! {
        #[test]
        fn one_change_is_a_splice_of_utf16(text in "\\PC{0,40}", from in 0_usize..45, length in 0_usize..10, insert in "\\PC{0,5}") {
            let units: Vec<u16> = text.encode_utf16().collect();
            let to = from + length;
            let expected = (to <= units.len()).then(|| {
                let spliced: Vec<u16> =
                    units[..from].iter().copied().chain(insert.encode_utf16()).chain(units[to..].iter().copied()).collect();
                (String::from_utf16(&units[..from]), String::from_utf16(&units[to..]), String::from_utf16(&spliced))
            });
            let got = apply(&text, &[change(from as u32, to as u32, &insert)]);
            if let Some((Ok(_), Ok(_), Ok(spliced))) = expected {
                prop_assert_eq!(got, Some(spliced));
            } else {
                prop_assert_eq!(got, None);
            }
        }
    }
}
