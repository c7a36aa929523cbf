//! What comes out of an assembly: sections with their sources, messages, what was left out and why.

use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer, ser::SerializeStruct};
use serde_json::Value;

use crate::context::FileAccess;
use crate::finding::Finding;
use crate::hash::ContentHash;
use crate::message::Message;
use crate::text::Text;

/// Where a span of the prompt comes from.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum Source {
    /// Bytes `start..end` of a user's file.
    File {
        /// Absolute path.
        path: Arc<str>,
        /// First byte in the file.
        start: u32,
        /// One past the last byte in the file.
        end: u32,
    },
    /// Bytes `start..end` of a template.
    Template {
        /// Absolute path of an installed app's template, or the path of a shipped one below `variants/`.
        path: Arc<str>,
        /// First byte in the template.
        start: u32,
        /// One past the last byte.
        end: u32,
    },
    /// A text fixed by the variant or the target: a heading, a separator.
    Literal {
        /// What it is, for example `heading` or `separator`.
        name: Arc<str>,
    },
    /// A computed value, by its name (`channel`, `runtime`, `skill name`).
    Value {
        /// Its name.
        name: Arc<str>,
    },
    /// The line a target prints when there is nothing at all.
    Fallback,
}

impl Serialize for Source {
    /// Always the five keys `kind`, `path`, `start`, `end`, `name`; null where they do not apply.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (kind, path, range, name) = match self {
            Self::File { path, start, end } => ("file", Some(path), Some((start, end)), None),
            Self::Template { path, start, end } => ("template", Some(path), Some((start, end)), None),
            Self::Literal { name } => ("literal", None, None, Some(name)),
            Self::Value { name } => ("value", None, None, Some(name)),
            Self::Fallback => ("fallback", None, None, None),
        };
        let mut fields = serializer.serialize_struct("Source", 5)?;
        fields.serialize_field("kind", kind)?;
        fields.serialize_field("path", &path)?;
        fields.serialize_field("start", &range.map(|(start, _)| start))?;
        fields.serialize_field("end", &range.map(|(_, end)| end))?;
        fields.serialize_field("name", &name)?;
        fields.end()
    }
}

/// A run of bytes of a text with one source. Spans of a text cover it exactly once, in order.
#[derive(Clone, PartialEq, Eq, Debug, Hash, Serialize)]
pub struct Span {
    /// First byte in the text.
    pub start: u32,
    /// One past the last byte; greater than `start`.
    pub end: u32,
    /// Where the bytes come from.
    pub source: Source,
}

/// How often a text changes, rarest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stability {
    /// Never.
    Frozen,
    /// With a release of the target or the variant.
    Release,
    /// When its owner edits a file.
    User,
    /// Once a session.
    Session,
    /// Once a turn.
    Turn,
    /// With each request.
    Request,
}

/// What one component, literal or separator contributed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// Id, unique within the assembly: the component's name, or `separator-1` and so on.
    pub id: Arc<str>,
    /// 1 identity, 2 bootstrap files, 3 memory, 4 skills, 5 runtime; `None` for literals and separators.
    pub layer: Option<u8>,
    /// Title for people: `Identity`, `USER.md`.
    pub title: Arc<str>,
    /// How often the text changes.
    pub stability: Stability,
    /// Offset of the section's first byte in the prompt.
    pub start: u32,
    /// The text. Shared with the assembly before when it did not change.
    pub text: Arc<str>,
    /// Hash of the text.
    pub hash: ContentHash,
    /// Sources; offsets are relative to the section.
    pub spans: Arc<[Span]>,
}

impl Section {
    /// Offset of one past the section's last byte in the prompt.
    pub fn end(&self) -> u32 {
        self.start + self.text.len() as u32
    }
}

/// Why something that could have been in the prompt is not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SkipReason {
    /// No such file.
    Missing,
    /// The file has no bytes.
    Empty,
    /// The text equals the template that it was made from.
    StillDefault,
    /// The file cannot be read; the target treats it as empty.
    Unreadable,
    /// The global profile's copy is read instead.
    GlobalReadInstead,
    /// The target never reads a file of this name.
    NotRead,
    /// Named in the list of disabled skills.
    Disabled,
    /// Another skill of the same name is listed.
    Shadowed,
    /// Given up to stay within the token budget.
    Budget,
    /// The template it needs is missing.
    TemplateMissing,
    /// The template it needs does not parse or does not render.
    TemplateBroken,
    /// There is nothing to show.
    NothingToShow,
}

/// Something left out, with its reason.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Skipped {
    /// Id of the component, or of the item within it (`skill:tide`).
    pub id: String,
    /// 1–5, where it would have stood.
    pub layer: Option<u8>,
    /// The file, absolute, when there is one.
    pub path: Option<String>,
    /// Why, as a word to branch on.
    pub reason: SkipReason,
    /// Why, as a sentence.
    pub detail: Text,
    /// The text that was left out, when it is known; its tokens are what leaving it out saves.
    #[serde(skip)]
    pub text: Option<Arc<str>>,
    /// Tokens that leaving it out saves. Filled in by whoever counts; `None` is unknown, never 0.
    pub tokens: Option<u32>,
}

/// Which root a skill comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkillOrigin {
    /// The opened workspace.
    Workspace,
    /// The host program.
    Builtin,
}

/// What becomes of a skill.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkillState {
    /// Its body is in the prompt.
    Always,
    /// One line in the list.
    OnDemand,
    /// Named in the list of disabled skills.
    Disabled,
    /// Another skill of the same name is listed.
    Shadowed,
    /// Cannot be read.
    Broken,
}

/// One skill as the target sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Skill {
    /// The folder's name.
    pub name: String,
    /// The description as the target reads it.
    pub description: String,
    /// False when disabled.
    pub enabled: bool,
    /// Which root it comes from.
    pub origin: SkillOrigin,
    /// What becomes of it.
    pub state: SkillState,
    /// Why it is not listed; `None` for always-on and on-demand skills.
    pub reason: Option<Text>,
    /// Absolute path of its file.
    pub path: String,
}

/// The message being sent.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct UserMessage {
    /// The text: what the person wrote, an MCP list when asked for, the runtime suffix.
    pub text: String,
    /// What follows the person's text; empty when the target adds nothing.
    pub suffix: String,
}

/// A tool as it is offered to the model.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ToolSchema {
    /// Name on the wire, `mcp__<server>__<tool>`.
    pub name: String,
    /// The server's name.
    pub server: String,
    /// What it does.
    pub description: String,
    /// JSON Schema of its input.
    pub input_schema: Value,
}

/// One part of a target's own fingerprint.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FingerprintPart {
    /// What the part stands for, for people (`SOUL.md`, `skills`).
    pub name: String,
    /// The part's text.
    pub text: String,
}

/// The value by which a target decides whether it may serve its cached prompt.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Fingerprint {
    /// The parts in order.
    pub parts: Vec<FingerprintPart>,
}

impl Fingerprint {
    /// The parts joined by NUL, as the target keeps it.
    pub fn text(&self) -> String {
        let parts: Vec<&str> = self.parts.iter().map(|part| part.text.as_str()).collect();
        parts.join("\0")
    }
}

/// Why the target itself could not start with these files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TargetErrorKind {
    /// Reading fails where the target does not catch it.
    Io,
    /// A template of the target does not parse or does not render.
    TemplateSyntax,
}

/// The error with which the target would stop.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TargetError {
    /// What kind of error.
    pub kind: TargetErrorKind,
    /// The file at fault.
    pub path: Option<String>,
    /// Line, from 1.
    pub line: Option<u32>,
    /// Column in characters, from 1.
    pub column: Option<u32>,
    /// What happened, and what to do.
    pub message: Text,
}

/// A whole assembly. A pure function of snapshot, variant, target and context.
#[derive(Clone, PartialEq, Debug)]
pub struct Assembly {
    /// Id of the variant.
    pub variant: String,
    /// Version of the variant.
    pub variant_version: u32,
    /// Id of the target.
    pub target: String,
    /// The channel of the context; `None`: none was passed.
    pub channel: Option<String>,
    /// Sections that cover the prompt exactly once, in order.
    pub sections: Vec<Section>,
    /// The message being sent.
    pub user_message: UserMessage,
    /// Summary, history, the message being sent.
    pub messages: Vec<Message>,
    /// Tools offered to the model.
    pub tool_schemas: Vec<ToolSchema>,
    /// What was left out.
    pub skipped: Vec<Skipped>,
    /// Every skill, listed ones in listed order, then the others.
    pub skills: Vec<Skill>,
    /// What the assembly noticed. Lints of files are found elsewhere, after the text is out.
    pub findings: Vec<Finding>,
    /// The target's own fingerprint.
    pub fingerprint: Fingerprint,
    /// Hash of everything that the prompt was made from, by content.
    pub content_hash: ContentHash,
    /// True when the workspace is not the global profile's.
    pub layered: bool,
    /// What the agent may open.
    pub file_access: FileAccess,
    /// The folder the agent works in.
    pub work_root: String,
    /// Why the target itself would stop; the rest of the assembly is then what can still be shown.
    pub target_error: Option<TargetError>,
}

impl Assembly {
    /// The system prompt: the sections' texts, one after the other.
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(self.sections.iter().map(|section| section.text.len()).sum());
        self.sections.iter().for_each(|section| text.push_str(&section.text));
        text
    }
}
