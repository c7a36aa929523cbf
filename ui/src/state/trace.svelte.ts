/**
 * The trace: the same bytes on both sides. The editor names bytes of a file, the prompt bytes of a section; each is
 * looked up in the source maps of the sections.
 */
import type { FileRef, SourceView } from "../backend/backend";
import type { HeldSection } from "../prompt/held";
import { sameFile } from "./document.svelte";

export interface TracePoint {
  side: "editor" | "prompt";
  /** Where the bytes come from; the end is one past the last byte. */
  source: SourceView;
  /** For a point of the prompt: its section, and its bytes there. */
  section: { id: string; start: number; end: number } | null;
}

/** A point of the editor: bytes of a file. */
export function editorPoint(file: FileRef, path: string, start: number, end: number): TracePoint {
  return { side: "editor", source: { kind: "file", path, file, start, end, name: null }, section: null };
}

/** A point of the prompt: bytes of a section, followed to the first source that has a name or a file. */
export function promptPoint(id: string, held: HeldSection, start: number, end: number): TracePoint | null {
  const overlapping = held.spans.filter((span) => span.start < Math.max(end, start + 1) && span.end > start);
  const span = overlapping.find((one) => one.source.file !== null) ?? overlapping[0];
  if (!span) return null;
  const { source } = span;
  const section = { id, start, end };
  // Bytes that were copied as they are can be named one by one.
  const verbatim = source.start !== null && source.end !== null && source.end - source.start === span.end - span.start;
  if (!verbatim || source.start === null) return { side: "prompt", source, section };
  const from = source.start + Math.max(start, span.start) - span.start;
  const to = source.start + Math.min(end, span.end) - span.start;
  return { side: "prompt", source: { ...source, start: from, end: Math.max(from, to) }, section };
}

export type Marks = ReadonlyMap<string, readonly { start: number; end: number }[]>;

const NO_MARKS: Marks = new Map();

/** The bytes of each section that a point marks. */
export function marksOf(point: TracePoint | null, held: ReadonlyMap<string, HeldSection>): Marks {
  if (!point) return NO_MARKS;
  if (point.section) return new Map([[point.section.id, [point.section]]]);
  const { file, start, end } = point.source;
  if (!file || start === null || end === null) return NO_MARKS;
  const marks = new Map<string, { start: number; end: number }[]>();
  for (const [id, section] of held) {
    for (const { source, ...span } of section.spans) {
      if (!sameFile(source.file, file) || source.start === null || source.end === null) continue;
      const from = Math.max(start, source.start);
      const to = Math.min(end, source.end);
      if (from >= to) continue;
      const whole = source.end - source.start !== span.end - span.start;
      const mark = whole ? span : { start: span.start + from - source.start, end: span.start + to - source.start };
      const list = marks.get(id);
      if (list) list.push(mark);
      else marks.set(id, [mark]);
    }
  }
  return marks;
}

export class Trace {
  hovered = $state.raw<TracePoint | null>(null);
  caret = $state.raw<TracePoint | null>(null);
  pinned = $state.raw<TracePoint | null>(null);
  readonly shown = $derived(this.pinned ?? this.hovered ?? this.caret);

  /** Pins what is shown, or lets go of what was pinned. */
  togglePin(point: TracePoint | null): void {
    this.pinned = this.pinned ? null : point;
  }

  clear(): void {
    this.hovered = null;
    this.caret = null;
    this.pinned = null;
  }
}
