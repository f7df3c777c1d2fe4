//! The charts of a report, as data: the page draws them.

use market::indicators::rsi::rsi;
use market::{along_runs, runs};
use model::Day;

use super::analysts::sentiment;
use super::document::Block;
use super::facts::Facts;
use super::words::number;

/// How many sessions the price chart has.
const DRAWN: usize = 126;

/// Daily prices of half a year with averages and volume.
pub(super) fn prices(facts: &Facts) -> Option<Block> {
    let tail = facts.series.tail(DRAWN);
    if tail.len() < 2 {
        return None;
    }
    let closes: Vec<f64> = facts.series.0.iter().map(|bar| bar.close).collect();
    let skipped = closes.len() - tail.len();
    let days: Vec<Day> = facts.series.0.iter().map(|bar| bar.day).collect();
    let begins: Vec<usize> = runs(&days)
        .flat_map(|run| std::iter::repeat_n(run.start, run.len()))
        .collect();
    let average = |length: usize| -> Vec<Option<f64>> {
        (skipped..closes.len())
            .map(|place| {
                let from = (place + 1).checked_sub(length)?;
                let is_whole = from >= begins[place];
                is_whole.then(|| closes[from..=place].iter().sum::<f64>() / length as f64)
            })
            .collect()
    };
    let averages = [("50-day average", 50), ("200-day average", 200)]
        .into_iter()
        .filter(|(_, length)| closes.len() >= *length)
        .map(|(name, length)| (name.to_owned(), average(length)))
        .collect();
    let rsi = along_runs(&days, &closes, rsi).split_off(skipped);
    Some(Block::Prices {
        title: format!("{}, daily", facts.ticker),
        bars: tail
            .iter()
            .map(|bar| {
                (
                    bar.day.get(),
                    bar.open,
                    bar.high,
                    bar.low,
                    bar.close,
                    bar.volume,
                )
            })
            .collect(),
        averages,
        rsi,
    })
}

/// The most quarters to draw.
const QUARTERS: usize = 8;

/// Revenue and earnings per share by quarter, as far as they have been reported.
pub(super) fn quarters(facts: &Facts) -> Option<Block> {
    let statements = facts.of("statements");
    let rows = statements.list("statements");
    let rows: Vec<_> = rows.iter().take(QUARTERS).rev().collect();
    let currency = statements.text("currency").unwrap_or("USD");
    let column =
        |field: &str| -> Vec<Option<f64>> { rows.iter().map(|row| row.number(field)).collect() };
    let panels: Vec<(String, bool, Vec<Option<f64>>)> = [
        (format!("Revenue, {currency}"), true, column("revenue")),
        (
            format!("Earnings a share, {currency}"),
            false,
            column("eps"),
        ),
    ]
    .into_iter()
    .filter(|(_, _, values)| values.iter().flatten().count() >= 2)
    .collect();
    let periods = rows.iter().map(|row| {
        let end = row.text("period_end").and_then(Day::parse);
        end.map_or_else(String::new, |end| {
            format!("{} {}", &end.month_name()[..3], end.date().year())
        })
    });
    (!panels.is_empty()).then(|| Block::Quarters {
        title: format!("{}, by quarter", facts.name),
        periods: periods.collect(),
        panels,
    })
}

/// Sentiment by day.
pub(super) fn sentiment(facts: &Facts) -> Option<Block> {
    let points: Vec<(i32, f64)> = sentiment::days(facts)
        .into_iter()
        .filter_map(|(date, score, _)| Some((Day::parse(date)?.get(), score)))
        .collect();
    (points.len() > 2).then(|| Block::Line {
        title: format!("Sentiment towards {} by day, 0 to 1", facts.ticker),
        lines: vec![("Sentiment".to_owned(), points)],
        is_indexed: false,
    })
}

/// Price-earnings ratios side by side.
pub(super) fn peers(facts: &Facts) -> Option<Block> {
    let own = facts
        .of("financials")
        .number("pe_ratio")
        .map(|ratio| (facts.ticker.clone(), ratio, number(ratio, 1), true));
    let others = facts.peers.iter().filter_map(|peer| {
        let ratio = peer.pe?;
        Some((peer.ticker.clone(), ratio, number(ratio, 1), false))
    });
    let mut bars: Vec<_> = own.into_iter().chain(others.take(6)).collect();
    bars.sort_by(|left, right| right.1.total_cmp(&left.1));
    (bars.len() >= 3).then(|| Block::Bars {
        title: "Price over earnings of twelve months".to_owned(),
        bars,
    })
}

/// The market and the subject, both starting at 100 a year ago.
pub(super) fn beside_market(facts: &Facts) -> Option<Block> {
    let own = facts.series.tail(252);
    let from = own.first()?.day;
    let line = |name: &str, bars: &[super::series::Bar]| {
        let points = bars
            .iter()
            .filter(|bar| bar.day >= from)
            .map(|bar| (bar.day.get(), bar.close));
        (name.to_owned(), points.collect::<Vec<_>>())
    };
    (facts.market.len() > 60 && facts.ticker != super::facts::MARKET).then(|| Block::Line {
        title: format!("{} and {}, from 100", facts.ticker, super::facts::MARKET),
        lines: vec![
            line(&facts.ticker, own),
            line(super::facts::MARKET, facts.market.tail(252)),
        ],
        is_indexed: true,
    })
}
