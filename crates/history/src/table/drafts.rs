//! `drafts`: one row for each file and window with unsaved edits.

use std::borrow::Cow;

use jiff::Timestamp;
use rusqlite::{Connection, Row, params};

use super::contents::{self, NewContent, Packed};
use crate::draft::{DraftKey, DraftPlace, NewDraft, StoredDraft};
use crate::error::Fault;

/// A draft on its way into the table: packed before the write lock is taken.
pub(crate) struct Prepared<'a> {
    draft: &'a NewDraft,
    text: Packed<'a>,
    base: Option<NewContent<'a>>,
}

impl<'a> Prepared<'a> {
    /// Packs the text, fast: it is written with every batch of keys.
    pub(crate) fn new(draft: &'a NewDraft) -> Self {
        Self {
            draft,
            text: Packed::new(draft.text.as_bytes(), 1),
            base: draft.base.as_ref().map(|base| NewContent::new(base)),
        }
    }
}

/// Puts a draft in, in the place of the one that `writer` had of this file.
pub(crate) fn put(
    connection: &Connection,
    writer: &str,
    key: &DraftKey,
    prepared: &Prepared<'_>,
) -> rusqlite::Result<()> {
    let base = prepared.base.as_ref().map(|base| contents::intern(connection, base)).transpose()?;
    let Packed { length, encoding, body } = &prepared.text;
    connection
        .prepare_cached(
            "INSERT INTO drafts (folder, path, writer, time, base, length, encoding, body)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
             ON CONFLICT DO UPDATE SET time = excluded.time, base = excluded.base, length = excluded.length,
                 encoding = excluded.encoding, body = excluded.body",
        )?
        .execute(params![
            key.folder,
            key.path,
            writer,
            prepared.draft.time.as_millisecond(),
            base,
            length,
            encoding,
            body
        ])
        .map(drop)
}

/// Removes what `writer` has of a file.
pub(crate) fn remove(connection: &Connection, writer: &str, key: &DraftKey) -> rusqlite::Result<()> {
    connection
        .prepare_cached("DELETE FROM drafts WHERE folder = ?1 AND path = ?2 AND writer = ?3")?
        .execute(params![key.folder, key.path, writer])
        .map(drop)
}

/// Where drafts are, without their texts, the newest first.
pub(crate) fn places(connection: &Connection) -> Result<Vec<DraftPlace>, Fault> {
    let mut statement =
        connection.prepare_cached("SELECT folder, path, writer, time, length FROM drafts ORDER BY time DESC")?;
    Ok(statement
        .query_map([], |row| {
            Ok(DraftPlace {
                key: DraftKey { folder: row.get(0)?, path: row.get(1)? },
                writer: row.get(2)?,
                time: time(row, 3)?,
                length: row.get(4)?,
            })
        })?
        .collect::<Result<_, _>>()?)
}

/// Everything that `writer` has below `folder`.
pub(crate) fn of(connection: &Connection, folder: &str, writer: &str) -> Result<Vec<StoredDraft>, Fault> {
    let mut statement = connection.prepare_cached(
        "SELECT folder, path, writer, time, length, encoding, body, base FROM drafts
         WHERE folder = ?1 AND writer = ?2 ORDER BY path",
    )?;
    let rows = statement.query_map([folder, writer], |row| {
        let place = DraftPlace {
            key: DraftKey { folder: row.get(0)?, path: row.get(1)? },
            writer: row.get(2)?,
            time: time(row, 3)?,
            length: row.get(4)?,
        };
        let packed =
            Packed { length: place.length, encoding: row.get(5)?, body: Cow::Owned(row.get::<_, Vec<u8>>(6)?) };
        Ok((place, packed, row.get::<_, Option<i64>>(7)?))
    })?;
    rows.map(|row| {
        let (place, packed, base) = row?;
        let text = packed.open().and_then(|bytes| String::from_utf8(bytes).map_err(|cause| cause.to_string()));
        let base = match base {
            None => Ok(None),
            Some(id) => contents::load(connection, id)?.map(Some),
        };
        Ok(StoredDraft { place, text, base })
    })
    .collect()
}

/// Gives the draft of another writer to `writer`. False when it is not there any more.
pub(crate) fn give(connection: &Connection, key: &DraftKey, from: &str, writer: &str) -> rusqlite::Result<bool> {
    let changed = connection
        .prepare_cached("UPDATE OR IGNORE drafts SET writer = ?4 WHERE folder = ?1 AND path = ?2 AND writer = ?3")?
        .execute(params![key.folder, key.path, from, writer])?;
    Ok(changed == 1)
}

fn time(row: &Row<'_>, column: usize) -> rusqlite::Result<Timestamp> {
    super::assemblies::time(row, column)
}
