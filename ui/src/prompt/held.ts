/**
 * Sections of the prompt as the window holds them between two previews.
 *
 * Texts stay bytes: of a prompt of a mebibyte some sixty lines are ever on screen, and only these are decoded. The
 * source map counts bytes, too, so that nothing is converted until a position reaches the editor.
 */
import type { PreviewHead, SectionView, SpanView } from "../backend/backend";

/** A row longer than this is split, so that one endless line cannot stop the window. In bytes. */
const LONGEST_ROW = 4096;
const NEWLINE = 0x0a;

export interface HeldSection {
  hash: string;
  bytes: Uint8Array;
  spans: SpanView[];
  /** First byte of each row. A row ends before its newline, or at {@link LONGEST_ROW}. */
  rowStarts: Uint32Array;
  /** For each row, how many newlines stand before it in this section. */
  rowLines: Uint32Array;
}

/** Splits a text into rows. There is always one, and a text that ends with a newline has an empty last row. */
export function splitRows(bytes: Uint8Array): Pick<HeldSection, "rowStarts" | "rowLines"> {
  const starts = [0];
  const lines = [0];
  let line = 0;
  let start = 0;
  for (;;) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.length : newline;
    let cut = start;
    while (end - cut > LONGEST_ROW) {
      cut = characterStart(bytes, cut + LONGEST_ROW);
      starts.push(cut);
      lines.push(line);
    }
    if (newline < 0) break;
    line += 1;
    start = newline + 1;
    starts.push(start);
    lines.push(line);
  }
  return { rowStarts: Uint32Array.from(starts), rowLines: Uint32Array.from(lines) };
}

/** The first byte of the character that `at` lies in. */
function characterStart(bytes: Uint8Array, at: number): number {
  let start = at;
  while (start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  return start;
}

/** One past the last byte of a row, its newline not counted. */
export function rowEnd(section: HeldSection, row: number): number {
  const next = section.rowStarts[row + 1];
  if (next === undefined) return section.bytes.length;
  return section.bytes[next - 1] === NEWLINE && section.rowLines[row] !== section.rowLines[row + 1] ? next - 1 : next;
}

/** The row that holds a byte. */
export function rowOfByte(section: HeldSection, byte: number): number {
  let low = 0;
  let high = section.rowStarts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((section.rowStarts[middle] ?? 0) <= byte) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * The sections after a frame: those it brought, and those the window already had. `null` when the window lacks one
 * that the frame left out; the whole prompt must then be asked for.
 */
export function applyFrame(
  before: ReadonlyMap<string, HeldSection>,
  head: PreviewHead,
  body: Uint8Array,
): Map<string, HeldSection> | null {
  const after = new Map<string, HeldSection>();
  let at = 0;
  for (const section of head.sections) {
    if (section.fresh) {
      const bytes = body.subarray(at, at + section.bytes);
      at += section.bytes;
      after.set(section.id, { hash: section.hash, bytes, spans: section.spans ?? [], ...splitRows(bytes) });
    } else {
      const held = before.get(section.id);
      if (held?.hash !== section.hash) return null;
      after.set(section.id, held);
    }
  }
  return after;
}

/** The bytes of the whole prompt. */
export function wholePrompt(sections: readonly SectionView[], held: ReadonlyMap<string, HeldSection>): Uint8Array {
  const whole = new Uint8Array(sections.at(-1)?.end ?? 0);
  for (const section of sections) {
    const text = held.get(section.id);
    if (text) whole.set(text.bytes, section.start);
  }
  return whole;
}
