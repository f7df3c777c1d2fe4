//! Indicators, figures and earnings of one instrument.

use query::{Fact, Intent, Reading};

use super::Writer;
use crate::answer::Sheet;
use crate::figures::{change, day, money, one, percent, sentence};
use crate::view::View;

/// A figure of a company, and the words that ask for it.
struct Figure {
    name: &'static str,
    /// Its field in the figures of a company.
    field: &'static str,
    asked_as: &'static [&'static str],
}

const MARKET_VALUE: Figure = Figure {
    name: "market value",
    field: "market_cap_formatted",
    asked_as: &["market value", "market cap", "mcap", "how big", "worth"],
};
const PRICE_TO_EARNINGS: Figure = Figure {
    name: "price-to-earnings ratio",
    field: "pe_ratio",
    asked_as: &[
        "p/e",
        "pe ratio",
        "price-to-earnings",
        "price to earnings",
        "multiple",
    ],
};
const EARNINGS_PER_SHARE: Figure = Figure {
    name: "earnings per share",
    field: "eps",
    asked_as: &["eps", "earnings per share"],
};
const REVENUE: Figure = Figure {
    name: "revenue",
    field: "revenue_formatted",
    asked_as: &["revenue", "sales", "turnover", "top line"],
};
const PROFIT_MARGIN: Figure = Figure {
    name: "profit margin",
    field: "profit_margin",
    asked_as: &["margin", "profitab"],
};
const DIVIDEND_YIELD: Figure = Figure {
    name: "dividend yield",
    field: "dividend_yield",
    asked_as: &["dividend", "yield", "payout", "pay out"],
};
const DEBT: Figure = Figure {
    name: "debt",
    field: "debt_to_equity",
    asked_as: &["debt", "leverag", "indebted", "borrow"],
};
const BETA: Figure = Figure {
    name: "beta",
    field: "beta",
    asked_as: &["beta"],
};

/// The share of the figures that a question asks for that are on record; 1 if it names none of them and there are any.
pub(in crate::answer) fn share_of_figures(reading: &Reading, financials: View<'_>) -> f64 {
    const ALL: [Figure; 8] = [
        MARKET_VALUE,
        PRICE_TO_EARNINGS,
        EARNINGS_PER_SHARE,
        REVENUE,
        PROFIT_MARGIN,
        DIVIDEND_YIELD,
        DEBT,
        BETA,
    ];
    let is_held = |figure: &Figure| financials.at(figure.field).is_some();
    // A figure of the statements is looked up in the statements.
    if matches!(reading.fact, Some(Fact::Reported(_))) {
        return 1.0;
    }
    let question = reading.question.to_lowercase();
    let asked: Vec<&Figure> = ALL
        .iter()
        .filter(|figure| figure.is_asked(&question))
        .collect();
    if asked.is_empty() {
        return f64::from(ALL.iter().any(is_held));
    }
    let held = asked.iter().filter(|figure| is_held(figure)).count();
    held as f64 / asked.len() as f64
}

impl Figure {
    fn is_asked(&self, question: &str) -> bool {
        let mut words = self.asked_as.iter();
        words.any(|words| begins_in(question, words))
    }
}

/// Whether words appear in a question at the beginning of a word: `pe ratio` does not in `sharpe ratio`.
fn begins_in(question: &str, words: &str) -> bool {
    let mut found = question.match_indices(words);
    found.any(|(at, _)| !question[..at].ends_with(char::is_alphanumeric))
}

/// What an RSI value means.
fn zone(rsi: f64) -> &'static str {
    match rsi {
        70.0.. => "overbought (70 or more)",
        ..=30.0 => "oversold (30 or less)",
        _ => "neither overbought nor oversold",
    }
}

impl Writer<'_> {
    /// Whether it is overbought or oversold, if that is asked: before any signal.
    pub(super) fn oscillator(&self, sheet: &mut Sheet) {
        let Some((rsi, technicals)) = self.asked_rsi() else {
            return;
        };
        let date = technicals.text("date").map(day).unwrap_or_default();
        sheet.lead(format!(
            "**{}** is **{}**: its RSI(14) is **{}** at the close of {date}.",
            self.name(),
            zone(rsi),
            one(rsi)
        ));
    }

    /// The RSI and the result that contains it, if the question asks for it or for what it indicates.
    fn asked_rsi(&self) -> Option<(f64, View<'_>)> {
        const ASKED: [&str; 6] = [
            "overbought",
            "over bought",
            "oversold",
            "over sold",
            "rsi",
            "relative strength",
        ];
        let question = self.page.reading.question.to_lowercase();
        let is_asked = ASKED.iter().any(|words| begins_in(&question, words));
        let technicals = self.get("technicals").filter(|_| is_asked)?;
        Some((technicals.number("latest/rsi_14")?, technicals))
    }

    pub(super) fn technicals(&self, sheet: &mut Sheet) {
        let Some(technicals) = self.get("technicals") else {
            return;
        };
        if !self.wants(Intent::Technicals) {
            return;
        }
        let Some(latest) = technicals.at("latest") else {
            sheet.unknown(format!(
                "The history of {} is too short for indicators.",
                self.name()
            ));
            return;
        };
        let currency = self.currency();
        let date = technicals.text("date").map(day).unwrap_or_default();
        if let Some(summary) = technicals.at("signal_summary")
            && let (Some(overall), Some(buy), Some(sell), Some(total)) = (
                summary.text("overall"),
                summary.whole("buy"),
                summary.whole("sell"),
                summary.whole("total"),
            )
        {
            sheet.lead(format!(
                "**{}: technicals say {}** at the close of {date}: {buy} of {total} indicators signal buy, {sell} sell.",
                self.name(),
                overall.replace('_', " ")
            ));
        }
        if let Some(rsi) = latest
            .number("rsi_14")
            .filter(|_| self.asked_rsi().is_none())
        {
            sheet.lead(format!("RSI(14) is {}: {}.", one(rsi), zone(rsi)));
        }
        let mut rows = Vec::new();
        let mut row = |name: &str, value: Option<String>, reading: &str| {
            if let Some(value) = value {
                rows.push(format!("| {name} | {value} | {reading} |"));
            }
        };
        let price = latest.number("price");
        let against = |level: Option<f64>| match (price, level) {
            (Some(price), Some(level)) if price >= level => "price above",
            (Some(_), Some(_)) => "price below",
            _ => "",
        };
        for (name, field) in [
            ("20-day average", "sma_20"),
            ("50-day average", "sma_50"),
            ("200-day average", "sma_200"),
        ] {
            let level = latest.number(field);
            row(
                name,
                level.map(|level| money(level, currency)),
                against(level),
            );
        }
        let histogram = latest.number("macd/histogram");
        row(
            "MACD histogram",
            histogram.map(|value| format!("{value:+.2}")),
            match histogram {
                Some(value) if value > 0.0 => "bullish",
                Some(_) => "bearish",
                None => "",
            },
        );
        let bands = (
            latest.number("bollinger/lower"),
            latest.number("bollinger/upper"),
        );
        if let (Some(lower), Some(upper)) = bands {
            let place = match price {
                Some(price) if price > upper => "price above the band",
                Some(price) if price < lower => "price below the band",
                _ => "price inside the band",
            };
            row(
                "Bollinger band",
                Some(format!(
                    "{} to {}",
                    money(lower, currency),
                    money(upper, currency)
                )),
                place,
            );
        }
        let adx = latest.number("adx_14");
        row(
            "ADX(14)",
            adx.map(one),
            if adx.is_some_and(|adx| adx >= 25.0) {
                "a trend"
            } else {
                "no clear trend"
            },
        );
        row(
            "ATR(14)",
            latest.number("atr_14").map(|value| money(value, currency)),
            "a usual day's range",
        );
        if !rows.is_empty() {
            let price = price
                .map(|price| money(price, currency))
                .unwrap_or_default();
            sheet.blocks.push(format!(
                "| {} at {price} | Value | Reading |\n|---|---:|---|\n{}",
                self.symbol,
                rows.join("\n")
            ));
        }
    }

    pub(super) fn financials(&self, sheet: &mut Sheet) {
        let Some(financials) = self.get("financials") else {
            return;
        };
        if !self.wants(Intent::Fundamentals) || !self.is_one && self.wants(Intent::Comparison) {
            return;
        }
        let has_ratio = ["pe_ratio", "market_cap", "dividend_yield"]
            .iter()
            .any(|field| financials.number(field).is_some());
        let number = |field: &str| financials.number(field);
        let text = |field: &str| financials.text(field).map(str::to_owned);
        let figures: [(Figure, Option<String>); 8] = [
            (MARKET_VALUE, text("market_cap_formatted")),
            (PRICE_TO_EARNINGS, number("pe_ratio").map(one)),
            (
                EARNINGS_PER_SHARE,
                number("eps").map(|value| money(value, self.reported_in())),
            ),
            (REVENUE, text("revenue_formatted")),
            (PROFIT_MARGIN, number("profit_margin").map(percent)),
            (
                DIVIDEND_YIELD,
                number("dividend_yield").map(|value| format!("{value:.2}%")),
            ),
            (
                DEBT,
                number("debt_to_equity").map(|value| format!("{value:.2} times equity")),
            ),
            (BETA, number("beta").map(|value| format!("{value:.2}"))),
        ];
        let question = self.page.reading.question.to_lowercase();
        let mut facts = Vec::new();
        let mut asked = Vec::new();
        // A figure of the statements has already been given, and no other one answers in its place.
        let is_told = matches!(self.page.reading.fact, Some(query::Fact::Reported(_)));
        for (figure, value) in figures {
            let is_asked = !is_told && figure.is_asked(&question);
            match value {
                Some(value) if is_asked => asked.push(format!("**{} {value}**", figure.name)),
                Some(value) => facts.push(format!("{} {value}", figure.name)),
                None if is_asked => sheet.lead(format!(
                    "No source reports the {} of **{}**.",
                    figure.name,
                    self.name()
                )),
                None => {}
            }
        }
        // What was asked for comes first.
        let facts = [asked, facts].concat();
        if facts.is_empty() {
            self.dividends(sheet);
            sheet.unknown(format!("No figures of {} are on record.", self.name()));
            return;
        }
        let period = financials.text("period_end").map(|end| {
            let basis = match financials.text("basis") {
                Some("ttm") => "twelve months to ",
                _ => "fiscal year to ",
            };
            format!(" ({basis}{})", day(end))
        });
        sheet.lead(format!(
            "**{}**{}: {}.",
            self.name(),
            period.unwrap_or_default(),
            facts.join(", ")
        ));
        self.growth(sheet);
        self.dividends(sheet);
        if has_ratio {
            self.times_of_ratio(financials, sheet);
        }
        if let (Some(low), Some(high)) = (
            financials.number("fifty_two_week_low"),
            financials.number("fifty_two_week_high"),
        ) {
            sheet.lead(format!(
                "Its 52-week range is {} to {}.",
                money(low, self.currency()),
                money(high, self.currency())
            ));
        }
        let missing: Vec<&str> = [
            ("pe_ratio", "price-to-earnings ratio"),
            ("dividend_yield", "dividend yield"),
            ("debt_to_equity", "debt to equity"),
            ("profit_margin", "profit margin"),
        ]
        .into_iter()
        .filter(|(field, _)| financials.number(field).is_none())
        .map(|(_, words)| words)
        .collect();
        if !missing.is_empty() {
            sheet.unknown(format!(
                "{}: no source reports {}.",
                self.symbol,
                missing.join(", ")
            ));
        }
    }

    /// The newest dividends, if they are asked for.
    fn dividends(&self, sheet: &mut Sheet) {
        let Some(dividends) = self.get("dividends") else {
            return;
        };
        let paid: Vec<String> = dividends
            .list("actions")
            .iter()
            .filter_map(|one| {
                let currency = one.text("currency").unwrap_or(self.currency());
                Some(format!(
                    "{} (ex-date {})",
                    money(one.number("amount")?, currency),
                    day(one.text("ex_date")?)
                ))
            })
            .collect();
        if paid.is_empty() {
            sheet.unknown(format!(
                "Dividend payments of {} are not on record, and neither is the next date.",
                self.symbol
            ));
        } else {
            sheet.lead(format!("Latest dividends per share: {}.", paid.join(", ")));
        }
    }

    /// The growth of revenue and earnings per share from the same quarter a year earlier.
    fn growth(&self, sheet: &mut Sheet) {
        if matches!(self.page.reading.fact, Some(query::Fact::Reported(_))) {
            return;
        }
        let statements = self.get("statements");
        let newest = statements.and_then(|all| all.list("statements").into_iter().next());
        let Some(newest) = newest else {
            return;
        };
        if let Some(statements) = statements {
            self.course(statements, sheet);
        }
        let grown: Vec<String> = [
            ("revenue_growth", "revenue"),
            ("eps_growth", "earnings per share"),
        ]
        .into_iter()
        .filter_map(|(field, words)| Some(format!("{words} {}", change(newest.number(field)?))))
        .collect();
        let end = newest.text("period_end").map(day).unwrap_or_default();
        sheet.lead(if grown.is_empty() {
            format!(
                "How the quarter to {end} compares with that of a year before is not on record."
            )
        } else {
            format!(
                "Against the same quarter a year before, in the quarter to {end}: **{}**.",
                grown.join(", ")
            )
        });
    }

    /// Its last report compared with what was expected, and how often it did better.
    fn surprise(&self, sheet: &mut Sheet) {
        let Some(full) = self.get("full") else {
            return;
        };
        let history = full.list("earnings/surprise_history");
        let Some(newest) = history.first() else {
            sheet.unknown(format!(
                "What {} reported against what was expected is not on record.",
                self.symbol
            ));
            return;
        };
        if let (Some(actual), Some(estimate), Some(by), Some(quarter), Some(date)) = (
            newest.number("eps_actual"),
            newest.number("eps_estimate"),
            newest.number("surprise_pct"),
            newest.text("fiscal_quarter"),
            newest.text("date"),
        ) {
            let word = if by.abs() < 0.005 {
                "met"
            } else if by > 0.0 {
                "beat"
            } else {
                "missed"
            };
            sheet.lead(format!(
                "**{} {word}** the estimate for {quarter} on {}: earnings per share of {} against {} expected ({}).",
                self.name(),
                day(date),
                money(actual, self.reported_in()),
                money(estimate, self.reported_in()),
                change(by)
            ));
        }
        if let (Some(beaten), Some(missed)) = (
            full.whole("earnings/times_beaten"),
            full.whole("earnings/times_missed"),
        ) && history.len() > 1
        {
            sheet.lead(format!(
                "Of the last {} quarters on record it beat the estimate in {beaten} and missed it in {missed}.",
                history.len()
            ));
        }
    }

    /// The date of the price in the ratios, and the date of what it is compared with.
    fn times_of_ratio(&self, financials: View<'_>, sheet: &mut Sheet) {
        let priced = financials
            .number("price")
            .zip(financials.text("price_date"))
            .map(|(price, date)| {
                format!(
                    "the price of {} on {}",
                    money(price, self.currency()),
                    day(date)
                )
            });
        let reported = financials
            .text("period_end")
            .map(|end| format!("the figures of the period to {}", day(end)));
        match (priced, reported) {
            (Some(priced), Some(reported)) => sheet.lead(format!(
                "Market value and ratios compare {priced} with {reported}."
            )),
            (Some(priced), None) => sheet.lead(format!(
                "Market value and ratios rest on {priced} and on an imported table that does not say of which period its figures are."
            )),
            (None, _) => sheet.unknown(format!(
                "{}: the day of the price behind the ratios is not on record.",
                self.symbol
            )),
        }
        for status in financials.list("data_status") {
            // If figures come from a table, it is named; the period of filings has already been given.
            if status.text("source").is_some()
                && financials.text("period_end").is_none()
                && status.text("field") != Some("beta")
                && let Some(reason) = status.text("reason")
            {
                sheet.unknown(sentence(reason));
            }
        }
    }

    pub(super) fn earnings(&self, sheet: &mut Sheet) {
        let Some(earnings) = self.get("earnings") else {
            return;
        };
        // A portfolio lists the dates of its holdings itself.
        if self.wants(Intent::Portfolio) {
            return;
        }
        self.surprise(sheet);
        let Some(date) = earnings.text("earnings_date") else {
            if self.wants(Intent::Earnings) {
                sheet.lead(format!(
                    "No date of coming earnings of **{}** is on record.",
                    self.name()
                ));
            }
            return;
        };
        let is_estimated = earnings.text("earnings_status") == Some("estimated");
        let quarter = earnings
            .text("fiscal_quarter")
            .map(|quarter| format!(" for {quarter}"))
            .unwrap_or_default();
        let mut line = format!(
            "{} reports{quarter} on {}{}",
            self.name(),
            day(date),
            if is_estimated {
                " (estimated date)"
            } else {
                ""
            }
        );
        let mut expected = Vec::new();
        if let Some(eps) = earnings.number("eps_estimate") {
            expected.push(format!(
                "earnings per share of {}",
                money(eps, self.reported_in())
            ));
        }
        if let Some(revenue) = earnings.text("revenue_estimate_formatted") {
            expected.push(format!("revenue of {revenue}"));
        }
        if !expected.is_empty() {
            line = format!("{line}; analysts expect {}", expected.join(" and "));
        }
        line.push('.');
        if self.wants(Intent::Earnings) {
            sheet.lead(line);
        } else {
            sheet.ahead.push(line);
        }
    }
}
