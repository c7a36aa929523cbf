//! Components that list things: skills in full, skills by line, tools.

use std::collections::BTreeMap;

use model::{Finding, McpList, Severity, SkillState, SkipReason, Text, text};
use serde_json::Map;

use super::{At, Notes, Run};
use crate::assemble::Assembler;
use crate::items::Item;
use crate::mcp;
use crate::sections::Key;
use crate::skills::ReadSkill;
use crate::traced::{Built, Traced};

impl Assembler {
    pub(super) fn always_skills(&mut self, run: &Run<'_>, at: &At<'_>, notes: &mut Notes) -> Option<Built> {
        if notes.error.is_none() {
            notes.error.clone_from(&run.shelf.error);
        }
        let mut bodies: Vec<&ReadSkill<'_>> = Vec::new();
        for skill in &run.shelf.always {
            let id = format!("skill:{}", skill.name);
            if skill.front.leaks {
                let message = text!("frontmatter-leaked", name = skill.name);
                notes.findings.push(
                    Finding::new("frontmatter-leaked", Severity::Warning, message).at(&*skill.file.path).range(0, 3),
                );
            }
            if skill.front.body.is_empty() {
                notes.skip(
                    &id,
                    at.spec.layer,
                    Some(&skill.file.path),
                    SkipReason::Empty,
                    text!("reason-skill-body-empty"),
                );
            } else if run.given_up.bodies.contains(skill.name) {
                let detail = text!("reason-body-given-up");
                let skipped = notes.skip(&id, at.spec.layer, Some(&skill.file.path), SkipReason::Budget, detail);
                skipped.text = Some(skill.file.text()[skill.front.body.clone()].into());
            } else {
                bodies.push(skill);
            }
        }
        if bodies.is_empty() {
            return None;
        }
        let heading = at.spec.heading.as_deref().unwrap_or_default();
        let mut key = Key::new("always").text(heading);
        for skill in &bodies {
            key = key.text(&skill.file.path).hash(skill.file.hash);
        }
        Some(self.sections.get(key.done(), || {
            let mut traced = Traced::default();
            traced.literal(heading, "heading");
            for (at, skill) in bodies.iter().enumerate() {
                if at > 0 {
                    traced.literal("\n\n", "between skills");
                }
                traced.file(skill.file, skill.front.body.clone());
            }
            traced
        }))
    }

    pub(super) fn skills_list(&mut self, run: &Run<'_>, at: &At<'_>, notes: &mut Notes) -> Option<Built> {
        if notes.error.is_none() {
            notes.error.clone_from(&run.shelf.error);
        }
        let item = Item::new(at.spec.item.as_deref().unwrap_or(Item::DEFAULT));
        let mut lines: Vec<&ReadSkill<'_>> = Vec::new();
        for listed in &run.shelf.listed {
            let skill = &listed.skill;
            let reason = match listed.state {
                SkillState::Always if !run.given_up.bodies.contains(skill.name) => {
                    if !run.shelf.is_read(&skill.file.path) {
                        let detail = text!("reason-workspace-skill-instead");
                        let id = format!("skill:{}", skill.name);
                        notes.skip(&id, at.spec.layer, Some(&skill.file.path), SkipReason::Shadowed, detail);
                    }
                    continue;
                }
                SkillState::Disabled => Some((SkipReason::Disabled, text!("reason-disabled"))),
                _ if run.given_up.lines.contains(skill.name) => {
                    Some((SkipReason::Budget, text!("reason-line-given-up")))
                }
                _ => None,
            };
            match reason {
                Some((reason, detail)) => leave_out(at, &item, skill, reason, detail, notes),
                None => lines.push(skill),
            }
        }
        // One that is shadowed in the list may be the always-on one whose text is injected all the same.
        for unlisted in run.shelf.unlisted.iter().filter(|unlisted| !run.shelf.is_read(unlisted.path)) {
            let reason =
                if unlisted.state == SkillState::Shadowed { SkipReason::Shadowed } else { SkipReason::Unreadable };
            match &unlisted.skill {
                Some(skill) => leave_out(at, &item, skill, reason, unlisted.reason.clone(), notes),
                None => {
                    notes.skip(
                        &format!("skill:{}", unlisted.name),
                        at.spec.layer,
                        Some(unlisted.path),
                        reason,
                        unlisted.reason.clone(),
                    );
                }
            }
        }
        for (name, path) in &run.shelf.not_skills {
            let detail = text!("reason-no-skill-file", file = &run.inputs.target.skill_file);
            notes.skip(&format!("skill:{name}"), at.spec.layer, Some(path), SkipReason::Missing, detail);
        }
        if lines.is_empty() {
            notes.skip(at.name, at.spec.layer, None, SkipReason::NothingToShow, text!("reason-no-skill-left"));
            return None;
        }
        let mut key = Key::new("lines").text(item.format);
        for skill in &lines {
            key = key.text(skill.name).text(&skill.file.path).hash(skill.file.hash);
        }
        let summary = self.sections.get(key.done(), || {
            let mut traced = Traced::default();
            for (at, skill) in lines.iter().enumerate() {
                if at > 0 {
                    traced.literal("\n", "between lines");
                }
                item.push(&mut traced, skill);
            }
            traced
        });
        if let Some(name) = &at.spec.app_template
            && self.templates.get(name).is_some()
        {
            let nested = BTreeMap::from([("skills_summary", &summary)]);
            return self.app_template(name, Map::new(), &nested, at, notes);
        }
        if at.spec.app_template.is_some() {
            self.report_stop(notes);
        }
        let heading = at.spec.heading.as_deref().unwrap_or_default();
        let key = Key::new("headed").text(heading).hash(summary.key).done();
        Some(self.sections.get(key, || {
            let mut traced = Traced::default();
            traced.literal(heading, "heading");
            traced.append_all(&summary);
            traced
        }))
    }
}

/// The tools of MCP servers, when the context asks for them in the system prompt.
pub(super) fn mcp_list(run: &Run<'_>, at: &At<'_>, notes: &mut Notes) -> Option<Built> {
    let context = run.inputs.context;
    if context.mcp_list != Some(McpList::System) {
        return None;
    }
    let Some(list) = mcp::list(context) else {
        notes.skip(at.name, at.spec.layer, None, SkipReason::NothingToShow, text!("reason-no-tool"));
        return None;
    };
    let message = text!("mcp-list-in-system");
    notes.findings.push(Finding::new("mcp-list-in-system", Severity::Warning, message));
    let heading = at.spec.heading.as_deref().unwrap_or_default();
    let mut traced = Traced::default();
    traced.literal(heading, "heading");
    traced.value(&list, "mcp tools");
    Some(traced.finish())
}

fn leave_out(at: &At<'_>, item: &Item<'_>, skill: &ReadSkill<'_>, reason: SkipReason, detail: Text, notes: &mut Notes) {
    let mut line = Traced::default();
    item.push(&mut line, skill);
    line.literal("\n", "between lines");
    let id = format!("skill:{}", skill.name);
    notes.skip(&id, at.spec.layer, Some(&skill.file.path), reason, detail).text = Some(line.text().into());
}
