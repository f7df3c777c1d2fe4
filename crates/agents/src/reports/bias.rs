//! The bias audit of a deep report: whose coverage it is based on, how it leans, how old it is, and what was missing.

use super::analysts::news::is_own;
use super::document::{Block, Section};
use super::facts::{Brief, Facts, Outlet};
use super::points::{Point, Theme, sentences};
use super::words::{count, date, foreign};

/// Outlets of the briefs with their number of articles, most first; copies of other outlets' texts are not counted.
pub(super) fn outlets(facts: &Facts) -> Vec<(String, usize)> {
    outlets_of(facts.briefs.iter())
}

/// The outlets of some briefs with their number of articles, most first; copies are not counted as theirs.
pub(super) fn outlets_of<'a>(briefs: impl Iterator<Item = &'a Brief>) -> Vec<(String, usize)> {
    let mut found: Vec<(String, usize)> = Vec::new();
    for outlet in briefs
        .flat_map(|brief| &brief.outlets)
        .filter(|outlet| !outlet.is_copy)
    {
        let name = foreign(&outlet.name, 60);
        match found.iter_mut().find(|(known, _)| *known == name) {
            Some((_, articles)) => *articles += 1,
            None => found.push((name, 1)),
        }
    }
    found.sort_by(|left, right| right.1.cmp(&left.1).then_with(|| left.0.cmp(&right.0)));
    found
}

/// The fewest stories from which an audit is meaningful.
pub(super) const LEAST_STORIES: usize = 3;

/// The audit; nothing if there is too little to audit.
pub(super) fn read(facts: &Facts) -> Option<Section> {
    if facts.briefs.len() < LEAST_STORIES {
        return None;
    }
    let points = [
        whose(facts),
        single(facts),
        trust(facts),
        sides(facts),
        wording(facts),
        age(facts),
        figures(facts),
    ]
    .into_iter()
    .flatten()
    .map(|(side, weight, clause)| Point::new(Theme::Coverage, side, weight, clause))
    .collect();
    let sentences = sentences(points, 1, 3);
    let shares = outlets(facts);
    let all: usize = shares.iter().map(|(_, articles)| articles).sum();
    let rows = shares.iter().take(8).map(|(name, articles)| {
        let own: Vec<f64> = facts
            .briefs
            .iter()
            .filter(|brief| {
                brief
                    .outlets
                    .iter()
                    .any(|outlet| !outlet.is_copy && foreign(&outlet.name, 60) == *name)
            })
            .map(|brief| brief.sentiment)
            .collect();
        let mean = own.iter().sum::<f64>() / own.len().max(1) as f64;
        vec![
            name.clone(),
            articles.to_string(),
            format!("{:.0}%", *articles as f64 / all.max(1) as f64 * 100.0),
            format!("{mean:.2}"),
        ]
    });
    let table = (all > 0).then(|| Block::Table {
        caption: "Who wrote it".to_owned(),
        head: [
            "Outlet",
            "Articles",
            "Share",
            "Mean sentiment of its stories",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: rows.collect(),
    });
    Some(Section {
        title: "Bias audit".to_owned(),
        verdict: None,
        blocks: Block::paragraph(sentences)
            .into_iter()
            .chain(table)
            .collect(),
    })
}

/// Side, weight and clause.
type Found = Option<(f64, f64, String)>;

/// Whose coverage it is.
fn whose(facts: &Facts) -> Found {
    let shares = outlets(facts);
    let (name, articles) = shares.first()?.clone();
    let all: usize = shares.iter().map(|(_, articles)| articles).sum();
    let share = articles as f64 / all as f64 * 100.0;
    let second = shares
        .get(1)
        .map(|(name, _)| name.clone())
        .unwrap_or_default();
    let number = count(all);
    Some(match (shares.len(), share) {
        (1, _) => (
            -1.0,
            0.8,
            format!("all of its news comes from {name}, with nobody to contradict it"),
        ),
        (_, 40.0..) => (
            -1.0,
            0.4 + share / 200.0,
            format!("{name} wrote {share:.0}% of the {number} articles behind its stories"),
        ),
        (outlets, 20.0..) => (
            0.0,
            0.3,
            format!(
                "{number} articles of {} outlets stand behind its stories, {name} with the most",
                count(outlets)
            ),
        ),
        (outlets, _) => (
            1.0,
            0.4,
            format!(
                "its news is spread over {} outlets, of which {name} and {second} wrote most",
                count(outlets)
            ),
        ),
    })
}

/// Stories with a single source, and articles that repeat others.
fn single(facts: &Facts) -> Found {
    let copies: usize = facts.briefs.iter().map(copies_of).sum();
    let all = facts.briefs.len();
    let single = facts
        .briefs
        .iter()
        .filter(|brief| brief.source_count < 2)
        .count();
    let share = single as f64 / all.max(1) as f64;
    match (share, copies) {
        (0.5.., _) => Some((
            -1.0,
            0.2 + share * 0.5,
            format!(
                "{} of its {} stories rest on a single source",
                count(single),
                count(all)
            ),
        )),
        (..0.1, 0) if all > 4 => Some((
            1.0,
            0.4,
            "next to none of its stories rests on a single source".to_owned(),
        )),
        (_, 3..) => Some((-1.0, 0.4, repeats(&facts.briefs))),
        _ => None,
    }
}

/// The articles of a story that repeat others.
fn copies_of(brief: &Brief) -> usize {
    brief.outlets.iter().filter(|one| one.is_copy).count()
}

/// What is repeated by the articles that repeat others, and how they compare with the original ones.
fn repeats(briefs: &[Brief]) -> String {
    let copies: usize = briefs.iter().map(copies_of).sum();
    let all: usize = briefs.iter().map(|brief| brief.outlets.len()).sum();
    let originals = all - copies;
    let copied = briefs.iter().filter(|brief| copies_of(brief) > 0).count();
    let most = briefs.iter().max_by_key(|brief| copies_of(brief));
    let largest = most.map_or(0, copies_of);
    let headline = most.map_or_else(String::new, |brief| foreign(&brief.headline, 70));
    let often = if largest > 1 {
        format!(", most often “{headline}”,")
    } else {
        String::new()
    };
    let number = count(copies);
    match copies as f64 / all.max(1) as f64 {
        _ if copied == 1 => format!(
            "all {number} articles that repeat others are copies of one story, “{headline}”, and are not counted"
        ),
        _ if largest * 2 > copies => format!(
            "{} of the {number} articles that only repeat others, and are not counted, carry “{headline}”",
            count(largest)
        ),
        _ if copies > originals => format!(
            "copies, which are not counted, outnumber original articles {number} to {}{}",
            count(originals),
            often.trim_end_matches(',')
        ),
        ..0.15 => format!(
            "only {number} of {} articles repeat others{often} and these are not counted",
            count(all)
        ),
        _ if copied * 2 > briefs.len() => format!(
            "{} of its {} stories were copied{often} in {number} articles that are not counted",
            count(copied),
            count(briefs.len())
        ),
        _ => format!("{number} articles repeat those of others{often} and are not counted"),
    }
}

/// How far its outlets are trusted.
fn trust(facts: &Facts) -> Found {
    let all: Vec<_> = facts
        .briefs
        .iter()
        .flat_map(|brief| &brief.outlets)
        .filter(|outlet| !outlet.is_copy)
        .collect();
    if all.is_empty() {
        return None;
    }
    let of = |level: &str| {
        all.iter().filter(|outlet| outlet.trust == level).count() as f64 / all.len() as f64 * 100.0
    };
    let (high, low, unknown) = (of("high"), of("low"), of("unknown"));
    match (high, low, unknown) {
        (_, _, 60.0..) => Some((
            -1.0,
            0.5,
            format!("how far {unknown:.0}% of its outlets may be trusted is not on record"),
        )),
        (_, 20.0.., _) => Some((
            -1.0,
            0.3 + low / 100.0,
            format!("outlets of low trust wrote {low:.0}% of it"),
        )),
        (55.0.., ..) => Some((1.0, 0.1 + high / 200.0, trusted(&all, high, low, unknown))),
        (..10.0, ..) => Some((
            -1.0,
            0.4,
            "hardly any of it was written by an outlet of high trust".to_owned(),
        )),
        _ => None,
    }
}

/// Coverage that mostly comes from high-trust outlets: which of them leads, and who wrote the rest. Shares in percent.
fn trusted(all: &[&Outlet], high: f64, low: f64, unknown: f64) -> String {
    let of_trust = || all.iter().filter(|outlet| outlet.trust == "high");
    let by = |name: &str| of_trust().filter(|outlet| outlet.name == name).count();
    let leader = of_trust()
        .map(|outlet| (by(&outlet.name), &outlet.name))
        .max_by(|left, right| left.0.cmp(&right.0).then(right.1.cmp(left.1)));
    match leader {
        _ if high > 99.9 => "every article was written by an outlet of high trust".to_owned(),
        // An outlet with two fifths of all is named in the part on whose coverage it is.
        Some((own, name)) if own * 2 > of_trust().count() && own * 5 < all.len() * 2 => format!(
            "outlets of high trust wrote {high:.0}% of it, {} alone more than half of that",
            foreign(name, 60)
        ),
        _ if low >= 0.5 => format!(
            "outlets of high trust wrote {high:.0}% of it, against {low:.0}% from outlets of low trust"
        ),
        _ if unknown >= 0.5 => format!(
            "outlets of high trust wrote {high:.0}% of it, while {unknown:.0}% comes from outlets whose trust is not on record"
        ),
        _ => format!(
            "{high:.0}% of it was written by outlets of high trust and the rest by outlets of medium trust"
        ),
    }
}

/// Whether both sides are heard.
fn sides(facts: &Facts) -> Found {
    let of = |wanted: &dyn Fn(f64) -> bool| {
        facts
            .briefs
            .iter()
            .filter(|brief| wanted(brief.sentiment))
            .count()
    };
    let (good, bad) = (of(&|score| score > 0.55), of(&|score| score < 0.45));
    if good + bad < LEAST_STORIES {
        return None;
    }
    let sided = good.max(bad) as f64 / (good + bad) as f64;
    let (many, few) = (count(good.max(bad)), count(good.min(bad)));
    Some(match (sided, good >= bad) {
        (0.8.., true) => (
            -1.0,
            0.6,
            format!("the coverage is one-sided, with {many} favourable stories against {few}"),
        ),
        (0.8.., false) => (
            -1.0,
            0.6,
            format!("the coverage is one-sided, with {many} unfavourable stories against {few}"),
        ),
        (0.6.., true) => (
            0.0,
            0.25,
            format!("favourable stories are in the majority, {many} to {few}"),
        ),
        (0.6.., false) => (
            0.0,
            0.25,
            format!("unfavourable stories are in the majority, {many} to {few}"),
        ),
        _ => (
            1.0,
            0.35,
            format!(
                "both sides are heard, in {} favourable and {} unfavourable stories{}",
                count(good),
                count(bad),
                ends(facts)
            ),
        ),
    })
}

/// The most and the least favourable story about the subject.
fn ends(facts: &Facts) -> String {
    let own = || facts.briefs.iter().filter(|brief| is_own(brief));
    let by = |left: &&Brief, right: &&Brief| left.sentiment.total_cmp(&right.sentiment);
    let headline = |brief: &Brief| foreign(&brief.headline, 70);
    let best = own().max_by(by).filter(|best| best.sentiment > 0.55);
    let worst = own().min_by(by).filter(|worst| worst.sentiment < 0.45);
    match (best, worst) {
        (Some(best), Some(worst)) => {
            format!(", from “{}” to “{}”", headline(best), headline(worst))
        }
        (Some(best), None) => format!(", “{}” being the kindest of its own", headline(best)),
        (None, Some(worst)) => format!(", “{}” being the harshest of its own", headline(worst)),
        (None, None) => String::new(),
    }
}

/// Heated wording.
fn wording(facts: &Facts) -> Found {
    let all = facts.briefs.len();
    let bias = facts.briefs.iter().map(|brief| brief.bias).sum::<f64>() / all.max(1) as f64;
    let worst = facts
        .briefs
        .iter()
        .max_by(|left, right| left.bias.total_cmp(&right.bias))?;
    let headline = foreign(&worst.headline, 70);
    match bias {
        0.35.. => Some((
            -1.0,
            0.7,
            format!(
                "the wording is heated throughout (bias {bias:.2} from 0 to 1), most of all in “{headline}”"
            ),
        )),
        0.2.. => Some((
            -1.0,
            0.45,
            format!(
                "the wording is coloured in places, most of all in “{headline}” (bias {:.2} from 0 to 1)",
                worst.bias
            ),
        )),
        _ if worst.bias > 0.35 => Some((
            0.0,
            0.45,
            format!(
                "the wording is sober but for “{headline}” (bias {:.2} from 0 to 1)",
                worst.bias
            ),
        )),
        _ => None,
    }
}

/// Old news.
fn age(facts: &Facts) -> Found {
    let of = |time: &str| model::Day::parse(time.get(..10)?);
    let mut ages: Vec<f64> = facts
        .briefs
        .iter()
        .filter_map(|brief| Some(f64::from(facts.now.since(of(&brief.published_at)?))))
        .collect();
    ages.sort_by(f64::total_cmp);
    let middle = super::series::quantile(&ages, 0.5)?.max(0.0);
    match middle {
        ..3.0 => Some((
            1.0,
            0.35,
            format!(
                "half of its stories are younger than {} days",
                count(middle.ceil().max(1.0) as usize + 1)
            ),
        )),
        ..14.0 => None,
        _ => {
            let newest = match ages[0].max(0.0) as usize {
                ..2 => "though the newest is of the last day".to_owned(),
                days @ ..7 => format!("the newest being {} days old", count(days)),
                days => format!("and none is younger than {} days", count(days)),
            };
            Some((
                -1.0,
                0.2 + middle / 60.0,
                format!(
                    "much of it is old news, half of the stories being {} days old or more, {newest}",
                    count(middle as usize)
                ),
            ))
        }
    }
}

/// Company figures that are old, and prices that do not reach back far enough.
fn figures(facts: &Facts) -> Found {
    let end = facts.of("financials").text("period_end");
    let age = end.and_then(|end| Some(facts.now.since(model::Day::parse(end)?)));
    let history = facts.series.len();
    match (end, age) {
        (Some(end), Some(age @ 150..)) => Some((
            -1.0,
            0.6,
            format!(
                "the company's figures end as early as {}, {age} days ago",
                date(end)
            ),
        )),
        (Some(end), Some(100..)) => Some((
            -1.0,
            0.35,
            format!(
                "the company's figures end on {} and are due to be replaced",
                date(end)
            ),
        )),
        _ if history < 300 => Some((
            -1.0,
            0.6,
            format!(
                "with {} sessions the price history is short",
                count(history)
            ),
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brief(headline: &str, originals: usize, copies: usize) -> Brief {
        let outlet = |is_copy: bool| Outlet {
            name: "Wire".to_owned(),
            url: String::new(),
            trust: "high".to_owned(),
            is_copy,
        };
        let first = std::iter::repeat_with(|| outlet(false)).take(originals);
        let again = std::iter::repeat_with(|| outlet(true)).take(copies);
        Brief {
            id: headline.to_owned(),
            headline: headline.to_owned(),
            published_at: "2026-11-01T10:00:00Z".to_owned(),
            sentiment: 0.5,
            confidence: 0.5,
            bias: 0.0,
            source_count: 2,
            role: "subject".to_owned(),
            instruments: 1,
            outlets: first.chain(again).collect(),
            after: None,
        }
    }

    #[test]
    fn copies_are_reported_by_what_they_copy() {
        let check = |stories: &[(&str, usize, usize)], expected: &str| {
            let briefs: Vec<Brief> = stories
                .iter()
                .map(|(headline, originals, copies)| brief(headline, *originals, *copies))
                .collect();
            assert_eq!(repeats(&briefs), expected);
        };
        check(
            &[("A", 2, 3), ("B", 2, 0)],
            "all three articles that repeat others are copies of one story, “A”, and are not counted",
        );
        check(
            &[("A", 2, 3), ("B", 2, 1)],
            "three of the four articles that only repeat others, and are not counted, carry “A”",
        );
        check(
            &[("A", 1, 2), ("B", 1, 2), ("C", 1, 1)],
            "copies, which are not counted, outnumber original articles five to three, most often “B”",
        );
        check(
            &[("A", 15, 1), ("B", 15, 1), ("C", 15, 1)],
            "only three of 48 articles repeat others and these are not counted",
        );
        check(
            &[("A", 2, 1), ("B", 2, 1), ("C", 2, 1), ("D", 2, 0)],
            "three of its four stories were copied in three articles that are not counted",
        );
    }

    #[test]
    fn trusted_coverage_says_who_wrote_the_rest() {
        let outlet = |name: &str, trust: &str| Outlet {
            name: name.to_owned(),
            url: String::new(),
            trust: trust.to_owned(),
            is_copy: false,
        };
        let check = |outlets: &[(&str, &str)], expected: &str| {
            let all: Vec<Outlet> = outlets
                .iter()
                .map(|(name, trust)| outlet(name, trust))
                .collect();
            let of = |level: &str| {
                all.iter().filter(|one| one.trust == level).count() as f64 / all.len() as f64
                    * 100.0
            };
            let text = trusted(
                &all.iter().collect::<Vec<_>>(),
                of("high"),
                of("low"),
                of("unknown"),
            );
            assert_eq!(text, expected);
        };
        check(
            &[("A", "high"), ("B", "high")],
            "every article was written by an outlet of high trust",
        );
        check(
            &[("A", "high"), ("B", "high"), ("C", "medium")],
            "67% of it was written by outlets of high trust and the rest by outlets of medium trust",
        );
        check(
            &[("A", "high"), ("B", "high"), ("C", "low")],
            "outlets of high trust wrote 67% of it, against 33% from outlets of low trust",
        );
        check(
            &[
                ("A", "high"),
                ("A", "high"),
                ("B", "high"),
                ("C", "medium"),
                ("D", "medium"),
                ("E", "unknown"),
            ],
            // A third of all is two thirds of what high-trust outlets wrote.
            "outlets of high trust wrote 50% of it, A alone more than half of that",
        );
    }
}
