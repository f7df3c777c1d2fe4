//! Sentences of briefs that only say who runs which headline: what the headline says, and whose it is.
//!
//! Where an outlet brought no more than a headline, its brief reads `Hacker News reports: …`. That it does is nothing to be tested or
//! found; what it says is, and it is that outlet's, whichever the brief names first.

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
/// Letters of an outlet before the verb at most.
const LONGEST: usize = 120;

/// What a sentence says, and the outlet that it names for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Attributed<'a> {
    pub(crate) said: &'a str,
    pub(crate) outlet: String,
}

/// Reads `OUTLET reports: HEADLINE`, where the outlet is one of the sources.
pub(crate) fn read<'a>(sentence: &'a str, sources: &[View<'_>]) -> Option<Attributed<'a>> {
    let (before, said) = sentence.split_once(": ")?;
    if before.len() > LONGEST || said.trim().is_empty() {
        return None;
    }
    let name = VERBS.iter().find_map(|verb| before.strip_suffix(verb))?;
    let plain = |text: &str| text.trim().to_lowercase();
    // Of several that have the same headline, the first stands for them.
    let first = plain(name.split([',']).next().unwrap_or(name));
    let first = first.split(" and ").next().unwrap_or_default().trim();
    let of = |source: &View<'_>| {
        // `livemint.com` is introduced as Livemint, also where its source is called Mint.
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
