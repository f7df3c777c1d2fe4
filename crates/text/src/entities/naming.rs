//! Decides which names in one story mean the same entity: `V’landys` and `V'landys`, `Tillis` and `Thom Tillis`, `ITMS`
//! and `Integrated Traffic Management System`, `Kelp` and `Kelp DAO`.
//!
//! In the news at large, two entities may share part of their name. Within one story that hardly happens. A name
//! therefore stands for a longer one only if that is the only name in the story that it can mean, and never if the
//! tables know it as somebody else's.

use model::{EntityKind, EntityMention, Event};

use super::{is_common_word, is_known};
use crate::abbreviation;

/// Number of letters in an abbreviation.
const ABBREVIATED: std::ops::RangeInclusive<usize> = 2..=6;
/// A shorter single word begins or ends other names by chance.
const SHORTEST: usize = 4;

/// The normalised form in which a name is compared, whatever case and apostrophes a source uses.
pub fn folded(name: &str) -> String {
    name.to_lowercase().replace(['’', 'ʼ'], "'")
}

/// Whether a sentence names one entity alongside another whose name begins or ends with the same words, so that they
/// are two: `Softwind sells Softwind Energy`.
pub fn is_named_beside(sentence: &str, short: &str, long: &str) -> bool {
    if !sentence.contains(long) {
        return false;
    }
    let rest = sentence.replace(long, ",");
    let is_whole = |at: usize| {
        let is_inside = |sign: Option<char>| sign.is_some_and(char::is_alphanumeric);
        !is_inside(rest[..at].chars().next_back())
            && !is_inside(rest[at + short.len()..].chars().next())
    };
    rest.match_indices(short).any(|(at, _)| is_whole(at))
}

/// Whether one of two names is said to do something to the other.
pub fn are_parties(event: &Event, one: &str, other: &str) -> bool {
    let is_named = |name: &str| {
        let is_it = |party: &str| folded(party) == folded(name);
        (
            is_it(&event.subject),
            event.object.as_deref().is_some_and(is_it),
        )
    };
    matches!(
        (is_named(one), is_named(other)),
        ((true, _), (_, true)) | ((_, true), (true, _))
    )
}

/// For each entity, the one it is identical with, if a longer or surer name in the story stands for it. For a shorter
/// and a longer name of an organization, `are_two` says whether the story distinguishes between them.
pub fn one_by_one<'e>(
    entities: &[&'e EntityMention],
    are_two: impl Fn(&str, &str) -> bool,
) -> Vec<Option<usize>> {
    let named: Vec<Named<'e>> = entities.iter().map(|entity| Named::of(entity)).collect();
    let ways: [fn(&Named<'e>, &Named<'e>) -> bool; 5] = [
        Named::is_written_like,
        Named::is_abbreviation_of,
        Named::is_surname_of,
        Named::is_given_name_of,
        Named::is_short_for,
    ];
    let only = |at: usize, is_one: fn(&Named<'e>, &Named<'e>) -> bool| {
        let mut others = (0..named.len()).filter(|other| *other != at);
        let mut meant = others
            .by_ref()
            .filter(|other| is_one(&named[at], &named[*other]));
        meant.next().filter(|_| meant.next().is_none())
    };
    let next: Vec<Option<usize>> = (0..named.len())
        .map(|at| {
            let meant = ways.iter().find_map(|is_one| only(at, *is_one));
            meant.filter(|meant| {
                let (short, long) = (&named[at], &named[*meant]);
                !short.is_short_for(long) || !are_two(&short.entity.name, &long.entity.name)
            })
        })
        .collect();
    // `MT` for `Melania`, who is `Melania Trump`: a chain is followed to its end.
    let end_of = |at: usize| {
        let chain = std::iter::successors(next[at], |from| next[*from]);
        chain.take(named.len()).last()
    };
    (0..named.len())
        .map(|at| end_of(at).filter(|end| next[*end].is_none()))
        .collect()
}

/// An entity with its name prepared for comparison.
struct Named<'e> {
    entity: &'e EntityMention,
    folded: String,
    words: Vec<String>,
    is_known: bool,
    is_distinct: bool,
}

impl<'e> Named<'e> {
    fn of(entity: &'e EntityMention) -> Self {
        let folded = folded(&entity.name);
        Self {
            words: folded.split(' ').map(str::to_owned).collect(),
            is_distinct: folded.contains(' ')
                || folded.len() >= SHORTEST && !is_common_word(&folded),
            folded,
            is_known: entity.ticker.is_some() || is_known(&entity.name),
            entity,
        }
    }

    fn is_of(&self, kind: EntityKind) -> bool {
        self.entity.kind == kind
    }

    /// The same name, read as another kind of thing. The one in the tables wins, or else the one mentioned more often.
    fn is_written_like(&self, other: &Self) -> bool {
        let rank = |named: &Self| (named.is_known, named.entity.mentions);
        self.folded == other.folded
            && !(self.is_known && other.is_known)
            && (rank(self) < rank(other)
                || rank(self) == rank(other) && self.entity.kind > other.entity.kind)
    }

    /// `DTCC` for `Depository Trust & Clearing Corporation`, `CQ` for `CryptoQuant`.
    fn is_abbreviation_of(&self, other: &Self) -> bool {
        let name = self.entity.name.as_str();
        let is_abbreviation = ABBREVIATED.contains(&name.len())
            && name.bytes().all(|letter| letter.is_ascii_uppercase());
        is_abbreviation
            && !self.is_known
            && !other.is_of(EntityKind::Person)
            && other.entity.name.len() > name.len()
            && abbreviation::spells(name, &other.entity.name)
    }

    fn is_single_person(&self) -> bool {
        self.is_of(EntityKind::Person) && self.words.len() == 1 && !self.is_known
    }

    /// `Tillis` for `Thom Tillis`.
    fn is_surname_of(&self, other: &Self) -> bool {
        self.is_single_person()
            && other.is_of(EntityKind::Person)
            && other.words.len() > 1
            && other.words.last() == self.words.first()
    }

    /// `Melania` for `Melania Trump`.
    fn is_given_name_of(&self, other: &Self) -> bool {
        self.is_single_person()
            && other.is_of(EntityKind::Person)
            && other.words.len() > 1
            && other.words.first() == self.words.first()
    }

    /// `Kelp` for `Kelp DAO`, `Dortmund` for `Borussia Dortmund`.
    fn is_short_for(&self, other: &Self) -> bool {
        let count = self.words.len();
        self.is_distinct
            && !self.is_known
            && self.is_of(EntityKind::Organization)
            && other.is_of(EntityKind::Organization)
            && other.words.len() > count
            && (other.words.starts_with(&self.words) || other.words.ends_with(&self.words))
    }
}

#[cfg(test)]
mod tests {
    use model::{EntityRole, Score};

    use super::*;

    fn entity(name: &str, kind: EntityKind, mentions: u32) -> EntityMention {
        EntityMention {
            name: name.to_owned(),
            kind,
            ticker: None,
            role: EntityRole::Related,
            mentions,
            sentiment: Score::NEUTRAL,
        }
    }

    /// The names that these names stand for, in the same order.
    fn meant<'n>(names: &[(&'n str, EntityKind)]) -> Vec<Option<&'n str>> {
        let entities: Vec<EntityMention> = names
            .iter()
            .zip((1..=20).rev())
            .map(|((name, kind), mentions)| entity(name, *kind, mentions))
            .collect();
        let entities: Vec<&EntityMention> = entities.iter().collect();
        one_by_one(&entities, |_, _| false)
            .into_iter()
            .map(|at| at.map(|at| names[at].0))
            .collect()
    }

    #[test]
    fn a_short_name_is_the_only_longer_one_of_its_story() {
        use EntityKind::{Location, Organization, Person};
        let check =
            |short: (&'static str, EntityKind), long: (&'static str, EntityKind), is_one: bool| {
                let found = meant(&[short, long]);
                assert_eq!(
                    found,
                    [is_one.then_some(long.0), None],
                    "{short:?} {long:?}"
                );
            };
        check(("Roe", Person), ("Jane Roe", Person), true);
        check(("Jane", Person), ("Jane Roe", Person), true);
        check(("Roe", Organization), ("Jane Roe", Person), false);
        check(
            ("VHA", Organization),
            ("Velden Harbour Authority", Organization),
            true,
        );
        check(
            ("VHA", Organization),
            ("Velden Heavy Industries", Organization),
            false,
        );
        check(("Kelvo", Organization), ("Kelvo DAO", Organization), true);
        check(
            ("Velden", Organization),
            ("Borussia Velden", Organization),
            true,
        );
        check(
            ("Velden", Location),
            ("Borussia Velden", Organization),
            false,
        );
        // An ordinary word, or a company that the tables know, is not a short name.
        check(("Bank", Organization), ("Velden Bank", Organization), false);
        check(
            ("OpenAI", Organization),
            ("OpenAI Startup Fund", Organization),
            false,
        );
    }

    #[test]
    fn whom_a_sentence_names_beside_each_other_are_two() {
        for (sentence, expected) in [
            ("Kelvo sells Kelvo Energy to Quill", true),
            ("Kelvo Energy buys Quill", false),
            ("Kelvorix sells Kelvo Energy", false),
            ("Kelvo buys Quill", false),
        ] {
            assert_eq!(
                is_named_beside(sentence, "Kelvo", "Kelvo Energy"),
                expected,
                "{sentence}"
            );
        }
        let two = ["Kelvo", "Kelvo Energy"].map(|name| entity(name, EntityKind::Organization, 2));
        let two: Vec<&EntityMention> = two.iter().collect();
        assert_eq!(one_by_one(&two, |_, _| true), [None, None]);
    }

    #[test]
    fn of_two_that_could_be_meant_none_is() {
        use EntityKind::Person;
        let found = meant(&[
            ("Roe", Person),
            ("Jane Roe", Person),
            ("Richard Roe", Person),
        ]);
        assert_eq!(found, [None; 3]);
    }

    #[test]
    fn one_name_is_of_one_kind() {
        use EntityKind::{Location, Organization};
        let found = meant(&[("Kelvo Port", Organization), ("KELVO Port", Location)]);
        assert_eq!(found, [None, Some("Kelvo Port")]);
    }
}
