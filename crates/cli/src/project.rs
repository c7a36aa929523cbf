//! `cbw project`: parse, call the use case, print the list as it is then.

use std::path::Path;
use std::process::ExitCode;

use model::paths::resolve;
use workbench::api::ApiError;
use workbench::machine::Machine;
use workbench::place::text;
use workbench::use_cases::projects::{self, Listed};

use crate::arguments::{Global, ProjectCommand};
use crate::output::{self, FOUND};

/// Does what `command` says to the list of `home`. A list that cannot be read is exit 1 for `list`.
pub(crate) fn run(home: &Path, command: &ProjectCommand, global: &Global) -> Result<ExitCode, ApiError> {
    let full = |path: &Path| resolve(&Machine::here().process_cwd, &text(path));
    let changed = match command {
        ProjectCommand::List => {
            let read = projects::list(home);
            for finding in &read.findings {
                output::warning(global.quiet, &finding.message);
            }
            print(&read.value, &read.findings, global.json)?;
            return Ok(if read.findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(FOUND) });
        }
        ProjectCommand::Add { path, name } => projects::add(home, &full(path), name.as_deref())?,
        ProjectCommand::Remove { path } => projects::remove(home, &full(path))?,
        ProjectCommand::Move { path, position } => projects::move_to(home, &full(path), *position as usize - 1)?,
    };
    print(&changed, &[], global.json)?;
    Ok(ExitCode::SUCCESS)
}

fn print(listed: &[Listed], findings: &[model::Finding], json: bool) -> Result<(), ApiError> {
    if json {
        return output::json(&projects::output(listed, findings));
    }
    output::text(&listed.iter().enumerate().map(line).collect::<String>())
}

fn line((index, one): (usize, &Listed)) -> String {
    let about = one.problem.map(|problem| format!("  ({})", problem.word().replace('_', " "))).unwrap_or_default();
    format!("{}  {}  {}{about}\n", index + 1, one.project.label(), one.project.path)
}
