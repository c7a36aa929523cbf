/** The catalogue as its files hold it, for tests that read every text of a language. */
import { readdirSync, readFileSync } from "node:fs";

/** A message: one text, or a text for each form that a number takes in its language. */
export type Entry = string | { declarations: string[]; selectors: string[]; match: Record<string, string> }[];

const areas = readdirSync("messages", { withFileTypes: true }).filter((entry) => entry.isDirectory());

/** Where messages are: the core, and each area. */
export const FOLDERS = ["messages", ...areas.map(({ name }) => `messages/${name}`)];

export function catalogue(folder: string, locale: string): Map<string, Entry> {
  const messages = JSON.parse(readFileSync(`${folder}/${locale}.json`, "utf8")) as Record<string, Entry>;
  return new Map(Object.entries(messages).filter(([key]) => key !== "$schema"));
}

export const texts = (entry: Entry): string[] =>
  typeof entry === "string" ? [entry] : entry.flatMap(({ match }) => Object.values(match));

const FORMS = "../crates/workspace/forms";

/** What the forms say in a language, each text with its place: they are data of the backend, by the same glossary. */
export function formTexts(locale: string): [place: string, text: string][] {
  return readdirSync(FORMS).flatMap((file) => {
    const lines = readFileSync(`${FORMS}/${file}`, "utf8").split("\n");
    return lines.flatMap((line, at): [string, string][] => {
      const said = new RegExp(`[{ ]${locale} = "((?:[^"\\\\]|\\\\.)*)"`).exec(line)?.[1];
      return said === undefined ? [] : [[`${file}:${at + 1}`, said.replaceAll("\\", "")]];
    });
  });
}
