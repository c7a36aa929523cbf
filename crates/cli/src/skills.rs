//! `cbw skills`: parse, call the use case, print.

use std::fmt::Write as _;
use std::process::ExitCode;

use workbench::api::{ApiError, SkillDone, SkillNew, SkillSwitch, SkillsView};
use workbench::use_cases::skills::on_disk::{self, Act};

use crate::arguments::{Global, SkillsCommand};
use crate::output;
use crate::run::{fine, read_text, request};

/// Runs `cbw skills …`.
pub(crate) fn run(global: &Global, command: &SkillsCommand) -> Result<ExitCode, ApiError> {
    let request = request(global, None)?;
    let switch = |name: &String, enabled| Act::Switch(SkillSwitch { name: name.clone(), enabled });
    let act = match command {
        SkillsCommand::List => {
            let view = on_disk::listed(&request)?;
            if let Some(problem) = &view.config_problem {
                output::warning(global.quiet, problem);
            }
            return fine(if global.json { output::json(&view) } else { output::text(&table(&view)) });
        }
        SkillsCommand::New { name, description, file } => {
            let body = file.as_deref().map(|file| read_text(Some(file))).transpose()?.unwrap_or_default();
            Act::Create(SkillNew { name: name.clone(), description: description.clone(), body })
        }
        SkillsCommand::Duplicate { name, new_name, builtin } => {
            Act::Duplicate { name: name.clone(), new_name: new_name.clone(), builtin: *builtin }
        }
        SkillsCommand::Delete { name } => Act::Delete(name.clone()),
        SkillsCommand::Restore { stored } => Act::Restore(stored.clone()),
        SkillsCommand::Enable { name } => switch(name, true),
        SkillsCommand::Disable { name } => switch(name, false),
    };
    let done = on_disk::act(&request, &act)?;
    if global.json {
        return fine(output::json(&done));
    }
    for note in &done.notes {
        output::warning(global.quiet, note);
    }
    fine(output::text(&line(command, &done)))
}

fn line(command: &SkillsCommand, done: &SkillDone) -> String {
    let path = &done.path;
    match (command, &done.trashed) {
        (_, Some(trashed)) => {
            format!("deleted {path}\nin the trash: {}\n", trashed.stored)
        }
        _ if !done.changed => format!("nothing to do: {path} says so already\n"),
        (SkillsCommand::Enable { .. } | SkillsCommand::Disable { .. }, None) => format!("changed {path}\n"),
        (SkillsCommand::Restore { .. }, None) => format!("restored {path}\n"),
        _ => format!("made {path}\n"),
    }
}

fn table(view: &SkillsView) -> String {
    let counts = view.counts;
    let mut text = format!(
        "{} found, {} loaded: {} always on, {} on demand, {} disabled, {} shadowed, {} broken\n",
        counts.found, counts.loaded, counts.always, counts.on_demand, counts.disabled, counts.shadowed, counts.broken
    );
    for skill in &view.skills {
        let cost = if skill.injected { &skill.body_tokens } else { &skill.line_tokens };
        let tokens =
            cost.as_ref().and_then(|cost| cost.total).map_or_else(|| "–".to_owned(), |total| total.to_string());
        let said = skill.reason.as_deref().unwrap_or(&skill.description);
        // a String takes everything
        let _ = writeln!(text, "{:9}  {:9}  {tokens:>6}  {}: {said}", skill.state, skill.origin, skill.name);
        if let Some(error) = skill.yaml.as_ref().and_then(|yaml| yaml.error.as_ref()) {
            let _ = writeln!(text, "    no YAML, line {}, column {}: {}", error.line, error.column, error.message);
        }
    }
    text
}
