//! The list of context keys, for messages, the window's panel and the documentation.

/// How a key's value is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyKind {
    /// One line of text.
    Text,
    /// Several lines of text.
    LongText,
    /// RFC 3339.
    Time,
    /// true or false.
    Flag,
    /// A whole number.
    Number,
    /// A list of texts.
    List,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A JSON value of its own.
    Json,
}

/// One key of the context.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ContextKey {
    /// The key.
    pub name: &'static str,
    /// The group it is shown in.
    pub group: &'static str,
    /// How its value is written.
    pub kind: KeyKind,
    /// What holds when the key is absent.
    pub default: &'static str,
    /// The environment variable that `cbw context from-env` takes it from.
    pub variable: Option<&'static str>,
    /// What it means, in a sentence.
    pub help: &'static str,
}

use crate::context::values::{CacheProfile, FileAccess, McpList, Mode, PriorityRule, SessionKind, SkillPrecedence};
use KeyKind::{Flag, Json, List, LongText, Number, Text, Time, Word};

const fn key(
    group: &'static str,
    name: &'static str,
    kind: KeyKind,
    default: &'static str,
    help: &'static str,
) -> ContextKey {
    ContextKey { name, group, kind, default, variable: None, help }
}

const fn env(variable: &'static str, key: ContextKey) -> ContextKey {
    ContextKey { variable: Some(variable), ..key }
}

/// Every key, in the order in which they are shown.
pub const KEYS: &[ContextKey] = &[
    key("machine", "platform", Text, "this machine's", "Platform as Node names it: linux, darwin, win32."),
    key("machine", "runtime", Text, "made from platform and node", "The whole runtime line of the identity."),
    key("machine", "node", Text, "v20.11.1", "Version of Node.js in the runtime line."),
    key("machine", "os", Text, "this machine's", "Name and version of the system."),
    env("SHELL", key("machine", "shell", Text, "this machine's", "The user's shell.")),
    env("HOME", key("machine", "home_dir", Text, "this machine's", "The user's home.")),
    key("machine", "ide", Text, "none", "The editor that hosts the agent."),
    key("machine", "locale", Text, "en-US", "Locale whose collation orders the skills."),
    key("machine", "cwd", Text, "the work root", "The agent's working folder."),
    env("PWD", key("machine", "process_cwd", Text, "this process's", "The host process's working folder.")),
    key(
        "workspace",
        "work_root",
        Text,
        "two folders above the workspace, or the project",
        "The folder the agent works in.",
    ),
    key(
        "workspace",
        "file_access",
        Word(FileAccess::WORDS),
        "internal when the work root is the workspace",
        "What the agent may open.",
    ),
    key("workspace", "global_workspace", Text, "~/.catbuddy/workspace", "The global profile's workspace."),
    key("workspace", "workspace_roots", List, "none", "Roots of the editor's workspace."),
    key(
        "workspace",
        "disabled_skills",
        List,
        "the configured list",
        "Skills that are off. Replaces the configured list.",
    ),
    key(
        "workspace",
        "skill_precedence",
        Word(SkillPrecedence::WORDS),
        "workspace_first",
        "Whose skill is listed when two have one name.",
    ),
    key("moment", "time", Time, "now", "The moment. It stands in the user message only."),
    key("moment", "time_zone", Text, "UTC", "The time zone's name, printed as given."),
    key("moment", "session_start", Time, "the moment", "When the session began."),
    key("conversation", "channel", Text, "none was passed", "Where the conversation takes place."),
    key("conversation", "chat_id", Text, "none", "Id of the chat."),
    key("conversation", "sender_id", Text, "none", "Id of the sender."),
    key("conversation", "message", LongText, "empty", "The message being sent."),
    key("conversation", "session_summary", LongText, "none", "Summary of the session so far."),
    key("conversation", "history", Json, "none", "Earlier messages: a list of {role, content}."),
    key("conversation", "media", List, "none", "Attachments: addresses, data URLs or files."),
    key("conversation", "session_kind", Word(SessionKind::WORDS), "private", "What kind of session it is."),
    key("conversation", "mode", Word(Mode::WORDS), "act", "Acting or planning."),
    key("model", "provider", Text, "none", "Provider id."),
    key("model", "model", Text, "none", "Model id."),
    key("model", "custom_prompt", Text, "none", "Name of a custom prompt."),
    key("model", "native_tool_calls", Flag, "false", "Tools are called natively."),
    key("model", "model_override", Text, "none", "Model that overrides the configured one."),
    key("abilities", "tools", Json, "none", "Tools of the host."),
    key(
        "abilities",
        "mcp_servers",
        Json,
        "none",
        "MCP servers: a list of {name, tools: [{name, description, input_schema}]}.",
    ),
    key("abilities", "mcp_list", Word(McpList::WORDS), "schemas", "Where the list of MCP tools goes."),
    key("abilities", "mcp_delta", Flag, "false", "The delta mechanism announces MCP servers."),
    key("abilities", "supports_browser", Flag, "false", "A browser can be driven."),
    key("abilities", "viewport", Json, "none", "Size of that browser's window: {width, height}."),
    key("abilities", "web_tools", Flag, "false", "Web tools are on."),
    key("abilities", "focus_chain", Flag, "false", "The focus chain is on."),
    key("abilities", "yolo", Flag, "false", "Nothing is asked before acting."),
    key("abilities", "cli", Flag, "false", "The command line is available."),
    key("abilities", "subagents", Flag, "false", "Sub-agents are on."),
    key("abilities", "skills", Json, "none", "Skills that the host passes."),
    key("abilities", "flags", Json, "none", "Named booleans of a variant's requirements."),
    key(
        "instructions",
        "rules",
        Json,
        "none",
        "Rule texts: {global, local, cursor_file, cursor_dir, windsurf, agents, ignore}.",
    ),
    key("instructions", "preferred_language", Text, "none", "Language to answer in."),
    key("instructions", "language", Text, "none", "Language setting."),
    key("instructions", "output_style", LongText, "none", "Name or text of the output style."),
    key("instructions", "scratchpad", Text, "none", "Folder for scratch files."),
    key("instructions", "token_budget", Number, "none", "Token budget announced to the model."),
    key("instructions", "brief", Flag, "false", "Brief answers are asked for."),
    key("effective prompt", "override", LongText, "none", "Replaces everything."),
    key("effective prompt", "coordinator", LongText, "none", "The coordinator's prompt."),
    key("effective prompt", "agent", LongText, "none", "The agent's prompt."),
    key("effective prompt", "proactive", Flag, "false", "The agent's prompt is appended to the default."),
    key("effective prompt", "custom", LongText, "none", "A custom prompt."),
    key("effective prompt", "append", LongText, "none", "Appended at the end."),
    env("CLAUDE_CODE_SIMPLE", key("effective prompt", "simple", Flag, "false", "The simple path.")),
    key("effective prompt", "priority_rule", Word(PriorityRule::WORDS), "published", "Which order of priority holds."),
    key("cache", "attribution", Text, "none", "The opaque attribution header."),
    key("cache", "cli_prefix", Text, "none", "The command-line prefix."),
    key("cache", "experimental_betas", Flag, "true", "Experimental betas are on."),
    key("cache", "query_source", Text, "none", "What asked."),
    key("cache", "ttl_eligible", Flag, "false", "The long cache lifetime may be used."),
    key("cache", "ttl_allowlist", List, "none", "Sources that may use the long lifetime."),
    key("cache", "cache_profile", Word(CacheProfile::WORDS), "published", "Which dated profile of cache rules holds."),
    key("cache", "cache_breaker", Text, "none", "Text that breaks the cache on purpose."),
    key(
        "discovery",
        "git",
        Json,
        "read",
        "\"read\", \"off\", or a snapshot {branch, main_branch, user, status, commits}.",
    ),
    key("discovery", "disable_claude_md", Flag, "false", "CLAUDE.md files are not read."),
    key("discovery", "bare", Flag, "false", "Bare mode."),
    key("discovery", "add_dirs", List, "none", "Folders added to the session."),
    key("discovery", "setting_sources", List, "all", "Sources of settings that are read."),
    key("discovery", "claude_md_excludes", List, "none", "CLAUDE.md files that are left out."),
    key("discovery", "approved_imports", List, "none", "Imports from outside that were approved."),
    key("placeholders", "placeholders", Json, "none", "The runtime layer of placeholders, above all others."),
    key("limits", "max_tokens", Number, "no limit", "Degrade to this many tokens."),
    key("free", "x", Json, "none", "Free keys for a variant's own components."),
];

/// The entry of a key.
pub(super) fn key_named(name: &str) -> Option<&'static ContextKey> {
    KEYS.iter().find(|key| key.name == name)
}
