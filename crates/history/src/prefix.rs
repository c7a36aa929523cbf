//! How far two assemblies begin alike, which is what a prompt cache can keep.

use blake3::hash;
use serde::Serialize;

use crate::assembly::{NewSection, PreviousSection};

/// The common beginning of two texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct CommonPrefix {
    /// Its length in bytes, to the last whole character.
    pub bytes: u64,
    /// Index of the new section with the first byte that is not part of it; `None` when there is none.
    pub breaks_at: Option<usize>,
}

/// The common beginning of the text of `old` and that of `new`, however each is divided into sections.
///
/// `load` gives the text of an old section by its index; it is called only for sections that may differ.
/// `None`, for a text that is not kept or damaged, ends the prefix there.
pub(crate) fn common_prefix(
    old: &[PreviousSection],
    new: &[NewSection<'_>],
    mut load: impl FnMut(usize) -> Option<String>,
) -> CommonPrefix {
    let mut bytes = 0;
    let (mut at, mut place) = (0, 0); // the old section, and the first of its bytes not yet compared
    let mut loaded: Option<(usize, String)> = None;
    for (index, section) in new.iter().enumerate() {
        let ends_here = |bytes| CommonPrefix { bytes, breaks_at: Some(index) };
        let mut rest: &str = &section.text;
        while !rest.is_empty() {
            let Some(before) = old.get(at) else { return ends_here(bytes) };
            if place == 0 && before.len == rest.len() as u64 && &before.hash.0 == hash(rest.as_bytes()).as_bytes() {
                bytes += before.len;
                at += 1;
                break;
            }
            if loaded.as_ref().is_none_or(|(index, _)| *index != at) {
                let Some(text) = load(at) else { return ends_here(bytes) };
                loaded = Some((at, text));
            }
            let Some((_, text)) = &loaded else { return ends_here(bytes) };
            let remaining = &text[place..];
            let equal = rest.bytes().zip(remaining.bytes()).take_while(|(new, old)| new == old).count();
            let whole = rest.floor_char_boundary(equal);
            bytes += whole as u64;
            if equal < rest.len().min(remaining.len()) {
                return ends_here(bytes);
            }
            rest = &rest[whole..];
            place += whole;
            if place == text.len() {
                (at, place) = (at + 1, 0);
            }
        }
    }
    CommonPrefix { bytes, breaks_at: None }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::borrow::Cow;

    use model::ContentHash;
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// The prefix, and which old texts were read for it.
    fn compare(old: &[&str], new: &[&str]) -> (CommonPrefix, Vec<usize>) {
        let before: Vec<_> = old
            .iter()
            .map(|text| PreviousSection { hash: ContentHash(hash(text.as_bytes()).into()), len: text.len() as u64 })
            .collect();
        let sections: Vec<_> = new
            .iter()
            .map(|text| NewSection {
                id: "s".into(),
                layer: None,
                title: "".into(),
                text: Cow::Borrowed(*text),
                tokens: None,
            })
            .collect();
        let mut read = Vec::new();
        let prefix = common_prefix(&before, &sections, |index| {
            read.push(index);
            Some(old[index].to_owned())
        });
        (prefix, read)
    }

    #[test]
    fn prefixes_by_hand() {
        for (old, new, bytes, breaks_at, read) in [
            (&["ab", "cd", "ef"][..], &["ab", "cx", "ef"][..], 3, Some(1), &[1][..]),
            (&["ab", "cd"], &["ab", "cd"], 4, None, &[]),
            (&["ab", "cd"], &["ab"], 2, None, &[]),
            (&["ab"], &["ab", "", "cd"], 2, Some(2), &[]),
            (&["abcd"], &["ab", "cd"], 4, None, &[0]),
            (&["ab", "cd"], &["abcd"], 4, None, &[0]),
            (&["ab", "cd"], &["abce"], 3, Some(0), &[0, 1]),
            (&[], &["a"], 0, Some(0), &[]),
            (&["a"], &[], 0, None, &[]),
            // é is C3 A9, è is C3 A8: half a character is no prefix
            (&["aé"], &["aè"], 1, Some(0), &[0]),
        ] {
            assert_eq!(compare(old, new), (CommonPrefix { bytes, breaks_at }, read.to_vec()), "{old:?} {new:?}");
        }
    }

    proptest! {
        #[test]
        fn it_is_the_prefix_of_the_joined_texts(
            old in vec("[abé]{0,4}", 0..6),
            new in vec("[abé]{0,4}", 0..6),
        ) {
            let (before, after) = (old.concat(), new.concat());
            let equal: usize = before
                .chars()
                .zip(after.chars())
                .take_while(|(old, new)| old == new)
                .map(|(character, _)| character.len_utf8())
                .sum();
            let mut end = 0;
            let breaks_at = new.iter().position(|text| {
                end += text.len();
                end > equal
            });
            let old: Vec<&str> = old.iter().map(String::as_str).collect();
            let new: Vec<&str> = new.iter().map(String::as_str).collect();
            prop_assert_eq!(compare(&old, &new).0, CommonPrefix { bytes: equal as u64, breaks_at });
        }
    }
}
