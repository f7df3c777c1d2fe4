//! What is written of one share, fund or coin.

mod company;
mod disclosed;

use query::{Instrument, Intent};

use super::{Page, Sheet, TradeSignal};
use crate::figures::{change, count, day, money, moved, one, percent, quoted};
use crate::view::View;

/// The signal of the only instrument, where it was assessed.
pub(super) fn signal(page: &Page<'_>) -> Option<TradeSignal> {
    let [instrument] = &page.reading.instruments[..] else {
        return None;
    };
    let signal = page
        .of("analysis", instrument.symbol.as_str())?
        .at("trade_signal")?;
    let factors = signal.list("factors").into_iter();
    Some(TradeSignal {
        action: signal.text("action")?.to_owned(),
        score: signal.whole("score")?,
        factors: factors
            .filter_map(|factor| factor.0.as_str())
            .map(str::to_owned)
            .collect(),
    })
}

/// Everything about the instruments of the question, one after the other.
pub(super) fn write(page: &Page<'_>, sheet: &mut Sheet) {
    let instruments = &page.reading.instruments;
    if instruments.is_empty() {
        return;
    }
    let is_one = instruments.len() == 1;
    for instrument in instruments {
        let writer = Writer {
            page,
            instrument,
            symbol: instrument.symbol.as_str(),
            is_one,
        };
        writer.outlook(sheet);
        writer.price(sheet);
        writer.coin(sheet);
        writer.move_(sheet);
        writer.performance(sheet);
        writer.technicals(sheet);
        writer.financials(sheet);
        writer.earnings(sheet);
        writer.analysts(sheet);
        writer.insider(sheet);
        writer.congress(sheet);
        writer.institutions(sheet);
        writer.filings(sheet);
        writer.sentiment(sheet);
        writer.competitors(sheet);
    }
}

struct Writer<'a> {
    page: &'a Page<'a>,
    instrument: &'a Instrument,
    symbol: &'a str,
    is_one: bool,
}

impl<'a> Writer<'a> {
    fn get(&self, key: &str) -> Option<View<'a>> {
        self.page.of(key, self.symbol)
    }

    fn wants(&self, intent: Intent) -> bool {
        self.page.wants(intent)
    }

    /// The name with its symbol.
    fn name(&self) -> String {
        let name = quoted(&self.instrument.name);
        if name.eq_ignore_ascii_case(self.symbol) {
            name
        } else {
            format!("{name} ({})", self.symbol)
        }
    }

    /// Assessed as a whole: the signal, and the figures on either side of it.
    fn outlook(&self, sheet: &mut Sheet) {
        let Some(analysis) = self.get("analysis") else {
            return;
        };
        if !(self.wants(Intent::Outlook) || self.wants(Intent::Technicals)) || !self.is_one {
            return;
        }
        let signal = analysis.at("trade_signal");
        if self.wants(Intent::Outlook) {
            let price = analysis.number("price");
            let currency = self.currency();
            match signal.and_then(|signal| Some((signal.text("action")?, signal.whole("score")?))) {
                Some((action, score)) => sheet.lead(format!(
                    "**{}: {}**, with a score of {score} out of 100 by fixed rules; this is neither advice nor a forecast.",
                    self.name(),
                    action.replace('_', " ")
                )),
                None => sheet.lead(format!(
                    "**{}**: not enough is known for a signal.",
                    self.name()
                )),
            }
            if let Some(price) = price {
                let moved = analysis
                    .number("change_pct")
                    .map(|change| format!(", {} from the previous close", moved(change)));
                let date = self
                    .get("technicals")
                    .and_then(|technicals| technicals.text("date"))
                    .map(|date| format!(" (newest session {})", day(date)));
                sheet.lead(format!(
                    "The price is {}{}{}.",
                    money(price, currency),
                    moved.unwrap_or_default(),
                    date.unwrap_or_default()
                ));
            }
        }
        self.sides(analysis, sheet);
    }

    /// Figures for and against.
    fn sides(&self, analysis: View<'_>, sheet: &mut Sheet) {
        let currency = self.currency();
        if let Some(votes) = analysis.at("technicals")
            && let (Some(buy), Some(sell), Some(total)) = (
                votes.whole("buy"),
                votes.whole("sell"),
                votes.whole("total"),
            )
        {
            let line = format!("Of {total} indicators {buy} signal buy and {sell} sell.");
            if buy > sell {
                sheet.supports.push(line);
            } else if sell > buy {
                sheet.against.push(line);
            }
        }
        if let Some(sentiment) = analysis.at("sentiment") {
            let briefs = sentiment.whole("briefs_7d").unwrap_or_default();
            match sentiment.number("score") {
                Some(score) if score >= 0.55 => sheet.supports.push(format!(
                    "Coverage is positive: sentiment {score:.2} (0.5 is neutral) over {}.",
                    count(briefs, "brief of seven days", "briefs of seven days")
                )),
                Some(score) if score <= 0.45 => sheet.against.push(format!(
                    "Coverage is negative: sentiment {score:.2} (0.5 is neutral) over {}.",
                    count(briefs, "brief of seven days", "briefs of seven days")
                )),
                Some(_) => {}
                None => sheet.unknown(format!(
                    "Sentiment: no brief of the last seven days mentions {}.",
                    self.symbol
                )),
            }
        }
        if let Some(fundamentals) = analysis.at("fundamentals") {
            if let Some(pe) = fundamentals.number("pe_ratio") {
                // The rule of the signal: an earnings yield of 5 % is neutral.
                let line = format!("Price-to-earnings ratio {}.", one(pe));
                if pe > 0.0 && pe <= 20.0 {
                    sheet.supports.push(line);
                } else {
                    sheet.against.push(line);
                }
            }
            if let Some(margin) = fundamentals.number("profit_margin") {
                let line = format!("Profit margin {}.", percent(margin));
                if margin >= 5.0 {
                    sheet.supports.push(line);
                } else {
                    sheet.against.push(line);
                }
            }
            if let Some(debt) = fundamentals.number("debt_to_equity")
                && debt > 2.0
            {
                sheet
                    .against
                    .push(format!("Debt is {} times equity.", one(debt)));
            }
        }
        if let Some(latest) = self.get("technicals").and_then(|all| all.at("latest"))
            && let (Some(price), Some(average)) = (latest.number("price"), latest.number("sma_200"))
        {
            let line = |side: &str| {
                format!(
                    "It trades {side} its 200-day average of {}.",
                    money(average, currency)
                )
            };
            if price >= average {
                sheet.supports.push(line("above"));
            } else {
                sheet.against.push(line("below"));
            }
        }
        let levels = analysis.at("levels");
        let level = |name: &str| levels.and_then(|levels| levels.number(name));
        match (level("support"), level("resistance")) {
            (Some(support), Some(resistance)) => sheet.ahead.push(format!(
                "Nearest watched prices: support {}, resistance {}.",
                money(support, currency),
                money(resistance, currency)
            )),
            (Some(support), None) => sheet.ahead.push(format!(
                "Nearest support {}; no watched price lies above.",
                money(support, currency)
            )),
            (None, Some(resistance)) => sheet.ahead.push(format!(
                "Nearest resistance {}; no watched price lies below.",
                money(resistance, currency)
            )),
            (None, None) => {}
        }
        for status in analysis.list("data_status") {
            if status.flag("stale")
                && let Some(reason) = status.text("reason")
            {
                sheet.unknown(crate::figures::sentence(reason));
            }
        }
    }

    fn currency(&self) -> &'a str {
        &self.instrument.currency
    }

    /// The currency of reported figures: known for companies that are listed in dollars; others may report in another.
    fn reported_in(&self) -> &'static str {
        if self.instrument.currency == "USD" {
            "USD"
        } else {
            ""
        }
    }

    fn price(&self, sheet: &mut Sheet) {
        let Some(price) = self.get("price") else {
            return;
        };
        if !self.wants(Intent::Price) {
            return;
        }
        let Some(value) = price.number("price") else {
            sheet.unknown(format!("No price of {} is on record.", self.name()));
            return;
        };
        let moved = price
            .number("change_pct")
            .map(|change| format!(", {} from the previous close", moved(change)));
        let at = price.text("updated_at").map(|at| format!(" ({})", day(at)));
        let state = match price.text("market_state") {
            Some("CLOSED") => " The market is closed.",
            Some("PRE") => " The market has not opened yet.",
            Some("POST") => " The regular session is over.",
            _ => "",
        };
        sheet.lead(format!(
            "**{}** last traded at **{}**{}{}.{state}",
            self.name(),
            money(value, price.text("currency").unwrap_or("USD")),
            at.unwrap_or_default(),
            moved.unwrap_or_default()
        ));
        for reason in price.reasons() {
            sheet.unknown(crate::figures::sentence(reason));
        }
    }

    fn coin(&self, sheet: &mut Sheet) {
        let Some(coin) = self.get("coin") else {
            return;
        };
        let Some(price) = coin.number("price") else {
            return;
        };
        // The assessment has named the price and its change.
        if self.wants(Intent::Outlook) {
            return;
        }
        let at = coin.text("updated_at").map(|at| format!(" ({})", day(at)));
        sheet.lead(format!(
            "**{}** trades at **{}**{}.",
            self.name(),
            money(price, "USD"),
            at.unwrap_or_default()
        ));
        let changes: Vec<String> = [
            ("change_1h", "1 hour"),
            ("change_24h", "24 hours"),
            ("change_7d", "7 days"),
            ("change_30d", "30 days"),
        ]
        .into_iter()
        .filter_map(|(field, words)| Some(format!("{} over {words}", change(coin.number(field)?))))
        .collect();
        if !changes.is_empty() {
            sheet.lead(format!("{}.", changes.join(", ")));
        }
        if let (Some(cap), Some(rank)) = (
            coin.text("market_cap_formatted"),
            coin.whole("market_cap_rank"),
        ) {
            sheet.lead(format!(
                "Its market value is {cap}, number {rank} among the coins tracked."
            ));
        }
        if let (Some(peak), Some(below)) = (coin.number("ath"), coin.number("ath_change_pct")) {
            sheet.lead(format!(
                "Its all-time high is {}; it is {} from there.",
                money(peak, "USD"),
                moved(below)
            ));
        }
    }

    /// Why it moved: the move itself, and what stands beside it. Nothing is called a cause.
    fn move_(&self, sheet: &mut Sheet) {
        if !self.wants(Intent::WhyMoved) {
            return;
        }
        let session = self
            .get("performance")
            .and_then(|performance| performance.at("last_session"));
        let Some((session, moved_by)) =
            session.and_then(|session| Some((session, session.number("change_pct")?)))
        else {
            sheet.unknown(format!(
                "No session of {} that could be explained is on record.",
                self.name()
            ));
            return;
        };
        let date = session.text("date").map(day).unwrap_or_default();
        let close = session.number("close").unwrap_or_default();
        sheet.lead(format!(
            "**{}** closed at {} on {date}, **{}** on the day.",
            self.name(),
            money(close, self.currency()),
            moved(moved_by)
        ));
        let question = self.page.reading.question.to_lowercase();
        let asks_fall = [
            "fall", "fell", "drop", "down", "crash", "tank", "plunge", "sink", "sank", "slid",
            "declin", "red",
        ]
        .iter()
        .any(|word| question.contains(word));
        let asks_rise = [
            "rise", "rose", "jump", "rall", "surge", "soar", "spike", "climb", "gain", " up",
        ]
        .iter()
        .any(|word| question.contains(word));
        if asks_fall && !asks_rise && moved_by > 0.0 {
            sheet.lead("It rose in that session; the question speaks of a fall.");
        } else if asks_rise && !asks_fall && moved_by < 0.0 {
            sheet.lead("It fell in that session; the question speaks of a rise.");
        }
        if let Some(ratio) = session.number("volume_ratio") {
            sheet.lead(format!(
                "Volume was {} times that of a usual day.",
                one(ratio)
            ));
        }
        if let Some(market) = self.page.get("market") {
            let index = market
                .list("indices")
                .into_iter()
                .find(|index| index.text("symbol") == Some("^GSPC"));
            if let Some(change_pct) = index.and_then(|index| index.number("change_pct")) {
                let of_market = index
                    .and_then(|index| index.text("date"))
                    .map(day)
                    .unwrap_or_default();
                let same = if (change_pct > 0.0) == (moved_by > 0.0) {
                    "the market moved the same way"
                } else {
                    "the market moved the other way"
                };
                sheet.beside.push(format!(
                    "S&P 500 {} on {of_market}: {same}.",
                    change(change_pct)
                ));
            }
        }
        if let Some(competitors) = self.get("competitors") {
            let peers: Vec<String> = competitors
                .list("competitors")
                .into_iter()
                .filter_map(|peer| {
                    Some(format!(
                        "{} {}",
                        peer.text("ticker")?,
                        change(peer.number("change_pct")?)
                    ))
                })
                .take(5)
                .collect();
            if !peers.is_empty() {
                sheet.beside.push(format!(
                    "Peers at their newest session: {}.",
                    peers.join(", ")
                ));
            }
        }
        let has_news = self
            .get("news")
            .is_some_and(|news| !news.list("briefs").is_empty());
        if has_news {
            sheet.unknown.push(
                "That a report stands beside the move does not make it the cause; no source here proves one.".to_owned(),
            );
        } else {
            sheet.unknown(format!(
                "No report of the time mentions {}, so no cause can be named.",
                self.symbol
            ));
        }
    }

    fn performance(&self, sheet: &mut Sheet) {
        let Some(performance) = self.get("performance") else {
            return;
        };
        if !self.wants(Intent::Performance) {
            return;
        }
        let (Some(from), Some(to), Some(start), Some(end)) = (
            performance.text("from"),
            performance.text("to"),
            performance.number("start"),
            performance.number("end"),
        ) else {
            return;
        };
        let currency = self.currency();
        let Some(change_pct) = performance.number("change_pct") else {
            sheet.unknown(format!(
                "Only one session of {} lies in the period.",
                self.name()
            ));
            return;
        };
        sheet.lead(format!(
            "**{}** went from {} on {} to {} on {}: **{}**.",
            self.name(),
            money(start, currency),
            day(from),
            money(end, currency),
            day(to),
            change(change_pct)
        ));
        if let (Some(high), Some(low), Some(drawdown)) = (
            performance.number("high"),
            performance.number("low"),
            performance.number("max_drawdown_pct"),
        ) {
            let date = |field: &str| performance.text(field).map(day).unwrap_or_default();
            sheet.lead(format!(
                "Between {} ({}) and {} ({}); the deepest fall from a closing high was {}.",
                money(low, currency),
                date("low_date"),
                money(high, currency),
                date("high_date"),
                change(drawdown)
            ));
        }
    }
}
