//! Writes about converted sums and valued positions.

use query::{Conversion, GivenEnd, Instrument, Position, Size};

use super::{Page, Sheet};
use crate::figures::{change, day, money, plain, trimmed, whole};
use crate::view::View;

pub(super) fn write(page: &Page<'_>, sheet: &mut Sheet) {
    conversion(page, sheet);
    coins(page, sheet);
    for position in &page.reading.positions {
        let mut instruments = page.reading.instruments.iter();
        let instrument = instruments.find(|one| one.symbol == position.symbol);
        if let Some(instrument) = instrument {
            valued(page, position, instrument, sheet);
        }
    }
    total(page, sheet);
}

/// Exchange rates have at least four decimals, or two if they are above twenty.
pub(super) fn rate(value: f64) -> String {
    match value {
        20.0.. => format!("{value:.2}"),
        0.1.. => format!("{value:.4}"),
        _ => plain(value),
    }
}

fn conversion(page: &Page<'_>, sheet: &mut Sheet) {
    let asked = match page.reading.conversions[..] {
        [] => return,
        [asked] => asked,
        _ if page.reading.converts_to_one() => return several(page, sheet),
        _ => return each(page, sheet),
    };
    // The quoted rate of a pair is written with its change.
    let is_quoted = crate::plan::route(asked.from, asked.to)
        .is_some_and(|legs| matches!(legs[..], [leg] if !leg.is_inverse));
    if is_quoted && !asked.is_said {
        return;
    }
    let Some(found) = page.get("conversion") else {
        sheet.lead(without_rate(asked));
        return;
    };
    let (Some(value), Some(date), Some(result)) = (
        found.number("rate"),
        found.text("date"),
        found.number("result"),
    ) else {
        return;
    };
    let unit = format!("1 {} = {} {}", asked.from, rate(value), asked.to);
    if asked.is_said {
        sheet.lead(at_rate(asked, result, date, &unit));
    } else {
        sheet.lead(format!("**{unit}** on {}.", day(date)));
    }
    let route = found.list("route");
    if route.len() > 1 {
        let legs: Vec<String> = route
            .iter()
            .filter_map(|leg| {
                let (base, quote) = leg.text("pair")?.split_at_checked(3)?;
                Some(format!(
                    "{base}/{quote} {} on {}",
                    rate(leg.number("rate")?),
                    day(leg.text("date")?)
                ))
            })
            .collect();
        sheet.lead(format!(
            "The rate is computed by way of the dollar: {}.",
            legs.join(" and ")
        ));
    }
    if let Some(period) = found.at("period")
        && route.len() > 1
        && let (Some(from), Some(start), Some(changed)) = (
            period.text("from"),
            period.number("start"),
            period.number("change_pct"),
        )
    {
        sheet.lead(format!(
            "On {} it was {}: **{}** since.",
            day(from),
            rate(start),
            change(changed)
        ));
    }
}

fn without_rate(asked: Conversion) -> String {
    format!(
        "No rate of the {} in the {} is on record.",
        query::currency_name(asked.from),
        query::currency_name(asked.to)
    )
}

fn at_rate(asked: Conversion, result: f64, date: &str, unit: &str) -> String {
    format!(
        "**{} = {}** at the rate of {}: {unit}.",
        sum(asked.amount, asked.from),
        sum(result, asked.to),
        day(date)
    )
}

/// One sum converted to each of several currencies.
fn each(page: &Page<'_>, sheet: &mut Sheet) {
    let found = page.get("conversions").map(|found| found.list("sums"));
    let found = found.unwrap_or_default();
    for asked in &page.reading.conversions {
        let mut all = found.iter();
        let written = all
            .find(|one| one.text("to") == Some(asked.to))
            .and_then(|one| {
                let unit = format!(
                    "1 {} = {} {}",
                    asked.from,
                    rate(one.number("rate")?),
                    asked.to
                );
                let (result, date) = (one.number("result")?, one.text("date")?);
                Some(at_rate(*asked, result, date, &unit))
            });
        sheet.lead(written.unwrap_or_else(|| without_rate(*asked)));
    }
}

/// An amount of one coin in another.
fn coins(page: &Page<'_>, sheet: &mut Sheet) {
    let Some(asked) = &page.reading.coin_conversion else {
        return;
    };
    let (from, to) = (asked.from.as_str(), asked.to.as_str());
    let written = page.get("coin_conversion").and_then(|found| {
        let currency = found.text("currency")?;
        Some(format!(
            "**{} {from} = {} {to}** at the prices of {}: {from} {}, {to} {}.",
            amount(found.number("amount")?),
            amount(found.number("result")?),
            day(found.text("date")?),
            money(found.number("from_price")?, currency),
            money(found.number("to_price")?, currency)
        ))
    });
    sheet.lead(written.unwrap_or_else(|| {
        format!("{from} cannot be converted to {to}: the price of one of them is not on record.")
    }));
}

/// A number of shares or coins: no decimals where there are none to write.
fn amount(number: f64) -> String {
    if number.fract().abs() < 1e-9 {
        whole(number)
    } else {
        trimmed(number)
    }
}

/// Sums in several currencies, and their total in one.
fn several(page: &Page<'_>, sheet: &mut Sheet) {
    let conversions = &page.reading.conversions;
    let said: Vec<String> = conversions
        .iter()
        .map(|one| sum(one.amount, one.from))
        .collect();
    let to = conversions[0].to;
    let Some(found) = page.get("conversions") else {
        sheet.lead(format!(
            "{} cannot be added in {to}: a rate between them is not on record.",
            said.join(" and ")
        ));
        return;
    };
    let (Some(result), Some(date)) = (found.number("result"), found.text("date")) else {
        return;
    };
    sheet.lead(format!(
        "**{} = {}** at the rates of {}.",
        said.join(" + "),
        sum(result, to),
        day(date)
    ));
    let parts: Vec<String> = found
        .list("sums")
        .iter()
        .filter_map(|one| {
            let (from, amount) = (one.text("from")?, one.number("amount")?);
            let (value, unit) = (one.number("result")?, one.number("rate")?);
            (from != to).then(|| {
                format!(
                    "{} is {} (1 {from} = {} {to})",
                    sum(amount, from),
                    sum(value, to),
                    rate(unit)
                )
            })
        })
        .collect();
    sheet.lead(format!("{}.", parts.join(", ")));
}

/// A sum of money: no decimals where there are none to write.
fn sum(value: f64, currency: &str) -> String {
    let written = money(value, currency);
    written.replacen(".00", "", usize::from(value.fract() == 0.0))
}

fn valued(page: &Page<'_>, position: &Position, instrument: &Instrument, sheet: &mut Sheet) {
    let Some(found) = page.of("position", position.symbol.as_str()) else {
        let reason = if position.bought.is_some() {
            "no price of the time of the purchase is on record, so that it cannot be valued"
        } else {
            "no price is on record, so that it cannot be valued"
        };
        sheet.lead(format!("**{}**: {reason}.", named(instrument)));
        return;
    };
    let writer = Writer {
        position,
        instrument,
        found,
    };
    writer.write(page, sheet);
}

fn named(instrument: &Instrument) -> String {
    let (name, symbol) = (
        crate::figures::quoted(&instrument.name),
        instrument.symbol.as_str(),
    );
    if name.eq_ignore_ascii_case(symbol) {
        name
    } else {
        format!("{name} ({symbol})")
    }
}

struct Writer<'a> {
    position: &'a Position,
    instrument: &'a Instrument,
    found: View<'a>,
}

impl Writer<'_> {
    fn money(&self, value: f64) -> String {
        money(value, &self.instrument.currency)
    }

    fn write(&self, page: &Page<'_>, sheet: &mut Sheet) {
        let (Some(price), Some(date)) = (self.found.number("price"), self.found.text("date"))
        else {
            return;
        };
        self.purchase(sheet);
        let (sold, past) = (self.position.sold.is_some(), self.position.valued.is_some());
        if let (Size::Money(amount, currency), None, Some(units), None) = (
            self.position.size,
            self.found.number("paid"),
            self.found.number("units"),
            self.position.given,
        ) {
            let rate_of = match (
                self.found.number("invested_rate"),
                self.found.text("invested_rate_date"),
            ) {
                (Some(by), Some(of)) => format!(
                    " and the rate of {} (1 {currency} = {} {})",
                    day(of),
                    rate(by),
                    self.instrument.currency
                ),
                _ => String::new(),
            };
            sheet.lead(format!(
                "{} buys {} at {}, the price of {}{rate_of}.",
                sum(amount, currency),
                self.units(units),
                self.money(price),
                day(date)
            ));
            return;
        }
        let of = self.end(sold || past, date);
        let sold = sold || matches!(self.position.given, Some(GivenEnd::Sold(_)));
        let supposed = self.position.given.is_some() && !sold;
        match (self.found.number("units"), self.found.number("value")) {
            (Some(units), Some(value)) => sheet.lead(format!(
                "{} {} **{}** at {}, {of}.",
                self.units(units),
                match units {
                    _ if sold => "fetched",
                    _ if supposed => "would be worth",
                    1.0 if past => "was worth",
                    _ if past => "were worth",
                    1.0 => "is worth",
                    _ => "are worth",
                },
                self.money(value),
                self.money(price)
            )),
            _ => sheet.lead(format!(
                "**{}** {} **{}**, {of}.",
                named(self.instrument),
                match (sold, past) {
                    (true, _) => "fetched",
                    (false, true) => "was at",
                    (false, false) if supposed => "would be at",
                    (false, false) => "is at",
                },
                self.money(price)
            )),
        }
        self.converted(sheet);
        self.gain(sheet);
        if let Some(source) = page.of("price", self.position.symbol.as_str()) {
            for reason in source.reasons() {
                sheet.unknown(crate::figures::sentence(reason));
            }
        }
        self.caveats(sheet);
    }

    /// Whose price it ends with.
    fn end(&self, is_past: bool, date: &str) -> String {
        let newest = self.found.number("newest_price").unwrap_or_default();
        match self.position.given {
            Some(GivenEnd::Sold(_)) => "the price of the sale as the question has it".to_owned(),
            Some(GivenEnd::At(price)) => format!(
                "{} from the price of {} on {}",
                change((price / newest - 1.0) * 100.0),
                self.money(newest),
                day(date)
            ),
            Some(GivenEnd::By(percent)) => format!(
                "{} from the price of {} on {}",
                change(percent),
                self.money(newest),
                day(date)
            ),
            None if is_past => format!("the close of {}", day(date)),
            None => format!("the price of {}", day(date)),
        }
    }

    /// Its value in the currency that is asked for.
    fn converted(&self, sheet: &mut Sheet) {
        let Some(found) = self.found.at("converted") else {
            return;
        };
        if let (Some(currency), Some(value), Some(by), Some(date)) = (
            found.text("currency"),
            found.number("value"),
            found.number("rate"),
            found.text("date"),
        ) {
            sheet.lead(format!(
                "That is **{}** at the rate of {} (1 {} = {} {currency}).",
                money(value, currency),
                day(date),
                self.instrument.currency,
                rate(by)
            ));
        }
    }

    fn units(&self, units: f64) -> String {
        let number = amount(units);
        let noun = match (self.instrument.kind, units) {
            (query::Kind::Coin, _) => self.instrument.symbol.as_str().to_owned(),
            (_, 1.0) => format!("share of {}", named(self.instrument)),
            _ => format!("shares of {}", named(self.instrument)),
        };
        format!("**{number}** {noun}")
    }

    /// What was paid, when, and what it bought.
    fn purchase(&self, sheet: &mut Sheet) {
        let Some(paid) = self.found.number("paid") else {
            return;
        };
        let Some(bought_on) = self.found.text("bought_on") else {
            return;
        };
        let at = if self.position.paid.is_some() {
            String::new()
        } else {
            format!("The close of {} was {}", day(bought_on), self.money(paid))
        };
        if at.is_empty() {
            return;
        }
        let bought = match (self.position.size, self.found.number("units")) {
            (Size::Money(amount, currency), Some(units)) => format!(
                "; {} bought {} of them",
                sum(amount, currency),
                trimmed(units)
            ),
            _ => String::new(),
        };
        sheet.lead(format!("{at}{bought}."));
    }

    fn gain(&self, sheet: &mut Sheet) {
        let (Some(paid), Some(changed)) =
            (self.found.number("paid"), self.found.number("change_pct"))
        else {
            return;
        };
        let word = |value: f64| if value < 0.0 { "loss" } else { "gain" };
        if let (Some(gain), Some(cost)) = (self.found.number("gain"), self.found.number("cost")) {
            sheet.lead(format!(
                "They cost {}, which makes a {} of **{}** (**{}**).",
                self.money(cost),
                word(gain),
                self.money(gain.abs()),
                change(changed)
            ));
        } else {
            let each = self.found.number("gain_per_unit").unwrap_or_default();
            sheet.lead(format!(
                "Against {} that is a {} of **{}** each (**{}**).",
                self.money(paid),
                word(each),
                self.money(each.abs()),
                change(changed)
            ));
        }
        if let (Some(low), Some(low_date), Some(high), Some(high_date)) = (
            self.found.number("lowest_close"),
            self.found.text("lowest_close_date"),
            self.found.number("highest_close"),
            self.found.text("highest_close_date"),
        ) && self.position.paid.is_none()
        {
            sheet.lead(format!(
                "The first close on record of that time is taken; its closes lay between {} ({}) and {} ({}).",
                self.money(low),
                day(low_date),
                self.money(high),
                day(high_date)
            ));
        }
    }

    fn caveats(&self, sheet: &mut Sheet) {
        if self.found.number("paid").is_none() {
            return;
        }
        if self.instrument.kind == query::Kind::Coin {
            sheet.unknown("Fees and taxes are not counted.");
            return;
        }
        sheet.unknown("Dividends, fees and taxes are not counted.");
        if self.position.paid.is_some() {
            sheet.unknown(
                "The price paid is taken as the question has it; if the share was split since, divide it by the split.",
            );
        } else {
            sheet.unknown(
                "Prices are in the scale of today's shares: adjusted for every split since.",
            );
        }
    }
}

/// All positions together, if every one has a value in the same currency.
fn total(page: &Page<'_>, sheet: &mut Sheet) {
    let [first, .., _] = &page.reading.positions[..] else {
        return;
    };
    let mut currencies = page.reading.instruments.iter().map(|one| &*one.currency);
    let first_currency = currencies.next();
    let is_same = currencies.all(|one| Some(one) == first_currency);
    // With several currencies, each was converted.
    let shown = crate::plan::shown_in(page.reading).or(first_currency.filter(|_| is_same));
    let total = page
        .of("position", first.symbol.as_str())
        .and_then(|one| one.number("total"));
    if let (Some(total), Some(currency)) = (total, shown) {
        sheet.lead(format!(
            "Together they are worth **{}**.",
            money(total, currency)
        ));
    }
}
