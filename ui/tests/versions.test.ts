import { screen, waitFor } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import { editor, openWorkspace, state, type, USER_FILE, violations } from "./window";

const rows = () => screen.getAllByTestId("version-row");

async function openVersions() {
  const opened = await openWorkspace();
  opened.backend.calls.length = 0;
  await opened.user.click(screen.getByTestId("open-versions"));
  await screen.findAllByTestId("version-row");
  return opened;
}

describe("versions of a file", () => {
  it("are listed newest first, with what they were and how their size changed", async () => {
    await openVersions();
    expect(rows().map((row) => row.dataset.kind)).toEqual(["saved", "saved", "found"]);
    expect(rows()[0]).toHaveTextContent("now");
    expect(rows()[0]).toHaveTextContent("+");
    expect(rows()[2]).toHaveTextContent("Found on disk");
    expect(await violations(screen.getByTestId("versions"))).toEqual([]);
  });

  it("are opened from the palette, walked by arrows, compared and restored by keyboard alone", async () => {
    const { user, backend } = await openWorkspace();
    const before = editor().state.doc.toString();
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByTestId("palette-input"), "versions");
    await user.keyboard("{Enter}");
    await screen.findAllByTestId("version-row");
    rows()[0]?.focus();
    await user.keyboard("{ArrowDown}{Enter}");
    const diff = await screen.findByTestId("diff");
    expect(diff).toBeInTheDocument();
    screen.getByTestId("restore").focus();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(rows().length).toBe(4));
    const restored = backend.disk(USER_FILE) ?? "";
    expect(before.startsWith(restored) && restored.length < before.length).toBe(true);
    expect(state()).toBe("saved");
    expect(rows()[0]).toHaveTextContent("now");
  });

  it("are restored as an edit that can be undone", async () => {
    const { user } = await openVersions();
    await user.click(rows()[2] as HTMLElement);
    await user.click(await screen.findByTestId("restore"));
    await waitFor(() => expect(rows().length).toBe(4));
    await user.click(screen.getByTestId("view-source"));
    await screen.findByTestId("editor");
    expect(editor().state.doc.toString()).toContain("Juni V.");
    const { undo } = await import("@codemirror/commands");
    undo(editor());
    expect(editor().state.doc.toString()).not.toContain("Juni V.");
    await waitFor(() => expect(state()).toBe("draft"));
  });

  it("take unsaved edits in, after asking, before one is restored", async () => {
    const { user } = await openWorkspace();
    type("Unsaved\n", 0);
    await waitFor(() => expect(state()).toBe("draft"));
    await user.click(screen.getByTestId("open-versions"));
    await screen.findAllByTestId("version-row");
    await user.click(rows()[1] as HTMLElement);
    await user.click(await screen.findByTestId("restore"));
    expect(await screen.findByTestId("restore-ask")).toHaveTextContent("unsaved edits");
    expect(state()).toBe("draft");
    expect(await violations(screen.getByTestId("versions"))).toEqual([]);
    await user.click(screen.getByTestId("restore-yes"));
    await waitFor(() => expect(state()).toBe("saved"));
    await waitFor(() => expect(rows().map((row) => row.dataset.kind)).toContain("draft"));
  });

  it("that are damaged stay listed and say so", async () => {
    const { user, backend } = await openVersions();
    backend.damageVersion(USER_FILE, 2);
    await user.click(rows()[1] as HTMLElement);
    expect(await screen.findByTestId("version-damaged")).toHaveTextContent("cannot be read");
    expect(rows()[1]).toHaveTextContent("cannot be read");
    await user.click(rows()[2] as HTMLElement);
    expect(await screen.findByTestId("restore")).not.toHaveAttribute("aria-disabled", "true");
  });

  it("say that there are none yet", async () => {
    const { user } = await openWorkspace();
    await user.click(screen.getByTestId("nav-file-AGENTS.md"));
    await waitFor(() => expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("AGENTS.md"));
    await user.click(screen.getByTestId("open-versions"));
    expect(await screen.findByTestId("versions-empty")).toHaveTextContent("No versions of AGENTS.md yet");
  });

  it("say that they cannot be read, and can be asked for again", async () => {
    const { user, backend } = await openWorkspace();
    backend.refuseNext("versions", { code: "failed", message: "The history is locked.", context: {} });
    await user.click(screen.getByTestId("open-versions"));
    expect(await screen.findByTestId("versions-error")).toHaveTextContent("The history is locked.");
  });
});
