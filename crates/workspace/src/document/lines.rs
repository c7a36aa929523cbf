//! Lines, and what a line is by itself.

/// One line. Offsets are bytes of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line {
    /// Its first byte.
    pub start: usize,
    /// One past its text.
    pub end: usize,
    /// One past its line end (LF, CR LF or CR); `end` when the text ends here.
    pub next: usize,
}

/// The lines of `text` from byte `from` on.
pub(super) fn split(text: &str, from: usize) -> Vec<Line> {
    let bytes = text.as_bytes();
    let mut lines = Vec::new();
    let mut start = from;
    while start < bytes.len() {
        let end =
            bytes[start..].iter().position(|byte| matches!(byte, b'\n' | b'\r')).map_or(bytes.len(), |at| start + at);
        let next = match bytes.get(end..) {
            Some([b'\r', b'\n', ..]) => end + 2,
            Some([_, ..]) => end + 1,
            _ => end,
        };
        lines.push(Line { start, end, next });
        start = next;
    }
    lines
}

/// True for a line without text.
pub(crate) fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

/// The columns and the bytes of the blanks that a line begins with; a tab goes on to the next column of four.
pub(crate) fn leading(line: &str) -> (usize, usize) {
    let mut columns = 0;
    for (at, byte) in line.bytes().enumerate() {
        match byte {
            b' ' => columns += 1,
            b'\t' => columns += 4 - columns % 4,
            _ => return (columns, at),
        }
    }
    (columns, line.len())
}

/// For a heading with signs before it: its level, and the bytes of its title within the line.
pub(crate) fn atx(line: &str) -> Option<(u8, std::ops::Range<usize>)> {
    let (columns, start) = leading(line);
    let rest = &line[start..];
    let level = rest.bytes().take_while(|byte| *byte == b'#').count();
    if columns > 3 || !(1..=6).contains(&level) {
        return None;
    }
    let after = &rest[level..];
    if !after.is_empty() && !after.starts_with([' ', '\t']) {
        return None;
    }
    let mut title = after.trim();
    let open = title.trim_end_matches('#');
    if open.is_empty() || open.ends_with([' ', '\t']) {
        title = open.trim_end();
    }
    let lead = if title.is_empty() { after.len().min(1) } else { after.len() - after.trim_start().len() };
    let from = start + level + lead;
    Some((level as u8, from..from + title.len()))
}

/// For the line below a paragraph that makes a heading of it: the level.
pub(crate) fn is_underline(line: &str) -> Option<u8> {
    let (columns, start) = leading(line);
    let marks = line[start..].trim_end();
    if columns > 3 || marks.is_empty() {
        None
    } else if marks.bytes().all(|byte| byte == b'=') {
        Some(1)
    } else {
        (marks.len() > 1 && marks.bytes().all(|byte| byte == b'-')).then_some(2)
    }
}

/// True for three or more of `-`, `*` or `_`, with or without blanks between.
pub(crate) fn is_rule(line: &str) -> bool {
    let (columns, start) = leading(line);
    let mut marks = line[start..].bytes().filter(|byte| !matches!(byte, b' ' | b'\t'));
    let Some(first) = marks.next().filter(|mark| columns < 4 && matches!(mark, b'-' | b'*' | b'_')) else {
        return false;
    };
    let mut count = 1;
    marks.all(|mark| {
        count += 1;
        mark == first
    }) && count >= 3
}

/// For a line that opens a block of code: the sign, and how often it stands there.
pub(crate) fn fence(line: &str) -> Option<(u8, usize)> {
    let (columns, start) = leading(line);
    let rest = &line.as_bytes()[start..];
    let mark = *rest.first().filter(|mark| columns < 4 && matches!(mark, b'`' | b'~'))?;
    let length = rest.iter().take_while(|byte| **byte == mark).count();
    // A run of backticks with another one behind it is code within a line.
    let inline = mark == b'`' && rest[length..].contains(&b'`');
    (length >= 3 && !inline).then_some((mark, length))
}

/// True when `line` closes a block of code that `mark` × `length` opened.
pub(super) fn closes(line: &str, (mark, length): (u8, usize)) -> bool {
    let (columns, start) = leading(line);
    let marks = line[start..].trim_end().as_bytes();
    columns < 4 && marks.len() >= length && marks.iter().all(|byte| *byte == mark)
}

/// True when a comment begins this line.
pub(super) fn opens_comment(line: &str) -> bool {
    let (columns, start) = leading(line);
    columns < 4 && line[start..].starts_with("<!--")
}

/// True for the second line of a table.
pub(super) fn is_table_rule(line: &str) -> bool {
    let line = line.trim();
    line.contains('|')
        && line.contains('-')
        && line.bytes().all(|byte| matches!(byte, b'|' | b'-' | b':' | b' ' | b'\t'))
}

/// The mark of a list entry: its columns of indentation, its bytes within the line, its number, and the columns
/// from which on a line belongs to the entry.
pub(super) struct Mark {
    pub(super) indent: usize,
    pub(super) range: std::ops::Range<usize>,
    pub(super) number: Option<u64>,
    pub(super) content: usize,
}

pub(super) fn list_mark(line: &str) -> Option<Mark> {
    let (indent, start) = leading(line);
    let rest = &line[start..];
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (length, number) = match rest.as_bytes() {
        [b'-' | b'*' | b'+', ..] => (1, None),
        bytes if (1..=9).contains(&digits) && matches!(bytes.get(digits), Some(b'.' | b')')) => {
            (digits + 1, rest[..digits].parse().ok())
        }
        _ => return None,
    };
    let after = &rest[length..];
    if !(after.is_empty() || after.starts_with([' ', '\t'])) || is_rule(line) {
        return None;
    }
    // Two columns are enough for what people write below a numbered entry.
    Some(Mark { indent, range: start..start + length, number, content: indent + 2 })
}
