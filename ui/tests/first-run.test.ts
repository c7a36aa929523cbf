import { screen } from "@testing-library/svelte";
import { describe, expect, it, vi } from "vitest";
import { drawn, openWindow, violations } from "./window";

describe("first run", () => {
  it("shows what was found, with the reason on the row that cannot be opened", async () => {
    openWindow();
    const rows = await screen.findAllByTestId("found-row");
    expect(rows.map((row) => row.querySelector("b")?.textContent)).toEqual(["Miso", "Workshop trial", "Old desktop"]);
    expect(rows[0]).toHaveTextContent("6 files, 2 projects");
    expect(rows[1]).toHaveTextContent("No AGENTS.md");
    expect(screen.getByTestId("found-problem")).toHaveTextContent("permission denied");
  });

  it("says how many places were looked at", async () => {
    openWindow();
    expect(await screen.findByText("looked in 4 usual places, nothing was changed")).toBeInTheDocument();
  });

  it("does not open what cannot be opened", async () => {
    const { backend, user } = openWindow();
    const rows = await screen.findAllByTestId("found-row");
    await user.click(rows[2] as HTMLElement);
    expect(backend.calls).not.toContain("open");
  });

  it("opens the first workspace by Enter, because the primary button has the focus", async () => {
    const { user } = openWindow();
    await screen.findByTestId("open-primary");
    await user.keyboard("{Enter}");
    await drawn();
    expect(screen.getByTestId("workspace")).toHaveTextContent("Miso");
  });

  it("walks the rows by arrows, with one Tab stop", async () => {
    const { user } = openWindow();
    const rows = await screen.findAllByTestId("found-row");
    rows[0]?.focus();
    await user.keyboard("{ArrowDown}");
    expect(rows[1]).toHaveFocus();
    await user.keyboard("{End}");
    expect(screen.getByTestId("open-folder")).toHaveFocus();
    const stops = [...rows, screen.getByTestId("open-folder")].filter((row) => row.tabIndex === 0);
    expect(stops).toHaveLength(1);
  });

  it("opens another folder by Ctrl O, and nothing when the person thinks better of it", async () => {
    const { backend, user } = openWindow({ folder: null });
    await screen.findAllByTestId("found-row");
    await user.keyboard("{Control>}o{/Control}");
    expect(backend.calls).not.toContain("open");
  });

  it.each([
    ["/home/juniper/harbour", "project"],
    ["/home/juniper/harbour/.catbuddy/workspace", "workspace"],
    ["/home/juniper/.catbuddy", "workspace"],
  ])("opens %s as a %s", async (folder, kind) => {
    const { backend, user } = openWindow({ folder });
    const call = vi.spyOn(backend, "call");
    await screen.findAllByTestId("found-row");
    await user.keyboard("{Control>}o{/Control}");
    await drawn();
    expect(call).toHaveBeenCalledWith("open", { kind, path: folder });
  });

  it("keeps the other choices when one is refused", async () => {
    const { backend, user } = openWindow();
    await screen.findAllByTestId("found-row");
    backend.refuseNext("open", { code: "failed", message: "There is no room in memory.", context: {} });
    await user.click(screen.getByTestId("open-sample"));
    expect(await screen.findByText("There is no room in memory.")).toBeInTheDocument();
    await user.click(screen.getByTestId("open-sample"));
    await drawn();
  });

  it("puts the templates first when nothing was found", async () => {
    openWindow({ empty: true });
    const template = await screen.findByTestId("starter-quiet-helper");
    const other = screen.getByTestId("open-folder");
    expect(template.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    expect(screen.getByTestId("open-primary")).toHaveTextContent("Try the sample");
  });

  it("offers to try again when the start failed", async () => {
    const { backend, user } = openWindow({ delay: 5 });
    backend.refuseNext("boot", { code: "failed", message: "The settings cannot be read.", context: {} });
    await user.click(await screen.findByRole("button", { name: "Try again" }));
    expect(await screen.findAllByTestId("found-row")).toHaveLength(3);
  });

  it("has no accessibility violations", async () => {
    openWindow();
    await screen.findAllByTestId("found-row");
    expect(await violations()).toEqual([]);
  });
});
