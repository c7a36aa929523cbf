//! What can be done with skills. Nothing is ever replaced, and what is deleted is in the trash.

use std::path::{Path, PathBuf};

use jiff::tz::TimeZone;
use model::{Snapshot, SourceOrigin, Target, Text, text};
use workspace::host_config::{self, ConfigError, Switch};
use workspace::save::folder::{self, FolderError};
use workspace::save::{RelativePath, Root, SaveError, SaveOptions};
use workspace::skills::{names, text as skill_text};
use workspace::trash::{self, Trash, Trashed};

use super::locked;
use crate::api::outputs::OUTPUT_VERSION;
use crate::api::{ApiError, ErrorCode, SkillCopy, SkillDone, SkillName, SkillNew, SkillSwitch, SkillTrashed};
use crate::machine::Machine;
use crate::place::{Place, text};

/// What an action works on.
#[derive(Clone, Debug)]
pub struct Desk<'a> {
    /// What stands on disk.
    pub snapshot: &'a Snapshot,
    /// The target.
    pub target: &'a Target,
    /// Whose configuration it is.
    pub place: &'a Place,
    /// Where deleted things go.
    pub trash: Trash,
    /// The moment.
    pub machine: &'a Machine,
}

impl Desk<'_> {
    fn root(&self) -> Root {
        Root::new("workspace", &self.snapshot.workspace.path)
    }

    fn options(&self) -> SaveOptions {
        let registered = [&self.snapshot.workspace.path, &self.snapshot.global.path];
        SaveOptions { registered: registered.map(PathBuf::from).to_vec(), ..SaveOptions::default() }
    }

    fn relative(&self, name: &str) -> Result<RelativePath, ApiError> {
        if name.contains('/') {
            return Err(invalid(text!("skill-name-slash", name)));
        }
        RelativePath::parse(&format!("{}/{name}", self.target.skills))
            .map_err(|error| invalid(Text::verbatim(error.to_string())))
    }

    fn is_builtin(&self, name: &str) -> bool {
        self.snapshot.app.skills.iter().any(|folder| folder.name == name)
    }
}

fn invalid(message: Text) -> ApiError {
    ApiError::new(ErrorCode::Invalid, message)
}

#[allow(clippy::needless_pass_by_value, reason = "as `map_err` hands it on")]
fn of_folder(error: FolderError) -> ApiError {
    let (code, path) = match &error {
        FolderError::Exists { path } => (ErrorCode::Invalid, Some(path)),
        FolderError::Gone { path } => (ErrorCode::NotFound, Some(path)),
        FolderError::Special { path } | FolderError::TooLarge { path } | FolderError::Io { path, .. } => {
            (ErrorCode::Failed, Some(path))
        }
        FolderError::Place(_) => (ErrorCode::Failed, None),
    };
    let answer = ApiError::new(code, error.text());
    match path {
        Some(path) => answer.with("path", path.display()),
        None => answer,
    }
}

fn done(name: &str, path: &Path) -> SkillDone {
    SkillDone {
        schema_version: OUTPUT_VERSION,
        name: name.to_owned(),
        path: text(path),
        changed: true,
        notes: Vec::new(),
        trashed: None,
    }
}

/// The first rule that a new name breaks, as an error.
fn allowed(name: &str) -> Result<(), ApiError> {
    match names::problems(name).first() {
        Some(problem) => Err(invalid(problem.text()).with("name", name)),
        None => Ok(()),
    }
}

/// Makes a skill in the workspace.
///
/// # Errors
/// [`ErrorCode::Invalid`] when the name breaks a rule or is taken.
pub fn create(desk: &Desk<'_>, new: &SkillNew) -> Result<SkillDone, ApiError> {
    allowed(&new.name)?;
    let written = skill_text::new(&new.name, &new.description, &new.body);
    let files = [(&*desk.target.skill_file, written.as_bytes())];
    let path = folder::make(&desk.root(), &desk.relative(&new.name)?, &files, &desk.options()).map_err(of_folder)?;
    let mut done = done(&new.name, &path);
    if desk.is_builtin(&new.name) {
        done.notes.push(text!("skill-note-replaces", name = &new.name));
    }
    Ok(done)
}

/// Copies a skill into the workspace: its whole folder. A built-in one keeps its name unless another is given, so that
/// it stands in the place of the app's.
///
/// # Errors
/// [`ErrorCode::Invalid`] when the name breaks a rule or is taken, [`ErrorCode::NotFound`] when there is no such skill.
pub fn duplicate(desk: &Desk<'_>, copy: &SkillCopy) -> Result<SkillDone, ApiError> {
    let SkillName { name: from, origin } = &copy.skill;
    let builtin = origin == "builtin";
    let folders = if builtin { &desk.snapshot.app.skills } else { &desk.snapshot.workspace.skills };
    let source = folders.iter().find(|folder| folder.name == *from).ok_or_else(|| not_here(from))?;
    let taken = |name: &str| desk.snapshot.workspace.skills.iter().any(|folder| folder.name == name);
    let name = match &copy.name {
        Some(name) => name.clone(),
        None if builtin => from.clone(),
        None => names::next_free(from, |name| taken(name) || desk.is_builtin(name)),
    };
    if name != *from {
        allowed(&name)?;
    }
    let relative = desk.relative(&name)?;
    let renamed = |bytes: &[u8]| skill_text::renamed(std::str::from_utf8(bytes).ok()?, &name).map(String::into_bytes);
    let shipped = source.file.source().filter(|file| file.origin == SourceOrigin::Shipped);
    let path = if let Some(file) = shipped {
        // What ships with the workbench stands in no folder.
        let bytes = renamed(&file.bytes).unwrap_or_else(|| file.bytes.to_vec());
        folder::make(&desk.root(), &relative, &[(&*desk.target.skill_file, &bytes)], &desk.options())
    } else {
        let file: &str = &source.file.path;
        let from = Path::new(file.rsplit_once('/').map_or(file, |(folder, _)| folder));
        let rewrite = |file: &str, bytes: &[u8]| if file == desk.target.skill_file { renamed(bytes) } else { None };
        folder::copy(&desk.root(), from, &relative, &desk.options(), &rewrite)
    };
    let mut done = done(&name, &path.map_err(of_folder)?);
    if source.file.link.is_some() {
        done.notes.push(text!("skill-note-link", file = &desk.target.skill_file));
    }
    Ok(done)
}

fn not_here(name: &str) -> ApiError {
    ApiError::new(ErrorCode::NotFound, text!("error-no-skill", name)).with("name", name)
}

/// Takes a skill of the workspace to the trash: its whole folder, or the link that leads to it.
///
/// # Errors
/// [`ErrorCode::NotFound`] when there is no such skill in the workspace; the app's own are never deleted.
pub fn delete(desk: &Desk<'_>, name: &str) -> Result<SkillDone, ApiError> {
    if !desk.snapshot.workspace.skills.iter().any(|folder| folder.name == name) {
        return Err(if desk.is_builtin(name) { invalid(text!("error-app-skill", name)) } else { not_here(name) });
    }
    let path = desk.relative(name)?.below(Path::new(&desk.snapshot.workspace.path));
    let when = TimeZone::system().to_datetime(desk.machine.now).strftime("%Y-%m-%dT%H:%M:%S").to_string();
    let trashed = trash::put(&desk.trash, &path, &when).map_err(of_folder)?;
    let mut done = done(name, &path);
    done.trashed =
        Some(SkillTrashed { name: name.to_owned(), original: text(&trashed.original), stored: text(&trashed.stored) });
    if desk.is_builtin(name) {
        done.notes.push(text!("skill-note-app-again", name));
    }
    Ok(done)
}

/// Brings a skill back from the trash to where it stood, which is among the skills of this workspace.
///
/// # Errors
/// [`ErrorCode::Invalid`] when it stood elsewhere or something has its name by now, [`ErrorCode::NotFound`] when the
/// trash was emptied.
pub fn restore(desk: &Desk<'_>, trashed: &SkillTrashed) -> Result<SkillDone, ApiError> {
    let path = desk.relative(&trashed.name)?.below(Path::new(&desk.snapshot.workspace.path));
    let stored = Path::new(&trashed.stored);
    let known = match &desk.trash {
        Trash::Desktop(folder) if stored.starts_with(folder.join("files")) => trash::find(stored).ok(),
        Trash::Plain(folder) if stored.parent() == Some(folder) => {
            Some(Trashed { original: PathBuf::from(&trashed.original), stored: stored.to_owned(), info: None })
        }
        _ => None,
    };
    let known = known.ok_or_else(|| {
        ApiError::new(ErrorCode::NotFound, text!("error-not-in-trash", name = &trashed.name))
            .with("path", &trashed.stored)
    })?;
    if known.original != path {
        return Err(invalid(text!(
            "error-stood-elsewhere",
            stored = &trashed.stored,
            original = known.original.display().to_string()
        )));
    }
    trash::restore(&known).map_err(of_folder)?;
    Ok(done(&trashed.name, &path))
}

/// Switches a skill on or off in the host's configuration.
///
/// # Errors
/// [`ErrorCode::Invalid`] for one that is always on and for a configuration that is no JSON, [`ErrorCode::Conflict`]
/// when it changed meanwhile.
pub fn switch(desk: &Desk<'_>, switch: &SkillSwitch) -> Result<SkillDone, ApiError> {
    if desk.target.always_on.contains(&switch.name) && !switch.enabled {
        return Err(invalid(locked(&switch.name)).with("name", &switch.name));
    }
    let root = desk.place.disabled_skills_root();
    let change = Switch { name: &switch.name, disabled: !switch.enabled };
    let changed = host_config::switch(&root, change).map_err(of_config)?;
    let mut done = done(&switch.name, &changed.path);
    done.changed = changed.written;
    if !changed.read_by_host {
        done.notes.push(text!("skill-note-config-comments"));
    }
    let exists = desk.snapshot.workspace.skills.iter().any(|folder| folder.name == switch.name);
    if !exists && !desk.is_builtin(&switch.name) {
        done.notes.push(text!("skill-note-none", name = &switch.name));
    }
    Ok(done)
}

#[allow(clippy::needless_pass_by_value, reason = "as `map_err` hands it on")]
fn of_config(error: ConfigError) -> ApiError {
    let message = match &error {
        ConfigError::Save(error) => error.text(),
        other => Text::verbatim(other.to_string()),
    };
    match &error {
        ConfigError::Invalid { path, line, column, .. } => {
            invalid(message).with("path", path.display()).with("line", line).with("column", column)
        }
        ConfigError::Save(SaveError::Conflict { .. }) => {
            ApiError::new(ErrorCode::Conflict, text!("error-config-changed"))
        }
        ConfigError::Unreadable { path, .. } => ApiError::new(ErrorCode::Failed, message).with("path", path.display()),
        ConfigError::Save(_) => ApiError::new(ErrorCode::Failed, message),
    }
}
