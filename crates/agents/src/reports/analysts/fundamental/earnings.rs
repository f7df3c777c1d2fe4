//! Reports of earnings: how they compared with what was expected, how the price took them, and the next one.

use crate::reports::facts::Facts;
use crate::reports::words::{capital, count, counted, date, pct, signed};

/// Surprises of the last reports.
pub(in crate::reports) fn track_record(facts: &Facts) -> Option<String> {
    let history = facts.of("whole").list("earnings/surprise_history");
    let surprises: Vec<f64> = history
        .iter()
        .filter_map(|one| one.number("surprise_pct"))
        .collect();
    if surprises.is_empty() {
        return None;
    }
    let beats = surprises.iter().filter(|one| **one > 0.0).count();
    let all = surprises.len();
    let (best, worst) = surprises
        .iter()
        .fold((f64::MIN, f64::MAX), |(best, worst), one| {
            (best.max(*one), worst.min(*one))
        });
    let latest = surprises[0];
    let text = match (beats, all - beats) {
        (_, 0) if all > 1 => format!(
            "It beat estimates in each of the last {} reports, most recently by {}",
            count(all),
            pct(latest)
        ),
        (0, _) if all > 1 => format!(
            "It missed estimates in each of the last {} reports, most recently by {}",
            count(all),
            pct(latest)
        ),
        _ if all == 1 => format!(
            "The one report on record came in {} against the estimate",
            signed(latest)
        ),
        _ if latest > 0.0 => format!(
            "It beat estimates in {} of the last {} reports, the latest by {}",
            count(beats),
            count(all),
            pct(latest)
        ),
        _ => format!(
            "The latest report missed its estimate by {}, after {} that beat theirs among the last {}",
            pct(latest),
            count(beats),
            count(all)
        ),
    };
    let range = if all > 2 {
        format!(" (from {} to {})", signed(worst), signed(best))
    } else {
        String::new()
    };
    Some(format!("{text}{range}{}.", reactions(facts)))
}

/// What the price did after the reports.
fn reactions(facts: &Facts) -> String {
    let history = facts.of("whole").list("earnings/surprise_history");
    let moves: Vec<f64> = history
        .iter()
        .filter_map(|one| {
            facts
                .series
                .move_after(model::Day::parse(one.text("date")?.get(..10)?)?)
        })
        .collect();
    let Some(latest) = moves.first() else {
        return String::new();
    };
    let ups = moves.iter().filter(|one| **one > 0.0).count();
    let size = moves.iter().map(|one| one.abs()).sum::<f64>() / moves.len() as f64;
    let usual = facts
        .series
        .volatility(252.min(facts.series.len().saturating_sub(1)), 1.0)
        .unwrap_or(1.5);
    let weight = match size / usual.max(0.1) {
        2.0.. => format!(
            "; its reports are events, with {} on average the day after",
            pct(size)
        ),
        1.2.. => format!(
            "; the day after moves it {} on average, more than an ordinary one",
            pct(size)
        ),
        _ => format!(
            "; the day after is an ordinary one, {} on average",
            pct(size)
        ),
    };
    let last = match (moves.len(), ups, latest) {
        (1, ..) => format!(" ({} the last time)", signed(*latest)),
        (all, ups, latest) if ups * 3 >= all * 2 => format!(
            ", up {} times of {} ({} the last time)",
            count(ups),
            count(all),
            signed(*latest)
        ),
        (all, ups, latest) if ups * 3 <= all => format!(
            ", down {} times of {} ({} the last time)",
            count(all - ups),
            count(all),
            signed(*latest)
        ),
        (.., latest) => format!(", up as often as down ({} the last time)", signed(*latest)),
    };
    format!("{weight}{last}")
}

/// The next report.
pub(in crate::reports) fn next_report(facts: &Facts, is_long: bool) -> Option<String> {
    let earnings = facts.of("earnings");
    let on = earnings.text("earnings_date")?;
    let today = facts.day()?;
    let days = model::Day::parse(on)?.since(today);
    let quarter = earnings.text("fiscal_quarter").unwrap_or("the quarter");
    let estimate = earnings.number("eps_estimate").map(|eps| facts.price(eps));
    let past = facts.of("financials").number("eps");
    let when = date(on);
    let sure = match earnings.text("earnings_status") {
        Some("confirmed") => "confirmed",
        _ => "an estimate from earlier dates",
    };
    let text = match days {
        ..=0 => format!(
            "The report for {quarter} was due on {when}, and no figures of it are on record yet"
        ),
        1..=7 => format!("Figures for {quarter} come within days, on {when} ({sure})"),
        8..=30 => format!("The next hurdle is the report for {quarter} on {when} ({sure})"),
        31..=60 => format!(
            "{} remain until the report for {quarter}, on {when} ({sure})",
            capital(&counted(days.unsigned_abs() as usize, "day", "days"))
        ),
        _ => {
            format!("No company figures are due before {when}, when {quarter} is reported ({sure})")
        }
    };
    let asks = match (estimate, past) {
        (Some(estimate), Some(eps)) if eps > 0.0 => {
            let pace = earnings.number("eps_estimate")? / (eps / 4.0);
            match pace {
                1.15.. => format!(
                    "; {estimate} a share is expected, {pace:.1} times the average quarter of the past year"
                ),
                ..0.85 => format!(
                    "; the {estimate} a share that is expected would be less than an average quarter of the past year"
                ),
                _ => {
                    format!("; the {estimate} a share that is expected is about an average quarter")
                }
            }
        }
        (Some(estimate), _) => format!("; {estimate} a share is expected"),
        (None, _) => String::new(),
    };
    let history = facts.of("whole").list("earnings/surprise_history");
    let latest = history.first().and_then(|one| {
        let day = model::Day::parse(one.text("date")?.get(..10)?)?;
        Some((
            one.number("surprise_pct")?,
            facts.series.move_after(day)?,
            date(one.text("date")?),
        ))
    });
    let last = latest.filter(|_| !is_long).map_or_else(String::new, |(surprise, moved, on)| match (surprise > 0.0, moved) {
        (true, 1.5..) => format!("; the last report ({on}) beat its estimate by {} and lifted the price by {}", pct(surprise), pct(moved)),
        (true, ..-1.5) => format!("; the last report ({on}) beat its estimate by {}, and the price fell {} all the same", pct(surprise), pct(moved)),
        (true, _) => format!("; the last report ({on}), {} better than expected, left the price almost unmoved ({})", pct(surprise), signed(moved)),
        (false, ..-1.5) => format!("; the last report ({on}) missed by {} and cost {}", pct(surprise), pct(moved)),
        (false, 1.5..) => format!("; the last report ({on}) missed by {}, and the price rose {} regardless", pct(surprise), pct(moved)),
        (false, _) => format!("; the last report ({on}), {} short of the estimate, was taken calmly ({})", pct(surprise), signed(moved)),
    });
    let since = facts.of("financials").text("period_end").and_then(|end| {
        let then = facts.series.close_on_or_before(model::Day::parse(end)?)?;
        Some(((facts.series.last()?.close / then - 1.0) * 100.0, date(end)))
    });
    let room = since
        .filter(|_| is_long)
        .map_or_else(String::new, |(moved, end)| match moved {
            15.0.. => format!(
                "; the price has run {} ahead since the last figures ({end})",
                pct(moved)
            ),
            4.0.. => format!("; since the last figures ({end}) the price is up {}", pct(moved)),
            -4.0.. => format!(
                "; the price is where it was when the last figures closed ({end}, {})",
                signed(moved)
            ),
            -15.0.. => format!("; since the last figures ({end}) the price is down {}", pct(moved)),
            _ => format!(
                "; {} have been lost since the last figures ({end}), before new ones could explain it",
                pct(moved)
            ),
        });
    Some(format!("{text}{asks}{last}{room}."))
}
