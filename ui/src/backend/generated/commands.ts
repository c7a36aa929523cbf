// Generated from crates/workbench/src/api by `make types`. Do not edit.

import type { AboutView, Boot, CompareLogRequest, CompareLogView, ContextCheck, ContextList, ContextName, ContextSave, ContextText, ContextView, ConvertRequest, DecodingsView, DiskView, DocumentView, FileRef, FilesMade, FixRequest, FixView, FormEditRequest, FormEditView, FormRequest, FormView, HistoryPage, HistoryRequest, LastSeen, LostDraftHead, LostDraftName, LostDrafts, MemorySplit, MemorySplitRequest, MemoryView, MergeView, MergedRequest, Nothing, OpenRequest, PreviewHead, PreviewRequest, ProfileChoice, ProjectList, ProjectsChange, RenamedView, RetentionRequest, RetentionView, SaveAgreed, SaveResult, Settings, SkillCopy, SkillName, SkillNew, SkillSwitch, SkillTrashed, SkillsChanged, SkillsView, TypedRequest, TypedView, VersionHead, VersionList, VersionRequest, VersionsRequest, WhyRequest, WhyView, WorkspaceFolder, WorkspaceView } from "./types";

/** Every command: its request, its reply, and whether the reply is a head with a text beside it. */
export interface Commands {
  boot: { request: Nothing; reply: Boot; framed: false };
  open: { request: OpenRequest; reply: WorkspaceView; framed: false };
  workspace: { request: Nothing; reply: WorkspaceView; framed: false };
  close: { request: Nothing; reply: Boot; framed: false };
  preview: { request: PreviewRequest; reply: PreviewHead; framed: true };
  document: { request: FileRef; reply: DocumentView; framed: true };
  edit: { request: TypedRequest; reply: TypedView; framed: true };
  save: { request: FileRef; reply: SaveResult; framed: false };
  save_agreed: { request: SaveAgreed; reply: SaveResult; framed: false };
  disk: { request: FileRef; reply: DiskView; framed: true };
  take_disk: { request: FileRef; reply: DocumentView; framed: true };
  keep_mine: { request: FileRef; reply: DocumentView; framed: true };
  fix: { request: FixRequest; reply: FixView; framed: false };
  undo_rename: { request: RenamedView; reply: FixView; framed: false };
  decodings: { request: FileRef; reply: DecodingsView; framed: false };
  convert: { request: ConvertRequest; reply: DocumentView; framed: true };
  merge: { request: FileRef; reply: MergeView; framed: false };
  merged: { request: MergedRequest; reply: DocumentView; framed: true };
  versions: { request: VersionsRequest; reply: VersionList; framed: false };
  version: { request: VersionRequest; reply: VersionHead; framed: true };
  restore_version: { request: VersionRequest; reply: SaveResult; framed: false };
  form: { request: FormRequest; reply: FormView; framed: false };
  form_edit: { request: FormEditRequest; reply: FormEditView; framed: false };
  skills: { request: Nothing; reply: SkillsView; framed: false };
  skill_create: { request: SkillNew; reply: SkillsChanged; framed: false };
  skill_duplicate: { request: SkillCopy; reply: SkillsChanged; framed: false };
  skill_delete: { request: SkillName; reply: SkillsChanged; framed: false };
  skill_restore: { request: SkillTrashed; reply: SkillsChanged; framed: false };
  skill_switch: { request: SkillSwitch; reply: SkillsChanged; framed: false };
  contexts: { request: Nothing; reply: ContextList; framed: false };
  context: { request: ContextName; reply: ContextView; framed: false };
  save_context: { request: ContextSave; reply: ContextList; framed: false };
  remove_context: { request: ContextName; reply: ContextList; framed: false };
  check_context: { request: ContextText; reply: ContextCheck; framed: false };
  history: { request: HistoryRequest; reply: HistoryPage; framed: false };
  memory: { request: Nothing; reply: MemoryView; framed: false };
  memory_split: { request: MemorySplitRequest; reply: MemorySplit; framed: false };
  why: { request: WhyRequest; reply: WhyView; framed: false };
  compare_log: { request: CompareLogRequest; reply: CompareLogView; framed: false };
  settings: { request: Nothing; reply: Settings; framed: false };
  save_settings: { request: Settings; reply: Settings; framed: false };
  projects: { request: Nothing; reply: ProjectList; framed: false };
  change_projects: { request: ProjectsChange; reply: ProjectList; framed: false };
  choose_profile: { request: ProfileChoice; reply: Nothing; framed: false };
  remember: { request: LastSeen; reply: Nothing; framed: false };
  make_files: { request: WorkspaceFolder; reply: FilesMade; framed: false };
  about: { request: Nothing; reply: AboutView; framed: false };
  retention_preview: { request: RetentionRequest; reply: RetentionView; framed: false };
  lost_drafts: { request: Nothing; reply: LostDrafts; framed: false };
  lost_draft: { request: LostDraftName; reply: LostDraftHead; framed: true };
  discard_lost_draft: { request: LostDraftName; reply: LostDrafts; framed: false };
}

/** The commands whose reply is framed. */
export const FRAMED: ReadonlySet<keyof Commands> = new Set(["preview", "document", "edit", "disk", "take_disk", "keep_mine", "convert", "merged", "version", "lost_draft"]);
