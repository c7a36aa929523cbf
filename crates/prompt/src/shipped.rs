//! The texts that ship: our own wording of the app's templates and built-in skills.
//!
//! They take the shape of an installed app, so that one code path reads both.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use include_dir::Dir;
use model::{AppFiles, AppOrigin, ContentHash, Entry, FileIdentity, SkillFolder, SourceFile, SourceOrigin};

use crate::variants::SHIPPED;

/// The app that ships with the workbench: templates and built-in skills in our own wording.
pub fn shipped_app() -> Arc<AppFiles> {
    static APP: LazyLock<Arc<AppFiles>> = LazyLock::new(|| {
        let mut app = AppFiles { origin: AppOrigin::Shipped, ..AppFiles::default() };
        if let Some(root) = SHIPPED.get_dir("catbuddy/app/templates") {
            add_templates(root, root.path(), &mut app.templates);
        }
        if let Some(root) = SHIPPED.get_dir("catbuddy/app/skills") {
            app.skills = root.dirs().filter_map(skill).collect();
            app.skills.sort_by(|a, b| crate::js::utf16_order(&a.name, &b.name));
        }
        Arc::new(app)
    });
    Arc::clone(&APP)
}

fn add_templates(folder: &Dir<'_>, root: &Path, templates: &mut BTreeMap<String, Entry>) {
    for file in folder.files() {
        if let Ok(relative) = file.path().strip_prefix(root) {
            templates.insert(relative.display().to_string(), entry(file.path(), file.contents()));
        }
    }
    folder.dirs().for_each(|inner| add_templates(inner, root, templates));
}

fn skill(folder: &Dir<'_>) -> Option<SkillFolder> {
    let name = folder.path().file_name()?.to_str()?.to_owned();
    let file = folder.get_file(folder.path().join("SKILL.md"))?;
    Some(SkillFolder { name, link: None, file: entry(file.path(), file.contents()), problem: None })
}

/// A shipped text. Its path is the one in the repository; it has no times, as it is on no disk.
fn entry(path: &Path, bytes: &[u8]) -> Entry {
    let identity = FileIdentity { size: bytes.len() as u64, ..FileIdentity::default() };
    let hash = ContentHash(*blake3::hash(bytes).as_bytes());
    let path = format!("variants/{}", path.display());
    Entry::file(Arc::new(SourceFile::new(path, identity, SourceOrigin::Shipped, bytes, hash)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::catbuddy;

    #[test]
    fn the_shipped_app_has_every_part_that_the_target_names() {
        let (app, target) = (shipped_app(), catbuddy());
        assert_eq!(target.templates.len(), 3);
        for name in target.templates.iter().chain(&target.first_run) {
            assert!(app.templates.contains_key(name), "{name}");
        }
        let skills: Vec<&str> = app.skills.iter().map(|skill| skill.name.as_str()).collect();
        assert_eq!(skills, target.always_on);
        assert_eq!(&*app.templates["agent/identity.md"].path, "variants/catbuddy/app/templates/agent/identity.md");
    }
}
