//! How a vote ended: `by 150 votes to 92`. The number of those in favour comes first, so that the same two numbers the
//! other way round are another outcome.

use text::statement::proposition::Proposition;

use super::reading::Reading;
use super::turned::is;

/// Words that say that two numbers are votes.
const VOTES: [&str; 9] = [
    "vote", "votes", "voted", "voting", "ballot", "passed", "approved", "adopted", "majority",
];
/// Where something is rejected, those against it may come first.
const REJECTED: [&str; 9] = [
    "rejected", "rejects", "failed", "fails", "defeated", "blocked", "down", "lost", "fell",
];

impl Reading<'_> {
    /// Whether a passage gives the two numbers of a vote in this claim the other way round, and nowhere the same way.
    pub(super) fn has_turned_tally(&self, passage: &Reading<'_>) -> bool {
        let Some((first, second)) = self.sentences.first().and_then(tally) else {
            return false;
        };
        let there: Vec<(&str, &str)> = passage.sentences.iter().filter_map(tally).collect();
        first != second && there.contains(&(second, first)) && !there.contains(&(first, second))
    }
}

/// The two numbers of a vote: `150 to 92`, `150-92`, `150 votes to 92`, `150 in favour and 92 against`.
fn tally<'t>(sentence: &Proposition<'t>) -> Option<(&'t str, &'t str)> {
    let words = &sentence.words;
    let says = |any: &[&str]| words.iter().any(|word| is(word, any));
    if !says(&VOTES) || says(&REJECTED) {
        return None;
    }
    let is_count = |at: usize| {
        let text = words[at].text;
        (1..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    (0..words.len()).filter(|at| is_count(*at)).find_map(|at| {
        let first = words[at].text;
        let next = (at + 1..words.len().min(at + 6)).find(|next| is_count(*next))?;
        let between = &words[at + 1..next];
        let end = first.as_ptr() as usize - sentence.text.as_ptr() as usize + first.len();
        let is_joined = between.is_empty()
            && sentence
                .text
                .get(end..)
                .is_some_and(|rest| rest.starts_with(['-', '–', '—', ':']));
        let is_counted = between
            .iter()
            .any(|word| is(word, &["to", "against", "versus", "favour", "favor", "for"]));
        (is_joined || is_counted).then(|| (first, words[next].text))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has_turned(claim: &str, passage: &str) -> bool {
        Reading::of_claim(claim).has_turned_tally(&Reading::of_passage(passage, "", None))
    }

    #[test]
    fn a_vote_the_other_way_round_is_another_outcome() {
        for (claim, passage, expected) in [
            (
                "Parliament adopted the budget by 92 votes to 150.",
                "Parliament adopted the budget by 150 votes to 92.",
                true,
            ),
            (
                "The Senate passed the bill 43-57.",
                "The Senate passed the bill in a 57-43 vote on Friday.",
                true,
            ),
            (
                "The motion passed with 80 votes in favour and 200 against.",
                "Lawmakers voted 200 to 80 for the motion.",
                true,
            ),
            (
                "Parliament adopted the budget by 150 votes to 92.",
                "Parliament adopted the budget by 150 votes to 92.",
                false,
            ),
            (
                "Arsenal beat Chelsea 1-3.",
                "Chelsea lost 3-1 to Arsenal.",
                false,
            ),
            (
                "Shares rose from 20 to 30 dollars after the vote.",
                "Shares rose 5 percent after the vote.",
                false,
            ),
        ] {
            assert_eq!(has_turned(claim, passage), expected, "{claim} | {passage}");
        }
    }
}
