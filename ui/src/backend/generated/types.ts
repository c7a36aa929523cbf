// Generated from crates/workbench/src/api by `make types`. Do not edit.

/**
 * An error as `{code, message, context}`.
 */
export type ApiError = { 
/**
 * What to branch on.
 */
code: ErrorCode, 
/**
 * What happened, where, what was kept, and what to do; for people.
 */
message: string, 
/**
 * Named details: `path`, `line`, `column`…
 */
context: { [key in string]: string }, };

/**
 * Codes that a caller branches on. Everything else is `Failed`.
 */
export type ErrorCode = "conflict" | "not_found" | "invalid" | "ambiguous" | "stale" | "failed";

/**
 * What the window needs at its start.
 */
export type Boot = { 
/**
 * The product's version.
 */
version: string, 
/**
 * Workspaces found in the usual places. Looking changed nothing.
 */
found: Array<FoundWorkspace>, 
/**
 * How many places were looked at.
 */
places_looked_at: number, 
/**
 * Sets of files to start from.
 */
starters: Array<StarterView>, 
/**
 * The settings.
 */
settings: Settings, 
/**
 * The workspace that was open last and still is there, opened again.
 */
opened: WorkspaceView | null, 
/**
 * Problems that do not stop the start (history unavailable, broken settings).
 */
findings: Array<FindingView>, };

/**
 * What kind of place a workspace was found at.
 */
export type FoundKind = "global" | "legacy" | "project";

/**
 * A workspace on disk.
 */
export type FoundWorkspace = { 
/**
 * What kind of place it is.
 */
kind: FoundKind, 
/**
 * Name for people.
 */
label: string, 
/**
 * The workspace's folder, absolute.
 */
path: string, 
/**
 * Files the target would read there.
 */
files: number, 
/**
 * Bootstrap files that are absent.
 */
missing: Array<string>, 
/**
 * Projects in the registry (global profile only).
 */
projects: number, 
/**
 * Why it cannot be opened.
 */
problem: string | null, };

/**
 * A set of files to start from.
 */
export type StarterView = { 
/**
 * Its id.
 */
id: string, 
/**
 * Its name.
 */
name: string, 
/**
 * One line.
 */
description: string, 
/**
 * How many files it makes.
 */
files: number, 
/**
 * Tokens of its files.
 */
tokens: CountView, };

/**
 * What to open.
 */
export type OpenRequest = { "kind": "workspace", 
/**
 * Its path.
 */
path: string, } | { "kind": "project", 
/**
 * Its path.
 */
path: string, } | { "kind": "sample" } | { "kind": "starter", 
/**
 * The starter's id.
 */
id: string, };

/**
 * The two roots of a workspace, and the app's resources.
 */
export type RootId = "global" | "workspace" | "app";

/**
 * Everything the left side shows.
 */
export type WorkspaceView = { 
/**
 * Name for people: the project's or the profile's.
 */
name: string, 
/**
 * The opened workspace's folder.
 */
path: string, 
/**
 * True for the sample: edits live in memory, saving is off.
 */
sample: boolean, 
/**
 * True when the workspace is not the global profile's.
 */
layered: boolean, 
/**
 * Rises with each change on disk or of a draft.
 */
revision: number, 
/**
 * The folders with their files.
 */
roots: Array<RootView>, 
/**
 * Whose templates are used.
 */
app: AppView, 
/**
 * Present and never injected.
 */
ignored: Array<IgnoredView>, 
/**
 * The person's projects, in their order.
 */
projects: Array<ProjectView>, 
/**
 * True when the global profile is switched off here: the project's own copy is read.
 */
own_profile: boolean, 
/**
 * Where the person was in it last.
 */
last_seen: LastSeen, 
/**
 * Channels to preview.
 */
channels: Array<ChannelView>, 
/**
 * Variants that can be chosen.
 */
variants: Array<VariantView>, 
/**
 * Models that tokens can be counted for, most asked-for first.
 */
models: Array<ModelView>, 
/**
 * Findings about files.
 */
findings: Array<FindingView>, 
/**
 * False when changes are found by polling, or not at all.
 */
watching: boolean, 
/**
 * Files whose unsaved edits are from an earlier window.
 */
restored: Array<FileRef>, };

/**
 * One folder with its files.
 */
export type RootView = { 
/**
 * Which.
 */
id: RootId, 
/**
 * Name for people.
 */
label: string, 
/**
 * Its path.
 */
path: string, 
/**
 * Files: bootstrap files, memory, then skills.
 */
files: Array<FileItem>, };

/**
 * One file in the list.
 */
export type FileItem = { 
/**
 * Path relative to the root.
 */
path: string, 
/**
 * What the list shows (`SOUL.md`, or a skill's name).
 */
label: string, 
/**
 * `bootstrap`, `memory`, `skill`.
 */
group: string, 
/**
 * Its state.
 */
state: FileState, 
/**
 * Tokens of its text; `None` until counted or when it is missing.
 */
tokens: CountView | null, 
/**
 * True when its text is in the prompt.
 */
injected: boolean, 
/**
 * Why it is not in the prompt, or what is special about it (a link, always on).
 */
note: string | null, };

/**
 * Whose templates and built-in skills are used.
 */
export type AppView = { 
/**
 * True: those of the person's own installed app. False: our own wording.
 */
installed: boolean, 
/**
 * The folder.
 */
path: string | null, };

/**
 * A file that is present and never injected.
 */
export type IgnoredView = { 
/**
 * Its root.
 */
root: RootId, 
/**
 * Relative path.
 */
path: string, 
/**
 * Why.
 */
reason: string, 
/**
 * The name that is read instead.
 */
near: string | null, };

/**
 * A project in the person's list.
 */
export type ProjectView = { 
/**
 * Name for people.
 */
name: string, 
/**
 * The project's folder.
 */
path: string, 
/**
 * Why it cannot be opened.
 */
problem: string | null, 
/**
 * True for the one that is open.
 */
open: boolean, };

/**
 * A channel that can be previewed.
 */
export type ChannelView = { 
/**
 * The value that reaches the template.
 */
id: string, 
/**
 * Name for people.
 */
label: string, };

/**
 * A variant that can be chosen.
 */
export type VariantView = { 
/**
 * Its id.
 */
id: string, 
/**
 * Its version.
 */
version: number, 
/**
 * One sentence.
 */
description: string, };

/**
 * A model that tokens can be counted for.
 */
export type ModelView = { 
/**
 * Its id.
 */
id: string, 
/**
 * Its provider.
 */
provider: string, 
/**
 * Input window in tokens; `None` is unknown.
 */
window: number | null, };

/**
 * Light, dark, or as the desktop says.
 */
export type ThemeChoice = "system" | "light" | "dark";

/**
 * The settings, kept in `settings.toml`.
 */
export type Settings = { 
/**
 * Version of this schema; 1.
 */
schema_version: number, 
/**
 * Light, dark, or as the desktop says.
 */
theme: ThemeChoice, 
/**
 * Language of the window (`en`, `zh`, `fr`); without one, the desktop's.
 */
language: string | null, 
/**
 * Resources of the installed app.
 */
app: string | null, 
/**
 * Locale whose collation orders skills.
 */
locale: string | null, 
/**
 * Which skill wins where a workspace's and a built-in one have the same name; without one, the workspace's.
 */
skill_order: SkillOrder | null, 
/**
 * The model tokens are counted for.
 */
model: string | null, 
/**
 * The variant.
 */
variant: string | null, 
/**
 * The channel shown last.
 */
channel: string | null, 
/**
 * The named context in use.
 */
context: string | null, 
/**
 * The workspace that was open last.
 */
last_workspace: string | null, 
/**
 * Days that versions and assemblies are kept; without one, for good.
 */
history_days: number | null, 
/**
 * MiB that the history may take; without one, as much as it needs.
 */
history_mib: number | null, };

/**
 * Which of two skills of one name is listed.
 */
export type SkillOrder = "workspace_first" | "builtin_first";

/**
 * Where the person was in a workspace last.
 */
export type LastSeen = { 
/**
 * The file.
 */
file: FileRef | null, 
/**
 * The page in the place of the editor.
 */
page: string | null, 
/**
 * The view of the file.
 */
view: string | null, };

/**
 * The list of projects, each looked at.
 */
export type ProjectList = { 
/**
 * The projects, in their order.
 */
projects: Array<ProjectRow>, 
/**
 * What is odd about the list's file.
 */
findings: Array<FindingView>, };

/**
 * One of a project's two folders.
 */
export type LayoutChoice = "outer" | "inner";

/**
 * Why a project cannot be opened as it is.
 */
export type ProjectProblem = "gone" | "unreadable" | "no_workspace" | "two_layouts";

/**
 * A project with what stands in its folders.
 */
export type ProjectRow = { 
/**
 * The project's folder.
 */
path: string, 
/**
 * What is shown.
 */
name: string, 
/**
 * The name that the person gave; without one, the folder's is shown.
 */
own_name: string | null, 
/**
 * True for the one that is open.
 */
open: boolean, 
/**
 * Why it cannot be opened as it is.
 */
problem: ProjectProblem | null, 
/**
 * The workspace that opening leads to.
 */
workspace: string | null, 
/**
 * Which folder was chosen where both hold files.
 */
layout: LayoutChoice | null, 
/**
 * The folders that hold files.
 */
folders: Array<ProjectFolder>, 
/**
 * True when the global profile is switched off for it.
 */
own_profile: boolean, 
/**
 * The channel shown last.
 */
channel: string | null, 
/**
 * The variant.
 */
variant: string | null, };

/**
 * A folder of a project that holds files.
 */
export type ProjectFolder = { 
/**
 * Which.
 */
layout: LayoutChoice, 
/**
 * The folder.
 */
path: string, 
/**
 * The files that the target looks for.
 */
files: Array<string>, 
/**
 * Number of skills.
 */
skills: number, 
/**
 * When one of the files was changed last, RFC 3339.
 */
changed: string | null, };

/**
 * A change of the list. Files of projects are never touched.
 */
export type ProjectsChange = { "kind": "add", 
/**
 * The folder.
 */
path: string, } | { "kind": "remove", 
/**
 * The folder.
 */
path: string, } | { "kind": "restore", 
/**
 * The folder.
 */
path: string, 
/**
 * The name that the person gave.
 */
name: string | null, 
/**
 * The folder that was chosen.
 */
layout: LayoutChoice | null, 
/**
 * Where it stood, counted from 0.
 */
position: number, } | { "kind": "move", 
/**
 * The folder.
 */
path: string, 
/**
 * Where to, counted from 0.
 */
position: number, } | { "kind": "rename", 
/**
 * The folder.
 */
path: string, 
/**
 * The name.
 */
name: string, } | { "kind": "choose", 
/**
 * The folder.
 */
path: string, 
/**
 * Which.
 */
layout: LayoutChoice, };

/**
 * Switches the global profile off or on for a workspace.
 */
export type ProfileChoice = { 
/**
 * The workspace's folder.
 */
workspace: string, 
/**
 * True: the workspace's own copy is read.
 */
own: boolean, };

/**
 * A workspace's folder.
 */
export type WorkspaceFolder = { 
/**
 * Its path.
 */
path: string, };

/**
 * What making the missing files did. Nothing was written over.
 */
export type FilesMade = { 
/**
 * Files that were made.
 */
created: Array<string>, 
/**
 * Files that were there.
 */
kept: Array<string>, 
/**
 * Files that are missing and that the app has no template for.
 */
without_template: Array<string>, };

/**
 * What the settings screen says about this installation.
 */
export type AboutView = { 
/**
 * The folder of the workbench's own files.
 */
folder: string, 
/**
 * The folder of its logs.
 */
log: string, 
/**
 * Size of the history, in bytes.
 */
history_bytes: number, 
/**
 * What of it takes how much room; `None` when there is no history or it cannot be read.
 */
history: HistoryUsage | null, 
/**
 * Facts for a report, without names, paths or text of the person.
 */
diagnostics: string, 
/**
 * What was found in the app's folder; `None` without one.
 */
app: AppFound | null, };

/**
 * Rows of one kind in the history.
 */
export type HistoryShare = { 
/**
 * How many there are.
 */
count: number, 
/**
 * Bytes that they take.
 */
bytes: number, };

/**
 * The room that the history takes, by kind; the bytes add up to its size.
 */
export type HistoryUsage = { 
/**
 * Assemblies.
 */
assemblies: HistoryShare, 
/**
 * Versions of files.
 */
versions: HistoryShare, 
/**
 * Unsaved edits.
 */
drafts: HistoryShare, 
/**
 * Free pages, and what the database needs itself.
 */
other: number, };

/**
 * Limits that are not set yet.
 */
export type RetentionRequest = { 
/**
 * Days that versions and assemblies would be kept.
 */
history_days: number | null, 
/**
 * MiB that the history might take.
 */
history_mib: number | null, };

/**
 * What they would remove.
 */
export type RetentionView = { 
/**
 * Assemblies.
 */
assemblies: number, 
/**
 * Versions.
 */
versions: number, };

/**
 * A draft that no workspace brings back.
 */
export type LostDraft = { 
/**
 * Its name.
 */
name: LostDraftName, 
/**
 * Moment of the last key, RFC 3339.
 */
time: string, 
/**
 * Bytes of its text.
 */
bytes: number, 
/**
 * True when the folder is there, though no list leads to it.
 */
exists: boolean, };

/**
 * One of them. Its text is the body of the frame.
 */
export type LostDraftHead = { 
/**
 * What is known of it.
 */
draft: LostDraft, 
/**
 * Why there is no text; `None` when there is.
 */
damage: string | null, };

/**
 * Names a draft that no workspace brings back.
 */
export type LostDraftName = { 
/**
 * The folder that was open.
 */
folder: string, 
/**
 * The file, relative to it.
 */
path: string, 
/**
 * The window that typed it.
 */
writer: string, };

/**
 * All of them, the newest first.
 */
export type LostDrafts = { 
/**
 * The drafts.
 */
drafts: Array<LostDraft>, };

/**
 * What was found in an installed app's folder.
 */
export type AppFound = { 
/**
 * The folder.
 */
path: string, 
/**
 * Templates that were found.
 */
templates: number, 
/**
 * Built-in skills that were found.
 */
skills: number, 
/**
 * Templates that are missing.
 */
missing: Array<string>, };

/**
 * Sent to the window when files changed on disk.
 */
export type WorkspaceChanged = { 
/**
 * The new revision.
 */
revision: number, 
/**
 * Files that changed, by root and relative path.
 */
files: Array<FileRef>, };

/**
 * A file by root and relative path. No other way of naming a file crosses the wire.
 */
export type FileRef = { 
/**
 * The root.
 */
root: RootId, 
/**
 * Path relative to it, with `/`.
 */
path: string, };

/**
 * The one state of a file that is always visible.
 */
export type FileState = "saved" | "draft" | "conflict" | "read_only" | "error" | "missing";

/**
 * What is wrong with a file.
 */
export type FileProblem = "unreadable" | "not_a_file" | "broken_link" | "app_file" | "not_utf8" | "too_large" | "disk_full" | "no_permission" | "folder_gone" | "outside" | "hard_linked" | "busy" | "version_not_kept" | "save_failed";

/**
 * What is wrong with a file, and whether that is a save that failed.
 */
export type ProblemView = { 
/**
 * What it is.
 */
kind: FileProblem, 
/**
 * True when a save failed: the text is kept. False when the file cannot be edited here.
 */
saving: boolean, };

/**
 * How many line ends of each kind a text has.
 */
export type LineEndsView = { 
/**
 * LF.
 */
lf: number, 
/**
 * CR LF.
 */
crlf: number, 
/**
 * CR alone.
 */
cr: number, };

/**
 * An open file. Its text is the body of the frame.
 */
export type DocumentView = { 
/**
 * The file.
 */
file: FileRef, 
/**
 * Absolute path, to show.
 */
absolute: string, 
/**
 * Its state.
 */
state: FileState, 
/**
 * Why, and what to do, for `conflict`, `read_only` and `error`.
 */
reason: string | null, 
/**
 * What is wrong, in the states `read_only` and `error`.
 */
problem: ProblemView | null, 
/**
 * True when another window that is open has unsaved edits of this file, too.
 */
elsewhere: boolean, 
/**
 * Version of the text; edits name the version they start from.
 */
version: number, 
/**
 * Size in bytes on disk.
 */
size: number, 
/**
 * True when the bytes begin with a BOM.
 */
bom: boolean, 
/**
 * Its line ends.
 */
line_ends: LineEndsView, 
/**
 * `utf-8`, or the encoding that was detected.
 */
encoding: string, 
/**
 * Findings about the file.
 */
findings: Array<FindingView>, 
/**
 * What a conflict is between.
 */
conflict: ConflictView | null, };

/**
 * The other side of a conflict.
 */
export type ConflictView = { 
/**
 * The text on disk now; `None` when the file is gone.
 */
theirs: string | null, 
/**
 * When it changed, RFC 3339.
 */
changed_at: string | null, };

/**
 * One replacement. Offsets are UTF-16 units of the text before any change of the same request; changes are in
 * order and do not overlap (a CodeMirror change set).
 */
export type TextChange = { 
/**
 * First unit.
 */
from: number, 
/**
 * One past the last unit.
 */
to: number, 
/**
 * What stands there afterwards.
 */
insert: string, };

/**
 * A batch of keystrokes.
 */
export type EditRequest = { 
/**
 * The file.
 */
file: FileRef, 
/**
 * Version of the text the changes start from.
 */
version: number, 
/**
 * The changes.
 */
changes: Array<TextChange>, };

/**
 * What became of an edit.
 */
export type EditResult = { 
/**
 * Version of the text now.
 */
version: number, 
/**
 * State of the file now.
 */
state: FileState, 
/**
 * Revision of the workspace now.
 */
revision: number, };

/**
 * Keystrokes, and the preview that they are made for: one trip to the shell and back, because a trip takes longer
 * than the work.
 */
export type TypedRequest = { 
/**
 * What to assemble afterwards; `None`: nothing.
 */
preview: PreviewRequest | null, 
/**
 * The file.
 */
file: FileRef, 
/**
 * Version of the text the changes start from.
 */
version: number, 
/**
 * The changes.
 */
changes: Array<TextChange>, };

/**
 * What became of keystrokes. The texts of the preview's fresh sections are the body.
 */
export type TypedView = { 
/**
 * The preview; `None`: none was asked for, or it could not be made.
 */
preview: PreviewHead | null, 
/**
 * Why there is no preview. The edit is kept all the same.
 */
preview_error: ApiError | null, 
/**
 * Version of the text now.
 */
version: number, 
/**
 * State of the file now.
 */
state: FileState, 
/**
 * Revision of the workspace now.
 */
revision: number, };

/**
 * What became of a save.
 */
export type SaveResult = { 
/**
 * Version of the text.
 */
version: number, 
/**
 * State of the file now: `saved`, or `conflict` when it changed outside.
 */
state: FileState, 
/**
 * Why, and what to do, when it is not `saved`.
 */
reason: string | null, 
/**
 * What went wrong, in the state `error`.
 */
problem: ProblemView | null, 
/**
 * Revision of the workspace now.
 */
revision: number, };

/**
 * A save with what the person agreed to.
 */
export type SaveAgreed = { 
/**
 * The file.
 */
file: FileRef, 
/**
 * To save though the state before cannot be kept.
 */
without_version: boolean, 
/**
 * To write a file with several names in place, which is not safe against a power cut.
 */
in_place: boolean, 
/**
 * To write where a link leads out of the opened folders.
 */
outside: boolean, };

/**
 * What stands on disk, whatever is being edited. Its text is the body of the frame; empty when it is no text.
 */
export type DiskView = { 
/**
 * True when a file stands there.
 */
exists: boolean, 
/**
 * True when it is UTF-8 and small enough to be shown.
 */
text: boolean, };

/**
 * A safe repair of a finding.
 */
export type FixActionView = { 
/**
 * Stable name, for example `strip-bom`. `rename` renames a file and is asked about first; `convert-to-utf8` begins
 * with a choice of encodings; every other one is a change of the text.
 */
id: string, 
/**
 * What it does.
 */
label: string, };

/**
 * Which repair of which finding.
 */
export type FixRequest = { 
/**
 * The file the finding is about.
 */
file: FileRef, 
/**
 * Version of the text that the window shows; it does not matter for `rename`.
 */
version: number, 
/**
 * Id of the finding.
 */
finding: string, 
/**
 * First byte of the finding's range, when it has one.
 */
start: number | null, 
/**
 * Id of the repair.
 */
action: string, };

/**
 * What a repair does. A change of the text was not made yet: the window makes it in its editor, as one step that can
 * be undone. A file was renamed already.
 */
export type FixView = { 
/**
 * Version of the text that the changes apply to.
 */
version: number, 
/**
 * The changes, in order.
 */
changes: Array<TextChange>, 
/**
 * What was renamed.
 */
renamed: RenamedView | null, };

/**
 * A file that got another name.
 */
export type RenamedView = { 
/**
 * Its name before.
 */
from: FileRef, 
/**
 * Its name now.
 */
to: FileRef, };

/**
 * A file that is not UTF-8, read in the encodings it may be in.
 */
export type DecodingsView = { 
/**
 * The file.
 */
file: FileRef, 
/**
 * Offset of the first byte that is not UTF-8.
 */
first_bad: number, 
/**
 * The readings, the likeliest first.
 */
decodings: Array<DecodingView>, };

/**
 * A reading in one encoding.
 */
export type DecodingView = { 
/**
 * Its name in the WHATWG standard.
 */
encoding: string, 
/**
 * The first lines that are more than ASCII, with what is around them.
 */
excerpt: string, 
/**
 * How many places the encoding has no character for.
 */
bad: number, };

/**
 * A file and the encoding in which a person could read it.
 */
export type ConvertRequest = { 
/**
 * The file.
 */
file: FileRef, 
/**
 * Name of the encoding.
 */
encoding: string, };

/**
 * Why two texts cannot be merged; one of them can still be kept.
 */
export type MergeProblem = "gone" | "not_utf8" | "too_large";

/**
 * Who changed a piece.
 */
export type HunkKindView = "same" | "mine" | "theirs" | "both" | "conflict";

/**
 * One piece of the three texts. Put together in order, the pieces of a side are its text, byte for byte.
 */
export type HunkView = { 
/**
 * Who changed it.
 */
kind: HunkKindView, 
/**
 * The text that both began from.
 */
base: string, 
/**
 * This side.
 */
mine: string, 
/**
 * The disk.
 */
theirs: string, 
/**
 * In a conflict: words of `mine` that are not in `theirs`, in UTF-16 units.
 */
mine_marks: Array<RangeView>, 
/**
 * In a conflict: words of `theirs` that are not in `mine`, in UTF-16 units.
 */
theirs_marks: Array<RangeView>, };

/**
 * A draft and the disk, to be merged.
 */
export type MergeView = { 
/**
 * The file.
 */
file: FileRef, 
/**
 * Version of the text that was merged.
 */
version: number, 
/**
 * Hash of what stands on disk; `None`: nothing.
 */
disk: string | null, 
/**
 * Why the two cannot be merged; there are no hunks then.
 */
problem: MergeProblem | null, 
/**
 * False when what both began from is not known: everything that differs is then a conflict.
 */
base_known: boolean, 
/**
 * The pieces.
 */
hunks: Array<HunkView>, };

/**
 * The text was merged, by an edit, with what stood on disk.
 */
export type MergedRequest = { 
/**
 * The file.
 */
file: FileRef, 
/**
 * Hash of what stood on disk.
 */
disk: string | null, };

/**
 * A page of a file's versions.
 */
export type VersionsRequest = { 
/**
 * The file.
 */
file: FileRef, 
/**
 * Only versions older than this one.
 */
before: number | null, };

/**
 * What a version was.
 */
export type VersionKindView = "found" | "saved" | "draft";

/**
 * One version in the list.
 */
export type VersionView = { 
/**
 * Its number.
 */
id: number, 
/**
 * When it was kept, RFC 3339.
 */
time: string, 
/**
 * What it was.
 */
kind: VersionKindView, 
/**
 * Its size in bytes.
 */
bytes: number, 
/**
 * Bytes more, or fewer, than the version before it; `None`: there is none.
 */
change: number | null, 
/**
 * True when the file on disk has these bytes now.
 */
current: boolean, };

/**
 * A page of versions, newest first.
 */
export type VersionList = { 
/**
 * False when the history is off: no versions are kept then.
 */
kept: boolean, 
/**
 * The versions.
 */
versions: Array<VersionView>, 
/**
 * True when there are older ones.
 */
more: boolean, };

/**
 * One version of a file.
 */
export type VersionRequest = { 
/**
 * The file.
 */
file: FileRef, 
/**
 * Its number.
 */
id: number, };

/**
 * A version. Its text is the body of the frame; empty when it is no text.
 */
export type VersionHead = { 
/**
 * Its number.
 */
id: number, 
/**
 * When it was kept, RFC 3339.
 */
time: string, 
/**
 * Its size in bytes.
 */
bytes: number, 
/**
 * True when it is UTF-8 and small enough to be edited: it is then restored as an edit. Else its bytes are.
 */
text: boolean, };

/**
 * Which file, and in which language its labels are to be.
 */
export type FormRequest = { 
/**
 * The file.
 */
file: FileRef, 
/**
 * `en`, `zh` or `fr`; another one gets `en`.
 */
language: string, };

/**
 * A file as a form.
 */
export type FormView = { 
/**
 * The file.
 */
file: FileRef, 
/**
 * Version of the text that the form was read from.
 */
version: number, 
/**
 * Id of the form (`user`, `soul`, `agents`, `tools`, `memory`, `claude`, `skill`); `None`: there is no form for this file.
 */
schema: string | null, 
/**
 * What the form shows, in the file's order; groups that the file does not have yet stand where they would be written.
 */
blocks: Array<FormBlockView>, };

/**
 * A part of a form.
 */
export type FormBlockView = { "kind": "group" } & FormGroupView | { "kind": "kept" } & KeptView;

/**
 * Lines of a file, from 1, both included.
 */
export type LinesView = { 
/**
 * The first.
 */
first: number, 
/**
 * The last.
 */
last: number, };

/**
 * Fields that belong together.
 */
export type FormGroupView = { 
/**
 * Its id, unique in the form.
 */
id: string, 
/**
 * Its title.
 */
title: string, 
/**
 * One line below the title.
 */
hint: string | null, 
/**
 * Where it stands in the file; `None`: nowhere yet.
 */
lines: LinesView | null, 
/**
 * Its fields.
 */
fields: Array<FormFieldView>, };

/**
 * How a field is edited.
 */
export type FormControl = "text" | "long_text" | "choice" | "time_zone" | "language" | "emoji" | "list" | "checks" | "dated";

/**
 * How much of the form's width a field takes.
 */
export type FormWidth = "full" | "half" | "third";

/**
 * One field.
 */
export type FormFieldView = { 
/**
 * Its id, unique in the form.
 */
id: string, 
/**
 * Its label.
 */
label: string, 
/**
 * What it is for.
 */
help: string | null, 
/**
 * How it is edited.
 */
control: FormControl, 
/**
 * How wide it is.
 */
width: FormWidth, 
/**
 * The value of a field of one text; empty when the file has none or only the placeholder of a template.
 */
value: string, 
/**
 * What an empty field shows: the placeholder that stands in the file, else an example.
 */
placeholder: string | null, 
/**
 * True when the file still holds the template's placeholder there: it is in the prompt.
 */
unfilled: boolean, 
/**
 * Entries of a list.
 */
items: Array<FormItemView>, 
/**
 * What can be chosen.
 */
choices: Array<ChoiceView>, 
/**
 * What is odd about the value; never in the way of saving.
 */
problem: string | null, 
/**
 * Bytes of the file that the value stands at; `None`: nowhere yet.
 */
range: RangeView | null, 
/**
 * The line the value begins on, from 1.
 */
line: number | null, };

/**
 * One entry of a list.
 */
export type FormItemView = { 
/**
 * Its text, without its mark; lines of its own below it included.
 */
text: string, 
/**
 * For a check box: whether it is ticked.
 */
checked: boolean | null, 
/**
 * For a dated entry: its date as written.
 */
date: string | null, 
/**
 * Bytes of the file.
 */
range: RangeView | null, 
/**
 * The line it begins on, from 1.
 */
line: number | null, 
/**
 * True when it is more than one line of plain text (nested lists, code): it is edited in the source.
 */
kept: boolean, };

/**
 * One value to choose.
 */
export type ChoiceView = { 
/**
 * What is written.
 */
value: string, 
/**
 * What is shown.
 */
label: string, };

/**
 * A part of the file that the form does not know.
 */
export type KeptView = { 
/**
 * Unique in the form.
 */
id: string, 
/**
 * Its heading, else the beginning of its text.
 */
title: string, 
/**
 * What it is: `section`, `text`, `table`, `code`, `comment`, `front_matter`, `list`.
 */
what: string, 
/**
 * Where it stands.
 */
lines: LinesView, 
/**
 * Its beginning, at most 200 characters; line ends are `\n`.
 */
excerpt: string, 
/**
 * Bytes of the file.
 */
range: RangeView, };

/**
 * A change of one field.
 */
export type FormChange = { "kind": "set_text", 
/**
 * The field.
 */
field: string, 
/**
 * The value; line ends are `\n`, and are written as the file's.
 */
value: string, } | { "kind": "set_checked", 
/**
 * The field.
 */
field: string, 
/**
 * The entry.
 */
at: number, 
/**
 * Ticked or not.
 */
checked: boolean, } | { "kind": "add_item", 
/**
 * The field.
 */
field: string, 
/**
 * Where.
 */
at: number, 
/**
 * Its text.
 */
text: string, } | { "kind": "set_item", 
/**
 * The field.
 */
field: string, 
/**
 * Which.
 */
at: number, 
/**
 * Its text.
 */
text: string, } | { "kind": "remove_item", 
/**
 * The field.
 */
field: string, 
/**
 * Which.
 */
at: number, } | { "kind": "move_item", 
/**
 * The field.
 */
field: string, 
/**
 * Which.
 */
from: number, 
/**
 * Its place afterwards.
 */
to: number, };

/**
 * A change of one field, to be turned into changes of the text.
 */
export type FormEditRequest = { 
/**
 * The file.
 */
file: FileRef, 
/**
 * Version of the text the form was read from.
 */
version: number, 
/**
 * The change.
 */
change: FormChange, 
/**
 * Today, `YYYY-MM-DD`, for entries with a date.
 */
today: string, };

/**
 * What a change of a field does to the text. Nothing was changed yet: the window makes the edit.
 */
export type FormEditView = { 
/**
 * Version of the text that the changes apply to.
 */
version: number, 
/**
 * The changes, in order; empty when the value is as it was.
 */
changes: Array<TextChange>, };

/**
 * What to assemble.
 */
export type PreviewRequest = { 
/**
 * The channel; `None`: none is passed.
 */
channel: string | null, 
/**
 * The runtime context as JSON text; `None`: the named context of the settings.
 */
context: string | null, 
/**
 * The variant; `None`: the settings'.
 */
variant: string | null, 
/**
 * The model tokens are counted for; `None`: the target's own counter.
 */
model: string | null, 
/**
 * Degrade to this many tokens.
 */
max_tokens: number | null, 
/**
 * `serial` of the preview the window holds; sections it already has are then sent without their text.
 */
held: number | null, };

/**
 * Tokens, exact or as an interval.
 */
export type CountView = { 
/**
 * The count, or the middle of an estimate; `None` is unknown, never 0.
 */
total: number | null, 
/**
 * Lower bound.
 */
low: number | null, 
/**
 * Upper bound.
 */
high: number | null, 
/**
 * True when the count is exact.
 */
exact: boolean, 
/**
 * How it was obtained.
 */
method: string, };

/**
 * An assembly without the texts of its sections. These follow as the body of the frame: the texts of the
 * sections with `fresh`, in order, `bytes` long each.
 */
export type PreviewHead = { 
/**
 * Rises with each preview.
 */
serial: number, 
/**
 * Revision of the workspace it was made from.
 */
revision: number, 
/**
 * Id of the variant.
 */
variant: string, 
/**
 * Version of the variant.
 */
variant_version: number, 
/**
 * Id of the target.
 */
target: string, 
/**
 * The channel.
 */
channel: string | null, 
/**
 * True when an installed app's templates are used.
 */
installed_app: boolean, 
/**
 * True when the workspace is not the global profile's.
 */
layered: boolean, 
/**
 * `project` or `internal`.
 */
file_access: string, 
/**
 * The folder the agent works in.
 */
work_root: string, 
/**
 * Length of the prompt in bytes.
 */
bytes: number, 
/**
 * Sections that cover the prompt exactly once.
 */
sections: Array<SectionView>, 
/**
 * What was left out.
 */
skipped: Array<SkippedView>, 
/**
 * What the assembly noticed.
 */
findings: Array<FindingView>, 
/**
 * Tokens of the whole prompt.
 */
tokens: CountView, 
/**
 * What the parts do not account for: the sum of the parts and this is the total.
 */
joins: number, 
/**
 * Window of the model in tokens; `None` is unknown.
 */
window: number | null, 
/**
 * The message being sent, with its suffix.
 */
user_message: string, 
/**
 * What the target adds to it.
 */
runtime_suffix: string, 
/**
 * Summary, history, the message being sent.
 */
messages: Array<MessageView>, 
/**
 * Tools offered to the model.
 */
tool_schemas: Array<ToolSchemaView>, 
/**
 * The target's own fingerprint and its cache.
 */
fingerprint: FingerprintView, 
/**
 * How much is unchanged since the last recorded assembly.
 */
cache: CacheView, 
/**
 * Why the target itself would stop.
 */
target_error: TargetErrorView | null, 
/**
 * How long each stage took.
 */
stages: Array<StageView>, };

/**
 * How often a text changes, rarest first.
 */
export type StabilityView = "frozen" | "release" | "user" | "session" | "turn" | "request";

/**
 * One section.
 */
export type SectionView = { 
/**
 * Its id.
 */
id: string, 
/**
 * 1–5; `None` for literals and separators.
 */
layer: number | null, 
/**
 * Title for people.
 */
title: string, 
/**
 * How often it changes.
 */
stability: StabilityView, 
/**
 * First byte in the prompt.
 */
start: number, 
/**
 * One past the last byte.
 */
end: number, 
/**
 * Hash of the text: equal hash, equal text.
 */
hash: string, 
/**
 * True when the text stands in the body of the frame, and `spans` is set.
 */
fresh: boolean, 
/**
 * Length of the text in bytes.
 */
bytes: number, 
/**
 * Its tokens, counted alone.
 */
tokens: CountView, 
/**
 * True when it holds unsaved text.
 */
draft: boolean, 
/**
 * Sources; offsets relative to the section, in bytes. `None` unless `fresh`.
 */
spans: Array<SpanView> | null, };

/**
 * A run of bytes with one source.
 */
export type SpanView = { 
/**
 * First byte.
 */
start: number, 
/**
 * One past the last byte.
 */
end: number, 
/**
 * Where it comes from.
 */
source: SourceView, };

/**
 * Kinds of sources.
 */
export type SourceKind = "file" | "template" | "literal" | "value" | "fallback";

/**
 * Where a span comes from.
 */
export type SourceView = { 
/**
 * The kind.
 */
kind: SourceKind, 
/**
 * Absolute path of the file or template.
 */
path: string | null, 
/**
 * The file as the window names it, when it can be opened.
 */
file: FileRef | null, 
/**
 * First byte in it.
 */
start: number | null, 
/**
 * One past the last byte in it.
 */
end: number | null, 
/**
 * Name of the literal or value.
 */
name: string | null, };

/**
 * Something left out.
 */
export type SkippedView = { 
/**
 * Id of the component or item.
 */
id: string, 
/**
 * 1–5.
 */
layer: number | null, 
/**
 * The file.
 */
path: string | null, 
/**
 * Why, as a word.
 */
reason: string, 
/**
 * Why, as a sentence.
 */
detail: string, 
/**
 * Tokens saved; `None` is unknown.
 */
tokens: number | null, };

/**
 * How much a finding matters.
 */
export type SeverityView = "info" | "warning" | "error";

/**
 * Bytes of a file.
 */
export type RangeView = { 
/**
 * First byte.
 */
start: number, 
/**
 * One past the last byte.
 */
end: number, };

/**
 * Something worth telling.
 */
export type FindingView = { 
/**
 * Stable id.
 */
id: string, 
/**
 * How much it matters.
 */
severity: SeverityView, 
/**
 * The file, absolute.
 */
path: string | null, 
/**
 * The file as the window names it.
 */
file: FileRef | null, 
/**
 * Bytes of the file.
 */
range: RangeView | null, 
/**
 * What was found, and what it means.
 */
message: string, 
/**
 * Safe repairs, the likeliest first; see `fix`.
 */
actions: Array<FixActionView>, };

/**
 * One message.
 */
export type MessageView = { 
/**
 * `user`, `assistant`…
 */
role: string, 
/**
 * Its text; parts that are no text are described.
 */
text: string, 
/**
 * Its tokens.
 */
tokens: CountView, 
/**
 * True for the message being sent.
 */
current: boolean, };

/**
 * A tool offered to the model.
 */
export type ToolSchemaView = { 
/**
 * Name on the wire.
 */
name: string, 
/**
 * The server.
 */
server: string, 
/**
 * What it does.
 */
description: string, 
/**
 * JSON of the schema.
 */
schema: string, };

/**
 * The target's own fingerprint.
 */
export type FingerprintView = { 
/**
 * Its parts.
 */
parts: Array<FingerprintPartView>, 
/**
 * True when it differs from the preview before on the same channel.
 */
changed: boolean, 
/**
 * True when the target would serve its cached prompt.
 */
hit: boolean, 
/**
 * True when that cached prompt differs from what a fresh assembly gives.
 */
stale: boolean, 
/**
 * Hash of everything the prompt was made from.
 */
content_hash: string, };

/**
 * One part of the fingerprint.
 */
export type FingerprintPartView = { 
/**
 * What it stands for.
 */
name: string, 
/**
 * Its text.
 */
text: string, 
/**
 * True when it differs from the preview before on the same channel.
 */
changed: boolean, };

/**
 * How much is unchanged since the last recorded assembly of the same workspace and channel.
 */
export type CacheView = { 
/**
 * Tokens of the common prefix; `None` when there is no earlier assembly.
 */
prefix_tokens: number | null, 
/**
 * Bytes of the common prefix.
 */
prefix_bytes: number | null, 
/**
 * Id of the section in which the texts part.
 */
breaks_at: string | null, 
/**
 * When the earlier assembly was last seen, RFC 3339.
 */
since: string | null, };

/**
 * Why the target itself would stop.
 */
export type TargetErrorView = { 
/**
 * `io` or `template_syntax`.
 */
kind: string, 
/**
 * The file.
 */
path: string | null, 
/**
 * Line, from 1.
 */
line: number | null, 
/**
 * Column, from 1.
 */
column: number | null, 
/**
 * What happened, and what to do.
 */
message: string, };

/**
 * How long a stage took.
 */
export type StageView = { 
/**
 * `read`, `assemble`, `count`…
 */
name: string, 
/**
 * Microseconds.
 */
micros: number, };

/**
 * Tokens as an interval.
 */
export type SkillCost = { 
/**
 * The number, or the middle of the interval; null: not known.
 */
total: number | null, 
/**
 * At least.
 */
low: number | null, 
/**
 * At most.
 */
high: number | null, 
/**
 * True when it is exact.
 */
exact: boolean, 
/**
 * How it was counted.
 */
method: string, };

/**
 * How many skills there are, by what becomes of them.
 */
export type SkillCounts = { 
/**
 * Folders that hold a skill file, in both roots, and what stands there broken.
 */
found: number, 
/**
 * Those that the prompt holds something of.
 */
loaded: number, 
/**
 * Their body is in the prompt.
 */
always: number, 
/**
 * One line in the list.
 */
on_demand: number, 
/**
 * Switched off in the host's configuration.
 */
disabled: number, 
/**
 * Another one of the name is listed.
 */
shadowed: number, 
/**
 * Cannot be read.
 */
broken: number, };

/**
 * A symbolic link.
 */
export type SkillLink = { 
/**
 * The link's own text.
 */
text: string, 
/**
 * Where it ends; null: nowhere, or round in a circle.
 */
resolved: string | null, 
/**
 * True when it leads out of the workspace.
 */
outside: boolean, 
/**
 * True when the folder is the link; false when SKILL.md is.
 */
folder: boolean, };

/**
 * A field of a front matter as readers of YAML see it.
 */
export type SkillField = { 
/**
 * Its name.
 */
name: string, 
/**
 * Its value, as JSON when it is more than a text.
 */
value: string, 
/**
 * True when the agent reads it too.
 */
read: boolean, };

/**
 * Why a front matter is no YAML.
 */
export type SkillYamlError = { 
/**
 * Line of the file, from 1.
 */
line: number, 
/**
 * Column in characters, from 1.
 */
column: number, 
/**
 * What is wrong there.
 */
message: string, };

/**
 * What a strict reader of YAML makes of a skill.
 */
export type SkillYaml = { 
/**
 * The description; null: none.
 */
description: string | null, 
/**
 * Every field, in order; empty when there is an error.
 */
fields: Array<SkillField>, 
/**
 * Why it is no YAML.
 */
error: SkillYamlError | null, 
/**
 * Fields that stand there and are lost to such a reader, because the whole is no YAML.
 */
lost: Array<string>, 
/**
 * Where the two readers disagree, in a sentence.
 */
disagree: string | null, };

/**
 * One skill.
 */
export type SkillRow = { 
/**
 * The folder's name, which is the skill's for the agent.
 */
name: string, 
/**
 * `workspace` or `builtin`.
 */
origin: string, 
/**
 * `always`, `on_demand`, `disabled`, `shadowed` or `broken`.
 */
state: string, 
/**
 * Why it is not listed.
 */
reason: string | null, 
/**
 * The description as the agent reads it.
 */
description: string, 
/**
 * Absolute path of its folder.
 */
folder: string, 
/**
 * Absolute path of its file.
 */
path: string, 
/**
 * Root of its file in the window: `workspace`, `global` or `app`; null: it cannot be opened there.
 */
root: string | null, 
/**
 * Path of its file relative to that root.
 */
relative: string | null, 
/**
 * Bytes of its file.
 */
bytes: number | null, 
/**
 * True when its body is in the prompt whole.
 */
injected: boolean, 
/**
 * True when raw lines of its front matter are part of its body for the agent.
 */
leaks: boolean, 
/**
 * Its line as it stands, or would stand, in the list.
 */
line: string | null, 
/**
 * What the line costs.
 */
line_tokens: SkillCost | null, 
/**
 * What the body costs when it is loaded.
 */
body_tokens: SkillCost | null, 
/**
 * What readers of YAML see; null: its file was not read.
 */
yaml: SkillYaml | null, 
/**
 * A link that leads to it.
 */
link: SkillLink | null, 
/**
 * The origin of the other skill of this name, when there are two.
 */
twin: string | null, 
/**
 * Rules of the open standard that its name or description breaks, in sentences.
 */
problems: Array<string>, 
/**
 * Why it cannot be switched off; null: it can.
 */
locked: string | null, };

/**
 * A folder among the skills that holds none.
 */
export type NotASkill = { 
/**
 * Its name.
 */
name: string, 
/**
 * The file that it lacks.
 */
path: string, };

/**
 * How much of the list of skills a program takes.
 */
export type SkillBudget = { 
/**
 * Id of the program.
 */
program: string, 
/**
 * Its name.
 */
label: string, 
/**
 * Characters that it takes of all lines together; null: no limit.
 */
limit: number | null, 
/**
 * Characters of the lines.
 */
used: number, 
/**
 * The first skill whose line is past the limit, in the order of the list.
 */
cut_at: string | null, 
/**
 * Characters that it takes of one entry; null: no limit.
 */
entry_limit: number | null, 
/**
 * Skills whose description alone is past that.
 */
too_long: Array<string>, };

/**
 * The skills of a workspace.
 */
export type SkillsView = { 
/**
 * Version of this shape.
 */
schema_version: number, 
/**
 * Rises with each change, as in the preview; 0 on the command line.
 */
revision: number, 
/**
 * How many.
 */
counts: SkillCounts, 
/**
 * Listed ones in the agent's order, then the others.
 */
skills: Array<SkillRow>, 
/**
 * Folders that are none.
 */
not_skills: Array<NotASkill>, 
/**
 * What the lines of the list cost together.
 */
list_tokens: SkillCost, 
/**
 * How much of the list each program takes.
 */
budgets: Array<SkillBudget>, 
/**
 * The folder for new skills.
 */
folder: string, 
/**
 * The configuration that says which are switched off.
 */
config: string, 
/**
 * Why the configuration cannot be read; its list then counts for nothing.
 */
config_problem: string | null, 
/**
 * Why nothing can be changed here; null: it can.
 */
read_only: string | null, };

/**
 * Which skill.
 */
export type SkillName = { 
/**
 * Its folder's name.
 */
name: string, 
/**
 * `workspace` or `builtin`.
 */
origin: string, };

/**
 * A new skill.
 */
export type SkillNew = { 
/**
 * Its name, by the rules of the open standard.
 */
name: string, 
/**
 * What it is for, on one line.
 */
description: string, 
/**
 * Its text; empty: a template to fill in.
 */
body: string, };

/**
 * A copy of a skill.
 */
export type SkillCopy = { 
/**
 * Which.
 */
skill: SkillName, 
/**
 * The copy's name; null: the next free one, or the same for a built-in skill.
 */
name: string | null, };

/**
 * Whether a skill is switched on.
 */
export type SkillSwitch = { 
/**
 * Its name.
 */
name: string, 
/**
 * On or off.
 */
enabled: boolean, };

/**
 * Something in the trash.
 */
export type SkillTrashed = { 
/**
 * The skill's name.
 */
name: string, 
/**
 * Where it stood.
 */
original: string, 
/**
 * Where it is in the trash.
 */
stored: string, };

/**
 * What an action did.
 */
export type SkillDone = { 
/**
 * Version of this shape.
 */
schema_version: number, 
/**
 * The skill that it was about, as it is called now.
 */
name: string, 
/**
 * The file or folder that was made, changed or taken away.
 */
path: string, 
/**
 * False when nothing had to be done.
 */
changed: boolean, 
/**
 * What to know about it.
 */
notes: Array<string>, 
/**
 * What was taken to the trash.
 */
trashed: SkillTrashed | null, };

/**
 * What an action did, and the skills as they are then.
 */
export type SkillsChanged = { 
/**
 * What was done.
 */
done: SkillDone, 
/**
 * The skills.
 */
skills: SkillsView, };

/**
 * Named contexts and the keys they may have.
 */
export type ContextList = { 
/**
 * Names, in alphabetical order.
 */
names: Array<string>, 
/**
 * The one in use; `None`: the defaults.
 */
current: string | null, 
/**
 * Every key.
 */
keys: Array<ContextKeyView>, };

/**
 * How a key's value is written.
 */
export type KeyKindView = "text" | "long_text" | "time" | "flag" | "number" | "list" | "word" | "json";

/**
 * One key.
 */
export type ContextKeyView = { 
/**
 * The key.
 */
name: string, 
/**
 * Its group.
 */
group: string, 
/**
 * How its value is written.
 */
kind: KeyKindView, 
/**
 * The words it may be.
 */
words: Array<string>, 
/**
 * What holds when it is absent.
 */
default: string, 
/**
 * The environment variable it can be imported from.
 */
variable: string | null, 
/**
 * What it means.
 */
help: string, };

/**
 * One context.
 */
export type ContextView = { 
/**
 * Its name.
 */
name: string, 
/**
 * The file's text.
 */
json: string, 
/**
 * What is in force, and where each value comes from.
 */
values: Array<ContextValueView>, };

/**
 * A value in force.
 */
export type ContextValueView = { 
/**
 * The key.
 */
key: string, 
/**
 * The value as JSON text.
 */
value: string, 
/**
 * `default`, `machine`, `settings`, `file`, `flag`.
 */
origin: string, };

/**
 * A context to keep.
 */
export type ContextSave = { 
/**
 * Its name.
 */
name: string, 
/**
 * The text of its file.
 */
json: string, };

/**
 * What a context text means.
 */
export type ContextCheck = { 
/**
 * What is wrong with it; `None`: nothing.
 */
error: string | null, 
/**
 * The key at fault.
 */
key: string | null, 
/**
 * What would be in force.
 */
values: Array<ContextValueView>, };

/**
 * A context by name.
 */
export type ContextName = { 
/**
 * Its name.
 */
name: string, };

/**
 * A context as text.
 */
export type ContextText = { 
/**
 * The text of its file.
 */
json: string, };

/**
 * Which rows to show.
 */
export type HistoryRequest = { 
/**
 * Only the open workspace's.
 */
here: boolean, 
/**
 * Only this channel's.
 */
channel: string | null, 
/**
 * Rows before this id.
 */
before: number | null, 
/**
 * At most this many; 50 when absent.
 */
limit: number | null, };

/**
 * A page of assemblies, newest first.
 */
export type HistoryPage = { 
/**
 * The rows.
 */
rows: Array<HistoryRowView>, 
/**
 * How many there are in all.
 */
count: number, };

/**
 * One assembly.
 */
export type HistoryRowView = { 
/**
 * Its id.
 */
id: number, 
/**
 * When it was first seen, RFC 3339.
 */
time: string, 
/**
 * When it was last seen, RFC 3339.
 */
last_seen: string, 
/**
 * How often it was seen.
 */
seen: number, 
/**
 * The workspace.
 */
workspace: string, 
/**
 * The channel.
 */
channel: string | null, 
/**
 * The variant.
 */
variant: string, 
/**
 * The model.
 */
model: string | null, 
/**
 * Why it was recorded.
 */
reason: string, 
/**
 * Its tokens.
 */
tokens: number | null, 
/**
 * Tokens unchanged since the one before.
 */
prefix_tokens: number | null, };

/**
 * What the agent remembers.
 */
export type MemoryView = { 
/**
 * Version of this shape.
 */
schema_version: number, 
/**
 * True when there are two layers: the person's and the project's.
 */
layered: boolean, 
/**
 * The model that tokens are counted for.
 */
model: string | null, 
/**
 * That model's input window in tokens; null is unknown.
 */
window: number | null, 
/**
 * The layers in the order of the prompt.
 */
layers: Array<MemoryLayer>, 
/**
 * What is said more than once, within a layer or across them.
 */
duplicates: Array<MemoryDuplicate>, 
/**
 * How many duplicates there are beyond those listed.
 */
duplicates_left_off: number, 
/**
 * Sizes in the recorded assemblies of this workspace, oldest first; changes only.
 */
growth: Array<MemoryPoint>, };

/**
 * Whose memory a layer is.
 */
export type MemoryOwner = "you" | "project";

/**
 * One layer: its file, and what stands in it.
 */
export type MemoryLayer = { 
/**
 * Whose.
 */
owner: MemoryOwner, 
/**
 * The file, absolute.
 */
path: string, 
/**
 * The file for the window.
 */
file: FileRef | null, 
/**
 * True when the file is there and can be read.
 */
present: boolean, 
/**
 * True when its text is in the prompt.
 */
injected: boolean, 
/**
 * True when the text has unsaved edits.
 */
draft: boolean, 
/**
 * `injected`, or why it is not: `missing`, `empty`, `still-default`, `unreadable`, `budget`, `not-in-variant`.
 */
state: string, 
/**
 * The same in a sentence.
 */
reason: string, 
/**
 * What was noticed about the file.
 */
findings: Array<FindingView>, 
/**
 * Its size.
 */
bytes: number, 
/**
 * Tokens of its text alone; with the heading the prompt has a few more.
 */
tokens: CountView, 
/**
 * How many entries there are.
 */
entries_total: number, 
/**
 * How many of them have a date.
 */
dated: number, 
/**
 * The earliest date.
 */
oldest: string | null, 
/**
 * The latest date.
 */
newest: string | null, 
/**
 * The last entries of the file, in its order.
 */
entries: Array<MemoryEntryView>, 
/**
 * Texts that the agent takes for the beginning of a section when a summary repeats them.
 */
marks: Array<MemoryMark>, };

/**
 * One entry.
 */
export type MemoryEntryView = { 
/**
 * Bytes of the file.
 */
range: RangeView, 
/**
 * Line, from 1.
 */
line: number, 
/**
 * `heading`, `item` or `text`.
 */
kind: string, 
/**
 * As `YYYY-MM-DD`.
 */
date: string | null, 
/**
 * What its heading says besides the date.
 */
title: string | null, 
/**
 * The second part of the heading.
 */
section: string | null, 
/**
 * The beginning of what it says.
 */
excerpt: string, 
/**
 * Its tokens; null is unknown. Counted as the layer is.
 */
tokens: number | null, };

/**
 * Something that is said more than once.
 */
export type MemoryDuplicate = { 
/**
 * True when the copies are the same to the byte, white space around them aside; else nearly the same words.
 */
exact: boolean, 
/**
 * True when it is said in both layers.
 */
across: boolean, 
/**
 * The places.
 */
copies: Array<MemoryCopy>, 
/**
 * How many there are beyond those listed.
 */
copies_left_off: number, 
/**
 * Tokens of all copies but the first; null is unknown.
 */
tokens_twice: number | null, };

/**
 * One place where something is said.
 */
export type MemoryCopy = { 
/**
 * Whose memory it stands in.
 */
owner: MemoryOwner, 
/**
 * The file, absolute.
 */
path: string, 
/**
 * The file for the window.
 */
file: FileRef | null, 
/**
 * Bytes of the file: whole lines.
 */
range: RangeView, 
/**
 * Line, from 1.
 */
line: number, 
/**
 * True when it is a whole entry, heading and date included.
 */
whole: boolean, 
/**
 * The date of its entry.
 */
date: string | null, 
/**
 * The bytes of the range as text, or its beginning.
 */
text: string, 
/**
 * True when `text` is all of it.
 */
complete: boolean, };

/**
 * A text that looks like the beginning of a section to the agent.
 */
export type MemoryMark = { 
/**
 * `user_profile` or `project_context`.
 */
section: string, 
/**
 * Bytes of the file.
 */
range: RangeView, 
/**
 * Line, from 1.
 */
line: number, 
/**
 * True when other text stands before it on its line, which a summary would lose with it.
 */
within_line: boolean, 
/**
 * The line.
 */
excerpt: string, };

/**
 * The memories in a recorded assembly; null: not in its prompt.
 */
export type MemoryPoint = { 
/**
 * When it was first seen, RFC 3339.
 */
time: string, 
/**
 * The person's.
 */
you: MemorySize | null, 
/**
 * The project's.
 */
project: MemorySize | null, };

/**
 * A section of a recorded assembly.
 */
export type MemorySize = { 
/**
 * Bytes, with the heading.
 */
bytes: number, 
/**
 * Tokens; null is unknown.
 */
tokens: number | null, };

/**
 * A model's summary of a conversation, to see what the agent would do with it.
 */
export type MemorySplitRequest = { 
/**
 * The answer as the model gave it. The agent hands it on trimmed, and so does this command.
 */
summary: string, 
/**
 * The name in the headings; `Dream` when absent.
 */
label: string | null, };

/**
 * What the agent would append for a summary. Nothing is written.
 */
export type MemorySplit = { 
/**
 * Version of this shape.
 */
schema_version: number, 
/**
 * The name in the headings.
 */
label: string, 
/**
 * The moment of appending, RFC 3339. Its date, in UTC, stands in the headings.
 */
time: string, 
/**
 * True when the summary is split between the global profile and a project.
 */
layered: boolean, 
/**
 * The two sections of the summary.
 */
split: MemorySections, 
/**
 * Each memory file after appending; null: there is none.
 */
appended: MemoryTexts, 
/**
 * What is new at the end of each; null: the file is not touched.
 */
added: MemoryTexts, 
/**
 * The files, absolute; null: there is no such layer.
 */
paths: MemoryTexts, 
/**
 * What to know about it, in sentences.
 */
notes: Array<string>, };

/**
 * The two sections of a summary; null: there is none, or it says nothing.
 */
export type MemorySections = { 
/**
 * About the person.
 */
userProfile: string | null, 
/**
 * About the project.
 */
projectContext: string | null, };

/**
 * A text for each of the two memories.
 */
export type MemoryTexts = { 
/**
 * The global profile's.
 */
global: string | null, 
/**
 * The project's.
 */
project: string | null, };

/**
 * What to look for.
 */
export type WhyRequest = { 
/**
 * The phrase.
 */
phrase: string, 
/**
 * Letter case does not count.
 */
ignore_case: boolean, 
/**
 * Any run of white space, line ends too, stands for any other.
 */
loose_space: boolean, };

/**
 * Where a phrase stands, and where it was looked for.
 */
export type WhyView = { 
/**
 * The phrase as it was given.
 */
phrase: string, 
/**
 * Its places.
 */
places: Array<WhyPlaceView>, 
/**
 * How many there are beyond those listed.
 */
left_off: number, 
/**
 * Every text that was looked through, or could not be.
 */
looked_at: Array<WhyLookedAt>, };

/**
 * One place of a phrase.
 */
export type WhyPlaceView = { 
/**
 * The file or template; or what else the prompt has it from.
 */
path: string, 
/**
 * The file for the window; `None`: it cannot be opened here.
 */
file: FileRef | null, 
/**
 * Line, from 1.
 */
line: number, 
/**
 * Bytes of the file.
 */
range: RangeView, 
/**
 * True when these bytes are in the prompt.
 */
in_prompt: boolean, 
/**
 * Byte of the prompt at which it stands there.
 */
prompt_offset: number | null, 
/**
 * Why it is or is not in the prompt.
 */
reason: string, 
/**
 * The line.
 */
excerpt: string, };

/**
 * What kind of text was looked through.
 */
export type WhyKind = "file" | "template" | "ignored" | "elsewhere";

/**
 * One text that was looked through.
 */
export type WhyLookedAt = { 
/**
 * Its path.
 */
path: string, 
/**
 * The file for the window; `None`: it cannot be opened here.
 */
file: FileRef | null, 
/**
 * What kind.
 */
kind: WhyKind, 
/**
 * Places of the phrase in it.
 */
places: number, 
/**
 * True when its text has unsaved edits.
 */
draft: boolean, 
/**
 * Why it was not looked through after all.
 */
problem: string | null, };

/**
 * A prompt that was really sent.
 */
export type CompareLogRequest = { 
/**
 * The prompt, or a log that has it in JSON.
 */
log: string, };

/**
 * A prompt that was sent beside the prompt as it is now.
 */
export type CompareLogView = { 
/**
 * True when both are byte for byte the same.
 */
identical: boolean, 
/**
 * What was taken from the log, and what a log alone may have changed.
 */
notes: Array<string>, 
/**
 * Bytes of what was sent.
 */
sent_bytes: number, 
/**
 * Bytes of the prompt now.
 */
now_bytes: number, 
/**
 * The first difference.
 */
first: CompareFirst | null, 
/**
 * Tokens before the first difference; `None` is unknown.
 */
tokens_kept: number | null, 
/**
 * Tokens of the prompt now after it.
 */
tokens_lost: number | null, 
/**
 * What became of each section, in the order of the prompt now, then those that only the log has.
 */
sections: Array<CompareSection>, };

/**
 * Where two prompts part.
 */
export type CompareFirst = { 
/**
 * Byte offset in both.
 */
offset: number, 
/**
 * Line of the prompt, from 1.
 */
line: number, 
/**
 * Title of the section of the prompt now.
 */
section: string | null, 
/**
 * Source of that byte of the prompt now.
 */
source: SourceView | null, 
/**
 * Line of the source, from 1, when it is a file.
 */
source_line: number | null, 
/**
 * What both have before it.
 */
before: string, 
/**
 * What was sent from there on.
 */
sent: string, 
/**
 * What stands there now.
 */
now: string, };

/**
 * How a section changed.
 */
export type CompareSection = { 
/**
 * Its id.
 */
id: string, 
/**
 * Its title; empty for a stretch of the log that stands for no section.
 */
title: string, 
/**
 * 1–5; `None` for separators and what only the log has.
 */
layer: number | null, 
/**
 * `same`, `changed`, `added` (since it was sent), `removed`.
 */
change: string, 
/**
 * Tokens in what was sent.
 */
tokens_sent: number | null, 
/**
 * Tokens now.
 */
tokens_now: number | null, 
/**
 * Its text in what was sent, unless it is the same or too long to show.
 */
sent: string | null, 
/**
 * Its text now, likewise.
 */
now: string | null, };

/**
 * The request of a command that takes none.
 */
export type Nothing = Record<symbol, never>;

