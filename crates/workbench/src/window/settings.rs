//! The settings, and what the settings screen says about this installation.

use std::fmt::Write as _;
use std::path::Path;

use history::{Pruned, Share, Usage};
use jiff::Timestamp;

use crate::api::{
    AboutView, ApiError, AppFound, ErrorCode, HistoryShare, HistoryUsage, Nothing, RetentionRequest, RetentionView,
    Settings,
};
use crate::place::text;
use crate::session::limits_of;
use crate::{Session, settings, variants};

/// The settings as they are for what is open: a workspace's own channel and variant stand in place of the general ones.
///
/// # Errors
/// None; the signature is that of every command.
pub fn settings(session: &Session, _: Nothing) -> Result<Settings, ApiError> {
    Ok(effective(session))
}

/// See [`settings`].
pub(crate) fn effective(session: &Session) -> Settings {
    let mut shown = session.settings();
    if let Some(folder) = session.open_folder() {
        let choices = session.kept().of(&folder);
        shown.channel = choices.channel.or(shown.channel);
        shown.variant = choices.variant.or(shown.variant);
    }
    shown
}

/// Keeps the settings; channel and variant for the open workspace alone, when one is open. What is open is read again
/// when the app changed.
///
/// # Errors
/// When the file cannot be written; nothing is changed then.
pub fn save_settings(session: &Session, wanted: Settings) -> Result<Settings, ApiError> {
    let before = effective(session);
    let folder = session.open_folder();
    session.change_kept(|kept| {
        let general = kept.settings.clone();
        // Which workspace was open last is the session's to say.
        kept.settings = Settings { last_workspace: general.last_workspace.clone(), ..wanted.clone() };
        let Some(folder) = folder else { return };
        let choices = kept.places.entry(folder).or_default();
        if wanted.channel != before.channel {
            choices.channel.clone_from(&wanted.channel);
        }
        if wanted.variant != before.variant {
            let plain = || general.variant.is_some().then(|| variants::DEFAULT.to_owned());
            choices.variant = wanted.variant.clone().or_else(plain);
        }
        kept.settings.channel = general.channel;
        kept.settings.variant = general.variant;
    })?;
    if wanted.app != before.app {
        super::workspace::reopen(session)?;
    }
    Ok(effective(session))
}

/// What the settings screen says about this installation.
///
/// # Errors
/// None; the signature is that of every command.
pub fn about(session: &Session, _: Nothing) -> Result<AboutView, ApiError> {
    let home = session.home();
    let folder = settings::own_folder(home);
    let size = std::fs::metadata(settings::history_path(home)).map_or(0, |file| file.len());
    let usage = session.history.as_ref().and_then(|history| {
        history.usage().inspect_err(|error| tracing::warn!(%error, "the sizes in the history are not known")).ok()
    });
    Ok(AboutView {
        log: text(&folder.join("log")),
        folder: text(&folder),
        history_bytes: size,
        history: usage.map(usage_view),
        diagnostics: diagnostics(session, size),
        app: session.place.app.clone().or(session.settings().app).map(|app| app_found(session, app)),
    })
}

fn usage_view(usage: Usage) -> HistoryUsage {
    let view =
        |share: Share| HistoryShare { count: u32::try_from(share.count).unwrap_or(u32::MAX), bytes: share.bytes };
    HistoryUsage {
        assemblies: view(usage.assemblies),
        versions: view(usage.versions),
        drafts: view(usage.drafts),
        other: usage.other,
    }
}

/// What limits would remove from the history now. Nothing is removed.
///
/// # Errors
/// When the history cannot be read. Without one nothing goes.
pub fn retention_preview(session: &Session, request: RetentionRequest) -> Result<RetentionView, ApiError> {
    let limits = limits_of(request.history_days, request.history_mib, Timestamp::now());
    let pruned = match &session.history {
        None => Pruned::default(),
        Some(history) => {
            history.prune_preview(&limits).map_err(|error| ApiError::english(ErrorCode::Failed, format!("{error}.")))?
        }
    };
    let number = |count| u32::try_from(count).unwrap_or(u32::MAX);
    Ok(RetentionView { assemblies: number(pruned.assemblies), versions: number(pruned.versions) })
}

fn app_found(session: &Session, app: String) -> AppFound {
    let folder = Path::new(&app);
    let (found, missing): (Vec<_>, Vec<_>) =
        session.target.templates.iter().partition(|name| folder.join("templates").join(name).is_file());
    let skill = |folder: &std::fs::DirEntry| folder.path().join(&session.target.skill_file).is_file();
    let skills = std::fs::read_dir(folder.join("skills")).map_or(0, |all| all.flatten().filter(skill).count());
    AppFound {
        templates: found.len() as u32,
        skills: skills as u32,
        missing: missing.into_iter().cloned().collect(),
        path: app,
    }
}

/// Facts for a report: numbers and words of the program's own. No name, no path, no text of the person's.
fn diagnostics(session: &Session, history_bytes: u64) -> String {
    let kept = session.kept();
    let set = |value: bool| if value { "set" } else { "not set" };
    let settings = &kept.settings;
    let mut text = String::new();
    // Writing to a String never fails.
    let _ = writeln!(text, "Catbuddy Workbench {}", env!("CARGO_PKG_VERSION"));
    let _ = writeln!(text, "system: {} {}", std::env::consts::OS, std::env::consts::ARCH);
    let _ = writeln!(text, "language: {}", settings.language.as_deref().unwrap_or("the desktop's"));
    let _ = writeln!(text, "app folder: {}", set(settings.app.is_some() || session.place.app.is_some()));
    let _ = writeln!(text, "collation: {}", set(settings.locale.is_some()));
    let _ = writeln!(text, "model: {}", set(settings.model.is_some()));
    let _ = writeln!(text, "places remembered: {}", kept.places.len());
    let _ =
        writeln!(text, "history: {history_bytes} bytes, {}", if session.history.is_some() { "open" } else { "off" });
    if let Some(open) = session.opened().as_ref() {
        let snapshot = open.overlay();
        let files = snapshot.entries().count();
        let bytes: usize = snapshot.entries().filter_map(|entry| entry.source()).map(|file| file.bytes.len()).sum();
        let _ = writeln!(text, "open: {files} entries, {bytes} bytes, sample {}", open.sample);
        let _ = writeln!(text, "watching: {}", open.watching.is_some());
    }
    let mut ids: Vec<&str> = session.findings().iter().map(|finding| &*finding.id).collect();
    ids.sort_unstable();
    let _ =
        writeln!(text, "findings at the start: {}", if ids.is_empty() { "none".to_owned() } else { ids.join(", ") });
    text
}
