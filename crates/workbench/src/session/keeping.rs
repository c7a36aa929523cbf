//! Keeps drafts in the database, on a thread of its own: a key press never waits for it.
//!
//! Of several texts of one file that wait to be written, the newest counts. What could not be written stays in memory
//! and is tried again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use history::{DraftKey, History, NewDraft, StoredDraft};

use super::lock;

/// How long after a failure it is tried again.
const PAUSE: Duration = Duration::from_millis(500);

/// How long a caller waits for what is still to be written.
const PATIENCE: Duration = Duration::from_secs(3);

/// The keeper of one window's drafts.
pub(crate) struct DraftKeeper {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    history: Arc<History>,
    writer: String,
    desk: Mutex<Desk>,
    /// Something is to be written, or it is time to end.
    work: Condvar,
    /// A write came to its end.
    done: Condvar,
}

#[derive(Default)]
struct Desk {
    waiting: BTreeMap<DraftKey, Option<NewDraft>>,
    /// Files that have, or may have, a row in the database.
    kept: BTreeSet<DraftKey>,
    writing: bool,
    failing: Option<String>,
    ending: bool,
}

impl DraftKeeper {
    /// Starts the thread. `told` is called from it whenever keeping begins to fail, or works again.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(crate) fn start(
        history: Arc<History>,
        writer: String,
        told: impl Fn() + Send + 'static,
    ) -> std::io::Result<Self> {
        let shared =
            Arc::new(Shared { history, writer, desk: Mutex::default(), work: Condvar::new(), done: Condvar::new() });
        let of_thread = Arc::clone(&shared);
        let thread = thread::Builder::new().name("drafts".to_owned()).spawn(move || run(&of_thread, &told))?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// What is to be kept of a file now; `None`: no unsaved edits. Returns at once.
    pub(crate) fn note(&self, key: DraftKey, draft: Option<NewDraft>) {
        let mut desk = lock(&self.shared.desk);
        if draft.is_none() && !desk.kept.contains(&key) {
            return;
        }
        desk.kept.insert(key.clone());
        desk.waiting.insert(key, draft);
        self.shared.work.notify_one();
    }

    /// Takes over what dead windows left below `folder`, and gives everything that this window has there.
    ///
    /// # Errors
    /// A fault of the database, as text.
    pub(crate) fn take_over(
        &self,
        folder: &str,
        alive: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<StoredDraft>, history::HistoryError> {
        self.flush();
        let stored = self.shared.history.take_over_drafts(folder, &self.shared.writer, alive)?;
        lock(&self.shared.desk).kept.extend(stored.iter().map(|draft| draft.place.key.clone()));
        Ok(stored)
    }

    /// Waits until everything is written; gives up when it cannot be.
    pub(crate) fn flush(&self) {
        let start = Instant::now();
        let mut desk = lock(&self.shared.desk);
        while (desk.writing || !desk.waiting.is_empty()) && desk.failing.is_none() {
            let Some(left) = PATIENCE.checked_sub(start.elapsed()) else { return };
            desk = wait(&self.shared.done, desk, left);
        }
    }

    /// Why drafts live in memory only; `None` when they are kept.
    pub(crate) fn failing(&self) -> Option<String> {
        lock(&self.shared.desk).failing.clone()
    }
}

impl Drop for DraftKeeper {
    fn drop(&mut self) {
        lock(&self.shared.desk).ending = true;
        self.shared.work.notify_one();
        // The thread itself may hold the session for a moment, and then be the one that lets go of it.
        if let Some(thread) = self.thread.take().filter(|thread| thread.thread().id() != thread::current().id())
            && thread.join().is_err()
        {
            tracing::error!("the thread that keeps drafts had stopped");
        }
    }
}

fn run(shared: &Shared, told: &impl Fn()) {
    loop {
        let mut desk = lock(&shared.desk);
        while desk.waiting.is_empty() && !desk.ending {
            desk = shared.work.wait(desk).unwrap_or_else(PoisonError::into_inner);
        }
        if desk.waiting.is_empty() {
            return;
        }
        let batch = std::mem::take(&mut desk.waiting);
        desk.writing = true;
        drop(desk);
        let outcome = shared.history.keep_drafts(&shared.writer, &batch);
        let mut desk = lock(&shared.desk);
        desk.writing = false;
        let before = desk.failing.is_some();
        match outcome {
            Ok(()) => {
                for (key, _) in batch.iter().filter(|(_, draft)| draft.is_none()) {
                    if !desk.waiting.contains_key(key) {
                        desk.kept.remove(key);
                    }
                }
                desk.failing = None;
            }
            Err(error) => {
                tracing::warn!(%error, "drafts could not be kept");
                desk.failing = Some(error.to_string());
                for (key, draft) in batch {
                    desk.waiting.entry(key).or_insert(draft);
                }
            }
        }
        let fails = desk.failing.is_some();
        shared.done.notify_all();
        if before != fails {
            drop(desk);
            told();
            desk = lock(&shared.desk);
        }
        let until = Instant::now() + PAUSE;
        while fails && !desk.ending {
            let Some(left) = until.checked_duration_since(Instant::now()) else { break };
            desk = wait(&shared.work, desk, left);
        }
        if fails && desk.ending {
            return;
        }
    }
}

fn wait<'a>(on: &Condvar, desk: MutexGuard<'a, Desk>, time: Duration) -> MutexGuard<'a, Desk> {
    on.wait_timeout(desk, time).unwrap_or_else(PoisonError::into_inner).0
}
