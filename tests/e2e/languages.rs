//! Each screen in each language and theme: axe, a picture, and nothing that is cut or sticks out.

use product_tests::window::{Key, Size, Window};
use serde_json::json;

use crate::accessibility::violations;
use crate::scene::Scene;

pub(crate) const LANGUAGES: [&str; 3] = ["en", "zh", "fr"];
pub(crate) const PAGES: [&str; 5] = ["skills", "memory", "why", "projects", "settings"];

/// What sticks out of the window or of its pane, and controls that cannot show what they say. What scrolls, and what
/// is cut on purpose (it has its whole text as a title or in a tooltip), is left alone.
const OUTSIDE: &str = "
    const scrolls = (part) => part !== null && (['auto', 'scroll'].includes(getComputedStyle(part).overflowX) || scrolls(part.parentElement));
    const edge = (part) => (part.closest('dialog, [data-region=editor], [data-region=prompt]') ?? document.documentElement).getBoundingClientRect().right;
    const shown = (part) => part.getClientRects().length > 0 && !part.closest('.unseen, .over, [hidden], .cm-editor') && part.getBoundingClientRect().width > 1;
    const name = (part) => `${part.tagName.toLowerCase()} ${part.dataset.testid ?? ''} ${part.innerText?.slice(0, 40) ?? ''}`;
    const parts = [...document.querySelectorAll('button, input, select, textarea, h1, h2, h3, p, li, dt, dd, label')].filter(shown);
    return [
        ...parts.filter((part) => part.getBoundingClientRect().right > edge(part) + 1 && !scrolls(part.parentElement))
            .map((part) => `sticks out: ${name(part)}`),
        ...parts.filter((part) => part.matches('button') && part.scrollWidth > part.clientWidth + 1 && !part.querySelector('.cut') && getComputedStyle(part).overflowX !== 'visible')
            .map((part) => `cut: ${name(part)}`),
    ]";

impl Scene {
    /// Keeps `language` in the settings; the next start speaks it.
    pub(crate) fn choose_language(&self, language: &str) {
        let save = "
            const settings = await window.__TAURI_INTERNALS__.invoke('settings', { request: {} });
            const changed = { ...settings, language: arguments[0] };
            await window.__TAURI_INTERNALS__.invoke('save_settings', { request: changed });
            return true";
        self.check(|window| window.driver().run_async::<bool>(save, &json!([language])));
    }

    /// Looks at the page as it stands in both themes, and keeps a picture of each. What is wrong with it is added to
    /// `wrong`: violations, and what makes the page scroll sideways.
    pub(crate) fn look(&self, name: &str, wrong: &mut Vec<String>) {
        for theme in ["light", "dark"] {
            self.choose_theme(theme);
            wrong.extend(violations(self).into_iter().map(|one| format!("{name}, {theme}: {one}")));
            let outside = self.ask(OUTSIDE);
            let outside = outside.as_array().into_iter().flatten().filter_map(|one| one.as_str());
            wrong.extend(outside.map(|one| format!("{name}, {theme}: {one}")));
            self.picture(&format!("{name}-{theme}"));
        }
    }
}

#[test]
fn every_page_in_every_language() {
    let mut wrong = Vec::new();
    for language in LANGUAGES {
        let mut scene = Scene::with_workspace();
        scene.open_workspace();
        scene.choose_language(language);
        scene.close();
        scene.open(&[]);
        scene.check(Window::wait_until_drawn);
        let tag = if language == "zh" { "zh-Hans" } else { language };
        scene.wait_until("the language", &format!("document.documentElement.lang === '{tag}'"));
        scene.click("nav-file-USER.md");
        scene.wait_until("the form", "document.querySelector('[data-testid=form]')");
        scene.look(&format!("{language}-form"), &mut wrong);
        scene.press(&[Key::Control, Key::Character('2')]);
        scene.wait_for_editor("Juni");
        scene.look(&format!("{language}-source"), &mut wrong);
        for page in PAGES {
            scene.click(&format!("nav-{page}"));
            scene.wait_until(
                &format!("the page {page}"),
                &format!("document.querySelector('[data-testid=page-{page}] *')"),
            );
            scene.check(Window::settle);
            scene.look(&format!("{language}-{page}"), &mut wrong);
        }
        for panel in ["context", "fingerprint", "history", "findings", "shortcuts"] {
            scene.click("preview-menu");
            scene.click(&format!("open-{panel}"));
            scene.wait_until(
                &format!("the panel {panel}"),
                &format!("document.querySelector('[data-testid={panel}-panel]')?.getBoundingClientRect().height > 120"),
            );
            scene.look(&format!("{language}-{panel}"), &mut wrong);
            scene.press(&[Key::Escape]);
            scene
                .wait_until("the panel to be gone", &format!("!document.querySelector('[data-testid={panel}-panel]')"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_first_screen_in_every_language() {
    let mut wrong = Vec::new();
    for language in LANGUAGES {
        let mut scene = Scene::bare();
        scene.open(&[]);
        scene.wait_until("the first choice", "document.querySelector('[data-testid=first-run]')");
        scene.choose_language(language);
        scene.close();
        scene.open(&[]);
        scene.wait_until("the first choice", "document.querySelector('[data-testid=first-run]')");
        scene.look(&format!("{language}-first-run"), &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What the backend says is said anew when the language changes: the window is not opened again.
#[test]
fn a_finding_is_told_in_the_windows_language() {
    let mut scene = Scene::with_workspace();
    scene.write("TOOLS.md", " \n");
    scene.open_workspace();
    for (language, tag, words) in [
        ("zh", "zh-Hans", "TOOLS.md 里只有空白。"),
        ("fr", "fr", "TOOLS.md ne contient que du blanc."),
        ("en", "en", "TOOLS.md holds white space only."),
    ] {
        scene.click("preview-menu");
        scene.click("open-settings");
        scene.wait_until("the settings", "document.querySelector('[data-testid=settings-language]')");
        scene.ask(&format!(
            "const choice = document.querySelector('[data-testid=settings-language]');
             choice.value = '{language}';
             choice.dispatchEvent(new Event('change', {{ bubbles: true }}));
             return true"
        ));
        scene.wait_until("the language", &format!("document.documentElement.lang === '{tag}'"));
        scene.press(&[Key::Escape]);
        scene.wait_until("the panel to be gone", "!document.querySelector('[data-testid=settings-panel]')");
        scene.click("preview-menu");
        scene.click("open-findings");
        scene.wait_until(
            words,
            &format!("document.querySelector('[data-testid=finding-empty-section]')?.textContent.includes('{words}')"),
        );
        scene.picture(&format!("finding-{language}"));
        scene.press(&[Key::Escape]);
        scene.wait_until("the panel to be gone", "!document.querySelector('[data-testid=findings-panel]')");
    }
}

#[test]
fn pages_and_forms_where_there_is_room_for_one_side() {
    let mut wrong = Vec::new();
    let mut scene = Scene::with_workspace();
    let workspace = scene.workspace();
    scene.open_sized(&["--workspace", workspace.to_str().unwrap()], Size { width: 720, height: 600 });
    scene.check(Window::wait_until_drawn);
    scene.wait_until("a form", "document.querySelector('[data-testid=form]')");
    scene.look("narrow-form", &mut wrong);
    for page in PAGES {
        scene.click(&format!("nav-{page}"));
        scene.check(Window::settle);
        scene.look(&format!("narrow-{page}"), &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
