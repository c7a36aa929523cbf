/** What the window shows: the first-run screen or a workspace, the open files, the preview, the settings. */
import type { Extension } from "@codemirror/state";
import {
  asApiError,
  type ApiError,
  type Backend,
  type Boot,
  type FileItem,
  type FileRef,
  type FindingView,
  type LastSeen,
  type OpenRequest,
  type ProjectList,
  type ProjectsChange,
  type Settings,
  type WorkspaceChanged,
  type WorkspaceView,
} from "../backend/backend";
import { getLocale } from "../messages/compiled/runtime.js";
import { m } from "../messages";
import { Announcer } from "./announcer.svelte";
import { fileKey, OpenDocument, sameFile } from "./document.svelte";
import { Form } from "./form.svelte";
import { LayoutChoice } from "./layout-choice.svelte";
import { Preview } from "./preview.svelte";
import { Timings, type Timing } from "./timings";
import { Trace } from "./trace.svelte";

/** The list of files follows an edit after this pause; its token counts need no more. */
const WORKSPACE_PAUSE_MS = 250;

/** Folders that are a workspace themselves; every other one is a project that has one. */
const WORKSPACE_FOLDER = /[\\/]\.catbuddy(-desktop)?([\\/]workspace)?[\\/]?$/;

/** Files that are remembered as looked at, while the window lives. */
const RECENT = 12;

export interface SessionOptions {
  /** What every editor is made of; passed in, so that the state does not depend on how a file is drawn. */
  extensions: (session: Session, file: FileRef) => Extension;
}

/** A place in a file that the editor is to show. `end` may be past it, for a selection. */
export interface Goal {
  file: FileRef;
  start: number;
  end: number;
}

export class Session {
  boot = $state.raw<Boot | null>(null);
  bootError = $state.raw<ApiError | null>(null);
  workspace = $state.raw<WorkspaceView | null>(null);
  settings = $state.raw<Settings | null>(null);
  current = $state.raw<OpenDocument | null>(null);
  /** The file that is being opened, or could not be. */
  opening = $state.raw<{ file: FileRef; error: ApiError | null } | null>(null);
  /** A refusal that belongs to no file: shown until it is put away. */
  notice = $state.raw<ApiError | null>(null);
  /** False once the person has put the note about drafts of an earlier window away. */
  showRestored = $state(true);
  /** Why the workspace that was asked for could not be opened, by what was asked. */
  openError = $state.raw<{ request: OpenRequest; error: ApiError } | null>(null);
  /** The project whose two folders both hold files, until one of them is chosen. */
  choosing = $state.raw<string | null>(null);
  projects = $state.raw<ProjectList | null>(null);
  /** Files that were looked at, the last one first. */
  recent = $state.raw<FileRef[]>([]);
  busy = $state(false);
  maxTokens = $state<number | null>(null);
  /** Bytes that the editor is asked to show. */
  goal = $state.raw<Goal | null>(null);

  readonly timings = new Timings();
  readonly announcer = new Announcer();
  readonly layout = new LayoutChoice();
  readonly trace = new Trace();
  readonly preview: Preview;
  private readonly documents = new Map<string, OpenDocument>();
  private readonly stopListening: () => void;
  private workspaceTimer: ReturnType<typeof setTimeout> | null = null;

  constructor(
    readonly backend: Backend,
    private readonly options: SessionOptions,
  ) {
    this.preview = new Preview(backend, this.timings, () => ({
      channel: this.channel,
      max_tokens: this.maxTokens,
    }));
    this.stopListening = backend.onWorkspaceChanged((change) => void this.changedOutside(change));
  }

  get channel(): string | null {
    const channels = this.workspace?.channels ?? [];
    const wanted = this.settings?.channel ?? null;
    return channels.some((channel) => channel.id === wanted) ? wanted : (channels[0]?.id ?? null);
  }

  async start(): Promise<void> {
    this.bootError = null;
    try {
      this.takeBoot(await this.backend.call("boot", {}));
    } catch (thrown) {
      this.bootError = asApiError(thrown);
    }
  }

  stop(): void {
    this.stopListening();
    this.announcer.stop();
    if (this.workspaceTimer !== null) clearTimeout(this.workspaceTimer);
  }

  private takeBoot(boot: Boot): void {
    this.boot = boot;
    this.settings = boot.settings;
    this.show(boot.opened);
  }

  private show(workspace: WorkspaceView | null): void {
    this.documents.clear();
    this.preview.clear();
    this.trace.clear();
    this.current = null;
    this.opening = null;
    this.notice = null;
    this.showRestored = true;
    this.maxTokens = null;
    this.recent = [];
    this.workspace = workspace;
    if (!workspace) return;
    void this.preview.refresh();
    const first = lastFile(workspace) ?? firstFile(workspace);
    if (first) void this.openFile(first);
  }

  /** Opens a workspace; a refusal goes to {@link openError}. */
  async open(request: OpenRequest): Promise<void> {
    if (!(await this.mayLeave())) return;
    this.busy = true;
    this.openError = null;
    try {
      const workspace = await this.backend.call("open", request);
      this.settings = await this.backend.call("settings", {});
      this.show(workspace);
    } catch (thrown) {
      const error = asApiError(thrown);
      if (error.code === "ambiguous" && request.kind === "project") {
        this.choosing = request.path;
        return;
      }
      // The first screen shows it where it was asked for; an open workspace stays open and tells.
      if (this.workspace) this.notice = error;
      else this.openError = { request, error };
    } finally {
      this.busy = false;
    }
  }

  /** Asks for a folder and opens it. */
  async openFolder(title: string): Promise<void> {
    const path = await this.backend.chooseFolder(title);
    if (path !== null) await this.open({ kind: WORKSPACE_FOLDER.test(path) ? "workspace" : "project", path });
  }

  /** Back to the first screen. */
  async close(): Promise<void> {
    if (!(await this.mayLeave())) return;
    try {
      this.takeBoot(await this.backend.call("close", {}));
      this.show(null);
    } catch (thrown) {
      this.notice = asApiError(thrown);
    }
  }

  /** True when the backend holds every text. Else the workspace stays open, and the person is told which file it is. */
  private async mayLeave(): Promise<boolean> {
    const documents = [...this.documents.values()];
    await Promise.all(documents.map((document) => document.settled()));
    const unsent = documents.find((document) => document.unsent);
    if (!unsent) return true;
    this.notice = { code: "failed", message: m.unsent_text({ file: unsent.file.path }), context: {} };
    void this.openFile(unsent.file);
    return false;
  }

  /** The open document of a file; reads it when it was not open. */
  private async document(file: FileRef): Promise<OpenDocument> {
    const held = this.documents.get(fileKey(file));
    if (held) return held;
    const frame = await this.backend.call("document", file);
    const again = this.documents.get(fileKey(file));
    if (again) return again;
    const opened = new OpenDocument(
      this.backend,
      this.timings,
      { ride: () => this.preview.ride(), edited: (document, timing) => this.edited(document, timing) },
      frame,
      this.options.extensions(this, file),
    );
    this.documents.set(fileKey(file), opened);
    return opened;
  }

  private readonly forms = new WeakMap<OpenDocument, Form>();

  /** The form of an open file. */
  form(document: OpenDocument): Form {
    let form = this.forms.get(document);
    if (!form) {
      form = new Form(this.backend, document, getLocale);
      this.forms.set(document, form);
    }
    return form;
  }

  async openFile(file: FileRef): Promise<void> {
    this.opening = { file, error: null };
    try {
      const opened = await this.document(file);
      if (!sameFile(this.opening?.file ?? null, file)) return;
      this.current = opened;
      this.opening = null;
      this.recent = [file, ...this.recent.filter((one) => !sameFile(one, file))].slice(0, RECENT);
    } catch (thrown) {
      this.opening = { file, error: asApiError(thrown) };
    }
  }

  /** Opens a file at some of its bytes. */
  async goTo(goal: Goal): Promise<void> {
    await this.openFile(goal.file);
    if (sameFile(this.current?.file ?? null, goal.file)) this.goal = goal;
  }

  private edited(document: OpenDocument, timing: Timing | null): void {
    if (timing) void this.preview.refresh(timing);
    this.markState(document);
    this.refreshWorkspaceSoon();
  }

  /** The list of files shows a new state at once; the rest follows. */
  private markState(document: OpenDocument): void {
    const { workspace } = this;
    if (!workspace) return;
    const item = fileItem(workspace, document.file);
    if (!item || item.state === document.state) return;
    this.workspace = {
      ...workspace,
      roots: workspace.roots.map((root) =>
        root.id === document.file.root
          ? { ...root, files: root.files.map((one) => (one === item ? { ...one, state: document.state } : one)) }
          : root,
      ),
    };
  }

  private refreshWorkspaceSoon(): void {
    if (this.workspaceTimer !== null) clearTimeout(this.workspaceTimer);
    this.workspaceTimer = setTimeout(() => void this.refreshWorkspace(), WORKSPACE_PAUSE_MS);
  }

  private async refreshWorkspace(): Promise<void> {
    this.workspaceTimer = null;
    try {
      const fresh = await this.backend.call("workspace", {});
      const behind = [...this.documents.values()].some((document) => document.isAheadOf(fresh.revision));
      // Findings name bytes of the text that was checked. When it is no longer the text, the next check follows.
      this.workspace = behind && this.workspace ? { ...fresh, findings: this.workspace.findings } : fresh;
      if (behind) this.refreshWorkspaceSoon();
    } catch (thrown) {
      this.notice = asApiError(thrown);
    }
  }

  /** The file of an absolute path, when it belongs to the workspace. */
  fileAt(path: string | null): FileRef | null {
    for (const root of this.workspace?.roots ?? []) {
      const item = root.files.find((one) => `${root.path}/${one.path}` === path);
      if (item) return { root: root.id, path: item.path };
    }
    return null;
  }

  private async changedOutside(change: WorkspaceChanged): Promise<void> {
    if (!this.workspace) return;
    const open = change.files.map((file) => this.documents.get(fileKey(file))).filter((one) => one !== undefined);
    try {
      await Promise.all(open.map((document) => document.reload()));
    } catch (thrown) {
      this.notice = asApiError(thrown);
    }
    await Promise.all([this.preview.refresh(), this.refreshWorkspace()]);
  }

  /** Saves the open file, with what the person agreed to. */
  async save(agreed: Parameters<OpenDocument["save"]>[0] = null): Promise<void> {
    const document = this.current;
    if (!document || this.workspace?.sample || document.state === "conflict") return;
    await document.save(agreed);
    await this.afterChange(document);
  }

  async resolve(document: OpenDocument, side: "mine" | "disk"): Promise<void> {
    try {
      await (side === "mine" ? document.keepMine() : document.takeDisk());
      await this.afterChange(document);
    } catch (thrown) {
      this.notice = asApiError(thrown);
    }
  }

  /** Makes the merged text the draft of a file: one edit, and then an edit of what stood on disk. */
  async useMerged(document: OpenDocument, text: string, disk: string | null): Promise<void> {
    document.replaceText(text);
    await document.merged(disk);
    await this.afterChange(document);
  }

  /**
   * Brings a state of a file back, and saves it. `text` is null for one that is no text: its bytes are written.
   * Unsaved edits become a version first.
   */
  async restore(document: OpenDocument, id: number, text: string | null): Promise<void> {
    if (document.state === "draft" || document.state === "conflict" || document.state === "error")
      await document.takeDisk();
    if (text === null) {
      await this.backend.call("restore_version", { file: document.file, id });
      await document.reload();
    } else {
      document.replaceText(text);
      await document.save();
    }
    await this.afterChange(document);
  }

  private async afterChange(document: OpenDocument): Promise<void> {
    this.markState(document);
    await this.refresh();
  }

  /** Asks again for everything that the backend says in words: the window speaks another language. */
  async askAgain(): Promise<void> {
    this.boot &&= await this.backend.call("boot", {});
    if (this.workspace) await this.refresh();
  }

  /** Shows what the backend holds now: the preview, the list of files, the findings. */
  async refresh(): Promise<void> {
    await Promise.all([this.preview.refresh(), this.refreshWorkspace()]);
  }

  async changeSettings(change: Partial<Settings>): Promise<void> {
    if (!this.settings) return;
    const before = this.settings;
    this.settings = { ...before, ...change };
    try {
      this.settings = await this.backend.call("save_settings", this.settings);
    } catch (thrown) {
      this.settings = before;
      this.notice = asApiError(thrown);
    }
    if (!this.workspace) return;
    const onlyPreview = Object.keys(change).every((key) => ["channel", "theme", "language"].includes(key));
    await Promise.all([this.preview.refresh(), onlyPreview ? undefined : this.refreshWorkspace()]);
  }

  async loadProjects(): Promise<void> {
    try {
      this.projects = await this.backend.call("projects", {});
    } catch (thrown) {
      this.notice = asApiError(thrown);
    }
  }

  /** Changes the list of projects. Returns why not, for whoever asked. */
  async changeProjects(change: ProjectsChange): Promise<ApiError | null> {
    try {
      this.projects = await this.backend.call("change_projects", change);
    } catch (thrown) {
      return asApiError(thrown);
    }
    if (this.workspace) await this.refreshWorkspace();
    return null;
  }

  /** Switches the global profile off or on for a workspace. Drafts stay. */
  async chooseProfile(workspace: string, own: boolean): Promise<void> {
    try {
      await this.backend.call("choose_profile", { workspace, own });
      if (this.projects) await this.loadProjects();
      if (this.workspace) await Promise.all([this.preview.refresh(), this.refreshWorkspace()]);
    } catch (thrown) {
      this.notice = asApiError(thrown);
    }
  }

  /** Makes the default files that a workspace lacks; says what was made. */
  async makeFiles(path: string): Promise<void> {
    try {
      const made = await this.backend.call("make_files", { path });
      this.announcer.say(m.places_files_made({ count: made.created.length }));
      await this.loadProjects();
      if (this.workspace) await this.refreshWorkspace();
      else this.boot = await this.backend.call("boot", {});
    } catch (thrown) {
      this.notice = asApiError(thrown);
    }
  }

  /** Remembers where the person is, for the next time. Not worth a word when it fails. */
  remember(seen: LastSeen): void {
    void this.backend.call("remember", seen).catch(() => undefined);
  }

  setBudget(maxTokens: number | null): void {
    this.maxTokens = maxTokens;
    void this.preview.refresh();
  }

  /** Findings of the start, about files, and about the assembly, each once. */
  get findings(): FindingView[] {
    const own = [...(this.boot?.findings ?? []), ...(this.workspace?.findings ?? [])];
    const seen = new Set(own.map(identity));
    return [...own, ...(this.preview.head?.findings ?? []).filter((finding) => !seen.has(identity(finding)))];
  }
}

const identity = (finding: FindingView): string =>
  [finding.id, finding.path, finding.range?.start, finding.message].join("\u0000");

export function fileItem(workspace: WorkspaceView, file: FileRef): FileItem | undefined {
  return workspace.roots.find((root) => root.id === file.root)?.files.find((item) => item.path === file.path);
}

/** The file that was shown last, when it is there still. */
function lastFile(workspace: WorkspaceView): FileRef | null {
  const { file } = workspace.last_seen;
  return file && fileItem(workspace, file) ? file : null;
}

/** The file that is shown first: the profile, else the first there is. */
function firstFile(workspace: WorkspaceView): FileRef | null {
  const files = workspace.roots.flatMap((root) => root.files.map((item) => ({ root: root.id, path: item.path })));
  return files.find((file) => file.path === "USER.md") ?? files[0] ?? null;
}
