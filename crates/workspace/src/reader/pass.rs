//! One pass over everything that a snapshot holds. Files whose stamp is that of the last pass keep their bytes.

use std::collections::HashMap;
use std::sync::Arc;

use model::{Content, ContentHash, Entry, Finding, Link, SourceFile, SourceOrigin, Text, text};
use rustix::io::Errno;

use super::disk::{Calls, Disk, Kind, Listed, Stamp};
use crate::causes::{cause, of_errno};
use crate::paths::is_below;
use crate::rules;

/// The longest text of V8, in UTF-16 units: a file of more bytes may fail to decode there, and is not read here.
const MAX_TEXT: u64 = 0x1fff_ffe8;

/// What a path looked like; it is looked at again on the next reading.
#[derive(Debug)]
pub(crate) struct Check {
    path: Arc<str>,
    follow: bool,
    expected: Result<Stamp, Errno>,
}

/// A file of the last pass.
#[derive(Debug)]
pub(crate) struct Kept {
    pub(crate) file: Arc<SourceFile>,
    /// False when a later write could have left the same stamp.
    settled: bool,
}

/// Files by their path.
pub(crate) type KeptFiles = HashMap<Arc<str>, Kept>;

/// Whether a stamp that did not change is believed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Trust {
    Stamps,
    /// Every byte is read again.
    Nothing,
}

/// What a pass leaves for the next reading.
#[derive(Default, Debug)]
pub(crate) struct Memory {
    pub(crate) checks: Vec<Check>,
    pub(crate) files: KeptFiles,
    /// True when some stamp was too fresh to be believed next time.
    pub(crate) unsettled: bool,
}

impl Memory {
    /// True when every path looks as it did. Stops at the first that does not.
    pub(crate) fn still_holds(&self, disk: &mut Disk) -> bool {
        self.checks.iter().all(|check| {
            let now = if check.follow { disk.stat(&check.path) } else { disk.lstat(&check.path) };
            now == check.expected
        })
    }
}

/// The state of a pass.
pub(crate) struct Pass<'a> {
    disk: &'a mut Disk,
    before: &'a KeptFiles,
    trust: Trust,
    started_ns: i64,
    pub(crate) after: Memory,
    pub(crate) findings: Vec<Finding>,
    /// The folder whose files are being read, and its path without links once it was asked for.
    root: (String, Option<String>),
}

impl<'a> Pass<'a> {
    pub(crate) fn new(disk: &'a mut Disk, before: &'a Memory, trust: Trust, started_ns: i64) -> Self {
        let after = Memory {
            checks: Vec::with_capacity(before.checks.len()),
            files: HashMap::with_capacity(before.files.len()),
            unsettled: false,
        };
        Self {
            disk,
            before: &before.files,
            trust,
            started_ns,
            after,
            findings: Vec::new(),
            root: (String::new(), None),
        }
    }

    /// Names the folder that links are expected to stay in.
    pub(crate) fn enter(&mut self, root: &str) {
        self.root = (root.to_owned(), None);
    }

    /// `stat`, remembered for the next reading.
    pub(crate) fn stat(&mut self, path: &str) -> Result<Stamp, Errno> {
        let stamp = self.disk.stat(path);
        self.remember(path.into(), stamp, true);
        stamp
    }

    /// The names of a folder whose stamp was just taken.
    pub(crate) fn list(&mut self, path: &str) -> Vec<Listed> {
        match self.disk.list(path) {
            Ok(names) => names,
            Err(error) => {
                self.findings.push(
                    rules::WORKSPACE_UNREADABLE
                        .finding(text!("workspace-unreadable-list", cause = cause(&error)))
                        .at(path),
                );
                Vec::new()
            }
        }
    }

    /// Reads what stands at `path`, following links.
    pub(crate) fn entry(&mut self, path: Arc<str>) -> Entry {
        let stamp = self.disk.lstat(&path);
        match stamp {
            Ok(Stamp { kind: Kind::Link, .. }) => {
                self.remember(Arc::clone(&path), stamp, false);
                let (link, stamp) = self.follow(&path);
                match stamp {
                    Ok(stamp) => self.present(path, stamp, Some(link)),
                    Err(_) => Entry { link: Some(link), ..Entry::missing(path) },
                }
            }
            Ok(stamp) => self.present(path, stamp, None),
            Err(errno) => {
                self.remember(Arc::clone(&path), stamp, true);
                self.absent(path, errno)
            }
        }
    }

    /// Follows the link at `path`; a link that leads nowhere, round in a circle or out of the folder is reported.
    pub(crate) fn follow(&mut self, path: &str) -> (Link, Result<Stamp, Errno>) {
        let stamp = self.disk.stat(path);
        self.remember(path.into(), stamp, true);
        let (text, resolved) = self.disk.link(path);
        if let Err(errno) = stamp {
            let finding = if errno == Errno::LOOP {
                rules::LINK_LOOP.finding(text!("link-loop", to = &text))
            } else {
                rules::BROKEN_LINK.finding(text!("broken-link", to = &text, cause = of_errno(errno)))
            };
            self.findings.push(finding.at(path));
            return (Link { text, resolved: None }, Err(errno));
        }
        if let Some(resolved) = &resolved
            && !is_below(resolved, &self.real_root())
        {
            self.findings.push(rules::LINK_OUTSIDE.finding(text!("link-outside", to = resolved)).at(path));
        }
        (Link { text, resolved }, stamp)
    }

    fn real_root(&mut self) -> String {
        if self.root.1.is_none() {
            let real = self.disk.real_path(&self.root.0).unwrap_or_else(|| self.root.0.clone());
            self.root.1 = Some(real);
        }
        self.root.1.clone().unwrap_or_default()
    }

    fn absent(&mut self, path: Arc<str>, errno: Errno) -> Entry {
        match errno {
            Errno::NOENT | Errno::NOTDIR => Entry::missing(path),
            errno => self.unreadable(Entry::missing(path), of_errno(errno)),
        }
    }

    fn unreadable(&mut self, entry: Entry, cause: Text) -> Entry {
        self.findings.push(rules::UNREADABLE_FILE.finding(text!("unreadable-file", cause = &cause)).at(&*entry.path));
        Entry { content: Content::Unreadable(cause), ..entry }
    }

    fn present(&mut self, path: Arc<str>, stamp: Stamp, link: Option<Link>) -> Entry {
        let entry = Entry { path, identity: Some(stamp.identity), link, content: Content::Missing };
        match stamp.kind {
            Kind::File => self.file(entry, stamp),
            Kind::Folder => {
                self.remember_entry(&entry, stamp);
                self.findings
                    .push(rules::FOLDER_INSTEAD_OF_FILE.finding(text!("folder-instead-of-file")).at(&*entry.path));
                Entry { content: Content::Folder, ..entry }
            }
            Kind::Link => self.unreadable(entry, of_errno(Errno::LOOP)),
            Kind::Special(what) => {
                self.remember_entry(&entry, stamp);
                self.findings.push(
                    rules::SPECIAL_FILE.finding(text!("special-file", what = Content::special(what))).at(&*entry.path),
                );
                Entry { content: Content::Special(what), ..entry }
            }
        }
    }

    fn file(&mut self, entry: Entry, stamp: Stamp) -> Entry {
        if stamp.identity.size > MAX_TEXT {
            self.remember_entry(&entry, stamp);
            let size = stamp.identity.size;
            self.findings
                .push(rules::FILE_TOO_LARGE.finding(text!("file-too-large", size, most = MAX_TEXT)).at(&*entry.path));
            return Entry { content: Content::Unreadable(text!("too-many-bytes", size)), ..entry };
        }
        match self.bytes(&entry.path, stamp) {
            Ok((file, stamp, settled)) => {
                self.remember_entry(&entry, stamp);
                self.after.unsettled |= !settled;
                self.after.files.insert(Arc::clone(&entry.path), Kept { file: Arc::clone(&file), settled });
                Entry { identity: Some(file.identity), content: Content::File(file), ..entry }
            }
            Err(errno) => {
                self.remember_entry(&entry, stamp);
                self.unreadable(entry, of_errno(errno))
            }
        }
    }

    /// The bytes of a file, kept ones when its stamp can be believed. The stamp returned was taken after the bytes.
    fn bytes(&mut self, path: &Arc<str>, stamp: Stamp) -> Result<(Arc<SourceFile>, Stamp, bool), Errno> {
        const ATTEMPTS: u32 = 3;
        let before = self.before.get(path);
        if self.trust == Trust::Stamps
            && let Some(kept) = before
            && kept.settled
            && kept.file.identity == stamp.identity
        {
            return Ok((Arc::clone(&kept.file), stamp, true));
        }
        let mut seen = stamp;
        for attempt in 1..=ATTEMPTS {
            let (bytes, now) = self.disk.read(path, seen.identity.size)?;
            if now.kind != Kind::File {
                return Err(Errno::AGAIN);
            }
            let stable = now == seen;
            if stable || attempt == ATTEMPTS {
                let hash = ContentHash(*blake3::hash(bytes).as_bytes());
                let file = match before.map(|kept| &kept.file) {
                    Some(file) if file.hash == hash && file.identity == now.identity => Arc::clone(file),
                    Some(file) if file.hash == hash => Arc::new(SourceFile::new(
                        Arc::clone(path),
                        now.identity,
                        SourceOrigin::Disk,
                        Arc::clone(&file.bytes),
                        hash,
                    )),
                    _ => Arc::new(SourceFile::new(Arc::clone(path), now.identity, SourceOrigin::Disk, bytes, hash)),
                };
                // A file that is being written all the time is taken as it is and looked at again next time.
                return Ok((file, now, stable && now.settled(self.started_ns)));
            }
            seen = now;
        }
        Err(Errno::AGAIN)
    }

    fn remember_entry(&mut self, entry: &Entry, stamp: Stamp) {
        // The `stat` of a link is already remembered by `follow`.
        if entry.link.is_none() {
            self.after.checks.push(Check { path: Arc::clone(&entry.path), follow: true, expected: Ok(stamp) });
        }
    }

    fn remember(&mut self, path: Arc<str>, expected: Result<Stamp, Errno>, follow: bool) {
        if let Ok(stamp) = expected
            && stamp.kind != Kind::File
        {
            self.after.unsettled |= !stamp.settled(self.started_ns);
        }
        self.after.checks.push(Check { path, follow, expected });
    }

    pub(crate) fn calls(&self) -> Calls {
        self.disk.calls
    }
}
