/** The pure parts of the preview. Expected values are counted by hand. */
import { Text } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import type { PreviewHead, SectionView } from "../src/backend/backend";
import { readFrame } from "../src/backend/frame";
import { byteLength, byteOfPosition, positionOfByte, utf8Length } from "../src/prompt/bytes";
import { applyFrame, rowEnd, rowOfByte, splitRows, type HeldSection } from "../src/prompt/held";
import { layOut, rowAt, rowText, type Layout } from "../src/prompt/layout";
import { replacement } from "../src/state/document.svelte";
import { editorPoint, marksOf, promptPoint } from "../src/state/trace.svelte";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const held = (text: string, spans: HeldSection["spans"] = []): HeldSection => {
  const bytes = encode(text);
  return { hash: text, bytes, spans, ...splitRows(bytes) };
};

describe("frames", () => {
  it("are a length, a head and a body", () => {
    const head = encode('{"a":1}');
    const raw = new Uint8Array([head.length, 0, 0, 0, ...head, 0xc3, 0xa9]);
    const frame = readFrame<{ a: number }>(raw.buffer);
    expect(frame.head).toEqual({ a: 1 });
    expect([...frame.body]).toEqual([0xc3, 0xa9]);
  });

  it("are refused when they did not come as bytes, or claim too much", () => {
    expect(() => readFrame([1, 2, 3])).toThrow(/raw bytes/);
    expect(() => readFrame(new Uint8Array([9, 0, 0, 0, 1]).buffer)).toThrow(/claims a head of 9/);
  });
});

describe("bytes and units", () => {
  // a: 1 byte, é: 2, 日: 3, 😀: 4 bytes in two units.
  const text = Text.of(["aé", "日😀b"]);

  it("are converted both ways", () => {
    expect(utf8Length("aé日😀")).toBe(1 + 2 + 3 + 4);
    expect(byteLength(text)).toBe(3 + 1 + 8);
    // Positions 0–2 in the first line; 3 is 日, 4 and 5 are 😀, 6 is b.
    expect([0, 1, 2, 3, 4, 6, 7].map((position) => byteOfPosition(text, position))).toEqual([0, 1, 3, 4, 7, 11, 12]);
    expect([0, 1, 3, 4, 7, 11, 12].map((byte) => positionOfByte(text, byte))).toEqual([0, 1, 2, 3, 4, 6, 7]);
  });

  it("inside a character lead to its start", () => {
    expect(positionOfByte(text, 2)).toBe(1);
    expect(positionOfByte(text, 9)).toBe(4);
  });
});

describe("rows", () => {
  it("end before their newline; a last newline leaves an empty row", () => {
    const section = held("ab\n\nc\n");
    expect([...section.rowStarts]).toEqual([0, 3, 4, 6]);
    expect([0, 1, 2, 3].map((row) => rowEnd(section, row))).toEqual([2, 3, 5, 6]);
    expect([0, 2, 3, 5].map((byte) => rowOfByte(section, byte))).toEqual([0, 0, 1, 2]);
  });

  it("split an endless line at a character", () => {
    const section = held(`${"é".repeat(3000)}\nx`);
    // 6,000 bytes: a row of 4,096 and one of 1,904; both belong to line 0.
    expect([...section.rowStarts]).toEqual([0, 4096, 6001]);
    expect([...section.rowLines]).toEqual([0, 0, 1]);
    expect(rowEnd(section, 0)).toBe(4096);
    expect(rowEnd(section, 1)).toBe(6000);
  });
});

const count = { total: 1, low: 1, high: 1, exact: true, method: "" };

function preview(sections: [id: string, layer: number | null, text: string][]): {
  head: PreviewHead;
  texts: Map<string, HeldSection>;
} {
  let at = 0;
  const views = sections.map(([id, layer, text]): SectionView => {
    const bytes = encode(text).length;
    const view: SectionView = {
      id,
      layer,
      title: id,
      stability: "user",
      start: at,
      end: at + bytes,
      hash: text,
      fresh: true,
      bytes,
      tokens: count,
      draft: false,
      spans: [],
    };
    at += bytes;
    return view;
  });
  const head = {
    sections: views,
    skipped: [],
    messages: [],
    tool_schemas: [],
    runtime_suffix: "",
    bytes: at,
  } as unknown as PreviewHead;
  return { head, texts: new Map(sections.map(([id, , text]) => [id, held(text)])) };
}

const shown = (layout: Layout) =>
  Array.from({ length: layout.rows }, (_, index) => {
    const row = rowAt(layout, index);
    return row?.caption ? row.block.key : `${row?.number ?? "…"} ${row ? rowText(row) : ""}`;
  });

describe("layout", () => {
  it("numbers lines through sections and literals", () => {
    const { head, texts } = preview([
      ["one", 1, "a\nb"],
      ["join", null, "\n\n---\n\n"],
      ["two", 2, "c\nd\n"],
    ]);
    expect(shown(layOut(head, texts))).toEqual([
      "section:one",
      "1 a",
      "2 b",
      "3 ",
      "4 ---",
      "5 ",
      "section:two",
      "6 c",
      "7 d",
      "8 ",
      "end",
    ]);
  });

  it("continues a line that two sections share, without a second number", () => {
    const { head, texts } = preview([
      ["one", 1, "Time: "],
      ["two", 5, "now\nnext"],
    ]);
    expect(shown(layOut(head, texts))).toEqual(["section:one", "1 Time: ", "section:two", "… now", "2 next", "end"]);
  });

  it("gives a list of one-line sections one caption", () => {
    const { head, texts } = preview([
      ["s1", 4, "- a"],
      ["j1", null, "\n"],
      ["s2", 4, "- b"],
      ["j2", null, "\n"],
      ["s3", 4, "- c"],
    ]);
    expect(shown(layOut(head, texts))).toEqual(["section:s1", "1 - a", "2 - b", "3 - c", "end"]);
  });

  it("puts what was left out behind the last section of its layer or of one before", () => {
    const { head, texts } = preview([
      ["one", 1, "a"],
      ["join", null, "\n"],
      ["four", 4, "b"],
    ]);
    const skipped = { id: "memory", layer: 3, path: null, reason: "still_default", detail: "", tokens: 9 };
    expect(shown(layOut({ ...head, skipped: [skipped] }, texts))).toEqual([
      "section:one",
      "1 a",
      "skipped:memory",
      "section:four",
      "2 b",
      "end",
    ]);
  });

  it("shows what the target adds to a message as a part of its own", () => {
    const { head, texts } = preview([["one", 1, "a"]]);
    const message = { role: "user", text: "Hi\n\n[Now] 9", tokens: count, current: true };
    const layout = layOut({ ...head, messages: [message], runtime_suffix: "\n\n[Now] 9" }, texts);
    expect(shown(layout).slice(-5)).toEqual(["end", "message:0", "1 Hi", "message:0:suffix", "1 [Now] 9"]);
    expect(layout.blocks.map((block) => block.layer).slice(-2)).toEqual(["U", 5]);
  });
});

describe("sections between two previews", () => {
  it("are kept when the frame leaves their text out", () => {
    const { head } = preview([
      ["one", 1, "a"],
      ["two", 2, "bc"],
    ]);
    const first = applyFrame(new Map(), head, encode("abc"));
    const sections = head.sections.map((section) =>
      section.id === "one" ? { ...section, fresh: false, spans: null } : section,
    );
    const second = applyFrame(first ?? new Map(), { ...head, sections }, encode("xy"));
    expect(second?.get("one")).toBe(first?.get("one"));
    expect([...(second?.get("two")?.bytes ?? [])]).toEqual([...encode("xy")]);
  });

  it("are asked for again when one is not at hand", () => {
    const { head } = preview([["one", 1, "a"]]);
    const sections = head.sections.map((section) => ({ ...section, fresh: false, spans: null }));
    expect(applyFrame(new Map(), { ...head, sections }, new Uint8Array())).toBeNull();
  });
});

describe("trace", () => {
  const file = { root: "workspace", path: "A.md" } as const;
  const source = { kind: "file", path: "/w/A.md", file, start: 0, end: 10, name: null } as const;
  const heading = { kind: "literal", path: null, file: null, start: null, end: null, name: "heading" } as const;
  const section = held("## A\n0123456789", [
    { start: 0, end: 5, source: heading },
    { start: 5, end: 15, source },
  ]);

  it("leads from bytes of the prompt to bytes of the file", () => {
    expect(promptPoint("a", section, 7, 9)?.source).toMatchObject({ file, start: 2, end: 4 });
    expect(promptPoint("a", section, 0, 4)?.source.name).toBe("heading");
  });

  it("leads from bytes of the file to bytes of the prompt", () => {
    const marks = marksOf(editorPoint(file, "/w/A.md", 2, 4), new Map([["a", section]]));
    expect(marks.get("a")).toEqual([{ start: 7, end: 9 }]);
  });

  it("marks nothing for another file", () => {
    const other = { root: "global", path: "A.md" } as const;
    expect(marksOf(editorPoint(other, "/g/A.md", 2, 4), new Map([["a", section]])).size).toBe(0);
  });
});

describe("the smallest replacement", () => {
  it("leaves what both texts share", () => {
    expect(replacement("abcdef", "abXef")).toEqual({ from: 2, to: 4, insert: "X" });
    expect(replacement("aaa", "aaaa")).toEqual({ from: 3, to: 3, insert: "a" });
    expect(replacement("same", "same")).toBeNull();
  });
});
