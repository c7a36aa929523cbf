//! The binary itself: help names every command. Its presence also makes `cargo test` build `cbw` for the
//! whole-product tests.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use assert_cmd::Command;

#[test]
fn help_names_every_command() {
    let output = Command::new(env!("CARGO_BIN_EXE_cbw")).arg("--help").output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    for command in
        ["assemble", "check", "compare", "context", "emulate", "history", "init", "render", "schema", "tokens", "why"]
    {
        assert!(help.contains(&format!("\n  {command} ")), "{command} is not in\n{help}");
    }
}
