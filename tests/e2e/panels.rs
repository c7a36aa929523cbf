//! Panels, states and traces in the real window, each with a picture: `make screens`, to be looked at.

use product_tests::window::Key;
use serde_json::json;

use crate::scene::Scene;

/// What the ⋯ menu of the preview opens.
const PANELS: &[&str] = &["context", "fingerprint", "history", "findings", "shortcuts"];

#[test]
fn every_panel_opens_from_the_menu_and_closes_by_key() {
    let mut scene = Scene::with_workspace();
    scene.open_workspace();
    for theme in ["light", "dark"] {
        scene.choose_theme(theme);
        for panel in PANELS {
            scene.click("preview-menu");
            scene.click(&format!("open-{panel}"));
            closes_by_key(&scene, &format!("{panel}-panel"), &format!("{panel}-{theme}"));
        }
        scene.press(&[Key::Control, Key::Character('k')]);
        closes_by_key(&scene, "palette", &format!("palette-{theme}"));
    }
}

/// Waits until a dialog has room for its content, takes its picture, and closes it.
fn closes_by_key(scene: &Scene, id: &str, picture: &str) {
    let dialog = format!("document.querySelector('[data-testid=\"{id}\"]')");
    let drawn = format!("{dialog}?.getBoundingClientRect().height > 120");
    scene.wait_until(&format!("the {id}"), &drawn);
    scene.picture(picture);
    scene.press(&[Key::Escape]);
    scene.wait_until(&format!("the {id} to be gone"), &format!("!{dialog}"));
}

#[test]
fn states_of_files_that_cannot_be_edited_as_they_are() {
    let mut scene = Scene::with_workspace();
    scene.write_bytes("TOOLS.md", b"# Tools\n\nname: \xC4\xE3\xBA\xC3\n");
    scene.remove("AGENTS.md");
    scene.make_folder("SOUL.md");
    scene.open_workspace();
    for (file, state) in [("TOOLS.md", "read_only"), ("AGENTS.md", "missing"), ("SOUL.md", "error")] {
        scene.click(&format!("nav-file-{file}"));
        scene.wait_for_state(state);
        if state == "error" {
            scene.wait_until(
                "a reason that claims no typed text",
                "document.body.innerText.includes('SOUL.md cannot be read or written')",
            );
        }
        scene.picture(&format!("file-{}", state.replace('_', "-")));
    }
}

#[test]
fn an_agent_that_could_not_start_is_said_so_above_what_can_be_shown() {
    let mut scene = Scene::with_workspace();
    scene.make_folder("skills/broken/SKILL.md");
    scene.open_workspace();
    let banner = "document.querySelector('[data-testid=target-error]')";
    scene.wait_until("the reason", &format!("{banner}?.innerText.includes('SKILL.md')"));
    scene.wait_for_prompt("Tern, a desk helper");
    for theme in ["light", "dark"] {
        scene.choose_theme(theme);
        scene.picture(&format!("target-error-{theme}"));
    }
}

#[test]
fn a_budget_gives_things_up_and_names_them() {
    let mut scene = Scene::with_workspace();
    scene.open_workspace();
    let before = scene.ask("return document.querySelector('[data-testid=tokens-total]').innerText");
    scene.check(|window| {
        window.driver().click("[data-testid=max-tokens]")?;
        window.driver().type_into("[data-testid=max-tokens]", "250")?;
        window.driver().press(&[Key::Enter])
    });
    scene.wait_until("what was given up", "document.querySelector('[data-testid=budget-given]')");
    let after = scene.ask("return document.querySelector('[data-testid=tokens-total]').innerText");
    assert_ne!(before, after);
    scene.click("budget-given");
    scene.wait_until("the list of it", "document.querySelector('[data-testid=budget-list]')?.innerText.length > 0");
    scene.picture("budget");
}

#[test]
fn a_line_of_the_prompt_leads_to_its_file_and_the_caret_marks_its_line() {
    let mut scene = Scene::with_workspace();
    scene.open_workspace();
    scene.open_file("TOOLS.md", "calendar");
    scene.check(|window| {
        window.driver().run::<bool>(
            "const line = [...document.querySelectorAll('[data-testid=preview-line]')]
                .find((line) => line.innerText.includes(arguments[0]));
             line.scrollIntoView({ block: 'center' });
             line.dispatchEvent(new MouseEvent('click', { bubbles: true }));
             return true",
            &json!(["Ask before anything leaves the machine."]),
        )
    });
    scene.wait_for_editor("Ask before anything leaves the machine.");
    scene.wait_until("the line to be marked in the prompt", "document.querySelector('[data-testid=preview] .marked')");
    scene.picture("trace");
}

#[test]
fn the_messages_stand_below_the_line_that_closes_the_prompt() {
    let mut scene = Scene::with_workspace();
    scene.open_workspace();
    scene.check(|window| {
        let end = "const shown = document.querySelector('[data-testid=preview]');
                   const scroller = [shown, ...shown.querySelectorAll('*')].find((part) => part.scrollHeight > part.clientHeight + 4
                       && getComputedStyle(part).overflowY !== 'visible');
                   scroller.scrollTop = scroller.scrollHeight;
                   return true";
        window.driver().run::<bool>(end, &json!([]))
    });
    scene.wait_for_prompt("[runtime: Time: ");
    scene.picture("messages");
}
