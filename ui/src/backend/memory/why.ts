/** Searching the in-memory workspace, and comparing with a prompt that was sent. */
import type {
  CommandName,
  CompareLogRequest,
  CompareLogView,
  CompareSection,
  CountView,
  FileRef,
  IgnoredView,
  Reply,
  Request,
  WhyPlaceView,
  WhyRequest,
  WhyView,
  WorkspaceView,
} from "../backend";
import type { BuiltSection } from "./assemble";
import { MODELS } from "./data";
import { refuse, type Documents } from "./documents";
import * as memories from "./memories";

/** What is searched. */
export interface Searched {
  files: FileRef[];
  text(file: FileRef): string | null;
  absolute(file: FileRef): string;
  isDraft(file: FileRef): boolean;
  injected(file: FileRef): boolean;
  ignored: IgnoredView[];
  folder(root: FileRef["root"]): string;
}

const bytes = (text: string): number => new TextEncoder().encode(text).length;
const decoder = new TextDecoder();

function pattern(request: WhyRequest): RegExp {
  const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const source = request.loose_space
    ? request.phrase.trim().split(/\s+/).map(escaped).join("\\s+")
    : escaped(request.phrase);
  return new RegExp(source, request.ignore_case ? "giu" : "gu");
}

export function why(from: Searched, request: WhyRequest): WhyView {
  if (request.phrase.trim() === "") throw refuse("invalid", "Give a phrase to look for.");
  const places: WhyPlaceView[] = [];
  const looked: WhyView["looked_at"] = [];
  for (const file of from.files) {
    const text = from.text(file);
    if (text === null) continue;
    const found = [...text.matchAll(pattern(request))];
    for (const match of found) {
      const before = text.slice(0, match.index);
      const line = before.split("\n").length;
      const start = bytes(before);
      const injected = from.injected(file);
      places.push({
        path: from.absolute(file),
        file,
        line,
        range: { start, end: start + bytes(match[0]) },
        in_prompt: injected,
        prompt_offset: injected ? start : null,
        reason: injected ? "In the prompt." : "Not in the prompt: it is still the text it was made from.",
        excerpt: text.split("\n")[line - 1] ?? "",
      });
    }
    const kind = file.root === "app" ? "template" : "file";
    const path = from.absolute(file);
    looked.push({ path, file, kind, places: found.length, draft: from.isDraft(file), problem: null });
  }
  for (const ignored of from.ignored) {
    const path = `${from.folder(ignored.root)}/${ignored.path}`;
    looked.push({ path, file: null, kind: "ignored", places: 0, draft: false, problem: null });
  }
  return { phrase: request.phrase, places, left_off: 0, looked_at: looked };
}

/** The prompt in a log: as it is, or out of JSON. */
function sent(log: string): { text: string; notes: string[] } {
  try {
    const value = JSON.parse(log) as string | { system?: string };
    const text = typeof value === "string" ? value : value.system;
    if (typeof text === "string")
      return { text, notes: ["The log is a request. Its system prompt was taken, without the escapes of JSON."] };
  } catch {
    // No JSON: the prompt itself.
  }
  return { text: log, notes: [] };
}

export function compareLog(
  sections: BuiltSection[],
  count: (text: string) => CountView,
  request: CompareLogRequest,
): CompareLogView {
  if (request.log.trim() === "")
    throw refuse("invalid", "Paste the prompt that was sent, or the log line that holds it.");
  const { text, notes } = sent(request.log);
  const texts = sections.map((section) => decoder.decode(section.text));
  const now = texts.join("");
  let at = 0;
  while (at < now.length && now[at] === text[at]) at += 1;
  const identical = now === text;
  const offset = bytes(now.slice(0, at));
  const differing = sections.find((section) => section.view.end > offset);
  const source = differing?.view.spans?.find((span) => differing.view.start + span.end > offset)?.source ?? null;
  const changed = sections.map((section, index): CompareSection => {
    const own = texts[index] ?? "";
    const same = own === "" || text.includes(own);
    const after = sections.slice(index + 1).findIndex((_, next) => text.includes(texts[index + 1 + next] ?? "\0"));
    const end = after < 0 ? text.length : text.indexOf(texts[index + 1 + after] ?? "");
    const before = text.slice(0, end);
    return {
      id: section.view.id,
      title: section.view.title,
      layer: section.view.layer,
      change: same ? "same" : "changed",
      tokens_sent: count(same ? own : before).total,
      tokens_now: section.view.tokens.total,
      sent: same ? null : before.slice(Math.min(at, before.length)),
      now: same ? null : own,
    };
  });
  return {
    identical,
    notes,
    sent_bytes: bytes(text),
    now_bytes: bytes(now),
    first: identical
      ? null
      : {
          offset,
          line: now.slice(0, at).split("\n").length,
          section: differing?.view.title ?? null,
          source,
          source_line: source?.kind === "file" ? 1 : null,
          before: now.slice(Math.max(0, at - 40), at),
          sent: text.slice(at, at + 40),
          now: now.slice(at, at + 40),
        },
    tokens_kept: count(now.slice(0, at)).total,
    tokens_lost: count(now.slice(at)).total,
    sections: changed,
  };
}

/** What the answers are made from. */
export interface Asked {
  documents: Documents;
  sections(): BuiltSection[];
  count(text: string): CountView;
  model: string | null;
  workspace(): WorkspaceView;
  now: string;
}

/** The commands of the memory page and of the page of questions. */
export function questionHandlers(asked: () => Asked) {
  const held = () => {
    const { documents, count, model, now } = asked();
    return {
      text: (file: FileRef) => documents.text(file),
      absolute: (file: FileRef) => documents.absolute(file),
      isDraft: (file: FileRef) => ["draft", "conflict"].includes(documents.state(file)),
      count,
      window: MODELS.find((one) => one.id === model)?.window ?? null,
      now,
    };
  };
  return {
    memory: () => memories.memory(held()),
    memory_split: (request) => memories.split(held(), request),
    why: (request) => {
      const { documents, workspace } = asked();
      const { roots, ignored } = workspace();
      const injected = (file: FileRef) =>
        roots.some((root) => root.id === file.root && root.files.some((one) => one.path === file.path && one.injected));
      const folder = (root: FileRef["root"]) => documents.folders[root];
      return why({ ...held(), files: documents.files(), injected, ignored, folder }, request);
    },
    compare_log: (request) => compareLog(asked().sections(), asked().count, request),
  } satisfies { [K in CommandName]?: (request: Request<K>) => Reply<K> };
}
