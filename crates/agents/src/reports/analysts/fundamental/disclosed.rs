//! What analysts, insiders, institutions and lawmakers do, and what was filed.

use crate::reports::document::Block;
use crate::reports::facts::Facts;
use crate::reports::words::{amount, capital, count, counted, date, foreign, pct};
use crate::view::View;

pub(in crate::reports) fn street(facts: &Facts) -> Option<String> {
    let analysts = facts.of("analysts");
    let (number_of, target) = (
        analysts.whole("num_analysts")? as usize,
        analysts.number("avg_target")?,
    );
    if number_of == 0 {
        return None;
    }
    let last = facts.series.last()?.close;
    let gap = (target / last - 1.0) * 100.0;
    let consensus = analysts
        .text("consensus")
        .unwrap_or("mixed")
        .replace('_', " ");
    let who = counted(number_of, "analyst", "analysts");
    let target = facts.price(target);
    let text = match gap {
        25.0.. => format!(
            "{} see {target} on average, {} more than the price: either the market or they are wrong by a wide margin (consensus {consensus})",
            capital(&who),
            pct(gap)
        ),
        8.0.. => format!(
            "The average target of {who}, {target}, leaves {} to gain; they call it a {consensus}",
            pct(gap)
        ),
        -3.0..8.0 => format!(
            "{} think it about fairly priced, with an average target of {target} and {consensus} as consensus",
            capital(&who)
        ),
        _ => format!(
            "The price has run past its analysts: {who} put it at {target}, {} lower (consensus {consensus})",
            pct(gap)
        ),
    };
    let spread = analysts
        .number("high_target")
        .zip(analysts.number("low_target"))
        .map_or_else(String::new, |(high, low)| {
            let width = (high - low) / last * 100.0;
            let (low, high) = (facts.price(low), facts.price(high));
            match width {
                60.0.. => format!("; between {low} and {high} they agree on next to nothing"),
                25.0.. => format!("; single targets run from {low} to {high}"),
                _ => format!("; they stand close together, {low} to {high}"),
            }
        });
    let latest = analysts.list("recent_ratings").first().and_then(|one| {
        let firm = foreign(one.text("firm")?, 60);
        let rating = one.text("rating").unwrap_or("a rating").replace('_', " ");
        Some(format!(
            "; the latest word is {firm}'s {rating} of {}",
            date(one.text("date")?)
        ))
    });
    let ratings: Vec<String> = analysts
        .list("recent_ratings")
        .iter()
        .filter_map(|one| Some(one.text("rating")?.to_lowercase()))
        .collect();
    let buys = ratings
        .iter()
        .filter(|one| {
            one.contains("buy") || one.contains("outperform") || one.contains("overweight")
        })
        .count();
    let share = buys as f64 / ratings.len().max(1) as f64;
    let leaning = match (ratings.len(), share) {
        (..3, _) => String::new(),
        (all, 0.75..) => format!(
            "; {} of the last {} ratings say buy",
            count(buys),
            count(all)
        ),
        (all, _) if buys == 0 => format!("; none of the last {} ratings says buy", count(all)),
        (all, ..0.25) => format!(
            "; no more than {} of the last {} ratings say buy",
            count(buys),
            count(all)
        ),
        (all, _) => format!("; the last {} ratings are divided", count(all)),
    };
    Some(format!(
        "{text}{spread}{leaning}{}.",
        latest.unwrap_or_default()
    ))
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

pub(in crate::reports) fn insiders(facts: &Facts) -> Option<String> {
    let (bought, sold) = open_market(facts);
    let all = facts.of("insider").list("insider_trades").len();
    if all == 0 {
        return None;
    }
    let worth = |trades: &[View<'_>]| {
        trades
            .iter()
            .filter_map(|one| one.number("value"))
            .sum::<f64>()
    };
    let largest = |trades: &[View<'_>]| -> Option<String> {
        let most = trades.iter().max_by(|left, right| {
            let value = |one: &View<'_>| one.number("value").unwrap_or_default();
            value(left).total_cmp(&value(right))
        })?;
        let name = foreign(most.text("name")?, 60);
        let title = most
            .text("title")
            .map(|title| foreign(title, 60))
            .filter(|title| !title.is_empty());
        let who = title.map_or_else(|| name.clone(), |title| format!("{name} ({title})"));
        Some(format!(
            "{who}, {} on {}",
            amount(most.number("value")?, "USD"),
            date(most.text("date")?)
        ))
    };
    let names = |trades: &[View<'_>]| -> usize {
        let mut names: Vec<&str> = trades.iter().filter_map(|one| one.text("name")).collect();
        names.sort_unstable();
        names.dedup();
        names.len()
    };
    let text = match (bought.len(), sold.len()) {
        (0, 0) => format!(
            "{} of insiders in half a year were awards, exercises and the like; nobody traded on the open market",
            capital(&counted(all, "filing", "filings"))
        ),
        (0, sales) => format!(
            "Insiders only sold in the past half year, {} for {} in all{}",
            counted(sales, "time", "times"),
            amount(worth(&sold), "USD"),
            largest(&sold).map_or_else(String::new, |largest| format!(
                ", the largest sale by {largest}"
            ))
        ),
        (buys, 0) => format!(
            "Insiders only bought in the past half year: {} by {}, worth {}{}",
            counted(buys, "purchase", "purchases"),
            counted(names(&bought), "person", "people"),
            amount(worth(&bought), "USD"),
            largest(&bought).map_or_else(String::new, |largest| format!(", above all {largest}"))
        ),
        (buys, sales) if worth(&bought) > worth(&sold) => format!(
            "Insiders put in more than they took out, {} against {} ({} and {}){}",
            amount(worth(&bought), "USD"),
            amount(worth(&sold), "USD"),
            counted(buys, "purchase", "purchases"),
            counted(sales, "sale", "sales"),
            largest(&bought).map_or_else(String::new, |largest| format!(
                "; the largest purchase came from {largest}"
            ))
        ),
        (buys, sales) => format!(
            "Insiders sold more than they bought, {} against {} ({} and {}){}",
            amount(worth(&sold), "USD"),
            amount(worth(&bought), "USD"),
            counted(sales, "sale", "sales"),
            counted(buys, "purchase", "purchases"),
            largest(&sold).map_or_else(String::new, |largest| format!(
                "; the largest sale came from {largest}"
            ))
        ),
    };
    Some(format!("{text}."))
}

pub(in crate::reports) fn holders(facts: &Facts) -> Option<String> {
    let holders = facts.of("institutions").list("holders");
    let name = |one: &View<'_>| one.text("institution").map(|name| foreign(name, 60));
    let first = holders.first()?;
    let of = date(first.text("report_date")?);
    let changes: Vec<(String, f64)> = holders
        .iter()
        .filter_map(|one| Some((name(one)?, one.number("change_pct")?)))
        .collect();
    let (up, down) = (
        changes.iter().filter(|(_, change)| *change > 1.0).count(),
        changes.iter().filter(|(_, change)| *change < -1.0).count(),
    );
    let is_split = (up as i64 - down as i64).abs() < 3;
    let strongest = changes
        .iter()
        .max_by(|left, right| left.1.abs().total_cmp(&right.1.abs()));
    let largest = format!(
        "{}, {}",
        name(first)?,
        amount(first.number("value")?, "USD")
    );
    let text = match up as i64 - down as i64 {
        3.. => format!(
            "Among institutions more added than cut by {of} ({} to {}); the largest holder is {largest}",
            count(up),
            count(down)
        ),
        ..=-3 => format!(
            "Institutions were leaving by {of}: {} cut and {} added; the largest that remains is {largest}",
            count(down),
            count(up)
        ),
        _ if changes.is_empty() => {
            format!("The largest institutional holder on record is {largest} ({of})")
        }
        _ => format!(
            "Institutions were of two minds by {of}, {} adding and {} cutting, with {largest} in front",
            count(up),
            count(down)
        ),
    };
    let move_of = strongest
        .filter(|(_, change)| change.abs() >= 25.0)
        .map_or_else(String::new, |(who, change)| {
            if *change > 0.0 {
                format!("; {who} raised its stake by {}", pct(*change))
            } else {
                format!("; {who} reduced its stake by {}", pct(*change))
            }
        });
    // Adding and cutting in equal parts is no news.
    (!is_split || !move_of.is_empty() || changes.is_empty()).then(|| format!("{text}{move_of}."))
}

pub(in crate::reports) fn congress(facts: &Facts) -> Option<String> {
    let trades = facts.of("congress").list("trades");
    let latest = trades.first()?;
    let member = foreign(latest.text("member")?, 60);
    let kind = latest
        .text("transaction_type")
        .unwrap_or("trade")
        .replace('_', " ");
    let range = foreign(latest.text("amount_range")?, 40);
    let on = date(latest.text("disclosure_date")?);
    let others = trades.len() - 1;
    Some(match others {
        0 => format!("One member of Congress disclosed a trade: {member}, {kind}, {range} ({on})."),
        _ => format!(
            "Members of Congress disclosed {} trades in it, most recently {member} ({kind}, {range}, {on}).",
            count(others + 1)
        ),
    })
}

pub(in crate::reports) fn filings(facts: &Facts) -> Option<Block> {
    let filings = facts.of("filings").list("filings");
    let rows: Vec<Vec<String>> = filings
        .iter()
        .take(5)
        .filter_map(|one| {
            Some(vec![
                date(one.text("filed_date")?),
                one.text("form_type")?.to_owned(),
                foreign(one.text("description").unwrap_or_default(), 100),
            ])
        })
        .collect();
    (!rows.is_empty()).then(|| Block::Table {
        caption: "Latest filings".to_owned(),
        head: ["Filed", "Form", "About"].map(str::to_owned).to_vec(),
        rows,
    })
}
