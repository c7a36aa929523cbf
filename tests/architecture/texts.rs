//! The texts for people: every key in the source is in the catalogue and the other way round, every argument is used
//! in each language, and nothing is left untranslated.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::{files_below, root, toml};

const LANGUAGES: [&str; 3] = ["en", "zh", "fr"];

/// Files that may make a text which is in no catalogue, with [`model::Text::verbatim`]: the words of a system, of a
/// parser or of a person, put into a text that is in the catalogue.
const VERBATIM: &[&str] = &[
    "model/src/text.rs",
    "workbench/src/api/error.rs",               // errors of the command line
    "workbench/src/place.rs",                   // what the JSON parser says
    "workbench/src/session/drafts.rs",          // what the database says
    "workbench/src/settings.rs",                // what the TOML parser says
    "workbench/src/use_cases/check.rs",         // an empty place holder
    "workbench/src/use_cases/skills/acting.rs", // what the JSON reader of the configuration says
    "workspace/src/causes.rs",                  // what the system says
    "workspace/src/registry.rs",                // what the JSON parser says
];

/// The catalogue: each key's text in each language.
fn catalogue() -> BTreeMap<String, BTreeMap<String, String>> {
    let mut texts = BTreeMap::new();
    for file in files_below(&root().join("crates/model/texts")) {
        for (key, words) in toml(&file).as_table().unwrap() {
            let words = words.as_table().unwrap();
            let words = words.iter().map(|(language, text)| (language.clone(), text.as_str().unwrap().to_owned()));
            let before = texts.insert(key.clone(), words.collect());
            assert!(before.is_none(), "{key} stands twice");
        }
    }
    texts
}

/// The names in braces.
fn arguments(text: &str) -> BTreeSet<String> {
    let text = text.replace("{{", "").replace("}}", "");
    let inner = text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0));
    inner.map(|inner| inner.split(':').next().unwrap().to_owned()).collect()
}

/// The source without tests, by path below `crates/`, and the shell's.
fn sources() -> Vec<(String, String)> {
    let folder = root().join("crates");
    let all = files_below(&folder).into_iter().chain(files_below(&root().join("src-tauri")));
    let files = all.filter_map(|file| {
        // The root's own path leads through this folder.
        let name = file.strip_prefix(&folder).or_else(|_| file.strip_prefix(root())).unwrap_or(&file);
        let name = name.to_string_lossy().into_owned();
        let is_source = (name.contains("/src/") || name.contains("src-tauri"))
            && Path::new(&name).extension().is_some_and(|end| end == "rs");
        let is_source = is_source && !name.contains("tests");
        let source = is_source.then(|| fs::read_to_string(&file).unwrap())?;
        Some((name, source.split("\n#[cfg(test)]\nmod tests {").next().unwrap().to_owned()))
    });
    files.collect()
}

/// Every `text!("key", name, name = value)`: the key and the names.
fn uses(source: &str) -> Vec<(String, BTreeSet<String>)> {
    let mut found = Vec::new();
    for (at, opening) in source.match_indices("text!(") {
        let line = source[..at].rsplit('\n').next().unwrap_or_default();
        if line.contains("//") {
            continue;
        }
        let parts = arguments_of_call(&source[at + opening.len()..]);
        let Some(key) = parts.first().and_then(|key| key.strip_prefix('"')?.strip_suffix('"')) else { continue };
        let names = parts[1..].iter().filter(|part| !part.is_empty());
        let names = names.map(|part| part.split('=').next().unwrap().trim().to_owned());
        found.push((key.to_owned(), names.collect()));
    }
    found
}

/// What stands between the commas up to the closing bracket.
fn arguments_of_call(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let (mut depth, mut quoted) = (0, false);
    let mut before = ' ';
    for character in text.chars() {
        if character == '"' && before != '\\' {
            quoted = !quoted;
        }
        match character {
            _ if quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' if depth == 0 => break,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                before = character;
                continue;
            }
            _ => {}
        }
        if !(parts.last().unwrap().is_empty() && character.is_whitespace()) {
            parts.last_mut().unwrap().push(character);
        }
        before = character;
    }
    parts.into_iter().map(|part| part.trim().to_owned()).collect()
}

#[test]
fn every_text_in_the_source_is_in_the_catalogue_with_its_arguments() {
    let catalogue = catalogue();
    let mut wrong = Vec::new();
    let mut count = 0;
    for (name, source) in sources() {
        for (key, given) in uses(&source) {
            count += 1;
            match catalogue.get(&key) {
                None => wrong.push(format!("{name}: {key} is not in the catalogue")),
                Some(words) if arguments(&words["en"]) != given => {
                    wrong.push(format!("{name}: {key} has {:?} and is given {given:?}", arguments(&words["en"])));
                }
                Some(_) => {}
            }
        }
    }
    assert!(count > 100, "the search finds the texts: {count}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_text_of_the_catalogue_is_used() {
    let sources = sources();
    let catalogue = catalogue();
    let unused: Vec<_> = catalogue
        .keys()
        .filter(|key| !sources.iter().any(|(_, source)| source.contains(&format!("\"{key}\""))))
        .collect();
    assert!(unused.is_empty(), "nothing says {unused:?}");
}

#[test]
fn every_text_is_in_each_language_with_the_same_arguments() {
    let mut wrong = Vec::new();
    for (key, words) in catalogue() {
        let languages: BTreeSet<_> = words.keys().map(String::as_str).collect();
        assert_eq!(languages, LANGUAGES.into(), "{key}");
        let names = arguments(&words["en"]);
        for language in LANGUAGES {
            if arguments(&words[language]) != names {
                wrong.push(format!("{key}: {language} has {:?}, en {names:?}", arguments(&words[language])));
            }
        }
        let chinese = words["zh"].chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
        // A text of arguments alone says nothing that could be translated.
        let says_something = words["en"].split(['{', '}']).step_by(2).any(|part| part.contains(char::is_alphabetic));
        if says_something && (!chinese || words["fr"] == words["en"]) {
            wrong.push(format!("{key} is not translated"));
        }
        if words["fr"].contains(" :") || words["fr"].contains("« ") || words["fr"].contains(" ;") {
            wrong.push(format!("{key}: French sets a narrow no-break space there"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nobody_makes_a_text_beside_the_catalogue() {
    let makers: Vec<String> = sources()
        .into_iter()
        .filter(|(_, source)| source.contains("Text::verbatim") || source.contains("Self::verbatim"))
        .map(|(name, _)| name)
        .filter(|name| !VERBATIM.contains(&name.as_str()))
        .collect();
    assert_eq!(makers, Vec::<String>::new(), "write text!(…) with a key of crates/model/texts instead");
    for (name, source) in sources() {
        let built = ["verbatim(format!", "verbatim(&format!", "verbatim(\"T", "verbatim(\"A"];
        assert!(!built.iter().any(|call| source.contains(call)), "{name}: these words belong into the catalogue");
    }
}
