/**
 * The rows of the preview: the prompt section by section, what was left out in its place, and below the line that
 * closes the prompt the messages and the tool schemas.
 *
 * A layout is a few hundred blocks, whatever the length of the prompt; a row is found in it by binary search.
 */
import type { MessageView, PreviewHead, SectionView, SkippedView, ToolSchemaView } from "../backend/backend";
import type { HeldSection } from "./held";
import { rowEnd } from "./held";

/** A layer's key as people see it: 1–5, and U for the person's own message. */
export type LayerName = 1 | 2 | 3 | 4 | 5 | "U";
export const LAYERS: readonly LayerName[] = [1, 2, 3, 4, 5, "U"];

interface BlockBase {
  key: string;
  layer: LayerName | null;
  /** The first of its rows in the layout. */
  start: number;
  /** How many rows it has; with a caption, that is the first. */
  rows: number;
  caption: boolean;
}

export interface SectionBlock extends BlockBase {
  kind: "section";
  section: SectionView;
  held: HeldSection;
  /** First of the section's rows that is shown. */
  firstRow: number;
  /** How many newlines of the prompt stand before the section. */
  linesBefore: number;
  /** True when its first row continues a line of the section before. */
  continues: boolean;
}

export interface SkippedBlock extends BlockBase {
  kind: "skipped";
  skipped: SkippedView;
}

export interface EndBlock extends BlockBase {
  kind: "end";
}

export interface TextBlock extends BlockBase {
  kind: "message" | "suffix" | "tool";
  lines: string[];
  message: MessageView | null;
  tool: ToolSchemaView | null;
}

export type Block = SectionBlock | SkippedBlock | EndBlock | TextBlock;

export interface Layout {
  blocks: Block[];
  rows: number;
  /** Lines of the prompt. */
  lines: number;
}

export interface Row {
  block: Block;
  caption: boolean;
  /** Index in the block's text; 0 for a caption. */
  index: number;
  /** Number of the line, from 1; `null` for captions and for rows that continue a line. */
  number: number | null;
}

export const EMPTY_LAYOUT: Layout = { blocks: [], rows: 0, lines: 0 };

const asLayer = (layer: number | null): LayerName | null =>
  layer !== null && layer >= 1 && layer <= 5 ? (layer as LayerName) : null;

export function layOut(head: PreviewHead, held: ReadonlyMap<string, HeldSection>): Layout {
  const blocks: Block[] = [];
  let row = 0;
  const put = (block: Block) => {
    block.start = row;
    row += block.rows;
    blocks.push(block);
  };

  const skippedAfter = placeSkipped(head);
  for (const skipped of skippedAfter.get(-1) ?? []) put(skippedBlock(skipped));

  let lines = 0;
  let atLineStart = true;
  let before: SectionBlock | null = null;
  head.sections.forEach((section, index) => {
    const text = held.get(section.id);
    if (text) {
      const last = index === head.sections.length - 1;
      const block = sectionBlock(section, text, { linesBefore: lines, continues: !atLineStart, last, before });
      if (block.layer !== null) before = block;
      if (block.rows > 0) put(block);
      lines += text.rowLines.at(-1) ?? 0;
      if (text.bytes.length > 0) atLineStart = text.bytes.at(-1) === 0x0a;
    }
    for (const skipped of skippedAfter.get(index) ?? []) put(skippedBlock(skipped));
  });

  put({ kind: "end", key: "end", layer: null, start: 0, rows: 1, caption: true });
  head.messages.forEach((message, index) => {
    for (const block of messageBlocks(message, index, head.runtime_suffix)) put(block);
  });
  for (const tool of head.tool_schemas) {
    const key = `tool:${tool.server}:${tool.name}`;
    put(textBlock("tool", key, null, tool.schema, { tool }));
  }
  return { blocks, rows: row, lines: head.bytes === 0 ? 0 : lines + 1 };
}

/** For each index of a section, what was left out right behind it; -1 is before the first. */
function placeSkipped(head: PreviewHead): Map<number, SkippedView[]> {
  const places = new Map<number, SkippedView[]>();
  for (const skipped of head.skipped) {
    let place = -1;
    head.sections.forEach((section, index) => {
      if (section.layer !== null && section.layer <= (skipped.layer ?? 0)) place = index;
    });
    const list = places.get(place);
    if (list) list.push(skipped);
    else places.set(place, [skipped]);
  }
  for (const list of places.values()) list.sort((left, right) => (left.layer ?? 0) - (right.layer ?? 0));
  return places;
}

const skippedBlock = (skipped: SkippedView): SkippedBlock => ({
  kind: "skipped",
  key: `skipped:${skipped.id}`,
  layer: asLayer(skipped.layer),
  start: 0,
  rows: 1,
  caption: true,
  skipped,
});

interface SectionPlace {
  linesBefore: number;
  continues: boolean;
  last: boolean;
  /** The section of a layer before this one. */
  before: SectionBlock | null;
}

function sectionBlock(
  section: SectionView,
  held: HeldSection,
  { linesBefore, continues, last, before }: SectionPlace,
): SectionBlock {
  const layer = asLayer(section.layer);
  let firstRow = 0;
  let textRows = held.rowStarts.length;
  // The newline that ends the line of the section before makes no row of its own.
  if (continues && textRows > 1 && rowEnd(held, 0) === 0) {
    firstRow = 1;
    textRows -= 1;
  }
  // The empty row behind a last newline belongs to the next section.
  if (!last && textRows > 0 && held.rowStarts.at(-1) === held.bytes.length) textRows -= 1;
  // A list of one-line sections has one caption.
  const listed = textRows <= 1 && before?.layer === layer && before.rows - (before.caption ? 1 : 0) <= 1;
  const caption = layer !== null && !listed;
  return {
    kind: "section",
    key: `section:${section.id}`,
    layer,
    start: 0,
    rows: textRows + (caption ? 1 : 0),
    caption,
    section,
    held,
    firstRow,
    linesBefore,
    continues,
  };
}

function textBlock(
  kind: TextBlock["kind"],
  key: string,
  layer: LayerName | null,
  text: string,
  { message = null, tool = null }: { message?: MessageView | null; tool?: ToolSchemaView | null },
): TextBlock {
  const lines = text === "" ? [] : text.split("\n");
  return { kind, key, layer, start: 0, rows: lines.length + 1, caption: true, lines, message, tool };
}

/** A message; the one being sent shows what the target added to it as layer 5. */
function messageBlocks(message: MessageView, index: number, suffix: string): TextBlock[] {
  const key = `message:${index}`;
  const layer: LayerName | null = message.current ? "U" : null;
  if (!message.current || suffix === "" || !message.text.endsWith(suffix)) {
    return [textBlock("message", key, layer, message.text, { message })];
  }
  const own = message.text.slice(0, message.text.length - suffix.length);
  return [
    textBlock("message", key, layer, own, { message }),
    textBlock("suffix", `${key}:suffix`, 5, suffix.replace(/^\n+/, ""), { message }),
  ];
}

/** The block that holds a row. */
export function blockAt(layout: Layout, row: number): Block | undefined {
  let low = 0;
  let high = layout.blocks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((layout.blocks[middle]?.start ?? 0) <= row) low = middle;
    else high = middle - 1;
  }
  return layout.blocks[low];
}

export function rowAt(layout: Layout, row: number): Row | null {
  const block = blockAt(layout, row);
  if (!block) return null;
  const inBlock = row - block.start;
  if (block.caption && inBlock === 0) return { block, caption: true, index: 0, number: null };
  const index = inBlock - (block.caption ? 1 : 0);
  if (block.kind !== "section") return { block, caption: false, index, number: index + 1 };
  const { held, firstRow, linesBefore, continues } = block;
  const own = firstRow + index;
  const line = held.rowLines[own] ?? 0;
  const startsLine = own === 0 ? !continues : held.rowLines[own - 1] !== line;
  return { block, caption: false, index: own, number: startsLine ? linesBefore + line + 1 : null };
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** The text of a row, its newline left off. */
export function rowText(row: Row): string {
  const { block } = row;
  if (block.kind === "section") {
    const { held } = block;
    return utf8.decode(held.bytes.subarray(held.rowStarts[row.index], rowEnd(held, row.index)));
  }
  return "lines" in block ? (block.lines[row.index] ?? "") : "";
}

/** The row of the layout at which a byte of a section is shown; its caption when the byte has no row. */
export function rowOf(block: SectionBlock, sectionRow: number): number {
  const inText = Math.max(0, sectionRow - block.firstRow);
  return block.start + Math.min(inText + (block.caption ? 1 : 0), block.rows - 1);
}

/** The first block of a layer. */
export function blockOfLayer(layout: Layout, layer: LayerName): Block | undefined {
  return layout.blocks.find((block) => block.layer === layer);
}
