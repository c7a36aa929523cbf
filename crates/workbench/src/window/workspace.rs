//! What is open: its folders, files, projects, channels and variants.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use model::{Assembly, Content, Entry, Finding, Folder, Snapshot, Source, Text, text};
use tokens::{Catalogue, Tokenizer};
use workspace::starters::{self, Words};
use workspace::{first_run, places, projects};

use crate::Session;
use crate::api::{
    ApiError, AppView, ChannelView, ErrorCode, FileItem, FileRef, FileState, IgnoredView, ModelView, Nothing,
    OpenRequest, ProjectView, RootId, RootView, VariantView, WorkspaceView,
};
use crate::assembling;
use crate::channels::CHANNELS;
use crate::counting;
use crate::kept_prompt;
use crate::machine::Machine;
use crate::place::{Place, text};
use crate::session::{Documents, Made, Mapping, Open, count_view, finding_view};
use crate::use_cases::check::{self, figures::Counted};
use crate::variants::Registry;
use crate::window::preview;

/// Providers whose models head the list.
const FIRST_PROVIDERS: &[&str] = &["anthropic", "openai", "gemini", "deepseek", "xai", "mistral"];

/// Opens a workspace, a project, the sample or a starter.
///
/// # Errors
/// When the folder is not there, a project is ambiguous, or a starter's files cannot be made.
pub fn open(session: &Session, request: OpenRequest) -> Result<WorkspaceView, ApiError> {
    let home = session.place.clone();
    match request {
        OpenRequest::Sample => {
            session.open_sample("Mica".to_owned(), starters::sample(&session.target, session.shipped.clone()));
        }
        OpenRequest::Workspace { path } => {
            open_place(session, Place { workspace: Some(path), project: None, ..home })?;
        }
        OpenRequest::Project { path } => {
            let path = super::projects::project_folder(&path);
            let is_there = Path::new(&path).is_dir();
            if let Some(error) = is_there.then(|| projects::add(session.home(), &path, None).err()).flatten() {
                tracing::warn!(%error, "the project is opened without being listed");
            }
            let workspace = super::projects::chosen_workspace(session, &path);
            open_place(session, Place { workspace, project: Some(path), ..home })?;
        }
        OpenRequest::Starter { id } => {
            make_starter(session, &id)?;
            open_place(session, Place { workspace: None, project: None, ..home })?;
        }
    }
    workspace(session, Nothing {})
}

/// Opens what is open again, as after a change of the app's folder.
pub(crate) fn reopen(session: &Session) -> Result<(), ApiError> {
    let place = session.opened().as_ref().filter(|open| !open.sample).map(|open| open.place.clone());
    place.map_or(Ok(()), |place| open_place(session, place))
}

fn open_place(session: &Session, place: Place) -> Result<(), ApiError> {
    let machine = Machine::here();
    let context = preview::context(session, &place, None)?.merged();
    let resolved = place.resolve(&session.settings(), &context, &machine, &session.target)?;
    let folder = place.project.as_deref().unwrap_or(&resolved.workspace);
    if (place.workspace.is_some() || place.project.is_some()) && !Path::new(folder).is_dir() {
        return Err(ApiError::new(ErrorCode::NotFound, text!("error-no-folder", folder)).with("path", folder));
    }
    let name = name_of(&place, &resolved.workspace, &resolved.global);
    let last = resolved.workspace.clone();
    session.open_places(name, place, resolved);
    session.change_settings(|settings| settings.last_workspace = Some(last))?;
    Ok(())
}

/// The project's name, or what kind of workspace it is.
fn name_of(place: &Place, workspace: &str, global: &str) -> String {
    if workspace == global {
        return "Global profile".to_owned();
    }
    let folder = place.project.clone().unwrap_or_else(|| {
        let path = Path::new(workspace);
        let below = |path: &Path| path.file_name().is_some_and(|name| name == ".catbuddy");
        let parent = path.parent().unwrap_or(path);
        let root = if below(path) {
            parent
        } else if below(parent) {
            parent.parent().unwrap_or(parent)
        } else {
            path
        };
        text(root)
    });
    Path::new(&folder).file_name().map_or(folder.clone(), |name| name.to_string_lossy().into_owned())
}

/// What a starter is made with before the person has filled anything in.
pub(crate) fn unnamed() -> Words {
    Words { companion: String::new(), person: String::new(), language: String::new() }
}

fn make_starter(session: &Session, id: &str) -> Result<(), ApiError> {
    let folder = text(&places::global_workspace(session.home()));
    let plan = starters::plan(id, &unnamed(), &folder)
        .map_err(|error| ApiError::english(ErrorCode::NotFound, format!("{error}.")).with("id", id))?;
    first_run::carry_out(&plan)
        .map_err(|error| ApiError::english(ErrorCode::Failed, error.to_string()).with("path", folder))?;
    Ok(())
}

/// The open workspace as it is now.
///
/// # Errors
/// [`ErrorCode::NotFound`] when none is open.
pub fn workspace(session: &Session, _: Nothing) -> Result<WorkspaceView, ApiError> {
    let request = session.engine().last_request.clone().unwrap_or_default();
    let made = preview::make(session, &request)?;
    // Taken under the lock and looked at outside it: a key press never waits for lints.
    let desk = session.with_open(|open| Ok(Desk::of(open)))?;
    Ok(view(session, &desk, &made))
}

/// What is open, at one moment.
struct Desk {
    name: String,
    place: Place,
    sample: bool,
    watching: bool,
    revision: u32,
    snapshot: Arc<Snapshot>,
    documents: Documents,
    restored: Vec<FileRef>,
    findings: Vec<Finding>,
    registry: Registry,
}

impl Desk {
    fn of(open: &Open) -> Self {
        Self {
            name: open.name.clone(),
            place: open.place.clone(),
            sample: open.sample,
            // Nobody else can change the sample, so nothing needs to be watched.
            watching: open.sample || open.watching.as_ref().is_some_and(|watching| watching.finding().is_none()),
            revision: open.revision,
            snapshot: open.overlay(),
            documents: open.documents.clone(),
            restored: open.drafts_back().cloned().collect(),
            findings: open.findings.clone(),
            registry: open.registry.clone(),
        }
    }
}

fn view(session: &Session, desk: &Desk, made: &Made) -> WorkspaceView {
    let Made { assembly, tokenizer, .. } = made;
    let snapshot = &desk.snapshot;
    let mapping = Mapping::of(snapshot);
    let injected: HashSet<&str> = assembly
        .sections
        .iter()
        .flat_map(|section| section.spans.iter())
        .filter_map(|span| match &span.source {
            Source::File { path, .. } => Some(&**path),
            _ => None,
        })
        .collect();
    let listing = Listing { session, desk, assembly, injected, tokenizer: *tokenizer };
    let mut roots = Vec::new();
    if mapping.layered() {
        roots.push(listing.root(RootId::Workspace, &desk.name, &snapshot.workspace));
    }
    roots.push(listing.root(RootId::Global, "Global profile", &snapshot.global));
    let target = session.target_for(&snapshot.places);
    let inputs = prompt::Inputs {
        snapshot,
        variant: &made.variant,
        target,
        context: &made.context,
        attachments: &prompt::Attachments::new(),
    };
    let mut findings = check::all(snapshot, target, assembly);
    check::figures::add(&mut findings, &inputs, &Counted { assembly, counts: &made.counts, tokenizer: *tokenizer });
    findings.extend(check::again::without_hint(&inputs, assembly));
    findings.extend(assembling::other_layout(&snapshot.places, target).filter(|_| !desk.sample));
    if !desk.sample {
        findings.extend(desk.place.configured_disabled_skills().findings);
    }
    findings.extend(kept_prompt::findings(session.history.as_deref(), snapshot, assembly));
    let findings = check::ordered(findings);
    let drafts_finding = session.drafts_finding().filter(|_| !desk.sample);
    let own_findings = desk.registry.findings.iter().chain(&desk.findings).chain(&drafts_finding);
    WorkspaceView {
        name: desk.name.clone(),
        path: snapshot.places.workspace.clone(),
        sample: desk.sample,
        layered: mapping.layered(),
        revision: desk.revision,
        roots,
        app: AppView { installed: snapshot.places.app.is_some(), path: snapshot.places.app.clone() },
        ignored: ignored(snapshot, &mapping),
        projects: project_views(session, desk),
        own_profile: session.target_for(&snapshot.places).own_profile,
        last_seen: session.open_folder().map(|folder| session.kept().of(&folder).last_seen).unwrap_or_default(),
        channels: CHANNELS.iter().map(|&(id, label)| ChannelView { id: id.into(), label: label.into() }).collect(),
        variants: desk
            .registry
            .known
            .values()
            .map(|known| VariantView {
                id: known.variant.id.clone(),
                version: known.variant.version,
                description: known.variant.description.clone(),
            })
            .collect(),
        models: model_views(),
        findings: own_findings.chain(&findings).map(|finding| finding_view(finding, Some(&mapping))).collect(),
        watching: desk.watching,
        restored: desk.restored.clone(),
    }
}

/// What the list of files is made from.
struct Listing<'a> {
    session: &'a Session,
    desk: &'a Desk,
    assembly: &'a Assembly,
    injected: HashSet<&'a str>,
    tokenizer: Tokenizer,
}

impl Listing<'_> {
    fn root(&self, id: RootId, label: &str, folder: &Folder) -> RootView {
        let target = &self.session.target;
        let bootstrap = target.bootstrap.iter().map(|file| (&file.name, "bootstrap"));
        let memory = [(&target.memory, "memory")];
        let mut files: Vec<FileItem> = bootstrap
            .chain(memory)
            .filter_map(|(name, group)| Some(self.item(id, name, name, group, folder.entry(name)?)))
            .collect();
        for skill in &folder.skills {
            let path = format!("{}/{}/{}", target.skills, skill.name, target.skill_file);
            files.push(self.item(id, &path, &skill.name, "skill", &skill.file));
        }
        self.add_strays(id, &mut files);
        RootView { id, label: label.to_owned(), path: folder.path.clone(), files }
    }

    /// Drafts of files that the target does not look for any more: they stay within reach.
    fn add_strays(&self, root: RootId, files: &mut Vec<FileItem>) {
        for (file, document) in self.desk.documents.all() {
            let listed = files.iter().any(|item| item.path == file.path);
            if file.root == root && document.is_draft() && !listed {
                let entry = Entry::missing(Arc::clone(&document.path));
                let mut item = self.item(root, &file.path, &file.path, "bootstrap", &entry);
                item.note = Some(text!("note-only-draft"));
                files.push(item);
            }
        }
    }

    fn item(&self, root: RootId, path: &str, label: &str, group: &str, entry: &Entry) -> FileItem {
        let file = FileRef { root, path: path.to_owned() };
        let document = self.desk.documents.get(&file);
        let state = document.map_or_else(|| state_of(entry), crate::session::Document::state);
        let known = matches!(entry.content, Content::File(_));
        FileItem {
            path: path.to_owned(),
            label: label.to_owned(),
            group: group.to_owned(),
            state,
            tokens: known.then(|| {
                count_view(&counting::count(&mut self.session.engine().counter, entry.text(), self.tokenizer))
            }),
            injected: self.injected.contains(&*entry.path),
            note: self.note(entry),
        }
    }

    /// Why a file is not in the prompt, or what is special about it.
    fn note(&self, entry: &Entry) -> Option<Text> {
        let skipped = self.assembly.skipped.iter().find(|skipped| skipped.path.as_deref() == Some(&*entry.path));
        let skill = self.assembly.skills.iter().find(|skill| skill.path == *entry.path);
        skipped
            .map(|skipped| skipped.detail.clone())
            .or_else(|| skill.and_then(|skill| skill.reason.clone()))
            .or_else(|| entry.link.as_ref().map(|link| text!("note-link", to = &link.text)))
    }
}

fn state_of(entry: &Entry) -> FileState {
    match &entry.content {
        Content::Missing if entry.link.is_some() => FileState::Error,
        Content::Missing => FileState::Missing,
        Content::File(source) if source.decoded().first_bad_offset().is_some() => FileState::ReadOnly,
        Content::File(_) => FileState::Saved,
        Content::Folder | Content::Special(_) | Content::Unreadable(_) => FileState::Error,
    }
}

fn ignored(snapshot: &Snapshot, mapping: &Mapping) -> Vec<IgnoredView> {
    let of = |root, folder: &Folder| {
        folder
            .ignored
            .iter()
            .map(move |ignored| IgnoredView {
                root,
                path: ignored.relative.clone(),
                reason: ignored.reason.clone(),
                near: ignored.near.clone(),
            })
            .collect::<Vec<_>>()
    };
    let mut views = if mapping.layered() { of(RootId::Workspace, &snapshot.workspace) } else { Vec::new() };
    views.extend(of(RootId::Global, &snapshot.global));
    views
}

fn project_views(session: &Session, desk: &Desk) -> Vec<ProjectView> {
    let listed = projects::list(session.home()).value;
    let workspace = session.open_folder();
    let own = |folder: &Path| ["", "/workspace"].map(|inner| format!("{}/.catbuddy{inner}", text(folder)));
    listed
        .into_iter()
        .map(|project| {
            let folder = Path::new(&project.path);
            let name = folder.file_name().map_or(project.path.clone(), |name| name.to_string_lossy().into_owned());
            ProjectView {
                name: project.name.clone().unwrap_or(name),
                problem: (!folder.is_dir()).then(|| "The folder is not there.".to_owned()),
                open: desk.place.project.as_deref() == Some(&*project.path)
                    || workspace.as_ref().is_some_and(|workspace| own(folder).contains(workspace)),
                path: project.path,
            }
        })
        .collect()
}

/// Every model of the catalogue, the well-known providers' first.
fn model_views() -> Vec<ModelView> {
    let rank = |provider: &str| FIRST_PROVIDERS.iter().position(|first| *first == provider).unwrap_or(usize::MAX);
    let mut models: Vec<ModelView> = Catalogue::embedded()
        .models()
        .iter()
        .map(|row| ModelView { id: row.id.clone(), provider: row.provider.clone(), window: row.context })
        .collect();
    models.sort_by(|a, b| (rank(&a.provider), &a.provider, &a.id).cmp(&(rank(&b.provider), &b.provider, &b.id)));
    // The catalogue lists some ids twice.
    models.dedup_by(|a, b| (&a.provider, &a.id) == (&b.provider, &b.id));
    models
}
