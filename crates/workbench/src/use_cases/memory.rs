//! `cbw memory`: the memory files in their layers, whether and why each is in the prompt, what stands in them and what
//! they say twice, and how they grew.

use std::borrow::Cow;
use std::collections::HashMap;

use history::{History, HistoryError, ListFilter};
use model::{Assembly, Entry, Finding, SkipReason, Snapshot, Source, SourceFile, SourceOrigin, Target, Variant};
use prompt::memory::{self as consolidator, Section};
use tokens::{Catalogue, Counter, Tokenizer};
use workspace::memory as written;

use crate::api::outputs::OUTPUT_VERSION;
use crate::api::{
    ApiError, MemoryCopy, MemoryDuplicate, MemoryEntryView, MemoryLayer, MemoryMark, MemoryOwner, MemoryPoint,
    MemorySize, MemoryView, RangeView,
};
use crate::assembling::{self, Request};
use crate::counting;
use crate::lines::Lines;
use crate::session::{Mapping, count_view, finding_view};
use crate::settings;
use crate::use_cases::assemble::word;
use crate::use_cases::check;

/// Longest excerpt, in characters.
const EXCERPT: usize = 160;
/// Longest text of a copy that is shown whole, in bytes.
const COPY: usize = 4 * 1024;
/// Recorded assemblies that are looked at for the growth.
const ASSEMBLIES: u32 = 500;

/// How much of a view is listed. The counts are always of everything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Limits {
    /// The last entries of each file.
    pub(crate) entries: usize,
    /// Duplicates, and copies of each.
    pub(crate) duplicates: usize,
    /// Marks of each file.
    pub(crate) marks: usize,
}

impl Limits {
    const NONE: Self = Self { entries: usize::MAX, duplicates: usize::MAX, marks: usize::MAX };
}

/// What a view is made from.
pub(crate) struct Parts<'a> {
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) target: &'a Target,
    pub(crate) variant: &'a Variant,
    pub(crate) assembly: &'a Assembly,
    pub(crate) tokenizer: Tokenizer,
    pub(crate) model: Option<&'a str>,
}

/// The memory of the request's workspace, whole.
///
/// # Errors
/// A context or variant that cannot be used. A history that cannot be read has no growth.
pub fn memory(request: &Request) -> Result<MemoryView, ApiError> {
    let assembled = assembling::run(request, None)?;
    let inputs = &assembled.inputs;
    let parts = Parts {
        snapshot: &inputs.snapshot,
        target: &inputs.target,
        variant: &inputs.variant,
        assembly: &assembled.assembly,
        tokenizer: assembled.tokenizer,
        model: inputs.context.model.as_deref(),
    };
    let mut view = look(&parts, &mut Counter::default(), Limits::NONE);
    let path = settings::history_path(&request.place.home);
    if path.exists()
        && let Ok(history) = History::open(&path, inputs.machine.now)
    {
        view.growth = growth(&history, &inputs.places.workspace, &inputs.variant).unwrap_or_default();
    }
    Ok(view)
}

/// One memory file on its way into the view.
struct Layer<'a> {
    owner: MemoryOwner,
    /// Id of the variant's component.
    component: Option<&'a str>,
    entry: Cow<'a, Entry>,
}

impl Layer<'_> {
    fn file(&self) -> Option<&SourceFile> {
        self.entry.source().map(|file| &**file)
    }

    fn text(&self) -> &str {
        self.entry.text()
    }
}

/// The view without its growth.
pub(crate) fn look(parts: &Parts<'_>, counter: &mut Counter, limits: Limits) -> MemoryView {
    let Parts { snapshot, target, assembly, model, .. } = parts;
    let layered = assembly.layered;
    let mapping = Mapping::of(snapshot);
    let layer = |owner, builtin, folder: &'_ model::Folder| {
        let entry = folder.entry(&target.memory).cloned();
        let entry = entry.unwrap_or_else(|| Entry::missing(format!("{}/{}", folder.path, target.memory)));
        Layer { owner, component: component(parts.variant, builtin), entry: Cow::Owned(entry) }
    };
    let mut layers = vec![layer(MemoryOwner::You, "global_memory", &snapshot.global)];
    if layered {
        layers.push(layer(MemoryOwner::Project, "project_memory", &snapshot.workspace));
    }
    let findings = check::ordered(check::all(snapshot, target, assembly));
    let written = |layer: &Layer<'_>| {
        let mut entries = written::entries(layer.text());
        // A heading above the entries is none of them.
        entries.retain(|entry| !entry.is_only_a_heading(layer.text()));
        entries
    };
    let entries: Vec<Vec<written::Entry>> = layers.iter().map(written).collect();
    let texts: Vec<&str> = layers.iter().map(Layer::text).collect();
    let duplicates = written::duplicates(&texts, &entries);
    let left_off = duplicates.len().saturating_sub(limits.duplicates) as u32;
    let shown = duplicates.iter().take(limits.duplicates);
    MemoryView {
        schema_version: OUTPUT_VERSION,
        layered,
        model: model.map(str::to_owned),
        window: model.and_then(|model| Catalogue::embedded().context_window(None, model)),
        duplicates: shown
            .map(|duplicate| duplicate_view(duplicate, &layers, &entries, &mapping, counter, parts.tokenizer, limits))
            .collect(),
        duplicates_left_off: left_off,
        layers: layers
            .iter()
            .zip(&entries)
            .map(|(layer, entries)| layer_view(layer, entries, parts, &findings, &mapping, counter, limits))
            .collect(),
        growth: Vec::new(),
    }
}

/// The variant's component that injects a memory.
fn component<'a>(variant: &'a Variant, builtin: &str) -> Option<&'a str> {
    let mut components = variant.components.iter();
    components.find(|(_, spec)| spec.builtin.as_deref() == Some(builtin)).map(|(id, _)| &**id)
}

fn layer_view(
    layer: &Layer<'_>,
    entries: &[written::Entry],
    parts: &Parts<'_>,
    findings: &[Finding],
    mapping: &Mapping,
    counter: &mut Counter,
    limits: Limits,
) -> MemoryLayer {
    let (path, text) = (&layer.entry.path, layer.text());
    let (injected, state, reason) = standing(layer, parts.assembly);
    let places = Places::of(layer);
    let dates = || entries.iter().filter_map(|entry| entry.date.clone());
    let skip = entries.len().saturating_sub(limits.entries);
    let mut lines = Lines::of(text);
    let shown = entries.iter().skip(skip).map(|entry| {
        let said = text[entry.body.clone()].trim();
        let whole = &text[entry.range.clone()];
        MemoryEntryView {
            range: places.range(&entry.range),
            line: lines.at(entry.range.start),
            kind: match entry.kind {
                written::Kind::Heading => "heading",
                written::Kind::Item => "item",
                written::Kind::Text => "text",
            }
            .to_owned(),
            date: entry.date.clone(),
            title: entry.title[0].clone(),
            section: entry.title[1].clone(),
            excerpt: excerpt(said),
            tokens: counting::count(counter, whole, parts.tokenizer).total,
        }
    });
    let shown = shown.collect();
    MemoryLayer {
        owner: layer.owner,
        path: path.to_string(),
        file: mapping.file(path),
        present: layer.file().is_some(),
        injected,
        draft: layer.file().is_some_and(|file| file.origin == SourceOrigin::Draft),
        state,
        reason,
        findings: findings
            .iter()
            .filter(|finding| finding.path.as_deref() == Some(&**path))
            .map(|finding| finding_view(finding, Some(mapping)))
            .collect(),
        bytes: layer.file().map_or(0, |file| file.bytes.len() as u32),
        tokens: count_view(&counting::count(counter, text, parts.tokenizer)),
        entries_total: entries.len() as u32,
        dated: dates().count() as u32,
        oldest: dates().min(),
        newest: dates().max(),
        entries: shown,
        marks: mark_views(text, &places, limits),
    }
}

/// Whether a memory is in the prompt, and why it is or is not: a word and a sentence.
fn standing(layer: &Layer<'_>, assembly: &Assembly) -> (bool, String, String) {
    let path = &layer.entry.path;
    let from_it = |source: &Source| matches!(source, Source::File { path: from, .. } if from == path);
    let mut spans = assembly.sections.iter().flat_map(|section| section.spans.iter());
    if spans.any(|span| from_it(&span.source)) {
        return (true, "injected".to_owned(), "In the prompt, whole, with each message.".to_owned());
    }
    let Some(component) = layer.component else {
        return (false, "not-in-variant".to_owned(), "The variant in use has no place for this memory.".to_owned());
    };
    let skipped = assembly.skipped.iter().find(|skipped| skipped.id == component);
    let (reason, detail) = skipped
        .map_or((SkipReason::NothingToShow, "The variant in use leaves it out."), |skipped| {
            (skipped.reason, &*skipped.detail)
        });
    (false, word(&reason), detail.to_owned())
}

fn mark_views(text: &str, places: &Places<'_>, limits: Limits) -> Vec<MemoryMark> {
    let mut lines = Lines::of(text);
    let marks = consolidator::marks(text).into_iter().take(limits.marks).map(|mark| {
        let line = lines.at(mark.range.start);
        let start = lines.start;
        MemoryMark {
            section: match mark.section {
                Section::UserProfile => "user_profile",
                Section::ProjectContext => "project_context",
            }
            .to_owned(),
            range: places.range(&mark.range),
            line,
            within_line: !text[start..mark.range.start].trim_matches(['#', ' ', '\u{FEFF}']).is_empty(),
            excerpt: excerpt(&text[start..]),
        }
    });
    marks.collect()
}

fn duplicate_view(
    duplicate: &written::Duplicate,
    layers: &[Layer<'_>],
    entries: &[Vec<written::Entry>],
    mapping: &Mapping,
    counter: &mut Counter,
    tokenizer: Tokenizer,
    limits: Limits,
) -> MemoryDuplicate {
    let text = |copy: &written::Copy| &layers[copy.text].text()[copy.range.clone()];
    let twice = duplicate.copies.iter().skip(1).map(|copy| counting::count(counter, text(copy), tokenizer).total);
    let tokens_twice = twice.sum();
    let mut lines: Vec<Lines<'_>> = layers.iter().map(|layer| Lines::of(layer.text())).collect();
    let copies = duplicate.copies.iter().take(limits.duplicates).map(|copy| {
        let layer = &layers[copy.text];
        let all = text(copy);
        let shown = all.floor_char_boundary(COPY.min(all.len()));
        MemoryCopy {
            owner: layer.owner,
            path: layer.entry.path.to_string(),
            file: mapping.file(&layer.entry.path),
            range: Places::of(layer).range(&copy.range),
            line: lines[copy.text].at(copy.range.start),
            whole: copy.whole,
            date: entries[copy.text][copy.entry].date.clone(),
            text: all[..shown].to_owned(),
            complete: shown == all.len(),
        }
    });
    MemoryDuplicate {
        exact: duplicate.exact,
        across: duplicate.copies.iter().any(|copy| copy.text != duplicate.copies[0].text),
        copies: copies.collect(),
        copies_left_off: duplicate.copies.len().saturating_sub(limits.duplicates) as u32,
        tokens_twice,
    }
}

/// How the memories grew: their sizes in the last recorded assemblies of a workspace, oldest first; changes only.
pub(crate) fn growth(history: &History, workspace: &str, variant: &Variant) -> Result<Vec<MemoryPoint>, HistoryError> {
    let [you, project] = ["global_memory", "project_memory"].map(|builtin| component(variant, builtin));
    let filter = ListFilter { workspace: Some(workspace.to_owned()), limit: ASSEMBLIES, ..ListFilter::default() };
    let mut points: Vec<MemoryPoint> = Vec::new();
    for row in history.list(&filter)?.into_iter().rev() {
        let sizes: HashMap<String, MemorySize> = history
            .section_sizes(row.id)?
            .into_iter()
            .map(|size| {
                let bytes = u32::try_from(size.bytes).unwrap_or(u32::MAX);
                (size.id, MemorySize { bytes, tokens: size.tokens })
            })
            .collect();
        let size = |id: Option<&str>| id.and_then(|id| sizes.get(id)).copied();
        let point = MemoryPoint { time: row.time.to_string(), you: size(you), project: size(project) };
        if points.last().is_none_or(|last| (last.you, last.project) != (point.you, point.project)) {
            points.push(point);
        }
    }
    Ok(points)
}

/// From bytes of a layer's text to those of its file.
struct Places<'a>(Option<&'a SourceFile>);

impl<'a> Places<'a> {
    fn of(layer: &'a Layer<'_>) -> Self {
        Self(layer.file())
    }

    fn range(&self, range: &std::ops::Range<usize>) -> RangeView {
        let at = |offset| self.0.map_or(offset, |file| file.decoded().to_file_offset(offset)) as u32;
        RangeView { start: at(range.start), end: at(range.end) }
    }
}

/// The first line of a text that says something, cut.
fn excerpt(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let mut cut: String = line.chars().take(EXCERPT).collect();
    if cut.len() < line.len() {
        cut.push('…');
    }
    cut
}
