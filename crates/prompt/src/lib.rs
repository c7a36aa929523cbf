//! Assembly of the system prompt: variants, templates, sections, source map.
//!
//! Pure: no file, clock, environment or network is touched. What was read comes in as a [`model::Snapshot`],
//! the prompt design as a [`model::Variant`], the host program as a [`model::Target`], everything else as a
//! [`model::Context`]; a [`model::Assembly`] comes out. The same input gives the same bytes.
//!
//! The rules of the target `catbuddy` that the modules name "facts" are those its vectors hold
//! (`tests/vectors/catbuddy`).

mod assemble;
mod base;
mod budget;
mod cache;
mod components;
mod defaults;
mod dialect;
mod emulate;
pub mod engine;
mod front_matter;
mod items;
mod js;
mod mcp;
pub mod memory;
mod messages;
mod sections;
mod shelf_view;
mod shipped;
mod skills;
mod standing;
pub mod targets;
mod templates;
mod traced;
mod variables;
mod variants;
mod words;

pub use assemble::{Assembler, Inputs, assemble};
pub use budget::degrade;
pub use cache::TargetCache;
pub use emulate::{EmulateError, EmulatedBuild, Step, emulate, read_steps};
pub use mcp::tool_block_hash;
pub use messages::Attachments;
pub use shelf_view::{SkillReading, read_skills};
pub use shipped::shipped_app;
pub use variants::{VariantError, VariantErrorKind, load_variant, shipped};
