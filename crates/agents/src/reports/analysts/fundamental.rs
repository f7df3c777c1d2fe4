//! The fundamental analyst: what the company earns and owes, what it costs, and what insiders, analysts and holders do.
//! For a fund or a coin, whatever there is instead.

mod arguments;
mod company;
mod disclosed;
mod earnings;
mod without_company;

pub(in crate::reports) use arguments::findings;
pub(in crate::reports) use earnings::next_report;

use disclosed::filings;
use without_company::{coin, fund};

use crate::reports::charts;
use crate::reports::document::{Block, Sentence};
use crate::reports::facts::{Facts, Kind};
use crate::reports::finding::{Draft, Reading};
use crate::reports::points::{named, sentences};
use crate::reports::words::{amount, date, number, pct, signed};

pub(in crate::reports) fn read(facts: &mut Facts) -> Reading {
    let mut draft = Draft::default();
    match facts.kind {
        Kind::Share => share(facts, &mut draft),
        Kind::Fund => fund(facts, &mut draft),
        Kind::Coin => coin(facts, &mut draft),
    }
    draft.finish("fundamental", "Fundamental analysis")
}

fn share(facts: &mut Facts, draft: &mut Draft) {
    findings(facts, draft);
    for sentence in business(facts, 3) {
        draft.say(sentence);
    }
    draft.turn();
    draft.blocks.extend(peer_table(facts));
    draft.blocks.extend(charts::peers(facts));
    let mut points = earnings::points(facts);
    points.extend(disclosed::points(facts));
    for sentence in sentences(points, 1, 4) {
        draft.say(sentence);
    }
    draft.turn();
    draft.blocks.extend(figures(facts));
    draft.blocks.extend(charts::quarters(facts));
    draft.blocks.extend(filings(facts));
}

/// What stands out in its earnings, valuation, debts and payouts.
fn business(facts: &Facts, most: usize) -> Vec<Sentence> {
    named(sentences(company::points(facts), 2, most), &facts.name)
}

/// The same including its reports, for a report without a section of its own.
pub(in crate::reports) fn company_and_reports(facts: &Facts, most: usize) -> Vec<Sentence> {
    let mut points = company::points(facts);
    points.extend(earnings::past(facts));
    named(sentences(points, 2, most), &facts.name)
}

/// What there is to say about a fund or a coin instead.
pub(in crate::reports) fn instead(facts: &Facts) -> Vec<Sentence> {
    let mut draft = Draft::default();
    match facts.kind {
        Kind::Share => {}
        Kind::Fund => fund(facts, &mut draft),
        Kind::Coin => coin(facts, &mut draft),
    }
    draft.sentences
}

/// The ordinary figures of the company.
fn figures(facts: &Facts) -> Option<Block> {
    let financials = facts.of("financials");
    let until = financials
        .text("period_end")
        .map_or_else(String::new, |end| format!("twelve months to {}", date(end)));
    let mut rows: Vec<[String; 3]> = Vec::new();
    let mut add = |label: &str, value: Option<String>, note: String| {
        if let Some(value) = value {
            rows.push([label.to_owned(), value, note]);
        }
    };
    add(
        "Revenue",
        financials
            .number("revenue")
            .map(|revenue| amount(revenue, "USD")),
        until.clone(),
    );
    add(
        "Earnings a share",
        financials.number("eps").map(|eps| facts.price(eps)),
        until,
    );
    add(
        "Debt to equity",
        financials
            .number("debt_to_equity")
            .map(|debt| format!("{debt:.2}")),
        String::new(),
    );
    add(
        "Dividend yield",
        financials.number("dividend_yield").map(pct),
        String::new(),
    );
    let history = facts.of("whole").list("earnings/surprise_history");
    let latest = history.first();
    add(
        "Last report",
        latest
            .and_then(|one| one.number("surprise_pct"))
            .map(|surprise| format!("{} against estimates", signed(surprise))),
        latest
            .and_then(|one| one.text("date"))
            .map(date)
            .unwrap_or_default(),
    );
    let earnings = facts.of("earnings");
    let status = match earnings.text("earnings_status") {
        Some("confirmed") => "confirmed",
        _ => "estimated from earlier dates",
    };
    add(
        "Next report",
        earnings.text("earnings_date").map(date),
        status.to_owned(),
    );
    add(
        "Expected for it",
        earnings
            .number("eps_estimate")
            .map(|eps| format!("{} a share", facts.price(eps))),
        earnings
            .text("fiscal_quarter")
            .unwrap_or_default()
            .to_owned(),
    );
    let analysts = facts.of("analysts");
    let reach = analysts
        .number("low_target")
        .zip(analysts.number("high_target"));
    add(
        "Analysts' target",
        analysts
            .number("avg_target")
            .map(|target| facts.price(target)),
        reach.map_or_else(String::new, |(low, high)| {
            if low < high {
                format!("{} to {}", facts.price(low), facts.price(high))
            } else {
                "all the same, or a single one".to_owned()
            }
        }),
    );
    (rows.len() > 1).then(|| Block::Table {
        caption: "The company in figures".to_owned(),
        head: ["Measure", "Value", "Of"].map(str::to_owned).to_vec(),
        rows: rows
            .into_iter()
            .map(crate::reports::document::filled)
            .collect(),
    })
}

/// The yield of ten-year Treasuries, in percent.
fn ten_year(facts: &Facts) -> Option<f64> {
    let yields = facts.of("yields").list("yields");
    yields
        .iter()
        .find(|one| one.text("maturity") == Some("10y"))
        .and_then(|one| one.number("yield_pct"))
}

/// A percentage with its sign only if it is negative.
fn pct_of(value: f64) -> String {
    if value < 0.0 {
        signed(value)
    } else {
        pct(value)
    }
}

fn place(number: usize) -> String {
    const WORDS: [&str; 11] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
        "tenth", "eleventh",
    ];
    WORDS
        .get(number - 1)
        .map_or_else(|| format!("{number}th"), |word| (*word).to_owned())
}

fn peer_table(facts: &Facts) -> Option<Block> {
    if facts.peers.len() < 2 {
        return None;
    }
    let financials = facts.of("financials");
    let shown = |value: Option<f64>, show: &dyn Fn(f64) -> String| {
        value.map_or_else(|| "–".to_owned(), show)
    };
    let own = vec![
        format!("{} ({})", facts.name, facts.ticker),
        shown(financials.number("market_cap"), &|cap| amount(cap, "USD")),
        shown(financials.number("pe_ratio"), &|ratio| number(ratio, 1)),
        shown(financials.number("profit_margin"), &pct_of),
        shown(facts.of("record").number("price/change_pct"), &signed),
        shown(facts.of("technicals").number("latest/rsi_14"), &|rsi| {
            number(rsi, 0)
        }),
        shown(facts.of("record").number("sentiment_score"), &|score| {
            format!("{score:.2}")
        }),
    ];
    let peers = facts.peers.iter().take(6).map(|peer| {
        vec![
            format!("{} ({})", peer.name, peer.ticker),
            shown(peer.cap, &|cap| amount(cap * 1e9, "USD")),
            shown(peer.pe, &|ratio| number(ratio, 1)),
            shown(peer.margin, &pct_of),
            shown(peer.change_pct, &signed),
            shown(peer.rsi, &|rsi| number(rsi, 0)),
            shown(peer.sentiment, &|score| format!("{score:.2}")),
        ]
    });
    let head = [
        "Company",
        "Value",
        "P/E",
        "Margin",
        "Day",
        "RSI",
        "Sentiment",
    ]
    .map(str::to_owned)
    .to_vec();
    let rows: Vec<Vec<String>> = std::iter::once(own).chain(peers).collect();
    // A column of dashes says nothing.
    let kept: Vec<usize> = (0..head.len())
        .filter(|column| rows.iter().any(|row| row[*column] != "–"))
        .collect();
    let of = |cells: &[String]| {
        kept.iter()
            .map(|column| cells[*column].clone())
            .collect::<Vec<_>>()
    };
    Some(Block::Table {
        caption: "Beside its peers".to_owned(),
        head: of(&head),
        rows: rows.iter().map(|row| of(row)).collect(),
    })
}

/// The median of some values.
pub(in crate::reports) fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    crate::reports::series::quantile(&values, 0.5)
}
