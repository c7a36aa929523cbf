//! What goes to standard output and standard error.

#![allow(clippy::print_stderr, reason = "this is the one place that prints")]

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::process::ExitCode;

use serde::Serialize;
use serde_json::json;
use workbench::api::{ApiError, ErrorCode};

/// Exit code for findings, an exceeded budget, or a target that would not start.
pub(crate) const FOUND: u8 = 1;
/// Exit code for wrong use and for what cannot be read or written.
pub(crate) const FAILED: u8 = 2;

/// Writes exactly `text`.
pub(crate) fn text(text: &str) -> Result<(), ApiError> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        // Whoever reads has seen enough (`cbw … | head`).
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(ApiError::english(ErrorCode::Failed, format!("Standard output cannot be written: {error}."))),
        Ok(()) => Ok(()),
    }
}

/// Writes a value as indented JSON with a line end.
pub(crate) fn json<T: Serialize>(value: &T) -> Result<(), ApiError> {
    let mut printed = serde_json::to_string_pretty(value).map_err(|error| {
        ApiError::english(ErrorCode::Failed, format!("The result cannot be written as JSON: {error}."))
    })?;
    printed.push('\n');
    text(&printed)
}

/// Writes a warning, unless the person asked for quiet.
pub(crate) fn warning(quiet: bool, message: &str) {
    if !quiet {
        eprintln!("cbw: {message}");
    }
}

/// Reports an error and gives its exit code.
pub(crate) fn failure(error: &ApiError, as_json: bool) -> ExitCode {
    if as_json {
        // When even this cannot be written, the exit code still says it.
        let _ = json(&json!({ "error": error }));
    } else {
        eprintln!("cbw: {}", error.message);
    }
    ExitCode::from(FAILED)
}

/// True for a command line with `--json` or `--as json`, also when clap cannot read it.
fn asks_for_json(arguments: &[OsString]) -> bool {
    arguments.iter().any(|argument| argument == "--json" || argument == "--as=json")
        || arguments.windows(2).any(|pair| pair == ["--as", "json"])
}

/// Reports wrong use, help or version as clap words it. Under `--json` an error is JSON, like every other.
pub(crate) fn usage_error(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let arguments: Vec<_> = std::env::args_os().collect();
    if asks_for_json(&arguments) {
        let message = error.render().to_string();
        return failure(&ApiError::english(ErrorCode::Invalid, message.trim().to_owned()), true);
    }
    let _ = error.print();
    ExitCode::from(FAILED)
}
