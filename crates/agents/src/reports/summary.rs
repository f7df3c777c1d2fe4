//! The quick report: what it is, where the price is, what speaks for and against it, what was written, what comes next.

use super::analysts::{fundamental, news, sentiment, technical};
use super::charts;
use super::conclusion::OLD_PRICE;
use super::document::{Block, Figure, Section, Sentence, Stance, Verdict};
use super::facts::{Facts, Kind};
use super::finding::{Draft, Finding, Reading, stance, strongest};
use super::price;
use super::words::{amount, capital, count, counted, foreign, list, pct, signed};

/// Reads everything at once.
pub(super) fn read(facts: &mut Facts) -> (Reading, Vec<Section>) {
    let mut draft = Draft::default();
    technical::findings(facts, &mut draft);
    sentiment::findings(facts, &mut draft);
    if facts.kind == Kind::Share {
        fundamental::findings(facts, &mut draft);
    }
    let reading = draft.finish("summary", "Summary");
    let mut sections = Vec::new();
    let mut section = |title: &str, blocks: Vec<Block>| {
        if !blocks.is_empty() {
            sections.push(Section {
                title: title.to_owned(),
                verdict: None,
                blocks,
            });
        }
    };
    let what: Vec<Sentence> = std::iter::once(identity(facts))
        .chain(price::stale(facts))
        .map(Sentence::from)
        .collect();
    let mut moves = price::told(facts, 4);
    moves.extend(price::largest_day(facts));
    section(
        "In short",
        Block::paragraph([what, signal(facts, &reading)].concat())
            .into_iter()
            .collect(),
    );
    section(
        "Price",
        Block::paragraph(moves)
            .into_iter()
            .chain(charts::prices(facts))
            .chain(price::table(facts))
            .collect(),
    );
    let (title, what) = match facts.kind {
        Kind::Share => ("Business", fundamental::company_and_reports(facts, 3)),
        Kind::Fund => ("The fund", fundamental::instead(facts)),
        Kind::Coin => ("The coin", fundamental::instead(facts)),
    };
    section(title, Block::paragraph(what).into_iter().collect());
    let stories = news::stories(facts, 4);
    let stories = news::tell(facts, &stories);
    let only_among_many = stories.is_empty() && !facts.briefs.is_empty();
    let absent = only_among_many.then(|| Block::Absent {
        text: format!(
            "{} is in the news only where many companies are looked at together.",
            facts.name
        ),
    });
    section(
        "Coverage",
        Block::list(stories).into_iter().chain(absent).collect(),
    );
    let next = technical::ahead(facts, 3);
    section(
        "What comes next",
        Block::paragraph(next).into_iter().collect(),
    );
    (reading, sections)
}

/// What it is, in a sentence.
pub(super) fn identity(facts: &Facts) -> String {
    let (name, ticker) = (&facts.name, &facts.ticker);
    let listed = facts
        .exchange
        .as_deref()
        .map_or_else(String::new, |exchange| {
            format!(", listed on {}", foreign(exchange, 40))
        });
    match facts.kind {
        Kind::Share => {
            let what = company(facts.sector.as_deref());
            let traits = traits(facts);
            let rest = if traits.is_empty() {
                String::new()
            } else {
                format!(", {}", list(&traits))
            };
            format!("{name} ({ticker}) is {what}{listed}{rest}.")
        }
        Kind::Fund => {
            let together = facts.series.together(&facts.market, facts.year());
            let nature = together
                .filter(|_| ticker != super::facts::MARKET)
                .map_or_else(String::new, |together| match together.correlation {
                    0.9.. => format!(
                        "; it moves almost as the market does (correlation {:.2})",
                        together.correlation
                    ),
                    0.5.. => format!(
                        "; much of what it does is the market's doing (correlation {:.2})",
                        together.correlation
                    ),
                    _ => format!(
                        "; it follows other things than the share market (correlation {:.2})",
                        together.correlation
                    ),
                });
            format!("{name} ({ticker}) is an exchange-traded fund{listed}{nature}.")
        }
        Kind::Coin => {
            let coin = facts.of("coin");
            let worth = coin.number("market_cap").map_or_else(String::new, |cap| {
                format!(" worth {} in all{}", amount(cap, "USD"), then(facts))
            });
            let record = coin
                .number("ath_change_pct")
                .map_or_else(String::new, |gap| match gap {
                    -5.0.. => ", close to its record".to_owned(),
                    -50.0.. => format!(", {} below its record", pct(gap)),
                    _ => format!(", which has lost {} since its record", pct(gap)),
                });
            format!("{name} ({ticker}) is a coin{worth}{record}.")
        }
    }
}

/// The day of an old price, if something is computed from it.
fn then(facts: &Facts) -> String {
    let last = facts.series.last().filter(|_| facts.has_old_price());
    last.map_or_else(String::new, |bar| {
        format!(" at its price of {}", super::words::day(bar.day))
    })
}

/// `an energy company`.
fn company(sector: Option<&str>) -> String {
    match sector {
        Some("Financials") => "a financial company".to_owned(),
        Some("Industrials") => "an industrial company".to_owned(),
        Some("Utilities") => "a utility".to_owned(),
        Some(sector) => {
            let lower = foreign(sector, 40).to_lowercase();
            let article = if lower.starts_with(['a', 'e', 'i', 'o', 'u']) {
                "an"
            } else {
                "a"
            };
            format!("{article} {lower} company")
        }
        None => "a company".to_owned(),
    }
}

/// What sets a company apart, in a few words each: its size, then the four traits that are furthest from ordinary.
fn traits(facts: &Facts) -> Vec<String> {
    let financials = facts.of("financials");
    let cap = financials.number("market_cap");
    let rank = cap.and_then(|own| {
        let caps: Vec<f64> = facts.peers.iter().filter_map(|peer| peer.cap).collect();
        let larger = caps.iter().filter(|cap| **cap * 1e9 > own).count();
        (caps.len() >= 3).then(|| match larger {
            0 => " (more than any of its peers)".to_owned(),
            all if all == caps.len() => " (less than any of its peers)".to_owned(),
            some => format!(
                " ({} of {} peers {} larger)",
                count(some),
                count(caps.len()),
                if some == 1 { "is" } else { "are" }
            ),
        })
    });
    let then = then(facts);
    let worth = cap.map(|cap| {
        format!(
            "worth {}{then}{}",
            amount(cap, "USD"),
            rank.unwrap_or_default()
        )
    });
    let mut found: Vec<(f64, String)> = Vec::new();
    if let Some(ratio) = financials.number("pe_ratio") {
        let words = match ratio {
            ..12.0 => format!("modestly priced at {ratio:.1} times earnings"),
            40.0.. => format!("highly priced at {ratio:.1} times earnings"),
            25.0.. => format!("at a premium of {ratio:.1} times earnings"),
            _ => format!("priced at {ratio:.1} times earnings"),
        };
        found.push(((ratio / 21.0).ln().abs() + 0.3, words));
    }
    if let Some(margin) = financials.number("profit_margin") {
        let words = match margin {
            ..0.0 => format!("losing {} of its revenue", pct(margin)),
            ..5.0 => format!("with a thin margin of {}", pct(margin)),
            ..10.0 => format!("keeping {} of its revenue", pct(margin)),
            ..20.0 => format!("with a margin of {}", pct(margin)),
            _ => format!("with a rich margin of {}", pct(margin)),
        };
        found.push(((margin - 11.0).abs() / 16.0, words));
    }
    if let Some(debt) = financials.number("debt_to_equity") {
        match debt {
            ..0.0 => found.push((1.2, "with more debts than assets".to_owned())),
            ..0.15 => found.push((0.7, "all but free of debt".to_owned())),
            1.5.. => found.push((debt / 2.5, format!("indebted at {debt:.1} times equity"))),
            _ => {}
        }
    }
    if let Some(paid) = financials.number("dividend_yield") {
        match paid {
            ..2.0 => {}
            ..3.5 => found.push((paid / 4.0, format!("paying {} a year", pct(paid)))),
            _ => found.push((paid / 4.0, format!("paying a high {} a year", pct(paid)))),
        }
    }
    if let Some(beta) = financials.number("beta") {
        match beta {
            1.4.. => found.push((
                beta - 0.8,
                format!("swinging {beta:.1} times with the market"),
            )),
            ..0.6 => found.push((
                1.2 - beta,
                format!("aloof from the market (beta {beta:.1})"),
            )),
            ..0.95 => found.push((0.2, format!("steadier than the market (beta {beta:.2})"))),
            1.05.. => found.push((0.2, format!("livelier than the market (beta {beta:.2})"))),
            _ => {}
        }
    }
    if let (Some(low), Some(high), Some(last)) = (
        financials.number("fifty_two_week_low"),
        financials.number("fifty_two_week_high"),
        facts.series.last().map(|bar| bar.close),
    ) && high > low
    {
        let place = (last - low) / (high - low);
        let words = match place {
            ..0.2 => "close to its low of the year",
            ..0.4 => "in the lower half of its range of the year",
            ..0.5 => "just below the middle of its range of the year",
            ..0.6 => "just above the middle of its range of the year",
            ..0.8 => "in the upper half of its range of the year",
            _ => "close to its high of the year",
        };
        found.push(((place - 0.5).abs(), words.to_owned()));
    }
    found.sort_by(|left, right| right.0.total_cmp(&left.0));
    found.truncate(4);
    worth
        .into_iter()
        .chain(found.into_iter().map(|(_, words)| words))
        .collect()
}

/// The signal in words.
pub(super) fn action(word: &str) -> &'static str {
    match word {
        "strong_buy" => "strong buy",
        "lean_buy" => "lean buy",
        "lean_sell" => "lean sell",
        "strong_sell" => "strong sell",
        _ => "hold",
    }
}

fn side_of(action: &str) -> Stance {
    match action {
        "strong_buy" | "lean_buy" => Stance::Bullish,
        "strong_sell" | "lean_sell" => Stance::Bearish,
        _ => Stance::Neutral,
    }
}

/// The arguments for and against, with the service's signal if it takes a different side.
fn signal(facts: &Facts, reading: &Reading) -> Vec<Sentence> {
    let mut told = arguments(&reading.findings, reading.score >= 0.0);
    let signal = verdict(facts, reading);
    if let Some((word, score)) = &signal.signal
        && side_of(word) != reading.stance
    {
        let moved =
            heaviest(facts).map_or_else(String::new, |part| format!(", moved most by {part},"));
        let clause = format!("the signal{moved} is {} ({score} of 100)", action(word));
        match told.last_mut() {
            Some(last) => {
                last.text = format!("{}, while {clause}.", last.text.trim_end_matches('.'));
            }
            None => told.push(format!("{}.", capital(&clause)).into()),
        }
    }
    told
}

/// The number of arguments on each side at the opening of a report.
pub(super) const ARGUMENTS: usize = 2;

/// The strongest findings on each side, one sentence each, the stronger side first.
pub(super) fn arguments(findings: &[Finding], is_positive: bool) -> Vec<Sentence> {
    let clauses = |bullish: bool| -> Vec<String> {
        strongest(findings, bullish, ARGUMENTS)
            .into_iter()
            .map(|one| one.clause.clone())
            .collect()
    };
    let (good, bad) = (clauses(true), clauses(false));
    let alone = if good.is_empty() == bad.is_empty() {
        ""
    } else {
        ", and nothing of weight stands against that"
    };
    let side = |clauses: &[String], words: &str| {
        (!clauses.is_empty())
            .then(|| Sentence::from(format!("{words}, {}{alone}.", clauses.join(", and "))))
    };
    let (good, bad) = (side(&good, "In its favour"), side(&bad, "Against it"));
    let (first, second) = if is_positive {
        (good, bad)
    } else {
        (bad, good)
    };
    first.into_iter().chain(second).collect()
}

/// The part of the composite score that is furthest from neutral, in words.
pub(super) fn heaviest(facts: &Facts) -> Option<String> {
    let components = facts.of("score").at("components")?;
    let sentiment = components
        .number("sentiment/week_avg")
        .zip(components.number("sentiment/weight"));
    let momentum = components
        .number("momentum/value")
        .zip(components.number("momentum/weight"));
    let parts = [
        sentiment.map(|(value, weight)| {
            (
                (value - 0.5) * weight,
                format!(
                    "{} sentiment of the week, {value:.2} from 0 to 1",
                    match value {
                        ..0.4 => "the unfriendly",
                        ..0.5 => "the cool",
                        ..0.6 => "the warm",
                        _ => "the friendly",
                    }
                ),
            )
        }),
        momentum.map(|(value, weight)| {
            (
                (value - 0.5) * weight,
                format!(
                    "{} momentum of the price, {value:.2} from 0 to 1",
                    match value {
                        ..0.35 => "the poor",
                        ..0.47 => "the slightly negative",
                        ..0.53 => "the absent",
                        ..0.65 => "the slightly positive",
                        _ => "the strong",
                    }
                ),
            )
        }),
    ];
    let largest = parts
        .into_iter()
        .flatten()
        .max_by(|left, right| left.0.abs().total_cmp(&right.0.abs()))?;
    Some(largest.1)
}

/// The verdict of a quick report: the service's signal, with the confidence of the reading.
pub(super) fn verdict(facts: &Facts, reading: &Reading) -> Verdict {
    let signal = facts
        .of("analysis")
        .at("trade_signal")
        .and_then(|signal| Some((signal.text("action")?.to_owned(), signal.whole("score")?)));
    // A price from long ago is not a view on today.
    let (score, fresh) = if facts.has_old_price() {
        (0.0, OLD_PRICE)
    } else {
        (reading.score, 1.0)
    };
    Verdict {
        stance: signal
            .as_ref()
            .map_or_else(|| stance(score), |(word, _)| side_of(word)),
        signal,
        confidence: reading.confidence * fresh,
    }
}

/// The figures in the header.
pub(super) fn figures(facts: &Facts) -> Vec<Figure> {
    let mut figures = Vec::new();
    let mut add = |label: &str, value: Option<String>, note: String| {
        if let Some(value) = value {
            figures.push(Figure {
                label: label.to_owned(),
                value,
                note,
            });
        }
    };
    let last = facts.series.last();
    let on = last
        .map(|bar| super::words::day(bar.day))
        .unwrap_or_default();
    add("Close", last.map(|bar| facts.price(bar.close)), on);
    for (label, sessions) in [("Month", facts.month()), ("Year", facts.year())] {
        let moved = facts.series.over(sessions);
        let from = moved.map(|moved| format!("since {}", super::words::day(moved.from_day)));
        add(
            label,
            moved.map(|moved| signed(moved.pct)),
            from.unwrap_or_default(),
        );
    }
    let financials = facts.of("financials");
    add(
        "Value",
        financials
            .number("market_cap")
            .or_else(|| facts.of("coin").number("market_cap"))
            .map(|cap| amount(cap, "USD")),
        format!("market capitalisation{}", then(facts)),
    );
    add(
        "P/E",
        financials
            .number("pe_ratio")
            .map(|ratio| super::words::number(ratio, 1)),
        if facts.undated_figures().is_some() {
            "of an undated table".to_owned()
        } else {
            "twelve months".to_owned()
        },
    );
    add(
        "RSI",
        facts
            .of("technicals")
            .number("latest/rsi_14")
            .map(|rsi| super::words::number(rsi, 0)),
        "14 sessions".to_owned(),
    );
    add(
        "Sentiment",
        facts
            .of("record")
            .number("sentiment_score")
            .map(|score| format!("{score:.2}")),
        "seven days, 0.5 neutral".to_owned(),
    );
    let briefs = facts.briefs.len();
    add(
        "Briefs",
        (briefs > 0).then(|| briefs.to_string()),
        "read, of 30 days".to_owned(),
    );
    let earnings = facts.of("earnings");
    let status = match earnings.text("earnings_status") {
        Some("confirmed") => "confirmed",
        _ => "estimated",
    };
    add(
        "Next report",
        earnings.text("earnings_date").map(super::words::date),
        status.to_owned(),
    );
    figures
}

/// A sentence for the record of the run.
pub(super) fn told(reading: &Reading) -> String {
    let lead: Option<&Finding> = strongest(&reading.findings, reading.score >= 0.0, 1)
        .into_iter()
        .next();
    let because = lead.map_or_else(String::new, |one| format!(": {}", one.clause));
    format!(
        "{} ({} findings){because}.",
        capital(reading.stance.as_str()),
        reading.findings.len()
    )
}

/// For the header of a longer report: how many of its analysts take which side.
pub(super) fn tally(readings: &[Reading]) -> String {
    let of = |stance: Stance| {
        readings
            .iter()
            .filter(|one| !one.is_silent() && one.stance == stance)
            .count()
    };
    let mut parts: Vec<String> = [Stance::Bullish, Stance::Neutral, Stance::Bearish]
        .into_iter()
        .filter(|stance| of(*stance) > 0)
        .map(|stance| format!("{} {}", count(of(stance)), stance.as_str()))
        .collect();
    let silent = readings.iter().filter(|one| one.is_silent()).count();
    if silent > 0 {
        parts.push(format!("{} without data", count(silent)));
    }
    format!(
        "{} of {}",
        list(&parts),
        counted(readings.len(), "analyst", "analysts")
    )
}
