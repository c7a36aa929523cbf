//! The targets that ship, read from `targets/*.toml` at the repository root.

use std::sync::LazyLock;

use model::Target;

/// The target `catbuddy`.
#[expect(clippy::expect_used, reason = "the file is embedded, and a test reads it")]
pub fn catbuddy() -> Target {
    static TARGET: LazyLock<Target> = LazyLock::new(|| {
        toml::from_str(include_str!("../../../targets/catbuddy.toml")).expect("targets/catbuddy.toml is a target")
    });
    TARGET.clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_target_reads() {
        let target = catbuddy();
        let names: Vec<&str> = target.bootstrap.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["AGENTS.md", "SOUL.md", "USER.md", "TOOLS.md"]);
        assert_eq!((target.always_on, target.cache_entries), (vec!["memory".to_owned(), "my".to_owned()], 8));
    }
}
