//! The news analyst: which stories matter, what outlets disagree on, and how much coverage there is.

use std::collections::BTreeSet;

use crate::reports::document::{Block, Sentence};
use crate::reports::facts::{After, Brief, Facts, Outlet};
use crate::reports::finding::{Draft, Reading, Topic};
use crate::reports::words::{count, counted, date, foreign, list, pct, signed};
use crate::run::LOOK_AT_MANY;

/// The most stories to report.
const MOST_STORIES: usize = 6;
/// The percentage below which the market stood still over a session.
const STILL: f64 = 0.2;

pub(in crate::reports) fn read(facts: &mut Facts) -> Reading {
    let mut draft = Draft::default();
    draft.depth = Some(facts.briefs.len() as f64 / 5.0);
    draft.say(volume(facts).unwrap_or_default());
    draft.turn();
    let stories = stories(facts, MOST_STORIES);
    if stories.is_empty() && !facts.briefs.is_empty() {
        facts.lack(
            "News",
            "the news of the period name it only among many others",
        );
    }
    if draft.asks(!facts.briefs.is_empty()) {
        tilt(facts, &mut draft);
        let told = tell(facts, &stories);
        draft.blocks.extend(Block::list(told));
    }
    draft.say(disagreement(facts));
    draft.say(concentration(facts).unwrap_or_default());
    draft.finish("news", "News")
}

/// The briefs that matter most: about the subject, covered by several outlets, taking a side, and recent.
pub(in crate::reports) fn stories(facts: &Facts, most: usize) -> Vec<Brief> {
    let weight = |brief: &Brief| {
        let role = match brief.role.as_str() {
            "subject" => 1.0,
            "related" => 0.5,
            _ => 0.2,
        };
        let age = facts.briefs.first().map_or(0.0, |newest| {
            age_between(&newest.published_at, &brief.published_at)
        });
        let side = (brief.sentiment - 0.5).abs();
        role * (0.6 + (brief.source_count as f64).ln() + side) * brief.confidence.max(0.2)
            / (1.0 + age / 6.0)
    };
    let own = facts
        .briefs
        .iter()
        .filter(|brief| brief.instruments < LOOK_AT_MANY);
    let mut briefs: Vec<&Brief> = own.collect();
    briefs.sort_by(|left, right| weight(right).total_cmp(&weight(left)));
    let mut told: Vec<Brief> = Vec::new();
    for brief in briefs {
        let same = |one: &Brief| foreign(&one.headline, 200) == foreign(&brief.headline, 200);
        if told.len() < most && !told.iter().any(same) {
            told.push(brief.clone());
        }
    }
    told
}

fn age_between(newer: &str, older: &str) -> f64 {
    let of = |time: &str| time.parse::<model::Timestamp>().ok();
    of(newer).zip(of(older)).map_or(0.0, |(newer, older)| {
        newer.since_ms(older) as f64 / 86_400_000.0
    })
}

/// Whether a brief is about the subject, rather than about many at once.
pub(in crate::reports) fn is_own(brief: &Brief) -> bool {
    brief.role == "subject" && brief.instruments < LOOK_AT_MANY
}

/// Stories in one sentence each. If several fall into one session, what the price did afterwards is reported with the
/// first of them.
pub(in crate::reports) fn tell(facts: &mut Facts, stories: &[Brief]) -> Vec<Sentence> {
    let told = stories.iter().enumerate().map(|(place, brief)| {
        let after = match &brief.after {
            Some(after) if is_told(&stories[..place], after) => ", in the same session".to_owned(),
            Some(after) => followed(facts, brief, after),
            None => String::new(),
        };
        one(facts, brief, &after)
    });
    told.collect()
}

/// Whether what followed a story also followed an earlier one.
fn is_told(earlier: &[Brief], after: &After) -> bool {
    earlier
        .iter()
        .any(|brief| brief.after.as_ref() == Some(after))
}

/// One story, and what followed.
fn one(facts: &mut Facts, brief: &Brief, after: &str) -> Sentence {
    let headline = foreign(&brief.headline, 160);
    let on = date(&brief.published_at);
    let who = who(&brief.outlets);
    let tone = match brief.sentiment {
        ..0.3 => "bad for it",
        ..0.45 => "rather bad for it",
        ..0.55 => "without a side",
        ..0.7 => "rather good for it",
        _ => "good for it",
    };
    let role = if brief.role == "subject" {
        ""
    } else {
        ", in which it is not the main subject"
    };
    let doubt = match brief.confidence {
        ..0.4 => ", and not well supported",
        _ => "",
    };
    Sentence {
        text: format!("“{headline}” ({on}; {who}), {tone}{role}{doubt}{after}."),
        cites: facts.cite_brief(brief),
    }
}

/// Who covers a story: outlets with a report of their own, and those that only repeat one.
fn who(outlets: &[Outlet]) -> String {
    let own: Vec<&Outlet> = outlets.iter().filter(|outlet| !outlet.is_copy).collect();
    let Some(first) = own.first().copied().or(outlets.first()) else {
        return "outlet unknown".to_owned();
    };
    let others: BTreeSet<&str> = outlets.iter().map(|outlet| &*outlet.name).collect();
    let repeats = others.len() - 1;
    let name = foreign(&first.name, 60);
    match own.len() {
        0 | 1 if repeats > 0 => {
            format!(
                "{name}, repeated by {}",
                counted(repeats, "other", "others")
            )
        }
        0 | 1 => format!("only {name} has it"),
        2 => format!("{name} and one other outlet"),
        more => format!("{name} and {} others", count(more - 1)),
    }
}

/// What the price, and the market with it, did after a story.
fn followed(facts: &Facts, brief: &Brief, after: &After) -> String {
    let daily = facts.series.volatility(60, 1.0).unwrap_or(1.5);
    let pct = after.pct;
    let fits = (brief.sentiment - 0.5) * pct > 0.0;
    // Something that takes no side cannot be agreed with.
    let takes_side = !(0.45..0.55).contains(&brief.sentiment);
    let moved = match (pct.abs() > daily, fits) {
        (true, _) if !takes_side => format!(
            ", after which the price moved {} by the next close",
            signed(pct)
        ),
        (true, true) => format!(
            ", and the price agreed with {} by the next close",
            signed(pct)
        ),
        (true, false) => format!(
            ", but the price went the other way with {} by the next close",
            signed(pct)
        ),
        (false, _) => {
            let moved = match pct.abs() / daily {
                ..0.2 => "hardly moved",
                ..0.6 if pct > 0.0 => "rose less than on a usual day",
                ..0.6 => "fell less than on a usual day",
                _ if pct > 0.0 => "rose about as on any day",
                _ => "fell about as on any day",
            };
            format!(
                ", and the price {moved} by the next close ({})",
                signed(pct)
            )
        }
    };
    let market = after.market;
    let market = market.map_or_else(String::new, |market| in_the_market(pct, market));
    moved + &market
}

/// What the market did over the period in which the price moved by that much: a reaction that everything shows is not a
/// reaction to this story.
fn in_the_market(own: f64, market: f64) -> String {
    if market.abs() < STILL {
        return " while the market stood still".to_owned();
    }
    let way = if market > 0.0 { "rose" } else { "fell" };
    let beside = match own - market {
        _ if own * market < 0.0 => "against",
        gap if gap.abs() < STILL => "with",
        0.0.. => "ahead of",
        _ => "behind",
    };
    format!(", {beside} a market that {way} {}", pct(market))
}

fn tilt(facts: &Facts, draft: &mut Draft) {
    let about: Vec<&Brief> = facts
        .briefs
        .iter()
        .filter(|brief| brief.role == "subject")
        .collect();
    if about.is_empty() {
        return;
    }
    let weight =
        |brief: &Brief| brief.confidence.max(0.2) * (1.0 + (brief.source_count as f64).ln());
    let total: f64 = about.iter().map(|brief| weight(brief)).sum();
    let lean = about
        .iter()
        .map(|brief| weight(brief) * (brief.sentiment - 0.5))
        .sum::<f64>()
        / total;
    let (good, bad) = (
        about.iter().filter(|brief| brief.sentiment > 0.55).count(),
        about.iter().filter(|brief| brief.sentiment < 0.45).count(),
    );
    let clause = format!(
        "of {} about it in a month {} were good and {} bad",
        counted(about.len(), "report", "reports"),
        count(good),
        count(bad)
    );
    if about.len() >= 3 {
        draft.find(Topic::Coverage, lean * 4.0, clause);
    }
    if let Some(worst) = about
        .iter()
        .filter(|brief| brief.sentiment < 0.4)
        .max_by(|left, right| weight(left).total_cmp(&weight(right)))
    {
        draft.find(
            Topic::Reaction,
            (worst.sentiment - 0.5) * 1.5,
            format!("“{}” weighs on it", foreign(&worst.headline, 90)),
        );
    }
    if let Some(best) = about
        .iter()
        .filter(|brief| brief.sentiment > 0.6)
        .max_by(|left, right| weight(left).total_cmp(&weight(right)))
    {
        draft.find(
            Topic::Business,
            (best.sentiment - 0.5) * 1.5,
            format!("“{}” speaks for it", foreign(&best.headline, 90)),
        );
    }
}

fn volume(facts: &Facts) -> Option<String> {
    let score = facts.of("score").at("components/volume");
    let day = score.and_then(|score| score.whole("briefs_24h"))? as usize;
    let change = score.and_then(|score| score.number("velocity_change_pct"));
    let month = facts.briefs.len();
    if month == 0 {
        return None;
    }
    if month < 3 {
        // The stories themselves say it.
        return None;
    }
    let all = if month >= 30 {
        "at least thirty".to_owned()
    } else {
        count(month)
    };
    let main = facts
        .briefs
        .iter()
        .filter(|brief| brief.role == "subject")
        .count();
    let text = match (day, change) {
        (0, _) => match facts.briefs.iter().find(|brief| is_own(brief)) {
            Some(last) => format!(
                "{} has had no story of its own since “{}” ({}), and {all} briefs in a month",
                facts.name,
                foreign(&last.headline, 110),
                date(&last.published_at)
            ),
            None => match facts.briefs.first() {
                Some(newest) if newest.role == "mentioned" => format!(
                    "{} was only mentioned of late, last on {}, and {all} briefs of a month name it",
                    facts.name,
                    date(&newest.published_at)
                ),
                newest => format!(
                    "{} stands in {all} briefs of a month{}",
                    facts.name,
                    newest.map_or_else(String::new, |newest| format!(
                        ", the newest of {}",
                        date(&newest.published_at)
                    ))
                ),
            },
        },
        (_, Some(change @ 150.0..)) => format!(
            "{} is in the news: {} in 24 hours is {} against the daily average of the week",
            facts.name,
            counted(day, "brief", "briefs"),
            signed(change)
        ),
        (_, Some(change @ 25.0..)) => format!(
            "Coverage is picking up, {} in 24 hours ({} on the week's daily average)",
            counted(day, "brief", "briefs"),
            signed(change)
        ),
        (_, Some(change @ ..-25.0)) => format!(
            "Coverage is thinning out, {} in 24 hours ({} on the week's daily average)",
            counted(day, "brief", "briefs"),
            signed(change)
        ),
        _ => format!(
            "{} draws its usual attention, {} in 24 hours of {all} in the month",
            facts.name,
            counted(day, "brief", "briefs")
        ),
    };
    let share = main as f64 / month as f64;
    let role = match share {
        ..0.25 => format!(
            ", in most of them as a bystander and in {} as the main subject",
            count(main)
        ),
        ..0.4 => format!(", in {} of which it is the main subject", count(main)),
        ..0.6 => format!(
            ", about half of which, {}, have it as their main subject",
            count(main)
        ),
        _ => format!(", {} of which are about it in the first place", count(main)),
    };
    Some(format!("{text}{role}."))
}

/// Contradictions among the briefs read.
fn disagreement(facts: &mut Facts) -> Sentence {
    let ids: Vec<&str> = facts.briefs.iter().map(|brief| &*brief.id).collect();
    let found = facts.of("contradictions").list("contradictions");
    let own: Vec<_> = found
        .iter()
        .filter(|one| one.text("brief_id").is_some_and(|id| ids.contains(&id)))
        .collect();
    let Some(first) = own.first() else {
        return Sentence::default();
    };
    let claims: Vec<String> = first
        .list("claims")
        .iter()
        .take(2)
        .filter_map(|claim| {
            Some(format!(
                "{} writes “{}”",
                foreign(claim.text("source")?, 60),
                foreign(claim.text("claim")?, 140)
            ))
        })
        .collect();
    if claims.len() < 2 {
        return Sentence::default();
    }
    let severity = first.text("severity").unwrap_or("minor");
    let more = match own.len() - 1 {
        0 => String::new(),
        more => format!(
            ", and {} are on record besides",
            counted(more, "further contradiction", "further contradictions")
        ),
    };
    Sentence::from(format!(
        "Outlets contradict each other ({severity}): {}{more}.",
        list(&claims)
    ))
}

/// Whose coverage it is, leaving aside round-ups of many subjects.
fn concentration(facts: &Facts) -> Option<String> {
    let own = facts.briefs.iter();
    let shares =
        crate::reports::bias::outlets_of(own.filter(|brief| brief.instruments < LOOK_AT_MANY));
    let (name, articles) = shares.first()?;
    let all: usize = shares.iter().map(|(_, articles)| articles).sum();
    let share = *articles as f64 / all as f64 * 100.0;
    if all < 5 || share < 30.0 {
        return None;
    }
    let of_all = crate::reports::words::capital(&count(*articles));
    let second = shares
        .get(1)
        .filter(|(_, other)| *other as f64 / all as f64 * 100.0 >= 20.0);
    Some(match second {
        _ if share >= 60.0 => format!(
            "{of_all} of the {} articles behind these briefs are those of {name}: this is close to the view of one outlet.",
            count(all)
        ),
        Some((second, other)) if articles + other == all => format!(
            "{name} and {second} alone wrote the {} articles behind these briefs, with no other outlet to confirm them.",
            count(all)
        ),
        Some((second, other)) if *articles >= 2 * other => format!(
            "{of_all} of the {} articles behind these briefs are by {name} and {} by {second}, so this is mostly the view of the first.",
            count(all),
            count(*other)
        ),
        Some((second, other)) => format!(
            "{name} and {second} wrote {} of the {} articles behind these briefs, and what neither covers is not seen here.",
            count(articles + other),
            count(all)
        ),
        None => format!(
            "{of_all} of the {} articles behind these briefs come from {name}, so that what it leaves out is missing here as well.",
            count(all)
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_told_beside_that_of_the_market() {
        assert_eq!(in_the_market(1.4, 0.1), " while the market stood still");
        assert_eq!(
            in_the_market(1.4, 0.9),
            ", ahead of a market that rose 0.9%"
        );
        assert_eq!(in_the_market(0.4, 0.9), ", behind a market that rose 0.9%");
        assert_eq!(in_the_market(1.0, 0.9), ", with a market that rose 0.9%");
        assert_eq!(
            in_the_market(-1.4, -0.9),
            ", behind a market that fell 0.9%"
        );
        assert_eq!(
            in_the_market(-0.4, -0.9),
            ", ahead of a market that fell 0.9%"
        );
        assert_eq!(
            in_the_market(-1.4, 0.9),
            ", against a market that rose 0.9%"
        );
        assert_eq!(
            in_the_market(1.4, -0.9),
            ", against a market that fell 0.9%"
        );
    }

    #[test]
    fn a_session_is_told_once() {
        let after = |since: &str, pct| After {
            since: since.to_owned(),
            pct,
            market: None,
        };
        let brief = Brief {
            id: "NB".into(),
            headline: "Acme wins an order".into(),
            published_at: "2026-11-04T12:00:00.000Z".into(),
            sentiment: 0.6,
            confidence: 0.7,
            bias: 0.1,
            source_count: 1,
            role: "subject".into(),
            instruments: 1,
            outlets: Vec::new(),
            after: Some(after("2026-11-03T21:00:00.000Z", 0.4)),
        };
        let told = std::slice::from_ref(&brief);
        assert!(is_told(told, &after("2026-11-03T21:00:00.000Z", 0.4)));
        // A price that stood still twice did so in two sessions.
        assert!(!is_told(told, &after("2026-11-04T21:00:00.000Z", 0.4)));
        assert!(!is_told(&[], &after("2026-11-03T21:00:00.000Z", 0.4)));
    }

    #[test]
    fn an_outlet_that_others_repeat_is_not_the_only_one() {
        let outlet = |name: &str, is_copy| Outlet {
            name: name.into(),
            url: String::new(),
            trust: "medium".into(),
            is_copy,
        };
        let (harbour, quay) = (outlet("Harbour Post", false), outlet("Quay Times", true));
        assert_eq!(who(&[]), "outlet unknown");
        assert_eq!(
            who(std::slice::from_ref(&harbour)),
            "only Harbour Post has it"
        );
        assert_eq!(
            who(&[quay.clone(), harbour.clone()]),
            "Harbour Post, repeated by one other"
        );
        // What an outlet repeats of its own still appears only there.
        let again = outlet("Harbour Post", true);
        assert_eq!(who(&[harbour.clone(), again]), "only Harbour Post has it");
        assert_eq!(who(std::slice::from_ref(&quay)), "only Quay Times has it");
        let third = outlet("Pier Gazette", false);
        assert_eq!(
            who(&[harbour, quay, third]),
            "Harbour Post and one other outlet"
        );
    }
}
