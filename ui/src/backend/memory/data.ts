/** What the in-memory workspace holds at its start. All of it is invented. */
import type { ChannelView, ContextKeyView, FoundWorkspace, ModelView, StarterView, VariantView } from "../backend";

export const GLOBAL_FOLDER = "/home/juniper/.catbuddy/workspace";
export const PROJECT_FOLDER = "/home/juniper/harbour/.catbuddy/workspace";
export const APP_FOLDER = "/usr/share/catbuddy";

/** As long as a name gets, without a place to break. */
export const LONG_NAME = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverwaltung".repeat(2);

export const FOUND: FoundWorkspace[] = [
  { kind: "global", label: "Miso", path: GLOBAL_FOLDER, files: 6, missing: [], projects: 2, problem: null },
  {
    kind: "project",
    label: "Workshop trial",
    path: "/home/juniper/Documents/persona-trial",
    files: 3,
    missing: ["AGENTS.md"],
    projects: 0,
    problem: null,
  },
  {
    kind: "legacy",
    label: "Old desktop",
    path: "/home/juniper/.catbuddy-desktop/workspace",
    files: 0,
    missing: [],
    projects: 0,
    problem: "The folder cannot be read: permission denied.",
  },
];

/** What a fresh `memory/MEMORY.md` says; a memory that still says it is left out of the prompt. */
export const DEFAULT_MEMORY = "# Long-term memory\n\nNothing yet. Facts worth keeping go here, one a line.\n";

export const IDENTITY = `You are Miso, a companion who lives on this computer.

You work in {{work_root}}.
{{#desktop}}Answers may be long, with lists and tables where they help.{{/desktop}}{{#telegram}}Answers are short: three sentences at most, no tables.{{/telegram}}

What you may do:
- read and write files below the folder you work in;
- run commands after saying what they do;
- ask when something is unclear.`;

export const GLOBAL_FILES: Record<string, string> = {
  "USER.md": `# About the person you help
- Name: Juniper Vale
- Address as: Juni
- Pronouns: they/them\r
- Language: English (UK)\r
- Time zone: {{TIME_ZONE}}
## Preferences
1. Short answer first, details when asked
2. Metric units and a 24-hour clock
3. Ask before deleting or sending anything
4. Name your sources when you look something up
## Habits
- You may speak first.
- Quiet from 22:00 to 07:00.
- Say so when you guess.

## Notes
Works from a small workshop and repairs clocks. Mornings are for planning, afternoons for customers. Likes a dry joke, dislikes pep talk. Prefers 日本語 labels on parts from Osaka 🕰.
`,
  "memory/MEMORY.md": DEFAULT_MEMORY,
};

export const PROJECT_FILES: Record<string, string> = {
  "AGENTS.md": `# Rules
- Ask before deleting or sending.
- One task at a time; finish, then report.
- Keep file names as they are.

## Reminders
- The harbour catalogue is read-only on Fridays.
`,
  "SOUL.md": `# Soul
- Warm, dry, never hurried.
- Says “I don’t know” out loud.

## Values
1. The person decides.
2. Small steps that can be undone.
`,
  "TOOLS.md": `# Tools
- web-notes: save a page only when asked.
- calendar: read freely, write after a yes.
`,
  "memory/MEMORY.md": `# Harbour library
- 2026-11-09: the north shelf was renumbered, 400 to 460.
- 2026-11-20: returns close at 17:00.
`,
  "skills/calendar/SKILL.md": `---
name: calendar
description: Read and draft events. Never sends invitations.
always: true
---
# Calendar
Draft an event as a table of day, time, place. Show it, then wait for a yes.
`,
  "skills/tidy-up/SKILL.md": `---
name: tidy-up
description: Sort a folder by kind and date, with a list of moves first.
---
# Tidy up
List every move. Do nothing until the list is confirmed.
`,
  "skills/web-notes/SKILL.md": `---
name: web-notes
description: Save a page as a note with its address and date.
---
# Web notes
One page, one note. The address goes first.
`,
};

export const CHANNELS: ChannelView[] = [
  { id: "desktop", label: "Desktop" },
  { id: "telegram", label: "Telegram" },
  { id: "discord", label: "Discord" },
  { id: "slack", label: "Slack" },
  { id: "email", label: "E-mail" },
  { id: "cli", label: "Command line" },
];

export const VARIANTS: VariantView[] = [
  { id: "catbuddy", version: 1, description: "As the app assembles it." },
  { id: "catbuddy-article", version: 1, description: "The layout of the published description." },
];

export const MODELS: ModelView[] = [
  { id: "sample-exact", provider: "Sample", window: 200_000 },
  { id: "sample-estimate", provider: "Sample", window: 8_192 },
  { id: "sample-unknown", provider: "Elsewhere", window: null },
];

const estimate = (total: number) => ({
  total,
  low: Math.floor(total * 0.9),
  high: Math.ceil(total * 1.1),
  exact: false,
  method: "bytes ÷ 4",
});

export const STARTERS: StarterView[] = [
  {
    id: "quiet-helper",
    name: "Quiet helper",
    description: "Short, careful, asks first",
    files: 5,
    tokens: estimate(1180),
  },
  { id: "study-partner", name: "Study partner", description: "Explains and quizzes", files: 6, tokens: estimate(1640) },
  { id: "empty", name: "Empty", description: "Headings only", files: 5, tokens: estimate(96) },
];

const key = (
  group: string,
  name: string,
  kind: ContextKeyView["kind"],
  fallback: string,
  help: string,
  more: Partial<ContextKeyView> = {},
): ContextKeyView => ({ name, group, kind, words: [], default: fallback, variable: null, help, ...more });

/** One key of every kind, in several groups. */
export const CONTEXT_KEYS: ContextKeyView[] = [
  key("machine", "platform", "word", '"linux"', "The system the agent runs on.", {
    words: ["linux", "darwin", "win32"],
  }),
  key("machine", "home_dir", "text", '"/home/juniper"', "The person’s home folder.", { variable: "HOME" }),
  key("workspace", "file_access", "word", '"project"', "How far the agent may reach.", {
    words: ["project", "internal"],
  }),
  key("workspace", "disabled_skills", "list", "[]", "Skills that are off. Replaces the configured list."),
  key("moment", "time", "time", '"now"', "The time that the prompt is made at."),
  key("moment", "time_zone", "text", '"UTC"', "Name of the time zone, printed as given."),
  key("conversation", "channel", "text", "absent", "Where the conversation takes place."),
  key(
    "conversation",
    "message",
    "long_text",
    '"Morning! What should I look at first today?"',
    "The message being sent.",
  ),
  key("conversation", "history", "json", "[]", "Messages before this one."),
  key("abilities", "web_tools", "flag", "false", "Whether the agent may search the web."),
  key("limits", "max_tokens", "number", "absent", "Give things up until the prompt fits."),
];

export const MEMORY_SKILL =
  "---\nname: memory\ndescription: Keep facts worth keeping.\n---\n# Memory\nOne fact, one line.\n";

export const TOOL_SCHEMA = '{\n  "type": "object",\n  "properties": { "day": { "type": "string" } }\n}';
