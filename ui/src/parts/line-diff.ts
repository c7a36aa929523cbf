/** Two texts line by line: which lines both have, which were there before, which are there now. */
import { diff } from "@codemirror/merge";

export interface DiffRow {
  kind: "same" | "before" | "now" | "skip";
  /** The line without its end; for `skip` nothing. */
  text: string;
  /** How many equal lines a `skip` stands for. */
  count: number;
}

/** Equal lines that are kept around a difference. */
const AROUND = 2;
/** Private use and other planes aside, this many different lines can be told apart; beyond them they share a sign. */
const SIGNS = 0xd7ff;
const LIMITS = { scanLimit: 5000, timeout: 500 };

/** The rows of a difference. Long runs of equal lines become one row that says how many. */
export function diffRows(before: string, now: string): DiffRow[] {
  const left = before.split("\n");
  const right = now.split("\n");
  const signs = new Map<string, string>();
  const sign = (line: string): string => {
    let one = signs.get(line);
    if (one === undefined) signs.set(line, (one = String.fromCharCode(Math.min(signs.size + 1, SIGNS))));
    return one;
  };
  const changes = diff(left.map(sign).join(""), right.map(sign).join(""), LIMITS);
  const rows: DiffRow[] = [];
  let at = 0;
  for (const change of changes) {
    equal(rows, left.slice(at, change.fromA), at === 0, false);
    rows.push(...left.slice(change.fromA, change.toA).map((text) => row("before", text)));
    rows.push(...right.slice(change.fromB, change.toB).map((text) => row("now", text)));
    at = change.toA;
  }
  equal(rows, left.slice(at), at === 0, true);
  return rows;
}

const row = (kind: DiffRow["kind"], text: string, count = 1): DiffRow => ({ kind, text, count });

function equal(rows: DiffRow[], lines: string[], first: boolean, last: boolean): void {
  const head = first ? 0 : AROUND;
  const tail = last ? 0 : AROUND;
  const hidden = lines.length - head - tail;
  if (hidden < 2) {
    rows.push(...lines.map((text) => row("same", text)));
    return;
  }
  rows.push(...lines.slice(0, head).map((text) => row("same", text)));
  rows.push(row("skip", "", hidden));
  rows.push(...lines.slice(lines.length - tail, tail === 0 ? 0 : undefined).map((text) => row("same", text)));
}
