//! The host's configuration, of which one list is changed here: the skills that are switched off.
//!
//! Only the bytes of `agents.defaults.disabledSkills` are touched: order, indentation, line ends, a byte order mark,
//! comments and keys that nobody here knows stay as they are. What is no JSON is never written over. Where the file is
//! said in `facts` of the target: `.catbuddy/config/config.json` below a home or a project.

mod edit;
mod scan;

use std::path::{Path, PathBuf};

use model::{ContentHash, LineEnds};

use crate::save::{Expected, Outside, RelativePath, Root, SaveError, SaveOptions, save};

/// Path of the file below a home or a project.
pub const CONFIG: &str = ".catbuddy/config/config.json";
/// The keys that lead to the list.
const KEYS: [&str; 3] = ["agents", "defaults", "disabledSkills"];
/// A configuration beyond this many bytes is none.
const LARGEST: u64 = 8 << 20;

/// Why the list was not changed. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{} cannot be read ({reason}), so nothing was written.", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        reason: String,
    },
    /// The file is not what it has to be.
    #[error("{}, line {line}, column {column}: {message}. Nothing was written. Mend the file and try again.", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: u32,
        /// Column in characters, from 1.
        column: u32,
        /// What is wrong there.
        message: String,
    },
    /// Writing failed, or somebody else wrote meanwhile.
    #[error(transparent)]
    Save(#[from] SaveError),
}

/// What became of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Changed {
    /// The file.
    pub path: PathBuf,
    /// False when the list said so already, and nothing was written.
    pub written: bool,
    /// False when the host cannot read the file for all that: comments or a byte order mark, which its reader refuses.
    pub read_by_host: bool,
}

/// A change of the list: the skill's name, and whether it is to be in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Switch<'a> {
    /// The skill.
    pub name: &'a str,
    /// True: it is to be off.
    pub disabled: bool,
}

/// Switches a skill off or on in the configuration below `root`, a home or a project.
///
/// The file is read, changed and written only when it still holds the bytes that were read. A file that is missing is
/// made with this list alone; a link is followed and stays one.
///
/// # Errors
/// [`ConfigError`]; nothing was written then.
pub fn switch(root: &Path, change: Switch<'_>) -> Result<Changed, ConfigError> {
    let path = root.join(CONFIG);
    let bytes = read(&path)?;
    let (expected, text) = match &bytes {
        None => (Expected::Absent, None),
        Some(bytes) => {
            let hash = ContentHash(*blake3::hash(bytes).as_bytes());
            let text = std::str::from_utf8(bytes).map_err(|error| {
                let at = error.valid_up_to();
                let before = String::from_utf8_lossy(&bytes[..at]);
                invalid(&path, &before, before.len(), "the bytes are not UTF-8")
            })?;
            (Expected::Hash(hash), Some(text))
        }
    };
    let changed = match text {
        None if !change.disabled => None,
        None => Some(edit::minimal(change.name)),
        Some(text) => edit::switched(text, change).map_err(|fault| invalid(&path, text, fault.at, &fault.message))?,
    };
    let Some(changed) = changed else {
        let read_by_host = text.is_none_or(read_by_host);
        return Ok(Changed { path, written: false, read_by_host });
    };
    // Where the file is a link, the host follows it wherever it leads, and so do we: the person asked for this very
    // file to be changed.
    let options = SaveOptions { outside: Outside::Follow, ..SaveOptions::default() };
    let relative = RelativePath::parse(CONFIG)
        .map_err(|error| ConfigError::Unreadable { path: path.clone(), reason: error.to_string() })?;
    save(&Root::new("config", root), &relative, changed.as_bytes(), expected, &options)?;
    Ok(Changed { path, written: true, read_by_host: read_by_host(&changed) })
}

fn read(path: &Path) -> Result<Option<Vec<u8>>, ConfigError> {
    let unreadable = |reason: String| ConfigError::Unreadable { path: path.to_owned(), reason };
    match std::fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => Err(unreadable("it is not a file".to_owned())),
        Ok(metadata) if metadata.len() > LARGEST => Err(unreadable("it is larger than 8 MiB".to_owned())),
        Ok(_) => std::fs::read(path).map(Some).map_err(|cause| unreadable(cause.to_string())),
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => match std::fs::symlink_metadata(path) {
            Ok(_) => Err(unreadable("it is a link that leads nowhere".to_owned())),
            Err(_) => Ok(None),
        },
        Err(cause) => Err(unreadable(cause.to_string())),
    }
}

/// True when the host's own reader, which takes strict JSON, takes the text.
fn read_by_host(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

fn invalid(path: &Path, text: &str, at: usize, message: &str) -> ConfigError {
    let before = &text[..text.floor_char_boundary(at)];
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let column = before[start..].trim_start_matches('\u{FEFF}').chars().count() + 1;
    ConfigError::Invalid {
        path: path.to_owned(),
        line: line as u32,
        column: column as u32,
        message: message.to_owned(),
    }
}

/// The line end that a text uses most.
fn line_end(text: &str) -> &'static str {
    let ends = LineEnds::of(text.as_bytes());
    if ends.crlf > ends.lf { "\r\n" } else { "\n" }
}

#[cfg(test)]
mod tests;
