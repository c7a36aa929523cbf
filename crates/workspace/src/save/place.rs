//! Where a save really writes: links followed, the folder opened, and nothing outside the opened folders.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{FlockOperation, Mode, OFlags};
use rustix::io::Errno;

use super::{Left, Outside, RelativePath, Root, SaveError, SaveOptions};

/// The folder that holds the file, opened, and the file's name in it.
pub(super) struct Place {
    pub(super) folder: OwnedFd,
    pub(super) folder_path: PathBuf,
    pub(super) name: String,
}

/// Follows links and creates missing parent folders (`memory/`).
pub(super) fn find(root: &Root, relative: &RelativePath, options: &SaveOptions) -> Result<Place, SaveError> {
    let gone = || SaveError::FolderGone { folder: root.path.clone() };
    let failed = |cause: io::Error| SaveError::from_io(relative, cause, Left::Old);
    let real_root = root.path.canonicalize().map_err(|cause| match cause.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => gone(),
        _ => failed(cause),
    })?;
    if !real_root.is_dir() {
        return Err(gone());
    }
    let logical = relative.below(&real_root);
    let real = match std::fs::symlink_metadata(&logical) {
        Ok(metadata) if metadata.is_symlink() => {
            logical.canonicalize().map_err(|_| SaveError::BrokenLink { path: relative.clone() })?
        }
        Ok(_) => logical.canonicalize().map_err(failed)?,
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
            without_file(&logical).map_err(|cause| match cause {
                Some(cause) => failed(cause),
                None => SaveError::BrokenLink { path: relative.clone() },
            })?
        }
        Err(cause) => return Err(failed(cause)),
    };
    if options.outside == Outside::Refuse && !inside(&real, &real_root, &options.registered) {
        return Err(SaveError::Outside { path: relative.clone(), resolved: real });
    }
    let (Some(parent), Some(name)) = (real.parent(), real.file_name().and_then(|name| name.to_str())) else {
        return Err(failed(io::Error::from(io::ErrorKind::InvalidFilename)));
    };
    create_folders(parent).map_err(failed)?;
    let folder = open_folder(parent).map_err(failed)?;
    Ok(Place { folder, folder_path: parent.to_owned(), name: name.to_owned() })
}

/// The folder and the name as they are: a link in the last name is not followed, links on the way are.
pub(super) fn find_name(root: &Root, relative: &RelativePath, options: &SaveOptions) -> Result<Place, SaveError> {
    let failed = |cause: io::Error| SaveError::from_io(relative, cause, Left::Old);
    let real_root = root.path.canonicalize().map_err(|_| SaveError::FolderGone { folder: root.path.clone() })?;
    let logical = relative.below(&real_root);
    let (Some(parent), Some(name)) = (logical.parent(), logical.file_name().and_then(|name| name.to_str())) else {
        return Err(failed(io::Error::from(io::ErrorKind::InvalidFilename)));
    };
    let parent = match parent.canonicalize() {
        Ok(real) => real,
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => without_file(parent)
            .map_err(|cause| cause.map_or(SaveError::BrokenLink { path: relative.clone() }, failed))?,
        Err(cause) => return Err(failed(cause)),
    };
    if options.outside == Outside::Refuse && !inside(&parent, &real_root, &options.registered) {
        return Err(SaveError::Outside { path: relative.clone(), resolved: parent.join(name) });
    }
    create_folders(&parent).map_err(failed)?;
    let folder = open_folder(&parent).map_err(failed)?;
    Ok(Place { folder, folder_path: parent, name: name.to_owned() })
}

/// The real path of a file that does not exist: its deepest folder that does, links followed, and the rest.
/// The error is `None` when a link on the way leads nowhere.
fn without_file(logical: &Path) -> Result<PathBuf, Option<io::Error>> {
    let mut rest = Vec::new();
    let mut at = logical;
    while let (Some(parent), Some(name)) = (at.parent(), at.file_name()) {
        rest.push(name);
        match parent.canonicalize() {
            Ok(real) => return Ok(rest.iter().rev().fold(real, |path, name| path.join(name))),
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
                if parent.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink()) {
                    return Err(None);
                }
            }
            Err(cause) => return Err(Some(cause)),
        }
        at = parent;
    }
    Err(Some(io::Error::from(io::ErrorKind::NotFound)))
}

fn inside(real: &Path, real_root: &Path, registered: &[PathBuf]) -> bool {
    let in_registered = |folder: &PathBuf| folder.canonicalize().is_ok_and(|folder| real.starts_with(folder));
    real.starts_with(real_root) || registered.iter().any(in_registered)
}

/// Creates what is missing of `folder` and makes each new name durable.
fn create_folders(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let Some(parent) = folder.parent() else { return Err(io::ErrorKind::NotFound.into()) };
    create_folders(parent)?;
    match std::fs::create_dir(folder) {
        Ok(()) => File::open(parent)?.sync_all(),
        Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => Ok(()),
        Err(cause) => Err(cause),
    }
}

pub(super) fn open_folder(folder: &Path) -> io::Result<OwnedFd> {
    // The path has no links left; one that appears meanwhile is not followed.
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(rustix::fs::open(folder, flags, Mode::empty())?)
}

/// Takes the advisory lock of the folder; it is released with the handle, also when the process is killed. A file
/// system without locks is used without. After five seconds the error is `WouldBlock`.
pub(super) fn wait_for_lock(place: &Place) -> io::Result<()> {
    const PATIENCE: Duration = Duration::from_secs(5);
    const PAUSE: Duration = Duration::from_millis(5);
    let mut waited = Duration::ZERO;
    loop {
        match rustix::fs::flock(&place.folder, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) | Err(Errno::NOTSUP | Errno::NOLCK | Errno::NOSYS | Errno::INVAL | Errno::BADF) => return Ok(()),
            Err(Errno::AGAIN | Errno::INTR) if waited < PATIENCE => {
                std::thread::sleep(PAUSE);
                waited += PAUSE;
            }
            Err(errno) => return Err(errno.into()),
        }
    }
}

/// The place of one of our own files; its folder is created.
pub(super) fn own(folder: &Path, name: &str) -> io::Result<Place> {
    create_folders(folder)?;
    let folder_path = folder.canonicalize()?;
    Ok(Place { folder: open_folder(&folder_path)?, folder_path, name: name.to_owned() })
}
