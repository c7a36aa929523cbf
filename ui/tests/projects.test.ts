/** Projects: order, names, problems, two layouts, and the switch of the global profile; by keyboard alone. */
import { screen, waitFor, within } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import { openWorkspace, violations } from "./window";

async function openProjects() {
  const opened = await openWorkspace();
  await opened.user.click(screen.getByTestId("nav-projects"));
  await screen.findByTestId("project-/mnt/attic");
  return opened;
}

const names = (): string[] => [...document.querySelectorAll("[data-project] b")].map((one) => one.textContent ?? "");
const row = (path: string) => within(screen.getByTestId(`project-${path}`));
const focused = (): string | null => document.activeElement?.getAttribute("data-project") ?? null;

describe("projects", () => {
  it("are moved by Alt and the arrows, and the focus goes along", async () => {
    const { user } = await openProjects();
    expect(names()).toEqual(["Harbour library", "Recipe desk", "Kiln", "Attic"]);
    document.querySelector<HTMLElement>("[data-project='/home/juniper/harbour']")?.focus();
    await user.keyboard("{ArrowDown}");
    expect(focused()).toBe("/home/juniper/recipes");
    await user.keyboard("{Alt>}{ArrowUp}{/Alt}");
    await waitFor(() => expect(names()[0]).toBe("Recipe desk"));
    await waitFor(() => expect(focused()).toBe("/home/juniper/recipes"));
    await user.keyboard("{Alt>}{ArrowUp}{/Alt}");
    expect(names()[0]).toBe("Recipe desk");
    await user.click(row("/home/juniper/kiln").getByTestId("project-down"));
    await waitFor(() => expect(names()).toEqual(["Recipe desk", "Harbour library", "Attic", "Kiln"]));
    expect(await violations(screen.getByTestId("page-projects"))).toEqual([]);
  });

  it("are taken off the list and put back where they were", async () => {
    const { user } = await openProjects();
    const button = row("/home/juniper/recipes").getByTestId("project-remove");
    button.focus();
    await user.keyboard("{Enter}");
    const undo = await screen.findByTestId("project-undo");
    expect(names()).toEqual(["Harbour library", "Kiln", "Attic"]);
    await waitFor(() => expect(undo).toHaveFocus());
    await user.keyboard("{Enter}");
    await waitFor(() => expect(names()).toEqual(["Harbour library", "Recipe desk", "Kiln", "Attic"]));
    expect(screen.queryByTestId("project-undo")).toBeNull();
  });

  it("are added by the path of their folder, and a wrong one says why", async () => {
    const { user } = await openProjects();
    const field = screen.getByTestId("project-path");
    await user.type(field, "loom{Enter}");
    expect(field).toHaveAccessibleDescription("Type the whole path, from the first / on. Nothing was added.");
    expect(names()).toHaveLength(4);
    await user.clear(field);
    await user.type(field, "/home/juniper/loom{Enter}");
    await waitFor(() => expect(focused()).toBe("/home/juniper/loom"));
    expect(field).toHaveValue("");
    expect(field).not.toHaveAccessibleDescription();
  });

  it("take a name, and a blank one is the folder's", async () => {
    const { user } = await openProjects();
    await user.click(row("/home/juniper/kiln").getByTestId("project-rename"));
    const field = await screen.findByTestId("project-name");
    await waitFor(() => expect(field).toHaveFocus());
    await user.clear(field);
    await user.type(field, "窯{Enter}");
    await waitFor(() => expect(names()[2]).toBe("窯"));
    await user.click(row("/home/juniper/kiln").getByTestId("project-rename"));
    await user.clear(await screen.findByTestId("project-name"));
    await user.keyboard("{Enter}");
    await waitFor(() => expect(names()[2]).toBe("kiln"));
  });

  it("say what is wrong, and offer to make missing files", async () => {
    const { user, backend } = await openProjects();
    expect(row("/mnt/attic").getByText(/connect the drive/)).toBeInTheDocument();
    await user.click(screen.getByTestId("project-make-files"));
    await waitFor(() => expect(backend.calls).toContain("make_files"));
    await waitFor(() => expect(screen.queryByTestId("project-make-files")).toBeNull());
  });

  it("with files in both folders are asked about once, and never merged", async () => {
    const { user, backend } = await openProjects();
    document.querySelector<HTMLElement>("[data-project='/home/juniper/recipes']")?.focus();
    await user.keyboard("{Enter}");
    const chooser = await screen.findByTestId("layout-chooser");
    await within(chooser).findByText("AGENTS.md, SOUL.md");
    expect(await violations(chooser)).toEqual([]);
    await user.click(within(chooser).getByTestId("layout-inner"));
    await waitFor(() => expect(screen.queryByTestId("layout-chooser")).toBeNull());
    await waitFor(() => expect(backend.calls.filter((call) => call === "open")).toHaveLength(3));
  });

  it("tell why the list could not be changed, and stay as they are", async () => {
    const { user, backend } = await openProjects();
    backend.refuseNext("change_projects", { code: "failed", message: "The list cannot be written.", context: {} });
    await user.click(row("/home/juniper/kiln").getByTestId("project-up"));
    expect(await screen.findByText("The list cannot be written.")).toBeInTheDocument();
    expect(names()[2]).toBe("Kiln");
  });

  it("read the global profile until it is switched off, and the preview follows", async () => {
    const { user, backend } = await openProjects();
    const box = row("/home/juniper/harbour").getByRole("checkbox");
    expect(box).toBeChecked();
    box.focus();
    const before = backend.calls.filter((call) => call === "preview").length;
    await user.keyboard(" ");
    await waitFor(() => expect(box).not.toBeChecked());
    await waitFor(() => expect(backend.calls.filter((call) => call === "preview").length).toBeGreaterThan(before));
  });
});

it("a workspace opens where it was left", async () => {
  const { user, backend } = await openWorkspace();
  await user.click(screen.getByTestId("nav-file-SOUL.md"));
  await user.click(screen.getByTestId("nav-projects"));
  const last = { file: { root: "workspace", path: "SOUL.md" }, page: "projects" };
  await waitFor(async () => expect((await backend.call("workspace", {})).last_seen).toMatchObject(last));
});
