//! What is measured for a claim and a passage.

use text::embedding::{embed, similarity};
use text::statement::proposition::Proposition;

use super::days::Told;
use super::directions;
use super::figures::{End, Figure, Sort as FigureSort};
use super::names::Sort;
use super::opposites::is_whole;
use super::overlap::{Overlap, Vectors};
use super::reading::Reading;

/// The names of the features, in order. The model's table names them too.
pub const FEATURES: [&str; 61] = [
    "exact_all",
    "soft_all",
    "exact_best",
    "soft_best",
    "rest_exact_all",
    "rest_soft_all",
    "rest_soft_best",
    "pairs_best",
    "run_best",
    "claim_names",
    "names_held",
    "names_missing",
    "names_missing_best",
    "person_replaced",
    "place_replaced",
    "country_replaced",
    "body_replaced",
    "word_replaced",
    "names_new",
    "claim_figures",
    "figures_held",
    "figures_missing",
    "small_missing",
    "figures_collide",
    "figures_collide_best",
    "figures_other_best",
    "ends_turned",
    "claim_days",
    "days_held",
    "days_another",
    "days_open",
    "passage_figures",
    "meaning_best",
    "meaning_all",
    "rest_meaning",
    "turned",
    "opposed",
    "opposed_clean",
    "claim_denials",
    "passage_denials",
    "best_denials",
    "denials_differ",
    "claim_hedged",
    "best_hedged",
    "best_doubted",
    "claim_words",
    "best_words",
    "sentences",
    "rarest_missing",
    "wholes_missing",
    "figures_collide_surely",
    "figures_turned",
    "figures_alone",
    "more_less",
    "more_more",
    "claim_more",
    "claim_less",
    "first_is_first",
    "order_turned",
    "order_kept",
    "order_against",
];

/// If a passage covers less than this share of what a claim says besides names and numbers, it says nothing about it.
const NOTHING: f32 = 0.2;

/// The measured features of a claim and a passage, in the order of [`FEATURES`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Features([f32; FEATURES.len()]);

impl Features {
    /// Measures a passage against a claim.
    pub fn of(claim: &Reading<'_>, passage: &Reading<'_>) -> Self {
        let Some(stated) = claim.sentences.first() else {
            return Self([0.0; FEATURES.len()]);
        };
        let mut vectors = Vectors::default();
        let sentences: Vec<&Proposition<'_>> = passage.sentences.iter().collect();
        let all = Overlap::new(stated, &sentences, &mut vectors);
        let best = sentences
            .iter()
            .enumerate()
            .map(|(at, sentence)| (at, Overlap::new(stated, &[sentence], &mut vectors)))
            .reduce(|best, other| {
                if other.1.soft() > best.1.soft() {
                    other
                } else {
                    best
                }
            });
        let names = NameCounts::new(claim, passage);
        let figures = FigureCounts::new(claim, passage, best.as_ref().map(|(at, _)| *at));
        let days = DayCounts::new(claim, passage);
        let claim_meaning = embed(stated.text);
        let (sentence, best) = match &best {
            Some((at, best)) => (sentences.get(*at).copied(), Some(best)),
            None => (None, None),
        };
        let whole = sentences
            .iter()
            .map(|sentence| sentence.text)
            .collect::<Vec<_>>()
            .join(" ");
        let yes = |is: bool| f32::from(u8::from(is));
        let denials: usize = sentences.iter().map(|sentence| sentence.denials).sum();
        let best_denials = sentence.map_or(0, |sentence| sentence.denials);
        let (more, less) = directions::counts(stated);
        let (mut more_here, mut less_here) = (0, 0);
        // The headline and the nearest sentence give the direction.
        for sentence in sentences.first().copied().into_iter().chain(sentence) {
            let (here, there) = directions::counts(sentence);
            more_here += here;
            less_here += there;
        }
        let order = is_order_turned(stated, &sentences);
        let rest =
            |found: &super::overlap::Match<'_, '_>| !found.word.is_name && !found.word.is_number;
        Self([
            all.exact(),
            all.soft(),
            best.map_or(0.0, Overlap::exact),
            best.map_or(0.0, Overlap::soft),
            all.share_of(rest, |found| yes(found.share >= 1.0)),
            all.share_of(rest, |found| found.share),
            best.map_or(0.0, |best| best.share_of(rest, |found| found.share)),
            sentence.map_or(0.0, |sentence| pairs_held(stated, sentence)),
            sentence.map_or(0.0, |sentence| longest_run(stated, sentence)),
            names.of_claim,
            names.held,
            names.missing,
            best.map_or(0.0, |best| {
                best.missing()
                    .filter(|found| found.word.is_name)
                    .count()
                    .min(5) as f32
            }),
            names.replaced[0],
            names.replaced[1],
            names.replaced[2],
            names.replaced[3],
            names.replaced[4],
            names.new,
            figures.of_claim,
            figures.held,
            figures.missing,
            figures.small_missing,
            figures.collide,
            figures.collide_best,
            figures.other_best,
            figures.ends_turned,
            days.of_claim,
            days.held,
            days.another,
            days.open,
            figures.of_passage,
            sentence.map_or(0.0, |sentence| {
                similarity(&claim_meaning, &embed(sentence.text))
            }),
            if whole.is_empty() {
                0.0
            } else {
                similarity(&claim_meaning, &embed(&whole))
            },
            match (sentence, best) {
                (Some(sentence), Some(best)) => rest_meaning(stated, sentence, best),
                _ => 0.0,
            },
            all.share(|found| yes(found.is_turned)),
            all.opposed(false).min(4) as f32,
            all.opposed(true).min(4) as f32,
            stated.denials.min(3) as f32,
            denials.min(3) as f32,
            best_denials.min(3) as f32,
            yes((stated.denials > 0) != (best_denials > 0)),
            yes(stated.is_hedged),
            yes(sentence.is_some_and(|sentence| sentence.is_hedged)),
            yes(sentence.is_some_and(|sentence| sentence.is_doubted)),
            stated.content().count().min(40) as f32,
            sentence.map_or(0.0, |sentence| sentence.content().count().min(60) as f32),
            sentences.len() as f32,
            all.missing()
                .filter(|found| !found.word.is_number)
                .map(|found| found.word.rarity)
                .fold(0.0, f32::max),
            wholes_missing(stated, &sentences),
            figures.collide_surely,
            figures.turned,
            figures.alone,
            yes(more * less_here + less * more_here > 0 && more * more_here + less * less_here == 0),
            yes(more * more_here + less * less_here > 0 && more * less_here + less * more_here == 0),
            more.min(3) as f32,
            less.min(3) as f32,
            yes(claim.names.first_is_first(&passage.of_sentences)),
            yes(order == Some(true)),
            yes(order == Some(false)),
            yes(order.is_some_and(|turned| turned != (all.opposed(true) > 0))),
        ])
    }

    /// How much of the claim's words the passage contains, weighted by rarity, including words with a similar meaning:
    /// 0 to 1.
    pub fn coverage(&self) -> f64 {
        f64::from(self.0[1])
    }

    /// Whether a sentence of the passage contains every meaningful word of the claim in order, and nothing reverses it.
    pub fn is_verbatim(&self) -> bool {
        self.value("run_best") >= 1.0
            && [
                "denials_differ",
                "best_doubted",
                "opposed_clean",
                "turned",
                "more_less",
                "figures_missing",
                "days_another",
            ]
            .iter()
            .all(|name| self.value(name) <= 0.0)
    }

    /// Whether the passage shares only names and numbers with the claim: what the claim says about them is missing from
    /// it.
    pub fn shares_names_only(&self) -> bool {
        self.value("rest_soft_all") < NOTHING
    }

    /// Whether every name in the claim appears in the passage.
    pub fn has_names(&self) -> bool {
        self.value("names_missing") <= 0.0
    }

    /// Whether the names shared with the claim mostly appear in reverse order: the other one did it.
    pub fn turns_roles(&self) -> bool {
        self.value("order_turned") > 0.0 && !self.is_verbatim()
    }

    /// How much of what the claim says besides names and numbers the passage contains, weighted by rarity, including
    /// words with a similar meaning: 0 to 1.
    pub fn coverage_beside_names(&self) -> f64 {
        f64::from(self.value("rest_soft_all"))
    }

    /// Whether the claim denies what the nearest sentence in the passage does not, or the other way round.
    pub fn denies_otherwise(&self) -> bool {
        self.value("denials_differ") > 0.0
    }

    /// Whether every figure in the claim appears in the passage.
    pub fn has_figures(&self) -> bool {
        self.value("figures_missing") + self.value("small_missing") <= 0.0
    }

    /// Whether the passage has a figure where the claim has a different one.
    pub fn has_other_figures(&self) -> bool {
        self.value("figures_collide") > 0.0
    }

    fn value(&self, wanted: &str) -> f32 {
        let at = FEATURES.iter().position(|name| *name == wanted);
        at.map_or(0.0, |at| self.0[at])
    }

    /// The features as numbers, in the order of [`FEATURES`].
    pub fn values(&self) -> &[f32; FEATURES.len()] {
        &self.0
    }
}

struct NameCounts {
    of_claim: f32,
    held: f32,
    missing: f32,
    /// For each sort, whether a missing name could be replaced by one in the passage.
    replaced: [f32; 5],
    new: f32,
}

impl NameCounts {
    fn new(claim: &Reading<'_>, passage: &Reading<'_>) -> Self {
        const SORTS: [Sort; 5] = [
            Sort::Person,
            Sort::Place,
            Sort::Country,
            Sort::Body,
            Sort::Unknown,
        ];
        let names = &claim.names.names;
        let missing: Vec<_> = names
            .iter()
            .filter(|name| !passage.names.tells(name))
            .collect();
        let replaced = SORTS.map(|sort| {
            let is_replaced = missing.iter().any(|name| name.sort == sort)
                && passage.names.has_other(sort, &claim.names);
            f32::from(u8::from(is_replaced))
        });
        let new = passage
            .names
            .names
            .iter()
            .filter(|name| !claim.names.tells(name))
            .count();
        Self {
            of_claim: names.len().min(8) as f32,
            held: if names.is_empty() {
                1.0
            } else {
                1.0 - missing.len() as f32 / names.len() as f32
            },
            missing: missing.len().min(5) as f32,
            replaced,
            new: new.min(8) as f32,
        }
    }
}

struct FigureCounts {
    of_claim: f32,
    held: f32,
    missing: f32,
    small_missing: f32,
    collide: f32,
    collide_best: f32,
    other_best: f32,
    ends_turned: f32,
    of_passage: f32,
    collide_surely: f32,
    turned: f32,
    alone: f32,
}

impl FigureCounts {
    fn new(claim: &Reading<'_>, passage: &Reading<'_>, best: Option<usize>) -> Self {
        let of_best: &[Figure] = best
            .and_then(|best| passage.figures.get(best))
            .map_or(&[], Vec::as_slice);
        let claimed: Vec<&Figure> = claim.all_figures().collect();
        // A figure that matches another of the claim's figures is not a different value for this one.
        let free = |other: &Figure| !claimed.iter().any(|claimed| claimed.agrees(other));
        let (mut held, mut missing, mut small_missing) = (0, 0, 0);
        let (mut collide, mut collide_best, mut other_best, mut ends_turned) = (0, 0, 0, 0);
        let (mut collide_surely, mut turned, mut alone) = (0, 0, 0);
        for figure in &claimed {
            if let Some(found) = passage.all_figures().find(|other| figure.agrees(other)) {
                held += 1;
                let is_turned = matches!(
                    (figure.end, found.end),
                    (Some(End::From), Some(End::To)) | (Some(End::To), Some(End::From))
                );
                ends_turned += usize::from(is_turned);
                let signs: Vec<i8> = passage
                    .all_figures()
                    .filter(|other| figure.agrees(other) && other.sign != 0)
                    .map(|other| other.sign)
                    .collect();
                let against = figure.sign != 0
                    && !signs.is_empty()
                    && signs.iter().all(|sign| *sign != figure.sign);
                turned += usize::from(against);
                continue;
            }
            if figure.is_small() {
                small_missing += 1;
            } else {
                missing += 1;
            }
            let is_hit = |other: &&Figure| figure.collides(other) && free(other);
            collide_surely += usize::from(
                passage
                    .all_figures()
                    .any(|other| figure.collides_surely(other) && free(other)),
            );
            let of_sort = |figures: &mut dyn Iterator<Item = &Figure>| {
                figures
                    .filter(|other| other.sort() == figure.sort() && !other.is_small())
                    .count()
            };
            alone += usize::from(
                !figure.is_small()
                    && of_sort(&mut claimed.iter().copied()) == 1
                    && of_sort(&mut passage.all_figures()) == 1,
            );
            collide += usize::from(passage.all_figures().any(|other| is_hit(&other)));
            collide_best += usize::from(of_best.iter().any(|other| is_hit(&other)));
            other_best += usize::from(of_best.iter().any(|other| {
                other.sort() == figure.sort()
                    && figure.sort() == FigureSort::Other
                    && other.is_small() == figure.is_small()
                    && free(other)
            }));
        }
        Self {
            of_claim: claimed.len().min(6) as f32,
            held: if claimed.is_empty() {
                1.0
            } else {
                held as f32 / claimed.len() as f32
            },
            missing: missing.min(4) as f32,
            small_missing: small_missing.min(4) as f32,
            collide: collide.min(3) as f32,
            collide_best: collide_best.min(3) as f32,
            other_best: other_best.min(3) as f32,
            ends_turned: ends_turned.min(2) as f32,
            of_passage: passage.all_figures().count().min(8) as f32,
            collide_surely: collide_surely.min(3) as f32,
            turned: turned.min(2) as f32,
            alone: alone.min(2) as f32,
        }
    }
}

struct DayCounts {
    of_claim: f32,
    held: f32,
    another: f32,
    open: f32,
}

impl DayCounts {
    fn new(claim: &Reading<'_>, passage: &Reading<'_>) -> Self {
        let told: Vec<Told> = claim
            .days
            .named
            .iter()
            .map(|day| passage.days.tells(*day, passage.published))
            .collect();
        let count = |wanted| told.iter().filter(|found| **found == wanted).count().min(3) as f32;
        Self {
            of_claim: told.len().min(3) as f32,
            held: count(Told::Held),
            another: count(Told::Another),
            open: count(Told::Open),
        }
    }
}

/// Number of a claim's names whose order is compared.
const MOST_NAMES: usize = 16;

/// Whether two names in the claim appear in reverse order in a sentence of the passage that has both: who did it and to
/// whom. A `by` between them reverses the order in either. `None` if no sentence has both.
fn is_order_turned(claim: &Proposition<'_>, sentences: &[&Proposition<'_>]) -> Option<bool> {
    let mut names: Vec<u32> = Vec::new();
    for stem in claim
        .words
        .iter()
        .filter(|word| word.is_name)
        .filter_map(|word| word.stem)
    {
        if names.len() < MOST_NAMES && !names.contains(&stem) {
            names.push(stem);
        }
    }
    let place = |read: &Proposition<'_>, stem: u32| {
        read.words.iter().position(|word| word.stem == Some(stem))
    };
    let has_by = |read: &Proposition<'_>, from: usize, to: usize| {
        read.words[from.min(to)..from.max(to)]
            .iter()
            .any(|word| word.text.eq_ignore_ascii_case("by"))
    };
    let (mut kept, mut turned) = (0, 0);
    for (at, left) in names.iter().enumerate() {
        for right in &names[at + 1..] {
            let (here_left, here_right) = (place(claim, *left)?, place(claim, *right)?);
            // Adjacent words are one name.
            if here_left.abs_diff(here_right) < 2 {
                continue;
            }
            for sentence in sentences {
                let (Some(there_left), Some(there_right)) =
                    (place(sentence, *left), place(sentence, *right))
                else {
                    continue;
                };
                if there_left.abs_diff(there_right) < 2 {
                    continue;
                }
                let same = (here_left < here_right) == (there_left < there_right);
                let passive = has_by(claim, here_left, here_right)
                    != has_by(sentence, there_left, there_right);
                if same == passive {
                    turned += 1;
                } else {
                    kept += 1;
                }
            }
        }
    }
    (kept + turned > 0).then_some(turned > kept)
}

/// How similar the words are that appear on one side only.
fn rest_meaning(
    claim: &Proposition<'_>,
    sentence: &Proposition<'_>,
    best: &Overlap<'_, '_>,
) -> f32 {
    let missing: Vec<&str> = best.missing().map(|found| found.word.text).collect();
    let extra: Vec<&str> = sentence
        .content()
        .filter(|word| !claim.words.iter().any(|other| other.stem == word.stem))
        .map(|word| word.text)
        .collect();
    if missing.is_empty() || extra.is_empty() {
        return 0.0;
    }
    similarity(&embed(&missing.join(" ")), &embed(&extra.join(" ")))
}

/// The share of neighbouring pairs of the claim's meaningful words that are also next to each other in the sentence.
fn pairs_held(claim: &Proposition<'_>, sentence: &Proposition<'_>) -> f32 {
    let stems = |read: &Proposition<'_>| -> Vec<u32> {
        read.content().filter_map(|word| word.stem).collect()
    };
    let (here, there) = (stems(claim), stems(sentence));
    if here.len() < 2 {
        return 0.0;
    }
    let held = here
        .windows(2)
        .filter(|pair| there.windows(2).any(|other| other == *pair))
        .count();
    held as f32 / (here.len() - 1) as f32
}

/// The longest run of the claim's meaningful words that the sentence has in the same order, as a share of them.
fn longest_run(claim: &Proposition<'_>, sentence: &Proposition<'_>) -> f32 {
    let there: Vec<u32> = sentence.content().filter_map(|word| word.stem).collect();
    let mut row = vec![0_usize; there.len() + 1];
    let mut count = 0;
    for stem in claim.content().filter_map(|word| word.stem) {
        count += 1;
        let mut diagonal = 0;
        for (at, other) in there.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if *other == stem {
                diagonal + 1
            } else {
                above.max(row[at])
            };
            diagonal = above;
        }
    }
    if count == 0 {
        0.0
    } else {
        row[there.len()] as f32 / count as f32
    }
}

fn wholes_missing(claim: &Proposition<'_>, sentences: &[&Proposition<'_>]) -> f32 {
    let is_missing = |wanted: &str| {
        !sentences
            .iter()
            .flat_map(|sentence| &sentence.words)
            .any(|word| word.text.eq_ignore_ascii_case(wanted))
    };
    claim
        .words
        .iter()
        .filter(|word| is_whole(word.text) && is_missing(word.text))
        .count()
        .min(3) as f32
}
