//! Where independent members contradict each other.
//!
//! The headlines and first sentences of the voices are compared. There are four types of contradiction: a **number**
//! that two voices give differently for one measure and scope; a **date** that two voices give differently for one
//! coming event; an **outcome**, if one headline says the opposite of another (`approves | rejects`); a **polarity**,
//! if one headline denies what the other affirms in nearly the same words. A false contradiction is worse than a missed
//! one. Bounds, rounding, other currencies and other scopes are compatible. Later publication is news, not
//! contradiction: a higher toll after [`TOLL_GROWS_MS`], anything else after a day, and whatever an outlet corrects in
//! its own coverage.
//!
//! **Severity.** Numbers: minor if the larger is below 1.25 times the smaller, major from twice upwards, moderate in
//! between. Dates: minor for one day, moderate beyond that. Outcomes are major. Polarity is major if the denial is
//! reported as a fact, and moderate if somebody is only said to deny it.

use model::{Contradiction, DataPointKind, Disagreement, Severity, Timestamp};

use super::reading::COMPARED;
use super::{Member, assessment, wording};
use crate::annotate::lexed::lex;
use crate::events::date::{self, When};
use crate::sentence;
use crate::statement::comparison::{Figure, Statement, figures};
use crate::statement::cues::Word;
use crate::statement::{denial, outcome, terms};

/// A toll that is higher after this time has grown.
const TOLL_GROWS_MS: i64 = 4 * Timestamp::HOUR_MS;
/// If a coming event is given another date after this time, it has been moved.
const DATE_MOVES_MS: i64 = 12 * Timestamp::HOUR_MS;
/// How many contradictions a brief lists.
const MOST: usize = 5;
/// Maximum number of claims in one contradiction.
const CLAIMS: usize = 6;

/// A contradiction with the two members that show it best.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) contradiction: Contradiction,
    pub(super) members: [usize; 2],
    /// The sentence that states it.
    pub(super) sentence: String,
}

/// The contradictions between voices, most severe first: at most one for each measure, one date, one outcome and one
/// denial.
pub(super) fn find(members: &[Member<'_>], statements: &[Statement<'_>]) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    let mut seen: Vec<(Disagreement, Option<&'static str>)> = Vec::new();
    for (index, right) in statements.iter().enumerate() {
        for left in &statements[..index] {
            if left.member == right.member {
                continue;
            }
            let apart = right
                .published_at
                .since_ms(left.published_at)
                .saturating_abs();
            if apart > Timestamp::DAY_MS {
                continue;
            }
            if let Some((here, there)) = differing(left, right, statements)
                && !is_revised(members, left.member, there)
                && !is_revised(members, right.member, here)
            {
                let key = (Disagreement::Number, here.measure);
                if !seen.contains(&key) {
                    seen.push(key);
                    found.push(numbers(members, statements, (left, here), (right, there)));
                }
            }
            for kind in [
                Disagreement::Outcome,
                Disagreement::Polarity,
                Disagreement::Date,
            ] {
                if seen.contains(&(kind, None)) {
                    continue;
                }
                let severity = match kind {
                    Disagreement::Outcome => opposite(left, right),
                    Disagreement::Polarity => denial::polarity(left, right),
                    _ => dates(left, right, apart),
                };
                if let Some(severity) = severity {
                    seen.push((kind, None));
                    found.push(assessment::words(members, kind, severity, left, right));
                }
            }
        }
    }
    found.sort_by_key(|found| std::cmp::Reverse(found.contradiction.severity));
    found.truncate(MOST);
    found
}

/// Comparable figures that differ, provided neither voice also gives the other's figure.
fn differing<'a>(
    left: &'a Statement<'_>,
    right: &'a Statement<'_>,
    statements: &[Statement<'_>],
) -> Option<(&'a Figure, &'a Figure)> {
    left.figures.iter().find_map(|here| {
        let there = right
            .figures
            .iter()
            .find(|there| here.is_comparable(there) && !here.agrees(there))?;
        if terms::shared(left.terms, right.terms) < 0.25
            || left.is_elsewhere(right)
            || matches!(here.kind, DataPointKind::Money | DataPointKind::Percent)
                && !left.opens_like(right)
        {
            return None;
        }
        // A toll that has grown is news.
        let later = right.published_at.since_ms(left.published_at);
        let (older, newer) = if later >= 0 {
            (here, there)
        } else {
            (there, here)
        };
        if here.is_toll() && newer.value > older.value && later.abs() > TOLL_GROWS_MS {
            return None;
        }
        let also = |member: usize, figure: &Figure| {
            statements
                .iter()
                .filter(|statement| statement.member == member)
                .flat_map(|statement| statement.figures)
                .any(|other| other.measure == figure.measure && other.agrees(figure))
        };
        (!also(right.member, here) && !also(left.member, there)).then_some((here, there))
    })
}

/// Whether the outlet of a member also gave this figure in another article. An update is not a contradiction.
fn is_revised(members: &[Member<'_>], member: usize, figure: &Figure) -> bool {
    let domain = &members[member].article.domain;
    let others = members.iter().enumerate().filter(|(index, other)| {
        *index != member && other.copy_of.is_none() && other.article.domain == *domain
    });
    others.into_iter().any(|(_, other)| {
        let article = other.article;
        [&article.title, &article.description, &article.body]
            .into_iter()
            .flat_map(|text| sentence::split(text).into_iter().take(COMPARED))
            .flat_map(figures)
            .any(|other| other.measure == figure.measure && other.agrees(figure))
    })
}

fn numbers(
    members: &[Member<'_>],
    statements: &[Statement<'_>],
    left: (&Statement<'_>, &Figure),
    right: (&Statement<'_>, &Figure),
) -> Found {
    let (smaller, larger) = (
        left.1.value.abs().min(right.1.value.abs()),
        left.1.value.abs().max(right.1.value.abs()),
    );
    let severity = if larger >= 2.0 * smaller {
        Severity::Major
    } else if larger >= 1.25 * smaller {
        Severity::Moderate
    } else {
        Severity::Minor
    };
    // Every voice that gives one of the two figures takes its side.
    let side = |figure: &Figure, first: &Statement<'_>| -> Vec<(usize, String)> {
        let mut side = vec![(first.member, first.text.to_owned())];
        for statement in statements {
            let gives = statement
                .figures
                .iter()
                .any(|other| other.is_comparable(figure) && other.value == figure.value);
            if gives && !side.iter().any(|(member, _)| *member == statement.member) {
                side.push((statement.member, statement.text.to_owned()));
            }
        }
        side
    };
    let (one, other) = (side(left.1, left.0), side(right.1, right.0));
    let names = [
        wording::outlet(&members[left.0.member]),
        wording::outlet(&members[right.0.member]),
    ];
    let sentence = format!(
        "Figures differ on {}: {} reports {}, while {} puts it at {}.",
        left.1.noun(),
        names[0],
        left.1.printed,
        names[1],
        right.1.printed,
    );
    let favoured = assessment::favoured(
        members,
        (&one, &left.1.printed),
        (&other, &right.1.printed),
        left.1.is_toll(),
    );
    Found {
        members: [left.0.member, right.0.member],
        contradiction: Contradiction {
            kind: Disagreement::Number,
            severity,
            claims: assessment::claims(one.iter().chain(&other), CLAIMS),
            assessment: format!("{sentence} {favoured}"),
        },
        sentence,
    }
}

fn opposite(left: &Statement<'_>, right: &Statement<'_>) -> Option<Severity> {
    if !left.is_headline || !right.is_headline || left.mirrors(right) {
        return None;
    }
    let (left_sides, right_sides) = (
        outcome::sides_of(left.text, left.terms),
        outcome::sides_of(right.text, right.terms),
    );
    outcome::is_opposite(left.terms, right.terms, &left_sides, &right_sides)
        .then_some(Severity::Major)
}

fn dates(left: &Statement<'_>, right: &Statement<'_>, apart: i64) -> Option<Severity> {
    if !left.is_headline
        || !right.is_headline
        || apart > DATE_MOVES_MS
        || !left.figures.is_empty() && !right.figures.is_empty()
    {
        return None;
    }
    let same = terms::common(left.terms, right.terms);
    if same < 5 || terms::shared(left.terms, right.terms) < 0.7 {
        return None;
    }
    let day = |statement: &Statement<'_>| {
        let words: Vec<String> = statement
            .text
            .split(|character: char| !character.is_alphanumeric())
            .map(str::to_lowercase)
            .collect();
        let holds = |group: Word| words.iter().any(|word| group.is(word));
        if !holds(Word::Coming) || holds(Word::Moved) {
            return None;
        }
        let mut tokens = Vec::new();
        lex(statement.text, &mut tokens);
        let days = date::all(&tokens, statement.published_at, true);
        match days.as_slice() {
            [When::Day(day)] => Some(*day),
            _ => None,
        }
    };
    let (here, there) = (day(left)?, day(right)?);
    match (here.day() - there.day()).abs() {
        0 => None,
        1 => Some(Severity::Minor),
        _ => Some(Severity::Moderate),
    }
}
