use model::{Day, Symbol};

use super::super::*;

const SUBMISSIONS: &str = r#"{"cik": "0000000042", "name": "Acme Works", "tickers": ["ACM", "ACM-B"], "exchanges": ["Nasdaq", null],
  "filings": {"files": [], "recent": {
    "accessionNumber": ["0000000042-25-000002", "bad"], "filingDate": ["2025-02-10", "2025-02-10"], "reportDate": ["2025-02-09", ""],
    "acceptanceDateTime": ["2025-02-10T16:30:33.000Z", ""], "form": ["8-K", "4"], "items": ["2.02,9.01", ""],
    "primaryDocument": ["acme.htm", ""], "primaryDocDescription": ["8-K", ""]}}}"#;

#[test]
fn submissions_are_columns() {
    let options = DisclosureOptions::default();
    let reading = parse_filings("CIK0000000042.json", SUBMISSIONS.as_bytes(), &options).unwrap();
    let [filing] = &reading.batch.filings[..] else {
        panic!()
    };
    assert_eq!(filing.symbol.as_ref().map(Symbol::as_str), Some("ACM"));
    assert_eq!(
        filing.filing_url,
        "https://www.sec.gov/Archives/edgar/data/42/000000004225000002/acme.htm"
    );
    assert_eq!(
        filing.description,
        "Item 2.02: results of operations; Item 9.01: financial statements and exhibits"
    );
    assert_eq!(filing.period_of_report, Day::parse("2025-02-09"));
    assert_eq!(reading.report.refused_total(), 1);
    assert_eq!(reading.batch.instruments.len(), 2);
    assert_eq!(
        reading.batch.instruments[0].exchange.as_deref(),
        Some("NASDAQ")
    );
}

#[test]
fn older_filings_belong_to_whom_their_name_says() {
    let text = r#"{"accessionNumber": ["0000000042-15-000002"], "filingDate": ["2015-02-10"], "form": ["10-K"]}"#;
    let find = |cik| (cik == 42).then(|| Symbol::parse("ACM")).flatten();
    let options = DisclosureOptions {
        symbol_of_cik: Some(&find),
        ..DisclosureOptions::default()
    };
    let named = parse_filings(
        "CIK0000000042-submissions-001.json",
        text.as_bytes(),
        &options,
    )
    .unwrap();
    assert_eq!(named.batch.filings[0].cik, 42);
    assert_eq!(named.batch.filings[0].symbol, Symbol::parse("ACM"));
    let nameless = parse_filings("older.json", text.as_bytes(), &options).unwrap();
    assert!(nameless.batch.filings.is_empty() && nameless.report.refused_total() == 1);
}

#[test]
fn search_answers_have_one_entry_for_each_document() {
    let hit = |document: &str| {
        format!(
            r#"{{"_id": "0000000042-25-000002:{document}", "_source": {{"ciks": ["0000000042"], "display_names": ["Acme Works, Inc.  (ACM, ACMW)  (CIK 0000000042)"],
            "adsh": "0000000042-25-000002", "file_date": "2025-02-10", "form": "8-K", "file_description": "PRESS RELEASE", "items": ["2.02"], "period_ending": null}}}}"#
        )
    };
    let text = format!(
        r#"{{"hits": {{"hits": [{}, {}, {{}}]}}}}"#,
        hit("a.htm"),
        hit("b.htm")
    );
    let reading = parse_filings("x", text.as_bytes(), &DisclosureOptions::default()).unwrap();
    let [filing] = &reading.batch.filings[..] else {
        panic!()
    };
    assert_eq!(
        (
            filing.company_name.as_str(),
            filing.symbol.as_ref().map(Symbol::as_str)
        ),
        ("Acme Works, Inc.", Some("ACM"))
    );
    assert_eq!(
        filing.description,
        "PRESS RELEASE; Item 2.02: results of operations"
    );
    assert_eq!(reading.report.refused_total(), 2);
}

#[test]
fn indexes_keep_to_their_columns() {
    let text = "Description: x\n\nForm Type   Company Name          CIK         Date Filed  File Name\n-----\n\
                10-K        Acme Works            42          20250210    edgar/data/42/0000000042-25-000002.txt  \n\
                4           Doe Jane              8           2025-02-11  edgar/data/8/0000000042-25-000003.txt\n\
                garbage é\n\
                4           Acme Works            42          2025-02-11  edgar/data/42/0000000042-25-000003.txt\n";
    let find = |cik| (cik == 42).then(|| Symbol::parse("ACM")).flatten();
    let options = DisclosureOptions {
        symbol_of_cik: Some(&find),
        ..DisclosureOptions::default()
    };
    let reading = parse_filings("form.idx", text.as_bytes(), &options).unwrap();
    let found: Vec<_> = reading
        .batch
        .filings
        .iter()
        .map(|filing| {
            (
                filing.form_type.as_str(),
                filing.cik,
                filing.filed_date.to_string(),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            ("10-K", 42, "2025-02-10".into()),
            ("4", 42, "2025-02-11".into())
        ]
    );
    assert_eq!(
        reading.batch.filings[0].filing_url,
        "https://www.sec.gov/Archives/edgar/data/42/0000000042-25-000002.txt"
    );
    assert_eq!(reading.report.problems[0].line, 7);
    // As long as none of them is listed, all parties are kept, and the one that is listed later gets the filing.
    let none = DisclosureOptions::default();
    let reading = parse_filings("form.idx", text.as_bytes(), &none).unwrap();
    let ownership = reading.batch.filings[1].clone();
    assert_eq!((ownership.cik, ownership.other_parties.len()), (8, 1));
    let named = ownership.of_listed(find).unwrap();
    assert_eq!(
        (
            named.cik,
            named.company_name.as_str(),
            named.filing_url.as_str()
        ),
        (
            42,
            "Acme Works",
            "https://www.sec.gov/Archives/edgar/data/42/0000000042-25-000003.txt"
        )
    );
}

#[test]
fn of_the_parties_of_a_filing_the_issuer_counts() {
    let entry = |title: &str| {
        format!(
        "<entry><title>{title}</title><summary type='html'>&lt;b&gt;Filed:&lt;/b&gt; 2025-02-10 &lt;b&gt;AccNo:&lt;/b&gt; x</summary>
         <updated>2025-02-10T18:02:43-05:00</updated><id>urn:tag:sec.gov,2008:accession-number=0000000042-25-000003</id></entry>"
    )
    };
    let text = format!(
        "<?xml version='1.0' encoding='ISO-8859-1'?><feed xmlns='http://www.w3.org/2005/Atom'>{}{}</feed>",
        entry("4 - Doe Jane (0000000008) (Reporting)"),
        entry("4 - Acme (Works), Inc. (0000000042) (Issuer)"),
    );
    let reading = parse_filings("x", text.as_bytes(), &DisclosureOptions::default()).unwrap();
    let [filing] = &reading.batch.filings[..] else {
        panic!()
    };
    assert_eq!(
        (filing.cik, filing.company_name.as_str()),
        (42, "Acme (Works), Inc.")
    );
    assert!(
        filing
            .accepted_at
            .unwrap()
            .to_string()
            .starts_with("2025-02-10T23:02:43")
    );
}

#[test]
fn other_documents_are_refused() {
    for text in [
        "",
        "{}",
        "[]",
        "<a/>",
        "<a>",
        "Form Type",
        "{\"hits\": 1}",
        "{\"filings\": {\"recent\": 1}}",
        "\u{feff}",
    ] {
        assert!(
            parse_filings("x", text.as_bytes(), &DisclosureOptions::default()).is_err(),
            "{text}"
        );
    }
    assert!(parse_filings("x", &[0xff, 0xfe, 0x00], &DisclosureOptions::default()).is_err());
}
