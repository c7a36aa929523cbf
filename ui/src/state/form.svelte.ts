/**
 * A file as a form. It holds no text: each change of a field is worked out by the backend on the settled text, and made
 * in the document, so that Form, Source and Diff have one undo history. Changes go one at a time, in order; of a field
 * that is typed in only the newest value waits.
 */
import { redo, undo } from "@codemirror/commands";
import type { Text, Transaction } from "@codemirror/state";
import {
  asApiError,
  type ApiError,
  type Backend,
  type FormChange,
  type FormItemView,
  type FormView,
} from "../backend/backend";
import type { OpenDocument } from "./document.svelte";

/** How CodeMirror's history knows that changes belong to one typing, and may be undone in one step. */
const TYPED = "input.type.form";
const MADE = "input.form";
/** A text that moves on under a change is read again this often. */
const TRIES = 5;

/** Today in the person's own zone, as `YYYY-MM-DD`. */
function today(): string {
  const now = new Date();
  const two = (value: number) => String(value).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** What a change is about; a newer change of the same thing takes the place of one that still waits. */
function place(change: FormChange): string | null {
  if (change.kind === "set_text") return change.field;
  if (change.kind === "set_item") return `${change.field}:${change.at}`;
  return null;
}

const itemsOf = (view: FormView, field: string): FormItemView[] =>
  view.blocks.flatMap((block) => (block.kind === "group" ? block.fields : [])).find((one) => one.id === field)?.items ??
  [];

/**
 * The change as it is meant once the text moved on by other hands: entries are named by their place, so the entry is
 * looked for by its text. `null` when it is gone, or there are several: then nothing may be written over.
 */
export function relocate(change: FormChange, before: FormView, after: FormView): FormChange | null {
  if (change.kind === "set_text" || change.kind === "add_item") return change;
  const at = change.kind === "move_item" ? change.from : change.at;
  const meant = itemsOf(before, change.field)[at];
  const items = itemsOf(after, change.field);
  if (!meant) return items[at] ? null : change;
  if (items[at]?.text === meant.text) return change;
  const places = items.flatMap((item, index) => (item.text === meant.text ? [index] : []));
  const [place] = places;
  if (place === undefined || places.length > 1) return null;
  return change.kind === "move_item" ? { ...change, from: place } : { ...change, at: place };
}

interface Waiting {
  change: FormChange;
  done: () => void;
}

export class Form {
  view = $state.raw<FormView | null>(null);
  error = $state.raw<ApiError | null>(null);
  /** Rises when the text changed by other hands than the form's: fields then show what the file says. */
  foreign = $state(0);
  /** Changes that are not made yet. */
  pending = $state(0);

  private waiting: Waiting[] = [];
  private working: Promise<void> | null = null;
  private reading: Promise<void> | null = null;
  private again = false;
  /** The text that the form itself made last, or was read from. */
  private known: Text | null = null;

  constructor(
    private readonly backend: Backend,
    readonly document: OpenDocument,
    private readonly language: () => string,
  ) {}

  /** Reads the form anew. At most one reading is under way; what is asked for meanwhile makes one more. */
  read(): Promise<void> {
    this.again = true;
    this.reading ??= this.readAll();
    return this.reading;
  }

  private async readAll(): Promise<void> {
    while (this.again) {
      this.again = false;
      await this.document.settled();
      const { text } = this.document;
      try {
        const view = await this.backend.call("form", { file: this.document.file, language: this.language() });
        if (text !== this.document.text) {
          this.again = true;
          continue;
        }
        this.error = null;
        if (this.known !== null && !this.known.eq(text)) this.foreign += 1;
        this.known = text;
        this.view = view;
      } catch (thrown) {
        this.error = asApiError(thrown);
      }
    }
    this.reading = null;
  }

  /** True while a change of a field waits, or is being made. */
  get busy(): boolean {
    return this.pending > 0;
  }

  /** Resolves when every change so far is made, or refused, and the form shows it. */
  async settled(): Promise<void> {
    while (this.working ?? this.reading) await (this.working ?? this.reading);
  }

  /** Makes a change. Resolves when it is made, or refused, and the form shows it. */
  change(change: FormChange): Promise<void> {
    return new Promise((resolve) => {
      const at = place(change);
      const last = this.waiting.at(-1);
      if (at !== null && last && place(last.change) === at) {
        const { done } = last;
        last.change = change;
        last.done = () => {
          done();
          resolve();
        };
        return;
      }
      this.waiting.push({ change, done: resolve });
      this.pending += 1;
      this.working ??= this.work();
    });
  }

  private async work(): Promise<void> {
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) {
      await this.make(next.change);
      if (this.waiting.length === 0) await this.read();
      this.pending -= 1;
      next.done();
    }
    this.working = null;
  }

  private async make(asked: FormChange): Promise<void> {
    const typed = place(asked) !== null;
    let change = asked;
    for (let tries = 0; tries < TRIES; tries++) {
      await this.document.settled();
      if (this.known !== null && !this.known.eq(this.document.text)) {
        const shown = this.view;
        await this.read();
        const found = shown && this.view ? relocate(change, shown, this.view) : change;
        // The entry is gone: the form shows the file as it is now.
        if (!found) return;
        change = found;
      }
      const version = this.document.settledVersion;
      if (version === null) return;
      try {
        const request = { file: this.document.file, version, change, today: today() };
        const edit = await this.backend.call("form_edit", request);
        if (!this.document.apply(edit.version, edit.changes, typed ? TYPED : MADE)) continue;
        this.known = this.document.text;
        this.error = null;
        return;
      } catch (thrown) {
        const error = asApiError(thrown);
        if (error.code === "stale" && tries + 1 < TRIES) continue;
        this.error = error;
        // What the field shows is not what the file says.
        this.foreign += 1;
        return;
      }
    }
  }

  /** Takes back the last change, whichever view it was made in. */
  undo(): void {
    this.step(undo);
  }

  redo(): void {
    this.step(redo);
  }

  private step(command: typeof undo): void {
    command({
      state: this.document.editor,
      dispatch: (transaction: Transaction) => this.document.dispatch(transaction),
    });
  }
}
