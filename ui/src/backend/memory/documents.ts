/** The files of the in-memory workspace: disk, drafts with versions, conflicts. */
import type {
  ApiError,
  DiskView,
  DocumentView,
  EditRequest,
  FileRef,
  FileState,
  FileProblem,
  FindingView,
  Frame,
  LineEndsView,
  MergedRequest,
  MergeView,
  ProblemView,
  SaveAgreed,
  SaveResult,
} from "../backend";
import { hash } from "./assemble";
import { hunks } from "./merge";
import { Versions } from "./versions";

interface Entry {
  file: FileRef;
  disk: string | null;
  /** The text on disk that the draft began from. */
  base: string | null;
  draft: string | null;
  version: number;
  problem: { state: "read_only" | "error"; reason: string; kind?: FileProblem; encoding?: string } | null;
  /** The next save fails with this. */
  failing: FileProblem | null;
  /** How the last save failed. */
  failed: FileProblem | null;
  elsewhere: boolean;
  changedAt: string | null;
}

const encoder = new TextEncoder();

export const keyOf = (file: FileRef): string => `${file.root}:${file.path}`;

export function refuse(code: ApiError["code"], message: string, context: Record<string, string> = {}): ApiError {
  return { code, message, context };
}

/** Line ends of each kind. */
export function lineEnds(text: string): LineEndsView {
  const crlf = text.match(/\r\n/g)?.length ?? 0;
  const lf = (text.match(/\n/g)?.length ?? 0) - crlf;
  const cr = (text.match(/\r/g)?.length ?? 0) - crlf;
  return { lf, crlf, cr };
}

const byteOffset = (text: string, unit: number): number => encoder.encode(text.slice(0, unit)).length;

/** Two lints that show what findings look like. */
function lint(file: FileRef, absolute: string, text: string): FindingView[] {
  const findings: FindingView[] = [];
  const about = (
    id: string,
    severity: FindingView["severity"],
    from: number,
    to: number,
    message: string,
    actions: FindingView["actions"],
  ) =>
    findings.push({
      id,
      severity,
      path: absolute,
      file,
      range: { start: byteOffset(text, from), end: byteOffset(text, to) },
      message,
      actions,
    });
  const ends = lineEnds(text);
  const firstCrlf = text.indexOf("\r\n");
  if (ends.crlf > 0 && ends.lf > 0) {
    const message = `${ends.crlf} lines end in CRLF, the rest in LF. Mixed endings change the bytes, so a cached prefix will not match.`;
    about("mixed-line-ends", "warning", firstCrlf, firstCrlf + 2, message, [
      { id: "use-lf", label: "Use LF throughout" },
      { id: "use-crlf", label: "Use CR LF throughout" },
    ]);
  }
  for (const match of text.matchAll(/\{\{\w+\}\}/g)) {
    const message = `Placeholder not filled: ${match[0]}. The model would read the braces literally.`;
    about("unfilled-placeholder", "error", match.index, match.index + match[0].length, message, []);
  }
  return findings;
}

export class Documents {
  private readonly entries = new Map<string, Entry>();
  readonly versions: Versions;

  constructor(
    readonly folders: Record<FileRef["root"], string>,
    private readonly clock: () => string,
  ) {
    this.versions = new Versions(clock);
  }

  add(file: FileRef, disk: string | null, problem: Entry["problem"] = null): void {
    const entry: Entry = {
      file,
      disk,
      base: disk,
      draft: null,
      version: 1,
      problem,
      changedAt: null,
      failing: null,
      failed: null,
      elsewhere: false,
    };
    this.entries.set(keyOf(file), entry);
  }

  /** The text in another encoding becomes the draft. */
  convert(file: FileRef, text: string): Frame<DocumentView> {
    const entry = this.entry(file);
    entry.problem = null;
    entry.base = entry.disk;
    entry.draft = text;
    entry.version += 1;
    return this.view(file);
  }

  has(file: FileRef): boolean {
    return this.entries.has(keyOf(file));
  }

  remove(file: FileRef): void {
    this.entries.delete(keyOf(file));
  }

  files(): FileRef[] {
    return [...this.entries.values()].map((entry) => entry.file);
  }

  absolute(file: FileRef): string {
    return `${this.folders[file.root]}/${file.path}`;
  }

  /** What the assembly reads: the draft, else the disk. */
  text(file: FileRef): string | null {
    const entry = this.entries.get(keyOf(file));
    return entry ? (entry.draft ?? entry.disk) : null;
  }

  private entry(file: FileRef): Entry {
    const found = this.entries.get(keyOf(file));
    if (!found) throw refuse("not_found", `There is no ${file.path} in this workspace.`, { path: file.path });
    return found;
  }

  state(file: FileRef): FileState {
    const entry = this.entry(file);
    if (entry.problem) return entry.problem.state;
    if (entry.draft !== null && entry.base !== entry.disk) return "conflict";
    if (entry.failed) return "error";
    if (entry.draft !== null) return "draft";
    return entry.disk === null ? "missing" : "saved";
  }

  findings(file: FileRef): FindingView[] {
    const text = this.text(file);
    return text === null ? [] : lint(file, this.absolute(file), text);
  }

  view(file: FileRef): Frame<DocumentView> {
    const entry = this.entry(file);
    const text = entry.draft ?? entry.disk ?? "";
    const state = this.state(file);
    const conflict = state === "conflict" ? { theirs: entry.disk, changed_at: entry.changedAt } : null;
    const head: DocumentView = {
      file,
      absolute: this.absolute(file),
      state,
      reason:
        entry.problem?.reason ??
        (conflict ? `${file.path} changed on disk after your edit began.` : entry.failed ? this.why(entry) : null),
      problem: this.problem(entry),
      elsewhere: entry.elsewhere,
      version: entry.version,
      size: encoder.encode(entry.disk ?? "").length,
      bom: text.startsWith("\uFEFF"),
      line_ends: lineEnds(text),
      encoding: entry.problem?.encoding ?? "utf-8",
      findings: this.findings(file),
      conflict,
    };
    return { head, body: encoder.encode(text) };
  }

  private problem(entry: Entry): ProblemView | null {
    if (entry.problem) return { kind: entry.problem.kind ?? "unreadable", saving: false };
    return entry.failed && this.state(entry.file) === "error" ? { kind: entry.failed, saving: true } : null;
  }

  private why(entry: Entry): string {
    return `${entry.file.path} is not saved (${entry.failed}). Your draft is kept.`;
  }

  disk(file: FileRef): Frame<DiskView> {
    const { disk, problem } = this.entry(file);
    const text = disk !== null && problem?.kind !== "not_utf8";
    return { head: { exists: disk !== null, text }, body: encoder.encode(text ? disk : "") };
  }

  onDisk(file: FileRef): string | null {
    return this.entry(file).disk;
  }

  /** Another window has unsaved edits of the file. */
  editElsewhere(file: FileRef): void {
    this.entry(file).elsewhere = true;
  }

  failNextSave(file: FileRef, problem: FileProblem): void {
    this.entry(file).failing = problem;
  }

  edit({ file, version, changes }: EditRequest): Entry {
    const entry = this.entry(file);
    if (entry.problem) throw refuse("invalid", entry.problem.reason, { path: file.path });
    if (version !== entry.version) {
      throw refuse("stale", `The edit starts from version ${version}, the text is at ${entry.version}.`);
    }
    const before = entry.draft ?? entry.disk ?? "";
    let after = "";
    let at = 0;
    for (const change of changes) {
      if (change.from < at || change.to < change.from || change.to > before.length) {
        throw refuse("invalid", "The changes overlap, or reach beyond the text.");
      }
      after += before.slice(at, change.from) + change.insert;
      at = change.to;
    }
    after += before.slice(at);
    entry.version += 1;
    entry.failed = null;
    if (entry.draft === null) entry.base = entry.disk;
    entry.draft = after === entry.base && entry.base === entry.disk ? null : after;
    return entry;
  }

  save({ file, without_version, in_place, outside }: SaveAgreed): Omit<SaveResult, "revision"> {
    const entry = this.entry(file);
    const { version } = entry;
    if (this.state(file) === "conflict") {
      const reason = `${file.path} changed on disk. Nothing was written; your draft is kept.`;
      return { state: "conflict", reason, version, problem: null };
    }
    const agreed =
      (entry.failing === "version_not_kept" && without_version) ||
      (entry.failing === "hard_linked" && in_place) ||
      (entry.failing === "outside" && outside);
    entry.failed = agreed ? null : entry.failing;
    // What nobody can agree to passes by itself.
    if (agreed || !["version_not_kept", "hard_linked", "outside"].includes(entry.failing ?? "")) entry.failing = null;
    if (entry.failed) return { state: "error", reason: this.why(entry), version, problem: this.problem(entry) };
    this.versions.keep(file, entry.disk, "found");
    entry.disk = entry.draft ?? entry.disk;
    this.versions.keep(file, entry.disk, "saved");
    entry.base = entry.disk;
    entry.draft = null;
    return { state: this.state(file), reason: null, version, problem: null };
  }

  takeDisk(file: FileRef): Frame<DocumentView> {
    const entry = this.entry(file);
    this.versions.keep(file, entry.draft, "draft");
    entry.draft = null;
    entry.failed = null;
    entry.base = entry.disk;
    entry.version += 1;
    return this.view(file);
  }

  keepMine(file: FileRef): Frame<DocumentView> {
    const entry = this.entry(file);
    this.versions.keep(file, entry.disk, "found");
    entry.base = entry.disk;
    return this.view(file);
  }

  private diskHash(file: FileRef): string | null {
    const { disk } = this.entry(file);
    return disk === null ? null : hash(encoder.encode(disk));
  }

  merge(file: FileRef): MergeView {
    const { version, disk, base, draft, problem } = this.entry(file);
    const wrong = disk === null ? "gone" : problem?.kind === "not_utf8" ? "not_utf8" : null;
    return {
      file,
      version,
      disk: this.diskHash(file),
      problem: wrong,
      base_known: base !== null,
      hunks: wrong === null ? hunks(base ?? "", draft ?? disk ?? "", disk ?? "") : [],
    };
  }

  merged({ file, disk }: MergedRequest): Frame<DocumentView> {
    if (disk !== this.diskHash(file)) throw refuse("conflict", `${file.path} changed on disk again.`);
    return this.keepMine(file);
  }

  /** A draft of an earlier window, of a text that stood on disk then. */
  restore(file: FileRef, draft: string, base: string | null): void {
    const entry = this.entry(file);
    entry.draft = draft;
    entry.base = base;
  }

  /** Somebody else writes the file (`null`: deletes it). */
  writeOutside(file: FileRef, text: string | null): void {
    const entry = this.entry(file);
    entry.disk = text;
    entry.changedAt = this.clock();
    if (entry.draft === null) {
      entry.base = text;
      entry.version += 1;
    }
  }
}
