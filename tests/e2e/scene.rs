//! A machine with a workspace, and the window on it.

use std::fs;
use std::path::PathBuf;
use std::thread;

use product_tests::fixture::Machine;
use product_tests::vectors;
use product_tests::window::{Key, Launch, Size, Window, WindowError, wait_for};
use serde_json::{Value, json};

/// The file that the tests edit, as it is on disk at first: its line ends are not all alike, and its last line has
/// none, so that a save which tidied anything would show.
pub(crate) const USER: &str = "# Who I work for\r\n\n- **Name:** Juni\n- Language: Spanish";

/// A machine with a home, a global workspace and an installed app, and at most one window on it.
pub(crate) struct Scene {
    machine: Machine,
    window: Option<Window>,
    name: String,
    starts: u32,
}

impl Scene {
    /// A machine whose workspace holds the files that the target reads. The installed app is that of the channel
    /// vectors, whose texts are known.
    pub(crate) fn with_workspace() -> Self {
        let scene = Self::bare();
        for (name, text) in [
            ("SOUL.md", "# Miso\n\nA calm companion. Speaks plainly.\n"),
            ("USER.md", USER),
            ("AGENTS.md", "# Rules\n\n- Ask before anything leaves the machine.\n"),
            ("TOOLS.md", "# Tools\n\nThe calendar is read only.\n"),
            ("memory/MEMORY.md", "# Memory\n\n- 2025-03-01: likes tea at five.\n"),
            (
                "skills/tide-log/SKILL.md",
                "---\nname: tide-log\ndescription: Keeps the tides\n---\n\nWrite them down.\n",
            ),
        ] {
            scene.write(name, text);
        }
        scene
    }

    /// A machine on which nothing was ever started.
    pub(crate) fn bare() -> Self {
        Self::with_app("std")
    }

    /// A machine whose app has neither templates nor skills.
    pub(crate) fn with_bare_app() -> Self {
        Self::with_app("bare")
    }

    fn with_app(app: &str) -> Self {
        let machine = Machine::default();
        machine.lay_out(&json!({ "app": app }), &vectors::load("catbuddy/app_sets.json"));
        let name = thread::current().name().unwrap_or("window").replace("::", "-");
        Self { machine, window: None, name, starts: 0 }
    }

    /// Opens the window, with `arguments` besides those that name the home and the app.
    pub(crate) fn open(&mut self, arguments: &[&str]) {
        self.open_sized(arguments, Size { width: 1280, height: 800 });
    }

    /// Opens the window with the given size.
    pub(crate) fn open_sized(&mut self, arguments: &[&str], size: Size) {
        self.starts += 1;
        let text = |path: PathBuf| path.to_str().expect("a temporary folder's name is text").to_owned();
        let places = ["--home".to_owned(), text(self.machine.home()), "--app".to_owned(), text(self.machine.app())];
        let launch = Launch {
            program: std::env::var_os("CATBUDDY_WINDOW").expect("CATBUDDY_WINDOW names the built window").into(),
            arguments: places.into_iter().chain(arguments.iter().map(|&argument| argument.to_owned())).collect(),
            home: Some(self.machine.home()),
            log: failures().join(&self.name).join(format!("window-{}.log", self.starts)),
            size,
        };
        self.window = Some(Window::open(&launch).unwrap_or_else(|error| panic!("{error}")));
    }

    /// Opens the window on the machine's workspace and waits for its first preview.
    pub(crate) fn open_workspace(&mut self) {
        let workspace = self.workspace();
        self.open(&["--workspace", workspace.to_str().expect("a temporary folder's name is text")]);
        self.check(Window::wait_until_drawn);
    }

    /// The person's home.
    pub(crate) fn home(&self) -> PathBuf {
        self.machine.home()
    }

    /// A folder beside the home, for a project.
    pub(crate) fn project(&self) -> PathBuf {
        self.machine.project()
    }

    /// The workspace's folder.
    pub(crate) fn workspace(&self) -> PathBuf {
        self.machine.home().join(".catbuddy/workspace")
    }

    /// Writes a file of the workspace, as another program would: the whole of it, at once.
    pub(crate) fn write(&self, name: &str, text: &str) {
        self.write_bytes(name, text.as_bytes());
    }

    /// Writes a file of the workspace that need not be text.
    pub(crate) fn write_bytes(&self, name: &str, bytes: &[u8]) {
        let path = self.workspace().join(name);
        fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the folder can be made");
        fs::write(path, bytes).expect("the file can be written");
    }

    /// Takes a file of the workspace away.
    pub(crate) fn remove(&self, name: &str) {
        fs::remove_file(self.workspace().join(name)).expect("the file is there");
    }

    /// Puts a folder where a file of the workspace is expected.
    pub(crate) fn make_folder(&self, name: &str) {
        let path = self.workspace().join(name);
        if path.is_file() {
            self.remove(name);
        }
        fs::create_dir_all(path).expect("the folder can be made");
    }

    /// The bytes of a file of the workspace, as text.
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.workspace().join(name)).expect("the file can be read")
    }

    /// Waits until a file of the workspace holds exactly `text`.
    pub(crate) fn wait_for_file(&self, name: &str, text: &str) {
        let path = self.workspace().join(name);
        let holds = || fs::read_to_string(&path).is_ok_and(|now| now == text);
        wait_for(&format!("{name} to hold what it held"), || Ok(holds().then_some(())))
            .unwrap_or_else(|error| panic!("{error}"));
    }

    /// Does something with the window, which must not fail.
    pub(crate) fn check<T>(&self, act: impl FnOnce(&Window) -> Result<T, WindowError>) -> T {
        act(self.window.as_ref().expect("a window is open")).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Waits until `script`, an expression, is true in the page.
    pub(crate) fn wait_until(&self, what: &str, script: &str) {
        self.check(|window| window.wait_until(what, script));
    }

    /// Waits until the prompt on the right shows `text` in view.
    pub(crate) fn wait_for_prompt(&self, text: &str) {
        let script = format!("document.querySelector('[data-testid=preview]')?.innerText.includes({})", json!(text));
        self.wait_until(&format!("the prompt to show \"{text}\""), &script);
    }

    /// Waits until the open file is in `state`.
    pub(crate) fn wait_for_state(&self, state: &str) {
        let script = format!("document.querySelector('[data-testid=state-pill]')?.dataset.state === '{state}'");
        self.wait_until(&format!("the file to be {state}"), &script);
    }

    /// Waits until the editor's text holds `text` (line ends count as one LF).
    pub(crate) fn wait_for_editor(&self, text: &str) {
        let script = format!("document.querySelector('.cm-content')?.innerText.includes({})", json!(text));
        self.wait_until(&format!("the editor to show \"{text}\""), &script);
    }

    /// Clicks the element with this test id.
    pub(crate) fn click(&self, id: &str) {
        self.wait_until(&format!("{id} to be there"), &format!("document.querySelector('[data-testid=\"{id}\"]')"));
        self.check(|window| window.driver().click(&format!("[data-testid=\"{id}\"]")));
    }

    /// Opens a file of the workspace in the source editor.
    pub(crate) fn open_file(&self, name: &str, holds: &str) {
        self.click(&format!("nav-file-{name}"));
        self.press(&[Key::Control, Key::Character('2')]);
        self.wait_for_editor(holds);
    }

    /// Types `text` at the end of the open file.
    pub(crate) fn type_at_the_end(&self, text: &str) {
        self.check(|window| {
            window.driver().click(".cm-content")?;
            window.driver().press(&[Key::Control, Key::End])?;
            window.driver().type_into(".cm-content", text)
        });
    }

    /// Presses keys together.
    pub(crate) fn press(&self, keys: &[Key]) {
        self.check(|window| window.driver().press(keys));
    }

    /// The prompt that the shell assembles now for `channel`.
    pub(crate) fn prompt(&self, channel: &str) -> String {
        self.check(|window| window.preview(&json!({ "channel": channel }))).1
    }

    /// What `script`, the body of a function, returns in the page.
    pub(crate) fn ask(&self, script: &str) -> Value {
        self.check(|window| window.driver().run(script, &json!([])))
    }

    /// Keeps a picture of the window among the screens.
    pub(crate) fn picture(&self, name: &str) {
        let file = outcome().join("screens").join(format!("{name}.png"));
        self.check(|window| window.picture(&file));
    }

    /// Keeps `theme` in the settings, and shows it, as the next start does.
    pub(crate) fn choose_theme(&self, theme: &str) {
        let save = "
            const settings = await window.__TAURI_INTERNALS__.invoke('settings', { request: {} });
            await window.__TAURI_INTERNALS__.invoke('save_settings', { request: { ...settings, theme: arguments[0] } });
            document.documentElement.dataset.theme = arguments[0];
            return true";
        self.check(|window| window.driver().run_async::<bool>(save, &json!([theme])));
    }

    /// Waits until the history holds a draft with `text`: from then on it outlives the window.
    pub(crate) fn wait_for_stored_draft(&self, text: &str) {
        let file = self.machine.home().join(".catbuddy/workbench/history.db");
        let stored = || {
            let history = rusqlite::Connection::open(&file)?;
            let mut drafts = history.prepare("SELECT body FROM drafts WHERE encoding = 0")?;
            let bodies = drafts.query_map([], |row| row.get::<_, Vec<u8>>(0))?.collect::<Result<Vec<_>, _>>()?;
            Ok::<_, rusqlite::Error>(bodies.iter().any(|body| String::from_utf8_lossy(body).contains(text)))
        };
        wait_for("the draft to be stored", || Ok(stored().unwrap_or(false).then_some(())))
            .unwrap_or_else(|error| panic!("{error}"));
    }

    /// Closes the window.
    pub(crate) fn close(&mut self) {
        self.window = None;
    }

    /// Kills the window, as a power cut would.
    pub(crate) fn kill(&mut self) {
        let window = self.window.take().expect("a window is open");
        window.kill().unwrap_or_else(|error| panic!("{error}"));
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let folder = failures().join(&self.name);
        if !thread::panicking() {
            drop(fs::remove_dir_all(folder));
            return;
        }
        if let Some(window) = &self.window {
            drop(window.keep(&folder));
        }
        let log = self.machine.home().join(".catbuddy/workbench/log/workbench.log");
        drop(fs::copy(log, folder.join("workbench.log")));
    }
}

/// Where pictures and failures go.
fn outcome() -> PathBuf {
    std::env::var_os("CATBUDDY_OUTCOME").expect("CATBUDDY_OUTCOME names a folder for pictures and failures").into()
}

fn failures() -> PathBuf {
    outcome().join("e2e-failures")
}
