//! Topic words: phrases that indicate the category, short names of the entities that the text is about, and phrases
//! shared by headline and body.

use std::sync::LazyLock;

use model::{Category, EntityKind, EntityMention, EntityRole, table};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::annotate::lexed::{Lexed, extend, gap, lower_hash, shape};
use crate::{category, entities, token};

/// Maximum number of tags for one text.
const MOST: usize = 8;

/// Lower-case topic words, most distinctive first, at most eight.
pub fn tags(
    title: &str,
    body: &str,
    entities: &[EntityMention],
    category: Category,
) -> Vec<String> {
    let lexed = Lexed::new(title, body);
    choose(&lexed, entities, &category::topics(&lexed, category))
}

/// The topic words of a text that is already split into words.
pub(crate) fn choose(
    lexed: &Lexed<'_>,
    mentions: &[EntityMention],
    topics: &[category::Topic],
) -> Vec<String> {
    let mut tags: Vec<String> = Vec::with_capacity(MOST);
    for mention in mentions
        .iter()
        .filter(|mention| mention.role == EntityRole::Subject && !entities::is_media(&mention.name))
        .take(3)
    {
        push(&mut tags, name_tag(mention));
    }
    let topics: Vec<String> = topics
        .iter()
        .filter(|topic| {
            let words = &lexed.tokens[topic.start..topic.end];
            // `Democrats` is covered by `democratic party`, `Liban` by `lebanon`.
            let named = entities::canonical_name(words)
                .is_some_and(|name| mentions.iter().any(|mention| mention.name == name));
            !named
                && (words.len() > 1
                    || !TOO_GENERAL
                        .split_whitespace()
                        .any(|word| word.eq_ignore_ascii_case(words[0].text)))
        })
        .map(|topic| lexed.written(topic.start, topic.end).to_lowercase())
        .collect();
    for topic in topics.iter().take(3) {
        push(&mut tags, topic.clone());
    }
    for phrase in shared_phrases(lexed).into_iter().take(3) {
        push(&mut tags, phrase);
    }
    for mention in mentions
        .iter()
        .filter(|mention| {
            mention.role == EntityRole::Related
                && mention.mentions >= 2
                && !entities::is_media(&mention.name)
        })
        .take(3)
    {
        push(&mut tags, name_tag(mention));
    }
    for topic in topics.into_iter().skip(3).take(2) {
        push(&mut tags, topic);
    }
    tags
}

fn name_tag(mention: &EntityMention) -> String {
    let short = entities::short_name(mention);
    // `WHO` in lower case is a different word.
    let short = if token::is_stop_word(&short.to_lowercase()) {
        mention.name.as_str()
    } else {
        short
    };
    let short = short.strip_prefix("The ").unwrap_or(short);
    // `Washington, D.C.` goes by `washington`.
    let short = if mention.kind == EntityKind::Location {
        short.split(',').next().unwrap_or(short)
    } else {
        short
    };
    if mention.kind == EntityKind::Organization {
        short.trim_end_matches(" Inc").to_lowercase()
    } else {
        short.to_lowercase()
    }
}

/// Adds a tag unless the tag, or a longer form of it, is already there.
fn push(tags: &mut Vec<String>, tag: String) {
    let tag = tag.trim().trim_matches('.').to_owned();
    let known = tags.iter().any(|known| {
        *known == tag || contains_words(known, &tag) || singular(known) == singular(&tag)
    });
    if tags.len() < MOST && !known && (2..=40).contains(&tag.chars().count()) {
        tags.retain(|shorter| !contains_words(&tag, shorter));
        tags.push(tag);
    }
}

fn singular(tag: &str) -> &str {
    tag.strip_suffix('s').unwrap_or(tag)
}

fn contains_words(long: &str, short: &str) -> bool {
    long.len() > short.len() && format!(" {long} ").contains(&format!(" {short} "))
}

/// Phrases of two or three plain words that occur at least twice, in both headline and body, or often in the body.
fn shared_phrases(lexed: &Lexed<'_>) -> Vec<String> {
    let mut counts: FxHashMap<u64, Phrase> = FxHashMap::default();
    let plain: Vec<bool> = lexed
        .tokens
        .iter()
        .map(|token| {
            token.text.len() > 2
                && !token.is(shape::NUMBER)
                && token
                    .text
                    .chars()
                    .all(|letter| letter.is_alphabetic() && letter < '\u{250}')
                && !FILLERS.contains(&token.lower)
        })
        .collect();
    for (number, sentence) in lexed.sentences.iter().enumerate().take(60) {
        for at in sentence.start..sentence.end {
            // `yield savings` from `high-yield savings` is not a phrase.
            if at > sentence.start && lexed.tokens[at].after(gap::HYPHEN) {
                continue;
            }
            let mut key = 0;
            for length in 1..=3 {
                let last = at + length - 1;
                if last >= sentence.end
                    || !plain[last]
                    || (length > 1 && lexed.tokens[last].after(gap::BREAK))
                {
                    break;
                }
                key = extend(key, lexed.tokens[last].lower);
                let is_cut = last + 1 < sentence.end && lexed.tokens[last + 1].after(gap::HYPHEN);
                if length == 1 || is_cut {
                    continue;
                }
                let phrase = counts.entry(key).or_insert(Phrase {
                    times: 0,
                    in_title: false,
                    in_lower_case: false,
                    at,
                    length,
                });
                phrase.times += 1;
                phrase.in_title |= number == 0;
                phrase.in_lower_case |= lexed.tokens[at..=last]
                    .iter()
                    .all(|word| !word.is(shape::CAPITAL));
            }
        }
    }
    // A phrase that is always capitalised is a name, and names come from the entities.
    let mut ranked: Vec<Phrase> = counts
        .into_values()
        .filter(|phrase| {
            phrase.in_lower_case && phrase.times >= if phrase.in_title { 2 } else { 3 }
        })
        .collect();
    ranked.sort_by_key(|phrase| {
        (
            std::cmp::Reverse(
                phrase.times * 2 + u32::from(phrase.in_title) * 4 + phrase.length as u32,
            ),
            phrase.at,
        )
    });
    let mut chosen: Vec<String> = Vec::new();
    for phrase in ranked {
        let words: Vec<String> = lexed.tokens[phrase.at..phrase.at + phrase.length]
            .iter()
            .map(|word| word.text.to_lowercase())
            .collect();
        if !chosen.iter().any(|known| {
            known
                .split([' ', '-'])
                .any(|word| words.iter().any(|other| other == word))
        }) {
            let written = lexed.written(phrase.at, phrase.at + phrase.length);
            chosen.push(written.to_lowercase());
        }
        if chosen.len() == 3 {
            break;
        }
    }
    chosen
}

#[derive(Clone, Copy, Debug)]
struct Phrase {
    times: u32,
    in_title: bool,
    in_lower_case: bool,
    at: usize,
    length: usize,
}

static FILLERS: LazyLock<FxHashSet<u64>> = LazyLock::new(|| {
    let stop_words = table::lines(include_str!("../data/english_stop_words.txt"));
    stop_words
        .chain(std::iter::once(FILLER))
        .flat_map(str::split_whitespace)
        .map(lower_hash)
        .collect()
});

/// Words that indicate a category but are too general for a topic.
const TOO_GENERAL: &str = "company companies corporate acquire acquires brand brands supplier suppliers manufacturer factory director actor actress minister \
    lawmaker lawmakers campaign policy policies vote voters investors investor analysts shares stocks stock movie movies film films song \
    songs book books author artist artists singer comedy trailer premiere finale coach tournament medal athletes athlete patients patient \
    doctors doctor diagnostics hospital hospitals symptoms software developer developers startup startups device processor barrel barrels \
    imports exports economist economists economy scientists researchers chairman ceo earnings revenue union wedding restaurant chef \
    recipe recipes television concert album judge governor presidential conflict war military election elections world international \
    crypto diplomatic geopolitical primary cabinet episode sequel festival celebrity fashion exhibition novel utility drilling pollution \
    disease diseases infection infections quarantine medicine medicines cases vulnerability password passwords hack exploit gouvernement \
    republican republicans democrat democrats victims ministre loi guerre armée entreprise entreprises";

/// Words that never open or close a topic.
const FILLER: &str = "said says say told according today yesterday tomorrow monday tuesday wednesday thursday friday saturday sunday \
    january february march april may june july august september october november december year years month months week weeks day \
    days time times new news latest live update updates breaking watch video photo photos report reports read more click here \
    people man woman first last next also just like make makes made get gets got going goes went come comes came take takes took \
    give gives want wants need needs know think look looks see seen show shows way ways thing things lot many much one two three \
    four five six seven eight nine ten million billion trillion percent per cent the a an and or but if of to in on at by for from \
    with as is are was were be been being has have had do does did will would could should can may might must not no nor so than \
    then that this these those there their they them he she it its his her hers our ours your yours we you i me my us who whom whose \
    which what when where why how all any both each few other others some such only own same too very about after again against \
    before between during into through over under up down out off above below because while until since amid still yet even ever \
    never now part set top big best good great high low old long full back still around among despite per via le la les un une des \
    du de et en au aux ce cette ces il elle ils elles que qui dans sur pour par avec sans sous plus est sont der die das den dem ein \
    eine und oder ist sind mit von für auf el los las del una por con para";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_topics_not_junk() {
        let title = "Apple cuts iPhone production as chip shortage bites";
        let body = "Apple said on Monday that the chip shortage would last. The chip shortage has hit smartphone makers, analysts said today.";
        let found = tags(title, body, &entities::find(title, body), Category::Tech);
        assert!(
            found.iter().any(|tag| tag == "apple")
                && found.iter().any(|tag| tag == "chip shortage"),
            "{found:?}"
        );
        assert!(found.len() <= MOST);
        for tag in &found {
            assert_eq!(*tag, tag.to_lowercase());
            assert!(
                !["said", "today", "monday"].contains(&tag.as_str()),
                "{found:?}"
            );
        }
    }

    #[test]
    fn a_phrase_is_not_cut_at_a_hyphen() {
        let title = "High-yield savings accounts pay more";
        let body = "Rates of high-yield savings accounts rose. The oil-price shock and the oil-price rise hurt savers.";
        assert_eq!(
            tags(title, body, &[], Category::Markets),
            ["savings accounts"]
        );

        let title = "Crypto-backed mortgage sales rise";
        let body = "Banks sell the crypto-backed mortgage again. A rising coin-price shock and a rising coin-price fall hurt a crypto-backed mortgage.";
        let found = tags(title, body, &[], Category::Markets);
        assert!(
            found.iter().any(|tag| tag == "crypto-backed mortgage"),
            "{found:?}"
        );
        for cut in ["backed mortgage", "rising coin"] {
            assert!(found.iter().all(|tag| tag != cut), "{found:?}");
        }
    }

    #[test]
    fn an_empty_text_has_no_tags() {
        assert!(tags("", "", &[], Category::World).is_empty());
    }
}
