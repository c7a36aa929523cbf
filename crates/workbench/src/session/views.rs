//! The model's values as the window sees them.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use model::{AppOrigin, ContentHash, Entry, Finding, Message, Section, Severity, Snapshot, Source, Span, Stability};
use serde_json::Value;
use tokens::{Count, Counter, Method, SectionCounts, Tokenizer};

use crate::api::{
    CacheView, CountView, FileRef, FindingView, FingerprintPartView, FingerprintView, FixActionView, MessageView,
    PreviewHead, RangeView, RootId, SectionView, SeverityView, SkippedView, SourceKind, SourceView, SpanView,
    StabilityView, StageView, TargetErrorView, ToolSchemaView,
};
use crate::counting;
use crate::recording::Unchanged;
use crate::session::engine::Made;
use crate::use_cases::assemble::word;

/// From absolute paths to the window's names of files, and back.
#[derive(Clone, Debug)]
pub(crate) struct Mapping {
    workspace: String,
    global: String,
    app: Option<String>,
}

impl Mapping {
    /// The mapping of a snapshot.
    pub(crate) fn of(snapshot: &Snapshot) -> Self {
        Self {
            workspace: snapshot.workspace.path.clone(),
            global: snapshot.global.path.clone(),
            app: snapshot.places.app.clone(),
        }
    }

    /// True when the opened workspace is not the global one.
    pub(crate) fn layered(&self) -> bool {
        self.workspace != self.global
    }

    /// The folder of a root.
    pub(crate) fn root(&self, root: RootId) -> Option<&str> {
        match root {
            RootId::Workspace => self.layered().then_some(&*self.workspace),
            RootId::Global => Some(&self.global),
            RootId::App => self.app.as_deref(),
        }
    }

    /// The file of an absolute path, when it lies in an open root.
    pub(crate) fn file(&self, path: &str) -> Option<FileRef> {
        if let Some(shipped) = path.strip_prefix(SHIPPED) {
            return Some(FileRef { root: RootId::App, path: shipped.to_owned() });
        }
        [RootId::Workspace, RootId::Global, RootId::App].into_iter().find_map(|root| {
            let relative = path.strip_prefix(self.root(root)?.trim_end_matches('/'))?.strip_prefix('/')?;
            Some(FileRef { root, path: relative.to_owned() })
        })
    }

    /// The entry of a file.
    pub(crate) fn entry<'a>(&self, snapshot: &'a Snapshot, file: &FileRef) -> Option<&'a Entry> {
        let path = match (self.root(file.root), file.root) {
            (Some(folder), _) => format!("{}/{}", folder.trim_end_matches('/'), file.path),
            (None, RootId::App) => format!("{SHIPPED}{}", file.path),
            (None, _) => return None,
        };
        snapshot.entries().find(|entry| *entry.path == *path)
    }
}

/// Where the texts that ship with the workbench stand.
const SHIPPED: &str = "variants/catbuddy/app/";

/// A count for the window.
pub(crate) fn count_view(count: &Count) -> CountView {
    CountView {
        total: count.total,
        low: count.low,
        high: count.high,
        exact: matches!(count.method, Method::Exact(_)),
        method: count.method.to_string(),
    }
}

/// A finding for the window.
pub(crate) fn finding_view(finding: &Finding, mapping: Option<&Mapping>) -> FindingView {
    FindingView {
        id: finding.id.to_string(),
        severity: match finding.severity {
            Severity::Info => SeverityView::Info,
            Severity::Warning => SeverityView::Warning,
            Severity::Error => SeverityView::Error,
        },
        path: finding.path.clone(),
        file: finding.path.as_deref().and_then(|path| mapping?.file(path)),
        range: finding.range.map(|range| RangeView { start: range.start, end: range.end }),
        message: finding.message.clone(),
        actions: finding
            .fixes
            .iter()
            .map(|fix| FixActionView { id: fix.id.to_string(), label: fix.label.clone() })
            .collect(),
    }
}

/// What a section is told apart by: its text, and where that comes from.
pub(crate) fn identity(section: &Section) -> (ContentHash, u64) {
    let mut hasher = DefaultHasher::new();
    section.spans.hash(&mut hasher);
    (section.hash, hasher.finish())
}

/// The texts of the sections that are `fresh`, in order.
pub(crate) fn sections_body(sections: &[Section], fresh: &[bool]) -> Vec<u8> {
    let mut body = Vec::new();
    for (section, _) in sections.iter().zip(fresh).filter(|(_, fresh)| **fresh) {
        body.extend_from_slice(section.text.as_bytes());
    }
    body
}

/// Everything besides the assembly that a preview shows.
pub(crate) struct Beside<'a> {
    pub(crate) serial: u32,
    pub(crate) revision: u32,
    /// For each section, whether the window does not hold it yet.
    pub(crate) fresh: &'a [bool],
    pub(crate) drafts: &'a HashSet<Arc<str>>,
    pub(crate) window: Option<u32>,
    pub(crate) fingerprint: FingerprintView,
    pub(crate) unchanged: Option<&'a Unchanged>,
    pub(crate) stages: Vec<StageView>,
}

/// The head of a preview.
pub(crate) fn preview_head(made: &Made, counter: &mut Counter, beside: Beside<'_>) -> PreviewHead {
    let Made { snapshot, assembly, counts, tokenizer, variant, .. } = made;
    let mapping = Mapping::of(snapshot);
    let mut files = HashMap::new();
    let last = assembly.messages.len().checked_sub(1);
    PreviewHead {
        serial: beside.serial,
        revision: beside.revision,
        variant: variant.id.clone(),
        variant_version: variant.version,
        target: assembly.target.clone(),
        channel: assembly.channel.clone(),
        installed_app: snapshot.app.origin == AppOrigin::Installed,
        layered: assembly.layered,
        file_access: assembly.file_access.as_str().to_owned(),
        work_root: assembly.work_root.clone(),
        bytes: assembly.sections.last().map_or(0, Section::end),
        sections: section_views(&assembly.sections, counts, &beside, |path| {
            files.entry(Arc::clone(path)).or_insert_with(|| mapping.file(path)).clone()
        }),
        skipped: assembly
            .skipped
            .iter()
            .map(|skipped| SkippedView {
                id: skipped.id.clone(),
                layer: skipped.layer,
                path: skipped.path.clone(),
                reason: word(&skipped.reason),
                detail: skipped.detail.clone(),
                tokens: skipped.tokens,
            })
            .collect(),
        findings: assembly.findings.iter().map(|finding| finding_view(finding, Some(&mapping))).collect(),
        tokens: count_view(&counts.total),
        joins: i32::try_from(counts.joins).unwrap_or_default(),
        window: beside.window,
        user_message: assembly.user_message.text.clone(),
        runtime_suffix: assembly.user_message.suffix.clone(),
        messages: assembly
            .messages
            .iter()
            .enumerate()
            .map(|(index, message)| message_view(message, Some(index) == last, counter, *tokenizer))
            .collect(),
        tool_schemas: assembly
            .tool_schemas
            .iter()
            .map(|tool| ToolSchemaView {
                name: tool.name.clone(),
                server: tool.server.clone(),
                description: tool.description.clone(),
                schema: serde_json::to_string_pretty(&tool.input_schema).unwrap_or_default(),
            })
            .collect(),
        fingerprint: beside.fingerprint,
        cache: beside.unchanged.map(cache_view).unwrap_or_default(),
        target_error: assembly.target_error.as_ref().map(|error| TargetErrorView {
            kind: word(&error.kind),
            path: error.path.clone(),
            line: error.line,
            column: error.column,
            message: error.message.clone(),
        }),
        stages: beside.stages,
    }
}

fn section_views(
    sections: &[Section],
    counts: &SectionCounts,
    beside: &Beside<'_>,
    mut file_of: impl FnMut(&Arc<str>) -> Option<FileRef>,
) -> Vec<SectionView> {
    let parts = sections.iter().zip(&counts.parts).zip(beside.fresh);
    let views = parts.map(|((section, count), fresh)| SectionView {
        id: section.id.to_string(),
        layer: section.layer,
        title: section.title.to_string(),
        stability: stability_view(section.stability),
        start: section.start,
        end: section.end(),
        hash: section.hash.to_string(),
        fresh: *fresh,
        bytes: section.text.len() as u32,
        tokens: count_view(count),
        draft: section
            .spans
            .iter()
            .any(|span| matches!(&span.source, Source::File { path, .. } if beside.drafts.contains(path))),
        spans: fresh.then(|| section.spans.iter().map(|span| span_view(span, &mut file_of)).collect()),
    });
    views.collect()
}

fn span_view(span: &Span, file_of: &mut impl FnMut(&Arc<str>) -> Option<FileRef>) -> SpanView {
    SpanView { start: span.start, end: span.end, source: source_view(&span.source, file_of) }
}

/// A source for the window.
pub(crate) fn source_view(source: &Source, file_of: &mut impl FnMut(&Arc<str>) -> Option<FileRef>) -> SourceView {
    let (kind, path, range, name) = match source {
        Source::File { path, start, end } => (SourceKind::File, Some(path), Some((*start, *end)), None),
        Source::Template { path, start, end } => (SourceKind::Template, Some(path), Some((*start, *end)), None),
        Source::Literal { name } => (SourceKind::Literal, None, None, Some(name)),
        Source::Value { name } => (SourceKind::Value, None, None, Some(name)),
        Source::Fallback => (SourceKind::Fallback, None, None, None),
    };
    SourceView {
        kind,
        path: path.map(ToString::to_string),
        file: path.and_then(file_of),
        start: range.map(|(start, _)| start),
        end: range.map(|(_, end)| end),
        name: name.map(ToString::to_string),
    }
}

fn stability_view(stability: Stability) -> StabilityView {
    match stability {
        Stability::Frozen => StabilityView::Frozen,
        Stability::Release => StabilityView::Release,
        Stability::User => StabilityView::User,
        Stability::Session => StabilityView::Session,
        Stability::Turn => StabilityView::Turn,
        Stability::Request => StabilityView::Request,
    }
}

fn cache_view(unchanged: &Unchanged) -> CacheView {
    CacheView {
        prefix_tokens: unchanged.estimate.prefix_tokens,
        prefix_bytes: u32::try_from(unchanged.estimate.prefix_bytes).ok(),
        breaks_at: unchanged.breaks_at.clone(),
        since: Some(unchanged.last_seen.to_string()),
    }
}

fn message_view(message: &Message, current: bool, counter: &mut Counter, tokenizer: Tokenizer) -> MessageView {
    let text = message_text(&message.content);
    let tokens = count_view(&counting::count(counter, &text, tokenizer));
    MessageView { role: message.role.clone(), text, tokens, current }
}

/// The text of a message; parts that are no text are named.
fn message_text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let parts = parts.iter().map(|part| match part.get("text").and_then(Value::as_str) {
                Some(text) => text.to_owned(),
                None => format!("[{}]", part.get("type").and_then(Value::as_str).unwrap_or("part")),
            });
            parts.collect::<Vec<_>>().join("\n")
        }
        other => other.to_string(),
    }
}

/// The target's fingerprint beside the one before.
pub(crate) fn fingerprint_view(
    now: &model::Fingerprint,
    before: Option<&model::Fingerprint>,
    content_hash: ContentHash,
    served: Served,
) -> FingerprintView {
    let same = |name: &str, text: &str| {
        before.is_none_or(|before| before.parts.iter().any(|part| part.name == name && part.text == text))
    };
    FingerprintView {
        parts: now
            .parts
            .iter()
            .map(|part| FingerprintPartView {
                name: part.name.clone(),
                text: part.text.clone(),
                changed: !same(&part.name, &part.text),
            })
            .collect(),
        changed: before.is_some_and(|before| before != now),
        hit: served.hit,
        stale: served.stale,
        content_hash: content_hash.to_string(),
    }
}

/// What the target's own cache would do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Served {
    /// It would serve an entry.
    pub(crate) hit: bool,
    /// And that entry differs from what a fresh assembly gives.
    pub(crate) stale: bool,
}
