//! Where to look: home, workspace, project, installed app, and the context that follows from them.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use model::context::SkillPrecedence;
use model::paths::resolve;
use model::{Context, Finding, Parsed, Places, Severity, Target, Text, text};
use serde_json::Value;
use workspace::host_config::CONFIG;
use workspace::places::choose_workspace;

use crate::api::{ApiError, ErrorCode, Settings, SkillOrder};
use crate::contexts::{Layered, Origin};
use crate::machine::Machine;

/// What a shell was told, as it was given. The target prints and compares paths as texts: the workspace stays as it
/// is given; the others, which an app knows by their full paths, are resolved against this process's working folder.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// The user's home.
    pub home: PathBuf,
    /// Any workspace folder.
    pub workspace: Option<String>,
    /// A project folder.
    pub project: Option<String>,
    /// An installed app's folder; above the setting.
    pub app: Option<String>,
    /// Whether the global profile is switched off; above the setting.
    pub own_profile: Option<bool>,
}

impl Place {
    /// The places that a reading needs.
    ///
    /// `--workspace` is taken as given and beats the workspace that a project would lead to; without either it is
    /// the global profile's.
    ///
    /// # Errors
    /// [`crate::api::ErrorCode::Ambiguous`] when both layouts of the project hold files.
    pub fn resolve(
        &self,
        settings: &Settings,
        context: &Context,
        machine: &Machine,
        target: &Target,
    ) -> Result<Places, ApiError> {
        let full = |path: &str| resolve(&machine.process_cwd, path);
        let home = full(&text(&self.home));
        let project = self.project.as_deref().map(full);
        let global = context
            .global_workspace
            .clone()
            .unwrap_or_else(|| format!("{}/.catbuddy/workspace", home.trim_end_matches('/')));
        let workspace = match (&self.workspace, &project) {
            (Some(workspace), _) => workspace.clone(),
            (None, Some(project)) => {
                choose_workspace(Path::new(project), target).map(|path| text(&path)).map_err(|ambiguous| {
                    ApiError::english(ErrorCode::Ambiguous, format!("{ambiguous}."))
                        .with("inner", ambiguous.inner.display())
                        .with("outer", ambiguous.outer.display())
                })?
            }
            (None, None) => global.clone(),
        };
        Ok(Places {
            home,
            workspace,
            global,
            project,
            app: self.app.as_ref().or(settings.app.as_ref()).map(|app| full(app)),
            process_cwd: context.process_cwd.clone().unwrap_or_else(|| machine.process_cwd.clone()),
        })
    }

    /// The layers of the context below a file and flags.
    pub fn context(&self, settings: &Settings, machine: &Machine) -> Layered {
        let configured = Context { disabled_skills: self.configured_disabled_skills().value, ..Context::default() };
        let set = Context {
            locale: settings.locale.clone(),
            skill_precedence: settings.skill_order.map(precedence),
            ..Context::default()
        };
        Layered::default()
            .with(Origin::Machine, machine.context(&resolve(&machine.process_cwd, &text(&self.home))))
            .with(Origin::Config, configured)
            .with(Origin::Settings, set)
    }

    /// `agents.defaults.disabledSkills` of the host's configuration, the project's before the home's. A file that is
    /// no JSON counts for nothing, as it does for the host, and is told.
    pub(crate) fn configured_disabled_skills(&self) -> Parsed<Option<Vec<String>>> {
        let Parsed { value, findings } = self.disabled_skills();
        Parsed { value: value.map(|(_, names)| names), findings }
    }

    /// The folder whose configuration says which skills are off: the project, when its own names some list, else the
    /// home. A list that is not there yet belongs into the home's.
    pub(crate) fn disabled_skills_root(&self) -> PathBuf {
        self.disabled_skills().value.map_or_else(|| self.home.clone(), |(root, _)| root)
    }

    fn disabled_skills(&self) -> Parsed<Option<(PathBuf, Vec<String>)>> {
        let mut findings = Vec::new();
        let roots = self.project.as_deref().map(Path::new).into_iter().chain([&*self.home]);
        let value = roots.map(|root| (root, root.join(CONFIG))).find_map(|(root, path)| {
            let config = match std::fs::read(&path).map(|bytes| serde_json::from_slice::<Value>(&bytes)) {
                Ok(Ok(config)) => config,
                Ok(Err(error)) => {
                    findings.push(config_unreadable(&path, Text::verbatim(error.to_string())));
                    return None;
                }
                Err(error) => {
                    if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) {
                        findings.push(config_unreadable(&path, workspace::causes::cause(&error)));
                    }
                    return None;
                }
            };
            let names = config.pointer("/agents/defaults/disabledSkills")?.as_array()?;
            let names = names.iter().filter_map(Value::as_str).map(str::to_owned).collect();
            Some((root.to_owned(), names))
        });
        Parsed { value, findings }
    }
}

fn precedence(order: SkillOrder) -> SkillPrecedence {
    match order {
        SkillOrder::WorkspaceFirst => SkillPrecedence::WorkspaceFirst,
        SkillOrder::BuiltinFirst => SkillPrecedence::BuiltinFirst,
    }
}

fn config_unreadable(path: &Path, cause: Text) -> Finding {
    let message = text!("config-unreadable", cause);
    Finding::new("config-unreadable", Severity::Warning, message).at(text(path))
}

/// A path as text, as Node would have it: bytes that are no UTF-8 become U+FFFD.
pub fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
