//! Reads a workspace into a [`Snapshot`], and reads again only what changed.
//!
//! A reading begins by looking at every path of the last one (`stat`, nothing else). When all look as they did, the
//! very same snapshot is returned. Otherwise one pass goes over the folders and opens only files whose stamp
//! (device, inode, size, mtime, ctime) differs, or is too fresh to be believed: see `Stamp::settled`.
//!
//! Never fails: what cannot be read becomes a finding and a [`model::Content`] that says so. A FIFO, a socket or a
//! device is never opened.

mod disk;
mod folder;
mod ignored;
mod pass;

#[cfg(test)]
mod incremental;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;

use model::paths::resolve;
use model::{AppFiles, ContentHash, Finding, Folder, Places, Severity, Snapshot, Target, text};

pub use disk::Calls;
pub(crate) use disk::identity_of;

use crate::rules;
use disk::{Disk, Stamp, clock_ns};
use folder::{read_app, read_folder};
use pass::{KeptFiles, Memory, Pass, Trust};

/// What to read.
#[derive(Clone, Debug)]
pub struct ReadRequest {
    /// Where.
    pub places: Places,
    /// By whose rules.
    pub target: Arc<Target>,
    /// The templates and skills that ship with the workbench, used when `places.app` names no installed app.
    pub shipped: Arc<AppFiles>,
}

/// The outcome of one reading.
#[derive(Clone, Debug)]
pub struct Reading {
    /// What stands on disk. The same `Arc` as before when nothing changed.
    pub snapshot: Arc<Snapshot>,
    /// True when the snapshot differs from that of the reading before; true for the first.
    pub changed: bool,
    /// Paths of the files that appeared, disappeared or differ, sorted.
    pub changed_files: Vec<Arc<str>>,
    /// True when every change is one that [`Reader::note_saved`] announced, byte for byte.
    pub own_echo: bool,
    /// What the reading cost.
    pub stats: Calls,
}

/// Reads again and again, keeping the last reading.
#[derive(Debug)]
pub struct Reader {
    request: ReadRequest,
    disk: Disk,
    memory: Memory,
    last: Option<Arc<Snapshot>>,
    saved: HashMap<String, ContentHash>,
    outside_changes: u64,
}

impl Reader {
    /// A reader that has read nothing yet.
    pub fn new(request: ReadRequest) -> Self {
        Self {
            request,
            disk: Disk::default(),
            memory: Memory::default(),
            last: None,
            saved: HashMap::new(),
            outside_changes: 0,
        }
    }

    /// What is read.
    pub fn request(&self) -> &ReadRequest {
        &self.request
    }

    /// The last snapshot, without looking at the disk.
    pub fn last(&self) -> Option<&Arc<Snapshot>> {
        self.last.as_ref()
    }

    /// How often a reading found a change that was not announced. Whoever remembers the number can tell that somebody
    /// else's reading took a change in.
    pub fn outside_changes(&self) -> u64 {
        self.outside_changes
    }

    /// Announces that we wrote `hash` at `path` (absolute, as in the snapshot), so that the change that the next
    /// reading finds is known as our own.
    pub fn note_saved(&mut self, path: impl Into<String>, hash: ContentHash) {
        self.saved.insert(path.into(), hash);
    }

    /// Reads what changed.
    pub fn read(&mut self) -> Reading {
        self.disk.calls = Calls::default();
        if let Some(last) = &self.last
            && !self.memory.unsettled
            && self.memory.still_holds(&mut self.disk)
        {
            let (snapshot, stats) = (Arc::clone(last), self.disk.calls);
            return Reading { snapshot, changed: false, changed_files: Vec::new(), own_echo: false, stats };
        }
        self.pass(Trust::Stamps)
    }

    /// Reads every byte again, whatever the stamps say, and compares by hash.
    pub fn verify(&mut self) -> Reading {
        self.disk.calls = Calls::default();
        self.pass(Trust::Nothing)
    }

    fn pass(&mut self, trust: Trust) -> Reading {
        let places = &self.request.places;
        let target = &*self.request.target;
        let mut pass = Pass::new(&mut self.disk, &self.memory, trust, clock_ns());
        let workspace_path = resolve(&places.process_cwd, &places.workspace);
        let global_path = resolve(&places.process_cwd, &places.global);
        let (workspace, stamp) = read_folder(&mut pass, &workspace_path, target);
        let workspace = Arc::new(workspace);
        let global = if global_path == workspace_path {
            Arc::clone(&workspace)
        } else {
            let before = pass.findings.len();
            let (global, global_stamp) = read_folder(&mut pass, &global_path, target);
            pass.findings[before..].iter_mut().for_each(about_global);
            pass.findings.extend(same_twice(&workspace, stamp, &global, global_stamp, target));
            Arc::new(global)
        };
        let app = match &places.app {
            Some(app) => Arc::new(read_app(&mut pass, &resolve(&places.process_cwd, app), target)),
            None => Arc::clone(&self.request.shipped),
        };
        let findings = std::mem::take(&mut pass.findings);
        let stats = pass.calls();
        let memory = pass.after;
        let snapshot = Snapshot { places: places.clone(), workspace, global, app, findings };
        let changed_files = changed_files(&self.memory.files, &memory.files);
        self.memory = memory;
        self.disk.shrink();
        self.finish(snapshot, changed_files, stats)
    }

    fn finish(&mut self, mut snapshot: Snapshot, changed_files: Vec<Arc<str>>, stats: Calls) -> Reading {
        if let Some(last) = &self.last {
            share(&mut snapshot, last);
            if **last == snapshot {
                let snapshot = Arc::clone(last);
                return Reading { snapshot, changed: false, changed_files, own_echo: false, stats };
            }
        }
        let own_echo = self.last.is_some()
            && !changed_files.is_empty()
            && changed_files.iter().all(|path| {
                let now = self.memory.files.get(path).map(|kept| kept.file.hash);
                now.is_some() && now == self.saved.get(&**path).copied()
            });
        self.outside_changes += u64::from(!own_echo);
        for path in &changed_files {
            self.saved.remove(&**path);
        }
        let snapshot = Arc::new(snapshot);
        self.last = Some(Arc::clone(&snapshot));
        Reading { snapshot, changed: true, changed_files, own_echo, stats }
    }
}

/// Reads once, and keeps nothing for a second time.
pub fn read_once(request: ReadRequest) -> Snapshot {
    let mut reader = Reader::new(request);
    let reading = reader.read();
    drop(reader);
    Arc::unwrap_or_clone(reading.snapshot)
}

/// Keeps the folders of `last` that are equal, so that what is derived from them can be told by pointer.
fn share(snapshot: &mut Snapshot, last: &Snapshot) {
    for (now, before) in [(&mut snapshot.workspace, &last.workspace), (&mut snapshot.global, &last.global)] {
        if now == before {
            *now = Arc::clone(before);
        }
    }
    if snapshot.app == last.app {
        snapshot.app = Arc::clone(&last.app);
    }
}

fn changed_files(before: &KeptFiles, after: &KeptFiles) -> Vec<Arc<str>> {
    let appeared_or_differ = after
        .iter()
        .filter(|(path, kept)| before.get(*path).is_none_or(|old| old.file != kept.file))
        .map(|(path, _)| path);
    let gone = before.keys().filter(|path| !after.contains_key(*path));
    let mut paths: Vec<_> = appeared_or_differ.chain(gone).map(Arc::clone).collect();
    paths.sort_unstable();
    paths
}

/// A project needs no global profile: that there is none yet is a remark, not a fault of the project.
fn about_global(finding: &mut Finding) {
    if finding.id == rules::WORKSPACE_MISSING.id {
        finding.severity = Severity::Info;
        finding.message = text!("workspace-missing-global");
    }
}

fn same_twice(
    workspace: &Folder,
    stamp: Option<Stamp>,
    global: &Folder,
    global_stamp: Option<Stamp>,
    target: &Target,
) -> Option<Finding> {
    let inode = |stamp: Option<Stamp>| stamp.map(|stamp| (stamp.identity.device, stamp.identity.inode));
    if stamp.is_some() && inode(stamp) == inode(global_stamp) {
        let message = text!("same-workspace-twice", path = &global.path);
        return Some(rules::SAME_WORKSPACE_TWICE.finding(message).at(workspace.path.clone()));
    }
    let memory = |folder: &Folder| {
        let identity = folder.entry(&target.memory)?.identity?;
        Some((identity.device, identity.inode))
    };
    if memory(workspace).is_some() && memory(workspace) == memory(global) {
        let message = text!("same-memory-twice", file = &target.memory);
        let path = workspace.entry(&target.memory).map(|entry| entry.path.to_string());
        let finding = rules::SAME_MEMORY_TWICE.finding(message);
        return Some(match path {
            Some(path) => finding.at(path),
            None => finding,
        });
    }
    None
}
