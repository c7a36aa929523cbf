/** What an in-memory workspace is like. */
export interface MemoryOptions {
  /** Opens the sample at the start, as if it had been open last. */
  open?: boolean;
  /** Nothing is found on this computer. */
  empty?: boolean;
  /** Names are as long as names can be. */
  long?: boolean;
  /** Files have forms. */
  forms?: boolean;
  /** The agent could not start. */
  broken?: boolean;
  /** The project's TOOLS.md is in another encoding. */
  foreign?: boolean;
  /** The project's TOOLS.md is called tools.md. */
  near?: boolean;
  /** More skills, 2.5 KiB each and always on. */
  skills?: number;
  /** Some skills have something the matter with them. */
  odd?: boolean;
  /** The last window ended with unsaved edits of USER.md. */
  restored?: boolean;
  /** Unsaved edits of two folders that are not here are kept. */
  lost?: boolean;
  /** USER.md was edited here and on disk. */
  conflict?: boolean;
  /** Milliseconds before each reply. */
  delay?: number;
  /** What `chooseFolder` answers. */
  folder?: string | null;
}
