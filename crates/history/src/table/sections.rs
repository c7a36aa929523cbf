//! `sections`: a text with the name, title, layer and token count it has in an assembly.

use std::collections::HashSet;

use model::ContentHash;
use rusqlite::{Connection, OptionalExtension, Result, params};

use super::texts::NewText;
use super::{expiry, names, texts};
use crate::assembly::{NewSection, PreviousSection};

/// The number of a section, if it has one. A single statement: most sections of an assembly are old ones.
pub(crate) fn find(connection: &Connection, section: &NewSection<'_>, text: ContentHash) -> Result<Option<u64>> {
    connection
        .prepare_cached(
            "SELECT id FROM sections
             WHERE text = (SELECT id FROM texts WHERE hash = ?1) AND name = (SELECT id FROM names WHERE text = ?2)
               AND title = (SELECT id FROM names WHERE text = ?3) AND layer IS ?4 AND tokens IS ?5",
        )?
        .query_row(params![text.0, section.id, section.title, section.layer, section.tokens], |row| row.get(0))
        .optional()
}

/// The number of a section with the text `text`, given now if it had none.
pub(crate) fn intern(connection: &Connection, section: &NewSection<'_>, text: &NewText<'_>) -> Result<u64> {
    if let Some(id) = find(connection, section, text.hash())? {
        return Ok(id);
    }
    let text = texts::intern(connection, text)?;
    let name = names::intern(connection, &section.id)?;
    let title = names::intern(connection, &section.title)?;
    let id = connection
        .prepare_cached("INSERT INTO sections (text, name, title, layer, tokens) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .insert(params![text, name, title, section.layer, section.tokens])?;
    Ok(id.cast_unsigned())
}

/// A row of the table.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) layer: Option<u8>,
    pub(crate) tokens: Option<u32>,
    /// Number of the text.
    pub(crate) text: i64,
}

/// The section of number `id`.
pub(crate) fn load(connection: &Connection, id: u64) -> Result<Row> {
    connection
        .prepare_cached(
            "SELECT name.text, title.text, layer, tokens, sections.text FROM sections
             JOIN names AS name ON name.id = sections.name
             JOIN names AS title ON title.id = sections.title
             WHERE sections.id = ?1",
        )?
        .query_row([id], |row| {
            Ok(Row {
                name: row.get(0)?,
                title: row.get(1)?,
                layer: row.get(2)?,
                tokens: row.get(3)?,
                text: row.get(4)?,
            })
        })
}

/// Hash and length of the text of section `id`.
pub(crate) fn key(connection: &Connection, id: u64) -> Result<PreviousSection> {
    connection
        .prepare_cached(
            "SELECT hash, length FROM sections JOIN texts ON texts.id = sections.text WHERE sections.id = ?1",
        )?
        .query_row([id], |row| Ok(PreviousSection { hash: ContentHash(row.get(0)?), len: row.get(1)? }))
}

/// The text of section `id`, or how it is damaged.
pub(crate) fn text(connection: &Connection, id: u64) -> Result<texts::Row> {
    let text =
        connection.prepare_cached("SELECT text FROM sections WHERE id = ?1")?.query_row([id], |row| row.get(0))?;
    texts::load(connection, text)
}

/// The numbers of all sections.
pub(crate) fn all(connection: &Connection) -> Result<HashSet<u64>> {
    connection.prepare_cached("SELECT id FROM sections")?.query_map([], |row| row.get(0))?.collect()
}

/// Removes sections, and the texts that no other section has.
pub(crate) fn remove(connection: &Connection, ids: &HashSet<u64>) -> Result<()> {
    let ids = expiry::list(ids.iter().map(|id| id.cast_signed()));
    let texts: Vec<i64> = connection
        .prepare_cached("DELETE FROM sections WHERE id IN (SELECT value FROM json_each(?1)) RETURNING text")?
        .query_map([ids], |row| row.get(0))?
        .collect::<Result<_>>()?;
    connection
        .prepare_cached(
            "DELETE FROM texts WHERE id IN (SELECT value FROM json_each(?1))
                 AND NOT EXISTS (SELECT 1 FROM sections WHERE text = texts.id)",
        )?
        .execute([expiry::list(texts)])
        .map(drop)
}
