/** Each control of a form by mouse and by keyboard alone, what comes in between, and what axe finds in each state. */
import { fireEvent, screen, waitFor, within } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import type { FormItemView, FormView } from "../src/backend/backend";
import type { MemoryBackend } from "../src/backend/memory";
import { relocate } from "../src/state/form.svelte";
import { openWindow, state, USER_FILE, violations } from "./window";

/** Opens USER.md as a form, with a text of the test's own. */
async function openForm(written?: string, delay = 0) {
  const opened = openWindow({ forms: true, delay });
  const [row] = await screen.findAllByTestId("found-row");
  if (row) await opened.user.click(row);
  await screen.findByTestId("form");
  if (written !== undefined) {
    opened.backend.writeOutside(USER_FILE, written);
    await waitFor(() => expect(screen.queryByTestId("field-address_as")).toBeNull());
  }
  return opened;
}

const find = (id: string) => screen.getByTestId<HTMLInputElement>(id);
const text = async (backend: MemoryBackend): Promise<string> =>
  new TextDecoder().decode((await backend.call("document", USER_FILE)).body);
const LIST = "## Likes\n- tea\n- plums\n- rain\n";

describe("controls of a form", () => {
  it("offers the form of a file that was opened in the source", async () => {
    const { user } = await openForm();
    await user.click(find("view-source"));
    await user.click(screen.getAllByTestId("nav-file-AGENTS.md")[0] as HTMLElement);
    await waitFor(() => expect(screen.getByRole("heading", { level: 1 }).textContent).toContain("AGENTS.md"));
    await user.click(await screen.findByTestId("view-form"));
    await screen.findByTestId("form");
  });

  it("ticks by mouse and by Space", async () => {
    const { backend, user } = await openForm("## Habits\n- [ ] Speak first\n- [x] Be brief\n");
    await user.click(find("item-habits_list-0"));
    await waitFor(async () => expect(await text(backend)).toBe("## Habits\n- [x] Speak first\n- [x] Be brief\n"));
    find("item-habits_list-1").focus();
    await user.keyboard(" ");
    await waitFor(async () => expect(await text(backend)).toBe("## Habits\n- [x] Speak first\n- [ ] Be brief\n"));
    await waitFor(() => expect(find("item-habits_list-1").checked).toBe(false));
    expect(await violations()).toEqual([]);
  });

  it("adds and removes boxes by mouse and by keys, and keeps the focus near", async () => {
    const { backend, user } = await openForm("## Habits\n- [x] Be brief\n");
    await user.click(find("add-habits_list"));
    await waitFor(() => expect(document.activeElement).toBe(find("new-habits_list")));
    expect(await violations()).toEqual([]);
    await user.keyboard("Name sources{Enter}");
    await waitFor(async () => expect(await text(backend)).toBe("## Habits\n- [x] Be brief\n- [ ] Name sources\n"));
    expect(document.activeElement).toBe(find("add-habits_list"));
    // Nothing is made of a row that is given up, nor of an empty one.
    await user.keyboard("{Enter}no{Escape}");
    await waitFor(() => expect(screen.queryByTestId("new-habits_list")).toBeNull());
    await user.keyboard("{Enter}{Enter}");
    await waitFor(() => expect(screen.queryByTestId("new-habits_list")).toBeNull());
    await user.click(find("remove-habits_list-0"));
    await waitFor(async () => expect(await text(backend)).toBe("## Habits\n- [ ] Name sources\n"));
    await waitFor(() => expect(document.activeElement).toBe(find("item-habits_list-0")));
    // A box that is typed and left is made, once.
    await user.click(find("add-habits_list"));
    await user.keyboard("Ask first");
    await user.tab();
    await waitFor(async () => expect(await text(backend)).toBe("## Habits\n- [ ] Name sources\n- [ ] Ask first\n"));
    find("item-habits_list-0").focus();
    await user.keyboard("{Delete}");
    await waitFor(async () => expect(await text(backend)).toBe("## Habits\n- [ ] Ask first\n"));
  });

  it("picks an emoji by keys alone, and gives the focus back", async () => {
    const { backend, user } = await openForm("- Emoji: x\n");
    find("emoji-emoji").focus();
    await user.keyboard("{Enter}");
    const grid = await screen.findByRole("group", { name: "Emoji" });
    expect(await violations()).toEqual([]);
    await waitFor(() => expect(document.activeElement).toBe(find("emoji-search-emoji")));
    await user.keyboard("{ArrowDown}{ArrowRight}{ArrowRight}");
    expect(document.activeElement).toBe(within(grid).getByRole("button", { name: "🦊" }));
    await user.keyboard("{Enter}");
    await waitFor(async () => expect(await text(backend)).toBe("- Emoji: 🦊\n"));
    expect(document.activeElement).toBe(find("emoji-emoji"));
    await waitFor(() => expect(find("field-emoji").value).toBe("🦊"));
  });

  it("finds an emoji by its name, and takes the nearest by Enter", async () => {
    const { backend, user } = await openForm("- Emoji: x\n");
    await user.click(find("emoji-emoji"));
    await user.keyboard("octop");
    await screen.findByTitle("octopus");
    await user.keyboard("{Enter}");
    await waitFor(async () => expect(await text(backend)).toBe("- Emoji: 🐙\n"));
    await user.click(find("emoji-emoji"));
    await user.keyboard("nothing is called so");
    await screen.findByText("None is called that.");
    expect(await violations()).toEqual([]);
    await user.keyboard("{Enter}{Escape}");
    expect(screen.queryByTestId("emoji-search-emoji")).toBeNull();
    expect(document.activeElement).toBe(find("emoji-emoji"));
    expect(await text(backend)).toBe("- Emoji: 🐙\n");
  });

  it("picks a choice by mouse, or takes a value of one's own", async () => {
    const { backend, user } = await openForm("- Pronouns: \n");
    await user.click(find("field-pronouns"));
    await user.click(await screen.findByRole("option", { name: "she/her" }));
    await waitFor(async () => expect(await text(backend)).toBe("- Pronouns: she/her\n"));
    await user.clear(find("field-pronouns"));
    await user.type(find("field-pronouns"), "ze/zir");
    await user.tab();
    await waitFor(async () => expect(await text(backend)).toBe("- Pronouns: ze/zir\n"));
  });

  it.each([1, 7, 15, 40])("adds an entry once, however fast it is typed: answers take %i ms", async (delay) => {
    const { backend, user } = await openForm(LIST, delay);
    await user.click(find("add-likes_list"));
    await waitFor(() => expect(document.activeElement).toBe(find("item-likes_list-3")));
    await user.keyboard("snow, and the smell of it");
    await waitFor(async () => expect(await text(backend)).toBe(`${LIST}- snow, and the smell of it\n`));
    await user.tab();
    await waitFor(() => expect(find("item-likes_list-3").value).toBe("snow, and the smell of it"));
    expect(await text(backend), "nor is it added again when the row is left").toBe(
      `${LIST}- snow, and the smell of it\n`,
    );
  });

  it("adds, moves and removes entries by mouse", async () => {
    const { backend, user } = await openForm(LIST);
    await user.click(find("add-likes_list"));
    await waitFor(() => expect(document.activeElement).toBe(find("item-likes_list-3")));
    await user.keyboard("snow");
    await waitFor(async () => expect(await text(backend)).toBe(`${LIST}- snow\n`));
    await user.click(screen.getByRole("button", { name: /^Move down: .*entry 1$/ }));
    await waitFor(async () => expect(await text(backend)).toBe("## Likes\n- plums\n- tea\n- rain\n- snow\n"));
    await user.click(find("remove-likes_list-3"));
    await waitFor(async () => expect(await text(backend)).toBe("## Likes\n- plums\n- tea\n- rain\n"));
    // The neighbour has the focus, and not the page.
    await waitFor(() => expect(document.activeElement).toBe(find("item-likes_list-2")));
  });

  it.each([0, 20])("makes a date that is typed in front the entry's date, answers take %i ms", async (delay) => {
    const { backend, user } = await openForm(LIST, delay);
    const input = find("item-likes_list-1");
    await user.clear(input);
    await user.type(input, "2026-01-05: figs");
    await waitFor(async () => expect(await text(backend)).toBe("## Likes\n- tea\n- 2026-01-05: figs\n- rain\n"));
    await user.tab();
    await waitFor(() => expect(find("item-likes_list-1").value).toBe("figs"));
    expect(find("item-likes_list-1").closest("li")?.textContent).toContain("2026-01-05");
  });

  it("is one Tab stop for many rows; arrows go from row to row", async () => {
    const many = Array.from({ length: 200 }, (_, index) => `- entry ${index + 1}\n`).join("");
    const { backend, user } = await openForm(`## Likes\n${many}`);
    const inputs = () => within(find("field-likes_list")).getAllByRole<HTMLInputElement>("textbox");
    await waitFor(() => expect(inputs()).toHaveLength(200));
    expect(inputs().filter((input) => input.tabIndex === 0)).toHaveLength(1);
    find("item-likes_list-0").focus();
    await user.keyboard("{ArrowDown}{ArrowDown}");
    await waitFor(() => expect(document.activeElement).toBe(find("item-likes_list-2")));
    await waitFor(() => expect(find("item-likes_list-2").tabIndex).toBe(0));
    await user.keyboard("!");
    await waitFor(async () => expect(await text(backend)).toContain("- entry 3!\n- entry 4\n"));
  });

  it("takes the Enter that ends a composition for the input method's", async () => {
    const { backend } = await openForm(LIST);
    const input = find("item-likes_list-2");
    input.focus();
    await fireEvent.compositionStart(input);
    await fireEvent.input(input, { target: { value: "雨" } });
    await fireEvent.compositionEnd(input);
    // WebKit tells of the key after the end of the composition, and only its code says whose it was.
    await fireEvent.keyDown(input, { key: "Enter", keyCode: 229 });
    await waitFor(async () => expect(await text(backend)).toBe("## Likes\n- tea\n- plums\n- 雨\n"));
    expect(screen.queryByTestId("item-likes_list-3")).toBeNull();
  });

  it("does not disturb a composition when the file changes outside", async () => {
    const { backend } = await openForm("- Name: Ada\n- Nickname: A\n");
    const input = find("field-name");
    input.focus();
    await fireEvent.compositionStart(input);
    await fireEvent.input(input, { target: { value: "Ada 小" } });
    backend.writeOutside(USER_FILE, "- Name: Ada\n- Nickname: B\n");
    await waitFor(() => expect(find("field-nickname").value).toBe("B"));
    expect(input.value).toBe("Ada 小");
    await fireEvent.compositionEnd(input);
    await waitFor(async () => expect(await text(backend)).toBe("- Name: Ada 小\n- Nickname: B\n"));
  });

  it("stays usable in a conflict, and is sound for axe", async () => {
    const { backend, user } = await openForm("- Name: Ada\n");
    await user.type(find("field-name"), "!");
    await waitFor(async () => expect(await text(backend)).toBe("- Name: Ada!\n"));
    backend.writeOutside(USER_FILE, "- Name: Eve\n");
    await waitFor(() => expect(state()).toBe("conflict"));
    expect(await violations()).toEqual([]);
    await user.type(find("field-name"), "?");
    await waitFor(async () => expect(await text(backend)).toBe("- Name: Ada!?\n"));
  });
});

describe("a change of an entry, when the text moved on", () => {
  const item = (words: string): FormItemView => ({
    text: words,
    checked: null,
    date: null,
    range: null,
    line: null,
    kept: false,
  });
  const form = (...items: string[]): FormView => ({
    file: USER_FILE,
    version: 1,
    schema: "user",
    blocks: [
      {
        kind: "group",
        id: "g",
        title: "G",
        hint: null,
        lines: null,
        fields: [
          {
            id: "l",
            label: "L",
            help: null,
            control: "list",
            width: "full",
            value: "",
            placeholder: null,
            unfilled: false,
            items: items.map(item),
            choices: [],
            problem: null,
            range: null,
            line: null,
          },
        ],
      },
    ],
  });

  it("finds the entry where it is now", () => {
    const remove = { kind: "remove_item", field: "l", at: 1 } as const;
    expect(relocate(remove, form("a", "b"), form("new", "a", "b"))).toEqual({ ...remove, at: 2 });
    expect(relocate(remove, form("a", "b"), form("A", "b")), "still in its place").toEqual(remove);
  });

  it("is not made when the entry is gone, or could be several", () => {
    const set = { kind: "set_item", field: "l", at: 0, text: "z" } as const;
    expect(relocate(set, form("a", "b"), form("b"))).toBeNull();
    expect(relocate(set, form("a", "b"), form("b", "a", "a"))).toBeNull();
  });
});
