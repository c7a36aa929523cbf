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
