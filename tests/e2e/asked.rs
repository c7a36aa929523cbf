//! What a person is offered and asked besides the files themselves: emoji, boxes, edits whose folder is gone, a limit that
//! removes something. Each is done by keys alone, and looked at where it asks.

use product_tests::window::{Key, wait_for};
use serde_json::json;

use crate::scene::Scene;
use crate::states::{USUAL, languages};

/// Opens the workspace of a new machine in each language, and then does `act`; fails with all that looked wrong.
fn in_each_language(mut act: impl FnMut(&mut Scene, &mut dyn FnMut(&Scene, &str))) {
    let mut wrong = Vec::new();
    for language in languages() {
        let mut scene = Scene::with_workspace();
        scene.open_in(language, USUAL);
        act(&mut scene, &mut |scene, name| scene.look(&format!("{language}-{name}"), &mut wrong));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

impl Scene {
    /// Opens a file that has a form, from the palette, and goes into the form.
    fn go_to_form(&self, file: &str) {
        self.file(file);
        self.there("form");
        self.ctrl('e');
        self.wait_until("the focus in the form", "document.activeElement?.closest('[data-testid=form]')");
    }
}

#[test]
fn an_emoji_is_found_by_its_name() {
    in_each_language(|scene, look| {
        scene.go_to_form("SOUL.md");
        scene.tab_to("emoji-emoji");
        scene.enter();
        scene.has_focus("emoji-search-emoji");
        look(scene, "emoji");
        scene.type_keys("nothing is called so");
        scene.wait_until("no emoji", "!document.querySelector('.picker .grid button')");
        look(scene, "emoji-none");
        // What is found is named in the language of the window.
        let name = match scene.ask("return document.documentElement.lang").as_str() {
            Some("fr") => "renard",
            Some("zh-Hans") => "狐狸",
            _ => "fox",
        };
        scene.ctrl('a');
        scene.type_keys(name);
        let first = "document.querySelector('.picker .grid button')?.textContent";
        scene.wait_until("the fox", &format!("{first} === '🦊'"));
        look(scene, "emoji-found");
        scene.press(&[Key::ArrowDown]);
        scene.enter();
        scene.has_focus("emoji-emoji");
        scene.assembles("🦊");
        scene.ctrl('s');
        scene.wait_for_state("saved");
        assert!(scene.read("SOUL.md").contains("🦊"));
    });
}

#[test]
fn boxes_are_added_ticked_and_removed() {
    const BOXES: &str = "# Me\n\n## Answers\n\n- [x] short\n- [ ] with sources\n\nThe end";
    in_each_language(|scene, look| {
        scene.write("USER.md", BOXES);
        scene.go_to_form("USER.md");
        scene.tab_to("item-answers-1");
        scene.press(&[Key::Character(' ')]);
        scene.assembles("- [x] with sources");
        scene.tab_to("add-answers");
        scene.enter();
        scene.has_focus("new-answers");
        scene.type_keys("in metric units");
        look(scene, "boxes-new");
        scene.enter();
        scene.has_focus("add-answers");
        scene.assembles("in metric units");
        look(scene, "boxes");
        scene.walk(&[Key::Shift, Key::Tab], "[data-testid=remove-answers-0]");
        scene.enter();
        scene.wait_until("two boxes", "document.querySelectorAll('[data-testid=field-answers] input').length === 2");
        scene.ctrl('s');
        scene.wait_for_state("saved");
        let saved = scene.read("USER.md");
        assert!(!saved.contains("short"), "{saved}");
        assert!(saved.starts_with("# Me\n\n## Answers\n\n- [x] with sources\n- [ ] in metric units\n"), "{saved}");
        assert!(saved.ends_with("\nThe end"), "{saved}");
    });
}

#[test]
fn edits_whose_folder_is_gone_are_read_and_thrown_away() {
    let mut wrong = Vec::new();
    for language in languages() {
        let mut scene = Scene::with_workspace();
        scene.open_project();
        scene.choose_language(language);
        scene.file("AGENTS.md");
        scene.ctrl('2');
        scene.wait_for_editor("Rules of the kiln");
        scene.ctrl('e');
        scene.press(&[Key::Control, Key::End]);
        scene.type_keys("Never above 1200 degrees.");
        scene.wait_for_stored_draft("Never above 1200 degrees.");
        scene.kill();
        std::fs::remove_dir_all(scene.project()).unwrap();
        scene.open_workspace();
        let mut look = |scene: &Scene, name: &str| scene.look(&format!("{language}-{name}"), &mut wrong);
        scene.there("lost-drafts");
        look(&scene, "lost-drafts");
        scene.tab_to("lost-draft");
        scene.enter();
        scene.there("lost-text");
        let text = scene.ask("return document.querySelector('[data-testid=lost-text]').value");
        assert_eq!(text, json!("# Rules of the kiln\nNever above 1200 degrees."));
        look(&scene, "lost-draft");
        scene.tab_to("lost-discard");
        scene.enter();
        scene.has_focus("lost-discard-no");
        scene.gone("lost-discard");
        look(&scene, "lost-draft-asked");
        scene.enter();
        scene.gone("lost-ask");
        scene.has_focus("lost-discard");
        scene.enter();
        scene.has_focus("lost-discard-no");
        scene.walk(&[Key::Shift, Key::Tab], "[data-testid=lost-discard-yes]");
        scene.enter();
        scene.gone("lost-dialog");
        scene.gone("lost-drafts");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Makes every recorded assembly but the newest as old as 1970, as a year of use would.
fn age_the_history(scene: &Scene) -> i64 {
    let history = rusqlite::Connection::open(scene.home().join(".catbuddy/workbench/history.db")).unwrap();
    history.busy_timeout(std::time::Duration::from_secs(30)).unwrap();
    let count = "SELECT count(*) FROM assemblies";
    let several = || Ok((history.query_row(count, [], |row| row.get::<_, i64>(0)).unwrap() > 1).then_some(()));
    wait_for("two assemblies in the history", several).unwrap_or_else(|error| panic!("{error}"));
    history
        .execute("UPDATE assemblies SET time = 1, last_seen = 1 WHERE id < (SELECT max(id) FROM assemblies)", [])
        .unwrap();
    history.query_row(count, [], |row| row.get(0)).unwrap()
}

#[test]
fn a_limit_that_removes_something_asks_first() {
    in_each_language(|scene, look| {
        // What is saved is recorded.
        for text in [" One.", " Two."] {
            scene.file("USER.md");
            scene.ctrl('2');
            scene.wait_for_editor("Juni");
            scene.ctrl('e');
            scene.press(&[Key::Control, Key::End]);
            scene.type_keys(text);
            scene.wait_for_state("draft");
            scene.ctrl('s');
            scene.wait_for_state("saved");
        }
        let before = age_the_history(scene);
        scene.ctrl(',');
        scene.has_focus("page-settings");
        scene.there("settings-history-days");
        scene.tab_to("settings-history-days");
        scene.type_keys("30");
        scene.press(&[Key::Tab]);
        scene.there("history-goes");
        scene.ask("document.querySelector('[data-testid=history-goes]').scrollIntoView({ block: 'center' })");
        look(scene, "history-goes");
        let drafts = "return document.querySelectorAll('[data-testid=history-sizes] dd')[3].textContent.trim()";
        assert_eq!(scene.ask(drafts), json!("0"), "there is no draft, and it takes nothing");
        assert_eq!(scene.settings()["history_days"], json!(null), "nothing is set before the answer");
        scene.tab_to("history-goes-no");
        scene.enter();
        scene.gone("history-goes");
        assert_eq!(scene.settings()["history_days"], json!(null));
        scene.walk(&[Key::Tab], "[data-testid=settings-history-days]");
        scene.type_keys("30");
        scene.press(&[Key::Tab]);
        scene.there("history-goes");
        scene.tab_to("history-goes-yes");
        scene.enter();
        scene.wait_for_setting("history_days", &json!(30));
        let history = rusqlite::Connection::open(scene.home().join(".catbuddy/workbench/history.db")).unwrap();
        let fewer = || {
            let now: i64 = history.query_row("SELECT count(*) FROM assemblies", [], |row| row.get(0)).unwrap_or(before);
            Ok((now < before).then_some(()))
        };
        wait_for("the old assemblies to be gone", fewer).unwrap_or_else(|error| panic!("{error}"));
    });
}
