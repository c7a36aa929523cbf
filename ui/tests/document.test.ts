import { EditorState } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { MemoryBackend } from "../src/backend/memory";
import { OpenDocument, type DocumentHooks } from "../src/state/document.svelte";
import { Timings } from "../src/state/timings";
import { USER_FILE } from "./window";

async function openDocument(hooks: DocumentHooks) {
  const backend = new MemoryBackend({ open: true });
  const frame = await backend.call("document", USER_FILE);
  const document = new OpenDocument(backend, new Timings(), hooks, frame, EditorState.tabSize.of(4));
  const type = (insert: string) => document.update([document.editor.update({ changes: { from: 0, insert } })]);
  return { backend, document, type };
}

describe("an open document", () => {
  it.each([0, 1, 2, 3, 4, 5])("keeps a change that comes %i steps after the one before was kept", async (steps) => {
    let again = true;
    const { backend, document, type } = await openDocument({
      ride: () => null,
      edited: () => {
        if (!again) return;
        again = false;
        let step = Promise.resolve();
        for (let count = 0; count < steps; count++) step = step.then(() => undefined);
        void step.then(() => type("second "));
      },
    });
    type("first ");
    await document.settled();
    await new Promise((done) => setTimeout(done, 0));
    await document.settled();
    expect(new TextDecoder().decode((await backend.call("document", USER_FILE)).body)).toMatch(/^second first /);
  });

  it("tries a refused edit again with the next one, and loses nothing", async () => {
    const { backend, document, type } = await openDocument({ ride: () => null, edited: () => undefined });
    backend.refuseNext("edit", { code: "failed", message: "The disk is full.", context: {} });
    type("first ");
    await document.settled();
    expect([document.state, document.reason]).toEqual(["error", "The disk is full."]);
    await document.save();
    expect(document.state).toBe("saved");
    expect(backend.disk(USER_FILE)).toMatch(/^first /);
  });
});
