use proptest::prelude::*;

use super::*;

const NOW: Timestamp = Timestamp::from_ms(1_772_366_400_000);

fn raw(title: &str) -> RawArticle {
    RawArticle {
        url: "https://www.example.com/news/story?utm_source=x".into(),
        title: title.into(),
        outlet: Some("Example News".into()),
        ..RawArticle::default()
    }
}

#[test]
fn apostrophes_that_lost_their_escape_are_mended() {
    let item = raw("India#39;s growth slows, people&#39;s savings shrink");
    let article = clean(&item, NOW, Arrival::Backfill).unwrap();
    assert_eq!(
        article.title,
        "India's growth slows, people's savings shrink"
    );
}

#[test]
fn an_item_becomes_an_article() {
    let item = RawArticle {
        description: Some("<p>Prices rose for the &amp;third month in a row, officials said.</p>".into()),
        body: Some(
            "<p>First paragraph here.</p><p>Advertisement</p><p>Second paragraph.</p><p>First paragraph here.</p>"
                .into(),
        ),
        author: Some("By Jane Doe".into()),
        published_at: Some(NOW.plus_ms(-1000)),
        ..raw("Prices rise &#8211; again - Example News")
    };
    let article = clean(&item, NOW, Arrival::Live).unwrap();
    assert_eq!(article.title, "Prices rise – again");
    assert_eq!(article.url, "https://www.example.com/news/story");
    assert_eq!(article.domain, "example.com");
    assert_eq!(article.body, "First paragraph here.\n\nSecond paragraph.");
    assert_eq!(article.author.as_deref(), Some("Jane Doe"));
    assert_eq!(
        (article.published_at, article.known_at),
        (NOW.plus_ms(-1000), NOW)
    );
}

#[test]
fn what_is_no_article_is_refused() {
    for title in [
        "[Removed]",
        "Just a moment...",
        "404 Not Found",
        "Subscribe to read | Example News",
        "Are you a robot?",
    ] {
        assert!(
            matches!(
                clean(&raw(title), NOW, Arrival::Live),
                Err(Rejection::NotAnArticle(_))
            ),
            "{title}"
        );
    }
    assert_eq!(
        clean(&raw(" <b></b> "), NOW, Arrival::Live),
        Err(Rejection::Headline)
    );
    let nowhere = RawArticle {
        url: "tag:example.com,2026:1".into(),
        ..raw("Title")
    };
    assert!(matches!(
        clean(&nowhere, NOW, Arrival::Live),
        Err(Rejection::Address(_))
    ));
}

#[test]
fn a_cut_body_is_a_teaser() {
    let mut item = raw("Storm nears coast");
    item.body = Some("A storm nears the coast.\r\nSchools are closed in three counties. The governor has said that peop… [+3524 chars]".into());
    let article = clean(&item, NOW, Arrival::Live).unwrap();
    assert_eq!(article.body, "");
    assert_eq!(
        article.description,
        "A storm nears the coast. Schools are closed in three counties. The governor has said that…"
    );
    item.description =
        Some("Schools and ferries are closed as the first storm of the season nears.".into());
    assert_eq!(
        clean(&item, NOW, Arrival::Live).unwrap().description,
        "Schools and ferries are closed as the first storm of the season nears."
    );
}

#[test]
fn teasers_say_more_than_the_headline() {
    let check = |description: &str, expected: &str| {
        let item = RawArticle {
            description: Some(description.into()),
            ..raw("Storm nears coast")
        };
        assert_eq!(
            clean(&item, NOW, Arrival::Live).unwrap().description,
            expected,
            "{description}"
        );
    };
    check("Storm nears coast", "");
    check(
        "<a href='x'>Storm nears coast</a>&nbsp;<font>Example News</font>",
        "",
    );
    check(
        "It comes fast. The post Storm nears coast appeared first on Example News.",
        "It comes fast.",
    );
    check(
        "LONDON (Reuters) - It comes fast. Continue reading...",
        "It comes fast.",
    );
    // Text that breaks off ends with its last whole word, and a mark that it is not a sentence.
    check(
        "It comes fast. Schools in three counties are clos...",
        "It comes fast. Schools in three counties are…",
    );
    check(
        "It comes fast. Schools in three counties are closed, […]",
        "It comes fast. Schools in three counties are closed…",
    );
    check(
        "暴风雨接近海岸，三个县的学校已经关闭，州长说人们应该留在家中…",
        "暴风雨接近海岸，三个县的学校已经关闭，州长说人们应该留在家中…",
    );
    check(
        "It is over (Picture: PA).Nobody was hurt there.",
        "It is over. Nobody was hurt there.",
    );
    check(
        "We value your privacy. We and our partners use cookies to store data.",
        "",
    );
    // The outlet and the headline appear before the text, and after it, sometimes cut off.
    check(
        "Example News Storm nears coast: It comes fast. This post Storm nears coast first appeared on Example News and is written by Jane Roe.",
        "It comes fast.",
    );
    check(
        "Example News Storm nears coasts of three counties on Monday.",
        "Example News Storm nears coasts of three counties on Monday.",
    );
    for cut in [
        "The post Storm nears co",
        "The article Storm nears coast appeared fir",
        "This post Storm nears coast first",
        "The post Storm",
        "This post",
    ] {
        check(&format!("It comes fast. {cut}"), "It comes fast.");
    }
    check(
        "It comes fast. The post was swept away.",
        "It comes fast. The post was swept away.",
    );
}

#[test]
fn credits_are_no_part_of_a_text() {
    let check = |text: &str, expected: &str| {
        let item = RawArticle {
            body: Some(text.into()),
            ..raw("Storm nears coast")
        };
        let article = clean(&item, NOW, Arrival::Backfill).unwrap();
        assert_eq!(article.body + &article.description, expected, "{text}");
    };
    let (first, second) = (
        "A storm nears the coast.",
        "Schools are closed in three counties.",
    );
    let both = format!("{first}\n\n{second}");
    check(&format!("By Jane Roe\r\n{first}\r\n{second}"), &both);
    check(
        &format!("Three counties in fear\r\nPhoto by Jane Roe / The Edge\r\n{first}"),
        &format!("Three counties in fear\n\n{first}"),
    );
    check(
        &format!(
            "<p>By Jane Roe, Example lifestyle editor</p><p>{first}</p><p>{second} By John Doe</p>"
        ),
        &both,
    );
    check(
        &format!("{first}\n\n{second} Reporting by Jane Roe in London; editing by John Doe"),
        &both,
    );
    check(
        "By Jane Roe\nand her crew the storm was seen first, said a watchman of the coast guard.",
        "By Jane Roe and her crew the storm was seen first, said a watchman of the coast guard.",
    );
}

#[test]
fn dates_are_possible() {
    let day = Timestamp::DAY_MS;
    let check = |claim: Option<i64>, seen: Option<i64>, arrival, expected: (i64, i64)| {
        let item = RawArticle {
            published_at: claim.map(|ms| NOW.plus_ms(ms)),
            first_seen: seen.map(|ms| NOW.plus_ms(ms)),
            ..raw("Storm nears coast")
        };
        let article = clean(&item, NOW, arrival).unwrap();
        assert_eq!(
            (
                article.published_at.since_ms(NOW),
                article.known_at.since_ms(NOW)
            ),
            expected
        );
    };
    check(
        Some(-2 * day),
        Some(-day),
        Arrival::Backfill,
        (-2 * day, -day),
    );
    check(Some(day), Some(-day), Arrival::Backfill, (-day, -day));
    check(Some(day), None, Arrival::Live, (0, 0));
    check(None, Some(day), Arrival::Backfill, (0, 0));
    check(None, Some(-day), Arrival::Live, (-day, 0));
    check(
        Some(-40_000 * day),
        Some(-day),
        Arrival::Backfill,
        (-day, -day),
    );
    check(Some(-day), None, Arrival::Backfill, (-day, -day));
}

proptest! {
    /// Letters whose other case is longer or shorter, wherever names are compared and cut.
    #[test]
    fn letters_of_any_case_are_cut_whole(
        title in "([İẞßΣςKŉǰΐ]|\\PC|[a-z ]| by | - ){0,20}",
        outlet in "([İẞßΣςKŉǰΐ]|\\PC|[a-z ]){0,6}",
        author in "([İẞßΣςKŉǰΐ]|\\PC|by |, |[a-z ]){0,12}",
    ) {
        let item = RawArticle {
            author: Some(format!("{author}, {}", outlet.to_uppercase())),
            outlet: Some(outlet.clone()),
            ..raw(&format!("{title} by {}", outlet.to_uppercase()))
        };
        if let Ok(article) = clean(&item, NOW, Arrival::Live) {
            prop_assert!(!article.title.is_empty());
        }
    }

    #[test]
    fn whatever_comes_in_is_readable_or_refused(
        title in "(\\PC|<b>|&amp;| - |[a-z ]){0,30}",
        description in proptest::option::of("(\\PC|<p>|&lt;|\n|[a-z. ]){0,60}"),
        body in proptest::option::of("(\\PC|<p>|\r\n|[A-Za-z. ]|… \\[\\+12 chars\\]){0,60}"),
        claim in proptest::option::of(any::<i64>()),
        seen in proptest::option::of(any::<i64>()),
        live in any::<bool>(),
    ) {
        let item = RawArticle {
            description, body,
            published_at: claim.map(Timestamp::from_ms),
            first_seen: seen.map(Timestamp::from_ms),
            ..raw(&title)
        };
        let arrival = if live { Arrival::Live } else { Arrival::Backfill };
        if let Ok(article) = clean(&item, NOW, arrival) {
            prop_assert!(!article.title.is_empty());
            prop_assert!(article.published_at <= article.known_at && article.known_at <= NOW);
            prop_assert!(!article.title.chars().chain(article.description.chars()).any(char::is_control));
            prop_assert_eq!(Ok(article.id), clean(&item, NOW, arrival).map(|again| again.id));
        }
    }
}
