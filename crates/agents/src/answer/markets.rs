//! Writes about markets and the economy as a whole.

mod between;
mod crossed;
mod economy;
mod movers;
mod ranked;
mod schedule;
mod screened;
mod statistics;

use query::{Intent, Series};
use verify::figures::KnownSeries;

use super::disclosures::table;
use super::{Page, Sheet};
use crate::figures::{change, count, day, moved, plain, sentence};
use crate::view::View;

pub(super) use statistics::is_told;

const LISTED: usize = 10;

pub(super) fn write(page: &Page<'_>, sheet: &mut Sheet) {
    schedule::hours(page, sheet);
    between::write(page, sheet);
    crossed::write(page, sheet);
    statistics::write(page, sheet);
    market(page, sheet);
    movers::movers(page, sheet);
    sectors(page, sheet);
    screened::screener(page, sheet);
    schedule::calendar(page, sheet);
    economy::economy(page, sheet);
    economy::yields(page, sheet);
    economy::pairs(page, sheet);
    economy::commodities(page, sheet);
    economy::crypto(page, sheet);
    economy::defi(page, sheet);
    if page.reading.instruments.is_empty() {
        economy::disclosures(page, sheet);
    }
}

fn market(page: &Page<'_>, sheet: &mut Sheet) {
    let Some(market) = page.get("market") else {
        return;
    };
    if page.wants(Intent::WhyMoved) && !page.reading.instruments.is_empty() {
        return;
    }
    let indices = market.list("indices");
    let priced: Vec<(&str, f64, Option<f64>, Option<&str>)> = indices
        .iter()
        .filter_map(|index| {
            Some((
                index.text("name")?,
                index.number("price")?,
                index.number("change_pct"),
                index.text("date"),
            ))
        })
        .collect();
    if priced.is_empty() {
        sheet.unknown("No level of an index is on record.");
        return;
    }
    let named = named_indices(page);
    for index in &indices {
        let symbol = index.text("symbol").unwrap_or("");
        if let (true, Some(name), Some(level)) = (
            named.contains(&symbol),
            index.text("name"),
            index.number("price"),
        ) {
            sheet.lead(format!(
                "**{name}**: **{}**{}{}.",
                plain(level),
                index
                    .text("date")
                    .map(|date| format!(" on {}", day(date)))
                    .unwrap_or_default(),
                index
                    .number("change_pct")
                    .map(|change| match index.number("change") {
                        Some(points) => format!(
                            ", {} ({} points) on the day",
                            moved(change),
                            plain(points.abs())
                        ),
                        None => format!(", {} on the day", moved(change)),
                    })
                    .unwrap_or_default()
            ));
            economy::period(page, (symbol, name), index.text("date"), plain, sheet);
        }
    }
    // Indices from the newest session show how the market did; older ones are about another day.
    let shares = || {
        let shares = indices.iter();
        shares.filter(|index| index.text("symbol") != Some("^VIX"))
    };
    let newest = shares().filter_map(|index| index.text("date")).max();
    let changes: Vec<f64> = shares()
        .filter(|index| index.text("date") == newest)
        .filter_map(|index| index.number("change_pct"))
        .collect();
    let rose = changes.iter().filter(|change| **change > 0.0).count();
    let fell = changes.iter().filter(|change| **change < 0.0).count();
    let date = newest.map(day).unwrap_or_default();
    let is_running = market.flag("is_running");
    let direction = match (rose, fell) {
        (_, 0) if rose > 0 && is_running => "US shares are up",
        (0, _) if fell > 0 && is_running => "US shares are down",
        (_, 0) if rose > 0 => "US shares rose",
        (0, _) if fell > 0 => "US shares fell",
        (1.., 1..) if is_running => "US shares are mixed",
        (0, 0) => "US shares were unchanged",
        _ => "US shares were mixed",
    };
    let leading = priced.iter().find(|(.., date)| *date == newest);
    let leading = leading.and_then(|(name, level, change, _)| {
        Some(format!(
            ": the {name} {} at {}, **{}**",
            if market.flag("is_running") {
                "stands"
            } else {
                "closed"
            },
            plain(*level),
            moved((*change)?)
        ))
    });
    let periods = page.get("period");
    let whole = periods.and_then(|periods| periods.at("^GSPC"));
    let is_older = newest.and_then(model::Day::parse).is_some_and(|newest| {
        page.asked_from()
            .is_some_and(|asked| asked.since(newest) > super::NEAR)
    });
    if is_older {
        sheet.lead.insert(
            0,
            format!("No level from the requested period is on record; the newest before it is from {date}."),
        );
        sheet.at_most(super::OPEN);
    }
    let is_told = named.is_empty() && over_time(whole, sheet);
    if let Some(whole) = whole.filter(|_| is_told) {
        let changed = whole.number("change_pct").unwrap_or_default();
        against_question(page, &[changed], sheet);
    }
    if named.is_empty() && !is_told && !changes.is_empty() {
        sheet.lead(format!(
            "**{direction}** on {date}{}.",
            leading.unwrap_or_default()
        ));
        against_question(page, &changes, sheet);
    }
    index_table(&indices, periods, sheet);
    let question = page.reading.question.to_lowercase();
    if [
        "overnight",
        "futures",
        "pre market",
        "premarket",
        "closed",
        "after hours",
        "before the open",
    ]
    .iter()
    .any(|word| question.contains(word))
    {
        sheet.unknown(if is_running {
            "Prices outside of the regular session are not on record; the levels are those of the session that is running."
        } else {
            "Prices outside of the regular session are not on record; the levels are closes."
        });
    }
    for reason in market.reasons() {
        sheet.unknown(sentence(reason));
    }
}

/// The performance of the market over the period that is asked about; returns whether that is known.
fn over_time(period: Option<View<'_>>, sheet: &mut Sheet) -> bool {
    let told = period.and_then(|period| {
        let changed = period.number("change_pct")?;
        let word = match changed {
            0.005.. => "US shares rose",
            ..-0.005 => "US shares fell",
            _ => "US shares were unchanged",
        };
        Some(format!(
            "**{word}** from {} to {}: the S&P 500 went from {} to {}, **{}**.",
            day(period.text("from")?),
            day(period.text("to")?),
            plain(period.number("start")?),
            plain(period.number("end")?),
            change(changed)
        ))
    });
    let is_known = told.is_some();
    sheet.lead.extend(told);
    is_known
}

/// Says so if the market moved in the opposite direction to the one in the question.
fn against_question(page: &Page<'_>, changes: &[f64], sheet: &mut Sheet) {
    let asked = super::instrument::asked_direction(&page.reading.question);
    let is_all = |is: fn(&f64) -> bool| changes.iter().all(is);
    if !page.wants(Intent::WhyMoved) {
        return;
    }
    if asked == Some(false) && is_all(|change| *change > 0.0) {
        sheet.lead("They rose; the question speaks of a fall.");
    } else if asked == Some(true) && is_all(|change| *change < 0.0) {
        sheet.lead("They fell; the question speaks of a rise.");
    }
}

/// The indices with their levels, and how far they moved over the period that is asked about.
fn index_table(indices: &[View<'_>], periods: Option<View<'_>>, sheet: &mut Sheet) {
    let moved = |index: &View<'_>| periods?.at(index.text("symbol")?)?.number("change_pct");
    let has_period = indices.iter().any(|index| moved(index).is_some());
    let dash = || "–".to_owned();
    let rows: Vec<String> = indices
        .iter()
        .filter_map(|index| {
            let mut cells = vec![
                index.text("name")?.to_owned(),
                plain(index.number("price")?),
            ];
            if has_period {
                cells.push(moved(index).map_or_else(dash, change));
            }
            cells.push(index.number("change_pct").map_or_else(dash, change));
            cells.push(index.text("date").map(day).unwrap_or_default());
            Some(format!("| {} |", cells.join(" | ")))
        })
        .collect();
    let head = if has_period {
        "| Index | Level | Over the time | Day's change | As of |\n|---|---:|---:|---:|---|"
    } else {
        "| Index | Level | Change | As of |\n|---|---:|---:|---|"
    };
    table(sheet, head, &rows);
}

/// Symbols of the indices that the question names.
pub(super) fn named_indices(page: &Page<'_>) -> Vec<&'static str> {
    let codes = page
        .reading
        .series
        .iter()
        .filter_map(|series| match series {
            Series::Known(code) => KnownSeries::find(code),
            Series::Pair(..) => None,
        });
    codes
        .flat_map(|known| known.ids.iter())
        .filter_map(|id| id.strip_prefix("index:"))
        .collect()
}

/// Whether a question asks for the worst sentiment.
fn asks_negative(question: &str) -> bool {
    let lower = question.to_lowercase();
    [
        "bearish", "negative", "worst", "pessimis", "gloom", "hated", "least",
    ]
    .iter()
    .any(|word| lower.contains(word))
}

fn sectors(page: &Page<'_>, sheet: &mut Sheet) {
    if let Some(movers) = page.get("movers")
        && page.reading.is_by_price
        && page.wants(Intent::Sectors)
    {
        movers::sectors_by_price(page, movers, sheet);
        return;
    }
    let Some(sectors) = page.get("sectors") else {
        return;
    };
    let all = sectors.list("sectors");
    let wanted = &page.reading.sectors;
    let shown: Vec<&View<'_>> = all
        .iter()
        .filter(|one| {
            wanted.is_empty()
                || one
                    .text("sector")
                    .is_some_and(|name| wanted.contains(&name))
        })
        .collect();
    if shown.is_empty() {
        let names = if wanted.is_empty() {
            "any sector".to_owned()
        } else {
            wanted.join(", ")
        };
        sheet.lead(format!("No brief of the period is about {names}."));
        return;
    }
    let order = |a: &&&View<'_>, b: &&&View<'_>| {
        let sentiment = |one: &View<'_>| one.number("avg_sentiment").unwrap_or_default();
        sentiment(a).total_cmp(&sentiment(b))
    };
    let asks_worst = asks_negative(&page.reading.question);
    let best = if asks_worst {
        shown.iter().min_by(order)
    } else {
        shown.iter().max_by(order)
    };
    if let Some(best) = best
        && let (Some(name), Some(score)) = (best.text("sector"), best.number("avg_sentiment"))
    {
        let briefs = best.whole("brief_count").unwrap_or_default();
        let lead = if shown.len() > 1 && asks_worst {
            "Coverage is least positive of"
        } else if shown.len() > 1 {
            "Coverage is most positive of"
        } else {
            "Coverage of"
        };
        let rest = if shown.len() > 1 {
            String::new()
        } else {
            format!(" is {}", best.text("signal").unwrap_or("neutral"))
        };
        sheet.lead(format!(
            "{lead} **{name}**{rest}: sentiment {score:.2} (0.5 is neutral) over {}.",
            count(briefs, "brief", "briefs")
        ));
    }
    let rows: Vec<String> = shown
        .iter()
        .filter_map(|one| {
            Some(format!(
                "| {} | {} | {} | {} | {} |",
                one.text("sector")?,
                one.whole("brief_count")?,
                one.number("avg_sentiment")
                    .map_or_else(|| "–".to_owned(), |score| format!("{score:.2}")),
                one.text("signal").unwrap_or("–"),
                one.text("top_ticker").unwrap_or("–")
            ))
        })
        .collect();
    if rows.len() > 1 {
        table(
            sheet,
            "| Sector | Briefs | Sentiment | Signal | Most named |\n|---|---:|---:|---|---|",
            &rows,
        );
    }
    sheet.unknown("Sectors are ranked by coverage; their prices are not averaged here.");
}
