//! The commands of the window: one handler for each entry of the one list, `workbench::for_each_command!`.
//!
//! A handler takes the request, calls the use case of the same name and hands its answer on. A use case reads
//! files and waits for a database, so it runs on a thread of its own and never on the window's.

use std::sync::Arc;

use tauri::State;
use tauri::ipc::{Invoke, Response};
use workbench::Session;
use workbench::api::{self, ApiError, ErrorCode, Framed};

/// The use cases, by the names of their commands.
mod use_cases {
    pub(super) use workbench::window::boot::{boot, close};
    pub(super) use workbench::window::contexts::{check_context, context, contexts, remove_context, save_context};
    pub(super) use workbench::window::documents::{disk, document, keep_mine, save, save_agreed, take_disk};
    pub(super) use workbench::window::fixes::{convert, decodings, fix, undo_rename};
    pub(super) use workbench::window::forms::{form, form_edit};
    pub(super) use workbench::window::lost_drafts::{discard_lost_draft, lost_draft, lost_drafts};
    pub(super) use workbench::window::memory::{memory, memory_split};
    pub(super) use workbench::window::merge::{merge, merged};
    pub(super) use workbench::window::past::history;
    pub(super) use workbench::window::preview::preview;
    pub(super) use workbench::window::projects::{change_projects, choose_profile, make_files, projects, remember};
    pub(super) use workbench::window::settings::{about, retention_preview, save_settings, settings};
    pub(super) use workbench::window::skills::{
        skill_create, skill_delete, skill_duplicate, skill_restore, skill_switch, skills,
    };
    pub(super) use workbench::window::typing::edit;
    pub(super) use workbench::window::versions::{restore_version, version, versions};
    pub(super) use workbench::window::why::{compare_log, why};
    pub(super) use workbench::window::workspace::{open, workspace};
}

/// Defines the handler of every command, and the function that finds one by its name.
macro_rules! define_handlers {
    ($($(#[$doc:meta])* $name:ident($request:ident) -> $kind:ident $reply:ident;)+) => {
        $(define_handler!($(#[$doc])* $name($request) -> $kind $reply);)+

        /// Answers the window's calls.
        pub(crate) fn answer() -> impl Fn(Invoke) -> bool + Send + Sync + 'static {
            tauri::generate_handler![$($name),+]
        }
    };
}

/// Defines one handler. A framed reply crosses as raw bytes: as JSON, a prompt would take eight times as long.
macro_rules! define_handler {
    ($(#[$doc:meta])* $name:ident($request:ident) -> json $reply:ident) => {
        $(#[$doc])*
        #[tauri::command]
        async fn $name(session: State<'_, Arc<Session>>, request: api::$request) -> Result<api::$reply, ApiError> {
            let session = Arc::clone(&session);
            aside(stringify!($name), move || use_cases::$name(&session, request)).await
        }
    };
    ($(#[$doc:meta])* $name:ident($request:ident) -> framed $reply:ident) => {
        $(#[$doc])*
        #[tauri::command]
        async fn $name(session: State<'_, Arc<Session>>, request: api::$request) -> Result<Response, ApiError> {
            let session = Arc::clone(&session);
            aside(stringify!($name), move || use_cases::$name(&session, request).and_then(|reply| frame(&reply))).await
        }
    };
}

workbench::for_each_command!(define_handlers);

/// Runs `work`, the use case of `command`, on a thread where it may take its time.
///
/// # Errors
/// Its own; and [`ErrorCode::Failed`] when it panicked, so that a fault of one command is not the window's end.
async fn aside<T: Send + 'static>(
    command: &'static str,
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let outcome = tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| {
        Err(ApiError::new(
            ErrorCode::Failed,
            format!(
                "A fault of the program stopped \"{command}\". Files and drafts are as they were; the log says where \
                 it happened. Try again, and report it if it comes back."
            ),
        ))
    });
    if let Err(error) = &outcome {
        tracing::warn!(command, code = ?error.code, "a command failed");
    }
    outcome
}

/// The bytes of a framed reply, which reach the window as an `ArrayBuffer`.
fn frame<T: serde::Serialize>(reply: &Framed<T>) -> Result<Response, ApiError> {
    let bytes = reply.to_bytes().map_err(|error| {
        ApiError::new(ErrorCode::Failed, format!("The answer could not be written as JSON: {error}"))
    })?;
    Ok(Response::new(bytes))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a failure to prepare is a failure of the test")]

    use std::collections::BTreeSet;

    use serde_json::Value;
    use tauri::ipc::{InvokeResponseBody, IpcResponse};

    use super::*;

    fn names() -> BTreeSet<String> {
        api::COMMANDS.iter().map(|command| command.name.to_owned()).collect()
    }

    #[test]
    fn the_capability_allows_exactly_the_commands() {
        let capability: Value = serde_json::from_str(include_str!("capabilities/main.json")).unwrap();
        let permissions = capability["permissions"].as_array().unwrap();
        // A permission with a scope is an object.
        let name = |permission: &Value| permission.as_str().or(permission["identifier"].as_str()).unwrap().to_owned();
        // Permissions of Tauri and of plugins carry the name of their owner before a colon.
        let allowed: BTreeSet<String> = permissions
            .iter()
            .map(name)
            .filter(|name| !name.contains(':'))
            .map(|name| name["allow-".len()..].replace('-', "_"))
            .collect();
        assert_eq!(allowed, names());
    }

    #[test]
    fn the_access_list_is_made_of_exactly_the_commands() {
        let listed: &[&str] = include!("commands.in.rs");
        assert_eq!(listed.iter().map(|&name| name.to_owned()).collect::<BTreeSet<_>>(), names());
    }

    #[test]
    fn a_panic_becomes_an_error() {
        let outcome = tauri::async_runtime::block_on(aside("save", || -> Result<(), ApiError> { panic!("a fault") }));
        let error = outcome.unwrap_err();
        assert_eq!(error.code, ErrorCode::Failed);
        assert!(error.message.contains("\"save\""), "{}", error.message);
    }

    #[test]
    fn a_framed_reply_crosses_as_raw_bytes() {
        let response = frame(&Framed { head: 7_u8, body: b"text".to_vec() }).unwrap();
        match response.body().unwrap() {
            InvokeResponseBody::Raw(bytes) => assert_eq!(bytes, b"\x01\x00\x00\x007text"),
            InvokeResponseBody::Json(json) => panic!("wrapped as JSON: {json}"),
        }
    }
}
