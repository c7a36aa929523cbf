/**
 * What a control shows while its value travels: the person's own text as long as it is being written, the file's as
 * soon as somebody else changed it, and when the control is left.
 */
import { untrack } from "svelte";
import type { Form } from "../../../../state/form.svelte";

export class Follow {
  text = $state("");
  private focused = false;
  private composing = false;

  /** `value` is what the file says; `send` hands a new value on. */
  constructor(
    form: () => Form,
    value: () => string,
    private readonly send: (text: string) => void,
  ) {
    this.text = untrack(value);
    let foreign = untrack(() => form().foreign);
    $effect(() => {
      const said = value();
      const now = form().foreign;
      const idle = !form().busy;
      untrack(() => {
        // Half-made text is the input method's; what comes of it is newer than what came meanwhile.
        if (!this.composing && (now !== foreign || (!this.focused && idle))) this.text = said;
        foreign = now;
      });
    });
    this.reread = () => {
      if (!this.composing) this.text = value();
    };
    this.settle = () => {
      this.focused = false;
      if (!form().busy) this.text = value();
    };
  }

  /** Shows what the file says, also while the control has the focus. */
  readonly reread: () => void;
  private readonly settle: () => void;

  readonly onfocus = (): void => {
    this.focused = true;
  };

  readonly onblur = (): void => this.settle();

  readonly oncompositionstart = (): void => {
    this.composing = true;
  };

  readonly oncompositionend = (event: CompositionEvent): void => {
    this.composing = false;
    this.take(event.currentTarget);
  };

  readonly oninput = (event: Event): void => this.take(event.currentTarget);

  /** An input method is at work: its keys and its half-made text are its own. */
  get isComposing(): boolean {
    return this.composing;
  }

  private take(target: EventTarget | null): void {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
    this.text = target.value;
    if (!this.composing) this.send(this.text);
  }
}
