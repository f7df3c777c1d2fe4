//! When the exchange trades: the answer to `is the market open`.

use market::calendar;
use model::{Day, Timestamp};
use query::Reading;
use serde_json::{Value, json};

/// Whether a question is about trading hours, and not about anything listed.
pub(crate) fn asks(reading: &Reading) -> bool {
    const SUBJECTS: [&str; 9] = [
        "market",
        "markets",
        "exchange",
        "exchanges",
        "nyse",
        "nasdaq",
        "wall",
        "trading",
        "stocks",
    ];
    const STATES: [&str; 9] = [
        "open", "opens", "close", "closes", "closed", "hours", "opening", "closing", "trade",
    ];
    const OPENINGS: [&str; 12] = [
        "is", "are", "when", "what", "whats", "at", "until", "does", "do", "will", "trading",
        "market",
    ];
    let lower = reading.question.to_lowercase();
    let words: Vec<&str> = lower
        .split(|one: char| !one.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let says = |all: &[&str]| words.iter().any(|word| all.contains(word));
    let first = words.first().copied().unwrap_or_default();
    // `what did the market close at`: a level, not a time.
    let of_time = match first {
        "what" | "whats" | "at" => {
            words.get(1) == Some(&"time") || says(&["hours"]) || words.get(2) == Some(&"time")
        }
        "trading" | "market" => words.get(1) == Some(&"hours"),
        "do" | "does" | "will" => {
            says(&["open", "closed", "trade"]) && !says(&["up", "down", "higher", "lower"])
        }
        _ => true,
    };
    reading.instruments.is_empty()
        && words.len() <= 9
        && OPENINGS.contains(&first)
        && of_time
        && says(&SUBJECTS)
        && says(&STATES)
        && !super::closed::asks_of_closed(&reading.question)
        && !says(&["why", "happened", "near", "high", "record"])
}

/// Whether the exchange is trading now, and the hours of the day that is asked about, otherwise of today or of the next
/// session.
pub(crate) fn hours(reading: &Reading, now: Timestamp) -> Option<Value> {
    let today = Day::of(now);
    let is_of = |day: Day| {
        let opens = calendar::opens_at(day)?;
        let closes = calendar::closes_at(day)?;
        Some((opens, closes))
    };
    let asked = reading.when.from.filter(|day| *day > today);
    let is_open = is_of(today).is_some_and(|(opens, closes)| opens <= now && now < closes);
    let is_over = is_of(today).is_none_or(|(_, closes)| closes <= now);
    let day = match asked {
        Some(day) => day,
        None if is_over => calendar::next_session(today)?,
        None => today,
    };
    let told = match is_of(day) {
        Some((opens, closes)) => json!({
            "opens_at": opens.to_string(),
            "closes_at": closes.to_string(),
            "is_half_day": calendar::session(day) == calendar::Session::Half,
        }),
        None => json!({"next_session": calendar::next_session(day).map(|next| next.to_string())}),
    };
    Some(json!({
        "at": now.to_string(),
        "is_open": is_open,
        "day": day.to_string(),
        "is_session": calendar::is_session(day),
        "hours": told,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(question: &str) -> Reading {
        Reading {
            question: question.to_owned(),
            ..Reading::default()
        }
    }

    #[test]
    fn questions_about_the_hours() {
        for asked in [
            "is the market open now",
            "what time does the market open",
            "are markets closed today",
            "when does wall street close",
            "trading hours of the nyse",
            "is the stock market closed on Friday",
        ] {
            assert!(asks(&read(asked)), "{asked}");
        }
        for other in [
            "what happened while the market was closed",
            "what did the market close at",
            "how did the market open",
            "is the market close to its record high",
            "will the market close higher",
        ] {
            assert!(!asks(&read(other)), "{other}");
        }
    }

    #[test]
    fn a_holiday_names_the_next_session_and_its_hours() {
        // Thanksgiving; the day after is a half day.
        let now = "2026-11-26T15:00:00Z".parse().unwrap();
        let told = hours(&read("is the market open"), now).unwrap();
        assert_eq!(told["is_open"], false);
        assert_eq!(told["day"], "2026-11-27");
        assert_eq!(told["hours"]["is_half_day"], true);
        let trading = "2026-11-25T15:00:00Z".parse().unwrap();
        let told = hours(&read("is the market open"), trading).unwrap();
        assert_eq!(told["is_open"], true);
        assert_eq!(told["day"], "2026-11-25");
    }
}
