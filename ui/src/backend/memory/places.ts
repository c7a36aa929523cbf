/** Projects, the switch of the global profile, and what is remembered, of the in-memory workspace. */
import type {
  AboutView,
  FilesMade,
  LastSeen,
  ProjectFolder,
  ProjectList,
  ProjectRow,
  ProjectsChange,
  ProjectView,
} from "../backend";
import { GLOBAL_FOLDER, PROJECT_FOLDER } from "./data";
import { refuse } from "./documents";

const HARBOUR = "/home/juniper/harbour";

const held = (path: string, layout: ProjectFolder["layout"], files: string[], changed: string): ProjectFolder => ({
  path: layout === "inner" ? `${path}/.catbuddy/workspace` : `${path}/.catbuddy`,
  layout,
  files,
  skills: 0,
  changed,
});

const row = (path: string, name: string, more: Partial<ProjectRow>): ProjectRow => ({
  path,
  name,
  own_name: name,
  open: false,
  problem: null,
  workspace: `${path}/.catbuddy`,
  layout: null,
  folders: [],
  own_profile: false,
  channel: null,
  variant: null,
  ...more,
});

const START: ProjectRow[] = [
  row(HARBOUR, "Harbour library", {
    workspace: PROJECT_FOLDER,
    folders: [held(HARBOUR, "inner", ["AGENTS.md", "SOUL.md", "TOOLS.md"], "2026-11-28T10:00:00Z")],
    channel: "telegram",
  }),
  row("/home/juniper/recipes", "Recipe desk", {
    problem: "two_layouts",
    workspace: null,
    folders: [
      held("/home/juniper/recipes", "outer", ["SOUL.md"], "2026-03-02T08:00:00Z"),
      held("/home/juniper/recipes", "inner", ["AGENTS.md", "SOUL.md"], "2026-11-30T18:20:00Z"),
    ],
  }),
  row("/home/juniper/kiln", "Kiln", { problem: "no_workspace" }),
  row("/mnt/attic", "Attic", { problem: "gone" }),
];

const PROBLEMS: Partial<Record<NonNullable<ProjectRow["problem"]>, string>> = {
  gone: "The folder is gone.",
  unreadable: "The folder cannot be read.",
};

export class Places {
  private rows = START.map((one) => ({ ...one }));
  /** Workspaces whose own profile is read. */
  private readonly own = new Set<string>();
  private readonly seen = new Map<string, LastSeen>();

  list(open: string | null): ProjectList {
    const projects = this.rows.map((one) => ({
      ...one,
      open: one.workspace !== null && one.workspace === open,
      own_profile: one.workspace !== null && this.own.has(one.workspace),
    }));
    return { projects, findings: [] };
  }

  views(open: string | null): ProjectView[] {
    return this.list(open).projects.map(({ name, path, problem, open: isOpen }) => ({
      name,
      path,
      problem: problem === null ? null : (PROBLEMS[problem] ?? null),
      open: isOpen,
    }));
  }

  find(path: string): ProjectRow | undefined {
    return this.rows.find((one) => one.path === path);
  }

  change(change: ProjectsChange): void {
    const path = change.path.replace(/\/\.catbuddy(\/workspace)?$/, "");
    const at = this.rows.findIndex((one) => one.path === path);
    const known = this.rows[at];
    if (change.kind === "add" || change.kind === "restore") {
      if (known) return;
      const name = path.split("/").at(-1) ?? path;
      const old = START.find((one) => one.path === path);
      const fresh = old ? { ...old } : row(path, name, { own_name: null, problem: "no_workspace" });
      if (change.kind === "add") this.rows.push(fresh);
      else this.rows.splice(change.position, 0, { ...fresh, name: change.name ?? name, own_name: change.name });
      return;
    }
    if (!known) throw refuse("not_found", `${path} is not in the list of projects.`, { path });
    if (change.kind === "remove") this.rows.splice(at, 1);
    else if (change.kind === "move") {
      this.rows.splice(at, 1);
      this.rows.splice(Math.min(change.position, this.rows.length), 0, known);
    } else if (change.kind === "rename") {
      known.own_name = change.name.trim() || null;
      known.name = known.own_name ?? path.split("/").at(-1) ?? path;
    } else {
      known.layout = change.layout;
      known.problem = null;
      known.workspace = known.folders.find((folder) => folder.layout === change.layout)?.path ?? null;
    }
  }

  chooseProfile(workspace: string, own: boolean): void {
    if (own) this.own.add(workspace);
    else this.own.delete(workspace);
  }

  ownProfile(workspace: string): boolean {
    return this.own.has(workspace);
  }

  remember(workspace: string, seen: LastSeen): void {
    this.seen.set(workspace, seen);
  }

  lastSeen(workspace: string): LastSeen {
    return this.seen.get(workspace) ?? { file: null, page: null, view: null };
  }

  makeFiles(path: string): FilesMade {
    const made = this.rows.find((one) => one.workspace === path);
    const names = ["AGENTS.md", "SOUL.md", "TOOLS.md"];
    if (made) {
      made.problem = null;
      made.folders = [{ layout: "outer", path, files: names, skills: 0, changed: "2026-12-01T09:12:00Z" }];
    }
    return { created: names.map((name) => `${path}/${name}`), kept: [], without_template: ["HEARTBEAT.md"] };
  }

  about(app: string | null): AboutView {
    return {
      folder: GLOBAL_FOLDER.replace("workspace", "workbench"),
      log: GLOBAL_FOLDER.replace("workspace", "workbench/log"),
      history_bytes: 48_211_968,
      history: {
        assemblies: { count: 1204, bytes: 31_457_280 },
        versions: { count: 87, bytes: 14_680_064 },
        drafts: { count: 2, bytes: 16_384 },
        other: 2_058_240,
      },
      diagnostics: "Catbuddy Workbench 0.1.0\nsystem: linux x86_64\n",
      app: app === null ? null : { path: app, templates: 2, skills: 5, missing: ["agent/platform_policy.md"] },
    };
  }
}
