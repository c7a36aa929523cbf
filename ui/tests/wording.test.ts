/**
 * What a machine can tell of how a text is written: nothing left in English, the signs of each language, a variant for
 * each form of a number. The words themselves stand in `messages/README.md`.
 */
import { describe, expect, it } from "vitest";
import { catalogue, FOLDERS, formTexts, texts, type Entry } from "./messages";

const LOCALES = ["en", "zh", "fr"];

/** Runs of words that are a name in every language. */
const NAMES = ["Catbuddy Workbench"];

/** What is said in an example, by a person or in a file: not the product's own voice. */
const isExample = (key: string): boolean => key.startsWith("example_");

function entries(locale: string): [place: string, key: string, entry: Entry][] {
  return FOLDERS.flatMap((folder) =>
    [...catalogue(folder, locale)].map(([key, entry]): [string, string, Entry] => [`${folder}: ${key}`, key, entry]),
  );
}

/** Places of texts, of one language, in which `wrong` finds something, with what it found. */
function faults(locale: string, wrong: (text: string, key: string) => string | null): string[] {
  const messages = entries(locale).flatMap(([place, key, entry]) => texts(entry).map((text) => [place, text, key]));
  const forms = formTexts(locale).map(([place, text]) => [place, text, ""]);
  return [...messages, ...forms].flatMap(([place = "", text = "", key = ""]) => {
    const fault = wrong(text, key);
    return fault === null ? [] : [`${place}: ${fault}`];
  });
}

const firstMatch = (text: string, pattern: RegExp): string | null => pattern.exec(text)?.[0] ?? null;

/** Every three words in a row, in lower case, without names and inputs. */
function triples(text: string): string[] {
  const plain = NAMES.reduce((left, name) => left.replaceAll(name, "|"), text).replace(/\{\w+\}/g, "|");
  const runs = plain.toLowerCase().match(/[a-z][\w’'-]*(?: [a-z][\w’'-]*)+/g) ?? [];
  return runs.flatMap((run) => {
    const words = run.split(" ");
    return words.slice(2).map((_, at) => words.slice(at, at + 3).join(" "));
  });
}

/** Every combination of the forms that the selectors of a message can take. */
function forms(locale: string, selectors: readonly string[]): string[] {
  const categories = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
  return selectors.reduce<string[]>(
    (all, selector) =>
      all.flatMap((before) =>
        categories.map((form) => [before, `${selector}=${form}`].filter((part) => part !== "").join(", ")),
      ),
    [""],
  );
}

describe.each(LOCALES)("texts in %s", (locale) => {
  it("have a variant for each form that a number takes", () => {
    const lacking = entries(locale).flatMap(([place, , entry]) =>
      typeof entry === "string"
        ? []
        : entry.flatMap(({ selectors, match }) =>
            forms(locale, selectors)
              .filter((form) => !(form in match))
              .map((form) => `${place}: ${form}`),
          ),
    );
    expect(lacking).toEqual([]);
  });

  it("do not raise their voice, and keep blanks single", () => {
    expect(faults(locale, (text, key) => (isExample(key) ? null : firstMatch(text, /[!！]/)))).toEqual([]);
    expect(faults(locale, (text) => firstMatch(text, /.{0,9} {2}/))).toEqual([]);
  });
});

describe.each(["zh", "fr"])("a translation into %s", (locale) => {
  it.each(FOLDERS)("leaves no English behind: %s", (folder) => {
    const english = catalogue(folder, "en");
    const left = [...catalogue(folder, locale)].flatMap(([key, entry]) => {
      const original = new Set(texts(english.get(key) ?? "").flatMap(triples));
      return texts(entry)
        .flatMap(triples)
        .filter((words) => original.has(words))
        .map((words) => `${key}: ${words}`);
    });
    expect(left).toEqual([]);
  });
});

it("the forms say each thing in every language", () => {
  const places = LOCALES.map((locale) => formTexts(locale).map(([place]) => place));
  expect(places[0]?.length).toBeGreaterThan(100);
  expect(places[1]).toEqual(places[0]);
  expect(places[2]).toEqual(places[0]);
});

describe("Chinese", () => {
  it("has one space between Chinese and what is not, and full-width signs", () => {
    const close = /\p{Script=Han}[A-Za-z0-9{$]|[A-Za-z0-9}$]\p{Script=Han}/u;
    expect(faults("zh", (text) => firstMatch(text, close))).toEqual([]);
    const spaced = /[，。；：？（）、“”] | [，。；：？（）、“”]/u;
    expect(faults("zh", (text) => firstMatch(text, spaced))).toEqual([]);
    const half = /\p{Script=Han} ?[,.;:?()"]|[,;:?()"] ?\p{Script=Han}/u;
    expect(faults("zh", (text) => firstMatch(text, half))).toEqual([]);
  });
});

describe("French", () => {
  it("has a narrow no-break space before : ; ? ! and inside « »", () => {
    // A colon in a time of day or an address belongs to it.
    const loose = /(?<![\u202f\d])[:;?!](?!\/\/)|(?<!\u202f)»|«(?!\u202f)/u;
    expect(faults("fr", (text) => firstMatch(text, loose))).toEqual([]);
  });

  it("has its own apostrophe and quotes", () => {
    expect(faults("fr", (text) => firstMatch(text, /['"“”]/))).toEqual([]);
  });
});
