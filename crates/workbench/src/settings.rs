//! The settings file, `<home>/.catbuddy/workbench/settings.toml`.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use model::{Finding, Parsed, Severity};

use crate::api::{ApiError, ErrorCode, Settings};

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

/// Reads the settings. A missing file gives the defaults; a broken one gives the defaults and a finding.
pub fn load(home: &Path) -> Parsed<Settings> {
    let path = settings_path(home);
    let broken = |reason: String| {
        Parsed {
        value: Settings::default(),
        findings: vec![
            Finding::new(
                "settings-unreadable",
                Severity::Warning,
                format!("The settings cannot be read: {reason}. The defaults are used; the file is left as it is until a setting is changed."),
            )
            .at(path.to_string_lossy()),
        ],
    }
    };
    match fs::read_to_string(&path) {
        Ok(text) => match toml::from_str(&text) {
            Ok(value) => Parsed { value, findings: Vec::new() },
            Err(error) => broken(error.message().to_owned()),
        },
        Err(error) if error.kind() == ErrorKind::NotFound => Parsed::default(),
        Err(error) => broken(error.to_string()),
    }
}

/// Writes the settings. Keys of the file that this version does not know are kept.
///
/// # Errors
/// When the folder or the file cannot be written; the old file then stands.
pub fn save(home: &Path, settings: &Settings) -> Result<(), ApiError> {
    let path = settings_path(home);
    let mut table: toml::Table = fs::read_to_string(&path).ok().and_then(|text| text.parse().ok()).unwrap_or_default();
    let known =
        toml::Table::try_from(settings).map_err(|error| ApiError::new(ErrorCode::Invalid, error.to_string()))?;
    // A key that is none now must not survive from the file.
    for key in ["language", "app", "locale", "model", "variant", "channel", "context", "last_workspace"] {
        table.remove(key);
    }
    table.extend(known);
    write_own(&path, table.to_string().as_bytes())
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
        ApiError::new(ErrorCode::Failed, format!("{} cannot be written: {error}. Nothing was changed.", path.display()))
            .with("path", path.display())
    })
}
