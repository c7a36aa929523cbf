//! Pictures of the states that a screen can be in: empty, filled, long, in trouble, and where there is little room.
//! `make test` takes them in English; `make test-long` in every language. Each is also checked as it is drawn.

use product_tests::window::{Key, Size, Window};
use serde_json::json;

use crate::languages::{LANGUAGES, PAGES};
use crate::scene::Scene;

/// A profile with parts that no form knows, and two kinds of line ends.
const PROFILE: &str = "# About me\r\n\r\n- **Name:** Juni\r\n- Language: Spanish\n\n## Preferences\n\n1. Short answers\n2. Metric units\n\n\
    ## Garden log\n\n| day | what |\n|---|---|\n| 3 | figs |\n\n<!-- mine -->\nThe end";
const MEMORY: &str = "# Memory\n\n## User\n\n- Keeps two figs on the balcony, one of them from a cutting.\n- Likes tea at five.\n\n\
    ## Notes\n\n- Keeps two figs on the balcony, one of them from a cutting.\n";
/// GBK: "name: 你好".
const FOREIGN: &[u8] = b"# Rules\n\nname: \xC4\xE3\xBA\xC3\n";

pub(crate) fn languages() -> &'static [&'static str] {
    if std::env::var_os("CBW_LONG").is_some() { &LANGUAGES } else { &LANGUAGES[..1] }
}

impl Scene {
    /// Clicks by script: at twice the size WebDriver looks for a control where it would be at its own.
    fn push(&self, id: &str) {
        self.there(id);
        self.ask(&format!("document.querySelector('[data-testid=\"{id}\"]').click()"));
    }

    pub(crate) fn file(&self, path: &str) {
        self.press(&[Key::Control, Key::Character('k')]);
        self.wait_until("the palette", "document.activeElement?.dataset.testid === 'palette-input'");
        self.type_keys(path);
        let first = "document.querySelector('[data-testid=palette] [aria-selected=true] .label')?.textContent";
        self.wait_until(&format!("the palette to find {path}"), &format!("{first} === {}", json!(path)));
        self.press(&[Key::Enter]);
        let name = format!("document.querySelector('h1 .name')?.textContent === {}", json!(path));
        self.wait_until(path, &name);
    }

    fn turn_to(&self, page: &str) {
        self.push(&format!("nav-{page}"));
        self.wait_until(
            &format!("the page {page}"),
            &format!("document.querySelector('[data-testid=page-{page}] h1')"),
        );
        self.wait_until("what it reads", "!document.querySelector('.skeleton')");
        self.check(Window::settle);
    }

    fn fill(&self, id: &str, text: &str) {
        self.there(id);
        self.ask(&format!("document.querySelector('[data-testid=\"{id}\"]').focus()"));
        self.type_keys(text);
    }

    fn panel(&self, id: &str) {
        self.push("preview-menu");
        self.push(&format!("open-{id}"));
        self.there(&format!("{id}-panel"));
        self.check(Window::settle);
    }

    fn escape(&self) {
        self.press(&[Key::Escape]);
        self.wait_until("no dialog", "!document.querySelector('dialog')");
    }

    /// Opens the workspace in `language`.
    pub(crate) fn open_in(&mut self, language: &str, size: Size) {
        let workspace = self.workspace();
        let arguments = ["--workspace", workspace.to_str().unwrap()];
        self.open_sized(&arguments, size);
        self.check(Window::wait_until_drawn);
        if language != "en" {
            self.choose_language(language);
            self.close();
            self.open_sized(&arguments, size);
            self.check(Window::wait_until_drawn);
        }
    }
}

/// Everything that a workspace can have the matter with it, in one.
fn troubled() -> Scene {
    let scene = Scene::with_workspace();
    scene.write("USER.md", PROFILE);
    scene.write("memory/MEMORY.md", MEMORY);
    scene.write_bytes("AGENTS.md", FOREIGN);
    scene.remove("TOOLS.md");
    scene.write("tools.md", "# Tools\n\nThe calendar is read only.\n");
    scene.write("notes.md", "Juni keeps bees.\n");
    let long = "long-name-".repeat(20);
    scene.write(&format!("skills/{long}/SKILL.md"), &format!("---\nname: {long}\ndescription: {long}\n---\n\nBody.\n"));
    scene.write("skills/folded/SKILL.md", "---\nname: other\ndescription: >\n  In two\n  lines: yes\n---\nBody.\n");
    scene.write("skills/parcel-log/SKILL.md", "---\nname: parcel-log\ndescription: Mine\n---\nBody.\n");
    let far = scene.home().join(format!("{long}/{long}"));
    let both = scene.project();
    for file in
        [far.join(".catbuddy/AGENTS.md"), both.join(".catbuddy/AGENTS.md"), both.join(".catbuddy/workspace/SOUL.md")]
    {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, "# Rules\n").unwrap();
    }
    std::fs::create_dir_all(scene.home().join("blank")).unwrap();
    let projects = [far, both, scene.home().join("blank"), scene.home().join("gone")];
    let list = json!({ "schema_version": 1, "projects": projects.map(|path| json!({ "path": path })) });
    let own = scene.home().join(".catbuddy/workbench");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(own.join("projects.json"), list.to_string()).unwrap();
    scene
}

pub(crate) const USUAL: Size = Size { width: 1280, height: 800 };

#[test]
fn files_in_every_state() {
    let mut wrong = Vec::new();
    for language in languages() {
        let mut scene = troubled();
        scene.open_in(language, USUAL);
        let mut look = |scene: &Scene, name: &str| scene.look(&format!("{language}-{name}"), &mut wrong);
        for (file, name) in
            [("SOUL.md", "soul"), ("memory/MEMORY.md", "memory-file"), ("skills/tide-log/SKILL.md", "skill-file")]
        {
            scene.file(file);
            scene.there("form");
            look(&scene, &format!("form-{name}"));
        }
        scene.file("AGENTS.md");
        scene.wait_for_state("read_only");
        look(&scene, "file-read-only");
        scene.push("convert");
        scene.wait_until("the readings", "document.querySelector('[data-testid=convert-dialog] input')");
        look(&scene, "dialog-convert");
        scene.escape();
        scene.file("TOOLS.md");
        scene.wait_for_state("missing");
        look(&scene, "file-missing");
        scene.panel("findings");
        look(&scene, "findings-many");
        scene.push("fix-rename");
        scene.there("rename-dialog");
        look(&scene, "dialog-rename");
        scene.escape();

        scene.file("USER.md");
        scene.there("form");
        scene.press(&[Key::Control, Key::Character('e')]);
        scene.fill("field-name", "per Vale");
        scene.wait_for_state("draft");
        look(&scene, "form-draft");
        scene.press(&[Key::Control, Key::Character('3')]);
        scene.there("diff");
        look(&scene, "difference");
        scene.write("USER.md", &PROFILE.replace("Juni", "Hazel").replace("figs", "plums"));
        scene.wait_for_state("conflict");
        look(&scene, "conflict");
        scene.push("conflict-compare");
        scene.there("merge-hunk");
        look(&scene, "merge");
        scene.push("conflict-mine");
        scene.wait_for_state("draft");
        scene.press(&[Key::Control, Key::Character('s')]);
        scene.wait_for_state("saved");
        scene.push("open-versions");
        scene.there("version-row");
        scene.ask("[...document.querySelectorAll('[data-testid=version-row]')].at(-1).click()");
        scene.there("restore");
        look(&scene, "versions");
        scene.press(&[Key::Control, Key::Character('k')]);
        scene.there("palette");
        look(&scene, "palette");
        scene.type_keys("no such name");
        look(&scene, "palette-none");
        scene.escape();
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a page shows when there is something to show: long names, problems, answers, refusals.
fn filled_pages(scene: &Scene, mut look: impl FnMut(&Scene, &str)) {
    scene.turn_to("skills");
    look(scene, "skills-many");
    scene.push("skill-new");
    scene.fill("skill-name", "Not A Name");
    scene.push("skill-make");
    look(scene, "dialog-skill");
    scene.escape();
    scene.turn_to("memory");
    scene
        .fill("memory-summary", "## User Profile\n- Moved to the hills.\n\n## Project Context\n- The shed is built.\n");
    scene.push("memory-look");
    scene.there("memory-added-global");
    scene.ask("document.querySelector('[data-testid=memory-added-global]').scrollIntoView({ block: 'center' })");
    look(scene, "memory-what-if");
    scene.turn_to("why");
    scene.fill("why-phrase", "bees");
    scene.push("why-look");
    scene.there("why-verdict");
    look(scene, "why-found");
    scene.fill("why-phrase", " nobody wrote this");
    scene.push("why-look");
    scene.there("why-nowhere");
    look(scene, "why-nowhere");
    scene.turn_to("projects");
    scene.fill("project-path", "kiln");
    scene.push("project-add-path");
    look(scene, "projects-many");
    scene.push("project-choose");
    scene.there("layout-inner");
    look(scene, "dialog-layout");
    scene.escape();
    scene.turn_to("settings");
    scene.fill("settings-locale", "en_US!");
    scene.press(&[Key::Tab]);
    scene.check(Window::settle);
    look(scene, "settings-refused");
}

#[test]
fn pages_with_much_to_show() {
    let mut wrong = Vec::new();
    for language in languages() {
        let mut scene = troubled();
        scene.open_in(language, USUAL);
        filled_pages(&scene, |scene, name| scene.look(&format!("{language}-{name}"), &mut wrong));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn pages_with_nothing_to_show() {
    let mut wrong = Vec::new();
    for language in languages() {
        let mut scene = Scene::with_bare_app();
        scene.write("SOUL.md", "# Miso\n");
        scene.open_in(language, USUAL);
        for page in PAGES {
            scene.turn_to(page);
            scene.look(&format!("{language}-{page}-empty"), &mut wrong);
        }
        scene.panel("findings");
        scene.look(&format!("{language}-findings-empty"), &mut wrong);
        scene.escape();
        scene.file("SOUL.md");
        scene.push("open-versions");
        scene.there("versions");
        scene.check(Window::settle);
        scene.look(&format!("{language}-versions-empty"), &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Text at twice its size in the smallest window: 360 pixels for everything.
#[test]
fn every_page_at_twice_its_size() {
    let mut wrong = Vec::new();
    for language in languages() {
        let mut scene = troubled();
        scene.open_in(language, Size { width: 720, height: 800 });
        scene.file("USER.md");
        scene.there("form");
        for _ in 0..10 {
            scene.press(&[Key::Control, Key::Character('+')]);
        }
        scene.wait_until("twice the size", "document.documentElement.style.zoom === '2'");
        let mut look = |scene: &Scene, name: &str| scene.look(&format!("{language}-twice-{name}"), &mut wrong);
        look(&scene, "form");
        scene.press(&[Key::Control, Key::Character('2')]);
        scene.wait_for_editor("Juni");
        look(&scene, "source");
        scene.push("side-prompt");
        look(&scene, "prompt");
        filled_pages(&scene, look);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
