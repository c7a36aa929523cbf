//! Why the system refused something, as a text for people.

use std::io;

use model::{Text, text};
use rustix::io::Errno;

/// The system's reason. One that the catalogue does not know is in the system's own words.
pub fn cause(error: &io::Error) -> Text {
    error.raw_os_error().map_or_else(|| Text::verbatim(error.to_string()), |code| of_code(code, error))
}

/// The same of a bare error number.
pub(crate) fn of_errno(errno: Errno) -> Text {
    of_code(errno.raw_os_error(), &errno.into())
}

fn of_code(raw: i32, error: &io::Error) -> Text {
    let code = raw.to_string();
    match Errno::from_raw_os_error(raw) {
        Errno::PERM => text!("os-not-permitted", code),
        Errno::NOENT => text!("os-not-found", code),
        Errno::IO => text!("os-io", code),
        Errno::ACCESS => text!("os-denied", code),
        Errno::NOTDIR => text!("os-not-a-folder", code),
        Errno::ISDIR => text!("os-is-a-folder", code),
        Errno::MFILE => text!("os-too-many-open", code),
        Errno::NOSPC => text!("os-disk-full", code),
        Errno::ROFS => text!("os-read-only", code),
        Errno::NAMETOOLONG => text!("os-name-too-long", code),
        Errno::LOOP => text!("os-link-loop", code),
        _ => Text::verbatim(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_english_is_the_systems_own() {
        let known = [
            Errno::PERM,
            Errno::NOENT,
            Errno::IO,
            Errno::ACCESS,
            Errno::NOTDIR,
            Errno::ISDIR,
            Errno::MFILE,
            Errno::NOSPC,
            Errno::ROFS,
            Errno::NAMETOOLONG,
            Errno::LOOP,
        ];
        for errno in known {
            let text = of_errno(errno);
            assert_eq!(text.as_str(), io::Error::from(errno).to_string());
            assert!(text.key().is_some(), "{text}");
        }
        assert_eq!(of_errno(Errno::DEADLK).key(), None);
    }
}
