//! The committed vectors, and how a difference is reported.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// Reads `tests/vectors/<name>`.
///
/// # Panics
/// When it is not there or is no JSON.
pub fn load(name: &str) -> Value {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("vectors").join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// SHA-256 in hexadecimal digits.
pub fn sha256(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// Collects what differs, so that one run names every failing case.
#[derive(Debug, Default)]
pub struct Failures {
    lines: Vec<String>,
    checked: usize,
}

impl Failures {
    /// Compares two texts; a difference is reported with its first byte and both neighbourhoods.
    pub fn text(&mut self, case: &str, what: &str, got: &str, expected: &str) {
        self.checked += 1;
        if got == expected {
            return;
        }
        let at = got.bytes().zip(expected.bytes()).take_while(|(a, b)| a == b).count();
        let around = |text: &str| {
            let from = text.floor_char_boundary(at.saturating_sub(40));
            let to = text.ceil_char_boundary((at + 60).min(text.len()));
            format!("{:?}", text.get(from..to).unwrap_or_default())
        };
        self.lines.push(format!(
            "{case}: {what} differs at byte {at}\n     got      {}\n     expected {}",
            around(got),
            around(expected)
        ));
    }

    /// Compares two values.
    pub fn value(&mut self, case: &str, what: &str, got: &Value, expected: &Value) {
        self.checked += 1;
        if got != expected {
            self.lines.push(format!("{case}: {what} differs\n     got      {got}\n     expected {expected}"));
        }
    }

    /// Reports a failure of any other kind.
    pub fn failed(&mut self, case: &str, message: &str) {
        self.lines.push(format!("{case}: {message}"));
    }

    /// Ends the test.
    ///
    /// # Panics
    /// When something differed, or nothing was compared.
    pub fn finish(self) {
        assert!(self.checked > 0, "nothing was compared");
        assert!(
            self.lines.is_empty(),
            "{} of {} checks failed\n{}",
            self.lines.len(),
            self.checked,
            self.lines.join("\n")
        );
    }
}
