/** "Why doesn't it know…?" by keyboard. */
import { screen, waitFor, within } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import { editor, lines, openWorkspace, violations } from "./window";

type Opened = Awaited<ReturnType<typeof openWorkspace>>;

async function toWhy({ user }: Opened): Promise<HTMLElement> {
  screen.getByTestId("nav-why").focus();
  await user.keyboard("{Enter}");
  const page = await screen.findByTestId("page-why");
  await within(page).findByTestId("why-phrase");
  return page;
}

async function look(opened: Opened, page: HTMLElement, phrase: string): Promise<void> {
  const field = within(page).getByTestId("why-phrase");
  await opened.user.clear(field);
  await opened.user.type(field, `${phrase}{Enter}`);
}

describe("a phrase", () => {
  it("is found with letter case and line breaks aside, and leads to its place and back", async () => {
    const opened = await openWorkspace();
    const page = await toWhy(opened);
    await look(opened, page, "save a  PAGE only");
    expect(await within(page).findByTestId("why-verdict")).toHaveTextContent("It knows: 1 place is in the prompt");
    expect(await violations(page)).toEqual([]);
    const place = within(page).getByTestId("why-place");
    expect(place).toHaveTextContent("TOOLS.md, line 2");
    place.focus();
    await opened.user.keyboard("{Enter}");
    await screen.findByTestId("editor");
    await waitFor(() => expect(editor().state.doc.lineAt(editor().state.selection.main.head).number).toBe(2));
    const again = await toWhy(opened);
    expect(within(again).getByTestId("why-phrase")).toHaveValue("save a  PAGE only");
    expect(within(again).getByTestId("why-place")).toBeInTheDocument();
  });

  it("that is in a file and not in the prompt has a reason", async () => {
    const opened = await openWorkspace();
    const page = await toWhy(opened);
    await look(opened, page, "go here, ONE a line");
    expect(await within(page).findByTestId("why-verdict")).toHaveTextContent("It does not know");
    const place = within(page).getByTestId("why-place");
    expect(place).toHaveAttribute("data-in-prompt", "false");
    expect(place).toHaveTextContent("still the text it was made from");
  });

  it("that is nowhere says where it was looked for", async () => {
    const opened = await openWorkspace();
    const page = await toWhy(opened);
    await look(opened, page, "zebra");
    expect(await within(page).findByTestId("why-nowhere")).toHaveTextContent("“zebra” stands nowhere");
    expect(page).toHaveTextContent("RULES.md");
    expect(await violations(page)).toEqual([]);
  });

  it("counts letter case when asked to", async () => {
    const opened = await openWorkspace();
    const page = await toWhy(opened);
    await opened.user.click(within(page).getByTestId("why-case"));
    await look(opened, page, "SAVE A PAGE");
    expect(await within(page).findByTestId("why-nowhere")).toBeInTheDocument();
  });

  it("is not looked for while it is being composed, or empty", async () => {
    const opened = await openWorkspace();
    const page = await toWhy(opened);
    within(page).getByTestId("why-look").focus();
    await opened.user.keyboard("{Enter}");
    expect(opened.backend.calls).not.toContain("why");
  });
});

describe("a prompt that was sent", () => {
  async function compare(opened: Opened, log: string): Promise<HTMLElement> {
    const page = await toWhy(opened);
    await opened.user.click(within(page).getByTestId("view-compare"));
    within(page).getByTestId("sent-log").focus();
    await opened.user.paste(log);
    await opened.user.keyboard("{Control>}{Enter}{/Control}");
    await within(page).findByTestId("sent-verdict");
    return page;
  }

  /** The system prompt as it is on the page: all lines but those of the messages. */
  async function prompt(opened: Opened): Promise<string> {
    const made = await opened.backend.call("preview", {
      channel: "desktop",
      context: null,
      variant: null,
      model: null,
      max_tokens: null,
      held: null,
    });
    return new TextDecoder().decode(made.body);
  }

  it("is the same, also out of JSON", async () => {
    const opened = await openWorkspace();
    const page = await compare(opened, JSON.stringify({ system: await prompt(opened) }));
    expect(within(page).getByTestId("sent-verdict")).toHaveTextContent("byte for byte the same");
    expect(within(page).getByTestId("sent-note")).toHaveTextContent("JSON");
  });

  it("shows the first byte that differs, and its place", async () => {
    const opened = await openWorkspace();
    const text = await prompt(opened);
    expect(lines().join("\n")).toContain("One task at a time; finish, then report.");
    const page = await compare(opened, text.replace("One task", "Two tasks"));
    const first = within(page).getByTestId("sent-first");
    expect(first).toHaveTextContent("Two tasks at a time");
    const changed = within(page)
      .getAllByTestId("sent-section")
      .filter((row) => row.dataset.change !== "same");
    expect(changed.map((row) => row.querySelector(".title")?.textContent)).toEqual(["AGENTS.md"]);
    expect(await violations(page)).toEqual([]);
    within(page).getByTestId("sent-show").focus();
    await opened.user.keyboard("{Enter}");
    await waitFor(() => expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("AGENTS.md"));
  });

  it("of a megabyte is compared without a copy at each key", async () => {
    const opened = await openWorkspace();
    const page = await compare(opened, "x".repeat(1024 * 1024));
    expect(within(page).getByTestId("sent-verdict")).toHaveTextContent("byte 0, line 1");
  });
});
