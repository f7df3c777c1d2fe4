//! The bias audit of a deep report: whose coverage it rests on, how it leans, how old it is, and what was not there.

use super::analysts::technical::joined;
use super::document::{Block, Section, Sentence};
use super::facts::Facts;
use super::words::{capital, count, counted, date, foreign, list};

/// Outlets of the briefs with their number of articles, most first; copies of others' texts count for nobody.
pub(super) fn outlets(facts: &Facts) -> Vec<(String, usize)> {
    let mut found: Vec<(String, usize)> = Vec::new();
    for outlet in facts
        .briefs
        .iter()
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

pub(super) fn read(facts: &Facts) -> Section {
    if (1..3).contains(&facts.briefs.len()) {
        let few = Sentence::from(format!(
            "{} is no coverage that could be audited: what is said of the news here rests on next to nothing.",
            capital(&counted(facts.briefs.len(), "story", "stories"))
        ));
        let sentences = [few]
            .into_iter()
            .chain(
                Some(data(facts))
                    .filter(|text| !text.is_empty())
                    .map(Sentence::from),
            )
            .collect();
        return Section {
            title: "Bias audit".to_owned(),
            verdict: None,
            blocks: Block::paragraph(sentences).into_iter().collect(),
        };
    }
    let sentences = [
        joined(whose(facts), trust(facts)),
        joined(lean(facts), age(facts)),
        data(facts),
    ];
    let sentences: Vec<Sentence> = sentences
        .into_iter()
        .filter(|text| !text.is_empty())
        .map(Sentence::from)
        .collect();
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
    Section {
        title: "Bias audit".to_owned(),
        verdict: None,
        blocks: Block::paragraph(sentences)
            .into_iter()
            .chain(table)
            .collect(),
    }
}

fn whose(facts: &Facts) -> Option<String> {
    let shares = outlets(facts);
    let (name, articles) = shares.first()?.clone();
    let all: usize = shares.iter().map(|(_, articles)| articles).sum();
    let share = articles as f64 / all as f64 * 100.0;
    let copies = facts
        .briefs
        .iter()
        .flat_map(|brief| &brief.outlets)
        .filter(|outlet| outlet.is_copy)
        .count();
    let single = facts
        .briefs
        .iter()
        .filter(|brief| brief.source_count < 2)
        .count();
    let text = match (shares.len(), share) {
        (1, _) => format!(
            "All of its news comes from one outlet, {name}: nobody else was there to contradict"
        ),
        (_, 40.0..) => format!(
            "{name} wrote {:.0}% of the {} articles behind it, so that its view weighs heavily",
            share,
            count(all)
        ),
        (outlets, 20.0..) => format!(
            "{} articles of {} outlets stand behind it, {:.0}% of them by {name}",
            capital(&count(all)),
            count(outlets),
            share
        ),
        (outlets, _) => format!(
            "Its news is spread widely: {} articles of {} outlets, none with more than {:.0}%",
            count(all),
            count(outlets),
            share
        ),
    };
    let repeated = if copies > 0 {
        format!(
            "; {} repeat others and are not counted",
            counted(copies, "more", "more")
        )
    } else {
        String::new()
    };
    let alone = match single as f64 / facts.briefs.len().max(1) as f64 {
        0.6.. => format!(
            "; {} of its {} stories rest on one source only",
            count(single),
            count(facts.briefs.len())
        ),
        0.25.. => format!("; {} stories rest on one source only", count(single)),
        _ => String::new(),
    };
    Some(format!("{text}{repeated}{alone}."))
}

fn trust(facts: &Facts) -> Option<String> {
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
    Some(match (high, low, unknown) {
        (_, _, 60.0..) => format!(
            "How far {unknown:.0}% of them may be trusted is not on record, so their agreement proves less than it seems."
        ),
        (_, 25.0.., _) => format!(
            "A good part, {low:.0}%, comes from outlets of low trust; {high:.0}% from outlets of high trust."
        ),
        (60.0.., ..) => format!("Most of it, {high:.0}%, comes from outlets of high trust."),
        _ => {
            let parts: Vec<String> = [
                (high, "of high trust"),
                (low, "of low trust"),
                (unknown, "without a rating"),
            ]
            .into_iter()
            .filter(|(share, _)| *share >= 0.5)
            .map(|(share, words)| format!("{share:.0}% from outlets {words}"))
            .collect();
            if parts.is_empty() {
                "All of it comes from outlets of medium trust.".to_owned()
            } else {
                format!(
                    "It comes {}{}.",
                    list(&parts),
                    if high + low + unknown < 99.0 {
                        ", the rest from those of medium trust"
                    } else {
                        ""
                    }
                )
            }
        }
    })
}

fn lean(facts: &Facts) -> Option<String> {
    let all = facts.briefs.len();
    if all == 0 {
        return None;
    }
    let (good, bad) = (
        facts
            .briefs
            .iter()
            .filter(|brief| brief.sentiment > 0.55)
            .count(),
        facts
            .briefs
            .iter()
            .filter(|brief| brief.sentiment < 0.45)
            .count(),
    );
    let bias = facts.briefs.iter().map(|brief| brief.bias).sum::<f64>() / all as f64;
    let worst = facts
        .briefs
        .iter()
        .max_by(|left, right| left.bias.total_cmp(&right.bias))?;
    let sided = good.max(bad) as f64 / (good + bad).max(1) as f64;
    let text = match (sided, good >= bad) {
        _ if good + bad < 3 => format!(
            "Too few of its {} take a side for the coverage to be called one-sided",
            counted(all, "story", "stories")
        ),
        (0.8.., true) => format!(
            "The coverage is one-sided: {} favourable stories stand against {}",
            count(good),
            count(bad)
        ),
        (0.8.., false) => format!(
            "The coverage is one-sided: {} unfavourable stories stand against {}",
            count(bad),
            count(good)
        ),
        (0.6.., true) => format!(
            "Favourable stories are in the majority, {} to {}",
            count(good),
            count(bad)
        ),
        (0.6.., false) => format!(
            "Unfavourable stories are in the majority, {} to {}",
            count(bad),
            count(good)
        ),
        _ => format!(
            "Both sides are heard, in {} favourable and {} unfavourable stories",
            count(good),
            count(bad)
        ),
    };
    let wording = match bias {
        0.35.. => format!("; the wording is heated throughout (bias {bias:.2} from 0 to 1)"),
        0.2.. => format!(
            "; the wording is coloured in places (mean bias {bias:.2}, {:.2} in “{}”)",
            worst.bias,
            foreign(&worst.headline, 70)
        ),
        _ if worst.bias > 0.35 => format!(
            "; the wording is sober but for “{}” ({:.2})",
            foreign(&worst.headline, 70),
            worst.bias
        ),
        _ => format!("; the wording is sober (mean bias {bias:.2})"),
    };
    Some(format!("{text}{wording}."))
}

fn age(facts: &Facts) -> Option<String> {
    let (newest, oldest) = (facts.briefs.first()?, facts.briefs.last()?);
    let today = facts.day()?;
    let of = |time: &str| model::Day::parse(time.get(..10)?);
    let mut ages: Vec<f64> = facts
        .briefs
        .iter()
        .filter_map(|brief| Some(f64::from(today.since(of(&brief.published_at)?))))
        .collect();
    ages.sort_by(f64::total_cmp);
    let middle = super::series::quantile(&ages, 0.5)?.max(0.0);
    let (first, last) = (date(&oldest.published_at), date(&newest.published_at));
    let figures = facts
        .of("financials")
        .text("period_end")
        .and_then(|end| Some((date(end), today.since(model::Day::parse(end)?))));
    let text = match middle {
        ..3.0 => format!(
            "It is fresh: half of the stories are younger than {} days, from {first} to {last}",
            count(middle.ceil().max(1.0) as usize)
        ),
        ..10.0 => format!(
            "The stories date from {first} to {last}, half of them within {} days",
            count(middle.ceil() as usize)
        ),
        _ => format!(
            "Much of it is old news: half of the stories are {} days old or more ({first} to {last})",
            count(middle as usize)
        ),
    };
    let books = figures.map_or_else(String::new, |(end, age)| match age {
        150.. => format!("; the company's figures end as early as {end}"),
        100.. => format!("; the company's figures end on {end}, a report ago"),
        _ => format!("; the company's figures are of {end}"),
    });
    Some(format!("{text}{books}."))
}

fn data(facts: &Facts) -> String {
    let asked = facts.answered();
    let history = facts.series.len();
    // What is missing stands in a table of its own.
    let whole = facts.missing.is_empty().then(|| {
        format!(
            "None of the {} sources that were asked was empty.",
            count(asked)
        )
    });
    let short = (history < 300).then(|| {
        format!(
            "The price history is short, {} sessions, and what is said of its past rests on little.",
            count(history)
        )
    });
    joined(whole, short)
}
