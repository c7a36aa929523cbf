/** Three languages: chosen before the first picture, changed at once, and translated as a whole. */
import { readFileSync } from "node:fs";
import { screen, waitFor } from "@testing-library/svelte";
import { afterEach, describe, expect, it, vi } from "vitest";
import { MemoryBackend } from "../src/backend/memory";
import { number } from "../src/messages/format";
import { chooseLanguage, startLanguage } from "../src/messages/locale";
import { catalogue, FOLDERS, texts, type Entry } from "./messages";
import { editor, openWorkspace, type, USER_FILE } from "./window";

/**
 * False while English still grows: then a message that is in zh or fr must be right, and one may be missing. True is
 * the end of it: every message in every language.
 */
const { complete } = JSON.parse(readFileSync("tests/translations.json", "utf8")) as { complete: boolean };

/** Names between braces, of all variants of a message together. */
const inputs = (entry: Entry): string[] => {
  const names = texts(entry).flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ""));
  return [...new Set(names)].sort();
};

const declared = (entry: Entry): string[] =>
  typeof entry === "string" ? [] : entry.flatMap(({ declarations }) => declarations).sort();

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
  chooseLanguage(null);
});

describe.each(["zh", "fr"])("the catalogue in %s", (locale) => {
  it.each(FOLDERS)("has what English has, with the same inputs: %s", (folder) => {
    const english = catalogue(folder, "en");
    const translated = catalogue(folder, locale);
    expect([...translated.keys()].filter((key) => !english.has(key))).toEqual([]);
    const wrong = [...translated].flatMap(([key, entry]) => {
      const original = english.get(key);
      if (original === undefined) return [];
      const same =
        inputs(entry).join() === inputs(original).join() && declared(entry).join() === declared(original).join();
      return same && texts(entry).every((text) => text.trim() !== "") ? [] : [key];
    });
    expect(wrong, "other inputs than in English, or no text").toEqual([]);
    const missing = [...english.keys()].filter((key) => !translated.has(key));
    if (complete) expect(missing).toEqual([]);
  });
});

describe("the language of the window", () => {
  it("is the desktop's at first, as far as there is one", () => {
    const languages = vi.spyOn(navigator, "languages", "get");
    languages.mockReturnValue(["fr-CA", "en"]);
    expect(startLanguage()).toBe("fr");
    expect(document.documentElement.lang).toBe("fr");
    languages.mockReturnValue(["fi", "zh-TW"]);
    expect(startLanguage()).toBe("zh");
    languages.mockReturnValue(["fi"]);
    expect(startLanguage()).toBe("en");
  });

  it("is known before the backend has answered, once it was chosen", () => {
    chooseLanguage("fr");
    expect(startLanguage()).toBe("fr");
    chooseLanguage(null);
    expect(startLanguage()).toBe("en");
    localStorage.setItem("cbw.language", "tlh");
    expect(startLanguage(), "a language that is not there").toBe("en");
  });

  it("changes at once, with numbers, and keeps the page, the focus and the draft", async () => {
    const { user, backend } = await openWorkspace();
    type("x", 0);
    await waitFor(() => expect(backend.disk(USER_FILE)).toBeNull());
    await user.keyboard("{Control>},{/Control}");
    await user.selectOptions(await screen.findByTestId("settings-language"), "fr");
    await waitFor(() => expect(document.documentElement.lang).toBe("fr"));
    expect(number(18_706)).toBe(new Intl.NumberFormat("fr").format(18_706));
    const language = await screen.findByTestId("settings-language");
    expect(language).toHaveValue("fr");
    await waitFor(() => expect(language).toHaveFocus());
    await user.selectOptions(language, "");
    await waitFor(() => expect(document.documentElement.lang).toBe("en"));
    await user.keyboard("{Control>}2{/Control}");
    await screen.findByTestId("editor");
    expect(editor().state.doc.line(1).text).toBe("x# About the person you help");
  });

  it("is what the settings say, whatever this window remembered", async () => {
    localStorage.setItem("cbw.language", "zh");
    expect(startLanguage()).toBe("zh");
    const call = vi.spyOn(MemoryBackend.prototype, "call");
    await openWorkspace();
    expect(call).toHaveBeenCalledWith("boot", {});
    expect(document.documentElement.lang).toBe("en");
  });
});
