/**
 * What a screen reader is told. One polite region for tokens and the state of saving, at most one message every two
 * seconds and only the newest; one assertive region, for a conflict and a failed save alone.
 */
const POLITE_PAUSE_MS = 2000;

export class Announcer {
  polite = $state("");
  assertive = $state("");
  private timer: ReturnType<typeof setTimeout> | null = null;

  /** Says it after two seconds without anything newer. */
  say(message: string): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.polite = message;
      this.timer = null;
    }, POLITE_PAUSE_MS);
  }

  alarm(message: string): void {
    this.assertive = message;
  }

  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
  }
}
