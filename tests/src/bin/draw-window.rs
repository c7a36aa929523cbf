//! Draws the real window on a virtual display: for `make run` on a machine without a screen.
//!
//! Waits until the preview is drawn, keeps a picture of it, and prints a summary of the prompt that it shows.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use product_tests::window::{Launch, Size, Window, WindowError};
use serde_json::{Value, json};

/// Draws the window on a virtual display, and prints a summary of the prompt it shows.
#[derive(Debug, Parser)]
struct Options {
    /// The built window
    #[arg(long, value_name = "FILE")]
    program: PathBuf,
    /// Where its picture goes
    #[arg(long, value_name = "FILE")]
    picture: PathBuf,
    /// Where its output goes
    #[arg(long, value_name = "FILE")]
    log: PathBuf,
    /// What it is started with
    #[arg(last = true)]
    arguments: Vec<String>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    match draw(&options) {
        Ok(preview) => {
            print(&preview, &options.picture);
            ExitCode::SUCCESS
        }
        Err(error) => {
            complain(&error, &options.log);
            ExitCode::FAILURE
        }
    }
}

/// Opens the window, waits for its preview, keeps its picture, and gives the head of the preview.
fn draw(options: &Options) -> Result<Value, WindowError> {
    let window = Window::open(&Launch {
        program: options.program.clone(),
        arguments: options.arguments.clone(),
        home: None,
        log: options.log.clone(),
        size: Size { width: 1280, height: 800 },
    })?;
    window.wait_until_drawn()?;
    window.picture(&options.picture)?;
    let (head, _) = window.preview(&json!({}))?;
    Ok(head)
}

#[allow(clippy::print_stdout, reason = "the summary is this program's output")]
fn print(preview: &Value, picture: &Path) {
    println!("{}", summary(preview));
    println!("Picture: {}", picture.display());
}

#[allow(clippy::print_stderr, reason = "the person at the terminal has to learn of it")]
fn complain(error: &WindowError, log: &Path) {
    eprintln!("The window was not drawn: {error}\nIts output stands in {}.", log.display());
}

/// A line for the prompt, one for each section, and one for each thing left out.
fn summary(preview: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let list = |name: &str| preview[name].as_array().cloned().unwrap_or_default();
    let mut lines = vec![format!(
        "The system prompt: {} bytes, {}, variant {}.",
        preview["bytes"],
        tokens(&preview["tokens"]),
        text(&preview["variant"])
    )];
    // Separators and other fixed texts have no layer.
    for section in list("sections").iter().filter(|section| !section["layer"].is_null()) {
        let title = text(&section["title"]);
        lines.push(format!(
            "  {} {title}: {} bytes, {}",
            section["layer"],
            section["bytes"],
            tokens(&section["tokens"])
        ));
    }
    for skipped in list("skipped") {
        lines.push(format!("  left out: {}: {}", text(&skipped["id"]), text(&skipped["detail"])));
    }
    lines.push(format!("{} findings.", list("findings").len()));
    lines.join("\n")
}

/// A count with how it was obtained.
fn tokens(count: &Value) -> String {
    match (&count["total"], count["exact"].as_bool()) {
        (Value::Null, _) => "tokens unknown".to_owned(),
        (total, Some(true)) => format!("{total} tokens, {}", count["method"].as_str().unwrap_or("exact")),
        _ => {
            format!("{} to {} tokens, {}", count["low"], count["high"], count["method"].as_str().unwrap_or("estimate"))
        }
    }
}
