//! Prepares what Tauri compiles into the window: its configuration, its capabilities, its front end.

use std::fs;
use std::io;
use std::path::Path;

/// Where Vite writes the front end; the same path as `build.frontendDist` in `tauri.conf.json`.
const FRONT_END: &str = "ui/dist";

fn main() -> io::Result<()> {
    prepare_front_end()?;
    // With a pattern of our own, Tauri leaves watching the folder to us.
    println!("cargo:rerun-if-changed=src-tauri/capabilities");
    println!("cargo:rerun-if-changed=src-tauri/commands.in.rs");
    let attributes = tauri_build::Attributes::new()
        .capabilities_path_pattern("./src-tauri/capabilities/**/*.json")
        .app_manifest(tauri_build::AppManifest::new().commands(include!("commands.in.rs")));
    tauri_build::try_build(attributes).map_err(io::Error::other)
}

/// Tauri refuses to compile while the front end's folder is absent, and checks and lints must not need Node:
/// an empty folder is enough for them. A release build is for people, so there a front end that was not built
/// is an error here and not a blank window on their screen.
fn prepare_front_end() -> io::Result<()> {
    println!("cargo:rerun-if-changed={FRONT_END}");
    if Path::new(FRONT_END).join("index.html").is_file() {
        return Ok(());
    }
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        return Err(io::Error::other(format!(
            "{FRONT_END} holds no front end. Build it first: npm --prefix ui ci && npm --prefix ui run build"
        )));
    }
    fs::create_dir_all(FRONT_END)?;
    println!("cargo:warning={FRONT_END} is empty: this window would be blank. `make run` builds its front end first.");
    Ok(())
}
