//! The Handlebars engine: what Handlebars.js 4.7.8 prints with `noEscape: true`, and where each byte
//! of it comes from.
//!
//! A [`Template`] is parsed once and rendered as often as wanted. [`render`] gives the text and its
//! [`Piece`]s: runs of template text, and printed values with their path. The rules are read off the
//! original's grammar, white space control, compiler and runtime; `tests/engine*.rs` compare with
//! outputs that the original gave. Why not the `handlebars` crate: `docs/decisions/0001-handlebars.md`.
//!
//! What is left out on purpose: properties of JavaScript prototypes (`constructor`, `__proto__`) exist
//! only when the values have them themselves, and `log` prints nothing. What is added: bounds. Nesting,
//! recursion of partials, steps and output are limited, so that a template that someone else wrote
//! costs a clear error ([`ErrorClass::Depth`]) and not the process.
//!
//! The way of a template: `lexer` → `parser`, `block_parser` and `expression` (names are bound here) → `whitespace` →
//! `nodes`; then `machine` walks the nodes with `evaluate`, `blocks` and `partials`, over `value`s in a
//! `scope`, into an `output`.

mod block_parser;
mod blocks;
mod characters;
mod error;
mod evaluate;
mod expression;
mod javascript;
mod lexer;
mod machine;
mod nodes;
mod output;
mod parser;
mod partials;
mod scope;
mod tokens;
mod value;
mod variables;
mod whitespace;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use error::{ErrorClass, Stage, TemplateError};
pub use variables::Variable;

/// A parsed template. Immutable; a clone shares the nodes.
#[derive(Clone, Debug)]
pub struct Template {
    code: Arc<nodes::Code>,
}

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    /// The first error of the template, always with [`Stage::Parse`]: [`ErrorClass::Parse`],
    /// [`ErrorClass::BlockMismatch`], [`ErrorClass::InvalidPath`], [`ErrorClass::ArgumentCount`] (two
    /// contexts for a partial) or [`ErrorClass::Depth`].
    pub fn parse(source: &str) -> Result<Self, TemplateError> {
        parser::parse(source).map(|code| Self { code: Arc::new(code) })
    }

    /// The text it was read from.
    pub fn source(&self) -> &str {
        &self.code.source
    }

    /// What the template reads of the values, in the order of the source. See [`Variable`].
    pub fn variables(&self) -> Vec<Variable> {
        variables::list(&self.code)
    }
}

/// What a partial's name stands for: a template, or the reason why it is none.
type Registered = Result<Template, TemplateError>;

/// Partials by name.
#[derive(Clone, Default, Debug)]
pub struct Partials {
    known: BTreeMap<Arc<str>, Registered>,
}

impl Partials {
    /// No partials.
    pub fn new() -> Self {
        Self::default()
    }

    /// Registers a template; one of the same name is replaced.
    pub fn insert(&mut self, name: &str, template: Template) {
        self.known.insert(name.into(), Ok(template));
    }

    /// Registers the text of a template. As in the original, an error in it shows itself only where the
    /// partial is used.
    pub fn insert_source(&mut self, name: &str, source: &str) {
        let name: Arc<str> = name.into();
        let registered = Template::parse(source).map_err(|error| error.in_partial(Some(&name)));
        self.known.insert(name, registered);
    }

    fn find(&self, name: &str) -> Option<(Arc<str>, &Registered)> {
        self.known.get_key_value(name).map(|(name, registered)| (Arc::clone(name), registered))
    }
}

/// How to render.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Options {
    /// Whether there is a block helper `raw` that gives its body.
    pub raw_helper: bool,
}

/// A rendered template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rendered {
    /// The text.
    pub text: String,
    /// Where it comes from: pieces that are not empty and cover the text once, in order. Pieces that
    /// follow each other in the template's source, too, are one.
    pub pieces: Vec<Piece>,
}

/// A run of the text with one origin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// First byte in the text.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Where it comes from.
    pub origin: Origin,
}

/// Where a piece comes from. All places are in bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// Literal text of a template: `start..end` of its source are the very bytes of the piece. The
    /// indent that a stand-alone partial gives to each of its lines is the white space before its tag.
    Template {
        /// Name of the partial; `None` for the template itself.
        partial: Option<Arc<str>>,
        /// First byte in the template's source.
        start: usize,
        /// One past the last byte.
        end: usize,
    },
    /// A printed value.
    Value {
        /// From the root of the values, as far as it can be known (`channel`, `boat.crew.first`,
        /// `items[2]`), else as the tag names it. Numbers that were added up are joined by ` + `.
        path: Arc<str>,
        /// First byte of the piece in the printed value: 0, except in an indented partial, where a value
        /// of several lines is several pieces.
        start: usize,
        /// One past the last byte.
        end: usize,
        /// First byte of the tag in its template's source.
        tag_start: usize,
        /// One past the last byte of the tag.
        tag_end: usize,
        /// Name of the partial that the tag is in; `None` for the template itself.
        partial: Option<Arc<str>>,
    },
}

/// Renders a template.
///
/// `values` is the context; its object keys are used in the order that JavaScript would give them.
///
/// # Errors
/// The first error met, with [`Stage::Render`]: [`ErrorClass::MissingHelper`],
/// [`ErrorClass::MissingPartial`], [`ErrorClass::ArgumentCount`], [`ErrorClass::NotAFunction`] or
/// [`ErrorClass::Depth`]; or the [`Stage::Parse`] error of a partial that was used.
pub fn render(
    template: &Template,
    values: &serde_json::Value,
    partials: &Partials,
    options: Options,
) -> Result<Rendered, TemplateError> {
    machine::render(&template.code, values, partials, options)
}
