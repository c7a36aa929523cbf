/** Findings in the editor: a glyph in the gutter, a wavy line under the bytes, and a note below the line. */
import { RangeSet, StateEffect, StateField, type EditorState, type Extension, type Range } from "@codemirror/state";
import { Decoration, EditorView, gutter, GutterMarker, WidgetType, type DecorationSet } from "@codemirror/view";
import type { FindingView, SeverityView } from "../../../backend/backend";
import { byteOfPosition, positionOfByte } from "../../../prompt/bytes";
import type { OpenDocument } from "../../../state/document.svelte";
import { findingTitle, fixKey, fixLabel } from "./fixing";

/** A finding with the positions of its range in the text. */
export interface PlacedFinding {
  finding: FindingView;
  from: number;
  to: number;
  /** Line and byte of the line, both from 1, for people. */
  place: string;
}

/** Finds the bytes of a finding in the text. One without a range stands for the whole file. */
export function placeFinding(document: OpenDocument, finding: FindingView): PlacedFinding {
  const { text, leadingBytes } = document;
  if (!finding.range) return { finding, from: -1, to: -1, place: "" };
  const from = positionOfByte(text, finding.range.start - leadingBytes);
  const to = positionOfByte(text, finding.range.end - leadingBytes);
  const line = text.lineAt(from);
  const byte = byteOfPosition(text, from) - byteOfPosition(text, line.from) + 1;
  return { finding, from, to, place: `${line.number}:${byte}` };
}

/** Findings to mark, and what a button on a note does. */
export interface Marked {
  placed: PlacedFinding[];
  fix: (finding: FindingView, action: string) => void;
}

export const setFindings = StateEffect.define<Marked>();

/** More notes than this below lines would bury the text; the list has them all. */
const MOST_NOTES = 50;

export const GLYPHS: Record<SeverityView, string> = { error: "●", warning: "▲", info: "○" };

class Glyph extends GutterMarker {
  constructor(readonly severity: SeverityView) {
    super();
  }
  override eq(other: Glyph): boolean {
    return other.severity === this.severity;
  }
  override toDOM(): Node {
    const glyph = document.createElement("span");
    glyph.className = `cm-glyph ${this.severity}`;
    glyph.textContent = GLYPHS[this.severity];
    glyph.setAttribute("aria-hidden", "true");
    return glyph;
  }
}

class Note extends WidgetType {
  constructor(
    readonly finding: FindingView,
    readonly fix: Marked["fix"],
  ) {
    super();
  }
  override eq(other: Note): boolean {
    return JSON.stringify(other.finding) === JSON.stringify(this.finding);
  }
  override toDOM(): HTMLElement {
    // The editor measures without margins: the space around a note is the padding of what holds it.
    const holder = document.createElement("div");
    holder.className = "cm-note-holder";
    const note = document.createElement("div");
    note.className = `cm-note ${this.finding.severity}`;
    holder.append(note);
    const head = document.createElement("div");
    head.className = "head";
    const title = document.createElement("strong");
    title.textContent = findingTitle(this.finding.id);
    head.append(title, ...this.finding.actions.map(({ id, label }) => this.button(id, label)));
    const text = document.createElement("p");
    text.textContent = this.finding.message;
    note.append(head, text);
    return holder;
  }
  private button(action: string, label: string): HTMLElement {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = fixLabel(action);
    button.title = label;
    button.dataset.fix = fixKey(this.finding, action);
    button.dataset.testid = `note-fix-${action}`;
    button.addEventListener("click", () => this.fix(this.finding, action));
    button.addEventListener("keydown", (event) => {
      if (event.isComposing || event.key !== "Escape") return;
      event.preventDefault();
      const editor = button.closest<HTMLElement>(".cm-editor");
      if (editor) EditorView.findFromDOM(editor)?.focus();
    });
    return button;
  }
  override ignoreEvent(): boolean {
    return true;
  }
}

interface Marks {
  decorations: DecorationSet;
  glyphs: RangeSet<GutterMarker>;
}

const RANK: Record<SeverityView, number> = { error: 2, warning: 1, info: 0 };

function marksOf(state: EditorState, { placed, fix }: Marked): Marks {
  const decorations: Range<Decoration>[] = [];
  const worst = new Map<number, SeverityView>();
  placed.forEach(({ finding, from, to }, index) => {
    if (from < 0) return;
    const start = Math.min(from, state.doc.length);
    const end = Math.min(Math.max(to, start), state.doc.length);
    const line = state.doc.lineAt(start);
    if (end > start) decorations.push(Decoration.mark({ class: `cm-wave ${finding.severity}` }).range(start, end));
    if (index < MOST_NOTES) {
      decorations.push(Decoration.widget({ widget: new Note(finding, fix), side: 1, block: true }).range(line.to));
    }
    const before = worst.get(line.from);
    if (before === undefined || RANK[before] < RANK[finding.severity]) worst.set(line.from, finding.severity);
  });
  const glyphs = [...worst].map(([at, severity]) => new Glyph(severity).range(at));
  return { decorations: Decoration.set(decorations, true), glyphs: RangeSet.of(glyphs, true) };
}

const field = StateField.define<Marks>({
  create: () => ({ decorations: Decoration.none, glyphs: RangeSet.empty }),
  update(marks, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setFindings)) return marksOf(transaction.state, effect.value);
    }
    if (!transaction.docChanged) return marks;
    return { decorations: marks.decorations.map(transaction.changes), glyphs: marks.glyphs.map(transaction.changes) };
  },
  provide: (marks) => EditorView.decorations.from(marks, (value) => value.decorations),
});

const look = EditorView.baseTheme({
  ".cm-finding-gutter": { width: "18px" },
  ".cm-glyph": { display: "block", textAlign: "center", font: "600 11px/20px var(--ui)" },
  ".cm-glyph.error": { color: "var(--err)" },
  ".cm-glyph.warning": { color: "var(--warn)" },
  ".cm-glyph.info": { color: "var(--fg-3)" },
  ".cm-wave": {
    textDecorationLine: "underline",
    textDecorationStyle: "wavy",
    textDecorationThickness: "1px",
    textUnderlineOffset: "3px",
  },
  ".cm-wave.error": { textDecorationColor: "var(--err)" },
  ".cm-wave.warning": { textDecorationColor: "var(--warn)" },
  ".cm-wave.info": { textDecorationColor: "var(--fg-3)" },
  ".cm-note-holder": { padding: "2px 12px 4px 4px" },
  ".cm-note": {
    padding: "6px 10px",
    borderRadius: "var(--r-2)",
    font: "var(--t-12)",
    whiteSpace: "normal",
    backgroundColor: "var(--l5-bg)",
  },
  ".cm-note p, .cm-note .head": { margin: "0" },
  ".cm-note p": { color: "var(--fg-2)" },
  ".cm-note .head": { display: "flex", flexWrap: "wrap", alignItems: "baseline", gap: "0 12px" },
  ".cm-note strong": { flex: "1", minWidth: "12em", fontWeight: "500" },
  ".cm-note button": {
    padding: "0",
    border: "0",
    background: "none",
    color: "inherit",
    font: "500 12px/16px var(--ui)",
    textDecoration: "underline",
    textUnderlineOffset: "2px",
    cursor: "pointer",
  },
  ".cm-note button:hover": { textDecorationThickness: "2px" },
  ".cm-note.error": { backgroundColor: "var(--err-bg)" },
  ".cm-note.warning": { backgroundColor: "var(--warn-bg)" },
});

export function findingMarks(): Extension {
  return [field, gutter({ class: "cm-finding-gutter", markers: (view) => view.state.field(field).glyphs }), look];
}
