/** The skills as the page shows them: which are shown, which is chosen, and what was done last. */
import {
  asApiError,
  type SkillRow,
  type SkillsChanged,
  type SkillsView,
  type SkillTrashed,
} from "../../../../backend/backend";
import { m } from "../../../../messages";
import type { Session } from "../../../../state/session.svelte";

export type StateFilter = "all" | "always" | "on_demand" | "disabled" | "shadowed" | "broken";

export const keyOf = (skill: Pick<SkillRow, "name" | "origin">): string => `${skill.origin}/${skill.name}`;

const fold = (text: string): string => text.normalize("NFKC").toLowerCase();

export class Shelf {
  view = $state.raw<SkillsView | null>(null);
  search = $state("");
  filter = $state<StateFilter>("all");
  /** Which one is chosen, by {@link keyOf}. */
  chosen = $state<string | null>(null);
  /** Why the last action was refused. */
  refusal = $state<string | null>(null);
  /** What to know about the last action. */
  notes = $state.raw<string[]>([]);
  trashed = $state.raw<SkillTrashed | null>(null);
  busy = $state(false);
  private loading = false;
  private again = false;

  readonly shown = $derived.by(() => {
    const wanted = fold(this.search.trim());
    return (this.view?.skills ?? []).filter(
      (skill) =>
        (this.filter === "all" || skill.state === this.filter) &&
        (wanted === "" || fold(`${skill.name}\n${skill.description}`).includes(wanted)),
    );
  });

  /** The place of the chosen one among those shown; the first when it is not there; -1 without any. */
  readonly at = $derived.by(() => {
    const at = this.shown.findIndex((skill) => keyOf(skill) === this.chosen);
    return at < 0 && this.shown.length > 0 ? 0 : at;
  });

  readonly current = $derived<SkillRow | null>(this.shown[this.at] ?? null);

  constructor(private readonly session: Session) {}

  /** Reads the skills; what is asked for meanwhile is one more reading afterwards. */
  async load(): Promise<void> {
    if (this.loading) {
      this.again = true;
      return;
    }
    this.loading = true;
    try {
      this.view = await this.session.backend.call("skills", {});
    } catch (thrown) {
      this.refusal = asApiError(thrown).message;
    } finally {
      this.loading = false;
    }
    if (!this.again) return;
    this.again = false;
    await this.load();
  }

  /** Does something; the list, the preview and the files follow. Returns the skill's name, or `null` when refused. */
  async act(action: () => Promise<SkillsChanged>, said: (name: string) => string): Promise<string | null> {
    if (this.busy) return null;
    this.busy = true;
    this.refusal = null;
    this.notes = [];
    try {
      const { done, skills } = await action();
      this.view = skills;
      this.trashed = done.trashed;
      this.notes = done.notes;
      this.session.announcer.say(said(done.name));
      await this.session.refresh();
      return done.name;
    } catch (thrown) {
      this.refusal = asApiError(thrown).message;
      // What the page believed is not so any more.
      void this.load();
      return null;
    } finally {
      this.busy = false;
    }
  }

  /** Makes a skill, or copies one, and chooses it. Returns whether it was done. */
  async make(action: () => Promise<SkillsChanged>, said: (name: string) => string): Promise<boolean> {
    const name = await this.act(action, said);
    if (name === null) return false;
    this.search = "";
    this.filter = "all";
    this.chosen = keyOf({ name, origin: "workspace" });
    return true;
  }

  copyBuiltin(skill: SkillRow): Promise<boolean> {
    const { name, origin } = skill;
    const copy = { skill: { name, origin }, name: null };
    return this.make(
      () => this.session.backend.call("skill_duplicate", copy),
      (made) => m.skills_made({ name: made }),
    );
  }

  /** Takes a skill to the trash; the next one is chosen. */
  async delete({ name, origin }: SkillRow): Promise<boolean> {
    const next = this.shown[this.at + 1] ?? this.shown[this.at - 1];
    const done = await this.act(
      () => this.session.backend.call("skill_delete", { name, origin }),
      () => m.skills_deleted({ name }),
    );
    if (done !== null) this.chosen = next ? keyOf(next) : null;
    return done !== null;
  }

  async undo(): Promise<boolean> {
    const { trashed } = this;
    if (!trashed) return false;
    return this.make(
      () => this.session.backend.call("skill_restore", trashed),
      (name) => m.skills_restored({ name }),
    );
  }

  async toggle(skill: SkillRow): Promise<void> {
    const off = this.switchOff(skill);
    if (off !== null) {
      this.session.announcer.say(off);
      return;
    }
    const { name } = skill;
    const enabled = skill.state === "disabled";
    await this.act(
      () => this.session.backend.call("skill_switch", { name, enabled }),
      () => (enabled ? m.skills_enabled({ name }) : m.skills_disabled({ name })),
    );
  }

  /** Why nothing can be changed; `null`: it can. */
  readonly off = $derived(this.view?.read_only === null ? null : m.skills_read_only());

  /** Why a skill can neither be disabled nor enabled; `null`: it can. */
  switchOff(skill: SkillRow): string | null {
    if (this.off !== null) return this.off;
    return skill.locked === null ? null : m.skills_locked({ name: skill.name });
  }

  deleteOff(skill: SkillRow): string | null {
    return this.off ?? (skill.origin === "builtin" ? m.skills_delete_builtin() : null);
  }
}
