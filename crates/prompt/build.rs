//! Says which folders are embedded, so that a change of a shipped text rebuilds this crate.

#![allow(clippy::print_stdout, reason = "this is how a build script speaks to cargo")]

fn main() {
    println!("cargo::rerun-if-changed=../../variants");
    println!("cargo::rerun-if-changed=../../targets");
}
