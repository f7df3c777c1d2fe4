//! Steps about shares, funds and coins.

use query::{Fact, Intent, Kind, LookUp, Measure, Reach, Series};
use serde_json::json;

use super::Draft;
use super::history::LEAD_IN;

/// For up to this many instruments everything is requested; for more, only what was asked for.
const LOOKED_AT_CLOSELY: usize = 4;
/// The most instruments whose facts are shown side by side.
const SIDE_BY_SIDE: usize = 10;
/// The most holdings whose next report is looked up as well.
const MOST_REPORTING: usize = 6;

/// The most tickers that the operation takes.
const MOST_CORRELATED: usize = 10;
/// The most days that it looks back.
const LONGEST_CORRELATED: i32 = 365;

impl Draft<'_> {
    pub(super) fn of_instruments(&mut self) {
        let instruments = self.reading.instruments.clone();
        let is_one = instruments.len() == 1;
        if self.wants(Intent::Portfolio) {
            self.portfolio();
        }
        if self.wants(Intent::Correlation) {
            self.correlation();
        }
        self.positions();
        for instrument in instruments.iter().take(SIDE_BY_SIDE) {
            let symbol = instrument.symbol.as_str();
            let subject = (!is_one).then_some(symbol);
            if self.report(symbol, subject)
                || instrument.kind != Kind::Coin && self.fact(symbol, subject, &instrument.name)
            {
                continue;
            }
            self.figures(symbol, subject, instrument.kind);
            self.disclosures(symbol, subject, instrument.kind);
            self.coverage(symbol, subject, &instrument.name);
        }
        if self.wants(Intent::WhyMoved) && is_one {
            self.add(
                "market",
                None,
                "show_market_summary",
                "market/summary",
                json!({}),
                false,
            );
            self.add_before(
                "market_before",
                None,
                "show_market_summary",
                "market/summary",
                json!({}),
            );
        }
    }

    /// The member of Congress whose trades in the named instrument are asked about, by the part of the name that is no
    /// other word.
    fn lawmaker(&self) -> Option<String> {
        let question = &self.reading.question;
        let said = |name: &str| {
            let mut instruments = self.reading.instruments.iter();
            instruments.any(|one| one.said.contains(name) || name.contains(&one.said))
        };
        let mut names = text::entities::spans("", question)
            .into_iter()
            .filter(|span| span.kind == model::EntityKind::Person && !said(&span.name));
        let name = names.next().map(|span| span.name);
        let last = name?.split(' ').next_back()?.to_owned();
        (last.chars().count() >= 3).then_some(last)
    }

    /// How closely prices moved together: those of the named instruments, and those of funds for anything unlisted.
    fn correlation(&mut self) {
        let listed = self.reading.instruments.iter();
        let mut tickers: Vec<String> = listed.map(|one| one.symbol.to_string()).collect();
        let mut named: Vec<String> = Vec::new();
        for series in &self.reading.series {
            if let Some(fund) = fund_of(*series)
                && !tickers.iter().any(|ticker| ticker == fund)
            {
                tickers.push(fund.to_owned());
                named.push(format!("{} by the fund {fund}", series.name()));
            }
        }
        if tickers.len() < 2 {
            return;
        }
        tickers.truncate(MOST_CORRELATED);
        if !named.is_empty() {
            self.note(format!("correlations measure {}", named.join(", ")));
        }
        // Correlations over a past period end with it.
        let usual = self.plan.as_of;
        self.plan.as_of = usual.or_else(|| self.reading.when.past_end(self.today));
        let end = self.plan.as_of.unwrap_or(self.today);
        let days = self.days(7, 90, LONGEST_CORRELATED);
        let arguments = json!({"tickers": tickers, "days": days});
        self.add(
            "correlation",
            None,
            "correlate_tickers",
            "correlation",
            arguments,
            true,
        );
        self.plan.as_of = usual;
        let when = &self.reading.when;
        let asked = when.from.filter(|_| !when.is_ahead);
        if let Some(from) = asked.filter(|from| end.since(*from) > LONGEST_CORRELATED) {
            self.note(format!(
                "correlations are measured over {LONGEST_CORRELATED} days at most; the time that is asked about begins on {}",
                crate::figures::day(&from.to_string())
            ));
            self.plan.is_partial = true;
        }
    }

    fn figures(&mut self, symbol: &str, subject: Option<&str>, kind: Kind) {
        if let Some(LookUp::Crossing(_)) = self.reading.look_up {
            self.every_candle(symbol, subject, kind);
            return;
        }
        let by_symbol = || json!({"symbol": symbol});
        let is_coin = kind == Kind::Coin;
        let is_close = self.reading.instruments.len() <= LOOKED_AT_CLOSELY;
        let outlook =
            self.wants(Intent::Outlook) && !self.wants(Intent::Portfolio) && !self.asks_dominance();
        let compared = self.wants(Intent::Comparison);
        let moved = self.wants(Intent::WhyMoved);
        // The total value of a coin is in its own record.
        let compares_value =
            compared && is_coin && self.reading.measure == Some(Measure::MarketValue);
        if compares_value || self.wants(Intent::Price) || (self.wants(Intent::Crypto) && is_coin) {
            if is_coin {
                self.add(
                    "coin",
                    subject,
                    "show_coin",
                    "crypto/{symbol}",
                    by_symbol(),
                    true,
                );
            } else {
                self.add(
                    "price",
                    subject,
                    "show_price",
                    "ticker/{symbol}/price",
                    by_symbol(),
                    true,
                );
            }
        }
        if outlook || compared {
            self.add(
                "analysis",
                subject,
                "analyze_ticker",
                "ticker/{symbol}/analysis",
                by_symbol(),
                true,
            );
        }
        if moved && is_coin {
            self.add(
                "coin",
                subject,
                "show_coin",
                "crypto/{symbol}",
                by_symbol(),
                true,
            );
        } else if moved {
            self.add(
                "price",
                subject,
                "show_price",
                "ticker/{symbol}/price",
                by_symbol(),
                true,
            );
        }
        // A number of shares is valued by its price; the combined performance of several needs their price history.
        let is_position = !self.reading.positions.is_empty() && !self.reading.weighs_performance();
        // How much a price fluctuates is shown by a year of it.
        let compares_swings = compared && self.reading.measure == Some(Measure::Volatility);
        let compares_stretch = compared && self.stretch().is_some() || compares_swings;
        if self.wants(Intent::Performance) && !is_position || moved || compares_stretch {
            let days = match self.reading.reach {
                Reach::Year => 365,
                _ => self.days(30, if moved { 30 } else { 365 }, 40_000),
            };
            let is_needed = self.wants(Intent::Performance) || compares_stretch;
            if self.reading.reach == Reach::Held && is_needed {
                self.every_candle(symbol, subject, kind);
            } else {
                self.history(symbol, subject, kind, days + LEAD_IN, is_needed);
            }
        }
        // What it is and where it is listed: the record.
        if outlook && is_close {
            self.add(
                "ticker",
                subject,
                "show_ticker",
                "ticker/{symbol}",
                by_symbol(),
                false,
            );
        }
        if self.wants(Intent::Technicals) || outlook && is_close {
            let is_needed = self.wants(Intent::Technicals);
            self.add(
                "technicals",
                subject,
                "show_technicals",
                "ticker/{symbol}/technicals",
                by_symbol(),
                is_needed,
            );
        }
        if self.wants(Intent::Technicals) && !outlook && is_close {
            self.add(
                "analysis",
                subject,
                "analyze_ticker",
                "ticker/{symbol}/analysis",
                by_symbol(),
                false,
            );
        }
        if is_coin {
            return;
        }
        let by_figures = self.reading.measure.is_some_and(Measure::is_of_company);
        if self.wants(Intent::Fundamentals) || (outlook || compared) && (is_close || by_figures) {
            let is_needed = self.wants(Intent::Fundamentals);
            self.add(
                "financials",
                subject,
                "show_financials",
                "ticker/{symbol}/financials",
                by_symbol(),
                is_needed,
            );
        }
        // Growth is shown by reports a year apart.
        let compares_growth = compared && self.reading.measure == Some(Measure::RevenueGrowth);
        if (self.wants(Intent::Fundamentals) || compares_growth)
            && kind == Kind::Share
            && !matches!(self.reading.fact, Some(Fact::Reported(_)))
            && asks_growth(&self.reading.question)
        {
            self.add(
                "statements",
                subject,
                "list_statements",
                "ticker/{symbol}/statements",
                json!({"symbol": symbol, "limit": 5}),
                true,
            );
        }
        // Reported figures compared with expected ones are only in the full record.
        let asks_all = says_any(
            &self.reading.question,
            &[
                "cross reference",
                "cross-reference",
                "full record",
                "full profile",
                "full picture",
                "complete picture",
                "everything on",
            ],
        );
        let asks_reported = self.wants(Intent::Earnings)
            && kind == Kind::Share
            && asks_surprise(&self.reading.question);
        if asks_reported || asks_all && subject.is_none() {
            self.add(
                "full",
                subject,
                "show_ticker_in_full",
                "ticker/{symbol}/full",
                by_symbol(),
                true,
            );
        }
        if self.wants(Intent::Earnings) || outlook && is_close {
            let is_needed = self.wants(Intent::Earnings);
            self.add(
                "earnings",
                subject,
                "list_earnings",
                "ticker/{symbol}/earnings",
                by_symbol(),
                is_needed,
            );
        }
        if self.wants(Intent::Competitors) || moved && subject.is_none() {
            let is_needed = self.wants(Intent::Competitors);
            self.add(
                "competitors",
                subject,
                "list_competitors",
                "ticker/{symbol}/competitors",
                by_symbol(),
                is_needed,
            );
        }
    }

    fn disclosures(&mut self, symbol: &str, subject: Option<&str>, kind: Kind) {
        if kind == Kind::Coin {
            return;
        }
        let by_symbol = || json!({"symbol": symbol});
        if self.wants(Intent::Analysts) {
            self.add(
                "analysts",
                subject,
                "show_analyst_ratings",
                "ticker/{symbol}/analysts",
                by_symbol(),
                true,
            );
            self.add(
                "price",
                subject,
                "show_price",
                "ticker/{symbol}/price",
                by_symbol(),
                false,
            );
        }
        if self.wants(Intent::Insider) {
            // `the last five sales` go back as far as necessary.
            let is_newest = self.reading.when.is_unsaid()
                && (self.reading.at_most.is_some()
                    || self.reading.foremost.is_some()
                    || says_any(&self.reading.question, &["last"]));
            let days = self.days(7, if is_newest { 365 } else { 90 }, 365);
            let arguments = json!({"symbol": symbol, "days": days, "limit": 100});
            self.add(
                "insider",
                subject,
                "list_insider_trades",
                "ticker/{symbol}/insider",
                arguments,
                true,
            );
        }
        if self.wants(Intent::Congress) {
            self.add(
                "congress",
                subject,
                "list_congress_trades",
                "congress/trades",
                json!({
                    "symbol": symbol,
                    "chamber": chamber(&self.reading.question),
                    "member": self.lawmaker(),
                }),
                true,
            );
        }
        if self.wants(Intent::Institutions) {
            self.add(
                "institutions",
                subject,
                "list_institutional_holders",
                "ticker/{symbol}/institutions",
                by_symbol(),
                true,
            );
        }
        if self.wants(Intent::Filings) {
            self.add(
                "filings",
                subject,
                "list_filings",
                "ticker/{symbol}/filings",
                json!({"symbol": symbol, "form": self.reading.form}),
                true,
            );
        }
    }

    fn coverage(&mut self, symbol: &str, subject: Option<&str>, name: &str) {
        let is_close = self.reading.instruments.len() <= LOOKED_AT_CLOSELY;
        let outlook =
            self.wants(Intent::Outlook) && !self.wants(Intent::Portfolio) && !self.asks_dominance();
        if self.wants(Intent::Sentiment) {
            let days = self.days(7, 30, 365);
            let arguments = json!({"symbol": symbol, "days": days});
            self.add(
                "sentiment",
                subject,
                "list_sentiment_history",
                "ticker/{symbol}/history",
                arguments,
                true,
            );
        }
        let asks_news = self.wants(Intent::News) || self.wants(Intent::WhyMoved);
        let adds_news = outlook && is_close
            || self.wants(Intent::Sentiment)
            || self.wants(Intent::Contradictions);
        if asks_news || adds_news {
            // News about a past time is what was known at its end.
            let usual = self.plan.as_of;
            self.plan.as_of = usual.or_else(|| self.reading.when.past_end(self.today));
            let end = self.plan.as_of.unwrap_or(self.today);
            let when = &self.reading.when;
            let days = when
                .days_back(end)
                .filter(|_| !when.is_ahead)
                .map(|days| days.clamp(1, 365));
            // More than are shown: reports about it are preferred to those that name it among many.
            let arguments = json!({"symbol": symbol, "limit": 20, "days": days});
            self.add(
                "news",
                subject,
                "list_ticker_news",
                "ticker/{symbol}/news",
                arguments,
                asks_news,
            );
            self.plan.as_of = usual;
        }
        if self.wants(Intent::Events) || self.wants(Intent::WhyMoved) {
            let is_needed = self.wants(Intent::Events);
            self.events(subject, Some(name), is_needed);
        }
        if self.wants(Intent::Contradictions) {
            let arguments = json!({"period": "30d", "limit": 10});
            self.add(
                "contradictions",
                None,
                "list_contradictions",
                "contradictions",
                arguments,
                true,
            );
        }
    }

    fn portfolio(&mut self) {
        let holdings: Vec<_> = self
            .reading
            .holdings
            .iter()
            .map(|holding| {
                json!({
                    "ticker": holding.symbol.as_str(),
                    "weight": holding.weight,
                    "direction": if holding.is_short { "short" } else { "long" },
                })
            })
            .collect();
        if holdings.is_empty() {
            self.note("name what you hold, such as: I hold 60% AAPL and 40% XOM");
            return;
        }
        let arguments = json!({"holdings": holdings, "per_page": 10, "since": "168h"});
        self.add(
            "portfolio",
            None,
            "list_portfolio_briefs",
            "portfolio/feed",
            arguments,
            true,
        );
        let symbols: Vec<String> = self
            .reading
            .holdings
            .iter()
            .map(|holding| holding.symbol.to_string())
            .collect();
        let is_one = symbols.len() == 1;
        let reports = symbols.len() <= MOST_REPORTING;
        for symbol in symbols.iter().take(SIDE_BY_SIDE) {
            let subject = (!is_one).then_some(symbol.as_str());
            let by_symbol = || json!({"symbol": symbol});
            self.add(
                "analysis",
                subject,
                "analyze_ticker",
                "ticker/{symbol}/analysis",
                by_symbol(),
                is_one,
            );
            if reports {
                self.add(
                    "earnings",
                    subject,
                    "list_earnings",
                    "ticker/{symbol}/earnings",
                    by_symbol(),
                    false,
                );
            }
        }
        if symbols.len() >= 2 {
            let tickers: Vec<&String> = symbols.iter().take(10).collect();
            let arguments = json!({"tickers": tickers, "days": 90});
            self.add(
                "correlation",
                None,
                "correlate_tickers",
                "correlation",
                arguments,
                false,
            );
        }
    }
}

impl Draft<'_> {
    /// What was reported to have happened in the period that is asked about; without one, in the last thirty days.
    pub(super) fn events(&mut self, subject: Option<&str>, name: Option<&str>, is_needed: bool) {
        let when = &self.reading.when;
        let usual = self.plan.as_of;
        self.plan.as_of = usual.or_else(|| when.past_end(self.today));
        let end = self.plan.as_of.unwrap_or(self.today);
        // A period that ends in the past ends at the midnight after it.
        let end = end.plus(i32::from(self.plan.as_of.is_some()));
        let days = when.days_back(end).filter(|_| !when.is_ahead);
        let period = match days.unwrap_or(30) {
            ..=7 => "7d",
            8..=30 => "30d",
            31..=90 => "90d",
            _ => "365d",
        };
        // A company that is sued or bought is not the actor of the event: events of a kind are searched for the name.
        let is_by_kind = name.is_some() && self.reading.event.is_some();
        let limit = match (name.is_some(), is_by_kind) {
            (true, true) => 100,
            (true, false) => 50,
            (false, _) => 20,
        };
        let arguments = json!({
            "subject": name.filter(|_| !is_by_kind),
            "type": self.reading.event,
            "period": period,
            "limit": limit,
        });
        self.add(
            "events",
            subject,
            "list_events",
            "events",
            arguments,
            is_needed,
        );
        self.plan.as_of = usual;
    }
}

/// The fund whose price follows something unlisted. None follows a yield: the price of a bond fund moves against it.
fn fund_of(series: Series) -> Option<&'static str> {
    const FUNDS: [(&str, &str); 13] = [
        ("gold", "GLD"),
        ("silver", "SLV"),
        ("copper", "CPER"),
        ("crude", "USO"),
        ("natgas", "UNG"),
        ("wheat", "WEAT"),
        ("corn", "CORN"),
        ("sugar", "CANE"),
        ("sp500", "SPY"),
        ("nasdaq_composite", "QQQ"),
        ("dow", "DIA"),
        ("russell", "IWM"),
        ("vix", "VIXY"),
    ];
    let Series::Known(code) = series else {
        return None;
    };
    FUNDS
        .iter()
        .find(|(known, _)| *known == code)
        .map(|(_, fund)| *fund)
}

/// Whether a question asks how figures of a company grew.
fn asks_growth(question: &str) -> bool {
    says_any(
        question,
        &[
            "grow",
            "shrink",
            "expand",
            "year over year",
            "yoy",
            "over the years",
            "over time",
            "last few years",
            "past few years",
            "last years",
            "past years",
            "by quarter",
            "quarterly",
        ],
    )
}

/// Whether a question asks how a company's report compared with expectations.
fn asks_surprise(question: &str) -> bool {
    const WORDS: [&str; 10] = [
        "beat",
        "miss",
        "surpris",
        "last quarter",
        "last time",
        "exceed",
        "fell short",
        "met expect",
        "top estimate",
        "latest result",
    ];
    says_any(question, &WORDS)
}

/// Whether a word in a question begins with one of these.
pub(super) fn says_any(question: &str, stems: &[&str]) -> bool {
    let lower = format!(" {}", question.to_lowercase());
    stems.iter().any(|stem| lower.contains(&format!(" {stem}")))
}

/// The chamber of Congress that a question names, if there is one.
pub(super) fn chamber(question: &str) -> Option<&'static str> {
    let senate = says_any(question, &["senat"]);
    let house = says_any(
        question,
        &["representative", "congressm", "congressw", "house member"],
    );
    match (senate, house) {
        (true, false) => Some("senate"),
        (false, true) => Some("house"),
        _ => None,
    }
}
