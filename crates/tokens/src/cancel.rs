//! How a caller stops a long count.

use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that is looked at between two slices of a long count.
pub trait Cancel {
    /// True once the result is no longer wanted.
    fn is_cancelled(&self) -> bool;
}

impl Cancel for AtomicBool {
    fn is_cancelled(&self) -> bool {
        // The flag guards no other data, so no ordering is needed.
        self.load(Ordering::Relaxed)
    }
}

/// For callers who always wait for the result.
#[derive(Clone, Copy, Debug, Default)]
pub struct NeverCancel;

impl Cancel for NeverCancel {
    fn is_cancelled(&self) -> bool {
        false
    }
}
