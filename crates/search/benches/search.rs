//! How long a search takes over 100,000 briefs, and what the index costs.
//!
//! `cargo bench -p search` prints a table; the number of briefs may follow `--`. The texts are drawn from a vocabulary with
//! Zipf's distribution, so that there are words in half of all briefs and words in one.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a measurement speaks and may fail loudly"
)]

#[path = "../tests/it/sample.rs"]
#[expect(dead_code, reason = "shared with the tests, which use more of it")]
mod sample;

use std::path::Path;
use std::time::{Duration, Instant};

use model::{Brief, Category, Score, Timestamp};
use sample::{Random, START, at, brief, entity, source};
use search::{Depth, Filters, Index, RevisionDocument, SearchRequest, Sort};

const VOCABULARY: usize = 50_000;
const DOMAINS: u64 = 200;

/// Words by rank, and the running sum of their frequencies.
struct Vocabulary {
    words: Vec<String>,
    cumulative: Vec<f64>,
}

impl Vocabulary {
    fn new() -> Self {
        let syllables = [
            "ba", "co", "di", "fu", "ga", "ho", "ki", "lu", "ma", "no", "pe", "ra", "si", "to",
            "ve", "zu",
        ];
        let mut words = Vec::with_capacity(VOCABULARY);
        let mut cumulative = Vec::with_capacity(VOCABULARY);
        let mut sum = 0.0;
        for rank in 0..VOCABULARY {
            let mut word = String::from("x");
            let mut rest = rank;
            loop {
                word.push_str(syllables[rest % 16]);
                rest /= 16;
                if rest == 0 {
                    break;
                }
            }
            words.push(word);
            sum += 1.0 / (rank as f64 + 2.7);
            cumulative.push(sum);
        }
        Self { words, cumulative }
    }

    fn word(&self, random: &mut Random) -> &str {
        let share = (random.next() >> 11) as f64 / (1_u64 << 53) as f64;
        let target = share * self.cumulative[VOCABULARY - 1];
        &self.words[self
            .cumulative
            .partition_point(|sum| *sum < target)
            .min(VOCABULARY - 1)]
    }

    fn sentence(&self, random: &mut Random, length: u64) -> String {
        let mut text = String::new();
        for place in 0..length {
            text.push_str(if place == 0 { "" } else { " " });
            text.push_str(self.word(random));
        }
        text.push('.');
        text
    }
}

fn draw(number: u64, vocabulary: &Vocabulary, random: &mut Random) -> Brief {
    let id = u128::from(random.next()) << 64 | u128::from(number);
    let mut brief = brief(id);
    let between = |random: &mut Random, least: u64, most: u64| least + random.below(most - least);
    let (headline, summary, body) = (
        between(random, 7, 14),
        between(random, 35, 56),
        between(random, 120, 281),
    );
    brief.headline = vocabulary.sentence(random, headline);
    brief.summary = vocabulary.sentence(random, summary);
    brief.body = vocabulary.sentence(random, body);
    brief.published_at = START.plus_ms(random.below(365 * 86_400_000) as i64);
    brief.category = Category::ALL[random.below(15) as usize];
    brief.confidence.score = Score::clamped(random.below(1001) as f64 / 1000.0);
    brief.bias.score = Score::clamped(random.below(1001) as f64 / 1000.0);
    brief.source_count = 1 + random.below(12) as u32;
    for _ in 0..=random.below(4) {
        brief
            .sources
            .push(source(&format!("outlet{}.example", random.below(DOMAINS))));
        brief.tags.push(vocabulary.word(random).to_owned());
        brief.entities.push(entity(vocabulary.word(random), None));
    }
    brief
}

/// Questions of one kind.
type Kind<'a> = (&'static str, Box<dyn Fn(&mut Random) -> SearchRequest + 'a>);

fn kinds(vocabulary: &Vocabulary) -> Vec<Kind<'_>> {
    let ask = |query: String| SearchRequest {
        query,
        depth: Depth::Fast,
        limit: 20,
        ..SearchRequest::default()
    };
    let pick = |random: &mut Random, least: u64, most: u64| {
        vocabulary.words[(least + random.below(most - least)) as usize].clone()
    };
    vec![
        (
            "rare word",
            Box::new(move |random| ask(pick(random, 5_000, 50_000))),
        ),
        (
            "middling word",
            Box::new(move |random| ask(pick(random, 100, 2_000))),
        ),
        (
            "common word",
            Box::new(move |random| ask(pick(random, 0, 20))),
        ),
        (
            "two words",
            Box::new(move |random| {
                ask(format!(
                    "{} {}",
                    pick(random, 10, 300),
                    pick(random, 50, 2_000)
                ))
            }),
        ),
        (
            "three words",
            Box::new(move |random| {
                ask(format!(
                    "{} {} {}",
                    pick(random, 5, 100),
                    pick(random, 10, 300),
                    pick(random, 50, 1_000)
                ))
            }),
        ),
        (
            "five words, relaxed",
            Box::new(move |random| {
                let words: Vec<String> = (0..5).map(|_| pick(random, 300, 5_000)).collect();
                ask(words.join(" "))
            }),
        ),
        (
            "phrase",
            Box::new(move |random| {
                ask(format!(
                    "\"{} {}\"",
                    pick(random, 0, 100),
                    pick(random, 0, 100)
                ))
            }),
        ),
        (
            "alternatives",
            Box::new(move |random| {
                ask(format!(
                    "{} OR {}",
                    pick(random, 20, 500),
                    pick(random, 20, 500)
                ))
            }),
        ),
        (
            "exclusion",
            Box::new(move |random| {
                ask(format!(
                    "{} -{}",
                    pick(random, 50, 1_000),
                    pick(random, 0, 50)
                ))
            }),
        ),
        (
            "filters",
            Box::new(move |random| {
                let filters = Filters {
                    categories: vec![Category::ALL[random.below(15) as usize]],
                    min_confidence: Some(0.3),
                    from: Some(START.plus_ms(90 * Timestamp::DAY_MS)),
                    exclude_sources: vec![format!("outlet{}.example", random.below(DOMAINS))],
                    ..Filters::default()
                };
                SearchRequest {
                    filters,
                    ..ask(pick(random, 20, 1_000))
                }
            }),
        ),
        (
            "newest first",
            Box::new(move |random| SearchRequest {
                sort: Sort::Newest,
                ..ask(pick(random, 10, 1_000))
            }),
        ),
        (
            "most sources, page 10",
            Box::new(move |random| SearchRequest {
                sort: Sort::MostSources,
                offset: 180,
                ..ask(pick(random, 10, 500))
            }),
        ),
        (
            "as of",
            Box::new(move |random| {
                let time = START.plus_ms(random.below(365) as i64 * Timestamp::DAY_MS);
                SearchRequest {
                    as_of: Some(time),
                    ..ask(pick(random, 20, 1_000))
                }
            }),
        ),
    ]
}

/// Time on the clock and, on Linux, time on a processor: on a busy machine the first mostly measures the neighbours.
struct Stopwatch {
    clock: Instant,
    processor: Option<Duration>,
}

impl Stopwatch {
    fn start() -> Self {
        let processor = processor_time();
        Self {
            clock: Instant::now(),
            processor,
        }
    }

    fn stop(&self) -> (Duration, Duration) {
        let clock = self.clock.elapsed();
        let processor = processor_time()
            .zip(self.processor)
            .map_or(clock, |(end, start)| end.saturating_sub(start));
        (clock, processor)
    }
}

/// What this thread has used so far. Yielding makes the kernel bring its account up to date.
fn processor_time() -> Option<Duration> {
    std::thread::yield_now();
    let account = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(
        account.split_whitespace().next()?.parse().ok()?,
    ))
}

fn percentile(sorted: &[Duration], share: f64) -> f64 {
    let place = ((sorted.len() - 1) as f64 * share).round() as usize;
    sorted[place].as_secs_f64() * 1_000.0
}

fn print_times(name: &str, times: &[(Duration, Duration)]) {
    let column = |pick: fn(&(Duration, Duration)) -> Duration| {
        let mut sorted: Vec<Duration> = times.iter().map(pick).collect();
        sorted.sort_unstable();
        let [middle, late, last] = [0.5, 0.99, 1.0].map(|share| percentile(&sorted, share));
        format!("p50 {middle:7.3}  p99 {late:7.3}  max {last:7.3}")
    };
    println!(
        "{name:<30} clock {}   processor {}",
        column(|time| time.0),
        column(|time| time.1)
    );
}

fn folder_bytes(path: &Path) -> u64 {
    std::fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap().metadata().unwrap().len())
        .sum()
}

/// Memory of this process in megabytes: all that is resident, and the part of it that is no mapped file.
fn resident_mb() -> Option<(f64, f64)> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let field = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name))?;
        line.split_whitespace().nth(1)?.parse::<f64>().ok()
    };
    Some((field("VmRSS:")? / 1024.0, field("RssAnon:")? / 1024.0))
}

fn print_memory(label: &str) {
    if let Some((all, own)) = resident_mb() {
        println!("memory {label:<17} {all:8.1} MB resident, {own:.1} MB without mapped files");
    }
}

/// Processor time of all threads of this process so far.
fn process_time() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // User and system time in hundredths, the twelfth and thirteenth field behind the name in brackets.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let hundredths = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    Some(Duration::from_millis(hundredths * 10))
}

fn fill(path: &Path, count: u64, vocabulary: &Vocabulary) {
    let index = Index::open(path).unwrap();
    let mut writer = index.writer().unwrap();
    let mut random = Random(1);
    let (mut text_bytes, mut indexing, mut processor) = (0, Duration::ZERO, Duration::ZERO);
    let mut number = 0;
    while number < count {
        let end = count.min(number + 20_000);
        let briefs: Vec<Brief> = (number..end)
            .map(|number| draw(number, vocabulary, &mut random))
            .collect();
        let (started, used) = (Instant::now(), process_time());
        for brief in &briefs {
            text_bytes += brief.headline.len() + brief.summary.len() + brief.body.len();
            let known_from = brief.published_at;
            writer
                .put(&RevisionDocument {
                    brief,
                    known_from,
                    known_to: Timestamp::END,
                })
                .unwrap();
        }
        writer.commit(&at(end as i64)).unwrap();
        indexing += started.elapsed();
        processor += process_time()
            .zip(used)
            .map_or(Duration::ZERO, |(after, before)| {
                after.saturating_sub(before)
            });
        number = end;
    }
    // Live traffic: another revision of some briefs, which ends the former.
    let mut commits = Vec::new();
    for round in 0..50 {
        let mut again = Random(1);
        for number in 0..10 {
            let former = draw(number, vocabulary, &mut again);
            let time = former.published_at.plus_ms(Timestamp::HOUR_MS + round);
            let later = Brief {
                revision: 2 + round as u32,
                ..former.clone()
            };
            let known_from = former.published_at;
            writer
                .put(&RevisionDocument {
                    brief: &former,
                    known_from,
                    known_to: time,
                })
                .unwrap();
            writer
                .put(&RevisionDocument {
                    brief: &later,
                    known_from: time,
                    known_to: Timestamp::END,
                })
                .unwrap();
        }
        let watch = Stopwatch::start();
        writer.commit(&at(count as i64 + round)).unwrap();
        commits.push(watch.stop());
    }
    writer.finish().unwrap();
    print_times("commit of 20 revisions", &commits);
    println!(
        "indexing   {:8.0} briefs/s by the clock, {:.0} by the processor",
        count as f64 / indexing.as_secs_f64(),
        count as f64 / processor.as_secs_f64()
    );
    println!(
        "size       {:8.1} MB for {:.1} MB of text",
        folder_bytes(path) as f64 / 1e6,
        text_bytes as f64 / 1e6
    );
}

/// Asks every kind of question at one depth.
fn read_at(index: &Index, depth: Depth, vocabulary: &Vocabulary) {
    let mut random = Random(2);
    let mut all = Vec::new();
    println!("{depth:?}");
    for (name, request) in &kinds(vocabulary) {
        let mut times = Vec::new();
        let (mut total, mut added) = (0, 0);
        for _ in 0..300 {
            let request = SearchRequest {
                depth,
                ..request(&mut random)
            };
            let watch = Stopwatch::start();
            let page = index.search(&request).unwrap();
            times.push(watch.stop());
            total += page.total;
            added += page.hits.iter().filter(|hit| hit.by_meaning).count();
        }
        let name = format!("{name} ({} + {})", total / 300, added / 300);
        print_times(&name, &times);
        all.extend(times);
    }
    print_times("all kinds (ms)", &all);
    print_memory("after searching");
}

/// What is most like briefs of the index.
fn read_similar(index: &Index, vocabulary: &Vocabulary) {
    let mut random = Random(3);
    let mut times = Vec::new();
    for number in 0..300 {
        let brief = draw(number, vocabulary, &mut random);
        let watch = Stopwatch::start();
        let found = index.similar(&brief, &Filters::default(), None, 10);
        times.push(watch.stop());
        assert_eq!(found.unwrap().len(), 10);
    }
    print_times("similar", &times);
}

fn read(path: &Path, vocabulary: &Vocabulary) {
    print_memory("before opening");
    let started = Instant::now();
    let index = Index::open(path).unwrap();
    println!(
        "open       {:8.2} ms",
        started.elapsed().as_secs_f64() * 1_000.0
    );
    print_memory("after opening");
    for depth in [Depth::Fast, Depth::Standard, Depth::Deep] {
        read_at(&index, depth, vocabulary);
    }
    read_similar(&index, vocabulary);
}

fn main() {
    let vocabulary = Vocabulary::new();
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, command, path] = arguments.as_slice()
        && command == "read"
    {
        return read(Path::new(path), &vocabulary);
    }
    let count = arguments
        .iter()
        .find_map(|argument| argument.parse().ok())
        .unwrap_or(100_000);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index");
    println!("{count} briefs");
    fill(&path, count, &vocabulary);
    // In a process of its own, whose memory is that of a reader.
    let reader = std::process::Command::new(std::env::current_exe().unwrap())
        .arg("read")
        .arg(&path)
        .status();
    assert!(reader.unwrap().success());
}
