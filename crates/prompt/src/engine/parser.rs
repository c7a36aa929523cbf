//! Tokens to programs: the statements of a template.
//!
//! The grammar is that of Handlebars.js 4.7.8. Open blocks are kept on a list of our own, so that
//! nesting costs memory, not stack. The order in which errors are found is the original's: a block's
//! names are compared once the token after its closing tag has been read, and what only its compiler
//! refuses is reported when all else was found sound.

use std::sync::Arc;

use super::block_parser::{Arm, Open};
use super::error::{ErrorClass, Stage, TemplateError};
use super::expression::{Head, Label, Name, Shape};
use super::lexer::Lexer;
use super::nodes::{Block, Call, Code, Inline, Node, Partial, PartialName, Place, Program};
use super::tokens::{Kind, LexicalError, Token};
use super::whitespace::{Content, Edges, Level, Strip, Whitespace};

/// The statements of one program, while white space may still be taken from them.
pub(super) type Draft = Vec<Statement>;

/// One statement, and what it asks of the text around it (`None` for text itself).
#[derive(Debug)]
pub(super) struct Statement {
    pub(super) item: Item,
    pub(super) edges: Option<Edges>,
}

/// The kinds of statement.
#[derive(Debug)]
pub(super) enum Item {
    Content(Content),
    Comment,
    Mustache(Call),
    Block(Block),
    Partial(Partial),
    Inline(Inline),
}

/// The state of reading one source.
pub(super) struct Parser<'s> {
    pub(super) source: &'s str,
    lexer: Lexer<'s>,
    /// The token to be looked at next.
    pub(super) token: Token<'s>,
    /// Where the tag at hand begins.
    pub(super) tag: usize,
    pub(super) whitespace: Whitespace<'s>,
    pub(super) body: Draft,
    pub(super) open: Vec<Open>,
    /// Names of block parameters of each program around the place at hand, outermost first.
    pub(super) scopes: Vec<Option<Vec<Box<str>>>>,
    pub(super) looks_outward: bool,
    pub(super) names_params: bool,
    /// The first thing that the original's compiler would refuse.
    late: Option<TemplateError>,
}

pub(super) type Parsed<T> = Result<T, TemplateError>;

/// Reads a template.
pub(super) fn parse(source: &str) -> Parsed<Code> {
    let mut lexer = Lexer::new(source);
    let token = lexer.next().map_err(|error| lexical(source, error))?;
    let mut parser = Parser {
        source,
        lexer,
        token,
        tag: 0,
        whitespace: Whitespace { source, drafts: Vec::new() },
        body: Vec::new(),
        open: Vec::new(),
        scopes: vec![None],
        looks_outward: false,
        names_params: false,
        late: None,
    };
    parser.statements()?;
    parser.finish()
}

fn lexical(source: &str, error: LexicalError) -> TemplateError {
    TemplateError::new(ErrorClass::Parse, Stage::Parse, source, error.offset, error.message.into())
}

impl<'s> Parser<'s> {
    pub(super) fn error<T>(&self, class: ErrorClass, offset: usize, message: String) -> Parsed<T> {
        Err(TemplateError::new(class, Stage::Parse, self.source, offset, message))
    }

    /// Steps to the next token, and gives the one left behind.
    pub(super) fn advance(&mut self) -> Parsed<Token<'s>> {
        let next = self.lexer.next().map_err(|error| lexical(self.source, error))?;
        Ok(std::mem::replace(&mut self.token, next))
    }

    /// The error of a token that cannot stand where it does.
    pub(super) fn unexpected<T>(&self) -> Parsed<T> {
        let token = &self.token;
        // A name at the very end fits no rule, as nothing ends it.
        let open_end = token.kind == Kind::Invalid && !self.source[token.start..].contains("}}");
        if token.kind == Kind::End || open_end {
            return self.error(ErrorClass::Parse, self.tag, "this tag is never closed: end it with }}".into());
        }
        let found = &self.source[token.start..token.end];
        let message = match token.kind {
            Kind::Inverse | Kind::OpenInverseChain => {
                format!(
                    "{found} stands outside of a block that could have it: move it between {{{{#name}}}} and {{{{/name}}}}"
                )
            }
            Kind::OpenEndBlock => "this tag closes a block that was never opened: take it out, or open one".into(),
            Kind::Close | Kind::CloseUnescaped | Kind::CloseRaw if token.start == self.tag + 2 => {
                "the tag is empty: put a name between the braces".into()
            }
            _ => format!(
                "{found:?} cannot stand here: write \\{{{{ before braces that are plain text, or correct the tag"
            ),
        };
        self.error(ErrorClass::Parse, token.start, message)
    }

    pub(super) fn expect(&mut self, kind: Kind) -> Parsed<Token<'s>> {
        if self.token.kind == kind { self.advance() } else { self.unexpected() }
    }

    fn statements(&mut self) -> Parsed<()> {
        loop {
            self.tag = self.token.start;
            match self.token.kind {
                Kind::End => return Ok(()),
                Kind::Content => {
                    let token = self.advance()?;
                    self.body
                        .push(Statement { item: Item::Content(Content::new(token.start..token.end)), edges: None });
                }
                Kind::Comment => {
                    let token = self.advance()?;
                    let strip = Strip { before: token.strips_before(), after: token.strips_after() };
                    self.push(Item::Comment, Edges { strip, alone: true, ..Edges::default() });
                }
                Kind::Open | Kind::OpenUnescaped => self.mustache()?,
                Kind::OpenPartial => self.partial()?,
                Kind::OpenBlock | Kind::OpenInverse | Kind::OpenPartialBlock => self.open_block()?,
                Kind::OpenInverseChain | Kind::Inverse => self.arm()?,
                Kind::OpenEndBlock => self.close_block()?,
                Kind::OpenRaw => self.raw_block()?,
                _ => return self.unexpected(),
            }
        }
    }

    pub(super) fn push(&mut self, item: Item, edges: Edges) {
        self.body.push(Statement { item, edges: Some(edges) });
    }

    /// The end of a tag: its place, and its `~`.
    pub(super) fn close_tag(&mut self, open: &Token<'s>, kind: Kind) -> Parsed<(Place, Strip)> {
        // The token is looked at, not yet left behind: what follows may be wrong in itself.
        if self.token.kind != kind {
            return self.unexpected();
        }
        let strip = Strip { before: open.strips_before(), after: self.token.strips_after() };
        let close = self.advance()?;
        Ok((open.start..close.end, strip))
    }

    fn mustache(&mut self) -> Parsed<()> {
        let open = self.advance()?;
        let head = self.head(Shape::Plain)?;
        let close = if open.kind == Kind::Open { Kind::Close } else { Kind::CloseUnescaped };
        let (place, strip) = self.close_tag(&open, close)?;
        let item = if open.is_decorator() {
            Item::Inline(self.inline(head, place))
        } else {
            Item::Mustache(self.call(head, place))
        };
        self.push(item, Edges { strip, ..Edges::default() });
        Ok(())
    }

    fn partial(&mut self) -> Parsed<()> {
        let open = self.advance()?;
        let head = self.head(Shape::Partial)?;
        let (place, strip) = self.close_tag(&open, Kind::Close)?;
        let partial = self.partial_call(head, place);
        self.push(Item::Partial(partial), Edges { strip, alone: true, ..Edges::default() });
        Ok(())
    }

    pub(super) fn partial_call(&mut self, head: Head<'s>, place: Place) -> Partial {
        if head.params.len() > 1 && self.late.is_none() {
            let message = "a partial takes at most one context: name the other values, as in key=value".into();
            let offset = place.start;
            self.late = self.error::<()>(ErrorClass::ArgumentCount, offset, message).err();
        }
        let name = match head.name {
            Name::Call(call) => PartialName::Computed(*call),
            name => PartialName::Written(name.label().to_string().into()),
        };
        let indent = place.start..place.start;
        Partial { name, context: head.params.into_iter().next(), hash: head.hash, program: None, indent, place }
    }

    pub(super) fn inline(&mut self, head: Head<'s>, place: Place) -> Inline {
        self.looks_outward = true;
        let known = head.name.label() == Label::Text("inline".into());
        Inline { known, params: head.params.into(), hash: head.hash, program: None, place }
    }

    fn finish(mut self) -> Parsed<Code> {
        if let Some(Open { label: name, arms, .. }) = self.open.last()
            && let Some(Arm { place, .. }) = arms.first()
        {
            let message = format!("the block {name} is never closed: add {{{{/{name}}}}}");
            return self.error(ErrorClass::Parse, place.start, message);
        }
        if let Some(late) = self.late {
            return Err(late);
        }
        let main = std::mem::take(&mut self.body);
        let main = self.add(main);
        self.whitespace.program(main, Level::Template);
        let programs = self.whitespace.drafts.into_iter().map(program).collect();
        Ok(Code {
            source: Arc::from(self.source),
            programs,
            main,
            looks_outward: self.looks_outward,
            names_params: self.names_params,
        })
    }
}

/// The nodes of a finished program.
fn program(draft: Draft) -> Program {
    let alone = draft.len() == 1;
    let mut program = Program::default();
    for statement in draft {
        match statement.item {
            Item::Content(content) if content.kept.is_empty() => {}
            Item::Content(content) => program.nodes.push(Node::Content(content.kept)),
            Item::Comment => {}
            Item::Mustache(call) => program.nodes.push(Node::Mustache(call)),
            Item::Block(block) => program.nodes.push(Node::Block(block)),
            Item::Partial(partial) => program.nodes.push(Node::Partial(partial)),
            Item::Inline(inline) => program.inlines.push(inline),
        }
    }
    if !alone {
        super::output::mark_runs(&mut program);
    }
    program
}
