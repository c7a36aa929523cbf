//! What is odd about a value. Never in the way of writing it.

use super::schema::{Check, Words};

/// What is odd about a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Problem {
    /// Not a time zone that computers know.
    TimeZone,
    /// A tag that is not spelled as language tags are.
    LanguageTag,
    /// A name that other hosts refuse.
    SkillName,
    /// A description that other hosts cut or refuse.
    SkillDescription,
}

impl Problem {
    /// What it says, in `language` (as [`Words::of`]).
    pub fn message(self, language: &str) -> String {
        let [en, zh, fr] = match self {
            Self::TimeZone => [
                "This is not a time zone that computers know, so the agent has to guess the time. Write it like Europe/Lisbon or UTC+8.",
                "计算机不认识这个时区，智能体只能猜时间。可写成 Asia/Shanghai 或 UTC+8 这样。",
                "Ce n’est pas un fuseau que les ordinateurs connaissent : l’agent doit deviner l’heure. Écrivez par exemple Europe/Paris ou UTC+8.",
            ],
            Self::LanguageTag => [
                "This looks like a language code with a sign in it that does not belong there. Write it like en-GB, or write the language's name.",
                "这看起来像语言代码，但里面有不该有的符号。可写成 zh-CN 这样，或直接写语言名称。",
                "Cela ressemble à un code de langue mal écrit. Écrivez par exemple fr-CA, ou le nom de la langue.",
            ],
            Self::SkillName => [
                "Other programs refuse this name. Use small letters, digits and single hyphens, at most 64.",
                "其他程序不接受这个名称。使用小写字母、数字和单个连字符，最多 64 个。",
                "D’autres programmes refusent ce nom. Utilisez des minuscules, des chiffres et des traits d’union simples, 64 au plus.",
            ],
            Self::SkillDescription => [
                "Longer than 1,024 characters: other programs refuse it, and it is in every prompt. Shorten it.",
                "超过 1,024 个字符：其他程序不接受，而且每个提示词都会带上它。把它缩短。",
                "Plus de 1 024 caractères : d’autres programmes la refusent, et elle est dans chaque prompt. Raccourcissez-la.",
            ],
        };
        Words { en: en.to_owned(), zh: zh.to_owned(), fr: fr.to_owned() }.of(language).to_owned()
    }
}

pub(super) fn check(check: Check, value: &str) -> Option<Problem> {
    if value.is_empty() {
        return None;
    }
    let (fine, problem) = match check {
        Check::TimeZone => (is_time_zone(value), Problem::TimeZone),
        Check::Language => (is_language(value), Problem::LanguageTag),
        Check::SkillName => (is_skill_name(value), Problem::SkillName),
        Check::SkillDescription => (value.chars().count() <= 1024, Problem::SkillDescription),
    };
    (!fine).then_some(problem)
}

/// True for a name of the IANA list in any letter case, also with a remark in brackets behind it, and for an offset.
fn is_time_zone(value: &str) -> bool {
    let name = value.split(['(', '（', ',', '，']).next().unwrap_or(value).trim();
    let offset = name.strip_prefix("UTC").or_else(|| name.strip_prefix("GMT"));
    let digits = |rest: &str| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b':');
    match offset {
        Some("") => true,
        Some(rest) => rest.trim().strip_prefix(['+', '-', '−', '±']).is_some_and(digits),
        None => jiff::tz::db().get(name).is_ok(),
    }
}

/// False only for what looks like a tag and is none: `en_GB`. A language's name is always fine.
fn is_language(value: &str) -> bool {
    let ascii = value.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    !(ascii && value.contains('_'))
}

fn is_skill_name(value: &str) -> bool {
    let part = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    value.len() <= 64 && value.split('-').all(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_zones_are_those_of_the_list_and_offsets() {
        for value in ["Europe/Lisbon", "europe/lisbon", "UTC", "UTC+8", "GMT-3:30", "Asia/Shanghai (Beijing time)", ""]
        {
            assert_eq!(check(Check::TimeZone, value), None, "{value}");
        }
        for value in ["Europe/Lisbo", "eight hours ahead", "UTC+"] {
            assert_eq!(check(Check::TimeZone, value), Some(Problem::TimeZone), "{value}");
        }
    }

    #[test]
    fn a_language_is_a_name_or_a_tag() {
        for value in ["en", "en-GB", "English (UK)", "简体中文", "French, English"] {
            assert_eq!(check(Check::Language, value), None, "{value}");
        }
        assert_eq!(check(Check::Language, "en_GB"), Some(Problem::LanguageTag));
    }

    #[test]
    fn a_skill_is_named_as_its_folder_may_be() {
        assert_eq!(check(Check::SkillName, "packing-list"), None);
        for value in ["Packing", "a--b", "-a", "a b"] {
            assert_eq!(check(Check::SkillName, value), Some(Problem::SkillName), "{value}");
        }
        assert_eq!(check(Check::SkillDescription, &"é".repeat(1024)), None);
        assert_eq!(check(Check::SkillDescription, &"é".repeat(1025)), Some(Problem::SkillDescription));
    }
}
