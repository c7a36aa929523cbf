//! Keeps the history within the limits of the settings, on a thread of its own: no key press and no save waits for it.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use history::{History, HistoryError, Limits};
use jiff::{SignedDuration, Timestamp};

use super::lock;
use crate::api::Settings;

/// How long after something was recorded it is looked at: a save records more than one thing.
const PAUSE: Duration = Duration::from_secs(2);

/// What the settings let stay at `now`.
pub(crate) fn limits(settings: &Settings, now: Timestamp) -> Limits {
    limits_of(settings.history_days, settings.history_mib, now)
}

/// The limits of so many days and mebibytes.
pub(crate) fn limits_of(days: Option<u32>, mib: Option<u32>, now: Timestamp) -> Limits {
    Limits {
        // More days than there are since the beginning of time: everything stays.
        before: days.and_then(|days| now.checked_sub(SignedDuration::from_hours(24 * i64::from(days))).ok()),
        count: None,
        bytes: mib.map(|mib| u64::from(mib) * 1024 * 1024),
    }
}

/// The thread. It ends with this, after the step that it is in.
pub(crate) struct Retaining {
    desk: Arc<(Mutex<Desk>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

struct Desk {
    settings: Settings,
    wanted: bool,
    ending: bool,
}

impl Retaining {
    /// Starts the thread, which looks at the history at once.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(crate) fn start(history: Arc<History>, settings: Settings) -> std::io::Result<Self> {
        let desk = Arc::new((Mutex::new(Desk { settings, wanted: true, ending: false }), Condvar::new()));
        let of_thread = Arc::clone(&desk);
        let thread = thread::Builder::new().name("retention".to_owned()).spawn(move || run(&history, &of_thread))?;
        Ok(Self { desk, thread: Some(thread) })
    }

    /// Something was recorded. Returns at once.
    pub(crate) fn recorded(&self) {
        lock(&self.desk.0).wanted = true;
        self.desk.1.notify_one();
    }

    /// The settings are others now. Returns at once.
    pub(crate) fn changed(&self, settings: &Settings) {
        let mut desk = lock(&self.desk.0);
        let limits = |settings: &Settings| (settings.history_days, settings.history_mib);
        if limits(&desk.settings) != limits(settings) {
            desk.wanted = true;
            self.desk.1.notify_one();
        }
        desk.settings = settings.clone();
    }
}

impl Drop for Retaining {
    fn drop(&mut self) {
        lock(&self.desk.0).ending = true;
        self.desk.1.notify_one();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the thread that keeps the history within its limits had stopped");
        }
    }
}

fn run(history: &History, (desk, work): &(Mutex<Desk>, Condvar)) {
    // What nothing refers to any more goes at the start, whatever the limits.
    let mut first = true;
    loop {
        let settings = {
            let mut desk = lock(desk);
            while !desk.wanted && !desk.ending {
                desk = work.wait(desk).unwrap_or_else(PoisonError::into_inner);
            }
            if desk.ending {
                return;
            }
            desk.wanted = false;
            desk.settings.clone()
        };
        let go_on = || !lock(desk).ending;
        if let Err(error) = keep_within(history, &limits(&settings, Timestamp::now()), first, &go_on) {
            // It is tried again after the next save; nobody lost anything.
            tracing::warn!(%error, "the history was not brought within its limits");
        }
        first = false;
        let desk = lock(desk);
        drop(work.wait_timeout_while(desk, PAUSE, |desk| !desk.ending));
    }
}

fn keep_within(history: &History, limits: &Limits, always: bool, go_on: &dyn Fn() -> bool) -> Result<(), HistoryError> {
    if always || history.is_due(limits)? {
        let pruned = history.prune_while(limits, go_on)?;
        tracing::info!(?pruned, "the history was brought within its limits");
    }
    Ok(())
}
