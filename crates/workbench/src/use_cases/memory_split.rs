//! `cbw memory split`: what the agent would append to its memory files for a summary. Nothing is written.

use jiff::Timestamp;
use model::paths::resolve;
use model::{Content, Entry, Snapshot, Target};
use prompt::memory::{self, Added, LABEL};

use crate::api::outputs::OUTPUT_VERSION;
use crate::api::{ApiError, ErrorCode, MemorySections, MemorySplit, MemoryTexts};
use crate::assembling::{self, Request};

/// How a summary comes in.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct How {
    /// The name in the headings; [`LABEL`] when absent.
    pub label: Option<String>,
    /// Split between both layers even where no project is open.
    pub layered: bool,
    /// The moment of appending, RFC 3339; the context's when absent, else now.
    pub time: Option<String>,
}

/// What the agent would append for `summary`, to the memory files of the request's workspace as they are on disk.
///
/// # Errors
/// As [`assembling::read`]; [`ErrorCode::Invalid`] for a time that is none.
pub fn split(request: &Request, summary: &str, how: &How) -> Result<MemorySplit, ApiError> {
    let inputs = assembling::read(request)?;
    let given = how.time.as_deref().or(inputs.context.time.as_deref());
    let time = match given {
        None => inputs.machine.now,
        Some(text) => text.parse().map_err(|_| {
            ApiError::english(
                ErrorCode::Invalid,
                format!("\"{text}\" is no time. Write it as 2025-03-04T05:06:07Z, with its zone."),
            )
            .with("time", text)
        })?,
    };
    let layered = how.layered || layered(&inputs.snapshot);
    Ok(look(&inputs.snapshot, &inputs.target, summary, layered, how.label.as_deref().unwrap_or(LABEL), time))
}

/// True when the workspace is a project's. By the text of the paths, as the target compares them.
pub(crate) fn layered(snapshot: &Snapshot) -> bool {
    let places = &snapshot.places;
    resolve(&places.process_cwd, &places.workspace) != resolve(&places.process_cwd, &places.global)
}

/// What would be appended at `time`.
pub(crate) fn look(
    snapshot: &Snapshot,
    target: &Target,
    summary: &str,
    layers: bool,
    label: &str,
    time: Timestamp,
) -> MemorySplit {
    let sections = memory::split(summary);
    let Added { global: to_global, project: to_project } = memory::added(summary, layers, label, time);
    let global = snapshot.global.entry(&target.memory);
    let project = snapshot.workspace.entry(&target.memory).filter(|_| layered(snapshot));
    let path = |entry: Option<&Entry>| entry.map(|entry| entry.path.to_string());
    let mut notes = Vec::new();
    if to_global.is_none() && to_project.is_none() {
        notes.push("The summary says nothing, so no file is touched.".to_owned());
    }
    for (entry, added) in [(global, &to_global), (project, &to_project)] {
        notes.extend(entry.filter(|_| added.is_some()).and_then(note));
    }
    MemorySplit {
        schema_version: OUTPUT_VERSION,
        label: label.to_owned(),
        time: time.to_string(),
        layered: layers,
        split: MemorySections {
            user_profile: sections.user_profile.map(str::to_owned),
            project_context: sections.project_context.map(str::to_owned),
        },
        appended: MemoryTexts {
            global: after(global, to_global.as_deref()),
            project: after(project, to_project.as_deref()),
        },
        paths: MemoryTexts { global: path(global), project: path(project) },
        added: MemoryTexts { global: to_global, project: to_project },
        notes,
    }
}

/// The file's text after appending. What cannot be read is nothing to the target.
fn after(entry: Option<&Entry>, added: Option<&str>) -> Option<String> {
    let before = entry.and_then(|entry| entry.source()).map(|file| &**file.text());
    match (before, added) {
        (None, None) => None,
        (before, added) => Some(format!("{}{}", before.unwrap_or_default(), added.unwrap_or_default())),
    }
}

/// What goes wrong when the target appends to a file.
fn note(entry: &Entry) -> Option<String> {
    let path = &entry.path;
    match &entry.content {
        Content::File(file) => file.decoded().first_bad_offset().map(|offset| {
            format!(
                "{path} is not UTF-8: the byte at offset {offset} and all others like it become U+FFFD when the agent \
                 writes the file back."
            )
        }),
        Content::Missing => None,
        Content::Folder => Some(format!("{path} is a folder. The agent cannot append to it.")),
        Content::Special(kind) => Some(format!("{path} is a {kind}. It is not looked into.")),
        Content::Unreadable(reason) => Some(format!(
            "{path} cannot be read: {reason}. The agent takes it for empty, and writes over it when it may."
        )),
    }
}
