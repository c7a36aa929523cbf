//! The settings.

use crate::Session;
use crate::api::{ApiError, Nothing, Settings};

/// The settings as they are.
///
/// # Errors
/// None; the signature is that of every command.
pub fn settings(session: &Session, _: Nothing) -> Result<Settings, ApiError> {
    Ok(session.settings())
}

/// Keeps the settings. What is open is read again when the app or the locale changed.
///
/// # Errors
/// When the file cannot be written; nothing is changed then.
pub fn save_settings(session: &Session, settings: Settings) -> Result<Settings, ApiError> {
    let before = session.settings();
    // Which workspace was open last is the session's to say.
    let last_workspace = before.last_workspace.clone();
    let saved = session.change_settings(|current| *current = Settings { last_workspace, ..settings })?;
    if saved.app != before.app {
        super::workspace::reopen(session)?;
    }
    Ok(saved)
}
