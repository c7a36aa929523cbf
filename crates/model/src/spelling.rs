//! Names that are spelled almost right.

/// The known name that is spelled most like `name`, whatever the letter case and the signs between words; `None`
/// when none is near (a third of its letters may differ).
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = letters(name);
    known
        .into_iter()
        .map(|known| (distance(&name, &letters(known)), known))
        .min_by_key(|&(distance, _)| distance)
        .filter(|&(distance, known)| distance <= known.len().max(4) / 3)
        .map(|(_, known)| known)
}

fn letters(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Levenshtein distance in characters.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substitution = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = substitution.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_near_is_found_and_one_that_is_not_is_none() {
        let known = ["chat_id", "channel", "x"];
        assert_eq!(nearest("chatId", known), Some("chat_id"));
        assert_eq!(nearest("chanel", known), Some("channel"));
        assert_eq!(nearest("weather", known), None);
    }
}
