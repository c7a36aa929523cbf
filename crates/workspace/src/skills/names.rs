//! What a skill may be called. The target takes every folder name; the open standard for skills, which other hosts hold
//! to, does not. Pure.

use model::{Text, text};

/// A rule of the standard that a name breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameProblem {
    /// Nothing.
    Empty,
    /// More than [`LONGEST`] characters.
    TooLong,
    /// Something else than lower-case letters, digits and hyphens.
    Characters,
    /// A hyphen at an end.
    EdgeHyphen,
    /// Two hyphens in a row.
    DoubleHyphen,
}

impl NameProblem {
    /// The rule in a sentence, and what follows from it.
    pub fn text(self) -> Text {
        match self {
            Self::Empty => text!("skill-name-empty"),
            Self::TooLong => text!("skill-name-too-long"),
            Self::Characters => text!("skill-name-characters"),
            Self::EdgeHyphen => text!("skill-name-edge-hyphen"),
            Self::DoubleHyphen => text!("skill-name-double-hyphen"),
        }
    }
}

/// Characters that a name may have.
pub const LONGEST: usize = 64;
/// Characters that a description may have for the standard.
pub const LONGEST_DESCRIPTION: usize = 1024;

/// Every rule that `name` breaks.
pub fn problems(name: &str) -> Vec<NameProblem> {
    if name.is_empty() {
        return vec![NameProblem::Empty];
    }
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    [
        (name.chars().count() > LONGEST, NameProblem::TooLong),
        (!name.chars().all(allowed), NameProblem::Characters),
        (name.starts_with('-') || name.ends_with('-'), NameProblem::EdgeHyphen),
        (name.contains("--"), NameProblem::DoubleHyphen),
    ]
    .into_iter()
    .filter_map(|(broken, problem)| broken.then_some(problem))
    .collect()
}

/// `name-2`, `name-3` …: the first of them that is not `taken`, within the rules for the length.
pub fn next_free(name: &str, taken: impl Fn(&str) -> bool) -> String {
    let stem = name.rsplit_once('-').filter(|(_, end)| end.parse::<u32>().is_ok()).map_or(name, |(stem, _)| stem);
    let mut number = 2_u64;
    loop {
        let ending = format!("-{number}");
        let short: String = stem.chars().take(LONGEST - ending.len()).collect();
        let next = format!("{}{ending}", short.trim_end_matches('-'));
        if !taken(&next) {
            return next;
        }
        number += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_held_to_the_standard() {
        let longest = "a".repeat(64);
        for name in ["tide", "a", "7", "weather-2", "a-b-c", &longest] {
            assert_eq!(problems(name), [], "{name}");
        }
        let long = "a".repeat(65);
        for (name, problem) in [
            ("", NameProblem::Empty),
            (&*long, NameProblem::TooLong),
            ("Tide", NameProblem::Characters),
            ("été", NameProblem::Characters),
            ("a b", NameProblem::Characters),
            ("../x", NameProblem::Characters),
            ("-a", NameProblem::EdgeHyphen),
            ("a-", NameProblem::EdgeHyphen),
            ("a--b", NameProblem::DoubleHyphen),
        ] {
            assert_eq!(problems(name), [problem], "{name}");
        }
        assert_eq!(problems("-A--"), [NameProblem::Characters, NameProblem::EdgeHyphen, NameProblem::DoubleHyphen]);
    }

    #[test]
    fn a_free_name_is_found() {
        assert_eq!(next_free("tide", |_| false), "tide-2");
        assert_eq!(next_free("tide-2", |name| name == "tide-2"), "tide-3");
        let long = next_free(&"a".repeat(64), |_| false);
        assert_eq!((long.len(), problems(&long)), (64, Vec::new()));
    }
}
