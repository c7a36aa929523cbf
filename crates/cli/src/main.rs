//! `cbw`, the command-line twin: the same use cases as the window, for machines without a screen.
//!
//! Texts are exact bytes with nothing added. Exit 0: fine; 1: findings, or the target itself would fail; 2: wrong
//! use, or something cannot be read or written (the message says what, where, and what to do).

mod arguments;
mod memory;
mod output;
mod project;
mod run;
mod skills;

use std::process::ExitCode;

use clap::Parser as _;

use crate::arguments::Arguments;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return output::usage_error(&error),
    };
    let json = arguments.global.json || arguments.command.prints_json();
    match run::run(&arguments) {
        Ok(code) => code,
        Err(error) => output::failure(&error, json),
    }
}
