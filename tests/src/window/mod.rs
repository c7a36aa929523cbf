//! The real window on a virtual display, driven from outside: an X server, WebKit's own WebDriver, the built
//! program. No part of the product knows of it.
//!
//! Everything waits for a condition and nothing is tried twice: a condition that does not come within
//! [`PATIENCE`] is an error that says what was waited for.

mod display;
mod driver;
mod launch;

use std::thread;
use std::time::{Duration, Instant};

pub use display::{Display, Size};
pub use driver::{Driver, Key};
pub use launch::{Launch, Window};

/// How long a condition may take: far longer than it ever should, so that only a fault reaches it.
pub const PATIENCE: Duration = Duration::from_mins(1);

/// What went wrong between the test and the window.
#[derive(Debug, thiserror::Error)]
pub enum WindowError {
    /// A program of the machine could not be started.
    #[error("{program} could not be started: {cause}. `make setup` installs what the window tests need.")]
    Start {
        /// The program.
        program: String,
        /// What the system said.
        cause: std::io::Error,
    },
    /// Something was waited for in vain.
    #[error("waited {} s in vain for {what}", PATIENCE.as_secs())]
    Patience {
        /// What.
        what: String,
    },
    /// The WebDriver refused a command or could not be reached.
    #[error("WebDriver, {command}: {message}")]
    Driver {
        /// Which command.
        command: String,
        /// Its answer.
        message: String,
    },
    /// The picture could not be taken or written.
    #[error("no picture of the display: {0}")]
    Picture(String),
    /// A file could not be read or written.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// Asks `ready` again and again until it has an answer; `what` names the condition in the error.
///
/// # Errors
/// [`WindowError::Patience`] when it never has one, and what `ready` itself fails with.
pub fn wait_for<T>(what: &str, mut ready: impl FnMut() -> Result<Option<T>, WindowError>) -> Result<T, WindowError> {
    let start = Instant::now();
    loop {
        if let Some(answer) = ready()? {
            return Ok(answer);
        }
        if start.elapsed() > PATIENCE {
            return Err(WindowError::Patience { what: what.to_owned() });
        }
        thread::sleep(Duration::from_millis(20));
    }
}
