//! Measures the real window on a virtual display: from a key to the painted preview, a second start, and memory.
//!
//! The workspace assembles to 1 MiB with 400 skills; keys are pressed one after the other in a file of 8 KB, in its
//! source and in its form. The floor of a key press is one frame of a display of 60 Hz. No figure is asserted.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use product_tests::window::{Key, Launch, Size, Window, WindowError};
use serde_json::{Value, json};
use tempfile::TempDir;

const KEYS: usize = 200;
const FRAME: Duration = Duration::from_nanos(16_666_667);
/// Between two keys, as a fast typist has it.
const PAUSE: Duration = Duration::from_millis(100);
const STAGES: [&str; 6] = ["sent", "edited", "previewed", "applied", "painted", "told"];

/// Measures the window on a virtual display.
#[derive(Debug, Parser)]
struct Options {
    /// The built window
    #[arg(long, value_name = "FILE")]
    program: PathBuf,
    /// Where its output goes
    #[arg(long, value_name = "FILE")]
    log: PathBuf,
    /// A file that a line of JSON is appended to for each figure
    #[arg(long, value_name = "FILE")]
    rows: Option<PathBuf>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    match measure(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error, &options.log);
            ExitCode::FAILURE
        }
    }
}

#[allow(clippy::print_stderr, reason = "the person at the terminal has to learn of it")]
fn complain(error: &WindowError, log: &Path) {
    eprintln!("The window was not measured: {error}\nIts output stands in {}.", log.display());
}

fn measure(options: &Options) -> Result<(), WindowError> {
    let home = TempDir::with_prefix("cbw-measure-")?;
    fill(home.path())?;
    let launch = |home: &Path| Launch {
        program: options.program.clone(),
        arguments: vec!["--home".to_owned(), home.to_string_lossy().into_owned()],
        home: Some(home.to_owned()),
        log: options.log.clone(),
        size: Size { width: 1280, height: 800 },
    };
    let workspace = home.path().join(".catbuddy/workspace").to_string_lossy().into_owned();
    let mut first = launch(home.path());
    first.arguments.extend(["--workspace".to_owned(), workspace]);
    let window = Window::open(&first)?;
    window.wait_until_drawn()?;
    let (head, _) = window.preview(&json!({}))?;
    let bytes = head["bytes"].as_u64().unwrap_or_default();

    open_soul(&window)?;
    window.driver().press(&[Key::Control, Key::Character('2')])?;
    window.wait_until("the source", "document.querySelector('.cm-content')")?;
    window.driver().click(".cm-content")?;
    report(options, "key to painted preview, source", bytes, &typed(&window)?)?;

    window.driver().press(&[Key::Control, Key::Character('1')])?;
    window.wait_until("the form", "document.querySelector('[data-testid=form] textarea, [data-testid=form] input')")?;
    window.driver().click("[data-testid=form] textarea, [data-testid=form] input")?;
    report(options, "key to painted preview, form", bytes, &typed(&window)?)?;
    drop(window);

    let sample = TempDir::with_prefix("cbw-measure-")?;
    let program = launch(sample.path());
    let window = Window::open(&program)?;
    window.wait_until("the sample", "document.querySelector('[data-testid=open-sample]')")?;
    window.driver().click("[data-testid=open-sample]")?;
    window.wait_until_drawn()?;
    say(&format!("memory of our own process on the sample: {} KiB anonymous", window.anonymous_kib()?));
    drop(window);

    let started = Instant::now();
    let window = Window::open(&first)?;
    window.wait_until_drawn()?;
    let outside = started.elapsed();
    let inside: f64 = window.driver().run("return performance.now()", &json!([]))?;
    say(&format!(
        "second start on 1 MiB: {:.0} ms from the start of display and driver, page alive for {inside:.0} ms",
        outside.as_secs_f64() * 1e3
    ));
    Ok(())
}

/// Opens the file that is typed in.
fn open_soul(window: &Window) -> Result<(), WindowError> {
    window.wait_until("the list of files", "document.querySelector('[data-testid=\"nav-file-SOUL.md\"]')")?;
    window.driver().click("[data-testid=\"nav-file-SOUL.md\"]")?;
    window.wait_until(
        "the file",
        "document.querySelector('[data-testid=\"nav-file-SOUL.md\"]').ariaCurrent === 'true' || \
         document.querySelector('[data-testid=state-pill]')",
    )
}

/// A home whose workspace assembles to 1 MiB with 400 skills.
fn fill(home: &Path) -> Result<(), WindowError> {
    let prose = |bytes: usize, salt: usize| {
        let line = format!("- {salt}: a line of notes with a date, 2025-03-04, and a name or two\n");
        line.repeat(bytes / line.len() + 1)
    };
    let write = |relative: &str, text: &str| {
        let path = home.join(".catbuddy/workspace").join(relative);
        fs::create_dir_all(path.parent().unwrap_or(home))?;
        fs::write(path, text)
    };
    write("AGENTS.md", &prose(256 * 1024, 1))?;
    write("SOUL.md", &format!("# Miso\n\n- **Name:** Miso\n\n## Notes\n\n{}", prose(8 * 1024, 2)))?;
    write("USER.md", &prose(300 * 1024, 3))?;
    write("memory/MEMORY.md", &prose(340 * 1024, 4))?;
    for skill in 0..400 {
        let text = format!("---\ndescription: {}\n---\n{}", "d".repeat(300), prose(600, skill));
        write(&format!("skills/skill-{skill:03}/SKILL.md"), &text)?;
    }
    Ok(())
}

/// Presses keys and gives the moments of each, in milliseconds after its key.
fn typed(window: &Window) -> Result<Vec<Value>, WindowError> {
    let mut moments = Vec::with_capacity(KEYS);
    window.driver().run::<Value>("window.__cbw.timings.length = 0; return null", &json!([]))?;
    for key in 0..KEYS {
        let letter = char::from(b'a' + (key % 26) as u8);
        window.driver().press(&[Key::Character(letter)])?;
        // Nothing is asked of the page before it has had its time: a question would stand in the way of the answer.
        std::thread::sleep(PAUSE);
        window.wait_until("the key to be painted", "window.__cbw.timings.length > 0")?;
        moments.push(window.driver().run("return window.__cbw.timings.pop()", &json!([]))?);
    }
    Ok(moments)
}

fn report(options: &Options, bench: &str, size: u64, moments: &[Value]) -> Result<(), WindowError> {
    for stage in STAGES {
        let mut times: Vec<f64> =
            moments.iter().filter_map(|one| Some(one[stage].as_f64()? - one["key"].as_f64()?)).collect();
        times.sort_unstable_by(f64::total_cmp);
        let Some(last) = times.len().checked_sub(1) else { continue };
        let at = |percent: usize| times[last * percent / 100];
        say(&format!(
            "{bench}, {size}: {stage:<10} median {:6.1} ms, 95th percentile {:6.1} ms, most {:6.1} ms",
            at(50),
            at(95),
            at(100)
        ));
        if stage != "painted" {
            continue;
        }
        for (name, share) in [("median", 50), ("95th percentile", 95)] {
            let value = Duration::from_secs_f64(at(share).max(0.0) / 1e3);
            row(options, &format!("window/{bench}, {name}"), size, value)?;
        }
    }
    Ok(())
}

fn row(options: &Options, bench: &str, size: u64, value: Duration) -> Result<(), WindowError> {
    let Some(path) = &options.rows else { return Ok(()) };
    let ratio = value.as_secs_f64() / FRAME.as_secs_f64();
    let (value_ns, floor_ns) = (value.as_nanos() as u64, FRAME.as_nanos() as u64);
    let line = json!({ "bench": bench, "size": size, "value_ns": value_ns, "floor_ns": floor_ns, "ratio": ratio });
    let mut out = OpenOptions::new().create(true).append(true).open(path)?;
    Ok(writeln!(out, "{line}")?)
}

#[allow(clippy::print_stdout, reason = "the figures are this program's output")]
fn say(text: &str) {
    println!("{text}");
}
