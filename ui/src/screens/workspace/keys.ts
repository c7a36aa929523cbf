/** Acts on the shortcuts of the table, unless a dialog is open or an input method is composing. */
import { shortcut, writesText } from "../../state/keyboard";
import type { Session } from "../../state/session.svelte";
import type { Desk } from "./desk.svelte";
import { SHORTCUTS, type Shortcut } from "./shortcuts";

function listening(rows: readonly Shortcut[], session: Session, desk: Desk): (event: KeyboardEvent) => void {
  const table = new Map(rows.flatMap((row) => row.keys.map(([keys, act]) => [keys, { row, act }] as const)));
  return (event) => {
    // A dialog is open: the keys are its own.
    if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
    const keys = shortcut(event, session.backend.commandKey);
    const found = keys === null ? undefined : table.get(keys);
    if (!found?.act || (found.row.outsideText && writesText(event.target))) return;
    event.preventDefault();
    found.act(session, desk);
  };
}

const ROWS = SHORTCUTS.flatMap((group) => group.rows);

export const workspaceKeys = (session: Session, desk: Desk) => listening(ROWS, session, desk);

/** What works while no workspace is open. */
export const anywhereKeys = (session: Session, desk: Desk) =>
  listening(
    ROWS.filter((row) => row.anywhere),
    session,
    desk,
  );
