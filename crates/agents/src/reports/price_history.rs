//! Sentences on the price and its past: where it closed, how usual its moves are, how it compares with the market.

use super::facts::{Facts, Kind, MARKET};
use super::series::Move;
use super::words::{self, capital, count, day, pct, signed};

/// `session` or, for a coin, `day`.
pub(super) fn session(facts: &Facts, number: usize) -> String {
    let (one, many) = if facts.kind == Kind::Coin {
        ("day", "days")
    } else {
        ("session", "sessions")
    };
    words::counted(number, one, many)
}

/// Where it closed.
pub(super) fn closing(facts: &Facts) -> Option<String> {
    let last = facts.series.last()?;
    let age = facts.now.since(last.day);
    if age > 10 {
        return Some(format!(
            "The newest price of {} on record is {} of {}, {age} days old: what follows about it describes that day and not today.",
            facts.name,
            facts.price(last.close),
            day(last.day)
        ));
    }
    let (close, on) = (facts.price(last.close), day(last.day));
    let name = &facts.name;
    let place = if let Some(extreme) = facts.series.extreme() {
        let word = if extreme.is_low { "lower" } else { "higher" };
        match extreme.since {
            None if extreme.sessions >= 60 => format!(
                "{name} closed at {close} on {on}, {word} than in any of the {} before it on record here",
                session(facts, extreme.sessions)
            ),
            None => format!(
                "{name} has been priced here for only {} and closed at the {} of them, {close}, on {on}",
                session(facts, extreme.sessions + 1),
                if extreme.is_low { "lowest" } else { "highest" }
            ),
            Some(since) if extreme.sessions >= 120 => format!(
                "At {close} on {on}, {name} is back where it had not closed since {}: {} than in {}",
                day(since),
                word,
                session(facts, extreme.sessions)
            ),
            Some(since) if extreme.sessions >= 45 => format!(
                "The close of {on}, {close}, is the {} for {name} since {}",
                if extreme.is_low { "weakest" } else { "best" },
                day(since)
            ),
            Some(since) => format!(
                "{name} finished {on} at {close}, {} it has been since {}",
                if extreme.is_low {
                    "as low as"
                } else {
                    "as high as"
                },
                day(since)
            ),
        }
    } else {
        let (place, low, high) = facts.series.place_in_range(facts.year())?;
        let range = format!(
            "the {} to {} of the past year",
            facts.price(low),
            facts.price(high)
        );
        match place {
            ..0.1 => {
                format!("At {close} on {on}, {name} sits on the floor of its range, {range}")
            }
            ..0.3 => format!("{name} closed at {close} on {on}, low within {range}"),
            ..0.45 => {
                format!("{name} stood at {close} on {on}, somewhat below the middle of {range}")
            }
            ..0.55 => format!(
                "The {close} of {on} puts {name} halfway between the extremes of its year, {range}"
            ),
            ..0.7 => {
                format!("{name} ended {on} at {close}, a little above the middle of {range}")
            }
            ..0.8 => format!("{name} closed at {close} on {on}, in the upper third of {range}"),
            ..0.9 => format!("{name} closed at {close} on {on}, well up in {range}"),
            _ => format!("With {close} on {on}, {name} is within a step of the top of {range}"),
        }
    };
    let streak = facts.series.streak();
    let rising = facts.series.rising(10);
    let recent = match (streak, rising) {
        (5.., _) => format!(
            ", after {} up without a break",
            session(facts, streak.unsigned_abs() as usize)
        ),
        (3..=4, _) => format!(
            ", {} in a row higher",
            session(facts, streak.unsigned_abs() as usize)
        ),
        (..=-5, _) => format!(
            ", after {} of uninterrupted losses",
            session(facts, streak.unsigned_abs() as usize)
        ),
        (-4..=-3, _) => format!(
            ", its {} fall running",
            ordinal(streak.unsigned_abs() as usize)
        ),
        (_, 7..) => format!(
            "; {} of the last ten {} were gains",
            count(rising),
            plural(facts)
        ),
        (_, ..=3) => format!(
            "; only {} of the last ten {} brought a gain",
            count(rising),
            plural(facts)
        ),
        _ => ages(facts),
    };
    Some(format!("{place}{recent}."))
}

/// When the year's high and low were, and how far they are.
fn ages(facts: &Facts) -> String {
    let Some(((high, top, since_top), (low, bottom, since_bottom))) =
        facts.series.extremes(facts.year())
    else {
        return String::new();
    };
    let Some(last) = facts.series.last().map(|bar| bar.close) else {
        return String::new();
    };
    let (under, over) = (
        pct((last / high - 1.0) * 100.0),
        pct((last / low - 1.0) * 100.0),
    );
    let (top, bottom) = (day(top), day(bottom));
    match (since_top, since_bottom) {
        (..=10, _) => format!(
            "; the best close of the year is only {} old and {under} away",
            session(facts, since_top)
        ),
        (_, ..=10) => format!(
            "; the worst close of the year is only {} old, and {over} has been won back",
            session(facts, since_bottom)
        ),
        (11..=45, 150..) => format!(
            "; it has slipped {under} since the year's best close on {top} and keeps {over} of what it made since {bottom}"
        ),
        (11..=45, _) => {
            format!("; the year's best close ({top}) is {under} away, the worst ({bottom}) {over}")
        }
        (150.., 11..=60) => format!(
            "; it has come {over} off the low of {bottom}, with {under} still missing to the high of {top}"
        ),
        (150.., 150..) => format!(
            "; both extremes are long past, the high of {top} {under} above and the low of {bottom} {over} below"
        ),
        (high, low) if high < low => format!(
            "; {under} has been lost since the best close of the year on {top}, against {over} gained since the worst on {bottom}"
        ),
        _ => format!(
            "; since the worst close of the year on {bottom} it has gained {over}, which leaves {under} to the best, of {top}"
        ),
    }
}

fn plural(facts: &Facts) -> &'static str {
    if facts.kind == Kind::Coin {
        "days"
    } else {
        "sessions"
    }
}

fn ordinal(number: usize) -> &'static str {
    ["first", "second", "third", "fourth", "fifth"][number.clamp(1, 5) - 1]
}

/// A stretch of time and how far the price moved in it.
struct Span {
    words: &'static str,
    moved: Move,
    /// Too small to be a direction.
    is_flat: bool,
}

fn spans(facts: &Facts) -> Vec<Span> {
    let daily = facts.series.volatility(60, 1.0).unwrap_or(1.5);
    [
        ("week", facts.week()),
        ("month", facts.month()),
        ("quarter", facts.quarter()),
        ("year", facts.year()),
    ]
    .into_iter()
    .filter_map(|(words, sessions)| {
        let moved = facts.series.over(sessions)?;
        Some(Span {
            words,
            is_flat: moved.pct.abs() < 0.35 * daily * (sessions as f64).sqrt(),
            moved,
        })
    })
    .collect()
}

/// How it moved over several spans, and whether that is usual.
pub(super) fn moves(facts: &Facts) -> Option<String> {
    let spans = spans(facts);
    let of = |words: &str| spans.iter().find(|span| span.words == words);
    let way = |words: &str| {
        of(words).map_or(0, |span| {
            if span.is_flat {
                0
            } else {
                span.moved.pct.signum() as i32
            }
        })
    };
    let by = |words: &str| of(words).map_or_else(String::new, |span| signed(span.moved.pct));
    let size = |words: &str| of(words).map_or_else(String::new, |span| pct(span.moved.pct));
    let from = |words: &str| of(words).map_or_else(String::new, |span| day(span.moved.from_day));
    if spans.len() < 2 {
        return None;
    }
    let text = match (way("week"), way("month"), way("quarter"), way("year")) {
        (_, 1, 1, 1) => format!(
            "The rise holds over every longer span: {} in a month, {} in a quarter and {} since {}",
            by("month"),
            by("quarter"),
            by("year"),
            from("year")
        ),
        (_, -1, -1, -1) => format!(
            "The fall runs through every longer span: {} in a month, {} in a quarter, {} since {}",
            by("month"),
            by("quarter"),
            by("year"),
            from("year")
        ),
        (-1, _, 1, 1) => format!(
            "The past week took {}, against {} over the quarter and {} over the year",
            size("week"),
            by("quarter"),
            by("year")
        ),
        (1, _, -1, -1) => format!(
            "The week's {} interrupts a decline of {} over the quarter and {} over the year",
            by("week"),
            by("quarter"),
            by("year")
        ),
        (_, -1, 1, _) => format!(
            "Since {} it has given up {}, although the quarter as a whole still shows {}",
            from("month"),
            size("month"),
            by("quarter")
        ),
        (_, 1, -1, _) => format!(
            "The month's {} wins back part of a quarter that still stands at {}",
            by("month"),
            by("quarter")
        ),
        (_, 1, 0, _) => format!(
            "A gain of {} since {} only brings the quarter back to about where it began ({})",
            by("month"),
            from("month"),
            by("quarter")
        ),
        (_, -1, 0, _) => format!(
            "The month cost {} and cancels what the two before it had earned: the quarter comes to {}",
            size("month"),
            by("quarter")
        ),
        (_, _, 1, -1) => format!(
            "The quarter's {} is a turn within a year that is still down, {} since {}",
            by("quarter"),
            by("year"),
            from("year")
        ),
        (_, _, -1, 1) => format!(
            "The last quarter has taken back {} of a year that had been good: {} remain since {}",
            size("quarter"),
            by("year"),
            from("year")
        ),
        (_, 0, 1, _) => format!(
            "The quarter's gain of {} was made before {}; the month since then has gone nowhere ({})",
            by("quarter"),
            from("month"),
            by("month")
        ),
        (_, 0, -1, _) => format!(
            "The quarter's loss of {} had come to a halt by {}: the month since then shows {}",
            by("quarter"),
            from("month"),
            by("month")
        ),
        (_, _, 0, 1) => format!(
            "The year's gain of {} is old: the last quarter added next to nothing ({})",
            by("year"),
            by("quarter")
        ),
        (_, _, 0, -1) => format!(
            "Most of the year's {} lies back; over the last quarter it has held its ground ({})",
            by("year"),
            by("quarter")
        ),
        (_, 1, _, _) => format!(
            "Over the month it is up {}, over the quarter {}",
            by("month"),
            by("quarter")
        ),
        (_, -1, _, _) => format!(
            "Over the month it is down {}, over the quarter {}",
            by("month").trim_start_matches('−'),
            by("quarter")
        ),
        _ => format!(
            "No span shows a clear direction: {} over the month, {} over the quarter{}",
            by("month"),
            by("quarter"),
            of("year").map_or_else(String::new, |span| format!(
                ", {} over the year",
                signed(span.moved.pct)
            ))
        ),
    };
    Some(format!("{text}{}.", usual(facts, &spans)))
}

/// How usual the most unusual of these moves is by its own past.
fn usual(facts: &Facts, spans: &[Span]) -> String {
    let ranked = spans
        .iter()
        .filter_map(|span| Some((span, span.moved.rank?)));
    let Some((span, rank)) =
        ranked.max_by(|left, right| (left.1 - 0.5).abs().total_cmp(&(right.1 - 0.5).abs()))
    else {
        return String::new();
    };
    let since = facts.series.first_day().map(day).unwrap_or_default();
    let windows = span.moved.windows;
    let share = |part: f64| {
        if part < 0.005 {
            "none".to_owned()
        } else {
            format!("{:.0}%", part * 100.0)
        }
    };
    match rank {
        ..0.03 => format!(
            "; of the {windows} stretches of a {} since {since}, {} were worse",
            span.words,
            share(rank)
        ),
        ..0.12 => format!(
            "; that {} belongs to the poorest tenth or so of its kind since {since}",
            span.words
        ),
        ..0.25 => format!(
            "; for a {}, {} is weaker than three in four since {since}",
            span.words,
            signed(span.moved.pct)
        ),
        0.97.. => format!(
            "; of the {windows} stretches of a {} since {since}, {} were better",
            span.words,
            share(1.0 - rank)
        ),
        0.88.. => format!(
            "; that {} ranks among the best tenth or so since {since}",
            span.words
        ),
        0.75.. => format!(
            "; for a {}, {} is more than three in four since {since} brought",
            span.words,
            signed(span.moved.pct)
        ),
        _ => format!(
            ", and none of it is unusual by the {} on record",
            session(facts, facts.series.len())
        ),
    }
}

/// How it compares with the market.
pub(super) fn against_market(facts: &Facts) -> Option<String> {
    if facts.ticker == MARKET || facts.market.len() < 100 {
        return None;
    }
    let own = facts.series.over(facts.quarter())?;
    let base = facts.market.close_on_or_before(own.from_day)?;
    let market = (facts.market.last()?.close / base - 1.0) * 100.0;
    let gap = own.pct - market;
    let (mine, theirs) = (signed(own.pct), signed(market));
    let points = format!("{:.1} points", gap.abs());
    let since = day(own.from_day);
    let text = match (own.pct >= 0.0, market >= 0.0, gap) {
        (_, _, -1.5..1.5) => format!(
            "Since {since} it has kept pace with the market, {mine} beside {theirs} for {MARKET}"
        ),
        (true, true, 12.0..) => format!(
            "Since {since} it has left the market far behind: {mine}, where {MARKET} made {theirs}"
        ),
        (true, true, 0.0..) => format!(
            "It has beaten a rising market by {points} since {since} ({mine} against {theirs})"
        ),
        (true, true, _) => format!(
            "It rose less than the market: {mine} since {since}, {points} short of {MARKET}"
        ),
        (true, false, _) => format!(
            "It gained {mine} since {since} while the market lost ground ({MARKET} {theirs})"
        ),
        (false, true, ..-15.0) => format!(
            "None of the market's {theirs} since {since} reached it: it stands {points} behind, at {mine}"
        ),
        (false, true, -4.0..) => format!(
            "It slipped {} since {since} beside a market that made {theirs}",
            pct(own.pct)
        ),
        (false, true, _) => format!(
            "While {MARKET} made {theirs} since {since}, it lost {}, so the weakness is its own",
            pct(own.pct)
        ),
        (false, false, 0.0..) => {
            format!("It fell less than the market since {since}, {mine} against {theirs}")
        }
        (false, false, _) => format!(
            "It fell further than a falling market: {mine} since {since}, {points} more than {MARKET}"
        ),
    };
    let together = facts.series.together(&facts.market, facts.year());
    let sides = facts.series.captures(&facts.market, facts.year()).map_or_else(String::new, |(up, down)| match (up - down, down) {
        (0.25.., ..0.0) => ", and it tends to rise on the market's bad days".to_owned(),
        (0.25.., _) => format!(", with more of the good days ({up:.1} times) than of the bad ones ({down:.1} times)"),
        (..-0.25, _) => format!(", with more of the bad days ({down:.1} times) than of the good ones ({up:.1} times)"),
        (_, 1.3..) => format!(", on bad days as on good ones (about {down:.1} times)"),
        (_, ..0.35) => format!(", taking {up:.1} of its good days and {down:.1} of its bad ones"),
        (_, ..0.75) => format!(", damped on good days ({up:.1} times) and on bad ones ({down:.1} times)"),
        _ => format!(", as far up as down ({up:.1} and {down:.1} times)"),
    });
    let tie = together.map_or_else(String::new, |together| {
        let (correlation, beta) = (together.correlation, together.beta);
        match (correlation, beta) {
            (0.75.., _) => format!("; its days follow those of the market closely (correlation {correlation:.2}, {beta:.1} times their size)"),
            (0.5.., 1.3..) => format!("; day by day it swings {beta:.1} times as far as the market, with which it shares a correlation of {correlation:.2}"),
            (0.5.., _) => format!("; about {:.0}% of its daily variation goes with the market's (correlation {correlation:.2})", correlation * correlation * 100.0),
            (0.25.., _) => format!("; the market explains little of its days (correlation {correlation:.2})"),
            (-0.1.., _) => format!("; from day to day it has hardly anything to do with the market (correlation {correlation:.2})"),
            _ => format!("; it tends to move against the market (correlation {correlation:.2})"),
        }
    });
    Some(format!("{text}{tie}{sides}."))
}

/// The largest day of the quarter and what became of it.
pub(super) fn largest_day(facts: &mut Facts) -> Option<super::document::Sentence> {
    let largest = facts.series.largest_day(facts.quarter())?;
    let last = facts.series.last()?.close;
    let size = signed(largest.pct);
    let on = day(largest.day);
    let volume = match largest.volume_times {
        Some(times @ 2.0..) => format!(" on {times:.1} times the usual volume"),
        Some(times @ 1.25..) => format!(" on raised volume ({times:.1} times the average)"),
        Some(..0.8) => " on thin trading".to_owned(),
        _ => String::new(),
    };
    let back = (last / largest.before - 1.0) * 100.0;
    let daily = facts.series.volatility(60, 1.0).unwrap_or(1.5).max(0.05);
    let days_ago = facts.day().map_or(0, |today| today.since(largest.day));
    let is_big = largest.pct.abs() > 3.0 * daily || largest.pct.abs() > 9.0;
    let opening = match (is_big, largest.pct > 0.0) {
        (true, true) => format!("One day stands out, {on}, with {size}{volume}"),
        (true, false) => format!("The break of the quarter was {on}: {size}{volume}"),
        (false, true) if days_ago < 15 => {
            format!("The best day of the quarter is recent, {on}, with {size}{volume}")
        }
        (false, true) if days_ago < 50 => {
            format!("The best the quarter offered was {on}, {size}{volume}")
        }
        (false, true) => format!("The quarter had its best day early, on {on}: {size}{volume}"),
        (false, false) => format!(
            "No day of the quarter was dramatic; the sharpest, {on}, brought {size}{volume}"
        ),
    };
    let is_last = Some(largest.day) == facts.day();
    let aftermath: String = match (largest.pct > 0.0, back, back / largest.pct) {
        _ if is_last => ", and it was the latest one".to_owned(),
        (true, ..0.0, _) => format!(
            "; all of it is gone, the price stands {} below where that day began",
            pct(back)
        ),
        (true, _, ..0.6) => format!(
            "; part of it has been given back, {} are left",
            signed(back)
        ),
        (true, _, ..1.4) => "; the price has held that level since".to_owned(),
        (true, ..) => format!(
            "; it has gone on to {} from where that day began",
            signed(back)
        ),
        (false, 0.0.., _) => format!(
            "; the loss has since been made good, with {} to spare",
            pct(back)
        ),
        (false, _, ..0.6) => format!(
            "; more than a third of it has been recovered, {} remain",
            signed(back)
        ),
        (false, _, ..1.4) => "; nothing of note has been recovered since".to_owned(),
        (false, ..) => format!(
            "; it did not stop there and now stands {} from where that day began",
            signed(back)
        ),
    };
    let without = facts.series.over(facts.quarter()).map(|quarter| {
        let rest = ((1.0 + quarter.pct / 100.0) / (1.0 + largest.pct / 100.0) - 1.0) * 100.0;
        (quarter.pct, rest)
    });
    let aftermath = match without {
        Some((quarter, rest)) if quarter * rest < 0.0 && quarter.abs().max(rest.abs()) > 1.0 => {
            format!(
                "{aftermath}; that day decided the quarter, which without it would stand at {}",
                signed(rest)
            )
        }
        Some((quarter, rest))
            if (quarter - rest).abs() > quarter.abs() * 0.6 && quarter * largest.pct > 0.0 =>
        {
            format!(
                "{aftermath}; without that day the quarter would come to {}",
                signed(rest)
            )
        }
        _ => aftermath,
    };
    let mut sentence = super::document::Sentence::from(format!("{opening}{aftermath}."));
    // What was published on that day or the day before, where coverage reaches that far.
    let before = largest.day.plus(-1).to_string();
    let on = largest.day.to_string();
    let near = |time: &str| {
        time.get(..10)
            .is_some_and(|date| date == on || date == before)
    };
    let side = |sentiment: f64| (sentiment - 0.5) * largest.pct > 0.0;
    let cause = facts.briefs.iter().find(|brief| {
        brief.role == "subject" && near(&brief.published_at) && side(brief.sentiment)
    });
    if let Some(brief) = cause.cloned() {
        sentence.cites = facts.cite_brief(&brief);
        let headline = words::foreign(&brief.headline, 110);
        sentence.text =
            format!("{opening}, in the hours around the report “{headline}”{aftermath}.");
    }
    Some(sentence)
}

/// How far it swings, and the deepest fall of the year.
pub(super) fn risk(facts: &Facts) -> Option<String> {
    let per_year = facts.per_year();
    let now = facts.series.volatility(20, per_year)?;
    let year = facts.series.volatility(
        facts.year().min(facts.series.len().saturating_sub(1)),
        per_year,
    )?;
    let rank = facts.series.volatility_rank(20).unwrap_or(0.5);
    let (shown, usual) = (pct(now), pct(year));
    let text = match (now / year.max(0.01), rank) {
        (..0.7, ..0.15) => format!(
            "It is rarely this quiet: annualised swings of {shown} over a month, against {usual} for the year"
        ),
        (..0.75, _) => format!(
            "Swings have narrowed to {shown} a year, from the {usual} of the past twelve months"
        ),
        (1.4.., 0.85..) => format!(
            "It is unusually restless, with annualised swings of {shown} in a month after {usual} over the year"
        ),
        (1.25.., _) => format!(
            "Swings have widened to {shown} a year, above the {usual} of the past twelve months"
        ),
        (_, ..0.25) => format!(
            "Volatility is low by its own past, {shown} annualised for the month and {usual} for the year"
        ),
        (_, 0.75..) => format!(
            "Volatility is high by its own past, {shown} annualised for the month and {usual} for the year"
        ),
        _ => {
            format!("Volatility is where it usually is ({shown} annualised, {usual} over the year)")
        }
    };
    let fall = facts.series.deepest_fall(facts.year()).map_or_else(String::new, |fall| {
        let (peak, low, depth) = (day(fall.peak_day), day(fall.low_day), pct(fall.pct));
        match (fall.recovered, Some(fall.low_day) == facts.day()) {
            (_, true) => format!("; measured from {peak} it is {depth} down, the deepest point of the year's worst fall"),
            (1.0.., _) => format!("; the worst fall of the year, {depth} from {peak} to {low}, has been made up"),
            (0.6.., _) => format!("; {:.0}% of the year's worst fall ({depth} between {peak} and {low}) has been recovered", fall.recovered * 100.0),
            (0.25.., _) => format!("; from the low of {low}, {depth} under the peak of {peak}, it has come back {:.0}% of the way", fall.recovered * 100.0),
            _ => format!("; it remains close to the {} of {low} that ended a fall of {depth} from {peak}", facts.price(fall.low)),
        }
    });
    Some(format!("{text}{fall}."))
}

/// What volume says.
pub(super) fn volume(facts: &Facts) -> Option<String> {
    let shift = facts.series.volume_shift(20, 60)?;
    let rises = facts.series.volume_of_rises(facts.quarter())?;
    let busiest = facts.series.busiest_day(facts.quarter())?;
    if (0.92..1.08).contains(&shift) && (0.95..1.05).contains(&rises) {
        return None;
    }
    let change = signed((shift - 1.0) * 100.0);
    let text = match shift {
        ..0.75 => format!(
            "Interest has faded: a month's average volume is {change} against the three months before"
        ),
        ..0.92 => format!("Somewhat less is traded than before ({change} in average volume)"),
        ..1.08 => "Turnover is steady".to_owned(),
        ..1.35 => format!("Turnover has picked up, {change} against the three months before"),
        _ => format!(
            "Far more changes hands than before: average volume is {change} against the previous three months"
        ),
    };
    let side = match rises {
        1.15.. => format!(
            "; rising days draw {rises:.2} times the volume of falling ones, which speaks for buyers"
        ),
        1.05.. => format!("; rises carry slightly more volume than falls (ratio {rises:.2})"),
        ..0.87 => {
            format!("; falling days are the busy ones, rises reach only {rises:.2} of their volume")
        }
        ..0.95 => format!("; falls carry slightly more volume than rises (ratio {rises:.2})"),
        _ => "; rises and falls are equally busy".to_owned(),
    };
    let (on, size) = (day(busiest.day), signed(busiest.pct));
    let peak = match (busiest.pct, busiest.volume_times) {
        (1.5.., _) => format!(", and the most was traded on a day of gains ({on}, {size})"),
        (..-1.5, _) => format!(", and the most was traded on a day of losses ({on}, {size})"),
        (_, Some(times @ 1.6..)) => format!(
            ", and the peak of {on}, {times:.1} times the average, left the price almost where it was"
        ),
        _ => String::new(),
    };
    Some(format!("{text}{side}{peak}."))
}

/// The first letter large, where a clause begins a sentence.
pub(super) fn begun(clause: &str) -> String {
    capital(clause)
}
