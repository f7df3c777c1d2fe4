//! What a question wants to know about a name that matches no listing.

use crate::cues::Cue;
use crate::intent::Intent;
use crate::subjects::Subjects;

/// The intent of a question that names only unlisted subjects, if it asks for figures: no news stands in for them.
pub(super) fn wish(found: &Subjects, spoken: &[Cue], intents: &[Intent]) -> Option<Intent> {
    const FIGURES: [Intent; 5] = [
        Intent::Price,
        Intent::Technicals,
        Intent::Fundamentals,
        Intent::Earnings,
        Intent::Analysts,
    ];
    let names_listed =
        !found.instruments.is_empty() || !found.series.is_empty() || !found.sectors.is_empty();
    let is_of_news = intents == [Intent::News];
    let asks_news = spoken
        .iter()
        .any(|cue| matches!(cue.intent, Intent::News | Intent::Topic | Intent::WhyMoved));
    if found.unknown.is_empty() || names_listed || !is_of_news || asks_news {
        return None;
    }
    FIGURES
        .into_iter()
        .find(|wish| spoken.iter().any(|cue| cue.intent == *wish))
}
