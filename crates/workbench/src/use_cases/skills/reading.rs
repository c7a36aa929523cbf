//! A skill as strict readers of YAML see it, beside the target, and what the open standard for skills minds. Pure.

use model::{Skill, Text, text};
use workspace::skills::names::{self, LONGEST_DESCRIPTION};
use workspace::skills::yaml;

use crate::api::{SkillField, SkillYaml, SkillYamlError};

/// What a strict reader makes of `text`.
pub(super) fn yaml(skill: &Skill, text: &str) -> SkillYaml {
    let front = yaml::read(text).value;
    let description = front.description().map(|description| description.trim().to_owned());
    let fields = front.fields.iter().map(|(name, value)| SkillField {
        name: name.clone(),
        value: value.as_str().map_or_else(|| value.to_string(), str::to_owned),
        read: name.eq_ignore_ascii_case("description"),
    });
    let lost = match (&front.error, front.span) {
        (Some(_), Some(span)) => keys(&text[span.start as usize..span.end as usize]),
        _ => Vec::new(),
    };
    let seen = &skill.description;
    let disagree = match (&front.error, &description) {
        (Some(_), _) => Some(text!("skill-disagree-error", seen)),
        (None, Some(description)) if description != seen => Some(text!("skill-disagree-other", seen, description)),
        (None, None) if !seen.is_empty() => Some(text!("skill-disagree-none", seen)),
        _ => None,
    };
    SkillYaml {
        description,
        fields: fields.collect(),
        error: front.error.map(|error| SkillYamlError {
            line: error.line,
            column: error.column,
            message: error.message,
        }),
        lost,
        disagree,
    }
}

/// The names of fields that stand at the beginning of a line.
fn keys(inner: &str) -> Vec<String> {
    let key = |line: &str| {
        let (key, _) = line.split_once(':')?;
        let word = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_');
        word.then(|| key.to_owned())
    };
    inner.lines().filter_map(key).collect()
}

/// What the standard minds about the name and the description, in sentences.
pub(super) fn problems(skill: &Skill, text: &str) -> Vec<Text> {
    let front = yaml::read(text).value;
    let mut problems: Vec<Text> = names::problems(&skill.name).into_iter().map(names::NameProblem::text).collect();
    if let Some(name) = front.name().filter(|name| *name != skill.name) {
        problems.push(text!("skill-problem-name-differs", name, folder = &skill.name));
    }
    let length = front.description().unwrap_or(&skill.description).chars().count();
    if length == 0 {
        problems.push(text!("skill-problem-no-description"));
    } else if length > LONGEST_DESCRIPTION {
        problems.push(text!("skill-problem-long-description", length, most = LONGEST_DESCRIPTION));
    }
    problems
}
