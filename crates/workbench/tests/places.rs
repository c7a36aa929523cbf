//! Projects, settings and the switch of the global profile, as the window uses them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failed unwrap is a failed test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;
use workbench::api::{
    ErrorCode, FileRef, LastSeen, LayoutChoice, Nothing, OpenRequest, PreviewRequest, ProfileChoice, ProjectProblem,
    ProjectsChange, RootId, Settings, SkillOrder, TextChange, ThemeChoice, WorkspaceFolder,
};
use workbench::assembling::{self, Request};
use workbench::place::Place;
use workbench::window::{boot, documents, preview, projects, settings, workspace};
use workbench::{Session, SessionOptions};

struct Desk {
    home: TempDir,
    session: Arc<Session>,
}

impl Desk {
    fn new(files: &[(&str, &str)]) -> Self {
        let home = TempDir::with_prefix("cbw-places-").unwrap();
        for (name, text) in files {
            let path = home.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let session = start(&home.path().canonicalize().unwrap());
        Self { home, session }
    }

    fn path(&self, relative: &str) -> String {
        self.root().join(relative).to_string_lossy().into_owned()
    }

    fn root(&self) -> PathBuf {
        self.home.path().canonicalize().unwrap()
    }

    fn open(&self, project: &str) -> workbench::api::WorkspaceView {
        workspace::open(&self.session, OpenRequest::Project { path: self.path(project) }).unwrap()
    }

    fn prompt(&self) -> String {
        let framed = preview::preview(&self.session, PreviewRequest::default()).unwrap();
        String::from_utf8(framed.body).unwrap()
    }

    fn settings_file(&self) -> PathBuf {
        self.root().join(".catbuddy/workbench/settings.toml")
    }
}

fn start(home: &Path) -> Arc<Session> {
    let place = Place { home: home.to_owned(), ..Place::default() };
    Session::start(SessionOptions { place }, Box::new(|_| {}))
}

fn current(session: &Session) -> Settings {
    settings::settings(session, Nothing {}).unwrap()
}

const LAYERED: &[(&str, &str)] = &[
    (".catbuddy/workspace/USER.md", "Ines of the profile\n"),
    ("harbour/.catbuddy/USER.md", "Ines at the harbour\n"),
    ("harbour/.catbuddy/SOUL.md", "soul\n"),
];

#[test]
fn the_global_profile_is_switched_off_for_one_project_in_both_shells() {
    let desk = Desk::new(LAYERED);
    let view = desk.open("harbour");
    assert!(view.layered && !view.own_profile, "on when layered");
    assert!(desk.prompt().contains("Ines of the profile"));

    let file = FileRef { root: RootId::Workspace, path: "USER.md".into() };
    let version = documents::document(&desk.session, file.clone()).unwrap().head.version;
    let change = TextChange { from: 0, to: 0, insert: "Draft. ".into() };
    let edit = workbench::api::EditRequest { file, version, changes: vec![change] };
    documents::edit(&desk.session, edit).unwrap();

    let workspace = view.path.clone();
    projects::choose_profile(&desk.session, ProfileChoice { workspace: workspace.clone(), own: true }).unwrap();
    let prompt = desk.prompt();
    assert!(prompt.contains("Draft. Ines at the harbour") && !prompt.contains("of the profile"), "drafts stay");
    let framed = preview::preview(&desk.session, PreviewRequest::default()).unwrap();
    assert!(framed.head.findings.iter().any(|finding| finding.id == "profile-switch-ours"), "the app has no switch");
    assert!(workspace::workspace(&desk.session, Nothing {}).unwrap().own_profile);

    let request = |own_profile| {
        let place = Place { home: desk.root(), project: Some(desk.path("harbour")), own_profile, ..Place::default() };
        assembling::run(&Request { place, ..Request::default() }, None).unwrap().assembly.text()
    };
    assert!(request(None).contains("Ines at the harbour"), "the command line follows the setting");
    assert!(request(Some(false)).contains("Ines of the profile"), "and a flag beats it");

    projects::choose_profile(&desk.session, ProfileChoice { workspace, own: false }).unwrap();
    assert!(desk.prompt().contains("Ines of the profile"));
    assert!(!fs::read_to_string(desk.settings_file()).unwrap().contains("own_profile"));
}

#[test]
fn a_global_workspace_has_no_switch_to_throw() {
    let desk = Desk::new(LAYERED);
    let path = desk.path(".catbuddy/workspace");
    workspace::open(&desk.session, OpenRequest::Workspace { path: path.clone() }).unwrap();
    let before = desk.prompt();
    projects::choose_profile(&desk.session, ProfileChoice { workspace: path, own: true }).unwrap();
    let framed = preview::preview(&desk.session, PreviewRequest::default()).unwrap();
    assert_eq!(String::from_utf8(framed.body).unwrap(), before);
    assert!(framed.head.findings.iter().all(|finding| finding.id != "profile-switch-ours"));
}

#[test]
fn channel_variant_and_view_are_remembered_for_each_project() {
    let desk = Desk::new(&[("a/.catbuddy/SOUL.md", "a\n"), ("b/.catbuddy/SOUL.md", "b\n")]);
    desk.open("a");
    let chosen = Settings {
        channel: Some("telegram".into()),
        variant: Some("catbuddy-article".into()),
        ..current(&desk.session)
    };
    settings::save_settings(&desk.session, chosen).unwrap();
    let seen = LastSeen {
        file: Some(FileRef { root: RootId::Workspace, path: "SOUL.md".into() }),
        page: Some("skills".into()),
        view: Some("diff".into()),
    };
    projects::remember(&desk.session, seen.clone()).unwrap();
    let b = desk.open("b");
    assert_eq!((b.last_seen, current(&desk.session).channel), (LastSeen::default(), None));

    let again = start(&desk.root());
    let view = workspace::open(&again, OpenRequest::Project { path: desk.path("a") }).unwrap();
    assert_eq!(view.last_seen, seen);
    let settings = current(&again);
    assert_eq!(
        (settings.channel.as_deref(), settings.variant.as_deref()),
        (Some("telegram"), Some("catbuddy-article"))
    );
    let row = &projects::projects(&again, Nothing {}).unwrap().projects[0];
    assert_eq!((row.open, row.channel.as_deref()), (true, Some("telegram")));
}

#[test]
fn two_layouts_are_chosen_once_and_never_merged() {
    let desk = Desk::new(&[
        ("harbour/.catbuddy/SOUL.md", "outer soul\n"),
        ("harbour/.catbuddy/workspace/SOUL.md", "inner soul\n"),
        ("harbour/.catbuddy/workspace/TOOLS.md", "inner tools\n"),
    ]);
    let path = desk.path("harbour");
    let error = workspace::open(&desk.session, OpenRequest::Project { path: path.clone() }).unwrap_err();
    assert_eq!(error.code, ErrorCode::Ambiguous);
    let row = projects::projects(&desk.session, Nothing {}).unwrap().projects.remove(0);
    assert_eq!((row.problem, row.workspace), (Some(ProjectProblem::TwoLayouts), None));
    let held: Vec<_> = row.folders.iter().map(|folder| (folder.layout, folder.files.clone())).collect();
    let words = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    assert_eq!(
        held,
        [(LayoutChoice::Outer, words(&["SOUL.md"])), (LayoutChoice::Inner, words(&["SOUL.md", "TOOLS.md"]))]
    );
    assert!(row.folders.iter().all(|folder| folder.changed.is_some()));

    let choose = ProjectsChange::Choose { path: path.clone(), layout: LayoutChoice::Inner };
    assert_eq!(projects::change_projects(&desk.session, choose).unwrap().projects[0].problem, None);
    desk.open("harbour");
    let prompt = desk.prompt();
    assert!(prompt.contains("inner soul") && !prompt.contains("outer soul"));
    let place = Place { home: desk.root(), project: Some(path), ..Place::default() };
    let error = assembling::run(&Request { place, ..Request::default() }, None).unwrap_err();
    assert_eq!(error.code, ErrorCode::Ambiguous, "a script names the folder itself, by --workspace");
}

#[test]
fn a_project_without_files_gets_the_default_ones_and_nothing_is_written_over() {
    let desk = Desk::new(&[("harbour/.catbuddy/SOUL.md", "mine\n"), ("new/readme.txt", "x")]);
    let add = |path: &str| ProjectsChange::Add { path: desk.path(path) };
    projects::change_projects(&desk.session, add("harbour/.catbuddy")).unwrap();
    let list = projects::change_projects(&desk.session, add("new")).unwrap();
    assert_eq!(list.projects[0].path, desk.path("harbour"), "a workspace stands for its project");
    assert_eq!(list.projects[1].problem, Some(ProjectProblem::NoWorkspace));
    for row in list.projects {
        projects::make_files(&desk.session, WorkspaceFolder { path: row.workspace.unwrap() }).unwrap();
    }
    assert_eq!(fs::read_to_string(desk.path("harbour/.catbuddy/SOUL.md")).unwrap(), "mine\n");
    assert!(Path::new(&desk.path("new/.catbuddy/AGENTS.md")).is_file());
    let gone = workspace::open(&desk.session, OpenRequest::Project { path: desk.path("nowhere") }).unwrap_err();
    assert_eq!(gone.code, ErrorCode::NotFound);
    assert_eq!(projects::projects(&desk.session, Nothing {}).unwrap().projects.len(), 2, "it is not listed either");
}

#[test]
fn settings_come_back_and_unknown_keys_and_places_survive() {
    let desk = Desk::new(&[(
        ".catbuddy/workbench/settings.toml",
        "\u{feff}schema_version = 1\r\nfuture = [1, 2]\r\nmodel = \"m\"\r\n[places.\"/x\"]\r\nchannel = \"qq\"\r\nnew = 3\r\n",
    )]);
    let wanted = Settings {
        theme: ThemeChoice::Dark,
        language: Some("fr".into()),
        locale: Some("de".into()),
        skill_order: Some(SkillOrder::BuiltinFirst),
        model: None,
        history_days: Some(90),
        history_mib: Some(200),
        ..current(&desk.session)
    };
    assert_eq!(settings::save_settings(&desk.session, wanted.clone()).unwrap(), wanted);
    assert_eq!(current(&start(&desk.root())), wanted);
    let text: toml::Table = fs::read_to_string(desk.settings_file()).unwrap().parse().unwrap();
    assert_eq!(text["future"].as_array().unwrap().len(), 2);
    assert_eq!(
        (text["places"]["/x"]["channel"].as_str(), text["places"]["/x"]["new"].as_integer()),
        (Some("qq"), Some(3))
    );
    assert!(!text.contains_key("model"));
}

#[test]
fn settings_that_cannot_be_read_are_told_and_kept_beside_the_new_ones() {
    for damaged in [&b"theme = "[..], b"theme = \"sepia\"", b"\xff\xfe\x00", b"places = 3"] {
        let desk = Desk::new(&[]);
        let file = desk.settings_file();
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, damaged).unwrap();
        let session = start(&desk.root());
        let findings = boot::boot(&session, Nothing {}).unwrap().findings;
        assert!(findings.iter().any(|finding| finding.id == "settings-unreadable"), "{damaged:?}");
        assert_eq!((current(&session), fs::read(&file).unwrap()), (Settings::default(), damaged.to_vec()));
        settings::save_settings(&session, Settings { theme: ThemeChoice::Light, ..current(&session) }).unwrap();
        assert_eq!(fs::read(file.with_file_name("settings.unreadable-1.toml")).unwrap(), damaged);
        assert_eq!(current(&start(&desk.root())).theme, ThemeChoice::Light);
    }
}

#[test]
fn diagnostics_name_nobody() {
    let desk = Desk::new(LAYERED);
    desk.open("harbour");
    let about = settings::about(&desk.session, Nothing {}).unwrap();
    assert_eq!(about.folder, desk.path(".catbuddy/workbench"));
    for secret in [desk.path(""), "harbour".to_owned(), "Ines".to_owned(), "home".to_owned()] {
        assert!(!about.diagnostics.contains(&secret), "{secret}: {}", about.diagnostics);
    }
    assert!(about.diagnostics.starts_with("Catbuddy Workbench "), "{}", about.diagnostics);
}

#[test]
fn a_host_configuration_that_cannot_be_read_is_a_finding_of_the_window() {
    let desk = Desk::new(LAYERED);
    let config = desk.path(".catbuddy/config/config.json");
    fs::create_dir_all(Path::new(&config).parent().unwrap()).unwrap();
    fs::write(&config, br#"{"agents":{"defaults":{"disabledSkills":["ferry"]}}}"#).unwrap();
    let told = |view: workbench::api::WorkspaceView| -> Vec<String> {
        let findings = view.findings.into_iter().filter(|finding| finding.id == "config-unreadable");
        findings.map(|finding| finding.path.unwrap()).collect()
    };
    assert_eq!(told(desk.open("harbour")), [""; 0]);
    // A comma too many.
    fs::write(&config, br#"{"agents":{"defaults":{"disabledSkills":["ferry",]}}}"#).unwrap();
    assert_eq!(told(workspace::workspace(&desk.session, Nothing {}).unwrap()), [config]);
}
