//! Sentences of briefs that only say which outlet runs which headline: the content of the headline, and its outlet.
//!
//! If an outlet provided no more than a headline, its brief reads `Hacker News reports: …`. That it reports this is not
//! something to check or find; what the headline says is, and it belongs to that outlet, whichever one the brief names
//! first.

use crate::view::View;

/// How briefs introduce a headline.
const VERBS: [&str; 8] = [
    " runs the headline",
    " reports",
    " report",
    " writes",
    " write",
    " says",
    " say",
    " asks",
];
/// The most letters of an outlet before the verb.
const LONGEST: usize = 120;

/// What a sentence says, and the outlet that it names as the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Attributed<'a> {
    pub(crate) said: &'a str,
    pub(crate) outlet: String,
}

/// Reads `OUTLET reports: HEADLINE`, if the outlet is one of the sources.
pub(crate) fn read<'a>(sentence: &'a str, sources: &[View<'_>]) -> Option<Attributed<'a>> {
    let (before, said) = sentence.split_once(": ")?;
    if before.len() > LONGEST || said.trim().is_empty() {
        return None;
    }
    let name = VERBS.iter().find_map(|verb| before.strip_suffix(verb))?;
    let plain = |text: &str| text.trim().to_lowercase();
    // Of several outlets with the same headline, the first stands for all of them.
    let first = plain(name.split([',']).next().unwrap_or(name));
    let first = first.split(" and ").next().unwrap_or_default().trim();
    let of = |source: &View<'_>| {
        // `livemint.com` is introduced as Livemint, even if its source is called Mint.
        let label = source.text("domain").and_then(|all| all.split('.').next());
        let names = [source.text("name"), source.text("domain"), label].map(|one| one.map(plain));
        names
            .iter()
            .flatten()
            .any(|one| *one == first || *one == plain(name))
    };
    let outlet = sources.iter().find(|source| of(source))?.text("name")?;
    Some(Attributed {
        said: said.trim(),
        outlet: outlet.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_headline_is_what_it_says_and_belongs_to_who_runs_it() {
        let sources = json!([
            {"name": "MarketWatch", "domain": "marketwatch.com"},
            {"name": "Slashdot", "domain": "slashdot.org"},
            {"name": "Mint", "domain": "livemint.com"},
        ]);
        let sources: Vec<View<'_>> = sources.as_array().unwrap().iter().map(View).collect();
        for (sentence, expected) in [
            (
                "Slashdot.org says: The outlook is terrible news for Wall Street.",
                Some(("The outlook is terrible news for Wall Street.", "Slashdot")),
            ),
            (
                "MarketWatch and Slashdot report: Rates stay.",
                Some(("Rates stay.", "MarketWatch")),
            ),
            (
                "Livemint writes: Tesla sees significant inflation.",
                Some(("Tesla sees significant inflation.", "Mint")),
            ),
            ("The bank says: rates stay.", None),
            ("Rates stay, MarketWatch says.", None),
        ] {
            let found = read(sentence, &sources);
            let found = found.as_ref().map(|one| (one.said, &*one.outlet));
            assert_eq!(found, expected, "{sentence}");
        }
    }
}
