//! What happened while the exchange was closed: between its last close and now.

use market::calendar;
use model::Timestamp;
use serde_json::{Map, Value, json};

/// The most briefs to keep for that time.
const MOST: usize = 10;

/// Whether a question is about the time outside of regular trading.
pub(crate) fn asks_of_closed(question: &str) -> bool {
    let lower = question.to_lowercase();
    let is_closed = lower.contains("while") && lower.contains("closed");
    is_closed
        || [
            "overnight",
            "since the close",
            "after the close",
            "after hours",
            "after-hours",
            "before the open",
            "pre-market",
            "pre market",
            "premarket",
            "over the weekend",
        ]
        .iter()
        .any(|words| lower.contains(words))
}

/// From the last close to now, or to the opening if the exchange is trading again.
fn span(now: Timestamp) -> Option<(Timestamp, Timestamp)> {
    let day = calendar::newest_closed_session(now)?;
    let close = calendar::closes_at(day)?;
    let open = calendar::next_session(day).and_then(calendar::opens_at);
    Some((close, open.map_or(now, |open| open.min(now))))
}

/// Of the newest briefs, keeps only those that were published in that time, the ones with the most sources first, and
/// says which time it is.
pub(crate) fn keep_since_close(data: &mut Map<String, Value>, now: Timestamp) {
    let Some((from, to)) = span(now) else {
        return;
    };
    let Some(news) = data.get_mut("news").and_then(Value::as_object_mut) else {
        return;
    };
    let Some(Value::Array(briefs)) = news.get_mut("briefs") else {
        return;
    };
    let is_all = briefs.len() < 50;
    briefs.retain(|brief| {
        let published = brief.get("published_at").and_then(Value::as_str);
        published
            .and_then(|at| at.parse::<Timestamp>().ok())
            .is_some_and(|at| at > from && at <= to)
    });
    let total = briefs.len();
    let sources = |brief: &Value| brief.get("source_count").and_then(Value::as_u64);
    briefs.sort_by_key(|brief| std::cmp::Reverse(sources(brief)));
    briefs.truncate(MOST);
    news.remove("meta");
    news.insert("since".to_owned(), json!(from.to_string()));
    news.insert("until".to_owned(), json!(to.to_string()));
    news.insert("briefs_in_that_time".to_owned(), json!(total));
    news.insert("is_complete".to_owned(), json!(is_all || total < 50));
}

/// Marks whether the market session of the newest levels is still in progress: if it is, they are not closes.
pub(crate) fn mark_running(data: &mut Map<String, Value>, now: Timestamp) {
    let Some(market) = data.get_mut("market").and_then(Value::as_object_mut) else {
        return;
    };
    let indices = market.get("indices").and_then(Value::as_array);
    let dates = indices
        .into_iter()
        .flatten()
        .filter_map(|index| index.get("date")?.as_str());
    let newest = dates.max().and_then(model::Day::parse);
    let is_running = newest
        .and_then(calendar::closes_at)
        .is_some_and(|close| close > now);
    market.insert("is_running".to_owned(), json!(is_running));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(now: &str, published: &[&str]) -> (Vec<String>, String) {
        let briefs: Vec<Value> = published
            .iter()
            .map(|at| json!({"published_at": at, "source_count": 1}))
            .collect();
        let mut data = Map::new();
        data.insert("news".to_owned(), json!({"briefs": briefs}));
        keep_since_close(&mut data, now.parse().unwrap());
        let news = &data["news"];
        let left = news["briefs"].as_array().unwrap().iter();
        (
            left.map(|one| one["published_at"].as_str().unwrap().to_owned())
                .collect(),
            news["since"].as_str().unwrap().to_owned(),
        )
    }

    #[test]
    fn the_time_runs_from_the_last_close_to_now() {
        // A Monday before the opening: since Friday, 16:00 in New York.
        let (left, since) = kept(
            "2026-11-23T12:00:00Z",
            &[
                "2026-11-23T09:00:00Z",
                "2026-11-21T10:00:00Z",
                "2026-11-20T20:59:00Z",
            ],
        );
        assert_eq!(left, ["2026-11-23T09:00:00Z", "2026-11-21T10:00:00Z"]);
        assert_eq!(&since[..16], "2026-11-20T21:00");
        // While it is trading: up to the opening.
        let (left, _) = kept(
            "2026-11-23T18:00:00Z",
            &["2026-11-23T15:00:00Z", "2026-11-23T14:29:00Z"],
        );
        assert_eq!(left, ["2026-11-23T14:29:00Z"]);
    }

    #[test]
    fn questions_of_the_closed_time() {
        for asked in [
            "what happened while the market was closed",
            "Anything overnight?",
            "what moved before the open",
        ] {
            assert!(asks_of_closed(asked), "{asked}");
        }
        assert!(!asks_of_closed("is the market closed on Friday"));
    }
}
