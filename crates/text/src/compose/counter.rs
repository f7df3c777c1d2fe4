//! The other side: the evidence against a brief.
//!
//! In this order: a source that contradicts another one; a sentence in which a source denies, doubts or qualifies what
//! the headline says; otherwise the strongest caveat about this very brief, such as a figure in its headline that only
//! one source gives. Always a sentence.

use model::TrustLevel;

use super::candidate::Candidate;
use super::contradiction::Found;
use super::voices::Voices;
use super::{Member, wording};
use crate::statement::comparison::{Figure, Statement};
use crate::statement::cues::Cue;
use crate::token;

pub(super) fn argue(
    members: &[Member<'_>],
    voices: &Voices,
    candidates: &[Candidate<'_>],
    statements: &[Statement<'_>],
    contradictions: &[Found],
    headline: &str,
) -> String {
    // The most severe one comes first.
    if let Some(found) = contradictions.first() {
        return found.sentence.clone();
    }
    if let Some(dissent) = dissent(members, candidates) {
        return dissent;
    }
    caveat(members, voices, candidates, statements, headline)
}

/// A sentence that denies or doubts, with its outlet.
fn dissent(members: &[Member<'_>], candidates: &[Candidate<'_>]) -> Option<String> {
    let best = candidates
        .iter()
        .filter(|candidate| {
            !candidate.sentence.dependent
                && candidate.sentence.words <= 45
                && Cue::Doubt.is_in(&candidate.sentence.text)
        })
        .reduce(|best, other| {
            if other.weight > best.weight {
                other
            } else {
                best
            }
        })?;
    Some(format!(
        "{} notes: {}",
        wording::outlet(&members[best.member]),
        wording::ended(&best.sentence.text)
    ))
}

fn caveat(
    members: &[Member<'_>],
    voices: &Voices,
    candidates: &[Candidate<'_>],
    statements: &[Statement<'_>],
    headline: &str,
) -> String {
    let first = voices.leaders.first().copied().unwrap_or(0);
    let outlet = wording::outlet(&members[first]);
    let copies = members
        .iter()
        .filter(|member| member.copy_of.is_some())
        .count();
    let headline_only = members
        .iter()
        .all(|member| member.article.body.trim().is_empty());
    let leaders = || voices.leaders.iter().map(|leader| &members[*leader]);
    let anonymous = candidates.iter().find_map(|candidate| {
        Some((
            candidate.member,
            Cue::Anonymous.find(&candidate.sentence.text)?.to_owned(),
        ))
    });

    if voices.count() == 1 && copies > 0 {
        return format!(
            "All {} articles carry the same text from {outlet}; nobody has confirmed it independently.",
            members.len(),
        );
    }
    if let Some((member, words)) = anonymous {
        return format!(
            "{} relies on unnamed sources (“{words}”), so this cannot be checked against a named person or document.",
            wording::outlet(&members[member]),
        );
    }
    if voices.count() == 1 && members[first].trust == TrustLevel::Low {
        return format!(
            "Only {outlet}, an outlet with a poor record for accuracy, reports this; no other source confirms it."
        );
    }
    if let Some(words) = expectation(headline) {
        let who = if voices.count() == 1 {
            format!("{outlet} reports")
        } else {
            format!("the {} report", wording::counted(voices.count(), "source"))
        };
        return format!(
            "What {who} here is an expectation (“{}”), not an established fact, and may turn out differently.",
            words.to_lowercase(),
        );
    }
    if voices.count() == 1 {
        let date = members[first].article.published_at.date();
        return match (headline_only, members[first].trust) {
            (true, TrustLevel::Unknown) => format!(
                "Only a headline and teaser from {outlet}, published on {date}, support this; the outlet's record is unknown and no second source confirms it."
            ),
            (true, _) => format!(
                "Only a headline and teaser from {outlet}, published on {date}, support this; the full article may have details and the other side."
            ),
            (false, TrustLevel::Unknown) => format!(
                "{outlet}, an outlet with no known record for accuracy, is the only source; as of {date} nobody else has confirmed this."
            ),
            (false, _) => {
                format!(
                    "{outlet} is the only source; as of {date} no second outlet has confirmed this independently."
                )
            }
        };
    }
    if let Some((member, figure)) = figure_of_one(statements, headline) {
        let (others, is_one) = match voices.count() - 1 {
            1 => ("the other source".to_owned(), true),
            count => (
                format!("the other {}", wording::counted(count, "source")),
                false,
            ),
        };
        let read = match (headline_only, is_one) {
            (true, true) => "the headline and teaser",
            (true, false) => "the headlines and teasers",
            (false, _) => "the opening paragraphs",
        };
        return format!(
            "Only {} gives {figure}; {read} of {others} do not.",
            wording::outlet(&members[member]),
        );
    }
    if leaders().all(|member| matches!(member.trust, TrustLevel::Unknown | TrustLevel::Low)) {
        return format!(
            "None of the {} is a known trusted outlet, and they may all go back to one report.",
            wording::counted(voices.count(), "independent source"),
        );
    }
    if headline_only {
        return format!(
            "Only headlines and teasers of the {} were available, so whether they agree in detail is unknown.",
            wording::counted(voices.count(), "source"),
        );
    }
    if copies > 0 {
        return format!(
            "Of {} articles, {copies} {} another one almost word for word; only {} are independent.",
            members.len(),
            if copies == 1 { "repeats" } else { "repeat" },
            voices.count(),
        );
    }
    let newest = leaders()
        .map(|member| member.article.published_at)
        .max()
        .unwrap_or_default();
    format!(
        "No denial or doubt was found in the opening paragraphs of the {}, which does not mean that nobody disputes \
         this; nothing published after {} was considered.",
        wording::counted(voices.count(), "source"),
        newest.date(),
    )
}

/// The first figure in a brief's headline, as printed, that only the source of that headline gives, and that source.
fn figure_of_one<'s>(statements: &[Statement<'s>], headline: &str) -> Option<(usize, &'s str)> {
    let own = statements
        .iter()
        .find(|statement| statement.is_headline && statement.text == headline)?;
    let is_given = |figure: &Figure| {
        statements
            .iter()
            .filter(|statement| statement.member != own.member)
            .flat_map(|statement| statement.figures)
            .any(|other| other.kind == figure.kind && other.agrees(figure))
    };
    let figure = own.figures.iter().find(|figure| !is_given(figure))?;
    Some((own.member, figure.printed.as_str()))
}

/// The words by which a headline marks something as not yet a fact. They exclude the month of May, what weighs on a
/// market, eyes on something, forecasts that were beaten, an office that makes them, what can predict something, and
/// the program called Outlook.
fn expectation(headline: &str) -> Option<&str> {
    const MONTH: [&str; 12] = [
        "in", "since", "of", "early", "late", "from", "until", "by", "on", "mid", "through", "this",
    ];
    const MET: [&str; 14] = [
        "beat", "beats", "beating", "top", "tops", "topped", "miss", "misses", "missed", "exceeds",
        "exceeded", "above", "below", "despite",
    ];
    const WITHIN: [&str; 5] = ["in", "via", "microsoft", "through", "using"];
    // In a headline that capitalises every word, `May` may be a verb.
    let is_titled = !headline
        .split_whitespace()
        .any(|word| word.chars().count() >= 4 && word.starts_with(char::is_lowercase));
    let is_one =
        |words: &[&str], word: &str| words.iter().any(|one| one.eq_ignore_ascii_case(word));
    Cue::Forecast
        .places(headline)
        .find(|place| {
            let before = headline[..place.start].split_whitespace().next_back();
            let before = before.unwrap_or_default();
            let after = headline[place.end..].split_whitespace().next();
            let after = after.unwrap_or_default();
            let is_else = match headline[place.clone()].to_lowercase().as_str() {
                "may" => {
                    headline[place.clone()].starts_with('M') && !is_titled
                        || is_one(&MONTH, before.trim_end_matches('-'))
                        || after.starts_with(|first: char| first.is_ascii_digit())
                }
                "weighs" => is_one(&["on", "in"], after),
                "eyes" => is_one(&["on", "in", "off"], after) || is_of_plural(before),
                "forecast" => {
                    is_one(&MET, before)
                        || before.eq_ignore_ascii_case("to")
                        || is_describing(before, after)
                }
                "forecasts" => is_one(&MET, before),
                "predict" => before.eq_ignore_ascii_case("to"),
                "outlook" => is_one(&WITHIN, before) || is_describing(before, after),
                _ => false,
            };
            !is_else
        })
        .map(|place| &headline[place])
}

/// Whether a word makes the plural after it a noun. A verb that looks like such a plural has a singular subject.
fn is_of_plural(word: &str) -> bool {
    const WORDS: [&str; 14] = [
        "all", "both", "few", "many", "some", "these", "those", "my", "your", "his", "her", "its",
        "our", "their",
    ];
    let lower = word.to_lowercase();
    WORDS.contains(&lower.as_str()) || model::cardinal(&lower).is_some_and(|count| count > 1.0)
}

/// Whether a noun between these words only describes the noun after it, as in `weather forecast office`. After a
/// singular word it is not a verb, and nothing is asserted about it. In headlines that capitalise every word the two
/// cannot be told apart.
fn is_describing(before: &str, after: &str) -> bool {
    // Participles without an ending: `inflation forecast cut`.
    const SHORT: [&str; 8] = ["cut", "hit", "set", "put", "seen", "held", "kept", "met"];
    let is_plain = |word: &str| {
        word.len() > 2
            && word.chars().all(char::is_lowercase)
            && !token::is_stop_word(word)
            && !word.ends_with('s')
    };
    is_plain(before) && is_plain(after) && !after.ends_with("ed") && !SHORT.contains(&after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expectation_is_one() {
        for (headline, expected) in [
            ("Airlines cut 13,000 flights in May", None),
            ("Bitcoin on May 4: what to know", None),
            ("Tesla weighs on Wall Street", None),
            ("With eyes on the Fed, stocks drift", None),
            ("Apple beats forecasts: revenue $145.44 billion", None),
            ("US May payrolls rise by 272,000", None),
            ("Sales fell 5% in mid-May", None),
            ("Northwind May Buy Velden", Some("May")),
            ("Malware found in Outlook", None),
            ("French weather forecast office files a complaint", None),
            ("Northwind sees growth forecast cut", Some("forecast")),
            ("Analysts forecast growth at Northwind", Some("forecast")),
            ("Machines learn to predict floods", None),
            ("Analysts predict floods", Some("predict")),
            ("Five Eyes agencies warn of leaks", None),
            ("Northwind eyes Velden", Some("eyes")),
            ("Northwind may buy Velden", Some("may")),
            ("Northwind weighs a bid for Velden", Some("weighs")),
            ("Northwind raises its outlook", Some("outlook")),
        ] {
            assert_eq!(expectation(headline), expected, "{headline}");
        }
    }
}
