//! The model catalogue: an embedded snapshot of context windows, prices, cache facts and
//! tokenizers.
//!
//! The snapshot is a file with a date and a hash, and each row names its source, so that a stored
//! estimate can say which figures it used. `data/LICENSES.md` says where they come from.

mod row;

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

pub use row::{
    BatchPrice, CacheFacts, CheckDifference, DisputedMinimum, ModelRow, NextPrice, OffPeak, Price, RowTokenizer, Tier,
    Window,
};

use crate::choice::{by_catalogue_name, by_model_name};
use crate::{Basis, Tokenizer, TokenizerChoice};

/// The format this crate reads.
const SCHEMA: &str = "prompt-models/1";

static EMBEDDED: LazyLock<Catalogue> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the file is part of the program and a test reads every row of it")]
    Catalogue::parse(include_bytes!("../data/models.json")).expect("the embedded catalogue is valid")
});

/// Models with their facts.
#[derive(Clone, Debug)]
pub struct Catalogue {
    header: Header,
    models: Vec<ModelRow>,
}

/// What identifies a snapshot.
#[derive(Clone, Debug, Serialize)]
pub struct Header {
    /// Format, `prompt-models/1`.
    pub schema: String,
    /// The day the figures were seen.
    pub seen_at: jiff::civil::Date,
    /// SHA-256 of the file's bytes, in lower-case hexadecimal.
    pub sha256: String,
    /// The price table the snapshot was made from.
    pub base: Table,
    /// The price table it was compared with.
    pub check: Table,
    /// Addresses and names that rows point at by index.
    pub sources: Vec<String>,
}

/// A published price table.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The licence it is under.
    pub license: String,
}

/// Why a file is no catalogue.
#[derive(thiserror::Error, Debug)]
pub enum CatalogueError {
    /// The bytes are not the expected JSON.
    #[error("the catalogue cannot be read: {0}")]
    Json(#[from] serde_json::Error),
    /// Another format.
    #[error("the catalogue has schema {found}, this version reads {SCHEMA}")]
    Schema {
        /// What the file says.
        found: String,
    },
    /// The file was cut off or joined.
    #[error("the catalogue announces {announced} models and holds {found}")]
    Count {
        /// `count` of the file.
        announced: usize,
        /// Rows found.
        found: usize,
    },
    /// A row's source is not in the list.
    #[error("{provider}/{id} names source {source_index}, which the catalogue does not list")]
    Source {
        /// Provider of the row.
        provider: String,
        /// Model of the row.
        id: String,
        /// Its `source`.
        source_index: usize,
    },
}

#[derive(Deserialize)]
struct File {
    schema: String,
    seen_at: jiff::civil::Date,
    base: Table,
    check: Table,
    count: usize,
    sources: Vec<String>,
    models: Vec<ModelRow>,
}

/// Vendors before resellers: where an id is asked for without its provider, the vendor's row
/// answers.
const VENDORS: [&str; 6] = ["anthropic", "openai", "gemini", "xai", "deepseek", "mistral"];

impl Catalogue {
    /// The snapshot that ships with the program; parsed at the first use.
    pub fn embedded() -> &'static Self {
        &EMBEDDED
    }

    /// Reads a catalogue file.
    ///
    /// # Errors
    /// [`CatalogueError`] when the bytes are not a complete catalogue of the known schema.
    pub fn parse(bytes: &[u8]) -> Result<Self, CatalogueError> {
        #[derive(Deserialize)]
        struct Announced {
            schema: String,
        }
        // The schema first: a newer file may not have the fields of this one.
        let Announced { schema: found } = serde_json::from_slice(bytes)?;
        if found != SCHEMA {
            return Err(CatalogueError::Schema { found });
        }
        let File { schema, seen_at, base, check, count, sources, models } = serde_json::from_slice(bytes)?;
        if count != models.len() {
            return Err(CatalogueError::Count { announced: count, found: models.len() });
        }
        if let Some(row) = models.iter().find(|row| row.source >= sources.len()) {
            let (provider, id) = (row.provider.clone(), row.id.clone());
            return Err(CatalogueError::Source { provider, id, source_index: row.source });
        }
        Ok(Self {
            header: Header { schema, seen_at, sha256: hexadecimal(&Sha256::digest(bytes)), base, check, sources },
            models,
        })
    }

    /// Date, hash and sources.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// All rows, by provider and id.
    pub fn models(&self) -> &[ModelRow] {
        &self.models
    }

    /// The row of a model.
    ///
    /// Without a provider `id` may be "provider/id"; a bare id is looked for at the vendors first,
    /// then at the resellers in the order of the file. Azure lists some ids in two price lists with
    /// equal prices; the one with batch prices is taken.
    pub fn find(&self, provider: Option<&str>, id: &str) -> Option<&ModelRow> {
        if let Some(provider) = provider {
            return self
                .models
                .iter()
                .filter(|row| row.provider == provider && row.id == id)
                .max_by_key(|row| row.batch.is_some());
        }
        let at_vendor = VENDORS.iter().find_map(|vendor| self.find(Some(vendor), id));
        at_vendor
            .or_else(|| {
                let row = self.models.iter().find(|row| row.id == id)?;
                self.find(Some(&row.provider), id)
            })
            .or_else(|| {
                let (provider, id) = id.split_once('/')?;
                self.find(Some(provider), id)
            })
    }

    /// How a model's tokens are counted: by its row, else by its name.
    ///
    /// A row that names no tokenizer leaves the question to the name. Not the target's own counter,
    /// which is [`catbuddy_encoding`](crate::catbuddy_encoding).
    pub fn tokenizer_for(&self, provider: Option<&str>, model: &str) -> TokenizerChoice {
        if let Some(row) = self.find(provider, model) {
            let tokenizer = by_catalogue_name(&row.tokenizer.name, row.tokenizer.status == "exact");
            if tokenizer != Tokenizer::Unknown {
                return TokenizerChoice { tokenizer, basis: Basis::Catalogue };
            }
        }
        let tokenizer = by_model_name(model);
        let basis = if tokenizer == Tokenizer::Unknown { Basis::Nothing } else { Basis::Name };
        TokenizerChoice { tokenizer, basis }
    }

    /// Tokens that fit into a request to the model, or `None` when the model or its limit is not
    /// listed.
    pub fn context_window(&self, provider: Option<&str>, model: &str) -> Option<u32> {
        self.find(provider, model)?.context
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}
