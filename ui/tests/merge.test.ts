import { screen, waitFor, within } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import type { HunkView } from "../src/backend/backend";
import { drawn, pieceOf, preselected, resultOf, toBegin, undecided } from "../src/screens/workspace/editor/merge";
import { editor, openWorkspace, state, USER_FILE, violations } from "./window";

const hunk = (kind: HunkView["kind"], base: string, mine: string, theirs: string): HunkView => ({
  kind,
  base,
  mine,
  theirs,
  mine_marks: [],
  theirs_marks: [],
});

describe("the text of a merge", () => {
  const conflict = hunk("conflict", "b\n", "mine\n", "theirs\n");
  const hunks = [hunk("same", "", "a\n", ""), hunk("theirs", "x\n", "x\n", "y\n"), conflict];

  it("takes what only one side changed, and waits for the rest", () => {
    const choices = hunks.map(preselected);
    expect(choices.map(({ side }) => side)).toEqual(["mine", "theirs", null]);
    expect(undecided(choices)).toBe(1);
    expect(resultOf(hunks, choices)).toBe("a\ny\nmine\n");
  });

  it.each([
    ["mine", "mine\n"],
    ["theirs", "theirs\n"],
    ["both", "mine\ntheirs\n"],
    ["hand", "by hand\n"],
  ] as const)("takes %s", (side, text) => {
    expect(pieceOf(conflict, { side, hand: "by hand" })).toBe(text);
  });

  it("keeps two sides apart where the first has no line end", () => {
    expect(pieceOf(hunk("conflict", "", "mine", "theirs"), { side: "both", hand: "" })).toBe("mine\ntheirs");
  });

  it("gives a text by hand the line ends of its piece", () => {
    const windows = hunk("conflict", "b\r\n", "m\r\n", "t\r\n");
    expect(pieceOf(windows, { side: "hand", hand: "one\ntwo" })).toBe("one\r\ntwo\r\n");
    expect(pieceOf(windows, { side: "hand", hand: "" })).toBe("");
    expect(toBegin(windows, { side: null, hand: "" })).toBe("m\r\nt\r\n");
  });

  it("draws a CR by itself and marks words", () => {
    expect(drawn("to me\r\n", [{ start: 3, end: 5 }])).toEqual([
      { text: "to ", marked: false, cr: false },
      { text: "me", marked: true, cr: false },
      { text: "\r", marked: false, cr: true },
      { text: "\n", marked: false, cr: false },
    ]);
  });
});

/** USER.md with a line changed here alone, one on disk alone, and the first one on both sides. */
async function conflicting() {
  const opened = await openWorkspace();
  const text = editor().state.doc.toString();
  const lines = text.split("\n");
  const change = (first: string, last: string) => [first, ...lines.slice(1), last].join("\n");
  editor().dispatch({ changes: { from: 0, to: text.length, insert: change("Mine first", "Mine last") } });
  await waitFor(() => expect(state()).toBe("draft"));
  const middle = lines.findIndex((line, at) => at > 3 && line.startsWith("- "));
  const theirs = ["Theirs first", ...lines.slice(1)];
  theirs[middle] = "- Theirs in the middle";
  opened.backend.writeOutside(USER_FILE, theirs.join("\n"));
  await screen.findByTestId("conflict-bar");
  const expected = ["Mine first", ...lines.slice(1), "Mine last"];
  expected[middle] = "- Theirs in the middle";
  return { ...opened, expected: expected.join("\n") };
}

const group = (kind: string) => {
  const found = screen.getAllByTestId("merge-hunk").find((one) => one.dataset.kind === kind);
  if (!found) throw new Error(`no ${kind}`);
  return found;
};

describe("the merge screen", () => {
  it("puts both changes into one text, by keyboard alone, as one edit that can be undone", async () => {
    const { user, backend, expected } = await conflicting();
    const before = editor().state.doc.toString();
    screen.getByTestId("conflict-compare").focus();
    await user.keyboard("{Enter}");
    await screen.findAllByTestId("merge-hunk");
    expect(screen.getByTestId("merge-left")).toHaveTextContent("1 difference to decide");
    expect(group("conflict").dataset.side).toBe("none");
    expect(group("theirs").dataset.side).toBe("theirs");
    // The first difference that waits has the focus.
    await waitFor(() => expect(group("conflict")).toContainElement(document.activeElement as HTMLElement));
    await user.keyboard(" ");
    expect(screen.getByTestId("merge-left")).toHaveTextContent("Every difference is decided");
    screen.getByTestId("merge-use").focus();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(state()).toBe("draft"));
    expect(editor().state.doc.toString()).toBe(expected);
    await user.keyboard("{Control>}s{/Control}");
    await waitFor(() => expect(backend.disk(USER_FILE)).toBe(expected));
    const { undo } = await import("@codemirror/commands");
    undo(editor());
    expect(editor().state.doc.toString()).toBe(before);
  });

  it("goes from difference to difference by F7 and round", async () => {
    const { user } = await conflicting();
    await user.click(screen.getByTestId("conflict-compare"));
    await screen.findAllByTestId("merge-hunk");
    const at = () => screen.getAllByTestId("merge-hunk").findIndex((one) => one.contains(document.activeElement));
    await waitFor(() => expect(at()).toBe(0));
    const count = screen.getAllByTestId("merge-hunk").length;
    await user.keyboard("{F7}");
    await waitFor(() => expect(at()).toBe(1));
    await user.keyboard("{Shift>}{F7}{F7}{/Shift}");
    await waitFor(() => expect(at()).toBe(count - 1));
  });

  it("shows the result, and takes a text by hand", async () => {
    const { user } = await conflicting();
    await user.click(screen.getByTestId("conflict-compare"));
    await screen.findAllByTestId("merge-hunk");
    const open = within(group("conflict"));
    await user.click(open.getByTestId("merge-hand"));
    const field = open.getByTestId("merge-text");
    expect(field).toHaveValue("Mine first\nTheirs first\n");
    await user.clear(field);
    await user.type(field, "By hand");
    expect(await violations(screen.getByTestId("merge"))).toEqual([]);
    await user.click(screen.getByTestId("view-result"));
    expect(screen.getByTestId("merge-result")).toHaveTextContent(/^By hand/);
    expect(await violations(screen.getByTestId("merge"))).toEqual([]);
  });

  it("does not use a text with open differences, and says how many", async () => {
    const { user, backend } = await conflicting();
    await user.click(screen.getByTestId("conflict-compare"));
    await screen.findAllByTestId("merge-hunk");
    await user.click(screen.getByTestId("merge-use"));
    expect(screen.getByTestId("merge-use")).toHaveAccessibleDescription("1 difference is not decided yet.");
    expect(backend.calls).not.toContain("merged");
  });

  it("compares anew when the file changes on disk again", async () => {
    const { user, backend } = await conflicting();
    await user.click(screen.getByTestId("conflict-compare"));
    await screen.findAllByTestId("merge-hunk");
    backend.writeOutside(USER_FILE, "All is new\n");
    expect(await screen.findByTestId("merge-again")).toHaveTextContent("changed on disk again");
    await waitFor(() => expect(group("conflict")).toHaveTextContent("All is new"));
  });

  it("goes back to the text when the conflict is over otherwise", async () => {
    const { user } = await conflicting();
    await user.click(screen.getByTestId("conflict-compare"));
    await screen.findAllByTestId("merge-hunk");
    await user.click(screen.getByTestId("conflict-disk"));
    await waitFor(() => expect(state()).toBe("saved"));
    expect(await screen.findByTestId("editor")).toBeInTheDocument();
  });
});
