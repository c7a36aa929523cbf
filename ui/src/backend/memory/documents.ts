/** The files of the in-memory workspace: disk, drafts with versions, conflicts. */
import type {
  ApiError,
  DocumentView,
  EditRequest,
  FileRef,
  FileState,
  FindingView,
  Frame,
  LineEndsView,
} from "../backend";

interface Entry {
  file: FileRef;
  disk: string | null;
  /** The text on disk that the draft began from. */
  base: string | null;
  draft: string | null;
  version: number;
  problem: { state: "read_only" | "error"; reason: string } | null;
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
    fix: string,
  ) =>
    findings.push({
      id,
      severity,
      path: absolute,
      file,
      range: { start: byteOffset(text, from), end: byteOffset(text, to) },
      message,
      fix,
    });
  const ends = lineEnds(text);
  const firstCrlf = text.indexOf("\r\n");
  if (ends.crlf > 0 && ends.lf > 0) {
    const message = `${ends.crlf} lines end in CRLF, the rest in LF. Mixed endings change the bytes, so a cached prefix will not match.`;
    about("mixed-line-ends", "warning", firstCrlf, firstCrlf + 2, message, "Use LF");
  }
  for (const match of text.matchAll(/\{\{\w+\}\}/g)) {
    const message = `Placeholder not filled: ${match[0]}. The model would read the braces literally.`;
    about("unfilled-placeholder", "error", match.index, match.index + match[0].length, message, "Fill it in");
  }
  return findings;
}

export class Documents {
  private readonly entries = new Map<string, Entry>();

  constructor(
    readonly folders: Record<FileRef["root"], string>,
    private readonly clock: () => string,
  ) {}

  add(file: FileRef, disk: string | null, problem: Entry["problem"] = null): void {
    const entry = { file, disk, base: disk, draft: null, version: 1, problem, changedAt: null };
    this.entries.set(keyOf(file), entry);
  }

  has(file: FileRef): boolean {
    return this.entries.has(keyOf(file));
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
    if (entry.draft !== null) return entry.base === entry.disk ? "draft" : "conflict";
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
      reason: entry.problem?.reason ?? (conflict ? `${file.path} changed on disk after your edit began.` : null),
      version: entry.version,
      size: encoder.encode(entry.disk ?? "").length,
      bom: text.startsWith("\uFEFF"),
      line_ends: lineEnds(text),
      encoding: "utf-8",
      findings: this.findings(file),
      conflict,
    };
    return { head, body: encoder.encode(text) };
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
    if (entry.draft === null) entry.base = entry.disk;
    entry.draft = after === entry.base && entry.base === entry.disk ? null : after;
    return entry;
  }

  save(file: FileRef): { state: FileState; reason: string | null; version: number } {
    const entry = this.entry(file);
    if (this.state(file) === "conflict") {
      const reason = `${file.path} changed on disk. Nothing was written; your draft is kept.`;
      return { state: "conflict", reason, version: entry.version };
    }
    entry.disk = entry.draft ?? entry.disk;
    entry.base = entry.disk;
    entry.draft = null;
    return { state: this.state(file), reason: null, version: entry.version };
  }

  takeDisk(file: FileRef): Frame<DocumentView> {
    const entry = this.entry(file);
    entry.draft = null;
    entry.base = entry.disk;
    entry.version += 1;
    return this.view(file);
  }

  keepMine(file: FileRef): Frame<DocumentView> {
    const entry = this.entry(file);
    entry.base = entry.disk;
    return this.view(file);
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
