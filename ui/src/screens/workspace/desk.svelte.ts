/** How the workspace screen stands: which view, which panel, and who can take the focus. */
import { createContext, tick } from "svelte";
import type { FindingView, LastSeen } from "../../backend/backend";
import type { LayerName } from "../../prompt/layout";

export type EditorView = "form" | "source" | "diff" | "merge" | "versions";
/** What the left side shows: a file, or a page about many of them. */
export type Page = "file" | "skills" | "memory" | "why" | "projects" | "settings";
export type Panel = "context" | "fingerprint" | "history" | "settings" | "findings" | "shortcuts";

const PAGES: ReadonlySet<string> = new Set<Page>(["file", "skills", "memory", "why", "projects", "settings"]);
const VIEWS: ReadonlySet<string> = new Set<EditorView>(["form", "source", "diff"]);

export class Desk {
  page = $state<Page>("file");
  /** What the person wants to see; a file without a form shows its source. */
  view = $state<EditorView>("form");
  /** Which side is shown when there is room for one. */
  side = $state<"edit" | "prompt">("edit");
  panel = $state<Panel | null>(null);
  palette = $state(false);
  /** A repair that asks first: a rename, or a conversion. */
  fixing = $state.raw<{ finding: FindingView; action: string } | null>(null);

  /** Parts of the screen that can be asked to do something; each sets its own while it is there. */
  editor: {
    focus(): void;
    finding(direction: 1 | -1): void;
    difference(direction: 1 | -1): void;
    /** Moves the focus to the repair of the finding at the caret. */
    fix?(): void;
  } | null = null;
  prompt: { focus(): void; showLayer(layer: LayerName): void; showBlock(key: string): void } | null = null;

  /** As the workspace was left the last time. */
  constructor(seen: Pick<LastSeen, "page" | "view">) {
    if (seen.page !== null && PAGES.has(seen.page)) this.page = seen.page as Page;
    if (seen.view !== null && VIEWS.has(seen.view)) this.view = seen.view as EditorView;
  }

  focusEditor(): void {
    this.side = "edit";
    // What was out of sight takes no focus until it is drawn. A page takes it itself, and Tab goes on into it.
    void tick().then(() => {
      if (this.editor) this.editor.focus();
      else document.querySelector<HTMLElement>("[data-page]")?.focus();
    });
  }

  focusPrompt(): void {
    this.side = "prompt";
    void tick().then(() => this.prompt?.focus());
  }

  show(view: EditorView): void {
    this.page = "file";
    this.view = view;
    this.side = "edit";
  }

  /** Shows a page in the place of the editor. */
  turnTo(page: Page): void {
    this.page = page;
    this.side = "edit";
  }

  /** The settings: a page of the workspace, a panel where none is open. */
  showSettings(inWorkspace: boolean): void {
    if (!inWorkspace) this.panel = "settings";
    else {
      this.turnTo("settings");
      this.focusEditor();
    }
  }
}

export const [getDesk, setDesk] = createContext<Desk>();
