//! A temporary machine: sibling folders for home, project and app, laid out as a vector says.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use tempfile::TempDir;

/// Modification time of every file of a fixture, milliseconds since 1970 (vectors/catbuddy/README).
pub const MTIME_MS: u64 = 1_700_000_000_000;

/// Three sibling folders that go away with this value.
#[derive(Debug)]
pub struct Machine {
    root: TempDir,
}

impl Default for Machine {
    fn default() -> Self {
        let machine = Self { root: TempDir::with_prefix("cbw-test-").expect("a temporary folder") };
        for folder in ["home", "project", "app"] {
            fs::create_dir(machine.root().join(folder)).expect("a folder");
        }
        machine
    }
}

impl Machine {
    /// The parent of the three.
    pub fn root(&self) -> PathBuf {
        // A link in the temporary folder's own path would show in paths that are compared as text.
        self.root.path().canonicalize().expect("the folder is there")
    }

    /// The user's home.
    pub fn home(&self) -> PathBuf {
        self.root().join("home")
    }

    /// The project.
    pub fn project(&self) -> PathBuf {
        self.root().join("project")
    }

    /// The installed app's resources.
    pub fn app(&self) -> PathBuf {
        self.root().join("app")
    }

    /// Writes a file with the fixture's modification time.
    pub fn write(&self, path: &Path, bytes: &[u8]) {
        fs::create_dir_all(path.parent().expect("a file has a folder")).expect("a folder");
        fs::write(path, bytes).expect("a file");
        set_mtime(path);
    }

    /// Lays out a vector's case: files, generated files, links, app set and its patch.
    pub fn lay_out(&self, case: &Value, app_sets: &Value) {
        self.lay_out_app(case, app_sets);
        for (key, folder) in [("home_files", self.home()), ("project_files", self.project())] {
            for (name, content) in case[key].as_object().into_iter().flatten() {
                self.lay_out_file(&folder.join(name), content);
            }
        }
        for rule in case["generate"].as_array().into_iter().flatten() {
            for number in 0..rule["count"].as_u64().expect("a count") {
                let filled =
                    |text: &str| text.replace("{iii}", &format!("{number:03}")).replace("{i}", &number.to_string());
                let path = self.place(&filled(rule["path"].as_str().expect("a path")));
                self.write(&path, filled(rule["content"].as_str().expect("a content")).as_bytes());
            }
        }
        for link in case["symlinks"].as_array().into_iter().flatten() {
            let at = self.place(link["at"].as_str().expect("a place"));
            let to = link["to"].as_str().expect("a target");
            let to =
                if to.starts_with("home:") || to.starts_with("project:") { self.place(to) } else { PathBuf::from(to) };
            fs::create_dir_all(at.parent().expect("a link has a folder")).expect("a folder");
            symlink(to, at).expect("a link");
        }
    }

    fn lay_out_app(&self, case: &Value, app_sets: &Value) {
        let set = &app_sets["sets"][case["app"].as_str().unwrap_or("std")];
        let patch = case["app_patch"].as_object();
        for folder in ["templates", "skills"] {
            for (name, text) in set[folder].as_object().into_iter().flatten() {
                let relative = format!("{folder}/{name}");
                if !patch.is_some_and(|patch| patch.contains_key(&relative)) {
                    self.lay_out_file(&self.app().join(relative), text);
                }
            }
        }
        for (relative, text) in patch.into_iter().flatten().filter(|(_, text)| !text.is_null()) {
            self.lay_out_file(&self.app().join(relative), text);
        }
    }

    fn lay_out_file(&self, path: &Path, content: &Value) {
        if content.get("dir").is_some() {
            fs::create_dir_all(path).expect("a folder");
            set_mtime(path);
        } else {
            self.write(path, &bytes(content));
        }
    }

    /// The path of `home:x`, `project:x` or `app:x`.
    ///
    /// # Panics
    /// For any other text.
    pub fn place(&self, text: &str) -> PathBuf {
        let (root, relative) = text.split_once(':').expect("a root and a path");
        match root {
            "home" => self.home(),
            "project" => self.project(),
            "app" => self.app(),
            other => panic!("no such root: {other}"),
        }
        .join(relative)
    }

    /// Puts this machine's folders in the place of a vector's marks.
    pub fn real(&self, text: &str) -> String {
        text.replace("@@HOME@@", &self.home().to_string_lossy())
            .replace("@@PROJECT@@", &self.project().to_string_lossy())
            .replace("@@PARENT@@", &self.root().to_string_lossy())
    }

    /// Puts a vector's marks in the place of this machine's folders.
    pub fn marked(&self, text: &str) -> String {
        text.replace(&*self.home().to_string_lossy(), "@@HOME@@")
            .replace(&*self.project().to_string_lossy(), "@@PROJECT@@")
            .replace(&*self.root().to_string_lossy(), "@@PARENT@@")
    }
}

fn set_mtime(path: &Path) {
    let file = fs::File::open(path).expect("it was just made");
    file.set_modified(UNIX_EPOCH + Duration::from_millis(MTIME_MS)).expect("times can be set");
}

/// The bytes of a vector's file content: a text, `{b64}`, `{repeat: [text, n]}` or `{parts: […]}`.
///
/// # Panics
/// For any other shape.
pub fn bytes(content: &Value) -> Vec<u8> {
    if let Some(text) = content.as_str() {
        return text.as_bytes().to_vec();
    }
    if let Some(encoded) = content["b64"].as_str() {
        return STANDARD.decode(encoded).expect("base64");
    }
    if let Some([text, times]) = content["repeat"].as_array().map(Vec::as_slice) {
        let times = usize::try_from(times.as_u64().expect("a number")).expect("it fits");
        return text.as_str().expect("a text").repeat(times).into_bytes();
    }
    let parts = content["parts"].as_array().unwrap_or_else(|| panic!("no content: {content}"));
    parts.iter().flat_map(bytes).collect()
}
