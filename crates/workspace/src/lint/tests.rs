#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use std::collections::BTreeSet;
use std::path::Path;

use model::{ByteRange, Finding, Severity};

use super::{CHECKS, Role, Subject, lint};
use crate::reader::read_once;
use crate::testing::{catbuddy, request};

/// The findings of one text, without a disk.
pub(super) fn of_text(name: &str, role: Role, text: &str) -> Vec<Finding> {
    let identity = model::FileIdentity::default();
    let hash = model::ContentHash([0; 32]);
    let file = model::SourceFile::new("/w/file", identity, model::SourceOrigin::Disk, text.as_bytes(), hash);
    super::checked(&Subject { file: &file, name, role, target: &catbuddy() })
}

/// The findings for a workspace that holds one file.
fn findings(name: &str, bytes: &[u8]) -> Vec<Finding> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(".catbuddy/workspace").join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, bytes).unwrap();
    let snapshot = read_once(request(folder.path(), Path::new(&folder.path().join(".catbuddy/workspace"))));
    let found = lint(&snapshot, &catbuddy());
    let known: BTreeSet<_> = CHECKS.iter().flat_map(|check| check.rules).map(|rule| rule.id).collect();
    for finding in &found {
        assert!(known.contains(&*finding.id), "{} is in the table", finding.id);
        assert_eq!(finding.path.as_deref(), path.to_str());
    }
    found
}

fn ids(name: &str, bytes: &[u8]) -> Vec<String> {
    findings(name, bytes).into_iter().map(|finding| finding.id.into_owned()).collect()
}

fn range(finding: &Finding) -> (u32, u32) {
    let ByteRange { start, end } = finding.range.unwrap();
    (start, end)
}

const SKILL: &str = "skills/tide/SKILL.md";

#[test]
fn a_plain_file_has_no_findings() {
    assert_eq!(ids("SOUL.md", b"# Manner\n\nCalm (mostly), brief.\n\n- one\n- [x] done\n"), [""; 0]);
    assert_eq!(ids(SKILL, b"---\nname: tide\ndescription: Read a table\n---\n\nBody\n"), [""; 0]);
    assert_eq!(ids("SOUL.md", b""), [""; 0]);
}

#[test]
fn s1_a_byte_order_mark_before_front_matter() {
    let found = findings(SKILL, b"\xEF\xBB\xBF---\ndescription: Read\n---\nBody\n");
    assert_eq!(found.len(), 1);
    assert_eq!((&*found[0].id, range(&found[0])), ("bom", (0, 3)));
    assert_eq!(found[0].fixes[0].id, "strip-bom");
}

#[test]
fn s2_carriage_returns_in_front_matter() {
    assert_eq!(ids(SKILL, b"---\r\ndescription: Read\r\n---\r\nBody\r\n"), ["frontmatter-crlf"]);
    assert_eq!(ids(SKILL, b"---\ndescription: Read\n---\r\nBody\n"), ["mixed-line-ends", "frontmatter-crlf"]);
    assert_eq!(ids(SKILL, b"---\nname: tide\r\ndescription: Read\n---\nBody\n"), ["mixed-line-ends"]);
    assert_eq!(ids("SOUL.md", b"a\r\nb\r\n"), [""; 0], "elsewhere they change nothing");
    assert_eq!(ids("SOUL.md", b"a\r\nb\n"), ["mixed-line-ends"]);
}

#[test]
fn s3_a_folded_description() {
    let found = findings(SKILL, b"---\ndescription: >\n  Two\n  lines\n---\nBody\n");
    // `---\n` is 4 bytes, `description: ` 13.
    assert_eq!((&*found[0].id, range(&found[0])), ("description-folded", (17, 18)));
}

#[test]
fn s4_a_colon_is_told_once_with_the_quoted_form() {
    let found = findings(SKILL, b"---\ndescription: Plan trips: rail, bus\n---\nBody\n");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(&*found[0].id, "description-colon");
    assert!(found[0].message.ends_with("\"Plan trips: rail, bus\""), "{}", found[0].message);
}

#[test]
fn s5_quotes_are_shown_by_the_target() {
    assert_eq!(ids(SKILL, b"---\ndescription: \"Quoted text\"\n---\nBody\n"), ["description-quoted"]);
}

#[test]
fn s6_front_matter_at_the_end_open_or_not_yaml() {
    assert_eq!(ids(SKILL, b"---\ndescription: Read\n---"), ["frontmatter-at-end"]);
    assert_eq!(ids(SKILL, b"---\ndescription: Read\n"), ["frontmatter-unclosed"]);
    assert_eq!(ids(SKILL, b"---\ndescription: Read\ntags: [a, b\n---\n"), ["frontmatter-yaml"]);
    assert_eq!(ids(SKILL, b"---\nname: tide\n---\nBody\n"), ["description-missing"]);
    assert_eq!(ids(SKILL, b"Body\n"), ["description-missing"]);
}

#[test]
fn s9_an_unfilled_form_is_counted() {
    let form = "# You\n\n- **Name:** (your name)\n- Zone: (where)\n\n- [ ] short\n- [ ] long\n\n- [ ] tea\n- [x] coffee\n\n- \n-\n";
    let found = findings("USER.md", form.as_bytes());
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(&*found[0].id, "unfilled-placeholder");
    let counts = "2 bracketed placeholders, 2 empty boxes, 2 empty bullets";
    assert!(found[0].message.contains(counts), "one tick answers a row: {}", found[0].message);
    let start = u32::try_from(form.find("(your").unwrap()).unwrap();
    assert_eq!(range(&found[0]), (start, start + 11));
}

#[test]
fn s10_a_file_of_white_space() {
    assert_eq!(ids("TOOLS.md", b" "), ["empty-section"]);
    assert_eq!(ids("memory/MEMORY.md", b"\n\n"), ["empty-section"]);
}

#[test]
fn s17_template_syntax_is_literal() {
    let found = findings("USER.md", b"Root {{work_root}} and {% include x %}, {{ open\n");
    assert_eq!((&*found[0].id, range(&found[0])), ("template-syntax-literal", (5, 18)));
    assert!(found[0].message.contains("2 times"), "{}", found[0].message);
}

#[test]
fn s18_a_border_and_a_heading_look_like_sections() {
    let found = findings("SOUL.md", b"calm\n\n---\n\n## USER.md\n\nAda\n");
    let told: Vec<_> = found.iter().map(|finding| (&*finding.id, finding.severity, range(finding))).collect();
    assert_eq!(told, [("section-spoof", Severity::Warning, (11, 21)), ("section-spoof", Severity::Info, (6, 9))]);
    assert_eq!(ids(SKILL, b"---\ndescription: Read\n---\n\n## USER.md\n"), [""; 0], "its body is not injected");
    let always = ids("skills/memory/SKILL.md", b"---\ndescription: Read\n---\n\n## USER.md\n");
    assert_eq!(always, ["section-spoof"]);
}

#[test]
fn s22_bytes_that_are_not_utf8_are_named_with_their_encoding() {
    // GBK for "you like good food, this is a test in Chinese", twice over, after one ASCII byte.
    let (gbk, _, _) = encoding_rs::GBK.encode("你好，这是一个用来测试编码的中文文件。我们喜欢喝茶。");
    let bytes = [b"x", &*gbk].concat();
    let found = findings("USER.md", &bytes);
    assert_eq!((&*found[0].id, range(&found[0]).0), ("not-utf8", 1));
    assert!(found[0].message.contains("byte 1 ") && found[0].message.contains("GBK"), "{}", found[0].message);
}

#[test]
fn s25_a_name_that_differs_from_its_folder() {
    assert_eq!(
        ids("skills/foo-bar/SKILL.md", b"---\nname: Foo_Bar\ndescription: Read\n---\nBody\n"),
        ["skill-name-differs"]
    );
}

#[test]
fn ranges_are_bytes_of_the_file_also_after_bad_bytes() {
    // One bad byte is one byte in the file and three in the text.
    let found = findings("SOUL.md", b"\xFF\n{{x}}\n");
    let syntax = found.iter().find(|finding| finding.id == "template-syntax-literal").unwrap();
    assert_eq!(range(syntax), (2, 7));
}

#[test]
fn a_project_is_checked_with_what_it_reads_of_the_global_profile() {
    let folder = tempfile::tempdir().unwrap();
    let (global, project) = (folder.path().join(".catbuddy/workspace"), folder.path().join("garden/.catbuddy"));
    for root in [&global, &project] {
        for name in ["SOUL.md", "USER.md", "memory/MEMORY.md", SKILL] {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, b"---\ndescription: Read\n---\n{{x}}\n").unwrap();
        }
    }
    let found = lint(&read_once(request(folder.path(), &project)), &catbuddy());
    let syntax = found.iter().filter(|finding| finding.id == "template-syntax-literal");
    let paths: Vec<_> = syntax.map(|finding| finding.path.clone().unwrap()).collect();
    let expected = [
        project.join("SOUL.md"),
        project.join("memory/MEMORY.md"),
        project.join(SKILL),
        global.join("USER.md"),
        global.join("memory/MEMORY.md"),
    ];
    assert_eq!(paths, expected.map(|path| path.to_string_lossy().into_owned()));
}

#[test]
fn an_untouched_memory_file_is_not_checked_whatever_its_white_space() {
    // ECMAScript's `trim` strips U+FEFF and U+2028 too.
    let template = "# Notes\n\n(nothing noted)\n";
    let folder = tempfile::tempdir().unwrap();
    let workspace = folder.path().join(".catbuddy/workspace");
    let app = folder.path().join("app");
    for (path, text) in [
        (workspace.join("memory/MEMORY.md"), format!("\u{2028}\u{FEFF}{template} ")),
        (app.join("templates/memory/MEMORY.md"), template.to_owned()),
    ] {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let mut request = request(folder.path(), &workspace);
    request.places.app = Some(app.to_string_lossy().into_owned());
    assert_eq!(lint(&read_once(request), &catbuddy()), []);
}
