//! A template after parsing: programs of nodes, with every name already bound.
//!
//! Programs lie in one list ([`Code::programs`]) and refer to each other by number, so that a deep
//! template is freed, walked and rendered without recursion.

use std::ops::Range;
use std::sync::Arc;

/// A place of the source, in bytes.
pub(super) type Place = Range<usize>;

/// Number of a program in [`Code::programs`].
pub(super) type ProgramId = usize;

/// A whole template.
#[derive(Debug)]
pub(super) struct Code {
    pub(super) source: Arc<str>,
    /// The template itself is `main`; the others are bodies of blocks.
    pub(super) programs: Vec<Program>,
    pub(super) main: ProgramId,
    /// Whether `../` or an inline partial occurs: only then are outer contexts kept.
    pub(super) looks_outward: bool,
    /// Whether block parameters occur: only then are those that helpers pass kept.
    pub(super) names_params: bool,
}

/// The body of a template or of a block.
#[derive(Debug, Default)]
pub(super) struct Program {
    pub(super) nodes: Vec<Node>,
    /// Inline partials, defined whenever the program is about to be called.
    pub(super) inlines: Vec<Inline>,
    /// Its output is text from the first byte on, never a bare number (see `output`).
    pub(super) begins_as_text: bool,
}

/// What a program consists of.
#[derive(Debug)]
pub(super) enum Node {
    /// Literal text.
    Content(Place),
    /// `{{name}}`, `{{{name}}}`, `{{helper argument}}`.
    Mustache(Call),
    Block(Block),
    Partial(Partial),
    /// Marks a run of values that the original adds up before it appends them (see `output`).
    RunStart,
    RunEnd,
}

/// `{{#name …}}…{{else}}…{{/name}}`.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) call: Call,
    pub(super) program: Option<ProgramId>,
    pub(super) inverse: Option<ProgramId>,
}

/// `{{> name context key=value}}` or `{{#> name}}…{{/name}}`.
#[derive(Debug)]
pub(super) struct Partial {
    pub(super) name: PartialName,
    /// `None`: the context at hand.
    pub(super) context: Option<Expression>,
    pub(super) hash: Option<Hash>,
    /// The block of `{{#> name}}`.
    pub(super) program: Option<ProgramId>,
    /// The white space before a stand-alone tag, repeated before each line; empty when there is none.
    pub(super) indent: Place,
    pub(super) place: Place,
}

/// The name of a partial: written, or computed by a sub-expression.
#[derive(Debug)]
pub(super) enum PartialName {
    Written(Box<str>),
    Computed(Call),
}

/// `{{#*inline "name"}}…{{/inline}}`: the only decorator there is.
#[derive(Debug)]
pub(super) struct Inline {
    /// `false` when the decorator has another name: an error as soon as the program is needed.
    pub(super) known: bool,
    pub(super) params: Box<[Expression]>,
    pub(super) hash: Option<Hash>,
    pub(super) program: Option<ProgramId>,
    pub(super) place: Place,
}

/// `key=value` pairs in the order in which the original evaluates and keeps them: the last written
/// first, a repeated key at its last place with its first value.
pub(super) type Hash = Box<[(Box<str>, Expression)]>;

/// Something with a value.
#[derive(Debug)]
pub(super) enum Expression {
    Text(Box<str>),
    Number(f64),
    Boolean(bool),
    Undefined,
    Null,
    Path(Path),
    Call(Box<Call>),
}

/// A name with what is written after it. Which of them count depends on what the name turns out to be.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) callee: Callee,
    pub(super) path: Path,
    pub(super) params: Box<[Expression]>,
    pub(super) hash: Option<Hash>,
    /// The whole tag, or the parentheses.
    pub(super) place: Place,
}

/// What the name of a [`Call`] can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Callee {
    /// One of the built-in helpers.
    Builtin(Builtin),
    /// A value, whatever stands after it.
    Value,
    /// A single name without arguments: a helper if there is one, else a value.
    Ambiguous,
    /// A name with arguments, or in parentheses: must be a helper.
    Helper,
}

/// The built-in helpers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Builtin {
    If,
    Unless,
    Each,
    With,
    Lookup,
    Log,
    /// `helperMissing`, `blockHelperMissing`: known to the original's compiler, not callable.
    Hook,
}

impl Builtin {
    /// The helper of this name. The original looks at the first segment only, whatever comes before or after.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "if" => Self::If,
            "unless" => Self::Unless,
            "each" => Self::Each,
            "with" => Self::With,
            "lookup" => Self::Lookup,
            "log" => Self::Log,
            "helperMissing" | "blockHelperMissing" => Self::Hook,
            _ => return None,
        })
    }
}

/// A path, bound to where it starts.
#[derive(Debug)]
pub(super) struct Path {
    pub(super) root: Root,
    pub(super) parts: Box<[Box<str>]>,
    /// As the original calls it: segments without their brackets.
    pub(super) original: Box<str>,
    /// The parts in the notation of source maps: `crew.first`, `items[2]`.
    pub(super) shown: Arc<str>,
    /// A single segment that is not `this`, `.` or `..`.
    pub(super) simple: bool,
    pub(super) place: Place,
}

/// Where a path starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Root {
    /// The context, so many levels out.
    Context(usize),
    /// An `@` variable, so many frames out.
    Data(usize),
    /// A block parameter: so many programs out, and its number there.
    Param { outward: usize, index: usize },
}
