//! A text under construction that knows the source of every byte.

use std::ops::Range;
use std::sync::Arc;

use model::{ContentHash, Source, SourceFile, Span};

/// A text and its spans, which cover it exactly once and in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Traced {
    text: String,
    spans: Vec<Span>,
}

impl Traced {
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self { text: String::with_capacity(bytes), spans: Vec::new() }
    }

    /// A text that has one source.
    pub(crate) fn of(text: &str, source: Source) -> Self {
        let mut traced = Self::default();
        traced.push(text, source);
        traced
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Appends `text`. A run that goes on where the last one ended becomes one span with it.
    pub(crate) fn push(&mut self, text: &str, source: Source) {
        if text.is_empty() {
            return;
        }
        let start = self.text.len() as u32;
        self.text.push_str(text);
        let end = self.text.len() as u32;
        if let Some(last) = self.spans.last_mut()
            && let Some(joined) = joined(&last.source, &source)
        {
            last.source = joined;
            last.end = end;
        } else {
            self.spans.push(Span { start, end, source });
        }
    }

    /// Appends a text fixed by variant or target.
    pub(crate) fn literal(&mut self, text: &str, name: &str) {
        self.push(text, Source::Literal { name: name.into() });
    }

    /// Appends a computed value.
    pub(crate) fn value(&mut self, text: &str, name: &str) {
        self.push(text, Source::Value { name: name.into() });
    }

    /// Appends bytes `range` of the file's text.
    pub(crate) fn file(&mut self, file: &SourceFile, range: Range<usize>) {
        let decoded = file.decoded();
        let source = Source::File {
            path: Arc::clone(&file.path),
            start: decoded.to_file_offset(range.start) as u32,
            end: decoded.to_file_offset(range.end) as u32,
        };
        self.push(&decoded.text[range], source);
    }

    /// Appends bytes `range` of another text, with their sources.
    pub(crate) fn append(&mut self, text: &str, spans: &[Span], range: Range<usize>) {
        for span in spans {
            let start = range.start.max(span.start as usize);
            let end = range.end.min(span.end as usize);
            if start < end {
                self.push(&text[start..end], part(span, start as u32, end as u32));
            }
        }
    }

    /// Appends the whole of another text.
    pub(crate) fn append_all(&mut self, other: &Built) {
        self.append(&other.text, &other.spans, 0..other.text.len());
    }

    /// Closes the text.
    pub(crate) fn finish(self) -> Built {
        let hash = ContentHash(*blake3::hash(self.text.as_bytes()).as_bytes());
        Built { text: self.text.into(), hash, key: hash, spans: self.spans.into() }
    }
}

/// A finished text, shared between assemblies that it did not change in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Built {
    pub(crate) text: Arc<str>,
    /// Hash of the text.
    pub(crate) hash: ContentHash,
    /// Hash of what it was made from: two equal texts may have different sources.
    pub(crate) key: ContentHash,
    pub(crate) spans: Arc<[Span]>,
}

impl Default for Built {
    fn default() -> Self {
        Traced::default().finish()
    }
}

impl Built {
    /// The file that the text was taken from; of several, the first.
    pub(crate) fn file(&self) -> Option<&str> {
        self.spans.iter().find_map(|span| match &span.source {
            Source::File { path, .. } => Some(&**path),
            _ => None,
        })
    }

    /// The same text as one value of a name that is made of `mark` and `name`.
    pub(crate) fn marked(&self, mark: &str, name: &str) -> Self {
        let source = Source::Value { name: format!("{mark}{name}").into() };
        let span = Span { start: 0, end: self.text.len() as u32, source };
        let spans = if self.text.is_empty() { Arc::default() } else { Arc::from([span]) };
        Self { text: Arc::clone(&self.text), spans, ..*self }
    }
}

/// The source of both runs when the second goes on where the first ends.
fn joined(first: &Source, second: &Source) -> Option<Source> {
    match (first, second) {
        (Source::File { path, start, end }, Source::File { path: next, start: from, end: to }) => {
            (path == next && end == from).then(|| Source::File { path: Arc::clone(path), start: *start, end: *to })
        }
        (Source::Template { path, start, end }, Source::Template { path: next, start: from, end: to }) => {
            (path == next && end == from).then(|| Source::Template { path: Arc::clone(path), start: *start, end: *to })
        }
        (Source::Literal { .. }, Source::Literal { .. }) if first == second => Some(first.clone()),
        _ => None,
    }
}

/// The source of bytes `start..end` of a text that `span` covers. Where text and source have the same length
/// they run in step; where they do not (replaced bytes, rewritten tags) the whole range is named.
fn part(span: &Span, start: u32, end: u32) -> Source {
    let cut = |from: u32, to: u32| {
        if to - from == span.end - span.start {
            (from + (start - span.start), from + (end - span.start))
        } else {
            (from, to)
        }
    };
    match &span.source {
        Source::File { path, start, end } => {
            let (start, end) = cut(*start, *end);
            Source::File { path: Arc::clone(path), start, end }
        }
        Source::Template { path, start, end } => {
            let (start, end) = cut(*start, *end);
            Source::Template { path: Arc::clone(path), start, end }
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literal(name: &str) -> Source {
        Source::Literal { name: name.into() }
    }

    #[test]
    fn runs_that_go_on_are_one_span() {
        let file = |start, end| Source::File { path: "/a".into(), start, end };
        let mut text = Traced::of("ab", file(3, 5));
        text.push("cd", file(5, 7));
        text.push("", literal("nothing"));
        text.literal("--", "rule");
        text.push("x", file(9, 10));
        let mut outer = Traced::of(">", literal("mark"));
        outer.append(&text.text, &text.spans, 1..5);
        assert_eq!(outer.text(), ">bcd-");
        assert_eq!(
            outer.spans,
            [
                Span { start: 0, end: 1, source: literal("mark") },
                Span { start: 1, end: 4, source: file(4, 7) },
                Span { start: 4, end: 5, source: literal("rule") },
            ]
        );
    }
}
