//! `cbw memory`: the memory files, and what the agent would append to them.

use std::fmt::Write as _;
use std::process::ExitCode;

use workbench::api::{ApiError, MemoryLayer, MemoryOwner, MemorySplit, MemoryView};
use workbench::use_cases::memory;
use workbench::use_cases::memory_split::{self, How};

use crate::arguments::{AssembleOptions, Global, MemoryCommand};
use crate::output;
use crate::run::{fine, number, read_text, request};

/// Runs `cbw memory …`.
pub(crate) fn run(
    global: &Global,
    options: &AssembleOptions,
    command: Option<&MemoryCommand>,
) -> Result<ExitCode, ApiError> {
    match command {
        None => {
            let view = memory::memory(&request(global, Some(options))?)?;
            if global.json {
                return fine(output::json(&view));
            }
            fine(output::text(&shown(&view)))
        }
        Some(MemoryCommand::Split { file, label, layered, time }) => {
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

/// The layers, then what is said twice.
fn shown(view: &MemoryView) -> String {
    let mut text: String = view.layers.iter().map(|layer| layer_text(layer, view.window)).collect();
    for duplicate in &view.duplicates {
        let what = if duplicate.exact { "the same" } else { "nearly the same" };
        let _ = writeln!(text, "{} places say {what}:", duplicate.copies.len()); // a String takes everything
        for copy in &duplicate.copies {
            let _ = writeln!(text, "    {}:{}: {}", copy.path, copy.line, copy.text.lines().next().unwrap_or_default());
        }
    }
    text
}

fn layer_text(layer: &MemoryLayer, window: Option<u32>) -> String {
    let name = match layer.owner {
        MemoryOwner::You => "About you",
        MemoryOwner::Project => "About this project",
    };
    let share = match (layer.tokens.high, window) {
        (Some(high), Some(window)) if window > 0 => {
            format!(", {:.1}% of the window", f64::from(high) * 100.0 / f64::from(window))
        }
        _ => String::new(),
    };
    let mut text = format!(
        "{name}: {}\n    {}\n    {} bytes, {} tokens ({}){share}; {} entries, {} with a date\n",
        layer.path,
        layer.reason,
        layer.bytes,
        number(layer.tokens.total),
        layer.tokens.method,
        layer.entries_total,
        layer.dated
    );
    for finding in &layer.findings {
        let _ = writeln!(text, "    {}: {}", finding.id, finding.message);
    }
    for entry in &layer.entries {
        let date = entry.date.as_deref().unwrap_or("no date   ");
        let title = [&entry.title, &entry.section].into_iter().flatten().cloned().collect::<Vec<_>>().join(" — ");
        let _ =
            writeln!(text, "    {:>5}: {date}  {:>6}  {title}  {}", entry.line, number(entry.tokens), entry.excerpt);
    }
    text
}
