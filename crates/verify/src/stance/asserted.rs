//! Whether a passage reports that something was done, or only that it is wanted, considered, feared, opposed or still
//! to come; and how old evidence may be for a claim about the present.

use std::sync::LazyLock;

use model::{Day, table};
use text::statement::proposition::{Proposition, Word};

use super::directions;
use super::opposites::are_alike;
use super::reading::Reading;

const CUES: &str = include_str!("../../data/unrealised.tsv");

/// Number of words before and after a verb in which a cue is looked for.
const REACH: usize = 7;
const BEHIND: usize = 6;
/// Days after which news says nothing about today, and about now.
const OF_TODAY: f64 = 3.0;
const OF_NOW: f64 = 31.0;

/// Irregular past forms.
const IRREGULAR: [&str; 92] = [
    "bought",
    "sold",
    "won",
    "lost",
    "fell",
    "rose",
    "grew",
    "cut",
    "hit",
    "left",
    "took",
    "gave",
    "made",
    "found",
    "began",
    "went",
    "held",
    "kept",
    "paid",
    "built",
    "led",
    "met",
    "set",
    "shut",
    "struck",
    "sank",
    "shot",
    "broke",
    "chose",
    "quit",
    "beat",
    "split",
    "spent",
    "sent",
    "became",
    "saw",
    "ran",
    "stole",
    "sued",
    "withdrew",
    "brought",
    "came",
    "drew",
    "drove",
    "fought",
    "got",
    "forgave",
    "knew",
    "laid",
    "lent",
    "overtook",
    "overcame",
    "oversaw",
    "put",
    "rode",
    "sought",
    "shook",
    "slept",
    "stood",
    "stuck",
    "swept",
    "swore",
    "taught",
    "tore",
    "threw",
    "undertook",
    "underwent",
    "upheld",
    "woke",
    "wore",
    "wrote",
    "begun",
    "broken",
    "chosen",
    "driven",
    "fallen",
    "given",
    "gone",
    "grown",
    "risen",
    "seen",
    "shaken",
    "spoke",
    "spoken",
    "stolen",
    "sworn",
    "taken",
    "thrown",
    "torn",
    "withdrawn",
    "worn",
    "written",
];
/// Verbs after which an infinitive reports what is done.
const CARRIED_OUT: [&str; 9] = [
    "agreed",
    "agrees",
    "began",
    "begins",
    "started",
    "continued",
    "continues",
    "managed",
    "forced",
];

/// Forms in `ing` that say how things are; the direction something takes says so too. Others report an act:
/// `is buying`.
const STATES: [&str; 28] = [
    "averaging",
    "carrying",
    "charging",
    "costing",
    "earning",
    "employing",
    "holding",
    "hovering",
    "leading",
    "living",
    "making",
    "missing",
    "owing",
    "owning",
    "paying",
    "polling",
    "producing",
    "pumping",
    "remaining",
    "running",
    "selling",
    "serving",
    "sitting",
    "standing",
    "trading",
    "trailing",
    "working",
    "yielding",
];
/// Words in a claim about what is to come.
const TO_COME: [&str; 14] = [
    "will",
    "shall",
    "would",
    "going",
    "plan",
    "plans",
    "planned",
    "expect",
    "expects",
    "expected",
    "aims",
    "scheduled",
    "due",
    "set",
];

struct Cues {
    before: Vec<Vec<&'static str>>,
    after: Vec<Vec<&'static str>>,
}

static PATTERNS: LazyLock<Cues> = LazyLock::new(|| {
    let of = |kind: &str| {
        table::rows(CUES)
            .filter(|[name, _]| *name == kind)
            .map(|[_, phrase]| phrase.split(' ').collect())
            .collect()
    };
    Cues {
        before: of("before"),
        after: of("after"),
    }
});

impl Reading<'_> {
    /// Whether a passage was published before the time that this claim names, so that it cannot know.
    pub fn is_after(&self, passage: &Reading<'_>) -> bool {
        let (Some(published), [named]) = (passage.published, &self.days.named[..]) else {
            return false;
        };
        let first = named.year.and_then(|year| {
            let (month, day) = (named.month.unwrap_or(1), named.day.unwrap_or(1));
            Day::parse(&format!("{year:04}-{month:02}-{day:02}"))
        });
        first.is_some_and(|first| published < first)
    }

    /// Whether the time that this claim names begins after a day.
    pub fn is_to_come(&self, day: Day) -> bool {
        let [named] = &self.days.named[..] else {
            return false;
        };
        let first = named.year.and_then(|year| {
            let (month, day) = (named.month.unwrap_or(1), named.day.unwrap_or(1));
            Day::parse(&format!("{year:04}-{month:02}-{day:02}"))
        });
        first.is_some_and(|first| first > day)
    }

    /// Whether this claim is about something to come, and a passage gives a different future date from the claim. An
    /// earlier plan does not contradict that something happened.
    pub fn is_planned_otherwise(&self, passage: &Reading<'_>) -> bool {
        let (Some(published), [wanted], Some(claim)) = (
            passage.published,
            &self.days.named[..],
            self.sentences.first(),
        ) else {
            return false;
        };
        let is = |word: &Word<'_>, any: &[&str]| {
            any.iter().any(|one| word.text.eq_ignore_ascii_case(one))
        };
        let is_past = claim
            .words
            .iter()
            .any(|word| !word.is_name && is_past(word.text))
            && !claim.words.iter().any(|word| is(word, &TO_COME));
        !is_past && passage.days.name_another_to_come(*wanted, published)
    }

    /// Whether this claim contains names and a passage mentions none of them. The title of an office is not a name.
    pub fn names_are_untold(&self, passage: &Reading<'_>) -> bool {
        const OFFICES: [&str; 12] = [
            "ceo",
            "cfo",
            "coo",
            "cto",
            "chief",
            "chairman",
            "chair",
            "president",
            "minister",
            "senator",
            "parliament",
            "mr",
        ];
        let mut names = self
            .names
            .names
            .iter()
            .filter(|name| !OFFICES.contains(&name.canonical()))
            .peekable();
        names.peek().is_some() && names.all(|name| !passage.names.tells(name))
    }

    /// Whether this claim names central banks and a passage names only others: what another bank did says nothing about
    /// it.
    pub fn is_of_another_bank(&self, passage: &Reading<'_>) -> bool {
        let (own, others) = (&self.names.banks, &passage.names.banks);
        !own.is_empty() && !others.is_empty() && own.is_disjoint(others)
    }

    /// Whether it matters which of two did it to the other: two people or bodies are named that nothing joins.
    pub fn has_roles(&self) -> bool {
        let actors = self.names.names.iter().filter(|name| name.is_actor());
        let joins = |word: &Word<'_>| word.text.eq_ignore_ascii_case("and") || word.text == "&";
        let mut words = self.sentences.iter().flat_map(|one| &one.words);
        actors.count() >= 2 && !words.any(joins)
    }

    /// Whether a passage may support that what this claim reports is so. It does not if all it says about the claim's
    /// verb is that somebody wants, plans, considers, fears, opposes or denies it. If the claim says no more than that
    /// itself, the passage may support it.
    pub fn may_be_met_by(&self, passage: &Reading<'_>) -> bool {
        let Some(claim) = self.sentences.first() else {
            return true;
        };
        let Some(at) = predicate(claim) else {
            return true;
        };
        let verb = &claim.words[at];
        let (Some(stem), false) = (verb.stem, is_unrealised(claim, at)) else {
            return true;
        };
        let is_going_on = verb.text.ends_with("ing");
        let mut told = false;
        for sentence in &passage.sentences {
            for (place, word) in sentence.words.iter().enumerate() {
                if !word
                    .stem
                    .is_some_and(|other| other == stem || are_alike(stem, other))
                {
                    continue;
                }
                let is_to_come = !is_going_on && is_infinitive(sentence, place);
                if word.is_denied == verb.is_denied
                    && !is_to_come
                    && !is_unrealised(sentence, place)
                {
                    return true;
                }
                told = true;
            }
        }
        // Anything reported in other words is covered by other rules.
        !told
    }

    /// Whether this claim says that something was done, while a passage has its words only where something is planned,
    /// proposed, possible or still to come: `Canada plans to ban the machines`, `Siemens to buy Nordlys`.
    pub fn is_only_planned_in(&self, passage: &Reading<'_>) -> bool {
        let Some(claim) = self.sentences.first() else {
            return false;
        };
        let Some(at) = done(claim).filter(|at| !is_unrealised(claim, *at)) else {
            return false;
        };
        let words: Vec<u32> = claim
            .words
            .iter()
            .enumerate()
            .filter(|(place, word)| *place == at || !word.is_name && !word.is_number)
            .filter_map(|(_, word)| word.stem)
            .collect();
        let mut is_told = false;
        for sentence in &passage.sentences {
            let is_planned = plan(sentence);
            for (place, word) in sentence.words.iter().enumerate() {
                let is_shared = !word.is_name
                    && !word.is_number
                    && word.stem.is_some_and(|stem| {
                        words
                            .iter()
                            .any(|own| *own == stem || are_alike(*own, stem))
                    });
                if !is_shared {
                    continue;
                }
                let is_within = is_planned
                    .is_some_and(|from| place > from && !is_broken(sentence, from, place));
                if !is_within && !is_unrealised(sentence, place) && !is_infinitive(sentence, place)
                {
                    return false;
                }
                is_told = true;
            }
        }
        is_told
    }

    /// How many days old the evidence may be if the claim says how things are now.
    pub fn days_of_now(&self) -> Option<f64> {
        let claim = self.sentences.first()?;
        if !claim.years.is_empty() {
            return None;
        }
        let any = |words: &[&str]| {
            let is = |word: &Word<'_>| words.iter().any(|one| word.text.eq_ignore_ascii_case(one));
            claim.words.iter().any(is)
        };
        let is_of_hours = claim
            .words
            .windows(2)
            .any(|pair| pair[0].text == "24" && pair[1].text.eq_ignore_ascii_case("hours"));
        if any(&["today", "tonight"]) || is_of_hours {
            return Some(OF_TODAY);
        }
        let is_now = any(&["now", "currently", "presently"]);
        let has_figure = !claim.quantities.is_empty() || !claim.numbers.is_empty();
        let is_present = (any(&["stands", "trades", "costs", "remains"]) || is_state(&claim.words))
            && !any(&["was", "were", "had", "did", "since"]);
        (is_now || is_present && has_figure).then_some(OF_NOW)
    }
}

/// Whether words describe a state: `is at 5%`, `is trading at $5`. `Is buying` and `is reportedly talking` report an
/// act, which stays as it was reported.
fn is_state(words: &[Word<'_>]) -> bool {
    let is =
        |word: &Word<'_>, any: &[&str]| any.iter().any(|one| word.text.eq_ignore_ascii_case(one));
    words.iter().enumerate().any(|(at, word)| {
        let next = words[at + 1..]
            .iter()
            .find(|word| !word.text.ends_with("ly") && !is(word, &["also", "still", "not"]));
        let is_act = next.is_some_and(|next| {
            let lower = next.text.to_lowercase();
            lower.ends_with("ing")
                && !next.is_name
                && !STATES.contains(&lower.as_str())
                && directions::sign(&lower) == 0
        });
        is(word, &["is", "are"]) && !is_act
    })
}

/// The verb of a claim that says that something was done: `banned`, `has banned`, `took effect`.
fn done(claim: &Proposition<'_>) -> Option<usize> {
    const REPORTING: [&str; 10] = [
        "said",
        "told",
        "announced",
        "planned",
        "proposed",
        "wanted",
        "considered",
        "threatened",
        "asked",
        "agreed",
    ];
    let at = predicate(claim)?;
    let verb = claim.words[at].text.to_lowercase();
    (is_past(&verb) && !REPORTING.contains(&verb.as_str())).then_some(at)
}

/// Where a sentence begins to say what is only planned: `Siemens to buy`, `is proposing to`, `announced plans to`,
/// `commits 25 billion`.
fn plan(sentence: &Proposition<'_>) -> Option<usize> {
    const PLANNING: [&str; 32] = [
        "plans",
        "plan",
        "planning",
        "planned",
        "proposes",
        "proposing",
        "proposed",
        "proposal",
        "aims",
        "aiming",
        "wants",
        "seeks",
        "seeking",
        "considers",
        "considering",
        "weighs",
        "weighing",
        "intends",
        "hopes",
        "efforts",
        "effort",
        "application",
        "applied",
        "threat",
        "threatens",
        "threatened",
        "suspicions",
        "suspected",
        "investigating",
        "investigates",
        "talks",
        "bid",
    ];
    let words = &sentence.words;
    let is_any = |place: usize, any: &[&str]| {
        words
            .get(place)
            .is_some_and(|word| any.iter().any(|one| word.text.eq_ignore_ascii_case(one)))
    };
    (0..words.len()).find(|place| {
        let is_future = is_any(*place, &["to"])
            && place
                .checked_sub(1)
                .is_some_and(|before| words[before].is_name)
            && words
                .get(place + 1)
                .is_some_and(|next| next.stem.is_some() && !next.is_name && !next.is_number);
        is_future || is_any(*place, &PLANNING)
    })
}

fn is_past(verb: &str) -> bool {
    let lower = verb.to_lowercase();
    lower.len() > 4 && lower.ends_with("ed") || IRREGULAR.contains(&lower.as_str())
}

/// A claim's verb as far as words show it: the first that ends like one, or that comes directly after a name.
fn predicate(claim: &Proposition<'_>) -> Option<usize> {
    (0..claim.words.len()).find(|at| {
        let word = &claim.words[*at];
        if word.stem.is_none() || word.is_name || word.is_number {
            return false;
        }
        let lower = word.text.to_lowercase();
        let is_behind_name = at.checked_sub(1).is_some_and(|before| {
            claim.words[before].is_name && !claim.words[before].text.ends_with(['s', '’', '\''])
        });
        lower.len() > 4 && (lower.ends_with("ed") || lower.ends_with("ing"))
            || IRREGULAR.contains(&lower.as_str())
            || is_behind_name && lower.ends_with('s')
    })
}

/// Whether a cue in the same clause means that what a word says was not carried out.
fn is_unrealised(sentence: &Proposition<'_>, at: usize) -> bool {
    let words = &sentence.words;
    let is = |place: usize, cue: &[&str]| {
        cue.iter().enumerate().all(|(offset, wanted)| {
            words.get(place + offset).is_some_and(|word| {
                // The month.
                let lower = word.text.to_lowercase();
                let is_month = word.text == "May" && place > 0;
                !is_month
                    && match wanted.strip_suffix('*') {
                        Some(stem) => lower.starts_with(stem),
                        None => lower == *wanted,
                    }
            })
        })
    };
    let cues = &*PATTERNS;
    let before = (at.saturating_sub(REACH)..at)
        .filter(|place| !is_broken(sentence, *place, at))
        .any(|place| cues.before.iter().any(|cue| is(place, cue)));
    let after = (at + 1..words.len().min(at + 1 + BEHIND))
        .filter(|place| !is_broken(sentence, at, *place))
        .any(|place| cues.after.iter().any(|cue| is(place, cue)));
    before || after
}

/// `to ban`, but not `agreed to ban`.
fn is_infinitive(sentence: &Proposition<'_>, at: usize) -> bool {
    let word = |back: usize| at.checked_sub(back).map(|place| sentence.words[place].text);
    let is_verb = sentence.words[at].stem.is_some() && !sentence.words[at].text.ends_with("ing");
    is_verb
        && word(1).is_some_and(|to| to.eq_ignore_ascii_case("to"))
        && !word(2).is_some_and(|verb| {
            CARRIED_OUT
                .iter()
                .any(|known| verb.eq_ignore_ascii_case(known))
        })
}

/// Whether a clause ends between two words of a sentence.
pub(super) fn is_broken(sentence: &Proposition<'_>, from: usize, to: usize) -> bool {
    let start = sentence.text.as_ptr() as usize;
    let place = |word: &Word<'_>| (word.text.as_ptr() as usize).saturating_sub(start);
    let (Some(first), Some(second)) = (sentence.words.get(from), sentence.words.get(to)) else {
        return true;
    };
    let range = place(first) + first.text.len()..place(second);
    let is_digit = |at: usize| {
        sentence
            .text
            .as_bytes()
            .get(at)
            .is_some_and(u8::is_ascii_digit)
    };
    // Not the one in `5,000` and in `10:30`.
    let is_in_number = |at: usize| at.checked_sub(1).is_some_and(is_digit) && is_digit(at + 1);
    sentence.text.get(range.clone()).is_some_and(|between| {
        let mut marks = between.match_indices([',', ';', ':', '—', '–']);
        marks.any(|(at, _)| !is_in_number(range.start + at))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meets(claim: &str, passage: &str) -> bool {
        Reading::of_claim(claim).may_be_met_by(&Reading::of_sentences([passage], None))
    }

    #[test]
    fn the_table_is_sound() {
        assert_eq!(table::fault(CUES, 2, 2), None);
    }

    #[test]
    fn what_is_wanted_or_opposed_is_not_done() {
        let claim = "The US banned Russian oil";
        for passage in [
            "With the US pushing for a ban on Russian oil, prices soared.",
            "The White House is opposed to a ban on Russian oil.",
            "Washington considers banning Russian oil.",
            "The US may ban Russian oil this week.",
            "US plans to ban Russian oil",
            "US to ban Russian oil",
            "A ban on Russian oil was proposed in Congress.",
            "The US has not banned Russian oil.",
            "Lawmakers called for a ban of Russian oil.",
        ] {
            assert!(!meets(claim, passage), "{passage}");
        }
        for passage in [
            "As US bans Russian energy imports, drivers pay more.",
            "Biden on Tuesday banned imports of Russian oil.",
            "Although Germany opposed it, the US banned Russian oil.",
            "The ban on Russian oil took effect on Friday.",
            // It says nothing about the verb.
            "Ukraine accounts for 12% of the world's wheat exports.",
        ] {
            assert!(meets(claim, passage), "{passage}");
        }
    }

    #[test]
    fn a_claim_of_a_plan_is_met_by_a_plan() {
        for (claim, passage) in [
            (
                "The US plans to ban Russian oil",
                "The US plans to ban Russian oil.",
            ),
            (
                "Germany opposed a ban of Russian oil",
                "Germany opposed a ban of Russian oil.",
            ),
            (
                "Northwind is buying Velden",
                "Northwind to buy Velden for $2 billion",
            ),
            (
                "Northwind agreed to buy Velden",
                "Northwind agreed to buy Velden.",
            ),
            ("The US may ban Russian oil", "The US may ban Russian oil."),
        ] {
            assert!(meets(claim, passage), "{claim}: {passage}");
        }
        assert!(!meets(
            "Northwind bought Velden",
            "Northwind wants to buy Velden"
        ));
    }

    #[test]
    fn what_another_central_bank_did_is_no_evidence() {
        let is_barred = |claim: &str, passage: &str| {
            Reading::of_claim(claim).is_of_another_bank(&Reading::of_sentences([passage], None))
        };
        for (claim, passage) in [
            (
                "the Fed cut rates in September",
                "The Riksbank cut its policy rate in September.",
            ),
            (
                "The ECB raised rates to 3%",
                "The Bank of England raised Bank Rate to 3%.",
            ),
            (
                "The Bank of Japan held rates",
                "Norway's central bank held its key rate.",
            ),
            (
                "The Fed cut rates",
                "Policymakers in Ottawa cut the policy rate.",
            ),
        ] {
            assert!(is_barred(claim, passage), "{claim}: {passage}");
        }
        for (claim, passage) in [
            ("The Fed cut rates", "The Fed cut rates, unlike the ECB."),
            ("The Fed cut rates", "The FOMC lowered the target range."),
            (
                "The Fed cut rates",
                "US borrowing costs fell by a quarter of a point.",
            ),
            (
                "The ECB raised rates to 3%",
                "Rate-setters in Frankfurt raised the policy rate to 3.00%.",
            ),
            (
                "Rates fell in September",
                "The Riksbank cut its policy rate in September.",
            ),
        ] {
            assert!(!is_barred(claim, passage), "{claim}: {passage}");
        }
    }

    #[test]
    fn what_is_only_planned_was_not_done() {
        for (claim, passage, expected) in [
            (
                "Canada has outlawed crypto ATMs.",
                "Canada announced plans to ban crypto ATMs.",
                true,
            ),
            (
                "The SEC has abolished quarterly reports for public companies.",
                "The SEC is proposing to change its rules so that public companies report twice a year.",
                true,
            ),
            (
                "Canada has outlawed crypto ATMs.",
                "Crypto ATMs are now illegal in Canada.",
                false,
            ),
            (
                "Canada plans to outlaw crypto ATMs.",
                "Canada announced plans to ban crypto ATMs.",
                false,
            ),
            (
                "Chevron restarted production at Wheatstone.",
                "Chevron has restarted production at Wheatstone.",
                false,
            ),
        ] {
            let passage = Reading::of_passage(passage, "", None);
            let found = Reading::of_claim(claim).is_only_planned_in(&passage);
            assert_eq!(found, expected, "{claim}");
        }
    }

    #[test]
    fn what_is_still_to_come_is_known_from_before() {
        let day = |text: &str| Day::parse(text).unwrap();
        let claim = Reading::of_claim("The company will launch two satellites in 2027.");
        assert!(claim.is_to_come(day("2026-05-10")));
        assert!(!claim.is_to_come(day("2027-02-01")));
        assert!(!Reading::of_claim("It rose.").is_to_come(day("2026-05-10")));
    }

    #[test]
    fn what_is_said_of_now_is_known() {
        let days = |text: &str| Reading::of_claim(text).days_of_now();
        assert_eq!(days("The market is closed today"), Some(OF_TODAY));
        assert_eq!(days("Mortgage rates are above 7%"), Some(OF_NOW));
        assert_eq!(days("Northwind is now led by Ada Hale"), Some(OF_NOW));
        assert_eq!(days("Mortgage rates were above 7% in 2022"), None);
        assert_eq!(days("Paris is the capital of France"), None);
        assert_eq!(days("Northwind bought Velden"), None);
        assert_eq!(days("Northwind is buying Velden for $2 billion"), None);
        assert_eq!(days("Northwind is reportedly buying 3 mines"), None);
        assert_eq!(days("Northwind is also buying 3 mines"), None);
        for state in [
            "Northwind shares are now trading at $20",
            "Northwind is trading at $20",
            "Inflation is running at 9%",
            "Unemployment is falling to 4%",
            "Hale is leading Moss by 5 points",
            "The largest plane maker is Boeing, with 40% of the market",
        ] {
            assert_eq!(days(state), Some(OF_NOW), "{state}");
        }
    }
}
