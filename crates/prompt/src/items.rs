//! The lines of a list component.

use std::ops::Range;

use crate::skills::ReadSkill;
use crate::traced::Traced;

/// The format of a list line, split once.
pub(crate) struct Item<'a> {
    pub(crate) format: &'a str,
    parts: Vec<Part>,
}

enum Part {
    Literal(Range<usize>),
    Name,
    Description,
}

impl<'a> Item<'a> {
    /// The format of a variant that gives none.
    pub(crate) const DEFAULT: &'static str = "- {name}: {description}";

    pub(crate) fn new(format: &'a str) -> Self {
        let mut parts = Vec::new();
        let mut at = 0;
        while at < format.len() {
            let rest = &format[at..];
            if rest.starts_with("{name}") {
                parts.push(Part::Name);
                at += "{name}".len();
            } else if rest.starts_with("{description}") {
                parts.push(Part::Description);
                at += "{description}".len();
            } else {
                let next = rest.char_indices().skip(1).find(|&(_, c)| c == '{').map_or(rest.len(), |(next, _)| next);
                parts.push(Part::Literal(at..at + next));
                at += next;
            }
        }
        Self { format, parts }
    }

    pub(crate) fn push(&self, traced: &mut Traced, skill: &ReadSkill<'_>) {
        for part in &self.parts {
            match part {
                Part::Literal(range) => traced.literal(&self.format[range.clone()], "list item"),
                Part::Name => traced.value(skill.name, "skill name"),
                Part::Description => {
                    if let Some(range) = &skill.front.description {
                        traced.file(skill.file, range.clone());
                    }
                }
            }
        }
    }
}
