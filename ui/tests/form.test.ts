/** A file as a form: every control by keyboard, one undo history over Form and Source, input methods. */
import { fireEvent, screen, waitFor, within } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import { openWindow, state, USER_FILE, violations } from "./window";
import type { MemoryBackend } from "../src/backend/memory";

async function openForm() {
  const opened = openWindow({ forms: true });
  const [row] = await screen.findAllByTestId("found-row");
  if (row) await opened.user.click(row);
  await screen.findByTestId("form");
  return opened;
}

const field = (name: string) => screen.getByTestId<HTMLInputElement>(`field-${name}`);
const text = async (backend: MemoryBackend): Promise<string> =>
  new TextDecoder().decode((await backend.call("document", USER_FILE)).body);

describe("the form", () => {
  it("is the first view of a file that has one, and shows what the file says", async () => {
    await openForm();
    expect(field("name").value).toBe("Juniper Vale");
    expect(field("time_zone").value, "a placeholder is no value").toBe("");
    expect(field("time_zone").placeholder).toBe("{{TIME_ZONE}}");
    expect(screen.getByTestId("view-form").getAttribute("aria-checked")).toBe("true");
    expect(await violations()).toEqual([]);
  });

  it("writes a field into the text, and nothing else", async () => {
    const { backend, user } = await openForm();
    const before = await text(backend);
    await user.clear(field("name"));
    await user.type(field("name"), "Hazel");
    await waitFor(async () => expect(await text(backend)).toBe(before.replace("Juniper Vale", "Hazel")));
    expect(state()).toBe("draft");
    await waitFor(() => expect(screen.getByTestId("preview").textContent).toContain("- Name: Hazel"));
    await user.keyboard("{Control>}s{/Control}");
    await waitFor(() => expect(backend.disk(USER_FILE)).toBe(before.replace("Juniper Vale", "Hazel")));
  });

  it("keeps what is typed while answers are late", async () => {
    const opened = openWindow({ forms: true, delay: 15 });
    const [row] = await screen.findAllByTestId("found-row");
    if (row) await opened.user.click(row);
    await screen.findByTestId("form");
    await opened.user.type(field("address_as"), " the quick one ");
    expect(field("address_as").value).toBe("Juni the quick one ");
    await waitFor(async () => expect(await text(opened.backend)).toContain("- Address as: Juni the quick one \n"));
  });

  it("has one undo history with the source", async () => {
    const { backend, user } = await openForm();
    const before = await text(backend);
    await user.type(field("name"), "X");
    await waitFor(async () => expect(await text(backend)).toContain("Juniper ValeX"));
    await user.keyboard("{Control>}z{/Control}");
    await waitFor(async () => expect(await text(backend)).toBe(before));
    await waitFor(() => expect(field("name").value).toBe("Juniper Vale"));
    await user.keyboard("{Control>}{Shift>}z{/Shift}{/Control}");
    await waitFor(() => expect(field("name").value).toBe("Juniper ValeX"));
    await user.keyboard("{Control>}2{/Control}");
    const source = await screen.findByTestId("editor-text");
    source.focus();
    await user.keyboard("{Control>}z{/Control}");
    await waitFor(async () => expect(await text(backend)).toBe(before));
    await user.keyboard("{Control>}1{/Control}");
    await screen.findByTestId("form");
    await waitFor(() => expect(field("name").value).toBe("Juniper Vale"));
  });

  it("hands on nothing while an input method composes", async () => {
    const { backend } = await openForm();
    const input = field("name");
    const before = await text(backend);
    input.focus();
    await fireEvent.compositionStart(input);
    await fireEvent.input(input, { target: { value: "小" } });
    expect(await text(backend)).toBe(before);
    await fireEvent.input(input, { target: { value: "小满" } });
    await fireEvent.compositionEnd(input);
    await waitFor(async () => expect(await text(backend)).toContain("- Name: 小满"));
  });

  it("adds, changes, moves and removes entries by keys alone", async () => {
    const { backend, user } = await openForm();
    const items = () =>
      within(screen.getByTestId("field-preferences_list"))
        .getAllByRole<HTMLInputElement>("textbox")
        .map((input) => input.value);
    const first = items();
    screen.getByTestId("item-preferences_list-3").focus();
    await user.keyboard("{Enter}Speak plainly");
    await waitFor(() => expect(items()).toEqual([...first, "Speak plainly"]));
    expect(await text(backend)).toContain("5. Speak plainly\n");
    await user.keyboard("{Alt>}{ArrowUp}{/Alt}");
    await waitFor(() => expect(items()[3]).toBe("Speak plainly"));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId("item-preferences_list-3")));
    screen.getByTestId("remove-preferences_list-0").focus();
    await user.keyboard("{Delete}");
    await waitFor(() => expect(items()).toEqual([first[1], first[2], "Speak plainly", first[3]]));
    await user.keyboard("{Control>}z{/Control}");
    await waitFor(() => expect(items()[0]).toBe(first[0]));
  });

  it("picks a time zone by typing part of its name", async () => {
    const { backend, user } = await openForm();
    field("time_zone").focus();
    await user.keyboard("lisb");
    const option = await screen.findByRole("option", { selected: true });
    expect(option.textContent).toContain("Europe/Lisbon");
    expect(await violations()).toEqual([]);
    await user.keyboard("{Enter}");
    await waitFor(async () => expect(await text(backend)).toContain("- Time zone: Europe/Lisbon\n"));
    expect(field("time_zone").value).toBe("Europe/Lisbon");
  });

  it("follows an edit from outside", async () => {
    const { backend } = await openForm();
    const before = backend.disk(USER_FILE) ?? "";
    backend.writeOutside(USER_FILE, before.replace("Juniper Vale", "Ada"));
    await waitFor(() => expect(field("name").value).toBe("Ada"));
  });

  it("shows what it does not know as kept, and opens it in the source", async () => {
    const { user } = await openForm();
    const kept = screen.getByText("Notes").closest("article");
    if (!kept) throw new Error("There is no card.");
    await user.click(within(kept).getByRole("button"));
    await screen.findByTestId("editor-text");
    expect(screen.getByTestId("view-source").getAttribute("aria-checked")).toBe("true");
  });
});
