//! How much of a list of skills programs take before they cut it.
//!
//! The numbers are those that the programs' own sources and manuals give: none for the target; 1 % of a window of
//! 200,000 tokens at four characters each, and 1,536 for an entry, for Claude Code; 18,000 for OpenClaw.

use model::SkillState;
use prompt::SkillReading;

use crate::api::SkillBudget;

/// Id, name, characters of all lines, characters of one description.
const PROGRAMS: [(&str, &str, Option<u32>, Option<u32>); 3] = [
    ("catbuddy", "catbuddy", None, None),
    ("claude-code", "Claude Code", Some(8_000), Some(1_536)),
    ("openclaw", "OpenClaw", Some(18_000), None),
];

/// The meter of each program over the lines that the target lists.
pub(crate) fn of(readings: &[SkillReading]) -> Vec<SkillBudget> {
    let listed: Vec<(&SkillReading, u32)> = readings
        .iter()
        .filter(|reading| reading.skill.state == SkillState::OnDemand)
        .filter_map(|reading| Some((reading, reading.line.as_deref()?.chars().count() as u32)))
        .collect();
    PROGRAMS
        .iter()
        .map(|&(program, label, limit, entry_limit)| {
            let mut used = 0;
            let mut cut_at = None;
            for (at, (reading, characters)) in listed.iter().enumerate() {
                // A line end stands between two lines.
                used += characters + u32::from(at > 0);
                if limit.is_some_and(|limit| used > limit) && cut_at.is_none() {
                    cut_at = Some(reading.skill.name.clone());
                }
            }
            let too_long = |(reading, _): &&(&SkillReading, u32)| {
                entry_limit.is_some_and(|limit| reading.skill.description.chars().count() as u32 > limit)
            };
            SkillBudget {
                program: program.to_owned(),
                label: label.to_owned(),
                limit,
                used,
                cut_at,
                entry_limit,
                too_long: listed.iter().filter(too_long).map(|(reading, _)| reading.skill.name.clone()).collect(),
            }
        })
        .collect()
}
