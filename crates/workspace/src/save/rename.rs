//! The one function that gives a user's file another name. It never replaces anything.

use std::io;

use rustix::fs::{AtFlags, RenameFlags};
use rustix::io::Errno;

use super::{Left, RelativePath, Root, SaveError, SaveOptions, current, place, temporary};

/// Renames `from` to `to`, both below `root`: under the locks of their folders, in one step, and durable when it
/// returns. A link keeps its name's place: the link itself is renamed. Missing parent folders are created.
///
/// # Errors
/// [`SaveError::Conflict`] when something stands at `to`; nothing was renamed then, nor on any other error.
pub fn rename(root: &Root, from: &RelativePath, to: &RelativePath, options: &SaveOptions) -> Result<(), SaveError> {
    let failed = |cause: io::Error| SaveError::from_io(from, cause, Left::Old);
    let source = place::find_name(root, from, options)?;
    let target = place::find_name(root, to, options)?;
    // The same folder twice is the same lock on another handle, which would wait for itself. Two folders are locked in
    // the order of their paths, so that two renames never wait for each other.
    let mut folders = vec![&source, &target];
    folders.sort_by(|a, b| a.folder_path.cmp(&b.folder_path));
    folders.dedup_by(|a, b| a.folder_path == b.folder_path);
    for place in folders {
        place::wait_for_lock(place).map_err(|cause| match cause.kind() {
            io::ErrorKind::WouldBlock => SaveError::Busy { path: from.clone() },
            _ => failed(cause),
        })?;
    }
    let taken = || {
        let on_disk = current::read(&target, to).ok().flatten().map(|current| current.hash);
        SaveError::Conflict { path: to.clone(), on_disk }
    };
    match rustix::fs::renameat_with(&source.folder, &source.name, &target.folder, &target.name, RenameFlags::NOREPLACE)
    {
        Ok(()) => {}
        Err(Errno::EXIST) => return Err(taken()),
        // File systems without this flag can still link, which does not replace either.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
            match rustix::fs::linkat(&source.folder, &source.name, &target.folder, &target.name, AtFlags::empty()) {
                Ok(()) => {}
                Err(Errno::EXIST) => return Err(taken()),
                Err(errno) => return Err(failed(errno.into())),
            }
            rustix::fs::unlinkat(&source.folder, &source.name, AtFlags::empty())
                .map_err(|errno| failed(errno.into()))?;
        }
        Err(errno) => return Err(failed(errno.into())),
    }
    for place in [&source, &target] {
        temporary::sync_folder(&place.folder).map_err(|cause| SaveError::from_io(from, cause, Left::New))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use std::fs;

    use super::*;

    fn path(text: &str) -> RelativePath {
        RelativePath::parse(text).unwrap()
    }

    #[test]
    fn a_name_changes_and_nothing_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let root = Root::new("w", folder.path());
        let options = SaveOptions::default();
        fs::write(at("agent.md"), "rules").unwrap();
        fs::write(at("MEMORY.md"), "notes").unwrap();
        rename(&root, &path("agent.md"), &path("AGENTS.md"), &options).unwrap();
        rename(&root, &path("MEMORY.md"), &path("memory/MEMORY.md"), &options).unwrap();
        assert_eq!(fs::read_to_string(at("AGENTS.md")).unwrap(), "rules");
        assert_eq!(fs::read_to_string(at("memory/MEMORY.md")).unwrap(), "notes");
        assert!(!at("agent.md").exists() && !at("MEMORY.md").exists());

        fs::write(at("agent.md"), "others").unwrap();
        let error = rename(&root, &path("agent.md"), &path("AGENTS.md"), &options).unwrap_err();
        assert!(matches!(error, SaveError::Conflict { on_disk: Some(_), .. }), "{error}");
        assert_eq!(fs::read_to_string(at("AGENTS.md")).unwrap(), "rules");
        assert_eq!(fs::read_to_string(at("agent.md")).unwrap(), "others");
        let gone = rename(&root, &path("nothing.md"), &path("TOOLS.md"), &options);
        assert!(gone.is_err() && !at("TOOLS.md").exists());
    }

    #[test]
    fn a_link_is_renamed_itself_and_one_that_dangles_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let root = Root::new("w", folder.path());
        fs::write(at("kept.txt"), "text").unwrap();
        std::os::unix::fs::symlink("kept.txt", at("soul.md")).unwrap();
        rename(&root, &path("soul.md"), &path("SOUL.md"), &SaveOptions::default()).unwrap();
        assert_eq!(fs::read_link(at("SOUL.md")).unwrap().to_str(), Some("kept.txt"));
        assert_eq!(fs::read_to_string(at("kept.txt")).unwrap(), "text");

        std::os::unix::fs::symlink("nowhere", at("USER.md")).unwrap();
        fs::write(at("user.md"), "Ada").unwrap();
        assert!(rename(&root, &path("user.md"), &path("USER.md"), &SaveOptions::default()).is_err());
        assert_eq!(fs::read_to_string(at("user.md")).unwrap(), "Ada");
    }

    #[test]
    fn no_folder_outside_is_reached() {
        let folder = tempfile::tempdir().unwrap();
        let (inside, outside) = (folder.path().join("in"), folder.path().join("out"));
        fs::create_dir_all(&inside).unwrap();
        fs::create_dir_all(&outside).unwrap();
        std::os::unix::fs::symlink(&outside, inside.join("memory")).unwrap();
        fs::write(inside.join("MEMORY.md"), "notes").unwrap();
        let root = Root::new("w", &inside);
        let error = rename(&root, &path("MEMORY.md"), &path("memory/MEMORY.md"), &SaveOptions::default()).unwrap_err();
        assert!(matches!(error, SaveError::Outside { .. }), "{error}");
        assert!(inside.join("MEMORY.md").exists());
    }
}
