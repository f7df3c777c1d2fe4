//! Legal matters among the results: what is decided, when, and by whom. The names of authorities are in a table; the
//! text must say which country an authority belongs to, since several have an SEC or a Supreme Court.

use std::sync::LazyLock;

use serde_json::{Map, Value};
use verify::places;

use crate::figures::{day, quoted};
use crate::view::View;

/// The most rows in the table.
const ROWS: usize = 8;

/// An authority.
struct Authority {
    name: &'static str,
    jurisdiction: &'static str,
    role: &'static str,
    /// Whether others have one with this name.
    is_shared: bool,
}

const TABLE: &str = include_str!("../../data/authorities.tsv");

static AUTHORITIES: LazyLock<Vec<Authority>> = LazyLock::new(|| {
    let rows = model::table::rows::<4>(TABLE);
    rows.map(|[name, jurisdiction, role, whose]| Authority {
        name,
        jurisdiction,
        role,
        is_shared: whose == "shared",
    })
    .collect()
});

/// An authority as named in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Named {
    name: &'static str,
    role: &'static str,
    /// `None` if others have one with this name and the text does not say which is meant.
    jurisdiction: Option<&'static str>,
}

/// The authority that a text names first, by whole words, and its jurisdiction.
fn authority(text: &str) -> Option<Named> {
    let mut first: Option<(usize, &Authority)> = None;
    for one in AUTHORITIES.iter() {
        let place = text.match_indices(one.name).map(|(at, _)| at).find(|at| {
            let before = text[..*at].chars().next_back();
            let after = text[at + one.name.len()..].chars().next();
            let is_edge = |mark: Option<char>| !mark.is_some_and(char::is_alphanumeric);
            is_edge(before) && is_edge(after)
        });
        let Some(place) = place else { continue };
        let is_better = first.is_none_or(|(known, other)| {
            place < known || (place == known && one.name.len() > other.name.len())
        });
        if is_better {
            first = Some((place, one));
        }
    }
    let (at, one) = first?;
    Some(Named {
        name: one.name,
        role: one.role,
        jurisdiction: jurisdiction(text, at, one),
    })
}

/// The jurisdiction of an authority: the place right before it (`Thailand's SEC`, `the Thai SEC`) or after it
/// (`Supreme Court of India`); for a name that several have, its usual one if the text names that place or none.
fn jurisdiction(text: &str, at: usize, one: &Authority) -> Option<&'static str> {
    let end = at + one.name.len();
    let places = places::named(text);
    let beside = places.iter().find(|place| {
        let before = (place.bytes.end <= at).then(|| &text[place.bytes.end..at]);
        let after = (place.bytes.start >= end).then(|| &text[end..place.bytes.start]);
        before.is_some_and(|gap| matches!(gap, " " | "'s " | "’s " | "' " | "’ " | ". " | ".’s "))
            || after.is_some_and(|gap| matches!(gap, " of " | " of the " | " in " | ", "))
    });
    if let Some(place) = beside {
        return Some(place.name);
    }
    let is_named = places.iter().any(|place| place.name == one.jurisdiction);
    (!one.is_shared || is_named || places.is_empty()).then_some(one.jurisdiction)
}

/// Results that may contain matters: lists of events, and reports that a search found.
const EVENTS: [&str; 2] = ["vertical_lawsuits", "vertical_events"];
const REPORTS: [&str; 2] = ["vertical_news", "vertical_rules"];

/// A legal matter: a report of it, when, and who decides.
pub(super) struct Matter<'a> {
    date: &'a str,
    headline: &'a str,
    brief_id: &'a str,
    source: Option<&'a str>,
    authority: Option<Named>,
}

impl Matter<'_> {
    /// Whether it names who decides.
    pub(super) const fn has_authority(&self) -> bool {
        self.authority.is_some()
    }

    /// Whether its jurisdiction is unknown.
    pub(super) fn is_open(&self) -> bool {
        self.authority.is_none_or(|one| one.jurisdiction.is_none())
    }
}

/// Whether matters were requested from both events and reports, and both answered: otherwise nobody knows that there
/// are none.
pub(super) fn were_looked_for(data: &Map<String, Value>) -> bool {
    let has_any = |keys: [&str; 2]| keys.iter().any(|key| data.contains_key(*key));
    has_any(EVENTS) && has_any(REPORTS)
}

/// The matters among the results, newest first, each brief once.
pub(super) fn matters(data: &Map<String, Value>) -> Vec<Matter<'_>> {
    let mut matters: Vec<Matter<'_>> = Vec::new();
    for key in EVENTS {
        for event in data
            .get(key)
            .map(|one| View(one).list("events"))
            .into_iter()
            .flatten()
        {
            let Some(matter) = of_event(event) else {
                continue;
            };
            if !matters
                .iter()
                .any(|known| known.brief_id == matter.brief_id)
            {
                matters.push(matter);
            }
        }
    }
    for key in REPORTS {
        for brief in data
            .get(key)
            .map(|one| View(one).list("briefs"))
            .into_iter()
            .flatten()
        {
            let Some(matter) = of_brief(brief) else {
                continue;
            };
            // Search results are about law only if they name who decides.
            let is_known = matters
                .iter()
                .any(|known| known.brief_id == matter.brief_id);
            if matter.authority.is_some() && !is_known {
                matters.push(matter);
            }
        }
    }
    matters.sort_by(|one, other| other.date.cmp(one.date));
    matters
}

fn of_event(event: View<'_>) -> Option<Matter<'_>> {
    let (headline, sentence) = (
        event.text("headline")?,
        event.text("sentence").unwrap_or_default(),
    );
    Some(Matter {
        date: event.text("date")?,
        headline,
        brief_id: event.text("brief_id")?,
        source: None,
        authority: authority(headline).or_else(|| authority(sentence)),
    })
}

fn of_brief(brief: View<'_>) -> Option<Matter<'_>> {
    let (headline, summary) = (
        brief.text("headline")?,
        brief.text("summary").unwrap_or_default(),
    );
    Some(Matter {
        date: brief.text("published_at")?,
        headline,
        brief_id: brief.text("id")?,
        source: brief
            .list("sources")
            .into_iter()
            .find_map(|source| source.text("name")),
        authority: authority(headline).or_else(|| authority(summary)),
    })
}

/// The matters as a table.
pub(super) fn section(title: &str, data: &Map<String, Value>) -> Option<String> {
    let matters = matters(data);
    if matters.is_empty() {
        return None;
    }
    let mut lines = vec![
        format!("**{title}**"),
        String::new(),
        "| Day | Jurisdiction | Authority | Matter |".to_owned(),
        "|---|---|---|---|".to_owned(),
    ];
    for matter in matters.iter().take(ROWS) {
        let (jurisdiction, name) = matter.authority.map_or_else(
            || ("not named".to_owned(), "not named".to_owned()),
            |one| {
                (
                    one.jurisdiction.unwrap_or("not named").to_owned(),
                    format!("{} ({})", one.name, one.role),
                )
            },
        );
        let source = matter
            .source
            .map(|source| format!(", {}", quoted(source)))
            .unwrap_or_default();
        lines.push(format!(
            "| {} | {jurisdiction} | {name} | {} ({}{source}) |",
            day(matter.date),
            quoted(matter.headline).replace('|', "/"),
            matter.brief_id,
        ));
    }
    Some(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authorities_are_a_tidy_table() {
        assert_eq!(model::table::fault(TABLE, 4, 1), None);
        for row in model::table::rows::<4>(TABLE) {
            assert!(["own", "shared"].contains(&row[3]), "{row:?}");
        }
    }

    #[test]
    fn an_authority_is_named_by_whole_words_and_the_first_counts() {
        let of = |text: &str| authority(text).map(|one| (one.name, one.jurisdiction));
        assert_eq!(
            of("The European Commission fined the firm before the SEC sued it"),
            Some(("European Commission", Some("European Union")))
        );
        assert_eq!(of("A second section of the SECURE act"), None);
        assert_eq!(
            of("The Court of Justice of the European Union ruled"),
            Some((
                "Court of Justice of the European Union",
                Some("European Union")
            ))
        );
    }

    #[test]
    fn a_name_that_several_countries_have_needs_the_country_from_the_text() {
        for (text, jurisdiction) in [
            ("The SEC sued the firm", Some("United States")),
            ("The U.S. SEC sued the Thai firm", Some("United States")),
            (
                "Thailand’s SEC is seeking feedback on rules",
                Some("Thailand"),
            ),
            ("The Thai SEC, unlike America, waits", Some("Thailand")),
            ("The Supreme Court of India ruled", Some("India")),
            ("The SEC opened a case in Nigeria", None),
            (
                "US exchanges asked the SEC, and Japan waits",
                Some("United States"),
            ),
            ("BaFin warned Chinese investors", Some("Germany")),
        ] {
            let found = authority(text).unwrap().jurisdiction;
            assert_eq!(found, jurisdiction, "{text}");
        }
    }
}
