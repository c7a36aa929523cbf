//! Classes of pre-token pieces, for the fitted estimate of Claude's older tokenizer.
//!
//! The tables and the weights are the constants of the fit that `tests/data/claude_old_counts.json`
//! documents (`estimator`); a test reproduces its every figure.

/// What a piece is mostly made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    /// ASCII letters.
    Latin,
    /// ASCII digits.
    Digits,
    /// Other ASCII.
    Punctuation,
    /// White space alone.
    Space,
    /// Latin letters beyond ASCII and combining marks. No data.
    LatinExtended,
    /// Greek, Cyrillic, Armenian, Georgian. No data.
    Alphabetic,
    /// Scripts of India and South-East Asia, Ethiopic and their neighbours. No data.
    Indic,
    /// Chinese characters.
    Han,
    /// Hiragana and katakana.
    Kana,
    /// Korean.
    Hangul,
    /// Arabic and Hebrew.
    Arabic,
    /// Emoji and pictographs.
    Emoji,
    /// Everything else.
    Symbols,
}

impl Class {
    pub(crate) const COUNT: usize = 13;
    /// All classes in the order of their discriminants.
    pub(crate) const ALL: [Self; Self::COUNT] = [
        Self::Latin,
        Self::Digits,
        Self::Punctuation,
        Self::Space,
        Self::LatinExtended,
        Self::Alphabetic,
        Self::Indic,
        Self::Han,
        Self::Kana,
        Self::Hangul,
        Self::Arabic,
        Self::Emoji,
        Self::Symbols,
    ];

    /// On equal shares of a piece the earlier class wins.
    const TIE_ORDER: [Self; Self::COUNT - 1] = [
        Self::Emoji,
        Self::Symbols,
        Self::Arabic,
        Self::Hangul,
        Self::Kana,
        Self::Han,
        Self::Indic,
        Self::Alphabetic,
        Self::LatinExtended,
        Self::Latin,
        Self::Digits,
        Self::Punctuation,
    ];

    /// Tokens of the older Claude tokenizer for one unit, in thousandths. A class without data
    /// takes the weight of [`Class::Latin`].
    pub(crate) const fn weight(self) -> i64 {
        match self {
            Self::Latin | Self::LatinExtended | Self::Alphabetic | Self::Indic => 1181,
            Self::Digits => 940,
            Self::Punctuation => 1225,
            Self::Space => 1162,
            Self::Han => 1071,
            Self::Kana => 586,
            Self::Hangul => 1406,
            Self::Arabic => 929,
            Self::Emoji => 1161,
            Self::Symbols => 2036,
        }
    }

    /// True for a class whose weight was never compared with a real count.
    pub(crate) const fn is_without_data(self) -> bool {
        matches!(self, Self::LatinExtended | Self::Alphabetic | Self::Indic)
    }

    /// The class of one character that is not white space.
    pub(crate) fn of(c: char) -> Self {
        match c {
            'A'..='Z' | 'a'..='z' => Self::Latin,
            '0'..='9' => Self::Digits,
            '\0'..='\u{7F}' => Self::Punctuation,
            '\u{D7}' | '\u{F7}' => Self::Symbols,
            '\u{C0}'..='\u{24F}' | '\u{300}'..='\u{36F}' | '\u{1E00}'..='\u{1EFF}' => Self::LatinExtended,
            '\u{200D}'
            | '\u{FE0F}'
            | '\u{20E3}'
            | '\u{1F000}'..='\u{1FAFF}'
            | '\u{2600}'..='\u{27BF}'
            | '\u{2B00}'..='\u{2BFF}'
            | '\u{23E9}'..='\u{23FA}' => Self::Emoji,
            '\u{3040}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}' | '\u{FF66}'..='\u{FF9F}' => Self::Kana,
            '\u{AC00}'..='\u{D7AF}' | '\u{1100}'..='\u{11FF}' | '\u{3130}'..='\u{318F}' => Self::Hangul,
            '\u{3001}'..='\u{303F}'
            | '\u{3400}'..='\u{9FFF}'
            | '\u{F900}'..='\u{FAFF}'
            | '\u{FF00}'..='\u{FF65}'
            | '\u{20000}'..='\u{3FFFF}' => Self::Han,
            '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFE}' => Self::Arabic,
            '\u{370}'..='\u{58F}' | '\u{10A0}'..='\u{10FF}' | '\u{1F00}'..='\u{1FFF}' => Self::Alphabetic,
            '\u{900}'..='\u{109F}' | '\u{1200}'..='\u{1CFF}' => Self::Indic,
            _ => Self::Symbols,
        }
    }

    /// The class that holds most UTF-8 bytes among the characters of `piece` that are not white
    /// space.
    pub(crate) fn of_piece(piece: &str) -> Self {
        let mut bytes = [0_usize; Self::COUNT];
        for c in piece.chars().filter(|c| !c.is_whitespace()) {
            bytes[Self::of(c) as usize] += c.len_utf8();
        }
        let mut best = (Self::Space, 0);
        for class in Self::TIE_ORDER {
            if bytes[class as usize] > best.1 {
                best = (class, bytes[class as usize]);
            }
        }
        best.0
    }
}
