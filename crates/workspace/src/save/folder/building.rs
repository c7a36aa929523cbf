//! A folder on its way into its place: under a temporary name first, then renamed.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rustix::fs::{Mode, RenameFlags};
use rustix::io::Errno;

use super::super::place::{self, Place};
use super::super::temporary::{self, is_temporary};

/// A temporary folder of a killed process is removed when it is this old.
pub(super) const STALE: Duration = Duration::from_hours(1);

/// Makes what stands in `folder` durable.
pub(super) fn sync(folder: &Path) -> io::Result<()> {
    temporary::sync_folder(&place::open_folder(folder)?)
}

/// A folder that is removed with all it holds when it is dropped, unless it was put in place.
pub(super) struct TemporaryFolder {
    /// The folder that it is made in.
    parent: OwnedFd,
    name: String,
    pub(super) path: PathBuf,
    /// Its contents were put in place.
    pub(super) done: bool,
}

impl TemporaryFolder {
    /// Beside the folder that it goes into, when that is on the same disk; else in that folder itself.
    pub(super) fn create(place: &Place) -> io::Result<Self> {
        let inside = &place.folder_path;
        let same_disk = |parent: &&Path| {
            let device = |path: &Path| path.metadata().map(|metadata| metadata.dev()).ok();
            device(parent).is_some() && device(parent) == device(inside)
        };
        let beside = inside.parent().filter(same_disk).map(|parent| Self::create_in(parent, &place.name));
        match beside {
            Some(Ok(made)) => Ok(made),
            // A folder that takes nothing may hold one that does.
            _ => Self::create_in(inside, &place.name),
        }
    }

    pub(super) fn create_in(folder: &Path, name: &str) -> io::Result<Self> {
        let parent = place::open_folder(folder)?;
        remove_stale(folder, SystemTime::now());
        loop {
            let name = temporary::fresh_name(name, "tmp");
            match rustix::fs::mkdirat(&parent, &name, Mode::from_raw_mode(0o777)) {
                Ok(()) => {
                    let path = folder.join(&name);
                    return Ok(Self { parent, name, path, done: false });
                }
                Err(Errno::EXIST) => {}
                Err(errno) => return Err(errno.into()),
            }
        }
    }

    pub(super) fn put(mut self, place: &Place) -> io::Result<()> {
        rename_new(&self.parent, &self.name, &place.folder, &place.name)?;
        self.done = true;
        temporary::sync_folder(&place.folder)?;
        temporary::sync_folder(&self.parent)
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        if !self.done
            && let Err(cause) = std::fs::remove_dir_all(&self.path)
        {
            tracing::warn!(path = %self.path.display(), %cause, "a temporary folder could not be removed");
        }
    }
}

/// Removes the temporary folders in `folder` that were left by processes that were killed.
pub(super) fn remove_stale(folder: &Path, now: SystemTime) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let ours = entry.file_name().to_str().is_some_and(is_temporary);
        let Ok(metadata) = entry.metadata() else { continue };
        let old = metadata.modified().is_ok_and(|then| now.duration_since(then).is_ok_and(|age| age > STALE));
        if ours && metadata.is_dir() && old {
            let _gone_already = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// Renames without replacing. Where the file system cannot promise that, a look comes first, under the lock.
pub(super) fn rename_new(from: &OwnedFd, old: &str, to: &OwnedFd, new: &str) -> io::Result<()> {
    match rustix::fs::renameat_with(from, old, to, new, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
            match rustix::fs::statat(to, new, rustix::fs::AtFlags::SYMLINK_NOFOLLOW) {
                Err(Errno::NOENT) => Ok(rustix::fs::renameat(from, old, to, new)?),
                Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
                Err(errno) => Err(errno.into()),
            }
        }
        outcome => Ok(outcome?),
    }
}
