//! The shipped prompts as a person reads them: one template, many faces. Read the snapshot when a wording changes.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failed unwrap is a failed test")]

mod fixture;

use std::fmt::Write as _;

use model::{Context, FileAccess};
use prompt::{assemble, shipped, targets};

use fixture::Disk;

#[test]
fn shipped_prompts() {
    let mut disk = Disk::default();
    for (path, text) in [
        ("home/.catbuddy/workspace/USER.md", "- **Name**: Ines\n"),
        ("home/.catbuddy/workspace/memory/MEMORY.md", "- likes plums\n"),
        ("project/.catbuddy/SOUL.md", "Calm and brief.\n"),
        ("project/.catbuddy/memory/MEMORY.md", "- the dam opens at six\n"),
        ("project/.catbuddy/skills/dam/SKILL.md", "---\ndescription: Read the dam gauge\n---\n# Dam\n"),
    ] {
        disk.put_text(&format!("/tree/{path}"), text);
    }
    let target = targets::catbuddy();
    let snapshot = disk.snapshot("/tree/project/.catbuddy", "/tree/home/.catbuddy/workspace", None, &target);
    let mut faces = String::new();
    for (variant, channel, access) in [
        ("catbuddy", "telegram", FileAccess::Project),
        ("catbuddy", "desktop", FileAccess::Internal),
        ("catbuddy-article", "email", FileAccess::Project),
    ] {
        let context = Context {
            channel: Some(channel.into()),
            work_root: Some("/tree/project".into()),
            file_access: Some(access),
            ..Context::default()
        };
        let text = assemble(&snapshot, &shipped()[variant], &target, &context).text();
        writeln!(faces, "======== {variant} on {channel}\n{text}\n").unwrap();
    }
    insta::assert_snapshot!(faces);
}
