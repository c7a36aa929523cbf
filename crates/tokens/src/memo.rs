//! Tallies of texts seen before, bounded by bytes.

use std::collections::HashMap;

use crate::tally::{Measure, Tally};

/// What a tally is found by: the text by its hash, and what was counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    measure: Measure,
    text: [u8; 32],
}

impl Key {
    pub(crate) fn new(text: &str, measure: Measure) -> Self {
        Self { measure, text: *blake3::hash(text.as_bytes()).as_bytes() }
    }
}

struct Entry {
    tally: Tally,
    last_used: u64,
}

/// Forgets what was used longest ago, half of it at a time: that costs a constant per entry on
/// average and no links between entries.
pub(crate) struct Memo {
    entries: HashMap<Key, Entry>,
    capacity: usize,
    uses: u64,
}

impl Memo {
    /// Key and value, and the table's control byte and free slots.
    const ENTRY_BYTES: usize = 2 * (size_of::<Key>() + size_of::<Entry>());

    /// A memo that holds about `bytes`, and at least two tallies.
    pub(crate) fn with_capacity_bytes(bytes: usize) -> Self {
        Self { entries: HashMap::new(), capacity: (bytes / Self::ENTRY_BYTES).max(2), uses: 0 }
    }

    pub(crate) fn get(&mut self, key: &Key) -> Option<Tally> {
        self.uses += 1;
        let entry = self.entries.get_mut(key)?;
        entry.last_used = self.uses;
        Some(entry.tally)
    }

    pub(crate) fn insert(&mut self, key: Key, tally: Tally) {
        if self.entries.len() >= self.capacity {
            self.forget_older_half();
        }
        self.uses += 1;
        self.entries.insert(key, Entry { tally, last_used: self.uses });
    }

    fn forget_older_half(&mut self) {
        let mut uses = self.entries.values().map(|entry| entry.last_used).collect::<Vec<_>>();
        let middle = uses.len() / 2;
        let (_, oldest_kept, _) = uses.select_nth_unstable(middle);
        let oldest_kept = *oldest_kept;
        self.entries.retain(|_, entry| entry.last_used >= oldest_kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(n: u32) -> Key {
        Key::new(&n.to_string(), Measure::O200k)
    }

    #[test]
    fn what_was_used_last_stays() {
        let mut memo = Memo::with_capacity_bytes(4 * Memo::ENTRY_BYTES);
        for n in 0..4 {
            memo.insert(key(n), Tally { o200k: i64::from(n), ..Tally::default() });
        }
        assert_eq!(memo.get(&key(0)).map(|tally| tally.o200k), Some(0));
        memo.insert(key(4), Tally::default());
        let kept = (0..5).filter(|&n| memo.get(&key(n)).is_some()).collect::<Vec<_>>();
        assert_eq!(kept, [0, 3, 4], "the older half of four was forgotten; the first had just been used");
    }

    #[test]
    fn measures_of_one_text_are_kept_apart() {
        let mut memo = Memo::with_capacity_bytes(0);
        memo.insert(Key::new("a", Measure::Cl100k), Tally::default());
        assert_eq!(memo.get(&Key::new("a", Measure::O200k)), None);
    }
}
