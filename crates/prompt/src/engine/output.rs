//! The text that is being rendered, and where each byte of it comes from.
//!
//! Two habits of the original need more than appending:
//!
//! - A stand-alone partial's lines are indented, all but an empty last one. Indents are kept as levels,
//!   and written when the first character of a line is.
//! - Neighbouring values are joined by JavaScript's `+` before they meet text, so that two numbers are
//!   **added**: `{{a}}{{b}}` with 1 and 2 is `3`, while `{{a}} {{b}}` is `1 2`. A program's output stays
//!   a bare number until text joins it. Each program has a level here that says which of the two it is;
//!   [`mark_runs`] marks the values that the original adds up among themselves first.

use std::sync::Arc;

use super::javascript::number_text;
use super::nodes::{Callee, Code, Node, Place, Program};
use super::value::Value;
use super::{Origin, Piece, Rendered};

/// Bytes of output after which rendering stops: a template of a few lines can ask for any amount.
pub(super) const MAX_OUTPUT: usize = 64 << 20;

/// Where something stands: the template's name, its source, and the place there.
#[derive(Clone, Copy)]
pub(super) struct Site<'t> {
    pub(super) partial: Option<&'t Arc<str>>,
    pub(super) source: &'t str,
    pub(super) place: &'t Place,
}

/// The output of one program, as far as it is known.
enum Level {
    Empty,
    Number(Number),
    Text,
}

/// A value that is not text yet.
struct Number {
    value: f64,
    /// Prints as `true` or `false` as long as nothing was added to it.
    boolean: bool,
    path: Arc<str>,
    partial: Option<Arc<str>>,
    place: Place,
}

struct Indent {
    partial: Option<Arc<str>>,
    place: Place,
    text: String,
}

/// The output so far.
pub(super) struct Output {
    text: String,
    pieces: Vec<Piece>,
    levels: Vec<Level>,
    /// So many levels, from the outermost, are text.
    settled: usize,
    indents: Vec<Indent>,
    /// The indents from here on have not been written on this line.
    unwritten: usize,
}

impl Output {
    pub(super) fn new() -> Self {
        Self {
            text: String::new(),
            pieces: Vec::new(),
            levels: vec![Level::Text],
            settled: 1,
            indents: Vec::new(),
            unwritten: 0,
        }
    }

    /// With room for about what a template prints: its text and a little more, and pieces for its nodes.
    pub(super) fn for_code(code: &Code) -> Self {
        let nodes: usize = code.programs.iter().map(|program| program.nodes.len()).sum();
        let mut output = Self::new();
        output.text.reserve(code.source.len() + code.source.len() / 4);
        output.pieces.reserve(nodes + nodes / 2);
        output
    }

    pub(super) fn finish(self) -> Rendered {
        Rendered { text: self.text, pieces: self.pieces }
    }

    /// Whether the output has grown beyond [`MAX_OUTPUT`].
    pub(super) fn is_full(&self) -> bool {
        self.text.len() > MAX_OUTPUT
    }

    /// Begins the output of a program.
    pub(super) fn begin(&mut self) {
        self.levels.push(Level::Empty);
    }

    /// Ends it, and joins it to the output around it. Says whether it was a bare number.
    pub(super) fn end(&mut self) -> bool {
        let level = self.levels.pop();
        self.settled = self.settled.min(self.levels.len());
        match level {
            Some(Level::Number(number)) => {
                self.join(number);
                true
            }
            Some(Level::Empty) => {
                self.settle();
                false
            }
            Some(Level::Text) | None => false,
        }
    }

    /// Text joins the output, be it empty: numbers that wait for it are printed.
    pub(super) fn settle(&mut self) {
        for at in self.settled..self.levels.len() {
            if let Level::Number(number) = std::mem::replace(&mut self.levels[at], Level::Text) {
                self.print(&number);
            }
        }
        self.settled = self.levels.len();
    }

    fn join(&mut self, number: Number) {
        match self.levels.last_mut() {
            Some(level @ Level::Empty) => *level = Level::Number(number),
            Some(Level::Number(sum)) => {
                sum.value += number.value;
                sum.boolean = false;
                sum.path = [&sum.path, " + ", &number.path].concat().into();
                if sum.partial == number.partial {
                    sum.place.end = sum.place.end.max(number.place.end);
                }
            }
            Some(Level::Text) | None => self.print(&number),
        }
    }

    fn print(&mut self, number: &Number) {
        let text = match number.value {
            value if number.boolean => (if value == 0.0 { "false" } else { "true" }).to_owned(),
            value => number_text(value),
        };
        self.write_value(&text, &number.path, number.partial.as_ref(), &number.place);
    }

    /// Literal text of a template.
    pub(super) fn literal(&mut self, site: Site<'_>) {
        self.settle();
        let Place { start, end } = *site.place;
        if self.indents.is_empty() {
            self.append_literal(site.partial, site.source, start, end);
            return;
        }
        let mut at = start;
        for line in site.source[start..end].split_inclusive('\n') {
            self.indent_line();
            self.append_literal(site.partial, site.source, at, at + line.len());
            at += line.len();
            self.end_line(line);
        }
    }

    /// A value of the tag at `site`. Null and undefined print as nothing.
    pub(super) fn value(&mut self, value: &Value<'_>, path: impl Fn() -> Arc<str>, site: Site<'_>) {
        let number = |value, boolean| Number {
            value,
            boolean,
            path: path(),
            partial: site.partial.cloned(),
            place: site.place.clone(),
        };
        match value {
            Value::Undefined | Value::Null => self.settle(),
            Value::Number(value) => self.join(number(*value, false)),
            Value::Boolean(value) => self.join(number(f64::from(u8::from(*value)), true)),
            value => {
                self.settle();
                let text = value.print();
                if !text.is_empty() {
                    self.write_value(&text, &path(), site.partial, site.place);
                }
            }
        }
    }

    fn write_value(&mut self, text: &str, path: &Arc<str>, partial: Option<&Arc<str>>, place: &Place) {
        let origin = |start, end| Origin::Value {
            path: Arc::clone(path),
            start,
            end,
            tag_start: place.start,
            tag_end: place.end,
            partial: partial.cloned(),
        };
        if self.indents.is_empty() {
            self.append(text, origin(0, text.len()));
            return;
        }
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            // One value may be large, and so may what stands before each of its lines.
            if self.is_full() {
                return;
            }
            self.indent_line();
            self.append(line, origin(at, at + line.len()));
            at += line.len();
            self.end_line(line);
        }
    }

    fn append_literal(&mut self, partial: Option<&Arc<str>>, source: &str, start: usize, end: usize) {
        let text = &source[start..end];
        if let Some(Piece { end: piece_end, origin: Origin::Template { partial: last, end: origin_end, .. }, .. }) =
            self.pieces.last_mut()
            && *origin_end == start
            && last.as_ref() == partial
        {
            *origin_end = end;
            *piece_end += text.len();
            self.text.push_str(text);
        } else {
            self.append(text, Origin::Template { partial: partial.cloned(), start, end });
        }
    }

    fn append(&mut self, text: &str, origin: Origin) {
        let start = self.text.len();
        self.text.push_str(text);
        self.pieces.push(Piece { start, end: self.text.len(), origin });
    }

    /// Indents what follows by the white space at `site`, line by line.
    pub(super) fn begin_indent(&mut self, site: Site<'_>) {
        let text = site.source[site.place.clone()].to_owned();
        self.indents.push(Indent { partial: site.partial.cloned(), place: site.place.clone(), text });
    }

    pub(super) fn end_indent(&mut self) {
        self.indents.pop();
        self.unwritten = self.unwritten.min(self.indents.len());
    }

    /// Writes the indents that this line still lacks.
    fn indent_line(&mut self) {
        let levels = std::mem::take(&mut self.indents);
        for Indent { partial, place, text } in &levels[self.unwritten..] {
            let origin = Origin::Template { partial: partial.clone(), start: place.start, end: place.end };
            self.append(text, origin);
        }
        self.unwritten = levels.len();
        self.indents = levels;
    }

    fn end_line(&mut self, line: &str) {
        if line.ends_with('\n') {
            self.unwritten = 0;
        }
    }
}

/// Finds out how the original joins the output of a program of several statements.
///
/// It makes one expression of neighbouring statements, joined by `+` from left to right. A section such
/// as `{{#name}}` is a statement of its own there: it ends the expression, whose sum is appended as one.
/// What follows the last section is appended part by part, and a program that begins with one begins
/// as text.
pub(super) fn mark_runs(program: &mut Program) {
    let section = |node: &Node| matches!(node, Node::Block(block) if block.call.callee == Callee::Ambiguous);
    let content = |node: &Node| matches!(node, Node::Content(_));
    let Some(last) = program.nodes.iter().rposition(section) else { return };
    program.begins_as_text = program.nodes.first().is_some_and(section);
    let mut marked = Vec::with_capacity(program.nodes.len());
    // The nodes since the latest section; those before the first one are no run.
    let mut run: Option<Vec<Node>> = None;
    for (at, node) in std::mem::take(&mut program.nodes).into_iter().enumerate() {
        let Some(nodes) = run.as_mut().filter(|_| at <= last && !section(&node)) else {
            if section(&node) {
                let nodes = run.replace(Vec::new()).unwrap_or_default();
                let adds = nodes.len() > 1 && !nodes[..2].iter().any(content);
                marked.extend(adds.then_some(Node::RunStart));
                marked.extend(nodes);
                marked.extend(adds.then_some(Node::RunEnd));
            }
            marked.push(node);
            continue;
        };
        nodes.push(node);
    }
    program.nodes = marked;
}
