//! Follow-up questions: they can be asked as they stand, about what the answer left open.

use query::{Intent, Kind};

use super::Page;

const MOST: usize = 4;

pub(super) fn follow_ups(page: &Page<'_>) -> Vec<String> {
    let mut next = Vec::new();
    let wants = |intent| page.wants(intent);
    match &page.reading.instruments[..] {
        [one] => {
            let (held, shown) = (one.symbol.as_str(), named(one.symbol.as_str()));
            let symbol = shown.as_str();
            let is_coin = one.kind == Kind::Coin;
            let mut offer = |intent: Intent, question: String| {
                if !wants(intent) {
                    next.push(question);
                }
            };
            offer(Intent::WhyMoved, format!("Why did {symbol} move?"));
            offer(
                Intent::Technicals,
                format!("What do the technicals of {symbol} say?"),
            );
            if !is_coin {
                if page.of("earnings", held).is_none() {
                    offer(
                        Intent::Earnings,
                        format!("When does {symbol} report earnings?"),
                    );
                }
                offer(Intent::Insider, format!("Are insiders buying {symbol}?"));
                offer(Intent::Competitors, format!("Who competes with {symbol}?"));
            }
            offer(
                Intent::News,
                format!("What is the latest news on {symbol}?"),
            );
        }
        [first, second, ..] => {
            let (a, b) = (named(first.symbol.as_str()), named(second.symbol.as_str()));
            if !wants(Intent::Correlation) {
                next.push(format!("How correlated are {a} and {b}?"));
            }
            if !wants(Intent::Comparison) {
                next.push(format!("Compare {a} and {b}"));
            }
            next.push(format!("How is {a} doing?"));
            next.push(format!("How is {b} doing?"));
        }
        [] => of_markets(page, &mut next),
    }
    next.truncate(MOST);
    next
}

/// A symbol in a form that can be asked about: `V` alone is a letter, `$V` is a share.
fn named(symbol: &str) -> String {
    if query::reads_back(symbol) {
        symbol.to_owned()
    } else {
        format!("${symbol}")
    }
}

fn of_markets(page: &Page<'_>, next: &mut Vec<String>) {
    // The first one that the answer names leads to the next question.
    let first = |key: &str, list: &str, field: &str| {
        let items = page.get(key)?.list(list);
        items.first()?.text(field).map(named)
    };
    if page.wants(Intent::Screener)
        && let Some(ticker) = first("screener", "matches", "ticker")
    {
        next.push(format!("How is {ticker} doing?"));
        next.push(format!("What is the latest news on {ticker}?"));
    }
    if page.wants(Intent::Movers) {
        let question = page.reading.question.to_lowercase();
        let asks_down = ["los", "down", "worst", "fell", "drop"];
        let (list, verb) = if asks_down.iter().any(|word| question.contains(word)) {
            ("losers", "fall")
        } else {
            ("gainers", "rise")
        };
        if let Some(symbol) = first("movers", list, "symbol") {
            next.push(format!("Why did {symbol} {verb}?"));
        }
    }
    if page.wants(Intent::MarketOverview) {
        next.push("Which stocks moved the most today?".to_owned());
        next.push("Which sectors have the best coverage?".to_owned());
        next.push("What is on the calendar this week?".to_owned());
    }
    if page.wants(Intent::Sectors)
        && let Some(ticker) = first("sectors", "sectors", "top_ticker")
    {
        next.push(format!("How is {ticker} doing?"));
    }
    if page.wants(Intent::Macro) {
        if page.get("yields").is_none() {
            next.push("Is the yield curve inverted?".to_owned());
        }
        next.push("Which economic releases are coming up?".to_owned());
    }
    if page.wants(Intent::Crypto) {
        next.push("How is BTC doing?".to_owned());
        next.push("How much is locked in DeFi?".to_owned());
    }
    if page.wants(Intent::Insider) || page.wants(Intent::Congress) {
        let trades =
            first("insider", "trades", "symbol").or_else(|| first("congress", "trades", "symbol"));
        if let Some(symbol) = trades {
            next.push(format!("How is {symbol} doing?"));
        }
    }
    let asked = page.reading.question.to_lowercase();
    next.retain(|question| {
        question.to_lowercase().trim_end_matches('?') != asked.trim_end_matches('?')
    });
}
