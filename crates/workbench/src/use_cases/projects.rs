//! The person's list of projects: `cbw project`, and what the window's page of projects shows.
//!
//! Adding reads the names of a project's files and makes none; removing takes it off the list and leaves its files.

use std::path::Path;

use model::{Finding, Parsed, Target, text};
use workspace::places::{self, Found, Layout};
use workspace::projects::{self, ChosenLayout, Project, ProjectsError};

use crate::api::outputs::{OUTPUT_VERSION, ProjectFolderOutput, ProjectOutput, ProjectsOutput};
use crate::api::{ApiError, ErrorCode};

/// A project with what stands in its folders.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The project.
    pub project: Project,
    /// Its two possible workspaces, the outer one first; a folder without files is there, too.
    pub folders: [Found; 2],
    /// Why it cannot be opened as it is.
    pub problem: Option<Problem>,
}

/// Why a project cannot be opened as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Problem {
    /// The folder is not there, or is no folder.
    Gone,
    /// The folder cannot be read.
    Unreadable,
    /// Neither folder holds a file that the target reads.
    NoWorkspace,
    /// Both hold files, and nobody has chosen.
    TwoLayouts,
}

impl Problem {
    /// The word in outputs.
    pub fn word(self) -> &'static str {
        match self {
            Self::Gone => "gone",
            Self::Unreadable => "unreadable",
            Self::NoWorkspace => "no_workspace",
            Self::TwoLayouts => "two_layouts",
        }
    }
}

/// The word of a layout.
pub fn layout_of(found: &Found) -> ChosenLayout {
    if found.layout == Layout::ProjectInner { ChosenLayout::Inner } else { ChosenLayout::Outer }
}

impl Listed {
    /// The folder that opening leads to; `None` while both hold files and nobody has chosen.
    pub fn workspace(&self) -> Option<&Found> {
        let [outer, inner] = &self.folders;
        match (outer.count() > 0, inner.count() > 0) {
            (true, true) => self.project.layout.map(|layout| if layout == ChosenLayout::Inner { inner } else { outer }),
            (false, true) => Some(inner),
            _ => Some(outer),
        }
    }

    fn of(project: &Project, target: &Target) -> Self {
        let folder = Path::new(&project.path);
        let folders = places::look_at(folder, &project.label(), target);
        let mut listed = Self { project: project.clone(), folders, problem: None };
        listed.problem = if !folder.is_dir() {
            Some(Problem::Gone)
        } else if std::fs::read_dir(folder).is_err() {
            Some(Problem::Unreadable)
        } else if listed.folders.iter().all(|found| found.count() == 0) {
            Some(Problem::NoWorkspace)
        } else {
            listed.workspace().is_none().then_some(Problem::TwoLayouts)
        };
        listed
    }
}

/// The list, each project looked at. A damaged list is empty, with a finding.
pub fn list(home: &Path) -> Parsed<Vec<Listed>> {
    let Parsed { value, findings } = projects::list(home);
    Parsed { value: look(value), findings }
}

/// Adds a folder at the end; a listed one takes the new name. Returns the list.
///
/// # Errors
/// [`ErrorCode::NotFound`] when there is no such folder, and when the list cannot be read or written.
pub fn add(home: &Path, path: &str, name: Option<&str>) -> Result<Vec<Listed>, ApiError> {
    folder(path)?;
    changed(projects::add(home, path, name))
}

/// Takes a project off the list; its files stay. Returns the list.
///
/// # Errors
/// [`ErrorCode::NotFound`] when it is not listed, and when the list cannot be read or written.
pub fn remove(home: &Path, path: &str) -> Result<Vec<Listed>, ApiError> {
    changed(projects::remove(home, path))
}

/// Moves a project to a position, counted from 0. Returns the list.
///
/// # Errors
/// As [`remove`].
pub fn move_to(home: &Path, path: &str, position: usize) -> Result<Vec<Listed>, ApiError> {
    changed(projects::move_to(home, path, position))
}

/// The list as it is after a change.
///
/// # Errors
/// The change's own, in the words of the wire.
pub(crate) fn changed(outcome: Result<Vec<Project>, ProjectsError>) -> Result<Vec<Listed>, ApiError> {
    outcome.map(look).map_err(|error| refused(&error))
}

/// # Errors
/// When `path` is no folder.
pub(crate) fn folder(path: &str) -> Result<(), ApiError> {
    if Path::new(path).is_dir() {
        return Ok(());
    }
    let message = if Path::new(path).exists() {
        text!("error-project-not-a-folder", path)
    } else {
        text!("error-project-does-not-exist", path)
    };
    Err(ApiError::new(ErrorCode::NotFound, message).with("path", path))
}

fn look(list: Vec<Project>) -> Vec<Listed> {
    let target = prompt::targets::catbuddy();
    list.into_iter().map(|project| Listed::of(&project, &target)).collect()
}

/// The error of a list that was not changed.
fn refused(error: &ProjectsError) -> ApiError {
    let code = match error {
        ProjectsError::NotListed(_) => ErrorCode::NotFound,
        ProjectsError::NotAbsolute(_) => ErrorCode::Invalid,
        ProjectsError::Unreadable { .. } | ProjectsError::Io(_) => ErrorCode::Failed,
    };
    let shown = ApiError::english(code, format!("{error}."));
    match error {
        ProjectsError::Unreadable { file, .. } => shown.with("path", file.display()),
        ProjectsError::NotAbsolute(path) | ProjectsError::NotListed(path) => shown.with("path", path),
        ProjectsError::Io(_) => shown,
    }
}

/// The list in the shape of `--json`.
pub fn output(listed: &[Listed], findings: &[Finding]) -> ProjectsOutput {
    ProjectsOutput {
        schema_version: OUTPUT_VERSION,
        projects: listed
            .iter()
            .map(|one| ProjectOutput {
                path: one.project.path.clone(),
                name: one.project.label(),
                workspace: one.workspace().map(|found| found.path.clone()),
                folders: one
                    .folders
                    .iter()
                    .filter(|found| found.count() > 0)
                    .map(|found| ProjectFolderOutput {
                        path: found.path.clone(),
                        files: found.files.clone(),
                        skills: found.skills as u32,
                    })
                    .collect(),
                problem: one.problem.map(|problem| problem.word().to_owned()),
            })
            .collect(),
        findings: findings.iter().map(super::assemble::finding_output).collect(),
    }
}
