/** The skills page by keyboard alone: what is told of each, and what can be done with them. */
import { screen, waitFor, within } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import type { MemoryOptions } from "../src/backend/memory";
import { openWorkspace, violations } from "./window";

async function openSkills(options: MemoryOptions = {}) {
  const opened = await openWorkspace(options);
  screen.getByTestId("nav-skills").focus();
  await opened.user.keyboard("{Enter}");
  const list = await screen.findByTestId("skills-list");
  await waitFor(() => expect(shown()).not.toEqual([]));
  list.focus();
  return { ...opened, list };
}

// Without a layout the rows count as hidden, so they are not found by their role.
const rows = (): HTMLElement[] => [...screen.getByTestId("skills-list").querySelectorAll<HTMLElement>("[role=option]")];
const nameOf = (row: HTMLElement | undefined): string => row?.querySelector("b")?.textContent ?? "";
const shown = (): string[] => rows().map(nameOf);
const picked = () => rows().find((row) => row.getAttribute("aria-selected") === "true");
const chosen = (): string => nameOf(picked());
const details = () => within(screen.getByTestId("skill-details"));

describe("the list of skills", () => {
  it("tells how many are found and loaded, and what becomes of each", async () => {
    await openSkills({ odd: true });
    expect(screen.getByTestId("skills-counts")).toHaveTextContent("7 found, 6 loaded");
    expect(screen.getByTestId("skill-workspace/calendar").dataset.state).toBe("always");
    expect(screen.getByTestId("skill-workspace/tidy-up").dataset.state).toBe("on_demand");
    expect(screen.getByTestId("skill-workspace/gone-away").dataset.state).toBe("broken");
    expect(screen.getByText(/which are no skills: drafts/)).toBeInTheDocument();
    expect(await violations(screen.getByTestId("page-skills"))).toEqual([]);
  });

  it("is walked with the keys, searched and filtered", async () => {
    const { user, list } = await openSkills({ odd: true });
    const names = shown();
    await user.keyboard("{ArrowDown}");
    expect(chosen()).toBe(names[1]);
    await user.keyboard("{End}");
    expect(chosen()).toBe(names.at(-1));
    await user.keyboard("{Home}{ArrowUp}");
    expect(chosen()).toBe(names[0]);
    expect(list.getAttribute("aria-activedescendant")).toBe(picked()?.id);

    screen.getByTestId("skills-search").focus();
    await user.keyboard("rail");
    await waitFor(() => expect(shown()).toEqual(["plan-trip"]));
    await user.keyboard("xyz");
    expect(await screen.findByTestId("skills-no-match")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Show all" }));
    await user.selectOptions(await screen.findByTestId("skills-filter"), "broken");
    await waitFor(() => expect(shown()).toEqual(["gone-away"]));
    expect(details().getByTestId("skill-link")).toHaveTextContent("../../old/gone-away It leads nowhere");
  });

  it("shows what both kinds of reader see, and where they disagree", async () => {
    const { user } = await openSkills({ odd: true });
    screen.getByTestId("skills-search").focus();
    await user.keyboard("plan-trip");
    await waitFor(() => expect(screen.getByTestId("skill-seen-agent")).toHaveTextContent("Plan: rail, bus"));
    expect(screen.getByTestId("skill-seen-yaml")).toHaveTextContent("Nothing: they drop the skill");
    expect(screen.getByTestId("skill-disagree")).toHaveTextContent("line 3, column 18");
    expect(screen.getByTestId("skill-lost")).toHaveTextContent("name, description, license");
    await user.clear(screen.getByTestId("skills-search"));
    await user.keyboard("odd");
    await waitFor(() => expect(screen.getByTestId("skill-seen-agent")).toHaveTextContent(">"));
    expect(screen.getByTestId("skill-seen-yaml")).toHaveTextContent("Two lines");
    expect(screen.getByTestId("skill-problems").children).toHaveLength(2);
    expect(await violations(screen.getByTestId("page-skills"))).toEqual([]);
  });

  it("opens the file of a skill by Enter", async () => {
    const { user } = await openSkills();
    await user.keyboard("{ArrowDown}{ArrowDown}");
    const name = chosen();
    await user.keyboard("{Enter}");
    await screen.findByTestId("editor");
    await waitFor(() => expect(document.title + document.body.textContent).toContain(`skills/${name}/SKILL.md`));
  });
});

describe("a skill", () => {
  it("is made from a form that checks the name while it is typed", async () => {
    const { user, backend } = await openSkills();
    screen.getByTestId("skill-new").focus();
    await user.keyboard("{Enter}");
    const name = await screen.findByTestId("skill-name");
    await waitFor(() => expect(name).toHaveFocus());
    for (const [typed, said] of [
      ["Tide", /Only small letters/],
      ["-tide", /beginning or the end/],
      ["ti--de", /Two hyphens/],
      ["a".repeat(65), /this one has 65/],
      ["calendar", /has a skill of this name/],
    ] as const) {
      await user.clear(name);
      await user.type(name, typed);
      expect(name).toHaveAccessibleDescription(said);
    }
    await user.clear(name);
    await user.type(name, "tide{Enter}");
    expect(backend.calls).not.toContain("skill_create");
    const description = screen.getByTestId("skill-description");
    await waitFor(() => expect(description).toHaveFocus());
    expect(description).toHaveAccessibleDescription(/Without a description/);
    expect(await violations(screen.getByTestId("skill-dialog"))).toEqual([]);
    await user.keyboard("Read a tide table");
    screen.getByTestId("skill-make").focus();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(chosen()).toBe("tide"));
    expect(backend.disk({ root: "workspace", path: "skills/tide/SKILL.md" })).toMatch(
      /^---\nname: tide\ndescription: Read a tide table\n---\n/,
    );
    await waitFor(() => expect(screen.getByTestId("skills-list")).toHaveFocus());
  });

  it("is copied under the next free name by F2", async () => {
    const { user, backend } = await openSkills();
    await user.click(screen.getByTestId("skill-workspace/tidy-up"));
    await user.keyboard("{F2}");
    expect(await screen.findByTestId("skill-name")).toHaveValue("tidy-up-2");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(chosen()).toBe("tidy-up-2"));
    const copy = backend.disk({ root: "workspace", path: "skills/tidy-up-2/SKILL.md" });
    expect(copy).toMatch(/^---\nname: tidy-up-2\ndescription: Sort a folder/);
  });

  it("is deleted by Delete, and Undo has the focus", async () => {
    const { user, backend } = await openSkills();
    const file = { root: "workspace", path: "skills/tidy-up/SKILL.md" } as const;
    const before = backend.disk(file);
    await user.click(screen.getByTestId("skill-workspace/tidy-up"));
    await user.keyboard("{Delete}");
    const undo = await screen.findByTestId("skill-undo");
    await waitFor(() => expect(undo).toHaveFocus());
    expect(shown()).not.toContain("tidy-up");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(chosen()).toBe("tidy-up"));
    expect(backend.disk(file)).toBe(before);
    await waitFor(() => expect(screen.getByTestId("skills-list")).toHaveFocus());
    expect(screen.queryByTestId("skill-undo")).toBeNull();
  });

  it("is disabled and enabled by Space, and the preview follows", async () => {
    const { user, backend } = await openSkills();
    await user.click(screen.getByTestId("skill-workspace/web-notes"));
    const previews = backend.calls.filter((call) => call === "preview").length;
    await user.keyboard(" ");
    const row = () => screen.getByTestId("skill-workspace/web-notes").dataset.state;
    await waitFor(() => expect(row()).toBe("disabled"));
    expect(backend.calls.filter((call) => call === "preview").length).toBeGreaterThan(previews);
    expect(chosen()).toBe("web-notes");
    await user.keyboard(" ");
    await waitFor(() => expect(row()).toBe("on_demand"));
  });

  it("that is always on stays on, and one of the app is copied to be changed", async () => {
    const { user, backend } = await openSkills();
    await user.click(screen.getByTestId("skill-builtin/memory"));
    await user.keyboard(" {Delete}");
    expect(backend.calls).not.toContain("skill_switch");
    expect(backend.calls).not.toContain("skill_delete");
    expect(screen.getByTestId("skill-switch")).toHaveAccessibleDescription(/always loads memory/);
    screen.getByTestId("skill-copy-builtin").focus();
    await user.keyboard("{Enter}");
    await screen.findByTestId("skill-workspace/memory");
    expect(screen.getByTestId("skill-builtin/memory").dataset.state).toBe("shadowed");
    expect(screen.getByTestId("skill-twin")).toHaveTextContent("This one is read");
    await user.click(screen.getByRole("button", { name: "Show the other one" }));
    await waitFor(() => expect(screen.getByTestId("skill-twin")).toHaveTextContent("in its place"));
  });

  it("stays as it is when the configuration cannot be read, and the page says why", async () => {
    const { user, backend } = await openSkills();
    backend.skills.breakConfig("config.json is no JSON: line 2, column 14.");
    await user.click(screen.getByTestId("skill-workspace/web-notes"));
    await user.keyboard(" ");
    expect(await screen.findByTestId("skills-refusal")).toHaveTextContent("line 2, column 14");
    expect(screen.getByTestId("skill-workspace/web-notes").dataset.state).toBe("on_demand");
  });
});

it("the meters say what programs take of the list", async () => {
  await openSkills();
  expect(screen.getByTestId("skills-budget-catbuddy")).toHaveTextContent("no limit");
  expect(screen.getByTestId("skills-budget-claude-code")).toHaveTextContent("of 8,000 characters");
});

it("400 skills make no more rows than are in view", async () => {
  await openSkills({ skills: 400 });
  expect(screen.getByTestId("skills-counts")).toHaveTextContent("404 found, 404 loaded");
  expect(shown().length).toBeLessThan(150);
});
