//! Names of lawmakers as written in disclosures: `Hon. Neal Patrick Dunn MD, FACS`, `Carper, Thomas R.`,
//! `Jerry Moran,`.

const TITLES: &[&str] = &[
    "hon",
    "honorable",
    "mr",
    "mrs",
    "ms",
    "dr",
    "none",
    "md",
    "facs",
    "dds",
    "phd",
    "esq",
    "sen",
    "rep",
    "senator",
    "representative",
];

const SUFFIXES: &[&str] = &["jr", "sr", "ii", "iii", "iv"];

/// A name split into parts that can be compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MemberName {
    /// The name as displayed: first name first, without titles.
    pub(super) shown: String,
    /// The words in lower case without accents, suffixes and the dots of initials, first names first.
    pub(super) words: Vec<String>,
}

/// Lower case without accents.
pub(super) fn folded(text: &str) -> String {
    let plain = |c: char| match c {
        'á' | 'à' | 'â' | 'ä' | 'ã' | 'å' => 'a',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'ó' | 'ò' | 'ô' | 'ö' | 'õ' | 'ø' => 'o',
        'ú' | 'ù' | 'û' | 'ü' => 'u',
        'ñ' => 'n',
        'ç' => 'c',
        other => other,
    };
    text.to_lowercase().chars().map(plain).collect()
}

/// A word as used for comparison.
fn key(word: &str) -> String {
    folded(word)
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, '-' | '\''))
        .collect()
}

impl MemberName {
    /// Reads a name; `None` if it names nobody.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let is_title = |word: &&str| TITLES.contains(&key(word).as_str());
        let is_suffix = |word: &&str| SUFFIXES.contains(&key(word).as_str());
        let kept = |part: &'_ str| -> Vec<String> {
            part.split_whitespace()
                .filter(|word| !is_title(word) && !key(word).is_empty())
                .map(ToOwned::to_owned)
                .collect()
        };
        let words: Vec<String> = match text.split_once(',') {
            // `Last, First`; but `Jr.` and `FACS Dunn` after a comma continue the name.
            Some((last, rest))
                if !last
                    .split_whitespace()
                    .any(|word| is_title(&word) && key(word) != "hon")
                    && kept(rest).iter().any(|word| !is_suffix(&word.as_str())) =>
            {
                let (last, suffix): (Vec<_>, Vec<_>) = kept(last)
                    .into_iter()
                    .partition(|word| !is_suffix(&word.as_str()));
                let (rest, more): (Vec<_>, Vec<_>) = kept(&rest.replace(',', " "))
                    .into_iter()
                    .partition(|word| !is_suffix(&word.as_str()));
                [rest, last, suffix, more].concat()
            }
            _ => kept(&text.replace(',', " ")),
        };
        let comparable: Vec<String> = words
            .iter()
            .filter(|word| !is_suffix(&word.as_str()))
            .map(|word| key(word))
            .filter(|word| !word.is_empty())
            .collect();
        let nobody =
            comparable.len() < 2 || comparable.first().is_some_and(|word| word == "former");
        (!nobody).then(|| Self {
            shown: words.join(" "),
            words: comparable,
        })
    }

    /// First and last word, which different spellings of a name share more often than the words between them.
    pub(super) fn identity(&self) -> String {
        let ends = [self.words.first(), self.words.last()];
        ends.into_iter()
            .flatten()
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shown_first_name_first_without_titles() {
        for (text, shown, identity) in [
            ("Hon. Virginia Foxx", "Virginia Foxx", "virginia foxx"),
            ("Carper, Thomas R.", "Thomas R. Carper", "thomas carper"),
            (
                "Justice II,  James Conley",
                "James Conley Justice II",
                "james justice",
            ),
            (
                "McConnell, A. Mitchell Jr.",
                "A. Mitchell McConnell Jr.",
                "a mcconnell",
            ),
            ("David A Perdue , Jr", "David A Perdue Jr", "david perdue"),
            ("Jerry Moran,", "Jerry Moran", "jerry moran"),
            (
                "Hon. Neal Patrick MD, FACS Dunn",
                "Neal Patrick Dunn",
                "neal dunn",
            ),
            ("Hon. Raúl M. Grijalva", "Raúl M. Grijalva", "raul grijalva"),
            ("None Kathy Manning", "Kathy Manning", "kathy manning"),
        ] {
            let name = MemberName::parse(text).unwrap();
            assert_eq!(
                (name.shown.as_str(), name.identity().as_str()),
                (shown, identity),
                "{text}"
            );
        }
        for nobody in ["", "Former Senator", "Hon.", ",", "Foxx"] {
            assert_eq!(MemberName::parse(nobody), None, "{nobody}");
        }
    }
}
