//! `assemblies`: one row each time a series changed.

use jiff::Timestamp;
use model::ContentHash;
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row, named_params, params, params_from_iter};

use super::names;
use super::series::{WANTED, Wanted};
use crate::assembly::{AssemblyId, AssemblyRow, CacheEstimate, ListFilter, NewAssembly, Reason, TokenTotals};
use crate::error::Fault;
use crate::section_list;

/// Differences that may follow one another before a full list is stored again.
const LONGEST_CHAIN: u32 = 16;

/// The columns that [`read`] takes, of `assemblies`.
const COLUMNS: &str = "assemblies.id, time, last_seen, seen, variant_version, fingerprint, content_hash,
    tokens_total, tokens_low, tokens_high, prefix_bytes, prefix_tokens, breaks_at, reason, parent,
    (SELECT text FROM names WHERE id = series.workspace), (SELECT text FROM names WHERE id = series.project),
    (SELECT text FROM names WHERE id = series.channel), (SELECT text FROM names WHERE id = series.variant),
    (SELECT text FROM names WHERE id = series.model), (SELECT text FROM names WHERE id = tokens_method),
    (SELECT text FROM names WHERE id = catalogue)
    FROM assemblies JOIN series ON series.id = assemblies.series";

fn read(row: &Row<'_>) -> rusqlite::Result<AssemblyRow> {
    let word: String = row.get(13)?;
    let reason = Reason::from_word(&word).ok_or_else(|| {
        rusqlite::Error::FromSqlConversionFailure(13, Type::Text, format!("unknown reason {word:?}").into())
    })?;
    let prefix_bytes: Option<u64> = row.get(10)?;
    let (prefix_tokens, breaks_at) = (row.get(11)?, row.get(12)?);
    Ok(AssemblyRow {
        id: AssemblyId(row.get(0)?),
        time: time(row, 1)?,
        last_seen: time(row, 2)?,
        seen: row.get(3)?,
        workspace: row.get(15)?,
        project: name(row, 16)?,
        channel: name(row, 17)?,
        variant: row.get(18)?,
        variant_version: row.get(4)?,
        model: name(row, 19)?,
        fingerprint: ContentHash(row.get(5)?),
        content_hash: ContentHash(row.get(6)?),
        tokens: TokenTotals { total: row.get(7)?, low: row.get(8)?, high: row.get(9)?, method: row.get(20)? },
        cache: prefix_bytes.map(|prefix_bytes| CacheEstimate { prefix_bytes, prefix_tokens, breaks_at }),
        catalogue: name(row, 21)?,
        reason,
        parent: row.get::<_, Option<i64>>(14)?.map(AssemblyId),
    })
}

/// A moment of milliseconds since 1970.
pub(crate) fn time(row: &Row<'_>, column: usize) -> rusqlite::Result<Timestamp> {
    Timestamp::from_millisecond(row.get(column)?)
        .map_err(|cause| rusqlite::Error::FromSqlConversionFailure(column, Type::Integer, cause.into()))
}

/// An optional name; the empty one stands for none.
fn name(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<String>> {
    Ok(Some(row.get(column)?).filter(|name: &String| !name.is_empty()))
}

/// The row `id`.
pub(crate) fn load(connection: &Connection, id: AssemblyId) -> Result<AssemblyRow, Fault> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} WHERE assemblies.id = ?1"))?
        .query_row([id.0], read)
        .optional()?
        .ok_or(Fault::Unknown(id))
}

/// The sections of `id`, put together from the last full list on.
pub(crate) fn sections(connection: &Connection, id: AssemblyId) -> Result<SectionList, Fault> {
    let mut statement = connection.prepare_cached(
        "WITH RECURSIVE chain (parent, depth, sections) AS (
             SELECT parent, depth, sections FROM assemblies WHERE id = ?1
             UNION ALL
             SELECT before.parent, before.depth, before.sections
             FROM chain JOIN assemblies AS before ON before.id = chain.parent
             WHERE chain.depth > 0 AND before.depth = chain.depth - 1)
         SELECT depth, sections FROM chain",
    )?;
    let mut chain: Vec<(u32, Vec<u8>)> =
        statement.query_map([id.0], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
    let depth = chain.first().ok_or(Fault::Unknown(id))?.0;
    let damaged = || Fault::DamagedEntry { id, what: "its list of sections cannot be read".to_owned() };
    let mut list = match chain.pop() {
        Some((0, bytes)) => section_list::decode_full(&bytes).ok_or_else(damaged)?,
        _ => return Err(damaged()),
    };
    while let Some((_, bytes)) = chain.pop() {
        list = section_list::decode_difference(&list, &bytes).ok_or_else(damaged)?;
    }
    Ok(SectionList { ids: list, depth })
}

/// The sections of a row.
pub(crate) struct SectionList {
    /// Their numbers, in order.
    pub(crate) ids: Vec<u64>,
    /// How many differences lie between it and a full list.
    pub(crate) depth: u32,
}

/// Whether row `id` says of text and figures what `assembly` says, its sections being `list`.
pub(crate) fn is_same(
    connection: &Connection,
    id: AssemblyId,
    assembly: &NewAssembly<'_>,
    list: &[u64],
) -> Result<bool, Fault> {
    let row = load(connection, id)?;
    Ok(row.content_hash == assembly.content_hash
        && row.variant_version == assembly.variant_version
        && row.tokens == assembly.tokens
        && row.catalogue.as_deref() == assembly.catalogue.filter(|name| !name.is_empty())
        && sections(connection, id).is_ok_and(|stored| stored.ids == list))
}

/// Counts one more sight of row `id`; gives the new count.
pub(crate) fn see_again(connection: &Connection, id: AssemblyId, time: Timestamp) -> rusqlite::Result<u32> {
    connection
        .prepare_cached(
            "UPDATE assemblies SET seen = seen + 1, last_seen = max(last_seen, ?2) WHERE id = ?1 RETURNING seen",
        )?
        .query_row(params![id.0, time.as_millisecond()], |row| row.get(0))
}

/// When row `id` was last seen.
pub(crate) fn last_seen(connection: &Connection, id: AssemblyId) -> rusqlite::Result<Timestamp> {
    connection.prepare_cached("SELECT last_seen FROM assemblies WHERE id = ?1")?.query_row([id.0], |row| time(row, 0))
}

/// Whether row `id` is there.
pub(crate) fn exists(connection: &Connection, id: AssemblyId) -> rusqlite::Result<bool> {
    connection.prepare_cached("SELECT 1 FROM assemblies WHERE id = ?1")?.exists([id.0])
}

/// Puts `assembly` in, its sections `list` as a difference to those of `parent` where that can be.
pub(crate) fn insert(
    connection: &Connection,
    assembly: &NewAssembly<'_>,
    series: i64,
    parent: Option<AssemblyId>,
    list: &[u64],
) -> rusqlite::Result<AssemblyId> {
    // A parent whose list is damaged must not keep what follows from being recorded: a full list then.
    let base = parent.and_then(|parent| sections(connection, parent).ok()).filter(|base| base.depth < LONGEST_CHAIN);
    let (depth, bytes) = match base {
        Some(base) => (base.depth + 1, section_list::encode_difference(&base.ids, list)),
        None => (0, section_list::encode_full(list)),
    };
    let method = names::intern(connection, &assembly.tokens.method)?;
    let catalogue = names::intern_optional(connection, assembly.catalogue)?;
    let cache = assembly.cache;
    let id = connection
        .prepare_cached(
            "INSERT INTO assemblies (series, time, last_seen, variant_version, fingerprint, content_hash,
                 tokens_total, tokens_low, tokens_high, tokens_method, prefix_bytes, prefix_tokens, breaks_at,
                 catalogue, reason, parent, depth, sections)
             VALUES (:series, :time, :time, :variant_version, :fingerprint, :content_hash,
                 :total, :low, :high, :method, :prefix_bytes, :prefix_tokens, :breaks_at,
                 :catalogue, :reason, :parent, :depth, :sections)",
        )?
        .insert(named_params! {
            ":series": series,
            ":time": assembly.time.as_millisecond(),
            ":variant_version": assembly.variant_version,
            ":fingerprint": blake3::hash(assembly.fingerprint.as_bytes()).as_bytes(),
            ":content_hash": assembly.content_hash.0,
            ":total": assembly.tokens.total,
            ":low": assembly.tokens.low,
            ":high": assembly.tokens.high,
            ":method": method,
            ":prefix_bytes": cache.map(|cache| cache.prefix_bytes),
            ":prefix_tokens": cache.and_then(|cache| cache.prefix_tokens),
            ":breaks_at": cache.and_then(|cache| cache.breaks_at),
            ":catalogue": catalogue,
            ":reason": assembly.reason.as_str(),
            ":parent": parent.map(|parent| parent.0),
            ":depth": depth,
            ":sections": bytes,
        })?;
    Ok(AssemblyId(id))
}

/// The rows that `filter` asks for, newest first.
pub(crate) fn page(connection: &Connection, filter: &ListFilter) -> Result<Vec<AssemblyRow>, Fault> {
    let Range { since, before } = Range::of(connection, filter)?;
    let (sql, names) = match Wanted::of(connection, filter)? {
        Wanted::None => return Ok(Vec::new()),
        Wanted::All => (page_of_all(), [None; 4]),
        Wanted::Some(names) => (page_of_series(), names),
    };
    let rest = [since, before.0, before.1, i64::from(filter.limit)];
    let values = params_from_iter(names.into_iter().chain(rest.map(Some)));
    Ok(connection.prepare_cached(&sql)?.query_map(values, read)?.collect::<Result<_, _>>()?)
}

/// A page of every series: the index on time, read from the cursor on.
pub(crate) fn page_of_all() -> String {
    rows_of(&newest("true"))
}

/// A page of some series: a page of each from the index on series and time, and the newest of those.
/// The work grows with the page and the number of series, not with the table.
pub(crate) fn page_of_series() -> String {
    rows_of(&format!(
        "SELECT y.id FROM ({WANTED}) AS wanted CROSS JOIN assemblies AS y ON y.id IN ({})
         ORDER BY y.time DESC, y.id DESC LIMIT ?8",
        newest("x.series = wanted.id")
    ))
}

/// Up to a page at the cursor's very time, and up to a page before it.
///
/// In one, as `(time, id) < (?6, ?7)`, SQLite would walk over all rows of that time.
fn newest(which: &str) -> String {
    format!(
        "SELECT * FROM (SELECT x.id FROM assemblies AS x WHERE {which} AND x.time = ?6 AND x.id < ?7 AND ?5 <= ?6
                        ORDER BY x.id DESC LIMIT ?8)
         UNION ALL
         SELECT * FROM (SELECT x.id FROM assemblies AS x WHERE {which} AND x.time >= ?5 AND x.time < ?6
                        ORDER BY x.time DESC, x.id DESC LIMIT ?8)"
    )
}

fn rows_of(ids: &str) -> String {
    format!("SELECT {COLUMNS} WHERE assemblies.id IN ({ids}) ORDER BY time DESC, assemblies.id DESC LIMIT ?8")
}

/// How many rows `filter` asks for, on all pages.
pub(crate) fn count(connection: &Connection, filter: &ListFilter) -> Result<u64, Fault> {
    let Range { since, before: (until, _) } = Range::of(connection, &ListFilter { before_id: None, ..filter.clone() })?;
    let count = match Wanted::of(connection, filter)? {
        Wanted::None => 0,
        Wanted::All => connection
            .prepare_cached("SELECT count(*) FROM assemblies WHERE time >= ?1 AND time < ?2")?
            .query_row([since, until], |row| row.get(0))?,
        Wanted::Some(names) => connection
            .prepare_cached(&format!(
                "SELECT count(*) FROM assemblies WHERE series IN ({WANTED}) AND time >= ?5 AND time < ?6"
            ))?
            .query_row(params_from_iter(names.into_iter().chain([Some(since), Some(until)])), |row| row.get(0))?,
    };
    Ok(count)
}

/// The stretch that a page is taken from, in milliseconds and ids.
struct Range {
    /// The earliest time.
    since: i64,
    /// Time and id that all rows come before.
    before: (i64, i64),
}

impl Range {
    /// Times are kept to the millisecond, rounded down; a bound within one is rounded up.
    fn of(connection: &Connection, filter: &ListFilter) -> Result<Self, Fault> {
        let until = (filter.until.map_or(i64::MAX, milliseconds_up), i64::MIN);
        let before = match filter.before_id {
            None => until,
            Some(id) => connection
                .prepare_cached("SELECT time, id FROM assemblies WHERE id = ?1")?
                .query_row([id.0], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()?
                .ok_or(Fault::Unknown(id))?
                .min(until),
        };
        Ok(Self { since: filter.since.map_or(i64::MIN, milliseconds_up), before })
    }
}

fn milliseconds_up(time: Timestamp) -> i64 {
    let whole = time.as_millisecond();
    whole + i64::from(i128::from(whole) * 1_000_000 < time.as_nanosecond())
}
