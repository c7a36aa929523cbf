//! Line numbers of places in a text.

/// Line numbers of ascending places, counted once.
pub(crate) struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    /// Where the line of the last place begins.
    pub(crate) start: usize,
}

impl<'a> Lines<'a> {
    /// A text that was not looked at yet.
    pub(crate) fn of(text: &'a str) -> Self {
        Self { text, at: 0, line: 1, start: 0 }
    }

    /// The line, from 1, of byte `at`, which is not before the last one asked for.
    pub(crate) fn at(&mut self, at: usize) -> u32 {
        for (end, _) in self.text[self.at..at].match_indices('\n') {
            self.line += 1;
            self.start = self.at + end + 1;
        }
        self.at = at;
        self.line
    }
}
