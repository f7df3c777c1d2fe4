//! The fundamental analyst: what the company earns and owes, what it costs, and what insiders, analysts and holders do. Of a fund
//! and a coin, what there is instead.

mod disclosed;
mod earnings;
mod without_company;

use disclosed::{congress, filings, holders, insiders, open_market, street};
pub(in crate::reports) use earnings::next_report;
use earnings::track_record;
use without_company::{coin, fund};

use crate::reports::analysts::technical::joined;
use crate::reports::charts;
use crate::reports::document::Block;
use crate::reports::facts::{Facts, Kind, Peer};
use crate::reports::finding::{Draft, Reading, Topic};
use crate::reports::words::{amount, count, date, number, pct, signed};
use crate::view::View;

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
    draft.say(business(facts).unwrap_or_default());
    draft.say(joined(valuation(facts), balance(facts)));
    if let Some(table) = peer_table(facts) {
        draft.show(table);
    }
    draft.turn();
    if let Some(chart) = charts::peers(facts) {
        draft.show(chart);
    }
    let reports = joined(track_record(facts), next_report(facts, true));
    if track_record(facts).is_some() || facts.of("analysts").number("avg_target").is_none() {
        draft.say(reports);
    } else {
        // Without a record of its own it belongs to what analysts expect.
        draft.say(joined(Some(reports), street(facts)));
    }
    draft.turn();
    if track_record(facts).is_some() {
        draft.say(street(facts).unwrap_or_default());
    }
    draft.say(insiders(facts).unwrap_or_default());
    draft.say(holders(facts).unwrap_or_default());
    draft.say(congress(facts).unwrap_or_default());
    draft
        .blocks
        .extend(Block::paragraph(std::mem::take(&mut draft.sentences)));
    draft.blocks.extend(filings(facts));
}

/// The arguments of figures, ratings and insiders.
pub(in crate::reports) fn findings(facts: &Facts, draft: &mut Draft) {
    let financials = facts.of("financials");
    let peers = median(facts.peers.iter().filter_map(|peer| peer.pe));
    let ratio = financials.number("pe_ratio");
    let margin = financials.number("profit_margin");
    if draft.asks(ratio.is_some() || margin.is_some()) {
        match (ratio, peers) {
            (Some(ratio), Some(peers)) => {
                let gap = (ratio / peers - 1.0) * 100.0;
                let word = if gap >= 0.0 { "above" } else { "below" };
                let dearer = facts
                    .peers
                    .iter()
                    .filter(|peer| peer.pe.is_some_and(|pe| pe > ratio))
                    .count();
                let rank = match dearer {
                    0 => ", more than any of them".to_owned(),
                    all if all == facts.peers.iter().filter(|peer| peer.pe.is_some()).count() => {
                        ", less than all of them".to_owned()
                    }
                    _ => String::new(),
                };
                draft.find(Topic::Valuation, -gap / 80.0, format!("at {ratio:.1} times earnings it costs {} {word} the median of its peers{rank}", pct(gap)));
            }
            (Some(ratio), None) => {
                let lean = ((22.0 - ratio) / 30.0).clamp(-0.6, 0.4);
                let yields = facts.of("yields").list("yields");
                let ten = yields
                    .iter()
                    .find(|one| one.text("maturity") == Some("10y"))
                    .and_then(|one| one.number("yield_pct"));
                let beside = ten.map_or_else(String::new, |ten| match 100.0 / ratio - ten {
                    1.0.. => format!(
                        ", an earnings yield well over the {} of Treasuries",
                        pct(ten)
                    ),
                    -0.5.. => format!(", about what Treasuries yield ({})", pct(ten)),
                    _ => format!(", which earns less than Treasuries pay ({})", pct(ten)),
                });
                draft.find(
                    Topic::Valuation,
                    lean,
                    format!("it costs {ratio:.1} times the earnings of twelve months{beside}"),
                );
            }
            (None, _) => {}
        }
        if let Some(margin) = margin {
            let rest = median(facts.peers.iter().filter_map(|peer| peer.margin));
            let clause = match (margin, rest) {
                (..0.0, _) => format!("it loses {} of its revenue", pct(margin)),
                (_, Some(rest)) if margin > rest + 3.0 => format!(
                    "it keeps {} of its revenue as profit where its peers keep {}",
                    pct(margin),
                    pct_of(rest)
                ),
                (_, Some(rest)) if margin < rest - 3.0 => format!(
                    "of its revenue {} is profit, and its peers make {}",
                    pct(margin),
                    pct_of(rest)
                ),
                (_, Some(_)) => format!(
                    "its margin of {} is in line with that of its peers",
                    pct(margin)
                ),
                (..6.0, None) => format!("a margin of {} leaves little room", pct(margin)),
                (6.0..18.0, None) => format!("it earns {} of its revenue", pct(margin)),
                (_, None) => format!("as much as {} of its revenue is profit", pct(margin)),
            };
            draft.find(Topic::Business, (margin - 8.0) / 25.0, clause);
        }
    }
    if let Some(debt) = financials.number("debt_to_equity") {
        let lean = if debt < 0.0 {
            -0.6
        } else {
            ((1.0 - debt) / 3.0).clamp(-0.6, 0.3)
        };
        let paid = financials
            .number("dividend_yield")
            .filter(|paid| *paid >= 1.5);
        let clause = match (debt, paid) {
            (..0.0, _) => "its equity is negative".to_owned(),
            (..0.3, Some(paid)) => format!(
                "it owes almost nothing ({debt:.2} times equity) and pays {} a year",
                pct(paid)
            ),
            (..0.3, None) => format!("it owes almost nothing ({debt:.2} times equity)"),
            (..1.0, Some(paid)) => format!(
                "with debt of {debt:.2} times equity its dividend of {} looks safe",
                pct(paid)
            ),
            (..1.0, None) => format!("debt is contained at {debt:.2} times equity"),
            (_, Some(paid)) => format!(
                "it pays {} a year while it owes {debt:.1} times its equity",
                pct(paid)
            ),
            (_, None) => format!("it owes {debt:.1} times its equity"),
        };
        draft.find(Topic::Balance, lean, clause);
    }
    let target = facts.of("analysts").number("avg_target");
    if draft.asks(target.is_some())
        && let (Some(target), Some(last)) = (target, facts.series.last())
    {
        let gap = (target / last.close - 1.0) * 100.0;
        let word = if gap >= 0.0 { "above" } else { "below" };
        let reach = facts
            .of("analysts")
            .number("high_target")
            .zip(facts.of("analysts").number("low_target"));
        let all = match reach {
            Some((_, low)) if low > last.close => {
                ", and even the lowest target is higher".to_owned()
            }
            Some((high, _)) if high < last.close => {
                ", and even the highest target is lower".to_owned()
            }
            Some((high, low)) if (high - low) / last.close > 0.5 => format!(
                ", though single targets range from {} to {}",
                facts.price(low),
                facts.price(high)
            ),
            _ => String::new(),
        };
        draft.find(
            Topic::Street,
            gap / 30.0,
            format!(
                "the analysts' average target of {} lies {} {word} the price{all}",
                facts.price(target),
                pct(gap)
            ),
        );
    }
    let (bought, sold) = open_market(facts);
    let has_trades = !bought.is_empty() || !sold.is_empty();
    draft.asks(has_trades || !facts.of("insider").list("insider_trades").is_empty());
    if has_trades {
        let worth = |trades: &[View<'_>]| {
            trades
                .iter()
                .filter_map(|one| one.number("value"))
                .sum::<f64>()
        };
        let (worth_bought, worth_sold) = (worth(&bought), worth(&sold));
        if bought.is_empty() {
            draft.find(
                Topic::Insiders,
                -0.25,
                format!(
                    "insiders sold for {} and bought nothing",
                    amount(worth_sold, "USD")
                ),
            );
        } else {
            let lean = if worth_bought >= worth_sold { 0.5 } else { 0.1 };
            draft.find(
                Topic::Insiders,
                lean,
                format!(
                    "insiders bought for {} of their own money",
                    amount(worth_bought, "USD")
                ),
            );
        }
    }
}

fn business(facts: &Facts) -> Option<String> {
    let financials = facts.of("financials");
    let (cap, revenue) = (
        financials.number("market_cap"),
        financials.number("revenue"),
    );
    let margin = financials.number("profit_margin");
    let until = financials.text("period_end").map(date);
    let sector = facts.sector.as_deref().map(str::to_lowercase);
    let own = cap.map(|cap| cap / 1e9);
    let larger = own.map(|own| {
        facts
            .peers
            .iter()
            .filter_map(|peer| peer.cap)
            .filter(|cap| *cap > own)
            .count()
    });
    let known = facts.peers.iter().filter(|peer| peer.cap.is_some()).count();
    let size = match (cap, larger) {
        (Some(cap), Some(0)) if known >= 3 => format!(
            "{}, worth {}, is the largest of the {} companies compared here",
            facts.name,
            amount(cap, "USD"),
            count(known + 1)
        ),
        (Some(cap), Some(larger)) if known >= 3 && larger == known => format!(
            "{} is the smallest of the {} companies compared here, at {}",
            facts.name,
            count(known + 1),
            amount(cap, "USD")
        ),
        (Some(cap), Some(larger)) if known >= 3 => format!(
            "With {}, {} ranks {} by value among {} companies{}",
            amount(cap, "USD"),
            facts.name,
            place(larger + 1),
            count(known + 1),
            sector
                .as_deref()
                .map_or_else(String::new, |sector| format!(" of {sector}"))
        ),
        (Some(cap), _) => format!("{} is worth {}", facts.name, amount(cap, "USD")),
        (None, _) if revenue.is_none() => return None,
        (None, _) => match &sector {
            Some(sector) => format!("{} belongs to {sector}", facts.name),
            None => facts.name.clone(),
        },
    };
    let earns = match (revenue, margin, until) {
        (Some(revenue), Some(margin), Some(until)) => {
            let turnover = amount(revenue, "USD");
            match margin {
                ..-20.0 => format!(
                    "; on revenue of {turnover} in the twelve months to {until} it lost {} of every dollar taken in",
                    pct(margin)
                ),
                ..0.0 => format!(
                    "; the twelve months to {until} brought {turnover} of revenue and a loss of {} of it",
                    pct(margin)
                ),
                ..5.0 => format!(
                    "; of {turnover} in revenue to {until} a thin {} was left as profit",
                    pct(margin)
                ),
                ..12.0 => format!(
                    "; it kept {} of {turnover} in revenue over the twelve months to {until}",
                    pct(margin)
                ),
                ..22.0 => format!(
                    "; it earns well, {} of {turnover} in the twelve months to {until}",
                    pct(margin)
                ),
                _ => format!(
                    "; a margin of {} on {turnover} (twelve months to {until}) is exceptional",
                    pct(margin)
                ),
            }
        }
        (Some(revenue), None, Some(until)) => format!(
            "; revenue came to {} in the twelve months to {until}",
            amount(revenue, "USD")
        ),
        _ => String::new(),
    };
    let beside = margin
        .zip(median(facts.peers.iter().filter_map(|peer| peer.margin)))
        .map_or_else(String::new, |(own, peers)| match own - peers {
            6.0.. => format!(
                ", well above the {} that its peers manage in the middle",
                pct_of(peers)
            ),
            1.5.. => format!(
                ", somewhat more than its peers' median of {}",
                pct_of(peers)
            ),
            -1.5.. => format!(", much like its peers ({} in the median)", pct_of(peers)),
            -6.0.. => format!(", short of its peers' median of {}", pct_of(peers)),
            _ => format!(", far from the {} of its peers", pct_of(peers)),
        });
    Some(format!("{size}{earns}{beside}."))
}

/// A share with its sign only where it is negative.
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

fn valuation(facts: &Facts) -> Option<String> {
    let financials = facts.of("financials");
    let last = facts.series.last()?.close;
    let Some(ratio) = financials.number("pe_ratio") else {
        let eps = financials.number("eps")?;
        return Some(format!(
            "With earnings of {} a share there is no price-earnings ratio to quote, so that the case rests on what the losses turn into.",
            facts.price(eps)
        ));
    };
    let peers: Vec<&Peer> = facts
        .peers
        .iter()
        .filter(|peer| peer.pe.is_some())
        .collect();
    let text = match median(peers.iter().filter_map(|peer| peer.pe)) {
        Some(middle) if peers.len() >= 3 => {
            let gap = (ratio / middle - 1.0) * 100.0;
            let dearer = peers
                .iter()
                .filter(|peer| peer.pe.is_some_and(|pe| pe > ratio))
                .count();
            match gap {
                60.0.. => format!(
                    "At {ratio:.1} times earnings it is priced far above its peers, whose median is {middle:.1}"
                ),
                15.0.. => format!(
                    "Its {ratio:.1} times earnings is a premium of {} on the {middle:.1} of its peers",
                    pct(gap)
                ),
                -15.0.. => format!(
                    "At {ratio:.1} times earnings it costs about what its peers do ({middle:.1}), {} of {} of which are dearer",
                    count(dearer),
                    count(peers.len())
                ),
                -45.0.. => format!(
                    "The market pays {ratio:.1} times earnings for it and {middle:.1} for its peers, a discount of {}",
                    pct(gap)
                ),
                _ => format!(
                    "It is cheap beside its peers, {ratio:.1} times earnings against {middle:.1}, which asks for a reason"
                ),
            }
        }
        _ => format!("It costs {ratio:.1} times the earnings of twelve months"),
    };
    let yields = facts.of("yields").list("yields");
    let ten = yields
        .iter()
        .find(|one| one.text("maturity") == Some("10y"))
        .and_then(|one| one.number("yield_pct"));
    let earned = 100.0 / ratio;
    let bonds = ten.map_or_else(String::new, |ten| match earned - ten {
        2.0.. => format!("; an earnings yield of {} pays clearly more than the {} of ten-year Treasuries", pct(earned), pct(ten)),
        0.3.. => format!("; its earnings yield, {}, is a little above the ten-year Treasury's {}", pct(earned), pct(ten)),
        -0.3.. => format!("; its earnings yield equals what ten-year Treasuries pay ({})", pct(ten)),
        -2.0.. => format!("; {} of earnings yield is less than the {} of ten-year Treasuries, so growth has to make up the rest", pct(earned), pct(ten)),
        _ => format!("; earning {} where Treasuries pay {}, it is priced for growth that has yet to come", pct(earned), pct(ten)),
    });
    let high = financials
        .number("fifty_two_week_high")
        .map_or_else(String::new, |high| {
            let gap = (last / high - 1.0) * 100.0;
            match gap {
                -5.0.. | -15.0.. => String::new(),
                _ => format!(
                    ", and that after a fall of {} from its 52-week high",
                    pct(gap)
                ),
            }
        });
    Some(format!("{text}{bonds}{high}."))
}

fn balance(facts: &Facts) -> Option<String> {
    let financials = facts.of("financials");
    let debt = financials.number("debt_to_equity")?;
    let text = match debt {
        ..0.0 => {
            "Equity is negative: liabilities exceed what the books say the company owns".to_owned()
        }
        ..0.15 => format!("It owes next to nothing (debt {debt:.2} times equity)"),
        ..0.6 => format!("Debt is modest at {debt:.2} times equity"),
        ..1.2 => format!("Debt and equity are of a similar size ({debt:.2} to one)"),
        ..2.5 => {
            format!("Debt of {debt:.2} times equity leaves it exposed to what borrowing costs")
        }
        _ => format!("Leverage is high, {debt:.1} times equity"),
    };
    let yields = financials
        .number("dividend_yield")
        .filter(|paid| *paid > 0.0);
    let paid = match yields {
        Some(paid @ 4.0..) => format!(
            "; the dividend, {} of the price, is a large part of what holders get",
            pct(paid)
        ),
        Some(paid @ 1.5..) => format!("; holders receive {} a year in dividends", pct(paid)),
        Some(paid) => format!("; a dividend of {} is a token", pct(paid)),
        None => String::new(),
    };
    let beta = financials
        .number("beta")
        .map_or_else(String::new, |beta| match beta {
            1.4.. => format!(", and a beta of {beta:.2} makes it a bet on the market as well"),
            ..0.6 => {
                format!(", and with a beta of {beta:.2} it carries little of the market's risk")
            }
            _ => String::new(),
        });
    Some(format!("{text}{paid}{beta}."))
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

/// The middle of some values.
pub(in crate::reports) fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    crate::reports::series::quantile(&values, 0.5)
}
