//! The tests that `docs/decisions/0013-what-users-report.md` names are there.

use std::fs;

use crate::root;

#[test]
fn each_report_is_held_by_a_test_that_exists() {
    let page = fs::read_to_string(root().join("docs/decisions/0013-what-users-report.md")).unwrap();
    let mut tests = 0;
    for row in page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| what was reported")) {
        let named = row.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        for pair in named.split("; ") {
            let parts: Vec<&str> = pair.split('`').collect();
            let [_, file, _, test, _] = parts[..] else { panic!("no `file` `test`: {pair}") };
            let source = fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
            let there =
                [format!("fn {test}("), format!("it(\"{test}\"")].iter().any(|opening| source.contains(opening));
            assert!(there, "{file} has no test {test}");
            tests += 1;
        }
    }
    assert!(tests >= 40, "the search finds the tests: {tests}");
}
