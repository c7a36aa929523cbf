//! Token counts, exact or as an interval with its method, and the model catalogue.
//!
//! - [`count`] is exact for the public encodings: OpenAI's `cl100k_base`, `o200k_base`,
//!   `o200k_harmony`.
//! - [`count_for`] answers for any [`Tokenizer`]: exact, an interval that names its method, or
//!   unknown.
//! - [`Counter`] remembers what it counted, so that one edit recounts a few kilobytes and not the
//!   whole text, and counts sections so that parts and joins always sum to the whole.
//! - [`Catalogue`] knows models: context window, dated prices, tokenizer.
//!
//! The crate is pure: no files, no clock, no environment. No text makes it panic, and counting can
//! be cancelled. An unknown count is `None`, never zero. `docs/decisions/0002-counting.md` has the
//! reasons.

mod cancel;
pub mod catalogue;
mod choice;
mod classes;
mod claude;
mod counter;
mod counts;
mod cuts;
mod encoding;
mod families;
mod long_piece;
mod lookalikes;
mod memo;
mod tally;

pub use cancel::{Cancel, NeverCancel};
pub use catalogue::{Catalogue, ModelRow};
pub use choice::{Basis, Family, Tokenizer, TokenizerChoice, catbuddy_encoding};
pub use counter::{Counter, SectionCounts};
pub use counts::{Count, Method, count_for};
pub use encoding::{CountError, Encoding, count};
pub use lookalikes::special_lookalikes;
