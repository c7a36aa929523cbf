import { waitFor } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import type { Backend, PreviewRequest } from "../src/backend/backend";
import { MemoryBackend } from "../src/backend/memory";
import { Preview } from "../src/state/preview.svelte";
import { Timings } from "../src/state/timings";

/** A backend whose previews are answered by hand. */
function held(backend: MemoryBackend) {
  const waiting: (() => void)[] = [];
  const requests: PreviewRequest[] = [];
  const call: Backend["call"] = async (name, request) => {
    if (name === "preview") {
      requests.push(request as PreviewRequest);
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    return backend.call(name, request);
  };
  return { call, requests, answer: () => waiting.shift()?.() };
}

describe("the preview", () => {
  it("has one request under way at most, and the newest state wins", async () => {
    const backend = new MemoryBackend({ open: true });
    const { call, requests, answer } = held(backend);
    let channel = "desktop";
    const preview = new Preview(Object.assign(Object.create(backend), { call }) as Backend, new Timings(), () => ({
      channel,
      max_tokens: null,
    }));
    void preview.refresh();
    for (channel of ["telegram", "discord", "slack"]) void preview.refresh();
    expect(requests).toHaveLength(1);
    answer();
    await waitFor(() => expect(requests).toHaveLength(2));
    answer();
    await waitFor(() => expect(preview.stale).toBe(false));
    expect(requests.map((request) => request.channel)).toEqual(["desktop", "slack"]);
    expect(preview.head?.channel).toBe("slack");
  });

  it("takes over the sections that did not change", async () => {
    const backend = new MemoryBackend({ open: true });
    let channel = "desktop";
    const preview = new Preview(backend, new Timings(), () => ({ channel, max_tokens: null }));
    await preview.refresh();
    const before = new Map(preview.held);
    channel = "telegram";
    await preview.refresh();
    expect(preview.held.get("bootstrap/SOUL.md")).toBe(before.get("bootstrap/SOUL.md"));
    expect(preview.held.get("identity")).not.toBe(before.get("identity"));
    expect(preview.text()).toContain("Answers are short");
  });
});
