//! What the shell tells the window without being asked.

use tauri::{AppHandle, Emitter};
use workbench::OnChange;

/// Name of the event that carries a [`workbench::api::WorkspaceChanged`].
const WORKSPACE_CHANGED: &str = "workspace-changed";

/// A listener that passes changes on to the window.
pub(crate) fn pass_on(app: AppHandle) -> OnChange {
    Box::new(move |changed| {
        if let Err(error) = app.emit(WORKSPACE_CHANGED, changed) {
            tracing::warn!(%error, "the window could not be told that files changed");
        }
    })
}
