/** What the backend says in English is shown in the window's language, wherever a word to branch on comes with it. */
import { afterEach, describe, expect, it } from "vitest";
import { STARTERS } from "../src/backend/memory/data";
import { chooseLanguage } from "../src/messages/locale";
import { channelName, neverReadWhy, rootName, skippedWhy, starterAbout, starterName } from "../src/messages/words";

afterEach(() => {
  localStorage.clear();
  chooseLanguage(null);
});

describe("what the backend says", () => {
  it("is kept in English, which may say more than the word does", () => {
    expect(skippedWhy({ reason: "missing", detail: "There is no SOUL.md." })).toBe("There is no SOUL.md.");
    expect(rootName({ id: "app", label: "Built in" })).toBe("Built in");
  });

  it("is said in the window's language by its word", () => {
    chooseLanguage("fr");
    expect(skippedWhy({ reason: "missing", detail: "There is no SOUL.md." })).toBe("Ce fichier n’existe pas.");
    expect(neverReadWhy({ reason: "No host reads it." })).toBe("L’agent ne lit jamais un fichier de ce nom.");
    chooseLanguage("zh");
    expect(channelName({ id: "cli", label: "Command line" })).toBe("命令行");
    expect(rootName({ id: "global", label: "Global profile" })).toBe("全局资料");
    const [starter] = STARTERS;
    expect(starter && starterName(starter)).toBe("安静的帮手");
    expect(starter && starterAbout(starter)).toMatch(/^简短而谨慎/);
  });

  it("stays as it is where the word is not known, and where it is a name", () => {
    chooseLanguage("zh");
    expect(skippedWhy({ reason: "of-tomorrow", detail: "It is not yet here." })).toBe("It is not yet here.");
    expect(rootName({ id: "workspace", label: "Harbour library" })).toBe("Harbour library");
    expect(channelName({ id: "telegram", label: "Telegram" })).toBe("Telegram");
  });
});
