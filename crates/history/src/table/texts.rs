//! `texts`: each text once, by its blake3 hash; compressed where that is shorter.

use std::io;

use model::ContentHash;
use rusqlite::{Connection, OptionalExtension, Result, params};

use crate::LARGEST_TEXT;
use crate::assembly::{PreviousSection, StoredText};

/// Texts up to this many bytes are stored as they are.
const RAW_UP_TO: usize = 1024;
/// Zstandard's default: higher levels gain 2–3% on prose of a few kilobytes for several times the work.
const LEVEL: i32 = 3;

const RAW: u8 = 0;
const ZSTD: u8 = 1;
const NOT_KEPT: u8 = 2;

/// A text on its way into the table.
pub(crate) struct NewText<'a> {
    hash: ContentHash,
    text: &'a str,
    body: Option<Body<'a>>,
}

enum Body<'a> {
    Raw(&'a str),
    Zstd(Vec<u8>),
    NotKept,
}

impl<'a> NewText<'a> {
    /// Hashes `text`.
    pub(crate) fn new(text: &'a str) -> Self {
        Self { hash: ContentHash(blake3::hash(text.as_bytes()).into()), text, body: None }
    }

    /// Its hash.
    pub(crate) fn hash(&self) -> ContentHash {
        self.hash
    }

    /// Compresses the text unless the table has it, so that no lock is held meanwhile.
    pub(crate) fn prepare(&mut self, connection: &Connection) -> Result<()> {
        if self.body.is_none() && find(connection, self.hash)?.is_none() {
            self.body = Some(Body::of(self.text));
        }
        Ok(())
    }
}

impl<'a> Body<'a> {
    fn of(text: &'a str) -> Self {
        if text.len() > LARGEST_TEXT {
            return Self::NotKept;
        }
        if text.len() <= RAW_UP_TO {
            return Self::Raw(text);
        }
        match zstd::bulk::compress(text.as_bytes(), LEVEL) {
            Ok(packed) if packed.len() < text.len() => Self::Zstd(packed),
            _ => Self::Raw(text),
        }
    }
}

fn find(connection: &Connection, hash: ContentHash) -> Result<Option<i64>> {
    connection.prepare_cached("SELECT id FROM texts WHERE hash = ?1")?.query_row([hash.0], |row| row.get(0)).optional()
}

/// The number of a text, put in if it was not there.
pub(crate) fn intern(connection: &Connection, text: &NewText<'_>) -> Result<i64> {
    if let Some(id) = find(connection, text.hash)? {
        return Ok(id);
    }
    // Known when it was prepared, pruned by another process since: then it is compressed only now.
    let late;
    let body = if let Some(body) = &text.body {
        body
    } else {
        late = Body::of(text.text);
        &late
    };
    let (encoding, body) = match body {
        Body::Raw(text) => (RAW, Some(text.as_bytes())),
        Body::Zstd(packed) => (ZSTD, Some(packed.as_slice())),
        Body::NotKept => (NOT_KEPT, None),
    };
    connection
        .prepare_cached("INSERT INTO texts (hash, length, encoding, body) VALUES (?1, ?2, ?3, ?4)")?
        .insert(params![text.hash.0, text.text.len(), encoding, body])
}

/// A row of the table.
pub(crate) struct Row {
    /// Hash and length, as recorded.
    pub(crate) key: PreviousSection,
    encoding: u8,
    body: Option<Vec<u8>>,
}

/// The row of number `id`.
pub(crate) fn load(connection: &Connection, id: i64) -> Result<Row> {
    connection.prepare_cached("SELECT hash, length, encoding, body FROM texts WHERE id = ?1")?.query_row([id], |row| {
        let key = PreviousSection { hash: ContentHash(row.get(0)?), len: row.get(1)? };
        Ok(Row { key, encoding: row.get(2)?, body: row.get(3)? })
    })
}

impl Row {
    /// The text, checked against its hash; how it is damaged otherwise.
    pub(crate) fn open(self) -> std::result::Result<StoredText, String> {
        let PreviousSection { hash, len } = self.key;
        let body = match (self.encoding, self.body) {
            (NOT_KEPT, None) => return Ok(StoredText::Missing { hash, len }),
            (RAW, Some(body)) => body,
            (ZSTD, Some(packed)) => unpack(&packed, len).map_err(|cause| format!("it does not decompress: {cause}"))?,
            (encoding, _) => return Err(format!("it is stored in the unknown form {encoding}")),
        };
        if blake3::hash(&body) != hash.0 {
            return Err("it does not match its hash".to_owned());
        }
        String::from_utf8(body).map(StoredText::Text).map_err(|cause| format!("it is no text: {cause}"))
    }
}

fn unpack(packed: &[u8], len: u64) -> io::Result<Vec<u8>> {
    let len = usize::try_from(len).unwrap_or(usize::MAX);
    if len > LARGEST_TEXT {
        return Err(io::Error::other(format!("a length of {len} bytes is not possible")));
    }
    zstd::bulk::decompress(packed, len)
}
