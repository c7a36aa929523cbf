//! Memories: entries with dates, sections of the agent's own, and what a consolidator writes.

use super::*;

#[test]
fn memory_entries_have_dates() {
    let text = "# Memory\n\n## Preferences\n\n- 2026-02-03: short answers\n- [2026-02-04] metric\n- no date\n\n## Work in progress\n\n(nothing yet)\n";
    shows(
        "MEMORY.md",
        text,
        &[
            "entries 1-1",
            "preferences 3-7",
            "  preferences=",
            "    2026-02-03 short answers",
            "    2026-02-04 metric",
            "    no date",
            "work 9-11",
            "  work= unfilled (nothing yet)",
        ],
    );
    becomes(
        "MEMORY.md",
        text,
        "preferences",
        &Change::Set(1, "SI units".into()),
        &text.replace("] metric", "] SI units"),
    );
    becomes(
        "MEMORY.md",
        text,
        "preferences",
        &Change::Add(0, "hello".into()),
        &text.replace("- 2026-02-03", "- 2026-03-01: hello\n- 2026-02-03"),
    );
    becomes(
        "MEMORY.md",
        text,
        "work",
        &Change::Add(9, "clock".into()),
        &text.replace("(nothing yet)", "- 2026-03-01: clock"),
    );
}

const AT: &str = "MEMORY.md";

#[test]
fn entries_right_below_the_title_are_entries() {
    let text = "# Kept\n\n- 2024-05-01 likes plums\n- [2024-05-02 14:05] hates rain\n- undated\n";
    let entries = ["  entries=", "    2024-05-01 likes plums", "    2024-05-02 14:05 hates rain", "    undated"];
    shows(AT, text, &[&["entries 1-5"], &entries[..]].concat());
    let change = |change: Change, expected: &str| becomes(AT, text, "entries", &change, expected);
    change(Change::Set(0, "loves plums".into()), &text.replace("likes", "loves"));
    change(Change::Set(1, "- x".into()), &text.replace("] hates rain", "]: - x"));
    change(Change::Set(2, "2024-05-03: dated now".into()), &text.replace("undated", "2024-05-03: dated now"));
    // Whoever goes on typing behind the date that has just become one writes no second one.
    change(Change::Set(0, "2024-05-01 loves plums".into()), &text.replace("likes", "loves"));
    change(Change::Set(0, ": loves plums".into()), &text.replace("likes", "loves"));
    change(Change::Add(1, "new".into()), &text.replace("- [", "- 2026-03-01 new\n- ["));
    change(Change::Add(2, "new".into()), &text.replace("- und", "- [2026-03-01] new\n- und"));
    change(Change::Add(3, "2024-05-03 own date".into()), &format!("{text}- 2024-05-03 own date\n"));
    change(Change::Remove(0), &text.replace("- 2024-05-01 likes plums\n", ""));
    change(Change::Move(2, 0), "# Kept\n\n- undated\n- 2024-05-01 likes plums\n- [2024-05-02 14:05] hates rain\n");
    for (bare, lines) in [("- likes plums\n", "entries 1-1"), ("\u{FEFF}* likes plums", "entries 1-1")] {
        shows(AT, bare, &[lines, "  entries=", "    likes plums"]);
    }
    becomes(AT, "# Kept\n", "entries", &Change::Add(0, "x".into()), "# Kept\n\n- 2026-03-01: x\n");
    becomes(
        AT,
        "# Kept\r\n\r\nIntro.\r\n\r\n## Next\r\n",
        "entries",
        &Change::Add(0, "x".into()),
        "# Kept\r\n\r\nIntro.\r\n\r\n- 2026-03-01: x\r\n\r\n## Next\r\n",
    );
}

#[test]
fn every_section_that_is_not_known_is_one_of_its_own() {
    let text = "# Memory\n\nIntro.\n\n## Person\n\n(nothing noted)\n\n## Boat\n\n- 2026-02-03: leaks\n- [x] paid\n\n\
                ## Boat\n\nIt is *old*.\n\n- and leaks\n\n### Jobs\n- [ ] tar\n";
    shows(
        AT,
        text,
        &[
            "entries 1-1",
            "kept text 3-3 Intro.",
            "section.person 5-7",
            "  section.person= unfilled (nothing noted)",
            "section.boat 9-12",
            "  section.boat=",
            "    2026-02-03 leaks",
            "    [x] paid",
            "section.boat+ 14-18",
            "  section.boat+=It is *old*.⏎⏎- and leaks",
            "section.jobs 20-21",
            "  section.jobs= unfilled",
            "    [ ] tar",
        ],
    );
    becomes(
        AT,
        text,
        "section.person",
        &Change::Add(0, "Ada".into()),
        &text.replace("(nothing noted)", "- 2026-03-01: Ada"),
    );
    becomes(AT, text, "section.boat+", &value("New."), &text.replace("It is *old*.\n\n- and leaks", "New."));
    becomes(AT, text, "section.jobs", &Change::Checked(0, true), &text.replace("[ ]", "[x]"));
    becomes(AT, text, "section.jobs", &Change::Remove(0), &text.replace("\n- [ ] tar", ""));
}

/// What stands in the file after a consolidator has appended, by the vectors of the host's own code.
#[test]
fn what_a_consolidator_appends_is_sections() {
    shows(
        AT,
        "old\n\n\n## Night run — User Profile — 2025-03-04\nLikes plums.\n",
        &[
            "kept text 1-1 old",
            "section.nightrunuserprofile20250304 4-5",
            "  section.nightrunuserprofile20250304=Likes plums.",
        ],
    );
    shows(
        AT,
        "\n\n## Night run — Project — 2025-03-04\n- dam\n\n\n## Night run — Project — 2025-03-04\n- gate\n",
        &[
            "section.nightrunproject20250304 3-4",
            "  section.nightrunproject20250304=",
            "    dam",
            "section.nightrunproject20250304+ 7-8",
            "  section.nightrunproject20250304+=",
            "    gate",
        ],
    );
    // Not layered: the summary's own sections stand below the dated heading, again and again.
    let run = |day: &str, fact: &str| format!("\n\n## Night run — {day}\n## User Profile\n{fact}\n\n");
    let text = format!("{}{}", run("2025-03-04", "Likes plums."), run("2025-03-05", "- Hates rain."));
    shows(
        AT,
        &text,
        &[
            "section.nightrun20250304 3-3",
            "  section.nightrun20250304=",
            "person 4-5",
            "  person=Likes plums.",
            "section.nightrun20250305 9-9",
            "  section.nightrun20250305=",
            "section.userprofile 10-11",
            "  section.userprofile=",
            "    Hates rain.",
        ],
    );
    becomes(AT, &text, "person", &value("Likes figs."), &text.replace("plums", "figs"));
    shows(
        AT,
        "## Night run — 2025-03-04\n##user   profile\nA\n#\nB\n",
        &["section.nightrun20250304 1-3", "  section.nightrun20250304=##user   profile⏎A", "kept section 4-5 "],
    );
}
