//! `contents`: the bytes of files, each once, by their blake3 hash; compressed where that is shorter.

use std::borrow::Cow;
use std::io::Read;

use model::ContentHash;
use rusqlite::{Connection, OptionalExtension, Result, params};

/// Contents up to this many bytes are stored as they are.
const RAW_UP_TO: usize = 512;

const RAW: u8 = 0;
const ZSTD: u8 = 1;

/// Bytes as a row holds them.
pub(crate) struct Packed<'a> {
    /// Length of the content itself, in bytes.
    pub(crate) length: u64,
    /// How `body` is to be read.
    pub(crate) encoding: u8,
    /// What is stored.
    pub(crate) body: Cow<'a, [u8]>,
}

impl<'a> Packed<'a> {
    /// Packs `bytes` at a level of Zstandard. No lock is needed for it.
    pub(crate) fn new(bytes: &'a [u8], level: i32) -> Self {
        let raw = || Self { length: bytes.len() as u64, encoding: RAW, body: Cow::Borrowed(bytes) };
        if bytes.len() <= RAW_UP_TO {
            return raw();
        }
        match zstd::bulk::compress(bytes, level) {
            Ok(packed) if packed.len() < bytes.len() => {
                Self { length: bytes.len() as u64, encoding: ZSTD, body: Cow::Owned(packed) }
            }
            _ => raw(),
        }
    }

    /// The bytes; how they are damaged otherwise.
    pub(crate) fn open(self) -> std::result::Result<Vec<u8>, String> {
        let bytes = match self.encoding {
            RAW => self.body.into_owned(),
            ZSTD => unpack(&self.body, self.length).map_err(|cause| format!("it does not decompress: {cause}"))?,
            encoding => return Err(format!("it is stored in the unknown form {encoding}")),
        };
        if bytes.len() as u64 != self.length {
            return Err("it does not have its length".to_owned());
        }
        Ok(bytes)
    }
}

/// Reads no more than `length` bytes, so that a damaged row cannot ask for more memory than it says.
fn unpack(packed: &[u8], length: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    zstd::stream::read::Decoder::new(packed)?.take(length.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Bytes on their way into the table.
pub(crate) struct NewContent<'a> {
    /// Their hash.
    pub(crate) hash: ContentHash,
    packed: Packed<'a>,
}

impl<'a> NewContent<'a> {
    /// Hashes and packs `bytes`.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { hash: ContentHash(*blake3::hash(bytes).as_bytes()), packed: Packed::new(bytes, 3) }
    }
}

/// The number of a content, put in if it was not there.
pub(crate) fn intern(connection: &Connection, content: &NewContent<'_>) -> Result<i64> {
    let found = connection
        .prepare_cached("SELECT id FROM contents WHERE hash = ?1")?
        .query_row([content.hash.0], |row| row.get(0))
        .optional()?;
    if let Some(id) = found {
        return Ok(id);
    }
    let Packed { length, encoding, body } = &content.packed;
    connection
        .prepare_cached("INSERT INTO contents (hash, length, encoding, body) VALUES (?1, ?2, ?3, ?4)")?
        .insert(params![content.hash.0, length, encoding, body])
}

/// The bytes of row `id`, checked against their hash; how they are damaged otherwise.
pub(crate) fn load(connection: &Connection, id: i64) -> Result<std::result::Result<Vec<u8>, String>> {
    connection.prepare_cached("SELECT hash, length, encoding, body FROM contents WHERE id = ?1")?.query_row(
        [id],
        |row| {
            let hash: [u8; 32] = row.get(0)?;
            let packed =
                Packed { length: row.get(1)?, encoding: row.get(2)?, body: Cow::Owned(row.get::<_, Vec<u8>>(3)?) };
            Ok(packed.open().and_then(|bytes| {
                if *blake3::hash(&bytes).as_bytes() == hash {
                    Ok(bytes)
                } else {
                    Err("it does not match its hash".to_owned())
                }
            }))
        },
    )
}

/// Removes the contents that nothing names any more.
pub(crate) fn sweep(connection: &Connection) -> Result<()> {
    connection
        .prepare_cached(
            "DELETE FROM contents WHERE NOT EXISTS (SELECT 1 FROM versions WHERE content = contents.id)
                 AND NOT EXISTS (SELECT 1 FROM drafts WHERE base = contents.id)",
        )?
        .execute([])
        .map(drop)
}
