//! Writes about two prices: their ratio, or how far apart they are.

use query::{Relation, Statistic};

use crate::answer::{OPEN, Page, Sheet};
use crate::figures::{self, day, moved_by, plain, quoted, sentence, span};
use crate::view::View;

pub(super) fn write(page: &Page<'_>, sheet: &mut Sheet) {
    let Some(between) = page.reading.between else {
        return;
    };
    if !page.plan.steps.iter().any(|step| step.key == "between") {
        return;
    }
    let Some(found) = page.get("between_both") else {
        let [one, other] = between.of.map(query::Series::name);
        sheet.lead(format!(
            "The {} of {one} and {other} could not be determined: on no day in the requested period are prices for both available in comparable units.",
            between.relation.as_str()
        ));
        sheet.at_most(OPEN);
        return;
    };
    if told(found, between.relation, sheet).is_none() {
        sheet.at_most(OPEN);
    }
    for key in ["between", "between_futures"] {
        let all = page.get(key).and_then(|all| all.0.as_object());
        for (_, one) in all.into_iter().flatten() {
            for reason in View(one).reasons() {
                sheet.unknown(sentence(reason));
                // The newest prices are asked for, but they are old.
                if page.reading.when.is_unsaid() {
                    sheet.at_most(OPEN);
                }
            }
        }
    }
}

fn told(found: View<'_>, relation: Relation, sheet: &mut Sheet) -> Option<()> {
    let side = |path: &str| {
        let one = found.at(path)?;
        let unit = one.text("unit").filter(|unit| !unit.is_empty());
        let unit = unit.map_or_else(String::new, |unit| format!(" {unit}"));
        Some((
            quoted(one.text("name")?),
            format!("{}{unit}", plain(one.number("price")?)),
        ))
    };
    let ((one, price), (other, other_price)) = (side("one")?, side("other")?);
    let frequency = found.text("frequency").unwrap_or("daily");
    let of = |date: &str| match frequency {
        "daily" => format!("on {}", day(date)),
        _ => format!("for {}", span(date, frequency)),
    };
    let date = of(found.text("date")?);
    let unit = found
        .text("one/unit")
        .filter(|_| relation == Relation::Difference);
    let unit = unit
        .filter(|unit| !unit.is_empty())
        .map_or_else(String::new, |unit| format!(" {unit}"));
    let Some(value) = found.number("value") else {
        sheet.lead(format!(
            "There is no ratio of **{one}** ({price}) to **{other}** ({other_price}) {date}: {}",
            figures::NO_PERCENTAGE
        ));
        return None;
    };
    sheet.lead(match relation {
        Relation::Ratio => format!(
            "The ratio of **{one}** to **{other}** was **{}** {date}: {price} to {other_price}.",
            plain(value)
        ),
        Relation::Difference => {
            let side = if value < 0.0 { "below" } else { "above" };
            format!(
                "**{one}** was **{}**{unit} {side} **{other}** {date}: {price} and {other_price}.",
                plain(value.abs())
            )
        }
    });
    if let (Some(before), Some(then)) = (found.number("before/value"), found.text("before/date")) {
        sheet.lead(format!(
            "{} it was {}: {} since.",
            sentence(&of(then)).trim_end_matches('.'),
            plain(before),
            moved_by(value - before)
        ));
    }
    for statistic in [Statistic::Highest, Statistic::Lowest] {
        let limit = found.at(statistic.as_str());
        if let Some((value, date)) =
            limit.and_then(|limit| Some((limit.number("value")?, limit.text("date")?)))
        {
            sheet.lead.insert(
                0,
                format!(
                    "The {} {} of {one} and {other} over that period was **{}**{unit}, {}.",
                    statistic.as_str(),
                    relation.as_str(),
                    plain(value),
                    of(date)
                ),
            );
        }
    }
    if let Some(mean) = found.number("mean") {
        sheet.lead.insert(
            0,
            format!(
                "The mean {} of {one} and {other} over that period was **{}**{unit}.",
                relation.as_str(),
                plain(mean)
            ),
        );
    }
    Some(())
}
