/**
 * Forms of the in-memory backend: key lines, lists under a heading, check boxes; the rest is kept. As much as the
 * screen needs to be tried; the real rules are the shell's.
 */
import type {
  DocumentView,
  FormBlockView,
  FormEditRequest,
  FormEditView,
  FormFieldView,
  FormGroupView,
  FormView,
  Frame,
  TextChange,
} from "../backend";
import { bodyText } from "../frame";
import { refuse } from "./documents";

const SCHEMAS: Record<string, string> = {
  "USER.md": "user",
  "SOUL.md": "soul",
  "AGENTS.md": "agents",
  "TOOLS.md": "tools",
};
const CONTROLS: Record<string, FormFieldView["control"]> = {
  pronouns: "choice",
  language: "language",
  "time zone": "time_zone",
  emoji: "emoji",
};

interface Line {
  text: string;
  /** UTF-16 units of the text. */
  start: number;
  end: number;
  number: number;
}

/** A place of the text, as the changes of an edit name it. */
type Place = { from: number; to: number };

interface Read {
  view: FormView;
  values: Map<string, Place>;
  items: Map<string, Place[]>;
}

const KEY = /^[-*] (?:\*\*)?([\p{L} ]+?):(?:\*\*)? ?(.*?)\r?$/u;
const BOX = /^[-*] \[([ x])\] (.*?)\r?$/;
const BULLET = /^(?:[-*]|\d+\.) (.*?)\r?$/;
const DATE = /^(\d{4}-\d\d-\d\d)(?:: ?|$)/;
const HEADING = /^#+ (.*?)\r?$/;
const PLACEHOLDER = /^(\(.+\)|\{\{.+\}\})$/;

const id = (words: string): string =>
  words
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, "_");

function linesOf(text: string): Line[] {
  let start = 0;
  return text.split("\n").map((line, index) => {
    const at = { text: line, start, end: start + line.length, number: index + 1 };
    start += line.length + 1;
    return at;
  });
}

function emptyField(name: string, label: string, control: FormFieldView["control"]): FormFieldView {
  const basic = { value: "", placeholder: null, unfilled: false, items: [], problem: null, range: null, line: null };
  const choices =
    control === "choice" ? ["she/her", "he/him", "they/them"].map((value) => ({ value, label: value })) : [];
  return { id: name, label, help: null, control, width: control === "text" ? "half" : "full", choices, ...basic };
}

function read({ head, body }: Frame<DocumentView>): Read {
  const text = bodyText(body);
  const bytes = (unit: number) => new TextEncoder().encode(text.slice(0, unit)).length;
  const range = ({ from, to }: Place) => ({ start: bytes(from), end: bytes(to) });
  const values = new Map<string, Place>();
  const items = new Map<string, Place[]>();
  const blocks: FormBlockView[] = [];
  let group: FormGroupView | null = null;
  let heading = "";
  const begin = (title: string, line: Line): FormGroupView => {
    const made: FormGroupView = {
      id: id(title) || `part_${line.number}`,
      title,
      hint: null,
      lines: { first: line.number, last: line.number },
      fields: [],
    };
    group = made;
    blocks.push(made && { kind: "group", ...made });
    return made;
  };
  const into = (line: Line): FormGroupView => {
    const current = group ?? begin(heading || head.file.path, line);
    if (current.lines) current.lines.last = line.number;
    return current;
  };
  for (const line of linesOf(text)) {
    const title = HEADING.exec(line.text)?.[1];
    const box = BOX.exec(line.text);
    const key = box ? null : KEY.exec(line.text);
    const bullet = box || key ? null : BULLET.exec(line.text);
    if (title !== undefined) {
      heading = title;
      begin(title, line);
    } else if (key) {
      const [, label = "", written = ""] = key;
      const name = id(label);
      const to = line.end - (line.text.endsWith("\r") ? 1 : 0);
      const place = { from: to - written.length, to };
      values.set(name, place);
      const unfilled = PLACEHOLDER.test(written);
      into(line).fields.push({
        ...emptyField(name, label, CONTROLS[label.toLowerCase()] ?? "text"),
        value: unfilled ? "" : written,
        placeholder: unfilled ? written : null,
        unfilled,
        range: range(place),
        line: line.number,
      });
    } else if (box || bullet) {
      const current = into(line);
      const name = `${current.id}_list`;
      let field = current.fields.find((one) => one.id === name);
      if (!field) {
        field = emptyField(name, heading, box ? "checks" : "list");
        current.fields.push(field);
      }
      const whole = (box?.[2] ?? bullet?.[1]) || "";
      const dated = box ? null : DATE.exec(whole);
      const words = whole.slice(dated?.[0].length ?? 0);
      const to = line.end - (line.text.endsWith("\r") ? 1 : 0);
      const place = { from: to - words.length, to };
      const places = items.get(name) ?? [];
      items.set(name, [...places, place]);
      field.items.push({
        text: words,
        checked: box ? box[1] === "x" : null,
        date: dated?.[1] ?? null,
        range: range(place),
        line: line.number,
        kept: false,
      });
    } else if (line.text.trim() !== "") {
      const excerpt = line.text.slice(0, 200);
      const lines = { first: line.number, last: line.number };
      const place = range({ from: line.start, to: line.end });
      blocks.push({
        kind: "kept",
        id: `line_${line.number}`,
        title: heading || excerpt,
        what: "text",
        lines,
        excerpt,
        range: place,
      });
      group = null;
    }
  }
  // A group that turned out to have no fields is a heading, and stays in the source.
  const shown = blocks.filter((block) => block.kind === "kept" || block.fields.length > 0);
  return { view: { file: head.file, version: head.version, schema: null, blocks: shown }, values, items };
}

export function readForm(frame: Frame<DocumentView>): FormView {
  const schema = SCHEMAS[frame.head.file.path] ?? null;
  return { ...read(frame).view, schema };
}

export function editForm(frame: Frame<DocumentView>, { version, change, file }: FormEditRequest): FormEditView {
  if (version !== frame.head.version) throw refuse("stale", "The form was read from another text.");
  const text = bodyText(frame.body);
  const { values, items } = read(frame);
  const line = (place: Place): Place => {
    const from = text.lastIndexOf("\n", place.from - 1) + 1;
    const end = text.indexOf("\n", place.to);
    return { from, to: end < 0 ? text.length : end + 1 };
  };
  const missing = () => refuse("invalid", `${file.path} has no such field.`);
  const put = (place: Place | undefined, insert: string): TextChange[] => {
    if (!place) throw missing();
    return text.slice(place.from, place.to) === insert ? [] : [{ ...place, insert }];
  };
  if (change.kind === "set_text") return { version, changes: put(values.get(change.field), change.value) };
  const places = items.get(change.field);
  if (!places) throw missing();
  const whole = places.map((place) => ({ ...line(place) }));
  const first = whole[0];
  const last = whole.at(-1);
  if (!first || !last) throw missing();
  const marks = whole.map(({ from, to }) => text.slice(from, to));
  switch (change.kind) {
    case "set_item": {
      const place = places[change.at];
      const before = text.slice(0, place?.from ?? 0);
      const date = DATE.exec(before.split(/[-*] /).at(-1) ?? "")?.[1];
      if (!date) return { version, changes: put(place, change.text) };
      const words = change.text.startsWith(date) ? change.text.slice(date.length) : change.text;
      const lead = before.endsWith(date) ? ": " : before.endsWith(":") ? " " : "";
      return { version, changes: put(place, lead + words.replace(/^[:\s]+/, "")) };
    }
    case "set_checked": {
      const at = whole[change.at];
      if (!at) throw missing();
      return { version, changes: put({ from: at.from + 3, to: at.from + 4 }, change.checked ? "x" : " ") };
    }
    case "add_item": {
      const mark = /^(?:[-*] \[[ x]\]|[-*]|\d+\.) /.exec(marks.at(-1) ?? "")?.[0] ?? "- ";
      const numbered = mark.replace(/^\d+/, (value) => String(Number(value) + 1)).replace("[x]", "[ ]");
      return { version, changes: [{ from: last.to, to: last.to, insert: `${numbered}${change.text}\n` }] };
    }
    case "remove_item": {
      const at = whole[change.at];
      if (!at) throw missing();
      return { version, changes: [{ ...at, insert: "" }] };
    }
    case "move_item": {
      const moved = places.map(({ from, to }) => text.slice(from, to));
      const [one] = moved.splice(change.from, 1);
      if (one === undefined) throw missing();
      moved.splice(change.to, 0, one);
      const changes = places.map((place, index) => ({ ...place, insert: moved[index] ?? "" }));
      return { version, changes };
    }
  }
}
