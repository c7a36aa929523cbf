//! The one list of commands. Handlers of the desktop shell, its capability list and the TypeScript client are
//! derived from it, so that a command without an adapter does not compile.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The request of a command that takes none.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, TS)]
pub struct Nothing {}

/// A reply with a text beside it that must not be wrapped into JSON: a header and a body of UTF-8.
///
/// On the wire: the header's length in bytes (u32, little endian), the header as JSON, the body.
#[derive(Clone, Debug)]
pub struct Framed<T> {
    /// The header.
    pub head: T,
    /// The body.
    pub body: Vec<u8>,
}

impl<T: Serialize> Framed<T> {
    /// The bytes that cross the wire.
    ///
    /// # Errors
    /// When the header cannot be written as JSON.
    pub fn to_bytes(&self) -> Result<Vec<u8>, serde_json::Error> {
        let head = serde_json::to_vec(&self.head)?;
        let mut bytes = Vec::with_capacity(4 + head.len() + self.body.len());
        bytes.extend_from_slice(&(head.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&head);
        bytes.extend_from_slice(&self.body);
        Ok(bytes)
    }
}

/// One command, for generators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CommandInfo {
    /// Its name.
    pub name: &'static str,
    /// Name of the request type.
    pub request: &'static str,
    /// Name of the reply type.
    pub reply: &'static str,
    /// True when the reply is framed.
    pub framed: bool,
}

/// Calls `$callback!` with every command as `name(Request) -> json Reply;` or `name(Request) -> framed Reply;`.
/// `name` is also the function of [`crate::window`] that does it.
#[macro_export]
macro_rules! for_each_command {
    ($callback:ident) => {
        $callback! {
            /// What the window needs at its start.
            boot(Nothing) -> json Boot;
            /// Opens a workspace, a project, the sample or a starter.
            open(OpenRequest) -> json WorkspaceView;
            /// The open workspace as it is now.
            workspace(Nothing) -> json WorkspaceView;
            /// Closes the workspace; drafts stay.
            close(Nothing) -> json Boot;
            /// Assembles.
            preview(PreviewRequest) -> framed PreviewHead;
            /// Opens a file.
            document(FileRef) -> framed DocumentView;
            /// Adds keystrokes to a file's draft, and assembles.
            edit(TypedRequest) -> framed TypedView;
            /// Writes a draft to disk, unless the file changed there meanwhile.
            save(FileRef) -> json SaveResult;
            /// Saves though something speaks against it that the person agreed to.
            save_agreed(SaveAgreed) -> json SaveResult;
            /// What stands on disk, whatever is being edited.
            disk(FileRef) -> framed DiskView;
            /// Throws a draft away: the file is as on disk.
            take_disk(FileRef) -> framed DocumentView;
            /// Keeps a draft in a conflict: the next save replaces what is on disk now.
            keep_mine(FileRef) -> framed DocumentView;
            /// The repair of a finding: changes for the window to make, or a file that was renamed.
            fix(FixRequest) -> json FixView;
            /// Gives a file back the name that a repair took from it.
            undo_rename(RenamedView) -> json FixView;
            /// A file that is not UTF-8 in the encodings it may be in.
            decodings(FileRef) -> json DecodingsView;
            /// Makes the text of a file, read in an encoding, its draft.
            convert(ConvertRequest) -> framed DocumentView;
            /// A draft and what stands on disk, in pieces.
            merge(FileRef) -> json MergeView;
            /// The draft was merged with what stands on disk, and is an edit of that from now on.
            merged(MergedRequest) -> framed DocumentView;
            /// The versions of a file.
            versions(VersionsRequest) -> json VersionList;
            /// One version of a file.
            version(VersionRequest) -> framed VersionHead;
            /// Writes the bytes of a version that is no text back to disk.
            restore_version(VersionRequest) -> json SaveResult;
            /// A file as a form.
            form(FormRequest) -> json FormView;
            /// What a change of a field does to the text; the window makes the edit.
            form_edit(FormEditRequest) -> json FormEditView;
            /// Every skill: what the agent makes of it, and what it costs.
            skills(Nothing) -> json SkillsView;
            /// Makes a skill; never overwrites.
            skill_create(SkillNew) -> json SkillsChanged;
            /// Copies a skill into the workspace.
            skill_duplicate(SkillCopy) -> json SkillsChanged;
            /// Takes a skill to the trash.
            skill_delete(SkillName) -> json SkillsChanged;
            /// Brings a skill back from the trash.
            skill_restore(SkillTrashed) -> json SkillsChanged;
            /// Switches a skill on or off in the host's configuration.
            skill_switch(SkillSwitch) -> json SkillsChanged;
            /// Named contexts and their keys.
            contexts(Nothing) -> json ContextList;
            /// One named context.
            context(ContextName) -> json ContextView;
            /// Keeps a named context.
            save_context(ContextSave) -> json ContextList;
            /// Removes a named context.
            remove_context(ContextName) -> json ContextList;
            /// Reads a context text without keeping it.
            check_context(ContextText) -> json ContextCheck;
            /// A page of the history.
            history(HistoryRequest) -> json HistoryPage;
            /// What the agent remembers.
            memory(Nothing) -> json MemoryView;
            /// What the agent would append for a summary. Nothing is written.
            memory_split(MemorySplitRequest) -> json MemorySplit;
            /// Where a phrase stands, and why it is or is not in the prompt.
            why(WhyRequest) -> json WhyView;
            /// A prompt that was really sent beside the prompt as it is now.
            compare_log(CompareLogRequest) -> json CompareLogView;
            /// The settings.
            settings(Nothing) -> json Settings;
            /// Keeps the settings.
            save_settings(Settings) -> json Settings;
            /// The list of projects, each looked at.
            projects(Nothing) -> json ProjectList;
            /// Changes the list of projects.
            change_projects(ProjectsChange) -> json ProjectList;
            /// Switches the global profile off or on for a workspace.
            choose_profile(ProfileChoice) -> json Nothing;
            /// Remembers where the person is in the open workspace.
            remember(LastSeen) -> json Nothing;
            /// Makes the default files that a workspace lacks.
            make_files(WorkspaceFolder) -> json FilesMade;
            /// What the settings screen says about this installation.
            about(Nothing) -> json AboutView;
            /// What limits would remove from the history. Nothing is removed.
            retention_preview(RetentionRequest) -> json RetentionView;
            /// Drafts that no workspace brings back.
            lost_drafts(Nothing) -> json LostDrafts;
            /// The text of one of them.
            lost_draft(LostDraftName) -> framed LostDraftHead;
            /// Throws one of them away; it becomes a version.
            discard_lost_draft(LostDraftName) -> json LostDrafts;
        }
    };
}

/// A context by name.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct ContextName {
    /// Its name.
    pub name: String,
}

/// A context as text.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct ContextText {
    /// The text of its file.
    pub json: String,
}

macro_rules! list_commands {
    ($($(#[$doc:meta])* $name:ident($request:ident) -> $kind:ident $reply:ident;)+) => {
        /// Every command.
        pub const COMMANDS: &[CommandInfo] = &[$(CommandInfo {
            name: stringify!($name),
            request: stringify!($request),
            reply: stringify!($reply),
            framed: matches!(stringify!($kind).as_bytes(), b"framed"),
        },)+];
    };
}
for_each_command!(list_commands);
