//! The file stays small: only what changed takes room.

use super::{assembly, new_history, sized};

/// A prompt of 60 KB in 15 sections, of which the eighth, of 2 KB, is another one each time. Letters at
/// random out of 64 are the worst that text of one byte a character does: a quarter less at best.
#[test]
fn a_hundred_thousand_assemblies_fit_into_300_mb() {
    let (_folder, history) = new_history();
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut letters = |length: usize| -> String {
        (0..length)
            .map(|_| {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                char::from(b'0' + (random >> 58) as u8)
            })
            .collect()
    };
    let mut texts: Vec<String> = (0..15).map(|_| letters(4_142)).collect();
    let rows = sized(2_000, 100_000);
    let mut half = 0;
    for row in 0..rows {
        texts[7] = letters(2_048);
        history.record(&assembly(&texts.iter().map(String::as_str).collect::<Vec<_>>())).unwrap();
        if row + 1 == rows / 2 {
            half = history.size_bytes().unwrap();
        }
    }
    let size = history.size_bytes().unwrap();
    let each = (size - half) * 2 / rows;
    let at_100_000 = size + each * (100_000 - rows);
    assert!(at_100_000 < 300_000_000, "{at_100_000} bytes at 100,000 assemblies: {each} each");
    assert!(each > 2_048 * 3 / 4, "{each} bytes each cannot hold 2,048 letters of 6 bits");
}
