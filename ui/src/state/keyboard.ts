/**
 * Shortcuts as text: `Ctrl+Shift+P`. On systems with a command key that key is `Ctrl`, too.
 *
 * While an input method is composing there are no shortcuts: its keys belong to the text.
 */

/** Key code of a key event that an input method has taken. */
const TAKEN_BY_INPUT_METHOD = 229;

/**
 * True for a key of an input method. WebKit ends a composition before it tells of the key that ended it, so that only
 * the key's code says whose it was.
 */
export const ofInputMethod = (event: KeyboardEvent): boolean =>
  event.isComposing || event.keyCode === TAKEN_BY_INPUT_METHOD;

export function shortcut(event: KeyboardEvent, commandKey: boolean): string | null {
  if (ofInputMethod(event)) return null;
  const parts: string[] = [];
  if (commandKey ? event.metaKey : event.ctrlKey) parts.push("Ctrl");
  if (event.altKey) parts.push("Alt");
  // On some layouts `?` and `+` need Shift: there it is part of the character.
  if (event.shiftKey && (event.key.length > 1 || /\p{L}/u.test(event.key))) parts.push("Shift");
  parts.push(event.key.length === 1 ? event.key.toUpperCase() : event.key);
  return parts.join("+");
}

/** True when a key would write into what has the focus. */
export function writesText(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable='true']") !== null;
}
