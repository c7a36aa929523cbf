//! `cbw` over temporary homes.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failed test panics")]

mod bad_input;
mod check_again;
mod check_cases;
mod check_table;
mod checking;
mod commands;
mod memory;
mod paths;
mod projects;
mod skills;
mod two_processes;
mod vectors;
mod why;
