//! What the machine contributes to a context: the one place that asks the environment and the clock.

use std::env;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use model::Context;
use workspace::trash::Trash;

/// The machine's part of a context. Values are those that a host program running here would see.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Machine {
    /// Node's name of the platform.
    pub platform: &'static str,
    /// Name of the system for people.
    pub os: String,
    /// `$SHELL`.
    pub shell: Option<String>,
    /// Working folder of this process.
    pub process_cwd: String,
    /// The moment.
    pub now: Timestamp,
}

impl Machine {
    /// Asks this machine.
    pub fn here() -> Self {
        Self {
            platform: match env::consts::OS {
                "macos" => "darwin",
                "windows" => "win32",
                other => other,
            },
            os: format!("{} ({})", env::consts::OS, env::consts::ARCH),
            shell: env::var("SHELL").ok(),
            process_cwd: env::current_dir().map_or_else(|_| "/".to_owned(), |path| path.to_string_lossy().into_owned()),
            now: Timestamp::now(),
        }
    }

    /// The same as a context, the lowest layer above the defaults.
    pub fn context(&self, home: &str) -> Context {
        Context {
            platform: Some(self.platform.to_owned()),
            os: Some(self.os.clone()),
            shell: self.shell.clone(),
            home_dir: Some(home.to_owned()),
            process_cwd: Some(self.process_cwd.clone()),
            time: Some(self.now.to_string()),
            ..Context::default()
        }
    }
}

/// The trash of the desktop, for the person whose home this is. `XDG_DATA_HOME` counts for the system's own home alone:
/// what lives under another one is thrown away there.
pub fn trash(home: &Path) -> Trash {
    if env::consts::OS == "macos" {
        return Trash::Plain(home.join(".Trash"));
    }
    let own = dirs::home_dir().is_some_and(|own| own == home);
    let data = env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|data| own && data.is_absolute());
    Trash::Desktop(data.unwrap_or_else(|| home.join(".local/share")).join("Trash"))
}

/// The user's home: `explicit`, else `CATBUDDY_HOME`, else the system's. `None` when there is none at all.
pub fn home(explicit: Option<PathBuf>) -> Option<PathBuf> {
    explicit
        .or_else(|| env::var_os("CATBUDDY_HOME").filter(|value| !value.is_empty()).map(PathBuf::from))
        .or_else(dirs::home_dir)
}
