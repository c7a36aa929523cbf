//! One workspace folder: the files that the target looks for, its skills, and what it does not read.

use std::collections::BTreeMap;

use model::{AppFiles, AppOrigin, Content, Entry, Folder, SkillFolder, Target, text};

use rustix::io::Errno;

use super::disk::{Kind, Listed, Stamp};
use super::ignored;
use super::pass::Pass;
use crate::causes::of_errno;
use crate::paths::join;
use crate::rules;

/// From this number on, the list of skills is worth a remark.
const MANY_SKILLS: usize = 300;
/// Template folders nest no deeper than this.
const TEMPLATE_DEPTH: usize = 6;
/// No more template files than this are read.
const TEMPLATE_FILES: usize = 2_000;

/// Reads the workspace at `path`, an absolute and normalised text. The stamp is that of the folder itself.
pub(crate) fn read_folder(pass: &mut Pass<'_>, path: &str, target: &Target) -> (Folder, Option<Stamp>) {
    pass.enter(path);
    let names = target.bootstrap.iter().map(|file| &file.name).chain([&target.memory]);
    let stamp = match pass.stat(path) {
        Ok(stamp) if stamp.kind == Kind::Folder => stamp,
        outcome => {
            report_missing(pass, path, outcome);
            let files = names.map(|name| (name.clone(), Entry::missing(join(path, name)))).collect();
            return (Folder { path: path.to_owned(), files, ..Folder::default() }, None);
        }
    };
    let listed = pass.list(path);
    let files: BTreeMap<String, Entry> =
        names.map(|name| (name.clone(), pass.entry(join(path, name).into()))).collect();
    follow_linked_folders(pass, path, target, &listed);
    let mut ignored = ignored::at_root(pass, path, target, &listed, &files);
    if let Some((folder, _)) = target.memory.rsplit_once('/') {
        let folder = join(path, folder);
        if pass.stat(&folder).is_ok_and(|stamp| stamp.kind == Kind::Folder) {
            let listed = pass.list(&folder);
            ignored.extend(ignored::beside_memory(pass, path, target, &listed, &files));
        }
    }
    let skills = read_skills(pass, &join(path, &target.skills), target, Some((path, &mut ignored)));
    ignored.sort_by(|a, b| a.relative.cmp(&b.relative));
    (Folder { path: path.to_owned(), files, skills, ignored }, Some(stamp))
}

/// Reports the memory and skills folders when they are links that lead nowhere or out of the workspace.
fn follow_linked_folders(pass: &mut Pass<'_>, root: &str, target: &Target, listed: &[Listed]) {
    let first = |path: &str| path.split('/').next().unwrap_or_default().to_owned();
    let folders = [first(&target.memory), first(&target.skills)];
    for listed in listed.iter().filter(|listed| listed.kind == Some(Kind::Link)) {
        if let Ok(name) = &listed.name
            && folders.contains(name)
        {
            let _reported = pass.follow(&join(root, name));
        }
    }
}

fn report_missing(pass: &mut Pass<'_>, path: &str, outcome: Result<Stamp, Errno>) {
    let finding = match outcome {
        Err(Errno::NOENT | Errno::NOTDIR) => rules::WORKSPACE_MISSING.finding(text!("workspace-missing")),
        Err(errno) => rules::WORKSPACE_UNREADABLE.finding(text!("workspace-unreadable", cause = of_errno(errno))),
        Ok(_) => rules::WORKSPACE_UNREADABLE.finding(text!("workspace-unreadable-file")),
    };
    pass.findings.push(finding.at(path));
}

/// Reads every skill folder below `root`: one level, links followed, by the rule "a folder that holds exactly the
/// skill file". `rest` takes what stands there without being a skill.
pub(crate) fn read_skills(
    pass: &mut Pass<'_>,
    root: &str,
    target: &Target,
    mut rest: Option<(&str, &mut Vec<model::Ignored>)>,
) -> Vec<SkillFolder> {
    if !pass.stat(root).is_ok_and(|stamp| stamp.kind == Kind::Folder) {
        return Vec::new();
    }
    let mut skills = Vec::new();
    for listed in pass.list(root) {
        let name = match listed.name {
            Ok(name) => name,
            Err(name) => {
                let name = &*name.to_string_lossy();
                pass.findings.push(rules::NAME_NOT_UTF8.finding(text!("name-not-utf8", name)).at(root));
                continue;
            }
        };
        let path = join(root, &name);
        let kind = listed.kind.unwrap_or_else(|| pass.stat(&path).map_or(Kind::Special("file"), |stamp| stamp.kind));
        match kind {
            Kind::Folder => skills.push(read_skill(pass, name, &path, target, None)),
            Kind::Link => match pass.follow(&path) {
                (link, Ok(stamp)) if stamp.kind == Kind::Folder => {
                    skills.push(read_skill(pass, name, &path, target, Some(link)));
                }
                (_, Ok(_)) => {}
                (link, Err(errno)) => skills.push(SkillFolder {
                    file: Entry::missing(join(&path, &target.skill_file)),
                    name,
                    link: Some(link),
                    problem: Some(text!("reason-link", cause = of_errno(errno))),
                }),
            },
            Kind::File => {
                if let Some((folder, ignored)) = &mut rest {
                    ignored.extend(ignored::beside_skills(pass, folder, target, &name));
                }
            }
            Kind::Special(_) => {}
        }
    }
    skills.sort_by(|a, b| a.name.encode_utf16().cmp(b.name.encode_utf16()));
    if skills.len() >= MANY_SKILLS {
        let count = skills.len();
        pass.findings.push(rules::TOO_MANY_SKILLS.finding(text!("too-many-skills", count)).at(root));
    }
    skills
}

fn read_skill(
    pass: &mut Pass<'_>,
    name: String,
    path: &str,
    target: &Target,
    link: Option<model::Link>,
) -> SkillFolder {
    let file = pass.entry(join(path, &target.skill_file).into());
    let problem = match &file.content {
        Content::Unreadable(reason) if file.identity.is_none() => Some(reason.clone()),
        Content::Missing if file.link.is_none() => {
            // Only a folder without its file is listed: for a near name, and to see one appear.
            if pass.stat(path).is_ok() {
                for listed in pass.list(path) {
                    ignored::near_skill_file(pass, path, target, &listed);
                }
            }
            None
        }
        _ => None,
    };
    SkillFolder { name, link, file, problem }
}

/// Reads the templates and built-in skills of an installed app.
pub(crate) fn read_app(pass: &mut Pass<'_>, app: &str, target: &Target) -> AppFiles {
    pass.enter(app);
    let mut templates = BTreeMap::new();
    let mut cut = false;
    // (folder, its path relative to the templates, depth)
    let mut open = vec![(join(app, "templates"), String::new(), 1)];
    while let Some((folder, prefix, depth)) = open.pop() {
        if !pass.stat(&folder).is_ok_and(|stamp| stamp.kind == Kind::Folder) {
            continue;
        }
        for Listed { name, kind } in pass.list(&folder) {
            let Ok(name) = name else { continue };
            let path = join(&folder, &name);
            let relative = format!("{prefix}{name}");
            let kind = match kind {
                Some(Kind::Link) => pass.follow(&path).1.ok().map(|stamp| stamp.kind),
                None => pass.stat(&path).ok().map(|stamp| stamp.kind),
                known => known,
            };
            match kind {
                Some(Kind::Folder) if depth < TEMPLATE_DEPTH => open.push((path, format!("{relative}/"), depth + 1)),
                Some(Kind::File) if templates.len() < TEMPLATE_FILES => {
                    templates.insert(relative, pass.entry(path.into()));
                }
                Some(Kind::Folder | Kind::File) => cut = true,
                _ => {}
            }
        }
    }
    if cut {
        pass.findings.push(
            rules::TEMPLATES_CUT
                .finding(text!("templates-cut", depth = TEMPLATE_DEPTH, files = TEMPLATE_FILES))
                .at(join(app, "templates")),
        );
    }
    let skills = read_skills(pass, &join(app, "skills"), target, None);
    AppFiles { origin: AppOrigin::Installed, templates, skills }
}
