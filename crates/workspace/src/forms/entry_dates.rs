//! The date that an entry of a memory begins with: `2026-02-03: x`, `[2026-02-03 14:05] x`, `**2026-02-03** — x`.

use std::ops::Range;

use crate::dates;

/// An entry's text that begins with its date. Offsets are bytes of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Dated {
    /// The date, with the time when one stands behind it.
    pub(super) date: Range<usize>,
    /// Where the rest begins; the end of the text when there is none.
    pub(super) rest: usize,
}

/// The date that `text` begins with, in brackets, in stars, or bare.
pub(super) fn split(text: &str) -> Option<Dated> {
    let lead = text.len() - text.trim_start_matches([' ', '\t', '[', '(', '*']).len();
    let day = dates::at(text, lead)?.range.end;
    let end = day + time(&text[day..]);
    let behind = &text[end..];
    let word = !text[..end].ends_with('日') && behind.starts_with(|c: char| c.is_alphanumeric());
    // `[2026-02-03](x.md)` is a link.
    if word || behind.starts_with("](") {
        return None;
    }
    let signs = behind.trim_start_matches([']', ')', '*', ':', '：']);
    let rest = signs.trim_start();
    // A dash stands between a date and its text only where no colon does.
    let colon = behind[..behind.len() - signs.len()].contains([':', '：']);
    let dash = rest.strip_prefix(['—', '–', '-']).filter(|after| !colon && after.starts_with(' '));
    let rest = dash.unwrap_or(rest).trim_start();
    Some(Dated { date: lead..end, rest: text.len() - rest.len() })
}

/// Today, `YYYY-MM-DD`, written as `date` is.
fn today_like(date: &str, today: &str) -> String {
    let parts: Vec<_> = today.split('-').collect();
    match *parts {
        [year, month, day] if date.contains('年') => {
            let short = |digits: &str| digits.trim_start_matches('0').to_owned();
            format!("{year}年{}月{}日", short(month), short(day))
        }
        _ => ['/', '.']
            .into_iter()
            .find(|sign| date.contains(*sign))
            .map_or_else(|| today.to_owned(), |sign| today.replace('-', sign.encode_utf8(&mut [0; 4]))),
    }
}

/// How many bytes of `behind`, which follows a date, are a time: ` 14:05`, `T14:05:30Z`.
fn time(behind: &str) -> usize {
    let seconds = behind.get(1..9).is_some_and(|text| is_shape(text, "00:00:00"));
    if !behind.starts_with([' ', 'T']) || !behind.get(1..6).is_some_and(|text| is_shape(text, "00:00")) {
        return 0;
    }
    let end = if seconds { 9 } else { 6 };
    let offset = behind.get(end..end + 6).is_some_and(|text| is_shape(text, "+00:00") || is_shape(text, "-00:00"));
    let end = end + if offset { 6 } else { usize::from(behind[end..].starts_with('Z')) };
    // `12:30h` and the like are words of the text.
    if behind[end..].starts_with(|c: char| c.is_alphanumeric()) { 0 } else { end }
}

fn is_shape(text: &str, shape: &str) -> bool {
    let fits = |(byte, sign): (u8, u8)| if sign == b'0' { byte.is_ascii_digit() } else { byte == sign };
    text.len() == shape.len() && text.bytes().zip(shape.bytes()).all(fits)
}

/// `head`, the beginning of an entry up to where its text stands, with `rest` behind it so that it is read as the same
/// date and `rest`. Signs between them that `rest` would be taken for a part of are written as a colon.
pub(super) fn join(head: &str, rest: &str) -> String {
    let plain = format!("{head}{rest}");
    let Some(end) = split(head).map(|old| old.date.end) else { return plain };
    if rest.is_empty() || split(&plain).is_some_and(|read| read.date.end == end && plain[read.rest..] == *rest) {
        return plain;
    }
    let closing = head[end..].len() - head[end..].trim_start_matches([']', ')', '*']).len();
    format!("{}: {rest}", &head[..end + closing])
}

/// What a person means who writes `typed` as the text of an entry that is dated `date`: without the date when it stands
/// in front again, and without the colon behind it. As it is for an entry without a date that is given one: the date is
/// its own from then on.
pub(super) fn meant<'t>(date: Option<&str>, typed: &'t str) -> &'t str {
    let Some(date) = date else { return typed };
    match split(typed) {
        Some(read) if typed[read.date.clone()] == *date => &typed[read.rest..],
        _ => typed.trim_start_matches([':', '：']).trim_start(),
    }
}

/// The text of an entry that is written as `typed`, as it will be read.
pub(super) fn read_back<'t>(date: Option<&str>, typed: &'t str) -> &'t str {
    match (split(typed), date) {
        (Some(read), None) => &typed[read.rest..],
        _ => meant(date, typed),
    }
}

/// The beginning of a new entry of `today`, written as `model`, a whole entry's text, is.
pub(super) fn head_like(model: Option<&str>, today: &str) -> String {
    let like = model.and_then(|model| {
        let Dated { date, rest } = split(model).filter(|dated| dated.rest < model.len())?;
        let (before, after) = (&model[..date.start], &model[date.end..rest]);
        // What encloses more than the date is the entry's own.
        let encloses = [('[', ']'), ('(', ')'), ('*', '*')]
            .iter()
            .all(|(open, close)| before.matches(*open).count() == after.matches(*close).count());
        encloses.then(|| format!("{before}{}{after}", today_like(&model[date], today)))
    });
    like.unwrap_or_else(|| format!("{today}: "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_found_in_the_ways_that_people_write_it() {
        for (text, date, rest) in [
            ("2026-02-03: tea", "2026-02-03", "tea"),
            ("2026-02-03 tea", "2026-02-03", "tea"),
            ("2026-02-03 — tea", "2026-02-03", "tea"),
            ("2026-02-03： 茶", "2026-02-03", "茶"),
            ("[2026-02-03] tea", "2026-02-03", "tea"),
            ("(2026-02-03) tea", "2026-02-03", "tea"),
            ("**2026-02-03** — tea", "2026-02-03", "tea"),
            ("2026-02-03: - tea", "2026-02-03", "- tea"),
            ("**2026-02-03:** tea", "2026-02-03", "tea"),
            ("**2026-02-03**: tea", "2026-02-03", "tea"),
            ("[2026-02-03 14:05] tea", "2026-02-03 14:05", "tea"),
            ("2026-02-03T14:05:30Z tea", "2026-02-03T14:05:30Z", "tea"),
            ("2026-02-03T14:05:30+02:00 tea", "2026-02-03T14:05:30+02:00", "tea"),
            ("2026/02/03: tea", "2026/02/03", "tea"),
            ("2026年2月3日：茶", "2026年2月3日", "茶"),
            ("2026年12月13日茶", "2026年12月13日", "茶"),
            ("2026-02-03 14:05h tea", "2026-02-03", "14:05h tea"),
            ("2026-02-03", "2026-02-03", ""),
        ] {
            let found = split(text).map(|dated| (&text[dated.date], &text[dated.rest..]));
            assert_eq!(found, Some((date, rest)), "{text}");
        }
        for text in [
            "[2026-02-03](x.md) tea",
            "2026-02/03",
            "2026年",
            "2026年2月",
            "tea 2026-02-03",
            "2026-02-031",
            "2026-2-3 tea",
            "",
            "20260203",
            "2026-02-0é",
        ] {
            assert_eq!(split(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_joined_to_a_date_is_read_again_as_it_was_meant() {
        for (head, rest, whole) in [
            ("2026-02-03: ", "tea", "2026-02-03: tea"),
            ("2026-02-03 ", "- tea", "2026-02-03: - tea"),
            ("2026-02-03 ", "14:05 tea", "2026-02-03: 14:05 tea"),
            ("**2026-02-03** ", "14:05 tea", "**2026-02-03** 14:05 tea"),
            ("[2026-02-03] ", "] tea", "[2026-02-03] ] tea"),
            ("[2026-02-03] ", "- tea", "[2026-02-03]: - tea"),
            ("[2026-02-03] — ", "- tea", "[2026-02-03] — - tea"),
            ("2026-02-03", "tea", "2026-02-03: tea"),
            ("2026-02-03", "", "2026-02-03"),
            ("", "tea", "tea"),
            ("", "2026-02-03 tea", "2026-02-03 tea"),
        ] {
            assert_eq!(join(head, rest), whole);
        }
    }

    #[test]
    fn a_new_entry_is_dated_as_its_neighbours_are() {
        for (model, head) in [
            (Some("[2026-02-03 14:05] tea"), "[2026-03-01] "),
            (Some("**2026-02-03** — tea"), "**2026-03-01** — "),
            (Some("**2026-02-03: all of it** bold"), "2026-03-01: "),
            (Some("2026年2月3日：茶"), "2026年3月1日："),
            (Some("2026.02.03 tea"), "2026.03.01 "),
            (Some("2026-02-03"), "2026-03-01: "),
            (Some("tea"), "2026-03-01: "),
            (None, "2026-03-01: "),
        ] {
            assert_eq!(head_like(model, "2026-03-01"), head);
        }
    }
}
