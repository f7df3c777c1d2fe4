//! Earnings and filing figures: consistent with each other, with the price and from quarter to quarter.

use std::ops::Range;

use model::{Concept, Day, Fact, FactSet, MarketBatch, Timestamp, Valuation};

use super::clock::working_day;
use super::paths::Line;
use super::prices::close_on;
use super::reports::{Business, Quarter, Report, cents, million};
use super::tables::{FINANCIALS, Share, Tables};
use super::{MarketWorld, SOURCE};

/// Fewer quarters are published for companies that nobody follows.
const UNFOLLOWED_DAYS: i32 = 456;

impl MarketWorld {
    pub(super) fn add_companies(&self, stretch: &Range<Timestamp>, batch: &mut MarketBatch) {
        let paths = self.paths();
        let plans_from = self.newswire_from.unwrap_or(self.filings_from());
        for ((share, reports), line) in Tables::get()
            .shares
            .iter()
            .zip(&paths.reports)
            .zip(&paths.shares)
        {
            let begin = self.filed_from(share);
            let business = Business::of(self.seed, share);
            for (place, report) in reports.iter().enumerate() {
                if report.day >= self.disclosures_from() {
                    let rows = report.earnings(share, plans_from, stretch);
                    batch.earnings.extend(rows);
                }
                if report.quarter.end() < begin {
                    continue;
                }
                let accepted = accepted_at(report);
                if share.files() && stretch.contains(&accepted) {
                    let facts = facts(share, &business, reports, place);
                    batch.facts.push(FactSet {
                        symbol: share.symbol.clone(),
                        cik: Some(share.cik),
                        accession: accession(share, report),
                        form: form(report).to_owned(),
                        filed: Day::of(accepted),
                        accepted_at: Some(accepted),
                        facts,
                    });
                } else if !share.files() && stretch.contains(&report.at) {
                    batch
                        .valuations
                        .extend(self.valuation(share, &business, line, reports, place));
                }
            }
        }
    }

    /// Quarters that end before this day are not published for a company.
    pub(super) fn filed_from(&self, share: &Share) -> Day {
        let later = if share.is_followed() {
            0
        } else {
            UNFOLLOWED_DAYS
        };
        self.facts_from().plus(later)
    }

    /// What a table of foreign listings would say about one.
    fn valuation(
        &self,
        share: &Share,
        business: &Business,
        line: &Line,
        reports: &[Report],
        place: usize,
    ) -> Option<Valuation> {
        let report = &reports[place];
        let price = close_on(line, &self.clock, report.day.plus(-1))?;
        let newest = self.clock.newest(report.day.plus(-1))?;
        let year = &line.bars[newest.saturating_sub(251)..=newest];
        let of_year = &reports[place.saturating_sub(3)..=place];
        let eps: f64 = of_year.iter().map(|report| report.eps).sum();
        let dividends: f64 = of_year
            .iter()
            .map(|report| business.dividend(share, report.quarter))
            .sum();
        Some(Valuation {
            symbol: share.symbol.clone(),
            price: Some(price),
            market_cap_usd: Some(million(share.value_usd * price / share.price)),
            pe_ratio: (eps > 0.0).then(|| cents(price / eps)),
            eps: Some(cents(eps)),
            dividend_yield_pct: Some(cents(100.0 * dividends / price)),
            fifty_two_week_high: year.iter().map(|bar| bar.high).reduce(f64::max),
            fifty_two_week_low: year.iter().map(|bar| bar.low).reduce(f64::min),
            source: SOURCE.to_owned(),
            at: Some(report.at),
        })
    }
}

/// When the filing with a report's figures is accepted: a day later, or nine days later for the annual one.
pub(super) fn accepted_at(report: &Report) -> Timestamp {
    let days = if report.quarter.number() == 4 { 9 } else { 1 };
    let day = working_day(report.day.plus(days));
    let minutes = i64::from(report.quarter.0 % 40) + report.at.ms().rem_euclid(17);
    day.starts_at()
        .plus_ms(20 * Timestamp::HOUR_MS + minutes * Timestamp::MINUTE_MS)
}

pub(super) const fn form(report: &Report) -> &'static str {
    if report.quarter.number() == 4 {
        "10-K"
    } else {
        "10-Q"
    }
}

/// Accession number of the filing with the figures.
pub(super) fn accession(share: &Share, report: &Report) -> String {
    // One company has one filing; the facts for its second class have their own number, so that neither hides the
    // other.
    let class = if share.is_second_class() { 7000 } else { 0 };
    let number = class + report.quarter.0 % 1000;
    numbered(share, Day::of(accepted_at(report)), number)
}

/// An accession number that no other document of the filer has; each type of document has its own thousands.
pub(super) fn numbered(share: &Share, filed: Day, number: i32) -> String {
    let year = filed.date().year() % 100;
    format!("{:010}-{year:02}-{number:06}", share.cik)
}

/// What the company earned and spent in one quarter.
struct Income {
    revenue: f64,
    operating: f64,
    net: f64,
    eps: f64,
    shares: f64,
    dividends: f64,
    cash_flow: f64,
    expenditure: f64,
}

fn income(share: &Share, business: &Business, report: &Report) -> Income {
    let shares = business.shares(report.quarter);
    let net = million(report.eps * shares);
    Income {
        revenue: report.revenue,
        operating: million(if net > 0.0 { net * 1.28 } else { net * 0.95 }),
        net,
        eps: report.eps,
        shares,
        dividends: business.dividend(share, report.quarter),
        cash_flow: million(net.abs() * 1.25 * if net > 0.0 { 1.0 } else { -0.6 }),
        expenditure: million(
            report.revenue
                * if share.sector == FINANCIALS {
                    0.01
                } else {
                    0.06
                },
        ),
    }
}

/// The sum of several quarters.
fn total(parts: &[Income]) -> Income {
    let sum = |of: fn(&Income) -> f64| parts.iter().map(of).sum::<f64>();
    Income {
        revenue: sum(|part| part.revenue),
        operating: sum(|part| part.operating),
        net: sum(|part| part.net),
        eps: cents(sum(|part| part.eps)),
        shares: (sum(|part| part.shares) / parts.len().max(1) as f64).round(),
        dividends: cents(sum(|part| part.dividends)),
        cash_flow: sum(|part| part.cash_flow),
        expenditure: sum(|part| part.expenditure),
    }
}

/// The facts in a report: the quarter and the year to date in a 10-Q, only the whole year in a 10-K.
fn facts(share: &Share, business: &Business, reports: &[Report], place: usize) -> Vec<Fact> {
    let report = &reports[place];
    let quarter = report.quarter;
    let since = place.saturating_sub((quarter.number() - 1) as usize);
    let parts: Vec<Income> = reports[since..=place]
        .iter()
        .map(|report| income(share, business, report))
        .collect();
    let mut writer = Writer {
        share,
        end: quarter.end(),
        facts: Vec::with_capacity(26),
    };
    let to_date = total(&parts);
    if let (Some(newest), true) = (parts.last(), quarter.number() < 4) {
        writer.period(quarter.begin(), newest);
    }
    let year = quarter.first().begin();
    if quarter.number() > 1 {
        writer.period(year, &to_date);
    }
    // Cash flows are reported only for the year to date.
    writer.add(Concept::OperatingCashFlow, Some(year), to_date.cash_flow);
    writer.add(Concept::CapitalExpenditure, Some(year), to_date.expenditure);
    writer.balance(business, quarter);
    writer.facts
}

struct Writer<'a> {
    share: &'a Share,
    end: Day,
    facts: Vec<Fact>,
}

impl Writer<'_> {
    fn add(&mut self, concept: Concept, start: Option<Day>, value: f64) {
        let currency = self.share.currency;
        let unit = match concept {
            Concept::EpsBasic | Concept::EpsDiluted | Concept::DividendsPerShare => {
                format!("{currency}/shares")
            }
            Concept::SharesOutstanding | Concept::DilutedShares => "shares".to_owned(),
            _ => currency.to_owned(),
        };
        self.facts.push(Fact {
            concept,
            start,
            end: self.end,
            value,
            unit,
        });
    }

    fn period(&mut self, start: Day, income: &Income) {
        let start = Some(start);
        self.add(Concept::Revenue, start, income.revenue);
        if self.share.sector != FINANCIALS {
            // What is left before research and selling costs.
            let rest = income.revenue - income.operating;
            let gross = million(income.operating + 0.35 * rest);
            self.add(Concept::GrossProfit, start, gross);
        }
        self.add(Concept::OperatingIncome, start, income.operating);
        self.add(Concept::NetIncome, start, income.net);
        // Unexercised options increase the diluted share count by one in a hundred.
        self.add(Concept::EpsBasic, start, cents(income.eps * 1.01));
        self.add(Concept::EpsDiluted, start, income.eps);
        self.add(Concept::DilutedShares, start, income.shares);
        if income.dividends > 0.0 {
            self.add(Concept::DividendsPerShare, start, income.dividends);
        }
    }

    fn balance(&mut self, business: &Business, quarter: Quarter) {
        let year = (business.eps_year / business.margin * business.count).abs();
        let revenue = year * business.scale(quarter);
        let is_bank = self.share.sector == FINANCIALS;
        let assets = million(revenue * if is_bank { 7.5 } else { 1.7 });
        // A bank also owes its deposits; for others, a quarter of the assets is owed without interest.
        let part = if is_bank {
            0.11
        } else {
            0.75 / (1.0 + business.leverage)
        };
        let equity = million(assets * part);
        let debt = equity * business.leverage;
        self.add(Concept::Assets, None, assets);
        self.add(Concept::Liabilities, None, assets - equity);
        self.add(Concept::Equity, None, equity);
        self.add(Concept::Cash, None, million(assets * 0.09));
        self.add(Concept::LongTermDebt, None, million(debt * 0.86));
        self.add(Concept::ShortTermDebt, None, million(debt * 0.14));
        let basic = (business.shares(quarter) / 1.01).round();
        self.add(Concept::SharesOutstanding, None, basic);
    }
}
