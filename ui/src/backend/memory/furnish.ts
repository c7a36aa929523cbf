/** The files of the in-memory workspace, and the states that its options ask for. */
import type { FileRef } from "../backend";
import * as data from "./data";
import type { Documents } from "./documents";
import { FOREIGN_FILE } from "./fixes";
import type { MemoryOptions } from "./options";
import { ODD_SKILLS } from "./skills";

/** Fills `documents`. Returns the files whose drafts are back from the last time. */
export function furnish(documents: Documents, options: MemoryOptions): FileRef[] {
  for (const [path, text] of Object.entries(data.GLOBAL_FILES)) documents.add({ root: "global", path }, text);
  for (const [path, text] of Object.entries(data.PROJECT_FILES)) documents.add({ root: "workspace", path }, text);
  for (let index = 1; index <= (options.skills ?? 0); index++) {
    const id = `skill-${String(index).padStart(3, "0")}`;
    const body = `- Step ${index}: look, say what was seen, wait for a yes.\n`.repeat(48);
    const text = `---\nname: ${id}\ndescription: Sample skill ${index}.\nalways: true\n---\n${body}`;
    documents.add({ root: "workspace", path: `skills/${id}/SKILL.md` }, text);
  }
  for (const [id, text] of Object.entries(options.odd ? ODD_SKILLS : {}))
    documents.add({ root: "workspace", path: `skills/${id}/SKILL.md` }, text);
  const reason = "This file belongs to the installed app. Copy it into the workspace to change it.";
  documents.add({ root: "app", path: "skills/memory/SKILL.md" }, data.MEMORY_SKILL, {
    state: "read_only",
    reason,
    kind: "app_file",
  });
  const user: FileRef = { root: "global", path: "USER.md" };
  const profile = data.GLOBAL_FILES["USER.md"] ?? "";
  if (options.restored) documents.restore(user, `From last time.\n${profile}`, profile);
  if (options.near) documents.add(FOREIGN_FILE, null);
  if (options.foreign) {
    const why = "The file is not UTF-8: the first bad byte is at offset 2. It opens for reading only.";
    documents.add(FOREIGN_FILE, "# \uFFFD\uFFFD\n", { state: "read_only", reason: why, encoding: "GBK" });
  }
  documents.versions.keep(user, profile.replace("Juniper Vale", "Juni V."), "found", "2026-11-12T08:40:00.000Z");
  documents.versions.keep(user, profile.split("\n").slice(0, -3).join("\n"), "saved", "2026-11-20T17:22:00.000Z");
  documents.versions.keep(user, profile, "saved", "2026-11-28T09:05:00.000Z");
  if (options.conflict) {
    const line = profile.indexOf("\n", profile.indexOf("## ")) + 1;
    const at = profile.lastIndexOf("\n", profile.length - 2) + 1;
    documents.restore(user, `${profile.slice(0, at)}- Answer in short, and in Spanish.\nMine too.\n`, profile);
    documents.writeOutside(
      user,
      `${profile.slice(0, line)}Their new line.\n${profile.slice(line, at)}- Answer in long, and in French.\n`,
    );
  }
  return options.restored ? [user] : [];
}
