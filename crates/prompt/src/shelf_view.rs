//! The skills for a list of skills: what the target makes of each, and the very text that each costs.

use std::collections::HashSet;

use model::{Skill, SkillState};

use crate::assemble::{Inputs, skill_list};
use crate::components::GivenUp;
use crate::items::Item;
use crate::skills::{self, ReadSkill, SkillCache};
use crate::traced::Traced;

/// A skill, and the texts it puts into the prompt.
#[derive(Clone, PartialEq, Debug)]
pub struct SkillReading {
    /// What the target makes of it.
    pub skill: Skill,
    /// Its line as it stands, or would stand, in the list; `None` when its file was not read.
    pub line: Option<String>,
    /// Its body as the target cuts it out; `None` when its file was not read.
    pub body: Option<String>,
    /// True when its body is in the prompt whole: it is always on, and the copy that is read.
    pub injected: bool,
    /// True when its front matter is not recognised, so that the raw lines are part of the body.
    pub leaks: bool,
}

/// Every skill, listed ones in the target's order, then the others; and the folders that are none, by name and path of
/// the file that is missing.
pub fn read_skills(inputs: &Inputs<'_>) -> (Vec<SkillReading>, Vec<(String, String)>) {
    let shelf = skills::shelf(inputs.snapshot, inputs.target, inputs.context, &mut SkillCache::default());
    let components = inputs.variant.components.values();
    let format = components
        .filter(|component| component.builtin.as_deref() == Some("skills_list"))
        .find_map(|component| component.item.as_deref());
    let item = Item::new(format.unwrap_or(Item::DEFAULT));
    let always: HashSet<&str> = shelf.always.iter().map(|skill| &*skill.file.path).collect();
    let listed = shelf.listed.iter().map(|listed| Some(&listed.skill));
    let read = listed.chain(shelf.unlisted.iter().map(|unlisted| unlisted.skill.as_ref()));
    let readings = skill_list(&shelf, &GivenUp::default())
        .into_iter()
        .zip(read)
        .map(|(skill, read)| reading(skill, read, &item, &always))
        .collect();
    let own = |&(name, path): &(&str, &str)| (name.to_owned(), path.to_owned());
    (readings, shelf.not_skills.iter().map(own).collect())
}

fn reading(skill: Skill, read: Option<&ReadSkill<'_>>, item: &Item<'_>, always: &HashSet<&str>) -> SkillReading {
    let line = read.map(|read| {
        let mut line = Traced::default();
        item.push(&mut line, read);
        line.text().to_owned()
    });
    SkillReading {
        line,
        body: read.map(|read| read.file.text()[read.front.body.clone()].to_owned()),
        injected: always.contains(&*skill.path) && skill.state != SkillState::Broken,
        leaks: read.is_some_and(|read| read.front.leaks),
        skill,
    }
}
