//! What the pace of the news and the record of events indicate.

use model::Day;
use serde_json::json;

use super::{Draft, Prediction, PredictionKind, Work, scenarios};
use crate::figures::{count, percent, quoted, sentence};
use crate::runs::Done;
use crate::swarm::{Words, subject};
use crate::view::View;

/// How many weeks of coverage are counted.
const WEEKS: i32 = 12;
/// Coverage is steady while it changes by less than this share from week to week.
const STEADY: f64 = 0.25;
/// The most kinds of events to name.
const KINDS: usize = 3;
/// The fewest events of a kind before it is forecast.
const LEAST_EVENTS: u64 = 1;

/// Adds what recent coverage and events suggest.
pub(super) async fn forecast(work: &Work<'_>, draft: &mut Draft) {
    let reading = &work.question.reading;
    // From `S&P 500` a question keeps `500` as a word: in that case the series is called by its name.
    let has_words = reading
        .topic
        .split(|mark: char| !mark.is_alphabetic())
        .any(|word| word.chars().count() > 2);
    let topic = match (reading.instruments.first(), reading.series.first()) {
        (None, Some(series)) if !has_words => series.name().replace('/', " "),
        _ => subject(reading),
    };
    let topic = if topic.trim().chars().count() < 2 {
        work.asked.topic.chars().take(200).collect()
    } else {
        topic
    };
    // Launches, fundings and lawsuits involve somebody, and a price or a rate is nobody.
    let has_events = !reading.instruments.is_empty() || reading.series.is_empty();
    let (weeks, events, context) = futures::join!(
        coverage(work, &topic),
        async {
            if has_events {
                events(work, &topic).await
            } else {
                None
            }
        },
        background(work, &topic)
    );
    match weeks {
        Some(weeks) => of_coverage(draft, &topic, &weeks),
        None => draft.lacks(
            "executive_summary",
            "/api/v1/search",
            "coverage could not be counted",
        ),
    }
    if let Some(events) = events {
        of_events(work, draft, &topic, &events);
    }
    if let Some(prediction) = context {
        draft.summary.push(prediction);
    }
}

/// The number of briefs in each of the last weeks, oldest first.
async fn coverage(work: &Work<'_>, topic: &str) -> Option<Vec<u64>> {
    let weeks = (work.asked.back / 7).clamp(3, WEEKS);
    let mut found = None;
    let step = async {
        let counts = match work.question.reading.instruments.first() {
            Some(instrument) => of_symbol(work, instrument.symbol.as_str(), weeks).await?,
            None => of_words(work, topic, weeks).await?,
        };
        let all: u64 = counts.iter().sum();
        let summary = format!("{} in {weeks} weeks.", count(all, "brief", "briefs"));
        let output = json!({"briefs_by_week": counts});
        found = Some(counts);
        Ok(Done {
            summary,
            output,
            confidence: None,
            credits: None,
        })
    };
    work.run
        .step("coverage", json!({"topic": topic, "weeks": weeks}), 0, step)
        .await;
    found
}

/// Briefs that mention a symbol: its name consists of words that others use as well.
async fn of_symbol(work: &Work<'_>, symbol: &str, weeks: i32) -> Result<Vec<u64>, String> {
    let arguments = json!({"symbol": symbol, "days": 7 * weeks});
    let answer = work
        .run
        .consult("list_sentiment_history", arguments)
        .await?;
    let days = View(&answer).list("history").into_iter().filter_map(|one| {
        let date = Day::parse(one.text("date")?.get(..10)?)?;
        Some((date, one.whole("brief_count")?))
    });
    Ok(by_week(days, work.today, weeks))
}

/// Daily counts as weekly counts, oldest first; the last week ends today.
fn by_week(days: impl Iterator<Item = (Day, u64)>, today: Day, weeks: i32) -> Vec<u64> {
    let mut counts = vec![0; usize::try_from(weeks).unwrap_or_default()];
    for (date, number) in days {
        let back = today.since(date).div_euclid(7);
        if let Some(count) = usize::try_from(weeks - 1 - back)
            .ok()
            .and_then(|place| counts.get_mut(place))
        {
            *count += number;
        }
    }
    counts
}

/// Briefs in which a search finds these words.
async fn of_words(work: &Work<'_>, topic: &str, weeks: i32) -> Result<Vec<u64>, String> {
    let counts = (0..weeks).rev().map(|back| async move {
        let to = work.today.plus(-7 * back);
        let arguments = json!({
            "q": topic, "per_page": 1, "depth": "fast",
            "from": to.plus(-6).to_string(), "to": to.to_string(),
        });
        let answer = work.run.consult("search_briefs", arguments).await?;
        Ok(View(&answer).whole("total").unwrap_or_default())
    });
    futures::future::try_join_all(counts).await
}

fn of_coverage(draft: &mut Draft, topic: &str, weeks: &[u64]) {
    let all: u64 = weeks.iter().sum();
    let Some((last, before)) = weeks.split_last().filter(|_| all > 0) else {
        draft.lacks(
            "executive_summary",
            "/api/v1/search",
            format!("no brief of the last {} weeks is about it", weeks.len()),
        );
        return;
    };
    // Weeks before the topic was first reported do not count.
    let known = before.iter().position(|week| *week > 0);
    let before = &before[known.unwrap_or(before.len())..];
    let weeks = &weeks[weeks.len() - before.len() - 1..];
    if before.is_empty() {
        draft.summary.push(format!(
            "It was first reported in the last seven days: {}.",
            count(*last, "brief", "briefs")
        ));
        return;
    }
    let usual = before.iter().sum::<u64>() as f64 / before.len() as f64;
    let pace = if *last as f64 > usual * (1.0 + STEADY) {
        "above"
    } else if (*last as f64) < usual * (1.0 - STEADY) {
        "below"
    } else {
        "in line with"
    };
    draft.summary.push(format!(
        "Coverage of the last seven days is {pace} that of the {} before: {}, against {usual:.1} a week.",
        count(before.len() as u64, "week", "weeks"),
        count(*last, "brief", "briefs"),
    ));
    if draft.trend.is_none() {
        draft.trend = Some(match pace {
            "above" => "rising",
            "below" => "falling",
            _ => "stable",
        });
    }
    let mut counts = [0_u64; 3];
    for pair in weeks.windows(2) {
        let (one, next) = (pair[0] as f64, pair[1] as f64);
        let place = if (next - one).abs() <= STEADY * one.max(1.0) {
            0
        } else if next > one {
            1
        } else {
            2
        };
        counts[place] += 1;
    }
    // If a price or a series has its cases, coverage does not add another set of them.
    if draft
        .predictions
        .iter()
        .any(|one| one.kind == PredictionKind::Case)
    {
        return;
    }
    let chances = scenarios::of_counts(counts);
    let basis = format!(
        "{} from week to week, with one of each case added",
        count(weeks.len() as u64 - 1, "change", "changes")
    );
    let share = percent(STEADY * 100.0);
    for (text, chance) in [
        (
            format!(
                "Coverage of {} stays within {share} of the {} of this week.",
                quoted(topic),
                count(*last, "brief", "briefs")
            ),
            chances[0],
        ),
        (
            format!("Coverage of {} rises by more than {share}.", quoted(topic)),
            chances[1],
        ),
        (
            format!("Coverage of {} falls by more than {share}.", quoted(topic)),
            chances[2],
        ),
    ] {
        draft.predictions.push(Prediction {
            text,
            chance,
            timeframe: "the next seven days".to_owned(),
            kind: PredictionKind::Case,
            basis: basis.clone(),
        });
    }
    let twice = (2.0 * usual).ceil().max(2.0) as u64;
    draft.signals.push(if twice > *last {
        format!(
            "More than {} in a week: twice the usual pace.",
            count(twice, "brief", "briefs")
        )
    } else {
        let most = weeks.iter().copied().max().unwrap_or(*last);
        format!(
            "More than {} in a week: more than in any week since it was first reported.",
            count(most, "brief", "briefs")
        )
    });
}

/// Events of the last thirty days by kind, with the newest sentence for each.
async fn events(work: &Work<'_>, topic: &str) -> Option<Vec<(String, u64, String)>> {
    let mut found = None;
    let step = async {
        let arguments = json!({"subject": topic.chars().take(200).collect::<String>(), "period": "30d", "limit": 100});
        let answer = work.run.consult("list_events", arguments).await?;
        let mut kinds: Vec<(String, u64, String)> = Vec::new();
        let words = Words::of(&work.question.reading);
        let is_of_company = !work.question.reading.instruments.is_empty();
        for event in View(&answer).list("events") {
            // The event is described in its sentence; the headline may be about another one.
            let (Some(kind), Some(sentence)) = (event.text("type"), event.text("sentence")) else {
                continue;
            };
            // A list of events also matches parts of words.
            let actors = ["subject", "object"].map(|name| event.text(name).unwrap_or_default());
            if is_of_company && !words.are_said(&actors.join(" ")) {
                continue;
            }
            match kinds.iter_mut().find(|(known, ..)| known == kind) {
                Some((_, number, _)) => *number += 1,
                None => kinds.push((kind.to_owned(), 1, sentence.to_owned())),
            }
        }
        kinds.sort_by_key(|one| std::cmp::Reverse(one.1));
        let all: u64 = kinds.iter().map(|(_, number, _)| number).sum();
        let summary = format!("{} of the last 30 days.", count(all, "event", "events"));
        let output = json!({"events": kinds.iter().map(|(kind, number, _)| json!({"type": kind, "count": number})).collect::<Vec<_>>()});
        found = Some(kinds);
        Ok(Done {
            summary,
            output,
            confidence: None,
            credits: None,
        })
    };
    work.run
        .step("events", json!({"subject": topic}), 0, step)
        .await;
    found
}

fn of_events(work: &Work<'_>, draft: &mut Draft, topic: &str, kinds: &[(String, u64, String)]) {
    const PAST: f64 = 30.0;
    for (kind, number, sentence) in kinds
        .iter()
        .take(KINDS)
        .filter(|(_, number, _)| *number >= LEAST_EVENTS)
    {
        let chance = scenarios::at_least_once(*number, PAST, f64::from(work.asked.ahead));
        draft.states(sentence.clone());
        draft.predictions.push(Prediction {
            text: format!(
                "The news report at least one further {kind} that concerns {}.",
                quoted(topic)
            ),
            chance,
            timeframe: work.asked.timeframe.clone(),
            kind: PredictionKind::Event,
            basis: format!(
                "{} in the last 30 days, taken as a Poisson process; the newest: {}",
                count(*number, "such report", "such reports"),
                quoted(sentence.trim_end_matches('.'))
            ),
        });
    }
}

/// What sources expect, quoted.
async fn background(work: &Work<'_>, topic: &str) -> Option<String> {
    let period = match work.asked.back {
        ..=10 => "7d",
        11..=45 => "30d",
        _ => "90d",
    };
    let step = async {
        let arguments = json!({"topic": topic, "period": period});
        let answer = work
            .run
            .consult("show_topic_intelligence", arguments)
            .await?;
        let view = View(&answer);
        if view.whole("brief_count").unwrap_or_default() == 0 {
            return Err("no brief in the period covers it".to_owned());
        }
        let prediction = view.text("prediction").unwrap_or_default();
        let prediction = about(prediction, topic);
        if prediction.is_empty() {
            return Err("no source says what it expects of it".to_owned());
        }
        Ok(Done {
            summary: sentence(&prediction),
            output: json!({"prediction": prediction}),
            confidence: view.number("confidence"),
            credits: None,
        })
    };
    let result = work
        .run
        .step(
            "expectations",
            json!({"topic": topic, "period": period}),
            0,
            step,
        )
        .await?;
    let text = View(&result).text("prediction")?.to_owned();
    Some(text)
}

/// The expectations that name the topic: a brief that matches it may also quote expectations about something else.
fn about(prediction: &str, topic: &str) -> String {
    const QUOTED: &str = "Looking ahead, ";
    let stems: Vec<String> = topic
        .split(|mark: char| !mark.is_alphanumeric())
        .filter(|word| word.chars().count() > 2)
        .map(|word| word.to_lowercase().chars().take(6).collect())
        .collect();
    let names = |sentence: &str| {
        sentence
            .to_lowercase()
            .split(|mark: char| !mark.is_alphanumeric())
            .any(|word| stems.iter().any(|stem| word.starts_with(stem.as_str())))
    };
    let mut kept = Vec::new();
    for (place, part) in prediction.split(QUOTED).enumerate() {
        let part = part.trim();
        if part.is_empty() {
            continue;
        }
        if place == 0 {
            kept.push(part.to_owned());
            continue;
        }
        // The last quotation is followed by its trend.
        let end = part
            .find(FACT)
            .map_or(part.len(), |start| start + FACT.len());
        let (quotation, rest) = part.split_at(end);
        if names(quotation) {
            kept.push(format!("{QUOTED}{quotation}"));
        }
        if !rest.trim().is_empty() {
            kept.push(rest.trim().to_owned());
        }
    }
    kept.join(" ")
}

/// The end of a quoted expectation.
const FACT: &str = "this is an expectation, not a fact.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expectation_of_something_else_is_left_out() {
        let prediction = "Looking ahead, Decrypt writes “Tether’s wallet aims to simplify transactions” (2026-04-14); this is an expectation, not a fact. Looking ahead, Mining.com writes “Gold is expected to rise” (2026-04-15); this is an expectation, not a fact. The topic is losing attention.";
        assert_eq!(
            about(prediction, "gold"),
            "Looking ahead, Mining.com writes “Gold is expected to rise” (2026-04-15); this is an expectation, not a fact. The topic is losing attention."
        );
        assert_eq!(
            about("The topic is holding steady.", "gold"),
            "The topic is holding steady."
        );
    }

    #[test]
    fn days_are_counted_by_week_from_today_back() {
        let day = |text: &str| Day::parse(text).unwrap();
        let days = [
            (day("2026-05-08"), 3),
            (day("2026-05-02"), 2),
            (day("2026-05-01"), 5),
            (day("2026-04-01"), 9),
        ];
        assert_eq!(by_week(days.into_iter(), day("2026-05-08"), 3), [0, 5, 5]);
    }
}
