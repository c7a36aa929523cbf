/** The in-memory backend, for component tests and for a plain browser. It holds a small workspace and assembles it. */
import { MemoryBackend } from "./memory/backend";
import type { MemoryOptions } from "./memory/options";

export { MemoryBackend } from "./memory/backend";
export type { MemoryOptions } from "./memory/options";

/**
 * Connects to a fresh in-memory workspace. The page's address chooses what it is like: `?open` opens the sample at
 * once, `?big` makes it a prompt of 1 MiB with 400 skills, `?empty` finds nothing on the computer, `?slow` answers
 * after a second, `?restored` has a draft of the last time, `?lost` drafts of folders that are not here, `?conflict` one that somebody else's text is in the way
 * of, `?source` has no forms, `?broken` has an agent that could not start, `?long` has long names, `?odd` skills
 * with something the matter, `?foreign` a file in another encoding, and `?near` a file whose name is nearly right.
 */
export function connect(): MemoryBackend {
  const asked = new URLSearchParams(location.search);
  const options: MemoryOptions = {
    open: asked.has("open"),
    forms: !asked.has("source"),
    empty: asked.has("empty"),
    long: asked.has("long"),
    restored: asked.has("restored"),
    lost: asked.has("lost"),
    conflict: asked.has("conflict"),
    broken: asked.has("broken"),
    foreign: asked.has("foreign"),
    near: asked.has("near"),
    odd: asked.has("odd"),
    skills: asked.has("big") ? 400 : 0,
    delay: asked.has("slow") ? 1000 : 0,
  };
  return new MemoryBackend(options);
}
