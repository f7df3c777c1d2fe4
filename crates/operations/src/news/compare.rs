//! `/compare/sources`: how outlets cover one story or topic.

use std::cmp::Reverse;
use std::collections::HashMap;

use model::{Timestamp, TrustLevel};
use search::{Depth, Filters, SearchRequest, Sort};
use serde::Serialize;
use store::{StoredArticle, StoredBrief};
use text::coverage::{self, Agreement, Contrast, Coverage, OutletCoverage, Report};
use utoipa::ToSchema;

use crate::as_of::AsOf;
use crate::error::{Error, Result};
use crate::news::brief::find;
use crate::news::feed::newest;
use crate::services::Services;
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// Maximum number of stories read for a topic.
const MOST_STORIES: usize = 20;
/// Maximum number of articles read, newest of each story first.
const MOST_ARTICLES: usize = 150;
/// Maximum number of headlines shown per outlet.
const MOST_HEADLINES: usize = 5;

/// How far back a topic is searched.
#[derive(Clone, Copy, PartialEq)]
struct Period {
    word: &'static str,
    days: i64,
}

const PERIODS: [Period; 3] = [
    Period {
        word: "7d",
        days: 7,
    },
    Period {
        word: "30d",
        days: 30,
    },
    Period {
        word: "90d",
        days: 90,
    },
];

/// Parameters of `/compare/sources`.
pub(crate) struct CompareQuery {
    brief: Option<String>,
    topic: Option<String>,
    period: Period,
    limit: u64,
}

impl Parameters for CompareQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        let query = Self {
            brief: arguments.text(
                "brief",
                1..=60,
                "Id of a brief, in either form; either this or `topic`",
            ),
            topic: arguments.text(
                "topic",
                2..=200,
                "Words as in `/search`; either this or `brief`",
            ),
            period: arguments.word_or(
                "period",
                &PERIODS.map(|period| (period.word, period)),
                PERIODS[1],
                "For a topic: period that ends now or at `as_of`",
            ),
            limit: arguments.integer("limit", 1..=50, 20, "Outlets"),
        };
        if arguments.is_given("brief") == arguments.is_given("topic") {
            arguments.fault("give either brief or topic, and not both");
        }
        query
    }
}

/// How outlets cover a story or topic.
#[derive(Serialize, ToSchema)]
pub(crate) struct CompareBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The requested brief.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    brief_id: Option<String>,
    /// The requested topic.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    topic: Option<String>,
    /// The outlets: those with the most articles first, then by their first publication.
    outlets: Vec<ComparedOutletBody>,
    /// How far the outlets agree.
    agreement: AgreementBody,
    /// How the outlets differ, figures first.
    differences: Vec<DifferenceBody>,
    /// Totals for this response.
    meta: CompareMeta,
}

/// How one outlet covers the story or topic.
#[derive(Serialize, ToSchema)]
pub(crate) struct ComparedOutletBody {
    /// Name of the outlet.
    name: String,
    /// Registrable domain.
    domain: String,
    /// `high`, `medium`, `low` or `unknown`, from the editable source table.
    trust_level: &'static str,
    /// Number of its articles about it.
    articles: usize,
    /// Whether all of its articles repeat those of others almost word for word.
    syndicated: bool,
    /// When its first article was published.
    first_published_at: String,
    /// Mean sentiment of its own articles, from 0 to 1; 0.5 is neutral.
    tone: f64,
    /// Mean bias of its own articles, from 0 to 1, by the formula for the `bias_score` of briefs.
    bias_score: f64,
    /// `left`, `right`, `center`, `sensational`, `promotional` or `none`.
    bias_direction: &'static str,
    /// Loaded words in its articles, those found in the most articles first; at most ten.
    loaded_words: Vec<String>,
    /// Its headlines in order of publication; at most five.
    headlines: Vec<ComparedHeadlineBody>,
    /// What only this outlet reports.
    only_here: OnlyHereBody,
}

/// A headline.
#[derive(Serialize, ToSchema)]
pub(crate) struct ComparedHeadlineBody {
    /// Headline of the article.
    title: String,
    /// URL of the article.
    url: String,
    /// When the article was published.
    published_at: String,
}

/// What no other outlet of the same story says. Empty for copies, and if nobody else covers the story.
#[derive(Serialize, ToSchema)]
pub(crate) struct OnlyHereBody {
    /// Sentences that share less than 40 % of their words with any sentence of another outlet; at most three. Those
    /// with figures come first.
    sentences: Vec<OnlySentenceBody>,
    /// Figures that no other outlet gives; at most five.
    figures: Vec<OnlyFigureBody>,
}

/// A sentence as it appears in an article.
#[derive(Serialize, ToSchema)]
pub(crate) struct OnlySentenceBody {
    /// The sentence.
    text: String,
    /// URL of the article.
    url: String,
}

/// A figure as it appears in an article.
#[derive(Serialize, ToSchema)]
pub(crate) struct OnlyFigureBody {
    /// What the figure measures, such as `killed` or `revenue`; `money` or `percent` if the article does not say.
    measure: String,
    /// The entity that the figure is about, or null.
    #[schema(required)]
    entity: Option<String>,
    /// The figure as printed.
    value: String,
    /// The clause or sentence that contains it.
    context: String,
    /// URL of the article.
    url: String,
}

/// What outlets have in common.
#[derive(Serialize, ToSchema)]
pub(crate) struct AgreementBody {
    /// `figures_agreeing` divided by `figures_compared`, from 0 to 1. Null if no two outlets give a figure for the same
    /// thing.
    #[schema(required)]
    score: Option<f64>,
    /// Pairs of outlets covering the same story that give a figure for the same thing.
    figures_compared: usize,
    /// Pairs that give the same figure, up to rounding.
    figures_agreeing: usize,
    /// Names mentioned by more than half of the outlets, and by at least two; at most ten.
    shared_entities: Vec<String>,
    /// Figures given by at least two outlets of the same story; at most ten.
    shared_figures: Vec<String>,
}

impl From<Agreement> for AgreementBody {
    fn from(agreement: Agreement) -> Self {
        Self {
            score: agreement.score().map(f64::from),
            figures_compared: agreement.figures_compared,
            figures_agreeing: agreement.figures_agreeing,
            shared_entities: agreement.shared_entities,
            shared_figures: agreement.shared_figures,
        }
    }
}

/// One difference between outlets.
#[derive(Serialize, ToSchema)]
pub(crate) struct DifferenceBody {
    /// `figure`, `tone`, `direction`, `wording` or `omission`.
    kind: &'static str,
    /// The difference in a sentence.
    statement: String,
    /// Domains of the outlets concerned.
    outlets: Vec<String>,
}

impl From<Contrast> for DifferenceBody {
    fn from(contrast: Contrast) -> Self {
        Self {
            kind: contrast.kind.as_str(),
            statement: contrast.statement,
            outlets: contrast.domains,
        }
    }
}

/// What was compared.
#[derive(Serialize, ToSchema)]
pub(crate) struct CompareMeta {
    /// Number of outlets that report it, including those beyond `limit`.
    outlets: usize,
    /// Number of articles read; at most 150.
    articles: usize,
    /// Number of briefs that they belong to.
    briefs: usize,
    /// How far back the topic was searched. Absent with `brief`, which always uses the whole story.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    period: Option<&'static str>,
    /// When the newest available brief was published. Present only if nothing matches.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    newest_available: Option<String>,
}

/// `GET /compare/sources`.
pub(crate) struct CompareSources;

impl Operation for CompareSources {
    type Input = CompareQuery;
    type Output = CompareBody;

    const ABOUT: About = About {
        name: "compare_sources",
        address: Address::get("/api/v1/compare/sources"),
        subject: "news",
        summary: "Compares how outlets cover a story or a topic.",
        description: "Shows the sentiment, framing and loaded words of each outlet, what only that outlet reports, and which figures agree or differ. Everything comes from stored articles; exclusive claims and differing figures are compared within one story. A topic draws on the 20 best-matching briefs in the period.",
        answer: "The coverage of each outlet",
        missing: Some("No brief with this id existed at that time, or this key may not see it"),
        example: r#"{"topic": "interest rates"}"#,
        ..About::READS
    };

    async fn run(context: Context, asked: CompareQuery) -> Result<CompareBody> {
        let categories = context.categories(None)?;
        let briefs = match (&asked.brief, &asked.topic) {
            (Some(id), _) => {
                vec![find(&context.services, &context.caller, id, context.as_of).await?]
            }
            (None, topic) => {
                let request = SearchRequest {
                    query: topic.clone().unwrap_or_default(),
                    depth: Depth::Fast,
                    sort: Sort::Relevance,
                    filters: Filters {
                        categories: categories.clone(),
                        from: Some(
                            context
                                .as_of
                                .end(&context.services)
                                .plus_ms(-asked.period.days * Timestamp::DAY_MS),
                        ),
                        ..Filters::default()
                    },
                    offset: 0,
                    limit: MOST_STORIES,
                    as_of: context.as_of.0,
                };
                matching(&context.services, request).await?
            }
        };
        let articles = articles(&context.services, &briefs, context.as_of).await?;
        let newest_available = if articles.is_empty() {
            newest(&context.services, categories, context.as_of).await?
        } else {
            None
        };
        let brief_id = asked
            .brief
            .as_ref()
            .and_then(|_| briefs.first())
            .map(|stored| stored.brief.public_id.to_string());
        let meta = CompareMeta {
            outlets: 0,
            articles: articles.len(),
            briefs: briefs.len(),
            period: asked.topic.is_some().then_some(asked.period.word),
            newest_available,
        };
        let limit = asked.limit as usize;
        let mut body = analysis::light(move || compared(&briefs, &articles, limit, meta)).await?;
        body.brief_id = brief_id;
        body.topic = asked.topic;
        Ok(body)
    }
}

/// The briefs that best match a topic.
async fn matching(services: &Services, request: SearchRequest) -> Result<Vec<StoredBrief>> {
    let index = services.index.clone();
    let found = analysis::light(move || index.search(&request))
        .await?
        .map_err(Error::internal)?;
    let named: Vec<_> = found
        .hits
        .iter()
        .map(|hit| (hit.brief_id, hit.revision))
        .collect();
    Ok(services.store.briefs().load(&named).await?)
}

/// The articles of these briefs: at most an equal share of each, newest first.
async fn articles(
    services: &Services,
    briefs: &[StoredBrief],
    as_of: AsOf,
) -> Result<Vec<StoredArticle>> {
    let share = MOST_ARTICLES / briefs.len().max(1);
    let mut articles = Vec::new();
    for stored in briefs {
        let mut own = services
            .store
            .briefs()
            .articles_of(stored.brief.id, as_of.0)
            .await?;
        articles.extend(own.drain(own.len().saturating_sub(share)..));
    }
    Ok(articles)
}

fn compared(
    briefs: &[StoredBrief],
    articles: &[StoredArticle],
    limit: usize,
    meta: CompareMeta,
) -> CompareBody {
    let trust: HashMap<&str, TrustLevel> = briefs
        .iter()
        .flat_map(|stored| &stored.brief.sources)
        .map(|source| (source.domain.as_str(), source.trust_level))
        .collect();
    let reports: Vec<Report<'_>> = articles
        .iter()
        .map(|stored| Report {
            article: &stored.article,
            annotations: &stored.annotations,
            trust: trust
                .get(stored.article.domain.as_str())
                .copied()
                .unwrap_or(TrustLevel::Unknown),
            story: stored.story,
            is_copy: stored.copy_of.is_some(),
        })
        .collect();
    let Coverage {
        mut outlets,
        agreement,
        differences,
    } = coverage::compare(&reports);
    let all = outlets.len();
    // The sort is stable: equals stay in the order of their first publication.
    outlets.sort_by_key(|outlet| Reverse(outlet.reports.len()));
    outlets.truncate(limit);
    CompareBody {
        status: "ok",
        brief_id: None,
        topic: None,
        outlets: outlets
            .into_iter()
            .map(|outlet| outlet_body(outlet, articles))
            .collect(),
        agreement: agreement.into(),
        differences: differences.into_iter().map(DifferenceBody::from).collect(),
        meta: CompareMeta {
            outlets: all,
            ..meta
        },
    }
}

fn outlet_body(outlet: OutletCoverage, articles: &[StoredArticle]) -> ComparedOutletBody {
    let url = |report: usize| {
        articles
            .get(report)
            .map(|stored| stored.article.link().to_owned())
            .unwrap_or_default()
    };
    ComparedOutletBody {
        articles: outlet.reports.len(),
        headlines: outlet
            .reports
            .iter()
            .filter_map(|report| articles.get(*report))
            .take(MOST_HEADLINES)
            .map(|stored| ComparedHeadlineBody {
                title: stored.article.title.clone(),
                url: stored.article.link().to_owned(),
                published_at: stored.article.published_at.to_string(),
            })
            .collect(),
        only_here: OnlyHereBody {
            sentences: outlet
                .only_sentences
                .into_iter()
                .map(|said| OnlySentenceBody {
                    url: url(said.report),
                    text: said.text,
                })
                .collect(),
            figures: outlet
                .only_figures
                .into_iter()
                .map(|told| OnlyFigureBody {
                    url: url(told.report),
                    measure: told.measure,
                    entity: told.entity,
                    value: told.printed,
                    context: told.context,
                })
                .collect(),
        },
        name: outlet.name,
        domain: outlet.domain,
        trust_level: outlet.trust.as_str(),
        syndicated: outlet.is_syndicated,
        first_published_at: outlet.first_published_at.to_string(),
        tone: outlet.sentiment.get(),
        bias_score: outlet.bias_score.get(),
        bias_direction: outlet.direction.as_str(),
        loaded_words: outlet.loaded_words,
    }
}
