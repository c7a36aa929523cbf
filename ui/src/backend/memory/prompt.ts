/** The assembled prompt of the in-memory backend as one text. */
import type { CountView, FindingView } from "../backend";
import type { Assembled } from "./assemble";

export function overBudget(budget: number | null, tokens: CountView): FindingView[] {
  if (budget === null || (tokens.high ?? 0) <= budget) return [];
  const message = `Nothing more may be left out, and the prompt is still over ${budget} tokens.`;
  return [{ id: "budget-unreachable", severity: "error", path: null, file: null, range: null, message, actions: [] }];
}

export function joined(made: Assembled): Uint8Array {
  const text = new Uint8Array(made.sections.at(-1)?.view.end ?? 0);
  for (const section of made.sections) text.set(section.text, section.view.start);
  return text;
}

export function commonPrefix(left: Uint8Array, right: Uint8Array): number {
  const length = Math.min(left.length, right.length);
  let at = 0;
  while (at < length && left[at] === right[at]) at += 1;
  return at;
}
