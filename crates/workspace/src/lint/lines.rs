//! The lines of a text, for checks that read it line by line.

/// One line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Line<'a> {
    /// Byte of the text at which it begins.
    pub(super) at: usize,
    /// Its text without the line end.
    pub(super) text: &'a str,
    /// True within a fenced code block, its fences included.
    pub(super) code: bool,
}

impl Line<'_> {
    /// One past its last byte, the line end left out.
    pub(super) fn end(self) -> usize {
        self.at + self.text.len()
    }

    /// True when it holds white space only.
    pub(super) fn blank(self) -> bool {
        self.text.trim().is_empty()
    }

    /// True for `# Title` of any level, outside code.
    pub(super) fn heading(self) -> bool {
        let marks = self.text.bytes().take_while(|&byte| byte == b'#').count();
        !self.code && (1..=6).contains(&marks) && matches!(self.text.as_bytes().get(marks), None | Some(b' ' | b'\t'))
    }
}

/// The lines of `text`; a byte order mark before the first one is no part of it.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut at = text.len() - text.trim_start_matches('\u{FEFF}').len();
    let mut fence: Option<(u8, usize)> = None;
    text[at..].split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        let text = line.trim_end_matches(['\n', '\r']);
        let mark = fence_mark(text);
        let code = fence.is_some() || mark.is_some();
        fence = match (fence, mark) {
            (None, opening) => opening.map(|(byte, length, _)| (byte, length)),
            (Some((byte, length)), Some((same, closing, true))) if same == byte && closing >= length => None,
            (open, _) => open,
        };
        Line { at: start, text, code }
    })
}

/// For the line of a code fence: its character, how often it stands, and whether nothing follows (a fence that may
/// close).
fn fence_mark(line: &str) -> Option<(u8, usize, bool)> {
    let inner = line.trim_start_matches(' ');
    let byte = *inner.as_bytes().first().filter(|&&byte| byte == b'`' || byte == b'~')?;
    let length = inner.bytes().take_while(|&other| other == byte).count();
    let rest = &inner[length..];
    (line.len() - inner.len() < 4 && length >= 3 && !(byte == b'`' && rest.contains('`')))
        .then(|| (byte, length, rest.trim().is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_told_from_prose() {
        let text = "\u{FEFF}# A\n~~~~ md\n# B\n~~~\n---\r\n~~~~\n# C";
        let told: Vec<_> = lines(text).map(|line| (line.at, line.text, line.code, line.heading())).collect();
        let expected = [
            (3, "# A", false, true),
            (7, "~~~~ md", true, false),
            (15, "# B", true, false),
            (19, "~~~", true, false),
            (23, "---", true, false),
            (28, "~~~~", true, false),
            (33, "# C", false, true),
        ];
        assert_eq!(told, expected);
    }
}
