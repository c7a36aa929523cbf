/** The keyboard map of the workspace screen. */
import { m } from "../../messages";
import { shortcut, writesText } from "../../state/keyboard";
import type { Session } from "../../state/session.svelte";
import { copyPrompt, save } from "./actions";
import type { Desk } from "./desk.svelte";

const REGIONS = ["nav", "editor", "prompt", "budget"] as const;

/** Moves the focus to the next region, or the previous one. */
function nextRegion(desk: Desk, direction: 1 | -1): void {
  const at = document.activeElement?.closest<HTMLElement>("[data-region]")?.dataset.region;
  const from = REGIONS.findIndex((region) => region === at);
  const start = from < 0 && direction === -1 ? 0 : from;
  const region = REGIONS[(start + direction + REGIONS.length) % REGIONS.length];
  if (region === "editor") desk.focusEditor();
  else if (region === "prompt") desk.focusPrompt();
  else {
    const inside = document.querySelector(`[data-region="${region}"]`);
    inside?.querySelector<HTMLElement>("[tabindex='0'], input, button:not([tabindex='-1'])")?.focus();
  }
}

export function workspaceKeys(session: Session, desk: Desk): (event: KeyboardEvent) => void {
  const actions: Record<string, () => void> = {
    "Ctrl+K": () => (desk.palette = true),
    "Ctrl+S": () => save(session),
    "Ctrl+1": () => desk.show("form"),
    "Ctrl+2": () => desk.show("source"),
    "Ctrl+3": () => desk.show("diff"),
    "Ctrl+E": () => desk.focusEditor(),
    "Ctrl+Shift+P": () => desk.focusPrompt(),
    "Ctrl+Shift+C": () => void copyPrompt(session),
    "Ctrl+O": () => void session.openFolder(m.first_run_choose_folder()),
    "Ctrl+,": () => (desk.panel = "settings"),
    F6: () => nextRegion(desk, 1),
    "Shift+F6": () => nextRegion(desk, -1),
    F7: () => desk.editor?.difference(1),
    "Shift+F7": () => desk.editor?.difference(-1),
    F8: () => desk.editor?.finding(1),
    "Shift+F8": () => desk.editor?.finding(-1),
    "Alt+Enter": () => desk.editor?.fix?.(),
  };

  return (event) => {
    // A dialog is open: the keys are its own.
    if (document.querySelector("dialog[open]")) return;
    const keys = shortcut(event, session.backend.commandKey);
    if (keys === null) return;
    const channel = /^Alt\+([1-9])$/.exec(keys)?.[1];
    const picked = channel === undefined ? undefined : session.workspace?.channels[Number(channel) - 1];
    const action = picked ? () => void session.changeSettings({ channel: picked.id }) : actions[keys];
    if (action) {
      event.preventDefault();
      action();
    } else if (keys === "?" && !writesText(event.target)) {
      event.preventDefault();
      desk.panel = "shortcuts";
    }
  };
}
