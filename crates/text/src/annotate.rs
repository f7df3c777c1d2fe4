//! Everything that one pass over an article finds.

use model::{Annotations, Article, Category, EntityKind, EntityMention};

use crate::statement::figures;
use crate::{bias, category, entities, events, features, language, readings, sentiment, tags};

pub(crate) mod lexed;
pub(crate) mod mentions;
pub(crate) mod phrases;

use lexed::Lexed;
use mentions::Mentions;

/// How probable it must be that a text is about sport, in which deals are deals of clubs and players.
const OF_SPORTS: f32 = 0.7;

/// Reads an article. `hints` are the category words given by its feed or file. They are not trusted on their own.
pub fn annotate(article: &Article, hints: &[String]) -> Annotations {
    let text = readable(article);
    let lexed = Lexed::new(&article.title, &text);
    let polarities = sentiment::polarities(&lexed);
    let mut entities = entities::find_lexed(&lexed, &polarities);
    entities.retain(|entity| !is_writer(entity, article));
    let subject = category::classify_lexed(&lexed, &entities, hints);
    let tags = tags::choose(&lexed, &entities, &subject.topics);
    let sample = &text[..lexed::floor_boundary(&text, 1_000)];
    let language = if sample.is_empty() {
        language::detect(&article.title)
    } else {
        language::detect(&format!("{}. {sample}", article.title))
    };
    let mentions = Mentions::new(&entities);
    let is_of_sports = subject.category == Category::Sports && subject.share >= OF_SPORTS;
    // The triggers are English words, and some of them mean something else in other languages.
    let events = if matches!(language, "en" | "und") {
        events::find(&lexed, &mentions, is_of_sports, article.published_at)
    } else {
        Vec::new()
    };
    let data_points = figures::data_points(&lexed, &mentions);
    Annotations {
        language: language.to_owned(),
        category: subject.category,
        sentiment: sentiment::whole(&lexed, &polarities),
        tags,
        bias: bias::assess_lexed(&lexed),
        events,
        data_points,
        features: features::of_article(
            article,
            &entities,
            &mentions,
            readings::forms(&subject.observed),
        ),
        entities,
    }
}

/// Whether an entity is the author of the article and is not named in its headline.
fn is_writer(entity: &EntityMention, article: &Article) -> bool {
    let author = article.author.as_deref().unwrap_or_default();
    let mut writers = author
        .split([',', ';', '&', '/', '|'])
        .flat_map(|names| names.split(" and "));
    entity.kind == EntityKind::Person
        && writers.any(|name| name.trim().eq_ignore_ascii_case(&entity.name))
        && !article.title.contains(&entity.name)
}

/// The teaser and the body, without the teaser if the body repeats it.
pub(crate) fn readable(article: &Article) -> String {
    let (teaser, body) = (article.description.trim(), article.body.trim());
    if teaser.is_empty() {
        return body.to_owned();
    }
    if body.is_empty() {
        return teaser.to_owned();
    }
    let opening = &teaser[..lexed::floor_boundary(teaser, 40)];
    if body.contains(opening) {
        body.to_owned()
    } else {
        format!("{teaser}\n\n{body}")
    }
}

#[cfg(test)]
mod tests {
    use model::{EventKind, RawArticle, Timestamp};

    use super::*;
    use crate::clean::{Arrival, clean};

    fn kinds(title: &str, body: &str) -> Vec<EventKind> {
        let raw = RawArticle {
            url: "https://paper.example/a".to_owned(),
            title: title.to_owned(),
            body: Some(body.to_owned()),
            ..RawArticle::default()
        };
        let now = Timestamp::from_ms(1_646_000_000_000);
        let article = clean(&raw, now, Arrival::Backfill).unwrap();
        let events = annotate(&article, &[]).events;
        events.into_iter().map(|event| event.kind).collect()
    }

    #[test]
    fn who_wrote_an_article_is_not_whom_it_is_about() {
        let named = |title: &str| {
            let raw = RawArticle {
                url: "https://paper.example/a".to_owned(),
                title: title.to_owned(),
                body: Some(
                    "Angela Merkel met Emmanuel Macron in Paris on Monday, as Jane Roe reports from the city."
                        .to_owned(),
                ),
                author: Some("Jane Roe and John Doe".to_owned()),
                ..RawArticle::default()
            };
            let now = Timestamp::from_ms(1_646_000_000_000);
            let article = clean(&raw, now, Arrival::Backfill).unwrap();
            let entities = annotate(&article, &[]).entities;
            let names: Vec<String> = entities.into_iter().map(|entity| entity.name).collect();
            (
                names.contains(&"Angela Merkel".to_owned()),
                names.contains(&"Jane Roe".to_owned()),
            )
        };
        assert_eq!(named("Merkel meets Macron in Paris"), (true, false));
        assert_eq!(named("Jane Roe on why Merkel met Macron"), (true, true));
    }

    #[test]
    fn words_of_sports_alone_hide_no_deal() {
        let title =
            "Sony and Honda team up to develop electric cars with goal of sales beginning in 2025";
        assert_eq!(kinds(title, ""), [EventKind::Partnership]);
    }

    #[test]
    fn what_clubs_do_in_the_words_of_business_is_no_event() {
        let title = "Liverpool launches new home kit ahead of Premier League season";
        let match_report = "The striker scored twice for his club in the cup final, and the coach praised his goals after the match.";
        let lexed = Lexed::new(title, match_report);
        let entities = entities::find(title, match_report);
        let read = events::find(
            &lexed,
            &Mentions::new(&entities),
            false,
            Timestamp::from_ms(1_646_000_000_000),
        );
        assert!(!read.is_empty(), "the words are those of a launch");
        assert!(kinds(title, match_report).is_empty());
    }
}
