/** Draws the whole window over a fresh in-memory backend. */
import { render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { EditorView } from "@codemirror/view";
import axe from "axe-core";
import { expect } from "vitest";
import App from "../src/App.svelte";
import { MemoryBackend, type MemoryOptions } from "../src/backend/memory";

export const USER_FILE = { root: "global", path: "USER.md" } as const;

export function openWindow(options: MemoryOptions = {}) {
  const backend = new MemoryBackend(options);
  render(App, { props: { backend } });
  return { backend, user: userEvent.setup() };
}

/** The workspace of a person, opened through the first-run screen. */
export async function openWorkspace(options: MemoryOptions = {}) {
  const opened = openWindow(options);
  const [row] = await screen.findAllByTestId("found-row");
  if (row) await opened.user.click(row);
  await drawn();
  return opened;
}

/** The preview is on the page. */
export async function drawn(): Promise<void> {
  await waitFor(() => expect(document.documentElement.dataset.ready).toBe("preview"));
  await screen.findByTestId("editor");
}

export function editor(): EditorView {
  const view = EditorView.findFromDOM(screen.getByTestId("editor"));
  if (!view) throw new Error("There is no editor on the page.");
  return view;
}

/** Types at a place of the text, as one change. */
export function type(text: string, at: number): void {
  editor().dispatch({ changes: { from: at, insert: text }, selection: { anchor: at + text.length } });
}

/** The lines of the prompt that are on the page. */
export const lines = (): string[] =>
  screen.getAllByTestId("preview-line").map((line) => line.querySelector(".text")?.textContent ?? "");

export const state = (): string | undefined => screen.getByTestId("state-pill").dataset.state;

/**
 * What axe finds. Contrast needs painted pixels and is computed from the tokens; a page in a
 * test has no layout for it.
 */
export async function violations(root: Element = document.body): Promise<string[]> {
  const { violations: found } = await axe.run(root, { rules: { "color-contrast": { enabled: false } } });
  return found.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.html}`));
}
