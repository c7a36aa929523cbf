/** The in-memory backend: every command over {@link Documents}, {@link Contexts} and the little assembler. */
import type {
  ApiError,
  Backend,
  Boot,
  CommandName,
  CountView,
  FileProblem,
  FileRef,
  Frame,
  PreviewHead,
  PreviewRequest,
  Reply,
  Request,
  RootView,
  SaveAgreed,
  SaveResult,
  Settings,
  WorkspaceChanged,
  WorkspaceView,
} from "../backend";
import { assemble, countBytes, hash, type Assembled } from "./assemble";
import * as data from "./data";
import { Documents, refuse } from "./documents";
import { Lost } from "./lost";
import { fixHandlers, FOREIGN_FILE, NEAR_FILE, specialFindings } from "./fixes";
import { editForm, readForm } from "./forms";
import { Places } from "./places";
import { furnish } from "./furnish";
import type { MemoryOptions } from "./options";
import { commonPrefix, joined, overBudget } from "./prompt";
import { Contexts, History } from "./records";
import { Skills } from "./skills";
import { questionHandlers } from "./why";

type Handlers = { [K in CommandName]: (request: Request<K>) => Reply<K> };

const NOW = "2026-12-01T09:12:00.000Z";
const MESSAGE = "Morning! What should I look at first today?";

export class MemoryBackend implements Backend {
  readonly commandKey = false;
  /** Every command that was called, in order. For tests. */
  readonly calls: CommandName[] = [];
  /** What `copyText` was given last. For tests. */
  copied: string | null = null;
  windowTitle = "";

  private settings: Settings = {
    schema_version: 1,
    theme: "system",
    language: null,
    app: null,
    locale: null,
    skill_order: null,
    model: "sample-exact",
    variant: "catbuddy",
    channel: "desktop",
    context: null,
    last_workspace: null,
    history_days: null,
    history_mib: null,
  };
  private documents = new Documents({ global: "", workspace: "", app: "" }, () => NOW);
  private readonly contexts = new Contexts();
  private readonly places = new Places();
  private readonly history = new History("Harbour library");
  private readonly lost: Lost;
  private opened: { name: string; sample: boolean } | null = null;
  readonly skills = new Skills({
    documents: () => this.documents,
    exact: () => this.exact,
    sample: () => this.opened?.sample ?? false,
    revision: () => this.revision,
    changed: () => (this.revision += 1),
  });
  private revision = 1;
  private restored: FileRef[] = [];
  private serial = 0;
  private sent = new Map<string, string>();
  private recorded: Uint8Array | null = null;
  private readonly listeners = new Set<(change: WorkspaceChanged) => void>();
  private readonly refusals = new Map<CommandName, ApiError>();

  constructor(private readonly options: MemoryOptions = {}) {
    this.lost = new Lost(options.lost ?? false);
    if (options.open) this.fill("Harbour library", true);
  }

  async call<K extends CommandName>(name: K, request: Request<K>): Promise<Reply<K>> {
    this.calls.push(name);
    if (this.options.delay) await new Promise((done) => setTimeout(done, this.options.delay));
    const refusal = this.refusals.get(name);
    if (refusal) {
      this.refusals.delete(name);
      throw refusal;
    }
    // A reply is a copy, as it is on the wire.
    return structuredClone(this.handlers[name](structuredClone(request)));
  }

  onWorkspaceChanged(listener: (change: WorkspaceChanged) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async chooseFolder(): Promise<string | null> {
    return this.options.folder === undefined ? data.PROJECT_FOLDER : this.options.folder;
  }

  async openExternal(): Promise<void> {}

  async copyText(text: string): Promise<void> {
    this.copied = text;
  }

  async setWindowTitle(title: string): Promise<void> {
    this.windowTitle = title;
  }

  /** The next call of `name` is refused. For tests. */
  refuseNext(name: CommandName, error: ApiError): void {
    this.refusals.set(name, error);
  }

  /** Somebody else writes a file. For tests. */
  writeOutside(file: FileRef, text: string | null): void {
    this.documents.writeOutside(file, text);
    this.revision += 1;
    for (const listener of this.listeners) listener({ revision: this.revision, files: [file] });
  }

  /** The text on disk. For tests. */
  disk(file: FileRef): string | null {
    const state = this.documents.state(file);
    return ["draft", "conflict", "error"].includes(state) ? null : this.documents.text(file);
  }

  /** The next save of a file fails. For tests. */
  failNextSave(file: FileRef, problem: FileProblem): void {
    this.documents.failNextSave(file, problem);
  }

  /** A version of a file cannot be read any more. For tests. */
  damageVersion(file: FileRef, id: number): void {
    this.documents.versions.damage(file, id);
  }

  /** Another window has unsaved edits of a file. For tests. */
  editElsewhere(file: FileRef): void {
    this.documents.editElsewhere(file);
    for (const listener of this.listeners) listener({ revision: this.revision, files: [file] });
  }

  private fill(name: string, sample: boolean): void {
    this.skills.reset(this.options.odd ?? false);
    const folders = { global: data.GLOBAL_FOLDER, workspace: data.PROJECT_FOLDER, app: data.APP_FOLDER };
    this.documents = new Documents(folders, () => NOW);
    this.restored = furnish(this.documents, this.options);
    this.opened = { name, sample };
    this.revision += 1;
    this.sent.clear();
    this.recorded = joined(this.assembled({ channel: "desktop", maxTokens: null }));
  }

  /** Where the open workspace lies on disk; the sample lies nowhere. */
  private get folder(): string | null {
    return this.opened && !this.opened.sample ? data.PROJECT_FOLDER : null;
  }

  private named(name: string): string {
    return this.options.long ? `${name}, ${data.LONG_NAME}` : name;
  }

  private boot(): Boot {
    return {
      version: "0.1.0",
      found: this.options.empty ? [] : data.FOUND.map((one) => ({ ...one, label: this.named(one.label) })),
      places_looked_at: 4,
      starters: data.STARTERS,
      settings: this.settings,
      opened: this.opened ? this.workspace() : null,
      findings: [],
    };
  }

  private workspace(): WorkspaceView {
    if (!this.opened) throw refuse("not_found", "No workspace is open.");
    return {
      name: this.named(this.opened.name),
      path: data.PROJECT_FOLDER,
      sample: this.opened.sample,
      layered: true,
      revision: this.revision,
      roots: [this.root("global", "About you"), this.root("workspace", this.opened.name), this.root("app", "Built in")],
      app: { installed: false, path: null },
      ignored: [
        { root: "global", path: "user.md", reason: "Only USER.md is read.", near: "USER.md" },
        ...(this.options.near && this.documents.text(FOREIGN_FILE) === null
          ? [{ ...NEAR_FILE, reason: "Letter case counts on this disk.", near: "TOOLS.md" }]
          : []),
        { root: "workspace", path: "RULES.md", reason: "No part of the prompt reads this name.", near: null },
      ],
      projects: this.places.views(this.opened.sample ? null : data.PROJECT_FOLDER),
      own_profile: this.places.ownProfile(data.PROJECT_FOLDER),
      last_seen: this.places.lastSeen(data.PROJECT_FOLDER),
      channels: data.CHANNELS,
      variants: data.VARIANTS,
      models: data.MODELS,
      findings: [
        ...specialFindings(this.documents, this.options),
        ...this.documents.files().flatMap((file) => this.documents.findings(file)),
      ],
      watching: true,
      restored: this.restored.filter((file) => ["draft", "conflict"].includes(this.documents.state(file))),
    };
  }

  private root(id: FileRef["root"], label: string): RootView {
    const files = this.documents
      .files()
      .filter((file) => file.root === id)
      .map((file) => {
        const text = this.documents.text(file);
        const group = file.path.startsWith("skills/")
          ? "skill"
          : file.path.startsWith("memory/")
            ? "memory"
            : "bootstrap";
        const skipped = group === "memory" && text?.trim() === data.DEFAULT_MEMORY.trim();
        return {
          path: file.path,
          label: this.named(file.path.split("/").at(group === "skill" ? 1 : -1) ?? file.path),
          group,
          state: this.documents.state(file),
          tokens: text === null ? null : this.count(text),
          injected: text !== null && !skipped,
          note: skipped ? "Left out: still the template" : /^always: true$/m.test(text ?? "") ? "Always on" : null,
        };
      });
    return { id, label, path: this.documents.folders[id], files };
  }

  private get exact(): boolean {
    return this.settings.model !== "sample-estimate";
  }

  private count(text: string): CountView {
    return countBytes(new TextEncoder().encode(text).length, this.exact);
  }

  private assembled({ channel, maxTokens }: { channel: string | null; maxTokens: number | null }): Assembled {
    const message = this.contexts.value(this.settings.context, "message");
    const time = this.contexts.value(this.settings.context, "time");
    return assemble({
      text: (file) => this.documents.text(file),
      absolute: (file) => this.documents.absolute(file),
      isDraft: (file) => ["draft", "conflict"].includes(this.documents.state(file)),
      skills: this.skills.read(),
      channel,
      workRoot: "/home/juniper/harbour",
      message: typeof message === "string" ? message : MESSAGE,
      time: typeof time === "string" ? time : NOW,
      maxTokens,
      exact: this.exact,
    });
  }

  private preview(request: PreviewRequest): Frame<PreviewHead> {
    if (!this.opened) throw refuse("not_found", "No workspace is open.");
    const made = this.assembled({ channel: request.channel, maxTokens: request.max_tokens });
    const text = joined(made);
    const held = request.held === this.serial ? this.sent : new Map<string, string>();
    const fresh = made.sections.filter(({ view }) => held.get(view.id) !== view.hash);
    this.sent = new Map(made.sections.map(({ view }) => [view.id, view.hash]));
    this.serial += 1;

    const old = this.recorded;
    const common = old ? commonPrefix(old, text) : null;
    const breaks = common === text.length ? undefined : made.sections.find(({ view }) => view.end > (common ?? 0));
    const parts = ["AGENTS.md", "SOUL.md", "USER.md", "TOOLS.md"].map((name) => {
      const file: FileRef = { root: name === "USER.md" ? "global" : "workspace", path: name };
      const bytes = new TextEncoder().encode(this.documents.text(file) ?? "");
      const draft = this.documents.state(file) === "draft";
      return { name, text: `${name}:1764580320000:${bytes.length}`, changed: draft };
    });
    const changed = parts.some((part) => part.changed);
    const head: PreviewHead = {
      serial: this.serial,
      revision: this.revision,
      variant: this.settings.variant ?? "catbuddy",
      variant_version: 1,
      target: "catbuddy",
      channel: request.channel,
      installed_app: false,
      layered: true,
      file_access: "project",
      work_root: "/home/juniper/harbour",
      bytes: text.length,
      sections: made.sections.map(({ view }) =>
        fresh.some((one) => one.view.id === view.id) ? view : { ...view, fresh: false, spans: null },
      ),
      skipped: made.skipped,
      findings: overBudget(request.max_tokens, countBytes(text.length, this.exact)),
      tokens: countBytes(text.length, this.exact),
      joins: made.joins,
      window: data.MODELS.find((model) => model.id === this.settings.model)?.window ?? null,
      user_message: made.userMessage,
      runtime_suffix: made.suffix,
      messages: made.messages,
      tool_schemas: [
        { name: "calendar__list", server: "calendar", description: "Lists events of a day.", schema: data.TOOL_SCHEMA },
      ],
      fingerprint: { parts, changed, hit: !changed, stale: false, content_hash: hash(text) },
      cache: {
        prefix_tokens: common === null ? null : Math.floor(common / 4),
        prefix_bytes: common,
        breaks_at: breaks?.view.id ?? null,
        since: common === null ? null : NOW,
      },
      target_error: this.options.broken
        ? {
            kind: "template_syntax",
            path: "/usr/share/catbuddy/templates/identity.hbs",
            line: 12,
            column: 4,
            message: "The block “if” is never closed.",
          }
        : null,
      stages: [{ name: "assemble", micros: 300 }],
    };
    const body = new Uint8Array(fresh.reduce((sum, section) => sum + section.text.length, 0));
    let at = 0;
    for (const section of fresh) {
      body.set(section.text, at);
      at += section.text.length;
    }
    return { head, body };
  }

  private save(agreed: SaveAgreed): SaveResult {
    const result = this.documents.save(agreed);
    this.revision += 1;
    const made = this.assembled({ channel: this.settings.channel, maxTokens: null });
    const text = joined(made);
    const prefix = this.recorded ? Math.floor(commonPrefix(this.recorded, text) / 4) : null;
    this.history.add({ time: NOW, tokens: countBytes(text.length, true).total ?? 0, prefix });
    this.recorded = text;
    return { ...result, revision: this.revision };
  }

  private readonly handlers: Handlers = {
    boot: () => this.boot(),
    open: (request) => {
      const found = request.kind === "workspace" ? data.FOUND.find((one) => one.path === request.path) : undefined;
      if (found?.problem) throw refuse("failed", found.problem, { path: found.path });
      if (request.kind === "project" && this.places.find(request.path)?.problem === "two_layouts")
        throw refuse("ambiguous", "Both .catbuddy and .catbuddy/workspace hold files here.", { path: request.path });
      this.fill(found?.label ?? "Harbour library", request.kind === "sample");
      return this.workspace();
    },
    workspace: () => this.workspace(),
    close: () => {
      this.opened = null;
      return this.boot();
    },
    preview: (request) => this.preview(request),
    document: (file) => this.documents.view(file),
    edit: (request) => {
      const { version } = this.documents.edit(request);
      this.revision += 1;
      const result = { version, state: this.documents.state(request.file), revision: this.revision };
      const preview = request.preview ? this.preview(request.preview) : null;
      return {
        head: { ...result, preview: preview?.head ?? null, preview_error: null },
        body: preview?.body ?? new Uint8Array(),
      };
    },
    save: (file) => this.save({ file, without_version: false, in_place: false, outside: false }),
    save_agreed: (agreed) => this.save(agreed),
    disk: (file) => this.documents.disk(file),
    take_disk: (file) => this.documents.takeDisk(file),
    keep_mine: (file) => this.documents.keepMine(file),
    ...fixHandlers(
      () => this.documents,
      () => (this.revision += 1),
    ),
    ...this.skills.handlers,
    form: ({ file }) =>
      this.options.forms
        ? readForm(this.documents.view(file))
        : { file, version: this.documents.view(file).head.version, schema: null, blocks: [] },
    form_edit: (request) => editForm(this.documents.view(request.file), request),
    merge: (file) => this.documents.merge(file),
    merged: (request) => this.documents.merged(request),
    versions: ({ file, before }) => this.documents.versions.list(file, before, this.documents.onDisk(file)),
    version: ({ file, id }) => this.documents.versions.version(file, id),
    restore_version: ({ file }) => {
      throw refuse("invalid", `Every version of ${file.path} is text here.`);
    },
    contexts: () => this.contexts.list(this.settings.context),
    context: ({ name }) => this.contexts.view(name),
    save_context: (context) => {
      this.contexts.save(context);
      return this.contexts.list(this.settings.context);
    },
    remove_context: ({ name }) => {
      this.contexts.remove(name);
      if (this.settings.context === name) this.settings = { ...this.settings, context: null };
      return this.contexts.list(this.settings.context);
    },
    check_context: ({ json }) => this.contexts.check(json),
    history: (request) => this.history.page(request),
    ...questionHandlers(() => ({
      documents: this.documents,
      sections: () => this.assembled({ channel: this.settings.channel, maxTokens: null }).sections,
      count: (text) => this.count(text),
      model: this.settings.model,
      workspace: () => this.workspace(),
      now: NOW,
    })),
    settings: () => this.settings,
    save_settings: (settings) => (this.settings = settings),
    projects: () => this.places.list(this.folder),
    change_projects: (change) => {
      this.places.change(change);
      return this.places.list(this.folder);
    },
    choose_profile: ({ workspace, own }) => {
      this.places.chooseProfile(workspace, own);
      return {};
    },
    remember: (seen) => {
      if (this.folder !== null) this.places.remember(this.folder, seen);
      return {};
    },
    make_files: ({ path }) => this.places.makeFiles(path),
    about: () => this.places.about(this.settings.app),
    retention_preview: (limits) => this.history.goes(limits),
    lost_drafts: () => this.lost.list(),
    lost_draft: (name) => this.lost.read(name),
    discard_lost_draft: (name) => this.lost.discard(name),
  };
}
