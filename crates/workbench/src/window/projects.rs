//! The list of projects, and what is remembered of each place. Files of projects are made, never changed or removed.

use std::path::Path;
use std::time::SystemTime;

use jiff::Timestamp;
use model::paths::resolve;
use workspace::places::Found;
use workspace::projects::{self, ChosenLayout, Project};

use crate::Session;
use crate::api::{
    ApiError, FilesMade, LastSeen, LayoutChoice, Nothing, ProfileChoice, ProjectFolder, ProjectList, ProjectProblem,
    ProjectRow, ProjectsChange, WorkspaceFolder,
};
use crate::assembling::Request;
use crate::place::{Place, text};
use crate::session::finding_view;
use crate::use_cases::init::init;
use crate::use_cases::projects::{self as listing, Listed, Problem};

/// The list of projects, each looked at.
///
/// # Errors
/// None: a damaged list is empty, with a finding.
pub fn projects(session: &Session, _: Nothing) -> Result<ProjectList, ApiError> {
    let read = listing::list(session.home());
    Ok(ProjectList {
        findings: read.findings.iter().map(|finding| finding_view(finding, None)).collect(),
        ..list(session, &read.value)
    })
}

/// Changes the list of projects.
///
/// # Errors
/// When the list cannot be read or written, or a folder is not there; the list is then as it was.
pub fn change_projects(session: &Session, change: ProjectsChange) -> Result<ProjectList, ApiError> {
    let home = session.home();
    let listed = match change {
        ProjectsChange::Add { path } => listing::add(home, &project_folder(&path), None),
        ProjectsChange::Remove { path } => listing::remove(home, &path),
        ProjectsChange::Restore { path, name, layout, position } => {
            let project = Project { name, layout: layout.map(chosen), ..Project::new(path) };
            listing::changed(projects::put(home, project, position as usize))
        }
        ProjectsChange::Move { path, position } => listing::move_to(home, &path, position as usize),
        ProjectsChange::Rename { path, name } => listing::changed(projects::rename(home, &path, &name)),
        ProjectsChange::Choose { path, layout } => {
            listing::changed(projects::choose_layout(home, &path, chosen(layout)))
        }
    }?;
    Ok(list(session, &listed))
}

/// Switches the global profile off or on for a workspace. Drafts stay.
///
/// # Errors
/// When the settings cannot be written.
pub fn choose_profile(session: &Session, choice: ProfileChoice) -> Result<Nothing, ApiError> {
    session.change_kept(|kept| {
        kept.places.entry(resolve("/", &choice.workspace)).or_default().own_profile = choice.own;
    })?;
    Ok(Nothing {})
}

/// Remembers where the person is in the open workspace. The sample is not remembered.
///
/// # Errors
/// When the settings cannot be written.
pub fn remember(session: &Session, seen: LastSeen) -> Result<Nothing, ApiError> {
    if let Some(folder) = session.open_folder() {
        session.change_kept(|kept| kept.places.entry(folder).or_default().last_seen = seen)?;
    }
    Ok(Nothing {})
}

/// Makes the default files that a workspace lacks.
///
/// # Errors
/// When a file cannot be made; what was made before stays.
pub fn make_files(session: &Session, folder: WorkspaceFolder) -> Result<FilesMade, ApiError> {
    let app = session.place.app.clone();
    let place = Place { home: session.home().clone(), workspace: Some(folder.path), app, ..Place::default() };
    let done = init(&Request { place, ..Request::default() })?;
    Ok(FilesMade { created: done.created, kept: done.kept, without_template: done.without_template })
}

/// The workspace of a project whose folders both hold files, when one was chosen.
pub(crate) fn chosen_workspace(session: &Session, path: &str) -> Option<String> {
    let listed = listing::list(session.home()).value;
    let one = listed.iter().find(|one| one.project.path == resolve("/", path))?;
    let both = one.folders.iter().all(|found| found.count() > 0);
    one.workspace().filter(|_| both).map(|found| found.path.clone())
}

/// The folder that holds the `.catbuddy` folder, for whoever chose a workspace folder itself.
pub(crate) fn project_folder(path: &str) -> String {
    let full = resolve("/", path);
    let folder = Path::new(&full);
    let is = |folder: &Path, name: &str| folder.file_name().is_some_and(|own| own == name);
    let outer = if is(folder, "workspace") { folder.parent().unwrap_or(folder) } else { folder };
    match outer.parent() {
        Some(project) if is(outer, ".catbuddy") => text(project),
        _ => full.clone(),
    }
}

fn list(session: &Session, listed: &[Listed]) -> ProjectList {
    let kept = session.kept();
    let open = session.open_folder();
    let projects = listed
        .iter()
        .map(|one| {
            let workspace = one.workspace().map(|found| found.path.clone());
            let choices = workspace.as_deref().map(|folder| kept.of(folder)).unwrap_or_default();
            ProjectRow {
                path: one.project.path.clone(),
                name: one.project.label(),
                own_name: one.project.name.clone(),
                open: one.folders.iter().any(|found| Some(&found.path) == open.as_ref()),
                problem: one.problem.map(problem),
                layout: one.project.layout.map(layout),
                folders: one.folders.iter().filter(|found| found.count() > 0).map(folder).collect(),
                own_profile: choices.own_profile,
                channel: choices.channel,
                variant: choices.variant,
                workspace,
            }
        })
        .collect();
    ProjectList { projects, findings: Vec::new() }
}

fn folder(found: &Found) -> ProjectFolder {
    let root = Path::new(&found.path);
    let times = found.files.iter().filter_map(|file| root.join(file).metadata().ok()?.modified().ok());
    let time = |time: SystemTime| Timestamp::try_from(time).ok().map(|time| time.to_string());
    ProjectFolder {
        layout: layout(listing::layout_of(found)),
        path: found.path.clone(),
        files: found.files.clone(),
        skills: found.skills as u32,
        changed: times.max().and_then(time),
    }
}

fn layout(layout: ChosenLayout) -> LayoutChoice {
    match layout {
        ChosenLayout::Outer => LayoutChoice::Outer,
        ChosenLayout::Inner => LayoutChoice::Inner,
    }
}

fn chosen(layout: LayoutChoice) -> ChosenLayout {
    match layout {
        LayoutChoice::Outer => ChosenLayout::Outer,
        LayoutChoice::Inner => ChosenLayout::Inner,
    }
}

fn problem(problem: Problem) -> ProjectProblem {
    match problem {
        Problem::Gone => ProjectProblem::Gone,
        Problem::Unreadable => ProjectProblem::Unreadable,
        Problem::NoWorkspace => ProjectProblem::NoWorkspace,
        Problem::TwoLayouts => ProjectProblem::TwoLayouts,
    }
}
