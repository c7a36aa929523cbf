//! Texts for people, in each language of the window: findings, reasons, errors.
//!
//! A text is a key of the catalogue (`texts/*.toml`) and its named arguments, made by [`text!`](crate::text!). The
//! catalogue holds English, Chinese and French side by side. To everything below a shell a text is its English; only
//! [`speaking`], around the writing of an answer as JSON, has it written in another language.

mod catalogue;

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A language of the catalogue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Language {
    /// The language of the command line and of logs.
    #[default]
    English,
    /// Chinese, simplified.
    Chinese,
    /// French.
    French,
}

impl Language {
    /// Every language, in the order of the catalogue.
    pub const ALL: [Self; 3] = [Self::English, Self::Chinese, Self::French];

    /// The language that a tag such as `zh-Hans` names; English for one that the catalogue has not.
    pub fn of_tag(tag: &str) -> Self {
        match tag.split(['-', '_']).next() {
            Some("zh") => Self::Chinese,
            Some("fr") => Self::French,
            _ => Self::English,
        }
    }
}

/// A text in three languages, written down beside what it belongs to: in the data of a target, for example.
#[derive(Clone, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    /// English.
    pub en: String,
    /// Chinese.
    pub zh: String,
    /// French.
    pub fr: String,
}

/// A text for people. It reads as its English (`Deref`, `Display`, equality with others of its kind); as JSON it is a
/// string in the language of [`speaking`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    english: String,
    form: Form,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Form {
    /// The same in each language: the words of the person, of the system or of a parser.
    Verbatim,
    /// Translated where it was written.
    Words(Box<Words>),
    /// A key of the catalogue, with its arguments.
    Key(&'static str, Vec<(&'static str, Arg)>),
}

/// A named argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Arg {
    /// Put in as it stands.
    Shown(String),
    /// A count or a size, written as the language writes numbers; its plural may be asked for.
    Number(u64),
    /// Another text, in the same language.
    Text(Box<Text>),
}

/// A [`Text`](crate::Text) of the catalogue: `text!("near-name-skill-file", name, expected = &target.skill_file)`. A
/// test of the whole product compares every key and every argument in the source with the catalogue.
#[macro_export]
macro_rules! text {
    (@arg $name:ident) => { $crate::Arg::from($name) };
    (@arg $name:ident $value:expr) => { $crate::Arg::from($value) };
    ($key:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {
        $crate::Text::of_key($key, vec![$((stringify!($name), $crate::text!(@arg $name $($value)?))),*])
    };
}

impl Text {
    /// The text of `key`. Written as [`text!`](crate::text!), so that a test finds it; by itself where the key comes
    /// from a table.
    pub fn of_key(key: &'static str, args: Vec<(&'static str, Arg)>) -> Self {
        let english = catalogue::said(key, &args, Language::English);
        Self { english, form: Form::Key(key, args) }
    }

    /// A text that nobody here wrote and nobody here can translate: a system's or a parser's message.
    pub fn verbatim(text: impl Into<String>) -> Self {
        Self { english: text.into(), form: Form::Verbatim }
    }

    /// `names` as a list within a sentence; empty for none.
    pub fn all(names: &[String]) -> Self {
        let each = names.iter().map(Self::verbatim);
        each.reduce(|before, last| text!("list-and", before, last)).unwrap_or_else(|| Self::verbatim(""))
    }

    /// The key in the catalogue; `None` for a text that is not from there.
    pub fn key(&self) -> Option<&'static str> {
        match &self.form {
            Form::Key(key, _) => Some(key),
            Form::Verbatim | Form::Words(_) => None,
        }
    }

    /// The English.
    pub fn as_str(&self) -> &str {
        &self.english
    }

    /// The text in `language`.
    pub fn in_language(&self, language: Language) -> Cow<'_, str> {
        match (language, &self.form) {
            (Language::English, _) | (_, Form::Verbatim) => Cow::Borrowed(&self.english),
            (Language::Chinese, Form::Words(words)) => Cow::Borrowed(&words.zh),
            (Language::French, Form::Words(words)) => Cow::Borrowed(&words.fr),
            (_, Form::Key(key, args)) => Cow::Owned(catalogue::said(key, args, language)),
        }
    }

    /// The same text with `change` made in everything that is not from the catalogue.
    #[must_use]
    pub fn with_arguments(self, change: &dyn Fn(&str) -> Option<String>) -> Self {
        match self.form {
            Form::Verbatim => Self::verbatim(change(&self.english).unwrap_or(self.english)),
            Form::Words(_) => self,
            Form::Key(key, args) => {
                let changed = |arg| match arg {
                    Arg::Shown(shown) => Arg::Shown(change(&shown).unwrap_or(shown)),
                    Arg::Text(text) => Arg::from(text.with_arguments(change)),
                    number @ Arg::Number(_) => number,
                };
                Self::of_key(key, args.into_iter().map(|(name, arg)| (name, changed(arg))).collect())
            }
        }
    }
}

impl From<Words> for Text {
    fn from(words: Words) -> Self {
        Self { english: words.en.clone(), form: Form::Words(Box::new(words)) }
    }
}

impl From<&Words> for Text {
    fn from(words: &Words) -> Self {
        words.clone().into()
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.english
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.english)
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self.english == **other
    }
}

macro_rules! args {
    ($($from:ty => |$value:ident| $arg:expr;)+) => {
        $(impl From<$from> for Arg {
            fn from($value: $from) -> Self {
                $arg
            }
        })+
    };
}

args! {
    &str => |text| Self::Shown(text.to_owned());
    String => |text| Self::Shown(text);
    &String => |text| Self::Shown(text.clone());
    u32 => |number| Self::Number(number.into());
    u64 => |number| Self::Number(number);
    usize => |number| Self::Number(number as u64);
    Text => |text| Self::Text(Box::new(text));
    &Text => |text| Self::Text(Box::new(text.clone()));
}

thread_local! {
    static SPOKEN: Cell<Language> = const { Cell::new(Language::English) };
}

/// Does `work` with every text that it writes as JSON in `language`. Made for the one place where an answer leaves for
/// a window; whatever `work` keeps in a file or a database would be in that language too.
pub fn speaking<T>(language: Language, work: impl FnOnce() -> T) -> T {
    struct Before(Language);
    impl Drop for Before {
        fn drop(&mut self) {
            SPOKEN.set(self.0);
        }
    }
    let _before = Before(SPOKEN.replace(language));
    work()
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.in_language(SPOKEN.get()))
    }
}

/// What was written once is words, and no key any more.
impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::verbatim)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_english_until_it_is_spoken() {
        let text = text!("fix-rename", name = "USER.md");
        assert_eq!(text, "Rename it to USER.md");
        assert_eq!(serde_json::json!(text), "Rename it to USER.md");
        let spoken = speaking(Language::Chinese, || serde_json::json!(text));
        assert_eq!(spoken, "改名为 USER.md");
        assert_eq!(serde_json::json!(text), "Rename it to USER.md", "and English again afterwards");
    }

    #[test]
    fn a_text_within_a_text_is_in_its_language() {
        let kind = text!("secret-api-key");
        let text = text!("secret", kind, name = "USER.md");
        assert!(text.in_language(Language::French).starts_with("USER.md contient ce qui semble être une clé d’API."));
    }

    #[test]
    fn numbers_and_plurals_are_those_of_the_language() {
        let copies = |count: usize| text!("fix-remove-copies", count);
        assert_eq!(copies(1), "Remove the copy");
        assert_eq!(copies(2), "Remove the 2 copies");
        assert_eq!(copies(12_345).in_language(Language::French), "Retirer les 12\u{202f}345 copies");
        assert_eq!(copies(12_345).in_language(Language::Chinese), "去掉 12,345 处重复");
        let none = text!("registry-entries-skipped", count = 0_u32);
        assert_eq!(
            none.in_language(Language::French),
            "0 de ses entrées ne nomme aucun dossier absolu",
            "0 is singular"
        );
    }

    #[test]
    fn what_is_not_of_the_catalogue_can_be_changed() {
        let text = text!("history-unavailable", cause = Text::verbatim("key abc"));
        let hidden = text.with_arguments(&|text| Some(text.replace("abc", "[…]")));
        assert_eq!(hidden, "The history is off: key […]");
    }
}
