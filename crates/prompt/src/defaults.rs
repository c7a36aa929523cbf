//! Is this file still the text it was made from? The target asks that of the memory alone; we also know the
//! default files of other products and releases: by hash, and the memory's also by its form, whatever the product is
//! called.

use std::collections::HashMap;
use std::sync::LazyLock;

use model::{AppFiles, AppOrigin, ContentHash, SourceFile};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::js;

/// Whose memory file the hashes are of, when no installed app is at hand.
const PRODUCT: &str = "catbuddy";

/// Texts longer than this are no shipped default; the longest known one has 4,073 characters.
const LONGEST: usize = 8 * 1024;

#[derive(Deserialize)]
struct Row {
    product: String,
    file: String,
    sha256: String,
}

#[derive(Deserialize)]
struct Table {
    rows: Vec<Row>,
}

/// SHA-256 of the trimmed text, line ends made LF, of default files as they were published.
static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    serde_json::from_str::<Table>(include_str!("../data/default_hashes.json"))
        .map(|table| table.rows)
        .unwrap_or_default()
});

/// How a file stands to known defaults.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// Somebody wrote it.
    Own,
    /// Equal to the default, as the target compares.
    Default,
    /// Equal but for line ends, which the target does not forgive.
    OtherLineEnds,
    /// The default of another product, or of another release of this one, as it was published.
    OtherProduct {
        /// Its name.
        product: &'static str,
    },
    /// The default but for one name, the same wherever it stands.
    OtherName(OtherName),
}

/// A name in a default, and what stands in its place in a file that is the same text otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OtherName {
    /// In the default.
    pub(crate) ours: String,
    /// In the file.
    pub(crate) theirs: String,
}

/// Which row of the table each text is, by content hash.
#[derive(Debug, Default)]
pub(crate) struct DefaultsCache {
    rows: HashMap<ContentHash, Vec<usize>>,
}

impl DefaultsCache {
    /// Rows whose text this is, line ends aside.
    fn rows_of(&mut self, file: &SourceFile) -> Vec<&'static Row> {
        const MOST: usize = 4096;
        if file.bytes.len() > LONGEST {
            return Vec::new();
        }
        if self.rows.len() > MOST {
            self.rows.clear();
        }
        let find = || {
            let hash = sha256(&with_lf(file.text()));
            ROWS.iter().enumerate().filter(|(_, row)| row.sha256 == hash).map(|(at, _)| at).collect()
        };
        self.rows.entry(file.hash).or_insert_with(find).iter().filter_map(|&at| ROWS.get(at)).collect()
    }

    /// How the memory file stands to the defaults.
    ///
    /// With an installed app its own template decides, by equality after JavaScript's `trim`. Without one our
    /// template does, or the known hashes of the product's for a text without any carriage return.
    pub(crate) fn memory(&mut self, file: &SourceFile, name: &str, app: &AppFiles) -> Verdict {
        let text = file.text();
        let template = app.templates.get(name).and_then(|entry| entry.source());
        if template.is_some_and(|template| js::trim(template.text()) == js::trim(text)) {
            return Verdict::Default;
        }
        let returns = |text: &str| text.len() <= LONGEST && text.contains('\r');
        if template.is_some_and(|template| {
            (returns(text) || returns(template.text())) && with_lf(template.text()) == with_lf(text)
        }) {
            return Verdict::OtherLineEnds;
        }
        let rows = self.rows_of(file);
        let shipped = app.origin == AppOrigin::Shipped;
        match rows.iter().find(|row| row.file == name) {
            Some(row) if shipped && row.product == PRODUCT && text.contains('\r') => Verdict::OtherLineEnds,
            Some(row) if shipped && row.product == PRODUCT => Verdict::Default,
            Some(row) => Verdict::OtherProduct { product: &row.product },
            None => template
                .filter(|_| text.len() <= LONGEST)
                .and_then(|template| other_name(&with_lf(template.text()), &with_lf(text)))
                .map_or(Verdict::Own, Verdict::OtherName),
        }
    }

    /// The other product whose default this bootstrap file is.
    pub(crate) fn foreign(&mut self, file: &SourceFile, name: &str) -> Option<&'static str> {
        self.rows_of(file).iter().find(|row| row.file == name && row.product != PRODUCT).map(|row| row.product.as_str())
    }
}

/// The text as the table's hashes are made: CR LF and CR become LF, then trimmed.
fn with_lf(text: &str) -> String {
    js::trim(&text.replace("\r\n", "\n").replace('\r', "\n")).to_owned()
}

/// The one name by which `text` differs from `template`; both with LF and trimmed.
///
/// A name is one word of the template, and one to three words of the text. All its places in the template must have
/// changed alike, and none may lie in brackets: what stands there is a blank, and a word in it is an answer.
fn other_name(template: &str, text: &str) -> Option<OtherName> {
    const MOST_WORDS: usize = 3;
    let equal = template.char_indices().zip(text.chars()).take_while(|((_, a), b)| a == b).last();
    let parted = equal.map_or(0, |((at, character), _)| at + character.len_utf8());
    // Names may begin, or end, alike: the word goes back to where it begins.
    let start = template[..parted]
        .rfind(|character| !in_name(character))
        .map_or(0, |at| at + template[at..].chars().next().map_or(1, char::len_utf8));
    let ours = word(&template[start..])?;
    let mut end = start;
    for _ in 0..MOST_WORDS {
        end += text[end..].find(in_name).filter(|&gap| gap == 0 || (end > start && gap == 1))?;
        end += word(&text[end..])?.len();
        let theirs = &text[start..end];
        if theirs != ours && renamed(template, ours, theirs).as_deref() == Some(text) {
            return Some(OtherName { ours: ours.to_owned(), theirs: theirs.to_owned() });
        }
    }
    None
}

/// `template` with every word `ours` replaced; `None` when one of them lies in brackets.
fn renamed(template: &str, ours: &str, theirs: &str) -> Option<String> {
    let mut made = String::with_capacity(template.len());
    let mut open = 0_usize;
    let mut rest = template;
    while let Some(next) = rest.chars().next() {
        let length = match word(rest) {
            Some(word) if word == ours => {
                if open > 0 {
                    return None;
                }
                made.push_str(theirs);
                word.len()
            }
            Some(word) => {
                made.push_str(word);
                word.len()
            }
            None => {
                match next {
                    '(' | '[' => open += 1,
                    ')' | ']' | '\n' => open = open.saturating_sub(1),
                    _ => {}
                }
                made.push(next);
                next.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    Some(made)
}

/// The word with which `text` begins.
fn word(text: &str) -> Option<&str> {
    let end = text.find(|character| !in_name(character)).unwrap_or(text.len());
    (end > 0).then(|| &text[..end])
}

/// Signs of a product's name.
fn in_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '-' | '_')
}

fn sha256(text: &str) -> String {
    ContentHash(Sha256::digest(text.as_bytes()).into()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEMPLATE: &str =
        "# Notes of Tern\n\nTern keeps what should last.\n\n## Person\n\n(nothing noted)\n\n---\n\n*Kept by Tern*";

    #[test]
    fn one_name_may_differ_if_it_does_so_everywhere() {
        for (theirs, found) in [
            ("Gull", true),
            ("Ternary", true),
            ("T", true),
            ("Night Heron", true),
            ("one-two 3 four", true),
            ("海鸥", true),
            ("a b c d", false),
            ("", false),
        ] {
            let text = TEMPLATE.replace("Tern", theirs);
            let expected = found.then(|| OtherName { ours: "Tern".into(), theirs: theirs.into() });
            assert_eq!(other_name(TEMPLATE, &text), expected, "{theirs}");
        }
    }

    #[test]
    fn what_a_person_wrote_is_no_name() {
        for text in [
            TEMPLATE.to_owned(),
            TEMPLATE.replacen("Tern", "Gull", 1),
            TEMPLATE.replace("nothing", "plums"),
            TEMPLATE.replace("(nothing noted)", "- plums"),
            format!("{}\n\n- plums", TEMPLATE.replace("Tern", "Gull")),
            TEMPLATE.replace("*Kept by Tern*", ""),
            String::new(),
        ] {
            assert_eq!(other_name(TEMPLATE, &text), None, "{text}");
        }
        assert_eq!(other_name("", "Gull"), None);
    }
}
