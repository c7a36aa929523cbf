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

/// `relative` below `folder`.
pub(crate) fn join(folder: &str, relative: &str) -> String {
    let folder = folder.trim_end_matches('/');
    let mut path = String::with_capacity(folder.len() + 1 + relative.len());
    path.push_str(folder);
    path.push('/');
    path.push_str(relative);
    path
}

/// True when `path` is `folder` or stands below it; both without links.
pub(crate) fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder.trim_end_matches('/')).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
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
        ] {
            assert_eq!(resolve(folder, text), expected);
        }
    }

    #[test]
    fn below_ends_at_a_slash() {
        assert!(is_below("/a/b", "/a/b") && is_below("/a/b/c", "/a/b/") && is_below("/x", "/"));
        assert!(!is_below("/a/bc", "/a/b"));
    }
}
