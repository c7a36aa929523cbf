//! The log: `<home>/.catbuddy/workbench/log/workbench.log`, and a few older ones beside it.
//!
//! It names files, commands and errors, and never holds the text of a file, a prompt or a key.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tracing_subscriber::EnvFilter;

/// Bytes after which a new file is begun.
const FILE_LIMIT: u64 = 1024 * 1024;
/// Files kept beside the current one.
const OLDER_FILES: u32 = 3;

/// The folder of the logs.
pub(crate) fn folder(home: &Path) -> PathBuf {
    home.join(".catbuddy").join("workbench").join("log")
}

/// Begins logging, and makes a panic leave its place in the log. Where the folder cannot be written, standard
/// error takes the log's place. `RUST_LOG` chooses what is logged.
pub(crate) fn start(home: &Path) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let format = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false);
    let folder = folder(home);
    // A second call, as tests make it, keeps the first log.
    match RotatingFile::open(&folder, FILE_LIMIT) {
        Ok(file) => drop(format.with_writer(Mutex::new(file)).try_init()),
        Err(error) => {
            drop(format.with_writer(io::stderr).try_init());
            tracing::warn!(folder = %folder.display(), %error, "the log cannot be written; it goes to standard error");
        }
    }
    std::panic::set_hook(Box::new(|panic| {
        tracing::error!(place = panic.location().map(tracing::field::display), "panic: {}", reason(panic.payload()));
    }));
}

/// The text a panic was raised with.
fn reason(payload: &(dyn std::any::Any + Send)) -> &str {
    payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no reason")
}

/// A file that begins anew when it has grown, and keeps a few of its predecessors.
struct RotatingFile {
    folder: PathBuf,
    file: File,
    size: u64,
    limit: u64,
}

impl RotatingFile {
    /// Goes on with the log of `folder`, which is made when it is absent. `limit` is in bytes.
    fn open(folder: &Path, limit: u64) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let file = OpenOptions::new().create(true).append(true).open(path(folder, 0))?;
        let size = file.metadata()?.len();
        Ok(Self { folder: folder.to_owned(), file, size, limit })
    }

    /// Moves each file one place back; the oldest goes.
    fn begin_anew(&mut self) -> io::Result<()> {
        for place in (0..OLDER_FILES).rev() {
            match fs::rename(path(&self.folder, place), path(&self.folder, place + 1)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        *self = Self::open(&self.folder, self.limit)?;
        Ok(())
    }
}

impl Write for RotatingFile {
    /// Writes one line of the log, whole: `tracing` passes a line at a time.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if self.size > 0 && self.size + line.len() as u64 > self.limit {
            self.begin_anew()?;
        }
        self.file.write_all(line)?;
        self.size += line.len() as u64;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The file that is `place` places back; 0 is the current one.
fn path(folder: &Path, place: u32) -> PathBuf {
    match place {
        0 => folder.join("workbench.log"),
        _ => folder.join(format!("workbench.{place}.log")),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failure to prepare is a failure of the test")]

    use super::*;

    #[test]
    fn grown_files_move_back_and_the_oldest_goes() {
        let folder = tempfile::tempdir().unwrap();
        let mut log = RotatingFile::open(folder.path(), 8).unwrap();
        for line in ["one\n", "two\n", "three\n", "four\n", "five\n", "six\n", "seven\n"] {
            log.write_all(line.as_bytes()).unwrap();
        }
        let read = |place| fs::read_to_string(path(folder.path(), place)).unwrap();
        assert_eq!([read(0), read(1), read(2), read(3)], ["seven\n", "six\n", "five\n", "four\n"].map(str::to_owned));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4);
    }

    #[test]
    fn a_new_start_goes_on_with_the_same_file() {
        let folder = tempfile::tempdir().unwrap();
        for line in ["one\n", "two\n"] {
            RotatingFile::open(folder.path(), 100).unwrap().write_all(line.as_bytes()).unwrap();
        }
        assert_eq!(fs::read_to_string(path(folder.path(), 0)).unwrap(), "one\ntwo\n");
    }
}
