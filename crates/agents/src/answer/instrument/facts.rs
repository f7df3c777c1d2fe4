//! Facts about a company that are found in one place only: splits, who holds an office, figures of statements; and
//! those that are found nowhere.

use query::{Fact, Intent, Reading};

use super::Writer;
use crate::answer::Sheet;
use crate::figures::{day, large, money, percent, quoted, trimmed};
use crate::view::View;

/// The most statements in a table.
const STATEMENTS: usize = 5;

/// Whether statements contain the figure that is asked for: 1 or 0.
pub(in crate::answer) fn share_of_reported(reading: &Reading, statements: View<'_>) -> f64 {
    if let Some(report) = &reading.report {
        return super::report::share_of(report, statements);
    }
    let Some(Fact::Reported(field)) = reading.fact else {
        return 1.0;
    };
    let all = statements.list("statements");
    f64::from(all.iter().any(|one| one.number(field).is_some()))
}

impl Writer<'_> {
    /// Answers the fact that the question asks for, if there is one.
    pub(super) fn fact(&self, sheet: &mut Sheet) {
        match self.page.reading.fact {
            Some(Fact::Action("split")) => self.splits(sheet),
            Some(Fact::Office(title)) => self.office(title, sheet),
            Some(Fact::Reported(field)) => self.reported(field, sheet),
            Some(Fact::Elsewhere(what)) => sheet.lead(format!(
                "The {what} of **{}** are not on record here.",
                self.name()
            )),
            Some(Fact::Action(_)) | None => {}
        }
    }

    fn splits(&self, sheet: &mut Sheet) {
        let Some(splits) = self.get("splits") else {
            return;
        };
        let all = splits.list("actions");
        let Some(newest) = all.first() else {
            sheet.lead(format!(
                "No split of **{}** is on record; splits are known only where they were imported or show in the prices.",
                self.name()
            ));
            return;
        };
        let (Some(ratio), Some(date)) = (newest.number("ratio"), newest.text("ex_date")) else {
            return;
        };
        let when = match newest.text("no_later_than") {
            Some(latest) => format!(
                "between {} and {}, as its prices show",
                day(date),
                day(latest)
            ),
            None => format!("on {}", day(date)),
        };
        sheet.lead(format!(
            "The newest split of **{}** on record was **{}** {when}.",
            self.name(),
            in_words(ratio)
        ));
        let earlier: Vec<String> = all[1..]
            .iter()
            .filter_map(|one| {
                Some(format!(
                    "{} ({})",
                    in_words(one.number("ratio")?),
                    day(one.text("ex_date")?)
                ))
            })
            .collect();
        if !earlier.is_empty() {
            sheet.lead(format!("Before that: {}.", earlier.join(", ")));
        }
    }

    /// Who holds an office, according to the newest form filed by an insider with that title.
    fn office(&self, title: &str, sheet: &mut Sheet) {
        match self.get("insider").and_then(|all| officer(all, title)) {
            Some((name, held, date)) => sheet.lead(format!(
                "**{}** is {} of **{}**, by the form on a trade of {}; a change since then is not on record.",
                quoted(name),
                quoted(held),
                self.name(),
                day(date)
            )),
            None => sheet.lead(format!(
                "Who is {title} of **{}** is not on record: the only names held are those of insiders who traded, and none of the last year has this title.",
                self.name()
            )),
        }
    }

    /// A figure of the statements, newest first.
    fn reported(&self, field: &str, sheet: &mut Sheet) {
        let name = field.replace('_', " ");
        let statements = self.get("statements");
        let all = statements.map(|all| all.list("statements"));
        let known: Vec<(&str, f64)> = all
            .into_iter()
            .flatten()
            .filter_map(|one| Some((one.text("period_end")?, one.number(field)?)))
            .collect();
        let Some((end, value)) = known.first().copied() else {
            sheet.lead(format!(
                "No source reports the {name} of **{}**.",
                self.name()
            ));
            return;
        };
        let currency = statements
            .and_then(|all| all.text("currency"))
            .unwrap_or("");
        let shown = |value: f64| shown(field, value, currency);
        sheet.lead(format!(
            "**{}**: {name} **{}** in the statement to {}.",
            self.name(),
            shown(value),
            day(end)
        ));
        if known.len() > 1 {
            let earlier: Vec<String> = known[1..]
                .iter()
                .take(STATEMENTS - 1)
                .map(|(end, value)| format!("{} ({})", shown(*value), day(end)))
                .collect();
            sheet.lead(format!("Before that: {}.", earlier.join(", ")));
        }
    }

    /// Earnings and revenue by quarter, if their course is asked for.
    pub(super) fn course(&self, statements: View<'_>, sheet: &mut Sheet) {
        let currency = statements.text("currency").unwrap_or("");
        let dash = || "–".to_owned();
        let rows: Vec<String> = statements
            .list("statements")
            .iter()
            .take(STATEMENTS)
            .filter_map(|one| {
                Some(format!(
                    "| {} | {} | {} | {} |",
                    day(one.text("period_end")?),
                    one.number("revenue")
                        .map_or_else(dash, |value| large(value, currency)),
                    one.number("net_income")
                        .map_or_else(dash, |value| large(value, currency)),
                    one.number("eps")
                        .map_or_else(dash, |value| money(value, currency)),
                ))
            })
            .collect();
        if rows.len() > 1 && !self.wants(Intent::Comparison) {
            sheet.blocks.push(format!(
                "| {} to | Revenue | Net income | Earnings per share |\n|---|---:|---:|---:|\n{}",
                statements
                    .text("period")
                    .map_or("Period", |period| if period == "quarter" {
                        "Quarter"
                    } else {
                        "Period"
                    }),
                rows.join("\n")
            ));
        }
    }
}

/// A figure of a statement in its unit.
pub(super) fn shown(field: &str, value: f64, currency: &str) -> String {
    match field {
        "gross_margin" | "operating_margin" | "profit_margin" | "return_on_equity"
        | "return_on_assets" => percent(value),
        "debt_to_equity" => format!("{value:.2}"),
        "eps" => money(value, currency),
        _ => large(value, currency),
    }
}

/// Name, title and day of the newest form filed by somebody who holds an office.
fn officer<'a>(insider: View<'a>, title: &str) -> Option<(&'a str, &'a str, &'a str)> {
    let mut trades = insider.list("insider_trades").into_iter();
    trades.find_map(|trade| {
        let held = trade.text("title")?;
        is_title(held, title).then_some((trade.text("name")?, held, trade.text("date")?))
    })
}

/// Whether the insider trades name the holder of an office.
pub(crate) fn names_office(insider: &serde_json::Value, title: &str) -> bool {
    officer(View(insider), title).is_some()
}

/// `10 for 1`; a reverse split is `1 for 8`.
fn in_words(ratio: f64) -> String {
    if ratio >= 1.0 || ratio <= 0.0 {
        format!("{} for 1", trimmed(ratio))
    } else {
        format!("1 for {}", trimmed(1.0 / ratio))
    }
}

/// Whether an officer's title is the one that is asked for: `Chief Executive Officer`, `President and CEO`.
fn is_title(held: &str, asked: &str) -> bool {
    let held = held.to_lowercase();
    let short: String = asked
        .split(' ')
        .filter_map(|word| word.chars().next())
        .collect::<String>()
        .to_lowercase();
    let asked = asked.to_lowercase();
    let mut words = held.split(|one: char| !one.is_alphanumeric());
    // `Chair of the Board` is not a vice chair.
    let is_vice = held.contains("vice");
    !is_vice && (held.contains(&asked) || short.len() > 1 && words.any(|word| word == short))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_read_as_the_trade_says_them() {
        assert_eq!(in_words(10.0), "10 for 1");
        assert_eq!(in_words(1.5), "1.5 for 1");
        assert_eq!(in_words(0.125), "1 for 8");
    }

    #[test]
    fn an_office_is_known_by_its_title_or_its_letters() {
        let office = "Chief Executive Officer";
        assert!(is_title("Chief Executive Officer", office));
        assert!(is_title("President and CEO", office));
        assert!(!is_title("Chief Financial Officer", office));
        assert!(!is_title("Vice Chairman", "Chairman"));
    }
}
