//! The same for the command line, which reads the disk anew each time.

use std::path::PathBuf;

use tokens::Counter;
use workspace::trash;

use super::{Desk, create, delete, duplicate, list, restore, switch};
use crate::api::{
    ApiError, ErrorCode, SkillCopy, SkillDone, SkillName, SkillNew, SkillSwitch, SkillTrashed, SkillsView,
};
use crate::assembling::{self, Request};
use crate::{counting, machine};

/// Something that can be done with skills.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Act {
    /// See [`create`].
    Create(SkillNew),
    /// See [`duplicate`]; of the app's own when asked for, or when the workspace has none of the name.
    Duplicate {
        /// The skill.
        name: String,
        /// The copy's name.
        new_name: Option<String>,
        /// The app's own.
        builtin: bool,
    },
    /// See [`delete`].
    Delete(String),
    /// See [`restore`]: by where it is in the trash.
    Restore(PathBuf),
    /// See [`switch`].
    Switch(SkillSwitch),
}

/// The skills as they are on disk.
///
/// # Errors
/// As [`assembling::read`].
pub fn listed(request: &Request) -> Result<SkillsView, ApiError> {
    let inputs = assembling::read(request)?;
    let context = &inputs.context;
    let tokenizer = counting::tokenizer(context.provider.as_deref(), context.model.as_deref());
    let parts = prompt::Inputs {
        snapshot: &inputs.snapshot,
        variant: &inputs.variant,
        target: &inputs.target,
        context,
        attachments: &inputs.attachments,
    };
    Ok(list(&parts, &request.place, &mut Counter::default(), tokenizer, None))
}

/// Does it.
///
/// # Errors
/// Those of what is done.
pub fn act(request: &Request, act: &Act) -> Result<SkillDone, ApiError> {
    let inputs = assembling::read(request)?;
    let desk = Desk {
        snapshot: &inputs.snapshot,
        target: &inputs.target,
        place: &request.place,
        trash: machine::trash(&request.place.home),
        machine: &inputs.machine,
    };
    match act {
        Act::Create(new) => create(&desk, new),
        Act::Duplicate { name, new_name, builtin } => {
            let here = inputs.snapshot.workspace.skills.iter().any(|folder| folder.name == *name);
            let origin = if *builtin || !here { "builtin" } else { "workspace" }.to_owned();
            let skill = SkillName { name: name.clone(), origin };
            duplicate(&desk, &SkillCopy { skill, name: new_name.clone() })
        }
        Act::Delete(name) => delete(&desk, name),
        Act::Restore(stored) => {
            let found = trash::find(stored).map_err(|_| {
                let message = format!("{} is nothing that a desktop's trash holds.", stored.display());
                ApiError::english(ErrorCode::NotFound, message).with("path", stored.display())
            })?;
            let name = found.original.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let (original, stored) = (found.original.display().to_string(), found.stored.display().to_string());
            restore(&desk, &SkillTrashed { name, original, stored })
        }
        Act::Switch(wanted) => switch(&desk, wanted),
    }
}
