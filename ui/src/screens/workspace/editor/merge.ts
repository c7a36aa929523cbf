/** What becomes of the pieces of a merge. Pure: pieces and choices in, text out. */
import type { HunkView, RangeView } from "../../../backend/backend";

/** Which side of a piece is taken; `hand`: a text that the person wrote. */
export type Side = "mine" | "theirs" | "both" | "hand";

export interface Choice {
  side: Side | null;
  /** What was written by hand; lines end in LF, as a field gives them. */
  hand: string;
}

/** Pieces that only one side changed are taken as that side has them; the others are for the person. */
export const preselected = (hunk: HunkView): Choice => ({
  side: hunk.kind === "conflict" ? null : hunk.kind === "theirs" ? "theirs" : "mine",
  hand: "",
});

/** Mine, and theirs below it. */
function stacked({ mine, theirs }: HunkView): string {
  const apart = mine !== "" && theirs !== "" && !mine.endsWith("\n");
  return apart ? `${mine}\n${theirs}` : mine + theirs;
}

/** What is offered to be written on by hand: what is chosen, or both sides. */
export const toBegin = (hunk: HunkView, choice: Choice): string =>
  choice.side ? pieceOf(hunk, choice) : stacked(hunk);

/** A field knows one line end only. The text gets those of its piece back, and ends a line as its piece does. */
function byHand({ mine, theirs }: HunkView, hand: string): string {
  const around = mine + theirs;
  const text = hand !== "" && !hand.endsWith("\n") && around.endsWith("\n") ? `${hand}\n` : hand;
  const crlf = around.includes("\r\n") && !/(^|[^\r])\n/.test(around);
  return crlf ? text.replace(/\r?\n/g, "\r\n") : text;
}

/** The text of a piece. A conflict that nobody decided gives mine: see {@link undecided}. */
export function pieceOf(hunk: HunkView, choice: Choice): string {
  switch (choice.side) {
    case "theirs":
      return hunk.theirs;
    case "both":
      return stacked(hunk);
    case "hand":
      return byHand(hunk, choice.hand);
    case "mine":
    case null:
      return hunk.mine;
  }
}

export const resultOf = (hunks: readonly HunkView[], choices: readonly Choice[]): string =>
  hunks.map((hunk, index) => (hunk.kind === "same" ? hunk.mine : pieceOf(hunk, choices[index] as Choice))).join("");

/** How many conflicts wait for a choice. */
export const undecided = (choices: readonly Choice[]): number => choices.filter(({ side }) => side === null).length;

/** A text in pieces as they are drawn: marked or not, a CR by itself. */
export interface Drawn {
  text: string;
  marked: boolean;
  cr: boolean;
}

export function drawn(text: string, marks: readonly RangeView[]): Drawn[] {
  const pieces: Drawn[] = [];
  const push = (part: string, marked: boolean) => {
    for (const one of part.split(/(\r)/)) if (one !== "") pieces.push({ text: one, marked, cr: one === "\r" });
  };
  let at = 0;
  for (const { start, end } of marks) {
    push(text.slice(at, start), false);
    push(text.slice(start, end), true);
    at = end;
  }
  push(text.slice(at), false);
  return pieces;
}

/** Lines of a text; a last one without an end counts. */
export const lineCount = (text: string): number =>
  text.split("\n").length - (text.endsWith("\n") || text === "" ? 1 : 0);
