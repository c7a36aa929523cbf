//! Shared pieces of the whole-product tests: a temporary machine with a home and a project, and the `cbw` binary.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "test support: a failure must stop the test"
)]

pub mod cbw;
pub mod fixture;
pub mod vectors;
pub mod window;
