//! Sentences labelled with the event that they report, as the models of events see them.

use std::collections::HashSet;
use std::io::{BufWriter, Write};
use std::ops::Range;
use std::path::Path;

use anyhow::Context;
use model::{EventKind, RawArticle};
use serde::Deserialize;

use crate::data::Data;
use crate::labels::{self, Items, STREAM_HELD_OUT, is_of_the_fifth};
use crate::news;

/// Sentences of the data.
const SENTENCES: &str = include_str!("../labels/events.tsv");
/// Who acts in headlines with a word of acquisitions, lawsuits or partnerships, which are measured and not fitted on; the columns are described in the file.
pub(crate) const ROLES: &str = include_str!("../labels/event_roles.tsv");
/// The same of further headlines, labelled later, in halves.
pub(crate) const LATER: &str = include_str!("../labels/event_roles_more.tsv");
/// The source of these.
pub(crate) const OF_ROLES: &str = "roles";
/// What was written for fitting. Of the last list, which shows who acts with the parties in every order, only roles are fitted on; sentences of running text are
/// among its headlines.
const WRITTEN: [Written; 3] = [
    Written {
        list: include_str!("../labels/event_headlines.tsv"),
        part: Part::Fit,
        is_headline: true,
    },
    Written {
        list: include_str!("../labels/event_sentences.tsv"),
        part: Part::Fit,
        is_headline: false,
    },
    Written {
        list: include_str!("../labels/event_role_headlines.tsv"),
        part: Part::Roles,
        is_headline: true,
    },
];

/// A list of written headlines or sentences.
struct Written {
    list: &'static str,
    part: Part,
    is_headline: bool,
}

/// What is fitted on a labelled sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Kinds and roles.
    Fit,
    /// Roles alone.
    Roles,
    /// Nothing.
    KeptBack,
}

impl Part {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Fit => "fit",
            Self::Roles => "roles",
            Self::KeptBack => "kept back",
        }
    }

    const fn of(is_kept_back: bool) -> Self {
        if is_kept_back {
            Self::KeptBack
        } else {
            Self::Fit
        }
    }
}

/// A labelled sentence.
pub(crate) struct Labelled {
    /// The article of which it is, without what is not read: a headline has its teaser, a sentence of a teaser its headline.
    pub(crate) raw: RawArticle,
    /// The sentence.
    pub(crate) text: String,
    pub(crate) is_headline: bool,
    /// `none`, or the word of a kind.
    pub(crate) kind: String,
    /// `stated`, `expected`, `denied`, or `-`.
    pub(crate) state: String,
    /// Who acts, what it concerns, who sells.
    pub(crate) roles: [Option<Range<usize>>; 3],
    /// What is fitted on it.
    pub(crate) part: Part,
    /// Where it is from: the file, or `written`.
    pub(crate) source: String,
}

impl Labelled {
    /// The kind of the event, where there is one that is not denied.
    pub(crate) fn event(&self) -> Option<EventKind> {
        self.kind.parse().ok().filter(|_| self.state != "denied")
    }

    /// The words of a role: who acts, what it concerns, who sells.
    pub(crate) fn role(&self, role: usize) -> Option<&str> {
        self.text.get(self.roles[role].clone()?)
    }
}

/// The labelled sentences that are in the data, and those that were written.
pub(crate) fn labelled(data: &Data) -> anyhow::Result<Vec<Labelled>> {
    let items = Items::of(data)?;
    let of_roles: HashSet<&str> = [ROLES, LATER]
        .into_iter()
        .flat_map(model::table::lines)
        .filter_map(|line| line.split('\t').nth(1))
        .collect();
    let mut found = Vec::new();
    for row in labels::rows(SENTENCES)? {
        let [file, item, field, _, _, label] = row;
        let (Some(text), Some(record)) = (items.passage(&row), items.record(item)) else {
            continue;
        };
        let is_headline = field == "title" || field == "text";
        let whole = news::raw(record);
        let raw = RawArticle {
            title: if field == "text" {
                text.to_owned()
            } else {
                whole.title.clone()
            },
            // A post has no address, nor has a headline of some sets; they are read like any other headline.
            url: if whole.url.is_empty() {
                format!("https://posts.example/{item}")
            } else {
                whole.url.clone()
            },
            description: if is_headline {
                whole.description.clone()
            } else {
                Some(text.to_owned())
            },
            body: None,
            ..whole
        };
        let [kind, state, roles @ ..] = columns(label.split(' '))?;
        let is_kept_back = file.contains(STREAM_HELD_OUT) || is_of_the_fifth(item);
        // A few headlines were labelled twice.
        let is_of_roles = !is_kept_back && is_headline && of_roles.contains(item);
        found.push(Labelled {
            raw,
            text: text.to_owned(),
            is_headline,
            kind: kind.to_owned(),
            state: state.to_owned(),
            roles: ranges(roles)?,
            part: Part::of(is_kept_back || is_of_roles),
            source: if is_of_roles { OF_ROLES } else { file }.to_owned(),
        });
    }
    for line in [ROLES, labels::halves(LATER).0]
        .into_iter()
        .flat_map(model::table::lines)
    {
        let (item, label) = line
            .split_once('\t')
            .and_then(|(_, rest)| rest.split_once('\t'))
            .context("a headline has no label")?;
        let [kind, state, roles @ ..] = columns(label.split('\t'))?;
        // Of other events it is not said which.
        let Some(record) = items.record(item).filter(|_| kind != "other") else {
            continue;
        };
        let raw = RawArticle {
            body: None,
            ..news::raw(record)
        };
        found.push(Labelled {
            text: raw.title.clone(),
            raw,
            is_headline: true,
            kind: kind.to_owned(),
            state: state.to_owned(),
            roles: ranges(roles)?,
            part: Part::KeptBack,
            source: OF_ROLES.to_owned(),
        });
    }
    let lines = WRITTEN
        .iter()
        .flat_map(|written| model::table::lines(written.list).map(move |line| (line, written)));
    for (line, written) in lines {
        let (label, text) = line.rsplit_once('\t').context("a sentence has no label")?;
        let [kind, state, roles @ ..] = columns(label.split('\t'))?;
        let raw = if written.is_headline {
            RawArticle {
                title: text.to_owned(),
                ..RawArticle::default()
            }
        } else {
            RawArticle {
                description: Some(text.to_owned()),
                ..RawArticle::default()
            }
        };
        found.push(Labelled {
            raw,
            text: text.to_owned(),
            is_headline: written.is_headline,
            kind: kind.to_owned(),
            state: state.to_owned(),
            roles: ranges(roles)?,
            part: written.part,
            source: "written".to_owned(),
        });
    }
    Ok(found)
}

fn columns<'l>(columns: impl Iterator<Item = &'l str>) -> anyhow::Result<[&'l str; 5]> {
    let columns: Vec<&str> = columns.collect();
    <[&str; 5]>::try_from(columns)
        .map_err(|columns| anyhow::anyhow!("a label has {} columns", columns.len()))
}

fn ranges(roles: [&str; 3]) -> anyhow::Result<[Option<Range<usize>>; 3]> {
    let [actor, object, seller] = roles.map(|bytes| match bytes {
        "-" => Ok(None),
        bytes => labels::range(bytes).map(Some),
    });
    Ok([actor?, object?, seller?])
}

/// Writes the labelled sentences as lines of JSON, for the transformers.
pub(crate) fn write_texts(data: &Data, file: &Path) -> anyhow::Result<()> {
    let mut out = BufWriter::new(std::fs::File::create(file)?);
    for one in labelled(data)? {
        let part = one.part.as_str();
        let roles = one
            .roles
            .map(|role| role.map(|role| [role.start, role.end]));
        let line = serde_json::json!({
            "part": part, "source": one.source, "kind": one.kind, "state": one.state, "roles": roles, "text": one.text,
            "headline": one.is_headline,
        });
        writeln!(out, "{line}")?;
    }
    Ok(out.flush()?)
}

/// A sentence with what the model that teaches says of it.
#[derive(Deserialize)]
struct Taught {
    title: String,
    description: String,
    text: String,
    headline: bool,
    /// How probable each kind is, `none` first.
    shares: Vec<f64>,
}

/// Writes for each labelled sentence: `fit`, `kept back`, or `roles` where its kind is not fitted on, its source, `none` or the kind of an event that is not
/// denied, whether it is stated, expected or denied, and the rows that it shows. Lines of what `taught` holds follow: their part is `taught`, and their kind is how
/// probable each is.
pub(crate) fn write_features(
    data: &Data,
    file: &Path,
    taught: Option<&Path>,
) -> anyhow::Result<()> {
    let mut out = BufWriter::new(std::fs::File::create(file)?);
    for one in labelled(data)? {
        let description = one.raw.description.as_deref().unwrap_or("");
        let entities = text::entities::find(&one.raw.title, description);
        let rows = weighted(&text::events::observed(
            &one.text,
            &entities,
            one.is_headline,
        ));
        let event = one.event().map_or("none", EventKind::as_str);
        let part = one.part.as_str();
        writeln!(
            out,
            "{part}\t{}\t{event}\t{}\t{rows}",
            one.source, one.state
        )?;
    }
    let taught = taught.map(std::fs::read_to_string).transpose()?;
    for line in taught.iter().flat_map(|lines| lines.lines()) {
        let one: Taught = serde_json::from_str(line)?;
        let entities = text::entities::find(&one.title, &one.description);
        let seen = text::events::observed(&one.text, &entities, one.headline);
        let shares: Vec<String> = one
            .shares
            .iter()
            .map(|share| format!("{share:.4}"))
            .collect();
        let rows = weighted(&seen);
        writeln!(out, "taught\ttaught\t{}\t-\t{rows}", shares.join(","))?;
    }
    Ok(out.flush()?)
}

fn weighted(rows: &[(u32, f32)]) -> String {
    let rows: Vec<String> = rows
        .iter()
        .map(|(row, amount)| format!("{row}:{amount:.5}"))
        .collect();
    rows.join(" ")
}
