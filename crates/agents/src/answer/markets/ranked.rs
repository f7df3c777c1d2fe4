//! Commodities, coins and currencies ranked by their price performance over a period.

use crate::answer::disclosures::table;
use crate::answer::{Page, Sheet};
use crate::figures::{self, change, day, quoted};
use crate::view::View;

/// The most rows of a ranking.
const ROWS: usize = 10;

/// One item of a list with its change over the period.
struct Ranked {
    code: String,
    name: String,
    price: String,
    from: String,
    to: String,
    changed: f64,
}

/// What is ranked, and how it is written.
pub(super) struct List<'a> {
    /// Its items.
    pub(super) items: Vec<View<'a>>,
    /// The fields of the code, the name and the price.
    pub(super) fields: (&'a str, &'a str, &'a str),
    /// What one of them and what several of them are called.
    pub(super) nouns: (&'a str, &'a str),
    /// How a price is written.
    pub(super) shown: fn(f64) -> String,
}

/// Writes the ranking of a list, if its changes over a period are known; returns whether they are.
pub(super) fn write(page: &Page<'_>, list: &List<'_>, sheet: &mut Sheet) -> bool {
    let mut ranked = ranked(page, list);
    let asks_worst = page.reading.is_up == Some(false);
    ranked.sort_by(|left, right| {
        let order = right.changed.total_cmp(&left.changed);
        if asks_worst { order.reverse() } else { order }
    });
    let (Some(first), Some(last)) = (ranked.first(), ranked.last()) else {
        return false;
    };
    let (one, many) = list.nouns;
    let (best, worst) = if asks_worst {
        ("worst", "best")
    } else {
        ("best", "worst")
    };
    let rest = if ranked.len() > 1 {
        format!(", **{}** {worst} with {}", last.name, change(last.changed))
    } else {
        String::new()
    };
    sheet.lead(format!(
        "Of {} {many} with prices for that period, **{}** did {best}: **{}** from {} to {}{rest}.",
        ranked.len(),
        first.name,
        change(first.changed),
        day(&first.from),
        day(&first.to)
    ));
    let rows: Vec<String> = ranked
        .iter()
        .take(page.reading.at_most.unwrap_or(ROWS))
        .map(|one| {
            format!(
                "| {} | {} | {} | {} | {} |",
                one.name,
                change(one.changed),
                one.price,
                day(&one.from),
                day(&one.to)
            )
        })
        .collect();
    let title = crate::figures::sentence(one);
    let head = format!(
        "| {} | Change | Price | From | To |\n|---|---:|---:|---|---|",
        title.trim_end_matches('.')
    );
    table(sheet, &head, &rows);
    let not_ranked = list.items.iter().filter(|item| {
        let code = item.text(list.fields.0);
        !ranked.iter().any(|one| Some(one.code.as_str()) == code)
    });
    let mut without: Vec<String> = Vec::new();
    for item in not_ranked {
        let Some(name) = item.text(list.fields.1).map(quoted) else {
            continue;
        };
        match period_without_percentage(page, *item, list) {
            Some(moved) => sheet.lead(format!(
                "Not ranked: {name}, {moved}. {}",
                figures::NO_PERCENTAGE
            )),
            None => without.push(name),
        }
    }
    if !without.is_empty() {
        sheet.unknown(format!(
            "No price from that period is on record for {}.",
            without.join(", ")
        ));
    }
    true
}

/// The performance of an item over the period, if it cannot be given as a percentage: `from 18.31 to -36.98`.
fn period_without_percentage(page: &Page<'_>, item: View<'_>, list: &List<'_>) -> Option<String> {
    let period = page.get("period")?.at(item.text(list.fields.0)?)?;
    let (start, end) = (period.number("start")?, period.number("end")?);
    period
        .number("change_pct")
        .is_none()
        .then(|| format!("from {} to {}", (list.shown)(start), (list.shown)(end)))
}

/// The items with a change over the period. Prices that end long before the newest belong to another period.
fn ranked(page: &Page<'_>, list: &List<'_>) -> Vec<Ranked> {
    const APART: i32 = 7;
    let Some(periods) = page.get("period") else {
        return Vec::new();
    };
    let (code, name, price) = list.fields;
    let found = |item: &View<'_>| {
        let period = periods.at(item.text(code)?)?;
        Some(Ranked {
            code: item.text(code)?.to_owned(),
            name: quoted(item.text(name)?),
            price: (list.shown)(item.number(price)?),
            from: period.text("from")?.to_owned(),
            to: period.text("to")?.to_owned(),
            changed: period.number("change_pct")?,
        })
    };
    let all: Vec<Ranked> = list.items.iter().filter_map(found).collect();
    let date = |text: &str| model::Day::parse(text);
    let newest = all.iter().filter_map(|one| date(&one.to)).max();
    all.into_iter()
        .filter(|one| {
            let apart = newest
                .zip(date(&one.to))
                .map(|(newest, to)| newest.since(to));
            apart.is_some_and(|days| days <= APART)
        })
        .collect()
}

/// The performance of the dollar against the currencies in the pairs; returns whether it is known.
pub(super) fn dollar(page: &Page<'_>, sheet: &mut Sheet) -> bool {
    let Some(dollar) = page.get("dollar") else {
        return false;
    };
    let (Some(rose), Some(compared)) = (dollar.whole("rose_against"), dollar.whole("compared"))
    else {
        return false;
    };
    let word = match rose * 2 {
        twice if twice > compared => "stronger",
        twice if twice < compared => "weaker",
        _ => "neither stronger nor weaker",
    };
    let extreme = |path: &str| {
        let pair = dollar.text(&format!("{path}/pair"))?;
        let (base, quote) = pair.split_at_checked(3)?;
        let changed = dollar.number(&format!("{path}/change_pct"))?;
        Some(format!("{base}/{quote} {}", change(changed)))
    };
    let (Some(best), Some(worst)) = (extreme("best"), extreme("worst")) else {
        return false;
    };
    let date = |field: &str| dollar.text(field).map(day).unwrap_or_default();
    sheet.lead(format!(
        "From {} to {} the US dollar became **{word}**: it rose against {rose} of {compared} currencies. The pair that moved most for it is {best}, the one that moved most against it {worst}.",
        date("from"),
        date("to")
    ));
    true
}
