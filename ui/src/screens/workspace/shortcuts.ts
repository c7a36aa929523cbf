/** Every shortcut, once: what the keys do and what the list of shortcuts says comes from this table. */
import { m } from "../../messages";
import type { Session } from "../../state/session.svelte";
import { copyPrompt, save } from "./actions";
import type { Desk } from "./desk.svelte";

type Act = (session: Session, desk: Desk) => void;

export interface Shortcut {
  label: () => string;
  /** As `shortcut()` writes them, each with what it does. Without an act the key belongs to whatever has the focus. */
  keys: readonly (readonly [keys: string, act: Act | null])[];
  /** Works without an open workspace, too. */
  anywhere?: boolean;
  /** Not while something is being typed. */
  outsideText?: boolean;
}

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

const channel =
  (index: number): Act =>
  (session) => {
    const picked = session.workspace?.channels[index];
    if (picked) void session.changeSettings({ channel: picked.id });
  };

export const SHORTCUTS: readonly { title: () => string; rows: readonly Shortcut[] }[] = [
  {
    title: m.keys_window,
    rows: [
      { label: m.palette_open, keys: [["Ctrl+K", (_, desk) => (desk.palette = true)]], anywhere: true },
      { label: m.keys_focus_editor, keys: [["Ctrl+E", (_, desk) => desk.focusEditor()]] },
      { label: m.keys_focus_prompt, keys: [["Ctrl+Shift+P", (_, desk) => desk.focusPrompt()]] },
      {
        label: m.keys_regions,
        keys: [
          ["F6", (_, desk) => nextRegion(desk, 1)],
          ["Shift+F6", (_, desk) => nextRegion(desk, -1)],
        ],
      },
      {
        label: m.first_run_choose_folder,
        keys: [["Ctrl+O", (session) => void session.openFolder(m.first_run_choose_folder())]],
        anywhere: true,
      },
      {
        label: m.panel_settings,
        keys: [["Ctrl+,", (session, desk) => desk.showSettings(session.workspace !== null)]],
        anywhere: true,
      },
      {
        label: m.panel_shortcuts,
        keys: [["?", (_, desk) => (desk.panel = "shortcuts")]],
        anywhere: true,
        outsideText: true,
      },
      {
        label: m.keys_zoom,
        keys: [
          ["Ctrl++", null],
          ["Ctrl+-", null],
          ["Ctrl+0", null],
        ],
      },
      {
        label: m.places_keys_move_project,
        keys: [
          ["Alt+ArrowUp", null],
          ["Alt+ArrowDown", null],
        ],
      },
    ],
  },
  {
    title: m.editor_pane,
    rows: [
      { label: m.save, keys: [["Ctrl+S", (session) => save(session)]] },
      {
        label: m.keys_undo,
        keys: [
          ["Ctrl+Z", null],
          ["Ctrl+Shift+Z", null],
        ],
      },
      {
        label: m.keys_views,
        keys: [
          ["Ctrl+1", (_, desk) => desk.show("form")],
          ["Ctrl+2", (_, desk) => desk.show("source")],
          ["Ctrl+3", (_, desk) => desk.show("diff")],
        ],
      },
      { label: m.keys_find, keys: [["Ctrl+F", null]] },
      {
        label: m.keys_findings,
        keys: [
          ["F8", (_, desk) => desk.editor?.finding(1)],
          ["Shift+F8", (_, desk) => desk.editor?.finding(-1)],
        ],
      },
      { label: m.findings_keys_fix, keys: [["Alt+Enter", (_, desk) => desk.editor?.fix?.()]] },
      {
        label: m.keys_differences,
        keys: [
          ["F7", (_, desk) => desk.editor?.difference(1)],
          ["Shift+F7", (_, desk) => desk.editor?.difference(-1)],
        ],
      },
      {
        label: m.keys_leave_editor,
        keys: [
          ["Escape", null],
          ["Tab", null],
        ],
      },
    ],
  },
  {
    title: m.page_skills,
    rows: [
      { label: m.skills_keys_edit, keys: [["Enter", null]] },
      { label: m.skills_keys_switch, keys: [["Space", null]] },
      { label: m.skills_keys_delete, keys: [["Delete", null]] },
      { label: m.skills_keys_copy, keys: [["F2", null]] },
    ],
  },
  {
    title: m.prompt_title,
    rows: [
      {
        label: m.keys_channel,
        keys: [...Array(9).keys()].map((index) => [`Alt+${index + 1}`, channel(index)] as const),
      },
      {
        label: m.keys_layer,
        keys: [
          ["1–5", null],
          ["U", null],
        ],
      },
      { label: m.keys_source, keys: [["Enter", null]] },
      { label: m.keys_pin, keys: [["P", null]] },
      { label: m.copy_prompt, keys: [["Ctrl+Shift+C", (session) => void copyPrompt(session)]] },
    ],
  },
];

const NAMES: Record<string, () => string> = {
  Space: m.skills_key_space,
  Delete: m.skills_key_delete,
  Enter: m.key_enter,
  Escape: () => "Esc",
  ArrowUp: () => "↑",
  ArrowDown: () => "↓",
  "-": () => "−",
};

/** Keys as people read them. */
export function shown(keys: string): string {
  const [, modifiers = "", last = keys] = /^((?:Ctrl\+|Alt\+|Shift\+)*)(.+)$/.exec(keys) ?? [];
  const key = NAMES[last]?.() ?? last;
  if (modifiers === "Ctrl+Shift+") return m.key_ctrl_shift({ key });
  if (modifiers === "Ctrl+") return m.key_ctrl({ key });
  if (modifiers === "Alt+") return m.key_alt({ key });
  return modifiers === "Shift+" ? m.key_shift({ key }) : key;
}

/** The keys of a row; a run of digits is one entry. */
export function shownKeys(row: Shortcut): string[] {
  const keys = row.keys.map(([one]) => one);
  return keys.length === 9 && keys[0] === "Alt+1" ? [m.key_alt({ key: "1–9" })] : keys.map(shown);
}
