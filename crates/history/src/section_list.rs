//! The ordered sections of an assembly as bytes: in full, or as the difference to another list.
//!
//! Numbers are LEB128. A full list is the ids themselves. A difference is a run of hunks
//! `drop, insert, id × insert, keep`: leave out so many ids of the base, put these in, take over so many.
//! One changed section among fifteen is six bytes or so; among four hundred, two more.

use std::collections::HashMap;

/// `list` in full.
pub(crate) fn encode_full(list: &[u64]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for id in list {
        push(&mut bytes, *id);
    }
    bytes
}

/// The list that [`encode_full`] wrote; `None` when `bytes` are none.
pub(crate) fn decode_full(mut bytes: &[u8]) -> Option<Vec<u64>> {
    let mut list = Vec::new();
    while !bytes.is_empty() {
        list.push(pull(&mut bytes)?);
    }
    Some(list)
}

/// `list` as the difference to `base`.
pub(crate) fn encode_difference(base: &[u64], list: &[u64]) -> Vec<u8> {
    let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
    for (place, id) in base.iter().enumerate() {
        places.entry(*id).or_default().push(place);
    }
    let mut bytes = Vec::new();
    let (mut at, mut next) = (0, 0);
    while next < list.len() {
        let first = next;
        // An id that the rest of the base holds ends what is inserted.
        let resume = loop {
            let Some(id) = list.get(next) else { break base.len() };
            let following = places.get(id).map_or(&[][..], |found| &found[found.partition_point(|p| *p < at)..]);
            match following.first() {
                Some(place) => break *place,
                None => next += 1,
            }
        };
        let kept = base[resume..].iter().zip(&list[next..]).take_while(|(old, new)| old == new).count();
        push(&mut bytes, (resume - at) as u64);
        push(&mut bytes, (next - first) as u64);
        for id in &list[first..next] {
            push(&mut bytes, *id);
        }
        push(&mut bytes, kept as u64);
        at = resume + kept;
        next += kept;
    }
    bytes
}

/// The list of which [`encode_difference`] wrote `bytes`; `None` when they are no difference to `base`.
pub(crate) fn decode_difference(base: &[u64], mut bytes: &[u8]) -> Option<Vec<u64>> {
    let mut list = Vec::new();
    let mut rest = base;
    while !bytes.is_empty() {
        rest = rest.get(usize::try_from(pull(&mut bytes)?).ok()?..)?;
        for _ in 0..pull(&mut bytes)? {
            list.push(pull(&mut bytes)?);
        }
        let (kept, after) = rest.split_at_checked(usize::try_from(pull(&mut bytes)?).ok()?)?;
        list.extend_from_slice(kept);
        rest = after;
    }
    Some(list)
}

/// The ids that [`encode_difference`] put in anew; `None` when `bytes` are no difference.
pub(crate) fn decode_inserted(mut bytes: &[u8]) -> Option<Vec<u64>> {
    let mut list = Vec::new();
    while !bytes.is_empty() {
        pull(&mut bytes)?;
        for _ in 0..pull(&mut bytes)? {
            list.push(pull(&mut bytes)?);
        }
        pull(&mut bytes)?;
    }
    Some(list)
}

fn push(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn pull(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let (first, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(first & 0x7f) << shift;
        if first & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn one_changed_section_among_fifteen_is_a_few_bytes() {
        let base: Vec<u64> = (1..=15).collect();
        let mut list = base.clone();
        list[8] = 300;
        // keep 8; drop 1, insert 300 (AC 02), keep 6
        assert_eq!(encode_difference(&base, &list), [0, 0, 8, 1, 1, 0xac, 0x02, 6]);
    }

    #[test]
    fn lists_by_hand() {
        let base = [1, 2, 1, 3];
        for (list, bytes) in [
            (&[1, 2, 1, 3][..], &[0, 0, 4][..]),
            (&[1, 2], &[0, 0, 2]),
            (&[3], &[3, 0, 1]),
            (&[9], &[4, 1, 9, 0]),
            (&[1, 1, 3], &[0, 0, 1, 1, 0, 2]),
            (&[], &[]),
        ] {
            assert_eq!(encode_difference(&base, list), bytes, "{list:?}");
            assert_eq!(decode_difference(&base, bytes).unwrap(), list);
        }
        assert_eq!(encode_full(&[1, 128]), [1, 0x80, 1]);
    }

    #[test]
    fn what_is_no_list_is_refused() {
        assert_eq!(decode_full(&[0x80]), None, "a number without an end");
        assert_eq!(decode_full(&[0xff; 11]), None, "a number of more than 64 bits");
        assert_eq!(decode_difference(&[1], &[2, 0, 0]), None, "drops more than there is");
        assert_eq!(decode_difference(&[1], &[0, 0, 2]), None, "keeps more than there is");
    }

    proptest! {
        #[test]
        fn both_forms_come_back(base in vec(0_u64..12, 0..24), list in vec(0_u64..12, 0..24)) {
            prop_assert_eq!(decode_full(&encode_full(&list)).unwrap(), list.clone());
            prop_assert_eq!(decode_difference(&base, &encode_difference(&base, &list)).unwrap(), list);
        }

        #[test]
        fn any_number_comes_back(list in vec(any::<u64>(), 0..8)) {
            prop_assert_eq!(decode_full(&encode_full(&list)).unwrap(), list);
        }

        #[test]
        fn arbitrary_bytes_end_without_a_panic(base in vec(any::<u64>(), 0..8), bytes in vec(any::<u8>(), 0..64)) {
            let list = decode_difference(&base, &bytes);
            prop_assert!(list.is_none_or(|list| list.len() <= bytes.len() * (base.len() + 1)));
        }
    }
}
