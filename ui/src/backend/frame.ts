/** Frames: the length of the head in bytes (u32, little endian), the head as JSON, the body. */
import type { Frame } from "./backend";

const LENGTH_BYTES = 4;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Takes a frame apart. The body is a view into `raw`, not a copy.
 *
 * @throws when `raw` is no `ArrayBuffer`: the shell then fell back to its slow channel, which happens without a word
 * when the content security policy lacks `ipc:` in `connect-src`.
 */
export function readFrame<Head>(raw: unknown): Frame<Head> {
  // Not `instanceof`: the buffer may come from another realm.
  if (Object.prototype.toString.call(raw) !== "[object ArrayBuffer]") {
    throw new TypeError("A framed reply did not arrive as raw bytes. The window's security policy is incomplete.");
  }
  const buffer = raw as ArrayBuffer;
  const headLength = new DataView(buffer).getUint32(0, true);
  const bodyStart = LENGTH_BYTES + headLength;
  if (bodyStart > buffer.byteLength) {
    throw new RangeError(`A framed reply of ${buffer.byteLength} bytes claims a head of ${headLength}.`);
  }
  const head = JSON.parse(utf8.decode(new Uint8Array(buffer, LENGTH_BYTES, headLength))) as Head;
  return { head, body: new Uint8Array(buffer, bodyStart) };
}

/** The text of a body. A leading U+FEFF is kept: the window shows text as it is. */
export function bodyText(body: Uint8Array): string {
  return utf8.decode(body);
}
