//! Indicators, yields, currencies, commodities, coins, and the newest disclosures of everybody.

use query::Fact;

use super::{LISTED, ranked, statistics};
use crate::answer::comparison;
use crate::answer::disclosures::{
    FILING_HEAD, congress_table, filing_row, insider_row, picked, picks, table,
};
use crate::answer::instrument::disputed;
use crate::answer::sums::rate;
use crate::answer::{OPEN, PARTIAL, Page, Sheet};
use crate::figures::{self, change, count, day, moved, percent, plain, quoted, sentence};
use crate::plan::asks_last_step;
use crate::plan::yields::{maturities, maturity, maturity_of};
use crate::view::View;

pub(super) fn economy(page: &Page<'_>, sheet: &mut Sheet) {
    let Some(economy) = page.get("economy") else {
        return;
    };
    if let Some(indicators) = economy.at("indicators").and_then(|list| list.0.as_array()) {
        let rows: Vec<String> = indicators
            .iter()
            .map(View)
            .filter_map(|one| {
                Some(format!(
                    "| {} | {} | {} | {} |",
                    one.text("name")?,
                    plain(one.number("latest_value")?),
                    quoted(one.text("unit").unwrap_or("")),
                    day(one.text("latest_date")?)
                ))
            })
            .collect();
        sheet.lead(format!(
            "The latest values of {}:",
            count(rows.len() as u64, "indicator", "indicators")
        ));
        table(
            sheet,
            "| Indicator | Latest | Unit | As of |\n|---|---:|---|---|",
            &rows,
        );
        return;
    }
    let steps = page.plan.steps.iter().filter(|step| step.key == "economy");
    let slugs = steps.filter_map(|step| step.subject.as_deref());
    let question = page.reading.question.to_lowercase();
    let asks_meeting = ["meet", "fomc", "next decision"]
        .iter()
        .any(|words| question.contains(words));
    if asks_meeting && slugs.clone().any(|slug| slug == "fed_funds") {
        sheet.unknown("Dates of the meetings of the Federal Reserve are not on record.");
    }
    for (slug, one) in slugs.filter_map(|slug| Some((slug, economy.at(slug)?))) {
        if !statistics::is_told(page, slug) {
            indicator(page, slug, one, sheet);
        }
        let name = one.text("name").unwrap_or("The series");
        for reason in one.reasons() {
            sheet.unknown(sentence(&of_series(name, reason)));
        }
    }
}

/// What a source says about its values, with the series that it is about.
fn of_series(name: &str, reason: &str) -> String {
    if reason.contains(name) {
        reason.to_owned()
    } else {
        format!("{name}: {reason}")
    }
}

/// The value at the time that was asked about, and what it is compared with.
fn indicator(page: &Page<'_>, slug: &str, one: View<'_>, sheet: &mut Sheet) {
    let name = one.text("name").unwrap_or("The indicator");
    let when = &page.reading.when;
    let until = when.to.filter(|_| !when.is_ahead).map(|to| to.to_string());
    let observations: Vec<(&str, f64)> = one
        .list("observations")
        .into_iter()
        .filter_map(|seen| Some((seen.text("date")?, seen.number("value")?)))
        .skip_while(|(date, _)| until.as_deref().is_some_and(|until| *date > until))
        .collect();
    let Some((date, value)) = observations.first().copied() else {
        // The source itself says so.
        if one.list("observations").is_empty() && !one.reasons().is_empty() {
            return;
        }
        sheet.unknown(match when.said.trim() {
            "" => format!("{name}: no value is on record."),
            said => format!("{name}: no value is on record for the requested period ({said})."),
        });
        sheet.at_most(OPEN);
        return;
    };
    let frequency = one.text("frequency").unwrap_or("");
    let of = |date: &str| figures::span(date, frequency);
    let unit = match one.text("unit").unwrap_or("") {
        "" => String::new(),
        unit => format!(" ({})", quoted(unit)),
    };
    // Jobs, houses and millions are given as whole numbers.
    let is_whole = observations.iter().all(|(_, value)| value.fract() == 0.0);
    let plain = |value: f64| {
        if is_whole {
            figures::whole(value)
        } else {
            plain(value)
        }
    };
    if slug == "fed_funds" {
        last_step(page, name, &observations, frequency, sheet);
    }
    sheet.lead(format!(
        "**{name}**: **{}**{unit} for {}.",
        plain(value),
        of(date)
    ));
    let since = one
        .at("since")
        .and_then(|since| Some((since.text("date")?, since.number("value")?, since)));
    // By date and not by position: a month may be missing.
    let year_before = figures::a_year_before(date).filter(|_| frequency == "monthly");
    let is_year_before = |then: &str| year_before.as_deref() == Some(then);
    if let Some((then, first, since)) = since.filter(|(then, ..)| !is_year_before(then)) {
        let is_rate = unit.to_lowercase().contains("percent");
        let went = if plain(value) == plain(first) {
            ", the same".to_owned()
        } else if is_rate {
            let by = since.number("change").unwrap_or_default();
            let way = if by > 0.0 { "up" } else { "down" };
            let points = (by.abs() * 100.0).round();
            // Yields and policy rates are quoted this way; unemployment and inflation are not.
            let is_quoted = slug.starts_with("treasury_") || slug == "fed_funds";
            let points = if is_quoted && points >= 1.0 {
                let noun = if points < 2.0 { "point" } else { "points" };
                format!(" ({points:.0} basis {noun})")
            } else {
                String::new()
            };
            format!(
                ": {way} **{} percentage points**{points} since",
                plain(by.abs())
            )
        } else if unit.contains("thousand") {
            // For jobs the figure is the number added.
            let by = since.number("change").unwrap_or_default();
            format!(
                ": **{} thousand {}** since",
                plain(by.abs()),
                if by >= 0.0 { "more" } else { "fewer" }
            )
        } else {
            since
                .number("change_pct")
                .map(|by| format!(": **{}** since", change(by)))
                .unwrap_or_default()
        };
        sheet.lead(format!("For {} it was {}{went}.", of(then), plain(first)));
    } else if let Some((before, earlier)) = observations.get(1).copied() {
        // For jobs the figure is the number added since the month before.
        if let Some(more) = one.number("change_from_previous") {
            sheet.lead(format!(
                "That is **{} thousand {}** than for {}.",
                plain(more.abs()),
                if more >= 0.0 { "more" } else { "fewer" },
                of(before)
            ));
            return;
        }
        let grew = one
            .number("change_from_previous_pct")
            .map(|grew| format!(", {} in a {}", change(grew), period_word(frequency)));
        let word = if plain(value) == plain(earlier) {
            "unchanged from"
        } else if value > earlier {
            "up from"
        } else {
            "down from"
        };
        sheet.lead(format!(
            "That is {word} {} for {}{}.",
            plain(earlier),
            of(before),
            grew.unwrap_or_default()
        ));
    }
    let mut of_then = observations.iter();
    let a_year_before = of_then.find(|(date, _)| is_year_before(date));
    if let Some((then, earlier)) = a_year_before {
        sheet.lead(format!(
            "A year before, for {}, it was {}{}.",
            of(then),
            plain(*earlier),
            one.number("change_from_year_before_pct")
                .map(|grew| format!(", which makes **{}** in a year", change(grew)))
                .unwrap_or_default()
        ));
    }
}

/// When the rate last went the way that the question asks about, by its monthly values.
fn last_step(
    page: &Page<'_>,
    name: &str,
    observations: &[(&str, f64)],
    frequency: &str,
    sheet: &mut Sheet,
) {
    /// A month in which the effective rate moves less than this had no decision that changed it.
    const STEP: f64 = 0.1;
    /// What shows of a decision at the end of a month.
    const PART: f64 = 0.03;
    let Some(is_rise) = asks_last_step(&page.reading.question) else {
        return;
    };
    let step = observations.windows(2).find(|pair| {
        let by = pair[0].1 - pair[1].1;
        if is_rise { by >= STEP } else { by <= -STEP }
    });
    let word = if is_rise { "rose" } else { "fell" };
    match step {
        Some([(date, now), (then, before)]) => {
            // The mean of a month in which the rate moved shows only part of the move.
            let at = observations.iter().position(|(seen, _)| seen == then);
            let earlier = at.and_then(|at| observations.get(at + 1));
            let began = earlier.filter(|(_, earlier)| {
                let by = before - earlier;
                if is_rise { by >= PART } else { by <= -PART }
            });
            let (when, from) = match began {
                Some((_, earlier)) => (
                    format!(
                        "between **{}** and **{}**",
                        figures::span(then, frequency),
                        figures::span(date, frequency)
                    ),
                    *earlier,
                ),
                None => (
                    format!("in **{}**", figures::span(date, frequency)),
                    *before,
                ),
            };
            sheet.lead(format!(
                "**{name}** last {word} {when}, from {} to {}, by its means of whole months.",
                figures::plain(from),
                figures::plain(*now)
            ));
        }
        _ => sheet.lead(format!(
            "**{name}** {word} in none of the months on record here."
        )),
    }
}

fn period_word(frequency: &str) -> &'static str {
    match frequency {
        "daily" => "day",
        "weekly" => "week",
        "monthly" => "month",
        "quarterly" => "quarter",
        _ => "year",
    }
}

/// The performance of a price over the period that was asked about, or why it is not known. `newest` is the day of the
/// value that is shown.
pub(super) fn period(
    page: &Page<'_>,
    (code, name): (&str, &str),
    newest: Option<&str>,
    shown: impl Fn(f64) -> String,
    sheet: &mut Sheet,
) {
    let Some(period) = page.get("period").and_then(|period| period.at(code)) else {
        without_period(page, (code, name), newest, sheet);
        return;
    };
    if let (Some(from), Some(to), Some(start), Some(end)) = (
        period.text("from"),
        period.text("to"),
        period.number("start"),
        period.number("end"),
    ) {
        let changed = period.number("change_pct");
        let size = changed.map_or_else(|| figures::moved_by(end - start), change);
        sheet.lead(format!(
            "From {} on {} to {} on {}: **{size}**.",
            shown(start),
            day(from),
            shown(end),
            day(to),
        ));
        let Some(changed) = changed else {
            without_percentage(sheet);
            return;
        };
        if page.reading.question.to_lowercase().contains("why") {
            let question = &page.reading.question;
            sheet
                .lead
                .extend(disputed(question, changed, "over that time"));
        }
    }
}

/// Says why there is no change over the period that was asked about.
fn without_period(
    page: &Page<'_>,
    (code, name): (&str, &str),
    newest: Option<&str>,
    sheet: &mut Sheet,
) {
    let newest = newest.and_then(model::Day::parse);
    let is_of = |subject: Option<&str>| subject.is_none_or(|subject| subject == code);
    let mut steps = page.plan.steps.iter();
    let is_compared =
        steps.any(|step| step.key.ends_with("_before") && is_of(step.subject.as_deref()));
    let begins = page.asked_from();
    if begins
        .zip(newest)
        .is_some_and(|(begins, newest)| newest < begins)
    {
        sheet.unknown(format!(
            "No value of {name} from that time is on record yet."
        ));
        sheet.at_most(PARTIAL);
    } else if is_compared && begins.is_some() {
        sheet.unknown(format!(
            "The record of {name} does not go back far enough for its change over that time."
        ));
        let is_over = page.reading.when.to.is_some();
        sheet.at_most(if is_over { PARTIAL } else { OPEN });
    }
}

/// Says once why a move is given without a percentage.
fn without_percentage(sheet: &mut Sheet) {
    if !sheet.lead.iter().any(|line| line == figures::NO_PERCENTAGE) {
        sheet.lead(figures::NO_PERCENTAGE);
    }
}

pub(super) fn yields(page: &Page<'_>, sheet: &mut Sheet) {
    let Some(yields) = page.get("yields") else {
        return;
    };
    let all = yields.list("yields");
    let rows: Vec<String> = all
        .iter()
        .filter_map(|one| {
            Some(format!(
                "| {} | {:.2}% | {} |",
                one.text("name")?,
                one.number("yield_pct")?,
                day(one.text("date")?)
            ))
        })
        .collect();
    if rows.is_empty() {
        sheet.unknown("No Treasury yield is on record.");
        return;
    }
    // A single maturity that is asked for comes first, and so does the one that stands in for something that is not on
    // record.
    let in_place = matches!(page.reading.fact, Some(Fact::Elsewhere(_)))
        .then(|| page.reading.series.first().copied().and_then(maturity_of))
        .flatten();
    if let Some(asked) = in_place.or_else(|| maturity(&page.reading.question))
        && let Some(one) = all.iter().find(|one| one.text("maturity") == Some(asked))
        && let (Some(name), Some(value), Some(date)) =
            (one.text("name"), one.number("yield_pct"), one.text("date"))
    {
        sheet.lead(format!("**{name}**: **{value:.2}%** on {}.", day(date)));
    }
    let of = |asked: &str| {
        let one = all.iter().find(|one| one.text("maturity") == Some(asked))?;
        Some((one.text("name")?, one.number("yield_pct")?))
    };
    // `the 30-year minus the 5-year`: the longer one less the shorter one.
    let named = maturities(&page.reading.question);
    if let [shorter, longer] = named[..]
        && (shorter, longer) != ("2y", "10y")
        && let (Some((short_name, short)), Some((long_name, long))) = (of(shorter), of(longer))
    {
        sheet.lead(format!(
            "The **{long_name}** yields {long:.2}%, the **{short_name}** {short:.2}%: a spread of **{:+.2} percentage points**.",
            long - short
        ));
    } else if let Some(spread) = yields.number("spread_10y_2y") {
        let word = if yields.flag("inverted") {
            "is inverted"
        } else {
            "is not inverted"
        };
        sheet.lead(format!(
            "The Treasury yield curve **{word}**: the 10-year yield lies {:.2} percentage points {} the 2-year yield.",
            spread.abs(),
            if spread < 0.0 { "below" } else { "above" }
        ));
    }
    table(sheet, "| Treasury | Yield | As of |\n|---|---:|---|", &rows);
}

pub(super) fn pairs(page: &Page<'_>, sheet: &mut Sheet) {
    let Some(forex) = page.get("forex") else {
        return;
    };
    if forex.at("pairs").is_some() {
        let is_moved = ranked::dollar(page, sheet);
        let rows: Vec<String> = forex
            .list("pairs")
            .into_iter()
            .filter_map(|pair| {
                Some(format!(
                    "| {} | {} | {} | {} |",
                    pair.text("label")?,
                    rate(pair.number("rate")?),
                    pair.number("change_pct")
                        .map_or_else(|| "–".to_owned(), change),
                    pair.text("date").map(day).unwrap_or_default()
                ))
            })
            .collect();
        if rows.is_empty() {
            sheet.unknown("No exchange rate is on record.");
        } else if !is_moved {
            sheet.lead(format!(
                "Exchange rates of {}:",
                count(rows.len() as u64, "pair", "pairs")
            ));
        }
        table(
            sheet,
            "| Pair | Rate | Change | As of |\n|---|---:|---:|---|",
            &rows,
        );
        return;
    }
    // The sum that was asked about has been converted with them.
    let is_converted = page
        .get("conversion")
        .is_some_and(|converted| converted.list("route").len() > 1)
        || page.get("conversions").is_some()
        || page.get("position").is_some();
    if is_converted {
        for pair in forex
            .0
            .as_object()
            .into_iter()
            .flatten()
            .map(|(_, pair)| View(pair))
        {
            for reason in pair.reasons() {
                sheet.unknown(sentence(reason));
            }
        }
        return;
    }
    let pairs = forex.0.as_object().into_iter().flatten();
    let is_open = |(code, _): &(&String, View<'_>)| !statistics::is_told(page, code);
    for (code, pair) in pairs.map(|(code, pair)| (code, View(pair))).filter(is_open) {
        let Some(value) = pair.number("rate") else {
            sheet.unknown(format!(
                "No rate of {} is on record.",
                pair.text("label").unwrap_or("the pair")
            ));
            continue;
        };
        let (base, quote) = pair
            .text("pair")
            .and_then(|code| code.split_at_checked(3))
            .unwrap_or_default();
        sheet.lead(format!(
            "**1 {base} = {} {quote}**{}{}.",
            rate(value),
            pair.text("date")
                .map(|date| format!(" on {}", day(date)))
                .unwrap_or_default(),
            pair.number("change_pct")
                .map(|change| format!(", {} from the day before", moved(change)))
                .unwrap_or_default()
        ));
        let label = pair.text("label").unwrap_or("the pair");
        period(page, (code, label), pair.text("date"), rate, sheet);
        for reason in pair.reasons() {
            sheet.unknown(sentence(reason));
        }
    }
}

pub(super) fn commodities(page: &Page<'_>, sheet: &mut Sheet) {
    let Some(commodities) = page.get("commodities") else {
        return;
    };
    if commodities.at("commodities").is_some() {
        let list = ranked::List {
            items: commodities.list("commodities"),
            fields: ("symbol", "name", "price"),
            nouns: ("commodity", "commodities"),
            shown: plain,
        };
        if ranked::write(page, &list, sheet) {
            return;
        }
        let rows: Vec<String> = commodities
            .list("commodities")
            .into_iter()
            .filter_map(|one| {
                Some(format!(
                    "| {} | {} | {} | {} | {} |",
                    one.text("name")?,
                    plain(one.number("price")?),
                    one.number("change_pct")
                        .map_or_else(|| "–".to_owned(), change),
                    one.text("unit")
                        .or_else(|| one.text("currency"))
                        .unwrap_or(""),
                    one.text("date").map(day).unwrap_or_default()
                ))
            })
            .collect();
        if rows.is_empty() {
            sheet.unknown("No price of a commodity is on record.");
        } else {
            // The sentence stays with its table, whatever else comes first.
            sheet.blocks.push(format!(
                "Prices of {}:",
                count(rows.len() as u64, "commodity", "commodities")
            ));
        }
        table(
            sheet,
            "| Commodity | Price | Change | Unit | As of |\n|---|---:|---:|---|---|",
            &rows,
        );
        return;
    }
    if page.reading.instruments.is_empty() {
        comparison::over_time(comparison::periods_of_series(page), sheet);
    }
    let all = commodities.0.as_object().into_iter().flatten();
    let is_open = |(code, _): &(&String, View<'_>)| !statistics::is_told(page, code);
    for (code, one) in all.map(|(code, one)| (code, View(one))).filter(is_open) {
        let name = one.text("name").unwrap_or("The commodity");
        let Some(price) = one.number("price") else {
            sheet.unknown(format!("{name}: no price is on record."));
            continue;
        };
        let is_older = one
            .text("date")
            .and_then(model::Day::parse)
            .is_some_and(|date| {
                let monthly = one.text("frequency") == Some("monthly");
                let near = if monthly { 62 } else { crate::answer::NEAR };
                page.asked_from()
                    .is_some_and(|asked| asked.since(date) > near)
            });
        if is_older {
            sheet.lead(format!(
                "No price of **{name}** from the requested period is on record; the newest before it:"
            ));
            sheet.at_most(OPEN);
        }
        sheet.lead(format!(
            "**{name}** stands at **{}** ({}){}{}.",
            plain(price),
            one.text("unit")
                .or_else(|| one.text("currency"))
                .unwrap_or("USD"),
            one.text("date")
                .map(|date| format!(" on {}", day(date)))
                .unwrap_or_default(),
            one.number("change_pct")
                .map(moved)
                .or_else(|| one.number("change").map(figures::moved_by))
                .map(|moved| format!(", {moved} from the value before"))
                .unwrap_or_default()
        ));
        in_other_mass(page, one.text("unit").unwrap_or_default(), price, sheet);
        let has_move = one.number("change").is_some();
        if has_move && one.number("change_pct").is_none() {
            without_percentage(sheet);
        }
        period(page, (code, name), one.text("date"), plain, sheet);
        for reason in one.reasons() {
            sheet.unknown(sentence(reason));
        }
    }
}

/// The same price for another mass, if the question names one: `gold per gram`, `copper per tonne`.
fn in_other_mass(page: &Page<'_>, unit: &str, price: f64, sheet: &mut Sheet) {
    /// Names of masses, and how many grams they are. An ounce of a metal is a troy ounce.
    const MASSES: [(&[&str], &str, f64); 5] = [
        (&["gram", "grams", "gramme", "grammes", "g"], "gram", 1.0),
        (
            &["kilo", "kilos", "kilogram", "kilograms", "kg"],
            "kilogram",
            1e3,
        ),
        (&["tonne", "tonnes", "ton", "tons"], "tonne", 1e6),
        (&["pound", "pounds", "lb", "lbs"], "pound", 453.592_37),
        (&["ounce", "ounces", "oz"], "troy ounce", 31.103_476_8),
    ];
    let currency = unit.split(" per ").next().unwrap_or_default();
    let unit = unit.to_lowercase();
    let own = MASSES
        .iter()
        .filter(|(.., name, _)| unit.contains(name))
        .max_by_key(|(.., name, _)| name.len());
    let question = page.reading.question.to_lowercase();
    let words: Vec<&str> = question
        .split(|one: char| !one.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let asked = words.windows(2).find_map(|pair| {
        let is_per = ["per", "a", "an", "each", "by"].contains(&pair[0]);
        let mut masses = MASSES.iter();
        masses
            .find(|(names, ..)| names.contains(&pair[1]))
            .filter(|_| is_per)
    });
    let (Some((_, own, own_grams)), Some((_, name, grams))) = (own, asked) else {
        return;
    };
    if own == name {
        return;
    }
    sheet.lead(format!(
        "That is **{}** {} per {name} (1 {name} = {} {own}s).",
        plain(price / own_grams * grams),
        quoted(currency),
        figures::trimmed(grams / own_grams)
    ));
}

pub(super) fn crypto(page: &Page<'_>, sheet: &mut Sheet) {
    if let Some(crypto) = page.get("crypto")
        && let Some(total) = crypto.text("total_market_cap_formatted")
    {
        let changed = crypto
            .number("market_cap_change_24h")
            .map(|change| format!(", {} over 24 hours", moved(change)));
        let at = crypto
            .text("updated_at")
            .map(|at| format!(" ({})", figures::day_of(at)));
        // A sum over the coins that are known here is not a sum over all coins.
        let counted = crypto
            .whole("active_cryptocurrencies")
            .filter(|_| crypto.text("source").is_none());
        let all = counted.map_or_else(
            || "All coins together".to_owned(),
            |coins| {
                let coins = figures::count(coins, "coin that is", "coins that are");
                format!("The {coins} on record here, not all there are,")
            },
        );
        sheet.lead(format!(
            "{all} are worth **{total}**{}{}.",
            at.unwrap_or_default(),
            changed.unwrap_or_default()
        ));
        for reason in crypto.reasons() {
            sheet.unknown(sentence(reason));
        }
        if let (Some(btc), Some(eth)) = (
            crypto.number("btc_dominance"),
            crypto.number("eth_dominance"),
        ) {
            let line = format!(
                "Bitcoin makes up {} of it, Ethereum {}.",
                percent(btc),
                percent(eth)
            );
            if page.reading.question.to_lowercase().contains("dominan") {
                // The share is what is asked for; what it is a share of comes after it.
                let at = crypto
                    .text("updated_at")
                    .map(figures::day_of)
                    .unwrap_or_default();
                sheet.lead.insert(
                    0,
                    format!(
                        "Of the value of all coins **Bitcoin** makes up **{}** and Ethereum {} ({at}).",
                        percent(btc),
                        percent(eth)
                    ),
                );
            } else {
                sheet.lead(line);
            }
        }
    }
    if let Some(coins) = page.get("coins") {
        let list = ranked::List {
            items: coins.list("tokens"),
            fields: ("symbol", "name", "price"),
            nouns: ("coin", "coins"),
            shown: |price| figures::money(price, "USD"),
        };
        if ranked::write(page, &list, sheet) {
            return;
        }
        let dash = || "–".to_owned();
        let rows: Vec<String> = coins
            .list("tokens")
            .into_iter()
            .take(page.reading.at_most.unwrap_or(LISTED))
            .filter_map(|coin| {
                Some(format!(
                    "| {} | {} | {} | {} | {} | {} |",
                    coin.text("symbol")?,
                    figures::money(coin.number("price")?, "USD"),
                    coin.number("change_24h").map_or_else(dash, change),
                    coin.number("change_7d").map_or_else(dash, change),
                    coin.text("market_cap_formatted").unwrap_or("–"),
                    coin.text("updated_at")
                        .map(figures::day_of)
                        .unwrap_or_default()
                ))
            })
            .collect();
        table(
            sheet,
            "| Coin | Price | 24 hours | 7 days | Market value | As of |\n|---|---:|---:|---:|---:|---|",
            &rows,
        );
    }
}

pub(super) fn defi(page: &Page<'_>, sheet: &mut Sheet) {
    let Some(defi) = page.get("defi") else {
        return;
    };
    let Some(total) = defi.text("total_tvl_formatted") else {
        sheet.unknown("No figure on decentralised finance is on record.");
        return;
    };
    sheet.lead(format!("**{total}** is locked in decentralised finance."));
    let rows: Vec<String> = defi
        .list("top_protocols")
        .into_iter()
        .take(LISTED)
        .filter_map(|one| {
            Some(format!(
                "| {} | {} | {} | {} |",
                quoted(one.text("name")?),
                quoted(one.text("category").unwrap_or("–")),
                one.text("tvl_formatted")?,
                one.number("change_1d")
                    .map_or_else(|| "–".to_owned(), change)
            ))
        })
        .collect();
    table(
        sheet,
        "| Protocol | Category | Locked | 1 day |\n|---|---|---:|---:|",
        &rows,
    );
}

/// Trades and filings of everybody.
pub(super) fn disclosures(page: &Page<'_>, sheet: &mut Sheet) {
    if let Some(insider) = page.get("insider") {
        let trades = picked(page, insider.list("trades"));
        let asked = picks(page);
        let shown = page.reading.at_most.unwrap_or(LISTED);
        if trades.is_empty() {
            sheet.lead(format!("No trade of an insider{asked} is on record."));
        } else {
            let order = if page.reading.foremost == Some(query::Foremost::Largest) {
                "largest"
            } else {
                "newest"
            };
            sheet.lead(format!(
                "The {order} {} of insiders{asked} on record:",
                count(trades.len().min(shown) as u64, "trade", "trades")
            ));
        }
        let rows: Vec<String> = trades
            .iter()
            .take(shown)
            .filter_map(|trade| insider_row(*trade, trade.text("symbol")))
            .collect();
        table(
            sheet,
            "| Date | Symbol | Who | Trade | Shares | Value |\n|---|---|---|---|---:|---:|",
            &rows,
        );
    }
    if let Some(congress) = page.get("congress") {
        let trades = congress.list("trades");
        if trades.is_empty() {
            let asked = page.plan.steps.iter().find(|step| step.key == "congress");
            let member = asked.and_then(|step| step.arguments.get("member")?.as_str());
            sheet.lead(match member {
                Some(member) => format!(
                    "No disclosed trade of a member of Congress called {} is on record.",
                    quoted(member)
                ),
                None => "No trade of a member of Congress is on record.".to_owned(),
            });
        } else {
            sheet.lead(format!(
                "The newest {} of members of Congress:",
                count(
                    trades.len().min(LISTED) as u64,
                    "disclosed trade",
                    "disclosed trades"
                )
            ));
        }
        congress_table(sheet, &trades, LISTED);
    }
    if let Some(filings) = page.get("filings") {
        let list = filings.list("filings");
        if list.is_empty() {
            for reason in filings.reasons() {
                sheet.unknown(sentence(reason));
            }
        } else {
            sheet.lead(format!(
                "{} found:",
                count(list.len() as u64, "filing", "filings")
            ));
        }
        let rows: Vec<String> = list
            .iter()
            .take(LISTED)
            .filter_map(|filing| filing_row(*filing))
            .collect();
        table(sheet, FILING_HEAD, &rows);
    }
}
