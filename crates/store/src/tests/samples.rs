//! Small worlds for tests.

use model::{
    Annotations, Article, ArticleId, BiasDirection, BiasReading, Brief, BriefBias, BriefConfidence,
    BriefId, BriefSource, Category, Contradiction, EntityKind, EntityMention, EntityRole, Event,
    Features, OutboxKind, PublicBriefId, Score, Section, SourcedSentence, Timestamp, TrustLevel,
};
use uuid::Uuid;

use crate::{NewArticle, NewRevision, NewsTransaction, Result, Store};

pub(super) const HOUR: i64 = Timestamp::HOUR_MS;

/// Noon of the first day of the samples, plus this many hours.
pub(crate) fn hour(hours: i64) -> Timestamp {
    "2026-03-01T12:00:00Z"
        .parse::<Timestamp>()
        .unwrap()
        .plus_ms(hours * HOUR)
}

pub(super) fn entity(
    name: &str,
    kind: EntityKind,
    role: EntityRole,
    ticker: Option<&str>,
) -> EntityMention {
    EntityMention {
        name: name.to_owned(),
        kind,
        ticker: ticker.map(str::to_owned),
        role,
        mentions: 2,
        sentiment: Score::clamped(0.625),
    }
}

/// What a piece of news says.
#[derive(Clone)]
pub(crate) struct News {
    pub(super) number: u64,
    pub(super) domain: String,
    pub(super) category: Category,
    pub(super) at: Timestamp,
    pub(super) tags: Vec<String>,
    pub(super) entities: Vec<EntityMention>,
    pub(super) confidence: f64,
    pub(super) events: Vec<Event>,
    pub(super) contradictions: Vec<Contradiction>,
}

impl News {
    pub(crate) fn new(number: u64, at: Timestamp) -> Self {
        Self {
            number,
            domain: "daily.example".to_owned(),
            category: Category::Tech,
            at,
            tags: vec!["Chips".to_owned()],
            entities: vec![entity(
                "Quill Foundry",
                EntityKind::Organization,
                EntityRole::Subject,
                Some("QLF"),
            )],
            confidence: 0.5,
            events: Vec::new(),
            contradictions: Vec::new(),
        }
    }

    pub(crate) fn article(&self) -> Article {
        Article {
            id: ArticleId(Uuid::new_v4()),
            url: format!("https://{}/story/{}", self.domain, self.number),
            domain: self.domain.clone(),
            outlet: "The Daily".to_owned(),
            title: format!("Foundry opens hall number {}", self.number),
            description: "A hall opens.".to_owned(),
            body: "The hall opened today.\n\nIt is large — 12.3 hectares.".to_owned(),
            author: Some("A. Writer".to_owned()),
            published_at: self.at,
            known_at: self.at,
            simulated: false,
            via: None,
        }
    }

    pub(super) fn annotations(&self) -> Annotations {
        Annotations {
            language: "en".to_owned(),
            category: self.category,
            sentiment: Score::clamped(0.612_345_678_901_234_5),
            entities: self.entities.clone(),
            tags: self.tags.clone(),
            bias: BiasReading {
                loaded_wording: 0.1,
                loaded_terms: vec!["large".to_owned()],
                ..BiasReading::default()
            },
            events: Vec::new(),
            data_points: Vec::new(),
            features: Features {
                terms: vec![(1, 0.6), (self.number as u32 + 2, 0.8)],
                sketch: vec![1, 2, 3],
                headline: vec![1],
                pattern: self.number as u32,
                names: vec![16, self.number as u32],
                meaning: vec![1, 255],
                report: 200,
            },
        }
    }
}

/// A brief written from these articles.
pub(crate) fn brief(
    id: BriefId,
    public: PublicBriefId,
    revision: u32,
    news: &News,
    articles: &[Article],
) -> Brief {
    let half = Score::NEUTRAL;
    Brief {
        id,
        public_id: public,
        revision,
        headline: format!("Hall {} opens", news.number),
        summary: "A hall opens.".to_owned(),
        body: "The hall opened today.".to_owned(),
        sentences: vec![SourcedSentence {
            section: Section::Body,
            text: "The hall opened today.".into(),
            sources: vec![0],
        }],
        category: news.category,
        published_at: articles
            .first()
            .map_or(news.at, |article| article.published_at),
        updated_at: news.at,
        confidence: BriefConfidence {
            score: Score::clamped(news.confidence),
            corroboration: half,
            source_trust: half,
            agreement: half,
            freshness: Score::clamped(1.0 / 3.0),
        },
        bias: BriefBias {
            score: Score::ZERO,
            direction: BiasDirection::None,
            framing_notes: "Nothing stands out.".to_owned(),
            loaded_wording: half,
            framing: half,
            one_sidedness: half,
        },
        counter_argument: "It rests on one source.".to_owned(),
        sources: articles
            .iter()
            .map(|article| BriefSource {
                article_id: article.id,
                name: article.outlet.clone(),
                url: article.url.clone(),
                domain: article.domain.clone(),
                trust_level: TrustLevel::Medium,
                title: article.title.clone(),
                published_at: article.published_at,
                known_at: article.known_at,
                copy_of: None,
                via: None,
            })
            .collect(),
        source_count: articles.len() as u32,
        update_count: revision - 1,
        sentiment: half,
        tags: news.tags.clone(),
        entities: news.entities.clone(),
        events: news.events.clone(),
        data_points: Vec::new(),
        contradictions: news.contradictions.clone(),
        language: "en".to_owned(),
        simulated: false,
        split: model::Split::default(),
        merged: model::Merged::default(),
    }
}

/// Publishes a new story in an open transaction; returns the brief and the story.
pub(super) async fn found(transaction: &mut NewsTransaction, news: &News) -> Result<(Brief, i64)> {
    let id = BriefId(Uuid::now_v7());
    let article = news.article();
    let annotations = news.annotations();
    let new = NewArticle {
        article: &article,
        annotations: &annotations,
        brief: id,
        story: None,
        copy_of: None,
        joined: None,
        recorded_at: news.at.plus_ms(5),
    };
    let story = transaction.insert_article(new).await?;
    let number = transaction.next_public_number(&article.known_at).await?;
    let public = PublicBriefId::new(article.known_at, number);
    let brief = brief(id, public, 1, news, &[article]);
    transaction
        .insert_revision(NewRevision {
            brief: &brief,
            previous: None,
            story,
            known_from: news.at,
            recorded_at: news.at.plus_ms(5),
            kind: OutboxKind::BriefPublished,
        })
        .await?;
    Ok((brief, story))
}

/// Adds a source to a story in an open transaction; returns the new revision.
pub(super) async fn join(
    transaction: &mut NewsTransaction,
    story: i64,
    news: &News,
) -> Result<Brief> {
    let current = transaction.current_brief(story).await?.unwrap();
    let earlier = transaction.story_articles(story).await?;
    let article = news.article();
    let annotations = news.annotations();
    let new = NewArticle {
        article: &article,
        annotations: &annotations,
        brief: current.brief.id,
        story: Some(story),
        copy_of: Some(earlier[0].article.id),
        joined: None,
        recorded_at: news.at.plus_ms(5),
    };
    transaction.insert_article(new).await?;
    let mut articles: Vec<Article> = earlier.into_iter().map(|stored| stored.article).collect();
    articles.push(article);
    let next = current.brief.revision + 1;
    let brief = brief(
        current.brief.id,
        current.brief.public_id.clone(),
        next,
        news,
        &articles,
    );
    transaction
        .insert_revision(NewRevision {
            brief: &brief,
            previous: Some(crate::Replaced {
                brief: &current.brief,
                known_from: current.known_from,
                trending_at: current.trending_at,
            }),
            story,
            known_from: news.at,
            recorded_at: news.at.plus_ms(5),
            kind: OutboxKind::BriefUpdated,
        })
        .await?;
    Ok(brief)
}

/// Publishes one story in its own transaction.
pub(super) async fn publish(store: &Store, news: &News) -> (Brief, i64) {
    let mut transaction = store.news_transaction().await.unwrap();
    let outcome = found(&mut transaction, news).await.unwrap();
    transaction.commit().await.unwrap();
    outcome
}

/// Adds a source in its own transaction.
pub(super) async fn update(store: &Store, story: i64, news: &News) -> Brief {
    let mut transaction = store.news_transaction().await.unwrap();
    let brief = join(&mut transaction, story, news).await.unwrap();
    transaction.commit().await.unwrap();
    brief
}
