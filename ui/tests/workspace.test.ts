import { screen, waitFor, within } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import { drawn, editor, lines, openWindow, openWorkspace, state, type, USER_FILE, violations } from "./window";

describe("workspace", () => {
  it("has no accessibility violations", async () => {
    await openWorkspace();
    expect(await violations()).toEqual([]);
  });

  it("shows an edit in the prompt and in the state of the file", async () => {
    await openWorkspace();
    expect(state()).toBe("saved");
    await editAndShow("Juni", "Juniper");
    expect(state()).toBe("draft");
    expect(screen.getByTestId("nav-file-USER.md").dataset.state).toBe("draft");
  });

  it("saves by Ctrl S", async () => {
    const { backend, user } = await openWorkspace();
    const before = backend.disk(USER_FILE) ?? "";
    type("X", 0);
    await waitFor(() => expect(state()).toBe("draft"));
    await user.keyboard("{Control>}s{/Control}");
    await waitFor(() => expect(state()).toBe("saved"));
    expect(backend.disk(USER_FILE)).toBe(`X${before}`);
  });

  it("sends what is typed meanwhile as the next edit, in order", async () => {
    const { backend, user } = await openWorkspace({ delay: 5 });
    for (const letter of "abcdefgh") type(letter, editor().state.doc.length);
    await user.keyboard("{Control>}s{/Control}");
    await waitFor(() => expect(backend.disk(USER_FILE)).toMatch(/abcdefgh$/));
    const edits = backend.calls.filter((name) => name === "edit").length;
    expect(edits, "eight letters of one turn travel together").toBeLessThan(8);
  });

  it("brings the preview along with each edit, in one trip", async () => {
    const { backend } = await openWorkspace();
    const before = backend.calls.length;
    type("Hello from one trip. ", 0);
    await waitFor(() => expect(screen.getByTestId("preview").textContent).toContain("Hello from one trip."));
    const since = backend.calls.slice(before);
    expect(since.filter((name) => name === "edit" || name === "preview")).toEqual(["edit"]);
  });

  it("writes nothing to the page for a key but the line it is in, and the figures a frame later", async () => {
    await openWorkspace();
    const at = editor().state.doc.toString().indexOf("- Name: Juniper");
    // The first edit makes the draft, which the page tells of.
    type("Y", at);
    await waitFor(() => expect(lines()).toContain("Y- Name: Juniper Vale"));
    await waitFor(() => expect(state()).toBe("draft"));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const bytes = () => document.querySelector(".bytes")?.textContent;
    const before = bytes();
    const written: { where: string; bytes: string | undefined }[] = [];
    const observer = new MutationObserver((records) => {
      for (const { target } of records) {
        const element = target instanceof Element ? target : target.parentElement;
        if (element?.closest("[data-testid=editor]")) continue;
        const where = element?.closest("[data-testid]");
        written.push({ where: (where?.querySelector(".text") ?? where)?.textContent ?? "?", bytes: bytes() });
      }
    });
    observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    type("X", at + 1);
    await waitFor(() => expect(lines()).toContain("YX- Name: Juniper Vale"));
    await waitFor(() => expect(bytes()).not.toBe(before));
    observer.disconnect();
    const early = written.filter((one) => one.bytes === before);
    expect(new Set(early.map(({ where }) => where))).toEqual(new Set(["YX- Name: Juniper Vale"]));
  });

  it("keeps line ends and characters that cannot be seen", async () => {
    const { backend, user } = await openWorkspace();
    expect(backend.disk(USER_FILE)).toContain("they/them\r\n");
    type("!", 0);
    await user.keyboard("{Control>}s{/Control}");
    await waitFor(() => expect(state()).toBe("saved"));
    expect(backend.disk(USER_FILE)).toContain("they/them\r\n");
    expect(editor().dom.querySelectorAll(".cm-special").length).toBeGreaterThan(0);
  });

  it("does not save the sample, and says why", async () => {
    const { user, backend } = openWindow();
    await user.click(await screen.findByTestId("open-sample"));
    await drawn();
    type("X", 0);
    await waitFor(() => expect(state()).toBe("draft"));
    await user.keyboard("{Control>}s{/Control}");
    expect(backend.calls).not.toContain("save");
    expect(screen.getByTestId("save")).toHaveAccessibleDescription("The sample lives in memory. Saving is off.");
  });

  it("keeps the text when a save fails, and saves it the next time", async () => {
    const { backend, user } = await openWorkspace();
    type("X", 0);
    await waitFor(() => expect(state()).toBe("draft"));
    backend.refuseNext("save", { code: "failed", message: "The disk is full. The draft is kept.", context: {} });
    await user.click(screen.getByTestId("save"));
    await waitFor(() => expect(state()).toBe("error"));
    expect(screen.getByTestId("live-assertive")).toHaveTextContent("The disk is full.");
    await user.click(screen.getByTestId("save"));
    await waitFor(() => expect(backend.disk(USER_FILE)?.startsWith("X")).toBe(true));
  });

  it("switches the channel by a tab and by Alt and its number", async () => {
    const { user } = await openWorkspace();
    const identity = () => lines().find((line) => line.startsWith("Answers"));
    expect(identity()).toContain("may be long");
    await user.click(screen.getByTestId("channel-telegram"));
    await waitFor(() => expect(identity()).toContain("three sentences"));
    await user.keyboard("{Alt>}1{/Alt}");
    await waitFor(() => expect(identity()).toContain("may be long"));
    expect(screen.getByTestId("channel-desktop")).toHaveAttribute("aria-selected", "true");
  });

  it("moves between channels by arrows", async () => {
    const { user } = await openWorkspace();
    screen.getByTestId("channel-desktop").focus();
    await user.keyboard("{ArrowRight}");
    expect(screen.getByTestId("channel-telegram")).toHaveFocus();
    await waitFor(() => expect(screen.getByTestId("channel-telegram")).toHaveAttribute("aria-selected", "true"));
  });

  it("says what was left out, why, and what that saves", async () => {
    await openWorkspace();
    const skipped = await screen.findByTestId("skipped-memory/global");
    expect(skipped).toHaveTextContent("MEMORY.md is still the template.");
    // 73 bytes of the template, at a quarter of a token each.
    expect(skipped).toHaveTextContent("saves 19");
    expect(screen.getByTestId("layer-3")).toHaveTextContent("Skipped, saves 19");
  });

  it("opens the source of a line by a click, at its bytes", async () => {
    const { user } = await openWorkspace();
    const line = screen.getAllByTestId("preview-line").find((one) => one.textContent?.includes("Keep file names"));
    await user.click(line as HTMLElement);
    await waitFor(() => expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("AGENTS.md"));
    const { doc, selection } = editor().state;
    await waitFor(() =>
      expect(editor().state.doc.lineAt(editor().state.selection.main.head).text).toContain("Keep file names"),
    );
    expect(doc.lines).toBeGreaterThan(selection.main.head > 0 ? 1 : 0);
  });

  it("marks the caret's line in the prompt", async () => {
    await openWorkspace();
    const at = editor().state.doc.toString().indexOf("- Name: Juniper");
    editor().dispatch({ selection: { anchor: at } });
    await waitFor(() => {
      const marked = screen.getAllByTestId("preview-line").filter((line) => line.classList.contains("marked"));
      expect(marked.map((line) => line.querySelector(".text")?.textContent)).toEqual(["- Name: Juniper Vale"]);
    });
  });

  it("walks the prompt by keys and opens a source by Enter", async () => {
    const { user } = await openWorkspace();
    await user.keyboard("{Control>}{Shift>}p{/Shift}{/Control}");
    const list = screen.getByTestId("preview");
    expect(list).toHaveFocus();
    await user.keyboard("2{ArrowDown}{ArrowDown}{ArrowDown}");
    expect(await screen.findByTestId("trace-card")).toHaveTextContent("AGENTS.md, line 1");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("AGENTS.md"));
  });

  it("gives things up for a budget and says what each saved", async () => {
    const { user } = await openWorkspace();
    await user.type(screen.getByTestId("max-tokens"), "300{Enter}");
    await user.tab();
    const given = await screen.findByTestId("budget-given");
    await user.click(given);
    const list = screen.getByTestId("budget-list");
    expect(within(list).getAllByRole("listitem").length).toBeGreaterThan(1);
    expect(list).toHaveTextContent(/saves \d+/);
  });

  it("says that the agent could not start", async () => {
    await openWorkspace({ broken: true });
    expect(await screen.findByTestId("target-error")).toHaveTextContent("The agent could not start");
    expect(screen.getByTestId("target-error")).toHaveTextContent("identity.hbs:12:4");
  });

  it("stays open while the window alone holds some of the text", async () => {
    const { backend, user } = await openWorkspace();
    backend.refuseNext("edit", { code: "failed", message: "The disk is full.", context: {} });
    type("X", 0);
    await waitFor(() => expect(state()).toBe("error"));
    await user.click(screen.getByTestId("nav-project-Recipe desk"));
    expect(await screen.findByTestId("notice")).toHaveTextContent("USER.md");
    expect(backend.calls.filter((name) => name === "open")).toHaveLength(1);
    expect(editor().state.doc.line(1).text).toMatch(/^X/);
  });

  it("stays open when another project cannot be opened, and says so", async () => {
    const { backend, user } = await openWorkspace();
    backend.refuseNext("open", { code: "not_found", message: "There is no folder.", context: {} });
    await user.click(screen.getByTestId("nav-project-Recipe desk"));
    expect(await screen.findByTestId("notice")).toHaveTextContent("There is no folder.");
    expect(lines().length).toBeGreaterThan(5);
    await user.click(within(screen.getByTestId("notice")).getByRole("button", { name: "Close" }));
    expect(screen.queryByTestId("notice")).not.toBeInTheDocument();
  });

  it("keeps the last preview when an assembly fails, and says so", async () => {
    const { backend, user } = await openWorkspace();
    backend.refuseNext("preview", { code: "failed", message: "A folder is gone.", context: {} });
    await user.click(screen.getByTestId("channel-telegram"));
    expect(await screen.findByTestId("preview-error")).toHaveTextContent("A folder is gone.");
    expect(lines().length).toBeGreaterThan(5);
  });
});

/** Replaces a text of the open file and waits until the prompt shows it. */
async function editAndShow(before: string, after: string) {
  const from = editor().state.doc.toString().indexOf(`as: ${before}`) + 4;
  editor().dispatch({
    changes: { from, to: from + before.length, insert: after },
    selection: { anchor: from },
  });
  await waitFor(() => expect(lines()).toContain(`- Address as: ${after}`));
}
