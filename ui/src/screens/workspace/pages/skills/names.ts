/** The rules for a skill's name, while it is being typed. Whether it is taken on disk, the backend has the last word. */
import type { SkillRow } from "../../../../backend/backend";
import { m } from "../../../../messages";
import { number } from "../../../../messages/format";

/** Characters that a name may have, by the open standard for skills. */
const LONGEST = 64;
/** Characters that other programs take of a description. */
export const LONGEST_DESCRIPTION = 1024;

/** Characters as people count them, near enough. */
export const characters = (text: string): number => [...text].length;

/** The first rule that `name` breaks; `null`: none. */
export function nameProblem(name: string, skills: readonly SkillRow[]): string | null {
  if (name === "") return m.skills_name_empty();
  if (!/^[a-z0-9-]+$/.test(name)) return m.skills_name_characters();
  if (name.length > LONGEST) return m.skills_name_long({ count: number(name.length) });
  if (name.startsWith("-") || name.endsWith("-")) return m.skills_name_edge();
  if (name.includes("--")) return m.skills_name_double();
  return skills.some((skill) => skill.origin === "workspace" && skill.name === name) ? m.skills_name_taken() : null;
}

/** `name-2`, `name-3` …: the first that no skill has. */
export function nextFree(name: string, skills: readonly SkillRow[]): string {
  const stem = name.replace(/-\d+$/, "");
  for (let next = 2; ; next++) {
    const ending = `-${next}`;
    const made = stem.slice(0, LONGEST - ending.length).replace(/-+$/, "") + ending;
    if (!skills.some((skill) => skill.name === made)) return made;
  }
}
