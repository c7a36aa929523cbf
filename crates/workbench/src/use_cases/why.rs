//! `cbw why`: where a phrase stands, in files that are read and in files that are not, and why it is or is not in
//! the prompt.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use model::{Assembly, Decoded, Section, SkillState, Snapshot, Source, SourceOrigin, Span, Target, Variant, text};
use workspace::places;

use crate::api::outputs::{OUTPUT_VERSION, RangeOutput, WhyOutput, WhyPlace};
use crate::api::{ApiError, ErrorCode};
use crate::assembling::{self, Request};
use crate::lines::Lines;
use crate::phrase::Phrase;

/// Longest excerpt that is shown, in characters.
const EXCERPT: usize = 160;
/// Largest file that is not read by the target but searched, in bytes.
const LARGEST: u64 = 8 * 1024 * 1024;

/// Searches a phrase, byte for byte, or with letter case aside.
///
/// # Errors
/// An empty phrase; a context or variant that cannot be used.
pub fn why(request: &Request, phrase: &str, ignore_case: bool) -> Result<WhyOutput, ApiError> {
    let wanted = self::phrase(phrase, ignore_case, false)?;
    let assembled = assembling::run(request, None)?;
    let inputs = &assembled.inputs;
    let looked = look(&inputs.snapshot, &inputs.variant, &inputs.target, &assembled.assembly, &wanted);
    Ok(WhyOutput { schema_version: OUTPUT_VERSION, phrase: phrase.to_owned(), places: looked.places })
}

/// A phrase to look for.
///
/// # Errors
/// [`ErrorCode::Invalid`] when there is none.
pub(crate) fn phrase(text: &str, ignore_case: bool, loose_space: bool) -> Result<Phrase, ApiError> {
    let phrase = Phrase::new(text, ignore_case, loose_space);
    if phrase.is_empty() {
        return Err(ApiError::new(ErrorCode::Invalid, text!("error-no-phrase")));
    }
    Ok(phrase)
}

/// What kind of text was looked through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A file that the target looks for.
    File,
    /// A template or built-in skill of the app, or of the variant.
    Template,
    /// A file that is present and never read.
    Ignored,
    /// A file of the project's other layout, or of the old profile.
    Elsewhere,
}

/// One text that was looked through.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LookedAt {
    pub(crate) path: String,
    pub(crate) kind: Kind,
    /// Places of the phrase in it.
    pub(crate) places: u32,
    /// True when its text has unsaved edits.
    pub(crate) draft: bool,
    /// Why it was not looked through after all.
    pub(crate) problem: Option<String>,
}

/// The outcome of a search.
pub(crate) struct Looked {
    pub(crate) places: Vec<WhyPlace>,
    pub(crate) at: Vec<LookedAt>,
}

/// Every place of the phrase: in files the target looks for, in templates, in files it ignores, in those of the other
/// layout and the old profile, and in the prompt alone. A place of a file that stands in the prompt several times is
/// listed as often.
pub(crate) fn look(
    snapshot: &Snapshot,
    variant: &Variant,
    target: &Target,
    assembly: &Assembly,
    phrase: &Phrase,
) -> Looked {
    let mut search = Search { assembly, spans: spans_by_path(assembly), phrase, places: Vec::new(), at: Vec::new() };
    let mut seen = HashSet::new();
    let own = [&snapshot.workspace.path, &snapshot.global.path];
    for file in snapshot.entries().filter_map(|entry| entry.source()) {
        if seen.insert(file.path.to_string()) {
            let inside = own.iter().any(|folder| Path::new(&*file.path).starts_with(folder));
            let kind = if inside { Kind::File } else { Kind::Template };
            let draft = file.origin == SourceOrigin::Draft;
            search.file(&file.path, kind, draft, file.decoded(), || left_out(snapshot, assembly, &file.path));
        }
    }
    for (name, text) in &variant.texts {
        let path = format!("{}/{name}", variant.folder);
        if seen.insert(path.clone()) {
            search.file(&path, Kind::Template, false, &Decoded::new(text.as_bytes()), || NO_BRANCH.to_owned());
        }
    }
    for ignored in snapshot.workspace.ignored.iter().chain(&snapshot.global.ignored) {
        if seen.insert(ignored.path.clone()) {
            search.on_disk(&ignored.path, Kind::Ignored, || ignored.reason.to_string());
        }
    }
    for (path, reason) in elsewhere(snapshot, target) {
        if seen.insert(path.clone()) {
            search.on_disk(&path, Kind::Elsewhere, || reason.clone());
        }
    }
    search.prompt_alone();
    Looked { places: search.places, at: search.at }
}

/// Files that would be read if another folder were the workspace, with the reason why they are not.
fn elsewhere(snapshot: &Snapshot, target: &Target) -> Vec<(String, String)> {
    let workspace = Path::new(&snapshot.workspace.path);
    let other = match workspace.file_name().and_then(|name| name.to_str()) {
        Some(".catbuddy") => Some(workspace.join("workspace")),
        Some("workspace") => workspace.parent().filter(|parent| parent.ends_with(".catbuddy")).map(Path::to_owned),
        _ => None,
    };
    let mut folders = Vec::new();
    if let Some(other) = other.filter(|other| *other != Path::new(&snapshot.global.path)) {
        let reason = format!("it lies in the other layout of this workspace; {} is open.", workspace.display());
        folders.push((other, reason));
    }
    let legacy = Path::new(&snapshot.places.home).join(".catbuddy-desktop/workspace");
    if legacy != workspace {
        folders.push((legacy, "it belongs to the old profile, which early versions of the app used.".to_owned()));
    }
    let mut found = Vec::new();
    for (folder, reason) in folders {
        for path in places::files_of(&folder, target) {
            found.push((path.to_string_lossy().into_owned(), reason.clone()));
        }
    }
    found
}

const NO_BRANCH: &str = "no branch of the template that this context takes writes these bytes.";

/// A span of the prompt, with the place in the prompt where it begins.
type Placed<'a> = (u32, &'a Span);

/// The spans that were taken from files and templates, by path.
fn spans_by_path(assembly: &Assembly) -> HashMap<&str, Vec<Placed<'_>>> {
    let mut by_path: HashMap<&str, Vec<Placed<'_>>> = HashMap::new();
    for section in &assembly.sections {
        for span in section.spans.iter() {
            if let Source::File { path, .. } | Source::Template { path, .. } = &span.source {
                by_path.entry(path).or_default().push((section.start + span.start, span));
            }
        }
    }
    by_path
}

/// The file's own bytes that a span names.
fn source_range(span: &Span) -> Option<(usize, usize)> {
    match &span.source {
        Source::File { start, end, .. } | Source::Template { start, end, .. } => Some((*start as usize, *end as usize)),
        _ => None,
    }
}

/// A search under way.
struct Search<'a> {
    assembly: &'a Assembly,
    spans: HashMap<&'a str, Vec<Placed<'a>>>,
    phrase: &'a Phrase,
    places: Vec<WhyPlace>,
    at: Vec<LookedAt>,
}

impl Search<'_> {
    /// The phrase in a file that no snapshot holds. What is no plain file is never opened.
    fn on_disk(&mut self, path: &str, kind: Kind, left_out: impl Fn() -> String) {
        let problem = match fs::metadata(path) {
            Ok(known) if !known.is_file() => Some("It is no plain file.".to_owned()),
            Ok(known) if known.len() > LARGEST => Some("It is larger than 8 MiB.".to_owned()),
            Ok(_) => match fs::read(path) {
                Ok(bytes) => return self.file(path, kind, false, &Decoded::new(&bytes), left_out),
                Err(error) => Some(format!("It cannot be read: {error}.")),
            },
            Err(error) => Some(format!("It cannot be read: {error}.")),
        };
        self.at.push(LookedAt { path: path.to_owned(), kind, places: 0, draft: false, problem });
    }

    /// The phrase in one file. `left_out` says why a place of it is not in the prompt.
    fn file(&mut self, path: &str, kind: Kind, draft: bool, decoded: &Decoded, left_out: impl Fn() -> String) {
        // Where each span's text stands in the file's text; only those that run in step with it.
        let spans: Vec<(usize, usize, u32)> = self
            .spans
            .get(path)
            .into_iter()
            .flatten()
            .filter_map(|(at, span)| {
                let (start, end) = source_range(span)?;
                let (from, to) = (decoded.to_text_offset(start), decoded.to_text_offset(end));
                (to - from == (span.end - span.start) as usize).then_some((from, to, *at))
            })
            .collect();
        let mut lines = Lines::of(&decoded.text);
        let found = self.phrase.find(&decoded.text);
        let count = found.len() as u32;
        self.at.push(LookedAt { path: path.to_owned(), kind, places: count, draft, problem: None });
        for std::ops::Range { start: at, end } in found {
            let (line, excerpt) = (lines.at(at), excerpt(&decoded.text, lines.start));
            let range =
                RangeOutput { start: decoded.to_file_offset(at) as u32, end: decoded.to_file_offset(end) as u32 };
            let mut push = |offset: Option<u32>| {
                let reason = match offset {
                    Some(_) => "In the prompt.".to_owned(),
                    None => format!("Not in the prompt: {}", left_out()),
                };
                let (path, excerpt) = (path.to_owned(), excerpt.clone());
                self.places.push(WhyPlace {
                    path,
                    line,
                    range,
                    in_prompt: offset.is_some(),
                    prompt_offset: offset,
                    reason,
                    excerpt,
                });
            };
            let holding = spans.iter().filter(|(from, to, _)| *from <= at && end <= *to);
            let mut offsets = holding.map(|(from, _, prompt)| prompt + (at - from) as u32).peekable();
            if offsets.peek().is_none() {
                push(None);
            }
            offsets.for_each(|offset| push(Some(offset)));
        }
    }

    /// The phrase in the prompt where no single file or template holds it: in values, or across a border.
    fn prompt_alone(&mut self) {
        let text = self.assembly.text();
        let known: HashSet<u32> = self.places.iter().filter_map(|place| place.prompt_offset).collect();
        let mut lines = Lines::of(&text);
        let alone = self.phrase.find(&text).into_iter().filter(|found| !known.contains(&(found.start as u32)));
        for std::ops::Range { start: at, end } in alone {
            let (path, from) = match source_at(&self.assembly.sections, at as u32) {
                Some(Source::File { path, .. }) => (path.to_string(), "a file, and runs on into what follows"),
                Some(Source::Template { path, .. }) => (path.to_string(), "a template, and runs on into what follows"),
                Some(Source::Value { name }) => (format!("value {name}"), "a computed value"),
                Some(Source::Literal { name }) => (format!("literal {name}"), "a text fixed by the variant"),
                Some(Source::Fallback) | None => {
                    ("fallback".to_owned(), "the line that is printed when nothing is there")
                }
            };
            let (line, excerpt) = (lines.at(at), excerpt(&text, lines.start));
            self.places.push(WhyPlace {
                path,
                line,
                range: RangeOutput { start: at as u32, end: end as u32 },
                in_prompt: true,
                prompt_offset: Some(at as u32),
                reason: format!("In the prompt, where line and range are the prompt's own: it comes from {from}."),
                excerpt,
            });
        }
    }
}

/// The source of byte `at` of the prompt.
fn source_at(sections: &[Section], at: u32) -> Option<&Source> {
    let section = &sections[sections.partition_point(|section| section.start <= at).checked_sub(1)?];
    let within = at - section.start;
    let span = section.spans.partition_point(|span| span.start <= within).checked_sub(1)?;
    section.spans.get(span).filter(|span| within < span.end).map(|span| &span.source)
}

/// Why a file's bytes are not in the prompt.
fn left_out(snapshot: &Snapshot, assembly: &Assembly, path: &str) -> String {
    if let Some(skipped) = assembly.skipped.iter().find(|skipped| skipped.path.as_deref() == Some(path)) {
        return skipped.detail.to_string();
    }
    if let Some(skill) = assembly.skills.iter().find(|skill| skill.path == path) {
        return match (&skill.reason, skill.state) {
            (Some(reason), _) => reason.to_string(),
            (None, SkillState::Always) => {
                "of this skill the agent is given what stands below the front matter.".to_owned()
            }
            (None, _) => "only this skill's description is; the agent opens the file when it needs it.".to_owned(),
        };
    }
    if let Some((name, _)) = snapshot.app.templates.iter().find(|(_, entry)| *entry.path == *path) {
        return if snapshot.workspace.files.contains_key(name) {
            format!("it is the text that a new {name} is made from.")
        } else {
            NO_BRANCH.to_owned()
        };
    }
    let global = |path: &str| path.strip_prefix(&*snapshot.global.path).is_some_and(|rest| rest.starts_with('/'));
    if assembly.layered && global(path) {
        return "it belongs to the global profile, and the project's own is read instead.".to_owned();
    }
    "these bytes are not part of what the agent takes from this file.".to_owned()
}

/// The line that begins at `start`, cut.
fn excerpt(text: &str, start: usize) -> String {
    let line: String = text[start..].chars().take_while(|&c| c != '\n').take(EXCERPT).collect();
    line.trim_end().to_owned()
}
