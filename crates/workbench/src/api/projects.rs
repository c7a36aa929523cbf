//! The list of projects, what is remembered of each place, and what the settings screen says about this installation.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::document::FileRef;
use super::history::HistoryUsage;
use super::preview::FindingView;

/// What was chosen for one workspace, kept in `settings.toml`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PlaceChoices {
    /// The channel shown last.
    pub channel: Option<String>,
    /// The variant.
    pub variant: Option<String>,
    /// The global profile is switched off.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub own_profile: bool,
    /// Where the person was last.
    #[serde(flatten)]
    pub last_seen: LastSeen,
}

/// Where the person was in a workspace last.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct LastSeen {
    /// The file.
    pub file: Option<FileRef>,
    /// The page in the place of the editor.
    pub page: Option<String>,
    /// The view of the file.
    pub view: Option<String>,
}

/// The list of projects, each looked at.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ProjectList {
    /// The projects, in their order.
    pub projects: Vec<ProjectRow>,
    /// What is odd about the list's file.
    pub findings: Vec<FindingView>,
}

/// One of a project's two folders.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum LayoutChoice {
    /// `<project>/.catbuddy`.
    Outer,
    /// `<project>/.catbuddy/workspace`.
    Inner,
}

/// Why a project cannot be opened as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ProjectProblem {
    /// The folder is not there.
    Gone,
    /// The folder cannot be read.
    Unreadable,
    /// Neither folder holds a file that the target reads.
    NoWorkspace,
    /// Both hold files, and nobody has chosen.
    TwoLayouts,
}

/// A project with what stands in its folders.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ProjectRow {
    /// The project's folder.
    pub path: String,
    /// What is shown.
    pub name: String,
    /// The name that the person gave; without one, the folder's is shown.
    pub own_name: Option<String>,
    /// True for the one that is open.
    pub open: bool,
    /// Why it cannot be opened as it is.
    pub problem: Option<ProjectProblem>,
    /// The workspace that opening leads to.
    pub workspace: Option<String>,
    /// Which folder was chosen where both hold files.
    pub layout: Option<LayoutChoice>,
    /// The folders that hold files.
    pub folders: Vec<ProjectFolder>,
    /// True when the global profile is switched off for it.
    pub own_profile: bool,
    /// The channel shown last.
    pub channel: Option<String>,
    /// The variant.
    pub variant: Option<String>,
}

/// A folder of a project that holds files.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ProjectFolder {
    /// Which.
    pub layout: LayoutChoice,
    /// The folder.
    pub path: String,
    /// The files that the target looks for.
    pub files: Vec<String>,
    /// Number of skills.
    pub skills: u32,
    /// When one of the files was changed last, RFC 3339.
    pub changed: Option<String>,
}

/// A change of the list. Files of projects are never touched.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ProjectsChange {
    /// Adds a folder at the end; its workspace folder stands for it.
    Add {
        /// The folder.
        path: String,
    },
    /// Takes a project off the list.
    Remove {
        /// The folder.
        path: String,
    },
    /// Puts a project back that was taken off.
    Restore {
        /// The folder.
        path: String,
        /// The name that the person gave.
        name: Option<String>,
        /// The folder that was chosen.
        layout: Option<LayoutChoice>,
        /// Where it stood, counted from 0.
        position: u32,
    },
    /// Moves a project.
    Move {
        /// The folder.
        path: String,
        /// Where to, counted from 0.
        position: u32,
    },
    /// Gives a project a name; a blank one is its folder's.
    Rename {
        /// The folder.
        path: String,
        /// The name.
        name: String,
    },
    /// Chooses one of two folders that both hold files.
    Choose {
        /// The folder.
        path: String,
        /// Which.
        layout: LayoutChoice,
    },
}

/// Switches the global profile off or on for a workspace.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct ProfileChoice {
    /// The workspace's folder.
    pub workspace: String,
    /// True: the workspace's own copy is read.
    pub own: bool,
}

/// A workspace's folder.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct WorkspaceFolder {
    /// Its path.
    pub path: String,
}

/// What making the missing files did. Nothing was written over.
#[derive(Clone, Debug, Serialize, TS)]
pub struct FilesMade {
    /// Files that were made.
    pub created: Vec<String>,
    /// Files that were there.
    pub kept: Vec<String>,
    /// Files that are missing and that the app has no template for.
    pub without_template: Vec<String>,
}

/// What the settings screen says about this installation.
#[derive(Clone, Debug, Serialize, TS)]
pub struct AboutView {
    /// The folder of the workbench's own files.
    pub folder: String,
    /// The folder of its logs.
    pub log: String,
    /// Size of the history, in bytes.
    #[ts(type = "number")]
    pub history_bytes: u64,
    /// What of it takes how much room; `None` when there is no history or it cannot be read.
    pub history: Option<HistoryUsage>,
    /// Facts for a report, without names, paths or text of the person.
    pub diagnostics: String,
    /// What was found in the app's folder; `None` without one.
    pub app: Option<AppFound>,
}

/// What was found in an installed app's folder.
#[derive(Clone, Debug, Serialize, TS)]
pub struct AppFound {
    /// The folder.
    pub path: String,
    /// Templates that were found.
    pub templates: u32,
    /// Built-in skills that were found.
    pub skills: u32,
    /// Templates that are missing.
    pub missing: Vec<String>,
}
