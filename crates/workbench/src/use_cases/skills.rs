//! The skills: what the agent makes of each, what others make of it, what it costs; and what can be done with them.
//!
//! Reading is the `prompt` crate's, writing the `workspace` crate's; here both are put into one answer for both shells.

mod acting;
pub(crate) mod budgets;
pub mod on_disk;
mod reading;

use model::{Skill, SkillFolder, SkillOrigin, SkillState, Snapshot, Text, text};
use prompt::{Inputs, SkillReading};
use tokens::{Counter, Tokenizer};

use crate::api::outputs::OUTPUT_VERSION;
use crate::api::{NotASkill, SkillCost, SkillCounts, SkillLink, SkillRow, SkillsView};
use crate::counting;
use crate::place::{Place, text};
use crate::session::{Mapping, count_view};
use crate::use_cases::assemble::word;

pub use acting::{Desk, create, delete, duplicate, restore, switch};

/// Everything about the skills of a snapshot. `read_only` says why nothing can be changed, when that is so.
pub fn list(
    inputs: &Inputs<'_>,
    place: &Place,
    counter: &mut Counter,
    tokenizer: Tokenizer,
    read_only: Option<Text>,
) -> SkillsView {
    let (readings, not_skills) = prompt::read_skills(inputs);
    let lines: Vec<&str> = readings
        .iter()
        .filter(|reading| reading.skill.state == SkillState::OnDemand)
        .filter_map(|reading| reading.line.as_deref())
        .collect();
    let list_tokens = cost(counter, &lines.join("\n"), tokenizer);
    let configured = place.configured_disabled_skills();
    let mapping = Mapping::of(inputs.snapshot);
    let rows: Vec<SkillRow> =
        readings.iter().map(|reading| row(reading, &readings, inputs, &mapping, counter, tokenizer)).collect();
    SkillsView {
        schema_version: OUTPUT_VERSION,
        revision: 0,
        counts: counts(&readings),
        skills: rows,
        not_skills: not_skills.into_iter().map(|(name, path)| NotASkill { name, path }).collect(),
        list_tokens,
        budgets: budgets::of(&readings),
        folder: format!("{}/{}", inputs.snapshot.workspace.path.trim_end_matches('/'), inputs.target.skills),
        config: text(&place.disabled_skills_root().join(workspace::host_config::CONFIG)),
        config_problem: configured.findings.first().map(|finding| finding.message.clone()),
        read_only,
    }
}

fn counts(readings: &[SkillReading]) -> SkillCounts {
    let of = |state| readings.iter().filter(|reading| reading.skill.state == state).count() as u32;
    let loaded = |reading: &&SkillReading| reading.injected || reading.skill.state == SkillState::OnDemand;
    SkillCounts {
        found: readings.len() as u32,
        loaded: readings.iter().filter(loaded).count() as u32,
        always: of(SkillState::Always),
        on_demand: of(SkillState::OnDemand),
        disabled: of(SkillState::Disabled),
        shadowed: of(SkillState::Shadowed),
        broken: of(SkillState::Broken),
    }
}

fn cost(counter: &mut Counter, text: &str, tokenizer: Tokenizer) -> SkillCost {
    let view = count_view(&counting::count(counter, text, tokenizer));
    SkillCost { total: view.total, low: view.low, high: view.high, exact: view.exact, method: view.method }
}

fn row(
    reading: &SkillReading,
    all: &[SkillReading],
    inputs: &Inputs<'_>,
    mapping: &Mapping,
    counter: &mut Counter,
    tokenizer: Tokenizer,
) -> SkillRow {
    let SkillReading { skill, line, body, injected, leaks } = reading;
    let folder = folder_of(inputs.snapshot, skill);
    let source = folder.and_then(|folder| folder.file.source());
    let file = mapping.file(&skill.path);
    let twin = all.iter().find(|other| other.skill.name == skill.name && other.skill.origin != skill.origin);
    let always = inputs.target.always_on.contains(&skill.name);
    SkillRow {
        name: skill.name.clone(),
        origin: word(&skill.origin),
        state: word(&skill.state),
        reason: skill.reason.clone(),
        description: skill.description.clone(),
        folder: skill.path.rsplit_once('/').map_or_else(String::new, |(folder, _)| folder.to_owned()),
        path: skill.path.clone(),
        root: file.as_ref().map(|file| word(&file.root)),
        relative: file.map(|file| file.path),
        bytes: source.map(|source| source.bytes.len() as u32),
        injected: *injected,
        leaks: *leaks,
        line: line.clone(),
        line_tokens: line.as_deref().map(|line| cost(counter, line, tokenizer)),
        body_tokens: body.as_deref().map(|body| cost(counter, body, tokenizer)),
        yaml: source.map(|source| reading::yaml(skill, source.text())),
        link: folder.and_then(|folder| link(folder, inputs.snapshot)),
        twin: twin.map(|twin| word(&twin.skill.origin)),
        problems: source.map_or_else(Vec::new, |source| reading::problems(skill, source.text())),
        locked: always.then(|| locked(&skill.name)),
    }
}

/// Why an always-on skill stays on.
fn locked(name: &str) -> Text {
    text!("skill-locked", name)
}

pub(super) fn folder_of<'a>(snapshot: &'a Snapshot, skill: &Skill) -> Option<&'a SkillFolder> {
    let folders = match skill.origin {
        SkillOrigin::Workspace => &snapshot.workspace.skills,
        SkillOrigin::Builtin => &snapshot.app.skills,
    };
    folders.iter().find(|folder| folder.name == skill.name)
}

fn link(folder: &SkillFolder, snapshot: &Snapshot) -> Option<SkillLink> {
    let (link, of_folder) = match (&folder.link, &folder.file.link) {
        (Some(link), _) => (link, true),
        (None, Some(link)) => (link, false),
        (None, None) => return None,
    };
    let file: &str = &folder.file.path;
    let at = if of_folder { file.rsplit_once('/').map_or(file, |(folder, _)| folder) } else { file };
    let outside = |finding: &model::Finding| finding.id == "link-outside" && finding.path.as_deref() == Some(at);
    Some(SkillLink {
        text: link.text.clone(),
        resolved: link.resolved.clone(),
        outside: snapshot.findings.iter().any(outside),
        folder: of_folder,
    })
}
