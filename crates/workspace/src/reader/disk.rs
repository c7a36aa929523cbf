//! The system calls of a reading: counted, and none that could block or wake somebody up.

use std::ffi::OsString;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use model::FileIdentity;
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags};
use rustix::io::Errno;

/// How many system calls a reading made, by kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Calls {
    /// `stat` and `lstat` of a path.
    pub stat: u32,
    /// Files opened and read.
    pub read: u32,
    /// Folders listed.
    pub list: u32,
    /// Links read and resolved.
    pub link: u32,
}

/// What stands at a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    File,
    Folder,
    Link,
    Special(&'static str),
}

impl Kind {
    fn of(kind: FileType) -> Self {
        match kind {
            FileType::RegularFile => Self::File,
            FileType::Directory => Self::Folder,
            FileType::Symlink => Self::Link,
            FileType::Fifo => Self::Special("FIFO"),
            FileType::Socket => Self::Special("socket"),
            FileType::CharacterDevice | FileType::BlockDevice => Self::Special("device"),
            FileType::Unknown => Self::Special("file of an unknown kind"),
        }
    }
}

/// Kind and identity in one, the outcome of one `stat`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stamp {
    pub(crate) identity: FileIdentity,
    pub(crate) kind: Kind,
}

/// Time stamps of a local file system come from a clock that ticks every 1 to 10 ms. Ten ticks of the slowest are
/// taken, so that a write in the same tick as the reading, which leaves every stamp as it was, is never missed.
const FINE_TICK_NS: i64 = 100_000_000;
/// FAT, HFS+ and some network file systems keep whole seconds, FAT only even ones.
const COARSE_TICK_NS: i64 = 2_100_000_000;

impl Stamp {
    fn of(stat: &rustix::fs::Stat) -> Self {
        Self { identity: identity_of(stat), kind: Kind::of(FileType::from_raw_mode(stat.st_mode)) }
    }

    /// False while a later write could leave the same stamp: the "racy" rule of version control indexes. `ctime`
    /// is what counts, because a program can set `mtime` to anything.
    pub(crate) fn settled(&self, now_ns: i64) -> bool {
        let changed = self.identity.ctime_ns;
        let whole_seconds = changed % 1_000_000_000 == 0 && self.identity.mtime_ns % 1_000_000_000 == 0;
        let tick = if whole_seconds { COARSE_TICK_NS } else { FINE_TICK_NS };
        changed.saturating_add(tick) < now_ns
    }
}

/// The identity of the file behind `stat`.
pub(crate) fn identity_of(stat: &rustix::fs::Stat) -> FileIdentity {
    FileIdentity {
        device: stat.st_dev,
        inode: stat.st_ino,
        size: u64::try_from(stat.st_size).unwrap_or(0),
        mtime_ns: nanoseconds(stat.st_mtime, stat.st_mtime_nsec),
        ctime_ns: nanoseconds(stat.st_ctime, stat.st_ctime_nsec),
    }
}

fn nanoseconds(seconds: i64, rest: u64) -> i64 {
    seconds.saturating_mul(1_000_000_000).saturating_add(i64::try_from(rest).unwrap_or(0))
}

/// The clock that file systems stamp with, in nanoseconds since 1970.
pub(crate) fn clock_ns() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_nanos()).unwrap_or(i64::MAX))
}

/// One name of a folder.
pub(crate) struct Listed {
    pub(crate) name: Result<String, OsString>,
    /// As the folder tells it; `None` when the file system does not say.
    pub(crate) kind: Option<Kind>,
}

/// The calls, with their count and a buffer that is used again.
#[derive(Default, Debug)]
pub(crate) struct Disk {
    pub(crate) calls: Calls,
    buffer: Vec<u8>,
}

impl Disk {
    /// `stat`, following links.
    pub(crate) fn stat(&mut self, path: &str) -> Result<Stamp, Errno> {
        self.calls.stat += 1;
        rustix::fs::stat(path).map(|stat| Stamp::of(&stat))
    }

    /// `lstat`: of the link itself.
    pub(crate) fn lstat(&mut self, path: &str) -> Result<Stamp, Errno> {
        self.calls.stat += 1;
        rustix::fs::statat(CWD, path, AtFlags::SYMLINK_NOFOLLOW).map(|stat| Stamp::of(&stat))
    }

    /// The names of a folder, in the order of the disk.
    pub(crate) fn list(&mut self, path: &str) -> std::io::Result<Vec<Listed>> {
        self.calls.list += 1;
        let mut names = Vec::new();
        for entry in std::fs::read_dir(path)? {
            let entry = entry?;
            let kind = entry.file_type().ok().and_then(|kind| {
                if kind.is_dir() {
                    Some(Kind::Folder)
                } else if kind.is_symlink() {
                    Some(Kind::Link)
                } else if kind.is_file() {
                    Some(Kind::File)
                } else {
                    None
                }
            });
            names.push(Listed { name: entry.file_name().into_string(), kind });
        }
        Ok(names)
    }

    /// The text of a link and where it ends; `None` when it ends nowhere.
    pub(crate) fn link(&mut self, path: &str) -> (String, Option<String>) {
        self.calls.link += 1;
        let text = std::fs::read_link(path).map_or_else(|_| String::new(), |to| to.to_string_lossy().into_owned());
        (text, self.real_path(path))
    }

    /// The path without links.
    pub(crate) fn real_path(&mut self, path: &str) -> Option<String> {
        self.calls.link += 1;
        std::fs::canonicalize(Path::new(path)).ok().map(|path| path.to_string_lossy().into_owned())
    }

    /// Reads a regular file of about `size` bytes, and says what was read: the stamp is taken after the bytes, so
    /// that it equals an earlier one only when nothing changed in between. The caller has made sure with `stat`
    /// that it is a file; should it be swapped for a FIFO meanwhile, opening does not wait for a writer.
    pub(crate) fn read(&mut self, path: &str, size: u64) -> Result<(&[u8], Stamp), Errno> {
        self.calls.read += 1;
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file = rustix::fs::open(path, flags, Mode::empty())?;
        let mut filled = 0;
        // One byte more than expected: a short read then says that this was the end, without a second call.
        let expected = usize::try_from(size).unwrap_or(usize::MAX).saturating_add(1);
        if self.buffer.len() < expected {
            self.buffer.resize(expected, 0);
        }
        loop {
            match rustix::io::read(&file, &mut self.buffer[filled..]) {
                Ok(0) => break,
                Ok(count) => {
                    filled += count;
                    if filled as u64 == size && filled < self.buffer.len() {
                        break;
                    }
                    if filled == self.buffer.len() {
                        self.buffer.resize(filled * 2, 0);
                    }
                }
                Err(Errno::INTR) => {}
                Err(errno) => return Err(errno),
            }
        }
        let stamp = Stamp::of(&rustix::fs::fstat(&file)?);
        Ok((&self.buffer[..filled], stamp))
    }

    /// Gives the buffer back when a single large file has blown it up.
    pub(crate) fn shrink(&mut self) {
        const KEEP: usize = 1 << 20;
        if self.buffer.len() > KEEP {
            self.buffer = Vec::new();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_is_settled_once_its_clock_must_have_ticked() {
        let stamp = |mtime_ns, ctime_ns| Stamp {
            identity: FileIdentity { mtime_ns, ctime_ns, ..FileIdentity::default() },
            kind: Kind::File,
        };
        let fine = stamp(5_000_000_001, 5_000_000_001);
        assert!(!fine.settled(5_050_000_000), "50 ms later the tick may be the same");
        assert!(fine.settled(5_100_000_002));
        let coarse = stamp(5_000_000_000, 5_000_000_000);
        assert!(!coarse.settled(7_000_000_000), "a disk of even seconds");
        assert!(coarse.settled(7_100_000_001));
        assert!(stamp(99_000_000_000, 5_000_000_001).settled(6_000_000_000), "an mtime in the future says nothing");
    }
}
