//! The one window.

use tauri::{AppHandle, Manager, WebviewWindowBuilder};

/// Its label: in `tauri.conf.json`, and in the capability that lets it call commands.
const MAIN: &str = "main";

/// Opens the window. Its size and title stand in `tauri.conf.json`; it is made here and not by Tauri, so that
/// its first command finds the session that answers it.
pub(crate) fn open(app: &AppHandle) -> tauri::Result<()> {
    let windows = &app.config().app.windows;
    let config = windows.iter().find(|window| window.label == MAIN).ok_or(tauri::Error::WindowNotFound)?;
    WebviewWindowBuilder::from_config(app, config)?.build()?;
    Ok(())
}

/// Brings the window to the front, for a person who started the program a second time.
pub(crate) fn show(app: &AppHandle) {
    let Some(window) = app.get_webview_window(MAIN) else { return };
    let shown = window.unminimize().and_then(|()| window.show()).and_then(|()| window.set_focus());
    if let Err(error) = shown {
        tracing::warn!(%error, "the window could not be brought to the front");
    }
}
