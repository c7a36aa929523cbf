//! Structures that were known before.

use super::*;

/// Each block as its kind and its lines, with what matters of it.
fn outline(text: &str) -> Vec<String> {
    let document = Document::read(text);
    let slice = |range: &std::ops::Range<usize>| document.slice(range).replace("\r\n", "⏎").replace(['\n', '\r'], "⏎");
    let key = |key: &KeyLine| format!("{}={}", slice(&key.key), slice(&key.value));
    let blocks = document.blocks.iter().map(|block| {
        let what = match &block.kind {
            Kind::FrontMatter { inner } => format!("front {}", slice(inner)),
            Kind::Heading { level, title } => format!("h{level} {}", slice(title)),
            Kind::Key(line) => format!("key {}", key(line)),
            Kind::List(items) => {
                let items = items.iter().map(|item| {
                    let text = match (&item.check, &item.key) {
                        (Some(check), _) => format!("[{}]{}", slice(&check.mark), slice(&check.text)),
                        (None, Some(line)) => key(line),
                        _ => slice(&item.text),
                    };
                    format!("{}{text}{}", slice(&item.mark), if item.single { "" } else { "+" })
                });
                format!("list {}", items.collect::<Vec<_>>().join("|"))
            }
            Kind::Text => "text".to_owned(),
            Kind::Code { closed } => format!("code {closed}"),
            Kind::Comment { closed } => format!("comment {closed}"),
            Kind::Table => "table".to_owned(),
            Kind::Rule => "rule".to_owned(),
        };
        format!("{}-{} {what}", block.lines.start, block.lines.end)
    });
    blocks.collect()
}

#[test]
fn the_parts_of_a_file_are_found() {
    let text = "---\nname: tide\n---\n# Title #\nIntro\nmore\n\nSub\n===\n- a\n- b\n\n  still b\n1. one\n2) two\n***\n\
                ```rust\n# no heading\n```\n<!-- a\nb -->\n| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd";
    assert_eq!(
        outline(text),
        [
            "0-3 front name: tide⏎",
            "3-4 h1 Title",
            "4-6 text",
            "7-9 h1 Sub",
            "9-13 list -a|-b+",
            "13-15 list 1.one|2)two",
            "15-16 rule",
            "16-19 code true",
            "19-21 comment true",
            "21-24 table",
            "25-26 text",
        ]
    );
}

#[test]
fn names_and_values_are_found_in_every_style() {
    for (line, key, value) in [
        ("- **Name:** Ada", "Name", "Ada"),
        ("- **Name**: Ada", "Name", "Ada"),
        ("* __Name__: Ada", "Name", "Ada"),
        ("+ Name: Ada", "Name", "Ada"),
        ("1. *Name*: Ada", "Name", "Ada"),
        ("**Name:** Ada", "Name", "Ada"),
        ("Full name:   Ada  ", "Full name", "Ada"),
        ("姓名：小满", "姓名", "小满"),
        ("- **姓名：**小满", "姓名", "小满"),
        ("**Nom :** Ada", "Nom", "Ada"),
        ("**Nom** : Ada", "Nom", "Ada"),
        ("- __Nom__\u{202f}: Ada", "Nom", "Ada"),
        ("***Name:*** Ada", "Name", "Ada"),
        ("- ***Name***: Ada", "Name", "Ada"),
        ("שם: עדה", "שם", "עדה"),
        ("- **Name:**", "Name", ""),
        ("Name:", "Name", ""),
    ] {
        let document = Document::read(line);
        let found = match &document.blocks[0].kind {
            Kind::Key(key) => Some(key),
            Kind::List(items) => items[0].key.as_ref(),
            _ => None,
        };
        let found = found.map(|found| (document.slice(&found.key), document.slice(&found.value)));
        assert_eq!(found, Some((key, value)), "{line}");
    }
    for line in
        ["http://example.org", "At 10:30", "**bold** text", ": x", "    Name: Ada", "- [ ] Name: Ada", "no colon"]
    {
        let document = Document::read(line);
        let found = match &document.blocks[0].kind {
            Kind::Key(_) => true,
            Kind::List(items) => items[0].key.is_some(),
            _ => false,
        };
        assert!(!found, "{line}");
    }
}

#[test]
fn a_value_goes_on_over_the_lines_of_its_paragraph() {
    assert_eq!(
        outline("Intro\n**Nature:** a cat\nof old\n**Voice:** brief\n\nx"),
        ["0-1 text", "1-3 key Nature=a cat⏎of old", "3-4 key Voice=brief", "5-6 text",]
    );
    assert_eq!(outline("- **Name:** Ada\n  Lindqvist\n  - nested\n- b"), ["0-4 list -Name=Ada⏎  Lindqvist+|-b"]);
}

#[test]
fn every_line_end_ends_a_line_and_a_mark_is_no_text() {
    for end in ["\n", "\r\n", "\r"] {
        let text = format!("\u{FEFF}# A{end}{end}- x{end}- y{end}").replace('|', end);
        assert_eq!(outline(&text), ["0-1 h1 A", "2-4 list -x|-y"], "{end:?}");
    }
    assert_eq!(outline("# A\r# B\n# C\r\n# D").len(), 4);
}

#[test]
fn what_nothing_closes_goes_on_to_the_end() {
    assert_eq!(outline("```\n# a\n"), ["0-2 code false"]);
    assert_eq!(outline("<!-- x\n# a"), ["0-2 comment false"]);
    assert_eq!(outline("---\nname: x\n"), ["0-1 rule", "1-2 key name=x"]);
}

#[test]
fn lists_of_every_shape_are_lists() {
    assert_eq!(outline("-\n-\n- \n"), ["0-3 list -|-|-"]);
    assert_eq!(outline("text\n-\nmore"), ["0-1 text", "1-2 list -", "2-3 text"]);
    assert_eq!(outline("- [ ] a\n- [x] b\n- [-] c\n"), ["0-3 list -[ ]a|-[x]b|-[-]c"]);
    assert_eq!(outline("- a\nlazy\n\nnew"), ["0-2 list -a+", "3-4 text"]);
    assert_eq!(outline("- a\n  - n\nlazy\n\nnew"), ["0-3 list -a+", "4-5 text"]);
    assert_eq!(outline("3. c\n   - n\n4. d"), ["0-3 list 3.c+|4.d"]);
    assert_eq!(outline("- - -\n"), ["0-1 rule"]);
}

#[test]
fn a_long_file_is_read_in_one_pass() {
    let unit = "## Part\n\nName: x\n- a\n  b\n\n- c\n```\n```\n| a |\n|---|\n\ntext\n---\n<!-- x -->\n";
    let hostile = ["- a\n\n", "```a\n", "<!--\n", "x\n", "> \n", "-\n", "1.\n\n\n", "  - a\n", "a|\n|-|\n", "#\n=\n"];
    for part in std::iter::once(unit).chain(hostile) {
        let text = part.repeat(5_000 / part.lines().count());
        let document = Document::read(&text);
        assert!(document.work <= 8 * document.lines.len(), "{part:?}: {} of {}", document.work, document.lines.len());
    }
}

#[test]
fn edits_leave_out_what_is_the_same() {
    let one = |old: &str, new: &str| shrink(old, vec![Edit::new(0..old.len(), new)]);
    assert_eq!(one("abc", "abc"), []);
    assert_eq!(one("Ada L", "Ada B"), [Edit::new(4..5, "B")]);
    assert_eq!(one("aé", "aê"), [Edit::new(1..3, "ê")], "whole characters");
    assert_eq!(one("a\r\nb", "a\rb"), [Edit::new(1..3, "\r")], "CR LF is one");
    let text = "one two";
    let edits = [Edit::new(0..3, "1"), Edit::insert(7, "!")];
    assert_eq!(apply(text, &edits), "1 two!");
}
