/** A small three-way merge by line for the in-memory workspace: the shape of the real one, on small texts. */
import type { HunkView } from "../backend";

interface Change {
  from: number;
  to: number;
  lines: string[];
}

const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** What stands between the lines of a longest common subsequence. */
function changes(before: string[], after: string[]): Change[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  const at = (row: number, column: number): number => lengths[row]?.[column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      const same = before[row] === after[column];
      (lengths[row] as number[])[column] = same
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const found: Change[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    if (row < before.length && column < after.length && before[row] === after[column]) {
      [row, column] = [row + 1, column + 1];
      continue;
    }
    const change: Change = { from: row, to: row, lines: [] };
    while (!(row < before.length && column < after.length && before[row] === after[column])) {
      if (row < before.length && (column >= after.length || at(row + 1, column) >= at(row, column + 1))) row += 1;
      else if (column < after.length) change.lines.push(after[column++] as string);
      else break;
    }
    found.push({ ...change, to: row });
  }
  return found;
}

/** A side's lines for a stretch of the base, its changes in that stretch made. */
function side(base: string[], from: number, to: number, changed: Change[]): string {
  let text = "";
  let at = from;
  for (const change of changed) {
    text += base.slice(at, change.from).join("") + change.lines.join("");
    at = change.to;
  }
  return text + base.slice(at, to).join("");
}

/** The whole of both sides, where a word differs. */
function marks(text: string, other: string): HunkView["mine_marks"] {
  const known = new Set(other.split(/\s+/));
  return [...text.matchAll(/\S+/g)]
    .filter(([word]) => !known.has(word))
    .map((match) => ({ start: match.index, end: match.index + match[0].length }));
}

export function hunks(baseText: string, mineText: string, theirsText: string): HunkView[] {
  const base = linesOf(baseText);
  const mine = changes(base, linesOf(mineText));
  const theirs = changes(base, linesOf(theirsText));
  const made: HunkView[] = [];
  const push = (kind: HunkView["kind"], b: string, m: string, t: string) => {
    const marked = kind === "conflict";
    made.push({
      kind,
      base: kind === "same" ? "" : b,
      mine: m,
      theirs: kind === "same" ? "" : t,
      mine_marks: marked ? marks(m, t) : [],
      theirs_marks: marked ? marks(t, m) : [],
    });
  };
  let at = 0;
  while (mine.length + theirs.length > 0) {
    const from = Math.min(mine[0]?.from ?? Infinity, theirs[0]?.from ?? Infinity);
    let to = from;
    const taken = { mine: [] as Change[], theirs: [] as Change[] };
    for (let grown = true; grown;) {
      grown = false;
      for (const [changed, into] of [
        [mine, taken.mine],
        [theirs, taken.theirs],
      ] as const) {
        while (changed[0] && changed[0].from <= to) {
          const change = changed.shift() as Change;
          to = Math.max(to, change.to);
          into.push(change);
          grown = true;
        }
      }
    }
    if (from > at) push("same", "", base.slice(at, from).join(""), "");
    const [b, m, t] = [
      base.slice(from, to).join(""),
      side(base, from, to, taken.mine),
      side(base, from, to, taken.theirs),
    ];
    push(m === t ? "both" : b === t ? "mine" : b === m ? "theirs" : "conflict", b, m, t);
    at = to;
  }
  if (at < base.length) push("same", "", base.slice(at).join(""), "");
  return made;
}
