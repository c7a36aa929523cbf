//! What the target's first run does: copy the default files that are missing, and never write over one.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use model::paths::resolve;
use model::{AppFiles, Places, Target};

use crate::paths::join;

/// One file that a first run makes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewFile {
    /// Where.
    pub path: String,
    /// Name relative to its workspace.
    pub relative: String,
    /// The template's bytes, exactly.
    pub bytes: Arc<[u8]>,
}

/// What a first run would do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InitPlan {
    /// Files that are missing and will be made.
    pub create: Vec<NewFile>,
    /// Files that stand there already and stay as they are.
    pub present: Vec<String>,
    /// Files for which no template is known.
    pub without_template: Vec<String>,
}

/// What a first run did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InitDone {
    /// Files that were made.
    pub created: Vec<String>,
    /// Files that stood there already.
    pub present: Vec<String>,
}

/// A first run that stopped. What was made before stays.
#[derive(Debug, thiserror::Error)]
#[error("cannot make {} ({cause}). {}Nothing was written over.", path.display(), made_before(created))]
pub struct InitError {
    /// The file that could not be made.
    pub path: PathBuf,
    /// The system's reason.
    pub cause: io::Error,
    /// The files that were made before.
    pub created: Vec<String>,
}

fn made_before(created: &[String]) -> String {
    if created.is_empty() { String::new() } else { format!("Files made before it stay: {}. ", created.join(", ")) }
}

/// Plans a first run: every name of `target.first_run` whose template `app` holds, made in the workspace, except
/// that in a layered workspace a file that is read from the global profile is made there.
pub fn plan(places: &Places, target: &Target, app: &AppFiles) -> InitPlan {
    let workspace = resolve(&places.process_cwd, &places.workspace);
    let global = resolve(&places.process_cwd, &places.global);
    let mut plan = InitPlan::default();
    for name in &target.first_run {
        let from_global = target.bootstrap.iter().any(|file| file.name == *name && file.global_when_layered);
        let path = join(if from_global { &global } else { &workspace }, name);
        // As `create_new` sees it: a broken link is something, too.
        if Path::new(&path).symlink_metadata().is_ok() {
            plan.present.push(path);
        } else if let Some(template) = app.templates.get(name).and_then(|entry| entry.source()) {
            let bytes = Arc::clone(&template.bytes);
            plan.create.push(NewFile { path, relative: name.clone(), bytes });
        } else {
            plan.without_template.push(path);
        }
    }
    plan
}

/// Carries out a plan. A file that appeared meanwhile is left alone.
///
/// # Errors
/// [`InitError`] with the files that were made before.
pub fn carry_out(plan: &InitPlan) -> Result<InitDone, InitError> {
    let mut done = InitDone { created: Vec::new(), present: plan.present.clone() };
    for file in &plan.create {
        match create(Path::new(&file.path), &file.bytes) {
            Ok(()) => done.created.push(file.path.clone()),
            Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => done.present.push(file.path.clone()),
            Err(cause) => return Err(InitError { path: file.path.clone().into(), cause, created: done.created }),
        }
    }
    Ok(done)
}

fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    let outcome = file.write_all(bytes).and_then(|()| file.sync_all());
    if outcome.is_err() {
        // Half a default file would look like the person's own; nobody else can have written into it yet.
        let _reported_below = std::fs::remove_file(path);
    }
    outcome
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use std::fs;

    use sha2::{Digest, Sha256};

    use super::*;
    use crate::reader::{ReadRequest, read_once};
    use crate::testing::{catbuddy, request};

    /// Case S09 of the golden vectors: the files and their SHA-256 after the target's own first run.
    const AFTER_FIRST_RUN: [(&str, &str, &str); 6] = [
        (
            "AGENTS.md",
            "# House rules\n\n- Put dates first.\n- Ask before sending anything out.\n",
            "68d75e035e4a5e61ab77dd20b74ceef41f4eb2f642bd0e95834f811ae3dc9dbe",
        ),
        (
            "HEARTBEAT.md",
            "# Pulse\n\nNo round set.\n",
            "aaf78ed364d6181e4039f44cf956642fcb38af9417fc49bd2daf92ecdfd0b12e",
        ),
        (
            "SOUL.md",
            "# Manner\n\nCalm, brief, a little dry.\n",
            "714b4f98b55eac44b53f908500b9b63e59521c918ea1db84bbbcca13d042b596",
        ),
        (
            "TOOLS.md",
            "# Bench notes\n\nThe scanner sits in room 4.\n",
            "169c14f3bd99986beca6f7a3b292ccac590b607c49923b41b2cf2a4b1ee88ea1",
        ),
        (
            "USER.md",
            "# About the reader\n\n- **Called**: (fill in)\n- **Clock**: (fill in)\n- [ ] short answers\n- [ ] long answers\n\n## Likes\n\n- \n- \n",
            "d9ea6a06a068df0d6ee517d6bc09a78ad95d7086fe86885033a387171198e485",
        ),
        (
            "memory/MEMORY.md",
            "# Kept notes\n\nWhat should outlive one talk goes here.\n\n## Person\n\n(nothing noted)\n\n## Habits\n\n(nothing noted)\n\n---\n\n*Tern fills this file in by itself.*\n",
            "bb5c38607fc9cd3e9462496ab7aed30406997cb370cab4654996d31422c666b3",
        ),
    ];

    /// An installed app with the templates of the vectors, and a request for `workspace`.
    fn set_up(home: &Path, workspace: &Path) -> (ReadRequest, AppFiles) {
        let app = home.parent().unwrap().join("app");
        for (name, text, _) in AFTER_FIRST_RUN {
            let path = app.join("templates").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let mut request = request(home, workspace);
        request.places.app = Some(app.to_str().unwrap().to_owned());
        let app = (*read_once(request.clone()).app).clone();
        (request, app)
    }

    fn files_below(folder: &Path) -> Vec<(String, Vec<u8>)> {
        let mut files = Vec::new();
        let mut open = vec![folder.to_owned()];
        while let Some(at) = open.pop() {
            for entry in fs::read_dir(at).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    open.push(path);
                } else {
                    let hash = Sha256::digest(fs::read(&path).unwrap()).to_vec();
                    files.push((path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned(), hash));
                }
            }
        }
        files.sort();
        files
    }

    #[test]
    fn a_first_run_makes_what_the_target_makes_byte_for_byte() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("home");
        let workspace = home.join(".catbuddy/workspace");
        let (request, app) = set_up(&home, &workspace);
        let plan = plan(&request.places, &catbuddy(), &app);
        assert!(!home.exists(), "planning touches nothing");
        carry_out(&plan).unwrap();
        let bytes = |hex: &str| model::ContentHash::from_hex(hex).unwrap().0.to_vec();
        let expected: Vec<_> =
            AFTER_FIRST_RUN.iter().map(|(name, _, hash)| ((*name).to_owned(), bytes(hash))).collect();
        assert_eq!(files_below(&workspace), expected);
    }

    #[test]
    fn what_stands_there_stays() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("home");
        let workspace = home.join(".catbuddy/workspace");
        fs::create_dir_all(&workspace).unwrap();
        fs::write(workspace.join("SOUL.md"), "mine").unwrap();
        let (request, app) = set_up(&home, &workspace);
        let plan = plan(&request.places, &catbuddy(), &app);
        fs::write(workspace.join("TOOLS.md"), "made meanwhile").unwrap();
        let done = carry_out(&plan).unwrap();
        assert_eq!(fs::read_to_string(workspace.join("SOUL.md")).unwrap(), "mine");
        assert_eq!(fs::read_to_string(workspace.join("TOOLS.md")).unwrap(), "made meanwhile");
        assert_eq!((done.created.len(), done.present.len()), (4, 2));
    }

    #[test]
    fn a_layered_first_run_makes_the_profile_in_the_global_workspace_only() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("home");
        let workspace = folder.path().join("project/.catbuddy");
        let (request, app) = set_up(&home, &workspace);
        carry_out(&plan(&request.places, &catbuddy(), &app)).unwrap();
        let names = |folder: &Path| files_below(folder).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        assert_eq!(names(&home.join(".catbuddy/workspace")), ["USER.md"]);
        assert_eq!(names(&workspace), ["AGENTS.md", "HEARTBEAT.md", "SOUL.md", "TOOLS.md", "memory/MEMORY.md"]);
    }
}
