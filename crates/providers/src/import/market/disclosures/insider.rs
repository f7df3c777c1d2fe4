//! Insider trades: Forms 4 and 5 as XML, on their own or within a complete submission.
//!
//! A form on its own gives neither its accession number nor its filing date. The number is taken from the file name
//! or derived from the contents; the day is taken from the latest signature, which is the filing date or one of the
//! few days before it. If several owners file together, the first officer or director stands for all, so that no
//! trade counts twice. Form 3 reports holdings and is refused.

use model::{Day, InsiderAction, InsiderForm, InsiderTrade, Symbol, Timestamp};

use super::super::{ReadError, ReadReport, Reading};
use super::submission::Submission;
use super::xml::Element;
use super::{DisclosureOptions, edgar, person, text_of, unknown};

/// Remarks longer than this are not a title.
const LONGEST_TITLE: usize = 120;

/// Where a form came from.
struct Origin {
    accession: String,
    filed: Option<Day>,
    accepted_at: Option<Timestamp>,
    document: Option<String>,
    form: Option<String>,
}

/// Reads ownership XML or a complete submission that contains it.
pub fn parse_insider(
    name: &str,
    bytes: &[u8],
    options: &DisclosureOptions<'_>,
) -> Result<Reading, ReadError> {
    let text = text_of(bytes);
    let expected =
        || unknown("expected ownership XML of a Form 4 or 5, or a complete submission with one");
    let mut reading = Reading::default();
    if Submission::recognises(&text) {
        let submission = Submission::parse(&text).ok_or_else(expected)?;
        let mut forms = submission
            .documents
            .iter()
            .filter(|document| document.text.contains("ownershipDocument>"));
        let document = forms.next().ok_or_else(expected)?;
        let root = Element::parse(document.text).ok_or_else(expected)?;
        let origin = Origin {
            accession: submission.accession,
            filed: Some(submission.filed),
            accepted_at: submission.accepted_at,
            document: document.file_name.map(ToOwned::to_owned),
            form: Some(submission.form),
        };
        reading.report.rows = 1;
        parse_form(&root, origin, options, &mut reading);
        return Ok(reading);
    }
    let root = Element::parse(&text).ok_or_else(expected)?;
    if root.name() != "ownershipDocument" {
        return Err(expected());
    }
    let accession =
        edgar::accession_in(name).unwrap_or_else(|| edgar::accession_of_contents(bytes));
    let origin = Origin {
        accession,
        filed: options.filed,
        accepted_at: None,
        document: None,
        form: None,
    };
    reading.report.rows = 1;
    parse_form(&root, origin, options, &mut reading);
    Ok(reading)
}

fn parse_form(
    root: &Element,
    origin: Origin,
    options: &DisclosureOptions<'_>,
    reading: &mut Reading,
) {
    match form_of(root, origin, options, &mut reading.report) {
        Ok(form) => reading.batch.insider_forms.push(form),
        Err(reason) => reading.report.refuse(1, reason),
    }
}

fn form_of(
    root: &Element,
    origin: Origin,
    options: &DisclosureOptions<'_>,
    report: &mut ReadReport,
) -> Result<InsiderForm, String> {
    let kind = root
        .text(&["documentType"])
        .map(ToOwned::to_owned)
        .or(origin.form);
    let kind = kind.ok_or("the form does not give its type")?;
    match kind.trim_end_matches("/A") {
        "4" | "5" => {}
        "3" => return Err("a Form 3 reports holdings, no trades".into()),
        other => return Err(format!("{other} is not a Form 4 or 5")),
    }
    let filed = origin.filed.or_else(|| signed(root));
    let filed =
        filed.ok_or("the form is not signed with a date, so the day of its filing is not known")?;
    let issuer_cik = root
        .text(&["issuer", "issuerCik"])
        .and_then(|cik| cik.parse::<u64>().ok());
    let symbol = options
        .symbol
        .cloned()
        .or_else(|| {
            root.text(&["issuer", "issuerTradingSymbol"])
                .and_then(trading_symbol)
        })
        .or_else(|| options.symbol_of_cik.and_then(|find| find(issuer_cik?)))
        .ok_or("the issuer has no symbol")?;
    let owner = principal(root).ok_or("the form does not name a reporting owner")?;
    let owner_cik = owner.text(&["reportingOwnerId", "rptOwnerCik"]);
    let owner_cik = owner_cik.and_then(|cik| cik.parse().ok());
    let name = owner
        .text(&["reportingOwnerId", "rptOwnerName"])
        .ok_or("the owner has no name")?;
    let trades = trades(root, filed, report);
    if trades.is_empty() {
        return Err("the form reports no trades".into());
    }
    let filing_url = issuer_cik.map_or_else(String::new, |cik| {
        edgar::filing_url(cik, &origin.accession, origin.document.as_deref())
    });
    Ok(InsiderForm {
        filing_url,
        accession: origin.accession,
        symbol,
        issuer: root
            .text(&["issuer", "issuerName"])
            .unwrap_or_default()
            .to_owned(),
        owner_cik: owner_cik.ok_or("the owner has no number at the SEC")?,
        name: person::first_name_first(name),
        title: title(owner, root),
        filed,
        accepted_at: origin.accepted_at,
        amends: kind
            .ends_with("/A")
            .then(|| {
                root.text(&["dateOfOriginalSubmission"])
                    .and_then(edgar::day)
            })
            .flatten(),
        trades,
    })
}

fn signed(root: &Element) -> Option<Day> {
    root.all("ownerSignature")
        .filter_map(|signature| signature.text(&["signatureDate"]).and_then(edgar::day))
        .max()
}

/// The first symbol in a field in which filers write `GOOG, GOOGL`, `NASDAQ: ACME` or `(ACME)`.
fn trading_symbol(text: &str) -> Option<Symbol> {
    text.split([',', ';', ' ', '(', ')', '[', ']', '"'])
        .map(|word| word.rsplit(':').next().unwrap_or(word))
        .filter(|word| {
            !matches!(
                word.to_ascii_uppercase().as_str(),
                "NASDAQ" | "NYSE" | "AMEX" | "OTC" | "AND"
            )
        })
        .find_map(Symbol::parse)
}

fn principal(root: &Element) -> Option<&Element> {
    let serves = |owner: &&Element| {
        ["isOfficer", "isDirector"]
            .iter()
            .any(|flag| is_set(owner, flag))
    };
    root.all("reportingOwner")
        .find(serves)
        .or_else(|| root.all("reportingOwner").next())
}

fn is_set(owner: &Element, flag: &str) -> bool {
    owner
        .text(&["reportingOwnerRelationship", flag])
        .is_some_and(|text| matches!(text, "1" | "true"))
}

/// The office, otherwise the relationship in words. If the field refers to the remarks, short remarks are the title.
fn title(owner: &Element, root: &Element) -> String {
    let office = owner.text(&["reportingOwnerRelationship", "officerTitle"]);
    let points_away = |text: &str| text.to_ascii_lowercase().contains("see remark");
    match office {
        Some(office) if points_away(office) => {
            let remarks = root
                .text(&["remarks"])
                .filter(|text| text.len() <= LONGEST_TITLE);
            let remarks = remarks.map(|text| text.strip_prefix("Title:").unwrap_or(text).trim());
            return remarks.unwrap_or("Officer").to_owned();
        }
        Some(office) => return office.to_owned(),
        None => {}
    }
    let roles = [
        ("isOfficer", "Officer"),
        ("isDirector", "Director"),
        ("isTenPercentOwner", "10% owner"),
    ];
    let found: Vec<&str> = roles
        .iter()
        .filter(|(flag, _)| is_set(owner, flag))
        .map(|(_, word)| *word)
        .collect();
    if !found.is_empty() {
        return found.join(", ");
    }
    let other = owner.text(&["reportingOwnerRelationship", "otherText"]);
    other.unwrap_or("Other").to_owned()
}

fn trades(root: &Element, filed: Day, report: &mut ReadReport) -> Vec<InsiderTrade> {
    let tables = [
        ("nonDerivativeTable", "nonDerivativeTransaction", false),
        ("derivativeTable", "derivativeTransaction", true),
    ];
    let mut trades = Vec::new();
    for (table, row, derivative) in tables {
        let rows = root
            .find(&[table])
            .into_iter()
            .flat_map(|table| table.all(row));
        for (place, row) in rows.enumerate() {
            match trade(row, derivative, filed) {
                Ok(trade) => trades.push(trade),
                Err(reason) => report.refuse(place as u64 + 1, reason),
            }
        }
    }
    trades
}

fn trade(row: &Element, derivative: bool, filed: Day) -> Result<InsiderTrade, &'static str> {
    let amount = |name: &str| row.number(&["transactionAmounts", name, "value"]);
    let code = row
        .text(&["transactionCoding", "transactionCode"])
        .ok_or("a trade has no code")?;
    let date = row
        .text(&["transactionDate", "value"])
        .and_then(edgar::day)
        .ok_or("a trade has no date")?;
    if date > filed {
        return Err("a trade is dated after its filing");
    }
    let shares = amount("transactionShares")
        .filter(|shares| *shares > 0.0)
        .ok_or("a trade has no number of shares")?;
    let price = amount("transactionPricePerShare").filter(|price| *price > 0.0);
    Ok(InsiderTrade {
        transaction_type: InsiderAction::of_code(code),
        code: code.to_owned(),
        shares,
        price,
        value: price
            .map(|price| price * shares)
            .filter(|value| value.is_finite()),
        date,
        derivative,
    })
}
