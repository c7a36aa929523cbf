//! The window's state: what is open, its drafts, and the parts that make a preview cheap.
//!
//! Two locks, never held together by a caller for long: `open` (files and drafts; a key press takes it) and
//! `Engine` (templates, counters, caches; a preview takes it), so that typing never waits for counting.

mod document;
mod documents;
mod drafts;
mod engine;
mod keeping;
mod retaining;
mod views;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use history::{History, Presence, Reason};
use jiff::Timestamp;
use model::paths::resolve;
use model::{AppFiles, Finding, Places, Severity, Snapshot, Target, text};
use workspace::reader::{ReadRequest, Reader, Reading};
use workspace::watch::{Watching, watch};

use crate::api::{ApiError, ErrorCode, FileRef, RenamedView, Settings, WorkspaceChanged};
use crate::place::Place;
use crate::settings::{self, Kept};
use crate::variants::Registry;

pub(crate) use document::{Document, LARGEST, Problem};
pub(crate) use documents::{Documents, entry};
pub(crate) use drafts::key_of;
pub(crate) use engine::{Engine, Made};
use keeping::DraftKeeper;
use retaining::Retaining;
pub(crate) use retaining::{limits, limits_of};
pub(crate) use views::{
    Beside, Mapping, Served, count_view, finding_view, fingerprint_view, identity, preview_head, sections_body,
    source_view,
};

/// What a shell was told at its start.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SessionOptions {
    /// Where to look. With a workspace or project this is opened at once.
    pub place: Place,
}

/// Called with each change on disk, from the watcher's thread.
pub type OnChange = Box<dyn Fn(WorkspaceChanged) + Send + Sync>;

/// One window's session.
pub struct Session {
    /// Where to look.
    pub(crate) place: Place,
    /// The target.
    pub(crate) target: Arc<Target>,
    /// The target with the global profile switched off.
    own_profile_target: Arc<Target>,
    /// Templates and skills that ship.
    pub(crate) shipped: Arc<AppFiles>,
    /// The history; `None` when it cannot be opened.
    pub(crate) history: Option<Arc<History>>,
    /// Keeps drafts; `None` when they live in memory only. Let go of before the presence is.
    keeper: Option<DraftKeeper>,
    /// Keeps the history within its limits; `None` when there is none.
    retaining: Option<Retaining>,
    /// What tells other windows that this one is alive.
    presence: Option<Presence>,
    kept: Mutex<Kept>,
    findings: Vec<Finding>,
    open: Mutex<Option<Open>>,
    engine: Mutex<Engine>,
    on_change: OnChange,
    me: Weak<Self>,
}

/// What is open.
pub(crate) struct Open {
    /// Name for people.
    pub(crate) name: String,
    /// The place it was opened from.
    pub(crate) place: Place,
    /// True for the sample.
    pub(crate) sample: bool,
    /// Reads the disk; `None` for the sample.
    pub(crate) reader: Option<Arc<Mutex<Reader>>>,
    /// Keeps the watcher alive; `None` when nothing is watched.
    pub(crate) watching: Option<Watching>,
    /// What stands on disk.
    pub(crate) disk: Arc<Snapshot>,
    /// Open documents and their drafts.
    pub(crate) documents: Documents,
    /// Files whose drafts are from an earlier window.
    pub(crate) restored: Vec<FileRef>,
    /// What is odd about drafts of an earlier window.
    pub(crate) findings: Vec<Finding>,
    /// Rises with each change on disk or of a draft.
    pub(crate) revision: u32,
    /// Variants that can be chosen.
    pub(crate) registry: Registry,
    /// Files that a repair renamed, for undoing it.
    pub(crate) renamed: Vec<RenamedView>,
}

impl Open {
    /// What an assembly reads: the disk with the drafts over it.
    pub(crate) fn overlay(&self) -> Arc<Snapshot> {
        self.documents.over(&self.disk)
    }

    /// Takes a reading over. A save and the watcher both read: when their readings arrive in the wrong order, what
    /// the reader read last counts, and not what arrived last.
    pub(crate) fn take_reading(&mut self, reading: &Reading) {
        let last = self.reader.as_ref().and_then(|reader| lock(reader).last().cloned());
        self.disk = last.unwrap_or_else(|| Arc::clone(&reading.snapshot));
        self.documents.disk_changed(&self.disk, &reading.changed_files);
    }

    /// Files whose drafts came back and are drafts still.
    pub(crate) fn drafts_back(&self) -> impl Iterator<Item = &FileRef> {
        self.restored.iter().filter(|file| self.documents.get(file).is_some_and(Document::is_draft))
    }
}

impl Session {
    /// Starts a session. `on_change` is called whenever files of the open workspace changed on disk.
    pub fn start(options: SessionOptions, on_change: OnChange) -> Arc<Self> {
        let loaded = settings::load(&options.place.home);
        let mut findings = loaded.findings;
        let path = settings::history_path(&options.place.home);
        let history = match History::open(&path, Timestamp::now()) {
            Ok(history) => Some(Arc::new(history)),
            Err(error) => {
                let message = text!("history-unavailable", cause = error.to_string());
                findings
                    .push(Finding::new("history-unavailable", Severity::Warning, message).at(path.to_string_lossy()));
                None
            }
        };
        let presence = history.as_ref().and_then(|_| drafts::announce(&options.place.home));
        let target = Arc::new(prompt::targets::catbuddy());
        let retaining = history.as_ref().and_then(|history| {
            Retaining::start(Arc::clone(history), loaded.value.settings.clone())
                .inspect_err(|error| tracing::warn!(%error, "the history grows without a limit"))
                .ok()
        });
        let session = Arc::new_cyclic(|me| Self {
            keeper: drafts::keeper(history.as_ref(), presence.as_ref(), Weak::clone(me)),
            retaining,
            presence,
            place: options.place,
            target: Arc::clone(&target),
            own_profile_target: Arc::new(prompt::targets::catbuddy().with_own_profile()),
            shipped: prompt::shipped_app(),
            history,
            kept: Mutex::new(loaded.value),
            findings,
            open: Mutex::new(None),
            engine: Mutex::new(Engine::new(target.cache_entries)),
            on_change,
            me: Weak::clone(me),
        });
        if session.keeper.is_none() {
            tracing::warn!("drafts live in memory only");
        }
        session
    }

    /// Waits until every draft is written: for the moments before the end of the program.
    pub fn flush(&self) {
        if let Some(keeper) = &self.keeper {
            keeper.flush();
        }
    }

    /// Something was added to the history.
    pub(crate) fn recorded(&self) {
        if let Some(retaining) = &self.retaining {
            retaining.recorded();
        }
    }

    /// The user's home.
    pub fn home(&self) -> &PathBuf {
        &self.place.home
    }

    pub(crate) fn findings(&self) -> &[Finding] {
        &self.findings
    }

    pub(crate) fn settings(&self) -> Settings {
        lock(&self.kept).settings.clone()
    }

    /// The settings with what is remembered of each place.
    pub(crate) fn kept(&self) -> Kept {
        lock(&self.kept).clone()
    }

    /// Changes the settings and keeps them on disk.
    pub(crate) fn change_settings(&self, change: impl FnOnce(&mut Settings)) -> Result<Settings, ApiError> {
        self.change_kept(|kept| change(&mut kept.settings)).map(|kept| kept.settings)
    }

    /// Changes the settings or what is remembered of a place, and keeps it on disk.
    pub(crate) fn change_kept(&self, change: impl FnOnce(&mut Kept)) -> Result<Kept, ApiError> {
        let mut current = lock(&self.kept);
        let mut next = current.clone();
        change(&mut next);
        if next != *current {
            settings::save(&self.place.home, &next)?;
            *current = next;
            if let Some(retaining) = &self.retaining {
                retaining.changed(&current.settings);
            }
        }
        Ok(current.clone())
    }

    /// The resolved folder of the open workspace; `None` for the sample.
    pub(crate) fn open_folder(&self) -> Option<String> {
        let opened = self.opened();
        let open = opened.as_ref().filter(|open| !open.sample)?;
        let places = &open.disk.places;
        Some(resolve(&places.process_cwd, &places.workspace))
    }

    /// How the files of `places` are read: with the global profile, unless it is switched off there.
    pub(crate) fn target_for(&self, places: &Places) -> &Arc<Target> {
        let folder = resolve(&places.process_cwd, &places.workspace);
        let own = self.place.own_profile.unwrap_or_else(|| lock(&self.kept).of(&folder).own_profile);
        if own { &self.own_profile_target } else { &self.target }
    }

    pub(crate) fn engine(&self) -> MutexGuard<'_, Engine> {
        lock(&self.engine)
    }

    pub(crate) fn opened(&self) -> MutexGuard<'_, Option<Open>> {
        lock(&self.open)
    }

    /// Does something with what is open.
    pub(crate) fn with_open<T>(&self, act: impl FnOnce(&mut Open) -> Result<T, ApiError>) -> Result<T, ApiError> {
        match self.opened().as_mut() {
            Some(open) => act(open),
            None => Err(ApiError::new(ErrorCode::NotFound, text!("error-no-workspace"))),
        }
    }

    /// Opens what stands at `places`, and watches it.
    pub(crate) fn open_places(&self, name: String, place: Place, places: Places) {
        let registry = Registry::read(&place);
        let request = ReadRequest { places, target: Arc::clone(&self.target), shipped: Arc::clone(&self.shipped) };
        let mut reader = Reader::new(request);
        let disk = reader.read().snapshot;
        let reader = Arc::new(Mutex::new(reader));
        let me = Weak::clone(&self.me);
        let watching = watch(Arc::clone(&reader), move |reading| {
            if let Some(session) = me.upgrade() {
                session.disk_changed(&reading);
            }
        });
        let watching =
            watching.inspect_err(|error| tracing::warn!(%error, "changes on disk will not show by themselves")).ok();
        let drafts::Restored { documents, files: restored, findings } = self.restore_drafts(&disk);
        self.replace_open(Some(Open {
            name,
            place,
            sample: false,
            reader: Some(reader),
            watching,
            disk,
            documents,
            restored,
            findings,
            revision: 1,
            registry,
            renamed: Vec::new(),
        }));
    }

    /// Opens a snapshot that lives in memory.
    pub(crate) fn open_sample(&self, name: String, snapshot: Snapshot) {
        let place = Place { home: self.place.home.clone(), ..Place::default() };
        self.replace_open(Some(Open {
            name,
            registry: Registry::read(&place),
            place,
            sample: true,
            reader: None,
            watching: None,
            disk: Arc::new(snapshot),
            documents: Documents::default(),
            restored: Vec::new(),
            findings: Vec::new(),
            revision: 1,
            renamed: Vec::new(),
        }));
    }

    pub(crate) fn replace_open(&self, next: Option<Open>) {
        let before = std::mem::replace(&mut *self.opened(), next);
        *self.engine() = Engine::new(self.target.cache_entries);
        // Outside the locks: stopping a watcher waits for its thread, which may wait for them.
        drop(before);
    }

    /// Takes a new reading over, tells the window, and records what the prompt became.
    fn disk_changed(&self, reading: &Reading) {
        let changed = {
            let mut opened = self.opened();
            let Some(open) = opened.as_mut() else { return };
            open.take_reading(reading);
            self.keep_drafts(open);
            open.revision += 1;
            let mapping = Mapping::of(&open.disk);
            let files: Vec<FileRef> = reading.changed_files.iter().filter_map(|path| mapping.file(path)).collect();
            WorkspaceChanged { revision: open.revision, files }
        };
        if !reading.own_echo {
            crate::window::preview::record_now(self, Reason::Watch);
        }
        (self.on_change)(changed);
    }
}

/// A lock whose holder panicked still holds whole values: every change here replaces them in one step.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
