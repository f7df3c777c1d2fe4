//! Indicators, figures and earnings of one instrument.

use query::Intent;

use super::Writer;
use crate::answer::Sheet;
use crate::figures::{day, money, one, percent, sentence};
use crate::view::View;

impl Writer<'_> {
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
        if let Some(rsi) = latest.number("rsi_14") {
            let zone = match rsi {
                70.0.. => "overbought (70 or more)",
                ..=30.0 => "oversold (30 or less)",
                _ => "neither overbought nor oversold",
            };
            sheet.lead(format!("RSI(14) is {}: {zone}.", one(rsi)));
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
        let mut facts = Vec::new();
        let mut fact = |value: Option<String>| facts.extend(value);
        fact(
            financials
                .text("market_cap_formatted")
                .map(|value| format!("market value {value}")),
        );
        fact(
            financials
                .number("pe_ratio")
                .map(|value| format!("price-to-earnings ratio {}", one(value))),
        );
        let has_ratio = ["pe_ratio", "market_cap", "dividend_yield"]
            .iter()
            .any(|field| financials.number(field).is_some());
        fact(
            financials
                .number("eps")
                .map(|value| format!("earnings per share {}", money(value, self.reported_in()))),
        );
        fact(
            financials
                .text("revenue_formatted")
                .map(|value| format!("revenue {value}")),
        );
        fact(
            financials
                .number("profit_margin")
                .map(|value| format!("profit margin {}", percent(value))),
        );
        fact(
            financials
                .number("dividend_yield")
                .map(|value| format!("dividend yield {value:.2}%")),
        );
        fact(
            financials
                .number("debt_to_equity")
                .map(|value| format!("debt {value:.2} times equity")),
        );
        fact(
            financials
                .number("beta")
                .map(|value| format!("beta {value:.2}")),
        );
        if facts.is_empty() {
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

    /// Of when the price of the ratios is, and of when what they compare it with.
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
            // Where figures are from a table, it is named; the period of filings has been said.
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
