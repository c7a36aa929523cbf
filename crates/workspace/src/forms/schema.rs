//! What a form shows, as data: one TOML file for each kind of file, shipped inside the program.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use serde::Deserialize;
use serde::de::Error as _;

/// A text in every language of the workbench.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    /// English.
    pub en: String,
    /// Chinese.
    pub zh: String,
    /// French.
    pub fr: String,
}

impl Words {
    /// The text in `language` (`en`, `zh`, `fr`, with or without a region); English for another one.
    pub fn of(&self, language: &str) -> &str {
        match language.get(..2) {
            Some("zh") => &self.zh,
            Some("fr") => &self.fr,
            _ => &self.en,
        }
    }
}

/// The form of one kind of file.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schema {
    /// Its id.
    pub id: String,
    /// Names of the files it is for.
    pub files: Vec<String>,
    /// The heading of a new file; `None`: it has none.
    pub heading: Option<String>,
    /// True when a list of check boxes below a heading that the form does not know is shown all the same.
    #[serde(default)]
    pub other_checks: bool,
    /// True when sections that the form does not know are shown all the same, each as its entries or as a text.
    #[serde(default)]
    pub other_sections: bool,
    /// Its groups, in the order in which they are written into a new file.
    pub group: Vec<GroupSpec>,
}

/// Fields that belong together.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupSpec {
    /// Its id, unique in the form.
    pub id: String,
    /// Its title.
    pub title: Words,
    /// One line below the title.
    pub hint: Option<Words>,
    /// Headings that stand over the group's fields and are shown as its title. The first is written when the group
    /// is, unless `under_title`.
    #[serde(default)]
    pub headings: Vec<String>,
    /// True when its fields are written right below the file's own heading, and no heading is written for it.
    #[serde(default)]
    pub under_title: bool,
    /// True when names and values that the form does not know, beside those of the group, are shown as its fields.
    #[serde(default)]
    pub open: bool,
    /// Its fields.
    pub field: Vec<FieldSpec>,
}

/// What a field is in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Binds {
    /// A name and a value on one line.
    Key,
    /// What stands below a heading.
    Body,
    /// A list below a heading.
    List,
    /// The file's own heading.
    Title,
    /// A field of the front matter.
    FrontMatter,
    /// Everything after the front matter.
    Rest,
}

/// How a field is edited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Control {
    /// One line.
    Text,
    /// Several lines.
    LongText,
    /// One of some values, or another text.
    Choice,
    /// A time zone.
    TimeZone,
    /// A language.
    Language,
    /// An emoji, or several.
    Emoji,
    /// Entries in an order.
    List,
    /// Boxes.
    Checks,
    /// Entries with a date.
    Dated,
}

impl Control {
    /// True when the value is a list of entries.
    pub fn has_items(self) -> bool {
        matches!(self, Self::List | Self::Checks | Self::Dated)
    }
}

/// How wide a field is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Width {
    /// All of the form.
    #[default]
    Full,
    /// A half.
    Half,
    /// A third.
    Third,
}

/// What is looked at in a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Check {
    /// An IANA time zone, or an offset from UTC.
    TimeZone,
    /// A language tag, when it looks like one.
    Language,
    /// A skill's name.
    SkillName,
    /// A skill's description.
    SkillDescription,
}

/// One field.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldSpec {
    /// Its id, unique in the form.
    pub id: String,
    /// Its label.
    pub label: Words,
    /// What it is for.
    pub help: Option<Words>,
    /// An example, shown while it is empty.
    pub placeholder: Option<Words>,
    /// How it is edited.
    pub control: Control,
    /// How wide it is.
    #[serde(default)]
    pub width: Width,
    /// What it is in the file.
    pub binds: Binds,
    /// What it is called in files, by their letters alone: letter case, blanks, signs and accents do not count. The
    /// first is written when the file has none.
    pub names: Vec<String>,
    /// True when the first list below the file's own heading is this field, whatever that heading says.
    #[serde(default)]
    pub top: bool,
    /// What can be chosen.
    #[serde(default)]
    pub choices: Vec<Choice>,
    /// What is looked at.
    pub check: Option<Check>,
}

/// One value to choose.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// What is written.
    pub value: String,
    /// What is shown.
    pub label: Words,
}

const FILES: [&str; 7] = [
    include_str!("../../forms/soul.toml"),
    include_str!("../../forms/user.toml"),
    include_str!("../../forms/agents.toml"),
    include_str!("../../forms/tools.toml"),
    include_str!("../../forms/memory.toml"),
    include_str!("../../forms/claude.toml"),
    include_str!("../../forms/skill.toml"),
];

/// Reads one form. An unknown key, a text that is missing in a language, and an id that is there twice are errors.
///
/// # Errors
/// What is wrong, with its place.
pub fn parse(text: &str) -> Result<Schema, toml::de::Error> {
    let schema: Schema = toml::from_str(text)?;
    let mut ids = BTreeSet::new();
    for id in schema.group.iter().flat_map(|group| group.field.iter().map(|field| &field.id)) {
        if !ids.insert(id) {
            return Err(toml::de::Error::custom(format!("the field id {id} is there twice")));
        }
    }
    match schema.group.iter().flat_map(|group| &group.field).find(|field| field.names.is_empty()) {
        Some(field) => Err(toml::de::Error::custom(format!("the field {} has no name", field.id))),
        None => Ok(schema),
    }
}

/// The forms that ship. A file that is not read is left out; a test reads every one.
pub fn schemas() -> &'static [Schema] {
    static SCHEMAS: OnceLock<Vec<Schema>> = OnceLock::new();
    SCHEMAS.get_or_init(|| FILES.iter().filter_map(|text| parse(text).ok()).collect())
}

/// The form for a file, by the last part of its path.
pub fn schema_for(path: &str) -> Option<&'static Schema> {
    let name = path.rsplit('/').next()?;
    schemas().iter().find(|schema| schema.files.iter().any(|file| file == name))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

    use super::*;

    #[test]
    fn every_form_is_read_and_has_each_text_in_each_language() {
        let ids: Vec<_> = FILES.iter().map(|text| parse(text).unwrap().id).collect();
        assert_eq!(ids, ["soul", "user", "agents", "tools", "memory", "claude", "skill"]);
        for schema in schemas() {
            for group in &schema.group {
                let mut words = vec![&group.title];
                words.extend(&group.hint);
                for field in &group.field {
                    words.push(&field.label);
                    words.extend(field.help.iter().chain(&field.placeholder));
                    words.extend(field.choices.iter().map(|choice| &choice.label));
                }
                for words in words {
                    for text in [&words.en, &words.zh, &words.fr] {
                        assert!(!text.trim().is_empty(), "{}: {words:?}", schema.id);
                    }
                }
            }
        }
    }

    #[test]
    fn an_unknown_key_is_named() {
        let text = FILES[1].replacen("width", "widht", 1);
        assert!(parse(&text).unwrap_err().to_string().contains("widht"));
        let text = FILES[1].replacen("fr = ", "de = ", 1);
        assert!(parse(&text).unwrap_err().to_string().contains("de"));
        assert!(
            parse(&FILES[1].replacen("id = \"address\"", "id = \"name\"", 1))
                .unwrap_err()
                .to_string()
                .contains("twice")
        );
    }

    #[test]
    fn a_file_has_its_form_by_its_name() {
        let id = |path| schema_for(path).map(|schema| &*schema.id);
        assert_eq!(id("USER.md"), Some("user"));
        assert_eq!(id("memory/MEMORY.md"), Some("memory"));
        assert_eq!(id("skills/tide/SKILL.md"), Some("skill"));
        assert_eq!(id("HEARTBEAT.md"), None);
    }
}
