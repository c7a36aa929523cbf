//! Every task by keys alone, and axe on what they lead to. Nothing here clicks, and nothing sets the focus: a key that
//! does not lead where it should leaves the test where it is.

use product_tests::window::Key;
use serde_json::json;

use crate::accessibility::check;
use crate::scene::{Scene, USER};

#[test]
fn settings_are_found_changed_and_kept() {
    let mut scene = Scene::with_workspace();
    scene.open_project();
    scene.ctrl(',');
    scene.has_focus("page-settings");
    scene.there("settings-language");
    scene.walk(&[Key::Tab], "[data-testid=page-settings] [role=radio]");
    scene.press(&[Key::End]);
    scene.wait_until("the dark theme", "document.documentElement.dataset.theme === 'dark'");
    scene.wait_for_setting("theme", &json!("dark"));

    scene.tab_to("settings-locale");
    scene.type_keys("en_US!");
    scene.press(&[Key::Tab]);
    scene.says("page-settings", "“en_US!” is no language tag");
    scene.walk(&[Key::Shift, Key::Tab], "[data-testid=settings-locale]");
    scene.ctrl('a');
    scene.type_keys("sv");
    scene.press(&[Key::Tab]);
    scene.wait_for_setting("locale", &json!("sv"));

    scene.tab_to("settings-skill-order");
    scene.press(&[Key::ArrowDown]);
    scene.wait_for_setting("skill_order", &json!("builtin_first"));
    scene.walk(&[Key::Tab], "[data-testid=profile-switch] input");
    assert!(!scene.prompt("desktop").contains("Kiln keeper"), "the project reads the global profile");
    scene.press(&[Key::Character(' ')]);
    scene.assembles("Kiln keeper");
    scene.tab_to("settings-history-days");
    scene.type_keys("-3");
    scene.press(&[Key::Tab]);
    scene.says("page-settings", "whole number above 0");
    scene.walk(&[Key::Shift, Key::Tab], "[data-testid=settings-history-days]");
    scene.ctrl('a');
    scene.type_keys("90");
    scene.press(&[Key::Tab]);
    scene.wait_for_setting("history_days", &json!(90));

    scene.walk(&[Key::Shift, Key::Tab], "[data-testid=settings-language]");
    scene.type_keys("Fr");
    scene.wait_until("French", "document.documentElement.lang === 'fr'");
    scene.has_focus("settings-language");
    check(&scene, "settings");
    scene.close();

    scene.open(&[]);
    scene.check(product_tests::window::Window::wait_until_drawn);
    scene.wait_until("French", "document.documentElement.lang === 'fr'");
    let kept = scene.settings();
    let wanted = json!({ "language": "fr", "locale": "sv", "skill_order": "builtin_first", "history_days": 90 });
    for (key, value) in wanted.as_object().unwrap() {
        assert_eq!(kept[key], *value, "{key}");
    }
    scene.assembles("Kiln keeper");
}

#[test]
fn a_file_of_nearly_the_right_name_is_renamed_and_back() {
    let mut scene = Scene::with_workspace();
    let text = scene.read("TOOLS.md");
    scene.remove("TOOLS.md");
    scene.write("tools.md", &text);
    scene.open_workspace();
    scene.command("findings");
    scene.there("findings-panel");
    scene.walk(&[Key::Tab], "[data-testid=findings-panel] .groups button");
    scene.walk(&[Key::ArrowDown], "[data-testid=fix-rename]");
    scene.enter();
    scene.there("rename-dialog");
    check(&scene, "rename");
    scene.tab_to("rename-do");
    scene.enter();
    scene.there("renamed");
    scene.wait_for_file("TOOLS.md", &text);
    assert!(!scene.workspace().join("tools.md").exists());
    scene.assembles("The calendar is read only.");
    check(&scene, "renamed");
    scene.tab_to("rename-undo");
    scene.enter();
    scene.wait_for_file("tools.md", &text);
    assert!(!scene.workspace().join("TOOLS.md").exists());
}

#[test]
fn a_file_in_another_encoding_is_converted_and_comes_back() {
    // GBK: "name: 你好".
    const FOREIGN: &[u8] = b"# Tools\n\nname: \xC4\xE3\xBA\xC3\n";
    let mut scene = Scene::with_workspace();
    scene.write_bytes("TOOLS.md", FOREIGN);
    scene.open_workspace();
    scene.command("findings");
    scene.there("findings-panel");
    scene.walk(&[Key::Tab], "[data-testid=findings-panel] .groups button");
    scene.walk(&[Key::ArrowDown], "[data-testid=fix-convert-to-utf8]");
    scene.enter();
    scene.walk(&[Key::Tab], "[data-testid=convert-dialog] input");
    check(&scene, "convert");
    scene.walk(
        &[Key::ArrowDown],
        "[data-testid=encoding-gbk], [data-testid=encoding-gb18030], [data-testid=encoding-GBK]",
    );
    scene.tab_to("convert-do");
    scene.enter();
    scene.gone("convert-dialog");
    scene.wait_for_state("draft");
    assert_eq!(std::fs::read(scene.workspace().join("TOOLS.md")).unwrap(), FOREIGN, "nothing is written before a save");
    scene.ctrl('s');
    scene.wait_for_state("saved");
    scene.wait_for_file("TOOLS.md", "# Tools\n\nname: 你好\n");

    // What stood there before is a state of the file, and comes back to the byte.
    scene.command("versions");
    scene.there("version-row");
    scene.ctrl('e');
    scene.has_focus("version-row");
    scene.press(&[Key::End]);
    scene.enter();
    scene.there("restore");
    scene.tab_to("restore");
    scene.enter();
    let path = scene.workspace().join("TOOLS.md");
    let back = || std::fs::read(&path).is_ok_and(|now| now == FOREIGN).then_some(());
    product_tests::window::wait_for("the bytes that stood there", || Ok(back())).unwrap();
}

#[test]
fn the_palette_and_the_list_of_shortcuts() {
    let mut scene = Scene::with_workspace();
    scene.open_workspace();
    scene.walk(&[Key::F(6)], "[data-region=prompt] *");
    scene.type_keys("?");
    scene.there("shortcuts-panel");
    check(&scene, "shortcuts");
    scene.press(&[Key::Escape]);
    scene.gone("shortcuts-panel");
    scene.wait_until("the focus where it was", "document.activeElement?.closest('[data-region=prompt]')");
    scene.ctrl('k');
    scene.has_focus("palette-input");
    check(&scene, "palette");
    scene.type_keys("nothing is called so");
    scene.says("palette-count", "Nothing has this name");
    check(&scene, "palette without a match");
    scene.press(&[Key::Escape]);
    scene.gone("palette");
    scene.command("soul");
    scene.wait_until("SOUL.md", "document.querySelector('h1 .name')?.textContent === 'SOUL.md'");
    // A channel, by its own key and by the palette.
    scene.press(&[Key::Alt, Key::Character('2')]);
    scene.wait_until(
        "another channel",
        "document.querySelector('[role=tab][aria-selected=true]:not([data-testid=channel-desktop])')",
    );
    scene.command("whatsapp");
    scene.wait_until(
        "the channel's tab",
        "document.querySelector('[data-testid=channel-whatsapp]')?.ariaSelected === 'true'",
    );
    assert_eq!(scene.settings()["channel"], "whatsapp");
}

#[test]
fn a_project_is_added_and_its_layout_chosen() {
    let mut scene = Scene::with_workspace();
    let project = scene.project();
    for (name, text) in
        [(".catbuddy/AGENTS.md", "# The outer rules\n"), (".catbuddy/workspace/AGENTS.md", "# The inner rules\n")]
    {
        let path = project.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    scene.open_workspace();
    scene.command("projects");
    scene.has_focus("page-projects");
    scene.there("project-path");
    check(&scene, "no projects");
    scene.tab_to("project-path");
    scene.type_keys("kiln\n");
    scene.says("page-projects", "Type the whole path");
    scene.ctrl('a');
    scene.type_keys("/nowhere/at/all\n");
    scene.says("page-projects", "There is no folder /nowhere/at/all");
    check(&scene, "a wrong path");
    scene.ctrl('a');
    scene.type_keys(&format!("{}\n", project.display()));
    scene.wait_until("the focus on the project", "document.activeElement?.dataset.project");
    check(&scene, "projects");
    scene.tab_to("project-choose");
    scene.enter();
    scene.there("layout-inner");
    check(&scene, "layouts");
    scene.tab_to("layout-inner");
    scene.enter();
    scene.gone("layout-chooser");
    scene.assembles("The inner rules");
    assert!(!scene.prompt("desktop").contains("The outer rules"));
}

#[test]
fn a_skill_is_made_switched_copied_deleted_and_brought_back() {
    let mut scene = Scene::with_workspace();
    scene.open_workspace();
    scene.command("skills");
    scene.has_focus("page-skills");
    scene.there("skills-list");
    check(&scene, "skills");
    scene.tab_to("skill-new");
    scene.enter();
    scene.has_focus("skill-name");
    scene.type_keys("Not A Name");
    check(&scene, "a skill with a wrong name");
    scene.ctrl('a');
    scene.type_keys("fig-care");
    scene.tab_to("skill-description");
    scene.type_keys("Looks after the fig");
    scene.tab_to("skill-body");
    scene.type_keys("Water it on Sundays.");
    scene.tab_to("skill-make");
    scene.enter();
    scene.gone("skill-dialog");
    let made = scene.read("skills/fig-care/SKILL.md");
    assert!(made.contains("name: fig-care\n") && made.contains("description: Looks after the fig\n"), "{made}");
    assert!(made.contains("Water it on Sundays."), "{made}");
    scene.wait_until("the focus on the list", "document.activeElement?.dataset.testid === 'skills-list'");
    scene.says("skill-details", "fig-care");
    assert!(scene.prompt("desktop").contains("Looks after the fig"));

    scene.press(&[Key::Character(' ')]);
    scene.says("skill-switch", "Enable");
    assert!(!scene.prompt("desktop").contains("Looks after the fig"), "a disabled skill is not offered");
    check(&scene, "a disabled skill");
    scene.press(&[Key::Character(' ')]);
    scene.says("skill-switch", "Disable");

    scene.press(&[Key::F(2)]);
    scene.has_focus("skill-name");
    check(&scene, "a copy");
    scene.ctrl('a');
    scene.type_keys("fig-care-two\n");
    scene.gone("skill-dialog");
    scene.says("skill-details", "fig-care-two");
    assert!(scene.read("skills/fig-care-two/SKILL.md").contains("Water it on Sundays."));

    scene.wait_until("the focus on the list", "document.activeElement?.dataset.testid === 'skills-list'");
    scene.press(&[Key::Delete]);
    scene.has_focus("skill-undo");
    assert!(!scene.workspace().join("skills/fig-care-two").exists(), "it is in the trash");
    check(&scene, "a deleted skill");
    scene.enter();
    scene.gone("skill-undo");
    assert!(scene.read("skills/fig-care-two/SKILL.md").contains("Water it on Sundays."));
}

#[test]
fn a_phrase_is_looked_for_and_leads_to_its_file() {
    let mut scene = Scene::with_workspace();
    scene.write("notes.md", "Juni keeps bees.\n");
    scene.open_workspace();
    scene.command("why");
    scene.has_focus("page-why");
    scene.there("why-phrase");
    check(&scene, "why");
    scene.tab_to("why-phrase");
    scene.type_keys("keeps bees\n");
    scene.there("why-verdict");
    assert!(scene.text_of("why-place").contains("notes.md"), "{}", scene.text_of("why-place"));
    check(&scene, "why, found and not in the prompt");
    scene.ctrl('a');
    scene.type_keys("nobody wrote this\n");
    scene.there("why-nowhere");
    check(&scene, "why, found nowhere");
    scene.ctrl('a');
    scene.type_keys("Juni\n");
    scene.there("why-verdict");
    scene.walk(&[Key::Tab], "[data-testid=why-place]");
    scene.walk(&[Key::ArrowDown], "[data-testid=why-place][data-in-prompt=true]");
    scene.enter();
    scene.wait_until("the file", "document.querySelector('h1 .name')?.textContent === 'USER.md'");
}

#[test]
fn a_summary_is_tried_on_the_memory() {
    let mut scene = Scene::with_workspace();
    scene.open_workspace();
    let before = scene.read("memory/MEMORY.md");
    scene.command("memory");
    scene.has_focus("page-memory");
    scene.there("memory-summary");
    check(&scene, "memory");
    scene.tab_to("memory-summary");
    scene.type_keys("## User Profile\nKeeps two figs.");
    scene.press(&[Key::Control, Key::Enter]);
    scene.says("memory-added-global", "Keeps two figs.");
    check(&scene, "memory, what would be added");
    assert_eq!(scene.read("memory/MEMORY.md"), before, "nothing is written");
}

#[test]
fn an_earlier_state_is_restored() {
    let mut scene = Scene::with_workspace();
    scene.open_workspace();
    scene.ctrl('2');
    scene.wait_for_editor("Juni");
    scene.ctrl('e');
    scene.press(&[Key::Control, Key::End]);
    scene.type_keys(" and tea");
    scene.wait_for_state("draft");
    scene.ctrl('s');
    scene.wait_for_file("USER.md", &format!("{USER} and tea"));
    scene.command("versions");
    scene.there("version-row");
    check(&scene, "versions");
    scene.ctrl('e');
    scene.has_focus("version-row");
    scene.press(&[Key::End]);
    scene.enter();
    scene.there("restore");
    check(&scene, "a version");
    scene.tab_to("restore");
    scene.enter();
    scene.wait_for_file("USER.md", USER);
}

#[test]
fn a_conflict_is_merged() {
    const BASE: &str = "# Who I work for\n\nJuni, by the sea.\n\n## Likes\n\n- tea\n- figs\n";
    let mut scene = Scene::with_workspace();
    scene.write("USER.md", BASE);
    scene.open_workspace();
    scene.ctrl('2');
    scene.wait_for_editor("Juni");
    scene.ctrl('e');
    scene.press(&[Key::Control, Key::Home]);
    for _ in 0..2 {
        scene.press(&[Key::ArrowDown]);
    }
    scene.press(&[Key::End]);
    scene.type_keys(" And so is Hazel.");
    scene.wait_for_state("draft");
    scene.write("USER.md", &BASE.replace("by the sea.", "in the hills.").replace("- figs", "- plums"));
    scene.wait_for_state("conflict");
    check(&scene, "conflict");
    // Esc, and Tab leaves the editor.
    scene.press(&[Key::Escape]);
    scene.walk(&[Key::Shift, Key::Tab], "[data-testid=conflict-compare]");
    scene.enter();
    scene.wait_until(
        "the difference that waits for a choice",
        "document.activeElement?.closest('[data-testid=merge-hunk]')",
    );
    check(&scene, "merge");
    scene.press(&[Key::ArrowDown]);
    scene.says("merge-left", "Every difference");
    scene.tab_to("merge-use");
    scene.enter();
    scene.wait_for_state("draft");
    scene.ctrl('s');
    scene.wait_for_state("saved");
    let merged = scene.read("USER.md");
    assert!(merged.contains("- plums\n"), "what only they changed is taken: {merged}");
    assert!(merged.contains("in the hills.") ^ merged.contains("And so is Hazel."), "one side of the other: {merged}");
}

#[test]
fn the_first_start_leads_to_a_prompt() {
    let mut scene = Scene::bare();
    scene.open(&[]);
    scene.has_focus("open-primary");
    scene.tab_to("first-run-settings");
    scene.enter();
    scene.there("settings-panel");
    check(&scene, "settings before anything is open");
    scene.press(&[Key::Escape]);
    scene.gone("settings-panel");
    scene.has_focus("first-run-settings");
    scene.tab_to("open-sample");
    scene.enter();
    scene.check(product_tests::window::Window::wait_until_drawn);
}
