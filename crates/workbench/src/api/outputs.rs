//! The JSON that `cbw` prints. Each output carries `schema_version`; `cbw schema` prints their JSON Schemas.

use model::Text;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// Version of every output below.
pub const OUTPUT_VERSION: u32 = 1;

/// `cbw assemble --as json`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AssembleOutput {
    /// Version of this shape.
    pub schema_version: u32,
    /// The system prompt.
    pub text: String,
    /// Sections that cover `text` exactly once, literals and separators included.
    pub sections: Vec<SectionOutput>,
    /// The message being sent, with its suffix.
    pub user_message: String,
    /// What the target adds to that message.
    pub runtime_suffix: String,
    /// Summary, history, the message being sent.
    pub messages: Value,
    /// Tools offered to the model.
    pub tool_schemas: Value,
    /// True when the workspace is not the global profile's.
    pub layered: bool,
    /// `project` or `internal`.
    pub file_access: String,
    /// The folder the agent works in.
    pub work_root: String,
    /// What was left out, with the reason and the tokens saved.
    pub skipped: Value,
    /// Every skill: the listed ones in listed order, then the others.
    pub skills: Value,
    /// What was noticed.
    pub findings: Vec<FindingOutput>,
    /// The target's own fingerprint, parts joined by NUL.
    pub fingerprint: String,
    /// blake3 of everything the prompt was made from.
    pub content_hash: String,
    /// Tokens of the whole.
    pub tokens: TokensOutput,
    /// What is unchanged since the last recorded assembly.
    pub cache: CacheOutput,
    /// Id of the variant.
    pub variant: String,
    /// Version of the variant.
    pub variant_version: u32,
    /// Id of the target.
    pub target: String,
    /// The channel; null: none was passed.
    pub channel: Option<String>,
    /// `shipped` or `installed`: whose templates and built-in skills were used.
    pub app: String,
    /// Why the target itself would stop; null when it would not.
    pub target_error: Value,
}

/// One section.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SectionOutput {
    /// Its id.
    pub id: String,
    /// 1–5; null for literals and separators.
    pub layer: Option<u8>,
    /// Title for people.
    pub title: String,
    /// First byte in `text`.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// `frozen`, `release`, `user`, `session`, `turn`, `request`.
    pub stability: String,
    /// Tokens of the section alone; null is unknown.
    pub tokens: Option<u32>,
    /// Sources that cover the section exactly once; offsets are bytes of `text`.
    pub spans: Vec<SpanOutput>,
}

/// A run of bytes with one source.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SpanOutput {
    /// First byte in `text`.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// `{kind, path, start, end, name}`; kind is file, template, literal, value or fallback.
    pub source: Value,
}

/// A finding.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FindingOutput {
    /// Stable id.
    pub id: String,
    /// `info`, `warning`, `error`.
    pub severity: String,
    /// The file, absolute.
    pub path: Option<String>,
    /// Bytes of the file.
    pub range: Option<RangeOutput>,
    /// What was found, and what it means.
    #[schemars(with = "String")]
    pub message: Text,
    /// What the likeliest safe repair would do.
    #[schemars(with = "Option<String>")]
    pub fix: Option<Text>,
    /// Ids of the safe repairs that the window offers, the likeliest first.
    pub fixes: Vec<String>,
}

/// Bytes of a file.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct RangeOutput {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// Tokens of a whole and its parts.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TokensOutput {
    /// The count, or an estimate's middle; null is unknown.
    pub total: Option<u32>,
    /// How it was obtained.
    pub method: String,
    /// Lower bound.
    pub low: Option<u32>,
    /// Upper bound.
    pub high: Option<u32>,
    /// The sections' tokens and this add up to `total`.
    pub joins: i64,
}

/// What is unchanged since the last recorded assembly of the same workspace and channel.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct CacheOutput {
    /// Tokens of the common prefix; null when there is no earlier assembly.
    pub prefix_tokens: Option<u32>,
    /// Bytes of the common prefix.
    pub prefix_bytes: Option<u64>,
    /// Id of the section in which the texts part; null when none does.
    pub breaks_at: Option<String>,
    /// Id of the earlier assembly.
    pub since: Option<i64>,
}

/// `cbw check --json`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CheckOutput {
    /// Version of this shape.
    pub schema_version: u32,
    /// What was noticed, gravest first.
    pub findings: Vec<FindingOutput>,
    /// What holds of the assembly, whether good or bad; never counted by `--deny`.
    pub facts: Vec<FactOutput>,
}

/// A fact about an assembly, proved by assembling again.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FactOutput {
    /// Stable id; `docs/findings.md` has a row for each.
    pub id: String,
    /// `prefix-stable`: true or false. `channels-part-at`: the first byte in which channels differ, or null when none
    /// does. `tool-block`: the hash of the tools as they are sent.
    pub value: Value,
    /// The fact in words.
    pub message: String,
}

/// `cbw tokens --json`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CountOutput {
    /// Version of this shape.
    pub schema_version: u32,
    /// The count, or an estimate rounded half up; null is unknown.
    pub total: Option<u32>,
    /// How it was obtained.
    pub method: String,
    /// Lower bound.
    pub low: Option<u32>,
    /// Upper bound.
    pub high: Option<u32>,
}

/// `cbw context show --json`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ContextOutput {
    /// Version of this shape.
    pub schema_version: u32,
    /// The context in force; can be saved and used as `--context`.
    pub context: Value,
    /// Where each value comes from.
    pub origins: Value,
}

/// `cbw render --json`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RenderOutput {
    /// Version of this shape.
    pub schema_version: u32,
    /// The text; null after an error.
    pub text: Option<String>,
    /// The names that the template reads.
    pub placeholders: Vec<String>,
    /// What went wrong; null when nothing did.
    pub error: Option<RenderErrorOutput>,
}

/// Why a template gave no text.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RenderErrorOutput {
    /// parse, block_mismatch, invalid_path, missing_helper, missing_partial, argument_count, not_a_function, depth.
    pub class: String,
    /// `parse` or `render`.
    pub at: String,
    /// The partial; null: the template itself.
    pub partial: Option<String>,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// What happened, and what to do.
    pub message: String,
}

/// `cbw emulate --json`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EmulateOutput {
    /// Version of this shape.
    pub schema_version: u32,
    /// One entry for each build step: `{fingerprint, fingerprint_changed, prompt_changed, stale, user_message, text}`.
    pub builds: Value,
}

/// `cbw why --json`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WhyOutput {
    /// Version of this shape.
    pub schema_version: u32,
    /// The phrase.
    pub phrase: String,
    /// Every place where it stands, in files that are read and in files that are not.
    pub places: Vec<WhyPlace>,
}

/// One place where a phrase stands.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WhyPlace {
    /// The file or template.
    pub path: String,
    /// Line, from 1.
    pub line: u32,
    /// Bytes of the file.
    pub range: RangeOutput,
    /// True when these bytes are in the prompt.
    pub in_prompt: bool,
    /// Where in the prompt it stands.
    pub prompt_offset: Option<u32>,
    /// Why it is or is not in the prompt.
    pub reason: String,
    /// The line.
    pub excerpt: String,
}

/// `cbw compare --json`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CompareOutput {
    /// Version of this shape.
    pub schema_version: u32,
    /// True when both are byte for byte the same.
    pub identical: bool,
    /// The first difference; null when identical.
    pub first_difference: Option<FirstDifference>,
    /// Tokens before the first difference, which a cache would keep.
    pub tokens_kept: Option<u32>,
    /// Tokens of B after the first difference.
    pub tokens_lost: Option<u32>,
    /// Change of each section, in the order of B, then those that only A has.
    pub sections: Vec<SectionChange>,
    /// What was taken from a log that is no plain prompt, and what a log alone may have changed.
    pub notes: Vec<String>,
}

/// Where two prompts part.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FirstDifference {
    /// Byte offset in both.
    pub offset: u32,
    /// Line of the prompt, from 1.
    pub line: u32,
    /// Section of A.
    pub section_a: Option<String>,
    /// Section of B.
    pub section_b: Option<String>,
    /// Source of that byte in A: `{kind, path, start, end, name}`.
    pub source_a: Value,
    /// Source of that byte in B.
    pub source_b: Value,
    /// Line of the source in B, from 1, when it is a file.
    pub source_line_b: Option<u32>,
}

/// How a section changed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SectionChange {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// `same`, `changed`, `added`, `removed`.
    pub change: String,
    /// Tokens in A.
    pub tokens_a: Option<u32>,
    /// Tokens in B.
    pub tokens_b: Option<u32>,
}

/// `cbw history list --json`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct HistoryOutput {
    /// Version of this shape.
    pub schema_version: u32,
    /// Assemblies, newest first: `{id, time, channel, variant, model, tokens, seen, …}`.
    pub assemblies: Value,
}

/// `cbw history prune --json`.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct HistoryPruneOutput {
    /// Version of this shape.
    pub schema_version: u32,
    /// True when nothing was removed, and this is what would be.
    pub dry_run: bool,
    /// Assemblies that went.
    pub assemblies: u64,
    /// Versions of files that went.
    pub versions: u64,
    /// Bytes of the database in use before.
    pub bytes_before: u64,
    /// Bytes in use after.
    pub bytes_after: u64,
}

/// `cbw history show --json`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct HistoryShowOutput {
    /// Version of this shape.
    pub schema_version: u32,
    /// The assembly with its sections.
    pub assembly: Value,
    /// The prompt; null when a part of it was too large to keep.
    pub text: Option<String>,
}

/// `cbw init --json`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct InitOutput {
    /// Version of this shape.
    pub schema_version: u32,
    /// Files that were made, absolute.
    pub created: Vec<String>,
    /// Files that were there and stay as they are.
    pub kept: Vec<String>,
    /// Files that are missing and that the app has no template for.
    pub without_template: Vec<String>,
}

/// `cbw project … --json`: the list as it is now.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProjectsOutput {
    /// Version of this shape.
    pub schema_version: u32,
    /// The projects, in their order.
    pub projects: Vec<ProjectOutput>,
    /// What is odd about the list's file.
    pub findings: Vec<FindingOutput>,
}

/// A project of the list.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProjectOutput {
    /// Its folder, absolute.
    pub path: String,
    /// Its name, or that of the folder.
    pub name: String,
    /// The workspace that the window opens; null while both folders hold files and none was chosen.
    pub workspace: Option<String>,
    /// Its folders that hold files which the target reads.
    pub folders: Vec<ProjectFolderOutput>,
    /// `gone`, `unreadable`, `no_workspace`, `two_layouts`; null when it opens as it is.
    pub problem: Option<String>,
}

/// A folder of a project that holds files.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProjectFolderOutput {
    /// The folder, absolute.
    pub path: String,
    /// The files that the target looks for, in its order.
    pub files: Vec<String>,
    /// Number of skills.
    pub skills: u32,
}

/// Any command under `--json` that fails.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ErrorOutput {
    /// `{code, message, context}`.
    pub error: Value,
}

/// The JSON Schemas of every output, by command.
pub fn schemas() -> Value {
    macro_rules! by_name {
        ($($name:literal => $type:ty),+ $(,)?) => {
            serde_json::json!({ "schema_version": OUTPUT_VERSION, "outputs": { $($name: schemars::schema_for!($type),)+ } })
        };
    }
    by_name! {
        "assemble" => AssembleOutput,
        "check" => CheckOutput,
        "tokens" => CountOutput,
        "context show" => ContextOutput,
        "render" => RenderOutput,
        "emulate" => EmulateOutput,
        "why" => WhyOutput,
        "compare" => CompareOutput,
        "history list" => HistoryOutput,
        "history show" => HistoryShowOutput,
        "history prune" => HistoryPruneOutput,
        "init" => InitOutput,
        "memory" => super::MemoryView,
        "memory split" => super::MemorySplit,
        "project" => ProjectsOutput,
        "skills list" => super::SkillsView,
        "skills" => super::SkillDone,
        "error" => ErrorOutput,
    }
}
