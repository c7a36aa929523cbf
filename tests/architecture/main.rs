//! Holds the invariants of ARCHITECTURE.md that can be read off manifests and imports.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "what cannot be read fails the test")]

mod findings;
mod reports;
mod texts;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Crates that do no I/O (invariant 2).
const PURE: &[&str] = &["model", "prompt", "tokens"];

/// Crates that exist to reach a disk, a network, another process or a database.
const IO: &[&str] = &[
    "async-std",
    "dirs",
    "dirs-sys",
    "fs4",
    "ignore",
    "libsqlite3-sys",
    "mio",
    "notify",
    "reqwest",
    "rusqlite",
    "rustix",
    "socket2",
    "tempfile",
    "tokio",
    "ureq",
    "walkdir",
    "workspace",
    "xattr",
];

#[test]
fn no_crate_depends_on_tauri() {
    let locked = Locked::read();
    for name in crates() {
        let window: Vec<_> =
            locked.behind(&locked.of(&name)).into_iter().filter(|name| belongs_to_tauri(name)).collect();
        assert_eq!(window, Vec::<String>::new(), "`{name}` reaches the window; that belongs into src-tauri");
    }
    assert!(
        locked.behind(&locked.of("catbuddy-workbench")).iter().any(|name| belongs_to_tauri(name)),
        "the desktop shell stands on Tauri; when it is not found there, this test is blind"
    );
}

#[test]
fn pure_crates_depend_on_nothing_that_does_io() {
    let locked = Locked::read();
    for &name in PURE {
        let found: Vec<_> =
            locked.behind(&own_dependencies(name)).into_iter().filter(|name| IO.contains(&name.as_str())).collect();
        assert_eq!(found, Vec::<String>::new(), "`{name}` is pure: what it reads comes in as an argument");
    }
    let workspace = locked.behind(&own_dependencies("workspace"));
    assert!(workspace.contains("notify"), "`workspace` watches folders; when that is not found, this test is blind");
}

/// Files outside of `workspace` that write something, none of it a user's (invariant 3).
const OWN_WRITERS: &[&str] = &[
    "history/src/migrations.rs",   // a copy of the database, before it is changed
    "history/src/presence.rs",     // a lock that tells other windows that this one is alive
    "workbench/src/api/export.rs", // generated TypeScript; compiled for tests alone
    "workbench/src/settings.rs",   // the workbench's own settings and contexts
];

#[test]
fn only_workspace_writes_user_files() {
    let folder = root().join("crates");
    let calls = ["fs::write(", "fs::rename(", "File::create", "File::options(", "OpenOptions::new("];
    let mut writers: Vec<String> = Vec::new();
    for file in files_below(&folder) {
        let name = file.strip_prefix(&folder).unwrap().to_string_lossy().into_owned();
        let rust = file.extension().is_some_and(|extension| extension == "rs");
        if rust && name.contains("/src/") && !name.contains("/tests") && !name.starts_with("workspace/") {
            let source = fs::read_to_string(&file).unwrap();
            let source = source.split("#[cfg(test)]\nmod tests").next().unwrap();
            if calls.iter().any(|call| source.contains(call)) {
                writers.push(name);
            }
        }
    }
    writers.sort();
    assert_eq!(writers, OWN_WRITERS, "a user's file is written by `workspace::save` and by nothing else");
}

#[test]
fn one_file_of_the_front_end_knows_tauri() {
    let folder = root().join("ui/src");
    let importers: Vec<PathBuf> = files_below(&folder)
        .into_iter()
        .filter(|file| fs::read(file).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains("@tauri-apps/")))
        .map(|file| file.strip_prefix(&folder).unwrap().to_owned())
        .collect();
    assert_eq!(importers, [Path::new("backend/tauri.ts")]);
}

#[test]
fn the_front_end_has_the_version_of_the_rest() {
    let package: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(root().join("ui/package.json")).unwrap()).unwrap();
    assert_eq!(package["version"], env!("CARGO_PKG_VERSION"));
    let window: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(root().join("tauri.conf.json")).unwrap()).unwrap();
    assert_eq!(window["version"], serde_json::Value::Null, "Tauri takes Cargo's version when it has none of its own");
}

/// What `Cargo.lock` says: each package by name, with the names of what it depends on. Two versions of one name are
/// one package here, which can only make the reach of a crate larger.
struct Locked(BTreeMap<String, BTreeSet<String>>);

impl Locked {
    fn read() -> Self {
        let lock = toml(&root().join("Cargo.lock"));
        let mut packages: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for package in lock["package"].as_array().unwrap() {
            let dependencies = package.get("dependencies").and_then(toml::Value::as_array).cloned().unwrap_or_default();
            // "name", or "name version" where there are several.
            let names = dependencies.iter().map(|name| name.as_str().unwrap().split(' ').next().unwrap().to_owned());
            packages.entry(package["name"].as_str().unwrap().to_owned()).or_default().extend(names);
        }
        Self(packages)
    }

    /// What the package depends on itself.
    fn of(&self, name: &str) -> BTreeSet<String> {
        self.0.get(name).cloned().unwrap_or_else(|| panic!("Cargo.lock does not know `{name}`"))
    }

    /// `names` and everything behind them.
    fn behind(&self, names: &BTreeSet<String>) -> BTreeSet<String> {
        let mut reached = BTreeSet::new();
        let mut waiting: Vec<String> = names.iter().cloned().collect();
        while let Some(name) = waiting.pop() {
            if reached.insert(name.clone()) && !PURE.contains(&name.as_str()) {
                waiting.extend(self.of(&name));
            }
        }
        reached
    }
}

fn belongs_to_tauri(name: &str) -> bool {
    name == "wry" || name == "tao" || name == "tauri" || name.starts_with("tauri-")
}

/// Names of the crates below `crates/`.
fn crates() -> Vec<String> {
    let folders = fs::read_dir(root().join("crates")).unwrap();
    folders.map(|folder| folder.unwrap().file_name().into_string().unwrap()).collect()
}

/// What the crate's own code depends on, without its tests and benchmarks, which the lock file does not tell apart.
fn own_dependencies(name: &str) -> BTreeSet<String> {
    let manifest = toml(&root().join("crates").join(name).join("Cargo.toml"));
    manifest["dependencies"].as_table().unwrap().keys().cloned().collect()
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files.extend(files_below(&path)) } else { files.push(path) }
    }
    files
}

fn toml(path: &Path) -> toml::Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
