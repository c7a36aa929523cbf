//! A picture of each screen and state, light, dark and narrow: `make screens`, to be looked at.

use product_tests::window::{Key, Size, Window};

use crate::scene::Scene;

#[test]
fn first_run() {
    for theme in ["light", "dark"] {
        let mut scene = Scene::bare();
        scene.open(&[]);
        scene.wait_until("the first choice", "document.querySelector('[data-testid=first-run]')");
        scene.choose_theme(theme);
        scene.picture(&format!("first-run-{theme}"));
    }
}

#[test]
fn workspace_light_dark_and_narrow() {
    let mut scene = Scene::with_workspace();
    scene.open_workspace();
    scene.open_file("SOUL.md", "Miso");
    for theme in ["light", "dark"] {
        scene.choose_theme(theme);
        scene.picture(&format!("workspace-{theme}"));
    }
    scene.choose_theme("light");
    scene.close();
    let workspace = scene.workspace();
    let arguments = ["--workspace", workspace.to_str().unwrap()];
    scene.open_sized(&arguments, Size { width: 900, height: 700 });
    scene.check(Window::wait_until_drawn);
    scene.picture("workspace-narrow");
    scene.close();
    scene.open_sized(&arguments, Size { width: 720, height: 480 });
    scene.check(Window::wait_until_drawn);
    scene.picture("workspace-smallest");
}

#[test]
fn states_of_a_file() {
    let mut scene = Scene::with_workspace();
    scene.open_workspace();
    scene.open_file("USER.md", "Juni");
    scene.type_at_the_end(" and tea at five");
    scene.wait_for_state("draft");
    scene.wait_for_prompt("and tea at five");
    scene.picture("draft");
    scene.press(&[Key::Control, Key::Character('3')]);
    scene.wait_until("the difference", "document.querySelector('[data-testid=diff]')");
    scene.picture("difference");
    scene.press(&[Key::Control, Key::Character('2')]);
    scene.write("USER.md", "# Who I work for\n\nHazel, by the sea.\n");
    scene.wait_for_state("conflict");
    for theme in ["light", "dark"] {
        scene.choose_theme(theme);
        scene.picture(&format!("conflict-{theme}"));
    }
}
