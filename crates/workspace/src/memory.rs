//! What stands in a memory file: its entries with their dates, and what it says twice.
//!
//! Works on texts and names byte ranges of them; nothing is read, changed or judged to be superfluous. Entries cover a
//! text exactly once, so that any of them can be taken out by its range. Never fails.

mod duplicates;
mod entries;
mod words;

pub use duplicates::{Copy, Duplicate, duplicates};
pub use entries::{Entry, Kind, entries};
