//! Editing, and what the prompt, the disk and the next start make of it.

use product_tests::window::{Key, Window};

use crate::scene::{Scene, USER};

const TYPED: &str = " and tea at five";

#[test]
fn typed_text_shows_in_the_prompt_before_it_is_saved() {
    let mut scene = Scene::with_workspace();
    scene.open_workspace();
    scene.open_file("USER.md", "Juni");
    scene.type_at_the_end(TYPED);
    scene.wait_for_prompt("- Language: Spanish and tea at five");
    scene.wait_for_state("draft");
    assert_eq!(scene.read("USER.md"), USER, "nothing is written before a save");
}

#[test]
fn a_save_writes_exactly_the_typed_bytes() {
    let mut scene = Scene::with_workspace();
    scene.open_workspace();
    scene.open_file("USER.md", "Juni");
    scene.wait_for_state("saved");
    scene.type_at_the_end(TYPED);
    scene.wait_for_state("draft");
    scene.press(&[Key::Control, Key::Character('s')]);
    scene.wait_for_state("saved");
    assert_eq!(scene.read("USER.md"), format!("{USER}{TYPED}"));
}

#[test]
fn a_draft_survives_the_death_of_the_window() {
    let mut scene = Scene::with_workspace();
    scene.open_workspace();
    scene.open_file("USER.md", "Juni");
    scene.type_at_the_end(TYPED);
    scene.wait_for_prompt("- Language: Spanish and tea at five");
    scene.wait_for_stored_draft("and tea at five");
    scene.kill();
    assert_eq!(scene.read("USER.md"), USER, "a draft is no file");
    scene.open(&[]);
    scene.check(Window::wait_until_drawn);
    scene.wait_until("the note of drafts that are back", "document.querySelector('[data-testid=restored-note]')");
    scene.wait_for_state("draft");
    assert!(scene.prompt("desktop").contains("- Language: Spanish and tea at five"), "the prompt has it again");
    scene.press(&[Key::Control, Key::Character('s')]);
    scene.wait_for_state("saved");
    assert_eq!(scene.read("USER.md"), format!("{USER}{TYPED}"));
}

/// The texts are those of the channel vectors (`channels.json`: `ch-desktop`, `ch-telegram`, `ch-sms`).
#[test]
fn a_channel_brings_its_own_shape_of_reply() {
    let mut scene = Scene::with_workspace();
    scene.open_workspace();
    scene.click("channel-telegram");
    scene.wait_for_prompt("Line in: telegram (chat app).");
    scene.wait_for_prompt("Two or three short lines; lists yes, tables no.");
    scene.click("channel-desktop");
    scene.wait_for_prompt("Line in: desktop (no shape given).");
    let shown = scene.ask("return document.querySelector('[data-testid=preview]').innerText");
    assert!(
        !shown.as_str().unwrap_or_default().contains("Two or three short lines"),
        "the other channel's shape is gone"
    );
}
