//! What is open, what could be opened, and the settings.

use model::Text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::document::FileState;
use super::preview::{CountView, FindingView};

/// What the window needs at its start.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Boot {
    /// The product's version.
    pub version: String,
    /// Workspaces found in the usual places. Looking changed nothing.
    pub found: Vec<FoundWorkspace>,
    /// How many places were looked at.
    pub places_looked_at: u32,
    /// Sets of files to start from.
    pub starters: Vec<StarterView>,
    /// The settings.
    pub settings: Settings,
    /// The workspace that was open last and still is there, opened again.
    pub opened: Option<WorkspaceView>,
    /// Problems that do not stop the start (history unavailable, broken settings).
    pub findings: Vec<FindingView>,
}

/// What kind of place a workspace was found at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FoundKind {
    /// `~/.catbuddy/workspace`.
    Global,
    /// `~/.catbuddy-desktop/workspace`.
    Legacy,
    /// A project of the host's registry or of our own list.
    Project,
}

/// A workspace on disk.
#[derive(Clone, Debug, Serialize, TS)]
pub struct FoundWorkspace {
    /// What kind of place it is.
    pub kind: FoundKind,
    /// Name for people.
    pub label: String,
    /// The workspace's folder, absolute.
    pub path: String,
    /// Files the target would read there.
    pub files: u32,
    /// Bootstrap files that are absent.
    pub missing: Vec<String>,
    /// Projects in the registry (global profile only).
    pub projects: u32,
    /// Why it cannot be opened.
    pub problem: Option<String>,
}

/// A set of files to start from.
#[derive(Clone, Debug, Serialize, TS)]
pub struct StarterView {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// One line.
    pub description: String,
    /// How many files it makes.
    pub files: u32,
    /// Tokens of its files.
    pub tokens: CountView,
}

/// What to open.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum OpenRequest {
    /// A workspace folder, taken as given.
    Workspace {
        /// Its path.
        path: String,
    },
    /// A project: the workspace is looked for below it.
    Project {
        /// Its path.
        path: String,
    },
    /// The sample. Lives in memory.
    Sample,
    /// Make the files of a starter in the global profile's workspace, then open that. Nothing is overwritten.
    Starter {
        /// The starter's id.
        id: String,
    },
}

/// The two roots of a workspace, and the app's resources.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum RootId {
    /// The global profile's workspace.
    Global,
    /// The opened workspace, when it is not the global one.
    Workspace,
    /// Templates and built-in skills; read only.
    App,
}

/// Everything the left side shows.
#[derive(Clone, Debug, Serialize, TS)]
pub struct WorkspaceView {
    /// Name for people: the project's or the profile's.
    pub name: String,
    /// The opened workspace's folder.
    pub path: String,
    /// True for the sample: edits live in memory, saving is off.
    pub sample: bool,
    /// True when the workspace is not the global profile's.
    pub layered: bool,
    /// Rises with each change on disk or of a draft.
    pub revision: u32,
    /// The folders with their files.
    pub roots: Vec<RootView>,
    /// Whose templates are used.
    pub app: AppView,
    /// Present and never injected.
    pub ignored: Vec<IgnoredView>,
    /// The person's projects, in their order.
    pub projects: Vec<ProjectView>,
    /// True when the global profile is switched off here: the project's own copy is read.
    pub own_profile: bool,
    /// Where the person was in it last.
    pub last_seen: super::projects::LastSeen,
    /// Channels to preview.
    pub channels: Vec<ChannelView>,
    /// Variants that can be chosen.
    pub variants: Vec<VariantView>,
    /// Models that tokens can be counted for, most asked-for first.
    pub models: Vec<ModelView>,
    /// Findings about files.
    pub findings: Vec<FindingView>,
    /// False when changes are found by polling, or not at all.
    pub watching: bool,
    /// Files whose unsaved edits are from an earlier window.
    pub restored: Vec<super::document::FileRef>,
}

/// One folder with its files.
#[derive(Clone, Debug, Serialize, TS)]
pub struct RootView {
    /// Which.
    pub id: RootId,
    /// Name for people.
    pub label: String,
    /// Its path.
    pub path: String,
    /// Files: bootstrap files, memory, then skills.
    pub files: Vec<FileItem>,
}

/// One file in the list.
#[derive(Clone, Debug, Serialize, TS)]
pub struct FileItem {
    /// Path relative to the root.
    pub path: String,
    /// What the list shows (`SOUL.md`, or a skill's name).
    pub label: String,
    /// `bootstrap`, `memory`, `skill`.
    pub group: String,
    /// Its state.
    pub state: FileState,
    /// Tokens of its text; `None` until counted or when it is missing.
    pub tokens: Option<CountView>,
    /// True when its text is in the prompt.
    pub injected: bool,
    /// Why it is not in the prompt, or what is special about it (a link, always on).
    #[ts(type = "string | null")]
    pub note: Option<Text>,
}

/// Whose templates and built-in skills are used.
#[derive(Clone, Debug, Serialize, TS)]
pub struct AppView {
    /// True: those of the person's own installed app. False: our own wording.
    pub installed: bool,
    /// The folder.
    pub path: Option<String>,
}

/// A file that is present and never injected.
#[derive(Clone, Debug, Serialize, TS)]
pub struct IgnoredView {
    /// Its root.
    pub root: RootId,
    /// Relative path.
    pub path: String,
    /// Why.
    #[ts(type = "string")]
    pub reason: Text,
    /// The name that is read instead.
    pub near: Option<String>,
}

/// A project in the person's list.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ProjectView {
    /// Name for people.
    pub name: String,
    /// The project's folder.
    pub path: String,
    /// Why it cannot be opened.
    pub problem: Option<String>,
    /// True for the one that is open.
    pub open: bool,
}

/// A channel that can be previewed.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ChannelView {
    /// The value that reaches the template.
    pub id: String,
    /// Name for people.
    pub label: String,
}

/// A variant that can be chosen.
#[derive(Clone, Debug, Serialize, TS)]
pub struct VariantView {
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: u32,
    /// One sentence.
    pub description: String,
}

/// A model that tokens can be counted for.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ModelView {
    /// Its id.
    pub id: String,
    /// Its provider.
    pub provider: String,
    /// Input window in tokens; `None` is unknown.
    pub window: Option<u32>,
}

/// Light, dark, or as the desktop says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ThemeChoice {
    /// As the desktop says.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// The settings, kept in `settings.toml`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct Settings {
    /// Version of this schema; 1.
    pub schema_version: u32,
    /// Light, dark, or as the desktop says.
    pub theme: ThemeChoice,
    /// Language of the window (`en`, `zh`, `fr`); without one, the desktop's.
    pub language: Option<String>,
    /// Resources of the installed app.
    pub app: Option<String>,
    /// Locale whose collation orders skills.
    pub locale: Option<String>,
    /// Which skill wins where a workspace's and a built-in one have the same name; without one, the workspace's.
    pub skill_order: Option<SkillOrder>,
    /// The model tokens are counted for.
    pub model: Option<String>,
    /// The variant.
    pub variant: Option<String>,
    /// The channel shown last.
    pub channel: Option<String>,
    /// The named context in use.
    pub context: Option<String>,
    /// The workspace that was open last.
    pub last_workspace: Option<String>,
    /// Days that versions and assemblies are kept; without one, for good.
    pub history_days: Option<u32>,
    /// MiB that the history may take; without one, as much as it needs.
    pub history_mib: Option<u32>,
}

/// Which of two skills of one name is listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SkillOrder {
    /// The workspace's.
    WorkspaceFirst,
    /// The built-in one, as older versions of the host do it.
    BuiltinFirst,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            schema_version: 1,
            theme: ThemeChoice::System,
            language: None,
            app: None,
            locale: None,
            skill_order: None,
            model: None,
            variant: None,
            channel: None,
            context: None,
            last_workspace: None,
            history_days: None,
            history_mib: None,
        }
    }
}

/// Sent to the window when files changed on disk.
#[derive(Clone, Debug, Serialize, TS)]
pub struct WorkspaceChanged {
    /// The new revision.
    pub revision: u32,
    /// Files that changed, by root and relative path.
    pub files: Vec<super::document::FileRef>,
}
