//! "Start from a template": sets of files to begin a workspace with, and the sample that is shown when there is none.
//!
//! The sets are Handlebars files below `starters/`; what the person types is inserted as text and never rendered.

use std::path::Path;
use std::sync::Arc;

use handlebars::{Handlebars, no_escape};
use include_dir::{Dir, DirEntry, include_dir};
use model::{
    AppFiles, ContentHash, Entry, FileIdentity, Folder, Places, SkillFolder, Snapshot, SourceFile, SourceOrigin, Target,
};
use serde::{Deserialize, Serialize};

use crate::first_run::{InitPlan, NewFile};
use crate::paths::join;

static STARTER_FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/starters");
static SAMPLE_FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/sample");

/// A set of files to start from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Starter {
    /// Stable id, the name of its folder.
    pub id: &'static str,
    /// Name for people, in English.
    pub title: &'static str,
    /// What it is like, in one sentence of English.
    pub about: &'static str,
}

/// The sets, in the order in which they are offered.
pub const STARTERS: [Starter; 3] = [
    Starter {
        id: "quiet-helper",
        title: "Quiet helper",
        about: "Brief and careful: answers first, asks before anything that cannot be undone.",
    },
    Starter {
        id: "study-partner",
        title: "Study partner",
        about: "Patient and curious: leads to the answer by questions, one idea at a time.",
    },
    Starter { id: "empty", title: "Empty", about: "The files with a title each, for a start of your own." },
];

/// What the person fills in before a set is made.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Words {
    /// The companion's name.
    pub companion: String,
    /// The person's name; may be empty.
    #[serde(default)]
    pub person: String,
    /// The language to answer in, in its own words; may be empty.
    #[serde(default)]
    pub language: String,
}

/// Why a set was not made.
#[derive(Debug, thiserror::Error)]
pub enum StarterError {
    /// No such set.
    #[error("there is no starter {0}; there are quiet-helper, study-partner and empty")]
    Unknown(String),
    /// A template that does not render: a fault of ours.
    #[error("the starter file {file} does not render: {cause}")]
    Template {
        /// The file.
        file: String,
        /// What the engine says.
        cause: Box<handlebars::RenderError>,
    },
}

/// A file to be made: its path relative to the workspace, and its text.
pub type StarterFile = (String, String);

/// The files of the set `id` with `words` put in, sorted by path. Nothing is written.
///
/// # Errors
/// [`StarterError::Unknown`] for an id that is not among [`STARTERS`].
pub fn render(id: &str, words: &Words) -> Result<Vec<StarterFile>, StarterError> {
    let known = STARTERS.iter().any(|starter| starter.id == id);
    let Some(folder) = STARTER_FILES.get_dir(id).filter(|_| known) else {
        return Err(StarterError::Unknown(id.to_owned()));
    };
    let words = words.on_one_line();
    let mut engine = Handlebars::new();
    engine.register_escape_fn(no_escape);
    let mut files = Vec::new();
    for (path, bytes) in files_below(folder) {
        let template = String::from_utf8_lossy(bytes);
        let text = engine
            .render_template(&template, &words)
            .map_err(|cause| StarterError::Template { file: path.clone(), cause: Box::new(cause) })?;
        let relative = path.strip_prefix(id).and_then(|path| path.strip_prefix('/')).unwrap_or(&path);
        files.push((relative.trim_end_matches(".hbs").to_owned(), text));
    }
    files.sort();
    Ok(files)
}

/// Plans the set `id` for the folder `workspace` (absolute), which need not exist; files that stand there stay.
/// [`crate::first_run::carry_out`] makes it.
///
/// # Errors
/// [`StarterError::Unknown`] for an id that is not among [`STARTERS`].
pub fn plan(id: &str, words: &Words, workspace: &str) -> Result<InitPlan, StarterError> {
    let mut plan = InitPlan::default();
    for (relative, text) in render(id, words)? {
        let path = join(workspace, &relative);
        if Path::new(&path).symlink_metadata().is_ok() {
            plan.present.push(path);
        } else {
            plan.create.push(NewFile { path, relative, bytes: text.into_bytes().into() });
        }
    }
    Ok(plan)
}

impl Words {
    /// A name with a line end would begin a new line of Markdown, perhaps a heading.
    fn on_one_line(&self) -> Self {
        let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let companion = line(&self.companion);
        let companion = if companion.is_empty() { "Companion".to_owned() } else { companion };
        Self { companion, person: line(&self.person), language: line(&self.language) }
    }
}

fn files_below<'a>(folder: &'a Dir<'a>) -> Vec<(String, &'a [u8])> {
    let mut files = Vec::new();
    for entry in folder.entries() {
        match entry {
            DirEntry::Dir(folder) => files.extend(files_below(folder)),
            DirEntry::File(file) => files.push((file.path().to_string_lossy().replace('\\', "/"), file.contents())),
        }
    }
    files
}

/// The files of the built-in sample, sorted by path relative to its workspace. The memory file is the template that
/// `shipped` holds, unfilled, so that the preview shows what a section looks like that is left out.
pub fn sample_files(target: &Target, shipped: &AppFiles) -> Vec<(String, Arc<[u8]>)> {
    let mut files: Vec<(String, Arc<[u8]>)> =
        files_below(&SAMPLE_FILES).into_iter().map(|(path, bytes)| (path, bytes.into())).collect();
    if let Some(memory) = shipped.templates.get(&target.memory).and_then(|entry| entry.source()) {
        files.push((target.memory.clone(), Arc::clone(&memory.bytes)));
    }
    files.sort();
    files
}

/// The built-in sample as a snapshot. It stands in memory only, below the made-up home `/sample`.
pub fn sample(target: &Target, shipped: Arc<AppFiles>) -> Snapshot {
    const HOME: &str = "/sample";
    let root = join(HOME, ".catbuddy/workspace");
    let mut folder = Folder { path: root.clone(), ..Folder::default() };
    for name in target.bootstrap.iter().map(|file| &file.name).chain([&target.memory]) {
        folder.files.insert(name.clone(), Entry::missing(join(&root, name)));
    }
    for (relative, bytes) in sample_files(target, &shipped) {
        let path: Arc<str> = join(&root, &relative).into();
        let entry = Entry::file(Arc::new(made_up(path, bytes)));
        if let Some(place) = folder.files.get_mut(&relative) {
            *place = entry;
        } else if let Some(name) = skill_name(&relative, target) {
            folder.skills.push(SkillFolder { name, link: None, file: entry, problem: None });
        }
    }
    folder.skills.sort_by(|a, b| a.name.encode_utf16().cmp(b.name.encode_utf16()));
    let folder = Arc::new(folder);
    Snapshot {
        places: Places {
            home: HOME.to_owned(),
            workspace: root.clone(),
            global: root,
            project: None,
            app: None,
            process_cwd: HOME.to_owned(),
        },
        workspace: Arc::clone(&folder),
        global: folder,
        app: shipped,
        findings: Vec::new(),
    }
}

fn skill_name(relative: &str, target: &Target) -> Option<String> {
    let rest = relative.strip_prefix(target.skills.as_str())?.strip_prefix('/')?;
    Some(rest.strip_suffix(target.skill_file.as_str())?.strip_suffix('/')?.to_owned())
}

fn made_up(path: Arc<str>, bytes: Arc<[u8]>) -> SourceFile {
    let hash = ContentHash(*blake3::hash(&bytes).as_bytes());
    let identity = FileIdentity { size: bytes.len() as u64, ..FileIdentity::default() };
    SourceFile::new(path, identity, SourceOrigin::Shipped, bytes, hash)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

    use super::*;
    use crate::lint::lint;
    use crate::testing::catbuddy;

    fn words(companion: &str, person: &str, language: &str) -> Words {
        Words { companion: companion.to_owned(), person: person.to_owned(), language: language.to_owned() }
    }

    #[test]
    fn every_starter_makes_the_files_that_the_target_reads() {
        let target = catbuddy();
        let mut expected: Vec<_> = target.bootstrap.iter().map(|file| file.name.clone()).collect();
        expected.push(target.memory);
        expected.sort();
        for starter in STARTERS {
            let files = render(starter.id, &words("Mica", "Ada", "Svenska")).unwrap();
            assert_eq!(files.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>(), expected, "{}", starter.id);
            for (path, text) in files {
                assert!(!text.contains("{{") && text.ends_with('\n'), "{} {path}", starter.id);
            }
        }
    }

    #[test]
    fn what_is_typed_is_text_on_one_line() {
        let files = render("empty", &words("{{person}} <M&M>\n# Rules", "", "")).unwrap();
        let text = |name: &str| files.iter().find(|(path, _)| path == name).unwrap().1.as_str();
        assert_eq!(text("SOUL.md"), "# {{person}} <M&M> # Rules\n");
        assert_eq!(text("USER.md"), "# About you\n");
        assert!(matches!(render("../sample", &words("M", "", "")), Err(StarterError::Unknown(_))));
    }

    #[test]
    fn a_set_is_made_where_nothing_stands_and_leaves_what_does() {
        let folder = tempfile::tempdir().unwrap();
        let workspace = folder.path().join("home/.catbuddy/workspace");
        let words = words("Mica", "Ada", "");
        let made = |id: &str| {
            let plan = plan(id, &words, workspace.to_str().unwrap()).unwrap();
            crate::first_run::carry_out(&plan).unwrap().created.len()
        };
        assert_eq!(made("empty"), 5);
        assert_eq!(made("quiet-helper"), 0);
        assert_eq!(std::fs::read_to_string(workspace.join("SOUL.md")).unwrap(), "# Mica\n");
    }

    #[test]
    fn the_sample_is_clean_and_its_memory_is_the_template() {
        let target = catbuddy();
        let mut shipped = AppFiles::default();
        let template = made_up("/app/memory/MEMORY.md".into(), b"# Notes\n\n(none)\n"[..].into());
        shipped.templates.insert(target.memory.clone(), Entry::file(Arc::new(template)));
        let sample = sample(&target, Arc::new(shipped));
        assert_eq!(sample.workspace.entry(&target.memory).unwrap().text(), "# Notes\n\n(none)\n");
        let skills: Vec<_> = sample.workspace.skills.iter().map(|skill| skill.name.as_str()).collect();
        assert_eq!(skills, ["meeting-notes", "packing-list", "plain-letters"]);
        assert_eq!(lint(&sample, &target), [], "untouched memory reaches nobody");
    }
}
