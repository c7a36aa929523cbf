//! Named contexts: files below `<home>/.catbuddy/workbench/contexts/`, the same as `--context` takes.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use model::context::ContextError;
use model::{Context, text};
use serde_json::Value;

use crate::api::{ApiError, ErrorCode};
use crate::settings::{own_folder, write_own};

/// Where a value of the context in force comes from, weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// Asked of this machine.
    Machine,
    /// The host's configuration.
    Config,
    /// The workbench's settings.
    Settings,
    /// An environment variable, imported on request.
    Environment,
    /// A context file or a named context.
    File,
    /// A flag, or a control of the window.
    Flag,
}

impl Origin {
    /// The word that is shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Machine => "machine",
            Self::Config => "config",
            Self::Settings => "settings",
            Self::Environment => "environment",
            Self::File => "file",
            Self::Flag => "flag",
        }
    }
}

/// A context in layers, so that each value's origin is known.
#[derive(Clone, Debug, Default)]
pub struct Layered {
    layers: Vec<(Origin, Context)>,
}

impl Layered {
    /// Lays a context over the ones before. Layers may come in any order; the strongest origin wins.
    #[must_use]
    pub fn with(mut self, origin: Origin, context: Context) -> Self {
        let at = self.layers.partition_point(|&(present, _)| present <= origin);
        self.layers.insert(at, (origin, context));
        self
    }

    /// The context in force.
    pub fn merged(&self) -> Context {
        self.layers.iter().fold(Context::default(), |merged, (_, layer)| merged.overlaid(layer))
    }

    /// Every key that some layer has, with its value in force and that value's origin, in the order of the keys.
    pub fn values(&self) -> Vec<(&'static str, Value, Origin)> {
        let layers: Vec<(Origin, Value)> = self
            .layers
            .iter()
            .filter_map(|(origin, context)| Some((*origin, serde_json::to_value(context).ok()?)))
            .collect();
        model::context::KEYS
            .iter()
            .filter_map(|key| {
                let (origin, value) =
                    layers.iter().rev().find_map(|(origin, layer)| Some((*origin, layer.get(key.name)?.clone())))?;
                Some((key.name, value, origin))
            })
            .collect()
    }
}

/// An error of a context text, as it crosses the boundary.
pub fn context_error(error: &ContextError, path: Option<&Path>) -> ApiError {
    let mut api = ApiError::english(
        ErrorCode::Invalid,
        path.map_or_else(|| error.to_string(), |path| format!("{}: {error}", path.display())),
    );
    match error {
        ContextError::Syntax { line, column, .. } => api = api.with("line", line).with("column", column),
        ContextError::UnknownKey { key, nearest } => {
            api = api.with("key", key);
            if let Some(nearest) = nearest {
                api = api.with("nearest", nearest);
            }
        }
        ContextError::Value { key, .. } => api = api.with("key", key),
        ContextError::NotAnObject => {}
    }
    if let Some(path) = path { api.with("path", path.display()) } else { api }
}

/// Reads a context file.
///
/// # Errors
/// When it cannot be read, or is no context; the message names the file, the key and the nearest known key.
pub fn read_file(path: &Path) -> Result<Context, ApiError> {
    let text = fs::read_to_string(path).map_err(|error| {
        let code = if error.kind() == ErrorKind::NotFound { ErrorCode::NotFound } else { ErrorCode::Failed };
        ApiError::english(code, format!("The context file {} cannot be read: {error}.", path.display()))
            .with("path", path.display())
    })?;
    Context::from_json(&text).map_err(|error| context_error(&error, Some(path)))
}

fn folder(home: &Path) -> PathBuf {
    own_folder(home).join("contexts")
}

fn path_of(home: &Path, name: &str) -> Result<PathBuf, ApiError> {
    let fits = !name.is_empty()
        && name.len() <= 100
        && name != "."
        && name != ".."
        && !name.starts_with('.')
        && !name.chars().any(|c| c.is_control() || matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|'));
    if fits {
        Ok(folder(home).join(format!("{name}.json")))
    } else {
        Err(ApiError::new(ErrorCode::Invalid, text!("error-context-name", name)))
    }
}

/// The names of the contexts that are kept, in alphabetical order.
pub fn names(home: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder(home))
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.strip_suffix(".json")?.to_owned()))
        .filter(|name| !name.starts_with('.'))
        .collect();
    names.sort_unstable();
    names
}

/// The text of a named context.
///
/// # Errors
/// [`ErrorCode::NotFound`] when there is none of this name.
pub fn text(home: &Path, name: &str) -> Result<String, ApiError> {
    let path = path_of(home, name)?;
    fs::read_to_string(&path).map_err(|error| {
        ApiError::new(
            ErrorCode::NotFound,
            text!("error-context-unreadable", name, cause = workspace::causes::cause(&error)),
        )
        .with("path", path.display())
    })
}

/// Keeps a context under a name. Its text must be a context.
///
/// # Errors
/// When the text is no context, the name cannot be used, or the file cannot be written.
pub fn save(home: &Path, name: &str, json: &str) -> Result<(), ApiError> {
    let path = path_of(home, name)?;
    Context::from_json(json).map_err(|error| context_error(&error, None))?;
    write_own(&path, json.as_bytes())
}

/// Removes a named context.
///
/// # Errors
/// When there is none of this name, or it cannot be removed.
pub fn remove(home: &Path, name: &str) -> Result<(), ApiError> {
    let path = path_of(home, name)?;
    fs::remove_file(&path).map_err(|error| {
        ApiError::new(
            ErrorCode::NotFound,
            text!("error-context-not-removed", name, cause = workspace::causes::cause(&error)),
        )
        .with("path", path.display())
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

    use super::*;

    fn channel(name: &str) -> Context {
        Context { channel: Some(name.to_owned()), ..Context::default() }
    }

    #[test]
    fn the_strongest_origin_wins_whatever_the_order_of_laying() {
        let layered = Layered::default()
            .with(Origin::Flag, channel("telegram"))
            .with(Origin::Machine, Context { platform: Some("linux".into()), ..channel("cli") })
            .with(Origin::File, channel("email"));
        assert_eq!(layered.merged().channel.as_deref(), Some("telegram"));
        assert_eq!(layered.merged().platform.as_deref(), Some("linux"));
        let origins: Vec<_> = layered.values().into_iter().map(|(key, _, origin)| (key, origin)).collect();
        assert_eq!(origins, [("platform", Origin::Machine), ("channel", Origin::Flag)]);
    }

    #[test]
    fn a_context_is_kept_under_its_name_and_only_if_it_is_one() {
        let home = tempfile::tempdir().unwrap();
        save(home.path(), "evening chat", r#"{"channel":"telegram"}"#).unwrap();
        assert_eq!(names(home.path()), ["evening chat"]);
        assert!(save(home.path(), "evening chat", r#"{"chanel":"x"}"#).unwrap_err().message.contains("channel"));
        assert_eq!(text(home.path(), "evening chat").unwrap(), r#"{"channel":"telegram"}"#, "the kept one stands");
        for name in ["../x", "", ".hidden", "a/b"] {
            assert!(save(home.path(), name, "{}").is_err(), "{name:?} must not name a file");
        }
        remove(home.path(), "evening chat").unwrap();
        assert!(names(home.path()).is_empty());
    }
}
