use model::{Timestamp, TrustLevel};
use verify::claim::Claim;
use verify::figures::{Level, Reading};
use verify::verdict::{Position, Reason, Verdict};

use super::{BriefAbout, Finding, Passage, Replay, SourceKind};
use crate::claims::{FigureFinding, Reason as FigureReason, Verdict as FigureVerdict};

fn passage(domain: &str, title: &str, text: &str) -> Passage {
    Passage {
        kind: SourceKind::Corpus,
        name: domain.to_owned(),
        url: None,
        origin: domain.to_owned(),
        trust: TrustLevel::High,
        published_at: Some("2026-03-10T09:00:00Z".parse().unwrap()),
        brief: None,
        title: title.to_owned(),
        text: text.to_owned(),
    }
}

/// A passage from a story published on that day.
fn told(domain: &str, day: &str, title: &str) -> Passage {
    let brief = BriefAbout {
        id: "PR-2026-0301-001".to_owned(),
        headline: String::new(),
        confidence: 0.8,
        relevance: 1.0,
    };
    Passage {
        published_at: Some(format!("{day}T09:00:00Z").parse().unwrap()),
        brief: Some(brief),
        ..passage(domain, title, title)
    }
}

#[test]
fn the_figure_that_a_story_gives_later_outweighs_the_earlier_one() {
    let claim = "Northwind Foods agreed to buy Velden Dairies for $1.4 billion in cash.";
    let first = told("courier.example", "2026-03-08", claim);
    let restated = "Northwind Foods agreed to buy Velden Dairies for $1.9 billion in cash.";
    let later = told("gazette.example", "2026-03-10", restated);
    let as_of_then = judged(claim, std::slice::from_ref(&first));
    assert_eq!(as_of_then.assessment.verdict, Verdict::Supported);
    let now = judged(claim, &[first.clone(), later.clone()]);
    assert_eq!(now.assessment.verdict, Verdict::Contradicted);
    assert!(now.correction().unwrap().contains("$1.9 billion"));
    let overtaken: Vec<&str> = now
        .evidence
        .iter()
        .filter(|evidence| evidence.is_overtaken)
        .map(|evidence| evidence.passage.origin.as_str())
        .collect();
    assert_eq!(overtaken, ["courier.example"]);
    assert!(
        now.nuances().contains("courier.example reported earlier"),
        "{}",
        now.nuances()
    );
    assert_eq!(Replay::of(&now).run(), now.assessment);
    assert_eq!(
        judged(restated, &[first, later]).assessment.verdict,
        Verdict::Supported
    );
}

#[test]
fn a_report_need_not_name_its_own_day_or_outlet() {
    let reports = [
        told(
            "courier.example",
            "2026-03-10",
            "Former harbour chief Doro Velden indicted for second time",
        ),
        told(
            "gazette.example",
            "2026-03-11",
            "Doro Velden is indicted again over port contracts",
        ),
    ];
    for claim in [
        "Doro Velden was indicted for a second time.",
        "Doro Velden was indicted for a second time in March 2026.",
        "In March 2026 Doro Velden was indicted for a second time.",
        "Doro Velden was indicted for a second time on Tuesday.",
        "Doro Velden was indicted for a second time on 10 March 2026.",
        "According to gazette.example, Doro Velden was indicted for a second time.",
    ] {
        let found = judged(claim, &reports);
        assert_eq!(found.assessment.verdict, Verdict::Supported, "{claim}");
        assert_eq!(Replay::of(&found).run(), found.assessment, "{claim}");
    }
    for claim in [
        "Doro Velden was indicted for a second time in January 2026.",
        "Doro Velden was indicted for a second time on 2 March 2026.",
    ] {
        let found = judged(claim, &reports);
        assert_ne!(found.assessment.verdict, Verdict::Supported, "{claim}");
    }
}

#[test]
fn who_did_it_to_whom_decides() {
    let report = |title: &str| [told("courier.example", "2026-03-10", title)];
    for (right, wrong, title) in [
        (
            "The Nordlys Commission has criticised Doro Velden over port contracts.",
            "Doro Velden has criticised the Nordlys Commission over port contracts.",
            "Nordlys Commission criticises Doro Velden over port contracts",
        ),
        (
            "Velden Dairies and Kestrel Foods have sued Doro Halvorsen over port contracts.",
            "Doro Halvorsen has sued Velden Dairies and Kestrel Foods over port contracts.",
            "Velden Dairies and Kestrel Foods sued Doro Halvorsen over port contracts",
        ),
        (
            "The Nordlys Bank is lending $5,000 million to Velden Dairies.",
            "Velden Dairies is lending $5,000 million to the Nordlys Bank.",
            "Nordlys Bank is lending $5,000 million to Velden Dairies",
        ),
    ] {
        let [right, wrong] = [right, wrong].map(|claim| judged(claim, &report(title)));
        assert_eq!(right.assessment.verdict, Verdict::Supported, "{title}");
        assert_eq!(wrong.assessment.verdict, Verdict::Contradicted, "{title}");
        assert_eq!(Replay::of(&wrong).run(), wrong.assessment, "{title}");
    }
}

#[test]
fn a_description_beside_the_claim_is_looked_at_by_itself() {
    let reports = [
        told(
            "courier.example",
            "2026-03-10",
            "Doro Velden indicted for second time",
        ),
        told(
            "gazette.example",
            "2026-03-11",
            "Doro Velden is indicted again over port contracts",
        ),
    ];
    let described = "Doro Velden, the former chief of the harbour, was indicted for a second time.";
    let found = judged(described, &reports);
    assert_eq!(found.assessment.verdict, Verdict::PartiallySupported);
    let note = "Not confirmed by the sources: Doro Velden is the former chief of the harbour.";
    assert!(found.nuances().contains(note), "{}", found.nuances());
    assert_eq!(Replay::of(&found).run(), found.assessment);

    let mut more = reports.to_vec();
    more.push(told(
        "herald.example",
        "2026-02-02",
        "The harbour's former chief Doro Velden opened a restaurant",
    ));
    let found = judged(described, &more);
    assert_eq!(found.assessment.verdict, Verdict::Supported);
    assert_eq!(Replay::of(&found).run(), found.assessment);
    for claim in [
        "Doro Velden, who was never the chief of the harbour, was indicted for a second time.",
        "Doro Velden, the former chief of the railway, was indicted for a second time.",
    ] {
        let verdict = judged(claim, &more).assessment.verdict;
        assert_ne!(verdict, Verdict::Supported, "{claim}");
    }
}

#[test]
fn a_correction_outweighs_what_stood_elsewhere() {
    let claim = "Northwind Foods agreed to buy Velden Dairies for $1.4 billion in cash.";
    let without_story = |mut told: Passage| {
        told.brief = None;
        told
    };
    let first = without_story(told("courier.example", "2026-03-08", claim));
    let later = |title: &str| without_story(told("gazette.example", "2026-03-10", title));
    let sum = "Northwind Foods agreed to buy Velden Dairies for $1.9 billion in cash.";
    let disagree = judged(claim, &[first.clone(), later(sum)]);
    assert_ne!(disagree.assessment.verdict, Verdict::Contradicted);
    let corrected = judged(claim, &[first, later(&format!("CORRECTED: {sum}"))]);
    assert_eq!(corrected.assessment.verdict, Verdict::Contradicted);
}

#[test]
fn what_another_central_bank_did_takes_no_side() {
    let others = [
        passage(
            "courier.example",
            "Riksbank holds rates",
            "The Riksbank did not cut rates in September.",
        ),
        passage(
            "gazette.example",
            "Riksbank raises rates",
            "The Riksbank raised rates in September.",
        ),
    ];
    let found = judged("The Fed cut rates in September", &others);
    assert_eq!(found.assessment.verdict, Verdict::Unverifiable);
    let sides: Vec<Position> = found.evidence.iter().map(|one| one.position).collect();
    assert!(
        sides.iter().all(|side| *side == Position::Neutral),
        "{sides:?}"
    );
    // The same passage does count for its own bank.
    let own = judged("The Riksbank raised rates in September", &others);
    assert!(own.on(Position::Supports).next().is_some());
}

#[test]
fn a_central_bank_is_known_by_its_seat() {
    let told = passage(
        "courier.example",
        "Rates rise",
        "Rate-setters in Frankfurt raised the policy rate to 3.00% from 2.75%.",
    );
    let found = judged("the ECB raised rates to 3%", &[told]);
    assert!(
        found.on(Position::Contradicts).next().is_none(),
        "{:?}",
        found.evidence
    );
}

fn judged(claim: &str, passages: &[Passage]) -> Finding {
    let now: Timestamp = "2026-03-12T00:00:00Z".parse().unwrap();
    Finding::of(&Claim::parse(claim), passages.to_vec(), now)
}

fn merger() -> Vec<Passage> {
    vec![passage(
        "courier.example",
        "Northwind Foods buys Velden Dairies",
        "Northwind Foods agreed on Tuesday to buy Velden Dairies for $1.4 billion in cash.",
    )]
}

#[test]
fn the_very_words_of_a_source_support_a_claim_and_surely_so() {
    let found = judged(
        "Northwind Foods agreed to buy Velden Dairies for $1.4 billion in cash.",
        &merger(),
    );
    assert_eq!(found.assessment.verdict, Verdict::Supported);
    assert!(found.assessment.confidence > 0.85);
}

#[test]
fn another_amount_contradicts_and_the_correction_quotes_the_right_one() {
    let found = judged(
        "Northwind Foods agreed to buy Velden Dairies for $2.9 billion in cash.",
        &merger(),
    );
    assert_eq!(found.assessment.verdict, Verdict::Contradicted);
    assert!(found.correction().unwrap().contains("$1.4 billion"));
}

#[test]
fn a_claim_of_which_one_statement_is_known_is_supported_in_part() {
    let found = judged(
        "Northwind Foods agreed to buy Velden Dairies for $1.4 billion in cash; the bakery in Marsh End reopened with a new owner.",
        &merger(),
    );
    assert_eq!(found.assessment.verdict, Verdict::PartiallySupported);
    assert_eq!(Replay::of(&found).run(), found.assessment);
}

#[test]
fn what_was_announced_can_be_looked_up_and_what_is_expected_cannot() {
    let claim = "Northwind Foods will close its plant in Velden.";
    let announced = passage(
        "courier.example",
        "Northwind Foods to close Velden plant",
        "Northwind Foods will close its plant in Velden. It employed 300 people there in May.",
    );
    assert_eq!(
        judged(claim, &[announced]).assessment.verdict,
        Verdict::Supported
    );
    let expected = passage(
        "courier.example",
        "Analysts expect closures",
        "Analysts expect that Northwind Foods will close its plant in Velden.",
    );
    let found = judged(claim, &[expected]).assessment;
    assert_eq!(found.reason, Some(Reason::NotCheckable));
    let direction = "Shares of Northwind Foods will rise.";
    let found = judged(
        direction,
        &[passage("courier.example", direction, direction)],
    );
    // Nobody can look up which way a share will move.
    assert!(!found.claim.is_plan());
    assert!(!found.claim.is_checkable());
}

#[test]
fn news_about_a_neighbouring_event_do_not_contradict() {
    let mut passages = merger();
    passages.push(passage(
        "gazette.example",
        "Northwind Foods buys Harrow Mills",
        "Northwind Foods bought Harrow Mills for $300 million last year.",
    ));
    let found = judged(
        "Northwind Foods agreed to buy Velden Dairies for $1.4 billion in cash.",
        &passages,
    );
    assert_eq!(found.assessment.verdict, Verdict::Supported);
    assert_eq!(found.on(verify::verdict::Position::Contradicts).count(), 0);
}

/// One passage for each text, each from a different outlet.
fn passages(texts: &[&str]) -> Vec<Passage> {
    texts
        .iter()
        .zip([
            "courier.example",
            "gazette.example",
            "herald.example",
            "times.example",
        ])
        .map(|(text, domain)| passage(domain, "", text))
        .collect()
}

#[test]
fn what_is_wanted_or_opposed_supports_nothing_that_is_done() {
    let claim = "The US banned Russian oil";
    let wanted = passages(&[
        "With the US pushing for a ban on Russian oil, prices of crude rose sharply.",
        "The White House is opposed to a ban on Russian oil.",
        "Lawmakers in the US may ban Russian oil this week.",
    ]);
    let found = judged(claim, &wanted);
    assert_eq!(found.on(verify::verdict::Position::Supports).count(), 0);
    assert_ne!(found.assessment.verdict, Verdict::Supported);
    let mut done = wanted;
    done.push(passage(
        "wire.example",
        "The US banned Russian oil",
        "The US banned Russian oil on Tuesday.",
    ));
    let found = judged(claim, &done);
    assert_eq!(found.assessment.verdict, Verdict::Supported);
    assert_eq!(found.on(verify::verdict::Position::Supports).count(), 1);
}

#[test]
fn a_plan_that_is_told_as_done_in_other_words_supports() {
    let claim = "The Harrow Theatre has been renamed for the singer Mara Velden.";
    let text = "The Harrow Theatre now bears the name of the singer Mara Velden. The owners had planned to rename it for years.";
    let done = passage(
        "courier.example",
        "Harrow Theatre named after singer Mara Velden",
        text,
    );
    assert_eq!(
        judged(claim, &[done]).assessment.verdict,
        Verdict::Supported
    );
    let planned = passage(
        "courier.example",
        "Owners plan for Harrow Theatre",
        "The owners of the Harrow Theatre plan to rename it for the singer Mara Velden.",
    );
    let found = judged(claim, &[planned]).assessment;
    assert_eq!(found.verdict, Verdict::Unverifiable);
}

#[test]
fn shared_names_alone_support_nothing() {
    let about = passages(&[
        "Ukraine accounts for 12% of the world's total wheat exports, Russia for 17%.",
        "Russia and Ukraine are neighbours.",
    ]);
    let found = judged("Russia invaded Ukraine", &about);
    assert_eq!(found.assessment.verdict, Verdict::Unverifiable);
    assert_eq!(found.on(verify::verdict::Position::Supports).count(), 0);
    let told = passages(&["Russia invaded Ukraine on 24 February."]);
    let found = judged("Russia invaded Ukraine", &told);
    assert_eq!(found.assessment.verdict, Verdict::Supported);
}

#[test]
fn old_news_decide_nothing_of_now() {
    let claim = Claim::parse("Mortgage rates are above 7%");
    let told = |text: &str, now: &str| {
        let texts = passages(&[text]);
        Finding::of(&claim, texts, now.parse().unwrap()).assessment
    };
    let above = "Mortgage rates are above 7%, the highest in years.";
    assert_eq!(
        told(above, "2026-03-12T00:00:00Z").verdict,
        Verdict::Supported
    );
    let old = told(above, "2026-06-12T00:00:00Z");
    assert_eq!(
        (old.verdict, old.reason),
        (Verdict::Unverifiable, Some(Reason::Stale))
    );
    // The direction says nothing about the figure.
    let trend = told(
        "Mortgage rates are trending down from yesterday.",
        "2026-03-12T00:00:00Z",
    );
    assert_eq!(trend.verdict, Verdict::Unverifiable);
    let today = judged(
        "The market is closed today",
        &passages(&["Northwind reports results on March 1 after the market closes today."]),
    );
    assert_ne!(today.assessment.verdict, Verdict::Contradicted);
}

#[test]
fn of_what_is_to_come_a_report_of_another_time_contradicts() {
    let claim = "Northwind Foods opens its plant in Velden on 1 September 2026.";
    let june = passage(
        "courier.example",
        "Northwind Foods to open plant in Velden in summer",
        "Northwind Foods opens its plant in Velden on June 1, it announced on Tuesday.",
    );
    let found = judged(claim, &[june]).assessment;
    assert_eq!(found.verdict, Verdict::Contradicted);
    // What was true in March, when it was written, does not show what is true in September.
    let before = passage(
        "courier.example",
        "Northwind Foods closes its plant in Velden",
        "Northwind Foods has closed its plant in Velden.",
    );
    let found = judged(claim, &[before]).assessment;
    assert_eq!(found.verdict, Verdict::Unverifiable);
    // Nor does a plan show what came of it, nor a day next to what was true then.
    for (claim, text) in [
        (
            "Northwind Foods opened its plant in Velden on 1 September 2026.",
            "Northwind Foods opens its plant in Velden on June 1.",
        ),
        (
            "Northwind Foods employed 900 people in July 2026.",
            "Northwind Foods employs 850 people. It reports results in June.",
        ),
        (
            "US inflation is at 4% in September 2026.",
            "US inflation is at 3%, and at 2% in June 2026.",
        ),
    ] {
        let told = passage("courier.example", "", text);
        assert_ne!(
            judged(claim, &[told]).assessment.verdict,
            Verdict::Contradicted,
            "{claim}"
        );
    }
}

#[test]
fn a_quote_has_the_headline_where_that_tells_what_the_sentences_lack() {
    let claim = "Northwind Foods is buying Velden Dairies for $99 million in cash.";
    let title = "Northwind Foods to buy Velden Dairies for $42 million in cash";
    let text = "The dairy was founded in 1995 and employs 900 people.";
    let found = judged(claim, &[passage("courier.example", title, text)]);
    assert_eq!(found.assessment.verdict, Verdict::Contradicted);
    assert_eq!(found.evidence[0].quote, format!("{title}. {text}"));
    assert!(found.correction().unwrap().contains("$42 million"));
    assert!(found.summary().contains("$42 million"));
    // A headline with the deciding figure is quoted too, even if it adds no other word of the claim.
    let repeated =
        "Northwind Foods is buying Velden Dairies in cash; the dairy sells 3 million litres a day.";
    let found = judged(claim, &[passage("courier.example", title, repeated)]);
    assert!(found.evidence[0].quote.contains("$42 million"));
    // If the sentences say it themselves, no headline is needed above them, and a document's title is not a headline.
    let whole = "Northwind Foods is buying Velden Dairies for $42 million in cash.";
    let said = passage("courier.example", title, whole);
    let document = Passage {
        kind: SourceKind::Knowledge,
        ..passage("dairies.pdf", title, text)
    };
    for (passage, quote) in [(said, whole), (document, text)] {
        assert_eq!(judged(claim, &[passage]).evidence[0].quote, quote);
    }
}

#[test]
fn what_is_being_done_does_not_grow_old() {
    let told = |claim: &str, text: &str| {
        let claim = Claim::parse(claim);
        let later = "2026-11-12T00:00:00Z".parse().unwrap();
        Finding::of(&claim, passages(&[text]), later).assessment
    };
    let bought = "Northwind Foods is buying Velden Dairies for $420 million in cash.";
    assert_eq!(told(bought, bought).verdict, Verdict::Supported);
    let costs = "Northwind Foods stock is trading at $42.";
    assert_eq!(told(costs, costs).reason, Some(Reason::Stale));
}

#[test]
fn a_level_is_told_by_what_names_it() {
    let text = "Gold never hit $5,000";
    let today = model::Day::parse("2026-03-12").unwrap();
    let Some(Reading::Claim(read)) = verify::figures::read(text, today) else {
        panic!("no figure");
    };
    let level = Level::of(&read).unwrap();
    for (told, expected) in [
        ("Employers in Sweden add 5,000 jobs.", false),
        ("Gold hit $5,000 on Monday.", true),
    ] {
        let mut found = judged(text, &[passage("courier.example", told, told)]);
        for one in &mut found.evidence {
            one.position = Position::Contradicts;
        }
        assert_eq!(found.is_told_of(&level), expected, "{told}");
        for one in &mut found.evidence {
            one.position = Position::Neutral;
        }
        assert!(!found.is_told_of(&level), "{told}");
    }
}

#[test]
fn how_a_claim_was_read_is_said_once() {
    let summary = |statement: &str, reading: &str| {
        let found = FigureFinding {
            verdict: FigureVerdict::Supported,
            reading: reading.to_owned(),
            ..FigureFinding::open(FigureReason::NoEvidence, statement)
        };
        let claim = Claim::parse("Apple closed at $228 on 24 November 2026.");
        Finding::of_figures(&claim, &found, "2026-12-01T00:00:00Z".parse().unwrap()).summary()
    };
    assert_eq!(
        summary(
            "AAPL closed at 228.00 USD on 24 November 2026 (daily close).",
            "daily close"
        ),
        "AAPL closed at 228.00 USD on 24 November 2026 (daily close)."
    );
    assert_eq!(
        summary("AAPL is listed on NASDAQ.", "listings as imported"),
        "AAPL is listed on NASDAQ. Read as: listings as imported."
    );
}
