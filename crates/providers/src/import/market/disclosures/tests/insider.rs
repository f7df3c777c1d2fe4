use model::{Day, InsiderAction};

use super::super::*;

fn form(kind: &str, extra: &str, trades: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?><ownershipDocument><documentType>{kind}</documentType>{extra}
         <issuer><issuerCik>0000000042</issuerCik><issuerName>Acme &amp; Sons</issuerName>
         <issuerTradingSymbol>NASDAQ: acm, ACMB</issuerTradingSymbol></issuer>
         <reportingOwner><reportingOwnerId><rptOwnerCik>0000000007</rptOwnerCik><rptOwnerName>Example Capital LP</rptOwnerName></reportingOwnerId>
         <reportingOwnerRelationship><isTenPercentOwner>1</isTenPercentOwner></reportingOwnerRelationship></reportingOwner>
         <reportingOwner><reportingOwnerId><rptOwnerCik>0000000008</rptOwnerCik><rptOwnerName>DOE JANE Q</rptOwnerName></reportingOwnerId>
         <reportingOwnerRelationship><isDirector>true</isDirector></reportingOwnerRelationship></reportingOwner>
         {trades}
         <ownerSignature><signatureDate>2025-01-10</signatureDate></ownerSignature></ownershipDocument>"
    )
}

fn trade(table: &str, row: &str, code: &str, shares: &str, price: &str) -> String {
    format!(
        "<{table}><{row}><transactionDate><value>2025-01-08-05:00</value></transactionDate>
         <transactionCoding><transactionCode>{code}</transactionCode></transactionCoding><transactionAmounts>
         <transactionShares>{shares}</transactionShares><transactionPricePerShare>{price}</transactionPricePerShare>
         </transactionAmounts></{row}></{table}>"
    )
}

fn plain(code: &str, shares: &str, price: &str) -> String {
    trade(
        "nonDerivativeTable",
        "nonDerivativeTransaction",
        code,
        shares,
        price,
    )
}

fn read_one(name: &str, text: &str) -> crate::import::market::Reading {
    parse_insider(name, text.as_bytes(), &DisclosureOptions::default()).unwrap()
}

#[test]
fn a_form_states_who_did_what() {
    let trades = plain(
        "P",
        "<value>1,000</value>",
        "<value>2.5</value><footnoteId id=\"F1\"/>",
    ) + &trade(
        "derivativeTable",
        "derivativeTransaction",
        "M",
        "<value>10</value>",
        "<footnoteId id=\"F2\"/>",
    );
    let reading = read_one("form4_0000000042-25-000003.xml", &form("4", "", &trades));
    let [form] = &reading.batch.insider_forms[..] else {
        panic!("{:?}", reading.report)
    };
    assert_eq!(
        (form.name.as_str(), form.title.as_str()),
        ("Jane Q Doe", "Director")
    );
    assert_eq!(
        (form.symbol.as_str(), form.issuer.as_str()),
        ("ACM", "Acme & Sons")
    );
    assert_eq!(form.accession, "0000000042-25-000003");
    assert_eq!(
        form.filing_url,
        "https://www.sec.gov/Archives/edgar/data/42/000000004225000003/"
    );
    assert_eq!(
        (form.filed, form.accepted_at),
        (Day::parse("2025-01-10").unwrap(), None)
    );
    let [bought, exercised] = &form.trades[..] else {
        panic!()
    };
    assert_eq!(
        (bought.transaction_type, bought.value),
        (InsiderAction::Buy, Some(2_500.0))
    );
    assert_eq!(bought.date, Day::parse("2025-01-08").unwrap());
    assert_eq!(
        (exercised.transaction_type, exercised.price),
        (InsiderAction::Exercise, None)
    );
    assert!(exercised.derivative && !bought.derivative);
}

#[test]
fn amendments_say_what_they_replace_and_bare_forms_have_a_stable_number() {
    let extra = "<dateOfOriginalSubmission>2025-01-02</dateOfOriginalSubmission>";
    let text = form(
        "4/A",
        extra,
        &plain("S", "<value>1</value>", "<value>0</value>"),
    );
    let reading = read_one("form.xml", &text);
    let form = &reading.batch.insider_forms[0];
    assert_eq!(form.amends, Day::parse("2025-01-02"));
    assert_eq!(form.trades[0].price, None);
    assert!(form.accession.starts_with("file-") && form.filing_url.is_empty());
    assert_eq!(
        read_one("other.xml", &text).batch.insider_forms[0].accession,
        form.accession
    );
}

#[test]
fn forms_without_trades_are_refused_with_a_reason() {
    let later = plain("P", "<value>1</value>", "").replace("2025-01-08", "2025-02-08");
    for (text, reason) in [
        (form("3", "", ""), "a Form 3 reports holdings, no trades"),
        (form("4", "", ""), "the form reports no trades"),
        (form("4", "", &later), "a trade is dated after its filing"),
        (form("144", "", ""), "144 is not a Form 4 or 5"),
        (
            form("4", "", &plain("P", "<value>1</value>", "")).replace("NASDAQ: acm, ACMB", "NONE"),
            "the issuer has no symbol",
        ),
    ] {
        let reading = read_one("x.xml", &text);
        assert!(reading.batch.insider_forms.is_empty());
        assert!(
            reading.report.refused.contains_key(reason),
            "{:?}",
            reading.report
        );
    }
    for text in ["", "<a/>", "{}", "<SEC-DOCUMENT>", "<ownershipDocument>"] {
        assert!(
            parse_insider("x", text.as_bytes(), &DisclosureOptions::default()).is_err(),
            "{text}"
        );
    }
}

#[test]
fn a_submission_gives_number_and_time() {
    let document = form("4", "", &plain("F", "<value>5</value>", "<value>3</value>"));
    for header in [
        "<SEC-DOCUMENT>0000000042-25-000003.txt : 20250110\n<SEC-HEADER>\n<ACCEPTANCE-DATETIME>20250110160730\n\
         ACCESSION NUMBER:\t\t0000000042-25-000003\nCONFORMED SUBMISSION TYPE:\t4\nFILED AS OF DATE:\t\t20250110\n</SEC-HEADER>\n",
        "<SUBMISSION>\n<ACCESSION-NUMBER>0000000042-25-000003\n<TYPE>4\n<FILING-DATE>20250110\n\
         <ACCEPTANCE-DATETIME>20250110160730\n",
    ] {
        let text = format!(
            "{header}<DOCUMENT>\n<TYPE>4\n<SEQUENCE>1\n<FILENAME>form4.xml\n<TEXT>\n<XML>\n{document}\n</XML>\n</TEXT>\n</DOCUMENT>\n"
        );
        let reading = read_one("x.txt", &text);
        let form = &reading.batch.insider_forms[0];
        assert_eq!(form.accession, "0000000042-25-000003");
        assert!(form.filing_url.ends_with("/form4.xml"));
        assert_eq!(
            form.accepted_at.unwrap().to_string().get(..19),
            Some("2025-01-10T21:07:30")
        );
        assert_eq!(
            form.trades[0].transaction_type,
            InsiderAction::TaxWithholding
        );
    }
}
