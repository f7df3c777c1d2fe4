//! What a question wants valued.

use super::wishes::Wishes;
use crate::intent::Intent;
use crate::sums::{Position, Positions, Size};

/// The positions that a question wants valued, and the intents that follow.
pub(super) fn positions(
    positions: &Positions<'_>,
    wishes: &Wishes<'_>,
    intents: &mut Vec<Intent>,
) -> Vec<Position> {
    // What these ask for is done elsewhere.
    const OTHERS: [Intent; 12] = [
        Intent::Verification,
        Intent::Insider,
        Intent::Congress,
        Intent::Institutions,
        Intent::Filings,
        Intent::Events,
        Intent::Analysts,
        Intent::Earnings,
        Intent::WhyMoved,
        Intent::Screener,
        Intent::Correlation,
        Intent::Unclear,
    ];
    // `10k` is a form of filing, but money if it is invested in something.
    let is_money = wishes.filing_is_number() && positions.puts_money();
    // `its market cap in yen` is a figure of the company, not a position.
    if wishes.has(Intent::Fundamentals) && positions.is_only_converted() {
        return Vec::new();
    }
    let is_other =
        |intent: &Intent| OTHERS.contains(intent) && !(is_money && *intent == Intent::Filings);
    if intents.iter().any(is_other) {
        return Vec::new();
    }
    let found = positions.find();
    let Some(first) = found.first() else {
        return found;
    };
    if is_money {
        intents.retain(|intent| *intent != Intent::Filings);
    }
    let is_of_then = first.bought.is_some();
    // A past purchase and a number of shares do not ask for an assessment unless the question says so.
    intents.retain(|intent| match intent {
        Intent::Outlook => wishes.asks_outlook(),
        Intent::Comparison | Intent::Fundamentals => false,
        Intent::Portfolio => !is_of_then || first.size == Size::Unsaid,
        _ => true,
    });
    let wish = if is_of_then {
        Intent::Performance
    } else {
        Intent::Price
    };
    if !intents.contains(&wish) {
        let place = usize::from(intents.first() == Some(&Intent::Portfolio));
        intents.insert(place, wish);
    }
    found
}
