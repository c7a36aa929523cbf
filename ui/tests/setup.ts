/** What the simulated browser lacks: layout, dialogs, and a painted frame. */
import "@testing-library/jest-dom/vitest";
import { configure } from "@testing-library/svelte";
import { afterEach, vi } from "vitest";

/** The size that a list believes its viewport to have: room for the whole prompt of the sample. */
const VIEWPORT = { width: 800, height: 3000 };

class Observer implements ResizeObserver {
  constructor(private readonly callback: ResizeObserverCallback) {}
  observe(target: Element): void {
    const entry = { target, contentRect: { ...VIEWPORT, top: 0, left: 0 } } as unknown as ResizeObserverEntry;
    queueMicrotask(() => this.callback([entry], this));
  }
  unobserve(): void {}
  disconnect(): void {}
}
vi.stubGlobal("ResizeObserver", Observer);

// Lists look at the size of their viewport, and take no notice of what is not laid out.
Object.defineProperties(HTMLElement.prototype, {
  offsetHeight: { configurable: true, get: () => VIEWPORT.height },
  offsetWidth: { configurable: true, get: () => VIEWPORT.width },
});

// Nothing is drawn: axe asks for a canvas to look for icons made of letters.
HTMLCanvasElement.prototype.getContext = () => null;
Element.prototype.scrollTo = () => undefined;
Element.prototype.scrollIntoView = () => undefined;

// The editor measures text.
const rectangle = () => new DOMRect(0, 0, 0, 0);
Range.prototype.getBoundingClientRect = rectangle;
Range.prototype.getClientRects = () => [] as unknown as DOMRectList;

HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true;
  this.querySelector<HTMLElement>("input, select, textarea, button")?.focus();
};
HTMLDialogElement.prototype.close = function close() {
  this.open = false;
};

window.matchMedia = (query) =>
  ({
    matches: false,
    media: query,
    onchange: null,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    dispatchEvent: () => false,
  }) as unknown as MediaQueryList;

Object.defineProperty(window, "innerWidth", { configurable: true, writable: true, value: 1280 });

// A failure names what is missing; the whole page would bury it. On a busy machine a panel takes a while to be loaded.
configure({
  asyncUtilTimeout: 60_000,
  getElementError: (message) => new Error(message ?? "not found"),
});

afterEach(() => {
  localStorage.clear();
  delete document.documentElement.dataset.ready;
});
