//! The commands of the window: one handler for each entry of the one list, `workbench::for_each_command!`.
//!
//! A handler takes the request, calls the use case of the same name and hands its answer on. A use case reads
//! files and waits for a database, so it runs on a thread of its own and never on the window's.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use tauri::State;
use tauri::ipc::{Invoke, Response};
use workbench::api::{self, ApiError, ErrorCode, Framed};
use workbench::{Language, Session, speaking, text};

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
    ($(#[$doc:meta])* $name:ident($request:ident) -> $kind:ident $reply:ident) => {
        $(#[$doc])*
        #[tauri::command]
        async fn $name(
            session: State<'_, Arc<Session>>,
            request: api::$request,
            language: Option<String>,
        ) -> Result<Response, Value> {
            let session = Arc::clone(&session);
            let language = Language::of_tag(language.as_deref().unwrap_or_default());
            aside(stringify!($name), language, move || use_cases::$name(&session, request), $kind).await
        }
    };
}

workbench::for_each_command!(define_handlers);

/// Runs `work`, the use case of `command`, on a thread where it may take its time, and writes its answer down in
/// `language`, the window's.
///
/// # Errors
/// Its own, as JSON; and [`ErrorCode::Failed`] when it panicked, so that a fault of one command is not the window's end.
async fn aside<T: Send + 'static>(
    command: &'static str,
    language: Language,
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    write: impl FnOnce(&T) -> Result<Response, ApiError> + Send + 'static,
) -> Result<Response, Value> {
    // Only the writing is in the window's language: what a use case keeps is not.
    let work = move || work().and_then(|answer| speaking(language, || write(&answer)));
    let outcome = tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|_| Err(ApiError::new(ErrorCode::Failed, text!("error-fault", command))));
    outcome.map_err(|error| {
        tracing::warn!(command, code = ?error.code, "a command failed");
        speaking(language, || serde_json::to_value(&error).unwrap_or_default())
    })
}

/// A reply as JSON.
fn json<T: Serialize>(reply: &T) -> Result<Response, ApiError> {
    serde_json::to_string(reply).map(Response::new).map_err(|error| unwritten(&error))
}

/// The bytes of a framed reply, which reach the window as an `ArrayBuffer`.
fn framed<T: Serialize>(reply: &Framed<T>) -> Result<Response, ApiError> {
    reply.to_bytes().map(Response::new).map_err(|error| unwritten(&error))
}

fn unwritten(error: &serde_json::Error) -> ApiError {
    ApiError::new(ErrorCode::Failed, text!("error-unwritten", cause = error.to_string()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a failure to prepare is a failure of the test")]

    use std::collections::BTreeSet;

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
        let work = || -> Result<(), ApiError> { panic!("a fault") };
        let outcome = tauri::async_runtime::block_on(aside("save", Language::English, work, json));
        let error = outcome.err().unwrap();
        assert_eq!(error["code"], "failed");
        assert!(error["message"].as_str().unwrap().contains("\"save\""), "{error}");
    }

    #[test]
    fn an_answer_is_written_in_the_windows_language() {
        let work = || Ok(text!("fix-rename", name = "USER.md"));
        let answer = tauri::async_runtime::block_on(aside("fix", Language::of_tag("zh-Hans"), work, json)).unwrap();
        match answer.body().unwrap() {
            InvokeResponseBody::Json(json) => assert_eq!(json, "\"改名为 USER.md\""),
            InvokeResponseBody::Raw(_) => panic!("raw bytes"),
        }
    }

    #[test]
    fn a_framed_reply_crosses_as_raw_bytes() {
        let response = framed(&Framed { head: 7_u8, body: b"text".to_vec() }).unwrap();
        match response.body().unwrap() {
            InvokeResponseBody::Raw(bytes) => assert_eq!(bytes, b"\x01\x00\x00\x007text"),
            InvokeResponseBody::Json(json) => panic!("wrapped as JSON: {json}"),
        }
    }
}
