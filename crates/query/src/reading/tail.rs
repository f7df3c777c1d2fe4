//! What the end of a question says about the answer as a whole: `…, and when?` wants the day of what was asked for, and
//! nothing else.

use crate::words::Word;

/// Words after `and when` that refer to what was asked for.
const POINTING: [&str; 10] = [
    "was", "is", "did", "it", "that", "this", "happen", "happened", "exactly", "so",
];

/// The words of a question without that ending. A question that consists of nothing else keeps it.
pub(super) fn without(words: Vec<Word>) -> Vec<Word> {
    let Some(begin) = begin(&words) else {
        return words;
    };
    words.into_iter().take(begin).collect()
}

/// Where the end begins.
fn begin(words: &[Word]) -> Option<usize> {
    const LEAST: usize = 2;
    (LEAST..words.len()).rev().find(|at| {
        let rest = &words[*at..];
        let joined = rest[0].is_any(&["and", "&"]);
        let asked = &rest[usize::from(joined)..];
        let is_parted = joined || rest[0].is_parted;
        let behind = match asked {
            [when, behind @ ..] if when.is("when") => behind,
            [on, which, day, behind @ ..]
                if on.is("on")
                    && which.is_any(&["which", "what"])
                    && day.is_any(&["day", "date"]) =>
            {
                behind
            }
            _ => return false,
        };
        is_parted && behind.iter().all(|word| word.is_any(&POINTING))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::cut;

    #[test]
    fn the_day_of_the_answer_is_no_wish_of_its_own() {
        let check = |question: &str, expected: usize| {
            assert_eq!(without(cut(question)).len(), expected, "{question}");
        };
        check("highest close of Exxon in 2022 and when?", 6);
        check("highest close of Exxon in 2022, when was that?", 6);
        check("lowest oil price ever, and on which day did it happen?", 4);
        // Anything else that is asked stays.
        check("price of Apple and when does it report", 8);
        check("and when?", 2);
        check("when did oil close below zero", 6);
    }
}
