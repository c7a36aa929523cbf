//! Runs the real `cbw`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// The binary beside this test's own. `cargo test` builds it, because its package has integration tests.
///
/// # Panics
/// When it was not built.
pub fn binary() -> PathBuf {
    let mut path = std::env::current_exe().expect("a test knows its own path");
    path.pop();
    if path.ends_with("deps") {
        path.pop();
    }
    path.push(format!("cbw{}", std::env::consts::EXE_SUFFIX));
    assert!(path.exists(), "{} is missing: run `cargo build -p cli` first", path.display());
    path
}

/// What a run gave.
#[derive(Debug)]
pub struct Ran {
    /// Exit code.
    pub code: i32,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: String,
}

impl Ran {
    /// Standard output as JSON.
    ///
    /// # Panics
    /// When it is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.stdout)
            .unwrap_or_else(|error| panic!("no JSON ({error}), exit {}: {}\n{}", self.code, self.text(), self.stderr))
    }

    /// Standard output as text.
    ///
    /// # Panics
    /// When it is not UTF-8.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).expect("UTF-8")
    }
}

/// A command that sees nothing of this machine's own home or locale.
pub fn command() -> Command {
    let mut command = Command::new(binary());
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command
}

/// Runs `cbw` with these arguments below `home`.
///
/// # Panics
/// When it cannot be started or is killed.
pub fn run<I, S>(home: &Path, arguments: I) -> Ran
where
    I: IntoIterator<Item = S>,
    S: AsRef<std::ffi::OsStr>,
{
    let Output { status, stdout, stderr } =
        command().arg("--home").arg(home).args(arguments).output().expect("cbw starts");
    Ran {
        code: status.code().expect("cbw is not killed"),
        stdout,
        stderr: String::from_utf8_lossy(&stderr).into_owned(),
    }
}
