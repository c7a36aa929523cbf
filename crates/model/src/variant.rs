//! Variants: prompt designs as data. Read from `variants/<id>/variant.toml`, documented in `variants/README.md`.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::assembly::Stability;

/// How a variant's base template is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Engine {
    /// Handlebars, as Handlebars.js 4.7 with `noEscape`.
    #[default]
    Handlebars,
}

/// What is done about components that yield nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tidy {
    /// Absent sections are dropped before joining; bytes inside a section are never touched.
    #[default]
    Structural,
    /// Nothing is done: an absent section is an empty text, and is joined like any other.
    None,
}

/// One component of a variant: a named function from (variant, context, snapshot) to text or nothing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComponentSpec {
    /// The built-in function that computes it.
    #[serde(default)]
    pub builtin: Option<String>,
    /// A Handlebars file relative to the variant's folder.
    #[serde(default)]
    pub template: Option<String>,
    /// The installed app's template that takes the place of `template`, relative to the app's `templates/`.
    #[serde(default)]
    pub app_template: Option<String>,
    /// Values of `app_template` that are templates of the app themselves, by the value's name.
    #[serde(default)]
    pub sub_templates: BTreeMap<String, String>,
    /// The layer, 1–5.
    #[serde(default)]
    pub layer: Option<u8>,
    /// Title for people; the component's name when absent.
    #[serde(default)]
    pub title: Option<String>,
    /// Put before the text of the component, when it has one.
    #[serde(default)]
    pub heading: Option<String>,
    /// `heading` in a layered workspace, when it differs.
    #[serde(default)]
    pub heading_layered: Option<String>,
    /// The file that a file component reads.
    #[serde(default)]
    pub file: Option<String>,
    /// One line of a list component; `{name}` and `{description}` stand for the item's own.
    #[serde(default)]
    pub item: Option<String>,
    /// How often the text changes.
    #[serde(default)]
    pub stability: Option<Stability>,
    /// Why the section is recomputed each turn; shown to the person.
    #[serde(default)]
    pub uncached_because: Option<String>,
}

/// The order in which things are given up under a token budget: most important first, sacrificed from the back.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BudgetSpec {
    /// Names of components and of the built-in item lists (`skill_lines`, `always_bodies`).
    #[serde(default)]
    pub keep: Vec<String>,
}

/// A prompt design.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// Version of this schema; 1.
    pub schema_version: u32,
    /// Id, the folder's name.
    pub id: String,
    /// Version of the design, raised with each change of its texts.
    pub version: u32,
    /// Family, for grouping.
    pub family: String,
    /// One sentence.
    pub description: String,
    /// Labels such as `production`.
    #[serde(default)]
    pub labels: Vec<String>,
    /// Free tags.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Ids of the targets it is for.
    pub targets: Vec<String>,
    /// How templates are read.
    #[serde(default)]
    pub engine: Engine,
    /// The base template, relative to the variant's folder; without one the components are joined in their order.
    #[serde(default)]
    pub template: Option<String>,
    /// What stands between sections.
    #[serde(default)]
    pub join: String,
    /// What stands between two sections of one layer, when it differs from `join`.
    #[serde(default)]
    pub join_within_layer: Option<String>,
    /// What is done about absent sections.
    #[serde(default)]
    pub tidy: Tidy,
    /// The line that stands for the whole prompt when there is nothing at all, without a line end.
    #[serde(default)]
    pub fallback: String,
    /// Components in the order in which they are evaluated.
    pub order: Vec<String>,
    /// What each name stands for.
    #[serde(default)]
    pub components: BTreeMap<String, ComponentSpec>,
    /// What to give up under a token budget.
    #[serde(default)]
    pub budget: BudgetSpec,
    /// Texts of the template files, by their path in the variant's folder. Filled in by the loader.
    #[serde(skip)]
    pub texts: BTreeMap<String, Arc<str>>,
    /// Where the variant was found: `variants/<id>` for a shipped one, else the absolute folder.
    #[serde(skip)]
    pub folder: String,
}
