//! The program, started in a home of its own.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::{Display, Driver, Size, WindowError, wait_for};

/// What to start, and where.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The built window.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The home of everything that is started; `None` leaves the person's own.
    pub home: Option<PathBuf>,
    /// Where the output of the program and of the WebDriver goes.
    pub log: PathBuf,
    /// Size of the display, which the window fills.
    pub size: Size,
}

/// An open window on its own display.
#[derive(Debug)]
pub struct Window {
    // In the order in which they must end.
    driver: Driver,
    display: Display,
}

impl Window {
    /// Opens the window and waits until its page runs.
    ///
    /// # Errors
    /// When a program is missing, or no window appears.
    pub fn open(launch: &Launch) -> Result<Self, WindowError> {
        let display = Display::start(launch.size)?;
        if let Some(folder) = launch.log.parent() {
            fs::create_dir_all(folder)?;
        }
        let log = File::create(&launch.log)?;
        let errors = log.try_clone()?;
        let driver = Driver::start(&launch.program, &launch.arguments, |command| {
            surroundings(command, launch.home.as_deref()).env("DISPLAY", display.name()).stdout(log).stderr(errors)
        })?;
        let window = Self { driver, display };
        window.driver.resize(launch.size)?;
        Ok(window)
    }

    /// Speaks to the page.
    pub fn driver(&self) -> &Driver {
        &self.driver
    }

    /// Waits until `script`, an expression, is true in the page. `what` names the condition in the error.
    ///
    /// # Errors
    /// [`WindowError::Patience`] when it never is.
    pub fn wait_until(&self, what: &str, script: &str) -> Result<(), WindowError> {
        let script = format!("return Boolean({script})");
        wait_for(what, || Ok(self.driver.run::<bool>(&script, &json!([]))?.then_some(())))
    }

    /// Waits until the first preview is drawn: the page says so in its root's `data-ready`.
    ///
    /// # Errors
    /// [`WindowError::Patience`] when it never is.
    pub fn wait_until_drawn(&self) -> Result<(), WindowError> {
        self.wait_until("the preview to be drawn", "document.documentElement.dataset.ready === 'preview'")
    }

    /// A preview, asked for by the page's own way to the shell: its head, and the texts of its sections in a row.
    ///
    /// # Errors
    /// When the command fails, or its answer does not cross as raw bytes: an `ArrayBuffer` of a length, that many
    /// bytes of JSON, and the texts.
    pub fn preview(&self, request: &Value) -> Result<(Value, String), WindowError> {
        let script = "
            const answer = await window.__TAURI_INTERNALS__.invoke('preview', { request: arguments[0] });
            if (!(answer instanceof ArrayBuffer)) throw new Error(`not an ArrayBuffer: ${answer?.constructor?.name}`);
            const length = new DataView(answer).getUint32(0, true);
            const text = (bytes) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
            return [JSON.parse(text(new Uint8Array(answer, 4, length))), text(new Uint8Array(answer, 4 + length))]";
        self.driver.run_async(script, &json!([request]))
    }

    /// Writes what the display shows to `file`, once the page has painted what it holds.
    ///
    /// # Errors
    /// When it cannot be taken or written.
    pub fn picture(&self, file: &Path) -> Result<(), WindowError> {
        // Two frames: the first may have been composed before the last change, and only the second has begun the
        // transitions that follow from it. Those reach their end (a blinking caret never does), and are painted.
        let painted =
            "const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
            const ends = (animation) => animation.effect?.getComputedTiming().iterations !== Infinity;
            await document.fonts.ready;
            await frames();
            await Promise.all(document.getAnimations().filter(ends).map((animation) => animation.finished));
            await frames();
            return true";
        self.driver.run_async::<bool>(painted, &json!([]))?;
        self.display.picture(file)
    }

    /// Kills the program as a power cut would: without a word.
    ///
    /// # Errors
    /// When it does not run, or does not end.
    pub fn kill(self) -> Result<(), WindowError> {
        let parent = self.driver.process_id();
        let child = wait_for("the program", || Ok(child_of(parent)))?;
        let killed = Command::new("kill").args(["-KILL", &child.to_string()]).status()?;
        if !killed.success() {
            return Err(WindowError::Patience { what: format!("process {child} to be killed") });
        }
        Ok(())
    }

    /// Waits until the page has no edit and no preview under way, and has painted.
    ///
    /// # Errors
    /// When the page does not answer.
    pub fn settle(&self) -> Result<(), WindowError> {
        let script = "
            const frames = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)));
            await frames();
            await frames();
            return true";
        self.driver.run_async::<bool>(script, &json!([])).map(drop)
    }

    /// Anonymous memory of the program itself, without WebKit's own processes, in KiB.
    ///
    /// # Errors
    /// When it does not run, or the system does not tell.
    pub fn anonymous_kib(&self) -> Result<u64, WindowError> {
        let parent = self.driver.process_id();
        let child = wait_for("the program", || Ok(child_of(parent)))?;
        let status = fs::read_to_string(format!("/proc/{child}/status"))?;
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
        let number = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
        number.ok_or_else(|| WindowError::Patience { what: "the program's memory".to_owned() })
    }

    /// Keeps what shows why a test failed: the picture of the display, the page, and whether the shell still answers.
    ///
    /// # Errors
    /// When neither can be had; the log stands beside them already.
    pub fn keep(&self, folder: &Path) -> Result<(), WindowError> {
        fs::create_dir_all(folder)?;
        let shown = self.display.picture(&folder.join("window.png"));
        let page: String = self.driver.run("return document.documentElement.outerHTML", &json!([]))?;
        fs::write(folder.join("page.html"), page)?;
        fs::write(folder.join("preview.txt"), format!("{:#?}", self.preview(&json!({}))))?;
        shown
    }
}

/// Sets what the program finds around it: no session bus (a second window would find the first there), no
/// desktop settings, and drawing that a display without a graphics card can do.
fn surroundings<'a>(command: &'a mut Command, home: Option<&Path>) -> &'a mut Command {
    command
        .env("TAURI_WEBVIEW_AUTOMATION", "true")
        .env("WEBKIT_DISABLE_COMPOSITING_MODE", "1")
        .env("GDK_BACKEND", "x11")
        .env("GSETTINGS_BACKEND", "memory")
        .env("NO_AT_BRIDGE", "1")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("DBUS_SESSION_BUS_ADDRESS");
    if let Some(home) = home {
        command
            .env("HOME", home)
            .env("XDG_CONFIG_HOME", home.join(".config"))
            .env("XDG_CACHE_HOME", home.join(".cache"))
            .env("XDG_DATA_HOME", home.join(".local/share"))
            .env("XDG_RUNTIME_DIR", home)
            .env("TZ", "UTC")
            .env_remove("CATBUDDY_HOME");
    }
    command
}

/// The process whose parent is `parent`.
fn child_of(parent: u32) -> Option<u32> {
    let processes = fs::read_dir("/proc").ok()?;
    processes.flatten().find_map(|entry| {
        let id = entry.file_name().to_str()?.parse().ok()?;
        let status = fs::read_to_string(entry.path().join("stat")).ok()?;
        // The name before the last `)` may hold anything; the state and the parent follow it.
        let (_, after) = status.rsplit_once(") ")?;
        (after.split(' ').nth(1)? == parent.to_string()).then_some(id)
    })
}
