//! `/brief/{id}/timeline`: how a brief developed.

use model::{Brief, Category, OutboxKind, Timestamp};
use serde::Serialize;
use store::{BriefEvent, StoredBrief};
use text::diff;
use utoipa::ToSchema;
use utoipa::openapi::schema::{SchemaType, Type};
use utoipa::openapi::{Object, ObjectBuilder};

use crate::error::Result;
use crate::news::brief::ById;
use crate::news::brief::find;
use crate::news::brief_body::SourceBody;
use crate::{About, Address, Context, Operation};

/// Every revision of a brief.
#[derive(Serialize, ToSchema)]
pub(crate) struct TimelineBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Readable id of the brief.
    brief_id: String,
    /// What happened, oldest first.
    timeline: Vec<TimelineEntryBody>,
    /// Totals for this response.
    meta: TimelineMeta,
}

/// A revision, or the point at which a revision began to trend.
#[derive(Serialize, ToSchema)]
pub(crate) struct TimelineEntryBody {
    /// Revision of the brief, starting at 1.
    revision: u32,
    /// When it could first be known.
    at: String,
    /// When this store wrote the revision.
    recorded_at: String,
    /// `published`, `updated`, `corrected`, `split`, `merged` or `trending`.
    event: &'static str,
    /// Headline at that time.
    headline: String,
    /// The first of the sources added by this revision. Null if it added none.
    #[schema(required)]
    source_added: Option<SourceBody>,
    /// Number of independent sources. Copies count once.
    source_count: u32,
    /// Score from 0 to 1.
    confidence_score: f64,
    /// What changed compared with the previous revision.
    changes: Vec<ChangeBody>,
    /// The brief that this one was split from. Present only if it was, and only at `published`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    split_from: Option<String>,
    /// The brief that now has the other sources. Present only at `split`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    split_into: Option<String>,
    /// The brief whose sources were merged into this one. Present only at `merged`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    merged_from: Option<String>,
}

/// One change.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct ChangeBody {
    /// `headline`, `category`, `sources`, `sentences` or `figure`.
    field: &'static str,
    /// The value before the change: the text of a headline or category, or a number for the other fields (the number of
    /// sources, the number of sentences removed, the value of the figure). Null if there was nothing.
    #[schema(required, schema_with = text_or_number)]
    before: Option<ChangedValue>,
    /// The value after the change, in the same form; for sentences, the number added. Null if there is nothing.
    #[schema(required, schema_with = text_or_number)]
    after: Option<ChangedValue>,
    /// What a figure measures.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    measure: Option<String>,
    /// The figure as previously printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    before_printed: Option<String>,
    /// The figure as now printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    after_printed: Option<String>,
}

fn text_or_number() -> Object {
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([
            Type::String,
            Type::Number,
            Type::Null,
        ]))
        .description(Some(
            "The text of a headline or category, the number of sources or sentences, or the value of a figure. Null if there is none.",
        ))
        .build()
}

/// A text or a number.
#[derive(Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum ChangedValue {
    Text(String),
    Count(usize),
    Value(f64),
}

impl ChangeBody {
    fn of(field: &'static str, before: Option<ChangedValue>, after: Option<ChangedValue>) -> Self {
        Self {
            field,
            before,
            after,
            measure: None,
            before_printed: None,
            after_printed: None,
        }
    }
}

impl ChangedValue {
    /// A figure. A whole number is written as one.
    fn figure(value: f64) -> Self {
        if value.fract() == 0.0 && (0.0..1e15).contains(&value) {
            Self::Count(value as usize)
        } else {
            Self::Value(value)
        }
    }
}

/// The current state of the brief.
#[derive(Serialize, ToSchema)]
pub(crate) struct TimelineMeta {
    /// Number of entries in this response.
    count: usize,
    /// The revision that was known at the as-of time.
    revision: u32,
}

/// `GET /brief/{id}/timeline`.
pub(crate) struct Timeline;

impl Operation for Timeline {
    type Input = ById;
    type Output = TimelineBody;

    const ABOUT: About = About {
        name: "show_brief_timeline",
        address: Address::get("/api/v1/brief/{id}/timeline"),
        subject: "news",
        summary: "Shows how a brief developed.",
        description: "There is one entry for each revision and one for each time the brief began to trend, oldest first. A key restricted to categories does not see revisions from other categories.",
        answer: "Every revision, oldest first",
        missing: Some("No brief with this id existed at that time, or this key may not see it"),
        example: r#"{"id": "PR-2026-0301-001"}"#,
        ..About::READS
    };

    async fn run(context: Context, input: ById) -> Result<TimelineBody> {
        let ById { id } = input;
        let current = find(&context.services, &context.caller, &id, context.as_of).await?;
        let mut revisions = context.store.briefs().revisions(current.brief.id).await?;
        revisions.retain(|stored| stored.brief.revision <= current.brief.revision);
        let mut events = context.store.outbox().of_brief(current.brief.id).await?;
        events.retain(|event| context.as_of.0.is_none_or(|when| event.known_at <= when));
        let told = analysis::light(move || entries(&revisions, &events)).await?;
        let timeline: Vec<TimelineEntryBody> = told
            .into_iter()
            .filter(|(category, _)| context.caller.sees(*category))
            .map(|(_, entry)| entry)
            .collect();
        Ok(TimelineBody {
            status: "ok",
            brief_id: current.brief.public_id.to_string(),
            meta: TimelineMeta {
                count: timeline.len(),
                revision: current.brief.revision,
            },
            timeline,
        })
    }
}

/// Each revision followed by its trending events, with the category that it had at that point.
fn entries(revisions: &[StoredBrief], events: &[BriefEvent]) -> Vec<(Category, TimelineEntryBody)> {
    let mut told = Vec::with_capacity(events.len());
    let mut before: Option<&Brief> = None;
    for stored in revisions {
        let brief = &*stored.brief;
        let of_revision = || {
            events
                .iter()
                .filter(|event| event.revision == brief.revision)
        };
        let entry = |event, at: Timestamp, changes| TimelineEntryBody {
            revision: brief.revision,
            at: at.to_string(),
            recorded_at: stored.recorded_at.to_string(),
            event,
            headline: brief.headline.clone(),
            source_added: None,
            source_count: brief.source_count,
            confidence_score: brief.confidence.score.get(),
            changes,
            split_from: None,
            split_into: None,
            merged_from: None,
        };
        let is = |kind| of_revision().any(|event| event.kind == kind);
        let event = match before {
            None => "published",
            Some(_) if is(OutboxKind::BriefSplit) => "split",
            Some(_) if is(OutboxKind::BriefMerged) => "merged",
            Some(_) if is(OutboxKind::BriefCorrected) => "corrected",
            Some(_) => "updated",
        };
        let (changes, source) = match before {
            Some(before) => changes(before, brief),
            None => (Vec::new(), brief.sources.first().map(SourceBody::from)),
        };
        let mut first = entry(event, stored.known_from, changes);
        first.source_added = source;
        match event {
            "published" => first.split_from = brief.split.from.as_ref().map(ToString::to_string),
            "split" => first.split_into = brief.split.into.last().map(ToString::to_string),
            "merged" => first.merged_from = brief.merged.from.last().map(ToString::to_string),
            _ => {}
        }
        told.push((brief.category, first));
        for mark in of_revision().filter(|event| event.kind == OutboxKind::BriefTrending) {
            told.push((brief.category, entry("trending", mark.known_at, Vec::new())));
        }
        before = Some(brief);
    }
    told
}

/// What a revision changed, and the first source that it added.
fn changes(before: &Brief, after: &Brief) -> (Vec<ChangeBody>, Option<SourceBody>) {
    let difference = diff::compare(before, after);
    let mut changes = Vec::new();
    let mut note = |field, before: ChangedValue, after: ChangedValue| {
        if before != after {
            changes.push(ChangeBody::of(field, Some(before), Some(after)));
        }
    };
    let text = |text: &str| ChangedValue::Text(text.to_owned());
    note("headline", text(&before.headline), text(&after.headline));
    note(
        "category",
        text(before.category.as_str()),
        text(after.category.as_str()),
    );
    note(
        "sources",
        ChangedValue::Count(before.sources.len()),
        ChangedValue::Count(after.sources.len()),
    );
    let count = |number: usize| (number > 0).then_some(ChangedValue::Count(number));
    if !difference.added.is_empty() || !difference.removed.is_empty() {
        changes.push(ChangeBody::of(
            "sentences",
            count(difference.removed.len()),
            count(difference.added.len()),
        ));
    }
    for figure in difference.figures {
        let before = figure.before_value.map(ChangedValue::figure);
        let after = figure.after_value.map(ChangedValue::figure);
        changes.push(ChangeBody {
            measure: Some(figure.measure),
            before_printed: figure.before,
            after_printed: figure.after,
            ..ChangeBody::of("figure", before, after)
        });
    }
    let source = difference.sources_added.first();
    (changes, source.map(|source| SourceBody::from(*source)))
}
