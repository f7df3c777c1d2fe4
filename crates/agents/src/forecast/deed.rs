//! The probability that somebody does what the topic asks: `Will Microsoft buy OpenAI?`

use model::{Day, EventKind, Timestamp};
use query::Deed;
use serde_json::json;

use super::asked::say;
use super::{Draft, Work, scenarios};
use crate::figures::{count, day, quoted};
use crate::runs::Done;
use crate::view::View;

/// The number of days over which reports of these events are counted.
const REPORTS_OF: i32 = 365;
/// The most reports to read, newest first.
const MOST_REPORTS: usize = 100;
/// An event below this is a plan or a rumour.
const SURE: f64 = 0.5;
/// Fewer days say too little about a pace: at least this many are counted as if they had been observed.
const LEAST_DAYS: f64 = 90.0;
/// Events that are added to those counted, half an event of them with the second name: the named one is one of many
/// that it could be.
const PRIOR_EVENTS: f64 = 5.0;

/// Reports of these events.
#[derive(Clone, Debug, Default, PartialEq)]
struct Reports {
    /// Events of this kind that involve the first name, not counting plans and rumours.
    deeds: u64,
    /// Those among them that involve the second name, too.
    of_both: u64,
    /// Plans and rumours that name both, or the first if no other is asked about.
    rumours: u64,
    /// The days over which they were counted.
    days: f64,
    /// The newest report about exactly this.
    newest: Option<(String, String)>,
}

impl Reports {
    /// Probability of at least one report within this many days: the pace of these events, with the uncertainty of half
    /// an event (Jeffreys' rule), and the share of them that involves the second name.
    fn chance(&self, has_second: bool, ahead: f64) -> f64 {
        let days = self.days.max(LEAST_DAYS);
        if !has_second {
            return scenarios::at_least_once(self.deeds, days, ahead);
        }
        let share = (self.of_both as f64 + 0.5) / (self.deeds as f64 + PRIOR_EVENTS);
        1.0 - (1.0 + ahead * share / days).powf(-(self.deeds as f64 + 0.5))
    }
}

/// What the topic asks about somebody.
pub(super) async fn forecast(work: &Work<'_>, draft: &mut Draft, deed: &Deed) {
    let mut found = None;
    let step = async {
        let reports = reports(work, deed).await?;
        let summary = format!(
            "{} in {:.0} days.",
            count(reports.deeds, "such event", "such events"),
            reports.days
        );
        let output = json!({"events": reports.deeds, "of_both": reports.of_both, "plans_and_rumours": reports.rumours, "days": reports.days});
        found = Some(reports);
        Ok(Done {
            summary,
            output,
            confidence: None,
            credits: None,
        })
    };
    let inputs = json!({"type": deed.kind.as_str(), "first": deed.first, "second": deed.second});
    work.run.step("such events before", inputs, 0, step).await;
    let Some(reports) = found else {
        draft.lacks(
            "predictions",
            "/api/v1/events",
            "events of this kind cannot be counted: no brief is held",
        );
        return;
    };
    let until = day(&work.end().to_string());
    let what = noun(deed);
    let chance = reports.chance(deed.second.is_some(), f64::from(work.asked.ahead));
    let kind = deed.kind.as_str();
    let actor = if deed.is_passive {
        deed.second.as_deref()
    } else {
        Some(deed.first.as_str())
    };
    let mut basis = match (actor, deed.second.is_some()) {
        (Some(actor), true) => format!(
            "{} by {actor} in {:.0} days, {} of them with {}; taken as a Poisson process",
            count(
                reports.deeds,
                &format!("reported {kind}"),
                &format!("reported {kind} events")
            ),
            reports.days,
            reports.of_both,
            if deed.is_passive {
                &deed.first
            } else {
                deed.second.as_deref().unwrap_or_default()
            }
        ),
        _ => format!(
            "{} of {} in {:.0} days, taken as a Poisson process",
            count(
                reports.deeds,
                &format!("reported {kind}"),
                &format!("reported {kind} events")
            ),
            deed.first,
            reports.days
        ),
    };
    let about_this = if deed.second.is_some() {
        reports.of_both
    } else {
        reports.deeds
    };
    if about_this == 0 {
        basis.push_str(
            "; none of them is this one, so that the chance is a ceiling more than an estimate",
        );
    }
    let text = format!("By {until}, the news report {what}.");
    say(work, draft, text, chance, basis);
    if let Some((headline, date)) = &reports.newest {
        draft.summary.insert(
            1,
            if about_this > 0 {
                format!(
                    "It has been reported before: {} ({}).",
                    quoted(headline),
                    day(date)
                )
            } else {
                format!(
                    "So far it is a plan or a rumour: {} ({}).",
                    quoted(headline),
                    day(date)
                )
            },
        );
    } else {
        draft.summary.insert(
            1,
            format!(
                "No report of the last {:.0} days states or rumours it; the chance is one that nothing in the news speaks for.",
                reports.days
            ),
        );
    }
    if reports.rumours > 0 && about_this == 0 {
        draft.signals.push(format!(
            "A confirmation: {} so far.",
            count(
                reports.rumours,
                "plan or rumour was reported",
                "plans or rumours were reported"
            )
        ));
    }
}

/// What is to be reported.
fn noun(deed: &Deed) -> String {
    let (first, second) = (deed.first.as_str(), deed.second.as_deref());
    match (deed.kind, second, deed.is_passive) {
        (EventKind::Acquisition, Some(second), false) => format!("that {first} acquires {second}"),
        (EventKind::Acquisition, Some(second), true) => format!("that {second} acquires {first}"),
        (EventKind::Acquisition, None, false) => format!("an acquisition by {first}"),
        (EventKind::Acquisition, None, true) => format!("an acquisition of {first}"),
        (EventKind::Lawsuit, Some(second), false) => format!("that {first} sues {second}"),
        (EventKind::Lawsuit, Some(second), true) => format!("that {second} sues {first}"),
        (EventKind::Lawsuit, None, false) => format!("a lawsuit by {first}"),
        (EventKind::Lawsuit, None, true) => format!("a lawsuit against {first}"),
        (EventKind::Partnership, Some(second), _) => {
            format!("a partnership of {first} with {second}")
        }
        (EventKind::Partnership, None, _) => format!("a partnership of {first}"),
        (EventKind::Launch, Some(second), _) => format!("that {first} launches {second}"),
        (EventKind::Launch, None, _) => format!("a launch by {first}"),
        (EventKind::Regulation, Some(second), false) => {
            format!("a decision by {first} on {second}")
        }
        (EventKind::Regulation, Some(second), true) => {
            format!("a decision by {second} on {first}")
        }
        (EventKind::Regulation, None, _) => format!("a decision by an authority on {first}"),
        (EventKind::Ipo, ..) => format!("an IPO of {first}"),
        (EventKind::Bankruptcy, ..) => format!("a bankruptcy of {first}"),
        (EventKind::Funding, ..) => format!("a funding round of {first}"),
    }
}

/// Counts reports of these events in the last year.
async fn reports(work: &Work<'_>, deed: &Deed) -> Result<Reports, String> {
    // Events are recorded under the name of whoever acts.
    let actor = if deed.is_passive {
        deed.second.as_deref()
    } else {
        Some(deed.first.as_str())
    };
    let other = if deed.is_passive {
        Some(deed.first.as_str())
    } else {
        deed.second.as_deref()
    };
    let answer = work
        .run
        .consult(
            "list_events",
            json!({"type": deed.kind.as_str(), "subject": actor, "period": "365d", "limit": MOST_REPORTS}),
        )
        .await?;
    let view = View(&answer);
    let rows = view.list("events");
    let context = work.run.context();
    let to = context.end();
    let from = to.plus_ms(-i64::from(REPORTS_OF) * Timestamp::DAY_MS);
    let first = context
        .store
        .briefs()
        .first_published(from, to, context.as_of.0)
        .await
        .map_err(|_| "briefs cannot be read".to_owned())?
        .ok_or("no brief is held")?;
    let mut since = Day::of(first);
    // If more match than are read, the count starts at the oldest that is read.
    if view.whole("total").unwrap_or_default() > rows.len() as u64
        && let Some(oldest) = rows
            .last()
            .and_then(|row| Day::parse(row.text("first_stated_at")?.get(..10)?))
    {
        since = since.max(oldest);
    }
    let mut reports = Reports {
        days: f64::from(work.today.since(since).max(1)),
        ..Reports::default()
    };
    let wants_other = deed.second.is_some();
    let mut newest_rumour = None;
    for row in rows {
        let text = ["object", "headline", "sentence"]
            .map(|field| row.text(field).unwrap_or_default().to_lowercase())
            .join("\n");
        let names_other = other.is_none_or(|other| names(&text, other));
        // If no counterpart is named, all such events are read: they count if they name the first.
        if actor.is_none() && !names_other {
            continue;
        }
        let told = || {
            Some((
                row.text("headline")?.to_owned(),
                row.text("first_stated_at")?.to_owned(),
            ))
        };
        if row.number("confidence").unwrap_or_default() < SURE {
            if names_other {
                reports.rumours += 1;
                newest_rumour = newest_rumour.or_else(told);
            }
            continue;
        }
        reports.deeds += 1;
        if names_other {
            if wants_other {
                reports.of_both += 1;
            }
            reports.newest = reports.newest.or_else(told);
        }
    }
    reports.newest = reports.newest.or(newest_rumour);
    Ok(reports)
}

/// Whether a text in lower case contains a name, as words of their own.
fn names(text: &str, name: &str) -> bool {
    let name = name.to_lowercase();
    let is_edge = |mark: Option<char>| mark.is_none_or(|mark| !mark.is_alphanumeric());
    text.match_indices(name.as_str()).any(|(at, found)| {
        is_edge(text[..at].chars().next_back()) && is_edge(text[at + found.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_name_makes_an_event_rarer() {
        let reports = Reports {
            deeds: 6,
            days: 180.0,
            ..Reports::default()
        };
        let (any, this) = (reports.chance(false, 90.0), reports.chance(true, 90.0));
        assert!(any > 0.9 && this < 0.25 && this > 0.1, "{any} {this}");
        let seen = Reports {
            of_both: 3,
            ..reports
        };
        assert!(seen.chance(true, 90.0) > 2.0 * this);
        // A week without news of this kind is no reason to expect it within the year.
        let week = Reports {
            days: 7.0,
            ..Reports::default()
        };
        assert!(week.chance(true, 300.0) < 0.2);
    }

    #[test]
    fn a_name_is_found_as_words() {
        assert!(names("microsoft weighs openai deal", "OpenAI"));
        assert!(!names("metals rose", "Meta"));
        assert!(names("the s&p 500 rose", "S&P 500"));
    }
}
