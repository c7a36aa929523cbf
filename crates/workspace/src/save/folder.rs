//! Whole folders: made, copied, taken to the trash and brought back.
//!
//! A folder is built under a temporary name, beside the folder that it goes into so that no reader takes it for one of
//! its kind, made durable, and put in place by one rename that refuses to replace anything. A kill on the way leaves a
//! temporary folder, which the next such call removes once it is an hour old.

use std::fs::{File, Metadata};
use std::io::{self, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rustix::fs::{Mode, RenameFlags};
use rustix::io::Errno;

use super::place::{self, Place};
use super::temporary::{self, is_temporary};
use super::{RelativePath, Root, SaveError, SaveOptions};

/// Folders nest no deeper than this.
const DEEPEST: usize = 32;
/// No more files than this are copied.
const MOST_FILES: usize = 20_000;
/// No more bytes than this are copied.
const MOST_BYTES: u64 = 1 << 30;
/// A temporary folder of a killed process is removed when it is this old.
const STALE: Duration = Duration::from_hours(1);

/// Why a folder was not made, copied or moved. Nothing was replaced or lost.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// Something has that name already.
    #[error("{} is there already, and nothing is ever replaced. Choose another name.", path.display())]
    Exists {
        /// What is there.
        path: PathBuf,
    },
    /// There is nothing to copy or to move.
    #[error("{} is not there any more. Nothing was done; look at the list again.", path.display())]
    Gone {
        /// What was looked for.
        path: PathBuf,
    },
    /// Something in the folder is neither a file, a folder nor a link.
    #[error("{} is a pipe, a socket or a device, which cannot be copied. Nothing was made.", path.display())]
    Special {
        /// What it is about.
        path: PathBuf,
    },
    /// More than is copied here.
    #[error(
        "{} holds more than is copied here (20,000 files, 1 GiB, 32 levels). Nothing was made. Copy it by other means.",
        path.display()
    )]
    TooLarge {
        /// What it is about.
        path: PathBuf,
    },
    /// The place cannot be used.
    #[error(transparent)]
    Place(#[from] SaveError),
    /// The system refuses.
    #[error("{} ({cause}). Nothing was replaced, and nothing is lost.", path.display())]
    Io {
        /// What it is about.
        path: PathBuf,
        /// The system's reason.
        cause: io::Error,
    },
}

fn failed(path: &Path) -> impl Fn(io::Error) -> FolderError {
    let path = path.to_owned();
    move |cause| match cause.kind() {
        io::ErrorKind::AlreadyExists | io::ErrorKind::DirectoryNotEmpty => FolderError::Exists { path: path.clone() },
        io::ErrorKind::NotFound => FolderError::Gone { path: path.clone() },
        _ => FolderError::Io { path: path.clone(), cause },
    }
}

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

fn sync(folder: &Path) -> io::Result<()> {
    temporary::sync_folder(&place::open_folder(folder)?)
}

/// A folder that is removed with all it holds when it is dropped, unless it was put in place.
struct TemporaryFolder {
    /// The folder that it is made in.
    parent: OwnedFd,
    name: String,
    path: PathBuf,
    done: bool,
}

impl TemporaryFolder {
    /// Beside the folder that it goes into, when that is on the same disk; else in that folder itself.
    fn create(place: &Place) -> io::Result<Self> {
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

    fn create_in(folder: &Path, name: &str) -> io::Result<Self> {
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

    fn put(mut self, place: &Place) -> io::Result<()> {
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

fn remove_stale(folder: &Path, now: SystemTime) {
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
fn rename_new(from: &OwnedFd, old: &str, to: &OwnedFd, new: &str) -> io::Result<()> {
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

/// What was copied so far.
#[derive(Default)]
struct Copying {
    files: usize,
    bytes: u64,
}

type Rewrite<'a> = &'a dyn Fn(&str, &[u8]) -> Option<Vec<u8>>;

impl Copying {
    fn folder(
        &mut self,
        from: &Path,
        to: &Path,
        depth: usize,
        rewrite: Option<Rewrite<'_>>,
    ) -> Result<(), FolderError> {
        if depth > DEEPEST {
            return Err(FolderError::TooLarge { path: from.to_owned() });
        }
        let metadata = from.symlink_metadata().map_err(failed(from))?;
        for entry in std::fs::read_dir(from).map_err(failed(from))? {
            let entry = entry.map_err(failed(from))?;
            self.entry(&entry.path(), &to.join(entry.file_name()), depth, rewrite)?;
        }
        // Last: a folder that takes no changes can be filled no more.
        std::fs::set_permissions(to, metadata.permissions()).map_err(failed(to))?;
        sync(to).map_err(failed(to))
    }

    fn entry(&mut self, from: &Path, to: &Path, depth: usize, rewrite: Option<Rewrite<'_>>) -> Result<(), FolderError> {
        let metadata = from.symlink_metadata().map_err(failed(from))?;
        self.files += 1;
        if self.files > MOST_FILES {
            return Err(FolderError::TooLarge { path: from.to_owned() });
        }
        if metadata.is_dir() {
            std::fs::create_dir(to).map_err(failed(to))?;
            self.folder(from, to, depth + 1, None)
        } else if metadata.is_symlink() {
            let text = std::fs::read_link(from).map_err(failed(from))?;
            symlink(text, to).map_err(failed(to))
        } else if metadata.is_file() {
            self.file(from, to, &metadata, rewrite)
        } else {
            Err(FolderError::Special { path: from.to_owned() })
        }
    }

    fn file(
        &mut self,
        from: &Path,
        to: &Path,
        metadata: &Metadata,
        rewrite: Option<Rewrite<'_>>,
    ) -> Result<(), FolderError> {
        self.bytes += metadata.len();
        if self.bytes > MOST_BYTES {
            return Err(FolderError::TooLarge { path: from.to_owned() });
        }
        let name = from.file_name().and_then(|name| name.to_str());
        if let (Some(rewrite), Some(name)) = (rewrite, name) {
            let bytes = std::fs::read(from).map_err(failed(from))?;
            let bytes = rewrite(name, &bytes).unwrap_or(bytes);
            let write = || {
                let mut file = File::create_new(to)?;
                file.write_all(&bytes)?;
                file.set_permissions(metadata.permissions())?;
                file.sync_all()
            };
            return write().map_err(failed(to));
        }
        std::fs::copy(from, to).map_err(failed(from))?;
        File::open(to).and_then(|file| file.sync_all()).map_err(failed(to))
    }
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn path(text: &str) -> RelativePath {
        RelativePath::parse(text).unwrap()
    }

    /// Names below a folder, each with what it is.
    fn seen(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_folder_is_made_whole_and_replaces_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let root = Root::new("w", folder.path());
        let options = SaveOptions::default();
        let made = make(&root, &path("skills/tide"), &[("SKILL.md", b"text")], &options).unwrap();
        assert_eq!(fs::read(made.join("SKILL.md")).unwrap(), b"text");
        let error = make(&root, &path("skills/tide"), &[("SKILL.md", b"other")], &options).unwrap_err();
        assert!(matches!(error, FolderError::Exists { .. }), "{error}");
        symlink("nowhere", folder.path().join("skills/moon")).unwrap();
        let error = make(&root, &path("skills/moon"), &[("SKILL.md", b"other")], &options).unwrap_err();
        assert!(matches!(error, FolderError::Exists { .. }), "{error}");
        // A name that no file can have: what was begun is taken back.
        assert!(make(&root, &path("skills/sun"), &[("a/b", b"x")], &options).is_err());
        assert_eq!(seen(folder.path()), ["skills"]);
        assert_eq!(seen(&folder.path().join("skills")), ["moon", "tide"]);
        assert_eq!(fs::read(made.join("SKILL.md")).unwrap(), b"text");
    }

    #[test]
    fn a_copy_is_the_same_byte_for_byte_and_link_for_link() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("skills/tide");
        fs::create_dir_all(source.join("scripts/deep")).unwrap();
        fs::write(source.join("SKILL.md"), b"\xef\xbb\xbfname\r\n\xff").unwrap();
        fs::write(source.join("scripts/deep/run.sh"), "#!/bin/sh").unwrap();
        fs::set_permissions(source.join("scripts/deep/run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
        symlink("../other", source.join("beside")).unwrap();
        symlink(".", source.join("loop")).unwrap();
        let root = Root::new("w", folder.path());
        let options = SaveOptions::default();
        let rewrite = |name: &str, _: &[u8]| (name == "SKILL.md").then(|| b"renamed".to_vec());
        let copied = copy(&root, &source, &path("skills/tide-2"), &options, &rewrite).unwrap();
        assert_eq!(fs::read(copied.join("SKILL.md")).unwrap(), b"renamed");
        assert_eq!(fs::read_link(copied.join("beside")).unwrap().to_str(), Some("../other"));
        assert_eq!(fs::read_link(copied.join("loop")).unwrap().to_str(), Some("."));
        let script = copied.join("scripts/deep/run.sh");
        assert_eq!(fs::read(&script).unwrap(), b"#!/bin/sh");
        assert_eq!(script.metadata().unwrap().permissions().mode() & 0o777, 0o755);
        let same = copy(&root, &source, &path("skills/tide-3"), &options, &|_, _| None).unwrap();
        assert_eq!(fs::read(same.join("SKILL.md")).unwrap(), fs::read(source.join("SKILL.md")).unwrap());

        // A folder that is a link: what it leads to is copied, and the copy is a folder of its own.
        symlink("tide", folder.path().join("skills/linked")).unwrap();
        let own =
            copy(&root, &folder.path().join("skills/linked"), &path("skills/own"), &options, &|_, _| None).unwrap();
        assert!(!own.symlink_metadata().unwrap().is_symlink() && own.join("SKILL.md").exists());
        let gone = copy(&root, &folder.path().join("skills/none"), &path("skills/x"), &options, &|_, _| None);
        assert!(matches!(gone.unwrap_err(), FolderError::Gone { .. }));
        rustix::fs::mknodat(
            rustix::fs::CWD,
            source.join("pipe"),
            rustix::fs::FileType::Fifo,
            Mode::from_raw_mode(0o600),
            0,
        )
        .unwrap();
        let special = copy(&root, &source, &path("skills/x"), &options, &|_, _| None).unwrap_err();
        assert!(matches!(special, FolderError::Special { .. }), "{special}");
        assert_eq!(seen(&folder.path().join("skills")), ["linked", "own", "tide", "tide-2", "tide-3"]);
        assert_eq!(seen(folder.path()), ["skills"], "no temporary folder is left");
    }

    #[test]
    fn of_two_at_once_one_makes_it() {
        let folder = tempfile::tempdir().unwrap();
        let root = Root::new("w", folder.path());
        let outcomes: Vec<bool> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8)
                .map(|number: u8| {
                    let root = &root;
                    scope.spawn(move || {
                        make(root, &path("skills/tide"), &[("SKILL.md", &[number])], &SaveOptions::default()).is_ok()
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(outcomes.iter().filter(|&&made| made).count(), 1);
        assert_eq!(seen(&folder.path().join("skills/tide")), ["SKILL.md"]);
    }

    #[test]
    fn no_folder_outside_is_reached_and_stale_ones_go() {
        let folder = tempfile::tempdir().unwrap();
        let (inside, outside) = (folder.path().join("in"), folder.path().join("out"));
        fs::create_dir_all(&inside).unwrap();
        fs::create_dir_all(&outside).unwrap();
        symlink(&outside, inside.join("skills")).unwrap();
        let root = Root::new("w", &inside);
        let error = make(&root, &path("skills/tide"), &[("SKILL.md", b"x")], &SaveOptions::default()).unwrap_err();
        assert!(matches!(error, FolderError::Place(SaveError::Outside { .. })), "{error}");
        assert_eq!(seen(&outside), Vec::<String>::new());

        let stale = inside.join(".tide.cbw-0000abcd00000001.tmp");
        let other = inside.join(".tide.tmp");
        for path in [&stale, &other] {
            fs::create_dir_all(path.join("half")).unwrap();
        }
        remove_stale(&inside, SystemTime::now());
        assert!(stale.exists(), "it may be in use");
        remove_stale(&inside, SystemTime::now() + STALE * 2);
        assert!(!stale.exists() && other.exists());
    }
}
