//! Path text put together and compared by its letters; [`model::paths`] resolves it.

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
    fn below_ends_at_a_slash() {
        assert!(is_below("/a/b", "/a/b") && is_below("/a/b/c", "/a/b/") && is_below("/x", "/"));
        assert!(!is_below("/a/bc", "/a/b"));
    }
}
