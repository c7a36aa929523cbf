//! The start: what could be opened, and what was open last.

use std::path::Path;

use workspace::places::{Found, Layout, probe};
use workspace::starters;

use crate::Session;
use crate::api::{ApiError, Boot, FoundKind, FoundWorkspace, Nothing, OpenRequest, StarterView};
use crate::counting;
use crate::session::{count_view, finding_view};
use crate::window::workspace::{open, unnamed};

/// What the window needs at its start. Opens again what was open last, or what the shell was told to open.
///
/// # Errors
/// None that stops the start: what is odd is among the findings.
pub fn boot(session: &Session, _: Nothing) -> Result<Boot, ApiError> {
    let mut findings: Vec<_> = session.findings().iter().map(|finding| finding_view(finding, None)).collect();
    let discovery = probe(session.home(), &session.target);
    findings.extend(discovery.findings.iter().map(|finding| finding_view(finding, None)));
    let wanted = match (&session.place.workspace, &session.place.project) {
        (Some(path), _) => Some(OpenRequest::Workspace { path: path.clone() }),
        (None, Some(path)) => Some(OpenRequest::Project { path: path.clone() }),
        (None, None) => session
            .settings()
            .last_workspace
            .filter(|path| Path::new(path).is_dir())
            .map(|path| OpenRequest::Workspace { path }),
    };
    let is_open = session.opened().is_some();
    let opened = match wanted {
        _ if is_open => crate::window::workspace::workspace(session, Nothing {}).ok(),
        Some(request) => match open(session, request) {
            Ok(view) => Some(view),
            Err(error) => {
                let finding = model::Finding::new("workspace-not-opened", model::Severity::Warning, error.message);
                findings.push(finding_view(&finding, None));
                None
            }
        },
        None => None,
    };
    let projects = discovery.workspaces.iter().filter(|found| found.project.is_some()).count();
    Ok(Boot {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        places_looked_at: discovery.workspaces.len().max(2) as u32,
        found: discovery
            .workspaces
            .iter()
            // The global profile is listed by the search even when nobody made it yet; that is no problem to show.
            .filter(|found| found.count() > 0 || (found.problem.is_some() && Path::new(&found.path).exists()))
            .map(|found| found_view(found, projects, session))
            .collect(),
        starters: starters::STARTERS.iter().map(|starter| starter_view(session, *starter)).collect(),
        settings: super::settings::effective(session),
        opened,
        findings,
    })
}

/// Closes the workspace; its drafts stay, and come back with it.
///
/// # Errors
/// As [`boot`].
pub fn close(session: &Session, _: Nothing) -> Result<Boot, ApiError> {
    session.flush();
    session.replace_open(None);
    session.change_settings(|settings| settings.last_workspace = None)?;
    boot(session, Nothing {})
}

fn found_view(found: &Found, projects: usize, session: &Session) -> FoundWorkspace {
    let kind = match found.layout {
        Layout::Global => FoundKind::Global,
        Layout::Legacy => FoundKind::Legacy,
        Layout::ProjectInner | Layout::ProjectOuter => FoundKind::Project,
    };
    let names = session.target.bootstrap.iter().map(|file| &file.name);
    FoundWorkspace {
        kind,
        label: found.label.clone(),
        path: found.path.clone(),
        files: found.count() as u32,
        missing: names.filter(|name| !found.files.contains(name)).cloned().collect(),
        projects: if kind == FoundKind::Global { projects as u32 } else { 0 },
        problem: found.problem.clone(),
    }
}

fn starter_view(session: &Session, starter: starters::Starter) -> StarterView {
    // The sets ship with the product and render; a test of theirs holds that.
    let files = starters::render(starter.id, &unnamed()).unwrap_or_default();
    let text: String = files.iter().map(|(_, text)| text.as_str()).collect();
    let tokenizer = counting::tokenizer(None, session.settings().model.as_deref());
    StarterView {
        id: starter.id.to_owned(),
        name: starter.title.to_owned(),
        description: starter.about.to_owned(),
        files: files.len() as u32,
        tokens: count_view(&counting::count(&mut session.engine().counter, &text, tokenizer)),
    }
}
