//! Writes the article of an assignment.

use model::{RawArticle, Timestamp};

use super::assignments::{Assignment, Form, Story};
use super::cast;
use super::facts::Facts;
use super::outlets::{HeadlineCase, Language, OutletProfile, Voice};
use super::prose::{self, Scope};
use super::random::Random;
use super::world::World;

/// If a body has fewer words than this, more is written.
const FEWEST_WORDS: usize = 90;

/// The number of words in the first paragraph and facts that make a full body together with quotes and a view.
const ENOUGH_WORDS: usize = 64;

/// Writes the articles of one story.
#[derive(Debug)]
pub(crate) struct Writer<'a> {
    story: &'a Story,
    assignments: &'a [Assignment],
    right: Facts,
    wrong: Facts,
}

/// Title and paragraphs, before an outlet formats them.
struct Draft {
    title: String,
    description: String,
    paragraphs: Vec<String>,
}

impl<'a> Writer<'a> {
    /// A writer who knows the facts.
    pub(crate) fn new(story: &'a Story, assignments: &'a [Assignment]) -> Self {
        let kind = story.kind;
        let right = story.facts(None);
        let wrong = story.facts(kind.key.as_ref().map(|key| key.slot.as_str()));
        Self {
            story,
            assignments,
            right,
            wrong,
        }
    }

    /// The article of the assignment with this index.
    pub(crate) fn write(&self, index: usize) -> Option<RawArticle> {
        let world = World::get();
        let assignment = self.assignments.get(index)?;
        let mut random = Random::of(&[self.story.seed, 3, index as u64]);
        let outlet = assignment.outlet;
        let mut draft = match assignment.form {
            Form::Report => self.report(assignment, self.facts_of(assignment), &mut random),
            Form::Correction => self.correction(assignment, &mut random),
            Form::Sequel { chapter } => self.sequel(assignment, chapter, &mut random),
            Form::Copy { of } => self.copy(of, &mut random)?,
        };
        draft
            .paragraphs
            .push(simulated_note(outlet.language).to_owned());
        let title = match outlet.case {
            HeadlineCase::Sentence => draft.title,
            HeadlineCase::Title => prose::title_cased(&draft.title),
            HeadlineCase::Suffixed => format!("{} | {}", draft.title, outlet.name),
        };
        let published_at = assignment
            .first_seen
            .plus_ms(-random.range(20, 1500) * 1000);
        Some(RawArticle {
            url: address(
                outlet,
                &title,
                published_at,
                Random::of(&[self.story.seed, 4, index as u64]).next(),
            ),
            title,
            description: random.chance(0.92).then_some(draft.description),
            body: Some(draft.paragraphs.join("\n\n")),
            outlet: Some(outlet.name.clone()),
            author: byline(outlet, world, &mut random),
            language: Some(outlet.language.code().to_owned()),
            published_at: Some(published_at),
            first_seen: Some(assignment.first_seen),
            categories: self.story.kind.categories.clone(),
            simulated: true,
            via: None,
        })
    }

    fn facts_of(&self, assignment: &Assignment) -> &Facts {
        if assignment.mistaken {
            &self.wrong
        } else {
            &self.right
        }
    }

    fn scope<'b>(&'b self, facts: &'b Facts, outlet: &'b OutletProfile) -> Scope<'b> {
        Scope {
            facts,
            day: self.story.day,
            origin: self.story.day,
            dated: false,
            language: outlet.language,
            outlet: &outlet.name,
        }
    }

    fn report(&self, assignment: &Assignment, facts: &Facts, random: &mut Random) -> Draft {
        let outlet = assignment.outlet;
        let kind = self.story.kind;
        let scope = self.scope(facts, outlet);
        let script = kind.translation(outlet.language);
        let (fact_lists, quote_list) = script.map_or((&kind.facts, &kind.quotes), |script| {
            (&script.facts, &script.quotes)
        });
        let is_native = outlet.language == Language::En;

        let title = scope.render(assignment.head, random);
        let lede = scope.render(assignment.lede, random);
        let (wanted, quoted) = measure(outlet.voice, fact_lists.len(), random);
        let mut order: Vec<usize> = (1..fact_lists.len()).collect();
        random.shuffle(&mut order);
        order.insert(0, 0);
        let mut sentences: Vec<String> = Vec::new();
        let mut words = count_words(&lede);
        for (nth, &fact) in order.iter().enumerate() {
            if nth >= wanted && words >= ENOUGH_WORDS {
                break;
            }
            let Some(wording) = fact_lists
                .get(fact)
                .and_then(|fact| turned(fact, assignment.rank))
            else {
                continue;
            };
            let sentence = scope.render(wording, random);
            words += count_words(&sentence);
            sentences.push(sentence);
        }
        let mut quotes: Vec<String> = (0..quoted.min(quote_list.len()))
            .filter_map(|nth| turned(quote_list, assignment.rank + nth))
            .map(|wording| scope.render(wording, random))
            .collect();
        let angle = kind.angle.own(outlet.voice);
        let angle = random
            .pick(angle)
            .filter(|_| is_native)
            .map(|wording| scope.render(wording, random));

        let mut paragraphs = vec![lede.clone()];
        let is_partisan = matches!(outlet.voice, Voice::Left | Voice::Right);
        if is_partisan {
            paragraphs.extend(angle.clone());
        }
        if random.chance(0.3) && !quotes.is_empty() {
            paragraphs.push(quotes.remove(0));
        }
        let description = sentences
            .last()
            .filter(|_| random.chance(0.35))
            .unwrap_or(&lede)
            .clone();
        while !sentences.is_empty() {
            let size = if outlet.voice == Voice::Tabloid {
                1
            } else {
                1 + random.below(2)
            };
            let rest = sentences.split_off(size.min(sentences.len()));
            paragraphs.push(sentences.join(" "));
            sentences = rest;
            if !quotes.is_empty() {
                paragraphs.push(quotes.remove(0));
            }
        }
        paragraphs.append(&mut quotes);
        if !is_partisan {
            paragraphs.extend(angle);
        }
        if is_native {
            let is_thin = paragraphs
                .iter()
                .map(|paragraph| count_words(paragraph))
                .sum::<usize>()
                < FEWEST_WORDS;
            paragraphs.extend(self.background(&scope, if is_thin { 1.0 } else { 0.5 }, random));
            let closing = &World::get().colour.closing;
            let closing = random
                .pick(closing.own(outlet.voice))
                .filter(|_| is_thin || random.chance(0.45));
            paragraphs.extend(closing.map(|wording| scope.render(wording, random)));
        }
        Draft {
            title,
            description,
            paragraphs,
        }
    }

    fn background(&self, scope: &Scope, share: f64, random: &mut Random) -> Option<String> {
        let category = self.story.kind.categories.first()?;
        let list = World::get().colour.background.get(category)?;
        let wording = random.pick(list).filter(|_| random.chance(share))?;
        Some(scope.render(wording, random))
    }

    fn correction(&self, assignment: &Assignment, random: &mut Random) -> Draft {
        let mut draft = self.report(assignment, &self.right, random);
        let Some(key) = &self.story.kind.key else {
            return draft;
        };
        let wrong = self
            .scope(&self.wrong, assignment.outlet)
            .render(&key.form, random);
        let right = self
            .scope(&self.right, assignment.outlet)
            .render(&key.form, random);
        let label = &key.label;
        let note = random.pick(&[
            format!("CORRECTION: An earlier version of this article gave {label} as {wrong}. The correct figure is {right}."),
            format!("CORRECTION: We wrongly reported {label} as {wrong}; it is {right}. The text below has been amended."),
            format!("CORRECTION: This article has been amended to put right {label}, which is {right} and not {wrong} as first stated."),
        ]).cloned().unwrap_or_default();
        draft.title = format!("CORRECTION: {}", draft.title);
        draft.description.clone_from(&note);
        draft.paragraphs.insert(0, note);
        draft
    }

    fn sequel(&self, assignment: &Assignment, chapter: usize, random: &mut Random) -> Draft {
        let outlet = assignment.outlet;
        let kind = self.story.kind;
        let Some(sequel) = kind.next.get(chapter) else {
            return self.report(assignment, &self.right, random);
        };
        // Chapters know what earlier chapters revealed.
        let mut facts = self.right.clone();
        for (nth, earlier) in kind.next.iter().enumerate().take(chapter + 1) {
            facts.draw(
                &earlier.slots,
                self.story.seed ^ (nth as u64 + 1),
                self.story.day,
                None,
            );
        }
        let day = assignment.first_seen.day();
        let scope = Scope {
            day,
            ..self.scope(&facts, outlet)
        };
        let script = &sequel.script;
        let title = scope.render(assignment.head, random);
        let lede = scope.render(assignment.lede, random);
        let mut paragraphs = vec![lede.clone()];
        for fact in &script.facts {
            paragraphs
                .extend(turned(fact, assignment.rank).map(|wording| scope.render(wording, random)));
        }
        let quote =
            turned(&script.quotes, assignment.rank).map(|wording| scope.render(wording, random));
        let place = 1 + random.below(2);
        if let Some(quote) = quote {
            paragraphs.insert(place.min(paragraphs.len()), quote);
        }
        let past = Scope {
            day: self.story.day,
            dated: day - self.story.day > 5,
            ..scope
        };
        let mut recalled: Vec<usize> = (1..kind.facts.len()).collect();
        random.shuffle(&mut recalled);
        recalled.insert(0, 0);
        let wanted = 2 + random.below(2);
        let mut words: usize = paragraphs
            .iter()
            .map(|paragraph| count_words(paragraph))
            .sum();
        for (nth, fact) in recalled.into_iter().enumerate() {
            if nth >= wanted && words >= FEWEST_WORDS {
                break;
            }
            let wording = kind
                .facts
                .get(fact)
                .and_then(|fact| turned(fact, assignment.rank));
            let Some(sentence) = wording.map(|wording| past.render(wording, random)) else {
                continue;
            };
            words += count_words(&sentence);
            paragraphs.push(sentence);
        }
        if outlet.language == Language::En {
            let share = if words < FEWEST_WORDS { 1.0 } else { 0.4 };
            paragraphs.extend(self.background(&scope, share, random));
        }
        Draft {
            title,
            description: lede,
            paragraphs,
        }
    }

    /// The words of another assignment with tiny changes, as news desks make them, and a credit.
    fn copy(&self, of: usize, random: &mut Random) -> Option<Draft> {
        const EDITS: [(&str, &str); 8] = [
            (" more than ", " over "),
            (" about ", " around "),
            (" is expected to ", " is due to "),
            (" said on ", " said late on "),
            (" while ", " whereas "),
            (" compared with ", " against "),
            (" also ", " in addition "),
            (" such as ", " including "),
        ];
        let source = self.assignments.get(of)?;
        let mut same_stream = Random::of(&[self.story.seed, 3, of as u64]);
        let mut draft = self.report(source, self.facts_of(source), &mut same_stream);
        if draft.paragraphs.len() > 5 && random.chance(0.5) {
            draft.paragraphs.pop();
        }
        let (from, to) = EDITS[random.below(EDITS.len())];
        for paragraph in draft.paragraphs.iter_mut().skip(1) {
            *paragraph = paragraph.replacen(from, to, 1);
        }
        let credit = &source.outlet.name;
        let credit = if random.chance(0.6) {
            format!("— {credit}")
        } else {
            format!("Additional reporting: {credit}")
        };
        draft.paragraphs.push(credit);
        Some(draft)
    }
}

fn count_words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// How many facts and quotes a voice gives.
fn measure(voice: Voice, facts: usize, random: &mut Random) -> (usize, usize) {
    let (fewest, most, quotes) = match voice {
        Voice::Agency => (4, 6, 2),
        Voice::Trade => (5, 7, 1),
        Voice::Chatty => (3, 5, 1),
        Voice::Left | Voice::Right => (3, 4, 1),
        Voice::Tabloid => (3, 4, 2),
    };
    (
        facts.min(random.range(fewest, most) as usize),
        1 + random.below(quotes),
    )
}

/// The wording whose turn it is.
fn turned(wordings: &[String], turn: usize) -> Option<&str> {
    wordings
        .get(turn.checked_rem(wordings.len())?)
        .map(String::as_str)
}

fn byline(outlet: &OutletProfile, world: &World, random: &mut Random) -> Option<String> {
    if random.chance(0.2) {
        return None;
    }
    // Each outlet has a staff of six.
    let desk = random.below(6) as u64;
    let mut staff = Random::of(&[super::random::hash_word(&outlet.domain), desk]);
    Some(cast::person(world, &mut staff))
}

fn address(outlet: &OutletProfile, title: &str, published_at: Timestamp, number: u64) -> String {
    let mut slug = String::new();
    for word in title
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
    {
        let plain: String = word.to_lowercase().chars().map(plain_letter).collect();
        if slug.len() + plain.len() > 60 {
            break;
        }
        if !plain.is_empty() {
            if !slug.is_empty() {
                slug.push('-');
            }
            slug.push_str(&plain);
        }
    }
    let date = published_at.date().replace('-', "/");
    let number = number & 0xFFFF_FFFF_FFFF;
    format!("https://{}/{date}/{slug}-{number:012x}", outlet.domain)
}

/// The letters that represent a letter in an address; none for one that has no place there.
fn plain_letter(letter: char) -> &'static str {
    const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz0123456789";
    match letter {
        'ä' => "ae",
        'ö' | 'ø' | 'œ' => "oe",
        'ü' => "ue",
        'ß' => "ss",
        'à' | 'â' | 'ã' | 'á' => "a",
        'å' => "aa",
        'é' | 'è' | 'ê' | 'ë' => "e",
        'ç' => "c",
        'î' | 'ï' => "i",
        'ô' => "o",
        'û' | 'ù' => "u",
        _ => LETTERS
            .find(letter)
            .and_then(|at| LETTERS.get(at..=at))
            .unwrap_or_default(),
    }
}

const fn simulated_note(language: Language) -> &'static str {
    match language {
        Language::En => "This is a simulated report of the Assay demo world.",
        Language::Fr => "Ceci est un article simulé du monde de démonstration d'Assay.",
        Language::De => "Dies ist ein simulierter Bericht aus der Demowelt von Assay.",
    }
}
