//! The wire: every type that crosses to a shell's user interface, and the list of commands.
//!
//! TypeScript is generated from here into `ui/src/backend/generated/` (`make types`); a test fails when the
//! committed files are stale. Sizes and offsets that fit are `u32`, because JavaScript numbers hold them exactly.

mod commands;
mod context;
mod document;
mod error;
mod fixes;
mod form;
mod history;
mod memory;
pub mod outputs;
mod preview;
pub use projects::{
    AboutView, AppFound, FilesMade, LastSeen, LayoutChoice, PlaceChoices, ProfileChoice, ProjectFolder, ProjectList,
    ProjectProblem, ProjectRow, ProjectsChange, WorkspaceFolder,
};
pub use why::{
    CompareFirst, CompareLogRequest, CompareLogView, CompareSection, WhyKind, WhyLookedAt, WhyPlaceView, WhyRequest,
    WhyView,
};
pub use workspace::{
    AppView, Boot, ChannelView, FileItem, FoundKind, FoundWorkspace, IgnoredView, ModelView, OpenRequest, ProjectView,
    RootId, RootView, Settings, SkillOrder, StarterView, ThemeChoice, VariantView, WorkspaceChanged, WorkspaceView,
};

#[cfg(test)]
mod export;
