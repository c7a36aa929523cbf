//! Which workspaces there are: the global one, the old one, and those of known projects.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use model::{Finding, Target, text};

use crate::{projects, registry, rules};

/// How a workspace lies on disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// `~/.catbuddy/workspace`.
    Global,
    /// `~/.catbuddy-desktop/workspace`, of early versions.
    Legacy,
    /// `<project>/.catbuddy/workspace`.
    ProjectInner,
    /// `<project>/.catbuddy`.
    ProjectOuter,
}

/// A workspace that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// Name for people.
    pub label: String,
    /// Absolute path of the workspace folder.
    pub path: String,
    /// How it lies.
    pub layout: Layout,
    /// The project it belongs to.
    pub project: Option<String>,
    /// Which of the files that the target looks for are there, in the target's order.
    pub files: Vec<String>,
    /// Number of folders in the skills folder that hold a skill file.
    pub skills: usize,
    /// Why it cannot be opened.
    pub problem: Option<String>,
}

impl Found {
    /// Number of files that the target would read.
    pub fn count(&self) -> usize {
        self.files.len() + self.skills
    }
}

/// What [`probe`] found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Discovery {
    /// The workspaces: global, old, then the projects in their order. The global one is listed even when it does not
    /// exist yet; a project without a workspace is listed with the place where one would be made.
    pub workspaces: Vec<Found>,
    /// What was odd about the lists.
    pub findings: Vec<Finding>,
}

/// Both layouts of a project hold files.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{} and {} both hold files; name the one you mean with --workspace", outer.display(), inner.display())]
pub struct Ambiguous {
    /// `<project>/.catbuddy/workspace`.
    pub inner: PathBuf,
    /// `<project>/.catbuddy`.
    pub outer: PathBuf,
}

/// The global profile's workspace.
pub fn global_workspace(home: &Path) -> PathBuf {
    home.join(".catbuddy/workspace")
}

/// Looks for every workspace of the person: the global and the old one, and both layouts of each project of the
/// target's registry and of our own list. Reads folders and sizes, no content.
pub fn probe(home: &Path, target: &Target) -> Discovery {
    let mut found = vec![look(&global_workspace(home), Layout::Global, None, "Global profile".to_owned(), target)];
    let legacy = home.join(".catbuddy-desktop/workspace");
    if legacy.exists() {
        found.push(look(&legacy, Layout::Legacy, None, "Old profile (.catbuddy-desktop)".to_owned(), target));
    }
    let own = projects::list(home);
    let theirs = registry::read(&home.join(".catbuddy/workspace-folders.json"));
    let mut findings = own.findings;
    findings.extend(theirs.findings);
    let mut seen = BTreeSet::new();
    for project in own.value.into_iter().chain(theirs.value) {
        if !seen.insert(project.path.clone()) {
            continue;
        }
        let folder = Path::new(&project.path);
        let label = project.label();
        let mut layouts = layouts(folder, target);
        findings.extend(two_layouts(folder, target));
        if layouts.is_empty() {
            layouts.push(Layout::ProjectOuter);
        }
        for layout in layouts {
            found.push(look(&place(folder, layout), layout, Some(project.path.clone()), label.clone(), target));
        }
    }
    Discovery { workspaces: found, findings }
}

/// Which layouts of `project` hold at least one file or skills folder that the target would read.
pub fn layouts(project: &Path, target: &Target) -> Vec<Layout> {
    [Layout::ProjectOuter, Layout::ProjectInner]
        .into_iter()
        .filter(|&layout| {
            let folder = place(project, layout);
            names(target).any(|name| folder.join(name).exists()) || folder.join(&target.skills).is_dir()
        })
        .collect()
}

/// Told when both layouts of `project` hold files.
fn two_layouts(project: &Path, target: &Target) -> Option<Finding> {
    let [outer, inner] = layouts(project, target)[..] else { return None };
    let at = |layout| place(project, layout).display().to_string();
    let message = text!("two-layouts", outer = at(outer), inner = at(inner));
    Some(rules::TWO_LAYOUTS.finding(message).at(project.to_string_lossy()))
}

/// Told when `workspace` is one of two layouts of a project that both hold files; never of a global profile.
pub fn other_layout(workspace: &Path, global: &Path, target: &Target) -> Option<Finding> {
    if workspace == global {
        return None;
    }
    let outer = if workspace.ends_with(".catbuddy/workspace") { workspace.parent()? } else { workspace };
    two_layouts(outer.parent().filter(|_| outer.ends_with(".catbuddy"))?, target)
}

/// The workspace of `project`: the layout that holds files; when neither does, `<project>/.catbuddy`, which is what
/// newer versions of the target use outside their restricted mode.
///
/// # Errors
/// [`Ambiguous`] when both layouts hold files.
pub fn choose_workspace(project: &Path, target: &Target) -> Result<PathBuf, Ambiguous> {
    let outer = place(project, Layout::ProjectOuter);
    let inner = place(project, Layout::ProjectInner);
    match layouts(project, target)[..] {
        [Layout::ProjectInner] => Ok(inner),
        [] | [_] => Ok(outer),
        _ => Err(Ambiguous { inner, outer }),
    }
}

/// What each of a project's two folders holds, the outer one first.
pub fn look_at(project: &Path, label: &str, target: &Target) -> [Found; 2] {
    [Layout::ProjectOuter, Layout::ProjectInner].map(|layout| {
        let path = text(project);
        look(&place(project, layout), layout, Some(path), label.to_owned(), target)
    })
}

/// The files below `folder` that the target would read if it were a workspace, as far as they are there: bootstrap
/// files, memory, and at most 400 skills.
pub fn files_of(folder: &Path, target: &Target) -> Vec<PathBuf> {
    const SKILLS: usize = 400;
    let mut files: Vec<PathBuf> = names(target).map(|name| folder.join(name)).collect();
    let skills = std::fs::read_dir(folder.join(&target.skills)).into_iter().flatten().flatten();
    let mut skills: Vec<PathBuf> = skills.take(SKILLS).map(|skill| skill.path().join(&target.skill_file)).collect();
    skills.sort_unstable();
    files.append(&mut skills);
    files.retain(|path| path.exists());
    files
}

/// The folder of a project that a layout means.
pub fn place(project: &Path, layout: Layout) -> PathBuf {
    match layout {
        Layout::ProjectInner => project.join(".catbuddy/workspace"),
        _ => project.join(".catbuddy"),
    }
}

fn names(target: &Target) -> impl Iterator<Item = &String> {
    target.bootstrap.iter().map(|file| &file.name).chain([&target.memory])
}

fn look(path: &Path, layout: Layout, project: Option<String>, label: String, target: &Target) -> Found {
    let problem = match std::fs::read_dir(path) {
        Ok(_) => None,
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => Some("does not exist yet".to_owned()),
        Err(cause) => Some(cause.to_string()),
    };
    let files = names(target).filter(|name| path.join(name).is_file()).cloned().collect();
    let skills = std::fs::read_dir(path.join(&target.skills)).map_or(0, |folders| {
        folders.flatten().filter(|folder| folder.path().join(&target.skill_file).exists()).count()
    });
    Found { label, path: text(path), layout, project, files, skills, problem }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use std::fs;

    use super::*;
    use crate::testing::catbuddy;

    fn write(folder: &Path, name: &str) {
        let file = folder.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "text").unwrap();
    }

    #[test]
    fn a_project_opens_where_its_files_are() {
        let target = catbuddy();
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path();
        assert_eq!(choose_workspace(project, &target).unwrap(), project.join(".catbuddy"), "neither holds files");
        write(project, ".catbuddy/config/config.json");
        write(project, ".catbuddy/workspace/SOUL.md");
        assert_eq!(choose_workspace(project, &target).unwrap(), project.join(".catbuddy/workspace"));
        write(project, ".catbuddy/SOUL.md");
        let ambiguous = choose_workspace(project, &target).unwrap_err();
        assert_eq!(
            (ambiguous.inner, ambiguous.outer),
            (project.join(".catbuddy/workspace"), project.join(".catbuddy"))
        );
        fs::remove_dir_all(project.join(".catbuddy/workspace")).unwrap();
        assert_eq!(choose_workspace(project, &target).unwrap(), project.join(".catbuddy"));
    }

    #[test]
    fn every_known_workspace_is_found_once() {
        let target = catbuddy();
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("home");
        let garden = folder.path().join("garden");
        write(&home, ".catbuddy-desktop/workspace/USER.md");
        write(&garden, ".catbuddy/SOUL.md");
        write(&garden, ".catbuddy/memory/MEMORY.md");
        write(&garden, ".catbuddy/skills/tide/SKILL.md");
        write(&garden, ".catbuddy/skills/not-one/skill.md");
        write(&garden, ".catbuddy/workspace/SOUL.md");
        let garden = garden.to_str().unwrap();
        projects::add(&home, garden, Some("Garden")).unwrap();
        let registry = serde_json::json!([garden, {"path": "/nowhere/shed"}]);
        fs::write(home.join(".catbuddy/workspace-folders.json"), registry.to_string()).unwrap();

        let discovery = probe(&home, &target);
        let found: Vec<_> =
            discovery.workspaces.iter().map(|found| (found.label.as_str(), found.layout, found.count())).collect();
        assert_eq!(
            found,
            [
                ("Global profile", Layout::Global, 0),
                ("Old profile (.catbuddy-desktop)", Layout::Legacy, 1),
                ("Garden", Layout::ProjectOuter, 3),
                ("Garden", Layout::ProjectInner, 1),
                ("shed", Layout::ProjectOuter, 0),
            ]
        );
        assert_eq!(discovery.workspaces[2].files, ["SOUL.md", "memory/MEMORY.md"]);
        assert_eq!(discovery.workspaces[0].problem.as_deref(), Some("does not exist yet"));
        let ids: Vec<_> = discovery.findings.iter().map(|finding| &*finding.id).collect();
        assert_eq!(ids, ["two-layouts"]);
    }
}
