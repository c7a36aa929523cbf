//! `names`: words that repeat, by number.

use rusqlite::{Connection, OptionalExtension, Result};

/// The row that stands for "none"; the first step of the schema puts it in.
const NONE: i64 = 0;

/// The number of `name`, if it has one.
pub(crate) fn find(connection: &Connection, name: &str) -> Result<Option<i64>> {
    connection.prepare_cached("SELECT id FROM names WHERE text = ?1")?.query_row([name], |row| row.get(0)).optional()
}

/// The number of `name`, given now if it had none.
pub(crate) fn intern(connection: &Connection, name: &str) -> Result<i64> {
    if name.is_empty() {
        return Ok(NONE);
    }
    if let Some(id) = find(connection, name)? {
        return Ok(id);
    }
    connection.prepare_cached("INSERT INTO names (text) VALUES (?1)")?.insert([name])
}

/// [`intern`] for a name that may be none.
pub(crate) fn intern_optional(connection: &Connection, name: Option<&str>) -> Result<i64> {
    intern(connection, name.unwrap_or_default())
}
