import { screen, waitFor } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import { editor, lines, openWorkspace, state, type, USER_FILE } from "./window";

/** A draft, and then somebody else's text on disk. */
async function conflict() {
  const opened = await openWorkspace();
  type("Mine\n", 0);
  await waitFor(() => expect(state()).toBe("draft"));
  opened.backend.writeOutside(USER_FILE, "Theirs\n");
  await screen.findByTestId("conflict-bar");
  return opened;
}

describe("conflict", () => {
  it("keeps the draft, turns saving off and tells at once", async () => {
    const { user, backend } = await conflict();
    expect(editor().state.doc.line(1).text).toBe("Mine");
    expect(screen.getByTestId("live-assertive")).toHaveTextContent("USER.md changed on disk");
    await user.click(screen.getByTestId("save"));
    expect(backend.calls).not.toContain("save");
  });

  it("compares the draft with what is on disk", async () => {
    const { user } = await conflict();
    await user.keyboard("{Control>}3{/Control}");
    const diff = await screen.findByTestId("diff");
    await waitFor(() => expect(diff.querySelector(".cm-deletedChunk")).toHaveTextContent("Theirs"));
  });

  it("keeps mine: the draft can then be saved over the disk", async () => {
    const { user, backend } = await conflict();
    await user.click(screen.getByTestId("conflict-mine"));
    await waitFor(() => expect(state()).toBe("draft"));
    await user.click(screen.getByTestId("save"));
    await waitFor(() => expect(backend.disk(USER_FILE)?.startsWith("Mine\n")).toBe(true));
  });

  it("takes the disk: the editor and the prompt show it", async () => {
    const { user } = await conflict();
    await user.click(screen.getByTestId("conflict-disk"));
    await waitFor(() => expect(state()).toBe("saved"));
    expect(editor().state.doc.toString()).toBe("Theirs\n");
    await waitFor(() => expect(lines()).toContain("Theirs"));
  });

  it("says so when the file is gone", async () => {
    const { backend } = await openWorkspace();
    type("Mine\n", 0);
    await waitFor(() => expect(state()).toBe("draft"));
    backend.writeOutside(USER_FILE, null);
    expect(await screen.findByTestId("conflict-bar")).toHaveTextContent("was deleted on disk");
    expect(screen.queryByTestId("conflict-compare")).not.toBeInTheDocument();
  });
});

describe("an outside edit of a clean file", () => {
  it("appears by itself and keeps the caret", async () => {
    const { backend } = await openWorkspace();
    const text = editor().state.doc.toString();
    const caret = text.indexOf("## Habits");
    editor().dispatch({ selection: { anchor: caret } });
    backend.writeOutside(USER_FILE, `First.\n${text}`);
    await waitFor(() => expect(editor().state.doc.line(1).text).toBe("First."));
    expect(editor().state.selection.main.head).toBe(caret + "First.\n".length);
    expect(state()).toBe("saved");
    await waitFor(() => expect(lines()).toContain("First."));
  });

  it("shows a missing file as one that can be begun", async () => {
    const { backend, user } = await openWorkspace();
    backend.writeOutside(USER_FILE, null);
    await waitFor(() => expect(state()).toBe("missing"));
    expect(screen.getByTestId("missing-hint")).toHaveTextContent("No USER.md yet.");
    type("Hello\n", 0);
    await waitFor(() => expect(state()).toBe("draft"));
    await user.click(screen.getByTestId("save"));
    await waitFor(() => expect(backend.disk(USER_FILE)).toBe("Hello\n"));
  });

  it("catches up when an edit started from an old version", async () => {
    const { backend, user } = await openWorkspace();
    const text = backend.disk(USER_FILE) ?? "";
    // The text moves on without an event, as it does while one is under way.
    const changes = [{ from: 0, to: 0, insert: "Elsewhere\n" }];
    await backend.call("edit", { file: USER_FILE, version: 1, changes, preview: null });
    type("Here\n", 0);
    await user.keyboard("{Control>}s{/Control}");
    await waitFor(() => expect(backend.disk(USER_FILE)).toBe(`Here\n${text}`));
  });
});
