/** Words for what the memory page shows. */
import { m } from "../../../../messages";

const STATES: Record<string, () => string> = {
  injected: m.memory_state_injected,
  missing: m.memory_state_missing,
  empty: m.memory_state_empty,
  "still-default": m.memory_state_default,
  budget: m.memory_state_budget,
  "not-in-variant": m.memory_state_variant,
};

/** Why a memory is read or not; what has no words of its own comes as the backend says it. */
export const memoryState = (state: string, reason: string): string =>
  STATES[state]?.() ?? (state === "unreadable" ? m.memory_state_unreadable({ reason }) : reason);

/** A share of the window, to a tenth below ten per cent; `null` when either is unknown. */
export function sharePercent(part: number | null, window: number | null): { value: number; text: string } | null {
  if (part === null || window === null || window <= 0) return null;
  const value = (part / window) * 100;
  const text =
    value > 0 && value < 0.1 ? "< 0.1" : value < 10 ? String(Math.round(value * 10) / 10) : String(Math.round(value));
  return { value, text };
}
