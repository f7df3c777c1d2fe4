//! Counts, filters, orders and points in time against a scan of all briefs.

use std::fmt;

use model::{Brief, Category, Score, Timestamp};
use search::{Depth, Filters, Index, RevisionDocument, SearchPage, SearchRequest, Sort};

use crate::sample::{Random, START, at, brief, source};

const WORDS: [&str; 10] = [
    "oil",
    "crude",
    "petroleum",
    "gold",
    "silver",
    "bullion",
    "alpha",
    "beta",
    "gamma",
    "delta",
];
const DOMAINS: [&str; 4] = ["example.com", "example.org", "example.net", "example.co.uk"];

struct Revision {
    brief: Brief,
    known_from: Timestamp,
    known_to: Timestamp,
}

/// 300 briefs with one to three revisions each.
fn revisions(random: &mut Random) -> Vec<Revision> {
    let mut revisions = Vec::new();
    for number in 1..=300 {
        let count = 1 + random.below(3) as u32;
        let mut known_from = START.plus_ms(random.below(40) as i64 * Timestamp::HOUR_MS);
        let published_at = known_from;
        for revision in 1..=count {
            let mut sentence = |length: u64| {
                let words: Vec<&str> = (0..length)
                    .map(|_| WORDS[random.below(10) as usize])
                    .collect();
                words.join(" ")
            };
            let (headline, summary, body) = (sentence(1), sentence(1), sentence(1));
            let known_to = if revision == count {
                Timestamp::END
            } else {
                known_from.plus_ms(7 * Timestamp::HOUR_MS)
            };
            let mut brief = Brief {
                headline,
                summary,
                body,
                revision,
                published_at,
                ..brief(number)
            };
            brief.category = Category::ALL[random.below(15) as usize];
            brief.confidence.score = Score::clamped(random.below(11) as f64 / 10.0);
            brief.bias.score = Score::clamped(random.below(11) as f64 / 10.0);
            brief.source_count = 1 + random.below(4) as u32;
            brief.sources = DOMAINS
                .iter()
                .filter(|_| random.below(3) == 0)
                .map(|domain| source(domain))
                .collect();
            revisions.push(Revision {
                brief,
                known_from,
                known_to,
            });
            known_from = known_to;
        }
    }
    revisions
}

/// A question with all operators written out, so that nothing of it is relaxed.
enum Question {
    Word(&'static str),
    Phrase(Vec<&'static str>),
    Both(Box<Question>, Box<Question>),
    Either(Box<Question>, Box<Question>),
    Without(Box<Question>, Box<Question>),
}

impl Question {
    fn draw(random: &mut Random, depth: u32) -> Self {
        let word = |random: &mut Random| WORDS[random.below(10) as usize];
        if depth == 0 {
            return match random.below(3) {
                0 => Self::Phrase((0..2 + random.below(2)).map(|_| word(random)).collect()),
                _ => Self::Word(word(random)),
            };
        }
        let mut part = || Box::new(Self::draw(random, depth - 1));
        let (left, right) = (part(), part());
        match random.below(3) {
            0 => Self::Both(left, right),
            1 => Self::Either(left, right),
            _ => Self::Without(left, right),
        }
    }

    fn holds(&self, parts: &[&str]) -> bool {
        match self {
            Self::Word(word) => parts
                .iter()
                .any(|part| part.split(' ').any(|found| found == *word)),
            Self::Phrase(words) => parts.iter().any(|part| {
                let found: Vec<&str> = part.split(' ').collect();
                found.windows(words.len()).any(|window| window == words)
            }),
            Self::Both(left, right) => left.holds(parts) && right.holds(parts),
            Self::Either(left, right) => left.holds(parts) || right.holds(parts),
            Self::Without(left, right) => left.holds(parts) && !right.holds(parts),
        }
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(word) => f.write_str(word),
            Self::Phrase(words) => write!(f, "\"{}\"", words.join(" ")),
            Self::Both(left, right) => write!(f, "({left} AND {right})"),
            Self::Either(left, right) => write!(f, "({left} OR {right})"),
            Self::Without(left, right) => write!(f, "({left} AND -{right})"),
        }
    }
}

#[test]
fn operators_equal_a_scan() {
    let mut random = Random(11);
    let index = Index::in_memory().unwrap();
    let mut writer = index.writer().unwrap();
    let mut briefs = Vec::new();
    for number in 1..=400 {
        let mut sentence = || {
            (0..4)
                .map(|_| WORDS[random.below(10) as usize])
                .collect::<Vec<_>>()
                .join(" ")
        };
        let (headline, summary, body) = (sentence(), sentence(), sentence());
        let brief = Brief {
            headline,
            summary,
            body,
            ..brief(number)
        };
        writer
            .put(&RevisionDocument {
                brief: &brief,
                known_from: START,
                known_to: Timestamp::END,
            })
            .unwrap();
        if number % 150 == 0 {
            writer.commit(&at(number as i64)).unwrap();
        }
        briefs.push(brief);
    }
    writer.commit(&at(400)).unwrap();
    for _ in 0..600 {
        let depth = random.below(4) as u32;
        let question = Question::draw(&mut random, depth);
        let query = question.to_string();
        let expected = briefs
            .iter()
            .filter(|brief| question.holds(&[&brief.headline, &brief.summary, &brief.body]));
        let mut expected: Vec<_> = expected.map(|brief| brief.id).collect();
        for sort in [Sort::Relevance, Sort::Newest] {
            let request = SearchRequest {
                query: query.clone(),
                sort,
                limit: 400,
                ..SearchRequest::default()
            };
            let page = index.search(&request).unwrap();
            let mut found: Vec<_> = page.hits.iter().map(|hit| hit.brief_id).collect();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "{query}");
            assert!(
                page.hits
                    .iter()
                    .all(|hit| hit.score.is_finite() && hit.score > 0.0),
                "{query}"
            );
        }
    }
}

fn pick<T>(random: &mut Random, value: T) -> Option<T> {
    (random.below(4) == 0).then_some(value)
}

fn request(random: &mut Random) -> SearchRequest {
    let word = WORDS[random.below(10) as usize];
    let domain = || DOMAINS.map(String::from);
    let hours = |hours: u64| START.plus_ms(hours as i64 * Timestamp::HOUR_MS);
    let filters = Filters {
        categories: Category::ALL
            .into_iter()
            .filter(|_| random.below(9) == 0)
            .collect(),
        min_confidence: Some(random.below(10) as f64 / 10.0).filter(|_| random.below(4) == 0),
        min_bias: Some(random.below(5) as f64 / 10.0).filter(|_| random.below(4) == 0),
        max_bias: Some(0.5 + random.below(5) as f64 / 10.0).filter(|_| random.below(4) == 0),
        from: Some(hours(random.below(20))).filter(|_| random.below(4) == 0),
        to: Some(hours(20 + random.below(20))).filter(|_| random.below(4) == 0),
        include_sources: domain()
            .into_iter()
            .filter(|_| random.below(8) == 0)
            .collect(),
        exclude_sources: domain()
            .into_iter()
            .filter(|_| random.below(12) == 0)
            .collect(),
    };
    let sort = [
        Sort::Relevance,
        Sort::Newest,
        Sort::Oldest,
        Sort::Confidence,
        Sort::MostSources,
    ];
    let depth = [Depth::Fast, Depth::Standard, Depth::Deep];
    let as_of = hours(random.below(60));
    SearchRequest {
        depth: depth[random.below(3) as usize],
        query: word.into(),
        sort: sort[random.below(5) as usize],
        filters,
        offset: random.below(5) as usize,
        limit: 1 + random.below(30) as usize,
        as_of: pick(random, as_of).or_else(|| pick(random, as_of)),
    }
}

fn passes(revision: &Revision, request: &SearchRequest) -> bool {
    let Revision {
        brief,
        known_from,
        known_to,
    } = revision;
    let filters = &request.filters;
    let known = match request.as_of {
        None => *known_to == Timestamp::END,
        Some(time) => *known_from <= time && time < *known_to,
    };
    let names = |domains: &[String]| {
        brief
            .sources
            .iter()
            .any(|source| domains.contains(&source.domain))
    };
    known
        && (filters.categories.is_empty() || filters.categories.contains(&brief.category))
        && filters
            .min_confidence
            .is_none_or(|least| brief.confidence.score.get() >= least)
        && filters
            .min_bias
            .is_none_or(|least| brief.bias.score.get() >= least)
        && filters
            .max_bias
            .is_none_or(|most| brief.bias.score.get() <= most)
        && filters.from.is_none_or(|from| brief.published_at >= from)
        && filters.to.is_none_or(|to| brief.published_at < to)
        && (filters.include_sources.is_empty() || names(&filters.include_sources))
        && !names(&filters.exclude_sources)
}

fn matches(revision: &Revision, request: &SearchRequest) -> bool {
    let brief = &revision.brief;
    let text = format!("{} {} {}", brief.headline, brief.summary, brief.body);
    text.split(' ').any(|word| word == request.query) && passes(revision, request)
}

/// What was added for its meaning passes the filters, matches by no word and stands behind all that does.
fn check_added(page: &SearchPage, revisions: &[Revision], request: &SearchRequest) {
    let by_words = page.hits.iter().take_while(|hit| !hit.by_meaning).count();
    let added = &page.hits[by_words..];
    for hit in added {
        assert!(hit.by_meaning && page.total < 20 && request.depth != Depth::Fast);
        let revision = revisions
            .iter()
            .find(|revision| {
                (revision.brief.id, revision.brief.revision) == (hit.brief_id, hit.revision)
            })
            .unwrap();
        assert!(
            passes(revision, request) && !matches(revision, request),
            "{request:?}"
        );
    }
}

fn check(index: &Index, revisions: &[Revision], request: &SearchRequest) {
    let mut expected: Vec<&Brief> = revisions
        .iter()
        .filter(|revision| matches(revision, request))
        .map(|revision| &revision.brief)
        .collect();
    let page = index.search(request).unwrap();
    assert_eq!(page.total, expected.len() as u64, "{request:?}");
    for category in Category::ALL {
        let count = expected
            .iter()
            .filter(|brief| brief.category == category)
            .count() as u64;
        let facet = page
            .facets
            .iter()
            .find(|(facet, _)| *facet == category)
            .map_or(0, |(_, count)| *count);
        assert_eq!(facet, count, "{category} of {request:?}");
    }
    let found: Vec<_> = page
        .hits
        .iter()
        .filter(|hit| !hit.by_meaning)
        .map(|hit| (hit.brief_id, hit.revision))
        .collect();
    if request.sort == Sort::Relevance {
        assert!(page.hits.is_sorted_by(|a, b| a.score >= b.score));
        check_added(&page, revisions, request);
        let known = |hit| {
            expected
                .iter()
                .any(|brief| (brief.id, brief.revision) == hit)
        };
        assert!(found.iter().all(|hit| known(*hit)));
        assert_eq!(
            found.len(),
            expected
                .len()
                .saturating_sub(request.offset)
                .min(request.limit)
        );
        return;
    }
    expected.sort_by(|a, b| {
        let by_key = match request.sort {
            Sort::Oldest => a.published_at.cmp(&b.published_at),
            Sort::Confidence => b
                .confidence
                .score
                .get()
                .total_cmp(&a.confidence.score.get()),
            Sort::MostSources => b.source_count.cmp(&a.source_count),
            Sort::Newest | Sort::Relevance => std::cmp::Ordering::Equal,
        };
        by_key
            .then(b.published_at.cmp(&a.published_at))
            .then(b.id.cmp(&a.id))
    });
    let expected: Vec<_> = expected
        .iter()
        .map(|brief| (brief.id, brief.revision))
        .collect();
    let end = (request.offset + request.limit).min(expected.len());
    assert_eq!(found, expected[request.offset.min(end)..end], "{request:?}");
}

#[test]
fn answers_equal_a_scan() {
    let mut random = Random(7);
    let revisions = revisions(&mut random);
    let index = Index::in_memory().unwrap();
    let mut writer = index.writer().unwrap();
    for (position, batch) in (1..).zip(revisions.chunks(61)) {
        for revision in batch {
            // As the outbox reports it: first current, later put again with its end.
            let Revision {
                brief,
                known_from,
                known_to,
            } = revision;
            writer
                .put(&RevisionDocument {
                    brief,
                    known_from: *known_from,
                    known_to: Timestamp::END,
                })
                .unwrap();
            writer
                .put(&RevisionDocument {
                    brief,
                    known_from: *known_from,
                    known_to: *known_to,
                })
                .unwrap();
        }
        writer.commit(&at(position)).unwrap();
    }
    assert_eq!(index.documents(), revisions.len() as u64);
    for _ in 0..800 {
        check(&index, &revisions, &request(&mut random));
    }
    let added = (0..200).map(|_| {
        let request = SearchRequest {
            sort: Sort::Relevance,
            offset: 0,
            ..request(&mut random)
        };
        let page = index.search(&request).unwrap();
        page.hits.iter().filter(|hit| hit.by_meaning).count()
    });
    assert!(added.sum::<usize>() > 50, "the scan saw additions");
}
