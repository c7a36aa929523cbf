//! Tokens: what the lexer gives to the parser.

use std::borrow::Cow;

/// The kinds of token, as the grammar names them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    End,
    Content,
    Comment,
    OpenRaw,
    CloseRaw,
    EndRaw,
    OpenPartial,
    OpenPartialBlock,
    /// `{{#`; `{{#*` when the token's text has the star.
    OpenBlock,
    OpenEndBlock,
    /// A whole `{{else}}` or `{{^}}`.
    Inverse,
    OpenInverse,
    /// `{{else` with more to come.
    OpenInverseChain,
    OpenUnescaped,
    /// `{{`, `{{&` or `{{*`.
    Open,
    CloseUnescaped,
    Close,
    OpenCall,
    CloseCall,
    Equals,
    Id,
    Separator,
    Text,
    Data,
    Boolean,
    Undefined,
    Null,
    Number,
    OpenParams,
    CloseParams,
    /// A character that fits nowhere.
    Invalid,
}

/// One token: its kind, and the bytes of the source that it stands for.
///
/// `text` is those bytes, except for strings (without quotes), bracketed names (unescaped) and the
/// end of a raw block (its name).
#[derive(Clone, Debug)]
pub(super) struct Token<'s> {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) text: Cow<'s, str>,
}

impl Token<'_> {
    /// `{{~`: white space before the tag goes.
    pub(super) fn strips_before(&self) -> bool {
        self.text.as_bytes().get(2) == Some(&b'~')
    }

    /// `~}}`: white space after the tag goes.
    pub(super) fn strips_after(&self) -> bool {
        let bytes = self.text.as_bytes();
        bytes.len() >= 3 && bytes[bytes.len() - 3] == b'~'
    }

    /// `{{*` or `{{#*`.
    pub(super) fn is_decorator(&self) -> bool {
        self.text.contains('*')
    }
}

/// Nothing at this offset fits any rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct LexicalError {
    pub(super) offset: usize,
    pub(super) message: &'static str,
}
