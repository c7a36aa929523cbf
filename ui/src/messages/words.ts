/**
 * What the backend says in English beside a word to branch on, in the window's language.
 *
 * English keeps the backend's own sentence, which may say more than the word does. So does a word that is not known
 * here: it is better read in English than not at all.
 */
import type { ChannelView, IgnoredView, RootView, SkillRow, SkippedView, StarterView } from "../backend/backend";
import { baseLocale, getLocale } from "./compiled/runtime.js";
import { m } from "./index";

const CHANNELS: Record<string, () => string> = {
  cli: m.word_channel_cli,
  desktop: m.word_channel_desktop,
  email: m.word_channel_email,
};

const ROOTS: Record<string, () => string> = { app: m.word_root_app, global: m.word_root_global };

const SKIPPED: Record<string, () => string> = {
  missing: m.word_skipped_missing,
  empty: m.word_skipped_empty,
  "still-default": m.word_skipped_still_default,
  unreadable: m.word_skipped_unreadable,
  "global-read-instead": m.word_skipped_global_read_instead,
  "not-read": m.word_never_read,
  disabled: m.word_skipped_disabled,
  shadowed: m.word_skipped_shadowed,
  budget: m.word_skipped_budget,
  "template-missing": m.word_skipped_template_missing,
  "template-broken": m.word_skipped_template_broken,
  "nothing-to-show": m.word_skipped_nothing_to_show,
};

const STARTERS: Record<string, { name: () => string; about: () => string }> = {
  "quiet-helper": { name: m.word_starter_quiet_helper, about: m.word_starter_quiet_helper_about },
  "study-partner": { name: m.word_starter_study_partner, about: m.word_starter_study_partner_about },
  empty: { name: m.word_starter_empty, about: m.word_starter_empty_about },
};

const said = (english: string, own: (() => string) | undefined): string =>
  getLocale() === baseLocale ? english : (own?.() ?? english);

/** A channel's name. Names of products stay as they are. */
export const channelName = ({ id, label }: ChannelView): string => said(label, CHANNELS[id]);

/** A root's name; a project's own name is the person's. */
export const rootName = ({ id, label }: Pick<RootView, "id" | "label">): string => said(label, ROOTS[id]);

/** Why something is not in the prompt, in a sentence. */
export const skippedWhy = ({ reason, detail }: Pick<SkippedView, "reason" | "detail">): string =>
  said(detail, SKIPPED[reason]);

/** Why a file is never read, in a sentence. */
export const neverReadWhy = ({ reason }: Pick<IgnoredView, "reason">): string => said(reason, m.word_never_read);

/** A starter's name. */
export const starterName = ({ id, name }: StarterView): string => said(name, STARTERS[id]?.name);

/** What a starter is like, in a sentence. */
export const starterAbout = ({ id, description }: StarterView): string => said(description, STARTERS[id]?.about);

const SKILL_STATES: Record<string, () => string> = {
  always: m.skills_state_always,
  on_demand: m.skills_state_on_demand,
  disabled: m.skills_state_disabled,
  shadowed: m.skills_state_shadowed,
  broken: m.skills_state_broken,
};

const SKILL_REASONS: Record<string, () => string> = { disabled: m.skills_why_disabled, broken: m.skills_why_broken };

/** What becomes of a skill, in a word. */
export const skillState = (state: string): string => SKILL_STATES[state]?.() ?? state;

/** Why a skill is not listed, in a sentence; `null`: it is, or the twin in its place says so. */
export const skillWhy = ({ state, reason }: Pick<SkillRow, "state" | "reason">): string | null =>
  reason === null || state === "shadowed" ? null : said(reason, SKILL_REASONS[state]);
