import { screen, waitFor } from "@testing-library/svelte";
import { afterEach, describe, expect, it } from "vitest";
import { shortcut } from "../src/state/keyboard";
import { editor, openWorkspace, state, type } from "./window";

const region = () => document.activeElement?.closest<HTMLElement>("[data-region]")?.dataset.region;

const pressed = (init: KeyboardEventInit, commandKey = false) =>
  shortcut(new KeyboardEvent("keydown", init), commandKey);

function resize(width: number) {
  Object.defineProperty(window, "innerWidth", { configurable: true, writable: true, value: width });
  window.dispatchEvent(new Event("resize"));
}
afterEach(() => resize(1280));

describe("shortcuts", () => {
  it("are named by their keys", () => {
    expect(pressed({ key: "s", ctrlKey: true })).toBe("Ctrl+S");
    expect(pressed({ key: "P", ctrlKey: true, shiftKey: true })).toBe("Ctrl+Shift+P");
    expect(pressed({ key: "F8", shiftKey: true })).toBe("Shift+F8");
    expect(pressed({ key: "?", shiftKey: true }), "Shift belongs to the character").toBe("?");
    expect(pressed({ key: "s", metaKey: true }, true)).toBe("Ctrl+S");
  });

  it("are left alone while an input method composes", () => {
    expect(pressed({ key: "s", ctrlKey: true, isComposing: true })).toBeNull();
    expect(pressed({ key: "s", ctrlKey: true, keyCode: 229 })).toBeNull();
  });

  it("? writes a question mark where text is written", async () => {
    const { user } = await openWorkspace();
    screen.getByTestId("max-tokens").focus();
    await user.keyboard("?");
    expect(screen.queryByTestId("shortcuts-panel")).not.toBeInTheDocument();
  });
});

describe("the keyboard", () => {
  it("walks the regions by F6 and back by Shift F6", async () => {
    const { user } = await openWorkspace();
    screen.getByTestId("nav-file-USER.md").focus();
    const walked = [];
    for (let step = 0; step < 4; step++) {
      await user.keyboard("{F6}");
      walked.push(region());
    }
    expect(walked).toEqual(["editor", "prompt", "budget", "nav"]);
    await user.keyboard("{Shift>}{F6}{/Shift}");
    expect(region()).toBe("budget");
  });

  it("reaches a page by F6 as it reaches the editor", async () => {
    const { user } = await openWorkspace();
    screen.getByTestId("nav-memory").focus();
    await user.keyboard("{Enter}");
    await screen.findByTestId("memory-summary");
    await user.keyboard("{F6}");
    await waitFor(() => expect(region()).toBe("editor"));
    await user.keyboard("{F6}");
    await waitFor(() => expect(region()).toBe("prompt"));
  });

  it("walks the files by arrows and opens one by Enter", async () => {
    const { user } = await openWorkspace();
    screen.getByTestId("nav-group-workspace").focus();
    await user.keyboard("{ArrowDown}");
    expect(screen.getByTestId("nav-file-AGENTS.md")).toHaveFocus();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("AGENTS.md"));
  });

  it("moves the split, and keeps it within its bounds", async () => {
    const { user } = await openWorkspace();
    const split = screen.getByTestId("split");
    split.focus();
    await user.keyboard("{End}");
    expect(split).toHaveAttribute("aria-valuenow", "62");
    await user.keyboard("{ArrowRight}");
    expect(split).toHaveAttribute("aria-valuenow", "62");
    await user.keyboard("{Home}{ArrowRight}");
    expect(split).toHaveAttribute("aria-valuenow", "40");
  });

  it("goes from finding to finding by F8, and round", async () => {
    const { user } = await openWorkspace();
    const lineOfCaret = () => editor().state.doc.lineAt(editor().state.selection.main.head).number;
    await user.keyboard("{F8}");
    expect(lineOfCaret()).toBe(4);
    await user.keyboard("{F8}");
    expect(lineOfCaret()).toBe(6);
    await user.keyboard("{F8}");
    expect(lineOfCaret()).toBe(4);
    await user.keyboard("{Shift>}{F8}{/Shift}");
    expect(lineOfCaret()).toBe(6);
  });

  it("pins a trace by P and lets go of it by P", async () => {
    const { user } = await openWorkspace();
    await user.keyboard("{Control>}{Shift>}p{/Shift}{/Control}");
    await user.keyboard("2{ArrowDown}p");
    expect(await screen.findByTestId("trace-card")).toHaveTextContent("pinned");
    await user.keyboard("p");
    await waitFor(() => expect(screen.getByTestId("trace-card")).not.toHaveTextContent("pinned"));
  });

  it("makes everything larger by Ctrl +, until there is room for one side, and as it was by Ctrl 0", async () => {
    const { user } = await openWorkspace();
    const { dataset } = document.documentElement;
    // 1,280 pixels at 130% are 984 of the page's own: below 1,001.
    await user.keyboard("{Control>}==={/Control}");
    await waitFor(() => expect(dataset.width).toBe("narrow"));
    await user.keyboard("{Control>}0{/Control}");
    await waitFor(() => expect(dataset.width).toBe("wide"));
  });

  it("copies the whole prompt by Ctrl Shift C", async () => {
    const { user, backend } = await openWorkspace();
    await user.keyboard("{Control>}{Shift>}c{/Shift}{/Control}");
    await waitFor(() => expect(backend.copied).toMatch(/^You are Miso/));
    expect(backend.copied, "line ends are those of the files").toContain("they/them\r\n");
  });

  it("says why a save does nothing", async () => {
    const { user } = await openWorkspace();
    await user.keyboard("{Control>}s{/Control}");
    await waitFor(() => expect(screen.getByTestId("live-polite")).toHaveTextContent("There is nothing to save."));
  });
});

describe("a narrow window", () => {
  it("shows one side at a time, and the files in menus", async () => {
    const { user } = await openWorkspace();
    resize(900);
    await user.click(await screen.findByTestId("side-prompt"));
    expect(screen.getByTestId("side-prompt")).toHaveAttribute("aria-selected", "true");
    await user.click(screen.getByTestId("rail-workspace"));
    await user.keyboard("{ArrowDown}{Enter}");
    await waitFor(() => expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("SOUL.md"));
    expect(screen.getByTestId("side-edit")).toHaveAttribute("aria-selected", "true");
  });

  it("keeps what was typed when the window becomes narrow", async () => {
    await openWorkspace();
    type("Kept ", 0);
    await waitFor(() => expect(state()).toBe("draft"));
    resize(900);
    await screen.findByTestId("side-edit");
    expect(editor().state.doc.line(1).text).toMatch(/^Kept /);
  });
});
