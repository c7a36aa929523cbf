//! Replacements of ranges of a text.

use std::ops::Range;

/// What stands at a range afterwards. Ranges are bytes of the text before any edit of the same set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// The bytes that go.
    pub range: Range<usize>,
    /// What comes in their place.
    pub text: String,
}

impl Edit {
    /// An edit that puts `text` in the place of `range`.
    pub fn new(range: Range<usize>, text: impl Into<String>) -> Self {
        Self { range, text: text.into() }
    }

    /// An edit that puts `text` in before byte `at`.
    pub fn insert(at: usize, text: impl Into<String>) -> Self {
        Self::new(at..at, text)
    }
}

/// `text` with `edits` made. They are in order and do not overlap; every byte outside of them stays.
pub fn apply(text: &str, edits: &[Edit]) -> String {
    let mut result = String::with_capacity(text.len() + edits.iter().map(|edit| edit.text.len()).sum::<usize>());
    let mut at = 0;
    for edit in edits {
        result.push_str(&text[at..edit.range.start]);
        result.push_str(&edit.text);
        at = edit.range.end;
    }
    result.push_str(&text[at..]);
    result
}

/// The same edits with what stands there anyway left out at their ends. A character, and a CR LF, is never cut in
/// two. Edits that change nothing are dropped.
pub fn shrink(text: &str, edits: Vec<Edit>) -> Vec<Edit> {
    edits.into_iter().filter_map(|edit| shrink_one(text, &edit)).collect()
}

fn shrink_one(text: &str, edit: &Edit) -> Option<Edit> {
    let old = &text[edit.range.clone()];
    if old == edit.text {
        return None;
    }
    let new = &*edit.text;
    let same = |(a, b): &(char, char)| a == b;
    let mut front: usize = old.chars().zip(new.chars()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
    if old[..front].ends_with('\r') && (old[front..].starts_with('\n') || new[front..].starts_with('\n')) {
        front -= 1;
    }
    let (old_rest, new_rest) = (&old[front..], &new[front..]);
    let mut back: usize =
        old_rest.chars().rev().zip(new_rest.chars().rev()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
    let cut = |rest: &str, back: usize| {
        rest[rest.len() - back..].starts_with('\n') && rest[..rest.len() - back].ends_with('\r')
    };
    if cut(old_rest, back) || cut(new_rest, back) {
        back -= 1;
    }
    let range = edit.range.start + front..edit.range.end - back;
    Some(Edit::new(range, &new_rest[..new_rest.len() - back]))
}
