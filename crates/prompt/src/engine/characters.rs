//! Which characters belong together inside a tag: the regular expressions of the original's lexer,
//! written out.

/// The length of `word`, white space, an optional `~` and `}}`.
pub(super) fn inverse_length(text: &str, word: &str) -> Option<usize> {
    let after = text.strip_prefix(word)?;
    let space = space_length(after);
    let after = &after[space..];
    let close = if after.starts_with("}}") {
        2
    } else if after.starts_with("~}}") {
        3
    } else {
        return None;
    };
    Some(word.len() + space + close)
}

/// Bytes of a quoted or bracketed text with its ends. An escaped end closes it where no other does.
pub(super) fn closed_length(text: &str, close: char) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 1;
    let mut escaped = None;
    while at < bytes.len() {
        if bytes[at] == b'\\' && bytes.get(at + 1) == Some(&(close as u8)) {
            escaped = Some(at + 2);
            at += 2;
        } else if bytes[at] == close as u8 {
            return Some(at + 1);
        } else {
            at += 1;
        }
    }
    escaped
}

/// Bytes of a number that ends where a literal may end; 0 when there is none.
pub(super) fn number_length(text: &str) -> usize {
    let digits = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let sign = usize::from(text.starts_with('-'));
    let whole = digits(sign);
    if whole == 0 {
        return 0;
    }
    let whole = sign + whole;
    let fraction = if text[whole..].starts_with('.') { digits(whole + 1) } else { 0 };
    let length = if fraction > 0 { whole + 1 + fraction } else { whole };
    if text[length..].starts_with(ends_literal) { length } else { 0 }
}

pub(super) fn space_length(text: &str) -> usize {
    text.find(|c| !is_space(c)).unwrap_or(text.len())
}

pub(super) fn name_length(text: &str) -> usize {
    text.find(|c| !is_name(c)).unwrap_or(text.len())
}

/// White space as JavaScript's `\s` has it.
pub(super) fn is_space(c: char) -> bool {
    matches!(
        c,
        '\t'..='\r' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}' | '\u{feff}'
    )
}

pub(super) fn is_name(c: char) -> bool {
    !is_space(c)
        && !matches!(c, '!' | '"' | '#' | '%'..=',' | '.' | '/' | ';'..='>' | '@' | '['..='^' | '`' | '{'..='~')
}

pub(super) fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

pub(super) fn ends_name(c: char) -> bool {
    is_space(c) || matches!(c, '=' | '~' | '}' | '/' | '.' | ')' | '|')
}

pub(super) fn ends_literal(c: char) -> bool {
    is_space(c) || matches!(c, '~' | '}' | ')')
}
