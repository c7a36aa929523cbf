/** Emoji are found by the names that Unicode gives them, in each language of the window. */
import { afterEach, describe, expect, it } from "vitest";
import { overwriteGetLocale } from "../src/messages/compiled/runtime.js";
import { emojiNames, findEmoji } from "../src/screens/workspace/editor/form/emoji";

describe("emoji by name", () => {
  afterEach(() => overwriteGetLocale(() => "en"));

  it.each([
    ["en", "octopus", "🐙"],
    ["en", "Red Heart", "❤️"],
    ["fr", "chat", "🐈"],
    ["fr", "etoile", "⭐"],
    ["zh", "章鱼", "🐙"],
    ["zh", "猫", "🐈"],
  ] as const)("%s: %s", async (locale, wanted, emoji) => {
    overwriteGetLocale(() => locale);
    expect(findEmoji(await emojiNames(), wanted)[0]?.emoji).toBe(emoji);
  });

  it("asks for every word, takes the emoji itself, and holds neither parts nor what fonts lack", async () => {
    const all = await emojiNames();
    expect(findEmoji(all, "cat heart").map((one) => one.emoji)).toEqual(["😻"]);
    expect(findEmoji(all, "🦊").map((one) => one.name)).toEqual(["fox"]);
    expect(findEmoji(all, "zzz no such")).toEqual([]);
    const emoji = all.map((one) => one.emoji);
    expect(new Set(emoji).size).toBe(emoji.length);
    expect(emoji).not.toContain("🏿");
    expect(emoji.length).toBeGreaterThan(1_800);
  });
});
