//! `/search/suggest`: suggestions while a reader types a query.

use std::collections::HashMap;

use model::Category;
use search::{CompletionRequest, fold_text};
use serde::Serialize;
use store::Facet;
use utoipa::ToSchema;

use crate::as_of::AsOf;
use crate::caller::Caller;
use crate::error::{Error, Result};
use crate::services::Services;
use crate::suggestions::{Name, NameKind, Names, Place};
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// Number of names that are considered. Some may be hidden from a restricted key or unknown in the past.
const LOOKED_AT: usize = 40;
/// Minimum number of places for headlines, if there are any and there is room.
const HEADLINES: usize = 2;

/// Parameters of `/search/suggest`.
pub(crate) struct SuggestQuery {
    q: String,
    limit: u64,
}

impl Parameters for SuggestQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            q: arguments.required_text("q", 1..=100, "The text typed so far"),
            limit: arguments.integer("limit", 1..=20, 8, "Suggestions"),
        }
    }
}

/// Suggestions for what was typed.
#[derive(Serialize, ToSchema)]
pub(crate) struct SuggestBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The text typed so far.
    query: String,
    /// The suggestions.
    suggestions: Vec<SuggestionBody>,
}

/// One suggestion.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SuggestionBody {
    /// The name, tag or headline as written, or the slug of a category.
    text: String,
    /// `entity`, `tag`, `category` or `headline`.
    kind: &'static str,
    /// Type of an entity: `person`, `organization`, `location`, `product` or `event`.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    entity_type: Option<&'static str>,
    /// Exchange symbol of an entity.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    ticker: Option<String>,
    /// Number of briefs with this entity or tag.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    brief_count: Option<u64>,
    /// Id of the brief, for a headline.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    brief_id: Option<String>,
}

impl SuggestionBody {
    fn new(text: String, kind: &'static str) -> Self {
        Self {
            text,
            kind,
            entity_type: None,
            ticker: None,
            brief_count: None,
            brief_id: None,
        }
    }

    fn of_name(name: &Name, briefs: u64) -> Self {
        let text = name.text.clone();
        let suggestion = match &name.kind {
            NameKind::Entity { kind, ticker } => Self {
                entity_type: Some(kind.as_str()),
                ticker: ticker.clone(),
                ..Self::new(text, "entity")
            },
            NameKind::Tag => Self::new(text, "tag"),
        };
        Self {
            brief_count: Some(briefs),
            ..suggestion
        }
    }
}

/// `GET /search/suggest`.
pub(crate) struct Suggest;

impl Operation for Suggest {
    type Input = SuggestQuery;
    type Output = SuggestBody;

    const ABOUT: About = About {
        name: "suggest_searches",
        address: Address::get("/api/v1/search/suggest"),
        subject: "news",
        summary: "Completes a query as it is typed.",
        description: "Suggests entities by name or ticker, tags, categories, and recent headlines that contain every word; the last word may be incomplete. Case and accents do not matter. An exact ticker comes first, then names that start with the text, then names in which a later word starts with it, each ordered by number of briefs; headlines come last, with up to two places reserved for them. Entities and tags first seen within the last minute may be missing.",
        answer: "Suggestions, most likely first",
        example: r#"{"q": "fed"}"#,
        ..About::READS
    };

    async fn variant(context: &Context, _: &SuggestQuery) -> Result<Option<String>> {
        // The names are read again a while after the data moved.
        let known = context
            .suggestions
            .names(&context.store, context.revision())
            .await?;
        Ok(Some(format!("{} {}", context.process(), known.label())))
    }

    async fn run(context: Context, asked: SuggestQuery) -> Result<SuggestBody> {
        let categories = context.categories(None)?;
        let known = context
            .suggestions
            .names(&context.services.store, context.revision())
            .await?;
        let limit = asked.limit as usize;
        let headlines = headlines(
            &context.services,
            &asked.q,
            &categories,
            context.as_of,
            limit,
        )
        .await?;
        let kept = if limit >= 2 * HEADLINES {
            headlines.len().min(HEADLINES)
        } else {
            0
        };
        let mut suggestions = names(
            &context.services,
            &known,
            &context.caller,
            &asked.q,
            &categories,
            context.as_of,
        )
        .await?;
        suggestions.truncate(limit - kept);
        // Outlets write one headline in different capitals.
        for headline in headlines {
            let folded = fold_text(&headline.text);
            if !suggestions.iter().any(|one| fold_text(&one.text) == folded) {
                suggestions.push(headline);
            }
        }
        suggestions.truncate(limit);
        Ok(SuggestBody {
            status: "ok",
            query: asked.q,
            suggestions,
        })
    }
}

/// Entities, tags and categories, most likely first.
async fn names(
    services: &Services,
    known: &Names,
    caller: &Caller,
    typed: &str,
    categories: &[Category],
    as_of: AsOf,
) -> Result<Vec<SuggestionBody>> {
    let folded = fold_text(typed).replace(char::is_control, " ");
    if folded.is_empty() {
        return Ok(Vec::new());
    }
    let found = known.find(&folded, LOOKED_AT);
    let counted = if categories.is_empty() && as_of.0.is_none() {
        None
    } else {
        Some(Visible::of(services, &found, categories, as_of).await?)
    };
    let mut ranked: Vec<(Place, u64, SuggestionBody)> = Vec::new();
    for (place, name) in found {
        let briefs = counted
            .as_ref()
            .map_or(name.briefs, |counted| counted.briefs(name));
        // An entity and a tag of the same name are one suggestion; entities say more.
        let is_told = |(_, _, other): &(Place, u64, SuggestionBody)| {
            name.kind == NameKind::Tag && fold_text(&other.text) == fold_text(&name.text)
        };
        if briefs > 0 && !ranked.iter().any(is_told) {
            ranked.push((place, briefs, SuggestionBody::of_name(name, briefs)));
        }
    }
    // Counts of a narrow key or the past may put them in another order.
    ranked.sort_by_key(|(place, briefs, _)| (*place, std::cmp::Reverse(*briefs)));
    let (tickers, others): (Vec<_>, Vec<_>) = ranked
        .into_iter()
        .partition(|(place, _, _)| *place == Place::Ticker);
    let slugs = Category::ALL
        .into_iter()
        .filter(|category| caller.sees(*category) && begins(category.as_str(), &folded))
        .map(|category| SuggestionBody::new(category.as_str().to_owned(), "category"));
    let tickers = tickers.into_iter().map(|(_, _, suggestion)| suggestion);
    let others = others.into_iter().map(|(_, _, suggestion)| suggestion);
    Ok(tickers.chain(slugs).chain(others).collect())
}

/// Whether a slug begins with this text. Its underscore may also be typed as a space or hyphen.
fn begins(slug: &str, folded: &str) -> bool {
    slug.starts_with(folded) || slug.starts_with(folded.replace([' ', '-'], "_").as_str())
}

/// For each name, the number of briefs that a key may see, or that were known at the as-of time.
struct Visible {
    entities: HashMap<String, u64>,
    tags: HashMap<String, u64>,
}

impl Visible {
    async fn of<'a>(
        services: &Services,
        found: &[(Place, &'a Name)],
        categories: &[Category],
        as_of: AsOf,
    ) -> Result<Self> {
        let (tags, entities): (Vec<_>, Vec<_>) = found
            .iter()
            .map(|(_, name)| *name)
            .partition(|name| name.kind == NameKind::Tag);
        let rows = services.store.entities();
        let texts = |names: Vec<&'a Name>| -> Vec<&'a str> {
            names.into_iter().map(|name| name.text.as_str()).collect()
        };
        let (entities, tags) = (texts(entities), texts(tags));
        Ok(Self {
            entities: rows
                .brief_counts(Facet::Entity, &entities, categories, as_of.0)
                .await?,
            tags: rows
                .brief_counts(Facet::Tag, &tags, categories, as_of.0)
                .await?,
        })
    }

    fn briefs(&self, name: &Name) -> u64 {
        let counts = match name.kind {
            NameKind::Entity { .. } => &self.entities,
            NameKind::Tag => &self.tags,
        };
        counts
            .get(&name.text.trim().to_lowercase())
            .copied()
            .unwrap_or(0)
    }
}

/// The newest headlines that contain the words.
async fn headlines(
    services: &Services,
    typed: &str,
    categories: &[Category],
    as_of: AsOf,
    limit: usize,
) -> Result<Vec<SuggestionBody>> {
    let request = CompletionRequest {
        text: typed.to_owned(),
        categories: categories.to_vec(),
        as_of: as_of.0,
        limit,
    };
    let index = services.index.clone();
    let found = analysis::light(move || index.complete(&request))
        .await?
        .map_err(Error::internal)?;
    let named: Vec<_> = found
        .iter()
        .map(|completion| (completion.brief_id, completion.revision))
        .collect();
    let stored = services.store.briefs().load(&named).await?;
    Ok(stored
        .iter()
        .map(|stored| SuggestionBody {
            brief_id: Some(stored.brief.public_id.to_string()),
            ..SuggestionBody::new(stored.brief.headline.clone(), "headline")
        })
        .collect())
}
