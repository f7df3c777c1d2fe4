//! No input makes a reader panic: documents of every format with some noise in them, and noise alone.

use proptest::prelude::*;

use super::super::*;

const KINDS: [DisclosureFile; 4] = [
    DisclosureFile::Fundamentals,
    DisclosureFile::Insider,
    DisclosureFile::Filings,
    DisclosureFile::Congress,
];

/// One short document in each format, with a placeholder for noise.
const DOCUMENTS: &[&str] = &[
    r#"{"cik": 42, "facts": {"us-gaap": {"Assets": {"units": {"USD": [{"end": "~", "val": "~", "accn": "~", "form": "10-K", "filed": "~"}]}}}}}"#,
    r#"{"cik": "42", "name": "~", "tickers": ["~"], "filings": {"recent": {"accessionNumber": ["0000000042-25-000002"], "filingDate": ["2025-01-01"], "form": ["8-K"], "items": ["~"], "acceptanceDateTime": ["~"], "primaryDocument": ["~"]}}}"#,
    r#"{"hits": {"hits": [{"_id": "~", "_source": {"ciks": ["42"], "display_names": ["~"], "adsh": "0000000042-25-000002", "file_date": "~", "form": "~"}}]}}"#,
    "<ownershipDocument><documentType>4</documentType><issuer><issuerTradingSymbol>~</issuerTradingSymbol></issuer><reportingOwner><reportingOwnerId><rptOwnerCik>1</rptOwnerCik><rptOwnerName>~</rptOwnerName></reportingOwnerId></reportingOwner><nonDerivativeTable><nonDerivativeTransaction><transactionDate><value>~</value></transactionDate></nonDerivativeTransaction></nonDerivativeTable><ownerSignature><signatureDate>2025-01-01</signatureDate></ownerSignature></ownershipDocument>",
    "<informationTable><infoTable><nameOfIssuer>~</nameOfIssuer><titleOfClass>~</titleOfClass><cusip>~</cusip><value>1</value><shrsOrPrnAmt><sshPrnamt>1</sshPrnamt></shrsOrPrnAmt></infoTable></informationTable>",
    "<feed><entry><title>~ - ~ (42) (~)</title><updated>~</updated><id>accession-number=~</id></entry></feed>",
    "<SEC-DOCUMENT>\nACCESSION NUMBER: ~\nCONFORMED SUBMISSION TYPE: 13F-HR\nFILED AS OF DATE: ~\nCENTRAL INDEX KEY: ~\n<DOCUMENT><TYPE>~\n<TEXT><XML>~</XML>",
    "Form Type   Company Name  CIK    Date Filed  File Name\n4           ~             42     20250101    edgar/data/~\n~",
    "disclosure_date,transaction_date,ticker,asset_description,type,amount,senator\n01/02/2025,~,~,~,purchase,~,~\n",
    "Symbol,Name,Price/Earnings\n~,~,~\n",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn nothing_panics(noise in "\\PC{0,24}", cut in 0_usize..600, name in "\\PC{0,16}") {
        let find = |issuer: &str, class: &str| {
            IssuerNames::new([(issuer, Symbol::parse("ACME")?), (class, Symbol::parse("BRK.B")?)])
                .find(class, issuer)
        };
        let options = DisclosureOptions {
            symbol_of_issuer: Some(&find),
            symbol_of_cik: Some(&|_| Symbol::parse("ACME")),
            institution: Some("Example"),
            institution_cik: Some(1),
            report_date: Day::parse("2023-03-31"),
            ..DisclosureOptions::default()
        };
        for document in DOCUMENTS {
            let whole = document.replace('~', &noise);
            let bytes = whole.as_bytes();
            for kind in KINDS {
                let _ = parse(kind, &name, bytes, &options);
                let _ = parse(kind, &name, &bytes[..cut.min(bytes.len())], &options);
            }
        }
    }
}
