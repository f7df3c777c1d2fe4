//! Arguments from figures, ratings and insiders for and against a company.

use super::disclosed::open_market;
use super::{median, pct_of, ten_year};
use crate::reports::facts::Facts;
use crate::reports::finding::{Draft, Topic};
use crate::reports::words::{amount, pct};
use crate::view::View;

/// The percentage above the median of its peers from which a price is given as a multiple of it.
const TWICE: f64 = 100.0;

/// Insider trades worth less than this, in dollars, are not an argument.
const MATERIAL: f64 = 100_000.0;

/// The arguments from figures, ratings and insiders.
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
                let text = if gap >= TWICE {
                    format!(
                        "at {ratio:.1} times earnings it costs {:.1} times the median of its peers{rank}",
                        ratio / peers
                    )
                } else {
                    format!(
                        "at {ratio:.1} times earnings it costs {} {word} the median of its peers{rank}",
                        pct(gap)
                    )
                };
                draft.find(Topic::Valuation, -gap / 80.0, text);
            }
            (Some(ratio), None) => {
                let lean = ((22.0 - ratio) / 30.0).clamp(-0.6, 0.4);
                let ten = ten_year(facts)
                    .filter(|_| !facts.has_old_price() && facts.undated_figures().is_none());
                let beside = ten.map_or_else(String::new, |ten| match 100.0 / ratio - ten {
                    1.0.. => format!(
                        ", an earnings yield well over the {} of Treasuries",
                        pct(ten)
                    ),
                    -0.5.. => format!(", about what Treasuries yield ({})", pct(ten)),
                    _ => format!(", an earnings yield below the {} of Treasuries", pct(ten)),
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
                    "it keeps no more than {} of its revenue as profit where its peers keep {}",
                    pct_of(margin),
                    pct_of(rest)
                ),
                // What its peers earn as well is not an argument for anybody.
                (_, Some(_)) => String::new(),
                (..6.0, None) => format!("a margin of {} leaves little room", pct(margin)),
                (6.0..18.0, None) => format!("it earns {} of its revenue", pct(margin)),
                (_, None) => format!("as much as {} of its revenue is profit", pct(margin)),
            };
            // Half on its own, half relative to its peers; a company that earns less than they do has no argument in
            // its earnings.
            let itself = (margin - 8.0) / 25.0;
            let lean = rest.map_or(itself, |rest| match (margin - rest) / 12.0 {
                beside @ ..-0.25 => beside,
                beside => f64::midpoint(itself, beside),
            });
            if !clause.is_empty() {
                draft.find(Topic::Business, lean, clause);
            }
        }
    }
    if let Some(debt) = financials.number("debt_to_equity") {
        // Debts of an ordinary size are not an argument.
        let lean = match debt {
            ..0.0 => -0.6,
            0.3..1.2 => 0.0,
            debt => ((1.0 - debt) / 3.0).clamp(-0.6, 0.3),
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
        let aim = facts.price(target);
        let clause = match (gap, all.is_empty()) {
            (25.0.., true) => format!(
                "analysts see {} of room, up to an average target of {aim}",
                pct(gap)
            ),
            (25.0.., false) => format!(
                "the analysts' average target of {aim} leaves {} of room{all}",
                pct(gap)
            ),
            (12.0.., _) => format!(
                "analysts aim {} above the price on average, at {aim}{all}",
                pct(gap)
            ),
            (..-12.0, _) => format!(
                "the price stands {} above the analysts' average target of {aim}{all}",
                pct((last.close / target - 1.0) * 100.0)
            ),
            _ => format!(
                "the analysts' average target of {aim} lies {} {word} the price{all}",
                pct(gap)
            ),
        };
        draft.find(Topic::Street, gap / 30.0, clause);
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
                if worth_sold < MATERIAL { -0.05 } else { -0.25 },
                format!(
                    "insiders sold for {} and bought nothing",
                    amount(worth_sold, "USD")
                ),
            );
        } else {
            let lean = match worth_bought {
                ..MATERIAL => 0.05,
                _ if worth_bought >= worth_sold => 0.5,
                _ => 0.1,
            };
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
