//! Types of the context's values.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Declares an enumeration of words that stand in a context file.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
        pub enum $name { $($(#[$variant_meta])* #[serde(rename = $word)] $variant,)+ }
        impl $name {
            /// Every word, in the order of the documentation.
            pub const WORDS: &'static [&'static str] = &[$($word,)+];
            /// The word.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }
    };
}

words! {
    /// What the agent may open.
    FileAccess {
        /// Everything below the work root.
        Project = "project",
        /// The workspace only.
        Internal = "internal",
    }
}
words! {
    /// Whose skill is listed when two have one name. The host's releases differ.
    SkillPrecedence {
        /// The workspace's; the newer order.
        WorkspaceFirst = "workspace_first",
        /// The built-in one; the older order.
        BuiltinFirst = "builtin_first",
    }
}
words! {
    /// What kind of session it is.
    SessionKind {
        /// One person.
        Private = "private",
        /// A group.
        Group = "group",
        /// A scheduled run.
        Cron = "cron",
        /// Started by another agent.
        Subagent = "subagent",
    }
}
words! {
    /// Acting or planning.
    Mode {
        /// Acting.
        Act = "act",
        /// Planning.
        Plan = "plan",
    }
}
words! {
    /// Where the list of MCP tools goes.
    McpList {
        /// Native tool schemas.
        Schemas = "schemas",
        /// As text in the user message.
        UserMessage = "user_message",
        /// As text in the system prompt.
        System = "system",
    }
}
words! {
    /// Which order of priority the effective prompt follows.
    PriorityRule {
        /// As published.
        Published = "published",
        /// As observers report.
        Observed = "observed",
    }
}
words! {
    /// Which dated profile of cache rules holds.
    CacheProfile {
        /// As published.
        Published = "published",
        /// As newer releases do.
        Newer = "newer",
    }
}
words! {
    /// How the state of the repository is come by.
    GitMode {
        /// Read the repository.
        Read = "read",
        /// Leave it out.
        Off = "off",
    }
}

/// An MCP server as configured.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct McpServer {
    /// Its name.
    pub name: String,
    /// `connected`, `connecting`, `disconnected`; absent counts as connected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Switched off.
    pub disabled: bool,
    /// Its configuration, as its host keeps it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config: Option<Value>,
    /// Its tools.
    pub tools: Vec<McpTool>,
    /// Its resources.
    pub resources: Vec<McpResource>,
    /// Its prompts.
    pub prompts: Vec<McpPrompt>,
    /// Loaded only when asked for.
    pub deferred: bool,
}

/// A tool of an MCP server.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct McpTool {
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// JSON Schema of its input.
    pub input_schema: Value,
}

/// A resource of an MCP server.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct McpResource {
    /// Its address.
    pub uri: String,
    /// Its name.
    pub name: String,
    /// What it holds.
    pub description: String,
}

/// A prompt of an MCP server.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct McpPrompt {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: String,
}

/// Size of a browser window in CSS pixels.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Viewport {
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
}

/// Rule texts that a host passes.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// Global rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub global: Option<String>,
    /// Local rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub local: Option<String>,
    /// Rules of a `.cursorrules` file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor_file: Option<String>,
    /// Rules of a `.cursor/rules` folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor_dir: Option<String>,
    /// Rules of a `.windsurfrules` file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub windsurf: Option<String>,
    /// Rules of AGENTS.md files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agents: Option<String>,
    /// The ignore file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ignore: Option<String>,
}

/// The state of the repository: how to come by it, or a snapshot of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum GitContext {
    /// `"read"` or `"off"`.
    Mode(GitMode),
    /// What the five git calls would print.
    Snapshot(GitSnapshot),
}

/// The state of a repository.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GitSnapshot {
    /// The branch.
    pub branch: String,
    /// The main branch.
    pub main_branch: String,
    /// `user.name`.
    pub user: String,
    /// `git status --short`.
    pub status: String,
    /// The last commits, newest first.
    pub commits: Vec<String>,
}
