//! Which folders must be watched so that every change of a snapshot is told.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use model::{Entry, Folder, Link, Snapshot, Target};

/// A folder that is watched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Inode {
    device: u64,
    number: u64,
    /// False for a folder that is watched only to see a watched one below it come or go.
    pub(super) holds_files: bool,
}

/// How many folders above a workspace are watched, to see it renamed, deleted or made: the project's `.catbuddy` and
/// the project, or the home.
const ABOVE: usize = 2;

/// The folders from which everything is found, whether or not they exist.
pub(super) fn roots(snapshot: &Snapshot) -> Vec<PathBuf> {
    let mut roots = vec![PathBuf::from(&snapshot.workspace.path), PathBuf::from(&snapshot.global.path)];
    if let Some(app) = app(snapshot) {
        roots.extend([app.join("templates"), app.join("skills")]);
    }
    roots
}

fn app(snapshot: &Snapshot) -> Option<PathBuf> {
    let places = &snapshot.places;
    places.app.as_ref().map(|app| model::paths::resolve(&places.process_cwd, app).into())
}

/// The folders of `snapshot` that exist.
pub(super) fn of(snapshot: &Snapshot, target: &Target) -> BTreeMap<PathBuf, Inode> {
    let mut found = Found(BTreeMap::new());
    for folder in [&snapshot.workspace, &snapshot.global] {
        found.workspace(folder, target);
    }
    if let Some(app) = app(snapshot) {
        found.with_files(&app.join("templates"));
        found.with_files(&app.join("skills"));
        found.above(&app.join("templates"), ABOVE);
        for entry in snapshot.app.templates.values() {
            found.entry(entry);
        }
        for skill in &snapshot.app.skills {
            found.entry(&skill.file);
            found.link(Path::new(&*skill.file.path).parent(), skill.link.as_ref());
        }
    }
    found.0
}

struct Found(BTreeMap<PathBuf, Inode>);

impl Found {
    fn workspace(&mut self, folder: &Folder, target: &Target) {
        let root = Path::new(&folder.path);
        self.with_files(root);
        self.above(root, ABOVE);
        if let Some(memory) = root.join(&target.memory).parent() {
            self.with_files(memory);
        }
        self.with_files(&root.join(&target.skills));
        for entry in folder.files.values() {
            self.entry(entry);
        }
        for skill in &folder.skills {
            self.entry(&skill.file);
            self.link(Path::new(&*skill.file.path).parent(), skill.link.as_ref());
        }
    }

    /// The folder of a file, and that of the file which its link leads to.
    fn entry(&mut self, entry: &Entry) {
        let path = Path::new(&*entry.path);
        if let Some(folder) = path.parent() {
            self.with_files(folder);
        }
        self.link(Some(path), entry.link.as_ref());
    }

    fn link(&mut self, at: Option<&Path>, link: Option<&Link>) {
        let (Some(at), Some(link)) = (at, link) else { return };
        let target = match &link.resolved {
            Some(resolved) => PathBuf::from(resolved),
            None => at.parent().map_or_else(PathBuf::new, |folder| folder.join(&link.text)),
        };
        if let Some(folder) = target.parent() {
            self.with_files(folder);
        }
    }

    /// The folders above `path`: `count` of them, and on to the first that exists.
    fn above(&mut self, path: &Path, count: usize) {
        for (number, folder) in path.ancestors().skip(1).enumerate() {
            let exists = self.insert(folder, false);
            if exists && number + 1 >= count {
                break;
            }
        }
    }

    fn with_files(&mut self, folder: &Path) {
        if !self.0.get(folder).is_some_and(|inode| inode.holds_files) {
            self.insert(folder, true);
        }
    }

    /// True when the folder exists.
    fn insert(&mut self, folder: &Path, holds_files: bool) -> bool {
        let Ok(metadata) = std::fs::metadata(folder) else { return false };
        if !metadata.is_dir() {
            return false;
        }
        let inode = Inode { device: metadata.dev(), number: metadata.ino(), holds_files };
        self.0.entry(folder.to_owned()).and_modify(|known| known.holds_files |= holds_files).or_insert(inode);
        true
    }
}
