/** What menus, the palette and shortcuts have in common. */
import { m } from "../../messages";
import type { MenuItem } from "../../parts/Menu.svelte";
import type { Session } from "../../state/session.svelte";
import type { Desk, Panel } from "./desk.svelte";

/** Why the open file cannot be saved now; `null` when it can. */
export function saveOff(session: Session): string | null {
  if (session.workspace?.sample) return m.save_off_sample();
  const state = session.current?.state;
  switch (state) {
    case undefined:
      return m.save_off_nothing();
    case "saved":
    case "missing":
      return m.save_off_saved();
    case "conflict":
      return m.save_off_conflict();
    case "read_only":
      return m.save_off_read_only();
    case "draft":
    case "error":
      return null;
  }
}

/** Saves the open file, or says why not. */
export function save(session: Session): void {
  const off = saveOff(session);
  if (off === null) void session.save();
  else session.announcer.say(off);
}

export async function copyPrompt(session: Session): Promise<void> {
  await session.backend.copyText(session.preview.text());
  session.announcer.say(m.prompt_copied());
}

const PANELS: Record<Panel, { label: () => string; keys: (() => string) | null }> = {
  context: { label: m.panel_context, keys: null },
  fingerprint: { label: m.panel_fingerprint, keys: null },
  history: { label: m.panel_history, keys: null },
  findings: { label: m.panel_findings, keys: null },
  settings: { label: m.panel_settings, keys: () => m.key_ctrl({ key: "," }) },
  shortcuts: { label: m.panel_shortcuts, keys: () => "?" },
};

const CLOSE = "close-workspace";

export function panelItems(): MenuItem[] {
  const panels = Object.entries(PANELS).map(([id, { label, keys }]) => ({
    id,
    label: label(),
    hint: keys?.() ?? null,
    testid: `open-${id}`,
  }));
  return [...panels, { id: CLOSE, label: m.close_workspace(), testid: "close-workspace" }];
}

export function pickPanel(id: string, desk: Desk, session: Session): void {
  if (id === CLOSE) void session.close();
  else if (id === "settings") desk.showSettings(session.workspace !== null);
  else if (id in PANELS) desk.panel = id as Panel;
}
