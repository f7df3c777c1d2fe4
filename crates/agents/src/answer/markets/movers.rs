//! Writes about the shares that rose and fell most, and about sectors by their shares.

use query::Intent;

use super::LISTED;
use crate::answer::disclosures::table;
use crate::answer::{OPEN, Page, Sheet};
use crate::figures;
use crate::figures::{change, count, day, money, quoted, sentence};
use crate::view::View;

pub(super) fn movers(page: &Page<'_>, sheet: &mut Sheet) {
    let Some(movers) = page.get("movers") else {
        return;
    };
    let named = |list: &str, most: usize| -> Vec<String> {
        let moved = |one: &View<'_>| {
            Some(format!(
                "{} {}",
                one.text("symbol")?,
                change(one.number("change_pct")?)
            ))
        };
        movers
            .list(list)
            .iter()
            .filter_map(moved)
            .take(most)
            .collect()
    };
    if !page.wants(Intent::Movers) {
        if page.wants(Intent::Sectors) {
            return;
        }
        let (up, down) = (named("gainers", 3), named("losers", 3));
        if !up.is_empty() || !down.is_empty() {
            let of_market = page.get("market").map(|market| market.list("indices"));
            let newest = of_market
                .into_iter()
                .flatten()
                .filter_map(|index| index.text("date"))
                .max();
            // Share prices may be older than index levels.
            let session = movers.text("date").filter(|date| Some(*date) != newest);
            sheet.lead(format!(
                "{}: {}. Most down: {}.",
                session.map_or_else(
                    || "Most up".to_owned(),
                    |date| format!("In the session of {}, most up", day(date))
                ),
                up.join(", "),
                down.join(", ")
            ));
        }
        return;
    }
    let question = page.reading.question.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| question.contains(word));
    let is_up = page.reading.is_up;
    let asks_down = is_up == Some(false)
        || says(&[
            "loser", "down", "worst", "fell", "drop", "red", "tank", "dump",
        ]);
    let asks_up = is_up == Some(true)
        || says(&[
            "gainer",
            "winner",
            "up the",
            "best",
            "rose",
            "jump",
            "green",
            "rip",
            "pop",
            "pump",
            "top perform",
        ]);
    let asks_volume = says(&["active", "volume", "traded"]);
    let all = !asks_down && !asks_up && !asks_volume;
    let mut lists = Vec::new();
    if asks_up || all {
        lists.push(("gainers", "Gainers"));
    }
    if asks_down || all {
        lists.push(("losers", "Losers"));
    }
    if asks_volume || all {
        lists.push(("most_active", "Most active"));
    }
    let time = stretch(movers);
    // `this month`, asked before its first session has closed.
    let last = movers.text("date").and_then(model::Day::parse);
    if page
        .asked_from()
        .zip(last)
        .is_some_and(|(from, last)| last < from)
    {
        sheet.unknown("No session of that time is on record yet; the last one before it is shown.");
        sheet.at_most(OPEN);
    }
    if let Some(bounds) = page.reading.bounds {
        matching(movers, bounds, &time, sheet);
        lists.clear();
    }
    for (list, title) in lists {
        let items = movers.list(list);
        let Some(first) = items.first() else {
            sheet.unknown(format!("{title}: none on record {time}."));
            continue;
        };
        if let (Some(symbol), Some(name)) = (first.text("symbol"), first.text("name")) {
            let by = match list {
                "most_active" => first
                    .number("volume")
                    .map(|volume| format!("{} shares", figures::whole(volume))),
                _ => first.number("change_pct").map(change),
            };
            let of_sector = movers
                .text("sector")
                .map(|sector| format!(" in {}", quoted(sector)));
            let of_sector = of_sector.unwrap_or_default();
            sheet.lead(format!(
                "**{title}{of_sector}**: {} ({symbol}) leads {time} with {}.",
                quoted(name),
                by.unwrap_or_default()
            ));
        }
        let rows: Vec<String> = items
            .iter()
            .take(page.reading.at_most.unwrap_or(LISTED))
            .copied()
            .filter_map(mover)
            .collect();
        table(
            sheet,
            &format!("| {title} | Name | Price | Change | Volume |\n|---|---|---:|---:|---:|"),
            &rows,
        );
    }
    if let Some(left_out) = movers.whole("left_out").filter(|count| *count > 0) {
        let compared = movers.whole("compared").unwrap_or_default();
        sheet.unknown(format!(
            "Compared: {} with a price at the beginning and at the end; {left_out} others have none at the beginning.",
            count(compared, "share", "shares")
        ));
    }
    for reason in movers.reasons() {
        sheet.unknown(sentence(reason));
    }
}

/// The shares that moved as far as the question asks.
fn matching(movers: View<'_>, bounds: query::Bounds, time: &str, sheet: &mut Sheet) {
    let total = movers.whole("total_matching").unwrap_or_default();
    let compared = movers.whole("compared").unwrap_or_default();
    let percent = |value: f64| format!("{value:.0}%");
    let asked = match (bounds.above, bounds.below) {
        (Some(least), None) => format!("rose more than {}", percent(least)),
        (None, Some(most)) => format!("fell more than {}", percent(-most)),
        (Some(least), Some(most)) if least < 0.0 => {
            format!("fell less than {}", percent(-least.min(most)))
        }
        (_, most) => format!("rose less than {}", percent(most.unwrap_or_default())),
    };
    let items = movers.list("matching");
    sheet.lead(format!(
        "**{}** of {compared} compared {asked} {time}{}.",
        count(total, "share", "shares"),
        if items.len() > LISTED {
            format!("; the {LISTED} that went farthest are listed")
        } else {
            String::new()
        }
    ));
    let rows: Vec<String> = items
        .iter()
        .take(LISTED)
        .copied()
        .filter_map(mover)
        .collect();
    table(
        sheet,
        "| Symbol | Name | Price | Change | Volume |\n|---|---|---:|---:|---:|",
        &rows,
    );
}

/// A row of a share that moved, its price in the currency of its listing.
fn mover(item: View<'_>) -> Option<String> {
    Some(format!(
        "| {} | {} | {} | {} | {} |",
        item.text("symbol")?,
        quoted(item.text("name").unwrap_or("–")),
        money(item.number("price")?, item.text("currency").unwrap_or("")),
        item.number("change_pct")
            .map_or_else(|| "–".to_owned(), change),
        item.number("volume")
            .map_or_else(|| "–".to_owned(), figures::whole)
    ))
}

/// A sector and the median change of its shares.
fn moved_sector(one: View<'_>) -> Option<(&str, f64)> {
    Some((one.text("sector")?, one.number("median_change_pct")?))
}

/// The price performance of sectors.
pub(super) fn sectors_by_price(page: &Page<'_>, movers: View<'_>, sheet: &mut Sheet) {
    let wanted = &page.reading.sectors;
    let shown: Vec<View<'_>> = movers
        .list("sectors")
        .into_iter()
        .filter(|one| {
            wanted.is_empty()
                || one
                    .text("sector")
                    .is_some_and(|name| wanted.contains(&name))
        })
        .collect();
    let mut shown = shown;
    // If the worst is asked for, it comes first.
    let asks_worst = page.reading.is_up == Some(false);
    if asks_worst {
        shown.reverse();
    }
    let (best, worst) = if asks_worst {
        ("worst", "best")
    } else {
        ("best", "worst")
    };
    let time = stretch(movers);
    let (Some(first), Some(last)) = (
        shown.first().copied().and_then(moved_sector),
        shown.last().copied().and_then(moved_sector),
    ) else {
        sheet.unknown(format!("No sector has three shares with prices {time}."));
        return;
    };
    sheet.lead(match &shown[..] {
        [_] => format!(
            "By price, the median share of **{}** changed by **{}** {time}.",
            first.0,
            change(first.1)
        ),
        _ => format!(
            "By price, **{}** did {best} {time}: its median share changed by **{}**. **{}** did {worst} with {}.",
            first.0,
            change(first.1),
            last.0,
            change(last.1)
        ),
    });
    let coverage = page.get("sectors").map(|all| all.list("sectors"));
    let sentiment = |sector: &str| {
        let mut all = coverage.iter().flatten();
        let of_sector = all.find(|one| one.text("sector") == Some(sector))?;
        Some(format!("{:.2}", of_sector.number("avg_sentiment")?))
    };
    let rows: Vec<String> = shown
        .iter()
        .filter_map(|one| {
            let sector = one.text("sector")?;
            Some(format!(
                "| {sector} | {} | {} | {} | {} {} | {} |",
                one.whole("shares")?,
                change(one.number("median_change_pct")?),
                one.whole("rose")?,
                one.text("best_symbol")?,
                change(one.number("best_change_pct")?),
                sentiment(sector).as_deref().unwrap_or("–")
            ))
        })
        .collect();
    table(
        sheet,
        "| Sector | Shares | Median change | Rose | Best share | Sentiment of its news |\n|---|---:|---:|---:|---|---:|",
        &rows,
    );
    sheet.unknown("Every share of a sector counts the same; their market values are not weighed.");
    for reason in movers.reasons() {
        sheet.unknown(sentence(reason));
    }
}

/// The period over which shares were compared.
fn stretch(movers: View<'_>) -> String {
    if let (Some(from), Some(to)) = (movers.text("from"), movers.text("date"))
        && from > to
    {
        return format!(
            "since {}; the newest session with prices is of {}",
            day(from),
            day(to)
        );
    }
    match (movers.text("from"), movers.text("date")) {
        (Some(from), Some(to)) => format!("from {} to {}", day(from), day(to)),
        (_, Some(session)) => format!("in the session of {}", day(session)),
        _ => "in the newest session".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn prices_have_the_currency_of_their_listing() {
        for (currency, expected) in [
            (json!("USD"), "$78.25"),
            (json!("CHF"), "78.25 CHF"),
            (json!(null), "78.25"),
        ] {
            let row = json!({"symbol": "ABBN.SW", "name": "ABB", "price": 78.25, "change_pct": 1.5, "currency": currency});
            assert_eq!(
                mover(View(&row)).unwrap(),
                format!("| ABBN.SW | ABB | {expected} | +1.50% | – |")
            );
        }
    }
}
