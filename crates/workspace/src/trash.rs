//! The desktop's trash, by the freedesktop.org specification: what is deleted can be had back, here and in every file
//! manager. Nothing is ever removed for good.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::save::folder::{FolderError, move_whole};

/// A trash folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trash {
    /// One that holds `files` and `info`, as file managers know it.
    Desktop(PathBuf),
    /// A folder that takes things as they are, as on macOS.
    Plain(PathBuf),
}

/// Something in the trash.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trashed {
    /// Where it stood.
    pub original: PathBuf,
    /// Where it is.
    pub stored: PathBuf,
    /// The note that says where it stood.
    pub info: Option<PathBuf>,
}

/// Takes `item` into the trash. A link is taken itself. `when` is the local time, `YYYY-MM-DDThh:mm:ss`.
///
/// # Errors
/// [`FolderError`]; the item is then where it was.
pub fn put(trash: &Trash, item: &Path, when: &str) -> Result<Trashed, FolderError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |cause| FolderError::Io { path, cause }
    };
    let invalid = || failed(item)(io::ErrorKind::InvalidFilename.into());
    let name = item.file_name().and_then(|name| name.to_str()).ok_or_else(invalid)?;
    item.symlink_metadata().map_err(|_| FolderError::Gone { path: item.to_owned() })?;
    let (files, info) = match trash {
        Trash::Desktop(folder) => (folder.join("files"), Some(folder.join("info"))),
        Trash::Plain(folder) => (folder.clone(), None),
    };
    for folder in [Some(&files), info.as_ref()].into_iter().flatten() {
        private_folder(folder).map_err(failed(folder))?;
    }
    for number in 1..=10_000 {
        let name = if number == 1 { name.to_owned() } else { format!("{name}.{number}") };
        let stored = files.join(&name);
        // The note comes first: it is what keeps a name for its owner.
        let note = match &info {
            None => None,
            Some(info) => {
                let note = info.join(format!("{name}.trashinfo"));
                match write_note(&note, item, when) {
                    Ok(()) => Some(note),
                    Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => continue,
                    Err(cause) => return Err(failed(&note)(cause)),
                }
            }
        };
        match move_whole(item, &stored) {
            Ok(()) => return Ok(Trashed { original: item.to_owned(), stored, info: note }),
            Err(error) => {
                if let Some(note) = &note {
                    let _gone_already = fs::remove_file(note);
                }
                if !matches!(&error, FolderError::Exists { .. }) {
                    return Err(error);
                }
            }
        }
    }
    Err(FolderError::Exists { path: files.join(name) })
}

/// Brings something back to where it stood. Folders on the way that are gone are made again.
///
/// # Errors
/// [`FolderError::Exists`] when something stands there by now; [`FolderError::Gone`] when the trash was emptied.
pub fn restore(trashed: &Trashed) -> Result<(), FolderError> {
    if trashed.stored.symlink_metadata().is_err() {
        return Err(FolderError::Gone { path: trashed.stored.clone() });
    }
    if let Some(parent) = trashed.original.parent() {
        fs::create_dir_all(parent).map_err(|cause| FolderError::Io { path: parent.to_owned(), cause })?;
    }
    move_whole(&trashed.stored, &trashed.original)?;
    if let Some(info) = &trashed.info {
        // A note without its thing is no harm: file managers pass it over.
        let _gone_already = fs::remove_file(info);
    }
    Ok(())
}

/// What is known of something in a desktop trash, by where it is stored.
///
/// # Errors
/// When there is no note beside it, or one that names no place.
pub fn find(stored: &Path) -> io::Result<Trashed> {
    let odd = || io::Error::from(io::ErrorKind::InvalidData);
    let name = stored.file_name().and_then(|name| name.to_str()).ok_or_else(odd)?;
    let trash = stored.parent().and_then(Path::parent).ok_or_else(odd)?;
    let info = trash.join("info").join(format!("{name}.trashinfo"));
    let note = fs::read_to_string(&info)?;
    let path = note.lines().find_map(|line| line.strip_prefix("Path=")).ok_or_else(odd)?;
    let original = PathBuf::from(decoded(path).ok_or_else(odd)?);
    if !original.is_absolute() {
        return Err(odd());
    }
    Ok(Trashed { original, stored: stored.to_owned(), info: Some(info) })
}

/// Nobody else may look into the trash.
fn private_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

fn write_note(note: &Path, item: &Path, when: &str) -> io::Result<()> {
    let mut file = File::create_new(note)?;
    let text = format!("[Trash Info]\nPath={}\nDeletionDate={when}\n", encoded(&item.to_string_lossy()));
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).inspect_err(|_| {
        let _reported_below = fs::remove_file(note);
    })
}

/// A path as the specification writes it: every byte but letters, digits and a few signs as `%XX`.
fn encoded(path: &str) -> String {
    use std::fmt::Write as _;
    path.bytes().fold(String::new(), |mut text, byte| {
        if byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            let _ = write!(text, "%{byte:02X}"); // a String takes everything
        }
        text
    })
}

fn decoded(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut path = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'%' {
            path.push(u8::from_str_radix(text.get(at + 1..at + 3)?, 16).ok()?);
            at += 3;
        } else {
            path.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8(path).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use std::os::unix::fs::symlink;

    use super::*;

    const WHEN: &str = "2026-12-01T09:12:00";

    #[test]
    fn what_is_deleted_comes_back_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let trash = Trash::Desktop(folder.path().join("Trash"));
        let item = folder.path().join("skills/été 1");
        fs::create_dir_all(item.join("more")).unwrap();
        fs::write(item.join("SKILL.md"), "text\r\n").unwrap();
        symlink("SKILL.md", item.join("more/link")).unwrap();
        let trashed = put(&trash, &item, WHEN).unwrap();
        assert!(!item.exists());
        let note = fs::read_to_string(trashed.info.as_ref().unwrap()).unwrap();
        assert!(note.starts_with("[Trash Info]\nPath=/"), "{note}");
        assert!(note.ends_with("/skills/%C3%A9t%C3%A9%201\nDeletionDate=2026-12-01T09:12:00\n"), "{note}");
        assert_eq!(find(&trashed.stored).unwrap(), trashed);

        fs::create_dir_all(&item).unwrap();
        assert!(matches!(restore(&trashed).unwrap_err(), FolderError::Exists { .. }), "never over another one");
        let second = put(&trash, &item, WHEN).unwrap();
        assert_ne!(second.stored, trashed.stored);
        restore(&trashed).unwrap();
        assert_eq!(fs::read_to_string(item.join("SKILL.md")).unwrap(), "text\r\n");
        assert_eq!(fs::read_link(item.join("more/link")).unwrap().to_str(), Some("SKILL.md"));
        assert!(!trashed.info.unwrap().exists());
        fs::remove_dir_all(second.stored).unwrap();
        let emptied = Trashed { original: item, stored: folder.path().join("nothing"), info: None };
        assert!(matches!(restore(&emptied).unwrap_err(), FolderError::Gone { .. }));
    }

    #[test]
    fn a_link_goes_itself_and_what_it_leads_to_stays() {
        let folder = tempfile::tempdir().unwrap();
        let kept = folder.path().join("kept");
        fs::create_dir_all(&kept).unwrap();
        let link = folder.path().join("tide");
        symlink(&kept, &link).unwrap();
        let trashed = put(&Trash::Plain(folder.path().join("bin")), &link, WHEN).unwrap();
        assert!(kept.is_dir() && link.symlink_metadata().is_err());
        restore(&trashed).unwrap();
        assert_eq!(fs::read_link(&link).unwrap(), kept);
    }
}
