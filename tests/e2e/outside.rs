//! Files that somebody else writes while the window is open.

use product_tests::window::Key;

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

#[test]
fn a_merge_brings_both_changes_into_the_file() {
    const BASE: &str = "# Who I work for\n\nJuni, by the sea.\n\n## Likes\n\n- tea\n- figs\n";
    let mut scene = Scene::with_workspace();
    scene.write("USER.md", BASE);
    scene.open_workspace();
    scene.open_file("USER.md", "Juni");
    scene.type_at_the_end("- plums");
    scene.wait_for_state("draft");
    scene.write("USER.md", &BASE.replace("by the sea", "in the hills"));
    scene.wait_for_state("conflict");
    scene.click("conflict-compare");
    scene.wait_until("the pieces", "document.querySelector('[data-testid=merge-hunk]')");
    for theme in ["light", "dark"] {
        scene.choose_theme(theme);
        let found = crate::accessibility::violations(&scene);
        assert!(found.is_empty(), "merge, {theme}:\n{}", found.join("\n"));
        scene.picture(&format!("merge-{theme}"));
    }
    scene.click("merge-use");
    scene.wait_for_state("draft");
    scene.press(&[Key::Control, Key::Character('s')]);
    scene.wait_for_state("saved");
    let both = BASE.replace("by the sea", "in the hills") + "- plums";
    assert_eq!(scene.read("USER.md"), both);
}

#[test]
fn an_earlier_state_comes_back_and_nothing_is_lost() {
    let mut scene = Scene::with_workspace();
    scene.open_workspace();
    scene.open_file("USER.md", "Juni");
    scene.type_at_the_end(" and tea at five");
    scene.wait_for_state("draft");
    scene.press(&[Key::Control, Key::Character('s')]);
    scene.wait_for_state("saved");
    scene.click("open-versions");
    scene.wait_until("two states", "document.querySelectorAll('[data-testid=version-row]').length >= 2");
    for theme in ["light", "dark"] {
        scene.choose_theme(theme);
        let found = crate::accessibility::violations(&scene);
        assert!(found.is_empty(), "versions, {theme}:\n{}", found.join("\n"));
        scene.picture(&format!("versions-{theme}"));
    }
    scene.ask("[...document.querySelectorAll('[data-testid=version-row]')].at(-1).click()");
    scene.click("restore");
    scene.wait_until(
        "the old text on disk",
        "document.querySelector('[data-testid=state-pill]')?.dataset.state === 'saved'",
    );
    scene.wait_for_file("USER.md", USER);
}
