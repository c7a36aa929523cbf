//! Assembly: components in order, joined to sections; everything that was left out, with its reason.

use std::collections::BTreeMap;

use model::{
    Assembly, ContentHash, Context, Finding, Severity, Skill, SkillState, SkipReason, Skipped, Snapshot, SourceFile,
    Target, Tidy, Variant, text,
};
use serde_json::{Map, Value};

use crate::components::{GivenUp, Notes, Run};
use crate::defaults::DefaultsCache;
use crate::engine::TemplateError;
use crate::messages::{self, Attachments};
use crate::sections::{Key, Part, SectionCache, Sections};
use crate::skills::{self, Shelf, SkillCache};
use crate::standing::{self, Standing};
use crate::templates::{Compiled, TemplateSet};
use crate::traced::Built;
use crate::{base, mcp};

/// Everything an assembly is a function of.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    /// The files.
    pub snapshot: &'a Snapshot,
    /// The prompt design.
    pub variant: &'a Variant,
    /// The host program.
    pub target: &'a Target,
    /// Everything else.
    pub context: &'a Context,
    /// Image files of the message, read by the caller.
    pub attachments: &'a Attachments,
}

/// Assembles once, with nothing kept. See [`Assembler`] for many times, and for messages with image files.
pub fn assemble(snapshot: &Snapshot, variant: &Variant, target: &Target, context: &Context) -> Assembly {
    Assembler::default().assemble(&Inputs { snapshot, variant, target, context, attachments: &Attachments::new() })
}

/// Assembles again and again. Keeps parsed templates, sort keys, front matter and finished sections, so that
/// one edit costs one section. The result never depends on what is kept.
#[derive(Debug, Default)]
pub struct Assembler {
    pub(crate) templates: TemplateSet,
    pub(crate) sections: SectionCache,
    pub(crate) skills: SkillCache,
    pub(crate) defaults: DefaultsCache,
}

impl Assembler {
    /// Assembles. Never fails: what is wrong is in the result's `findings`, `skipped` and `target_error`.
    pub fn assemble(&mut self, inputs: &Inputs<'_>) -> Assembly {
        self.assemble_without(inputs, &GivenUp::default())
    }

    pub(crate) fn assemble_without(&mut self, inputs: &Inputs<'_>, given_up: &GivenUp) -> Assembly {
        let Inputs { snapshot, variant, target, context, .. } = *inputs;
        let place = standing::standing(&snapshot.places, context);
        self.templates.load(&snapshot.app, target);
        let skills = skills::shelf(snapshot, target, context, &mut self.skills);
        let run = Run { inputs, standing: &place, shelf: &skills, given_up };
        let mut notes = Notes::default();
        let parts = self.parts(&run, &mut notes);
        let mut sections = match base::text(variant) {
            Some(_) => self.base_sections(&run, &parts, &mut notes),
            None => Sections::joined(variant, parts),
        };
        if sections.is_empty() && notes.error.is_none() {
            sections.fallback(&variant.fallback);
        }
        self.sections.end_turn();
        let mut findings = skills.findings.clone();
        findings.append(&mut notes.findings);
        findings.extend(same_workspace_twice(snapshot, &place));
        findings.extend(profile_switched_off(target, &place));
        findings.extend(mcp::unsorted(context));
        let user_message = messages::user_message(context, &mut findings);
        notes.skipped.extend(not_read(snapshot));
        notes.skipped.extend(mcp::skipped(context));
        Assembly {
            variant: variant.id.clone(),
            variant_version: variant.version,
            target: target.id.clone(),
            channel: context.channel.clone(),
            messages: messages::messages(context, &user_message, inputs.attachments),
            user_message,
            tool_schemas: mcp::schemas(context),
            skipped: notes.skipped,
            skills: skill_list(&skills, given_up),
            findings,
            fingerprint: standing::fingerprint(snapshot, target, context, &place),
            content_hash: content_hash(inputs, &place, &skills),
            layered: place.layered,
            file_access: place.file_access,
            work_root: place.work_root.clone(),
            target_error: notes.error,
            sections: sections.into_list(),
        }
    }

    fn parts<'a>(&mut self, run: &Run<'a>, notes: &mut Notes) -> Vec<Part<'a>> {
        let variant = run.inputs.variant;
        let mut parts = Vec::new();
        for name in &variant.order {
            let Some((name, spec)) = variant.components.get_key_value(name) else {
                let message = text!("component-not-found-order", name);
                notes.findings.push(Finding::new("component-not-found", Severity::Warning, message));
                continue;
            };
            let built = self.component(run, name, spec, notes);
            let built = built.or_else(|| (variant.tidy == Tidy::None).then(Built::default));
            parts.extend(built.map(|built| Part { name, spec, built }));
        }
        parts
    }

    /// Renders a template, or takes the text that the same template with the same values gave before.
    pub(crate) fn rendered(
        &mut self,
        compiled: &Compiled,
        values: Map<String, Value>,
        nested: &BTreeMap<&str, &Built>,
    ) -> Result<Built, TemplateError> {
        let mut key = Key::new("template").text(&compiled.path).hash(compiled.hash);
        key = key.text(&Value::Object(values.clone()).to_string());
        for (name, built) in nested {
            key = key.text(name).hash(built.key);
        }
        self.sections.try_get(key.done(), || {
            let mut values = values;
            values
                .extend(nested.iter().map(|(name, built)| ((*name).to_owned(), Value::String(built.text.to_string()))));
            compiled.render(&values, nested)
        })
    }
}

/// Every skill: listed ones in the target's order, then the others.
pub(crate) fn skill_list(shelf: &Shelf<'_>, given_up: &GivenUp) -> Vec<Skill> {
    let listed = shelf.listed.iter().map(|listed| {
        let skill = &listed.skill;
        let (state, reason) = match listed.state {
            SkillState::Always if given_up.bodies.contains(skill.name) => (SkillState::OnDemand, None),
            SkillState::Disabled => (SkillState::Disabled, Some(text!("reason-disabled"))),
            state => (state, None),
        };
        Skill {
            name: skill.name.to_owned(),
            description: skill.description().to_owned(),
            enabled: state != SkillState::Disabled,
            origin: skill.origin,
            state,
            reason,
            path: skill.file.path.to_string(),
        }
    });
    let unlisted = shelf.unlisted.iter().map(|unlisted| Skill {
        name: unlisted.name.to_owned(),
        description: unlisted.skill.as_ref().map_or("", |skill| skill.description()).to_owned(),
        enabled: true,
        origin: unlisted.origin,
        state: unlisted.state,
        reason: Some(unlisted.reason.clone()),
        path: unlisted.path.to_owned(),
    });
    listed.chain(unlisted).collect()
}

/// Files that are present and that the target never reads.
fn not_read(snapshot: &Snapshot) -> impl Iterator<Item = Skipped> {
    snapshot.workspace.ignored.iter().map(|ignored| Skipped {
        id: ignored.relative.clone(),
        layer: None,
        path: Some(ignored.path.clone()),
        reason: SkipReason::NotRead,
        detail: match &ignored.near {
            Some(near) => text!("reason-with-near", reason = &ignored.reason, near),
            None => ignored.reason.clone(),
        },
        text: None,
        tokens: None,
    })
}

/// A layered workspace whose own profile is read because the workbench was told so, where the host has no such switch.
fn profile_switched_off(target: &Target, standing: &Standing) -> Option<Finding> {
    let ours = target.own_profile && !target.profile_switch && standing.layered;
    ours.then(|| {
        let message = text!("profile-switch-ours", target = &target.name);
        Finding::new("profile-switch-ours", Severity::Info, message)
    })
}

/// A layered workspace whose files are the global one's under another path: the target cannot see that, and
/// injects them twice. Nothing when whoever read the files has said so.
fn same_workspace_twice(snapshot: &Snapshot, standing: &Standing) -> Option<Finding> {
    const ID: &str = "same-workspace-twice";
    if !standing.layered || snapshot.findings.iter().any(|finding| finding.id == ID) {
        return None;
    }
    let twin = snapshot.workspace.files.iter().find(|(name, entry)| {
        let other = snapshot.global.entry(name).and_then(|entry| entry.identity);
        entry.identity.zip(other).is_some_and(|(a, b)| a.inode != 0 && (a.device, a.inode) == (b.device, b.inode))
    })?;
    let message = text!("same-workspace-twice-files", file = twin.0);
    Some(Finding::new(ID, Severity::Warning, message).at(snapshot.workspace.path.clone()))
}

/// Hash of everything that the system prompt is made from, by content: what the target's fingerprint misses.
fn content_hash(inputs: &Inputs<'_>, standing: &Standing, shelf: &Shelf<'_>) -> ContentHash {
    let Inputs { snapshot, variant, target, context, .. } = inputs;
    let file = |key: Key, path: &str, file: Option<&std::sync::Arc<SourceFile>>| match file {
        Some(file) => key.text(path).hash(file.hash),
        None => key.text(path).text("-"),
    };
    let spec = serde_json::to_string(variant).unwrap_or_default();
    let mut key = Key::new("assembly").text(&spec).text(&serde_json::to_string(target).unwrap_or_default());
    for (name, text) in &variant.texts {
        key = key.text(name).text(text);
    }
    let mut values = standing::variables(&snapshot.places, context, standing);
    values.extend(crate::components::free_values(context));
    values.insert("platform".into(), context.platform().into());
    values.insert("layered".into(), standing.layered.into());
    values.insert("mcp".into(), mcp::system_list(context).into());
    key = key.text(&Value::Object(values).to_string());
    for name in &target.templates {
        key = file(key, name, snapshot.app.templates.get(name).and_then(|entry| entry.source()));
    }
    for (name, entry) in snapshot.app.templates.iter().filter(|(name, _)| !target.templates.contains(name)) {
        key = file(key, name, entry.source());
    }
    for bootstrap in &target.bootstrap {
        let folder = standing::bootstrap_folder(snapshot, target, &bootstrap.name, standing.layered);
        key = file(key, &bootstrap.name, folder.entry(&bootstrap.name).and_then(|entry| entry.source()));
    }
    for folder in [&snapshot.global, &snapshot.workspace] {
        key = file(key, &target.memory, folder.entry(&target.memory).and_then(|entry| entry.source()));
    }
    for listed in &shelf.listed {
        key = key
            .text(listed.skill.name)
            .text(if listed.state == SkillState::Disabled { "off" } else { "on" })
            .hash(listed.skill.file.hash);
    }
    for always in &shelf.always {
        key = key.text(always.name).hash(always.file.hash);
    }
    key.done()
}
