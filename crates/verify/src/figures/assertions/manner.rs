//! Which measure is meant, which value of the period counts, and whether the claim is a denial.

use super::{Reader, Said, direction, relation};
use crate::figures::assemble::field_of;
use crate::figures::claim::{Measure, Over, PriceField, Subject};
use crate::figures::items::{self, Item, What};
use crate::figures::token::Join;
use crate::figures::{KnownSeries, Length, Period, SeriesKind};

impl Reader<'_> {
    /// The measure: the most specific of those mentioned.
    pub(super) fn measures(&self, said: &mut Said) {
        let comparison = self.comparison_place();
        for (place, item) in self.items.iter().enumerate() {
            if comparison.is_some_and(|comparison| place > comparison) {
                continue;
            }
            let found = match &item.what {
                What::Measure(measure) => Some(*measure),
                What::Word(code) => items::measure(code),
                _ => None,
            };
            let Some(found) = found else { continue };
            let keeps = match (said.measure, found) {
                (None | Some(Measure::Price(_)), _) => false,
                (Some(one), other) if one == other => true,
                (Some(_), Measure::Price(_)) | (Some(Measure::Average(..)), _) => true,
                // Two measures are one too many.
                (Some(_), _) => {
                    said.unclear = Some("it names more than one measure");
                    true
                }
            };
            if !keeps {
                said.measure = Some(found);
            }
        }
    }

    /// Verbs and adverbs that say which value counts, and denials.
    pub(super) fn manner(&self, said: &mut Said) {
        let mut denials = 0;
        let mut field = None;
        for (place, item) in self.items.iter().enumerate() {
            let Some(code) = relation(item) else { continue };
            match code {
                "not" => {
                    denials += 1;
                    if self.tokens[item.first].is("never") {
                        said.over = Over::Any;
                    }
                }
                "mean"
                    if !matches!(
                        self.items.get(place + 1).map(|next| &next.what),
                        Some(What::Word(code)) if *code != "close" && *code != "price"
                    ) || said.measure.is_none() =>
                {
                    said.over = Over::Mean;
                    // `its highest close exceeded its average close`.
                    let compares = self.items[..place]
                        .iter()
                        .any(|item| matches!(relation(item), Some("exceed" | "undercut")));
                    if compares {
                        said.unclear = Some("what it is compared with is not understood");
                    }
                }
                "any" => said.over = Over::Any,
                "every" if said.over == Over::Unsaid => said.over = Over::Every,
                "begin" => {
                    // `began 2022 at 177`: the first value.
                    said.over = Over::Start;
                }
                "reach" => {
                    field = field.or(field_of(code));
                    // `never hit 120,000`: it was not passed at any time.
                    if matches!(said.over, Over::Unsaid | Over::Any) {
                        said.over = Over::Reached;
                    }
                }
                "exceed" | "undercut" => {
                    field = field.or(field_of(code));
                    if said.over == Over::Unsaid {
                        said.over = Over::Any;
                    }
                }
                "peak" => {
                    field = field.or(field_of(code));
                    said.over = Over::Highest;
                }
                "trough" => {
                    field = field.or(field_of(code));
                    said.over = Over::Lowest;
                }
                "trade" => field = field.or(field_of(code)),
                "close" | "open" => {
                    // `spiked above 65 but closed below 40`, `averaged 8 % but ended at 6.7 %`.
                    let passes = self.items[..place].iter().any(|item| {
                        matches!(
                            relation(item),
                            Some("exceed" | "undercut" | "reach" | "peak" | "trough" | "mean")
                        )
                    });
                    let trades = self.items[..place]
                        .iter()
                        .filter(|item| relation(item) == Some("trade"))
                        .any(|item| {
                            self.tokens[item.next..self.items[place].first]
                                .iter()
                                .any(|token| {
                                    token.is_any(&["but", "and", "before", "after", "then"])
                                })
                        });
                    if trades {
                        said.unclear = Some("it gives figures of two kinds");
                    }
                    let amounts = self
                        .items
                        .iter()
                        .filter(|item| matches!(item.what, What::Amount(_)));
                    if passes && amounts.count() > 1 {
                        said.unclear = Some("it gives figures of two kinds");
                    }
                    field = field_of(code);
                }
                _ => {}
            }
        }
        let turned = self
            .tokens
            .iter()
            .any(|token| token.is_any(&["turned", "became", "went", "uninverted", "disinverted"]));
        let inverts = self.tokens.windows(2).any(|pair| {
            pair[1].is("inverted")
                && !pair[0].is_any(&[
                    "was", "were", "been", "is", "remained", "stayed", "an", "still", "not",
                    "deeply", "be",
                ])
        });
        if inverts && said.over == Over::Unsaid {
            said.over = Over::Any;
        }
        if turned && said.over == Over::Unsaid {
            said.over = Over::Any;
        }
        said.is_negated = denials % 2 == 1;
        if denials > 0 && self.denies_apart() {
            said.unclear = Some("what it denies is not understood");
        }
        if said.measure.is_none() {
            said.measure = field;
        }
        // `closed at its highest of 2022`.
        if said.measure == Some(Measure::Price(PriceField::High)) && said.over == Over::Unsaid {
            said.over = Over::Highest;
        }
        if said.measure == Some(Measure::Price(PriceField::Low)) && said.over == Over::Unsaid {
            said.over = Over::Lowest;
        }
        let says_intraday = self.tokens.iter().any(|token| token.is("intraday"));
        if says_intraday && said.measure.is_none() {
            // `the highest intraday print`.
            said.measure = self.items.iter().find_map(|item| match relation(item) {
                Some("highest") => Some(Measure::Price(PriceField::High)),
                Some("lowest") => Some(Measure::Price(PriceField::Low)),
                _ => None,
            });
        }
        let has_amount = self
            .items
            .iter()
            .any(|item| matches!(item.what, What::Amount(_)));
        if has_amount && said.over == Over::Unsaid {
            for item in self.items {
                match relation(item) {
                    Some("highest") => said.over = Over::Highest,
                    Some("lowest") => said.over = Over::Lowest,
                    _ => {}
                }
            }
        }
        for item in self.items {
            if let What::Period(Period::Past(..), _) = item.what
                && self.tokens[item.first].is("for")
                && said.over == Over::Unsaid
            {
                said.over = Over::Every;
            }
        }
        said.is_between_times = self.tokens.iter().enumerate().any(|(at, token)| {
            token.is("between")
                && self.tokens.get(at + 1).is_some_and(|next| {
                    self.items.iter().any(|item| {
                        matches!(item.what, What::Period(..))
                            && item.first <= at + 1
                            && next.start >= token.end
                    })
                })
        }) || self.hyphened_times();
        let every_long = self.tokens.windows(2).any(|pair| {
            pair[0].is_any(&["every", "each"])
                && pair[1].is_any(&["week", "month", "quarter", "year"])
        });
        if every_long && self.is_daily() {
            said.unclear = Some("changes of every week, month or year are not compared");
        }
        let long_streak = self.items.iter().any(|item| matches!(item.what, What::Period(Period::Past(_, length), _) if !matches!(length, Length::Sessions | Length::Days)));
        if long_streak
            && self.is_daily()
            && self
                .tokens
                .iter()
                .any(|token| token.is_any(&["straight", "consecutive", "running"]))
        {
            said.unclear = Some("streaks of weeks, months and years are not compared");
        }
        let streak = self
            .tokens
            .iter()
            .any(|token| token.is_any(&["straight", "consecutive", "running"]));
        if streak {
            said.over = Over::Every;
        }
        said.has_direction = self
            .items
            .iter()
            .any(|item| relation(item).and_then(direction).is_some());
    }

    /// Whether a separate clause after what is said about the figure denies something: `…, and it was not close`.
    fn denies_apart(&self) -> bool {
        // `on 26 February, not on the day of its highest close`.
        let contrasts = self.items.iter().any(|item| {
            relation(item) == Some("not")
                && item.first > 2
                && self.tokens[item.first].join == Join::Break
                && self.tokens.get(item.next).is_some_and(|next| {
                    next.is_any(&["on", "in", "at", "the", "a", "by", "as", "from"])
                })
        });
        if contrasts {
            return true;
        }
        let opens = (1..self.tokens.len()).rev().find(|at| {
            self.tokens[*at].join == Join::Break
                && self.tokens[*at].is_any(&["and", "but", "though"])
        });
        let Some(opens) = opens else { return false };
        let says = |item: &Item| {
            matches!(
                item.what,
                What::Amount(_) | What::Period(..) | What::Subject(_)
            )
        };
        self.items
            .iter()
            .any(|item| relation(item) == Some("not") && item.first > opens)
            && !self
                .items
                .iter()
                .filter(|item| item.first > opens)
                .any(says)
    }

    /// Whether the subject has a value for each day.
    pub(super) fn is_daily(&self) -> bool {
        match self.parts.subjects.first() {
            Some(Subject::Series(code)) => {
                code.starts_with("ust_")
                    || code.starts_with("spread")
                    || KnownSeries::find(code).is_some_and(|known| known.kind == SeriesKind::Price)
            }
            _ => true,
        }
    }

    /// `March-May 2021`: two times joined by a dash.
    pub(super) fn hyphened_times(&self) -> bool {
        self.items.windows(2).any(|pair| {
            matches!(
                (&pair[0].what, &pair[1].what),
                (What::Period(..), What::Period(..))
            ) && pair[0].next == pair[1].first
                && self.tokens[pair[1].first].join == Join::Hyphen
        })
    }

    /// Whether a verb describes what a session did: `closed above 120 in March` is true if one session did.
    pub(super) fn says_session(&self) -> bool {
        let mut items = self.items.iter();
        items.any(|item| matches!(relation(item), Some("close" | "trade")))
    }

    pub(super) fn says_end(&self) -> bool {
        use crate::figures::period::Role;
        self.items
            .iter()
            .any(|item| matches!(item.what, What::Period(_, Role::End | Role::Start)))
    }
}
