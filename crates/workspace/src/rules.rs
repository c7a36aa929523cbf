//! Every finding that this crate can make: its id, how much it matters, and what it is about.
//!
//! `docs/findings.md` and the settings list are derived from [`ALL`]; a finding is only made through a [`Rule`],
//! so an id that is not in the table cannot appear.

use model::{Finding, Severity, Text};

/// One kind of finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rule {
    /// Stable id in kebab case.
    pub id: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// What it is about, in one sentence for the documentation.
    pub about: &'static str,
}

impl Rule {
    /// A finding of this rule.
    pub(crate) fn finding(self, message: Text) -> Finding {
        Finding::new(self.id, self.severity, message)
    }
}

const fn rule(id: &'static str, severity: Severity, about: &'static str) -> Rule {
    Rule { id, severity, about }
}

use Severity::{Error, Info, Warning};

// What reading notices.
pub(crate) const WORKSPACE_MISSING: Rule =
    rule("workspace-missing", Warning, "The workspace folder does not exist, so no file of it is injected.");
pub(crate) const WORKSPACE_UNREADABLE: Rule =
    rule("workspace-unreadable", Error, "The workspace folder cannot be entered or listed.");
pub(crate) const UNREADABLE_FILE: Rule =
    rule("unreadable-file", Error, "A file stands there and the system refuses to give its bytes.");
pub(crate) const FILE_TOO_LARGE: Rule =
    rule("file-too-large", Error, "A file is longer than the longest text the target's runtime can hold.");
pub(crate) const FOLDER_INSTEAD_OF_FILE: Rule =
    rule("folder-instead-of-file", Error, "A folder has the name of a file that the target reads.");
pub(crate) const SPECIAL_FILE: Rule =
    rule("special-file", Error, "A FIFO, socket or device has the name of a file; it is never opened.");
pub(crate) const BROKEN_LINK: Rule =
    rule("broken-link", Error, "A symbolic link leads to nothing, so the target finds no file.");
pub(crate) const LINK_LOOP: Rule = rule("link-loop", Error, "Symbolic links lead round in a circle.");
pub(crate) const LINK_OUTSIDE: Rule =
    rule("link-outside", Info, "A symbolic link leads out of the workspace; the target follows it.");
pub(crate) const SAME_WORKSPACE_TWICE: Rule = rule(
    "same-workspace-twice",
    Warning,
    "The workspace and the global profile are one folder under two paths, so its memory is injected twice.",
);
pub(crate) const SAME_MEMORY_TWICE: Rule =
    rule("same-memory-twice", Warning, "Both memories are one file, which is injected twice.");
pub(crate) const NEAR_NAME: Rule =
    rule("near-name", Warning, "A file's name is close to one that is read, and it is not read.");
pub(crate) const CASE_ONLY: Rule =
    rule("name-case", Info, "A file is found only because this disk ignores letter case.");
pub(crate) const NOT_READ: Rule = rule("not-read", Info, "A Markdown file is present and never injected.");
pub(crate) const NAME_NOT_UTF8: Rule =
    rule("name-not-utf8", Warning, "A name is not UTF-8; the target cannot open what it stands for.");
pub(crate) const TOO_MANY_SKILLS: Rule =
    rule("too-many-skills", Info, "So many skills that their list alone fills a good part of a context window.");
pub(crate) const TEMPLATES_CUT: Rule =
    rule("templates-cut", Warning, "The app's template folder is deeper or larger than is read.");

pub(crate) const PROJECTS_UNREADABLE: Rule =
    rule("projects-unreadable", Warning, "The list of projects cannot be read; it is left as it is.");
pub(crate) const REGISTRY_UNREADABLE: Rule =
    rule("registry-unreadable", Info, "The target's own list of workspace folders is not in a known form.");
pub(crate) const TWO_LAYOUTS: Rule = rule(
    "two-layouts",
    Warning,
    "A project holds files in both layouts; which are read depends on the target's version.",
);
pub(crate) const WATCH_POLLING: Rule =
    rule("watch-polling", Info, "Changes are looked for at intervals, because the system's watches are used up.");

// What the text of a file shows.
pub(crate) const BOM: Rule = rule("bom", Warning, "The file begins with a byte order mark.");
pub(crate) const NOT_UTF8: Rule = rule("not-utf8", Error, "The file is not UTF-8; the bytes at fault become U+FFFD.");
pub(crate) const MIXED_LINE_ENDS: Rule = rule("mixed-line-ends", Info, "The file uses more than one kind of line end.");
pub(crate) const EMPTY_SECTION: Rule =
    rule("empty-section", Warning, "The file holds white space only, and its heading is injected without a body.");
pub(crate) const FRONTMATTER_CRLF: Rule =
    rule("frontmatter-crlf", Warning, "CR LF in the front matter: readers that expect LF do not see it.");
pub(crate) const FRONTMATTER_UNCLOSED: Rule =
    rule("frontmatter-unclosed", Warning, "The front matter has no closing fence.");
pub(crate) const FRONTMATTER_NO_NEWLINE: Rule = rule(
    "frontmatter-at-end",
    Warning,
    "Nothing follows the closing fence, so the target takes the front matter for the body.",
);
pub(crate) const FRONTMATTER_YAML: Rule =
    rule("frontmatter-yaml", Warning, "The front matter is not YAML; readers that parse it drop the skill.");
pub(crate) const DESCRIPTION_MISSING: Rule =
    rule("description-missing", Warning, "The skill has no description, so its line in the list is empty.");
pub(crate) const DESCRIPTION_FOLDED: Rule = rule(
    "description-folded",
    Warning,
    "The description is a folded or literal block; the target shows only its sign.",
);
pub(crate) const DESCRIPTION_QUOTED: Rule =
    rule("description-quoted", Info, "The description is quoted; the target shows the quotes.");
pub(crate) const DESCRIPTION_COLON: Rule = rule(
    "description-colon",
    Warning,
    "The description holds a colon and a space: fine here, an error for readers of YAML.",
);
pub(crate) const SKILL_NAME_DIFFERS: Rule =
    rule("skill-name-differs", Info, "The front matter names the skill otherwise than its folder does.");
pub(crate) const UNFILLED_PLACEHOLDER: Rule =
    rule("unfilled-placeholder", Info, "The file still holds the blanks of its template.");
pub(crate) const TEMPLATE_SYNTAX_LITERAL: Rule =
    rule("template-syntax-literal", Info, "Template syntax in a user file is inserted as it stands.");
pub(crate) const SECTION_SPOOF: Rule =
    rule("section-spoof", Warning, "A line looks like the border or the heading of a section of the prompt.");
pub(crate) const SECRET: Rule =
    rule("secret", Warning, "What looks like a key or a password stands in a file that the model reads.");
pub(crate) const VOLATILE_TEXT: Rule = rule(
    "volatile-text",
    Warning,
    "A date, time or id that is likely to change stands near the head of the prompt and breaks its cached copy.",
);
pub(crate) const REPEATED_BLOCK: Rule =
    rule("repeated-block", Warning, "A block of text stands more than once in the prompt.");
pub(crate) const LONG_LINE: Rule = rule("long-line", Info, "A line has more than 5,000 characters.");
pub(crate) const HIDDEN_CHARACTER: Rule =
    rule("hidden-character", Warning, "A character that nobody sees, or that turns the direction of the text.");
pub(crate) const MEMORY_SECTION_MARK: Rule = rule(
    "memory-section-mark",
    Warning,
    "A line of the memory holds the words at which the target's summariser divides its text.",
);
pub(crate) const DESCRIPTION_LONG: Rule = rule(
    "description-long",
    Info,
    "The skill's description has more than 1,024 characters: other hosts cut or drop it, and it is in every request.",
);
pub(crate) const SKILL_NAME_FORM: Rule =
    rule("skill-name-form", Info, "The skill's name is not of lower-case letters, digits and hyphens.");
pub(crate) const ALWAYS_NOT_READ: Rule = rule(
    "always-not-read",
    Info,
    "The front matter asks for the skill to be always on, which this target does not read.",
);

/// Every rule of this crate.
pub const ALL: &[Rule] = &[
    WORKSPACE_MISSING,
    WORKSPACE_UNREADABLE,
    UNREADABLE_FILE,
    FILE_TOO_LARGE,
    FOLDER_INSTEAD_OF_FILE,
    SPECIAL_FILE,
    BROKEN_LINK,
    LINK_LOOP,
    LINK_OUTSIDE,
    SAME_WORKSPACE_TWICE,
    SAME_MEMORY_TWICE,
    NEAR_NAME,
    CASE_ONLY,
    NOT_READ,
    NAME_NOT_UTF8,
    TOO_MANY_SKILLS,
    TEMPLATES_CUT,
    PROJECTS_UNREADABLE,
    REGISTRY_UNREADABLE,
    TWO_LAYOUTS,
    WATCH_POLLING,
    BOM,
    NOT_UTF8,
    MIXED_LINE_ENDS,
    EMPTY_SECTION,
    FRONTMATTER_CRLF,
    FRONTMATTER_UNCLOSED,
    FRONTMATTER_NO_NEWLINE,
    FRONTMATTER_YAML,
    DESCRIPTION_MISSING,
    DESCRIPTION_FOLDED,
    DESCRIPTION_QUOTED,
    DESCRIPTION_COLON,
    SKILL_NAME_DIFFERS,
    UNFILLED_PLACEHOLDER,
    TEMPLATE_SYNTAX_LITERAL,
    SECTION_SPOOF,
    SECRET,
    VOLATILE_TEXT,
    REPEATED_BLOCK,
    LONG_LINE,
    HIDDEN_CHARACTER,
    MEMORY_SECTION_MARK,
    DESCRIPTION_LONG,
    SKILL_NAME_FORM,
    ALWAYS_NOT_READ,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_in_kebab_case() {
        let mut ids: Vec<_> = ALL.iter().map(|rule| rule.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), ALL.len());
        for id in ids {
            assert!(id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'), "{id}");
        }
    }
}
