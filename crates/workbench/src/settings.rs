//! The settings file, `<home>/.catbuddy/workbench/settings.toml`.

use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use model::paths::resolve;
use model::{Finding, Parsed, Severity, Text, text};

use crate::api::{ApiError, ErrorCode, PlaceChoices, Settings};

/// The folder of everything that is the workbench's own.
pub fn own_folder(home: &Path) -> PathBuf {
    home.join(".catbuddy").join("workbench")
}

/// The history database.
pub fn history_path(home: &Path) -> PathBuf {
    own_folder(home).join("history.db")
}

fn settings_path(home: &Path) -> PathBuf {
    own_folder(home).join("settings.toml")
}

/// Keys of the file that are left out while they are not set. One that is none now must not survive from the file.
const OPTIONAL: [&str; 11] = [
    "language",
    "app",
    "locale",
    "skill_order",
    "model",
    "variant",
    "channel",
    "context",
    "last_workspace",
    "history_days",
    "history_mib",
];

/// The same for what is remembered of a place.
const OPTIONAL_OF_PLACE: [&str; 6] = ["channel", "variant", "own_profile", "file", "page", "view"];

/// What the settings file holds.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Kept {
    /// The settings.
    pub settings: Settings,
    /// What was chosen for single workspaces, by their resolved folder.
    pub places: BTreeMap<String, PlaceChoices>,
}

impl Kept {
    /// What was chosen for the workspace in `folder`, an absolute path.
    pub fn of(&self, folder: &str) -> PlaceChoices {
        self.places.get(&resolve("/", folder)).cloned().unwrap_or_default()
    }
}

/// Reads the settings. A missing file gives the defaults; a broken one gives the defaults and a finding.
pub fn load(home: &Path) -> Parsed<Kept> {
    let path = settings_path(home);
    let broken = |cause: Text| {
        let message = text!("settings-unreadable", cause);
        let finding = Finding::new("settings-unreadable", Severity::Warning, message).at(path.to_string_lossy());
        Parsed { value: Kept::default(), findings: vec![finding] }
    };
    match fs::read_to_string(&path) {
        Ok(text) => match parse(&text) {
            Ok(value) => Parsed { value, findings: Vec::new() },
            Err(error) => broken(Text::verbatim(error.message().trim_end_matches('.'))),
        },
        Err(error) if error.kind() == ErrorKind::NotFound => Parsed::default(),
        Err(error) => broken(workspace::causes::cause(&error)),
    }
}

fn parse(text: &str) -> Result<Kept, toml::de::Error> {
    let mut table: toml::Table = toml::from_str(text.trim_start_matches('\u{feff}'))?;
    let places = table.remove("places");
    Ok(Kept { settings: table.try_into()?, places: places.map(toml::Value::try_into).transpose()?.unwrap_or_default() })
}

/// Writes the settings. Keys of the file that this version does not know are kept; a file that cannot be read is
/// moved aside and never lost.
///
/// # Errors
/// When the folder or the file cannot be written; the old file then stands.
pub fn save(home: &Path, kept: &Kept) -> Result<(), ApiError> {
    let path = settings_path(home);
    let mut table = match fs::read(&path) {
        Ok(bytes) => {
            if let Some(text) = std::str::from_utf8(&bytes).ok().filter(|text| parse(text).is_ok()) {
                text.trim_start_matches('\u{feff}').parse().unwrap_or_default()
            } else {
                move_aside(&path)?;
                toml::Table::new()
            }
        }
        Err(_) => toml::Table::new(),
    };
    let invalid = |error: toml::ser::Error| ApiError::english(ErrorCode::Invalid, error.to_string());
    renew(&mut table, &OPTIONAL, toml::Table::try_from(&kept.settings).map_err(invalid)?);
    let mut places = match table.remove("places") {
        Some(toml::Value::Table(places)) => places,
        _ => toml::Table::new(),
    };
    for (folder, choices) in &kept.places {
        let place = places.entry(folder.clone()).or_insert_with(|| toml::Table::new().into());
        if let toml::Value::Table(place) = place {
            renew(place, &OPTIONAL_OF_PLACE, toml::Table::try_from(choices).map_err(invalid)?);
        }
    }
    if !places.is_empty() {
        table.insert("places".to_owned(), places.into());
    }
    write_own(&path, table.to_string().as_bytes())
}

/// Puts `known` into `table`; of the optional keys only those that `known` has are left.
fn renew(table: &mut toml::Table, optional: &[&str], known: toml::Table) {
    for key in optional {
        table.remove(*key);
    }
    table.extend(known);
}

/// Keeps a file that cannot be read under the first free name beside it.
fn move_aside(path: &Path) -> Result<(), ApiError> {
    // Many more than anybody keeps.
    let aside = (1..10_000)
        .map(|number| path.with_file_name(format!("settings.unreadable-{number}.toml")))
        .find(|aside| !aside.exists())
        .unwrap_or_else(|| path.with_extension("unreadable"));
    fs::rename(path, &aside).map_err(|error| {
        let message = format!("{} cannot be moved aside: {error}. Nothing was changed.", path.display());
        ApiError::english(ErrorCode::Failed, message).with("path", path.display())
    })
}

/// Writes a file of the workbench's own, whole or not at all. User files go through `workspace::save` instead.
///
/// # Errors
/// [`ErrorCode::Failed`] with the path.
pub fn write_own(path: &Path, bytes: &[u8]) -> Result<(), ApiError> {
    let write = || {
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let temporary = path.with_extension(format!("tmp-{}", std::process::id()));
        let mut file = fs::File::create(&temporary)?;
        let written = file.write_all(bytes).and_then(|()| file.sync_all()).and_then(|()| fs::rename(&temporary, path));
        if written.is_err() {
            // Best effort: the error that matters is the one above.
            let _ = fs::remove_file(&temporary);
        }
        written
    };
    write().map_err(|error: std::io::Error| {
        ApiError::new(
            ErrorCode::Failed,
            text!("error-not-written", path = path.display().to_string(), cause = workspace::causes::cause(&error)),
        )
        .with("path", path.display())
    })
}
