/**
 * An open file. Its text lives in a CodeMirror state, which every view of the file shares, so that there is one undo
 * history. Changes travel to the backend in order, at most one batch at a time: what is typed meanwhile is the next.
 */
import { ChangeSet, EditorState, Text, Transaction, type Extension } from "@codemirror/state";
import {
  asApiError,
  type Backend,
  type DocumentView,
  type FileRef,
  type FileState,
  type Frame,
  type Reply,
  type Request,
  type ProblemView,
  type SaveAgreed,
} from "../backend/backend";
import { bodyText } from "../backend/frame";
import type { TextChange } from "../backend/backend";
import type { Ride } from "./preview.svelte";
import type { Timing, Timings } from "./timings";

export const sameFile = (left: FileRef | null, right: FileRef | null): boolean =>
  left !== null && right !== null && left.root === right.root && left.path === right.path;

/** A name for a file that is unique in the workspace. */
export const fileKey = (file: FileRef): string => `${file.root}:${file.path}`;

/** The changes as the backend takes them: offsets in the text before all of them. */
export function wireChanges(changes: ChangeSet): TextChange[] {
  const wire: TextChange[] = [];
  changes.iterChanges((from, to, _fromB, _toB, inserted) => {
    wire.push({ from, to, insert: inserted.toString() });
  });
  return wire;
}

/** The smallest single replacement that turns `before` into `after`; `null` when they are equal. */
export function replacement(before: string, after: string): { from: number; to: number; insert: string } | null {
  if (before === after) return null;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}

/** Files end their lines with LF alone for the editor: a CR is a character, so that positions are those of the text. */
const toText = (text: string): Text => Text.of(text.split("\n"));

export interface DocumentHooks {
  /** A place for the preview in the next edit; `null` while another one is under way. */
  ride(): Ride | null;
  /** An edit was kept. The preview is behind when there is a `timing`; else it came with the edit. */
  edited(document: OpenDocument, timing: Timing | null): void;
  /** Shows a change that did not come from the editor. */
  show?: (transaction: Transaction) => void;
}

export class OpenDocument {
  readonly file: FileRef;
  view = $state.raw<DocumentView>() as DocumentView;
  state = $state<FileState>("saved");
  reason = $state<string | null>(null);
  /** What is wrong, when the backend said so. */
  problem = $state.raw<ProblemView | null>(null);
  /** The text on disk; `null`: no file, or one that is no text. `undefined`: not asked for yet. */
  onDisk = $state.raw<string | null | undefined>(undefined);
  /** The text, for what is derived from it. Shared structure: holding it costs nothing. */
  text = $state.raw<Text>(Text.empty);
  editor: EditorState;
  /** Set by the editor that shows this document. */
  attached: ((transaction: Transaction) => void) | null = null;

  /** Version of the text that the backend holds. */
  version: number;
  /** Revision of the workspace after the last edit. */
  private revision = 0;
  private pending: ChangeSet | null = null;
  private sending: Promise<void> | null = null;

  constructor(
    private readonly backend: Backend,
    private readonly timings: Timings,
    private readonly hooks: DocumentHooks,
    { head, body }: Frame<DocumentView>,
    extensions: Extension,
  ) {
    this.file = head.file;
    this.version = head.version;
    const text = bodyText(body);
    this.editor = EditorState.create({
      doc: toText(text),
      extensions: [EditorState.lineSeparator.of("\n"), extensions],
    });
    this.text = this.editor.doc;
    this.take(head, text);
  }

  get editable(): boolean {
    return this.state !== "read_only" && this.state !== "error";
  }

  /** Bytes in front of the text that are no part of it. */
  get leadingBytes(): number {
    const shown = this.text.length > 0 && this.text.sliceString(0, 1) === "\uFEFF";
    return this.view.bom && !shown ? 3 : 0;
  }

  /** True when the text has changes that a workspace of this revision does not know. */
  isAheadOf(revision: number): boolean {
    return this.sending !== null || this.revision > revision;
  }

  private take(head: DocumentView, text: string): void {
    this.view = head;
    this.version = head.version;
    this.state = head.state;
    this.reason = head.reason;
    this.problem = head.problem;
    if (head.conflict) this.onDisk = head.conflict.theirs;
    else if (head.state !== "draft" && !head.problem?.saving) this.onDisk = head.state === "missing" ? null : text;
  }

  /** Takes in transactions of the editor. */
  update(transactions: readonly Transaction[]): void {
    let changed = false;
    for (const transaction of transactions) {
      this.editor = transaction.state;
      if (!transaction.docChanged) continue;
      changed = true;
      if (transaction.annotation(Transaction.remote)) continue;
      this.pending = this.pending ? this.pending.compose(transaction.changes) : transaction.changes;
    }
    if (!changed) return;
    this.text = this.editor.doc;
    if (this.pending) this.send();
  }

  /** Makes a transaction where the document is shown, or here when it is not. */
  dispatch(transaction: Transaction): void {
    if (this.attached) this.attached(transaction);
    else this.update([transaction]);
  }

  /** The version that the backend has, when it has every change; else `null`. */
  get settledVersion(): number | null {
    return this.unsent ? null : this.version;
  }

  /**
   * Makes changes that somebody else worked out on a version of the text, as one step that can be undone. Only what
   * differs is replaced. False when the text is no longer that version: nothing was changed then.
   */
  apply(version: number, changes: readonly TextChange[], userEvent: string): boolean {
    if (this.settledVersion !== version) return false;
    const { doc } = this.editor;
    const specs = changes.flatMap(({ from, to, insert }) => {
      const change = replacement(doc.sliceString(from, to), insert);
      return change ? [{ from: from + change.from, to: from + change.to, insert: toText(change.insert) }] : [];
    });
    if (specs.length > 0) this.dispatch(this.editor.update({ changes: specs, userEvent }));
    return true;
  }

  /** True when the window alone holds some of the text. */
  get unsent(): boolean {
    return this.pending !== null || this.sending !== null;
  }

  /** Resolves when every change so far was kept, or refused. */
  async settled(): Promise<void> {
    while (this.sending) await this.sending;
  }

  private send(): void {
    if (this.pending?.empty) this.pending = null;
    if (this.pending) this.sending ??= this.sendAll();
  }

  private async sendAll(): Promise<void> {
    while (this.pending && !this.pending.empty) {
      const changes: ChangeSet = this.pending;
      this.pending = null;
      const timing = this.timings.begin();
      try {
        const ride = this.hooks.ride();
        const request = { file: this.file, version: this.version, changes: wireChanges(changes) };
        const { head: result, body } = await this.carry({ ...request, preview: ride?.request ?? null }, ride);
        this.version = result.version;
        this.revision = result.revision;
        this.state = result.state;
        if (result.state !== "conflict") this.reason = null;
        this.problem = null;
        this.timings.reach(timing, "edited");
        if (ride) ride.land(result.preview ? { head: result.preview, body } : result.preview_error, timing);
        this.hooks.edited(this, ride ? null : timing);
      } catch (thrown) {
        const error = asApiError(thrown);
        if (error.code !== "stale" || !(await this.resume())) {
          this.pending = this.pending ? changes.compose(this.pending) : changes;
          this.fail(error.message);
          this.sending = null;
          return;
        }
      }
    }
    this.pending = null;
    // In the same step as the last look at what is pending: a change in between would wait for a batch that is gone.
    this.sending = null;
  }

  /** Sends an edit. The preview that rides along is let go of when the edit does not arrive. */
  private async carry(request: Request<"edit">, ride: Ride | null): Promise<Reply<"edit">> {
    try {
      return await this.backend.call("edit", request);
    } catch (thrown) {
      ride?.land(null, null);
      throw thrown;
    }
  }

  /** The backend's text moved on by itself: what the window shows becomes one edit of it. False when it cannot be read. */
  private async resume(): Promise<boolean> {
    try {
      const { head, body } = await this.backend.call("document", this.file);
      const theirs = bodyText(body);
      this.take(head, theirs);
      const change = replacement(theirs, this.text.toString());
      this.pending = change ? ChangeSet.of({ ...change, insert: toText(change.insert) }, theirs.length) : null;
      return true;
    } catch {
      // What refused the edit is what the person is told.
      return false;
    }
  }

  /** Reads the file again after it changed outside. A clean text follows; what is typed stays. */
  async reload(): Promise<void> {
    await this.settled();
    this.accept(await this.backend.call("document", this.file));
  }

  /** Shows what the backend holds, with the cursor and the scroll position where they were. */
  accept({ head, body }: Frame<DocumentView>): void {
    if (this.pending || this.sending) return;
    const text = bodyText(body);
    this.take(head, text);
    const change = replacement(this.text.toString(), text);
    if (!change) return;
    const transaction = this.editor.update({
      changes: { ...change, insert: toText(change.insert) },
      annotations: [Transaction.remote.of(true), Transaction.addToHistory.of(false)],
    });
    this.dispatch(transaction);
  }

  /** What was typed could not be handed on, or not be saved: it is kept. */
  private fail(reason: string, problem: ProblemView = { kind: "save_failed", saving: true }): void {
    this.state = "error";
    this.reason = reason;
    this.problem = problem;
  }

  /** Saves, with what the person agreed to. The state afterwards says whether it went well. */
  async save(agreed: Partial<Omit<SaveAgreed, "file">> | null = null): Promise<void> {
    // What could not be sent is tried once more.
    if (this.pending) this.send();
    await this.settled();
    if (this.pending) return;
    try {
      const text = this.text.toString();
      const none = { without_version: false, in_place: false, outside: false };
      const result = agreed
        ? await this.backend.call("save_agreed", { file: this.file, ...none, ...agreed })
        : await this.backend.call("save", this.file);
      this.version = result.version;
      if (result.state === "saved") this.onDisk = text;
      this.revision = result.revision;
      // Findings, size, and what a conflict is between.
      await this.reload();
      if (result.state === "saved") return;
      this.state = result.state;
      this.reason = result.reason;
      this.problem = result.problem;
    } catch (thrown) {
      this.fail(asApiError(thrown).message);
    }
  }

  /** Asks for the text on disk, when nobody has yet: a draft of an earlier window comes without it. */
  async readDisk(): Promise<void> {
    if (this.onDisk !== undefined) return;
    const { head, body } = await this.backend.call("disk", this.file);
    this.onDisk = head.text ? bodyText(body) : null;
  }

  /** Puts another text in the place of this one: one edit, which can be undone. */
  replaceText(text: string): void {
    const change = replacement(this.text.toString(), text);
    if (!change) return;
    const transaction = this.editor.update({
      changes: { ...change, insert: toText(change.insert) },
      userEvent: "input.replace",
    });
    if (this.attached) this.attached(transaction);
    else this.update([transaction]);
  }

  /** The text is a merge with what stood on disk; `disk` is that text's hash. Rejects when it changed again. */
  async merged(disk: string | null): Promise<void> {
    await this.settled();
    this.accept(await this.backend.call("merged", { file: this.file, disk }));
  }

  async takeDisk(): Promise<void> {
    await this.settled();
    this.accept(await this.backend.call("take_disk", this.file));
  }

  async keepMine(): Promise<void> {
    await this.settled();
    this.accept(await this.backend.call("keep_mine", this.file));
  }
}
