//! `cbw memory`: the memory files, and what the agent would append to them.

use std::process::ExitCode;

use workbench::api::{ApiError, MemorySplit};
use workbench::use_cases::memory_split::{self, How};

use crate::arguments::{Global, MemoryCommand};
use crate::output;
use crate::run::{fine, read_text, request};

/// Runs `cbw memory …`.
pub(crate) fn run(global: &Global, command: &MemoryCommand) -> Result<ExitCode, ApiError> {
    match command {
        MemoryCommand::Split { file, label, layered, time } => {
            let how = How { label: label.clone(), layered: *layered, time: time.clone() };
            let summary = read_text(file.as_deref())?;
            let split = memory_split::split(&request(global, None)?, &summary, &how)?;
            if global.json {
                return fine(output::json(&split));
            }
            for note in &split.notes {
                output::warning(global.quiet, note);
            }
            fine(output::text(&added(&split)))
        }
    }
}

/// What is new in each file, below its path.
fn added(split: &MemorySplit) -> String {
    let layers = [
        (&split.paths.global, &split.added.global, "the global profile's memory"),
        (&split.paths.project, &split.added.project, "the project's memory"),
    ];
    let told = layers.into_iter().filter_map(|(path, added, name)| {
        let added = added.as_deref()?;
        Some(format!("At the end of {}:{added}", path.as_deref().unwrap_or(name)))
    });
    told.collect::<Vec<_>>().join("\n")
}
