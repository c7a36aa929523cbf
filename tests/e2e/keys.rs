//! What a test does by keys alone, and how it sees where they led.

use product_tests::window::{Key, Window, wait_for};
use serde_json::{Value, json};

use crate::scene::Scene;

/// More stops than any screen has between two controls.
const MOST_STOPS: usize = 120;

impl Scene {
    /// Presses `keys` until the focus is on what `css` finds.
    pub(crate) fn walk(&self, keys: &[Key], css: &str) {
        let there = format!("return document.activeElement?.matches({}) ?? false", json!(css));
        for _ in 0..MOST_STOPS {
            if self.ask(&there) == true {
                return;
            }
            self.press(keys);
        }
        let held = self.ask("return document.activeElement?.outerHTML.slice(0, 300)");
        panic!("{keys:?} never reaches {css}; the focus is on {held}");
    }

    /// Goes to a control by Tab.
    pub(crate) fn tab_to(&self, id: &str) {
        self.walk(&[Key::Tab], &format!("[data-testid='{id}']"));
    }

    pub(crate) fn type_keys(&self, text: &str) {
        self.check(|window| window.driver().type_keys(text));
    }

    pub(crate) fn enter(&self) {
        self.press(&[Key::Enter]);
    }

    pub(crate) fn ctrl(&self, key: char) {
        self.press(&[Key::Control, Key::Character(key)]);
    }

    pub(crate) fn there(&self, id: &str) {
        self.wait_until(&format!("{id} to be there"), &format!("document.querySelector('[data-testid=\"{id}\"]')"));
    }

    pub(crate) fn gone(&self, id: &str) {
        self.wait_until(&format!("{id} to be gone"), &format!("!document.querySelector('[data-testid=\"{id}\"]')"));
    }

    /// Waits until the control has the focus, which nobody gave it by hand.
    pub(crate) fn has_focus(&self, id: &str) {
        self.wait_until(&format!("the focus on {id}"), &format!("document.activeElement?.dataset.testid === '{id}'"));
    }

    /// Runs what the palette finds first for `text`.
    pub(crate) fn command(&self, text: &str) {
        self.ctrl('k');
        self.has_focus("palette-input");
        self.type_keys(text);
        let first = "document.querySelector('[data-testid=palette] [aria-selected=true]')?.innerText.toLowerCase()";
        self.wait_until(&format!("the palette to find {text}"), &format!("{first}.includes({})", json!(text)));
        self.enter();
        self.gone("palette");
    }

    pub(crate) fn text_of(&self, id: &str) -> String {
        let script = format!("return document.querySelector('[data-testid=\"{id}\"]')?.innerText ?? ''");
        self.ask(&script).as_str().unwrap_or_default().to_owned()
    }

    pub(crate) fn says(&self, id: &str, text: &str) {
        let shown = format!("document.querySelector('[data-testid=\"{id}\"]')?.innerText.includes({})", json!(text));
        self.wait_until(&format!("{id} to say \"{text}\""), &shown);
    }

    /// Waits until the prompt that the shell assembles holds `text`, in view or not.
    pub(crate) fn assembles(&self, text: &str) {
        let holds = || self.prompt("desktop").contains(text).then_some(());
        wait_for(&format!("the prompt to hold \"{text}\""), || Ok(holds())).unwrap_or_else(|error| panic!("{error}"));
    }

    pub(crate) fn settings(&self) -> Value {
        self.check(|window| {
            let ask = "return window.__TAURI_INTERNALS__.invoke('settings', { request: {} })";
            window.driver().run_async(ask, &json!([]))
        })
    }

    pub(crate) fn wait_for_setting(&self, key: &str, value: &Value) {
        let holds = || (self.settings()[key] == *value).then_some(());
        wait_for(&format!("{key} to be {value}"), || Ok(holds()))
            .unwrap_or_else(|error| panic!("{error}; it is {}", self.settings()[key]));
    }

    /// Opens the machine's project, whose agent has files of its own, beside the global profile.
    pub(crate) fn open_project(&mut self) {
        let project = self.project();
        for (name, text) in [(".catbuddy/AGENTS.md", "# Rules of the kiln\n"), (".catbuddy/USER.md", "# Kiln keeper\n")]
        {
            let path = project.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        self.open(&["--project", project.to_str().unwrap()]);
        self.check(Window::wait_until_drawn);
    }
}
