//! The preview: an assembly as the window shows it.

use model::Text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What to assemble.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
pub struct PreviewRequest {
    /// The channel; `None`: none is passed.
    pub channel: Option<String>,
    /// The runtime context as JSON text; `None`: the named context of the settings.
    pub context: Option<String>,
    /// The variant; `None`: the settings'.
    pub variant: Option<String>,
    /// The model tokens are counted for; `None`: the target's own counter.
    pub model: Option<String>,
    /// Degrade to this many tokens.
    pub max_tokens: Option<u32>,
    /// `serial` of the preview the window holds; sections it already has are then sent without their text.
    pub held: Option<u32>,
}

/// Tokens, exact or as an interval.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, TS)]
pub struct CountView {
    /// The count, or the middle of an estimate; `None` is unknown, never 0.
    pub total: Option<u32>,
    /// Lower bound.
    pub low: Option<u32>,
    /// Upper bound.
    pub high: Option<u32>,
    /// True when the count is exact.
    pub exact: bool,
    /// How it was obtained.
    pub method: String,
}

/// An assembly without the texts of its sections. These follow as the body of the frame: the texts of the
/// sections with `fresh`, in order, `bytes` long each.
#[derive(Clone, Debug, Serialize, TS)]
pub struct PreviewHead {
    /// Rises with each preview.
    pub serial: u32,
    /// Revision of the workspace it was made from.
    pub revision: u32,
    /// Id of the variant.
    pub variant: String,
    /// Version of the variant.
    pub variant_version: u32,
    /// Id of the target.
    pub target: String,
    /// The channel.
    pub channel: Option<String>,
    /// True when an installed app's templates are used.
    pub installed_app: bool,
    /// True when the workspace is not the global profile's.
    pub layered: bool,
    /// `project` or `internal`.
    pub file_access: String,
    /// The folder the agent works in.
    pub work_root: String,
    /// Length of the prompt in bytes.
    pub bytes: u32,
    /// Sections that cover the prompt exactly once.
    pub sections: Vec<SectionView>,
    /// What was left out.
    pub skipped: Vec<SkippedView>,
    /// What the assembly noticed.
    pub findings: Vec<FindingView>,
    /// Tokens of the whole prompt.
    pub tokens: CountView,
    /// What the parts do not account for: the sum of the parts and this is the total.
    pub joins: i32,
    /// Window of the model in tokens; `None` is unknown.
    pub window: Option<u32>,
    /// The message being sent, with its suffix.
    pub user_message: String,
    /// What the target adds to it.
    pub runtime_suffix: String,
    /// Summary, history, the message being sent.
    pub messages: Vec<MessageView>,
    /// Tools offered to the model.
    pub tool_schemas: Vec<ToolSchemaView>,
    /// The target's own fingerprint and its cache.
    pub fingerprint: FingerprintView,
    /// How much is unchanged since the last recorded assembly.
    pub cache: CacheView,
    /// Why the target itself would stop.
    pub target_error: Option<TargetErrorView>,
    /// How long each stage took.
    pub stages: Vec<StageView>,
}

/// How often a text changes, rarest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum StabilityView {
    /// Never.
    Frozen,
    /// With a release.
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

/// One section.
#[derive(Clone, Debug, Serialize, TS)]
pub struct SectionView {
    /// Its id.
    pub id: String,
    /// 1–5; `None` for literals and separators.
    pub layer: Option<u8>,
    /// Title for people.
    pub title: String,
    /// How often it changes.
    pub stability: StabilityView,
    /// First byte in the prompt.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Hash of the text: equal hash, equal text.
    pub hash: String,
    /// True when the text stands in the body of the frame, and `spans` is set.
    pub fresh: bool,
    /// Length of the text in bytes.
    pub bytes: u32,
    /// Its tokens, counted alone.
    pub tokens: CountView,
    /// True when it holds unsaved text.
    pub draft: bool,
    /// Sources; offsets relative to the section, in bytes. `None` unless `fresh`.
    pub spans: Option<Vec<SpanView>>,
}

/// A run of bytes with one source.
#[derive(Clone, Debug, Serialize, TS)]
pub struct SpanView {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Where it comes from.
    pub source: SourceView,
}

/// Kinds of sources.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    /// A user's file.
    File,
    /// A template.
    Template,
    /// A text fixed by the variant or the target.
    Literal,
    /// A computed value.
    Value,
    /// The line printed when there is nothing at all.
    Fallback,
}

/// Where a span comes from.
#[derive(Clone, Debug, Serialize, TS)]
pub struct SourceView {
    /// The kind.
    pub kind: SourceKind,
    /// Absolute path of the file or template.
    pub path: Option<String>,
    /// The file as the window names it, when it can be opened.
    pub file: Option<super::document::FileRef>,
    /// First byte in it.
    pub start: Option<u32>,
    /// One past the last byte in it.
    pub end: Option<u32>,
    /// Name of the literal or value.
    pub name: Option<String>,
}

/// Something left out.
#[derive(Clone, Debug, Serialize, TS)]
pub struct SkippedView {
    /// Id of the component or item.
    pub id: String,
    /// 1–5.
    pub layer: Option<u8>,
    /// The file.
    pub path: Option<String>,
    /// Why, as a word.
    pub reason: String,
    /// Why, as a sentence.
    #[ts(type = "string")]
    pub detail: Text,
    /// Tokens saved; `None` is unknown.
    pub tokens: Option<u32>,
}

/// How much a finding matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum SeverityView {
    /// Worth knowing.
    Info,
    /// Probably not meant.
    Warning,
    /// Something is lost.
    Error,
}

/// Bytes of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema, TS)]
pub struct RangeView {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// Something worth telling.
#[derive(Clone, Debug, Serialize, JsonSchema, TS)]
pub struct FindingView {
    /// Stable id.
    pub id: String,
    /// How much it matters.
    pub severity: SeverityView,
    /// The file, absolute.
    pub path: Option<String>,
    /// The file as the window names it.
    pub file: Option<super::document::FileRef>,
    /// Bytes of the file.
    pub range: Option<RangeView>,
    /// What was found, and what it means.
    #[schemars(with = "String")]
    #[ts(type = "string")]
    pub message: Text,
    /// Safe repairs, the likeliest first; see `fix`.
    pub actions: Vec<super::fixes::FixActionView>,
}

/// One message.
#[derive(Clone, Debug, Serialize, TS)]
pub struct MessageView {
    /// `user`, `assistant`…
    pub role: String,
    /// Its text; parts that are no text are described.
    pub text: String,
    /// Its tokens.
    pub tokens: CountView,
    /// True for the message being sent.
    pub current: bool,
}

/// A tool offered to the model.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ToolSchemaView {
    /// Name on the wire.
    pub name: String,
    /// The server.
    pub server: String,
    /// What it does.
    pub description: String,
    /// JSON of the schema.
    pub schema: String,
}

/// The target's own fingerprint.
#[derive(Clone, Debug, Serialize, TS)]
pub struct FingerprintView {
    /// Its parts.
    pub parts: Vec<FingerprintPartView>,
    /// True when it differs from the preview before on the same channel.
    pub changed: bool,
    /// True when the target would serve its cached prompt.
    pub hit: bool,
    /// True when that cached prompt differs from what a fresh assembly gives.
    pub stale: bool,
    /// Hash of everything the prompt was made from.
    pub content_hash: String,
}

/// One part of the fingerprint.
#[derive(Clone, Debug, Serialize, TS)]
pub struct FingerprintPartView {
    /// What it stands for.
    pub name: String,
    /// Its text.
    pub text: String,
    /// True when it differs from the preview before on the same channel.
    pub changed: bool,
}

/// How much is unchanged since the last recorded assembly of the same workspace and channel.
#[derive(Clone, Debug, Default, Serialize, TS)]
pub struct CacheView {
    /// Tokens of the common prefix; `None` when there is no earlier assembly.
    pub prefix_tokens: Option<u32>,
    /// Bytes of the common prefix.
    pub prefix_bytes: Option<u32>,
    /// Id of the section in which the texts part.
    pub breaks_at: Option<String>,
    /// When the earlier assembly was last seen, RFC 3339.
    pub since: Option<String>,
}

/// Why the target itself would stop.
#[derive(Clone, Debug, Serialize, TS)]
pub struct TargetErrorView {
    /// `io` or `template_syntax`.
    pub kind: String,
    /// The file.
    pub path: Option<String>,
    /// Line, from 1.
    pub line: Option<u32>,
    /// Column, from 1.
    pub column: Option<u32>,
    /// What happened, and what to do.
    #[ts(type = "string")]
    pub message: Text,
}

/// How long a stage took.
#[derive(Clone, Debug, Serialize, TS)]
pub struct StageView {
    /// `read`, `assemble`, `count`…
    pub name: String,
    /// Microseconds.
    pub micros: u32,
}
