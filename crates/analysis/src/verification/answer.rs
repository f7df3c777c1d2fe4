//! What was found about a claim.

use model::{Brief, Day, Symbol, Timestamp, TrustLevel};
use serde::{Deserialize, Serialize};
use verify::claim::{Apposition, Claim};
use verify::figures::Level;
use verify::stance::{Features, Reading, Roles, Setting, Stance, Wording};
use verify::verdict::{Assessment, Position, Reason, TAKES_SIDE, Verdict, Witness};

use super::sentences::Words;
use super::{LookAhead, Passage};

/// The number of passages in an answer.
const SHOWN: usize = 12;
/// How fast a passage loses its voice when it covers less of the claim than the closest one: news about a neighbouring
/// event shares words with a claim and says nothing about it.
const NEIGHBOUR: f64 = 8.0;
/// From this share of support by its wording, a passage reports something as done, whatever it says about the claim's
/// verb.
const TELLS: f64 = 0.65;
/// How many passages have their wording read, for a claim and for one of its statements: about ten milliseconds each.
const READ: usize = 8;
const READ_OF_PART: usize = 2;
/// A passage with this share of a claim's words and all of its names is about what the claim is about.
const WHOLE: f64 = 0.5;
/// A passage tells a description if it has this share of its words, not counting names.
const TOLD: f64 = 0.7;
/// The number of statements in one claim that are checked individually.
const PARTS: usize = 4;

/// What kind of source a passage is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    /// The stored news.
    Corpus,
    /// A page that has just been looked up.
    Live,
    /// Stored market or economic data.
    Data,
    /// A document belonging to the caller.
    Knowledge,
    /// A memory held by the caller's agent.
    Memory,
}

impl SourceKind {
    /// The word of the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Corpus => "corpus",
            Self::Live => "live",
            Self::Data => "data",
            Self::Knowledge => "knowledge",
            Self::Memory => "memory",
        }
    }
}

/// The brief that a passage belongs to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BriefAbout {
    /// The id shown to people.
    pub id: String,
    /// Its headline.
    pub headline: String,
    /// Its confidence.
    pub confidence: f64,
    /// How well it fits the claim, 0 to 1, according to the search.
    pub relevance: f64,
}

impl BriefAbout {
    pub(super) fn new(brief: &Brief, relevance: f64) -> Self {
        Self {
            id: brief.public_id.to_string(),
            headline: brief.headline.clone(),
            confidence: brief.confidence.score.get(),
            relevance: relevance.clamp(0.0, 1.0),
        }
    }
}

/// A passage and what it says about the claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// The passage.
    pub passage: Passage,
    /// What is quoted from it: its sentences, preceded by the headline if that has words of the claim, or figures,
    /// that the sentences lack.
    pub quote: String,
    /// What it says.
    pub stance: Stance,
    /// Which side it is on.
    pub position: Position,
    /// Whether a later passage corrects or supersedes it, so that it does not count.
    pub is_overtaken: bool,
}

/// What became of a live web search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LiveSearch {
    /// There was none.
    #[default]
    NotAsked,
    /// It returned this many results, possibly none; all of them were considered.
    Answered {
        /// How many.
        results: usize,
    },
    /// No service answered it.
    Blocked,
}

/// What was found about a claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The claim.
    pub claim: Claim,
    /// What the evidence amounts to.
    pub assessment: Assessment,
    /// The clearest passage from each source, with those on the side of the verdict first.
    pub evidence: Vec<Evidence>,
    /// Independent sources that were compared with the claim.
    pub sources_analyzed: usize,
    /// What became of a live web search.
    pub live: LiveSearch,
    /// What the claim uses that could not be known on the day of the decision it describes.
    pub look_ahead: Option<LookAhead>,
    /// The listed instruments that a claim about a figure was read to be about.
    pub symbols: Vec<Symbol>,
    /// Whether the time at which a figure became known is estimated from the usual delay of its series.
    pub(super) is_known_at_reckoned: bool,
    /// A description the claim adds about somebody, if no passage has it.
    pub(super) untold: Option<String>,
    /// Every passage that was compared, as it was found.
    pub(super) passages: Vec<Passage>,
    /// The point in time against which the age of evidence was judged.
    pub(super) judged_at: Timestamp,
}

impl Finding {
    /// Whether any passage that takes a side names a level.
    pub fn is_told_of(&self, level: &Level) -> bool {
        let sides = [Position::Supports, Position::Contradicts];
        sides.into_iter().flat_map(|side| self.on(side)).any(|one| {
            let Passage { title, text, .. } = &one.passage;
            level.stands_in(&format!("{title}. {text}"))
        })
    }

    /// The finding for a claim that evidence cannot decide.
    pub(super) fn not_checkable(claim: &Claim) -> Self {
        Self {
            claim: claim.clone(),
            assessment: Assessment::not_checkable(),
            evidence: Vec::new(),
            sources_analyzed: 0,
            live: LiveSearch::NotAsked,
            look_ahead: None,
            symbols: Vec::new(),
            is_known_at_reckoned: false,
            untold: None,
            passages: Vec::new(),
            judged_at: Timestamp::from_ms(0),
        }
    }

    /// The finding for a claim that stored figures decide or leave open.
    pub(super) fn of_data(
        claim: &Claim,
        assessment: Assessment,
        evidence: Evidence,
        now: Timestamp,
    ) -> Self {
        Self {
            claim: claim.clone(),
            assessment,
            evidence: vec![evidence],
            sources_analyzed: 1,
            live: LiveSearch::NotAsked,
            look_ahead: None,
            symbols: Vec::new(),
            is_known_at_reckoned: false,
            untold: None,
            passages: Vec::new(),
            judged_at: now,
        }
    }

    /// Whether the claim was checked against stored figures rather than news.
    pub fn is_of_data(&self) -> bool {
        self.evidence
            .first()
            .is_some_and(|evidence| evidence.passage.kind == SourceKind::Data)
    }

    /// Compares passages with a claim.
    pub fn of(claim: &Claim, passages: Vec<Passage>, now: Timestamp) -> Self {
        let mut weighed = match claim.apposition() {
            Some(apposition) => beside(claim, &apposition, &passages, now),
            None => settled(claim, &passages, now),
        };
        let wanted = match weighed.assessment.verdict {
            Verdict::Contradicted => Position::Contradicts,
            _ => Position::Supports,
        };
        let clearness = |stance: &Stance| stance.supports.max(stance.contradicts);
        weighed.evidence.sort_by(|(_, left), (_, right)| {
            let rank = |evidence: &Evidence| match evidence.position {
                _ if evidence.is_overtaken => 1,
                position if position == wanted => 0,
                Position::Neutral => 2,
                _ => 1,
            };
            rank(left)
                .cmp(&rank(right))
                .then(clearness(&right.stance).total_cmp(&clearness(&left.stance)))
        });
        let mut shown: Vec<(usize, Evidence)> = Vec::new();
        for (witness, evidence) in weighed.evidence {
            if shown.len() < SHOWN && shown.iter().all(|(source, _)| *source != witness.source) {
                shown.push((witness.source, evidence));
            }
        }
        Self {
            claim: claim.clone(),
            assessment: weighed.assessment,
            evidence: shown.into_iter().map(|(_, evidence)| evidence).collect(),
            sources_analyzed: weighed.sources,
            live: LiveSearch::NotAsked,
            look_ahead: None,
            symbols: Vec::new(),
            is_known_at_reckoned: false,
            untold: weighed.untold,
            passages,
            judged_at: now,
        }
    }

    /// Every passage that was compared with the claim, as it was found.
    pub fn passages(&self) -> &[Passage] {
        &self.passages
    }

    /// The evidence on one side that no later evidence overtakes.
    pub fn on(&self, position: Position) -> impl Iterator<Item = &Evidence> {
        self.evidence
            .iter()
            .filter(move |evidence| evidence.position == position && !evidence.is_overtaken)
    }
}

/// What a passage can do for a claim, judging by its words.
#[expect(
    clippy::struct_excessive_bools,
    reason = "what was found out about a passage, each for itself"
)]
struct Reach {
    /// Whether it is only an expectation or a forecast.
    is_forecast: bool,
    /// Whether it has the names of the claim and no other word of it.
    is_thin: bool,
    /// Whether it says that it corrects an earlier report.
    is_correction: bool,
    /// Whether it may contradict the claim.
    may_contradict: bool,
    /// Whether it may support the claim.
    may_support: bool,
    /// Whether it would support the claim, but for saying it the other way round.
    is_turned: bool,
    /// Whether it says that what the claim describes is so, and not only that it is wanted, planned or denied.
    is_realised: bool,
}

/// What the passages amount to for a claim.
struct Weighed {
    assessment: Assessment,
    evidence: Vec<(Witness, Evidence)>,
    /// Independent sources among the passages.
    sources: usize,
    /// A description the claim adds about somebody, if no passage has it.
    untold: Option<String>,
}

impl Weighed {
    /// Weighs passages, reading the wording of at most this many.
    fn of(claim: &Claim, passages: &[Passage], now: Timestamp, most: usize) -> Self {
        let read = Reading::of_claim(&claim.text);
        let setting = Setting::of(&claim.text);
        let wordings = setting
            .wordings()
            .map(|wording| wording.map(Reading::of_claim));
        let words = Words::of(&claim.text);
        let days_of_now = read.days_of_now();
        let is_of_figures = verify::figures::read(&claim.text, Day::of(now)).is_some();
        let readings: Vec<Reading<'_>> = passages
            .iter()
            .map(|passage| Reading::of_passage(&passage.title, &passage.text, passage.published_at))
            .collect();
        // Passages from the time of the claim, or from the outlet it names, need not name them.
        let compared: Vec<(&Reading<'_>, &Reading<'_>)> = passages
            .iter()
            .zip(&readings)
            .map(|(passage, reading)| {
                let wording = setting.wording_for(reading, &passage.name);
                let wording = wording.and_then(|place| wordings[place].as_ref());
                (wording.unwrap_or(&read), reading)
            })
            .collect();
        let mut measured: Vec<(Features, Reach)> = compared
            .iter()
            .map(|(claim, passage)| {
                let features = Features::of(claim, passage);
                // A statement about others contradicts nothing, unless a figure shows that it is the same event under
                // another name. Nor does anything written before the time of the claim, unless it names another time
                // for what is to come; and it cannot support a claim about a market figure either.
                let is_of_others = read.names_are_untold(passage)
                    && !(read.has_figures() && features.has_figures());
                let is_earlier = read.is_after(passage);
                // What is still to come is only known from before.
                let is_too_early = is_earlier && !read.is_to_come(Day::of(now));
                let is_long_before = read.is_long_before(passage);
                let is_of_another_bank = read.is_of_another_bank(passage);
                let roles = read.roles_in(passage);
                let has_other_roles = read.has_roles() && features.turns_roles();
                let is_barred = is_of_another_bank
                    || features.shares_names_only() && !features.has_names()
                    || read.is_elsewhere(passage)
                    || read.is_only_planned_in(passage)
                    || read.is_barely_shared_by(passage)
                    || read.is_lost_in(passage)
                    || is_long_before
                    || read.is_said_by_another(passage)
                    || is_of_figures && is_too_early;
                let reach = Reach {
                    is_forecast: passage.is_forecast(),
                    is_thin: features.shares_names_only(),
                    is_correction: passage.is_correction(),
                    may_support: !is_barred && roles == Roles::Kept && !has_other_roles,
                    is_turned: !is_barred && roles == Roles::Reversed,
                    is_realised: read.may_be_met_by(passage),
                    may_contradict: !is_of_others
                        && !is_long_before
                        && !is_of_another_bank
                        && (!is_earlier || !is_of_figures && read.is_planned_otherwise(passage)),
                };
                (features, reach)
            })
            .collect();
        // Where a passage has everybody whom the claim names, one that lacks somebody is about others: that Latvia joined
        // says nothing about Paraguay.
        let is_complete =
            |features: &Features| features.has_names() && features.coverage() >= WHOLE;
        if measured.iter().any(|(features, _)| is_complete(features)) {
            for (features, reach) in &mut measured {
                reach.may_contradict &= features.has_names();
            }
        }
        let nearest = measured
            .iter()
            .map(|(features, _)| features.coverage())
            .fold(0.0, f64::max);
        // The briefs that report the event in the claim: those whose passages cover most of it.
        let meant: Vec<&str> = passages
            .iter()
            .zip(&measured)
            .filter(|(_, (features, _))| features.coverage() >= nearest)
            .filter_map(|(passage, _)| passage.brief.as_ref().map(|brief| brief.id.as_str()))
            .collect();
        // A passage that restates a figure cannot contain the claim's own: if a correction, or another report of the
        // same story, lacks that word of the claim, this does not point to a neighbouring event. If its voice were
        // weaker for that, it would take no side and could not overtake what was said before. That it has every name
        // in the claim shows that it is about the same event.
        let voices: Vec<f64> = passages
            .iter()
            .zip(&measured)
            .map(|(passage, (features, reach))| {
                let is_of_story = passage
                    .brief
                    .as_ref()
                    .is_some_and(|brief| meant.contains(&brief.id.as_str()));
                let is_restated = (is_of_story || reach.is_correction)
                    && passage.published_at.is_some()
                    && features.has_names()
                    && features.has_other_figures();
                if is_restated {
                    1.0
                } else {
                    (NEIGHBOUR * (features.coverage() - nearest)).exp()
                }
            })
            .collect();
        let stances = stances(&compared, &measured, &voices, most);
        let mut origins: Vec<&str> = Vec::new();
        let mut stories: Vec<&str> = Vec::new();
        let mut evidence = Vec::with_capacity(passages.len());
        let mut is_old = false;
        for ((passage, (measured, reach)), stance) in passages.iter().zip(&measured).zip(stances) {
            // A forecast is not an announcement.
            let stance = if claim.is_plan() && reach.is_forecast && !read.is_forecast() {
                stance.fainter(0.0)
            } else if reach.is_turned {
                stance.turned()
            } else {
                stance.without(!reach.may_support, false)
            };
            let stance = stance.without(false, !reach.may_contradict);
            let age_days = passage
                .published_at
                .map_or(0.0, |at| now.since_ms(at) as f64 / Timestamp::DAY_MS as f64);
            // For a claim about now, only current passages count, and for a figure only those that give it or a
            // different one.
            let stance = match days_of_now {
                Some(days) => {
                    let (has, another) = (measured.has_figures(), measured.has_other_figures());
                    let of_figures = stance.without(!has, read.has_figures() && !another);
                    let takes_side = of_figures.supports.max(of_figures.contradicts) >= TAKES_SIDE;
                    if age_days > days {
                        is_old |= takes_side;
                        stance.fainter(0.0)
                    } else {
                        of_figures
                    }
                }
                None => stance,
            };
            let place = place_of(&mut origins, &passage.origin);
            let witness = Witness {
                stance,
                source: place,
                // An unknown page may simply echo the search terms.
                is_verbatim: reach.may_support
                    && measured.is_verbatim()
                    && !(passage.kind == SourceKind::Live && passage.trust == TrustLevel::Unknown),
                trust: passage.trust,
                age_days,
                // What was true at a time that the claim names stays true, whatever came later.
                story: passage
                    .brief
                    .as_ref()
                    .filter(|_| passage.published_at.is_some() && !read.names_time())
                    .map(|brief| place_of(&mut stories, &brief.id)),
                is_correction: passage.published_at.is_some() && reach.is_correction,
            };
            let position = witness.position();
            evidence.push((
                witness,
                Evidence {
                    quote: passage.quote(&words),
                    passage: passage.clone(),
                    stance,
                    position,
                    is_overtaken: false,
                },
            ));
        }
        let witnesses: Vec<Witness> = evidence.iter().map(|(witness, _)| *witness).collect();
        let overtaken = Assessment::overtaken(&witnesses);
        for ((_, evidence), is_overtaken) in evidence.iter_mut().zip(overtaken) {
            evidence.is_overtaken = is_overtaken;
        }
        let mut assessment = Assessment::of(&witnesses);
        if is_old && assessment.reason == Some(Reason::NoEvidence) {
            assessment.reason = Some(Reason::Stale);
        }
        Self {
            assessment,
            evidence,
            sources: origins.len(),
            untold: None,
        }
    }
}

/// What each passage says about a claim, as loud as its voice: by its measured features, and also by its wording if it
/// may take a side and does not repeat the claim verbatim. If there are many such passages, the wording is read of
/// those that cover most of the claim.
fn stances(
    compared: &[(&Reading<'_>, &Reading<'_>)],
    measured: &[(Features, Reach)],
    voices: &[f64],
    most: usize,
) -> Vec<Stance> {
    let mut nearest: Vec<usize> = (0..compared.len())
        .filter(|place| {
            let (features, reach) = &measured[*place];
            voices[*place] >= TAKES_SIDE
                && !features.is_verbatim()
                && (reach.may_support || reach.may_contradict)
        })
        .collect();
    let coverage = |place: &usize| measured[*place].0.coverage();
    nearest.sort_by(|left, right| coverage(right).total_cmp(&coverage(left)));
    nearest.truncate(most);
    // The wording is compared with figures and names written alike.
    let written: Vec<Option<String>> = nearest
        .iter()
        .map(|place| {
            let (claim, passage) = compared[*place];
            claim.in_words_of(passage)
        })
        .collect();
    let rewritten: Vec<Option<Reading<'_>>> = written
        .iter()
        .map(|written| written.as_deref().map(Reading::of_claim))
        .collect();
    let read: Vec<_> = nearest
        .iter()
        .zip(&rewritten)
        .map(|(place, rewritten)| {
            let (claim, passage) = compared[*place];
            (rewritten.as_ref().unwrap_or(claim), passage)
        })
        .collect();
    let mut stances: Vec<Stance> = measured
        .iter()
        .map(|(features, _)| Stance::from_features(features))
        .collect();
    // A verb that is only planned may be reported as done with another verb: the wording as a whole shows it.
    let mut is_told: Vec<bool> = measured
        .iter()
        .map(|(_, reach)| reach.is_realised && !reach.is_thin)
        .collect();
    for (place, wording) in nearest.into_iter().zip(Wording::of(&read)) {
        stances[place] = stances[place].with_wording(wording);
        is_told[place] |= wording.supports() >= TELLS;
    }
    stances
        .into_iter()
        .zip(is_told)
        .zip(voices)
        .map(|((stance, is_told), voice)| stance.without(!is_told, false).fainter(*voice))
        .collect()
}

/// The index of a name in a list; the name is added if it is missing.
fn place_of<'n>(names: &mut Vec<&'n str>, name: &'n str) -> usize {
    names
        .iter()
        .position(|known| *known == name)
        .unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        })
}

/// What the passages amount to for a claim, or failing that, for its statements.
fn settled(claim: &Claim, passages: &[Passage], now: Timestamp) -> Weighed {
    let mut weighed = Weighed::of(claim, passages, now, READ);
    let assessment = &mut weighed.assessment;
    if !claim.is_checkable() && assessment.verdict == Verdict::Unverifiable {
        *assessment = Assessment::not_checkable();
    } else if assessment.reason == Some(Reason::NoEvidence)
        // Something that is not reported for one statement may look like a contradiction of the whole.
        || assessment.verdict == Verdict::Contradicted
    {
        weighed = in_part(claim, passages, now).unwrap_or(weighed);
    }
    weighed
}

/// What the passages amount to for a claim that also describes somebody. News that reports the event need not include
/// the description, so each is checked separately: the claim is supported as a whole if the description is found
/// somewhere too.
fn beside(claim: &Claim, apposition: &Apposition, passages: &[Passage], now: Timestamp) -> Weighed {
    let mut told = settled(&apposition.told, passages, now);
    match told.assessment.verdict {
        Verdict::Unverifiable => return settled(claim, passages, now),
        Verdict::Contradicted | Verdict::PartiallySupported => return told,
        Verdict::Supported => {}
    }
    let described = &apposition.described;
    let of_description = Weighed::of(described, passages, now, READ_OF_PART);
    if of_description.assessment.verdict == Verdict::Contradicted {
        let whole = settled(claim, passages, now);
        if whole.assessment.verdict == Verdict::Contradicted {
            return whole;
        }
    } else if is_told(described, passages) {
        // Looking supported is not enough: a name and `is` occur in many reports.
        return told;
    }
    told.assessment.verdict = Verdict::PartiallySupported;
    told.untold = Some(described.text.clone());
    told
}

/// Whether a passage has the words of a description, including every name and figure, and denies no more than the
/// description does.
fn is_told(described: &Claim, passages: &[Passage]) -> bool {
    let description = Reading::of_claim(&described.text);
    passages.iter().any(|passage| {
        let reading = Reading::of_passage(&passage.title, &passage.text, passage.published_at);
        let features = Features::of(&description, &reading);
        features.has_names()
            && features.has_figures()
            && !features.denies_otherwise()
            && features.coverage_beside_names() >= TOLD
    })
}

/// A claim with several statements, at least one of which is supported and none contradicted.
fn in_part(claim: &Claim, passages: &[Passage], now: Timestamp) -> Option<Weighed> {
    let parts: Vec<Claim> = Claim::all(&claim.text)
        .into_iter()
        .filter(Claim::is_checkable)
        .take(PARTS)
        .collect();
    if parts.len() < 2 {
        return None;
    }
    let weighed: Vec<Weighed> = parts
        .iter()
        .map(|part| Weighed::of(part, passages, now, READ_OF_PART))
        .collect();
    let is = |verdict: Verdict| move |weighed: &Weighed| weighed.assessment.verdict == verdict;
    if weighed.iter().any(is(Verdict::Contradicted)) {
        return None;
    }
    let mut found = weighed.into_iter().find(is(Verdict::Supported))?;
    found.assessment.verdict = Verdict::PartiallySupported;
    Some(found)
}
