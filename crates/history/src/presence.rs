//! Which windows are alive: each holds a lock on a small file of its own for as long as it runs.
//!
//! The system lets go of the lock when the process ends, however it ends. A number of a process would say less:
//! it is given out again, and means another process in another container.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use jiff::Timestamp;

/// A window that is alive.
#[derive(Debug)]
pub struct Presence {
    folder: PathBuf,
    name: String,
    // Holds the lock.
    _file: File,
}

/// Tells apart the windows of one process.
static SERIAL: AtomicU32 = AtomicU32::new(0);

impl Presence {
    /// Announces a window in `folder`, which is made where it is missing. `now` is part of the name.
    ///
    /// # Errors
    /// When the file cannot be made or locked.
    pub fn announce(folder: &Path, now: Timestamp) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        loop {
            let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
            let name = format!("{}-{:x}-{serial}", std::process::id(), now.as_nanosecond());
            let path = path_of(folder, &name);
            let file = File::create_new(&path)?;
            // Another window that tidies up may hold it for a moment; and it takes a file away that is not locked yet.
            file.lock()?;
            if path.exists() {
                return Ok(Self { folder: folder.to_owned(), name, _file: file });
            }
        }
    }

    /// The name by which drafts know the window.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the window called `name` is alive. When that cannot be told, it is: its drafts are then left alone.
    pub fn is_alive(&self, name: &str) -> bool {
        // A name from the database is no way out of the folder.
        if name.contains(['/', '\\', '\0']) {
            return false;
        }
        match File::open(path_of(&self.folder, name)) {
            Err(error) => error.kind() != io::ErrorKind::NotFound,
            Ok(file) => match file.try_lock_shared() {
                Ok(()) => false,
                Err(TryLockError::WouldBlock | TryLockError::Error(_)) => true,
            },
        }
    }

    /// Removes the files of windows that died without doing it themselves.
    pub fn tidy(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let Some(name) = name.to_str().and_then(|name| name.strip_suffix(SUFFIX)) else { continue };
            if name != self.name && !self.is_alive(name) {
                // Best effort: it is looked at again at the next start.
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        // Best effort: a file without a lock is that of a dead window anyway.
        let _ = fs::remove_file(path_of(&self.folder, &self.name));
    }
}

const SUFFIX: &str = ".window";

fn path_of(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}{SUFFIX}"))
}
