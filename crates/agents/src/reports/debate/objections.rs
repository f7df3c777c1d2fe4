//! Figures that limit an argument. Each speaks against one side or weakens both. The heaviest one that fits the topic
//! is used, and an ordinary figure is not an objection.

use crate::reports::facts::Facts;
use crate::reports::finding::{Finding, Topic};
use crate::reports::words::{count, day, pct, signed};

/// The side it speaks against: 1 for the arguments in favour, −1 for those against, 0 for both. Weight. Clause.
type Objection = Option<(i8, f64, String)>;

/// The heaviest one that has not been used yet.
pub(super) fn objection(facts: &Facts, argument: &Finding, used: &[String]) -> Option<String> {
    let bullish = argument.lean > 0.0;
    let side = if bullish { 1 } else { -1 };
    let found: Vec<Objection> = match argument.topic {
        Topic::Trend
        | Topic::Momentum
        | Topic::Relative
        | Topic::Volume
        | Topic::Return
        | Topic::Recovery
        | Topic::Record => vec![
            years(facts, bullish),
            quarters(facts, bullish),
            fall(facts, bullish),
            swings(facts),
            sessions(facts, bullish),
            tie(facts),
        ],
        Topic::Valuation | Topic::Business | Topic::Balance | Topic::Street | Topic::Insiders => {
            vec![
                since_figures(facts),
                ratio(facts).filter(|_| argument.topic != Topic::Valuation),
                surprises(facts),
                targets(facts, bullish),
                holders(facts),
                margin(facts).filter(|_| argument.topic != Topic::Business),
                debts(facts).filter(|_| argument.topic != Topic::Balance),
                trend(facts),
            ]
        }
        Topic::Mood | Topic::Coverage | Topic::Reaction => vec![
            stories(facts),
            reaction(facts),
            sessions(facts, bullish),
            quarters(facts, bullish),
        ],
        Topic::Rates | Topic::Market => {
            vec![tie(facts), in_a_fall(facts), swings(facts), debts(facts)]
        }
    };
    found
        .into_iter()
        .flatten()
        .filter(|(against, _, text)| (*against == 0 || *against == side) && !used.contains(text))
        .max_by(|left, right| left.1.total_cmp(&right.1))
        .map(|(_, _, text)| text)
}

/// Years that ended on the other side.
fn years(facts: &Facts, bullish: bool) -> Objection {
    let spans = facts.series.windows(facts.year());
    let other = spans.iter().filter(|pct| (**pct > 0.0) != bullish).count();
    let share = other as f64 / spans.len().max(1) as f64 * 100.0;
    let way = if bullish { "loss" } else { "gain" };
    (spans.len() > 100 && share > 25.0).then(|| {
        let clause = match share {
            60.0.. => {
                format!("{share:.0}% of its years on record, most of them, ended with a {way}")
            }
            45.0.. => format!("about as many of its years on record ended with a {way} as not"),
            _ => format!("{share:.0}% of its years on record ended with a {way}"),
        };
        (0, 0.2 + share / 200.0, clause)
    })
}

/// Quarters that went the other way.
fn quarters(facts: &Facts, bullish: bool) -> Objection {
    let spans = facts.series.windows(facts.quarter());
    let other = spans.iter().filter(|pct| (**pct > 0.0) != bullish).count();
    let share = other as f64 / spans.len().max(1) as f64 * 100.0;
    (spans.len() > 100 && share > 40.0).then(|| {
        (
            0,
            share / 160.0,
            format!("{share:.0}% of its quarters on record went the other way"),
        )
    })
}

/// The largest fall on record.
fn fall(facts: &Facts, bullish: bool) -> Objection {
    let fall = facts.series.deepest_fall(facts.series.len())?;
    let (peak, low, depth) = (day(fall.peak_day), day(fall.low_day), pct(fall.pct));
    match (bullish, fall.recovered) {
        (true, ..0.85) => Some((
            1,
            0.35 + (0.85 - fall.recovered) * 0.4,
            format!(
                "of the {depth} that it lost from {peak} on it has won back no more than {:.0}%",
                fall.recovered * 100.0
            ),
        )),
        (true, 1.0..) if fall.pct < -45.0 => Some((
            1,
            0.35,
            format!("it has lost as much as {depth} before, between {peak} and {low}"),
        )),
        (false, 1.0..) => Some((
            -1,
            0.4,
            format!("it has come back from worse, a fall of {depth} between {peak} and {low}"),
        )),
        _ => None,
    }
}

/// Unusual swings.
fn swings(facts: &Facts) -> Objection {
    let now = facts.series.volatility(20, facts.per_year())?;
    match facts.series.volatility_rank(20)? {
        rank @ 0.8.. => Some((
            0,
            0.2 + rank * 0.3,
            format!(
                "swings of {} a year, wilder than {:.0}% of its past, make any such reading unsafe",
                pct(now),
                rank * 100.0
            ),
        )),
        rank @ ..0.2 => Some((
            0,
            0.5 - rank,
            format!("calm as of now ({} a year) has seldom lasted", pct(now)),
        )),
        _ => None,
    }
}

/// The last twenty sessions.
fn sessions(facts: &Facts, bullish: bool) -> Objection {
    let up = facts.series.rising(20);
    match (up, bullish) {
        (14.., true) => Some((
            1,
            0.45,
            format!(
                "{} of the last twenty sessions were gains, which is rarely kept up",
                count(up)
            ),
        )),
        (..=8, true) => Some((
            1,
            0.4,
            format!("only {} of the last twenty sessions were gains", count(up)),
        )),
        (..=6, false) => Some((
            -1,
            0.45,
            format!(
                "{} of the last twenty sessions were losses, which is rarely kept up",
                count(20 - up)
            ),
        )),
        (12.., false) => Some((
            -1,
            0.4,
            format!(
                "{} of the last twenty sessions were gains all the same",
                count(up)
            ),
        )),
        _ => None,
    }
}

/// How much of its daily moves the market explains.
fn tie(facts: &Facts) -> Objection {
    let tie = facts.series.together(&facts.market, facts.year())?;
    let share = tie.correlation * tie.correlation * 100.0;
    match tie.correlation {
        0.75.. => Some((
            0,
            0.45,
            format!("{share:.0}% of its daily variation is the market's, which can turn"),
        )),
        ..0.15 => Some((
            0,
            0.35,
            format!(
                "the market explains next to nothing of its days (correlation {:.2})",
                tie.correlation
            ),
        )),
        _ => None,
    }
}

/// What it did during the market's deepest fall within a year.
fn in_a_fall(facts: &Facts) -> Objection {
    let fall = facts.market.deepest_fall(facts.year())?;
    let (begin, end) = (
        facts.series.close_on_or_before(fall.peak_day)?,
        facts.series.close_on_or_before(fall.low_day)?,
    );
    let own = (end / begin - 1.0) * 100.0;
    let span = format!("between {} and {}", day(fall.peak_day), day(fall.low_day));
    let when = format!("while the market lost {} {span}", pct(fall.pct));
    let both = format!("{} to {}", pct(own), pct(fall.pct));
    match own / fall.pct {
        _ if fall.pct > -3.0 => None,
        3.0.. => Some((
            1,
            0.45,
            format!("it lost more than three times as much as the market {span}, {both}"),
        )),
        2.0.. => Some((
            1,
            0.45,
            format!("it lost more than twice as much as the market {span}, {both}"),
        )),
        1.6.. => Some((1, 0.45, format!("it lost {}, far more, {when}", pct(own)))),
        1.3.. => Some((
            1,
            0.45,
            format!("it fell harder than the market {span}, {both}"),
        )),
        0.95.. => Some((1, 0.35, format!("it lost {} as well {when}", pct(own)))),
        0.7.. => Some((
            1,
            0.35,
            format!("it was not spared, losing {} {when}", pct(own)),
        )),
        ..0.0 => Some((-1, 0.4, format!("it gained {} {when}", pct(own)))),
        ..0.4 => Some((
            -1,
            0.35,
            format!("it lost no more than {} {when}", pct(own)),
        )),
        _ => None,
    }
}

/// The price since the last figures.
fn since_figures(facts: &Facts) -> Objection {
    let end = model::Day::parse(facts.of("financials").text("period_end")?)?;
    let age = facts.now.since(end);
    let moved = (facts.series.last()?.close / facts.series.close_on_or_before(end)? - 1.0) * 100.0;
    match moved {
        8.0.. => Some((
            1,
            0.3 + moved / 80.0,
            format!(
                "the price has risen {} in the {age} days since these figures, so that part of it is paid for",
                pct(moved)
            ),
        )),
        ..-8.0 => Some((
            0,
            0.3 - moved / 80.0,
            format!(
                "the price has fallen {} in the {age} days since these figures",
                pct(moved)
            ),
        )),
        _ => None,
    }
}

fn ratio(facts: &Facts) -> Objection {
    match facts.of("financials").number("pe_ratio")? {
        ratio @ 40.0.. => Some((
            1,
            0.6,
            format!("at {ratio:.0} times earnings all of that and more is in the price"),
        )),
        ratio @ 27.0.. => Some((
            1,
            0.4,
            format!("{ratio:.1} times earnings leave little room for a disappointment"),
        )),
        ratio @ ..13.0 => Some((
            -1,
            0.45,
            format!("at {ratio:.1} times earnings much of that is in the price"),
        )),
        _ => None,
    }
}

fn surprises(facts: &Facts) -> Objection {
    let history = facts.of("whole").list("earnings/surprise_history");
    let all: Vec<f64> = history
        .iter()
        .filter_map(|one| one.number("surprise_pct"))
        .collect();
    let misses = all.iter().filter(|one| **one < 0.0).count();
    match misses {
        _ if all.len() < 4 => None,
        0 => Some((
            -1,
            0.5,
            format!(
                "it has not missed an estimate in {} reports",
                count(all.len())
            ),
        )),
        misses if misses * 3 >= all.len() => Some((
            1,
            0.3 + misses as f64 / all.len() as f64 * 0.5,
            format!(
                "it missed {} of its last {} estimates",
                count(misses),
                count(all.len())
            ),
        )),
        _ => None,
    }
}

fn targets(facts: &Facts, bullish: bool) -> Objection {
    let analysts = facts.of("analysts");
    let (low, high) = (
        analysts.number("low_target")?,
        analysts.number("high_target")?,
    );
    let last = facts.series.last()?.close;
    if bullish && low < last * 0.97 && high > low {
        Some((
            1,
            0.3 + (1.0 - low / last) * 0.8,
            format!(
                "the lowest of the analysts' targets, {}, is below the price",
                facts.price(low)
            ),
        ))
    } else if !bullish && high > last * 1.1 {
        Some((
            -1,
            0.2 + (high / last - 1.0) * 0.5,
            format!("an analyst aims as high as {}", facts.price(high)),
        ))
    } else {
        None
    }
}

fn holders(facts: &Facts) -> Objection {
    let changes: Vec<f64> = facts
        .of("institutions")
        .list("holders")
        .iter()
        .filter_map(|one| one.number("change_pct"))
        .collect();
    let down = changes.iter().filter(|one| **one < -1.0).count();
    let up = changes.iter().filter(|one| **one > 1.0).count();
    match up as i64 - down as i64 {
        2.. => Some((
            -1,
            0.35 + (up - down) as f64 / 40.0,
            match down {
                0 => format!(
                    "no institution cut its stake by more than 1% while {} added to theirs",
                    count(up)
                ),
                _ if up >= 3 * down => format!(
                    "institutions have been buying, {} of them against {} that sold",
                    count(up),
                    count(down)
                ),
                _ => format!(
                    "more institutions added to their stakes than cut them, {} to {}",
                    count(up),
                    count(down)
                ),
            },
        )),
        ..=-2 => Some((
            1,
            0.35 + (down - up) as f64 / 40.0,
            match up {
                0 => format!(
                    "no institution added more than 1% to its stake while {} cut theirs",
                    count(down)
                ),
                _ if down >= 3 * up => format!(
                    "institutions have been selling, {} of them against {} that bought",
                    count(down),
                    count(up)
                ),
                _ => format!(
                    "more institutions cut their stakes than added to them, {} to {}",
                    count(down),
                    count(up)
                ),
            },
        )),
        _ => None,
    }
}

/// What the price itself says about a company.
fn trend(facts: &Facts) -> Objection {
    let mean = facts.of("technicals").number("latest/sma_200")?;
    let gap = (facts.series.last()?.close / mean - 1.0) * 100.0;
    match gap {
        ..-4.0 => Some((
            1,
            0.25 - gap / 80.0,
            format!(
                "the price, {} below its 200-day average, has yet to notice",
                pct(gap)
            ),
        )),
        4.0.. => Some((
            -1,
            0.25 + gap / 80.0,
            format!(
                "the price, {} above its 200-day average, has not minded",
                pct(gap)
            ),
        )),
        _ => None,
    }
}

fn margin(facts: &Facts) -> Objection {
    match facts.of("financials").number("profit_margin")? {
        margin @ ..4.0 => Some((
            1,
            0.45,
            format!(
                "a margin of {} leaves no room for an accident",
                signed(margin)
            ),
        )),
        margin @ 22.0.. => Some((
            -1,
            0.45,
            format!(
                "a company that keeps {} of its revenue can afford a good deal",
                pct(margin)
            ),
        )),
        _ => None,
    }
}

fn debts(facts: &Facts) -> Objection {
    match facts.of("financials").number("debt_to_equity")? {
        debt @ 1.5.. => Some((
            1,
            0.35 + debt / 15.0,
            format!("debt of {debt:.1} times equity comes first"),
        )),
        debt @ 0.0..0.2 => Some((
            -1,
            0.4,
            format!("with debt of {debt:.2} times equity it can wait"),
        )),
        _ => None,
    }
}

fn stories(facts: &Facts) -> Objection {
    let all = facts.briefs.len();
    let single = facts
        .briefs
        .iter()
        .filter(|brief| brief.source_count < 2)
        .count();
    (all > 3 && single * 2 > all).then(|| {
        (
            0,
            0.5,
            format!(
                "{} of the {} stories read have a single source",
                count(single),
                count(all)
            ),
        )
    })
}

fn reaction(facts: &Facts) -> Objection {
    let mean = facts.of("impact").number("summary/avg_impact_1d_pct")?;
    let (side, size) = if mean < 0.0 { (1, -mean) } else { (-1, mean) };
    (size > 0.3).then(|| {
        (
            side,
            0.3 + size / 10.0,
            format!(
                "after its news the next close differed by {} on average",
                signed(mean)
            ),
        )
    })
}
