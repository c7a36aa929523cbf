//! `cbw why`: where a phrase stands, in files that are read and in files that are not, and why it is or is not in
//! the prompt.

use std::collections::HashSet;
use std::sync::Arc;

use model::{Assembly, Snapshot, Source, SourceFile};

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
    Ok(WhyOutput {
        schema_version: OUTPUT_VERSION,
        phrase: phrase.to_owned(),
        places: places(&assembled.inputs.snapshot, &assembled.assembly, phrase),
    })
}

/// Every place of the phrase: in files the target looks for, in files it ignores, and in the prompt alone.
pub fn places(snapshot: &Snapshot, assembly: &Assembly, phrase: &str) -> Vec<WhyPlace> {
    let mut places = Vec::new();
    let mut seen = HashSet::new();
    for file in snapshot.entries().filter_map(|entry| entry.source()) {
        if seen.insert(file.path.clone()) {
            in_file(file, assembly, phrase, &mut places);
        }
    }
    for ignored in snapshot.workspace.ignored.iter().chain(&snapshot.global.ignored) {
        if ignored.size <= LARGEST
            && seen.insert(Arc::from(ignored.path.as_str()))
            && let Ok(bytes) = std::fs::read(&ignored.path)
        {
            let text = String::from_utf8_lossy(&bytes);
            places.extend(occurrences(&text, phrase).map(|at| {
                place(&ignored.path, &text, at, phrase, None, format!("Not in the prompt: {}", ignored.reason))
            }));
        }
    }
    in_prompt_only(assembly, phrase, &mut places);
    places
}

fn in_file(file: &Arc<SourceFile>, assembly: &Assembly, phrase: &str, places: &mut Vec<WhyPlace>) {
    let decoded = file.decoded();
    for at in occurrences(&decoded.text, phrase) {
        let (start, end) = (decoded.to_file_offset(at) as u32, decoded.to_file_offset(at + phrase.len()) as u32);
        let offset = prompt_offset(assembly, &file.path, start, end);
        let reason = match offset {
            Some(_) => "In the prompt.".to_owned(),
            None => reason_left_out(assembly, &file.path),
        };
        let mut found = place(&file.path, &decoded.text, at, phrase, offset, reason);
        found.range = RangeOutput { start, end };
        places.push(found);
    }
}

/// The phrase in the prompt where no single file holds it: in templates, values, or across a border.
fn in_prompt_only(assembly: &Assembly, phrase: &str, places: &mut Vec<WhyPlace>) {
    let text = assembly.text();
    let known: HashSet<u32> = places.iter().filter_map(|place| place.prompt_offset).collect();
    for at in occurrences(&text, phrase).filter(|&at| !known.contains(&(at as u32))) {
        let section = assembly.sections.iter().find(|section| (section.start..section.end()).contains(&(at as u32)));
        let source = section.and_then(|section| {
            let within = at as u32 - section.start;
            section.spans.iter().find(|span| (span.start..span.end).contains(&within)).map(|span| &span.source)
        });
        let (path, from) = match source {
            Some(Source::File { path, .. }) => (path.to_string(), "a file, and runs on into what follows"),
            Some(Source::Template { path, .. }) => (path.to_string(), "a template"),
            Some(Source::Value { name }) => (format!("value {name}"), "a computed value"),
            Some(Source::Literal { name }) => (format!("literal {name}"), "a text fixed by the variant"),
            Some(Source::Fallback) | None => ("fallback".to_owned(), "the line that is printed when nothing is there"),
        };
        places.push(place(&path, &text, at, phrase, Some(at as u32), format!("In the prompt: it comes from {from}.")));
    }
}

/// Where bytes `start..end` of a file stand in the prompt, when all of them do in one piece.
fn prompt_offset(assembly: &Assembly, path: &str, start: u32, end: u32) -> Option<u32> {
    assembly.sections.iter().find_map(|section| {
        section.spans.iter().find_map(|span| match &span.source {
            Source::File { path: of, start: from, end: to }
                if **of == *path && *from <= start && end <= *to && to - from == span.end - span.start =>
            {
                Some(section.start + span.start + (start - from))
            }
            _ => None,
        })
    })
}

fn reason_left_out(assembly: &Assembly, path: &str) -> String {
    let skipped = assembly.skipped.iter().find(|skipped| skipped.path.as_deref() == Some(path));
    let skill = assembly.skills.iter().find(|skill| skill.path == path);
    match (skipped, skill) {
        (Some(skipped), _) => format!("Not in the prompt: {}", skipped.detail),
        (None, Some(skill)) => skill.reason.as_ref().map_or_else(
            || {
                "Not in the prompt: only this skill's description is; the agent opens the file when it needs it."
                    .to_owned()
            },
            |reason| format!("Not in the prompt: {reason}"),
        ),
        (None, None) => {
            "Not in the prompt: these bytes are not part of what the agent takes from this file.".to_owned()
        }
    }
}

fn occurrences<'a>(text: &'a str, phrase: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(phrase).map(|(at, _)| at)
}

fn place(path: &str, text: &str, at: usize, phrase: &str, offset: Option<u32>, reason: String) -> WhyPlace {
    let line_start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line_end = text[at..].find('\n').map_or(text.len(), |end| at + end);
    WhyPlace {
        path: path.to_owned(),
        line: text[..at].matches('\n').count() as u32 + 1,
        range: RangeOutput { start: at as u32, end: (at + phrase.len()) as u32 },
        in_prompt: offset.is_some(),
        prompt_offset: offset,
        reason,
        excerpt: text[line_start..line_end].trim_end().chars().take(EXCERPT).collect(),
    }
}
