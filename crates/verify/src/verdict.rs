//! What several passages add up to: a verdict, how certain it is, and why.
//!
//! Sources count, not passages: each independent source is represented by its clearest passage only, and syndicated
//! copies are one source. A passage that a later one corrects does not count. A verdict needs a clear passage; more,
//! better and newer sources make it more certain. If evidence is missing or sources of similar weight disagree, the
//! verdict is `unverifiable` and says which of the two it is. Finding nothing is never a contradiction.

mod calibration;
mod overtaken;

use model::TrustLevel;
use serde::{Deserialize, Serialize};

use crate::stance::Stance;

/// The verdict on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "each verdict names itself")]
pub enum Verdict {
    Supported,
    Contradicted,
    PartiallySupported,
    Unverifiable,
}

impl Verdict {
    /// The word in the API contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::Contradicted => "contradicted",
            Self::PartiallySupported => "partially_supported",
            Self::Unverifiable => "unverifiable",
        }
    }

    /// The verdict for a word.
    pub fn parse(word: &str) -> Option<Self> {
        [
            Self::Supported,
            Self::Contradicted,
            Self::PartiallySupported,
            Self::Unverifiable,
        ]
        .into_iter()
        .find(|verdict| verdict.as_str() == word)
    }
}

/// Why there is no verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Nothing that was found decides it.
    NoEvidence,
    /// A source that might decide it could not be queried.
    SourceBlocked,
    /// The evidence that would decide it is too old.
    Stale,
    /// Sources of similar weight disagree.
    Conflicting,
    /// Evidence cannot decide a statement of this kind.
    NotCheckable,
}

impl Reason {
    /// The word in the API contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NoEvidence => "no_evidence",
            Self::SourceBlocked => "source_blocked",
            Self::Stale => "stale",
            Self::Conflicting => "conflicting",
            Self::NotCheckable => "not_checkable",
        }
    }
}

/// Which side a passage takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "each position names itself")]
pub enum Position {
    Supports,
    Contradicts,
    Neutral,
}

impl Position {
    /// The word in the API contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Supports => "supports",
            Self::Contradicts => "contradicts",
            Self::Neutral => "neutral",
        }
    }
}

/// A passage with what it says about the claim and which source it is from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Witness {
    /// What it says about the claim.
    pub stance: Stance,
    /// Passages with the same number are from one independent source.
    pub source: usize,
    /// Whether it states the claim in the very same words.
    pub is_verbatim: bool,
    /// How far its outlet is trusted.
    pub trust: TrustLevel,
    /// Age in days at the time the claim is judged; 0 for something just published.
    pub age_days: f64,
    /// Witnesses with the same number report one story, and the later of them knows better; `None` if that is not
    /// known.
    pub story: Option<usize>,
    /// Whether it says that it corrects an earlier report.
    pub is_correction: bool,
}

/// The share from which a passage takes a side. Below it the passage is neutral.
pub const TAKES_SIDE: f64 = 0.45;
/// What the clearer side must reach for a verdict. Contradicting takes more, because a related event looks like a
/// contradiction.
const SUPPORTS: f64 = 0.45;
const CONTRADICTS: f64 = 0.65;
/// If the weaker side reaches this fraction of the stronger one, they disagree.
const DISAGREES: f64 = 0.75;
/// Days after which news counts as half as recent.
const HALF_LIFE_DAYS: f64 = 180.0;

impl Witness {
    /// The side it takes.
    pub fn position(&self) -> Position {
        if self.stance.supports >= TAKES_SIDE {
            Position::Supports
        } else if self.stance.contradicts >= TAKES_SIDE {
            Position::Contradicts
        } else {
            Position::Neutral
        }
    }

    fn weight(&self) -> f64 {
        trust(self.trust)
    }

    fn recency(&self) -> f64 {
        0.5_f64.powf(self.age_days.max(0.0) / HALF_LIFE_DAYS)
    }
}

/// How much a source with this trust level counts.
const fn trust(level: TrustLevel) -> f64 {
    match level {
        TrustLevel::High => 1.0,
        TrustLevel::Medium => 0.85,
        TrustLevel::Unknown => 0.7,
        TrustLevel::Low => 0.5,
    }
}

/// The components of a confidence, each 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Breakdown {
    /// To what extent the sources that take a side take the same one.
    pub source_agreement: f64,
    /// Mean trust of the sources that take a side.
    pub source_quality: f64,
    /// How recent the newest of them is: 1 for today, halving every 180 days.
    pub recency: f64,
    /// How many independent sources take the verdict's side, saturating: 0.5 for one, 0.75 for two.
    pub corroboration_depth: f64,
}

/// The result of weighing the evidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Assessment {
    /// The verdict.
    pub verdict: Verdict,
    /// Why there is none.
    pub reason: Option<Reason>,
    /// The probability that the verdict is right, 0 to 1.
    pub confidence: f64,
    /// Its components.
    pub breakdown: Breakdown,
}

impl Assessment {
    /// For each witness, whether a later one corrects it or knows better, so that it does not count.
    pub fn overtaken(witnesses: &[Witness]) -> Vec<bool> {
        overtaken::overtaken(witnesses)
    }

    /// Weighs witnesses.
    pub fn of(witnesses: &[Witness]) -> Self {
        let overtaken = Self::overtaken(witnesses);
        let standing: Vec<&Witness> = witnesses
            .iter()
            .zip(overtaken)
            .filter_map(|(witness, is_overtaken)| (!is_overtaken).then_some(witness))
            .collect();
        let speakers = speakers(&standing);
        let side = |position: Position| -> Vec<&Witness> {
            speakers
                .iter()
                .copied()
                .filter(|witness| witness.position() == position)
                .collect()
        };
        let (supporting, contradicting) = (side(Position::Supports), side(Position::Contradicts));
        let for_it = strength(&supporting, |stance| stance.supports);
        let against_it = strength(&contradicting, |stance| stance.contradicts);
        let (stronger, weaker) = (for_it.max(against_it), for_it.min(against_it));
        let breakdown = breakdown(&supporting, &contradicting);
        let none = |reason| Self {
            verdict: Verdict::Unverifiable,
            reason: Some(reason),
            confidence: calibration::of_silence(stronger),
            breakdown,
        };
        let decides = if for_it > against_it {
            SUPPORTS
        } else {
            CONTRADICTS
        };
        if stronger < decides {
            return none(Reason::NoEvidence);
        }
        if weaker >= DISAGREES * stronger {
            return none(Reason::Conflicting);
        }
        let verdict = if for_it > against_it {
            Verdict::Supported
        } else {
            Verdict::Contradicted
        };
        Self {
            verdict,
            reason: None,
            confidence: calibration::of_verdict(
                verdict,
                stronger,
                verdict == Verdict::Supported
                    && supporting.iter().any(|witness| witness.is_verbatim),
                &breakdown,
            ),
            breakdown,
        }
    }

    /// A claim that evidence cannot decide.
    pub fn not_checkable() -> Self {
        Self {
            verdict: Verdict::Unverifiable,
            reason: Some(Reason::NotCheckable),
            confidence: 0.0,
            breakdown: Breakdown::default(),
        }
    }
}

/// For each independent source, the passage that speaks most clearly, in the order of the sources.
fn speakers<'w>(witnesses: &[&'w Witness]) -> Vec<&'w Witness> {
    let clearness = |witness: &Witness| witness.stance.supports.max(witness.stance.contradicts);
    let mut speakers: Vec<&Witness> = Vec::new();
    for &witness in witnesses {
        match speakers
            .iter_mut()
            .find(|other| other.source == witness.source)
        {
            Some(other) if clearness(witness) > clearness(other) => *other = witness,
            Some(_) => {}
            None => speakers.push(witness),
        }
    }
    speakers
}

/// How strong a side is, 0 to 1: one clear, reputable source is enough, and others add to it.
fn strength(side: &[&Witness], share: impl Fn(&Stance) -> f64) -> f64 {
    let open: f64 = side
        .iter()
        .map(|witness| 1.0 - share(&witness.stance) * witness.weight().sqrt())
        .product();
    if side.is_empty() { 0.0 } else { 1.0 - open }
}

fn breakdown(supporting: &[&Witness], contradicting: &[&Witness]) -> Breakdown {
    let weight = |side: &[&Witness]| side.iter().map(|witness| witness.weight()).sum::<f64>();
    let (here, there) = (weight(supporting), weight(contradicting));
    let all = here + there;
    if all <= 0.0 {
        return Breakdown::default();
    }
    let count = supporting.len() + contradicting.len();
    let side = if here >= there {
        supporting
    } else {
        contradicting
    };
    Breakdown {
        source_agreement: here.max(there) / all,
        source_quality: all / count as f64,
        recency: supporting
            .iter()
            .chain(contradicting)
            .map(|witness| witness.recency())
            .fold(0.0, f64::max),
        corroboration_depth: 1.0 - 0.5_f64.powi(i32::try_from(side.len()).unwrap_or(i32::MAX)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn witness(source: usize, supports: f64, contradicts: f64) -> Witness {
        Witness {
            stance: Stance {
                supports,
                contradicts,
                neutral: 1.0 - supports - contradicts,
            },
            source,
            is_verbatim: false,
            trust: TrustLevel::High,
            age_days: 1.0,
            story: None,
            is_correction: false,
        }
    }

    /// A witness of a story, this many days old.
    fn of_story(source: usize, supports: f64, contradicts: f64, age_days: f64) -> Witness {
        Witness {
            age_days,
            story: Some(0),
            ..witness(source, supports, contradicts)
        }
    }

    #[test]
    fn of_a_story_the_later_report_counts() {
        let (early, late) = (of_story(0, 0.95, 0.0, 3.0), of_story(1, 0.0, 0.9, 1.0));
        assert_eq!(
            Assessment::of(&[early, late]).verdict,
            Verdict::Contradicted
        );
        // With only the earlier report known, the claim was supported.
        assert_eq!(Assessment::of(&[early]).verdict, Verdict::Supported);
        // The same outlet, whose clearer passage would otherwise speak for it.
        let same = Witness { source: 0, ..late };
        assert_eq!(
            Assessment::of(&[early, same]).verdict,
            Verdict::Contradicted
        );
        // Even later it is retracted.
        let last = of_story(2, 0.9, 0.0, 0.2);
        assert_eq!(
            Assessment::of(&[early, late, last]).verdict,
            Verdict::Supported
        );
    }

    #[test]
    fn reports_of_one_hour_or_of_several_stories_overtake_nothing() {
        let early = of_story(0, 0.9, 0.0, 1.01);
        let conflict = |late: Witness| Assessment::of(&[early, late]).reason;
        assert_eq!(
            conflict(of_story(1, 0.0, 0.9, 1.0)),
            Some(Reason::Conflicting)
        );
        let elsewhere = Witness {
            story: Some(1),
            ..of_story(1, 0.0, 0.9, 0.1)
        };
        assert_eq!(conflict(elsewhere), Some(Reason::Conflicting));
        let unknown = Witness {
            story: None,
            ..elsewhere
        };
        assert_eq!(
            Assessment::of(&[
                Witness {
                    story: None,
                    ..early
                },
                unknown
            ])
            .reason,
            Some(Reason::Conflicting)
        );
    }

    #[test]
    fn one_later_voice_overtakes_neither_many_nor_better_ones_unless_it_corrects() {
        let many: Vec<Witness> = (0..3)
            .map(|source| of_story(source, 0.9, 0.0, 2.0))
            .collect();
        let with = |others: &[Witness]| {
            let all: Vec<Witness> = many.iter().chain(others).copied().collect();
            Assessment::of(&all).verdict
        };
        let late = of_story(3, 0.0, 0.8, 0.5);
        assert_ne!(with(&[late]), Verdict::Contradicted);
        assert_eq!(
            with(&[late, of_story(4, 0.0, 0.8, 0.4)]),
            Verdict::Contradicted
        );
        let correction = Witness {
            is_correction: true,
            story: None,
            ..late
        };
        assert_eq!(with(&[correction]), Verdict::Contradicted);
        let rumour = Witness {
            trust: TrustLevel::Low,
            ..correction
        };
        assert_ne!(with(&[rumour]), Verdict::Contradicted);
    }

    #[test]
    fn silence_is_no_contradiction() {
        for witnesses in [
            vec![],
            vec![witness(0, 0.1, 0.2)],
            vec![witness(0, 0.3, 0.5)],
        ] {
            let found = Assessment::of(&witnesses);
            assert_eq!(
                (found.verdict, found.reason),
                (Verdict::Unverifiable, Some(Reason::NoEvidence))
            );
        }
    }

    #[test]
    fn where_passages_lean_to_a_side_silence_is_less_sure() {
        let silence = |against| Assessment::of(&[witness(0, 0.0, against)]).confidence;
        let nothing = Assessment::of(&[]).confidence;
        assert!((0.6..0.7).contains(&nothing), "{nothing}");
        assert!(nothing >= silence(0.3) && silence(0.3) > 4.0 * silence(0.55));
        assert!(silence(0.6) > 0.05);
    }

    #[test]
    fn a_source_that_repeats_itself_counts_once() {
        let once = Assessment::of(&[witness(0, 0.9, 0.0)]);
        let often = Assessment::of(&[
            witness(0, 0.9, 0.0),
            witness(0, 0.8, 0.1),
            witness(0, 0.7, 0.1),
        ]);
        let two = Assessment::of(&[witness(0, 0.9, 0.0), witness(1, 0.9, 0.0)]);
        assert_eq!(once, often);
        assert!(two.confidence > once.confidence);
    }

    #[test]
    fn who_says_the_very_words_makes_a_support_surer() {
        let told = Assessment::of(&[witness(0, 0.9, 0.0)]);
        let quoted = Assessment::of(&[Witness {
            is_verbatim: true,
            ..witness(0, 0.9, 0.0)
        }]);
        assert!((0.84..0.9).contains(&told.confidence) && quoted.confidence > 0.95);
    }

    #[test]
    fn sources_of_like_weight_that_disagree_decide_nothing() {
        let found = Assessment::of(&[witness(0, 0.9, 0.0), witness(1, 0.0, 0.9)]);
        assert_eq!(found.reason, Some(Reason::Conflicting));
        let outvoted = Assessment::of(&[
            witness(0, 0.99, 0.0),
            witness(1, 0.99, 0.0),
            witness(2, 0.1, 0.6),
        ]);
        assert_eq!(outvoted.verdict, Verdict::Supported);
    }
}
