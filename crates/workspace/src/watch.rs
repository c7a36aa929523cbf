//! Tells when the files of a snapshot change.
//!
//! Folders are watched, never files: editors save by rename, and a watch on a file would die with its inode. What an
//! event says is not believed; any event in a folder of interest leads, after a pause, to one reading, and only a
//! reading that differs is passed on. Between two events nothing is asked of the disk.
//!
//! When the system has no watches left, the reader's own look at every path (one `stat` each) takes their place, once
//! a second, and [`Watching::finding`] says so.

mod folders;
mod names;

#[cfg(test)]
mod quiet;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use model::{Finding, text};
use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::reader::{Reader, Reading};
use crate::rules;

/// Quiet time after an event before the disk is read.
const PAUSE: Duration = Duration::from_millis(100);
/// A disk that is never quiet is read this often.
const PATIENCE: Duration = Duration::from_secs(1);
/// Without watches, the disk is looked at this often.
const POLL: Duration = Duration::from_secs(1);

/// Why watching could not begin.
#[derive(Debug, thiserror::Error)]
#[error("changes on disk cannot be watched ({0}); read again by hand")]
pub struct WatchError(#[from] std::io::Error);

/// Watches until it is dropped.
#[derive(Debug)]
pub struct Watching {
    stop: Sender<Message>,
    worker: Option<JoinHandle<()>>,
    polling: Arc<OnceLock<Finding>>,
}

impl Watching {
    /// Set when the system's watches are used up and changes are looked for at intervals.
    pub fn finding(&self) -> Option<&Finding> {
        self.polling.get()
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _worker_gone_already = self.stop.send(Message::Stop);
        if let Some(worker) = self.worker.take()
            && worker.thread().id() != std::thread::current().id()
        {
            let _panicked = worker.join();
        }
    }
}

#[derive(Debug)]
enum Message {
    Event(notify::Result<Event>),
    Stop,
}

/// Begins to watch what `reader` reads, and calls `on_change` on a thread of its own with every reading that differs
/// from the one before, except for changes that [`Reader::note_saved`] announced.
///
/// The reader is read once at the start, so that nothing is missed between its last reading and now. It is locked
/// while it reads, and not while `on_change` runs. Whoever saves should announce the save and read while holding the
/// lock; the watcher then has nothing to add.
///
/// # Errors
/// [`WatchError`] when the system gives no thread. Missing watches are no error: see [`Watching::finding`].
pub fn watch(reader: Arc<Mutex<Reader>>, on_change: impl Fn(Reading) + Send + 'static) -> Result<Watching, WatchError> {
    watch_with(reader, on_change, Limits::System)
}

/// Whether watches may be used at all; tests play a system that has none left.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Limits {
    System,
    #[cfg(test)]
    NoWatches,
}

fn watch_with(
    reader: Arc<Mutex<Reader>>,
    on_change: impl Fn(Reading) + Send + 'static,
    limits: Limits,
) -> Result<Watching, WatchError> {
    let (stop, messages) = channel();
    let polling = Arc::new(OnceLock::new());
    let events = stop.clone();
    let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        if event.as_ref().map_or(true, tells_of_a_change) {
            let _worker_gone = events.send(Message::Event(event));
        }
    });
    let delivered = lock(&reader).outside_changes();
    let mut worker = Worker {
        delivered,
        reader,
        watcher: None,
        watched: BTreeMap::new(),
        roots: Vec::new(),
        polling: Arc::clone(&polling),
    };
    match watcher {
        Ok(watcher) if limits == Limits::System => worker.watcher = Some(watcher),
        Ok(_) => worker.fall_back("none are left"),
        Err(error) => worker.fall_back(&error.to_string()),
    }
    let first = worker.refresh(Thorough::No);
    let thread = std::thread::Builder::new().name("watch".to_owned()).spawn(move || {
        if let Some(reading) = first {
            on_change(reading);
        }
        worker.run(&messages, &on_change);
    })?;
    Ok(Watching { stop, worker: Some(thread), polling })
}

/// Opening and reading, our own included, change nothing.
fn tells_of_a_change(event: &Event) -> bool {
    !matches!(event.kind, EventKind::Access(kind) if kind != AccessKind::Close(AccessMode::Write))
}

/// The lock of a reader. A panic while reading leaves at worst a reading that is done again.
fn lock(reader: &Mutex<Reader>) -> std::sync::MutexGuard<'_, Reader> {
    reader.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether stamps are believed after events were lost.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Thorough {
    No,
    Yes,
}

struct Worker {
    reader: Arc<Mutex<Reader>>,
    watcher: Option<RecommendedWatcher>,
    /// Watched folders with their inodes: a folder that is replaced must be watched anew.
    watched: BTreeMap<PathBuf, folders::Inode>,
    /// Folders that matter even while they, or those above them, do not exist.
    roots: Vec<PathBuf>,
    polling: Arc<OnceLock<Finding>>,
    /// The reader's count of outside changes when something was last passed on.
    delivered: u64,
}

impl Worker {
    fn run(mut self, messages: &Receiver<Message>, on_change: &impl Fn(Reading)) {
        while let Some(thorough) = self.wait(messages) {
            if let Some(reading) = self.refresh(thorough) {
                on_change(reading);
            }
        }
    }

    /// Waits for a reason to read; `None` at the end.
    fn wait(&mut self, messages: &Receiver<Message>) -> Option<Thorough> {
        let mut thorough = loop {
            let message = if self.watcher.is_some() {
                messages.recv().map_err(|_| RecvTimeoutError::Disconnected)
            } else {
                messages.recv_timeout(POLL)
            };
            match message {
                Ok(Message::Event(event)) => {
                    if let Some(thorough) = self.weigh(event) {
                        break thorough;
                    }
                }
                Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => return Some(Thorough::No),
            }
        };
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now()).min(PAUSE);
            match messages.recv_timeout(left) {
                Ok(Message::Event(event)) => {
                    if self.weigh(event) == Some(Thorough::Yes) {
                        thorough = Thorough::Yes;
                    }
                }
                Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => return Some(thorough),
            }
        }
    }

    /// What an event calls for; `None` when it is about something that is not read.
    fn weigh(&mut self, event: notify::Result<Event>) -> Option<Thorough> {
        match event {
            Ok(event) if event.need_rescan() => Some(Thorough::Yes),
            Ok(event) => event
                .paths
                .iter()
                .any(|path| {
                    let in_folder = path.parent().is_some_and(|folder| {
                        self.watched.get(folder).is_some_and(|inode| inode.holds_files) && !names::is_passing(path)
                    });
                    in_folder || self.watched.contains_key(path) || self.roots.iter().any(|root| root.starts_with(path))
                })
                .then_some(Thorough::No),
            Err(error) => {
                if matches!(error.kind, notify::ErrorKind::MaxFilesWatch) {
                    self.fall_back(&error.to_string());
                }
                Some(Thorough::Yes)
            }
        }
    }

    /// Reads, watches the folders that are there now, and gives what must be passed on.
    fn refresh(&mut self, thorough: Thorough) -> Option<Reading> {
        let shared = Arc::clone(&self.reader);
        let mut reader = lock(&shared);
        let mut reading = if thorough == Thorough::Yes { reader.verify() } else { reader.read() };
        // A folder may have been filled before it was watched, so what was watched anew is read again.
        while self.watch_folders(&reading, &reader) {
            reading = reader.read();
        }
        let count = reader.outside_changes();
        if count == self.delivered {
            return None;
        }
        self.delivered = count;
        Some(Reading { changed: true, ..reading })
    }

    /// Brings the watches in line with the snapshot. True when a folder is watched that was not.
    fn watch_folders(&mut self, reading: &Reading, reader: &Reader) -> bool {
        let Some(watcher) = &mut self.watcher else { return false };
        let wanted = folders::of(&reading.snapshot, &reader.request().target);
        self.roots = folders::roots(&reading.snapshot);
        self.watched.retain(|folder, inode| {
            let keep = wanted.get(folder) == Some(inode);
            if !keep {
                // The kernel drops the watch of a folder that is gone; what is left of it is here.
                let _gone_already = watcher.unwatch(folder);
            }
            keep
        });
        let mut added = false;
        for (folder, inode) in wanted {
            if self.watched.contains_key(&folder) {
                continue;
            }
            match watcher.watch(&folder, RecursiveMode::NonRecursive) {
                Ok(()) => {
                    self.watched.insert(folder, inode);
                    added = true;
                }
                Err(error) if is_limit(&error) => {
                    self.fall_back(&error.to_string());
                    return false;
                }
                // Gone again, or not ours to watch: its parent is watched, and tells when that changes.
                Err(error) => tracing::debug!(folder = %folder.display(), %error, "not watched"),
            }
        }
        added
    }

    fn fall_back(&mut self, reason: &str) {
        self.watcher = None;
        self.watched.clear();
        let message = text!("watch-polling", cause = reason);
        let _told_already = self.polling.set(rules::WATCH_POLLING.finding(message));
    }
}

fn is_limit(error: &notify::Error) -> bool {
    const TOO_MANY_OPEN_FILES: i32 = 24;
    match &error.kind {
        notify::ErrorKind::MaxFilesWatch => true,
        notify::ErrorKind::Io(cause) => cause.raw_os_error() == Some(TOO_MANY_OPEN_FILES),
        _ => false,
    }
}
