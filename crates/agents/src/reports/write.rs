//! Writes a report: a run of steps, each of which can be taken over by another process.

use std::time::Instant;

use operations::{Context, Error, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::analysts::{economy, fundamental, news, sentiment, technical};
use super::document::{Document, Section, TestedClaim, Verdict};
use super::facts::{Facts, Kind};
use super::finding::{Finding, Reading};
use super::tier::Tier;
use super::{absent, bias, charts, claims, conclusion, debate, markdown, outlook, summary, words};
use crate::runs::{Done, Keeping, NewRun, Run, RunStatus, mean};

/// The report to write.
#[derive(Clone, Debug)]
pub(super) struct Order {
    /// The id of its run.
    pub(super) run: String,
    pub(super) ticker: String,
    pub(super) kind: Kind,
    pub(super) tier: Tier,
    pub(super) keeping: Keeping,
}

/// What was written.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) document: Document,
    pub(super) markdown: String,
    pub(super) processing_ms: u64,
}

/// The result of a step: its part of the text, and what later parts build on.
#[derive(Debug, Serialize, Deserialize)]
struct Part<T> {
    value: T,
    /// Sources, which sentences cite by number.
    sources: Vec<super::document::Source>,
}

/// Writes a report, or continues one.
pub(super) async fn write(context: &Context, order: &Order) -> Result<Written> {
    let begun = Instant::now();
    let about = NewRun {
        kind: "report",
        subject: order.ticker.clone(),
        inputs: json!({"ticker": order.ticker, "tier": order.tier.as_str()}),
        budget: order.tier.credits(),
        keeping: order.keeping,
    };
    let run = Run::resume(context, &order.run, about, None).await?;
    let mut facts = Facts::gather(
        &run,
        &order.ticker,
        order.kind,
        order.tier,
        model::Day::of(context.end()),
    )
    .await;
    if facts.series.len() < 2 && facts.briefs.is_empty() {
        return Err(Error::not_found(
            "there are neither prices nor news to write from",
        ));
    }
    let (sections, verdict, argued) = match order.tier {
        Tier::Quick => quick(&run, &mut facts).await?,
        tier => full(&run, &mut facts, tier).await?,
    };
    let claims = test(&run, claims::of(&facts, order.tier, &argued)).await;
    let mut document = Document {
        title: format!("{} ({})", facts.name, facts.ticker),
        ticker: facts.ticker.clone(),
        entity_name: facts.name.clone(),
        asset_type: match order.kind {
            Kind::Share => "equity",
            Kind::Fund => "etf",
            Kind::Coin => "crypto",
        }
        .to_owned(),
        tier: order.tier.as_str().to_owned(),
        as_of: facts.day().map(|day| day.to_string()),
        written_at: context.services.clock.now().to_string(),
        simulated: context.services.store.mode() == model::DataMode::Demo,
        verdict,
        figures: summary::figures(&facts),
        sections,
        missing: facts.missing.clone(),
        sources: facts.sources.clone(),
        claims,
        receipt: None,
    };
    let text = markdown::write(&document);
    let output = json!({"ticker": facts.ticker, "stance": document.verdict.stance});
    let finished = run.finish(RunStatus::Complete, &text, output).await?;
    document.receipt = Some(finished.receipt_id);
    Ok(Written {
        markdown: markdown::write(&document),
        document,
        processing_ms: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX),
    })
}

/// Performs a step whose result others build on. If the step fails, so does the report: there is nothing without it.
async fn step<T: Serialize + DeserializeOwned>(
    run: &Run<'_>,
    facts: &mut Facts,
    name: &str,
    work: impl FnOnce(&mut Facts) -> (T, String, Option<f64>),
) -> Result<T> {
    let result = {
        let facts = &mut *facts;
        run.step(name, json!({}), 0, async move {
            let (value, summary, confidence) = work(facts);
            let part = Part {
                value,
                sources: facts.sources.clone(),
            };
            let output = serde_json::to_value(&part).map_err(|error| error.to_string())?;
            Ok(Done {
                credits: None,
                summary,
                output,
                confidence,
            })
        })
        .await
    };
    let result =
        result.ok_or_else(|| Error::internal(format!("step {name} of a report failed")))?;
    let part: Part<T> = serde_json::from_value((*result).clone()).map_err(Error::internal)?;
    facts.sources = part.sources;
    Ok(part.value)
}

/// The sections, the overall verdict, and the findings that are argued with.
type Parts = (Vec<Section>, Verdict, Vec<Finding>);

async fn quick(run: &Run<'_>, facts: &mut Facts) -> Result<Parts> {
    let (reading, sections): (Reading, Vec<Section>) = step(run, facts, "summary", |facts| {
        let (reading, sections) = summary::read(facts);
        let (told, confidence) = (summary::told(&reading), reading.confidence);
        ((reading, sections), told, Some(confidence))
    })
    .await?;
    let verdict = summary::verdict(facts, &reading);
    Ok((sections, verdict, reading.findings))
}

async fn full(run: &Run<'_>, facts: &mut Facts, tier: Tier) -> Result<Parts> {
    type Analyst = fn(&mut Facts) -> Reading;
    let analysts: [(&str, Analyst); 5] = [
        ("fundamental", fundamental::read),
        ("technical", technical::read),
        ("sentiment", sentiment::read),
        ("news", news::read),
        ("macro", economy::read),
    ];
    let mut readings: Vec<Reading> = Vec::new();
    for (name, analyst) in analysts {
        let reading = step(run, facts, name, |facts| {
            let reading = analyst(facts);
            let (told, confidence) = (summary::told(&reading), reading.confidence);
            (reading, told, Some(confidence))
        })
        .await?;
        readings.push(reading);
    }
    let confidence = mean(readings.iter().map(|one| one.confidence));
    let concluded: Section = step(run, facts, "conclusion", |facts| {
        let section = conclusion::read(facts, &readings);
        (
            section,
            format!("{}.", words::capital(&summary::tally(&readings))),
            confidence,
        )
    })
    .await?;
    let (_, verdict) = conclusion::weigh(facts, &readings);
    for reading in &mut readings {
        absent::explain(facts, reading);
    }
    let mut sections = vec![conclusion::in_short(facts, &readings)];
    for reading in &readings {
        let mut section = reading.section.clone();
        if reading.name == "macro" {
            section.blocks.extend(charts::beside_market(facts));
        }
        sections.push(section);
    }
    sections.push(concluded);
    if tier == Tier::Deep {
        let debate: Section = step(run, facts, "debate", |facts| {
            let section = debate::read(facts, &readings);
            (section, "Both sides were argued.".to_owned(), None)
        })
        .await?;
        sections.push(debate);
        let outlooks = outlook::ask(run, facts).await;
        let (told, why) = match &outlooks {
            Ok(_) => (
                "Cases and ranges over one, three and twelve months.".to_owned(),
                String::new(),
            ),
            Err(why) => (format!("There is no forecast: {why}."), why.clone()),
        };
        let outlook: Option<Section> = step(run, facts, "outlook", |facts| {
            let section = outlooks.ok().map(|found| outlook::read(facts, &found));
            (section, told, None)
        })
        .await?;
        sections.push(outlook.unwrap_or_else(|| absent::scenarios(facts, &why)));
        let audit: Option<Section> = step(run, facts, "bias_audit", |facts| {
            (
                bias::read(facts),
                "Whose coverage it rests on.".to_owned(),
                None,
            )
        })
        .await?;
        sections.push(audit.unwrap_or_else(|| absent::audit(facts)));
    }
    Ok((sections, verdict, conclusion::all_findings(&readings)))
}

/// Tests the claims that the report is based on.
async fn test(run: &Run<'_>, claims: Vec<String>) -> Vec<TestedClaim> {
    if claims.is_empty() {
        return Vec::new();
    }
    let work = async {
        let tests = claims.iter().map(|claim| run.verify(claim));
        let tested: Vec<TestedClaim> = futures::future::join_all(tests)
            .await
            .into_iter()
            .filter_map(std::result::Result::ok)
            .map(|one| TestedClaim {
                claim: one.claim,
                verdict: one.verdict,
                confidence: one.confidence,
                receipt: one.receipt_id,
            })
            .collect();
        let supported = tested
            .iter()
            .filter(|one| one.verdict == "supported")
            .count();
        Ok(Done {
            credits: None,
            summary: format!("{} of {} claims supported.", supported, tested.len()),
            confidence: mean(tested.iter().map(|one| one.confidence)),
            output: serde_json::to_value(&tested).map_err(|error| error.to_string())?,
        })
    };
    let tested = run
        .step("verification", json!({ "claims": claims }), 0, work)
        .await;
    tested
        .and_then(|value| Vec::deserialize(&*value).ok())
        .unwrap_or_default()
}
