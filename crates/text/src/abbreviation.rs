//! Abbreviations made of initials: whether a set of letters can stand for a name.

/// Number of letters in an abbreviation that stands for a name elsewhere in a text. Two matching initials in a row are
/// often chance.
pub(crate) const LETTERS: std::ops::RangeInclusive<usize> = 3..=6;

/// Words of a name whose initials an abbreviation may leave out.
const SMALL: [&str; 14] = [
    "of", "the", "and", "for", "in", "on", "to", "at", "de", "du", "des", "la", "le", "et",
];

/// Whether an abbreviation consists of the initials of a name, with or without those of its small words, or of the
/// capitals inside a single word: `ABS` of `American Bureau of Shipping`, `TMC` of `The Metals Company`, `CQ` of
/// `CryptoQuant`.
pub(crate) fn spells(abbreviation: &str, name: &str) -> bool {
    let words: Vec<&str> = name
        .split([' ', '-'])
        .filter(|word| word.contains(char::is_alphanumeric))
        .collect();
    let equals = |letters: String| letters.eq_ignore_ascii_case(abbreviation);
    if let [word] = words[..] {
        let capitals: String = word.chars().filter(|sign| sign.is_uppercase()).collect();
        let is_mixed = word.chars().any(char::is_lowercase);
        return is_mixed && capitals.len() > 1 && equals(capitals);
    }
    let is_small = |word: &&str| SMALL.contains(&word.to_lowercase().as_str());
    let initials = |words: &mut dyn Iterator<Item = &str>| -> String {
        words.filter_map(|word| word.chars().next()).collect()
    };
    equals(initials(&mut words.iter().copied()))
        || equals(initials(
            &mut words.iter().copied().filter(|word| !is_small(word)),
        ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initials_spell_a_name() {
        for (abbreviation, name, expected) in [
            ("ABS", "American Bureau of Shipping", true),
            ("DOJ", "Department of Justice", true),
            ("TMC", "The Metals Company", true),
            ("DTCC", "Depository Trust & Clearing Corporation", true),
            ("CQ", "CryptoQuant", true),
            ("CBI", "Central Bank of Ireland", true),
            ("CBI", "Confederation of British Industry", true),
            ("CBI", "Cobalt Bureau", false),
            ("ABS", "Abs", false),
            ("ABS", "ABS", false),
            ("IP", "International Petroleum Exchange", false),
        ] {
            assert_eq!(
                spells(abbreviation, name),
                expected,
                "{abbreviation} {name}"
            );
        }
    }
}
