//! What stands inside a tag: a name, arguments, `key=value` pairs, block parameters, sub-expressions;
//! and what a name is bound to.

use std::borrow::Cow;
use std::sync::Arc;

use super::error::{ErrorClass, TemplateError};
use super::javascript::{number_text, sort_keys};
use super::nodes::{Builtin, Call, Callee, Expression, Hash, Path, Place, Root};
use super::parser::Parser;
use super::tokens::{Kind, Token};
use super::value::push_step;

/// Sub-expressions in sub-expressions: they are read and evaluated by recursion.
const MAX_CALLS: usize = 64;

/// Which parts a tag may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Plain,
    /// With `as |a b|`.
    Block,
    /// The name may be a sub-expression.
    Partial,
}

/// The inside of a tag.
pub(super) struct Head<'s> {
    pub(super) name: Name<'s>,
    pub(super) params: Vec<Expression>,
    pub(super) hash: Option<Hash>,
    pub(super) block_params: Option<Vec<Box<str>>>,
}

/// What a tag is named by.
pub(super) enum Name<'s> {
    Path(Segments),
    Text(Cow<'s, str>, Place),
    Number(f64, Place),
    Boolean(bool, Place),
    Undefined(Place),
    Null(Place),
    Call(Box<Call>),
}

/// A path before it is bound.
pub(super) struct Segments {
    data: bool,
    depth: usize,
    parts: Vec<Box<str>>,
    original: String,
    place: Place,
}

/// A name as an opening and a closing tag compare it: the number 1 is not the text "1".
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Label {
    Text(String),
    Number(f64),
    Boolean(bool),
    /// Also the label of a computed partial name, which has no text.
    Undefined,
    Null,
}

impl std::fmt::Display for Label {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(text) => out.write_str(text),
            Self::Number(number) => out.write_str(&number_text(*number)),
            Self::Boolean(value) => write!(out, "{value}"),
            Self::Undefined => out.write_str("undefined"),
            Self::Null => out.write_str("null"),
        }
    }
}

impl Name<'_> {
    pub(super) fn label(&self) -> Label {
        match self {
            Self::Path(segments) => Label::Text(segments.original.clone()),
            Self::Text(text, _) => Label::Text(text.clone().into_owned()),
            Self::Number(number, _) => Label::Number(*number),
            Self::Boolean(value, _) => Label::Boolean(*value),
            Self::Undefined(_) | Self::Call(_) => Label::Undefined,
            Self::Null(_) => Label::Null,
        }
    }

    /// A name where a path is needed: literals stand for their text.
    fn into_segments(self) -> Segments {
        let original = self.label().to_string();
        match self {
            Self::Path(segments) => segments,
            Self::Text(_, place)
            | Self::Number(_, place)
            | Self::Boolean(_, place)
            | Self::Undefined(place)
            | Self::Null(place) => {
                Segments { data: false, depth: 0, parts: vec![original.as_str().into()], original, place }
            }
            Self::Call(call) => Segments { data: false, depth: 0, parts: Vec::new(), original, place: call.place },
        }
    }
}

type Parsed<T> = Result<T, TemplateError>;

impl<'s> Parser<'s> {
    /// Name, arguments, pairs and block parameters, up to the end of the tag.
    pub(super) fn head(&mut self, shape: Shape) -> Parsed<Head<'s>> {
        let name = if shape == Shape::Partial && self.token.kind == Kind::OpenCall {
            Name::Call(Box::new(self.sub_expression(0)?))
        } else {
            self.name()?
        };
        let (params, hash) = self.arguments(0)?;
        let mut block_params = None;
        if shape == Shape::Block && self.token.kind == Kind::OpenParams {
            self.advance()?;
            let mut names = vec![plain(&self.expect(Kind::Id)?.text).0.into()];
            while self.token.kind == Kind::Id {
                names.push(plain(&self.advance()?.text).0.into());
            }
            self.expect(Kind::CloseParams)?;
            self.names_params = true;
            block_params = Some(names);
        }
        Ok(Head { name, params, hash, block_params })
    }

    /// A path, an `@` variable, or a literal.
    pub(super) fn name(&mut self) -> Parsed<Name<'s>> {
        let start = self.token.start;
        let place = start..self.token.end;
        Ok(match self.token.kind {
            Kind::Id => {
                let first = self.advance()?;
                Name::Path(self.segments(&first, false, start)?)
            }
            Kind::Data => {
                self.advance()?;
                let first = self.expect(Kind::Id)?;
                Name::Path(self.segments(&first, true, start)?)
            }
            Kind::Text => Name::Text(self.advance()?.text, place),
            // The lexer lets only digits through, so that reading them cannot fail.
            Kind::Number => Name::Number(self.advance()?.text.parse().unwrap_or(f64::NAN), place),
            Kind::Boolean => Name::Boolean(self.advance()?.text == "true", place),
            Kind::Undefined => {
                self.advance()?;
                Name::Undefined(place)
            }
            Kind::Null => {
                self.advance()?;
                Name::Null(place)
            }
            _ => return self.unexpected(),
        })
    }

    /// The segments of a path, the first of which has been read.
    fn segments(&mut self, first: &Token<'s>, data: bool, start: usize) -> Parsed<Segments> {
        let mut path = Segments { data, depth: 0, parts: Vec::new(), original: String::new(), place: start..first.end };
        if data {
            path.original.push('@');
        }
        let mut invalid = None;
        path.push(&first.text, &mut invalid);
        while self.token.kind == Kind::Separator {
            let separator = self.advance()?;
            let segment = self.expect(Kind::Id)?;
            path.original.push_str(&separator.text);
            path.place.end = segment.end;
            path.push(&segment.text, &mut invalid);
        }
        let ends = matches!(
            self.token.kind,
            Kind::CloseRaw
                | Kind::Close
                | Kind::CloseUnescaped
                | Kind::OpenCall
                | Kind::CloseCall
                | Kind::Id
                | Kind::OpenParams
                | Kind::Text
                | Kind::Number
                | Kind::Boolean
                | Kind::Undefined
                | Kind::Null
                | Kind::Data
        );
        // What follows is looked at before the path is judged.
        if !ends {
            return self.unexpected();
        }
        match invalid {
            Some(segment) => {
                let message =
                    format!("\"{segment}\" cannot stand after a name, in {}: begin the path with it", path.original);
                self.error(ErrorClass::InvalidPath, path.place.start, message)
            }
            None => Ok(path),
        }
    }

    /// Arguments, then pairs. Once a pair was read, only pairs may follow.
    fn arguments(&mut self, depth: usize) -> Parsed<(Vec<Expression>, Option<Hash>)> {
        let mut params = Vec::new();
        loop {
            match self.token.kind {
                Kind::Id => {
                    let start = self.token.start;
                    let first = self.advance()?;
                    if self.token.kind == Kind::Equals {
                        return Ok((params, Some(self.pairs(first, depth)?)));
                    }
                    let segments = self.segments(&first, false, start)?;
                    params.push(Expression::Path(self.bind(segments)));
                }
                Kind::OpenCall
                | Kind::Data
                | Kind::Text
                | Kind::Number
                | Kind::Boolean
                | Kind::Undefined
                | Kind::Null => params.push(self.argument(depth)?),
                _ => return Ok((params, None)),
            }
        }
    }

    fn argument(&mut self, depth: usize) -> Parsed<Expression> {
        if self.token.kind == Kind::OpenCall {
            return Ok(Expression::Call(Box::new(self.sub_expression(depth)?)));
        }
        Ok(match self.name()? {
            Name::Path(segments) => Expression::Path(self.bind(segments)),
            Name::Text(text, _) => Expression::Text(text.into()),
            Name::Number(number, _) => Expression::Number(number),
            Name::Boolean(value, _) => Expression::Boolean(value),
            Name::Undefined(_) => Expression::Undefined,
            Name::Null(_) => Expression::Null,
            Name::Call(call) => Expression::Call(call),
        })
    }

    fn pairs(&mut self, first: Token<'s>, depth: usize) -> Parsed<Hash> {
        let mut written = Vec::new();
        let mut key = first;
        loop {
            self.expect(Kind::Equals)?;
            let value = self.argument(depth)?;
            written.push((plain(&key.text).0.into(), value));
            if self.token.kind != Kind::Id {
                return Ok(keep_pairs(written));
            }
            key = self.advance()?;
        }
    }

    fn sub_expression(&mut self, depth: usize) -> Parsed<Call> {
        let open = self.advance()?;
        if depth >= MAX_CALLS {
            let message =
                format!("sub-expressions are nested more than {MAX_CALLS} deep: use a partial with key=value");
            return self.error(ErrorClass::Depth, open.start, message);
        }
        let name = self.name()?;
        let (params, hash) = self.arguments(depth + 1)?;
        let close = self.expect(Kind::CloseCall)?;
        let head = Head { name, params, hash, block_params: None };
        Ok(self.classify(head, open.start..close.end, Certainty::Helper))
    }

    /// The call of `{{name …}}` or `{{#name …}}`.
    pub(super) fn call(&mut self, head: Head<'s>, place: Place) -> Call {
        self.classify(head, place, Certainty::Open)
    }

    /// Decides what a name with its arguments is, as far as that can be known without values.
    fn classify(&mut self, head: Head<'s>, place: Place, certainty: Certainty) -> Call {
        let segments = head.name.into_segments();
        let first = segments.parts.first().cloned();
        let simple = segments.simple();
        let block_param = simple && first.as_deref().is_some_and(|name| self.block_param(name).is_some());
        let arguments = !head.params.is_empty() || head.hash.is_some();
        let builtin = first.as_deref().and_then(Builtin::named);
        let callee = if block_param {
            Callee::Value
        } else if certainty == Certainty::Helper || arguments || (simple && builtin.is_some()) {
            builtin.map_or(Callee::Helper, Callee::Builtin)
        } else if simple {
            Callee::Ambiguous
        } else {
            Callee::Value
        };
        Call { callee, path: self.bind(segments), params: head.params.into(), hash: head.hash, place }
    }

    /// The program and the position of a block parameter of this name.
    fn block_param(&self, name: &str) -> Option<Root> {
        self.scopes.iter().rev().enumerate().find_map(|(outward, names)| {
            let index = names.as_ref()?.iter().position(|known| &**known == name)?;
            Some(Root::Param { outward, index })
        })
    }

    /// Finds out where a path starts.
    fn bind(&mut self, segments: Segments) -> Path {
        self.looks_outward |= segments.depth > 0;
        let simple = segments.simple();
        let scoped = segments.scoped();
        let Segments { data, depth, mut parts, original, place } = segments;
        let first = parts.first().map(|part| &**part);
        let param = first.filter(|_| depth == 0 && !scoped).and_then(|name| self.block_param(name));
        let root = if let Some(param) = param {
            parts.remove(0);
            param
        } else if first.is_none_or(str::is_empty) {
            // `this`, `..`, and by the original's reading also the empty name `[]`.
            parts.clear();
            Root::Context(depth)
        } else if data {
            Root::Data(depth)
        } else {
            Root::Context(depth)
        };
        let mut shown = String::new();
        for part in &parts {
            push_step(&mut shown, part);
        }
        Path { root, parts: parts.into(), original: original.into(), shown: Arc::from(shown), simple, place }
    }
}

/// Whether a call may turn out to be a plain value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Certainty {
    /// Without arguments it may.
    Open,
    /// It stands in parentheses.
    Helper,
}

impl Segments {
    /// Adds a segment; remembers one that makes the path invalid.
    fn push(&mut self, token: &str, invalid: &mut Option<Box<str>>) {
        let (part, literal) = plain(token);
        if invalid.is_some() {
            return;
        }
        self.original.push_str(part);
        if literal || !matches!(part, ".." | "." | "this") {
            self.parts.push(part.into());
        } else if !self.parts.is_empty() {
            *invalid = Some(part.into());
        } else if part == ".." {
            self.depth += 1;
        }
    }

    /// The original's test for paths that are no plain name: a dot first, or the word `this` ends anywhere.
    fn scoped(&self) -> bool {
        let text = &self.original;
        text.starts_with('.')
            || text.match_indices("this").any(|(at, word)| {
                !text[at + word.len()..].starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_')
            })
    }

    fn simple(&self) -> bool {
        self.parts.len() == 1 && self.depth == 0 && !self.scoped()
    }
}

/// A name without its brackets, and whether it had any. Brackets around a line end stay, as in the original.
fn plain(token: &str) -> (&str, bool) {
    let line_end = ['\n', '\r', '\u{2028}', '\u{2029}'];
    match token.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')) {
        Some(inner) if !inner.contains(line_end) => (inner, true),
        _ => (token, false),
    }
}

/// The pairs that the original evaluates, in its order (see [`Hash`]).
fn keep_pairs(written: Vec<(Box<str>, Expression)>) -> Hash {
    let mut kept: Vec<(Box<str>, Expression)> = Vec::with_capacity(written.len());
    let mut known = std::collections::HashMap::new();
    for (key, value) in written.into_iter().rev() {
        // In JavaScript's object literal this one sets the prototype, which is never looked at.
        if &*key == "__proto__" {
            continue;
        }
        if let Some(&at) = known.get(&key) {
            let pair: &mut (Box<str>, Expression) = &mut kept[at];
            pair.1 = value;
        } else {
            known.insert(key.clone(), kept.len());
            kept.push((key, value));
        }
    }
    // The original writes the pairs as source text, and leaves out what reads `undefined` there.
    kept.retain(|(_, value)| !matches!(value, Expression::Undefined));
    // Integer-like keys come first, ascending: evaluation and iteration follow the object's order.
    sort_keys(&mut kept, |pair| &pair.0);
    kept.into()
}
