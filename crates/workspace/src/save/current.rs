//! The file as it stands, and its attributes on the way to its successor.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;

use model::ContentHash;
use rustix::fs::{Access, AtFlags, FileType, Gid, Mode, OFlags, Stat, Uid};
use rustix::io::Errno;
use xattr::FileExt;

use super::place::Place;
use super::{Expected, Left, RelativePath, SaveError};

/// The file before the save.
pub(super) struct Current {
    pub(super) file: File,
    pub(super) stat: Stat,
    pub(super) bytes: Vec<u8>,
    pub(super) hash: ContentHash,
}

/// Reads the file, when one stands there. Anything else than a file is an error and is not opened.
pub(super) fn read(place: &Place, path: &RelativePath) -> Result<Option<Current>, SaveError> {
    let failed = |cause: io::Error| SaveError::from_io(path, cause, Left::Old);
    let stat = match rustix::fs::statat(&place.folder, &place.name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => stat,
        Err(Errno::NOENT) => return Ok(None),
        Err(errno) => return Err(failed(errno.into())),
    };
    let what = match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => None,
        FileType::Directory => Some("folder"),
        FileType::Symlink => Some("link"),
        _ => Some("special file"),
    };
    if let Some(what) = what {
        return Err(SaveError::NotAFile { path: path.clone(), what });
    }
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let opened = match rustix::fs::openat(&place.folder, &place.name, flags, Mode::empty()) {
        Ok(opened) => opened,
        Err(Errno::NOENT) => return Ok(None),
        Err(errno) => return Err(failed(errno.into())),
    };
    let mut file = File::from(opened);
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(failed)?;
    let stat = rustix::fs::fstat(&file).map_err(|errno| failed(errno.into()))?;
    let hash = ContentHash(*blake3::hash(&bytes).as_bytes());
    Ok(Some(Current { file, stat, bytes, hash }))
}

/// The comparison of compare-and-swap.
pub(super) fn compare(current: Option<&Current>, expected: Expected, path: &RelativePath) -> Result<(), SaveError> {
    let on_disk = current.map(|current| current.hash);
    let wanted = match expected {
        Expected::Absent => None,
        Expected::Hash(hash) => Some(hash),
    };
    if on_disk == wanted { Ok(()) } else { Err(SaveError::Conflict { path: path.clone(), on_disk }) }
}

/// Refuses a file that may not be written, which replacing it would get round.
pub(super) fn writable(place: &Place, path: &RelativePath) -> Result<(), SaveError> {
    rustix::fs::accessat(&place.folder, &place.name, Access::WRITE_OK, AtFlags::EACCESS)
        .map_err(|errno| SaveError::from_io(path, errno.into(), Left::Old))
}

/// Gives `to` the owner, mode and extended attributes of `current`.
pub(super) fn keep_attributes(current: &Current, to: &File) -> io::Result<()> {
    let stat = &current.stat;
    let new = rustix::fs::fstat(to)?;
    if (new.st_uid, new.st_gid) != (stat.st_uid, stat.st_gid) {
        rustix::fs::fchown(to.as_fd(), Some(Uid::from_raw(stat.st_uid)), Some(Gid::from_raw(stat.st_gid)))?;
    }
    rustix::fs::fchmod(to, Mode::from_raw_mode(stat.st_mode))?;
    let names = match current.file.list_xattr() {
        Ok(names) => names,
        Err(cause) if unsupported(&cause) => return Ok(()),
        Err(cause) => return Err(cause),
    };
    for name in names {
        let Some(value) = current.file.get_xattr(&name)? else { continue };
        match to.set_xattr(&name, &value) {
            Ok(()) => {}
            // Labels of the system are set by the system; only what the person's programs wrote must be kept.
            Err(cause) if unsupported(&cause) || !name.as_encoded_bytes().starts_with(b"user.") => {}
            Err(cause) => return Err(cause),
        }
    }
    Ok(())
}

fn unsupported(cause: &io::Error) -> bool {
    cause.raw_os_error().map(Errno::from_raw_os_error) == Some(Errno::NOTSUP)
}
