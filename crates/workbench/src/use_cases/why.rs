//! `cbw why`: where a phrase stands, in files that are read and in files that are not, and why it is or is not in
//! the prompt.

use std::collections::{HashMap, HashSet};

use model::{Assembly, Decoded, Section, SkillState, Snapshot, Source, Span, Variant};

use crate::api::outputs::{OUTPUT_VERSION, RangeOutput, WhyOutput, WhyPlace};
use crate::api::{ApiError, ErrorCode};
use crate::assembling::{self, Request};

/// Longest excerpt that is shown, in characters.
const EXCERPT: usize = 160;
/// Largest file that is not read by the target but searched, in bytes.
const LARGEST: u64 = 8 * 1024 * 1024;

/// Searches a phrase, byte for byte.
///
/// # Errors
/// An empty phrase; a context or variant that cannot be used.
pub fn why(request: &Request, phrase: &str) -> Result<WhyOutput, ApiError> {
    if phrase.is_empty() {
        return Err(ApiError::new(ErrorCode::Invalid, "Give a phrase to look for."));
    }
    let assembled = assembling::run(request, None)?;
    let inputs = &assembled.inputs;
    Ok(WhyOutput {
        schema_version: OUTPUT_VERSION,
        phrase: phrase.to_owned(),
        places: places(&inputs.snapshot, &inputs.variant, &assembled.assembly, phrase),
    })
}

/// Every place of the phrase: in files the target looks for, in templates, in files it ignores, and in the prompt
/// alone. A place of a file that stands in the prompt several times is listed as often.
pub fn places(snapshot: &Snapshot, variant: &Variant, assembly: &Assembly, phrase: &str) -> Vec<WhyPlace> {
    let mut search = Search { assembly, spans: spans_by_path(assembly), phrase, places: Vec::new() };
    let mut seen = HashSet::new();
    for file in snapshot.entries().filter_map(|entry| entry.source()) {
        if seen.insert(file.path.to_string()) {
            search.file(&file.path, file.decoded(), || left_out(snapshot, assembly, &file.path));
        }
    }
    for (name, text) in &variant.texts {
        let path = format!("{}/{name}", variant.folder);
        if seen.insert(path.clone()) {
            search.file(&path, &Decoded::new(text.as_bytes()), || NO_BRANCH.to_owned());
        }
    }
    for ignored in snapshot.workspace.ignored.iter().chain(&snapshot.global.ignored) {
        if ignored.size <= LARGEST
            && seen.insert(ignored.path.clone())
            && let Ok(bytes) = std::fs::read(&ignored.path)
        {
            search.file(&ignored.path, &Decoded::new(&bytes), || ignored.reason.clone());
        }
    }
    search.prompt_alone();
    search.places
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
    phrase: &'a str,
    places: Vec<WhyPlace>,
}

impl Search<'_> {
    /// The phrase in one file. `left_out` says why a place of it is not in the prompt.
    fn file(&mut self, path: &str, decoded: &Decoded, left_out: impl Fn() -> String) {
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
        let mut lines = Lines::new(&decoded.text);
        for at in occurrences(&decoded.text, self.phrase) {
            let end = at + self.phrase.len();
            let (line, excerpt) = lines.at(at);
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
        let mut lines = Lines::new(&text);
        for at in occurrences(&text, self.phrase).filter(|&at| !known.contains(&(at as u32))) {
            let (path, from) = match source_at(&self.assembly.sections, at as u32) {
                Some(Source::File { path, .. }) => (path.to_string(), "a file, and runs on into what follows"),
                Some(Source::Template { path, .. }) => (path.to_string(), "a template, and runs on into what follows"),
                Some(Source::Value { name }) => (format!("value {name}"), "a computed value"),
                Some(Source::Literal { name }) => (format!("literal {name}"), "a text fixed by the variant"),
                Some(Source::Fallback) | None => {
                    ("fallback".to_owned(), "the line that is printed when nothing is there")
                }
            };
            let (line, excerpt) = lines.at(at);
            self.places.push(WhyPlace {
                path,
                line,
                range: RangeOutput { start: at as u32, end: (at + self.phrase.len()) as u32 },
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
        return skipped.detail.clone();
    }
    if let Some(skill) = assembly.skills.iter().find(|skill| skill.path == path) {
        return match (&skill.reason, skill.state) {
            (Some(reason), _) => reason.clone(),
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

fn occurrences<'a>(text: &'a str, phrase: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(phrase).map(|(at, _)| at)
}

/// Line numbers of ascending places in a text, counted once.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    start: usize,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, at: 0, line: 1, start: 0 }
    }

    /// The line, from 1, of byte `at`, which is not before the last one asked for; and the beginning of that line.
    fn at(&mut self, at: usize) -> (u32, String) {
        for (end, _) in self.text[self.at..at].match_indices('\n') {
            self.line += 1;
            self.start = self.at + end + 1;
        }
        self.at = at;
        let line = self.text[self.start..].chars().take_while(|&c| c != '\n').take(EXCERPT);
        (self.line, line.collect::<String>().trim_end().to_owned())
    }
}
