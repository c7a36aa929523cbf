//! Where the values of a JSON text stand: byte ranges, so that one of them can be changed and nothing else.
//!
//! JSON with comments is taken too, because a text that somebody wrote is not to be lost for one. Everything else that
//! is no JSON is a [`Fault`]. Never fails otherwise; nesting deeper than [`DEEPEST`] is a fault.

use std::ops::Range;

/// Deeper than this a configuration is taken for broken.
const DEEPEST: usize = 128;

/// Why the text is no JSON.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fault {
    /// Byte of the text.
    pub(super) at: usize,
    /// What is wrong there, without a full stop.
    pub(super) message: String,
}

/// A value and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Node {
    pub(super) range: Range<usize>,
    pub(super) kind: Kind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Object(Vec<Member>),
    Array(Vec<Node>),
    Text(String),
    Null,
    Other,
}

/// A member of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Member {
    pub(super) key: String,
    /// First byte of the key.
    pub(super) start: usize,
    pub(super) value: Node,
}

/// Reads a whole text.
pub(super) fn scan(text: &str) -> Result<Node, Fault> {
    let start = if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
    let mut scanner = Scanner { text, at: start };
    scanner.blank()?;
    let node = scanner.value(0)?;
    scanner.blank()?;
    if scanner.at < text.len() { scanner.fault("the file should end here") } else { Ok(node) }
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl Scanner<'_> {
    fn fault<T>(&self, message: &str) -> Result<T, Fault> {
        Err(Fault { at: self.at, message: message.to_owned() })
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// White space and comments.
    fn blank(&mut self) -> Result<(), Fault> {
        loop {
            let rest = &self.text[self.at..];
            if rest.starts_with([' ', '\t', '\r', '\n']) {
                self.at += 1;
            } else if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if let Some(inner) = rest.strip_prefix("/*") {
                match inner.find("*/") {
                    Some(end) => self.at += end + 4,
                    None => return self.fault("a comment begins here and does not end"),
                }
            } else {
                return Ok(());
            }
        }
    }

    fn value(&mut self, depth: usize) -> Result<Node, Fault> {
        if depth > DEEPEST {
            return self.fault("the values are nested too deeply");
        }
        let start = self.at;
        let kind = match self.peek() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') => Kind::Text(self.string()?),
            Some(_) => self.word()?,
            None => return self.fault("a value is expected, and the file ends"),
        };
        Ok(Node { range: start..self.at, kind })
    }

    fn object(&mut self, depth: usize) -> Result<Kind, Fault> {
        let mut members = Vec::new();
        self.at += 1;
        self.blank()?;
        if self.take(b'}') {
            return Ok(Kind::Object(members));
        }
        loop {
            let start = self.at;
            if self.peek() != Some(b'"') {
                return self.fault("a key in double quotes is expected");
            }
            let key = self.string()?;
            self.blank()?;
            if !self.take(b':') {
                return self.fault("a colon is expected after the key");
            }
            self.blank()?;
            let value = self.value(depth + 1)?;
            members.push(Member { key, start, value });
            self.blank()?;
            if self.take(b'}') {
                return Ok(Kind::Object(members));
            }
            if !self.take(b',') {
                return self.fault("a comma or a closing } is expected");
            }
            self.blank()?;
        }
    }

    fn array(&mut self, depth: usize) -> Result<Kind, Fault> {
        let mut items = Vec::new();
        self.at += 1;
        self.blank()?;
        if self.take(b']') {
            return Ok(Kind::Array(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.blank()?;
            if self.take(b']') {
                return Ok(Kind::Array(items));
            }
            if !self.take(b',') {
                return self.fault("a comma or a closing ] is expected");
            }
            self.blank()?;
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        let taken = self.peek() == Some(byte);
        self.at += usize::from(taken);
        taken
    }

    /// A text in double quotes; what it says is left to serde_json.
    fn string(&mut self) -> Result<String, Fault> {
        let start = self.at;
        let mut escaped = false;
        for (offset, byte) in self.text.as_bytes()[start..].iter().enumerate().skip(1) {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => {
                    let range = start..start + offset + 1;
                    let read = serde_json::from_str(&self.text[range.clone()]);
                    let text = read.map_err(|_| Fault { at: start, message: "this text is not JSON".to_owned() })?;
                    self.at = range.end;
                    return Ok(text);
                }
                b'\n' => break,
                _ => {}
            }
        }
        self.fault("a text begins here and its closing quote is missing")
    }

    /// A number, `true`, `false` or `null`.
    fn word(&mut self) -> Result<Kind, Fault> {
        let rest = &self.text[self.at..];
        let end =
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))).unwrap_or(rest.len());
        match serde_json::from_str::<serde_json::Value>(&rest[..end]) {
            Ok(value) => {
                self.at += end;
                Ok(if value.is_null() { Kind::Null } else { Kind::Other })
            }
            Err(_) => self.fault("a value is expected"),
        }
    }
}
