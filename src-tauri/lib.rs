//! The desktop shell: a window over `workbench`, and nothing that could be tested without one.
//!
//! It opens the session, answers the window's commands with the use cases of the same names, and passes on
//! that files changed. No type of Tauri leaves this folder.

mod commands;
mod events;
mod log;
mod options;
mod rendering;
mod window;

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use tauri::plugin::TauriPlugin;
use tauri::{App, Manager, RunEvent, Wry};
use workbench::Session;
use workbench::api::{ApiError, Nothing, OpenRequest};
use workbench::window::boot::boot;
use workbench::window::workspace::open;

pub use options::Options;
pub use rendering::{Rendering, prepare_rendering};

/// Opens the window and returns when it is closed.
///
/// # Errors
/// When the system gives no window.
pub fn run(options: Options) -> tauri::Result<()> {
    let home = options.home();
    log::start(&home);
    let context = tauri::generate_context!();
    tracing::info!(version = %context.package_info().version, "started");
    tauri::Builder::default()
        // The first plugin, so that a second start ends before it opens files.
        .plugin(one_window(&context.config().identifier, &options))
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_opener::Builder::new().open_js_links_on_click(false).build())
        .invoke_handler(commands::answer())
        .setup(move |app| Ok(start(app, options)?))
        .build(context)?
        .run(|app, event| {
            // The process ends without letting go of anything: what was typed last is written now.
            if let (RunEvent::Exit, Some(session)) = (event, app.try_state::<Arc<Session>>()) {
                session.flush();
            }
        });
    Ok(())
}

/// Opens the session, then the window that asks it.
fn start(app: &App, options: Options) -> tauri::Result<()> {
    let without_asking = options.without_asking();
    let session = Session::start(options.into_session_options(), events::pass_on(app.handle().clone()));
    if without_asking && let Err(error) = open_something(&session) {
        // The window says the same, and offers the choice.
        tracing::warn!(%error, "nothing could be opened at the start");
    }
    app.manage(session);
    window::open(app.handle())
}

/// Opens what was open last, else the first workspace that is found, else the sample.
fn open_something(session: &Session) -> Result<(), ApiError> {
    let start = boot(session, Nothing {})?;
    if start.opened.is_some() {
        return Ok(());
    }
    let found = start.found.into_iter().find(|found| found.problem.is_none());
    let request = found.map_or(OpenRequest::Sample, |found| OpenRequest::Workspace { path: found.path });
    open(session, request).map(drop)
}

/// Sees to it that one home has one window: a second start shows the first one's and ends.
fn one_window(identifier: &str, options: &Options) -> TauriPlugin<Wry> {
    let mut name = identifier.to_owned();
    if !options.home_is_the_accounts() {
        let mut hasher = DefaultHasher::new();
        options.home().hash(&mut hasher);
        let _ = write!(name, ".home_{:016x}", hasher.finish()); // a String takes everything
    }
    tauri_plugin_single_instance::Builder::new().dbus_id(name).callback(|app, _, _| window::show(app)).build()
}
