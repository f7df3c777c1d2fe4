//! Writes about the move of a price: how far it went over which period, how it compares with the market, and what
//! coincides with a move that is asked about.

use model::Day;
use query::{Intent, Kind, LookUp, When};

use super::Writer;
use crate::answer::{PARTIAL, Sheet};
use crate::figures::{change, day, money, moved, one};
use crate::view::View;

/// Days between the first price and the beginning of the period asked about from which the difference is said.
const LATE: i32 = 14;

impl Writer<'_> {
    /// Why it moved: the move itself, and what coincides with it. Nothing is called a cause.
    pub(super) fn move_(&self, sheet: &mut Sheet) {
        if !self.wants(Intent::WhyMoved) {
            return;
        }
        if let Some(moved_by) = self.over_day() {
            // Coins trade all the time: a session on the previous day is not what is asked about.
            sheet.lead(format!(
                "Over the last 24 hours **{}** is **{}**.",
                self.name(),
                moved(moved_by)
            ));
            sheet.lead.extend(disputed(
                &self.page.reading.question,
                moved_by,
                "over that time",
            ));
            self.reports(sheet);
            return;
        }
        let session = self
            .get("performance")
            .and_then(|performance| performance.at("last_session"));
        let Some((session, moved_by)) =
            session.and_then(|session| Some((session, session.number("change_pct")?)))
        else {
            sheet.unknown(format!(
                "No session of {} that could be explained is on record.",
                self.name()
            ));
            return;
        };
        let of_session = session.text("date").unwrap_or("");
        if self.before_asked(Some(of_session), sheet) {
            // Another day explains nothing about the one that is asked about.
            return;
        }
        if self.is_old_for_now() {
            // Next to current news, a move from long ago would seem to belong to it.
            sheet.lead(format!(
                "No move of **{}** is on record for recent days: the newest session on record is that of {}.",
                self.name(),
                day(of_session)
            ));
            return;
        }
        let performance = self.get("performance");
        let stretch = performance.filter(|performance| {
            !self.page.reading.when.is_ahead
                && self.page.reading.when.from.is_some()
                && performance.number("sessions") > Some(1.0)
        });
        let moved_by = if let Some(stretch) = stretch {
            let Some(whole) = self.over_stretch(stretch, sheet) else {
                return;
            };
            whole
        } else {
            self.running(of_session, sheet);
            sheet.lead(format!(
                "**{}** closed at {} on {}, **{}** on the day.",
                self.name(),
                money(session.number("close").unwrap_or_default(), self.currency()),
                day(of_session),
                moved(moved_by)
            ));
            moved_by
        };
        let time = if stretch.is_some() {
            "over that time"
        } else {
            "in that session"
        };
        let disputed = disputed(&self.page.reading.question, moved_by, time);
        sheet.lead.extend(disputed);
        if let Some(ratio) = session.number("volume_ratio").filter(|_| stretch.is_none()) {
            sheet.lead(format!(
                "Volume was {} times that of a usual day.",
                one(ratio)
            ));
        }
        self.beside_market(stretch, of_session, moved_by, sheet);
        if let Some(competitors) = self.get("competitors") {
            let peers: Vec<String> = competitors
                .list("competitors")
                .into_iter()
                // In the same session: another day explains nothing.
                .filter(|peer| stretch.is_none() && peer.text("date") == Some(of_session))
                .filter_map(|peer| {
                    Some(format!(
                        "{} {}",
                        peer.text("ticker")?,
                        change(peer.number("change_pct")?)
                    ))
                })
                .take(5)
                .collect();
            if !peers.is_empty() {
                sheet
                    .beside
                    .push(format!("Peers in the same session: {}.", peers.join(", ")));
            }
        }
        self.reports(sheet);
    }

    /// Whether it is asked about now although its prices are old.
    fn is_old_for_now(&self) -> bool {
        let is_of_now = self.page.asked_from().is_none() && self.page.plan.as_of.is_none();
        let mut found = ["candles", "chart"]
            .into_iter()
            .filter_map(|key| self.get(key));
        is_of_now && found.any(|prices| crate::answer::old_since(prices).is_some())
    }

    /// How far a coin moved over the last 24 hours, if it is asked about now.
    fn over_day(&self) -> Option<f64> {
        let coin = self
            .get("coin")
            .filter(|_| self.instrument.kind == Kind::Coin && self.page.plan.as_of.is_none())?;
        let at = coin.text("updated_at")?.get(..10).and_then(Day::parse)?;
        is_of_now(&self.page.reading.when, at)
            .then(|| coin.number("change_24h"))
            .flatten()
    }

    /// What the reports next to a move prove, which is not a cause.
    fn reports(&self, sheet: &mut Sheet) {
        let has_news = self
            .get("news")
            .is_some_and(|news| !news.list("briefs").is_empty());
        if has_news {
            sheet.unknown.push(
                "That a report appears alongside the move does not make it the cause; no source here proves a cause.".to_owned(),
            );
        } else {
            sheet.unknown(format!(
                "No report of the time mentions {}, so no cause can be named.",
                self.symbol
            ));
        }
    }

    /// Where it has traded since, if the newest price is from a session that is not over.
    fn running(&self, of_session: &str, sheet: &mut Sheet) {
        let Some(price) = self.get("price") else {
            return;
        };
        let is_of_now = self.page.plan.as_of.is_none()
            && self
                .page
                .reading
                .when
                .to
                .is_none_or(|to| to.to_string().as_str() > of_session);
        if let (Some(value), Some(by), Some(at)) = (
            price.number("price"),
            price.number("change_pct"),
            price.text("updated_at"),
        ) && is_of_now
            && at.get(..10) > Some(of_session)
        {
            sheet.lead(format!(
                "**{}** trades at {} on {}, **{}** so far from the previous close. A session still in progress is not explained here; the last complete one:",
                self.name(),
                money(value, self.currency()),
                day(at),
                moved(by)
            ));
        }
    }

    /// Its performance over the period that was asked about; returns by how much it moved.
    fn over_stretch(&self, stretch: View<'_>, sheet: &mut Sheet) -> Option<f64> {
        let moved_by = stretch.number("change_pct")?;
        let currency = self.currency();
        let date = |field: &str| stretch.text(field).map(day).unwrap_or_default();
        let price = |field: &str| money(stretch.number(field).unwrap_or_default(), currency);
        sheet.lead(format!(
            "**{}** went from {} on {} to {} on {}, **{}**.",
            self.name(),
            price("start"),
            date("from"),
            price("end"),
            date("to"),
            moved(moved_by)
        ));
        if let (Some(largest), Some(on)) = (
            stretch.number("largest_session/change_pct"),
            stretch.text("largest_session/date"),
        ) {
            sheet.lead(format!(
                "Its largest move of a day was {} on {}.",
                change(largest),
                day(on)
            ));
        }
        Some(moved_by)
    }

    /// The performance of the market in the same period.
    fn beside_market(
        &self,
        stretch: Option<View<'_>>,
        of_session: &str,
        moved_by: f64,
        sheet: &mut Sheet,
    ) {
        const INDEX: &str = "^GSPC";
        let found = if stretch.is_some() {
            let period = self.page.get("period").and_then(|period| period.at(INDEX));
            period.and_then(|period| {
                let (from, to) = (period.text("from")?, period.text("to")?);
                let span = format!("from {} to {}", day(from), day(to));
                Some((period.number("change_pct")?, span))
            })
        } else {
            let indices = self.page.get("market").map(|market| market.list("indices"));
            let index = indices
                .into_iter()
                .flatten()
                .find(|index| index.text("symbol") == Some(INDEX));
            // A level from another day explains nothing.
            let index = index.filter(|index| index.text("date") == Some(of_session));
            index.and_then(|index| {
                Some((
                    index.number("change_pct")?,
                    format!("on {}", day(of_session)),
                ))
            })
        };
        if let Some((change_pct, when)) = found {
            let same = if (change_pct > 0.0) == (moved_by > 0.0) {
                "the market moved the same way"
            } else {
                "the market moved the other way"
            };
            sheet
                .beside
                .push(format!("S&P 500 {} {when}: {same}.", change(change_pct)));
        }
    }

    pub(super) fn performance(&self, sheet: &mut Sheet) {
        if let Some(LookUp::Crossing(crossing)) = self.page.reading.look_up {
            self.crossing(&crossing, sheet);
            return;
        }
        let Some(performance) = self.get("performance") else {
            return;
        };
        // The period that a move is asked about has already been reported with it.
        let is_told = self.wants(Intent::WhyMoved);
        // In a comparison, a table has the changes.
        let is_compared = self.wants(Intent::Comparison) && !self.is_one;
        if !self.wants(Intent::Performance) || is_told || is_compared {
            return;
        }
        let (Some(from), Some(to), Some(start), Some(end)) = (
            performance.text("from"),
            performance.text("to"),
            performance.number("start"),
            performance.number("end"),
        ) else {
            return;
        };
        let currency = self.currency();
        if self.before_asked(Some(to), sheet) {
            return;
        }
        self.mean(performance, sheet);
        self.mean_volume(performance, sheet);
        self.session_of_day(performance, sheet);
        let Some(change_pct) = performance.number("change_pct") else {
            self.only_session(performance, end, to, sheet);
            return;
        };
        self.extremes(performance, sheet);
        sheet.lead(format!(
            "**{}** went from {} on {} to {} on {}: **{}**.",
            self.name(),
            money(start, currency),
            day(from),
            money(end, currency),
            day(to),
            change(change_pct)
        ));
        let begins = Day::parse(from).zip(self.page.asked_from());
        if begins.is_some_and(|(begins, asked)| begins.since(asked) > LATE) {
            sheet.unknown(format!(
                "{}: no price before {} was compared.",
                self.name(),
                day(from)
            ));
            sheet.at_most(PARTIAL);
        }
        // Within a single session there is nothing in between.
        let is_stretch = performance.whole("sessions").is_some_and(|count| count > 1);
        if !is_stretch {
            return;
        }
        if let (Some(high), Some(low), Some(drawdown)) = (
            performance.number("high"),
            performance.number("low"),
            performance.number("max_drawdown_pct"),
        ) {
            let date = |field: &str| performance.text(field).map(day).unwrap_or_default();
            sheet.lead(format!(
                "Between {} ({}) and {} ({}); the deepest fall from a closing high was {}.",
                money(low, currency),
                date("low_date"),
                money(high, currency),
                date("high_date"),
                change(drawdown)
            ));
        }
    }
}

impl Writer<'_> {
    /// The open, the range, the close and the volume of one day, if one of them other than the close is asked for.
    fn session_of_day(&self, performance: View<'_>, sheet: &mut Sheet) {
        const ASKED: [&str; 7] = [
            "open", "opened", "opening", "volume", "intraday", "high", "low",
        ];
        let when = &self.page.reading.when;
        let question = self.page.reading.question.to_lowercase();
        let mut words = question.split(|one: char| !one.is_alphanumeric());
        let is_of_day = when.from.is_some() && when.from == when.to && !when.is_ahead;
        // The daily prices of a coin have no range.
        let is_coin = self.instrument.kind == Kind::Coin;
        if !is_of_day || is_coin || !words.any(|word| ASKED.contains(&word)) {
            return;
        }
        let Some(session) = performance.at("last_session") else {
            return;
        };
        let (Some(date), Some(close)) = (session.text("date"), session.number("close")) else {
            return;
        };
        let shown = |value: f64| money(value, self.currency());
        let open = session
            .number("open")
            .map(|open| format!(" opened at **{}**,", shown(open)));
        let range = session
            .number("low")
            .zip(session.number("high"))
            .map(|(low, high)| format!(" traded between {} and {}", shown(low), shown(high)));
        let volume = session.number("volume").map(|volume| {
            format!(
                "; **{}** shares changed hands",
                crate::figures::whole(volume)
            )
        });
        sheet.lead(format!(
            "On {} **{}**{}{} and closed at {}{}.",
            day(date),
            self.name(),
            open.unwrap_or_default(),
            range.unwrap_or_default(),
            shown(close),
            volume.unwrap_or_default()
        ));
    }
}

/// Whether a time covers a price on this day, and began no earlier.
fn is_of_now(when: &When, at: Day) -> bool {
    !when.is_ahead && when.from.is_none_or(|from| from >= at) && when.to.is_none_or(|to| to >= at)
}

/// Says so if a price moved in the opposite direction to the one in the question.
pub(in crate::answer) fn disputed(question: &str, moved_by: f64, time: &str) -> Option<String> {
    match asked_direction(question)? {
        false if moved_by > 0.0 => Some(format!("It rose {time}; the question speaks of a fall.")),
        true if moved_by < 0.0 => Some(format!("It fell {time}; the question speaks of a rise.")),
        _ => None,
    }
}

/// Whether a question speaks of a rise (`true`) or of a fall; `None` if it speaks of neither or of both.
pub(in crate::answer) fn asked_direction(question: &str) -> Option<bool> {
    const FALLS: [&str; 11] = [
        "fall", "fell", "drop", "crash", "tank", "plung", "sink", "sank", "slid", "declin", "slump",
    ];
    const RISES: [&str; 9] = [
        "rise", "rising", "rose", "jump", "rall", "surg", "soar", "spik", "climb",
    ];
    let lower = question.to_lowercase();
    let words: Vec<&str> = lower
        .split(|one: char| !one.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let says = |stems: &[&str], whole: &[&str]| {
        words
            .iter()
            .any(|word| whole.contains(word) || stems.iter().any(|stem| word.starts_with(stem)))
    };
    let falls = says(&FALLS, &["down", "red", "lower"]);
    let rises = says(&RISES, &["up", "gain", "gained", "green", "higher"]);
    (falls != rises).then_some(rises)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_speaks_of_a_rise_or_a_fall_in_whole_words() {
        for (question, expected) in [
            ("why did MSFT get ignored today", None),
            ("why is Tesla in the red", Some(false)),
            ("why did gold surge last week", Some(true)),
            ("why did it fall and then climb", None),
            ("why was AAPL up", Some(true)),
            ("any update on supply", None),
        ] {
            assert_eq!(asked_direction(question), expected, "{question}");
        }
    }

    #[test]
    fn a_move_the_other_way_is_said() {
        let told = |question: &str, moved_by: f64| disputed(question, moved_by, "in that session");
        let fell = "It fell in that session; the question speaks of a rise.";
        let rose = "It rose in that session; the question speaks of a fall.";
        for (question, moved_by, expected) in [
            ("why is gold up this week", -0.26, Some(fell)),
            ("why is gold up this week", 0.26, None),
            ("why did bitcoin drop", 4.41, Some(rose)),
            ("why did bitcoin move", -4.41, None),
            ("why is gold up", 0.0, None),
        ] {
            assert_eq!(told(question, moved_by).as_deref(), expected, "{question}");
        }
    }

    #[test]
    fn a_coin_is_asked_about_now_where_no_earlier_time_is_named() {
        let day = |text: &str| Day::parse(text);
        let at = Day::parse("2026-11-26").unwrap();
        let when = |from: Option<&str>, to: Option<&str>| When {
            from: from.and_then(day),
            to: to.and_then(day),
            ..When::default()
        };
        for (when, expected) in [
            (when(None, None), true),
            (when(Some("2026-11-26"), Some("2026-11-26")), true),
            (when(Some("2026-11-25"), Some("2026-11-25")), false),
            (when(Some("2026-11-23"), Some("2026-11-26")), false),
            (when(None, Some("2026-11-25")), false),
        ] {
            assert_eq!(is_of_now(&when, at), expected, "{when:?}");
        }
    }
}
