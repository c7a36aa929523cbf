//! Settings of the shell that fail without a word when they are wrong.

use serde_json::json;

use crate::scene::Scene;

/// Without `ipc:` among the policy's `connect-src`, answers arrive as arrays of numbers, and fifty times as slow.
#[test]
fn a_framed_answer_arrives_as_an_array_buffer() {
    let mut scene = Scene::with_workspace();
    scene.open_workspace();
    let (head, text) = scene.check(|window| window.preview(&json!({ "channel": "desktop" })));
    assert_eq!(head["bytes"], text.len(), "the texts behind the head are the whole prompt");
}

/// A nonce among the policy's `style-src` switches `'unsafe-inline'` off, and the editor loses its styles.
#[test]
fn the_editor_keeps_its_styles() {
    let mut scene = Scene::with_workspace();
    scene.open_workspace();
    scene.open_file("USER.md", "Juni");
    assert_eq!(scene.ask("return getComputedStyle(document.querySelector('.cm-editor')).display"), "flex");
}

#[test]
fn a_script_from_elsewhere_does_not_run() {
    let mut scene = Scene::with_workspace();
    scene.open_workspace();
    let inserted = "
        const script = document.createElement('script');
        script.textContent = 'window.foreign = true';
        document.head.append(script);
        return window.foreign === true";
    assert_eq!(scene.ask(inserted), false, "the policy refuses inline scripts");
}

/// The access list holds for what plug-ins and Tauri itself offer as well: nothing but what the capability names.
#[test]
fn a_command_outside_the_capability_is_refused() {
    let mut scene = Scene::with_workspace();
    scene.open_workspace();
    let refused = scene.check(|window| {
        window.driver().run_async::<String>(
            "return window.__TAURI_INTERNALS__.invoke('plugin:app|version').then(() => 'answered', (error) => String(error))",
            &json!([]),
        )
    });
    assert!(refused.contains("not allowed"), "{refused}");
}
