//! The skills as the target finds, orders and reads them.
//!
//! Rules (facts: skills): one level below each root, a folder with a file of the exact name, the folder's name
//! is the skill's; the newer releases scan the workspace first, the older ones the built-in root, and the first
//! of two equal names is listed. The order is that of `localeCompare`. Always-on skills are read from the
//! workspace when it has them, whichever is listed.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use icu_collator::options::{AlternateHandling, CollatorOptions, Strength};
use icu_collator::{CollatorBorrowed, CollatorPreferences};
use icu_locale_core::Locale;
use model::{
    Content, ContentHash, Context, Finding, Severity, SkillFolder, SkillOrigin, SkillPrecedence, SkillState, Snapshot,
    SourceFile, Target, TargetError, TargetErrorKind, Text, text,
};

use crate::front_matter::{self, FrontMatter};
use crate::js;

/// A skill whose file was read.
#[derive(Clone, Debug)]
pub(crate) struct ReadSkill<'a> {
    pub(crate) name: &'a str,
    pub(crate) origin: SkillOrigin,
    pub(crate) file: &'a Arc<SourceFile>,
    pub(crate) front: Arc<FrontMatter>,
}

impl ReadSkill<'_> {
    /// The description as the target reads it; empty when there is none.
    pub(crate) fn description(&self) -> &str {
        self.front.description.clone().map_or("", |range| &self.file.text()[range])
    }
}

/// A skill in the list.
#[derive(Clone, Debug)]
pub(crate) struct Listed<'a> {
    pub(crate) skill: ReadSkill<'a>,
    pub(crate) state: SkillState,
}

/// A skill that is found and not listed.
#[derive(Clone, Debug)]
pub(crate) struct Unlisted<'a> {
    pub(crate) name: &'a str,
    pub(crate) origin: SkillOrigin,
    pub(crate) path: &'a str,
    pub(crate) state: SkillState,
    pub(crate) reason: Text,
    /// Set when its file was read.
    pub(crate) skill: Option<ReadSkill<'a>>,
}

/// All skills of a snapshot.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shelf<'a> {
    /// In the target's order, disabled ones among them.
    pub(crate) listed: Vec<Listed<'a>>,
    /// Shadowed and broken ones.
    pub(crate) unlisted: Vec<Unlisted<'a>>,
    /// The always-on skills whose bodies are injected, in the target's order.
    pub(crate) always: Vec<ReadSkill<'a>>,
    /// Folders without the file that would make them a skill.
    pub(crate) not_skills: Vec<(&'a str, &'a str)>,
    /// With what the target would stop.
    pub(crate) error: Option<TargetError>,
    pub(crate) findings: Vec<Finding>,
}

/// What stands where a skill's file is looked for.
enum Presence<'a> {
    Absent,
    Readable(&'a Arc<SourceFile>),
    /// The target does not see a skill here.
    Broken(Text),
    /// The target sees a skill and stops when it reads it.
    Throws(Text),
}

fn presence(folder: &SkillFolder) -> Presence<'_> {
    if let Some(problem) = &folder.problem {
        return Presence::Broken(problem.clone());
    }
    match &folder.file.content {
        Content::Missing if folder.file.link.is_some() => Presence::Broken(text!("reason-skill-link")),
        Content::Missing => Presence::Absent,
        Content::File(file) => Presence::Readable(file),
        Content::Folder => Presence::Throws(text!("reason-skill-folder")),
        Content::Special(kind) => Presence::Throws(text!("reason-skill-special", kind = Content::special(kind))),
        Content::Unreadable(cause) => Presence::Throws(text!("reason-skill-unreadable", cause)),
    }
}

/// Front matter and sort keys, kept between assemblies: both depend on nothing but the text and the name.
#[derive(Debug, Default)]
pub(crate) struct SkillCache {
    parsed: HashMap<ContentHash, Arc<FrontMatter>>,
    order: Option<Order>,
}

struct Order {
    locale: String,
    collator: Option<CollatorBorrowed<'static>>,
    keys: HashMap<String, Arc<[u8]>>,
}

impl std::fmt::Debug for Order {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Order").field("locale", &self.locale).field("keys", &self.keys.len()).finish_non_exhaustive()
    }
}

impl SkillCache {
    fn front(&mut self, file: &SourceFile) -> Arc<FrontMatter> {
        let read = || Arc::new(front_matter::read(file.text()));
        Arc::clone(self.parsed.entry(file.hash).or_insert_with(read))
    }

    fn read<'a>(&mut self, name: &'a str, origin: SkillOrigin, file: &'a Arc<SourceFile>) -> ReadSkill<'a> {
        ReadSkill { name, origin, file, front: self.front(file) }
    }

    /// Forgets what the shelf that was read last did not use, once there is much of it.
    pub(crate) fn trim(&mut self, used: usize) {
        const SPARE: usize = 4096;
        if self.parsed.len() > used + SPARE {
            self.parsed.clear();
        }
        if let Some(order) = &mut self.order
            && order.keys.len() > used + SPARE
        {
            order.keys.clear();
        }
    }

    /// The collation of `locale`; `None` when the locale is unknown.
    fn order(&mut self, locale: &str) -> &mut Order {
        if self.order.as_ref().is_none_or(|order| order.locale != locale) {
            self.order = None;
        }
        self.order.get_or_insert_with(|| Order {
            locale: locale.to_owned(),
            collator: collator(locale).or_else(|| collator("en-US")),
            keys: HashMap::new(),
        })
    }
}

/// The collation that `String.prototype.localeCompare` uses: tertiary strength, punctuation not ignored.
fn collator(locale: &str) -> Option<CollatorBorrowed<'static>> {
    let locale = Locale::try_from_str(locale).ok()?;
    let mut options = CollatorOptions::default();
    options.strength = Some(Strength::Tertiary);
    options.alternate_handling = Some(AlternateHandling::NonIgnorable);
    CollatorBorrowed::try_new(CollatorPreferences::from(&locale), options).ok()
}

impl Order {
    fn key(&mut self, name: &str) -> Arc<[u8]> {
        if let Some(key) = self.keys.get(name) {
            return Arc::clone(key);
        }
        let mut key = Vec::new();
        if let Some(collator) = &self.collator {
            let Ok(()) = collator.write_sort_key_to(name, &mut key);
        }
        let key: Arc<[u8]> = key.into();
        self.keys.insert(name.to_owned(), Arc::clone(&key));
        key
    }
}

/// Reads the skills of `snapshot`.
pub(crate) fn shelf<'a>(
    snapshot: &'a Snapshot,
    target: &Target,
    context: &Context,
    cache: &mut SkillCache,
) -> Shelf<'a> {
    let mut shelf = Shelf::default();
    let workspace = (SkillOrigin::Workspace, &snapshot.workspace.skills);
    let builtin = (SkillOrigin::Builtin, &snapshot.app.skills);
    let roots = match context.skill_precedence.unwrap_or(SkillPrecedence::WorkspaceFirst) {
        SkillPrecedence::WorkspaceFirst => [workspace, builtin],
        SkillPrecedence::BuiltinFirst => [builtin, workspace],
    };
    let mut seen: HashSet<&str> = HashSet::new();
    for (origin, folders) in roots {
        for folder in folders {
            shelf.find(origin, folder, &mut seen, target, context, cache);
        }
    }
    for name in &target.always_on {
        let copies = [workspace, builtin].into_iter().filter_map(|(origin, folders)| {
            folders.iter().find(|folder| folder.name == *name).map(|folder| (origin, folder))
        });
        for (origin, folder) in copies {
            match presence(folder) {
                Presence::Readable(file) => shelf.always.push(cache.read(&folder.name, origin, file)),
                Presence::Throws(reason) => shelf.stops(folder, &reason),
                Presence::Absent | Presence::Broken(_) => continue,
            }
            break;
        }
    }
    let order = cache.order(context.locale());
    if order.collator.is_none() || Locale::try_from_str(context.locale()).is_err() {
        let message = text!("unknown-locale", locale = context.locale());
        shelf.findings.push(Finding::new("unknown-locale", Severity::Warning, message));
    }
    let mut keyed: Vec<(Arc<[u8]>, Listed<'a>)> =
        shelf.listed.drain(..).map(|listed| (order.key(listed.skill.name), listed)).collect();
    keyed.sort_by(|(a, one), (b, other)| a.cmp(b).then_with(|| js::utf16_order(one.skill.name, other.skill.name)));
    shelf.listed.extend(keyed.into_iter().map(|(_, listed)| listed));
    cache.trim(shelf.listed.len());
    shelf
}

impl<'a> Shelf<'a> {
    /// True when the file at `path` is that of an always-on skill, as the target reads it.
    pub(crate) fn is_read(&self, path: &str) -> bool {
        self.always.iter().any(|always| *always.file.path == *path)
    }

    /// Notes the error with which the target stops; the first one counts.
    fn stops(&mut self, folder: &SkillFolder, reason: &Text) {
        self.error.get_or_insert_with(|| TargetError {
            kind: TargetErrorKind::Io,
            path: Some(folder.file.path.to_string()),
            line: None,
            column: None,
            message: text!("reason-skill-stops", reason, name = &folder.name),
        });
    }

    fn find(
        &mut self,
        origin: SkillOrigin,
        folder: &'a SkillFolder,
        seen: &mut HashSet<&'a str>,
        target: &Target,
        context: &Context,
        cache: &mut SkillCache,
    ) {
        let name = folder.name.as_str();
        let path: &str = &folder.file.path;
        let present = presence(folder);
        let unlisted = |state, reason, skill| Unlisted { name, origin, path, state, reason, skill };
        match present {
            Presence::Absent => self.not_skills.push((name, path)),
            Presence::Broken(reason) => self.unlisted.push(unlisted(SkillState::Broken, reason, None)),
            _ if !seen.insert(name) => {
                let reason = match origin {
                    SkillOrigin::Builtin => text!("reason-shadowed-by-workspace"),
                    SkillOrigin::Workspace => text!("reason-shadowed-by-app"),
                };
                let message = text!("skill-shadowed", name, reason = &reason);
                self.findings.push(Finding::new("skill-shadowed", Severity::Info, message).at(path));
                let skill =
                    if let Presence::Readable(file) = present { Some(cache.read(name, origin, file)) } else { None };
                self.unlisted.push(unlisted(SkillState::Shadowed, reason, skill));
            }
            Presence::Throws(reason) => {
                self.stops(folder, &reason);
                self.unlisted.push(unlisted(SkillState::Broken, reason, None));
            }
            Presence::Readable(file) => {
                let state = if target.always_on.iter().any(|always| always == name) {
                    SkillState::Always
                } else if context.disabled_skills().iter().any(|disabled| disabled == name) {
                    SkillState::Disabled
                } else {
                    SkillState::OnDemand
                };
                self.listed.push(Listed { skill: cache.read(name, origin, file), state });
            }
        }
    }
}

/// The skills part of the target's fingerprint: `<workspace>|<built-in>|<disabled>`, each sorted by UTF-16.
pub(crate) fn fingerprint(snapshot: &Snapshot, context: &Context) -> String {
    let times = |folders: &[SkillFolder]| {
        let mut entries: Vec<String> = folders
            .iter()
            .filter(|folder| folder.problem.is_none())
            .filter_map(|folder| Some(format!("{}:{}", folder.name, js::mtime_ms(folder.file.identity?.mtime_ns))))
            .collect();
        entries.sort_by(|a, b| js::utf16_order(a, b));
        entries.join(",")
    };
    let mut disabled: Vec<&str> = context.disabled_skills().iter().map(String::as_str).collect();
    disabled.sort_by(|a, b| js::utf16_order(a, b));
    format!("{}|{}|{}", times(&snapshot.workspace.skills), times(&snapshot.app.skills), disabled.join(","))
}
