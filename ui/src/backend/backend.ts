/**
 * The seam between the user interface and whatever holds the files.
 *
 * Two implementations: `tauri.ts` (the desktop shell) and `memory.ts` (tests, and a plain browser). Nothing else in
 * the user interface knows which one it talks to.
 */
import type { Commands } from "./generated/commands";
import type { ApiError, WorkspaceChanged } from "./generated/types";

export type { Commands } from "./generated/commands";
export type * from "./generated/types";

export type CommandName = keyof Commands;
export type Request<K extends CommandName> = Commands[K]["request"];

/** A reply with a text beside it. `body` is UTF-8, kept as bytes because most of it is never shown. */
export interface Frame<Head> {
  head: Head;
  body: Uint8Array;
}

export type Reply<K extends CommandName> = Commands[K]["framed"] extends true
  ? Frame<Commands[K]["reply"]>
  : Commands[K]["reply"];

export interface Backend {
  /** Runs a command. Rejects with {@link ApiError} and with nothing else. */
  call<K extends CommandName>(name: K, request: Request<K>): Promise<Reply<K>>;
  /** Tells of files that changed outside. Returns a function that stops it. */
  onWorkspaceChanged(listener: (change: WorkspaceChanged) => void): () => void;
  /** Asks for a folder; `null` when the person thinks better of it. `title` heads the dialog. */
  chooseFolder(title: string): Promise<string | null>;
  /** Opens an `https:` address elsewhere, or shows a file in its folder. */
  openExternal(target: string): Promise<void>;
  copyText(text: string): Promise<void>;
  setWindowTitle(title: string): Promise<void>;
  /** True on systems whose shortcuts use the command key. */
  readonly commandKey: boolean;
}

const CODES: ReadonlySet<string> = new Set(["conflict", "not_found", "invalid", "ambiguous", "stale", "failed"]);

/** What was thrown, as an {@link ApiError}: an unforeseen error keeps its message and gets the code `failed`. */
export function asApiError(thrown: unknown): ApiError {
  if (typeof thrown === "object" && thrown !== null && "code" in thrown && CODES.has(String(thrown.code))) {
    return thrown as ApiError;
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { code: "failed", message, context: {} };
}
