import { screen, waitFor, within } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import { FINDINGS } from "../src/backend/generated/findings";
import { findingTitle } from "../src/screens/workspace/editor/fixing";
import { editor, openWorkspace, state, USER_FILE, violations } from "./window";

const text = (): string => editor().state.doc.toString();
const TOOLS = { root: "workspace", path: "TOOLS.md" } as const;

describe("titles", () => {
  it("every finding has a short title of its own", () => {
    const titles = Object.keys(FINDINGS).map(findingTitle);
    expect(titles.filter((title) => title.length > 44)).toEqual([]);
    expect(new Set(titles).size).toBe(titles.length);
    expect(findingTitle("of-a-later-version")).toBe("of-a-later-version");
  });
});

describe("repairs", () => {
  it("a button on the note repairs as one step that can be undone", async () => {
    const { user, backend } = await openWorkspace();
    const before = text();
    expect(before).toContain("\r\n");
    await user.click(await screen.findByTestId("note-fix-use-lf"));
    await waitFor(() => expect(text()).not.toContain("\r"));
    expect(text()).toBe(before.replaceAll("\r\n", "\n"));
    await waitFor(() => expect(state()).toBe("draft"));
    await waitFor(() => expect(screen.queryByTestId("note-fix-use-lf")).not.toBeInTheDocument());
    editor().focus();
    await user.keyboard("{Control>}z{/Control}");
    expect(text()).toBe(before);
    expect(backend.calls.filter((name) => name === "fix")).toHaveLength(1);
  });

  it("works by keyboard alone: F8, Alt Enter, Enter; Esc goes back", async () => {
    const { user } = await openWorkspace();
    editor().focus();
    await user.keyboard("{F8}");
    await user.keyboard("{Alt>}{Enter}{/Alt}");
    const button = await screen.findByTestId("note-fix-use-lf");
    expect(button).toHaveFocus();
    await user.keyboard("{Escape}");
    expect(button).not.toHaveFocus();
    expect(document.activeElement?.closest(".cm-editor")).not.toBeNull();
    await user.keyboard("{Alt>}{Enter}{/Alt}");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(text()).not.toContain("\r"));
  });

  it("a finding about a text that moved on changes nothing, and says so", async () => {
    const { user, backend } = await openWorkspace();
    const before = text();
    backend.refuseNext("fix", { code: "stale", message: "The text changed meanwhile.", context: {} });
    await user.click(await screen.findByTestId("note-fix-use-lf"));
    expect(await screen.findByTestId("notice")).toHaveTextContent("The text changed meanwhile.");
    expect(text()).toBe(before);
  });

  it("the list below the text has the same buttons", async () => {
    const { user } = await openWorkspace();
    const list = await screen.findByTestId("findings");
    expect(list).toHaveTextContent("Mixed line ends");
    await user.click(within(list).getByTestId("fix-use-crlf"));
    await waitFor(() => expect(text()).not.toMatch(/(?<!\r)\n/));
    expect(await violations(list)).toEqual([]);
  });
});

describe("the panel", () => {
  async function openPanel(options = {}) {
    const opened = await openWorkspace(options);
    await opened.user.click(screen.getByTestId("nav-findings"));
    return { ...opened, panel: await screen.findByTestId("findings-panel") };
  }

  it("groups by file, filters by severity, and says what a kind is", async () => {
    const { user, panel } = await openPanel();
    expect(within(panel).getByRole("heading", { name: "About you / USER.md" })).toBeInTheDocument();
    expect(within(panel).getByTestId("finding-mixed-line-ends")).toBeInTheDocument();
    await user.click(within(panel).getByTestId("view-error"));
    expect(within(panel).queryByTestId("finding-mixed-line-ends")).not.toBeInTheDocument();
    const [about] = within(panel).getAllByRole("button", { name: "What is this?" });
    if (about) await user.click(about);
    expect(about).toHaveAttribute("aria-expanded", "true");
    expect(panel).toHaveTextContent("Fill or remove them.");
    expect(await violations(panel)).toEqual([]);
  });

  it("repairs without being left", async () => {
    const { user, panel } = await openPanel();
    await user.click(within(panel).getByTestId("fix-use-lf"));
    await waitFor(() => expect(within(panel).queryByTestId("finding-mixed-line-ends")).not.toBeInTheDocument());
    expect(panel).toBeInTheDocument();
  });

  it("asks before it renames, and takes it back", async () => {
    const { user, panel, backend } = await openPanel({ near: true });
    await user.click(within(panel).getByTestId("fix-rename"));
    const dialog = await screen.findByTestId("rename-dialog");
    expect(backend.calls).not.toContain("fix");
    expect(dialog).toHaveTextContent("Rename it to TOOLS.md");
    expect(await violations(dialog)).toEqual([]);
    await user.click(within(dialog).getByTestId("rename-do"));
    expect(await within(dialog).findByTestId("renamed")).toHaveTextContent("tools.md is now called TOOLS.md.");
    expect(backend.disk(TOOLS)).toContain("Ask first.");
    await user.click(within(dialog).getByTestId("rename-undo"));
    await waitFor(() => expect(screen.queryByTestId("rename-dialog")).not.toBeInTheDocument());
    expect(backend.calls).toContain("undo_rename");
  });
});

describe("another encoding", () => {
  it("shows the text in each encoding, converts the chosen one, and leaves the file until it is saved", async () => {
    const { user, backend } = await openWorkspace({ foreign: true });
    await user.click(await screen.findByTestId("nav-file-TOOLS.md"));
    await waitFor(() => expect(state()).toBe("read_only"));
    await user.click(await screen.findByTestId("convert"));
    const dialog = await screen.findByTestId("convert-dialog");
    const likely = await within(dialog).findByTestId("encoding-GBK");
    expect(likely).toBeChecked();
    expect(within(dialog).getByTestId("encoding-Shift_JIS")).toBeDisabled();
    expect(dialog).toHaveTextContent("先问，再删除。");
    expect(dialog).toHaveTextContent("offset 2");
    expect(await violations(dialog)).toEqual([]);
    await user.click(within(dialog).getByTestId("convert-do"));
    await waitFor(() => expect(screen.queryByTestId("convert-dialog")).not.toBeInTheDocument());
    await waitFor(() => expect(text()).toContain("先问，再删除。"));
    expect(state()).toBe("draft");
    expect(backend.calls).not.toContain("save");
    await user.click(screen.getByTestId("save"));
    await waitFor(() => expect(state()).toBe("saved"));
  });
});

it("the file of this test is the one that is open first", async () => {
  const { backend } = await openWorkspace();
  expect(backend.disk(USER_FILE)).toContain("\r\n");
});
