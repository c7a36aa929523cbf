//! The skills of the open workspace, and what can be done with them. After each action the disk is read again, so that
//! list, preview and files follow at once.

use std::sync::Arc;

use history::Reason;
use model::{Text, text};

use crate::api::{
    ApiError, ErrorCode, Nothing, PreviewRequest, SkillCopy, SkillDone, SkillName, SkillNew, SkillSwitch, SkillTrashed,
    SkillsChanged, SkillsView,
};
use crate::machine::{self, Machine};
use crate::session::{Engine, lock};
use crate::use_cases::skills::{self as use_case, Desk};
use crate::window::preview;
use crate::{Session, attachments, counting, variants};

/// Every skill, as the preview's context has it; drafts count.
///
/// # Errors
/// [`ErrorCode::NotFound`] when no workspace is open.
pub fn skills(session: &Session, _: Nothing) -> Result<SkillsView, ApiError> {
    let request: PreviewRequest = session.engine().last_request.clone().unwrap_or_default();
    let (snapshot, place, revision, sample) =
        session.with_open(|open| Ok((open.overlay(), open.place.clone(), open.revision, open.sample)))?;
    let context = preview::context(session, &place, Some(&request))?.merged();
    let id = request.variant.or(session.settings().variant).unwrap_or_else(|| variants::DEFAULT.to_owned());
    let variant = session.with_open(|open| open.registry.get(&id))?;
    let tokenizer = counting::tokenizer(context.provider.as_deref(), context.model.as_deref());
    let attachments = attachments::read(&context);
    let inputs = prompt::Inputs {
        snapshot: &snapshot,
        variant: &variant,
        target: &session.target,
        context: &context,
        attachments: &attachments,
    };
    let mut engine = session.engine();
    let Engine { counter, .. } = &mut *engine;
    let view = use_case::list(&inputs, &place, counter, tokenizer, sample.then(in_memory));
    Ok(SkillsView { revision, ..view })
}

fn in_memory() -> Text {
    text!("error-sample-skills")
}

/// Makes a skill.
///
/// # Errors
/// As [`use_case::create`].
pub fn skill_create(session: &Session, new: SkillNew) -> Result<SkillsChanged, ApiError> {
    act(session, |desk| use_case::create(desk, &new))
}

/// Copies a skill into the workspace.
///
/// # Errors
/// As [`use_case::duplicate`].
pub fn skill_duplicate(session: &Session, copy: SkillCopy) -> Result<SkillsChanged, ApiError> {
    act(session, |desk| use_case::duplicate(desk, &copy))
}

/// Takes a skill to the trash.
///
/// # Errors
/// As [`use_case::delete`]; [`ErrorCode::Invalid`] while it has unsaved edits, which would be left without a file.
pub fn skill_delete(session: &Session, skill: SkillName) -> Result<SkillsChanged, ApiError> {
    session.with_open(|open| {
        let ending = format!("/{}/{}/", session.target.skills, skill.name);
        let unsaved = open.documents.drafts().any(|path| path.contains(&ending));
        if skill.origin == "workspace" && unsaved {
            let message = text!("error-unsaved-skill", name = &skill.name);
            return Err(ApiError::new(ErrorCode::Invalid, message).with("name", &skill.name));
        }
        Ok(())
    })?;
    act(session, |desk| use_case::delete(desk, &skill.name))
}

/// Brings a skill back from the trash.
///
/// # Errors
/// As [`use_case::restore`].
pub fn skill_restore(session: &Session, trashed: SkillTrashed) -> Result<SkillsChanged, ApiError> {
    act(session, |desk| use_case::restore(desk, &trashed))
}

/// Switches a skill on or off.
///
/// # Errors
/// As [`use_case::switch`].
pub fn skill_switch(session: &Session, switch: SkillSwitch) -> Result<SkillsChanged, ApiError> {
    let mut changed = act(session, |desk| use_case::switch(desk, &switch))?;
    let row = changed.skills.skills.iter().find(|row| row.name == switch.name && row.state != "shadowed");
    if row.is_some_and(|row| (row.state == "disabled") == switch.enabled) && changed.done.notes.is_empty() {
        changed.done.notes.push(text!("skill-note-context-list"));
    }
    Ok(changed)
}

fn act(
    session: &Session,
    action: impl FnOnce(&Desk<'_>) -> Result<SkillDone, ApiError>,
) -> Result<SkillsChanged, ApiError> {
    let (snapshot, place, reader, sample) =
        session.with_open(|open| Ok((Arc::clone(&open.disk), open.place.clone(), open.reader.clone(), open.sample)))?;
    if sample {
        return Err(ApiError::new(ErrorCode::Invalid, in_memory()));
    }
    let machine = Machine::here();
    let desk = Desk {
        snapshot: &snapshot,
        target: &session.target,
        place: &place,
        trash: machine::trash(&place.home),
        machine: &machine,
    };
    let outcome = action(&desk);
    // Also after a failure: the disk is not as it was believed to be.
    if let Some(reading) = reader.map(|reader| lock(&reader).read()) {
        session.with_open(|open| {
            open.disk = Arc::clone(&reading.snapshot);
            open.documents.disk_changed(&reading.snapshot, &reading.changed_files);
            open.revision += 1;
            Ok(())
        })?;
    }
    let done = outcome?;
    preview::record_now(session, Reason::Save);
    Ok(SkillsChanged { done, skills: skills(session, Nothing {})? })
}
