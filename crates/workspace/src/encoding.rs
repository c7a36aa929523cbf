//! Texts that are not UTF-8: which encoding they are in, as far as bytes can tell.
//!
//! A guess is only ever a guess: nothing is converted before a person saw the text and chose.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, SHIFT_JIS, UTF_16BE, UTF_16LE, WINDOWS_1251, WINDOWS_1252,
};

/// What is offered besides the guess, the commonest first.
const OFFERED: [&Encoding; 8] = [WINDOWS_1252, GB18030, SHIFT_JIS, BIG5, EUC_KR, EUC_JP, WINDOWS_1251, UTF_16LE];

/// A reading of bytes in one encoding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// Its name in the WHATWG standard, for example `GBK` or `UTF-16LE`.
    pub encoding: &'static str,
    /// The text, without a byte order mark.
    pub text: String,
    /// How many places the encoding has no character for.
    pub bad: usize,
}

/// The likeliest encoding of bytes that are not UTF-8.
pub fn guess(bytes: &[u8]) -> &'static Encoding {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return encoding;
    }
    if let Some(encoding) = wide(bytes) {
        return encoding;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    detector.guess(None, Utf8Detection::Deny)
}

/// UTF-16 without a mark: every second byte of a Western text is 0.
fn wide(bytes: &[u8]) -> Option<&'static Encoding> {
    const LOOKED_AT: usize = 4_096;
    let head = &bytes[..bytes.len().min(LOOKED_AT) & !1];
    let zeros = |from: usize| head.iter().skip(from).step_by(2).filter(|&&byte| byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    let half = head.len() / 2;
    match () {
        () if half < 2 => None,
        () if odd * 10 > half * 4 && even * 10 < half => Some(UTF_16LE),
        () if even * 10 > half * 4 && odd * 10 < half => Some(UTF_16BE),
        () => None,
    }
}

/// `bytes` read in the encoding of this name; `None` when there is no such encoding.
pub fn read(bytes: &[u8], name: &str) -> Option<Reading> {
    Some(read_as(bytes, Encoding::for_label(name.as_bytes())?))
}

fn read_as(bytes: &[u8], encoding: &'static Encoding) -> Reading {
    let (text, _) = encoding.decode_with_bom_removal(bytes);
    let bad = text.matches(char::REPLACEMENT_CHARACTER).count();
    Reading { encoding: encoding.name(), text: text.into_owned(), bad }
}

/// The readings to choose from: the guess first, then the others by how much of the bytes they make sense of.
pub fn readings(bytes: &[u8]) -> Vec<Reading> {
    let guess = guess(bytes);
    let mut others: Vec<Reading> = OFFERED
        .into_iter()
        .filter(|&other| other != guess && !(guess == GBK && other == GB18030))
        .map(|encoding| read_as(bytes, encoding))
        .collect();
    others.sort_by_key(|reading| reading.bad);
    std::iter::once(read_as(bytes, guess)).chain(others).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    #[test]
    fn texts_are_read_back_in_the_encoding_they_were_written_in() {
        let chinese = "你好，这是一个用来测试编码的中文文件。我们喜欢喝茶。\n";
        let japanese = "これは文字コードを調べるための日本語の文章です。お茶が好きです。\n";
        let french = "Né à Orléans, élève appliquée ; j’aime les crêpes et le café.\n";
        for (encoding, text) in [(GBK, chinese), (SHIFT_JIS, japanese), (WINDOWS_1252, french)] {
            let (bytes, _, lost) = encoding.encode(text);
            assert!(!lost);
            let reading = readings(&bytes).remove(0);
            assert_eq!((reading.encoding, &*reading.text, reading.bad), (encoding.name(), text, 0));
        }
    }

    #[test]
    fn utf_16_is_known_with_its_mark_and_without() {
        let text = "# Notes\n\nTea at five.\n";
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for (bytes, name) in [
            ([b"\xFF\xFE", &*little].concat(), "UTF-16LE"),
            ([b"\xFE\xFF", &*big].concat(), "UTF-16BE"),
            (little, "UTF-16LE"),
            (big, "UTF-16BE"),
        ] {
            let reading = readings(&bytes).remove(0);
            assert_eq!((reading.encoding, &*reading.text), (name, text));
        }
        assert_eq!(read(b"x", "no such"), None);
    }
}
