//! Finding a phrase in a text: byte for byte, or as people take two texts for the same.

use std::ops::Range;

/// What is looked for, and how exactly.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Phrase {
    text: String,
    ignore_case: bool,
    loose_space: bool,
}

impl Phrase {
    /// A phrase. With `loose_space` any run of white space, line ends too, stands for any other.
    pub(crate) fn new(text: &str, ignore_case: bool, loose_space: bool) -> Self {
        let text = if loose_space { text.trim() } else { text };
        let text =
            if ignore_case || loose_space { Folded::of(text, ignore_case, loose_space).text } else { text.to_owned() };
        Self { text, ignore_case, loose_space }
    }

    /// True when there is nothing to look for.
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The places in `text`, ascending and apart.
    pub(crate) fn find(&self, text: &str) -> Vec<Range<usize>> {
        let length = self.text.len();
        if !self.ignore_case && !self.loose_space {
            return text.match_indices(&self.text).map(|(at, _)| at..at + length).collect();
        }
        let folded = Folded::of(text, self.ignore_case, self.loose_space);
        let places = folded.text.match_indices(&self.text).filter_map(|(at, _)| {
            // Within what one character became there is no place.
            Some(folded.source(at)?..folded.source(at + length)?)
        });
        places.collect()
    }
}

/// A text with differences taken out that do not count, and the way back.
struct Folded {
    text: String,
    /// Byte of the folded text and of the source, wherever a character of the source begins; and both ends.
    places: Vec<(u32, u32)>,
}

impl Folded {
    fn of(source: &str, ignore_case: bool, loose_space: bool) -> Self {
        let mut text = String::with_capacity(source.len());
        let mut places = Vec::with_capacity(source.len() + 1);
        let mut in_space = false;
        for (at, c) in source.char_indices() {
            let space = loose_space && c.is_whitespace();
            if space && in_space {
                continue;
            }
            in_space = space;
            places.push((text.len() as u32, at as u32));
            if space {
                text.push(' ');
            } else if ignore_case {
                // By way of the upper case, so that ß meets SS, and ς meets σ.
                text.extend(c.to_uppercase().flat_map(char::to_lowercase));
            } else {
                text.push(c);
            }
        }
        places.push((text.len() as u32, source.len() as u32));
        Self { text, places }
    }

    fn source(&self, at: usize) -> Option<usize> {
        let place = self.places.binary_search_by_key(&at, |&(folded, _)| folded as usize).ok()?;
        Some(self.places[place].1 as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<'a>(phrase: &str, text: &'a str, ignore_case: bool, loose_space: bool) -> Vec<&'a str> {
        Phrase::new(phrase, ignore_case, loose_space).find(text).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn by_bytes_unless_asked_otherwise() {
        assert_eq!(found("plum", "Plum plum\nplum", false, false), ["plum", "plum"]);
        assert_eq!(found("PLUM", "Plum plum", true, false), ["Plum", "plum"]);
        assert_eq!(found("two  plums ", "two\r\n\tplums, two plums", false, true), ["two\r\n\tplums", "two plums"]);
        assert!(found("two plums", "two\nplums", true, false).is_empty());
    }

    #[test]
    fn letters_that_change_their_length() {
        assert_eq!(found("strasse", "Große Straße 1", true, false), ["Straße"]);
        assert_eq!(found("i̇", "İx", true, false), ["İ"], "one character that becomes two");
        assert!(found("s", "ß", true, false).is_empty(), "half of one is none");
        assert_eq!(found("ΣΟΦΟΣ", "σοφος σοφός", true, false), ["σοφος"]);
    }
}
