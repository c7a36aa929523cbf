//! axe in the real window, where colours, sizes and names are those that a person meets.

use std::path::Path;

use serde_json::{Value, json};

use crate::scene::Scene;

/// Violations that axe finds on the page as it stands, one line each.
///
/// The rules are those of WCAG 2.2, levels A and AA, and axe's own best practices.
pub(crate) fn violations(scene: &Scene) -> Vec<String> {
    let axe = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui/node_modules/axe-core/axe.min.js");
    let axe = std::fs::read_to_string(axe).expect("`npm ci` installed axe");
    // As an expression of the page's own realm; the driver's scripts are not bound by the page's policy.
    scene.check(|window| window.driver().run::<Value>(&format!("{axe}; return null"), &json!([])));
    let script = "
        const { violations } = await axe.run(document, { resultTypes: ['violations'] });
        return violations.flatMap((rule) => rule.nodes.map((node) =>
            `${rule.id}: ${node.target.join(' ')}: ${(node.any[0] ?? node.all[0] ?? node.none[0])?.message ?? rule.help}`))";
    scene.check(|window| window.driver().run_async(script, &json!([])))
}

/// Checks the page in both themes.
pub(crate) fn check(scene: &Scene, screen: &str) {
    for theme in ["light", "dark"] {
        scene.choose_theme(theme);
        let found = violations(scene);
        assert!(found.is_empty(), "{screen}, {theme}:\n{}", found.join("\n"));
    }
}

#[test]
fn first_run_has_no_violation() {
    let mut scene = Scene::bare();
    scene.open(&[]);
    scene.wait_until("the first choice", "document.querySelector('[data-testid=first-run]')");
    check(&scene, "first run");
    // A picture without a name, so that a silent axe is no peace.
    scene.ask("document.body.append(document.createElement('img'))");
    assert!(violations(&scene).iter().any(|one| one.starts_with("image-alt")), "axe sees what is on the page");
}

#[test]
fn the_workspace_has_no_violation() {
    let mut scene = Scene::with_workspace();
    scene.open_workspace();
    check(&scene, "workspace");
}
