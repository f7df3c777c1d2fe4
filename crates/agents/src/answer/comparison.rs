//! Compares instruments: by the figure that the question names, over the period that it names, and by the rules of the
//! trade signal.

use query::{Instrument, Intent, Measure};
use serde_json::Value;

use super::side_by_side::{dated_price, newest_price, prices_of};
use super::{Page, Sheet};
use crate::figures::{change, day, one, percent, quoted};
use crate::view::View;

/// Most instruments shown in columns; if there are more, they are shown in rows.
const COLUMNS: usize = 4;

/// One of the instruments being compared.
struct Compared<'a> {
    symbol: &'a str,
    score: Option<u64>,
    has_sentiment: bool,
    /// Whether its price is older than the newest one.
    is_of_older_price: bool,
    /// First day, last day and change over the period that was asked about.
    period: Option<Period<'a>>,
    /// The figure that the question names.
    measured: Option<f64>,
    cells: Vec<String>,
}

/// First and last day, and the change between them in percent.
type Period<'a> = (&'a str, &'a str, f64);

/// What is compared.
const ROWS: [&str; 15] = [
    "",
    "Price",
    "Change from the previous close",
    "Over the requested period",
    "Signal (score of 100)",
    "Sentiment (0.5 neutral)",
    "P/E",
    "Profit margin",
    "Market value",
    "Dividend yield",
    "Debt to equity",
    "Beta",
    "Annualised volatility",
    "Revenue growth in a year",
    "Company figures to",
];

const DASH: &str = "–";

pub(super) fn write(page: &Page<'_>, sheet: &mut Sheet) {
    let newest = newest_price(page);
    let instruments = page.reading.instruments.iter();
    let all: Vec<Compared<'_>> = instruments
        .filter_map(|instrument| compared(page, instrument, newest))
        .collect();
    if all.is_empty() {
        return;
    }
    if let Some(measure) = page.reading.measure {
        measured(measure, &all, sheet);
    }
    let mut periods: Vec<(&str, Period<'_>)> = all
        .iter()
        .filter_map(|one| Some((one.symbol, one.period?)))
        .collect();
    periods.extend(periods_of_series(page));
    if periods.is_empty() && page.asked_from().is_some() {
        sheet.lead("No prices from the requested period are on record for any of them.");
    }
    if periods.is_empty() && page.reading.ranks_prices && page.asked_from().is_none() {
        of_day(page, newest, sheet);
    }
    over_time(periods, sheet);
    verdict(&all, sheet);
    if let Some(newest) = newest {
        sheet.lead(prices_of(newest));
    }
    sheet.blocks.push(table(&all));
    if all.iter().any(|one| one.is_of_older_price) {
        sheet.unknown(
            "The prices compared are from different days, and so are the ratios based on them.",
        );
    }
    for one in &all {
        if !one.has_sentiment {
            sheet.unknown(format!(
                "{}: no brief of the last seven days, so sentiment is not part of its signal.",
                one.symbol
            ));
        }
    }
}

fn compared<'a>(
    page: &Page<'a>,
    instrument: &'a Instrument,
    newest: Option<&str>,
) -> Option<Compared<'a>> {
    let symbol = instrument.symbol.as_str();
    let analysis = page.of("analysis", symbol)?;
    let financials = page.of("financials", symbol);
    let figure = |field: &str| financials.and_then(|financials| financials.number(field));
    let text = |field: &str| financials.and_then(|financials| financials.text(field));
    let dash = || DASH.to_owned();
    let signal = analysis.at("trade_signal");
    let score = signal.and_then(|signal| signal.whole("score"));
    let action = signal.and_then(|signal| signal.text("action"));
    let performance = page.of("performance", symbol);
    // A year of prices that only shows how much they fluctuate is not a period that was asked about.
    let asks_time = !page.reading.when.is_unsaid() || page.wants(Intent::Performance);
    let period = performance.filter(|_| asks_time).and_then(|performance| {
        Some((
            performance.text("from")?,
            performance.text("to")?,
            performance.number("change_pct")?,
        ))
    });
    let of_company =
        |field: &str| figure(field).or_else(|| analysis.number(&format!("fundamentals/{field}")));
    let volatility = performance.and_then(|one| one.number("volatility_pct"));
    let sentiment = analysis.number("sentiment/score");
    let statements = page
        .of("statements", symbol)
        .map(|all| all.list("statements"));
    let growth = statements.and_then(|all| all.first()?.number("revenue_growth"));
    let measured = page.reading.measure.and_then(|measure| match measure {
        // A company that earns nothing is not the cheapest.
        Measure::PriceToEarnings => of_company("pe_ratio").filter(|ratio| *ratio > 0.0),
        Measure::MarketValue => figure("market_cap").or_else(|| {
            let coin = page.of("coin", symbol);
            coin.and_then(|coin| coin.number("market_cap"))
        }),
        Measure::DividendYield => figure("dividend_yield"),
        Measure::ProfitMargin => of_company("profit_margin"),
        Measure::Volatility => volatility,
        Measure::Beta => figure("beta"),
        Measure::Debt => figure("debt_to_equity"),
        Measure::Sentiment => sentiment,
        Measure::RevenueGrowth => growth,
    });
    Some(Compared {
        symbol,
        score,
        has_sentiment: sentiment.is_some(),
        is_of_older_price: analysis.text("price_date") != newest,
        period,
        measured,
        cells: vec![
            format!("{} ({symbol})", quoted(&instrument.name)),
            dated_price(analysis, &instrument.currency, newest).unwrap_or_else(dash),
            analysis.number("change_pct").map_or_else(dash, change),
            period.map_or_else(dash, |(.., changed)| change(changed)),
            match (action, score) {
                (Some(action), Some(score)) => format!("{} ({score})", action.replace('_', " ")),
                _ => dash(),
            },
            sentiment.map_or_else(dash, |value| format!("{value:.2}")),
            of_company("pe_ratio").map_or_else(dash, one),
            of_company("profit_margin").map_or_else(dash, percent),
            text("market_cap_formatted").map_or_else(dash, str::to_owned),
            figure("dividend_yield").map_or_else(dash, |value| format!("{value:.2}%")),
            figure("debt_to_equity").map_or_else(dash, |value| format!("{value:.2}")),
            figure("beta").map_or_else(dash, |value| format!("{value:.2}")),
            volatility.map_or_else(dash, percent),
            growth.map_or_else(dash, change),
            match (text("period_end"), figure("pe_ratio")) {
                (Some(end), _) => day(end),
                (None, Some(_)) => "not said by their table".to_owned(),
                (None, None) => dash(),
            },
        ],
    })
}

/// The figures side by side; if there are many instruments, they are in rows. Figures that none of them has are left
/// out.
fn table(all: &[Compared<'_>]) -> String {
    let shown: Vec<usize> = (0..ROWS.len())
        .filter(|place| *place == 0 || all.iter().any(|one| one.cells[*place] != DASH))
        .collect();
    let mut rows: Vec<Vec<&str>> = Vec::new();
    if all.len() > COLUMNS {
        rows.push(shown.iter().map(|place| ROWS[*place]).collect());
        for one in all {
            rows.push(
                shown
                    .iter()
                    .map(|place| one.cells[*place].as_str())
                    .collect(),
            );
        }
    } else {
        for place in shown {
            let cells = all.iter().map(|one| one.cells[place].as_str());
            rows.push(std::iter::once(ROWS[place]).chain(cells).collect());
        }
    }
    let columns = rows.first().map_or(0, Vec::len);
    let mut lines: Vec<String> = rows
        .iter()
        .map(|cells| format!("| {} |", cells.join(" | ")))
        .collect();
    lines.insert(
        1,
        format!("|---|{}", "---:|".repeat(columns.saturating_sub(1))),
    );
    lines.join("\n")
}

/// The wording for a measure: its name, and the words for the highest and lowest value among two and among many.
fn words_of(measure: Measure, is_of_two: bool) -> (&'static str, &'static str, &'static str) {
    let (name, two, many) = match measure {
        Measure::PriceToEarnings => (
            "price-to-earnings ratio",
            ("more expensive", "cheaper"),
            ("the most expensive", "the cheapest"),
        ),
        Measure::MarketValue => (
            "market value",
            ("larger", "smaller"),
            ("the largest", "the smallest"),
        ),
        Measure::Volatility => (
            "volatility",
            ("more volatile", "less so"),
            ("the most volatile", "the least so"),
        ),
        Measure::Sentiment => (
            "sentiment of the coverage",
            ("more positive", "less so"),
            ("the most positive", "the least so"),
        ),
        Measure::RevenueGrowth => (
            "year-on-year growth in quarterly revenue",
            ("faster", "slower"),
            ("the fastest", "the slowest"),
        ),
        other => (
            match other {
                Measure::DividendYield => "dividend yield",
                Measure::ProfitMargin => "profit margin",
                Measure::Beta => "beta",
                _ => "debt to equity",
            },
            ("higher", "lower"),
            ("the highest", "the lowest"),
        ),
    };
    let (most, least) = if is_of_two { two } else { many };
    (name, most, least)
}

fn shown(measure: Measure, value: f64) -> String {
    match measure {
        Measure::PriceToEarnings => one(value),
        Measure::MarketValue => crate::figures::large(value, "USD"),
        Measure::DividendYield => format!("{value:.2}%"),
        Measure::ProfitMargin | Measure::Volatility => percent(value),
        Measure::RevenueGrowth => change(value),
        Measure::Beta | Measure::Debt | Measure::Sentiment => format!("{value:.2}"),
    }
}

/// Which one leads by the figure that the question names.
fn measured(measure: Measure, all: &[Compared<'_>], sheet: &mut Sheet) {
    let (name, most, least) = words_of(measure, all.len() == 2);
    let mut known: Vec<(f64, &str)> = all
        .iter()
        .filter_map(|one| Some((one.measured?, one.symbol)))
        .collect();
    known.sort_by(|left, right| right.0.total_cmp(&left.0));
    let without: Vec<&str> = all
        .iter()
        .filter(|one| one.measured.is_none())
        .map(|one| one.symbol)
        .collect();
    match known[..] {
        [(high, first), .., (low, last)] if shown(measure, high) != shown(measure, low) => {
            sheet.lead(format!(
                "By {name} **{first}** is {most} with **{}**, **{last}** {least} with **{}**.",
                shown(measure, high),
                shown(measure, low)
            ));
        }
        [(value, _), _, ..] => sheet.lead(format!(
            "By {name} they are equal, with {}.",
            shown(measure, value)
        )),
        [(value, only)] => sheet.lead(format!(
            "Only of **{only}** a {name} is on record: **{}**.",
            shown(measure, value)
        )),
        [] => {
            sheet.lead(format!(
                "By {name} they cannot be compared: it is on record of none."
            ));
            return;
        }
    }
    if measure == Measure::Volatility {
        sheet.lead("That is the standard deviation of daily changes, scaled to a year.");
    }
    if !without.is_empty() {
        sheet.unknown(format!("No {name} of {} is on record.", without.join(", ")));
    }
}

/// Which did better, an instrument or something unlisted: `gold or bitcoin this year`.
pub(super) fn beside_series(page: &Page<'_>, sheet: &mut Sheet) {
    let [one] = &page.reading.instruments[..] else {
        return;
    };
    let mut periods = periods_of_series(page);
    let own = page
        .of("performance", one.symbol.as_str())
        .and_then(|performance| {
            Some((
                performance.text("from")?,
                performance.text("to")?,
                performance.number("change_pct")?,
            ))
        });
    if let Some(own) = own.filter(|_| !periods.is_empty()) {
        periods.push((one.symbol.as_str(), own));
        over_time(periods, sheet);
    }
}

/// The performance of commodities and indices that the question names together with an instrument.
pub(super) fn periods_of_series<'a>(page: &Page<'a>) -> Vec<(&'a str, Period<'a>)> {
    let found = || {
        let (periods, named) = (page.get("period")?, page.get("commodities")?);
        let all = periods.0.as_object()?.iter();
        let of = |(code, period): (&String, &'a Value)| {
            let period = View(period);
            Some((
                named.at(code)?.text("name")?,
                (
                    period.text("from")?,
                    period.text("to")?,
                    period.number("change_pct")?,
                ),
            ))
        };
        Some(all.filter_map(of).collect())
    };
    let mut all: Vec<(&'a str, Period<'a>)> = found().unwrap_or_default();
    let market = page.get("market").map(|market| market.list("indices"));
    for symbol in super::markets::named_indices(page) {
        let mut indices = market.iter().flatten();
        let name = indices
            .find(|index| index.text("symbol") == Some(symbol))
            .and_then(|index| index.text("name"));
        let period = page.get("period").and_then(|all| all.at(symbol));
        if let Some((name, period)) = name.zip(period)
            && let (Some(from), Some(to), Some(by)) = (
                period.text("from"),
                period.text("to"),
                period.number("change_pct"),
            )
        {
            all.push((name, (from, to, by)));
        }
    }
    all
}

/// Which did best and worst in the newest session: `which of them fell most`, without a time.
fn of_day(page: &Page<'_>, newest: Option<&str>, sheet: &mut Sheet) {
    let instruments = page.reading.instruments.iter();
    let mut moved: Vec<(f64, &str)> = instruments
        .filter_map(|one| {
            let symbol = one.symbol.as_str();
            let analysis = page.of("analysis", symbol)?;
            // A session on another day is not compared.
            let is_newest = analysis.text("price_date") == newest;
            Some((analysis.number("change_pct").filter(|_| is_newest)?, symbol))
        })
        .collect();
    moved.sort_by(|left, right| right.0.total_cmp(&left.0));
    if let ([(most, first), .., (least, last)], Some(newest)) = (&moved[..], newest) {
        sheet.lead(format!(
            "On {}, from the close before: **{first}** did best with {}, **{last}** worst with {}.",
            day(newest),
            change(*most),
            change(*least)
        ));
    }
}

/// Which did better over the period that was asked about.
pub(super) fn over_time(mut known: Vec<(&str, Period<'_>)>, sheet: &mut Sheet) {
    known.sort_by(|(_, left), (_, right)| right.2.total_cmp(&left.2));
    let [
        (first, (from, to, most)),
        ..,
        (last, (other_from, other_to, least)),
    ] = known[..]
    else {
        return;
    };
    let span = |from: &str, to: &str| format!("from {} to {}", day(from), day(to));
    if (from, to) == (other_from, other_to) {
        sheet.lead(format!(
            "{}: **{first}** did best with {}, **{last}** worst with {}.",
            crate::figures::sentence(&span(from, to)).trim_end_matches('.'),
            change(most),
            change(least)
        ));
        return;
    }
    let each: Vec<String> = known
        .iter()
        .map(|(symbol, (from, to, changed))| {
            format!("**{symbol}** {} {}", change(*changed), span(from, to))
        })
        .collect();
    if to == other_to {
        sheet.lead(format!("**{first}** did best: {}.", each.join("; ")));
    } else {
        // Prices that end on different days are not ranked.
        sheet.lead(format!(
            "Their prices end on different days: {}.",
            each.join("; ")
        ));
    }
}

/// Which one the rules favour, and by how much.
fn verdict(all: &[Compared<'_>], sheet: &mut Sheet) {
    let mut scored: Vec<(u64, &str)> = all
        .iter()
        .filter_map(|one| Some((one.score?, one.symbol)))
        .collect();
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    match scored[..] {
        [(best, first), .., (last, worst)] if best > last => sheet.lead(format!(
            "By the rules of the trade signal **{first}** scores highest with {best} out of 100, **{worst}** lowest with {last}. The rules weigh technicals, sentiment, events and fundamentals; they are neither advice nor a forecast."
        )),
        [(score, _), _, ..] => sheet.lead(format!(
            "By the rules of the trade signal they stand equal, with a score of {score} out of 100."
        )),
        [(score, only)] => sheet.lead(format!(
            "Only **{only}** has a trade signal, with a score of {score} out of 100."
        )),
        [] => sheet.lead("None of them has a trade signal: too little is known."),
    }
}
