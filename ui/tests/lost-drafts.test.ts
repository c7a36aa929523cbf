import { screen, waitFor } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import { mib } from "../src/messages/format";
import { openWindow, openWorkspace, violations } from "./window";

describe("drafts of folders that are not here", () => {
  it("are told of, read, copied and thrown away after confirmation, by keyboard alone", async () => {
    const { user, backend } = await openWorkspace({ lost: true });
    const note = await screen.findByTestId("lost-drafts");
    expect(note).toHaveTextContent("Unsaved edits of 2 files in folders that are not here are kept");
    expect(await violations(note)).toEqual([]);

    const [gone] = screen.getAllByTestId("lost-draft");
    gone?.focus();
    await user.keyboard("{Enter}");
    const dialog = await screen.findByTestId("lost-dialog");
    expect(dialog).toHaveTextContent("/mnt/stick/bakery/.catbuddy");
    expect(dialog).toHaveTextContent("This folder is gone");
    expect(screen.getByTestId("lost-text")).toHaveValue("Bakes at four.\n");
    expect(await violations(dialog)).toEqual([]);

    screen.getByTestId("lost-copy").focus();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(backend.calls).toContain("lost_draft"));

    screen.getByTestId("lost-discard").focus();
    await user.keyboard("{Enter}");
    expect(screen.getByTestId("lost-ask")).toHaveTextContent("Throw away the unsaved edits of SOUL.md?");
    expect(screen.queryByTestId("lost-discard")).not.toBeInTheDocument();
    await waitFor(() => expect(screen.getByTestId("lost-discard-no")).toHaveFocus());
    await user.keyboard("{Enter}");
    expect(screen.queryByTestId("lost-ask")).not.toBeInTheDocument();
    expect(backend.calls).not.toContain("discard_lost_draft");

    screen.getByTestId("lost-discard").focus();
    await user.keyboard("{Enter}");
    screen.getByTestId("lost-discard-yes").focus();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(screen.queryByTestId("lost-dialog")).not.toBeInTheDocument());
    await waitFor(() => expect(screen.getAllByTestId("lost-draft").map((one) => one.textContent)).toEqual(["USER.md"]));
  });

  it("are told of before anything is open, too", async () => {
    openWindow({ lost: true });
    expect(await screen.findByTestId("lost-drafts")).toBeInTheDocument();
  });

  it("are not spoken of when there are none", async () => {
    await openWorkspace();
    expect(screen.queryByTestId("lost-drafts")).not.toBeInTheDocument();
  });
});

describe("limits of the history", () => {
  it("are told in MiB, and a little is never nothing", () => {
    const sizes = { 0: "0 MiB", 1: "< 0.1 MiB", 16_384: "< 0.1 MiB", 1_572_864: "1.5 MiB", 10_485_760: "10 MiB" };
    expect(Object.keys(sizes).map((bytes) => mib(Number(bytes)))).toEqual(Object.values(sizes));
    expect(mib(31_981_568)).toBe("31 MiB"); // 30.5
  });

  it("say what each kind takes, and ask before they remove something", async () => {
    const { user, backend } = await openWorkspace();
    await user.keyboard("{Control>},{/Control}");
    const sizes = await screen.findByTestId("history-sizes");
    expect(sizes).toHaveTextContent(/Assemblies\s*1,204 · 30 MiB/);
    expect(sizes).toHaveTextContent(/Versions of files\s*87 · 14 MiB/);
    expect(sizes).toHaveTextContent(/Drafts\s*2 · < 0.1 MiB/);

    await user.type(screen.getByTestId("settings-history-days"), "30{Tab}");
    const asked = await screen.findByTestId("history-goes");
    expect(asked).toHaveTextContent(/assemblies \d+, versions 0/);
    expect(await violations(asked)).toEqual([]);
    expect(backend.calls).not.toContain("save_settings");
    await user.click(screen.getByTestId("history-goes-no"));
    expect(screen.queryByTestId("history-goes")).not.toBeInTheDocument();
    expect(screen.getByTestId("settings-history-days")).toHaveValue("");

    await user.type(screen.getByTestId("settings-history-days"), "30{Tab}");
    await user.click(await screen.findByTestId("history-goes-yes"));
    await waitFor(() => expect(backend.calls).toContain("save_settings"));
    expect(screen.getByTestId("settings-history-days")).toHaveValue("30");
  });

  it("are set without a question when nothing goes", async () => {
    const { user, backend } = await openWorkspace();
    await user.keyboard("{Control>},{/Control}");
    await user.type(await screen.findByTestId("settings-history-mib"), "200{Tab}");
    await waitFor(() => expect(backend.calls).toContain("save_settings"));
    expect(screen.queryByTestId("history-goes")).not.toBeInTheDocument();
  });
});
