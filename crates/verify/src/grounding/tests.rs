use super::*;

fn grounds() -> Grounds {
    let mut grounds = Grounds::new(Day::parse("2026-11-23").unwrap());
    let acme = grounds.subject("ACME", &["Acme Industries Inc"]);
    let bolt = grounds.subject("BOLT", &["Bolt Energy Corp"]);
    for (value, subject, what) in [
        (217.113, acme, What::Level),
        (-3.42, acme, What::Change),
        (5_231_000_000_000.0, acme, What::Level),
        (31.8, acme, What::Level),
        (48.5, bolt, What::Level),
        (2.25, bolt, What::Change),
        (0.62, bolt, What::Share),
    ] {
        grounds.figure(value, Some(subject), what);
    }
    grounds.figure(4.25, None, What::Level);
    grounds.text(
        "Acme fell 3.42% to $217.11 by the rules of 20 indicators",
        Some(acme),
    );
    grounds.text("2026-11-20", None);
    grounds.text("Acme to open a plant in Nevada, says Jane Roe", Some(acme));
    grounds
}

fn fault(sentence: &str) -> Option<Fault> {
    grounds().check(sentence).err()
}

#[test]
fn what_is_known_may_be_said_in_any_way() {
    for sentence in [
        "Acme closed at $217.11 on 20 November 2026, down 3.4%.",
        "ACME fell 3.42 percent to about $217.",
        "It is worth $5.2 trillion, or $5.231tn.",
        "Bolt gained 2.25%; 62% of its holders are institutions.",
        "Its RSI(14) reads 31.8, below the 50-day and 200-day averages.",
        "**Against it:** Acme is down 3.42% since November 20.",
        "## What speaks for Bolt",
        "The policy rate stands at 4.25 percent, or 425 basis points.",
        "Jane Roe says that Acme will open a plant in Nevada.",
        "On Friday, the shares lost 3.4%.",
        "The price is lower, and momentum is weak.",
        "P/E and EPS are not known.",
        "The RSI (14) is 31.8.",
        "Today is 23 November 2026.",
        "Acme Corporation is listed on the NYSE.",
    ] {
        assert_eq!(fault(sentence), None, "{sentence}");
    }
}

#[test]
fn figures_that_are_not_known_are_found() {
    for (sentence, said) in [
        ("Acme closed at $218.", "218"),
        ("Acme closed at $217.2.", "217.2"),
        ("Acme fell 3.5%.", "3.5%"),
        ("It is worth $5.3 trillion.", "5.3 trillion"),
        ("It is worth $217 billion.", "217 billion"),
        ("Acme trades at 48.5.", "48.5"),
        ("Bolt has an RSI of 31.8.", "31.8"),
        ("It fell five percent.", "five percent"),
        ("Watch the 30-day average.", "30"),
        ("It surged by a hundred percent.", "hundred percent"),
        ("Acme rose fifteen percent.", "fifteen percent"),
        ("Acme doubled in six weeks.", "doubled"),
        ("The target is 200-plus dollars.", "200"),
        ("It fell by 50-percent.", "50-percent"),
        ("The price is $20.", "20"),
        ("The price is \u{665}\u{660}\u{660}.", "\u{665}"),
        ("Its share is 3180%.", "3180%"),
        ("The rate may rise by 50 basis points.", "50 basis points"),
    ] {
        assert_eq!(
            fault(sentence),
            Some(Fault::Figure(said.to_owned())),
            "{sentence}"
        );
    }
}

#[test]
fn a_change_goes_the_way_that_it_went() {
    let direction = |said: &str| Some(Fault::Direction(said.to_owned()));
    assert_eq!(fault("Acme rose 3.42%."), direction("3.42%"));
    assert_eq!(
        fault("Acme gained as much as 3.4 percent."),
        direction("3.4 percent")
    );
    assert_eq!(fault("Bolt lost 2.25%."), direction("2.25%"));
    assert_eq!(fault("Bolt's change was -2.25%."), direction("2.25%"));
    assert_eq!(fault("Acme sank 3.42%."), None);
    assert_eq!(fault("The change is -4.25%."), direction("4.25%"));
    assert_eq!(fault("Bolt rose 2.25%."), None);
}

#[test]
fn times_that_are_not_known_are_found() {
    for (sentence, said) in [
        ("Acme closed lower yesterday.", "yesterday"),
        ("Acme fell on 19 November 2026.", "on 19 November 2026"),
        ("Acme peaked in March 2025.", "in March 2025"),
    ] {
        assert_eq!(
            fault(sentence),
            Some(Fault::Time(said.to_owned())),
            "{sentence}"
        );
    }
}

#[test]
fn names_that_were_not_given_are_found() {
    for (sentence, said) in [
        ("Acme competes with Samsung in Nevada.", "Samsung"),
        ("Nvidia is a rival.", "Nvidia"),
        ("The chief executive, John Doe, sold shares.", "John"),
        ("Shares of XYZQ look better.", "XYZQ"),
        ("Acme will build in Texas.", "Texas"),
    ] {
        assert_eq!(
            fault(sentence),
            Some(Fault::Name(said.to_owned())),
            "{sentence}"
        );
    }
}

#[test]
fn nothing_is_loaded_or_linked() {
    for sentence in [
        "See https://evil.example/?q=1 for more.",
        "![chart](chart.png)",
        "<script>alert(1)</script>",
        "[Acme](javascript:alert)",
        "Read [the report][x].",
        "[x]: //evil.example/a",
        "Write to me@evil.example now.",
        "Visit evil.com for more.",
    ] {
        assert_eq!(fault(sentence), Some(Fault::Link), "{sentence}");
    }
}

#[test]
fn long_and_strange_texts_are_read_within_bounds() {
    let mut grounds = grounds();
    grounds.text(&"9".repeat(100_000), None);
    grounds.words(&"é ".repeat(100_000));
    for sentence in [
        &*"9".repeat(50_000),
        &"Ω.".repeat(9_000),
        "",
        "\u{0}",
        "1e999 ,,,",
    ] {
        let _ = grounds.check(sentence);
    }
    let invented = format!("{} 987654", "word ".repeat(3_000));
    assert!(grounds.check(&invented).is_err(), "the end is read too");
}
