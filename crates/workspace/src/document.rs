//! The structure of a Markdown text as byte ranges: front matter, headings, key lines, lists, boxes, tables, code,
//! comments, paragraphs.
//!
//! Reading never fails, copies no text and looks at each line a fixed number of times. The structure is a view:
//! nothing is ever written back from it. An edit replaces ranges of the text ([`apply`]); every other byte stays.
//! It follows CommonMark where the two could differ in what a person sees, with three exceptions that files
//! written by hand need: any list may interrupt a paragraph, two columns nest an item below a numbered one, and a
//! single `-` below a paragraph is an empty bullet, not an underline.

mod edit;
mod key;
mod lines;
mod scan;
#[cfg(test)]
mod tests;

use std::ops::Range;

pub use edit::{Edit, apply, shrink};
pub use key::{KeyLine, KeyStyle};
pub use lines::Line;
pub(crate) use lines::{atx, fence, is_blank, is_underline, leading};
pub(crate) use scan::check_box;

/// A text and its structure.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    /// The text.
    pub text: &'a str,
    /// Its lines; a text that ends with a line end has no empty line after it.
    pub lines: Vec<Line>,
    /// Its parts in their order; blank lines belong to none, or lie inside one.
    pub blocks: Vec<Block>,
    /// How often a line was looked at.
    pub work: usize,
}

/// A part of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// What it is.
    pub kind: Kind,
    /// Its lines, from 0.
    pub lines: Range<usize>,
}

/// What a part of a text is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// YAML between two lines of `---`, at the very beginning: the bytes between the fences.
    FrontMatter {
        /// What stands between the fences.
        inner: Range<usize>,
    },
    /// A heading, with signs before it or underlined.
    Heading {
        /// 1 to 6.
        level: u8,
        /// Its text.
        title: Range<usize>,
    },
    /// A line of a paragraph that is a name and a value, with the lines that go on with the value.
    Key(KeyLine),
    /// Bullets or numbers.
    List(Vec<Item>),
    /// Lines of a paragraph.
    Text,
    /// Code between fences; `closed` is false when the closing one is missing and the code goes on to the end.
    Code {
        /// Whether the closing fence is there.
        closed: bool,
    },
    /// An HTML comment; `closed` as for code.
    Comment {
        /// Whether it ends.
        closed: bool,
    },
    /// A table.
    Table,
    /// A rule between two parts.
    Rule,
}

/// One entry of a list, with everything that is indented below it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// Its lines, from 0; blank lines after it are not its own.
    pub lines: Range<usize>,
    /// Columns before the mark.
    pub indent: usize,
    /// The mark: `-`, `*`, `+`, `3.` or `3)`.
    pub mark: Range<usize>,
    /// The number of a numbered entry.
    pub number: Option<u64>,
    /// For a check box: the character between the brackets, and where the text after the box may begin.
    pub check: Option<CheckBox>,
    /// From after the mark (and the blank behind it) to the end of the entry's first line.
    pub text: Range<usize>,
    /// False when the entry has more than its first line.
    pub single: bool,
    /// The entry as a name and a value.
    pub key: Option<KeyLine>,
}

/// A box that is ticked or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckBox {
    /// The character between the brackets.
    pub mark: Range<usize>,
    /// Whether it is ticked.
    pub on: bool,
    /// The text after the box.
    pub text: Range<usize>,
}

impl<'a> Document<'a> {
    /// Reads a file: a byte order mark is skipped, and front matter is seen at its beginning.
    pub fn read(text: &'a str) -> Self {
        scan::scan(text, true)
    }

    /// Reads a text that will stand somewhere within a file.
    pub fn fragment(text: &'a str) -> Self {
        scan::scan(text, false)
    }

    /// The text of a range.
    pub fn slice(&self, range: &Range<usize>) -> &'a str {
        &self.text[range.clone()]
    }

    /// The bytes of lines, without the last one's line end.
    pub fn bytes(&self, lines: &Range<usize>) -> Range<usize> {
        if lines.is_empty() {
            let at = self.start_of(lines.start);
            return at..at;
        }
        self.lines[lines.start].start..self.lines[lines.end - 1].end
    }

    /// Where a line begins; the end of the text for the line after the last.
    pub fn start_of(&self, line: usize) -> usize {
        self.lines.get(line).map_or(self.text.len(), |line| line.start)
    }

    /// The text of a line, without its line end.
    pub fn line(&self, line: usize) -> &'a str {
        self.lines.get(line).map_or("", |line| &self.text[line.start..line.end])
    }

    /// True for a line without text, and for every line that is not there.
    pub fn is_blank(&self, line: usize) -> bool {
        is_blank(self.line(line))
    }

    /// The line that a byte stands on, from 0; the last one for the end of the text.
    pub fn line_at(&self, byte: usize) -> usize {
        self.lines.partition_point(|line| line.start <= byte).saturating_sub(1)
    }

    /// The line end that is used around `byte`: of its line, else of the nearest line before or after; LF in a text
    /// without any.
    pub fn line_end_at(&self, byte: usize) -> &'a str {
        let at = self.line_at(byte);
        let ended = |line: &&Line| line.end < line.next;
        let before = self.lines.get(..=at).and_then(|lines| lines.iter().rev().find(ended));
        before.or_else(|| self.lines.iter().find(ended)).map_or("\n", |line| &self.text[line.end..line.next])
    }

    /// The blocks that belong to heading `heading`: up to the next heading, or to the file's closing words.
    pub fn section(&self, heading: usize) -> Range<usize> {
        let after = heading + 1;
        let length = self.blocks[after..].iter().position(|block| matches!(block.kind, Kind::Heading { .. }));
        let end = length.map_or_else(|| self.closing_words().unwrap_or(self.blocks.len()), |length| after + length);
        after..end.max(after)
    }

    /// Where the closing words begin that templates have: a rule of dashes, and one paragraph in italics at the end.
    pub(crate) fn closing_words(&self) -> Option<usize> {
        let [.., rule, words] = self.blocks.as_slice() else { return None };
        let dashes = rule.kind == Kind::Rule && is_underline(self.line(rule.lines.start)) == Some(2);
        if !dashes || words.kind != Kind::Text {
            return None;
        }
        let words = self.slice(&self.bytes(&words.lines)).trim();
        let italics = |sign: char| words.len() > 2 && words.starts_with(sign) && words.ends_with(sign);
        let bold = words.starts_with("**") || words.starts_with("__");
        ((italics('*') || italics('_')) && !bold).then(|| self.blocks.len() - 2)
    }
}
