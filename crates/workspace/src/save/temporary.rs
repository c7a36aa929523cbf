//! The file beside the file: written whole, then put in place by one rename. Removed on every other way out.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

use super::place::Place;

/// Between the name of the file and a number.
const MARK: &str = ".cbw-";
/// A temporary file of a killed process is removed when it is this old.
const STALE: Duration = Duration::from_hours(1);

/// A file that is removed when it is dropped, unless it was put in place.
pub(super) struct Temporary<'a> {
    place: &'a Place,
    pub(super) name: String,
    pub(super) file: File,
    done: bool,
}

impl<'a> Temporary<'a> {
    /// Creates `.{name}.cbw-{number}.{ending}` beside the file; `mode` is cut by the process's umask.
    pub(super) fn create(place: &'a Place, ending: &str, mode: u32) -> io::Result<Self> {
        loop {
            let name = fresh_name(&place.name, ending);
            let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            match rustix::fs::openat(&place.folder, &name, flags, Mode::from_raw_mode(mode)) {
                Ok(file) => return Ok(Self { place, name, file: File::from(file), done: false }),
                Err(Errno::EXIST) => {}
                Err(errno) => return Err(errno.into()),
            }
        }
    }

    /// Takes the file's place: in one step, whoever looks sees the old file or the new one.
    pub(super) fn replace(mut self) -> io::Result<()> {
        let folder = &self.place.folder;
        rustix::fs::renameat(folder, &self.name, folder, &self.place.name)?;
        self.done = true;
        Ok(())
    }

    /// As [`Self::replace`], but fails with `AlreadyExists` when something stands there.
    pub(super) fn put_new(mut self) -> io::Result<()> {
        let folder = &self.place.folder;
        match rustix::fs::renameat_with(folder, &self.name, folder, &self.place.name, RenameFlags::NOREPLACE) {
            Ok(()) => {
                self.done = true;
                Ok(())
            }
            // File systems without this flag can still link, which does not replace either; the temporary name
            // goes when `self` is dropped.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
                rustix::fs::linkat(folder, &self.name, folder, &self.place.name, AtFlags::empty())?;
                Ok(())
            }
            Err(errno) => Err(errno.into()),
        }
    }

    /// Leaves the file where it is.
    pub(super) fn keep(mut self) {
        self.done = true;
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if !self.done {
            let removed = rustix::fs::unlinkat(&self.place.folder, &self.name, AtFlags::empty());
            if let Err(cause) = removed {
                tracing::warn!(name = self.name, %cause, "a temporary file could not be removed");
            }
        }
    }
}

/// A name that this process has not given yet: `.{name}.cbw-{number}.{ending}`.
pub(super) fn fresh_name(name: &str, ending: &str) -> String {
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    let process = std::process::id();
    // A name may have 255 bytes; the mark, the number and the ending need 40 at most.
    let cut = name.floor_char_boundary(200);
    let number = COUNTER.fetch_add(1, Ordering::Relaxed);
    format!(".{}{MARK}{process:08x}{number:08x}.{ending}", &name[..cut])
}

/// True for the names that [`Temporary::create`] gives with the ending `tmp`, and for no others.
pub(crate) fn is_temporary(name: &str) -> bool {
    let Some(number) = name
        .strip_prefix('.')
        .and_then(|rest| rest.strip_suffix(".tmp"))
        .and_then(|rest| rest.rsplit_once(MARK))
        .map(|(_, number)| number)
    else {
        return false;
    };
    number.len() == 16 && number.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Removes what killed processes left in the folder, once it is old enough not to be in use.
pub(super) fn remove_stale(place: &Place, now: SystemTime) {
    let Ok(entries) = std::fs::read_dir(&place.folder_path) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        if !name.to_str().is_some_and(is_temporary) {
            continue;
        }
        let age = entry.metadata().and_then(|metadata| metadata.modified()).map(|then| now.duration_since(then));
        if matches!(age, Ok(Ok(age)) if age > STALE) {
            let _gone_already = rustix::fs::unlinkat(&place.folder, &name, AtFlags::empty());
        }
    }
}

/// Makes the names of a folder durable; file systems that cannot sync a folder are left alone.
pub(super) fn sync_folder(folder: &OwnedFd) -> io::Result<()> {
    match rustix::fs::fsync(folder.as_fd()) {
        Ok(()) | Err(Errno::INVAL | Errno::NOTSUP | Errno::BADF) => Ok(()),
        Err(errno) => Err(errno.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_names_are_temporary() {
        assert!(is_temporary(".USER.md.cbw-0000abcd00000001.tmp"));
        for name in
            ["USER.md", ".USER.md.cbw-xyz.tmp", ".USER.md.cbw-0000abcd00000001.undo", ".USER.md.swp", ".cbw-.tmp"]
        {
            assert!(!is_temporary(name), "{name}");
        }
    }
}
