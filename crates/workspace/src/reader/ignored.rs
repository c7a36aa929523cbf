//! What stands in a workspace and is never injected, with the name that was probably meant.

use std::collections::BTreeMap;

use model::target::NotRead;
use model::{Content, Entry, Ignored, Target, Text, text};

use super::disk::{Kind, Listed};
use super::pass::Pass;
use crate::paths::join;
use crate::rules::{self, Rule};

/// Files of the root: those that other systems read, names close to a bootstrap file, other Markdown.
pub(crate) fn at_root(
    pass: &mut Pass<'_>,
    root: &str,
    target: &Target,
    listed: &[Listed],
    files: &BTreeMap<String, Entry>,
) -> Vec<Ignored> {
    let mut found = Vec::new();
    for name in regular_names(listed) {
        if files.contains_key(name) {
            continue;
        }
        if let Some(expected) = files.keys().find(|expected| expected.eq_ignore_ascii_case(name)) {
            found.extend(other_case(pass, root, target, name, expected, files));
        } else if let Some(known) = target.not_read.iter().find(|known| known.name == name) {
            found.extend(listed_as_not_read(pass, root, known, files));
        } else if let Some(expected) = files.keys().find(|expected| is_near(name, expected)) {
            let reason = text!("reason-exact-name", target = &target.name, expected);
            found.extend(near_name(pass, root, name, reason, expected, files));
        } else if has_markdown_ending(name) {
            let reason = text!("reason-name-not-read", target = &target.name);
            found.extend(report(pass, root, name, rules::NOT_READ, reason, None));
        }
    }
    found
}

/// Files beside the memory file whose names are close to it. Others there are the target's own.
pub(crate) fn beside_memory(
    pass: &mut Pass<'_>,
    root: &str,
    target: &Target,
    listed: &[Listed],
    files: &BTreeMap<String, Entry>,
) -> Vec<Ignored> {
    let Some((folder, expected)) = target.memory.rsplit_once('/') else { return Vec::new() };
    let mut found = Vec::new();
    for name in regular_names(listed) {
        let relative = format!("{folder}/{name}");
        if name == expected {
            continue;
        }
        if name.eq_ignore_ascii_case(expected) {
            found.extend(other_case(pass, root, target, &relative, &target.memory, files));
        } else if let Some(known) = target.not_read.iter().find(|known| known.name == relative) {
            found.extend(listed_as_not_read(pass, root, known, files));
        } else if is_near(name, expected) {
            let reason = text!("reason-exact-name", target = &target.name, expected);
            found.extend(near_name(pass, root, &relative, reason, &target.memory, files));
        }
    }
    found
}

/// A Markdown file directly in the skills folder.
pub(crate) fn beside_skills(pass: &mut Pass<'_>, root: &str, target: &Target, name: &str) -> Option<Ignored> {
    if !has_markdown_ending(name) {
        return None;
    }
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let relative = format!("{}/{name}", target.skills);
    let reason = text!("reason-skill-is-a-folder", file = &target.skill_file);
    if stem.eq_ignore_ascii_case("readme") {
        return report(pass, root, &relative, rules::NOT_READ, reason, None);
    }
    let near = format!("{}/{stem}/{}", target.skills, target.skill_file);
    report(pass, root, &relative, rules::NEAR_NAME, reason, Some(&near))
}

/// A file whose name is close to that of the skill file, in a folder that lacks it.
pub(crate) fn near_skill_file(pass: &mut Pass<'_>, folder: &str, target: &Target, listed: &Listed) {
    let Ok(name) = &listed.name else { return };
    let expected = &target.skill_file;
    if name != expected && (name.eq_ignore_ascii_case(expected) || is_near(name, expected)) {
        pass.findings.push(
            rules::NEAR_NAME
                .finding(text!("near-name-skill-file", name, expected))
                .at(join(folder, name))
                .fix("rename", text!("fix-rename", name = expected)),
        );
    }
}

/// A name that the target's data lists: a near name when it is close to the one that is read, else just not read.
fn listed_as_not_read(
    pass: &mut Pass<'_>,
    root: &str,
    known: &NotRead,
    files: &BTreeMap<String, Entry>,
) -> Option<Ignored> {
    let near = known.near.as_deref();
    match near.filter(|near| is_near(&known.name, near)) {
        Some(expected) => near_name(pass, root, &known.name, Text::from(&known.reason), expected, files),
        None => report(pass, root, &known.name, rules::NOT_READ, Text::from(&known.reason), near),
    }
}

fn other_case(
    pass: &mut Pass<'_>,
    root: &str,
    target: &Target,
    name: &str,
    expected: &str,
    files: &BTreeMap<String, Entry>,
) -> Option<Ignored> {
    let path = join(root, name);
    let same = files.get(expected).and_then(|entry| entry.identity);
    if let (Some(same), Ok(stamp)) = (same, pass.stat(&path))
        && (same.device, same.inode) == (stamp.identity.device, stamp.identity.inode)
    {
        pass.findings.push(rules::CASE_ONLY.finding(text!("name-case", name, expected)).at(path));
        return None;
    }
    let reason = text!("reason-letter-case", target = &target.name, expected);
    near_name(pass, root, name, reason, expected, files)
}

/// A near name; renaming it is offered where nothing stands under the name that is read.
fn near_name(
    pass: &mut Pass<'_>,
    root: &str,
    relative: &str,
    reason: Text,
    expected: &str,
    files: &BTreeMap<String, Entry>,
) -> Option<Ignored> {
    let found = report(pass, root, relative, rules::NEAR_NAME, reason, Some(expected));
    let free = files.get(expected).is_some_and(|entry| entry.content == Content::Missing && entry.link.is_none());
    if found.is_some()
        && free
        && let Some(finding) = pass.findings.pop()
    {
        pass.findings.push(finding.fix("rename", text!("fix-rename", name = expected)));
    }
    found
}

fn report(
    pass: &mut Pass<'_>,
    root: &str,
    relative: &str,
    rule: Rule,
    reason: Text,
    near: Option<&str>,
) -> Option<Ignored> {
    let path = join(root, relative);
    let size = pass.stat(&path).ok()?.identity.size;
    let message = match near {
        Some(near) => text!("not-injected-near", name = relative, reason = &reason, near),
        None => text!("not-injected", name = relative, reason = &reason),
    };
    pass.findings.push(rule.finding(message).at(path.clone()));
    Some(Ignored { path, relative: relative.to_owned(), reason, near: near.map(str::to_owned), size })
}

fn regular_names(listed: &[Listed]) -> impl Iterator<Item = &str> {
    listed
        .iter()
        .filter(|listed| matches!(listed.kind, None | Some(Kind::File | Kind::Link)))
        .filter_map(|listed| listed.name.as_deref().ok())
}

fn has_markdown_ending(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, ending)| ending.eq_ignore_ascii_case("md"))
}

/// Near: the same stem but for letter case, a final `s` and the ending (`AGENT.md`, `Soul.markdown`, `USER.md.txt`,
/// and `MEMORY.md` at the root for `memory/MEMORY.md`).
fn is_near(name: &str, expected: &str) -> bool {
    const ENDINGS: [&str; 3] = [".txt", ".md", ".markdown"];
    fn stem(name: &str) -> String {
        let mut stem = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
        while let Some(shorter) = ENDINGS.iter().find_map(|ending| stem.strip_suffix(ending)) {
            stem = shorter.to_owned();
        }
        stem.strip_suffix('s').unwrap_or(&stem).to_owned()
    }
    stem(name) == stem(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_differ_in_case_plural_or_ending_only() {
        for (name, expected) in [
            ("AGENT.md", "AGENTS.md"),
            ("soul.markdown", "SOUL.md"),
            ("USER.md.txt", "USER.md"),
            ("MEMORY.md", "memory/MEMORY.md"),
            ("tool", "TOOLS.md"),
        ] {
            assert!(is_near(name, expected), "{name} for {expected}");
        }
        assert!(!is_near("RULES.md", "TOOLS.md") && !is_near("USERS_GUIDE.md", "USER.md"));
    }
}
