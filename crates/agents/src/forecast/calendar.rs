//! What is scheduled within the forecast period: a recurring release is named once.

use model::Day;
use serde_json::{Value, json};

use super::{Draft, Work};
use crate::figures::{count, day};
use crate::runs::Done;
use crate::view::View;

/// How many days ahead the calendar is read.
const FAR: i32 = 90;
/// The most entries to show.
const SHOWN: usize = 4;

/// A scheduled event, with all of its days.
#[derive(Debug, PartialEq)]
struct Scheduled {
    title: String,
    /// Ascending.
    days: Vec<String>,
    /// Whether it concerns more than a single instrument.
    is_general: bool,
}

impl Scheduled {
    fn line(&self) -> Option<String> {
        let first = day(self.days.first()?);
        let title = &self.title;
        Some(match self.days.len() {
            1 => format!("{first}: {title}."),
            number => format!(
                "{first}: {title}, and {} until {}.",
                count(number as u64 - 1, "further time", "further times"),
                day(self.days.last()?)
            ),
        })
    }
}

/// Adds what is scheduled.
pub(super) async fn read(work: &Work<'_>, draft: &mut Draft) {
    let to = work.end().min(work.today.plus(FAR));
    let symbols: Vec<&str> = work
        .question
        .reading
        .instruments
        .iter()
        .map(|one| one.symbol.as_str())
        .collect();
    let arguments = json!({"from": work.today.to_string(), "to": to.to_string(), "limit": 200});
    let step = async {
        let found = work.run.consult("list_calendar_events", arguments).await?;
        let lines: Vec<String> = scheduled(&found, &symbols)
            .iter()
            .filter_map(Scheduled::line)
            .take(SHOWN)
            .collect();
        Ok(Done {
            summary: match lines.len() {
                0 => "Nothing that bears on it is scheduled.".to_owned(),
                number => format!("{number} scheduled."),
            },
            output: json!({"scheduled": lines}),
            confidence: None,
            credits: None,
        })
    };
    let inputs = json!({"until": to.to_string()});
    match work.run.step("calendar", inputs, 0, step).await {
        Some(result) => {
            let lines = result.get("scheduled").and_then(Value::as_array);
            let lines = lines.into_iter().flatten().filter_map(Value::as_str);
            draft.signals.extend(lines.map(str::to_owned));
        }
        None => draft.lacks(
            "key_signals_to_watch",
            "/api/v1/events/calendar",
            "the calendar could not be read",
        ),
    }
}

/// What is relevant to these symbols: their own entries first, then rare ones before weekly ones.
fn scheduled(found: &Value, symbols: &[&str]) -> Vec<Scheduled> {
    let mut all: Vec<Scheduled> = Vec::new();
    let events = found.get("events").and_then(Value::as_array);
    for event in events.into_iter().flatten().map(View) {
        let (Some(date), Some(title)) = (event.text("date"), event.text("title")) else {
            continue;
        };
        if date.get(..10).and_then(Day::parse).is_none() {
            continue;
        }
        let ticker = event.text("ticker");
        let is_ours = match ticker {
            Some(ticker) => symbols.contains(&ticker),
            // Releases and meetings move everything.
            None => event.text("type").is_some_and(|kind| kind != "holiday"),
        };
        if !is_ours {
            continue;
        }
        let is_general = ticker.is_none();
        match all
            .iter_mut()
            .find(|one| one.title == title && one.is_general == is_general)
        {
            Some(known) => known.days.push(date.to_owned()),
            None => all.push(Scheduled {
                title: title.to_owned(),
                days: vec![date.to_owned()],
                is_general,
            }),
        }
    }
    for one in &mut all {
        one.days.sort_unstable();
        one.days.dedup();
    }
    all.sort_by(|one, other| {
        let key = |one: &Scheduled| (one.is_general, one.days.len(), one.days.first().cloned());
        key(one).cmp(&key(other))
    });
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_again_is_named_once_and_what_comes_rarely_goes_first() {
        let weekly =
            |date: &str| json!({"date": date, "title": "Weekly claims", "type": "economic"});
        let found = json!({"events": [
            weekly("2026-05-14"), weekly("2026-05-21"), weekly("2026-05-28"),
            {"date": "2026-06-05", "title": "Employment Situation", "type": "economic"},
            {"date": "2026-06-19", "title": "Juneteenth", "type": "holiday"},
            {"date": "2026-06-30", "title": "ACME reports", "type": "earnings", "ticker": "ACME"},
            {"date": "2026-05-30", "title": "BOLT reports", "type": "earnings", "ticker": "BOLT"},
        ]});
        let lines: Vec<String> = scheduled(&found, &["ACME"])
            .iter()
            .filter_map(Scheduled::line)
            .collect();
        assert_eq!(
            lines,
            [
                "30 Jun 2026: ACME reports.",
                "5 Jun 2026: Employment Situation.",
                "14 May 2026: Weekly claims, and 2 further times until 28 May 2026.",
            ]
        );
    }
}
