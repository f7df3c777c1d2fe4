//! Parts of a report without any data: a sentence with the reason takes their place, and a line is added to what is
//! missing.
//!
//! Anybody who pays for five analysts learns the outcome of each of them.

use super::analysts::sentiment;
use super::bias;
use super::document::{Block, Section};
use super::facts::{Facts, Kind};
use super::finding::Reading;
use super::words::{capital, count, counted, date, day, foreign, list, signed};

/// How many days of coverage are read, as the news request names them.
const NEWS_DAYS: u32 = 30;
/// How many days of sentiment are read.
const SENTIMENT_DAYS: u32 = 90;

/// What a part says in place of its content, and the reason in short.
struct Reason {
    sentence: String,
    why: String,
}

/// Adds the reason if an analyst has nothing to say.
pub(super) fn explain(facts: &mut Facts, reading: &mut Reading) {
    if says_something(&reading.section) {
        return;
    }
    let reason = match reading.name.as_str() {
        "fundamental" => of_company(facts),
        "technical" => of_prices(facts),
        "sentiment" => of_sentiment(facts),
        "news" => of_news(facts),
        _ => of_economy(facts),
    };
    // Data that were read and found unremarkable are not missing.
    if reading.section.verdict.is_none() {
        facts.lack(&reading.section.title.clone(), reason.why);
    }
    let told = Block::Absent {
        text: reason.sentence,
    };
    reading.section.blocks.insert(0, told);
}

/// Whether there is a sentence in it.
fn says_something(section: &Section) -> bool {
    section
        .blocks
        .iter()
        .any(|block| matches!(block, Block::Paragraph { .. } | Block::List { .. }))
}

/// The bias audit if there is too little to audit.
pub(super) fn audit(facts: &mut Facts) -> Section {
    let stories = facts.briefs.len();
    let outlets: Vec<String> = bias::outlets(facts)
        .into_iter()
        .take(3)
        .map(|(name, _)| name)
        .collect();
    let single = facts
        .briefs
        .first()
        .map(|brief| (foreign(&brief.headline, 110), date(&brief.published_at)));
    let rest = rests_on(facts);
    let sentence = match (stories, single) {
        (0, _) | (_, None) => format!(
            "No story of the last {NEWS_DAYS} days stands behind this report, so that there is no coverage to audit: it rests on {rest}."
        ),
        (1, Some((headline, on))) => format!(
            "A single story, “{headline}” of {on}, told by {}, is too little to say how the coverage leans; all else here rests on {rest}.",
            list(&outlets)
        ),
        (more, Some(_)) => format!(
            "{} stories, told by {}, are too few to say how the coverage leans; an audit takes {}.",
            capital(&count(more)),
            list(&outlets),
            count(bias::LEAST_STORIES)
        ),
    };
    facts.lack(
        "Bias audit",
        format!(
            "{} of the last {NEWS_DAYS} days; an audit takes {}",
            counted(stories, "story", "stories"),
            count(bias::LEAST_STORIES)
        ),
    );
    section("Bias audit", sentence)
}

/// The scenarios if there is no forecast.
pub(super) fn scenarios(facts: &mut Facts, why: &str) -> Section {
    let sentence = if facts.has_old_price() {
        let last = facts.series.last().map(|bar| bar.day);
        format!(
            "No scenario of the months ahead starts from a price of {}, for most of what it would say has happened since.",
            last.map_or_else(|| "no day".to_owned(), day)
        )
    } else {
        format!("There is no forecast of {}: {why}.", facts.name)
    };
    facts.lack("Scenarios", why);
    section("Scenarios", sentence)
}

fn section(title: &str, sentence: String) -> Section {
    Section {
        title: title.to_owned(),
        verdict: None,
        blocks: vec![Block::Absent { text: sentence }],
    }
}

/// What a report without coverage is based on.
fn rests_on(facts: &Facts) -> String {
    let mut parts = vec![format!("{} of prices", price_days(facts))];
    if facts.of("financials").number("revenue").is_some() {
        parts.push("what the company reported".to_owned());
    }
    let filings = facts.of("filings").list("filings").len();
    if filings > 0 {
        parts.push(counted(filings, "filing", "filings"));
    }
    let trades = facts.of("insider").list("insider_trades").len();
    if trades > 0 {
        parts.push(counted(trades, "insider trade", "insider trades"));
    }
    list(&parts)
}

fn price_days(facts: &Facts) -> String {
    super::price::session(facts, facts.series.len())
}

fn of_news(facts: &Facts) -> Reason {
    let name = &facts.name;
    let why = format!(
        "no brief of the last {NEWS_DAYS} days names {}",
        facts.ticker
    );
    let month = facts.series.over(facts.month());
    let swing = super::price::daily(facts) * (facts.month() as f64).sqrt();
    let sentence = match month.map(|moved| (moved.pct / swing, signed(moved.pct))) {
        Some((1.0.., moved)) => format!(
            "Nobody on record wrote about {name} in {NEWS_DAYS} days, although the month brought {moved}, so whatever lifted it was not in the news."
        ),
        Some((..-1.0, moved)) => format!(
            "Nobody on record wrote about {name} in {NEWS_DAYS} days, although the month cost it {}, so whatever weighed on it was not in the news.",
            moved.trim_start_matches('−')
        ),
        Some((_, moved)) => format!(
            "{name} was in no story of the last {NEWS_DAYS} days, in which its price moved no further than is usual for it ({moved} in a month)."
        ),
        None => format!("{name} was in no story of the last {NEWS_DAYS} days."),
    };
    Reason { sentence, why }
}

fn of_sentiment(facts: &Facts) -> Reason {
    let name = &facts.name;
    let days = sentiment::days(facts);
    let briefs: f64 = days.iter().map(|day| day.2).sum();
    let newest = days.iter().filter(|day| day.2 > 0.0).map(|day| day.0).max();
    let peers: Vec<String> = facts
        .peers
        .iter()
        .filter(|peer| peer.briefs_7d > 0)
        .filter_map(|peer| Some((peer, peer.sentiment?)))
        .take(2)
        .map(|(peer, score)| format!("{} ({score:.2})", peer.name))
        .collect();
    let number = counted(briefs as usize, "brief", "briefs");
    if let Some((score, _, of_week)) = sentiment::week_and_before(facts)
        && let Some(on) = newest
    {
        return Reason {
            sentence: format!(
                "{} in a week, of {} at {score:.2} on a scale from 0 to 1, is no coverage that a mood could be read from.",
                capital(&counted(of_week as usize, "brief", "briefs")),
                date(on)
            ),
            why: format!("{number} of {SENTIMENT_DAYS} days"),
        };
    }
    match (newest, peers.is_empty()) {
        (Some(on), true) => Reason {
            sentence: format!(
                "With {number} in {SENTIMENT_DAYS} days, the newest of {}, there is too little on record to say how {name} is spoken of.",
                date(on)
            ),
            why: format!(
                "{number} of {SENTIMENT_DAYS} days, the newest of {}",
                date(on)
            ),
        },
        (Some(on), false) => Reason {
            sentence: format!(
                "{name} was last written about on {} and has no sentiment of its own to read; of its peers, {} {} in the news of the week.",
                date(on),
                list(&peers),
                if peers.len() == 1 { "was" } else { "were" }
            ),
            why: format!(
                "{number} of {SENTIMENT_DAYS} days, the newest of {}",
                date(on)
            ),
        },
        (None, true) => Reason {
            sentence: format!(
                "There is no sentiment to read: in {SENTIMENT_DAYS} days no brief on record spoke of {name}."
            ),
            why: format!(
                "no brief of the last {SENTIMENT_DAYS} days speaks of {}",
                facts.ticker
            ),
        },
        (None, false) => Reason {
            sentence: format!(
                "In {SENTIMENT_DAYS} days no brief spoke of {name} itself, while the week's coverage of its peers reads {}.",
                list(&peers)
            ),
            why: format!(
                "no brief of the last {SENTIMENT_DAYS} days speaks of {}",
                facts.ticker
            ),
        },
    }
}

fn of_prices(facts: &Facts) -> Reason {
    let days = price_days(facts);
    Reason {
        sentence: format!(
            "{} of prices are on record for {}, too few for averages, momentum or a trend.",
            capital(&days),
            facts.name
        ),
        why: format!("{days} of prices are on record"),
    }
}

fn of_company(facts: &Facts) -> Reason {
    let what = match facts.kind {
        Kind::Share => "figures of the company",
        Kind::Fund => "a year of prices that its return could be read from",
        Kind::Coin => "market value and record of the coin",
    };
    Reason {
        sentence: format!(
            "What {} is worth cannot be judged here, for {what} are not on record.",
            facts.name
        ),
        why: format!("{what}: not on record"),
    }
}

fn of_economy(facts: &Facts) -> Reason {
    match facts.day().filter(|_| facts.has_old_price()) {
        Some(on) => Reason {
            sentence: format!(
                "The economy of today says nothing of a price of {}, the newest of {}.",
                day(on),
                facts.name
            ),
            why: format!("the newest price is of {}", day(on)),
        },
        None => Reason {
            sentence: format!(
                "Neither rates nor prices nor jobs on record stand out for {} at present.",
                facts.name
            ),
            why: "nothing in the series on record stands out".to_owned(),
        },
    }
}
