//! Whether syndicated copies are distinguished from independent texts: copies are made by editing real texts, and the
//! labelled sets give texts of one event that are no copies.

mod editor;

use text::features::features;
use text::stories::{Compared, StoryIndex};

use crate::articles::{self, Labelled};
use crate::data::Data;
use crate::random::Random;
use crate::score::{Hits, interval};
use crate::table::{Table, figure};
use editor::{BODY_EDITS, Edit, HEADLINE_EDITS};

/// Recall for each way of editing, and precision against other texts of the same event.
pub(crate) fn run(data: &Data) -> anyhow::Result<Vec<Table>> {
    let sets = articles::labelled(data, "copies")?;
    if sets.is_empty() {
        return Ok(Vec::new());
    }
    let mut table = Table::new(
        "Near-duplicates made by editing, and texts of one event that are none",
        &["texts", "how", "seen", "pairs", "found"],
    );
    let mut all = Hits::default();
    for set in &sets {
        let headlines_only = set.articles.iter().all(|article| article.body.is_empty());
        let edits: &[(&str, Edit)] = if headlines_only {
            HEADLINE_EDITS
        } else {
            BODY_EDITS
        };
        for (name, edit) in edits {
            let (found, count) = recall(&set.articles, *edit);
            all.right += found;
            all.missed += count - found;
            table.row([
                set.name.clone(),
                (*name).to_owned(),
                set.seen.to_owned(),
                format!("{count}"),
                figure(found / count.max(1.0)),
            ]);
        }
        let (wrong, count) = false_alarms(&set.articles);
        all.wrong += wrong;
        table.row([
            set.name.clone(),
            "no edit: other texts of the same event".to_owned(),
            set.seen.to_owned(),
            format!("{count}"),
            format!("{wrong} called copies"),
        ]);
    }
    let (low, high) = interval(all.right, all.right + all.missed);
    let (least, most) = interval(all.right, all.right + all.wrong);
    table.note(format!(
        "Recall {} ({low:.3}–{high:.3}), precision {} ({least:.3}–{most:.3}): each edited text among all the texts of its set \
         but its own other edits. A found copy of another text than the edited one counts as missed.",
        figure(all.recall()),
        figure(all.precision()),
    ));
    Ok(vec![table])
}

/// Texts with enough words to be copied at all.
fn copyable(articles: &[Labelled]) -> Vec<&Labelled> {
    articles
        .iter()
        .filter(|article| {
            let body = text::token::words(&article.body).count();
            let title = text::token::words(&article.title).count();
            if article.body.is_empty() {
                title >= 6
            } else {
                body >= 60 && title > 0
            }
        })
        .collect()
}

/// How many edited copies are found, and how many there are.
fn recall(articles: &[Labelled], edit: Edit) -> (f64, f64) {
    let mut index = StoryIndex::new();
    for (number, article) in articles.iter().enumerate() {
        index.insert(number as u64, number as u64, article.compared());
    }
    let mut random = Random::seeded(1);
    let (mut found, mut count) = (0.0, 0.0);
    for original in copyable(articles) {
        let (title, body) = edit(&original.title, &original.body, &mut random);
        let entities = text::entities::find(&title, &body);
        let copy = features(&title, "", &body, &entities);
        let time = original.time.map(|time| time.plus_ms(3_600_000));
        count += 1.0;
        let placement = index.place(Compared {
            features: &copy,
            domain: "",
            time,
        });
        let same = placement.copy_of.is_some_and(|number| {
            let named = &articles[number as usize];
            // The labelled sets hold copies themselves; the earliest of them is as good an original.
            named.title == original.title || named.story == original.story
        });
        found += f64::from(u8::from(same));
    }
    (found, count)
}

/// How many texts are called copies of another text of the set with which they share less than half of their wording,
/// and how many were asked about.
fn false_alarms(articles: &[Labelled]) -> (f64, f64) {
    let texts = copyable(articles);
    let wordings: Vec<Vec<u64>> = texts.iter().map(|text| editor::wording(text)).collect();
    let (mut wrong, mut count) = (0.0, 0.0);
    for (number, text) in texts.iter().enumerate() {
        let mut index = StoryIndex::new();
        let mut others = 0;
        for (other, candidate) in texts.iter().enumerate() {
            if other == number || candidate.story != text.story {
                continue;
            }
            if editor::shared(&wordings[number], &wordings[other]) >= 0.4 {
                // A real copy or a revision: there is no label that says which.
                continue;
            }
            index.insert(other as u64, other as u64, candidate.compared());
            others += 1;
        }
        if others == 0 {
            continue;
        }
        count += 1.0;
        let called = index.place(text.compared()).copy_of.is_some();
        wrong += f64::from(u8::from(called));
    }
    (wrong, count)
}
