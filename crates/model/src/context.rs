//! The runtime context: everything an assembly may depend on besides files, variant and target.
//!
//! One JSON object of flat keys ([`KEYS`] lists them with their groups). Absent keys are `None` here; the
//! defaults that apply to them are the accessors of [`Context`], so that one place decides.

mod error;
mod keys;
mod values;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use error::ContextError;
pub use keys::{ContextKey, KEYS, KeyKind};
pub use values::{
    CacheProfile, FileAccess, GitContext, GitMode, McpList, McpPrompt, McpResource, McpServer, McpTool, Mode,
    PriorityRule, Rules, SessionKind, SkillPrecedence, Viewport,
};

use crate::message::Message;
use crate::spelling::nearest;

/// The runtime context. Every key may be absent.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Context {
    // machine
    /// `linux`, `darwin`, `win32`: Node's name of the platform.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub platform: Option<String>,
    /// The runtime line as a whole; made from platform and `node` when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtime: Option<String>,
    /// Version of Node.js, with its `v`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// Name and version of the system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub os: Option<String>,
    /// The user's shell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shell: Option<String>,
    /// The user's home.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub home_dir: Option<String>,
    /// The editor that hosts the agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ide: Option<String>,
    /// Locale whose collation orders the skills.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locale: Option<String>,
    /// The agent's working folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The host process's working folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub process_cwd: Option<String>,

    // workspace
    /// The folder the agent works in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub work_root: Option<String>,
    /// What the agent may open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_access: Option<FileAccess>,
    /// The global profile's workspace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub global_workspace: Option<String>,
    /// Roots of the editor's workspace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workspace_roots: Option<Vec<String>>,
    /// Skills that are off. Replaces the configured list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disabled_skills: Option<Vec<String>>,
    /// Whose skill is listed when two have one name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skill_precedence: Option<SkillPrecedence>,

    // moment
    /// The moment, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// The time zone's name as the target prints it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
    /// When the session began, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_start: Option<String>,

    // conversation
    /// Where the conversation takes place; absent: none was passed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// Id of the chat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chat_id: Option<String>,
    /// Id of the sender.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sender_id: Option<String>,
    /// The message being sent, without anything added.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Summary of the session so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_summary: Option<String>,
    /// Earlier messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<Vec<Message>>,
    /// Attachments: addresses, data URLs or files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub media: Option<Vec<String>>,
    /// What kind of session it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_kind: Option<SessionKind>,
    /// Acting or planning; changes bytes only through a component that reads it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,

    // model
    /// Provider id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// Model id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Name of a custom prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_prompt: Option<String>,
    /// Tools are called natively.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub native_tool_calls: Option<bool>,
    /// Model that overrides the configured one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_override: Option<String>,

    // abilities
    /// Tools of the host.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<Value>>,
    /// MCP servers with their tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcp_servers: Option<Vec<McpServer>>,
    /// Where the list of MCP tools goes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcp_list: Option<McpList>,
    /// The delta mechanism announces MCP servers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcp_delta: Option<bool>,
    /// A browser can be driven.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supports_browser: Option<bool>,
    /// Size of that browser's window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub viewport: Option<Viewport>,
    /// Web tools are on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub web_tools: Option<bool>,
    /// The focus chain is on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub focus_chain: Option<bool>,
    /// Nothing is asked before acting.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yolo: Option<bool>,
    /// The command line is available.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cli: Option<bool>,
    /// Sub-agents are on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subagents: Option<bool>,
    /// Skills that the host passes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skills: Option<Vec<Value>>,
    /// Named booleans of a variant's requirements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flags: Option<BTreeMap<String, bool>>,

    // instructions
    /// Rule texts of the host.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<Rules>,
    /// Language to answer in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preferred_language: Option<String>,
    /// Language setting.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Name or text of the output style.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_style: Option<String>,
    /// Folder for scratch files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scratchpad: Option<String>,
    /// Token budget announced to the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_budget: Option<u32>,
    /// Brief answers are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brief: Option<bool>,

    // effective prompt
    /// Replaces everything.
    #[serde(rename = "override", skip_serializing_if = "Option::is_none")]
    pub override_prompt: Option<String>,
    /// The coordinator's prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coordinator: Option<String>,
    /// The agent's prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The agent's prompt is appended, not put in place of the default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proactive: Option<bool>,
    /// A custom prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom: Option<String>,
    /// Appended at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub append: Option<String>,
    /// The simple path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simple: Option<bool>,
    /// Which order of priority holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority_rule: Option<PriorityRule>,

    // cache
    /// The opaque attribution header.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribution: Option<String>,
    /// The command-line prefix.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cli_prefix: Option<String>,
    /// Experimental betas are on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub experimental_betas: Option<bool>,
    /// What asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query_source: Option<String>,
    /// The long cache lifetime may be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ttl_eligible: Option<bool>,
    /// Sources that may use the long lifetime.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ttl_allowlist: Option<Vec<String>>,
    /// Which dated profile of cache rules holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_profile: Option<CacheProfile>,
    /// Text that breaks the cache on purpose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_breaker: Option<String>,

    // discovery
    /// The state of the repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub git: Option<GitContext>,
    /// CLAUDE.md files are not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disable_claude_md: Option<bool>,
    /// Bare mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bare: Option<bool>,
    /// Folders added to the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub add_dirs: Option<Vec<String>>,
    /// Sources of settings that are read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setting_sources: Option<Vec<String>>,
    /// CLAUDE.md files that are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claude_md_excludes: Option<Vec<String>>,
    /// Imports from outside that were approved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approved_imports: Option<Vec<String>>,

    // placeholders, limits, extension
    /// The runtime layer of placeholders, above all others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placeholders: Option<BTreeMap<String, Value>>,
    /// Degrade to this many tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
    /// Free keys for a variant's own components.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x: Option<Map<String, Value>>,
}

/// The version of Node.js that is printed when none is given.
pub const DEFAULT_NODE: &str = "v20.11.1";
/// The channel that templates see when none was passed.
pub const DEFAULT_CHANNEL: &str = "desktop";

impl Context {
    /// Reads a context file.
    ///
    /// # Errors
    /// [`ContextError`] names the key, where it stands, and the nearest known key.
    pub fn from_json(text: &str) -> Result<Self, ContextError> {
        let value: Value = serde_json::from_str(text.trim_start_matches('\u{FEFF}')).map_err(|error| {
            ContextError::Syntax { line: error.line(), column: error.column(), message: error.to_string() }
        })?;
        Self::from_value(value)
    }

    /// Reads a context from a JSON value.
    ///
    /// # Errors
    /// As [`Context::from_json`].
    pub fn from_value(value: Value) -> Result<Self, ContextError> {
        let Value::Object(object) = &value else { return Err(ContextError::NotAnObject) };
        if let Some(unknown) = object.keys().find(|key| keys::key_named(key).is_none()) {
            return Err(ContextError::UnknownKey {
                key: unknown.clone(),
                nearest: nearest(unknown, KEYS.iter().map(|key| key.name)),
            });
        }
        // Key by key, so that an error names its key.
        for (key, value) in object {
            let single = Map::from_iter([(key.clone(), value.clone())]);
            if let Err(error) = serde_json::from_value::<Self>(Value::Object(single)) {
                return Err(ContextError::Value { key: key.clone(), message: error.to_string() });
            }
        }
        serde_json::from_value(value)
            .map_err(|error| ContextError::Value { key: String::new(), message: error.to_string() })
    }

    /// Lays `over` over this context: every key that `over` has wins.
    #[must_use]
    pub fn overlaid(&self, over: &Self) -> Self {
        let (Ok(Value::Object(mut base)), Ok(Value::Object(top))) =
            (serde_json::to_value(self), serde_json::to_value(over))
        else {
            return self.clone();
        };
        base.extend(top);
        serde_json::from_value(Value::Object(base)).unwrap_or_else(|_| self.clone())
    }

    /// The platform's name; `linux` when absent.
    pub fn platform(&self) -> &str {
        self.platform.as_deref().unwrap_or("linux")
    }

    /// The runtime line of the identity.
    pub fn runtime(&self) -> String {
        self.runtime.clone().unwrap_or_else(|| {
            format!("OS: {} / Node.js {}", self.platform(), self.node.as_deref().unwrap_or(DEFAULT_NODE))
        })
    }

    /// The channel as templates see it: `desktop` when none was passed; an empty one stays empty.
    pub fn template_channel(&self) -> &str {
        self.channel.as_deref().unwrap_or(DEFAULT_CHANNEL)
    }

    /// The locale whose collation orders skills; `en-US` when absent.
    pub fn locale(&self) -> &str {
        self.locale.as_deref().unwrap_or("en-US")
    }

    /// The names of the skills that are off.
    pub fn disabled_skills(&self) -> &[String] {
        self.disabled_skills.as_deref().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

    use super::*;

    #[test]
    fn an_unknown_key_is_named_with_the_nearest_one() {
        let error = Context::from_json(r#"{"chanel": "telegram"}"#).unwrap_err();
        assert_eq!(error, ContextError::UnknownKey { key: "chanel".into(), nearest: Some("channel") });
        let error = Context::from_json(r#"{"chatId": "9"}"#).unwrap_err();
        assert_eq!(error, ContextError::UnknownKey { key: "chatId".into(), nearest: Some("chat_id") });
        let error = Context::from_json(r#"{"zzzzzzzz": 1}"#).unwrap_err();
        assert_eq!(error, ContextError::UnknownKey { key: "zzzzzzzz".into(), nearest: None });
        assert!(Context::from_json(r#"{"x": {"anything": [1]}}"#).is_ok());
    }

    #[test]
    fn a_wrong_value_names_its_key() {
        let error = Context::from_json(r#"{"channel": "cli", "brief": "yes"}"#).unwrap_err();
        assert!(matches!(error, ContextError::Value { ref key, .. } if key == "brief"), "{error}");
    }

    #[test]
    fn the_list_of_keys_is_the_list_of_fields() {
        // serde names every field in this message, so a key that is missing from either side shows up.
        let message = serde_json::from_str::<Context>(r#"{"~": 1}"#).unwrap_err().to_string();
        let fields: Vec<&str> = message.split('`').skip(3).step_by(2).collect();
        let keys: Vec<&str> = KEYS.iter().map(|key| key.name).collect();
        assert_eq!(keys, fields);
    }

    #[test]
    fn defaults_are_for_absent_keys_only() {
        assert_eq!(Context::default().template_channel(), "desktop");
        let empty = Context { channel: Some(String::new()), ..Context::default() };
        assert_eq!(empty.template_channel(), "");
        let windows = Context { platform: Some("win32".into()), node: Some("v22.3.0".into()), ..Context::default() };
        assert_eq!(windows.runtime(), "OS: win32 / Node.js v22.3.0");
    }
}
