/** Bytes of UTF-8 and units of UTF-16: the source map counts the first, the editor the second. */
import type { Text } from "@codemirror/state";

/** Length of a text in UTF-8. A lone surrogate counts as U+FFFD, which is what an encoder makes of it. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(text.charCodeAt(index + 1))) {
      // Two units, four bytes.
      bytes += 2;
      index += 1;
    } else bytes += 2;
  }
  return bytes;
}

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

/** First byte of each line; kept per text, because texts never change. */
const lineBytes = new WeakMap<Text, Uint32Array>();

function startsOf(text: Text): Uint32Array {
  let starts = lineBytes.get(text);
  if (!starts) {
    starts = new Uint32Array(text.lines + 1);
    let line = 0;
    let at = 0;
    for (const part of text.iterLines()) {
      starts[line++] = at;
      at += utf8Length(part) + 1;
    }
    starts[line] = at;
    lineBytes.set(text, starts);
  }
  return starts;
}

/** Length of a text in bytes. */
export function byteLength(text: Text): number {
  return (startsOf(text)[text.lines] ?? 1) - 1;
}

/** The byte at which a position stands. */
export function byteOfPosition(text: Text, position: number): number {
  const line = text.lineAt(position);
  return (startsOf(text)[line.number - 1] ?? 0) + utf8Length(line.text.slice(0, position - line.from));
}

/** The position at which a byte stands; inside a character, the position before it. */
export function positionOfByte(text: Text, byte: number): number {
  const starts = startsOf(text);
  let low = 0;
  let high = text.lines - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= byte) low = middle;
    else high = middle - 1;
  }
  const line = text.line(low + 1);
  const wanted = byte - (starts[low] ?? 0);
  let bytes = 0;
  let unit = 0;
  while (unit < line.text.length) {
    const code = line.text.codePointAt(unit) ?? 0;
    const width = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes + width > wanted) break;
    bytes += width;
    unit += code > 0xffff ? 2 : 1;
  }
  return line.from + unit;
}
