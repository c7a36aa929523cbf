//! Recording one assembly.

use std::time::Duration;

use rusqlite::{Connection, Transaction};

use crate::assembly::{AssemblyId, NewAssembly, Recorded};
use crate::connection::write;
use crate::error::Fault;
use crate::table::{assemblies, sections, series, texts};

/// Hashes and compresses first, so that the write lock is held for the rows alone.
pub(crate) fn record(
    connection: &mut Connection,
    wait: Duration,
    assembly: &NewAssembly<'_>,
) -> Result<Recorded, Fault> {
    let mut texts: Vec<_> = assembly.sections.iter().map(|section| texts::NewText::new(&section.text)).collect();
    for text in &mut texts {
        text.prepare(connection)?;
    }
    write(connection, wait, |transaction| {
        let mut list = Vec::with_capacity(texts.len());
        for (section, text) in assembly.sections.iter().zip(&texts) {
            let text = texts::intern(transaction, text)?;
            list.push(sections::intern(transaction, section, text)?);
        }
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
