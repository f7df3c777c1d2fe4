//! In which language articles are written.
//!
//! The label is the language column of a set of news where it has one, else the language of the outlet where that writes
//! in one only (`data/outlet_languages.tsv`, our own list), and for the items of feeds the language that the feed declares
//! of itself, which some do wrongly. Languages are compared by their codes of three letters, in which the detector
//! of the baseline answers.

use std::collections::BTreeMap;

use providers::feeds::FetchFeed;
use providers::{Call, HttpBody};
use serde_json::Value;

use crate::data::{self, Data};
use crate::news;
use crate::score::Tally;
use crate::seen;
use crate::table::{Table, figure};

const OUTLET_LANGUAGES: &str = include_str!("../../data/outlet_languages.tsv");

/// Where feeds of the data count as coming from.
const ADDRESS: &str = "https://feeds.example/feed.xml";
/// The answer of a method that gives none.
const UNDECIDED: &str = "und";
/// Fewest items for a row of a language's own.
const FEW: f64 = 10.0;

/// The codes of ISO 639-1 and 639-3 of the languages that either method or a feed may name.
const CODES: [(&str, &str); 60] = [
    ("af", "afr"),
    ("am", "amh"),
    ("ar", "ara"),
    ("az", "aze"),
    ("be", "bel"),
    ("bg", "bul"),
    ("bn", "ben"),
    ("ca", "cat"),
    ("cs", "ces"),
    ("da", "dan"),
    ("de", "deu"),
    ("el", "ell"),
    ("en", "eng"),
    ("eo", "epo"),
    ("es", "spa"),
    ("et", "est"),
    ("fa", "pes"),
    ("fi", "fin"),
    ("fr", "fra"),
    ("gu", "guj"),
    ("he", "heb"),
    ("hi", "hin"),
    ("hr", "hrv"),
    ("hu", "hun"),
    ("hy", "hye"),
    ("id", "ind"),
    ("it", "ita"),
    ("ja", "jpn"),
    ("ka", "kat"),
    ("kn", "kan"),
    ("ko", "kor"),
    ("la", "lat"),
    ("lt", "lit"),
    ("lv", "lav"),
    ("mk", "mkd"),
    ("ml", "mal"),
    ("mr", "mar"),
    ("nl", "nld"),
    ("no", "nob"),
    ("nb", "nob"),
    ("pa", "pan"),
    ("pl", "pol"),
    ("pt", "por"),
    ("ro", "ron"),
    ("ru", "rus"),
    ("sk", "slk"),
    ("sl", "slv"),
    ("sr", "srp"),
    ("sv", "swe"),
    ("ta", "tam"),
    ("te", "tel"),
    ("th", "tha"),
    ("tl", "tgl"),
    ("tr", "tur"),
    ("uk", "ukr"),
    ("ur", "urd"),
    ("vi", "vie"),
    ("yi", "yid"),
    ("zh", "cmn"),
    ("zu", "zul"),
];

/// A headline with its language, and the language that reading the whole article gave.
struct Labelled {
    headline: String,
    whole: String,
    language: &'static str,
}

impl Labelled {
    fn new(read: news::Read, language: &'static str) -> Self {
        Self {
            headline: read.article.title,
            whole: read.annotations.language,
            language,
        }
    }
}

pub(crate) fn run(data: &Data) -> anyhow::Result<Vec<Table>> {
    let mut table = Table::new(
        "Language of articles",
        &[
            "set",
            "languages",
            "method",
            "seen",
            "articles",
            "accuracy",
            "undecided",
            "macro-F1",
        ],
    );
    let mut by_language = Table::new(
        "F1 of each language, headlines of all sets",
        &["language", "headlines", "Assay", "`whatlang` alone"],
    );
    let (mut all, mut all_by_letters) = (Tally::default(), Tally::default());
    for (set, seen, labelled) in sets(data)? {
        let mut tallies: [Tally; 3] = std::array::from_fn(|_| Tally::default());
        for Labelled {
            headline,
            whole,
            language,
        } in &labelled
        {
            let ours = long_code(text::language::detect(headline));
            let letters = whatlang::detect_lang(headline).map(|found| found.code());
            for (tally, found) in tallies.iter_mut().zip([ours, long_code(whole), letters]) {
                tally.note(language, found.unwrap_or(UNDECIDED));
            }
            all.note(language, ours.unwrap_or(UNDECIDED));
            all_by_letters.note(language, letters.unwrap_or(UNDECIDED));
        }
        let [ours, whole, letters] = tallies;
        let majority = ours.majority();
        let languages = ours.classes().len();
        for (method, seen, tally) in [
            ("Assay, headline alone", seen, &ours),
            ("Assay, with teaser and text", seen, &whole),
            ("`whatlang`, headline alone", seen::NO_RULES, &letters),
            ("majority class", seen::NO_RULES, &majority),
        ] {
            // One language alone has no other to be taken for, and its majority is all of it.
            let alone = languages < 2;
            if alone && method == "majority class" {
                continue;
            }
            table.row([
                set.clone(),
                languages.to_string(),
                method.to_owned(),
                seen.to_owned(),
                tally.total().to_string(),
                figure(tally.accuracy()),
                figure(tally.share_found(UNDECIDED)),
                if alone {
                    "–".to_owned()
                } else {
                    figure(tally.macro_f1())
                },
            ]);
        }
    }
    if table.is_empty() {
        return Ok(Vec::new());
    }
    for (language, count) in all.classes() {
        if count >= FEW {
            by_language.row([
                language.to_owned(),
                count.to_string(),
                figure(all.f1(language)),
                figure(all_by_letters.f1(language)),
            ]);
        }
    }
    table.note(
        "The language is that of the set's column or of an outlet that writes in one only, and for items of feeds the one that the \
         feed declares, right or wrong.",
    );
    by_language.note(format!("Languages of {FEW} headlines and more."));
    Ok(vec![table, by_language])
}

/// The labelled articles of each set of news with its mark, and those of all feeds.
fn sets(data: &Data) -> anyhow::Result<Vec<(String, &'static str, Vec<Labelled>)>> {
    let outlets = outlets();
    let mut sets = Vec::new();
    for set in data.sets(&data::OUTLETS) {
        let rows: Vec<Value> = set.rows()?;
        let labelled = rows.iter().filter_map(|row| of_news(row, &outlets));
        let labelled: Vec<Labelled> = labelled.collect();
        if !labelled.is_empty() {
            let seen = seen::mark("language", seen::items(&rows));
            sets.push((set.name, seen, labelled));
        }
    }
    let of_feeds = of_feeds(data)?;
    if of_feeds.is_empty() {
        data.note_absent("feeds that declare their language (`wire/feeds/*/*`)");
    } else {
        let headlines = of_feeds.iter().map(|labelled| &labelled.headline);
        let seen = seen::mark("language", headlines);
        sets.push(("items of feeds".to_owned(), seen, of_feeds));
    }
    Ok(sets)
}

/// Outlets that write in one language, by their names in lower case.
fn outlets() -> BTreeMap<String, &'static str> {
    OUTLET_LANGUAGES
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| {
            let (language, name) = line.split_once('\t')?;
            Some((name.to_lowercase(), long_code(language)?))
        })
        .collect()
}

fn of_news(row: &Value, outlets: &BTreeMap<String, &'static str>) -> Option<Labelled> {
    let language = match row["lang"].as_str().or(row["language"].as_str()) {
        Some(code) => long_code(code)?,
        None => outlets.get(&row["outlet"].as_str()?.to_lowercase())?,
    };
    Some(Labelled::new(news::annotate(&news::raw(row))?, language))
}

/// The items of the feeds that declare a language.
fn of_feeds(data: &Data) -> anyhow::Result<Vec<Labelled>> {
    let mut labelled = BTreeMap::new();
    for folder in data.entries("wire/feeds") {
        let Ok(files) = std::fs::read_dir(&folder) else {
            continue;
        };
        for file in files {
            let body = HttpBody::new(ADDRESS, std::fs::read(file?.path())?);
            let feed = FetchFeed::new(ADDRESS).parse(&body);
            for item in feed.into_iter().flat_map(|feed| feed.items) {
                if let Some(language) = item.language.as_deref().and_then(long_code)
                    && let Some(read) = news::annotate(&item)
                {
                    let key = (item.url, read.article.title.clone());
                    labelled.insert(key, Labelled::new(read, language));
                }
            }
        }
    }
    Ok(labelled.into_values().collect())
}

/// The code of three letters of a language tag such as `de-AT`.
fn long_code(tag: &str) -> Option<&'static str> {
    let primary = tag.trim().split(['-', '_']).next()?.to_lowercase();
    CODES
        .iter()
        .find(|(short, long)| *short == primary || *long == primary)
        .map(|(_, long)| *long)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_outlets_have_a_language() {
        assert_eq!(long_code("de-AT"), Some("deu"));
        assert_eq!(long_code("en_US"), Some("eng"));
        assert_eq!(long_code("klingon"), None);
        let outlets = outlets();
        assert_eq!(outlets.get("le figaro"), Some(&"fra"));
        let lines = OUTLET_LANGUAGES
            .lines()
            .filter(|line| !line.starts_with('#'));
        assert_eq!(outlets.len(), lines.count());
    }
}
