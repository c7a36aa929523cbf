//! An immutable picture of everything that an assembly may read from disk.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::finding::Finding;
use crate::source::{FileIdentity, SourceFile};
use crate::text;
use crate::text::Text;

/// Where the parts of a snapshot were read. Texts, not resolved paths: the target compares and prints
/// paths as it was given them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Places {
    /// The user's home.
    pub home: String,
    /// The workspace as it was given, final slash and dots included.
    pub workspace: String,
    /// The global profile's workspace as it was given; by default `<home>/.catbuddy/workspace`.
    pub global: String,
    /// The project folder that the person opened, when the workspace was found below one.
    pub project: Option<String>,
    /// Resources of the person's own installed app; `None`: the texts that ship with the workbench.
    pub app: Option<String>,
    /// Working folder against which relative paths are resolved.
    pub process_cwd: String,
}

/// A symbolic link that was followed, or could not be.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Link {
    /// The link's own text.
    pub text: String,
    /// Where it ends, absolute; `None` when it is broken or a loop.
    pub resolved: Option<String>,
}

/// What stands at a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// Nothing.
    Missing,
    /// A file that was read.
    File(Arc<SourceFile>),
    /// A folder where a file is expected.
    Folder,
    /// A FIFO, socket or device. Never opened.
    Special(&'static str),
    /// Something that could not be read, with the system's reason.
    Unreadable(Text),
}

impl Content {
    /// The word for what [`Content::Special`] names, and for a folder.
    pub fn special(kind: &str) -> Text {
        match kind {
            "FIFO" => text!("kind-fifo"),
            "socket" => text!("kind-socket"),
            "device" => text!("kind-device"),
            "folder" => text!("kind-folder"),
            _ => text!("kind-special"),
        }
    }
}

/// A path of interest, whether or not a file stands there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Absolute path text.
    pub path: Arc<str>,
    /// What `stat` (which follows links) says; `None` when it fails.
    pub identity: Option<FileIdentity>,
    /// Set when the path itself is a symbolic link.
    pub link: Option<Link>,
    /// What was read.
    pub content: Content,
}

impl Entry {
    /// An entry for a path where nothing stands.
    pub fn missing(path: impl Into<Arc<str>>) -> Self {
        Self { path: path.into(), identity: None, link: None, content: Content::Missing }
    }

    /// An entry for a file that was read or made up.
    pub fn file(file: Arc<SourceFile>) -> Self {
        Self { path: file.path.clone(), identity: Some(file.identity), link: None, content: Content::File(file) }
    }

    /// The file, when one was read.
    pub fn source(&self) -> Option<&Arc<SourceFile>> {
        match &self.content {
            Content::File(file) => Some(file),
            _ => None,
        }
    }

    /// The text as the target reads it: empty unless a file was read.
    pub fn text(&self) -> &str {
        self.source().map_or("", |file| file.text())
    }
}

/// One folder below a skills root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SkillFolder {
    /// The folder's name, which is the skill's name for the target.
    pub name: String,
    /// Set when the folder is reached by a symbolic link.
    pub link: Option<Link>,
    /// Its `SKILL.md`, present or not.
    pub file: Entry,
    /// Why the folder itself cannot be entered; its skill is then unknown.
    pub problem: Option<Text>,
}

/// A file that is present in a workspace and never injected.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ignored {
    /// Absolute path.
    pub path: String,
    /// Path relative to its workspace.
    pub relative: String,
    /// Why it is not read.
    pub reason: Text,
    /// The name that is read instead, when this one is near to it.
    pub near: Option<String>,
    /// Size in bytes.
    pub size: u64,
}

/// One workspace folder.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Folder {
    /// Absolute path of the folder, normalised.
    pub path: String,
    /// Every file that the target looks for, by its path relative to the folder (`AGENTS.md`, `memory/MEMORY.md`).
    pub files: BTreeMap<String, Entry>,
    /// The folders below the skills root, in the order of their names' UTF-16 units.
    pub skills: Vec<SkillFolder>,
    /// What is present and not read.
    pub ignored: Vec<Ignored>,
}

impl Folder {
    /// The entry of a file the target looks for.
    pub fn entry(&self, relative: &str) -> Option<&Entry> {
        self.files.get(relative)
    }
}

/// Whose templates and built-in skills are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AppOrigin {
    /// Those that ship with the workbench, in our own wording.
    #[default]
    Shipped,
    /// Those of the app that the person runs.
    Installed,
}

/// Templates and built-in skills of the host program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AppFiles {
    /// Whose they are.
    pub origin: AppOrigin,
    /// Every file below `templates/`, by its path relative to that folder (`agent/identity.md`).
    pub templates: BTreeMap<String, Entry>,
    /// The folders below `skills/`, in the order of their names' UTF-16 units.
    pub skills: Vec<SkillFolder>,
}

/// An immutable picture of everything that an assembly may read. Cheap to clone: contents are shared.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Snapshot {
    /// Where the parts were read.
    pub places: Places,
    /// The opened workspace.
    pub workspace: Arc<Folder>,
    /// The global profile's workspace; the same content as `workspace` when that is the global one.
    pub global: Arc<Folder>,
    /// Templates and built-in skills.
    pub app: Arc<AppFiles>,
    /// What reading noticed (unreadable files, links, special files, limits).
    pub findings: Vec<Finding>,
}

impl Snapshot {
    /// Every entry of the snapshot, workspace first. In a workspace that is not layered the global folder is the
    /// same and its entries come twice.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        let folders = [&self.workspace, &self.global];
        folders
            .into_iter()
            .flat_map(|folder| folder.files.values().chain(folder.skills.iter().map(|skill| &skill.file)))
            .chain(self.app.templates.values())
            .chain(self.app.skills.iter().map(|skill| &skill.file))
    }
}
