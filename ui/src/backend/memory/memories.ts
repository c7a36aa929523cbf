/** The memory of the in-memory workspace: entries, lines that are said twice, and what a summary would append. */
import type {
  CountView,
  FileRef,
  MemoryCopy,
  MemoryDuplicate,
  MemoryEntryView,
  MemoryLayer,
  MemoryMark,
  MemoryPoint,
  MemorySplit,
  MemorySplitRequest,
  MemoryView,
} from "../backend";
import { DEFAULT_MEMORY } from "./data";
import { refuse } from "./documents";

/** What the memory is made from. */
export interface Memories {
  text(file: FileRef): string | null;
  absolute(file: FileRef): string;
  isDraft(file: FileRef): boolean;
  count(text: string): CountView;
  window: number | null;
  now: string;
}

const FILES: { owner: MemoryLayer["owner"]; file: FileRef }[] = [
  { owner: "you", file: { root: "global", path: "memory/MEMORY.md" } },
  { owner: "project", file: { root: "workspace", path: "memory/MEMORY.md" } },
];
const DATE = /\d{4}-\d{2}-\d{2}/;

const bytes = (text: string): number => new TextEncoder().encode(text).length;

/** A line with the byte at which it begins. */
interface Line {
  text: string;
  start: number;
  number: number;
}

function linesOf(text: string): Line[] {
  let start = 0;
  return (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line, index) => {
    const at = { text: line, start, number: index + 1 };
    start += bytes(line);
    return at;
  });
}

const rangeOf = (line: Line) => ({ start: line.start, end: line.start + bytes(line.text) });

function entriesOf(lines: Line[], count: (text: string) => CountView): MemoryEntryView[] {
  const entries: (MemoryEntryView & { whole: string })[] = [];
  for (const line of lines) {
    const heading = /^#+ (.*)/.exec(line.text)?.[1];
    const item = /^- (\d{4}-\d{2}-\d{2}):? (.*)/.exec(line.text);
    const last = entries.at(-1);
    if (heading === undefined && !item && last) {
      last.range.end = rangeOf(line).end;
      last.whole += line.text;
      if (last.excerpt === "") last.excerpt = line.text.trim();
      continue;
    }
    entries.push({
      range: rangeOf(line),
      line: line.number,
      kind: heading !== undefined ? "heading" : item ? "item" : "text",
      date: DATE.exec(heading ?? item?.[1] ?? "")?.[0] ?? null,
      title: heading?.replace(/ — \d{4}-\d{2}-\d{2}$/, "").split(" — ")[0] ?? null,
      section: heading?.replace(/ — \d{4}-\d{2}-\d{2}$/, "").split(" — ")[1] ?? null,
      excerpt: item?.[2] ?? (heading === undefined ? line.text.trim() : ""),
      tokens: null,
      whole: line.text,
    });
  }
  return entries.map(({ whole, ...entry }) => ({ ...entry, tokens: count(whole).total }));
}

function marksOf(lines: Line[]): MemoryMark[] {
  return lines.flatMap((line) =>
    [...line.text.matchAll(/##\s*(User\s*Profile|Project\s*Context)/gi)].map((match): MemoryMark => {
      const start = line.start + bytes(line.text.slice(0, match.index));
      return {
        section: /user/i.test(match[0]) ? "user_profile" : "project_context",
        range: { start, end: start + bytes(match[0]) },
        line: line.number,
        within_line: /[^#\s]/.test(line.text.slice(0, match.index)),
        excerpt: line.text.trim(),
      };
    }),
  );
}

function layer(from: Memories, { owner, file }: (typeof FILES)[number]): MemoryLayer {
  const text = from.text(file);
  const state =
    text === null
      ? "missing"
      : text === ""
        ? "empty"
        : text.trim() === DEFAULT_MEMORY.trim()
          ? "still-default"
          : "injected";
  const lines = linesOf(text ?? "");
  const entries = entriesOf(lines, from.count);
  const dates = entries.flatMap((entry) => entry.date ?? []).sort();
  return {
    owner,
    path: from.absolute(file),
    file,
    present: text !== null,
    injected: state === "injected",
    draft: from.isDraft(file),
    state,
    reason: { missing: "There is no file.", empty: "The file is empty." }[state as string] ?? "",
    findings: [],
    bytes: bytes(text ?? ""),
    tokens: from.count(text ?? ""),
    entries_total: entries.length,
    dated: dates.length,
    oldest: dates[0] ?? null,
    newest: dates.at(-1) ?? null,
    entries,
    marks: marksOf(lines),
  };
}

/** Lines that are said twice: the same to the byte, or but for letter case and punctuation. */
function duplicates(from: Memories): MemoryDuplicate[] {
  const said = new Map<string, MemoryCopy[]>();
  for (const { owner, file } of FILES) {
    for (const line of linesOf(from.text(file) ?? "")) {
      const key = line.text
        .replace(DATE, "")
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, " ")
        .trim();
      if (line.text.startsWith("#") || key.length < 8) continue;
      const copy: MemoryCopy = {
        owner,
        path: from.absolute(file),
        file,
        range: rangeOf(line),
        line: line.number,
        whole: DATE.test(line.text),
        date: DATE.exec(line.text)?.[0] ?? null,
        text: line.text,
        complete: true,
      };
      said.set(key, [...(said.get(key) ?? []), copy]);
    }
  }
  return [...said.values()]
    .filter((copies) => copies.length > 1)
    .map((copies) => ({
      exact: new Set(copies.map((copy) => copy.text.trim())).size === 1,
      across: new Set(copies.map((copy) => copy.owner)).size > 1,
      copies,
      copies_left_off: 0,
      tokens_twice: copies.slice(1).reduce((sum, copy) => sum + (from.count(copy.text).total ?? 0), 0),
    }));
}

/** Twelve invented weeks. */
const GROWTH: MemoryPoint[] = Array.from({ length: 12 }, (_, week) => ({
  time: new Date(Date.parse("2026-09-07T18:00:00Z") + week * 7 * 86_400_000).toISOString(),
  you: week < 2 ? null : { bytes: 180 + week * 42, tokens: 45 + week * 11 },
  project: { bytes: 60 + week * 9, tokens: 15 + week * 2 },
}));

export function memory(from: Memories): MemoryView {
  return {
    schema_version: 1,
    layered: true,
    model: "sample-exact",
    window: from.window,
    layers: FILES.map((file) => layer(from, file)),
    duplicates: duplicates(from),
    duplicates_left_off: 0,
    growth: GROWTH,
  };
}

/** A section of a summary: from the line after its mark to the other mark, when that comes later. */
function section(summary: string, mark: RegExp, end: number): string | null {
  const at = summary.search(mark);
  if (at < 0) return null;
  const body = summary.indexOf("\n", at) + 1 || at;
  const text = summary.slice(body, Math.max(body, end > at ? end : summary.length)).trim();
  return text === "" || text === "(nothing)" ? null : text;
}

export function split(from: Memories, request: MemorySplitRequest): MemorySplit {
  const summary = request.summary.trim();
  if (summary === "" || summary === "(nothing)") {
    throw refuse("invalid", "The agent appends nothing for an answer that is blank or says (nothing).");
  }
  const label = request.label || "Dream";
  const user = /##\s*User\s*Profile/i;
  const project = /##\s*Project\s*Context/i;
  const marked = user.test(summary) || project.test(summary);
  const userProfile = marked ? section(summary, user, summary.search(project)) : summary;
  const projectContext = section(summary, project, -1);
  const entry = (title: string, body: string) => `\n\n## ${label} — ${title} — ${from.now.slice(0, 10)}\n${body}\n`;
  const person = userProfile ?? (projectContext === null ? summary : null);
  const added = {
    global: person === null ? null : entry("User Profile", person),
    project: projectContext === null ? null : entry("Project", projectContext),
  };
  const [you, own] = FILES.map(({ file }) => from.text(file));
  const after = (before: string | null | undefined, more: string | null) =>
    (before ?? null) === null && more === null ? null : `${before ?? ""}${more ?? ""}`;
  return {
    schema_version: 1,
    label,
    time: from.now,
    layered: true,
    split: { userProfile, projectContext },
    appended: { global: after(you, added.global), project: after(own, added.project) },
    added,
    paths: { global: from.absolute(FILES[0]!.file), project: from.absolute(FILES[1]!.file) },
    notes: [],
  };
}
