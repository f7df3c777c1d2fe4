//! Placing articles one after the other, as the story writer of the service does, without a store.

use std::collections::HashMap;

use model::Timestamp;
use text::stories::{Compared, StoryIndex, Tuning};

/// As in the service.
const LARGEST_STORY: usize = 200;

/// Where an article is in the end: its story is the number of the article that founded it, or another one where it was divided from that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    pub(crate) story: usize,
    pub(crate) copy_of: Option<usize>,
}

/// The placements of articles in their order.
pub(crate) fn place<'a>(
    articles: impl Iterator<Item = Compared<'a>>,
    tuning: &Tuning,
) -> Vec<Placed> {
    let mut index = StoryIndex::tuned(tuning.clone());
    let mut began: HashMap<u64, Timestamp> = HashMap::new();
    let mut placed: Vec<Placed> = Vec::new();
    let mut read: Vec<Compared<'a>> = Vec::new();
    let mut members: HashMap<u64, Vec<usize>> = HashMap::new();
    for (number, article) in articles.enumerate() {
        let placement = index.place(article);
        let since = placement.story.and_then(|story| began.get(&story).copied());
        let placement = placement.for_story_since(since, article.time);
        let mut story = placement.story.unwrap_or(number as u64);
        let copy_of = placement.copy_of.map(|original| original as usize);
        read.push(article);
        placed.push(Placed {
            story: story as usize,
            copy_of,
        });
        let mut moved = Vec::new();
        if placement.is_doubtful {
            let mut together = members.get(&story).cloned().unwrap_or_default();
            together.push(number);
            moved = divided(&index, &together, &read, &placed);
        }
        if moved == [number] {
            story = number as u64;
        } else if !moved.is_empty() {
            // No article has this number.
            let other = u64::MAX - number as u64;
            if let Some(stay) = members.get_mut(&story) {
                stay.retain(|member| !moved.contains(member));
            }
            for member in moved.iter().filter(|member| **member != number) {
                index.reassign(*member as u64, read[*member].time, other);
                placed[*member].story = other as usize;
                members.entry(other).or_default().push(*member);
            }
            for of in [story, other] {
                let all = members.get(&of).into_iter().flatten();
                let first = all.filter_map(|one| read[*one].time).min();
                began.extend(first.map(|time| (of, time)));
            }
            if moved.contains(&number) {
                story = other;
            }
        }
        let rival = placement.rival.filter(|rival| {
            let began = began.get(&rival.story).copied();
            moved.is_empty() && rival.takes_since(began, article.time)
        });
        if let Some(rival) = rival
            && let Some((stays, goes)) =
                merged(&index, (story, rival.story), number, &read, &members)
        {
            for member in members.remove(&goes).unwrap_or_default() {
                index.reassign(member as u64, read[member].time, stays);
                placed[member].story = stays as usize;
                members.entry(stays).or_default().push(member);
            }
            if let Some(all) = members.get_mut(&stays) {
                all.sort_unstable();
            }
            if let Some(time) = began.remove(&goes) {
                let first = began.entry(stays).or_insert(time);
                *first = time.min(*first);
            }
            story = stays;
        }
        if let Some(time) = article.time {
            let first = began.entry(story).or_insert(time);
            *first = time.min(*first);
        }
        placed[number].story = story as usize;
        members.entry(story).or_default().push(number);
        index.insert(number as u64, story, article);
    }
    placed
}

/// Which of two stories takes in the other, which comes second, because both tell one event, as the article `newest` shows, which joins the first.
fn merged(
    index: &StoryIndex,
    (story, rival): (u64, u64),
    newest: usize,
    read: &[Compared<'_>],
    members: &HashMap<u64, Vec<usize>>,
) -> Option<(u64, u64)> {
    let (mut own, other) = (members.get(&story)?.clone(), members.get(&rival)?);
    own.push(newest);
    if own.len() + other.len() > LARGEST_STORY {
        return None;
    }
    let compared =
        |places: &[usize]| -> Vec<Compared<'_>> { places.iter().map(|one| read[*one]).collect() };
    if !index.are_one(&compared(&own), &compared(other)) {
        return None;
    }
    // The larger one stays; of two of one size, the one that began first.
    let by_size = own.len().cmp(&other.len());
    let own_stays = by_size
        .then_with(|| other.first().cmp(&own.first()))
        .is_ge();
    Some(if own_stays {
        (story, rival)
    } else {
        (rival, story)
    })
}

/// Which of the articles of a story leave it.
fn divided(
    index: &StoryIndex,
    together: &[usize],
    read: &[Compared<'_>],
    placed: &[Placed],
) -> Vec<usize> {
    let compared: Vec<Compared<'_>> = together.iter().map(|one| read[*one]).collect();
    let place_of = |one: usize| together.iter().position(|member| *member == one);
    let copies: Vec<(usize, usize)> = together
        .iter()
        .filter_map(|one| Some((place_of(placed[*one].copy_of?)?, place_of(*one)?)))
        .collect();
    let leaving = index.divide(&compared, &copies).unwrap_or_default();
    leaving.into_iter().map(|place| together[place]).collect()
}
