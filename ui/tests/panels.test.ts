import { screen, waitFor, within } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import { lines, openWorkspace, violations } from "./window";

type User = Awaited<ReturnType<typeof openWorkspace>>["user"];

async function openPanel(user: User, name: string): Promise<HTMLElement> {
  await user.click(screen.getByTestId("preview-menu"));
  await user.click(screen.getByTestId(`open-${name}`));
  return screen.findByTestId(`${name}-panel`);
}

describe("palette", () => {
  it("goes to a file by Ctrl K and its name", async () => {
    const { user } = await openWorkspace();
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByTestId("palette-input"), "soul{Enter}");
    await waitFor(() => expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("SOUL.md"));
    expect(screen.queryByTestId("palette")).not.toBeInTheDocument();
  });

  it("switches the channel", async () => {
    const { user } = await openWorkspace();
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByTestId("palette-input"), "telegram{Enter}");
    await waitFor(() => expect(screen.getByTestId("channel-telegram")).toHaveAttribute("aria-selected", "true"));
  });

  it("finds first what is called so, whatever else begins so", async () => {
    const { user } = await openWorkspace();
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByTestId("palette-input"), "memory{Enter}");
    expect(await screen.findByTestId("page-memory")).toBeInTheDocument();
  });

  it("walks the results by arrows", async () => {
    const { user } = await openWorkspace();
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByTestId("palette-input"), "user{ArrowDown}");
    const options = within(screen.getByTestId("palette")).getAllByRole("option");
    expect(options[1]).toHaveAttribute("aria-selected", "true");
  });
});

describe("context panel", () => {
  it("shows a control for every key and where each value comes from", async () => {
    const { user } = await openWorkspace();
    const panel = await openPanel(user, "context");
    const platform = await within(panel).findByTestId("context-key-platform");
    expect(platform).toHaveTextContent("this machine");
    expect(within(panel).getByTestId("context-key-channel")).toHaveTextContent("absent");
    expect(within(panel).getByTestId("context-key-home_dir")).toHaveTextContent("Can be imported from HOME.");
    expect(await violations(panel)).toEqual([]);
  });

  it("saves a new context, and the preview follows it", async () => {
    const { user } = await openWorkspace();
    const panel = await openPanel(user, "context");
    const message = await within(panel).findByTestId("context-key-message");
    await user.type(within(message).getByRole("textbox"), "Good night.");
    await user.tab();
    expect(await within(message).findByText("this context")).toBeInTheDocument();
    await user.click(within(panel).getByTestId("context-save"));
    await user.type(within(panel).getByTestId("context-new-name"), "night");
    await user.click(within(panel).getByTestId("context-new-save"));
    await waitFor(() => expect(lines()).toContain("Good night."));
    expect(within(panel).getByTestId("context-name")).toHaveValue("night");
  });

  it("names an unknown key in the JSON text, and does not save it", async () => {
    const { user, backend } = await openWorkspace();
    const panel = await openPanel(user, "context");
    await user.click(await within(panel).findByTestId("view-json"));
    const text = within(panel).getByTestId("context-json");
    await user.clear(text);
    await user.click(text);
    await user.paste('{"chanel": "telegram"}');
    expect(await within(panel).findByTestId("context-error")).toHaveTextContent("chanel");
    await user.click(within(panel).getByTestId("context-save"));
    expect(backend.calls).not.toContain("save_context");
  });

  it("deletes a context and returns to the defaults", async () => {
    const { user } = await openWorkspace();
    const panel = await openPanel(user, "context");
    await user.selectOptions(await within(panel).findByTestId("context-name"), "evening");
    await user.click(await within(panel).findByTestId("context-remove"));
    await waitFor(() => expect(within(panel).getByTestId("context-name")).toHaveValue(""));
    expect(within(panel).queryByRole("option", { name: "evening" })).not.toBeInTheDocument();
  });
});

describe("other panels", () => {
  it("pages through history", async () => {
    const { user } = await openWorkspace();
    const panel = await openPanel(user, "history");
    expect(await within(panel).findAllByTestId("history-row")).toHaveLength(50);
    await user.click(within(panel).getByTestId("history-more"));
    await waitFor(() => expect(within(panel).getAllByTestId("history-row")).toHaveLength(100));
    await user.click(within(panel).getByTestId("history-more"));
    await waitFor(() => expect(within(panel).getAllByTestId("history-row")).toHaveLength(120));
    expect(within(panel).queryByTestId("history-more")).not.toBeInTheDocument();
  });

  it("says whether the target would use its cached prompt", async () => {
    const { user } = await openWorkspace();
    const panel = await openPanel(user, "fingerprint");
    expect(within(panel).getByTestId("fingerprint-verdict")).toHaveTextContent("hit");
    expect(await violations(panel)).toEqual([]);
  });

  it("changes the theme and the model", async () => {
    const { user } = await openWorkspace();
    await user.keyboard("{Control>},{/Control}");
    const panel = await screen.findByTestId("page-settings");
    await waitFor(() => expect(panel).toHaveFocus());
    await user.click(await within(panel).findByTestId("view-dark"));
    await waitFor(() => expect(document.documentElement.dataset.theme).toBe("dark"));
    await user.selectOptions(within(panel).getByTestId("settings-model"), "sample-estimate");
    // An estimate is an interval with its method, never a bare number.
    await waitFor(() =>
      expect(screen.getByTestId("count-pill")).toHaveTextContent(/^[\d,]+–[\d,]+ tokens, bytes ÷ 4$/),
    );
    expect(await violations(panel)).toEqual([]);
    await user.click(within(panel).getByTestId("view-light"));
  });

  it("says beside a setting why a value was not taken, and keeps what there was", async () => {
    const { user, backend } = await openWorkspace();
    await user.keyboard("{Control>},{/Control}");
    const field = await screen.findByTestId("settings-locale");
    await user.type(field, "en_US!{Tab}");
    expect(field).toHaveAccessibleDescription(/“en_US!” is no language tag/);
    const days = screen.getByTestId("settings-history-days");
    await user.type(days, "0{Tab}");
    expect(days).toHaveAccessibleDescription(/whole number above 0/);
    expect(await backend.call("settings", {})).toMatchObject({ locale: null, history_days: null });
    await user.clear(days);
    await user.type(days, "30{Tab}");
    expect(days).not.toHaveAccessibleDescription(/whole number above 0/);
    await user.click(await screen.findByTestId("history-goes-yes"));
    await waitFor(async () => expect(await backend.call("settings", {})).toMatchObject({ history_days: 30 }));
    expect(await violations(screen.getByTestId("page-settings"))).toEqual([]);
  });

  it("lists every shortcut by ?, and closes by Esc", async () => {
    const { user } = await openWorkspace();
    screen.getByTestId("channel-desktop").focus();
    await user.keyboard("?");
    const panel = await screen.findByTestId("shortcuts-panel");
    expect(panel).toHaveTextContent("Next, previous finding");
    panel.dispatchEvent(new Event("cancel", { cancelable: true }));
    await waitFor(() => expect(screen.queryByTestId("shortcuts-panel")).not.toBeInTheDocument());
    expect(screen.getByTestId("channel-desktop")).toHaveFocus();
  });

  it("goes from a finding to its bytes", async () => {
    const { user } = await openWorkspace();
    await user.click(screen.getByTestId("nav-findings"));
    const panel = await screen.findByTestId("findings-panel");
    await user.click(within(panel).getByRole("button", { name: /Placeholder not filled/ }));
    await waitFor(() => expect(screen.queryByTestId("findings-panel")).not.toBeInTheDocument());
  });
});
