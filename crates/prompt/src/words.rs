//! Places in a text, for people.

/// Line and column, both from 1 and the column in characters, of byte `offset` (or of the end).
pub(crate) fn place(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..text.floor_char_boundary(offset.min(text.len()))];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}
