import { screen, waitFor } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import { editor, openWorkspace, state, type, USER_FILE, violations } from "./window";

describe("drafts of an earlier window", () => {
  it("are told of once, by name, and can be gone to and put away by keyboard alone", async () => {
    const { user } = await openWorkspace({ restored: true });
    const note = screen.getByTestId("restored-note");
    expect(note).toHaveTextContent("Unsaved edits from last time are back");
    expect(await violations()).toEqual([]);
    screen.getByTestId("restored-file").focus();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(editor().hasFocus).toBe(true));
    expect(editor().state.doc.line(1).text).toBe("From last time.");
    expect(state()).toBe("draft");
    screen.getByTestId("restored-close").focus();
    await user.keyboard("{Enter}");
    expect(screen.queryByTestId("restored-note")).not.toBeInTheDocument();
  });

  it("have differences to the text on disk, which the window never saw", async () => {
    const { user, backend } = await openWorkspace({ restored: true });
    await user.keyboard("{Control>}3{/Control}");
    const diff = await screen.findByTestId("diff");
    await waitFor(() => expect(diff.querySelector(".cm-changedLine")).toHaveTextContent("From last time."));
    expect(backend.calls).toContain("disk");
  });

  it("are forgotten by the note when they are saved", async () => {
    const { user } = await openWorkspace({ restored: true });
    await user.click(screen.getByTestId("save"));
    await waitFor(() => expect(state()).toBe("saved"));
    await waitFor(() => expect(screen.queryByTestId("restored-note")).not.toBeInTheDocument());
  });

  it("are not spoken of when there are none", async () => {
    await openWorkspace();
    expect(screen.queryByTestId("restored-note")).not.toBeInTheDocument();
  });
});

describe("two windows on one file", () => {
  it("tell of each other", async () => {
    const { backend } = await openWorkspace();
    expect(screen.queryByTestId("edited-elsewhere")).not.toBeInTheDocument();
    backend.editElsewhere(USER_FILE);
    const note = await screen.findByTestId("edited-elsewhere");
    expect(note).toHaveTextContent("unsaved edits in another window");
    expect(await violations(note)).toEqual([]);
  });
});

describe("a save that fails", () => {
  it.each([
    ["disk_full", "the disk is full", "Free some space"],
    ["no_permission", "takes no changes", "Change the permissions"],
    ["folder_gone", "its folder is gone", "Bring the folder back"],
    ["not_a_file", "a folder has this name now", "Rename the folder"],
    ["busy", "another program is saving", "in a moment"],
  ] as const)("by %s says what was kept and what to do, and can be tried again", async (problem, fact, act) => {
    const { backend, user } = await openWorkspace();
    type("Mine\n", 0);
    await waitFor(() => expect(state()).toBe("draft"));
    backend.failNextSave(USER_FILE, problem);
    await user.click(screen.getByTestId("save"));
    const note = await screen.findByTestId("file-problem");
    expect(note).toHaveTextContent(fact);
    expect(note).toHaveTextContent("you typed is kept");
    expect(note).toHaveTextContent(act);
    expect(state()).toBe("error");
    expect(editor().state.doc.line(1).text).toBe("Mine");
    expect(await violations(note)).toEqual([]);
    await user.click(screen.getByTestId("try-again"));
    await waitFor(() => expect(backend.disk(USER_FILE)).toMatch(/^Mine\n/));
  });

  it.each(["version_not_kept", "hard_linked", "outside"] as const)("by %s is made after consent", async (problem) => {
    const { backend, user } = await openWorkspace();
    type("Mine\n", 0);
    await waitFor(() => expect(state()).toBe("draft"));
    backend.failNextSave(USER_FILE, problem);
    await user.click(screen.getByTestId("save"));
    await user.click(await screen.findByTestId("save-agreed"));
    await waitFor(() => expect(state()).toBe("saved"));
    expect(backend.disk(USER_FILE)).toMatch(/^Mine\n/);
    expect(screen.queryByTestId("file-problem")).not.toBeInTheDocument();
  });

  it("leaves the text editable", async () => {
    const { backend, user } = await openWorkspace();
    type("Mine\n", 0);
    await waitFor(() => expect(state()).toBe("draft"));
    backend.failNextSave(USER_FILE, "disk_full");
    await user.click(screen.getByTestId("save"));
    await screen.findByTestId("file-problem");
    type("Still ", 0);
    await waitFor(() => expect(state()).toBe("draft"));
  });
});
