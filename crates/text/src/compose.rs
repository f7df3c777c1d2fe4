//! Composes a brief from the articles of a story.
//!
//! Every sentence is taken from a member or is fixed wording about a member, and lists the members that support it.
//! Nothing is inferred beyond that. At most [`READ`] members are read for the text. All of them count for confidence,
//! bias, entities and sources.
//!
//! **Independence.** Members that are copies of one another (`copy_of`), come from the same domain or report the same
//! address (feeds that pass on one article) count as one voice. `source_count` is the number of voices.
//!
//! **Confidence** and **bias** are documented in [`confidence`] and [`bias`], and contradictions between members in
//! [`contradiction`].

mod assessment;
mod bias;
mod body;
mod candidate;
mod confidence;
mod contradiction;
mod correction;
mod counter;
mod findings;
mod headline;
mod identified;
mod merge;
mod reading;
mod renamed;
mod statement;
mod summary;
mod voices;
mod wording;

use std::cmp::Reverse;

use model::{
    Annotations, Article, Brief, BriefBias, BriefConfidence, Category, Contradiction, DataPoint,
    EntityMention, Event, Score, Section, SourcedSentence, TrustLevel,
};

pub use reading::Reading;

use crate::statement::terms;
use renamed::Renamed;
use summary::{Line, Subject};
use voices::Voices;

/// How many members are read for the text.
const READ: usize = 12;

/// One article of a story, read and assessed.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    /// The article.
    pub article: &'a Article,
    /// What reading it found.
    pub annotations: &'a Annotations,
    /// The name of its outlet, as readers know it.
    pub outlet: &'a str,
    /// The trust level of its outlet.
    pub trust: TrustLevel,
    /// Index of the member that it copies.
    pub copy_of: Option<usize>,
}

/// The content of a brief before it has an identity.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields of `model::Brief` of the same name")]
pub struct Composition {
    pub headline: String,
    pub summary: String,
    pub body: String,
    pub sentences: Vec<SourcedSentence>,
    pub category: Category,
    pub confidence: BriefConfidence,
    pub bias: BriefBias,
    pub counter_argument: String,
    pub source_count: u32,
    pub sentiment: Score,
    pub tags: Vec<String>,
    pub entities: Vec<EntityMention>,
    pub events: Vec<Event>,
    pub data_points: Vec<DataPoint>,
    pub contradictions: Vec<Contradiction>,
    pub language: String,
    /// A key fact (number, name, outcome, polarity) of the previous revision no longer holds.
    pub corrects_previous: bool,
}

/// Composes a story from its members, given in the order in which they became known. There must be at least one.
pub fn compose(members: &[Member<'_>], previous: Option<&Brief>) -> Composition {
    let readings: Vec<Reading> = members
        .iter()
        .map(|member| Reading::deferred(member.article))
        .collect();
    let readings: Vec<&Reading> = readings.iter().collect();
    compose_read(members, &readings, previous)
}

/// The same, with the readings of the members' articles in the same order.
pub fn compose_read(
    members: &[Member<'_>],
    readings: &[&Reading],
    previous: Option<&Brief>,
) -> Composition {
    let voices = Voices::hear(members);
    let language = merge::language(members, &voices);
    let read = choose_read(members, &voices, &language);
    let centre = candidate::centre(members, &voices.leaders);

    let mut candidates = candidate::gather(members, readings, &read);
    candidate::rate(&mut candidates, &centre, members);
    let statements = statement::of_voices(members, readings, &voices, &candidates);
    let contradictions = contradiction::find(members, &statements);
    let (titled, headline) = if members.is_empty() {
        (0, String::from("Untitled report"))
    } else {
        headline::choose(members, readings, &read, &centre)
    };

    let subject = Subject::of(members, &headline);
    let opening = summary::pick(&candidates, &subject, |member| voices.of(member));
    let summary: Vec<Line> = if opening.is_empty() && !members.is_empty() {
        summary::from_headlines(members, readings, &voices.leaders, titled, &headline)
    } else {
        let mut lines: Vec<Line> = opening
            .iter()
            .map(|index| Line {
                text: candidates[*index].sentence.text.clone(),
                members: summary::supporters(&candidates, *index),
            })
            .collect();
        if lines.len() == 1 {
            let title = terms::distinct(&headline);
            let mut covered: Vec<&[(u32, f32)]> = opening
                .iter()
                .map(|index| candidates[*index].sentence.terms.as_slice())
                .collect();
            // The headline of the brief appears above and need not be repeated.
            covered.push(&title);
            lines.extend(summary::uncovered_headlines(
                members,
                readings,
                &read,
                &mut covered,
                2,
            ));
        }
        summary::introduction(members, &candidates, &opening, (titled, &headline))
            .into_iter()
            .chain(lines)
            .collect()
    };
    let mut paragraphs = body::write(
        members,
        readings,
        &headline,
        &voices,
        &candidates,
        &opening,
        &contradictions,
    );
    if candidates.is_empty() {
        paragraphs.insert(0, summary.clone());
    }

    let index = |members: &[usize]| {
        members
            .iter()
            .map(|member| *member as u32)
            .collect::<Vec<u32>>()
    };
    let mut sentences = vec![SourcedSentence {
        section: Section::Headline,
        text: headline.clone(),
        sources: index(&[titled]),
    }];
    let sourced = |section: Section, line: &Line| SourcedSentence {
        section,
        text: line.text.clone(),
        sources: index(&line.members),
    };
    sentences.extend(summary.iter().map(|line| sourced(Section::Summary, line)));
    sentences.extend(
        paragraphs
            .iter()
            .flatten()
            .map(|line| sourced(Section::Body, line)),
    );

    let mut names = Renamed::default();
    let entities = merge::entities(members, &voices, &mut names);
    let events = findings::events(members, &voices, &names);
    let mut data_points = findings::data_points(members, &voices);
    names.apply_to_figures(&mut data_points);

    Composition {
        summary: printed(&summary),
        body: paragraphs
            .iter()
            .map(|lines| printed(lines))
            .collect::<Vec<_>>()
            .join("\n\n"),
        sentences,
        category: merge::category(members, &voices),
        confidence: confidence::assess(members, &voices, &statements, &contradictions),
        bias: bias::assess(members, &voices),
        counter_argument: counter::argue(
            members,
            &voices,
            &candidates,
            &statements,
            &contradictions,
            &headline,
        ),
        source_count: voices.count() as u32,
        sentiment: merge::sentiment(members, &voices),
        tags: merge::tags(members, &voices, &language),
        entities,
        events,
        data_points,
        contradictions: contradictions
            .into_iter()
            .map(|found| found.contradiction)
            .collect(),
        corrects_previous: correction::is_correction(members, readings, &voices, previous),
        language,
        headline,
    }
}

/// How articles colour what they report, with each article counted separately: the means and direction documented in
/// [`bias`].
pub(crate) fn bias_of(members: &[Member<'_>]) -> BriefBias {
    bias::assess(members, &Voices::each(members.len()))
}

fn printed(lines: &[Line]) -> String {
    lines
        .iter()
        .map(|line| line.text.as_str())
        .collect::<Vec<_>>()
        .join(" ")
}

/// The members whose text is read: one per voice, in the story's language, the best ones in order.
fn choose_read(members: &[Member<'_>], voices: &Voices, language: &str) -> Vec<usize> {
    let mut read: Vec<usize> = voices
        .leaders
        .iter()
        .copied()
        .filter(|leader| members[*leader].annotations.language == language)
        .collect();
    if read.is_empty() {
        read.clone_from(&voices.leaders);
    }
    read.sort_by_key(|index| {
        let member = &members[*index];
        (
            Reverse(member.trust),
            member.article.body.is_empty(),
            Reverse(*index),
        )
    });
    read.truncate(READ);
    read.sort_unstable();
    read
}

#[cfg(test)]
mod tests;
