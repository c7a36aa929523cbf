//! The real window under a virtual display, as a person meets it.
//!
//! `make test` builds the window first and names it in `CATBUDDY_WINDOW`. Each test has a home, a display and a
//! WebDriver of its own. Nothing is tried twice; what shows why a test failed stays in `target/e2e-failures`.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failure must stop the test")]

mod accessibility;
mod asked;
mod editing;
mod forms;
mod keyboard;
mod keys;
mod languages;
mod opening;
mod outside;
mod panels;
mod pictures;
mod scene;
mod shell;
mod states;
