//! Sectors that a question names.

use market::screener::sector;

use super::Subjects;
use crate::words::Word;

impl Subjects {
    /// `chip stocks`, `the energy sector`.
    pub(super) fn sectors(&mut self, words: &[Word]) {
        const NOUNS: [&str; 12] = [
            "sector",
            "sectors",
            "stocks",
            "industry",
            "companies",
            "names",
            "space",
            "etfs",
            "shares",
            "equities",
            "industries",
            "plays",
        ];
        for at in 0..words.len() {
            for length in (1..=3).rev() {
                let range = at..at + length;
                let Some(slice) = words.get(range.clone()) else {
                    continue;
                };
                let said: Vec<&str> = slice.iter().map(|word| word.lower.as_str()).collect();
                let next = words.get(range.end);
                let before = at.checked_sub(1).map(|before| &words[before]);
                // `utilities` needs no noun; `oil` and `retail` do.
                let is_plural = length == 1
                    && slice[0].lower.len() > 5
                    && (slice[0].lower.ends_with('s') || slice[0].is("healthcare"));
                let rotates = words.iter().any(|word| word.lower.starts_with("rotat"))
                    && before.is_some_and(|before| before.is_any(&["of", "into", "from", "to"]));
                let is_meant = is_plural
                    || rotates
                    || next.is_some_and(|next| next.is_any(&NOUNS))
                    || before.is_some_and(|before| before.is_any(&["sector", "sectors"]));
                if is_meant
                    && self.is_free(&range)
                    && let Some(sector) = sector::find(&said.join(" "))
                {
                    self.take(&range);
                    self.sectors.push((sector, range));
                    break;
                }
            }
        }
    }
}
