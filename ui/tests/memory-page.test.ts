/** The memory page, by keyboard where it counts. */
import { screen, waitFor, within } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import { diffRows } from "../src/parts/line-diff";
import { editor, openWorkspace, violations } from "./window";

const YOU = { root: "global", path: "memory/MEMORY.md" } as const;
const PROJECT = { root: "workspace", path: "memory/MEMORY.md" } as const;

type Opened = Awaited<ReturnType<typeof openWorkspace>>;

/** Goes to the page without a pointer. */
async function toMemory({ user }: Opened): Promise<HTMLElement> {
  screen.getByTestId("nav-memory").focus();
  await user.keyboard("{Enter}");
  const page = await screen.findByTestId("page-memory");
  await within(page).findByTestId("memory-you");
  return page;
}

describe("layers", () => {
  it("say whether and why each is in the prompt", async () => {
    const opened = await openWorkspace();
    const page = await toMemory(opened);
    expect(within(page).getByTestId("memory-you")).toHaveAttribute("data-state", "still-default");
    expect(within(page).getByTestId("memory-why-you")).toHaveTextContent("still the text it was made from");
    expect(within(page).getByTestId("memory-project")).toHaveTextContent("In the prompt");
    expect(within(page).getByTestId("memory-project")).toHaveTextContent("2 dated, 2026-11-09 to 2026-11-20");
    expect(await violations(page)).toEqual([]);
  });

  it("follow a file that goes, and one that becomes very long", async () => {
    const opened = await openWorkspace();
    const page = await toMemory(opened);
    opened.backend.writeOutside(YOU, null);
    await waitFor(() => expect(within(page).getByTestId("memory-you")).toHaveAttribute("data-state", "missing"));
    opened.backend.writeOutside(PROJECT, "Likes plums. ".repeat(24_000));
    expect(await within(page).findByTestId("memory-huge")).toBeInTheDocument();
  });

  it("lead from an entry to its place, by arrows and Enter", async () => {
    const opened = await openWorkspace();
    const page = await toMemory(opened);
    const entries = within(within(page).getByTestId("memory-project")).getAllByTestId("memory-entry");
    entries[0]?.focus();
    await opened.user.keyboard("{ArrowDown}");
    expect(entries[1]).toHaveFocus();
    await opened.user.keyboard("{Enter}");
    await screen.findByTestId("editor");
    const { doc, selection } = editor().state;
    expect(doc.lineAt(selection.main.head).text).toBe("- 2026-11-09: the north shelf was renumbered, 400 to 460.");
  });
});

describe("what is said twice", () => {
  const text = "# Harbour\n- Likes plums. 🚢\n- Returns close at 17:00.\n- likes plums! 🚢\n";

  it("goes as an edit, and comes back", async () => {
    const opened = await openWorkspace();
    opened.backend.writeOutside(PROJECT, text);
    const page = await toMemory(opened);
    const group = await within(page).findByTestId("memory-duplicate");
    expect(group).toHaveTextContent("nearly the same words");
    const second = within(group).getByRole("button", { name: "Remove this copy: about this project, line 4" });
    second.focus();
    await opened.user.keyboard("{Enter}");
    expect(await within(page).findByTestId("memory-removed")).toHaveTextContent("line 4");
    await waitFor(() => expect(within(page).queryByTestId("memory-duplicate")).not.toBeInTheDocument());
    const held = await opened.backend.call("document", PROJECT);
    expect(new TextDecoder().decode(held.body)).toBe("# Harbour\n- Likes plums. 🚢\n- Returns close at 17:00.\n");
    expect(held.head.state).toBe("draft");
    expect(await violations(page)).toEqual([]);

    within(page).getByTestId("memory-put-back").focus();
    await opened.user.keyboard("{Enter}");
    await within(page).findByTestId("memory-duplicate");
    const again = await opened.backend.call("document", PROJECT);
    expect(new TextDecoder().decode(again.body)).toBe(text);
    expect(again.head.state).toBe("saved");
  });

  it("stays when the file no longer says it there", async () => {
    const opened = await openWorkspace();
    opened.backend.writeOutside(PROJECT, text);
    const page = await toMemory(opened);
    const [button] = await within(page).findAllByTestId("memory-remove");
    const { call } = opened.backend;
    // Somebody writes between the look and the click.
    opened.backend.call = async (name, request) => {
      if (name === "document") {
        opened.backend.call = call;
        opened.backend.writeOutside(PROJECT, `new\n${text}`);
      }
      return Reflect.apply(call, opened.backend, [name, request]);
    };
    await opened.user.click(button!);
    expect(await within(page).findByText("Nothing was removed")).toBeInTheDocument();
    const held = await opened.backend.call("document", PROJECT);
    expect(new TextDecoder().decode(held.body)).toBe(`new\n${text}`);
  });
});

describe("what would be added", () => {
  it("shows both ends, and writes nothing", async () => {
    const opened = await openWorkspace();
    const page = await toMemory(opened);
    within(page).getByTestId("memory-summary").focus();
    await opened.user.paste("## User Profile\nLikes plums.\n## Project Context\nThe dam is old.");
    await opened.user.keyboard("{Control>}{Enter}{/Control}");
    const you = await within(page).findByTestId("memory-added-global");
    expect(you).toHaveTextContent("Added: ## Dream — User Profile — 2026-12-01");
    expect(within(page).getByTestId("memory-added-project")).toHaveTextContent("Added: The dam is old.");
    expect(opened.backend.calls).not.toContain("edit");
    expect(opened.backend.calls).not.toContain("save");
    expect(await violations(page)).toEqual([]);
  });

  it("says that an empty answer is dropped", async () => {
    const opened = await openWorkspace();
    const page = await toMemory(opened);
    await opened.user.type(within(page).getByTestId("memory-summary"), "(nothing)");
    await opened.user.click(within(page).getByTestId("memory-look"));
    expect(await within(page).findByTestId("memory-what-if-error")).toHaveTextContent("appends nothing");
  });
});

describe("growth", () => {
  it("stands in a table too", async () => {
    const opened = await openWorkspace();
    const page = await toMemory(opened);
    await opened.user.click(within(page).getByTestId("memory-growth-table"));
    expect(within(within(page).getByTestId("memory-growth")).getAllByRole("row")).toHaveLength(13);
  });
});

describe("a difference line by line", () => {
  const kinds = (before: string, now: string) => diffRows(before, now).map((row) => [row.kind, row.text, row.count]);

  it("keeps two lines around and counts the rest", () => {
    const same = Array.from({ length: 9 }, (_, index) => `line ${index}`).join("\n");
    expect(kinds(`${same}\nold`, `${same}\nnew`)).toEqual([
      ["skip", "", 7],
      ["same", "line 7", 1],
      ["same", "line 8", 1],
      ["before", "old", 1],
      ["now", "new", 1],
    ]);
    expect(kinds("a", "a")).toEqual([["same", "a", 1]]);
  });
});
