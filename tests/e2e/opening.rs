//! From the start of the program to the first prompt.

use product_tests::window::Window;

use crate::scene::Scene;

#[test]
fn a_machine_without_a_workspace_is_offered_the_sample() {
    let mut scene = Scene::bare();
    scene.open(&[]);
    scene.wait_until("the first choice", "document.querySelector('[data-testid=first-run]')");
    scene.click("open-sample");
    scene.check(Window::wait_until_drawn);
    assert!(!scene.workspace().exists(), "looking at the sample makes no file");
}

#[test]
fn without_asking_the_sample_is_drawn_at_once() {
    let mut scene = Scene::bare();
    scene.open(&["--without-asking"]);
    scene.check(Window::wait_until_drawn);
}

#[test]
fn the_workspace_of_the_command_line_is_shown_with_its_files() {
    let mut scene = Scene::with_workspace();
    scene.open_workspace();
    let shown = scene.prompt("desktop");
    for text in
        ["A calm companion.", "- **Name:** Juni\n", "Ask before anything leaves", "likes tea at five", "tide-log"]
    {
        assert!(shown.contains(text), "not in the prompt: {text}\n{shown}");
    }
}

#[test]
fn the_next_start_opens_the_same_workspace() {
    let mut scene = Scene::with_workspace();
    scene.open_workspace();
    scene.close();
    scene.open(&[]);
    scene.check(Window::wait_until_drawn);
    assert!(scene.prompt("desktop").contains("A calm companion."));
}
