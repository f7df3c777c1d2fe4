use model::{Amendment, Day, Symbol};

use super::super::*;

fn line(issuer: &str, cusip: &str, value: &str, shares: &str, more: &str) -> String {
    format!(
        "<n:infoTable><n:nameOfIssuer>{issuer}</n:nameOfIssuer><n:titleOfClass>COM</n:titleOfClass><n:cusip>{cusip}</n:cusip>
         <n:value>{value}</n:value><n:shrsOrPrnAmt><n:sshPrnamt>{shares}</n:sshPrnamt><n:sshPrnamtType>SH</n:sshPrnamtType></n:shrsOrPrnAmt>{more}</n:infoTable>"
    )
}

fn table(lines: &[String]) -> String {
    format!(
        "<n:informationTable xmlns:n=\"x\">{}</n:informationTable>",
        lines.concat()
    )
}

fn options(filed: &str) -> DisclosureOptions<'static> {
    DisclosureOptions {
        institution: Some("Example Advisors"),
        institution_cik: Some(9),
        report_date: Day::parse("2023-03-31"),
        filed: Day::parse(filed),
        ..DisclosureOptions::default()
    }
}

#[test]
fn lines_of_one_security_are_added_up_and_options_stand_aside() {
    let find = |issuer: &str, _: &str| {
        (issuer == "ACME INC")
            .then(|| Symbol::parse("ACME"))
            .flatten()
    };
    let options = DisclosureOptions {
        symbol_of_issuer: Some(&find),
        ..options("2023-05-01")
    };
    let text = table(&[
        line("ACME INC", "00000A101", "300", "10", ""),
        line("ACME INC", "00000a101", "150", "5", ""),
        line("OTHER CORP", "00000B101", "450", "9", ""),
        line(
            "OTHER CORP",
            "00000B101",
            "100",
            "9",
            "<n:putCall>Put</n:putCall>",
        ),
        line("", "00000C101", "1", "1", ""),
    ]);
    let reading = parse_filings("table.xml", text.as_bytes(), &options).unwrap();
    let [report] = &reading.batch.holdings_reports[..] else {
        panic!()
    };
    assert_eq!(report.institution, "Example Advisors");
    let acme = report
        .holdings
        .iter()
        .find(|holding| holding.cusip == "00000A101")
        .unwrap();
    assert_eq!(
        (acme.shares, acme.value, acme.portfolio_pct),
        (15.0, 450.0, Some(45.0))
    );
    assert_eq!(acme.symbol.as_ref().map(Symbol::as_str), Some("ACME"));
    assert_eq!(report.holdings.len(), 2);
    assert_eq!(reading.report.refused_total(), 2);
}

#[test]
fn the_unit_follows_the_date_unless_the_price_is_impossible() {
    let value = |filed: &str, value: &str| {
        let text = table(&[line("ACME INC", "00000A101", value, "1000", "")]);
        let reading = parse_filings("table.xml", text.as_bytes(), &options(filed)).unwrap();
        reading.batch.holdings_reports[0].holdings[0].value
    };
    // Fifty dollars a share, in each unit and on both sides of the change.
    assert_eq!(value("2023-05-01", "50000"), 50_000.0);
    assert_eq!(value("2023-05-01", "50"), 50_000.0);
    assert_eq!(value("2022-05-01", "50"), 50_000.0);
    assert_eq!(value("2022-05-01", "50000"), 50_000.0);
    // Five dollars before the change would be five thousand: the date decides.
    assert_eq!(value("2022-05-01", "5000"), 5_000_000.0);
}

#[test]
fn a_submission_says_whose_holdings_they_are() {
    let cover = "<edgarSubmission><headerData><submissionType>13F-HR/A</submissionType></headerData><formData><coverPage>
        <reportCalendarOrQuarter>03-31-2023</reportCalendarOrQuarter><amendmentInfo><amendmentType>NEW HOLDINGS</amendmentType></amendmentInfo>
        <filingManager><name>Sample Wealth LLC</name></filingManager></coverPage></formData></edgarSubmission>";
    let text = format!(
        "<SEC-DOCUMENT>\nACCESSION NUMBER: 0000000009-23-000001\nCONFORMED SUBMISSION TYPE: 13F-HR/A\nFILED AS OF DATE: 20230501\n\
         FILER:\nCOMPANY DATA:\nCOMPANY CONFORMED NAME: SAMPLE WEALTH\nCENTRAL INDEX KEY: 0000000009\n\
         <DOCUMENT>\n<TYPE>13F-HR/A\n<TEXT>\n<XML>{cover}</XML>\n</TEXT>\n</DOCUMENT>\n\
         <DOCUMENT>\n<TYPE>INFORMATION TABLE\n<TEXT>\n<XML>\n{}\n</XML>\n</TEXT>\n</DOCUMENT>",
        table(&[line("ACME INC", "00000A101", "300", "10", "")]),
    );
    let reading = parse_filings("x.txt", text.as_bytes(), &DisclosureOptions::default()).unwrap();
    let report = &reading.batch.holdings_reports[0];
    assert_eq!(
        (report.institution.as_str(), report.institution_cik),
        ("Sample Wealth LLC", 9)
    );
    assert_eq!(report.amendment, Some(Amendment::NewHoldings));
    assert_eq!(
        (report.report_date, report.filed),
        (
            Day::parse("2023-03-31").unwrap(),
            Day::parse("2023-05-01").unwrap()
        )
    );
    assert_eq!(reading.batch.filings[0].cik, 9);
}

#[test]
fn a_bare_table_needs_its_holder() {
    let text = table(&[line("ACME INC", "00000A101", "300", "10", "")]);
    let error = parse_filings("t.xml", text.as_bytes(), &DisclosureOptions::default()).unwrap_err();
    assert!(error.to_string().contains("--institution"), "{error}");
    let other = "<edgarSubmission><headerData><submissionType>SCHEDULE 13D</submissionType></headerData></edgarSubmission>";
    let error =
        parse_filings("t.xml", other.as_bytes(), &DisclosureOptions::default()).unwrap_err();
    assert!(error.to_string().starts_with("SCHEDULE 13D"), "{error}");
}
