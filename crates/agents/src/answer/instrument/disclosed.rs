//! Disclosures and coverage of one instrument: ratings, trades, holders, filings, coverage, peers.

use query::Intent;

use super::Writer;
use crate::answer::Sheet;
use crate::answer::disclosures::{
    FILING_HEAD, LISTED, congress_table, filing_row, insider_row, picked, picks, table,
};
use crate::figures::{change, count, day, large, money, moved, one, quoted, whole};
use crate::view::View;

impl Writer<'_> {
    pub(super) fn analysts(&self, sheet: &mut Sheet) {
        let Some(analysts) = self.get("analysts") else {
            return;
        };
        let number = analysts.whole("num_analysts").unwrap_or_default();
        let (Some(consensus), true) = (analysts.text("consensus"), number > 0) else {
            sheet.lead(format!("No analyst of **{}** is on record.", self.name()));
            return;
        };
        let mut line = format!(
            "**{}**: the consensus of {} is **{}**",
            self.name(),
            count(number, "analyst", "analysts"),
            consensus.replace('_', " ")
        );
        if let Some(target) = analysts.number("avg_target") {
            line = format!(
                "{line}, with a mean target of {}",
                money(target, self.currency())
            );
            if let Some(upside) = analysts.number("upside_pct") {
                line = format!("{line} ({} from the price)", change(upside));
            }
        }
        sheet.lead(format!("{line}."));
        if let (Some(low), Some(high)) = (
            analysts.number("low_target"),
            analysts.number("high_target"),
        ) {
            sheet.lead(targets(
                number,
                &money(low, self.currency()),
                &money(high, self.currency()),
            ));
        }
        let rows: Vec<String> = analysts
            .list("recent_ratings")
            .into_iter()
            .take(LISTED)
            .filter_map(|rating| {
                let target = rating
                    .number("target")
                    .map(|target| money(target, self.currency()));
                Some(format!(
                    "| {} | {} | {} | {} |",
                    day(rating.text("date")?),
                    quoted(rating.text("firm").unwrap_or("–")),
                    rating.text("rating").unwrap_or("–"),
                    target.as_deref().unwrap_or("–")
                ))
            })
            .collect();
        table(
            sheet,
            "| Date | Firm | Rating | Target |\n|---|---|---|---:|",
            &rows,
        );
    }

    pub(super) fn insider(&self, sheet: &mut Sheet) {
        let Some(insider) = self.get("insider") else {
            return;
        };
        // The holder of the office has already been named; what they traded was not asked.
        if matches!(self.page.reading.fact, Some(query::Fact::Office(_))) {
            return;
        }
        let trades = insider.list("insider_trades");
        if trades.is_empty() {
            let reason = insider.why_empty();
            sheet.lead(format!(
                "**{}**: {}.",
                self.name(),
                reason.unwrap_or_else(|| "no insider trade is on record for the period".to_owned())
            ));
            return;
        }
        let all = trades.len();
        let trades = picked(self.page, trades);
        let asked = picks(self.page);
        if !asked.is_empty() {
            sheet.lead(format!(
                "**{}**: {} of insiders{asked}, of {all} on record for the period.",
                self.name(),
                match trades.len() {
                    0 => "no trade".to_owned(),
                    number => count(number as u64, "trade", "trades"),
                }
            ));
        }
        let of = |kind: &str| {
            trades
                .iter()
                .filter(|trade| trade.text("transaction_type") == Some(kind))
                .count() as u64
        };
        if asked.is_empty() {
            sheet.lead(format!(
                "**{}**: {} of insiders on record for the period, {} and {}.",
                self.name(),
                count(trades.len() as u64, "trade", "trades"),
                count(of("buy"), "purchase", "purchases"),
                count(of("sell"), "sale", "sales")
            ));
        }
        let rows: Vec<String> = trades
            .iter()
            .take(self.page.reading.at_most.unwrap_or(LISTED))
            .filter_map(|trade| insider_row(*trade, None))
            .collect();
        table(
            sheet,
            "| Date | Who | Trade | Shares | Value |\n|---|---|---|---:|---:|",
            &rows,
        );
    }

    pub(super) fn congress(&self, sheet: &mut Sheet) {
        let Some(congress) = self.get("congress") else {
            return;
        };
        let trades = congress.list("trades");
        if trades.is_empty() {
            let asked = self
                .page
                .plan
                .steps
                .iter()
                .find(|step| step.key == "congress");
            let member = asked.and_then(|step| step.arguments.get("member")?.as_str());
            sheet.lead(match member {
                Some(member) => format!(
                    "No trade in **{}** by a member of Congress called {} is on record.",
                    self.name(),
                    quoted(member)
                ),
                None => format!(
                    "No trade of a member of Congress in **{}** is on record.",
                    self.name()
                ),
            });
            return;
        }
        let when = &self.page.reading.when;
        let from = when.from.filter(|_| !when.is_ahead);
        if let Some(from) = from.map(|from| from.to_string()) {
            let date = |trade: &View<'_>| {
                let dates = ["transaction_date", "disclosure_date"];
                let of = dates.iter().filter_map(|field| trade.text(field));
                of.map(str::to_owned).max()
            };
            if trades
                .iter()
                .all(|trade| date(trade).is_none_or(|date| date < from))
            {
                sheet.lead(format!(
                    "No trade of a member of Congress in **{}** is on record since {}. The newest are older:",
                    self.name(),
                    day(&from)
                ));
                congress_table(sheet, &trades, LISTED);
                return;
            }
        }
        let (side, word) = match self.page.reading.side {
            Some(query::Side::Buy) => (Some("buy"), "purchase"),
            Some(query::Side::Sell) => (Some("sell"), "sale"),
            None => (None, "trade"),
        };
        let of_side: Vec<_> = trades
            .iter()
            .copied()
            .filter(|trade| side.is_none() || trade.text("transaction_type") == side)
            .collect();
        let shown = if of_side.is_empty() { trades } else { of_side };
        if side.is_some() && shown.iter().all(|one| one.text("transaction_type") != side) {
            sheet.lead(format!(
                "No {word} of **{}** by a member of Congress is on record; what was disclosed last:",
                self.name()
            ));
        } else {
            let newest = shown[0]
                .text("disclosure_date")
                .map(day)
                .unwrap_or_default();
            sheet.lead(format!(
                "**{}**: {} by members of Congress, the newest disclosed on {newest}.",
                self.name(),
                count(shown.len() as u64, word, &format!("{word}s")),
            ));
        }
        congress_table(sheet, &shown, LISTED);
    }

    pub(super) fn institutions(&self, sheet: &mut Sheet) {
        let Some(institutions) = self.get("institutions") else {
            return;
        };
        let holders = institutions.list("holders");
        let Some(first) = holders.first() else {
            sheet.lead(format!(
                "No institutional holder of **{}** is on record.",
                self.name()
            ));
            return;
        };
        self.holder(&holders, sheet);
        sheet.lead(format!(
            "**{}**: the largest holder on record is {} with {} shares (reported for {}).",
            self.name(),
            quoted(first.text("institution").unwrap_or("–")),
            whole(first.number("shares").unwrap_or_default()),
            first.text("report_date").map(day).unwrap_or_default()
        ));
        let rows: Vec<String> = holders
            .iter()
            .take(LISTED)
            .filter_map(|holder| {
                let value = holder.number("value").map(|value| large(value, "USD"));
                let changed = holder.number("change_pct").map(change);
                Some(format!(
                    "| {} | {} | {} | {} | {} |",
                    quoted(holder.text("institution")?),
                    whole(holder.number("shares")?),
                    value.as_deref().unwrap_or("–"),
                    changed.as_deref().unwrap_or("–"),
                    holder.text("report_date").map(day).unwrap_or_default()
                ))
            })
            .collect();
        table(
            sheet,
            "| Institution | Shares | Value | Change | Reported for |\n|---|---:|---:|---:|---|",
            &rows,
        );
    }

    /// The stake of the holder that the question names, or that it is not among those on record.
    fn holder(&self, holders: &[View<'_>], sheet: &mut Sheet) {
        let Some(asked) = &self.page.reading.holder else {
            return;
        };
        // Names of holders may be longer: `Berkshire Hathaway Inc`.
        let first = asked.split(' ').next().unwrap_or(asked).to_lowercase();
        let is_asked = |holder: &&View<'_>| {
            let name = holder
                .text("institution")
                .unwrap_or_default()
                .to_lowercase();
            name.split(' ').any(|word| word == first)
        };
        let found = holders.iter().find(is_asked).copied();
        let told = found.and_then(|holder| {
            let changed = holder
                .number("change_pct")
                .map(|by| format!(", {} from the report before", moved(by)));
            Some(format!(
                "**{}** holds **{}** shares of **{}**{} (reported for {}).",
                quoted(holder.text("institution")?),
                whole(holder.number("shares")?),
                self.name(),
                changed.unwrap_or_default(),
                holder.text("report_date").map(day)?
            ))
        });
        sheet.lead(told.unwrap_or_else(|| {
            format!(
                "{} is not among the holders of **{}** on record, so that what it bought or sold is not known here.",
                quoted(asked),
                self.name()
            )
        }));
    }

    pub(super) fn filings(&self, sheet: &mut Sheet) {
        let Some(filings) = self.get("filings") else {
            return;
        };
        let list = filings.list("filings");
        let Some(first) = list.first() else {
            sheet.lead(format!("No filing of **{}** is on record.", self.name()));
            return;
        };
        let form = first.text("form_type").unwrap_or("filing");
        // `a 4` is not one.
        let form = if form.starts_with(|one: char| one.is_ascii_digit()) {
            format!("Form {form}")
        } else {
            form.to_owned()
        };
        sheet.lead(format!(
            "**{}**: the newest filing on record is a {form} of {}.",
            self.name(),
            first.text("filed_date").map(day).unwrap_or_default()
        ));
        let rows: Vec<String> = list
            .iter()
            .take(LISTED)
            .filter_map(|filing| filing_row(*filing))
            .collect();
        table(sheet, FILING_HEAD, &rows);
    }

    pub(super) fn sentiment(&self, sheet: &mut Sheet) {
        let Some(sentiment) = self.get("sentiment") else {
            return;
        };
        let history = sentiment.list("history");
        let (Some(first), Some(last)) = (history.first(), history.last()) else {
            let reason = sentiment.why_empty();
            sheet.lead(format!(
                "**{}**: {}.",
                self.name(),
                reason.unwrap_or_else(|| "no brief in the period mentions this symbol".to_owned())
            ));
            return;
        };
        let (oldest, newest) = if first.text("date") <= last.text("date") {
            (first, last)
        } else {
            (last, first)
        };
        if let (Some(score), Some(date)) = (newest.number("avg_sentiment"), newest.text("date")) {
            let word = match score {
                0.55.. => "positive",
                ..=0.45 => "negative",
                _ => "neutral",
            };
            sheet.lead(format!(
                "Coverage of **{}** was **{word}** on {}: sentiment {score:.2} (0.5 is neutral) over {}.",
                self.name(),
                day(date),
                count(newest.whole("brief_count").unwrap_or_default(), "brief", "briefs")
            ));
            if history.len() > 1
                && let (Some(before), Some(then)) =
                    (oldest.number("avg_sentiment"), oldest.text("date"))
            {
                sheet.lead(format!("On {} it was {before:.2}.", day(then)));
            }
        }
    }

    pub(super) fn competitors(&self, sheet: &mut Sheet) {
        let Some(competitors) = self.get("competitors") else {
            return;
        };
        if !self.wants(Intent::Competitors) {
            return;
        }
        let peers = competitors.list("competitors");
        if peers.is_empty() {
            sheet.lead(format!("No peer of **{}** is on record.", self.name()));
            return;
        }
        let sector = competitors
            .text("sector")
            .map(|sector| format!(" in {}", quoted(sector)));
        sheet.lead(format!(
            "**{}**{} has {} on record.",
            self.name(),
            sector.unwrap_or_default(),
            count(peers.len() as u64, "peer", "peers")
        ));
        let rows: Vec<String> = peers
            .iter()
            .filter_map(|peer| {
                let dash = || "–".to_owned();
                Some(format!(
                    "| {} | {} | {} | {} | {} | {} | {} |",
                    peer.text("ticker")?,
                    quoted(peer.text("entity_name")?),
                    peer.number("price").map_or_else(dash, |value| {
                        money(value, peer.text("currency").unwrap_or(""))
                    }),
                    peer.text("date").map_or_else(dash, day),
                    peer.number("change_pct").map_or_else(dash, change),
                    peer.number("rsi_14").map_or_else(dash, one),
                    peer.number("market_cap_b")
                        .map_or_else(dash, |value| format!("${}B", one(value)))
                ))
            })
            .collect();
        table(
            sheet,
            "| Symbol | Name | Price | As of | Change | RSI | Market value |\n|---|---|---:|---|---:|---:|---:|",
            &rows,
        );
    }
}

/// The range of analysts' price targets.
fn targets(analysts: u64, low: &str, high: &str) -> String {
    match (low == high, analysts) {
        (true, 1) => format!("The one target is {low}."),
        (true, _) => format!("Every target is {low}."),
        (false, _) => format!("Targets lie between {low} and {high}."),
    }
}

#[cfg(test)]
mod tests {
    use super::targets;

    #[test]
    fn one_target_is_no_range() {
        let (low, high) = ("$100.00", "$120.00");
        assert_eq!(targets(1, low, low), "The one target is $100.00.");
        assert_eq!(targets(3, low, low), "Every target is $100.00.");
        assert_eq!(
            targets(3, low, high),
            "Targets lie between $100.00 and $120.00."
        );
    }
}
