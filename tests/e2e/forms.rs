//! Files as forms: filling in, the prompt meanwhile, the death of the window, saving, undoing.

use product_tests::window::{Key, Window};
use serde_json::json;

use crate::scene::Scene;

/// A profile as a person keeps it: CR LF here and there, a key in a style of its own, parts that no form knows.
const PROFILE: &str = "# About me\r\n\r\n- **Name:** Juni\r\n- Language: Spanish\n\n## Preferences\n\n1. Short answers\n2. Metric units\n\n\
    ## Garden log\n\n| day | what |\n|---|---|\n| 3 | figs |\n\n<!-- mine -->\nThe end";

fn with_profile() -> Scene {
    let scene = Scene::with_workspace();
    scene.write("USER.md", PROFILE);
    scene
}

impl Scene {
    /// Opens a file that has a form, and waits until the field has this value.
    fn open_form(&self, file: &str, field: &str, value: &str) {
        self.click(&format!("nav-file-{file}"));
        self.wait_for_field(field, value);
    }

    fn wait_for_field(&self, field: &str, value: &str) {
        let script = format!("document.querySelector('[data-testid=\"{field}\"]')?.value === {}", json!(value));
        self.wait_until(&format!("{field} to be \"{value}\""), &script);
    }

    /// Types into a field, as a keyboard would.
    fn type_into(&self, field: &str, text: &str) {
        self.check(|window| window.driver().type_into(&format!("[data-testid=\"{field}\"]"), text));
    }
}

/// The lines of `after` that `before` has not, and those of `before` that are gone.
fn changed_lines(before: &str, after: &str) -> (Vec<String>, Vec<String>) {
    let lines = |text: &str| text.split_inclusive('\n').map(str::to_owned).collect::<Vec<_>>();
    let (old, new) = (lines(before), lines(after));
    let only = |one: &[String], other: &[String]| one.iter().filter(|line| !other.contains(line)).cloned().collect();
    (only(&new, &old), only(&old, &new))
}

#[test]
fn a_filled_in_form_survives_the_death_of_the_window_and_its_save_touches_those_lines_alone() {
    let mut scene = with_profile();
    scene.open_workspace();
    scene.open_form("USER.md", "field-name", "Juni");
    scene.type_into("field-name", "per Vale");
    scene.wait_for_prompt("- **Name:** Juniper Vale");
    scene.type_into("item-preferences-1", ", please");
    scene.wait_for_prompt("2. Metric units, please");
    scene.wait_for_state("draft");
    scene.picture("form-draft");
    assert_eq!(scene.read("USER.md"), PROFILE, "nothing is written before a save");
    // The draft goes to the database a moment after the key.
    scene.wait_for_stored_draft("Metric units, please");

    scene.kill();
    assert_eq!(scene.read("USER.md"), PROFILE, "a draft is no file");
    scene.open(&[]);
    scene.check(Window::wait_until_drawn);
    scene.wait_for_field("field-name", "Juniper Vale");
    scene.wait_for_state("draft");
    scene.picture("form-restored");

    scene.press(&[Key::Control, Key::Character('s')]);
    scene.wait_for_state("saved");
    let (new, gone) = changed_lines(PROFILE, &scene.read("USER.md"));
    assert_eq!(new, ["- **Name:** Juniper Vale\r\n", "2. Metric units, please\n"]);
    assert_eq!(gone, ["- **Name:** Juni\r\n", "2. Metric units\n"]);
}

#[test]
fn one_undo_goes_back_over_form_and_source() {
    let mut scene = with_profile();
    scene.open_workspace();
    scene.open_form("USER.md", "field-name", "Juni");
    scene.type_into("field-name", "X");
    scene.wait_for_prompt("- **Name:** JuniX");
    scene.press(&[Key::Control, Key::Character('2')]);
    scene.wait_for_editor("JuniX");
    scene.type_at_the_end(" of it");
    scene.wait_for_prompt("The end of it");
    scene.press(&[Key::Control, Key::Character('1')]);
    scene.wait_for_field("field-name", "JuniX");
    scene.check(|window| window.driver().click("[data-testid=field-name]"));
    for _ in 0..20 {
        if scene.prompt("desktop").contains("- **Name:** Juni\r\n") {
            break;
        }
        scene.press(&[Key::Control, Key::Character('z')]);
        scene.check(Window::settle);
    }
    scene.wait_for_field("field-name", "Juni");
    scene.wait_for_state("saved");
}

#[test]
fn lists_are_kept_by_keys_alone() {
    let mut scene = with_profile();
    scene.open_workspace();
    scene.open_form("USER.md", "item-preferences-1", "Metric units");
    scene.check(|window| window.driver().click("[data-testid=\"item-preferences-1\"]"));
    scene.press(&[Key::Enter]);
    scene.wait_until("a new entry", "document.activeElement?.dataset.testid === 'item-preferences-2'");
    scene.type_into("item-preferences-2", "Name your sources");
    scene.wait_for_prompt("3. Name your sources");
    scene.press(&[Key::Alt, Key::ArrowUp]);
    scene.wait_for_field("item-preferences-1", "Name your sources");
    scene.wait_for_prompt("2. Name your sources");
    scene.press(&[Key::Control, Key::Character('s')]);
    scene.wait_for_state("saved");
    let expected = PROFILE
        .replace("1. Short answers\n2. Metric units\n", "1. Short answers\n2. Name your sources\n3. Metric units\n");
    assert_eq!(scene.read("USER.md"), expected);
}

#[test]
fn every_file_of_a_person_has_a_form_and_no_violation() {
    let mut scene = with_profile();
    scene.open_workspace();
    for file in ["SOUL.md", "USER.md", "AGENTS.md", "TOOLS.md", "memory/MEMORY.md"] {
        scene.click(&format!("nav-file-{file}"));
        let form = format!(
            "document.querySelector('h1 .name')?.textContent.endsWith('{file}') && document.querySelector('[data-testid=form]')"
        );
        scene.wait_until(&format!("the form of {file}"), &form);
        for theme in ["light", "dark"] {
            scene.choose_theme(theme);
            let found = crate::accessibility::violations(&scene);
            assert!(found.is_empty(), "{file}, {theme}:\n{}", found.join("\n"));
            scene.picture(&format!(
                "form-{}-{theme}",
                file.trim_end_matches(".md").trim_start_matches("memory/").to_lowercase()
            ));
        }
    }
}
