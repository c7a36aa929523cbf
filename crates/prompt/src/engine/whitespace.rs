//! White space around tags: `~`, and tags that stand alone on their line.
//!
//! The rules are those of `WhitespaceControl` in Handlebars.js 4.7.8, applied when a program is
//! complete, inner programs before outer ones. "Alone" is judged by the text as written, and text is
//! taken away only once per side, so that two neighbours do not both eat the same line end. What
//! counts as white space for being alone (`\s`) is more than what is taken away (blank, tab, one line
//! end): a no-break space before a tag stays.

use super::characters::is_space;
use super::nodes::{Place, ProgramId};
use super::parser::{Draft, Item, Statement};

/// `~` on either side of a tag.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Strip {
    pub(super) before: bool,
    pub(super) after: bool,
}

/// What a statement asks of the text around it.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Edges {
    pub(super) strip: Strip,
    /// The tag may stand alone as a whole (comment, partial).
    pub(super) alone: bool,
    /// The opening tag is followed by a line end inside the block.
    pub(super) open_alone: bool,
    /// The closing tag is preceded by a line end inside the block.
    pub(super) close_alone: bool,
}

/// A run of literal text: what is written, and what is left of it.
#[derive(Clone, Debug)]
pub(super) struct Content {
    pub(super) written: Place,
    pub(super) kept: Place,
    /// Text was taken from the start by the tag before it.
    start_taken: bool,
    /// Text was taken from the end by the tag after it.
    end_taken: bool,
}

impl Content {
    pub(super) fn new(written: Place) -> Self {
        Self { kept: written.clone(), written, start_taken: false, end_taken: false }
    }
}

/// How much to take.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Amount {
    /// Blanks and tabs, and on the right one line end.
    Line,
    /// All white space.
    All,
}

/// Which program a list of statements is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    Template,
    Body,
}

/// The programs of a block, for [`Whitespace::block`].
pub(super) struct Bodies {
    pub(super) program: ProgramId,
    pub(super) inverse: Option<ProgramId>,
    /// `inverse` holds nothing but the block of an `{{else name}}`, whose first body is this.
    pub(super) chained: Option<ProgramId>,
}

/// The `~` of a block's tags.
#[derive(Clone, Copy, Default)]
pub(super) struct BlockStrips {
    pub(super) open: Strip,
    pub(super) inverse: Strip,
    pub(super) close: Strip,
}

/// The rules, over all programs of one source.
pub(super) struct Whitespace<'s> {
    pub(super) source: &'s str,
    pub(super) drafts: Vec<Draft>,
}

impl Whitespace<'_> {
    /// Applies the rules between the statements of one program.
    pub(super) fn program(&mut self, id: ProgramId, level: Level) {
        for at in 0..self.drafts[id].len() {
            let Some(edges) = self.drafts[id][at].edges else { continue };
            let before = self.line_starts_before(id, at, level);
            let after = self.line_ends_after(id, at + 1, level);
            if edges.strip.after {
                self.take_start(id, Some(at + 1), Amount::All);
            }
            if edges.strip.before {
                self.take_end(id, at.checked_sub(1), Amount::All);
            }
            if edges.alone && before && after {
                self.take_start(id, Some(at + 1), Amount::Line);
                if self.take_end(id, at.checked_sub(1), Amount::Line) {
                    let indent = self.indent(id, at - 1);
                    if let Item::Partial(partial) = &mut self.drafts[id][at].item
                        && partial.program.is_none()
                    {
                        partial.indent = indent;
                    }
                }
            }
            let bodies = self.drafts[id][at].bodies();
            if edges.open_alone
                && before
                && let Some((first, _)) = bodies
            {
                self.take_start(first, Some(0), Amount::Line);
                self.take_end(id, at.checked_sub(1), Amount::Line);
            }
            if edges.close_alone
                && after
                && let Some((_, last)) = bodies
            {
                self.take_start(id, Some(at + 1), Amount::Line);
                self.take_end(last, self.drafts[last].len().checked_sub(1), Amount::Line);
            }
        }
    }

    /// Applies the rules inside one block, and says what it asks of the text around it.
    pub(super) fn block(&mut self, bodies: &Bodies, strips: BlockStrips) -> Edges {
        let program = bodies.program;
        let end = self.drafts[program].len();
        let first_inverse = bodies.inverse.map(|inverse| bodies.chained.unwrap_or(inverse));
        let closing = first_inverse.unwrap_or(program);
        let edges = Edges {
            strip: Strip { before: strips.open.before, after: strips.close.after },
            alone: false,
            open_alone: self.line_ends_after(program, 0, Level::Body),
            close_alone: self.line_starts_before(closing, self.drafts[closing].len(), Level::Body),
        };
        if strips.open.after {
            self.take_start(program, Some(0), Amount::All);
        }
        let Some(inverse) = first_inverse else {
            if strips.close.before {
                self.take_end(program, end.checked_sub(1), Amount::All);
            }
            return edges;
        };
        let inverse_end = self.drafts[inverse].len();
        if strips.inverse.before {
            self.take_end(program, end.checked_sub(1), Amount::All);
        }
        if strips.inverse.after {
            self.take_start(inverse, Some(0), Amount::All);
        }
        if strips.close.before {
            self.take_end(inverse, inverse_end.checked_sub(1), Amount::All);
        }
        if self.line_starts_before(program, end, Level::Body) && self.line_ends_after(inverse, 0, Level::Body) {
            self.take_end(program, end.checked_sub(1), Amount::Line);
            self.take_start(inverse, Some(0), Amount::Line);
        }
        edges
    }

    fn content(&self, id: ProgramId, at: Option<usize>) -> Option<&Content> {
        match self.drafts[id].get(at?)?.item {
            Item::Content(ref content) => Some(content),
            _ => None,
        }
    }

    fn content_mut(&mut self, id: ProgramId, at: Option<usize>) -> Option<&mut Content> {
        match self.drafts[id].get_mut(at?)?.item {
            Item::Content(ref mut content) => Some(content),
            _ => None,
        }
    }

    /// Whether only white space stands between a line's start and the statement `at`.
    fn line_starts_before(&self, id: ProgramId, at: usize, level: Level) -> bool {
        let Some(before) = at.checked_sub(1) else { return level == Level::Template };
        let Some(content) = self.content(id, Some(before)) else { return false };
        let text = &self.source[content.written.clone()];
        let kept = text.trim_end_matches(is_space);
        text[kept.len()..].contains('\n') || (kept.is_empty() && before == 0 && level == Level::Template)
    }

    /// Whether only white space stands between a statement (the one before `next`) and a line's end.
    fn line_ends_after(&self, id: ProgramId, next: usize, level: Level) -> bool {
        let count = self.drafts[id].len();
        if next >= count {
            return level == Level::Template;
        }
        let Some(content) = self.content(id, Some(next)) else { return false };
        let text = &self.source[content.written.clone()];
        let kept = text.trim_start_matches(is_space);
        text[..text.len() - kept.len()].contains('\n')
            || (kept.is_empty() && next + 1 == count && level == Level::Template)
    }

    /// Takes white space from the start of a text.
    fn take_start(&mut self, id: ProgramId, at: Option<usize>, amount: Amount) {
        let source = self.source;
        let Some(content) = self.content_mut(id, at) else { return };
        if amount == Amount::Line && content.start_taken {
            return;
        }
        let text = &source[content.kept.clone()];
        let left = match amount {
            Amount::All => text.trim_start_matches(is_space),
            Amount::Line => {
                let text = text.trim_start_matches([' ', '\t']);
                let text = text.strip_prefix('\r').unwrap_or(text);
                text.strip_prefix('\n').unwrap_or(text)
            }
        };
        content.start_taken = left.len() != text.len();
        content.kept.start = content.kept.end - left.len();
    }

    /// Takes white space from the end of a text; whether there was any.
    fn take_end(&mut self, id: ProgramId, at: Option<usize>, amount: Amount) -> bool {
        let source = self.source;
        let Some(content) = self.content_mut(id, at) else { return false };
        if amount == Amount::Line && content.end_taken {
            return false;
        }
        let text = &source[content.kept.clone()];
        let left = match amount {
            Amount::All => text.trim_end_matches(is_space),
            Amount::Line => text.trim_end_matches([' ', '\t']),
        };
        content.end_taken = left.len() != text.len();
        content.kept.end = content.kept.start + left.len();
        content.end_taken
    }

    /// Blanks and tabs at the end of a text as written.
    fn indent(&self, id: ProgramId, at: usize) -> Place {
        let Some(content) = self.content(id, Some(at)) else { return 0..0 };
        let text = &self.source[content.written.clone()];
        content.written.start + text.trim_end_matches([' ', '\t']).len()..content.written.end
    }
}

impl Statement {
    /// First and last body of a block, as far as its tags can strip them.
    fn bodies(&self) -> Option<(ProgramId, ProgramId)> {
        match &self.item {
            Item::Block(block) => {
                let first = block.program.or(block.inverse)?;
                Some((first, block.inverse.unwrap_or(first)))
            }
            Item::Partial(partial) => partial.program.map(|program| (program, program)),
            Item::Inline(inline) => inline.program.map(|program| (program, program)),
            _ => None,
        }
    }
}
