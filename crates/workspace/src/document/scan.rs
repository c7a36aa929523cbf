//! One pass over the lines of a text.

use super::lines::{
    Line, Mark, atx, closes, fence, is_blank, is_rule, is_table_rule, is_underline, leading, list_mark, opens_comment,
    split,
};
use super::{Block, CheckBox, Document, Item, Kind, key};

pub(super) fn scan(text: &str, file: bool) -> Document<'_> {
    let from = if file && text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
    let mut scan = Scan { text, lines: split(text, from), blocks: Vec::new(), work: 0 };
    let mut at = if file { scan.front_matter() } else { 0 };
    while at < scan.lines.len() {
        at = scan.block(at);
    }
    Document { text, lines: scan.lines, blocks: scan.blocks, work: scan.work }
}

struct Scan<'a> {
    text: &'a str,
    lines: Vec<Line>,
    blocks: Vec<Block>,
    work: usize,
}

impl<'a> Scan<'a> {
    fn line(&mut self, at: usize) -> Option<&'a str> {
        let line = self.lines.get(at)?;
        self.work += 1;
        Some(&self.text[line.start..line.end])
    }

    fn push(&mut self, kind: Kind, first: usize, end: usize) -> usize {
        self.blocks.push(Block { kind, lines: first..end });
        end
    }

    fn front_matter(&mut self) -> usize {
        if self.line(0).is_none_or(|line| line.trim_end() != "---") {
            return 0;
        }
        let mut at = 1;
        while let Some(line) = self.line(at) {
            if line.trim_end() == "---" {
                let inner = self.lines[0].next..self.lines[at].start;
                return self.push(Kind::FrontMatter { inner }, 0, at + 1);
            }
            at += 1;
        }
        0
    }

    /// Reads the block that begins at line `at`, and tells where the next one may begin.
    fn block(&mut self, at: usize) -> usize {
        let Some(line) = self.line(at) else { return at + 1 };
        if is_blank(line) {
            return at + 1;
        }
        if let Some((level, title)) = atx(line) {
            let start = self.lines[at].start;
            return self.push(Kind::Heading { level, title: start + title.start..start + title.end }, at, at + 1);
        }
        if let Some(opening) = fence(line) {
            return self.until(at, |line| closes(line, opening), |closed| Kind::Code { closed });
        }
        if opens_comment(line) {
            let whole = line.trim_start()[4..].contains("-->");
            if whole {
                return self.push(Kind::Comment { closed: true }, at, at + 1);
            }
            return self.until(at, |line| line.contains("-->"), |closed| Kind::Comment { closed });
        }
        if is_rule(line) {
            return self.push(Kind::Rule, at, at + 1);
        }
        match list_mark(line) {
            Some(mark) if mark.indent < 4 => self.list(at, mark),
            _ => self.paragraph(at, line),
        }
    }

    /// A block from line `at` to the line after it that ends it, or to the end of the text.
    fn until(&mut self, at: usize, ends: impl Fn(&str) -> bool, kind: impl Fn(bool) -> Kind) -> usize {
        let mut end = at + 1;
        while let Some(line) = self.line(end) {
            end += 1;
            if ends(line) {
                return self.push(kind(true), at, end);
            }
        }
        self.push(kind(false), at, end)
    }

    fn paragraph(&mut self, at: usize, first: &'a str) -> usize {
        if first.contains('|') && self.line(at + 1).is_some_and(|line| is_table_rule(line) && list_mark(line).is_none())
        {
            let mut end = at + 2;
            while self.line(end).is_some_and(|line| !is_blank(line) && !interrupts(line)) {
                end += 1;
            }
            return self.push(Kind::Table, at, end);
        }
        let mut end = at + 1;
        while let Some(line) = self.line(end) {
            if let Some(level) = is_underline(line) {
                let start = self.lines[at].start + leading(first).1;
                let title = start..self.lines[end - 1].end;
                let title = title.start..title.start + self.text[title].trim_end().len();
                return self.push(Kind::Heading { level, title }, at, end + 1);
            }
            if is_blank(line) || interrupts(line) {
                break;
            }
            end += 1;
        }
        self.keys(at, end);
        end
    }

    /// Cuts a paragraph at its key lines.
    fn keys(&mut self, first: usize, end: usize) {
        let mut from = first;
        let mut open = self.key(first);
        for at in first + 1..=end {
            let next = if at < end { self.key(at) } else { None };
            if at < end && next.is_none() {
                continue;
            }
            let kind = open.map_or(Kind::Text, |key| Kind::Key(self.continued(key, from, at)));
            self.push(kind, from, at);
            (from, open) = (at, next);
        }
    }

    fn key(&mut self, at: usize) -> Option<key::KeyLine> {
        let start = self.lines.get(at)?.start;
        key::key_line(self.line(at)?, start)
    }

    /// A key line whose value goes on to line `end`.
    fn continued(&self, mut key: key::KeyLine, at: usize, end: usize) -> key::KeyLine {
        if end > at + 1 {
            let start = if key.value.is_empty() { key.gap } else { key.value.start };
            let last = self.lines[end - 1];
            let trimmed = self.text[last.start..last.end].trim_end().len();
            key.value = start..last.start + trimmed;
        }
        key
    }

    fn list(&mut self, first: usize, mark: Mark) -> usize {
        let numbered = mark.number.is_some();
        let mut items = Vec::new();
        let mut mark = mark;
        let mut at = first;
        loop {
            let end = self.item(at, &mark, &mut items);
            // Blank lines may stand between two entries.
            let mut next = end;
            while self.line(next).is_some_and(is_blank) {
                next += 1;
            }
            let following = self.line(next).and_then(list_mark);
            match following {
                Some(other) if other.number.is_some() == numbered && other.indent < mark.content => {
                    (at, mark) = (next, other);
                }
                _ => return self.push(Kind::List(items), first, end),
            }
        }
    }

    /// Reads one entry and tells where it ends.
    fn item(&mut self, at: usize, mark: &Mark, items: &mut Vec<Item>) -> usize {
        let line = self.line(at).unwrap_or_default();
        let start = self.lines[at].start;
        let after = mark.range.end + usize::from(mark.range.end < line.len());
        let text = start + after..self.lines[at].end;
        let mut end = at + 1;
        // Whether the entry's last line is one that a line further left may go on with.
        let mut open = !is_blank(&self.text[text.clone()]);
        // How far its first paragraph goes, and whether the next line may be a part of it.
        let mut through = at + 1;
        let mut flowing = open;
        let mut next = end;
        while let Some(line) = self.line(next) {
            if is_blank(line) {
                (open, flowing) = (false, false);
                next += 1;
                continue;
            }
            let starts = list_mark(line).is_some();
            let nested = leading(line).0 >= mark.content;
            let goes_on = open && !starts && !interrupts(line);
            if !(nested || goes_on) {
                break;
            }
            let sign = interrupts(line.trim_start());
            let entry = list_mark(line).is_some_and(|mark| !is_blank(&line[mark.range.end..]));
            open = entry || !sign;
            flowing &= !starts && !sign;
            next += 1;
            end = next;
            if flowing {
                through = end;
            }
        }
        let check = check_box(&self.text[text.clone()], text.start);
        let key = key::key_line(&self.text[text.clone()], text.start).filter(|_| check.is_none());
        let key = key.map(|key| self.continued(key, at, through));
        let range = start + mark.range.start..start + mark.range.end;
        items.push(Item {
            lines: at..end,
            indent: mark.indent,
            mark: range,
            number: mark.number,
            check,
            text,
            single: end == at + 1,
            key,
        });
        end
    }
}

/// True for a line that ends a paragraph above it.
fn interrupts(line: &str) -> bool {
    atx(line).is_some()
        || fence(line).is_some()
        || opens_comment(line)
        || is_rule(line)
        || list_mark(line).is_some_and(|mark| mark.indent < 4)
}

/// The box that `text`, which begins at byte `at`, begins with.
pub(crate) fn check_box(text: &str, at: usize) -> Option<CheckBox> {
    let (_, lead) = leading(text);
    let inner = text[lead..].strip_prefix('[')?;
    let mark = inner.chars().next().filter(|mark| !matches!(mark, '[' | ']'))?;
    let behind = inner[mark.len_utf8()..].strip_prefix(']')?;
    if !(behind.is_empty() || behind.starts_with([' ', '\t'])) {
        return None;
    }
    let from = at + lead + 1;
    let end = at + text.len();
    let after = end - behind.len() + usize::from(!behind.is_empty());
    Some(CheckBox { mark: from..from + mark.len_utf8(), on: mark != ' ', text: after..end })
}
