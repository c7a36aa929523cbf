//! The person's own list of projects: `<home>/.catbuddy/workbench/projects.json`.
//!
//! ```json
//! {"schema_version": 1, "projects": [{"path": "/home/ada/garden", "name": "Garden"}]}
//! ```
//! The order is that of the list on the screen. Removing a project takes it off the list; its files stay.

use std::io;
use std::path::{Path, PathBuf};

use model::{Parsed, text};
use serde::{Deserialize, Serialize};

use crate::rules;
use crate::save::update_own_file;

const SCHEMA_VERSION: u32 = 1;
const FILE: &str = "projects.json";

/// One project.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Project {
    /// The project's folder, absolute.
    pub path: String,
    /// A name for people; without one, the folder's name is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Which of its folders was chosen when both hold files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<ChosenLayout>,
}

impl Project {
    /// A project without a name of its own.
    pub fn new(path: impl Into<String>) -> Self {
        Self { path: path.into(), name: None, layout: None }
    }

    /// What is shown: the name, or the folder's.
    pub fn label(&self) -> String {
        let folder = Path::new(&self.path).file_name();
        self.name
            .clone()
            .unwrap_or_else(|| folder.map_or_else(|| self.path.clone(), |name| name.to_string_lossy().into_owned()))
    }
}

/// One of the two folders that a project's workspace can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChosenLayout {
    /// `<project>/.catbuddy`.
    Outer,
    /// `<project>/.catbuddy/workspace`.
    Inner,
}

/// Why the list was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ProjectsError {
    /// The file is damaged, or newer than this version; it is left as it is.
    #[error("{} is not a list of projects that this version reads ({reason}). It was left as it is: mend it or move it away.", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A path that is not absolute.
    #[error("{0} is not an absolute path")]
    NotAbsolute(String),
    /// No such project.
    #[error("{0} is not in the list of projects")]
    NotListed(String),
    /// The system refused.
    #[error("the list of projects cannot be written ({0}); it is as it was")]
    Io(#[from] io::Error),
}

#[derive(Serialize, Deserialize)]
struct Stored {
    schema_version: u32,
    #[serde(default)]
    projects: Vec<Project>,
}

/// Folder of the workbench's own things below the home.
pub fn own_folder(home: &Path) -> PathBuf {
    home.join(".catbuddy/workbench")
}

/// The projects, in their order. No file: none. A damaged file: none, and a finding.
pub fn list(home: &Path) -> Parsed<Vec<Project>> {
    let file = own_folder(home).join(FILE);
    let outcome = match std::fs::read(&file) {
        Ok(bytes) => parse(&bytes),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(cause) => Err(cause.to_string()),
    };
    match outcome {
        Ok(value) => Parsed { value, findings: Vec::new() },
        Err(cause) => {
            let message = text!("projects-unreadable", cause);
            let finding = rules::PROJECTS_UNREADABLE.finding(message).at(file.to_string_lossy());
            Parsed { value: Vec::new(), findings: vec![finding] }
        }
    }
}

/// Adds a project at the end, or gives a listed one a new name. Returns the list.
///
/// # Errors
/// [`ProjectsError`]; the list is then as it was.
pub fn add(home: &Path, path: &str, name: Option<&str>) -> Result<Vec<Project>, ProjectsError> {
    let project = Project { name: name.and_then(named), ..Project::new(path) };
    put(home, project, usize::MAX)
}

/// Puts a project at a position, counted from 0, as an undone removal does. One that is listed stays where it is, and
/// takes a name that is given. Returns the list.
///
/// # Errors
/// [`ProjectsError`]; the list is then as it was.
pub fn put(home: &Path, project: Project, position: usize) -> Result<Vec<Project>, ProjectsError> {
    if !project.path.starts_with('/') {
        return Err(ProjectsError::NotAbsolute(project.path));
    }
    let project = Project { path: model::paths::resolve("/", &project.path), ..project };
    change(home, |projects| {
        if let Some(known) = projects.iter_mut().find(|known| known.path == project.path) {
            known.name = project.name.or_else(|| known.name.take());
            known.layout = project.layout.or(known.layout);
        } else {
            projects.insert(position.min(projects.len()), project);
        }
        Ok(())
    })
}

/// Gives a project a name; a blank one gives it its folder's again. Returns the list.
///
/// # Errors
/// [`ProjectsError`]; the list is then as it was.
pub fn rename(home: &Path, path: &str, name: &str) -> Result<Vec<Project>, ProjectsError> {
    change(home, |projects| {
        let at = position(projects, path)?;
        projects[at].name = named(name);
        Ok(())
    })
}

/// Remembers which of a project's two folders is meant. Returns the list.
///
/// # Errors
/// [`ProjectsError`]; the list is then as it was.
pub fn choose_layout(home: &Path, path: &str, layout: ChosenLayout) -> Result<Vec<Project>, ProjectsError> {
    change(home, |projects| {
        let at = position(projects, path)?;
        projects[at].layout = Some(layout);
        Ok(())
    })
}

/// A name of one line without white space around it; `None` when nothing is left.
fn named(name: &str) -> Option<String> {
    let words: Vec<&str> = name.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Takes a project off the list. Returns the list.
///
/// # Errors
/// [`ProjectsError`]; the list is then as it was.
pub fn remove(home: &Path, path: &str) -> Result<Vec<Project>, ProjectsError> {
    change(home, |projects| {
        let at = position(projects, path)?;
        projects.remove(at);
        Ok(())
    })
}

/// Moves a project to `position`, counted from 0; a position past the end is the end. Returns the list.
///
/// # Errors
/// [`ProjectsError`]; the list is then as it was.
pub fn move_to(home: &Path, path: &str, to: usize) -> Result<Vec<Project>, ProjectsError> {
    change(home, |projects| {
        let at = position(projects, path)?;
        let project = projects.remove(at);
        projects.insert(to.min(projects.len()), project);
        Ok(())
    })
}

fn position(projects: &[Project], path: &str) -> Result<usize, ProjectsError> {
    let resolved = model::paths::resolve("/", path);
    projects
        .iter()
        .position(|project| project.path == path || project.path == resolved)
        .ok_or_else(|| ProjectsError::NotListed(path.to_owned()))
}

fn change(
    home: &Path,
    edit: impl FnOnce(&mut Vec<Project>) -> Result<(), ProjectsError>,
) -> Result<Vec<Project>, ProjectsError> {
    let folder = own_folder(home);
    let mut result = Vec::new();
    update_own_file::<ProjectsError>(&folder, FILE, |old| {
        let unreadable = |reason| ProjectsError::Unreadable { file: folder.join(FILE), reason };
        let before = old.map(parse).transpose().map_err(unreadable)?.unwrap_or_default();
        result.clone_from(&before);
        edit(&mut result)?;
        if result == before && old.is_some() {
            return Ok(None);
        }
        let stored = Stored { schema_version: SCHEMA_VERSION, projects: result.clone() };
        let mut text = serde_json::to_vec_pretty(&stored).map_err(io::Error::from)?;
        text.push(b'\n');
        Ok(Some(text))
    })?;
    Ok(result)
}

fn parse(bytes: &[u8]) -> Result<Vec<Project>, String> {
    let stored: Stored = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    if stored.schema_version > SCHEMA_VERSION {
        return Err(format!("schema version {} is newer than {SCHEMA_VERSION}", stored.schema_version));
    }
    Ok(stored.projects)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    fn paths(projects: &[Project]) -> Vec<&str> {
        projects.iter().map(|project| project.path.as_str()).collect()
    }

    #[test]
    fn projects_are_added_moved_and_removed() {
        let home = tempfile::tempdir().unwrap();
        assert!(list(home.path()).value.is_empty(), "no file, no projects");
        add(home.path(), "/a", None).unwrap();
        add(home.path(), "/b/", Some("Bee")).unwrap();
        add(home.path(), "/c", None).unwrap();
        let again = add(home.path(), "/b", None).unwrap();
        assert_eq!(paths(&again), ["/a", "/b", "/c"], "a project is listed once");
        assert_eq!(again[1].name.as_deref(), Some("Bee"), "and keeps its name");
        assert_eq!(paths(&move_to(home.path(), "/c", 0).unwrap()), ["/c", "/a", "/b"]);
        assert_eq!(paths(&move_to(home.path(), "/c", 99).unwrap()), ["/a", "/b", "/c"]);
        assert_eq!(paths(&remove(home.path(), "/b").unwrap()), ["/a", "/c"]);
        assert_eq!(paths(&list(home.path()).value), ["/a", "/c"]);
        assert!(matches!(remove(home.path(), "/b"), Err(ProjectsError::NotListed(_))));
        assert!(matches!(add(home.path(), "b", None), Err(ProjectsError::NotAbsolute(_))));
    }

    #[test]
    fn a_removal_can_be_undone_in_place_and_a_name_taken_back() {
        let home = tempfile::tempdir().unwrap();
        for path in ["/a", "/b", "/c"] {
            add(home.path(), path, None).unwrap();
        }
        rename(home.path(), "/b", "  Bee\n hive ").unwrap();
        let chosen = choose_layout(home.path(), "/b", ChosenLayout::Inner).unwrap();
        assert_eq!((chosen[1].name.as_deref(), chosen[1].layout), (Some("Bee hive"), Some(ChosenLayout::Inner)));
        remove(home.path(), "/b").unwrap();
        let back = put(home.path(), chosen[1].clone(), 1).unwrap();
        assert_eq!(back, chosen, "as it was, where it was");
        assert_eq!(rename(home.path(), "/b", " ").unwrap()[1].label(), "b");
        assert!(matches!(rename(home.path(), "/z", "Z"), Err(ProjectsError::NotListed(_))));
    }

    #[test]
    fn a_damaged_or_newer_file_is_reported_and_never_written_over() {
        let home = tempfile::tempdir().unwrap();
        let file = own_folder(home.path()).join(FILE);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        for text in ["{oops", r#"{"schema_version":2,"projects":[]}"#] {
            std::fs::write(&file, text).unwrap();
            let read = list(home.path());
            assert_eq!((read.value.len(), &*read.findings[0].id), (0, "projects-unreadable"));
            assert!(matches!(add(home.path(), "/a", None), Err(ProjectsError::Unreadable { .. })));
            assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
        }
    }
}
