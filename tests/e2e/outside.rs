//! Files that somebody else writes while the window is open.

use crate::scene::{Scene, USER};

#[test]
fn an_outside_edit_of_an_unedited_file_appears_by_itself() {
    let mut scene = Scene::with_workspace();
    scene.open_workspace();
    scene.open_file("USER.md", "Juni");
    scene.wait_for_state("saved");
    scene.write("USER.md", "# Who I work for\n\nHazel, by the sea.\n");
    scene.wait_for_editor("Hazel, by the sea.");
    scene.wait_for_state("saved");
    assert!(scene.prompt("desktop").contains("Hazel, by the sea.\n"));
}

#[test]
fn an_outside_edit_of_a_draft_is_a_conflict_and_loses_neither_side() {
    let mut scene = Scene::with_workspace();
    scene.open_workspace();
    scene.open_file("USER.md", "Juni");
    scene.type_at_the_end(" and tea at five");
    scene.wait_for_state("draft");
    scene.write("USER.md", "# Who I work for\n\nHazel, by the sea.\n");
    scene.wait_for_state("conflict");
    assert_eq!(scene.read("USER.md"), "# Who I work for\n\nHazel, by the sea.\n", "their text stays on disk");
    scene.wait_for_editor("and tea at five");

    scene.click("conflict-mine");
    scene.wait_for_state("draft");
    scene.click("save");
    scene.wait_for_state("saved");
    assert_eq!(scene.read("USER.md"), format!("{USER} and tea at five"), "mine, after I said so");
}

#[test]
fn taking_the_disk_in_a_conflict_shows_their_text() {
    let mut scene = Scene::with_workspace();
    scene.open_workspace();
    scene.open_file("USER.md", "Juni");
    scene.type_at_the_end(" and tea at five");
    scene.wait_for_state("draft");
    scene.write("USER.md", "# Who I work for\n\nHazel, by the sea.\n");
    scene.wait_for_state("conflict");
    scene.click("conflict-disk");
    scene.wait_for_editor("Hazel, by the sea.");
    scene.wait_for_state("saved");
}
