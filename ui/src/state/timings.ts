/**
 * How long it takes from a key to the painted preview, for the end-to-end test of the real window.
 *
 * `window.__cbw.timings` holds the last 200 changes, oldest first. Each is a set of moments in milliseconds of
 * `performance.now()`: `key` (the event), `sent` (the edit left), `edited` (it was kept), `previewed` (the preview
 * arrived), `applied` (the page was changed), `painted` (the frame after it), `told` (the frame after the figures, which
 * come behind the text; missing when a newer preview told its own). The same moments are `performance.mark`s named
 * `cbw:<stage>`.
 */
export type Stage = "key" | "sent" | "edited" | "previewed" | "applied" | "painted" | "told";
export type Timing = Partial<Record<Stage, number>>;

declare global {
  interface Window {
    __cbw?: { timings: Timing[] };
  }
}

const KEPT = 200;

export class Timings {
  readonly timings: Timing[] = [];
  private lastKey: number | null = null;

  constructor() {
    window.__cbw = { timings: this.timings };
  }

  /** A key went down, or text came in. `at` is the event's own time stamp. */
  keyed(at: number): void {
    this.lastKey = at;
  }

  /** An edit leaves. */
  begin(): Timing {
    const sent = performance.now();
    performance.mark("cbw:sent");
    return { key: this.lastKey ?? sent, sent };
  }

  reach(timing: Timing | null, stage: Exclude<Stage, "key" | "sent">): void {
    if (!timing) return;
    timing[stage] = performance.now();
    performance.mark(`cbw:${stage}`);
    if (stage !== "painted") return;
    this.timings.push(timing);
    if (this.timings.length > KEPT) this.timings.shift();
    performance.clearMarks();
  }
}

/** Resolves after the browser has painted what is on the page now. */
export function painted(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve, 0));
  });
}
