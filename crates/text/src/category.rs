//! What a text is mainly about: a fitted model ([`crate::readings`]) weighs its words and meaning, with the hints of
//! its source as a prior. If that leaves doubt, a transformer reads the text too ([`encoder::category`]). Tables of
//! topic words tell the model what is known about each category, and supply the topics.

use std::sync::LazyLock;

use model::{Category, EntityMention};
use rustc_hash::FxHashMap;

use crate::annotate::lexed::{Lexed, extend};
use crate::annotate::phrases::{PhraseTable, Spelling, rows};
use crate::linear::{self, Weighted};
use crate::readings;

/// Number of words of the body that are read. Later words add little.
const READ: usize = 600;
/// The same phrase counts at most this many times.
const REPEATS: u8 = 3;
/// What a hint adds to the evidence for a category.
const HINT: f32 = 0.5;
/// The lead of a category over the runner-up, as the logarithm of their probability ratio. Below it, the transformer
/// reads the text too.
const DOUBTFUL: f32 = 1.25;

type Weights = [f32; Category::ALL.len()];

/// What one phrase indicates.
#[derive(Clone, Debug, Default)]
struct Keyword {
    categories: Vec<(u8, f32)>,
    /// Only if written exactly like this: `AI`, but not the French `ai`.
    spelling: Option<&'static str>,
}

static KEYWORDS: LazyLock<PhraseTable<Keyword>> = LazyLock::new(|| {
    let mut table = PhraseTable::new(Spelling::AnyCase);
    for mut row in rows(include_str!("../data/category/keywords.tsv")) {
        let Some(category) = row.next().and_then(index) else {
            continue;
        };
        let weight: f32 = row
            .next()
            .and_then(|weight| weight.parse().ok())
            .unwrap_or(1.0);
        for phrase in row.next().unwrap_or("").split('|') {
            let (phrase, spelling) = phrase
                .strip_prefix('^')
                .map_or((phrase, None), |phrase| (phrase, Some(phrase)));
            table.insert_with(
                phrase,
                Keyword {
                    categories: vec![(category, weight)],
                    spelling,
                },
                |present, more| {
                    if !present
                        .categories
                        .iter()
                        .any(|(known, _)| *known == category)
                    {
                        present.categories.extend(more.categories);
                    }
                },
            );
        }
    }
    table
});

static HINTS: LazyLock<FxHashMap<&'static str, Vec<(u8, f32)>>> = LazyLock::new(|| {
    let mut hints: FxHashMap<_, Vec<_>> = FxHashMap::default();
    for mut row in rows(include_str!("../data/category/hints.tsv")) {
        let (Some(hint), Some(category)) = (row.next(), row.next().and_then(index)) else {
            continue;
        };
        let weight = row
            .next()
            .and_then(|weight| weight.parse().ok())
            .unwrap_or(1.0);
        hints.entry(hint).or_default().push((category, weight));
    }
    hints
});

fn index(slug: &str) -> Option<u8> {
    Category::ALL
        .iter()
        .position(|category| category.as_str() == slug)
        .map(|at| at as u8)
}

/// The category of a text. `hints` are words such as `business` or `ai_tech` that came with it.
pub fn classify(title: &str, body: &str, hints: &[String]) -> Category {
    let lexed = Lexed::new(title, body);
    let words = Words::read(&lexed);
    choose(&lexed, &words.observe(&lexed, &[]), hints).0
}

/// The category of a text, the distinctive phrases that it uses, and its features.
#[derive(Debug)]
pub(crate) struct Subject {
    /// What it is mainly about.
    pub(crate) category: Category,
    /// How probable that is, 0 to 1.
    pub(crate) share: f32,
    /// Topic phrases of the text in that category, most distinctive first.
    pub(crate) topics: Vec<Topic>,
    /// Its features, for other models of the same kind.
    pub(crate) observed: Vec<Weighted>,
}

/// A phrase that indicates the category.
#[derive(Debug)]
pub(crate) struct Topic {
    /// Index of its first word.
    pub(crate) start: usize,
    /// Index after its last word.
    pub(crate) end: usize,
    /// How strongly it indicates it.
    pub(crate) weight: f32,
}

/// Classifies a text that is already split into words.
pub(crate) fn classify_lexed(
    lexed: &Lexed<'_>,
    entities: &[EntityMention],
    hints: &[String],
) -> Subject {
    let words = Words::read(lexed);
    let observed = words.observe(lexed, entities);
    let (category, share) = choose(lexed, &observed, hints);
    Subject {
        category,
        share,
        topics: words.topics(category),
        observed,
    }
}

/// The topic phrases of a text whose category is known.
pub(crate) fn topics(lexed: &Lexed<'_>, category: Category) -> Vec<Topic> {
    Words::read(lexed).topics(category)
}

/// The category with the most evidence, and how probable it is. If two are close, a small transformer also reads the
/// text ([`encoder::category`]), which takes some thirty times as long as reading the rest of a short item.
fn choose(lexed: &Lexed<'_>, observed: &[Weighted], hints: &[String]) -> (Category, f32) {
    let hinted = hinted(hints);
    let mut scores = sum(readings::categories(observed), hinted);
    if is_in_doubt(&scores) && is_latin(lexed.sentences.first().map_or("", |first| first.text)) {
        let [headline, opening] = readings::pieces(lexed, encoder::category::MOST);
        scores = joined(scores, encoder::category::read(&headline, &opening), hinted);
    }
    let best = best(&scores);
    (Category::ALL[best], linear::shares(scores)[best])
}

/// The mean of the scores by words, including hints, and the scores by the transformer. A hint weighs as much with two
/// models as with one.
fn joined(by_words: Weights, read: Weights, hinted: Weights) -> Weights {
    let read = sum(read, hinted);
    std::array::from_fn(|at| f32::midpoint(by_words[at], read[at]))
}

/// Whether most letters are Latin. In other scripts the transformer knows single letters at most, yet is just as
/// confident.
fn is_latin(text: &str) -> bool {
    let (mut latin, mut other) = (0, 0);
    for letter in text.chars().filter(|letter| letter.is_alphabetic()) {
        if matches!(letter, 'A'..='Z' | 'a'..='z' | '\u{c0}'..='\u{24f}') {
            latin += 1;
        } else {
            other += 1;
        }
    }
    latin > other
}

/// The weight that the hints add to each category.
fn hinted(hints: &[String]) -> Weights {
    let mut scores = [0.0; Category::ALL.len()];
    for hint in hints {
        for &(category, weight) in HINTS
            .get(hint.trim().to_lowercase().as_str())
            .map_or(&[][..], Vec::as_slice)
        {
            scores[category as usize] += HINT * weight / (hints.len() as f32).sqrt();
        }
    }
    scores
}

fn sum(left: Weights, right: Weights) -> Weights {
    std::array::from_fn(|at| left[at] + right[at])
}

/// The index of the first maximum.
fn best(scores: &Weights) -> usize {
    (1..scores.len()).fold(
        0,
        |best, at| if scores[at] > scores[best] { at } else { best },
    )
}

/// Whether the first category leads the next one by so little that words alone cannot decide.
fn is_in_doubt(scores: &Weights) -> bool {
    lead(scores) < DOUBTFUL
}

/// The margin of the first category over the next.
fn lead(scores: &Weights) -> f32 {
    let first = best(scores);
    let others = scores.iter().enumerate().filter(|(at, _)| *at != first);
    let next = others.map(|(_, score)| *score).fold(f32::MIN, f32::max);
    scores[first] - next
}

/// The topic words of a text and what they indicate for each category.
struct Words<'t> {
    scores: Weights,
    seen: FxHashMap<u64, Seen<'t>>,
}

impl Words<'static> {
    fn read(lexed: &Lexed<'_>) -> Self {
        let mut words = Self {
            scores: [0.0; Category::ALL.len()],
            seen: FxHashMap::default(),
        };
        let title = lexed.title().len();
        let stop = lexed.tokens.len().min(title + READ);
        let body_scale = 1.0 / (1.0 + (stop - title) as f32 / 120.0).sqrt();
        let mut at = 0;
        while at < stop {
            let end = if at < title { title } else { stop };
            let Some((length, keyword)) = KEYWORDS.longest(&lexed.tokens[at..end.min(at + 8)])
            else {
                at += 1;
                continue;
            };
            let phrase = &lexed.tokens[at..at + length];
            at += length;
            if keyword
                .spelling
                .is_some_and(|spelling| phrase[0].text != spelling)
            {
                continue;
            }
            let scale = if at <= title {
                2.5
            } else {
                body_scale * if at < title + 60 { 1.6 } else { 1.0 }
            };
            let key = phrase.iter().fold(0, |key, word| extend(key, word.lower));
            let entry = words.seen.entry(key).or_insert(Seen {
                times: 0,
                at,
                length,
                weight: 0.0,
                keyword,
            });
            if entry.times < REPEATS {
                entry.times += 1;
                entry.weight += scale;
                for &(category, weight) in &keyword.categories {
                    words.scores[category as usize] += weight * scale;
                }
            }
        }
        words
    }

    /// The features of the text, including the entities it names.
    fn observe(&self, lexed: &Lexed<'_>, entities: &[EntityMention]) -> Vec<Weighted> {
        let mut scores = self.scores;
        for entity in entities.iter().take(6) {
            let weight = if entity.role == model::EntityRole::Subject {
                1.2
            } else {
                0.4
            };
            match (entity.kind, &entity.ticker) {
                (model::EntityKind::Product, Some(_)) => add(&mut scores, Category::Crypto, weight),
                (model::EntityKind::Organization, Some(_)) => {
                    add(&mut scores, Category::Business, weight * 0.6);
                    add(&mut scores, Category::Markets, weight * 0.3);
                }
                (model::EntityKind::Location, _) => add(&mut scores, Category::World, weight * 0.3),
                _ => {}
            }
        }
        readings::observe(lexed, &scores)
    }

    fn topics(self, category: Category) -> Vec<Topic> {
        let mut topics: Vec<_> = self
            .seen
            .into_values()
            .filter_map(|seen| {
                let weight = seen
                    .keyword
                    .categories
                    .iter()
                    .find(|(of, _)| Category::ALL[*of as usize] == category)
                    .map(|(_, weight)| *weight)?;
                let strength = weight * seen.weight + seen.length as f32 * 0.6;
                (weight >= 2.0).then_some(Topic {
                    start: seen.at - seen.length,
                    end: seen.at,
                    weight: strength,
                })
            })
            .collect();
        topics.sort_by(|left, right| {
            right
                .weight
                .total_cmp(&left.weight)
                .then(left.start.cmp(&right.start))
        });
        topics
    }
}

/// The features of an article for its category and form models, for fitting them: weighted rows, and the word pieces of
/// its headline and of its opening.
pub fn observations(article: &model::Article) -> (Vec<(u32, f32)>, [Vec<u16>; 2]) {
    let text = crate::annotate::readable(article);
    let lexed = Lexed::new(&article.title, &text);
    let polarities = crate::sentiment::polarities(&lexed);
    let entities = crate::entities::find_lexed(&lexed, &polarities);
    let rows = Words::read(&lexed).observe(&lexed, &entities);
    (rows, readings::pieces(&lexed, encoder::category::FITTED))
}

#[derive(Debug)]
struct Seen<'t> {
    times: u8,
    /// Index after its last word.
    at: usize,
    length: usize,
    weight: f32,
    keyword: &'t Keyword,
}

fn add(scores: &mut Weights, category: Category, weight: f32) {
    scores[category as usize] += weight;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(title: &str, hints: &[&str], expected: Category) {
        let hints: Vec<_> = hints.iter().map(|hint| (*hint).to_owned()).collect();
        assert_eq!(classify(title, "", &hints), expected, "{title}");
    }

    #[test]
    fn headlines_tell_their_category() {
        check(
            "OpenAI unveils new large language model",
            &[],
            Category::AiMl,
        );
        check(
            "Samsung launches folding smartphone with larger screen",
            &["general"],
            Category::Tech,
        );
        check(
            "Wall Street closes lower as treasury yields climb",
            &[],
            Category::Markets,
        );
        check(
            "Bitcoin and ether slide as crypto exchange halts withdrawals",
            &[],
            Category::Crypto,
        );
        check(
            "Central bank raises interest rates to tame inflation",
            &[],
            Category::Economy,
        );
        check(
            "Senate passes bill after Supreme Court ruling",
            &[],
            Category::Policy,
        );
        check(
            "Ceasefire talks stall as missiles hit Kyiv",
            &["geopolitics"],
            Category::World,
        );
        check(
            "Retailer to close 40 stores, cut jobs after merger",
            &["business"],
            Category::Business,
        );
        check(
            "Telescope spots oldest galaxy, astronomers say",
            &[],
            Category::Science,
        );
        check(
            "Hospitals fill up as flu outbreak spreads",
            &[],
            Category::Health,
        );
        check(
            "Oil producers agree to cut output at OPEC+ meeting",
            &["commodities"],
            Category::Energy,
        );
        check(
            "Heatwave and drought linked to climate change",
            &[],
            Category::Climate,
        );
        check(
            "Ransomware gang claims data breach at bank",
            &[],
            Category::Security,
        );
        check(
            "Striker scores hat-trick as Arsenal win Champions League tie",
            &[],
            Category::Sports,
        );
        check(
            "Film festival opens with new comedy starring singer",
            &[],
            Category::Culture,
        );
    }

    #[test]
    fn what_words_leave_in_doubt_is_read_by_the_transformer_too() {
        let title = "Rail firm asks passengers to book seats after timetable row";
        let lexed = Lexed::new(title, "");
        let scores = readings::categories(&Words::read(&lexed).observe(&lexed, &[]));
        assert_eq!(Category::ALL[best(&scores)], Category::Culture);
        check(title, &[], Category::Business);
    }

    #[test]
    fn a_lead_of_little_is_doubt() {
        let mut scores = [-1.0; Category::ALL.len()];
        assert!(is_in_doubt(&scores));
        scores[14] = 2.5;
        assert_eq!(best(&scores), 14);
        for (next, is) in [(1.26, true), (1.24, false)] {
            scores[0] = next;
            assert_eq!(is_in_doubt(&scores), is, "{next}");
        }
    }

    #[test]
    fn a_hint_counts_beside_each_model() {
        let of = |at: usize, amount: f32| {
            let mut scores = [0.0; Category::ALL.len()];
            scores[at] = amount;
            scores
        };
        // Words with the hint slightly favour the first, the transformer clearly favours the second.
        let hinted = of(0, 2.0);
        let scores = joined(hinted, of(1, 3.0), hinted);
        assert_eq!(best(&scores), 0);
        assert!((lead(&scores) - 0.5).abs() < 1e-6);
    }

    #[test]
    fn what_the_transformer_cannot_read_is_left_to_words_and_hints() {
        let mut doubtful = 0;
        for title in [
            "Сборная объявила состав на матч",
            "العراق يعلن النتائج",
            "ทีมชาติประกาศรายชื่อ",
            "2024: 15-3",
        ] {
            let lexed = Lexed::new(title, "");
            let words = readings::categories(&Words::read(&lexed).observe(&lexed, &[]));
            for hint in ["health", "science", "business", "world"] {
                let scores = sum(words, hinted(&[hint.to_owned()]));
                doubtful += usize::from(is_in_doubt(&scores));
                check(title, &[hint], Category::ALL[best(&scores)]);
            }
        }
        assert!(doubtful > 4, "{doubtful}");
        assert!(is_latin("Élections : Łódź vote"));
    }

    #[test]
    fn the_transformer_has_the_order_of_categories() {
        for (title, category) in [
            (
                "Bitcoin and ether slide as a coin exchange halts withdrawals",
                Category::Crypto,
            ),
            (
                "Striker scores twice as club wins the cup final",
                Category::Sports,
            ),
            (
                "Hospitals fill up as flu outbreak spreads",
                Category::Health,
            ),
            ("Film festival opens with a comedy", Category::Culture),
            (
                "Ransomware gang leaks passwords after data breach",
                Category::Security,
            ),
        ] {
            let read = encoder::category::read(&crate::embedding::word_pieces(title), &[]);
            assert_eq!(Category::ALL[best(&read)], category, "{title}");
        }
    }

    #[test]
    fn other_languages_are_read_by_their_basic_words() {
        check(
            "Guerre en Ukraine : le cessez-le-feu rompu",
            &[],
            Category::World,
        );
        check(
            "Le prix du pétrole et du gaz naturel bondit",
            &[],
            Category::Energy,
        );
        check(
            "J’ai vu le film au festival de Cannes",
            &[],
            Category::Culture,
        );
        check(
            "Fußball: Trainer lobt Spieler nach dem Sieg",
            &[],
            Category::Sports,
        );
    }

    #[test]
    fn hints_decide_where_words_do_not() {
        check("Here is how it went", &["sports"], Category::Sports);
        check("What happens next", &["sports"], Category::Sports);
        check(
            "Bitcoin falls as crypto traders flee",
            &["sports"],
            Category::Crypto,
        );
    }
}
