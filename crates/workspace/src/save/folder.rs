//! Whole folders: made, copied, taken to the trash and brought back.
//!
//! A folder is built under a temporary name, beside the folder that it goes into so that no reader takes it for one of
//! its kind, made durable, and put in place by one rename that refuses to replace anything. A kill on the way leaves a
//! temporary folder, which the next such call removes once it is an hour old.

mod building;
mod copying;
mod error;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use super::place::{self, Place};
use super::temporary;
use super::{RelativePath, Root, SaveOptions};

use building::{TemporaryFolder, rename_new, sync};
use copying::{Copying, Rewrite};
pub use error::FolderError;
use error::failed;

/// A file of a new folder: its name, without folders, and its bytes.
pub type NewFile<'a> = (&'a str, &'a [u8]);

/// Makes the folder `relative` below `root` with `files` in it, all or nothing. Gives its path.
///
/// # Errors
/// [`FolderError::Exists`] when something has that name, whatever it is.
pub fn make(
    root: &Root,
    relative: &RelativePath,
    files: &[NewFile<'_>],
    options: &SaveOptions,
) -> Result<PathBuf, FolderError> {
    build(root, relative, options, |folder| {
        for (name, bytes) in files {
            let path = folder.join(name);
            let write = || {
                let mut file = File::create_new(&path)?;
                file.write_all(bytes)?;
                file.sync_all()
            };
            write().map_err(failed(&path))?;
        }
        Ok(())
    })
}

/// Copies the folder `source` to `relative` below `root`: files byte for byte, links as links, modes kept. `rewrite` is
/// asked for each regular file right in the folder, by its name, whether other bytes are to stand in the copy.
///
/// When `source` itself is a link, what it leads to is copied.
///
/// # Errors
/// As [`make`]; [`FolderError::Gone`] when there is no such folder.
pub fn copy(
    root: &Root,
    source: &Path,
    relative: &RelativePath,
    options: &SaveOptions,
    rewrite: Rewrite<'_>,
) -> Result<PathBuf, FolderError> {
    let real = source.canonicalize().map_err(failed(source))?;
    if !real.is_dir() {
        return Err(FolderError::Gone { path: source.to_owned() });
    }
    build(root, relative, options, |folder| Copying::default().folder(&real, folder, 0, Some(rewrite)))
}

fn build(
    root: &Root,
    relative: &RelativePath,
    options: &SaveOptions,
    fill: impl FnOnce(&Path) -> Result<(), FolderError>,
) -> Result<PathBuf, FolderError> {
    let place = place::find_name(root, relative, options)?;
    lock(&place)?;
    let path = place.folder_path.join(&place.name);
    if path.symlink_metadata().is_ok() {
        return Err(FolderError::Exists { path });
    }
    let temporary = TemporaryFolder::create(&place).map_err(failed(&path))?;
    fill(&temporary.path)?;
    sync(&temporary.path).map_err(failed(&path))?;
    temporary.put(&place).map_err(failed(&path))?;
    Ok(path)
}

fn lock(place: &Place) -> Result<(), FolderError> {
    let path = place.folder_path.join(&place.name);
    place::wait_for_lock(place).map_err(failed(&path))
}

/// Moves `from` to `to`, which must not exist: by a rename, or by a copy where the two are on different disks. A link is
/// moved itself.
pub(crate) fn move_whole(from: &Path, to: &Path) -> Result<(), FolderError> {
    let parts = |path: &Path| -> io::Result<(OwnedFd, String)> {
        let name = path.file_name().and_then(|name| name.to_str()).ok_or(io::ErrorKind::InvalidFilename)?;
        let parent = path.parent().ok_or(io::ErrorKind::InvalidFilename)?.canonicalize()?;
        Ok((place::open_folder(&parent)?, name.to_owned()))
    };
    let (source, old) = parts(from).map_err(failed(from))?;
    let (target, new) = parts(to).map_err(failed(to))?;
    match rename_new(&source, &old, &target, &new) {
        Err(cause) if cause.kind() == io::ErrorKind::CrossesDevices => {
            copy_over(from, to, &target, &new)?;
            let metadata = from.symlink_metadata().map_err(failed(from))?;
            let removed = if metadata.is_dir() { std::fs::remove_dir_all(from) } else { std::fs::remove_file(from) };
            removed.map_err(failed(from))?;
        }
        Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => return Err(failed(to)(cause)),
        outcome => outcome.map_err(failed(from))?,
    }
    temporary::sync_folder(&target).and_then(|()| temporary::sync_folder(&source)).map_err(failed(to))
}

fn copy_over(from: &Path, to: &Path, target: &OwnedFd, new: &str) -> Result<(), FolderError> {
    let Some(folder) = to.parent() else { return Err(FolderError::Gone { path: to.to_owned() }) };
    let mut temporary = TemporaryFolder::create_in(folder, new).map_err(failed(to))?;
    let inner = temporary.path.join(new);
    Copying::default().entry(from, &inner, 0, None)?;
    let holder = place::open_folder(&temporary.path).map_err(failed(to))?;
    rename_new(&holder, new, target, new).map_err(failed(to))?;
    temporary.done = true;
    std::fs::remove_dir(&temporary.path).map_err(failed(to))
}
