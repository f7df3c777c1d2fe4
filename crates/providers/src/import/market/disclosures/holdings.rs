//! Form 13F: the information table, its cover page, and the unit of its values.
//!
//! Forms filed since 2023 state values in dollars, earlier ones in thousands. Some filers keep the old unit, and
//! forms for old quarters are filed late in the new one. So the implied price decides if it is clear: the median
//! value per share over the lines is the price of an ordinary share, between a dollar and some thousand. A form in
//! the new unit with a median below a dollar is in thousands; a form in the old unit whose median would be ten
//! thousand dollars or more is in dollars.
//!
//! Options on a share and principal amounts of bonds are not shares: they count in the total, not as holdings.

use std::collections::BTreeMap;

use model::{Amendment, Day, Holding, HoldingsReport};

use super::super::ReadReport;
use super::xml::Element;
use super::{DisclosureOptions, edgar};

/// The first day on which values had to be stated in dollars.
const DOLLARS_SINCE: (i16, i8, i8) = (2023, 1, 3);

/// If the median value per share is below this, in the unit of the form, values are in thousands.
const LOWEST_MEDIAN_IN_DOLLARS: f64 = 1.0;

/// If the median value per share is above this, in the unit of the form, values are in dollars.
const HIGHEST_MEDIAN_IN_THOUSANDS: f64 = 10.0;

/// Days after the end of a quarter by which its form is due.
const DUE_AFTER_DAYS: i32 = 45;

/// The information on the cover page of a form.
#[derive(Debug, Default)]
pub(super) struct Cover {
    pub(super) institution: Option<String>,
    pub(super) cik: Option<u64>,
    pub(super) report_date: Option<Day>,
    pub(super) amendment: Option<Amendment>,
    pub(super) filed: Option<Day>,
    pub(super) accession: Option<String>,
}

impl Cover {
    /// Reads the `edgarSubmission` of a Form 13F; `None` for other forms.
    pub(super) fn parse(root: &Element) -> Option<Self> {
        let form = root.text(&["headerData", "submissionType"])?;
        if root.name() != "edgarSubmission" || !form.starts_with("13F") {
            return None;
        }
        let filer = ["headerData", "filerInfo", "filer", "credentials", "cik"];
        let page = root.find(&["formData", "coverPage"]);
        let on_page = |path: &[&str]| page.and_then(|page| page.text(path));
        let kind = on_page(&["amendmentInfo", "amendmentType"]);
        Some(Self {
            institution: on_page(&["filingManager", "name"]).map(ToOwned::to_owned),
            cik: root.text(&filer).and_then(|cik| cik.parse().ok()),
            report_date: on_page(&["reportCalendarOrQuarter"])
                .or_else(|| root.text(&["headerData", "filerInfo", "periodOfReport"]))
                .and_then(edgar::day),
            amendment: match kind {
                Some(kind) if kind.to_uppercase().contains("NEW") => Some(Amendment::NewHoldings),
                Some(_) => Some(Amendment::Restatement),
                None => form.ends_with("/A").then_some(Amendment::Restatement),
            },
            filed: root
                .text(&["formData", "signatureBlock", "signatureDate"])
                .and_then(edgar::day),
            accession: None,
        })
    }

    /// The operator's information, if the cover page does not say.
    pub(super) fn or_options(mut self, options: &DisclosureOptions<'_>) -> Self {
        self.institution = self
            .institution
            .or_else(|| options.institution.map(ToOwned::to_owned));
        self.cik = self.cik.or(options.institution_cik);
        self.report_date = self.report_date.or(options.report_date);
        self.filed = self.filed.or(options.filed);
        self
    }
}

/// Whether an element is an information table.
pub(super) fn is_table(root: &Element) -> bool {
    root.name() == "informationTable"
}

/// A complete form from its cover page and its table.
pub(super) fn report(
    cover: Cover,
    table: &Element,
    options: &DisclosureOptions<'_>,
    met: &mut ReadReport,
) -> Result<HoldingsReport, &'static str> {
    let missing = "an information table does not name its institution: give --institution, --institution-cik and --report-date, or \
                   import the complete submission";
    let cover = cover.or_options(options);
    let (Some(institution), Some(institution_cik), Some(report_date), Some(accession)) = (
        cover.institution,
        cover.cik,
        cover.report_date,
        cover.accession,
    ) else {
        return Err(missing);
    };
    let filed = cover.filed.unwrap_or(report_date.plus(DUE_AFTER_DAYS));
    let lines = lines(table, met);
    let factor = if in_dollars(filed, &lines) {
        1.0
    } else {
        1000.0
    };
    let total: f64 = lines.iter().map(|line| line.value * factor).sum();
    let mut by_cusip: BTreeMap<String, Holding> = BTreeMap::new();
    for line in lines.into_iter().filter(|line| line.is_shares) {
        let value = line.value * factor;
        let symbol = options
            .symbol_of_issuer
            .and_then(|find| find(&line.issuer, &line.class));
        let holding = by_cusip.entry(line.cusip.clone()).or_insert(Holding {
            symbol,
            cusip: line.cusip,
            issuer: line.issuer,
            class: line.class,
            shares: 0.0,
            value: 0.0,
            portfolio_pct: None,
        });
        holding.shares += line.shares;
        holding.value += value;
    }
    let mut holdings: Vec<Holding> = by_cusip.into_values().collect();
    for holding in &mut holdings {
        holding.portfolio_pct = (total > 0.0).then(|| holding.value / total * 100.0);
    }
    holdings.sort_by(|a, b| b.value.total_cmp(&a.value));
    Ok(HoldingsReport {
        accession,
        institution,
        institution_cik,
        report_date,
        filed,
        amendment: cover.amendment,
        holdings,
    })
}

struct Line {
    issuer: String,
    class: String,
    cusip: String,
    shares: f64,
    /// In the unit of the form.
    value: f64,
    is_shares: bool,
}

fn lines(table: &Element, met: &mut ReadReport) -> Vec<Line> {
    let mut lines = Vec::new();
    for (place, row) in table.all("infoTable").enumerate() {
        met.rows += 1;
        let place = place as u64 + 1;
        let number = |path: &[&str]| row.number(path).filter(|number| *number >= 0.0);
        let cusip = row.text(&["cusip"]).map(str::to_uppercase);
        let (Some(issuer), Some(cusip), Some(value), Some(shares)) = (
            row.text(&["nameOfIssuer"]),
            cusip.filter(|cusip| cusip.len() <= 12),
            number(&["value"]),
            number(&["shrsOrPrnAmt", "sshPrnamt"]),
        ) else {
            met.refuse(
                place,
                "a line lacks its issuer, CUSIP, value or number of shares",
            );
            continue;
        };
        let is_option = row.text(&["putCall"]).is_some();
        let is_principal = row.text(&["shrsOrPrnAmt", "sshPrnamtType"]) == Some("PRN");
        if is_option {
            met.refuse(place, "an option on shares, not shares");
        } else if is_principal {
            met.refuse(place, "a principal amount, not shares");
        }
        lines.push(Line {
            issuer: issuer.split_whitespace().collect::<Vec<_>>().join(" "),
            class: row.text(&["titleOfClass"]).unwrap_or_default().to_owned(),
            cusip,
            shares,
            value,
            is_shares: !is_option && !is_principal,
        });
    }
    lines
}

fn in_dollars(filed: Day, lines: &[Line]) -> bool {
    let (year, month, date) = DOLLARS_SINCE;
    let by_date = filed >= Day::from_date(jiff::civil::date(year, month, date));
    let mut prices: Vec<f64> = lines
        .iter()
        .filter(|line| line.is_shares && line.shares > 0.0 && line.value > 0.0)
        .map(|line| line.value / line.shares)
        .collect();
    if prices.is_empty() {
        return by_date;
    }
    prices.sort_by(f64::total_cmp);
    let median = prices[prices.len() / 2];
    if by_date {
        median >= LOWEST_MEDIAN_IN_DOLLARS
    } else {
        median >= HIGHEST_MEDIAN_IN_THOUSANDS
    }
}
