//! Which stories happen on a day, which outlets cover them, and when.
//!
//! Each story depends only on the seed, its day and its position within that day, so any time span can be read without
//! what came before. Weeks are dealt from a shuffled deck of kinds: variety without memory. Stories told by the markets
//! have their own days (`schedule`).

use model::{Timestamp, TrustLevel};

use super::agreement::Occasion;
use super::calendar;
use super::kind::Kind;
use super::outlets::{Language, OutletProfile, Voice};
use super::random::Random;
use super::world::World;

/// For how many days after its start a story may still produce articles.
pub(crate) const LONGEST_STORY_DAYS: i64 = 12;

/// New stories by weekday, Monday first.
const STORIES_A_DAY: [usize; 7] = [4, 4, 5, 4, 4, 4, 4];

/// How many stories in a hundred break in each hour of the day (UTC): the world's office hours, but never silence.
const HOURS: [u32; 24] = [
    2, 2, 2, 2, 2, 3, 5, 6, 6, 6, 5, 5, 5, 6, 7, 6, 6, 5, 4, 4, 3, 3, 3, 2,
];

/// Something that happened.
#[derive(Clone, Debug)]
pub(crate) struct Story {
    pub(crate) kind: &'static Kind,
    pub(crate) day: i64,
    /// Everything random about it is derived from this.
    pub(crate) seed: u64,
    /// What the markets say about it, if anything.
    pub(crate) occasion: Option<Occasion>,
}

/// One article to be written.
#[derive(Clone, Debug)]
pub(crate) struct Assignment {
    pub(crate) outlet: &'static OutletProfile,
    pub(crate) first_seen: Timestamp,
    pub(crate) form: Form,
    /// A headline and first paragraph that no other assignment for this story uses, as far as there are enough.
    pub(crate) head: &'static str,
    pub(crate) lede: &'static str,
    /// Position among the story's assignments; varies the wording of facts.
    pub(crate) rank: usize,
    /// Whether it has the key figure wrong.
    pub(crate) mistaken: bool,
}

/// What sort of article an assignment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The outlet's own report.
    Report,
    /// The text of another assignment, with a credit.
    Copy { of: usize },
    /// The outlet's own report with the figure corrected.
    Correction,
    /// A later chapter.
    Sequel { chapter: usize },
}

impl Story {
    /// The stories of a day that are not told by the markets.
    pub(crate) fn on(seed: u64, day: i64) -> Vec<Self> {
        let week = (day + 3).div_euclid(7);
        let weekday = calendar::weekday_index(day);
        let place = STORIES_A_DAY[..weekday].iter().sum::<usize>();
        let kinds = deal(seed, week);
        let today = kinds
            .get(place..place + STORIES_A_DAY[weekday])
            .unwrap_or_default();
        today
            .iter()
            .enumerate()
            .map(|(index, &kind)| Self {
                kind,
                day,
                seed: Random::of(&[seed, day as u64, index as u64]).next(),
                occasion: None,
            })
            .collect()
    }

    /// Every article about this story, the first report first.
    pub(crate) fn assignments(&self) -> Vec<Assignment> {
        let world = World::get();
        let mut random = self.lots();
        let begin = self.begin(&mut random);
        let mut openings = Openings::new(self, &mut random);
        let outlets = choose_outlets(self.kind, world, &mut random);
        let can_err = self
            .kind
            .key
            .as_ref()
            .is_some_and(|key| !self.is_given(&key.slot));
        let is_contested = can_err && outlets.len() >= 2 && random.chance(0.28);
        let is_corrected = can_err && !is_contested && random.chance(0.15);
        let dissenter = if is_contested {
            least_trusted(&outlets)
        } else {
            outlets.len()
        };
        let careless = if is_corrected {
            random.below(outlets.len())
        } else {
            outlets.len()
        };

        let mut assignments: Vec<Assignment> = Vec::new();
        for (index, &outlet) in outlets.iter().enumerate() {
            let delay = if index == 0 {
                0
            } else {
                spread_ms(&mut random)
            };
            let mistaken = index == dissenter || index == careless;
            assignments.push(openings.assign(outlet, begin.plus_ms(delay), Form::Report, mistaken));
            if index == careless {
                let later = random.range(2 * Timestamp::HOUR_MS, 26 * Timestamp::HOUR_MS);
                assignments.push(openings.assign(
                    outlet,
                    begin.plus_ms(delay + later),
                    Form::Correction,
                    false,
                ));
            }
        }
        self.add_copies(&mut assignments, world, &mut openings, &mut random);
        self.add_sequels(
            &mut assignments,
            &outlets,
            world,
            &mut openings,
            &mut random,
        );
        assignments
    }

    /// When its first assignment is published.
    pub(crate) fn breaks_at(&self) -> Timestamp {
        self.begin(&mut self.lots())
    }

    /// The random draws that decide who covers it and when.
    fn lots(&self) -> Random {
        Random::of(&[self.seed, 1])
    }

    fn begin(&self, random: &mut Random) -> Timestamp {
        if let Some(occasion) = &self.occasion {
            return occasion.at;
        }
        let hour = if let Some([first, last]) = self.kind.hours {
            random.range(first, last)
        } else {
            let mut lot = random.below(HOURS.iter().sum::<u32>() as usize) as u32;
            let mut hour = 0;
            for (index, weight) in HOURS.iter().enumerate() {
                hour = index as i64;
                if lot < *weight {
                    break;
                }
                lot -= weight;
            }
            hour
        };
        let within = random.range(0, Timestamp::HOUR_MS / 1000 - 1) * 1000;
        Timestamp::start_of_day(self.day).plus_ms(hour * Timestamp::HOUR_MS + within)
    }

    fn add_copies(
        &self,
        assignments: &mut Vec<Assignment>,
        world: &'static World,
        openings: &mut Openings,
        random: &mut Random,
    ) {
        // A story that only one outlet reports is not passed on.
        if self.kind.reach[1] == 1 {
            return;
        }
        let Some(of) = assignments.iter().position(|assignment| {
            assignment.outlet.is_agency() && assignment.form == Form::Report
        }) else {
            return;
        };
        let copies = if random.chance(0.45) {
            random.range(1, 2)
        } else {
            0
        };
        for _ in 0..copies {
            let takers: Vec<&OutletProfile> = world
                .outlets
                .iter()
                .filter(|outlet| {
                    outlet.language == Language::En
                        && !outlet.is_agency()
                        && outlet.interest(&self.kind.categories) > 0
                        && assignments
                            .iter()
                            .all(|assignment| assignment.outlet.domain != outlet.domain)
                })
                .collect();
            let Some(&outlet) = random.pick(&takers) else {
                return;
            };
            let at = assignments[of]
                .first_seen
                .plus_ms(random.range(4, 400) * Timestamp::MINUTE_MS + 7000);
            assignments.push(openings.assign(outlet, at, Form::Copy { of }, false));
        }
    }

    fn add_sequels(
        &self,
        assignments: &mut Vec<Assignment>,
        outlets: &[&'static OutletProfile],
        world: &'static World,
        openings: &mut Openings,
        random: &mut Random,
    ) {
        for (chapter, sequel) in self.kind.next.iter().enumerate() {
            // A story that is dropped does not come back.
            if !random.chance(if self.occasion.is_some() { 0.3 } else { 0.7 }) {
                return;
            }
            let days = random.range(sequel.days[0], sequel.days[1]);
            let at = Timestamp::start_of_day(self.day + days).plus_ms(
                random.range(6 * Timestamp::HOUR_MS, 21 * Timestamp::HOUR_MS) / 1000 * 1000,
            );
            let mut candidates: Vec<&'static OutletProfile> = outlets.to_vec();
            candidates.extend(choose_outlets(self.kind, world, random));
            candidates.retain(|outlet| outlet.language == self.kind.language);
            random.shuffle(&mut candidates);
            let mut chosen: Vec<&'static OutletProfile> = Vec::new();
            for outlet in candidates {
                if chosen.iter().all(|known| known.domain != outlet.domain) {
                    chosen.push(outlet);
                }
            }
            chosen.truncate(random.range(1, 3) as usize);
            for (index, &outlet) in chosen.iter().enumerate() {
                let delay = if index == 0 {
                    0
                } else {
                    random.range(8, 700) * Timestamp::MINUTE_MS
                };
                assignments.push(openings.assign(
                    outlet,
                    at.plus_ms(delay),
                    Form::Sequel { chapter },
                    false,
                ));
            }
        }
    }
}

/// Assigns headlines and first paragraphs so that no two outlets open alike.
struct Openings {
    kind: &'static Kind,
    /// Whether a voice's own headlines and the shared ones take turns: otherwise frequent events would open alike.
    takes_turns: bool,
    offset: usize,
    used: Vec<&'static str>,
    rank: usize,
}

impl Openings {
    fn new(story: &Story, random: &mut Random) -> Self {
        let turn = story.occasion.as_ref().and_then(|occasion| occasion.turn);
        let drawn = random.below(1 << 16);
        Self {
            kind: story.kind,
            takes_turns: story.occasion.is_some(),
            offset: turn.unwrap_or(drawn),
            used: Vec::new(),
            rank: random.below(1 << 10),
        }
    }

    fn assign(
        &mut self,
        outlet: &'static OutletProfile,
        first_seen: Timestamp,
        form: Form,
        mistaken: bool,
    ) -> Assignment {
        self.rank += 1;
        let kind = self.kind;
        let none: &'static [String] = &[];
        let (heads, ledes) = if let Form::Copy { .. } = form {
            ([none, none], [none, none])
        } else if let Form::Sequel { chapter } = form {
            kind.next
                .get(chapter)
                .map_or(([none, none], [none, none]), |sequel| {
                    (
                        [sequel.script.head.as_slice(), none],
                        [sequel.script.lede.as_slice(), none],
                    )
                })
        } else if let Some(script) = kind.translation(outlet.language) {
            (
                [script.head.as_slice(), none],
                [script.lede.as_slice(), none],
            )
        } else {
            (
                [kind.head.own(outlet.voice), &kind.head.plain],
                [kind.lede.own(outlet.voice), &kind.lede.plain],
            )
        };
        Assignment {
            outlet,
            first_seen,
            form,
            head: self.first_unused(heads),
            lede: self.first_unused(ledes),
            rank: self.rank,
            mistaken,
        }
    }

    fn first_unused(&mut self, lists: [&'static [String]; 2]) -> &'static str {
        let offset = self.offset;
        let turned = |list: Vec<&'static str>| {
            (0..list.len()).map(move |index| list[(index + offset) % list.len()])
        };
        let [own, plain] = lists.map(|list| list.iter().map(String::as_str).collect::<Vec<_>>());
        let inventory: Vec<&'static str> = if self.takes_turns {
            turned([own, plain].concat()).collect()
        } else {
            turned(own).chain(turned(plain)).collect()
        };
        let first = inventory.first().copied().unwrap_or_default();
        let chosen = inventory
            .into_iter()
            .find(|text| !self.used.contains(text))
            .unwrap_or(first);
        self.used.push(chosen);
        chosen
    }
}

/// The kinds of story for a week, in the order of its days.
fn deal(seed: u64, week: i64) -> Vec<&'static Kind> {
    let world = World::get();
    let mut random = Random::of(&[seed, 2, week as u64]);
    let mut deck: Vec<&'static Kind> = world
        .kinds
        .iter()
        .filter(|kind| !kind.scheduled)
        .flat_map(|kind| std::iter::repeat_n(kind, kind.weekly))
        .collect();
    random.shuffle(&mut deck);
    let mut dealt: Vec<&'static Kind> = Vec::new();
    let mut weekend: Vec<&'static Kind> = Vec::new();
    let weekend_size = STORIES_A_DAY[5] + STORIES_A_DAY[6];
    for kind in deck {
        if weekend.len() < weekend_size && !kind.weekdays {
            weekend.push(kind);
        } else {
            dealt.push(kind);
        }
    }
    dealt.truncate(STORIES_A_DAY[..5].iter().sum());
    dealt.extend(weekend);
    dealt
}

fn choose_outlets(
    kind: &'static Kind,
    world: &'static World,
    random: &mut Random,
) -> Vec<&'static OutletProfile> {
    let wanted = random.range(kind.reach[0], kind.reach[1]) as usize;
    let mut chosen: Vec<&'static OutletProfile> = Vec::new();
    let eligible = |outlet: &&'static OutletProfile| {
        outlet.language == kind.language
            && outlet.interest(&kind.categories) > 0
            && (!kind.rumour || outlet.trust <= TrustLevel::Low)
            && (!kind.sober || matches!(outlet.voice, Voice::Agency | Voice::Trade))
    };
    let mut candidates: Vec<&'static OutletProfile> =
        world.outlets.iter().filter(eligible).collect();
    while chosen.len() < wanted && !candidates.is_empty() {
        let total: u64 = candidates
            .iter()
            .map(|outlet| outlet.interest(&kind.categories))
            .sum();
        let mut lot = random.below(total as usize) as u64;
        let at = candidates.iter().position(|outlet| {
            let weight = outlet.interest(&kind.categories);
            let found = lot < weight;
            lot = lot.saturating_sub(weight);
            found
        });
        chosen.push(candidates.swap_remove(at.unwrap_or(0)));
    }
    // Agencies are usually first with the news.
    if random.chance(0.65) {
        chosen.sort_by_key(|outlet| outlet.voice != Voice::Agency);
    }
    for language in [Language::Fr, Language::De] {
        if kind.translation(language).is_some() && random.chance(0.5) {
            let local: Vec<&'static OutletProfile> = world
                .outlets
                .iter()
                .filter(|outlet| outlet.language == language)
                .collect();
            chosen.extend(random.pick(&local).copied());
        }
    }
    chosen
}

fn least_trusted(outlets: &[&'static OutletProfile]) -> usize {
    let lowest = outlets
        .iter()
        .enumerate()
        .skip(1)
        .min_by_key(|(_, outlet)| outlet.trust);
    lowest.map_or(outlets.len(), |(index, _)| index)
}

/// How long after the first report another outlet runs the story: usually hours, at most two days.
fn spread_ms(random: &mut Random) -> i64 {
    let minutes = match random.below(20) {
        0..=8 => random.range(3, 90),
        9..=16 => random.range(90, 600),
        _ => random.range(600, 2800),
    };
    minutes * Timestamp::MINUTE_MS + random.range(0, 59) * 1000
}
