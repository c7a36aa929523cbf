//! The one function that writes a user's file.
//!
//! A save is a compare-and-swap: the caller says which content it read, and when something else stands there by now
//! nothing is written. The new content is written whole beside the file, made durable, and put in place by a rename,
//! so that a kill or a power cut leaves the old bytes or the new ones, never a mixture.
//!
//! What remains: a program that does not take our advisory lock can write between the last comparison and the
//! rename (some microseconds), and its change is then lost. No file system call closes that window for a file that
//! exists; for one that does not, the rename itself refuses to replace.

mod current;
mod error;
pub mod folder;
mod in_place;
mod path;
mod place;
mod rename;
mod temporary;

#[cfg(test)]
mod faults;
#[cfg(test)]
mod tests;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use model::{ContentHash, FileIdentity};

pub use error::{Left, SaveError};
pub use path::{PathError, RelativePath, Root};
pub use rename::rename;
pub(crate) use temporary::is_temporary;

use current::Current;
use temporary::Temporary;

/// What the caller believes to stand there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    /// Nothing.
    Absent,
    /// A file with this content.
    Hash(ContentHash),
}

/// What to do with a file that has several names.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum HardLinks {
    /// Write nothing.
    #[default]
    Refuse,
    /// Keep the names together by writing the file in place, with a copy of the old content beside it meanwhile.
    WriteInPlace,
}

/// What to do with a link that leads out of every registered folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Outside {
    /// Write nothing.
    #[default]
    Refuse,
    /// Write there: the person agreed.
    Follow,
}

/// What the person agreed to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SaveOptions {
    /// For files with several names.
    pub hard_links: HardLinks,
    /// For links that lead elsewhere.
    pub outside: Outside,
    /// The other folders that are open; a link into one of them needs no consent.
    pub registered: Vec<PathBuf>,
}

/// A save that happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Saved {
    /// Hash of what was written.
    pub hash: ContentHash,
    /// The file as it stands now.
    pub identity: FileIdentity,
    /// Where it was written, links followed.
    pub path: PathBuf,
    /// The content before, for the history; `None` when there was no file.
    pub before: Option<Vec<u8>>,
}

/// Points between the steps of a save, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Step {
    /// The lock is held and the content compared.
    Compared,
    /// The temporary file (or the undo copy) exists.
    Created,
    /// Half of the content is written.
    HalfWritten,
    /// All of it is.
    Written,
    /// It is durable, with its attributes.
    Synced,
    /// The content was compared again.
    ComparedAgain,
    /// The new content is in place.
    Renamed,
    /// And durable.
    FolderSynced,
}

/// Writes `bytes` to `relative` below `root`, provided that `expected` stands there.
///
/// Mode, owner and extended attributes are kept; links are followed and stay links; missing parent folders are
/// created. A new file gets mode 0666 cut by the umask.
///
/// # Errors
/// [`SaveError`]; unless it says otherwise, the file is as it was.
pub fn save(
    root: &Root,
    relative: &RelativePath,
    bytes: &[u8],
    expected: Expected,
    options: &SaveOptions,
) -> Result<Saved, SaveError> {
    save_through(root, relative, bytes, expected, options, &|_| Ok(()))
}

/// [`save`] with a function that is called between its steps: a test stops, fails or kills there.
///
/// # Errors
/// As [`save`]; an error of `at` counts as one of the step that it follows.
#[cfg(any(test, feature = "failpoints"))]
pub fn save_with_failpoints(
    root: &Root,
    relative: &RelativePath,
    bytes: &[u8],
    expected: Expected,
    options: &SaveOptions,
    at: &dyn Fn(Step) -> io::Result<()>,
) -> Result<Saved, SaveError> {
    save_through(root, relative, bytes, expected, options, at)
}

fn save_through(
    root: &Root,
    relative: &RelativePath,
    bytes: &[u8],
    expected: Expected,
    options: &SaveOptions,
    at: &dyn Fn(Step) -> io::Result<()>,
) -> Result<Saved, SaveError> {
    let failed = |left: Left| move |cause: io::Error| SaveError::from_io(relative, cause, left);
    let place = place::find(root, relative, options)?;
    place::wait_for_lock(&place).map_err(|cause| match cause.kind() {
        io::ErrorKind::WouldBlock => SaveError::Busy { path: relative.clone() },
        _ => failed(Left::Old)(cause),
    })?;
    let before = current::read(&place, relative)?;
    current::compare(before.as_ref(), expected, relative)?;
    at(Step::Compared).map_err(failed(Left::Old))?;
    temporary::remove_stale(&place, SystemTime::now());

    if let Some(current) = &before {
        current::writable(&place, relative)?;
        if current.stat.st_nlink > 1 {
            if options.hard_links == HardLinks::Refuse {
                return Err(SaveError::HardLinked { path: relative.clone(), links: current.stat.st_nlink });
            }
            in_place::write(&place, relative, current, bytes, at)?;
            return finished(&place, relative, bytes, before);
        }
    }

    let temporary = written(&place, before.as_ref(), bytes, at).map_err(failed(Left::Old))?;
    let now = current::read(&place, relative)?;
    current::compare(now.as_ref(), expected, relative)?;
    at(Step::ComparedAgain).map_err(failed(Left::Old))?;
    match expected {
        Expected::Hash(_) => temporary.replace().map_err(failed(Left::Old))?,
        Expected::Absent => put_new(&place, relative, temporary)?,
    }
    at(Step::Renamed).map_err(failed(Left::New))?;
    temporary::sync_folder(&place.folder).map_err(failed(Left::New))?;
    at(Step::FolderSynced).map_err(failed(Left::New))?;
    finished(&place, relative, bytes, before)
}

/// A temporary file that holds `bytes` durably, with the attributes of the file that it will replace.
fn written<'a>(
    place: &'a place::Place,
    before: Option<&Current>,
    bytes: &[u8],
    at: &dyn Fn(Step) -> io::Result<()>,
) -> io::Result<Temporary<'a>> {
    // Nobody else may look into the successor of a private file while it is written.
    let mode = if before.is_some() { 0o600 } else { 0o666 };
    let mut temporary = Temporary::create(place, "tmp", mode)?;
    at(Step::Created)?;
    let (first, second) = bytes.split_at(bytes.len() / 2);
    temporary.file.write_all(first)?;
    at(Step::HalfWritten)?;
    temporary.file.write_all(second)?;
    at(Step::Written)?;
    if let Some(current) = before {
        current::keep_attributes(current, &temporary.file)?;
    }
    temporary.file.sync_all()?;
    at(Step::Synced)?;
    Ok(temporary)
}

fn put_new(place: &place::Place, relative: &RelativePath, temporary: Temporary<'_>) -> Result<(), SaveError> {
    match temporary.put_new() {
        Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => {
            let on_disk = current::read(place, relative)?.map(|current| current.hash);
            Err(SaveError::Conflict { path: relative.clone(), on_disk })
        }
        outcome => outcome.map_err(|cause| SaveError::from_io(relative, cause, Left::Old)),
    }
}

fn finished(
    place: &place::Place,
    relative: &RelativePath,
    bytes: &[u8],
    before: Option<Current>,
) -> Result<Saved, SaveError> {
    let stat = rustix::fs::statat(&place.folder, &place.name, rustix::fs::AtFlags::SYMLINK_NOFOLLOW)
        .map_err(|errno| SaveError::from_io(relative, errno.into(), Left::New))?;
    Ok(Saved {
        hash: ContentHash(*blake3::hash(bytes).as_bytes()),
        identity: crate::reader::identity_of(&stat),
        path: place.folder_path.join(&place.name),
        before: before.map(|current| current.bytes),
    })
}

/// Changes one of our own files (the project list) under a lock: whole or not at all. `change` gets the content, and
/// gives the new one or `None` to leave it.
pub(crate) fn update_own_file<E: From<io::Error>>(
    folder: &Path,
    name: &str,
    change: impl FnOnce(Option<&[u8]>) -> Result<Option<Vec<u8>>, E>,
) -> Result<(), E> {
    let place = place::own(folder, name)?;
    place::wait_for_lock(&place)?;
    let old = match std::fs::read(folder.join(name)) {
        Ok(old) => Some(old),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => None,
        Err(cause) => return Err(cause.into()),
    };
    if let Some(new) = change(old.as_deref())? {
        written(&place, None, &new, &|_| Ok(()))?.replace()?;
        temporary::sync_folder(&place.folder)?;
    }
    Ok(())
}
