/**
 * Every word on the screen comes from the catalogue or from the backend. The catalogue is replaced by one that wraps
 * each of its messages in ⟦ ⟧; whatever is left outside of them, and was not sent by the backend, was written into a
 * component.
 */
import { screen, waitFor } from "@testing-library/svelte";
import { afterEach, describe, expect, it, vi } from "vitest";
import { bodyText } from "../src/backend/frame";
import { MemoryBackend } from "../src/backend/memory";
import { openWindow, openWorkspace } from "./window";

vi.mock("../src/messages/compiled/messages.js", async (original) => {
  type Message = (...inputs: unknown[]) => string;
  const { m } = await original<{ m: Record<string, Message> }>();
  const wrapped = Object.entries(m).map(([name, message]): [string, Message] => [
    name,
    (...inputs) => `⟦${message(...inputs)}⟧`,
  ]);
  return { m: Object.fromEntries(wrapped) };
});

/** Names that are on the keys themselves, and layer names. */
const KEYS = /^(F\d+|Esc|Tab|[A-Z]|\d–\d)$/;
const ATTRIBUTES = ["aria-label", "title", "placeholder", "alt", "aria-valuetext", "aria-roledescription"];

/** Every text that a backend sends from now on. */
function sent(): () => string {
  const texts: string[] = [];
  const gather = (value: unknown): void => {
    if (ArrayBuffer.isView(value)) texts.push(bodyText(value as Uint8Array));
    else if (typeof value === "string") texts.push(value);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(gather);
  };
  const { call } = MemoryBackend.prototype;
  async function listening(this: MemoryBackend, ...request: never[]) {
    const reply = await Reflect.apply<MemoryBackend, never[], Promise<unknown>>(call as never, this, request);
    gather(reply);
    return reply;
  }
  vi.spyOn(MemoryBackend.prototype, "call").mockImplementation(listening as never);
  return () => texts.join("\n");
}

afterEach(() => vi.restoreAllMocks());

function withoutMessages(text: string): string {
  let left = text;
  for (let before = ""; before !== left;) {
    before = left;
    left = left.replace(/⟦[^⟦⟧]*⟧/g, " ");
  }
  return left;
}

/** Texts and attributes that are neither messages nor data. */
function escaped(data: string): string[] {
  const found: string[] = [];
  const look = (text: string, where: string) => {
    // Pieces of data stand between dots; what is left beside a message is its punctuation.
    for (const piece of withoutMessages(text).split("·")) {
      const left = piece.replace(/^[\s:,/]+|[\s:,/]+$/g, "");
      if (/\p{L}/u.test(left) && !KEYS.test(left) && !data.includes(left)) found.push(`${where}: ${left}`);
    }
  };
  for (const element of document.body.querySelectorAll("*")) {
    // The person's own text, marks for characters, and moments as the browser writes them.
    if (element.closest(".cm-content, .cm-gutters, time, svg, script, style")) continue;
    for (const node of element.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) look(node.textContent ?? "", element.tagName);
    }
    for (const attribute of ATTRIBUTES) look(element.getAttribute(attribute) ?? "", `${element.tagName} ${attribute}`);
  }
  return found;
}

describe("text on the screen", () => {
  it("comes from the catalogue on the first-run screen", async () => {
    const data = sent();
    openWindow();
    await screen.findAllByTestId("found-row");
    expect(escaped(data())).toEqual([]);
  });

  it("comes from the catalogue in the workspace and its panels", async () => {
    const data = sent();
    const { user } = await openWorkspace();
    expect(escaped(data())).toEqual([]);
    for (const panel of ["context", "fingerprint", "history", "findings", "shortcuts"]) {
      await user.click(screen.getByTestId("preview-menu"));
      expect(escaped(data())).toEqual([]);
      await user.click(screen.getByTestId(`open-${panel}`));
      await screen.findByTestId(`${panel}-panel`);
      await waitFor(() => expect(document.querySelector(".skeleton")).toBeNull());
      expect(escaped(data()), panel).toEqual([]);
      await user.click(screen.getByTestId("close-dialog"));
    }
    await user.keyboard("{Control>},{/Control}");
    await screen.findByTestId("settings-language");
    expect(escaped(data()), "settings").toEqual([]);
    await user.keyboard("{Control>}k{/Control}");
    await screen.findByTestId("palette");
    expect(escaped(data())).toEqual([]);
  });

  it("finds a text that was written into a component", () => {
    document.body.append(Object.assign(document.createElement("p"), { textContent: "Forgotten" }));
    expect(escaped("")).toContain("P: Forgotten");
    document.body.lastChild?.remove();
  });
});
