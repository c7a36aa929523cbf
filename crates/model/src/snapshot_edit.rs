//! Changes of a snapshot in memory: unsaved edits laid over it, and the steps of an emulation.
//!
//! Each method gives a new snapshot; contents that did not change stay shared. A path that the target does not
//! look for changes nothing, as it would on disk.

use std::sync::Arc;

use crate::snapshot::{AppFiles, Content, Entry, Folder, SkillFolder, Snapshot};
use crate::source::SourceFile;

impl Snapshot {
    /// Puts `file` at its path (in every folder of the snapshot that holds this path).
    #[must_use]
    pub fn with_file(&self, file: &Arc<SourceFile>) -> Self {
        self.replaced(&file.path, &|entry| {
            *entry = Entry { link: entry.link.clone(), ..Entry::file(Arc::clone(file)) };
        })
    }

    /// Takes the file at `path` away.
    #[must_use]
    pub fn without_file(&self, path: &str) -> Self {
        self.replaced(path, &|entry| *entry = Entry::missing(Arc::clone(&entry.path)))
    }

    /// Sets the modification time of the file at `path`, in nanoseconds since 1970.
    #[must_use]
    pub fn with_mtime(&self, path: &str, mtime_ns: i64) -> Self {
        self.replaced(path, &|entry| {
            let Some(identity) = &mut entry.identity else { return };
            identity.mtime_ns = mtime_ns;
            if let Content::File(file) = &entry.content {
                let file =
                    SourceFile::new(Arc::clone(&file.path), *identity, file.origin, Arc::clone(&file.bytes), file.hash);
                entry.content = Content::File(Arc::new(file));
            }
        })
    }

    fn replaced(&self, path: &str, change: &dyn Fn(&mut Entry)) -> Self {
        let mut next = self.clone();
        change_folder(&mut next.workspace, path, change);
        if next.global.path == self.workspace.path {
            next.global = Arc::clone(&next.workspace);
        } else {
            change_folder(&mut next.global, path, change);
        }
        if let Some(app) = &self.places.app {
            change_app(&mut next.app, app, path, change);
        }
        next
    }
}

fn change_folder(folder: &mut Arc<Folder>, path: &str, change: &dyn Fn(&mut Entry)) {
    let Some(relative) = below(path, &folder.path) else { return };
    if folder.files.contains_key(relative) {
        if let Some(entry) = Arc::make_mut(folder).files.get_mut(relative) {
            change(entry);
        }
    } else if let Some(name) = skill_name(relative) {
        change_skill(&mut Arc::make_mut(folder).skills, name, path, change);
    }
}

fn change_app(app: &mut Arc<AppFiles>, root: &str, path: &str, change: &dyn Fn(&mut Entry)) {
    let Some(relative) = below(path, root) else { return };
    if let Some(template) = relative.strip_prefix("templates/") {
        let app = Arc::make_mut(app);
        change(app.templates.entry(template.to_owned()).or_insert_with(|| Entry::missing(path)));
        app.templates.retain(|_, entry| entry.content != Content::Missing);
    } else if let Some(name) = skill_name(relative) {
        change_skill(&mut Arc::make_mut(app).skills, name, path, change);
    }
}

fn change_skill(skills: &mut Vec<SkillFolder>, name: &str, path: &str, change: &dyn Fn(&mut Entry)) {
    let at = skills.iter().position(|skill| skill.name == name).unwrap_or_else(|| {
        let folder = SkillFolder { name: name.to_owned(), link: None, file: Entry::missing(path), problem: None };
        let at = skills.partition_point(|skill| skill.name.encode_utf16().lt(name.encode_utf16()));
        skills.insert(at, folder);
        at
    });
    change(&mut skills[at].file);
}

/// The part of `path` below `folder`, without a leading slash.
fn below<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    path.strip_prefix(folder.trim_end_matches('/'))?.strip_prefix('/')
}

/// `tide` for `skills/tide/SKILL.md`; `None` for every other path, also for files beside it.
fn skill_name(relative: &str) -> Option<&str> {
    let name = relative.strip_prefix("skills/")?.strip_suffix("/SKILL.md")?;
    (!name.is_empty() && !name.contains('/')).then_some(name)
}
