//! `versions`: the states that files had.

use jiff::Timestamp;
use model::ContentHash;
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::contents::{self, NewContent};
use super::names;
use crate::draft::DraftKey;
use crate::error::Fault;
use crate::version::{VersionId, VersionKind, VersionRow};

const COLUMNS: &str = "versions.id, versions.time, versions.kind, contents.hash, contents.length
    FROM versions JOIN contents ON contents.id = versions.content";

fn read(row: &Row<'_>) -> rusqlite::Result<VersionRow> {
    let word: String = row.get(2)?;
    let kind = VersionKind::from_word(&word).ok_or_else(|| {
        rusqlite::Error::FromSqlConversionFailure(2, Type::Text, format!("unknown kind {word:?}").into())
    })?;
    Ok(VersionRow {
        id: VersionId(row.get(0)?),
        time: super::assemblies::time(row, 1)?,
        kind,
        hash: ContentHash(row.get(3)?),
        length: row.get(4)?,
    })
}

/// Puts a state in, unless the newest one of the file has the same bytes. Gives the row that has them.
pub(crate) fn put(
    connection: &Connection,
    key: &DraftKey,
    content: &NewContent<'_>,
    kind: VersionKind,
    time: Timestamp,
) -> Result<VersionId, Fault> {
    let newest: Option<(i64, [u8; 32])> = connection
        .prepare_cached(
            "SELECT versions.id, contents.hash FROM versions JOIN contents ON contents.id = versions.content
             WHERE folder = (SELECT id FROM names WHERE text = ?1) AND path = (SELECT id FROM names WHERE text = ?2)
             ORDER BY versions.id DESC LIMIT 1",
        )?
        .query_row([&key.folder, &key.path], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    if let Some((id, hash)) = newest
        && hash == content.hash.0
    {
        return Ok(VersionId(id));
    }
    let (folder, path) = (names::intern(connection, &key.folder)?, names::intern(connection, &key.path)?);
    let content = contents::intern(connection, content)?;
    let id = connection
        .prepare_cached("INSERT INTO versions (folder, path, time, content, kind) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .insert(params![folder, path, time.as_millisecond(), content, kind.as_str()])?;
    Ok(VersionId(id))
}

/// The states of a file before `before`, newest first.
pub(crate) fn page(
    connection: &Connection,
    key: &DraftKey,
    before: Option<VersionId>,
    limit: u32,
) -> Result<Vec<VersionRow>, Fault> {
    let sql = format!(
        "SELECT {COLUMNS} WHERE folder = (SELECT id FROM names WHERE text = ?1)
             AND path = (SELECT id FROM names WHERE text = ?2) AND versions.id < ?3
         ORDER BY versions.id DESC LIMIT ?4"
    );
    let before = before.map_or(i64::MAX, |id| id.0);
    let mut statement = connection.prepare_cached(&sql)?;
    Ok(statement.query_map(params![key.folder, key.path, before, limit], read)?.collect::<Result<_, _>>()?)
}

/// A state of a file, with its bytes; how they are damaged otherwise.
pub(crate) type Loaded = (VersionRow, Result<Vec<u8>, String>);

/// One state of a file.
pub(crate) fn load(connection: &Connection, key: &DraftKey, id: VersionId) -> Result<Option<Loaded>, Fault> {
    let sql = format!(
        "SELECT {COLUMNS} WHERE versions.id = ?1 AND folder = (SELECT id FROM names WHERE text = ?2)
             AND path = (SELECT id FROM names WHERE text = ?3)"
    );
    let row = connection.prepare_cached(&sql)?.query_row(params![id.0, key.folder, key.path], read).optional()?;
    let Some(row) = row else { return Ok(None) };
    let content: i64 =
        connection.prepare_cached("SELECT content FROM versions WHERE id = ?1")?.query_row([id.0], |row| row.get(0))?;
    Ok(Some((row, contents::load(connection, content)?)))
}
