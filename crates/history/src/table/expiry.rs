//! What is oldest, how it is removed, and the room that is taken.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::assemblies;
use crate::assembly::AssemblyId;
use crate::error::Fault;
use crate::retention::{Share, Usage};
use crate::section_list;

/// What is due to go.
#[derive(Clone, Copy)]
pub(crate) struct Due {
    /// What was last of use before this moment.
    pub(crate) before: Option<Timestamp>,
    /// What comes after so many newer ones.
    pub(crate) count: Option<u32>,
    /// Whatever may go at all.
    pub(crate) any: bool,
}

/// Rows to remove, by number.
#[derive(Default)]
pub(crate) struct Doomed {
    pub(crate) assemblies: Vec<i64>,
    pub(crate) versions: Vec<i64>,
}

impl Doomed {
    pub(crate) fn is_empty(&self) -> bool {
        self.assemblies.is_empty() && self.versions.is_empty()
    }
}

/// The oldest rows of both kinds that are due and may go.
///
/// The age of a version counts from when it was replaced: the text that a save of today replaced is a day old
/// tomorrow, however long it had stood.
pub(crate) fn oldest(connection: &Connection, due: Due, limit: u64) -> rusqlite::Result<Doomed> {
    let mut statement = connection.prepare_cached(
        "SELECT true, id, age FROM
             (SELECT id, last_seen AS age, reason, row_number() OVER (ORDER BY last_seen DESC, id DESC) AS place
              FROM assemblies)
         WHERE (age < ?1 OR place > ?2 OR ?3) AND reason <> 'pin'
           AND id NOT IN (SELECT last FROM (
               SELECT last, row_number() OVER (PARTITION BY workspace, channel ORDER BY turn DESC) AS place
               FROM series WHERE last IS NOT NULL) WHERE place = 1)
         UNION ALL
         SELECT false, id, age FROM
             (SELECT id, max(time, lead(time) OVER (PARTITION BY folder, path ORDER BY id)) AS age,
                     row_number() OVER (PARTITION BY folder, path ORDER BY id DESC) AS place
              FROM versions)
         WHERE age IS NOT NULL AND (age < ?1 OR place > ?2 OR ?3)
         ORDER BY age, id LIMIT ?4",
    )?;
    let before = due.before.map_or(i64::MIN, Timestamp::as_millisecond);
    let count = due.count.map_or(i64::MAX, i64::from);
    let mut rows = statement.query(params![before, count, due.any, limit])?;
    let mut doomed = Doomed::default();
    while let Some(row) = rows.next()? {
        let of = if row.get(0)? { &mut doomed.assemblies } else { &mut doomed.versions };
        of.push(row.get(1)?);
    }
    Ok(doomed)
}

/// The numbers as SQLite's `json_each` takes them.
pub(crate) fn list(numbers: impl IntoIterator<Item = i64>) -> String {
    let numbers: Vec<String> = numbers.into_iter().map(|number| number.to_string()).collect();
    format!("[{}]", numbers.join(","))
}

/// Removes assemblies. Those that are stored as a difference to one of them get a full list first.
pub(crate) fn remove_assemblies(connection: &Connection, ids: &[i64]) -> Result<(), Fault> {
    let ids = list(ids.iter().copied());
    let heirs: Vec<i64> = connection
        .prepare_cached(
            "SELECT id FROM assemblies WHERE parent IN (SELECT value FROM json_each(?1))
                 AND id NOT IN (SELECT value FROM json_each(?1))",
        )?
        .query_map([&ids], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for heir in heirs {
        if let Ok(sections) = assemblies::sections(connection, AssemblyId(heir)) {
            stand_alone(connection, heir, sections.depth, &section_list::encode_full(&sections.ids))?;
        }
        // A list that cannot be read stays as it is: it was damaged before.
        connection.prepare_cached("UPDATE assemblies SET parent = NULL WHERE id = ?1")?.execute([heir])?;
    }
    connection
        .prepare_cached("DELETE FROM assemblies WHERE id IN (SELECT value FROM json_each(?1))")?
        .execute([&ids])?;
    Ok(())
}

/// Gives a row, so far `depth` differences away from a full list, one of its own, and those that build on it their new
/// distance.
fn stand_alone(connection: &Connection, id: i64, depth: u32, full: &[u8]) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "WITH RECURSIVE below (id, depth) AS (
                 VALUES (?1, ?2)
                 UNION ALL
                 SELECT next.id, next.depth FROM below JOIN assemblies AS next
                 ON next.parent = below.id AND next.depth = below.depth + 1)
             UPDATE assemblies SET depth = depth - ?2 WHERE id IN (SELECT id FROM below)",
        )?
        .execute(params![id, depth])?;
    connection.prepare_cached("UPDATE assemblies SET sections = ?2 WHERE id = ?1")?.execute(params![id, full])?;
    Ok(())
}

/// Hands over every section that some list names, as often as it is named. A list that is stored as a difference
/// names what it adds; what it takes over is named by the one it differs from.
pub(crate) fn each_introduced(connection: &Connection, mut found: impl FnMut(u64)) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached("SELECT depth > 0, sections FROM assemblies")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let bytes = row.get_ref(1)?.as_blob()?;
        let named = if row.get(0)? { section_list::decode_inserted(bytes) } else { section_list::decode_full(bytes) };
        // One that cannot be decoded cannot be read either, and needs nothing.
        named.unwrap_or_default().into_iter().for_each(&mut found);
    }
    Ok(())
}

/// Removes versions.
pub(crate) fn remove_versions(connection: &Connection, ids: &[i64]) -> rusqlite::Result<()> {
    connection
        .prepare_cached("DELETE FROM versions WHERE id IN (SELECT value FROM json_each(?1))")?
        .execute([list(ids.iter().copied())])
        .map(drop)
}

/// How many assemblies and versions there are.
pub(crate) fn rows(connection: &Connection) -> rusqlite::Result<u64> {
    connection
        .prepare_cached("SELECT (SELECT count(*) FROM assemblies) + (SELECT count(*) FROM versions)")?
        .query_row([], |row| row.get(0))
}

/// Bytes of the pages in use.
pub(crate) fn used_bytes(connection: &Connection) -> rusqlite::Result<u64> {
    let pages: u64 = connection.pragma_query_value(None, "page_count", |row| row.get(0))?;
    let free: u64 = connection.pragma_query_value(None, "freelist_count", |row| row.get(0))?;
    let page_size: u64 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
    Ok((pages - free) * page_size)
}

/// How many rows of each kind there are, and the pages they fill.
pub(crate) fn usage(connection: &Connection) -> rusqlite::Result<Usage> {
    let count =
        |table: &str| connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get::<_, u64>(0));
    let mut usage = Usage {
        assemblies: Share { count: count("assemblies")?, bytes: 0 },
        versions: Share { count: count("versions")?, bytes: 0 },
        drafts: Share { count: count("drafts")?, bytes: 0 },
        other: 0,
    };
    let pages: u64 = connection.pragma_query_value(None, "page_count", |row| row.get(0))?;
    let page_size: u64 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
    usage.other = pages * page_size;
    let mut statement = connection.prepare_cached(
        "SELECT tbl_name, sum(pgsize) FROM dbstat JOIN sqlite_schema USING (name) WHERE aggregate = true
         GROUP BY tbl_name",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let share = match row.get_ref(0)?.as_str()? {
            "assemblies" | "sections" | "texts" | "series" | "names" => &mut usage.assemblies,
            "versions" | "contents" => &mut usage.versions,
            "drafts" => &mut usage.drafts,
            _ => continue,
        };
        let bytes: u64 = row.get(1)?;
        share.bytes += bytes;
        usage.other = usage.other.saturating_sub(bytes);
    }
    Ok(usage)
}
