//! `series`: what assemblies are compared within, and the last assembly of each.

use rusqlite::{Connection, OptionalExtension, Result, params};

use super::names;
use crate::assembly::{AssemblyId, ListFilter, NewAssembly};

/// A row of the table.
#[derive(Clone, Copy)]
pub(crate) struct Series {
    pub(crate) id: i64,
    /// The last assembly, unless there is none or it was pruned.
    pub(crate) last: Option<AssemblyId>,
}

/// The series that `assembly` belongs to, put in if it was not there.
pub(crate) fn intern(connection: &Connection, assembly: &NewAssembly<'_>) -> Result<Series> {
    let key = [
        names::intern(connection, assembly.workspace)?,
        names::intern_optional(connection, assembly.channel)?,
        names::intern_optional(connection, assembly.project)?,
        names::intern(connection, assembly.variant)?,
        names::intern_optional(connection, assembly.model)?,
    ];
    let found = connection
        .prepare_cached(
            "SELECT id, last FROM series
             WHERE workspace = ?1 AND channel = ?2 AND project = ?3 AND variant = ?4 AND model = ?5",
        )?
        .query_row(key, |row| Ok(Series { id: row.get(0)?, last: row.get::<_, Option<i64>>(1)?.map(AssemblyId) }))
        .optional()?;
    if let Some(series) = found {
        return Ok(series);
    }
    let id = connection
        .prepare_cached("INSERT INTO series (workspace, channel, project, variant, model) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .insert(key)?;
    Ok(Series { id, last: None })
}

/// Makes `last` the last assembly of `series`, and `series` the latest of its workspace and channel.
pub(crate) fn set_last(connection: &Connection, series: i64, last: AssemblyId) -> Result<()> {
    connection
        .prepare_cached(
            "UPDATE series SET last = ?2, turn = 1 + (
                 SELECT max(turn) FROM series AS other
                 WHERE other.workspace = series.workspace AND other.channel = series.channel)
             WHERE id = ?1",
        )?
        .execute(params![series, last.0])?;
    Ok(())
}

/// The last assembly of a workspace and channel, whatever its project, variant and model.
pub(crate) fn last_of(connection: &Connection, workspace: &str, channel: Option<&str>) -> Result<Option<AssemblyId>> {
    connection
        .prepare_cached(
            "SELECT last FROM series
             WHERE workspace = (SELECT id FROM names WHERE text = ?1)
               AND channel = (SELECT id FROM names WHERE text = ?2) AND last IS NOT NULL
             ORDER BY turn DESC LIMIT 1",
        )?
        .query_row([workspace, channel.unwrap_or_default()], |row| row.get(0).map(AssemblyId))
        .optional()
}

/// What a filter asks of a series, as numbers.
pub(crate) enum Wanted {
    /// Nothing: every series will do.
    All,
    /// Nothing can match: a name is not in the database.
    None,
    /// Workspace, project, channel and variant, where asked for.
    Some([Option<i64>; 4]),
}

impl Wanted {
    /// Looks up the names of `filter`.
    pub(crate) fn of(connection: &Connection, filter: &ListFilter) -> Result<Self> {
        let mut numbers = [None; 4];
        let names = [&filter.workspace, &filter.project, &filter.channel, &filter.variant];
        for (number, name) in numbers.iter_mut().zip(names) {
            if let Some(name) = name {
                *number = names::find(connection, name)?;
                if number.is_none() {
                    return Ok(Self::None);
                }
            }
        }
        Ok(if numbers == [None; 4] { Self::All } else { Self::Some(numbers) })
    }
}

/// The series that have the numbers of [`Wanted::Some`], bound from `?1` on.
pub(crate) const WANTED: &str = "SELECT id FROM series
    WHERE (?1 IS NULL OR workspace = ?1) AND (?2 IS NULL OR project = ?2)
      AND (?3 IS NULL OR channel = ?3) AND (?4 IS NULL OR variant = ?4)";
