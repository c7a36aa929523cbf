//! Lines that are a name and a value: `**Name:** Ada`, `**Name**: Ada`, `Name: Ada`, `姓名：Ada`, `Nom : Ada`.

use std::ops::Range;

use super::lines::leading;

/// Longest name of a value, in bytes: what is longer is a sentence with a colon in it.
const LONGEST: usize = 120;

/// A name and its value. Offsets are bytes of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyLine {
    /// The name, without its signs.
    pub key: Range<usize>,
    /// How it is written.
    pub style: KeyStyle,
    /// One past the signs of the name: after the colon, or after the stars behind it.
    pub gap: usize,
    /// The value without the blanks around it. Empty where it would be written. When the value begins on a later
    /// line than its name, the range begins at `gap`.
    pub value: Range<usize>,
}

/// How a name is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeyStyle {
    /// The signs on both sides of the name; empty for none.
    pub emphasis: &'static str,
    /// True when the colon stands inside the signs.
    pub inside: bool,
    /// True for the colon of Chinese and Japanese, after which no blank is written.
    pub wide: bool,
    /// The blank before the colon, as in French; empty for none.
    pub before: &'static str,
}

impl KeyStyle {
    /// What the workbench writes where a file shows no style of its own.
    pub const OWN: Self = Self { emphasis: "**", inside: true, wide: false, before: "" };

    /// A name in this style, up to where its value begins.
    pub fn write(self, key: &str) -> String {
        let Self { emphasis, inside, wide, before } = self;
        let colon = if wide { "：" } else { ":" };
        let blank = if wide && emphasis.is_empty() { "" } else { " " };
        if inside {
            format!("{emphasis}{key}{before}{colon}{emphasis}{blank}")
        } else {
            format!("{emphasis}{key}{emphasis}{before}{colon}{blank}")
        }
    }
}

/// The name and value in `line`, a piece of a text that begins at byte `at`.
pub(super) fn key_line(line: &str, at: usize) -> Option<KeyLine> {
    let (columns, start) = leading(line);
    if columns > 3 {
        return None;
    }
    let rest = &line[start..];
    let emphasis = ["***", "___", "**", "__", "*", "_"].into_iter().find(|signs| rest.starts_with(signs)).unwrap_or("");
    let inner = &rest[emphasis.len()..];
    let (key, style, length) = if emphasis.is_empty() {
        let (colon, wide) = colon(inner)?;
        let before = blank_before(&inner[..colon]);
        (0..colon, KeyStyle { emphasis, inside: false, wide, before }, colon + if wide { 3 } else { 1 })
    } else {
        let close = inner.find(emphasis)?;
        let name = &inner[..close];
        let after = emphasis.len() + close + emphasis.len();
        let behind = &rest[after..];
        if let Some(wide) = ends_with_colon(name) {
            let colon = if wide { 3 } else { 1 };
            let before = blank_before(&name[..name.len() - colon]);
            (emphasis.len()..after - emphasis.len() - colon, KeyStyle { emphasis, inside: true, wide, before }, after)
        } else {
            let blanks = behind.len() - behind.trim_start().len();
            let before = blank_before(&behind[..blanks]);
            let behind = &behind[blanks..];
            let wide = behind.starts_with('：');
            let narrow = behind == ":" || behind.starts_with(": ") || behind.starts_with(":\t");
            if !(wide || narrow) {
                return None;
            }
            let colon = if wide { 3 } else { 1 };
            let style = KeyStyle { emphasis, inside: false, wide, before };
            (emphasis.len()..emphasis.len() + close, style, after + blanks + colon)
        }
    };
    let name = &rest[key.clone()];
    let trimmed = name.trim();
    if trimmed.is_empty() || name.len() > LONGEST || !trimmed.chars().any(char::is_alphanumeric) {
        return None;
    }
    let lead = key.start + name.len() - name.trim_start().len();
    let base = at + start;
    let gap = base + length;
    let behind = &rest[length..];
    let value = behind.trim();
    let value = if value.is_empty() {
        // A blank that stands there already is used.
        let blank = behind.bytes().next().is_some_and(|byte| byte == b' ');
        gap + usize::from(blank)..gap + usize::from(blank)
    } else {
        let from = gap + behind.len() - behind.trim_start().len();
        from..from + value.len()
    };
    Some(KeyLine { key: base + lead..base + lead + trimmed.len(), style, gap, value })
}

/// Where the first colon of a plain name stands, and whether it is the wide one. The narrow one needs a blank or
/// nothing behind it, so that addresses and times are no names.
fn colon(line: &str) -> Option<(usize, bool)> {
    let at = line.find([':', '：'])?;
    if line[at..].starts_with('：') {
        return Some((at, true));
    }
    let after = &line[at + 1..];
    (after.is_empty() || after.starts_with([' ', '\t'])).then_some((at, false))
}

/// The blank that `name` ends with, when it is one that is written there.
fn blank_before(name: &str) -> &'static str {
    [" ", "\u{a0}", "\u{202f}"].into_iter().find(|blank| name.ends_with(blank)).unwrap_or("")
}

fn ends_with_colon(name: &str) -> Option<bool> {
    if name.ends_with(':') { Some(false) } else { name.ends_with('：').then_some(true) }
}
