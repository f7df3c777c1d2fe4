//! Filings: annual and quarterly reports, results, proxy statements and a few others.

use std::ops::Range;

use model::{Day, Filing, MarketBatch, Timestamp};

use super::MarketWorld;
use super::clock::{month_begin, working_day};
use super::companies::{accepted_at, accession, form, numbered};
use super::reports::Report;
use super::tables::{Share, Tables};
use crate::random::Random;

/// Results are also filed in an 8-K, starting this many days after the first filings.
const RESULTS_DAYS: i32 = 275;

/// What else companies file, at random.
const OTHERS: [&str; 5] = [
    "Item 8.01 Other Events",
    "Item 7.01 Regulation FD Disclosure",
    "Item 5.02 Election of Directors",
    "Item 1.01 Entry into a Material Definitive Agreement",
    "Item 5.03 Amendments to Articles of Incorporation or Bylaws",
];

impl MarketWorld {
    pub(super) fn add_filings(&self, stretch: &Range<Timestamp>, batch: &mut MarketBatch) {
        let reports = &self.paths().reports;
        for (share, reports) in Tables::get().shares.iter().zip(reports) {
            if !share.files() || share.is_second_class() {
                continue;
            }
            for report in reports {
                self.add_report(share, report, stretch, batch);
            }
            for month in Self::months(stretch, self.filings_from(), 40) {
                self.add_others(share, month, stretch, batch);
            }
        }
    }

    fn add_report(
        &self,
        share: &Share,
        report: &Report,
        stretch: &Range<Timestamp>,
        batch: &mut MarketBatch,
    ) {
        let accepted = accepted_at(report);
        let form = form(report);
        if report.day >= self.filings_from() && stretch.contains(&accepted) {
            let words = if form == "10-K" {
                "Annual"
            } else {
                "Quarterly"
            };
            batch.filings.push(Filing {
                period_of_report: Some(report.quarter.end()),
                ..filing(
                    share,
                    form,
                    accession(share, report),
                    accepted,
                    format!("{words} report (simulated)"),
                )
            });
        }
        let results_from = self.filings_from().plus(RESULTS_DAYS);
        if report.day >= results_from && stretch.contains(&report.at) {
            batch.filings.push(Filing {
                period_of_report: Some(report.day),
                ..filing(
                    share,
                    "8-K",
                    numbered(share, Day::of(report.at), 1000 + report.quarter.0 % 1000),
                    report.at,
                    "Item 2.02 Results of Operations and Financial Condition; Item 9.01 Financial \
                     Statements and Exhibits (simulated)"
                        .to_owned(),
                )
            });
        }
    }

    fn add_others(
        &self,
        share: &Share,
        month: i32,
        stretch: &Range<Timestamp>,
        batch: &mut MarketBatch,
    ) {
        let mut random = Random::of(&[self.seed, 31, share.stream, month as u64]);
        let begin = month_begin(month);
        if begin < self.filings_from() {
            return;
        }
        let mut add = |random: &mut Random, form: &str, number: i32, words: String| {
            let day = working_day(begin.plus(random.range(2, 25) as i32));
            let accepted = day
                .starts_at()
                .plus_ms(random.range(13 * 60, 21 * 60) * Timestamp::MINUTE_MS);
            if stretch.contains(&accepted) {
                let accession = numbered(share, day, number);
                batch
                    .filings
                    .push(filing(share, form, accession, accepted, words));
            }
        };
        if random.chance(0.05)
            && let Some(item) = random.pick(&OTHERS)
        {
            add(
                &mut random,
                "8-K",
                2000 + month % 12,
                format!("{item} (simulated)"),
            );
        }
        if month % 12 == 3 {
            let words = "Definitive proxy statement (simulated)".to_owned();
            add(&mut random, "DEF 14A", 3000, words);
        }
        if share.is_fictional() && random.chance(0.004) {
            let words = "Registration statement (simulated)".to_owned();
            add(&mut random, "S-1", 4000 + month % 12, words);
        }
    }
}

/// A filing of a company.
pub(super) fn filing(
    share: &Share,
    form: &str,
    accession: String,
    accepted: Timestamp,
    description: String,
) -> Filing {
    Filing {
        filing_url: address(&accession),
        accession,
        symbol: Some(share.symbol.clone()),
        cik: share.cik,
        company_name: share.name.to_owned(),
        form_type: form.to_owned(),
        filed_date: Day::of(accepted),
        accepted_at: Some(accepted),
        period_of_report: None,
        description,
        other_parties: Vec::new(),
    }
}

/// The address of a document that does not exist anywhere.
pub(super) fn address(accession: &str) -> String {
    format!("https://example.invalid/filings/{accession}")
}
