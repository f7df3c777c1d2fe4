//! `/brief/{id}/diff`: what changed from one revision of a brief to another.

use model::{Brief, SourcedSentence};
use serde::Serialize;
use store::StoredBrief;
use text::diff::{self, Added, FigureChange};
use utoipa::ToSchema;

use crate::error::{Error, Result};
use crate::news::brief::ID;
use crate::news::brief::find;
use crate::news::brief_body::SourceBody;
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// The highest revision that can be requested.
const MOST_REVISIONS: u64 = 1_000_000;

/// Parameters of `/brief/{id}/diff`.
pub(crate) struct DiffQuery {
    id: String,
    from: Option<u64>,
    to: Option<u64>,
}

impl Parameters for DiffQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            id: arguments.path("id", ID),
            from: arguments.optional_integer(
                "from",
                1..=MOST_REVISIONS,
                "Revision to start from; by default the one before `to`. It must exist",
            ),
            to: arguments.optional_integer(
                "to",
                1..=MOST_REVISIONS,
                "Revision to compare it with; by default the current one. It must exist",
            ),
        }
    }
}

/// What changed.
#[derive(Serialize, ToSchema)]
pub(crate) struct DiffBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Readable id of the brief.
    brief_id: String,
    /// Number of the revision that the comparison starts from.
    from: u32,
    /// When it could first be known.
    from_at: String,
    /// Number of the revision that it is compared with.
    to: u32,
    /// When that revision could first be known.
    to_at: String,
    /// Headline of the brief.
    headline: TextChangeBody,
    /// Summary.
    summary: TextChangeBody,
    /// Category slug.
    category: TextChangeBody,
    /// Sentences that were removed, added and kept.
    sentences: SentenceChangesBody,
    /// Sources that only `to` has.
    sources_added: Vec<SourceBody>,
    /// Sources that only `from` has.
    sources_removed: Vec<SourceBody>,
    /// `confidence_score` in both revisions.
    confidence: NumberChangeBody,
    /// `bias_score` in both revisions.
    bias: NumberChangeBody,
    /// Figures that were added, removed or changed.
    figures_changed: Vec<FigureChangeBody>,
}

/// A text before and after.
#[derive(Serialize, ToSchema)]
pub(crate) struct TextChangeBody {
    /// Text before.
    before: String,
    /// Text after.
    after: String,
    /// Whether the two differ.
    changed: bool,
}

impl TextChangeBody {
    fn new(before: &str, after: &str) -> Self {
        Self {
            changed: before != after,
            before: before.to_owned(),
            after: after.to_owned(),
        }
    }
}

/// A number before and after.
#[derive(Serialize, ToSchema)]
pub(crate) struct NumberChangeBody {
    /// Number before.
    before: f64,
    /// Number after.
    after: f64,
}

/// The sentences of summary and body. A sentence that only moved, or only differs in spacing, counts as kept.
#[derive(Serialize, ToSchema)]
pub(crate) struct SentenceChangesBody {
    /// Sentences that only `to` has, in its order.
    added: Vec<AddedSentenceBody>,
    /// Sentences that only `from` has, in its order.
    removed: Vec<DiffSentenceBody>,
    /// Number of sentences that both have.
    kept: usize,
}

/// A sentence and the sources that support it.
#[derive(Serialize, ToSchema)]
pub(crate) struct DiffSentenceBody {
    /// The sentence.
    text: String,
    /// `summary` or `body`.
    section: &'static str,
    /// The sources that support it.
    sources: Vec<NamedSourceBody>,
}

/// A new sentence.
#[derive(Serialize, ToSchema)]
pub(crate) struct AddedSentenceBody {
    #[serde(flatten)]
    sentence: DiffSentenceBody,
    /// The removed sentence that this one rewords, if the two share at least half of all their words; otherwise null.
    #[schema(required)]
    replaces: Option<String>,
}

/// A source by name and URL.
#[derive(Serialize, ToSchema)]
pub(crate) struct NamedSourceBody {
    /// Name of the outlet.
    name: String,
    /// URL of the article.
    url: String,
}

/// A figure that changed.
#[derive(Serialize, ToSchema)]
pub(crate) struct FigureChangeBody {
    /// What the figure measures, such as `killed` or `revenue`; `money` or `percent` if the sources do not say.
    measure: String,
    /// The entity that the figure is about, or null.
    #[schema(required)]
    entity: Option<String>,
    /// The figure as printed in `from`. Null if it is new.
    #[schema(required)]
    before: Option<String>,
    /// The figure as printed in `to`. Null if it was removed.
    #[schema(required)]
    after: Option<String>,
}

impl From<FigureChange> for FigureChangeBody {
    fn from(figure: FigureChange) -> Self {
        Self {
            measure: figure.measure,
            entity: figure.entity,
            before: figure.before,
            after: figure.after,
        }
    }
}

/// `GET /brief/{id}/diff`.
pub(crate) struct DiffBrief;

impl Operation for DiffBrief {
    type Input = DiffQuery;
    type Output = DiffBody;

    const ABOUT: About = About {
        name: "compare_brief_revisions",
        address: Address::get("/api/v1/brief/{id}/diff"),
        subject: "news",
        summary: "Compares two revisions of a brief.",
        description: "Revisions are compared sentence by sentence, each with its sources. Without `from` and `to`, the current revision is compared with the previous one; a brief with a single revision is compared with itself. With `from` alone, the comparison ends with the current revision; with `to` alone, it starts with the revision before that one.",
        answer: "What changed",
        missing: Some("No brief with this id existed at that time, or this key may not see it"),
        example: r#"{"id": "PR-2026-0301-001"}"#,
        ..About::READS
    };

    async fn run(context: Context, asked: DiffQuery) -> Result<DiffBody> {
        let current = find(&context.services, &context.caller, &asked.id, context.as_of).await?;
        let newest = current.brief.revision;
        let to = existing("to", asked.to, newest, newest)?;
        let from = match asked.from {
            None => to.saturating_sub(1).max(1),
            from => existing("from", from, newest, newest)?,
        };
        let id = current.brief.id;
        let found = context.store.briefs().load(&[(id, from), (id, to)]).await?;
        let revision = |name, number| {
            found
                .iter()
                .find(|stored| stored.brief.revision == number)
                .filter(|stored| context.caller.sees(stored.brief.category))
                .cloned()
                .ok_or_else(|| absent(name, u64::from(number), newest))
        };
        let (before, after) = (revision("from", from)?, revision("to", to)?);
        Ok(analysis::light(move || body(&before, &after)).await?)
    }
}

/// A revision that exists, or the default.
fn existing(name: &str, asked: Option<u64>, default: u32, newest: u32) -> Result<u32> {
    let Some(asked) = asked else {
        return Ok(default);
    };
    u32::try_from(asked)
        .ok()
        .filter(|number| *number <= newest)
        .ok_or_else(|| absent(name, asked, newest))
}

fn absent(name: &str, number: u64, newest: u32) -> Error {
    Error::invalid(format!(
        "{name}: there is no revision {number}; the newest is {newest}"
    ))
}

fn body(before: &StoredBrief, after: &StoredBrief) -> DiffBody {
    let (old, new) = (&*before.brief, &*after.brief);
    let difference = diff::compare(old, new);
    let sources =
        |sources: Vec<&model::BriefSource>| sources.into_iter().map(SourceBody::from).collect();
    DiffBody {
        status: "ok",
        brief_id: new.public_id.to_string(),
        from: old.revision,
        from_at: before.known_from.to_string(),
        to: new.revision,
        to_at: after.known_from.to_string(),
        headline: TextChangeBody::new(&old.headline, &new.headline),
        summary: TextChangeBody::new(&old.summary, &new.summary),
        category: TextChangeBody::new(old.category.as_str(), new.category.as_str()),
        sentences: SentenceChangesBody {
            added: difference
                .added
                .iter()
                .map(|Added { sentence, replaces }| AddedSentenceBody {
                    sentence: sentence_of(new, sentence),
                    replaces: replaces.map(str::to_owned),
                })
                .collect(),
            removed: difference
                .removed
                .iter()
                .map(|sentence| sentence_of(old, sentence))
                .collect(),
            kept: difference.kept,
        },
        sources_added: sources(difference.sources_added),
        sources_removed: sources(difference.sources_removed),
        confidence: NumberChangeBody {
            before: old.confidence.score.get(),
            after: new.confidence.score.get(),
        },
        bias: NumberChangeBody {
            before: old.bias.score.get(),
            after: new.bias.score.get(),
        },
        figures_changed: difference
            .figures
            .into_iter()
            .map(FigureChangeBody::from)
            .collect(),
    }
}

fn sentence_of(brief: &Brief, sentence: &SourcedSentence) -> DiffSentenceBody {
    DiffSentenceBody {
        text: sentence.text.clone(),
        section: sentence.section.as_str(),
        sources: sentence
            .sources
            .iter()
            .filter_map(|index| brief.sources.get(*index as usize))
            .map(|source| NamedSourceBody {
                name: source.name.clone(),
                url: source.url.clone(),
            })
            .collect(),
    }
}
