//! The changes of a series from one value to the next, and where it rose or fell most.

use model::Day;
use query::Statistic;
use serde_json::{Value, json};

/// The change from one value to the next.
pub(super) struct Session {
    pub(super) date: String,
    from: f64,
    to: f64,
}

/// What the values of a series are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A price, which changes by a share of itself.
    Price,
    /// A rate, which changes by points.
    Rate,
}

impl Kind {
    /// The kind of values in a unit.
    pub(super) fn of(unit: &str) -> Self {
        if unit.to_lowercase().contains("percent") || unit.contains('%') {
            Self::Rate
        } else {
            Self::Price
        }
    }
}

impl Session {
    fn change(&self) -> f64 {
        self.to - self.from
    }

    fn change_pct(&self, kind: Kind) -> Option<f64> {
        market::change_pct(self.from, self.to).filter(|_| kind == Kind::Price)
    }

    fn shown(&self, kind: Kind) -> Value {
        json!({
            "date": self.date,
            "from": self.from,
            "to": self.to,
            "change": self.change(),
            "change_pct": self.change_pct(kind),
        })
    }
}

/// The steps between values that are no more than a week apart, oldest first.
pub(super) fn of(values: &[(String, f64)]) -> Vec<Session> {
    /// Days from one session to the next, at most.
    const FARTHEST: i32 = 7;
    let steps = values.windows(2).filter_map(|pair| {
        let [(before, from), (date, to)] = pair else {
            return None;
        };
        let apart = Day::parse(date)?.since(Day::parse(before)?);
        (1..=FARTHEST).contains(&apart).then(|| Session {
            date: date.clone(),
            from: *from,
            to: *to,
        })
    });
    steps.collect()
}

/// The session with the largest rise or fall: in percent if all of them have a percentage, otherwise in the unit of the
/// values, and then with the largest in percent among those prices that have one.
pub(super) fn foremost(sessions: &[Session], statistic: Statistic, kind: Kind) -> Option<Value> {
    let sign = if statistic == Statistic::WorstSession {
        -1.0
    } else {
        1.0
    };
    // Of equal ones, the first.
    let first_by = |size: &dyn Fn(&Session) -> Option<f64>| {
        let mut found: Option<(&Session, f64)> = None;
        for session in sessions {
            if let Some(size) = size(session).map(|size| size * sign)
                && found.is_none_or(|(_, known)| size > known)
            {
                found = Some((session, size));
            }
        }
        found.map(|(session, _)| session.shown(kind))
    };
    let by_percentage = first_by(&|session| session.change_pct(kind));
    if sessions.iter().all(|one| one.change_pct(kind).is_some()) {
        return by_percentage;
    }
    let mut foremost = first_by(&|session| Some(session.change()))?;
    foremost["with_percentage"] = json!(by_percentage);
    Some(foremost)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sessions(values: &[(&str, f64)]) -> Vec<Session> {
        let values: Vec<(String, f64)> = values
            .iter()
            .map(|(date, value)| ((*date).to_owned(), *value))
            .collect();
        of(&values)
    }

    #[test]
    fn where_a_price_fell_below_zero_sessions_are_ranked_by_their_change() {
        let all = sessions(&[
            ("2020-04-16", 20.0),
            ("2020-04-17", 18.0),
            ("2020-04-20", -37.0),
            ("2020-04-21", 9.0),
            ("2020-04-22", 13.5),
        ]);
        let worst = foremost(&all, Statistic::WorstSession, Kind::Price).unwrap();
        assert_eq!(worst["date"], "2020-04-20");
        assert_eq!(worst["change"], -55.0);
        assert!(worst["change_pct"].is_null());
        assert_eq!(worst["with_percentage"]["date"], "2020-04-17");
        let best = foremost(&all, Statistic::BestSession, Kind::Price).unwrap();
        assert_eq!(
            (&best["date"], &best["change"]),
            (&json!("2020-04-21"), &json!(46.0))
        );
        assert_eq!(best["with_percentage"]["change_pct"], 50.0);
    }

    #[test]
    fn prices_above_zero_are_ranked_by_percentage_and_rates_by_points() {
        let all = sessions(&[
            ("2020-03-02", 1.0),
            ("2020-03-03", 1.5),
            ("2020-03-04", 2.1),
            // A week without values is not a session.
            ("2020-03-20", 9.0),
        ]);
        let best = foremost(&all, Statistic::BestSession, Kind::Price).unwrap();
        assert_eq!(best["date"], "2020-03-03");
        assert_eq!(best["change_pct"], 50.0);
        let best = foremost(&all, Statistic::BestSession, Kind::Rate).unwrap();
        assert_eq!(best["date"], "2020-03-04");
        assert!(best["change_pct"].is_null() && best["with_percentage"].is_null());
    }
}
