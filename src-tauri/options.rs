//! What the window can be told at its start.

use std::path::PathBuf;

use clap::Parser;
use workbench::SessionOptions;
use workbench::place::Place;

use crate::rendering::Rendering;

/// Edit the files an AI agent is shaped by, and see to the byte what the model will read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Parser)]
#[command(name = "catbuddy-workbench", version)]
pub struct Options {
    /// Stands for your home folder (also: CATBUDDY_HOME)
    #[arg(long, value_name = "DIR")]
    home: Option<PathBuf>,
    /// Opens this workspace folder, taken as given
    #[arg(long, value_name = "DIR")]
    workspace: Option<String>,
    /// Opens the workspace of this project
    #[arg(long, value_name = "DIR")]
    project: Option<String>,
    /// An installed app's folder, with `templates/` and `skills/`
    #[arg(long, value_name = "DIR")]
    app: Option<String>,
    /// At a first start, opens a workspace that is found, or else the sample, without asking
    #[arg(long)]
    without_asking: bool,
    /// Draws without the graphics card, for a window that stays blank or flickers (Linux)
    #[arg(long)]
    safe_rendering: bool,
}

impl Options {
    /// Reads the command line. Ends the process after `--help`, `--version` or a flag that does not exist.
    pub fn from_command_line() -> Self {
        Self::parse()
    }

    /// How the window is to be drawn.
    pub fn rendering(&self) -> Rendering {
        if self.safe_rendering { Rendering::Safe } else { Rendering::Usual }
    }

    /// The folder that stands for the person's home: the flag, else `CATBUDDY_HOME`, else the account's own. An
    /// account without one, as some services have, keeps its things where it stands.
    pub(crate) fn home(&self) -> PathBuf {
        let named = || std::env::var_os("CATBUDDY_HOME").filter(|value| !value.is_empty()).map(PathBuf::from);
        self.home.clone().or_else(named).or_else(std::env::home_dir).unwrap_or_default()
    }

    /// True when the home is the account's own, so that one window is enough for the whole session.
    pub(crate) fn home_is_the_accounts(&self) -> bool {
        std::env::home_dir().is_some_and(|home| home == self.home())
    }

    /// True when a first start is to show a prompt at once and not a choice.
    pub(crate) fn without_asking(&self) -> bool {
        self.without_asking
    }

    /// Where the session is to look.
    pub(crate) fn into_session_options(self) -> SessionOptions {
        let home = self.home();
        SessionOptions {
            place: Place { home, workspace: self.workspace, project: self.project, app: self.app, own_profile: None },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn the_home_of_the_command_line_wins() {
        let options = Options::parse_from(["catbuddy-workbench", "--home", "/somewhere/else"]);
        assert_eq!(options.home(), Path::new("/somewhere/else"));
        assert!(!options.home_is_the_accounts());
    }

    #[test]
    fn drawing_is_usual_unless_asked_otherwise() {
        assert_eq!(Options::parse_from(["catbuddy-workbench"]).rendering(), Rendering::Usual);
        let safe = Options::parse_from(["catbuddy-workbench", "--safe-rendering"]);
        assert_eq!(safe.rendering(), Rendering::Safe);
    }
}
