//! Blocks: opening tags, `{{else}}`s, closing tags, raw blocks.

use super::error::ErrorClass;
use super::expression::{Label, Shape};
use super::nodes::{Block, Call, Place, ProgramId};
use super::parser::{Draft, Item, Parsed, Parser, Statement};
use super::tokens::Kind;
use super::whitespace::{BlockStrips, Bodies, Content, Level, Strip};

/// Blocks in blocks, with each `{{else name}}` counted as one more.
const MAX_NESTING: usize = 1000;

/// A block whose closing tag has not been read.
pub(super) struct Open {
    form: Form,
    pub(super) label: Label,
    /// The block itself, still without bodies.
    item: Item,
    pub(super) arms: Vec<Arm>,
    /// The statements before the block.
    outer: Draft,
    /// Number of scopes outside of the block.
    scopes: usize,
}

/// What was opened, and so what may follow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Block,
    /// `{{^name}}`
    Inverted,
    /// `{{#*name}}`
    Decorator,
    Partial,
}

/// A tag that opens a body: the block's own, `{{else name}}` (with a call), or a plain `{{else}}`.
pub(super) struct Arm {
    call: Option<Call>,
    strip: Strip,
    pub(super) place: Place,
    program: ProgramId,
}

/// The block's second body, as far as it is built.
struct Inverse {
    id: ProgramId,
    chained: Option<ProgramId>,
    strip: Strip,
}

impl Parser<'_> {
    pub(super) fn open_block(&mut self) -> Parsed<()> {
        let open = self.advance()?;
        let form = match open.kind {
            Kind::OpenInverse => Form::Inverted,
            Kind::OpenPartialBlock => Form::Partial,
            _ if open.is_decorator() => Form::Decorator,
            _ => Form::Block,
        };
        let head = self.head(if form == Form::Partial { Shape::Partial } else { Shape::Block })?;
        let (place, strip) = self.close_tag(&open, Kind::Close)?;
        let label = head.name.label();
        let block_params = head.block_params.clone();
        let item = match form {
            Form::Block | Form::Inverted => {
                Item::Block(Block { call: self.call(head, place.clone()), program: None, inverse: None })
            }
            Form::Partial => Item::Partial(self.partial_call(head, place.clone())),
            Form::Decorator => Item::Inline(self.inline(head, place.clone())),
        };
        let scopes = self.scopes.len();
        self.enter(block_params, place.start)?;
        let arms = vec![Arm { call: None, strip, place, program: 0 }];
        self.open.push(Open { form, label, item, arms, outer: std::mem::take(&mut self.body), scopes });
        Ok(())
    }

    fn enter(&mut self, names: Option<Vec<Box<str>>>, offset: usize) -> Parsed<()> {
        if self.scopes.len() > MAX_NESTING {
            let message = format!("blocks are nested more than {MAX_NESTING} deep: move a part into a partial");
            return self.error(ErrorClass::Depth, offset, message);
        }
        self.scopes.push(names);
        Ok(())
    }

    /// `{{else}}`, `{{^}}` or `{{else name …}}`.
    pub(super) fn arm(&mut self) -> Parsed<()> {
        let chain = self.token.kind == Kind::OpenInverseChain;
        let allowed = self.open.last().is_some_and(|open| {
            let ended = open.arms.len() > 1 && open.arms.last().is_some_and(|arm| arm.call.is_none());
            !ended && open.form != Form::Partial && !(chain && open.form == Form::Inverted)
        });
        if !allowed {
            return self.unexpected();
        }
        self.scopes.pop();
        let program = self.end_body();
        let open = self.advance()?;
        let arm = if chain {
            // The block of an `{{else name}}` is the only statement of a program of its own.
            self.enter(None, open.start)?;
            let head = self.head(Shape::Block)?;
            let (place, strip) = self.close_tag(&open, Kind::Close)?;
            let block_params = head.block_params.clone();
            let call = Some(self.call(head, place.clone()));
            self.enter(block_params, place.start)?;
            Arm { call, strip, place, program: 0 }
        } else {
            self.enter(None, open.start)?;
            let strip = Strip { before: open.strips_before(), after: open.strips_after() };
            Arm { call: None, strip, place: open.start..open.end, program: 0 }
        };
        if let Some(block) = self.open.last_mut() {
            if let Some(last) = block.arms.last_mut() {
                last.program = program;
            }
            block.arms.push(arm);
        }
        Ok(())
    }

    /// Ends the statements at hand as a program of their own.
    fn end_body(&mut self) -> ProgramId {
        let body = std::mem::take(&mut self.body);
        let id = self.add(body);
        self.whitespace.program(id, Level::Body);
        id
    }

    pub(super) fn add(&mut self, draft: Draft) -> ProgramId {
        self.whitespace.drafts.push(draft);
        self.whitespace.drafts.len() - 1
    }

    pub(super) fn close_block(&mut self) -> Parsed<()> {
        if self.open.is_empty() {
            return self.unexpected();
        }
        let tag = self.advance()?;
        let name = self.name()?;
        let (place, close) = self.close_tag(&tag, Kind::Close)?;
        let program = self.end_body();
        let Some(mut open) = self.open.pop() else { return self.unexpected() };
        self.scopes.truncate(open.scopes);
        self.body = open.outer;
        if let Some(last) = open.arms.last_mut() {
            last.program = program;
        }
        if open.label != name.label() {
            return self.mismatch(&open.label, &name.label(), place.start);
        }
        let rest = open.arms.split_off(1);
        let [Arm { strip, program, .. }] = open.arms[..] else { return self.unexpected() };
        if let (Form::Decorator, Some(other)) = (open.form, rest.first()) {
            let message = "an inline partial has no {{else}}: take it out".into();
            return self.error(ErrorClass::Parse, other.place.start, message);
        }
        let inverse = self.chain(rest, close);
        let inverse_strip = inverse.as_ref().map(|inverse| inverse.strip).unwrap_or_default();
        let (mut first, mut second) = (Some(program), inverse.as_ref().map(|inverse| inverse.id));
        if open.form == Form::Inverted {
            std::mem::swap(&mut first, &mut second);
        }
        // Of `{{^name}}a{{else}}b{{/name}}` the original takes b for the first body, for white space too.
        let bodies = Bodies {
            program: first.unwrap_or(program),
            inverse: first.and(second),
            chained: inverse.and_then(|inverse| inverse.chained),
        };
        let edges = self.whitespace.block(&bodies, BlockStrips { open: strip, inverse: inverse_strip, close });
        match &mut open.item {
            Item::Block(block) => (block.program, block.inverse) = (first, second),
            Item::Partial(partial) => partial.program = first,
            Item::Inline(inline) => inline.program = first,
            Item::Content(_) | Item::Comment | Item::Mustache(_) => {}
        }
        self.push(open.item, edges);
        Ok(())
    }

    /// `{{else a}}…{{else b}}…{{else}}…` as blocks in the inverse of blocks, built from the last.
    fn chain(&mut self, arms: Vec<Arm>, close: Strip) -> Option<Inverse> {
        let mut inverse: Option<Inverse> = None;
        for (at, Arm { call, strip, program, .. }) in arms.into_iter().enumerate().rev() {
            let Some(call) = call else {
                inverse = Some(Inverse { id: program, chained: None, strip });
                continue;
            };
            // The first link takes its `~` before the end from the closing tag; the others, in the
            // original, from their own opening tag.
            let strips = BlockStrips {
                open: strip,
                inverse: inverse.as_ref().map(|i| i.strip).unwrap_or_default(),
                close: if at == 0 { close } else { strip },
            };
            let second = inverse.as_ref().map(|inverse| inverse.id);
            let chained = inverse.as_ref().and_then(|inverse| inverse.chained);
            let edges = self.whitespace.block(&Bodies { program, inverse: second, chained }, strips);
            let block = Block { call, program: Some(program), inverse: second };
            let id = self.add(vec![Statement { item: Item::Block(block), edges: Some(edges) }]);
            inverse = Some(Inverse { id, chained: Some(program), strip });
        }
        inverse
    }

    fn mismatch<T>(&self, open: &Label, close: &Label, offset: usize) -> Parsed<T> {
        let message = format!("{{{{/{close}}}}} closes a block that was opened as {open}: write {{{{/{open}}}}}");
        self.error(ErrorClass::BlockMismatch, offset, message)
    }

    /// `{{{{name}}}} … {{{{/name}}}}`: everything up to its end is text.
    pub(super) fn raw_block(&mut self) -> Parsed<()> {
        let open = self.advance()?;
        let head = self.head(Shape::Plain)?;
        let (place, _) = self.close_tag(&open, Kind::CloseRaw)?;
        let mut body = Draft::new();
        while self.token.kind == Kind::Content {
            let token = self.advance()?;
            body.push(Statement { item: Item::Content(Content::new(token.start..token.end)), edges: None });
        }
        let end = self.expect(Kind::EndRaw)?;
        let close = Label::Text(end.text.into_owned());
        let label = head.name.label();
        if label != close {
            return self.mismatch(&label, &close, end.start);
        }
        let program = self.add(body);
        let bodies = Bodies { program, inverse: None, chained: None };
        let edges = self.whitespace.block(&bodies, BlockStrips::default());
        let block = Block { call: self.call(head, place), program: Some(program), inverse: None };
        self.push(Item::Block(block), edges);
        Ok(())
    }
}
