/**
 * One Tab stop for a group of controls; arrows, Home and End move inside it. A Svelte action for tab lists, segmented
 * controls, lists and menus.
 */
export interface RovingOptions {
  orientation: "horizontal" | "vertical";
  /** Which elements take part. */
  items: string;
  /** Picks an item as soon as the arrows reach it, as tabs do. */
  follow?: boolean;
}

export function roving(node: HTMLElement, options: RovingOptions) {
  let current = options;
  const items = () =>
    [...node.querySelectorAll<HTMLElement>(current.items)].filter(
      (item) => item.getClientRects().length > 0 || !laidOut(),
    );
  // In a page without layout (tests) nothing has rectangles, and everything counts.
  const laidOut = () => node.getClientRects().length > 0;

  function settle(active?: HTMLElement) {
    const all = [...node.querySelectorAll<HTMLElement>(current.items)];
    const chosen =
      active ??
      all.find((item) => item === document.activeElement) ??
      all.find((item) =>
        item.matches('[aria-selected="true"], [aria-current]:not([aria-current="false"]), [aria-checked="true"]'),
      ) ??
      items()[0];
    for (const item of all) item.tabIndex = item === chosen ? 0 : -1;
  }

  function step(event: KeyboardEvent): number | null {
    const [back, on] = current.orientation === "horizontal" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    if (event.key === back) return -1;
    if (event.key === on) return 1;
    return null;
  }

  function onkeydown(event: KeyboardEvent) {
    if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    const all = items();
    const at = all.indexOf(event.target as HTMLElement);
    if (at < 0) return;
    const by = step(event);
    let next: HTMLElement | undefined;
    if (event.key === "Home") next = all[0];
    else if (event.key === "End") next = all.at(-1);
    else if (by !== null) next = all[(at + by + all.length) % all.length];
    if (!next) return;
    event.preventDefault();
    settle(next);
    next.focus();
    if (current.follow) next.click();
  }

  function onfocusin(event: FocusEvent) {
    const item = (event.target as HTMLElement).closest<HTMLElement>(current.items);
    if (item) settle(item);
  }

  node.addEventListener("keydown", onkeydown);
  node.addEventListener("focusin", onfocusin);
  const watcher = new MutationObserver(() => settle());
  watcher.observe(node, {
    childList: true,
    subtree: true,
    attributeFilter: ["aria-selected", "aria-current", "aria-checked"],
  });
  settle();

  return {
    update(next: RovingOptions) {
      current = next;
      settle();
    },
    destroy() {
      watcher.disconnect();
      node.removeEventListener("keydown", onkeydown);
      node.removeEventListener("focusin", onfocusin);
    },
  };
}
