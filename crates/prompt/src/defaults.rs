//! Is this file still the text it was made from? The target asks that of the memory alone; we also know the
//! default files of other products and releases, by hash, and say what they cost.

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
    /// The default of another product, or of another release of this one.
    OtherProduct {
        /// Its name.
        product: &'static str,
    },
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
            None => Verdict::Own,
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

fn sha256(text: &str) -> String {
    ContentHash(Sha256::digest(text.as_bytes()).into()).to_string()
}
