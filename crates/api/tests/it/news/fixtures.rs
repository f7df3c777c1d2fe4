//! A small world of news, and how it is published.

use std::collections::BTreeSet;
use std::fmt::Write;

use model::{
    Annotations, Article, ArticleId, BiasDirection, BiasReading, Brief, BriefBias, BriefConfidence,
    BriefId, BriefSource, Category, EntityKind, EntityMention, EntityRole, Features, Joined,
    KeyScope, OutboxKind, Plan, PublicBriefId, Score, Section, SourcedSentence, Timestamp,
    TrustLevel,
};
use search::{Checkpoint, RevisionDocument};
use serde_json::Value;
use store::{NewArticle, NewRevision, NewsTransaction, Replaced};
use uuid::Uuid;

use crate::support::{Reply, TestMember, TestServer};

/// Briefs of the world, newest publication first.
pub(crate) const NEWEST_FIRST: [&str; 5] = [STORM, RATES, CHIPS, VACCINE, MATCH];
/// Published in two revisions: `CHIPS_REVISED` is when the second became known.
pub(crate) const CHIPS: &str = "PR-2026-0308-001";
pub(crate) const RATES: &str = "PR-2026-0309-001";
pub(crate) const VACCINE: &str = "PR-2026-0307-001";
/// Simulated, and published in the last millisecond of its day.
pub(crate) const STORM: &str = "PR-2026-0309-002";
pub(crate) const MATCH: &str = "PR-2026-0301-001";

pub(crate) const CHIPS_REVISED: &str = "2026-03-10T09:00:00Z";
/// After the first revision of `CHIPS`, before the second and before `RATES` and `STORM`.
pub(crate) const BETWEEN: &str = "2026-03-09T12:00:00Z";
/// Before anything was known.
pub(crate) const BEFORE: &str = "2026-02-20T00:00:00Z";

pub(crate) fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn score(value: f64) -> Score {
    Score::new(value).unwrap()
}

/// Every brief says where it is from, so that one word finds them all.
pub(crate) const EVERYWHERE: &str = "harborview";

/// A first revision with one source.
pub(crate) struct BriefBuilder {
    pub(crate) brief: Brief,
}

impl BriefBuilder {
    pub(crate) fn new(number: u128, id: &str, category: Category, headline: &str) -> Self {
        let summary = "Reported from Harborview. Officials confirmed it.".to_owned();
        let sentence = |section, text: &str| SourcedSentence {
            section,
            text: text.to_owned(),
            sources: vec![0],
        };
        Self {
            brief: Brief {
                id: BriefId(Uuid::from_u128(
                    0x0195_7000_0000_7000_8000_0000_0000_0000 + number,
                )),
                public_id: PublicBriefId::parse(id).unwrap(),
                revision: 1,
                headline: headline.to_owned(),
                body: format!("{summary}\n\nMore is to follow."),
                sentences: vec![
                    sentence(Section::Headline, headline),
                    sentence(Section::Summary, "Reported from Harborview."),
                    sentence(Section::Body, "More is to follow."),
                ],
                summary,
                category,
                published_at: Timestamp::from_ms(0),
                updated_at: Timestamp::from_ms(0),
                confidence: BriefConfidence {
                    score: score(0.5),
                    corroboration: score(0.3),
                    source_trust: score(0.65),
                    agreement: score(0.8),
                    freshness: score(0.9),
                },
                bias: BriefBias {
                    score: score(0.2),
                    direction: BiasDirection::Center,
                    framing_notes: "No loaded wording was found.".to_owned(),
                    loaded_wording: score(0.1),
                    framing: score(0.25),
                    one_sidedness: score(0.4),
                },
                counter_argument: "It rests on one source.".to_owned(),
                sources: Vec::new(),
                source_count: 0,
                update_count: 0,
                sentiment: Score::NEUTRAL,
                tags: Vec::new(),
                entities: Vec::new(),
                events: Vec::new(),
                data_points: Vec::new(),
                contradictions: Vec::new(),
                language: "en".to_owned(),
                simulated: false,
                split: model::Split::default(),
                merged: model::Merged::default(),
            },
        }
    }

    /// A source that was published, and knowable, at that time.
    pub(crate) fn source(mut self, domain: &str, at: &str) -> Self {
        let at = time(at);
        let brief = &mut self.brief;
        if brief.sources.is_empty() {
            brief.published_at = at;
        }
        brief.updated_at = brief.updated_at.max(at);
        brief.sources.push(BriefSource {
            article_id: ArticleId(Uuid::new_v4()),
            name: domain.to_uppercase(),
            url: format!("https://{domain}/{}", brief.public_id),
            domain: domain.to_owned(),
            trust_level: TrustLevel::Medium,
            title: format!("{domain}: {}", brief.headline),
            published_at: at,
            known_at: at,
            copy_of: None,
            via: None,
        });
        brief.source_count += 1;
        self
    }

    pub(crate) fn confidence(mut self, value: f64) -> Self {
        self.brief.confidence.score = score(value);
        self
    }

    pub(crate) fn tags(mut self, tags: &[&str]) -> Self {
        self.brief.tags = tags.iter().map(|&tag| tag.to_owned()).collect();
        self
    }

    pub(crate) fn entity(
        mut self,
        name: &str,
        kind: EntityKind,
        ticker: Option<&str>,
        role: EntityRole,
        mentions: u32,
    ) -> Self {
        self.brief.entities.push(EntityMention {
            name: name.to_owned(),
            kind,
            ticker: ticker.map(str::to_owned),
            role,
            mentions,
            sentiment: Score::NEUTRAL,
        });
        self
    }

    pub(crate) fn simulated(mut self) -> Self {
        self.brief.simulated = true;
        self
    }

    /// The next revision of the same brief, under another headline.
    pub(crate) fn revised(mut self, headline: &str) -> Self {
        headline.clone_into(&mut self.brief.headline);
        self.brief.revision += 1;
        self.brief.update_count += 1;
        self
    }
}

/// A source as it was read.
fn article(brief: &Brief, source: &BriefSource) -> (Article, Annotations) {
    let article = Article {
        id: source.article_id,
        url: source.url.clone(),
        domain: source.domain.clone(),
        outlet: source.name.clone(),
        title: source.title.clone(),
        description: "A teaser.".to_owned(),
        body: format!("The whole text of {}.", source.domain),
        author: None,
        published_at: source.published_at,
        known_at: source.known_at,
        simulated: brief.simulated,
        via: None,
    };
    let annotations = Annotations {
        language: brief.language.clone(),
        category: brief.category,
        sentiment: brief.sentiment,
        entities: brief.entities.clone(),
        tags: brief.tags.clone(),
        bias: BiasReading::default(),
        events: Vec::new(),
        data_points: Vec::new(),
        features: Features::default(),
    };
    (article, annotations)
}

/// Publishes one revision as ingestion does: the new sources, the revision, the outbox, the index, the data revision.
pub(crate) async fn publish(server: &TestServer, brief: &Brief) {
    publish_written(server, brief, |_, _| {}).await;
}

/// The same, each article changed before it is stored.
pub(crate) async fn publish_written(
    server: &TestServer,
    brief: &Brief,
    write: impl FnMut(&mut Article, &mut Annotations),
) {
    store_written(server, brief, write).await;
    index(server).await;
}

/// Makes a brief part of another one, from a time on.
pub(crate) async fn merge(server: &TestServer, gone: &str, into: &str, at: Timestamp) {
    let store = &server.state.store;
    let goes = store.briefs().find(gone, None).await.unwrap().unwrap();
    let moved = store.briefs().articles_of(goes.brief.id, None).await;
    let moved = moved.unwrap();
    let into = store.briefs().find(into, None).await.unwrap().unwrap();
    let story = store.briefs().articles_of(into.brief.id, None).await;
    let story = story.unwrap()[0].story;
    let mut stays = BriefBuilder {
        brief: (*into.brief).clone(),
    }
    .revised(&into.brief.headline)
    .brief;
    stays.sources.extend(goes.brief.sources.iter().cloned());
    stays.merged.from.push(goes.brief.public_id.clone());
    let mut ended = (*goes.brief).clone();
    ended.revision += 1;
    ended.merged.into = Some(stays.public_id.clone());
    let now = server.state.clock.now();
    let mut transaction = store.news_transaction().await.unwrap();
    let replaced = Replaced {
        brief: &goes.brief,
        known_from: goes.known_from,
        trending_at: goes.trending_at,
    };
    transaction
        .end_brief(&ended, replaced, (stays.id, at), now)
        .await
        .unwrap();
    let kind = OutboxKind::BriefMerged;
    insert(&mut transaction, &stays, story, (at, now), kind).await;
    let places = (moved[0].story, story, stays.id);
    transaction
        .move_articles(&[moved[0].seq], places, moved[0].seq + 100, at)
        .await
        .unwrap();
    commit(server, transaction).await;
}

/// Divides a brief of two sources: the second one goes into `part` from a time on.
pub(crate) async fn divide(server: &TestServer, of: &str, mut part: Brief, at: Timestamp) {
    let store = &server.state.store;
    let found = store.briefs().find(of, None).await.unwrap().unwrap();
    let articles = store.briefs().articles_of(found.brief.id, None).await;
    let articles = articles.unwrap();
    let mut stays = BriefBuilder {
        brief: (*found.brief).clone(),
    }
    .revised(&found.brief.headline)
    .brief;
    part.sources.push(stays.sources.pop().unwrap());
    part.entities.clone_from(&stays.entities);
    stays.split.into.push(part.public_id.clone());
    part.split.from = Some(stays.public_id.clone());
    let (story, number) = (articles[0].story, articles[1].seq);
    let now = server.state.clock.now();
    let mut transaction = store.news_transaction().await.unwrap();
    let kind = OutboxKind::BriefSplit;
    let left_at = insert(&mut transaction, &stays, story, (at, now), kind).await;
    let kind = OutboxKind::BriefPublished;
    insert(&mut transaction, &part, -number, (left_at, now), kind).await;
    transaction
        .move_articles(&[number], (story, -number, part.id), number, left_at)
        .await
        .unwrap();
    commit(server, transaction).await;
}

/// Inserts a revision, and says from when on it is known.
async fn insert(
    transaction: &mut NewsTransaction,
    brief: &Brief,
    story: i64,
    (known_from, recorded_at): (Timestamp, Timestamp),
    kind: OutboxKind,
) -> Timestamp {
    let revision = NewRevision {
        brief,
        previous: None,
        story,
        known_from,
        recorded_at,
        kind,
    };
    transaction.insert_revision(revision).await.unwrap()
}

/// Commits what was written, and shows it.
async fn commit(server: &TestServer, transaction: NewsTransaction) {
    transaction.commit().await.unwrap();
    let store = &server.state.store;
    store.outbox().sequence().await.unwrap();
    index(server).await;
    server
        .state
        .set_revision(store.outbox().head().await.unwrap());
}

/// Publishes one revision, which search does not see yet.
pub(crate) async fn publish_unindexed(server: &TestServer, brief: &Brief) {
    store_written(server, brief, |_, _| {}).await;
}

async fn store_written(
    server: &TestServer,
    brief: &Brief,
    mut write: impl FnMut(&mut Article, &mut Annotations),
) {
    let store = &server.state.store;
    let known = store.briefs().articles_of(brief.id, None).await.unwrap();
    let mut story = known.first().map(|stored| stored.story);
    let mut transaction = store.news_transaction().await.unwrap();
    for source in &brief.sources[known.len()..] {
        let (mut article, mut annotations) = article(brief, source);
        write(&mut article, &mut annotations);
        let joined = story.map(|_| Joined {
            alike: brief.sources[0].article_id,
            probability: 0.83,
            score: 0.5,
            threshold: 0.12,
            measured: vec![0.5; 25],
        });
        let seq = transaction
            .insert_article(NewArticle {
                article: &article,
                annotations: &annotations,
                brief: brief.id,
                story,
                copy_of: None,
                joined: joined.as_ref(),
                recorded_at: server.state.clock.now(),
            })
            .await
            .unwrap();
        story.get_or_insert(seq);
    }
    let kind = match brief.revision {
        1 => OutboxKind::BriefPublished,
        _ => OutboxKind::BriefUpdated,
    };
    transaction
        .insert_revision(NewRevision {
            brief,
            previous: None,
            story: story.unwrap(),
            known_from: brief.updated_at,
            recorded_at: server.state.clock.now(),
            kind,
        })
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    store.outbox().sequence().await.unwrap();
    server
        .state
        .set_revision(store.outbox().head().await.unwrap());
}

/// Brings the index up to the outbox: each revision named there, and the one before, whose validity it ended.
pub(crate) async fn index(server: &TestServer) {
    let index = &server.state.index;
    let store = &server.state.store;
    let events = store.outbox().after(index.position(), 1_000).await.unwrap();
    let named: BTreeSet<_> = events
        .iter()
        .flat_map(|event| {
            [
                (event.brief_id, event.revision),
                (event.brief_id, event.revision - 1),
            ]
        })
        .filter(|(_, revision)| *revision > 0)
        .collect();
    let named: Vec<_> = named.into_iter().collect();
    let mut writer = index.writer().unwrap();
    for stored in store.briefs().load(&named).await.unwrap() {
        writer
            .put(&RevisionDocument {
                brief: &stored.brief,
                known_from: stored.known_from,
                known_to: stored.known_to,
            })
            .unwrap();
    }
    let mark = store.outbox().newest().await.unwrap();
    writer
        .commit(&Checkpoint {
            store: store.id(),
            position: mark.position,
            fingerprint: mark.fingerprint,
            pruned: store.prune().times().await.unwrap(),
        })
        .unwrap();
}

/// A server with five briefs in six revisions, and a key without limits.
pub(crate) async fn world() -> (TestServer, TestMember) {
    let server = TestServer::start().await;
    let member = server.unlimited().await;
    publish_world(&server).await;
    (server, member)
}

async fn publish_world(server: &TestServer) {
    use EntityKind::{Location, Organization, Person};
    use EntityRole::{Mentioned, Related, Subject};

    let game = BriefBuilder::new(1, MATCH, Category::Sports, "Rovers win the cup")
        .source("tribune.example", "2026-03-01T18:00:00Z")
        .confidence(0.3)
        .tags(&["football"])
        .entity("Harborview", Location, None, Mentioned, 1);
    publish(server, &game.brief).await;

    let vaccine = BriefBuilder::new(2, VACCINE, Category::Health, "A vaccine trial succeeds")
        .source("courier.example", "2026-03-07T00:00:00Z")
        .source("ledger.example", "2026-03-07T00:10:00Z")
        .source("tribune.example", "2026-03-07T00:20:00Z")
        .confidence(0.95)
        .tags(&["vaccine", "trial"])
        .entity("Maren Oduya", Person, None, Subject, 2);
    publish(server, &vaccine.brief).await;

    let chips = BriefBuilder::new(3, CHIPS, Category::Tech, "Nimbus opens a chip plant")
        .source("courier.example", "2026-03-08T09:00:00Z")
        .confidence(0.6)
        .tags(&["chips"])
        .entity("Nimbus Systems", Organization, Some("NMBS"), Subject, 3);
    publish(server, &chips.brief).await;

    let rates = BriefBuilder::new(4, RATES, Category::Economy, "The central bank holds rates")
        .source("ledger.example", "2026-03-09T15:00:00Z")
        .confidence(0.8)
        .tags(&["rates", "trial"])
        .entity("Harbor Bank", Organization, None, Subject, 4)
        .entity("Nimbus Systems", Organization, Some("NMBS"), Related, 1);
    publish(server, &rates.brief).await;

    let storm = BriefBuilder::new(5, STORM, Category::Climate, "A storm nears the coast")
        .source("weather.example", "2026-03-09T23:59:59.999Z")
        .confidence(0.7)
        .tags(&["storm"])
        .simulated();
    publish(server, &storm.brief).await;

    let chips = chips
        .revised("Nimbus opens a <b>second</b> chip plant & hires")
        .source("ledger.example", CHIPS_REVISED);
    publish(server, &chips.brief).await;
}

/// One more brief, published after the rest.
pub(crate) fn late() -> BriefBuilder {
    BriefBuilder::new(6, "PR-2026-0310-001", Category::Energy, "A grid is mended")
        .source("courier.example", "2026-03-10T11:00:00Z")
}

/// A key that sees only these categories.
pub(crate) async fn narrow(server: &TestServer, categories: &[Category]) -> TestMember {
    let scope = KeyScope {
        allowed_categories: categories.to_vec(),
        ..KeyScope::default()
    };
    server.member(Plan::Unlimited, scope).await
}

/// Asks, and expects an answer that costs a credit.
pub(crate) async fn read(server: &TestServer, member: &TestMember, path: &str) -> Value {
    let reply = ask(server, member, path).await;
    assert_eq!(reply.status.as_u16(), 200, "{path}: {}", reply.text());
    assert_eq!(reply.charged(), 1, "{path}");
    let body = reply.json();
    assert_eq!(body["status"], "ok", "{path}");
    body
}

pub(crate) async fn ask(server: &TestServer, member: &TestMember, path: &str) -> Reply {
    server
        .get(&format!("/api/v1{path}"))
        .bearer(&member.key)
        .send()
        .await
}

/// Expects each of these to be refused with a message that names the parameter; none of it costs anything.
pub(crate) async fn refuses(server: &TestServer, member: &TestMember, asked: &[(&str, &str)]) {
    for (path, named) in asked {
        let body = ask(server, member, path)
            .await
            .expect_error(400, "invalid_request");
        let message = body["message"].as_str().unwrap();
        assert!(message.contains(named), "{path}: {message}");
    }
}

/// The names of an object's fields, sorted.
pub(crate) fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<_> = value
        .as_object()
        .unwrap_or_else(|| panic!("no object: {value}"))
        .keys()
        .map(String::as_str)
        .collect();
    // Whole answers of the simulated world say so; which rows do is for their tests to say.
    if keys.contains(&"status") {
        keys.retain(|key| *key != "simulated");
    }
    keys.sort_unstable();
    keys
}

/// The ids of the listed briefs, in their order.
pub(crate) fn ids(body: &Value) -> Vec<&str> {
    body["briefs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|brief| brief["id"].as_str().unwrap())
        .collect()
}

/// The fields of a brief in every list, and then those.
pub(crate) fn brief_keys(further: &[&'static str]) -> Vec<&'static str> {
    let mut keys = vec![
        "id",
        "headline",
        "summary",
        "body",
        "category",
        "published_at",
        "updated_at",
        "confidence_score",
        "confidence",
        "bias_score",
        "sources",
        "source_count",
        "update_count",
        "sentiment",
        "tags",
        "entities",
        "entities_enriched",
        "language",
        "trending",
        "provenance",
    ];
    keys.extend(further);
    keys.sort_unstable();
    keys
}

/// A path with a value in its query, as it has to be written there.
pub(crate) fn with(path: &str, name: &str, value: &str) -> String {
    let mut text = format!(
        "{path}{}{name}=",
        if path.contains('?') { '&' } else { '?' }
    );
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            write!(text, "%{byte:02X}").unwrap();
        }
    }
    text
}
