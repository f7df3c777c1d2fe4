//! The sides that sources take: who speaks for the topic, who against, and what is said without taking sides.
//!
//! A side is a sentence of a source, named and quoted. Only words of approval and objection take a side; of sentences on one side
//! those come first whose sentiment goes with it. A side on which nobody speaks is empty.

use text::statement::cues::Cue;

use super::material::Material;
use crate::sentences::{Sentence, choose, quoted};
use crate::terms::coverage;

/// The three sides, in sentences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Perspectives {
    /// What is said in favour.
    pub supporting: String,
    /// What is said against.
    pub opposing: String,
    /// What is said without taking sides.
    pub neutral: String,
}

/// -1 speaks against, 1 in favour, 0 neither. Who approves or objects takes a side, whatever news it is said of; that something is
/// bad news takes none.
fn side(text: &str) -> f64 {
    let sentiment = (text::sentiment::sentence(text).get() - 0.5) * 2.0;
    match (Cue::Approval.is_in(text), Cue::Objection.is_in(text)) {
        (true, false) => (0.5 + 0.5 * sentiment).clamp(TAKES, 1.0),
        (false, true) => (-0.5 + 0.5 * sentiment).clamp(-1.0, -TAKES),
        _ => 0.0,
    }
}

/// A sentence takes a side from here on.
const TAKES: f64 = 0.2;

/// A sentence that is quoted holds this share of the topic's words, so that it is the topic that it speaks of.
const NAMED: f64 = 0.5;

pub(super) fn read(material: &Material, used: &mut Vec<Vec<u32>>) -> Perspectives {
    if material.briefs.is_empty() {
        return Perspectives::default();
    }
    let sides: Vec<f64> = material
        .sentences
        .iter()
        .map(|sentence| side(&sentence.text))
        .collect();
    let about = |sentence: &Sentence| {
        let named = coverage(&material.words, &sentence.terms);
        if named < NAMED {
            return 0.0;
        }
        named * material.briefs[sentence.brief].relevance
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
            // Rather what the summary already says than no side at all.
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
