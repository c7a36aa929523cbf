//! Counting the same text again after small changes.
//!
//! A text is remembered whole, and in slices that its own content delimits (`cuts::slices`). A key
//! press in one of four hundred sections hashes all of them, slices one and tokenizes one or two
//! slices of it.
//!
//! Sections are counted alone, which is what a person wants to know about each; the tokens of their
//! concatenation differ where a token spans a border. At a border that is a cut ([`is_cut`]) they
//! add up; otherwise the text between the last cut before and the first cut behind is counted in
//! one piece, and the difference goes into the joins.

use serde::Serialize;

use crate::cuts::{first_cut, is_cut, last_cut, slices};
use crate::memo::{Key, Memo};
use crate::tally::{Measure, Tally};
use crate::{Cancel, Count, CountError, Tokenizer};

/// Counts texts and remembers them.
pub struct Counter {
    memo: Memo,
    counted_bytes: u64,
}

/// The tokens of sections and of their concatenation.
///
/// Always: the parts' totals plus `joins` equal the total's, and the total is that of the sections
/// joined to one text.
///
/// For an exact encoding each part is what the section has alone. For an estimate each part is the
/// section's share: factors are chosen once, by the whole text, so `joins` holds rounding (at most
/// half a token a section) and what the borders change. Where all borders are cuts, the total's
/// interval lies within the sum of the parts' intervals.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SectionCounts {
    /// One count for each section, in order.
    pub parts: Vec<Count>,
    /// Tokens gained (or lost, below zero) by joining the sections. Zero when nothing is known.
    pub joins: i64,
    /// The count of all sections as one text.
    pub total: Count,
}

impl Default for Counter {
    /// Remembers 16 MiB of counts, some 50,000 slices or sections.
    fn default() -> Self {
        Self::with_capacity_bytes(16 * 1024 * 1024)
    }
}

impl Counter {
    /// A counter that remembers about `bytes` of counts. Texts are not kept, only their hashes.
    pub fn with_capacity_bytes(bytes: usize) -> Self {
        Self { memo: Memo::with_capacity_bytes(bytes), counted_bytes: 0 }
    }

    /// Bytes of text that went through a tokenizer so far, the work that remembering saves.
    pub fn counted_bytes(&self) -> u64 {
        self.counted_bytes
    }

    /// Tokens of `text` by `tokenizer`; equal to [`crate::count_for`].
    ///
    /// # Errors
    /// [`CountError::Cancelled`], see [`crate::count`]. Slices counted until then are remembered.
    pub fn count(&mut self, text: &str, tokenizer: Tokenizer, cancel: &dyn Cancel) -> Result<Count, CountError> {
        Ok(match Measure::of(tokenizer) {
            Some(measure) => Count::of_whole(tokenizer, &self.tally(text, measure, cancel)?),
            None => Count::UNKNOWN,
        })
    }

    /// Tokens of each section and of their concatenation. Sections may be empty.
    ///
    /// # Errors
    /// [`CountError::Cancelled`], see [`crate::count`]. Slices counted until then are remembered.
    pub fn count_sections(
        &mut self,
        sections: &[&str],
        tokenizer: Tokenizer,
        cancel: &dyn Cancel,
    ) -> Result<SectionCounts, CountError> {
        let Some(measure) = Measure::of(tokenizer) else {
            let parts = vec![Count::UNKNOWN; sections.len()];
            return Ok(SectionCounts { parts, joins: 0, total: Count::UNKNOWN });
        };
        let mut tallies = Vec::with_capacity(sections.len());
        for section in sections {
            tallies.push(self.tally(section, measure, cancel)?);
        }
        let mut whole = self.joins(sections, measure, cancel)?;
        for tally in &tallies {
            whole += *tally;
        }
        let total = Count::of_whole(tokenizer, &whole);
        let parts = tallies.iter().map(|tally| Count::of_part(tokenizer, tally, &whole)).collect::<Vec<_>>();
        let sum = parts.iter().filter_map(|part| part.total).map(i64::from).sum::<i64>();
        let joins = total.total.map_or(0, i64::from) - sum;
        Ok(SectionCounts { parts, joins, total })
    }

    fn tally(&mut self, text: &str, measure: Measure, cancel: &dyn Cancel) -> Result<Tally, CountError> {
        if text.is_empty() {
            return Ok(Tally::default());
        }
        let key = Key::new(text, measure);
        if let Some(tally) = self.memo.get(&key) {
            return Ok(tally);
        }
        let mut tally = Tally::default();
        for slice in slices(text) {
            tally += if slice.len() == text.len() {
                self.tokenize(slice, measure, cancel)?
            } else {
                self.slice_tally(slice, measure, cancel)?
            };
        }
        self.memo.insert(key, tally);
        Ok(tally)
    }

    fn slice_tally(&mut self, slice: &str, measure: Measure, cancel: &dyn Cancel) -> Result<Tally, CountError> {
        let key = Key::new(slice, measure);
        if let Some(tally) = self.memo.get(&key) {
            return Ok(tally);
        }
        let tally = self.tokenize(slice, measure, cancel)?;
        self.memo.insert(key, tally);
        Ok(tally)
    }

    fn tokenize(&mut self, text: &str, measure: Measure, cancel: &dyn Cancel) -> Result<Tally, CountError> {
        self.counted_bytes += text.len() as u64;
        Tally::of(text, measure, cancel)
    }

    /// What joining adds to the sum of the sections.
    fn joins(&mut self, sections: &[&str], measure: Measure, cancel: &dyn Cancel) -> Result<Tally, CountError> {
        let mut gained = Tally::default();
        let mut open: Option<Joint> = None;
        let mut previous = "";
        for section in sections.iter().copied().filter(|section| !section.is_empty()) {
            if borders_at_cut(previous, section) {
                if let Some(joint) = open.take() {
                    gained += self.gain(&joint, measure, cancel)?;
                }
            } else {
                let joint = open.get_or_insert_with(|| {
                    let tail = &previous[last_cut(previous).unwrap_or(0)..];
                    Joint { text: tail.to_owned(), ends: vec![tail.len()] }
                });
                let head_end = first_cut(section);
                joint.push(&section[..head_end.unwrap_or(section.len())]);
                if head_end.is_some()
                    && let Some(joint) = open.take()
                {
                    gained += self.gain(&joint, measure, cancel)?;
                }
            }
            previous = section;
        }
        if let Some(joint) = open {
            gained += self.gain(&joint, measure, cancel)?;
        }
        Ok(gained)
    }

    fn gain(&mut self, joint: &Joint, measure: Measure, cancel: &dyn Cancel) -> Result<Tally, CountError> {
        let mut gain = self.tally(&joint.text, measure, cancel)?;
        let mut start = 0;
        for end in &joint.ends {
            gain = gain - self.tally(&joint.text[start..*end], measure, cancel)?;
            start = *end;
        }
        Ok(gain)
    }
}

/// The text between two cuts with at least one border that is no cut. Each stretch between borders
/// ends at `ends`.
struct Joint {
    text: String,
    ends: Vec<usize>,
}

impl Joint {
    fn push(&mut self, stretch: &str) {
        self.text.push_str(stretch);
        self.ends.push(self.text.len());
    }
}

fn borders_at_cut(left: &str, right: &str) -> bool {
    match (left.chars().next_back(), right.chars().next()) {
        (Some(before), Some(after)) => is_cut(before, after),
        _ => true,
    }
}
