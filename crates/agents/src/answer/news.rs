//! Writes about the news: briefs, events, contradictions, topics, and the verdict on a claim.

use query::{Instrument, Intent};

use super::{OPEN, Page, Sheet};
use crate::figures::{count, day, percent, quoted, sentence};
use crate::view::{View, stems};

/// The most briefs to list.
const NAMED: usize = 5;

/// Of these briefs, those that contain most of the words that were searched for, the newest first.
fn newest_of_nearest(briefs: &mut Vec<View<'_>>, topic: &str) {
    let stems = stems(topic);
    let held = |brief: &View<'_>| brief.held(&stems);
    let most = briefs.iter().map(held).max().unwrap_or_default();
    // One word out of several may be expressed differently.
    let least = if most > 2 { most - 1 } else { most };
    briefs.retain(|brief| held(brief) >= least);
    briefs.sort_by(|left, right| right.told_at().cmp(&left.told_at()));
}

/// Whether none of these briefs contains a third of the several words that were searched for.
fn is_beside(briefs: &[View<'_>], topic: &str) -> bool {
    let stems = stems(topic);
    let most = briefs.iter().map(|brief| brief.held(&stems)).max();
    stems.len() >= 2 && most.is_some_and(|most| 3 * most < stems.len())
}

/// A brief in one line: headline, date, id.
pub(super) fn line(brief: View<'_>) -> Option<String> {
    let headline = quoted(brief.text("headline")?);
    let date = brief.told_at().map(day);
    let id = brief.text("id").or_else(|| brief.text("brief_id"));
    Some(match (date, id) {
        (Some(date), Some(id)) => format!("{headline} ({date}, {id})"),
        (Some(date), None) => format!("{headline} ({date})"),
        (None, Some(id)) => format!("{headline} ({id})"),
        (None, None) => headline,
    })
}

pub(super) fn write(page: &Page<'_>, sheet: &mut Sheet) {
    context(page, sheet);
    briefs(page, sheet);
    events(page, sheet);
    contradictions(page, sheet);
}

fn briefs(page: &Page<'_>, sheet: &mut Sheet) {
    let instruments = &page.reading.instruments;
    if instruments.is_empty() {
        for key in ["news", "trending"] {
            let Some(result) = page.get(key) else {
                continue;
            };
            let mut briefs = result.list("briefs");
            if key == "news" && page.plan.asks_newest {
                newest_of_nearest(&mut briefs, &page.reading.topic);
            }
            if let Some(since) = result.text("since") {
                since_close(result, since, sheet);
                sheet
                    .news
                    .extend(briefs.into_iter().take(NAMED).filter_map(line));
                continue;
            }
            let context = page.get("context");
            let has_no_context = context.is_some_and(|all| all.whole("brief_count") == Some(0));
            let is_answer =
                page.wants(Intent::News) || page.wants(Intent::WhyMoved) || has_no_context;
            // A category holds what is about it in whatever words.
            let mut steps = page.plan.steps.iter();
            let is_of_category =
                steps.any(|step| step.key == "news" && step.operation == "list_briefs");
            if key == "news" && !is_of_category && is_beside(&briefs, &page.reading.topic) {
                let topic = quoted(&page.reading.topic);
                sheet.lead(format!(
                    "No brief is about “{topic}”; those that come nearest follow."
                ));
                sheet.at_most(OPEN);
                sheet
                    .news
                    .extend(briefs.into_iter().take(NAMED).filter_map(line));
                continue;
            }
            match briefs.first() {
                // The background has already said so.
                None if has_no_context => {}
                None if key == "news" => {
                    let topic = quoted(&page.reading.topic);
                    sheet.unknown(if topic.is_empty() {
                        "No brief of that time is on record.".to_owned()
                    } else {
                        format!("No brief is about “{topic}”.")
                    });
                }
                None => {
                    if let Some(newest) = result.text("meta/newest_available") {
                        sheet.unknown(format!(
                            "Nothing is trending; the newest brief on record is of {}.",
                            day(newest)
                        ));
                    }
                }
                Some(first) if is_answer && sheet.lead.is_empty() => {
                    let headline = quoted(first.text("headline").unwrap_or_default());
                    let date = first.told_at().map(day).unwrap_or_default();
                    sheet.lead(format!("**{headline}** ({date})."));
                    if let Some(summary) = first.text("summary") {
                        sheet.lead(quoted(summary));
                    }
                }
                _ => {}
            }
            sheet
                .news
                .extend(briefs.into_iter().take(NAMED).filter_map(line));
        }
        return;
    }
    let is_one = instruments.len() == 1;
    let has_matter = on_matter(page, sheet);
    for instrument in instruments {
        let symbol = instrument.symbol.as_str();
        let Some(news) = page.of("news", symbol) else {
            continue;
        };
        let briefs = news.list("briefs");
        match briefs.first() {
            None => {
                let reason = news.why_empty();
                sheet.unknown(format!(
                        "News of {symbol}: {}.",
                        reason.unwrap_or_else(
                            || "no brief in the period mentions this symbol".to_owned()
                        )
                    ));
            }
            // What was found on the question comes first.
            Some(_) if is_one && has_matter => {}
            Some(first) if page.wants(Intent::News) && is_one => {
                let headline = quoted(first.text("headline").unwrap_or_default());
                let date = first.told_at().map(day).unwrap_or_default();
                sheet.lead(format!(
                    "The newest on **{}**: **{headline}** ({date}).",
                    quoted(&instrument.name)
                ));
                if let Some(summary) = first.text("summary") {
                    sheet.lead(quoted(summary));
                }
            }
            Some(_) => {}
        }
        let lines = briefs.into_iter().take(NAMED).filter_map(line);
        for line in lines {
            if !is_one {
                sheet.news.push(format!("{symbol}: {line}"));
            } else if !sheet.news.contains(&line) {
                sheet.news.push(line);
            }
        }
    }
}

/// The reports, found by a search, on what is asked about the instruments; or that there are none. Returns whether
/// there are any.
fn on_matter(page: &Page<'_>, sheet: &mut Sheet) -> bool {
    let Some(found) = page.get("search") else {
        return false;
    };
    let instruments = page.reading.instruments.iter();
    let names: Vec<String> = instruments.map(|one| quoted(&one.name)).collect();
    let names = names.join(" or ");
    let mut briefs = found.list("briefs");
    // A report on something else about the company, or on the same matter at another company, is not about the
    // question.
    let step = page.plan.steps.iter().find(|step| step.key == "search");
    let asked = step.and_then(|step| step.arguments.get("q")?.as_str());
    if let Some(asked) = asked.filter(|_| page.reading.fact.is_some()) {
        let stems = stems(asked);
        briefs.retain(|brief| brief.held(&stems) == stems.len());
    }
    let Some(first) = briefs.first() else {
        sheet.unknown(format!(
            "No report that names {names} covers the rest of the question."
        ));
        return false;
    };
    let headline = quoted(first.text("headline").unwrap_or_default());
    let date = first.told_at().map(day).unwrap_or_default();
    sheet.lead(format!("On the question: **{headline}** ({date})."));
    if let Some(summary) = first.text("summary") {
        sheet.lead(quoted(summary));
    }
    sheet
        .news
        .extend(briefs.into_iter().take(NAMED).filter_map(line));
    true
}

/// How much was published while the exchange was closed.
fn since_close(news: View<'_>, since: &str, sheet: &mut Sheet) {
    let number = news.whole("briefs_in_that_time").unwrap_or_default();
    let time = since.get(11..16).unwrap_or_default();
    let close = format!("the close of {} at {time} UTC", day(since));
    sheet.lead(match number {
        0 => format!("No brief was published since {close}."),
        _ => format!(
            "{}{} since {close}; those with the most sources stand first.",
            if news.flag("is_complete") {
                ""
            } else {
                "At least "
            },
            count(number, "brief was published", "briefs were published"),
        ),
    });
}

fn events(page: &Page<'_>, sheet: &mut Sheet) {
    let instruments = &page.reading.instruments;
    let mut found: Vec<(Option<&str>, View<'_>)> = Vec::new();
    if instruments.is_empty() {
        found.extend(page.get("events").map(|events| (None, events)));
    }
    for instrument in instruments {
        let symbol = instrument.symbol.as_str();
        found.extend(
            page.of("events", symbol)
                .map(|events| (Some(symbol), events)),
        );
    }
    for (symbol, result) in found {
        let events = of_question(page, symbol, result.list("events"));
        let time = window(page, result);
        if events.is_empty() {
            if page.wants(Intent::Events) {
                let kind = match page.reading.event {
                    Some("ipo") => "IPO",
                    Some(kind) => kind,
                    None => "event",
                };
                let of = symbol
                    .map(|symbol| format!(" with {symbol}"))
                    .unwrap_or_default();
                sheet.lead(format!("No {kind}{of} was reported {time}."));
            }
            continue;
        }
        let rows: Vec<String> = events
            .iter()
            .take(10)
            .filter_map(|event| {
                Some(format!(
                    "| {} | {} | {} | {} | {} |",
                    day(event.text("date")?),
                    event.text("type")?,
                    quoted(event.text("subject").unwrap_or("–")),
                    quoted(event.text("object").unwrap_or("–")),
                    quoted(event.text("headline").unwrap_or("–"))
                ))
            })
            .collect();
        if page.wants(Intent::Events) {
            sheet.lead(format!(
                "{}{} reported {time}:",
                count(events.len() as u64, "event", "events"),
                symbol
                    .map(|symbol| format!(" with {symbol}"))
                    .unwrap_or_default()
            ));
        }
        sheet.blocks.push(format!(
            "| Date | Event | Who | Whom | Headline |\n|---|---|---|---|---|\n{}",
            rows.join("\n")
        ));
    }
}

/// The names of an instrument.
fn names_of(instrument: &Instrument) -> [&str; 2] {
    [instrument.name.as_str(), instrument.symbol.as_str()]
}

/// Whether a text contains a name in whole words: `Meta` does not match `metal`.
fn says(text: &str, name: &str) -> bool {
    let mut found = text.match_indices(name);
    found.any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        ![before, after]
            .into_iter()
            .flatten()
            .any(char::is_alphanumeric)
    })
}

/// The events for the question: those that name its instrument in whole words and were reported within its time.
fn of_question<'a>(page: &Page<'_>, symbol: Option<&str>, events: Vec<View<'a>>) -> Vec<View<'a>> {
    let mut instruments = page.reading.instruments.iter();
    let instrument =
        symbol.and_then(|symbol| instruments.find(|one| one.symbol.as_str() == symbol));
    let from = first_day(page);
    let is_asked = |event: &View<'_>| {
        let of = instrument.is_none_or(|instrument| {
            let text = |field: &str| event.text(field).unwrap_or_default();
            names_of(instrument).iter().any(|name| {
                ["subject", "object", "headline"]
                    .iter()
                    .any(|field| says(text(field), name))
            })
        });
        let stated = event.text("first_stated_at").unwrap_or_default();
        of && from.as_deref().is_none_or(|from| stated >= from)
    };
    events.into_iter().filter(is_asked).collect()
}

fn first_day(page: &Page<'_>) -> Option<String> {
    let when = &page.reading.when;
    let from = when.from.filter(|_| !when.is_ahead)?;
    Some(from.to_string())
}

/// The period within which events were reported.
fn window(page: &Page<'_>, result: View<'_>) -> String {
    let from = first_day(page).or_else(|| result.text("meta/from").map(str::to_owned));
    match (from, result.text("meta/to")) {
        (Some(from), Some(to)) => format!("from {} to {}", day(&from), crate::figures::day_of(to)),
        _ => "in the last 30 days".to_owned(),
    }
}

fn contradictions(page: &Page<'_>, sheet: &mut Sheet) {
    let Some(result) = page.get("contradictions") else {
        return;
    };
    let names: Vec<&str> = page.reading.instruments.iter().flat_map(names_of).collect();
    let all = result.list("contradictions");
    // A statement about one company does not contradict one about another.
    let is_about = |one: &View<'_>, instrument: &Instrument| {
        let own = names_of(instrument);
        let claims: Vec<&str> = one
            .list("claims")
            .into_iter()
            .filter_map(|claim| claim.text("claim"))
            .collect();
        let headline = one.text("headline").unwrap_or_default();
        let names_it = |text: &str| own.iter().any(|name| says(text, name));
        let names_other = |text: &str| names.iter().any(|name| says(text, name)) && !names_it(text);
        (names_it(headline) || claims.iter().any(|claim| names_it(claim)))
            && !claims.iter().any(|claim| names_other(claim))
    };
    let instruments = &page.reading.instruments;
    let about: Vec<&View<'_>> = all
        .iter()
        .filter(|one| {
            instruments.is_empty() && is_of_topic(page, **one)
                || instruments
                    .iter()
                    .any(|instrument| is_about(one, instrument))
        })
        .collect();
    if about.is_empty() {
        sheet.lead("No contradiction between sources is on record for this.");
        return;
    }
    sheet.lead(format!(
        "Sources differ in {}.",
        count(about.len() as u64, "brief", "briefs")
    ));
    for one in about.iter().take(3) {
        let mut lines = vec![format!(
            "**{}** ({}, {})",
            quoted(one.text("headline").unwrap_or_default()),
            one.text("severity").unwrap_or("minor"),
            one.text("brief_id").unwrap_or_default()
        )];
        for claim in one.list("claims").into_iter().take(4) {
            if let (Some(source), Some(claim)) = (claim.text("source"), claim.text("claim")) {
                lines.push(format!("- {}: “{}”", quoted(source), quoted(claim)));
            }
        }
        if let Some(assessment) = one.text("service_assessment") {
            lines.push(format!("- Assessment: {}", quoted(assessment)));
        }
        sheet.blocks.push(lines.join("\n"));
    }
}

/// Whether a contradiction names what the question is about; a question without a subject is about all of them.
fn is_of_topic(page: &Page<'_>, one: View<'_>) -> bool {
    let mut wanted: Vec<String> = page
        .reading
        .topic
        .split(|mark: char| !mark.is_alphanumeric())
        .map(str::to_lowercase)
        .filter(|word| {
            word.chars().count() >= 3
                && !text::token::is_stop_word(word)
                && !text::entities::is_common_word(word)
        })
        .collect();
    for series in &page.reading.series {
        let name = series.name().to_lowercase();
        wanted.extend(name.split(' ').map(str::to_owned));
    }
    if wanted.is_empty() {
        return true;
    }
    let claims = one.list("claims");
    let said = claims
        .iter()
        .filter_map(|claim| claim.text("claim"))
        .chain(one.text("headline"));
    let said: Vec<String> = said.map(str::to_lowercase).collect();
    let stem = |word: &String| word.chars().take(6).collect::<String>();
    wanted
        .iter()
        .map(stem)
        .any(|stem| said.iter().any(|text| text.contains(&stem)))
}

fn context(page: &Page<'_>, sheet: &mut Sheet) {
    let Some(context) = page.get("context") else {
        return;
    };
    // Reports that a search found are listed on their own: to say that none is about all of the topic would deny them.
    let is_empty = context.whole("brief_count") == Some(0);
    let has_reports = page
        .get("news")
        .is_some_and(|news| !news.list("briefs").is_empty());
    if is_empty && has_reports {
        return;
    }
    let Some(summary) = context.text("summary") else {
        sheet.unknown(format!(
            "No brief of the last 90 days is about “{}”.",
            quoted(&page.reading.topic)
        ));
        return;
    };
    if is_empty {
        sheet.at_most(OPEN);
    }
    sheet.lead(quoted(summary));
    let sources = context.whole("source_count").unwrap_or_default();
    if sources > 0 {
        sheet.lead(format!(
            "This rests on {}.",
            count(sources, "source", "sources")
        ));
    }
    for (side, title) in [("supporting", "Approving"), ("opposing", "Objecting")] {
        if let Some(text) = context.at("perspectives").and_then(|all| all.text(side)) {
            sheet.blocks.push(format!("**{title}**: {}", quoted(text)));
        }
    }
    let dates: Vec<String> = context
        .list("timeline")
        .into_iter()
        .rev()
        .take(6)
        .filter_map(|one| {
            Some(format!(
                "- {}: {}",
                day(one.text("date")?),
                quoted(one.text("headline")?)
            ))
        })
        .collect();
    if !dates.is_empty() {
        sheet
            .blocks
            .push(format!("**How it went**\n\n{}", dates.join("\n")));
    }
}

/// The verdict on a claim.
pub(super) fn verification(page: &Page<'_>, sheet: &mut Sheet) {
    let Some(verdict) = page.get("verification") else {
        return;
    };
    let claim = quoted(verdict.text("claim").unwrap_or_default());
    let confidence = verdict
        .number("confidence")
        .map(|value| percent(value * 100.0))
        .unwrap_or_default();
    let word = match verdict.text("verdict") {
        Some("supported") => "Supported",
        Some("contradicted") => "Contradicted",
        Some("partially_supported") => "Partly supported",
        _ => "Not verifiable",
    };
    let how = if word == "Not verifiable" {
        match verdict.text("reason") {
            Some("conflicting") => " because sources contradict each other",
            Some("not_checkable") => " because it is no statement that evidence can decide",
            Some("stale") => " because what is on record is too old",
            _ => " because nothing on record bears on it; that does not make it false",
        }
        .to_owned()
    } else {
        format!(", with a confidence of {confidence}")
    };
    sheet.lead(format!("**{word}**{how}: “{claim}”."));
    if let Some(summary) = verdict.text("summary") {
        sheet.lead(quoted(summary));
    }
    for evidence in verdict.list("evidence_chain").into_iter().take(6) {
        let (Some(source), Some(snippet)) = (evidence.text("source"), evidence.text("snippet"))
        else {
            continue;
        };
        let date = evidence
            .text("published")
            .map(|at| format!(", {}", day(at)));
        let line = format!(
            "{}{}: “{}”",
            quoted(source),
            date.unwrap_or_default(),
            quoted(snippet)
        );
        match evidence.text("position") {
            Some("supports") => sheet.supports.push(line),
            Some("contradicts") => sheet.against.push(line),
            _ => {}
        }
    }
    if let Some(nuances) = verdict.text("nuances") {
        sheet.unknown(sentence(&quoted(nuances)));
    }
    if let Some(receipt) = verdict.text("receipt_id") {
        sheet.lead(format!(
            "The verdict is signed; its receipt is `{receipt}`."
        ));
    }
}

#[cfg(test)]
mod tests {
    use model::{Day, Symbol};
    use query::{Kind, Listed, Names};
    use serde_json::{Value, json};

    use super::line;
    use crate::answer;
    use crate::plan::Plan;
    use crate::view::View;

    fn told(question: &str, intent: query::Intent, data: Value) -> String {
        let apple = Listed {
            symbol: Symbol::parse("AAPL").unwrap(),
            name: "Apple Inc.".to_owned(),
            kind: Kind::Share,
            currency: "USD".to_owned(),
            size: 1.0,
        };
        let today = Day::parse("2022-03-14").unwrap();
        let mut reading = query::read(question, today, &Names::new([apple]));
        reading.intents = vec![intent];
        let Value::Object(data) = data else { panic!() };
        answer::write(&reading, &Plan::default(), &data, &[]).summary
    }

    fn report(id: &str, headline: &str) -> Value {
        json!({"id": id, "headline": headline, "summary": format!("{headline}."), "published_at": "2022-03-01T10:00:00Z"})
    }

    #[test]
    fn a_brief_has_the_date_of_its_headline() {
        let mut brief = report("PR-1", "Shares fall on Wednesday");
        assert_eq!(
            line(View(&brief)).unwrap(),
            "Shares fall on Wednesday (1 Mar 2022, PR-1)"
        );
        brief["updated_at"] = json!("2022-03-02T21:00:00Z");
        assert_eq!(
            line(View(&brief)).unwrap(),
            "Shares fall on Wednesday (2 Mar 2022, PR-1)"
        );
    }

    #[test]
    fn reports_that_were_found_are_not_denied() {
        let empty = json!({"brief_count": 0, "summary": "No brief from 2021-12-14 to 2022-03-14 covers “rules”."});
        let asked = |briefs: &Value| {
            let data = json!({"context": empty, "news": {"briefs": briefs}});
            told("What rules apply to banks?", query::Intent::Topic, data)
        };
        let text = asked(&json!([report("PR-1", "Banks are cut off")]));
        assert!(
            text.starts_with("**Banks are cut off** (1 Mar 2022)."),
            "{text}"
        );
        assert!(!text.contains("No brief"), "{text}");
        let text = asked(&json!([report("PR-1", "A horse wins")]));
        assert!(
            text.contains("those that come nearest follow") && text.contains("A horse wins"),
            "{text}"
        );
        let text = asked(&json!([]));
        assert_eq!(text.matches("No brief").count(), 1, "{text}");
    }

    #[test]
    fn what_was_found_on_the_question_leads_before_what_is_new() {
        let asked = |found: &Value| {
            let newest = [
                report("PR-9", "Apple shows a phone"),
                report("PR-1", "Apple leaves Russia"),
            ];
            let data = json!({"news": {"briefs": newest}, "search": {"briefs": found}});
            told(
                "Is Apple hit by the halt of sales in Russia?",
                query::Intent::News,
                data,
            )
        };
        let text = asked(&json!([report("PR-1", "Apple leaves Russia")]));
        assert!(
            text.starts_with("On the question: **Apple leaves Russia**"),
            "{text}"
        );
        assert!(!text.contains("The newest on"), "{text}");
        assert_eq!(text.matches("PR-1").count(), 1, "{text}");
        let text = asked(&json!([]));
        assert!(text.starts_with("The newest on **Apple Inc.**"), "{text}");
        assert!(
            text.contains("No report that names Apple Inc. covers the rest of the question."),
            "{text}"
        );
    }
}
