//! The words that every other crate shares: what was read from disk ([`Snapshot`]), what an assembly
//! may depend on besides ([`Context`], [`Variant`], [`Target`]), and what comes out ([`Assembly`]).
//!
//! Data only: no file, clock, environment or network is touched here, and nothing is computed that
//! needs more than the values themselves.

pub mod assembly;
pub mod context;
pub mod finding;
pub mod hash;
pub mod message;
pub mod paths;
pub mod snapshot;
mod snapshot_edit;
pub mod source;
pub mod spelling;
pub mod target;
pub mod text;
pub mod variant;

pub use assembly::{
    Assembly, Fingerprint, FingerprintPart, Section, Skill, SkillOrigin, SkillState, SkipReason, Skipped, Source, Span,
    Stability, TargetError, TargetErrorKind, ToolSchema, UserMessage,
};
pub use context::{Context, ContextError, DEFAULT_CHANNEL, FileAccess, McpList, McpServer, McpTool, SkillPrecedence};
pub use finding::{ByteRange, Finding, Fix, Parsed, Severity};
pub use hash::ContentHash;
pub use message::Message;
pub use snapshot::{AppFiles, AppOrigin, Content, Entry, Folder, Ignored, Link, Places, SkillFolder, Snapshot};
pub use source::{Decoded, FileIdentity, LineEnds, SourceFile, SourceOrigin};
pub use target::{BootstrapFile, Target};
pub use text::{Arg, Language, Text, Words, speaking};
pub use variant::{ComponentSpec, Engine, Tidy, Variant};
