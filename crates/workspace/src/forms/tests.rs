//! Forms of files that were written by hand, and edits of them, all known before.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed test panics")]

mod laws;
mod memory;

use super::*;
use crate::document::apply;
use crate::starters;

/// A form in short: a line for each group, field that is there, entry and kept part.
fn outline(path: &str, text: &str) -> Vec<String> {
    let form = read(schema_for(path).unwrap(), text);
    let mut lines = Vec::new();
    for block in &form.blocks {
        match block {
            Block::Kept(kept) => {
                lines.push(format!("kept {} {}-{} {}", kept.what, kept.lines.start + 1, kept.lines.end, kept.title));
            }
            Block::Group(group) => {
                let Some(at) = &group.lines else { continue };
                lines.push(format!("{} {}-{}", group.id, at.start + 1, at.end));
                for field in group.fields.iter().filter(|field| field.range.is_some()) {
                    let blank = if field.unfilled { " unfilled" } else { "" };
                    let placeholder = field.placeholder.as_ref().map_or(String::new(), |text| format!(" {text}"));
                    lines.push(format!("  {}={}{blank}{placeholder}", field.id, field.value.replace('\n', "⏎")));
                    for item in &field.items {
                        let mark = match (item.checked, &item.date) {
                            (Some(on), _) => format!("[{}] ", if on { "x" } else { " " }),
                            (_, Some(date)) => format!("{date} "),
                            _ => String::new(),
                        };
                        lines.push(format!("    {mark}{}", item.text.replace('\n', "⏎")));
                    }
                }
            }
        }
    }
    lines
}

#[track_caller]
fn shows(path: &str, text: &str, expected: &[&str]) {
    assert_eq!(outline(path, text), expected, "{}", outline(path, text).join("\n"));
}

/// `text` after a change.
fn changed(path: &str, text: &str, field: &str, change: &Change) -> Result<String, EditError> {
    edit(schema_for(path).unwrap(), text, field, change, "2026-03-01").map(|edits| apply(text, &edits))
}

#[track_caller]
fn becomes(path: &str, text: &str, field: &str, change: &Change, expected: &str) {
    assert_eq!(changed(path, text, field, change).as_deref(), Ok(expected));
}

fn value(text: &str) -> Change {
    Change::Text(text.to_owned())
}

#[test]
fn an_unfilled_template_shows_its_blanks() {
    let text = "# User\n\nWhat should be known about you.\n\n## Basic Information\n\n- **Name**: (your name)\n\
                - **Timezone**: (your timezone, e.g., UTC+8)\n- **Language**: (preferred language)\n\n## Preferences\n\n\
                ### Communication Style\n\n- [ ] Casual\n- [ ] Technical\n\n### Response Length\n\n- [ ] Brief\n\n\
                ## Work Context\n\n- **Primary Role**: (your role)\n- **Main Projects**: (what you do)\n\n\
                ## Topics of Interest\n\n-\n-\n\n## Special Instructions\n\n(Anything for the assistant)\n\n---\n\n*Edit this.*\n";
    shows(
        "USER.md",
        text,
        &[
            "person 1-9",
            "  name= unfilled (your name)",
            "  language= unfilled (preferred language)",
            "  time_zone= unfilled (your timezone, e.g., UTC+8)",
            "kept text 3-3 What should be known about you.",
            "preferences 11-11",
            "  preferences=",
            "checks.communicationstyle 13-16",
            "  checks.communicationstyle= unfilled",
            "    [ ] Casual",
            "    [ ] Technical",
            "checks.responselength 18-20",
            "  checks.responselength= unfilled",
            "    [ ] Brief",
            "work 22-25",
            "  role= unfilled (your role)",
            "  projects= unfilled (what you do)",
            "interests 27-30",
            "  interests= unfilled",
            "    ",
            "    ",
            "notes 32-34",
            "  notes= unfilled (Anything for the assistant)",
            "kept text 36-38 ---",
        ],
    );
}

#[test]
fn the_shipped_files_bind() {
    let words = starters::Words { companion: "Mica".into(), ..starters::Words::default() };
    for set in starters::STARTERS {
        for (path, text) in starters::render(set.id, &words).unwrap() {
            let Some(schema) = schema_for(&path) else { panic!("{path}") };
            let kept = read(schema, &text).blocks.iter().filter(|block| matches!(block, Block::Kept(_))).count();
            let expected = match (set.id, &*path) {
                // "Next exams" is a list of its own.
                ("study-partner", "USER.md") => 1,
                _ => 0,
            };
            assert_eq!(kept, expected, "{} {path}: {:#?}", set.id, outline(&path, &text));
        }
    }
    shows(
        "USER.md",
        include_str!("../../sample/USER.md"),
        &[
            "person 1-5",
            "  name=Ada Lindqvist",
            "  language=English",
            "  time_zone=Europe/Stockholm",
            "preferences 7-10",
            "  preferences=",
            "    Short answers in the morning, longer ones in the evening.",
            "    Metric units.",
            "interests 12-14",
            "  interests=",
            "    Sailing, sourdough, old maps",
        ],
    );
    shows(
        "SOUL.md",
        include_str!("../../sample/SOUL.md"),
        &[
            "character 1-5",
            "  name=Mica",
            "  nature=a tidy, good-humoured cat who has lived in a harbour office for years.",
            "  voice=brief and warm; now and then a word about the weather or the boats.",
            "values 7-10",
            "  values=",
            "    Say what is known, and mark what is guessed.",
            "    Small promises, kept.",
            "boundaries 12-14",
            "  boundaries=",
            "    No medical or legal advice beyond naming whom to ask.",
        ],
    );
    let rules = outline("AGENTS.md", include_str!("../../sample/AGENTS.md"));
    assert_eq!((rules.len(), &*rules[0]), (6, "rules 1-6"));
    let tools = outline("TOOLS.md", include_str!("../../sample/TOOLS.md"));
    assert_eq!(tools[2], "    **Calendar:** the shared one is called Jetty; never move its entries without asking.");
}

#[test]
fn files_of_another_structure_bind_and_the_rest_is_kept() {
    let text = "\u{FEFF}姓名：小满\r\n时区: Asia/Shanghai\r\n\r\n偏好\r\n====\r\n1. 简短\r\n2. 公制\r\n   - 也可以英制\r\n\r\n\
                #### Garden log #\r\n- 3 Nov: moved\r\n\r\n| a | b |\r\n|---|---|\r\n\r\n## preferences\r\n- again\r\n\r\n\
                ### Remarques\r\nun\r\n\r\n<!-- deux -->";
    shows(
        "USER.md",
        text,
        &[
            "person 1-2",
            "  name=小满",
            "  time_zone=Asia/Shanghai",
            "preferences 4-8",
            "  preferences=",
            "    简短",
            "    公制⏎   - 也可以英制",
            "kept section 10-14 Garden log",
            "kept section 16-17 preferences",
            "notes 19-22",
            "  notes=un⏎⏎<!-- deux -->",
        ],
    );
}

#[test]
fn sections_and_names_stand_for_each_other() {
    shows(
        "USER.md",
        "## Language\n\nFrench\n\n## Me\n\n- **Interests:** maps, boats\n- Level: third\n- Name: Ada\n",
        &[
            "person 1-9",
            "  name=Ada",
            "  language=French",
            "  person.level=third",
            "kept section 5-5 Me",
            "interests 7-7",
            "  interests=maps, boats",
        ],
    );
    shows(
        "SOUL.md",
        "# Soul\n\n## Nature\n\nFriendly.\nCurious.\n\n## Voice\n\nPlain.\n",
        &["character 1-10", "  name= Soul", "  nature=Friendly.⏎Curious.", "  voice=Plain."],
    );
}

#[test]
fn empty_files_and_front_matter_alone_are_forms() {
    for text in ["", "\u{FEFF}", "\n\n", "   "] {
        shows("USER.md", text, &[]);
        let form = read(schema_for("USER.md").unwrap(), text);
        let ids = form.blocks.iter().map(|block| match block {
            Block::Group(group) => &*group.id,
            Block::Kept(kept) => panic!("{kept:?}"),
        });
        assert_eq!(ids.collect::<Vec<_>>(), ["person", "work", "preferences", "answers", "interests", "notes"]);
    }
    shows("USER.md", "---\na: b\n---\n", &["kept front_matter 1-3 ---"]);
    shows(
        "SKILL.md",
        "---\nname: tide # as the folder\n# remark\ndescription: 'Read: a table'\nlicense: MIT\n---\n",
        &[
            "card 2-4",
            "  name=tide",
            "  description=Read: a table",
            "kept front_matter 3-3 # remark",
            "kept front_matter 5-5 license: MIT",
        ],
    );
}

#[test]
fn a_value_is_replaced_and_nothing_else() {
    let text = "# About\r\n\r\n- **Name:** (your name)\r\n- **Language**:\r\n* Time zone: UTC\r- extra";
    becomes("USER.md", text, "name", &value(" Ada\nLindqvist "), &text.replace("(your name)", "Ada Lindqvist"));
    becomes("USER.md", text, "language", &value("fr"), &text.replace("**Language**:", "**Language**: fr"));
    becomes("USER.md", text, "time_zone", &value(""), &text.replace("UTC", ""));
    becomes("USER.md", text, "name", &value(""), text);
    becomes("USER.md", text, "time_zone", &value("UTC"), text);
    // In the style of the one before, with its line end, where the form wants it.
    becomes(
        "USER.md",
        text,
        "address",
        &value("A."),
        &text.replace("(your name)", "(your name)\r\n- **Address as:** A."),
    );
    assert_eq!(changed("USER.md", text, "nothing", &value("x")), Err(EditError::Gone));
    becomes("USER.md", "姓名：小满\n", "time_zone", &value("Asia/Shanghai"), "姓名：小满\n时区：Asia/Shanghai\n");
    becomes(
        "SOUL.md",
        "# A\n\n**Nature:** x\n\nEnd",
        "voice",
        &value("v"),
        "# A\n\n**Nature:** x\n\n**Voice:** v\n\nEnd",
    );
    becomes("SOUL.md", "# Soul\n", "name", &value("Mica #"), "# Mica\n");
    becomes("SOUL.md", "# Soul\n", "name", &value("Mica # ##"), "# Mica\n");
    becomes("SOUL.md", "# Mica\n", "name", &value("# #"), "# Soul\n");
    becomes("SOUL.md", "# Mica\n", "name", &value(""), "# Soul\n");
}

#[test]
fn what_is_missing_is_written_in_the_order_of_the_form() {
    becomes("USER.md", "", "name", &value("Ada"), "# About you\n\n- **Name:** Ada\n");
    becomes("USER.md", "", "interests", &Change::Add(0, "maps".into()), "# About you\n\n## Interests\n\n- maps\n");
    becomes(
        "USER.md",
        "# Ada\n\n### Preferences\n- x\n#### Sub\n\n### Garden\n",
        "notes",
        &value("n"),
        "# Ada\n\n### Preferences\n- x\n#### Sub\n\n### Notes\n\nn\n\n### Garden\n",
    );
    becomes(
        "USER.md",
        "# Ada\n\n## Interests\n\n- maps",
        "notes",
        &value("a\nb"),
        "# Ada\n\n## Interests\n\n- maps\n\n## Notes\n\na\nb",
    );
    becomes(
        "USER.md",
        "# Ada\n\nIntro.\n\n## Notes\n",
        "name",
        &value("Ada"),
        "# Ada\n\nIntro.\n\n- **Name:** Ada\n\n## Notes\n",
    );
    becomes("USER.md", "## Work\r\n", "role", &value("smith"), "## Work\r\n\r\n- **Primary role:** smith\r\n");
    becomes("AGENTS.md", "", "rules", &Change::Add(0, "Ask.".into()), "# Rules\n\n- Ask.\n");
    becomes("AGENTS.md", "# How\n\nSome.\n", "rules", &Change::Add(0, "Ask.".into()), "# How\n\nSome.\n\n- Ask.\n");
    becomes("SKILL.md", "", "description", &value("Plan: rail"), "---\ndescription: \"Plan: rail\"\n---\n");
    becomes("SOUL.md", "", "name", &value("Mica"), "# Mica\n");
}

#[test]
fn a_long_text_never_becomes_structure() {
    let text = "# Ada\n\n## Notes\n\n(anything)\n\n## Preferences\n\n- x\n";
    let with = |notes: &str| text.replace("(anything)", notes);
    for (typed, stands) in [
        ("# Not a heading", "\\# Not a heading"),
        ("Under\n---", "Under\n\\---"),
        ("```\n# open", "\\```\n\\# open"),
        ("```\n# closed\n```", "```\n# closed\n```"),
        ("<!-- open", "\\<!-- open"),
        ("\\# typed", "\\\\# typed"),
        ("\n\n  two\n\n\nthree\n\n", "  two\n\n\nthree"),
        ("a\n\n---\n*closing*", "a\n\n\\---\n*closing*"),
        ("a\n\n---\n**bold**", "a\n\n---\n**bold**"),
        ("Name: Eve\n- Language: none", "Name: Eve\n- Language: none"),
    ] {
        becomes("USER.md", text, "notes", &value(typed), &with(stands));
        let form = outline("USER.md", &with(stands));
        let shown = format!("  notes={}", values::several_lines(typed).replace('\n', "⏎"));
        assert!(form.contains(&shown), "{form:?}");
    }
    let mixed = "## Notes\n- a\r---\nSub\n===\n";
    becomes("CLAUDE.md", mixed, "notes", &value("b"), "## Notes\nb\n\nSub\n===\n");
    becomes("SKILL.md", "a\rb\n", "instructions", &value("#\n\n:"), "#\r\r\n:\n");
    let closed = "## Notes\n- a\n---\n*Edit this.*\n";
    becomes("USER.md", closed, "notes", &value("b"), "## Notes\nb\n\n---\n*Edit this.*\n");
    becomes("USER.md", "## Notes\n\n---\n\n_Edit._", "notes", &value("b"), "## Notes\n\nb\n\n---\n\n_Edit._");
    let crlf = "## Notes\r\n\r\none\ntwo\r\nthree\r\n";
    becomes("USER.md", crlf, "notes", &value("one\n2\nthree"), &crlf.replace("two", "2"));
    becomes("USER.md", "## Notes\n\n\n\n## Interests\n", "notes", &value("a"), "## Notes\n\na\n\n## Interests\n");
}

#[test]
fn entries_are_changed_added_taken_out_and_moved() {
    let text = "# R\n\n1. one\n2. two\n   - nested\n3. three\n\nEnd";
    let list = |items: &str| format!("# R\n\n{items}\n\nEnd");
    let at = "AGENTS.md";
    becomes(at, text, "rules", &Change::Set(0, "1".into()), &list("1. 1\n2. two\n   - nested\n3. three"));
    assert_eq!(changed(at, text, "rules", &Change::Set(1, "2".into())), Err(EditError::Kept));
    becomes(at, text, "rules", &Change::Add(1, "new".into()), &list("1. one\n2. new\n3. two\n   - nested\n4. three"));
    becomes(at, text, "rules", &Change::Add(99, "new".into()), &list("1. one\n2. two\n   - nested\n3. three\n4. new"));
    becomes(at, text, "rules", &Change::Remove(0), &list("1. two\n   - nested\n2. three"));
    becomes(at, text, "rules", &Change::Remove(2), &list("1. one\n2. two\n   - nested"));
    becomes(at, text, "rules", &Change::Move(0, 2), &list("1. two\n   - nested\n2. three\n3. one"));
    becomes(at, text, "rules", &Change::Move(1, 0), &list("1. two\n   - nested\n2. one\n3. three"));
    becomes(at, text, "rules", &Change::Move(1, 1), text);
    assert_eq!(changed(at, text, "rules", &Change::Remove(3)), Err(EditError::Gone));
    assert_eq!(changed(at, text, "rules", &Change::Move(5, 0)), Err(EditError::Gone));
    becomes(at, "- a\r\n\r\n- b", "rules", &Change::Add(2, "c".into()), "- a\r\n\r\n- b\r\n\r\n- c");
    becomes(at, "- a\n- b", "rules", &Change::Remove(1), "- a");
    becomes(at, "- only\n", "rules", &Change::Remove(0), "");
    becomes(at, "2. a\n1. b\n", "rules", &Change::Move(0, 1), "2. b\n1. a\n");
    becomes(at, "- a\n", "rules", &Change::Set(0, "--".into()), "- \\--\n");
    becomes(at, "- a\n", "rules", &Change::Set(0, "[x] b".into()), "- \\[x] b\n");
    becomes(at, "-\ntext", "rules", &Change::Set(0, "b".into()), "- b\n\ntext");
    let boxes = "# U\n\n## Answers\n\n- [ ] short\n- [X] long\n";
    becomes("USER.md", boxes, "answers", &Change::Checked(0, true), &boxes.replace("[ ]", "[x]"));
    becomes("USER.md", boxes, "answers", &Change::Checked(1, true), boxes);
    becomes("USER.md", boxes, "answers", &Change::Add(2, "kind".into()), &format!("{boxes}- [ ] kind\n"));
    assert_eq!(changed("USER.md", boxes, "answers", &Change::Checked(2, true)), Err(EditError::Gone));
}

#[test]
fn a_skill_keeps_its_remarks_and_is_quoted_only_where_it_must_be() {
    let text = "---\nname: tide # as the folder\n# remark\ndescription: 'Read: a table'\n---\n\n# Tide\n\nLook.\n";
    let at = "SKILL.md";
    becomes(at, text, "name", &value("ebb"), &text.replace("tide #", "ebb #"));
    becomes(at, text, "description", &value("Read a table"), &text.replace("'Read: a table'", "Read a table"));
    becomes(at, text, "description", &value("Say \"a: b\""), &text.replace("'Read: a table'", "\"Say \\\"a: b\\\"\""));
    becomes(at, text, "description", &value("Read: a table"), text);
    becomes(at, text, "description", &value("yes"), &text.replace("'Read: a table'", "\"yes\""));
    becomes(at, text, "instructions", &value("# Tide\n\nLook.\n## New"), &text.replace("Look.", "Look.\n## New"));
    let folded = "---\ndescription: >\n  two\n  lines\nname: x\n---\n";
    becomes(at, folded, "description", &value("one"), "---\ndescription: one\nname: x\n---\n");
    becomes(at, "---\nname: x\n---\n", "description", &value("d"), "---\nname: x\ndescription: d\n---\n");
    becomes(at, "---\nname:\n---\n", "name", &value("x"), "---\nname: x\n---\n");
    becomes(at, "Body\n", "name", &value("x"), "---\nname: x\n---\n\nBody\n");
    becomes(at, "---\nname: x\n---\n", "instructions", &value("Do."), "---\nname: x\n---\n\nDo.\n");
}

#[test]
fn a_file_of_five_thousand_lines_is_a_form() {
    let wishes: Vec<_> = (0..4_990).map(|wish| format!("- wish {wish}\n")).collect();
    let text = format!("# Ada\n\n- **Name:** Ada\n\n## Preferences\n\n{}", wishes.concat());
    let started = std::time::Instant::now();
    let after = changed("USER.md", &text, "name", &value("Eve")).unwrap();
    assert_eq!(after, text.replacen("** Ada", "** Eve", 1));
    // A stop for something quadratic; the work itself is counted where structure is read.
    assert!(started.elapsed().as_secs() < 5, "{:?}", started.elapsed());
    let moved = changed("USER.md", &text, "preferences", &Change::Move(0, 4_989)).unwrap();
    assert!(moved.ends_with("- wish 4989\n- wish 0\n"));
}
