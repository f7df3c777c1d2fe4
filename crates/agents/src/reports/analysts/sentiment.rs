//! The sentiment analyst: how the coverage speaks of the subject, how that has changed, and what the price did
//! afterwards.

use super::news::is_own;
use crate::reports::charts;
use crate::reports::facts::{Brief, Facts};
use crate::reports::finding::{Draft, Reading, Topic};
use crate::reports::words::{capital, count, counted, date, foreign, pct, signed};
use crate::view::View;

/// The fewest reactions from which a mean is meaningful.
const LEAST_MEASURED: u64 = 3;

pub(in crate::reports) fn read(facts: &mut Facts) -> Reading {
    let mut draft = Draft::default();
    findings(facts, &mut draft);
    draft.depth = Some(facts.briefs.len() as f64 / 5.0);
    draft.say(level(facts).unwrap_or_default());
    draft.say(shift(facts).unwrap_or_default());
    if let Some(chart) = charts::sentiment(facts) {
        draft.show(chart);
    }
    draft.say(beside_price(facts).unwrap_or_default());
    draft.say(reaction(facts).unwrap_or_default());
    draft.say(beside_peers(facts).unwrap_or_default());
    draft.finish("sentiment", "Sentiment")
}

/// Days of a period with their sentiment and their number of briefs.
pub(in crate::reports) fn days<'a>(facts: &'a Facts) -> Vec<(&'a str, f64, f64)> {
    let days = facts.of("sentiment").list("history").into_iter();
    days.filter_map(|day: View<'a>| {
        Some((
            day.text("date")?,
            day.number("avg_sentiment")?,
            day.number("brief_count")?,
        ))
    })
    .collect()
}

/// The mean over days, each weighted by its briefs.
fn weighted(days: &[(&str, f64, f64)]) -> Option<f64> {
    let briefs: f64 = days.iter().map(|day| day.2).sum();
    (briefs > 0.0).then(|| days.iter().map(|day| day.1 * day.2).sum::<f64>() / briefs)
}

fn since(facts: &Facts, days_back: i32) -> Option<String> {
    let today = crate::reports::facts::today(facts)?;
    Some(today.plus(-days_back).to_string())
}

/// Sentiment in the last week and in the time before it, and the number of briefs in the week.
pub(in crate::reports) fn week_and_before(facts: &Facts) -> Option<(f64, Option<f64>, f64)> {
    let all = days(facts);
    let start = since(facts, 7)?;
    let (week, before): (Vec<_>, Vec<_>) = all.into_iter().partition(|day| day.0 > start.as_str());
    let briefs = week.iter().map(|day| day.2).sum();
    Some((
        weighted(&week)?,
        weighted(&before).filter(|_| before.len() >= 5),
        briefs,
    ))
}

/// The arguments from sentiment.
pub(in crate::reports) fn findings(facts: &Facts, draft: &mut Draft) {
    let found = week_and_before(facts);
    if draft.asks(found.is_some())
        && let Some((week, before, _)) = found
    {
        // Balanced coverage speaks for neither side.
        let lean = match week {
            0.42..0.58 => 0.0,
            _ => (week - 0.5) * 3.0,
        };
        draft.find(
            Topic::Mood,
            lean,
            match week {
                ..0.42 => {
                    format!("the week's coverage is negative at {week:.2} on a scale from 0 to 1")
                }
                ..0.58 => format!("the week's coverage is balanced at {week:.2}"),
                _ => format!("the week's coverage is friendly at {week:.2} on a scale from 0 to 1"),
            },
        );
        if let Some(before) = before {
            let change = week - before;
            let word = if change >= 0.0 {
                "improved"
            } else {
                "worsened"
            };
            draft.find(
                Topic::Coverage,
                change * 3.0,
                format!("sentiment has {word} from {before:.2} to {week:.2}"),
            );
        }
    }
    let summary = facts.of("impact").at("summary");
    let measured = |summary: &View<'_>| {
        summary.whole("positive_impact_count").unwrap_or(0)
            + summary.whole("negative_impact_count").unwrap_or(0)
    };
    let impact = summary
        .filter(|summary| measured(summary) >= LEAST_MEASURED)
        .and_then(|summary| summary.number("avg_impact_1d_pct"));
    if draft.asks(impact.is_some())
        && let Some(impact) = impact
    {
        let daily = facts.series.volatility(60, 1.0).unwrap_or(1.5).max(0.2);
        let word = if impact >= 0.0 { "rose" } else { "fell" };
        draft.find(
            Topic::Reaction,
            impact / daily / 2.0,
            format!(
                "the price {word} {} on average on the session after a report",
                pct(impact)
            ),
        );
    }
}

fn level(facts: &Facts) -> Option<String> {
    let (week, before, briefs) = week_and_before(facts)?;
    if briefs < 2.0 {
        // The news section reports it.
        return None;
    }
    let briefs = counted(briefs as usize, "brief", "briefs");
    let text = match week {
        ..0.35 => format!(
            "The week's coverage, {briefs}, reads badly for {}: {week:.2}, where 0.5 is neutral",
            facts.name
        ),
        ..0.45 => format!(
            "Coverage leans against {}, {week:.2} over {briefs} of the week",
            facts.name
        ),
        ..0.55 => format!(
            "The week's coverage, {briefs}, comes to {week:.2} and takes no side on {}",
            facts.name
        ),
        ..0.65 => format!(
            "Coverage leans towards {}, {week:.2} over {briefs} of the week",
            facts.name
        ),
        _ => format!(
            "{} has good press: {week:.2} over {briefs} of the week",
            facts.name
        ),
    };
    let Some(before) = before else {
        return Some(format!("{text}."));
    };
    let all = days(facts);
    let below = all.iter().filter(|day| day.1 < week).count() as f64 / all.len().max(1) as f64;
    let change = match week - before {
        0.12.. => format!(", a marked improvement on the {before:.2} of the weeks before"),
        0.04.. => format!(", somewhat better than the {before:.2} of the weeks before"),
        -0.04.. => format!(", as in the weeks before ({before:.2})"),
        -0.12.. => format!(", a little colder than the {before:.2} of the weeks before"),
        _ => format!(", a sharp turn from the {before:.2} of the weeks before"),
    };
    let rank = match below {
        ..0.12 => " and darker than most single days of the past three months",
        0.88.. => " and brighter than most single days of the past three months",
        _ => "",
    };
    Some(format!("{text}{change}{rank}."))
}

fn shift(facts: &Facts) -> Option<String> {
    let shifts = facts.of("shifts").list("signals");
    let largest = shifts.iter().max_by(|left, right| {
        let size = |one: &View<'_>| one.number("sentiment_shift").unwrap_or_default().abs();
        size(left).total_cmp(&size(right))
    })?;
    let (from, to, on) = (
        largest.number("from")?,
        largest.number("to")?,
        date(largest.text("date")?),
    );
    // A round-up of many subjects explains nothing about one of them.
    let trigger = largest
        .text("trigger_headline")
        .filter(|headline| {
            let same = |brief: &&Brief| brief.headline == **headline;
            facts.briefs.iter().find(same).is_none_or(is_own)
        })
        .map(|headline| foreign(headline, 110));
    let (up, down) = (
        shifts
            .iter()
            .filter(|one| one.text("direction") == Some("positive"))
            .count(),
        shifts
            .iter()
            .filter(|one| one.text("direction") == Some("negative"))
            .count(),
    );
    let opening = match (up, down) {
        (1, 0) | (0, 1) => "One day of the past two months changed the picture".to_owned(),
        (up, 0) => format!("It brightened in {} steps over two months", count(up)),
        (0, down) => format!("It darkened in {} steps over two months", count(down)),
        (up, down) if up + down >= 10 => jumps(up, down),
        (up, down) if up >= 2 * down => format!(
            "It brightened {} and darkened only {} in two months",
            times(up),
            times(down)
        ),
        (up, down) if down >= 2 * up => format!(
            "It darkened {} and brightened only {} in two months",
            times(down),
            times(up)
        ),
        (up, down) => format!(
            "It turned {} for the better and {} for the worse in two months",
            times(up),
            times(down)
        ),
    };
    let which = if shifts.len() == 1 {
        ""
    } else {
        "the largest "
    };
    let turn = turn(from, to);
    let day = format!(", {which}{turn} on {on} ({from:.2} to {to:.2})");
    let story = trigger.map_or_else(String::new, |headline| format!(", with “{headline}”"));
    Some(format!("{opening}{day}{story}."))
}

/// Jumps in both directions, ten or more.
fn jumps(up: usize, down: usize) -> String {
    let (all, most) = (count(up + down), count(up.max(down)));
    let way = if up > down { "up" } else { "down" };
    match (up.max(down), up.min(down)) {
        (more, less) if more >= 2 * less => format!(
            "Sentiment is restless but its direction is clear, with {most} of {all} jumps in two months going {way}"
        ),
        (more, less) if more > less + 1 => format!(
            "Sentiment is nervous, with more jumps {way} than {} in two months ({more} to {less})",
            if up > down { "down" } else { "up" }
        ),
        _ => format!(
            "Sentiment swings back and forth, with {} jumps up and {} down in two months",
            count(up),
            count(down)
        ),
    }
}

/// A change in sentiment, by where it begins, where it ends and how far it goes.
fn turn(from: f64, to: f64) -> &'static str {
    match (from, to) {
        (..0.45, 0.55..) => "a turn from negative to positive",
        (0.55.., ..0.45) => "a turn from positive to negative",
        _ if to - from >= 0.25 => "a leap",
        _ if to - from <= -0.25 => "a plunge",
        _ if to > from => "a rise",
        _ => "a fall",
    }
}

fn times(number: usize) -> String {
    match number {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        more => format!("{} times", count(more)),
    }
}

fn beside_price(facts: &Facts) -> Option<String> {
    let (week, before, briefs) = week_and_before(facts)?;
    // One or two briefs are not enough coverage for a price to differ from.
    if briefs < 3.0 {
        return None;
    }
    let moved = facts.series.over(5)?.pct;
    let volatility = facts.series.volatility(60, 1.0)?.max(0.2);
    let change = week - before?;
    let (up, down) = (moved > volatility, moved < -volatility);
    let price = signed(moved);
    let told = match (change, up, down) {
        (0.05.., _, true) => format!(
            "Words and money part company: sentiment improved while the price lost ({price} in five sessions)"
        ),
        (..-0.05, true, _) => format!(
            "The price rose ({price} in five sessions) against worsening coverage, so somebody disagrees with the news"
        ),
        (0.05.., true, _) => {
            format!("Price and coverage brightened together ({price} in five sessions)")
        }
        (..-0.05, _, true) => {
            format!("The fall of five sessions, {price}, came with darker coverage")
        }
        (0.05.., ..) => {
            format!("The better tone has not moved the price yet ({price} in five sessions)")
        }
        (..-0.05, ..) => format!(
            "The darker tone has left the price unimpressed so far ({price} in five sessions)"
        ),
        (_, true, _) => {
            format!("The price gained {price} in five sessions without help from the news")
        }
        (_, _, true) => {
            format!("Nothing in the tone of the news explains the price's {price} of five sessions")
        }
        _ => return None,
    };
    let parts = change.signum() * moved < 0.0;
    match weightiest(facts, change) {
        // That both went the same way needs a story that says why.
        None => parts.then(|| format!("{told}.")),
        Some(story) => Some(format!("{told}{story}.")),
    }
}

/// The report in the week that went furthest in the direction of the sentiment change.
fn weightiest(facts: &Facts, change: f64) -> Option<String> {
    let start = since(facts, 7)?;
    let furthest = facts
        .briefs
        .iter()
        .filter(|brief| is_own(brief) && brief.published_at.as_str() > start.as_str())
        .map(|brief| ((brief.sentiment - 0.5) * change.signum(), brief))
        .filter(|(lean, _)| *lean > 0.05)
        .max_by(|left, right| left.0.total_cmp(&right.0));
    furthest.map(|(_, brief)| {
        let word = if change > 0.0 { "warmest" } else { "coldest" };
        let headline = foreign(&brief.headline, 110);
        format!(", the {word} report of the week being “{headline}”")
    })
}

fn reaction(facts: &Facts) -> Option<String> {
    let impact = facts.of("impact");
    let summary = impact.at("summary")?;
    let measured =
        summary.whole("positive_impact_count")? + summary.whole("negative_impact_count")?;
    let mean = summary.number("avg_impact_1d_pct")?;
    if measured < LEAST_MEASURED {
        return None;
    }
    let measured = measured as usize;
    let text = match mean {
        0.6.. => format!(
            "News has been worth buying: after {} of a month the price gained {} by the next close, on average",
            counted(measured, "brief", "briefs"),
            pct(mean)
        ),
        ..-0.6 => format!(
            "News has cost money: after {} of a month the price lost {} by the next close, on average",
            counted(measured, "brief", "briefs"),
            pct(mean)
        ),
        _ => format!(
            "The price shrugs at its news, {} on average by the next close after {}",
            signed(mean),
            counted(measured, "brief", "briefs")
        ),
    };
    let Some((brief, after)) = strongest(facts, mean) else {
        // If the price shrugs off round-ups of many subjects, that is not news.
        return (mean.abs() >= 0.6).then(|| format!("{text}."));
    };
    let word = if after > 0.0 { "best" } else { "worst" };
    let (headline, on) = (foreign(&brief.headline, 90), date(&brief.published_at));
    Some(format!(
        "{text}, {word} after “{headline}” ({on}, {}).",
        signed(after)
    ))
}

/// The story about the subject alone after which the price moved furthest, in the direction of the average move if
/// there is one.
fn strongest(facts: &Facts, mean: f64) -> Option<(&Brief, f64)> {
    let own = facts.briefs.iter().filter(|brief| is_own(brief));
    let measured = own.filter_map(|brief| Some((brief, brief.after.as_ref()?.pct)));
    measured.max_by(|left, right| {
        let size = |after: f64| (after * mean > 0.0, after.abs());
        let (left, right) = (size(left.1), size(right.1));
        left.0.cmp(&right.0).then(left.1.total_cmp(&right.1))
    })
}

fn beside_peers(facts: &Facts) -> Option<String> {
    let own = facts.of("record").number("sentiment_score")?;
    let mut others: Vec<(&str, f64)> = facts
        .peers
        .iter()
        .filter(|peer| peer.briefs_7d > 0)
        .filter_map(|peer| Some((&*peer.name, peer.sentiment?)))
        .collect();
    if others.len() < 3 {
        return None;
    }
    others.sort_by(|left, right| right.1.total_cmp(&left.1));
    let above = others.iter().filter(|(_, score)| *score > own).count();
    let (best, worst) = (others[0], others[others.len() - 1]);
    let text = if above == 0 {
        format!(
            "None of the {} peers in the news this week is written about more kindly, {} coming next with {:.2}",
            count(others.len()),
            best.0,
            best.1
        )
    } else if above == others.len() {
        format!(
            "All {} peers in the news this week are written about more kindly, {} least of all with {:.2}",
            count(others.len()),
            worst.0,
            worst.1
        )
    } else {
        format!(
            "{} of {} peers in the news this week fare better, {} best of all with {:.2}",
            capital(&count(above)),
            count(others.len()),
            best.0,
            best.1
        )
    };
    Some(format!("{text}{}.", beside_their_prices(facts)))
}

/// How its price compares with those of its peers in the news in the newest session, if they can be compared.
fn beside_their_prices(facts: &Facts) -> &'static str {
    let Some(own) = facts.of("record").number("price/change_pct") else {
        return "";
    };
    let peers = facts.peers.iter().filter(|peer| peer.briefs_7d > 0);
    let changes: Vec<f64> = peers.filter_map(|peer| peer.change_pct).collect();
    if changes.len() < 3 {
        return "";
    }
    let all = changes.len();
    let behind = changes.iter().filter(|change| **change < own).count();
    let ahead = changes.iter().filter(|change| **change > own).count();
    if ahead == all {
        ", and in the newest session its price did worse than all of theirs"
    } else if behind == all {
        ", and in the newest session its price beat all of theirs"
    } else if ahead * 2 > all {
        ", and in the newest session its price did worse than most of theirs"
    } else if behind * 2 > all {
        ", and in the newest session its price beat most of theirs"
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jumps_are_told_by_their_balance() {
        assert_eq!(
            jumps(6, 6),
            "Sentiment swings back and forth, with six jumps up and six down in two months"
        );
        assert_eq!(
            jumps(5, 8),
            "Sentiment is nervous, with more jumps down than up in two months (8 to 5)"
        );
        assert_eq!(
            jumps(8, 3),
            "Sentiment is restless but its direction is clear, with eight of eleven jumps in two months going up"
        );
    }

    #[test]
    fn a_turn_is_named_by_its_ends() {
        assert_eq!(turn(0.3, 0.7), "a turn from negative to positive");
        assert_eq!(turn(0.7, 0.3), "a turn from positive to negative");
        assert_eq!(turn(0.5, 0.8), "a leap");
        assert_eq!(turn(0.5, 0.4), "a fall");
    }
}
