/**
 * Skills of the in-memory workspace, and what can be done with them. It knows the front matter that the sample holds,
 * not YAML.
 */
import type {
  FileRef,
  NotASkill,
  SkillBudget,
  SkillCost,
  SkillDone,
  SkillField,
  SkillLink,
  SkillRow,
  SkillsChanged,
  SkillsView,
  SkillYaml,
  Reply,
  Request,
} from "../backend";
import { countBytes } from "./assemble";
import { PROJECT_FOLDER } from "./data";
import { refuse, type Documents } from "./documents";

type Name = "skills" | "skill_create" | "skill_duplicate" | "skill_delete" | "skill_restore" | "skill_switch";

export type SkillHandlers = { [K in Name]: (request: Request<K>) => Reply<K> };

/** What the handlers need of the backend. */
export interface Bench {
  documents(): Documents;
  exact(): boolean;
  sample(): boolean;
  revision(): number;
  /** Counts one change. */
  changed(): number;
}

const CONFIG = "/home/juniper/.catbuddy/config/config.json";
const TRASH = "/home/juniper/.local/share/Trash/files";
const ALWAYS_ON = ["memory", "my"];
const IN_MEMORY = "The sample lives in memory, so nothing of it is changed on disk. Open a folder to make skills.";

/** Skills that something is the matter with, for `?odd` and for tests. */
export const ODD_SKILLS: Record<string, string> = {
  "plan-trip": "---\nname: plan-trip\ndescription: Plan: rail, bus\nlicense: MIT\n---\nAsk for the day first.\n",
  "Odd--name": "---\nname: other\ndescription: >\n  Two\n  lines\n---\nSay two lines.\n",
};

const ODD_LINKS: Record<string, SkillLink> = {
  "gone-away": { text: "../../old/gone-away", resolved: null, outside: false, folder: true },
};

const skillName = (file: FileRef): string => file.path.split("/")[1] ?? file.path;
const characters = (text: string): number => [...text].length;

function frontMatter(text: string): { lines: string[]; body: string } {
  const match = /^---\n([\s\S]*?)\n---\n?/.exec(text);
  return match ? { lines: (match[1] ?? "").split("\n"), body: text.slice(match[0].length) } : { lines: [], body: text };
}

/** The fields with their values; a folded text is joined. */
function fieldsOf(lines: string[]): SkillField[] {
  const fields: SkillField[] = [];
  for (const line of lines) {
    const [, name, value = ""] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
    const last = fields.at(-1);
    if (name !== undefined) fields.push({ name, value, read: name === "description" });
    else if (last) last.value = `${last.value === ">" ? "" : `${last.value} `}${line.trim()}`;
  }
  return fields;
}

function yamlOf(lines: string[], seen: string): SkillYaml {
  const fields = fieldsOf(lines);
  const at = lines.findIndex((line) => /^[\w-]+: [^"'].*: /.test(line));
  const description = fields.find((field) => field.name === "description")?.value ?? null;
  if (at >= 0) {
    const column = (lines[at] ?? "").lastIndexOf(": ") + 1;
    return {
      description: null,
      fields: [],
      error: { line: at + 2, column, message: "mapping values are not allowed in this context" },
      lost: fields.map((field) => field.name),
      disagree: `The agent lists this skill as "${seen}". Programs that read YAML drop it without a word. Put the description in quotes.`,
    };
  }
  const differ = description !== null && description !== seen;
  const disagree = differ ? `The agent lists "${seen}"; programs that read YAML show "${description}".` : null;
  return { description, fields, error: null, lost: [], disagree };
}

/** The first rule of the open standard that a name breaks. */
function nameProblem(name: string): string | null {
  if (name === "") return "A skill needs a name.";
  if (name.length > 64) return "The name has more than 64 characters. Other programs leave such a skill out.";
  if (!/^[a-z0-9-]+$/.test(name))
    return "Only small letters a–z, digits and hyphens work everywhere. Other programs leave this skill out.";
  if (/^-|-$/.test(name)) return "The name begins or ends with a hyphen. Other programs leave this skill out.";
  return name.includes("--") ? "The name has two hyphens in a row. Other programs leave this skill out." : null;
}

export class Skills {
  private readonly disabled = new Set<string>();
  private readonly trash = new Map<string, { file: FileRef; text: string }>();
  private readonly links = new Map<string, SkillLink>();
  private configProblem: string | null = null;

  constructor(private readonly bench: Bench) {}

  /** Another workspace. */
  reset(odd: boolean): void {
    this.disabled.clear();
    this.trash.clear();
    this.links.clear();
    this.configProblem = null;
    if (odd) for (const [name, link] of Object.entries(ODD_LINKS)) this.links.set(name, link);
  }

  /** The files that the assembly reads. */
  read(): FileRef[] {
    const files = this.files();
    return files.filter((file) => !this.off(skillName(file)) && !this.hidden(file, files));
  }

  /** The configuration cannot be read any more. For tests. */
  breakConfig(message: string): void {
    this.configProblem = message;
  }

  private files(): FileRef[] {
    const documents = this.bench.documents();
    return documents.files().filter((file) => file.path.startsWith("skills/") && documents.text(file) !== null);
  }

  private off = (name: string): boolean => this.disabled.has(name) && !ALWAYS_ON.includes(name);

  private hidden(file: FileRef, files: FileRef[]): boolean {
    const twin = files.some((other) => other.root === "workspace" && skillName(other) === skillName(file));
    return file.root === "app" && twin;
  }

  private cost(text: string): SkillCost {
    return countBytes(new TextEncoder().encode(text).length, this.bench.exact());
  }

  private row(file: FileRef, files: FileRef[]): SkillRow {
    const documents = this.bench.documents();
    const text = documents.text(file) ?? "";
    const name = skillName(file);
    const { lines, body } = frontMatter(text);
    const description = (/^description:[ ]*(.*)$/m.exec(lines.join("\n"))?.[1] ?? "").replace(/^"(.*)"$/, "$1");
    const yaml = yamlOf(lines, description);
    const always = ALWAYS_ON.includes(name) || /^always: true$/m.test(lines.join("\n"));
    const hidden = this.hidden(file, files);
    const state = hidden ? "shadowed" : this.off(name) ? "disabled" : always ? "always" : "on_demand";
    const reason = hidden
      ? "The workspace has a skill of this name, and that one is read."
      : state === "disabled"
        ? "It is named in the list of disabled skills."
        : null;
    const line = `- **${name}**: ${description}`;
    const path = documents.absolute(file);
    const twin = files.find((other) => other.root !== file.root && skillName(other) === name);
    const own = yaml.fields.find((field) => field.name === "name")?.value;
    const problem = nameProblem(name);
    return {
      name,
      origin: file.root === "app" ? "builtin" : "workspace",
      state,
      reason,
      description,
      folder: path.slice(0, path.lastIndexOf("/")),
      path,
      root: file.root,
      relative: file.path,
      bytes: new TextEncoder().encode(text).length,
      injected: state === "always",
      leaks: lines.length === 0,
      line,
      line_tokens: this.cost(line),
      body_tokens: this.cost(body),
      yaml,
      link: null,
      twin: twin ? (twin.root === "app" ? "builtin" : "workspace") : null,
      problems: [
        ...(problem === null ? [] : [problem]),
        ...(own !== undefined && own !== name
          ? [`The front matter says "${own}", the folder "${name}". The agent goes by the folder.`]
          : []),
      ],
      locked: ALWAYS_ON.includes(name)
        ? `The agent always loads "${name}", whatever its configuration says, so it cannot be switched off.`
        : null,
    };
  }

  private broken(name: string, link: SkillLink): SkillRow {
    const folder = `${PROJECT_FOLDER}/skills/${name}`;
    return {
      name,
      origin: "workspace",
      state: "broken",
      reason: "SKILL.md is a link that leads nowhere.",
      description: "",
      folder,
      path: `${folder}/SKILL.md`,
      root: null,
      relative: null,
      bytes: null,
      injected: false,
      leaks: false,
      line: null,
      line_tokens: null,
      body_tokens: null,
      yaml: null,
      link,
      twin: null,
      problems: [],
      locked: null,
    };
  }

  private view(): SkillsView {
    const files = this.files();
    const skills = [
      ...files.map((file) => this.row(file, files)),
      ...[...this.links].map(([name, link]) => this.broken(name, link)),
    ];
    const order = ["always", "on_demand", "disabled", "shadowed", "broken"];
    skills.sort((a, b) => Math.max(1, order.indexOf(a.state)) - Math.max(1, order.indexOf(b.state)));
    const of = (state: string): number => skills.filter((skill) => skill.state === state).length;
    const listed = skills.filter((skill) => skill.state === "on_demand");
    const notSkills: NotASkill[] =
      this.links.size > 0 ? [{ name: "drafts", path: `${PROJECT_FOLDER}/skills/drafts/SKILL.md` }] : [];
    return {
      schema_version: 1,
      revision: this.bench.revision(),
      counts: {
        found: skills.length,
        loaded: of("always") + of("on_demand"),
        always: of("always"),
        on_demand: of("on_demand"),
        disabled: of("disabled"),
        shadowed: of("shadowed"),
        broken: of("broken"),
      },
      skills,
      not_skills: notSkills,
      list_tokens: this.cost(listed.map((skill) => skill.line).join("\n")),
      budgets: [
        budget("catbuddy", "catbuddy", null, null, listed),
        budget("claude-code", "Claude Code", 8_000, 1_536, listed),
        budget("openclaw", "OpenClaw", 18_000, null, listed),
      ],
      folder: `${PROJECT_FOLDER}/skills`,
      config: CONFIG,
      config_problem: this.configProblem,
      read_only: this.bench.sample() ? IN_MEMORY : null,
    };
  }

  private done(name: string, path: string, more: Partial<SkillDone> = {}): SkillsChanged {
    this.bench.changed();
    const done = { schema_version: 1, name, path, changed: true, notes: [], trashed: null, ...more };
    return { done, skills: this.view() };
  }

  /** Writes a skill of the workspace where none is. */
  private make(name: string, text: string): string {
    if (this.bench.sample()) throw refuse("invalid", IN_MEMORY);
    const problem = nameProblem(name);
    if (problem !== null) throw refuse("invalid", problem, { name });
    const file: FileRef = { root: "workspace", path: `skills/${name}/SKILL.md` };
    const documents = this.bench.documents();
    const path = documents.absolute(file);
    if (documents.has(file) || this.links.has(name)) throw refuse("invalid", `${path} exists already.`, { path });
    documents.add(file, text);
    return path;
  }

  private find(name: string, origin: string): { file: FileRef; text: string } {
    const documents = this.bench.documents();
    const root = origin === "builtin" ? "app" : "workspace";
    const file: FileRef = { root, path: `skills/${name}/SKILL.md` };
    const text = documents.has(file) ? documents.text(file) : null;
    if (text === null) throw refuse("not_found", `There is no skill "${name}" here. Look at the list again.`, { name });
    return { file, text };
  }

  readonly handlers: SkillHandlers = {
    skills: () => this.view(),
    skill_create: ({ name, description, body }) => {
      const said = description.includes(": ") ? `"${description}"` : description;
      const text = `---\nname: ${name}\ndescription: ${said}\n---\n\n${body || "## When to use this\n"}`;
      return this.done(name, this.make(name, text));
    },
    skill_duplicate: ({ skill, name }) => {
      const { text } = this.find(skill.name, skill.origin);
      const taken = (one: string) => this.files().some((file) => skillName(file) === one);
      let next = name ?? skill.name;
      for (let number = 2; name === null && skill.origin === "workspace" && taken(next); number++)
        next = `${skill.name}-${number}`;
      return this.done(next, this.make(next, text.replace(/^name: .*$/m, `name: ${next}`)));
    },
    skill_delete: ({ name, origin }) => {
      if (this.bench.sample()) throw refuse("invalid", IN_MEMORY);
      if (origin === "builtin")
        throw refuse("invalid", `"${name}" belongs to the app and is not deleted here. Switch it off instead.`);
      const stored = `${TRASH}/${name}`;
      const original = `${PROJECT_FOLDER}/skills/${name}`;
      if (this.links.delete(name)) return this.done(name, original, { trashed: { name, original, stored } });
      const { file, text } = this.find(name, origin);
      this.trash.set(stored, { file, text });
      this.bench.documents().remove(file);
      return this.done(name, original, { trashed: { name, original, stored } });
    },
    skill_restore: ({ name, original, stored }) => {
      const kept = this.trash.get(stored);
      const link = ODD_LINKS[name];
      if (kept) this.bench.documents().add(kept.file, kept.text);
      else if (link) this.links.set(name, link);
      else throw refuse("not_found", `"${name}" is not in the trash any more.`, { path: stored });
      this.trash.delete(stored);
      return this.done(name, original);
    },
    skill_switch: ({ name, enabled }) => {
      if (this.bench.sample()) throw refuse("invalid", IN_MEMORY);
      if (this.configProblem !== null) throw refuse("invalid", this.configProblem, { path: CONFIG });
      const changed = this.disabled.has(name) === enabled;
      if (enabled) this.disabled.delete(name);
      else this.disabled.add(name);
      return this.done(name, CONFIG, { changed });
    },
  };
}

function budget(
  program: string,
  label: string,
  limit: number | null,
  entry: number | null,
  listed: SkillRow[],
): SkillBudget {
  let used = 0;
  let cutAt: string | null = null;
  for (const [at, { line, name }] of listed.entries()) {
    used += characters(line ?? "") + (at > 0 ? 1 : 0);
    if (limit !== null && used > limit) cutAt ??= name;
  }
  const long = listed.filter(({ description }) => entry !== null && characters(description) > entry);
  return {
    program,
    label,
    limit,
    used,
    cut_at: cutAt,
    entry_limit: entry,
    too_long: long.map(({ name }) => name),
  };
}
