//! What the company earns, costs, owes and pays out, compared with its peers and with Treasuries.

use super::{median, pct_of, place};
use crate::reports::facts::Facts;
use crate::reports::points::{Point, Theme};
use crate::reports::words::{amount, count, date, pct};

pub(super) fn points(facts: &Facts) -> Vec<Point> {
    let business = [
        size(facts),
        profit(facts),
        valuation(facts),
        earnings_yield(facts),
    ];
    let balance = [debt(facts), payout(facts), market_risk(facts)];
    let of = |theme: Theme| {
        move |(side, weight, clause): (f64, f64, String)| Point::new(theme, side, weight, clause)
    };
    business
        .into_iter()
        .flatten()
        .map(of(Theme::Business))
        .chain(balance.into_iter().flatten().map(of(Theme::Balance)))
        .collect()
}

/// Side, weight and clause.
type Found = Option<(f64, f64, String)>;

/// Its rank by value, if it is first, last or next to one of them.
fn size(facts: &Facts) -> Found {
    let own = facts.of("financials").number("market_cap")? / 1e9;
    let mut peers: Vec<(f64, &str)> = facts
        .peers
        .iter()
        .filter_map(|peer| Some((peer.cap?, &*peer.name)))
        .collect();
    if peers.len() < 3 {
        return None;
    }
    peers.sort_by(|left, right| right.0.total_cmp(&left.0));
    let larger = peers.iter().filter(|(cap, _)| *cap > own).count();
    let all = count(peers.len() + 1);
    let next = peers.get(larger);
    Some(match (larger, next) {
        (0, Some((cap, name))) if own > cap * 2.0 => (
            1.0,
            0.55,
            format!(
                "it is worth {:.1} times as much as {name}, the next of the {all} companies compared here",
                own / cap
            ),
        ),
        (0, Some((_, name))) => (
            1.0,
            0.5,
            format!("it is the largest of the {all} companies compared here, ahead of {name}"),
        ),
        (larger, None) => {
            let (cap, name) = peers[larger - 1];
            (
                -1.0,
                0.5,
                format!(
                    "it is the smallest of the {all} companies compared here, after {name} at {}",
                    amount(cap * 1e9, "USD")
                ),
            )
        }
        (larger, Some((_, name))) => (
            0.0,
            0.08,
            format!(
                "by value it ranks {} of {all}, between {} and {name}",
                place(larger + 1),
                peers[larger - 1].1
            ),
        ),
    })
}

/// What is left of its revenue, compared with its peers.
fn profit(facts: &Facts) -> Found {
    let financials = facts.of("financials");
    let (revenue, margin) = (
        financials.number("revenue")?,
        financials.number("profit_margin")?,
    );
    let until = date(financials.text("period_end")?);
    let turnover = amount(revenue, "USD");
    let peers = median(facts.peers.iter().filter_map(|peer| peer.margin));
    let gap = peers.map(|peers| margin - peers);
    let beside = match (gap, peers) {
        (Some(10.0..), Some(peers)) => {
            format!(", a class above the {} of its peers", pct_of(peers))
        }
        (Some(2.0..), Some(peers)) => format!(", more than the {} of its peers", pct_of(peers)),
        (Some(-2.0..), Some(_)) => ", much as its peers do".to_owned(),
        (Some(-8.0..), Some(peers)) => format!(", less than the {} of its peers", pct_of(peers)),
        (Some(_), Some(peers)) => format!(", far short of the {} of its peers", pct_of(peers)),
        _ => String::new(),
    };
    let clause = match margin {
        ..-20.0 => format!(
            "of every dollar of its {turnover} in revenue it lost {:.0} cents in the twelve months to {until}",
            margin.abs()
        ),
        ..0.0 => format!(
            "it lost money in the twelve months to {until}, {} of {turnover} in revenue{beside}",
            pct(margin)
        ),
        ..5.0 => format!(
            "it keeps a thin {} of {turnover} in revenue{beside}",
            pct(margin)
        ),
        ..20.0 => format!(
            "it keeps {} of {turnover} in revenue as profit{beside}",
            pct(margin)
        ),
        _ => format!(
            "it keeps a rich {} of {turnover} in revenue as profit{beside}",
            pct(margin)
        ),
    };
    let weight = 0.25 + gap.map_or(0.0, |gap| gap.abs() / 40.0) + (margin - 9.0).abs() / 80.0;
    Some((gap.unwrap_or(margin - 5.0), weight.min(0.8), clause))
}

/// Its price compared with that of its peers.
fn valuation(facts: &Facts) -> Found {
    let financials = facts.of("financials");
    let Some(ratio) = financials.number("pe_ratio") else {
        let eps = financials.number("eps").filter(|eps| *eps <= 0.0)?;
        return Some((
            -1.0,
            0.5,
            format!(
                "a loss of {} a share leaves no price-earnings ratio to quote",
                facts.price(eps.abs())
            ),
        ));
    };
    let mut peers: Vec<(f64, &str)> = facts
        .peers
        .iter()
        .filter_map(|peer| Some((peer.pe?, &*peer.name)))
        .collect();
    let middle = median(peers.iter().map(|(ratio, _)| *ratio)).filter(|_| peers.len() >= 3)?;
    peers.sort_by(|left, right| left.0.total_cmp(&right.0));
    let (cheapest, dearest) = (peers[0], peers[peers.len() - 1]);
    let gap = (ratio / middle - 1.0) * 100.0;
    let clause = match gap {
        60.0.. if ratio > dearest.0 => format!(
            "at {ratio:.1} times earnings it is dearer than any of its peers, even {} at {:.1}",
            dearest.1, dearest.0
        ),
        60.0.. => format!(
            "at {ratio:.1} times earnings it costs far more than its peers in the middle ({middle:.1})"
        ),
        _ if ratio > dearest.0 => format!(
            "it is the dearest of its peers at {ratio:.1} times earnings, just above {}",
            dearest.1
        ),
        15.0.. => format!(
            "its {ratio:.1} times earnings is a premium of {} on its peers",
            pct(gap)
        ),
        _ if ratio < cheapest.0 => format!(
            "at {ratio:.1} times earnings it is cheaper than any of its peers, even {} at {:.1}",
            cheapest.1, cheapest.0
        ),
        -15.0.. => format!("at {ratio:.1} times earnings it is priced as its peers are"),
        -45.0.. => format!(
            "at {ratio:.1} times earnings it sells at a discount of {} to its peers",
            pct(gap)
        ),
        _ => format!(
            "its {ratio:.1} times earnings is less than half of what its peers cost in the middle, {middle:.1}"
        ),
    };
    let clause = if gap < -45.0 && ratio >= middle / 2.0 && ratio >= cheapest.0 {
        format!("it is cheap beside its peers, at {ratio:.1} times earnings against {middle:.1}")
    } else {
        clause
    };
    Some((-gap, (0.2 + gap.abs() / 90.0).min(0.8), clause))
}

/// Its earnings yield compared with ten-year Treasuries.
fn earnings_yield(facts: &Facts) -> Found {
    // A past price is not comparable with a current yield.
    if facts.has_old_price() || facts.undated_figures().is_some() {
        return None;
    }
    let ratio = facts.of("financials").number("pe_ratio")?;
    let ten = super::ten_year(facts)?;
    let earned = 100.0 / ratio;
    let clause = match earned - ten {
        2.0.. => format!(
            "its earnings yield of {} is well above the {} of ten-year Treasuries",
            pct(earned),
            pct(ten)
        ),
        0.5.. => format!(
            "its earnings yield of {} is a little above what ten-year Treasuries pay",
            pct(earned)
        ),
        -0.5.. => return None,
        -2.0.. => format!(
            "it earns {} on its price where ten-year Treasuries pay {}",
            pct(earned),
            pct(ten)
        ),
        _ => format!(
            "with an earnings yield of {} against {} on Treasuries it is priced for growth that has yet to come",
            pct(earned),
            pct(ten)
        ),
    };
    Some((earned - ten, 0.15 + (earned - ten).abs() / 10.0, clause))
}

fn debt(facts: &Facts) -> Found {
    let debt = facts.of("financials").number("debt_to_equity")?;
    Some(match debt {
        ..0.0 => (
            -1.0,
            0.7,
            "its equity is negative, which means that it owes more than it owns on paper"
                .to_owned(),
        ),
        ..0.12 => (
            1.0,
            0.45,
            format!("it owes next to nothing ({debt:.2} times equity)"),
        ),
        ..0.35 => (
            1.0,
            0.25,
            format!("its debt is light at {debt:.2} times equity"),
        ),
        ..1.0 => (
            0.0,
            0.1,
            format!("its debt is moderate at {debt:.2} times equity"),
        ),
        ..2.0 => (
            -1.0,
            0.35,
            format!("its debt of {debt:.1} times equity leaves it exposed to what borrowing costs"),
        ),
        _ => (
            -1.0,
            0.6,
            format!("its leverage is high at {debt:.1} times equity"),
        ),
    })
}

fn payout(facts: &Facts) -> Found {
    let paid = facts
        .of("financials")
        .number("dividend_yield")
        .filter(|paid| *paid > 0.0)?;
    let ten = super::ten_year(facts).unwrap_or(4.0);
    Some(match paid {
        paid if paid > ten => (
            1.0,
            0.6,
            format!(
                "its dividend of {} is more than ten-year Treasuries pay",
                pct(paid)
            ),
        ),
        3.5.. => (
            1.0,
            0.45,
            format!(
                "its dividend of {} is a large part of what holders get",
                pct(paid)
            ),
        ),
        2.0.. => (
            1.0,
            0.25,
            format!("it pays {} a year in dividends", pct(paid)),
        ),
        _ => (0.0, 0.05, format!("its dividend of {} is small", pct(paid))),
    })
}

/// A beta that is far from one.
fn market_risk(facts: &Facts) -> Found {
    match facts.of("financials").number("beta")? {
        beta @ 1.6.. => Some((
            -1.0,
            0.4,
            format!("its beta of {beta:.1} makes it a bet on the market as well"),
        )),
        beta @ ..0.5 => Some((
            1.0,
            0.35,
            format!("its beta of {beta:.1} keeps most of the market's risk away"),
        )),
        _ => None,
    }
}
