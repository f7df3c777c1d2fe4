//! Checks claims about filings and trades against the records. Missing records prove nothing, so they are never a
//! contradiction. A filing of the same form on another day is one, if the filings around it are on record, and so is
//! the opposite trade by the same person at the same time.

use model::{CongressTrade, Day, InsiderAction, InsiderLine, table};
use verify::figures::{Assertion, Bound, Disclosure, FigureClaim, Period, Unit};

use super::FigureServices;
use super::finding::{FigureFinding, Reason, Truth, Verdict};
use super::window::back;
use super::wording;
use crate::Result;
use crate::market::{CongressQuery, FilingQuery, InsiderQuery, Listing, PointInTime};

/// How many days of insider trades are searched.
const INSIDER_DAYS: i32 = 40 * 366;

/// A record prepared for comparison with a claim.
struct Record {
    days: Vec<Day>,
    is_purchase: Option<bool>,
    who: String,
    /// The lower and upper end of the amount in USD.
    money: Option<(f64, f64)>,
    shares: Option<f64>,
    sentence: String,
    source: String,
    url: Option<String>,
    known_on: Day,
}

pub(super) async fn check(
    services: &FigureServices,
    claim: &FigureClaim,
    disclosure: &Disclosure,
    listing: &Listing,
    when: PointInTime,
) -> Result<FigureFinding> {
    let finding = match disclosure {
        Disclosure::Filing { form } => filing(services, claim, form, listing, when).await?,
        Disclosure::Insider { is_purchase, who } => {
            let records = insiders(services, listing, when).await?;
            trade(
                claim,
                &records,
                *is_purchase,
                who.as_deref(),
                "insider trade",
                listing,
                when,
            )
        }
        Disclosure::Congress {
            is_purchase,
            who,
            chamber,
        } => {
            let mut records = lawmakers(services, listing, *chamber, when).await?;
            if chamber.is_none() && who.is_some() {
                records.extend(insiders(services, listing, when).await?);
            }
            trade(
                claim,
                &records,
                *is_purchase,
                who.as_deref(),
                "disclosed trade",
                listing,
                when,
            )
        }
        Disclosure::Holding { .. } => FigureFinding::open(
            Reason::NoEvidence,
            "Holdings of institutions are not compared with claims.",
        ),
    };
    Ok(if claim.is_negated {
        finding.denied()
    } else {
        finding
    })
}

/// The first and last day of the claim.
fn span(period: &Period, today: Day) -> (Day, Day) {
    match period {
        Period::In(span) => (span.first, span.last),
        Period::Between(first, last) => (first.first, last.last),
        Period::Since(span) => (span.first, today),
        Period::Past(count, length) => (back(today, *count, *length), today),
        Period::Unsaid | Period::Latest => (Day::MIN, today),
    }
}

async fn filing(
    services: &FigureServices,
    claim: &FigureClaim,
    form: &str,
    listing: &Listing,
    when: PointInTime,
) -> Result<FigureFinding> {
    let all = services
        .disclosures
        .filings_of(listing, FilingQuery::default(), when)
        .await?;
    let (first, last) = span(&claim.period, Day::of(when.end));
    let is_form = |known: &str| {
        known.eq_ignore_ascii_case(form)
            || known.eq_ignore_ascii_case(&form.replace("13-F", "13F-HR"))
    };
    let of_form: Vec<_> = all
        .iter()
        .filter(|filing| is_form(&filing.form_type))
        .collect();
    let nearest = of_form.iter().min_by_key(|filing| {
        let day = filing.filed_date;
        first.since(day).max(day.since(last)).max(0)
    });
    let Some(nearest) = nearest else {
        return Ok(FigureFinding::open(
            Reason::NoEvidence,
            format!(
                "No filing of form {form} by {} is on record.",
                listing.ticker()
            ),
        ));
    };
    let holds = nearest.filed_date >= first && nearest.filed_date <= last;
    let oldest = all
        .iter()
        .map(|filing| filing.filed_date)
        .min()
        .unwrap_or(nearest.filed_date);
    let newest = all
        .iter()
        .map(|filing| filing.filed_date)
        .max()
        .unwrap_or(nearest.filed_date);
    let sentence = format!(
        "{} filed form {} on {}.",
        listing.ticker(),
        nearest.form_type,
        wording::day(nearest.filed_date)
    );
    if !holds && (first < oldest || last > newest) {
        let sentence = format!(
            "Filings of {} are held from {} to {}, which does not cover the time of the claim.",
            listing.ticker(),
            wording::day(oldest),
            wording::day(newest)
        );
        return Ok(FigureFinding::open(Reason::NoEvidence, sentence));
    }
    Ok(FigureFinding {
        verdict: if holds {
            Verdict::Supported
        } else {
            Verdict::Contradicted
        },
        statement: sentence,
        reading: "day of filing".to_owned(),
        source: Some("SEC filings".to_owned()),
        url: Some(nearest.filing_url.clone()).filter(|url| !url.is_empty()),
        known_at: Some(
            nearest
                .accepted_at
                .unwrap_or_else(|| nearest.filed_date.plus(1).starts_at()),
        ),
        truth: vec![Truth {
            day: nearest.filed_date,
            value: 1.0,
        }],
        ..FigureFinding::open(Reason::NoEvidence, "")
    })
}

async fn insiders(
    services: &FigureServices,
    listing: &Listing,
    when: PointInTime,
) -> Result<Vec<Record>> {
    let query = InsiderQuery {
        days: INSIDER_DAYS,
        limit: 0,
    };
    let lines = services
        .disclosures
        .insider_trades_of(listing, query, when)
        .await?;
    Ok(lines.into_iter().map(of_insider).collect())
}

fn of_insider(line: InsiderLine) -> Record {
    let trade = &line.trade;
    let is_purchase = match trade.transaction_type {
        InsiderAction::Buy => Some(true),
        InsiderAction::Sell => Some(false),
        _ => None,
    };
    let value = trade
        .value
        .or(trade.price.map(|price| price * trade.shares));
    let price = trade
        .price
        .map_or_else(String::new, |price| format!(" at {price:.2} USD"));
    Record {
        days: vec![trade.date, line.filed],
        is_purchase,
        who: line.name.clone(),
        money: value.map(|value| (value, value)),
        shares: Some(trade.shares),
        sentence: format!(
            "{} ({}) reported a {} of {} {} shares{price} on {}.",
            line.name,
            line.title,
            trade.transaction_type.as_str().replace('_', " "),
            wording::number(trade.shares),
            line.symbol,
            wording::day(trade.date)
        ),
        source: "SEC Form 4".to_owned(),
        url: Some(line.filing_url).filter(|url| !url.is_empty()),
        known_on: line.filed,
    }
}

async fn lawmakers(
    services: &FigureServices,
    listing: &Listing,
    chamber: Option<&'static str>,
    when: PointInTime,
) -> Result<Vec<Record>> {
    let query = CongressQuery {
        symbol: Some(listing.instrument.symbol.clone()),
        chamber,
        member: Vec::new(),
        limit: 0,
    };
    let trades = services.disclosures.congress_trades(query, when).await?;
    Ok(trades.into_iter().map(of_lawmaker).collect())
}

fn of_lawmaker(trade: CongressTrade) -> Record {
    let is_purchase = match trade.transaction_type.as_str() {
        "buy" => Some(true),
        kind if kind.starts_with("sell") => Some(false),
        _ => None,
    };
    let done = trade
        .transaction_date
        .map_or_else(String::new, |day| format!(" of {}", wording::day(day)));
    let word = if is_purchase == Some(true) {
        "purchase"
    } else {
        "sale"
    };
    Record {
        days: trade
            .transaction_date
            .into_iter()
            .chain([trade.disclosure_date])
            .collect(),
        is_purchase,
        sentence: format!(
            "{} disclosed a {word} of {} ({}){done} on {}.",
            trade.member,
            trade
                .symbol
                .as_ref()
                .map_or(trade.asset.as_str(), |symbol| symbol.as_str()),
            trade.amount_range,
            wording::day(trade.disclosure_date)
        ),
        who: trade.member,
        money: trade
            .amount_low
            .map(|low| (low, trade.amount_high.unwrap_or(f64::INFINITY))),
        shares: None,
        source: format!("disclosures of the {}", trade.chamber.as_str()),
        url: trade.url,
        known_on: trade.disclosure_date,
    }
}

fn trade(
    claim: &FigureClaim,
    records: &[Record],
    is_purchase: bool,
    who: Option<&str>,
    what: &str,
    listing: &Listing,
    when: PointInTime,
) -> FigureFinding {
    let (first, last) = span(&claim.period, Day::of(when.end));
    let of_person: Vec<&Record> = records
        .iter()
        .filter(|record| who.is_none_or(|who| is_called(&record.who, who)))
        .filter(|record| record.days.iter().any(|day| *day >= first && *day <= last))
        .collect();
    let same: Vec<&&Record> = of_person
        .iter()
        .filter(|record| record.is_purchase == Some(is_purchase))
        .collect();
    let sizes: Vec<Bound> = claim
        .assertions
        .iter()
        .filter_map(|assertion| match assertion {
            Assertion::Value(bound) => Some(*bound),
            _ => None,
        })
        .collect();
    let fits = |record: &Record| {
        sizes
            .iter()
            .all(|bound| agrees(record, bound, claim.measure.is_some()))
    };
    if let Some(record) = same.iter().find(|record| fits(record)) {
        return found(record, Verdict::Supported);
    }
    if let Some(first) = same.first().filter(|_| !sizes.is_empty()) {
        let totals = || same.iter().map(|one| together(one, &same));
        if let Some(total) = totals().find(|total| fits(total)) {
            return found(&total, Verdict::Supported);
        }
        return found(&together(first, &same), Verdict::Contradicted);
    }
    let opposite = of_person
        .iter()
        .find(|record| record.is_purchase == Some(!is_purchase));
    if let Some(record) = opposite.filter(|_| who.is_some()) {
        return found(record, Verdict::Contradicted);
    }
    let name = who.map_or_else(String::new, |who| format!(" by {who}"));
    FigureFinding::open(
        Reason::NoEvidence,
        format!(
            "No matching {what} in {}{name} from that time is on record.",
            listing.ticker()
        ),
    )
}

/// What a person traded on the day of a record, because trades are often reported in several lots.
fn together(first: &Record, same: &[&&Record]) -> Record {
    let lots: Vec<&&&Record> = same
        .iter()
        .filter(|one| one.who == first.who && one.days.first() == first.days.first())
        .collect();
    let shares = lots.iter().map(|lot| lot.shares).sum::<Option<f64>>();
    let money = lots
        .iter()
        .map(|lot| lot.money)
        .try_fold((0.0, 0.0), |sum, lot| {
            lot.map(|lot| (sum.0 + lot.0, sum.1 + lot.1))
        });
    let total = match (lots.len(), shares) {
        (2.., Some(shares)) => format!(
            " With {} other lots of that day it comes to {} shares.",
            lots.len() - 1,
            wording::number(shares)
        ),
        _ => String::new(),
    };
    Record {
        days: first.days.clone(),
        is_purchase: first.is_purchase,
        who: first.who.clone(),
        money,
        shares,
        sentence: format!("{}{total}", first.sentence),
        source: first.source.clone(),
        url: first.url.clone(),
        known_on: first.known_on,
    }
}

fn found(record: &Record, verdict: Verdict) -> FigureFinding {
    FigureFinding {
        verdict,
        statement: record.sentence.clone(),
        reading: "day of the trade or of its disclosure".to_owned(),
        source: Some(record.source.clone()),
        url: record.url.clone(),
        known_at: Some(record.known_on.plus(1).starts_at()),
        ..FigureFinding::open(Reason::NoEvidence, "")
    }
}

/// Whether a trade has the size in a claim; an amount of money may mean the price of one share.
fn agrees(record: &Record, bound: &Bound, of_one_share: bool) -> bool {
    match (bound.amount().unit, record.money, record.shares) {
        (Unit::Count, _, Some(shares)) => bound.holds(shares),
        // `1,500 shares at about $66.90`: the price of one share.
        (Unit::Money(_), Some((low, high)), Some(shares))
            if shares > 0.0
                && bound.amount().value * 10.0 < low
                && (of_one_share || matches!(bound, Bound::Equal(_) | Bound::About(_))) =>
        {
            let price = f64::midpoint(low, high) / shares;
            if matches!(bound, Bound::Equal(_) | Bound::About(_)) {
                (price - bound.amount().value).abs() <= 0.02 * price
            } else {
                bound.holds(price)
            }
        }
        (Unit::Money(_), Some((low, high)), _) => match bound {
            Bound::Above(amount) | Bound::AtLeast(amount) | Bound::JustAbove(amount) => {
                low >= amount.value * 0.999
            }
            Bound::Below(amount) | Bound::AtMost(amount) | Bound::JustBelow(amount) => {
                high <= amount.value * 1.001
            }
            Bound::Between(from, to) => low >= from.value * 0.99 && high <= to.value * 1.01,
            Bound::Equal(amount) | Bound::About(amount) | Bound::Word { amount, .. } => {
                low <= amount.value * 1.05 && high >= amount.value * 0.95
            }
        },
        _ => false,
    }
}

/// Whether a recorded name matches the one in a claim: it must contain every word of the claimed name, in any order.
fn is_called(recorded: &str, claimed: &str) -> bool {
    let words = |text: &str| text::company::words(text);
    let recorded = words(recorded);
    let mut claimed = words(claimed).into_iter().peekable();
    let is_in = |word: String| {
        recorded.contains(&word)
            || full_names(&word).any(|full| recorded.iter().any(|one| one == full))
    };
    claimed.peek().is_some() && claimed.all(is_in)
}

/// The first names that a short form stands for: `tim` for `timothy`.
fn full_names(short: &str) -> impl Iterator<Item = &'static str> + '_ {
    table::rows(include_str!("../../data/first_names.tsv"))
        .filter(move |[known, _]| *known == short)
        .flat_map(|[_, full]| full.split('|'))
}
