//! The sides that sources take: who speaks for the topic, who speaks against it, and what is said without taking
//! sides.
//!
//! A side is a sentence from a source, named and quoted, in which somebody is for or against the topic itself: the
//! topic is what is welcomed or condemned. Good or bad news about it takes no side. Among the sentences on one side,
//! those with matching sentiment come first. A side on which nobody speaks is empty.

use text::statement::cues::Cue;

use super::material::Material;
use crate::sentences::{Sentence, choose, quoted};
use crate::terms::terms;

/// The three sides, as sentences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Perspectives {
    /// What is said in favour.
    pub supporting: String,
    /// What is said against.
    pub opposing: String,
    /// What is said without taking sides.
    pub neutral: String,
}

/// -1 speaks against the topic, 1 speaks in favour of it, 0 does neither. Anybody who approves of it or objects to it
/// takes a side, whatever the news.
fn side(text: &str, topic: &[u32]) -> f64 {
    let sentiment = (text::sentiment::sentence(text).get() - 0.5) * 2.0;
    let takes = |cue: Cue| cue.places(text).any(|place| is_object(text, place, topic));
    match (takes(Cue::Approval), takes(Cue::Objection)) {
        (true, false) => (0.5 + 0.5 * sentiment).clamp(TAKES, 1.0),
        (false, true) => (-0.5 + 0.5 * sentiment).clamp(-1.0, -TAKES),
        _ => 0.0,
    }
}

/// A sentence takes a side from this value on.
const TAKES: f64 = 0.2;

/// The object of a verb is named within this many content words.
const REACH: usize = 4;

/// The characters that end a clause.
const STOPS: [char; 8] = [',', ';', ':', '—', '–', '“', '”', '"'];
const CLAUSES: [&str; 12] = [
    "after", "although", "as", "because", "before", "if", "since", "that", "when", "where",
    "while", "who",
];

/// Whether the topic is the object of the words at this position: it follows in the same clause, or it comes before
/// them and `by` follows.
fn is_object(text: &str, place: std::ops::Range<usize>, topic: &[u32]) -> bool {
    let (before, after) = (&text[..place.start], &text[place.end..]);
    // `A family-backed firm`: the words describe what follows.
    if before.ends_with('-') {
        return false;
    }
    let named = |words: &mut dyn Iterator<Item = &str>| {
        words
            .map(terms)
            .filter(|stems| !stems.is_empty())
            .take(REACH)
            .flatten()
            .any(|stem| topic.binary_search(&stem).is_ok())
    };
    if after.trim_start().starts_with("by ") {
        let clause = before.rsplit(STOPS).next().unwrap_or_default();
        let words: Vec<&str> = text::token::words(clause).collect();
        return named(&mut words.into_iter().rev());
    }
    let clause = after.split(STOPS).next().unwrap_or_default();
    named(&mut text::token::words(clause).take_while(|word| !CLAUSES.contains(word)))
}

pub(super) fn read(material: &Material, used: &mut Vec<Vec<u32>>) -> Perspectives {
    if material.briefs.is_empty() || material.too_little.is_some() {
        return Perspectives::default();
    }
    let sides: Vec<f64> = material
        .sentences
        .iter()
        .map(|sentence| side(&sentence.text, &material.words))
        .collect();
    let about = |sentence: &Sentence| {
        if material.names(sentence) {
            material.naming(sentence) * material.briefs[sentence.brief].relevance
        } else {
            0.0
        }
    };
    let pick = |used: &mut Vec<Vec<u32>>, weigh: &dyn Fn(f64) -> f64| -> Vec<String> {
        let choose = |used: &mut Vec<Vec<u32>>| {
            choose(&material.sentences, 2, used, |place, sentence| {
                let taken = weigh(sides[place]);
                if taken > 0.0 {
                    taken * about(sentence)
                } else {
                    0.0
                }
            })
        };
        let mut chosen = choose(used);
        if chosen.is_empty() {
            // Repeating what the summary already says is better than no side at all.
            chosen = choose(&mut Vec::new());
        }
        chosen
            .into_iter()
            .map(|sentence| said(material, sentence))
            .collect()
    };
    let supporting = pick(used, &|side| if side >= TAKES { side } else { 0.0 });
    let opposing = pick(used, &|side| if side <= -TAKES { -side } else { 0.0 });
    let neutral = pick(used, &|side| {
        if side.abs() < TAKES {
            1.0 - side.abs()
        } else {
            0.0
        }
    });
    Perspectives {
        supporting: supporting.join(" "),
        opposing: opposing.join(" "),
        neutral: neutral.join(" "),
    }
}

/// `Outlet (date): “sentence”.`
fn said(material: &Material, sentence: &Sentence) -> String {
    format!(
        "{} ({}): {}.",
        material.outlet(sentence),
        sentence.published_at.date(),
        quoted(&sentence.text)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_is_taken_of_what_is_approved_or_objected_to() {
        let check = |topic: &str, text: &str, expected: i8| {
            let side = side(text, &terms(topic));
            let found = if side >= TAKES {
                1
            } else {
                -i8::from(side <= -TAKES)
            };
            assert_eq!(found, expected, "{topic}: {text}: {side}");
        };
        check(
            "dam",
            "Farmers along the river welcomed the new dam on Monday.",
            1,
        );
        check("dam", "The dam was welcomed by farmers along the river.", 1);
        check(
            "dam",
            "The minister spoke in favour of building the dam.",
            1,
        );
        check("dam", "Villagers condemned the dam and its builders.", -1);
        check(
            "dam",
            "Critics of the dam say that it will flood the valley.",
            -1,
        );
        // Somebody takes a side, but on something else.
        check(
            "oil",
            "Oil prices fell most in two years as Velden supports output hike.",
            0,
        );
        check(
            "bitcoin",
            "A fund-backed bitcoin miner reported lower costs.",
            0,
        );
        check(
            "elections",
            "The fund is backing young candidates as elections near.",
            0,
        );
        check(
            "dam",
            "The mayor welcomed the skiers, whose bus passed the dam.",
            0,
        );
        // News, good or bad, and worry take no side.
        check(
            "interest rates",
            "The central bank held interest rates on Wednesday.",
            0,
        );
        check(
            "oil",
            "Oil market volatility remains a concern, traders warned.",
            0,
        );
        check("oil", "Oil reached a record high in a promising year.", 0);
        check(
            "tariffs",
            "He threatened to impose a tariff of 50% on grain.",
            0,
        );
    }
}
