use model::{Instrument, Symbol};

use super::index::Named;
use super::*;

fn weighed(symbol: &str, kind: AssetType, name: &str, class: Option<char>) -> Weighed {
    let instrument = Instrument {
        name: Some(name.to_owned()),
        share_class: class,
        cik: company::folded(name).starts_with("alphabet").then_some(1),
        exchange: Some("NYSE".to_owned()),
        ..Instrument::bare(Symbol::parse(symbol).unwrap(), kind)
    };
    (Arc::new(Listing::bare(instrument)), 0.0)
}

#[test]
fn classes_indices_and_plain_funds_come_first() {
    use AssetType::{Equity, Etf};
    let mut listings = vec![
        weighed("BRK.A", Equity, "Berkshire Hathaway Inc.", None),
        weighed("BRK.B", Equity, "Berkshire Hathaway Inc.", None),
        weighed("BRKU", Etf, "Direxion Daily BRKB Bull 2X ETF", None),
        weighed("GOOGL", Equity, "Alphabet Inc.", Some('A')),
        weighed("GOOG", Equity, "Alphabet Inc.", Some('C')),
        weighed("DEPW", Equity, "Deep Well Class C", Some('C')),
        weighed("SPXE", Etf, "ProShares S&P 500 ex-Energy ETF", None),
        weighed("SPY", Etf, "S&P 500 ETF Trust", None),
        weighed("^GSPC", Etf, "S&P 500", None),
        weighed("^VIX", Etf, "CBOE Volatility Index", None),
        weighed("^IXIC", Etf, "NASDAQ Composite", None),
        weighed("NDAQ", Equity, "Nasdaq Inc.", None),
        weighed("VYLD", Etf, "Vixor Yield ETF", None),
        weighed("PM", Equity, "Philip Morris International Inc.", None),
        weighed("XLK", Etf, "Gadget Sector Fund", None),
        weighed("GDTU", Etf, "Gadget 3X Fund", None),
    ];
    for (one, other) in [
        ("GOOG", "GOOGL"),
        ("GOOGL", "GOOG"),
        ("BRK.A", "BRK.B"),
        ("BRK.B", "BRK.A"),
    ] {
        for (listing, _) in &mut listings {
            if listing.ticker() == one {
                Arc::make_mut(listing).classes = [Symbol::parse(other).unwrap()].into();
            }
        }
    }
    for (text, symbol) in [
        ("brk b", "BRK.B"),
        ("berkshire hathaway b", "BRK.B"),
        ("Berkshire Hathaway class A", "BRK.A"),
        ("google class c", "GOOG"),
        ("alphabet class a", "GOOGL"),
        ("s&p 500", "^GSPC"),
        ("sp500", "^GSPC"),
        ("the S&P 500 index", "^GSPC"),
        ("vix", "^VIX"),
        ("nasdaq", "^IXIC"),
        ("the Nasdaq index", "^IXIC"),
        ("NDAQ", "NDAQ"),
        ("Nasdaq Inc", "NDAQ"),
        ("phillip morris", "PM"),
        ("gadget", "XLK"),
        ("gadget 3x", "GDTU"),
    ] {
        let found = asked(&listings, text);
        assert_eq!(
            found.first().map(|one| one.listing.ticker()),
            Some(symbol),
            "{text}"
        );
    }
}

fn asked(listings: &[Weighed], text: &str) -> Vec<NameMatch> {
    let named = listings.iter().map(|(listing, _)| Named::new(listing));
    let names = NameIndex::new(named.collect());
    let find = |key: &InstrumentKey| {
        let mut all = listings.iter();
        all.find(|(one, _)| one.instrument.key() == *key).cloned()
    };
    meant(&names, &find, None, text, 3)
}

#[test]
fn what_is_no_name_finds_nothing_or_says_that_it_guesses() {
    use AssetType::{Crypto, Equity};
    let listings = [
        weighed("AAPL", Equity, "Apple", None),
        weighed("JPM", Equity, "JPMorgan Chase", None),
        weighed("DAL", Equity, "Delta Air Lines", None),
        weighed("NOW", Equity, "ServiceNow", None),
        weighed("META", Equity, "Meta Platforms", None),
        weighed("HOOD", Equity, "Robinhood Markets", None),
        weighed("USDT", Crypto, "Tether", None),
    ];
    for text in ["market", "chasing", "weather", "people", "the", "class a"] {
        assert!(asked(&listings, text).is_empty(), "{text}");
    }
    for (text, symbol, is_guess) in [
        ("aple", "AAPL", true),
        ("faceboook", "META", true),
        ("delta air", "DAL", false),
        ("now", "NOW", true),
        ("NOW", "NOW", false),
        ("now stock", "NOW", true),
        ("chase", "JPM", false),
        ("instagram", "META", false),
        ("aapl shares", "AAPL", false),
        ("apple", "AAPL", false),
    ] {
        let found = asked(&listings, text);
        let first = found
            .first()
            .map(|one| (one.listing.ticker(), one.is_guess));
        assert_eq!(first, Some((symbol, is_guess)), "{text}");
    }
}

#[test]
fn a_class_of_its_own_symbol_is_not_the_company_s_main_one() {
    use AssetType::Equity;
    let mut listings = [
        weighed("GOOGL", Equity, "Alphabet Inc.", Some('A')),
        weighed("GOOG", Equity, "Alphabet Inc.", Some('C')),
    ];
    Arc::make_mut(&mut listings[0].0).classes = [Symbol::parse("GOOG").unwrap()].into();
    for (text, symbol) in [("goog", "GOOG"), ("google", "GOOGL"), ("googl", "GOOGL")] {
        assert_eq!(asked(&listings, text)[0].listing.ticker(), symbol, "{text}");
    }
}

fn split(text: &str) -> Vec<String> {
    words(text)
}

#[test]
fn the_very_name_wins_over_a_part() {
    let apple = split("Apple Inc.");
    assert_eq!(score(&split("apple"), &apple), Some(0.95));
    assert!(score(&split("app"), &apple).unwrap() < 0.95);
    assert_eq!(score(&split("pear"), &apple), None);
    let bank = split("Bank of America Corporation");
    assert!(score(&split("bank america"), &bank).unwrap() > 0.7);
    assert!(
        score(&split("america"), &bank).unwrap() < score(&split("bank of"), &bank).unwrap() + 0.2
    );
    assert_eq!(split("The Company"), ["the", "company"]);
}

#[test]
fn the_company_of_a_common_word_is_found_among_many_that_have_it() {
    let mut listings: Vec<Weighed> = (0..3_000)
        .map(|number| {
            let name = format!("Vehicle {number} Quarry Trust");
            weighed(&format!("Q{number}"), AssetType::Etf, &name, None)
        })
        .collect();
    listings.push(weighed(
        "QRRY",
        AssetType::Equity,
        "Quarry Company of Maine",
        None,
    ));
    assert_eq!(asked(&listings, "quarry")[0].listing.ticker(), "QRRY");
}
