//! A client for WebKit's WebDriver, as small as the tests need it.
//!
//! Protocol: W3C WebDriver 2 (<https://www.w3.org/TR/webdriver2/>). The program is started through WebKitGTK's own
//! `webkitgtk:browserOptions`.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{PATIENCE, WindowError, wait_for};

/// The key under which WebDriver names an element (WebDriver 2, "Elements").
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// Keys without a character, as WebDriver writes them (WebDriver 2, "Keyboard actions").
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Key {
    /// A character.
    Character(char),
    /// Control, held down while the keys after it are pressed.
    Control,
    /// Shift, held down while the keys after it are pressed.
    Shift,
    /// Alt, held down while the keys after it are pressed.
    Alt,
    /// Tab.
    Tab,
    /// Enter.
    Enter,
    /// Escape.
    Escape,
    /// End.
    End,
    /// Home.
    Home,
    /// Arrow up.
    ArrowUp,
    /// Arrow down.
    ArrowDown,
    /// Arrow left.
    ArrowLeft,
    /// Arrow right.
    ArrowRight,
    /// A function key, from 1 to 12.
    F(u8),
    /// Delete.
    Delete,
}

impl Key {
    fn code(self) -> String {
        match self {
            Self::Character(character) => character,
            Self::Shift => '\u{E008}',
            Self::Control => '\u{E009}',
            Self::Alt => '\u{E00A}',
            Self::Tab => '\u{E004}',
            Self::Enter => '\u{E007}',
            Self::Escape => '\u{E00C}',
            Self::End => '\u{E010}',
            Self::Home => '\u{E011}',
            Self::ArrowUp => '\u{E013}',
            Self::ArrowDown => '\u{E015}',
            Self::ArrowLeft => '\u{E012}',
            Self::ArrowRight => '\u{E014}',
            Self::F(number) => char::from_u32(0xE030 + u32::from(number)).unwrap_or('\u{E031}'),
            Self::Delete => '\u{E017}',
        }
        .to_string()
    }
}

/// A running WebDriver with one session: one window of the program. Both end with this value.
#[derive(Debug)]
pub struct Driver {
    process: Child,
    agent: ureq::Agent,
    /// Address of the session.
    session: String,
}

impl Driver {
    /// Starts the WebDriver with what `environment` sets up (the display, the home), and through it `program`.
    ///
    /// # Errors
    /// When the WebDriver is missing, or the program opens no window.
    pub fn start(
        program: &Path,
        arguments: &[String],
        environment: impl FnOnce(&mut Command) -> &mut Command,
    ) -> Result<Self, WindowError> {
        // The system picks a free port; the WebDriver takes it a moment later.
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let mut command = Command::new("WebKitWebDriver");
        command.arg(format!("--port={port}")).stdin(Stdio::null());
        let process = environment(&mut command)
            .spawn()
            .map_err(|cause| WindowError::Start { program: "WebKitWebDriver".to_owned(), cause })?;
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_mins(2)))
            .build()
            .new_agent();
        let address = format!("http://127.0.0.1:{port}");
        let mut driver = Self { process, agent, session: address.clone() };
        wait_for("the WebDriver", || Ok(driver.agent.get(format!("{address}/status")).call().ok().map(drop)))?;
        // `browserName` must not be asked for: the program's own name would have to match.
        let options = json!({ "binary": program, "args": arguments });
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "webkitgtk:browserOptions": options,
            "timeouts": { "script": u64::try_from(PATIENCE.as_millis()).unwrap_or(u64::MAX) },
        } } });
        let opened: Value = driver.post("/session", &wanted)?;
        let id = opened["sessionId"].as_str().unwrap_or_default();
        driver.session = format!("{address}/session/{id}");
        Ok(driver)
    }

    /// Process id of the WebDriver, whose child the program is.
    pub fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Runs `script` in the window, with `arguments`, and gives what it returns.
    ///
    /// # Errors
    /// When it throws, or returns something else than a `T`.
    pub fn run<T: DeserializeOwned>(&self, script: &str, arguments: &Value) -> Result<T, WindowError> {
        self.post("/execute/sync", &json!({ "script": script, "args": arguments }))
    }

    /// Runs `script` as the body of an async function, and gives what it resolves to.
    ///
    /// # Errors
    /// When it rejects, or resolves to something else than a `T`.
    pub fn run_async<T: DeserializeOwned>(&self, script: &str, arguments: &Value) -> Result<T, WindowError> {
        let wrapped = format!(
            "const done = arguments[arguments.length - 1];
             (async function () {{ {script} }}).apply(null, arguments)
               .then((value) => done({{ value }}), (error) => done({{ error: error?.message ?? String(error) }}));"
        );
        let outcome: Value = self.post("/execute/async", &json!({ "script": wrapped, "args": arguments }))?;
        match outcome["error"].as_str() {
            Some(message) => Err(failed("execute/async", message)),
            None => read("execute/async", outcome["value"].clone()),
        }
    }

    /// Clicks the one element that `css` finds.
    ///
    /// # Errors
    /// When there is none, or something lies over it.
    pub fn click(&self, css: &str) -> Result<(), WindowError> {
        let element = self.element(css)?;
        self.post(&format!("/element/{element}/click"), &json!({}))
    }

    /// Gives the element that `css` finds the focus and types `text`, as a keyboard would.
    ///
    /// # Errors
    /// When there is none, or it takes no text.
    pub fn type_into(&self, css: &str, text: &str) -> Result<(), WindowError> {
        let element = self.element(css)?;
        self.post(&format!("/element/{element}/value"), &json!({ "text": text }))
    }

    /// Presses `keys` one after the other, each held until all are down, and lets them go in reverse.
    ///
    /// # Errors
    /// When the WebDriver refuses.
    pub fn press(&self, keys: &[Key]) -> Result<(), WindowError> {
        let action = |kind: &str, key: &Key| json!({ "type": kind, "value": key.code() });
        let down = keys.iter().map(|key| action("keyDown", key));
        let up = keys.iter().rev().map(|key| action("keyUp", key));
        let actions: Vec<Value> = down.chain(up).collect();
        self.post("/actions", &json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": actions }] }))
    }

    /// Types `text` into whatever has the focus, one key after the other.
    ///
    /// # Errors
    /// When the WebDriver refuses.
    pub fn type_keys(&self, text: &str) -> Result<(), WindowError> {
        let actions: Vec<Value> = text
            .chars()
            .map(|character| if character == '\n' { Key::Enter } else { Key::Character(character) })
            .flat_map(|key| ["keyDown", "keyUp"].map(|kind| json!({ "type": kind, "value": key.code() })))
            .collect();
        self.post("/actions", &json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": actions }] }))
    }

    /// Gives the window another size.
    ///
    /// # Errors
    /// When the WebDriver refuses.
    pub fn resize(&self, size: super::Size) -> Result<(), WindowError> {
        let place = json!({ "x": 0, "y": 0, "width": size.width, "height": size.height });
        self.post::<Value>("/window/rect", &place).map(drop)
    }

    fn element(&self, css: &str) -> Result<String, WindowError> {
        let found: Value = self.post("/element", &json!({ "using": "css selector", "value": css }))?;
        found[ELEMENT].as_str().map(str::to_owned).ok_or_else(|| failed("element", css))
    }

    fn post<T: DeserializeOwned>(&self, command: &str, body: &Value) -> Result<T, WindowError> {
        let sent = self.agent.post(format!("{}{command}", self.session)).send_json(body);
        let mut answer = sent.map_err(|error| failed(command, error))?;
        let answer: Value = answer.body_mut().read_json().map_err(|error| failed(command, error))?;
        let value = answer["value"].clone();
        match value["error"].as_str() {
            Some(error) => Err(failed(command, format!("{error}: {}", value["message"].as_str().unwrap_or_default()))),
            None => read(command, value),
        }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Ends the program, which the WebDriver started.
        drop(self.agent.delete(&self.session).call());
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

fn failed(command: &str, message: impl std::fmt::Display) -> WindowError {
    WindowError::Driver { command: command.to_owned(), message: message.to_string() }
}

fn read<T: DeserializeOwned>(command: &str, value: Value) -> Result<T, WindowError> {
    serde_json::from_value(value).map_err(|error| failed(command, error))
}
