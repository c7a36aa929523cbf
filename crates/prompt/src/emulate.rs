//! A sequence of builds, edits and clock steps, played over a snapshot in memory; nothing on disk changes.
//!
//! It answers what the running agent would be served: its cache looks at modification times only.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use model::paths::resolve;
use model::{Assembly, ContentHash, Context, FileIdentity, Snapshot, SourceFile, SourceOrigin, TargetError};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::assemble::{Assembler, Inputs};
use crate::cache::TargetCache;
use crate::js;

/// The message that is built when neither step nor context has one.
const MESSAGE: &str = "m";

/// One step. In JSON, `do` names it.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Step {
    /// The agent builds its prompt.
    Build {
        /// Channel of this build; the context's when absent.
        channel: Option<String>,
        /// Chat of this build.
        chat_id: Option<String>,
        /// Sender of this build.
        sender_id: Option<String>,
        /// Message of this build.
        message: Option<String>,
    },
    /// A file is written.
    Write {
        /// `home:`, `app:` or `project:` and a path below it, or an absolute path.
        file: String,
        /// The whole text.
        text: String,
        /// Milliseconds since 1970, set as Node sets times; the emulated clock when absent.
        mtime: Option<f64>,
        /// Nanoseconds since 1970, exact.
        mtime_ns: Option<i64>,
    },
    /// A file gets another modification time.
    Mtime {
        /// As in `write`.
        file: String,
        /// As in `write`.
        mtime: Option<f64>,
        /// As in `write`.
        mtime_ns: Option<i64>,
    },
    /// A file goes.
    Remove {
        /// As in `write`.
        file: String,
    },
    /// The clock goes on.
    Clock {
        /// Milliseconds.
        add_ms: i64,
    },
    /// The list of disabled skills is replaced, which clears the cache.
    Disable {
        /// The skills' names.
        names: Vec<String>,
    },
    /// The cache is cleared.
    Invalidate {},
}

/// What one build gave.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EmulatedBuild {
    /// The target's own fingerprint.
    pub fingerprint: String,
    /// Whether it differs from the build before; `None` for the first.
    pub fingerprint_changed: Option<bool>,
    /// Whether the served text differs from the build before; `None` for the first.
    pub prompt_changed: Option<bool>,
    /// True when an agent that had just started would be given another text.
    pub stale: bool,
    /// The message being sent, with its suffix.
    pub user_message: String,
    /// The text that was served; empty when the agent would have stopped.
    pub text: String,
    /// With what the agent would have stopped.
    pub target_error: Option<TargetError>,
}

/// A step that cannot be played.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error("step {step}: {message}")]
pub struct EmulateError {
    /// Number of the step, from 1.
    pub step: usize,
    /// What is wrong with it, and what to do.
    pub message: String,
}

/// Reads the steps of a step file: `{"steps": […]}`.
///
/// # Errors
/// [`EmulateError`] with the number of the step that is none, or step 0 when there is no list of steps.
pub fn read_steps(file: &Value) -> Result<Vec<Step>, EmulateError> {
    let none = || EmulateError {
        step: 0,
        message: "the file has no list \"steps\"; it looks like {\"steps\": [{\"do\": \"build\"}]}".into(),
    };
    let steps = file.get("steps").and_then(Value::as_array).ok_or_else(none)?;
    let read = |(at, step): (usize, &Value)| {
        serde_json::from_value(step.clone()).map_err(|error| EmulateError { step: at + 1, message: error.to_string() })
    };
    steps.iter().enumerate().map(read).collect()
}

/// Plays `steps` and gives one entry for each build.
///
/// # Errors
/// [`EmulateError`] with the number of the step that cannot be played.
pub fn emulate(inputs: &Inputs<'_>, steps: &[Step]) -> Result<Vec<EmulatedBuild>, EmulateError> {
    let mut play = Play {
        snapshot: inputs.snapshot.clone(),
        context: inputs.context.clone(),
        cache: TargetCache::new(inputs.target.cache_entries),
        assembler: Assembler::default(),
        builds: Vec::new(),
        inode: u64::MAX,
    };
    for (at, step) in steps.iter().enumerate() {
        play.step(inputs, step).map_err(|message| EmulateError { step: at + 1, message })?;
    }
    Ok(play.builds)
}

struct Play {
    snapshot: Snapshot,
    context: Context,
    cache: TargetCache,
    assembler: Assembler,
    builds: Vec<EmulatedBuild>,
    /// Inode of the next new file, counted down from where no disk's are.
    inode: u64,
}

impl Play {
    fn step(&mut self, inputs: &Inputs<'_>, step: &Step) -> Result<(), String> {
        match step {
            Step::Build { channel, chat_id, sender_id, message } => {
                let mut context = self.context.clone();
                context.channel = channel.clone().or(context.channel);
                context.chat_id = chat_id.clone().or(context.chat_id);
                context.sender_id = sender_id.clone().or(context.sender_id);
                context.message = message.clone().or(context.message).or_else(|| Some(MESSAGE.to_owned()));
                self.build(inputs, &context);
            }
            Step::Write { file, text, mtime, mtime_ns } => {
                let path = self.path(file)?;
                let mtime_ns = self.mtime(*mtime, *mtime_ns)?;
                self.write(&path, text, mtime_ns);
            }
            Step::Mtime { file, mtime, mtime_ns } => {
                let path = self.path(file)?;
                if mtime.is_none() && mtime_ns.is_none() {
                    return Err("`mtime` or `mtime_ns` is needed".into());
                }
                let mtime_ns = self.mtime(*mtime, *mtime_ns)?;
                self.existing(&path)?;
                for path in self.twins(&path) {
                    self.snapshot = self.snapshot.with_mtime(&path, mtime_ns);
                }
            }
            Step::Remove { file } => {
                let path = self.path(file)?;
                self.existing(&path)?;
                for path in self.twins(&path) {
                    self.snapshot = self.snapshot.without_file(&path);
                }
            }
            Step::Clock { add_ms } => {
                let time = self.clock()?.checked_add(SignedDuration::from_millis(*add_ms));
                self.context.time =
                    Some(time.map_err(|error| format!("the clock cannot go there: {error}"))?.to_string());
            }
            Step::Disable { names } => {
                self.context.disabled_skills = Some(names.clone());
                self.cache = self.cache.clone().cleared();
            }
            Step::Invalidate {} => self.cache = self.cache.clone().cleared(),
        }
        Ok(())
    }

    fn build(&mut self, inputs: &Inputs<'_>, context: &Context) {
        let fresh = self.assembler.assemble(&Inputs { snapshot: &self.snapshot, context, ..*inputs });
        let fresh_text: Arc<str> = fresh.text().into();
        let key = TargetCache::key(context, &fresh);
        let kept = self.cache.get(&key).is_some();
        let stopped = fresh.target_error.clone().filter(|_| !kept);
        let text = if stopped.is_some() {
            Arc::from("")
        } else {
            let (cache, text) = self.cache.clone().serve(&key, &fresh_text);
            self.cache = cache;
            text
        };
        let stale = stopped.is_none() && (text != fresh_text || fresh.target_error.is_some());
        self.push(&fresh, &text, stale, stopped);
    }

    fn push(&mut self, fresh: &Assembly, text: &str, stale: bool, target_error: Option<TargetError>) {
        let fingerprint = fresh.fingerprint.text();
        let before = self.builds.last();
        self.builds.push(EmulatedBuild {
            fingerprint_changed: before.map(|before| before.fingerprint != fingerprint),
            prompt_changed: before.map(|before| before.text != text),
            fingerprint,
            stale,
            user_message: fresh.user_message.text.clone(),
            text: text.to_owned(),
            target_error,
        });
    }

    fn clock(&self) -> Result<Timestamp, String> {
        let time = self.context.time.as_deref().ok_or("the context has no time")?;
        time.parse().map_err(|error| format!("the context's time is not RFC 3339: {error}"))
    }

    fn mtime(&self, ms: Option<f64>, ns: Option<i64>) -> Result<i64, String> {
        match (ns, ms) {
            (Some(ns), _) => Ok(ns),
            (None, Some(ms)) => Ok(js::utimes_ns(ms)),
            (None, None) => {
                let ns = self.clock()?.as_nanosecond();
                i64::try_from(ns).map_err(|_| "the clock is beyond what a file's time can be".into())
            }
        }
    }

    /// The absolute path that a step names.
    fn path(&self, file: &str) -> Result<String, String> {
        let places = &self.snapshot.places;
        let (root, rest) = match file.split_once(':') {
            Some(("home", rest)) => (places.home.clone(), rest),
            Some(("app", rest)) => {
                // The app's paths are kept as they were given, so they are not resolved here.
                let root = places.app.as_deref().ok_or("`app:` needs an installed app; pass --app")?;
                return Ok(format!("{}/{rest}", root.trim_end_matches('/')));
            }
            Some(("project", rest)) => (self.project()?, rest),
            _ if file.starts_with('/') => (String::new(), file),
            _ => return Err(format!("\"{file}\" is no place: use home:, app:, project: or an absolute path")),
        };
        Ok(resolve(&places.process_cwd, &format!("{root}/{rest}")))
    }

    /// The folder that holds the workspace's `.catbuddy`, whatever the work root is.
    fn project(&self) -> Result<String, String> {
        let places = &self.snapshot.places;
        let workspace = resolve(&places.process_cwd, &places.workspace);
        match workspace.rfind("/.catbuddy/").or_else(|| workspace.strip_suffix("/.catbuddy").map(str::len)) {
            Some(at) => Ok(workspace[..at].to_owned()),
            None => places
                .project
                .clone()
                .ok_or_else(|| format!("`project:` needs a workspace below .catbuddy; {workspace} is not")),
        }
    }

    fn write(&mut self, path: &str, text: &str, mtime_ns: i64) {
        self.inode -= 1;
        let identity = self.snapshot.entries().find(|entry| *entry.path == *path).and_then(|entry| entry.identity);
        let fresh = FileIdentity { device: 0, inode: self.inode, ..FileIdentity::default() };
        let identity =
            FileIdentity { size: text.len() as u64, mtime_ns, ctime_ns: mtime_ns, ..identity.unwrap_or(fresh) };
        let hash = ContentHash(*blake3::hash(text.as_bytes()).as_bytes());
        for path in self.twins(path) {
            let file = SourceFile::new(path.as_str(), identity, SourceOrigin::Emulated, text.as_bytes(), hash);
            self.snapshot = self.snapshot.with_file(&Arc::new(file));
        }
    }

    /// A path that the snapshot knows must hold something. Of other paths nothing is known.
    fn existing(&self, path: &str) -> Result<(), String> {
        match self.snapshot.entries().find(|entry| *entry.path == *path) {
            Some(entry) if entry.identity.is_none() => Err(format!("there is no file {path}")),
            _ => Ok(()),
        }
    }

    /// `path`, and every other path of the snapshot under which the same file was found.
    fn twins(&self, path: &str) -> Vec<String> {
        let file = |identity: Option<FileIdentity>| {
            identity.filter(|file| file.inode != 0).map(|file| (file.device, file.inode))
        };
        let identity =
            self.snapshot.entries().find(|entry| *entry.path == *path).and_then(|entry| file(entry.identity));
        let mut paths = vec![path.to_owned()];
        if identity.is_some() {
            let twins =
                self.snapshot.entries().filter(|entry| file(entry.identity) == identity && *entry.path != *path);
            paths.extend(twins.map(|entry| entry.path.to_string()));
            paths.dedup();
        }
        paths
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

    use serde_json::json;

    use super::*;

    #[test]
    fn an_unknown_step_is_named_by_its_number() {
        let error = read_steps(&json!({"steps": [{"do": "build"}, {"do": "bild"}]})).unwrap_err();
        assert_eq!(error.step, 2);
        assert!(error.message.contains("bild"), "{error}");
        let error = read_steps(&json!({"steps": [{"do": "clock", "add": 5}]})).unwrap_err();
        assert_eq!(error.step, 1);
        assert_eq!(read_steps(&json!([])).unwrap_err().step, 0);
    }
}
