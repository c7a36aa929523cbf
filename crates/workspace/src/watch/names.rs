//! Names that editors and we ourselves use in passing; a change of such a file changes nothing that is read.

use std::path::Path;

use crate::save::is_temporary;

/// True for temporary, swap and lock files.
pub(super) fn is_passing(path: &Path) -> bool {
    const ENDINGS: [&str; 6] = [".swp", ".swx", ".swo", "~", ".part", ".crdownload"];
    const BEGINNINGS: [&str; 3] = [".#", ".goutputstream-", ".~lock."];
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
    // Vim writes `4913` to find out whether it may.
    name == "4913"
        || is_temporary(name)
        || (name.starts_with('.') && name.contains(".tmp"))
        || ENDINGS.iter().any(|ending| name.ends_with(ending))
        || BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passing_names_are_told_from_files() {
        for name in [
            "4913",
            ".SOUL.md.swp",
            "SOUL.md~",
            ".#SOUL.md",
            ".goutputstream-AB12CD",
            ".SOUL.md.cbw-0000000100000001.tmp",
        ] {
            assert!(is_passing(Path::new(name)), "{name}");
        }
        for name in ["SOUL.md", "SKILL.md", ".cursor", "4913.md", "tmp"] {
            assert!(!is_passing(Path::new(name)), "{name}");
        }
    }
}
