//! What memories say twice: whole entries, and paragraphs and list items within them.
//!
//! The work grows with the length of the texts and not with its square: equal texts meet by their hash, and texts that
//! are nearly equal by what they have in common.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::entries::{Entry, Kind, item, lines};
use super::words::Words;

/// Texts of fewer bytes are no statement that somebody would miss or want only once.
const SHORTEST: usize = 8;
/// With so many texts of one key the next one is compared, and no more.
const COMPARED: usize = 16;

/// One place where something is said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Copy {
    /// Index of the text.
    pub text: usize,
    /// Its bytes: whole lines, so that they can be taken out.
    pub range: Range<usize>,
    /// Index of the entry.
    pub entry: usize,
    /// True when the copy is all that the entry says, heading and date included.
    pub whole: bool,
}

/// Something that is said more than once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Duplicate {
    /// True when all copies are the same bytes, white space around them aside; else nearly the same words.
    pub exact: bool,
    /// The places, in the order of the texts.
    pub copies: Vec<Copy>,
}

/// A copy with what is compared of it.
struct Said<'a> {
    copy: Copy,
    text: &'a str,
}

/// What `texts` say twice, within one or across them; `entries` are theirs. What is said by entries that are copies of
/// one another as a whole is not listed again.
pub fn duplicates(texts: &[&str], entries: &[Vec<Entry>]) -> Vec<Duplicate> {
    let (mut whole, mut parts) = (Vec::new(), Vec::new());
    for (index, (text, entries)) in texts.iter().zip(entries).enumerate() {
        for (number, entry) in entries.iter().enumerate() {
            let units = units(text, entry);
            let single = units.len() == 1 && entry.kind != Kind::Text;
            let copy = |range, whole| Copy { text: index, range, entry: number, whole };
            let all = text[entry.body.clone()].trim();
            if units.len() > 1 {
                whole.push(Said { copy: copy(entry.range.clone(), true), text: all });
            }
            parts.extend(units.into_iter().map(|unit| {
                let range = if single { entry.range.clone() } else { unit.lines };
                Said { copy: copy(range, single), text: &text[unit.said] }
            }));
        }
    }
    let mut found = groups(whole);
    let taken: HashSet<(usize, usize)> =
        found.iter().flat_map(|group| &group.copies).map(|copy| (copy.text, copy.entry)).collect();
    parts.retain(|said| !taken.contains(&(said.copy.text, said.copy.entry)));
    found.extend(groups(parts));
    found.sort_by_key(|group| group.copies.first().map(|copy| (copy.text, copy.range.start)));
    found
}

/// A paragraph or list item.
struct Unit {
    /// Its lines.
    lines: Range<usize>,
    /// Its text without the sign of a list item.
    said: Range<usize>,
}

/// The paragraphs and list items of an entry.
fn units(text: &str, entry: &Entry) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let mut open = false;
    let body = &text[entry.body.clone()];
    for line in lines(body) {
        let content = &body[line.clone()];
        let (start, end) = (entry.body.start + line.start, entry.body.start + line.end);
        let said = content.trim();
        if said.is_empty() || said.starts_with('#') {
            open = false;
            continue;
        }
        let begins = item(content);
        if let Some(last) = units.last_mut().filter(|_| open && begins.is_none()) {
            last.lines.end = end;
            last.said.end = start + content.trim_end().len();
        } else {
            let indent = begins.map_or(content.len() - content.trim_start().len(), |item| content.len() - item.len());
            units.push(Unit {
                lines: start..end,
                said: start + indent..(start + content.trim_end().len()).max(start + indent),
            });
        }
        open = true;
    }
    units
}

/// Those that are equal, then those that are nearly equal.
fn groups(said: Vec<Said<'_>>) -> Vec<Duplicate> {
    let mut by_text: HashMap<&str, usize> = HashMap::new();
    // Each different text, with its places.
    let mut different: Vec<(&str, Vec<Copy>)> = Vec::new();
    for Said { copy, text } in said.into_iter().filter(|said| said.text.len() >= SHORTEST) {
        let at = *by_text.entry(text).or_insert_with(|| {
            different.push((text, Vec::new()));
            different.len() - 1
        });
        different[at].1.push(copy);
    }
    let mut joined = Joined::new(different.len());
    let words: Vec<Words> = different.iter().map(|(text, _)| Words::of(text)).collect();
    let mut in_order: HashMap<u64, usize> = HashMap::new();
    let mut by_band: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, own) in words.iter().enumerate().filter(|(_, own)| own.len() > 1) {
        match in_order.get(&own.in_order) {
            Some(&same) => {
                joined.join(same, at);
                continue;
            }
            None => in_order.insert(own.in_order, at),
        };
        for band in own.bands() {
            let others = by_band.entry(band).or_default();
            for &other in others.iter().filter(|&&other| words[other].nearly(own)) {
                joined.join(other, at);
            }
            if others.len() < COMPARED {
                others.push(at);
            }
        }
    }
    let mut groups: HashMap<usize, Duplicate> = HashMap::new();
    for (at, (_, copies)) in different.into_iter().enumerate() {
        let group = groups.entry(joined.root(at)).or_insert(Duplicate { exact: true, copies: Vec::new() });
        group.exact &= group.copies.is_empty();
        group.copies.extend(copies);
    }
    let mut groups: Vec<Duplicate> = groups.into_values().filter(|group| group.copies.len() > 1).collect();
    for group in &mut groups {
        group.copies.sort_by_key(|copy| (copy.text, copy.range.start));
    }
    groups
}

/// Which of several things belong together, each led by the first.
struct Joined {
    to: Vec<usize>,
}

impl Joined {
    fn new(count: usize) -> Self {
        Self { to: (0..count).collect() }
    }

    fn root(&mut self, mut at: usize) -> usize {
        while self.to[at] != at {
            self.to[at] = self.to[self.to[at]];
            at = self.to[at];
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.to[a.max(b)] = a.min(b);
    }
}

#[cfg(test)]
mod tests {
    use super::super::entries::entries;
    use super::*;

    /// Each duplicate as: exact, and the copies' texts with the number of their memory.
    fn found<'a>(texts: &[&'a str]) -> Vec<(bool, Vec<(usize, &'a str)>)> {
        let entries: Vec<_> = texts.iter().map(|text| entries(text)).collect();
        duplicates(texts, &entries)
            .into_iter()
            .map(|group| {
                let copies = group.copies.into_iter();
                (group.exact, copies.map(|copy| (copy.text, &texts[copy.text][copy.range])).collect())
            })
            .collect()
    }

    #[test]
    fn the_same_line_in_both_memories() {
        let you = "# You\n- Likes plums.\n- Repairs clocks.\n";
        let project = "# Harbour\n* Likes plums.\n";
        assert_eq!(found(&[you, project]), [(true, vec![(0, "- Likes plums.\n"), (1, "# Harbour\n* Likes plums.\n")])]);
    }

    #[test]
    fn a_section_appended_twice_is_one_duplicate() {
        let text = "## Dream — 2025-03-04\n- Likes plums.\n- Repairs clocks.\n\n\n## Dream — 2025-03-05\n- Likes plums.\n- Repairs clocks.\n";
        let second = text.find("## Dream — 2025-03-05").unwrap_or_default();
        assert_eq!(found(&[text]), [(true, vec![(0, &text[..second]), (0, &text[second..])])]);
    }

    #[test]
    fn nearly_the_same_words() {
        let text = "- The north shelf was renumbered from 400 to 460 today.\n\n- the North shelf was renumbered from 400 to 460\n\n- Something else entirely, about the south shelf.\n";
        let found = found(&[text]);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].0, found[0].1.len()), (false, 2), "9 of 10 words");
    }

    #[test]
    fn a_dated_item_and_an_undated_one() {
        let text = "- 2025-03-01: Likes plums.\n- 2025-04-01: Likes plums.\n\nLikes  plums!\n";
        assert_eq!(
            found(&[text]),
            [(
                false,
                vec![
                    (0, "- 2025-03-01: Likes plums.\n"),
                    (0, "- 2025-04-01: Likes plums.\n\n"),
                    (0, "Likes  plums!\n")
                ]
            )]
        );
    }

    #[test]
    fn two_mebibytes_of_one_section_are_one_duplicate() {
        let section = "## Dream — 2025-03-04\n- Likes plums.\n- Repairs clocks.\n\n\n";
        let text = section.repeat(2 * 1024 * 1024 / section.len());
        let found = found(&[&text]);
        assert_eq!((found.len(), found[0].1.len()), (1, 2 * 1024 * 1024 / section.len()));
    }
}
