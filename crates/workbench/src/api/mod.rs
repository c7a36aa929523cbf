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
mod merge;
pub mod outputs;
mod preview;
mod projects;
mod skills;
mod versions;
mod why;
mod workspace;

pub use commands::{COMMANDS, CommandInfo, ContextName, ContextText, Framed, Nothing};
pub use context::{ContextCheck, ContextKeyView, ContextList, ContextSave, ContextValueView, ContextView, KeyKindView};
pub use document::{
    ConflictView, DiskView, DocumentView, EditRequest, EditResult, FileProblem, FileRef, FileState, LineEndsView,
    ProblemView, SaveAgreed, SaveResult, TextChange, TypedRequest, TypedView,
};
pub use error::{ApiError, ErrorCode};
pub use fixes::{ConvertRequest, DecodingView, DecodingsView, FixActionView, FixRequest, FixView, RenamedView};
pub use form::{
    ChoiceView, FormBlockView, FormChange, FormControl, FormEditRequest, FormEditView, FormFieldView, FormGroupView,
    FormItemView, FormRequest, FormView, FormWidth, KeptView, LinesView,
};
pub use history::{
    HistoryPage, HistoryRequest, HistoryRowView, HistoryShare, HistoryUsage, RetentionRequest, RetentionView,
};
pub use memory::{
    MemoryCopy, MemoryDuplicate, MemoryEntryView, MemoryLayer, MemoryMark, MemoryOwner, MemoryPoint, MemorySections,
    MemorySize, MemorySplit, MemorySplitRequest, MemoryTexts, MemoryView,
};
pub use merge::{HunkKindView, HunkView, MergeProblem, MergeView, MergedRequest};
pub use preview::{
    CacheView, CountView, FindingView, FingerprintPartView, FingerprintView, MessageView, PreviewHead, PreviewRequest,
    RangeView, SectionView, SeverityView, SkippedView, SourceKind, SourceView, SpanView, StabilityView, StageView,
    TargetErrorView, ToolSchemaView,
};
pub use projects::{
    AboutView, AppFound, FilesMade, LastSeen, LayoutChoice, PlaceChoices, ProfileChoice, ProjectFolder, ProjectList,
    ProjectProblem, ProjectRow, ProjectsChange, WorkspaceFolder,
};
pub use skills::{
    NotASkill, SkillBudget, SkillCopy, SkillCost, SkillCounts, SkillDone, SkillField, SkillLink, SkillName, SkillNew,
    SkillRow, SkillSwitch, SkillTrashed, SkillYaml, SkillYamlError, SkillsChanged, SkillsView,
};
pub use versions::{
    LostDraft, LostDraftHead, LostDraftName, LostDrafts, VersionHead, VersionKindView, VersionList, VersionRequest,
    VersionView, VersionsRequest,
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
