//! Starts the window of Catbuddy Workbench.

#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

use std::process::ExitCode;

use catbuddy_workbench_lib::{Options, prepare_rendering, run};

fn main() -> ExitCode {
    let options = Options::from_command_line();
    // First of all, while there is one thread: it sets environment variables.
    prepare_rendering(options.rendering());
    match run(options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!(%error, "the window could not be opened");
            complain(&format!("The window could not be opened: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Tells the person at the terminal, who may have no log to look into yet.
#[allow(clippy::print_stderr, reason = "there is no window to say it in")]
fn complain(message: &str) {
    eprintln!("{message}");
}
