//! Recording one assembly.

use std::time::Duration;

use rusqlite::{Connection, Transaction};

use crate::assembly::{AssemblyId, NewAssembly, Recorded};
use crate::connection::write;
use crate::error::Fault;
use crate::table::texts::NewText;
use crate::table::{assemblies, sections, series};

/// Hashes and compresses first, so that the write lock is held for the rows alone.
pub(crate) fn record(
    connection: &mut Connection,
    wait: Duration,
    assembly: &NewAssembly<'_>,
) -> Result<Recorded, Fault> {
    let mut texts = Vec::with_capacity(assembly.sections.len());
    for section in &assembly.sections {
        let mut text = NewText::new(&section.text);
        if sections::find(connection, section, text.hash())?.is_none() {
            text.prepare(connection)?;
        }
        texts.push(text);
    }
    write(connection, wait, |transaction| {
        let list: Vec<u64> = assembly
            .sections
            .iter()
            .zip(&texts)
            .map(|(section, text)| sections::intern(transaction, section, text))
            .collect::<Result<_, _>>()?;
        put(transaction, assembly, &list)
    })
}

fn put(transaction: &Transaction<'_>, assembly: &NewAssembly<'_>, list: &[u64]) -> Result<Recorded, Fault> {
    let series = series::intern(transaction, assembly)?;
    if let Some(last) = series.last
        && assemblies::is_same(transaction, last, assembly, list)?
    {
        let seen = assemblies::see_again(transaction, last, assembly.time)?;
        series::set_last(transaction, series.id, last)?;
        return Ok(Recorded::SeenAgain { id: last, seen });
    }
    let id = assemblies::insert(transaction, assembly, series.id, parent(transaction, assembly)?, list)?;
    series::set_last(transaction, series.id, id)?;
    Ok(Recorded::New { id })
}

/// What the cache estimate compares with, unless it was pruned meanwhile; the last one if nothing was compared.
fn parent(transaction: &Transaction<'_>, assembly: &NewAssembly<'_>) -> Result<Option<AssemblyId>, Fault> {
    match assembly.parent {
        Some(parent) => Ok(assemblies::exists(transaction, parent)?.then_some(parent)),
        None => Ok(series::last_of(transaction, assembly.workspace, assembly.channel)?),
    }
}
