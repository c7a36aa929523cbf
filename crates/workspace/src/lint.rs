//! What the text of a person's files shows without an assembly.
//!
//! A check is a function over one file and the rules it may report; `CHECKS` lists them. To add one, write the
//! function, give it a rule in [`crate::rules`], and list it here.

mod bytes;
mod front_matter;
mod lines;
pub(crate) mod markers;
mod repair;
mod repeats;
mod secrets;
mod volatile;

#[cfg(test)]
mod fix_tests;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use model::{Finding, Folder, SkillFolder, Snapshot, SourceFile, Target, Text, text};

pub(crate) use front_matter::plain_or_quoted;
pub use repair::{Edit, repair};
pub use secrets::{redact, redacted};

use crate::rules::{self, Rule};

/// What a file is to the target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    Bootstrap,
    Memory,
    /// A skill; `always_on` when its body is injected.
    Skill {
        always_on: bool,
    },
}

impl Role {
    /// True when the whole text is in the prompt.
    fn injected(self) -> bool {
        !matches!(self, Self::Skill { always_on: false })
    }
}

/// One file to check.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) file: &'a SourceFile,
    /// Its path relative to the workspace, or the skill's name.
    pub(crate) name: &'a str,
    pub(crate) role: Role,
    pub(crate) target: &'a Target,
}

impl Subject<'_> {
    pub(crate) fn text(&self) -> &str {
        self.file.text()
    }

    /// A finding about bytes `start..end` of the text, which become bytes of the file.
    pub(crate) fn finding(&self, rule: Rule, start: usize, end: usize, message: Text) -> Finding {
        let decoded = self.file.decoded();
        let message = redacted(message);
        rule.finding(message).at(&*self.file.path).range(decoded.to_file_offset(start), decoded.to_file_offset(end))
    }
}

/// One check, with the rules that it may report.
pub(crate) struct Check {
    #[cfg_attr(not(test), expect(dead_code, reason = "the table is what a test compares with what checks report"))]
    pub(crate) rules: &'static [Rule],
    pub(crate) run: fn(&Subject<'_>, &mut Vec<Finding>),
}

/// Every check, in the order in which a file's findings are listed.
pub(crate) const CHECKS: &[Check] = &[
    Check { rules: &[rules::BOM], run: bytes::byte_order_mark },
    Check { rules: &[rules::NOT_UTF8], run: bytes::not_utf8 },
    Check { rules: &[rules::MIXED_LINE_ENDS], run: bytes::mixed_line_ends },
    Check { rules: &[rules::EMPTY_SECTION], run: bytes::empty_section },
    Check {
        rules: &[
            rules::FRONTMATTER_CRLF,
            rules::FRONTMATTER_UNCLOSED,
            rules::FRONTMATTER_NO_NEWLINE,
            rules::FRONTMATTER_YAML,
            rules::DESCRIPTION_MISSING,
            rules::DESCRIPTION_FOLDED,
            rules::DESCRIPTION_QUOTED,
            rules::DESCRIPTION_COLON,
            rules::SKILL_NAME_DIFFERS,
            rules::SKILL_NAME_FORM,
            rules::DESCRIPTION_LONG,
            rules::ALWAYS_NOT_READ,
        ],
        run: front_matter::front_matter,
    },
    Check { rules: &[rules::UNFILLED_PLACEHOLDER], run: markers::unfilled },
    Check { rules: &[rules::TEMPLATE_SYNTAX_LITERAL], run: markers::template_syntax },
    Check { rules: &[rules::SECTION_SPOOF], run: markers::section_spoof },
    Check { rules: &[rules::SECRET], run: secrets::secret },
    Check { rules: &[rules::VOLATILE_TEXT], run: volatile::volatile },
    Check { rules: &[rules::REPEATED_BLOCK], run: repeats::repeated },
    Check { rules: &[rules::LONG_LINE], run: bytes::long_line },
    Check { rules: &[rules::HIDDEN_CHARACTER], run: markers::hidden_character },
    Check { rules: &[rules::MEMORY_SECTION_MARK], run: markers::section_mark },
];

/// Checks every file that the target reads for this workspace: the workspace's own, and for a project those of the
/// global profile that serve every project. Templates and built-in skills are the app's, and are left alone.
pub fn lint(snapshot: &Snapshot, target: &Target) -> Vec<Finding> {
    let (workspace, global) = (&*snapshot.workspace, &*snapshot.global);
    let mut subjects = Vec::new();
    if workspace.path == global.path {
        subjects.extend(subjects_of(workspace, |_| true, &workspace.skills, snapshot, target));
    } else {
        let shared = |name: &str| target.bootstrap.iter().any(|file| file.name == name && file.global_when_layered);
        subjects.extend(subjects_of(workspace, |name| !shared(name), &workspace.skills, snapshot, target));
        subjects.extend(subjects_of(global, |name| name == target.memory || shared(name), &[], snapshot, target));
    }
    let mut findings: Vec<Finding> = subjects.iter().flat_map(checked).collect();
    findings.extend(repeats::across(&subjects));
    capped(findings)
}

/// What the checks say about one file, with the repairs that may be offered.
fn checked(subject: &Subject<'_>) -> Vec<Finding> {
    let mut findings = run_all(subject);
    if !subject.file.decoded().replaced.is_empty() {
        // The text is not the file's: only a conversion makes sense.
        for finding in findings.iter_mut().filter(|finding| finding.id != rules::NOT_UTF8.id) {
            finding.fixes.clear();
        }
    } else if matches!(subject.role, Role::Skill { .. }) {
        repair::offer(subject, &mut findings);
    }
    findings
}

fn run_all(subject: &Subject<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for check in CHECKS {
        (check.run)(subject, &mut findings);
    }
    findings
}

/// At most 50 findings of one kind for one file; the last one says how many more there are.
pub fn capped(findings: Vec<Finding>) -> Vec<Finding> {
    const MOST: usize = 50;
    let mut counts: HashMap<(String, Option<String>), (usize, usize)> = HashMap::new();
    let mut kept: Vec<Finding> = Vec::with_capacity(findings.len().min(4 * MOST));
    for finding in findings {
        let (count, last) = counts.entry((finding.id.to_string(), finding.path.clone())).or_insert((0, 0));
        *count += 1;
        if *count <= MOST {
            *last = kept.len();
            kept.push(finding);
        }
    }
    for (count, last) in counts.into_values().filter(|(count, _)| *count > MOST) {
        if let Some(finding) = kept.get_mut(last) {
            finding.message = text!("more-like-it", what = &finding.message, count = count - MOST);
        }
    }
    kept
}

/// The files of `folder` whose names are read, and `skills`.
fn subjects_of<'a>(
    folder: &'a Folder,
    is_read: impl Fn(&str) -> bool,
    skills: &'a [SkillFolder],
    snapshot: &'a Snapshot,
    target: &'a Target,
) -> Vec<Subject<'a>> {
    let default_memory = snapshot.app.templates.get(&target.memory).map(|entry| trim(entry.text()));
    let files = folder.files.iter().filter(|(name, _)| is_read(name)).filter_map(|(name, entry)| {
        // An untouched memory file is not injected, so its blanks reach nobody.
        if *name == target.memory && Some(trim(entry.text())) == default_memory {
            return None;
        }
        let role = if *name == target.memory { Role::Memory } else { Role::Bootstrap };
        Some(Subject { file: entry.source()?, name, role, target })
    });
    let skills = skills.iter().filter_map(|skill| {
        let role = Role::Skill { always_on: target.always_on.contains(&skill.name) };
        Some(Subject { file: skill.file.source()?, name: &skill.name, role, target })
    });
    files.chain(skills).collect()
}

/// `text` without the white space that JavaScript's `trim` takes away: U+FEFF is one of it, U+0085 is not.
fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| c == '\u{FEFF}' || (c.is_whitespace() && c != '\u{85}'))
}
