//! Targets: the host programs whose workspaces are opened, as data.

use serde::{Deserialize, Serialize};

use crate::Words;

/// One bootstrap file of a target.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BootstrapFile {
    /// File name, case-sensitive.
    pub name: String,
    /// In a layered workspace the global profile's copy is read instead of the workspace's own.
    #[serde(default)]
    pub global_when_layered: bool,
}

/// How a host program reads its workspace. Read from `targets/<id>.toml`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// Version of this schema; 1.
    pub schema_version: u32,
    /// Id, the file's stem.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Files injected in this order, each when it has text.
    pub bootstrap: Vec<BootstrapFile>,
    /// The memory file, relative to a workspace.
    pub memory: String,
    /// Folder of the skills, relative to a workspace.
    pub skills: String,
    /// Name of the file that makes a folder a skill, case-sensitive.
    pub skill_file: String,
    /// Skills whose bodies are always injected, in this order.
    pub always_on: Vec<String>,
    /// The host's own templates, relative to its `templates/`, in the order in which it loads them. The first one
    /// that is missing leaves every later one unloaded.
    pub templates: Vec<String>,
    /// Files that a first run copies from the templates when they are missing.
    pub first_run: Vec<String>,
    /// File names that other systems read and this one does not, each with the near name that it does read or "".
    #[serde(default)]
    pub not_read: Vec<NotRead>,
    /// Assemblies that the host keeps, least recently used first out.
    pub cache_entries: usize,
    /// The host itself can be told to read the workspace's own copy of what it reads from the global profile.
    #[serde(default)]
    pub profile_switch: bool,
    /// Read with the global profile switched off; never in the file.
    #[serde(skip)]
    pub own_profile: bool,
}

impl Target {
    /// This target with the global profile switched off: a layered workspace's own copies are read.
    #[must_use]
    pub fn with_own_profile(mut self) -> Self {
        for file in &mut self.bootstrap {
            file.global_when_layered = false;
        }
        self.own_profile = true;
        self
    }
}

/// A file name that people expect to be read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NotRead {
    /// File name relative to the workspace.
    pub name: String,
    /// Why it is not read, in a sentence.
    pub reason: Words,
    /// The name that is read instead, when one is near.
    #[serde(default)]
    pub near: Option<String>,
}
