/**
 * A context is a JSON text; the form is a view of it. A control writes one key into the text, and nothing else of it
 * changes its value.
 */
import type { ContextKeyView } from "../../../backend/backend";

export type Keys = Record<string, unknown>;

/** The object of the text; `null` when it is no JSON object. */
export function keysOf(json: string): Keys | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Keys) : null;
  } catch {
    return null;
  }
}

export const textOf = (keys: Keys): string => `${JSON.stringify(keys, null, 2)}\n`;

/** The text with one key set; `undefined` takes the key out. */
export function withKey(keys: Keys, name: string, value: unknown): string {
  const next = { ...keys };
  if (value === undefined) delete next[name];
  else next[name] = value;
  return textOf(next);
}

/** A value as the control of its kind shows it. */
export function shown(kind: ContextKeyView["kind"], value: unknown): string {
  if (value === undefined || value === null) return "";
  if (kind === "list" && Array.isArray(value)) return value.map(String).join("\n");
  if (kind === "json" || typeof value === "object") return JSON.stringify(value, null, 2);
  return String(value);
}

/** A value as JSON, for reading: a text without its quotation marks. */
export function readable(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "string" ? value : json;
  } catch {
    return json;
  }
}

/** What the person wrote, as the value of its kind. `error` when it cannot be one. */
export function parsed(kind: ContextKeyView["kind"], text: string): { value: unknown } | { error: "json" | "number" } {
  switch (kind) {
    case "flag":
      return { value: text === "" ? undefined : text === "true" };
    case "number": {
      if (text.trim() === "") return { value: undefined };
      const number = Number(text);
      return Number.isFinite(number) ? { value: number } : { error: "number" };
    }
    case "list":
      return { value: text.split("\n").filter((line) => line.trim() !== "") };
    case "json":
      if (text.trim() === "") return { value: undefined };
      try {
        return { value: JSON.parse(text) };
      } catch {
        return { error: "json" };
      }
    case "text":
    case "long_text":
    case "time":
    case "word":
      return { value: text };
  }
}

/** The groups in the order in which their first keys stand. */
export function groupsOf(keys: readonly ContextKeyView[]): [group: string, keys: ContextKeyView[]][] {
  const groups = new Map<string, ContextKeyView[]>();
  for (const key of keys) {
    const group = groups.get(key.group);
    if (group) group.push(key);
    else groups.set(key.group, [key]);
  }
  return [...groups];
}
