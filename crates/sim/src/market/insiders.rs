//! Forms 4 filed by invented insiders.

use std::ops::Range;

use model::{Day, Filing, InsiderAction, InsiderForm, InsiderTrade, MarketBatch, Timestamp};

use super::MarketWorld;
use super::clock::{month_begin, working_day};
use super::companies::numbered;
use super::filings::{address, filing};
use super::paths::Line;
use super::prices::close_on;
use super::reports::cents;
use super::tables::{Share, Tables};
use crate::cast::person;
use crate::random::Random;
use crate::world::World;

/// The insiders of each company.
const TITLES: [&str; 6] = [
    "Chief Executive Officer",
    "Chief Financial Officer",
    "Director",
    "General Counsel",
    "Chief Operating Officer",
    "Director",
];

/// The share of a company's months in which somebody files.
const FILES: f64 = 0.085;

impl MarketWorld {
    pub(super) fn add_insiders(&self, stretch: &Range<Timestamp>, batch: &mut MarketBatch) {
        let lines = &self.paths().shares;
        for month in Self::months(stretch, self.disclosures_from(), 60) {
            if month_begin(month) < self.disclosures_from() {
                continue;
            }
            for (share, line) in Tables::get().shares.iter().zip(lines) {
                let mut random = Random::of(&[self.seed, 41, share.stream, month as u64]);
                if !share.files() || share.is_second_class() || !random.chance(FILES) {
                    continue;
                }
                let Some(form) = self.form(share, line, month, &mut random) else {
                    continue;
                };
                if random.chance(0.05) {
                    push(
                        share,
                        amended(share, &form, month, &mut random),
                        stretch,
                        batch,
                    );
                }
                push(share, form, stretch, batch);
            }
        }
    }

    fn form(
        &self,
        share: &Share,
        line: &Line,
        month: i32,
        random: &mut Random,
    ) -> Option<InsiderForm> {
        let place = random.below(TITLES.len());
        let (owner_cik, name) = insider(self.seed, share, place);
        let wanted = month_begin(month).plus(random.range(0, 24) as i32);
        let date = self.clock.sessions().get(self.clock.next(wanted)?)?.day;
        let price = close_on(line, &self.clock, date)?;
        // Between five thousand and a million dollars.
        let amount = 5_000.0 * (5.3 * random.unit()).exp();
        let shares = (amount / price).round().max(1.0);
        let near = cents(price * (0.99 + 0.02 * random.unit())).max(0.01);
        let trades = match random.below(20) {
            0..=4 => vec![trade("P", shares, Some(near), date)],
            5..=12 => vec![trade("S", shares, Some(near), date)],
            13..=15 => vec![trade("A", shares, None, date)],
            16..=17 => vec![
                trade("M", shares, Some(cents(price * 0.6).max(0.01)), date),
                trade("F", (shares * 0.4).ceil(), Some(near), date),
            ],
            _ => vec![
                trade("M", shares, Some(cents(price * 0.6).max(0.01)), date),
                trade("S", shares, Some(near), date),
            ],
        };
        let accepted = working_day(date.plus(random.range(1, 2) as i32))
            .starts_at()
            .plus_ms(random.range(20 * 60, 23 * 60) * Timestamp::MINUTE_MS);
        let filed = Day::of(accepted);
        let accession = numbered(share, filed, 5000 + month % 100);
        Some(InsiderForm {
            filing_url: address(&accession),
            accession,
            symbol: share.symbol.clone(),
            issuer: share.name.to_owned(),
            owner_cik,
            name,
            title: TITLES[place].to_owned(),
            filed,
            accepted_at: Some(accepted),
            amends: None,
            trades,
        })
    }
}

/// An insider's number and name, the same in every form.
fn insider(seed: u64, share: &Share, place: usize) -> (u64, String) {
    let mut random = Random::of(&[seed, 42, share.stream, place as u64]);
    let number = 9_600_000_000 + random.next() % 300_000_000;
    (number, person(World::get(), &mut random))
}

fn trade(code: &str, shares: f64, price: Option<f64>, date: Day) -> InsiderTrade {
    InsiderTrade {
        transaction_type: InsiderAction::of_code(code),
        code: code.to_owned(),
        shares,
        price,
        value: price.map(|price| cents(price * shares)),
        date,
        // An option is exercised for the underlying share.
        derivative: code == "M",
    }
}

/// The form again, some days later, with the correct number of shares.
fn amended(share: &Share, form: &InsiderForm, month: i32, random: &mut Random) -> InsiderForm {
    let days = random.range(3, 10) as i32;
    let accepted = working_day(form.filed.plus(days))
        .starts_at()
        .plus_ms(random.range(20 * 60, 23 * 60) * Timestamp::MINUTE_MS);
    let accession = numbered(share, Day::of(accepted), 6000 + month % 100);
    let mut right = form.clone();
    for trade in &mut right.trades {
        trade.shares = (trade.shares * 1.1).ceil();
        trade.value = trade.price.map(|price| cents(price * trade.shares));
    }
    InsiderForm {
        filing_url: address(&accession),
        accession,
        filed: Day::of(accepted),
        accepted_at: Some(accepted),
        amends: Some(form.filed),
        ..right
    }
}

fn push(share: &Share, form: InsiderForm, stretch: &Range<Timestamp>, batch: &mut MarketBatch) {
    let Some(accepted) = form.accepted_at else {
        return;
    };
    if !stretch.contains(&accepted) {
        return;
    }
    let word = if form.amends.is_some() { "4/A" } else { "4" };
    let words = "Statement of changes in beneficial ownership (simulated)".to_owned();
    batch.filings.push(Filing {
        period_of_report: form.trades.first().map(|trade| trade.date),
        ..filing(share, word, form.accession.clone(), accepted, words)
    });
    batch.insider_forms.push(form);
}
