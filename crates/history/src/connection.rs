//! Connections to one database: how they are set up, and how a write waits for its turn.

use std::path::Path;
use std::sync::Mutex;
use std::thread::sleep;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior, ffi};

use crate::error::Fault;
use crate::lock;
use crate::migrations::{STEPS, check_fit, migrate};

/// Larger than SQLite's 4 KiB: a 2 KB text that does not compress would otherwise fill half a page, alone.
const PAGE_SIZE: u32 = 8192;

/// Pages that are given back in one piece: two megabytes.
const VACUUM_PAGES: u64 = 256;

/// How long to sleep between two attempts where SQLite itself does not wait.
const PAUSE: Duration = Duration::from_millis(5);

/// The one connection that writes, its database at the schema of this build.
///
/// Waits up to `wait` for other processes. A file that is refused is not written to.
pub(crate) fn open_writer(path: &Path, now: Timestamp, wait: Duration) -> Result<Connection, Fault> {
    let file = path.metadata();
    if file.as_ref().is_ok_and(|file| !file.is_file()) {
        // SQLite would wait for the other end of a pipe, and call a folder an I/O error.
        let cause = ffi::Error::new(ffi::SQLITE_CANTOPEN);
        return Err(rusqlite::Error::SqliteFailure(cause, Some("not a regular file".to_owned())).into());
    }
    if file.is_ok_and(|file| file.len() > 0) {
        let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        connection.busy_timeout(wait)?;
        check_fit(&connection, STEPS)?;
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(wait)?;
    // These two hold for the life of a file and count only before its first table.
    connection.pragma_update(None, "page_size", PAGE_SIZE)?;
    connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    // Two processes that create the file at once: the change to WAL does not wait by itself.
    while_busy(wait, || Ok(connection.pragma_update(None, "journal_mode", "WAL")?))?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    migrate(&mut connection, path, STEPS, now)?;
    Ok(connection)
}

/// A connection that only reads. In WAL mode it neither waits for a writer nor holds one up.
pub(crate) fn open_reader(path: &Path, wait: Duration) -> Result<Connection, Fault> {
    // Not opened read-only: the reader may have to recover the log that a killed process left.
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.busy_timeout(wait)?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

/// Runs `job` in a transaction that holds the write lock from its start.
///
/// A deferred one that turns from reading to writing fails at once when another process wrote in between,
/// whatever the busy timeout says.
pub(crate) fn write<T>(
    connection: &mut Connection,
    wait: Duration,
    mut job: impl FnMut(&Transaction<'_>) -> Result<T, Fault>,
) -> Result<T, Fault> {
    while_busy(wait, || {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let value = job(&transaction)?;
        transaction.commit()?;
        Ok(value)
    })
}

/// Gives free pages back to the disk: when `removed` says that much may be free, or a quarter of the file is.
pub(crate) fn vacuum(
    connection: &Mutex<Connection>,
    wait: Duration,
    removed: bool,
    go_on: &dyn Fn() -> bool,
) -> Result<(), Fault> {
    let count = |connection: &Connection, what: &str| -> Result<u64, Fault> {
        Ok(connection.pragma_query_value(None, what, |row| row.get(0))?)
    };
    let (free, all) = {
        let connection = lock(connection);
        (count(&connection, "freelist_count")?, count(&connection, "page_count")?)
    };
    if free == 0 || !removed && free * 4 < all {
        return Ok(());
    }
    // In pieces, each a transaction of its own: a save that comes meanwhile does not wait for all of them.
    for _ in 0..free.div_ceil(VACUUM_PAGES) {
        if !go_on() {
            return Ok(());
        }
        while_busy(wait, || {
            let connection = lock(connection);
            let mut statement = connection.prepare(&format!("PRAGMA incremental_vacuum({VACUUM_PAGES})"))?;
            let mut rows = statement.query([])?;
            // Each step gives a page back.
            while rows.next()?.is_some() {}
            Ok(())
        })?;
        sleep(PAUSE);
    }
    // The file gets shorter when the log goes into it. Whoever reads just now keeps it from that until the next time.
    let connection = lock(connection);
    connection.busy_timeout(Duration::ZERO)?;
    let shortened = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    connection.busy_timeout(wait)?;
    shortened.map_err(Fault::from).or_else(|fault| if fault.is_busy() { Ok(()) } else { Err(fault) })
}

/// Repeats `attempt` while the database is busy, until `wait` is over.
fn while_busy<T>(wait: Duration, mut attempt: impl FnMut() -> Result<T, Fault>) -> Result<T, Fault> {
    let start = Instant::now();
    loop {
        match attempt() {
            Err(fault) if fault.is_busy() && start.elapsed() < wait => sleep(PAUSE),
            result => return result,
        }
    }
}
