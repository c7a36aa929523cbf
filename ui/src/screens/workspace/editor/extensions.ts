/** What the source editor is made of. Text is shown byte for byte: a CR and a BOM have a mark, ligatures are off. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { defineLanguageFacet, HighlightStyle, Language, syntaxHighlighting } from "@codemirror/language";
import { search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { parser } from "@lezer/markdown";
import type { FileRef } from "../../../backend/backend";
import { m } from "../../../messages";
import type { Session } from "../../../state/session.svelte";
import { findingMarks } from "./finding-marks";
import { phrases } from "./phrases";
import { traceMarks } from "./trace-marks";

/** Whether the text may be changed; set by whoever shows the document. */
export const writable = new Compartment();

const markdown = new Language(
  defineLanguageFacet({ commentTokens: { block: { open: "<!--", close: "-->" } } }),
  parser,
  [],
  "markdown",
);

const highlight = HighlightStyle.define([
  { tag: tags.heading, fontWeight: "700" },
  { tag: tags.strong, fontWeight: "700" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.meta, tags.comment], color: "var(--fg-3)" },
  { tag: [tags.monospace, tags.link, tags.url], color: "var(--fg-2)" },
]);

const NAMES: Record<number, string> = { 0x0d: "CR", 0xfeff: "BOM", 0x200b: "ZWSP", 0xa0: "NBSP" };

/** A character that cannot be seen, as a small mark with its name. */
function specialMark(code: number, description: string | null): HTMLElement {
  const mark = document.createElement("span");
  mark.className = "cm-special";
  mark.textContent = NAMES[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  mark.title = description ?? mark.textContent;
  return mark;
}

const look = EditorView.theme({
  "&": { height: "100%", contain: "strict", color: "var(--fg)", backgroundColor: "var(--bg-panel)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    fontFamily: "var(--mono)",
    fontSize: "12px",
    lineHeight: "20px",
    fontVariantLigatures: "none",
    fontFeatureSettings: '"calt" 0, "liga" 0',
    overflowAnchor: "none",
  },
  ".cm-content": { padding: "10px 0 32px", caretColor: "var(--fg)" },
  ".cm-line": { padding: "0 12px 0 4px" },
  ".cm-gutters": { contain: "layout style", backgroundColor: "transparent", border: "none", color: "var(--fg-3)" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "40px", padding: "0 4px 0 8px", fontSize: "11px" },
  ".cm-cursor": { borderLeftColor: "var(--fg)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--bg-selected)",
  },
  ".cm-special": {
    marginLeft: "4px",
    padding: "0 2px",
    border: "1px solid currentcolor",
    borderRadius: "3px",
    font: "600 10px/14px var(--mono)",
    color: "var(--warn)",
  },
  ".cm-panels": { backgroundColor: "var(--bg-app)", color: "var(--fg)", borderColor: "var(--line)" },
  ".cm-panel.cm-search": { padding: "6px 28px 6px 12px", font: "var(--t-12)" },
  ".cm-panel.cm-search label": { font: "var(--t-12)" },
  ".cm-textfield": {
    font: "var(--t-12)",
    border: "1px solid var(--line-control)",
    borderRadius: "var(--r-1)",
    backgroundColor: "var(--bg-panel)",
  },
  ".cm-button": {
    font: "var(--t-12)",
    backgroundImage: "none",
    backgroundColor: "var(--bg-panel)",
    border: "1px solid var(--line-control)",
    borderRadius: "var(--r-1)",
  },
  ".cm-searchMatch": { backgroundColor: "var(--bg-selected)", outline: "1px solid var(--line-control)" },
  ".cm-searchMatch-selected": { outline: "2px solid var(--focus)" },
});

/** The parts that every view of a text has. */
export const textLook: Extension = [
  look,
  EditorView.lineWrapping,
  EditorView.perLineTextDirection.of(true),
  highlightSpecialChars({ addSpecialChars: /\u00a0/g, render: specialMark }),
  markdown,
  syntaxHighlighting(highlight),
];

export function editorExtensions(session: Session, file: FileRef): Extension {
  return [
    textLook,
    phrases(),
    lineNumbers(),
    findingMarks(),
    traceMarks(session.trace, file),
    history(),
    drawSelection(),
    search({ top: true }),
    writable.of([]),
    EditorView.contentAttributes.of({
      "aria-label": m.editor_label({ file: file.path }),
      "data-testid": "editor-text",
      spellcheck: "false",
      tabindex: "0",
    }),
    EditorView.domEventObservers({
      keydown: (event) => session.timings.keyed(event.timeStamp),
      beforeinput: (event) => session.timings.keyed(event.timeStamp),
    }),
    keymap.of([indentWithTab, ...defaultKeymap, ...historyKeymap, ...searchKeymap]),
  ];
}

/** The compartment's content for a text that may, or may not, be changed. */
export const writableWhen = (editable: boolean): Extension => (editable ? [] : EditorState.readOnly.of(true));
