/** How the person arranged the window. Remembered on this computer, never sent anywhere. */
const KEY = "cbw.layout";
export const SPLIT_MIN = 38;
export const SPLIT_MAX = 62;
const SPLIT_DEFAULT = 48.5;
export const SCALE_MIN = 80;
export const SCALE_MAX = 200;
const SCALE_STEP = 10;

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

interface Kept {
  split: number;
  scale: number;
  navCollapsed: boolean;
}

function read(): Partial<Kept> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof kept === "object" && kept !== null ? kept : {};
  } catch {
    // Damaged, or storage is off: the defaults are as good.
    return {};
  }
}

const numberOr = (value: unknown, fallback: number): number => (Number.isFinite(value) ? (value as number) : fallback);

export class LayoutChoice {
  /** Width of the editor, in percent of both panes. */
  split = $state(SPLIT_DEFAULT);
  /** Size of everything, in percent. */
  scale = $state(100);
  navCollapsed = $state(false);

  constructor() {
    const kept = read();
    this.split = clamp(numberOr(kept.split, SPLIT_DEFAULT), SPLIT_MIN, SPLIT_MAX);
    this.scale = clamp(numberOr(kept.scale, 100), SCALE_MIN, SCALE_MAX);
    this.navCollapsed = kept.navCollapsed === true;
  }

  setSplit(percent: number): void {
    this.split = clamp(Math.round(percent * 2) / 2, SPLIT_MIN, SPLIT_MAX);
    this.keep();
  }

  /** Makes everything larger (1), smaller (−1), or as it was (0). */
  zoom(direction: 1 | -1 | 0): void {
    this.scale = direction === 0 ? 100 : clamp(this.scale + direction * SCALE_STEP, SCALE_MIN, SCALE_MAX);
    this.keep();
  }

  toggleNav(): void {
    this.navCollapsed = !this.navCollapsed;
    this.keep();
  }

  private keep(): void {
    const { split, scale, navCollapsed } = this;
    try {
      localStorage.setItem(KEY, JSON.stringify({ split, scale, navCollapsed }));
    } catch {
      // Storage is off; the arrangement lasts as long as the window.
    }
  }
}
