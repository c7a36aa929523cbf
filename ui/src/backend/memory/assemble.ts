/**
 * A little assembler: five layers, sources for every byte, things left out with their reasons. It follows the shape
 * of the real one, so that the window can be built and tested without it; it does not follow its rules to the byte.
 */
import type { CountView, FileRef, MessageView, SectionView, SkippedView, SourceView } from "../backend";
import { DEFAULT_MEMORY, IDENTITY } from "./data";

export interface Input {
  text(file: FileRef): string | null;
  absolute(file: FileRef): string;
  isDraft(file: FileRef): boolean;
  skills: FileRef[];
  channel: string | null;
  workRoot: string;
  message: string;
  time: string;
  maxTokens: number | null;
  exact: boolean;
}

/** A section with its text, before it is put on the wire. */
export interface BuiltSection {
  view: SectionView;
  text: Uint8Array;
}

export interface Assembled {
  sections: BuiltSection[];
  skipped: SkippedView[];
  messages: MessageView[];
  userMessage: string;
  suffix: string;
  joins: number;
}

const encoder = new TextEncoder();

/** Tokens of `bytes` bytes: a quarter of them, rounded up; as an interval when the model's tokenizer is not public. */
export function countBytes(bytes: number, exact: boolean): CountView {
  const total = Math.ceil(bytes / 4);
  return exact
    ? { total, low: total, high: total, exact, method: "sample tokenizer" }
    : { total, low: Math.floor(total * 0.9), high: Math.ceil(total * 1.1), exact, method: "bytes ÷ 4" };
}

/** FNV-1a; equal hash, equal text, as far as a sample goes. */
export function hash(bytes: Uint8Array): string {
  let value = 0x811c9dc5;
  for (const byte of bytes) value = Math.imul(value ^ byte, 0x01000193);
  return `${(value >>> 0).toString(16)}-${bytes.length}`;
}

type Piece = { text: string; source: SourceView };

const literal = (name: string, text: string): Piece => ({
  text,
  source: { kind: "literal", path: null, file: null, start: null, end: null, name },
});

class Builder {
  readonly sections: BuiltSection[] = [];
  private offset = 0;

  constructor(private readonly input: Input) {}

  fromFile(file: FileRef, text: string): Piece {
    const source: SourceView = {
      kind: "file",
      path: this.input.absolute(file),
      file,
      start: 0,
      end: encoder.encode(text).length,
      name: null,
    };
    return { text, source };
  }

  add(id: string, layer: number | null, title: string, stability: SectionView["stability"], pieces: Piece[]): void {
    const spans = [];
    let at = 0;
    const parts: Uint8Array[] = [];
    for (const piece of pieces) {
      const bytes = encoder.encode(piece.text);
      if (bytes.length === 0) continue;
      spans.push({ start: at, end: at + bytes.length, source: piece.source });
      parts.push(bytes);
      at += bytes.length;
    }
    const text = new Uint8Array(at);
    let put = 0;
    for (const part of parts) {
      text.set(part, put);
      put += part.length;
    }
    const draft = pieces.some((piece) => piece.source.file !== null && this.input.isDraft(piece.source.file));
    this.sections.push({
      text,
      view: {
        id,
        layer,
        title,
        stability,
        start: this.offset,
        end: this.offset + at,
        hash: hash(text),
        fresh: true,
        bytes: at,
        tokens: countBytes(at, this.input.exact),
        draft,
        spans,
      },
    });
    this.offset += at;
  }
}

function identityText(channel: string | null, workRoot: string): string {
  return IDENTITY.replace(/\{\{#(\w+)\}\}(.*?)\{\{\/\1\}\}/gs, (_, name: string, inner: string) =>
    name === channel || (name === "desktop" && channel !== "telegram") ? inner : "",
  ).replace("{{work_root}}", () => workRoot);
}

function frontMatter(text: string, name: string): string | null {
  const head = /^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? "";
  return new RegExp(`^${name}:\\s*(.+)$`, "m").exec(head)?.[1] ?? null;
}

type Part = { id: string; layer: number; tokens: number; path: string; add: (builder: Builder) => void };

/** Assembles; with `maxTokens`, gives things up from the back until the high bound of the count fits. */
export function assemble(input: Input): Assembled {
  const skipped: SkippedView[] = [];
  const parts: Part[] = [];
  const exact = input.exact;
  const tokensOf = (text: string) => countBytes(encoder.encode(text).length, exact).high ?? 0;

  const identity = identityText(input.channel, input.workRoot);
  parts.push({
    id: "identity",
    layer: 1,
    tokens: tokensOf(identity),
    path: "identity.hbs",
    add: (builder) =>
      builder.add("identity", 1, "identity.hbs", "release", [
        {
          text: identity,
          source: { kind: "template", path: "identity.hbs", file: null, start: 0, end: IDENTITY.length, name: null },
        },
      ]),
  });

  const bootstrap: FileRef[] = [
    { root: "workspace", path: "AGENTS.md" },
    { root: "workspace", path: "SOUL.md" },
    { root: "global", path: "USER.md" },
    { root: "workspace", path: "TOOLS.md" },
  ];
  for (const file of bootstrap) {
    const text = input.text(file);
    if (text === null) {
      skipped.push({
        id: `bootstrap/${file.path}`,
        layer: 2,
        path: input.absolute(file),
        reason: "missing",
        detail: `There is no ${file.path}.`,
        tokens: null,
      });
      continue;
    }
    parts.push({
      id: `bootstrap/${file.path}`,
      layer: 2,
      tokens: tokensOf(text),
      path: input.absolute(file),
      add: (builder) =>
        builder.add(`bootstrap/${file.path}`, 2, file.path, "user", [
          literal("heading", `## ${file.path}\n\n`),
          builder.fromFile(file, text),
        ]),
    });
  }

  const memories: [FileRef, string][] = [
    [{ root: "global", path: "memory/MEMORY.md" }, "About you"],
    [{ root: "workspace", path: "memory/MEMORY.md" }, "About this project"],
  ];
  for (const [file, title] of memories) {
    const text = input.text(file);
    const id = `memory/${file.root}`;
    if (text === null || text.trim() === DEFAULT_MEMORY.trim()) {
      const detail = text === null ? "There is no memory file." : "MEMORY.md is still the template.";
      const saved = text === null ? null : countBytes(encoder.encode(text).length, true).total;
      const reason = text === null ? "missing" : "still_default";
      skipped.push({ id, layer: 3, path: input.absolute(file), reason, detail, tokens: saved });
      continue;
    }
    parts.push({
      id,
      layer: 3,
      tokens: tokensOf(text),
      path: input.absolute(file),
      add: (builder) =>
        builder.add(id, 3, title, "session", [literal("heading", `# ${title}\n\n`), builder.fromFile(file, text)]),
    });
  }

  for (const file of input.skills) {
    const text = input.text(file) ?? "";
    const name = frontMatter(text, "name") ?? file.path;
    const description = frontMatter(text, "description") ?? "";
    const always = frontMatter(text, "always") === "true";
    const line = `- ${name}: ${description}`;
    parts.push({
      id: `skills/${name}`,
      layer: 4,
      tokens: tokensOf(always ? text : line),
      path: input.absolute(file),
      add: (builder) =>
        builder.add(`skills/${name}`, 4, name, "user", always ? [builder.fromFile(file, text)] : [literal(name, line)]),
    });
  }

  if (input.maxTokens !== null) giveUp(parts, skipped, input.maxTokens);

  const builder = new Builder(input);
  let layer: number | null = null;
  for (const part of parts) {
    if (layer !== null) {
      const join = layer === part.layer ? (layer === 4 ? "\n" : "\n\n") : "\n\n---\n\n";
      builder.add(`join before ${part.id}`, null, "separator", "frozen", [literal("separator", join)]);
    }
    part.add(builder);
    layer = part.layer;
  }

  const suffix = `\n\n[Runtime]\nTime: ${input.time} (UTC)${input.channel ? `\nChannel: ${input.channel}` : ""}`;
  const userMessage = input.message + suffix;
  const messages: MessageView[] = [
    { role: "user", text: "Where did we stop with the catalogue?", current: false },
    {
      role: "assistant",
      text: "At shelf 460. The labels are printed.\nTwo cards are missing: 412 and 433.",
      current: false,
    },
    { role: "user", text: userMessage, current: true },
  ].map((message) => ({ ...message, tokens: countBytes(encoder.encode(message.text).length, exact) }));

  return { sections: builder.sections, skipped, messages, userMessage, suffix, joins: 0 };
}

function giveUp(parts: Part[], skipped: SkippedView[], budget: number): void {
  const sum = () => parts.reduce((total, part) => total + part.tokens, 0);
  const order = [4, 3, 2];
  for (const layer of order) {
    for (let index = parts.length - 1; index >= 0 && sum() > budget; index--) {
      const part = parts[index];
      if (!part || part.layer !== layer || part.id === "bootstrap/SOUL.md") continue;
      parts.splice(index, 1);
      const detail = `Given up for the budget of ${budget} tokens.`;
      skipped.push({ id: part.id, layer, path: part.path, reason: "budget", detail, tokens: part.tokens });
    }
  }
}
