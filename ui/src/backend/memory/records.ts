/** Contexts and history of the in-memory workspace. */
import type {
  ContextCheck,
  ContextList,
  ContextSave,
  ContextValueView,
  ContextView,
  HistoryPage,
  HistoryRequest,
  RetentionRequest,
  RetentionView,
  HistoryRowView,
} from "../backend";
import { CONTEXT_KEYS } from "./data";
import { refuse } from "./documents";

const PAGE = 50;

/** Named contexts, with the checks that the real ones have. */
export class Contexts {
  private readonly texts = new Map<string, string>([
    ["evening", '{\n  "time": "2026-12-01T20:15:00Z",\n  "time_zone": "Europe/Lisbon"\n}\n'],
    ["telegram group", '{\n  "channel": "telegram",\n  "web_tools": true\n}\n'],
  ]);

  list(current: string | null): ContextList {
    const names = [...this.texts.keys()].sort();
    return { names, current: current !== null && this.texts.has(current) ? current : null, keys: CONTEXT_KEYS };
  }

  view(name: string): ContextView {
    const json = this.texts.get(name);
    if (json === undefined) throw refuse("not_found", `There is no context “${name}”.`, { name });
    return { name, json, values: this.check(json).values };
  }

  save({ name, json }: ContextSave): void {
    const { error } = this.check(json);
    if (error !== null) throw refuse("invalid", error);
    this.texts.set(name, json);
  }

  remove(name: string): void {
    if (!this.texts.delete(name)) throw refuse("not_found", `There is no context “${name}”.`, { name });
  }

  /** The message being sent, when a context sets it. */
  value(name: string | null, key: string): unknown {
    const json = name === null ? undefined : this.texts.get(name);
    return json === undefined ? undefined : (JSON.parse(json) as Record<string, unknown>)[key];
  }

  check(json: string): ContextCheck {
    const values: ContextValueView[] = [];
    let given: Record<string, unknown> = {};
    let error: string | null = null;
    let wrong: string | null = null;
    try {
      given = JSON.parse(json) as Record<string, unknown>;
    } catch (thrown) {
      error = `This is no JSON: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
    }
    for (const name of Object.keys(given)) {
      if (name === "x" || CONTEXT_KEYS.some((key) => key.name === name)) continue;
      error = `There is no key “${name}”.`;
      wrong = name;
    }
    for (const key of CONTEXT_KEYS) {
      const set = Object.hasOwn(given, key.name);
      if (!set && key.default === "absent") continue;
      const value = set ? JSON.stringify(given[key.name]) : key.default;
      values.push({ key: key.name, value, origin: set ? "file" : key.group === "machine" ? "machine" : "default" });
    }
    return { error, key: wrong, values };
  }
}

/** 120 invented assemblies and those of this session, newest first. */
export class History {
  private readonly rows: HistoryRowView[] = [];

  constructor(private readonly workspace: string) {
    const day = 86_400_000;
    const end = Date.parse("2026-11-30T18:00:00Z");
    for (let id = 1; id <= 120; id++) {
      const time = new Date(end - (120 - id) * (day / 4)).toISOString();
      this.add({ time, tokens: 5000 + ((id * 37) % 600), prefix: id === 1 ? null : 4000 + ((id * 53) % 900) });
    }
  }

  add(row: { time: string; tokens: number; prefix: number | null; channel?: string | null; reason?: string }): void {
    this.rows.unshift({
      id: this.rows.length + 1,
      time: row.time,
      last_seen: row.time,
      seen: 1 + (this.rows.length % 3),
      workspace: this.workspace,
      channel: row.channel ?? "desktop",
      variant: "catbuddy",
      model: "sample-exact",
      reason: row.reason ?? "save",
      tokens: row.tokens,
      prefix_tokens: row.prefix,
    });
  }

  /** What limits would remove: here, each row but the newest once there is any limit in days. */
  goes({ history_days }: RetentionRequest): RetentionView {
    return { assemblies: history_days === null ? 0 : Math.max(0, this.rows.length - 1), versions: 0 };
  }

  page(request: HistoryRequest): HistoryPage {
    const wanted = this.rows.filter((row) => request.channel === null || row.channel === request.channel);
    const { before } = request;
    const rows = wanted.filter((row) => before === null || row.id < before).slice(0, request.limit ?? PAGE);
    return { rows, count: wanted.length };
  }
}
