//! `cbw`: see the crate documentation.
fn main() {}
