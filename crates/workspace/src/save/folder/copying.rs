//! A copy of a folder: files byte for byte, links as links, modes kept, within bounds.

use std::fs::{File, Metadata};
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::building::sync;
use super::error::{FolderError, failed};

/// Folders nest no deeper than this.
const DEEPEST: usize = 32;
/// No more files than this are copied.
const MOST_FILES: usize = 20_000;
/// No more bytes than this are copied.
const MOST_BYTES: u64 = 1 << 30;

/// What was copied so far.
#[derive(Default)]
pub(super) struct Copying {
    files: usize,
    bytes: u64,
}

/// Other bytes for a file of this name and these bytes; `None`: the copy has the same.
pub(super) type Rewrite<'a> = &'a dyn Fn(&str, &[u8]) -> Option<Vec<u8>>;

impl Copying {
    /// Fills `to` with what stands in `from`.
    pub(super) fn folder(
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

    /// Copies one file, link or folder.
    pub(super) fn entry(
        &mut self,
        from: &Path,
        to: &Path,
        depth: usize,
        rewrite: Option<Rewrite<'_>>,
    ) -> Result<(), FolderError> {
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
