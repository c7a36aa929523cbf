//! Three-way merge of texts, by line.
//!
//! Pure: nothing is read or written. Lossless: the pieces of the hunks, put together, are each of the three texts byte for
//! byte; a CR is a part of its line. Nothing is guessed: changes that touch are a conflict, and a person decides.

use std::ops::Range;
use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

/// After this long a difference is found more coarsely: larger hunks, never lost lines.
const PATIENCE: Duration = Duration::from_secs(1);

/// Who changed a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HunkKind {
    /// Nobody.
    Same,
    /// Only this side.
    Mine,
    /// Only the other side.
    Theirs,
    /// Both, in the same way.
    Both,
    /// Both, differently.
    Conflict,
}

/// One piece, as bytes of each text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hunk {
    /// Who changed it.
    pub kind: HunkKind,
    /// Bytes of the text that both began from.
    pub base: Range<usize>,
    /// Bytes of this side's text.
    pub mine: Range<usize>,
    /// Bytes of the other side's text.
    pub theirs: Range<usize>,
}

/// Cuts three texts into pieces. Two neighbours are never both [`HunkKind::Same`], and none is empty in all three.
pub fn merge(base: &str, mine: &str, theirs: &str) -> Vec<Hunk> {
    let [base, mine, theirs] = [base, mine, theirs].map(Lines::of);
    let to_mine = changes(&base.lines, &mine.lines);
    let to_theirs = changes(&base.lines, &theirs.lines);
    let mut made = Hunks { lines: [&base, &mine, &theirs], at: [0; 3], done: Vec::new() };
    let (mut left, mut right) = (to_mine.iter().peekable(), to_theirs.iter().peekable());
    loop {
        // The next stretch of the base that somebody changed, grown as long as changes touch it.
        let starts = [left.peek(), right.peek()].into_iter().flatten().map(|change| change.base.start);
        let Some(start) = starts.min() else { break };
        let mut end = start;
        let mut changed = [false; 2];
        let mut ends = [0; 2];
        loop {
            let mut grown = false;
            for (side, changes) in [&mut left, &mut right].into_iter().enumerate() {
                while let Some(change) = changes.next_if(|change| change.base.start <= end) {
                    end = end.max(change.base.end);
                    // How far the side is ahead of the base after its change.
                    ends[side] = change.side.end.cast_signed() - change.base.end.cast_signed();
                    (changed[side], grown) = (true, true);
                }
            }
            if !grown {
                break;
            }
        }
        made.same_until(start);
        made.changed_until(end, changed, ends);
    }
    made.same_until(base.count());
    made.done
}

/// The text that follows when every conflict is decided by `decide`; other hunks are taken by who changed them.
pub fn merged<'a>(hunks: &[Hunk], mine: &'a str, theirs: &'a str, mut decide: impl FnMut(&Hunk) -> &'a str) -> String {
    let mut text = String::with_capacity(mine.len().max(theirs.len()));
    for hunk in hunks {
        text.push_str(match hunk.kind {
            HunkKind::Same | HunkKind::Mine | HunkKind::Both => &mine[hunk.mine.clone()],
            HunkKind::Theirs => &theirs[hunk.theirs.clone()],
            HunkKind::Conflict => decide(hunk),
        });
    }
    text
}

/// The words in which two texts differ: ranges of bytes in each, in order.
pub fn word_marks(before: &str, after: &str) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    let (old, new) = (words(before), words(after));
    let (old_at, new_at) = (offsets(&old), offsets(&new));
    let mut marks = (Vec::new(), Vec::new());
    for Change { base, side } in changes(&old, &new) {
        if !base.is_empty() {
            marks.0.push(old_at[base.start]..old_at[base.end]);
        }
        if !side.is_empty() {
            marks.1.push(new_at[side.start]..new_at[side.end]);
        }
    }
    marks
}

/// Words, runs of white space, and every other character for itself, as in writing without spaces.
fn words(text: &str) -> Vec<&str> {
    #[derive(PartialEq)]
    enum Class {
        Word,
        Space,
        Single,
    }
    let class = |character: char| {
        if character.is_ascii_alphanumeric() || (character.is_alphanumeric() && character < '\u{2E80}') {
            Class::Word
        } else if character.is_whitespace() {
            Class::Space
        } else {
            Class::Single
        }
    };
    let mut words = Vec::new();
    let mut start = 0;
    let mut last: Option<Class> = None;
    for (at, character) in text.char_indices() {
        let now = class(character);
        if at > start && (now == Class::Single || last.as_ref() != Some(&now)) {
            words.push(&text[start..at]);
            start = at;
        }
        last = Some(now);
    }
    if start < text.len() {
        words.push(&text[start..]);
    }
    words
}

fn offsets(pieces: &[&str]) -> Vec<usize> {
    let mut at = 0;
    let mut offsets = vec![0];
    for piece in pieces {
        at += piece.len();
        offsets.push(at);
    }
    offsets
}

/// A text in lines, each with its end.
struct Lines<'a> {
    lines: Vec<&'a str>,
    offsets: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let offsets = offsets(&lines);
        Self { lines, offsets }
    }

    fn count(&self) -> usize {
        self.lines.len()
    }

    fn bytes(&self, lines: Range<usize>) -> Range<usize> {
        self.offsets[lines.start]..self.offsets[lines.end]
    }
}

/// A stretch of lines of the base, and what stands in its place.
struct Change {
    base: Range<usize>,
    side: Range<usize>,
}

/// What lies between the stretches that are equal. Of a difference only those are taken at their word: where the
/// library moves an insertion along repeating lines, its note of the other side's place stays behind.
fn changes(base: &[&str], side: &[&str]) -> Vec<Change> {
    let deadline = Instant::now() + PATIENCE;
    let mut changes = Vec::new();
    let (mut old, mut new) = (0, 0);
    let ends = DiffOp::Equal { old_index: base.len(), new_index: side.len(), len: 0 };
    let found = capture_diff_slices_deadline(Algorithm::Myers, base, side, Some(deadline));
    for op in found.into_iter().chain([ends]) {
        let DiffOp::Equal { old_index, new_index, len } = op else { continue };
        if old < old_index || new < new_index {
            changes.push(Change { base: old..old_index, side: new..new_index });
        }
        (old, new) = (old_index + len, new_index + len);
    }
    changes
}

/// Hunks in the making, and the line of each text that they reach to.
struct Hunks<'a> {
    lines: [&'a Lines<'a>; 3],
    at: [usize; 3],
    done: Vec<Hunk>,
}

impl Hunks<'_> {
    /// Nobody changed the base up to line `end`.
    fn same_until(&mut self, end: usize) {
        let count = end - self.at[0];
        if count > 0 {
            self.push(HunkKind::Same, self.at.map(|at| at + count));
        }
    }

    /// Somebody changed the base up to line `end`; `ahead` is by how many lines each side is ahead of it afterwards.
    fn changed_until(&mut self, end: usize, changed: [bool; 2], ahead: [isize; 2]) {
        let before = [1, 2].map(|side| self.at[side].cast_signed() - self.at[0].cast_signed());
        // A side without a change is as far ahead as it was.
        let reach = [0, 1].map(|side| {
            let ahead = if changed[side] { ahead[side] } else { before[side] };
            end.saturating_add_signed(ahead)
        });
        let kind = match changed {
            [true, false] => HunkKind::Mine,
            [false, _] => HunkKind::Theirs,
            [true, true] => {
                let [mine, theirs] = [1, 2].map(|side| &self.lines[side].lines[self.at[side]..reach[side - 1]]);
                if mine == theirs { HunkKind::Both } else { HunkKind::Conflict }
            }
        };
        self.push(kind, [end, reach[0], reach[1]]);
    }

    fn push(&mut self, kind: HunkKind, to: [usize; 3]) {
        let [base, mine, theirs] = [0, 1, 2].map(|text| self.lines[text].bytes(self.at[text]..to[text]));
        self.at = to;
        self.done.push(Hunk { kind, base, mine, theirs });
    }
}

#[cfg(test)]
mod tests;
