//! One target for every reader of foreign bytes: what must hold whatever comes in, besides that nothing panics.
//!
//! The file is compiled twice: here, behind libFuzzer, and in `crates/server/tests/foreign_bytes.rs`, where `cargo test` runs
//! each target on a few hundred mutations of its example. Readers of request headers are tested through the whole service, in
//! `crates/api/tests/it/foreign_headers.rs`, so that nothing here depends on the service.

use std::sync::LazyLock;

use model::{Candle, Day, Observation, RawArticle, Symbol, TextOrigin, Timestamp, TrustLevel, Via};
use providers::feeds::FetchFeed;
use providers::import::articles;
use providers::import::market::disclosures::{
    self, DisclosureFile, DisclosureOptions, parse_legislators,
};
use providers::import::market::files::{self, FileOptions, MarketFile};
use providers::import::market::{ReadError, Reading};
use providers::pages::{FetchPage, Robots};
use providers::{Call, HttpBody};
use search::{Index, SearchRequest};
use text::clean::{Arrival, clean};
use text::compose::{Member, compose};
use url::Url;

/// A reader with the smallest input that reaches its heart.
pub(crate) struct Target {
    /// The word by which it is chosen.
    pub(crate) name: &'static str,
    /// Reads, and asserts what must hold of the result.
    pub(crate) run: fn(&[u8]),
    /// An example, to begin from.
    pub(crate) example: &'static [u8],
}

/// Every target. Several texts of one input stand apart by a zero byte.
pub(crate) const TARGETS: &[Target] = &[
    Target {
        name: "address",
        run: address,
        example: b"https://amp.example.co.uk:8080/a/amp?utm_source=x&id=1",
    },
    Target {
        name: "annotate",
        run: annotate,
        example: b"Bank holds rates at 2.5%\0The bank said on Monday that it holds. \"Good,\" she said.",
    },
    Target {
        name: "articles",
        run: articles_file,
        example: br#"{"url":"https://a.example/x","title":"Port reopens","content":"It did.","publishedAt":"2026-03-02T08:00:00Z"}"#,
    },
    Target {
        name: "candles",
        run: candles,
        example: b"Date,Open,High,Low,Close,Volume\n2024-03-01,1.5,2,1,1.75,100\n2024-03-04,1.75,2,1.5,1.9,90\n",
    },
    Target {
        name: "chart",
        run: candles,
        example: br#"{"chart":{"result":[{"meta":{"symbol":"AAA"},"timestamp":[1709305200],"indicators":{"quote":[{"open":[1],"high":[2],"low":[1],"close":[1.5],"volume":[9]}]}}]}}"#,
    },
    Target {
        name: "clean",
        run: clean_item,
        example: b"Port reopens - The Quay\0Read more\0<p>The port reopened.</p>\0https://a.example/x",
    },
    Target {
        name: "commodities",
        run: commodities,
        example: b"Date,Price\n2024-03-01,82.5\n",
    },
    Target {
        name: "congress",
        run: congress,
        example: br#"[{"transaction_date":"2021-01-04","disclosure_date":"01/20/2021","ticker":"AAPL","asset_description":"Apple","type":"purchase","amount":"$1,001 - $15,000","representative":"Hon. A. Member","owner":"self"}]"#,
    },
    Target {
        name: "crypto",
        run: crypto,
        example: br#"[{"id":"bitcoin","symbol":"btc","name":"Bitcoin","current_price":1.5,"market_cap":10,"last_updated":"2024-03-01T00:00:00Z"}]"#,
    },
    Target {
        name: "dates",
        run: dates,
        example: b"Mon, 02 Mar 2026 08:00:00 GMT",
    },
    Target {
        name: "feed",
        run: feed,
        example: b"<rss version=\"2.0\"><channel><title>N</title><item><title>Port</title><link>https://a.example/x</link><description>d</description><pubDate>Mon, 02 Mar 2026 08:00:00 GMT</pubDate></item></channel></rss>",
    },
    Target {
        name: "filings",
        run: filings,
        example: br#"{"cik":"42","name":"N","tickers":["AAA"],"filings":{"recent":{"accessionNumber":["0000000042-25-000002"],"filingDate":["2025-01-02"],"form":["8-K"],"items":["2.02"],"acceptanceDateTime":["2025-01-02T21:00:00.000Z"],"primaryDocument":["a.htm"]}}}"#,
    },
    Target {
        name: "form4",
        run: insider,
        example: b"<ownershipDocument><documentType>4</documentType><periodOfReport>2025-01-02</periodOfReport><issuer><issuerCik>42</issuerCik><issuerTradingSymbol>AAA</issuerTradingSymbol></issuer><reportingOwner><reportingOwnerId><rptOwnerCik>1</rptOwnerCik><rptOwnerName>Doe Jane</rptOwnerName></reportingOwnerId></reportingOwner><nonDerivativeTable><nonDerivativeTransaction><transactionDate><value>2025-01-02</value></transactionDate><transactionCoding><transactionCode>P</transactionCode></transactionCoding><transactionAmounts><transactionShares><value>5</value></transactionShares><transactionPricePerShare><value>2.5</value></transactionPricePerShare></transactionAmounts></nonDerivativeTransaction></nonDerivativeTable><ownerSignature><signatureDate>2025-01-03</signatureDate></ownerSignature></ownershipDocument>",
    },
    Target {
        name: "fx",
        run: fx,
        example: b"<Envelope><Cube><Cube time=\"2024-03-01\"><Cube currency=\"USD\" rate=\"1.08\"/></Cube></Cube></Envelope>",
    },
    Target {
        name: "holdings",
        run: filings,
        example: b"<informationTable><infoTable><nameOfIssuer>ACME</nameOfIssuer><titleOfClass>COM</titleOfClass><cusip>037833100</cusip><value>10</value><shrsOrPrnAmt><sshPrnamt>4</sshPrnamt><sshPrnamtType>SH</sshPrnamtType></shrsOrPrnAmt></infoTable></informationTable>",
    },
    Target {
        name: "indicators",
        run: indicators,
        example: b"DATE,CPIAUCSL\n2024-01-01,308.4\n2024-02-01,.\n",
    },
    Target {
        name: "legislators",
        run: legislators,
        example: br#"[{"name":{"first":"A","last":"Member"},"terms":[{"type":"rep","party":"Independent"}]}]"#,
    },
    Target {
        name: "listings",
        run: listings,
        example: b"Symbol,Security Name,Market Category,Test Issue,ETF\nAAA,Alpha Inc. - Common Stock,Q,N,N\n",
    },
    Target {
        name: "markup",
        run: markup,
        example: b"<p>One &amp;lt;b&gt; <a href='x'>two</a></p><script>x()</script>",
    },
    Target {
        name: "page",
        run: page,
        example: b"<html><head><title>Port reopens</title></head><body><article><h1>Port reopens</h1><p>The port of Rotterdam reopened on Monday after a storm closed it for two days, its authority said.</p></article></body></html>",
    },
    Target {
        name: "page_bytes",
        run: page_bytes,
        example: b"<html><head><meta charset=\"windows-1252\"></head><body>caf\xe9</body></html>",
    },
    Target {
        name: "parquet",
        run: parquet,
        example: include_bytes!("../examples/bars.parquet"),
    },
    Target {
        name: "query",
        run: query,
        example: b"rates AND (\"central bank\" OR inflation) -crypto",
    },
    Target {
        name: "robots",
        run: robots,
        example: b"User-agent: *\nDisallow: /private/*.html$\nAllow: /private/open\n\nUser-agent: assay\nDisallow: /%c3%a4",
    },
    Target {
        name: "xbrl",
        run: fundamentals,
        example: br#"{"cik":42,"entityName":"N","facts":{"us-gaap":{"Assets":{"units":{"USD":[{"end":"2024-12-31","val":5,"accn":"0000000042-25-000002","fy":2024,"fp":"FY","form":"10-K","filed":"2025-02-01"}]}}}}}"#,
    },
];

/// 2026-03-01, the day of every reading.
const NOW: Timestamp = Timestamp::from_ms(1_772_366_400_000);

/// The texts of an input, as many as there are; what is no UTF-8 is replaced.
fn texts<const COUNT: usize>(bytes: &[u8]) -> [String; COUNT] {
    let mut parts = bytes.splitn(COUNT, |byte| *byte == 0);
    std::array::from_fn(|_| String::from_utf8_lossy(parts.next().unwrap_or_default()).into_owned())
}

fn address(bytes: &[u8]) {
    let [written] = texts(bytes);
    if let Some(once) = text::address::canonical(&written) {
        assert_eq!(text::address::canonical(&once.url).as_ref(), Some(&once));
        assert!(!once.url.contains('#') && once.url.contains(&once.domain));
        let stand_in = text::address::stand_in(&once.url, "feed.example");
        assert_eq!(text::address::canonical(&stand_in).as_ref(), Some(&once));
        assert_eq!(
            text::address::registrable_domain(&once.domain),
            once.domain,
            "a registrable domain is its own"
        );
    }
    if let Some(domain) = text::address::domain_of_name(&written) {
        assert!(!domain.contains('/'));
    }
}

fn annotate(bytes: &[u8]) {
    let [title, body] = texts(bytes);
    let raw = RawArticle {
        url: String::from("https://www.example.com/story"),
        title,
        body: Some(body),
        ..RawArticle::default()
    };
    let Ok(article) = clean(&raw, NOW, Arrival::Live) else {
        return;
    };
    let annotations = text::annotate::annotate(&article, &[]);
    assert!((0.0..=1.0).contains(&annotations.sentiment.get()));
    assert!(annotations.tags.len() <= 8);
    let member = Member {
        article: &article,
        annotations: &annotations,
        outlet: &article.outlet,
        trust: TrustLevel::Unknown,
        copy_of: None,
    };
    let brief = compose(&[member, member], None);
    assert!(!brief.headline.is_empty() && (0.0..=1.0).contains(&brief.sentiment.get()));
    assert_eq!(brief.source_count, 1);
    let given = article.title.len() + article.description.len() + article.body.len();
    assert!(brief.summary.len() + brief.body.len() <= 4 * 2 * given + 4_000);
}

fn articles_file(bytes: &[u8]) {
    let lines = bytes.split(|byte| *byte == b'\n').count();
    let mut found = 0;
    for (_, article) in articles::Reader::new(bytes) {
        found += 1;
        if let Ok(article) = article {
            assert!(article.url.len() + article.title.len() <= 3 * bytes.len() + 64);
        }
    }
    // A list on one line has an element for every comma.
    let elements = bytes.split(|byte| *byte == b',').count();
    assert!(found <= lines + elements, "{found} records");
}

fn clean_item(bytes: &[u8]) {
    let [title, description, body, url] = texts(bytes);
    for url in [url.as_str(), "https://www.example.com/story"] {
        for via in [None, Some(TextOrigin::Feed), Some(TextOrigin::Page)] {
            let raw = RawArticle {
                url: url.to_owned(),
                title: title.clone(),
                description: Some(description.clone()),
                body: Some(body.clone()),
                published_at: Some(Timestamp::from_ms(bytes.len() as i64 * 1_000_000_000_000)),
                via: via.map(|text| Via {
                    name: String::from("Feed"),
                    domain: String::from("feed.example"),
                    text,
                }),
                ..RawArticle::default()
            };
            let Ok(article) = clean(&raw, NOW, Arrival::Live) else {
                continue;
            };
            assert!(!article.title.is_empty() && article.published_at <= NOW);
            assert!(!article.title.chars().any(char::is_control));
            let canonical = text::address::canonical(url).map(|address| address.url);
            assert_eq!(Some(article.link()), canonical.as_deref());
            assert_eq!(article.is_stand_in(), article.url != article.link());
        }
    }
}

fn dates(bytes: &[u8]) {
    let [written] = texts(bytes);
    let _ = text::date::parse(&written, text::date::Order::Undeclared);
    let _ = Timestamp::parse_date(&written);
    if let Ok(time) = written.parse::<Timestamp>() {
        assert_eq!(time.to_string().parse::<Timestamp>().ok(), Some(time));
    }
    if let Some(day) = Day::parse(&written) {
        assert_eq!(Day::parse(&day.to_string()), Some(day));
    }
}

fn feed(bytes: &[u8]) {
    let address = "https://www.example.com/feed";
    let body = HttpBody::new(address, bytes.to_vec());
    if let Ok(feed) = FetchFeed::new(address).parse(&body) {
        assert!(feed.items.len() <= 1_000 && feed.skipped.len() <= 50);
        for item in &feed.items {
            assert!(item.url.starts_with("http://") || item.url.starts_with("https://"));
            assert!(!item.title.is_empty() && item.categories.len() <= 30);
        }
    }
}

fn markup(bytes: &[u8]) {
    let [fragment] = texts(bytes);
    let plain = text::markup::strip(&fragment);
    assert!(!plain.contains("<p>") && !plain.contains("<script"));
    assert!(plain.len() <= 2 * fragment.len() + 8);
    assert_eq!(text::markup::strip(&plain), plain);
}

fn page(bytes: &[u8]) {
    let [html] = texts(bytes);
    if let Some(page) = text::page::extract(&html, Some("https://www.example.com/2026/03/01/story"))
    {
        assert!(!page.title.is_empty() && page.text.len() <= 2 * html.len() + 64);
    }
}

fn page_bytes(bytes: &[u8]) {
    let address = "https://www.example.com/story";
    let call = FetchPage {
        url: address.to_owned(),
    };
    if let Ok(page) = call.parse(&HttpBody::new(address, bytes.to_vec())) {
        // The limit of a page, each byte three at most as UTF-8.
        assert!(page.html.len() <= 3 * (8 << 20) && page.url == address);
    }
}

fn query(bytes: &[u8]) {
    static INDEX: LazyLock<Option<Index>> = LazyLock::new(|| Index::in_memory().ok());
    let [query] = texts(bytes);
    if let Some(index) = INDEX.as_ref() {
        let request = SearchRequest {
            query,
            limit: 10,
            ..SearchRequest::default()
        };
        assert!(
            index
                .search(&request)
                .is_ok_and(|page| page.hits.is_empty())
        );
    }
}

fn robots(bytes: &[u8]) {
    let [rules, path] = texts(bytes);
    let robots = Robots::parse(&rules);
    for address in [
        "https://www.example.com/private/a.html?b=c",
        "https://www.example.com",
    ] {
        if let Ok(mut url) = Url::parse(address) {
            let _ = robots.allows(&url);
            url.set_path(&path);
            let _ = robots.allows(&url);
        }
    }
}

fn parquet(bytes: &[u8]) {
    table(MarketFile::Candles, "AAA.parquet", bytes);
}

fn candles(bytes: &[u8]) {
    table(MarketFile::Candles, "AAA.csv", bytes);
}

fn listings(bytes: &[u8]) {
    table(MarketFile::Listings, "nasdaqlisted.csv", bytes);
}

fn indicators(bytes: &[u8]) {
    table(MarketFile::Macro, "CPIAUCSL.csv", bytes);
}

fn fx(bytes: &[u8]) {
    table(MarketFile::Fx, "EURUSD.csv", bytes);
}

fn commodities(bytes: &[u8]) {
    table(MarketFile::Commodities, "brent.csv", bytes);
}

fn crypto(bytes: &[u8]) {
    table(MarketFile::Crypto, "coins.json", bytes);
}

fn table(kind: MarketFile, name: &str, bytes: &[u8]) {
    let options = FileOptions::new(Day::of(NOW));
    sound(&files::parse(kind, name, bytes, &options));
}

fn insider(bytes: &[u8]) {
    disclosed(DisclosureFile::Insider, "0000000042-25-000002.xml", bytes);
}

fn filings(bytes: &[u8]) {
    disclosed(DisclosureFile::Filings, "0000000042-25-000002.xml", bytes);
}

fn congress(bytes: &[u8]) {
    disclosed(DisclosureFile::Congress, "house_transactions.json", bytes);
}

fn fundamentals(bytes: &[u8]) {
    disclosed(DisclosureFile::Fundamentals, "CIK0000000042.json", bytes);
}

fn legislators(bytes: &[u8]) {
    let _ = parse_legislators(bytes);
}

fn disclosed(kind: DisclosureFile, name: &str, bytes: &[u8]) {
    let options = DisclosureOptions {
        symbol_of_issuer: Some(&|_, _| Symbol::parse("ACME")),
        symbol_of_cik: Some(&|_| Symbol::parse("ACME")),
        institution: Some("Example"),
        institution_cik: Some(1),
        report_date: Day::parse("2023-03-31"),
        ..DisclosureOptions::default()
    };
    sound(&disclosures::parse(kind, name, bytes, &options));
}

/// What a [`model::MarketBatch`] promises: numbers are numbers, days ascend, and a report stays short.
fn sound(read: &Result<Reading, ReadError>) {
    let Ok(Reading { batch, report }) = read else {
        return;
    };
    assert!(report.problems.len() <= 200);
    for (key, candles) in &batch.candles {
        assert!(candles.iter().all(|candle| candle.defect().is_none()));
        let ascend = |pair: &[Candle]| pair[0].day < pair[1].day;
        assert!(candles.windows(2).all(ascend), "{key:?}");
    }
    for (series, observations) in &batch.series {
        let ascend = |pair: &[Observation]| pair[0].day < pair[1].day;
        assert!(observations.windows(2).all(ascend), "{series:?}");
    }
    let values = batch
        .series
        .iter()
        .flat_map(|(_, observations)| observations);
    let facts = batch.facts.iter().flat_map(|set| &set.facts);
    let trades = batch.insider_forms.iter().flat_map(|form| &form.trades);
    let holdings = batch
        .holdings_reports
        .iter()
        .flat_map(|form| &form.holdings);
    let numbers = values
        .map(|observation| observation.value)
        .chain(facts.map(|fact| fact.value))
        .chain(trades.flat_map(|trade| {
            [Some(trade.shares), trade.price, trade.value]
                .into_iter()
                .flatten()
        }))
        .chain(holdings.flat_map(|holding| {
            [
                Some(holding.shares),
                Some(holding.value),
                holding.portfolio_pct,
            ]
            .into_iter()
            .flatten()
        }))
        .chain(batch.valuations.iter().flat_map(|valuation| {
            [
                valuation.price,
                valuation.market_cap_usd,
                valuation.pe_ratio,
                valuation.eps,
                valuation.dividend_yield_pct,
                valuation.fifty_two_week_high,
                valuation.fifty_two_week_low,
            ]
            .into_iter()
            .flatten()
        }))
        .chain(
            batch
                .congress_trades
                .iter()
                .flat_map(|trade| [trade.amount_low, trade.amount_high].into_iter().flatten()),
        )
        .chain(batch.coins.iter().flat_map(|coin| {
            [
                coin.price,
                coin.market_cap,
                coin.volume_24h,
                coin.change_1h,
                coin.change_24h,
                coin.change_7d,
                coin.change_30d,
                coin.ath,
                coin.circulating_supply,
            ]
            .into_iter()
            .flatten()
        }))
        .chain(batch.protocols.iter().map(|protocol| protocol.tvl))
        .chain(batch.chains.iter().map(|chain| chain.tvl));
    for number in numbers {
        assert!(number.is_finite());
    }
}
