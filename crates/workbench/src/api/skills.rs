//! The skills on the wire, and in `cbw skills`: what the agent makes of each, what others make of it, what it costs.

use model::Text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Tokens as an interval.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, TS)]
pub struct SkillCost {
    /// The number, or the middle of the interval; null: not known.
    pub total: Option<u32>,
    /// At least.
    pub low: Option<u32>,
    /// At most.
    pub high: Option<u32>,
    /// True when it is exact.
    pub exact: bool,
    /// How it was counted.
    pub method: String,
}

/// How many skills there are, by what becomes of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, JsonSchema, TS)]
pub struct SkillCounts {
    /// Folders that hold a skill file, in both roots, and what stands there broken.
    pub found: u32,
    /// Those that the prompt holds something of.
    pub loaded: u32,
    /// Their body is in the prompt.
    pub always: u32,
    /// One line in the list.
    pub on_demand: u32,
    /// Switched off in the host's configuration.
    pub disabled: u32,
    /// Another one of the name is listed.
    pub shadowed: u32,
    /// Cannot be read.
    pub broken: u32,
}

/// A symbolic link.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, TS)]
pub struct SkillLink {
    /// The link's own text.
    pub text: String,
    /// Where it ends; null: nowhere, or round in a circle.
    pub resolved: Option<String>,
    /// True when it leads out of the workspace.
    pub outside: bool,
    /// True when the folder is the link; false when SKILL.md is.
    pub folder: bool,
}

/// A field of a front matter as readers of YAML see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, TS)]
pub struct SkillField {
    /// Its name.
    pub name: String,
    /// Its value, as JSON when it is more than a text.
    pub value: String,
    /// True when the agent reads it too.
    pub read: bool,
}

/// Why a front matter is no YAML.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, TS)]
pub struct SkillYamlError {
    /// Line of the file, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// What is wrong there.
    pub message: String,
}

/// What a strict reader of YAML makes of a skill.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, TS)]
pub struct SkillYaml {
    /// The description; null: none.
    pub description: Option<String>,
    /// Every field, in order; empty when there is an error.
    pub fields: Vec<SkillField>,
    /// Why it is no YAML.
    pub error: Option<SkillYamlError>,
    /// Fields that stand there and are lost to such a reader, because the whole is no YAML.
    pub lost: Vec<String>,
    /// Where the two readers disagree, in a sentence.
    #[schemars(with = "Option<String>")]
    #[ts(type = "string | null")]
    pub disagree: Option<Text>,
}

/// One skill.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, TS)]
pub struct SkillRow {
    /// The folder's name, which is the skill's for the agent.
    pub name: String,
    /// `workspace` or `builtin`.
    pub origin: String,
    /// `always`, `on_demand`, `disabled`, `shadowed` or `broken`.
    pub state: String,
    /// Why it is not listed.
    #[schemars(with = "Option<String>")]
    #[ts(type = "string | null")]
    pub reason: Option<Text>,
    /// The description as the agent reads it.
    pub description: String,
    /// Absolute path of its folder.
    pub folder: String,
    /// Absolute path of its file.
    pub path: String,
    /// Root of its file in the window: `workspace`, `global` or `app`; null: it cannot be opened there.
    pub root: Option<String>,
    /// Path of its file relative to that root.
    pub relative: Option<String>,
    /// Bytes of its file.
    pub bytes: Option<u32>,
    /// True when its body is in the prompt whole.
    pub injected: bool,
    /// True when raw lines of its front matter are part of its body for the agent.
    pub leaks: bool,
    /// Its line as it stands, or would stand, in the list.
    pub line: Option<String>,
    /// What the line costs.
    pub line_tokens: Option<SkillCost>,
    /// What the body costs when it is loaded.
    pub body_tokens: Option<SkillCost>,
    /// What readers of YAML see; null: its file was not read.
    pub yaml: Option<SkillYaml>,
    /// A link that leads to it.
    pub link: Option<SkillLink>,
    /// The origin of the other skill of this name, when there are two.
    pub twin: Option<String>,
    /// Rules of the open standard that its name or description breaks, in sentences.
    #[schemars(with = "Vec<String>")]
    #[ts(type = "Array<string>")]
    pub problems: Vec<Text>,
    /// Why it cannot be switched off; null: it can.
    #[schemars(with = "Option<String>")]
    #[ts(type = "string | null")]
    pub locked: Option<Text>,
}

/// A folder among the skills that holds none.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, TS)]
pub struct NotASkill {
    /// Its name.
    pub name: String,
    /// The file that it lacks.
    pub path: String,
}

/// How much of the list of skills a program takes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, TS)]
pub struct SkillBudget {
    /// Id of the program.
    pub program: String,
    /// Its name.
    pub label: String,
    /// Characters that it takes of all lines together; null: no limit.
    pub limit: Option<u32>,
    /// Characters of the lines.
    pub used: u32,
    /// The first skill whose line is past the limit, in the order of the list.
    pub cut_at: Option<String>,
    /// Characters that it takes of one entry; null: no limit.
    pub entry_limit: Option<u32>,
    /// Skills whose description alone is past that.
    pub too_long: Vec<String>,
}

/// The skills of a workspace.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, TS)]
pub struct SkillsView {
    /// Version of this shape.
    pub schema_version: u32,
    /// Rises with each change, as in the preview; 0 on the command line.
    pub revision: u32,
    /// How many.
    pub counts: SkillCounts,
    /// Listed ones in the agent's order, then the others.
    pub skills: Vec<SkillRow>,
    /// Folders that are none.
    pub not_skills: Vec<NotASkill>,
    /// What the lines of the list cost together.
    pub list_tokens: SkillCost,
    /// How much of the list each program takes.
    pub budgets: Vec<SkillBudget>,
    /// The folder for new skills.
    pub folder: String,
    /// The configuration that says which are switched off.
    pub config: String,
    /// Why the configuration cannot be read; its list then counts for nothing.
    #[schemars(with = "Option<String>")]
    #[ts(type = "string | null")]
    pub config_problem: Option<Text>,
    /// Why nothing can be changed here; null: it can.
    #[schemars(with = "Option<String>")]
    #[ts(type = "string | null")]
    pub read_only: Option<Text>,
}

/// Which skill.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
pub struct SkillName {
    /// Its folder's name.
    pub name: String,
    /// `workspace` or `builtin`.
    pub origin: String,
}

/// A new skill.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
pub struct SkillNew {
    /// Its name, by the rules of the open standard.
    pub name: String,
    /// What it is for, on one line.
    pub description: String,
    /// Its text; empty: a template to fill in.
    pub body: String,
}

/// A copy of a skill.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
pub struct SkillCopy {
    /// Which.
    pub skill: SkillName,
    /// The copy's name; null: the next free one, or the same for a built-in skill.
    pub name: Option<String>,
}

/// Whether a skill is switched on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
pub struct SkillSwitch {
    /// Its name.
    pub name: String,
    /// On or off.
    pub enabled: bool,
}

/// Something in the trash.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema, TS)]
pub struct SkillTrashed {
    /// The skill's name.
    pub name: String,
    /// Where it stood.
    pub original: String,
    /// Where it is in the trash.
    pub stored: String,
}

/// What an action did.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, TS)]
pub struct SkillDone {
    /// Version of this shape.
    pub schema_version: u32,
    /// The skill that it was about, as it is called now.
    pub name: String,
    /// The file or folder that was made, changed or taken away.
    pub path: String,
    /// False when nothing had to be done.
    pub changed: bool,
    /// What to know about it.
    #[schemars(with = "Vec<String>")]
    #[ts(type = "Array<string>")]
    pub notes: Vec<Text>,
    /// What was taken to the trash.
    pub trashed: Option<SkillTrashed>,
}

/// What an action did, and the skills as they are then.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct SkillsChanged {
    /// What was done.
    pub done: SkillDone,
    /// The skills.
    pub skills: SkillsView,
}
