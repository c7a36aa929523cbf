/** What was asked and found on the page, for as long as the window is open: a look at a file must not lose it. */
import type { CompareLogView, WhyView } from "../../../../backend/backend";
import type { Session } from "../../../../state/session.svelte";

class Kept {
  phrase = $state("");
  ignoreCase = $state(true);
  looseSpace = $state(true);
  found = $state.raw<WhyView | null>(null);
  tab = $state<"search" | "compare">("search");
  /** Not a state: it may have megabytes, and nothing is derived from it. */
  log = "";
  compared = $state.raw<CompareLogView | null>(null);
}

const kept = new WeakMap<Session, { workspace: string; kept: Kept }>();

/** Another workspace is asked anew. */
export function keptOf(session: Session): Kept {
  const workspace = session.workspace?.path ?? "";
  const held = kept.get(session);
  if (held?.workspace === workspace) return held.kept;
  const fresh = new Kept();
  kept.set(session, { workspace, kept: fresh });
  return fresh;
}
