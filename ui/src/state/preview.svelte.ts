/**
 * The live preview. At most one request is under way; whatever happens meanwhile makes one more, with the newest
 * state, so that a fast typist never queues up previews.
 */
import {
  asApiError,
  type ApiError,
  type Backend,
  type Frame,
  type PreviewHead,
  type PreviewRequest,
} from "../backend/backend";
import { applyFrame, wholePrompt, type HeldSection } from "../prompt/held";
import { EMPTY_LAYOUT, layOut, type Layout } from "../prompt/layout";
import { painted, type Timing, type Timings } from "./timings";

/** What the person can choose for the preview alone. */
export type PreviewChoice = Pick<PreviewRequest, "channel" | "max_tokens">;

/** A preview that travels with an edit. */
export interface Ride {
  request: PreviewRequest;
  /** Takes what arrived: a preview, why there is none, or nothing because the edit did not arrive. */
  land(arrived: Frame<PreviewHead> | ApiError | null, timing: Timing | null): void;
}

export class Preview {
  /**
   * What is told of the prompt: its figures and findings. After an edit it comes a frame behind the text: figures stand
   * all over the window, and a browser paints the rectangle around all that changed.
   */
  head = $state.raw<PreviewHead | null>(null);
  held = $state.raw<ReadonlyMap<string, HeldSection>>(new Map());
  layout = $state.raw<Layout>(EMPTY_LAYOUT);
  error = $state.raw<ApiError | null>(null);
  /** True while what is shown is behind what was asked for. */
  stale = $state(false);

  /** What {@link held} and {@link layout} belong to. */
  private newest: PreviewHead | null = null;
  private wanted = false;
  private running: Promise<void> | null = null;
  private timing: Timing | null = null;

  constructor(
    private readonly backend: Backend,
    private readonly timings: Timings,
    private readonly choice: () => PreviewChoice,
  ) {}

  /** Asks for a preview of the newest state. Resolves when it is shown. */
  refresh(timing: Timing | null = null): Promise<void> {
    this.wanted = true;
    this.stale = true;
    if (timing) this.timing = timing;
    this.running ??= this.run();
    return this.running;
  }

  /** A place for the preview in an edit, when no other request is under way. Whoever takes it lands it. */
  ride(): Ride | null {
    if (this.running) return null;
    this.stale = true;
    let landed = (): void => undefined;
    this.running = new Promise<void>((resolve) => {
      landed = resolve;
    });
    return {
      request: this.request(),
      land: (arrived, timing) => {
        if (arrived && "head" in arrived) {
          if (this.take(arrived, timing)) this.error = null;
          else this.wanted = true;
        } else if (arrived) this.error = arrived;
        else this.wanted = true;
        // At once, so that the next edit finds a place again.
        if (this.wanted) void this.run().then(landed);
        else {
          this.stale = false;
          this.running = null;
          landed();
        }
      },
    };
  }

  /** Forgets everything: another workspace was opened. */
  clear(): void {
    this.newest = null;
    this.head = null;
    this.held = new Map();
    this.layout = EMPTY_LAYOUT;
    this.error = null;
    delete document.documentElement.dataset.ready;
  }

  /** The whole system prompt as text. */
  text(): string {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(wholePrompt(this.newest?.sections ?? [], this.held));
  }

  private async run(): Promise<void> {
    while (this.wanted) {
      this.wanted = false;
      const timing = this.timing;
      this.timing = null;
      try {
        await this.fetch(timing);
        this.error = null;
      } catch (thrown) {
        this.error = asApiError(thrown);
      }
    }
    this.stale = false;
    // In the same step as the last look at `wanted`: a request in between would be held for one that runs.
    this.running = null;
  }

  private request(): PreviewRequest {
    return {
      ...this.choice(),
      context: null,
      variant: null,
      model: null,
      held: this.newest?.serial ?? null,
    };
  }

  private async fetch(timing: Timing | null): Promise<void> {
    const request = this.request();
    if (this.take(await this.backend.call("preview", request), timing)) return;
    const whole = await this.backend.call("preview", { ...request, held: null });
    if (!this.take(whole, timing)) throw new Error("The preview arrived without its text.");
  }

  /** Shows a preview. False when it leaves out a text that is not held. */
  private take({ head, body }: Frame<PreviewHead>, timing: Timing | null): boolean {
    const held = applyFrame(this.held, head, body);
    if (!held) return false;
    this.timings.reach(timing, "previewed");
    this.held = held;
    this.layout = layOut(head, held);
    this.newest = head;
    if (!timing) this.head = head;
    this.timings.reach(timing, "applied");
    void painted().then(() => {
      this.timings.reach(timing, "painted");
      // Unless another has come, which tells its own figures, or the workspace was closed.
      if (this.newest !== head) return;
      this.head = head;
      if (timing) void painted().then(() => this.timings.reach(timing, "told"));
      const { dataset } = document.documentElement;
      if (dataset.ready !== "preview") dataset.ready = "preview";
    });
    return true;
  }
}
