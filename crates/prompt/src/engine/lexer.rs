//! Text of a template to tokens, with the states of the Handlebars.js 4.7.8 lexer.
//!
//! The states are `Text` (between tags), `Tag` (inside one), `Escaped` (after `\{{`) and `Raw` (inside
//! `{{{{name}}}}`); comments are read whole. Where the original leaves the order of its rules to a
//! regular expression's backtracking, the rule is written out here, so that reading stays linear:
//! [`Lexer::steps`] counts the bytes looked at, and a test compares the counts of growing inputs.

use std::borrow::Cow;

use super::characters::{
    closed_length, ends_literal, ends_name, inverse_length, is_space, is_word, name_length, number_length, space_length,
};
use super::tokens::{Kind, LexicalError, Token};

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Text,
    Tag,
    Escaped,
    Raw,
}

/// The tokens of one source, read on demand.
pub(super) struct Lexer<'s> {
    source: &'s str,
    at: usize,
    states: Vec<State>,
    steps: usize,
}

impl<'s> Lexer<'s> {
    pub(super) fn new(source: &'s str) -> Self {
        Self { source, at: 0, states: vec![State::Text], steps: 0 }
    }

    /// Bytes looked at so far, each as often as it was looked at.
    #[cfg(test)]
    pub(super) fn steps(&self) -> usize {
        self.steps
    }

    /// The next token; [`Kind::End`] for ever at the end.
    pub(super) fn next(&mut self) -> Result<Token<'s>, LexicalError> {
        loop {
            let token = match self.states.last() {
                Some(State::Tag) => self.tag()?,
                Some(State::Escaped) => Some(self.escaped()?),
                Some(State::Raw) => Some(self.raw()?),
                Some(State::Text) | None => self.text()?,
            };
            if let Some(token) = token {
                return Ok(token);
            }
        }
    }

    fn rest(&self) -> &'s str {
        &self.source[self.at..]
    }

    /// Takes `length` bytes as a token of `kind`.
    fn take(&mut self, kind: Kind, length: usize) -> Token<'s> {
        let start = self.at;
        self.at += length;
        self.steps += length;
        Token { kind, start, end: self.at, text: Cow::Borrowed(&self.source[start..self.at]) }
    }

    fn take_and_leave(&mut self, kind: Kind, length: usize) -> Token<'s> {
        self.states.pop();
        self.take(kind, length)
    }

    fn find(&mut self, from: usize, needle: &str) -> Option<usize> {
        let found = self.source[from..].find(needle).map(|at| from + at);
        self.steps += found.unwrap_or(self.source.len()) - from;
        found
    }

    /// A NUL in text belongs to no rule of the original.
    fn refuse_nul(&mut self, end: usize) -> Result<(), LexicalError> {
        self.steps += end - self.at;
        match self.source.as_bytes()[self.at..end].iter().position(|byte| *byte == 0) {
            Some(at) => {
                Err(LexicalError { offset: self.at + at, message: "a NUL character stands in the text: take it out" })
            }
            None => Ok(()),
        }
    }

    /// Text up to the next `{{`. Backslashes before it decide what the `{{` is.
    fn text(&mut self) -> Result<Option<Token<'s>>, LexicalError> {
        let Some(open) = self.find(self.at, "{{") else {
            let end = self.source.len();
            if self.at == end {
                return Ok(Some(self.take(Kind::End, 0)));
            }
            self.refuse_nul(end)?;
            return Ok(Some(self.take(Kind::Content, end - self.at)));
        };
        self.refuse_nul(open)?;
        let before = &self.source[self.at..open];
        // `\{{` is text; `\\{{` is a backslash and a tag. One backslash goes in both.
        let escapes = before.ends_with('\\');
        self.states.push(if escapes && !before.ends_with("\\\\") { State::Escaped } else { State::Tag });
        let mut token = self.take(Kind::Content, open - self.at);
        if escapes {
            token.end -= 1;
            token.text = Cow::Borrowed(&self.source[token.start..token.end]);
        }
        Ok((!token.text.is_empty()).then_some(token))
    }

    /// After `\{{`: text from the braces up to the next `{{`, `\{{` or `\\{{`.
    fn escaped(&mut self) -> Result<Token<'s>, LexicalError> {
        let least = self.at + 2;
        let mut end = self.find(least, "{{").unwrap_or(self.source.len());
        if end < self.source.len() {
            for _ in 0..2 {
                if end > least && self.source.as_bytes()[end - 1] == b'\\' {
                    end -= 1;
                }
            }
        }
        self.refuse_nul(end)?;
        Ok(self.take_and_leave(Kind::Content, end - self.at))
    }

    /// Inside a raw block: its end, the start of a nested one, or text.
    fn raw(&mut self) -> Result<Token<'s>, LexicalError> {
        let unclosed =
            LexicalError { offset: self.at, message: "a raw block is never closed: add {{{{/name}}}} with its name" };
        let rest = self.rest();
        if let Some(after) = rest.strip_prefix("{{{{") {
            if after.chars().next().is_some_and(|next| next != '/') {
                self.states.push(State::Raw);
                return Ok(self.take(Kind::Content, 4));
            }
            let name = after.strip_prefix('/').map_or(0, name_length);
            self.steps += name;
            if name > 0 && after[1 + name..].starts_with("}}}}") {
                self.states.pop();
                let inner = self.states.last() == Some(&State::Raw);
                let mut token = self.take(if inner { Kind::Content } else { Kind::EndRaw }, 4 + 1 + name + 4);
                if !inner {
                    token.text = Cow::Borrowed(&self.source[token.start + 5..token.end - 4]);
                }
                return Ok(token);
            }
        }
        let Some(first) = rest.chars().next() else { return Err(unclosed) };
        let end = self.find(self.at + first.len_utf8(), "{{{{").ok_or(unclosed)?;
        self.refuse_nul(end)?;
        Ok(self.take(Kind::Content, end - self.at))
    }

    /// One token inside a tag, or `None` for white space.
    fn tag(&mut self) -> Result<Option<Token<'s>>, LexicalError> {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Ok(Some(self.take(Kind::End, 0))) };
        if rest.starts_with("{{") {
            return self.opening().map(Some);
        }
        let token = match first {
            '(' => self.take(Kind::OpenCall, 1),
            ')' => self.take(Kind::CloseCall, 1),
            '}' if rest.starts_with("}}}}") => {
                self.states.pop();
                self.states.push(State::Raw);
                self.take(Kind::CloseRaw, 4)
            }
            '}' if rest.starts_with("}}}") => self.take_and_leave(Kind::CloseUnescaped, 3),
            '}' if rest.starts_with("}~}}") => self.take_and_leave(Kind::CloseUnescaped, 4),
            '}' if rest.starts_with("}}") => self.take_and_leave(Kind::Close, 2),
            '~' if rest.starts_with("~}}") => self.take_and_leave(Kind::Close, 3),
            '=' => self.take(Kind::Equals, 1),
            '.' if rest.starts_with("..") => self.take(Kind::Id, 2),
            '.' if rest[1..].starts_with(ends_name) => self.take(Kind::Id, 1),
            '.' | '/' => self.take(Kind::Separator, 1),
            '"' | '\'' => self.quoted(first),
            '[' => self.bracketed(),
            '@' => self.take(Kind::Data, 1),
            '|' => self.take(Kind::CloseParams, 1),
            _ if is_space(first) => {
                let length = space_length(rest);
                self.at += length;
                self.steps += length;
                return Ok(None);
            }
            _ => self.word(first),
        };
        Ok(Some(token))
    }

    /// A literal word, a number, the `as |` of block parameters, or a name.
    fn word(&mut self, first: char) -> Token<'s> {
        let rest = self.rest();
        for (word, kind) in
            [("true", Kind::Boolean), ("false", Kind::Boolean), ("undefined", Kind::Undefined), ("null", Kind::Null)]
        {
            if rest.strip_prefix(word).is_some_and(|after| after.starts_with(ends_literal)) {
                return self.take(kind, word.len());
            }
        }
        let number = number_length(rest);
        if number > 0 {
            return self.take(Kind::Number, number);
        }
        if let Some(after) = rest.strip_prefix("as") {
            let space = space_length(after);
            if space > 0 && after[space..].starts_with('|') {
                return self.take(Kind::OpenParams, 2 + space + 1);
            }
        }
        let name = name_length(rest);
        self.steps += name;
        if name > 0 && rest[name..].starts_with(ends_name) {
            return self.take(Kind::Id, name);
        }
        self.take(Kind::Invalid, first.len_utf8())
    }

    /// `"…"` or `'…'`, where a backslash keeps a quote inside.
    fn quoted(&mut self, quote: char) -> Token<'s> {
        let Some(length) = closed_length(self.rest(), quote) else {
            self.steps += self.rest().len();
            return self.take(Kind::Invalid, 1);
        };
        let mut token = self.take(Kind::Text, length);
        let inner = &self.source[token.start + 1..token.end - 1];
        let escaped = if quote == '"' { "\\\"" } else { "\\'" };
        token.text = if inner.contains(escaped) {
            Cow::Owned(inner.replace(escaped, if quote == '"' { "\"" } else { "'" }))
        } else {
            Cow::Borrowed(inner)
        };
        token
    }

    /// `[any name]`; `\]` and `\\` stand for the character after the backslash.
    fn bracketed(&mut self) -> Token<'s> {
        let Some(length) = closed_length(self.rest(), ']') else {
            self.steps += self.rest().len();
            return self.take(Kind::Invalid, 1);
        };
        let mut token = self.take(Kind::Id, length);
        if token.text.contains('\\') {
            let mut plain = String::with_capacity(length);
            let mut rest = token.text.chars().peekable();
            while let Some(next) = rest.next() {
                match rest.peek() {
                    Some(&kept @ ('\\' | ']')) if next == '\\' => {
                        plain.push(kept);
                        rest.next();
                    }
                    _ => plain.push(next),
                }
            }
            token.text = Cow::Owned(plain);
        }
        token
    }

    /// Whatever begins with `{{`, in the order in which the original tries its rules.
    fn opening(&mut self) -> Result<Token<'s>, LexicalError> {
        let rest = self.rest();
        if rest.starts_with("{{{{") {
            return Ok(self.take(Kind::OpenRaw, 4));
        }
        let tilde = if rest[2..].starts_with('~') { 3 } else { 2 };
        let after = &rest[tilde..];
        let space = space_length(after);
        self.steps += space;
        let simple = |kind, length| (kind, tilde + length);
        let (kind, length) = if after.starts_with('>') {
            simple(Kind::OpenPartial, 1)
        } else if after.starts_with("#>") {
            simple(Kind::OpenPartialBlock, 2)
        } else if after.starts_with("#*") {
            simple(Kind::OpenBlock, 2)
        } else if after.starts_with('#') {
            simple(Kind::OpenBlock, 1)
        } else if after.starts_with('/') {
            simple(Kind::OpenEndBlock, 1)
        } else if let Some(length) = inverse_length(after, "^").or_else(|| inverse_length(&after[space..], "else")) {
            return Ok(self.take_and_leave(Kind::Inverse, tilde + space + length));
        } else if after.starts_with('^') {
            simple(Kind::OpenInverse, 1)
        } else if after[space..].strip_prefix("else").is_some_and(|next| !next.starts_with(is_word)) {
            simple(Kind::OpenInverseChain, space + 4)
        } else if after.starts_with('{') {
            simple(Kind::OpenUnescaped, 1)
        } else if after.starts_with('&') {
            simple(Kind::Open, 1)
        } else if after.starts_with("!--") {
            return self.dashed_comment(tilde);
        } else if let Some(end) = after.starts_with('!').then(|| self.find(self.at + tilde + 1, "}}")).flatten() {
            return Ok(self.take_and_leave(Kind::Comment, end + 2 - self.at));
        } else if after.starts_with('*') {
            simple(Kind::Open, 1)
        } else {
            simple(Kind::Open, 0)
        };
        Ok(self.take(kind, length))
    }

    /// `{{!-- … --}}`. The dashes that open it may also be those that close it.
    fn dashed_comment(&mut self, tilde: usize) -> Result<Token<'s>, LexicalError> {
        let mut from = self.at + tilde + 1;
        while let Some(dashes) = self.find(from, "--") {
            let after = &self.source[dashes + 2..];
            if let Some(length) =
                [("}}", 2), ("~}}", 3)].into_iter().find_map(|(end, n)| after.starts_with(end).then_some(n))
            {
                return Ok(self.take_and_leave(Kind::Comment, dashes + 2 + length - self.at));
            }
            from = dashes + 1;
        }
        Err(LexicalError {
            offset: self.at,
            message: "a comment that begins with {{!-- is never closed: end it with --}}",
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

    use super::*;

    /// Bytes looked at until the end, or until nothing fits: the parser reads no further, either.
    fn steps(source: &str) -> usize {
        let mut lexer = Lexer::new(source);
        while lexer.next().is_ok_and(|token| !matches!(token.kind, Kind::End | Kind::Invalid)) {}
        lexer.steps()
    }

    #[test]
    fn reading_looks_at_each_byte_a_bounded_number_of_times() {
        let units = [
            "{",
            "}",
            "{{",
            "}}",
            "{{a}}",
            "\\{{",
            "\\\\{{a}}",
            "{{!",
            "{{!--",
            "{{!-- --}}",
            "{{\"",
            "{{\"\\\"",
            "{{[",
            "{{[\\]",
            "{{{{a}}}}",
            "{{{{a}}}}{{{{/",
            "{{{{a}}}}{{{{b}}}}",
            "{{{{/a}}}}",
            " ",
            "{{ ",
            "{{else ",
            "{{^ ",
            "-",
            "{{1",
            "{{as ",
            "~",
            "x",
            "{{a.",
            "=",
        ];
        for unit in units {
            let sizes: &[usize] = if unit.len() < 3 { &[10_000, 100_000, 1_000_000] } else { &[10_000, 100_000] };
            for &size in sizes {
                let source = unit.repeat(size / unit.len());
                let steps = steps(&source);
                assert!(steps <= 4 * source.len() + 16, "{unit:?} at {size} bytes takes {steps} steps");
            }
        }
    }

    #[test]
    fn a_backslash_before_braces_makes_text_and_two_make_one_and_a_tag() {
        let kinds = |source: &str| {
            let mut lexer = Lexer::new(source);
            let mut found = Vec::new();
            loop {
                let token = lexer.next().unwrap();
                if token.kind == Kind::End {
                    return found;
                }
                found.push((token.kind, token.start, token.text.into_owned()));
            }
        };
        assert_eq!(kinds("a\\{{b}}"), [(Kind::Content, 0, "a".into()), (Kind::Content, 2, "{{b}}".into())]);
        let tag = [(Kind::Open, 2, "{{".into()), (Kind::Id, 4, "b".into()), (Kind::Close, 5, "}}".into())];
        assert_eq!(kinds("\\\\{{b}}"), [&[(Kind::Content, 0, "\\".into())], &tag[..]].concat());
    }
}
