//! An opening clause that says nothing about a figure: `Energy was the standout of 2022: XLE climbed 58 %`.

use model::Day;

use super::denies;
use crate::figures::items::{self, Item, What};
use crate::figures::token::{Join, Token, cut};
use crate::figures::{Subject, doubts};

/// Words that make an opening clause more than a headline.
const CLAIMS: [&str; 34] = [
    "imagine", "dream", "case", "position", "claims", "fake", "scenario", "puts", "calls", "put",
    "call", "short", "bull", "bear", "bulls", "bears", "suppose", "rival", "first", "only", "ever",
    "record", "most", "least", "worst", "best", "except", "but", "unlike", "all", "every", "each",
    "none", "if",
];

/// The sentence without the clause, with the time that it names. `None` if there is none.
pub(super) fn without_preface(text: &str, today: Day) -> Option<Vec<String>> {
    let tokens = cut(text);
    (1..tokens.len()).find_map(|at| {
        let between = &text[tokens[at - 1].end..tokens[at].start];
        let is_colon =
            between.trim_end().ends_with(':') || between.contains('—') || between.contains(" – ");
        let is_comma = between.contains(',') && tokens[at].join == Join::Break;
        let (head, mut rest) = (text[..tokens[at - 1].end].trim(), &text[tokens[at].start..]);
        if is_comma && tokens[at].is("with") {
            rest = &text[tokens.get(at + 1)?.start..];
        } else if !is_colon && !is_comma {
            return None;
        }
        let preface = Preface::of(head, today)?;
        let main = cut(rest);
        let marks = items::mark(rest, &main, today);
        let names = marks
            .items
            .iter()
            .find(|item| matches!(item.what, What::Subject(_)));
        let is_timed = marks
            .items
            .iter()
            .any(|item| matches!(item.what, What::Period(..)));
        let says = marks
            .items
            .iter()
            .any(|item| matches!(item.what, What::Amount(_) | What::Relation(_)));
        let time = match (&preface.time, is_timed) {
            (Some(time), false) => format!(" {time}"),
            _ => String::new(),
        };
        let rest = rest.trim_end_matches(['.', '!']);
        match (&preface.subject, names) {
            // `Small caps led in 2023: the Russell 2000 beat the S&P 500`.
            (None, Some(_)) if says && (!is_comma || tokens[at].is("with")) => {
                Some(vec![format!("{rest}{time}")])
            }
            // `Exxon was among the winners of 2022, its shares climbing 70 %`.
            (Some(subject), None) if says => {
                let rest = without_owner(rest, &main);
                Some(vec![format!("{subject} {rest}{time}")])
            }
            _ => None,
        }
    })
}

/// What an opening clause says.
struct Preface {
    subject: Option<String>,
    time: Option<String>,
}

impl Preface {
    /// `None` if it says something about a figure.
    fn of(head: &str, today: Day) -> Option<Self> {
        let tokens = cut(head);
        let marks = items::mark(head, &tokens, today);
        let claims = tokens
            .iter()
            .any(|token| token.is_any(&CLAIMS) || doubts::is_superlative(&token.lower));
        let is_plain = !claims
            && !denies(&tokens)
            && marks.elsewhere.is_none()
            && marks.items.iter().all(|item| {
                matches!(
                    item.what,
                    What::Subject(_) | What::Period(..) | What::Word("price")
                )
            });
        // A name alone is not a clause.
        if !is_plain || tokens.len() < 3 || marks.unexplained.is_empty() {
            return None;
        }
        let all = |is: fn(&What) -> bool| -> Vec<&Item> {
            marks.items.iter().filter(|item| is(&item.what)).collect()
        };
        // `For holders in yen: …`.
        let in_currency =
            !all(|what| matches!(what, What::Subject(Subject::Currency { .. }))).is_empty();
        if in_currency {
            return None;
        }
        let subjects = all(|what| {
            matches!(
                what,
                What::Subject(Subject::Named { .. } | Subject::Series(_))
            )
        });
        let times = all(|what| matches!(what, What::Period(..)));
        let ([] | [_]) = subjects[..] else {
            return None;
        };
        let time = match times[..] {
            [] => None,
            [time] => {
                let written = time.written(head, &tokens);
                let written = written.strip_prefix("of ").unwrap_or(written);
                let has_preposition = ["in ", "on ", "at ", "during "]
                    .iter()
                    .any(|word| written.to_lowercase().starts_with(word));
                let written = written.strip_suffix("'s").unwrap_or(written);
                Some(if has_preposition {
                    written.to_owned()
                } else {
                    format!("in {written}")
                })
            }
            _ => return None,
        };
        // `A short position in Tesla`, `Exxon's rival`: not the company that is named.
        let is_head = subjects.first().is_none_or(|item| {
            item.first == 0
                && tokens.get(item.next).is_some_and(|next| {
                    next.is_any(&[
                        "was", "were", "is", "are", "had", "has", "ranked", "stood", "enjoyed",
                        "suffered",
                    ])
                })
        });
        if !is_head {
            return None;
        }
        let subject = subjects
            .first()
            .map(|item| item.written(head, &tokens).to_owned());
        Some(Self { subject, time })
    }
}

/// Without the words that stand for the one already named: `its shares climbing`.
fn without_owner<'t>(rest: &'t str, tokens: &[Token<'_>]) -> &'t str {
    let skipped = tokens
        .iter()
        .take_while(|token| {
            token.is_any(&["its", "their", "the", "with", "shares", "stock", "share"])
        })
        .count();
    tokens
        .get(skipped)
        .map_or(rest, |token| &rest[token.start..])
}
