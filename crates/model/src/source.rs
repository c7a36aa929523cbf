//! One file as it was read, and its text as the target decodes it.

use std::fmt;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use crate::hash::ContentHash;

/// What tells two readings of a path apart without reading the bytes again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default, Serialize, Deserialize)]
pub struct FileIdentity {
    /// Device of the file system.
    pub device: u64,
    /// Inode number, the file's own within its device.
    pub inode: u64,
    /// Size in bytes.
    pub size: u64,
    /// Last change of the content, nanoseconds since 1970 (UTC).
    pub mtime_ns: i64,
    /// Last change of content or metadata, nanoseconds since 1970 (UTC).
    pub ctime_ns: i64,
}

/// Where the bytes of a [`SourceFile`] come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceOrigin {
    /// The bytes on disk.
    Disk,
    /// An unsaved edit.
    Draft,
    /// A text that ships with the workbench.
    Shipped,
    /// A step of an emulation, in memory only.
    Emulated,
}

/// One file: its bytes, and everything that is cheap to know about them. Shared between snapshots.
pub struct SourceFile {
    /// Absolute path text, as the target would open it.
    pub path: Arc<str>,
    /// What was known of the file when it was read.
    pub identity: FileIdentity,
    /// Where the bytes come from.
    pub origin: SourceOrigin,
    /// The bytes.
    pub bytes: Arc<[u8]>,
    /// Their blake3 hash.
    pub hash: ContentHash,
    decoded: OnceLock<Decoded>,
}

impl SourceFile {
    /// Puts a file together. `hash` must be the blake3 hash of `bytes`; computing it is left to the reader,
    /// which has the hash function at hand.
    pub fn new(
        path: impl Into<Arc<str>>,
        identity: FileIdentity,
        origin: SourceOrigin,
        bytes: impl Into<Arc<[u8]>>,
        hash: ContentHash,
    ) -> Self {
        Self { path: path.into(), identity, origin, bytes: bytes.into(), hash, decoded: OnceLock::new() }
    }

    /// The text as the target decodes it, decoded once and kept.
    pub fn decoded(&self) -> &Decoded {
        self.decoded.get_or_init(|| Decoded::new(&self.bytes))
    }

    /// The text as the target decodes it.
    pub fn text(&self) -> &Arc<str> {
        &self.decoded().text
    }
}

impl fmt::Debug for SourceFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SourceFile")
            .field("path", &self.path)
            .field("identity", &self.identity)
            .field("origin", &self.origin)
            .field("hash", &self.hash)
            .finish_non_exhaustive()
    }
}

impl PartialEq for SourceFile {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path
            && self.identity == other.identity
            && self.origin == other.origin
            && self.hash == other.hash
    }
}

impl Eq for SourceFile {}

/// How many line ends of each kind a text has. CR LF counts once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, Serialize, Deserialize)]
pub struct LineEnds {
    /// `\n` alone.
    pub lf: u32,
    /// `\r\n`.
    pub crlf: u32,
    /// `\r` alone.
    pub cr: u32,
}

impl LineEnds {
    /// Counts the line ends of `text`.
    pub fn of(text: &[u8]) -> Self {
        if !text.contains(&b'\r') {
            // Nearly every file, and a count that the compiler makes wide.
            return Self { lf: text.iter().filter(|&&byte| byte == b'\n').count() as u32, ..Self::default() };
        }
        let mut ends = Self::default();
        let mut bytes = text.iter().copied().peekable();
        while let Some(byte) = bytes.next() {
            match byte {
                b'\n' => ends.lf += 1,
                b'\r' if bytes.peek() == Some(&b'\n') => {
                    bytes.next();
                    ends.crlf += 1;
                }
                b'\r' => ends.cr += 1,
                _ => {}
            }
        }
        ends
    }

    /// True when more than one kind occurs.
    pub fn mixed(self) -> bool {
        [self.lf, self.crlf, self.cr].iter().filter(|&&count| count > 0).count() > 1
    }
}

/// A text as Node's `readFileSync(path, 'utf-8')` gives it: a BOM stays, and every maximal run of bytes
/// that cannot begin a character becomes one U+FFFD (the rule of the WHATWG encoding standard, which
/// `String::from_utf8_lossy` follows too).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decoded {
    /// The text.
    pub text: Arc<str>,
    /// True when the bytes begin with EF BB BF (the text then begins with U+FEFF).
    pub bom: bool,
    /// The line ends of the text.
    pub line_ends: LineEnds,
    /// Every replaced run, in order: (offset of its U+FFFD in `text`, offset in the bytes, length in bytes).
    pub replaced: Vec<(u32, u32, u32)>,
}

impl Decoded {
    /// Decodes `bytes`. Never fails.
    pub fn new(bytes: &[u8]) -> Self {
        let bom = bytes.starts_with(b"\xEF\xBB\xBF");
        let line_ends = LineEnds::of(bytes);
        if let Ok(text) = std::str::from_utf8(bytes) {
            return Self { text: text.into(), bom, line_ends, replaced: Vec::new() };
        }
        let mut text = String::with_capacity(bytes.len() + 16);
        let mut replaced = Vec::new();
        let mut at = 0;
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            at += chunk.valid().len();
            if !chunk.invalid().is_empty() {
                replaced.push((text.len() as u32, at as u32, chunk.invalid().len() as u32));
                text.push(char::REPLACEMENT_CHARACTER);
                at += chunk.invalid().len();
            }
        }
        Self { text: text.into(), bom, line_ends, replaced }
    }

    /// Offset of the first byte that is not UTF-8, when there is one.
    pub fn first_bad_offset(&self) -> Option<usize> {
        self.replaced.first().map(|&(_, byte, _)| byte as usize)
    }

    /// The byte of the file that stands behind byte `offset` of the text. An offset inside a U+FFFD gives the
    /// start of the replaced run.
    pub fn to_file_offset(&self, offset: usize) -> usize {
        const MARK: usize = char::REPLACEMENT_CHARACTER.len_utf8();
        let before = self.replaced.partition_point(|&(text, _, _)| (text as usize) < offset);
        let Some(&(text, byte, length)) = before.checked_sub(1).and_then(|last| self.replaced.get(last)) else {
            return offset;
        };
        let past = offset - text as usize;
        if past < MARK { byte as usize } else { byte as usize + length as usize + (past - MARK) }
    }

    /// The byte of the text that stands for byte `offset` of the file. An offset inside a replaced run gives the
    /// start of its U+FFFD.
    pub fn to_text_offset(&self, offset: usize) -> usize {
        const MARK: usize = char::REPLACEMENT_CHARACTER.len_utf8();
        let before = self.replaced.partition_point(|&(_, byte, _)| (byte as usize) < offset);
        let Some(&(text, byte, length)) = before.checked_sub(1).and_then(|last| self.replaced.get(last)) else {
            return offset;
        };
        let past = offset - byte as usize;
        if past < length as usize { text as usize } else { text as usize + MARK + (past - length as usize) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_run_is_one_mark_and_offsets_lead_back_to_the_bytes() {
        // "A", then E2 82 (a three-byte character cut short), then "B": one maximal subpart, one mark.
        let decoded = Decoded::new(b"A\xE2\x82B");
        assert_eq!(&*decoded.text, "A\u{FFFD}B");
        assert_eq!(decoded.first_bad_offset(), Some(1));
        let offsets: Vec<_> = [0, 1, 2, 4, 5].iter().map(|&at| decoded.to_file_offset(at)).collect();
        assert_eq!(offsets, [0, 1, 1, 3, 4], "text offsets 0, 1, inside the mark, B, end");
        let back: Vec<_> = [0, 1, 2, 3, 4].iter().map(|&at| decoded.to_text_offset(at)).collect();
        assert_eq!(back, [0, 1, 1, 4, 5], "bytes 0, 1, inside the run, B, end");
    }

    #[test]
    fn line_ends_are_counted_by_kind() {
        let ends = LineEnds::of(b"a\r\nb\nc\rd\r\r\n");
        assert_eq!(ends, LineEnds { lf: 1, crlf: 2, cr: 2 });
        assert!(ends.mixed());
        assert!(!LineEnds::of(b"a\r\nb\r\n").mixed(), "one kind only");
    }
}
