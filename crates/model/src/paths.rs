//! Path text as the target handles it: resolved by its letters alone, without asking the disk.

/// `text` against `folder`, with `.`, `..` and double slashes taken out: what Node's `path.posix.resolve` gives,
/// which is how the target compares workspaces. Links are not followed.
pub fn resolve(folder: &str, text: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let from = if text.starts_with('/') { "" } else { folder };
    for part in from.split('/').chain(text.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    format!("/{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_resolve_by_their_text() {
        for (folder, text, expected) in [
            ("/home/ada", "/a/./b//c/", "/a/b/c"),
            ("/home/ada", "x/../y", "/home/ada/y"),
            ("/home/ada", "../../../..", "/"),
            ("/home/ada", "", "/home/ada"),
            ("/w", "C:\\a", "/w/C:\\a"),
        ] {
            assert_eq!(resolve(folder, text), expected);
        }
    }
}
