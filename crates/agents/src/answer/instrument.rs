//! Writes about one share, fund or coin.

mod company;
mod crossing;
mod disclosed;
mod extremes;
mod facts;
mod moves;
mod report;

pub(in crate::answer) use company::share_of_figures;
pub(crate) use facts::names_office;
pub(in crate::answer) use facts::share_of_reported;
pub(super) use moves::{asked_direction, disputed};

use market::calendar;
use query::{Instrument, Intent, Kind};

use super::{OPEN, Page, Sheet, TradeSignal};
use crate::figures::{change, count, day, day_of, money, moved, one, percent, quoted};
use crate::view::View;

/// The signal for the only instrument, if it was assessed.
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
        writer.report(sheet);
        writer.fact(sheet);
        writer.oscillator(sheet);
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
    report::compared(page, sheet);
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

    /// The overall assessment: the signal, and the figures on either side of it.
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
            let rated =
                signal.and_then(|signal| Some((signal.text("action")?, signal.whole("score")?)));
            sheet.lead(match rated {
                Some((action, score)) => format!(
                    "**{}: {}**, with a score of {score} out of 100 by fixed rules; this is neither advice nor a forecast.",
                    self.name(),
                    action.replace('_', " ")
                ),
                None => format!("**{}**: {}.", self.name(), unrated(analysis)),
            });
            if let Some(price) = price {
                let moved = analysis
                    .number("change_pct")
                    .map(|change| format!(", {} from the previous close", moved(change)));
                let date = analysis
                    .text("price_date")
                    .map(|date| format!(" on {}", day(date)));
                sheet.lead(format!(
                    "The price is {}{}{}.",
                    money(price, currency),
                    date.unwrap_or_default(),
                    moved.unwrap_or_default()
                ));
            }
            self.record(sheet);
        }
        self.sides(analysis, sheet);
    }

    /// What it is and where it is listed.
    fn record(&self, sheet: &mut Sheet) {
        let Some(record) = self.get("ticker") else {
            return;
        };
        let kind = match record.text("asset_type") {
            Some("etf") => "fund",
            Some("crypto") => "coin",
            _ => "share",
        };
        let (sector, exchange) = (record.text("sector"), record.text("exchange"));
        if sector.is_none() && exchange.is_none() {
            return;
        }
        let sector = sector.map_or_else(String::new, |sector| {
            format!(" of the sector {}", quoted(sector))
        });
        let exchange = exchange.map_or_else(String::new, |exchange| {
            format!(", listed on {}", quoted(exchange))
        });
        let trending = if record.flag("trending") {
            " More briefs than usual name it today."
        } else {
            ""
        };
        sheet.lead(format!("It is a {kind}{sector}{exchange}.{trending}"));
    }

    /// The nearest price levels to watch: the answer, if they are asked for.
    fn levels(&self, analysis: View<'_>, sheet: &mut Sheet) {
        let currency = self.currency();
        let levels = analysis.at("levels");
        let level = |name: &str| levels.and_then(|levels| levels.number(name));
        let question = self.page.reading.question.to_lowercase();
        let is_asked = ["support", "resistance", "levels"]
            .iter()
            .any(|word| question.contains(word));
        let found = (level("support"), level("resistance"));
        if is_asked && found != (None, None) {
            let at = |name: &str, level: Option<f64>| match level {
                Some(level) => format!("nearest {name} at **{}**", money(level, currency)),
                None => format!("no {name} among the watched prices"),
            };
            let price = analysis.number("price").map_or_else(String::new, |price| {
                let date = analysis
                    .text("price_date")
                    .map(|date| format!(" on {}", day(date)));
                format!(
                    ", with the price at {}{}",
                    money(price, currency),
                    date.unwrap_or_default()
                )
            });
            sheet.lead(format!(
                "**{}**: {}, {}{price}.",
                self.name(),
                at("support", found.0),
                at("resistance", found.1)
            ));
            return;
        }
        sheet.ahead.extend(match found {
            (Some(support), Some(resistance)) => Some(format!(
                "Nearest watched prices: support {}, resistance {}.",
                money(support, currency),
                money(resistance, currency)
            )),
            (Some(support), None) => Some(format!(
                "Nearest support {}; no watched price lies above.",
                money(support, currency)
            )),
            (None, Some(resistance)) => Some(format!(
                "Nearest resistance {}; no watched price lies below.",
                money(resistance, currency)
            )),
            (None, None) => None,
        });
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
                    count(
                        briefs,
                        "brief from the last seven days",
                        "briefs from the last seven days"
                    )
                )),
                Some(score) if score <= 0.45 => sheet.against.push(format!(
                    "Coverage is negative: sentiment {score:.2} (0.5 is neutral) over {}.",
                    count(
                        briefs,
                        "brief from the last seven days",
                        "briefs from the last seven days"
                    )
                )),
                Some(_) => {}
                None => sheet.unknown(format!(
                    "Sentiment: no brief of the last seven days mentions {}.",
                    self.symbol
                )),
            }
        }
        // Momentum has the second-largest weight in the score: if it moves the score, it is on one side.
        if let Some(momentum) = analysis.at("momentum")
            && let (Some(value), Some(direction)) =
                (momentum.number("value"), momentum.text("direction"))
        {
            let line = format!(
                "Over 20 sessions the price is {direction}: momentum {value:.2} (0.5 is neutral)."
            );
            if value >= 0.55 {
                sheet.supports.push(line);
            } else if value <= 0.45 {
                sheet.against.push(line);
            }
        }
        if let Some(events) = analysis.at("events")
            && let (Some(value), Some(number), Some(kind)) = (
                events.number("value"),
                events.whole("count_7d"),
                events.text("latest_type"),
            )
        {
            let line = format!(
                "{}, the latest {kind}: {value:.2} (0.5 is neutral).",
                count(number, "event of seven days", "events of seven days")
            );
            if value >= 0.55 {
                sheet.supports.push(line);
            } else if value <= 0.45 {
                sheet.against.push(line);
            }
        }
        if let Some(fundamentals) = analysis.at("fundamentals") {
            if let Some(pe) = fundamentals.number("pe_ratio") {
                // The rule of the signal: an earnings yield of 5 % is neutral.
                let of = self
                    .get("financials")
                    .and_then(|all| all.text("period_end"));
                let of = match (of, self.get("financials")) {
                    (Some(end), _) => Some(format!(", on earnings of the period to {}", day(end))),
                    (None, Some(_)) => {
                        Some(", on earnings of a table that does not say their period".to_owned())
                    }
                    (None, None) => None,
                };
                let line = format!(
                    "Price-to-earnings ratio {}{}.",
                    one(pe),
                    of.unwrap_or_default()
                );
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
        self.levels(analysis, sheet);
        for status in analysis.list("data_status") {
            if status.flag("stale")
                && let Some(reason) = status.text("reason")
            {
                sheet.unknown(crate::figures::sentence(reason));
            }
        }
    }

    /// Whether it was valued; a valuation names its price.
    fn is_position(&self) -> bool {
        let mut positions = self.page.reading.positions.iter();
        positions.any(|position| position.symbol.as_str() == self.symbol)
    }

    fn currency(&self) -> &'a str {
        &self.instrument.currency
    }

    /// The currency of reported figures: known for companies that are listed in dollars; others may report in a
    /// different one.
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
        if !self.wants(Intent::Price) || self.is_position() {
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
        if !self.before_asked(price.text("updated_at"), sheet) {
            self.not_of_day(price.text("updated_at"), sheet);
        }
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

    /// The only session in the period.
    fn only_session(&self, performance: View<'_>, close: f64, date: &str, sheet: &mut Sheet) {
        let currency = self.currency();
        let range = performance
            .number("low")
            .zip(performance.number("high"))
            .map(|(low, high)| {
                format!(
                    "; in that session it traded between {} and {}",
                    money(low, currency),
                    money(high, currency)
                )
            });
        let is_other = self.not_of_day(Some(date), sheet);
        let which = if is_other {
            ""
        } else {
            ", its newest session of that time"
        };
        sheet.lead(format!(
            "**{}** closed at **{}** on {}{which}{}.",
            self.name(),
            money(close, currency),
            day(date),
            range.unwrap_or_default()
        ));
    }

    /// Says so if one past day is asked about and the newest price before it is from another day; returns whether it
    /// is.
    fn not_of_day(&self, newest: Option<&str>, sheet: &mut Sheet) -> bool {
        let when = &self.page.reading.when;
        // The price of a day that is still in progress is not missing.
        let asked = when
            .from
            .filter(|day| when.to == Some(*day) && self.page.plan.as_of == Some(*day));
        let newest = newest.and_then(|newest| model::Day::parse(newest.get(..10)?));
        let (Some(asked), Some(newest)) = (asked, newest) else {
            return false;
        };
        if newest >= asked || self.instrument.kind == Kind::Coin {
            return false;
        }
        let shown = |date: model::Day| day(&date.to_string());
        // The calendar is that of the exchanges of the United States.
        let is_known = self.instrument.currency == "USD";
        let is_closed = asked.is_weekend() || is_known && !calendar::is_session(asked);
        let before = calendar::previous_session(asked).filter(|_| is_known);
        let is_next = before.is_none_or(|before| newest >= before);
        if is_closed && is_next {
            let line = format!(
                "There was no session on {}; the one before it is shown.",
                shown(asked)
            );
            if !sheet.lead.contains(&line) {
                sheet.lead(line);
            }
            return true;
        }
        let line = format!(
            "No close of **{}** on {} is on record; the nearest earlier one is from {}.",
            self.name(),
            shown(asked),
            shown(newest)
        );
        if !sheet.lead.contains(&line) {
            sheet.lead(line);
        }
        sheet.unknown(format!(
            "The close of {} on {} is not on record.",
            self.name(),
            shown(asked)
        ));
        sheet.at_most(OPEN);
        true
    }

    /// Says so if the newest value before the time that is asked about is not from that time; returns whether that is
    /// the case.
    fn before_asked(&self, date: Option<&str>, sheet: &mut Sheet) -> bool {
        let asked = self.page.asked_from();
        let newest = date.and_then(|date| date.get(..10)).filter(|date| {
            // A weekend comes before the first session of a period.
            asked.is_some_and(|asked| {
                model::Day::parse(date).is_some_and(|day| asked.since(day) > super::NEAR)
            })
        });
        if let Some(newest) = newest {
            let line = format!(
                "No price of **{}** from the requested period is on record; the newest before it is from {}.",
                self.name(),
                day(newest)
            );
            // Both the price and its course may be asked for.
            if !sheet.lead.contains(&line) {
                sheet.lead(line);
            }
            sheet.at_most(OPEN);
        }
        newest.is_some()
    }

    fn coin(&self, sheet: &mut Sheet) {
        let Some(coin) = self.get("coin") else {
            return;
        };
        let Some(price) = coin.number("price") else {
            return;
        };
        // The assessment has already named the price and its change.
        if self.wants(Intent::Outlook)
            || self.wants(Intent::Comparison)
            || self.wants(Intent::Portfolio)
            || self.is_position()
        {
            return;
        }
        self.before_asked(coin.text("updated_at"), sheet);
        let at = coin
            .text("updated_at")
            .map(|at| format!(" ({})", day_of(at)));
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
}

/// Why an assessment has no signal.
fn unrated(analysis: View<'_>) -> &'static str {
    let mut states = analysis.list("data_status").into_iter();
    let is_old = states.any(|one| one.text("field") == Some("trade_signal") && one.flag("stale"));
    if is_old {
        "no signal, because its newest price is too old compared with current news"
    } else {
        "not enough is known for a signal"
    }
}
