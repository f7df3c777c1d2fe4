//! What analysts, insiders, institutions and lawmakers do, and what was filed.

use crate::reports::document::Block;
use crate::reports::facts::Facts;
use crate::reports::points::{Point, Theme};
use crate::reports::words::{amount, count, counted, date, foreign, pct};
use crate::view::View;

pub(super) fn points(facts: &Facts) -> Vec<Point> {
    [
        targets(facts),
        ratings(facts),
        insiders(facts),
        holders(facts),
        congress(facts),
    ]
    .into_iter()
    .flatten()
    .map(|(side, weight, clause)| Point::new(Theme::Hands, side, weight, clause))
    .collect()
}

/// Side, weight and clause.
type Found = Option<(f64, f64, String)>;

/// The price compared with analysts' targets.
fn targets(facts: &Facts) -> Found {
    let analysts = facts.of("analysts");
    let number = analysts
        .whole("num_analysts")
        .filter(|number| *number > 0)? as usize;
    let target = analysts.number("avg_target")?;
    let last = facts.series.last()?.close;
    let gap = (target / last - 1.0) * 100.0;
    let who = counted(number, "analyst", "analysts");
    let reach = analysts
        .number("low_target")
        .zip(analysts.number("high_target"));
    let aim = facts.price(target);
    if number == 1 {
        let way = if gap >= 0.0 { "above" } else { "below" };
        return Some((
            gap,
            0.3,
            format!(
                "the one analyst on record aims at {aim}, {} {way} the price",
                pct(gap)
            ),
        ));
    }
    let clause = match (reach, gap) {
        (Some((low, _)), _) if low > last => format!(
            "even the lowest of {who} aims at {}, above the price",
            facts.price(low)
        ),
        (Some((_, high)), _) if high < last => format!(
            "even the highest of {who} aims at {}, below the price",
            facts.price(high)
        ),
        (_, 20.0..) => format!(
            "{who} see {} of room in the price on average, up to {aim}",
            pct(gap)
        ),
        (_, 8.0..) => format!(
            "the average target of {who}, {aim}, leaves {} to gain",
            pct(gap)
        ),
        (Some((low, high)), _) if (high - low) / last > 0.5 => format!(
            "{who} agree on next to nothing, with targets between {} and {}",
            facts.price(low),
            facts.price(high)
        ),
        (_, -3.0..) => {
            format!("{who} think it about fairly priced, with {aim} as their average target")
        }
        (Some((_, high)), ..-15.0) => format!(
            "the price has left the average target of {who}, {aim}, far behind, though the most confident still sees {}",
            facts.price(high)
        ),
        (Some((_, high)), _) if high < last * 1.05 => format!(
            "{who} see the price ahead of itself, with {aim} as their average target and none above {}",
            facts.price(high)
        ),
        (Some((_, high)), _) if high < last * 1.15 => format!(
            "{who} aim {} below the price on average, at {aim}, and the most confident no higher than {}",
            pct(gap),
            facts.price(high)
        ),
        (Some((_, high)), _) => format!(
            "the price has run past its analysts, {who} with an average target of {aim}, though the most confident still sees {}",
            facts.price(high)
        ),
        (None, _) => {
            format!("the price has run past its analysts, {who} with an average target of {aim}")
        }
    };
    Some((gap, (0.25 + gap.abs() / 60.0).min(0.7), clause))
}

/// Who rated it last, and what the ratings say overall.
fn ratings(facts: &Facts) -> Found {
    let all = facts.of("analysts").list("recent_ratings");
    let latest = all.first()?;
    let firm = foreign(latest.text("firm")?, 60);
    let word = latest.text("rating")?.replace('_', " ");
    let on = date(latest.text("date")?);
    let is_buy = |word: &str| {
        let word = word.to_lowercase();
        ["buy", "outperform", "overweight"]
            .iter()
            .any(|one| word.contains(one))
    };
    let is_sell = |word: &str| {
        let word = word.to_lowercase();
        ["sell", "underperform", "underweight"]
            .iter()
            .any(|one| word.contains(one))
    };
    let words: Vec<&str> = all.iter().filter_map(|one| one.text("rating")).collect();
    let (buys, sells) = (
        words.iter().filter(|word| is_buy(word)).count(),
        words.iter().filter(|word| is_sell(word)).count(),
    );
    let days =
        model::Day::parse(latest.text("date")?.get(..10)?).map_or(999, |day| facts.now.since(day));
    if days > 60 {
        return None;
    }
    let fresh = if days <= 14 { 0.2 } else { 0.0 };
    let (side, weight, clause) = match (is_buy(&word), is_sell(&word), buys, sells) {
        (true, _, 1, 1..) => (
            1.0,
            0.5,
            format!("{firm} stands alone with the {word} that it gave it on {on}"),
        ),
        (true, _, buys, 0) if buys == words.len() && buys > 2 => (
            1.0,
            0.45,
            format!(
                "all of the last {} ratings say buy, most recently that of {firm} on {on}",
                count(buys)
            ),
        ),
        (true, ..) => (1.0, 0.3, format!("{firm} rated it a {word} on {on}")),
        (_, true, _, 1) => (
            -1.0,
            0.5,
            format!("{firm} broke ranks with a {word} on {on}"),
        ),
        (_, true, ..) => (
            -1.0,
            0.4,
            format!(
                "{firm} called it a {word} on {on}, as {} of the last {} ratings do",
                count(sells),
                count(words.len())
            ),
        ),
        (_, _, 0, _) => (
            -1.0,
            0.4,
            format!("{firm} did not go beyond a {word} on {on}, like everybody lately"),
        ),
        _ => (0.0, 0.25, format!("{firm} settled for a {word} on {on}")),
    };
    Some((side, weight + fresh, clause))
}

/// Purchases and sales on the open market.
pub(in crate::reports) fn open_market(facts: &Facts) -> (Vec<View<'_>>, Vec<View<'_>>) {
    let trades = facts
        .of("insider")
        .list("insider_trades")
        .into_iter()
        .filter(|one| !one.flag("derivative"));
    let sided = trades.filter(|one| matches!(one.text("transaction_type"), Some("buy" | "sell")));
    sided.partition(|one| one.text("transaction_type") == Some("buy"))
}

fn worth(trades: &[View<'_>]) -> f64 {
    trades.iter().filter_map(|one| one.number("value")).sum()
}

/// What insiders did on the open market.
fn insiders(facts: &Facts) -> Found {
    let (bought, sold) = open_market(facts);
    let people = |trades: &[View<'_>]| -> usize {
        let mut names: Vec<&str> = trades.iter().filter_map(|one| one.text("name")).collect();
        names.sort_unstable();
        names.dedup();
        names.len()
    };
    let largest = |trades: &[View<'_>]| -> Option<(String, String)> {
        let most = trades.iter().max_by(|left, right| {
            let value = |one: &View<'_>| one.number("value").unwrap_or_default();
            value(left).total_cmp(&value(right))
        })?;
        let name = foreign(most.text("name")?, 60);
        let title = most
            .text("title")
            .map(|title| foreign(title, 60))
            .filter(|title| !title.is_empty());
        Some((
            title.map_or_else(|| name.clone(), |title| format!("{name} ({title})")),
            date(most.text("date")?),
        ))
    };
    let (gave, took) = (amount(worth(&bought), "USD"), amount(worth(&sold), "USD"));
    let cap = facts.of("financials").number("market_cap");
    // A ten-thousandth of the company in half a year is a lot for the people who run it.
    let weigh = |value: f64| cap.map_or(0.1, |cap| (value / cap * 3_000.0).min(0.35));
    Some(match (bought.len(), sold.len()) {
        (0, 0) => return None,
        (0, 1) => {
            let (who, on) = largest(&sold)?;
            (
                -1.0,
                0.25 + weigh(worth(&sold)),
                format!("{who} sold shares for {took} on {on}"),
            )
        }
        (0, sales) => {
            let (who, on) = largest(&sold)?;
            let number = people(&sold);
            let seller = if number == 1 {
                format!(
                    "{who} sold shares {} times in half a year, for {took} in all",
                    count(sales)
                )
            } else {
                format!(
                    "{} insiders sold shares for {took} in half a year, {who} the most of them on {on}",
                    count(number)
                )
            };
            (-1.0, 0.3 + weigh(worth(&sold)), seller)
        }
        (1, 0) => {
            let (who, on) = largest(&bought)?;
            (
                1.0,
                0.55 + weigh(worth(&bought)),
                format!("{who} bought shares for {gave} on {on}"),
            )
        }
        (_, 0) => {
            let (who, on) = largest(&bought)?;
            (
                1.0,
                0.6 + weigh(worth(&bought)),
                format!(
                    "{} put {gave} of their own money into it in half a year, {who} the most on {on}",
                    counted(people(&bought), "insider", "insiders")
                ),
            )
        }
        (..) if worth(&bought) > worth(&sold) => {
            let (who, on) = largest(&bought)?;
            (
                1.0,
                0.55,
                format!(
                    "insiders bought for {gave} and sold for {took} in half a year, with {who} as the largest buyer on {on}"
                ),
            )
        }
        (..) => {
            let (who, on) = largest(&bought)?;
            (
                -1.0,
                0.45,
                format!(
                    "insiders sold for {took} in half a year, against the purchases of {gave} that {who} led on {on}"
                ),
            )
        }
    })
}

/// Institutions that increased or cut their holdings.
fn holders(facts: &Facts) -> Found {
    let holders = facts.of("institutions").list("holders");
    let name = |one: &View<'_>| one.text("institution").map(|name| foreign(name, 60));
    let of = date(holders.first()?.text("report_date")?);
    let changes: Vec<(String, f64)> = holders
        .iter()
        .filter_map(|one| Some((name(one)?, one.number("change_pct")?)))
        .collect();
    let (up, down) = (
        changes.iter().filter(|(_, change)| *change > 1.0).count(),
        changes.iter().filter(|(_, change)| *change < -1.0).count(),
    );
    let (who, change) = changes
        .iter()
        .max_by(|left, right| left.1.abs().total_cmp(&right.1.abs()))?;
    // The one with the largest change is named if it is far from ordinary.
    let named = |is_buyer: bool| match change.abs() {
        ..25.0 => (String::new(), String::new()),
        _ if (*change > 0.0) == is_buyer => {
            (format!(", led by {who} ({}),", pct(*change)), String::new())
        }
        _ => {
            let did = if is_buyer {
                "cut its own by"
            } else {
                "raised its own by"
            };
            (
                String::new(),
                format!(", though {who} had {did} {}", pct(*change)),
            )
        }
    };
    let told = |most: usize, least: usize, is_buyer: bool| {
        let (lead, but) = named(is_buyer);
        let (most, does, other, did) = if is_buyer {
            (count(most), "adding to", "cutting", "cut")
        } else {
            (count(most), "cutting", "adding", "added")
        };
        if least == 0 {
            format!(
                "{most} institutions{lead} were {does} their stakes by {of} and none was {other} more than 1%"
            )
        } else {
            let comma = if lead.is_empty() { "," } else { "" };
            format!(
                "institutions were {does} their stakes by {of}{lead}{comma} {most} of them against {} that {did}{but}",
                count(least)
            )
        }
    };
    Some(match (up as i64 - down as i64, *change) {
        (4.., _) => (1.0, 0.5, told(up, down, true)),
        (..=-4, _) => (-1.0, 0.5, told(down, up, false)),
        (_, 50.0..) => (
            1.0,
            0.4,
            format!("{who} had raised its stake by {} by {of}", pct(*change)),
        ),
        (_, 25.0..) => (
            1.0,
            0.3,
            format!("{who} had added {} to its stake by {of}", pct(*change)),
        ),
        (_, ..-50.0) => (
            -1.0,
            0.4,
            format!("{who} had sold {} of its stake by {of}", pct(*change)),
        ),
        (_, ..-25.0) => (
            -1.0,
            0.3,
            format!("{who} had cut its stake by {} by {of}", pct(*change)),
        ),
        _ => return None,
    })
}

/// The latest disclosed trade of a member of Congress.
fn congress(facts: &Facts) -> Found {
    let trades = facts.of("congress").list("trades");
    let latest = trades.first()?;
    let member = foreign(latest.text("member")?, 60);
    let kind = latest
        .text("transaction_type")
        .unwrap_or_default()
        .to_lowercase();
    let range = foreign(latest.text("amount_range")?, 40).replace(" - ", " to ");
    let day = model::Day::parse(latest.text("disclosure_date")?.get(..10)?)?;
    let on = date(latest.text("disclosure_date")?);
    let age = facts.now.since(day);
    let (side, did) = match () {
        () if kind.contains("partial") => (-1.0, "sold part of a holding"),
        () if kind.starts_with('s') => (-1.0, "sold"),
        () if kind.starts_with('p') || kind.starts_with('b') => (1.0, "bought"),
        () => (0.0, "exchanged shares"),
    };
    let more = match trades.len() {
        1 => String::new(),
        20.. => ", the latest of at least twenty such trades on record".to_owned(),
        all => format!(", one of {} such trades on record", count(all)),
    };
    (age <= 365).then(|| {
        (
            side,
            0.35,
            format!("{member} disclosed on {on} having {did} for {range}{more}"),
        )
    })
}

pub(in crate::reports) fn filings(facts: &Facts) -> Option<Block> {
    let filings = facts.of("filings").list("filings");
    let mut rows: Vec<Vec<String>> = Vec::new();
    for one in &filings {
        let (Some(on), Some(form)) = (one.text("filed_date"), one.text("form_type")) else {
            continue;
        };
        let about = one.text("description").filter(|about| *about != form);
        let row = vec![
            date(on),
            form.to_owned(),
            foreign(about.unwrap_or("–"), 100),
        ];
        // Several people may report on one form and day.
        if !rows.contains(&row) && rows.len() < 5 {
            rows.push(row);
        }
    }
    (!rows.is_empty()).then(|| Block::Table {
        caption: "Latest filings".to_owned(),
        head: ["Filed", "Form", "About"].map(str::to_owned).to_vec(),
        rows,
    })
}
