/** The trace in the editor: the line under the pointer or the caret goes out, the marked bytes come in. */
import { StateEffect, StateField, type EditorState, type Extension } from "@codemirror/state";
import { Decoration, EditorView, type DecorationSet } from "@codemirror/view";
import type { FileRef } from "../../../backend/backend";
import { utf8Length } from "../../../prompt/bytes";
import { editorPoint, type Trace, type TracePoint } from "../../../state/trace.svelte";
import { byteOfPosition } from "../../../prompt/bytes";

/** Positions of the text that are to be marked; empty marks nothing. */
export const setTraceMark = StateEffect.define<{ from: number; to: number } | null>();

const line = Decoration.line({ class: "cm-trace" });

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let next = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(setTraceMark)) next = effect.value ? linesOf(transaction.state, effect.value) : Decoration.none;
    }
    return next;
  },
  provide: (marks) => EditorView.decorations.from(marks),
});

/** At most this many lines are marked: what is far off the screen is no help. */
const MOST_LINES = 2000;

function linesOf(state: EditorState, { from, to }: { from: number; to: number }): DecorationSet {
  const marks = [];
  let position = Math.min(from, state.doc.length);
  const end = Math.min(Math.max(to, position + 1), state.doc.length + 1);
  while (position < end && marks.length < MOST_LINES) {
    const at = state.doc.lineAt(position);
    marks.push(line.range(at.from));
    position = at.to + 1;
    if (position > state.doc.length) break;
  }
  return Decoration.set(marks);
}

/** The bytes of the line at a position. `leading` is how many bytes the file has before its text. */
function lineBytes(state: EditorState, position: number): { start: number; end: number } {
  const at = state.doc.lineAt(position);
  const start = byteOfPosition(state.doc, at.from);
  return { start, end: start + utf8Length(at.text) + (at.to < state.doc.length ? 1 : 0) };
}

/** The point of the trace for a position. The file's leading bytes are added by whoever knows the document. */
export function pointAt(
  state: EditorState,
  position: number,
  { file, path, leading }: { file: FileRef; path: string; leading: number },
): TracePoint {
  const { start, end } = lineBytes(state, position);
  return editorPoint(file, path, start + leading, end + leading);
}

/** Where the trace begins when the pointer or the caret moves; set per document by its editor. */
export const traceOrigin = StateEffect.define<{ path: string; leading: number }>();

const origin = StateField.define<{ path: string; leading: number }>({
  create: () => ({ path: "", leading: 0 }),
  update: (value, transaction) =>
    transaction.effects.reduce((latest, effect) => (effect.is(traceOrigin) ? effect.value : latest), value),
});

/** The point of the trace for the caret. */
export function caretPoint(state: EditorState, file: FileRef): TracePoint {
  return pointAt(state, state.selection.main.head, { file, ...state.field(origin) });
}

export function traceMarks(trace: Trace, file: FileRef): Extension {
  let hoveredLine = -1;
  return [
    field,
    origin,
    EditorView.updateListener.of((update) => {
      if (update.selectionSet || update.docChanged || update.focusChanged) {
        hoveredLine = -1;
        trace.hovered = null;
        // After an edit the positions mean nothing to the prompt that is shown: the next one brings the caret along.
        if (!update.docChanged) trace.caret = caretPoint(update.state, file);
      }
    }),
    EditorView.domEventHandlers({
      mousemove(event, view) {
        const position = view.posAtCoords({ x: event.clientX, y: event.clientY });
        if (position === null) return;
        const at = view.state.doc.lineAt(position).from;
        if (at === hoveredLine) return;
        hoveredLine = at;
        trace.hovered = pointAt(view.state, at, { file, ...view.state.field(origin) });
      },
      mouseleave() {
        hoveredLine = -1;
        if (trace.hovered?.side === "editor") trace.hovered = null;
      },
    }),
    EditorView.baseTheme({
      ".cm-trace": { backgroundColor: "var(--trace-bg)", boxShadow: "inset 3px 0 0 var(--trace-line)" },
    }),
  ];
}
